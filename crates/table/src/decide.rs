//! The decision on a wish: an event, or the reason of a refusal. Changes nothing.
//!
//! Moves are not judged here but by [`State::apply`], which plays them: so each move is read and played once.

use kernel::{Cell, Problem, Side};
use wire::{Act, How, Offer, Player};

use crate::entry::Event;
use crate::gone::LEFT;
use crate::premove;
use crate::state::State;

/// The number of events after which a table accepts only acts that end the game, and answers to offers.
pub const MOST_EVENTS: u64 = 20_000;

/// A wish and when it arrived.
#[derive(Clone, Copy, Debug)]
pub struct ActRequest<'a> {
    /// The person who wishes.
    pub who: &'a Player,
    /// The version they had seen.
    pub ver: u64,
    /// The moment at which it was read off the network, in the table's time.
    pub arrived_ms: u64,
    /// The round trip to them, as measured.
    pub lag_ms: u64,
    /// The act that they wish for.
    pub act: &'a Act,
}

/// The outcomes of a wish.
#[derive(Debug, PartialEq, Eq)]
pub enum Decision {
    /// Apply this event, with the thinking time charged. A move may still turn out to be illegal.
    Event(Event, Option<u64>),
    /// Open a new table for a rematch first.
    Rematch,
    /// Set a premove of the side over these places; no places: drop it. No event follows yet.
    Premove(Side, Vec<Cell>),
    /// Flag the side, whose time was up before the wish arrived.
    TooLate(Side),
}

/// Decides on a wish at this table.
///
/// # Errors
/// The reason why the request is refused. The table is as it was.
pub fn decide(state: &State, wish: ActRequest<'_>) -> Result<Decision, Problem> {
    let event = |event| Ok(Decision::Event(event, None));
    if let Act::Sit { side } = wish.act {
        return sit(state, wish, *side).and_then(event);
    }
    let seats = state.seats_of(&wish.who.id);
    let Some(&seat) = seats.first() else { return Err(Problem::new("not-your-seat")) };
    if let Act::Premove { cells } = wish.act {
        return premove::choose(state, seat, wish.ver, cells);
    }
    if wish.ver < state.settled {
        return Err(Problem::new("stale"));
    }
    if state.ver >= MOST_EVENTS && !fits_a_full_log(wish.act) {
        return Err(Problem::new("table-full").with("limit", MOST_EVENTS));
    }
    let alone = state.setup.how == How::Screen;
    match wish.act {
        Act::Sit { .. } | Act::Premove { .. } => unreachable!("was answered above"),
        Act::Leave if state.started() => Err(Problem::new("game-has-begun")),
        Act::Leave => event(Event::Leave { side: seat }),
        Act::Move { text, away } => play(state, wish, &seats, text, *away),
        Act::Withdraw => withdraw(state, wish, &seats),
        Act::Offer { what: Offer::Takeback, plies } if alone => {
            back(state, plies.unwrap_or(1)).and_then(event)
        }
        Act::Offer { what, .. } if alone => {
            may_offer(state, seat, *what).and_then(|()| agree(state, seat, *what))
        }
        Act::Offer { what, .. } => offer(state, wish.ver, seat, *what),
        Act::Accept { what } => {
            let by = state.offered(*what).unwrap_or(seat);
            may_offer(state, by, *what)?;
            match state.standing_offer(*what) {
                // The answer was meant for another one.
                Some(offered) if offered.by != seat && wish.ver < offered.ver => Err(unseen()),
                Some(offered) if offered.by != seat => agree(state, offered.by, *what),
                _ => Err(Problem::new("no-such-offer")),
            }
        }
        Act::Offers { taken } => {
            if let Some(end) = &state.end {
                return Err(Problem::new("game-over").with("reason", &end.reason));
            }
            state.asked[seat.index()].may_change(*taken)?;
            event(Event::Offers { by: seat, taken: *taken })
        }
        Act::Decline { what } => match state.offered(*what) {
            Some(_) => event(Event::Decline { by: seat, what: *what }),
            None => Err(Problem::new("no-such-offer")),
        },
        Act::Resign { side } => {
            must_be_on(state)?;
            event(Event::Resign { by: if alone { side.map_or(state.turn(), Side::from) } else { seat } })
        }
        Act::Abort => {
            must_be_on(state)?;
            if state.in_earnest() {
                return Err(Problem::new("too-late-to-abort"));
            }
            event(Event::Abort { by: seat })
        }
        Act::Flag => {
            must_be_on(state)?;
            let fallen = fallen(state, wish.arrived_ms);
            // One's own claim gets no grace: it only hastens one's own loss.
            let own = state.clock.running().filter(|side| {
                seats == [*side] && state.clock.too_late(state.clock.cost(wish.arrived_ms, 0))
            });
            match fallen.or(own) {
                Some(by) => event(state.time_is_up(by)),
                None => Err(Problem::new("time-is-left")),
            }
        }
        Act::Claim => {
            must_be_on(state)?;
            match state.claim_ms(wish.arrived_ms).filter(|(by, _)| *by != seat) {
                Some((by, 0)) => event(Event::Forfeit { by, reason: LEFT.to_owned() }),
                Some((_, left_ms)) => {
                    Err(Problem::new("claim-too-early").with("seconds", left_ms.div_ceil(1000)))
                }
                None => Err(Problem::new("nobody-left")),
            }
        }
    }
}

