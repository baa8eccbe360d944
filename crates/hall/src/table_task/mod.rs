//! The task that owns one table in memory: requests in, messages out.
//!
//! It takes one request at a time: [decide](table::decide()), [apply](State::apply), store, and only then
//! [tell](State::told). While the store writes, the task waits, and an event is not visible before it is stored. An
//! event that the store refuses has not happened: the table is read back from its log. The flag falls in the same
//! task, so either the flag or the move counts, never both.
//!
//! A task that panics, or that does too much without being asked, ends alone: the people at the table are told, the
//! table is counted as failed in the store, and the hall goes on.
//!
//! A hall keeps thousands of these tasks, most of them idle: rare work is boxed, so that an idle task is small.

mod plans;
mod premoves;
mod programs;
pub mod remote;

use std::collections::{HashMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use edge::network::{Network, Payer};
use edge::workers::in_place;
use futures_util::FutureExt as _;
use kernel::{Cell, Problem, Side};
use store::format::{Packed, pack};
use store::games::Finished;
use store::slow::StoredPlan;
use store::together::Deed;
use store::{Asleep, StoreError};
use table::first::blamed;
use table::{ActRequest, Applied, Command, Decision, Entry, Event, Secret, Standing, State, decide, program};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tracing::Instrument;
use wire::{Act, EventKind, Happened, How, Player, SaidLine, ServerMessage, TableLine};
use works::maps::Loaded;

use crate::chat::Spoken;
use crate::cluster::talk::TableNews;
use crate::hall::{Context, Tables};
use crate::lobby::{ROOM_WAITS_MS, SLOW_WAITS_MS};
use crate::message::text;
use crate::opponents::seat::Answer;
use crate::outage::Outage;
use crate::remembered::{finished, on_map};
use crate::traces;
use programs::Searches;

/// The most requests that wait for a table; beyond that, connections wait.
const QUEUE: usize = 64;
/// The most messages that a reader may fall behind; beyond that it gets the whole state again.
const BEHIND: usize = 32;
/// The number of messages that are kept for people who reconnect after a moment.
const RECENT: usize = 24;
/// The number of commands refused by the store that are remembered.
const REFUSED: usize = 256;
/// The time after which a table without connections is unloaded.
const PUT_AWAY: Duration = Duration::from_secs(60);
/// The least time between two presence messages.
const PRESENCE: Duration = Duration::from_millis(300);
/// The delay before an event of the hall itself is retried, when the store refused it.
const AGAIN: Duration = Duration::from_secs(1);
/// The time that moves which have arrived get to come through, before a flag is judged.
const LAST_CALL: Duration = Duration::from_millis(30);
/// The time for which a table waits for a store that does not answer, before it ends.
const PATIENCE: Duration = Duration::from_secs(30);
/// The age at which the presence list of an edge expires.
const EDGE: Duration = Duration::from_secs(15);
/// The most events that may follow from one request by themselves: a program's answers. More is a bug.
const MOST_FOLLOWING: u32 = 16;

/// A handle for messages to a table's task.
#[derive(Clone)]
pub struct Handle(pub mpsc::Sender<Ask>);

/// A message of a connection or a request to a table. Small, because every queue has room for many.
pub enum Ask {
    /// A person connects, to play or to watch.
    Join(Box<Join>),
    /// A connection of that person has ended.
    Left(String),
    /// A person requests an action.
    Do(Box<Wished>),
    /// A person requests the whole state again.
    Full {
        /// The public id of that person.
        who: String,
        /// The version and the message.
        reply: oneshot::Sender<(u64, Utf8Bytes)>,
    },
    /// Reads the state. The function must be quick.
    Look(Box<dyn FnOnce(&State) + Send>),
    /// A program has answered the question it was asked.
    Answered(Box<(program::ProgramQuestion, Answer)>),
    /// A player has gone on vacation, or come back.
    Vacation,
    /// A player plans conditional moves.
    Plan(Box<Planned>),
    /// A chat message, which is already stored.
    Said(Box<SaidLine>),
    /// The list of people connected to the table at another node.
    Elsewhere {
        /// The node's incarnation.
        node: String,
        /// The public ids and networks of all of them.
        people: Vec<(String, Network)>,
        /// The version of the table.
        reply: oneshot::Sender<u64>,
    },
    /// Ends the task: clocks are stored, and readers told that they may connect again.
    Stop(oneshot::Sender<()>),
}

/// A person's request to connect.
pub struct Join {
    /// The player of the connection: account or guest.
    pub who: Player,
    /// The network they come from.
    pub network: Network,
    /// The version they know, if they connect again.
    pub since: Option<u64>,
    /// The channel for the first messages, and for the receiver of later ones.
    pub reply: oneshot::Sender<Joined>,
}

/// A request for an action, as it was received.
pub struct Wished {
    /// The player of the connection: account or guest.
    pub who: Player,
    /// Their id for the request.
    pub cmd: String,
    /// The version they have seen.
    pub ver: u64,
    /// The action that is requested.
    pub act: Act,
    /// The time at which it was read off the network, in the hall's time.
    pub arrived_ms: u64,
    /// The round trip to them, in milliseconds.
    pub lag_ms: u64,
    /// A message for them alone; `None` when the event itself is the answer.
    pub reply: oneshot::Sender<Option<Utf8Bytes>>,
    /// The span of its [trace](crate::traces::wish).
    pub span: tracing::Span,
}

/// A plan of conditional moves, as it was received; it has been [checked](table::plan::check).
pub struct Planned {
    /// The plan to be stored.
    pub plan: StoredPlan,
    /// The channel for the result.
    pub reply: oneshot::Sender<Result<(), Problem>>,
}

/// The answer to a new connection.
pub struct Joined {
    /// The messages to be sent at once.
    pub first: Vec<Utf8Bytes>,
    /// The version after those messages.
    pub ver: u64,
    /// The receiver of all later messages.
    pub news: broadcast::Receiver<News>,
}

/// A message to everybody at the table.
#[derive(Clone)]
pub enum News {
    /// An event, with the same text for everybody.
    Event(Arc<Told>),
    /// A message that is not an event.
    Other(Utf8Bytes),
    /// A chat message.
    Said(Arc<Spoken>),
    /// The table was read from the store again: everybody needs the whole state.
    Anew,
}

/// An event in the form in which it is sent.
pub struct Told {
    /// The version after it.
    pub ver: u64,
    /// The message, without the command it fulfils.
    text: Utf8Bytes,
    /// The command it fulfils; only its sender gets it.
    cmd: Option<Command>,
    /// The public ids by seat, when they changed.
    pub seats: Option<[Option<String>; 2]>,
}

impl Told {
    /// Returns the message in the form for that person.
    #[must_use]
    pub fn text_for(&self, person: &str) -> Utf8Bytes {
        with_command(&self.text, self.cmd.as_ref(), person)
    }
}

/// The connections of a person.
struct Present {
    connections: u32,
    network: Network,
}

/// The reasons why the task of a table ends.
enum Why {
    Unused,
    Stopped(oneshot::Sender<()>),
    /// The store does not answer.
    Lost,
    /// Another node owns the table now, or this one was declared dead.
    Moved,
    /// A bug: something that must not happen.
    Failed(&'static str),
}

/// The outcome of a commit.
enum Committed {
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

/// The people connected at another node, and the time of that message.
type Edge = (Instant, Vec<(String, Network)>);

struct Table {
    context: Arc<Context>,
    tables: Arc<Tables>,
    state: State,
    map: Option<Arc<Loaded>>,
    news: broadcast::Sender<News>,
    /// The latest events as they were sent, the oldest first.
    recent: VecDeque<Arc<Told>>,
    /// The latest commands that were answered `not-stored`. A copy may still be under way, on another connection or
    /// after a `full`: the answer holds for it, too.
    refused: VecDeque<Command>,
    /// The people connected here, by public id.
    present: HashMap<String, Present>,
    /// The people connected elsewhere, by node.
    elsewhere: HashMap<String, Edge>,
    presence_due: Option<Instant>,
    unused_since: Instant,
    /// The time at which a flag that seems to have fallen is judged.
    flag_due: Option<Instant>,
    /// The time of the next retry of an event that the store refused.
    again: Option<Instant>,
    /// The searches of programs at this table.
    searches: Searches,
    /// The conditional moves of players, in slow games.
    plans: Vec<StoredPlan>,
    /// The premove of each side: from and to, or the only place.
    premoves: [Option<Box<[Cell]>>; 2],
    /// The version after which the last notice about the turn was left.
    turn_told: u64,
    /// The last heartbeat of the dead node that owned the table; `None` once the table goes on.
    adopted: Option<u64>,
    /// True for each side whose player has come to the table.
    came: [bool; 2],
    /// The number of plies at which a missing first move is not blamed on a player: the hall, or the store, was away
    /// while it was awaited.
    excused: Option<usize>,
    /// The last outage of the store that the clocks know of.
    outage: Outage,
}

/// Starts the task of a table.
pub fn start(
    context: Arc<Context>,
    tables: Arc<Tables>,
    state: State,
    map: Option<Arc<Loaded>>,
    asleep: Option<Asleep>,
    adopted: Option<u64>,
) -> Handle {
    let (asks, queue) = mpsc::channel(QUEUE);
    let (news, _) = broadcast::channel(BEHIND);
    let (id, ver, watchers) = (state.id.clone(), state.ver, news.clone());
    let (context_after, tables_after) = (Arc::clone(&context), Arc::clone(&tables));
    let outage = context.outages.last();
    let table = Box::new(Table {
        context,
        tables,
        state,
        map,
        news,
        recent: VecDeque::new(),
        refused: VecDeque::new(),
        present: HashMap::new(),
        elsewhere: HashMap::new(),
        presence_due: None,
        unused_since: Instant::now(),
        flag_due: None,
        again: None,
        searches: Searches::new(asks.downgrade()),
        plans: Vec::new(),
        premoves: [None, None],
        turn_told: ver,
        adopted,
        came: [false; 2],
        excused: None,
        outage,
    });
    tokio::spawn(async move {
        metrics::gauge!("hall_tables").increment(1.0);
        let ended = AssertUnwindSafe(table.keep(queue, asleep)).catch_unwind().await;
        metrics::gauge!("hall_tables").decrement(1.0);
        let why = match ended {
            Ok(Why::Unused) => None,
            Ok(Why::Stopped(done)) => {
                let _ = done.send(());
                None
            }
            Ok(Why::Lost) => {
                tables_after.forget(&id);
                Some("table-without-store")
            }
            Ok(Why::Moved) => {
                tables_after.forget(&id);
                context_after.running.forget(&id);
                metrics::counter!("hall_tables_fenced_total").increment(1);
                tracing::warn!(table = %id, "another node has this table now; it is dropped here");
                None
            }
            Ok(Why::Failed(what)) => {
                tracing::error!(table = %id, what, "a table failed");
                Box::pin(failed(&context_after, &tables_after, &id)).await;
                Some("table-failed")
            }
            Err(_) => {
                tracing::error!(table = %id, "the task of a table panicked");
                Box::pin(failed(&context_after, &tables_after, &id)).await;
                Some("table-failed")
            }
        };
        if let Some(key) = why {
            let message = ServerMessage::Failed { why: Problem::new(key).into() };
            let _ = watchers.send(News::Other(text(&message)));
        }
        context_after.lobby.remove_unless_waiting(&id);
        context_after.members.notices.closed(&id);
    });
    Handle(asks)
}

/// Counts a failure of a table, so that one that fails repeatedly is no longer opened.
async fn failed(context: &Context, tables: &Tables, id: &str) {
    metrics::counter!("hall_table_failures_total").increment(1);
    context.running.forget_players(id);
    if let Err(why) = context.store.tables.strike(id).await {
        tracing::error!(table = %id, %why, "a failure was not stored");
    }
    tables.forget(id);
}

impl Table {
    async fn keep(mut self: Box<Self>, mut queue: mpsc::Receiver<Ask>, asleep: Option<Asleep>) -> Why {
        self.note_position();
        self.note_who_is_gone();
        let mut woken = Box::pin(self.wake(asleep)).await;
        if woken.is_ok() && self.adopted.take().is_some() {
            woken = Box::pin(self.note_adopted()).await;
        }
        let ready = match woken {
            Ok(()) => self.go_on().await,
            other => other,
        };
        // A room can be entered while it is empty.
        self.list();
        let why = match ready {
            Ok(()) => self.serve(&mut queue).await,
            Err(why) => why,
        };
        if matches!(why, Why::Stopped(_)) {
            self.tables.forget(&self.state.id);
        }
        why
    }

    /// Registers the position, so that help with it is refused while two people play it.
    fn note_position(&self) {
        self.context.running.note(&self.state, self.context.limits.no_help_from_ply);
    }

    /// Sets the clock of a table that was unloaded. While it was, its clock ran on; while the hall was away, no clock
    /// ran.
    async fn wake(&mut self, asleep: Option<Asleep>) -> Result<(), Why> {
        self.load_plans().await?;
        if self.state.first.is_some() {
            return self.wake_first_turn(asleep).await;
        }
        if self.state.clock.running().is_none() {
            return Ok(());
        }
        let time = &self.context.time;
        let (began_ms, now_ms) = (time.start_ms(), time.now_ms());
        if asleep.is_some() || self.state.is_slow() {
            self.start_as(asleep);
            // A slow game that was opened just now, or by a hall that kept no deadlines.
            if let (None, Some(asleep)) = (asleep, self.deadline(now_ms)) {
                return self.context.store.tables.sleep(&self.state.id, asleep).await.map_err(|_| Why::Lost);
            }
            return Ok(());
        }
        let since_ms = self.state.at_ms;
        if since_ms >= began_ms && self.adopted.is_none() {
            self.state.clock.start(now_ms);
            return Ok(());
        }
        // What the side to move had thought when the hall was seen last is charged; the outage is not.
        let seen_ms = self.adopted.or_else(|| self.context.store.pulse.last_beat()).unwrap_or(0);
        let thought_ms = seen_ms.saturating_sub(since_ms);
        match self.commit(Event::Pause, Some(thought_ms), None, now_ms).await? {
            Committed::Done => Ok(()),
            // Not written down, the time away would be charged after all.
            _ => Err(Why::Lost),
        }
    }

    /// Sets the time for a first move of a table that was unloaded. After an outage of the hall it begins again, and
    /// the players are not blamed for what follows.
    async fn wake_first_turn(&mut self, asleep: Option<Asleep>) -> Result<(), Why> {
        let time = &self.context.time;
        let since_ms = asleep.map_or(self.state.at_ms, |asleep| asleep.since_ms);
        // When it was told last; what is written down is moved by the time that the hall was away.
        if self.state.at_ms > time.start_ms() && self.adopted.is_none() {
            self.state.start_first_turn(since_ms);
            return Ok(());
        }
        self.first_turn_anew(time.now_ms()).await
    }

    /// Starts the time for a first move again; no player is blamed for what follows.
    async fn first_turn_anew(&mut self, now_ms: u64) -> Result<(), Why> {
        if let Some(first) = &mut self.state.first {
            first.since_ms = Some(now_ms);
        }
        self.excused = Some(self.state.record.len());
        let Some(asleep) = self.deadline(now_ms) else { return Ok(()) };
        self.context.store.tables.sleep(&self.state.id, asleep).await.map_err(|_| Why::Lost)
    }

    /// Notes that an adopted table goes on at this node.
    async fn note_adopted(&self) -> Result<(), Why> {
        if let Some(cluster) = &self.context.cluster {
            cluster.adopted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
        metrics::counter!("hall_adopted_total").increment(1);
        self.context.store.claims.goes_on(&self.state.id).await.map_err(|_| Why::Lost)
    }

    /// Starts the clock of a table that was read: from the stored time, or from now on.
    fn start_as(&mut self, asleep: Option<Asleep>) {
        let now_ms = self.context.time.now_ms();
        let clock = &mut self.state.clock;
        clock.start(asleep.map_or(now_ms, |asleep| asleep.since_ms));
        if let Some(held_ms) = asleep.and_then(|asleep| asleep.held_ms) {
            clock.hold(held_ms);
        }
        // What was wished meanwhile could not be kept.
        self.state.start_first_turn(now_ms);
        self.excused = Some(self.state.record.len());
        self.hold_or_resume(now_ms);
    }

    /// Stops the clock of a player on vacation in a slow game, or resumes it. Returns true if that has changed
    /// something.
    fn hold_or_resume(&mut self, now_ms: u64) -> bool {
        let state = &mut self.state;
        let Some(side) = state.clock.running().filter(|_| state.setup.clock.days_a_move().is_some()) else {
            return false;
        };
        let player = state.seats[side.index()].as_ref();
        let is_away = player.is_some_and(|player| self.context.members.vacations.is_away(&player.id));
        match (is_away, state.clock.held_ms()) {
            (true, None) => state.clock.hold(now_ms),
            (false, Some(_)) => state.clock.resume(now_ms),
            _ => return false,
        }
        true
    }

    /// Returns the deadline of the side to move, in a slow game that goes on and before a first move; if the player
    /// has not been told yet, it counts from `now_ms` on.
    fn deadline(&self, now_ms: u64) -> Option<Asleep> {
        deadline(&self.state, now_ms)
    }

    /// Runs the work that follows every event by itself: programs are asked, premoves and planned moves are played.
    async fn go_on(&mut self) -> Result<(), Why> {
        if self.premoves.iter().any(Option::is_some) {
            Box::pin(self.play_premoves()).await?;
        }
        self.attend().await?;
        if self.plans.is_empty() { Ok(()) } else { Box::pin(self.follow_plans()).await }
    }

    async fn serve(&mut self, queue: &mut mpsc::Receiver<Ask>) -> Why {
        loop {
            let alarm = self.next_alarm();
            let asked = tokio::select! {
                biased;
                () = sleep_until(alarm) => None,
                ask = queue.recv() => match ask {
                    Some(ask) => Some(ask),
                    None => return Why::Failed("nobody can ask it any more"),
                },
            };
            // Before anything is judged by the clocks.
            if self.outage != self.context.outages.last()
                && let Err(why) = Box::pin(self.mind_outage()).await
            {
                return why;
            }
            let turn = match asked {
                Some(ask) => self.answer(ask).await,
                None => Box::pin(self.alarm(queue)).await,
            };
            let turn = match turn {
                Ok(()) => self.go_on().await,
                other => other,
            };
            match turn {
                Ok(()) => self.tell_turn(),
                // No visitor may be on the way in: the hall checks that while its list is locked.
                Err(Why::Unused) => {
                    if Box::pin(self.fell_asleep()).await && self.tables.put_away(&self.state.id, queue) {
                        return Why::Unused;
                    }
                    self.unused_since = Instant::now();
                }
                Err(why) => return why,
            }
        }
    }

    /// Stops the clocks while the store is away, and starts them when it is back; the time between is charged to no
    /// player.
    async fn mind_outage(&mut self) -> Result<(), Why> {
        let now = self.context.outages.last();
        let is_over = now.over != self.outage.over;
        self.outage = now;
        if !self.state.is_on() {
            return Ok(());
        }
        if is_over && let Some(to_ms) = now.to_ms {
            self.after_outage(now.from_ms, to_ms).await?;
        }
        if now.lasts() && self.state.clock.running().is_some() && !self.state.is_slow() {
            self.state.clock.hold(now.from_ms);
            // Not the edges: they would look into the store.
            self.recent.clear();
            let _ = self.news.send(News::Anew);
        }
        Ok(())
    }

    /// The store was away from then to then.
    async fn after_outage(&mut self, from_ms: u64, to_ms: u64) -> Result<(), Why> {
        let now_ms = self.context.time.now_ms();
        // Who was cut off could not come back.
        Side::BOTH.into_iter().for_each(|side| self.state.note_here(side, true, now_ms));
        self.note_who_is_gone();
        if self.state.first.is_some() {
            let begun = self.first_turn_anew(now_ms).await;
            self.recent.clear();
            self.tell_edges(&TableNews::Anew);
            let _ = self.news.send(News::Anew);
            return begun;
        }
        if self.state.is_slow() {
            // Its clock lies in the store, and was moved there.
            return self.read_anew().await;
        }
        if self.state.clock.since_ms().is_none_or(|since_ms| since_ms >= to_ms) {
            return Ok(());
        }
        self.state.clock.hold(from_ms);
        let thought_ms = self.state.clock.cost(to_ms, 0);
        self.commit(Event::Pause, Some(thought_ms), None, now_ms).await.map(|_| ())
    }

    /// Leaves a notice for the player to move in a slow game, once after each change; after planned moves, which may
    /// have answered it.
    fn tell_turn(&mut self) {
        if self.state.ver != self.turn_told {
            self.turn_told = self.state.ver;
            self.context.members.notices.turn(&self.state);
            self.context.events.turn(&self.state);
        }
    }

    /// Stores the time since when the clock runs, if it does, so that the hall opens the table at the deadline.
    async fn fell_asleep(&mut self) -> bool {
        let clock = &self.state.clock;
        // That of a slow game is written down already, and so is the time for a first move.
        if self.state.is_slow() || self.state.first.is_some() {
            return true;
        }
        let (Some(since_ms), Some(deadline_ms)) = (clock.since_ms(), clock.deadline_ms()) else {
            return true;
        };
        let asleep = Asleep::until(since_ms, deadline_ms + clock.grace_ms());
        self.context.store.tables.sleep(&self.state.id, asleep).await.is_ok()
    }

    /// Runs work on the game; where that may wait for another process, other tables go on meanwhile.
    fn apart<T>(&mut self, work: impl FnOnce(&mut Table) -> T) -> T {
        in_place(self.state.game.waits(), || work(self))
    }

    /// Returns the time of the next task that is due without a request.
    fn next_alarm(&self) -> Instant {
        let clock = &self.state.clock;
        let up = clock.deadline_ms().map(|at| at + clock.grace_ms()).or(self.state.first_deadline_ms());
        let up = up.filter(|_| !self.outage.lasts()).map(|at| self.context.time.instant(at));
        let flag = self.flag_due.or(up).map(|at| self.again.map_or(at, |again| at.max(again)));
        let unused = self.is_unused().then(|| self.unused_since + PUT_AWAY);
        let far = Instant::now() + Duration::from_secs(3600);
        [flag, self.presence_due, unused, self.again].into_iter().flatten().fold(far, Instant::min)
    }

    async fn alarm(&mut self, queue: &mut mpsc::Receiver<Ask>) -> Result<(), Why> {
        let now = Instant::now();
        if self.presence_due.is_some_and(|due| due <= now) {
            self.presence_due = None;
            self.tell_presence();
        }
        if self.again.is_some_and(|again| again <= now) {
            self.again = None;
        }
        if self.again.is_none() {
            self.judge_flag(now, queue).await?;
        }
        if self.is_unused() && self.unused_since + PUT_AWAY <= now {
            return Err(Why::Unused);
        }
        Ok(())
    }

    /// Judges a flag. It never beats a move that had arrived: the queue is answered first, and messages still in a
    /// socket get a moment to come through.
    async fn judge_flag(&mut self, now: Instant, queue: &mut mpsc::Receiver<Ask>) -> Result<(), Why> {
        if self.fallen().is_none() {
            self.flag_due = None;
            return Ok(());
        }
        if *self.flag_due.get_or_insert(now + LAST_CALL) > now {
            return Ok(());
        }
        for _ in 0..QUEUE {
            let Ok(ask) = queue.try_recv() else { break };
            self.answer(ask).await?;
        }
        self.flag_due = None;
        let Some(by) = self.fallen() else { return Ok(()) };
        let now_ms = self.context.time.now_ms();
        let event = self.state.time_is_up(by);
        if !matches!(self.commit(event, None, None, now_ms).await?, Committed::Done) {
            self.again = Some(Instant::now() + AGAIN);
        }
        Ok(())
    }

    /// Returns true if no person is connected and no program thinks.
    fn is_unused(&self) -> bool {
        self.is_empty() && self.searches.is_empty()
    }

    fn fallen(&self) -> Option<Side> {
        if self.outage.lasts() {
            return None;
        }
        table::decide::fallen(&self.state, self.context.time.now_ms())
    }

    async fn answer(&mut self, ask: Ask) -> Result<(), Why> {
        match ask {
            Ask::Join(join) => {
                let Join { who, network, since, reply } = *join;
                let (first, ver) = self.first_words(&who, since);
                let joined = Joined { first, ver, news: self.news.subscribe() };
                if reply.send(joined).is_ok() {
                    let id = who.id.clone();
                    self.context.members.neighbours.note(&id, network);
                    let present = self.present.entry(who.id).or_insert(Present { connections: 0, network });
                    present.connections += 1;
                    present.network = network;
                    if self.sits_at_slow(&id) {
                        self.context.members.notices.looks(&id, &self.state.id);
                    }
                    self.presence_changed();
                }
            }
            Ask::Left(who) => {
                if let Some(present) = self.present.get_mut(&who) {
                    present.connections -= 1;
                    if present.connections == 0 {
                        self.present.remove(&who);
                        self.forget_premoves(&who);
                        self.context.members.notices.looks_away(&who, &self.state.id);
                    }
                }
                self.unused_since = Instant::now();
                self.presence_changed();
            }
            Ask::Do(wished) => {
                let Wished { who, cmd, ver, act, arrived_ms, lag_ms, reply, span } = *wished;
                let cmd = Command { person: who.id.clone(), id: cmd };
                let wish = ActRequest { who: &who, ver, arrived_ms, lag_ms, act: &act };
                let answer = self.wish(wish, Some(cmd)).instrument(span).await?;
                let _ = reply.send(answer.map(|message| text(&message)));
            }
            Ask::Full { who, reply } => {
                let _ = reply.send((self.state.ver, text(&self.full(&who))));
            }
            Ask::Answered(answer) => return Box::pin(self.answered(answer.0, answer.1)).await,
            Ask::Said(line) => {
                if self.has_edges() {
                    self.tell_edges(&TableNews::Said { line: (*line).clone() });
                }
                let spoken = Spoken::new(*line, self.state.standing().seats);
                let _ = self.news.send(News::Said(Arc::new(spoken)));
            }
            Ask::Elsewhere { node, people, reply } => {
                let _ = reply.send(self.state.ver);
                if people.is_empty() {
                    self.elsewhere.remove(&node);
                } else {
                    self.elsewhere.insert(node, (Instant::now(), people));
                }
                self.unused_since = Instant::now();
                self.presence_changed();
            }
            Ask::Look(look) => self.apart(|table| look(&table.state)),
            Ask::Vacation => {
                if self.hold_or_resume(self.context.time.now_ms()) {
                    self.recent.clear();
                    self.tell_edges(&TableNews::Anew);
                    let _ = self.news.send(News::Anew);
                }
            }
            Ask::Plan(planned) => Box::pin(self.keep_plan(*planned)).await?,
            Ask::Stop(done) => {
                if self.state.clock.running().is_some() && !self.state.is_slow() {
                    let now_ms = self.context.time.now_ms();
                    let spent = self.state.clock.cost(now_ms, 0);
                    let _ = Box::pin(self.commit(Event::Pause, Some(spent), None, now_ms)).await;
                }
                let _ = self.news.send(News::Other(text(&ServerMessage::Stopping)));
                return Err(Why::Stopped(done));
            }
        }
        Ok(())
    }

    /// Returns the missed events, or the whole state.
    fn first_words(&self, who: &Player, since: Option<u64>) -> (Vec<Utf8Bytes>, u64) {
        let now = self.state.ver;
        let oldest = self.recent.front().map_or(now, |told| told.ver - 1);
        // What was told then is not what running clocks show now.
        let rests = self.state.clock.running().is_none() && self.state.first.is_none();
        let known = since.filter(|since| rests && (oldest..=now).contains(since));
        let mut first: Vec<Utf8Bytes> = match known {
            Some(since) => {
                let missed = self.recent.iter().filter(|told| told.ver > since);
                let mut texts: Vec<_> = missed.map(|told| told.text_for(&who.id)).collect();
                let you = self.state.seats_of(&who.id);
                texts.push(text(&ServerMessage::You { you }));
                texts
            }
            None => vec![text(&self.full(&who.id))],
        };
        first.push(text(&self.here()));
        (first, now)
    }

    fn full(&self, who: &str) -> ServerMessage {
        let (here, watchers) = self.who_is_here();
        self.state.full(who, here, watchers, self.context.time.now_ms())
    }

    fn here(&self) -> ServerMessage {
        let (here, watchers) = self.who_is_here();
        let claim_ms = self.state.claim_ms(self.context.time.now_ms()).map(|(_, left_ms)| left_ms);
        ServerMessage::Here { here, watchers, claim_ms }
    }

    /// Returns true if that person plays a slow game here.
    fn sits_at_slow(&self, who: &str) -> bool {
        self.state.is_slow() && !self.state.seats_of(who).is_empty()
    }

    /// Returns which of the two players are here, and the number of spectators.
    fn who_is_here(&self) -> ([bool; 2], u32) {
        let player = |seat: &Option<Player>| {
            seat.as_ref().is_some_and(|p| p.engine.is_some() || self.is_present(&p.id))
        };
        let sits = |id: &&str| self.state.seats.iter().flatten().any(|p| p.id == *id);
        let here = self.present.keys().map(String::as_str);
        let there = self.edges().flat_map(|people| people.iter().map(|(id, _)| id.as_str()));
        let all: std::collections::HashSet<&str> = here.chain(there).collect();
        let watchers = all.into_iter().filter(|id| !sits(id)).count();
        let here = [player(&self.state.seats[0]), player(&self.state.seats[1])];
        (here, u32::try_from(watchers).unwrap_or(u32::MAX))
    }

    /// Returns the people connected elsewhere, from messages that have not expired.
    fn edges(&self) -> impl Iterator<Item = &Vec<(String, Network)>> {
        self.elsewhere.values().filter(|(heard, _)| heard.elapsed() < EDGE).map(|(_, people)| people)
    }

    fn has_edges(&self) -> bool {
        self.edges().next().is_some()
    }

    /// Returns true if no one is connected to the table, here or elsewhere.
    fn is_empty(&self) -> bool {
        self.present.is_empty() && !self.has_edges()
    }

    /// Returns the network that a person here or elsewhere is connected from.
    fn network_of(&self, id: &str) -> Option<Network> {
        let here = self.present.get(id).map(|present| present.network);
        let there = || self.edges().flatten().find(|(other, _)| other == id).map(|(_, network)| *network);
        here.or_else(there)
    }

    /// Returns true if that person is connected to the table, here or elsewhere.
    fn is_present(&self, id: &str) -> bool {
        self.present.contains_key(id)
            || self.edges().any(|people| people.iter().any(|(other, _)| other == id))
    }

    fn tell_edges(&self, news: &TableNews) {
        if let Some(cluster) = self.context.cluster.as_ref().filter(|_| self.has_edges()) {
            cluster.tell_table(&self.state.id, news);
        }
    }

    /// Notes players who come to a table of strangers at which no move was made yet: the queue for Play now waits for
    /// them.
    fn note_arrivals(&mut self) {
        let state = &self.state;
        if state.setup.how != How::Open || !state.started() || state.in_earnest() {
            return;
        }
        for side in Side::BOTH {
            let player = state.seats[side.index()].as_ref().filter(|player| player.engine.is_none());
            if let Some(player) = player
                && !self.came[side.index()]
                && self.is_present(&player.id)
            {
                self.came[side.index()] = true;
                self.context.came(&player.id, &state.id);
            }
        }
    }

    /// Notes the time since when a player is away: the other may claim the win after a while.
    fn note_who_is_gone(&mut self) {
        let now_ms = self.context.time.now_ms();
        let (here, _) = self.who_is_here();
        for side in Side::BOTH {
            self.state.note_here(side, here[side.index()], now_ms);
        }
    }

    fn presence_changed(&mut self) {
        self.note_arrivals();
        self.note_who_is_gone();
        let due = Instant::now() + PRESENCE;
        self.presence_due.get_or_insert(due);
        self.list();
    }

    fn tell_presence(&self) {
        let (here, watchers) = self.who_is_here();
        let claim_ms = self.state.claim_ms(self.context.time.now_ms()).map(|(_, left_ms)| left_ms);
        self.tell_edges(&TableNews::Here { here, watchers, claim_ms });
        let _ = self.news.send(News::Other(text(&self.here())));
    }

    /// Answers a request; `None` when the event it became is the answer.
    async fn wish(
        &mut self,
        wish: ActRequest<'_>,
        cmd: Option<Command>,
    ) -> Result<Option<ServerMessage>, Why> {
        let arrived_ms = wish.arrived_ms;
        if self.state.setup.rated
            && let Act::Sit { .. } = wish.act
            && let Err(why) = Box::pin(self.context.has_account(&wish.who.id)).await
        {
            return Ok(Some(no(cmd.as_ref(), why)));
        }
        if let Act::Sit { .. } = wish.act {
            let sit = self.state.seats.iter().flatten().filter(|p| p.engine.is_none()).map(|p| p.id.clone());
            let sit: Vec<String> = sit.collect();
            let setup = &self.state.setup;
            if let Err(why) = Box::pin(self.context.may_sit(&self.state.id, setup, &wish.who.id, &sit)).await
            {
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
    async fn commit(
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
        let seats = change.seats.is_some().then(|| self.state.standing().seats);
        let changed = seats.is_some();
        let told_ms = self.context.time.now_ms();
        let (ver, message) = (change.v, self.state.told(change, told_ms));
        if let Some(entry) = packed {
            self.tell_edges(&TableNews::Event { entry, told_ms });
        }
        let told = Arc::new(Told { ver, text: text(&message), cmd, seats });
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(Arc::clone(&told));
        let _ = self.news.send(News::Event(told));
        self.flag_due = None;
        self.note_position();
        // The absence of a player is announced again at the start of their turn: it counts from then on.
        if changed || self.state.gone_ms.iter().any(Option::is_some) && self.state.is_on() {
            self.presence_changed();
        }
        if !was_on && self.state.is_on() {
            self.context.events.begun(&self.state);
        }
        if let (false, Some(end)) = (was_over, &self.state.end) {
            self.context.events.ended(&self.state);
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
    async fn read_anew(&mut self) -> Result<(), Why> {
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
        self.recent.clear();
        self.tell_edges(&TableNews::Anew);
        let _ = self.news.send(News::Anew);
        Ok(())
    }

    /// Puts the table's line into the lobby, or takes it out.
    fn list(&self) {
        let state = &self.state;
        let public = matches!(state.setup.how, How::Open | How::Room);
        let here = |seat: &Option<Player>| seat.as_ref().is_some_and(|p| self.is_present(&p.id));
        let someone = state.seats.iter().any(here);
        // A seat can be taken there while no player is present.
        let since_ms = self.context.time.now_ms().saturating_sub(state.setup.created_ms);
        let is_slow = state.setup.how == How::Open && state.is_slow() && since_ms < SLOW_WAITS_MS;
        let is_slow = is_slow && state.seats.iter().any(Option::is_some);
        let is_room = state.setup.how == How::Room && since_ms < ROOM_WAITS_MS;
        let waiting = !state.started() && (someone || is_slow || is_room);
        let listed = public && state.end.is_none() && (waiting || state.started() && someone);
        self.context.lobby.set(&state.id, listed.then(|| line(state)));
    }
}

/// Returns the deadline of the side to move in a slow game, the time for a message under way included, or of its
/// first move; `None` where neither time is set to run.
pub(crate) fn deadline(state: &State, now_ms: u64) -> Option<Asleep> {
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

/// Returns a table's line in the lobby.
#[must_use]
pub fn line(state: &State) -> TableLine {
    TableLine {
        id: state.id.clone(),
        game: state.setup.game.clone(),
        options: state.setup.options.clone(),
        map: state.setup.map.clone(),
        how: state.setup.how,
        room: state.setup.room.clone(),
        clock: state.setup.clock,
        rated: state.setup.rated,
        ratings: None,
        seats: state.seats.clone(),
        plies: u32::try_from(state.record.len()).unwrap_or(u32::MAX),
        created_ms: state.setup.created_ms,
    }
}

/// Returns an event in the form for the person `who`: with the command it fulfils, when it is their own.
fn with_command(event: &Utf8Bytes, cmd: Option<&Command>, who: &str) -> Utf8Bytes {
    const HEAD: &str = "{\"t\":\"ev\",";
    match cmd.filter(|cmd| cmd.person == who).zip(event.strip_prefix(HEAD)) {
        // A command is letters, digits, strokes and underscores: nothing to be escaped.
        Some((cmd, rest)) => [HEAD, "\"cmd\":\"", &cmd.id, "\",", rest].concat().into(),
        None => event.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_sender_sees_a_command() {
        let happened = |cmd: Option<&str>| {
            let bare = r#"{"t":"ev","v":3,"k":"draw"}"#;
            let mut event: ServerMessage = serde_json::from_str(bare).expect("an event");
            if let ServerMessage::Ev(event) = &mut event {
                event.cmd = cmd.map(str::to_owned);
            }
            event
        };
        let cmd = Command { person: "ann".into(), id: "wish-0001".into() };
        let told = text(&happened(None));
        let read = |text: Utf8Bytes| serde_json::from_str::<ServerMessage>(&text).expect("an event");
        assert_eq!(read(with_command(&told, Some(&cmd), "ann")), happened(Some("wish-0001")));
        assert_eq!(read(with_command(&told, Some(&cmd), "bob")), happened(None));
        assert_eq!(read(with_command(&told, None, "ann")), happened(None));
    }
}
