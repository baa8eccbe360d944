//! Endgame tables: the result of every position with few pieces and the plies to it, computed backwards from the ends
//! (retrograde analysis) with the rules' own generator.
//!
//! A table holds every position with given numbers of men and kings on each side, seen by the side to move: a byte
//! each, 0 for a draw and otherwise one more than the plies to the end against the best defence. An even number of
//! plies is a loss, an odd one a win. The tables are not stored in files, nor taken from elsewhere: [`Endings::new`]
//! makes them.
//!
//! Endings for which the tables would be wrong are left out. Where a king may not move as it likes (Frisian), where
//! one plays to lose or for the first king, there are none. Federations end some classes of endings after a number of
//! moves: a win that takes longer than the class may last is a draw in the table, and a position whose counters
//! already run is judged only if its end comes before theirs.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use draughts::rules::{Endgames, Goal};
use draughts::{Colour, Draughts, Rules, squares};
use kernel::Position;
use search::TablebaseResult;

use super::placing::{Ground, Group, groups};

/// The number of pieces that tables are made for by default: a quarter of a second and 2.5 MB at most.
pub const USUAL: u32 = 3;

/// The tables of this process, by the key of the variant.
static MADE: Mutex<BTreeMap<&str, Arc<dyn Any + Send + Sync>>> = Mutex::new(BTreeMap::new());

/// Returns the tables of a variant, for [`USUAL`] pieces or more if [`prepare`] was asked for more. They are made at
/// the first call; calls meanwhile wait, so that the result does not depend on which is first.
#[must_use]
pub fn shared<R: Rules>() -> Arc<Endings<R>> {
    prepare(USUAL)
}

/// Makes the tables of a variant for that number of pieces, unless there are some for as many; all searches of this
/// process use them from now on. Four pieces take some seconds and, on 10x10, 47 MB.
pub fn prepare<R: Rules>(pieces: u32) -> Arc<Endings<R>> {
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let there = made.get(R::KEY).and_then(|tables| Arc::clone(tables).downcast::<Endings<R>>().ok());
    match there {
        Some(there) if there.most >= pieces.min(most::<R>()) => there,
        _ => {
            let new = Arc::new(Endings::<R>::new(pieces));
            made.insert(R::KEY, Arc::clone(&new) as _);
            new
        }
    }
}

/// The numbers of men and kings of the side to move, then of the other side.
type Class = [usize; 4];

/// The most pieces that tables are made for, plus one.
const SIZES: usize = 5;

/// The value of a position that is not yet decided, while a table is made.
const OPEN: u8 = u8::MAX;
/// The longest ending that a byte holds, in plies.
const LONGEST: u8 = 250;

/// The tables of one variant.
#[derive(Clone, Debug)]
pub struct Endings<R: Rules> {
    ground: Ground<R>,
    /// The tables by [`number`]; empty where there is none.
    tables: Vec<Box<[u8]>>,
    most: u32,
}

/// Returns the most pieces for which the tables of a variant are right, and of a bearable size; 0 where none are.
#[must_use]
pub const fn most<R: Rules>() -> u32 {
    match R::DRAWS.endgames {
        _ if R::KING_MOVE_LIMIT.is_some() || !matches!(R::GOAL, Goal::Stop) => 0,
        Endgames::None | Endgames::OneEach | Endgames::International if squares::<R>() <= 50 => 4,
        Endgames::None | Endgames::OneEach | Endgames::International => 3,
        // With four pieces there are counts that restart within an ending, or depend on the long diagonal.
        Endgames::SixtyFour | Endgames::Iberian => 3,
        Endgames::Frisian => 0,
    }
}

fn number([men, kings, their_men, their_kings]: Class) -> usize {
    men + SIZES * (kings + SIZES * (their_men + SIZES * their_kings))
}

/// The same pieces when the other side is to move.
fn swapped([men, kings, their_men, their_kings]: Class) -> Class {
    [their_men, their_kings, men, kings]
}

/// Returns the classes of up to `most` pieces, one of each pair, those first which others lead to: fewer pieces, then
/// fewer men.
fn classes(most: u32) -> Vec<Class> {
    let sides = groups(most as usize);
    let pairs = sides.iter().flat_map(|&(m, k)| sides.iter().map(move |&(n, l)| [m, k, n, l]));
    let mut classes: Vec<Class> = pairs
        .filter(|class| class.iter().sum::<usize>() <= most as usize && *class >= swapped(*class))
        .collect();
    classes.sort_by_key(|class| (class.iter().sum::<usize>(), class[0] + class[2], *class));
    classes
}

