//! Tests of ratings. They catch a rating that differs from Glickman's formulas, written down here a second time; and
//! ratings that run away.

use std::f64::consts::PI;

use people::rating::{self, NARROWEST, PROVISIONAL, RANGE, Rating, START, Score, WIDEST, rate};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

const DAY_MS: u64 = 86_400_000;

/// Computes steps 2 to 8 of Glickman's paper for one game, with a period of fractional length in step 6. The
/// volatility is found by halving an interval instead of the paper's regula falsi.
fn by_the_paper(own: &Rating, other: &Rating, score: f64, now_ms: u64) -> (f64, f64, f64) {
    let tau = 0.75_f64;
    let days = |rating: &Rating| now_ms.saturating_sub(rating.at_ms) as f64 / DAY_MS as f64;
    let (mu, phi) = ((own.rating - 1500.0) / 173.7178, own.deviation / 173.7178);
    let (mu_j, phi_j) = ((other.rating - 1500.0) / 173.7178, other.deviation / 173.7178);
    let phi_j = (phi_j.powi(2) + days(other) * 0.21436 * other.volatility.powi(2)).sqrt();
    let phi_j = phi_j.clamp(NARROWEST / 173.7178, WIDEST / 173.7178);
    let g = 1.0 / (1.0 + 3.0 * phi_j.powi(2) / PI.powi(2)).sqrt();
    let e = 1.0 / (1.0 + (-g * (mu - mu_j)).exp());
    let v = 1.0 / (g * g * e * (1.0 - e));
    let delta = v * g * (score - e);
    let a = own.volatility.powi(2).ln();
    let f = |x: f64| {
        x.exp() * (delta.powi(2) - phi.powi(2) - v - x.exp()) / (2.0 * (phi.powi(2) + v + x.exp()).powi(2))
            - (x - a) / tau.powi(2)
    };
    // The solution next to the old volatility: for great surprises there is another one far above.
    let step = if f(a) > 0.0 { 0.01 } else { -0.01 };
    let mut beyond = a;
    while f(beyond) * step > 0.0 {
        beyond += step;
    }
    let (mut low, mut high) = (beyond.min(beyond - step), beyond.max(beyond - step));
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if f(middle) > 0.0 { low = middle } else { high = middle }
    }
    let sigma = (low / 2.0).exp().min(0.1);
    let grown = phi.powi(2) + days(own) * 0.21436 * sigma.powi(2);
    let phi = 1.0 / (1.0 / grown + 1.0 / v).sqrt();
    let mu = mu + phi.powi(2) * g * (score - e);
    let (low, high) = RANGE;
    ((mu * 173.7178 + 1500.0).clamp(low, high), (phi * 173.7178).clamp(NARROWEST, WIDEST), sigma)
}

#[test]
fn a_second_implementation_agrees() {
    let mut random = SmallRng::seed_from_u64(18);
    for case in 0..20_000 {
        let now_ms = 10_000 * DAY_MS;
        let mut someone = || Rating {
            rating: random.random_range(RANGE.0..RANGE.1),
            deviation: random.random_range(NARROWEST..WIDEST),
            volatility: random.random_range(0.03..0.1),
            games: 7,
            at_ms: now_ms - random.random_range(0..3000 * DAY_MS),
        };
        let (own, mut other) = (someone(), someone());
        other.rating = other.rating.clamp(own.rating - 1000.0, own.rating + 1000.0);
        let (score, points) =
            [(Score::Win, 1.0), (Score::Draw, 0.5), (Score::Loss, 0.0)][random.random_range(0..3)];
        let [after, _] = rate(&own, &other, score, now_ms);
        let (rating, deviation, volatility) = by_the_paper(&own, &other, points, now_ms);
        let told = format!("case {case}: {own:?} {score:?} against {other:?}: {after:?}");
        assert!((after.rating - rating).abs() < 0.001, "{told}, not {rating}");
        assert!((after.deviation - deviation).abs() < 0.001, "{told}, not {deviation}");
        assert!((after.volatility - volatility).abs() < 1e-6, "{told}, not {volatility}");
        assert_eq!((after.games, after.at_ms), (8, now_ms), "{told}");
    }
}

#[test]
fn results_move_ratings_the_right_way() {
    let new = Rating::first(std::iter::empty(), 5);
    assert_eq!((new.rating, new.deviation, new.games), (START, WIDEST, 0));
    let [winner, loser] = rate(&new, &new, Score::Win, 5);
    assert!(winner.rating > START + 100.0 && loser.rating < START - 100.0, "{winner:?} {loser:?}");
    assert!((winner.rating + loser.rating - 2.0 * START).abs() < 0.001, "by the same amount");
    assert!(winner.deviation < WIDEST && winner.is_provisional(5));
    let [one, other] = rate(&new, &new, Score::Draw, 5);
    assert_eq!((one.rating, one), (START, other), "equals who draw stay where they are");
    let [swapped, _] = rate(&new, &new, Score::Loss, 5);
    assert_eq!(swapped, loser, "both sides are rated alike");
}

