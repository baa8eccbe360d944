//! Bags of pieces: the sheet `bag`, and the column of pieces that are turned over into what is drawn from one.

use std::ops::Range;

use kernel::{Problem, Side};

use super::nearest::nearest;
use super::sheets::{Found, Second};
use super::turns::Facts;
use super::{Level2, MOST_COUNT};
use crate::rule::integer;
use crate::rulebook::Map;

/// The most squares of a board times kinds in a bag, where pieces are turned over: it bounds the moves of a position.
const MOST_TURNED: usize = 65_536;
/// The most problems of the sheet `bag` that are looked for.
const MOST_FOUND: usize = 20;
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
    /// Their number.
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
pub(super) struct Bags {
    pub names: Vec<String>,
    pub pieces: Vec<InBag>,
    /// The row in which each bag is named first.
    rows: Vec<u32>,
}

impl Second {
    /// Reads the sheet `bag`.
    pub(super) fn bags(&self, map: &Map, facts: &Facts<'_>, found: &mut Vec<Found>) -> Bags {
        let mut bags = Bags { names: Vec::new(), pieces: Vec::new(), rows: Vec::new() };
        for (row, cells) in (0u32..).zip(&self.sheets.bag).skip(1) {
            if found.len() >= MOST_FOUND {
                break;
            }
            let text = |col: usize| cells.get(col).map_or("", |text| text.trim());
            if cells.iter().all(|text| text.trim().is_empty()) {
                continue;
            }
            if text(0).is_empty() || text(0).contains(char::is_whitespace) {
                found.push(("bag", (row, 0), Problem::new("map-bad-bag-name").with("text", text(0))));
                continue;
            }
            let owner = match text(2) {
                "1" => Some(Side::First),
                "2" => Some(Side::Second),
                "3" | "" => None,
                other => {
                    found.push(("bag", (row, 2), Problem::new("map-bad-bag-side").with("text", other)));
                    continue;
                }
            };
            let named = facts.kinds(text(1));
            let of_side = |kind: &u16| map.kinds[usize::from(*kind) - 1].owner == owner;
            let Some(kind) = named.iter().copied().find(of_side) else {
                let problem = match named.first() {
                    // The name is right, and no piece of that side has it.
                    Some(_) => Problem::new("map-bag-other-side").with("text", text(1)).with("side", text(2)),
                    None => facts.no_piece(text(1)),
                };
                found.push(("bag", (row, 1), problem));
                continue;
            };
            let count = integer(text(3)).and_then(|count| u32::try_from(count).ok());
            let Some(count) = count.filter(|&count| count <= MOST_COUNT) else {
                let problem = Problem::new("map-bad-bag-count").with("text", text(3));
                found.push(("bag", (row, 3), problem.with("most", MOST_COUNT)));
                continue;
            };
            let bag = bags.names.iter().position(|name| name == text(0)).unwrap_or_else(|| {
                bags.names.push(text(0).to_owned());
                bags.rows.push(row);
                bags.names.len() - 1
            }) as u16;
            if bags.pieces.iter().any(|one| (one.bag, one.kind) == (bag, kind)) {
                found.push(("bag", (row, 1), Problem::new("map-rules2-twice").with("text", text(1))));
                continue;
            }
            bags.pieces.push(InBag { bag, kind, count: count as u16 });
        }
        bags.pieces.sort_by_key(|one| one.bag);
        bags
    }
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

    /// Adds a problem for each bag that no piece is turned over into.
    pub fn unused(&self, used: &[u16], found: &mut Vec<Found>) {
        let bags = (0u16..).zip(self.names.iter().zip(&self.rows)).filter(|(bag, _)| !used.contains(bag));
        found.extend(
            bags.map(|(_, (name, &row))| {
                ("bag", (row, 0), Problem::new("map-unused-bag").with("text", name))
            }),
        );
    }
}

/// Returns the places of each bag's pieces in the list of all; they stand together.
pub(super) fn ranges(level2: &Level2) -> Vec<Range<usize>> {
    let begins = |bag: usize| level2.in_bags.partition_point(|one| usize::from(one.bag) < bag);
    (0..level2.bags.len()).map(|bag| begins(bag)..begins(bag + 1)).collect()
}
