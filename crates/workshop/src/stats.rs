//! Numbers with the intervals that hold the truth 95 times out of 100.

use wire::Estimate;

/// The number of standard deviations in a two-sided interval of 95 in 100.
pub const TWO_SIDED: f64 = 1.96;

/// The share of points of games won, drawn and lost, with the interval of Wilson (Journal of the American Statistical
/// Association 22, 1927) for that many games: wider than needed where games are drawn, never narrower.
#[must_use]
pub fn share(won: u32, half: u32, lost: u32) -> Estimate {
    let games = f64::from(won + half + lost);
    if games == 0.0 {
        return Estimate { value: 0.5, low: 0.0, high: 1.0 };
    }
    let value = (f64::from(won) + f64::from(half) / 2.0) / games;
    let z2 = TWO_SIDED * TWO_SIDED;
    let middle = (value + z2 / (2.0 * games)) / (1.0 + z2 / games);
    let spread = TWO_SIDED * (value * (1.0 - value) / games + z2 / (4.0 * games * games)).sqrt();
    let half_width = spread / (1.0 + z2 / games);
    Estimate { value, low: (middle - half_width).max(0.0), high: (middle + half_width).min(1.0) }
}

/// Returns the probability that two shares of points differ by this much or more if the true shares were equal: the
/// two-sided test of two proportions with a pooled variance. Each argument is a share and its number of games.
#[must_use]
pub fn same_share(first: (f64, u32), second: (f64, u32)) -> f64 {
    let (n, m) = (f64::from(first.1), f64::from(second.1));
    if n == 0.0 || m == 0.0 {
        return 1.0;
    }
    let pooled = (first.0 * n + second.0 * m) / (n + m);
    let error = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt();
    if error == 0.0 { 1.0 } else { 2.0 * tail(((first.0 - second.0) / error).abs()) }
}

/// The share of a normal distribution beyond `x` standard deviations, `x` not negative, by Abramowitz and Stegun 26.2.17;
/// off by less than 1e-7.
fn tail(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x);
    let density = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let series = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    density * series.iter().rev().fold(0.0, |sum, a| (sum + a) * t)
}

/// The mean; 0 of nothing.
#[must_use]
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// The standard deviation of a sample; 0 of fewer than two.
#[must_use]
pub fn deviation(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let middle = mean(values);
    let squares: f64 = values.iter().map(|v| (v - middle).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

/// The value that half of them do not exceed; 0 of nothing.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    #[test]
    fn shares_have_the_published_intervals() {
        for (won, of, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let found = share(won, 0, of - won);
            assert!(
                (found.low - low).abs() < 1e-4 && (found.high - high).abs() < 1e-4,
                "{won} of {of}: {found:?}"
            );
        }
    }

    #[test]
    fn equal_shares_are_the_same_and_far_ones_are_not() {
        assert!((same_share((0.5, 100), (0.5, 200)) - 1.0).abs() < 1e-6);
        // 60 of 100 against 40 of 100: z is 2.828, so 0.00468.
        assert!((same_share((0.6, 100), (0.4, 100)) - 0.00468).abs() < 1e-4);
        assert!((same_share((0.9, 0), (0.1, 5)) - 1.0).abs() < 1e-6);
    }
}
