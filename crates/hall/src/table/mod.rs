//! One game being played: seats, clock, moves in, views out. One task owns it.
//!
//! The task takes one wish at a time, [decides](decide::decide) what becomes of it, has the store write it down, waits
//! until it is on disk, [applies](State::apply) it, and tells everybody. The flag falls in the same task, so either the
//! flag or the move counts, never both. What the store refuses has not happened: the table is read back from its log.

mod company;
mod decide;
mod state;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use kernel::{Problem, Side};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::{Instant, sleep_until};
use wire::{Act, Event, How, Player, ServerMessage, TableLine};

pub use decide::{Decision, MOST_EVENTS, Wish, decide};
pub use state::{Change, State};

use company::Company;

use crate::hall::Hall;
use crate::maps::apart;
use crate::opponents::seat::Answer;
use crate::store::{Entry, Stage, Standing, StoreError};

/// Wishes that may wait for a table; beyond that, connections wait.
const QUEUE: usize = 64;
/// Messages a reader may fall behind; beyond that it gets everything anew.
const BEHIND: usize = 32;
/// A table nobody looks at, and whose clock rests, is put away after this long.
const PUT_AWAY: Duration = Duration::from_secs(60);
/// Who is here is told at most this often.
const PRESENCE: Duration = Duration::from_millis(300);
/// What the hall itself could not write down, it tries again after this long.
const AGAIN: Duration = Duration::from_secs(1);

/// The way to a table's task.
#[derive(Clone)]
pub struct Handle(pub mpsc::Sender<Ask>);

/// What a connection or a request asks of a table.
pub enum Ask {
    /// Someone connects, and knows the events up to `since`.
    Join {
        /// Who.
        who: Player,
        /// The version they know.
        since: Option<u64>,
        /// What to send first, and where the rest comes from.
        reply: oneshot::Sender<Joined>,
    },
    /// A connection of that guest has ended.
    Left(String),
    /// Someone wishes something.
    Do {
        /// Who.
        who: Player,
        /// Their name for the wish.
        cmd: String,
        /// The version they have seen.
        ver: u64,
        /// What.
        act: Act,
        /// The round trip to them.
        rtt_ms: u64,
        /// A message for them alone; `None` when the event itself is the answer.
        reply: oneshot::Sender<Option<Utf8Bytes>>,
    },
    /// Someone wants everything anew.
    Full {
        /// Who.
        who: String,
        /// The version and the message.
        reply: oneshot::Sender<(u64, Utf8Bytes)>,
    },
    /// Someone looks at the state. Must be quick.
    Look(Box<dyn FnOnce(&State) + Send>),
    /// A program has answered the question that was asked when the table stood so.
    Answered(company::Asked, Answer),
    /// The hall stops: write down the clocks and end.
    Stop(oneshot::Sender<()>),
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
pub struct News {
    /// The version after it; `None` for what is not an event.
    pub ver: Option<u64>,
    /// The message.
    pub text: Utf8Bytes,
    /// Guest ids by seat, when they changed.
    pub seats: Option<Arc<[Option<String>; 2]>>,
}

/// Why the task of a table ends.
enum Why {
    Unused,
    Stopped(oneshot::Sender<()>),
    Lost,
}

struct Table {
    hall: Arc<Hall>,
    state: State,
    news: broadcast::Sender<News>,
    /// Connections by guest.
    present: HashMap<String, u32>,
    presence_due: Option<Instant>,
    unused_since: Instant,
    /// When to try again to write a fallen flag down, after the store refused it.
    flag_again: Option<Instant>,
    /// What programs at this table are asked.
    company: Company,
}

/// Starts the task of a table.
pub fn start(hall: Arc<Hall>, state: State) -> Handle {
    let (asks, queue) = mpsc::channel(QUEUE);
    let (news, _) = broadcast::channel(BEHIND);
    let table = Table {
        hall,
        state,
        news,
        present: HashMap::new(),
        presence_due: None,
        unused_since: Instant::now(),
        flag_again: None,
        company: Company::new(asks.downgrade()),
    };
    tokio::spawn(table.keep(queue));
    Handle(asks)
}

impl Table {
    async fn keep(mut self, mut queue: mpsc::Receiver<Ask>) {
        metrics::gauge!("hall_tables").increment(1.0);
        self.hall.running.note(&self.state, self.hall.limits.no_help_from_ply);
        let why = self.wake().await.map_or_else(|why| why, |()| Why::Unused);
        let why = match why {
            Why::Unused => match self.attend().await {
                Ok(()) => self.serve(&mut queue).await,
                Err(why) => why,
            },
            other => other,
        };
        if !matches!(why, Why::Unused) {
            self.hall.forget(&self.state.id);
        }
        self.hall.lobby.remove_unless_waiting_room(&self.state.id);
        metrics::gauge!("hall_tables").decrement(1.0);
        if let Why::Stopped(done) = why {
            let _ = done.send(());
        }
    }

