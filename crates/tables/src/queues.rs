//! Queues of people who want a game at once, against any opponent.
//!
//! Each person who waits asks again every second or so. A person who has not asked for somewhat longer is not paired
//! until they ask again, and one who has not for [`SILENCE_MS`] has left. Pairs are made on each request, so a queue
//! without requests makes none. A pair leaves all queues, and a task of its own makes their table and notes it, even
//! if the person who asked has gone. The choice of pairs is the business of [`people::pairing`].
//!
//! A paired person may not come. If the other one has come and asks again, they wait at their old place, and that
//! game is called off; those who did not come are paired last, and so are new people of an address from which many do
//! not: see [`crate::arrivals`].

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use edge::network::Network;
use kernel::Problem;
use people::pairing::{Pair, Waiting, pair};
use table::Setup;
use tokio::sync::Notify;
use wire::{Player, PoolLine};

use crate::arrivals::{Arrivals, Standing};

/// The time without a request after which a person has left, in milliseconds.
pub const SILENCE_MS: u64 = 5_000;
/// The least time after each request in which a person can be paired, for requests at the usual rate.
const FRESH_MS: u64 = 1_500;
/// The most of that time, for a person whose requests are rarer, as over a slow connection.
const FRESH_AT_MOST_MS: u64 = 4_000;
/// People of one address of whom nothing is known that may be awaited at tables before more of them are paired with
/// others.
const AWAITED: usize = 3;
/// The time after which people are paired with everybody although they were to be paired only among each other.
const LONELY_MS: u64 = 20_000;
/// The time for which a pairing and its table are remembered, for a person who lost the answer.
const FOUND_MS: u64 = 60_000;
/// Queues in which one person may wait at once.
pub(crate) const QUEUES: usize = 5;
/// People who may wait, in all queues together.
const MOST: usize = 10_000;

/// The queues of all people who wait.
#[derive(Default)]
pub struct PlayNowQueues {
    inside: Mutex<Inside>,
    /// Notified when a table was made, or could not be.
    settled: Notify,
}

#[derive(Default)]
struct Inside {
    /// The queues, by the game and its settings. No two setups have the same key; see [`key`].
    queues: BTreeMap<String, Vec<Asking>>,
    /// The game and time of each queue that lists show, by its key; `waiting` is counted when it is asked for.
    shown: BTreeMap<String, PoolLine>,
    /// The latest pairing of each person.
    found: HashMap<String, Found>,
    /// The requests that are being answered, by person.
    questions: HashMap<String, Vec<Weak<AtomicBool>>>,
    /// The arrivals at the tables that were found, and the absences.
    arrivals: Arrivals,
    /// The places of people whose opponent did not come: the queue, the time since which they wait, and the time at
    /// which that was noted; by person.
    places: HashMap<String, (String, u64, u64)>,
}

/// A request for an opponent while it is being answered.
pub(crate) struct PlayNowRequest {
    /// Set when the person has left the queues while the answer was made.
    over: Arc<AtomicBool>,
}

/// A person who was paired, and the table.
#[derive(Clone)]
struct Found {
    /// The table; none while it is made.
    table: Option<String>,
    /// The time of the pairing, then of the making of the table.
    at_ms: u64,
    /// The key of the game, the time since which they waited for it, and their network.
    key: String,
    since_ms: u64,
    network: Network,
    /// The public id of the opponent.
    with: String,
    /// Set when they have come to the table.
    came: bool,
}

struct Asking {
    who: Player,
    waiting: Waiting,
    network: Network,
    /// The time of their last request.
    heard_ms: u64,
    /// The time until which they can be paired without another request.
    fresh_ms: u64,
}

impl Asking {
    /// Notes another request of the person.
    fn hear(&mut self, now_ms: u64) {
        let every_ms = now_ms.saturating_sub(self.heard_ms);
        self.fresh_ms = now_ms + (every_ms + every_ms / 2).clamp(FRESH_MS, FRESH_AT_MOST_MS);
        self.heard_ms = now_ms;
    }
}

/// The table of a pairing, for a person who asks again.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Held {
    /// A table to which they should go.
    Table(String),
    /// A table to which they have come, and the opponent has not.
    Deserted(String),
}

/// A group of people who are paired with each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Among {
    /// All people who may be expected to come.
    All,
    /// People of one address.
    Address(Network),
    /// People who may not come.
    Doubted,
}