impl<R: Rules> Endings<R> {
    /// Makes the tables for up to that number of pieces, but no more than [`most`].
    #[must_use]
    pub fn new(pieces: u32) -> Endings<R> {
        let most = pieces.min(most::<R>());
        let mut endings = Endings { ground: Ground::new(), tables: vec![Box::default(); SIZES.pow(4)], most };
        for class in classes(most) {
            let made = Making::new(&endings, class).run();
            for (class, table) in [class, swapped(class)].into_iter().zip(made) {
                endings.tables[number(class)] = table.into_boxed_slice();
            }
        }
        endings
    }

    /// Returns the result of the position, if a table has it.
    #[inline]
    #[must_use]
    pub fn probe(&self, pos: &Draughts<R>) -> Option<TablebaseResult> {
        if pos.has_more_than(self.most) {
            return None;
        }
        let byte = self.value(pos)?;
        let Some(plies) = byte.checked_sub(1) else { return Some(TablebaseResult::Draw) };
        let left = match (pos.plies_to_draw(), R::DRAWS.king_plies) {
            (Some(left), _) => left,
            (None, 0) => LONGEST,
            (None, kings_only) => kings_only,
        };
        let result = if plies.is_multiple_of(2) { TablebaseResult::Loss } else { TablebaseResult::Win };
        (plies <= left).then_some(result(u32::from(plies)))
    }

    /// Returns the byte of a position; `None` where there is no table for it. A side without pieces has lost.
    fn value(&self, pos: &Draughts<R>) -> Option<u8> {
        let (us, them) = (pos.colour(), pos.colour().other());
        let ((men, kings), (their_men, their_kings)) = (pos.material(us), pos.material(them));
        if men + kings == 0 {
            return Some(1);
        }
        let class = [men, kings, their_men, their_kings].map(|n| n as usize);
        let table = &self.tables[number(class)];
        let place =
            self.ground.index(pos, us) * self.ground.size(class[2], class[3]) + self.ground.index(pos, them);
        table.get(place).copied()
    }

    /// Returns the size of all tables, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.tables.iter().map(|table| table.len()).sum()
    }
}

/// A pair of classes whose quiet moves lead from one to the other and back, while its tables are computed; or one
/// class that leads to itself.
struct Making<'a, R: Rules> {
    endings: &'a Endings<R>,
    halves: Vec<Half<R>>,
    /// The positions decided, by plies to the end.
    decided: Vec<Vec<Spot>>,
    /// The positions that promoting moves will decide, by plies to the end.
    promised: Vec<Vec<Promise>>,
    /// The most plies an ending of this class may last before it is drawn.
    limit: u8,
}

/// The positions of one class of material in which the side `us` is to move; the other half of the pair has the sides
/// exchanged.
struct Half<R: Rules> {
    us: Group<R>,
    them: Group<R>,
    values: Vec<u8>,
    /// Moves that are not yet known to lose.
    left: Vec<u8>,
}

/// A position: its half, and its index in that half's table.
#[derive(Clone, Copy)]
struct Spot {
    half: u8,
    place: u32,
}

#[derive(Clone, Copy)]
enum Promise {
    /// The position is won by promoting.
    Wins(Spot),
    /// A promotion turns out to lose.
    Fails(Spot),
}

impl<'a, R: Rules> Making<'a, R> {
    fn new(endings: &'a Endings<R>, class: Class) -> Self {
        let ground = &endings.ground;
        let half = |[men, kings, their_men, their_kings]: Class| {
            let (us, them) = (ground.group(men, kings), ground.group(their_men, their_kings));
            let size = us.places.len() * them.places.len();
            Half { us, them, values: vec![0; size], left: vec![0; size] }
        };
        let mut halves = vec![half(class)];
        if class != swapped(class) {
            halves.push(half(swapped(class)));
        }
        let waves = usize::from(LONGEST) + 2;
        let (decided, promised) = (vec![Vec::new(); waves], vec![Vec::new(); waves]);
        Making { endings, halves, decided, promised, limit: LONGEST }
    }

    /// The tables of the two halves, or of the one.
    fn run(mut self) -> Vec<Vec<u8>> {
        for half in 0..self.halves.len() {
            self.begin(half as u8);
        }
        for plies in 0..=LONGEST {
            for promise in std::mem::take(&mut self.promised[usize::from(plies)]) {
                match promise {
                    Promise::Wins(spot) => self.decide(spot, plies),
                    Promise::Fails(spot) => self.fail(spot, plies),
                }
            }
            for spot in std::mem::take(&mut self.decided[usize::from(plies)]) {
                self.go_back(spot, plies);
            }
        }
        let close = |mut half: Half<R>| {
            // Positions that neither side can bring to an end are drawn.
            half.values.iter_mut().filter(|byte| **byte > LONGEST + 1).for_each(|byte| *byte = 0);
            half.values
        };
        self.halves.into_iter().map(close).collect()
    }

