//! A line of UCI or UCCI, from either side: what is understood is written, and understood the same.

#![no_main]

use protocol::{ucci, uci};

macro_rules! stays {
    ($said:ty, $line:expr) => {
        if let Ok(Some(said)) = <$said>::read($line) {
            assert_eq!(<$said>::read(&said.line()), Ok(Some(said)));
        }
    };
}

libfuzzer_sys::fuzz_target!(|line: &str| {
    stays!(uci::ToEngine, line);
    stays!(uci::FromEngine, line);
    stays!(ucci::ToEngine, line);
    stays!(ucci::FromEngine, line);
});
