//! Players who have left a game: a player who is away for long while it is their move. The other may claim the win.

use kernel::Side;
use wire::How;

use crate::clock::budget_ms;
use crate::entry::Setup;
use crate::first::{MINUTE_MS, SECOND_MS, TURNS};
use crate::state::State;

/// The reason of the end: the message `reason-left`.
pub const LEFT: &str = "left";
/// The limits for games of less than 3, 8 and 25 minutes for each side, and for longer ones.
const BY_LENGTH_MS: [(u64, u64); 4] = [
    (3 * MINUTE_MS, 20 * SECOND_MS),
    (8 * MINUTE_MS, 40 * SECOND_MS),
    (25 * MINUTE_MS, MINUTE_MS),
    (u64::MAX, 2 * MINUTE_MS),
];
/// The limit for games without a clock, which would otherwise not end.
const WITHOUT_CLOCK_MS: u64 = 3 * MINUTE_MS;

/// Returns the time after which a player who is away on their move counts as having left; `None` where the opponent
/// does not wait: on one screen, and in slow games, in which players come and go.
#[must_use]
pub fn left_after_ms(setup: &Setup) -> Option<u64> {
    if setup.how == How::Screen || setup.clock.days_a_move().is_some() {
        return None;
    }
    let Some((base_ms, turn_ms)) = budget_ms(setup.clock) else { return Some(WITHOUT_CLOCK_MS) };
    let length_ms = base_ms.saturating_add(turn_ms.saturating_mul(TURNS));
    BY_LENGTH_MS.into_iter().find(|(below_ms, _)| length_ms < *below_ms).map(|(_, after_ms)| after_ms)
}

impl State {
    /// Records whether a player is at the table.
    pub fn note_here(&mut self, side: Side, is_here: bool, now_ms: u64) {
        let gone_ms = &mut self.gone_ms[side.index()];
        if is_here {
            *gone_ms = None;
        } else {
            gone_ms.get_or_insert(now_ms);
        }
    }

    /// Returns the side that is away on its move, and the milliseconds after which the other may claim the win; 0:
    /// now.
    #[must_use]
    pub fn claim_ms(&self, now_ms: u64) -> Option<(Side, u64)> {
        let people = self.seats.iter().flatten().all(|player| player.engine.is_none());
        if !self.is_on() || !self.in_earnest() || !people {
            return None;
        }
        let side = self.turn();
        let away_ms = now_ms.saturating_sub(self.gone_ms[side.index()]?.max(self.turned_ms));
        Some((side, left_after_ms(&self.setup)?.saturating_sub(away_ms)))
    }
}
