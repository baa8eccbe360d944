//! Ratings: Glicko-2 with rating periods of fractional length, so that each game counts at once.
//!
//! Glickman's system rates all games of a period together. Lichess takes each game for a period of its own and lets the
//! deviation grow by the time since the game before, in periods and fractions of one; so does this. The formulas are those of
//! `skillratings`; only the length of the period is ours. `docs/adr/0017` says why.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

/// The first rating of a person without a related rating.
pub const START: f64 = 1500.0;
/// The rating deviation at the start, which is also the greatest.
pub const WIDEST: f64 = 500.0;
/// The least rating deviation, so that ratings of frequent players can still change.
pub const NARROWEST: f64 = 45.0;
/// The rating deviation above which a rating is provisional.
pub const PROVISIONAL: f64 = 110.0;
/// The lowest and the highest rating.
pub const RANGE: (f64, f64) = (400.0, 4000.0);
/// The volatility of a new player, and the greatest volatility.
const VOLATILITY: (f64, f64) = (0.09, 0.1);
/// The system constant tau of Glickman's paper, which limits changes of the volatility.
const TAU: f64 = 0.75;
/// The number of rating periods a day. With this, the deviation of a typical player grows from 60 to 110 in a year
/// (Lichess).
const PERIODS_A_DAY: f64 = 0.21436;
const DAY_MS: f64 = 86_400_000.0;
/// The difference by which a first rating is below the best related one.
const RELATED_LESS: f64 = 100.0;
/// The factor between Glicko's scale and that of Glicko-2.
const SCALE: f64 = 173.7178;

/// The rating of a person in a pool.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The rating, on the scale of Elo.
    pub rating: f64,
    /// The rating deviation (RD): with 95 % likelihood the strength is within two of these around the rating.
    pub deviation: f64,
    /// The volatility of Glicko-2: the degree to which results are erratic.
    pub volatility: f64,
    /// The number of rated games.
    pub games: u32,
    /// The end of the last of them, in Unix milliseconds; before the first game, the time at which the rating was
    /// made.
    pub at_ms: u64,
}

/// The result of a game for the player who is named first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// The first-named player won.
    Win,
    /// The game was drawn.
    Draw,
    /// The first-named player lost.
    Loss,
}

impl Score {
    /// Returns the result for the other side.
    #[must_use]
    pub fn reversed(self) -> Score {
        match self {
            Score::Win => Score::Loss,
            Score::Draw => Score::Draw,
            Score::Loss => Score::Win,
        }
    }
}

impl Rating {
    /// Returns the rating before the first game in a pool. `related`: the person's ratings in related pools. Only
    /// ratings that are not provisional count; a handful of games says too little about another game.
    #[must_use]
    pub fn first<'a>(related: impl Iterator<Item = &'a Rating>, now_ms: u64) -> Rating {
        let known = related.filter(|rating| !rating.is_provisional(now_ms)).map(|rating| rating.rating);
        let best = known.reduce(f64::max);
        let rating = best.map_or(START, |best| (best - RELATED_LESS).max(RANGE.0));
        Rating { rating, deviation: WIDEST, volatility: VOLATILITY.0, games: 0, at_ms: now_ms }
    }

    /// Returns the rating deviation at a later moment: it grows with the time since the last game.
    #[must_use]
    pub fn deviation_at(&self, now_ms: u64) -> f64 {
        let grown = (self.deviation / SCALE).powi(2) + self.periods(now_ms) * self.volatility.powi(2);
        (grown.sqrt() * SCALE).clamp(NARROWEST, WIDEST)
    }

    /// Returns true if the rating is provisional, because its deviation is above [`PROVISIONAL`].
    #[must_use]
    pub fn is_provisional(&self, now_ms: u64) -> bool {
        self.deviation_at(now_ms) > PROVISIONAL
    }

    /// Returns the number of rating periods since the last game; 0 if the clock was set back.
    fn periods(&self, now_ms: u64) -> f64 {
        now_ms.saturating_sub(self.at_ms) as f64 / DAY_MS * PERIODS_A_DAY
    }

    /// Returns the rating after a game against `other` that ended at `now_ms`.
    #[must_use]
    fn after(&self, other: &Rating, score: Score, now_ms: u64) -> Rating {
        let own =
            Glicko2Rating { rating: self.rating, deviation: self.deviation, volatility: self.volatility };
        let opponent = Glicko2Rating {
            rating: other.rating,
            deviation: other.deviation_at(now_ms),
            volatility: other.volatility,
        };
        let outcome = match score {
            Score::Win => Outcomes::WIN,
            Score::Draw => Outcomes::DRAW,
            Score::Loss => Outcomes::LOSS,
        };
        let config = Glicko2Config { tau: TAU, ..Glicko2Config::default() };
        let whole = glicko2_rating_period(&own, &[(opponent, outcome)], &config);
        let part = shortened(&own, &whole, self.periods(now_ms));
        Rating {
            rating: rounded(part.rating.clamp(RANGE.0, RANGE.1), 1e4),
            deviation: rounded(part.deviation.clamp(NARROWEST, WIDEST), 1e4),
            volatility: rounded(part.volatility, 1e9),
            games: self.games.saturating_add(1),
            at_ms: now_ms,
        }
    }
}

