//! E-mail addresses: what was accepted is one line of bounded length that is read again as it is, and adds nothing to a letter.

#![no_main]

use people::mail::Address;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(address) = Address::read(text) else { return };
    let read = address.as_str();
    assert!(read.len() <= 254 && read.matches('@').count() == 1);
    assert!(read.bytes().all(|b| b.is_ascii_graphic() && !b"<>()[]\\,;:\"".contains(&b)));
    assert_eq!(Address::read(read).as_ref(), Ok(&address));
    assert_eq!(Address::read(&address.fold()).map(|folded| folded.fold()), Ok(address.fold()));
});
