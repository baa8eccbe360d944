//! Catches mistakes in extensions that are not told before anything runs, or told where there are none; and a table of the API that
//! differs from what extensions find.

use std::path::Path;
use std::sync::Arc;

use jingbanqi::extension::{Loader, Source};
use jingbanqi::{Map, Rulebook, api};
use kernel::{Position, Problem};

use crate::support::{data, game, load, play, sandbox, small};

/// Errors of files that cannot be loaded, and else warnings.
fn told_of(map: Map, files: &[Source]) -> Vec<Problem> {
    let book = Arc::new(Rulebook::new(map, false));
    sandbox().load(&book, files).map_or_else(|errors| errors, |extensions| extensions.warnings().to_vec())
}

/// A problem in one line: key, place, what was found and what is near; a space for a fact that is empty.
fn line(problem: &Problem) -> String {
    let fact = |name| problem.arg(name).unwrap_or_default();
    let key = problem.key.strip_prefix("map-").unwrap_or(problem.key);
    format!("{key} {}:{} {} {}", fact("line"), fact("column"), fact("found"), fact("near"))
        .trim_end()
        .to_owned()
}

fn lines(text: &str) -> Vec<String> {
    let file = Source { file: "x.py".to_owned(), bytes: format!("EX_NAME = 'x'\n{text}").into_bytes() };
    told_of(small(), &[file]).iter().map(line).collect()
}

/// Lines of `check_can_go` from line 3 on, and what is told.
const ASKED: &[(&str, &[&str])] = &[
    ("x = [1，2]", &["full-width 3:11 ， ,"]),
    ("if chess：\n        pass", &["full-width 3:13 ： :"]),
    ("x = len（can_go）", &["full-width 3:12 （ (", "full-width 3:19 ） )"]),
    ("x = “兵，卒”", &["full-width 3:9 “ \"", "full-width 3:13 ” \""]),
    ("x = '兵’", &["full-width 3:11 ’ '"]),
    ("x = 1\n\u{3000}\u{3000}y = 2", &["full-width 4:1 U+3000"]),
    ("x = 1 # ，：", &["unused 3:5 x"]),
    ("x = '，：“'\n    print(x)", &[]),
    ("x = 1 ☃ 2", &["bad-character 3:11 ☃"]),
    ("x = len((can_go)\n    y = 1", &["bracket-not-closed 3:12 ("]),
    ("x = (1, 2]", &["brackets-differ 3:14 ] ("]),
    ("x = 1)", &["brackets-differ 3:10 )"]),
    ("x = 'abc", &["string-not-closed 3:9 '"]),
    ("x = f'{chess.name'", &["bracket-not-closed 3:11 {"]),
    ("for g in can_go\n        print(g)", &["no-colon 3:20 for :"]),
    ("if chess.belong = 1:\n        pass", &["one-equals 3:21 = =="]),
    ("if f(x=1) and (a = 2):\n        pass", &["one-equals 3:22 = =="]),
    ("len(can_go) = 3", &["one-equals 3:5 len(can_go) =="]),
    ("if chess:\n        pass\n    else if arr:\n        pass", &["else-if 5:5 else if elif"]),
    ("if chess && arr:\n        pass", &["not-python 3:14 && and"]),
    ("x = 1\n    x++", &["not-python 4:6 ++ += 1"]),
    ("print 'hi'", &["not-python 3:5 print … print(…)"]),
    ("if chess:\n    pass", &["indentation 4:5 pass missing"]),
    ("x = 1\n      y = 2", &["indentation 4:7 y unexpected"]),
    ("if chess:\n\tx = 1", &["indentation 4:2 x tabs"]),
    ("x = [1 2]", &["syntax 3:12 2 comma"]),
    ("x = 3abc", &["syntax 3:9 3abc"]),
    ("x = foo\n    print(x)", &["unknown-name 3:9 foo"]),
    ("x = true\n    print(x)", &["unknown-name 3:9 true True"]),
    ("jbq.win(1)", &["unknown-name 3:5 jbq JBQ"]),
    ("open('x')", &["unknown-name 3:5 open"]),
    ("JBQ.get_piece(arr)", &["unknown-member 3:9 get_piece get_chess_by_arr"]),
    ("print(chess.nmae)", &["unknown-piece-member 3:17 nmae name"]),
    ("print(chess.power)", &["unknown-piece-member 3:17 power attr[\"power\"]"]),
    ("print(chess.attr['powr'])", &["unknown-attribute 3:22 powr power"]),
    ("chess.attr['own'] = 1\n    print(chess.attr['own'], chess.attr.get('other'))", &[]),
    (
        "JBQ.get_chess_by_arr(arr[0], arr[1])",
        &["api-arguments 3:5 JBQ.get_chess_by_arr(arr[0], arr[1]) JBQ.get_chess_by_arr(arr)"],
    ),
    ("print(JBQ.get_chess_by_arr((JBQ.rl, 0)))", &["off-board 3:32 (JBQ.rl, 0) 3"]),
    ("if arr[0] == JBQ.rl:\n        return []", &["counts-from-zero 3:8 arr[0] == JBQ.rl JBQ.rl - 1"]),
    ("print(JBQ.get_arr_by_rd(arr, 9, 1))", &["bad-direction 3:34 9"]),
    ("if chess.belong == 'red':\n        return []", &["bad-side 3:24 'red' belong"]),
    (
        "return can_go.append([arr])",
        &["returns-none 3:12 can_go.append([arr]) append", "unreachable 4:5 return can_go.append([arr])"],
    ),
    ("can_go.append((arr[0] + 1, arr[1]))", &["not-groups 3:19 (arr[0] + 1, arr[1]) square"]),
    ("can_go.append([(arr[0] + 1, arr[1])])", &[]),
    ("for g in can_go:\n        can_go.remove(g)", &["changed-while-walked 4:9 can_go"]),
    ("for g in can_go:\n        if g:\n            can_go.remove(g)\n            break", &[]),
    ("import os", &["import 3:12 os"]),
    ("import random\n    random.shuffle(can_go)", &["random-while-asked 4:5 random.shuffle(can_go)"]),
    ("JBQ.asked += 1", &["forgotten-while-asked 3:5 JBQ.asked"]),
    ("while True:\n        pass", &["endless-loop 3:5 while True"]),
    ("i = 0\n    while i < 5:\n        print(i)", &["endless-loop 4:11 i < 5 i"]),
    ("i = 0\n    while i < 5:\n        i += 1", &[]),
    ("def f(n): return f(n + 1)\n    f(0)", &["endless-calls 3:22 f"]),
    ("def f(n): return f(n - 1) if n else 0\n    f(9)", &[]),
    ("arr == (0, 0)", &["no-effect 3:5 arr == (0, 0) equals"]),
    ("x = 1\n    print(lambda: x)", &[]),
];

