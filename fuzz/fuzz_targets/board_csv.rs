//! Fuzz target for the board of a map as CSV: it is refused with a place, or it is written and read again.

#![no_main]

use records::csv::{read, write};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(board) = read(bytes, &["帅", "兵", "兵", "a,b"]) else { return };
    assert_eq!(board.cells.len(), (board.rows * board.cols) as usize);
    assert!(board.cells.iter().all(|&id| id <= 4) && board.rows <= 64 && board.cols <= 64);
    assert_eq!(read(write(&board).as_bytes(), &["帅", "兵", "兵", "a,b"]), Ok(board));
});
