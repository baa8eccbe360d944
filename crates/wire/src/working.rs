//! The time that a clock counts: all of it, or, with a weekend pause, that from Monday to Friday.
//!
//! Deadlines, flags, reminders and the time that is shown all follow from [`ClockSpec::counted_ms`] and its inverses. Moments
//! are Unix milliseconds, and days those of UTC.

use crate::ClockSpec;

const DAY_MS: u64 = 86_400_000;
const WEEK_MS: u64 = 7 * DAY_MS;
const WORKING_MS: u64 = 5 * DAY_MS;
/// 1 January 1970 was a Thursday: the days since the Monday before.
const SINCE_MONDAY_MS: u64 = 3 * DAY_MS;

/// The time from Monday to Friday between the Monday before 1970 and that moment.
fn worked_ms(at_ms: u64) -> u64 {
    let since_ms = at_ms.saturating_add(SINCE_MONDAY_MS);
    since_ms / WEEK_MS * WORKING_MS + (since_ms % WEEK_MS).min(WORKING_MS)
}

/// The first moment at which so much had been worked.
fn first_moment_ms(worked_ms: u64) -> u64 {
    let (weeks, rest_ms) = (worked_ms / WORKING_MS, worked_ms % WORKING_MS);
    // A whole number of weeks is full when its Friday ends.
    let since_ms = match (weeks, rest_ms) {
        (1.., 0) => (weeks - 1).saturating_mul(WEEK_MS).saturating_add(WORKING_MS),
        _ => weeks.saturating_mul(WEEK_MS).saturating_add(rest_ms),
    };
    since_ms.saturating_sub(SINCE_MONDAY_MS)
}

impl ClockSpec {
    /// The time that this clock counts between two moments; 0 where the second is not after the first.
    #[must_use]
    pub fn counted_ms(self, from_ms: u64, to_ms: u64) -> u64 {
        if self.has_weekend_pause() {
            worked_ms(to_ms).saturating_sub(worked_ms(from_ms))
        } else {
            to_ms.saturating_sub(from_ms)
        }
    }

    /// The deadline of a budget that is counted from `from_ms` on: the first moment, not before it, at which all is used.
    #[must_use]
    pub fn deadline_ms(self, from_ms: u64, budget_ms: u64) -> u64 {
        if self.has_weekend_pause() {
            first_moment_ms(worked_ms(from_ms).saturating_add(budget_ms)).max(from_ms)
        } else {
            from_ms.saturating_add(budget_ms)
        }
    }

    /// A moment from which on `counted_ms` have been counted at `to_ms`: that is how a clock goes on which stood still.
    #[must_use]
    pub fn begun_ms(self, to_ms: u64, counted_ms: u64) -> u64 {
        if self.has_weekend_pause() {
            first_moment_ms(worked_ms(to_ms).saturating_sub(counted_ms)).min(to_ms)
        } else {
            to_ms.saturating_sub(counted_ms)
        }
    }
}
