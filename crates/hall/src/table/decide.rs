//! What becomes of a wish: an event, or a reason why not. Changes nothing.

use kernel::{Problem, Side};
use wire::{Act, Event, How, Offer, Player};

use super::state::State;

/// More events than this and the table takes no more but the end of the game.
pub const MOST_EVENTS: u64 = 20_000;

/// Who wishes, and when it arrived.
pub struct Wish<'a> {
    /// The guest.
    pub who: &'a Player,
    /// The version they had seen.
    pub ver: u64,
    /// The round trip to them, as measured.
    pub rtt_ms: u64,
    /// The table's time.
    pub now_ms: u64,
}

/// What is to be written down.
#[derive(Debug, PartialEq, Eq)]
pub enum Decision {
    /// This, with the thinking time charged.
    Event(Event, Option<u64>),
    /// A rematch: a new table is to be opened first.
    Rematch,
    /// The time of that side was up before the wish arrived.
    TooLate(Side),
}

/// What `act` becomes at this table.
///
/// # Errors
/// Why it is refused. The table is as it was.
pub fn decide(state: &State, wish: &Wish, act: &Act) -> Result<Decision, Problem> {
    let event = |event| Ok(Decision::Event(event, None));
    if let Act::Sit { side } = act {
        return sit(state, wish, *side).and_then(event);
    }
    let seats = state.seats_of(&wish.who.id);
    let Some(&seat) = seats.first() else { return Err(Problem::new("not-your-seat")) };
    if wish.ver < state.settled {
        return Err(Problem::new("stale"));
    }
    let ending =
        matches!(act, Act::Resign { .. } | Act::Accept { what: Offer::Draw } | Act::Flag | Act::Abort);
    if state.ver() >= MOST_EVENTS && !ending {
        return Err(Problem::new("table-full").with("limit", MOST_EVENTS));
    }
    let alone = state.setup.how == How::Screen;
    match act {
        Act::Sit { .. } => unreachable!("was answered above"),
        Act::Leave if state.started() => Err(Problem::new("game-has-begun")),
        Act::Leave => event(Event::Leave { side: seat.into() }),
        Act::Move { text } => play(state, wish, &seats, text),
        Act::Withdraw => withdraw(state, wish, &seats),
        Act::Offer { what: Offer::Takeback, plies } if alone => {
            back(state, plies.unwrap_or(1)).and_then(event)
        }
        Act::Offer { what, .. } if alone => may_offer(state, *what).and_then(|()| agreed(state, seat, *what)),
        Act::Offer { what, .. } => offer(state, seat, *what),
        Act::Accept { what } => {
            may_offer(state, *what)?;
            match stands(state, *what) {
                Some(by) if by != seat => agreed(state, by, *what),
                _ => Err(Problem::new("no-such-offer")),
            }
        }
        Act::Decline { what } => match stands(state, *what) {
            Some(_) => event(Event::Decline { by: seat.into(), what: *what }),
            None => Err(Problem::new("no-such-offer")),
        },
        Act::Resign { side } => {
            must_be_on(state)?;
            let by = if alone { side.map_or(state.turn(), Side::from) } else { seat };
            event(Event::Resign { by: by.into() })
        }
        Act::Abort => {
            must_be_on(state)?;
            if state.in_earnest() {
                return Err(Problem::new("too-late-to-abort"));
            }
            event(Event::Abort { by: seat.into() })
        }
        Act::Flag => {
            must_be_on(state)?;
            let up = state.clock.deadline_ms().is_some_and(|at| at + state.clock.grace_ms() <= wish.now_ms);
            match state.clock.running() {
                // One's own claim gets no grace: it only hastens one's own loss.
                Some(side)
                    if up || seats == [side] && state.clock.too_late(state.clock.cost(wish.now_ms, 0)) =>
                {
                    event(Event::Flag { by: side.into() })
                }
                _ => Err(Problem::new("time-is-left")),
            }
        }
    }
}

fn must_be_on(state: &State) -> Result<(), Problem> {
    match &state.end {
        None if state.started() => Ok(()),
        None => Err(Problem::new("waiting-for-opponent")),
        Some(end) => Err(Problem::new("game-over").with("reason", &end.reason)),
    }
}

