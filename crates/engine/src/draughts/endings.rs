//! How endings with few pieces end, and how soon: worked out backwards from the ends by the rules' own generator.
//!
//! A table holds every position with so many men and kings on each side, seen by who is to move: a byte each, 0 for a
//! draw and otherwise one more than the plies to the end against the best defence. An even number of plies is a loss, an
//! odd one a win. Nothing is stored in a file and nothing is anybody else's: [`Endings::new`] makes the tables.
//!
//! What makes them wrong is left out. Where a king may not move as it likes (Frisian), where one plays to lose or for
//! the first king, there are none. Federations end some classes of endings after so many moves: a win that takes longer
//! than the class may last is a draw in the table, and a position whose counters already run is judged only if its end
//! comes before theirs.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use draughts::rules::{Endgames, Goal};
use draughts::{Colour, Draughts, Rules, squares};
use kernel::Position;
use search::Known;

use super::placing::{Ground, Group, groups};

/// The pieces that tables are made for unless somebody asks for more: a quarter of a second and 2.5 MB at most.
pub const USUAL: u32 = 3;

/// The tables of this process, by the key of the variant.
static MADE: Mutex<BTreeMap<&str, Arc<dyn Any + Send + Sync>>> = Mutex::new(BTreeMap::new());

/// The tables of a variant, for [`USUAL`] pieces or more if [`prepare`] was asked for more. They are made when this is
/// first called; who calls meanwhile waits, so that nothing depends on who is first.
#[must_use]
pub fn shared<R: Rules>() -> Arc<Endings<R>> {
    prepare(USUAL)
}

/// Makes the tables of a variant for so many pieces, unless there are any for as many; all searches of this process
/// use them from now on. Four pieces take some seconds and, on 10x10, 47 MB.
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

/// So many men and kings of who is to move, then of the other side.
type Class = [usize; 4];

/// The most pieces that tables are made for, and one.
const SIZES: usize = 5;

/// Not yet decided, while a table is made.
const OPEN: u8 = u8::MAX;
/// The longest ending that a byte holds, in plies.
const LONGEST: u8 = 250;

/// The tables of one variant.
#[derive(Clone, Debug)]
pub struct Endings<R: Rules> {
    ground: Ground<R>,
    /// By [`number`]; empty where there is none.
    tables: Vec<Box<[u8]>>,
    most: u32,
}

/// The most pieces for which the tables of a variant can be right; 0 where none can.
#[must_use]
pub const fn most<R: Rules>() -> u32 {
    match R::DRAWS.endgames {
        _ if R::KING_MOVE_LIMIT.is_some() || !matches!(R::GOAL, Goal::Stop) => 0,
        Endgames::None | Endgames::International => 4,
        // With four pieces there are counts that start anew within an ending, or depend on the long diagonal.
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

/// The classes of so many pieces, one of each pair, those first which others lead to: fewer pieces, then fewer men.
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
    /// Makes the tables up to so many pieces, but no more than [`most`].
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

    /// What is known of the position, if anything.
    #[inline]
    #[must_use]
    pub fn known(&self, pos: &Draughts<R>) -> Option<Known> {
        if pos.has_more_than(self.most) {
            return None;
        }
        let byte = self.value(pos)?;
        let Some(plies) = byte.checked_sub(1) else { return Some(Known::Draw) };
        let left = match (pos.plies_to_draw(), R::DRAWS.king_plies) {
            (Some(left), _) => left,
            (None, 0) => LONGEST,
            (None, kings_only) => kings_only,
        };
        let known = if plies % 2 == 0 { Known::Loss } else { Known::Win };
        (plies <= left).then_some(known(u32::from(plies)))
    }

    /// The byte of a position; `None` where there is no table for it. Whoever has no pieces has lost.
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

    /// Bytes of all tables.
    #[must_use]
    pub fn size(&self) -> usize {
        self.tables.iter().map(|table| table.len()).sum()
    }
}

/// A pair of classes whose quiet moves lead from one to the other and back, while it is worked out; or one class that
/// leads to itself.
struct Making<'a, R: Rules> {
    endings: &'a Endings<R>,
    halves: Vec<Half<R>>,
    /// What was decided, by plies to the end.
    decided: Vec<Vec<Spot>>,
    /// What moves that promote will decide, by plies to the end.
    promised: Vec<Vec<Promise>>,
    /// How long an ending of this class may last before it is drawn.
    limit: u8,
}

