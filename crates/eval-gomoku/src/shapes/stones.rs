//! Putting stones and taking them back: the changes, and how they are undone.

use kernel::Side;

use super::super::around;
use super::super::cells::Cells;
use super::super::class::WALL;
use super::super::kind::StoneKind;
use super::{NUMBER, PAD, Shapes, THREATS, add, half_of, key, spread, stone_key};

/// A cell that became another threat for a side, or none.
#[derive(Clone, Copy, Default)]
pub(super) struct Turn {
    at: u16,
    side: u8,
    old: u8,
    new: u8,
}

/// A stone that can be taken back.
#[derive(Clone, Copy)]
pub(super) struct Put {
    at: u16,
    side: Side,
    /// The index at which its changes begin, and that of its turns.
    changed: u32,
    turned: u32,
    values: [[i32; 2]; 2],
    /// True if the stone was only laid.
    is_laid: bool,
}

/// A stone changes no more cells than these, and no more threats.
const MOST_CHANGES: usize = 1 + 4 * 10;
const MOST_TURNS: usize = 2 * MOST_CHANGES;

impl Shapes {
    /// Puts a stone on an empty cell.
    pub fn put(&mut self, side: Side, at: usize) {
        // What it changes is compared with the board as it is now.
        self.judge();
        self.place_stone(side, at, false);
        self.unjudged = true;
    }

    /// Puts a stone without updating the [values](Shapes::value), for callers that do not ask for them until the
    /// stone is taken back: they stay as they are.
    pub fn lay(&mut self, side: Side, at: usize) {
        self.place_stone(side, at, true);
    }

    #[inline]
    fn place_stone(&mut self, side: Side, at: usize, is_laid: bool) {
        let (changed, turned) = (self.changed, self.turned);
        let put = Put {
            at: at as u16,
            side,
            changed: changed as u32,
            turned: turned as u32,
            values: self.values,
            is_laid,
        };
        self.history.push(put);
        if self.changes.len() < changed + MOST_CHANGES {
            self.changes.resize(2 * changed + 16 * MOST_CHANGES, 0);
        }
        if self.turns.len() < turned + MOST_TURNS {
            self.turns.resize(2 * turned + 16 * MOST_TURNS, Turn::default());
        }
        self.taken.put(at);
        self.key ^= stone_key(side, at);
        self.stones[side.index()].put(self.point(at));
        if self.classes.reach == 4 {
            self.mark::<4>(side, at);
        } else {
            self.mark::<5>(side, at);
        }
    }

    /// Applies the last stone to the values and to the network's sums, unless that is done.
    #[inline]
    pub(super) fn judge(&mut self) {
        if std::mem::take(&mut self.unjudged) {
            self.follow();
        }
    }

    /// Applies the changes of the last stone to the values and to the network's sums. Each cell is among the changes
    /// once, the stone's first.
    fn follow(&mut self) {
        let Some(&Put { at, side, changed: first, is_laid, .. }) = self.history.last() else { return };
        debug_assert!(!is_laid, "nobody asks for values while stones are laid");
        let around = self.around(side, at.into());
        let Shapes {
            combined, cells, values, sums, kept, network, pictures, change, changes, changed, ..
        } = self;
        for (n, &before) in changes[first as usize..*changed].iter().enumerate() {
            // A cell with a stone is worth nothing.
            let now = if n == 0 { 0 } else { cells[(before >> NUMBER) as usize] };
            let sights = Side::BOTH.map(|side| {
                let sights =
                    [now, before].map(|cell| combined[side.index()].sight(half_of(cell as u32, side)));
                add(&mut values[side.index()], sights[0].1.value, sights[1].1.value);
                sights
            });
            if let Some(network) = network {
                change.point(network, sights);
            }
        }
        if let Some(network) = network {
            for (at, stone) in around {
                let before = pictures[at];
                around::put(&mut pictures[at], stone);
                change.picture(network, pictures[at], before);
            }
            kept.push(*sums);
            change.apply(network, sums);
        }
    }

