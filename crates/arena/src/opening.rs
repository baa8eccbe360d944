//! Random openings: turns at the start of a game that leave neither side better off.

use std::time::Duration;

use catalog::Ruleset;
use engine::{Engine, Limits, Native, Task, Worth};
use kernel::{AnyGame, Problem};

use crate::random::Random;

/// The settings of random openings. The same settings make the same openings on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Openings {
    /// The number of turns that are played before the engines take over; in locked chess a turn has five moves.
    pub turns: usize,
    /// The random seed of the openings.
    pub seed: u64,
    /// The score in hundredths below which an opening counts as balanced by our engine; 0: openings are not checked.
    pub balance: i32,
    /// The number of nodes that our engine searches to judge an opening; [`USUAL_NODES`] in matches.
    pub nodes: u64,
}

/// The number of nodes that our engine searches to judge the opening of a match.
pub const USUAL_NODES: u64 = 3_000;
/// The longest time of a judgement on any machine; so far beyond what it takes that it never decides.
const MOST_TIME: Duration = Duration::from_secs(20);
/// The number of openings that are tried before the best of them is taken.
const TRIES: u64 = 60;
/// The greatest distance from the middle of random stones, in games in which they may be put anywhere.
const NEAR: u8 = 3;

impl Openings {
    /// Returns the moves of the opening with that number.
    ///
    /// # Errors
    /// The fault in the game.
    pub fn moves(&self, rules: &Ruleset, number: usize) -> Result<Vec<String>, Problem> {
        if self.turns == 0 {
            return Ok(Vec::new());
        }
        let mut best: Option<(i32, Vec<String>)> = None;
        let mut judge = Native::of(rules, 1);
        for attempt in 0..TRIES {
            let seed = self.seed ^ (number as u64).wrapping_mul(0xD134_2543_DE82_EF95) ^ (attempt << 48);
            let Some(moves) = self.random(rules, &mut Random::seeded(seed))? else { continue };
            if self.balance == 0 {
                return Ok(moves);
            }
            let Some(worth) = worth(&mut judge, &moves, self.nodes) else {
                // There is no evaluator for this game: any opening is as good as another.
                return Ok(moves);
            };
            if worth < self.balance {
                return Ok(moves);
            }
            if best.as_ref().is_none_or(|(least, _)| worth < *least) {
                best = Some((worth, moves));
            }
        }
        Ok(best.map(|(_, moves)| moves).unwrap_or_default())
    }

    /// Returns true if neither side stands better after these moves; every opening does in games that our engine
    /// cannot judge.
    #[must_use]
    pub fn is_balanced(&self, rules: &Ruleset, moves: &[String]) -> bool {
        let found = worth(&mut Native::of(rules, 8), moves, self.nodes);
        self.balance == 0 || found.is_none_or(|worth| worth < self.balance)
    }

    /// Plays random turns and returns their moves; `None` when the game ended on the way.
    fn random(&self, rules: &Ruleset, random: &mut Random) -> Result<Option<Vec<String>>, Problem> {
        let mut game = rules.open(None)?;
        for _ in 0..self.turns {
            let side = game.turn();
            // A side that moves on is stopped by the count: no turn has more moves.
            for _ in 0..64 {
                let moves = candidates(game.as_ref());
                if moves.is_empty() {
                    return Ok(None);
                }
                game.play(&moves[random.below(moves.len())]).map_err(kernel::PlayError::problem)?;
                if game.turn() != side {
                    break;
                }
            }
        }
        Ok(game.outcome().is_none().then(|| game.record()))
    }
}

/// Returns the moves that an opening may have: all, or, where every empty cell is a move, those around the middle.
fn candidates(game: &dyn AnyGame) -> Vec<String> {
    let moves = game.moves();
    let view = game.view();
    if view.moves != kernel::Offered::Every(kernel::view::Every::Empty) {
        return moves;
    }
    let board = game.board();
    let (file, row) = (board.files / 2, board.ranks / 2);
    let is_near = |text: &String| {
        let Some(cell) = board.cell_named(text) else { return false };
        let files = kernel::Cell::from(board.files);
        let (x, y) = ((cell % files) as u8, (cell / files) as u8);
        x.abs_diff(file) <= NEAR && y.abs_diff(row) <= NEAR
    };
    let near: Vec<String> = moves.iter().filter(|text| is_near(text)).cloned().collect();
    if near.is_empty() { moves } else { near }
}

/// Returns the advantage of either side, in hundredths; `None` when our engine does not play the game.
fn worth(judge: &mut dyn Engine, moves: &[String], nodes: u64) -> Option<i32> {
    let limits = Limits { nodes: Some(nodes), time: Some(MOST_TIME), ..Limits::default() };
    let mut found = None;
    let task = Task { fen: None, moves: moves.to_vec(), limits };
    judge.think(&task, &mut |info| found = Some(info.worth)).ok()?;
    Some(match found? {
        Worth::Hundredths(n) => n.abs(),
        Worth::Wins(_) => i32::MAX,
    })
}
