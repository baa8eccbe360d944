//! People who do everything but play while the hall is killed: guests who come, accounts, tables, records, collections,
//! studies, puzzles, challenges, people who are followed. What was acknowledged is looked for in the end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base64::Engine as _;
use kernel::laws::Random;
use reqwest::{Client, Method};
use serde_json::{Value, json};

/// The time between two requests of one person.
const PACE: Duration = Duration::from_millis(5);
/// The delay before a request is repeated that a dead hall did not answer.
const AGAIN: Duration = Duration::from_millis(40);

/// A thing that was acknowledged and must be found in the end.
struct Promise {
    what: &'static str,
    secret: String,
    path: String,
    holds: Holds,
}

enum Holds {
    /// The answer exists.
    There,
    /// The value at that place of the answer.
    Is(&'static str, Value),
    /// The challenge is, or is not, among those that were received.
    Challenge { id: String, waits: bool },
    /// The collection has at least `least` games.
    Games { key: String, least: u64 },
    /// The puzzles tried are at least this number, of all families together.
    Tries(u64),
}

/// The acknowledgements of one of them.
#[derive(Default)]
pub struct Promises {
    /// Acknowledgements by kind.
    pub told: BTreeMap<&'static str, usize>,
    kept: Vec<Promise>,
}

impl Promises {
    pub fn join(&mut self, other: Promises) {
        for (what, count) in other.told {
            *self.told.entry(what).or_default() += count;
        }
        self.kept.extend(other.kept);
    }

    /// Asks the hall for everything that was promised; returns what is missing.
    pub async fn complaints(&self, base: &str) -> Vec<String> {
        let line = HallConnection { http: Client::new(), base: base.to_owned() };
        let mut complaints = Vec::new();
        for Promise { what, secret, path, holds } in &self.kept {
            let (status, found) = line.sure(path, secret).await;
            let list = |key: &str| found[key].as_array().cloned().unwrap_or_default();
            let is_kept = (200..300).contains(&status)
                && match holds {
                    Holds::There => true,
                    Holds::Is(place, value) => found.pointer(place) == Some(value),
                    Holds::Challenge { id, waits } => {
                        list("received").iter().any(|line| line["id"] == id.as_str()) == *waits
                    }
                    Holds::Games { key, least } => found.as_array().is_some_and(|all| {
                        all.iter()
                            .any(|one| one["key"] == key.as_str() && one["games"].as_u64() >= Some(*least))
                    }),
                    Holds::Tries(least) => {
                        let tries = |one: &Value| one["standing"]["tries"].as_u64().unwrap_or_default();
                        list("families").iter().map(tries).sum::<u64>() >= *least
                    }
                };
            if !is_kept {
                complaints.push(format!(
                    "{what} was acknowledged and is not kept: {path} answers {status}: {found}"
                ));
            }
        }
        complaints
    }
}

/// The connection of a person to the hall.
#[derive(Clone)]
struct HallConnection {
    http: Client,
    base: String,
}

impl HallConnection {
    /// Sends a request; returns status and body, or `None` while the hall is dead.
    async fn ask(
        &self,
        method: Method,
        path: &str,
        secret: &str,
        body: Option<&Value>,
    ) -> Option<(u16, Value)> {
        let mut request = self.http.request(method, format!("{}{path}", self.base));
        if !secret.is_empty() {
            request = request.bearer_auth(secret);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let answer = request.timeout(Duration::from_secs(5)).send().await.ok()?;
        let status = answer.status().as_u16();
        let text = answer.text().await.ok()?;
        Some((status, serde_json::from_str(&text).unwrap_or_default()))
    }
}

impl HallConnection {
    /// Sends a request to a hall that is open, or soon will be.
    async fn sure(&self, path: &str, secret: &str) -> (u16, Value) {
        for _ in 0..500 {
            if let Some(answer) = self.ask(Method::GET, path, secret, None).await {
                return answer;
            }
            tokio::time::sleep(AGAIN).await;
        }
        (0, Value::Null)
    }
}

/// A person with an account.
pub struct Person {
    line: HallConnection,
    secret: String,
    id: String,
    random: Random,
    promises: Promises,
    puzzles: BTreeSet<String>,
    games: u64,
    count: u64,
}

/// Two people who do all of it, and follow and challenge each other.
pub struct Pair([Person; 2]);

impl Pair {
    /// Signs up both people, for which the hall must live on for a while.
    pub async fn enter(base: &str, mut random: Random) -> Pair {
        let line = HallConnection { http: Client::new(), base: base.to_owned() };
        let number = random.bits();
        let (one, other) = tokio::join!(
            Person::enter(&line, number, Random(random.bits())),
            Person::enter(&line, number ^ 1, Random(random.bits()))
        );
        Pair([one, other])
    }

