//! The stopping rule of a match: the generalised sequential probability ratio test (SPRT).
//!
//! Two hypotheses about the difference in strength are compared. After each pair the test computes how much more
//! likely the results are under the second hypothesis than under the first, with the best fit of each (Van den Bergh,
//! "The generalized SPRT": the distribution of maximum likelihood with a given mean, or with a given t-value for
//! normalised Elo).

use crate::tally::{HARDLY, Tally, expected};

/// The units of a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Logistic Elo, by the share of points.
    Logistic,
    /// Normalised Elo, by the share of points relative to its spread.
    Normalised,
}

/// A test between two hypotheses about the strength of the first engine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The lower hypothesis: the lead of the first engine over the second.
    pub low: f64,
    /// The higher hypothesis: the lead of the first engine over the second.
    pub high: f64,
    /// The unit of the bounds.
    pub scale: Scale,
    /// The error probability of the test, for either hypothesis.
    pub risk: f64,
}

/// The outcomes of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The lower hypothesis is accepted: the engine is not stronger than that.
    Low,
    /// The higher hypothesis is accepted: the engine is as strong as that.
    High,
}

/// The usual error probability.
pub const USUAL_RISK: f64 = 0.05;

impl Sprt {
    /// Builds a test with the usual error probability. `None` unless `low` is below `high` and both are within a
    /// thousand.
    #[must_use]
    pub fn new(low: f64, high: f64, scale: Scale) -> Option<Sprt> {
        let sound = low < high && low >= -1000.0 && high <= 1000.0;
        sound.then_some(Sprt { low, high, scale, risk: USUAL_RISK })
    }

    /// Returns the bounds of the log-likelihood ratio: below the first the lower hypothesis is accepted, above the
    /// second the higher one.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        let most = ((1.0 - self.risk) / self.risk).ln();
        (-most, most)
    }

    /// Returns the log-likelihood ratio (LLR) for pairs.
    #[must_use]
    pub fn ratio(&self, tally: &Tally) -> f64 {
        // A pair is two games: the t-value of its mean is greater by the root of two.
        self.ratio_of(&tally.counts(), std::f64::consts::SQRT_2)
    }

    /// Returns the log-likelihood ratio for games that were not paired: lost, drawn, won.
    #[must_use]
    pub fn ratio_of_games(&self, games: [u64; 3]) -> f64 {
        self.ratio_of(&games.map(|n| if n == 0 { HARDLY } else { n as f64 }), 1.0)
    }

    /// Returns the outcome of the test; `None`: play on.
    #[must_use]
    pub fn decided(&self, tally: &Tally) -> Option<Decision> {
        if tally.count() == 0 {
            return None;
        }
        let (low, high) = self.bounds();
        match self.ratio(tally) {
            ratio if ratio <= low => Some(Decision::Low),
            ratio if ratio >= high => Some(Decision::High),
            _ => None,
        }
    }

    fn ratio_of(&self, counts: &[f64], root_of_games: f64) -> f64 {
        let total: f64 = counts.iter().sum();
        let shares: Vec<f64> = counts.iter().map(|n| n / total).collect();
        let likely = |bound: f64| match self.scale {
            Scale::Logistic => with_mean(&shares, expected(bound)),
            Scale::Normalised => with_t(&shares, root_of_games * bound * std::f64::consts::LN_10 / 800.0),
        };
        let (low, high) = (likely(self.low), likely(self.high));
        let gain = |k: usize| shares[k] * (high[k] / low[k]).ln();
        total * (0..shares.len()).map(gain).sum::<f64>()
    }
}

/// Returns the value of outcome `k` of `n`, from 0 to 1.
fn value(k: usize, n: usize) -> f64 {
    k as f64 / (n - 1) as f64
}

/// The distribution most likely to give `shares` among those whose mean is `mean`.
fn with_mean(shares: &[f64], mean: f64) -> Vec<f64> {
    let offsets: Vec<f64> = (0..shares.len()).map(|k| value(k, shares.len()) - mean).collect();
    weighed(shares, &offsets)
}

/// The distribution most likely to give `shares` among those whose mean is `t` deviations above a half. The condition
/// is not linear, so it is approached: ten rounds are more than enough.
fn with_t(shares: &[f64], t: f64) -> Vec<f64> {
    let n = shares.len();
    let mut likely = vec![1.0 / n as f64; n];
    for _ in 0..10 {
        let mean: f64 = (0..n).map(|k| likely[k] * value(k, n)).sum();
        let variance: f64 = (0..n).map(|k| likely[k] * (value(k, n) - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let offset = |k: usize| {
            let off = (mean - value(k, n)) / deviation;
            value(k, n) - 0.5 - t * deviation * (1.0 + off * off) / 2.0
        };
        let offsets: Vec<f64> = (0..n).map(offset).collect();
        let next = weighed(shares, &offsets);
        let moved = next.iter().zip(&likely).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        likely = next;
        if moved < 1e-12 {
            break;
        }
    }
    likely
}

/// Returns `shares[k] / (1 + x * offsets[k])` with the `x` for which the mean offset is zero. Offsets have both
/// signs.
fn weighed(shares: &[f64], offsets: &[f64]) -> Vec<f64> {
    let most = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = offsets.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let left = |x: f64| shares.iter().zip(offsets).map(|(p, b)| p * b / (1.0 + x * b)).sum::<f64>();
    // The sum falls from +∞ to -∞ between the two.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if left(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = (low + high) / 2.0;
    shares.iter().zip(offsets).map(|(p, b)| p / (1.0 + x * b)).collect()
}
