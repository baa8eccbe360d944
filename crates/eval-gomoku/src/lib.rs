//! Evaluation of gomoku: threat solvers and learned tables.
//!
//! Reading order: [`class`] (what a stone does along one line), [`kind`] (in all four together), `cells` (sets of
//! points), [`shapes`] (the board, kept up to date), [`proof`] (forced wins and their checker), [`fours`] (continuous
//! fours), [`threats`] (fours and threes), [`terms`] (what counts, and how much), `network` (what is learned beside
//! them), [`eval`] (what the search is told), [`opening`] (how games begin).

mod around;
pub mod cells;
pub mod class;
pub mod fours;
pub mod eval;
pub mod kind;
mod network;
pub mod opening;
pub mod plain;
pub mod proof;
pub mod shapes;
pub mod terms;
pub mod threats;

use engine_core::think::{Brought, texts};
use engine_core::{Chances, Family, Info, Ladder, Request};
use gomoku::{Gomoku, Opened, Rule};
use kernel::{AnyGame, Game};

pub use eval::{GomokuEval, Solving};
pub use fours::FourSolver;
pub use proof::{Proof, Then, check};
pub use shapes::Shapes;
pub use terms::Terms;
pub use threats::ThreatSolver;

/// The places of the levels on the scale of strengths.
pub const LADDER: Ladder = Ladder {
    places: [0.0, 1.56, 2.57, 3.29, 3.82, 4.45, 5.11, 5.62, 6.2],
    steps: [147, 133, 133, 121, 175, 260, 95, 127, 133],
};

/// The chances of winning for a score: docs/strength.md, "Chances".
pub const CHANCES: Chances = Chances { half: 7.0, scale: 112.0 };

/// The parts the engine needs to play and to learn these games.
pub const FAMILY: Family = Family {
    key: "gomoku",
    ladder: LADDER,
    chances: CHANCES,
    turn,
    prepare: |_, _| (),
    model: |key| Terms::keyed(key).map(|terms| Box::new(terms) as _),
    network: |key| Terms::keyed(key).map(|terms| Box::new(terms) as _),
    files: || {
        let rules = [Rule::Freestyle, Rule::Standard, Rule::Renju];
        let networks = rules.into_iter().filter_map(network::file);
        networks.chain(rules.map(terms::file)).collect()
    },
    brought: Brought::NONE,
};

fn turn(game: &dyn AnyGame, request: &Request<'_>, report: &mut dyn FnMut(&Info)) -> Option<Vec<String>> {
    let any = game.as_any();
    let strength = request.strength(&LADDER);
    let evaluation = request.limits.evaluation;
    let judge = || GomokuEval::new(Solving::at(strength)).by(evaluation);
    if let Some(game) = any.downcast_ref::<Game<Gomoku>>() {
        return Some(request.search(game, &judge(), &texts, &LADDER, report));
    }
    let game = any.downcast_ref::<Game<Opened>>()?;
    Some(match plain::opened(game) {
        Some(plain) => request.search(&plain, &judge(), &texts, &LADDER, report),
        None => request.search(game, &opening::OpeningEval, &texts, &LADDER, report),
    })
}
