//! A row for each paragraph of docs/rules/xiangqi.md on moving, ending and setting up. Cycles are in `cycles.rs`,
//! names of moves in `notation.rs`.

use kernel::{Notation, Outcome, Position, Problem, Side, any};
use xiangqi::{Rules, Square, Xiangqi};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn at(rules: Rules, fen: &str) -> Xiangqi {
    Xiangqi::new(rules).read_fen(fen).unwrap_or_else(|problem| panic!("{fen}: {problem}"))
}

/// The squares the piece on `from` may legally go to, by name.
fn goes(pos: &Xiangqi, from: &str) -> String {
    let from = Square::named(from).unwrap();
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let mut to: Vec<String> = moves.iter().filter(|m| m.from == from).map(|m| m.to.to_string()).collect();
    to.sort();
    to.join(" ")
}

#[test]
fn pieces_move() {
    for (name, fen, from, to) in [
        ("a general steps straight", "3k5/3n5/9/9/9/9/9/9/4K4/R8 w", "e1", "d1 e0 e2 f1"),
        ("a general stays in its palace", "3k5/9/9/9/9/9/9/5K3/9/R8 w", "f2", "e2 f1"),
        ("an advisor steps aslant", "3k5/9/9/9/9/9/9/9/4A4/4K3R w", "e1", "d0 d2 f0 f2"),
        ("an advisor stays in its palace", "3k5/9/9/9/9/9/9/3A5/9/4K3R w", "d2", "e1"),
        ("an elephant goes two aslant", "3k5/9/9/9/9/9/9/4B4/9/4K3R w", "e2", "c0 c4 g0 g4"),
        ("an elephant's eye is blocked", "3k5/9/9/9/9/9/3p5/4B4/5p3/4K3R w", "e2", "c0 g4"),
        ("an elephant stays on its bank", "3k5/9/9/9/9/2B6/9/9/9/4K3R w", "c4", "a2 e2"),
        ("a horse leaps", "3k5/9/9/9/4N4/9/9/9/9/4K4 w", "e5", "c4 c6 d3 d7 f3 f7 g4 g6"),
        ("a horse's leg is blocked", "3k5/9/9/4p4/4N4/4P4/9/9/9/4K4 w", "e5", "c4 c6 g4 g6"),
        (
            "a piece a leap away blocks nothing",
            "3k5/9/3n5/9/4N4/9/9/9/9/4K4 w",
            "e5",
            "c4 c6 d3 d7 f3 f7 g4 g6",
        ),
        (
            "a rook goes straight and takes",
            "3k5/9/n8/9/R2P5/9/9/9/9/4K4 w",
            "a5",
            "a0 a1 a2 a3 a4 a6 a7 b5 c5",
        ),
        ("a cannon takes over one screen", "3k5/n8/9/P8/C2n1r3/9/p8/p8/9/4K4 w", "a5", "a2 a4 a8 b5 c5 f5"),
        (
            "a cannon does not jump to go",
            "3k5/9/9/9/C2n5/9/9/9/9/4K4 w",
            "a5",
            "a0 a1 a2 a3 a4 a6 a7 a8 a9 b5 c5",
        ),
        (
            "two screens are one too many",
            "3k5/9/9/9/C1PPp4/9/9/9/9/4K4 w",
            "a5",
            "a0 a1 a2 a3 a4 a6 a7 a8 a9 b5",
        ),
        ("a soldier goes forward", "3k5/9/9/9/9/9/P8/9/9/4K4 w", "a3", "a4"),
        ("on its bank it goes nowhere else", "3k5/9/9/9/9/P8/9/9/9/4K4 w", "a4", "a5"),
        ("across the river it goes sideways", "3k5/9/9/9/1P7/9/9/9/9/4K4 w", "b5", "a5 b6 c5"),
        ("on the last row it goes only sideways", "1P1k5/9/9/9/9/9/9/9/9/4K4 w", "b9", "a9 c9"),
        ("a black soldier goes down", "3k5/9/9/9/9/1p7/9/9/9/4K4 b", "b4", "a4 b3 c4"),
        ("a black elephant stays on its bank", "3k5/9/9/9/2b6/9/9/9/9/4K3R b", "c5", "a7 e7"),
    ] {
        assert_eq!(goes(&at(Rules::Asian, fen), from), to, "{name}: {fen}");
    }
}

