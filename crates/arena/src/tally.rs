//! The score of a match so far: pairs of games by their score, and the Elo that follows.
//!
//! Sources: Michel Van den Bergh, "Comments on normalized Elo" and "The generalized SPRT" (cantate.be/Fishtest). Games are
//! played in pairs, one opening with colours reversed, and the pair is what is counted: an opening that always wins
//! for White then adds nothing to the spread.

/// The score of one game for the first engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Points {
    /// The engine lost.
    Loss,
    /// The game was drawn.
    Draw,
    /// The engine won.
    Win,
}

impl Points {
    /// Returns the score of the same game for the other engine.
    #[must_use]
    pub const fn reversed(self) -> Points {
        match self {
            Points::Loss => Points::Win,
            Points::Draw => Points::Draw,
            Points::Win => Points::Loss,
        }
    }

    /// Returns the points in half points: 0, 1, 2.
    #[must_use]
    pub const fn halves(self) -> usize {
        self as usize
    }
}

/// Counts of pairs and games, from the first engine's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The numbers of pairs with 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// The numbers of games lost, drawn and won.
    pub games: [u64; 3],
}

/// An estimate with half the width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The estimated value.
    pub value: f64,
    /// Half the width of the interval: infinite where too few pairs leave it open on one side at least.
    pub error: f64,
    /// The lower end of the interval, minus infinity where that side is open.
    pub low: f64,
    /// The upper end of the interval, infinity where that side is open.
    pub high: f64,
}

impl Estimate {
    /// Returns true if 0 is outside the interval: one engine is shown to be the stronger.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// A small number that stands for a count of zero.
pub(crate) const HARDLY: f64 = 1e-3;
/// The probability outside the interval, on both sides together.
const OUTSIDE: f64 = 0.05;
/// The variance of the prior distribution of a pair's score: that of two games as good as decided by a coin. The
/// prior counts as much as two pairs, so that one pair or two that ended alike do not look like certainty.
const PRIOR_VARIANCE: f64 = 0.125;
const PRIOR_PAIRS: f64 = 2.0;

impl Tally {
    /// Adds the results of a pair.
    pub fn add(&mut self, pair: [Points; 2]) {
        self.pairs[pair[0].halves() + pair[1].halves()] += 1;
        pair.into_iter().for_each(|points| self.games[points.halves()] += 1);
    }

    /// Returns the number of pairs that were played.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Returns the share of points won, from 0 to 1; a half before the first game.
    #[must_use]
    pub fn score(&self) -> f64 {
        let games: u64 = self.games.iter().sum();
        if games == 0 { 0.5 } else { (self.games[2] as f64 + self.games[1] as f64 / 2.0) / games as f64 }
    }

    /// Returns the difference in Elo.
    #[must_use]
    pub fn elo(&self) -> Estimate {
        let spread = self.spread();
        let (mean, error) = (spread.mean, spread.reach());
        let low = if mean > error { elo(mean - error) } else { f64::NEG_INFINITY };
        let high = if mean + error < 1.0 { elo(mean + error) } else { f64::INFINITY };
        Estimate { value: elo(mean), error: (high - low) / 2.0, low, high }
    }

    /// Returns the difference in normalised Elo: how clearly one engine is the better, whatever the share of draws.
    #[must_use]
    pub fn normalised(&self) -> Estimate {
        let spread = self.spread();
        let scale = 800.0 / std::f64::consts::LN_10 / (2.0 * spread.variance).sqrt();
        let (value, error) = ((spread.mean - 0.5) * scale, spread.reach() * scale);
        Estimate { value, error, low: value - error, high: value + error }
    }

    /// Returns the likelihood of superiority (LOS): the probability that the first engine is the stronger, from 0 to
    /// 1.
    #[must_use]
    pub fn superiority(&self) -> f64 {
        let Spread { mean, error, freedom, .. } = self.spread();
        student((mean - 0.5) / error, freedom)
    }

