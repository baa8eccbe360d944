//! Fuzz target for positions of draughts, by three rules on three boards: the input is read or refused, and a
//! position that was read is written and read again.

#![no_main]

use draughts::{Canadian, Draughts, Frisian, Rules, Turkish};
use kernel::{Notation, Position};

fn check<R: Rules>(text: &str) {
    let start = Draughts::<R>::start();
    let _ = start.read_move(text).map_or_else(|| start.refusal(text).to_string(), |m| start.move_text(m));
    let Ok(pos) = start.read_fen(text) else { return };
    let again = start.read_fen(&pos.fen()).expect("a FEN that was written is read");
    assert_eq!((again.fen(), again.key(), again.drawn()), (pos.fen(), pos.key(), pos.drawn()));
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    assert_eq!(moves.is_empty(), pos.outcome().is_some());
    assert_eq!(moves.len() as u64, pos.count());
    for m in moves.into_iter().take(20) {
        assert_eq!(pos.read_move(&pos.move_text(m)), Some(m));
        assert!(pos.path(m).len() >= 2);
        let mut next = pos;
        next.play(m);
        let _ = next.outcome();
    }
    let _ = (pos.diagram(), pos.notes(), pos.counters());
}

libfuzzer_sys::fuzz_target!(|text: &str| {
    check::<Frisian>(text);
    check::<Turkish>(text);
    check::<Canadian>(text);
});
