//! The terms of a position on a user's map and their weights: an evaluation that is a sum of terms.

use jingbanqi::{Jingbanqi, Standing};
use kernel::{Position, Side};

use super::reach::{Distances, NEVER, Reach};

/// The number of steps of a weight in a hundredth.
pub(super) const UNIT: i32 = 16;

/// Terms beside the pieces themselves.
#[derive(Clone, Copy, Debug)]
enum Term {
    /// A square that suits a piece, in hundredths by reach.
    Place,
    /// A vacant square to go to.
    Room,
    /// An enemy that could be taken.
    Threat,
    /// A square beside an enemy captain, or he himself, that a piece could go to.
    Pressure,
    /// The gain of a piece by promotion, by reach, over one more than the moves it needs.
    Rising,
    /// A piece near an enemy captain, counted in its own moves.
    Near,
    /// A piece near a captain of its own.
    Guard,
    /// A square to which a captain can go without being taken there.
    Freedom,
    /// A side that is ahead drives the other's captain into a corner, and brings its own: see [`Sheet::hunt`].
    Hunt,
    /// The lead of a side by reach, which counts more the fewer pieces are left, in hundredths.
    Lead,
    /// Having the move.
    Move,
}

pub(super) const TERMS: usize = 11;

/// The weights of the terms: round numbers, the same for every map.
const WORTH: [i32; TERMS] = [16, 40, 100, 80, 8, 12, 4, 64, 16, 16, 160];

/// The weight of a piece near a captain, by the number of moves it needs.
const NEARNESS: [i32; NEVER as usize + 1] = [32, 32, 20, 12, 8, 5, 3, 0];

/// The terms of a map and their weights.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    pub squares: usize,
    pub owner: Vec<Option<Side>>,
    pub captain: Vec<bool>,
    reach: Reach,
    distances: Distances,
    /// Each square with the squares beside it.
    ring: Vec<Vec<u16>>,
    /// True if pieces are asked for their destinations: not where that takes long.
    pub is_detailed: bool,
    /// The weights of the pieces: by id, ordinary and promoted.
    pub piece: Vec<[i32; 2]>,
    /// The weights of the terms.
    pub term: [i32; TERMS],
    /// The weights of the squares for a piece that stands on them: square after square of each id ordinary, then
    /// promoted. Empty where none were learned.
    pub place: Vec<i32>,
}

/// The most weights of a map: one with more squares and kinds has none for squares.
pub(super) const MOST_WEIGHTS: usize = 20_000;

/// The buffers used while counting, so that no memory is allocated.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The squares beside captains: bit 0 beside one of red, bit 1 of blue.
    zone: Vec<u8>,
    /// The squares pieces could go to: bit 0 for red, bit 1 for blue.
    reached: Vec<u8>,
    captains: Vec<(u16, Side)>,
}

impl Sheet {
    /// Creates the sheet of a map, by reach alone. `is_detailed`: terms beside pieces and places count, too.
    pub fn of(pos: &Jingbanqi, is_detailed: bool) -> Sheet {
        let map = pos.book().map();
        let reach = Reach::of(pos);
        let none = std::iter::once(None);
        let owner: Vec<Option<Side>> = none.chain(map.kinds.iter().map(|kind| kind.owner)).collect();
        let captains = map.kinds.iter().map(|kind| kind.captain && kind.owner.is_some());
        let captain: Vec<bool> = std::iter::once(false).chain(captains).collect();
        let piece = |(id, both): (usize, &[i32; 2])| both.map(|w| if captain[id] { 0 } else { w * UNIT });
        let piece = reach.piece.iter().enumerate().map(piece).collect();
        let beside = |at: u16| {
            let (cols, squares) = (i32::from(map.cols), map.squares() as i32);
            let (row, col) = (i32::from(at) / cols, i32::from(at) % cols);
            let near = move |other: &i32| (other / cols - row).abs() <= 1 && (other % cols - col).abs() <= 1;
            let (low, high) = ((row - 1) * cols, (row + 2) * cols);
            (low.max(0)..high.min(squares)).filter(near).map(|other| other as u16).collect()
        };
        Sheet {
            squares: map.squares(),
            distances: if is_detailed { Distances::of(pos) } else { Distances::default() },
            ring: if is_detailed { (0..map.squares() as u16).map(beside).collect() } else { Vec::new() },
            owner,
            captain,
            reach,
            is_detailed,
            piece,
            term: WORTH,
            place: Vec::new(),
        }
    }

    /// Returns the number of weights of squares.
    fn places(&self) -> usize {
        let places = 2 * self.piece.len() * self.squares;
        if self.before_places() + places > MOST_WEIGHTS { 0 } else { places }
    }

    /// Returns the index in [`Sheet::place`] of the weight of a square for a piece.
    #[inline]
    fn place_of(&self, id: usize, promoted: bool, at: u16) -> usize {
        (2 * id + usize::from(promoted)) * self.squares + usize::from(at)
    }

