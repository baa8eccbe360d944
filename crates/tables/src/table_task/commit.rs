//! The way from a request to an event that everybody has: decided, applied, stored, told; or read back where the store
//! refused it.

use std::sync::Arc;
use std::time::Duration;

use edge::network::Payer;
use kernel::Problem;
use store::StoreError;
use store::format::{Packed, pack};
use store::games::Finished;
use store::together::Deed;
use table::first::blamed;
use table::{ActRequest, Applied, Command, Decision, Entry, Event, Secret, Standing, decide};
use tokio::time::{sleep, timeout};
use tracing::Instrument;
use wire::{Act, EventKind, Happened, How, Player, ServerMessage};

use super::{Table, Why};
use crate::cluster::talk::TableNews;
use crate::remembered::{finished, on_map};
use crate::traces;

/// The number of commands refused by the store that are remembered.
const REFUSED: usize = 256;
/// The time for which a table waits for a store that does not answer, before it ends.
const PATIENCE: Duration = Duration::from_secs(30);

/// The outcome of a commit.
pub(super) enum Committed {
    Done,
    /// The rules do not allow the move.
    Illegal(Problem),
    /// The command had been fulfilled before, as that version.
    Before(u64),
    /// The store refused the event; the table is as it was.
    NotStored,
}

/// An event that was applied and is not stored yet.
struct Unsaved {
    change: Happened,
    /// The command that it fulfils.
    cmd: Option<Command>,
    /// The public id of the player who left the game by it.
    left: Option<String>,
    /// True if the game was on before it.
    was_on: bool,
    /// True if the game had ended before it.
    was_over: bool,
    /// True if the table's line in the lobby changes with it.
    listed: bool,
    /// The news for the edges; `None` where there are none.
    packed: Option<Packed>,
}

/// The change of an event that the store keeps beside the log.
enum Changed {
    /// The game has ended.
    Ended(Standing, Box<Finished>),
    /// The state of the table for lists, if it has changed.
    Standing(Option<Standing>),
}

/// The decision about a request.
enum Decided {
    /// The request becomes an event, with the time it takes off the clock, and fulfils a command.
    Event(Event, Option<u64>, Option<Command>),
    /// The request gets this answer, without an event.
    Answer(Box<ServerMessage>),
    /// The request needs more work.
    Longer(Decision, Option<Command>),
}

impl Table {
    /// Answers a request; `None` when the event it became is the answer.
    pub(super) async fn wish(
        &mut self,
        wish: ActRequest<'_>,
        cmd: Option<Command>,
    ) -> Result<Option<ServerMessage>, Why> {
        let arrived_ms = wish.arrived_ms;
        if self.state.setup.rated
            && let Act::Sit { .. } = wish.act
            && let Err(why) = self.context.persons.has_account(&wish.who.id).await
        {
            return Ok(Some(no(cmd.as_ref(), why)));
        }
        if let Act::Sit { .. } = wish.act {
            let sit = self.state.seats.iter().flatten().filter(|p| p.engine.is_none()).map(|p| p.id.clone());
            let sit: Vec<String> = sit.collect();
            let setup = &self.state.setup;
            if let Err(why) = self.context.persons.may_sit(&self.state.id, setup, &wish.who.id, &sit).await {
                return Ok(Some(no(cmd.as_ref(), why)));
            }
        }
        let (event, spent, cmd) = match self.decide(wish, cmd) {
            Decided::Event(event, spent, cmd) => (event, spent, cmd),
            Decided::Answer(answer) => return Ok(Some(*answer)),
            Decided::Longer(decision, cmd) => {
                return Box::pin(self.decide_longer(decision, cmd, arrived_ms)).await;
            }
        };
        self.carry_out(event, spent, cmd, arrived_ms).await
    }

    /// Decides what to do with a request.
    fn decide(&self, wish: ActRequest<'_>, cmd: Option<Command>) -> Decided {
        if let Some(v) = cmd.as_ref().and_then(|cmd| self.state.done(cmd)) {
            return Decided::Answer(Box::new(ok(cmd.as_ref(), v)));
        }
        if cmd.as_ref().is_some_and(|cmd| self.refused.contains(cmd)) {
            return Decided::Answer(Box::new(no(cmd.as_ref(), Problem::new("not-stored"))));
        }
        match decide(&self.state, wish) {
            Err(why) => Decided::Answer(Box::new(no(cmd.as_ref(), why))),
            Ok(Decision::Event(event, spent)) => Decided::Event(event, spent, cmd),
            Ok(longer) => Decided::Longer(longer, cmd),
        }
    }

