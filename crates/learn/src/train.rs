//! Networks: the weights of an evaluation of two views (see [`engine::learned::Network`]), from files of positions.
//!
//! Cross entropy against a mixture of the game's result and the search's score, minimised by Adam (Kingma and Ba 2015) over
//! shuffled batches. Positions stream from disk: blocks of the files in random order, so many of them shuffled at once, so
//! memory does not grow with the data. The plan and the data alone decide the weights: each batch is added up in a fixed
//! number of parts, however many threads share them.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread;

use arena::random::Random;
use engine::learned::{Layout, Network, Weights};
use kernel::Problem;
use serde::{Deserialize, Serialize};

use crate::fit::{entropy, keep, logistic, scale};
use crate::positions::{Positions, Record, TAIL, digest};
use crate::sample::Samples;

/// Sums of a view: the loops over them are of fixed length, for vector instructions.
const HIDDEN: usize = 128;
/// Parts of a batch that are added up on their own.
const PARTS: usize = 8;
/// Records of a block that is read at once, and blocks that are shuffled together.
const BLOCK: u64 = 8192;
const POOL: usize = 96;
/// The first weights of inputs, in both directions.
const FIRST_INPUT: f32 = 0.1;
/// The first weights of outputs, in both directions.
const FIRST_OUTPUT: f32 = 0.1;
/// What Adam keeps of its means from step to step.
const KEEPS: [f32; 2] = [0.9, 0.999];

/// How to train.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Training {
    /// Times that every position is looked at.
    pub epochs: usize,
    /// Positions of a step.
    pub batch: usize,
    /// The first step's size; it shrinks to a hundredth of that.
    pub rate: f32,
    /// The share of the game's result in what is learned; the rest is the search's score.
    pub result: f32,
    /// How many hundredths make a logit; 0: what fits the search's scores to the results best.
    pub scale: f32,
    /// Decides the first weights and the order of positions.
    pub seed: u64,
    /// How many threads; it changes nothing but the time.
    pub threads: usize,
}

