//! Fuzz target for files of positions: the head is read or refused, and no record of it leaves the networks or the
//! sums of weights.

#![no_main]

use engine::learned::{model, network};
use learn::positions::{Record, read_head};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let body = match read_head(bytes, "xiangqi") {
        Ok((start, _)) => &bytes[start as usize..],
        Err(_) => bytes,
    };
    for game in ["xiangqi", "draughts/international", "draughts/english", "gomoku/freestyle"] {
        let network = network(game).expect("a game with a network");
        let (layout, mut inputs) = (network.layout(), [Vec::new(), Vec::new()]);
        for bytes in body.chunks_exact(network.board() + 4) {
            let record = Record::read(bytes);
            assert!(record.halves <= 2);
            for exchanged in [false, true] {
                let looked = network.features(record.board, record.turn, exchanged, &mut inputs);
                let Some(looked) = looked else { continue };
                assert!(looked.row < layout.rows && looked.base.is_finite());
                assert!(inputs.iter().flatten().all(|&input| usize::from(input) < layout.inputs));
            }
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
