//! Thinking time: the clocks of a game at one keyboard, and the display of any clock.
//!
//! The current time is an argument, so that tests need not wait. A hall keeps the clocks of its tables; here they
//! only run on between its messages.

use kernel::Side;
use texts::{Language, say};
use wire::{ClockFace, ClockSpec};

/// The clocks offered, in the syntax in which they are typed.
pub(crate) const CLOCKS: [&str; 6] = ["none", "300+5", "900+10", "600+3x30", "10/move", "1800+30"];

/// Returns the description of a clock.
pub(crate) fn name(clock: ClockSpec, language: Language) -> String {
    let minutes = |ms: u64| (ms / 60_000).to_string();
    let seconds = |ms: u64| (ms / 1000).to_string();
    match clock {
        ClockSpec::None => say(language, "clock-none", &[]),
        ClockSpec::Fischer { base_ms, increment_ms } => say(
            language,
            "tui-clock-fischer",
            &[("minutes", &minutes(base_ms)), ("seconds", &seconds(increment_ms))],
        ),
        ClockSpec::ByoYomi { base_ms, period_ms, periods } => say(
            language,
            "tui-clock-byo-yomi",
            &[
                ("minutes", &minutes(base_ms)),
                ("periods", &periods.to_string()),
                ("seconds", &seconds(period_ms)),
            ],
        ),
        ClockSpec::PerMove { turn_ms, .. } => match clock.days_a_move() {
            Some(days) => {
                let key = if clock.has_weekend_pause() { "clock-weekdays-short" } else { "clock-days-short" };
                say(language, key, &[("days", &days.to_string())])
            }
            None => say(language, "clock-per-move-short", &[("seconds", &seconds(turn_ms))]),
        },
    }
}

/// The two clocks of a game at one keyboard. All times are in milliseconds of one monotonic clock.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    spec: ClockSpec,
    face: ClockFace,
    /// The time at which `face` was correct, in milliseconds.
    at_ms: u64,
}

/// The display of one side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reading {
    pub ms: u64,
    /// Byo-yomi periods left, the running one included.
    pub periods: Option<u8>,
    pub byo: bool,
    pub runs: bool,
}

impl Clock {
    /// Creates two full, stopped clocks; `None` for a game without a clock.
    pub fn new(spec: ClockSpec) -> Option<Clock> {
        let (full, periods) = match spec {
            ClockSpec::None => return None,
            ClockSpec::Fischer { base_ms, increment_ms } => (base_ms.max(increment_ms), None),
            ClockSpec::ByoYomi { base_ms, periods, .. } => (base_ms, Some([periods; 2])),
            ClockSpec::PerMove { turn_ms, .. } => (turn_ms, None),
        };
        let byo = periods.map(|_| [false; 2]);
        Some(Clock { spec, face: ClockFace { ms: [full; 2], periods, byo, run: None, held: None }, at_ms: 0 })
    }

    /// Returns the display of both clocks at that time.
    pub fn face(&self, now_ms: u64) -> ClockFace {
        let mut face = self.face;
        for side in Side::BOTH {
            let shown = read(self.spec, &self.face, side, now_ms.saturating_sub(self.at_ms));
            face.ms[side.index()] = shown.ms;
            if let (Some(periods), Some(left)) = (&mut face.periods, shown.periods) {
                periods[side.index()] = left;
            }
            if let Some(byo) = &mut face.byo {
                byo[side.index()] = shown.byo;
            }
        }
        face
    }

    /// Starts the clock of `side`; its turn, or the turn of the other side, has just ended.
    pub fn pass_to(&mut self, side: Option<Side>, now_ms: u64) {
        let before = self.face.run;
        self.face = self.face(now_ms);
        self.at_ms = now_ms;
        if let Some(mover) = before.filter(|&mover| side != Some(mover)) {
            self.settle(mover);
        }
        self.face.run = side;
    }

    /// Returns the side whose time is up.
    pub fn fallen(&self, now_ms: u64) -> Option<Side> {
        let side = self.face.run?;
        let shown = read(self.spec, &self.face, side, now_ms.saturating_sub(self.at_ms));
        (shown.ms == 0).then_some(side)
    }

