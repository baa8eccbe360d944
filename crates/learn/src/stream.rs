//! Streaming training: reads files of positions from disk, in random order, batch by batch.
//!
//! Cross entropy against a mixture of the game's result and the search's score (Texel's method,
//! chessprogramming.org), minimised by Adam (Kingma and Ba 2015). Blocks of the files come in random order, and a
//! fixed number of them is shuffled together, so memory does not grow with the data. The plan and the data alone
//! determine the weights: each batch is added up in a fixed number of parts, independent of the number of threads.
//! Inside, weights are in logits; a position worth [`Training::scale`] hundredths is won with a chance of e : 1.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::thread;

use arena::random::Random;
use kernel::Problem;
use serde::{Deserialize, Serialize};

use crate::positions::{Positions, Record, digest};

/// The number of parts of a batch that are added up separately.
const PARTS: usize = 8;
/// The number of records in a block, which is read at once, and of blocks that are shuffled together.
const BLOCK: u64 = 8192;
const POOL: usize = 96;
/// Adam's decay rates of the first and the second moment.
const KEEPS: [f32; 2] = [0.9, 0.999];

/// The hyperparameters of training.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Training {
    /// The number of passes over all positions.
    pub epochs: usize,
    /// The number of positions in a batch.
    pub batch: usize,
    /// The first learning rate, in logits; it falls to a hundredth of that.
    pub rate: f32,
    /// The share of the game's result in the target; the rest is the search's score.
    pub result: f32,
    /// The regularization towards the first weights, so that rarely seen weights stay near them.
    pub shrink: f32,
    /// Adam's epsilon, added to the root: the larger, the less a rarely seen weight moves.
    pub damping: f32,
    /// The number of hundredths in a logit; 0: the number that best fits the search's scores to the results.
    pub scale: f32,
    /// The seed of the first weights and of the order of positions.
    pub seed: u64,
    /// The number of threads; it has no influence on the result.
    pub threads: usize,
}

impl Default for Training {
    fn default() -> Training {
        Training {
            epochs: 20,
            batch: 4096,
            rate: 0.002,
            result: 0.25,
            shrink: 0.0,
            damping: 1e-8,
            scale: 0.0,
            seed: 1,
            threads: 1,
        }
    }
}

/// The result of training.
#[derive(Clone, PartialEq, Debug)]
pub struct Trained {
    /// The weights in the order of the file, in logits.
    pub weights: Vec<f32>,
    /// The number of hundredths in a logit.
    pub scale: u32,
    /// The mean cross entropy of the training positions and of the held-out ones, after each epoch.
    pub losses: Vec<[f64; 2]>,
    /// The numbers of training positions and of held-out ones.
    pub counts: [u64; 2],
}

impl Trained {
    /// Returns the origin of the weights for the head of their file: the command, the commit that the games were
    /// played with, the hash of each file of positions and the commands that played its games, and the hash of the
    /// weights.
    ///
    /// # Errors
    /// The fault in a file of positions.
    pub fn origin(
        &self,
        steps: &[i16],
        command: String,
        commit: &str,
        files: &mut [Positions],
    ) -> Result<BTreeMap<String, String>, Problem> {
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
        Ok(origin)
    }
}

/// A model that can be trained: it computes a logit from a record, and gradients.
pub(crate) trait Pupil: Sync {
    /// The intermediate results of a record's logit, for [`teach`](Pupil::teach).
    type Desk: Default + Send;

    /// Returns the first weights, in logits of `scale` hundredths each.
    fn first(&self, seed: u64, scale: f32) -> Vec<f32>;

    /// Returns the logit of a record, with `scale` hundredths to a logit; `None` for a damaged record. `exchanged`:
    /// with left and right exchanged, in games where that has the same value.
    fn look(
        &self,
        weights: &[f32],
        scale: f32,
        record: &Record<'_>,
        exchanged: bool,
        desk: &mut Self::Desk,
    ) -> Option<f32>;

    /// Adds the gradient of the last record to `slopes`; its probability is off by `error`.
    fn teach(&self, weights: &[f32], error: f32, desk: &mut Self::Desk, slopes: &mut [f32]);

    /// Returns the maximal sizes of weights, in logits, by range; together the ranges cover all `count` weights.
    fn most(&self, count: usize) -> Vec<(Range<usize>, f32)> {
        vec![(0..count, f32::INFINITY)]
    }
}

/// The state of training that is stored between epochs.
#[derive(Clone, Serialize, Deserialize)]
struct State {
    training: Training,
    /// The hashes of the files, and of the first weights.
    data: Vec<String>,
    epoch: usize,
    steps: i32,
    scale: u32,
    weights: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    losses: Vec<[f64; 2]>,
}