    /// Returns the number of weights before those of squares.
    pub fn before_places(&self) -> usize {
        TERMS + 2 * self.piece.len()
    }

    /// Every weight: the terms, then each id ordinary and promoted, then their squares.
    pub fn weights(&self) -> Vec<i32> {
        let mut all: Vec<i32> = self.term.iter().chain(self.piece.iter().flatten()).copied().collect();
        all.extend_from_slice(&self.place);
        all.resize(self.before_places() + self.places(), 0);
        all
    }

    /// Replaces the weights, with or without those of squares; returns false, and changes nothing, when their number
    /// does not fit.
    pub fn take(&mut self, weights: &[i32]) -> bool {
        let Some((terms, rest)) = weights.split_first_chunk::<TERMS>() else { return false };
        let Some((pieces, places)) = rest.split_at_checked(2 * self.piece.len()) else { return false };
        if !places.is_empty() && places.len() != self.places() {
            return false;
        }
        self.place = places.to_vec();
        self.term = *terms;
        for (id, both) in self.piece.iter_mut().enumerate() {
            // What captains are worth is not learned: they are never exchanged.
            if !self.captain[id] {
                *both = [pieces[2 * id], pieces[2 * id + 1]];
            }
        }
        true
    }

    /// Returns the value of a piece to its owner, in hundredths.
    pub fn worth(&self, piece: Standing) -> i32 {
        self.piece[usize::from(piece.id)][usize::from(piece.promoted)] / UNIT
    }

    /// Returns the score of the position for the side to move, in hundredths.
    pub fn score(&self, pos: &Jingbanqi, scratch: &mut Scratch) -> i32 {
        let red = self.sum(pos, scratch) / UNIT;
        let mover = self.term[Term::Move as usize] / UNIT;
        mover + if pos.turn() == Side::First { red } else { -red }
    }

    /// Returns the count of each weight for red less its count for blue, in the order of [`Sheet::weights`]. Captains
    /// are always there: only their squares count.
    pub fn counts(&self, pos: &Jingbanqi, scratch: &mut Scratch) -> Vec<i32> {
        let mut pieces = vec![0; 2 * self.piece.len()];
        let mut places = vec![0; self.places()];
        let mut sums = self.tally(pos, scratch, &mut |sign, (id, promoted, at)| {
            pieces[2 * id + usize::from(promoted)] += if self.captain[id] { 0 } else { sign };
            if let Some(place) = places.get_mut(self.place_of(id, promoted, at)) {
                *place += sign;
            }
        });
        sums[Term::Move as usize] = if pos.turn() == Side::First { 1 } else { -1 };
        sums.into_iter().chain(pieces).chain(places).collect()
    }

    /// Returns the weighted sum for red less that for blue; all but [`Term::Move`].
    #[inline]
    fn sum(&self, pos: &Jingbanqi, scratch: &mut Scratch) -> i32 {
        let mut pieces = 0;
        let sums = self.tally(pos, scratch, &mut |sign, (id, promoted, at)| {
            let place = self.place.get(self.place_of(id, promoted, at)).copied().unwrap_or(0);
            pieces += sign * (self.piece[id][usize::from(promoted)] + place);
        });
        pieces + sums.into_iter().zip(self.term).map(|(sum, worth)| sum * worth).sum::<i32>()
    }

    /// Returns the sums of the terms, red's less blue's; calls `piece_seen` for each owned piece with its sign, and
    /// with its id, whether it has promoted, and its square.
    #[inline]
    fn tally(
        &self,
        pos: &Jingbanqi,
        scratch: &mut Scratch,
        piece_seen: &mut impl FnMut(i32, (usize, bool, u16)),
    ) -> [i32; TERMS] {
        let extended = pos.extensions().is_some();
        let is_detailed = self.is_detailed && !extended;
        if is_detailed {
            self.find_captains(pos, scratch);
        }
        let mut sums = [0; TERMS];
        let mut material = [0; 2];
        for at in 0..self.squares as u16 {
            let Some(piece) = pos.piece(at) else { continue };
            let id = usize::from(piece.id);
            let owner = if extended { pos.present(at).and_then(|p| p.owner) } else { self.owner[id] };
            let Some(owner) = owner else { continue };
            let sign = if owner == Side::First { 1 } else { -1 };
            piece_seen(sign, (id, piece.promoted, at));
            if let Some(places) = self.reach.place.get(id) {
                sums[Term::Place as usize] +=
                    sign * i32::from(places[usize::from(piece.promoted)][usize::from(at)]);
            }
            if is_detailed {
                if !self.captain[id] {
                    material[owner.index()] += self.reach.piece[id][usize::from(piece.promoted)];
                }
                self.detail(pos, (at, piece, owner), scratch, sign, &mut sums);
            }
        }
        if is_detailed {
            self.hunt(pos, material, scratch, &mut sums);
            for &(at, _) in &scratch.captains {
                self.ring[usize::from(at)].iter().for_each(|&near| scratch.zone[usize::from(near)] = 0);
            }
        }
        sums
    }

