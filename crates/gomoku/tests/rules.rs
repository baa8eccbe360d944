//! The paragraphs of docs/rules/gomoku.md, a row or more for each; and what is read and refused.

use gomoku::{Gomoku, Rule};
use kernel::{AnyGame, Notation, Position, Problem, any};

const FREESTYLE: Rule = Rule::Freestyle;
const STANDARD: Rule = Rule::Standard;
const RENJU: Rule = Rule::Renju;
const CARO: Rule = Rule::Caro;
const CARO_EXACT: Rule = Rule::CaroExact;

/// `first five-in-a-row`, `draw board-full`, or `-` while the game goes on.
fn ending(game: &dyn AnyGame) -> String {
    match game.outcome() {
        None => "-".to_owned(),
        Some(o) => {
            let winner = o.winner().map(|side| format!("{side:?}").to_lowercase());
            format!("{} {}", winner.unwrap_or("draw".to_owned()), o.reason())
        }
    }
}

#[test]
fn stones_in_rows() {
    for (name, rule, fen, point, end) in [
        ("five along a rank win (3.1)", FREESTYLE, "bbbb1/5/5/5/5 b", "e5", "first five-in-a-row"),
        ("five along a file win (3.1)", FREESTYLE, "w4/w4/w4/w4/5 w", "a1", "second five-in-a-row"),
        (
            "five along a falling diagonal win (3.1)",
            FREESTYLE,
            "b4/1b3/2b2/3b1/5 b",
            "e1",
            "first five-in-a-row",
        ),
        (
            "five along a rising diagonal win (3.1)",
            FREESTYLE,
            "5/3w1/2w2/1w3/w4 w",
            "e5",
            "second five-in-a-row",
        ),
        ("six win in freestyle (3.1)", FREESTYLE, "bb1bbb/6/6/6/6 b", "c5", "first five-in-a-row"),
        ("nine win in freestyle (3.1)", FREESTYLE, "bbbb1bbbb/9/9/9/9 b", "e5", "first five-in-a-row"),
        ("exactly five win in standard (3.2)", STANDARD, "bbbb2/6/6/6/6 b", "e5", "first five-in-a-row"),
        ("six are nothing in standard (3.2)", STANDARD, "bb1bbb/6/6/6/6 b", "c5", "-"),
        ("five blocked at one end win in caro (3.7)", CARO, "wbbbb2/7/7/7/7 b", "f5", "first five-in-a-row"),
        ("five blocked at both ends are nothing in caro (3.7)", CARO, "wbbbb1w/7/7/7/7 b", "f5", "-"),
        (
            "five between a stone and the edge win in caro (3.7)",
            CARO,
            "1bbbbw1/7/7/7/7 b",
            "a5",
            "first five-in-a-row",
        ),
        ("six win in caro, blocked or not (3.7)", CARO, "wbbb1bbw/8/8/8/8 b", "e5", "first five-in-a-row"),
        (
            "a blocked five does not stop a good one (3.7)",
            CARO,
            "wbbbb1w/5b1/5b1/5b1/5b1 b",
            "f5",
            "first five-in-a-row",
        ),
        ("White is blocked too (3.7)", CARO, "bwwww1b/7/7/7/7 w", "f5", "-"),
        ("six are nothing in caro-exact (3.8)", CARO_EXACT, "1bb1bbb1/8/8/8/8 b", "d5", "-"),
        ("five blocked at both ends are nothing (3.8)", CARO_EXACT, "wbbbb1w/7/7/7/7 b", "f5", "-"),
        ("an open five wins (3.8)", CARO_EXACT, "wbbbb2/7/7/7/7 b", "f5", "first five-in-a-row"),
        ("five win for Black in renju (6.1)", RENJU, "1bbbb2/7/7/7/7 b", "f5", "first five-in-a-row"),
        ("six win for White in renju (6.1)", RENJU, "1ww1www1/8/8/8/8 w", "d5", "second five-in-a-row"),
        ("six lose for Black in renju (6.2)", RENJU, "1bb1bbb1/8/8/8/8 b", "d5", "second forbidden-overline"),
        (
            "five and six at once win in renju (6.2)",
            RENJU,
            "1bb1bbb1/3b4/3b4/3b4/3b4 b",
            "d5",
            "first five-in-a-row",
        ),
        (
            "two fours lose in renju (6.3)",
            RENJU,
            "3b4/3b4/bbb5/3b4/8/8 b",
            "d4",
            "second forbidden-double-four",
        ),
        (
            "XX_XX_XX with a stone of the middle pair is two fours (6.3)",
            RENJU,
            "10/10/1bb1b2bb1/10/10 b",
            "f3",
            "second forbidden-double-four",
        ),
        ("X_XXX_X is two fours (6.3)", RENJU, "9/9/1b1b1b1b1/9/9 b", "e3", "second forbidden-double-four"),
        ("a straight four is one four (6.3)", RENJU, "9/9/2bb1b3/9/9 b", "e3", "-"),
        (
            "a four and a three are fine in renju (6.6)",
            RENJU,
            "10/10/10/2bbb5/5b4/5b4/10/10/10/10 b",
            "f7",
            "-",
        ),
        (
            "two threes lose in renju (6.4)",
            RENJU,
            "10/10/10/3bb5/5b4/5b4/10/10/10/10 b",
            "f7",
            "second forbidden-double-three",
        ),
        (
            "a three that White has stopped is none (6.4)",
            RENJU,
            "10/10/10/2wbb5/5b4/5b4/10/10/10/10 b",
            "f7",
            "-",
        ),
        ("White may do all of it (6.6)", RENJU, "10/10/10/3ww5/5w4/5w4/10/10/10/10 w", "f7", "-"),
        ("nine are nothing in standard (3.2)", STANDARD, "bbbb1bbbb/9/9/9/9 b", "e5", "-"),
        ("six for White are nothing too (3.2)", STANDARD, "ww1www/6/6/6/6 w", "c5", "-"),
        (
            "five in one line and six in another win (3.3)",
            STANDARD,
            "bb1bbb/2b3/2b3/2b3/2b3 b",
            "c5",
            "first five-in-a-row",
        ),
        ("six in two lines are nothing (3.3)", STANDARD, "2b3/bb1bbb/2b3/2b3/2b3/2b3 b", "c5", "-"),
        ("five in two lines win (3.3)", STANDARD, "bb1bb/2b2/2b2/2b2/2b2 b", "c5", "first five-in-a-row"),
        ("four do not win (3.4)", FREESTYLE, "bbb2/5/5/5/5 b", "d5", "-"),
        ("four and a gap do not win (3.4)", FREESTYLE, "b1bbb1/6/6/6/6 b", "f5", "-"),
        ("three, a gap and one do not win (3.4)", FREESTYLE, "bb2b1/6/6/6/6 b", "c5", "-"),
        ("the middle stone completes a row (3.4)", FREESTYLE, "bb1bb/5/5/5/5 b", "c5", "first five-in-a-row"),
        ("the other side's stone breaks a row (3.4)", FREESTYLE, "bbwb1b/6/6/6/6 b", "e5", "-"),
        ("a row does not go round the edge (3.4)", FREESTYLE, "3bb/bb3/5/5/5 b", "c4", "-"),
        ("a row closed at both ends wins (3.5)", STANDARD, "wbbbb1w/7/7/7/7 b", "f5", "first five-in-a-row"),
        ("a row from edge to edge wins (3.5)", STANDARD, "5/5/5/5/1bbbb b", "a1", "first five-in-a-row"),
        (
            "the full board is drawn (4.1)",
            FREESTYLE,
            "1bwbw/bwbwb/wbwbb/bwbww/bbwwb w",
            "a5",
            "draw board-full",
        ),
        (
            "the last stone may win (4.2)",
            FREESTYLE,
            "1bbbb/bwbww/wbwbw/bwbww/wbwww b",
            "a5",
            "first five-in-a-row",
        ),
    ] {
        let mut game = any(Gomoku::usual(rule).read_fen(fen).unwrap());
        assert_eq!(ending(&*game), "-", "{name}: {fen} goes on");
        game.play(point).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        assert_eq!(ending(&*game), end, "{name}: {fen} {point}");
    }
}