    /// A clock that ran when the hall was away goes on from now.
    async fn wake(&mut self) -> Result<(), Why> {
        if self.state.clock.running().is_some() && self.state.is_on() {
            // Not written down, the time away would be charged after all.
            return if self.commit(Event::Pause, None, None).await? { Ok(()) } else { Err(Why::Lost) };
        }
        Ok(())
    }

    async fn serve(&mut self, queue: &mut mpsc::Receiver<Ask>) -> Why {
        loop {
            let alarm = self.next_alarm();
            let turn = tokio::select! {
                biased;
                () = sleep_until(alarm) => self.alarm().await,
                ask = queue.recv() => match ask {
                    Some(ask) => self.answer(ask).await,
                    None => return Why::Lost,
                },
            };
            let turn = match turn {
                Ok(()) => self.attend().await,
                other => other,
            };
            match turn {
                Ok(()) => {}
                // Nobody may be on the way in: the hall looks while its list is locked.
                Err(Why::Unused) => {
                    if self.hall.put_away(&self.state.id, queue) {
                        return Why::Unused;
                    }
                    self.unused_since = Instant::now();
                }
                Err(why) => return why,
            }
        }
    }

    /// Does something with the game; where that may wait for another process, other tables go on meanwhile.
    fn apart<T>(&mut self, work: impl FnOnce(&mut Table) -> T) -> T {
        apart(self.state.game.waits(), || work(self))
    }

    /// When something is to be done without being asked.
    fn next_alarm(&self) -> Instant {
        let clock = &self.state.clock;
        let flag = clock.deadline_ms().map(|at| self.hall.time.instant(at + clock.grace_ms()));
        let flag = flag.map(|at| self.flag_again.map_or(at, |again| at.max(again)));
        let unused = self.is_unused().then(|| self.unused_since + PUT_AWAY);
        let far = Instant::now() + Duration::from_secs(3600);
        [flag, self.presence_due, unused, self.company.again].into_iter().flatten().fold(far, Instant::min)
    }

    async fn alarm(&mut self) -> Result<(), Why> {
        let now = Instant::now();
        if self.presence_due.is_some_and(|due| due <= now) {
            self.presence_due = None;
            self.tell_presence();
        }
        if let Some(side) = self.fallen().filter(|_| self.flag_again.is_none_or(|again| again <= now)) {
            let stored = self.commit(Event::Flag { by: side.into() }, None, None).await?;
            self.flag_again = (!stored).then(|| Instant::now() + AGAIN);
        }
        if self.company.again.is_some_and(|again| again <= now) {
            self.company.again = None;
        }
        if self.is_unused() && self.unused_since + PUT_AWAY <= now {
            return Err(Why::Unused);
        }
        Ok(())
    }

    /// Nobody is here, no clock runs, and no program thinks.
    fn is_unused(&self) -> bool {
        self.present.is_empty() && self.state.clock.deadline_ms().is_none() && !self.company.thinks()
    }

    fn fallen(&self) -> Option<Side> {
        let clock = &self.state.clock;
        let up = clock.deadline_ms()? + clock.grace_ms() <= self.hall.time.now_ms();
        clock.running().filter(|_| up)
    }

    async fn answer(&mut self, ask: Ask) -> Result<(), Why> {
        match ask {
            Ask::Join { who, since, reply } => {
                let (first, ver) = self.apart(|table| table.first_words(&who, since));
                let joined = Joined { first, ver, news: self.news.subscribe() };
                if reply.send(joined).is_ok() {
                    *self.present.entry(who.id).or_default() += 1;
                    self.presence_changed();
                }
            }
            Ask::Left(who) => {
                if let Some(count) = self.present.get_mut(&who) {
                    *count -= 1;
                    if *count == 0 {
                        self.present.remove(&who);
                    }
                }
                self.unused_since = Instant::now();
                self.presence_changed();
            }
            Ask::Do { who, cmd, ver, act, rtt_ms, reply } => {
                let answer = self.wish(&who, &cmd, ver, &act, rtt_ms).await?;
                let _ = reply.send(answer.map(|message| text(&message)));
            }
            Ask::Full { who, reply } => {
                let _ = reply.send((self.state.ver(), text(&self.full(&who))));
            }
            Ask::Answered(asked, answer) => return self.answered(asked, answer).await,
            Ask::Look(look) => self.apart(|table| look(&table.state)),
            Ask::Stop(done) => {
                if self.state.clock.running().is_some() {
                    let spent = self.state.clock.cost(self.hall.time.now_ms(), 0);
                    let _ = self.commit(Event::Pause, Some(spent), None).await;
                }
                let _ = self.news.send(News { ver: None, text: text(&ServerMessage::Stopping), seats: None });
                return Err(Why::Stopped(done));
            }
        }
        Ok(())
    }

