//! What a match has shown so far: pairs of games by their score, and the Elo that follows.
//!
//! Sources: Michel Van den Bergh, "Comments on normalized Elo" and "The generalized SPRT" (cantate.be/Fishtest). Games are
//! played in pairs, one opening with colours reversed, and the pair is what is counted: an opening that always wins
//! for White then adds nothing to the spread.

/// The score of one game for the first engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Points {
    /// It lost.
    Loss,
    /// Nobody won.
    Draw,
    /// It won.
    Win,
}

impl Points {
    /// The same game as the other engine saw it.
    #[must_use]
    pub const fn reversed(self) -> Points {
        match self {
            Points::Loss => Points::Win,
            Points::Draw => Points::Draw,
            Points::Win => Points::Loss,
        }
    }

    /// In half points: 0, 1, 2.
    #[must_use]
    pub const fn halves(self) -> usize {
        self as usize
    }
}

/// Counts of pairs and games, from the first engine's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Pairs that brought 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// Games lost, drawn and won.
    pub games: [u64; 3],
}

/// A value and half the width of the interval that holds the truth 95 times out of 100.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// What may be added or taken away.
    pub error: f64,
}

/// Stands for a count that is nothing yet.
pub(crate) const HARDLY: f64 = 1e-3;
/// How many standard deviations make 95 in 100, on both sides.
const TWO_SIDED: f64 = 1.96;

impl Tally {
    /// Adds a pair.
    pub fn add(&mut self, pair: [Points; 2]) {
        self.pairs[pair[0].halves() + pair[1].halves()] += 1;
        pair.into_iter().for_each(|points| self.games[points.halves()] += 1);
    }

    /// How many pairs were played.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// The share of points won, from 0 to 1; a half before the first game.
    #[must_use]
    pub fn score(&self) -> f64 {
        let games: u64 = self.games.iter().sum();
        if games == 0 { 0.5 } else { (self.games[2] as f64 + self.games[1] as f64 / 2.0) / games as f64 }
    }

    /// The difference in Elo.
    #[must_use]
    pub fn elo(&self) -> Estimate {
        let Spread { mean, error, .. } = self.spread();
        let error = TWO_SIDED * error;
        Estimate { value: elo(mean), error: (elo(mean + error) - elo(mean - error)) / 2.0 }
    }

    /// The difference in normalised Elo: how clearly one engine is the better, whatever the share of draws.
    #[must_use]
    pub fn normalised(&self) -> Estimate {
        let Spread { mean, variance, pairs, .. } = self.spread();
        let scale = 800.0 / std::f64::consts::LN_10;
        let value = (mean - 0.5) / (2.0 * variance).sqrt() * scale;
        Estimate { value, error: TWO_SIDED * scale / (2.0 * pairs).sqrt() }
    }

    /// How likely it is that the first engine is the stronger, from 0 to 1.
    #[must_use]
    pub fn superiority(&self) -> f64 {
        let Spread { mean, error, .. } = self.spread();
        normal((mean - 0.5) / error)
    }

    /// The share of pairs that brought each engine as much as the other.
    #[must_use]
    pub fn even(&self) -> f64 {
        if self.count() == 0 { 0.0 } else { self.pairs[2] as f64 / self.count() as f64 }
    }

    /// The counts of pairs, with hardly anything in the place of nothing.
    pub(crate) fn counts(&self) -> [f64; 5] {
        self.pairs.map(|n| if n == 0 { HARDLY } else { n as f64 })
    }

    fn spread(&self) -> Spread {
        let counts = self.counts();
        let pairs: f64 = counts.iter().sum();
        let of = |k: usize| k as f64 / 4.0;
        let mean = (0..5).map(|k| counts[k] * of(k)).sum::<f64>() / pairs;
        let variance = (0..5).map(|k| counts[k] * (of(k) - mean).powi(2)).sum::<f64>() / pairs;
        Spread { mean, variance, pairs, error: (variance / pairs).sqrt() }
    }
}

/// The score of a pair and how it varies.
struct Spread {
    mean: f64,
    variance: f64,
    pairs: f64,
    error: f64,
}

/// The difference in Elo at which that share of points is expected.
#[must_use]
pub fn elo(score: f64) -> f64 {
    // A score of nothing is infinitely far away; nobody needs more than this.
    let score = score.clamp(1e-6, 1.0 - 1e-6);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The share of points expected at that difference in Elo.
#[must_use]
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The normal distribution's cumulative function, by Abramowitz and Stegun 26.2.17; off by less than 1e-7.
fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let density = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let series = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let tail = density * series.iter().rev().fold(0.0, |sum, a| (sum + a) * t);
    if x >= 0.0 { 1.0 - tail } else { tail }
}