    /// Acts until `over`, and returns the acknowledgements.
    pub async fn live(self, over: Arc<AtomicBool>) -> Promises {
        let Pair([mut one, mut other]) = self;
        let (first, second) =
            ((one.id.clone(), one.secret.clone()), (other.id.clone(), other.secret.clone()));
        tokio::join!(one.act(&second, &over), other.act(&first, &over));
        one.promises.join(other.promises);
        one.promises
    }
}

impl Person {
    async fn enter(line: &HallConnection, number: u64, random: Random) -> Person {
        for attempt in 0.. {
            let mut person = Person {
                line: line.clone(),
                secret: String::new(),
                id: String::new(),
                random: Random(random.0),
                promises: Promises::default(),
                puzzles: BTreeSet::new(),
                games: 0,
                count: 0,
            };
            let guest = person.wish(Method::POST, "/api/guests", None).await;
            guest["secret"].as_str().unwrap_or_default().clone_into(&mut person.secret);
            let name = format!("P{:010x}x{attempt}", number & 0xff_ffff_ffff);
            let account = json!({"name": name, "password": "long enough a password"});
            let account = person.once(Method::POST, "/api/account", Some(&account)).await;
            // Without an answer the person cannot know if it was stored, and tries again; the name may be
            // taken then.
            if let Some(secret) = account["secret"].as_str() {
                secret.clone_into(&mut person.secret);
                guest["player"]["id"].as_str().expect("has an id").clone_into(&mut person.id);
                let told = Holds::Is("/name", json!(name));
                person.promised("an account", "/api/account", told);
                return person;
            }
        }
        unreachable!("somebody comes in at last")
    }

    /// Sends a request until there is an answer; it may be carried out twice.
    async fn wish(&self, method: Method, path: &str, body: Option<&Value>) -> Value {
        loop {
            match self.line.ask(method.clone(), path, &self.secret, body).await {
                Some((200..=299, answer)) => return answer,
                Some((400..=499, answer)) => panic!("{path} is refused: {answer}"),
                _ => tokio::time::sleep(AGAIN).await,
            }
        }
    }

    /// Sends a request once; returns null where it was refused or not answered.
    async fn once(&self, method: Method, path: &str, body: Option<&Value>) -> Value {
        match self.line.ask(method, path, &self.secret, body).await {
            Some((204, _)) => json!(true),
            Some((200..=299, answer)) => answer,
            _ => {
                tokio::time::sleep(AGAIN).await;
                Value::Null
            }
        }
    }

    fn promised(&mut self, what: &'static str, path: &str, holds: Holds) {
        *self.promises.told.entry(what).or_default() += 1;
        // The latest promise about a thing is the one that holds.
        let secret = self.secret.clone();
        if !matches!(holds, Holds::Challenge { .. }) {
            self.promises.kept.retain(|one| one.path != path || one.secret != secret || one.what != what);
        }
        self.promises.kept.push(Promise { what, secret, path: path.to_owned(), holds });
    }

    async fn act(&mut self, other: &(String, String), over: &AtomicBool) {
        while !over.load(Ordering::Relaxed) {
            self.count += 1;
            match self.random.below(8) {
                0 => self.send_guest().await,
                1 => self.open_table().await,
                2 => self.bring_record().await,
                3 => self.follow(&other.0).await,
                4 => self.challenge(other).await,
                5 => self.collect().await,
                6 => self.study().await,
                _ => self.solve().await,
            }
            tokio::time::sleep(PACE).await;
        }
    }

    async fn send_guest(&mut self) {
        let guest = self.once(Method::POST, "/api/guests", None).await;
        if let Some(secret) = guest["secret"].as_str() {
            let own = std::mem::replace(&mut self.secret, secret.to_owned());
            self.promised("a guest", "/api/me", Holds::Is("/player/id", guest["player"]["id"].clone()));
            self.secret = own;
        }
    }

    async fn open_table(&mut self) {
        let wish = json!({"game": "gomoku/freestyle", "how": "invite", "clock": {"kind": "none"}});
        let table = self.once(Method::POST, "/api/tables", Some(&wish)).await;
        if let Some(id) = table["id"].as_str() {
            self.promised("a table", &format!("/api/tables/{id}"), Holds::There);
        }
    }

    /// Returns moves that no record had before: the first cells in an order of their own.
    fn moves(&mut self) -> Vec<String> {
        let mut cells: Vec<String> =
            ('a'..='o').flat_map(|file| (1..=15).map(move |rank| format!("{file}{rank}"))).collect();
        (0..8).map(|_| cells.swap_remove(self.random.below(cells.len()))).collect()
    }

