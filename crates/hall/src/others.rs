//! Questions and messages of the other nodes of a hall, of which those about tables are passed on to the tables.

use std::sync::Arc;

use bus::{BusError, IncomingRequest};
use edge::network::{Asker, Network};
use tables::cluster::Cluster;
use tables::cluster::talk::{Answer, NodeMessage, Question, Word};

use crate::events::Happening;
use crate::hall::Hall;

impl Hall {
    /// Begins to answer the other nodes, and to handle news to all nodes.
    ///
    /// # Errors
    /// An error where the bus cannot be reached.
    pub async fn join_others(self: &Arc<Self>, cluster: &Arc<Cluster>) -> Result<(), BusError> {
        let mut asked = cluster.questions().await?;
        let mut words = cluster.messages().await?;
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
                if let Ok(said) = serde_json::from_str::<NodeMessage>(&told.body)
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

    async fn answer_question(self: &Arc<Self>, question: Question) -> Answer {
        if let Question::Vacation { .. } = question {
            // A store that fails keeps the vacations that are known.
            let _ = self.members.vacations.load().await;
        }
        let question = match self.tables.answer(question).await {
            Ok(answer) => return answer,
            Err(other) => *other,
        };
        match question {
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
            // All others are about tables.
            _ => Answer::NotMine,
        }
    }

    fn hear_node(self: &Arc<Self>, cluster: &Cluster, message: NodeMessage) {
        let NodeMessage { node, word } = message;
        let Some(word) = self.tables.hear(cluster, node, word) else { return };
        match word {
            Word::Study { id, at: Some((who, chapter, at)) } => self.studies.tell_at(&id, who, chapter, at),
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
            Word::Happened { person, event, accepted } => {
                let what = match (event, accepted) {
                    (Some(event), _) => Happening::Event(Arc::new(*event)),
                    (None, Some(table)) => Happening::Accepted(table),
                    (None, None) => Happening::Waits,
                };
                self.events.tell_here(&person, what);
            }
            // All others are about tables.
            _ => {}
        }
    }
}
