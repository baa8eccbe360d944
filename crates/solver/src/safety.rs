//! The safety game: a defender who only ever stops in formations, and an attacker who may do anything.
//!
//! A pair (formation, attacker's stones) with the attacker to move is *safe for n turns* when after every turn of the
//! attacker the defender has a turn into a pair that is safe for n - 1 turns; every pair is safe for none. A defender
//! in a pair that is safe for n turns cannot be beaten within n turns of the attacker; where another round changes
//! nothing, never. It says nothing of pairs that are not safe: there may be a defence outside the formations.
//!
//! For each formation there is a row with a bit for every set of the attacker's stones. A turn of the defender ends in
//! another formation, and is possible where the attacker stays away from at most K + 1 squares: so what can be answered is
//! a row made of rows, word by word. What cannot be answered is rare, and is followed back one by one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::{Board, NONE, Set, Sets, across, colour, with};

/// Squares of a formation are of this colour, those of the attacker of the other.
pub const DEFENDER: usize = 1;
/// The colour of the attacker's squares.
pub const ATTACKER: usize = 0;
/// The symmetries of the board that keep the colours: as it is, its diagonals, half a turn.
pub const SYMMETRIES: usize = 4;
const NOT_ONE: u32 = u32::MAX;
/// The number of words worked on at a time, so that they stay in the processor's cache.
const BLOCK: usize = 1024;

/// A square of the board turned or mirrored by the symmetry of that number.
#[must_use]
pub const fn turned(size: u8, symmetry: usize, (x, y): (u8, u8)) -> (u8, u8) {
    match symmetry {
        0 => (x, y),
        1 => (y, x),
        2 => (size - 1 - x, size - 1 - y),
        _ => (size - 1 - y, size - 1 - x),
    }
}

/// The bytes of memory that a game takes, about.
#[must_use]
pub fn memory<const K: usize>(size: u8, side: u8) -> u64 {
    let (board, sets) = (Board::new(size), Sets::<K>::new(size * size / 2));
    let formations = formations(&board, &sets, side).count() as u64;
    let row = sets.count().div_ceil(64) as u64 * 8;
    // A row for each formation, and two for each of those that are no pictures: a quarter and some more.
    row * (formations + formations * 11 / 20 + u64::from(board.squares())) + (64 << 20)
}

/// The numbers of the sets that fit into a square of `side` columns and rows, in rising order: the formations.
fn formations<const K: usize>(board: &Board, sets: &Sets<K>, side: u8) -> impl Iterator<Item = usize> {
    (0..sets.count()).filter(move |&number| fits(board, &sets.set(number), side))
}

/// Returns true if a set of the defender's fits into a square of `side` columns and rows.
fn fits<const K: usize>(board: &Board, set: &Set<K>, side: u8) -> bool {
    let places = set.map(|square| board.place(DEFENDER, square));
    let width = |of: fn(&(u8, u8)) -> u8| {
        let (least, most) =
            places.iter().map(of).fold((u8::MAX, 0), |(least, most), at| (least.min(at), most.max(at)));
        most - least
    };
    width(|place| place.0).max(width(|place| place.1)) < side
}

/// A safety game on one board.
#[derive(Clone)]
pub struct Safety<const K: usize> {
    board: Board,
    sets: Sets<K>,
    formations: Vec<Set<K>>,
    /// Formation by number of its set.
    formation: Vec<u32>,
    /// The original of each formation, and the symmetry that maps it to that formation.
    origin: Vec<(u32, usize)>,
    /// The originals: formations that are no picture of an earlier one.
    originals: Vec<u32>,
    /// `turned[s][c][n]`: square n of colour c by symmetry s.
    turned: [[Vec<u8>; 2]; SYMMETRIES],
    /// The sets of the attacker's stones, as a row of bits for each square, that leave this square free.
    avoid: Vec<Vec<u64>>,
    words: usize,
    /// A row for each formation: what is safe, attacker to move.
    safe: Vec<u64>,
    /// A row for each original: what can be answered, defender to move.
    answered: Vec<u64>,
    /// A row for each original: what stopped being safe in the last round.
    fallen: Vec<u64>,
    changed: Vec<bool>,
    rounds: u32,
}

/// The result of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// Its number, from 1.
    pub number: u32,
    /// Pairs that stopped being safe in it; pictures of others are not counted.
    pub fallen: u64,
}

