//! Fuzz target for gomoku positions: the input is read or refused, and a position that was read is written and read
//! again.

#![no_main]

use gomoku::{Gomoku, Rule};
use kernel::{Notation, Position};

libfuzzer_sys::fuzz_target!(|text: &str| {
    for rule in Rule::ALL {
        let start = Gomoku::usual(rule);
        let _ = start.read_move(text).map_or_else(|| start.refusal(text).to_string(), |m| start.move_text(m));
        let Ok(pos) = start.read_fen(text) else { continue };
        let again = start.read_fen(&pos.fen()).expect("a FEN that was written is read");
        assert_eq!((again.key(), again.outcome(), again.fen()), (pos.key(), pos.outcome(), pos.fen()));
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        assert_eq!(moves.is_empty(), pos.outcome().is_some());
        let _ = pos.diagram();
    }
});
