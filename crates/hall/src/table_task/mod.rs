//! The task that owns one table in memory: wishes in, messages out.
//!
//! It takes one wish at a time: [decide](table::decide()), [apply](State::apply), have it stored, and only then
//! [tell](State::told). While the store writes, the task waits, and nobody sees what is not stored. What the store refuses has
//! not happened: the table is read back from its log. The flag falls in the same task, so either the flag or the move
//! counts, never both.
//!
//! A task that panics, or that does too much without being asked, ends alone: those who sit there are told, the table
//! is counted as failed in the store, and the hall goes on.
//!
//! A hall keeps thousands of these tasks, most of them idle: what is done seldom is boxed, so that an idle task is
//! small.

mod plans;
mod premoves;
mod programs;
pub mod remote;

use std::collections::{HashMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use futures_util::FutureExt as _;
use kernel::{Cell, Problem, Side};
use store::format::{Packed, pack};
use store::games::Finished;
use store::slow::StoredPlan;
use store::together::Deed;
use store::{Asleep, StoreError};
use table::first::blamed;
use table::{Applied, Command, Decision, Entry, Event, Secret, Standing, State, Wish, decide, program};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tracing::Instrument;
use wire::{Act, Happened, How, Kind, Player, SaidLine, ServerMessage, TableLine};

use crate::chat::Spoken;
use crate::cluster::talk::TableNews;
use crate::hall::{Context, Tables};
use crate::lobby::{ROOM_WAITS_MS, SLOW_WAITS_MS};
use crate::maps::{Loaded, apart};
use crate::network::Network;
use crate::opponents::seat::Answer;
use crate::outage::Outage;
use crate::remembered::finished;
use crate::traces;
use programs::Searches;

/// Wishes that may wait for a table; beyond that, connections wait.
const QUEUE: usize = 64;
/// Messages a reader may fall behind; beyond that it gets everything anew.
const BEHIND: usize = 32;
/// Messages that are kept for who connects again after a moment.
const RECENT: usize = 24;
/// Refusals of the store that are remembered.
const REFUSED: usize = 256;
/// A table nobody looks at is put away after this long.
const PUT_AWAY: Duration = Duration::from_secs(60);
/// Who is here is told at most this often.
const PRESENCE: Duration = Duration::from_millis(300);
/// What the hall itself could not write down, it tries again after this long.
const AGAIN: Duration = Duration::from_secs(1);
/// Before a flag is judged, moves that have arrived get this long to come through.
const LAST_CALL: Duration = Duration::from_millis(30);
/// How long a table waits for a store that does not answer, before it ends.
const PATIENCE: Duration = Duration::from_secs(30);
/// Who was at an edge that has not been heard of for so long is not there any more.
const EDGE: Duration = Duration::from_secs(15);
/// Events that may follow from one wish by themselves: a program's answers. More is a mistake of ours.
const MOST_FOLLOWING: u32 = 16;

/// The way to a table's task.
#[derive(Clone)]
pub struct Handle(pub mpsc::Sender<Ask>);

/// What a connection or a request asks of a table. Small, because every queue has room for many.
pub enum Ask {
    /// Someone connects, to play or to watch.
    Join(Box<Join>),
    /// A connection of that person has ended.
    Left(String),
    /// Someone wishes something.
    Do(Box<Wished>),
    /// Someone wants everything anew.
    Full {
        /// Their public id.
        who: String,
        /// The version and the message.
        reply: oneshot::Sender<(u64, Utf8Bytes)>,
    },
    /// Someone looks at the state. Must be quick.
    Look(Box<dyn FnOnce(&State) + Send>),
    /// A program has answered the question it was asked.
    Answered(Box<(program::Asked, Answer)>),
    /// Somebody has gone on vacation, or come back.
    Vacation,
    /// Somebody plans moves.
    Plan(Box<Planned>),
    /// Something was said, which is stored.
    Said(Box<SaidLine>),
    /// Who is connected to the table at another node.
    Elsewhere {
        /// The node's incarnation.
        node: String,
        /// All of them: public ids and networks.
        people: Vec<(String, Network)>,
        /// The version of the table.
        reply: oneshot::Sender<u64>,
    },
    /// The table ends: clocks are written down, and readers told that they may connect again.
    Stop(oneshot::Sender<()>),
}

/// Someone who connects.
pub struct Join {
    /// Whom the table knows the connection by: account or guest.
    pub who: Player,
    /// The network they come from.
    pub network: Network,
    /// The version they know.
    pub since: Option<u64>,
    /// What to send first, and where the rest comes from.
    pub reply: oneshot::Sender<Joined>,
}

/// A wish, as it came in.
pub struct Wished {
    /// Whom the table knows the connection by: account or guest.
    pub who: Player,
    /// Their name for the wish.
    pub cmd: String,
    /// The version they have seen.
    pub ver: u64,
    /// What they wish.
    pub act: Act,
    /// When it was read off the network, in the hall's time.
    pub arrived_ms: u64,
    /// The round trip to them, in milliseconds.
    pub lag_ms: u64,
    /// A message for them alone; `None` when the event itself is the answer.
    pub reply: oneshot::Sender<Option<Utf8Bytes>>,
    /// Its [trace](crate::traces::wish).
    pub span: tracing::Span,
}

/// A plan, as it came in; it has been [checked](table::plan::check).
pub struct Planned {
    /// What is to be kept.
    pub plan: StoredPlan,
    /// Whether it is; or why not.
    pub reply: oneshot::Sender<Result<(), Problem>>,
}

/// What a new connection gets.
pub struct Joined {
    /// To be sent at once.
    pub first: Vec<Utf8Bytes>,
    /// The version after that.
    pub ver: u64,
    /// Everything from then on.
    pub news: broadcast::Receiver<News>,
}

/// Something for everybody at the table.
#[derive(Clone)]
pub enum News {
    /// What happened, the same text for everybody.
    Event(Arc<Told>),
    /// A message that is not an event.
    Other(Utf8Bytes),
    /// Something was said.
    Said(Arc<Spoken>),
    /// The table was read anew: everybody needs everything.
    Anew,
}

/// An event as it is told.
pub struct Told {
    /// The version after it.
    pub ver: u64,
    /// The message, without the command it fulfils.
    text: Utf8Bytes,
    /// The command it fulfils; only the person who sent it is told.
    cmd: Option<Command>,
    /// Public ids by seat, when they changed.
    pub seats: Option<[Option<String>; 2]>,
}

impl Told {
    /// The message, as that person gets it.
    #[must_use]
    pub fn text_for(&self, person: &str) -> Utf8Bytes {
        with_command(&self.text, self.cmd.as_ref(), person)
    }
}

/// Someone who is connected.
struct Present {
    connections: u32,
    network: Network,
}

/// Why the task of a table ends.
enum Why {
    Unused,
    Stopped(oneshot::Sender<()>),
    /// The store does not answer.
    Lost,
    /// Another node owns the table now, or this one was buried.
    Moved,
    /// Something that must not happen.
    Failed(&'static str),
}

/// What became of an event.
enum Committed {
    Done,
    /// The rules do not allow the move.
    Illegal(Problem),
    /// The command had been fulfilled before, as that version.
    Before(u64),
    /// The store refused; the table is as it was.
    NotStored,
}

/// An event that was applied and is not stored yet.
struct Unsaved {
    change: Happened,
    /// The command that it fulfils.
    cmd: Option<Command>,
    /// Who left the game by it.
    left: Option<String>,
    /// The game was on before it.
    was_on: bool,
    /// The game had ended before it.
    was_over: bool,
    /// The table's line in the lobby changes with it.
    listed: bool,
    /// What the edges are told; nothing where there are none.
    packed: Option<Packed>,
}

/// Who is connected at another node, and when that was heard.
type Edge = (Instant, Vec<(String, Network)>);

struct Table {
    context: Arc<Context>,
    tables: Arc<Tables>,
    state: State,
    map: Option<Arc<Loaded>>,
    news: broadcast::Sender<News>,
    /// The latest events as they were told, the oldest first.
    recent: VecDeque<Arc<Told>>,
    /// The latest commands that were answered `not-stored`. A copy may still be under way, on another connection or
    /// after a `full`: the answer holds for it, too.
    refused: VecDeque<Command>,
    /// Who is connected, by public id.
    present: HashMap<String, Present>,
    /// Who is connected elsewhere, by node.
    elsewhere: HashMap<String, Edge>,
    presence_due: Option<Instant>,
    unused_since: Instant,
    /// A flag that seems to have fallen is judged then.
    flag_due: Option<Instant>,
    /// When to try again what the store refused.
    again: Option<Instant>,
    /// What programs at this table think about.
    searches: Searches,
    /// Moves that are played for who planned them; in slow games.
    plans: Vec<StoredPlan>,
    /// Moves that each side has chosen ahead: from and to, or the only place.
    premoves: [Option<Box<[Cell]>>; 2],
    /// The version after which it was last told whose turn it is.
    turn_told: u64,
    /// Until the table goes on: the last beat of the node that died with it.
    adopted: Option<u64>,
    /// Players who have come to the table, by side.
    came: [bool; 2],
    /// The number of plies at which nobody is blamed for a first move that does not come: the hall, or the store, was
    /// away while it was waited for.
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
        context_after.notices.closed(&id);
    });
    Handle(asks)
}

