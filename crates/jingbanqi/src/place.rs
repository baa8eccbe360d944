//! Evaluation of rules of places: tests whether a piece stands on a square that a rule names.

use crate::rule::{Place, PlaceRule};

/// A source of answers to rules of places for a square.
pub(crate) trait Where {
    fn holds(&self, rule: &PlaceRule, at: u16) -> bool;
}

/// The part of the rules that the square alone decides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Always {
    pub rows: u8,
    pub cols: u8,
    pub old_names: bool,
    /// True if answers are computed for every square beforehand.
    pub tabled: bool,
}

impl Always {
    pub fn squares(&self) -> usize {
        usize::from(self.rows) * usize::from(self.cols)
    }

    /// Splits a rule into the part that the square alone decides and the part that depends on other pieces. Without
    /// tables everything is in the second part. Unknown names are in neither: they are false.
    pub fn split(&self, rule: &PlaceRule) -> (PlaceRule, PlaceRule) {
        let known = |place: &&Place| match place.name.as_str() {
            "X" | "Y" | "P" => true,
            "NP" | "D" | "R" | "T" | "C" => self.old_names,
            _ => false,
        };
        let by_square = |place: &Place| self.tabled && matches!(place.name.as_str(), "X" | "Y" | "P" | "NP");
        let (fixed, loose) = rule.0.iter().filter(known).cloned().partition(by_square);
        (PlaceRule(fixed), PlaceRule(loose))
    }

    /// Row and column of a square, from 0.
    fn point(&self, at: u16) -> (i64, i64) {
        let cols = u16::from(self.cols);
        (i64::from(at / cols), i64::from(at % cols))
    }

    /// Returns true if a coordinate as written, 1-based or from the far end, means the row `row`, from 0.
    fn is_row(&self, written: i64, row: i64) -> bool {
        resolved(written, self.rows) == row
    }

    fn is_col(&self, written: i64, col: i64) -> bool {
        resolved(written, self.cols) == col
    }

    /// Returns true if the square is one of the points `x1 y1 x2 y2 …`.
    fn is_point(&self, args: &[i64], at: u16) -> bool {
        let (row, col) = self.point(at);
        args.chunks_exact(2).any(|point| self.is_row(point[0], row) && self.is_col(point[1], col))
    }

    /// Tests whether one place holds by the square alone; `None` when it depends on other pieces.
    pub fn place(&self, place: &Place, at: u16) -> Option<bool> {
        let (row, col) = self.point(at);
        Some(match place.name.as_str() {
            "X" => place.args.iter().any(|&a| self.is_row(a, row)),
            "Y" => place.args.iter().any(|&a| self.is_col(a, col)),
            "P" => self.is_point(&place.args, at),
            "NP" => self.old_names && !self.is_point(&place.args, at),
            _ => return None,
        })
    }

    /// The squares on which one of those places holds by the square alone. Each place is looked at once, not at every
    /// square: rules are long, and boards are large.
    pub fn squares_of<'a>(&self, places: impl IntoIterator<Item = &'a Place>) -> Squares {
        let mut on = Squares::none(self.squares());
        let (mut rows, mut cols) = (0u64, 0u64);
        for place in places {
            match place.name.as_str() {
                "X" => rows |= lines(&place.args, self.rows),
                "Y" => cols |= lines(&place.args, self.cols),
                "P" => self.points(&place.args).for_each(|at| on.add(at)),
                "NP" if self.old_names => {
                    let mut but = Squares::none(self.squares());
                    self.points(&place.args).for_each(|at| but.add(at));
                    on.0.iter_mut().zip(&but.0).for_each(|(on, but)| *on |= !but);
                }
                _ => {}
            }
        }
        let whole = u64::MAX >> (64 - u32::from(self.cols));
        for row in (0..u16::from(self.rows)).filter(|row| cols != 0 || rows >> row & 1 == 1) {
            on.add_row(row * u16::from(self.cols), if rows >> row & 1 == 1 { whole } else { cols });
        }
        on
    }

    /// The points `x1 y1 x2 y2 …` that are on the board.
    fn points<'a>(&self, args: &'a [i64]) -> impl Iterator<Item = u16> + 'a {
        let shape = *self;
        args.chunks_exact(2).filter_map(move |point| {
            let (row, col) = (line(point[0], shape.rows)?, line(point[1], shape.cols)?);
            Some(row as u16 * u16::from(shape.cols) + col as u16)
        })
    }
}

/// A set of squares of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Squares(Box<[u64]>);

impl Squares {
    /// Makes an empty set for a board with this number of squares.
    pub(crate) fn none(squares: usize) -> Squares {
        Squares(vec![0; squares.div_ceil(64)].into())
    }

    /// Returns true if a square is in the set.
    #[must_use]
    pub fn contains(&self, square: u16) -> bool {
        self.0[usize::from(square) / 64] >> (square % 64) & 1 == 1
    }

