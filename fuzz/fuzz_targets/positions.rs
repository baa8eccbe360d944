//! Whatever claims to be a file of positions: its head is read or refused, and no record of it leaves the network or
//! the sums of weights.

#![no_main]

use engine::learned::{model, network};
use learn::positions::{Record, read_head};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let network = network("xiangqi").expect("xiangqi has a network");
    let layout = network.layout();
    let body = match read_head(bytes, "xiangqi") {
        Ok((start, _)) => &bytes[start as usize..],
        Err(_) => bytes,
    };
    let mut inputs = [Vec::new(), Vec::new()];
    for bytes in body.chunks_exact(network.board() + 4) {
        let record = Record::read(bytes);
        assert!(record.halves <= 2);
        for exchanged in [false, true] {
            let Some(row) = network.features(record.board, record.turn, exchanged, &mut inputs) else {
                continue;
            };
            assert!(row < layout.rows);
            assert!(inputs.iter().flatten().all(|&input| usize::from(input) < layout.inputs));
        }
    }
    for game in ["xiangqi", "draughts/international", "draughts/english", "gomoku/renju", "locked"] {
        let model = model(game).expect("a game with weights");
        let (count, mut row) = (model.shape().weights, Vec::new());
        for bytes in body.chunks_exact(model.board() + 4) {
            let record = Record::read(bytes);
            row.clear();
            if model.features(record.board, record.turn, &mut row) {
                assert!(row.iter().all(|&(at, _)| (at as usize) < count));
            }
        }
    }
});
