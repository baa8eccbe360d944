//! Thinking time. The caller passes in the time, so tests need not wait.
//!
//! All moments are milliseconds of one clock that never jumps. A turn may have several plies: the time that they used
//! is summed up and settled once, when the turn passes.
//!
//! A side is charged from the moment it was *told* that it is its turn to the moment its move *arrived*, less the
//! time the messages were under way. So a clock is first [set](Clock::run) to run and [starts](Clock::start) later,
//! when the event is on disk and told. The time that the disk needs is charged to neither side.

use kernel::Side;
use wire::{ClockFace, ClockSpec};

/// The largest lag that is assumed for one ply, whatever the round trips of a connection are: a player who delays
/// messages to look far away gains no more than this.
pub const LONGEST_LAG_MS: u64 = 400;
/// The largest gain of the lag quota in one turn, in milliseconds. A side is given back at most a quota of lag that
/// grows with every turn (the idea of lila's `LagTracker`).
const GAIN_CAP_MS: u64 = 120;
/// The lag quota at the start and, in the next constant, at most; both in gains.
const QUOTA_START: u64 = 3;
const QUOTA_CAP: u64 = 6;
/// The lag that is trusted on top of the measured round trip, in milliseconds: the time a browser needs to draw and
/// to send.
const TRUSTED_EXTRA_MS: u64 = 40;

/// The two clocks of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    spec: ClockSpec,
    sides: [Time; 2],
    running: Option<Running>,
}

/// The time of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Time {
    /// The time left of the base time.
    left_ms: u64,
    /// Byo-yomi periods left.
    periods: u8,
    /// The time used in the turn that is not settled yet.
    turn_ms: u64,
    /// The lag that may still be given back.
    quota_ms: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Running {
    side: Side,
    /// The moment at which the side was told; `None` until then.
    since_ms: Option<u64>,
    /// The moment since which the clock is stopped.
    held_ms: Option<u64>,
}

impl Running {
    fn elapsed(&self, spec: ClockSpec, now_ms: u64) -> u64 {
        let now_ms = self.held_ms.map_or(now_ms, |held| held.min(now_ms));
        self.since_ms.map_or(0, |since| spec.counted_ms(since, now_ms))
    }
}

impl Clock {
    /// Builds both clocks, full and at rest.
    #[must_use]
    pub fn new(spec: ClockSpec) -> Clock {
        let (left_ms, periods) = match spec {
            ClockSpec::None => (0, 0),
            ClockSpec::Fischer { base_ms, increment_ms } => (base_ms.max(increment_ms), 0),
            ClockSpec::ByoYomi { base_ms, periods, .. } => (base_ms, periods),
            ClockSpec::PerMove { turn_ms, .. } => (turn_ms, 0),
        };
        let quota_ms = QUOTA_START * quota_gain(spec);
        Clock { spec, sides: [Time { left_ms, periods, turn_ms: 0, quota_ms }; 2], running: None }
    }

