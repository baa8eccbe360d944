//! Vacations: days of the year on which the clocks of a person's slow games stand still.

const DAY_MS: u64 = 86_400_000;
/// The days of vacation that an account has in a calendar year (UTC).
pub const DAYS_A_YEAR: u64 = 21;

/// The vacation of one person. Moments are in Unix milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vacation {
    /// The calendar year (UTC) to which `used_ms` belongs.
    pub year: i64,
    /// The vacation used in that year, without the current one, in milliseconds.
    pub used_ms: u64,
    /// The beginning of the current vacation; `None` if there is none.
    pub since_ms: Option<u64>,
}

/// The reasons why a vacation cannot begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoVacation {
    /// The person is on vacation already.
    Already,
    /// Less than a day is left this year.
    UsedUp,
}

impl Vacation {
    /// Returns the vacation of a person who has used nothing of the year of `now_ms`.
    #[must_use]
    pub fn unused(now_ms: u64) -> Vacation {
        Vacation { year: year_of(now_ms), used_ms: 0, since_ms: None }
    }

    /// Returns the time that is left of the year of `now_ms`, or of the current vacation.
    #[must_use]
    pub fn left_ms(&self, now_ms: u64) -> u64 {
        match self.since_ms {
            Some(_) => self.ends_ms().map_or(0, |ends| ends.saturating_sub(now_ms)),
            None if self.year != year_of(now_ms) => DAYS_A_YEAR * DAY_MS,
            None => (DAYS_A_YEAR * DAY_MS).saturating_sub(self.used_ms),
        }
    }

    /// Returns the time at which the current vacation ends by itself; it counts for the year in which it began.
    #[must_use]
    pub fn ends_ms(&self) -> Option<u64> {
        Some(self.since_ms? + (DAYS_A_YEAR * DAY_MS).saturating_sub(self.used_ms))
    }

    /// Begins a vacation at `now_ms`.
    ///
    /// # Errors
    /// The reason why it cannot begin.
    pub fn start(self, now_ms: u64) -> Result<Vacation, NoVacation> {
        if self.since_ms.is_some() {
            return Err(NoVacation::Already);
        }
        if self.left_ms(now_ms) < DAY_MS {
            return Err(NoVacation::UsedUp);
        }
        let year = year_of(now_ms);
        let used_ms = if self.year == year { self.used_ms } else { 0 };
        Ok(Vacation { year, used_ms, since_ms: Some(now_ms) })
    }

    /// Ends the vacation at `now_ms`; each vacation costs a day at least, so that an hour off every day is not
    /// possible for free.
    #[must_use]
    pub fn stop(self, now_ms: u64) -> Vacation {
        let Some(since) = self.since_ms else { return self };
        let ends = self.ends_ms().unwrap_or(now_ms).min(now_ms);
        let used_ms = (self.used_ms + ends.saturating_sub(since).max(DAY_MS)).min(DAYS_A_YEAR * DAY_MS);
        Vacation { used_ms, since_ms: None, ..self }
    }
}

/// Returns the calendar year of a moment, in UTC.
fn year_of(now_ms: u64) -> i64 {
    let at = jiff::Timestamp::from_millisecond(now_ms.cast_signed()).unwrap_or_default();
    jiff::tz::Offset::UTC.to_datetime(at).year().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Midnight of 1 January 2026, UTC.
    const NEW_YEAR: u64 = 1_767_225_600_000;
    const JUNE: u64 = NEW_YEAR + 150 * DAY_MS;

    fn days(vacation: Vacation, now_ms: u64) -> u64 {
        vacation.left_ms(now_ms) / DAY_MS
    }

    #[test]
    fn a_year_has_its_days_of_vacation_and_no_more() {
        let fresh = Vacation::unused(JUNE);
        assert_eq!((fresh.year, days(fresh, JUNE)), (2026, 21));
        let away = fresh.start(JUNE).expect("may");
        assert_eq!(away.start(JUNE + DAY_MS), Err(NoVacation::Already));
        assert_eq!((away.ends_ms(), days(away, JUNE + 5 * DAY_MS)), (Some(JUNE + 21 * DAY_MS), 16));
        let back = away.stop(JUNE + 5 * DAY_MS);
        assert_eq!((back.since_ms, days(back, JUNE + 6 * DAY_MS)), (None, 16));
        assert_eq!(back.stop(JUNE + 9 * DAY_MS), back, "who is here stays here");
        let again = back.start(JUNE + 10 * DAY_MS).expect("may").stop(JUNE + 10 * DAY_MS + 1);
        assert_eq!(days(again, JUNE + 11 * DAY_MS), 15, "a day at least");
        let long = again.start(JUNE + 20 * DAY_MS).expect("may").stop(JUNE + 99 * DAY_MS);
        assert_eq!(days(long, JUNE + 99 * DAY_MS), 0, "found late, it had ended by itself");
        assert_eq!(long.start(JUNE + 100 * DAY_MS), Err(NoVacation::UsedUp));
        let next = NEW_YEAR + 365 * DAY_MS;
        assert_eq!((days(long, next - 1), days(long, next)), (0, 21), "the next year begins");
    }

    #[test]
    fn a_vacation_over_new_year_counts_for_the_old_one() {
        let eve = NEW_YEAR - 2 * DAY_MS;
        let away = Vacation::unused(eve).start(eve).expect("may");
        let back = away.stop(NEW_YEAR + 3 * DAY_MS);
        assert_eq!((back.year, back.used_ms / DAY_MS), (2025, 5));
        assert_eq!(days(back, NEW_YEAR + 3 * DAY_MS), 21);
    }
}
