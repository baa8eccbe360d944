//! Who must deviate when a position comes back: perpetual check, perpetual chase, or nobody.
//!
//! A line from one standing of a position to the next is a *round*; a line that is judged has two or more. Each move
//! is looked at with two questions. Does it give **check**? And does it **chase**: is there an enemy piece that
//! could profitably be taken now, and could not before the move? Everything else follows:
//!
//! * What is profitable is asked of the board, never of a pattern: the capture is made, and the square is taken back if
//!   the rules of moving allow it ([`threat`]). Pins, discovered attacks, blocked legs and false roots need no words.
//! * A side answers for a piece that it chased with **every** move; a side that checked with every move answers for
//!   that. Of two sides that do so, the one with the graver [`Offence`] loses, in each round the same one.
//!
//! docs/rules/xiangqi.md, 6 and 7.

use kernel::{Outcome, Position, Reason, Side};

use crate::position::on_own_bank;
use crate::{Kind, Move, Square, Squares, Xiangqi};

/// What a side did with every one of its moves, from the least to the gravest. Rules 6.5.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Offence {
    /// One move at least was free.
    Nothing,
    /// It chased a piece, but at least once only by taking its protection away.
    Undermining,
    /// It chased a piece with attacks that were new each time.
    Chase,
    /// It gave check.
    Check,
}

/// Why a capture would win something. Rules 7.3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Nothing protects the prey.
    Unprotected,
    /// The piece there protects it in vain: taking back would leave its general in check.
    FalseRoot(Square),
    /// The prey is worth so much more than the chaser that protection does not count.
    Outranked,
}

/// What the rules say of a line that came back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Who loses; `None`: a draw.
    pub loser: Option<Side>,
    /// By side: what it did in every round.
    pub offences: [Offence; 2],
    /// By chasing side: the enemy pieces it chased with every move of the line, by where they stand at its end.
    pub prey: [Squares; 2],
}

impl Verdict {
    /// How the game ends.
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
        round[mover].note(before, after, m);
        let lasting = [0, 1].map(|s| round[s].both(&whole[s]).is_alive());
        if !lasting[0] && !lasting[1] && !(round[0].is_alive() && round[1].is_alive()) {
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

/// What one side has done with every move so far.
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

    /// The other side moved, perhaps a chased piece.
    fn follow(&mut self, m: Move) {
        for set in [&mut self.prey, &mut self.fresh] {
            if set.has(m.from) {
                *set = set.without(m.from).with(m.to);
            }
        }
    }

    fn note(&mut self, before: &Xiangqi, after: &Xiangqi, m: Move) {
        self.checks = self.checks && after.in_check(after.turn());
        for target in self.prey.iter() {
            match chase(before, after, m, target) {
                None => (self.prey, self.fresh) = (self.prey.without(target), self.fresh.without(target)),
                Some(act) if act.force == Force::Undermining => self.fresh = self.fresh.without(target),
                Some(_) => {}
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

/// How a move chases.
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
    /// Whether the capture itself is new.
    pub(crate) force: Force,
    /// The piece that could capture now.
    pub(crate) from: Square,
    /// Why that would win something.
    pub(crate) why: Why,
}

/// How the move `m` from `before` to `after` chases what stands on `target`, if it does: whether a piece threatens it
/// now that did not before. Of several the gravest. Rules 7.1.
pub(crate) fn chase(before: &Xiangqi, after: &Xiangqi, m: Move, target: Square) -> Option<Act> {
    let new = |(from, why)| {
        let capture = Move { from: if from == m.to { m.from } else { from }, to: target };
        let force = if before.is_legal(capture) { Force::Undermining } else { Force::Attack };
        let chases = force == Force::Attack || threat(before, capture).is_none();
        chases.then_some(Act { force, from, why })
    };
    threats(after, before.turn(), target).filter_map(new).max_by_key(|act| act.force)
}

/// The pieces of `by` that threaten what stands on `target`, and why each capture would win something.
pub(crate) fn threats(pos: &Xiangqi, by: Side, target: Square) -> impl Iterator<Item = (Square, Why)> {
    let may_be_chased = pos.piece_at(target).is_some_and(|prey| match prey.kind {
        Kind::General => false,
        Kind::Soldier => !on_own_bank(prey.side, target),
        _ => true,
    });
    let attackers = if may_be_chased { pos.attackers(target, by) } else { Squares::NONE };
    attackers.iter().filter_map(move |from| Some((from, threat(pos, Move { from, to: target })?)))
}

/// Why the capture `m` would win something if its side were to move; `None` when it is not legal, wins nothing or is
/// made by a piece that may chase as it likes. Rules 7.2 to 7.5.
fn threat(pos: &Xiangqi, m: Move) -> Option<Why> {
    let (chaser, prey) = (pos.piece_at(m.from)?, pos.piece_at(m.to)?);
    if matches!(chaser.kind, Kind::General | Kind::Soldier) || !pos.is_legal(m) {
        return None;
    }
    if outranks(prey.kind, chaser.kind) {
        return Some(Why::Outranked);
    }
    let pending = pos.checkers(prey.side);
    let mut taken = pos.with_turn(chaser.side);
    taken.play(m);
    let mut why = Why::Unprotected;
    for root in taken.attackers(m.to, prey.side).iter() {
        if is_able(&taken, Move { from: root, to: m.to }, pending) {
            return None;
        }
        why = Why::FalseRoot(root);
    }
    let back = Move { from: m.to, to: m.from };
    let exchange = chaser.kind == prey.kind && pos.targets(m.to).has(m.from) && is_able(pos, back, pending);
    (!exchange).then_some(why)
}

/// Whether `prey` is worth so much more than the chaser that protecting it does not help. Rules 7.4.
fn outranks(prey: Kind, chaser: Kind) -> bool {
    match chaser {
        Kind::Horse | Kind::Cannon => prey == Kind::Rook,
        Kind::Advisor | Kind::Elephant => matches!(prey, Kind::Rook | Kind::Horse | Kind::Cannon),
        _ => false,
    }
}

/// Whether a piece that reaches its aim may go there: its general must not come into a check that is not `pending`
/// already. A pending check is answered first, so it says nothing about roots; a general must be safe in any case.
fn is_able(pos: &Xiangqi, m: Move, pending: Squares) -> bool {
    let Some(piece) = pos.piece_at(m.from) else { return false };
    let mut next = pos.with_turn(piece.side);
    next.play(m);
    let checkers = next.checkers(piece.side);
    if piece.kind == Kind::General { checkers.is_empty() } else { checkers.minus(pending).is_empty() }
}
