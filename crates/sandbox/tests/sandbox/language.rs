//! Tests of the language that extensions may use, and of the interface of `JBQ` and the pieces.

use crate::support::{game, moves, play};

/// Lines of `after_move` that must hold; after the ply `4,3-3,3` of red's man.
const HOLDS: &[(&str, &str)] = &[
    ("sizes", "assert (JBQ.rl, JBQ.cl, JBQ.turn) == (4, 4, 1) and API is JBQ"),
    ("the mover has moved", "assert JBQ.get_chess_by_arr(b).id == 3 and JBQ.get_chess_by_arr(a) is None"),
    ("arguments are tuples", "assert a == (3, 2) and b == (2, 2) and type(a) is tuple"),
    (
        "steps",
        "assert JBQ.get_arr_by_rd((1, 1), 1, 1) == (0, 0) and JBQ.get_arr_by_rd((1, 1), 8, 2) == (3, 3)",
    ),
    ("steps off the board", "assert JBQ.get_arr_by_rd((0, 0), 2, 1) is None"),
    (
        "steps backwards",
        "assert JBQ.get_arr_by_rd((1, 1), 2, -1) == (2, 1) and JBQ.get_arr_by_rd((1, 1), 2, 0) == (1, 1)",
    ),
    (
        "no such direction",
        "try: JBQ.get_arr_by_rd((1, 1), 9, 1)\n    except KeyError: pass\n    else: assert False",
    ),
    (
        "steps of any number",
        "assert repr(JBQ.get_arr_by_rd((1, 1), 8, 1.5)) == '(2.5, 2.5)' and repr(JBQ.get_arr_by_rd([1, 1], 2.0, True)) == '(0, 1)'\n    assert repr(JBQ.get_arr_by_rd((1.5, 0), 5, 2)) == '(1.5, 2)' and JBQ.get_arr_by_rd((1, 1), 8, 3.0) is None and JBQ.get_arr_by_rd((1, 1), 8, 10**30) is None",
    ),
    (
        "steps from what is no square",
        "x = []\n    for at, r, d in ((None, 9, 1), ((1,), 1, 1), ((1, 1), [], 1), ((1, 1), 1, '2')):\n        try: JBQ.get_arr_by_rd(at, r, d)\n        except Exception as e: x.append(type(e))\n    assert x == [TypeError, IndexError, TypeError, TypeError]",
    ),
    (
        "indexes are whole numbers",
        "x = []\n    for at in ((2.0, 1), (1, None), 5, (10**30, 0), {0: 3}):\n        try: JBQ.get_chess_by_arr(at)\n        except Exception as e: x.append(type(e))\n    assert x == [TypeError, TypeError, TypeError, IndexError, KeyError] and JBQ.get_chess_by_arr({0: 3, 1: 3}).id == 1",
    ),
    (
        "squares from the end",
        "assert JBQ.get_chess_by_arr((-1, -1)).id == 1 and JBQ.get_chess_by_arr([-4, 0]).id == 2",
    ),
    (
        "squares off the board",
        "try: JBQ.get_chess_by_arr((4, 0))\n    except IndexError: pass\n    else: assert False",
    ),
    (
        "where an id stands",
        "assert JBQ.get_chess_arr_by_id(1) == (3, 3) and JBQ.get_chess_arr_by_id(9) is None",
    ),
    ("identity", "assert JBQ.get_chess_by_arr((3, 3)) is JBQ.get_chess_by_arr((3, 3))"),
    ("equality is identity", "assert JBQ.get_chess_by_arr((3, 3)) != JBQ.get_chess_by_arr((0, 0))"),
    ("pieces in sets", "assert len({JBQ.get_chess_by_arr(b), JBQ.get_chess_by_arr(b)}) == 1"),
    (
        "who takes whom",
        "k, m = JBQ.get_chess_by_arr((0, 0)), JBQ.get_chess_by_arr(b)\n    assert JBQ.can_eat(m, k) and not JBQ.can_eat(m, m)",
    ),
    (
        "nobody is asked about a neutral piece's victim",
        "k, n = JBQ.get_chess_by_arr((0, 0)), JBQ.get_chess_by_arr(b)\n    n.belong = 3\n    assert JBQ.can_eat(n, None) is False\n    try: JBQ.can_eat(k, None)\n    except AttributeError: pass\n    else: assert False",
    ),
    (
        "members",
        "c = JBQ.get_chess_by_arr((3, 3))\n    assert (c.id, c.name, c.belong, c.is_captain, c.is_tran) == (1, 'K', 1, True, False)",
    ),
    (
        "rules",
        "c = JBQ.get_chess_by_arr(b)\n    assert c.move == [[(d,) for d in range(1, 9)], []] and c.tran_move == [[], []] and c.tran_con == []",
    ),
    ("the rule now", "assert JBQ.get_chess_by_arr(b).now_move == [[1, 2, 3, 4, 5, 6, 7, 8], []]"),
    (
        "attributes",
        "c = JBQ.get_chess_by_arr(b)\n    assert c.attr == {'power': 3, 'push': '(1, 2)'} and type(c.attr) is dict",
    ),
    (
        "attributes are a piece's own",
        "c = JBQ.get_chess_by_arr(b)\n    c.attr['x'] = 1\n    assert 'x' not in JBQ.get_chess_by_arr((0, 1)).attr",
    ),
    (
        "eval of an attribute",
        "c = JBQ.get_chess_by_arr(b)\n    x, y = eval(c.attr['push'])\n    assert x + y == 3",
    ),
    ("lists of a kind are shared", "c = JBQ.get_chess_by_arr(b)\n    assert c.move is c.move"),
    (
        "attributes of any name",
        "c = JBQ.get_chess_by_arr(b)\n    c.memo = 5\n    assert JBQ.get_chess_by_arr(b).memo == 5\n    JBQ.memo = 6\n    assert API.memo == 6",
    ),
    (
        "a generic list",
        "x = list[list[tuple[int, int]]]()\n    x.append([(1, 2)])\n    assert x == [[(1, 2)]]",
    ),
    (
        "slices and del",
        "x = [1, 2, 3, 4]\n    del x[0]\n    assert x[::-1] == [4, 3, 2] and x[:1] + x[-1:] == [2, 4]",
    ),
    (
        "closures",
        "n = 0\n    def f():\n        nonlocal n\n        n += 1\n        return n\n    f(); f()\n    assert n == 2",
    ),
    (
        "while True",
        "k = 0\n    while True:\n        k += 1\n        if k < 5: continue\n        break\n    assert k == 5",
    ),
    (
        "comprehensions",
        "assert {i: j for i, j in enumerate('ab')} == {0: 'a', 1: 'b'} and sum(x for x in range(4) if x % 2) == 4",
    ),
    ("chains", "assert 0 <= b[0] < JBQ.rl and -1 <= -1 <= 1"),
    ("walrus and conditions", "assert (y := 3) and (1 if y else 2) == 1 and not (y < 2 or y > 4)"),
    (
        "strings",
        "assert '\"炮\"'.strip('\"') == '炮' and f'{3:02d}' == '03' and 'a,b'.split(',') == ['a', 'b']",
    ),
    ("match", "match b:\n        case (2, y): assert y == 2\n        case _: assert False"),
    (
        "try and finally",
        "x = []\n    try:\n        try: 1 // 0\n        finally: x.append(1)\n    except ZeroDivisionError as e: x.append(2)\n    assert x == [1, 2]",
    ),
    ("generators", "def g():\n        yield 1\n        yield from (2, 3)\n    assert list(g()) == [1, 2, 3]"),
    (
        "sorting and lambdas",
        "assert sorted([(1, 'b'), (0, 'a')], key=lambda p: p[1]) == [(0, 'a'), (1, 'b')]",
    ),
    ("sets", "assert {1, 2} & {2, 3} == {2} and frozenset([1]) | {4} == {1, 4}"),
    ("what a file defines is not seen", "try: helper\n    except NameError: pass\n    else: assert False"),
    (
        "math",
        "import math\n    from math import floor, pi\n    assert math.sqrt(16) == 4 and floor(2.7) == 2 and math.gcd(12, 18) == 6 and 3.1 < pi < 3.2 and math.isqrt(99) == 9 and math.hypot(3, 4) == 5 and math.ceil(-1.5) == -1",
    ),
    (
        "math raises as it does",
        "import math\n    try: math.sqrt(-1)\n    except ValueError: pass\n    else: assert False",
    ),
    (
        "random begun by a number gives Python's own",
        "import random\n    random.seed(42)\n    assert [random.randint(1, 6) for _ in range(5)] == [6, 1, 1, 6, 3] and random.random() == 0.24489185380347622",
    ),
    (
        "random of the game",
        "import random\n    x = [1, 2, 3]\n    random.shuffle(x)\n    assert sorted(x) == [1, 2, 3] and random.choice(x) in x",
    ),
    (
        "an import says which module there is not",
        "try: import numpy\n    except ImportError as e: assert str(e) == \"No module named 'numpy'\"\n    else: assert False",
    ),
    (
        "id tells apart",
        "c = JBQ.get_chess_by_arr(b)\n    assert id(c) == id(JBQ.get_chess_by_arr(b)) != id(JBQ.get_chess_by_arr((0, 0))) and id([]) != id(c)",
    ),
    (
        "the table of pieces as the original keeps it",
        "d = JBQ.map_data\n    assert [c[:3] for c in d.chesses] == [['K', 1, True], ['k', 2, True], ['M', 1, False], ['m', 2, False]]\n    assert len(d.chesses[2][3][0]) == 8 and d.chesses[2][4:6] == [[], [[], []]] and d.chesses[2][6]['power'] == 3\n    assert d.chesses[2][3] is JBQ.get_chess_by_arr(b).move and d.map[3][2] == 3 and d.map[1] == [None] * 4\n    assert d.rules == {'tran': True, 'back': True, 'restrict_move_ne': False}",
    ),
    (
        "the map's data",
        "d = JBQ.map_data\n    assert d.rl == 4 and d.chessboard[b[0]][b[1]] is JBQ.get_chess_by_arr(b) and d.chessboard[a[0]][a[1]] is None and d.red_move_ne == 0",
    ),
    (
        "scopes in element and condition",
        "g = [[1, 2], [0], [3]]\n    assert [[p * 2 for p in x] for x in g if any(s for s in x)] == [[2, 4], [6]] and {k: [v for v in g[k]] for k in range(3) if all(v for v in g[k])} == {0: [1, 2], 2: [3]} and [(lambda: x)() for x in g if (lambda: len(x))() > 1] == [[1, 2]]",
    ),
    (
        "scopes on both sides of an assignment",
        "x = [0, 0, 0]\n    x[max(i for i in (0, 1))] = sum(j for j in (3, 4))\n    assert x == [0, 7, 0]",
    ),
    (
        "comprehensions in finally",
        "x = []\n    try: pass\n    finally: x = [[i for i in j] for j in [(1,), (2, 3)] if any(k for k in j)]\n    assert x == [[1], [2, 3]]",
    ),
    (
        "a lambda's default in finally",
        "x = []\n    try: pass\n    finally:\n        f = lambda q=[i for i in (1, 2) if any(k for k in (i,) if b)]: q\n        x = f()\n    assert x == [1, 2]",
    ),
    (
        "a function's default in finally",
        "x = []\n    try: pass\n    finally:\n        def g(q=[[i for i in j] for j in [(3,)] if any(k for k in j)]): return q\n        x = g()\n    assert x == [[3]]",
    ),
    (
        "a decorator in finally",
        "x = []\n    try: pass\n    finally:\n        @(lambda made, q=[i for i in (4,)]: q)\n        def h(): pass\n        x = h\n    assert x == [4]",
    ),
    (
        "a class's decorator in finally",
        "x = []\n    try: pass\n    finally:\n        @(lambda made, q=[i for i in (4,)]: [q, made.y])\n        class h: y = [i for i in (5,)]\n        x = h\n    assert x == [[4], [5]]",
    ),
    (
        "a comprehension as a class's decorator in finally",
        "x = []\n    try: pass\n    finally:\n        @[f for f in (lambda made: made.y,) if any(k for k in (1,))][0]\n        class h: y = [[i for i in j] for j in [(5,)] if any(k for k in j)]\n        x = h\n    assert x == [[5]]",
    ),
    (
        "decorators of a class in a class",
        "class K:\n        @(lambda made, q=[i for i in (1,)]: (made, q))\n        @(lambda made, q=lambda: 2: (made.y, q()))\n        class L(*[i for i in (int,)]): y = [i for i in (3,)]\n    assert K.L == (([3], 2), [1]) and [n for n in vars(K) if n[0] != '_'] == ['L']",
    ),
    (
        "a way out of a loop in try",
        "x = []\n    try:\n        for i in (1, 2):\n            if i == 2: break\n            x.append(i)\n    finally: x += [j for j in (5,)]\n    assert x == [1, 5]",
    ),
    (
        "a class in finally",
        "x = []\n    try: pass\n    finally:\n        class h(*[i for i in (int,)]): y = 1\n        x = h.y\n    assert x == 1",
    ),
    (
        "what fails in a comprehension leaves a name that a function sees",
        "x = 4\n    try: [0 for x in (1,) if any(2 for y in 0)]\n    except TypeError: pass\n    def f(): return x\n    assert x == 4 and f() == 4",
    ),
    (
        "what fails in a comprehension leaves a name that a generator sees",
        "x = 4\n    try: [0 for x in (1,) if any(2 for y in 0)]\n    except TypeError: pass\n    assert x == 4 and list(x for y in (1, 2)) == [4, 4]",
    ),
    (
        "what fails in a comprehension leaves a name that a comprehension sees",
        "x = 4\n    try: {x: 0 for x in (1,) if any(2 for y in 0)}\n    except TypeError: pass\n    assert x == 4 and [x for y in (1, 2)] == [4, 4]",
    ),
    (
        "what fails in a comprehension leaves a name that only it sees",
        "x = 4\n    try: [1 // (y - y) for x in (1,) for y in [x, 2] if any(x == y for z in (1,))]\n    except ZeroDivisionError: pass\n    assert x == 4",
    ),
    (
        "a function in a comprehension that fails",
        "x = 4\n    try: [(lambda: x)() // 0 for x in (1,)]\n    except ZeroDivisionError: pass\n    assert x == 4",
    ),
    ("a lone carriage return ends a line", "x = 1\r    x += 1\r\n    assert x == 2"),
    ("no imports", "try: import os\n    except ImportError: pass\n    else: assert False"),
    ("the same hashes everywhere", "assert hash('abc') == hash('ab' + 'c')"),
];

