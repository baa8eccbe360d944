//! Start, play, outcome, key.

use kernel::{Outcome, Position, Problem, Side};

use crate::square::{LEAST_SIDE, MOST_SIDE, files};
use crate::{Point, Points, Rule, five};

/// A position of gomoku.
///
/// ```
/// use gomoku::{Gomoku, Rule};
/// use kernel::{AnyGame, any};
///
/// let mut game = any(Gomoku::usual(Rule::Standard));
/// for point in ["h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8"] {
///     game.play(point).unwrap();
/// }
/// assert_eq!(game.outcome().unwrap().reason(), "five-in-a-row");
/// ```
#[derive(Clone, Debug)]
pub struct Gomoku {
    stones: [Points; 2], // by side
    key: u64,
    empty: u16,
    files: u8,
    ranks: u8,
    rule: Rule,
    turn: Side,
    end: Option<End>,
}

/// How the game ended, in one byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Five(Side),
    Full,
}

impl Gomoku {
    /// The empty board of `files` by `ranks`, Black to move.
    ///
    /// # Errors
    /// `gomoku-size` when a side is not between 5 and 26.
    pub fn new(rule: Rule, files: u8, ranks: u8) -> Result<Self, Problem> {
        let fits = |side| (LEAST_SIDE..=MOST_SIDE).contains(&side);
        if !fits(files) || !fits(ranks) {
            return Err(size_problem(files.into(), ranks.into()));
        }
        Ok(Self::empty(rule, files, ranks))
    }

    /// The usual start: 20x20 in freestyle, 15x15 in standard.
    #[must_use]
    pub const fn usual(rule: Rule) -> Self {
        Self::empty(rule, rule.usual_side(), rule.usual_side())
    }

    const fn empty(rule: Rule, files: u8, ranks: u8) -> Self {
        Gomoku {
            stones: [Points::EMPTY; 2],
            key: 0,
            empty: files as u16 * ranks as u16,
            files,
            ranks,
            rule,
            turn: Side::First,
            end: None,
        }
    }

    /// A position that was set up. The stones are on the board, and no point has two.
    ///
    /// # Errors
    /// `gomoku-two-winners` when both sides have a row that wins: no game ends twice.
    pub(crate) fn set_up(mut self, stones: [Points; 2], turn: Side) -> Result<Self, Problem> {
        let rows = stones.map(|set| five::winners(&set, self.rule).iter().next());
        if let [Some(black), Some(white)] = rows {
            return Err(Problem::new("gomoku-two-winners")
                .with("black", self.name(black))
                .with("white", self.name(white)));
        }
        let keys =
            Side::BOTH.iter().flat_map(|&side| stones[side.index()].iter().map(move |p| stone_key(side, p)));
        self.key = keys.fold(turn_key(turn), |key, one| key ^ one);
        let placed = stones[0].iter().count() + stones[1].iter().count();
        self.empty = u16::from(self.files) * u16::from(self.ranks) - placed as u16;
        self.end = match rows {
            [Some(_), None] => Some(End::Five(Side::First)),
            [None, Some(_)] => Some(End::Five(Side::Second)),
            _ if self.empty == 0 => Some(End::Full),
            _ => None,
        };
        self.stones = stones;
        self.turn = turn;
        Ok(self)
    }

    /// Which rows win.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// How many files the board has.
    #[must_use]
    pub const fn files(&self) -> u8 {
        self.files
    }

    /// How many ranks the board has.
    #[must_use]
    pub const fn ranks(&self) -> u8 {
        self.ranks
    }

    /// The stones of one side.
    #[must_use]
    pub const fn stones(&self, side: Side) -> &Points {
        &self.stones[side.index()]
    }

    /// Whose stone stands at `at`.
    #[must_use]
    pub fn at(&self, at: Point) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.stones(side).has(at))
    }

    /// The stones that stand in rows that win; empty unless the game ended so.
    #[must_use]
    pub fn winning_stones(&self) -> Points {
        match self.end {
            Some(End::Five(side)) => five::winners(self.stones(side), self.rule),
            Some(End::Full) | None => Points::EMPTY,
        }
    }
}

impl Position for Gomoku {
    type Move = Point;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, out: &mut Vec<Point>) {
        if self.end.is_some() {
            return;
        }
        out.reserve(self.empty.into());
        let board = (1 << self.files) - 1;
        for row in 0..self.ranks {
            let taken = self.stones[0].row(row) | self.stones[1].row(row);
            out.extend(files(board & !taken).map(|file| Point { row, file }));
        }
    }

    fn play(&mut self, at: Point) {
        let side = self.turn;
        let stones = &mut self.stones[side.index()];
        stones.put(at);
        self.empty -= 1;
        self.end = if five::wins(stones, at, self.rule) {
            Some(End::Five(side))
        } else if self.empty == 0 {
            Some(End::Full)
        } else {
            None
        };
        self.key ^= stone_key(side, at) ^ turn_key(Side::Second);
        self.turn = side.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end.map(|end| match end {
            End::Five(side) => Outcome::Win(side, "five-in-a-row"),
            End::Full => Outcome::Draw("board-full"),
        })
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn count(&self) -> u64 {
        if self.end.is_some() { 0 } else { self.empty.into() }
    }

    /// A stone is never taken back by play, so no position stands twice.
    fn reversible(&self) -> usize {
        0
    }
}

/// A board that would be too small or too large. The numbers are as found, however large.
pub(crate) fn size_problem(files: usize, ranks: usize) -> Problem {
    Problem::new("gomoku-size")
        .with("files", files)
        .with("ranks", ranks)
        .with("least", LEAST_SIDE)
        .with("most", MOST_SIDE)
}

const PLACES: usize = MOST_SIDE as usize * MOST_SIDE as usize;

/// A random number for each stone of each side: a key is the exclusive or of what is there (Zobrist 1970).
static STONE_KEYS: [[u64; PLACES]; 2] = stone_keys();

const fn stone_keys() -> [[u64; PLACES]; 2] {
    let mut keys = [[0; PLACES]; 2];
    let mut i = 0;
    while i < PLACES {
        keys[0][i] = scatter(2 * i as u64 + 1);
        keys[1][i] = scatter(2 * i as u64 + 2);
        i += 1;
    }
    keys
}

fn stone_key(side: Side, at: Point) -> u64 {
    STONE_KEYS[side.index()][usize::from(at.row) * usize::from(MOST_SIDE) + usize::from(at.file)]
}

/// What the side to move adds to a key: nothing for Black, so the empty board's key is 0.
const fn turn_key(turn: Side) -> u64 {
    match turn {
        Side::First => 0,
        Side::Second => scatter(0),
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): neighbouring numbers become unlike.
const fn scatter(n: u64) -> u64 {
    let z = (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_small_enough_to_copy() {
        // docs/adr/0002: copies are cheap up to 256 bytes. All sizes of board are the same type.
        assert!(size_of::<Gomoku>() <= 256, "{} bytes", size_of::<Gomoku>());
    }
}
