//! Notices to people who are away: that it is their turn, that their clock is nearly out, or that they are
//! challenged; by Web Push, in the browsers where they asked for it.
//!
//! The path of a move does not wait for anything here. A table leaves a word ([`Notices::turn`]); one task stores
//! which notices are due and when, many words at once ([`people::notices`]), another sends those that are due and
//! still valid. A hall that stops in between goes on where it was. [`push`] encrypts the messages, [`deliver`] sends
//! them.

pub mod deliver;
pub mod push;
mod words;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use edge::connections::Connections;
use edge::limits::RateLimits;
use edge::time::Time;
use futures_util::StreamExt as _;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;
use kernel::Problem;
use people::notices::{Quiet, Topic, due_ms, retry_ms};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use store::notices::{Device, DueNotice, NewNotice, NoticeChange};
use store::{Store, StoreError};
use table::State;
use texts::Language;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::failed::busy;
use crate::handed::Handed;
use deliver::{Delivered, Parcel};
use push::{BrowserKeys, Vapid};
use words::{Word, Words};

/// The most words that are stored with one change.
const NOTED: usize = 256;
/// The most notices that are read with one query.
const PAGE: u32 = 64;
/// The most people to whom notices are sent at the same time.
const AT_ONCE: usize = 48;
/// The places beside them, for people whose push services were slow the last time.
const SLOW_AT_ONCE: usize = 16;
/// The time from which a delivery counts as slow.
const SLOW: Duration = Duration::from_secs(2);
/// The most people whose push services are remembered as slow; others count as new.
const MOST_SLOW: usize = 10_000;
/// The interval between looks for notices that are due.
const EVERY: Duration = Duration::from_secs(5);
/// The interval between looks for clocks that are nearly out.
const CLOCKS: Duration = Duration::from_secs(60);
/// The most clocks that are read with one query.
const MOST_CLOCKS: u32 = 1000;
/// The longest time for which a push service keeps a notice for a browser that is away, in seconds: a day.
const KEEP_S: u64 = 86_400;
/// The name of the hall's key in the store.
const KEY: &str = "vapid";

/// The section `[notices]` of the file that `qiguan serve --config` reads.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NoticeSettings {
    /// True if notices are sent to browsers at all.
    pub push: bool,
    /// A `mailto:` or `https:` address at which the operator of a push service reaches the operator of the hall. The
    /// public address of the hall if it is not set.
    pub contact: Option<String>,
    /// True if push services on this machine are allowed, for tests.
    pub loopback: bool,
}

impl Default for NoticeSettings {
    fn default() -> Self {
        NoticeSettings { push: true, contact: None, loopback: false }
    }
}

impl NoticeSettings {
    /// Validates the settings.
    ///
    /// # Errors
    /// The fault of the settings, as a sentence.
    pub fn check(&self) -> Result<(), String> {
        match &self.contact {
            Some(contact) if !contact.starts_with("mailto:") && !contact.starts_with("https://") => {
                Err(format!(
                    "notices.contact is \"{contact}\": write \"mailto:somebody@example.org\" or an https address"
                ))
            }
            _ => Ok(()),
        }
    }
}

/// The state of notices: the people who receive them, and the people who look at their tables.
pub struct Notices {
    store: Arc<Store>,
    time: Time,
    rates: Arc<RateLimits>,
    open: OnceLock<Open>,
    /// The public ids of people who receive notices in some browser or by letter.
    told: RwLock<HashSet<String>>,
    /// The players who have their slow table open, by table.
    looking: Mutex<HashMap<String, HashSet<String>>>,
    /// The people with a page of the hall in sight. Others who are connected are sent notices as if they were not.
    pub seen: Arc<Connections<String>>,
    words: Words,
    news: Notify,
}

/// The settings and the key, which are known once the hall is open.
struct Open {
    vapid: Vapid,
    contact: Option<String>,
    local: bool,
}

impl Notices {
    /// Creates the notices of a hall; none is sent before they are [opened](Notices::open).
    #[must_use]
    pub fn new(handed: &Handed) -> Notices {
        Notices {
            store: Arc::clone(&handed.store),
            time: handed.time.clone(),
            rates: Arc::clone(&handed.rates),
            open: OnceLock::new(),
            told: RwLock::default(),
            looking: Mutex::default(),
            seen: Arc::default(),
            words: Words::default(),
            news: Notify::new(),
        }
    }

