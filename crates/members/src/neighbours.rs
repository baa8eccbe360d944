//! Limits on how often the same two people, and neighbours of one address, may begin rated games with each other.
//!
//! Two accounts of one person could make any rating in an hour, one losing to the other. A class or a club behind one
//! address plays rated games, too: so neighbours are not refused as such, but two of them may play a few rated games
//! a day, and two people anywhere somewhat more. Addresses are known only of people who were here since the hall
//! started; they are not stored.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use edge::limits::Live;
use edge::network::Network;
use edge::time::Time;
use kernel::Problem;
use people::pool::{DAY_MS, NEIGHBOUR_GAMES_A_DAY, NEIGHBOURS_A_DAY, PAIR_A_DAY};
use people::staff::Range;
use store::games::{Filter, GameRow};
use store::{Store, StoreError};

use crate::failed::busy;
use crate::handed::Handed;

/// The most games of a day that are looked at: the latest.
const GAMES_A_DAY: u32 = 200;
/// People and pairs that are remembered; when there are more, all are forgotten.
const REMEMBERED: usize = 100_000;

/// The addresses of people, and the pairs that began rated games lately.
pub struct Neighbours {
    store: Arc<Store>,
    time: Time,
    limits: Arc<Live>,
    places: Places,
    pairs: Pairs,
}

/// The address at which each person was last seen, with the time in Unix milliseconds.
#[derive(Default)]
struct Places(Mutex<HashMap<String, (Network, u64)>>);

/// The times at which each pair, in the order of their ids, began games today.
#[derive(Default)]
struct Pairs(Mutex<HashMap<[String; 2], Vec<u64>>>);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pair(one: &str, other: &str) -> [String; 2] {
    let mut pair = [one.to_owned(), other.to_owned()];
    pair.sort();
    pair
}

impl Neighbours {
    /// Creates the record, with no one in it.
    #[must_use]
    pub(crate) fn new(handed: &Handed) -> Neighbours {
        Neighbours {
            store: Arc::clone(&handed.store),
            time: handed.time.clone(),
            limits: Arc::clone(&handed.limits),
            places: Places::default(),
            pairs: Pairs::default(),
        }
    }

    /// Notes the address of a person, who is there now.
    pub fn note(&self, person: &str, network: Network) {
        self.places.note(person, network, self.time.now_ms());
    }

    /// Returns the public ids of those who were last seen at addresses of a range, since `since_ms`.
    #[must_use]
    pub fn within(&self, range: Range, since_ms: u64) -> Vec<String> {
        self.places.within(range, since_ms)
    }

    /// Returns true if it is known where a person was since `since_ms`.
    #[must_use]
    pub fn has_seen(&self, person: &str, since_ms: u64) -> bool {
        self.places.has_seen(person, since_ms)
    }

    /// Returns true if two people were last seen at one address.
    #[must_use]
    pub fn are(&self, one: &str, other: &str) -> bool {
        self.places.are(one, other)
    }

    /// Counts a rated game that two people are about to begin.
    ///
    /// # Errors
    /// `rated-often` with the `most` games a day, for two people; `rated-neighbours`, where they are at one address.
    pub async fn begin_rated(&self, one: &str, other: &str) -> Result<(), Problem> {
        if self.limits.on {
            self.is_rated_again(one, other, &self.rated_today(one).await.map_err(busy)?)?;
            self.pairs.begin(one, other, self.time.now_ms());
        }
        Ok(())
    }

    /// Returns the opponents with whom a person may begin no other rated game today.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn rated_enough(&self, person: &str) -> Result<Vec<String>, StoreError> {
        if !self.limits.on {
            return Ok(Vec::new());
        }
        let today = self.rated_today(person).await?;
        let mut often: Vec<String> = today.clone();
        often.sort();
        often.dedup();
        often.retain(|other| self.is_rated_again(person, other, &today).is_err());
        Ok(often)
    }

    /// Returns the opponents of a person's rated games that ended in the last day, one for each game.
    async fn rated_today(&self, person: &str) -> Result<Vec<String>, StoreError> {
        let since_ms = Some(self.time.now_ms().saturating_sub(DAY_MS));
        let filter = Filter { rated: Some(true), since_ms, ..Filter::default() };
        let rows = self.store.games.list(person, &filter, None, GAMES_A_DAY).await?;
        let opponent = |row: &GameRow| row.players[usize::from(row.players[0].id == person)].id.clone();
        Ok(rows.iter().map(opponent).collect())
    }

    fn is_rated_again(&self, one: &str, other: &str, today: &[String]) -> Result<(), Problem> {
        let ended = today.iter().filter(|id| *id == other).count();
        let together = ended.max(self.pairs.begun(one, other, self.time.now_ms()));
        if together >= PAIR_A_DAY {
            return Err(Problem::new("rated-often").with("most", PAIR_A_DAY));
        }
        if self.are(one, other) {
            let near = today.iter().filter(|id| self.are(one, id)).count();
            if together >= NEIGHBOURS_A_DAY || near >= NEIGHBOUR_GAMES_A_DAY {
                let problem = Problem::new("rated-neighbours").with("most", NEIGHBOURS_A_DAY);
                return Err(problem.with("all", NEIGHBOUR_GAMES_A_DAY));
            }
        }
        Ok(())
    }
}

