//! Tests that functions run without the interpreter give its results: random games are played both ways.

use jingbanqi::extension::Source;
use jingbanqi::rule::{move_rule, place_rule};
use jingbanqi::{Map, Rulebook};

use crate::support::{kind, sandbox, small, source};

/// Plays random games with and without the interpreter. Returns the share of calls that did not need it, in percent.
pub fn both(map: Map, sources: &[Source], name: &str) -> u64 {
    let book = Rulebook::new(map, false);
    let play = |quick| {
        let played = sandbox().playouts(&book, sources, (7, 400, 60), quick);
        played.unwrap_or_else(|fault| panic!("{name}: {fault:?}")).0
    };
    let (slow, quick) = (play(false), play(true));
    let told = |played: &sandbox::message::Played| {
        (played.plies, played.games, played.moves, played.faults, played.digest)
    };
    assert_eq!(told(&slow), told(&quick), "{name}");
    assert_eq!(slow.asked[1], 0, "{name}");
    quick.asked[1] * 100 / quick.asked[0].max(1)
}

/// A function that gathers numbers and lets them decide which moves there are, so that no difference stays hidden.
pub fn gathering(lines: &str) -> Vec<Source> {
    let lines = lines.replace('\n', "\n    ");
    let text = format!(
        "def check_can_go(can_go, chess, arr):\n    vals = []\n    {lines}\n    h = arr[0] * 7 + arr[1]\n    for v in vals:\n        h = (h * 31 + v) % 1009\n    return [g for i, g in enumerate(can_go) if (h // (i + 1)) % 3 != 0] + [[(h % 4, h // 4 % 4)]]\n"
    );
    vec![source(&text)]
}

