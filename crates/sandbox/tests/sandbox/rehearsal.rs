//! A check that plays: what fails in some game, how long hooks take, and what is printed.

use jingbanqi::extension::{Plan, Rehearsal};

use crate::support::{load, small};

const PLAN: Plan = Plan { games: 20, longest: 60, seed: 1 };

fn rehearse(text: &str) -> Rehearsal {
    let (_, extensions) = load(small(), &[text]).unwrap_or_else(|problems| panic!("{problems:?}"));
    extensions.rehearse(PLAN).unwrap_or_else(|fault| panic!("{fault:?}"))
}

#[test]
fn games_are_played_and_hooks_are_timed() {
    let told = rehearse(
        "def check_can_go(c, p, a):\n    return c\ndef after_move(a, b):\n    print('to', b, sep='=')\n",
    );
    assert_eq!((told.games, told.lengths.len(), told.faults.len()), (20, 20, 0));
    let hooks: Vec<(&str, bool)> =
        told.hooks.iter().map(|hook| (hook.hook.as_str(), hook.calls > 0)).collect();
    assert_eq!(hooks, [("check_can_go", true), ("after_move", true)]);
    assert!(told.prints.starts_with("to=("), "{}", told.prints);
    assert_eq!(told, Rehearsal { hooks: told.hooks.clone(), ..rehearse_again() }, "the same games again");
}

fn rehearse_again() -> Rehearsal {
    rehearse("def check_can_go(c, p, a):\n    return c\ndef after_move(a, b):\n    print('to', b, sep='=')\n")
}

/// What fails in some game: a file, the line, and a part of what is said.
const FAULTS: &[(&str, u32, &str)] = &[
    ("def check_can_go(c, p, a):\n    if a == (1, 1): return None\n    return c\n", 2, "TypeError"),
    ("def after_move(a, b):\n    while b == (1, 1):\n        pass\n", 3, "TimeLimit"),
    ("def after_move(a, b):\n    if b == (1, 1):\n        [][1]\n", 4, "IndexError"),
];

#[test]
fn what_fails_in_some_game_is_found_with_its_line() {
    for (text, line, says) in FAULTS {
        let told = rehearse(text);
        let fault = &told.faults.first().unwrap_or_else(|| panic!("{text}: no fault")).fault;
        assert!(fault.error.contains(says), "{text}: {fault:?}");
        assert!(fault.line.is_some_and(|at| at.abs_diff(*line) <= 1), "{text}: {fault:?}");
    }
}
