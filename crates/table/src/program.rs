//! The wishes of a program at a table. Pure, like the rest: the caller asks the program and makes the wish for it.
//!
//! A program never names its wishes: only people's clients have command ids, so no client can use up a program's.

use kernel::Side;
use wire::{Act, How, Offer, Opponent, Player};

use crate::decide::{ActRequest, decide};
use crate::state::State;

/// The questions to a program, each with the version it rests on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProgramQuestion {
    /// The move to play, after the last change of board or seats.
    Move(u64),
    /// The answer to the draw that was offered as this version.
    Draw(u64),
}

/// Returns the side of the program that plays with a person; there is at most one.
#[must_use]
pub fn side(state: &State) -> Option<Side> {
    if state.setup.how == How::Screen {
        return None;
    }
    Side::BOTH.into_iter().find(|&side| at(state, side).is_some())
}

/// Returns the program that has that seat.
#[must_use]
pub fn at(state: &State, side: Side) -> Option<(&Player, &Opponent)> {
    let player = state.seats[side.index()].as_ref()?;
    Some((player, player.engine.as_ref()?))
}

/// Returns the questions that the program at this table is to think about now.
#[must_use]
pub fn to_think_about(state: &State) -> [Option<ProgramQuestion>; 2] {
    let Some(side) = side(state).filter(|_| state.is_on()) else { return [None, None] };
    let moves = (state.turn() == side).then_some(ProgramQuestion::Move(state.settled));
    let draw = state.offers.iter().find(|offered| offered.by != side && offered.what == Offer::Draw);
    [moves, draw.map(|offered| ProgramQuestion::Draw(offered.ver))]
}

/// Returns the answer that the program gives without thinking: it agrees to takebacks, to changing seats and to a
/// rematch where the table allows it, and declines otherwise, so that the opponent does not wait. Each answer takes
/// the offer away: asked again, there is one less.
#[must_use]
pub fn answer(state: &State, now_ms: u64) -> Option<(Side, Act)> {
    let side = side(state)?;
    let (who, _) = at(state, side)?;
    let offered = state.offers.iter().find(|offered| offered.by != side && offered.what != Offer::Draw)?;
    let what = offered.what;
    let accept = Act::Accept { what };
    let wish = ActRequest { who, ver: state.ver, arrived_ms: now_ms, lag_ms: 0, act: &accept };
    if decide(state, wish).is_ok() { Some((side, accept)) } else { Some((side, Act::Decline { what })) }
}
