//! The board as threats: what a stone of either side would do on each empty point, kept up to date stone by stone.
//!
//! A stone changes only the points within reach of it along four lines, 32 to 40 of them; each is looked up again in
//! the table of its [classes](super::class), and what it was is remembered, so that taking the stone back only copies.
//!
//! ```text
//! one line as a word, two bits a point, ten points that are off the board at either end:
//!   | | | | | | | | | | . . X O . . . . | | | | | | | | | |
//!                           └ a new stone: the points within reach see it in their keys
//! ```
//!
//! Stones are put and taken like moves: last in, first out. Whose turn it is, is not kept here: solvers let one side
//! move twice, and [lay](Shapes::lay) their stones, for they do not ask what the board is worth.

use ::gomoku::renju::{Field, Verdict};
use ::gomoku::{Gomoku, Point, Points, Rule};
use kernel::Side;

use super::around::{self, Picture};
use super::cells::Cells;
use super::class::{Class, Classes, WALL};
use super::kind::{Combinations, Combined, StoneKind, classes};
use super::network::{self, Change, Network, Sight, Sums};

mod ahead;
mod stones;

pub use ahead::{Four, Stops};
use stones::{Put, Turn};

/// Points before and after each line that are off the board.
const PAD: usize = 10;

/// A board and what each stone would do on it.
#[derive(Clone)]
pub struct Shapes {
    rule: Rule,
    files: usize,
    ranks: usize,
    classes: &'static Classes,
    combined: [&'static Combinations; 2],
    lines: [Vec<u128>; 4],
    cells: Vec<Cell>,
    /// Row and file of each cell.
    places: Vec<(u8, u8)>,
    /// The cells by side and kind. Cells that do not threaten are counted as quiet, and that set has no meaning.
    sets: [[Cells; StoneKind::COUNT]; 2],
    counts: [[u16; StoneKind::COUNT]; 2],
    /// The values of the empty cells for each side, on the move and not; without the stones that were laid.
    values: [[i32; 2]; 2],
    /// The network that is used, if any, and its sums by side; and the sums before each stone that was put and
    /// judged.
    network: Option<&'static Network>,
    sums: [Sums; 2],
    kept: Vec<[Sums; 2]>,
    /// The picture around each cell; without the stones that were laid, and only beside a network.
    pictures: Vec<Picture>,
    /// Set while the last stone is not yet in the values, the sums and the pictures. A quarter of all stones are
    /// taken back before a score is asked for.
    unjudged: bool,
    /// Room for what it changes.
    change: Change,
    stones: [Points; 2],
    taken: Cells,
    key: u64,
    /// The cells that the stones of `history` changed, as they were before; the rest is room.
    changes: Vec<Cell>,
    /// The number of these cells in use.
    changed: usize,
    /// The threats that changed, in the same way.
    turns: Vec<Turn>,
    turned: usize,
    history: Vec<Put>,
}

/// A cell while it is empty, from the lowest bit: Black's code 16, White's code 16, Black's threat 8, White's threat 8,
/// the number of the cell 16.
type Cell = u64;

const THREATS: u32 = 32;
const NUMBER: u32 = 48;

impl Shapes {
    /// The stones of a position.
    #[must_use]
    pub fn of(pos: &Gomoku) -> Shapes {
        let mut shapes = Shapes::empty(pos.rule(), pos.files(), pos.ranks());
        for side in Side::BOTH {
            for at in pos.stones(side).iter() {
                shapes.put(side, shapes.cell(at));
            }
        }
        shapes.judge();
        (shapes.changed, shapes.turned) = (0, 0);
        shapes.history.clear();
        shapes
    }

