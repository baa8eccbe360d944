//! Ranges of addresses that are banned: what was accepted holds its own ends, is bounded in width, and reads again as itself.

#![no_main]

use std::net::{IpAddr, Ipv6Addr};

use people::staff::Range;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(range) = Range::read(text) else { return };
    assert_eq!(Range::read(&range.to_string()), Ok(range));
    let (low, high) = range.ends();
    let [low, high] = [low, high].map(|digits| u128::from_str_radix(&digits, 16).expect("32 digits"));
    assert!(low <= high && high - low < 1 << 112);
    for end in [low, high] {
        assert!(range.holds(IpAddr::V6(Ipv6Addr::from(end))));
    }
});