fn sit(state: &State, wish: &Wish, side: Option<wire::Side>) -> Result<Event, Problem> {
    if state.end.is_some() {
        return Err(Problem::new("game-over"));
    }
    if !state.seats_of(&wish.who.id).is_empty() {
        return Err(Problem::new("already-seated"));
    }
    let free = |side: &Side| state.seats[side.index()].is_none();
    let side = match side {
        Some(side) => Some(Side::from(side)).filter(free),
        None => Side::BOTH.into_iter().find(free),
    };
    let side = side.ok_or_else(|| Problem::new("seat-taken"))?;
    Ok(Event::Sit { side: side.into(), who: wish.who.clone() })
}

fn play(state: &State, wish: &Wish, seats: &[Side], text: &str) -> Result<Decision, Problem> {
    must_be_on(state)?;
    let by = state.turn();
    if !seats.contains(&by) {
        return Err(Problem::new("not-your-turn"));
    }
    let text = state.game.read(text).map_err(kernel::PlayError::problem)?;
    let spent = state.cost(wish.now_ms, wish.rtt_ms);
    if state.clock.too_late(spent) {
        return Ok(Decision::TooLate(by));
    }
    let spent = state.clock.running().map(|_| spent);
    Ok(Decision::Event(Event::Move { by: by.into(), text }, spent))
}

/// Also after the end, when the last ply lost the game; the time since then is charged.
fn withdraw(state: &State, wish: &Wish, seats: &[Side]) -> Result<Decision, Problem> {
    let by = state.last_mover().filter(|by| seats.contains(by) && state.view.withdraws);
    let by = by.ok_or_else(|| Problem::new("nothing-to-withdraw"))?;
    let ended_by_rules = state.end.is_none() || state.end == state.view.outcome;
    if !ended_by_rules || state.next.is_some() {
        return Err(Problem::new("nothing-to-withdraw"));
    }
    let spent = state.cost(wish.now_ms, wish.rtt_ms);
    if state.would_be_too_late(spent) {
        return Err(Problem::new("time-is-up"));
    }
    Ok(Decision::Event(Event::Withdraw { by: by.into() }, state.clock.is_kept().then_some(spent)))
}

fn back(state: &State, plies: u32) -> Result<Event, Problem> {
    must_take_back(state)?;
    if plies == 0 || plies as usize > state.record.len() {
        return Err(Problem::new("nothing-to-take-back"));
    }
    Ok(Event::Takeback { by: state.turn().into(), plies })
}

fn must_take_back(state: &State) -> Result<(), Problem> {
    if state.takes_back() { Ok(()) } else { Err(Problem::new("no-takebacks-here")) }
}

/// Whether an offer of this kind makes sense now.
fn may_offer(state: &State, what: Offer) -> Result<(), Problem> {
    match what {
        Offer::Rematch if state.end.is_none() => Err(Problem::new("game-goes-on")),
        Offer::Rematch if state.next.is_some() => Err(Problem::new("rematch-is-on")),
        Offer::Rematch => Ok(()),
        Offer::Takeback => must_take_back(state).and_then(|()| must_be_on(state)),
        Offer::Draw | Offer::Swap => must_be_on(state),
    }
}

fn offer(state: &State, seat: Side, what: Offer) -> Result<Decision, Problem> {
    may_offer(state, what)?;
    if what == Offer::Takeback && state.takeback_plies(seat) == 0 {
        return Err(Problem::new("nothing-to-take-back"));
    }
    match stands(state, what) {
        None => Ok(Decision::Event(Event::Offer { by: seat.into(), what }, None)),
        Some(by) if by == seat => Err(Problem::new("already-offered")),
        // Both want it: that is an agreement.
        Some(by) => agreed(state, by, what),
    }
}

/// Who offers it.
fn stands(state: &State, what: Offer) -> Option<Side> {
    state.offers.iter().find(|(_, offered)| *offered == what).map(|(by, _)| *by)
}

fn agreed(state: &State, by: Side, what: Offer) -> Result<Decision, Problem> {
    let event = match what {
        Offer::Takeback => {
            let plies = state.takeback_plies(by);
            if plies == 0 {
                return Err(Problem::new("nothing-to-take-back"));
            }
            Event::Takeback { by: by.into(), plies }
        }
        Offer::Draw => Event::Draw,
        Offer::Swap => Event::Swap,
        Offer::Rematch => return Ok(Decision::Rematch),
    };
    Ok(Decision::Event(event, None))
}