    /// Leaves words after an event at a slow table: a notice for the player to move, and nothing to look at for the
    /// other.
    pub fn turn(&self, state: &State) {
        if !state.is_slow() || !state.is_on() {
            return;
        }
        let turn = state.clock.running();
        let players = state.seats.iter().flatten().filter(|player| player.engine.is_none());
        for player in players.filter(|player| self.is_told(&player.id)) {
            let is_turn = turn.is_some_and(|side| state.seats[side.index()].as_ref() == Some(player));
            if !is_turn {
                self.looked(&player.id, &state.id);
            } else if !self.is_looking(&player.id, &state.id) {
                let until_ms = state.clock.deadline_ms().unwrap_or(u64::MAX);
                self.tell(&player.id, &state.id, Topic::Turn, until_ms);
            }
        }
    }

    /// Leaves a word for a person who is challenged.
    pub fn challenged(&self, person: &str, challenge: &str, until_ms: u64) {
        if self.is_told(person) {
            self.tell(person, challenge, Topic::Challenge, until_ms);
        }
    }

    /// Notes that a player has opened their slow table.
    pub fn looks(&self, person: &str, table: &str) {
        self.lock_looking().entry(table.to_owned()).or_default().insert(person.to_owned());
        if self.is_told(person) {
            self.looked(person, table);
        }
    }

    /// Notes that a player has closed their slow table.
    pub fn looks_away(&self, person: &str, table: &str) {
        let mut looking = self.lock_looking();
        if let Some(people) = looking.get_mut(table) {
            people.remove(person);
            if people.is_empty() {
                looking.remove(table);
            }
        }
    }

    /// Notes that the table is not open anywhere any more.
    pub fn closed(&self, table: &str) {
        self.lock_looking().remove(table);
    }

    fn is_looking(&self, person: &str, table: &str) -> bool {
        self.seen.has(person) && self.lock_looking().get(table).is_some_and(|people| people.contains(person))
    }

    /// Notes that a player's page at a table is in sight again.
    pub fn sees_again(&self, person: &str, table: &str) {
        if self.is_looking(person, table) && self.is_told(person) {
            self.looked(person, table);
        }
    }

    fn is_told(&self, person: &str) -> bool {
        self.told.read().unwrap_or_else(PoisonError::into_inner).contains(person)
    }

    fn set_told(&self, person: &str, told: bool) {
        let mut all = self.told.write().unwrap_or_else(PoisonError::into_inner);
        if told {
            all.insert(person.to_owned());
        } else {
            all.remove(person);
        }
    }

    /// Leaves a word for a notice that is valid until `until_ms`, in Unix milliseconds.
    fn tell(&self, person: &str, subject: &str, topic: Topic, until_ms: u64) {
        self.words.leave(person, subject, Word { looked: false, tell: Some((topic, until_ms)) });
    }

    /// Leaves a word that a person has looked, or that there is nothing to look at any more.
    fn looked(&self, person: &str, subject: &str) {
        self.words.leave(person, subject, Word { looked: true, tell: None });
    }

    fn lock_looking(&self) -> std::sync::MutexGuard<'_, HashMap<String, HashSet<String>>> {
        self.looking.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Notices {
    /// Starts to send notices. The hall's key is generated if it has none.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn open(&self, settings: &NoticeSettings, public_url: Option<&str>) -> Result<(), StoreError> {
        if !settings.push {
            return Ok(());
        }
        let mut key = self.store.notices.hall_secret(KEY).await?;
        if key.is_none() && !self.store.condition.is_read_only() {
            let body = push::new_key().to_bytes().to_vec();
            self.store.notices.change(NoticeChange::Secret { name: KEY, body }).await?;
            key = self.store.notices.hall_secret(KEY).await?;
        }
        // A hall that first opened on a full disk sends no notices until it is opened again.
        let Some(key) = key else { return Ok(()) };
        let Some(vapid) = Vapid::from_bytes(&key) else {
            tracing::error!(
                "the key for notices is damaged: nobody is told; delete the row {KEY} of hall_secret"
            );
            return Ok(());
        };
        let contact = settings.contact.clone();
        let contact =
            contact.or_else(|| public_url.filter(|url| url.starts_with("https://")).map(str::to_owned));
        self.know_told().await?;
        let _ = self.open.set(Open { vapid, contact, local: settings.loopback });
        Ok(())
    }