/// Returns the side whose time is up: that of its clock, with the grace for a move in transit, or that for its first
/// move.
#[must_use]
pub fn fallen(state: &State, now_ms: u64) -> Option<Side> {
    if state.first_deadline_ms().is_some_and(|deadline_ms| deadline_ms <= now_ms) {
        return state.first.map(|first| first.side);
    }
    let up = state.clock.deadline_ms()? + state.clock.grace_ms() <= now_ms;
    state.clock.running().filter(|_| up)
}

/// Returns true if a full log still takes this act: it ends the game or answers an offer, and so adds little.
fn fits_a_full_log(act: &Act) -> bool {
    matches!(
        act,
        Act::Resign { .. }
            | Act::Accept { what: Offer::Draw }
            | Act::Decline { .. }
            | Act::Flag
            | Act::Claim
            | Act::Abort
    )
}

/// Refuses a wish before both seats are taken or after the end.
pub(crate) fn must_be_on(state: &State) -> Result<(), Problem> {
    match &state.end {
        None if state.started() => Ok(()),
        None => Err(Problem::new("waiting-for-opponent")),
        Some(end) => Err(Problem::new("game-over").with("reason", &end.reason)),
    }
}

fn sit(state: &State, wish: ActRequest<'_>, side: Option<wire::Side>) -> Result<Event, Problem> {
    if state.end.is_some() {
        return Err(Problem::new("game-over"));
    }
    if !state.seats_of(&wish.who.id).is_empty() {
        return Err(Problem::new("already-seated"));
    }
    if state.ver >= MOST_EVENTS {
        return Err(Problem::new("table-full").with("limit", MOST_EVENTS));
    }
    let free = |side: &Side| state.seats[side.index()].is_none();
    let side = match side {
        Some(side) => free(&side).then_some(side),
        None => Side::BOTH.into_iter().find(free),
    };
    let side = side.ok_or_else(|| Problem::new("seat-taken"))?;
    Ok(Event::Sit { side, who: wish.who.clone(), secret: None })
}

fn play(
    state: &State,
    wish: ActRequest<'_>,
    seats: &[Side],
    text: &str,
    away: bool,
) -> Result<Decision, Problem> {
    must_be_on(state)?;
    let by = state.turn();
    if !seats.contains(&by) {
        return Err(Problem::new("not-your-turn"));
    }
    let spent = state.cost(wish.arrived_ms, wish.lag_ms);
    if state.clock.too_late(spent) {
        return Ok(Decision::TooLate(by));
    }
    let spent = state.clock.running().map(|_| spent);
    Ok(Decision::Event(Event::Move { by, text: state.by_lot(text)?, away }, spent))
}

