//! The limits of a search: by depth, by positions, by the clock, or by a stop from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits at which a search ends, at the first that is reached. With none set it goes on until it is stopped.
#[derive(Clone, Debug, Default)]
pub struct SearchLimits {
    /// The depth, in plies.
    pub depth: Option<u32>,
    /// Positions looked at by the first thread. With one thread and no time limits, equal limits give equal answers.
    pub nodes: Option<u64>,
    /// Time for this move. Where it is set, the clock is not looked at.
    pub time: Option<Duration>,
    /// The clock of the side to move, from which the time of this move is computed.
    pub clock: Option<Clock>,
    /// The number of best moves to rank; 0 is 1.
    pub lines: usize,
    /// The number of threads that search, sharing the table; 0 is 1.
    pub threads: usize,
    /// The random errors of evaluation that make the engine play more weakly.
    pub noise: Option<Noise>,
    /// The flag that ends the search from another thread.
    pub stop: Stop,
}

/// A player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The time left for all moves to come.
    pub left: Duration,
    /// The time that each move adds.
    pub increment: Duration,
    /// Moves until more time is added; `None`: the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// The usual time of a move.
    #[must_use]
    pub fn usual(self) -> Duration {
        time_budget(self).0
    }
}

/// Random errors of evaluation: each is the same for a position all through a game, so that a weak player errs
/// consistently. Proved wins and losses are seen as they are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Noise {
    /// The scale of the logistic error, in hundredths.
    pub scale: f32,
    /// The seed of the errors: another game gets another one.
    pub seed: u64,
}

/// The largest number of single precision below 1.
const BELOW_ONE: f32 = 1.0 - f32::EPSILON / 2.0;

impl Noise {
    /// The error at the position with that key.
    #[must_use]
    pub fn at(self, key: u64) -> i32 {
        let mixed = (key ^ self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        // A fraction strictly between 0 and 1: the largest numbers would round to 1, whose logarithm is infinite.
        let u = (((mixed >> 40) as f32 + 0.5) / (1 << 24) as f32).min(BELOW_ONE);
        (self.scale * (u / (1.0 - u)).ln()) as i32
    }
}

/// A flag that ends a search from another thread. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Raises the flag.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns true if the flag was raised.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The time held back for the transmission of a move.
const OVERHEAD: Duration = Duration::from_millis(15);

/// The moments at which to end, computed from the limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    start: Instant,
    /// The time after which no new iteration begins.
    soft: Option<Duration>,
    /// The time after which no further position is searched.
    pub(crate) hard: Option<Duration>,
}

impl Deadline {
    pub(crate) fn of(limits: &SearchLimits) -> Deadline {
        let start = Instant::now();
        let (soft, hard) = match (limits.time, limits.clock) {
            (Some(time), _) => {
                let reserve = OVERHEAD.min(time / 50);
                (None, Some(time - reserve))
            }
            (None, Some(clock)) => {
                let (soft, hard) = time_budget(clock);
                (Some(soft), Some(hard))
            }
            (None, None) => (None, None),
        };
        Deadline { start, soft, hard }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    pub(crate) fn is_hard_limit_reached(&self) -> bool {
        self.hard.is_some_and(|hard| self.start.elapsed() >= hard)
    }

    /// Returns the moment at which half of the time is used.
    pub(crate) fn half_time(&self) -> Option<Instant> {
        self.hard.map(|hard| self.start + hard / 2)
    }

    /// Returns true if that percentage of the time is used.
    pub(crate) fn has_used_percent(&self, percent: u32) -> bool {
        self.hard.is_some_and(|hard| self.start.elapsed() * 100 >= hard * percent)
    }

    /// Returns true if another iteration is not worth beginning; `instability` is 0.8 when the best move and the score
    /// are stable, more when the best move keeps changing or the score drops.
    pub(crate) fn is_soft_limit_reached(&self, instability: f64) -> bool {
        let elapsed = self.start.elapsed();
        self.soft.is_some_and(|soft| elapsed >= soft.mul_f64(instability.clamp(0.5, 2.5)))
            || self.hard.is_some_and(|hard| elapsed >= hard)
    }
}

/// Returns the soft and the hard limit for a move: the usual and the greatest share of the clock.
fn time_budget(clock: Clock) -> (Duration, Duration) {
    let left = clock.left.saturating_sub(OVERHEAD);
    let moves_to_go = clock.moves_to_go.unwrap_or(30).clamp(1, 30);
    let usual = left / moves_to_go + clock.increment.mul_f64(0.7);
    // Never more than would leave nothing for the others.
    let max = if moves_to_go == 1 { left.mul_f64(0.9) } else { left.mul_f64(0.35) };
    ((usual.mul_f64(0.6)).min(max), (usual * 3).min(max).max(Duration::from_millis(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_shared_out() {
        let ms = Duration::from_millis;
        for (left, increment, moves_to_go) in
            [(60_000, 0, None), (1_000, 0, None), (100, 0, None), (20, 0, None), (0, 0, None)]
                .into_iter()
                .chain([
                    (60_000, 1_000, None),
                    (50, 1_000, None),
                    (10_000, 0, Some(1)),
                    (10_000, 0, Some(40)),
                ])
        {
            let clock = Clock { left: ms(left), increment: ms(increment), moves_to_go };
            let (soft, hard) = time_budget(clock);
            assert!(soft <= hard.max(ms(1)), "{clock:?}: {soft:?} {hard:?}");
            assert!(hard <= ms(left).max(ms(1)), "{clock:?}: {hard:?} is more than there is");
        }
    }

    #[test]
    fn noise_is_the_same_for_a_position_and_fair() {
        let noise = Noise { scale: 50.0, seed: 3 };
        let errors: Vec<i32> = (0..10_000).map(|key| noise.at(key * 77)).collect();
        assert_eq!(errors[5], noise.at(5 * 77));
        assert_ne!(
            errors[..9],
            (0..9).map(|key| Noise { seed: 4, ..noise }.at(key * 77)).collect::<Vec<_>>()
        );
        let mean = errors.iter().sum::<i32>() / 10_000;
        assert!(mean.abs() <= 3, "mean {mean}");
        assert!(errors.iter().filter(|e| e.abs() > 250).count() < 200);
    }
}
