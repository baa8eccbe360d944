//! A row for each paragraph of docs/rules/draughts.md: a position and its moves, or a line and how it ends.

use crate::common::by_key;
use draughts::*;
use kernel::{AnyGame, Game, Notation, Outcome, Position, Side};

fn pos<R: Rules>(fen: &str) -> Draughts<R> {
    let start = Draughts::<R>::start();
    if fen.is_empty() { start } else { start.read_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}")) }
}

/// The legal moves as Hub texts, sorted; `=K` behind those that promote.
fn listed<R: Rules>(fen: &str) -> String {
    let pos = pos::<R>(fen);
    let text = |m: Move<R>| format!("{}{}", pos.hub(m), if m.promotes() { "=K" } else { "" });
    let mut texts: Vec<String> = pos.legal().into_iter().map(text).collect();
    texts.sort();
    texts.join(" ")
}

/// Plays texts until the game is over; the FEN then, and how it ended.
fn played<R: Rules>(fen: &str, moves: &str) -> (String, Option<Outcome>) {
    let mut game = Game::new(pos::<R>(fen));
    for text in moves.split_whitespace() {
        assert_eq!(Game::outcome(&game), None, "{} {fen} before {text}", R::KEY);
        AnyGame::play(&mut game, text).unwrap_or_else(|e| panic!("{} {fen} {text}: {e:?}", R::KEY));
    }
    (AnyGame::fen(&game), Game::outcome(&game))
}

fn check_moves<R: Rules>(paragraph: &str, fen: &str, moves: &str) {
    assert_eq!(listed::<R>(fen), moves, "§{paragraph} {} {fen}", R::KEY);
}

#[test]
fn moves_of_each_paragraph() {
    for (paragraph, variant, fen, moves) in MOVES {
        by_key!(*variant, check_moves(paragraph, fen, moves));
    }
}

