//! Tests of whole screens, and of rules for all screens: each row is as wide as the terminal, every piece is at its
//! place.

use super::*;
use crate::board::Grid;

type Begin = fn() -> Start;

const SMALL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (120, 40);

#[test]
fn screens() {
    let table: &[(&str, Begin, &str)] = &[
        ("menu", || Start::Menu, ""),
        ("xiangqi", || game("xiangqi", &[], None), r#": "炮二平五" RET : "马8进7" RET : "h0g2" RET"#),
        (
            "gomoku",
            || game("gomoku/freestyle", &[], None),
            r#": "j10" RET : "k11" RET : "j11" RET : "j9" RET"#,
        ),
        ("renju", || game("gomoku/renju", &[], None), r#": "h8" RET : "h9" RET"#),
        ("draughts", || game("draughts", &[], None), r#": "32-28" RET : "19-23" RET TAB"#),
        ("turkish", || game("draughts/turkish", &[], None), "TAB"),
        ("canadian", || game("draughts/canadian", &[], None), "TAB RET"),
        ("locked", || game("locked", &[], None), "<up> <left> TAB RET"),
        ("keys", || game("xiangqi", &[], None), "?"),
        ("set-up", || game("xiangqi", &[], None), "e c TAB TAB <down> RET"),
    ];
    for (name, start, keys) in table {
        for (language, ending) in [(English, "en"), (Chinese, "zh")] {
            for (size, wide) in [(SMALL, 80), (LARGE, 120)] {
                let mut seen = Seen::at(start(), language, size);
                let text = seen.press(keys).text();
                golden(&format!("{name}-{wide}-{ending}"), &text);
            }
        }
    }
}

#[test]
fn themes() {
    for theme in Theme::ALL {
        for (depth, colours) in [(Depth::Many, "many"), (Depth::None, "none")] {
            for (name, text) in [("xiangqi", "C2=5"), ("draughts", "32-28"), ("locked", "u")] {
                let mut seen = Seen::painted(game(name, &[], None), English, LARGE, theme, depth);
                let text = seen.press(&format!(": \"{text}\" RET")).text();
                golden(&format!("theme-{name}-{}-{colours}", theme.key()), &text);
                let ascii = text.bytes().all(|b| b.is_ascii());
                assert_eq!(ascii, theme == Theme::Ascii, "{name} in {}", theme.key());
            }
        }
    }
}

/// The ASCII theme shows only ASCII characters in English, also in sentences.
#[test]
fn ascii_is_ascii() {
    let starts: [(Begin, &str); 5] = [
        (|| Start::Menu, ""),
        (|| game("xiangqi", &[], None), "?"),
        (|| game("xiangqi", &[], None), ": \"i1\" TAB"),
        (|| game("xiangqi", &[], None), "$"),
        (|| game("draughts", &[], None), "e"),
    ];
    for (start, keys) in starts {
        let mut seen = Seen::painted(start(), English, SMALL, Theme::Ascii, Depth::Sixteen);
        let text = seen.press(keys).text();
        let strange: Vec<char> = text.chars().filter(|c| !c.is_ascii()).collect();
        assert!(strange.is_empty(), "{keys}: {strange:?} in\n{text}");
    }
}

#[test]
fn without_colours_nothing_is_coloured() {
    let mut seen = Seen::painted(game("xiangqi", &[], None), English, SMALL, Theme::Wide, Depth::None);
    let plain = |cell: &ratatui::buffer::Cell| {
        let none = ratatui::style::Color::Reset;
        cell.fg == none && cell.bg == none
    };
    assert!(seen.buffer().content.iter().all(plain));
}

/// Every row is as wide as the terminal, whatever the characters; and each piece of xiangqi is two columns wide and
/// at its point.
#[test]
fn wide_characters_are_aligned_at_every_row() {
    for size in [SMALL, LARGE, (60, 22), (200, 60)] {
        for language in Language::ALL {
            let mut seen = Seen::game("xiangqi", None, language, size);
            for row in seen.rows() {
                assert_eq!(row.width(), usize::from(size.0), "{row:?}");
            }
            let buffer = seen.buffer();
            let super::super::Place::Table(play) = &seen.app.place else { panic!("a table") };
            for piece in &play.scene().view.pieces {
                let at = play.drawn.position(piece.at).expect("the whole board is seen");
                assert_eq!(buffer[(at.x, at.y)].symbol().width(), 2, "{piece:?} at {at:?} of {size:?}");
            }
        }
    }
}

/// The theme of emacs-chess-cn has its dimensions: 28 lines of 50 columns, and 41 letters in a line of nine pieces.
#[test]
fn the_origins_measures() {
    let mut seen = Seen::painted(game("xiangqi", &[], None), Chinese, (120, 40), Theme::Origin, Depth::Many);
    seen.press("<down>");
    let buffer = seen.buffer();
    let super::super::Place::Table(play) = &seen.app.place else { panic!("a table") };
    let grid: Grid = play.drawn.grid;
    assert_eq!((grid.dx, grid.dy), (6, 3));
    let (first, last) = (play.drawn.position(0).unwrap(), play.drawn.position(89).unwrap());
    assert_eq!((last.y - first.y + 1, last.x + 2 - first.x), (28, 50));
    let line = |y: u16| -> String {
        let whole = row(&buffer, first.y + y);
        let mut at = 0;
        let inside = |c: &char| {
            let here = at;
            at += unicode_width::UnicodeWidthChar::width(*c).unwrap_or(0);
            (usize::from(first.x)..usize::from(first.x) + 50).contains(&here)
        };
        whole.chars().filter(inside).collect()
    };
    assert_eq!(line(0), "車----馬----象----士----將----士----象----馬----車");
    assert_eq!(line(0).chars().count(), 41);
    assert_eq!(line(1), "|     |     |     | \\   |   / |     |     |     | ");
    assert_eq!(line(2), "|     |     |     |   \\ | /   |     |     |     | ");
    assert_eq!(line(13), "|                                               | ", "the river");
    assert_eq!(line(27), "車----馬----相----仕----帥----仕----相----馬----車");
    for y in 0..28 {
        assert_eq!(line(y).width(), 50, "line {y}");
    }
}

#[test]
fn no_size_is_too_small() {
    for (width, height) in [(1, 1), (10, 3), (20, 10), (39, 12), (79, 23)] {
        for start in
            [Start::Menu, game("xiangqi", &[], None), game("gomoku", &[], None), game("locked", &[], None)]
        {
            let mut seen = Seen::at(start, English, (width, height));
            seen.press("? ESC : \"x\" ESC").text();
        }
    }
}

#[test]
fn lines_break_at_spaces_and_between_wide_characters() {
    use super::super::{cut, wrapped};
    assert_eq!(wrapped("the quick brown fox", 10), ["the quick", "brown fox"]);
    assert_eq!(wrapped("红方被将军，必须应将。", 10), ["红方被将", "军，必须应", "将。"]);
    assert_eq!(wrapped("abcdefghijkl", 5), ["abcde", "fghij", "kl"]);
    assert_eq!(wrapped("", 5), [""]);
    assert_eq!(cut("象棋象棋", 5, false), "象棋…");
    assert_eq!(cut("abc", 3, false), "abc");
}