    /// The missed events, or everything.
    fn first_words(&self, who: &Player, since: Option<u64>) -> (Vec<Utf8Bytes>, u64) {
        let now = self.state.ver();
        let limits = &self.hall.limits;
        // To tell events again, a game is played again, which extensions may make slow.
        let waits = self.state.game.waits();
        let few = |&since: &u64| {
            !waits && since <= now && now - since <= limits.replay && now <= limits.replayed_log
        };
        let known = since.filter(few);
        let events = known.and_then(|since| self.state.retold(since).ok());
        let mut first: Vec<Utf8Bytes> = match events {
            Some(events) => {
                let mut texts: Vec<_> = events.iter().map(text).collect();
                let you = self.state.seats_of(&who.id).into_iter().map(wire::Side::from).collect();
                texts.push(text(&ServerMessage::You { you }));
                texts
            }
            None => vec![text(&self.full(&who.id))],
        };
        first.push(text(&self.here()));
        (first, now)
    }

    fn full(&self, who: &str) -> ServerMessage {
        let ServerMessage::Here { here, watchers } = self.here() else { unreachable!("made just so") };
        self.state.full(who, here, watchers, self.hall.time.now_ms())
    }

    fn here(&self) -> ServerMessage {
        let player = |seat: &Option<Player>| {
            seat.as_ref().is_some_and(|p| p.engine.is_some() || self.present.contains_key(&p.id))
        };
        let sits = |id: &&String| self.state.seats.iter().flatten().any(|p| p.id == **id);
        let watchers = self.present.keys().filter(|id| !sits(id)).count();
        ServerMessage::Here {
            here: [player(&self.state.seats[0]), player(&self.state.seats[1])],
            watchers: u32::try_from(watchers).unwrap_or(u32::MAX),
        }
    }

    fn presence_changed(&mut self) {
        let due = Instant::now() + PRESENCE;
        self.presence_due.get_or_insert(due);
        self.list();
    }

    fn tell_presence(&self) {
        let _ = self.news.send(News { ver: None, text: text(&self.here()), seats: None });
    }

    /// Answers a wish; `None` when the event it became is the answer.
    async fn wish(
        &mut self,
        who: &Player,
        cmd: &str,
        ver: u64,
        act: &Act,
        rtt_ms: u64,
    ) -> Result<Option<ServerMessage>, Why> {
        if let Some(v) = self.state.done(cmd) {
            return Ok(Some(ServerMessage::Ok { cmd: cmd.to_owned(), v }));
        }
        let wish = Wish { who, ver, rtt_ms, now_ms: self.hall.time.now_ms() };
        let refused = |why: Problem| Ok(Some(ServerMessage::No { cmd: cmd.to_owned(), why: why.into() }));
        let (event, spent) = match self.apart(|table| decide(&table.state, &wish, act)) {
            Err(why) => return refused(why),
            Ok(Decision::Event(event, spent)) => (event, spent),
            Ok(Decision::TooLate(side)) => {
                self.commit(Event::Flag { by: side.into() }, None, None).await?;
                return refused(Problem::new("time-is-up"));
            }
            Ok(Decision::Rematch) => match self.hall.open_rematch(&self.state).await {
                Ok(table) => (Event::Rematch { table }, None),
                Err(why) => return refused(why),
            },
        };
        let is_move = matches!(event, Event::Move { .. });
        let begun = std::time::Instant::now();
        if !self.commit(event, spent, Some(cmd)).await? {
            return refused(Problem::new("not-stored"));
        }
        if is_move {
            metrics::counter!("hall_moves_total").increment(1);
            metrics::histogram!("hall_move_seconds").record(begun.elapsed().as_secs_f64());
        }
        Ok(None)
    }

