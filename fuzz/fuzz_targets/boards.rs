//! The three board texts of the school's draughts program: what is read is written in each form, and read the same.

#![no_main]

use records::{Format, detect, read, write};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = detect(bytes);
    let forms = [Format::Rows, Format::Numbers, Format::Letters];
    for record in forms.into_iter().filter_map(|form| read(form, bytes).ok()) {
        for form in forms {
            let text = write(form, &record).expect("a board that was read");
            assert_eq!(read(form, &text).as_ref(), Ok(&record));
        }
    }
});