/// Whole files from line 2 on.
const FILES: &[(&str, &[&str])] = &[
    (
        "def check_can_go(can_go, chess, arr):\n    if chess:\n        return can_go\n",
        &["no-return 2:5 check_can_go some"],
    ),
    (
        "def check_can_go(can_go, chess, arr):\n    if chess:\n        return can_go\n    else:\n        raise ValueError\n",
        &[],
    ),
    ("def check_can_go(can_go, chess, arr):\n    return [(0, 0)]\n", &["not-groups 3:12 [(0, 0)] square"]),
    (
        "def check_can_go(can_go, chess, arr):\n    return [[(arr[0] / 2, 0)]]\n",
        &["not-groups 3:12 [[(arr[0] / 2, 0)]] division"],
    ),
    (
        "def check_can_go(can_go, chess):\n    return can_go\n",
        &["hook-arguments 2:5 check_can_go check_can_go(can_go, chess, arr)"],
    ),
    ("def check_can_goo(can_go, chess, arr):\n    return []\n", &["no-hook 2:1 check_can_goo check_can_go"]),
    ("def after_move(a, b):\n    JBQ.win('red')\n", &["win-who 3:13 'red'"]),
    ("def after_move(a, b):\n    JBQ.add_chess(99, b)\n", &["no-such-piece 3:19 99 4"]),
    (
        "def after_move(a, b):\n    c = JBQ.get_chess_by_arr(a)\n    print(c.name)\n",
        &["left-square 4:11 c.name a"],
    ),
    ("def after_move(a, b):\n    c = JBQ.get_chess_by_arr(a)\n    if c:\n        print(c.name)\n", &[]),
    (
        "def after_move(a, b):\n    c = JBQ.get_chess_by_arr(b)\n    c.move = '1,2;'\n",
        &["rule-as-text 4:14 '1,2;' move"],
    ),
    (
        "def after_move(a, b):\n    c = JBQ.get_chess_by_arr(b)\n    c.is_captian = True\n",
        &["unknown-piece-member 4:7 is_captian is_captain"],
    ),
    (
        "def after_move(a, b):\n    board = JBQ.map_data.chessboard\n    board[b[0]][b[1]] = None\n",
        &["map-data-written 4:5 board[b[0]][b[1]]"],
    ),
    ("def after_move(a, b):\n    c = JBQ.map_data.chessboard[0][0]\n    c.name = 'x'\n", &[]),
    (
        "R = {1: 2}\ndef helper(x):\n    return x\ndef after_move(a, b):\n    helper(R)\n",
        &["top-level-name 6:5 helper function", "top-level-name 6:12 R value"],
    ),
    ("R = {1: 2}\ndef after_move(a, b, R=R):\n    print(R)\n", &[]),
    ("n = 0\ndef after_move(a, b):\n    global n\n    n += 1\n", &["top-level-name 5:5 n value"]),
    (
        "def after_move(a, b):\n    global n\n    n = 1\ndef check_can_go(c, p, a):\n    print(n)\n    return c\n",
        &[],
    ),
    (
        "class G:\n    def after_move(a, b):\n        pass\ng = G()\nafter_move = g.after_move\n",
        &["hook-arguments 3:9 after_move after_move(arr1, arr2)"],
    ),
    ("def f(args, arr):\n    print(args)\nloc_rules = {'Z': f}\n", &["no-return 2:5 f place"]),
    ("def f(args, arr):\n    return [f]\nloc_rules = [f]\n", &["extension-failed 4:"]),
    ("return 1\n", &["extension-failed 2:"]),
];

