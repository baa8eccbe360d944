//! Comments with arrows, circles and evaluations: what was read is written and read again; a text that is written comes back
//! as that text.

#![no_main]

use kernel::{Board, Lines, Names};
use study::notes::{self, Notes};

libfuzzer_sys::fuzz_target!(|text: &str| {
    for names in [Names::letters_up(1), Names::NUMBERS, Names::PAIRS] {
        let board = Board::new(Lines::Points, 9, 10, names);
        let found = notes::read(text, &board);
        assert_eq!(notes::read(&notes::write(&found, &board), &board), found);
        let own = Notes { text: text.to_owned(), ..Notes::default() };
        assert_eq!(notes::read(&notes::write(&own, &board), &board), own);
    }
});
