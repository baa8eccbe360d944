//! Level 2 of the map language: would catch a word that means something else, a fault that is told without its cell,
//! and a game that breaks a law of the kernel.

use std::sync::Arc;

use jingbanqi::level2::{MOST_COUNT, Sheets2};
use jingbanqi::{Draft, DraftKind, Jingbanqi, Map, Move, Rulebook, Value};
use kernel::{Game, Notation, Outcome, Position, Side};

#[path = "level2/chance.rs"]
mod chance;
#[path = "level2/secrets.rs"]
mod secrets;

/// A piece: name, side (`r`, `b` or `-`, with `c` for a captain), rule, promotion, promoted rule, further columns.
type Piece<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str, &'a [(&'a str, &'a str)]);

fn kind(&(name, side, rule, promotes, promoted, columns): &Piece<'_>) -> DraftKind {
    let owner = match side.as_bytes()[0] {
        b'r' => Some(Side::First),
        b'b' => Some(Side::Second),
        _ => None,
    };
    let [name, rule, promotes, promoted] = [name, rule, promotes, promoted].map(str::to_owned);
    let attributes =
        columns.iter().map(|(heading, text)| ((*heading).to_owned(), Value::Text((*text).to_owned())));
    let captain = side.ends_with('c');
    DraftKind { name, owner, captain, rule, promotes, promoted, attributes: attributes.collect() }
}

/// Rows of cells: `;` or a new line between rows, `|` between cells.
fn rows(text: &str) -> Vec<Vec<String>> {
    let row = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect();
    text.split(';').map(row).collect()
}

