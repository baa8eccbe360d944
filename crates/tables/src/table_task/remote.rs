//! A table that another node owns, for the people at this node: a copy that follows the owner's news.
//!
//! It answers like a table's own task ([`Ask`]): a person who connects gets the copy's state, requests go to the
//! owner with the same command id until an answer comes, and events that the owner has committed are sent to
//! everybody here, once for the table. A gap in the versions is filled from the log. When the owner releases the
//! table or dies, this task ends and its people connect again, to the node that claims the table then.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use edge::network::Payer;
use edge::workers::in_place;
use kernel::Problem;
use store::NodeRow;
use table::{Applied, Entry, State};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tracing::Instrument;
use wire::ServerMessage;
use works::maps::Loaded;

use super::QUEUE;
use crate::ask::{Ask, Handle, Planned, Wished};
use crate::audience::{Audience, Presence};
use crate::cluster::talk::{Answer, Question, TableNews};
use crate::cluster::{Cluster, at_table};
use crate::context::Context;
use crate::memory::{Memory, NoTable};
use crate::message::text;
use crate::traces;

/// The interval at which the owner is sent the list of people here, changed or not.
const PRESENT: Duration = Duration::from_secs(5);
/// The interval of checks whether the owner lives.
const LOOK: Duration = Duration::from_millis(500);
/// The time that news which the owner has promised get to come, before the log is read.
const GAP: Duration = Duration::from_millis(40);
/// The number of times that a request is sent, before its sender must connect again.
const TRIES: usize = 3;
/// The most entries that are read from the log at once.
const PAGE: u32 = 1000;

/// The messages of the task that forwards requests.
enum OwnerNews {
    /// The owner is at that version.
    Ver(u64),
    /// The owner no longer owns the table, or does not answer.
    Lost,
}

struct Remote {
    context: Arc<Context>,
    cluster: Arc<Cluster>,
    memory: Arc<Memory>,
    owner: NodeRow,
    /// The time at which the owner was found to be alive.
    since: std::time::Instant,
    state: State,
    map: Option<Arc<Loaded>>,
    /// The people connected here, and what they were sent.
    audience: Audience,
    /// The owner's last message about presence.
    presence: Presence,
    /// The version that the owner is known to have.
    wanted: u64,
    /// The time at which the log is read because news did not come.
    gap_due: Option<Instant>,
    /// The channel for the owner's answers.
    told: mpsc::Sender<OwnerNews>,
}

/// Starts following a table of `owner`. The copy is read after the subscription, so that no event is missed in
/// between.
///
/// # Errors
/// See [`NoTable`].
pub async fn follow(
    context: Arc<Context>,
    memory: Arc<Memory>,
    cluster: Arc<Cluster>,
    id: &str,
    owner: NodeRow,
    payer: Payer<'_>,
) -> Result<Handle, NoTable> {
    let busy = |_| NoTable::Busy;
    let heard = cluster.post.listen(&at_table(id)).await.map_err(busy)?;
    let (state, map) = copy(&context, id, payer).await?;
    let (asks, queue) = mpsc::channel(QUEUE);
    let wanted = state.ver;
    let (told, answers) = mpsc::channel(QUEUE);
    let (name, forgets) = (id.to_owned(), Arc::clone(&memory));
    let remote = Remote {
        context: Arc::clone(&context),
        cluster,
        memory,
        owner,
        since: std::time::Instant::now(),
        state,
        map,
        audience: Audience::new(),
        presence: Presence::default(),
        wanted,
        gap_due: None,
        told,
    };
    tokio::spawn(async move {
        metrics::gauge!("hall_edges").increment(1.0);
        remote.run(queue, heard, answers).await;
        metrics::gauge!("hall_edges").decrement(1.0);
        forgets.forget(&name);
    });
    Ok(Handle(asks))
}

/// Reads the table from its log.
async fn copy(
    context: &Context,
    id: &str,
    payer: Payer<'_>,
) -> Result<(State, Option<Arc<Loaded>>), NoTable> {
    let broken = |why: String| NoTable::Broken(why);
    let stored = context.store.logs.load(id).await.map_err(|why| broken(why.to_string()))?;
    let stored = stored.ok_or(NoTable::Unknown)?;
    let asleep = stored.asleep;
    let replayed = context.replayed(id, stored.setup, stored.log, payer).await;
    let (mut state, map) = replayed.map_err(|why| broken(why.key.to_owned()))?;
    let at_ms = state.at_ms;
    state.clock.start(asleep.map_or(at_ms, |asleep| asleep.since_ms));
    if let Some(held_ms) = asleep.and_then(|asleep| asleep.held_ms) {
        state.clock.hold(held_ms);
    }
    state.start_first_turn(asleep.map_or(at_ms, |asleep| asleep.since_ms));
    Ok((state, map))
}