/// Lines, and whether they must run without the interpreter.
const LINES: &[(&str, bool)] = &[
    (
        "l = [1, 2, 3, 4, 5]\nvals += l[1:3] + l[::-1] + l[-2:] + l[:10:2] + list((7, 8, 9)[1:]) + l[5:0:-2]",
        true,
    ),
    (
        "l = [3, 1]\nl.insert(-1, 4)\nl.insert(99, 5)\nl.insert(-9, 6)\nvals.append(l.pop())\nvals.append(l.pop(0))\nl.remove(1)\nl.extend((8, 9))\nl.reverse()\nm = l.copy()\nm.clear()\nvals += l\nvals += [len(m), l.index(8), l.count(4)]",
        true,
    ),
    (
        "vals += [1 < 2 < 3, 3 > 2 > 2, arr in [(0, 0), (1, 2)], 2 not in (1, 2), chess is None, None is None]",
        true,
    ),
    (
        "for i, g in enumerate(can_go):\n    if len(g) >= 1 and g[0][0] > 1:\n        can_go[i] = [g[-1], (0, 0)]\nvals.append(len(can_go))",
        true,
    ),
    (
        "k = 0\nwhile True:\n    k += 1\n    if k % 2: continue\n    if k > 9: break\n    vals.append(k)\nelse:\n    vals.append(-1)\nfor i in range(3): pass\nelse: vals.append(i)",
        true,
    ),
    (
        "def add(a, b=arr[0]):\n    def inner(c): return a + b + c\n    return inner\nf = lambda n: 1 if n < 2 else n * f(n - 1)\nvals += [add(1)(2), add(1, 5)(2), f(5)]\narr0 = arr[1]\ng = lambda: arr0\narr0 = 3\nvals.append(g())",
        true,
    ),
    (
        "vals.append(chess.attr.get('power', 0))\nvals += eval(chess.attr['push'])\nvals += ['power' in chess.attr, chess.attr.get('no') is None, len(chess.attr)]",
        true,
    ),
    (
        "vals.append(sum(len(s) for s in chess.now_move))\nvals += chess.now_move[0][:2]\nfor d in chess.now_move[0]:\n    a = JBQ.get_arr_by_rd(arr, d, 2)\n    if a: vals.append(a[0] * 4 + a[1])",
        true,
    ),
    (
        "for i in range(JBQ.rl):\n    for j in range(JBQ.cl):\n        c = JBQ.get_chess_by_arr((i, j))\n        if c:\n            vals += [c.id, c.belong, c.is_captain, c.is_tran, c.name == 'K', JBQ.can_eat(chess, c), c == chess]\nvals.append(JBQ.turn)",
        true,
    ),
    (
        "vals += [-7 // 2, -7 % 3, 7 // 2, True + 1, abs(-4), min(3, 1), max([2, 9, 4]), sum([1, 2]), any([0, 1]), all([])]",
        true,
    ),
    ("vals += [7 // -2, 7 % -3, 2 ** 5, 1 << 3, ~4]", false),
    ("vals += [int(7 / 2), 2.0 == 2, int(2.5 * 2), 1.5 < 2, int(-0.5)]", true),
    (
        "a = [[0]] * 2\na[0].append(1)\nvals.append(len(a[1]))\nb = [1] * 3 + [2]\nvals += b\nvals += [0] * -1",
        true,
    ),
    (
        "vals += [(1, 2) + (3,) == (1, 2, 3), (1, 2) < (1, 3), (1, 2) == (1, 2), (1, 2) != [1, 2], len((1, 2) + ()), (2,)[0]]",
        true,
    ),
    (
        "(a, (b, c)) = (1, (2, 3))\na, b = b, a\n[d, e] = [a, c]\nfor (p, q) in [(1, 2), (3, 4)]: vals += [p, q]\nvals += [a, b, c, d, e]\nx = y = []\nx.append(1)\nvals.append(len(y))",
        true,
    ),
    (
        "r = list[tuple[int, int]]()\nr.append(arr)\ns: list[int] = list[int]((4, 5))\nvals += s + [len(r)]",
        true,
    ),
    ("x = 5\nl = [x * y for x in range(3) for y in (1, 2) if x != y]\nvals += l + [x]", true),
    ("vals += [0 or 3, 2 and 4, (None or [6])[0], 1 if arr[0] > 1 else 2, not [], not 0]", true),
    (
        "a = [1]\nb = a\na += [2]\na = a + [3]\nvals += [len(a), len(b)]\nm = [[1, 2], [3]]\nm[0][1] += 5\nm[-1] += [9]\nvals += m[0] + m[1]",
        true,
    ),
    (
        "l = [1, 2, 3, 4]\nfor v in l:\n    vals.append(v)\n    if v == 2: del l[0]\ndel l[-1]\nvals += l",
        true,
    ),
    (
        "vals += [a * b for a, b in zip([1, 2, 3], range(4, 0, -1))]\nvals += list(reversed([1, 2, 3])) + list(range(9, 0, -4))\ne = enumerate([5, 6], 3)\nfor i, v in e: vals += [i, v]",
        true,
    ),
    ("try:\n    vals.append(1)\nexcept KeyError:\n    vals.append(2)\nelse:\n    vals.append(3)", true),
    (
        "try:\n    vals.append([1][9])\nexcept IndexError:\n    vals.append(2)\nfinally:\n    vals.append(4)",
        false,
    ),
    ("e = enumerate([5, 6, 7])\nfor i, v in e: break\nfor i, v in e: vals += [i, v]", false),
    (
        "d = {'a': 1}\ns = {1, 2}\nvals += [d['a'], len(s)]\nvals.append(len('ab' + chess.name))\nvals.append(len(f'{arr}'))",
        false,
    ),
    (
        "c = JBQ.get_chess_by_arr((-1, -1))\nvals.append(c.id if c else 9)\nq = JBQ.get_chess_arr_by_id(1)\nvals.append(q[0] if q else 8)\nvals.append(JBQ.get_arr_by_rd((0, 0), 1, 1) is None)",
        true,
    ),
    (
        "vals.append(JBQ.get_chess_by_arr((9, 9)) is None) if arr == (9, 9) else vals.append(0)\nassert vals == [0]",
        true,
    ),
    ("vals += [x for x in [arr] if x in can_go[0]][0:1] and [1] if can_go else [2]", true),
    (
        "global_name = [len]\nvals.append(global_name[0]([1, 2]))\nprint(vals, arr)\nfor t in ((1, 2), (3, 4)):\n    u, v = t\n    vals.append(u * v)",
        true,
    ),
    // Once wrong: each was played by other rules than Python's.
    (
        "l = []\nany(l.append(x) or x > 1 for x in (1, 2, 3))\nall(l.append(x) or x > 1 for x in (1, 2, 3))\nvals += l",
        true,
    ),
    ("vals += [1 in [1, 2] == [1, 2], 1 in (1, 2) == [1, 2], [1] in [[1]] != [[1]]]", true),
    ("l = [1, 2]\nr = reversed(l)\nl.append(9)\nvals += list(r)", true),
    (
        "n = 1e308 * 10 - 1e308 * 10\nl = [n]\nvals += [n in l, l == [n], l.count(n), n == n, (n,) == (n,)]",
        false,
    ),
    (
        "try: enumerate(5)\nexcept TypeError: vals.append(7)\ntry: zip(chess)\nexcept TypeError: vals.append(8)",
        false,
    ),
    ("def f(JBQ): return eval('JBQ')\nvals.append(f(3))\nvals += (lambda API: [API])(4)", false),
    ("l = []\nfor i in range(3000): l = [l]\nvals.append(len(l))", false),
    ("l = [1]\nl.append(l)\nvals.append(l[1][1][0])", false),
    ("t = ([1], 2)\ntry: t[0] += [3]\nexcept TypeError: pass\nvals += t[0]", false),
    ("def f():\n    if vals: yield 1\nvals.append(1 if f() else 0)", false),
    ("l = [1, 2]\ntry: vals += [x for y in l for x in x]\nexcept NameError: vals.append(5)", false),
    ("try: list[int][int]\nexcept TypeError: vals.append(6)", false),
    ("x = 5\ntry:\n    x[0]: int\nexcept TypeError: vals.append(6)", false),
    (
        "vals.append((-9223372036854775807 + 9) in range(10, -9223372036854775807 - 1, -1))\nvals.append(3 in range(10, 0, -2))",
        true,
    ),
    ("print([(1, [arr])], can_go)\nl = [1]\nl = [l, [l]]\nprint(l)\nvals.append(1)", true),
];

