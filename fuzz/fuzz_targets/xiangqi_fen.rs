//! Fuzz target for xiangqi positions and moves: the input is read or refused, and a position or move that was read is
//! written and read again.

#![no_main]

use kernel::{Notation, Position};
use xiangqi::{Rules, Xiangqi};

libfuzzer_sys::fuzz_target!(|text: &str| {
    for rules in [Rules::Asian, Rules::Home] {
        let start = Xiangqi::new(rules);
        let _ = start.diagram_texts(text);
        let _ = start.read_move(text).map_or_else(|| start.refusal(text).to_string(), |m| start.move_text(m));
        if let Ok(diagram) = start.read_diagram(text) {
            let mut moves = Vec::new();
            diagram.moves(&mut moves);
            moves.iter().for_each(|&m| assert!(!diagram.texts(m).is_empty()));
        }
        let Ok(pos) = start.read_fen(text) else { continue };
        let again = start.read_fen(&pos.fen()).expect("a FEN that was written is read");
        assert_eq!((again.key(), again.outcome(), again.fen()), (pos.key(), pos.outcome(), pos.fen()));
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        assert_eq!(moves.is_empty(), pos.outcome().is_some());
        assert_eq!(moves.len() as u64, pos.count());
        let _ = (pos.diagram(), pos.counters(), pos.notes(), pos.facts());
    }
});
