//! Renju's forbidden points by their definition, written once more from docs/rules/gomoku.md §6 and without a look
//! at `renju.rs`: stones are put down and rows are counted, and that is all.

use std::collections::{BTreeMap, BTreeSet};

use gomoku::{Forbidden, Gomoku, Point};
use kernel::Side;

/// Row and file.
pub type Place = (i32, i32);

/// A board as characters: `b`, `w` or `+`.
pub struct Plain {
    /// Rows from the top.
    pub grid: Vec<Vec<u8>>,
}

/// What a black stone does.
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

    /// The unbroken black row through `p` along a line.
    fn row(&self, p: Place, (down, right): Place) -> Vec<Place> {
        let mut from = p;
        while self.at((from.0 - down, from.1 - right)) == b'b' {
            from = (from.0 - down, from.1 - right);
        }
        let points = std::iter::successors(Some(from), |&(r, f)| Some((r + down, f + right)));
        points.take_while(|&at| self.at(at) == b'b').collect()
    }

    /// The empty points of a line that are at most four points from `p`.
    fn empty_near(&self, p: Place, (down, right): Place) -> Vec<Place> {
        let points = (-4..=4).map(|i| (p.0 + i * down, p.1 + i * right));
        points.filter(|&at| self.at(at) == b'+').collect()
    }

    /// The row of five that a stone at `e` would complete along a line.
    fn completed(&mut self, e: Place, line: Place) -> Option<Vec<Place>> {
        if self.at(e) != b'+' {
            return None;
        }
        self.set(e, b'b');
        let row = self.row(e, line);
        self.set(e, b'+');
        (row.len() == 5).then_some(row)
    }

    /// What a black stone on the empty point `p` would do.
    pub fn does(&mut self, p: Place) -> Does {
        self.set(p, b'b');
        let does = self.stone_does(p);
        self.set(p, b'+');
        does
    }

    fn stone_does(&mut self, p: Place) -> Does {
        let rows = LINES.map(|line| self.row(p, line).len());
        if rows.contains(&5) {
            return Does::Five;
        }
        if rows.iter().any(|&row| row >= 6) {
            return Does::Loses(Forbidden::Overline);
        }
        let mut fours = BTreeSet::new();
        for line in LINES {
            for e in self.empty_near(p, line) {
                let five = self.completed(e, line).filter(|five| five.contains(&p));
                fours.extend(five.map(|five| five.into_iter().filter(|&at| at != e).collect::<Vec<Place>>()));
            }
        }
        if fours.len() >= 2 {
            return Does::Loses(Forbidden::DoubleFour);
        }
        let threes = LINES.into_iter().filter(|&line| self.has_three(p, line)).count();
        if threes >= 2 { Does::Loses(Forbidden::DoubleThree) } else { Does::Nothing }
    }

    fn has_three(&mut self, p: Place, line: Place) -> bool {
        let empty = self.empty_near(p, line);
        empty.into_iter().any(|e| {
            self.set(e, b'b');
            let straight = self.is_straight_four(p, e, line);
            self.set(e, b'+');
            straight && self.does(e) == Does::Nothing
        })
    }

    /// Whether the stones `p` and `e` stand in a row of four that either empty end completes to exactly five.
    fn is_straight_four(&mut self, p: Place, e: Place, line: Place) -> bool {
        let row = self.row(e, line);
        let (first, last) = (row[0], row[row.len() - 1]);
        let ends = [(first.0 - line.0, first.1 - line.1), (last.0 + line.0, last.1 + line.1)];
        row.len() == 4 && row.contains(&p) && ends.iter().all(|&end| self.completed(end, line).is_some())
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