#[test]
fn lines_come_to_the_same_both_ways() {
    for (lines, plain) in LINES {
        let spared = both(small(), &gathering(lines), lines);
        if *plain {
            assert_eq!(spared, 100, "the interpreter was needed for\n{lines}");
        }
    }
}

/// Whole files: what is remembered, changed and asked in turn.
const FILES: &[&str] = &[
    // Counts quietly, and acts on every third ply.
    "class C:\n    def __init__(self): self.n = 0\n    def after_move(self, a, b):\n        self.n += 1\n        if self.n % 3 == 0:\n            k = JBQ.get_chess_by_arr(b)\n            k.attr['power'] = k.attr['power'] + 1\n    def check_can_go(self, c, p, a): return [g for g in c if (self.n + p.attr['power']) % 2 == 0 or g[-1][1] < 3]\nk = C()\nafter_move = k.after_move\ncheck_can_go = k.check_can_go\n",
    // Does something only where a piece stands in the corner.
    "def after_move(a, b):\n    c = JBQ.get_chess_by_arr((0, 0))\n    if c and c.is_captain == False:\n        c.belong = 1 if c.belong == 2 else 2\ndef check_can_go(c, p, a):\n    e = JBQ.get_chess_by_arr((0, 0))\n    return [g for g in c if not e or g[0] != (0, 1)]\n",
    // Changes rules in place.
    "def after_move(a, b):\n    k = JBQ.get_chess_by_arr(b)\n    if b[0] == b[1]:\n        k.move[0].append((1,))\n        k.name = 'x'\ndef check_can_go(c, p, a):\n    return c + [[a]] if p.name == 'x' else c\n",
    // Says whose turn it is, and looks at it.
    "def check_can_go(c, p, a):\n    return c if JBQ.turn == p.belong else []\ndef after_move(a, b):\n    if a[0] == 0: JBQ.turn = 2\n",
    // A built-in changes its meaning halfway.
    "def check_can_go(c, p, a):\n    return c[:len(c) - 1]\ndef after_move(a, b):\n    if b == (1, 1): __builtins__['len'] = lambda x: 2\n",
    // Methods of `JBQ` are covered up.
    "def check_can_go(c, p, a):\n    return [g for g in c if not JBQ.get_chess_by_arr(g[-1])]\ndef after_move(a, b):\n    if b == (1, 1): JBQ.get_chess_by_arr = lambda at: None\n",
    // Code is exchanged.
    "def one(c, p, a): return c\ndef two(c, p, a): return c[1:]\ncheck_can_go = one\ndef after_move(a, b, one=one, two=two):\n    one.__code__, two.__code__ = two.__code__, one.__code__\n",
    // What prints an object runs its code, however deep it lies.
    "class C:\n    n = 0\n    def __repr__(self):\n        self.n += 1\n        return 'c'\n    def check_can_go(self, c, p, a):\n        print([(1, self)])\n        return c if self.n % 3 else c[:1]\nk = C()\ncheck_can_go = k.check_can_go\n",
    "class C:\n    def __repr__(self): raise ValueError\n    def after_move(self, a, b):\n        if b == (0, 1): print((self,))\nk = C()\nafter_move = k.after_move\n",
    // It fails now and then.
    "def check_can_go(c, p, a):\n    return [c[5]] if a == (1, 2) else c\ndef after_move(a, b):\n    if b == (0, 1): raise ValueError\n",
];

#[test]
fn files_come_to_the_same_both_ways() {
    for file in FILES {
        both(small(), &[source(file)], file);
    }
    // All in a row.
    for pair in FILES.windows(2) {
        let sources: Vec<Source> = pair
            .iter()
            .enumerate()
            .map(|(number, text)| Source { file: format!("x{number}.py"), ..source(text) })
            .collect();
        both(small(), &sources, &pair.join("\n"));
    }
}

