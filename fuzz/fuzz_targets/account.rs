//! Fuzz target for sign-in data: passwords, recovery codes, and the scopes and devices that programs send.

#![no_main]

use people::Password;
use people::account::device;
use people::password::{FEWEST, MOST};
use people::recovery::Code;
use people::token::Scopes;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (first, rest) = text.split_once('\n').unwrap_or((text, "Ada"));
    if Password::choose(first, rest).is_ok() {
        assert!(Password::read(first).is_ok() && (FEWEST..=3 * MOST).contains(&first.chars().count()));
    }
    if let Some(code) = Code::read(first) {
        assert_eq!(Code::read(&code.reveal()), Some(code));
    }
    if let Ok(scopes) = Scopes::read(first.split(',')) {
        assert_eq!(Scopes::read(scopes.to_string().split(',')), Ok(scopes));
    }
    assert!(device(first).is_none_or(|name| name.len() < 40));
});