/// Paragraph, variant, position, moves: each was worked out on a board.
const MOVES: &[(&str, &str, &str, &str)] = &[
    ("3.1", "international", "W:W28:B1", "28-22 28-23"),
    ("3.1", "international", "B:W50:B23", "23-28 23-29"),
    ("3.1", "turkish", "W:W36:B1", "36-28 36-35 36-37"),
    ("3.2", "international", "W:WK28:B1,17", "28x11x17 28x6x17"),
    ("3.2", "english", "W:WK18:B1", "18-14 18-15 18-22 18-23"),
    (
        "3.2",
        "turkish",
        "W:WK36:B1",
        "36-12 36-20 36-28 36-33 36-34 36-35 36-37 36-38 36-39 36-4 36-40 36-44 36-52 36-60",
    ),
    ("3.3", "international", "W:W28,48:B23", "28x19x23"),
    ("4.1", "international", "W:W28:B33", "28x39x33"),
    ("4.1", "english", "W:W18:B23", "18-14 18-15"),
    ("4.1", "frisian", "W:W28:B27", "28x26x27"),
    ("4.1", "frisian", "W:W38:B28", "38x18x28"),
    ("4.1", "turkish", "W:W36:B35", "36x34x35"),
    ("4.1", "turkish", "W:W36:B44", "36-28 36-35 36-37"),
    ("4.2", "international", "W:WK46:B28", "46x10x28 46x14x28 46x19x28 46x23x28 46x5x28"),
    ("4.2", "international", "W:WK46:B28,23", "46-32 46-37 46-41"),
    ("4.2", "frisian", "W:WK46:B26", "46x16x26 46x6x26"),
    ("4.3", "italian", "W:W19:BK14", "19-15"),
    ("4.3", "spanish", "W:W19:BK14", "19x10x14"),
    ("4.4", "thai", "W:WK29:B22", "29x18x22"),
    ("4.4", "killer", "W:WK46:BK28", "46x23x28"),
    ("4.4", "killer", "W:WK46:B28", "46x10x28 46x14x28 46x19x28 46x23x28 46x5x28"),
    ("4.5", "russian", "W:WK29:B10,22", "29x1x10x22 29x6x10x22"),
    ("4.5", "international", "W:W28:B12,13,22,23", "28x28x12x13x22x23"),
    ("4.5", "thai", "W:WK18:B15,22", "18x11x15x22 18x25x15x22"),
    ("4.5", "turkish", "W:WK36:B28,44", "36x12x28 36x20x28 36x4x28 36x52x44 36x60x44"),
    ("4.6", "brazilian", "W:WK29:B9,10,22,26", "29x13x9x10x22"),
    ("4.6", "turkish", "W:WK57:B31,40,41,42", "57x41x31x40x41x42"),
    ("4.7", "international", "W:WK5,22,40,44:B6,10,32,43", "5x37x10x32 5x41x10x32 5x46x10x32"),
    ("5.2", "brazilian", "W:W21,24:B9,17,19", "21x5x9x17"),
    ("5.1", "russian", "W:W21,24:B9,17,19", "21x5x9x17 24x15x19"),
    ("5.2", "international", "W:W47,48:B42,33,K43", "47x29x33x42 47x49x42x43 48x28x33x43"),
    ("5.2", "international", "W:W27,48:B21,12,K43", "27x16x21 48x39x43"),
    ("5.3", "spanish", "W:W25,26:B21,14,22,K13", "25x9x13x21 26x10x13x21"),
    ("5.3", "spanish", "W:W26:B21,13,22,K15", "26x12x15x22"),
    ("5.4", "italian", "W:W27,K26:B23,15,21", "27x11x15x23"),
    ("5.4", "italian", "W:W27,K26:B23,21", "26x17x21"),
    ("5.4", "italian", "W:WK26:BK22,K15,21,K13", "26x12x15x22"),
    ("5.4", "italian", "W:WK26:BK22,15,21,K13", "26x12x15x22"),
    ("5.5", "frisian", "W:W28:B22,K23", "28x19x23"),
    ("5.5", "frisian", "W:W28,K50:B22,44", "50x33x44 50x39x44"),
    (
        "5.5",
        "frisian",
        "W:W49,K46:BK37,K28,44,34,24",
        "46x15x24x28x34x37x44 46x20x24x28x34x37x44 46x45x24x28x34x37x44 46x50x24x28x34x37x44",
    ),
    ("5.6", "czech", "W:W21,K32:B17,27", "32x14x27 32x18x27 32x23x27 32x5x27 32x9x27"),
    ("5.6", "czech", "W:W21,24:B17,19", "21x14x17 24x15x19"),
    ("6.1", "international", "W:W6:B45", "6-1=K"),
    ("6.2", "international", "W:W12:B8,9", "12x14x8x9"),
    ("6.2", "pool", "W:W11:B7,9", "11x2x7=K"),
    ("6.3", "english", "W:W10:B7,8", "10x3x7=K"),
    ("6.3", "czech", "W:W11:B7,9", "11x2x7=K"),
    ("6.4", "russian", "W:W11:B7,9", "11x13x7x9=K"),
    ("7.1", "frisian", "W:WK28,50:B1:+0+328", "50-44 50-45"),
    (
        "7.1",
        "frisian",
        "W:WK28,50:B1:+0+228",
        "28-10 28-11 28-14 28-17 28-19 28-22 28-23 28-32 28-33 28-37 28-39 28-41 28-44 28-46 28-5 28-6 50-44 50-45",
    ),
    ("7.1", "frisian", "W:WK28,50:B19:+0+328", "28x10x19 28x14x19 28x5x19"),
    (
        "7.3",
        "frisian",
        "W:WK28,K50:B1:+0+328",
        "28-10 28-11 28-14 28-17 28-19 28-22 28-23 28-32 28-33 28-37 28-39 28-41 28-44 28-46 28-5 28-6 50-33 50-39 50-44 50-45",
    ),
    (
        "10.3",
        "international",
        "B:BK24:WG20,G23,40",
        "24-13 24-19 24-2 24-29 24-30 24-33 24-35 24-38 24-42 24-47 24-8",
    ),
    ("10.3", "international", "W:W28:B23,G19", "28-22"),
];

const fn win(side: Side, reason: &'static str) -> Option<Outcome> {
    Some(Outcome::Win(side, reason))
}

const fn draw(reason: &'static str) -> Option<Outcome> {
    Some(Outcome::Draw(reason))
}

