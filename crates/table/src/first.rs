//! The beginning of a game: the time for each side's first turn, and who is to blame when a game does not begin.
//!
//! Clocks do not run before both sides have finished a turn. Without a time limit of its own, a game whose player
//! makes no first move would never end, and the opponent who waits could only leave.

use kernel::Side;
use wire::How;

use crate::clock::budget_ms;
use crate::entry::{Event, Setup};
use crate::gone::LEFT;
use crate::state::State;

pub(crate) const SECOND_MS: u64 = 1_000;
pub(crate) const MINUTE_MS: u64 = 60 * SECOND_MS;
/// The number of turns for each side that a game is assumed to have, as for the speed classes.
pub(crate) const TURNS: u64 = 40;
/// The limits for games of less than 3, 8 and 25 minutes for each side, and for longer ones.
const BY_LENGTH_MS: [(u64, u64); 4] = [
    (3 * MINUTE_MS, 20 * SECOND_MS),
    (8 * MINUTE_MS, 30 * SECOND_MS),
    (25 * MINUTE_MS, 40 * SECOND_MS),
    (u64::MAX, MINUTE_MS),
];
/// The limit for strangers who play without a clock.
const WITHOUT_CLOCK_MS: u64 = 2 * MINUTE_MS;
/// The time away after which a player counts as having left a game that does not begin. A page that is loaded again,
/// or a phone that changes its network, is back before.
const AWAY_MS: u64 = 10 * SECOND_MS;

/// Returns the time limit for a side's first move, counted from when it is told that it is its turn; `None` where
/// there is no limit: on one screen, in slow games, whose clocks run from the beginning, and among friends without a
/// clock.
///
/// Friends, who may have sent each other a link, have twice as much as strangers.
#[must_use]
pub fn first_move_ms(setup: &Setup) -> Option<u64> {
    if setup.how == How::Screen || setup.clock.days_a_move().is_some() {
        return None;
    }
    let Some((base_ms, turn_ms)) = budget_ms(setup.clock) else {
        return (setup.how == How::Open).then_some(WITHOUT_CLOCK_MS);
    };
    let length_ms = base_ms.saturating_add(turn_ms.saturating_mul(TURNS));
    let (_, first_ms) = BY_LENGTH_MS.into_iter().find(|(below_ms, _)| length_ms < *below_ms)?;
    Some(if setup.how == How::Open { first_ms } else { 2 * first_ms })
}

/// The first turn of a side while it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FirstTurn {
    /// The side to move.
    pub side: Side,
    /// The time at which it was told, in the table's time; `None` until then.
    pub since_ms: Option<u64>,
    /// The most plies that the record has had in this turn: each ply of a turn of several gets the whole time, and one
    /// that is withdrawn and played again gets none.
    reached: usize,
}

impl FirstTurn {
    /// Returns the first turn of `side` with `plies` plies played: the one that runs already, or another one.
    #[must_use]
    pub(crate) fn goes_on(before: Option<FirstTurn>, side: Side, plies: usize) -> FirstTurn {
        match before {
            Some(first) if first.side == side && plies <= first.reached => first,
            _ => FirstTurn { side, since_ms: None, reached: plies },
        }
    }
}

/// Returns the side that is to blame for the end of a game between two people by that event: the one that has not
/// made a move in time, was away when the clock ran out, or leaves a game before it has begun. `here`: whether each
/// player is at the table.
///
/// The player who ends such a game is to blame, no matter whose move it is; otherwise sides could be chosen by
/// leaving again and again. But a player who has waited for a first move for half of its time may go, and so may one
/// whose opponent is away; then the opponent is to blame.
#[must_use]
pub fn blamed(state: &State, event: &Event, here: [bool; 2], now_ms: u64) -> Option<Side> {
    let people = state.seats.iter().flatten().filter(|player| player.engine.is_none()).count();
    if !state.is_on() || people < 2 {
        return None;
    }
    match event {
        Event::NotBegun { by } => Some(*by),
        Event::Abort { by } if here[by.other().index()] => {
            (*by == state.turn() || !lets_wait(state, now_ms)).then_some(*by)
        }
        Event::Abort { by } => has_gone(state, by.other(), now_ms).then_some(by.other()),
        Event::Flag { by } => (!here[by.index()]).then_some(*by),
        Event::Forfeit { by, reason } if reason == LEFT => Some(*by),
        _ => None,
    }
}