/// A draft: the board with a row a line, pieces, the words after the mark.
fn draft(board: &str, pieces: &[Piece<'_>], words: &str) -> Draft {
    let lines: Vec<Vec<u32>> = board
        .trim()
        .lines()
        .map(|line| line.split_whitespace().map(|id| id.parse().unwrap_or(0)).collect())
        .collect();
    let mut rules2 = vec![vec!["棋馆 2".to_owned()]];
    if !words.is_empty() {
        rules2.extend(rows(words));
    }
    Draft {
        rows: lines.len() as u32,
        cols: lines[0].len() as u32,
        cells: lines.concat(),
        kinds: pieces.iter().map(kind).collect(),
        level2: Sheets2 { rules2, ..Sheets2::default() },
        ..Draft::default()
    }
}

fn good(draft: &Draft) -> Map {
    let reading = draft.read();
    assert_eq!(reading.errors, [], "{draft:?}");
    reading.map.expect("no errors")
}

fn game(map: &Map) -> Jingbanqi {
    Jingbanqi::new(Arc::new(Rulebook::new(map.clone(), false)))
}

/// Plays move texts; each has to be legal.
fn played(map: &Map, texts: &str) -> Game<Jingbanqi> {
    let mut game = Game::new(game(map));
    for text in texts.split_whitespace() {
        let m = game.position().read_move(text);
        let m = m.unwrap_or_else(|| {
            panic!("{text} is not legal in {}: {:?}", game.position().fen(), moves(game.position()))
        });
        game.play(m);
    }
    game
}

fn moves(pos: &Jingbanqi) -> Vec<String> {
    let mut moves: Vec<Move> = Vec::new();
    pos.moves(&mut moves);
    moves.into_iter().map(|m| pos.move_text(m)).collect()
}

const PAWNS: [Piece<'static>; 2] = [("兵", "r", "m2,1,3;", "", "", &[]), ("卒", "b", "m7,6,8;", "", "", &[])];

fn breakthrough() -> Draft {
    draft(
        "2 2 2 2 2\n2 2 2 2 2\n. . . . .\n1 1 1 1 1\n1 1 1 1 1",
        &PAWNS,
        "到达 | 兵 | X[1]; goal | 卒 | X[-1]; 无子 | 负; 无子可动 | 负",
    )
}

fn hex() -> Draft {
    let mut draft = draft(
        ". . . .\n. . . .\n. . . .\n. . . .",
        &[("●", "r", ";", "", "", &[]), ("○", "b", ";", "", "", &[])],
        "棋盘 | 六角; 连通 | 1 | 上 | 下; 连通 | 2 | 左 | 右; 交换",
    );
    draft.level2.terrain = rows("上/左|上|上|上/右; 左|||右; 左|||右; 下/左|下|下|下/右");
    draft.level2.hand = rows("归属|名称|数量; 1|●|∞; 2|○|∞");
    draft
}

fn losing() -> Draft {
    let pieces: [Piece<'_>; 6] = [
        ("K", "r", "1,2,3,4,5,6,7,8;", "", "", &[]),
        ("k", "b", "1,2,3,4,5,6,7,8;", "", "", &[]),
        ("R", "r", ";2,4,5,7", "", "", &[]),
        ("r", "b", ";2,4,5,7", "", "", &[]),
        ("P", "r", "m2,c1,c3;", "X[1]", "", &[("becomes", "R/N/K")]),
        ("N", "r", "L1:2;", "", "", &[]),
    ];
    draft("4 2 . 4\n. . . .\n5 . 5 5\n3 1 6 3", &pieces, "必吃 | 是; 无子 | 胜; stuck | win; promote | yes")
}

/// Small shogi: what is taken is put on the board again, and the lion at the far row wins.
fn dobutsu() -> Draft {
    let pieces: [Piece<'_>; 8] = [
        ("狮", "rc", "1,2,3,4,5,6,7,8;", "", "", &[]),
        ("狮", "bc", "1,2,3,4,5,6,7,8;", "", "", &[]),
        ("象", "r", "1,3,6,8;", "", "", &[("俘虏", "象")]),
        ("象", "b", "1,3,6,8;", "", "", &[("俘虏", "象")]),
        ("鸡", "r", "2;", "X[1]", "1,2,3,4,5,7;", &[("俘虏", "鸡")]),
        ("鸡", "b", "7;", "X[-1]", "2,4,5,6,7,8;", &[("俘虏", "鸡")]),
        ("鹿", "r", "2,4,5,7;", "", "", &[("俘虏", "鹿")]),
        ("鹿", "b", "2,4,5,7;", "", "", &[("俘虏", "鹿")]),
    ];
    draft(
        "8 2 4\n. 6 .\n. 5 .\n3 1 7",
        &pieces,
        "升变 | 是; 无子可动 | 负; 重复 | 3 | 和; goal | 1 | X[1]; goal | 2 | X[4]",
    )
}

/// Cannons, horses, elephants kept in their half, and generals that may not be left attacked.
fn xiangqi() -> Draft {
    let pieces: [Piece<'_>; 8] = [
        ("帅", "rc", "2,4,5,7;", "", "", &[("活动", "T[宫]+!X[1|2|3]")]),
        ("将", "bc", "2,4,5,7;", "", "", &[("活动", "T[宫]+X[1|2|3]")]),
        ("炮", "r", ";m2,m4,m5,m7,cp2,cp4,cp5,cp7", "", "", &[]),
        ("砲", "b", ";m2,m4,m5,m7,cp2,cp4,cp5,cp7", "", "", &[]),
        ("马", "r", "nL1:2;", "", "", &[]),
        ("馬", "b", "nL1:2;", "", "", &[]),
        ("相", "r", "nL2:2;", "", "", &[("within", "X[4|5|6]")]),
        ("兵", "r", "2,4(X[1|2|3]),5(X[1|2|3]);", "", "", &[]),
    ];
    let mut draft = draft(
        "6 . 2 . .\n. . . . 4\n. . . . .\n. 8 . . .\n3 . . . 5\n7 . 1 . .",
        &pieces,
        "禁送; 无子可动 | 负; 重复 | 2 | 禁; 无吃 | 40 | 数",
    );
    draft.level2.terrain = rows("|宫|宫|宫; |宫|宫|宫; ; ; |宫|宫|宫; |宫|宫|宫");
    draft
}

/// Ranks, gaps, turns of several plies, passes, points and a line.
fn mixture() -> Draft {
    let pieces: [Piece<'_>; 5] = [
        ("象", "r", "2,4,5,7;", "", "", &[("级", "3"), ("可吃", "级-卒"), ("分", "5")]),
        ("兵", "r", "2,4,5,7;", "", "", &[]),
        ("猫", "b", "2*2,4*2,5*2,7*2;", "", "", &[("级", "2"), ("可吃", "级+象"), ("分", "2")]),
        ("卒", "b", "V1:0,V0:-1,p5;", "", "", &[("分", "1")]),
        ("石", "-", "4,5;", "", "", &[]),
    ];
    let mut draft = draft(
        "3 . 4 .\n. . . 4\n. 5 . .\n2 . 1 2",
        &pieces,
        "顺序 | RB RRBB; 可不走 | 是; 无子可动 | 停; 计分 | 数 | 分; 手数 | 60 | 数; 连线 | 4; 中立 | 是; 首领 | 全",
    );
    draft.level2.terrain = rows("; 无; ; |||");
    draft
}

fn all() -> Vec<(&'static str, Draft)> {
    vec![
        ("breakthrough", breakthrough()),
        ("hex", hex()),
        ("losing", losing()),
        ("dobutsu", dobutsu()),
        ("xiangqi", xiangqi()),
        ("mixture", mixture()),
    ]
}

#[test]
fn maps_of_level_2_obey_the_laws() {
    for (name, draft) in all() {
        println!("{name}");
        kernel::laws::check_games(&game(&good(&draft)), 12, 120);
    }
}

#[test]
fn a_draft_of_a_map_is_the_map() {
    for (name, draft) in all() {
        let map = good(&draft);
        assert_eq!(good(&Draft::from(&map)), map, "{name}");
        let pieces = jingbanqi::words::kinds(&map, &[]);
        assert_eq!(pieces.len(), map.kinds.len(), "{name}");
        assert!(jingbanqi::show::show(&map).contains("棋馆 2"), "{name}");
    }
}

/// The squares that the only piece of a rule may go to: `x` on a board of five by five with the piece in the middle.
#[test]
fn ways_lead_where_they_say() {
    // Rule, what stands there (1 own, 2 enemy), destinations as row and column.
    type Squares = &'static [(u32, u32)];
    let table: [(&str, Squares, Squares, &str); 14] = [
        ("m2;", &[], &[(2, 3)], ""),
        ("2;", &[], &[], "2,3"),
        ("m2;", &[], &[], "2,3"),
        ("c2;", &[], &[], ""),
        ("c2;", &[], &[(2, 3)], "2,3"),
        (";2", &[], &[], "1,3 2,3"),
        (";2", &[(2, 3)], &[], ""),
        ("p2;", &[(2, 3)], &[], "1,3"),
        (";cp2", &[(2, 3)], &[(1, 3)], "1,3"),
        (";mp2", &[(2, 3)], &[(1, 3)], ""),
        ("L1:2;", &[(2, 3)], &[], "1,2 1,4 2,1 2,5 4,1 4,5 5,2 5,4"),
        ("nL1:2;", &[(2, 3)], &[], "2,1 2,5 4,1 4,5 5,2 5,4"),
        ("V-2:1;", &[], &[], "1,4"),
        ("4*2,nL2:2;", &[(2, 2)], &[], "1,5 3,1 3,2 5,1 5,5"),
    ];
    for (rule, own, enemy, wanted) in table {
        let wanted: Vec<&str> = wanted.split_whitespace().collect();
        let mut draft = draft(
            ". . . . .\n. . . . .\n. . 1 . .\n. . . . .\n. . . . .",
            &[("A", "r", rule, "", "", &[]), ("o", "r", ";", "", "", &[]), ("e", "b", ";", "", "", &[])],
            "",
        );
        let mut put = |squares: &[(u32, u32)], id| {
            squares.iter().for_each(|(row, col)| draft.cells[((row - 1) * 5 + col - 1) as usize] = id);
        };
        put(own, 2);
        put(enemy, 3);
        let mut found: Vec<String> = moves(&game(&good(&draft)))
            .iter()
            .map(|text| text.split_once('-').expect("a move").1.to_owned())
            .collect();
        found.sort();
        assert_eq!(found, wanted, "{rule} {own:?} {enemy:?}");
    }
}

/// Whole games: a map, its moves, how it ends.
#[test]
fn games_end_as_the_words_say() {
    let line = draft(
        ". . .\n. . .\n. . .",
        &[("●", "r", ";", "", "", &[]), ("○", "b", ";", "", "", &[])],
        "line | 3; must take | no",
    );
    let hands = rows("side|piece|count; 1|●|3; 2|○|∞");
    let line = Draft { level2: Sheets2 { hand: hands, ..line.level2.clone() }, ..line };
    let race = |words: &str| {
        draft(
            "2 . 4\n. . .\n1 . 3",
            &[
                ("A", "r", "2;", "", "", &[]),
                ("a", "b", "7;", "", "", &[]),
                ("B", "r", "2,7;", "", "", &[("p", "3")]),
                ("b", "b", "2,7;", "", "", &[("p", "2")]),
            ],
            words,
        )
    };
    let win = |side, reason| Some(Outcome::Win(side, reason));
    let (red, blue) = (Side::First, Side::Second);
    let table: [(&str, Draft, &str, Option<Outcome>); 16] = [
        ("breakthrough", breakthrough(), "4,1-3,1 2,5-3,5 3,1-2,2 1,1-2,2", None),
        ("goal", race("到达 | A | X[2]"), "3,1-2,1", win(red, "goal-reached")),
        ("a goal of another piece", race("到达 | B | X[1]"), "3,1-2,1", None),
        ("hex", hex(), "●*1,2 ○*2,3 ●*2,2 ○*3,3 ●*3,2 ○*2,4 ●*4,2", win(red, "regions-connected")),
        (
            "hex is joined along 3 and 6, not 1 and 8",
            hex(),
            "●*1,1 ○*1,4 ●*2,2 ○*2,4 ●*3,3 ○*1,3 ●*4,4",
            None,
        ),
        // Red's stone is the second player's now, who is red; the first player has blue and moves.
        ("swap", hex(), "●*1,2 swap ○*2,3 ●*2,2 ○*3,3 ●*3,2 ○*2,4 ●*4,2", win(blue, "regions-connected")),
        ("line", line.clone(), "●*1,1 ○*1,2 ●*2,2 ○*1,3 ●*3,3", win(red, "line-made")),
        ("an empty hand", line, "●*1,1 ○*1,2 ●*2,3 ○*2,2 ●*3,1 ○*3,2", win(blue, "line-made")),
        ("two passes", race("pass | yes"), "pass 停", Some(Outcome::Draw("two-passes"))),
        (
            "two passes and points",
            race("pass | yes; score | count | p"),
            "pass pass",
            win(red, "points-counted"),
        ),
        (
            "points of what is taken",
            race("score | 2 | p"),
            "3,3-2,3 1,1-2,1 2,3-1,3",
            win(red, "score-reached"),
        ),
        ("repetition", race("repeat | 2 | draw"), "3,3-2,3 1,3-2,3", None),
        ("plies", race("plies | 2"), "3,3-2,3 1,1-2,1", Some(Outcome::Draw("ply-limit"))),
        ("quiet", race("quiet | 2 | count"), "3,3-2,3 1,1-2,1", Some(Outcome::Draw("points-counted"))),
        ("stuck loses", race("stuck | lose"), "3,1-2,1 1,3-2,3 3,3-2,3 1,1-2,1", None),
        ("order", race("order | RRB"), "3,1-2,1 3,3-2,3 1,3-2,3", None),
    ];
    for (name, draft, texts, end) in table {
        let game = played(&good(&draft), texts);
        assert_eq!(game.outcome(), end, "{name}: {}", game.position().fen());
    }
}

#[test]
fn who_can_take_has_to() {
    let map = good(&losing());
    let game = played(&map, "3,1-2,1");
    assert_eq!(moves(game.position()), ["1,1-2,1", "1,2-2,1", "1,4-3,4"]);
}

#[test]
fn a_pawn_chooses_what_it_becomes() {
    let map = good(&losing());
    let pos = game(&map).read_fen("2,.3/.,5,.2/.4/.,1,.2 r 0,0 - - 0,0,0,0 0,0 -").expect("a FEN");
    let found: Vec<String> = moves(&pos).into_iter().filter(|text| text.starts_with("2,2")).collect();
    assert_eq!(found, ["2,2-1,1=R", "2,2-1,1=N", "2,2-1,1=K"]);
    let mut next = pos.clone();
    next.play(pos.read_move(" 2,2-1,1 = N").expect("legal"));
    assert_eq!(next.fen(), "6,.3/.4/.4/.,1,.2 b 0,0 blue:rid-of-all - 1,1,0,0 0,0 -");
    assert_eq!(pos.read_move("2,2-1,1"), None, "a choice has to be made");
}

#[test]
fn taken_pieces_are_put_on_the_board_again() {
    let game = played(&good(&dobutsu()), "3,2-2,2 1,2-2,2");
    assert_eq!(game.position().hands(), [(Side::Second, 6, 1), (Side::First, 5, 1)]);
    let next = played(&good(&dobutsu()), "3,2-2,2 1,2-2,2 鸡*3,2");
    assert_eq!(next.position().hands(), [(Side::Second, 6, 1)]);
    assert!(next.position().fen().contains(" b6*1 3,1,1,0 "), "{}", next.position().fen());
}

/// Clients draw the board and the hands from this.
#[test]
fn clients_are_told_of_hands_choices_and_the_board() {
    let mut map = hex();
    map.level2.look = rows("名称|颜色|图标|说明; 上|红||红方的边; 左||水|");
    let map = good(&map);
    let view = kernel::any(game(&map)).view();
    let hand = |side, face: &str| kernel::HandPiece {
        side,
        face: face.to_owned().into(),
        pick: face.to_owned(),
        count: None,
    };
    assert_eq!(view.hands, [hand(Side::First, "●"), hand(Side::Second, "○")]);
    let kernel::Offered::Listed(moves) = view.moves else { panic!("the moves are listed") };
    assert!(moves.iter().all(|m| m.path.len() == 1 && m.pick.as_deref() == Some("●")), "{moves:?}");
    let board = game(&map).board();
    assert!(board.hex);
    let terrain: Vec<(&str, Option<&str>, Option<&str>, usize)> = board
        .terrain
        .iter()
        .map(|look| (look.name.as_str(), look.colour.as_deref(), look.icon.as_deref(), look.cells.len()))
        .collect();
    assert_eq!(terrain, [("红方的边", Some("red"), None, 4), ("左", None, Some("water"), 4)]);
    assert_eq!(board.hands, None, "one kind of stone, and any number of it, needs no row beside the board");
    assert!(!game(&good(&losing())).board().hex);
    assert_eq!(game(&good(&dobutsu())).board().hands, Some(Side::First), "red begins at the bottom");
    let mut turned = dobutsu();
    turned.cells.reverse();
    assert_eq!(game(&good(&turned)).board().hands, Some(Side::Second));
    let drop = kernel::AnyGame::view(&played(&good(&dobutsu()), "3,2-2,2 1,2-2,2"));
    let kernel::Offered::Listed(moves) = drop.moves else { panic!("the moves are listed") };
    let drops: Vec<_> = moves.iter().filter(|m| m.path.len() == 1).collect();
    assert!(!drops.is_empty() && drops.iter().all(|m| m.face.as_deref() == Some("鸡")), "{moves:?}");
}

#[test]
fn an_attacked_general_has_to_be_saved() {
    let map = good(&xiangqi());
    // A cannon on the general's file with one piece between them.
    let pos =
        game(&map).read_fen(".2,2,.2/.5/.2,8,.2/.2,3,.2/.5/.2,1,.2 b 0,0 - - 0,1,0,0 0,0 -").expect("a FEN");
    assert_eq!(pos.checks(), [false, true]);
    let texts = moves(&pos);
    assert!(texts.contains(&"1,3-1,2".to_owned()), "{texts:?}");
    assert!(!texts.contains(&"1,3-2,3".to_owned()), "it is attacked there, too: {texts:?}");
}

#[test]
fn a_forbidden_repetition_is_not_listed() {
    let map = good(&xiangqi());
    let game = played(&map, "6,3-6,2 1,3-1,2 6,2-6,3");
    assert!(!moves(game.position()).contains(&"1,2-1,3".to_owned()));
    assert!(moves(game.position()).contains(&"1,2-2,2".to_owned()));
}

#[test]
fn long_games_that_repeat_need_no_stack() {
    let map = good(&draft(
        "2 .\n1 .",
        &[("A", "r", "4,5;", "", "", &[]), ("a", "b", "4,5;", "", "", &[])],
        "repeat | 4096 | draw",
    ));
    let mut pos = game(&map);
    let mut moves = Vec::new();
    for _ in 0..3000 {
        moves.clear();
        pos.moves(&mut moves);
        pos.play(moves[0]);
    }
    assert_eq!(pos.outcome(), None);
}

/// Changes to a draft of breakthrough, and the error with its cell and the nearest word.
#[test]
fn faults_are_told_with_their_cells() {
    let words = |words: &str| {
        let mut draft = breakthrough();
        draft.level2.rules2.extend(rows(words));
        draft
    };
    let with = |change: fn(&mut Draft)| {
        let mut draft = breakthrough();
        change(&mut draft);
        draft
    };
    let hexed = |rule: &str| {
        let mut draft = hex();
        draft.kinds[0].rule = rule.to_owned();
        draft
    };
    let column = |heading: &str, text: &str| {
        let mut draft = breakthrough();
        draft.kinds[1].attributes.push((heading.to_owned(), Value::Text(text.to_owned())));
        draft
    };
    let table: [(Draft, &str, &str, &str); 30] = [
        (words("pas | yes"), "map-rules2-word", "rules2!A6", "pass"),
        (words("可走 | 是"), "map-rules2-word", "rules2!A6", "可不走"),
        (words("pass | maybe"), "map-rules2-value", "rules2!B6", "yes"),
        (words("pass"), "map-rules2-value", "rules2!B6", "是"),
        (words("pass | yes | yes"), "map-rules2-extra", "rules2!C6", ""),
        (words("stuck | lose"), "map-rules2-twice", "rules2!A6", ""),
        (words("看见 | 所及"), "map-level2-later", "rules2!B6", ""),
        (words("board | 图"), "map-level2-later", "rules2!B6", ""),
        (words("order | RR"), "map-rules2-value", "rules2!B6", "RB"),
        (words("repeat | 1 | draw"), "map-rules2-value", "rules2!B6", ""),
        (words("repeat | 3 | drawn"), "map-rules2-value", "rules2!C6", "draw"),
        (words("goal | 马 | X[1]"), "map-unknown-piece", "rules2!B6", "兵"),
        (words("goal | 兵 | Q[1]"), "map-bad-location-rule", "rules2!C6", ""),
        (words("goal | 兵 | T[水]"), "map-unknown-terrain", "rules2!C6", "-"),
        (words("connect | 3 | a | b"), "map-rules2-value", "rules2!B6", ""),
        (words("score | count | p"), "map-rules2-value", "rules2!C6", "-"),
        (with(|d| d.kinds[0].rule = "x2;".to_owned()), "map-bad-move-rule", "chesses!E2", ""),
        (with(|d| d.kinds[0].rule = "mc2;".to_owned()), "map-bad-move-rule", "chesses!E2", ""),
        (with(|d| d.kinds[0].rule = ";L1:2".to_owned()), "map-bad-move-rule", "chesses!E2", ""),
        (with(|d| d.kinds[1].promotes = "T[宫]".to_owned()), "map-unknown-terrain", "chesses!F3", "-"),
        (hexed("2,8;"), "map-hex-direction", "chesses!E2", ""),
        (column("takes", "马"), "map-unknown-piece", "chesses!H3", "兵"),
        (column("rank", "high"), "map-bad-rank", "chesses!H3", ""),
        (column("俘虏", "车"), "map-unknown-piece", "chesses!H3", "兵"),
        (column("翻开", "袋"), "map-unknown-bag", "chesses!H3", "-"),
        (with(|d| d.level2.terrain = rows("|||||x")), "map-terrain-off-board", "terrain!F1", ""),
        (with(|d| d.level2.terrain = rows("无")), "map-piece-off", "map!A2", ""),
        (with(|d| d.level2.hand = rows("a|b|c; 1|兵|4097")), "map-bad-hand-count", "hand!C2", ""),
        (with(|d| d.level2.hand = rows("a|b|c; 3|兵|1")), "map-bad-hand-side", "hand!A2", ""),
        (
            with(|d| {
                d.level2.terrain = rows("; ; 水");
                d.level2.look = rows("name|colour|icon|word; 水|bleu|water|");
            }),
            "map-bad-look",
            "look!B2",
            "blue",
        ),
    ];
    for (draft, key, place, near) in table {
        let reading = draft.read();
        let found: Vec<_> =
            reading.errors.iter().map(|e| (e.key, e.arg("place").unwrap_or_default())).collect();
        assert_eq!(found, [(key, place)], "{:?}", reading.errors);
        if !near.is_empty() {
            assert_eq!(reading.errors[0].arg("near"), Some(near), "{key} {place}");
        }
        assert!(reading.map.is_none());
    }
    assert_eq!(MOST_COUNT, 4096);
}

#[test]
fn without_the_mark_words_of_level_2_are_refused() {
    let unmarked = Draft { level2: Sheets2::default(), ..breakthrough() };
    let reading = unmarked.read();
    assert_eq!(reading.errors[0].arg("why"), Some("level-2"), "{:?}", reading.errors);
    let mut wrong = breakthrough();
    wrong.level2.rules2[0][0] = "Qiguan 3".to_owned();
    assert_eq!(wrong.read().errors[0].key, "map-missing-mark");
}

#[test]
fn positions_that_are_none_are_refused() {
    let start = game(&good(&mixture()));
    let fen = start.fen();
    assert_eq!(start.read_fen(&fen).map(|pos| pos.fen()), Ok(fen.clone()));
    let table = [
        (fen.trim_end_matches(" -").to_owned(), "jingbanqi-fen-fields"),
        (fen.replace("0,0,0,0", "0,9,0,0"), "jingbanqi-fen-counters"),
        (fen.replace("0,0,0,0", "0,1,0,0"), "jingbanqi-fen-counters"),
        (format!("{} s", fen.trim_end_matches(" -")), "jingbanqi-fen-counters"),
        (fen.replace(" - - ", " - r1*2 "), "jingbanqi-fen-hand"),
        (fen.replacen("/.3,4", "/4,.2,4", 1), "jingbanqi-fen-gap"),
    ];
    for (bad, key) in table {
        assert_eq!(start.read_fen(&bad).map(|pos| pos.fen()).unwrap_err().key, key, "{bad}");
    }
}

/// A hostile table: every piece has long rules and columns, and nothing takes long.
#[test]
fn large_maps_of_level_2_are_refused_or_read_at_once() {
    let begun = std::time::Instant::now();
    let mut many = breakthrough();
    let name = |n: usize| format!("p{n}");
    many.kinds = (0..4000)
        .map(|n| DraftKind {
            name: name(n),
            owner: Some(Side::BOTH[n % 2]),
            rule: "L1:2,nL1:3;2,4".to_owned(),
            attributes: vec![(
                "可吃".to_owned(),
                Value::Text(format!("级-{}/{}", name(n), name((n + 1) % 4000))),
            )],
            ..DraftKind::default()
        })
        .collect();
    many.level2.rules2.truncate(1);
    let reading = many.read();
    assert!(reading.errors.len() <= 20, "{:?}", reading.errors);
    if let Some(map) = reading.map {
        let mut moves = Vec::new();
        game(&map).moves(&mut moves);
    }
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}