    /// Takes the last stone back.
    ///
    /// # Panics
    /// Panics when none was put since the position was read.
    pub fn take(&mut self) {
        let put = self.history.pop().expect("each take has its put");
        let at = usize::from(put.at);
        for line in 0..4 {
            let (number, place) = self.place(line, at);
            self.lines[line][number] &= !((WALL as u128) << (2 * (place + PAD)));
        }
        for &cell in &self.changes[put.changed as usize..self.changed] {
            self.cells[(cell >> NUMBER) as usize] = cell;
        }
        self.changed = put.changed as usize;
        for turn in &self.turns[put.turned as usize..self.turned] {
            let (sets, counts) =
                (&mut self.sets[usize::from(turn.side)], &mut self.counts[usize::from(turn.side)]);
            turn_into(sets, counts, turn.at.into(), turn.new, turn.old);
        }
        self.turned = put.turned as usize;
        self.values = put.values;
        if !put.is_laid
            && !std::mem::take(&mut self.unjudged)
            && let Some(sums) = self.kept.pop()
        {
            self.sums = sums;
            for (at, stone) in self.around(put.side, at) {
                around::take(&mut self.pictures[at], stone);
            }
        }
        self.taken.take(at);
        self.key ^= stone_key(put.side, at);
        self.stones[put.side.index()].take(self.point(at));
    }

    /// Writes a stone into its four lines and looks its neighbours up again.
    fn mark<const REACH: usize>(&mut self, side: Side, at: usize) {
        const { assert!(REACH == 4 || REACH == 5) };
        let stone = side.index() as u128 + 1;
        // Of what the neighbours see, the first of two bits for each neighbour.
        let neighbours =
            (0x5555_5555_5555_5555 & ((1 << (4 * REACH + 2)) - 1) & !(1 << (2 * REACH))) << (2 * REACH);
        let places = [0, 1, 2, 3].map(|line| (self.place(line, at), self.step(line)));
        let Shapes { lines, cells, sets, counts, .. } = self;
        let (classes, combined) = (self.classes.all::<REACH>(), self.combined);
        let changes = &mut self.changes[self.changed..self.changed + MOST_CHANGES];
        let turns = &mut self.turns[self.turned..self.turned + MOST_TURNS];
        let (mut changed, mut turned) = (0, 0);
        let mut turn = |at: usize, before: u16, now: u16| {
            for side in 0..2 {
                let (old, new) = ((before >> (8 * side)) as u8, (now >> (8 * side)) as u8);
                if old != new {
                    turns[turned] = Turn { at: at as u16, side: side as u8, old, new };
                    turned += 1;
                    turn_into(&mut sets[side], &mut counts[side], at, old, new);
                }
            }
        };
        // A cell with a stone threatens nothing and is worth nothing.
        let cell = cells[at];
        changes[changed] = cell;
        changed += 1;
        cells[at] = cell & !(0xFFFF << THREATS);
        turn(at, (cell >> THREATS) as u16, 0);
        for (line, ((number, place), step)) in places.into_iter().enumerate() {
            let word = lines[line][number] | stone << (2 * (place + PAD));
            lines[line][number] = word;
            // What the neighbours see: twice the reach to either side.
            let seen = (word >> (2 * (place + PAD - 2 * REACH))) as u64;
            let mut empty = !(seen | seen >> 1) & neighbours;
            while empty != 0 {
                let bit = empty.trailing_zeros() as usize;
                empty &= empty - 1;
                let key = key::<REACH>(seen, bit / 2);
                let there = at.wrapping_add_signed(((bit / 2) as isize - 2 * REACH as isize) * step);
                let cell = cells[there];
                let old = cell as u32;
                let new = (old & !(0x000F_000F << (4 * line))) | spread(classes[key as usize]) << (4 * line);
                if new == old {
                    continue;
                }
                changes[changed] = cell;
                changed += 1;
                let [black, white] =
                    Side::BOTH.map(|side| u16::from(combined[side.index()].threat(half_of(new, side))));
                let (before, now) = ((cell >> THREATS) as u16, black | white << 8);
                cells[there] = u64::from(new) | u64::from(now) << THREATS | (there as u64) << NUMBER;
                if before != now {
                    turn(there, before, now);
                }
            }
        }
        self.changed += changed;
        self.turned += turned;
    }
}

/// Moves a cell from the set of one threat to that of another.
#[inline]
fn turn_into(
    sets: &mut [Cells; StoneKind::COUNT],
    counts: &mut [u16; StoneKind::COUNT],
    at: usize,
    old: u8,
    new: u8,
) {
    let (old, new) = (usize::from(old), usize::from(new));
    sets[old].take(at);
    sets[new].put(at);
    counts[old] -= 1;
    counts[new] += 1;
}
