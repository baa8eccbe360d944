//! Evaluation of Jingbanqi: the weights of a user's map are computed when it is opened.
//!
//! A piece is worth what it can do: how many squares it could go to and how many enemies it could take, on an empty
//! board, a thin and a crowded one (`reach`). What else counts is a sum of terms that every map has (`terms`). Where
//! weights were fitted for a map and won against these, they count instead ([`learned`]). Maps of level 2 are judged by
//! their aims ([`AimEval`]).

use jingbanqi::Jingbanqi;
use kernel::{AnyGame, Eyes, Game, Notation as _, Position as _};

use engine_core::think::{Brought, texts};
use engine_core::{Chances, Family, Info, Ladder, Limits, Method, Request};

mod aims;
pub mod chosen;
pub mod learned;
mod lead;
mod map;
mod odds;
mod reach;
mod terms;
mod walks;
mod worlds;

pub use aims::AimEval;
pub use map::MapEval;
use map::Remembered;
use walks::Judge;

/// The places of the levels on the scale of strengths.
pub const LADDER: Ladder = Ladder {
    places: [0.0, 1.8, 3.25, 4.0, 4.45, 4.92, 5.5, 6.0, 6.43],
    steps: [458, 279, 241, 382, 260, 417, 458, 279, 587],
};

/// The chances of winning for a score: docs/strength.md, "Chances".
pub const CHANCES: Chances = Chances { half: 110.0, scale: 176.0 };

/// The parts the engine needs to play and to learn these games.
pub const FAMILY: Family = Family {
    key: "jingbanqi",
    ladder: LADDER,
    chances: CHANCES,
    turn,
    prepare: |_, _| (),
    model: |_| None,
    network: |_| None,
    files: || vec![learned::OURS.as_bytes(), chosen::OURS.as_bytes()],
    brought: Brought { hash: learned::brought_hash, line: learned::brought_line, bring: learned::bring_for },
};

fn turn(game: &dyn AnyGame, request: &Request<'_>, report: &mut dyn FnMut(&Info)) -> Option<Vec<String>> {
    let game = game.as_any().downcast_ref::<Game<Jingbanqi>>()?;
    if game.position().has_secrets() {
        // The search is given what the side to move sees, and nothing else.
        let seen = game.seen(Eyes::Seat(game.position().turn()));
        return Some(searched(request, &seen, &MapEval::of(seen.position()), report));
    }
    let pos = game.position();
    let known = Remembered::of(pos);
    let judge = match known.aims(pos) {
        Some(aims) => Judge::Aims(aims),
        None => Judge::Map(MapEval::of(pos)),
    };
    let by_playouts = match request.limits.method {
        Method::Playouts => true,
        Method::AlphaBeta => false,
        // A depth means nothing to playouts.
        Method::Usual => request.limits.depth.is_none() && known.method(pos) == Method::Playouts,
    };
    if by_playouts && let Some(found) = walks::search(request, game, judge.clone(), report) {
        return Some(found);
    }
    Some(match judge {
        Judge::Aims(aims) => request.search(game, &aims, &texts, &LADDER, report),
        Judge::Map(eval) => searched(request, game, &eval, report),
    })
}

/// Returns the moves of the chosen turn: searched in several worlds, where something may be left to chance.
fn searched(
    request: &Request<'_>,
    game: &Game<Jingbanqi>,
    eval: &MapEval,
    report: &mut dyn FnMut(&Info),
) -> Vec<String> {
    let by_chance = worlds::search(request, game, eval, report);
    by_chance.unwrap_or_else(|| request.search(game, eval, &texts, &LADDER, report))
}

impl MapEval {
    /// Returns the moves that alpha-beta chooses with this evaluator, as text; on a map of level 2 with that of its
    /// aims.
    ///
    /// # Panics
    /// Panics when the game is over.
    #[must_use]
    pub fn choose(
        &self,
        game: &Game<Jingbanqi>,
        memory: &search::TranspositionTable,
        limits: &Limits,
    ) -> Vec<String> {
        let request = Request { memory, limits };
        match Remembered::of(game.position()).aims(game.position()) {
            Some(aims) => request.search(game, &aims, &texts, &LADDER, &mut |_| {}),
            None => searched(&request, game, self, &mut |_| {}),
        }
    }
}