/// One class of the pair.
struct Half<R: Rules> {
    us: Group<R>,
    them: Group<R>,
    values: Vec<u8>,
    /// Moves that are not yet known to lose.
    left: Vec<u8>,
}

/// A position: which half, and where in its table.
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
            // What nobody can bring to an end is drawn.
            half.values.iter_mut().filter(|byte| **byte > LONGEST + 1).for_each(|byte| *byte = 0);
            half.values
        };
        self.halves.into_iter().map(close).collect()
    }

    /// Looks at each position once: at captures, which lead to smaller tables; at promotions, which lead to tables that
    /// are made; and counts the other moves.
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
        let (winner, loser) = if plies % 2 == 0 { (&half.them, &half.us) } else { (&half.us, &half.them) };
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

    /// One move less that might save the position.
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

    /// Tells the positions from which a quiet move leads here.
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
            if plies % 2 == 0 { self.decide(spot, plies + 1) } else { self.fail(spot, plies + 1) }
        }
    }
}

const _: () = assert!(LONGEST + 2 < OPEN);

/// The colour whose view tables have: who is to move plays up the board.
pub(super) const VIEW: Colour = Colour::White;

/// How many squares a board has.
pub(super) const fn places<R: Rules>() -> usize {
    squares::<R>() as usize
}

#[cfg(test)]
mod tests {
    use draughts::{English, International, Italian, Killer, Pool, Russian, Spanish, Thai, Turkish};
    use kernel::laws::Random;
    use kernel::{Notation, Position};

    use super::*;

    fn at<R: Rules>(fen: &str) -> Draughts<R> {
        Draughts::<R>::start().read_fen(fen).expect("a position")
    }

    /// Every position that a table holds.
    fn each<R: Rules>(endings: &Endings<R>, mut look: impl FnMut(&Draughts<R>)) {
        for class in classes(endings.most) {
            for [men, kings, their_men, their_kings] in [class, swapped(class)] {
                let (us, them) =
                    (endings.ground.group(men, kings), endings.ground.group(their_men, their_kings));
                for ours in &us.places {
                    them.places.iter().filter_map(|theirs| ours.against(theirs)).for_each(|pos| look(&pos));
                }
            }
        }
    }

    /// What a position is worth by what its moves lead to.
    fn by_a_ply<R: Rules>(endings: &Endings<R>, pos: &Draughts<R>) -> Option<u8> {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let after = moves.iter().map(|&m| {
            let mut next = *pos;
            next.play(m);
            endings.value(&next).expect("fewer pieces or as many").checked_sub(1)
        });
        let after: Vec<_> = after.collect();
        let win = after.iter().flatten().filter(|plies| *plies % 2 == 0).min().map(|plies| plies + 1);
        let lost = after.iter().all(|plies| plies.is_some_and(|plies| plies % 2 == 1));
        win.or_else(|| lost.then(|| after.iter().flatten().max().map_or(0, |plies| plies + 1)))
    }

    fn every_value_follows_from_the_next<R: Rules>() {
        let endings = Endings::<R>::new(3);
        let (mut count, mut ends) = (0u32, 0u32);
        each(&endings, |pos| {
            let plies = endings.value(pos).expect("a table").checked_sub(1);
            let next = by_a_ply(&endings, pos);
            // A win that takes longer than its class may last is a draw.
            let late = plies.is_none() && next > pos.plies_allowed();
            assert!(plies == next || late, "{}: {plies:?}, by the next ply {next:?}: {pos:?}", R::KEY);
            count += 1;
            ends += u32::from(plies.is_some());
        });
        assert!(count > 100_000 && ends > count / 4, "{}: {ends} of {count}", R::KEY);
    }