    /// Returns the share of pairs that were even.
    #[must_use]
    pub fn even(&self) -> f64 {
        if self.count() == 0 { 0.0 } else { self.pairs[2] as f64 / self.count() as f64 }
    }

    /// Returns the counts of pairs, with a small number in the place of zero.
    pub(crate) fn counts(&self) -> [f64; 5] {
        self.pairs.map(|n| if n == 0 { HARDLY } else { n as f64 })
    }

    fn spread(&self) -> Spread {
        let counts = self.counts();
        let pairs: f64 = counts.iter().sum();
        let of = |k: usize| k as f64 / 4.0;
        let mean = (0..5).map(|k| counts[k] * of(k)).sum::<f64>() / pairs;
        let squares = (0..5).map(|k| counts[k] * (of(k) - mean).powi(2)).sum::<f64>();
        let freedom = (PRIOR_PAIRS + pairs - 1.0).max(1.0);
        let variance = (PRIOR_PAIRS * PRIOR_VARIANCE + squares) / freedom;
        Spread { mean, variance, freedom, error: (variance / pairs).sqrt() }
    }
}

/// The mean score of a pair and its spread, by Student's distribution.
struct Spread {
    mean: f64,
    variance: f64,
    /// The degrees of freedom of the distribution.
    freedom: f64,
    /// The standard error of the mean.
    error: f64,
}

impl Spread {
    /// Returns the distance from the mean to either end of the interval.
    fn reach(&self) -> f64 {
        // The quantile by halving: Student's distribution rises everywhere.
        let (mut low, mut high) = (0.0, 1e4);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if student(middle, self.freedom) < 1.0 - OUTSIDE / 2.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        low * self.error
    }
}

/// Returns the difference in Elo at which that share of points is expected.
#[must_use]
pub fn elo(score: f64) -> f64 {
    // A score of 0 would be infinitely far away; a larger difference is of no use.
    let score = score.clamp(1e-6, 1.0 - 1e-6);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Returns the share of points expected at that difference in Elo.
#[must_use]
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Returns Student's cumulative distribution function with `freedom` degrees of freedom, by the regularised
/// incomplete beta function.
fn student(t: f64, freedom: f64) -> f64 {
    let tail = 0.5 * incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5);
    if t >= 0.0 { 1.0 - tail } else { tail }
}

/// Returns the regularised incomplete beta function, by its continued fraction (Lentz's method; Numerical Recipes,
/// section 6.4).
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // The fraction comes to its value quickly on this side only.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    const TINY: f64 = 1e-300;
    let front = (log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    let safe = |n: f64| if n.abs() < TINY { TINY } else { n };
    let (mut c, mut d) = (1.0, 1.0 / safe(1.0 - (a + b) * x / (a + 1.0)));
    let mut value = d;
    for m in 1..=300 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / safe(1.0 + even * d);
        c = safe(1.0 + even / c);
        value *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / safe(1.0 + odd * d);
        c = safe(1.0 + odd / c);
        value *= d * c;
        if (d * c - 1.0).abs() < 1e-14 {
            break;
        }
    }
    front * value
}

/// Returns the logarithm of the gamma function above 0: Stirling's series, once the argument is large enough for it.
fn log_gamma(x: f64) -> f64 {
    const LARGE: f64 = 10.0;
    if x < LARGE {
        return log_gamma(x + 1.0) - x.ln();
    }
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + series
}

#[cfg(test)]
mod tests {
    use super::student;

    /// The distribution agrees with values of printed tables.
    #[test]
    fn students_distribution() {
        for (t, freedom, wanted) in [
            (12.706, 1.0, 0.975),
            (4.303, 2.0, 0.975),
            (2.571, 5.0, 0.975),
            (2.086, 20.0, 0.975),
            (1.960, 1e6, 0.975),
            (1.372, 10.0, 0.9),
            (0.0, 3.0, 0.5),
            (-2.571, 5.0, 0.025),
        ] {
            assert!((student(t, freedom) - wanted).abs() < 1e-4, "{t} of {freedom}: {}", student(t, freedom));
        }
    }
}
