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
//!
//! Reading order: this file (what a task waits for), `commit` (from a request to an event), `clocks`, `presence`, `premoves`, `plans`,
//! `programs`, and [`remote`] (a copy of another node's table).

mod commit;
mod clocks;
mod presence;
mod premoves;
mod plans;
mod programs;
pub mod remote;

use std::collections::{HashMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use edge::network::Network;
use edge::workers::in_place;
use futures_util::FutureExt as _;
use kernel::{Cell, Problem};
use store::Asleep;
use store::slow::StoredPlan;
use table::{ActRequest, Command, Event, State};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};
use tracing::Instrument;
use wire::ServerMessage;
use works::maps::Loaded;

use crate::ask::{Ask, Handle, News, Wished};
use crate::audience::Audience;
use crate::cluster::talk::TableNews;
use crate::context::Context;
use crate::memory::Memory;
use crate::message::text;
use crate::outage::Outage;
use programs::Searches;

/// The most requests that wait for a table; beyond that, connections wait.
const QUEUE: usize = 64;
/// The delay before an event of the hall itself is retried, when the store refused it.
const AGAIN: Duration = Duration::from_secs(1);
/// The most events that may follow from one request by themselves: a program's answers. More is a bug.
const MOST_FOLLOWING: u32 = 16;

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

/// The people connected at another node, and the time of that message.
type Edge = (Instant, Vec<(String, Network)>);

struct Table {
    context: Arc<Context>,
    memory: Arc<Memory>,
    state: State,
    map: Option<Arc<Loaded>>,
    /// The people connected here, and what they were sent.
    audience: Audience,
    /// The latest commands that were answered `not-stored`. A copy may still be under way, on another connection or
    /// after a `full`: the answer holds for it, too.
    refused: VecDeque<Command>,
    /// The people connected elsewhere, by node.
    elsewhere: HashMap<String, Edge>,
    presence_due: Option<Instant>,
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
    memory: Arc<Memory>,
    state: State,
    map: Option<Arc<Loaded>>,
    asleep: Option<Asleep>,
    adopted: Option<u64>,
) -> Handle {
    let (asks, queue) = mpsc::channel(QUEUE);
    let audience = Audience::new();
    let (id, ver, watchers) = (state.id.clone(), state.ver, audience.sender());
    let (context_after, memory_after) = (Arc::clone(&context), Arc::clone(&memory));
    let outage = context.outages.last();
    let table = Box::new(Table {
        context,
        memory,
        state,
        map,
        audience,
        refused: VecDeque::new(),
        elsewhere: HashMap::new(),
        presence_due: None,
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
                memory_after.forget(&id);
                Some("table-without-store")
            }
            Ok(Why::Moved) => {
                memory_after.forget(&id);
                context_after.running.forget(&id);
                metrics::counter!("hall_tables_fenced_total").increment(1);
                tracing::warn!(table = %id, "another node has this table now; it is dropped here");
                None
            }
            Ok(Why::Failed(what)) => {
                tracing::error!(table = %id, what, "a table failed");
                Box::pin(failed(&context_after, &memory_after, &id)).await;
                Some("table-failed")
            }
            Err(_) => {
                tracing::error!(table = %id, "the task of a table panicked");
                Box::pin(failed(&context_after, &memory_after, &id)).await;
                Some("table-failed")
            }
        };
        if let Some(key) = why {
            let message = ServerMessage::Failed { why: Problem::new(key).into() };
            let _ = watchers.send(News::Other(text(&message)));
        }
        context_after.lobby.remove_unless_waiting(&id);
        context_after.persons.closed(&id);
    });
    Handle(asks)
}

