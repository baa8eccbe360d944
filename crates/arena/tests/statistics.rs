//! Elo, normalised Elo and the sequential test, against numbers that others published or computed.

use arena::random::Random;
use arena::tally::expected;
use arena::{Decision, Points, Scale, Sprt, Tally};
use catalog::Ruleset;
use kernel::{AnyGame, Side};

fn near(found: f64, wanted: f64, digits: i32) {
    let within = 0.5 * 10_f64.powi(-digits) + 1e-9;
    assert!((found - wanted).abs() <= within, "{found} is not {wanted}");
}

/// Ratios shown by fishtest for tests of Stockfish; Elo and superiority worked out by hand from the formulas.
#[test]
fn ratios_are_those_that_others_get() {
    let test = |low, high, scale| Sprt::new(low, high, scale).unwrap();
    for ([won, lost, drawn], test, wanted) in [
        ([36433, 36027, 68692], test(0.0, 2.0, Scale::Normalised), 0.92),
        ([10871, 10650, 20431], test(-1.75, 0.25, Scale::Normalised), 2.30),
        ([21404, 21184, 40708], test(0.5, 2.5, Scale::Logistic), -1.57),
        ([57433, 57030, 106_593], test(0.0, 2.0, Scale::Logistic), -2.59),
    ] {
        near(test.ratio_of_games([lost, drawn, won]), wanted, 2);
    }
    for (pairs, test, wanted, digits) in [
        ([365, 16618, 36229, 16974, 390], test(0.0, 2.0, Scale::Normalised), 2.25, 2),
        ([127, 4883, 10712, 5150, 104], test(-1.75, 0.25, Scale::Normalised), 3.01, 2),
        ([0, 0, 0, 0, 5550], test(0.0, 5.0, Scale::Normalised), 111.8, 1),
        ([42, 423, 968, 519, 62], test(0.0, 5.0, Scale::Normalised), 2.954, 3),
    ] {
        near(test.ratio(&Tally { pairs, games: [0; 3] }), wanted, digits);
    }
}

#[test]
fn elo_comes_with_its_error() {
    let tally = Tally { pairs: [42, 423, 968, 519, 62], games: [0; 3] };
    near(tally.elo().value, 11.74, 2);
    near(tally.elo().error, 6.23, 2);
    near(tally.superiority(), 0.9999, 4);
    // By the formula: (m - 1/2) / sqrt(2 V) * 800 / ln 10, with two pairs that vary by an eighth beside those played.
    let mean = 4164.0 / (4.0 * 2014.0);
    let variance = (0.25 + 9958.0 / 16.0 - 2014.0 * mean * mean) / 2015.0;
    near(tally.normalised().value, (mean - 0.5) / f64::sqrt(2.0 * variance) * 800.0 / f64::ln(10.0), 6);
    near(arena::tally::elo(expected(150.0)), 150.0, 6);
}

#[test]
fn pairs_are_counted_by_their_sum() {
    let mut tally = Tally::default();
    near(tally.score(), 0.5, 9);
    for pair in [[Points::Win, Points::Loss], [Points::Win, Points::Win], [Points::Draw, Points::Win]] {
        tally.add(pair);
    }
    assert_eq!((tally.pairs, tally.games), ([0, 0, 1, 1, 1], [1, 1, 4]));
    near(tally.score(), 0.75, 9);
    assert_eq!(Points::Win.reversed(), Points::Loss);
    // Who won everything may be stronger by any amount, and is stronger.
    let all = Tally { pairs: [0, 0, 0, 0, 9], games: [0, 0, 18] };
    assert!(all.elo().value.is_finite() && all.elo().high.is_infinite() && all.superiority() > 0.99);
    assert!(all.elo().low > 100.0 && all.elo().is_clear() && all.normalised().is_clear());
}

/// Equal engines: 95 times in 100 nothing is claimed, however few pairs were played; of unequal ones the
/// difference is still seen.
#[test]
fn few_pairs_claim_no_certainty() {
    const MATCHES: usize = 1000;
    let games = |drawn: f64, won: f64, random: &mut Random| {
        let game = |random: &mut Random| match random.fraction() {
            n if n < drawn => Points::Draw,
            n if n < drawn + (1.0 - drawn) * won => Points::Win,
            _ => Points::Loss,
        };
        [game(random), game(random)]
    };
    let claims = |pairs: usize, drawn: f64, won: f64, random: &mut Random| {
        let clear = |random: &mut Random| {
            let mut tally = Tally::default();
            (0..pairs).for_each(|_| tally.add(games(drawn, won, random)));
            let sure = |n: f64| !(0.025..=0.975).contains(&n);
            assert!(tally.elo().is_clear() || !sure(tally.superiority()), "both say the same: {tally:?}");
            tally.elo().is_clear()
        };
        (0..MATCHES).filter(|_| clear(random)).count()
    };
    let mut random = Random::seeded(20_261_129);
    for drawn in [0.0, 0.3, 0.7] {
        for pairs in [1, 2, 5, 20, 100] {
            let claimed = claims(pairs, drawn, 0.5, &mut random);
            assert!(claimed <= MATCHES * 65 / 1000, "{pairs} pairs, {drawn} drawn: {claimed} of {MATCHES}");
        }
    }
    assert!(
        claims(20, 0.0, 0.8, &mut random) > MATCHES * 9 / 10,
        "who wins four of five is told from an equal"
    );
}

