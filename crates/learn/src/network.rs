//! Training of networks: the weights of an evaluation of two views (see [`engine::learned::Network`]), from files of
//! positions.

use std::ops::Range;
use std::path::Path;

use arena::random::Random;
use engine::learned::{Layout, Network};
use kernel::Problem;

use crate::positions::{Positions, Record};
use crate::stream::{Pupil, Trained, Training};

/// The bound of the random first weights of inputs, in both directions.
const FIRST_INPUT: f32 = 0.1;
/// The bound of the random first weights of outputs, in both directions.
const FIRST_OUTPUT: f32 = 0.1;

impl Training {
    /// Trains a network on those files; parameters are as for [`sums`](Training::sums).
    ///
    /// # Errors
    /// The fault in a file.
    ///
    /// # Panics
    /// Panics when the network is not one of 16, 32, 64 or 128 sums.
    pub fn network(
        &self,
        network: &dyn Network,
        files: &mut [Positions],
        most: i32,
        kept: Option<&Path>,
        watch: &mut dyn FnMut(usize, [f64; 2]) -> bool,
    ) -> Result<Trained, Problem> {
        // The loops over sums are of fixed length, for vector instructions.
        match network.layout().hidden {
            16 => self.run(&Views::<16>::of(network), files, most, kept, watch),
            32 => self.run(&Views::<32>::of(network), files, most, kept, watch),
            64 => self.run(&Views::<64>::of(network), files, most, kept, watch),
            128 => self.run(&Views::<128>::of(network), files, most, kept, watch),
            other => panic!("a network of {other} sums"),
        }
    }
}

impl Trained {
    /// Returns the weights in the steps of a network's file.
    #[must_use]
    pub fn steps(&self, layout: &Layout) -> Vec<i16> {
        let places = Places::of(layout);
        let step = |(place, weight): (usize, &f32)| {
            let (unit, most) = match place {
                _ if place < places.outputs => (layout.steps[0], layout.most[0]),
                _ if place < places.rows => (layout.steps[1], layout.most[1]),
                _ => (layout.steps[2], i16::MAX),
            };
            (weight * unit as f32).round().clamp(-f32::from(most), f32::from(most)) as i16
        };
        self.weights.iter().enumerate().map(step).collect()
    }
}

/// The offsets of each kind of weight; those of inputs are at 0.
#[derive(Clone, Copy)]
struct Places {
    bias: usize,
    outputs: usize,
    rows: usize,
    all: usize,
}

impl Places {
    fn of(layout: &Layout) -> Places {
        let bias = layout.inputs * layout.hidden;
        let outputs = bias + layout.hidden;
        let rows = outputs + layout.rows * 2 * layout.hidden;
        Places { bias, outputs, rows, all: rows + layout.rows }
    }
}

/// A network in training.
struct Views<'a, const HIDDEN: usize> {
    network: &'a dyn Network,
    layout: Layout,
    places: Places,
}

/// The sums of a view (its hidden layer).
type Sums<const HIDDEN: usize> = [f32; HIDDEN];

/// The activations of a board: the inputs of both views, their sums, and the output row.
struct Desk<const HIDDEN: usize> {
    inputs: [Vec<u16>; 2],
    sums: [Sums<HIDDEN>; 2],
    row: usize,
}

impl<const HIDDEN: usize> Default for Desk<HIDDEN> {
    fn default() -> Self {
        Desk { inputs: [Vec::new(), Vec::new()], sums: [[0.0; HIDDEN]; 2], row: 0 }
    }
}

impl<const HIDDEN: usize> Pupil for Views<'_, HIDDEN> {
    type Desk = Desk<HIDDEN>;

    /// Draws small random weights.
    fn first(&self, seed: u64, _scale: f32) -> Vec<f32> {
        let mut random = Random::seeded(seed);
        let mut draw = |most: f32| (random.fraction() as f32 * 2.0 - 1.0) * most;
        let mut weights = vec![0.0; self.places.all];
        weights[..self.places.bias].fill_with(|| draw(FIRST_INPUT));
        weights[self.places.outputs..self.places.rows].fill_with(|| draw(FIRST_OUTPUT));
        weights
    }

    fn look(
        &self,
        weights: &[f32],
        scale: f32,
        record: &Record<'_>,
        exchanged: bool,
        desk: &mut Desk<HIDDEN>,
    ) -> Option<f32> {
        let looked = self.network.features(record.board, record.turn, exchanged, &mut desk.inputs)?;
        desk.row = looked.row;
        Some(looked.base / scale + self.add_up(weights, desk))
    }

    fn teach(&self, weights: &[f32], error: f32, desk: &mut Desk<HIDDEN>, slopes: &mut [f32]) {
        let (table, _) = weights.as_chunks::<HIDDEN>();
        slopes[self.places.rows + desk.row] += error;
        let (slopes, _) = slopes.as_chunks_mut::<HIDDEN>();
        let bias = self.places.bias / HIDDEN;
        let outputs = self.places.outputs / HIDDEN + 2 * desk.row;
        for (view, (sums, inputs)) in desk.sums.iter().zip(&desk.inputs).enumerate() {
            let out = &table[outputs + view];
            let out_slope = &mut slopes[outputs + view];
            let mut back = [0.0_f32; HIDDEN];
            for i in 0..HIDDEN {
                let clipped = sums[i].clamp(0.0, 1.0);
                out_slope[i] += error * clipped * clipped;
                let within = if sums[i] > 0.0 && sums[i] < 1.0 { 2.0 * clipped } else { 0.0 };
                back[i] = error * out[i] * within;
            }
            for place in inputs.iter().map(|&input| usize::from(input)).chain([bias]) {
                let slope = &mut slopes[place];
                for i in 0..HIDDEN {
                    slope[i] += back[i];
                }
            }
        }
    }

    fn most(&self, _count: usize) -> Vec<(Range<usize>, f32)> {
        let most = |steps: i32, most: i16| f32::from(most) / steps as f32;
        let [inputs, outputs, _] = self.layout.steps;
        vec![
            (0..self.places.outputs, most(inputs, self.layout.most[0])),
            (self.places.outputs..self.places.rows, most(outputs, self.layout.most[1])),
            (self.places.rows..self.places.all, f32::INFINITY),
        ]
    }
}

