//! Games saved by emacs-chess-cn, its own and such as it would have written.

use std::fmt::Write;

use kernel::laws::Random;
use kernel::{Notation, Position, Side};
use records::{Format, Record, Score, detect, read};
use xiangqi::{Rules, Xiangqi};

use crate::random::{USUAL, squares};

fn line(record: &Record) -> String {
    let texts: Vec<&str> = record.tree.main_line().map(|id| record.tree[id].text.as_str()).collect();
    texts.join(" ")
}

#[test]
fn the_program_s_own_files() {
    let black_first = format!("{USUAL} b - - 0 1");
    for (file, start, moves) in [
        (include_str!("../data/xiangqi/red-first.chess"), None, "h2e2 h9g7 e2e6"),
        (include_str!("../data/xiangqi/second-game.chess"), Some(black_first), "b7e7 b0c2 e7e3"),
    ] {
        assert_eq!(detect(file.as_bytes()), Some(Format::Chess));
        let record = read(Format::Chess, file.as_bytes()).unwrap();
        assert_eq!((record.game.as_str(), &record.start), ("xiangqi", &start));
        assert_eq!((line(&record).as_str(), &record.ending), (moves, &None));
    }
}

#[test]
fn what_is_written_is_what_the_program_writes() {
    for file in
        [include_str!("../data/xiangqi/red-first.chess"), include_str!("../data/xiangqi/second-game.chess")]
    {
        let record = read(Format::Chess, file.as_bytes()).unwrap();
        let written = String::from_utf8(records::write(Format::Chess, &record).unwrap()).unwrap();
        let again = read(Format::Chess, written.as_bytes()).unwrap();
        assert_eq!(again, record);
        // The board and the names of its pieces are theirs; the table of places has an order of its own.
        let board = |text: &str| text.split(" piece-cords").next().unwrap().to_owned();
        assert_eq!(board(&written), board(file.trim()));
    }
    let mut gomoku = records::Record { game: "gomoku/standard".to_owned(), ..Record::default() };
    assert_eq!(records::write(Format::Chess, &gomoku).unwrap_err().key, "chess-not-xiangqi");
    gomoku.game = "xiangqi".to_owned();
    assert!(records::write(Format::Chess, &gomoku).is_ok());
}

/// A piece of the program: its name, and where it stands by file and row.
type Pieces = Vec<(String, Option<(u8, u8)>)>;

fn usual() -> Pieces {
    let mut pieces = Vec::new();
    for (side, row, home) in [("blue", 0, "jiang"), ("red", 9, "shuai")] {
        let inward = |n: u8| if row == 0 { n } else { 9 - n };
        for (file, name) in
            (0..).zip(["ju-1", "ma-1", "xiang-1", "shi-1", home, "shi-2", "xiang-2", "ma-2", "ju-2"])
        {
            pieces.push((format!("chess-cn--piece-{side}-{name}"), Some((file, row))));
        }
        for n in 1..=2 {
            pieces.push((format!("chess-cn--piece-{side}-pao-{n}"), Some((6 * n - 5, inward(2)))));
        }
        let soldier = if row == 0 { "zu" } else { "bing" };
        for n in 1..=5 {
            pieces.push((format!("chess-cn--piece-{side}-{soldier}-{n}"), Some((2 * n - 2, inward(3)))));
        }
    }
    pieces
}

/// Writes a game as `format "%s"` prints it: with arrays, or with the lists of early versions.
fn print(pieces: &Pieces, history: &[String], over: bool, next: &str, arrays: bool) -> String {
    let (open, close) = if arrays { ('[', ']') } else { ('(', ')') };
    let mut out = format!(
        "(game-over {} curt-side chess-cn--side-{next} curt-selected-cord nil situation {open}",
        if over { "t" } else { "nil" }
    );
    for row in 0..10 {
        let name = |file| pieces.iter().find(|p| p.1 == Some((file, row))).map_or("nil", |p| p.0.as_str());
        let names: Vec<&str> = (0..9).map(name).collect();
        let _ = write!(out, "{}{open}{}{close}", if row == 0 { "" } else { " " }, names.join(" "));
    }
    out.push(close);
    if arrays {
        out += " piece-cords #s(hash-table size 65 test eq rehash-size 1.5 rehash-threshold 0.8125 data (";
        for (name, at) in pieces {
            let at = at.map_or("nil".to_owned(), |(x, y)| format!("({x} . {y})"));
            let _ = write!(out, "{name} {at} ");
        }
        out += "))";
    }
    let newest: Vec<&str> = history.iter().rev().map(String::as_str).collect();
    let history = if newest.is_empty() { "nil".to_owned() } else { format!("({})", newest.join(" ")) };
    let _ = write!(out, " history {history}{})", if arrays { " prompt 违反棋子移动规则" } else { "" });
    out
}

