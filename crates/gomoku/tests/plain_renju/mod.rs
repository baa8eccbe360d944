//! Renju's forbidden points by their definition, written once more from docs/rules/gomoku.md §6 and without a look
//! at `renju.rs`: stones are put down and rows are counted, and that is all.

use std::collections::BTreeMap;

use gomoku::{Forbidden, Gomoku, Point};
use kernel::Side;

/// Row and file.
pub type Place = (i32, i32);

/// A board as characters: `b`, `w` or `+`.
pub struct Plain {
    /// Rows from the top.
    pub grid: Vec<Vec<u8>>,
}

/// The effect of a black stone.
#[derive(PartialEq, Debug)]
pub enum Does {
    Five,
    Loses(Forbidden),
    Nothing,
}

const LINES: [Place; 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

impl Plain {
    /// The board of a position.
    #[allow(dead_code, reason = "only the benchmark has positions to copy")]
    pub fn of(pos: &Gomoku) -> Plain {
        let stone = |row, file| match pos.at(Point { row, file }) {
            Some(Side::First) => b'b',
            Some(Side::Second) => b'w',
            None => b'+',
        };
        let row = |row| (0..pos.files()).map(|file| stone(row, file)).collect();
        Plain { grid: (0..pos.ranks()).map(row).collect() }
    }

    fn at(&self, (row, file): Place) -> u8 {
        let line = usize::try_from(row).ok().and_then(|row| self.grid.get(row));
        line.and_then(|line| line.get(usize::try_from(file).ok()?)).copied().unwrap_or(b'|')
    }

    /// Puts a stone, or takes it away with `+`.
    pub fn set(&mut self, (row, file): Place, stone: u8) {
        self.grid[row as usize][file as usize] = stone;
    }

    /// The first point and the length of the unbroken black row through `p` along a line.
    fn row(&self, p: Place, (down, right): Place) -> (Place, i32) {
        let (mut from, mut length) = (p, 0);
        while self.at((from.0 - down, from.1 - right)) == b'b' {
            from = (from.0 - down, from.1 - right);
        }
        while self.at((from.0 + length * down, from.1 + length * right)) == b'b' {
            length += 1;
        }
        (from, length)
    }

    /// The empty points of a line that are at most four points from `p`.
    fn empty_near(&self, p: Place, (down, right): Place) -> impl Iterator<Item = Place> + use<> {
        let points = [-4, -3, -2, -1, 1, 2, 3, 4].map(|i| (p.0 + i * down, p.1 + i * right));
        points.map(|at| Some(at).filter(|&at| self.at(at) == b'+')).into_iter().flatten()
    }

    /// The row of exactly five that a stone at `e` would complete along a line.
    fn completed(&mut self, e: Place, line: Place) -> Option<[Place; 5]> {
        if self.at(e) != b'+' {
            return None;
        }
        self.set(e, b'b');
        let (from, length) = self.row(e, line);
        self.set(e, b'+');
        (length == 5).then(|| [0, 1, 2, 3, 4].map(|i| (from.0 + i * line.0, from.1 + i * line.1)))
    }

    /// Returns the effect of a black stone put on the empty point `p`.
    pub fn does(&mut self, p: Place) -> Does {
        self.set(p, b'b');
        let does = self.stone_does(p);
        self.set(p, b'+');
        does
    }

    fn stone_does(&mut self, p: Place) -> Does {
        let rows = LINES.map(|line| self.row(p, line).1);
        if rows.contains(&5) {
            return Does::Five;
        }
        if rows.iter().any(|&row| row >= 6) {
            return Does::Loses(Forbidden::Overline);
        }
        // A four is known by its stones, of which one more makes five.
        let mut fours: Vec<Vec<Place>> = Vec::new();
        for line in LINES {
            for e in self.empty_near(p, line) {
                let Some(five) = self.completed(e, line).filter(|five| five.contains(&p)) else { continue };
                let four: Vec<Place> = five.into_iter().filter(|&at| at != e).collect();
                if !fours.contains(&four) {
                    fours.push(four);
                }
            }
        }
        if fours.len() >= 2 {
            return Does::Loses(Forbidden::DoubleFour);
        }
        let threes = LINES.into_iter().filter(|&line| self.has_three(p, line)).count();
        if threes >= 2 { Does::Loses(Forbidden::DoubleThree) } else { Does::Nothing }
    }

    fn has_three(&mut self, p: Place, line: Place) -> bool {
        self.empty_near(p, line).any(|e| {
            self.set(e, b'b');
            let straight = self.is_straight_four(p, e, line);
            self.set(e, b'+');
            straight && self.does(e) == Does::Nothing
        })
    }

    /// Returns true if the stones `p` and `e` stand in a row of four that either empty end completes to exactly five.
    fn is_straight_four(&mut self, p: Place, e: Place, line: Place) -> bool {
        let (from, length) = self.row(e, line);
        let after = (from.0 + 4 * line.0, from.1 + 4 * line.1);
        let holds_p = self.row(p, line) == (from, length);
        length == 4
            && holds_p
            && [(from.0 - line.0, from.1 - line.1), after]
                .iter()
                .all(|&end| self.completed(end, line).is_some())
    }

    /// Every forbidden point.
    pub fn forbidden(&mut self) -> BTreeMap<Place, Forbidden> {
        let places: Vec<Place> = (0..self.grid.len() as i32)
            .flat_map(|row| (0..self.grid[0].len() as i32).map(move |file| (row, file)))
            .filter(|&at| self.at(at) == b'+')
            .collect();
        places
            .into_iter()
            .filter_map(|at| match self.does(at) {
                Does::Loses(why) => Some((at, why)),
                Does::Five | Does::Nothing => None,
            })
            .collect()
    }

    /// The position as a FEN, Black to move.
    #[allow(dead_code, reason = "only the tests read it")]
    pub fn fen(&self) -> String {
        let row = |row: &Vec<u8>| {
            let mut text = String::from_utf8(row.clone()).unwrap();
            for run in (1..=row.len()).rev() {
                text = text.replace(&"+".repeat(run), &run.to_string());
            }
            text
        };
        self.grid.iter().map(row).collect::<Vec<String>>().join("/") + " b"
    }
}