    /// Adds the increment, or resets the period, of `side` at the end of its turn.
    fn settle(&mut self, side: Side) {
        let ms = &mut self.face.ms[side.index()];
        match self.spec {
            ClockSpec::None => {}
            ClockSpec::Fischer { increment_ms, .. } => *ms += increment_ms,
            ClockSpec::PerMove { turn_ms, .. } => *ms = turn_ms,
            // A turn that ends within its period costs none.
            ClockSpec::ByoYomi { period_ms, .. } => {
                if self.face.byo.is_some_and(|byo| byo[side.index()]) {
                    *ms = period_ms;
                }
            }
        }
    }
}

/// Returns the display of the clock of `side` at `elapsed_ms` after `face` was correct.
pub(crate) fn read(spec: ClockSpec, face: &ClockFace, side: Side, elapsed_ms: u64) -> Reading {
    let i = side.index();
    let runs = face.run == Some(side);
    let mut left = face.ms[i] as i64 - if runs { elapsed_ms as i64 } else { 0 };
    let ClockSpec::ByoYomi { period_ms, periods, .. } = spec else {
        return Reading { ms: left.max(0) as u64, periods: None, byo: false, runs };
    };
    let mut periods = face.periods.map_or(periods, |p| p[i]);
    let mut byo = face.byo.is_some_and(|b| b[i]);
    if left <= 0 && !byo && periods > 0 {
        byo = true;
        left += period_ms as i64;
    }
    while left <= 0 && periods > 1 {
        periods -= 1;
        left += period_ms as i64;
    }
    Reading { ms: left.max(0) as u64, periods: Some(periods), byo, runs }
}

/// Returns the part of the last `elapsed_ms` before `now_ms`, a Unix time, that the clock has counted, in
/// milliseconds.
pub(crate) fn counted(spec: ClockSpec, elapsed_ms: u64, now_ms: u64) -> u64 {
    if spec.has_weekend_pause() {
        spec.counted_ms(now_ms.saturating_sub(elapsed_ms), now_ms)
    } else {
        elapsed_ms
    }
}

const DAY_MS: u64 = 86_400_000;

/// Formats a time: `2 d 5 h`, `1:02:03`, `12:34`, and with tenths below ten seconds `0:09.4`.
pub(crate) fn text(ms: u64, language: Language) -> String {
    if ms < 10_000 {
        return format!("0:{:02}.{}", ms / 1000, ms / 100 % 10);
    }
    // A clock shows the second that is still running, so 59.9 s is 1:00.
    let s = ms.div_ceil(1000);
    if ms >= DAY_MS {
        let hours = ms / 3_600_000;
        let (days, hours) = ((hours / 24).to_string(), (hours % 24).to_string());
        return say(language, "clock-left", &[("days", &days), ("hours", &hours)]);
    }
    match s / 3600 {
        0 => format!("{}:{:02}", s / 60, s % 60),
        hours => format!("{hours}:{:02}:{:02}", s / 60 % 60, s % 60),
    }
}

/// Returns the time until the display changes, in milliseconds.
pub(crate) fn next_change(ms: u64) -> u64 {
    let unit = match ms {
        0..=10_000 => 100,
        10_001..DAY_MS => 1000,
        _ => 60_000,
    };
    (ms % unit).max(1).min(unit)
}

