//! A premove: one move that a player chooses ahead, played as soon as their turn comes, if it is legal then.
//!
//! It is chosen by places of the board, before the legal moves of that turn are known. The hall keeps it beside the
//! log: it is private to the player.

use kernel::{Cell, Problem, Side};
use wire::{ClockSpec, EventKind, Happened, How, Offered, View};

use crate::decide::Decision;
use crate::state::State;

/// The least thinking time that a premove costs, in milliseconds.
pub const COST_MS: u64 = 100;

/// Chooses a premove of `seat` by places on the board of version `ver`; no places: drops the premove.
///
/// # Errors
/// `premove-needs-clock`, `premove-places`, `stale`, or why the game is not on.
pub fn choose(state: &State, seat: Side, ver: u64, cells: &[Cell]) -> Result<Decision, Problem> {
    if !cells.is_empty() {
        may(state, seat, ver, cells)?;
    }
    Ok(Decision::Premove(seat, cells.to_vec()))
}

fn may(state: &State, seat: Side, ver: u64, cells: &[Cell]) -> Result<(), Problem> {
    crate::decide::must_be_on(state)?;
    let has_clock = state.setup.clock != ClockSpec::None && !state.is_slow();
    if !has_clock || state.setup.how == How::Screen {
        return Err(Problem::new("premove-needs-clock"));
    }
    // The move it waits for may have come meanwhile; nothing else may have.
    let came = ver + 1 == state.settled && state.last_mover() == Some(seat.other());
    if ver < state.settled && !came {
        return Err(Problem::new("stale"));
    }
    let board = state.game.board();
    if cells.len() > 2 || !cells.iter().all(|&cell| board.is_place(cell)) {
        return Err(Problem::new("premove-places"));
    }
    Ok(())
}

/// Returns the legal move that goes from the first of the cells to the last, or is made at the only one; the first of
/// several. A move that loses at once does not count.
#[must_use]
pub fn fitting(state: &State, cells: &[Cell]) -> Option<String> {
    let (from, to) = (cells.first()?, cells.last()?);
    let view: &View = &state.view;
    match &view.moves {
        Offered::Every(_) => {
            let is_empty = cells.len() == 1 && view.pieces.iter().all(|piece| piece.at != *from);
            is_empty.then(|| state.game.board().name(*from))
        }
        Offered::Listed(moves) => {
            let fits = |path: &[Cell]| match cells.len() {
                1 => path == cells,
                _ => path.len() > 1 && path.first() == Some(from) && path.last() == Some(to),
            };
            let found = moves.iter().find(|m| fits(&m.path) && m.warning.is_none())?;
            Some(found.text.clone())
        }
    }
}

/// Returns true if the premove of `seat` is dropped after that change: moves were taken back, seats exchanged, the
/// other side asks something, or the game is over.
#[must_use]
pub fn falls(state: &State, seat: Side, change: &Happened) -> bool {
    let is_undone = matches!(change.k, EventKind::Takeback | EventKind::Withdraw | EventKind::Swap);
    let is_asked = change.k == EventKind::Offer && change.by == Some(seat.other());
    is_undone || is_asked || !state.is_on()
}