#[test]
fn what_extensions_say_and_see() {
    for (name, lines) in HOLDS {
        let mut pos = game(&format!("helper = 1\ndef after_move(a, b):\n    {lines}\n"));
        play(&mut pos, "4,3-3,3");
        assert_eq!(pos.fault(), None, "{name}");
    }
}

#[test]
fn squares_are_compared_as_numbers() {
    let pos = game(
        "def check_can_go(c, p, a):\n    return [[(2.0, True), (2.5, 1), (1e300, 1), (10**30, 0), (-1, 0)]] if a == (3, 2) else []\n",
    );
    assert_eq!((pos.fault(), moves(&pos)), (None, vec!["4,3-3,2".to_owned()]));
}

/// Lines of `after_move` on red's first ply, and the board afterwards: ids with `+`, `.` for vacant.
const DOES: &[(&str, &str, &str)] = &[
    ("adds a piece", "JBQ.add_chess(4, (1, 3))", "2 4 . . . . . 4 . . 3 . . . . 1"),
    ("puts one where another stood", "JBQ.add_chess(4, (3, 3))", "2 4 . . . . . . . . 3 . . . . 4"),
    ("moves a piece", "JBQ.move((0, 1), (1, 1))", "2 . . . . 4 . . . . 3 . . . . 1"),
    ("moves from the end", "JBQ.move((0, 1), (-3, -3))", "2 . . . . 4 . . . . 3 . . . . 1"),
    ("moves nothing onto a piece", "JBQ.move((1, 1), (0, 1))", "2 . . . . . . . . . 3 . . . . 1"),
    ("promotes", "JBQ.get_chess_by_arr(b).is_tran = True", "2 4 . . . . . . . . 3+ . . . . 1"),
    ("changes an id", "JBQ.get_chess_by_arr(b).id = 4", "2 4 . . . . . . . . 4 . . . . 1"),
    (
        "promotes by a place that it wrote",
        "JBQ.get_chess_by_arr((0, 1)).tran_con = [('X', 1)]\n    JBQ.move((2, 2), (2, 2))",
        "2 4+ . . . . . . . . 3 . . . . 1",
    ),
];