    /// Reads the list of people who receive notices.
    pub(crate) async fn know_told(&self) -> Result<(), StoreError> {
        let told = self.store.notices.told_people().await?.into_iter().collect();
        *self.told.write().unwrap_or_else(PoisonError::into_inner) = told;
        Ok(())
    }

    /// Stores and sends notices for as long as the hall is open. The stored ones are in digests, too
    /// ([`mail`](crate::mail)): `digests` says that the hall writes some.
    pub(crate) async fn keep(&self, digests: bool) {
        let pushes = self.open.get().is_some();
        if !pushes && !digests {
            return;
        }
        let send = async {
            if pushes {
                self.send_due().await;
            }
        };
        tokio::join!(self.note_words(), send, self.watch_clocks());
    }

    async fn note_words(&self) {
        loop {
            let words = self.words.take(NOTED).await;
            if let Err(why) = self.note(words).await {
                tracing::warn!(%why, "notices were not stored");
            }
        }
    }

    /// Stores words with one change; words without news are not written.
    async fn note(&self, words: Vec<(String, String, Word)>) -> Result<(), StoreError> {
        let now_ms = self.time.now_ms();
        let (mut looked, mut tell) = (Vec::new(), Vec::new());
        let mut quiet: HashMap<String, Option<Quiet>> = HashMap::new();
        for (person, subject, word) in words {
            if word.looked {
                looked.push((person.clone(), subject.clone()));
            }
            let Some((topic, until_ms)) = word.tell else { continue };
            let hours = match quiet.entry(person.clone()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(self.store.notices.quiet(&person).await?),
            };
            let due_ms = due_ms(now_ms, hours.as_ref(), until_ms);
            tell.push(NewNotice { person, subject, topic, due_ms });
        }
        if !looked.is_empty() {
            looked = self.store.notices.noticed(&looked).await?;
        }
        if looked.is_empty() && tell.is_empty() {
            return Ok(());
        }
        self.store.notices.change(NoticeChange::Words { looked, tell, now_ms }).await?;
        self.news.notify_one();
        Ok(())
    }

    async fn watch_clocks(&self) {
        let mut minutes = tokio::time::interval(CLOCKS);
        loop {
            minutes.tick().await;
            let found =
                self.store.notices.nearly_out(self.time.now_ms(), MOST_CLOCKS).await.unwrap_or_default();
            for (person, table, until_ms) in found {
                if !self.is_looking(&person, &table) {
                    self.tell(&person, &table, Topic::Clock, until_ms);
                }
            }
        }
    }

    /// Sends the notices that are due, each person's by themselves: a push service that does not answer delays only
    /// its own users.
    async fn send_due(&self) {
        let mut at_work = FuturesUnordered::new();
        let mut lanes = Lanes::default();
        let mut looks = tokio::time::interval(EVERY);
        loop {
            tokio::select! {
                _ = looks.tick() => lanes.resting.clear(),
                () = self.news.notified() => {}
                Some((person, done)) = at_work.next() => lanes.end(person, done),
            }
            while lanes.have_room() {
                let due = self.store.notices.notices_due(self.time.now_ms(), PAGE, &lanes.shut_out()).await;
                let due = due.unwrap_or_default().into_iter();
                let begun: Vec<DueNotice> = due.filter(|notice| lanes.begin(&notice.person)).collect();
                if begun.is_empty() {
                    break;
                }
                at_work.extend(begun.into_iter().map(|notice| self.tell_timed(notice)));
            }
        }
    }

    async fn tell_timed(&self, notice: DueNotice) -> (String, Result<Duration, ()>) {
        let (person, begun) = (notice.person.clone(), Instant::now());
        let told = self.tell_person(notice).await;
        let told = told.map(|()| begun.elapsed()).map_err(|why| {
            tracing::warn!(%why, "what became of a notice was not stored");
        });
        (person, told)
    }

