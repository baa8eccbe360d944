//! FEN: the rows from the top, the side to move, two dashes, plies without a capture, the number of the move.
//!
//! `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1` is the start. Horses may be `h` and
//! elephants `e`; Red may be `r` or `red`; everything after the board may be missing, and Red is to move then. Read as
//! well is what people paste: one sign for both dashes (`w -- 0 1`) or none (`w 0 1`), the empty hands of programs that
//! know drops (`[]` behind the board), and the operations of EPD (`bm h2e2; id "x";`) and the moves of UCI behind it
//! all, which are no part of a position.

use kernel::{Position, Problem, Side};

use crate::diagram::Drawn;
use crate::square::{FILES, ROWS};
use crate::{Kind, Piece, Square, Xiangqi};

/// The longest FEN that is read, in bytes: the board can have 99, the rest of a long game 18.
const LONGEST: usize = 128;

/// Writes a position.
pub(crate) fn write(pos: &Xiangqi) -> String {
    let rows: Vec<String> = (0..ROWS).map(|row| row_text(pos, row)).collect();
    let turn = if pos.turn() == Side::First { 'w' } else { 'b' };
    format!("{} {turn} - - {} {}", rows.join("/"), pos.idle(), pos.ply() / 2 + 1)
}

fn row_text(pos: &Xiangqi, row: u8) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for file in 0..FILES {
        match pos.piece_at(Square(row * FILES + file)) {
            None => empty += 1,
            Some(piece) => {
                push_run(&mut text, &mut empty);
                text.push(piece.letter());
            }
        }
    }
    push_run(&mut text, &mut empty);
    text
}

fn push_run(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}

/// Reads a position of the same rules as `like`.
pub(crate) fn read(like: &Xiangqi, fen: &str) -> Result<Xiangqi, Problem> {
    let Fields { pieces, turn, idle, ply } = fields(fen)?;
    like.with_pieces(&pieces, turn, (idle, ply))
}

/// Reads a board on which no game needs to stand.
pub(crate) fn read_drawn(fen: &str) -> Result<Drawn, Problem> {
    let Fields { pieces, turn, .. } = fields(fen)?;
    Drawn::new(&pieces, turn)
}

/// The fields of a FEN.
struct Fields {
    pieces: Vec<(Square, Piece)>,
    turn: Side,
    idle: u16,
    ply: u16,
}

fn fields(fen: &str) -> Result<Fields, Problem> {
    let fen = position_alone(fen.trim());
    if fen.len() > LONGEST {
        return Err(Problem::new("xiangqi-fen-too-long").with("found", fen.len()).with("most", LONGEST));
    }
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let (board, side, rest) = match fields.as_slice() {
        [board, side, rest @ ..] if rest.len() <= 4 => (board, *side, rest),
        [board] if board.contains('/') => (board, "w", &[][..]),
        _ => return Err(Problem::new("xiangqi-fen-fields").with("found", fields.len())),
    };
    let board = board.trim_end_matches("[]").trim_end_matches("[-]");
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != usize::from(ROWS) {
        return Err(Problem::new("xiangqi-fen-rows").with("found", rows.len()));
    }
    let mut pieces = Vec::new();
    for (row, text) in (0..ROWS).zip(rows) {
        read_row(text, row, &mut pieces)?;
    }
    let turn = match side.to_ascii_lowercase().as_str() {
        "w" | "r" | "red" | "white" | "红" | "紅" => Side::First,
        "b" | "black" | "黑" => Side::Second,
        _ => return Err(Problem::new("xiangqi-fen-side").with("found", side)),
    };
    // Two dashes for what chess has there, or both in one, or none before the numbers.
    let dashes = rest.iter().take(2).take_while(|field| field.bytes().all(|b| b == b'-')).count();
    let numbers = &rest[dashes..];
    if let Some(field) = numbers.first().filter(|field| !field.bytes().all(|b| b.is_ascii_digit())) {
        let problem = Problem::new(if dashes < 2 { "xiangqi-fen-dash" } else { "xiangqi-fen-number" });
        let problem = problem.with("found", field);
        return Err(if dashes < 2 { problem } else { problem.with("most", u16::MAX) });
    }
    if numbers.len() > 2 {
        return Err(Problem::new("xiangqi-fen-fields").with("found", fields.len()));
    }
    let idle = number(numbers.first(), 0)?;
    let before = number(numbers.get(1), 1)?.saturating_sub(1);
    let ply = before.saturating_mul(2).saturating_add(u16::from(turn == Side::Second));
    Ok(Fields { pieces, turn, idle, ply })
}

/// A FEN without the operations of EPD and the moves of UCI behind it.
fn position_alone(fen: &str) -> &str {
    let fen = fen.strip_prefix("position ").unwrap_or(fen).trim_start();
    let fen = fen.strip_prefix("fen ").unwrap_or(fen);
    let mut ends = fen.len();
    let mut at = 0;
    for word in fen.split_inclusive(char::is_whitespace) {
        let plain = word.trim();
        // An operation has a name of two letters or more; the board has slashes, the side is one letter or a known
        // word.
        let is_name = plain.len() >= 2
            && plain.bytes().all(|b| b.is_ascii_alphanumeric())
            && plain.starts_with(|c: char| c.is_ascii_lowercase())
            && !matches!(plain, "red" | "white" | "black");
        if at > 0 && (is_name || plain.starts_with(';')) {
            ends = at;
            break;
        }
        at += word.len();
    }
    fen[..ends].trim()
}

fn read_row(text: &str, row: u8, pieces: &mut Vec<(Square, Piece)>) -> Result<(), Problem> {
    let mut file = 0;
    let width = |found: String| Problem::new("xiangqi-fen-width").with("row", row + 1).with("found", found);
    for letter in text.chars() {
        let step = match letter {
            '1'..='9' => letter as u8 - b'0',
            _ => {
                let kind = Kind::lettered(letter.to_ascii_lowercase()).ok_or_else(|| {
                    Problem::new("xiangqi-fen-letter").with("row", row + 1).with("found", letter)
                })?;
                let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
                if file < FILES {
                    pieces.push((Square(row * FILES + file), Piece { side, kind }));
                }
                1
            }
        };
        file += step;
        if file > FILES {
            return Err(width(text.to_owned()));
        }
    }
    if file == FILES { Ok(()) } else { Err(width(text.to_owned())) }
}

/// A number of plies or moves; `usual` where there is none.
fn number(field: Option<&&str>, usual: u16) -> Result<u16, Problem> {
    let Some(text) = field else { return Ok(usual) };
    let plain = text.bytes().all(|b| b.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|_| plain)
        .ok_or_else(|| Problem::new("xiangqi-fen-number").with("found", text).with("most", u16::MAX))
}