    /// Makes the rarer decisions, which take longer.
    async fn decide_longer(
        &mut self,
        decision: Decision,
        cmd: Option<Command>,
        arrived_ms: u64,
    ) -> Result<Option<ServerMessage>, Why> {
        let (event, spent) = match decision {
            Decision::Event(event, spent) => (event, spent),
            Decision::Premove(side, cells) => {
                self.premoves[side.index()] = (!cells.is_empty()).then(|| cells.into());
                return Ok(Some(ok(cmd.as_ref(), self.state.ver)));
            }
            Decision::TooLate(by) => {
                self.commit(self.state.time_is_up(by), None, None, arrived_ms).await?;
                return Ok(Some(no(cmd.as_ref(), Problem::new("time-is-up"))));
            }
            Decision::Rematch => match self.context.open_rematch(&self.state).await {
                Ok(table) => (Event::Rematch { table }, None),
                Err(why) => return Ok(Some(no(cmd.as_ref(), why))),
            },
        };
        self.carry_out(event, spent, cmd, arrived_ms).await
    }

    async fn carry_out(
        &mut self,
        event: Event,
        spent: Option<u64>,
        cmd: Option<Command>,
        arrived_ms: u64,
    ) -> Result<Option<ServerMessage>, Why> {
        let is_move = matches!(event, Event::Move { .. });
        let name = cmd.clone();
        let begun = std::time::Instant::now();
        let why = match self.commit(event, spent, cmd, arrived_ms).await? {
            Committed::Done => {
                if is_move {
                    metrics::counter!("hall_moves_total").increment(1);
                    metrics::histogram!("hall_move_seconds").record(begun.elapsed().as_secs_f64());
                }
                return Ok(None);
            }
            Committed::Before(v) => return Ok(Some(ok(name.as_ref(), v))),
            Committed::Illegal(why) => why,
            Committed::NotStored => Problem::new("not-stored"),
        };
        Ok(Some(no(name.as_ref(), why)))
    }

    /// Applies an event, stores it and sends it to everybody. Small as a future, because there is one in each task:
    /// the steps before and after the store are functions.
    pub(super) async fn commit(
        &mut self,
        event: Event,
        spent_ms: Option<u64>,
        cmd: Option<Command>,
        at_ms: u64,
    ) -> Result<Committed, Why> {
        let (entry, over, unsaved) = match self.apply(event, spent_ms, cmd, at_ms) {
            Ok(applied) => applied,
            Err(why) => return Ok(Committed::Illegal(why)),
        };
        let asleep = self.deadline(at_ms);
        let (store, id) = (&self.context.store, &self.state.id);
        let storing = match (over, asleep) {
            (Changed::Ended(standing, game), _) => store.logs.finish(id, entry, standing, *game),
            (Changed::Standing(standing), Some(asleep)) => {
                store.logs.append_slow(id, entry, standing, asleep)
            }
            (Changed::Standing(standing), None) => store.logs.append(id, entry, standing),
        };
        let append = tracing::info_span!(target: traces::TARGET, "append");
        match timeout(PATIENCE, storing).instrument(append).await {
            Ok(Ok(())) => {
                if let Some(person) = unsaved.left.clone() {
                    Box::pin(self.note_left(person)).await;
                }
                self.tell(unsaved);
                Ok(Committed::Done)
            }
            Ok(Err(why)) => Box::pin(self.not_stored(why, unsaved.cmd)).await,
            // It may have been stored; a repeated request is answered from the log then.
            Err(_) => Err(Why::Lost),
        }
    }

    /// Applies an event; it is not sent before it is stored.
    fn apply(
        &mut self,
        event: Event,
        spent_ms: Option<u64>,
        cmd: Option<Command>,
        at_ms: u64,
    ) -> Result<(Entry, Changed, Box<Unsaved>), Problem> {
        let (was_on, was_over) = (self.state.is_on(), self.state.end.is_some());
        let left = self.leaves(&event);
        let fulfilled = cmd.clone();
        let event = self.by_lot(event);
        let entry = Entry { ver: self.state.ver + 1, at_ms, cmd, spent_ms, event };
        let Applied { entry, change, standing, ended } = self.apart(|table| table.state.apply(entry))?;
        self.hold_or_resume(at_ms);
        let packed = self.has_edges().then(|| pack(&entry));
        let listed = standing.is_some();
        let unsaved = Unsaved { change, cmd: fulfilled, left, was_on, was_over, listed, packed };
        let changed = match (standing, ended) {
            (Some(standing), Some(game)) => Changed::Ended(standing, Box::new(finished(*game))),
            (standing, _) => Changed::Standing(standing),
        };
        Ok((entry, changed, Box::new(unsaved)))
    }

    /// Adds the secret of a game of chance to the event by which the second seat is taken: no player could wait for a
    /// good secret, and none knows it.
    fn by_lot(&self, event: Event) -> Event {
        match event {
            Event::Sit { side, who, secret: None }
                if self.state.seats[side.other().index()].is_some() && self.state.is_by_lot() =>
            {
                Event::Sit { side, who, secret: Some(Secret(rand::random())) }
            }
            other => other,
        }
    }

