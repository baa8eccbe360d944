//! Fuzz target for PDN files: each game is read or refused, and a game that was read is written and read again.

#![no_main]

use records::pdn::Check;
use records::{Format, Games, detect, read, write};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = detect(bytes);
    let mut good = 0;
    for record in Games::new(Format::Pdn, bytes).flatten() {
        good += 1;
        // A remark may hold what PDN cannot say; what is left is the same ever after.
        let text = write(Format::Pdn, &record).expect("a record that was read is within the limits");
        let again = read(Format::Pdn, &text).expect("what was written is read");
        assert_eq!(again.tree.plies(), record.tree.plies());
        let once_more = write(Format::Pdn, &again).expect("it was written before");
        assert_eq!(read(Format::Pdn, &once_more).as_ref(), Ok(&again));
    }
    assert!(Check::new(bytes).flatten().count() >= good);
});
