//! Time as a clock counts it: all of it, or, with a weekend pause, that from Monday to Friday.
//!
//! Deadlines, flags, reminders and the time that is shown all follow from [`ClockSpec::counted_ms`] and its inverses. Moments
//! are Unix milliseconds, and days those of UTC.

use crate::ClockSpec;

const DAY_MS: u64 = 86_400_000;
const WEEK_MS: u64 = 7 * DAY_MS;
const WORKING_MS: u64 = 5 * DAY_MS;
/// The time from the Monday before to 1 January 1970, which was a Thursday.
const SINCE_MONDAY_MS: u64 = 3 * DAY_MS;

/// Returns the time from Monday to Friday that has passed between the Monday before 1970 and that moment.
fn worked_ms(at_ms: u64) -> u64 {
    let since_ms = at_ms.saturating_add(SINCE_MONDAY_MS);
    since_ms / WEEK_MS * WORKING_MS + (since_ms % WEEK_MS).min(WORKING_MS)
}

/// Returns the earliest moment at which [`worked_ms`] reaches the given time.
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
    /// Returns the time that this clock counts between two moments; 0 if the second is not after the first.
    #[must_use]
    pub fn counted_ms(self, from_ms: u64, to_ms: u64) -> u64 {
        if self.has_weekend_pause() {
            worked_ms(to_ms).saturating_sub(worked_ms(from_ms))
        } else {
            to_ms.saturating_sub(from_ms)
        }
    }

    /// Returns the deadline of a time budget counted from `from_ms`: the first moment, not before it, at which the
    /// budget is used up.
    #[must_use]
    pub fn deadline_ms(self, from_ms: u64, budget_ms: u64) -> u64 {
        if self.has_weekend_pause() {
            first_moment_ms(worked_ms(from_ms).saturating_add(budget_ms)).max(from_ms)
        } else {
            from_ms.saturating_add(budget_ms)
        }
    }

    /// Returns a start such that this clock has counted `counted_ms` from it to `to_ms`; it is used to resume a clock
    /// that stood still.
    #[must_use]
    pub fn begun_ms(self, to_ms: u64, counted_ms: u64) -> u64 {
        if self.has_weekend_pause() {
            first_moment_ms(worked_ms(to_ms).saturating_sub(counted_ms)).min(to_ms)
        } else {
            to_ms.saturating_sub(counted_ms)
        }
    }
}
