//! Fuzz target for moves of xiangqi, in positions of all sorts: the input is read or refused, and a move that was
//! read is the same move in every notation.

#![no_main]

use kernel::{Notation, Position};
use std::sync::LazyLock;
use xiangqi::text::{Script, Width, chinese};
use xiangqi::{Rules, Xiangqi};

static POSITIONS: LazyLock<Vec<Xiangqi>> = LazyLock::new(|| {
    let start = Xiangqi::new(Rules::Asian);
    let crowded = [
        "4k4/9/P7P/P7P/8P/9/9/9/9/3K5 w - - 0 1",
        "3k5/5P3/5P3/5P3/5P3/5P3/9/9/9/4K4 w - - 0 1",
        "4k4/9/9/9/9/2p3p2/2p3p2/6p2/9/3K5 b - - 0 1",
        "3akabr1/9/4b2r1/9/9/9/9/4B4/4A4/2BAK4 b - - 0 1",
    ];
    let read = |fen| start.read_diagram(fen).expect("a board");
    crowded.into_iter().map(read).chain([start.clone(), Xiangqi::new(Rules::Home)]).collect()
});

libfuzzer_sys::fuzz_target!(|text: &str| {
    for pos in POSITIONS.iter() {
        let Some(m) = pos.read_move(text) else {
            let _ = pos.refusal(text).to_string();
            continue;
        };
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        assert!(moves.contains(&m), "only legal moves are read");
        for (_, written) in pos.texts(m) {
            assert_eq!(pos.read_move(&written), Some(m), "{written}");
        }
        for (script, width) in [(Script::Simplified, Width::Full), (Script::Traditional, Width::Half)] {
            assert_eq!(pos.read_move(&chinese(pos, m, script, width)), Some(m));
        }
    }
});
