//! The verdict when a position comes back: the side that must deviate, for perpetual check or perpetual chase, or a
//! draw.
//!
//! A line from one standing of a position to the next is a *round*; a line that is judged has two or more. Each move
//! is looked at with two questions. Does it give **check**? And does it **chase**: is there an enemy piece that
//! could profitably be taken now, and could not before the move? Everything else follows:
//!
//! * What is profitable is asked of the board, never of a pattern: the capture is made, and the square is taken back if
//!   the rules of moving allow it (`Scene::threat`). Pins, discovered attacks, blocked legs and false roots need no words.
//! * A side answers for a piece that it chased with **every** move; a side that checked with every move answers for
//!   that. Of two sides that do so, the one with the graver [`Offence`] loses, in each round the same one.
//!
//! docs/rules/xiangqi.md, 6 and 7.

use kernel::{Outcome, Position, Reason, Side};

use crate::attacks::{Slots, attacks};
use crate::danger::between;
use crate::position::{SLOTS, on_own_bank};
use crate::square::OFF;
use crate::{Kind, Move, Square, Squares, Xiangqi};

/// The offences of a side that commits them with every one of its moves, from the least to the gravest. Rules 6.5.
///
/// ```
/// use xiangqi::cycle::Offence;
///
/// assert!(Offence::Check > Offence::Chase, "the side that checks with every move loses");
/// assert_eq!(Offence::Chase.max(Offence::Undermining), Offence::Chase);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Offence {
    /// One move or more was free of offence.
    Nothing,
    /// Each move chased the piece, but at least once only by taking its protection away.
    Undermining,
    /// Each move chased the piece with a new attack.
    Chase,
    /// Each move gave check.
    Check,
}

/// The reasons a capture would win something. Rules 7.3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The prey has no protection.
    Unprotected,
    /// The piece there protects it in vain: taking back would leave its general in check.
    FalseRoot(Square),
    /// The prey is worth more than the chaser by enough that protection does not count.
    Outranked,
}

/// The verdict of the rules on a line that came back.
///
/// ```
/// use kernel::{Outcome, Side};
/// use xiangqi::Squares;
/// use xiangqi::cycle::{Offence, Verdict};
///
/// let offences = [Offence::Chase, Offence::Nothing];
/// let verdict = Verdict { loser: Some(Side::First), offences, prey: [Squares::NONE; 2] };
/// assert_eq!(verdict.outcome(), Outcome::Win(Side::Second, "perpetual-chase"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The side that loses; `None`: a draw.
    pub loser: Option<Side>,
    /// The offence of each side, the least of all rounds.
    pub offences: [Offence; 2],
    /// The enemy pieces that each side chased with every move of the line, by their squares at its end.
    pub prey: [Squares; 2],
}

impl Verdict {
    /// Returns the outcome of the game.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self.loser {
            Some(side) => Outcome::Win(side.other(), self.reason()),
            None => Outcome::Draw(self.reason()),
        }
    }

    fn reason(&self) -> Reason {
        let [mine, theirs] = self.offences;
        match self.loser {
            Some(side) if self.offences[side.index()] == Offence::Check => "perpetual-check",
            Some(_) => "perpetual-chase",
            None if mine.min(theirs) == Offence::Check => "mutual-perpetual-check",
            None if mine.min(theirs) > Offence::Nothing => "mutual-perpetual-chase",
            None => "repetition",
        }
    }
}

/// Judges a line whose last position stood at `line[0]`, and perhaps in between; `moves[i]` leads from `line[i]` to
/// `line[i + 1]`. Nothing may have been captured on the way.
///
/// A rook that gives check for ever:
///
/// ```
/// use kernel::{Game, Notation, Side};
/// use xiangqi::cycle::{Offence, judge};
/// use xiangqi::{Move, Rules, Xiangqi};
///
/// let start = Xiangqi::new(Rules::Asian).read_fen("5k3/8R/9/9/9/9/9/9/9/3K5 w")?;
/// let mut game = Game::new(start);
/// ["i8i9", "f9f8", "i9i8", "f8f9"].map(|text| game.play(Move::named(text).unwrap()));
/// let verdict = judge(&game.line(), game.moves());
/// assert_eq!((verdict.loser, verdict.offences[0]), (Some(Side::First), Offence::Check));
/// assert_eq!(verdict.outcome().reason(), "perpetual-check");
/// # Ok::<(), kernel::Problem>(())
/// ```
#[must_use]
pub fn judge(line: &[Xiangqi], moves: &[Move]) -> Verdict {
    let start = &line[0];
    let fresh = Side::BOTH.map(|side| Tally::of(start, side));
    let (mut whole, mut round) = (fresh, fresh);
    let mut offences = [Offence::Check; 2];
    let mut graver = [true; 2]; // in every round so far
    for (i, &m) in moves.iter().enumerate() {
        let (before, after) = (&line[i], &line[i + 1]);
        let side = before.turn();
        let (mover, other) = (side.index(), side.other().index());
        round[other].follow(m);
        whole[other].follow(m);
        round[mover].note(before, after);
        let lasting = [0, 1].map(|s| round[s].both(&whole[s]).is_alive());
        let is_open = lasting.contains(&true) || (round[0].is_alive() && round[1].is_alive());
        if !is_open {
            return Verdict { loser: None, offences: [Offence::Nothing; 2], prey: [Squares::NONE; 2] };
        }
        if after.key() == start.key() {
            let done = [0, 1].map(|s| round[s].offence());
            for s in [0, 1] {
                offences[s] = offences[s].min(done[s]);
                graver[s] &= done[s] > done[1 - s];
                whole[s] = whole[s].both(&round[s]);
                round[s] = Tally::of(after, Side::BOTH[s]);
            }
        }
    }
    let loser = Side::BOTH.into_iter().find(|s| graver[s.index()] && whole[s.index()].is_alive());
    Verdict { loser, offences, prey: whole.map(|tally| tally.prey) }
}