    /// Returns true if there are clocks at all.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.spec != ClockSpec::None
    }

    /// Returns the side whose clock runs.
    #[must_use]
    pub fn running(&self) -> Option<Side> {
        self.running.map(|r| r.side)
    }

    /// Sets the clock of `side` to run once it is [started](Clock::start). Does nothing where no clocks are kept.
    pub fn run(&mut self, side: Side) {
        if self.is_kept() {
            self.running = Some(Running { side, since_ms: None, held_ms: None });
        }
    }

    /// Starts the clock of the side to move at `now_ms`, when it has been told, unless it runs already.
    pub fn start(&mut self, now_ms: u64) {
        if let Some(running) = &mut self.running {
            running.since_ms.get_or_insert(now_ms);
        }
    }

    /// Stops the running clock from `now` on: the side to move is on vacation, or the store is away. A clock that
    /// stands still stays as it is.
    pub fn hold(&mut self, now_ms: u64) {
        if let Some(running) = &mut self.running {
            running.held_ms.get_or_insert(now_ms);
        }
    }

    /// Lets the stopped clock go on at `now_ms`: the time between is charged to neither side.
    pub fn resume(&mut self, now_ms: u64) {
        if let Some(running) = &mut self.running
            && let Some(held) = running.held_ms.take()
        {
            let spec = self.spec;
            running.since_ms =
                running.since_ms.map(|since| spec.begun_ms(now_ms, spec.counted_ms(since, held)));
        }
    }

    /// Returns the moment since which the running clock is stopped.
    #[must_use]
    pub fn held_ms(&self) -> Option<u64> {
        self.running?.held_ms
    }

    /// Returns the time that the side to move may still use, counted from when its clock starts or has started;
    /// `None` while no clock is set to run.
    #[must_use]
    pub fn left_ms(&self) -> Option<u64> {
        self.running.map(|running| self.budget(running.side))
    }

    /// Returns the moment since which the clock of the side to move has run.
    #[must_use]
    pub fn since_ms(&self) -> Option<u64> {
        self.running?.since_ms
    }

    /// Stops both clocks; nothing is charged.
    pub fn stop(&mut self) {
        self.running = None;
    }

    /// Returns the cost of a ply for the side that runs: from when its clock started to when the ply arrived, less
    /// the lag it is given back. `lag_ms` is the round trip as the hall measured it.
    #[must_use]
    pub fn cost(&self, arrived_ms: u64, lag_ms: u64) -> u64 {
        let Some(running) = self.running else { return 0 };
        let elapsed = running.elapsed(self.spec, arrived_ms);
        let quota = self.sides[running.side.index()].quota_ms;
        elapsed - elapsed.min(quota).min(lag_ms.min(LONGEST_LAG_MS) + TRUSTED_EXTRA_MS)
    }

    /// Returns true if a ply of that cost comes too late.
    #[must_use]
    pub fn too_late(&self, cost_ms: u64) -> bool {
        self.running.is_some_and(|r| cost_ms > 0 && self.budget(r.side) <= cost_ms)
    }

    /// Charges the side that runs `cost_ms` for a ply that arrived at `arrived_ms`. Its clock rests until it is set to
    /// run again.
    pub fn charge(&mut self, cost_ms: u64, arrived_ms: u64) {
        let Some(running) = &mut self.running else { return };
        let time = &mut self.sides[running.side.index()];
        let given_back = running.elapsed(self.spec, arrived_ms).saturating_sub(cost_ms);
        time.quota_ms -= given_back.min(time.quota_ms);
        time.turn_ms += cost_ms;
        (running.since_ms, running.held_ms) = (None, None);
    }

    /// Settles the turn of `side`: the time that it used is taken off, and its increment given when `earned`.
    pub fn settle(&mut self, side: Side, earned: bool) {
        let gain = quota_gain(self.spec);
        let time = &mut self.sides[side.index()];
        let used = std::mem::take(&mut time.turn_ms);
        match self.spec {
            ClockSpec::None | ClockSpec::PerMove { .. } => {}
            ClockSpec::Fischer { increment_ms, .. } => {
                let bonus = if earned { increment_ms } else { 0 };
                time.left_ms = time.left_ms.saturating_sub(used) + bonus;
            }
            ClockSpec::ByoYomi { period_ms, .. } => {
                let over = used.saturating_sub(time.left_ms);
                time.left_ms = time.left_ms.saturating_sub(used);
                time.periods = time.periods.saturating_sub(whole_periods(over, period_ms)).max(1);
            }
        }
        time.quota_ms = (time.quota_ms + gain).min(QUOTA_CAP * gain);
    }

    /// Marks the time of `side` as used up.
    pub fn run_out(&mut self, side: Side) {
        let time = &mut self.sides[side.index()];
        (time.left_ms, time.periods, time.turn_ms) = (0, 0, 0);
        self.running = None;
    }

    /// Returns the moment at which the time of the side that runs is up; `None` while no clock has started, or it is
    /// stopped.
    #[must_use]
    pub fn deadline_ms(&self) -> Option<u64> {
        let running = self.running.filter(|running| running.held_ms.is_none())?;
        Some(self.spec.deadline_ms(running.since_ms?, self.budget(running.side)))
    }

    /// Returns the grace time after the deadline in which a move of the side that runs may still arrive.
    #[must_use]
    pub fn grace_ms(&self) -> u64 {
        let most = LONGEST_LAG_MS + TRUSTED_EXTRA_MS;
        self.running.map_or(0, |r| self.sides[r.side.index()].quota_ms.min(most))
    }

    /// Returns the clocks as they are shown at `now_ms`; `None` where none are kept.
    #[must_use]
    pub fn face(&self, now_ms: u64) -> Option<ClockFace> {
        if !self.is_kept() {
            return None;
        }
        let shown = Side::BOTH.map(|side| self.shown(side, now_ms));
        let byo_yomi = matches!(self.spec, ClockSpec::ByoYomi { .. });
        let side_that = |is: &dyn Fn(&Running) -> bool| self.running.filter(is).map(|running| running.side);
        Some(ClockFace {
            ms: shown.map(|(ms, ..)| ms),
            periods: byo_yomi.then(|| shown.map(|(_, periods, _)| periods)),
            byo: byo_yomi.then(|| shown.map(|(.., byo)| byo)),
            run: side_that(&|running| running.held_ms.is_none()),
            held: side_that(&|running| running.held_ms.is_some() && self.spec.days_a_move().is_some()),
        })
    }

    /// Returns the time that `side` may still use in this turn.
    fn budget(&self, side: Side) -> u64 {
        let time = self.sides[side.index()];
        let all = match self.spec {
            ClockSpec::ByoYomi { period_ms, .. } => time.left_ms + u64::from(time.periods) * period_ms,
            _ => time.left_ms,
        };
        all.saturating_sub(time.turn_ms)
    }

    /// Returns the milliseconds on the clock of `side` as shown, its periods, and whether its base time is used up.
    fn shown(&self, side: Side, now_ms: u64) -> (u64, u8, bool) {
        let time = self.sides[side.index()];
        let since = self.running.filter(|r| r.side == side).map_or(0, |r| r.elapsed(self.spec, now_ms));
        let used = time.turn_ms + since;
        let ClockSpec::ByoYomi { period_ms, .. } = self.spec else {
            return (time.left_ms.saturating_sub(used), 0, false);
        };
        if used < time.left_ms {
            return (time.left_ms - used, time.periods, false);
        }
        let over = used - time.left_ms;
        match time.periods.checked_sub(whole_periods(over, period_ms)) {
            None | Some(0) => (0, 0, true),
            Some(periods) => (period_ms - over % period_ms, periods, true),
        }
    }
}