impl Places {
    fn has_seen(&self, person: &str, since_ms: u64) -> bool {
        lock(&self.0).get(person).is_some_and(|(_, at_ms)| *at_ms >= since_ms)
    }

    /// Notes the address of a person and the time, in Unix milliseconds.
    fn note(&self, person: &str, network: Network, now_ms: u64) {
        let mut networks = lock(&self.0);
        if let Some(known) = networks.get_mut(person) {
            *known = (network, now_ms);
            return;
        }
        if networks.len() >= REMEMBERED {
            networks.clear();
        }
        networks.insert(person.to_owned(), (network, now_ms));
    }

    /// Returns the public ids of those who were last seen at addresses of a range, since `since_ms`.
    fn within(&self, range: Range, since_ms: u64) -> Vec<String> {
        let networks = lock(&self.0);
        let there = networks
            .iter()
            .filter(|(_, (network, at_ms))| *at_ms >= since_ms && range.holds(network.address()));
        there.map(|(person, _)| person.clone()).collect()
    }

    /// Returns true if two people were last seen at one address.
    fn are(&self, one: &str, other: &str) -> bool {
        let networks = lock(&self.0);
        networks.get(one).zip(networks.get(other)).is_some_and(|(one, other)| one.0 == other.0)
    }
}

impl Pairs {
    /// Returns the number of games that a pair began in the day before `now_ms`.
    fn begun(&self, one: &str, other: &str, now_ms: u64) -> usize {
        let begun = lock(&self.0);
        let since = now_ms.saturating_sub(DAY_MS);
        begun.get(&pair(one, other)).map_or(0, |begun| begun.iter().filter(|&&at| at > since).count())
    }

    fn begin(&self, one: &str, other: &str, now_ms: u64) {
        let mut begun = lock(&self.0);
        let since = now_ms.saturating_sub(DAY_MS);
        if begun.len() >= REMEMBERED {
            begun.retain(|_, begun| begun.last().is_some_and(|&at| at > since));
        }
        if begun.len() >= REMEMBERED {
            begun.clear();
        }
        let moments = begun.entry(pair(one, other)).or_default();
        moments.retain(|&at| at > since);
        moments.push(now_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_one_whoever_is_named_first_and_a_day_has_an_end() {
        let neighbours = Pairs::default();
        neighbours.begin("b", "a", 1_000);
        neighbours.begin("a", "b", 2_000);
        neighbours.begin("a", "c", 2_000);
        assert_eq!(neighbours.begun("a", "b", 3_000), 2);
        assert_eq!(neighbours.begun("b", "a", 1_500 + DAY_MS), 1);
        assert_eq!(neighbours.begun("b", "c", 3_000), 0);
    }

    #[test]
    fn who_was_seen_elsewhere_since_is_no_neighbour() {
        let neighbours = Places::default();
        let at = |n: u8| Network::of([192, 0, 2, n].into());
        assert!(!neighbours.are("a", "b"), "nobody knows");
        neighbours.note("a", at(1), 10);
        neighbours.note("b", at(1), 20);
        assert!(neighbours.are("a", "b"));
        neighbours.note("b", at(2), 30);
        assert!(!neighbours.are("a", "b"));
        let within = |text, since_ms| {
            let mut there = neighbours.within(Range::read(text).expect("a range"), since_ms);
            there.sort();
            there.join(" ")
        };
        assert_eq!((within("192.0.2.0/24", 0), within("192.0.2.0/24", 20)), ("a b".into(), "b".into()));
        assert_eq!(within("192.0.2.1", 0), "a");
    }
}