impl<const K: usize> Safety<K> {
    /// Creates the game on a board of `size` by `size`, with every set of the defender's stones that fits into a
    /// square of `side` by `side` as a formation.
    #[must_use]
    pub fn new(size: u8, side: u8) -> Safety<K> {
        let board = Board::new(size);
        let sets = Sets::new(board.squares());
        let numbers: Vec<usize> = formations(&board, &sets, side).collect();
        let mut formation = vec![NOT_ONE; sets.count()];
        for (i, &number) in numbers.iter().enumerate() {
            formation[number] = i as u32;
        }
        let formations: Vec<Set<K>> = numbers.iter().map(|&number| sets.set(number)).collect();
        let turned: [[Vec<u8>; 2]; SYMMETRIES] = std::array::from_fn(|symmetry| {
            std::array::from_fn(|colour| {
                (0..board.squares())
                    .map(|square| {
                        let (x, y) = turned(size, symmetry, board.place(colour, square));
                        board.number(x, y)
                    })
                    .collect()
            })
        });
        let picture = |set: &Set<K>, symmetry: usize, colour: usize| {
            let mut picture = set.map(|square| turned[symmetry][colour][usize::from(square)]);
            picture.sort_unstable();
            picture
        };
        let mut origin = vec![(NOT_ONE, 0); formations.len()];
        let mut originals = Vec::new();
        for (i, set) in formations.iter().enumerate() {
            if origin[i].0 != NOT_ONE {
                continue;
            }
            let original = originals.len() as u32;
            originals.push(i as u32);
            for symmetry in 0..SYMMETRIES {
                let other = formation[sets.number(&picture(set, symmetry, DEFENDER))] as usize;
                if origin[other].0 == NOT_ONE {
                    origin[other] = (original, symmetry);
                }
            }
        }
        let words = sets.count().div_ceil(64);
        let mut avoid = vec![vec![0; words]; usize::from(board.squares())];
        for number in 0..sets.count() {
            let set = sets.set(number);
            for (square, avoid) in avoid.iter_mut().enumerate() {
                if !set.contains(&(square as u8)) {
                    avoid[number / 64] |= 1 << (number % 64);
                }
            }
        }
        let mut all = vec![u64::MAX; words];
        if !sets.count().is_multiple_of(64) {
            all[words - 1] = (1 << (sets.count() % 64)) - 1;
        }
        Safety {
            safe: all.repeat(formations.len()),
            answered: all.repeat(originals.len()),
            fallen: vec![0; words * originals.len()],
            changed: vec![true; formations.len()],
            board,
            sets,
            formations,
            formation,
            origin,
            originals,
            turned,
            avoid,
            words,
            rounds: 0,
        }
    }

    /// Returns the board the game is played on.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the numbered sets of stones.
    #[must_use]
    pub const fn sets(&self) -> &Sets<K> {
        &self.sets
    }

    /// Returns all formations, by rising number of their sets.
    #[must_use]
    pub fn formations(&self) -> &[Set<K>] {
        &self.formations
    }

    /// The formations that are no picture of an earlier one, each with its row of bits.
    pub fn originals(&self) -> impl Iterator<Item = (&Set<K>, &[u64])> {
        self.originals.iter().map(|&i| (&self.formations[i as usize], self.row(i)))
    }

    /// Returns the rows of pairs that stopped being safe in the last round, in the order of
    /// [`originals`](Safety::originals).
    pub fn fallen(&self) -> impl Iterator<Item = &[u64]> {
        self.fallen.chunks(self.words)
    }

    /// Returns the number of rounds played.
    #[must_use]
    pub const fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Returns whether the defender in that formation is safe for as many turns as there were rounds, attacker to
    /// move; `None` when it is no formation. Squares as column and row from 0.
    #[must_use]
    pub fn is_safe(&self, defender: [(u8, u8); K], attacker: [(u8, u8); K]) -> Option<bool> {
        let formation = self.formation_of(defender)?;
        let number = self.sets.number(&self.set_of(ATTACKER, attacker)?);
        Some(has(self.row(formation), number))
    }