fn whole_periods(over_ms: u64, period_ms: u64) -> u8 {
    u8::try_from(over_ms / period_ms).unwrap_or(u8::MAX)
}

/// Returns the gain of the quota by a turn, more in longer games: `4 ms` for each second of a game of 40 turns, and
/// 50 ms.
fn quota_gain(spec: ClockSpec) -> u64 {
    let total_ms = match spec {
        ClockSpec::None => 0,
        ClockSpec::Fischer { base_ms, increment_ms } => base_ms + 40 * increment_ms,
        ClockSpec::ByoYomi { base_ms, period_ms, .. } => base_ms + 25 * period_ms,
        ClockSpec::PerMove { turn_ms, .. } => 40 * turn_ms,
    };
    (total_ms / 1000 * 4 + 50).min(GAIN_CAP_MS)
}

/// Returns the time of a side for the whole game and its gain for each turn, both in milliseconds: the increment, a
/// period of byo-yomi, or all there is. `None`: no time is kept.
#[must_use]
pub fn budget_ms(spec: ClockSpec) -> Option<(u64, u64)> {
    match spec {
        ClockSpec::None => None,
        ClockSpec::Fischer { base_ms, increment_ms } => Some((base_ms, increment_ms)),
        ClockSpec::ByoYomi { base_ms, period_ms, .. } => Some((base_ms, period_ms)),
        ClockSpec::PerMove { turn_ms, .. } => Some((0, turn_ms)),
    }
}

