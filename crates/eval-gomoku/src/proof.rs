//! Proofs of forced wins, and a checker that uses only the rules.
//!
//! A proof names the attacker's stone and, for the defences that matter, a proof of what follows; every other defence
//! is answered by one more proof, the threat itself:
//!
//! ```text
//! h8 ─┬─ g7 ── k8 wins            the defences h8 leaves worth naming
//!     ├─ i9 ── …
//!     └─ anything else ── g7 wins  what h8 threatens
//! ```
//!
//! [`check`] plays every legal defence on a [`Gomoku`] and follows the proof; it shares no code with the solvers.

use ::gomoku::{Gomoku, Move, Point};
use kernel::{Position, Side};

/// A forced win: a stone of the attacker, and the continuation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The point where the attacker puts a stone.
    pub put: Point,
    /// The continuation after that stone.
    pub then: Then,
}

/// The continuation after a stone of the attacker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Then {
    /// The stone wins at once.
    Wins,
    /// The defender answers.
    Answers {
        /// The defences that are worth naming, each with its refutation.
        named: Vec<(Point, Proof)>,
        /// The refutation of every other defence that does not lose by itself.
        others: Box<Proof>,
    },
}

impl Proof {
    /// A stone that wins at once.
    #[must_use]
    pub const fn wins(put: Point) -> Proof {
        Proof { put, then: Then::Wins }
    }

    /// Plies to the end against the longest defence.
    #[must_use]
    pub fn plies(&self) -> u32 {
        match &self.then {
            Then::Wins => 1,
            Then::Answers { named, others } => {
                let longest = named.iter().map(|(_, proof)| proof.plies()).max();
                // Only where nothing need be named does the threat itself count: the defender has nothing better.
                2 + longest.unwrap_or_else(|| others.plies())
            }
        }
    }

    /// Plies to the end of the longest line the proof may have to play, whatever the defender does.
    #[must_use]
    pub fn longest(&self) -> u32 {
        match &self.then {
            Then::Wins => 1,
            Then::Answers { named, others } => {
                let longest = named.iter().map(|(_, proof)| proof.longest()).max();
                2 + longest.unwrap_or(0).max(others.longest())
            }
        }
    }

    /// Every point the proof speaks of, with repetitions.
    pub fn points(&self, out: &mut Vec<Point>) {
        out.push(self.put);
        if let Then::Answers { named, others } = &self.then {
            others.points(out);
            for (answer, proof) in named {
                out.push(*answer);
                proof.points(out);
            }
        }
    }

    /// The line of the longest defence.
    #[must_use]
    pub fn line(&self) -> Vec<Point> {
        let mut line = vec![self.put];
        if let Then::Answers { named, others } = &self.then {
            match named.iter().max_by_key(|(_, proof)| proof.plies()) {
                Some((answer, proof)) => {
                    line.push(*answer);
                    line.extend(proof.line());
                }
                None => {
                    // Whatever is answered, this follows; there is no answer to show.
                    line.extend(others.line().first());
                }
            }
        }
        line
    }
}

/// A fault in a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// The stones from the root to where it fails.
    pub line: Vec<Point>,
    /// The reason it fails there.
    pub why: &'static str,
}

/// Checks that the side to move wins by force, as the proof says: every legal defence is tried.
///
/// # Errors
/// The first line in which the attacker does not win.
pub fn check(pos: &Gomoku, proof: &Proof) -> Result<(), Flaw> {
    let mut line = Vec::new();
    attack(pos, pos.turn(), proof, &mut line).map_err(|why| Flaw { line, why })
}

/// Checks the proof with the attacker to move. If it returns an error, `line` leads to the fault.
fn attack(pos: &Gomoku, attacker: Side, proof: &Proof, line: &mut Vec<Point>) -> Result<(), &'static str> {
    line.push(proof.put);
    let on_board = proof.put.row < pos.ranks() && proof.put.file < pos.files();
    if !on_board || pos.at(proof.put).is_some() || pos.outcome().is_some() {
        return Err("the stone cannot be put");
    }
    let mut after = pos.clone();
    after.play(Move::Put(proof.put));
    match (&proof.then, after.outcome()) {
        (Then::Wins, Some(end)) if end.winner() == Some(attacker) => {}
        (Then::Wins, _) => return Err("the stone does not win"),
        (Then::Answers { .. }, Some(_)) => return Err("the game is over"),
        (Then::Answers { named, others }, None) => defend(&after, attacker, named, others, line)?,
    }
    line.pop();
    Ok(())
}

fn defend(
    pos: &Gomoku,
    attacker: Side,
    named: &[(Point, Proof)],
    others: &Proof,
    line: &mut Vec<Point>,
) -> Result<(), &'static str> {
    let mut answers = Vec::new();
    pos.moves(&mut answers);
    for answer in answers {
        let mut after = pos.clone();
        after.play(answer);
        let Move::Put(at) = answer else {
            // Where passes were agreed on, a pass stops no threat.
            attack(&after, attacker, others, line)?;
            continue;
        };
        line.push(at);
        match after.outcome() {
            Some(end) if end.winner() == Some(attacker) => {}
            Some(_) => return Err("the defence ends the game"),
            None => {
                let refutation =
                    named.iter().find(|(named, _)| *named == at).map_or(others, |(_, proof)| proof);
                attack(&after, attacker, refutation, line)?;
            }
        }
        line.pop();
    }
    Ok(())
}