impl Training {
    /// Returns the options that give the same weights from the same positions; the files' places and the number of
    /// threads have no influence.
    #[must_use]
    pub fn told(&self, most: i32) -> String {
        let mut told = format!("--epochs {} --batch {} --rate {}", self.epochs, self.batch, self.rate);
        told.push_str(&format!(" --result {}", self.result));
        if self.shrink != 0.0 {
            told.push_str(&format!(" --shrink {}", self.shrink));
        }
        if self.damping != Training::default().damping {
            told.push_str(&format!(" --damping {}", self.damping));
        }
        told.push_str(&format!(" --scale {} --most {most} --seed {}", self.scale, self.seed));
        told
    }

    /// Trains on those files, without positions whose score is `most` hundredths or more. After each epoch the state
    /// goes to `kept`, from which an interrupted run continues; `watch` gets the epoch and both losses, and ends the
    /// run by returning `false`.
    ///
    /// # Errors
    /// The fault in a file.
    pub(crate) fn run<P: Pupil>(
        &self,
        pupil: &P,
        files: &mut [Positions],
        most: i32,
        kept: Option<&Path>,
        watch: &mut dyn FnMut(usize, [f64; 2]) -> bool,
    ) -> Result<Trained, Problem> {
        let mut data = files.iter_mut().map(Positions::hash).collect::<Result<Vec<_>, _>>()?;
        let mut school = School { training: *self, pupil, most, start: Vec::new() };
        let (aside, learned) = school.aside(files)?;
        if learned == 0 {
            return Err(Problem::new("learn-no-positions"));
        }
        let scale = if self.scale > 0.0 { self.scale } else { school.scale(files)? };
        let scale = (scale.round() as u32).max(1);
        school.training.scale = scale as f32;
        school.start = pupil.first(self.seed, scale as f32);
        data.push(digest(&school.start.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<_>>()));
        let before = kept.and_then(|path| std::fs::read(path).ok());
        let before = before.and_then(|bytes| postcard::from_bytes::<State>(&bytes).ok());
        let fits = |state: &State| {
            let same = Training { threads: state.training.threads, ..*self };
            state.training == same && state.data == data && state.weights.len() == school.start.len()
        };
        let mut state = before.filter(fits).unwrap_or_else(|| State {
            training: *self,
            data,
            epoch: 0,
            steps: 0,
            scale,
            mean: vec![0.0; school.start.len()],
            square: vec![0.0; school.start.len()],
            weights: school.start.clone(),
            losses: Vec::new(),
        });
        while state.epoch < self.epochs {
            let loss = school.epoch(&mut state, files)? / learned as f64;
            let losses = [loss, school.loss(&state.weights, &aside, files[0].record())];
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

/// The constant data of a training run.
struct School<'a, P> {
    training: Training,
    pupil: &'a P,
    most: i32,
    start: Vec<f32>,
}

impl<P: Pupil> School<'_, P> {
    /// Returns the held-out records, and the number of training positions.
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

    /// Returns the number of hundredths of the search's score in a logit of the results.
    fn scale(&self, files: &mut [Positions]) -> Result<f32, Problem> {
        let (mut samples, mut block) = (Vec::new(), Vec::new());
        for file in files {
            let every = (file.len() / (64 * BLOCK)).max(1) * BLOCK;
            for from in (0..file.len()).step_by(every as usize) {
                block.clear();
                file.read(from, BLOCK, &mut block)?;
                for bytes in block.chunks_exact(file.record()) {
                    let record = Record::read(bytes);
                    samples.push((f32::from(record.worth), f32::from(record.halves) / 2.0));
                }
            }
        }
        Ok(scale(&samples))
    }

    /// Trains one epoch; returns the sum of losses on the way.
    fn epoch(&self, state: &mut State, files: &mut [Positions]) -> Result<f64, Problem> {
        let mut random =
            Random::seeded(self.training.seed ^ (state.epoch as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut blocks: Vec<(usize, u64)> = Vec::new();
        for (place, file) in files.iter().enumerate() {
            blocks.extend((0..file.len()).step_by(BLOCK as usize).map(|from| (place, from)));
        }
        shuffle(&mut blocks, &mut random);
        let mut slopes = vec![vec![0.0_f32; self.start.len()]; PARTS];
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

    /// Adds up the gradient of a batch, in parts; returns the loss.
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
                    let mut desk = P::Desk::default();
                    for (part, slope, loss) in hand {
                        for &i in *part {
                            let bytes = &pool[i as usize * record..(i as usize + 1) * record];
                            // Half of all positions are looked at with left and right exchanged.
                            let exchanged = Random::seeded(salt ^ u64::from(i)).bits() & 1 == 1;
                            let record = Record::read(bytes);
                            let looked =
                                self.pupil.look(weights, self.training.scale, &record, exchanged, &mut desk);
                            let Some(logit) = looked else { continue };
                            let (said, target) = (logistic(logit), self.target(&record));
                            self.pupil.teach(weights, said - target, &mut desk, slope);
                            *loss += entropy(said, target);
                        }
                    }
                });
            }
        });
        work.iter().map(|(_, _, loss)| loss).sum()
    }

    /// Returns the target: the mixture of the result and the search's score, as the expected points of the side to
    /// move.
    fn target(&self, record: &Record<'_>) -> f32 {
        let share = self.training.result;
        let said = logistic(f32::from(record.worth) / self.training.scale);
        share * f32::from(record.halves) / 2.0 + (1.0 - share) * said
    }

    /// Takes one step of Adam; clears the gradients, and clips weights to the range of the file.
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
        let Training { shrink, damping, .. } = self.training;
        for (range, most) in self.pupil.most(self.start.len()) {
            let slopes = &mut first[0][range.clone()];
            let means = &mut state.mean[range.clone()];
            let squares = &mut state.square[range.clone()];
            let start = &self.start[range.clone()];
            let weights = &mut state.weights[range];
            let whole = slopes.iter_mut().zip(means).zip(squares).zip(weights).zip(start);
            for ((((slope, mean), square), weight), start) in whole {
                let s = std::mem::take(slope) * per + shrink * (*weight - start);
                *mean = KEEPS[0] * *mean + (1.0 - KEEPS[0]) * s;
                *square = KEEPS[1] * *square + (1.0 - KEEPS[1]) * s * s;
                let change = rate * (*mean / mean_left) / ((*square / square_left).sqrt() + damping);
                *weight = (*weight - change).clamp(-most, most);
            }
        }
    }

    /// Returns the mean loss over records of that length.
    fn loss(&self, weights: &[f32], records: &[u8], record: usize) -> f64 {
        let share = (records.len() / record).div_ceil(PARTS).max(1);
        let work = |part: &[u8]| {
            let (mut loss, mut count) = (0.0, 0);
            let mut desk = P::Desk::default();
            for bytes in part.chunks_exact(record) {
                let record = Record::read(bytes);
                if let Some(logit) = self.pupil.look(weights, self.training.scale, &record, false, &mut desk)
                {
                    loss += entropy(logistic(logit), self.target(&record));
                    count += 1;
                }
            }
            (loss, count)
        };
        let parts: Vec<&[u8]> = records.chunks(share * record).collect();
        let mut sums: Vec<(f64, u64)> = vec![(0.0, 0); parts.len()];
        let each = parts.len().div_ceil(self.training.threads.max(1)).max(1);
        thread::scope(|scope| {
            for (parts, sums) in parts.chunks(each).zip(sums.chunks_mut(each)) {
                scope.spawn(|| parts.iter().zip(sums).for_each(|(part, sum)| *sum = work(part)));
            }
        });
        let (loss, count) = sums.iter().fold((0.0, 0), |(a, b), (loss, count)| (a + loss, b + count));
        loss / count.max(1) as f64
    }
}

