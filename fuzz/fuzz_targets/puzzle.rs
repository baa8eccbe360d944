//! Fuzz target for puzzles: the line is played by the rules, or the puzzle is refused; one that was read is written
//! and read again.

#![no_main]

use puzzles::Puzzle;
use puzzles::puzzle::open;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(puzzle) = Puzzle::read(text, &open) else { return };
    let again = serde_json::to_string(&puzzle).expect("a puzzle is plain data");
    assert_eq!(Puzzle::read(&again, &open).as_ref(), Ok(&puzzle));
});