/// Decides on a withdrawal of the last ply. It is possible after the end, too, when that ply lost the game; the time
/// since then is charged.
fn withdraw(state: &State, wish: ActRequest<'_>, seats: &[Side]) -> Result<Decision, Problem> {
    let by = state.last_mover().filter(|by| seats.contains(by) && state.view.withdraws);
    let by = by.ok_or_else(|| Problem::new("nothing-to-withdraw"))?;
    let ended_by_rules = state.end.is_none() || state.end == state.view.outcome;
    // The end of a rated game has changed two ratings.
    let is_final = state.setup.rated && state.end.is_some();
    if !ended_by_rules || is_final || state.next.is_some() {
        return Err(Problem::new("nothing-to-withdraw"));
    }
    let spent = state.cost(wish.arrived_ms, wish.lag_ms);
    if state.would_be_too_late(spent) {
        return Err(Problem::new("time-is-up"));
    }
    Ok(Decision::Event(Event::Withdraw { by }, state.clock.is_kept().then_some(spent)))
}

fn back(state: &State, plies: u32) -> Result<Event, Problem> {
    must_take_back(state, plies)?;
    if plies == 0 || plies as usize > state.record.len() {
        return Err(Problem::new("nothing-to-take-back"));
    }
    Ok(Event::Takeback { by: state.turn(), plies })
}

/// Tests whether the last `plies` plies may be taken back.
fn must_take_back(state: &State, plies: u32) -> Result<(), Problem> {
    if state.setup.rated {
        return Err(Problem::new("not-in-a-rated-game"));
    }
    // A player who takes a move back has seen the numbers drawn since, and may know which will be drawn
    // again.
    let two_people =
        state.setup.how != How::Screen && state.seats.iter().flatten().all(|p| p.engine.is_none());
    let has_seen_numbers = state.game.draws() > state.draws.len() as u64;
    if two_people && (has_seen_numbers || state.drew_in(plies)) {
        return Err(Problem::new("takeback-chance"));
    }
    if state.takes_back { Ok(()) } else { Err(Problem::new("no-takebacks-here")) }
}

/// Tests whether an offer of this kind by a side makes sense now.
fn may_offer(state: &State, by: Side, what: Offer) -> Result<(), Problem> {
    match what {
        Offer::Rematch if state.end.is_none() => Err(Problem::new("game-goes-on")),
        Offer::Rematch if state.next.is_some() => Err(Problem::new("rematch-is-on")),
        Offer::Rematch => Ok(()),
        Offer::Swap if state.setup.rated => Err(Problem::new("not-in-a-rated-game")),
        Offer::Takeback => must_take_back(state, state.takeback_plies(by)).and_then(|()| must_be_on(state)),
        Offer::Draw | Offer::Swap => must_be_on(state),
    }
}

/// Builds the refusal of an answer to an offer that the player has not seen.
fn unseen() -> Problem {
    Problem::new("offer-unseen")
}

fn offer(state: &State, ver: u64, seat: Side, what: Offer) -> Result<Decision, Problem> {
    may_offer(state, state.offered(what).unwrap_or(seat), what)?;
    if what == Offer::Takeback && state.takeback_plies(seat) == 0 {
        return Err(Problem::new("nothing-to-take-back"));
    }
    match state.standing_offer(what) {
        None => {
            if what != Offer::Rematch && state.no_offers()[seat.other().index()] {
                return Err(Problem::new("takes-no-offers"));
            }
            state.asked[seat.index()].may(what)?;
            Ok(Decision::Event(Event::Offer { by: seat, what }, None))
        }
        Some(offered) if offered.by == seat => Err(Problem::new("already-offered")),
        // Who asks to take back at the same time means another move.
        Some(offered) if what == Offer::Takeback && ver < offered.ver => Err(unseen()),
        // Both want it: that is an agreement.
        Some(offered) => agree(state, offered.by, what),
    }
}

fn agree(state: &State, by: Side, what: Offer) -> Result<Decision, Problem> {
    let event = match what {
        Offer::Takeback => {
            let plies = state.takeback_plies(by);
            if plies == 0 {
                return Err(Problem::new("nothing-to-take-back"));
            }
            Event::Takeback { by, plies }
        }
        Offer::Draw => Event::Draw,
        Offer::Swap => Event::Swap,
        Offer::Rematch => return Ok(Decision::Rematch),
    };
    Ok(Decision::Event(event, None))
}