    /// Returns whether the defender, who is to move, can be safe for as many turns of the attacker as there were
    /// rounds.
    #[must_use]
    pub fn can_answer(&self, defender: [(u8, u8); K], attacker: [(u8, u8); K]) -> Option<bool> {
        let from = self.set_of(DEFENDER, defender)?;
        let attacker = self.set_of(ATTACKER, attacker)?;
        let number = self.sets.number(&attacker);
        let mut can = false;
        self.board.turns(DEFENDER, &from, |turn| {
            let free = !turn.halfway.iter().any(|square| attacker.contains(square))
                && !attacker.contains(&turn.over);
            let formation = self.formation[self.sets.number(&turn.to)];
            can |= free && formation != NOT_ONE && has(self.row(formation), number);
        });
        Some(can)
    }

    fn set_of(&self, of: usize, places: [(u8, u8); K]) -> Option<Set<K>> {
        if places.iter().any(|&(x, y)| x.max(y) >= self.board.size() || colour(x, y) != of) {
            return None;
        }
        let mut set = places.map(|(x, y)| self.board.number(x, y));
        set.sort_unstable();
        set.windows(2).all(|pair| pair[0] < pair[1]).then_some(set)
    }

    fn formation_of(&self, places: [(u8, u8); K]) -> Option<u32> {
        let formation = self.formation[self.sets.number(&self.set_of(DEFENDER, places)?)];
        (formation != NOT_ONE).then_some(formation)
    }

    fn row(&self, formation: u32) -> &[u64] {
        let at = formation as usize * self.words;
        &self.safe[at..at + self.words]
    }

    /// Plays one round on `threads` threads. If no pair falls in it, none ever will.
    pub fn round(&mut self, threads: usize) -> Round {
        let (words, first) = (self.words, self.rounds == 0);
        let mut answered = std::mem::take(&mut self.answered);
        let mut fallen = std::mem::take(&mut self.fallen);
        let total = AtomicU64::new(0);
        {
            let work = answered.chunks_mut(words).zip(fallen.chunks_mut(words)).enumerate();
            let work = Mutex::new(work);
            let next = || work.lock().ok().and_then(|mut work| work.next());
            std::thread::scope(|scope| {
                for _ in 0..threads.max(1) {
                    scope.spawn(|| {
                        let mut room = Room::new(words);
                        while let Some((original, (answered, fallen))) = next() {
                            let number =
                                self.look(self.originals[original], first, answered, fallen, &mut room);
                            total.fetch_add(number, Ordering::Relaxed);
                        }
                    });
                }
            });
        }
        self.answered = answered;
        let mut changed = std::mem::take(&mut self.changed);
        let mut safe = std::mem::take(&mut self.safe);
        {
            let work = Mutex::new(safe.chunks_mut(words).zip(&mut changed).enumerate());
            let next = || work.lock().ok().and_then(|mut work| work.next());
            std::thread::scope(|scope| {
                for _ in 0..threads.max(1) {
                    scope.spawn(|| {
                        while let Some((formation, (row, changed))) = next() {
                            let (original, symmetry) = self.origin[formation];
                            let at = original as usize * words;
                            *changed = self.strike(row, &fallen[at..at + words], symmetry);
                        }
                    });
                }
            });
        }
        (self.safe, self.changed, self.fallen) = (safe, changed, fallen);
        self.rounds += 1;
        Round { number: self.rounds, fallen: total.into_inner() }
    }