    /// Sends a notice to all browsers of one person; one that accepts it is enough.
    async fn tell_person(&self, notice: DueNotice) -> Result<(), StoreError> {
        let (person, subject) = (notice.person.clone(), notice.subject.clone());
        let is_here = match notice.topic {
            Topic::Turn | Topic::Clock => self.is_looking(&person, &subject),
            Topic::Challenge => self.seen.has(&person),
        };
        let now_ms = self.time.now_ms();
        if !notice.holds || is_here {
            let looked = vec![(person, subject)];
            return self.store.notices.change(NoticeChange::Words { looked, tell: Vec::new(), now_ms }).await;
        }
        if let Err(wait) = self.rates.notice(&person) {
            let due_ms = now_ms + wait.seconds() * 1000;
            return self.store.notices.change(NoticeChange::Again { person, subject, due_ms }).await;
        }
        // Stored before it is sent: a hall that cannot write, or is killed now, does not send the same notice
        // again and again.
        let sent = NoticeChange::Sent { person: person.clone(), subject: subject.clone(), now_ms };
        self.store.notices.change(sent).await?;
        let (mut done, mut later) = (false, false);
        let devices = self.store.notices.devices(&person).await?.into_iter();
        let telling = devices.map(async |device| {
            let session = device.session.clone();
            (session, self.tell_device(&notice, device).await)
        });
        for (session, delivered) in join_all(telling).await {
            let change = match delivered {
                Delivered::Done => NoticeChange::Delivered { session, done: true },
                Delivered::Gone => NoticeChange::NoDevice { session },
                Delivered::Refused => NoticeChange::Delivered { session, done: false },
                Delivered::Later => {
                    later = true;
                    NoticeChange::Delivered { session, done: false }
                }
            };
            let is_done = matches!(change, NoticeChange::Delivered { done: true, .. });
            done |= is_done;
            match is_done {
                true => metrics::counter!("hall_notices_sent_total").increment(1),
                false => metrics::counter!("hall_notices_failed_total").increment(1),
            }
            self.store.notices.change(change).await?;
        }
        self.count_devices(&person).await?;
        let Some(wait_ms) = retry_ms(notice.tries).filter(|_| later && !done) else { return Ok(()) };
        let quiet = self.store.notices.quiet(&person).await?;
        let due_ms = due_ms(now_ms + wait_ms, quiet.as_ref(), notice.until_ms);
        self.store.notices.change(NoticeChange::Again { person, subject, due_ms }).await
    }

    async fn tell_device(&self, notice: &DueNotice, device: Device) -> Delivered {
        let Some(open) = self.open.get() else { return Delivered::Later };
        let Ok(url) = deliver::endpoint(&device.endpoint, open.local) else { return Delivered::Refused };
        let keys = BrowserKeys { point: device.point, secret: device.secret };
        let message = message(notice, Language::preferred(&device.lang));
        let Some(body) = push::encrypt(message.as_bytes(), &keys) else { return Delivered::Refused };
        let now_ms = self.time.now_ms();
        let origin = url.origin().ascii_serialization();
        let parcel = Parcel {
            authorization: open.vapid.authorization(&origin, open.contact.as_deref(), now_ms),
            topic: topic(&notice.subject),
            urgent: notice.topic == Topic::Clock,
            keep_s: (notice.until_ms.saturating_sub(now_ms) / 1000).clamp(60, KEEP_S),
            body,
        };
        deliver::send(&url, &parcel, open.local).await
    }

