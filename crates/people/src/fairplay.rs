//! Statistics of a person's play for moderators: sums, and never a verdict.
//!
//! A turn counts where there was something to choose: after each side's first turns, which are learned, with more
//! than one move, and while the game was open. Two figures are compared with those of the opponents in the same
//! games: how often the engine would have played the same, and what a turn cost on average. A third is time: equal
//! thinking time for every turn suggests help from a program.

/// The number of a side's first turns that do not count.
pub const OPENING: usize = 4;
/// The least distance of the first player's chance to win from 0 and 1 for a turn to count.
pub const DECIDED: f64 = 0.05;
/// The time below which a turn was quick, in milliseconds.
pub const QUICK_MS: u64 = 1_000;
/// The least number of turns for statistics of time.
const LEAST_TURNS: usize = 8;

/// The agreement of a side's turns with the engine's.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Agreement {
    /// The number of turns that count.
    pub turns: u32,
    /// The number of them that the engine would have played, too.
    pub same: u32,
    /// The sum of their losses of the chance to win, in thousandths.
    pub cost: u32,
}

impl Agreement {
    /// Adds a turn that counts. `cost`: its loss of the chance to win, from 0 to 1; a gain costs nothing.
    pub fn add(&mut self, same: bool, cost: f64) {
        self.turns += 1;
        self.same += u32::from(same);
        self.cost += (cost.clamp(0.0, 1.0) * 1000.0).round() as u32;
    }

    /// Returns the sums of both together.
    #[must_use]
    pub fn with(self, other: Agreement) -> Agreement {
        Agreement {
            turns: self.turns + other.turns,
            same: self.same + other.same,
            cost: self.cost + other.cost,
        }
    }
}

/// Returns true if a turn counts: the side's `nth`, from 0, with that number of `choices`, where the chance to win
/// was `chance`.
#[must_use]
pub fn counts(nth: usize, choices: usize, chance: f64) -> bool {
    nth >= OPENING && choices > 1 && (DECIDED..=1.0 - DECIDED).contains(&chance)
}

/// Statistics of the time that a person took for their turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Times {
    /// The number of turns whose time is known.
    pub turns: u32,
    /// The median time, in milliseconds.
    pub median_ms: u64,
    /// The standard deviation divided by the mean, in hundredths: people have about 100, a person who asks a program
    /// every time much less.
    pub spread: u32,
    /// The share of quick turns, in hundredths.
    pub quick: u32,
    /// The share of turns in which the page was left, in hundredths of those of which it is known.
    pub away: u32,
}

/// Computes the statistics from the times of turns, in milliseconds, and from whether the page was left in them;
/// `None` for too few times.
#[must_use]
pub fn times(mut spent_ms: Vec<u64>, left: &[bool]) -> Option<Times> {
    if spent_ms.len() < LEAST_TURNS {
        return None;
    }
    spent_ms.sort_unstable();
    let count = spent_ms.len() as f64;
    let mean = spent_ms.iter().map(|&ms| ms as f64).sum::<f64>() / count;
    let variance = spent_ms.iter().map(|&ms| (ms as f64 - mean).powi(2)).sum::<f64>() / count;
    let quick = spent_ms.iter().filter(|&&ms| ms < QUICK_MS).count() as f64;
    Some(Times {
        turns: u32::try_from(spent_ms.len()).unwrap_or(u32::MAX),
        median_ms: spent_ms[spent_ms.len() / 2],
        spread: if mean > 0.0 { (variance.sqrt() / mean * 100.0).round() as u32 } else { 0 },
        quick: (quick / count * 100.0).round() as u32,
        away: hundredths(left.iter().filter(|&&left| left).count(), left.len()),
    })
}

/// Returns a share in hundredths, rounded; 0 if the whole is 0.
fn hundredths(part: usize, whole: usize) -> u32 {
    (part as f64 / whole.max(1) as f64 * 100.0).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_counts_where_there_was_something_to_choose() {
        for (name, nth, choices, chance, wanted) in [
            ("an even game", 4, 30, 0.5, true),
            ("an opening", 3, 30, 0.5, false),
            ("one move alone", 9, 1, 0.5, false),
            ("a lost game", 9, 30, 0.04, false),
            ("a won game", 9, 30, 0.96, false),
            ("nearly lost", 9, 2, 0.06, true),
        ] {
            assert_eq!(counts(nth, choices, chance), wanted, "{name}");
        }
    }

    #[test]
    fn turns_add_up() {
        let mut one = Agreement::default();
        one.add(true, -0.2);
        one.add(false, 0.25);
        assert_eq!(one, Agreement { turns: 2, same: 1, cost: 250 });
        assert_eq!(one.with(one), Agreement { turns: 4, same: 2, cost: 500 });
    }

    #[test]
    fn times_tell_a_clockwork_from_a_person() {
        let even = times(vec![5_000; 10], &[]).expect("enough");
        assert_eq!(even, Times { turns: 10, median_ms: 5_000, spread: 0, quick: 0, away: 0 });
        let human = times(
            vec![500, 900, 2_000, 3_000, 1_000, 30_000, 4_000, 700, 12_000, 2_500],
            &[true, false, false],
        )
        .expect("enough");
        assert_eq!((human.median_ms, human.quick, human.away), (2_500, 30, 33));
        assert!(human.spread > 100, "{human:?}");
        assert_eq!(times(vec![1; 7], &[]), None);
        assert_eq!(times(vec![0; 8], &[]).expect("enough").spread, 0);
    }
}