    fn find_captains(&self, pos: &Jingbanqi, scratch: &mut Scratch) {
        scratch.zone.resize(self.squares, 0);
        scratch.reached.clear();
        scratch.reached.resize(self.squares, 0);
        scratch.captains.clear();
        for at in 0..self.squares as u16 {
            let Some(piece) = pos.piece(at) else { continue };
            let id = usize::from(piece.id);
            if let (true, Some(owner)) = (self.captain[id], self.owner[id]) {
                scratch.captains.push((at, owner));
                for &near in &self.ring[usize::from(at)] {
                    scratch.zone[usize::from(near)] |= 1 << owner.index();
                }
            }
        }
    }

    #[inline]
    fn detail(
        &self,
        pos: &Jingbanqi,
        (at, piece, owner): (u16, Standing, Side),
        scratch: &mut Scratch,
        sign: i32,
        sums: &mut [i32; TERMS],
    ) {
        let mine = 1 << owner.index();
        let enemy = 1 << owner.other().index();
        let (mut room, mut threat, mut pressure) = (0, 0, 0);
        pos.destinations(at, piece, |to| {
            let taken = i32::from(pos.piece(to).is_some());
            room += 1 - taken;
            threat += taken;
            pressure += i32::from(scratch.zone[usize::from(to)] & enemy != 0);
            scratch.reached[usize::from(to)] |= mine;
        });
        let captain = self.captain[usize::from(piece.id)];
        sums[Term::Room as usize] += if captain { 0 } else { sign * room };
        sums[Term::Threat as usize] += sign * threat;
        sums[Term::Pressure as usize] += sign * pressure;
        if !self.distances.are_known() {
            return;
        }
        for &(other, side) in &scratch.captains {
            if other == at {
                continue;
            }
            let moves = self.distances.between(piece, at, other);
            let term = if side == owner { Term::Guard } else { Term::Near };
            sums[term as usize] += sign * NEARNESS[usize::from(moves)];
        }
        if !piece.promoted && !captain {
            let [plain, risen] = self.reach.piece[usize::from(piece.id)];
            let moves = i32::from(self.distances.to_promotion(piece.id, at));
            if moves < i32::from(NEVER) {
                sums[Term::Rising as usize] += sign * (risen - plain) / (moves + 1);
            }
        }
    }
}

impl Sheet {
    /// Adds the terms that help the side that is ahead to finish: the other captain's squares are few, he is far from
    /// the middle, and one's own captain is near him.
    fn hunt(&self, pos: &Jingbanqi, material: [i32; 2], scratch: &Scratch, sums: &mut [i32; TERMS]) {
        let map = pos.book().map();
        let (rows, cols) = (i32::from(map.rows), i32::from(map.cols));
        let lead = material[0] - material[1];
        sums[Term::Lead as usize] = lead * 200 / (material[0] + material[1] + 200);
        let ahead = (lead / 100).clamp(-MOST_LEAD, MOST_LEAD);
        for &(at, side) in &scratch.captains {
            let sign = if side == Side::First { 1 } else { -1 };
            let enemy = 1 << side.other().index();
            let mut free = 0;
            if let Some(captain) = pos.piece(at) {
                pos.destinations(at, captain, |to| {
                    free += i32::from(scratch.reached[usize::from(to)] & enemy == 0);
                });
            }
            sums[Term::Freedom as usize] += sign * free.min(MOST_FREEDOM);
            if sign * ahead >= 0 {
                continue;
            }
            let (row, col) = (i32::from(at) / cols, i32::from(at) % cols);
            let off_middle = (2 * row + 1 - rows).abs() + (2 * col + 1 - cols).abs();
            let apart = |&&(other, of): &&(u16, Side)| {
                let (far_row, far_col) = (i32::from(other) / cols - row, i32::from(other) % cols - col);
                if of == side { 0 } else { far_row.abs() + far_col.abs() }
            };
            let apart = scratch.captains.iter().map(|one| apart(&one)).max().unwrap_or(0);
            sums[Term::Hunt as usize] += ahead * (off_middle - apart - 2 * free.min(MOST_FREEDOM)) / 2;
        }
    }
}

/// The largest lead that counts, in pieces of a hundred; the next is the most free squares of a captain that count.
const MOST_LEAD: i32 = 8;
const MOST_FREEDOM: i32 = 8;

/// Returns the labour of an evaluation, in squares and moves looked at; about.
pub(super) fn labour(pos: &Jingbanqi) -> u64 {
    let map = pos.book().map();
    let pieces = map.start.iter().filter(|&&id| id > 0).count() as u64;
    let squares = map.squares() as u64;
    let is_loose = pos.book().old_names() && map.names().any(|name| ["D", "R", "T", "C"].contains(&name));
    squares + pieces * 16 * if is_loose { 1 + squares / 8 } else { 1 }
}
