//! Decisions of the staff at work: they reach the connections, the tables and the other nodes of the hall. [`mod@line`]
//! connects `qiguan admin` to a running hall.

pub mod line;

use std::sync::Arc;
use std::time::Duration;

use edge::network::Network;
use kernel::Problem;
use members::failed::busy;
use members::staff::desk::{self, Desk, StaffAnswer, StaffWish};
use people::moderation::Decision;
use people::staff::{By, Power, Range};
use store::staff::Logged;
use store::{StoreError, StoredPersonKind};
use tables::cluster::talk::{Answer, Question, Word};
use wire::BanHits;

use crate::hall::Hall;

/// The interval at which a hall checks for actions of the staff elsewhere.
const LOOKS: Duration = Duration::from_secs(2);
const DAY_MS: u64 = 86_400_000;
/// The most people who are checked for accounts in one answer.
const COUNTED: usize = 2_000;

impl Hall {
    /// Carries out an action of the staff; its effects happen here and, within seconds, at each other node.
    ///
    /// # Errors
    /// The reason against it.
    pub async fn staff(self: &Arc<Self>, by: &By, wish: StaffWish) -> Result<StaffAnswer, Problem> {
        if let StaffWish::Hits { network } = &wish
            && by.has(Power::Ban)
        {
            return self.ban_hits(network, Network::nobody()).await.map(StaffAnswer::Hits);
        }
        let desk = Desk { store: self.store.as_ref(), now_ms: self.time.now_ms() };
        let changes = wish.changes();
        let is_of_keys =
            matches!(wish, StaffWish::Hire(_) | StaffWish::Dismiss { .. } | StaffWish::Rehire { .. });
        let key = match &wish {
            StaffWish::Dismiss { id } | StaffWish::Rehire { id } => Some(id.clone()),
            _ => None,
        };
        let mut told = desk.carry_out(by, wish).await?;
        let keys = &self.tables.opponents().searches.keys;
        if let StaffAnswer::WorkerKeys(lines) = &mut told {
            keys.fill(lines);
        }
        if let Some(key) = key {
            keys.forget(&key);
        }
        if is_of_keys {
            keys.refresh().await;
        }
        if changes {
            self.staff_has_acted().await;
        }
        Ok(told)
    }

    /// Applies an action that the staff has just done, and notifies the other nodes.
    pub async fn staff_has_acted(self: &Arc<Self>) {
        if let Err(why) = self.look_at_staff().await {
            tracing::warn!(%why, "what the staff did is heeded later");
        }
        if let Some(cluster) = &self.cluster {
            cluster.tell_all(Word::Staff);
        }
    }

    /// Reads the rules in force after an action of the staff, and applies them: connections of the people concerned
    /// are closed or notified.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn look_at_staff(self: &Arc<Self>) -> Result<(), StoreError> {
        self.members.staffed.look(|line| self.heed(line)).await
    }

    fn heed(self: &Arc<Self>, line: &Logged) {
        let Some(about) = line.about.as_deref() else { return };
        let of = |decision: Decision| line.act == decision.key();
        let keeps_out = of(Decision::Close) || of(Decision::Suspend) || line.act == desk::FORGET;
        if !keeps_out && !desk::TELLS.contains(&line.act.as_str()) && Decision::read(&line.act).is_err() {
            return;
        }
        self.changed_here(about);
        if !keeps_out {
            return;
        }
        self.tables.leave_queues(about);
        // One node gives their games up; a node that dies meanwhile lets them run out.
        if self.cluster.as_ref().is_none_or(|cluster| cluster.keeper(about).is_none()) {
            let (hall, person, is_gone) = (Arc::clone(self), about.to_owned(), line.act == desk::FORGET);
            tokio::spawn(async move {
                hall.leave_games(&person).await;
                if is_gone {
                    hall.finish_closing().await;
                }
            });
        }
    }

    /// Checks for actions of the staff at each interval.
    pub(crate) async fn keep_staff(self: &Arc<Self>) {
        let mut looks = tokio::time::interval(LOOKS);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            looks.tick().await;
            if let Err(why) = self.look_at_staff().await {
                tracing::debug!(%why, "nobody knows whether the staff has done something");
            }
        }
    }

    /// Returns the people whom a ban would hit: those seen in the range in the last day, and accounts that were here
    /// and noted there last, which are known after a restart as well.
    ///
    /// # Errors
    /// The fault of the range; `hall-busy`.
    pub async fn ban_hits(&self, network: &str, own: Network) -> Result<BanHits, Problem> {
        let range = Range::read(network)?;
        let since_ms = self.time.now_ms().saturating_sub(DAY_MS);
        let mut people = self.members.neighbours.within(range, since_ms);
        if let Some(cluster) = &self.cluster {
            let others =
                cluster.nodes().into_iter().map(|node| node.incarnation).filter(|node| *node != cluster.me);
            let asked = others.map(|node| {
                let (cluster, range) = (Arc::clone(cluster), range.to_string());
                async move { cluster.ask(&node, &Question::Within { range, since_ms }).await }
            });
            for answer in futures_util::future::join_all(asked).await {
                if let Ok(Answer::Within { people: there }) = answer {
                    people.extend(there);
                }
            }
        }
        let noted = desk::accounts_within(&self.store, range, self.time.now_ms()).await.map_err(busy)?;
        let neighbours = &self.members.neighbours;
        people.extend(noted.into_iter().filter(|person| !neighbours.has_seen(person, since_ms)));
        people.sort();
        people.dedup();
        let mut accounts = 0;
        for person in people.iter().take(COUNTED) {
            let found = self.store.people.find_person(person).await.map_err(busy)?;
            accounts += u32::from(found.is_some_and(|row| row.kind != StoredPersonKind::Guest));
        }
        Ok(BanHits {
            network: range.to_string(),
            wide: range.is_wide(),
            people: u32::try_from(people.len()).unwrap_or(u32::MAX),
            accounts,
            you: range.holds(own.address()),
        })
    }
}
