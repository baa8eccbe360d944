//! A line in either version of Hub, from either side: what is understood is written, and understood the same.

#![no_main]

use protocol::{hub, hub1};

libfuzzer_sys::fuzz_target!(|line: &str| {
    if let Ok(Some(said)) = hub::ToEngine::read(line) {
        // A control sign inside quotes becomes a blank, so the second line is the one that must stay.
        let again = hub::ToEngine::read(&said.line()).unwrap().unwrap().line();
        assert_eq!(again, said.line());
    }
    if let Ok(Some(said)) = hub::FromEngine::read(line) {
        let again = hub::FromEngine::read(&said.line()).unwrap().unwrap().line();
        assert_eq!(again, said.line());
    }
    if let Ok(Some(said)) = hub1::ToEngine::read(line) {
        let _ = hub1::ToEngine::read(&said.line());
    }
    if let Ok(Some(said)) = hub1::FromEngine::read(line) {
        let _ = hub1::FromEngine::read(&said.line());
    }
});