impl<const HIDDEN: usize> Views<'_, HIDDEN> {
    fn of(network: &dyn Network) -> Views<'_, HIDDEN> {
        let layout = network.layout();
        assert_eq!(layout.hidden, HIDDEN, "a network of as many sums as the loops are made for");
        Views { network, layout, places: Places::of(&layout) }
    }

    /// Computes the sums of both views, and returns the logit.
    fn add_up(&self, weights: &[f32], desk: &mut Desk<HIDDEN>) -> f32 {
        let (table, _) = weights.as_chunks::<HIDDEN>();
        let bias = self.places.bias / HIDDEN;
        let outputs = self.places.outputs / HIDDEN + 2 * desk.row;
        let mut logit = weights[self.places.rows + desk.row];
        desk.sums = [table[bias]; 2];
        for (view, (sums, inputs)) in desk.sums.iter_mut().zip(&desk.inputs).enumerate() {
            for &input in inputs {
                let weights = &table[usize::from(input)];
                for i in 0..HIDDEN {
                    sums[i] += weights[i];
                }
            }
            let out = &table[outputs + view];
            let mut parts = [0.0_f32; 16];
            for i in 0..HIDDEN {
                let clipped = sums[i].clamp(0.0, 1.0);
                parts[i % 16] += clipped * clipped * out[i];
            }
            logit += parts.iter().sum::<f32>();
        }
        logit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{entropy, logistic};
    use engine::learned::network;

    /// The gradients agree with finite differences of the loss.
    #[test]
    fn slopes_are_those_of_finite_differences() {
        let network = network("xiangqi").unwrap();
        const HIDDEN: usize = 128;
        let views = Views::<HIDDEN>::of(network.as_ref());
        let places = views.places;
        let mut random = Random::seeded(5);
        let mut weights: Vec<f32> = (0..places.all).map(|_| random.fraction() as f32 * 0.4 - 0.18).collect();
        let inputs = [vec![3, 700, 1259, 41, 90, 1000], vec![5, 40, 900, 77, 90, 1100]];
        let (row, target) = (5, 0.3);
        let mut desk = Desk { inputs: inputs.clone(), row, ..Desk::default() };
        let mut slopes = vec![0.0; weights.len()];
        let error = logistic(views.add_up(&weights, &mut desk)) - target;
        views.teach(&weights, error, &mut desk, &mut slopes);
        let mut random = Random::seeded(6);
        let mut tried: Vec<usize> = vec![places.rows + row, places.rows + 4];
        for _ in 0..400 {
            let input = usize::from(inputs[random.below(2)][random.below(6)]);
            tried.push(input * HIDDEN + random.below(HIDDEN));
            tried.push(places.bias + random.below(HIDDEN));
            tried.push(places.outputs + 2 * row * HIDDEN + random.below(2 * HIDDEN));
        }
        // An input that does not count, and a row that was not asked.
        tried.extend([7 * HIDDEN + 3, places.outputs + 9]);
        let drawn = weights.clone();
        let mut loss = |at: usize, weight: f32| {
            let kept = std::mem::replace(&mut weights[at], weight);
            let logit = views.add_up(&weights, &mut desk);
            weights[at] = kept;
            entropy(logistic(logit), target)
        };
        let (mut checked, step) = (0, 2e-3);
        for at in tried {
            let weight = drawn[at];
            let found = (loss(at, weight + step) - loss(at, weight - step)) / f64::from(2.0 * step);
            let said = f64::from(slopes[at]);
            assert!((found - said).abs() < 2e-3 + 0.02 * said.abs(), "weight {at}: {said}, found {found}");
            checked += usize::from(said != 0.0);
        }
        assert!(checked > 500, "{checked}");
    }
}
