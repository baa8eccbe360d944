//! The board as threats: what a stone of either side would do on each empty point, kept up to date stone by stone.
//!
//! A stone changes only the points within reach of it along four lines, 32 to 40 of them; each is looked up again in
//! the table of its [classes](super::class), and what changed is remembered, so that taking the stone back only copies.
//!
//! ```text
//! one line as a word, two bits a point, ten points that are off the board at either end:
//!   | | | | | | | | | | . . X O . . . . | | | | | | | | | |
//!                           └ a new stone: the points within reach see it in their keys
//! ```
//!
//! Stones are put and taken like moves: last in, first out. Whose turn it is, is not kept here: solvers let one side
//! move twice.

use ::gomoku::renju::{Field, Verdict};
use ::gomoku::{Gomoku, Point, Points, Rule};
use kernel::Side;

use super::cells::Cells;
use super::class::{Class, Classes, EMPTY, WALL};
use super::kind::{Combinations, Combined, Kind, classes};

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
    spots: Vec<Spot>,
    sets: [[Cells; Kind::COUNT]; 2],
    counts: [[u16; Kind::COUNT]; 2],
    /// What the empty cells are worth to each side, on the move and not.
    values: [[i32; 2]; 2],
    stones: [Points; 2],
    taken: Cells,
    key: u64,
    changes: Vec<Change>,
    history: Vec<Put>,
}

/// The cells that could stop a five: at most itself and two in each direction.
#[derive(Clone, Copy, Debug)]
pub struct Stops {
    list: [u16; 9],
    count: usize,
}

impl Stops {
    /// Each of them once.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.list[..self.count].iter().map(|&at| usize::from(at))
    }
}

/// A cell: where it is, and what a stone of either side would do there while it is empty.
#[derive(Clone, Copy)]
struct Spot {
    /// Black's code in the low half and White's in the high half.
    codes: u32,
    kinds: [Kind; 2],
    worths: [i16; 2],
    row: u8,
    file: u8,
}

/// What a cell was before a stone changed it.
#[derive(Clone, Copy)]
struct Change {
    at: u16,
    kinds: [Kind; 2],
    worths: [i16; 2],
    codes: u32,
}