fn shuffle<T>(list: &mut [T], random: &mut Random) {
    for i in (1..list.len()).rev() {
        list.swap(i, random.below(i + 1));
    }
}

pub(crate) fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

pub(crate) fn entropy(said: f32, target: f32) -> f64 {
    let said = f64::from(said.clamp(1e-6, 1.0 - 1e-6));
    let target = f64::from(target);
    -(target * said.ln() + (1.0 - target) * (1.0 - said).ln())
}

/// Returns the number of hundredths of the search's scores in a logit of the results: the scale with the least cross
/// entropy, by ternary search.
fn scale(samples: &[(f32, f32)]) -> f32 {
    let loss = |scale: f32| -> f64 {
        let every = samples.len().div_ceil(200_000).max(1);
        samples.iter().step_by(every).map(|&(worth, result)| entropy(logistic(worth / scale), result)).sum()
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

/// Writes the state to a file atomically.
fn keep(path: &Path, state: &impl Serialize) -> Result<(), Problem> {
    let wrong = |why: String| Problem::new("learn-file").with("file", path.display()).with("text", why);
    let bytes = postcard::to_stdvec(state).map_err(|why| wrong(why.to_string()))?;
    let draft = path.with_extension("draft");
    std::fs::write(&draft, bytes)
        .and_then(|()| std::fs::rename(&draft, path))
        .map_err(|why| wrong(why.to_string()))
}
