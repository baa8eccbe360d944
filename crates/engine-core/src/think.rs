//! A search with the evaluation of one family of games, and what a family hands to the engine.

use kernel::{AnyGame, Game, Notation, Position};
use search::{Evaluator, TranspositionTable, Verdict};

use crate::chances::Chances;
use crate::learned::{Linear, Network};
use crate::level::{Ladder, Strength};
use crate::task::{Info, Limits, Worth};

/// Plans a turn, and tells how far the search has come.
pub type Turn = fn(&dyn AnyGame, &Request<'_>, &mut dyn FnMut(&Info)) -> Option<Vec<String>>;

/// What an evaluation crate hands to the engine. A game of another family is declined by each function.
#[derive(Clone, Copy)]
pub struct Family {
    /// The family's key in the catalogue.
    pub key: &'static str,
    /// The places of its levels on the scale.
    pub ladder: Ladder,
    /// How its games end.
    pub chances: Chances,
    /// The moves of the turn it plans, at least one; `None` for a game of another family. The game must not be over.
    pub turn: Turn,
    /// Makes the tables of endings with up to so many pieces, 4 at most.
    pub prepare: fn(&dyn AnyGame, u32),
    /// The sum of weights that can be learned for that game of the catalogue.
    pub model: fn(&str) -> Option<Box<dyn Linear>>,
    /// The network that can be learned for that game of the catalogue.
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

/// Tells moves from a position on as text.
pub type Texts<'a, P> = dyn Fn(&P, &[<P as Position>::Move]) -> Vec<String> + 'a;

/// What a search is given.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The table that is kept between moves.
    pub memory: &'a TranspositionTable,
    /// How long to think, and how well.
    pub limits: &'a Limits,
}

/// A level's own table, in bytes: it does not profit from what was found out before, so that its move depends on the
/// game, the level and the seed alone.
const LEVEL_MEMORY: usize = 1 << 20;

impl Request<'_> {
    /// What holds our engine back; `None`: nothing.
    #[must_use]
    pub fn strength(&self, ladder: &Ladder) -> Option<Strength> {
        self.limits
            .scale
            .map(Strength::at)
            .or_else(|| self.limits.level.and_then(|level| ladder.strength(level)))
    }

    /// Searches; `texts` tells moves from a position on as text. The first move of the chosen line is the answer.
    ///
    /// # Panics
    /// When the game is over.
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
                furthest: info.furthest,
                line: info.line,
                worth: Worth::of(info.score),
                bound: info.bound,
                nodes: info.nodes,
                time: info.time,
                filled: info.filled,
                moves: texts(pos, &info.moves),
            });
        };
        let mut among = Vec::new();
        if !asked.among.is_empty() {
            pos.moves(&mut among);
            among.retain(|&m| texts(pos, &[m]).first().is_some_and(|text| asked.among.contains(text)));
        }
        let verdict = search::think_among(game, evaluator, memory, &limits, &among, &mut tell)
            .expect("the game is not over, as was asked before");
        let Verdict { lines, finished, .. } = &verdict;
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

/// The texts of moves played one after the other.
pub fn texts<P: Notation>(pos: &P, moves: &[P::Move]) -> Vec<String> {
    let mut pos = pos.clone();
    let text = |&m: &P::Move| {
        let text = pos.move_text(m);
        pos.play(m);
        text
    };
    moves.iter().map(text).collect()
}