/// Returns true if the side to move has let the other wait for half of its time, or longer.
fn lets_wait(state: &State, now_ms: u64) -> bool {
    let first = state.first_left_ms(now_ms).zip(first_move_ms(&state.setup));
    let used = first.map(|(left_ms, whole_ms)| (whole_ms.saturating_sub(left_ms), whole_ms));
    let slow = state.clock.left_ms().map(|whole_ms| (state.clock.cost(now_ms, 0), whole_ms));
    used.or(slow).is_some_and(|(used_ms, whole_ms)| used_ms.saturating_mul(2) >= whole_ms)
}

/// Returns true if a player is away for long from a game in which a first move is waited for; in slow games players
/// come and go.
fn has_gone(state: &State, side: Side, now_ms: u64) -> bool {
    let away_ms = state.gone_ms[side.index()].map(|since_ms| now_ms.saturating_sub(since_ms));
    state.first.is_some() && away_ms.is_some_and(|away_ms| away_ms >= AWAY_MS)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use wire::ClockSpec;

    use super::*;

    fn setup(how: How, clock: ClockSpec) -> Setup {
        Setup {
            game: "gomoku/freestyle".to_owned(),
            options: BTreeMap::new(),
            map: None,
            fen: None,
            how,
            room: None,
            clock,
            rated: false,
            created_ms: 0,
            heading: None,
        }
    }

    #[test]
    fn the_time_for_a_first_move_follows_the_speed() {
        let fischer = |minutes, seconds| ClockSpec::Fischer {
            base_ms: minutes * MINUTE_MS,
            increment_ms: seconds * SECOND_MS,
        };
        for (name, how, clock, seconds) in [
            ("bullet", How::Open, fischer(1, 0), Some(20)),
            ("blitz", How::Open, fischer(5, 3), Some(30)),
            ("rapid", How::Open, fischer(10, 5), Some(40)),
            ("classical", How::Open, fischer(30, 20), Some(60)),
            (
                "byo-yomi",
                How::Open,
                ClockSpec::ByoYomi { base_ms: 0, period_ms: 30_000, periods: 3 },
                Some(40),
            ),
            ("a time for each move", How::Open, ClockSpec::per_move(4_000), Some(20)),
            ("friends", How::Invite, fischer(5, 3), Some(60)),
            ("a room", How::Room, fischer(1, 0), Some(40)),
            ("strangers without a clock", How::Open, ClockSpec::None, Some(120)),
            ("friends without a clock", How::Invite, ClockSpec::None, None),
            ("days", How::Open, ClockSpec::per_move(86_400_000), None),
            ("one screen", How::Screen, fischer(5, 3), None),
        ] {
            assert_eq!(first_move_ms(&setup(how, clock)), seconds.map(|s| s * SECOND_MS), "{name}");
        }
    }

    #[test]
    fn a_ply_that_is_played_again_gets_no_time() {
        let told = |first: FirstTurn| FirstTurn { since_ms: Some(7), ..first };
        let begun = told(FirstTurn::goes_on(None, Side::First, 0));
        let second = FirstTurn::goes_on(Some(begun), Side::First, 1);
        assert_eq!(second.since_ms, None, "another ply of the turn");
        let back = FirstTurn::goes_on(Some(told(second)), Side::First, 0);
        assert_eq!(back.since_ms, Some(7), "withdrawn");
        assert_eq!(FirstTurn::goes_on(Some(back), Side::First, 1).since_ms, Some(7), "and played again");
        assert_eq!(FirstTurn::goes_on(Some(back), Side::Second, 2).since_ms, None, "the other side");
    }
}
