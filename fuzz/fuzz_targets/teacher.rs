//! Fuzz target for the teacher, which looks through the text of an extension before anything of it runs: it returns for every
//! text, says the same again, and names places that are in the text.
#![no_main]

use std::sync::LazyLock;

use jingbanqi::Map;
use sandbox::fuzzing::{MOST_FINDINGS, taught};

/// The longest text, in bytes. The parser descends once for each bracket or sign that is open, so that longer ones would try the
/// stack and not the teacher; a worker that loads such a file ends, and no one else.
const MOST_BYTES: usize = 1 << 10;

static MAP: LazyLock<Map> = LazyLock::new(|| {
    let bytes = include_bytes!("../../maps/leap.xlsx");
    jingbanqi::read(bytes).map.expect("a good map")
});

libfuzzer_sys::fuzz_target!(|text: &str| {
    if text.len() > MOST_BYTES {
        return;
    }
    let told = taught(&MAP, text);
    assert_eq!(told, taught(&MAP, text), "the same text, the same findings");
    assert!(told.len() <= MOST_FINDINGS);
    let lines = text.matches(['\n', '\r', '\u{c}']).count() + 2;
    for problem in &told {
        let number = |name: &str| problem.arg(name).and_then(|text| text.parse::<usize>().ok());
        let (line, column) = (number("line"), number("column"));
        assert!(line.is_some_and(|line| (1..=lines).contains(&line)), "{problem:?}");
        assert!(column.is_some_and(|column| (1..=text.len() + 1).contains(&column)), "{problem:?}");
        assert!(problem.args.iter().all(|(_, fact)| !fact.contains(char::is_control)), "{problem:?}");
    }
});