/// Files that fail: the call, then hook, line and the beginning of the error.
const FAILS: &[(&str, &str, &str, u32, &str)] = &[
    (
        "raised deep inside",
        "def after_move(a, b):\n    def f():\n        return [][1]\n    f()\n",
        "after_move",
        4,
        "IndexError",
    ),
    ("no value", "def check_can_go(c, p, a):\n    pass\n", "check_can_go", 2, "TypeError"),
    ("no squares", "x = 1\ndef check_can_go(c, p, a):\n    return [[1]]\n", "check_can_go", 3, "TypeError"),
    (
        "too late",
        "def after_move(a, b):\n    x = 1\n    while x:\n        x += 1\n",
        "after_move",
        0,
        "TimeLimit",
    ),
    (
        "too late in one call",
        "def after_move(a, b):\n    x = 1\n    sum(range(10**9))\n",
        "after_move",
        4,
        "TimeLimit",
    ),
    ("no memory", "def after_move(a, b):\n    x = []\n    y = [0] * 10**9\n", "after_move", 4, ""),
    (
        "a text that loops",
        "class E(Exception):\n    def __str__(self):\n        while True: pass\ndef after_move(a, b, E=E):\n    raise E\n",
        "after_move",
        0,
        "TimeLimit",
    ),
];

