//! Bags of pieces: the sheet `bag`, and the column of pieces that are turned over into what is drawn from one.

use std::ops::Range;

use kernel::Problem;

use super::nearest::nearest;

/// The most squares of a board times kinds in a bag, where pieces are turned over: it bounds the moves of a position.
const MOST_TURNED: usize = 65_536;
/// The word of a piece that is turned over when it moves, in English and Chinese.
const MOVES: [&str; 2] = ["moves", "走"];
/// The word of a piece that is also turned over when it is taken, for the side that takes it alone.
const TAKEN: [&str; 2] = ["taken", "吃"];
/// The most rows of bags where pieces are turned over as they are taken: one number holds two of them.
pub(super) const MOST_LOTS: usize = 126;

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
    /// True if it is turned over, too, when it is taken before: the side that takes it alone learns what it was.
    pub taken: bool,
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
        let (mut moves, mut taken) = (false, false);
        for word in words {
            let set = [(MOVES, &mut moves), (TAKEN, &mut taken)].into_iter().find_map(|(names, set)| {
                (word == names[1] || word.eq_ignore_ascii_case(names[0])).then_some(set)
            });
            match set {
                Some(set) if !*set => *set = true,
                _ => return Err(Problem::new("map-bad-turns").with("text", text)),
            }
        }
        let Some(bag) = self.names.iter().position(|known| known == name) else {
            let near = nearest(name, self.names.iter().map(String::as_str)).unwrap_or("-");
            return Err(Problem::new("map-unknown-bag").with("text", name).with("near", near));
        };
        let outcomes = self.pieces.iter().filter(|one| usize::from(one.bag) == bag).count();
        if squares * outcomes > MOST_TURNED {
            let problem = Problem::new("map-too-large").with("text", squares * outcomes);
            return Err(problem.with("most", MOST_TURNED));
        }
        if taken && self.pieces.len() > MOST_LOTS {
            let problem = Problem::new("map-too-large").with("text", self.pieces.len());
            return Err(problem.with("most", MOST_LOTS));
        }
        Ok(TurnsOver { bag: bag as u16, moves, taken })
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