/// A pair of games that both sides play by chance, from an opening by chance and with colours reversed.
fn random_pair(rules: &Ruleset, random: &mut Random) -> [Points; 2] {
    const OPENING: usize = 6;
    const MOST: usize = 300;
    let step = |game: &mut Box<dyn AnyGame>, random: &mut Random| {
        let moves = game.moves();
        let text = &moves[random.below(moves.len())];
        game.play(text).expect("is legal");
    };
    let mut start = rules.open(None).expect("the usual start");
    while start.outcome().is_none() && start.plies() < OPENING {
        step(&mut start, random);
    }
    [Side::First, Side::Second].map(|ours| {
        let mut game = start.boxed_clone();
        while game.outcome().is_none() && game.plies() < MOST {
            step(&mut game, random);
        }
        match game.outcome().and_then(|outcome| outcome.winner()) {
            Some(winner) if winner == ours => Points::Win,
            Some(_) => Points::Loss,
            None => Points::Draw,
        }
    })
}

/// Random against random, really played: how often matches of few pairs claim that one is the stronger. With `QIGUAN_DEEP`
/// every pair is played for one match alone; otherwise matches are drawn from two hundred pairs.
#[test]
fn random_against_random_claims_no_certainty() {
    const MATCHES: usize = 1000;
    let deep = std::env::var_os("QIGUAN_DEEP").is_some();
    let mut random = Random::seeded(20_261_130);
    for (key, size) in [("draughts/english", None), ("gomoku/freestyle", Some(7))] {
        let options = size.map(|size| ("size".to_owned(), size)).into_iter().collect();
        let rules = Ruleset::new(key, &options).expect("a game of the catalogue");
        let pool: Vec<[Points; 2]> = match deep {
            true => Vec::new(),
            false => (0..200).map(|_| random_pair(&rules, &mut random)).collect(),
        };
        for pairs in [1, 2, 5, 20] {
            let mut claimed = 0;
            for _ in 0..MATCHES {
                let mut tally = Tally::default();
                for _ in 0..pairs {
                    let pair = match pool.len() {
                        0 => random_pair(&rules, &mut random),
                        count => pool[random.below(count)],
                    };
                    // Who of the two is called the first is chance as well; so a pool has no favourite.
                    let turned = random.below(2) == 0;
                    tally.add(if turned { pair.map(Points::reversed) } else { pair });
                }
                claimed += usize::from(tally.elo().is_clear());
            }
            println!("{key}: {claimed} of {MATCHES} matches of {pairs} pairs");
            assert!(claimed <= MATCHES * 65 / 1000, "{key}, {pairs} pairs: {claimed} of {MATCHES}");
        }
    }
}

#[test]
fn bounds_are_those_of_five_in_a_hundred() {
    let test = Sprt::new(0.0, 5.0, Scale::Logistic).unwrap();
    near(test.bounds().1, 2.944, 3);
    near(test.bounds().0, -2.944, 3);
    assert_eq!(test.decided(&Tally::default()), None);
    assert!(Sprt::new(5.0, 5.0, Scale::Logistic).is_none());
    assert!(Sprt::new(f64::NAN, 5.0, Scale::Logistic).is_none());
}

/// One test from the first pair to its end, with an engine whose pairs fall by `shares`.
fn simulated(test: &Sprt, shares: [f64; 5], random: &mut Random) -> Decision {
    let mut tally = Tally::default();
    loop {
        let mut left = random.fraction();
        let k = (0..4).find(|&k| {
            left -= shares[k];
            left < 0.0
        });
        tally.pairs[k.unwrap_or(4)] += 1;
        if let Some(decision) = test.decided(&tally) {
            return decision;
        }
    }
}

/// Pairs that are spread as in decisive games, with that mean.
fn shares(mean: f64) -> [f64; 5] {
    // A symmetric spread, tilted until its mean fits.
    let base: [f64; 5] = [0.08, 0.17, 0.5, 0.17, 0.08];
    let tilted = |x: f64| {
        let all: Vec<f64> = base.iter().enumerate().map(|(k, p)| p * (x * k as f64).exp()).collect();
        let sum: f64 = all.iter().sum();
        [0, 1, 2, 3, 4].map(|k| all[k] / sum)
    };
    let (mut low, mut high) = (-5.0, 5.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let found: f64 = tilted(middle).iter().enumerate().map(|(k, p)| p * k as f64 / 4.0).sum();
        if found < mean { low = middle } else { high = middle }
    }
    tilted(low)
}

/// An engine that is as strong as a bound is told to be so, 95 times in 100 or more.
#[test]
fn known_strengths_are_recognised() {
    const RUNS: usize = 2000;
    let logistic = Sprt::new(0.0, 80.0, Scale::Logistic).unwrap();
    let normalised = Sprt::new(0.0, 100.0, Scale::Normalised).unwrap();
    // Of normalised Elo the mean depends on the spread, which depends on the mean: approached from the even spread.
    let normalised_mean = (0..50).fold(0.5, |mean, _| {
        let shares = shares(mean);
        let variance: f64 = (0..5).map(|k| shares[k] * (k as f64 / 4.0 - mean).powi(2)).sum();
        0.5 + 100.0 * f64::ln(10.0) / 800.0 * (2.0 * variance).sqrt()
    });
    for (test, mean, wanted) in [
        (logistic, expected(0.0), Decision::Low),
        (logistic, expected(80.0), Decision::High),
        (normalised, 0.5, Decision::Low),
        (normalised, normalised_mean, Decision::High),
    ] {
        let (seed, shares) = (20_261_121, shares(mean));
        let mut random = Random::seeded(seed);
        let right = (0..RUNS).filter(|_| simulated(&test, shares, &mut random) == wanted).count();
        assert!(right * 100 >= RUNS * 95, "{test:?} with {mean}: {right} of {RUNS}, seed {seed}");
    }
}