#[test]
fn a_failure_says_where() {
    for (name, text, hook, line, says) in FAILS {
        let mut pos = game(text);
        if pos.fault().is_none() {
            play(&mut pos, "4,3-3,3");
        }
        let fault = pos.fault().unwrap_or_else(|| panic!("{name}: no fault"));
        assert_eq!((fault.file.as_str(), fault.hook.as_str()), ("x0.py", *hook), "{name}: {fault:?}");
        // 0: one of several lines.
        assert!(fault.line.is_some_and(|at| *line == 0 || at == *line), "{name}: {fault:?}");
        assert!(fault.error.starts_with(says), "{name}: {fault:?}");
    }
}

/// Files that are refused, and the line.
const REFUSED: &[(&str, &str, u32)] = &[
    ("x = 1\ncheck_can_go = 5\n", "check_can_go", 3),
    ("loc_rules = [1]\n", "loc_rules", 2),
    ("x = 1\nwhile True: x += 1\n", "TimeLimit", 3),
    ("x = 1\nx.y\n", "AttributeError", 3),
    ("EX_NAME = None\n", "EX_NAME", 2),
    // What the compiler would get wrong is refused in plain words.
    (
        "def f():\n    try: return 1\n    finally: [i for i in (2,)]\n",
        "move the function or comprehension in this finally before the try",
        4,
    ),
    (
        "for x in (1, 2):\n    try:\n        while x: break\n        else: continue\n    finally: f = lambda: 2\n",
        "move the function or comprehension in this finally before the try",
        6,
    ),
    (
        "@(lambda f: f)\ndef f(a: [i for i in (1,)] = (lambda: 2)): pass\n",
        "write this annotation without an inner function or comprehension",
        3,
    ),
    (
        "l = [0]\nl[sum(i for i in (0,))]: int = [j for j in (1,)]\n",
        "write this annotation without an inner function or comprehension",
        3,
    ),
    (
        "[(y := sum(i for i in (1,))) for x in (1,) if sum(j for j in (1,))]\n",
        "write this comprehension as a loop",
        2,
    ),
];