/// Returns the key of a queue: the game and its settings as a text.
pub(crate) fn key(setup: &Setup) -> String {
    let Setup { game, options, clock, rated, map, .. } = setup;
    let map = map.as_ref().map_or("", |map| map.id.as_str());
    // What extensions draw by lot is of each game.
    let mut options = options.clone();
    for key in catalog::maps::SEEDS {
        options.remove(key);
    }
    format!("{game} {map} {options:?} {clock:?} {rated}")
}

impl PlayNowQueues {
    /// Registers a request. If the person leaves while it is being answered, it puts them into no queue: others would
    /// be paired with a person who has gone.
    pub(crate) fn ask(&self, person: &str) -> PlayNowRequest {
        let over = Arc::new(AtomicBool::new(false));
        let mut inside = self.lock();
        // Requests that were answered or refused are removed here: a refused wish gets no further than this.
        inside.questions.retain(|_, questions| {
            questions.retain(|over| over.strong_count() > 0);
            !questions.is_empty()
        });
        inside.questions.entry(person.to_owned()).or_default().push(Arc::downgrade(&over));
        PlayNowRequest { over }
    }

    /// Returns the table that was found for that person meanwhile.
    pub(crate) fn found(&self, person: &str, now_ms: u64) -> Option<String> {
        let mut inside = self.lock();
        inside.tidy(now_ms);
        inside.found.get(person).and_then(|found| found.table.clone())
    }

    /// Returns the same, and tells whether the other player has come there.
    pub(crate) fn held(&self, person: &str, now_ms: u64) -> Option<Held> {
        let mut inside = self.lock();
        inside.tidy(now_ms);
        let found = inside.found.get(person)?;
        let table = found.table.clone()?;
        let is_deserted = found.came && inside.is_missing(found);
        Some(if is_deserted { Held::Deserted(table) } else { Held::Table(table) })
    }

    /// Notes that a person has come to a table, perhaps the one of their pairing.
    pub fn came(&self, person: &str, table: &str, now_ms: u64) {
        let mut inside = self.lock();
        let Inside { found, arrivals, .. } = &mut *inside;
        if let Some(found) = found.get_mut(person).filter(|found| found.table.as_deref() == Some(table))
            && !found.came
        {
            found.came = true;
            arrivals.came(person, found.network, now_ms);
        }
    }

    /// Stops pairing a person whose connection has ended until they ask again; they keep their place for a moment.
    pub fn hush(&self, person: &str) {
        let mut inside = self.lock();
        let asking = inside.queues.values_mut().flatten().filter(|asking| asking.who.id == person);
        asking.for_each(|asking| asking.fresh_ms = 0);
    }

    /// Notes another request of a person who waits, and returns the time since which they wait; `None` when they do
    /// not.
    pub(crate) fn heard(&self, key: &str, person: &str, now_ms: u64) -> Option<u64> {
        let mut inside = self.lock();
        let asking = inside.queues.get_mut(key)?.iter_mut().find(|asking| asking.who.id == person)?;
        asking.hear(now_ms);
        Some(asking.waiting.since_ms)
    }

    /// Puts a person into a queue, unless they have left since their request, or were paired: their table is being
    /// made, or was made since then.
    ///
    /// # Errors
    /// `too-many-queues` and `hall-busy`.
    pub(crate) fn join(
        &self,
        key: &str,
        asked: &PlayNowRequest,
        who: Player,
        network: Network,
        mut waiting: Waiting,
        now_ms: u64,
    ) -> Result<(), Problem> {
        let mut inside = self.lock();
        inside.tidy(now_ms);
        if asked.over.load(Ordering::Relaxed) || inside.found.contains_key(&who.id) {
            return Ok(());
        }
        let waits = |queue: &Vec<Asking>| queue.iter().any(|asking| asking.who.id == who.id);
        if inside.queues.get(key).is_some_and(waits) {
            return Ok(());
        }
        if inside.queues.values().filter(|queue| waits(queue)).count() >= QUEUES {
            return Err(Problem::new("too-many-queues").with("limit", QUEUES));
        }
        if inside.queues.values().map(Vec::len).sum::<usize>() >= MOST {
            return Err(Problem::new("hall-busy"));
        }
        if let Some((of, since_ms, _)) = inside.places.remove(&who.id)
            && of == key
        {
            waiting.since_ms = since_ms;
        }
        let asking = Asking { who, waiting, network, heard_ms: now_ms, fresh_ms: now_ms + FRESH_MS };
        inside.queues.entry(key.to_owned()).or_default().push(asking);
        Ok(())
    }