/// The record of one side over all its moves so far.
#[derive(Clone, Copy)]
struct Tally {
    checks: bool,
    prey: Squares,  // the enemy pieces it chased with every move
    fresh: Squares, // those of them whose attack was new every time
}

impl Tally {
    fn of(pos: &Xiangqi, side: Side) -> Self {
        let enemies = pos.army(side.other());
        Tally { checks: true, prey: enemies, fresh: enemies }
    }

    /// Follows a move of the other side, perhaps of a chased piece.
    fn follow(&mut self, m: Move) {
        for set in [&mut self.prey, &mut self.fresh] {
            if set.has(m.from) {
                *set = set.without(m.from).with(m.to);
            }
        }
    }

    fn note(&mut self, before: &Xiangqi, after: &Xiangqi) {
        let (by, before, after) = (before.turn(), Scene::of(before), Scene::of(after));
        self.checks = self.checks && after.checkers(by.other()) != 0;
        for target in self.prey.iter() {
            match new_threats(&before, &after, by, target).map(|act| act.force).max() {
                None => (self.prey, self.fresh) = (self.prey.without(target), self.fresh.without(target)),
                Some(Force::Undermining) => self.fresh = self.fresh.without(target),
                Some(Force::Attack) => {}
            }
        }
    }

    fn both(&self, other: &Tally) -> Tally {
        Tally {
            checks: self.checks && other.checks,
            prey: self.prey.and(other.prey),
            fresh: self.fresh.and(other.fresh),
        }
    }

    fn is_alive(&self) -> bool {
        self.checks || !self.prey.is_empty()
    }

    fn offence(&self) -> Offence {
        match self {
            Tally { checks: true, .. } => Offence::Check,
            tally if !tally.fresh.is_empty() => Offence::Chase,
            tally if !tally.prey.is_empty() => Offence::Undermining,
            _ => Offence::Nothing,
        }
    }
}

/// The ways in which a move can chase, the graver last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Force {
    /// The capture was possible before; now nothing takes back.
    Undermining,
    /// The capture was not possible before.
    Attack,
}

/// A chase by one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Act {
    /// The kind of chase: with a new capture, or by taking protection away.
    pub(crate) force: Force,
    /// The piece that could capture now.
    pub(crate) from: Square,
    /// The reason the capture would win something.
    pub(crate) why: Why,
}

/// Returns the chase of the piece on `target` by the move from `before` to `after`, if a piece threatens it now that
/// did not before. Of several the gravest. Rules 7.1.
pub(crate) fn chase(before: &Xiangqi, after: &Xiangqi, target: Square) -> Option<Act> {
    new_threats(&Scene::of(before), &Scene::of(after), before.turn(), target).max_by_key(|act| act.force)
}

fn new_threats(before: &Scene, after: &Scene, by: Side, target: Square) -> impl Iterator<Item = Act> {
    let attackers = if after.may_be_chased(by, target) { after.attackers(by, target) } else { 0 };
    slots(attackers).filter_map(move |n| {
        let why = after.threat(by, n, target)?;
        let force = if before.is_legal(by, n, target) { Force::Undermining } else { Force::Attack };
        let is_new = force == Force::Attack || before.threat(by, n, target).is_none();
        is_new.then_some(Act { force, from: after.square(by, n)?, why })
    })
}

/// A position reduced to the squares of all pieces. Cheap to copy and to change, for each question makes its captures
/// on a copy.
#[derive(Clone, Copy)]
struct Scene {
    squares: [[u8; 16]; 2], // by side: where its pieces stand, in the order of [`SLOTS`]
    occupied: Squares,
}