#[test]
fn a_refused_file_says_where() {
    for (text, says, line) in REFUSED {
        let problems =
            crate::support::load(crate::support::small(), &[text]).map(|_| ()).expect_err("refused");
        let problem = &problems[0];
        let said = problem.arg("text").unwrap_or_default();
        // Where the machine has much else to do the other clock strikes first.
        let late = *says == "TimeLimit" && said.contains("took too long");
        assert!(late || said.contains(says), "{text}: {problem:?}");
        let at = problem.arg("line").unwrap_or_default();
        assert!(at == line.to_string() || (*says == "EX_NAME" && at == "1"), "{text}: {problem:?}");
    }
}

#[test]
fn an_extension_may_end_the_game_while_it_is_asked() {
    use kernel::{Outcome, Position, Side};
    let pos = game("def check_can_go(c, p, a):\n    JBQ.win(2)\n    return c\n");
    assert_eq!((pos.fault(), pos.outcome()), (None, Some(Outcome::Win(Side::Second, "extension-win"))));
    assert!(moves(&pos).is_empty());
    // What it moves then is back where it was.
    let mut pos =
        game("def check_can_go(c, p, a):\n    if a == (3, 2): JBQ.move((3, 2), (2, 2))\n    return c\n");
    assert_eq!(pos.fault(), None);
    assert!(pos.present(14).is_some() && !moves(&pos).is_empty());
    play(&mut pos, "4,3-3,3");
    assert_eq!(pos.fault(), None);
}

