//! Tests of the memory of extensions, which follows the line of moves: taken back, replayed, with or without prints.

use kernel::{Game, Notation, Position};

use crate::support::{game, moves, play};

/// Ways to remember the number of plies; each shows it in the name of red's king, and forbids the last column unless
/// the number is even.
const REMEMBERS: &[(&str, &str)] = &[
    (
        "an instance",
        "class C:\n    def __init__(self): self.n = 0\n    def after_move(self, a, b):\n        self.n += 1\n        JBQ.get_chess_by_arr((3, 3)).name = str(self.n)\n    def check_can_go(self, c, p, a): return [g for g in c if self.n % 2 == 0 or g[-1][1] < 3]\nk = C()\nafter_move = k.after_move\ncheck_can_go = k.check_can_go\n",
    ),
    (
        "a closure",
        "def make():\n    n = 0\n    def after(a, b):\n        nonlocal n\n        n += 1\n        JBQ.get_chess_by_arr((3, 3)).name = str(n)\n    def can(c, p, a): return [g for g in c if n % 2 == 0 or g[-1][1] < 3]\n    return after, can\nafter_move, check_can_go = make()\n",
    ),
    (
        "a global",
        "def after_move(a, b):\n    global n\n    n = JBQ.n = getattr(JBQ, 'n', 0) + 1\n    JBQ.get_chess_by_arr((3, 3)).name = str(n)\ndef check_can_go(c, p, a): return [g for g in c if getattr(JBQ, 'n', 0) % 2 == 0 or g[-1][1] < 3]\n",
    ),
    (
        "a default argument",
        "def after_move(a, b, s=[]):\n    s.append(a)\n    JBQ.seen = s\n    JBQ.get_chess_by_arr((3, 3)).name = str(len(s))\ndef check_can_go(c, p, a): return [g for g in c if len(getattr(JBQ, 'seen', [])) % 2 == 0 or g[-1][1] < 3]\n",
    ),
    (
        "a piece's attribute",
        "def after_move(a, b):\n    k = JBQ.get_chess_by_arr((3, 3))\n    k.attr['n'] = k.attr.get('n', 0) + 1\n    k.name = str(k.attr['n'])\ndef check_can_go(c, p, a): return [g for g in c if JBQ.get_chess_by_arr((3, 3)).attr.get('n', 0) % 2 == 0 or g[-1][1] < 3]\n",
    ),
    (
        "a class",
        "class C:\n    n = 0\ndef make(C):\n    def after(a, b):\n        C.n += 1\n        JBQ.get_chess_by_arr((3, 3)).name = str(C.n)\n    def can(c, p, a): return [g for g in c if C.n % 2 == 0 or g[-1][1] < 3]\n    return after, can\nafter_move, check_can_go = make(C)\n",
    ),
    (
        "sets, tuples and bytes",
        "def make():\n    s, d, y = set(), {'k': (1, [])}, bytearray(b'')\n    def after(a, b):\n        s.add(len(s)); d['k'][1].append(1); y.append(1)\n        assert len(s) == len(d['k'][1]) == len(y)\n        JBQ.get_chess_by_arr((3, 3)).name = str(len(s))\n    def can(c, p, a): return [g for g in c if len(y) % 2 == 0 or g[-1][1] < 3]\n    return after, can\nafter_move, check_can_go = make()\n",
    ),
    (
        "a generator, which cannot be saved",
        "def make():\n    def count():\n        n = 0\n        while True:\n            n += 1\n            yield n\n    g, last = count(), [0]\n    def after(a, b):\n        last[0] = next(g)\n        JBQ.get_chess_by_arr((3, 3)).name = str(last[0])\n    def can(c, p, a): return [x for x in c if last[0] % 2 == 0 or x[-1][1] < 3]\n    return after, can\nafter_move, check_can_go = make()\n",
    ),
    (
        "rules of a kind",
        "def after_move(a, b):\n    k = JBQ.get_chess_by_arr((3, 3))\n    k.tran_con.append(('N', 1))\n    k.name = str(len(k.tran_con))\ndef check_can_go(c, p, a): return [g for g in c if len(JBQ.get_chess_by_arr((3, 3)).tran_con) % 2 == 0 or g[-1][1] < 3]\n",
    ),
];