#[test]
fn mistakes_are_named_with_their_place() {
    let asked = ASKED.iter().map(|(lines, told)| {
        (format!("def check_can_go(can_go, chess, arr):\n    {lines}\n    return can_go\n"), *told)
    });
    let files = FILES.iter().map(|(text, told)| ((*text).to_owned(), *told));
    let wrong: Vec<String> = asked
        .chain(files)
        .filter_map(|(text, told)| {
            let found = lines(&text);
            (found != told).then(|| format!("{text}\nis {found:#?}\nand not {told:#?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Python's own words stand with what cannot be read.
#[test]
fn mistakes_of_syntax_have_the_words_of_python() {
    for (text, words) in [
        ("def f(x)\n    pass\n", "SyntaxError: expected ':'"),
        ("x = 1，2\n", "SyntaxError: invalid character '，' (U+FF0C)"),
        ("x = 1\u{3000}\n", "SyntaxError: invalid non-printable character U+3000"),
        ("x = (1,\n", "SyntaxError: '(' was never closed"),
        ("x = 'a\n", "SyntaxError: unterminated string literal (detected at line 2)"),
        ("if x:\ny = 1\n", "IndentationError: expected an indented block after 'if' statement on line 2"),
        (
            "if x = 1:\n    pass\n",
            "SyntaxError: invalid syntax. Maybe you meant '==' or ':=' instead of '='?",
        ),
        ("x = [1 2]\n", "SyntaxError: invalid syntax. Perhaps you forgot a comma?"),
        (
            "def f(a=1, b):\n    pass\n",
            "SyntaxError: parameter without a default follows parameter with a default",
        ),
    ] {
        let file = Source { file: "x.py".to_owned(), bytes: format!("EX_NAME = 'x'\n{text}").into_bytes() };
        let told = told_of(small(), &[file]);
        assert_eq!(told.first().and_then(|problem| problem.arg("text")), Some(words), "{text}");
    }
}

/// Files that people have written and that work have no warnings.
#[test]
fn good_files_have_no_warnings() {
    let maps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
    let map = |path: &Path| jingbanqi::read(&std::fs::read(path).expect("a map")).map.expect("a good map");
    let source = |path: &Path| Source {
        file: path.file_name().expect("a name").to_string_lossy().into_owned(),
        bytes: std::fs::read(path).expect("an extension"),
    };
    for name in ["leap", "magnets"] {
        let told =
            told_of(map(&maps.join(format!("{name}.xlsx"))), &[source(&maps.join(format!("{name}.py")))]);
        assert_eq!(told, [], "{name}");
    }
    let files = ["ext_a_规则与跳跃.py", "ext_b_爆炸与增援.py"].map(|name| source(&data(name)));
    assert_eq!(told_of(map(&data("t7_hooks(6x5).xlsx")), &files), []);
}

/// The words of a failure say what is near, as Python's do.
#[test]
fn failures_say_what_is_near() {
    for (line, words) in [
        ("JBQ.wim(1)", "AttributeError: 'ExtAPI' object has no attribute 'wim'. Did you mean: 'win'?"),
        ("jbq.win(1)", "NameError: name 'jbq' is not defined. Did you mean: 'JBQ'?"),
        ("foo()", "NameError: name 'foo' is not defined"),
    ] {
        let mut pos = game(&format!("def after_move(a, b):\n    {line}\n"));
        play(&mut pos, "4,3-3,3");
        assert_eq!(pos.fault().map(|fault| fault.error.clone()).as_deref(), Some(words));
        assert_eq!(pos.turn(), kernel::Side::First);
    }
}

/// The table of the API has the names that extensions find, no more and no fewer.
#[test]
fn the_api_is_what_extensions_find() {
    let own = |found: &str, members: &[api::Member], what: &str| {
        let mut found: Vec<&str> = found.split_whitespace().collect();
        let mut known: Vec<&str> = members.iter().map(|member| member.name).collect();
        found.sort_unstable();
        known.sort_unstable();
        assert_eq!(found, known, "{what}");
    };
    let names = "HELP = ' '.join(n for n in dir(JBQ) if not n.startswith('__'))\n";
    let (_, extensions) = load(small(), &[names]).expect("a good file");
    own(extensions.about()[0].help.as_deref().unwrap_or_default(), &api::JBQ, "JBQ");
    let raise = "    c = JBQ.get_chess_by_arr(b)\n    raise ValueError(' '.join(n for n in dir(c) if not n.startswith('__')))\n";
    let mut pos = game(&format!("def after_move(a, b):\n{raise}"));
    play(&mut pos, "4,3-3,3");
    let told = pos.fault().map(|fault| fault.error.clone()).unwrap_or_default();
    own(told.trim_start_matches("ValueError: "), &api::CHESS, "a piece");
}