    /// Updates whether a person receives notices: in a browser, or by letter.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn count_devices(&self, person: &str) -> Result<(), StoreError> {
        let by_letter = self.store.mail.mail_address(person).await?.is_some_and(|at| at.digest);
        let told = by_letter || !self.store.notices.devices(person).await?.is_empty();
        self.set_told(person, told);
        Ok(())
    }

    /// Returns a person's settings of notices, seen from that session.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn notices_of(&self, person: &str, session: &str) -> Result<wire::Notices, Problem> {
        let devices = self.store.notices.devices(person).await.map_err(busy)?;
        let quiet = self.store.notices.quiet(person).await.map_err(busy)?;
        Ok(wire::Notices {
            key: self.open.get().map(|open| open.vapid.public().to_owned()),
            here: devices.iter().any(|device| device.session == session),
            devices: u32::try_from(devices.len()).unwrap_or(u32::MAX),
            quiet: quiet.map(|quiet| wire::QuietHours {
                from_min: quiet.from_min(),
                to_min: quiet.to_min(),
                zone: quiet.zone().to_owned(),
            }),
        })
    }

    /// Subscribes the browser of that session to the person's notices.
    ///
    /// # Errors
    /// `push-off`, `push-endpoint`, `push-keys`, `not-stored`.
    pub async fn tell_in(&self, person: &str, session: &str, wish: wire::NewPush) -> Result<(), Problem> {
        let open = self.open.get().ok_or_else(|| Problem::new("push-off"))?;
        deliver::endpoint(&wish.endpoint, open.local)?;
        let BrowserKeys { point, secret } = BrowserKeys::read(&wish.p256dh, &wish.auth)?;
        let lang = match Language::preferred(&wish.lang) {
            Language::English => "en",
            Language::Chinese => "zh",
        };
        let device = Device {
            session: session.to_owned(),
            person: person.to_owned(),
            endpoint: wish.endpoint,
            point,
            secret,
            lang: lang.to_owned(),
        };
        let now_ms = self.time.now_ms();
        self.store.notices.change(NoticeChange::Device { device, now_ms }).await.map_err(not_stored)?;
        self.set_told(person, true);
        Ok(())
    }

    /// Removes the subscription of the browser of that session.
    ///
    /// # Errors
    /// `not-stored`.
    pub async fn tell_no_more(&self, person: &str, session: &str) -> Result<(), Problem> {
        let change = NoticeChange::NoDevice { session: session.to_owned() };
        self.store.notices.change(change).await.map_err(not_stored)?;
        self.count_devices(person).await.map_err(busy)
    }

    /// Sets the quiet hours of a person; `None` for no quiet hours.
    ///
    /// # Errors
    /// `quiet-hours`, `quiet-zone`, `not-stored`.
    pub async fn set_quiet(&self, person: &str, wish: Option<wire::QuietHours>) -> Result<(), Problem> {
        let quiet = wish.map(|wish| Quiet::new(wish.from_min, wish.to_min, &wish.zone)).transpose()?;
        let change = NoticeChange::Quiet { person: person.to_owned(), quiet };
        self.store.notices.change(change).await.map_err(not_stored)
    }
}

/// The places for deliveries. Each person gets one notice at a time, so that no person fills the places of others;
/// people whose push services were slow have places of their own.
#[derive(Default)]
struct Lanes {
    /// The people with a delivery in progress; true for one in a place for slow services.
    at_work: HashMap<String, bool>,
    slow_at_work: usize,
    /// The people whose push services were slow the last time.
    slow: HashSet<String>,
    /// The people for whom the store failed; it is not asked again at once.
    resting: HashSet<String>,
}

impl Lanes {
    fn have_room(&self) -> bool {
        self.at_work.len() - self.slow_at_work < AT_ONCE || self.slow_at_work < SLOW_AT_ONCE
    }

    /// Takes a place for that person; returns false if they have none now.
    fn begin(&mut self, person: &str) -> bool {
        let is_slow = self.slow.contains(person);
        let (used, places) = match is_slow {
            true => (self.slow_at_work, SLOW_AT_ONCE),
            false => (self.at_work.len() - self.slow_at_work, AT_ONCE),
        };
        if used >= places || self.at_work.contains_key(person) || self.resting.contains(person) {
            return false;
        }
        self.at_work.insert(person.to_owned(), is_slow);
        self.slow_at_work += usize::from(is_slow);
        true
    }

    /// Releases the place; `done` is the duration of the delivery, unless the store failed.
    fn end(&mut self, person: String, done: Result<Duration, ()>) {
        if self.at_work.remove(&person) == Some(true) {
            self.slow_at_work -= 1;
        }
        match done {
            Ok(took) if took < SLOW => drop(self.slow.remove(&person)),
            Ok(_) if self.slow.len() < MOST_SLOW => drop(self.slow.insert(person)),
            Ok(_) => {}
            Err(()) => drop(self.resting.insert(person)),
        }
    }