#[test]
fn boards_and_turns() {
    let usual = |rule| Gomoku::usual(rule).fen();
    assert_eq!(
        usual(FREESTYLE),
        format!("{}20 b", "20/".repeat(19)),
        "freestyle is played on 20x20 (1.1, 1.3)"
    );
    assert_eq!(
        usual(STANDARD),
        format!("{}15 b", "15/".repeat(14)),
        "standard is played on 15x15 (1.1, 1.3)"
    );
    for (files, ranks, fits) in [
        (5, 5, true),
        (26, 26, true),
        (5, 26, true),
        (4, 5, false),
        (5, 4, false),
        (27, 26, false),
        (0, 0, false),
    ] {
        assert_eq!(Gomoku::new(STANDARD, files, ranks).is_ok(), fits, "{files}x{ranks} (1.1)");
    }
    let mut game = any(Gomoku::usual(STANDARD));
    assert_eq!(game.moves().len(), 225, "any empty point (2.1)");
    for (point, fen) in [
        ("h8", "15/15/15/15/15/15/15/7b7/15/15/15/15/15/15/15 w"),
        ("a1", "15/15/15/15/15/15/15/7b7/15/15/15/15/15/15/w14 b"),
        ("o15", "14b/15/15/15/15/15/15/7b7/15/15/15/15/15/15/w14 w"),
    ] {
        game.play(point).unwrap();
        assert_eq!(game.fen(), fen, "one stone a move, in turn, named from the bottom left (1.2, 2.1, 2.2)");
    }
}