/// Parses a clock: `300+5` is Fischer (seconds and increment), `600+3x30` byo-yomi, `30/move` the same time for every
/// move, `3d/move` days for every move, `3d/weekdays` days without Saturdays and Sundays, `none`.
///
/// # Errors
/// `clock-text` with the text.
pub fn parse(text: &str) -> Result<ClockSpec, kernel::Problem> {
    let wrong = || kernel::Problem::new("clock-text").with("found", text);
    let seconds =
        |part: &str| part.parse().ok().filter(|&s: &u64| s <= 24 * 3600).map(|s| s * 1000).ok_or_else(wrong);
    if text == "none" {
        return Ok(ClockSpec::None);
    }
    let days = |days: &str| {
        let known = days.parse().ok().filter(|days| wire::DAYS_A_MOVE.contains(days));
        known.map(|days| days * DAY_MS).ok_or_else(wrong)
    };
    if let Some(turn) = text.strip_suffix("d/weekdays") {
        return Ok(ClockSpec::PerMove { turn_ms: days(turn)?, weekend_pause: true });
    }
    if let Some(turn) = text.strip_suffix("/move") {
        if let Some(turn) = turn.strip_suffix('d') {
            return Ok(ClockSpec::per_move(days(turn)?));
        }
        return Ok(ClockSpec::per_move(seconds(turn)?.max(1000)));
    }
    let (base, rest) = text.split_once('+').unwrap_or((text, "0"));
    let base_ms = seconds(base)?;
    match rest.split_once('x') {
        Some((periods, period)) => {
            let periods = periods.parse().ok().filter(|p| (1..=50).contains(p)).ok_or_else(wrong)?;
            Ok(ClockSpec::ByoYomi { base_ms, period_ms: seconds(period)?.clamp(1000, 3_600_000), periods })
        }
        None => {
            let increment_ms = seconds(rest)?;
            let none = base_ms + increment_ms == 0;
            if none { Err(wrong()) } else { Ok(ClockSpec::Fischer { base_ms, increment_ms }) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_in_words() {
        let byo = ClockSpec::ByoYomi { base_ms: 600_000, period_ms: 30_000, periods: 3 };
        for (text, spec) in [
            ("none", Some(ClockSpec::None)),
            ("300+5", Some(ClockSpec::Fischer { base_ms: 300_000, increment_ms: 5000 })),
            ("90", Some(ClockSpec::Fischer { base_ms: 90_000, increment_ms: 0 })),
            ("600+3x30", Some(byo)),
            ("10/move", Some(ClockSpec::per_move(10_000))),
            ("3d/move", Some(ClockSpec::per_move(259_200_000))),
            ("3d/weekdays", Some(ClockSpec::PerMove { turn_ms: 259_200_000, weekend_pause: true })),
            ("4d/weekdays", None),
            ("30/weekdays", None),
            ("4d/move", None),
            ("d/move", None),
            ("0", None),
            ("5m", None),
            ("1+x", None),
            ("9999999999999999999999", None),
        ] {
            assert_eq!(parse(text).ok(), spec, "{text}");
        }
    }

    /// Saturday, 3 January 2026, 12:00 UTC.
    const SATURDAY_MS: u64 = 1_767_441_600_000;

    #[test]
    fn a_weekend_is_not_counted_down() {
        let weekdays = ClockSpec::PerMove { turn_ms: 3 * DAY_MS, weekend_pause: true };
        assert_eq!(counted(weekdays, DAY_MS, SATURDAY_MS), DAY_MS / 2, "from noon to noon");
        assert_eq!(counted(weekdays, 1000, SATURDAY_MS), 0);
        assert_eq!(counted(ClockSpec::per_move(3 * DAY_MS), DAY_MS, SATURDAY_MS), DAY_MS);
        assert_eq!(name(weekdays, Language::English), "3 days a move, weekends off");
    }

    #[test]
    fn times_are_read() {
        for (ms, shown) in [
            (9440, "0:09.4"),
            (10_001, "0:11"),
            (59_900, "1:00"),
            (754_000, "12:34"),
            (3_723_000, "1:02:03"),
            (190_000_000, "2 d 4 h"),
        ] {
            assert_eq!(text(ms, Language::English), shown);
        }
        assert_eq!(text(190_000_000, Language::Chinese), "2 天 4 时");
    }

    #[test]
    fn a_turn_costs_what_it_took_and_earns_its_increment() {
        let mut clock = Clock::new(ClockSpec::Fischer { base_ms: 60_000, increment_ms: 2000 }).unwrap();
        clock.pass_to(Some(Side::First), 1000);
        clock.pass_to(Some(Side::Second), 11_000);
        assert_eq!(clock.face(16_000).ms, [52_000, 55_000]);
        assert_eq!(clock.fallen(70_999), None);
        assert_eq!(clock.fallen(71_000), Some(Side::Second));
    }

    #[test]
    fn a_period_is_full_again_after_the_turn() {
        let mut clock =
            Clock::new(ClockSpec::ByoYomi { base_ms: 1000, period_ms: 5000, periods: 2 }).unwrap();
        clock.pass_to(Some(Side::First), 0);
        assert_eq!(clock.face(4000).ms[0], 2000, "in the first period");
        clock.pass_to(Some(Side::Second), 4000);
        assert_eq!((clock.face(4000).ms[0], clock.face(4000).periods), (5000, Some([2, 2])));
        clock.pass_to(Some(Side::First), 4500);
        assert_eq!(clock.face(10_000).periods, Some([1, 2]), "the first period is used up");
        assert_eq!(clock.fallen(14_500), Some(Side::First));
    }
}
