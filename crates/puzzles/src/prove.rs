//! Provers of wins, in families that have one.

use eval_gomoku::{FourSolver, Shapes, ThreatSolver, check, plain};
use gomoku::{Gomoku, Opened};
use kernel::{AnyGame, Game, Position};

/// The most positions searched for a win by continuous fours.
const FOURS: u64 = 100_000;
/// The most positions searched for a win by fours and threes.
const THREATS: u64 = 60_000;

/// The result of a prover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofResult {
    /// The family has no prover.
    Silent,
    /// The prover found no proof within its limits.
    Nothing,
    /// The side to move wins with that move in that many plies, against any answer; the proof was checked.
    Wins {
        /// The text of the move.
        first: String,
        /// The number of plies to the end against the longest defence.
        plies: u32,
    },
}

type Prover = fn(&dyn AnyGame) -> ProofResult;
/// The provers, one for each family that has one.
const PROVERS: [Prover; 1] = [by_threats];

/// Asks the prover of the position's family for a win of the side to move.
#[must_use]
pub fn prove(game: &dyn AnyGame) -> ProofResult {
    PROVERS
        .iter()
        .map(|prover| prover(game))
        .find(|said| *said != ProofResult::Silent)
        .unwrap_or(ProofResult::Silent)
}

/// Returns the stones of a game of gomoku or renju whose opening is over.
#[must_use]
pub fn stones(game: &dyn AnyGame) -> Option<Gomoku> {
    plain::plain(game).map(|plain| plain.position().clone())
}

/// Searches for a win by fours, then by fours and threes. A win that is found is verified against every legal defence
/// by the rules alone.
fn by_threats(game: &dyn AnyGame) -> ProofResult {
    let any = game.as_any();
    if !any.is::<Game<Gomoku>>() && !any.is::<Game<Opened>>() {
        return ProofResult::Silent;
    }
    let Some(pos) = stones(game) else { return ProofResult::Nothing };
    let (mut shapes, mut fours) = (Shapes::of(&pos), FourSolver::new(14));
    let found = fours
        .solve(&mut shapes, pos.turn(), FOURS)
        .or_else(|| ThreatSolver::new().solve(&mut fours, &mut shapes, pos.turn(), THREATS));
    match found.filter(|proof| check(&pos, proof).is_ok()) {
        Some(proof) => {
            let first = kernel::Notation::move_text(&pos, gomoku::Move::Put(proof.put));
            ProofResult::Wins { first, plies: proof.plies() }
        }
        None => ProofResult::Nothing,
    }
}
