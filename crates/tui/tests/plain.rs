//! Tests of whole conversations with one line in and one line out.

use std::sync::Arc;

use texts::Language::{self, Chinese, English};
use tui::opponent::OwnEngines;
use tui::{Depth, Failure, Opening, Paint, Settings, Start, Theme};

fn settings(language: Language) -> Settings {
    let paint = Paint { theme: Theme::Ascii, depth: Depth::None, directions: true, targets: true };
    Settings {
        language,
        paint,
        players: Arc::new(OwnEngines),
        loader: None,
        author: None,
        folder: std::env::temp_dir(),
        trust: None,
    }
}

fn said(game: &str, language: Language, lines: &[&str]) -> Vec<String> {
    let opening = Opening::of(game, &catalog::Options::new()).expect("a game");
    let mut output = Vec::new();
    let start = Start::Game(Box::new(opening), [None; 2]);
    let done = tui::plain::run(settings(language), start, lines.join("\n").as_bytes(), &mut output);
    assert!(done.is_ok());
    String::from_utf8(output).expect("text").lines().map(str::to_owned).collect()
}

/// A game, a language, and lines with the beginnings of their answers; the first answer is the greeting.
type Talk = (&'static str, Language, &'static [(&'static str, &'static str)]);

const TALKS: &[Talk] = &[
    (
        "xiangqi",
        English,
        &[
            ("", "Xiangqi. help lists the words. Red to move"),
            ("C2=5", "Red played C2=5. Black to move"),
            ("look e2", "e2, Red cannon, last move"),
            ("h2e2", "Nothing stands on h2."),
            ("undo", "Red to move"),
            ("redo", "Red played C2=5. Black to move"),
            ("clock", "No clock"),
            ("accept", "Nothing is offered."),
            ("row 0", "Rows are numbered from the top, 1 to 10."),
            ("resign", "Red played C2=5. The game is over, Red wins."),
        ],
    ),
    (
        "xiangqi",
        Chinese,
        &[
            ("", "象棋. 输入“帮助”看可用的词。 轮到红方"),
            ("炮二平五", "红方走了 炮二平五。 轮到黑方"),
            ("看 e2", "e2，红方炮，最后一手"),
            ("棋谱", "炮二平五"),
            ("悔棋", "轮到红方"),
        ],
    ),
    ("gomoku/standard", English, &[("", "Gomoku, standard."), ("h8", "Black played h8. White to move")]),
    (
        "xiangqi/free",
        English,
        &[
            ("", "Xiangqi, home rules."),
            ("h9g7", "Black played"),
            ("new", "The game has moves that were not saved; type new again"),
            ("new", "Xiangqi, home rules."),
            ("h2e2", "Red played"),
        ],
    ),
    ("locked", English, &[("", "Locked chess."), ("u", ""), ("l", ""), ("(3,3)", "Black played c3.")]),
];

#[test]
fn every_line_is_answered_by_one() {
    for (game, language, talk) in TALKS {
        let typed: Vec<&str> = talk.iter().skip(1).map(|(line, _)| *line).collect();
        let answers = said(game, *language, &typed);
        assert_eq!(answers.len(), talk.len(), "{answers:#?}");
        for ((line, wanted), answer) in talk.iter().zip(&answers) {
            assert!(answer.starts_with(wanted), "{line:?} is answered with {answer:?}");
        }
    }
}

/// A hall that does not answer is reported when its lobby is requested.
#[test]
fn a_lobby_needs_a_hall_that_answers() {
    let start = Start::Lobby("http://127.0.0.1:1".to_owned());
    let done = tui::plain::run(settings(English), start, &b""[..], Vec::new());
    let Err(Failure::Refused(problem)) = done else { panic!("somewhere else was gone to") };
    assert!(tui::refusal(English, &problem).starts_with("The hall"), "{problem:?}");
}
