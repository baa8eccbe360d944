//! Lines of Gomocup's protocol, from either side: what is understood is written, and understood the same.

#![no_main]

use protocol::gomocup::{FromBrain, Reader, Thought};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut reader = Reader::default();
    for line in text.lines() {
        let _ = Thought::read(line);
        if let Ok(Some(said)) = reader.read(line) {
            let mut again = Reader::default();
            let last = said.lines().lines().map(|line| again.read(line)).last();
            assert_eq!(last, Some(Ok(Some(said))));
        }
        if let Ok(Some(said)) = FromBrain::read(line)
            && let Ok(Some(again)) = FromBrain::read(&said.line())
        {
            assert_eq!(FromBrain::read(&again.line()), Ok(Some(again)));
        }
    }
});