impl Remote {
    async fn run(
        mut self,
        mut queue: mpsc::Receiver<Ask>,
        mut heard: mpsc::Receiver<bus::IncomingRequest>,
        mut answers: mpsc::Receiver<OwnerNews>,
    ) {
        let (forward, wishes) = mpsc::channel(QUEUE);
        let forwarder = tokio::spawn(forward_all(
            Arc::clone(&self.cluster),
            self.state.id.clone(),
            self.owner.incarnation.clone(),
            wishes,
            self.told.clone(),
        ));
        let mut looks = interval(LOOK);
        let mut presents = interval(PRESENT);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        presents.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let gap = self.gap_due.unwrap_or_else(|| Instant::now() + Duration::from_secs(3600));
            let goes_on = tokio::select! {
                ask = queue.recv() => match ask {
                    Some(ask) => self.answer(ask, &forward).await,
                    None => false,
                },
                asked = heard.recv() => match asked {
                    Some(asked) => self.hear(&asked.body).await,
                    None => false,
                },
                answer = answers.recv() => match answer {
                    Some(OwnerNews::Ver(ver)) => {
                        self.expect(ver);
                        true
                    }
                    Some(OwnerNews::Lost) | None => false,
                },
                () = tokio::time::sleep_until(gap) => {
                    self.gap_due = None;
                    self.state.ver >= self.wanted || self.catch_up().await
                }
                _ = presents.tick() => {
                    self.tell_present();
                    true
                }
                _ = looks.tick() => !self.cluster.is_gone(&self.owner.incarnation, self.since) && self.cluster.serves(),
            };
            if !goes_on {
                break;
            }
            let unused = self.audience.is_empty() && Instant::now() > self.audience.unused_at();
            if unused && self.memory.put_away(&self.state.id, &queue) {
                break;
            }
        }
        forwarder.abort();
        self.audience.clear();
        self.tell_present();
    }

    /// Notes that the owner has, or will have, that version.
    fn expect(&mut self, ver: u64) {
        self.wanted = self.wanted.max(ver);
        if self.state.ver < self.wanted {
            self.gap_due.get_or_insert(Instant::now() + GAP);
        }
    }

    /// Sends the owner the list of people here.
    fn tell_present(&self) {
        let people = self.audience.people().map(|(id, network)| (id.to_owned(), network.address())).collect();
        let node = self.cluster.me.clone();
        let question = Question::Present { table: self.state.id.clone(), node, people };
        let (cluster, owner) = (Arc::clone(&self.cluster), self.owner.incarnation.clone());
        let told = self.told.clone();
        // It is said again. The owner tells news only to those it has heard of, so what happened before comes by the
        // version in its answer, and so does what the bus has lost.
        tokio::spawn(async move {
            if let Ok(Answer::Done { ver, .. }) = cluster.ask(&owner, &question).await {
                let _ = told.send(OwnerNews::Ver(ver)).await;
            }
        });
    }

    async fn answer(&mut self, ask: Ask, forward: &mpsc::Sender<Box<Wished>>) -> bool {
        match ask {
            Ask::Join(join) => {
                if self.audience.join(*join, &self.state, self.presence, self.context.time.now_ms()) {
                    self.tell_present();
                }
            }
            Ask::Left(who) => {
                self.audience.leave(&who);
                self.tell_present();
            }
            Ask::Do(wished) => return forward.send(wished).await.is_ok(),
            Ask::Full { who, reply } => {
                let full = self.presence.full(&self.state, &who, self.context.time.now_ms());
                let _ = reply.send((self.state.ver, text(&full)));
            }
            Ask::Look(look) => in_place(self.state.game.waits(), || look(&self.state)),
            Ask::Said(line) => self.pass_on(Question::Said { table: self.state.id.clone(), line: *line }),
            Ask::Vacation => self.pass_on(Question::Vacation { table: self.state.id.clone() }),
            Ask::Plan(planned) => self.plan(*planned),
            // Programs think where their table is.
            Ask::Answered(_) => {}
            Ask::Elsewhere { reply, .. } => drop(reply),
            Ask::Stop(done) => {
                self.audience.tell(&ServerMessage::Stopping);
                let _ = done.send(());
                return false;
            }
        }
        true
    }

    fn pass_on(&self, question: Question) {
        let (cluster, owner) = (Arc::clone(&self.cluster), self.owner.incarnation.clone());
        tokio::spawn(async move { drop(cluster.ask(&owner, &question).await) });
    }

    fn plan(&self, planned: Planned) {
        let Planned { plan, reply } = planned;
        let question = Question::Plan {
            table: self.state.id.clone(),
            person: plan.person,
            from_ply: plan.from_ply,
            lines: plan.lines,
        };
        let (cluster, owner) = (Arc::clone(&self.cluster), self.owner.incarnation.clone());
        tokio::spawn(async move {
            let answer = match cluster.ask(&owner, &question).await {
                Ok(Answer::Done { .. }) => Ok(()),
                _ => Err(Problem::new("not-stored")),
            };
            let _ = reply.send(answer);
        });
    }

    async fn hear(&mut self, body: &str) -> bool {
        let Ok(news) = serde_json::from_str::<TableNews>(body) else { return true };
        match news {
            TableNews::Event { entry, told_ms } => {
                // Twice, or late.
                if entry.ver() <= self.state.ver {
                    return true;
                }
                if entry.ver() > self.state.ver + 1 {
                    self.wanted = self.wanted.max(entry.ver());
                    return self.catch_up().await;
                }
                match entry.unpack() {
                    Ok(entry) => return self.apply(entry, told_ms) || self.anew().await,
                    Err(why) => {
                        tracing::warn!(table = %self.state.id, why, "news of a newer hall");
                        return false;
                    }
                }
            }
            TableNews::Here { here, watchers, claim_ms } => {
                let presence = Presence { here, watchers, claim_ms };
                if self.presence != presence {
                    self.presence = presence;
                    self.audience.tell(&presence.message());
                }
            }
            TableNews::Said { line } => {
                self.audience.tell_said(line, &self.state);
            }
            TableNews::Anew => return self.anew().await,
            TableNews::Moved => return false,
        }
        true
    }

    /// Applies an event that the owner has committed, and sends it to everybody here; returns false if it does not
    /// fit.
    fn apply(&mut self, entry: Entry, told_ms: u64) -> bool {
        let cmd = entry.cmd.clone();
        let waits = self.state.game.waits();
        let applied = in_place(waits, || self.state.apply(entry));
        let Ok(Applied { change, .. }) = applied else { return false };
        self.audience.tell_event(&mut self.state, change, cmd, told_ms);
        true
    }

    /// Fills a gap from the log.
    async fn catch_up(&mut self) -> bool {
        metrics::counter!("hall_gaps_total").increment(1);
        let missed = match self.context.store.logs.log(&self.state.id, self.state.ver, PAGE).await {
            Ok(missed) => missed,
            Err(why) => {
                tracing::warn!(table = %self.state.id, %why, "a gap cannot be filled now");
                self.gap_due = Some(Instant::now() + LOOK);
                return true;
            }
        };
        for entry in missed {
            let at_ms = entry.at_ms;
            if !self.apply(entry, at_ms) {
                return self.anew().await;
            }
        }
        true
    }

    /// Reads the whole table again.
    async fn anew(&mut self) -> bool {
        let Ok((state, map)) = copy(&self.context, &self.state.id, Payer::Hall).await else { return false };
        (self.state, self.map) = (state, map);
        self.audience.tell_anew();
        true
    }
}

