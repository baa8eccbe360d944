//! Tests of hostile programs: each costs its own game, within three seconds, and the next game is played.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jingbanqi::extension::Loader;
use jingbanqi::{Jingbanqi, Rulebook};
use kernel::Position;
use sandbox::Console;

use crate::support::{game, load, moves, play, sandbox, small, source};

/// The longest time that a hostile program may hold up its caller, however busy the machine is besides; one that is
/// not stopped would do so for ever.
const MOST: Duration = Duration::from_secs(30);

/// Programs of `after_move`: a name, the lines of the function, and texts of which the fault contains at least one.
pub const PROGRAMS: &[(&str, &str, &[&str])] = &[
    ("an endless loop", "while True: pass", &["TimeLimit"]),
    (
        "an endless loop under a bare except",
        "while True:\n        try:\n            while True: pass\n        except: pass",
        &["TimeLimit"],
    ),
    ("a number of a hundred million digits", "10**10**8", &["TimeLimit", "Stopped"]),
    ("a text of a thousand million letters", "'a' * 10**9", &["MemoryError", "Stopped", "Overflow"]),
    ("a text of four thousand million letters", "'a' * 2**32", &["MemoryError", "Stopped", "Overflow"]),
    (
        "a number squared again and again",
        "x = 3\n    while True: x = x * x",
        &["TimeLimit", "Stopped", "MemoryError"],
    ),
    (
        "a number squared and caught",
        "x = 3\n    while True:\n        try: x = x * x\n        except: x = 3",
        &["TimeLimit", "Stopped", "MemoryError"],
    ),
    (
        "a long number as text",
        "str(10**100000)\n    while True: str(10**100000)",
        &["TimeLimit", "ValueError"],
    ),
    ("a text as a long number", "while True: int('9' * 100000)", &["TimeLimit", "ValueError"]),
    ("a power to a long exponent", "pow(3, 10**9)", &["TimeLimit", "Stopped", "MemoryError"]),
    ("a power of a modulus", "pow(3**9999, 3**99999, 10**30000 + 7)", &["TimeLimit", "Stopped"]),
    (
        "a shift of ten thousand million places",
        "1 << 10**10",
        &["MemoryError", "Stopped", "Overflow", "TimeLimit"],
    ),
    (
        "a shift again and again",
        "x = 1\n    while True: x <<= 10**6",
        &["MemoryError", "Stopped", "Overflow", "TimeLimit"],
    ),
    (
        "a wide format",
        "'%1000000000d' % 1",
        &["MemoryError", "Stopped", "ValueError", "Overflow", "TimeLimit"],
    ),
    (
        "a wide format of its own kind",
        "format(1, '1000000000d')",
        &["MemoryError", "Stopped", "ValueError", "Overflow", "TimeLimit"],
    ),
    (
        "a wide f-string",
        "f'{1:>1000000000}'",
        &["MemoryError", "Stopped", "ValueError", "Overflow", "TimeLimit"],
    ),
    ("a list a thousand million times", "[1, 2] * 10**9", &["MemoryError", "Stopped", "Overflow"]),
    (
        "a list that doubles",
        "x = [0]\n    while True: x = x * 2",
        &["MemoryError", "Stopped", "Overflow", "TimeLimit"],
    ),
    (
        "a list that holds itself twice, shown",
        "x = []\n    for i in range(60): x = [x, x]\n    repr(x)",
        &["MemoryError", "Stopped", "TimeLimit", "RecursionError"],
    ),
    (
        "a list that holds itself twice, compared",
        "x, y = [], []\n    for i in range(60): x, y = [x, x], [y, y]\n    x == y",
        &["TimeLimit", "RecursionError"],
    ),
    ("bytes of a thousand million", "bytes(10**9)", &["MemoryError", "Stopped", "Overflow"]),
    (
        "joined again and again",
        "x = 'ab'\n    while True: x = x.join([x] * 9)",
        &["MemoryError", "Stopped", "Overflow", "TimeLimit"],
    ),
    (
        "replaced again and again",
        "x = 'a'\n    while True: x = x.replace('a', 'aa')",
        &["MemoryError", "Stopped", "Overflow", "TimeLimit"],
    ),
    ("a list of ten thousand million", "[0]*10**10", &["MemoryError", "Stopped", "Overflow"]),
    ("many small objects", "x = []\n    while True: x.append([])", &["Stopped", "TimeLimit"]),
    ("deep recursion", "f = lambda g, n: g(g, n + 1)\n    f(f, 0)", &["RecursionError"]),
    (
        "a limit of recursion set high",
        "[c for c in ().__class__.__base__.__subclasses__() if 'Importer' in c.__name__][0].load_module('sys').setrecursionlimit(10**9)",
        &[""],
    ),
    (
        "crafted bytecode",
        "def f(): pass\n    f.__code__ = f.__code__.replace(co_code=b'\\xff' * 64)\n    f()",
        &[""],
    ),
    ("sleeping", "import time\n    time.sleep(100)", &["ModuleNotFoundError"]),
    ("opening a file", "open('/etc/passwd').read()", &["NameError"]),
    ("a socket", "import socket\n    socket.socket()", &["ModuleNotFoundError"]),
    ("forking", "import os\n    os.fork()", &["ModuleNotFoundError"]),
    ("reading the environment", "import posix\n    posix.environ", &["ModuleNotFoundError"]),
    ("importing by hand", "__import__('os').system('true')", &["ModuleNotFoundError"]),
    ("leaving", "raise SystemExit(0)", &["SystemExit"]),
    ("sorting much", "sorted(range(10**8))", &["TimeLimit", "Stopped"]),
    ("adding much", "sum(range(10**9))", &["TimeLimit"]),
    (
        "a string without end",
        "x = 'a'\n    while True: x += x",
        &["MemoryError", "Stopped", "Overflow", "TimeLimit"],
    ),
    ("pieces without end", "while True: JBQ.add_chess(3, (2, 2))", &["MemoryError", "TimeLimit"]),
];