    /// A board without stones, of a legal size.
    fn empty(rule: Rule, files: u8, ranks: u8) -> Shapes {
        let (files, ranks) = (usize::from(files), usize::from(ranks));
        let (cells, diagonals) = (files * ranks, files + ranks - 1);
        let mut shapes = Shapes {
            rule,
            files,
            ranks,
            classes: Classes::of(rule),
            combined: Side::BOTH.map(|side| Combinations::of(rule, side)),
            lines: [ranks, files, diagonals, diagonals].map(|lines| vec![u128::MAX; lines]),
            cells: (0..cells).map(|at| (at as u64) << NUMBER).collect(),
            places: (0..cells).map(|at| ((at / files) as u8, (at % files) as u8)).collect(),
            sets: [[Cells::EMPTY; StoneKind::COUNT]; 2],
            counts: [[0; StoneKind::COUNT]; 2],
            values: [[0; 2]; 2],
            network: None,
            sums: [[0; _]; 2],
            kept: Vec::new(),
            pictures: Vec::new(),
            unjudged: false,
            change: Change::default(),
            stones: [Points::EMPTY; 2],
            taken: Cells::EMPTY,
            key: 0,
            changes: Vec::new(),
            changed: 0,
            turns: Vec::new(),
            turned: 0,
            history: Vec::with_capacity(64),
        };
        for at in 0..cells {
            for line in 0..4 {
                let (number, place) = shapes.place(line, at);
                shapes.lines[line][number] &= !((WALL as u128) << (2 * (place + PAD)));
            }
        }
        for at in 0..cells {
            for line in 0..4 {
                shapes.cells[at] |= u64::from(spread(shapes.look_up(line, at)) << (4 * line));
            }
            for side in Side::BOTH {
                let i = side.index();
                let &Combined { value, threat, .. } = shapes.combination(side, at);
                add(&mut shapes.values[i], value, [0; 2]);
                shapes.cells[at] |= u64::from(threat) << (THREATS + 8 * i as u32);
                shapes.sets[i][usize::from(threat)].put(at);
                shapes.counts[i][usize::from(threat)] += 1;
            }
        }
        shapes
    }

    /// Sets the network that is used from now on. Not with stones that may still be taken back: their sums are not
    /// known.
    pub(super) fn judge_by(&mut self, network: Option<&'static Network>) {
        self.judge();
        self.network = network;
        self.kept.clear();
        let Some(network) = network else { return };
        self.sums = self.sums(network);
        self.pictures = self.pictures();
    }

    /// The sums of the board as it is.
    pub(super) fn sums(&self, network: &Network) -> [Sums; 2] {
        let (mut sums, mut change) = (network.nothing(), Change::default());
        for at in self.empty_cells() {
            change.appear(network, Side::BOTH.map(|side| self.sight(side, at)));
            change.apply(network, &mut sums);
        }
        for picture in self.pictures() {
            change.picture(network, picture, [0; 2]);
            change.apply(network, &mut sums);
        }
        sums
    }

    /// Returns the picture around each cell.
    pub(super) fn pictures(&self) -> Vec<Picture> {
        let mut pictures = vec![[0; 2]; self.cells.len()];
        for side in Side::BOTH {
            for point in self.stones[side.index()].iter() {
                for (at, stone) in self.around(side, self.cell(point)) {
                    around::put(&mut pictures[at], stone);
                }
            }
        }
        pictures
    }

    /// The cells that see a stone of `side` on that cell in their pictures, and what it adds to them.
    #[inline]
    fn around(&self, side: Side, at: usize) -> impl Iterator<Item = (usize, Picture)> + use<> {
        let (row, file) = self.places[at];
        let (files, ranks) = (self.files, self.ranks);
        around::PLACES.iter().zip(&around::STONES[side.index()]).filter_map(
            move |(&(down, right), &stone)| {
                let row = usize::from(row).checked_add_signed(-down).filter(|&row| row < ranks)?;
                let file = usize::from(file).checked_add_signed(-right).filter(|&file| file < files)?;
                Some((row * files + file, stone))
            },
        )
    }

    /// Returns the network's addition to the score of `side`, to move, in hundredths; 0 without a network.
    #[inline]
    pub(super) fn by_network(&mut self, side: Side) -> i32 {
        self.judge();
        self.network.map_or(0, |network| network::score(network, &self.sums, self, side))
    }