#[test]
fn who_wins_for_ever_stays_within_the_range() {
    let mut pair = [Rating::first(std::iter::empty(), 0), Rating::first(std::iter::empty(), 0)];
    for game in 0..5000 {
        pair = rate(&pair[0], &pair[1], Score::Win, game * 60_000);
        for rating in pair {
            assert!((RANGE.0..=RANGE.1).contains(&rating.rating), "{rating:?}");
            assert!((NARROWEST..=WIDEST).contains(&rating.deviation), "{rating:?}");
            assert!(rating.volatility > 0.0 && rating.volatility <= 0.1, "{rating:?}");
        }
    }
}

/// A great surprise does not spoil a rating: the library's volatility may jump there; deviation and rating must not.
#[test]
fn a_great_surprise_does_not_spoil_a_rating() {
    for gap in [1000.0, 2000.0, 3600.0] {
        for deviation in [NARROWEST, 100.0, WIDEST] {
            let rating = |rating| Rating { rating, deviation, volatility: 0.06, games: 9, at_ms: 0 };
            let (low, high) = (rating(RANGE.0), rating(RANGE.0 + gap));
            let [after, loser] = rate(&low, &high, Score::Win, 0);
            for (before, after) in [(low, after), (high, loser)] {
                let told = format!("{gap} {deviation}: {before:?} {after:?}");
                assert!((after.rating - before.rating).abs() <= 2.0 * deviation + 1.0, "{told}");
                assert!(after.deviation <= deviation + 1.0 && after.volatility <= 0.1, "{told}");
            }
        }
    }
}

#[test]
fn strength_is_found() {
    let mut random = SmallRng::seed_from_u64(7);
    let strengths: Vec<f64> = (0..60).map(|i| 1000.0 + f64::from(i) * 20.0).collect();
    let mut ratings = vec![Rating::first(std::iter::empty(), 0); strengths.len()];
    for game in 0..6000u64 {
        let (one, other) = (random.random_range(0..60), random.random_range(0..60));
        if one == other {
            continue;
        }
        let chance = 1.0 / (1.0 + 10f64.powf((strengths[other] - strengths[one]) / 400.0));
        let score = if random.random_bool(chance) { Score::Win } else { Score::Loss };
        [ratings[one], ratings[other]] = rate(&ratings[one], &ratings[other], score, game * 60_000);
    }
    let shift = ratings.iter().zip(&strengths).map(|(r, s)| r.rating - s).sum::<f64>() / 60.0;
    let mut gaps: Vec<f64> =
        ratings.iter().zip(&strengths).map(|(r, s)| (r.rating - s - shift).abs()).collect();
    gaps.sort_by(f64::total_cmp);
    assert!(gaps[30] < 50.0, "half are within {} of their strength", gaps[30]);
    assert!(ratings.iter().all(|rating| !rating.is_provisional(6000 * 60_000)));
}

#[test]
fn an_absent_players_rating_becomes_provisional_again() {
    let known = Rating { rating: 1800.0, deviation: 60.0, volatility: 0.06, games: 90, at_ms: 0 };
    assert!(!known.is_provisional(0) && !known.is_provisional(200 * DAY_MS));
    assert!(known.is_provisional(2000 * DAY_MS));
    assert!((known.deviation_at(365 * DAY_MS) - 109.6).abs() < 1.0, "{}", known.deviation_at(365 * DAY_MS));
    assert_eq!(known.deviation_at(u64::MAX), WIDEST);
    let before = Rating { at_ms: 1000, ..known };
    assert!((before.deviation_at(0) - 60.0).abs() < 1e-9, "a clock that was set back");
}

#[test]
fn a_first_rating_follows_the_best_related_one() {
    let rating = |rating, deviation| Rating { rating, deviation, volatility: 0.06, games: 9, at_ms: 0 };
    for (what, related, wanted) in [
        ("nothing", vec![], START),
        ("one", vec![rating(1900.0, 60.0)], 1800.0),
        ("the best of two", vec![rating(1700.0, 50.0), rating(1900.0, 60.0)], 1800.0),
        ("a weak one", vec![rating(1200.0, 60.0)], 1100.0),
        ("a provisional one", vec![rating(2400.0, PROVISIONAL + 1.0)], START),
        ("a provisional one that is better", vec![rating(2400.0, 200.0), rating(1700.0, 50.0)], 1600.0),
        ("the lowest there is", vec![rating(400.0, 60.0)], rating::RANGE.0),
    ] {
        let first = Rating::first(related.iter(), 0);
        assert_eq!((first.rating, first.deviation, first.games), (wanted, WIDEST, 0), "{what}");
    }
}