#[test]
fn positions_that_were_set_up() {
    for (name, rule, fen, end) in [
        ("numbers of stones are free (5.2)", FREESTYLE, "bbb2/bb3/5/5/5 b", "-"),
        ("the side to move may already have won (5.3)", FREESTYLE, "bbbbb/5/5/5/5 b", "first five-in-a-row"),
        ("the other side may have won (5.3)", FREESTYLE, "wwwww/5/5/5/5 b", "second five-in-a-row"),
        ("a set-up overline is nothing in standard (5.3)", STANDARD, "wwwwww/6/6/6/6 b", "-"),
        (
            "five of one and six of the other in standard (5.3)",
            STANDARD,
            "wwwwww/bbbbb1/6/6/6 w",
            "first five-in-a-row",
        ),
        ("a full board may be set up (4.1)", FREESTYLE, "wbwbw/bwbwb/wbwbb/bwbww/bbwwb w", "draw board-full"),
    ] {
        let pos = Gomoku::usual(rule).read_fen(fen).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(pos.fen(), fen, "{name}");
        assert_eq!(ending(&*any(pos)), end, "{name}: {fen}");
    }
}

#[test]
fn fens_refused() {
    let long = "b".repeat(709);
    let wide = format!("{}/5/5/5/5 b", "b".repeat(27));
    let high = format!("{}5 b", "5/".repeat(26));
    for (fen, problem) in [
        ("", "gomoku-fen-fields found=\"0\""),
        ("5/5/5/5/5", "gomoku-fen-fields found=\"1\""),
        ("5/5/5/5/5 b 1", "gomoku-fen-last found=\"1\""),
        ("5/5/5/5/5 b p", "gomoku-fen-last found=\"p\""),
        ("5/5/5/5/5 w !c3", "gomoku-fen-last found=\"!c3\""),
        ("5/5/5/5/5 b p 1", "gomoku-fen-fields found=\"4\""),
        ("5/5/5/5/5 x", "gomoku-fen-side found=\"x\""),
        ("5/5/5/5/5 B", "gomoku-fen-side found=\"B\""),
        ("5/5/2x2/5/5 b", "gomoku-fen-character row=\"3\" found=\"x\""),
        ("5/五/5/5/5 b", "gomoku-fen-character row=\"2\" found=\"五\""),
        ("5/5/5/0b4/5 b", "gomoku-fen-run row=\"4\" found=\"0\" most=\"26\""),
        ("27/5/5/5/5 b", "gomoku-fen-run row=\"1\" found=\"27\" most=\"26\""),
        (
            "5/5/5/5/99999999999999999999 b",
            "gomoku-fen-run row=\"5\" found=\"99999999999999999999\" most=\"26\"",
        ),
        ("5/20b6/5/5/5 b", "gomoku-fen-row-too-long row=\"2\" found=\"20b6\" most=\"26\""),
        (&wide, "gomoku-fen-row-too-long row=\"1\" found=\"bbbbbbbbbbbbbbbbbbbbbbbbbbb\" most=\"26\""),
        ("5/5/6/5/5 b", "gomoku-fen-width row=\"3\" found=\"6\" expected=\"5\""),
        ("5/5//5/5 b", "gomoku-fen-width row=\"3\" found=\"0\" expected=\"5\""),
        ("4/4/4/4/4 b", "gomoku-size files=\"4\" ranks=\"5\" least=\"5\" most=\"26\""),
        ("5/5/5/5 b", "gomoku-size files=\"5\" ranks=\"4\" least=\"5\" most=\"26\""),
        (&high, "gomoku-size files=\"5\" ranks=\"27\" least=\"5\" most=\"26\""),
        ("bbbbb/5/5/5/wwwww b", "gomoku-two-winners black=\"a5\" white=\"a1\""),
        (&long, "gomoku-fen-too-long found=\"709\" most=\"708\""),
    ] {
        let refused = Gomoku::usual(FREESTYLE).read_fen(fen).map(|pos| pos.fen());
        assert_eq!(refused.map_err(|p: Problem| p.to_string()), Err(problem.to_owned()), "{fen}");
    }
}

