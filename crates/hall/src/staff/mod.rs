//! The staff: its decisions about people, addresses and maps, and the rules for registration.
//!
//! [`desk`] carries the actions of the staff out, with nothing but the store, so that `qiguan admin` does the same
//! whether a hall runs or not. The rules in force are in the database; each hall, and each node of one, keeps a copy
//! ([`Rules`]), which it reads again when it is notified of a change, and checks every two seconds. [`mod@line`]
//! connects `qiguan admin` to a running hall.

pub mod desk;
pub mod line;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use edge::network::Network;
use kernel::Problem;
use members::failed::busy;
use members::identity::Recognized;
use people::moderation::Decision;
use people::staff::{By, Range, Registration};
use store::staff::{Ban, House, Logged, TakenDown};
use store::{Kind, StoreError};
use tokio::sync::watch;
use wire::{AnnouncementLine, BanHits, HouseInfo};

use crate::cluster::talk::{Answer, Question, Word};
use crate::hall::{Context, Hall};
use desk::{Desk, Told, Wish};

/// The interval at which a hall checks for actions of the staff elsewhere.
const LOOKS: Duration = Duration::from_secs(2);
/// The most lines of the log that are read at once.
const NEWS: u32 = 200;
const DAY_MS: u64 = 86_400_000;

/// The decisions in force, indexed for lookups.
#[derive(Default)]
pub struct Rules {
    house: House,
    ranges: Vec<(Range, usize)>,
    suspended: HashMap<String, usize>,
    /// The indexes of taken-down works, by work and by each of its maps.
    down: HashMap<String, usize>,
}

impl Rules {
    /// Indexes the decisions in the store.
    #[must_use]
    pub fn new(house: House) -> Rules {
        let ranges = house.bans.iter().enumerate();
        let ranges = ranges.filter_map(|(at, ban)| Some((Range::read(&ban.network).ok()?, at))).collect();
        // The last end counts.
        let suspended =
            house.suspended.iter().enumerate().map(|(at, one)| (one.person.clone(), at)).collect();
        let mut down = HashMap::new();
        for (at, one) in house.taken_down.iter().enumerate() {
            for id in one.maps.iter().chain([&one.work]) {
                down.insert(id.clone(), at);
            }
        }
        Rules { house, ranges, suspended, down }
    }

    /// Returns the decisions as the store has them.
    #[must_use]
    pub fn house(&self) -> &House {
        &self.house
    }

    /// Returns the longest ban that contains an address.
    #[must_use]
    pub fn ban(&self, address: IpAddr, now_ms: u64) -> Option<&Ban> {
        let holds = self.ranges.iter().filter(|(range, _)| range.holds(address));
        let bans = holds.map(|(_, at)| &self.house.bans[*at]).filter(|ban| ban.until_ms > now_ms);
        bans.max_by_key(|ban| (ban.spares_days.is_none(), ban.until_ms))
    }

    /// Returns a person's suspension in force, with its end and its reason.
    #[must_use]
    pub fn suspension(&self, person: &str, now_ms: u64) -> Option<&store::staff::Suspended> {
        let one = &self.house.suspended[*self.suspended.get(person)?];
        (one.until_ms > now_ms).then_some(one)
    }

    /// Returns the decision about a work that is down, by its id or the id of one of its maps.
    #[must_use]
    pub fn down(&self, id: &str) -> Option<&TakenDown> {
        self.down.get(id).map(|at| &self.house.taken_down[*at])
    }

    /// Ids of all maps whose works are down.
    #[must_use]
    pub fn maps_down(&self) -> Vec<String> {
        self.house.taken_down.iter().flat_map(|down| down.maps.iter().cloned()).collect()
    }

    /// Returns the announcements that are shown now.
    #[must_use]
    pub fn announced(&self, now_ms: u64) -> Vec<AnnouncementLine> {
        let now = self.house.announcements.iter().filter(|one| one.until_ms > now_ms);
        now.map(|one| AnnouncementLine {
            n: one.n,
            en: one.en.clone(),
            zh: one.zh.clone(),
            until_ms: one.until_ms,
        })
        .collect()
    }