impl Default for Training {
    fn default() -> Training {
        Training { epochs: 20, batch: 4096, rate: 0.002, result: 0.25, scale: 0.0, seed: 1, threads: 1 }
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Trained {
    /// In the order of the file, as numbers.
    pub weights: Vec<f32>,
    /// How many hundredths make a logit.
    pub scale: u32,
    /// Mean cross entropy of what was learned and of what was kept aside, after each epoch.
    pub losses: Vec<[f64; 2]>,
    /// Positions learned from, and kept aside.
    pub counts: [u64; 2],
}

impl Trained {
    /// The file of weights, with what made them: the command, the commit that the games were played with, the hash of each
    /// file of positions and the commands that played its games, and the hash of the weights.
    ///
    /// # Errors
    /// What is wrong with a file of positions.
    pub fn weights(
        &self,
        layout: &Layout,
        command: String,
        commit: &str,
        files: &mut [Positions],
    ) -> Result<Weights, Problem> {
        let steps = self.steps(layout);
        let bytes: Vec<u8> = steps.iter().flat_map(|step| step.to_le_bytes()).collect();
        let mut origin = BTreeMap::from([
            ("command".to_owned(), command),
            ("commit".to_owned(), commit.to_owned()),
            ("hash".to_owned(), digest(&bytes)),
            ("positions".to_owned(), self.counts[0].to_string()),
            ("scale".to_owned(), self.scale.to_string()),
            ("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ]);
        for (place, file) in (1..).zip(files) {
            origin.insert(format!("data-{place}"), file.hash()?);
            origin.insert(format!("data-{place}-positions"), file.len().to_string());
            for (number, plan) in (1..).zip(file.plans()) {
                origin.insert(format!("data-{place}-games-{number}"), plan.clone());
            }
        }
        Ok(Weights { steps, origin })
    }

    /// In the steps of the file.
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

/// What is kept between epochs.
#[derive(Clone, Serialize, Deserialize)]
struct State {
    training: Training,
    /// The hashes of the files.
    data: Vec<String>,
    epoch: usize,
    steps: i32,
    scale: u32,
    weights: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    losses: Vec<[f64; 2]>,
}

/// Where weights of each sort begin; those of inputs at 0.
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

impl Training {
    /// The command that makes the same network of the same positions; where they lie and how many threads decide nothing.
    #[must_use]
    pub fn told(&self, game: &str, most: i32) -> String {
        format!(
            "qiguan learn train --game {game} --epochs {} --batch {} --rate {} --result {} --scale {} --most {most} --seed {}",
            self.epochs, self.batch, self.rate, self.result, self.scale, self.seed,
        )
    }

    /// Trains on those files. After each epoch what there is goes to `kept`, from where a run that was stopped goes on; `watch`
    /// hears the epoch and both losses, and ends it by answering `false`.
    ///
    /// # Errors
    /// What is wrong with a file.
    ///
    /// # Panics
    /// When the network is not one of 128 sums.
    pub fn run(
        &self,
        network: &dyn Network,
        files: &mut [Positions],
        most: i32,
        kept: Option<&Path>,
        watch: &mut dyn FnMut(usize, [f64; 2]) -> bool,
    ) -> Result<Trained, Problem> {
        let layout = network.layout();
        assert_eq!(layout.hidden, HIDDEN, "a network of as many sums as the loops are made for");
        let data = files.iter_mut().map(Positions::hash).collect::<Result<Vec<_>, _>>()?;
        let mut school = School { training: *self, network, layout, places: Places::of(&layout), most };
        let (aside, learned) = school.aside(files)?;
        if learned == 0 {
            return Err(Problem::new("learn-no-positions"));
        }
        let before = kept.and_then(|path| std::fs::read(path).ok());
        let before = before.and_then(|bytes| postcard::from_bytes::<State>(&bytes).ok());
        let fits = |state: &State| {
            let same = Training { threads: state.training.threads, ..*self };
            state.training == same && state.data == data && state.weights.len() == school.places.all
        };
        let mut state = match before.filter(fits) {
            Some(state) => state,
            None => school.begin(data, files)?,
        };
        school.training.scale = state.scale as f32;
        while state.epoch < self.epochs {
            let loss = school.epoch(&mut state, files)? / learned as f64;
            let losses = [loss, school.loss(&state.weights, &aside)];
            state.losses.push(losses);
            state.epoch += 1;
            if let Some(path) = kept {
                keep(path, &state)?;
            }
            if !watch(state.epoch, losses) {
                break;
            }
        }
        let record = files.first().map_or(1, Positions::record);
        let counts = [learned, (aside.len() / record) as u64];
        Ok(Trained { weights: state.weights, scale: state.scale, losses: state.losses, counts })
    }
}

/// Everything that does not change while it learns.
struct School<'a> {
    training: Training,
    network: &'a dyn Network,
    layout: Layout,
    places: Places,
    most: i32,
}

/// What the sums of a view come to.
type Sums = [f32; HIDDEN];

impl School<'_> {
    /// The records that are kept aside, and how many are left to learn from.
    fn aside(&self, files: &mut [Positions]) -> Result<(Vec<u8>, u64), Problem> {
        let (mut aside, mut learned, mut block) = (Vec::new(), 0, Vec::new());
        for file in files {
            for from in (0..file.len()).step_by(BLOCK as usize) {
                block.clear();
                file.read(from, BLOCK, &mut block)?;
                for bytes in block.chunks_exact(file.record()) {
                    let record = Record::read(bytes);
                    if i32::from(record.worth).abs() >= self.most {
                        continue;
                    }
                    if record.aside {
                        aside.extend_from_slice(bytes);
                    } else {
                        learned += 1;
                    }
                }
            }
        }
        Ok((aside, learned))
    }

    /// The first weights: drawn by chance, small.
    fn begin(&self, data: Vec<String>, files: &mut [Positions]) -> Result<State, Problem> {
        let scale = if self.training.scale > 0.0 {
            self.training.scale
        } else {
            let mut samples = Samples::default();
            let mut block = Vec::new();
            for file in files {
                let every = (file.len() / (64 * BLOCK)).max(1) * BLOCK;
                for from in (0..file.len()).step_by(every as usize) {
                    block.clear();
                    file.read(from, BLOCK, &mut block)?;
                    for bytes in block.chunks_exact(file.record()) {
                        let record = Record::read(bytes);
                        samples.push(&[], f32::from(record.worth), f32::from(record.halves) / 2.0);
                    }
                }
            }
            scale(&samples)
        };
        let mut random = Random::seeded(self.training.seed);
        let mut draw = |most: f32| (random.fraction() as f32 * 2.0 - 1.0) * most;
        let mut weights = vec![0.0; self.places.all];
        weights[..self.places.bias].fill_with(|| draw(FIRST_INPUT));
        weights[self.places.outputs..self.places.rows].fill_with(|| draw(FIRST_OUTPUT));
        Ok(State {
            training: self.training,
            data,
            epoch: 0,
            steps: 0,
            scale: (scale.round() as u32).max(1),
            mean: vec![0.0; weights.len()],
            square: vec![0.0; weights.len()],
            weights,
            losses: Vec::new(),
        })
    }

    /// Once through all positions; the sum of losses on the way.
    fn epoch(&self, state: &mut State, files: &mut [Positions]) -> Result<f64, Problem> {
        let mut random =
            Random::seeded(self.training.seed ^ (state.epoch as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut blocks: Vec<(usize, u64)> = Vec::new();
        for (place, file) in files.iter().enumerate() {
            blocks.extend((0..file.len()).step_by(BLOCK as usize).map(|from| (place, from)));
        }
        shuffle(&mut blocks, &mut random);
        let mut slopes = vec![vec![0.0_f32; self.places.all]; PARTS];
        let (mut pool, mut order): (Vec<u8>, Vec<u32>) = (Vec::new(), Vec::new());
        let (mut loss, pools) = (0.0, blocks.len().div_ceil(POOL));
        for (turn, chunk) in blocks.chunks(POOL).enumerate() {
            pool.clear();
            for &(place, from) in chunk {
                files[place].read(from, BLOCK, &mut pool)?;
            }
            let record = files[0].record();
            let counts = |bytes: &[u8]| {
                let record = Record::read(bytes);
                !record.aside && i32::from(record.worth).abs() < self.most
            };
            order.clear();
            order.extend(
                pool.chunks_exact(record)
                    .enumerate()
                    .filter(|(_, bytes)| counts(bytes))
                    .map(|(i, _)| i as u32),
            );
            shuffle(&mut order, &mut random);
            let salt = random.bits();
            let batches = order.len().div_ceil(self.training.batch.max(1)).max(1);
            for (place, batch) in order.chunks(self.training.batch.max(1)).enumerate() {
                // From the first step's size to a hundredth of it.
                let within = (turn as f32 + place as f32 / batches as f32) / pools as f32;
                let passed = (state.epoch as f32 + within) / self.training.epochs.max(1) as f32;
                let rate = self.training.rate * 0.01_f32.powf(passed);
                loss += self.slopes(&state.weights, &pool, record, batch, salt, &mut slopes);
                self.step(state, &mut slopes, rate, batch.len());
            }
        }
        Ok(loss)
    }

    /// Adds up how the loss changes with each weight over a batch, in parts; answers the loss.
    fn slopes(
        &self,
        weights: &[f32],
        pool: &[u8],
        record: usize,
        batch: &[u32],
        salt: u64,
        slopes: &mut [Vec<f32>],
    ) -> f64 {
        let share = batch.len().div_ceil(PARTS).max(1);
        let mut work: Vec<(&[u32], &mut Vec<f32>, f64)> =
            batch.chunks(share).zip(slopes).map(|(part, slope)| (part, slope, 0.0)).collect();
        let each = work.len().div_ceil(self.training.threads.max(1)).max(1);
        thread::scope(|scope| {
            for hand in work.chunks_mut(each) {
                scope.spawn(move || {
                    let mut inputs = [Vec::new(), Vec::new()];
                    for (part, slope, loss) in hand {
                        for &i in *part {
                            let bytes = &pool[i as usize * record..(i as usize + 1) * record];
                            // Half of all positions are looked at with left and right exchanged.
                            let exchanged = Random::seeded(salt ^ u64::from(i)).bits() & 1 == 1;
                            let Some((row, target)) = self.example(bytes, exchanged, &mut inputs) else {
                                continue;
                            };
                            *loss += self.learn(weights, &inputs, row, target, slope);
                        }
                    }
                });
            }
        });
        work.iter().map(|(_, _, loss)| loss).sum()
    }

    /// A record's inputs, row and target; `None` for a damaged one.
    fn example(&self, bytes: &[u8], exchanged: bool, inputs: &mut [Vec<u16>; 2]) -> Option<(usize, f32)> {
        let record = Record::read(bytes);
        let row = self.network.features(record.board, record.turn, exchanged, inputs)?;
        let share = self.training.result;
        let said = logistic(f32::from(record.worth) / self.training.scale);
        Some((row, share * f32::from(record.halves) / 2.0 + (1.0 - share) * said))
    }

    /// One step of Adam; clears the slopes, and keeps weights within what the file can hold.
    fn step(&self, state: &mut State, slopes: &mut [Vec<f32>], rate: f32, batch: usize) {
        state.steps = state.steps.saturating_add(1);
        let [mean_left, square_left] = KEEPS.map(|keeps| 1.0 - keeps.powi(state.steps));
        let (first, rest) = slopes.split_at_mut(1);
        for part in rest {
            for (sum, slope) in first[0].iter_mut().zip(part) {
                *sum += std::mem::take(slope);
            }
        }
        let per = 1.0 / batch as f32;
        let most = |steps: i32, most: i16| f32::from(most) / steps as f32;
        let [inputs, outputs, _] = self.layout.steps;
        let ranges = [
            (0..self.places.outputs, most(inputs, self.layout.most[0])),
            (self.places.outputs..self.places.rows, most(outputs, self.layout.most[1])),
            (self.places.rows..self.places.all, f32::INFINITY),
        ];
        for (range, most) in ranges {
            let slopes = &mut first[0][range.clone()];
            let means = &mut state.mean[range.clone()];
            let squares = &mut state.square[range.clone()];
            let weights = &mut state.weights[range];
            for (((slope, mean), square), weight) in slopes.iter_mut().zip(means).zip(squares).zip(weights) {
                let s = std::mem::take(slope) * per;
                *mean = KEEPS[0] * *mean + (1.0 - KEEPS[0]) * s;
                *square = KEEPS[1] * *square + (1.0 - KEEPS[1]) * s * s;
                let change = rate * (*mean / mean_left) / ((*square / square_left).sqrt() + 1e-8);
                *weight = (*weight - change).clamp(-most, most);
            }
        }
    }

    /// The sums of both views, and the logit.
    fn look(&self, weights: &[f32], inputs: &[Vec<u16>; 2], row: usize) -> ([Sums; 2], f32) {
        let (table, _) = weights.as_chunks::<HIDDEN>();
        let bias = self.places.bias / HIDDEN;
        let outputs = self.places.outputs / HIDDEN + 2 * row;
        let mut logit = weights[self.places.rows + row];
        let mut both = [table[bias]; 2];
        for (view, (sums, inputs)) in both.iter_mut().zip(inputs).enumerate() {
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
        (both, logit)
    }

    /// Adds to the slopes what one position says, and answers its loss.
    fn learn(
        &self,
        weights: &[f32],
        inputs: &[Vec<u16>; 2],
        row: usize,
        target: f32,
        slope: &mut [f32],
    ) -> f64 {
        let (sums, logit) = self.look(weights, inputs, row);
        let said = logistic(logit);
        let error = said - target;
        let (table, _) = weights.as_chunks::<HIDDEN>();
        slope[self.places.rows + row] += error;
        let (slopes, _) = slope.as_chunks_mut::<HIDDEN>();
        let bias = self.places.bias / HIDDEN;
        let outputs = self.places.outputs / HIDDEN + 2 * row;
        for (view, (sums, inputs)) in sums.iter().zip(inputs).enumerate() {
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
        entropy(said, target)
    }

    /// The mean loss over records.
    fn loss(&self, weights: &[f32], records: &[u8]) -> f64 {
        let record = self.layout.board + TAIL;
        let share = (records.len() / record).div_ceil(PARTS).max(1);
        let parts: Vec<(f64, u64)> = thread::scope(|scope| {
            let work = |part: &[u8]| {
                let (mut loss, mut count) = (0.0, 0);
                let mut inputs = [Vec::new(), Vec::new()];
                for bytes in part.chunks_exact(record) {
                    if let Some((row, target)) = self.example(bytes, false, &mut inputs) {
                        loss += entropy(logistic(self.look(weights, &inputs, row).1), target);
                        count += 1;
                    }
                }
                (loss, count)
            };
            let hands: Vec<_> =
                records.chunks(share * record).map(|part| scope.spawn(move || work(part))).collect();
            hands.into_iter().map(|hand| hand.join().expect("sums do not panic")).collect()
        });
        let (loss, count) = parts.iter().fold((0.0, 0), |(a, b), (loss, count)| (a + loss, b + count));
        loss / count.max(1) as f64
    }
}

fn shuffle<T>(list: &mut [T], random: &mut Random) {
    for i in (1..list.len()).rev() {
        list.swap(i, random.below(i + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::learned::network;

    /// A trainer for xiangqi's network, and random weights.
    fn school(network: &dyn Network) -> (School<'_>, Vec<f32>) {
        let layout = network.layout();
        let training = Training { scale: 200.0, ..Training::default() };
        let school = School { training, network, layout, places: Places::of(&layout), most: 1500 };
        let mut random = Random::seeded(5);
        let weights = (0..school.places.all).map(|_| random.fraction() as f32 * 0.4 - 0.18).collect();
        (school, weights)
    }

    /// What the slopes say is how the loss changes when a weight does.
    #[test]
    fn slopes_are_those_of_finite_differences() {
        let network = network("xiangqi").unwrap();
        let (school, mut weights) = school(network.as_ref());
        let inputs = [vec![3, 700, 1259, 41, 90, 1000], vec![5, 40, 900, 77, 90, 1100]];
        let (row, target) = (5, 0.3);
        let mut slopes = vec![0.0; weights.len()];
        school.learn(&weights, &inputs, row, target, &mut slopes);
        let places = school.places;
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
            let logit = school.look(&weights, &inputs, row).1;
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
