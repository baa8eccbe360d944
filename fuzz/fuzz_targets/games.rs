//! Files with many games: however the bytes come, the same games come out, and no more than there are bytes.

#![no_main]

use std::io::{BufReader, Read};

use records::{Format, Games};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((&which, file)) = bytes.split_first() else { return };
    let format = Format::ALL[usize::from(which) % Format::ALL.len()];
    let games: Vec<_> = Games::new(format, file).of("locked").collect();
    let (begin, rest) = file.split_at(file.len() / 3);
    let pieces = BufReader::with_capacity(5, begin.chain(rest));
    let slowly: Vec<_> = Games::new(format, pieces).of("locked").collect();
    assert_eq!(games, slowly);
    assert!(games.len() <= file.len().max(1));
});