    /// Pairs people and returns the games that can begin now. Each of them leaves all queues, and joins none until
    /// [`note`](PlayNowQueues::note) or [`forget`](PlayNowQueues::forget) is called for that game.
    pub(crate) fn pairs(&self, key: &str, now_ms: u64) -> Vec<[Player; 2]> {
        let mut inside = self.lock();
        inside.tidy(now_ms);
        let Some(queue) = inside.queues.get(key) else { return Vec::new() };
        let who = |id: &str| queue.iter().find(|asking| asking.who.id == id);
        let paired: Vec<Pair> = inside.pair(queue, now_ms);
        let paired = paired.iter().filter_map(|Pair { first, second }| Some([who(first)?, who(second)?]));
        let mut pairs = Vec::new();
        let mut all_found = Vec::new();
        for [first, second] in paired {
            for (asking, other) in [(first, second), (second, first)] {
                let found = Found {
                    table: None,
                    at_ms: now_ms,
                    key: key.to_owned(),
                    since_ms: asking.waiting.since_ms,
                    network: asking.network,
                    with: other.who.id.clone(),
                    came: false,
                };
                all_found.push((asking.who.id.clone(), found));
            }
            pairs.push([first.who.clone(), second.who.clone()]);
        }
        for (person, found) in all_found {
            inside.leave(&person);
            inside.found.insert(person, found);
        }
        pairs
    }

    /// Notes the table at which these people play.
    pub(crate) fn note(&self, players: &[Player; 2], table: &str, now_ms: u64) {
        let mut inside = self.lock();
        for player in players {
            // After a long time they may have joined once more.
            inside.leave(&player.id);
            let Inside { found, arrivals, .. } = &mut *inside;
            if let Some(found) = found.get_mut(&player.id) {
                (found.table, found.at_ms) = (Some(table.to_owned()), now_ms);
                arrivals.expect(&player.id, found.network, now_ms);
            }
        }
        drop(inside);
        self.settled.notify_waiters();
    }

    /// Removes a person from all queues. A table that was found for them stays found: this may come late, when they
    /// ask again.
    pub(crate) fn leave(&self, person: &str) {
        let mut inside = self.lock();
        inside.leave(person);
        for over in inside.questions.remove(person).iter().flatten().filter_map(Weak::upgrade) {
            over.store(true, Ordering::Relaxed);
        }
    }

    /// Forgets the pairing of a person whose game is over, or whose table could not be made. A person who came when
    /// the opponent did not keeps their place.
    pub(crate) fn forget(&self, person: &str, now_ms: u64) {
        let mut inside = self.lock();
        if let Some(found) = inside.found.get(person).cloned() {
            if found.came && inside.is_missing(&found) {
                inside.places.insert(person.to_owned(), (found.key, found.since_ms, now_ms));
            }
            inside.found.remove(person);
        }
        drop(inside);
        self.settled.notify_waiters();
    }

    /// Waits for the table of that person's pairing to be made, and returns it.
    pub(crate) async fn settled(&self, person: &str, now_ms: u64) -> Option<String> {
        loop {
            let settles = self.settled.notified();
            let table = {
                let mut inside = self.lock();
                inside.tidy(now_ms);
                inside.found.get(person)?.table.clone()
            };
            if table.is_some() {
                return table;
            }
            settles.await;
        }
    }

    /// Shows a queue in lists: as the game and the time of `line`.
    pub(crate) fn show(&self, key: &str, line: PoolLine) {
        let mut inside = self.lock();
        if inside.queues.contains_key(key) {
            inside.shown.insert(key.to_owned(), line);
        }
    }

    /// Returns the people who wait in the queues that are shown.
    pub(crate) fn shown(&self, now_ms: u64) -> Vec<PoolLine> {
        let mut inside = self.lock();
        inside.tidy(now_ms);
        let Inside { queues, shown, .. } = &*inside;
        let counted = shown.iter().filter_map(|(key, line)| {
            let waiting = u32::try_from(queues.get(key)?.len()).unwrap_or(u32::MAX);
            (waiting > 0).then(|| PoolLine { waiting, ..line.clone() })
        });
        counted.collect()
    }