/// Sends requests to the owner, one after the other, each until it is answered.
async fn forward_all(
    cluster: Arc<Cluster>,
    table: String,
    owner: String,
    mut wishes: mpsc::Receiver<Box<Wished>>,
    told: mpsc::Sender<OwnerNews>,
) {
    let found = std::time::Instant::now();
    while let Some(wished) = wishes.recv().await {
        let since = Instant::now();
        let Wished { who, cmd, ver, act, arrived_ms: _, lag_ms, reply, span } = *wished;
        let asking = tracing::info_span!(target: traces::TARGET, parent: &span, "ask-owner", node = owner);
        let wish = (who, cmd, ver, act, lag_ms);
        let asked = forward(&cluster, &table, &owner, since, found, wish);
        let answer = asked.instrument(asking).await;
        let heard = match answer {
            Some((ver, words)) => {
                let _ = reply.send(words.map(Utf8Bytes::from));
                OwnerNews::Ver(ver)
            }
            // Without an answer the connection ends, and the client sends the request again with the same id.
            None => OwnerNews::Lost,
        };
        let is_lost = matches!(heard, OwnerNews::Lost);
        if told.send(heard).await.is_err() || is_lost {
            return;
        }
    }
}

/// A request without the channel for its answer: the person, its id, the version seen, the action, and the round
/// trip.
type ForwardedWish = (wire::Player, String, u64, wire::Act, u64);

async fn forward(
    cluster: &Cluster,
    table: &str,
    owner: &str,
    since: Instant,
    found: std::time::Instant,
    (who, cmd, ver, act, lag_ms): ForwardedWish,
) -> Option<(u64, Option<String>)> {
    for _ in 0..TRIES {
        let question = Question::Do {
            table: table.to_owned(),
            who: who.clone(),
            cmd: cmd.clone(),
            ver,
            act: act.clone(),
            waited_ms: u64::try_from(since.elapsed().as_millis()).unwrap_or(0),
            lag_ms,
            trace: traces::name(&tracing::Span::current()),
        };
        match cluster.ask(owner, &question).await {
            Ok(Answer::Done { ver, told }) => return Some((ver, told)),
            Ok(_) => return None,
            Err(_) if cluster.is_gone(owner, found) => return None,
            Err(_) => {}
        }
    }
    None
}
