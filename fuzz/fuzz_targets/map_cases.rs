//! Cases that authors keep beside their maps: what can be read can be run.
#![no_main]

use std::sync::LazyLock;

use catalog::maps::{Rules, SAMPLES};

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    Rules::load(&SAMPLES[0].package(), &catalog::Options::new(), None)
        .expect("the first sample is a good map")
});

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(cases) = workshop::cases::read(text) {
        for case in cases.iter().take(8) {
            let told = workshop::cases::run(&RULES, case);
            assert_eq!(told, workshop::cases::run(&RULES, case), "the same case, the same answer");
        }
    }
});
