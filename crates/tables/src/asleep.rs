//! The moment at which a table that is not in memory is opened again.

use store::Asleep;
use table::State;

/// Returns the deadline of the side to move in a slow game, the time for a message under way included, or of its
/// first move; `None` where neither time is set to run.
#[must_use]
pub fn deadline(state: &State, now_ms: u64) -> Option<Asleep> {
    if let Some(left_ms) = state.first_left_ms(now_ms) {
        let since_ms = state.first.and_then(|first| first.since_ms).unwrap_or(now_ms);
        return Some(Asleep::until(since_ms, now_ms + left_ms));
    }
    if !state.is_slow() {
        return None;
    }
    let clock = &state.clock;
    let (turn, left_ms) = (clock.running()?, clock.left_ms()?);
    let since_ms = clock.since_ms().unwrap_or(now_ms);
    let deadline_ms = state.setup.clock.deadline_ms(since_ms, left_ms) + clock.grace_ms();
    Some(Asleep { since_ms, deadline_ms, turn: Some(turn), held_ms: clock.held_ms() })
}