#[test]
fn what_extensions_do() {
    for (name, lines, board) in DOES {
        let mut pos = game(&format!("def after_move(a, b):\n    if JBQ.turn != 1: return\n    {lines}\n"));
        play(&mut pos, "4,3-3,3");
        assert_eq!(pos.fault(), None, "{name}");
        let text = |at: u16| match pos.present(at) {
            None => ".".to_owned(),
            Some(piece) => format!("{}{}", piece.id, if piece.promoted { "+" } else { "" }),
        };
        assert_eq!((0..16).map(text).collect::<Vec<_>>().join(" "), *board, "{name}");
    }
}

/// Lines of `after_move` about red's man on 3,3, and the moves of blue's man on 1,2 and of red's after blue's reply.
const RULES: &[(&str, &str, &[&str])] = &[
    ("a rule assigned", "c.move = [[(2,)], []]", &["3,3-2,3"]),
    ("a rule changed in place", "c.move[0][:] = [(7,)]", &["3,3-4,3"]),
    ("a rule with a place", "c.move = [[(2, [('X', 3)]), (4, [('X', 1)]), (5, [])], []]", &["3,3-2,3"]),
    ("a rule by eval", "c.move = c.tran_move = eval('[[], [(4,)]]')", &["3,3-3,1", "3,3-3,2"]),
    (
        "a rule kept in an attribute",
        "c.attr['f'], c.move = c.move, [[], []]\n    c.move = c.attr['f'][:1] + [[]]\n    c.move[0] = [(2,)]",
        &["3,3-2,3"],
    ),
    ("promoted rules", "c.is_tran = True", &[]),
    ("another owner", "c.belong = 2", &[]),
];

#[test]
fn rules_are_obeyed_at_once() {
    for (name, lines, wanted) in RULES {
        let mut pos = game(&format!(
            "def after_move(a, b):\n    if JBQ.turn != 1: return\n    c = JBQ.get_chess_by_arr(b)\n    {lines}\n"
        ));
        play(&mut pos, "4,3-3,3");
        assert_eq!(pos.fault(), None, "{name}");
        play(&mut pos, "1,1-2,1");
        let mine: Vec<String> = moves(&pos).into_iter().filter(|m| m.starts_with("3,3-")).collect();
        assert_eq!(mine, *wanted, "{name}");
    }
}

#[test]
fn what_is_no_rule_is_a_fault() {
    for (name, lines, says) in [
        ("one section", "c.move = [[(2,)]]", "IndexError"),
        ("no list", "c.move = 5", "TypeError"),
        ("no direction", "c.move = [[(9,)], []]", "KeyError"),
        ("no number", "c.move = [[('a',)], []]", "TypeError"),
    ] {
        let mut pos = game(&format!(
            "def after_move(a, b):\n    if JBQ.turn != 1: return\n    c = JBQ.get_chess_by_arr(b)\n    {lines}\n"
        ));
        play(&mut pos, "4,3-3,3");
        play(&mut pos, "1,1-2,1");
        let fault = pos.fault().unwrap_or_else(|| panic!("{name}: no fault"));
        assert!(fault.error.starts_with(says), "{name}: {fault:?}");
    }
}

