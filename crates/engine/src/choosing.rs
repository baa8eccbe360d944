//! The match that chooses how a user's map is searched: alpha-beta against playouts, when the map is put up.
//!
//! Both sides look at as many positions, for that is how levels are limited; so the match is the same on every machine,
//! unless time ends it.

use std::time::{Duration, Instant};

use catalog::maps::Rules;
use engine_core::{Limits, Method, Stop};
use eval_jingbanqi::chosen::{self, Chosen};
use kernel::{AnyGame, PlayError, Problem, Side};
use search::TranspositionTable;

use crate::native::think;

/// The extent of the match.
#[derive(Clone, Debug)]
pub struct Choosing {
    /// The most pairs of games; in a pair each search has each side once, after the same first plies.
    pub pairs: u32,
    /// The positions that each search looks at for a move (nodes).
    pub nodes: u64,
    /// The number of random plies at the start of each pair.
    pub opening: u32,
    /// The greatest length of a game, in plies; a game that is cut off is a draw.
    pub longest: u32,
    /// The time limit: after it no move is searched, and the games that have ended count.
    pub time: Duration,
    /// Ends the match from outside, as time does.
    pub stop: Stop,
}

impl Default for Choosing {
    fn default() -> Choosing {
        Choosing {
            pairs: 10,
            nodes: 2_000,
            opening: 2,
            longest: 160,
            time: Duration::from_secs(60),
            stop: Stop::default(),
        }
    }
}

/// The pairs after which a match ends in which one side has won every game.
const CLEAR: u32 = 4;
/// The size of the transposition table, in MiB.
const MEMORY: usize = 4;

impl Choosing {
    /// Plays the match. It ends early when it is decided: one search cannot be caught up with, or has won the first
    /// eight games. Nothing is remembered: see [`bring`].
    ///
    /// ```
    /// use catalog::maps::{EXAMPLES, Rules};
    /// use engine::choosing::Choosing;
    ///
    /// let hex = EXAMPLES.iter().find(|sample| sample.key == "hex-2").unwrap();
    /// let rules = Rules::load(&hex.package(), &catalog::Options::new(), None).unwrap();
    /// let small = Choosing { pairs: 1, nodes: 60, ..Choosing::default() };
    /// assert_eq!(small.play(&rules)?.games, 2);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    ///
    /// # Errors
    /// The problem of the start position.
    pub fn play(&self, rules: &Rules) -> Result<Chosen, Problem> {
        let begun = Instant::now();
        let start = rules.open(None)?;
        let mut found = Chosen { print: chosen::print_of(start.as_ref()), half_points: 0, games: 0 };
        for pair in 0..self.pairs {
            let mut pair_points = 0;
            for playouts in Side::BOTH {
                let Some(points) = self.game(rules, pair, playouts, begun)? else { return Ok(found) };
                pair_points += points;
            }
            found.half_points += pair_points;
            found.games += 2;
            let left = 4 * (self.pairs - pair - 1);
            let others = 2 * found.games - found.half_points;
            let is_decided = found.half_points > others + left || others > found.half_points + left;
            let is_clear = pair + 1 >= CLEAR && (found.half_points == 0 || others == 0);
            if is_decided || is_clear {
                break;
            }
        }
        Ok(found)
    }

    /// Plays a game and returns the half points of playouts; `None` when time was up.
    fn game(&self, rules: &Rules, pair: u32, playouts: Side, begun: Instant) -> Result<Option<u32>, Problem> {
        // Where something is left to chance, it decides otherwise in each pair.
        let other = rules.has_chance().then(|| rules.seeded(u128::from(pair) + 1));
        let mut game = other.as_ref().unwrap_or(rules).open(None)?;
        let memory = TranspositionTable::mebibytes(MEMORY);
        let mut numbers = u64::from(pair).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
        while game.outcome().is_none() && game.plies() < self.longest as usize {
            let left = self.time.saturating_sub(begun.elapsed());
            if left.is_zero() || self.stop.is_raised() {
                return Ok(None);
            }
            let text = if game.plies() < self.opening as usize {
                let mut moves = game.moves();
                moves.swap_remove((step(&mut numbers) % moves.len() as u64) as usize)
            } else {
                let limits = Limits {
                    nodes: Some(self.nodes),
                    time: Some(left),
                    method: if game.turn() == playouts { Method::Playouts } else { Method::AlphaBeta },
                    seed: pair.into(),
                    stop: self.stop.clone(),
                    ..Limits::default()
                };
                think(game.as_ref(), &memory, &limits, &mut |_| {})?
            };
            let text = kernel::by_lot(game.as_ref(), &text, |sum| step(&mut numbers) % sum);
            game.play(&text).map_err(PlayError::problem)?;
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner());
        Ok(Some(winner.map_or(1, |winner| if winner == playouts { 2 } else { 0 })))
    }
}

/// Returns the next number of a match's own row of random numbers (xorshift).
fn step(numbers: &mut u64) -> u64 {
    *numbers ^= *numbers << 13;
    *numbers ^= *numbers >> 7;
    *numbers ^= *numbers << 17;
    *numbers
}

/// Returns the result of the match on the map of a game that this program was given or comes with; `None` until one was
/// played.
#[must_use]
pub fn known(game: &dyn AnyGame) -> Option<Chosen> {
    chosen::of_game(game)
}

/// Takes the result of a match: from now on the search that won it plays the map.
pub fn bring(found: Chosen) {
    chosen::bring(found);
}
