//! A line of UCI or UCCI, from either side: what is understood is written, and understood the same.

#![no_main]

use protocol::{ucci, uci};

macro_rules! stays {
    ($said:ty, $line:expr) => {
        if let Ok(Some(said)) = <$said>::read($line) {
            // What a reading leaves out is gone after the first time, so the second line is the one that must stay.
            if let Ok(Some(again)) = <$said>::read(&said.line()) {
                assert_eq!(<$said>::read(&again.line()), Ok(Some(again)));
            }
        }
    };
}

libfuzzer_sys::fuzz_target!(|line: &str| {
    stays!(uci::ToEngine, line);
    stays!(uci::FromEngine, line);
    stays!(ucci::ToEngine, line);
    stays!(ucci::FromEngine, line);
});