fn slots(set: Slots) -> impl Iterator<Item = usize> {
    (0..16).filter(move |n| set >> n & 1 == 1)
}

impl Scene {
    fn of(pos: &Xiangqi) -> Scene {
        Scene { squares: [*pos.numbered(0), *pos.numbered(1)], occupied: pos.occupied() }
    }

    fn square(&self, side: Side, n: usize) -> Option<Square> {
        Square::new(self.squares[side.index()][n])
    }

    fn number(&self, side: Side, at: Square) -> Option<usize> {
        self.squares[side.index()].iter().position(|&square| square == at.index())
    }

    /// The pieces of `by` that could take on `target` if their general's safety did not matter.
    fn attackers(&self, by: Side, target: Square) -> Slots {
        (0..16).filter(|&n| self.reaches(by, n, target)).fold(0, |set, n| set | 1 << n)
    }

    /// The pieces that attack the general of `side`; the other general does so along an open file.
    fn checkers(&self, side: Side) -> Slots {
        let (Some(general), Some(other)) = (self.square(side, GENERAL), self.square(side.other(), GENERAL))
        else {
            return 0;
        };
        let facing = general.file() == other.file() && between(general, other).and(self.occupied).is_empty();
        self.attackers(side.other(), general) | if facing { 1 << GENERAL } else { 0 }
    }

    #[inline]
    fn reaches(&self, by: Side, n: usize, target: Square) -> bool {
        let from = self.squares[by.index()][n];
        from != OFF && attacks(by, SLOTS[n], Square(from), target, self.occupied)
    }

    /// Returns the scene after the piece went to `to` and took the piece there.
    fn after(&self, by: Side, n: usize, to: Square) -> Scene {
        let mut next = *self;
        if let Some(taken) = self.number(by.other(), to) {
            next.squares[by.other().index()][taken] = OFF;
        }
        if let Some(from) = self.square(by, n) {
            next.occupied = next.occupied.without(from).with(to);
        }
        next.squares[by.index()][n] = to.index();
        next
    }

    /// Returns true if the capture would be legal with `by` to move.
    fn is_legal(&self, by: Side, n: usize, target: Square) -> bool {
        self.reaches(by, n, target) && self.after(by, n, target).checkers(by) == 0
    }

    /// Returns true if the piece on `target` counts as prey: a general, or a soldier on its own bank, may be chased
    /// without penalty. Rules 7.2.
    fn may_be_chased(&self, by: Side, target: Square) -> bool {
        let victim = by.other();
        self.number(victim, target).is_some_and(|n| match SLOTS[n] {
            Kind::General => false,
            Kind::Soldier => !on_own_bank(victim, target),
            _ => true,
        })
    }

    /// Returns the reason the capture of the piece on `target` would win something with `by` to move; `None` when it
    /// is not legal, wins nothing or is made by a piece that may chase freely. Rules 7.2 to 7.5.
    fn threat(&self, by: Side, n: usize, target: Square) -> Option<Why> {
        let victim = by.other();
        let from = self.square(by, n)?;
        let (chaser, prey) = (SLOTS[n], SLOTS[self.number(victim, target)?]);
        if matches!(chaser, Kind::General | Kind::Soldier) || !self.is_legal(by, n, target) {
            return None;
        }
        if outranks(prey, chaser) {
            return Some(Why::Outranked);
        }
        let pending = self.checkers(victim);
        let taken = self.after(by, n, target);
        let mut why = Why::Unprotected;
        for root in slots(taken.attackers(victim, target)) {
            if taken.is_able(victim, root, target, pending) {
                return None;
            }
            why = Why::FalseRoot(taken.square(victim, root)?);
        }
        let back = self.number(victim, target).filter(|&prey| {
            chaser == SLOTS[prey]
                && self.reaches(victim, prey, from)
                && self.is_able(victim, prey, from, pending)
        });
        back.is_none().then_some(why)
    }

    /// Returns true if a piece that reaches `to` may go there: its general must not come into a check that is not
    /// `pending` already. A pending check is answered first, so it says nothing about roots; a general must be safe
    /// in any case.
    fn is_able(&self, side: Side, n: usize, to: Square, pending: Slots) -> bool {
        let checkers = self.after(side, n, to).checkers(side);
        if n == GENERAL { checkers == 0 } else { checkers & !pending == 0 }
    }
}

/// The number of a general.
const GENERAL: usize = 0;

/// Returns true if `prey` is worth more than the chaser by enough that protecting it does not help. Rules 7.4.
fn outranks(prey: Kind, chaser: Kind) -> bool {
    match chaser {
        Kind::Horse | Kind::Cannon => prey == Kind::Rook,
        Kind::Advisor | Kind::Elephant => matches!(prey, Kind::Rook | Kind::Horse | Kind::Cannon),
        _ => false,
    }
}
