//! Tables among several nodes: the questions of other nodes are answered, their news heeded, tables of dead nodes
//! adopted, and the others told about the lobby here.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use edge::connections::Connections;
use edge::network::{Asker, Network, Payer};
use store::slow::StoredPlan;
use table::State;
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval};

use crate::Tables;
use crate::ask::{Ask, Planned, Wished};
use crate::cluster::talk::{Answer, Question, Word};
use crate::cluster::{Cluster, MOST_PARTS};
use crate::traces;

/// The most tables that are adopted in one round.
const ADOPT: u32 = 64;
/// The most lines of the lobby that are sent whole.
const MOST_LINES: usize = 1000;
/// The most people in one presence message: 115 kB.
const HERE_PART: usize = 5_000;

impl Tables {
    /// Answers a question about tables, the queues or running positions; returns a question about anything else. A
    /// table that this node does not own is never opened for it, even if the bus claims so.
    ///
    /// # Errors
    /// The question, which is not about tables.
    pub async fn answer(self: &Arc<Self>, question: Question) -> Result<Answer, Box<Question>> {
        Ok(match question {
            Question::Do { table, who, cmd, ver, act, waited_ms, lag_ms, trace } => {
                let span = traces::wish(&table, &act, trace.as_deref());
                let arrived_ms = self.context.time.now_ms().saturating_sub(waited_ms);
                let wished = |reply| {
                    let (who, cmd, act, span) = (who.clone(), cmd.clone(), act.clone(), span.clone());
                    Ask::Do(Box::new(Wished { who, cmd, ver, act, arrived_ms, lag_ms, reply, span }))
                };
                match self.ask_own(&table, wished).await {
                    Some(told) => self.done(&table, told.map(|words| words.to_string())).await,
                    None => Answer::NotMine,
                }
            }
            Question::Present { table, node, people } => {
                let people: Vec<(String, Network)> =
                    people.into_iter().map(|(id, address)| (id, Network::of(address))).collect();
                let elsewhere = |reply| Ask::Elsewhere { node: node.clone(), people: people.clone(), reply };
                match self.ask_own(&table, elsewhere).await {
                    Some(ver) => Answer::Done { ver, told: None },
                    None => Answer::NotMine,
                }
            }
            Question::Said { table, line } => {
                self.tell_own(&table, Ask::Said(Box::new(line))).await;
                Answer::Done { ver: 0, told: None }
            }
            Question::Vacation { table } => {
                self.tell_own(&table, Ask::Vacation).await;
                Answer::Done { ver: 0, told: None }
            }
            Question::Plan { table, person, from_ply, lines } => {
                let plan = StoredPlan { person, from_ply, lines };
                let planned = |reply| Ask::Plan(Box::new(Planned { plan: plan.clone(), reply }));
                match self.ask_own(&table, planned).await {
                    Some(Ok(())) => Answer::Done { ver: 0, told: None },
                    Some(Err(why)) => Answer::Refused { key: why.key.to_owned() },
                    None => Answer::NotMine,
                }
            }
            Question::Reload { table } => {
                self.reload_own(&table).await;
                Answer::Done { ver: 0, told: None }
            }
            Question::PlayNow { wish, who, address } => {
                let network = address.map_or_else(Network::nobody, Network::of);
                let asker = Asker { network, person: who.id.clone() };
                match self.play_now_here(wish, who, &asker).await {
                    Ok(told) => Answer::PlayNow { told },
                    Err(why) => Answer::Refused { key: why.key.to_owned() },
                }
            }
            Question::Runs { plays: (person, game), keys } => Answer::Runs {
                rated: self.context.running.plays_rated_here(&person, &game),
                found: self.context.running.find(&keys),
            },
            Question::Left { person } => Answer::Left { table: self.left_here(&person, Payer::Hall).await },
            other => return Err(Box::new(other)),
        })
    }

    async fn done(&self, table: &str, told: Option<String>) -> Answer {
        let ver = self.look(table, Payer::Hall, |state: &State| state.ver).await.unwrap_or(0);
        Answer::Done { ver, told }
    }

    /// Asks a table that this node owns; `None` if it does not own the table.
    async fn ask_own<T>(&self, id: &str, question: impl Fn(oneshot::Sender<T>) -> Ask) -> Option<T> {
        if !self.owns(id).await {
            return None;
        }
        self.ask(id, Payer::Hall, question).await.ok().map(|(_, answer)| answer)
    }

