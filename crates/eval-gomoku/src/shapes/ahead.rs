//! The consequences of a stone, seen without putting it: the answers to a four, and the cells that could stop a five.

use ::gomoku::Rule;
use kernel::Side;

use super::super::class::{Class, EMPTY};
use super::super::kind::StoneKind;
use super::{PAD, Shapes, key, stone_key};

/// A four that a single answer stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Four {
    /// The cell of the answer.
    pub answer: usize,
    /// True if the side is sure to have no other four once it is answered.
    pub is_last: bool,
}

/// The cells that could stop a five: at most itself and two in each direction.
#[derive(Clone, Copy, Debug)]
pub struct Stops {
    list: [u16; 9],
    count: usize,
}

impl Stops {
    /// Lists the stops, each cell once.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.list[..self.count].iter().map(|&at| usize::from(at))
    }
}

impl Shapes {
    /// Returns the four that a stone of `side` at the cell makes, if it makes just one and a single answer stops it:
    /// that answer, and what is sure then. For rules in which a five is stopped only by a stone in its place.
    #[must_use]
    pub fn four(&self, side: Side, at: usize) -> Option<Four> {
        if self.classes.reach == 4 { self.look_ahead::<4>(side, at) } else { self.look_ahead::<5>(side, at) }
    }

    fn look_ahead<const REACH: usize>(&self, side: Side, at: usize) -> Option<Four> {
        let (mut four, mut builds) = (None, false);
        for (line, class) in self.classes(side, at).into_iter().enumerate() {
            match class {
                Class::Four if four.is_none() => four = Some(line),
                // In this line the next stone makes a four.
                class if class >= Class::BlockedThree => builds = true,
                _ => {}
            }
        }
        let line = four?;
        let (number, place) = self.place(line, at);
        let middle = 2 * REACH;
        let seen = (self.lines[line][number] >> (2 * (place + PAD - middle))) as u64;
        let seen = seen | (side.index() as u64 + 1) << (2 * middle);
        let (table, nibble) = (self.classes.all::<REACH>(), 4 * side.index());
        let class = |seen: u64, i: usize| table[key::<REACH>(seen, i) as usize] >> nibble & 15;
        let near = |seen: u64| (middle - 4..=middle + 4).filter(move |i| seen >> (2 * i) & 3 == EMPTY as u64);
        let five = near(seen).find(|&i| class(seen, i) == Class::Five as u8)?;
        let answer = at.wrapping_add_signed((five as isize - middle as isize) * self.step(line));
        let was_four =
            matches!(self.kind(side, answer), StoneKind::Four | StoneKind::FourThree | StoneKind::OpenFour);
        let stopped = seen | (side.other().index() as u64 + 1) << (2 * five);
        let is_last = !builds
            && self.count_fours(side) <= 1 + usize::from(was_four)
            && near(stopped).all(|i| class(stopped, i) < Class::Four as u8);
        Some(Four { answer, is_last })
    }

    /// The [key](Shapes::key) with two stones more, one of each side.
    #[must_use]
    #[inline]
    pub const fn key_with(&self, side: Side, at: usize, answer: usize) -> u64 {
        self.key ^ stone_key(side, at) ^ stone_key(side.other(), answer)
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
}
