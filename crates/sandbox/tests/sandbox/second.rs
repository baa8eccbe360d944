//! Extensions of maps of level 2: each member's meaning, turns of several plies, choices, and whole games.

use std::sync::Arc;

use jingbanqi::extension::{Loader as _, Source};
use jingbanqi::level2::{MOST_STEPS, Sheets2};
use jingbanqi::{Draft, DraftKind, Jingbanqi, Map, Rulebook, Value};
use kernel::{Notation as _, Outcome, Position as _, Side};

use crate::quick::{both, gathering};
use crate::support::{game, game_on, moves, play, sandbox, source};

/// A piece: name, side (`r`, `b` or `-`, with `c` for a captain), rule, promotion, further columns.
type Piece<'a> = (&'a str, &'a str, &'a str, &'a str, &'a [(&'a str, &'a str)]);

fn kind(&(name, side, rule, promotes, columns): &Piece<'_>) -> DraftKind {
    let owner = match side.as_bytes()[0] {
        b'r' => Some(Side::First),
        b'b' => Some(Side::Second),
        _ => None,
    };
    let [name, rule, promotes] = [name, rule, promotes].map(str::to_owned);
    let attributes =
        columns.iter().map(|(heading, text)| ((*heading).to_owned(), Value::Text((*text).to_owned())));
    let captain = side.ends_with('c');
    let attributes = attributes.collect();
    DraftKind { name, owner, captain, rule, promotes, promoted: String::new(), attributes }
}

/// Rows of cells: `;` between rows, `|` between cells.
fn rows(text: &str) -> Vec<Vec<String>> {
    let row = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect();
    if text.is_empty() { Vec::new() } else { text.split(';').map(row).collect() }
}