    /// Sends a message to a table that this node has in memory.
    async fn tell_own(&self, id: &str, what: Ask) {
        if let Some(handle) = self.memory.handle(id) {
            let _ = handle.0.send(what).await;
        }
    }

    /// Handles a message about the lobby and the queues; returns the message if it is about anything else.
    #[must_use]
    pub fn hear(&self, cluster: &Cluster, node: String, word: Word) -> Option<Word> {
        let lobby = &self.context.lobby;
        match word {
            Word::Lobby { put, gone } => {
                for line in put {
                    cluster.note_listed(&line.id, &node);
                    lobby.set_from(&line.id.clone(), Some(line));
                }
                for id in gone {
                    // The owner of a table decides, even if another node listed it before.
                    cluster.forget_listed(&id);
                    lobby.set_from(&id, None);
                }
            }
            Word::LobbyWhole { lines } => {
                let gone = cluster.listed_but(&node, &lines);
                gone.iter().for_each(|id| lobby.set_from(id, None));
                for line in lines {
                    cluster.note_listed(&line.id, &node);
                    lobby.set_from(&line.id.clone(), Some(line));
                }
            }
            Word::Pools { mut pools } => {
                pools.truncate(MOST_LINES);
                lobby.set_pools(&node, pools);
            }
            Word::Here { people, part } => cluster.note_here(node, part, people),
            Word::Rated { changes } => self.context.running.hear_rated_changes(&node, &changes),
            Word::RatedWhole { list } => self.context.running.hear_rated_list(&node, &list),
            Word::Left { person } => self.context.play_now.leave(&person),
            Word::Came { person, table } => {
                self.context.play_now.came(&person, &table, self.context.time.now_ms());
            }
            other => return Some(other),
        }
        None
    }

    /// Adopts tables of dead nodes, and tells the others about the lobby, rated games and the people who are
    /// connected. `here` are the connections of each person to this node.
    pub async fn keep_company(&self, cluster: &Cluster, here: &Connections<String>) {
        let mut looks = interval(Duration::from_millis(500));
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for round in 0_u32.. {
            looks.tick().await;
            if !cluster.serves() || *self.stopping.borrow() {
                continue;
            }
            self.tell_lobby(cluster);
            if self.tell_pools() || round.is_multiple_of(20) {
                let mut pools = self.context.lobby.own_pools();
                pools.truncate(MOST_LINES);
                cluster.tell_all(Word::Pools { pools });
            }
            if let Some(changes) = self.context.running.rated_changes() {
                cluster.tell_all(Word::Rated { changes });
            }
            if round.is_multiple_of(20) {
                for list in self.context.running.rated_list() {
                    cluster.tell_all(Word::RatedWhole { list });
                }
            }
            if round.is_multiple_of(2) {
                self.adopt_orphans(cluster).await;
                for id in cluster.listed_by_the_dead() {
                    self.context.lobby.set_from(&id, None);
                }
                let nodes = cluster.nodes();
                let lives = |node: &str| nodes.iter().any(|row| row.incarnation == node && !row.is_expired());
                self.context.lobby.keep_pools(lives);
            }
            if round.is_multiple_of(10) {
                let mut people = here.keys();
                people.sort_unstable();
                // An empty one at the end takes the place of what a longer list had there.
                let parts = people.chunks(HERE_PART).chain([&[][..]]);
                for (part, people) in (0..MOST_PARTS).zip(parts) {
                    cluster.tell_all(Word::Here { people: people.to_vec(), part });
                }
            }
            if round.is_multiple_of(60) {
                let mut lines = self.context.lobby.lines();
                lines.retain(|line| !cluster.is_listed_elsewhere(&line.id));
                lines.truncate(MOST_LINES);
                cluster.tell_all(Word::LobbyWhole { lines });
            }
        }
    }

    fn tell_lobby(&self, cluster: &Cluster) {
        let (put, gone) = self.context.lobby.own_changes();
        if !put.is_empty() || !gone.is_empty() {
            cluster.tell_all(Word::Lobby { put, gone });
        }
    }

    async fn adopt_orphans(&self, cluster: &Cluster) {
        let orphans = match self.context.store.claims.orphans(ADOPT).await {
            Ok(orphans) => orphans,
            Err(why) => return tracing::debug!(%why, "nobody knows which tables are orphans"),
        };
        for id in orphans {
            if let Err(why) = self.table(&id, Payer::Hall).await {
                tracing::warn!(table = %id, ?why, "a table whose node died was not adopted");
            }
        }
        metrics::gauge!("hall_adopted").set(cluster.adopted.load(Ordering::Relaxed) as f64);
    }
}