    /// Makes the set of all squares of a board with this number of squares.
    pub(crate) fn every(squares: usize) -> Squares {
        let mut every = Squares::none(squares);
        every.turn_round();
        every
    }

    pub(crate) fn add(&mut self, square: u16) {
        self.0[usize::from(square) / 64] |= 1 << (square % 64);
    }

    /// Keeps the squares that another set has, too.
    pub(crate) fn keep(&mut self, other: &Squares) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= theirs);
    }

    /// Adds the squares of another set.
    pub(crate) fn join(&mut self, other: &Squares) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// Takes the squares that are not in the set instead. Those behind the last of the board are never asked for.
    pub(crate) fn turn_round(&mut self) {
        self.0.iter_mut().for_each(|squares| *squares = !*squares);
    }

    /// Adds squares of the row that begins at `first`, by columns as bits.
    fn add_row(&mut self, first: u16, cols: u64) {
        let (word, shift) = (usize::from(first) / 64, first % 64);
        self.0[word] |= cols << shift;
        if let Some(next) = self.0.get_mut(word + 1) {
            *next |= (cols >> 1) >> (63 - shift);
        }
    }
}

/// The row or column that a coordinate means; `None` off the board.
fn line(written: i64, length: u8) -> Option<u32> {
    u32::try_from(resolved(written, length)).ok().filter(|&line| line < length.into())
}

/// Rows or columns as bits.
fn lines(written: &[i64], length: u8) -> u64 {
    written.iter().filter_map(|&one| line(one, length)).fold(0, |lines, line| lines | 1 << line)
}

/// A coordinate as written: `a > 0` counts from 1, `a <= 0` from the far end. The result may be off the board.
fn resolved(written: i64, length: u8) -> i64 {
    if written > 0 { written - 1 } else { written.saturating_add(i64::from(length)) }
}

/// The rules on a board with pieces.
pub(crate) struct Among<'a, F: Fn(u16) -> u16> {
    pub shape: Always,
    pub squares: u16,
    /// The id on a square, 0 for none.
    pub id_at: &'a F,
}

impl<F: Fn(u16) -> u16> Where for Among<'_, F> {
    fn holds(&self, rule: &PlaceRule, at: u16) -> bool {
        rule.0.iter().any(|place| self.place(place, at))
    }
}

impl<F: Fn(u16) -> u16> Among<'_, F> {
    pub fn place(&self, place: &Place, at: u16) -> bool {
        if let Some(known) = self.shape.place(place, at) {
            return known;
        }
        let args = &place.args;
        match (place.name.as_str(), args.len()) {
            _ if !self.shape.old_names => false,
            ("T", 1..) => self.single(args[0]).is_none(),
            ("D", 3..) => self.is_apart(args, at),
            ("R", 3..) => self.is_apart(args, at) && self.is_beside(args, at),
            ("C", 3..) => (args[1]..=args[2]).contains(&self.count(args[0])),
            _ => false,
        }
    }

    /// Returns the square of the only piece of that id; `None` if there are several or none.
    fn single(&self, id: i64) -> Option<u16> {
        let mut found = (0..self.squares).filter(|&at| id > 0 && i64::from((self.id_at)(at)) == id);
        found.next().filter(|_| found.next().is_none())
    }

    /// Counts the pieces of that id; all pieces for 0.
    fn count(&self, id: i64) -> i64 {
        let counts = |at: &u16| match (self.id_at)(*at) {
            0 => false,
            here => id == 0 || i64::from(here) == id,
        };
        (0..self.squares).filter(counts).count() as i64
    }

    /// `i|t|d`: the only piece of id i is farther than d (t 1), as far (0) or nearer (-1), counted in steps along
    /// rows and columns.
    fn is_apart(&self, args: &[i64], at: u16) -> bool {
        let Some(other) = self.single(args[0]) else { return false };
        let ((row, col), (their_row, their_col)) = (self.shape.point(at), self.shape.point(other));
        let distance = (row - their_row).abs() + (col - their_col).abs();
        match args[1] {
            0 => distance == args[2],
            1 => distance > args[2],
            -1 => distance < args[2],
            _ => false,
        }
    }

    /// `i|t|d|r1|…`: the only piece of id i lies to one of those sides, counted like directions.
    fn is_beside(&self, args: &[i64], at: u16) -> bool {
        let Some(other) = self.single(args[0]) else { return false };
        let ((row, col), (their_row, their_col)) = (self.shape.point(at), self.shape.point(other));
        let towards = ((their_row - row).signum() as i32, (their_col - col).signum() as i32);
        let side = crate::rule::STEPS.iter().position(|&step| step == towards);
        side.is_some_and(|side| args[3..].contains(&(side as i64 + 1)))
    }
}