/// Lambdas that begin on one line, of which some cannot run without the interpreter, or are in an unusual place:
/// before, one ran instead of the other. `A` says no and `B` says yes.
const SHARED_LINES: &[&str] = &[
    "loc_rules = {'A': lambda args, arr, *_: False, 'B': lambda args, arr: True}\n",
    "loc_rules = {'B': lambda args, arr: True, 'A': lambda args, arr, **_: False}\n",
    "loc_rules = {'A': lambda args, arr, *, k=0: False, 'B': lambda args, arr: True}\n",
    "loc_rules = {'A': lambda args, arr: (n := 0) > 0, 'B': lambda args, arr: True}\n",
    "loc_rules = {'B': lambda args, arr: (yield), 'A': lambda args, arr: False}\n",
    "loc_rules = {'A': lambda args, arr, k=0, *_: False, 'B': lambda args, arr, k=0: True}\n",
    "loc_rules = {'A': (lambda: lambda args, arr, *_: False)(), 'B': lambda args, arr: True}\n",
    // In defaults, decorators, bases of classes, notes, headers of loops and formats.
    "f = lambda k=lambda args, arr: False: (k, lambda args, arr: True)\nloc_rules = dict(zip('AB', f()))\n",
    "def f(k=lambda args, arr: False): return k, lambda args, arr: True\nloc_rules = dict(zip('AB', f()))\n",
    "kept = []\ndef keep(f, kept=kept):\n    kept.append(f)\n    return object\nloc_rules = {}\nclass C(keep(lambda args, arr: False)): b = lambda args, arr: True\nloc_rules['A'] = kept[0]\nloc_rules['B'] = C.b\n",
    "loc_rules = {}\nfor loc_rules['A'] in [lambda args, arr: False]: loc_rules['B'] = lambda args, arr: True\n",
    "loc_rules = {}\nif loc_rules.setdefault('A', lambda args, arr: False): loc_rules['B'] = lambda args, arr: True\n",
    "loc_rules = {}\nf'{loc_rules.setdefault(\"A\", lambda args, arr: False)}'; loc_rules['B'] = lambda args, arr: True\n",
    "f = [lambda args, arr: False for i in (1,)] + [lambda args, arr: True]\nloc_rules = dict(zip('AB', f))\n",
    // One with a default begins where that ends, for the interpreter.
    "loc_rules = {'A': lambda args, arr, k=\n    0: False, 'B': lambda args, arr, k=0: True}\n",
    "loc_rules = {'A': lambda args, arr, k=(0,\n    1): False, 'B': lambda args, arr, k=0: True}\n",
    // Alone on their lines.
    "loc_rules = {'A': lambda args, arr: False,\n    'B': lambda args, arr: True}\n",
];

#[test]
fn lambdas_that_share_a_line_come_to_the_same_both_ways() {
    for file in SHARED_LINES {
        let mut map = small();
        for kind in &mut map.kinds {
            kind.rule = move_rule("1(A[1]),2(B[1]),3(A[1]),4,5(B[1]),6(A[1]),7,8(A[1]);").expect("a rule");
        }
        both(map.clone(), &[source(file)], file);
        // And they say what is written.
        let pos = crate::support::game_on(map, file);
        assert_eq!(crate::support::moves(&pos), ["4,3-3,3", "4,3-4,2", "4,4-3,4"], "{file}");
    }
}

/// A promotion without a move, and a neutral piece as the turn changes, are seen: cached results of a piece must not
/// outlive them.
#[test]
fn what_changes_without_a_move_is_seen() {
    let mut map = small();
    let mut stone = kind("S", None, false);
    stone.rule = move_rule("1,2(Q[1]),4,5(Q[0]);").expect("a rule");
    map.kinds.push(stone);
    map.start[6] = 5;
    for kind in &mut map.kinds[..4] {
        kind.promotes = place_rule("G[0]").expect("a rule");
        kind.promoted = move_rule("2,7;1").expect("a rule");
    }
    let file = "def G(args, arr): return JBQ.get_chess_by_arr((0, 1)) is None and arr[0] + arr[1] > 2\ndef Q(args, arr): return JBQ.turn - 1 == args[0]\nloc_rules = {'G': G, 'Q': Q}\ndef check_can_go(c, p, a): return c + [[a]]\n";
    both(map, &[source(file)], file);
}

#[test]
fn recorded_extensions_come_to_the_same_both_ways() {
    let read = |name: &str| std::fs::read(crate::support::data(name)).expect("it is there");
    let map = jingbanqi::read(&read("t7_hooks(6x5).xlsx")).map.expect("a map");
    let files = ["ext_a_规则与跳跃.py", "ext_b_爆炸与增援.py"];
    let source = |name: &&str| Source { file: (*name).to_owned(), bytes: read(name) };
    for some in [&files[..1], &files[1..], &files[..]] {
        let sources: Vec<Source> = some.iter().map(source).collect();
        both(map.clone(), &sources, some[0]);
    }
}
