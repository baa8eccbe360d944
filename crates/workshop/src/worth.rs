//! Values of pieces learned from games: a logistic regression of the points on the difference of pieces.
//!
//! The value of a piece starts from its reach, as the engine sees it before anybody has played, and the games move it: a
//! normal prior. Positions of one game hang together, so the errors are those of games and not of positions (the sandwich
//! estimate of Liang and Zeger, Biometrika 73, 1986).

use std::collections::HashMap;

use kernel::Side;
use wire::Estimate;

use crate::selfplay::Played;
use crate::stats::TWO_SIDED;
use crate::trace::{Row, Trace};

/// The most kinds of pieces that are learned together; the rarest are left out.
const MOST: usize = 40;
/// The number of positions of a game that count as independent.
const INDEPENDENT: f64 = 6.0;
/// The standard deviation of the prior of a value around its reach, in units of the logistic curve.
const PRIOR: f64 = 1.0;
/// Steps of Newton's method; it converges in five or six.
const STEPS: usize = 12;

/// The values learned.
#[derive(Debug, Default)]
pub(crate) struct Learned {
    /// The value of each slot, in hundredths. A group has slot `2 * group`, and one more where it has promoted.
    pub values: HashMap<usize, Estimate>,
    /// The value of the right to move, in hundredths.
    pub tempo: Option<Estimate>,
}

/// Learns the values of pieces. `reach`: the value of each slot by its reach, in hundredths.
pub(crate) fn learn(trace: &Trace, games: &[Played], reach: &[i32], scale: f64) -> Learned {
    let varies = |slot: &usize| {
        let first = trace.rows.first().map(|row| row.ahead[*slot]);
        trace.rows.iter().any(|row| Some(row.ahead[*slot]) != first)
    };
    let mut slots: Vec<usize> = (0..trace.groups.len() * 2).filter(varies).collect();
    let often = |slot: &usize| trace.rows.iter().filter(|row| row.ahead[*slot] != 0).count();
    slots.sort_by_key(|slot| std::cmp::Reverse(often(slot)));
    slots.truncate(MOST);
    if trace.rows.is_empty() {
        return Learned::default();
    }
    // The last two: the move, and what the map gives red beyond it.
    let size = slots.len() + 2;
    let mut prior: Vec<f64> = slots.iter().map(|&slot| f64::from(reach[slot]) / scale).collect();
    prior.extend([0.0, 0.0]);
    let mut rows_of = HashMap::new();
    trace.rows.iter().for_each(|row| *rows_of.entry(row.game).or_insert(0u32) += 1);
    let features = |row: &Row| {
        let mut x: Vec<f64> = slots.iter().map(|&slot| f64::from(row.ahead[slot])).collect();
        x.push(if row.turn == Side::First { 1.0 } else { -1.0 });
        x.push(1.0);
        x
    };
    let data: Vec<(Vec<f64>, f64, f64, usize)> = trace
        .rows
        .iter()
        .map(|row| {
            let points = games[row.game].end.points().unwrap_or(0.5);
            let count = f64::from(rows_of[&row.game]);
            (features(row), points, INDEPENDENT.min(count) / count, row.game)
        })
        .collect();
    let mut w = prior.clone();
    let mut curvature = vec![vec![0.0; size]; size];
    for _ in 0..STEPS {
        let mut slope: Vec<f64> = (0..size).map(|i| (w[i] - prior[i]) / (PRIOR * PRIOR)).collect();
        curvature = vec![vec![0.0; size]; size];
        (0..size).for_each(|i| curvature[i][i] = 1.0 / (PRIOR * PRIOR));
        for (x, points, weight, _) in &data {
            let p = logistic(x, &w);
            for i in 0..size {
                if x[i] == 0.0 {
                    continue;
                }
                slope[i] += weight * (p - points) * x[i];
                for j in 0..=i {
                    curvature[i][j] += weight * p * (1.0 - p) * x[i] * x[j];
                }
            }
        }
        (0..size).for_each(|i| (0..i).for_each(|j| curvature[j][i] = curvature[i][j]));
        let Some(step) = solve(&curvature, &slope) else { return Learned::default() };
        let largest = step.iter().fold(0.0f64, |most, s| most.max(s.abs()));
        // A step beyond all measure would be the end of a curve that is nearly flat.
        let brake = if largest > 2.0 { 2.0 / largest } else { 1.0 };
        (0..size).for_each(|i| w[i] -= brake * step[i]);
        if largest < 1e-6 {
            break;
        }
    }
    let mut by_game: HashMap<usize, Vec<f64>> = HashMap::new();
    for (x, points, weight, game) in &data {
        let off = weight * (logistic(x, &w) - points);
        let sum = by_game.entry(*game).or_insert_with(|| vec![0.0; size]);
        (0..size).for_each(|i| sum[i] += off * x[i]);
    }
    let estimate = |at: usize| {
        let mut unit = vec![0.0; size];
        unit[at] = 1.0;
        let row = solve(&curvature, &unit)?;
        let along = |sum: &Vec<f64>| sum.iter().zip(&row).map(|(a, b)| a * b).sum::<f64>().powi(2);
        // The prior's own share of the doubt is in the diagonal; games in which nothing varied add none.
        let prior = row.iter().map(|r| r * r).sum::<f64>() / (PRIOR * PRIOR);
        let error = TWO_SIDED * (by_game.values().map(along).sum::<f64>() + prior).sqrt() * scale;
        let value = w[at] * scale;
        Some(Estimate { value, low: value - error, high: value + error })
    };
    Learned {
        values: slots.iter().enumerate().filter_map(|(at, &slot)| Some((slot, estimate(at)?))).collect(),
        tempo: estimate(slots.len()),
    }
}

fn logistic(x: &[f64], w: &[f64]) -> f64 {
    1.0 / (1.0 + (-x.iter().zip(w).map(|(a, b)| a * b).sum::<f64>()).exp())
}

/// The solution of a system with a symmetric positive matrix, by Cholesky; `None` when it is none.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let size = right.len();
    let mut lower = vec![vec![0.0; size]; size];
    for i in 0..size {
        for j in 0..=i {
            let sum = matrix[i][j] - (0..j).map(|k| lower[i][k] * lower[j][k]).sum::<f64>();
            lower[i][j] = if i != j {
                sum / lower[j][j]
            } else if sum > 0.0 {
                sum.sqrt()
            } else {
                return None;
            };
        }
    }
    let mut solution = right.to_vec();
    for i in 0..size {
        let sum: f64 = (0..i).map(|k| lower[i][k] * solution[k]).sum();
        solution[i] = (solution[i] - sum) / lower[i][i];
    }
    for i in (0..size).rev() {
        let sum: f64 = (i + 1..size).map(|k| lower[k][i] * solution[k]).sum();
        solution[i] = (solution[i] - sum) / lower[i][i];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_solved() {
        let matrix = vec![vec![4.0, 2.0, 0.0], vec![2.0, 5.0, 1.0], vec![0.0, 1.0, 3.0]];
        let found = solve(&matrix, &[2.0, -7.0, 8.0]).expect("positive");
        for (row, right) in matrix.iter().zip([2.0, -7.0, 8.0]) {
            let sum: f64 = row.iter().zip(&found).map(|(a, b)| a * b).sum();
            assert!((sum - right).abs() < 1e-9, "{found:?}");
        }
        assert_eq!(solve(&[vec![1.0, 2.0], vec![2.0, 1.0]], &[0.0, 0.0]), None, "not positive");
    }
}
