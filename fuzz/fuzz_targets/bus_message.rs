//! Fuzz target for messages on the bus: an envelope, news and questions of other nodes, a part of a long message;
//! each is read or refused.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(envelope) = bus::Envelope::read(bytes) {
        let again = bus::Envelope::read(&envelope.write().expect("was short enough"));
        assert_eq!(again, Ok(envelope));
    }
    if let Ok(packed) = serde_json::from_slice::<store::format::Packed>(bytes)
        && let Ok(entry) = packed.unpack()
    {
        assert_eq!(store::format::pack(&entry).unpack(), Ok(entry));
    }
});
