//! Notices to people who are away: their topics, their times, and their retries.
//!
//! - There is one notice about a table or a challenge, until its person has looked; only the warning that a clock is
//!   nearly out is sent in addition.
//! - In quiet hours no notices are sent: they wait for the end of those hours, unless the clock would run out before.

use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use kernel::Problem;

const DAY_MS: u64 = 86_400_000;
const DAY_MINUTES: u16 = 1440;
/// The most letters of the name of a time zone; the longest has 32.
const MOST_ZONE: usize = 64;
/// The delays before each retry of a failed notice, in milliseconds.
const RETRIES_MS: [u64; 4] = [60_000, 300_000, 1_800_000, 7_200_000];

/// The topics of notices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Topic {
    /// The recipient is to move in a slow game.
    Turn,
    /// The recipient's clock is nearly out in a slow game.
    Clock,
    /// The recipient was challenged.
    Challenge,
}

impl Topic {
    /// All topics, in a fixed order.
    pub const ALL: [Topic; 3] = [Topic::Turn, Topic::Clock, Topic::Challenge];

    /// Returns the key in the store, which is also a part of the keys of its texts.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Topic::Turn => "turn",
            Topic::Clock => "clock",
            Topic::Challenge => "challenge",
        }
    }

    /// Returns the topic with that key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Topic> {
        Topic::ALL.into_iter().find(|topic| topic.key() == key)
    }
}

/// The hours in which a person receives no notices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quiet {
    from_min: u16,
    to_min: u16,
    zone: String,
}

impl Quiet {
    /// Makes quiet hours from one minute of the day to another, in the time zone of that IANA name; over midnight
    /// where `to_min` is less.
    ///
    /// # Errors
    /// `quiet-hours` when they are no minutes of a day, or the same; `quiet-zone` when there is no such time zone.
    pub fn new(from_min: u16, to_min: u16, zone: &str) -> Result<Quiet, Problem> {
        if from_min >= DAY_MINUTES || to_min >= DAY_MINUTES || from_min == to_min {
            return Err(Problem::new("quiet-hours"));
        }
        if zone.len() > MOST_ZONE || TimeZone::get(zone).is_err() {
            let shown: String = zone.chars().take(MOST_ZONE).collect();
            return Err(Problem::new("quiet-zone").with("zone", shown));
        }
        Ok(Quiet { from_min, to_min, zone: zone.to_owned() })
    }

    /// Returns the beginning, in minutes after midnight.
    #[must_use]
    pub fn from_min(&self) -> u16 {
        self.from_min
    }

    /// Returns the end, in minutes after midnight.
    #[must_use]
    pub fn to_min(&self) -> u16 {
        self.to_min
    }

    /// Returns the IANA name of the time zone.
    #[must_use]
    pub fn zone(&self) -> &str {
        &self.zone
    }

    /// Returns the end of the quiet hours that contain `now_ms`, in Unix milliseconds; `None` outside of them.
    #[must_use]
    pub fn end_ms(&self, now_ms: u64) -> Option<u64> {
        let now = Timestamp::from_millisecond(i64::try_from(now_ms).ok()?).ok()?;
        // A zone that has left the list of the world since: UTC.
        let now: Zoned = now.to_zoned(TimeZone::get(&self.zone).unwrap_or(TimeZone::UTC));
        let minute = now.hour().unsigned_abs() as u16 * 60 + now.minute().unsigned_abs() as u16;
        let over_midnight = self.to_min < self.from_min;
        let is_quiet = if over_midnight {
            minute >= self.from_min || minute < self.to_min
        } else {
            (self.from_min..self.to_min).contains(&minute)
        };
        if !is_quiet {
            return None;
        }
        let day =
            if over_midnight && minute >= self.from_min { now.date().tomorrow().ok()? } else { now.date() };
        let end = Time::new((self.to_min / 60) as i8, (self.to_min % 60) as i8, 0, 0).ok()?;
        // Where a clock that is put forward leaves that minute out, the first one after it.
        let end = day.to_datetime(end).to_zoned(now.time_zone().clone()).ok()?;
        let end_ms = u64::try_from(end.timestamp().as_millisecond()).ok()?;
        // A clock that is put back shows the same minutes twice.
        (end_ms > now_ms).then_some(end_ms)
    }
}

/// Returns the time for a notice of an event at `now_ms`: at once, or after the quiet hours; at once as well where
/// `until_ms`, the end of the clock or of the challenge, comes before that. All in Unix milliseconds.
#[must_use]
pub fn due_ms(now_ms: u64, quiet: Option<&Quiet>, until_ms: u64) -> u64 {
    match quiet.and_then(|quiet| quiet.end_ms(now_ms)) {
        Some(end_ms) if end_ms < until_ms => end_ms,
        _ => now_ms,
    }
}

/// The divisor of the time for a move that gives the time of the warning: a tenth.
pub const WARNING_PART: u64 = 10;
/// The longest time before the end of a clock at which its owner is warned, in milliseconds.
pub const WARNING_MOST_MS: u64 = DAY_MS;