pub fn after_move(lines: &str) -> String {
    format!("def after_move(a, b):\n    {lines}\n")
}

fn faulted(pos: &Jingbanqi, name: &str, says: &[&str]) {
    let fault = pos.fault().unwrap_or_else(|| panic!("{name}: no fault"));
    assert!(says.iter().any(|part| fault.error.contains(part)), "{name}: {fault:?}");
    assert_eq!(fault.file, "x0.py", "{name}: {fault:?}");
    assert_eq!(pos.outcome().map(|outcome| outcome.reason()), Some("extension-failed"), "{name}");
}

#[test]
fn a_hostile_program_costs_its_own_game_and_nothing_else() {
    for (name, lines, says) in PROGRAMS {
        let mut pos = game(&after_move(lines));
        let before = moves(&pos);
        let began = Instant::now();
        play(&mut pos, "4,3-3,3");
        let took = began.elapsed();
        faulted(&pos, name, says);
        assert_eq!(pos.fault().expect("a fault").hook, "after_move", "{name}");
        assert!(took < MOST, "{name} took {took:?}");
        // The ply has not happened, and another game goes on.
        assert!(pos.present(14).is_some() && pos.present(10).is_none(), "{name}: rolled back");
        let mut next = game("");
        assert_eq!(moves(&next), before, "{name}");
        play(&mut next, "4,3-3,3");
        assert_eq!(next.fault(), None, "{name}");
    }
}

#[test]
fn a_hostile_program_may_strike_while_moves_are_listed() {
    let can_go =
        |lines: &str| format!("def check_can_go(can_go, chess, arr):\n    {lines}\n    return can_go\n");
    for (name, lines, says) in [
        ("an endless loop", "while True: pass", &["TimeLimit"][..]),
        ("nothing given back", "return None", &["TypeError"]),
        ("numbers given back", "return [1, 2]", &["TypeError"]),
        ("text given back", "return ['ab']", &["TypeError"]),
        ("lists for squares", "return [[[1, 2]]]", &["TypeError"]),
        ("one number for a square", "return [[(1,)]]", &["TypeError"]),
        ("three numbers for a square", "return [[(1, 2, 3)]]", &["TypeError"]),
        ("a list that never ends", "import itertools", &["ModuleNotFoundError"]),
        (
            "a generator that never ends",
            "def g():\n        while True: yield [arr]\n    return g()",
            &["ValueError", "TimeLimit"],
        ),
        ("memory", "[0] * 10**10", &["MemoryError", "Stopped", "Overflow"]),
    ] {
        let began = Instant::now();
        let pos = game(&can_go(lines));
        faulted(&pos, name, says);
        assert!(began.elapsed() < MOST, "{name}");
        assert!(moves(&pos).is_empty(), "{name}");
    }
}