#[test]
fn the_general_is_kept_safe() {
    for (name, fen, from, to) in [
        ("the generals may not face each other", "3k5/9/9/9/9/9/9/9/4K4/R8 w", "e1", "e0 e2 f1"),
        ("a lone piece between them is held", "4k4/9/9/9/4N4/9/9/9/9/4K4 w", "e5", ""),
        ("a pinned rook moves along its line", "3k5/9/9/9/4r4/9/9/4R4/9/4K4 w", "e2", "e1 e3 e4 e5"),
        ("a check by a rook is blocked or taken", "3k5/9/9/9/4r4/9/R8/9/9/4K4 w", "a3", "e3"),
        (
            "a check by a cannon: its screen steps aside",
            "3k5/9/9/9/4c4/9/9/4N4/9/4K4 w",
            "e2",
            "c1 c3 d0 d4 f0 f4 g1 g3",
        ),
        ("a check by a cannon: a second screen", "3k5/9/9/9/4c4/9/R8/4p4/9/4K4 w", "a3", "e3"),
        (
            "nobody steps before a bare cannon",
            "3k5/9/9/9/4c4/9/R8/9/9/4K4 w",
            "a3",
            "a0 a1 a2 a4 a5 a6 a7 a8 a9 b3 c3 d3 f3 g3 h3 i3",
        ),
        ("one of two screens stays between", "3k5/9/9/9/4c4/4p4/9/4R4/9/4K4 w", "e2", "e1 e3"),
        ("a leg may be stepped on", "3k5/9/9/9/9/9/9/5n3/R8/4K4 w", "a1", "f1"),
        ("who blocks a horse stays or takes it", "3k5/9/9/9/9/9/9/5n3/5R3/4K4 w", "f1", "f2"),
        ("a soldier beside the general is taken", "3k5/9/9/9/9/9/9/9/R3p4/4K4 w", "a1", "e1"),
        ("the general takes what nobody protects", "3k5/9/9/9/9/9/9/9/4p4/4K4 w", "e0", "e1 f0"),
    ] {
        assert_eq!(goes(&at(Rules::Asian, fen), from), to, "{name}: {fen}");
    }
}

#[test]
fn games_end() {
    let won = |side, reason| Some(Outcome::Win(side, reason));
    for (name, rules, fen, outcome) in [
        ("mate", Rules::Asian, "R3k4/R8/9/9/9/9/9/9/9/3K5 b", won(Side::First, "checkmate")),
        ("stalemate loses", Rules::Asian, "3k5/R8/9/9/9/9/9/9/9/4K4 b", won(Side::First, "stalemate")),
        (
            "nobody can mate",
            Rules::Asian,
            "4k4/4a4/9/9/9/9/9/9/4A4/3K5 w",
            Some(Outcome::Draw("dead-position")),
        ),
        ("one soldier can", Rules::Asian, "4k4/4a4/9/9/P8/9/9/9/9/3K5 w", None),
        (
            "sixty moves of each side",
            Rules::Asian,
            "4k4/9/9/9/P8/9/9/9/9/3K5 w - - 120 61",
            Some(Outcome::Draw("natural-limit")),
        ),
        ("one ply less", Rules::Asian, "4k4/9/9/9/P8/9/9/9/9/3K5 w - - 119 61", None),
        (
            "mate goes before the limit",
            Rules::Asian,
            "R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 120 61",
            won(Side::First, "checkmate"),
        ),
        ("at home nothing is dead", Rules::Home, "4k4/4a4/9/9/9/9/9/9/4A4/3K5 w", None),
        ("at home there is no limit", Rules::Home, "4k4/9/9/9/P8/9/9/9/9/3K5 w - - 500 251", None),
        ("at home mate is not the end", Rules::Home, "R3k4/R8/9/9/9/9/9/9/9/3K5 b", None),
        (
            "at home the general is taken",
            Rules::Home,
            "R8/R8/9/9/9/9/9/9/9/3K5 b",
            won(Side::First, "general-taken"),
        ),
    ] {
        assert_eq!(any(at(rules, fen)).outcome(), outcome, "{name}: {fen}");
    }
}

#[test]
fn home_rules() {
    let start = Xiangqi::new(Rules::Home);
    assert_eq!(start.count(), 44);
    let black = start.read_fen(&START.replace(" w ", " b ")).expect("either side may begin");
    assert_eq!((black.turn(), black.count()), (Side::Second, 44));

    // A general in danger may stay there, and is taken.
    let mut game = any(at(Rules::Home, "3k5/9/9/9/4r4/9/R8/9/9/4K4 w"));
    game.play("a3a4").unwrap();
    assert_eq!(game.outcome(), None);
    game.play("e5e0").unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::Second, "general-taken")));
    assert!(game.moves().is_empty());

    // On an open file a general takes the other.
    let mut game = any(at(Rules::Home, "4k4/9/9/9/9/9/9/9/9/4K4 w"));
    game.play("e0e9").unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::First, "general-taken")));

    // Going to and fro is nothing.
    let mut game = any(start);
    for _ in 0..20 {
        ["h2h3", "h7h6", "h3h2", "h6h7"].into_iter().for_each(|m| game.play(m).unwrap());
    }
    assert_eq!(game.outcome(), None);
}