/// Counts a failure of a table, so that one that fails repeatedly is no longer opened.
async fn failed(context: &Context, memory: &Memory, id: &str) {
    metrics::counter!("hall_table_failures_total").increment(1);
    context.running.forget_players(id);
    if let Err(why) = context.store.tables.strike(id).await {
        tracing::error!(table = %id, %why, "a failure was not stored");
    }
    memory.forget(id);
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
            self.memory.forget(&self.state.id);
        }
        why
    }

    /// Registers the position, so that help with it is refused while two people play it.
    fn note_position(&self) {
        self.context.running.note(&self.state, self.context.limits.no_help_from_ply);
    }

    /// Notes that an adopted table goes on at this node.
    async fn note_adopted(&self) -> Result<(), Why> {
        if let Some(cluster) = &self.context.cluster {
            cluster.adopted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
        metrics::counter!("hall_adopted_total").increment(1);
        self.context.store.claims.goes_on(&self.state.id).await.map_err(|_| Why::Lost)
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
                    if Box::pin(self.fell_asleep()).await && self.memory.put_away(&self.state.id, queue) {
                        return Why::Unused;
                    }
                    self.audience.touch();
                }
                Err(why) => return why,
            }
        }
    }

    /// Leaves a notice for the player to move in a slow game, once after each change; after planned moves, which may
    /// have answered it.
    fn tell_turn(&mut self) {
        if self.state.ver != self.turn_told {
            self.turn_told = self.state.ver;
            self.context.persons.turn(&self.state);
        }
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
        let unused = self.is_unused().then(|| self.audience.unused_at());
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
        if self.is_unused() && self.audience.unused_at() <= now {
            return Err(Why::Unused);
        }
        Ok(())
    }

    /// Returns true if no person is connected and no program thinks.
    fn is_unused(&self) -> bool {
        self.is_empty() && self.searches.is_empty()
    }

    async fn answer(&mut self, ask: Ask) -> Result<(), Why> {
        match ask {
            Ask::Join(join) => {
                let (id, network, now_ms) = (join.who.id.clone(), join.network, self.context.time.now_ms());
                let presence = self.presence();
                if self.audience.join(*join, &self.state, presence, now_ms) {
                    self.context.persons.comes_from(&id, network);
                    if self.sits_at_slow(&id) {
                        self.context.persons.looks(&id, &self.state.id);
                    }
                    self.presence_changed();
                }
            }
            Ask::Left(who) => {
                if self.audience.leave(&who) {
                    self.forget_premoves(&who);
                    self.context.persons.looks_away(&who, &self.state.id);
                }
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
                let full = self.presence().full(&self.state, &who, self.context.time.now_ms());
                let _ = reply.send((self.state.ver, text(&full)));
            }
            Ask::Answered(answer) => return Box::pin(self.answered(answer.0, answer.1)).await,
            Ask::Said(line) => {
                if self.has_edges() {
                    self.tell_edges(&TableNews::Said { line: (*line).clone() });
                }
                self.audience.tell_said(*line, &self.state);
            }
            Ask::Elsewhere { node, people, reply } => {
                let _ = reply.send(self.state.ver);
                if people.is_empty() {
                    self.elsewhere.remove(&node);
                } else {
                    self.elsewhere.insert(node, (Instant::now(), people));
                }
                self.audience.touch();
                self.presence_changed();
            }
            Ask::Look(look) => self.apart(|table| look(&table.state)),
            Ask::Vacation => {
                if self.hold_or_resume(self.context.time.now_ms()) {
                    self.tell_edges(&TableNews::Anew);
                    self.audience.tell_anew();
                }
            }
            Ask::Plan(planned) => Box::pin(self.keep_plan(*planned)).await?,
            Ask::Stop(done) => {
                if self.state.clock.running().is_some() && !self.state.is_slow() {
                    let now_ms = self.context.time.now_ms();
                    let spent = self.state.clock.cost(now_ms, 0);
                    let _ = Box::pin(self.commit(Event::Pause, Some(spent), None, now_ms)).await;
                }
                self.audience.tell(&ServerMessage::Stopping);
                return Err(Why::Stopped(done));
            }
        }
        Ok(())
    }
}