    /// Has an event written down, applies it and tells everybody; false when the store refused it.
    async fn commit(&mut self, event: Event, spent_ms: Option<u64>, cmd: Option<&str>) -> Result<bool, Why> {
        let ver = self.state.ver() + 1;
        let at_ms = self.hall.time.now_ms();
        let entry = Entry { ver, at_ms, cmd: cmd.map(str::to_owned), spent_ms, event };
        let standing = self.apart(|table| table.standing_after(&entry.event));
        if let Err(why) = self.hall.store.append(&self.state.id, entry.clone(), standing).await {
            return self.recover(&why).await.map(|()| false);
        }
        let before = (self.state.end.is_some(), self.state.started());
        let Ok(change) = self.apart(|table| table.state.apply(entry)) else { return Err(Why::Lost) };
        self.hall.running.note(&self.state, self.hall.limits.no_help_from_ply);
        let seats = matches!(
            self.state.log.last().map(|e| &e.event),
            Some(Event::Sit { .. } | Event::Leave { .. } | Event::Swap)
        );
        let seats = seats.then(|| Arc::new(self.state.standing().seats));
        let _ = self.news.send(News {
            ver: Some(ver),
            text: text(&self.state.told(change)),
            seats: seats.clone(),
        });
        if seats.is_some() {
            self.presence_changed();
        }
        let after = (self.state.end.is_some(), self.state.started());
        if let (false, Some(end)) = (before.0, &self.state.end) {
            tracing::info!(table = %self.state.id, plies = self.state.record.len(), reason = %end.reason, "a game ended");
        }
        if before != after || self.state.record.len().is_multiple_of(16) {
            self.list();
        }
        Ok(true)
    }

    /// Nothing happened, but the log may know better: the table is read back from it.
    async fn recover(&mut self, why: &StoreError) -> Result<(), Why> {
        tracing::error!(table = %self.state.id, %why, "an event was not stored");
        metrics::counter!("hall_store_failures_total").increment(1);
        let Ok(Some(stored)) = self.hall.store.load(&self.state.id).await else { return Err(Why::Lost) };
        let known = self.state.ver();
        let state = self.hall.replayed(&self.state.id, stored.setup, stored.log).await;
        self.state = state.map_err(|_| Why::Lost)?;
        for message in self.apart(|table| table.state.retold(known)).unwrap_or_default() {
            let ver = if let ServerMessage::Ev { v, .. } = message { Some(v) } else { None };
            let seats = Some(Arc::new(self.state.standing().seats));
            let _ = self.news.send(News { ver, text: text(&message), seats });
        }
        Ok(())
    }

    /// What the store is to note beside the log, when the event changes it.
    fn standing_after(&mut self, event: &Event) -> Option<Standing> {
        let mut standing = self.state.standing();
        match event {
            Event::Sit { side, who } => standing.seats[Side::from(*side).index()] = Some(who.id.clone()),
            Event::Leave { side } => {
                standing.seats[Side::from(*side).index()] = None;
                if standing.seats.iter().all(Option::is_none) {
                    standing.stage = Stage::Over;
                }
            }
            Event::Swap => standing.seats.swap(0, 1),
            Event::Resign { .. }
            | Event::Flag { .. }
            | Event::Abort { .. }
            | Event::Forfeit { .. }
            | Event::Draw => {
                standing.stage = Stage::Over;
            }
            Event::Withdraw { .. } | Event::Takeback { .. } if standing.stage == Stage::Over => {
                standing.stage = Stage::Playing;
            }
            Event::Move { text, .. } if self.state.would_end(text) => standing.stage = Stage::Over,
            _ => return None,
        }
        if standing.stage == Stage::Waiting && standing.seats.iter().all(Option::is_some) {
            standing.stage = Stage::Playing;
        }
        Some(standing)
    }

    /// Puts the table's line into the lobby, or takes it out.
    fn list(&self) {
        let state = &self.state;
        let public = matches!(state.setup.how, How::Open | How::Room);
        let here = |seat: &Option<Player>| seat.as_ref().is_some_and(|p| self.present.contains_key(&p.id));
        let someone = state.seats.iter().any(here);
        let waiting = !state.started() && (someone || state.setup.how == How::Room);
        let listed = public && state.end.is_none() && (waiting || state.started() && someone);
        self.hall.lobby.set(&state.id, listed.then(|| line(state)));
    }
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
        seats: state.seats.clone(),
        plies: u32::try_from(state.record.len()).unwrap_or(u32::MAX),
        created_ms: state.setup.created_ms,
    }
}

/// A message as it goes over the wire.
pub fn text(message: &ServerMessage) -> Utf8Bytes {
    serde_json::to_string(message).expect("messages are plain data").into()
}
