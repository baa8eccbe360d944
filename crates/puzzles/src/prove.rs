//! Wins that are proved, in families that have a prover.

use eval_gomoku::{FourSolver, Shapes, ThreatSolver, check, opening};
use gomoku::{Gomoku, Opened};
use kernel::{AnyGame, Game, Position};

/// Positions of continuous fours that one question may cost.
const FOURS: u64 = 100_000;
/// The same for fours and threes.
const THREATS: u64 = 60_000;

/// What a prover says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// This family has none.
    Silent,
    /// There is no proof within what it may cost.
    Nothing,
    /// The side to move wins with that move in so many plies, whatever is answered; the proof was checked.
    Wins {
        /// The text of the move.
        first: String,
        /// Plies to the end against the longest defence.
        plies: u32,
    },
}

type Prover = fn(&dyn AnyGame) -> Said;
/// One for each family that has one.
const PROVERS: [Prover; 1] = [by_threats];

/// What is proved about a position.
#[must_use]
pub fn prove(game: &dyn AnyGame) -> Said {
    PROVERS.iter().map(|prover| prover(game)).find(|said| *said != Said::Silent).unwrap_or(Said::Silent)
}

/// The stones of a game of gomoku or renju whose opening is over.
#[must_use]
pub fn stones(game: &dyn AnyGame) -> Option<Gomoku> {
    let any = game.as_any();
    if let Some(game) = any.downcast_ref::<Game<Gomoku>>() {
        return Some(game.position().clone());
    }
    let plain = opening::plain(any.downcast_ref::<Game<Opened>>()?)?;
    Some(plain.position().clone())
}

/// Fours first, then fours and threes. What is found is held against every legal defence by the rules alone.
fn by_threats(game: &dyn AnyGame) -> Said {
    let any = game.as_any();
    if !any.is::<Game<Gomoku>>() && !any.is::<Game<Opened>>() {
        return Said::Silent;
    }
    let Some(pos) = stones(game) else { return Said::Nothing };
    let (mut shapes, mut fours) = (Shapes::of(&pos), FourSolver::new(14));
    let found = fours
        .solve(&mut shapes, pos.turn(), FOURS)
        .or_else(|| ThreatSolver::new().solve(&mut fours, &mut shapes, pos.turn(), THREATS));
    match found.filter(|proof| check(&pos, proof).is_ok()) {
        Some(proof) => {
            let first = kernel::Notation::move_text(&pos, gomoku::Move::Put(proof.put));
            Said::Wins { first, plies: proof.plies() }
        }
        None => Said::Nothing,
    }
}