    async fn bring_record(&mut self) {
        let moves = self.moves();
        let record = json!({"format": "qiguan-record", "version": 1, "game": "gomoku/freestyle",
            "options": {"size": 15}, "moves": moves});
        let brought = json!({"content": record.to_string()});
        let table = self.once(Method::POST, "/api/records", Some(&brought)).await;
        if let Some(id) = table["id"].as_str() {
            self.promised(
                "a record",
                &format!("/api/tables/{id}/replay"),
                Holds::Is("/of", json!(moves.len())),
            );
        }
    }

    async fn follow(&mut self, other: &str) {
        let path = format!("/api/relations/{other}");
        let note = json!(format!("note {}", self.count));
        let relation = json!({"follows": true, "note": note});
        let _ = self.wish(Method::PUT, &path, Some(&relation)).await;
        self.promised("a note about somebody", &path, Holds::Is("/note", note));
    }

    /// Sends one challenge, which waits in the end or was taken back.
    async fn challenge(&mut self, (other, their_secret): &(String, String)) {
        let waiting = self.wish(Method::GET, "/api/challenges", None).await;
        for id in waiting["sent"].as_array().into_iter().flatten().filter_map(|line| line["id"].as_str()) {
            let done = self.once(Method::POST, &format!("/api/challenge/{id}/cancel"), None).await;
            let waits = if done.is_null() { None } else { Some(false) };
            self.remember(their_secret, id, waits);
        }
        let wish = json!({"game": "gomoku/freestyle", "clock": {"kind": "per-move", "turn_ms": 259_200_000}});
        let made = self.once(Method::POST, &format!("/api/challenge/{other}"), Some(&wish)).await;
        if let Some(id) = made["id"].as_str() {
            self.remember(their_secret, id, Some(true));
        }
    }

    /// Remembers the state of a challenge. `waits`: `None` where it is unknown.
    fn remember(&mut self, their_secret: &str, id: &str, waits: Option<bool>) {
        self.promises
            .kept
            .retain(|one| !matches!(&one.holds, Holds::Challenge { id: known, .. } if known == id));
        if let Some(waits) = waits {
            let own = std::mem::replace(&mut self.secret, their_secret.to_owned());
            self.promised("a challenge", "/api/challenges", Holds::Challenge { id: id.to_owned(), waits });
            self.secret = own;
        }
    }

    async fn collect(&mut self) {
        let name = format!("of {}", self.id);
        let mut list = self.wish(Method::GET, "/api/library", None).await;
        let mine = |list: &Value| {
            let own = list.as_array().into_iter().flatten().find(|one| one["mine"] == true);
            own.and_then(|one| one["key"].as_str().map(str::to_owned))
        };
        if mine(&list).is_none() {
            let wish = json!({"name": name, "access": "private"});
            let _ = self.once(Method::POST, "/api/library", Some(&wish)).await;
            list = self.wish(Method::GET, "/api/library", None).await;
        }
        let Some(key) = mine(&list) else { return };
        let file =
            format!("Game: gomoku/freestyle\nFirst: Ann\nSecond: Bo\n\n1. {}\n", self.moves().join(" "));
        let content = base64::engine::general_purpose::STANDARD.encode(file);
        let wish = json!({"name": "games.txt", "content": content});
        let path = format!("/api/library/collections/{key}/games");
        let came = self.once(Method::POST, &path, Some(&wish)).await;
        if came["added"] == 1 {
            self.games += 1;
            let least = self.games;
            self.promised("a game of a collection", "/api/library", Holds::Games { key, least });
        }
    }

    async fn study(&mut self) {
        let wish = json!({"name": format!("study {}", self.count), "from": {"game": "gomoku/freestyle"}});
        let made = self.once(Method::POST, "/api/studies", Some(&wish)).await;
        let Some(id) = made["id"].as_str().or_else(|| made["study"]["id"].as_str()) else { return };
        let path = format!("/api/studies/{id}");
        self.promised("a study", &path, Holds::There);
        let change = json!({"base": 1, "change": {"t": "play", "chapter": 0, "parent": 0, "text": "h8"}});
        let done = self.once(Method::POST, &format!("{path}/changes"), Some(&change)).await;
        if let Some(ver) = done["entry"]["ver"].as_u64() {
            self.promised("a change of a study", &path, Holds::Is("/study/ver", json!(ver)));
        }
    }

    async fn solve(&mut self) {
        let family = ["xiangqi", "draughts", "gomoku", "locked"][self.random.below(4)];
        let found = self.once(Method::GET, &format!("/api/puzzles/next?family={family}"), None).await;
        let Some(id) = found["id"].as_str() else { return };
        let given_up = json!({"moves": [], "give_up": true});
        let shown = self.once(Method::POST, &format!("/api/puzzles/{id}/try"), Some(&given_up)).await;
        if shown["state"] == "shown" && self.puzzles.insert(id.to_owned()) {
            let tries = self.puzzles.len() as u64;
            self.promised("an answer to a puzzle", "/api/puzzles", Holds::Tries(tries));
        }
    }
}
