//! Whatever a visitor sends over the WebSocket: it is read or refused, and what was read is written and read again.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(message) = serde_json::from_slice::<wire::ClientMessage>(bytes) else { return };
    let json = serde_json::to_vec(&message).expect("a message that was read can be written");
    let again: wire::ClientMessage = serde_json::from_slice(&json).expect("what was written is read back");
    assert_eq!(again, message);
});
