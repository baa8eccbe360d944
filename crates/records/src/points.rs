//! The ninety points of a xiangqi board, as the files of other programs fill them.

use kernel::{Notation, Problem, Side};
use xiangqi::{Rules, Xiangqi};

use crate::{Record, Tree};

/// The piece on each point, by FEN letter: row by row from Black's left corner, as a FEN has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Points([Option<u8>; 90]);

/// A point by its file from Red's left and its row from Black's side, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Point {
    pub file: u8,
    pub row: u8,
}

impl Point {
    /// Makes a point; `None` off the board.
    pub fn new(file: u8, row: u8) -> Option<Point> {
        (file < 9 && row < 10).then_some(Point { file, row })
    }

    fn index(self) -> usize {
        usize::from(self.row) * 9 + usize::from(self.file)
    }
}

/// The machine text of a move.
pub(crate) fn move_text(from: Point, to: Point) -> String {
    [from, to].map(|p| format!("{}{}", char::from(b'a' + p.file), 9 - p.row)).concat()
}

/// The thirty-two pieces in the order in which XQF and DPXQ list their places.
pub(crate) const IN_ORDER: &[u8; 32] = b"RNBAKABNRCCPPPPPrnbakabnrccppppp";

impl Points {
    /// An empty board.
    pub fn empty() -> Points {
        Points([None; 90])
    }

    /// The board at the beginning of every game.
    pub fn usual() -> Points {
        let mut points = Points::empty();
        let rows: [(u8, &[u8; 9]); 6] = [
            (0, b"rnbakabnr"),
            (2, b".c.....c."),
            (3, b"p.p.p.p.p"),
            (6, b"P.P.P.P.P"),
            (7, b".C.....C."),
            (9, b"RNBAKABNR"),
        ];
        for (row, letters) in rows {
            for (file, &letter) in (0..).zip(letters.iter()).filter(|(_, letter)| **letter != b'.') {
                points.put(Point { file, row }, Some(letter));
            }
        }
        points
    }

    pub fn put(&mut self, at: Point, letter: Option<u8>) {
        self.0[at.index()] = letter;
    }

    pub fn at(&self, at: Point) -> Option<u8> {
        self.0[at.index()]
    }

    /// Returns the owner of the piece on that point: Red's letters are capitals.
    pub fn owner(&self, at: Point) -> Option<Side> {
        let red = self.at(at)?.is_ascii_uppercase();
        Some(if red { Side::First } else { Side::Second })
    }

    /// The FEN of these pieces with that side to move.
    pub fn fen(&self, turn: Side) -> String {
        let row = |row: &[Option<u8>]| {
            let mut text = String::new();
            for run in row.chunk_by(|a, b| a.is_none() && b.is_none()) {
                match run[0] {
                    Some(letter) => text.push(letter.into()),
                    None => text.push_str(&run.len().to_string()),
                }
            }
            text
        };
        let rows: Vec<String> = self.0.chunks(9).map(row).collect();
        format!("{} {} - - 0 1", rows.join("/"), if turn == Side::First { 'w' } else { 'b' })
    }
}

/// Gives the record its start: these pieces, with the side to move that makes the first move, or `usual` when there
/// is none.
///
/// # Errors
/// The reason why the game refuses the position.
pub(crate) fn set_start(record: &mut Record, points: &Points, usual: Side) -> Result<(), Problem> {
    let first = record.tree.next(Tree::START).first();
    let from = first.and_then(|&id| from_point(&record.tree[id].text));
    let turn = from.and_then(|at| points.owner(at)).unwrap_or(usual);
    start_at(record, &points.fen(turn))
}

/// Gives the record its start: that position, or nothing where it is the usual one. What is no position of `xiangqi`
/// may be one of `xiangqi/free`.
///
/// # Errors
/// The reason why the game refuses the position.
pub(crate) fn start_at(record: &mut Record, fen: &str) -> Result<(), Problem> {
    let (game, start) = match opened("xiangqi", Some(fen)) {
        Ok(start) => ("xiangqi", start),
        Err(refused) => ("xiangqi/free", opened("xiangqi/free", Some(fen)).map_err(|_| refused)?),
    };
    let usual = Xiangqi::new(Rules::Asian).fen();
    record.game = game.to_owned();
    record.start = Some(start.fen()).filter(|fen| *fen != usual);
    Ok(())
}

/// Sets up the position to replay a record from, without the limit on idle moves: a record may go on after a draw
/// that no player claimed.
///
/// # Errors
/// The reason why the game refuses the position.
pub(crate) fn opened(game: &str, fen: Option<&str>) -> Result<Xiangqi, Problem> {
    let rules = if game == "xiangqi/free" { Rules::Home } else { Rules::Asian };
    let usual = Xiangqi::new(rules).with_limit(0);
    fen.map_or_else(|| Ok(usual.clone()), |fen| usual.read_fen(fen))
}

/// Returns the point at which a move text written by [`move_text`] begins.
fn from_point(text: &str) -> Option<Point> {
    named(text.as_bytes().get(..2)?)
}

/// Returns the points at which a move text written by [`move_text`] begins and ends.
pub(crate) fn points_of(text: &str) -> Option<[Point; 2]> {
    let (from, to) = text.as_bytes().split_at_checked(2)?;
    Some([named(from)?, named(to)?])
}

fn named(name: &[u8]) -> Option<Point> {
    let &[file, rank] = name else { return None };
    Point::new(file.checked_sub(b'a')?, 9_u8.checked_sub(rank.checked_sub(b'0')?)?)
}
