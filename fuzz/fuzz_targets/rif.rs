//! Fuzz target for RenjuNet's database and for zip archives: every game is read or refused, and a game that was read
//! is kept by our own format.

#![no_main]

use std::io::{Cursor, Read};

use records::archive::Archive;
use records::{Format, Games, detect, read, write};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = detect(bytes);
    for game in Games::new(Format::Rif, bytes).take(1000) {
        let Ok(record) = game else { continue };
        let text = write(Format::Json, &record).expect("a record that was read is within the limits");
        assert_eq!(read(Format::Json, &text).as_ref(), Ok(&record));
    }
    let Ok(mut archive) = Archive::open(Cursor::new(bytes)) else { return };
    for at in 0..archive.len().min(8) {
        if let Ok(Some((_, file))) = archive.file(at) {
            let _ = file.take(1 << 20).read_to_end(&mut Vec::new());
        }
    }
});