    #[test]
    fn tables_agree_with_the_rules() {
        every_value_follows_from_the_next::<International>();
        every_value_follows_from_the_next::<Killer>();
        every_value_follows_from_the_next::<Russian>();
        every_value_follows_from_the_next::<Pool>();
        every_value_follows_from_the_next::<English>();
        every_value_follows_from_the_next::<Italian>();
        every_value_follows_from_the_next::<Spanish>();
        every_value_follows_from_the_next::<Thai>();
        every_value_follows_from_the_next::<Turkish>();
    }

    /// In how many plies the side to move wins, or loses, within `plies`; by playing everything.
    fn brute<R: Rules>(pos: &Draughts<R>, plies: u32) -> Option<u32> {
        if let Some(outcome) = pos.outcome() {
            return (outcome.winner() != Some(pos.turn())).then_some(0);
        }
        if plies == 0 || pos.drawn().is_some() {
            return None;
        }
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let (mut win, mut loss) = (None, Some(0));
        for m in moves {
            let mut next = *pos;
            next.play(m);
            match brute(&next, plies - 1) {
                Some(end) if end % 2 == 0 => win = Some(win.map_or(end + 1, |w: u32| w.min(end + 1))),
                end => loss = loss.zip(end).map(|(worst, end): (u32, u32)| worst.max(end + 1)),
            }
        }
        win.or(loss)
    }

    fn brute_force_agrees<R: Rules>(plies: u32) {
        let endings = Endings::<R>::new(3);
        let mut random = Random(5);
        let mut places = Vec::new();
        each(&endings, |pos| places.push(*pos));
        let mut ends = 0;
        for _ in 0..400 {
            let pos = places[random.below(places.len())];
            let known = endings.known(&pos);
            let told = match known {
                Some(Known::Win(n) | Known::Loss(n)) => Some(n).filter(|n| *n <= plies),
                _ => None,
            };
            assert_eq!(brute(&pos, plies), told, "{}: {known:?}: {pos:?}", R::KEY);
            ends += u32::from(told.is_some());
        }
        assert!(ends > 60, "{}: {ends}", R::KEY);
    }

    #[test]
    fn brute_force_finds_the_same_ends() {
        brute_force_agrees::<International>(4);
        brute_force_agrees::<English>(6);
        brute_force_agrees::<Russian>(4);
    }

    #[test]
    fn known_endings() {
        let made = Endings::<International>::new(3);
        let known = |fen| made.known(&at(fen));
        // Two kings do not catch a third.
        assert_eq!(known("W:WK1,K6:BK46"), Some(Known::Draw));
        assert_eq!(known("B:WK1,K6:BK46"), Some(Known::Draw));
        // It is captured at once.
        assert_eq!(known("W:WK46:BK28"), Some(Known::Win(1)));
        assert_eq!(known("W:W32:B23"), known("B:W28:B19"), "both sides see the same");
        // Nobody knows more than was worked out.
        assert_eq!(known("W:WK1,K6,K7:BK46"), None);
    }

    #[test]
    fn three_kings_catch_one_that_does_not_hold_the_long_diagonal() {
        let made = Endings::<Pool>::new(4);
        assert_eq!(made.known(&at("W:WK1,K2,K3:BK29")), Some(Known::Draw));
        let caught = made.known(&at("W:WK1,K2,K3:BK30"));
        assert!(matches!(caught, Some(Known::Win(_))), "{caught:?}");
        assert!(made.size() < 10 << 20);
    }

    #[test]
    fn counters_that_run_are_minded() {
        let made = Endings::<International>::new(3);
        let mut longest = None;
        each(&made, |pos| {
            if let Some(Known::Win(plies)) = made.known(pos)
                && pos.has_kings()
                && pos.plies_allowed().is_some()
                && longest.is_none_or(|(most, _)| plies > most)
            {
                longest = Some((plies, *pos));
            }
        });
        let (plies, pos) = longest.expect("a win with a count");
        assert!(plies > 4 && u32::from(pos.plies_allowed().unwrap_or(0)) >= plies);
        let late = format!("{}:E{}", pos.fen(), 11 - plies);
        assert_eq!(made.known(&at(&late)), None, "{late}");
        let in_time = format!("{}:E{}", pos.fen(), 10 - plies);
        assert_eq!(made.known(&at(&in_time)), Some(Known::Win(plies)), "{in_time}");
    }
}