#[test]
fn counters_are_kept() {
    let mut pos = Xiangqi::new(Rules::Asian);
    let play = |pos: &mut Xiangqi, text: &str| pos.play(pos.read_move(text).unwrap());
    play(&mut pos, "h2e2");
    play(&mut pos, "h9g7");
    assert_eq!((pos.idle(), pos.reversible()), (2, 2));
    assert!(pos.counters().is_empty(), "far from the limit nobody wants to know");
    play(&mut pos, "e2e6");
    assert_eq!((pos.idle(), pos.reversible(), pos.in_check(Side::Second)), (0, 0, false));
    assert!(pos.notes().is_empty());
    let checked = at(Rules::Asian, "R3k4/9/9/9/9/9/9/9/9/3K5 b");
    assert_eq!(checked.notes()[0].to_string(), r#"in-check side="black" from="a9""#);

    let idle = at(Rules::Asian, "4k4/9/9/9/P8/9/9/9/9/3K5 w - - 100 51");
    let fresh = at(Rules::Asian, "4k4/9/9/9/P8/9/9/9/9/3K5 w - - 0 1");
    assert_eq!(idle.key(), fresh.key(), "counters are no part of a position's key");
    assert_ne!(idle.key(), idle.with_turn(Side::Second).key(), "the side to move is");
    assert_eq!((idle.counters()[0].now, idle.counters()[0].limit), (100, 120));
    assert_eq!(idle.clone().with_limit(50).drawn(), Some("natural-limit"));
    assert_eq!(idle.with_limit(0).drawn(), None);
}

#[test]
fn fens_are_read_in_every_spelling() {
    for fen in [
        START,
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r - - 0 1",
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w",
        " rnbakabnr/9/1c5c1/p1p1p1p1p/54/333/P1P1P1P1P/1C5C1/9/RNBAKABNR  w - - ",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0",
    ] {
        assert_eq!(at(Rules::Asian, fen).fen(), START, "{fen}");
    }
    let later = "4k4/9/9/9/P8/9/9/9/9/3K5 b - - 7 33";
    assert_eq!(at(Rules::Asian, later).fen(), later);
}

#[test]
fn fens_are_refused() {
    for (fen, problem) in [
        ("", r#"xiangqi-fen-fields found="0""#),
        ("9/9/9/9/9/9/9/9/9/9", r#"xiangqi-no-general side="red""#),
        ("a b c d e f g", r#"xiangqi-fen-fields found="7""#),
        ("4k4/9/9/9/9/9/9/9/3K5 w", r#"xiangqi-fen-rows found="9""#),
        ("4k4/9/9/9/9/9/9/9/9/9/3K5 w", r#"xiangqi-fen-rows found="11""#),
        ("4k4/9/9/x8/9/9/9/9/9/3K5 w", r#"xiangqi-fen-letter row="4" found="x""#),
        ("4k4/9/9/0/9/9/9/9/9/3K5 w", r#"xiangqi-fen-letter row="4" found="0""#),
        ("4k4/9/9/马8/9/9/9/9/9/3K5 w", r#"xiangqi-fen-letter row="4" found="马""#),
        ("4k4/9/9/8/9/9/9/9/9/3K5 w", r#"xiangqi-fen-width row="4" found="8""#),
        ("4k4/9/9/9P/9/9/9/9/9/3K5 w", r#"xiangqi-fen-width row="4" found="9P""#),
        ("4k4/9/9/99999/9/9/9/9/9/3K5 w", r#"xiangqi-fen-width row="4" found="99999""#),
        ("4k4/9/9/9/9/9/9/9/9/3K5 x", r#"xiangqi-fen-side found="x""#),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w KQ - 0 1", r#"xiangqi-fen-dash found="KQ""#),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - x 1", r#"xiangqi-fen-number found="x" most="65535""#),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - +1 1", r#"xiangqi-fen-number found="+1" most="65535""#),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 70000", r#"xiangqi-fen-number found="70000" most="65535""#),
        ("4k4/9/9/9/9/9/9/9/9/9 w", r#"xiangqi-no-general side="red""#),
        ("9/9/9/9/9/9/9/9/9/4K4 w", r#"xiangqi-no-general side="black""#),
        ("4k4/9/9/9/9/9/9/9/9/3KK4 w", r#"xiangqi-too-many side="red" piece="general" most="1""#),
        ("4k4/9/9/rrr6/9/9/9/9/9/3K5 w", r#"xiangqi-too-many side="black" piece="rook" most="2""#),
        ("4k4/9/9/PPPPPP3/9/9/9/9/9/3K5 w", r#"xiangqi-too-many side="red" piece="soldier" most="5""#),
        ("4k4/9/9/9/9/9/9/9/9/2K6 w", r#"xiangqi-off-limits side="red" piece="general" square="c0""#),
        ("4k4/9/9/9/9/9/9/9/4K4/4A4 w", r#"xiangqi-off-limits side="red" piece="advisor" square="e0""#),
        ("4k4/9/1b7/9/9/9/9/9/9/3K5 w", r#"xiangqi-off-limits side="black" piece="elephant" square="b7""#),
        ("4k4/9/9/9/9/9/1P7/9/9/3K5 w", r#"xiangqi-off-limits side="red" piece="soldier" square="b3""#),
        ("4k4/9/9/9/9/9/9/P8/9/3K5 w", r#"xiangqi-off-limits side="red" piece="soldier" square="a2""#),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "xiangqi-generals-facing"),
        ("4k4/9/9/9/9/9/9/9/R8/4K4 b", "xiangqi-generals-facing"),
        ("R3k4/9/9/9/9/9/9/9/9/3K5 w", r#"xiangqi-check-unanswered side="black" square="a9""#),
    ] {
        let found = Xiangqi::new(Rules::Asian).read_fen(fen).err().map(|problem| problem.to_string());
        assert_eq!(found.as_deref(), Some(problem), "{fen}");
    }
    // A check may stand when it is that side's turn, and an advisor may stand on its five points.
    for fen in ["R3k4/9/9/9/9/9/9/9/9/3K5 b", "3ak4/4a4/b8/9/9/9/9/3A1A3/9/3K5 w"] {
        at(Rules::Asian, fen);
    }
    let flood = "9".repeat(5000);
    assert_eq!(Xiangqi::new(Rules::Asian).read_fen(&flood).unwrap_err().key, "xiangqi-fen-too-long");
}

#[test]
fn boards_are_set_up() {
    let start = Xiangqi::new(Rules::Asian);
    let pieces = start.diagram().pieces;
    assert_eq!(pieces.len(), 32);
    let again = Notation::set_up(&start, Side::Second, &pieces).unwrap();
    assert_eq!(again.fen(), START.replace(" w ", " b "));
    assert_eq!(start.palette().len(), 14);

    let face = |pos: &Xiangqi, pieces: &[kernel::Piece]| -> Result<Xiangqi, Problem> {
        Notation::set_up(pos, Side::First, pieces)
    };
    let mut strange = pieces.clone();
    strange[0].face = "dragon".into();
    assert_eq!(face(&start, &strange).unwrap_err().key, "xiangqi-no-such-piece");
    let mut crowded = pieces.clone();
    crowded[1].at = crowded[0].at;
    assert_eq!(face(&start, &crowded).unwrap_err().key, "xiangqi-square-taken");
}

/// The board has a river, two palaces, and stations for cannons and soldiers.
#[test]
fn the_board() {
    let board = Xiangqi::new(Rules::Asian).board();
    assert_eq!((board.files, board.ranks, board.decor.len()), (9, 10, 1 + 4 + 4 + 10));
    assert_eq!(board.name(0), "a9");
    assert_eq!(board.cell_named("i0"), Some(89));
}

/// Questions that rules about cycles ask do not depend on whose turn it is.
#[test]
fn legality_of_either_side() {
    let pos = at(Rules::Asian, "3k5/9/9/9/4r4/9/9/4N4/9/4K4 b");
    let m = |text: &str| xiangqi::Move::named(text).unwrap();
    assert!(!pos.is_legal(m("e2d4")), "pinned");
    assert!(!pos.is_legal(m("e0d0")), "the generals would face each other");
    assert!(pos.is_legal(m("e0f0")));
    assert!(pos.is_legal(m("e5e2")), "the side to move");
    assert_eq!(pos.attackers(Square::named("e2").unwrap(), Side::Second).len(), 1);
}

/// FENs are read as people paste them: the board alone, one dash or none, empty hands, operations and moves behind
/// the position.
#[test]
fn fens_as_people_paste_them() {
    let board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
    let usual = Xiangqi::new(Rules::Asian);
    for rest in [
        "",
        " w",
        " w -- 0 1",
        " w 0 1",
        "[] w - - 0 1",
        " red",
        " w - - bm h2e2; id \"x\";",
        " w - - 0 1 moves",
    ] {
        let pos = usual.read_fen(&format!("{board}{rest}")).unwrap_or_else(|e| panic!("{rest}: {e}"));
        assert_eq!(pos.fen(), usual.fen(), "{rest}");
    }
    let other = usual.read_fen(&format!("position fen {board} b 3 7 moves h7e7")).expect("a position");
    assert_eq!(other.fen(), format!("{board} b - - 3 7"));
}