/// Checks that a requested time control is within bounds.
///
/// # Errors
/// `clock-out-of-range` with the field and its range; `clock-days` where there are other days for a turn than slow games have;
/// `weekend-pause-needs-days` where a turn has no days.
pub fn check(spec: ClockSpec) -> Result<(), kernel::Problem> {
    const SECOND: u64 = 1000;
    const HOUR: u64 = 3600 * SECOND;
    let within = |name: &'static str, value: u64, low: u64, high: u64| {
        if (low..=high).contains(&value) {
            return Ok(());
        }
        let problem = kernel::Problem::new("clock-out-of-range").with("field", name).with("value", value);
        Err(problem.with("min", low).with("max", high))
    };
    match spec {
        ClockSpec::None => Ok(()),
        ClockSpec::Fischer { base_ms, increment_ms } => {
            within("base_ms", base_ms, if increment_ms == 0 { SECOND } else { 0 }, 24 * HOUR)?;
            within("increment_ms", increment_ms, 0, HOUR / 6)
        }
        ClockSpec::ByoYomi { base_ms, period_ms, periods } => {
            within("base_ms", base_ms, 0, 24 * HOUR)?;
            within("period_ms", period_ms, SECOND, HOUR)?;
            within("periods", u64::from(periods), 1, 50)
        }
        ClockSpec::PerMove { weekend_pause: true, .. } if spec.days_a_move().is_none() => {
            Err(kernel::Problem::new("weekend-pause-needs-days"))
        }
        ClockSpec::PerMove { turn_ms, .. } if turn_ms > 24 * HOUR => match spec.days_a_move() {
            Some(_) => Ok(()),
            None => {
                let days = turn_ms as f64 / (24 * HOUR) as f64;
                Err(kernel::Problem::new("clock-days").with("field", "turn_ms").with("days", days))
            }
        },
        ClockSpec::PerMove { turn_ms, .. } => within("turn_ms", turn_ms, SECOND, 24 * HOUR),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{First, Second};

    const FISCHER: ClockSpec = ClockSpec::Fischer { base_ms: 60_000, increment_ms: 2_000 };
    const BYO_YOMI: ClockSpec = ClockSpec::ByoYomi { base_ms: 10_000, period_ms: 5_000, periods: 3 };

    fn running(spec: ClockSpec, side: Side, since_ms: u64) -> Clock {
        let mut clock = Clock::new(spec);
        clock.run(side);
        clock.start(since_ms);
        clock
    }

    /// First thinks for `think_ms` (one ply, no lag to speak of), and its turn passes.
    fn after_turn(spec: ClockSpec, think_ms: u64) -> ClockFace {
        let mut clock = running(spec, First, 1_000);
        clock.charge(think_ms, 1_000 + think_ms);
        clock.settle(First, true);
        clock.run(Second);
        clock.start(1_000 + think_ms);
        clock.face(1_000 + think_ms).expect("kept")
    }

    #[test]
    fn a_turn_costs_what_the_rules_of_the_clock_say() {
        for (name, spec, think_ms, ms, periods) in [
            ("Fischer: time off, increment on", FISCHER, 10_000, 52_000, None),
            ("byo-yomi: within the base time", BYO_YOMI, 4_000, 6_000, Some(3)),
            ("byo-yomi: into the first period costs none", BYO_YOMI, 14_000, 5_000, Some(3)),
            ("byo-yomi: a whole period costs one", BYO_YOMI, 15_000, 5_000, Some(2)),
            ("byo-yomi: two and a half cost two", BYO_YOMI, 22_500, 5_000, Some(1)),
            ("per move: full again", ClockSpec::per_move(30_000), 29_000, 30_000, None),
        ] {
            let face = after_turn(spec, think_ms);
            assert_eq!((face.ms[0], face.periods.map(|p| p[0])), (ms, periods), "{name}");
            assert_eq!(face.run, Some(wire::Side::Second), "{name}");
        }
    }

    const DAY: u64 = 86_400_000;
    const THREE_DAYS: ClockSpec = ClockSpec::per_move(3 * DAY);

    #[test]
    fn days_for_a_turn_are_those_of_the_list() {
        for (days, ok) in [(1, true), (2, true), (3, true), (5, true), (7, true), (14, true)]
            .into_iter()
            .chain([(4, false), (6, false), (15, false), (365, false)])
        {
            assert_eq!(check(ClockSpec::per_move(days * DAY)).is_ok(), ok, "{days} days");
        }
        assert!(check(ClockSpec::per_move(DAY + 1)).is_err(), "a day and a bit");
        assert_eq!((THREE_DAYS.days_a_move(), FISCHER.days_a_move()), (Some(3), None));
    }

    #[test]
    fn a_vacation_holds_the_clock_and_nothing_else() {
        let mut clock = running(THREE_DAYS, First, 0);
        assert_eq!((clock.deadline_ms(), clock.left_ms()), (Some(3 * DAY), Some(3 * DAY)));
        clock.hold(DAY);
        clock.hold(2 * DAY);
        assert_eq!((clock.deadline_ms(), clock.held_ms()), (None, Some(DAY)), "held from the first day on");
        let face = clock.face(9 * DAY).expect("kept");
        assert_eq!((face.ms[0], face.run, face.held), (2 * DAY, None, Some(wire::Side::First)));
        assert_eq!(
            clock.cost(9 * DAY, 0),
            DAY - TRUSTED_EXTRA_MS,
            "who moves on vacation pays what they thought"
        );
        clock.resume(11 * DAY);
        clock.resume(12 * DAY);
        assert_eq!(clock.deadline_ms(), Some(13 * DAY), "two days are left");
        clock.charge(2 * DAY, 12 * DAY);
        clock.settle(First, true);
        clock.run(Second);
        clock.hold(12 * DAY);
        clock.start(12 * DAY + 5);
        assert_eq!(clock.cost(15 * DAY, 0), 0, "held before it was told");
        clock.resume(20 * DAY);
        assert_eq!(clock.deadline_ms(), Some(23 * DAY), "the whole turn is left");
    }

    #[test]
    fn an_outage_holds_a_clock_of_minutes_and_nobody_is_told_of_a_vacation() {
        let mut clock = running(FISCHER, First, 1_000);
        clock.hold(6_000);
        let face = clock.face(500_000).expect("kept");
        assert_eq!((face.ms[0], face.run, face.held), (55_000, None, None));
        assert_eq!((clock.deadline_ms(), clock.cost(500_000, 0)), (None, 5_000 - TRUSTED_EXTRA_MS));
        let mut late = running(FISCHER, First, 9_000);
        late.hold(6_000);
        assert_eq!(late.cost(500_000, 0), 0, "told after the store was last heard of");
    }

    #[test]
    fn the_deadline_counts_base_time_and_all_periods() {
        for (name, spec, deadline) in [
            ("Fischer", FISCHER, 60_000),
            ("byo-yomi", BYO_YOMI, 25_000),
            ("per move", ClockSpec::per_move(7_000), 7_000),
        ] {
            let clock = running(spec, First, 0);
            assert_eq!(clock.deadline_ms(), Some(deadline), "{name}");
            assert!(!clock.too_late(deadline - 1), "{name}: a moment before");
            assert!(clock.too_late(deadline), "{name}: at the deadline");
        }
    }

    #[test]
    fn nobody_pays_until_the_turn_was_told() {
        let mut clock = Clock::new(FISCHER);
        clock.run(First);
        assert_eq!((clock.deadline_ms(), clock.cost(9_000, 0)), (None, 0), "the disk is slow");
        assert_eq!(clock.face(9_000).expect("kept").ms, [60_000, 60_000]);
        clock.start(9_000);
        clock.start(9_500);
        assert_eq!(clock.cost(10_000, 0), 1_000 - TRUSTED_EXTRA_MS, "from when it was told first");
    }

    #[test]
    fn several_plies_of_one_turn_share_its_time() {
        let mut clock = running(BYO_YOMI, First, 0);
        clock.charge(9_000, 9_000);
        clock.run(First);
        clock.start(9_100);
        clock.charge(4_000, 13_100);
        clock.run(First);
        clock.start(13_200);
        assert_eq!(clock.face(14_200).expect("kept").ms[0], 1_000, "one second of the first period is left");
        clock.settle(First, true);
        assert_eq!(clock.face(14_200).expect("kept").periods, Some([3, 3]), "no period was used up");
    }

    #[test]
    fn lag_is_given_back_within_the_round_trip_and_the_quota() {
        let mut clock = running(FISCHER, First, 0);
        let quota = QUOTA_START * quota_gain(FISCHER);
        assert_eq!(clock.cost(1_000, 160), 800, "the round trip and 40 ms");
        assert_eq!(clock.cost(100, 160), 0, "never more than was used");
        assert_eq!(clock.cost(60_000, 50_000), 60_000 - quota, "never more than the quota");
        clock.charge(60_000 - quota, 60_000);
        clock.run(First);
        clock.start(60_000);
        assert_eq!(clock.cost(61_000, 50_000), 1_000, "the quota is used up");
    }

    #[test]
    fn answers_held_back_gain_little() {
        let mut clock = Clock::new(FISCHER);
        let (mut now, mut charged) = (0, 0);
        for _ in 0..6 {
            clock.run(First);
            clock.start(now);
            now += 1_000;
            let cost = clock.cost(now, 4_000);
            clock.charge(cost, now);
            clock.settle(First, true);
            charged += cost;
        }
        assert!(charged >= 5_000, "six turns of a second cost {charged} ms");
    }

    #[test]
    fn time_is_conserved() {
        let mut random = kernel::laws::Random(7);
        let mut clock = Clock::new(FISCHER);
        let (mut now, mut used, mut turns, mut side) = (0, [0, 0], [0, 0], First);
        for _ in 0..60 {
            clock.run(side);
            now += random.below(300) as u64;
            clock.start(now);
            now += random.below(900) as u64;
            let cost = clock.cost(now, 20);
            clock.charge(cost, now);
            clock.settle(side, true);
            used[side.index()] += cost;
            turns[side.index()] += 1;
            side = side.other();
        }
        let face = clock.face(now).expect("kept");
        for i in 0..2 {
            assert_eq!(face.ms[i] + used[i], 60_000 + turns[i] * 2_000, "side {i}");
        }
    }

    #[test]
    fn the_quota_for_lag_grows_with_the_length_of_the_game() {
        let fischer = |base_ms, increment_ms| ClockSpec::Fischer { base_ms, increment_ms };
        for (name, spec, gain_ms) in [
            ("no clock", ClockSpec::None, 50),
            ("a minute", fischer(60_000, 0), 290.min(GAIN_CAP_MS)),
            ("ten seconds", fischer(10_000, 0), 90),
            ("three seconds and one a turn, 40 turns", fischer(3_000, 1_000), 222.min(GAIN_CAP_MS)),
            ("half a second a turn", fischer(0, 250), 90),
            (
                "byo-yomi counts 25 periods",
                ClockSpec::ByoYomi { base_ms: 5_000, period_ms: 1_000, periods: 3 },
                170.min(GAIN_CAP_MS),
            ),
            ("short byo-yomi", ClockSpec::ByoYomi { base_ms: 2_000, period_ms: 500, periods: 3 }, 106),
            ("a second for each of 40 turns", ClockSpec::per_move(250), 90),
            ("a day", fischer(86_400_000, 0), GAIN_CAP_MS),
        ] {
            assert_eq!(quota_gain(spec), gain_ms, "{name}");
        }
    }

    #[test]
    fn a_game_has_so_much_time_and_a_turn_so_much_more() {
        for (name, spec, budget) in [
            ("no clock", ClockSpec::None, None),
            ("Fischer", FISCHER, Some((60_000, 2_000))),
            ("byo-yomi", BYO_YOMI, Some((10_000, 5_000))),
            ("per move", ClockSpec::per_move(7_000), Some((0, 7_000))),
        ] {
            assert_eq!(budget_ms(spec), budget, "{name}");
        }
    }

    #[test]
    fn a_move_may_be_late_by_its_lag_and_no_more() {
        let clock = Clock::new(FISCHER);
        assert_eq!((clock.grace_ms(), clock.since_ms()), (0, None), "no clock runs");
        let mut clock = running(FISCHER, First, 700);
        assert_eq!(clock.since_ms(), Some(700));
        let (quota, most) = (QUOTA_START * quota_gain(FISCHER), LONGEST_LAG_MS + TRUSTED_EXTRA_MS);
        assert_eq!(clock.grace_ms(), quota.min(most));
        let used = quota - 30;
        clock.charge(0, 700 + used);
        assert_eq!((clock.grace_ms(), clock.since_ms()), (30, None), "what is left of the quota");
        clock.settle(First, true);
        assert_eq!(clock.grace_ms(), 30 + quota_gain(FISCHER), "a turn gives some back");
        clock.settle(First, true);
        clock.settle(First, true);
        clock.settle(First, true);
        assert_eq!(clock.grace_ms(), most, "a large quota gives no more than the longest lag");
        clock.stop();
        assert_eq!((clock.running(), clock.grace_ms()), (None, 0));
    }

    #[test]
    fn who_ran_out_of_time_has_none() {
        let mut clock = running(BYO_YOMI, First, 0);
        clock.charge(1_000, 1_000);
        clock.run_out(First);
        let face = clock.face(9_000).expect("kept");
        assert_eq!((face.ms, face.periods, face.run), ([0, 10_000], Some([0, 3]), None));
        assert_eq!((clock.left_ms(), clock.deadline_ms()), (None, None));
    }

    #[test]
    fn the_face_counts_periods_once_the_base_time_is_used() {
        for (name, used_ms, shown, in_periods) in [
            ("within the base time", 9_999, (1, 3), false),
            ("the first period begins", 10_000, (5_000, 3), true),
            ("within it", 12_000, (3_000, 3), true),
            ("the last period", 20_001, (4_999, 1), true),
            ("all is used", 25_000, (0, 0), true),
            ("long ago", 99_000, (0, 0), true),
        ] {
            let face = running(BYO_YOMI, First, 0).face(used_ms).expect("kept");
            let got = (face.ms[0], face.periods.expect("byo-yomi")[0], face.byo.expect("byo-yomi"));
            assert_eq!(got, (shown.0, shown.1, [in_periods, false]), "{name}");
        }
    }

    #[test]
    fn wishes_out_of_range_are_refused() {
        for (name, spec, field) in [
            ("no time at all", ClockSpec::Fischer { base_ms: 0, increment_ms: 0 }, "base_ms"),
            (
                "an endless increment",
                ClockSpec::Fischer { base_ms: 0, increment_ms: 700_000 },
                "increment_ms",
            ),
            ("no period", ClockSpec::ByoYomi { base_ms: 0, period_ms: 5_000, periods: 0 }, "periods"),
            ("a period of nothing", ClockSpec::ByoYomi { base_ms: 0, period_ms: 0, periods: 1 }, "period_ms"),
            ("a century", ClockSpec::per_move(u64::MAX), "turn_ms"),
        ] {
            let problem = check(spec).expect_err(name);
            assert_eq!(problem.arg("field"), Some(field), "{name}");
        }
        assert_eq!(check(FISCHER), Ok(()));
    }

    #[test]
    fn the_longest_clock_is_allowed_and_a_moment_more_is_not() {
        let fischer = |base_ms, increment_ms| ClockSpec::Fischer { base_ms, increment_ms };
        let byo_yomi = |base_ms, period_ms, periods| ClockSpec::ByoYomi { base_ms, period_ms, periods };
        for (name, longest, longer, max) in [
            ("Fischer, base", fischer(DAY, 0), fischer(DAY + 1, 0), "86400000"),
            ("Fischer, increment", fischer(0, 600_000), fischer(0, 600_001), "600000"),
            ("byo-yomi, base", byo_yomi(DAY, 1_000, 1), byo_yomi(DAY + 1, 1_000, 1), "86400000"),
            ("byo-yomi, period", byo_yomi(0, 3_600_000, 1), byo_yomi(0, 3_600_001, 1), "3600000"),
            ("byo-yomi, periods", byo_yomi(0, 1_000, 50), byo_yomi(0, 1_000, 51), "50"),
        ] {
            assert_eq!(check(longest), Ok(()), "{name}");
            let problem = check(longer).expect_err(name);
            assert_eq!(problem.arg("max"), Some(max), "{name}: {problem}");
        }
        let problem = check(ClockSpec::per_move(4 * DAY)).expect_err("no slow game");
        assert_eq!(problem.arg("days"), Some("4"), "{problem}");
    }
}