    /// The classes of an empty cell in one line, from its key.
    fn look_up(&self, line: usize, at: usize) -> u8 {
        let (number, place) = self.place(line, at);
        let reach = self.classes.reach;
        let seen = (self.lines[line][number] >> (2 * (place + PAD - reach))) as u64;
        let key = if reach == 4 { key::<4>(seen, 4) } else { key::<5>(seen, 5) };
        self.classes.at(key as usize)
    }

    /// Returns the number of the line of a direction that a cell lies on, and its place along it.
    #[inline]
    fn place(&self, line: usize, at: usize) -> (usize, usize) {
        let (row, file) = self.places[at];
        let (row, file) = (usize::from(row), usize::from(file));
        match line {
            0 => (row, file),
            1 => (file, row),
            2 => (row + self.files - 1 - file, file),
            _ => (row + file, file),
        }
    }

    /// Returns the distance to the next cell of a line, as the lines of [`gomoku::five::LINES`] go.
    #[inline]
    const fn step(&self, line: usize) -> isize {
        let files = self.files as isize;
        match line {
            0 => 1,
            1 => files,
            2 => files + 1,
            _ => 1 - files,
        }
    }

    /// The code of an empty cell for a side.
    #[inline]
    fn code(&self, side: Side, at: usize) -> usize {
        half_of(self.cells[at] as u32, side)
    }

    #[inline]
    fn combination(&self, side: Side, at: usize) -> &'static Combined {
        self.combined[side.index()].at(self.code(side, at))
    }

    /// Returns the kind of a stone of `side` on the empty cell, all directions together.
    #[must_use]
    #[inline]
    pub fn kind(&self, side: Side, at: usize) -> StoneKind {
        self.combination(side, at).kind
    }

    /// Returns the classes of a stone of `side` on the empty cell, direction by direction.
    #[must_use]
    pub fn classes(&self, side: Side, at: usize) -> [Class; 4] {
        classes(self.code(side, at) as u32)
    }

    /// Returns the value of the empty cell for `side`, in hundredths.
    #[must_use]
    #[inline]
    pub fn worth(&self, side: Side, at: usize) -> i32 {
        i32::from(self.combination(side, at).worth)
    }

    /// Returns the value of all empty cells for `side`, in quarters of a hundredth, when it is on the move or when
    /// the other side is.
    #[must_use]
    #[inline]
    pub fn value(&mut self, side: Side, on_the_move: bool) -> i32 {
        self.judge();
        self.values[side.index()][!on_the_move as usize]
    }

    /// The sort of the empty cell's code for `side`: its four classes, whatever their directions; below
    /// [`SORTS`](super::kind::SORTS).
    #[must_use]
    #[inline]
    pub fn sort(&self, side: Side, at: usize) -> usize {
        self.combined[side.index()].sort(self.code(side, at))
    }

    /// The sort of an empty cell for `side`, where it counts in the judgement.
    #[inline]
    pub(super) fn judged(&self, side: Side, at: usize) -> Option<usize> {
        self.combined[side.index()].judged(self.code(side, at))
    }