/// A table that failed is counted, so that one that fails again and again is left alone.
async fn failed(context: &Context, tables: &Tables, id: &str) {
    metrics::counter!("hall_table_failures_total").increment(1);
    context.running.forget_players(id);
    if let Err(why) = context.store.strike(id).await {
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
        // A room can be entered although nobody is there.
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

    /// Nobody is helped with what stands in a running game between two people.
    fn note_position(&self) {
        self.context.running.note(&self.state, self.context.limits.no_help_from_ply);
    }

    /// The clock of a table that was away. While it slept, its clock ran on; while the hall was away, no clock ran.
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
                return self.context.store.sleep(&self.state.id, asleep).await.map_err(|_| Why::Lost);
            }
            return Ok(());
        }
        let since_ms = self.state.at_ms;
        if since_ms >= began_ms && self.adopted.is_none() {
            self.state.clock.start(now_ms);
            return Ok(());
        }
        // What the side to move had thought when the hall was seen last is charged; the outage is not.
        let seen_ms = self.adopted.or_else(|| self.context.store.last_beat()).unwrap_or(0);
        let thought_ms = seen_ms.saturating_sub(since_ms);
        match self.commit(Event::Pause, Some(thought_ms), None, now_ms).await? {
            Committed::Done => Ok(()),
            // Not written down, the time away would be charged after all.
            _ => Err(Why::Lost),
        }
    }

    /// The time for a first move of a table that was away. Where the hall was away itself it begins anew, and nobody is
    /// blamed for what follows.
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

    /// The time for a first move begins anew, and nobody is blamed for what follows.
    async fn first_turn_anew(&mut self, now_ms: u64) -> Result<(), Why> {
        if let Some(first) = &mut self.state.first {
            first.since_ms = Some(now_ms);
        }
        self.excused = Some(self.state.record.len());
        let Some(asleep) = self.deadline(now_ms) else { return Ok(()) };
        self.context.store.sleep(&self.state.id, asleep).await.map_err(|_| Why::Lost)
    }

    /// The table goes on at this node.
    async fn note_adopted(&self) -> Result<(), Why> {
        if let Some(cluster) = &self.context.cluster {
            cluster.adopted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
        metrics::counter!("hall_adopted_total").increment(1);
        self.context.store.goes_on(&self.state.id).await.map_err(|_| Why::Lost)
    }

    /// The clock of a table that was read runs as it was written down, or from now on.
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

    /// In slow games no clock runs for who is on vacation. Returns whether that has changed something.
    fn hold_or_resume(&mut self, now_ms: u64) -> bool {
        let state = &mut self.state;
        let Some(side) = state.clock.running().filter(|_| state.setup.clock.days_a_move().is_some()) else {
            return false;
        };
        let player = state.seats[side.index()].as_ref();
        let is_away = player.is_some_and(|player| self.context.vacations.is_away(&player.id));
        match (is_away, state.clock.held_ms()) {
            (true, None) => state.clock.hold(now_ms),
            (false, Some(_)) => state.clock.resume(now_ms),
            _ => return false,
        }
        true
    }

    /// Until when the side to move may think, in a slow game that goes on and before a first move; where it has not
    /// been told yet, from `now_ms` on.
    fn deadline(&self, now_ms: u64) -> Option<Asleep> {
        deadline(&self.state, now_ms)
    }

    /// What happens by itself after everything else: programs are asked, planned moves are played.
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
                // Nobody may be on the way in: the hall looks while its list is locked.
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

    /// The store is away, or back: the clocks stand still meanwhile, and the time is charged to nobody.
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

    /// Whoever is to move in a slow game is told, once after each change; after planned moves, which may have answered it.
    fn tell_turn(&mut self) {
        if self.state.ver != self.turn_told {
            self.turn_told = self.state.ver;
            self.context.notices.turn(&self.state);
            self.context.events.turn(&self.state);
        }
    }

    /// Notes since when the clock runs, where one does, so that the hall wakes the table when it is up.
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
        self.context.store.sleep(&self.state.id, asleep).await.is_ok()
    }

    /// Does something with the game; where that may wait for another process, other tables go on meanwhile.
    fn apart<T>(&mut self, work: impl FnOnce(&mut Table) -> T) -> T {
        apart(self.state.game.waits(), || work(self))
    }

    /// When something is to be done without being asked.
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

    /// A flag never beats a move that had arrived: what waits is answered first, and what is still in a socket gets a
    /// moment to come through.
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

    /// Nobody is here and no program thinks.
    fn is_unused(&self) -> bool {
        self.present.is_empty() && self.searches.is_empty() && !self.has_edges()
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
                    self.context.neighbours.note(&id, network, self.context.time.now_ms());
                    let present = self.present.entry(who.id).or_insert(Present { connections: 0, network });
                    present.connections += 1;
                    present.network = network;
                    if self.sits_at_slow(&id) {
                        self.context.notices.looks(&id, &self.state.id);
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
                        self.context.notices.looks_away(&who, &self.state.id);
                    }
                }
                self.unused_since = Instant::now();
                self.presence_changed();
            }
            Ask::Do(wished) => {
                let Wished { who, cmd, ver, act, arrived_ms, lag_ms, reply, span } = *wished;
                let cmd = Command { person: who.id.clone(), id: cmd };
                let wish = Wish { who: &who, ver, arrived_ms, lag_ms, act: &act };
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

    /// The missed events, or everything.
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

    /// Whether that person plays a slow game here.
    fn sits_at_slow(&self, who: &str) -> bool {
        self.state.is_slow() && !self.state.seats_of(who).is_empty()
    }

    /// Whether the two players are here, and how many others are.
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

    /// Who is connected elsewhere, as far as that was heard lately.
    fn edges(&self) -> impl Iterator<Item = &Vec<(String, Network)>> {
        self.elsewhere.values().filter(|(heard, _)| heard.elapsed() < EDGE).map(|(_, people)| people)
    }

    fn has_edges(&self) -> bool {
        self.edges().next().is_some()
    }

    /// Whether that person is connected to the table, here or elsewhere.
    fn is_present(&self, id: &str) -> bool {
        self.present.contains_key(id)
            || self.edges().any(|people| people.iter().any(|(other, _)| other == id))
    }

    fn tell_edges(&self, news: &TableNews) {
        if let Some(cluster) = self.context.cluster.as_ref().filter(|_| self.has_edges()) {
            cluster.tell_table(&self.state.id, news);
        }
    }

    /// Players who come to a table of strangers at which nobody has moved: Play now awaits them.
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

    /// Since when a player is away: the other may claim the win after a while.
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

    /// Answers a wish; `None` when the event it became is the answer.
    async fn wish(&mut self, wish: Wish<'_>, cmd: Option<Command>) -> Result<Option<ServerMessage>, Why> {
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

    /// What is to be done about a wish.
    fn decide(&self, wish: Wish<'_>, cmd: Option<Command>) -> Decided {
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

    /// What is decided seldom.
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

    /// Applies an event, has it written down and tells everybody. Small as a future, because there is one in each task:
    /// what comes before and after the store are functions.
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
            (Changed::Ended(standing, game), _) => store.finish(id, entry, standing, *game),
            (Changed::Standing(standing), Some(asleep)) => store.append_slow(id, entry, standing, asleep),
            (Changed::Standing(standing), None) => store.append(id, entry, standing),
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
            // Whether it is stored will show; whoever asks again then is answered by the log.
            Err(_) => Err(Why::Lost),
        }
    }

    /// Applies an event; nobody hears of it before it is stored.
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

    /// Whoever takes the second seat sets chance going: nobody could wait for a good secret, and nobody knows it.
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

    /// The public id of whoever leaves a game between strangers by that event; see [`table::first::blamed`].
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
        if let Err(why) = self.context.store.deed(deed).await {
            tracing::warn!(table = %self.state.id, %why, "that somebody left a game was not stored");
        }
    }

    /// Tells everybody what is stored now.
    fn tell(&mut self, unsaved: Box<Unsaved>) {
        let Unsaved { change, cmd, left: _, was_on, was_over, listed, packed } = *unsaved;
        self.drop_premoves(&change);
        // Who takes moves back plans anew.
        if matches!(change.k, Kind::Takeback | Kind::Swap) {
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
        // Whoever is away is told to be so anew when it is their turn: from then on it counts.
        if changed || self.state.gone_ms.iter().any(Option::is_some) && self.state.is_on() {
            self.presence_changed();
        }
        if !was_on && self.state.is_on() {
            self.context.events.begun(&self.state);
        }
        if let (false, Some(end)) = (was_over, &self.state.end) {
            self.context.events.ended(&self.state);
            self.context.count_finished(&self.state);
            tracing::info!(table = %self.state.id, plies = self.state.record.len(), reason = %end.reason, "a game ended");
        }
        if listed || self.state.record.len().is_multiple_of(16) {
            self.list();
        }
    }

    /// The store has refused an event, perhaps with `cmd`.
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

    /// Nothing happened, or the log knows better: the table is read back from it. A store that does not answer is waited
    /// for.
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
                match context.store.load(&id).await {
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
        let replayed = context.replayed(&id, stored.setup, stored.log).await;
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
        // One can sit down there while nobody is.
        let since_ms = self.context.time.now_ms().saturating_sub(state.setup.created_ms);
        let is_slow = state.setup.how == How::Open && state.is_slow() && since_ms < SLOW_WAITS_MS;
        let is_slow = is_slow && state.seats.iter().any(Option::is_some);
        let is_room = state.setup.how == How::Room && since_ms < ROOM_WAITS_MS;
        let waiting = !state.started() && (someone || is_slow || is_room);
        let listed = public && state.end.is_none() && (waiting || state.started() && someone);
        self.context.lobby.set(&state.id, listed.then(|| line(state)));
    }
}