const LINE: [&str; 6] = ["4,3-3,3", "1,1-2,1", "3,3-2,3", "1,2-1,3", "2,3-3,3", "2,1-3,1"];

#[test]
fn taking_back_takes_back_what_extensions_remember() {
    for (name, text) in REMEMBERS {
        let mut game = Game::new(game(text));
        let mut seen = Vec::new();
        let state = |game: &Game<jingbanqi::Jingbanqi>| {
            let pos = game.position();
            let called = pos.present(15).and_then(|piece| piece.name);
            assert_eq!(pos.fault(), None, "{name}");
            (pos.fen(), called, moves(pos))
        };
        let step = |game: &mut Game<jingbanqi::Jingbanqi>, text: &str| {
            let m = game.position().read_move(text).unwrap_or_else(|| panic!("{name}: {text}"));
            game.play(m);
        };
        for text in LINE {
            seen.push(state(&game));
            step(&mut game, text);
        }
        seen.push(state(&game));
        assert_eq!(seen[6].1.as_deref(), Some("6"), "{name}");
        for back in [1, 3, 6] {
            (0..back).for_each(|_| assert!(game.undo().is_some()));
            for (ply, text) in LINE.iter().enumerate().skip(6 - back) {
                assert_eq!(state(&game), seen[ply], "{name}: back {back}, ply {ply}");
                let _ = game.position().details();
                step(&mut game, text);
            }
            assert_eq!(state(&game), seen[6], "{name}");
        }
        // Another branch does not disturb this one.
        (0..2).for_each(|_| assert!(game.undo().is_some()));
        let mut branch = game.clone();
        step(&mut branch, "4,4-4,3");
        step(&mut game, LINE[4]);
        step(&mut game, LINE[5]);
        assert_eq!(state(&game), seen[6], "{name}");
    }
}

#[test]
fn telling_leaves_no_trace() {
    // Every look at the moves is counted, and counts are for nothing: a line of moves is all that decides.
    let text = "def make():\n    n = [0]\n    def can(c, p, a):\n        n[0] += 1\n        return c\n    def after(a, b):\n        JBQ.get_chess_by_arr((3, 3)).name = str(n[0])\n    return can, after\ncheck_can_go, after_move = make()\n";
    let mut quiet = game(text);
    let mut asked = game(text);
    for (ply, m) in LINE.iter().enumerate() {
        (0..ply).for_each(|_| drop((asked.details(), asked.checks())));
        play(&mut quiet, m);
        play(&mut asked, m);
        assert_eq!(quiet.present(15), asked.present(15), "{ply}");
        assert_eq!(quiet.present(15).and_then(|piece| piece.name).as_deref(), Some("0"), "{ply}");
    }
}

#[test]
fn a_failed_ply_has_not_happened() {
    use kernel::Outcome;
    let text = "def after_move(a, b):\n    JBQ.add_chess(4, (1, 1))\n    JBQ.get_chess_by_arr((3, 3)).attr['x'] = 1\n    x = None\n    if b == (1, 2): x.y\n";
    let mut pos = game(text);
    play(&mut pos, "4,3-3,3");
    play(&mut pos, "1,1-1,1".replace("1,1-1,1", "1,2-1,3").as_str());
    let before = pos.fen();
    play(&mut pos, "3,3-2,3");
    assert_eq!(pos.outcome(), Some(Outcome::Void("extension-failed")));
    let fault = pos.fault().expect("a fault");
    assert_eq!(
        (fault.file.as_str(), fault.hook.as_str(), fault.line),
        ("x0.py", "after_move", Some(6)),
        "{fault:?}"
    );
    assert!(fault.error.starts_with("AttributeError"), "{fault:?}");
    let board = |fen: &str| fen.split(' ').next().map(str::to_owned);
    assert_eq!(board(&pos.fen()), board(&before));
}