    /// The sort of an empty cell for `side`, and what follows from it.
    #[inline]
    pub(super) fn sight(&self, side: Side, at: usize) -> Sight<'static> {
        self.combined[side.index()].sight(self.code(side, at))
    }

    /// Returns the empty cells where a stone of `side` would have that kind, for the kinds that
    /// [threaten](StoneKind::is_threat).
    #[must_use]
    #[inline]
    pub const fn set(&self, side: Side, kind: StoneKind) -> &Cells {
        &self.sets[side.index()][kind as usize]
    }

    /// Returns the number of cells in [`set`](Shapes::set).
    #[must_use]
    #[inline]
    pub const fn count(&self, side: Side, kind: StoneKind) -> usize {
        self.counts[side.index()][kind as usize] as usize
    }

    /// Returns true if a stone of `side` would win somewhere.
    #[must_use]
    #[inline]
    pub const fn has_five(&self, side: Side) -> bool {
        self.count(side, StoneKind::Five) > 0
    }

    /// Returns the number of cells that would make a four of some kind.
    #[must_use]
    #[inline]
    pub const fn count_fours(&self, side: Side) -> usize {
        self.count(side, StoneKind::Four)
            + self.count(side, StoneKind::FourThree)
            + self.count(side, StoneKind::OpenFour)
    }

    /// The cells that would make a four of some kind.
    #[must_use]
    pub fn fours(&self, side: Side) -> Cells {
        let [four, four_three, open] =
            [StoneKind::Four, StoneKind::FourThree, StoneKind::OpenFour].map(|kind| self.set(side, kind));
        four.or(four_three).or(open)
    }

    /// Returns true if the stone would lose by itself: renju's Black on a forbidden point.
    #[must_use]
    #[inline]
    pub fn is_forbidden(&self, side: Side, at: usize) -> bool {
        if self.rule != Rule::Renju || side == Side::Second {
            return false;
        }
        let &Combined { kind, suspect, .. } = self.combination(side, at);
        kind == StoneKind::Forbidden || (suspect && self.is_forbidden_by_rule(at))
    }

    /// Returns true if the lines alone do not tell if the stone would be forbidden.
    #[must_use]
    pub fn is_suspect(&self, side: Side, at: usize) -> bool {
        self.combination(side, at).suspect
    }

    #[cold]
    fn is_forbidden_by_rule(&self, at: usize) -> bool {
        let mut field = Field::new(&self.stones, self.files as u8, self.ranks as u8);
        matches!(field.judge(self.point(at)), Verdict::Forbidden(_))
    }

    /// The cells where no stone stands.
    pub fn empty_cells(&self) -> impl Iterator<Item = usize> + use<> {
        let taken = self.taken;
        (0..self.files * self.ranks).filter(move |&at| !taken.has(at))
    }

    /// Returns true if a stone stands there.
    #[must_use]
    #[inline]
    pub const fn is_taken(&self, at: usize) -> bool {
        self.taken.has(at)
    }

    /// Files and ranks.
    #[must_use]
    pub const fn size(&self) -> (u8, u8) {
        (self.files as u8, self.ranks as u8)
    }

    /// The rule played.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the Zobrist key, equal for equal stones.
    #[must_use]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The number of a point: row by row from the top left.
    #[must_use]
    #[inline]
    pub fn cell(&self, at: Point) -> usize {
        usize::from(at.row) * self.files + usize::from(at.file)
    }

    /// The point of a number.
    #[must_use]
    #[inline]
    pub fn point(&self, at: usize) -> Point {
        let (row, file) = self.places[at];
        Point { row, file }
    }

    /// The stones of one side.
    #[must_use]
    pub const fn stones(&self, side: Side) -> &Points {
        &self.stones[side.index()]
    }
}

/// Both classes of a line, each in the place of the first line of its code.
#[inline]
const fn spread(classes: u8) -> u32 {
    (classes as u32 & 15) | (classes as u32 >> 4) << 16
}

/// Adds one value and subtracts another.
#[inline]
const fn add(sums: &mut [i32; 2], come: [i16; 2], go: [i16; 2]) {
    sums[0] += come[0] as i32 - go[0] as i32;
    sums[1] += come[1] as i32 - go[1] as i32;
}

/// Returns the key of the `i`th point of a stretch of a line that has more than the reach around it.
#[inline]
const fn key<const REACH: usize>(seen: u64, i: usize) -> u64 {
    let half = (1 << (2 * REACH)) - 1;
    let around = seen >> (2 * (i - REACH));
    (around & half) | (around >> 2 & half << (2 * REACH))
}

/// Returns the code of one side out of the codes of both.
#[inline]
const fn half_of(codes: u32, side: Side) -> usize {
    (codes >> (16 * side.index()) & 0xFFFF) as usize
}

/// Returns the Zobrist number of a stone of each side: the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
#[inline]
const fn stone_key(side: Side, at: usize) -> u64 {
    let z = (2 * at as u64 + side.index() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