    /// Returns the people who get no place now, whichever notices are due.
    fn shut_out(&self) -> Vec<String> {
        let full = self.slow_at_work >= SLOW_AT_ONCE;
        let waiting = self.slow.iter().filter(|_| full);
        self.at_work.keys().chain(&self.resting).chain(waiting).cloned().collect()
    }
}

/// Derives the topic for a push service from a subject: 24 letters, from which the subject cannot be recovered.
fn topic(subject: &str) -> String {
    const LETTERS: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";
    let hash = Sha256::digest(format!("notice about {subject}").as_bytes());
    hash.iter().take(24).map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()])).collect()
}

fn not_stored(why: StoreError) -> Problem {
    tracing::error!(%why, "how somebody is told was not stored");
    Problem::new("not-stored")
}

/// Returns the message for the browser, in the form that the page's `sw.js` reads.
fn message(notice: &DueNotice, language: Language) -> String {
    let key = notice.topic.key();
    let game = texts::game(language, &notice.game);
    let body = match &notice.other {
        Some(other) => texts::say(language, &format!("notice-{key}-by"), &[("game", &game), ("who", other)]),
        None => texts::say(language, &format!("notice-{key}-game"), &[("game", &game)]),
    };
    let url = match notice.topic {
        Topic::Turn | Topic::Clock => format!("/t/{}", notice.subject),
        Topic::Challenge => "/".to_owned(),
    };
    let title = texts::say(language, &format!("notice-{key}"), &[]);
    json!({ "title": title, "body": body, "url": url, "tag": notice.subject }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every notice has its texts and fits: a key without a text would be shown to people, and a long name would not
    /// fit.
    #[test]
    fn every_notice_has_its_words_and_fits() {
        for language in Language::ALL {
            for topic in Topic::ALL {
                for other in [None, Some("名".repeat(40))] {
                    let notice = DueNotice {
                        person: "p".into(),
                        subject: "x".repeat(40),
                        topic,
                        tries: 0,
                        holds: true,
                        until_ms: 1,
                        game: "gomoku/renju".into(),
                        other,
                    };
                    let text = message(&notice, language);
                    assert!(text.len() < push::MOST_MESSAGE && !text.contains("notice-"), "{text}");
                }
            }
        }
    }

    #[test]
    fn nobody_takes_the_places_of_others() {
        let mut lanes = Lanes::default();
        assert!(lanes.begin("ann") && !lanes.begin("ann"), "one thing at a time");
        lanes.end("ann".into(), Ok(SLOW));
        for n in 0..AT_ONCE {
            assert!(lanes.begin(&format!("quick{n}")), "{n}");
        }
        assert!(!lanes.begin("bob"), "all places are taken");
        assert!(lanes.begin("ann"), "who is slow has a place apart");
        lanes.end("quick0".into(), Ok(Duration::ZERO));
        assert!(lanes.begin("bob"));
        for n in 1..SLOW_AT_ONCE {
            lanes.slow.insert(format!("slow{n}"));
            assert!(lanes.begin(&format!("slow{n}")), "{n}");
        }
        lanes.slow.insert("eve".into());
        assert!(!lanes.have_room() && !lanes.begin("eve"));
        assert!(
            lanes.shut_out().contains(&"eve".to_owned()),
            "her notices do not stand at the head of the line"
        );
        lanes.end("ann".into(), Ok(Duration::ZERO));
        assert!(lanes.begin("eve") && !lanes.slow.contains("ann"));
        lanes.end("bob".into(), Err(()));
        assert!(!lanes.begin("bob") && lanes.shut_out().contains(&"bob".to_owned()), "the store failed");
        lanes.resting.clear();
        assert!(lanes.begin("bob"));
    }

    #[test]
    fn settings_are_checked() {
        for (contact, good) in [
            (None, true),
            (Some("mailto:a@b.example"), true),
            (Some("https://b.example"), true),
            (Some("b.example"), false),
        ] {
            let settings =
                NoticeSettings { contact: contact.map(str::to_owned), ..NoticeSettings::default() };
            assert_eq!(settings.check().is_ok(), good, "{contact:?}");
        }
    }
}
