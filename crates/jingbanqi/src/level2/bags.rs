//! Bags of pieces: the sheet `bag`, and the column of pieces that are turned over into what is drawn from one.

use std::ops::Range;

use kernel::Problem;

use super::nearest::nearest;

/// The most squares of a board times kinds in a bag, where pieces are turned over: it bounds the moves of a position.
const MOST_TURNED: usize = 65_536;
/// The word of a piece that is turned over when it moves, in English and Chinese.
const MOVES: [&str; 2] = ["moves", "走"];

/// Pieces of a kind in a bag at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InBag {
    /// The number of the bag, from 0 in the order in which the sheet names them.
    pub bag: u16,
    /// Their row of the table of pieces, from 1.
    pub kind: u16,
    /// The number of these pieces.
    pub count: u16,
}

/// The way in which a kind of piece is turned over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TurnsOver {
    /// The number of the bag that it is drawn from.
    pub bag: u16,
    /// True if it is turned over when it moves; false: where it stands, by a move onto itself.
    pub moves: bool,
}

/// The bags of a map: their names, and what is in them, by bag.
#[derive(Default)]
pub(super) struct Bags {
    pub names: Vec<String>,
    pub pieces: Vec<InBag>,
    /// The row in which each bag is named first.
    pub rows: Vec<u32>,
}

impl Bags {
    /// Reads a cell of the column `turns`.
    pub fn turns(&self, text: &str, squares: usize) -> Result<TurnsOver, Problem> {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        let moves = match (words.next(), words.next()) {
            (None, _) => false,
            (Some(word), None) if word == MOVES[1] || word.eq_ignore_ascii_case(MOVES[0]) => true,
            _ => return Err(Problem::new("map-bad-turns").with("text", text)),
        };
        let Some(bag) = self.names.iter().position(|known| known == name) else {
            let near = nearest(name, self.names.iter().map(String::as_str)).unwrap_or("-");
            return Err(Problem::new("map-unknown-bag").with("text", name).with("near", near));
        };
        let outcomes = self.pieces.iter().filter(|one| usize::from(one.bag) == bag).count();
        if squares * outcomes > MOST_TURNED {
            let problem = Problem::new("map-too-large").with("text", squares * outcomes);
            return Err(problem.with("most", MOST_TURNED));
        }
        Ok(TurnsOver { bag: bag as u16, moves })
    }

    /// Returns a problem for each bag that no piece is turned over into, with the row that names it first.
    pub fn unused<'a>(&'a self, used: &'a [u16]) -> impl Iterator<Item = (u32, Problem)> + 'a {
        let bags = (0u16..).zip(self.names.iter().zip(&self.rows)).filter(|(bag, _)| !used.contains(bag));
        bags.map(|(_, (name, &row))| (row, Problem::new("map-unused-bag").with("text", name)))
    }
}

/// Returns the places of each bag's pieces in the list of all; they stand together.
pub(super) fn ranges(bags: usize, pieces: &[InBag]) -> Vec<Range<usize>> {
    let begins = |bag: usize| pieces.partition_point(|one| usize::from(one.bag) < bag);
    (0..bags).map(|bag| begins(bag)..begins(bag + 1)).collect()
}
