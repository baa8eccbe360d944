//! Catches a clock with a weekend pause whose deadline, time used and time left do not agree.

use kernel::laws::Random;
use wire::ClockSpec;

const DAY_MS: u64 = 86_400_000;
const HOUR_MS: u64 = 3_600_000;
/// Thursday, 1 January 2026, 00:00 UTC.
const THURSDAY_MS: u64 = 1_767_225_600_000;
const ALWAYS: ClockSpec = ClockSpec::per_move(3 * DAY_MS);
const WEEKDAYS: ClockSpec = ClockSpec::PerMove { turn_ms: 3 * DAY_MS, weekend_pause: true };

#[test]
fn deadlines_leave_weekends_out() {
    let at = |days: u64, hours: u64| THURSDAY_MS + days * DAY_MS + hours * HOUR_MS;
    for (name, from_ms, days, deadline_ms) in [
        ("within the week", at(0, 9), 1, at(1, 9)),
        ("until Friday is over", at(0, 0), 2, at(2, 0)),
        ("over a weekend", at(1, 9), 1, at(4, 9)),
        ("from a Saturday", at(2, 15), 1, at(5, 0)),
        ("from a Sunday, for a week", at(3, 23), 5, at(9, 0)),
        ("two weeks", at(0, 9), 14, at(18 + 2, 9)),
        ("nothing, on a Saturday", at(2, 15), 0, at(2, 15)),
    ] {
        let found_ms = WEEKDAYS.deadline_ms(from_ms, days * DAY_MS);
        let hours = |ms: u64| (ms - THURSDAY_MS) / HOUR_MS;
        assert_eq!(hours(found_ms), hours(deadline_ms), "{name}");
        assert_eq!(ALWAYS.deadline_ms(from_ms, days * DAY_MS), from_ms + days * DAY_MS, "{name}");
    }
    assert_eq!(WEEKDAYS.counted_ms(at(2, 0), at(4, 0)), 0, "nothing is counted on a weekend");
}

/// Returns any two moments within some years of each other, and some budget.
fn some(random: &mut Random) -> (u64, u64, u64) {
    let mut time = |most: u64| {
        let ms = random.below(usize::try_from(most / 1000).expect("small")) as u64 * 1000;
        // Often at the very edge of a day.
        if random.below(3) == 0 { ms / DAY_MS * DAY_MS } else { ms + random.below(1000) as u64 }
    };
    let from_ms = THURSDAY_MS + time(900 * DAY_MS);
    (from_ms, from_ms + time(40 * DAY_MS), time(30 * DAY_MS))
}

#[test]
fn counted_time_adds_up_and_is_inverted() {
    let mut random = Random(20_260_101);
    for _ in 0..20_000 {
        let (from_ms, to_ms, budget_ms) = some(&mut random);
        let between_ms = from_ms + (to_ms - from_ms) / 3;
        for clock in [ALWAYS, WEEKDAYS] {
            let told = format!("{clock:?} from {from_ms} to {to_ms}, {budget_ms}");
            let whole_ms = clock.counted_ms(from_ms, to_ms);
            let parts_ms = clock.counted_ms(from_ms, between_ms) + clock.counted_ms(between_ms, to_ms);
            assert_eq!(whole_ms, parts_ms, "{told}");
            let deadline_ms = clock.deadline_ms(from_ms, budget_ms);
            assert_eq!(clock.counted_ms(from_ms, deadline_ms), budget_ms, "{told}");
            assert!(
                budget_ms == 0 || clock.counted_ms(from_ms, deadline_ms - 1) < budget_ms,
                "{told}: the first"
            );
            let half_ms = budget_ms / 2;
            let twice_ms = clock.deadline_ms(clock.deadline_ms(from_ms, half_ms), budget_ms - half_ms);
            assert_eq!(twice_ms, deadline_ms, "{told}: additive");
            assert!(clock.deadline_ms(from_ms, budget_ms + 1) > deadline_ms, "{told}: monotone");
            assert!(clock.deadline_ms(to_ms, budget_ms) >= deadline_ms, "{told}: monotone");
            let begun_ms = clock.begun_ms(to_ms, budget_ms);
            assert_eq!(clock.counted_ms(begun_ms, to_ms), budget_ms, "{told}: gone on");
        }
        assert!(WEEKDAYS.counted_ms(from_ms, to_ms) <= to_ms - from_ms);
        let monday_ms = |at_ms: u64| (at_ms + 3 * DAY_MS) % (7 * DAY_MS);
        let same_week = monday_ms(from_ms) + (to_ms - from_ms) == monday_ms(to_ms);
        if same_week && monday_ms(to_ms) <= 5 * DAY_MS {
            assert_eq!(WEEKDAYS.counted_ms(from_ms, to_ms), to_ms - from_ms, "no weekend lies between");
        }
    }
    for clock in [ALWAYS, WEEKDAYS] {
        assert_eq!(clock.deadline_ms(u64::MAX, u64::MAX), u64::MAX, "{clock:?}: there is no later moment");
        assert_eq!(clock.counted_ms(7, 3), 0, "{clock:?}: backwards");
    }
}
