//! Bytes from another draughts program: they are cut into messages, and each is refused or read and written again.

#![no_main]

use protocol::dxp::{Message, Splitter};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(messages) = Splitter::default().push(bytes) else { return };
    for message in messages {
        let Ok(said) = Message::read(&message) else { continue };
        let written = said.bytes().expect("what was read can be said");
        assert_eq!(Message::read(&written), Ok(said));
    }
});
