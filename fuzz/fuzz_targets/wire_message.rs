//! Fuzz target for messages that visitors send over a WebSocket and for wishes: each is read or refused, and one that
//! was read is written and read again.

#![no_main]

macro_rules! round {
    ($bytes:ident, $($message:ty),*) => {$(
        if let Ok(message) = serde_json::from_slice::<$message>($bytes) {
            let json = serde_json::to_vec(&message).expect("a message that was read can be written");
            let again: $message = serde_json::from_slice(&json).expect("what was written is read back");
            assert_eq!(again, message);
        }
    )*};
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    round!(bytes, wire::ClientMessage, wire::AnalysisRequest, wire::CreateTable, wire::Aside);
});
