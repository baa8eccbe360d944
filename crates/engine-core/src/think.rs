//! The search with the evaluation of one family of games, and the parts that a family provides to the engine.

use kernel::{AnyGame, Game, Notation, Position};
use search::{Evaluator, SearchResult, TranspositionTable};

use crate::chances::Chances;
use crate::learned::{Linear, Network};
use crate::level::{Ladder, Strength};
use crate::task::{Info, Limits, Worth};

/// Plans a turn and reports the progress of the search.
pub type Turn = fn(&dyn AnyGame, &Request<'_>, &mut dyn FnMut(&Info)) -> Option<Vec<String>>;

/// The parts that an evaluation crate provides to the engine. Each function declines a game of another family.
#[derive(Clone, Copy)]
pub struct Family {
    /// The family's key in the catalogue.
    pub key: &'static str,
    /// The places of its levels on the scale.
    pub ladder: Ladder,
    /// The win, draw and loss rates of its games by worth.
    pub chances: Chances,
    /// Searches and returns the moves of the planned turn, at least one; `None` for a game of another family. The
    /// game must not be over.
    pub turn: Turn,
    /// Generates the endgame tables for up to that number of pieces, 4 at most.
    pub prepare: fn(&dyn AnyGame, u32),
    /// Returns the learnable sum of weights for that game of the catalogue.
    pub model: fn(&str) -> Option<Box<dyn Linear>>,
    /// Returns the learnable network for that game of the catalogue.
    pub network: fn(&str) -> Option<Box<dyn Network>>,
    /// Returns the files of weights that are built in.
    pub files: fn() -> Vec<&'static [u8]>,
    /// Weights of single maps that are brought at run time.
    pub brought: Brought,
}

/// Weights of single maps that a process is given while it runs. A set of weights is a line of text; its hash is the
/// SHA-256 of that line, in hexadecimal digits.
#[derive(Clone, Copy)]
pub struct Brought {
    /// The hash of the weights that count for the map of a game; `None` where none were brought for it.
    pub hash: fn(&dyn AnyGame) -> Option<String>,
    /// The line with that hash.
    pub line: fn(&str) -> Option<String>,
    /// Takes a line as the only one for the map of a game, or none; what is no line for that map changes nothing.
    pub bring: fn(&dyn AnyGame, Option<&str>),
}

impl Brought {
    /// The functions of a family whose games have no maps.
    pub const NONE: Brought = Brought { hash: |_| None, line: |_| None, bring: |_, _| () };
}

/// Converts a sequence of moves from a position to text.
pub type Texts<'a, P> = dyn Fn(&P, &[<P as Position>::Move]) -> Vec<String> + 'a;

/// The table and the limits that a search is given.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The transposition table, which is kept between moves.
    pub memory: &'a TranspositionTable,
    /// The limits of the search, and the playing strength.
    pub limits: &'a Limits,
}

/// The size of the separate transposition table of a search at a level, in bytes. Such a search does not use earlier
/// results, so its move depends on the game, the level and the seed alone.
const LEVEL_MEMORY: usize = 1 << 20;

impl Request<'_> {
    /// Returns the limits on our engine's strength; `None`: full strength.
    #[must_use]
    pub fn strength(&self, ladder: &Ladder) -> Option<Strength> {
        self.limits
            .scale
            .map(Strength::at)
            .or_else(|| self.limits.level.and_then(|level| ladder.strength(level)))
    }

    /// Searches and returns the first move of the chosen line; `texts` converts moves from a position on to text.
    ///
    /// # Panics
    /// Panics when the game is over.
    pub fn search<P: Position, E: Evaluator<P>>(
        &self,
        game: &Game<P>,
        evaluator: &E,
        texts: &Texts<'_, P>,
        ladder: &Ladder,
        report: &mut dyn FnMut(&Info),
    ) -> Vec<String> {
        let asked = self.limits;
        let mut limits = search::SearchLimits {
            depth: asked.depth,
            nodes: asked.nodes,
            time: asked.time,
            clock: asked.clock,
            lines: asked.lines,
            threads: asked.threads,
            noise: None,
            stop: asked.stop.clone(),
        };
        let strength = self.strength(ladder);
        let own = strength.map(|strength| {
            strength.weaken(&mut limits, asked.seed);
            TranspositionTable::new(LEVEL_MEMORY)
        });
        let memory = own.as_ref().unwrap_or(self.memory);
        let pos = game.position();
        let mut tell = |info: &search::Info<P::Move>| {
            report(&Info {
                depth: info.depth,
                furthest: info.seldepth,
                line: info.line,
                worth: Worth::of(info.score),
                bound: info.bound,
                nodes: info.nodes,
                time: info.time,
                filled: info.hashfull,
                moves: texts(pos, &info.moves),
            });
        };
        let mut among = Vec::new();
        if !asked.among.is_empty() {
            pos.moves(&mut among);
            let is_asked =
                |m: P::Move| texts(pos, &[m]).first().is_some_and(|text| asked.among.contains(text));
            among.retain(|&m| {
                is_asked(m) || pos.by_chance(m).is_some_and(|by_chance| is_asked(by_chance.choice))
            });
        }
        let result = search::think_among(game, evaluator, memory, &limits, &among, &mut tell)
            .expect("the game is not over, as was asked before");
        let SearchResult { lines, finished, .. } = &result;
        let best = match strength {
            // Scores of different depths say nothing beside each other.
            Some(strength) if !finished.is_empty() => {
                &finished[strength.choose(finished, asked.seed, pos.key())]
            }
            _ => &lines[0],
        };
        texts(pos, &best.moves[..1])
    }
}

/// Returns the texts of moves that are played one after the other. One of them that chance decides is told as an outcome; who
/// plays it draws ([`kernel::by_lot`]).
pub fn texts<P: Notation>(pos: &P, moves: &[P::Move]) -> Vec<String> {
    let mut pos = pos.clone();
    let mut last = None;
    let text = |&m: &P::Move| {
        if let Some(before) = last.replace(m) {
            pos.play(before);
        }
        pos.move_text(m)
    };
    moves.iter().map(text).collect()
}