    /// Returns the rules for registration and guests, and the announcements, as everybody may see them.
    #[must_use]
    pub fn info(&self, now_ms: u64) -> HouseInfo {
        HouseInfo {
            registration: self.house.registration.key().to_owned(),
            accounts_only: self.house.accounts_only,
            announcements: self.announced(now_ms),
        }
    }
}

/// The rules in force, and the position in the staff's log up to which they are applied.
pub struct Staffed {
    rules: watch::Sender<Arc<Rules>>,
    heeded: AtomicU64,
    /// A lock, so that one check runs at a time.
    looking: tokio::sync::Mutex<()>,
}

impl Default for Staffed {
    fn default() -> Self {
        Staffed {
            rules: watch::channel(Arc::default()).0,
            heeded: AtomicU64::new(0),
            looking: tokio::sync::Mutex::default(),
        }
    }
}

/// Formats a time for sentences: `2026-12-01 09:30 UTC`.
#[must_use]
pub fn moment(at_ms: u64) -> String {
    let at = i64::try_from(at_ms).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    at.map_or_else(String::new, |at| at.strftime("%Y-%m-%d %H:%M UTC").to_string())
}

impl Context {
    /// Returns the rules in force.
    #[must_use]
    pub fn rules(&self) -> Arc<Rules> {
        Arc::clone(&self.staffed.rules.borrow())
    }

    /// Returns a receiver of the rules in force and their changes.
    #[must_use]
    pub fn watch_rules(&self) -> watch::Receiver<Arc<Rules>> {
        self.staffed.rules.subscribe()
    }

    /// Tells whether games may be begun on a map, and its puzzles be shown.
    ///
    /// # Errors
    /// `map-taken-down`, with the `reason`.
    pub fn may_begin_on(&self, map: &str) -> Result<(), Problem> {
        self.rules().down(map).map_or(Ok(()), |down| Err(taken_down(down)))
    }

    /// Checks that a person may act now: they are not suspended, and their address is not banned. `known` is `None`
    /// for a person without a session.
    ///
    /// # Errors
    /// `suspended` and `banned`, with the end (`until`) and the `reason`; `hall-busy` when the store fails.
    pub async fn may_act(&self, known: Option<&Recognized>, network: Network) -> Result<(), Problem> {
        let (rules, now_ms) = (self.rules(), self.time.now_ms());
        if let Some(known) = known
            && let Some(one) = rules.suspension(&known.player.id, now_ms)
        {
            let problem = Problem::new("suspended").with("until", moment(one.until_ms));
            return Err(problem.with("reason", &one.reason));
        }
        let Some(ban) = rules.ban(network.address(), now_ms) else { return Ok(()) };
        if let Some(known) = known.filter(|known| known.kind != Kind::Guest)
            && self.is_spared(&known.player.id, ban, now_ms).await.map_err(busy)?
        {
            return Ok(());
        }
        Err(Problem::new("banned").with("until", moment(ban.until_ms)).with("reason", &ban.reason))
    }

    /// Returns true if an account is exempt from a ban: it is the staff's, or older than the ban asks for.
    async fn is_spared(&self, person: &str, ban: &Ban, now_ms: u64) -> Result<bool, StoreError> {
        if let Some(days) = ban.spares_days {
            let since_ms = self.store.staff.account_since(person).await?;
            if now_ms.saturating_sub(since_ms) > u64::from(days) * DAY_MS {
                return Ok(true);
            }
        }
        let account = self.store.accounts.account(store::Find::Id(person)).await?;
        Ok(account.is_some_and(|account| !account.roles.is_empty()))
    }
}

/// Returns the problem for a map that was taken down.
pub(crate) fn taken_down(down: &TakenDown) -> Problem {
    Problem::new("map-taken-down").with("reason", &down.reason)
}