#[test]
fn moves_read_and_refused() {
    let pos = Gomoku::usual(STANDARD).read_fen("15/15/15/15/15/15/15/7b7/8w6/15/15/15/15/15/15 b").unwrap();
    for (text, read) in [
        ("a1", "a1"),
        ("O15", "o15"),
        (" c4 ", "c4"),
        ("00 00", "a15"),
        ("07 12", "h3"),
        ("1 2", "b13"),
        ("14 14", "o1"),
        ("h8", "point-occupied point=\"h8\" side=\"black\""),
        ("07 07", "point-occupied point=\"h8\" side=\"black\""),
        ("I7", "point-occupied point=\"i7\" side=\"white\""),
        ("p1", "point-off-board point=\"p1\" corner=\"o15\""),
        ("a16", "point-off-board point=\"a16\" corner=\"o15\""),
        ("a0", "point-off-board point=\"a0\" corner=\"o15\""),
        ("15 00", "point-off-board point=\"15 00\" corner=\"o15\""),
        ("8,8", "not-a-point text=\"8,8\" corner=\"o15\""),
        ("a100", "not-a-point text=\"a100\" corner=\"o15\""),
        ("a+1", "not-a-point text=\"a+1\" corner=\"o15\""),
        ("007 1", "not-a-point text=\"007 1\" corner=\"o15\""),
        ("1 2 3", "not-a-point text=\"1 2 3\" corner=\"o15\""),
        ("", "not-a-point text=\"\" corner=\"o15\""),
        ("五五", "not-a-point text=\"五五\" corner=\"o15\""),
    ] {
        let answer = pos.read_move(text).map_or_else(|| pos.refusal(text).to_string(), |m| pos.move_text(m));
        assert_eq!(answer, read, "{text}");
    }
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    for m in moves {
        let [("xy", xy)] = &pos.texts(m)[..] else { panic!("one other name") };
        assert_eq!(pos.read_move(xy), Some(m), "{xy} is read back");
    }
}

#[test]
fn pictures() {
    let shown = |files, ranks| {
        let board = Gomoku::new(STANDARD, files, ranks).unwrap().board();
        board.stars.iter().map(|&cell| board.name(cell)).collect::<Vec<_>>().join(" ")
    };
    for (files, ranks, stars) in [
        (15, 15, "d12 l12 h8 d4 l4"),
        (13, 13, "d10 j10 g7 d4 j4"),
        (19, 19, "d16 j16 p16 d10 j10 p10 d4 j4 p4"),
        (20, 20, "d17 q17 d4 q4"),
        (9, 9, "c7 g7 e5 c3 g3"),
        (5, 5, "c3"),
        (6, 6, ""),
    ] {
        assert_eq!(shown(files, ranks), stars, "{files}x{ranks}");
    }
    for (name, fen, marked) in [
        ("nothing before the end", "b4/1b3/2b2/3b1/5 b", ""),
        ("the row", "b4w/1b3w/2b2w/3b1w/4b1/6 w", "a6 b5 c4 d3 e2"),
        ("both rows", "bbbbb/b4/b4/b4/b4 w", "a5 b5 c5 d5 e5 a4 a3 a2 a1"),
        ("not the overline beside the row", "bbbbbb/b5/b5/b5/b5/6 w", "a6 a5 a4 a3 a2"),
    ] {
        let pos = Gomoku::usual(STANDARD).read_fen(fen).unwrap();
        let marks = pos.diagram().marks;
        assert!(marks.iter().all(|mark| mark.kind == "winning-line"), "{name}");
        let cells = marks.into_iter().flat_map(|mark| mark.cells);
        let names: Vec<String> = cells.map(|cell| pos.board().name(cell)).collect();
        assert_eq!(names.join(" "), marked, "{name}: {fen}");
    }
}

#[test]
fn passes() {
    let mut game = any(Gomoku::new(RENJU, 7, 7).unwrap().with_passes());
    assert_eq!(game.moves().len(), 50, "a pass is a move (7.1)");
    assert_eq!(game.view().buttons[0].name, "pass");
    for (text, fen, end) in [
        ("d4", "7/7/7/3b3/7/7/7 w", "-"),
        ("pass", "7/7/7/3b3/7/7/7 b p", "-"),
        ("c4", "7/7/7/2bb3/7/7/7 w", "-"),
        ("--", "7/7/7/2bb3/7/7/7 b p", "-"),
        ("Pass", "7/7/7/2bb3/7/7/7 w pp", "draw two-passes"),
    ] {
        game.play(text).unwrap();
        assert_eq!((game.fen().as_str(), ending(&*game).as_str()), (fen, end), "{text} (7.1)");
    }
    let start = Gomoku::new(RENJU, 7, 7).unwrap();
    assert_eq!(start.refusal("pass").to_string(), "no-passes", "only where it was agreed (7.1)");
    assert!(start.fills_any_cell() && !start.with_passes().fills_any_cell());
}

