//! Handlers of the questions and news from other nodes.

use std::sync::Arc;

use bus::{BusError, IncomingRequest};
use edge::network::{Asker, Network, Payer};
use store::slow::StoredPlan;
use table::State;
use tokio::sync::oneshot;

use super::talk::{Answer, Question, Said, Word};
use super::{Cluster, HALL, HERE, MOST_PARTS, at_node, lock};
use crate::events::Happening;
use crate::hall::Hall;
use crate::table_task::{Ask, Planned, Wished};

impl Hall {
    /// Begins to answer the other nodes, and to handle news to all nodes.
    ///
    /// # Errors
    /// An error where the bus cannot be reached.
    pub async fn join_others(self: &Arc<Self>, cluster: &Arc<Cluster>) -> Result<(), BusError> {
        let mut asked = cluster.post.listen(&at_node(&cluster.me)).await?;
        let mut words = cluster.post.listen(HALL).await?;
        let hall = Arc::clone(self);
        tokio::spawn(async move {
            while let Some(question) = asked.recv().await {
                let hall = Arc::clone(&hall);
                // Each for itself: a table that waits for the disk holds no other up.
                tokio::spawn(async move { hall.answer_node(question).await });
            }
        });
        let (hall, cluster) = (Arc::clone(self), Arc::clone(cluster));
        tokio::spawn(async move {
            while let Some(told) = words.recv().await {
                if let Ok(said) = serde_json::from_str::<Said>(&told.body)
                    && said.node != cluster.me
                {
                    hall.hear_node(&cluster, said);
                }
            }
        });
        Ok(())
    }

    async fn answer_node(self: Arc<Self>, asked: IncomingRequest) {
        let Ok(question) = serde_json::from_str::<Question>(&asked.body) else { return };
        let answer = self.answer_question(question).await;
        asked.answer(serde_json::to_string(&answer).expect("answers are plain data")).await;
    }

    /// Answers a question. A table that this node does not own is never opened for it, even if the bus claims so.
    async fn answer_question(self: &Arc<Self>, question: Question) -> Answer {
        match question {
            Question::Do { table, who, cmd, ver, act, waited_ms, lag_ms, trace } => {
                let span = crate::traces::wish(&table, &act, trace.as_deref());
                let arrived_ms = self.time.now_ms().saturating_sub(waited_ms);
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
                // A store that fails keeps the vacations that are known.
                let _ = self.members.vacations.load().await;
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
            Question::Report { table, person, address } => {
                let asker = Asker { network: Network::of(address), person };
                match self.report(&table, &asker).await {
                    Ok(report) => Answer::reported(&report),
                    Err(_) => Answer::NotMine,
                }
            }
            Question::Balance { map, begin, person, address } => {
                let asker = Asker { network: Network::of(address), person };
                match self.works.reports.report(&map, (&asker).into(), begin).await {
                    Ok((_, report)) => Answer::reported(&report),
                    Err(_) => Answer::NotMine,
                }
            }
            Question::Within { range, since_ms } => {
                let range = people::staff::Range::read(&range);
                Answer::Within {
                    people: range
                        .map_or_else(|_| Vec::new(), |range| self.members.neighbours.within(range, since_ms)),
                }
            }
            Question::Runs { plays: (person, game), keys } => Answer::Runs {
                rated: self.running.plays_rated(&person, &game),
                found: self.running.find(&keys),
            },
            Question::Left { person } => Answer::Left { table: self.left_here(&person, Payer::Hall).await },
        }
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
        if let Some(handle) = self.tables.handle(id) {
            let _ = handle.0.send(what).await;
        }
    }

    fn hear_node(self: &Arc<Self>, cluster: &Cluster, said: Said) {
        let Said { node, word } = said;
        match word {
            Word::Lobby { put, gone } => {
                for line in put {
                    cluster.note_listed(&line.id, &node);
                    self.lobby.set_from(&line.id.clone(), Some(line));
                }
                for id in gone {
                    // The owner of a table decides, even if another node listed it before.
                    cluster.forget_listed(&id);
                    self.lobby.set_from(&id, None);
                }
            }
            Word::LobbyWhole { lines } => {
                let gone = cluster.listed_but(&node, &lines);
                gone.iter().for_each(|id| self.lobby.set_from(id, None));
                for line in lines {
                    cluster.note_listed(&line.id, &node);
                    self.lobby.set_from(&line.id.clone(), Some(line));
                }
            }
            Word::Here { people, part } => {
                let heard = (std::time::Instant::now(), people.into_iter().collect());
                let mut here = lock(&cluster.here);
                here.retain(|_, (at, _)| at.elapsed() < HERE);
                if part < MOST_PARTS {
                    here.insert((node, part), heard);
                }
            }
            Word::Study { id, at: Some((who, chapter, at)) } => self.saved.tell_at(&id, who, chapter, at),
            Word::Study { id, at: None } => {
                let hall = Arc::clone(self);
                tokio::spawn(async move { hall.study_moved(&id).await });
            }
            Word::Changed { person } => self.changed_here(&person),
            Word::Staff => {
                let hall = Arc::clone(self);
                tokio::spawn(async move {
                    if let Err(why) = hall.look_at_staff().await {
                        tracing::warn!(%why, "what the staff did elsewhere is heeded later");
                    }
                });
            }
            Word::Left { person } => self.play_now.leave(&person),
            Word::Came { person, table } => self.play_now.came(&person, &table, self.time.now_ms()),
            Word::Happened { person, event, accepted } => {
                let what = match (event, accepted) {
                    (Some(event), _) => Happening::Event(Arc::new(*event)),
                    (None, Some(table)) => Happening::Accepted(table),
                    (None, None) => Happening::Waits,
                };
                self.events.tell_here(&person, what);
            }
        }
    }
}

impl Cluster {
    /// Notes that a table is listed for that node.
    fn note_listed(&self, id: &str, node: &str) {
        lock(&self.listed).insert(id.to_owned(), (node.to_owned(), std::time::Instant::now()));
    }

    fn forget_listed(&self, id: &str) {
        lock(&self.listed).remove(id);
    }

    /// Removes and returns the tables that were listed for that node and are not in its new list.
    fn listed_but(&self, node: &str, lines: &[wire::TableLine]) -> Vec<String> {
        let mut listed = lock(&self.listed);
        let now: std::collections::HashSet<&str> = lines.iter().map(|line| line.id.as_str()).collect();
        let gone = listed.iter().filter(|(id, (by, _))| by == node && !now.contains(id.as_str()));
        let gone: Vec<String> = gone.map(|(id, _)| id.clone()).collect();
        gone.iter().for_each(|id| drop(listed.remove(id)));
        gone
    }

    /// Removes and returns the tables that are listed for nodes that are dead.
    pub(super) fn listed_by_the_dead(&self) -> Vec<String> {
        let mut listed = lock(&self.listed);
        let dead = listed.iter().filter(|(_, (by, since))| self.is_gone(by, *since));
        let dead: Vec<String> = dead.map(|(id, _)| id.clone()).collect();
        dead.iter().for_each(|id| drop(listed.remove(id)));
        dead
    }

    /// Returns true if a table is listed for another node.
    pub(super) fn is_listed_elsewhere(&self, id: &str) -> bool {
        lock(&self.listed).contains_key(id)
    }
}
