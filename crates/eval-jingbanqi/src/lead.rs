//! The lead of a side where a playout is cut off, learned from the playouts that came to an end.
//!
//! What an aim in Python makes of a position is not told. But who won the playouts that ended is known, and so are their
//! last boards: how far a side was ahead by the evaluation, and where its pieces stood on the average. A linear
//! regression of results on these (ridge regression, drawn towards the evaluation alone) says what counts: that who has
//! fewer pieces wins, or whose pieces stand near a corner.

use jingbanqi::Jingbanqi;
use kernel::Side;

/// The number of facts of a board: the lead by the evaluation, then the mean row and column of each side's pieces.
const FACTS: usize = 5;
/// The weight of the belief in the evaluation, and that of the belief that places do not count, in playouts with a fact of 1.
const BELIEF: [f64; FACTS] = [2.0, 0.3, 0.3, 0.3, 0.3];

/// The facts of a board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts([f64; FACTS]);

impl Facts {
    /// Collects the facts of a position; `lead`: that of the first player by the evaluation, from -1 to 1.
    pub fn of(pos: &Jingbanqi, lead: f64) -> Facts {
        let map = pos.book().map();
        let cols = usize::from(map.cols);
        let (mut sums, mut counts) = ([[0.0; 2]; 2], [0.0; 2]);
        for at in 0..map.squares() {
            let Some(owner) = pos.present(at as u16).and_then(|piece| piece.owner) else { continue };
            let player = pos.player(owner).index();
            sums[player][0] += (at / cols) as f64;
            sums[player][1] += (at % cols) as f64;
            counts[player] += 1.0;
        }
        let middle = |sum: f64, count: f64, length: u8| {
            let most = f64::from(length.max(2) - 1);
            if count == 0.0 { 0.0 } else { sum / count / most - 0.5 }
        };
        let mut facts = [lead, 0.0, 0.0, 0.0, 0.0];
        for side in Side::BOTH.map(Side::index) {
            facts[1 + 2 * side] = middle(sums[side][0], counts[side], map.rows);
            facts[2 + 2 * side] = middle(sums[side][1], counts[side], map.cols);
        }
        Facts(facts)
    }
}

/// The results of the playouts that ended, and what follows from them.
#[derive(Clone, Debug)]
pub(crate) struct Lead {
    /// The normal equations: facts by facts, and facts by results.
    squares: [[f64; FACTS]; FACTS],
    results: [f64; FACTS],
    weights: [f64; FACTS],
}

impl Lead {
    pub fn new() -> Lead {
        let mut squares = [[0.0; FACTS]; FACTS];
        for (at, row) in squares.iter_mut().enumerate() {
            row[at] = BELIEF[at];
        }
        let mut results = [0.0; FACTS];
        results[0] = BELIEF[0];
        let mut weights = [0.0; FACTS];
        weights[0] = 1.0;
        Lead { squares, results, weights }
    }

    /// Takes the last board of a playout with its result for the first player: 1, 0 or -1.
    pub fn learn(&mut self, Facts(facts): Facts, result: f64) {
        for (row, one) in self.squares.iter_mut().zip(facts) {
            row.iter_mut().zip(facts).for_each(|(cell, other)| *cell += one * other);
        }
        self.results.iter_mut().zip(facts).for_each(|(sum, fact)| *sum += fact * result);
        self.weights = solved(self.squares, self.results);
    }

    /// The lead of the first player on a board, from -1 to 1.
    pub fn of(&self, Facts(facts): Facts) -> f64 {
        self.weights.iter().zip(facts).map(|(weight, fact)| weight * fact).sum::<f64>().clamp(-1.0, 1.0)
    }
}

/// Solves linear equations whose matrix is positive definite, by Gaussian elimination.
fn solved(mut rows: [[f64; FACTS]; FACTS], mut right: [f64; FACTS]) -> [f64; FACTS] {
    for at in 0..FACTS {
        for below in at + 1..FACTS {
            let factor = rows[below][at] / rows[at][at];
            let above = rows[at];
            rows[below].iter_mut().zip(above).for_each(|(cell, other)| *cell -= factor * other);
            right[below] -= factor * right[at];
        }
    }
    for at in (0..FACTS).rev() {
        let known: f64 = (at + 1..FACTS).map(|col| rows[at][col] * right[col]).sum();
        right[at] = (right[at] - known) / rows[at][at];
    }
    right
}