#[test]
fn games_end_by_an_extensions_word() {
    use kernel::{Outcome, Position, Side};
    for (lines, outcome) in [
        ("JBQ.win(1)", Outcome::Win(Side::First, "extension-win")),
        ("JBQ.win(2)", Outcome::Win(Side::Second, "extension-win")),
        ("JBQ.stalemate()", Outcome::Draw("extension-draw")),
        ("JBQ.win(1)\n    JBQ.stalemate()", Outcome::Draw("extension-draw")),
        ("JBQ.move((3, 3), (0, 0))", Outcome::Win(Side::First, "captain-taken")),
    ] {
        let mut pos = game(&format!("def after_move(a, b):\n    {lines}\n"));
        play(&mut pos, "4,3-3,3");
        assert_eq!(pos.outcome(), Some(outcome), "{lines}");
        assert!(moves(&pos).is_empty(), "{lines}");
    }
}

#[test]
fn the_last_extension_supplies_a_place_and_is_asked_after_the_rules_own() {
    use jingbanqi::Jingbanqi;
    use jingbanqi::rule::move_rule;
    let mut map = crate::support::small();
    map.kinds[2].rule = move_rule("2(Q[1]),4(X[1]),5(X[4]),7(NO[1]);").expect("a rule");
    let first =
        "loc_rules = {'Q': lambda args, arr: False, 'X': lambda args, arr: args == (1,) and arr == (3, 2)}";
    let second = "class K:\n    def q(self, args, arr): return args[0] == 1\nk = K()\nloc_rules = {'Q': k.q}";
    let (book, extensions) = crate::support::load(map, &[first, second]).expect("both load");
    let pos = Jingbanqi::with_extensions(book, extensions);
    let mine: Vec<String> = moves(&pos).into_iter().filter(|m| m.starts_with("4,3-")).collect();
    assert_eq!(mine, ["4,3-3,3", "4,3-4,2"], "4,3-4,4 holds red's own king");
}

#[test]
fn a_game_is_the_same_with_the_same_random_numbers_and_another_with_others() {
    use jingbanqi::extension::Loader as _;
    use jingbanqi::{Jingbanqi, Rulebook};
    use std::sync::Arc;
    let text =
        "def after_move(a, b):\n    import random\n    JBQ.get_chess_by_arr(b).name = str(random.random())\n";
    let names = |seed: u128| {
        let book = Arc::new(Rulebook::new(crate::support::small(), false).with_seed(seed));
        let extensions = crate::support::sandbox().load(&book, &[crate::support::source(text)]);
        let mut pos = Jingbanqi::with_extensions(book, extensions.expect("it loads"));
        play(&mut pos, "4,3-3,3");
        let earlier = pos.clone();
        play(&mut pos, "1,1-2,1");
        // Another move from the same place goes on with the same numbers.
        let mut other = earlier;
        play(&mut other, "1,2-2,2");
        let name = |pos: &Jingbanqi, at: u16| pos.present(at).and_then(|piece| piece.name);
        [name(&pos, 10), name(&pos, 4), name(&other, 5)].map(|name| name.expect("it is named"))
    };
    let (once, again, other) = (names(5), names(5), names(6));
    assert_eq!(once, again);
    assert_eq!(once[1], once[2]);
    assert!(once[0] != once[1] && once[0] != other[0], "{once:?} {other:?}");
}

/// A position text with more than two neutral moves in a row is read back, since moves of extensions count too.
#[test]
fn a_position_text_has_neutral_moves_of_extensions() {
    use kernel::Notation as _;
    let mut map = crate::support::small();
    map.kinds.push(crate::support::kind("S", None, false));
    map.start[5] = 5;
    map.neutral_limit = true;
    let text = "def after_move(a, b):\n    for x, y in ((b, a), (a, b)): JBQ.move(x, y)\n";
    let mut pos = crate::support::game_on(map, text);
    play(&mut pos, "2,2-2,3");
    let fen = pos.fen();
    assert_eq!(fen, "2,4,.2/.2,5,./.4/.2,3,1 b 3,0 -");
    let again = pos.read_fen(&fen).expect("it is read back");
    assert_eq!((again.fen(), again.neutral(), moves(&again)), (fen, [3, 0], moves(&pos)));
    for text in ["2,4,.2/.2,5,./.4/.2,3,1 b 3,-1 -", "2,4,.2/.2,5,./.4/.2,3,1 b 4294967296,0 -"] {
        assert_eq!(pos.read_fen(text).expect_err("no count").key, "jingbanqi-fen-neutral");
    }
}
