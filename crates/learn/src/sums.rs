//! Training of sums of weights (see [`engine::learned::Linear`]), from files of positions: logistic regression.

use std::path::Path;

use engine::learned::{Linear, Weights};
use kernel::Problem;

use crate::positions::{Positions, Record};
use crate::stream::{Pupil, Trained, Training};

impl Training {
    /// Fits a sum of weights to those files, starting at `start` (in hundredths), without positions whose score is
    /// `most` hundredths or more. After each epoch the state goes to `kept`, from which an interrupted run continues;
    /// `watch` gets the epoch and both losses, and ends the run by returning `false`.
    ///
    /// # Errors
    /// The fault in a file.
    pub fn sums(
        &self,
        model: &dyn Linear,
        start: &[f32],
        files: &mut [Positions],
        most: i32,
        kept: Option<&Path>,
        watch: &mut dyn FnMut(usize, [f64; 2]) -> bool,
    ) -> Result<Trained, Problem> {
        self.run(&Sum { model, start }, files, most, kept, watch)
    }
}

impl Trained {
    /// Returns the weights in the steps of a sum's file.
    ///
    /// # Errors
    /// The reason why the evaluation cannot work with these weights.
    pub fn fitted(&self, model: &dyn Linear) -> Result<Vec<i16>, Problem> {
        let hundredths: Vec<f32> = self.weights.iter().map(|w| w * self.scale as f32).collect();
        let steps = Weights::of(&model.shape(), &hundredths, Default::default()).steps;
        model.check(&steps)?;
        Ok(steps)
    }
}

/// A sum of weights in training.
struct Sum<'a> {
    model: &'a dyn Linear,
    /// The first weights, in hundredths.
    start: &'a [f32],
}

impl Pupil for Sum<'_> {
    /// The weights that count, each with its factor.
    type Desk = Vec<(u32, f32)>;

    fn first(&self, _seed: u64, scale: f32) -> Vec<f32> {
        self.start.iter().map(|w| w / scale).collect()
    }

    fn look(
        &self,
        weights: &[f32],
        _scale: f32,
        record: &Record<'_>,
        _exchanged: bool,
        row: &mut Self::Desk,
    ) -> Option<f32> {
        row.clear();
        let is_sound = self.model.features(record.board, record.turn, row);
        is_sound.then(|| row.iter().map(|&(at, count)| weights[at as usize] * count).sum())
    }

    fn teach(&self, _weights: &[f32], error: f32, row: &mut Self::Desk, slopes: &mut [f32]) {
        for &(at, count) in &*row {
            slopes[at as usize] += error * count;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use arena::random::Random;
    use engine::learned::{Boards, Shape};
    use kernel::{AnyGame, Side};

    use super::*;
    use crate::positions::TAIL;
    use crate::stream::logistic;

    /// A game whose truth is known: what each of three bytes counts, less two; a fourth weight never counts.
    struct KnownGame;

    const TRUTH: [f32; 3] = [0.5, -1.0, 2.0];

    impl Boards for KnownGame {
        fn board(&self) -> usize {
            3
        }

        fn pack(&self, _game: &dyn AnyGame, _next: &str, _out: &mut [u8]) -> Option<u8> {
            None
        }
    }

    impl Linear for KnownGame {
        fn shape(&self) -> Shape {
            Shape { name: "test/known", weights: 4, unit: 0.25 }
        }

        fn features(&self, board: &[u8], _turn: Side, out: &mut Vec<(u32, f32)>) -> bool {
            out.extend((0..).zip(board).map(|(at, &byte)| (at, f32::from(byte) - 2.0)));
            board.iter().all(|&byte| byte < 5)
        }

        fn now(&self) -> Vec<f32> {
            vec![0.0; 4]
        }
    }

    /// A file of positions whose truth is known, at 100 hundredths a logit.
    fn known(folder: &Path, name: &str, count: usize, seed: u64) -> PathBuf {
        let mut random = Random::seeded(seed);
        let mut bytes = format!("qiguan positions 1\ngame test\nrecord {}\n\n", 3 + TAIL).into_bytes();
        for number in 0..count {
            let board: [u8; 3] = std::array::from_fn(|_| random.below(5) as u8);
            let logit: f32 = board.iter().zip(TRUTH).map(|(&n, worth)| (f32::from(n) - 2.0) * worth).sum();
            let won = random.fraction() < f64::from(logistic(logit));
            let record = Record {
                board: &board,
                turn: Side::First,
                halves: if won { 2 } else { 0 },
                aside: number % 20 == 0,
                idle: 0,
                worth: (logit * 100.0) as i16,
            };
            record.write(&mut bytes);
        }
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn fit(training: Training, start: [f32; 4], file: &Path, kept: Option<&Path>, last: usize) -> Trained {
        let mut files = [Positions::open(file, "test", &KnownGame).unwrap()];
        training.sums(&KnownGame, &start, &mut files, 1500, kept, &mut |epoch, _| epoch < last).unwrap()
    }

    #[test]
    fn what_is_known_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = known(folder.path(), "known", 20_000, 1);
        let training = Training { rate: 0.05, batch: 500, result: 1.0, epochs: 30, ..Training::default() };
        let fitted = fit(training, [0.0; 4], &file, None, 30);
        assert!(fitted.scale.abs_diff(100) < 10, "{}", fitted.scale);
        for (found, truth) in fitted.fitted(&KnownGame).unwrap().iter().zip(TRUTH) {
            let (found, truth) = (f32::from(*found) * 0.25, 100.0 * truth);
            assert!((found - truth).abs() < 0.1 * truth.abs(), "{:?}", fitted.weights);
        }
        assert!(fitted.losses[29][1] < fitted.losses[0][1]);
        assert_eq!(fitted.counts, [19_000, 1_000]);
    }

    #[test]
    fn a_run_that_was_stopped_goes_on_to_the_same_end() {
        let folder = tempfile::tempdir().unwrap();
        let file = known(folder.path(), "known", 2_000, 1);
        let training = Training { epochs: 6, batch: 100, ..Training::default() };
        let whole = fit(training, [0.0; 4], &file, None, 6);
        let kept = folder.path().join("kept");
        let stopped = fit(training, [0.0; 4], &file, Some(&kept), 2);
        assert_eq!(stopped.losses, whole.losses[..2]);
        assert_eq!(fit(training, [0.0; 4], &file, Some(&kept), 6), whole);
        // With other positions, or another start, the fit starts again.
        let other = known(folder.path(), "other", 2_000, 2);
        assert_eq!(fit(training, [0.0; 4], &other, Some(&kept), 1).losses.len(), 1);
        assert_eq!(fit(training, [1.0; 4], &file, Some(&kept), 1).losses.len(), 1);
    }

    /// Weights that no position uses keep their first value, and threads have no influence.
    #[test]
    fn untouched_weights_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = known(folder.path(), "known", 2_000, 1);
        let training = Training { epochs: 4, batch: 100, ..Training::default() };
        let one = fit(training, [0.0, 0.0, 0.0, 77.0], &file, None, 4);
        assert_eq!(one.fitted(&KnownGame).unwrap()[3], 308);
        assert_eq!(fit(Training { threads: 3, ..training }, [0.0, 0.0, 0.0, 77.0], &file, None, 4), one);
        // What is held to the start leaves it less.
        let held = fit(Training { shrink: 0.1, ..training }, [0.0; 4], &file, None, 4);
        assert!(held.weights[2].abs() < one.weights[2].abs(), "{:?} {:?}", held.weights, one.weights);
    }
}
