//! Scores: hundredths of a man or pawn, for the side to move; beyond them, proved wins (mate scores).

/// Hundredths of the game's unit (a man, a soldier), from the side to move's view; or a win or loss by the distance in
/// plies from where the search began.
pub type Score = i32;

/// A score no search returns.
pub const INFINITE: Score = 32_000;
/// A win here and now (mate score). A win in `n` plies is `WIN - n`.
pub const WIN: Score = 30_000;
/// The deepest the search goes, in plies from its root.
pub const MAX_PLY: usize = 200;
/// The least score of a proved win: it is at most 1,000 plies away. Solvers may see further than the tree.
pub const PROVED: Score = WIN - 1_000;
/// A win because the other side repeats what the rules forbid. It is no proof, for that side may still deviate.
pub const BY_RULE: Score = 20_000;
/// The largest score that an evaluator may return.
pub const MAX_EVAL: Score = 15_000;
/// The score of a draw.
pub const DRAW: Score = 0;

/// Returns the score of a win in that number of plies.
#[must_use]
pub const fn win_in(plies: usize) -> Score {
    WIN - plies as Score
}

/// Returns the number of plies in which the score wins, negative when it loses; `None` when nothing is proved.
///
/// ```
/// use search::score::{distance, win_in};
///
/// assert_eq!(distance(win_in(3)), Some(3));
/// assert_eq!(distance(-win_in(4)), Some(-4));
/// assert_eq!(distance(250), None);
/// ```
#[must_use]
pub const fn distance(score: Score) -> Option<i32> {
    if score >= PROVED {
        Some(WIN - score)
    } else if score <= -PROVED {
        Some(-WIN - score)
    } else {
        None
    }
}
