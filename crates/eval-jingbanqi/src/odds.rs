//! Scores as chances to win, and back: results are averaged as chances, for a ticket that wins once in eight is worth
//! an eighth of a win, whatever is lost with the others.

use search::Score;
use search::score::{MAX_EVAL, PROVED, win_in};

/// The lead in hundredths with which a side wins about three games of four.
const SCALE: f64 = 400.0;

/// Returns the chance to win, from 0 to 1.
pub(crate) fn chance(score: Score) -> f64 {
    match score {
        PROVED.. => 1.0 - 1e-9 * f64::from(win_in(0) - score),
        score if score <= -PROVED => 1e-9 * f64::from(win_in(0) + score),
        score => 1.0 / (1.0 + (-f64::from(score) / SCALE).exp()),
    }
}

/// Returns the score for such a chance. A win in every world is no proof.
pub(crate) fn score(chance: f64) -> Score {
    let score = SCALE * (chance / (1.0 - chance)).ln();
    if score.is_nan() { 0 } else { score.clamp(-f64::from(MAX_EVAL), f64::from(MAX_EVAL)) as Score }
}
