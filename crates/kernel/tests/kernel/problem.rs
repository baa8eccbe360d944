//! Complaints: a key and the facts of the sentence.

use kernel::Problem;

#[test]
fn facts_are_kept_in_order_and_found_by_name() {
    let problem = Problem::new("off-the-board").with("move", "z9").with("ranks", 15);
    assert_eq!(problem.key, "off-the-board");
    assert_eq!(problem.args, [("move", "z9".to_string()), ("ranks", "15".to_string())]);
    assert_eq!((problem.arg("ranks"), problem.arg("files")), (Some("15"), None));
}

#[test]
fn a_complaint_never_echoes_a_flood() {
    let long = |c: char, n: usize| c.to_string().repeat(n);
    for (name, given, kept) in [
        ("short text stays", long('a', 79), long('a', 79)),
        ("80 characters stay", long('a', 80), long('a', 80)),
        ("81 are cut", long('a', 81), long('a', 80) + "…"),
        ("characters are counted, not bytes", long('棋', 80), long('棋', 80)),
        ("a cut falls between characters", long('棋', 100_000), long('棋', 80) + "…"),
        ("nothing stays nothing", String::new(), String::new()),
    ] {
        assert_eq!(Problem::new("k").with("text", given).arg("text"), Some(kept.as_str()), "{name}");
    }
}

#[test]
fn logs_show_key_and_facts_on_one_line() {
    let problem = Problem::new("bad-fen").with("found", "a \"b\"\nc").with("at", 3);
    assert_eq!(problem.to_string(), r#"bad-fen found="a \"b\"\nc" at="3""#);
    assert_eq!(Problem::new("game-over").to_string(), "game-over");
}