#[test]
fn counted_draws() {
    let mut game = any(Gomoku::new(RENJU, 5, 6).unwrap().drawn_at(3));
    for (text, end) in [("a1", "-"), ("b1", "-"), ("c1", "draw stone-count")] {
        game.play(text).unwrap();
        assert_eq!(ending(&*game), end, "{text} (7.2)");
    }
    let most = Gomoku::new(RENJU, 5, 6).unwrap().drawn_at(31);
    assert_eq!(most.counters(), [], "more than there are points is the full board (7.2)");
    let counter = Gomoku::new(RENJU, 5, 6).unwrap().drawn_at(3).read_fen("b5/6/6/6/6 w").unwrap().counters();
    assert_eq!((&*counter[0].key, counter[0].now, counter[0].limit), ("stone-count", 1, 3));
}

#[test]
fn a_lost_game_says_where() {
    let mut pos = Gomoku::usual(RENJU).read_fen("1bb1bbb1/8/8/8/8 b").unwrap();
    pos.put(gomoku::Point { row: 0, file: 3 });
    assert_eq!(pos.fen(), "1bbbbbb1/8/8/8/8 w !d5", "the stone that lost is in the FEN (5.4)");
    let marks = pos.diagram().marks;
    assert_eq!((marks.len(), &*marks[0].kind, &marks[0].cells[..]), (1, "forbidden", &[3][..]));
    for (fen, end) in [("1bbbbbb1/8/8/8/8 w !d5", "second forbidden-overline"), ("1bbbbbb1/8/8/8/8 w", "-")] {
        assert_eq!(ending(&*any(Gomoku::usual(RENJU).read_fen(fen).unwrap())), end, "{fen} (5.4)");
    }
    for fen in ["1bbbbbb1/8/8/8/8 w !h5", "1bbbbbb1/8/8/8/8 b !d5", "1bb5/8/8/8/8 w !c5", "8/8/8/8/8 w !z26"]
    {
        assert_eq!(Gomoku::usual(RENJU).read_fen(fen).unwrap_err().key, "gomoku-fen-last", "{fen} (5.4)");
    }
}

#[test]
fn lessons_for_learners() {
    for (name, rule, fen, lessons) in [
        ("two stones threaten nothing", FREESTYLE, "7/2bb3/7/7/7/7/7 w", ""),
        ("a four, once (8.1)", FREESTYLE, "wbbbb2/7/7/7/7 b", "four b5 c5 d5 e5 f5"),
        ("a straight four wins at both ends (8.1)", FREESTYLE, "1bbbb2/7/7/7/7 b", "four b5 c5 d5 e5 a5 f5"),
        ("a gap in a four (8.1)", STANDARD, "bb1bb2/7/7/7/7 w", "four a5 b5 d5 e5 c5"),
        ("six would be nothing (8.1)", STANDARD, "bbb1bb1/7/7/7/7 w", ""),
        ("an open three (8.2)", FREESTYLE, "8/2bbb3/8/8/8 w", "open-three c4 d4 e4 b4 f4"),
        ("a three with a gap (8.2)", FREESTYLE, "8/2bb1b2/8/8/8 w", "open-three c4 d4 f4 e4"),
        ("a stopped three is none (8.2)", FREESTYLE, "8/1wbbb3/8/8/8 w", ""),
        ("White's are shown too (8.2)", FREESTYLE, "8/2www3/8/8/8 w", "open-three c4 d4 e4 b4 f4"),
        (
            "forbidden points, whoever is to move (8.3)",
            RENJU,
            "10/10/10/3bb5/5b4/5b4/10/10/10/10 w",
            "forbidden f7",
        ),
        ("nothing after the end", FREESTYLE, "bbbbb2/7/7/7/7 w", ""),
    ] {
        let pos = Gomoku::usual(rule).read_fen(fen).unwrap();
        let board = pos.board();
        let said: Vec<String> = pos
            .lessons()
            .into_iter()
            .map(|mark| {
                let cells: Vec<String> = mark.cells.iter().map(|&cell| board.name(cell)).collect();
                format!("{} {}", mark.kind, cells.join(" "))
            })
            .collect();
        assert_eq!(said.join("; "), lessons, "{name}: {fen}");
    }
}