    /// Marks the pairs of this row that are refuted and returns their number.
    fn look(
        &self,
        formation: u32,
        first: bool,
        answered: &mut [u64],
        fallen: &mut [u64],
        room: &mut Room,
    ) -> u64 {
        fallen.fill(0);
        let defender = &self.formations[formation as usize];
        room.turns.clear();
        let mut is_same = !first;
        self.board.turns(DEFENDER, defender, |turn| {
            let to = self.formation[self.sets.number(&turn.to)];
            if to != NOT_ONE {
                is_same &= !self.changed[to as usize];
                room.turns.push((turn.halfway.map(usize::from).to_vec(), to, usize::from(turn.over)));
            }
        });
        if is_same {
            return 0;
        }
        room.turns.sort_unstable();
        room.turns.dedup();
        room.before.fill(0);
        let mut total = 0;
        for block in (0..self.words).step_by(BLOCK) {
            let end = (block + BLOCK).min(self.words);
            let now = &mut room.block[..end - block];
            let part = &mut room.part[..end - block];
            now.fill(0);
            for turns in room.turns.chunk_by(|a, b| a.0 == b.0) {
                part.fill(0);
                for (_, to, over) in turns {
                    let safe = &self.row(*to)[block..end];
                    let avoid = &self.avoid[*over][block..end];
                    for ((part, safe), avoid) in part.iter_mut().zip(safe).zip(avoid) {
                        *part |= safe & avoid;
                    }
                }
                for &square in &turns[0].0 {
                    let avoid = &self.avoid[square][block..end];
                    for (part, avoid) in part.iter_mut().zip(avoid) {
                        *part &= avoid;
                    }
                }
                for (now, part) in now.iter_mut().zip(part.iter()) {
                    *now |= part;
                }
            }
            for (i, (was, now)) in answered[block..end].iter_mut().zip(now.iter()).enumerate() {
                let lost = *was & !now;
                *was &= now;
                for number in bits(lost, block + i) {
                    self.mark_before_one(defender, number, &mut room.before);
                }
            }
        }
        let safe = self.row(formation);
        for (i, &word) in room.before.iter().enumerate() {
            for number in bits(word, i) {
                total += self.mark_before_all(defender, number, safe, fallen);
            }
        }
        total
    }

    /// Marks the sets of the attacker from which one stone's two steps lead to that set.
    fn mark_before_one(&self, defender: &Set<K>, number: usize, before: &mut [u64]) {
        let set = self.sets.set(number);
        for which in 0..K {
            for fourth in 0..4 {
                let over = self.board.beside(ATTACKER, set[which])[fourth];
                if over == NONE || defender.contains(&over) {
                    continue;
                }
                for third in across(fourth) {
                    let from = self.board.beside(DEFENDER, over)[third];
                    if from != NONE && !set.contains(&from) {
                        let number = self.sets.number(&with(set, which, from));
                        before[number / 64] |= 1 << (number % 64);
                    }
                }
            }
        }
    }

    /// Marks the sets, safe so far, from which two steps of all stones lead to that set, and returns their number.
    fn mark_before_all(&self, defender: &Set<K>, number: usize, safe: &[u64], fallen: &mut [u64]) -> u64 {
        let set = self.sets.set(number);
        let mut total = 0;
        for second in 0..4 {
            let Some(halfway) = self.board.shifted(ATTACKER, &set, second) else { continue };
            if halfway.iter().any(|square| defender.contains(square)) {
                continue;
            }
            for first in across(second) {
                let Some(from) = self.board.shifted(DEFENDER, &halfway, first) else { continue };
                let number = self.sets.number(&from);
                let bit = 1 << (number % 64);
                if safe[number / 64] & !fallen[number / 64] & bit != 0 {
                    fallen[number / 64] |= bit;
                    total += 1;
                }
            }
        }
        total
    }

    /// Removes the pictures of the fallen pairs from a row and returns true if there were any.
    fn strike(&self, row: &mut [u64], fallen: &[u64], symmetry: usize) -> bool {
        let mut any = false;
        for (i, &word) in fallen.iter().enumerate() {
            for number in bits(word, i) {
                let mut set =
                    self.sets.set(number).map(|square| self.turned[symmetry][ATTACKER][usize::from(square)]);
                set.sort_unstable();
                let number = self.sets.number(&set);
                row[number / 64] &= !(1 << (number % 64));
                any = true;
            }
        }
        any
    }
}

/// The working memory of a thread.
struct Room {
    /// Squares to be avoided after the first step, the formation a turn leads to, the square after the fourth step.
    turns: Vec<(Vec<usize>, u32, usize)>,
    block: Vec<u64>,
    part: Vec<u64>,
    before: Vec<u64>,
}

impl Room {
    fn new(words: usize) -> Room {
        Room { turns: Vec::new(), block: vec![0; BLOCK], part: vec![0; BLOCK], before: vec![0; words] }
    }
}

fn has(row: &[u64], number: usize) -> bool {
    row[number / 64] >> (number % 64) & 1 == 1
}

/// The numbers of the bits that are set in word `at` of a row.
fn bits(mut word: u64, at: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        if word == 0 {
            return None;
        }
        word &= word - 1;
        Some(at * 64 + bit as usize)
    })
}
