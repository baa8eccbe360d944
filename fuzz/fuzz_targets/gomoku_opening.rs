//! Fuzz target for positions and moves of gomoku openings: the input is read or refused, and a position or move that
//! was read is written and read again.

#![no_main]

use gomoku::{Gomoku, Opened, Opening, Rule};
use kernel::{Notation, Position};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (fen, words) = text.split_once('\n').unwrap_or((text, ""));
    for opening in Opening::ALL {
        let start =
            Opened::new(opening, Gomoku::usual(Rule::Renju)).expect("renju's board fits every opening");
        let mut pos = start.read_fen(fen).unwrap_or_else(|_| start.clone());
        let again = start.read_fen(&pos.fen()).expect("a FEN that was written is read");
        assert_eq!((again.key(), again.turn(), again.fen()), (pos.key(), pos.turn(), pos.fen()));
        for word in words.split_whitespace().take(40) {
            let Some(act) = pos.read_move(word) else {
                let _ = pos.refusal(word).to_string();
                continue;
            };
            pos.play(act);
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            assert_eq!(moves.is_empty(), pos.outcome().is_some());
            assert_eq!(moves.len() as u64, pos.count());
            let _ = (pos.diagram(), pos.buttons(), pos.prompt(), pos.caption());
        }
    }
});