    /// Returns the number of people in a queue.
    pub(crate) fn count(&self, key: &str) -> usize {
        self.lock().queues.get(key).map_or(0, Vec::len)
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inside {
    /// Removes the people who have left, and pairings and places that are too old.
    fn tidy(&mut self, now_ms: u64) {
        self.queues.retain(|_, queue| {
            queue.retain(|asking| asking.heard_ms + SILENCE_MS > now_ms);
            !queue.is_empty()
        });
        self.shown.retain(|key, _| self.queues.contains_key(key));
        self.found.retain(|_, found| found.at_ms + FOUND_MS > now_ms);
        self.places.retain(|_, (_, _, at_ms)| *at_ms + FOUND_MS > now_ms);
        self.arrivals.tidy(now_ms);
    }

    /// Returns true if the other player of a pairing is known not to have come yet.
    fn is_missing(&self, found: &Found) -> bool {
        let other = self.found.get(&found.with).filter(|other| other.table == found.table);
        other.is_some_and(|other| !other.came)
    }

    /// Pairs the people of a queue: first those who may be expected to come, then those of one address, then those
    /// who may not come, and finally all who have waited long.
    fn pair(&self, queue: &[Asking], now_ms: u64) -> Vec<Pair> {
        let mut left: Vec<&Asking> = queue.iter().filter(|asking| asking.fresh_ms > now_ms).collect();
        let among = |asking: &Asking| match self.arrivals.standing(&asking.who.id, asking.network, now_ms) {
            Standing::Doubted => Among::Doubted,
            Standing::New if self.arrivals.awaited_from(asking.network) >= AWAITED => {
                Among::Address(asking.network)
            }
            Standing::New | Standing::Proven => Among::All,
        };
        let is_lonely = |asking: &Asking| asking.waiting.since_ms + LONELY_MS <= now_ms;
        let mut pairs = Vec::new();
        let mut pair_those = |left: &mut Vec<&Asking>, group: &dyn Fn(&Asking) -> Option<Among>| {
            let mut groups: BTreeMap<Among, Vec<Waiting>> = BTreeMap::new();
            for asking in left.iter() {
                if let Some(group) = group(asking) {
                    groups.entry(group).or_default().push(asking.waiting.clone());
                }
            }
            for found in groups.into_values().flat_map(|waiting| pair(&waiting, now_ms)) {
                left.retain(|asking| asking.who.id != found.first && asking.who.id != found.second);
                pairs.push(found);
            }
        };
        pair_those(&mut left, &|asking| Some(among(asking)).filter(|group| *group == Among::All));
        pair_those(&mut left, &|asking| Some(Among::Address(asking.network)));
        pair_those(&mut left, &|asking| Some(among(asking)).filter(|group| *group == Among::Doubted));
        pair_those(&mut left, &|asking| is_lonely(asking).then_some(Among::All));
        pairs
    }

    fn leave(&mut self, person: &str) {
        for queue in self.queues.values_mut() {
            queue.retain(|asking| asking.who.id != person);
        }
        self.queues.retain(|_, queue| !queue.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(id: &str) -> Player {
        Player { id: id.to_owned(), name: None, engine: None, program: false }
    }

    fn waiting(person: &str, rating: f64, since_ms: u64) -> Waiting {
        let (lately, never) = (Vec::new(), std::collections::BTreeSet::new());
        Waiting { person: person.to_owned(), rating, since_ms, first_sides: 0, lately, never }
    }

    /// Puts a person of that rating into a queue.
    fn join(queues: &PlayNowQueues, key: &str, who: &str, rating: f64, now_ms: u64) -> Result<(), Problem> {
        join_from(queues, key, who, Network::nobody(), rating, now_ms)
    }

    fn join_from(
        queues: &PlayNowQueues,
        key: &str,
        who: &str,
        network: Network,
        rating: f64,
        now_ms: u64,
    ) -> Result<(), Problem> {
        queues.join(key, &queues.ask(who), player(who), network, waiting(who, rating, now_ms), now_ms)
    }

    #[test]
    fn who_leaves_while_they_are_answered_joins_no_queue() {
        let queues = PlayNowQueues::default();
        let [early, other] = ["ann", "bob"].map(|who| queues.ask(who));
        queues.leave("ann");
        let late = queues.ask("ann");
        let joined = |who: &str, asked: &PlayNowRequest| {
            queues
                .join("x", asked, player(who), Network::nobody(), waiting(who, 1500.0, 0), 0)
                .expect("room");
            queues.count("x")
        };
        assert_eq!(joined("ann", &early), 0, "has left");
        assert_eq!(joined("bob", &other), 1, "somebody else has");
        assert_eq!(joined("ann", &late), 2, "asks again");
        drop((early, other, late));
        let kept = || queues.lock().questions.values().map(Vec::len).sum::<usize>();
        for who in ["ann", "ann", "eve"] {
            // What is wished may be refused before any queue is looked at.
            let asked = queues.ask(who);
            assert_eq!(kept(), 1, "all others are answered");
            drop(asked);
        }
    }

    #[test]
    fn who_waits_is_paired_once_and_leaves_all_queues() {
        let queues = PlayNowQueues::default();
        for (key, who) in [("x", "ann"), ("y", "ann"), ("x", "bob"), ("y", "cid")] {
            join(&queues, key, who, 1500.0, 0).expect("room");
        }
        join(&queues, "x", "ann", 1500.0, 0).expect("waits already");
        assert_eq!(queues.count("x"), 2, "once");
        let pairs = queues.pairs("x", 0);
        assert_eq!(pairs, [[player("ann"), player("bob")]]);
        assert_eq!(queues.pairs("y", 0), Vec::<[Player; 2]>::new(), "ann plays already");
        queues.note(&pairs[0], "table", 0);
        assert_eq!(queues.found("bob", 1).as_deref(), Some("table"));
        assert_eq!(queues.found("cid", 1), None);
        assert_eq!(queues.found("bob", FOUND_MS), None, "forgotten");
    }

    #[test]
    fn who_asks_while_the_table_is_made_hears_of_it_and_waits_nowhere() {
        let queues = PlayNowQueues::default();
        let join = |who: &str, now_ms| join(&queues, "x", who, 1500.0, now_ms);
        join("ann", 0).expect("room");
        join("bob", 0).expect("room");
        let pairs = queues.pairs("x", 0);
        // Making it takes long; bob asks meanwhile, and once more just after it is made.
        assert_eq!((queues.found("bob", 1_000), queues.heard("x", "bob", 1_000)), (None, None));
        join("bob", 1_000).expect("is paired");
        assert_eq!(queues.count("x"), 0, "bob has a game");
        queues.note(&pairs[0], "table", 2_000);
        join("bob", 2_000).expect("is seated");
        // The news that a person has left the queue may come late, when they ask again.
        queues.leave("bob");
        assert_eq!(queues.found("bob", 2_000).as_deref(), Some("table"));
        join("cid", 2_000).expect("room");
        assert_eq!(queues.pairs("x", 2_000), Vec::<[Player; 2]>::new(), "nobody else waits");
        // A table that could not be made is forgotten, and who waits for it may wait again.
        join("dan", 2_000).expect("room");
        assert_eq!(queues.pairs("x", 2_000).len(), 1);
        queues.forget("cid", 3_000);
        join("cid", 3_000).expect("room");
        assert_eq!(queues.count("x"), 1);
    }

    #[tokio::test]
    async fn who_leaves_while_the_table_is_made_hears_of_it() {
        let queues = PlayNowQueues::default();
        for who in ["ann", "bob", "cid", "dan"] {
            join(&queues, "x", who, 1500.0, 0).expect("room");
        }
        let pairs = queues.pairs("x", 0);
        assert_eq!(pairs.len(), 2);
        assert_eq!(queues.settled("eve", 0).await, None, "nobody was found");
        let [[ann, bob], [cid, _]] = &pairs[..] else { panic!("two pairs") };
        let (found, none, ()) = tokio::join!(queues.settled(&ann.id, 0), queues.settled(&cid.id, 0), async {
            queues.forget(&cid.id, 0);
            queues.note(&[ann.clone(), bob.clone()], "table", 0);
        });
        assert_eq!((found.as_deref(), none), (Some("table"), None));
    }

    #[test]
    fn who_is_silent_or_leaves_is_not_paired() {
        let queues = PlayNowQueues::default();
        join(&queues, "x", "ann", 1500.0, 0).expect("room");
        join(&queues, "x", "bob", 1900.0, 0).expect("room");
        for now_ms in (1_000..=20_000).step_by(1_000) {
            assert_eq!(queues.heard("x", "bob", now_ms), Some(0));
            assert_eq!(queues.pairs("x", now_ms), Vec::<[Player; 2]>::new(), "ann is gone, {now_ms} ms");
        }
        assert_eq!(queues.heard("x", "ann", 20_000), None);
        join(&queues, "x", "ann", 1500.0, 20_000).expect("room");
        queues.leave("bob");
        assert_eq!(queues.pairs("x", 20_000), Vec::<[Player; 2]>::new());
    }

    #[test]
    fn lists_show_who_waits_now() {
        let queues = PlayNowQueues::default();
        let line =
            PoolLine { game: "xiangqi".to_owned(), clock: wire::ClockSpec::None, rated: false, waiting: 0 };
        queues.show("x", line.clone());
        assert_eq!(queues.shown(0), [], "an empty queue is not shown");
        join(&queues, "x", "ann", 1500.0, 0).expect("room");
        join(&queues, "other options", "ann", 1500.0, 0).expect("room");
        queues.show("x", line.clone());
        assert_eq!(queues.shown(0), [PoolLine { waiting: 1, ..line.clone() }]);
        join(&queues, "x", "bob", 1500.0, 10).expect("room");
        assert_eq!(queues.shown(10), [PoolLine { waiting: 2, ..line }]);
        queues.leave("ann");
        assert_eq!(queues.shown(10)[0].waiting, 1);
        assert_eq!(queues.shown(10 + SILENCE_MS), [], "who asks no more has left");
    }

    #[test]
    fn queues_are_bounded() {
        let queues = PlayNowQueues::default();
        for n in 0..QUEUES {
            join(&queues, &n.to_string(), "ann", 1500.0, 0).expect("room");
        }
        let refused = join(&queues, "more", "ann", 1500.0, 0);
        assert_eq!(refused.map_err(|why| why.key), Err("too-many-queues"));
        // The ratings are far from each other, so that no pair is formed.
        for n in QUEUES..MOST {
            let id = format!("p{n}");
            join(&queues, "x", &id, n as f64 * 1e6, 0).expect("room");
        }
        let refused = join(&queues, "x", "one more", 0.0, 0);
        assert_eq!(refused.map_err(|why| why.key), Err("hall-busy"));
        join(&queues, "x", "later", 0.0, SILENCE_MS).expect("all have left");
        assert_eq!(queues.count("x"), 1);
    }

    /// Asks for everybody at once, as long as they are not paired; returns the pairs.
    fn ask_all(queues: &PlayNowQueues, people: &[(&str, Network)], now_ms: u64) -> Vec<[String; 2]> {
        for (who, network) in people {
            if queues.heard("x", who, now_ms).is_none() {
                join_from(queues, "x", who, *network, 1500.0, now_ms).expect("room");
            }
        }
        let pairs = queues.pairs("x", now_ms);
        for (n, pair) in pairs.iter().enumerate() {
            queues.note(pair, &format!("table{now_ms}-{n}"), now_ms);
        }
        pairs.into_iter().map(|pair| pair.map(|player| player.id)).collect()
    }

    fn network(last: u8) -> Network {
        Network::of([192, 0, 2, last].into())
    }

    #[test]
    fn who_has_closed_the_page_is_not_paired() {
        let queues = PlayNowQueues::default();
        join(&queues, "x", "ann", 1500.0, 0).expect("room");
        join(&queues, "x", "bob", 1500.0, 1_600).expect("room");
        assert_eq!(queues.pairs("x", 1_600).len(), 0, "ann has not asked for longer than she should");
        assert_eq!(queues.heard("x", "ann", 1_700), Some(0), "she keeps her place");
        queues.hush("ann");
        assert_eq!(queues.pairs("x", 1_700).len(), 0, "her connection is gone");
        queues.heard("x", "ann", 1_800);
        assert_eq!(queues.pairs("x", 1_800).len(), 1);
    }

    #[test]
    fn a_slow_line_is_waited_for() {
        let queues = PlayNowQueues::default();
        join(&queues, "x", "ann", 1500.0, 0).expect("room");
        queues.heard("x", "ann", 2_400);
        join(&queues, "x", "bob", 1500.0, 4_700).expect("room");
        assert_eq!(queues.pairs("x", 4_700).len(), 1, "she asks every 2.4 seconds");
    }

    #[test]
    fn whose_opponent_does_not_come_keeps_the_place_and_gets_no_dead_table_twice() {
        let queues = PlayNowQueues::default();
        let table = |held: Option<Held>| held;
        assert_eq!(ask_all(&queues, &[("ann", network(1)), ("ghost", network(2))], 1_000).len(), 1);
        assert_eq!(table(queues.held("ann", 1_100)), Some(Held::Table("table1000-0".to_owned())));
        queues.came("ann", "another", 1_200);
        assert_eq!(table(queues.held("ann", 1_200)), Some(Held::Table("table1000-0".to_owned())));
        queues.came("ann", "table1000-0", 1_300);
        assert_eq!(table(queues.held("ann", 9_000)), Some(Held::Deserted("table1000-0".to_owned())));
        assert_eq!(
            table(queues.held("ghost", 9_000)),
            Some(Held::Table("table1000-0".to_owned())),
            "may come"
        );
        queues.forget("ann", 9_000);
        join_from(&queues, "x", "ann", network(1), 1500.0, 9_000).expect("room");
        assert_eq!(queues.heard("x", "ann", 9_100), Some(1_000), "waits since then");
        queues.forget("ghost", 12_000);
        join_from(&queues, "x", "ghost", network(2), 1500.0, 12_000).expect("room");
        assert_eq!(queues.heard("x", "ghost", 12_000), Some(12_000), "waits anew");
        queues.heard("x", "ann", 12_000);
        assert_eq!(queues.pairs("x", 12_000).len(), 0, "not with somebody who did not come");
    }

    /// Thirty guests of one address who ask and never come do not keep others from being paired (A3).
    #[test]
    fn those_who_never_come_stop_nobody() {
        let queues = PlayNowQueues::default();
        let (mut ghosts, mut fresh) = (Vec::new(), 0..);
        let (mut honest_pairs, mut with_ghosts) = (0, 0);
        for now_ms in (0..60_000).step_by(500) {
            while ghosts.len() < 30 {
                ghosts.push(format!("ghost{}", fresh.next().expect("more")));
            }
            let mut people: Vec<(&str, Network)> =
                ghosts.iter().map(|id| (id.as_str(), network(9))).collect();
            let of_ann = [("ann", network(1)), ("bob", network(2))];
            if now_ms >= 4_000 && now_ms % 5_000 < 3_000 {
                people.extend(of_ann);
            }
            let pairs = ask_all(&queues, &people, now_ms);
            for pair in &pairs {
                match pair.iter().filter(|id| id.starts_with("ghost")).count() {
                    0 => honest_pairs += 1,
                    1 => with_ghosts += 1,
                    _ => {}
                }
            }
            for (person, _) in of_ann {
                if let Some(Held::Table(table)) = queues.held(person, now_ms) {
                    queues.came(person, &table, now_ms);
                }
                queues.forget(person, now_ms);
            }
            ghosts.retain(|id| !pairs.iter().flatten().any(|paired| paired == id));
        }
        assert!(honest_pairs >= 8, "{honest_pairs} pairs of the two who come");
        assert!(with_ghosts <= 3, "{with_ghosts} with somebody who never comes");
    }

    #[test]
    fn a_class_behind_one_address_is_paired_with_each_other_and_with_others() {
        let queues = PlayNowQueues::default();
        let pupils: Vec<String> = (0..40).map(|n| format!("pupil{n}")).collect();
        let mut people: Vec<(&str, Network)> = pupils.iter().map(|id| (id.as_str(), network(1))).collect();
        people.push(("ann", network(2)));
        people.push(("bob", network(3)));
        let pairs = ask_all(&queues, &people, 0);
        assert_eq!(pairs.len(), 21, "all of them at once");
        for person in pairs.iter().flatten() {
            if let Some(Held::Table(table)) = queues.held(person, 1_000) {
                queues.came(person, &table, 1_000);
            }
            queues.forget(person, 1_000);
        }
        let again = ask_all(&queues, &[("pupil3", network(1)), ("cid", network(4))], 2_000);
        assert_eq!(again.len(), 1, "who came is paired with anybody");
        let new = ask_all(&queues, &[("late", network(1)), ("dan", network(5))], 3_000);
        assert_eq!(new.len(), 1, "and so is who comes later");
    }
}