/// Plays a random game of that many plies as the program would; returns the moves and the last position.
fn play(
    random: &mut Random,
    rules: Rules,
    plies: usize,
    pieces: &mut Pieces,
    history: &mut Vec<String>,
) -> (Vec<String>, Xiangqi, Xiangqi) {
    let turn = if random.below(2) == 0 { 'w' } else { 'b' };
    let usual = Xiangqi::new(rules).with_limit(0);
    let start = usual.read_fen(&format!("{USUAL} {turn} - - 0 1")).unwrap();
    let mut pos = start.clone();
    let mut texts = Vec::new();
    for _ in 0..plies {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        let m = moves[random.below(moves.len())];
        let text = pos.move_text(m);
        let [from, to] = squares(&text);
        let killed = pieces.iter_mut().find(|p| p.1 == Some(to)).map(|p| {
            p.1 = None;
            p.0.clone()
        });
        pieces.iter_mut().find(|p| p.1 == Some(from)).expect("a piece").1 = Some(to);
        history.push(format!(
            "(oldcord ({} . {}) dstcord ({} . {}) killed-piece {})",
            from.0,
            from.1,
            to.0,
            to.1,
            killed.as_deref().unwrap_or("nil")
        ));
        pos.play(m);
        texts.push(text);
    }
    (texts, start, pos)
}

#[test]
fn random_games_are_found_again() {
    let mut free = 0;
    for seed in 1..=300 {
        let random = &mut Random(seed);
        let mut history = Vec::new();
        if random.below(3) == 0 {
            // A game before, whose history stays.
            let plies = 1 + random.below(30);
            play(random, Rules::Home, plies, &mut usual(), &mut history);
        }
        let rules = if random.below(2) == 0 { Rules::Home } else { Rules::Asian };
        let mut pieces = usual();
        let plies = random.below(250);
        let (texts, start, end) = play(random, rules, plies, &mut pieces, &mut history);
        let next = if end.turn() == Side::First { "red" } else { "blue" };
        let over = end.outcome().is_some();
        let file = print(&pieces, &history, over, next, random.below(2) == 0);
        let record =
            read(Format::Chess, file.as_bytes()).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{file}"));
        assert_eq!(line(&record), texts.join(" "), "seed {seed}");
        assert_eq!(
            record.ending.as_ref().map(|e| e.score),
            end.outcome().filter(|_| over).and_then(|o| o.winner()).map(Score::Win)
        );
        // Whatever the game, its moves are allowed there, and lead where they led.
        let rules = if record.game == "xiangqi" { Rules::Asian } else { Rules::Home };
        free += usize::from(record.game != "xiangqi");
        let opened = Xiangqi::new(rules).with_limit(0);
        let opened = record.start.as_ref().map_or(opened.clone(), |fen| opened.read_fen(fen).unwrap());
        assert_eq!(opened.turn(), if texts.is_empty() { end.turn() } else { start.turn() }, "seed {seed}");
        let replayed = record.replay(kernel::any(opened)).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert_eq!(replayed.plies(), texts.len());
    }
    assert!((20..200).contains(&free), "{free}");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let good = include_str!("../data/xiangqi/red-first.chess");
    for (text, wanted) in [
        ("(game-over".to_owned(), r#"chess-open line="1" column="11""#),
        ("(game-over)]".to_owned(), "chess-situation"),
        ("(game-over]".to_owned(), r#"chess-close line="1" column="11""#),
        ("(game-over \"x".to_owned(), r#"chess-quote line="1" column="12""#),
        ("(game-over nil situation nil)".to_owned(), "chess-situation"),
        (good.replacen("nil nil", "nil", 1), r#"chess-row row="2""#),
        (
            good.replacen("piece-red-ju-1", "piece-red-queen", 1),
            r#"chess-piece found="chess-cn--piece-red-queen""#,
        ),
        (good.replacen("dstcord (4 . 3)", "dstcord (4 . 4)", 1), "none"),
        (good.replacen("dstcord (4 . 3)", "dstcord (4 . 12)", 1), r#"chess-step back="1""#),
        ("(".repeat(100), r#"record-limit what="depth" found="41" most="40""#),
    ] {
        let found = read(Format::Chess, text.as_bytes()).map_err(|e| e.to_string()).err();
        match wanted {
            // Some of these are only found out because no usual start is behind them.
            "none" => assert_eq!(found.as_deref(), Some(r#"chess-step back="1""#)),
            wanted => assert_eq!(found.as_deref(), Some(wanted), "{text:.60}"),
        }
    }
}