/// Until when the side to move may think in a slow game, the time for a message under way included, or make its first
/// move; `None` where neither time is set to run.
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

/// What an event changed that the store keeps beside the log.
enum Changed {
    /// The game has ended.
    Ended(Standing, Box<Finished>),
    /// Where the table stands, if that has changed.
    Standing(Option<Standing>),
}

/// What is to be done about a wish.
enum Decided {
    /// It becomes an event, with what it costs, and fulfils a command.
    Event(Event, Option<u64>, Option<Command>),
    /// This is the answer.
    Answer(Box<ServerMessage>),
    /// It takes longer.
    Longer(Decision, Option<Command>),
}

fn ok(cmd: Option<&Command>, v: u64) -> ServerMessage {
    ServerMessage::Ok { cmd: name(cmd), v }
}

fn no(cmd: Option<&Command>, why: Problem) -> ServerMessage {
    ServerMessage::No { cmd: name(cmd), why: why.into() }
}

/// The name that its sender gave a wish; programs give none.
fn name(cmd: Option<&Command>) -> String {
    cmd.map_or_else(String::new, |cmd| cmd.id.clone())
}

/// A table's line in the lobby.
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

/// A message as it goes over the wire.
pub fn text(message: &ServerMessage) -> Utf8Bytes {
    serde_json::to_string(message).expect("messages are plain data").into()
}

/// An event as the person `who` gets it: with the command it fulfils, when it is their own.
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