/// Returns the time before the end of a clock of `given_ms` at which its owner is warned, in milliseconds: a
/// [part](WARNING_PART) of it, [at most](WARNING_MOST_MS) a day.
#[must_use]
pub fn warning_ms(given_ms: u64) -> u64 {
    (given_ms / WARNING_PART).min(WARNING_MOST_MS)
}

/// Returns the delay before the next retry of a notice that has failed `tries` times before, in milliseconds; `None`
/// for no more retries.
#[must_use]
pub fn retry_ms(tries: u32) -> Option<u64> {
    RETRIES_MS.get(tries as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(text: &str) -> u64 {
        let at: Timestamp = text.parse().expect("a time");
        at.as_millisecond().unsigned_abs()
    }

    #[test]
    fn quiet_hours_end_when_the_clock_on_the_wall_says_so() {
        let night = |zone| Quiet::new(22 * 60, 7 * 60 + 30, zone).expect("quiet hours");
        let noon = Quiet::new(12 * 60, 13 * 60, "Asia/Shanghai").expect("quiet hours");
        let early = Quiet::new(0, 2 * 60 + 30, "Europe/Berlin").expect("quiet hours");
        for (name, quiet, now, end) in [
            ("in the evening", night("UTC"), "2026-11-23T23:00:00Z", Some("2026-11-24T07:30:00Z")),
            ("the first minute", night("UTC"), "2026-11-23T22:00:00Z", Some("2026-11-24T07:30:00Z")),
            ("after midnight", night("UTC"), "2026-11-24T00:00:00Z", Some("2026-11-24T07:30:00Z")),
            ("the last moment", night("UTC"), "2026-11-24T07:29:59.999Z", Some("2026-11-24T07:30:00Z")),
            ("they are over", night("UTC"), "2026-11-24T07:30:00Z", None),
            ("by day", night("UTC"), "2026-11-24T15:00:00Z", None),
            ("in another zone", night("Asia/Shanghai"), "2026-11-24T15:00:00Z", Some("2026-11-24T23:30:00Z")),
            ("within a day", noon.clone(), "2026-11-24T04:10:00Z", Some("2026-11-24T05:00:00Z")),
            ("within a day, over", noon, "2026-11-24T05:00:00Z", None),
            // In that night clocks go from 2:00 to 3:00; 2:30 is not there.
            ("a shorter night", early.clone(), "2026-03-28T23:30:00Z", Some("2026-03-29T01:30:00Z")),
            // In that night clocks go from 3:00 to 2:00; the first 2:30 ends it.
            ("a longer night", early.clone(), "2026-10-24T23:30:00Z", Some("2026-10-25T00:30:00Z")),
            ("a minute for the second time", early, "2026-10-25T01:10:00Z", None),
        ] {
            assert_eq!(quiet.end_ms(ms(now)), end.map(ms), "{name}");
        }
        assert_eq!(night("UTC").end_ms(u64::MAX), None);
    }

    #[test]
    fn quiet_hours_are_checked() {
        let long = "x".repeat(10_000);
        for (name, from, to, zone, key) in [
            ("no minute of a day", 1440, 0, "UTC", "quiet-hours"),
            ("no minute either", 0, 1440, "UTC", "quiet-hours"),
            ("nothing, or a whole day", 60, 60, "UTC", "quiet-hours"),
            ("no such zone", 0, 60, "Europe/Atlantis", "quiet-zone"),
            ("no name", 0, 60, "", "quiet-zone"),
            ("a path", 0, 60, "../../etc/passwd", "quiet-zone"),
            ("a long name", 0, 60, &long, "quiet-zone"),
        ] {
            let why = Quiet::new(from, to, zone).expect_err(name);
            assert_eq!(why.key, key, "{name}");
        }
        assert!(Quiet::new(0, 1439, "America/Argentina/ComodRivadavia").is_ok());
    }

    #[test]
    fn what_is_urgent_does_not_wait_for_the_morning() {
        let quiet = Quiet::new(22 * 60, 7 * 60, "UTC").expect("quiet hours");
        let (night, morning) = (ms("2026-11-23T23:00:00Z"), ms("2026-11-24T07:00:00Z"));
        for (name, now, quiet, until, due) in [
            ("nobody asked for quiet", night, None, u64::MAX, night),
            ("it waits", night, Some(&quiet), u64::MAX, morning),
            ("the clock is out before", night, Some(&quiet), morning, night),
            ("by day", morning, Some(&quiet), u64::MAX, morning),
        ] {
            assert_eq!(due_ms(now, quiet, until), due, "{name}");
        }
    }

    #[test]
    fn warnings_and_retries() {
        assert_eq!(warning_ms(DAY_MS), DAY_MS / 10);
        assert_eq!(warning_ms(14 * DAY_MS), DAY_MS);
        assert_eq!((retry_ms(0), retry_ms(3), retry_ms(4)), (Some(60_000), Some(7_200_000), None));
        for topic in Topic::ALL {
            assert_eq!(Topic::from_key(topic.key()), Some(topic));
        }
    }
}
