//! Catches a clock with a weekend pause whose flag, price of a move and face do not agree.

use kernel::Side::{First, Second};
use kernel::laws::Random;
use table::clock::Clock;
use wire::ClockSpec;

const DAY_MS: u64 = 86_400_000;
/// Thursday, 1 January 2026, 00:00 UTC.
const THURSDAY_MS: u64 = 1_767_225_600_000;
/// Lag that a move without a round trip is given back, in milliseconds.
const LAG_MS: u64 = 40;

fn running(spec: ClockSpec, since_ms: u64) -> Clock {
    let mut clock = Clock::new(spec);
    clock.run(First);
    clock.start(since_ms);
    clock
}

#[test]
fn what_is_shown_what_is_charged_and_the_flag_agree() {
    let mut random = Random(53);
    for days in wire::DAYS_A_MOVE {
        let spec = ClockSpec::PerMove { turn_ms: days * DAY_MS, weekend_pause: true };
        for _ in 0..500 {
            let since_ms = THURSDAY_MS + random.below(40 * 86_400) as u64 * 1_000;
            let clock = running(spec, since_ms);
            let deadline_ms = clock.deadline_ms().expect("runs");
            assert_eq!(deadline_ms, spec.deadline_ms(since_ms, days * DAY_MS));
            let shown_ms = |at_ms| clock.face(at_ms).expect("kept").ms[0];
            assert_eq!((shown_ms(deadline_ms - 1), shown_ms(deadline_ms)), (1, 0), "{since_ms}, {days}");
            let at_ms =
                since_ms + random.below(usize::try_from(deadline_ms - since_ms).expect("small")) as u64;
            let (used_ms, cost_ms) = (days * DAY_MS - shown_ms(at_ms), clock.cost(at_ms, 0));
            assert_eq!(cost_ms, used_ms - used_ms.min(LAG_MS), "{since_ms}, {days}: at {at_ms}");
            assert!(!clock.too_late(used_ms) && clock.too_late(clock.cost(deadline_ms, 0) + LAG_MS));
        }
    }
}

#[test]
fn a_vacation_over_weekends_costs_nothing() {
    let mut random = Random(59);
    let spec = ClockSpec::PerMove { turn_ms: 5 * DAY_MS, weekend_pause: true };
    for _ in 0..500 {
        let since_ms = THURSDAY_MS + random.below(40 * 86_400) as u64 * 1_000;
        let held_ms = since_ms + random.below(4 * 86_400) as u64 * 1_000;
        let back_ms = held_ms + random.below(30 * 86_400) as u64 * 1_000;
        let mut clock = running(spec, since_ms);
        clock.hold(held_ms);
        let left_ms = clock.face(back_ms).expect("kept").ms[0];
        assert_eq!(left_ms, 5 * DAY_MS - spec.counted_ms(since_ms, held_ms));
        clock.resume(back_ms);
        assert_eq!(
            clock.face(back_ms).expect("kept").ms[0],
            left_ms,
            "from {since_ms}, {held_ms}, {back_ms}"
        );
        assert_eq!(clock.deadline_ms(), Some(spec.deadline_ms(back_ms, left_ms)));
        clock.charge(clock.cost(back_ms, 0), back_ms);
        clock.settle(First, true);
        clock.run(Second);
        clock.start(back_ms);
        assert_eq!(clock.deadline_ms(), Some(spec.deadline_ms(back_ms, 5 * DAY_MS)), "the whole turn");
    }
}