    /// Looks at each position once: at captures, which lead to smaller tables; at promotions, which lead to tables
    /// that are made; and counts the other moves.
    fn begin(&mut self, number: u8) {
        let half = &self.halves[usize::from(number)];
        let (count, others) = (half.us.places.len(), half.them.places.len());
        let mut moves = Vec::new();
        for i in 0..count {
            for j in 0..others {
                let half = &self.halves[usize::from(number)];
                let Some(pos) = half.us.places[i].against(&half.them.places[j]) else { continue };
                self.limit = pos.plies_allowed().unwrap_or(LONGEST);
                moves.clear();
                pos.moves(&mut moves);
                let spot = Spot { half: number, place: (i * others + j) as u32 };
                if moves.first().is_some_and(|m| m.is_capture()) || moves.is_empty() {
                    let byte = self.captures(&pos, &moves);
                    self.halves[usize::from(number)].values[spot.place as usize] = byte;
                    if let Some(plies) = byte.checked_sub(1) {
                        self.decided[usize::from(plies)].push(spot);
                    }
                    continue;
                }
                for m in moves.iter().filter(|m| m.promotes()) {
                    let mut next = pos;
                    next.play(*m);
                    match self
                        .endings
                        .value(&next)
                        .expect("a table with fewer men is made before")
                        .checked_sub(1)
                    {
                        Some(plies) if plies % 2 == 0 => {
                            self.promised[usize::from(plies) + 1].push(Promise::Wins(spot));
                        }
                        Some(plies) => self.promised[usize::from(plies) + 1].push(Promise::Fails(spot)),
                        None => {}
                    }
                }
                let half = &mut self.halves[usize::from(number)];
                half.values[spot.place as usize] = OPEN;
                half.left[spot.place as usize] = moves.len() as u8;
            }
        }
    }

    /// The value of a position whose moves all capture, or that has none.
    fn captures(&self, pos: &Draughts<R>, moves: &[draughts::Move<R>]) -> u8 {
        let (mut win, mut loss, mut draws) = (u8::MAX, 0, false);
        for &m in moves {
            let mut next = *pos;
            next.play(m);
            match self.endings.value(&next).expect("a table with fewer pieces is made before").checked_sub(1)
            {
                Some(plies) if plies % 2 == 0 => win = win.min(plies + 1),
                Some(plies) => loss = loss.max(plies + 1),
                None => draws = true,
            }
        }
        match (win, draws) {
            (u8::MAX, true) => 0,
            (u8::MAX, false) if loss <= LONGEST => loss + 1,
            (win, _) if win <= LONGEST => win + 1,
            _ => 0,
        }
    }

    fn decide(&mut self, spot: Spot, plies: u8) {
        let half = &mut self.halves[usize::from(spot.half)];
        let (winner, loser) =
            if plies.is_multiple_of(2) { (&half.them, &half.us) } else { (&half.us, &half.them) };
        // A lone king that wins takes something first, and the count ends.
        if plies > self.limit && winner.count() >= loser.count() {
            return;
        }
        let byte = &mut half.values[spot.place as usize];
        if *byte == OPEN {
            *byte = plies + 1;
            self.decided[usize::from(plies)].push(spot);
        }
    }

    /// Notes that one more move of the position fails to save it.
    fn fail(&mut self, spot: Spot, plies: u8) {
        let half = &mut self.halves[usize::from(spot.half)];
        let place = spot.place as usize;
        if half.values[place] == OPEN {
            half.left[place] -= 1;
            if half.left[place] == 0 {
                self.decide(spot, plies);
            }
        }
    }

    /// Updates the positions from which a quiet move leads here.
    fn go_back(&mut self, spot: Spot, plies: u8) {
        let half = &self.halves[usize::from(spot.half)];
        let others = half.them.places.len();
        let (i, j) = (spot.place as usize / others, spot.place as usize % others);
        let mut before = [0u32; 128];
        let count = self.endings.ground.before(&half.them, j, &half.us.places[i], &mut before);
        let from = if self.halves.len() == 1 { 0 } else { 1 - spot.half };
        let width = half.us.places.len();
        for &group in &before[..count] {
            let spot = Spot { half: from, place: (group as usize * width + i) as u32 };
            if plies.is_multiple_of(2) { self.decide(spot, plies + 1) } else { self.fail(spot, plies + 1) }
        }
    }
}

const _: () = assert!(LONGEST + 2 < OPEN);

/// The colour whose view tables have: the side to move plays up the board.
pub(super) const VIEW: Colour = Colour::White;

/// Returns the number of squares of the board.
pub(super) const fn places<R: Rules>() -> usize {
    squares::<R>() as usize
}

#[cfg(test)]
mod tests;
