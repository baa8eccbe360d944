//! Weights by logistic regression: the sum of weights should tell how likely the side to move wins.
//!
//! Cross entropy against a mixture of the game's result and the search's score (Texel's method, chessprogramming.org),
//! minimised by Adam (Kingma and Ba 2015) over shuffled batches; the step shrinks from epoch to epoch. Inside, weights are
//! in logits; a position worth [`Fit::scale`] hundredths is won with a chance of e : 1.

use std::path::Path;
use std::thread;

use arena::random::Random;
use kernel::Problem;
use serde::{Deserialize, Serialize};

use crate::sample::Samples;

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Fit {
    /// Times that every position is looked at.
    pub epochs: usize,
    /// Positions of a step.
    pub batch: usize,
    /// The first step's size, in logits.
    pub rate: f32,
    /// The share of the game's result in what is learned; the rest is the search's score.
    pub result: f32,
    /// What it costs to leave the start, so that what is seldom seen stays near it.
    pub shrink: f32,
    /// How many hundredths make a logit; 0: what fits the search's scores to the results best.
    pub scale: f32,
    /// Decides the order of positions.
    pub seed: u64,
    /// How many threads.
    pub threads: usize,
}

impl Default for Fit {
    fn default() -> Fit {
        Fit {
            epochs: 30,
            batch: 16_384,
            rate: 0.01,
            result: 0.5,
            shrink: 1e-6,
            scale: 0.0,
            seed: 1,
            threads: 1,
        }
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Fitted {
    /// In hundredths.
    pub weights: Vec<f32>,
    /// How many hundredths make a logit.
    pub scale: f32,
    /// Mean cross entropy of what was learned and of what was kept aside, after each epoch.
    pub losses: Vec<[f64; 2]>,
}

/// What is kept between epochs.
#[derive(Clone, Serialize, Deserialize)]
struct State {
    fit: Fit,
    /// The hash of the games.
    data: String,
    epoch: usize,
    steps: i32,
    scale: f32,
    weights: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    losses: Vec<[f64; 2]>,
}

impl Fit {
    /// Fits, starting at `start` (in hundredths). After each epoch what there is goes to `kept`, from where a run that was
    /// stopped goes on; `watch` hears the epoch and both losses, and ends it by answering `false`.
    ///
    /// # Errors
    /// Why the file of the state cannot be written.
    pub fn run(
        &self,
        start: &[f32],
        learned: &Samples,
        aside: &Samples,
        data: &str,
        kept: Option<&Path>,
        watch: &mut dyn FnMut(usize, [f64; 2]) -> bool,
    ) -> Result<Fitted, Problem> {
        let before = kept.and_then(|path| std::fs::read(path).ok());
        let before = before.and_then(|bytes| postcard::from_bytes::<State>(&bytes).ok());
        let fits = |state: &State| {
            let same = Fit { threads: state.fit.threads, ..*self };
            state.fit == same && state.data == data && state.weights.len() == start.len()
        };
        let mut state = match before.filter(fits) {
            Some(state) => state,
            None => {
                let scale = if self.scale > 0.0 { self.scale } else { scale(learned) };
                State {
                    fit: *self,
                    data: data.to_owned(),
                    epoch: 0,
                    steps: 0,
                    scale,
                    weights: start.iter().map(|w| w / scale).collect(),
                    mean: vec![0.0; start.len()],
                    square: vec![0.0; start.len()],
                    losses: Vec::new(),
                }
            }
        };
        let start: Vec<f32> = start.iter().map(|w| w / state.scale).collect();
        while state.epoch < self.epochs && !learned.is_empty() {
            let loss = self.epoch(&mut state, &start, learned);
            let losses = [loss, self.loss(&state, aside)];
            state.losses.push(losses);
            state.epoch += 1;
            if let Some(path) = kept {
                keep(path, &state)?;
            }
            if !watch(state.epoch, losses) {
                break;
            }
        }
        let weights = state.weights.iter().map(|w| w * state.scale).collect();
        Ok(Fitted { weights, scale: state.scale, losses: state.losses })
    }

    /// Once through all positions; the mean loss on the way.
    fn epoch(&self, state: &mut State, start: &[f32], learned: &Samples) -> f64 {
        let mut order: Vec<u32> = (0..learned.len() as u32).collect();
        let mut random =
            Random::seeded(self.seed ^ (state.epoch as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        // From the first step's size to a hundredth of it.
        let rate = self.rate * 0.01_f32.powf(state.epoch as f32 / self.epochs.max(2) as f32);
        let threads = self.threads.max(1);
        let mut slopes = vec![vec![0.0_f32; start.len()]; threads];
        let mut loss = 0.0;
        for batch in order.chunks(self.batch.max(1)) {
            let share = batch.len().div_ceil(threads);
            let weights = &state.weights;
            let scale = state.scale;
            loss += thread::scope(|scope| {
                let parts = batch.chunks(share).zip(&mut slopes);
                let work = |part, slope: &mut Vec<f32>| self.slope(learned, part, weights, scale, slope);
                let hands: Vec<_> =
                    parts.map(|(part, slope)| scope.spawn(move || work(part, slope))).collect();
                hands.into_iter().map(|hand| hand.join().expect("sums do not panic")).sum::<f64>()
            });
            self.step(state, start, &mut slopes, rate, batch.len());
        }
        loss / learned.len() as f64
    }

    /// Adds up how the loss changes with each weight over some positions, and the loss.
    fn slope(&self, samples: &Samples, part: &[u32], weights: &[f32], scale: f32, slope: &mut [f32]) -> f64 {
        let mut loss = 0.0;
        for &i in part {
            let i = i as usize;
            let row = samples.row(i);
            let said = logistic(sum(row, weights));
            let target = self.target(samples, i, scale);
            loss += entropy(said, target);
            for &(at, count) in row {
                slope[at as usize] += (said - target) * count;
            }
        }
        loss
    }

    /// One step of Adam; clears the slopes.
    fn step(&self, state: &mut State, start: &[f32], slopes: &mut [Vec<f32>], rate: f32, batch: usize) {
        const KEEPS: [f32; 2] = [0.9, 0.999];
        state.steps = state.steps.saturating_add(1);
        let [mean_left, square_left] = KEEPS.map(|keeps| 1.0 - keeps.powi(state.steps));
        for at in 0..start.len() {
            let mut slope = 0.0;
            for part in &mut *slopes {
                slope += std::mem::take(&mut part[at]);
            }
            let slope = slope / batch as f32 + self.shrink * (state.weights[at] - start[at]);
            let mean = KEEPS[0] * state.mean[at] + (1.0 - KEEPS[0]) * slope;
            let square = KEEPS[1] * state.square[at] + (1.0 - KEEPS[1]) * slope * slope;
            (state.mean[at], state.square[at]) = (mean, square);
            state.weights[at] -= rate * (mean / mean_left) / ((square / square_left).sqrt() + 1e-8);
        }
    }

    fn target(&self, samples: &Samples, i: usize, scale: f32) -> f32 {
        self.result * samples.result(i) + (1.0 - self.result) * logistic(samples.worth(i) / scale)
    }

    /// The mean loss.
    fn loss(&self, state: &State, samples: &Samples) -> f64 {
        let of =
            |i| entropy(logistic(sum(samples.row(i), &state.weights)), self.target(samples, i, state.scale));
        (0..samples.len()).map(of).sum::<f64>() / samples.len().max(1) as f64
    }
}

fn sum(row: &[(u32, f32)], weights: &[f32]) -> f32 {
    row.iter().map(|&(at, count)| weights[at as usize] * count).sum()
}

pub(crate) fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

pub(crate) fn entropy(said: f32, target: f32) -> f64 {
    let said = f64::from(said.clamp(1e-6, 1.0 - 1e-6));
    let target = f64::from(target);
    -(target * said.ln() + (1.0 - target) * (1.0 - said).ln())
}

/// How many hundredths of the search's score make a logit of the results: the scale with the least cross entropy, found
/// by thirds.
pub(crate) fn scale(samples: &Samples) -> f32 {
    let loss = |scale: f32| -> f64 {
        let every = samples.len().div_ceil(200_000).max(1);
        let of = |i| entropy(logistic(samples.worth(i) / scale), samples.result(i));
        (0..samples.len()).step_by(every).map(of).sum()
    };
    // In logarithms, from 20 to 2000 hundredths.
    let (mut low, mut high) = (20.0_f32.ln(), 2000.0_f32.ln());
    for _ in 0..30 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if loss(a.exp()) < loss(b.exp()) {
            high = b;
        } else {
            low = a;
        }
    }
    f32::midpoint(low, high).exp()
}

/// Writes the state whole or not at all.
pub(crate) fn keep(path: &Path, state: &impl Serialize) -> Result<(), Problem> {
    let wrong = |why: String| Problem::new("learn-file").with("file", path.display()).with("text", why);
    let bytes = postcard::to_stdvec(state).map_err(|why| wrong(why.to_string()))?;
    let draft = path.with_extension("draft");
    std::fs::write(&draft, bytes)
        .and_then(|()| std::fs::rename(&draft, path))
        .map_err(|why| wrong(why.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions of a game whose truth is known: three weights of 50, −100 and 200 hundredths, 100 to a logit.
    fn known(count: usize, seed: u64) -> Samples {
        let truth = [0.5, -1.0, 2.0];
        let mut random = Random::seeded(seed);
        let mut samples = Samples::default();
        for _ in 0..count {
            let row: Vec<(u32, f32)> = (0..3).map(|at| (at, (random.below(5) as f32) - 2.0)).collect();
            let worth = sum(&row, &truth);
            let won = random.fraction() < f64::from(logistic(worth));
            samples.push(&row, worth * 100.0, f32::from(u8::from(won)));
        }
        samples
    }

    #[test]
    fn what_is_known_is_found_again() {
        let (learned, aside) = (known(20_000, 1), known(1_000, 2));
        let fit = Fit { rate: 0.05, batch: 500, result: 1.0, ..Fit::default() };
        let fitted = fit.run(&[0.0; 3], &learned, &aside, "", None, &mut |_, _| true).unwrap();
        assert!((fitted.scale - 100.0).abs() < 10.0, "{}", fitted.scale);
        for (found, truth) in fitted.weights.iter().zip([50.0, -100.0, 200.0]) {
            assert!((found - truth).abs() < 0.1 * f32::abs(truth), "{:?}", fitted.weights);
        }
        assert!(fitted.losses[29][1] < fitted.losses[0][1]);
    }

    #[test]
    fn a_run_that_was_stopped_goes_on_to_the_same_end() {
        let (learned, aside) = (known(2_000, 1), known(100, 2));
        let fit = Fit { epochs: 6, batch: 100, ..Fit::default() };
        let whole = fit.run(&[0.0; 3], &learned, &aside, "x", None, &mut |_, _| true).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("kept");
        let stopped =
            fit.run(&[0.0; 3], &learned, &aside, "x", Some(&kept), &mut |epoch, _| epoch < 2).unwrap();
        assert_eq!(stopped.losses.len(), 2);
        let mut epochs = Vec::new();
        let again = fit
            .run(&[0.0; 3], &learned, &aside, "x", Some(&kept), &mut |epoch, _| {
                epochs.push(epoch);
                true
            })
            .unwrap();
        assert_eq!(epochs, [3, 4, 5, 6]);
        assert_eq!(again, whole);
        // Other games begin anew.
        let other = fit.run(&[0.0; 3], &aside, &learned, "y", Some(&kept), &mut |_, _| true).unwrap();
        assert_ne!(other.weights, whole.weights);
    }

    /// What no position touches stays where it was, and threads change sums by rounding only.
    #[test]
    fn untouched_weights_stay() {
        let (learned, aside) = (known(2_000, 1), known(100, 2));
        let fit = Fit { epochs: 4, batch: 100, ..Fit::default() };
        let one = fit.run(&[0.0, 0.0, 0.0, 77.0], &learned, &aside, "", None, &mut |_, _| true).unwrap();
        assert!((one.weights[3] - 77.0).abs() < 1e-3, "{:?}", one.weights);
        let two = Fit { threads: 2, ..fit };
        let two = two.run(&[0.0, 0.0, 0.0, 77.0], &learned, &aside, "", None, &mut |_, _| true).unwrap();
        for (a, b) in one.weights.iter().zip(&two.weights) {
            assert!((a - b).abs() < 0.5, "{a} {b}");
        }
    }
}