impl Hall {
    /// Carries out an action of the staff; its effects happen here and, within seconds, at each other node.
    ///
    /// # Errors
    /// The reason against it.
    pub async fn staff(self: &Arc<Self>, by: &By, wish: Wish) -> Result<Told, Problem> {
        let desk = Desk { store: self.store.as_ref(), now_ms: self.time.now_ms() };
        let changes = wish.changes();
        let is_of_keys = matches!(wish, Wish::Hire(_) | Wish::Dismiss { .. } | Wish::Rehire { .. });
        let key = match &wish {
            Wish::Dismiss { id } | Wish::Rehire { id } => Some(id.clone()),
            _ => None,
        };
        let mut told = desk.carry_out(by, wish).await?;
        let keys = &self.opponents.searches.keys;
        if let Told::WorkerKeys(lines) = &mut told {
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

    /// Reads the rules in force, before any person is admitted.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn open_staff(&self) -> Result<(), StoreError> {
        let newest = self.store.staff.staff_log(store::staff::LogOf::default(), 1).await?;
        self.staffed.heeded.store(newest.first().map_or(0, |line| line.n), Ordering::Relaxed);
        let house = self.store.staff.house(self.time.now_ms()).await?;
        self.staffed.rules.send_replace(Arc::new(Rules::new(house)));
        Ok(())
    }

    /// Reads the rules in force after an action of the staff, and applies them: connections of the people concerned
    /// are closed or notified.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn look_at_staff(self: &Arc<Self>) -> Result<(), StoreError> {
        let _one = self.staffed.looking.lock().await;
        let version = self.store.staff.staff_version().await?;
        if version == self.rules().house.version {
            return Ok(());
        }
        let house = self.store.staff.house(self.time.now_ms()).await?;
        self.staffed.rules.send_replace(Arc::new(Rules::new(house)));
        loop {
            let news = self.store.staff.staff_news(self.staffed.heeded.load(Ordering::Relaxed), NEWS).await?;
            for line in &news {
                self.heed(line);
                self.staffed.heeded.store(line.n, Ordering::Relaxed);
            }
            if news.len() < NEWS as usize {
                return Ok(());
            }
        }
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
        self.leave_queues(about);
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

    /// Checks that a person may make an account now; returns the hash of the code that admits them.
    ///
    /// # Errors
    /// `registration-closed`, `registration-invited` without a code.
    pub fn may_register(&self, code: Option<&str>) -> Result<Option<[u8; 32]>, Problem> {
        match self.rules().house.registration {
            Registration::Open => Ok(None),
            Registration::Closed => Err(Problem::new("registration-closed")),
            Registration::Invited => match code.map(str::trim).filter(|code| !code.is_empty()) {
                Some(code) => Ok(Some(desk::code_hash(code))),
                None => Err(Problem::new("registration-invited")),
            },
        }
    }

    /// Returns the people whom a ban would hit.
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
        people.sort();
        people.dedup();
        let mut accounts = 0;
        for person in people.iter().take(COUNTED) {
            let found = self.store.people.find_person(person).await.map_err(busy)?;
            accounts += u32::from(found.is_some_and(|row| row.kind != Kind::Guest));
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

/// The most people who are checked for accounts in one answer.
const COUNTED: usize = 2_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn ban(network: &str, until_ms: u64, spares_days: Option<u32>) -> Ban {
        let reason = String::new();
        Ban { n: 1, network: network.to_owned(), by: None, reason, at_ms: 0, until_ms, spares_days }
    }

    #[test]
    fn bans_end_by_themselves_and_the_hardest_counts() {
        let bans = vec![
            ban("192.0.2.0/24", 100, None),
            ban("192.0.2.7/32", 200, None),
            ban("192.0.2.8/32", 300, Some(7)),
        ];
        let rules = Rules::new(House { bans, ..House::default() });
        let until = |address: &str, now_ms| {
            rules.ban(address.parse().expect("an address"), now_ms).map(|ban| ban.until_ms)
        };
        for (address, now_ms, wanted) in [
            ("192.0.2.1", 50, Some(100)),
            ("192.0.2.1", 100, None),
            ("192.0.2.7", 50, Some(200)),
            ("192.0.2.7", 150, Some(200)),
            ("192.0.2.8", 50, Some(100)),
            ("192.0.2.8", 150, Some(300)),
            ("192.0.3.1", 50, None),
            ("::ffff:192.0.2.1", 50, Some(100)),
            ("2001:db8::1", 50, None),
        ] {
            assert_eq!(until(address, now_ms), wanted, "{address} {now_ms}");
        }
        assert_eq!(moment(1_764_500_000_000), "2025-11-30 10:53 UTC");
    }
}