/// Paragraph, variant, position, moves, the FEN afterwards, and how the game ended.
type RuleCase = (&'static str, &'static str, &'static str, &'static str, &'static str, Option<Outcome>);

const LINES: &[RuleCase] = &[
    ("4.6", "international", "W:W28:B12,13,22,23,5", "28x28", "B:W28:B5", None),
    ("6.1", "international", "W:W6:B16", "6-1", "B:WK1:B16", None),
    ("7.1", "frisian", "W:WK46,50:B1:+0+246", "46-41", "B:WK41,50:B1:H1:+0+341", None),
    ("7.1", "frisian", "W:WK46,50:B1:+0+246", "50-44", "B:W44,K46:B1", None),
    ("7.1", "frisian", "W:WK46,K50,45:B1:+0+346", "50-39", "B:WK39,45,K46:B1:H1:+0+139", None),
    ("7.3", "frisian", "B:WK46,23:B19:+0+246", "19x28", "W:WK46:B28", None),
    ("8.1", "international", "W:W28:B23", "28x19", "B:W19:B", win(Side::First, "no-pieces")),
    ("8.1", "international", "W:W50,12:B45", "12-8", "B:W8,50:B45", win(Side::First, "blocked")),
    ("8.1", "english", "W:W18:B15", "18x11", "B:W11:B", win(Side::Second, "no-pieces")),
    ("8.2", "losing", "W:W28:B23", "28x19", "B:W19:B", win(Side::Second, "rid-of-all")),
    ("8.2", "losing", "W:W50,12:B45", "12-8", "B:W8,50:B45", win(Side::Second, "blocked-wins")),
    ("8.3", "breakthrough", "W:W6:B16", "6-1", "B:WK1:B16", win(Side::First, "first-king")),
    ("9", "international", "W:WK46,35:BK45:H49", "35-30", "B:W30,K46:BK45:E1", None),
    ("9.1", "international", "W:WK46,31:BK5,20:H48", "46-41", "B:W31,K41:BK5,20:H49", None),
    ("9.1", "international", "W:WK46,31:BK5,20:H49", "46-41", "B:W31,K41:BK5,20:H50", draw("kings-only")),
    ("9.1", "international", "W:WK46,31:BK5,20:H49", "31-27", "B:W27,K46:BK5,20", None),
    ("9.1", "school", "W:WK29,21:BK4,12:H49", "29-25", "B:W21,K25:BK4,12:H50", draw("kings-only")),
    ("9.1", "russian", "W:WK29,21:BK4,12:H29", "29-25", "B:W21,K25:BK4,12:H30:E1", draw("kings-only")),
    ("9.1", "pool", "W:WK29,21:BK4,12:H29", "29-25", "B:W21,K25:BK4,12:H30", draw("kings-only")),
    ("9.1", "english", "W:WK29,21:BK4,12:H79", "29-25", "B:W21,K25:BK4,12:H80", draw("kings-only")),
    ("9.1", "italian", "W:WK29,21:BK4,12:H79", "29-25", "B:W21,K25:BK4,12:H80", draw("kings-only")),
    ("9.1", "spanish", "W:WK29,21:BK4,10:H39", "29-25", "B:W21,K25:BK4,10:H40", draw("kings-only")),
    ("9.1", "czech", "W:WK29,21:BK4,12:H59", "29-25", "B:W21,K25:BK4,12:H60", draw("kings-only")),
    ("9.1", "thai", "W:WK29,21:BK4,12:H49", "29-25", "B:W21,K25:BK4,12:H50", draw("kings-only")),
    ("9.1", "turkish", "W:WK57,50:BK4,12:H49", "57-58", "B:W50,K58:BK4,12:H50", draw("kings-only")),
    ("9.1", "frisian", "W:WK46,K47,K48:BK1,K2:H49", "46-41", "B:WK41,K47,K48:BK1,K2:H50", draw("kings-only")),
    ("9.2", "international", "W:WK46:BK2,3,K4:E30", "46-41", "B:WK41:BK2,3,K4:H1:E31", None),
    (
        "9.2",
        "international",
        "W:WK46:BK2,3,K4:E31",
        "46-41",
        "B:WK41:BK2,3,K4:H1:E32",
        draw("three-against-one"),
    ),
    ("9.2", "international", "W:WK46:BK28,K2,K3:E20", "46x23", "B:WK23:BK2,K3", None),
    ("9.2", "international", "B:WK5:BK2,43:E4", "43-48", "W:WK5:BK2,K48:E5", None),
    ("9.2", "international", "W:WK46:BK2:E9", "46-41", "B:WK41:BK2:H1:E10", draw("few-pieces")),
    ("9.3", "russian", "W:WK21:BK2,K3,K4:E29", "21-25", "B:WK25:BK2,K3,K4:H1:E30", draw("three-kings")),
    ("9.3", "russian", "W:WK29:BK3,K2:E9", "29-25", "B:WK25:BK2,K3:H1:E10", draw("few-pieces")),
    ("9.3", "russian", "W:WK29,K25:BK4,K3:E59", "25-21", "B:WK21,K29:BK3,K4:H1:E60", draw("balance-small")),
    (
        "9.3",
        "brazilian",
        "W:WK29,21,30:BK4,K3,2:E119",
        "29-25",
        "B:W21,K25,30:B2,K3,K4:H1:E120",
        draw("balance-large"),
    ),
    ("9.3", "brazilian", "W:WK29,5,30:BK12,K3,2:E50", "5-1", "B:WK1,K29,30:B2,K3,K12", None),
    ("9.3", "russian", "W:WK29:BK3,K2,13:D9", "29-25", "B:WK25:BK2,K3,13:H1:E1:D10", draw("long-diagonal")),
    ("9.3", "russian", "W:WK29:BK3,K2,13:D4", "29-25", "B:WK25:BK2,K3,13:H1:E1:D5", None),
    ("9.4", "frisian", "W:WK46:BK2,K3:E13", "46-41", "B:WK41:BK2,K3:H1:E14", draw("two-kings")),
    ("9.4", "frisian", "W:WK46:BK2:E3", "46-41", "B:WK41:BK2:H1:E4", draw("king-against-king")),
    ("9.7", "turkish", "W:WK1:BK14,17", "1x25x17", "B:WK25:BK14", draw("one-against-one")),
    ("9.5", "spanish", "W:WK29:BK2,K3,K4:E23", "29-25", "B:WK25:BK2,K3,K4:H1:E24", draw("three-kings")),
    (
        "9.6",
        "international",
        "W:WK46,45:BK1,6",
        "46-41 1-7 41-46 7-1 46-41 1-7 41-46 7-1",
        "W:W45,K46:BK1,6:H8",
        draw("position-repeated"),
    ),
    (
        "9.6",
        "italian",
        "W:WK29,32:BK4,1",
        "29-25 4-8 25-29 8-4 29-25 4-8 25-29 8-4 29-25 4-8 25-29 8-4",
        "W:WK29,32:B1,K4:H12",
        draw("position-repeated"),
    ),
    (
        "9.6",
        "frisian",
        "W:WK46,K47,K48:BK1,K2",
        "46-41 1-6 41-46 6-1 46-41 1-6 41-46 6-1",
        "W:WK46,K47,K48:BK1,K2:H8",
        None,
    ),
];

fn check_line<R: Rules>(line: &RuleCase) {
    let (paragraph, _, fen, moves, after, outcome) = line;
    assert_eq!(
        played::<R>(fen, moves),
        ((*after).to_owned(), *outcome),
        "§{paragraph} {} {fen} {moves}",
        R::KEY
    );
}

#[test]
fn lines_of_each_paragraph() {
    for line in LINES {
        by_key!(line.1, check_line(line));
    }
}

/// §2: who begins, where the men stand, which corner is played on.
#[test]
fn starts() {
    for (variant, start) in [
        ("international", "W:W31-50:B1-20"),
        ("killer", "W:W31-50:B1-20"),
        ("breakthrough", "W:W31-50:B1-20"),
        ("losing", "W:W31-50:B1-20"),
        ("frisian", "W:W31-50:B1-20"),
        ("frysk", "W:W46-50:B1-5"),
        ("brazilian", "W:W21-32:B1-12"),
        ("school", "W:W21-32:B1-12"),
        ("russian", "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8"),
        ("pool", "B:W21-32:B1-12"),
        ("english", "B:W21-32:B1-12"),
        ("italian", "W:W21-32:B1-12"),
        ("spanish", "W:W21-32:B1-12"),
        ("czech", "W:W21-32:B1-12"),
        ("thai", "B:W25-32:B1-8"),
        ("turkish", "W:W41-56:B9-24"),
        ("canadian", "W:W43-72:B1-30"),
    ] {
        by_key!(variant, check_start(start));
    }
}

fn check_start<R: Rules>(fen: &str) {
    let start = Draughts::<R>::start();
    assert_eq!(start.fen(), pos::<R>(fen).fen(), "{}", R::KEY);
    assert_eq!(start.turn(), Side::First, "{}", R::KEY);
    let board = start.board();
    let corner = board.cell(0, R::SIDE - 1);
    let right = matches!(R::KEY, "italian" | "spanish");
    assert_eq!(board.is_place(corner), !right, "{}: the left corner", R::KEY);
    let name = if R::LETTERS {
        "a1".to_owned()
    } else {
        (squares::<R>() - squares::<R>() / R::SIDE + 1).to_string()
    };
    if !right {
        assert_eq!(board.name(corner), name, "{}", R::KEY);
    }
}

/// §10.1, §10.2: every spelling of one position.
#[test]
fn fens_are_read_in_every_spelling() {
    let one = pos::<International>("W:W31,32,33,K40,K41:B1,2");
    for fen in [
        "W:W31-33,K40-41:B1-2",
        "W:B1,2:WK41,K40,33,32,31",
        "\"W:W31,32,33,K40,K41:B1,2.\"",
        " w : w31, 32, 33, K40, K41 : b1, 2 . ",
        "?:W31-33,K40,K41:B1,2:H0:F1",
        "W:W31,32:B1,2:W33,K40,K41:F77",
    ] {
        assert_eq!(pos::<International>(fen), one, "{fen}");
    }
    assert_eq!(pos::<Russian>("B:Wa1,KC3:Bh8"), pos::<Russian>("B:W29,K22:B4"));
    assert_eq!(pos::<International>("W:W:B1").fen(), "W:W:B1");
    assert_eq!(
        pos::<International>("W:W28:B:H9:E4:D2").fen(),
        "W:W28:B",
        "counters that count nothing are dropped"
    );
    assert_eq!(pos::<Frisian>("W:WK28,50:B1:+0+3").fen(), "W:WK28,50:B1:+0+328", "the only king");
    assert_eq!(pos::<International>("B:BK24:WG20,P23,40").fen(), "B:W G20,G23,40:BK24".replace(' ', ""));
}

#[test]
fn what_is_wrong_with_a_fen_is_said() {
    for (fen, key) in [
        ("", "draughts-fen-turn"),
        ("X:W1:B2", "draughts-fen-turn"),
        ("W:W1:Z2", "draughts-fen-field"),
        ("W:W2:B1", "draughts-man-on-last-row"),
        ("W:W12:B46-47", "draughts-man-on-last-row"),
        ("W:W51:B2", "draughts-fen-square"),
        ("W:W0:B2", "draughts-fen-square"),
        ("W:W9-3:B2", "draughts-fen-square"),
        ("W:Wé:B2", "draughts-fen-square"),
        ("W:WK:B2", "draughts-fen-square"),
        ("W:W2:B1-3", "draughts-fen-twice"),
        ("W:WG2:B2", "draughts-fen-twice"),
        ("W:W21-41:B1", "draughts-too-many-pieces"),
        ("W:W30:BG1-10,11-21", "draughts-too-many-pieces"),
        ("W:W12:B11:Hx", "draughts-fen-count"),
        ("W:WK2,K3:B1:+0+2", "draughts-fen-count"),
        ("W:WK2,K3:B1:+é+2", "draughts-fen-count"),
    ] {
        let problem = Draughts::<Frisian>::start().read_fen(fen).expect_err(fen);
        assert_eq!(problem.key, key, "{fen}");
    }
    let long = format!("W:W{}:B", "1,".repeat(600));
    assert_eq!(
        Draughts::<Frisian>::start().read_fen(&long).expect_err("too long").key,
        "draughts-fen-too-long"
    );
}

/// A refused move text gets the rule that binds the side to move.
#[test]
fn refusals_and_notes_say_why() {
    fn refused<R: Rules>(fen: &str, text: &str) -> String {
        pos::<R>(fen).refusal(text).to_string()
    }
    let forced = "W:W27,47:B22,12";
    assert_eq!(refused::<International>(forced, "47-42"), r#"draughts-must-capture count="2" squares="27""#);
    assert_eq!(
        refused::<Russian>("W:Wc3,g1:Bd4", "g1-h2"),
        r#"draughts-must-capture-any count="1" squares="c3""#
    );
    assert_eq!(refused::<International>(forced, "32-28"), r#"draughts-no-piece square="32" side="white""#);
    assert_eq!(
        refused::<International>("W:W27:B1", "27-18"),
        r#"draughts-cannot-go from="27" to="18" side="white""#
    );
    assert_eq!(refused::<International>(forced, "pass"), r#"draughts-not-a-move text="pass" last="50""#);
    assert_eq!(
        refused::<Frisian>("W:WK28,50:B1:+0+328", "28-32"),
        r#"draughts-king-must-rest square="28" limit="3""#
    );
    assert_eq!(
        refused::<International>("W:WK46:B28,23", "46x10"),
        r#"draughts-cannot-go from="46" to="10" side="white""#
    );
    let pos = pos::<International>(forced);
    let notes: Vec<String> = pos.notes().iter().map(ToString::to_string).collect();
    assert_eq!(notes, [r#"must-capture count="2" squares="27""#]);
    let marks = pos.diagram().marks;
    assert_eq!((marks.len(), &*marks[0].kind, &marks[0].cells[..]), (1, "must", &[52][..]));
    assert_eq!(pos.facts(), [("captures_forced", kernel::Fact::Count(2))]);
    assert_eq!(Draughts::<International>::start().facts(), [("captures_forced", kernel::Fact::Count(0))]);
    assert!(Draughts::<International>::start().notes().is_empty());
}

#[test]
fn counters_are_shown() {
    let shown = |counters: Vec<kernel::Counter>| -> Vec<(String, Option<Side>, u32, u32)> {
        counters.into_iter().map(|c| (c.key.into_owned(), c.side, c.now, c.limit)).collect()
    };
    assert_eq!(
        shown(pos::<International>("W:WK46:BK2:H7:E3").counters()),
        [("kings-only".into(), None, 7, 50), ("few-pieces".into(), None, 3, 10)]
    );
    assert_eq!(
        shown(pos::<Frisian>("W:WK28,50:B1:+0+228").counters()),
        [("same-king".into(), Some(Side::First), 2, 3)]
    );
    assert!(Draughts::<International>::start().counters().is_empty());
}

/// A king that must rest is part of the position; other counters are not.
#[test]
fn keys_leave_counters_out() {
    let key = |fen| pos::<Frisian>(fen).key();
    assert_eq!(key("W:WK28,50:B1:H7"), key("W:WK28,50:B1"));
    assert_ne!(key("W:WK28,50:B1:+0+228"), key("W:WK28,50:B1"));
    assert_ne!(key("W:WK28,50:B1"), key("B:WK28,50:B1"));
    assert_ne!(key("W:W28,50:B1"), key("W:WK28,50:B1"));
}

#[test]
fn positions_are_set_up() {
    let start = Draughts::<English>::start();
    let pieces = start.diagram().pieces;
    assert_eq!(start.set_up(Side::Second, &pieces).map(|p| p.fen()), Ok(start.fen().replacen('B', "W", 1)));
    let piece = |at, face: &'static str| kernel::Piece { at, owner: Some(Side::First), face: face.into() };
    let refused = |piece| start.set_up(Side::First, &[piece]).expect_err("no such piece").key;
    assert_eq!(refused(piece(0, "man")), "draughts-not-a-square");
    assert_eq!(refused(piece(64, "man")), "draughts-not-a-square");
    assert_eq!(refused(piece(56, "man")), "draughts-man-on-last-row", "Black is first, and moves down");
    assert_eq!(refused(piece(56, "queen")), "draughts-unknown-piece");
}