/// An iteration or a truth test behind a call is limited like the call itself; before, it had the time of the whole
/// ply.
#[test]
fn what_a_hook_gives_back_is_watched_as_the_hook_is() {
    let endless = |name: &str| format!("class E:\n    def {name}(self):\n        while True: pass\n");
    let kept = "def after_move(a, b, e=E()): JBQ.get_chess_by_arr((0, 0)).move = e\n";
    for (name, text, hook) in [
        (
            "a generator",
            "def check_can_go(c, p, a):\n    while True: pass\n    yield c\n".to_owned(),
            "check_can_go",
        ),
        ("a group", endless("__iter__") + "def check_can_go(c, p, a, e=E()): return [e]\n", "check_can_go"),
        (
            "whether a group is empty",
            endless("__bool__") + "def check_can_go(c, p, a, e=E()): return [e]\n",
            "check_can_go",
        ),
        (
            "whether a place holds",
            endless("__bool__") + "loc_rules = {'Q': lambda args, arr, e=E(): e}\n",
            "Q",
        ),
        ("a rule that is kept", endless("__iter__") + kept, "after_move"),
    ] {
        let mut map = small();
        map.kinds[2].rule = jingbanqi::rule::move_rule("2,4,5(Q[1]);").expect("a rule");
        let mut pos = crate::support::game_on(map, &text);
        if pos.fault().is_none() {
            play(&mut pos, "4,3-3,3");
        }
        faulted(&pos, name, &["more than 50 ms"]);
        assert_eq!(pos.fault().expect("a fault").hook, hook, "{name}");
    }
}

#[test]
fn a_hostile_file_is_refused_when_it_is_loaded() {
    let deep = format!("x = {}1{}", "(".repeat(100_000), ")".repeat(100_000));
    for (name, text, says) in [
        ("an endless loop", "while True: pass", "TimeLimit"),
        ("no Python", "def f(:\n  pass", "SyntaxError"),
        ("an error", "x = 1\ny = x.z", "AttributeError"),
        ("an import", "import os", "ModuleNotFoundError"),
        ("memory", "x = [0] * 10**10", "Stopped"),
        ("depth", deep.as_str(), ""),
    ] {
        let began = Instant::now();
        let problems = load(small(), &["", text]).err().unwrap_or_else(|| panic!("{name} was loaded"));
        assert!(began.elapsed() < MOST, "{name}");
        let text = problems[0].arg("text").unwrap_or_default();
        assert!(text.contains(says), "{name}: {problems:?}");
        assert_eq!(problems[0].arg("place"), Some("x1.py"), "{name}: {problems:?}");
        if matches!(name, "no Python" | "an error" | "an import") {
            let line = if name == "an error" { "3" } else { "2" };
            assert_eq!(problems[0].arg("line"), Some(line), "{name}: {problems:?}");
        }
    }
}

#[test]
fn printing_is_silent_and_harmless() {
    let mut pos = game(&after_move("print('x' * 1000, file=None)"));
    play(&mut pos, "4,3-3,3");
    assert_eq!(pos.fault(), None);
}

/// The output of the interpreter is no reply of the worker; before, the text of an uncaught exception that an
/// extension had printed was read as one.
#[test]
fn what_the_interpreter_writes_to_standard_output_is_no_reply() {
    let text = r#"
classes = [object]
for c in classes:
    for s in type.__subclasses__(c):
        if s not in classes:
            classes.append(s)
weak = [c for c in classes if repr(c) == "<class '_frozen_importlib._WeakValueDictionary'>"][0]
sys = weak.__init__.__globals__["sys"]
builtins = sys.modules["builtins"]
import_before = builtins.__import__
builtins.__import__ = lambda *a, s=sys: s
class Forged(Exception):
    def __repr__(self):
        return "load"
def hook(told, forged=Forged):
    raise forged()
sys.unraisablehook = hook
def gone(self, forged=Forged):
    raise forged()
Leaky = type("Leaky", (), {"__del__": gone})
leaky = Leaky()
del leaky
builtins.__import__ = import_before
print("alive")
"#;
    let console = Console::default();
    let sandbox = sandbox().telling(console.clone());
    let loaded = sandbox.load(&Arc::new(Rulebook::new(small(), false)), &[source(text)]);
    assert!(loaded.is_ok(), "{:?}", loaded.err());
    assert_eq!(console.last(9), ["alive"]);
}
