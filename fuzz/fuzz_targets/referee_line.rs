//! Fuzz target for lines of the referee's input: the answer is one line, and it is a JSON object.

#![no_main]

libfuzzer_sys::fuzz_target!(|line: &str| {
    let answer = referee::answer(line, None);
    assert!(!answer.contains('\n'), "one line in, one line out");
    let answer: serde_json::Value = serde_json::from_str(&answer).expect("an answer is JSON");
    assert!(answer.is_object());
});