/// Returns both ratings after a game between the two that ended at `now_ms`; `score` is that of `first`.
#[must_use]
pub fn rate(first: &Rating, second: &Rating, score: Score, now_ms: u64) -> [Rating; 2] {
    [first.after(second, score, now_ms), second.after(first, score.reversed(), now_ms)]
}

/// Computes the rating after a period of the length `periods` from `before`, where `whole` is the rating after a
/// period of the length 1.
///
/// Only the deviation before the results depends on the length (step 6 of Glickman's paper), so what the results say,
/// the precision 1/v and the sum of the surprises, is read off the whole period. The volatility is limited before it
/// widens the deviation: after a win against a player a thousand points above, the equation that gives the volatility
/// has a second, absurdly large solution.
fn shortened(before: &Glicko2Rating, whole: &Glicko2Rating, periods: f64) -> Glicko2Rating {
    let square = |deviation: f64| (deviation / SCALE).powi(2);
    let grown = |periods: f64, volatility: f64| square(before.deviation) + periods * volatility.powi(2);
    let precision = square(whole.deviation).recip() - grown(1.0, whole.volatility).recip();
    let surprises = (whole.rating - before.rating) / square(whole.deviation);
    let volatility = whole.volatility.min(VOLATILITY.1);
    let deviation = (grown(periods, volatility).recip() + precision).recip();
    Glicko2Rating {
        rating: before.rating + deviation * surprises,
        deviation: deviation.sqrt() * SCALE,
        volatility,
    }
}

/// Rounds to that fraction of one: the last bits of a logarithm are not the same on every machine, and should not
/// matter.
fn rounded(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Glickman's example comes out, from "Example of the Glicko-2 system", 2022: all numbers are his.
    #[test]
    fn glickmans_example_comes_out() {
        let own = Glicko2Rating { rating: 1500.0, deviation: 200.0, volatility: 0.06 };
        let against =
            |rating, deviation, outcome| (Glicko2Rating { rating, deviation, volatility: 0.06 }, outcome);
        let results = [
            against(1400.0, 30.0, Outcomes::WIN),
            against(1550.0, 100.0, Outcomes::LOSS),
            against(1700.0, 300.0, Outcomes::LOSS),
        ];
        let config = Glicko2Config { tau: 0.5, ..Glicko2Config::default() };
        let whole = glicko2_rating_period(&own, &results, &config);
        let part = shortened(&own, &whole, 1.0);
        for (what, after) in [("the library", whole), ("a period of length 1", part)] {
            // On the scale of Glicko-2 the paper gives four decimals, five of the volatility.
            let (mu, phi) = ((after.rating - 1500.0) / SCALE, after.deviation / SCALE);
            assert!((mu - -0.2069).abs() < 0.000_06, "{what}: mu {mu}");
            assert!((phi - 0.8722).abs() < 0.000_06, "{what}: phi {phi}");
            assert!((after.volatility - 0.05999).abs() < 0.000_006, "{what}: sigma {}", after.volatility);
            assert!((after.rating - 1464.06).abs() < 0.02, "{what}: {}", after.rating);
            assert!((after.deviation - 151.52).abs() < 0.02, "{what}: {}", after.deviation);
        }
    }
}