    /// Returns the public id of the player who leaves a game between strangers by that event; see
    /// [`table::first::blamed`].
    fn leaves(&self, event: &Event) -> Option<String> {
        let state = &self.state;
        if state.setup.how != How::Open {
            return None;
        }
        let is_here = |seat: &Option<Player>| seat.as_ref().is_some_and(|player| self.is_present(&player.id));
        let here = [is_here(&state.seats[0]), is_here(&state.seats[1])];
        let by = blamed(state, event, here, self.context.time.now_ms())?;
        let was_awaited = match event {
            Event::NotBegun { .. } => true,
            Event::Abort { by: leaver } => *leaver != by,
            _ => false,
        };
        if was_awaited && self.excused == Some(state.record.len()) {
            return None;
        }
        state.seats[by.index()].as_ref().map(|player| player.id.clone())
    }

    async fn note_left(&self, person: String) {
        let deed = Deed::Leave { person, table: self.state.id.clone(), now_ms: self.context.time.now_ms() };
        if let Err(why) = self.context.store.together.deed(deed).await {
            tracing::warn!(table = %self.state.id, %why, "that somebody left a game was not stored");
        }
    }

    /// Sends an event that is stored now to everybody.
    fn tell(&mut self, unsaved: Box<Unsaved>) {
        let Unsaved { change, cmd, left: _, was_on, was_over, listed, packed } = *unsaved;
        self.drop_premoves(&change);
        // After a takeback the plans no longer fit.
        if matches!(change.k, EventKind::Takeback | EventKind::Swap) {
            self.plans.iter_mut().for_each(|plan| plan.from_ply = u32::MAX);
        }
        let told_ms = self.context.time.now_ms();
        if let Some(entry) = packed {
            self.tell_edges(&TableNews::Event { entry, told_ms });
        }
        let changed = self.audience.tell_event(&mut self.state, change, cmd, told_ms);
        self.flag_due = None;
        self.note_position();
        // The absence of a player is announced again at the start of their turn: it counts from then on.
        if changed || self.state.gone_ms.iter().any(Option::is_some) && self.state.is_on() {
            self.presence_changed();
        }
        if !was_on && self.state.is_on() {
            self.context.persons.begun(&self.state);
        }
        if let (false, Some(end)) = (was_over, &self.state.end) {
            self.context.persons.ended(&self.state);
            if let Some((map, people, plies)) = on_map(&self.state) {
                self.context.works.shelf.finished(map, people, plies);
            }
            tracing::info!(table = %self.state.id, plies = self.state.record.len(), reason = %end.reason, "a game ended");
        }
        if listed || self.state.record.len().is_multiple_of(16) {
            self.list();
        }
    }

    /// Handles the refusal of an event, perhaps with `cmd`, by the store.
    async fn not_stored(&mut self, why: StoreError, cmd: Option<Command>) -> Result<Committed, Why> {
        if why == StoreError::Fenced {
            return Err(Why::Moved);
        }
        self.read_back(&why).await?;
        // The log knows best, also what became of a write that seemed to fail.
        if let Some(found) = cmd.as_ref().and_then(|cmd| self.state.done(cmd)) {
            return Ok(Committed::Before(found));
        }
        if self.refused.len() == REFUSED {
            self.refused.pop_front();
        }
        self.refused.extend(cmd);
        Ok(Committed::NotStored)
    }

    /// Reads the table back from its log after a failed write: the event did not happen, or the log has another one.
    /// A store that does not answer is waited for.
    async fn read_back(&mut self, why: &StoreError) -> Result<(), Why> {
        tracing::error!(table = %self.state.id, %why, "an event was not stored");
        metrics::counter!("hall_store_failures_total").increment(1);
        self.read_anew().await
    }

    /// Reads the table from its log again, as soon as the store answers.
    pub(super) async fn read_anew(&mut self) -> Result<(), Why> {
        let id = self.state.id.clone();
        let context = Arc::clone(&self.context);
        let read = async {
            let mut wait = Duration::from_millis(50);
            loop {
                match context.store.logs.load(&id).await {
                    Ok(Some(stored)) => return Some(stored),
                    Ok(None) => return None,
                    Err(why) => tracing::warn!(table = %id, %why, "waiting for the store"),
                }
                sleep(wait).await;
                wait = (wait * 2).min(Duration::from_secs(2));
            }
        };
        let Ok(Some(stored)) = timeout(PATIENCE, read).await else { return Err(Why::Lost) };
        let asleep = stored.asleep;
        let replayed = context.replayed(&id, stored.setup, stored.log, Payer::Hall).await;
        (self.state, self.map) = replayed.map_err(|why| match why.key {
            "hall-busy" => Why::Lost,
            _ => Why::Failed("the log does not fit the rules"),
        })?;
        self.start_as(asleep);
        self.note_who_is_gone();
        self.tell_edges(&TableNews::Anew);
        self.audience.tell_anew();
        Ok(())
    }
}

fn ok(cmd: Option<&Command>, v: u64) -> ServerMessage {
    ServerMessage::Ok { cmd: name(cmd), v }
}

fn no(cmd: Option<&Command>, why: Problem) -> ServerMessage {
    ServerMessage::No { cmd: name(cmd), why: why.into() }
}

/// Returns the id that its sender gave a request; programs give none.
fn name(cmd: Option<&Command>) -> String {
    cmd.map_or_else(String::new, |cmd| cmd.id.clone())
}
