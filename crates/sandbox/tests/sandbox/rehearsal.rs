//! A check that plays: what fails in some game, how long hooks take, and what is printed.

use std::sync::{Arc, Mutex};

use jingbanqi::extension::{Loader as _, Plan, Rehearsal};
use jingbanqi::{Jingbanqi, Rulebook};
use sandbox::Console;

use crate::support::{load, play, sandbox, small, source};

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

/// Extensions that fail in some game: the text, the line, and a part of the error.
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

/// A ply of a game whose extension tells its author, and what the console heard and kept.
fn told(text: &str) -> (Vec<String>, Vec<String>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let each = Arc::clone(&heard);
    let console = Console::echoing(move |line| each.lock().expect("one thread").push(line.to_owned()));
    let book = Arc::new(Rulebook::new(small(), false));
    let extensions = sandbox().telling(console.clone()).load(&book, &[source(text)]).expect("it loads");
    let mut pos = Jingbanqi::with_extensions(book, extensions);
    play(&mut pos, "4,3-3,3");
    let heard = heard.lock().expect("one thread").clone();
    (heard, console.last(usize::MAX))
}

#[test]
fn prints_and_tracebacks_are_told_to_the_author() {
    let (heard, kept) = told(
        "print('loaded')\ndef after_move(a, b):\n    print('to', b, '\\x1b[31m\\x07')\n    def f(): return [][1]\n    f()\n",
    );
    assert_eq!(heard, kept);
    assert_eq!(heard[0], "loaded");
    let mark = char::REPLACEMENT_CHARACTER;
    let wanted = [
        format!("to (2, 2) {mark}[31m{mark}"),
        "Traceback (most recent call last):".to_owned(),
        "  x.py:6 in after_move: f()".to_owned(),
        "  x.py:5 in f: def f(): return [][1]".to_owned(),
        "IndexError: list index out of range".to_owned(),
    ];
    assert!(heard.windows(wanted.len()).any(|lines| lines == wanted), "{heard:?}");
}

#[test]
fn what_is_printed_without_an_end_is_cut() {
    let (heard, kept) = told("def after_move(a, b):\n    for i in range(5000): print(i, 'x' * 20)\n");
    assert!(heard.len() < 2000 && heard.iter().all(|line| line.len() < 500), "{}", heard.len());
    assert!(heard.iter().any(|line| line.starts_with("… (+")), "what was left out is counted");
    assert!(kept.len() <= 1000 && heard.ends_with(&kept));
    let (_, kept) = told("def after_move(a, b):\n    print('x' * 100000)\n    print('never seen')\n");
    assert!(kept.iter().all(|line| line.len() < 5000 && !line.contains("never")));
}
