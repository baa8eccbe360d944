//! FEN: the rows from the top, the side to move, two dashes, plies without a capture, the number of the move.

use kernel::{Position, Problem, Side};

use crate::{Kind, Piece, Square, Xiangqi};

/// The longest FEN that is read, in bytes.
pub(crate) const LONGEST_FEN: usize = 128;

/// Writes a position.
pub(crate) fn write(pos: &Xiangqi) -> String {
    let row_text = |row: i8| {
        let mut text = String::new();
        let mut empty = 0;
        for file in 0..9 {
            let piece = Square::at(file, row).and_then(|square| pos.piece_at(square));
            match piece {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                        empty = 0;
                    }
                    text.push(piece.letter());
                }
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text
    };
    let rows: Vec<String> = (0..10).map(row_text).collect();
    let turn = if pos.turn() == Side::First { 'w' } else { 'b' };
    format!("{} {turn} - - {} {}", rows.join("/"), pos.idle(), pos.ply() / 2 + 1)
}

/// Reads a position of the same rules as `like`.
pub(crate) fn read(like: &Xiangqi, fen: &str) -> Result<Xiangqi, Problem> {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let mut pieces = Vec::new();
    for (row, text) in fields[0].split('/').enumerate() {
        let mut file = 0;
        for letter in text.chars() {
            if let Some(run) = letter.to_digit(10) {
                file += run as i8;
                continue;
            }
            let kind = Kind::lettered(letter.to_ascii_lowercase()).ok_or_else(|| Problem::new("x"))?;
            let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
            let square = Square::at(file, row as i8).ok_or_else(|| Problem::new("x"))?;
            pieces.push((square, Piece { side, kind }));
            file += 1;
        }
    }
    let turn = if fields[1] == "b" { Side::Second } else { Side::First };
    let idle = fields.get(4).and_then(|f| f.parse().ok()).unwrap_or(0);
    let number: u16 = fields.get(5).and_then(|f| f.parse().ok()).unwrap_or(1);
    let ply = number.saturating_sub(1).saturating_mul(2).saturating_add(u16::from(turn == Side::Second));
    like.set_up_with(&pieces, turn, (idle, ply))
}