/// A stone that can be taken back.
#[derive(Clone, Copy)]
struct Put {
    at: u16,
    side: Side,
    /// Where its changes begin.
    changes: u32,
    values: [[i32; 2]; 2],
}

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
        shapes.changes.clear();
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
            spots: (0..cells)
                .map(|at| Spot {
                    codes: 0,
                    kinds: [Kind::Quiet; 2],
                    worths: [0; 2],
                    row: (at / files) as u8,
                    file: (at % files) as u8,
                })
                .collect(),
            sets: [[Cells::EMPTY; Kind::COUNT]; 2],
            counts: [[0; Kind::COUNT]; 2],
            values: [[0; 2]; 2],
            stones: [Points::EMPTY; 2],
            taken: Cells::EMPTY,
            key: 0,
            changes: Vec::with_capacity(2048),
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
                shapes.spots[at].codes |= spread(shapes.look_up(line, at)) << (4 * line);
            }
            for side in Side::BOTH {
                let i = side.index();
                let Combined { worth, value, kind, .. } = *shapes.combination(side, at);
                add(&mut shapes.values[i], value, [0; 2]);
                shapes.spots[at].kinds[i] = kind;
                shapes.spots[at].worths[i] = worth;
                shapes.join(side, kind, at);
            }
        }
        shapes
    }

    /// Puts a stone on an empty cell.
    pub fn put(&mut self, side: Side, at: usize) {
        let put = Put { at: at as u16, side, changes: self.changes.len() as u32, values: self.values };
        self.history.push(put);
        self.taken.put(at);
        self.key ^= stone_key(side, at);
        self.stones[side.index()].put(self.point(at));
        for each in Side::BOTH {
            let kind = self.kind(each, at);
            self.leave(each, kind, at);
            let value = self.combination(each, at).value;
            add(&mut self.values[each.index()], [0; 2], value);
        }
        if self.classes.reach == 4 { self.mark::<4>(side, at) } else { self.mark::<5>(side, at) }
    }

    /// Takes the last stone back.
    ///
    /// # Panics
    /// When none was put since the position was read.
    pub fn take(&mut self) {
        let put = self.history.pop().expect("each take has its put");
        let at = usize::from(put.at);
        for line in 0..4 {
            let (number, place) = self.place(line, at);
            self.lines[line][number] &= !((WALL as u128) << (2 * (place + PAD)));
        }
        while self.changes.len() > put.changes as usize {
            let Some(change) = self.changes.pop() else { break };
            let at = usize::from(change.at);
            self.spots[at].codes = change.codes;
            self.spots[at].worths = change.worths;
            for side in Side::BOTH {
                self.turn_into(side, at, change.kinds[side.index()]);
            }
        }
        for each in Side::BOTH {
            let kind = self.kind(each, at);
            self.join(each, kind, at);
        }
        self.values = put.values;
        self.taken.take(at);
        self.key ^= stone_key(put.side, at);
        self.stones[put.side.index()].take(self.point(at));
    }

    /// Writes a stone into its four lines and looks its neighbours up again.
    fn mark<const REACH: usize>(&mut self, side: Side, at: usize) {
        let stone = side.index() as u128 + 1;
        let half = (1_u64 << (2 * REACH)) - 1;
        for line in 0..4 {
            let (number, place) = self.place(line, at);
            let word = self.lines[line][number] | stone << (2 * (place + PAD));
            self.lines[line][number] = word;
            // What the neighbours see: twice the reach to either side.
            let seen = (word >> (2 * (place + PAD - 2 * REACH))) as u64;
            let step = self.step(line);
            for i in (0..=2 * REACH).filter(|&i| i != REACH) {
                if seen >> (2 * (i + REACH)) & 3 != EMPTY as u64 {
                    continue;
                }
                let key = seen >> (2 * i);
                let key = (key & half) | (key >> 2 & half << (2 * REACH));
                let there = at.wrapping_add_signed((i as isize - REACH as isize) * step);
                let old = self.spots[there].codes;
                let new = (old & !(0x000F_000F << (4 * line)))
                    | spread(self.classes.at(key as usize)) << (4 * line);
                if new != old {
                    self.change(there, old, new);
                }
            }
        }
    }

    /// A cell gets another code.
    #[inline]
    fn change(&mut self, at: usize, old: u32, new: u32) {
        let spot = &mut self.spots[at];
        self.changes.push(Change { at: at as u16, kinds: spot.kinds, worths: spot.worths, codes: old });
        spot.codes = new;
        for side in Side::BOTH {
            let (old, new) = (half(old, side), half(new, side));
            if old == new {
                continue;
            }
            let table = self.combined[side.index()];
            let (old, new) = (table.at(old), table.at(new));
            add(&mut self.values[side.index()], new.value, old.value);
            self.spots[at].worths[side.index()] = new.worth;
            self.turn_into(side, at, new.kind);
        }
    }

    #[inline]
    fn turn_into(&mut self, side: Side, at: usize, kind: Kind) {
        let old = std::mem::replace(&mut self.spots[at].kinds[side.index()], kind);
        if old != kind {
            self.leave(side, old, at);
            self.join(side, kind, at);
        }
    }

    #[inline]
    fn leave(&mut self, side: Side, kind: Kind, at: usize) {
        if kind.is_threat() {
            self.sets[side.index()][kind as usize].take(at);
            self.counts[side.index()][kind as usize] -= 1;
        }
    }

    #[inline]
    fn join(&mut self, side: Side, kind: Kind, at: usize) {
        if kind.is_threat() {
            self.sets[side.index()][kind as usize].put(at);
            self.counts[side.index()][kind as usize] += 1;
        }
    }

    /// The classes of an empty cell in one line, from its key.
    fn look_up(&self, line: usize, at: usize) -> u8 {
        let (number, place) = self.place(line, at);
        let reach = self.classes.reach;
        let key = (self.lines[line][number] >> (2 * (place + PAD - reach))) as usize;
        let half = (1 << (2 * reach)) - 1;
        self.classes.at((key & half) | (key >> 2 & half << (2 * reach)))
    }

    /// Which line of a direction a cell lies on, and its place along it.
    #[inline]
    fn place(&self, line: usize, at: usize) -> (usize, usize) {
        let Spot { row, file, .. } = self.spots[at];
        let (row, file) = (usize::from(row), usize::from(file));
        match line {
            0 => (row, file),
            1 => (file, row),
            2 => (row + self.files - 1 - file, file),
            _ => (row + file, file),
        }
    }

    /// How far the next cell of a line lies, as the lines of [`gomoku::five::LINES`] go.
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

    #[inline]
    fn combination(&self, side: Side, at: usize) -> &'static Combined {
        self.combined[side.index()].at(half(self.spots[at].codes, side))
    }

    /// What a stone of `side` on the empty cell would do, all directions together.
    #[must_use]
    #[inline]
    pub fn kind(&self, side: Side, at: usize) -> Kind {
        self.spots[at].kinds[side.index()]
    }

    /// What a stone of `side` on the empty cell would do, direction by direction.
    #[must_use]
    pub fn classes(&self, side: Side, at: usize) -> [Class; 4] {
        classes(half(self.spots[at].codes, side) as u32)
    }

    /// What the empty cell is worth to `side`, in hundredths.
    #[must_use]
    #[inline]
    pub fn worth(&self, side: Side, at: usize) -> i32 {
        i32::from(self.spots[at].worths[side.index()])
    }

    /// What all empty cells are worth to `side`, in quarters of a hundredth, when it is on the move or when the other side is.
    #[must_use]
    #[inline]
    pub const fn value(&self, side: Side, on_the_move: bool) -> i32 {
        self.values[side.index()][!on_the_move as usize]
    }

    /// The sort of the empty cell's code for `side`: its four classes, whatever their directions; below
    /// [`SORTS`](super::kind::SORTS).
    #[must_use]
    #[inline]
    pub fn sort(&self, side: Side, at: usize) -> usize {
        self.combined[side.index()].sort(half(self.spots[at].codes, side))
    }

    /// The empty cells where a stone of `side` would do that, for the kinds that [threaten](Kind::is_threat).
    #[must_use]
    #[inline]
    pub const fn set(&self, side: Side, kind: Kind) -> &Cells {
        &self.sets[side.index()][kind as usize]
    }

    /// How many cells [`set`](Shapes::set) has.
    #[must_use]
    #[inline]
    pub const fn count(&self, side: Side, kind: Kind) -> usize {
        self.counts[side.index()][kind as usize] as usize
    }

    /// Whether a stone of `side` would win somewhere.
    #[must_use]
    #[inline]
    pub const fn has_five(&self, side: Side) -> bool {
        self.count(side, Kind::Five) > 0
    }

    /// How many cells would make a four of some kind.
    #[must_use]
    #[inline]
    pub const fn count_fours(&self, side: Side) -> usize {
        self.count(side, Kind::Four) + self.count(side, Kind::FourThree) + self.count(side, Kind::OpenFour)
    }

    /// The cells that would make a four of some kind.
    #[must_use]
    pub fn fours(&self, side: Side) -> Cells {
        let [four, four_three, open] =
            [Kind::Four, Kind::FourThree, Kind::OpenFour].map(|kind| self.set(side, kind));
        four.or(four_three).or(open)
    }

    /// Whether the stone would lose by itself: renju's Black on a forbidden point.
    #[must_use]
    #[inline]
    pub fn is_forbidden(&self, side: Side, at: usize) -> bool {
        if self.rule != Rule::Renju || side == Side::Second {
            return false;
        }
        let &Combined { kind, suspect, .. } = self.combination(side, at);
        kind == Kind::Forbidden || (suspect && self.is_forbidden_by_rule(at))
    }

    /// Whether the lines alone do not tell if the stone would be forbidden.
    #[must_use]
    pub fn is_suspect(&self, side: Side, at: usize) -> bool {
        self.combination(side, at).suspect
    }

    #[cold]
    fn is_forbidden_by_rule(&self, at: usize) -> bool {
        let mut field = Field::new(&self.stones, self.files as u8, self.ranks as u8);
        matches!(field.judge(self.point(at)), Verdict::Forbidden(_))
    }

    /// The answers that could stop the five that `side` threatens at the cell: the cell itself and, where blocked fives
    /// do not win, the cells beyond the ends. Some of these may not stop it.
    #[must_use]
    pub fn stops(&self, side: Side, five: usize) -> Stops {
        let mut stops = Stops { list: [five as u16; 9], count: 1 };
        if matches!(self.rule, Rule::Caro | Rule::CaroExact) {
            for line in (0..4).filter(|&line| self.classes(side, five)[line] == Class::Five) {
                for end in [1, -1].into_iter().filter_map(|way| self.beyond(side, five, line, way)) {
                    stops.list[stops.count] = end as u16;
                    stops.count += 1;
                }
            }
        }
        stops
    }

    /// The empty cell at the end of the stones of `side` from `at` along a line, one way.
    fn beyond(&self, side: Side, at: usize, line: usize, way: isize) -> Option<usize> {
        let (number, place) = self.place(line, at);
        let content = |steps: isize| {
            self.lines[line][number] >> (2 * (place + PAD).wrapping_add_signed(steps * way)) & 3
        };
        let own = side.index() as u128 + 1;
        // A row that a stone makes longer than five has no end that matters.
        let end = (1..=5).find(|&steps| content(steps) != own)?;
        (content(end) == EMPTY as u128).then(|| at.wrapping_add_signed(end * way * self.step(line)))
    }

    /// The cells where no stone stands.
    pub fn empty_cells(&self) -> impl Iterator<Item = usize> + use<> {
        let taken = self.taken;
        (0..self.files * self.ranks).filter(move |&at| !taken.has(at))
    }

    /// Whether a stone stands there.
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

    /// Equal for equal stones.
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
        let Spot { row, file, .. } = self.spots[at];
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

/// One value comes and another goes.
#[inline]
const fn add(sums: &mut [i32; 2], come: [i16; 2], go: [i16; 2]) {
    sums[0] += come[0] as i32 - go[0] as i32;
    sums[1] += come[1] as i32 - go[1] as i32;
}

/// One side's code.
#[inline]
const fn half(codes: u32, side: Side) -> usize {
    (codes >> (16 * side.index()) & 0xFFFF) as usize
}

/// A number that looks random for each stone of each side: the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
#[inline]
const fn stone_key(side: Side, at: usize) -> u64 {
    let z = (2 * at as u64 + side.index() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