/// A map: the board with `/` between rows, the pieces, and the sheets `rules2` without its mark, `terrain` and `hand`.
fn map(board: &str, pieces: &[Piece<'_>], [words, terrain, hand]: [&str; 3]) -> Map {
    let lines: Vec<Vec<u32>> = board
        .split('/')
        .map(|line| line.split_whitespace().map(|id| id.parse().unwrap_or(0)).collect())
        .collect();
    let mut rules2 = rows("Qiguan 2");
    rules2.extend(rows(words));
    let level2 = Sheets2 { rules2, terrain: rows(terrain), hand: rows(hand), ..Sheets2::default() };
    let draft = Draft {
        rows: lines.len() as u32,
        cols: lines[0].len() as u32,
        cells: lines.concat(),
        kinds: pieces.iter().map(kind).collect(),
        level2,
        ..Draft::default()
    };
    let reading = draft.read();
    assert_eq!(reading.errors, [], "{draft:?}");
    reading.map.expect("no errors")
}

/// Four rows and columns with kings, rooks, pawns, water, and pawns in hands.
fn field() -> Map {
    map(
        "6 . . 2/. . 4 ./. 3 3 ./5 . . 1",
        &[
            ("车", "r", ";2,4,5,7", "", &[]),
            ("车", "b", ";2,4,5,7", "", &[]),
            ("兵", "r", "m2;", "", &[]),
            ("卒", "b", "m7;", "", &[]),
            ("帅", "rc", "1,2,3,4,5,6,7,8;", "", &[]),
            ("将", "bc", "1,2,3,4,5,6,7,8;", "", &[]),
        ],
        ["score | 9", "上|上|上|上; |水; ; 下|下|下|下", "side|piece|count; 1|兵|2; 2|卒|1"],
    )
}

/// Plays the rook of red up, and returns the error of the extension whose `after_move` raises that value.
fn value(expression: &str) -> String {
    let text = format!(
        "def tried(a, b, see):\n    with JBQ.trying(a, b):\n        return see()\n\
         def after_move(a, b):\n    raise ValueError({expression})\n"
    );
    let mut pos = game_on(field(), &text);
    play(&mut pos, "4,4-3,4");
    pos.fault().expect("it raises").error.clone()
}

/// Values of members after red's rook went to (2, 3).
const VALUES: &[(&str, &str)] = &[
    ("JBQ.step, JBQ.ply, JBQ.choice, JBQ.captured", "(1, 0, None, [])"),
    ("JBQ.piece((2, 3)).name, JBQ.piece([3, 3])", "('车', None)"),
    ("[a for a, p in JBQ.pieces(1)]", "[(2, 1), (2, 2), (2, 3), (3, 0)]"),
    ("[a for a, p in JBQ.pieces(name='车')]", "[(0, 3), (2, 3)]"),
    ("len(JBQ.pieces()), JBQ.pieces(2, '兵')", "(7, [])"),
    ("JBQ.line((2, 3), 4)", "[(2, 2), (2, 1), (2, 0)]"),
    ("JBQ.around((0, 0))", "[(0, 1), (1, 0), (1, 1)]"),
    ("JBQ.near((0, 0), 1), len(JBQ.near((0, 0), 2))", "([(0, 1), (1, 0), (1, 1)], 8)"),
    ("JBQ.dist((0, 0), (2, 3))", "3"),
    ("JBQ.zone('水'), JBQ.terrain((1, 1)), JBQ.terrain((2, 2))", "([(1, 1)], {'水'}, set())"),
    ("JBQ.group((2, 1)), JBQ.group((3, 3))", "([(2, 1), (2, 2), (2, 3)], [])"),
    ("sorted(JBQ.free((2, 1)))", "[(1, 1), (1, 3), (2, 0), (3, 1), (3, 2), (3, 3)]"),
    ("JBQ.joined(1, '上', '下'), JBQ.joined(1, [(2, 1)], [(2, 3)])", "(False, True)"),
    ("JBQ.moves((2, 3)), JBQ.moves((3, 3))", "([(1, 3), (0, 3), (3, 3)], [])"),
    ("JBQ.attacked((0, 3), 1), JBQ.attacked((0, 0), 1), JBQ.attacked((1, 3), 2)", "(True, False, True)"),
    ("len(JBQ.pieces()), JBQ.attacked((1, 3), 2), len(JBQ.pieces())", "(7, True, 7)"),
    ("JBQ.hand(1), JBQ.hand(2)", "({'兵': 2}, {'卒': 1})"),
    ("JBQ.give(1, '兵', 3), JBQ.hand(1)", "(None, {'兵': 5})"),
    ("JBQ.score(1, 5), JBQ.score(1, n=-2), JBQ.score(2)", "(5, 3, 0)"),
    ("JBQ.remove((2, 2)).name, JBQ.piece((2, 2)), JBQ.remove((2, 2))", "('兵', None, None)"),
    ("JBQ.put('兵', (1, 0)), JBQ.piece((1, 0)).belong", "(None, 1)"),
    ("JBQ.put(JBQ.remove((2, 2)), (1, 0)), JBQ.piece((1, 0)).id", "(None, 3)"),
    (
        "tried((2, 3), (0, 3), lambda: (JBQ.piece((0, 3)).belong, len(JBQ.pieces()))), JBQ.piece((0, 3)).belong",
        "((1, 6), 2)",
    ),
    ("JBQ.again(only=[b]), JBQ.again()", "(None, None)"),
];

#[test]
fn members_mean_what_the_page_says() {
    for (expression, meant) in VALUES {
        let expression = format!("repr(({expression}))");
        assert_eq!(value(&expression), format!("ValueError: {meant}"), "{expression}");
    }
}

/// Calls that raise, with the words.
const ERRORS: &[(&str, &str)] = &[
    (
        "JBQ.piece((9, 0))",
        "IndexError: (9, 0) is off a board of 4 rows and 4 columns: tables count from 1, hooks from 0",
    ),
    ("JBQ.around('x')", "TypeError: a square is a row and a column, as (0, 2), not 'str'"),
    ("JBQ.line((0, 0), 9)", "ValueError: 9 is no direction of this board"),
    ("JBQ.zone('火')", "ValueError: no square of the sheet terrain is called '火'"),
    ("JBQ.hand(3)", "ValueError: a side is 1 or 2, not 3"),
    ("JBQ.put('象', (0, 1))", "ValueError: no piece is called '象'"),
    ("JBQ.give(1, '车')", "ValueError: side 1 cannot have 1 more of '车' in its hand: see the sheet hand"),
    ("JBQ.trying((1, 0), (0, 0))", "ValueError: no piece stands on (1, 0)"),
    (
        "JBQ.piece(b).now_move",
        "AttributeError: a piece of level 2 moves by the sheet chesses: JBQ.moves(arr) gives its squares",
    ),
];

#[test]
fn wrong_calls_raise_with_the_square() {
    for (expression, words) in ERRORS {
        assert_eq!(value(expression), *words, "{expression}");
    }
    let text = "def check_can_go(can_go, chess, arr):\n    JBQ.again()\n    return can_go\n";
    let pos = game_on(field(), text);
    let error = pos.fault().map(|fault| fault.error.clone());
    assert_eq!(error.as_deref(), Some("RuntimeError: JBQ.again belongs into after_move"));
}

/// The members of level 2 are missing at level 1.
#[test]
fn a_map_of_level_1_has_none_of_it() {
    let mut pos = game("def after_move(a, b):\n    JBQ.piece(b)\n");
    play(&mut pos, "4,4-3,4");
    let error = pos.fault().map(|fault| fault.error.clone()).unwrap_or_default();
    assert!(error.starts_with("AttributeError: "), "{error}");
}

/// A side acts again, with the pieces it may use; then the other side; a side that cannot has had its turn.
#[test]
fn a_turn_may_have_several_plies() {
    let mut pos =
        game_on(field(), "def after_move(a, b):\n    if JBQ.step < 3:\n        JBQ.again(only=[b])\n");
    play(&mut pos, "4,4-3,4");
    assert_eq!(
        (pos.turn(), moves(&pos)),
        (Side::First, vec!["3,4-1,4".into(), "3,4-2,4".into(), "3,4-4,4".into()])
    );
    // A position that is read goes on with the same turn.
    let read = pos.read_fen(&pos.fen()).expect("its own FEN");
    assert_eq!((read.fen(), moves(&read)), (pos.fen(), moves(&pos)));
    play(&mut pos, "3,4-2,4");
    assert_eq!(pos.turn(), Side::First);
    play(&mut pos, "2,4-3,4");
    assert_eq!(pos.turn(), Side::Second);
    let mut pos = game_on(field(), "def after_move(a, b):\n    JBQ.again(only=[(1, 0)])\n");
    play(&mut pos, "4,4-3,4");
    assert_eq!((pos.turn(), pos.fault()), (Side::Second, None));
}

#[test]
fn a_turn_without_end_is_a_fault() {
    let mut pos = game_on(field(), "def after_move(a, b):\n    JBQ.again()\n");
    for step in 1..MOST_STEPS {
        play(&mut pos, if step % 2 == 1 { "4,4-3,4" } else { "3,4-4,4" });
        assert_eq!((pos.turn(), pos.fault()), (Side::First, None), "{step}");
    }
    play(&mut pos, "3,4-4,4");
    let error = pos.fault().map(|fault| fault.error.clone());
    assert_eq!(error.as_deref(), Some("RuntimeError: a turn has at most 64 plies"));
}

#[test]
fn choices_drops_and_points_are_asked() {
    let text = "def choices(piece, a, b):\n    return ['甲', '乙'] if piece.name == '兵' else []\n\
                def may_drop(id, arr):\n    return arr == (1, 0)\n\
                def after_move(a, b):\n    if JBQ.choice:\n        JBQ.piece(b).name = JBQ.choice\n";
    let mut pos = game_on(field(), text);
    let listed = moves(&pos);
    let of =
        |start: &str| listed.iter().filter(|m| m.starts_with(start)).map(String::as_str).collect::<Vec<_>>();
    assert_eq!((of("3,2"), of("兵")), (vec!["3,2-2,2=乙", "3,2-2,2=甲"], vec!["兵*2,1"]));
    play(&mut pos, "3,2-2,2=乙");
    let name = pos.present(5).and_then(|piece| piece.name);
    assert_eq!(name.as_deref(), Some("乙"));
    for (told, words) in [
        ("['一二三四五六七八九']", "ValueError: '一二三四五六七八九' is no choice"),
        ("[1]", "TypeError: a choice is text, not 'int'"),
        ("[str(i) for i in range(17)]", "ValueError: a move has at most 16 choices"),
    ] {
        let pos = game_on(field(), &format!("def choices(piece, a, b):\n    return {told}\n"));
        let error = pos.fault().map(|fault| fault.error.clone()).unwrap_or_default();
        assert!(error.starts_with(words), "{error}");
    }
    let counted = map(
        "1 ./. 2",
        &[("车", "r", ";2,7", "", &[]), ("车", "b", ";2,7", "", &[])],
        ["score | count; plies | 2 | count", "", ""],
    );
    let mut pos = game_on(counted, "def score(side):\n    return side\n");
    play(&mut pos, "1,1-2,1");
    play(&mut pos, "2,2-1,2");
    assert_eq!(pos.outcome(), Some(Outcome::Win(Side::Second, "points-counted")));
}

/// Lines of members; both interpreters have to give the same.
const LINES: &[&str] = &[
    "vals += [JBQ.step, JBQ.ply, JBQ.choice is None, len(JBQ.captured), JBQ.score(1)]",
    "for a, p in JBQ.pieces():\n    vals += [a[0], a[1], p.id, p is JBQ.piece(a)]\nvals.append(len(JBQ.pieces(1, '兵')))",
    "for d in (1, 2, 5, 8):\n    for a in JBQ.line(arr, d):\n        vals.append(a[0] * 4 + a[1])",
    "for a in JBQ.around(arr) + JBQ.near(arr, 2) + JBQ.zone('水') + JBQ.group(arr):\n    vals.append(a[0] * 4 + a[1] + JBQ.dist(arr, a))",
    "vals += [JBQ.joined(1, '上', '下'), len(JBQ.free(arr)), len(JBQ.terrain(arr)), len(JBQ.hand(1))]",
    "vals += [len(JBQ.moves(arr)), JBQ.attacked(arr, 3 - chess.belong)]\nwith JBQ.trying(arr, (1, 1)):\n    vals += [len(JBQ.pieces()), len(JBQ.moves((1, 1)))]",
];

#[test]
fn both_interpreters_answer_alike() {
    for lines in LINES {
        both(field(), &gathering(lines), lines);
    }
    for (name, map, text) in games() {
        both(map, &[source(text)], name);
    }
}

const AMAZONS: &str = r#"
def check_can_go(can_go, chess, arr):
    return [g for g in can_go if not JBQ.piece(g[-1])]
def after_move(a, b):
    if JBQ.step == 1:
        JBQ.again(only=[b])
    else:
        JBQ.move(b, a)
        JBQ.put("箭", b)
"#;

const ATARI: &str = r#"
def after_move(a, b):
    me, foe = JBQ.turn, 3 - JBQ.turn
    if any(not JBQ.free(arr) for arr, _ in JBQ.pieces(foe)):
        JBQ.win(me)
    elif not JBQ.free(b):
        JBQ.win(foe)
"#;

const BRANDUBH: &str = r#"
def after_move(a, b):
    me = JBQ.turn
    own = [arr for arr, _ in JBQ.pieces(me)] + JBQ.zone("角")
    for d in (2, 4, 5, 7):
        way = JBQ.line(b, d)
        if len(way) > 1 and JBQ.piece(way[0]) and JBQ.piece(way[0]).belong != me and way[1] in own:
            if JBQ.remove(way[0]).is_captain:
                JBQ.win(me)
"#;

const CHESS: &str = r#"
moved = set()
passed = []
def check_can_go(can_go, chess, arr):
    foe = 3 - chess.belong
    if chess.name == "兵" and passed:
        (r, c), step = passed[0], -1 if chess.belong == 1 else 1
        if abs(arr[1] - c) == 1 and arr[0] + step == r:
            can_go.append([(r, c)])
    if chess.name == "王" and arr not in moved and not JBQ.attacked(arr, foe):
        for c, d in ((0, 4), (7, 5)):
            way = JBQ.line(arr, d)
            if (arr[0], c) not in moved and not any(JBQ.piece(s) for s in way[:-1]):
                if not JBQ.attacked(way[0], foe):
                    can_go.append([way[1]])
    return can_go
def after_move(a, b):
    p = JBQ.piece(b)
    if p.name == "兵" and b in passed:
        JBQ.remove((a[0], b[1]))
    passed[:] = [((a[0] + b[0]) // 2, a[1])] if p.name == "兵" and abs(a[0] - b[0]) == 2 else []
    if p.name == "王" and abs(a[1] - b[1]) == 2:
        JBQ.move((a[0], 0 if b[1] < a[1] else 7), (a[0], (a[1] + b[1]) // 2))
    moved.update([a, b])
"#;

const QUEEN: &str = ";1,2,3,4,5,6,7,8";
const ROOK: &str = ";m2,m4,m5,m7";

fn amazons() -> Map {
    map(
        ". . 2 2 . ./. . . . . ./. . . . . ./. . . . . ./. . . . . ./. . 1 1 . .",
        &[("后", "r", QUEEN, "", &[]), ("后", "b", QUEEN, "", &[]), ("箭", "-", ";", "", &[])],
        ["无子可动 | 负", "", ""],
    )
}

fn atari() -> Map {
    map(
        ". . . . ./. . . . ./. . . . ./. . . . ./. . . . .",
        &[("●", "r", ";", "", &[]), ("○", "b", ";", "", &[])],
        ["", "", "side|piece|count; 1|●|∞; 2|○|∞"],
    )
}

fn brandubh() -> Map {
    let within: &[(&str, &str)] = &[("within", "!T[角]+!T[座]")];
    map(
        ". . . 1 . . ./. . . 1 . . ./. . . 2 . . ./1 1 2 3 2 1 1/. . . 2 . . ./. . . 1 . . ./. . . 1 . . .",
        &[("兵", "r", ROOK, "", within), ("卫", "b", ROOK, "", within), ("王", "bc", ROOK, "", &[])],
        ["到达 | 王 | T[角]; 无子可动 | 负; 手数 | 200", "角||||||角; ; ; |||座; ; ; 角||||||角", ""],
    )
}

fn chess() -> Map {
    let becomes: &[(&str, &str)] = &[("becomes", "后/车/象/马")];
    map(
        "9 11 10 8 7 10 11 9/12 12 12 12 12 12 12 12/. . . . . . . ./. . . . . . . ./. . . . . . . ./. . . . . . . ./6 6 6 6 6 6 6 6/3 5 4 2 1 4 5 3",
        &[
            ("王", "rc", "1,2,3,4,5,6,7,8;", "", &[]),
            ("后", "r", QUEEN, "", &[]),
            ("车", "r", ";2,4,5,7", "", &[]),
            ("象", "r", ";1,3,6,8", "", &[]),
            ("马", "r", "L1:2;", "", &[]),
            ("兵", "r", "m2,m2*2(X[7]),c1,c3;", "X[1]", becomes),
            ("王", "bc", "1,2,3,4,5,6,7,8;", "", &[]),
            ("后", "b", QUEEN, "", &[]),
            ("车", "b", ";2,4,5,7", "", &[]),
            ("象", "b", ";1,3,6,8", "", &[]),
            ("马", "b", "L1:2;", "", &[]),
            ("兵", "b", "m7,m7*2(X[2]),c6,c8;", "X[8]", becomes),
        ],
        ["promote | yes; safe; stuck | draw; repeat | 3 | draw; quiet | 100 | draw", "", ""],
    )
}

fn games() -> [(&'static str, Map, &'static str); 4] {
    [
        ("amazons", amazons(), AMAZONS),
        ("atari", atari(), ATARI),
        ("brandubh", brandubh(), BRANDUBH),
        ("chess", chess(), CHESS),
    ]
}

/// Random movers play each game to its end, and no extension fails.
#[test]
fn games_are_played_to_the_end() {
    for (name, map, text) in games() {
        let sources = [source(text)];
        let book = Arc::new(Rulebook::new(map, false));
        let extensions =
            sandbox().load(&book, &sources).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
        assert_eq!(extensions.warnings(), [], "{name}");
        let mut random = 7u64;
        for _ in 0..2 {
            let mut pos = Jingbanqi::with_extensions(Arc::clone(&book), Arc::clone(&extensions));
            let mut listed = Vec::new();
            for _ in 0..400 {
                listed.clear();
                pos.moves(&mut listed);
                if pos.outcome().is_some() {
                    break;
                }
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let m = listed[(random >> 33) as usize % listed.len()];
                assert_eq!(pos.read_move(&pos.move_text(m)), Some(m), "{name}");
                pos.play(m);
            }
            assert_eq!(pos.fault(), None, "{name}");
            assert!(pos.outcome().is_some() || name == "chess", "{name}: {}", pos.fen());
        }
    }
}

#[test]
fn games_obey_the_laws() {
    for (_, map, text) in games().into_iter().take(3) {
        kernel::laws::check_games(&game_on(map, text), 1, 24);
    }
}

/// The rules that Python adds to chess: castling, taking in passing, and choosing what a pawn becomes.
#[test]
fn chess_castles_and_takes_in_passing() {
    let line = |texts: &str| {
        let mut pos = game_on(chess(), CHESS);
        texts.split_whitespace().for_each(|text| play(&mut pos, text));
        pos
    };
    let mut pos = line("7,5-5,5 2,1-3,1 8,6-7,5 3,1-4,1 8,7-6,6 4,1-5,1");
    assert!(moves(&pos).contains(&"8,5-8,7".to_owned()));
    play(&mut pos, "8,5-8,7");
    assert_eq!((pos.piece(61).map(|rook| rook.id), pos.piece(63)), (Some(3), None));
    let mut pos = line("7,5-5,5 2,1-3,1 5,5-4,5 2,4-4,4");
    play(&mut pos, "4,5-3,4");
    assert_eq!(pos.piece(27), None);
    let pos = line("7,1-5,1 2,2-4,2 5,1-4,2 2,1-3,1 4,2-3,1 2,3-3,3 3,1-2,1 3,3-4,3");
    let choices: Vec<String> = moves(&pos).into_iter().filter(|m| m.starts_with("2,1-1,2")).collect();
    assert_eq!(choices.len(), 4, "{choices:?}");
}

/// The teacher knows the names of level 2, and that functions of a module see each other.
#[test]
fn the_teacher_knows_level_2() {
    let text = "most = 2\ndef far(arr):\n    return JBQ.dist(arr, (0, 0)) > most\n\
                def may_drop(id, arr):\n    return far(arr) and JBQ.pece(arr) is None\n";
    let book = Arc::new(Rulebook::new(field(), false));
    let found = |text: &str| {
        let sources = [Source { file: "x.py".to_owned(), ..source(text) }];
        let loaded = sandbox().load(&book, &sources);
        let told =
            |problems: &[kernel::Problem]| problems.iter().map(|problem| problem.key).collect::<Vec<_>>();
        match &loaded {
            Ok(extensions) => told(extensions.warnings()),
            Err(problems) => told(problems),
        }
    };
    assert_eq!(found(text).len(), 1);
    assert_eq!(found(&text.replace("pece", "piece")), [""; 0]);
}
