//! Client of a hall's lobby: the user's identity there, events that wait for the user, and games to join.
//!
//! [`Hall`] sends the requests for a user's actions and waits for the answers, ten seconds at most. The screen's
//! periodic requests run in the background ([`Hall::look`], [`Hall::look_for`]), so that a slow hall does not block
//! the keys. The screen and the plain lines show the same [`LobbyRow`]s.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use client::{Error, Guest, is_unknown};
use serde_json::Value;
use texts::{Language, say};
use tokio::task::JoinHandle;
use wire::{
    ChallengeLine, Challenges, ClockSpec, Created, Decline, DeviceAsks, DeviceTold, DeviceWaits, Inbox, Me,
    NewChallenge, Opponent, PlayNow, PlayNowTold, PoolLeft, Side, TableLine, Tables,
};

use crate::clock::CLOCKS;
use crate::identity::{self, Home};
use crate::table::{PATIENCE, VisitError};

/// The longest wait for the hall's answer when a user leaves the pool. The hall drops the entry by itself after five
/// seconds.
const FAREWELL: Duration = Duration::from_secs(1);

/// The clocks offered at a hall in addition to those of a game at one keyboard.
const SLOW: [&str; 4] = ["1d/move", "3d/move", "7d/move", "3d/weekdays"];

/// Returns the clocks offered in a lobby, in the syntax in which they are typed.
pub(crate) fn clocks() -> impl Iterator<Item = &'static str> {
    CLOCKS.into_iter().chain(SLOW)
}

/// Returns the games for which a table can be opened without further input.
pub(crate) fn games() -> Vec<&'static catalog::Entry> {
    catalog::ENTRIES.iter().filter(|entry| !entry.needs_map()).collect()
}

/// A line of the lobby's list.
#[derive(Clone, Debug)]
pub(crate) enum LobbyRow {
    /// A challenge that waits for this user's answer.
    Received(ChallengeLine),
    /// A slow game in which it is this user's move, and the milliseconds left for it.
    Mine(TableLine, u64),
    /// Another game of this user that is not over.
    Playing(TableLine),
    /// A challenge of this user that waits for the other player's answer.
    Sent(ChallengeLine),
    /// A table with a free seat.
    Open(TableLine),
    /// A game that may be watched.
    Live(TableLine),
}

impl LobbyRow {
    /// Returns the id of the table or of the challenge.
    pub fn id(&self) -> &str {
        match self {
            LobbyRow::Received(line) | LobbyRow::Sent(line) => &line.id,
            LobbyRow::Mine(line, _)
            | LobbyRow::Playing(line)
            | LobbyRow::Open(line)
            | LobbyRow::Live(line) => &line.id,
        }
    }

    /// Returns the key of the message that names the line's section of the list.
    pub const fn section(&self) -> &'static str {
        match self {
            LobbyRow::Received(_) => "challenge-received",
            LobbyRow::Mine(..) => "inbox-mine",
            LobbyRow::Playing(_) => "tui-your-games",
            LobbyRow::Sent(_) => "challenge-waiting",
            LobbyRow::Open(_) => "open-tables",
            LobbyRow::Live(_) => "watch-tables",
        }
    }

    /// Describes the line in words: the game, the players, and what a user has to know before joining.
    pub fn words(&self, language: Language) -> String {
        match self {
            LobbyRow::Received(line) => challenge(line, &line.from, language),
            LobbyRow::Sent(line) => challenge(line, &line.to, language),
            LobbyRow::Mine(line, left_ms) => {
                format!("{}   {}", table(line, language), left(*left_ms, language))
            }
            LobbyRow::Playing(line) | LobbyRow::Open(line) | LobbyRow::Live(line) => table(line, language),
        }
    }
}

/// Formats the time left for a move in days and hours, in hours, or in minutes in the last hour.
fn left(left_ms: u64, language: Language) -> String {
    let minutes = left_ms / 60_000;
    let (days, hours) = (minutes / 1440, minutes / 60);
    match (days, hours) {
        (0, 0) => say(language, "inbox-minutes", &[("minutes", &minutes.to_string())]),
        (0, _) => say(language, "inbox-hours", &[("hours", &hours.to_string())]),
        _ => {
            say(language, "inbox-days", &[("days", &days.to_string()), ("hours", &(hours % 24).to_string())])
        }
    }
}

fn challenge(line: &ChallengeLine, who: &wire::Player, language: Language) -> String {
    let name = who.name.clone().unwrap_or_else(|| say(language, "guest", &[]));
    let game = texts::game(language, &line.game);
    let clock = crate::clock::name(line.clock, language);
    let said = say(language, "challenge-line", &[("who", &name), ("game", &game), ("clock", &clock)]);
    let rated =
        if line.rated { format!(", {}", say(language, "challenge-is-rated", &[])) } else { String::new() };
    format!("{said}{rated}")
}

/// Describes a table in a line: its game, the players, its clock, its room.
fn table(line: &TableLine, language: Language) -> String {
    let name = |seat: usize| match line.seats[seat].as_ref() {
        Some(player) => match &player.engine {
            Some(Opponent::Level(level)) => say(language, "tui-level-name", &[("level", &level.to_string())]),
            Some(Opponent::Engine(name)) => name.clone(),
            None => player.name.clone().unwrap_or_else(|| say(language, "guest", &[])),
        },
        None => say(language, "seat-free", &[]),
    };
    let game = texts::game(language, &line.game);
    let clock = match line.clock {
        ClockSpec::None => String::new(),
        clock => format!("   {}", crate::clock::name(clock, language)),
    };
    let rated = if line.rated { format!("   {}", say(language, "rated-sign", &[])) } else { String::new() };
    let room = line.room.as_ref();
    let room =
        room.map_or_else(String::new, |room| format!("   {}", say(language, "tui-room", &[("room", room)])));
    format!("{game}   {} - {}{clock}{rated}{room}", name(0), name(1))
}

/// Returns all lines of the list in order: first those that wait for this user.
fn listed(
    tables: Tables,
    inbox: Option<Inbox>,
    challenges: Challenges,
    playing: Vec<TableLine>,
) -> Vec<LobbyRow> {
    let mut seen = HashSet::new();
    let mut lines: Vec<LobbyRow> = challenges.received.into_iter().map(LobbyRow::Received).collect();
    let slow = inbox.map(|inbox| inbox.games).unwrap_or_default();
    let (mine, theirs): (Vec<_>, Vec<_>) = slow.into_iter().partition(|game| game.mine);
    lines.extend(mine.into_iter().map(|game| LobbyRow::Mine(game.line, game.left_ms)));
    lines.extend(playing.into_iter().map(LobbyRow::Playing));
    lines.extend(theirs.into_iter().map(|game| LobbyRow::Playing(game.line)));
    lines.extend(challenges.sent.into_iter().map(LobbyRow::Sent));
    lines.extend(tables.open.into_iter().map(LobbyRow::Open));
    lines.extend(tables.live.into_iter().map(LobbyRow::Live));
    // A table of one's own is listed once, where it says most.
    lines.retain(|line| seen.insert(line.id().to_owned()));
    lines
}

/// The terms of a game that the user seeks, for a challenge, an open table or the pool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Terms {
    /// The key of the game.
    pub game: &'static str,
    pub clock: ClockSpec,
    pub rated: bool,
}

impl Terms {
    pub fn table(&self) -> wire::CreateTable {
        wire::CreateTable {
            game: self.game.to_owned(),
            options: Default::default(),
            map: None,
            fen: None,
            how: wire::How::Open,
            room: None,
            clock: self.clock,
            side: None,
            opponent: None,
            rated: self.rated,
        }
    }
}

/// A sign-in code that has not been entered yet on the device where this user is signed in.
struct Code {
    waits: DeviceWaits,
    until: Instant,
}

/// The results of waiting for an opponent or for a sign-in.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Waited {
    /// The wait goes on.
    Still,
    /// This user is signed in now.
    SignedIn,
    /// An opponent was found; the table's id.
    Table(String),
}

/// A connection to a hall with the user's identity there.
pub(crate) struct Hall {
    base: String,
    home: Home,
    runtime: tokio::runtime::Runtime,
    guest: Guest,
    /// True if this user is signed in.
    is_account: bool,
    lines: Vec<LobbyRow>,
    code: Option<Code>,
    /// The terms of the seek in the pool, and the hall's last answer, while the user waits for an opponent.
    pool: Option<(Terms, PlayNowTold)>,
    /// The pending background request for the lists.
    listing: Option<JoinHandle<Result<Listing, VisitError>>>,
    /// The pending background request of the pool or of the sign-in.
    told: Option<JoinHandle<Result<Value, VisitError>>>,
}

/// The lists of a hall for one user.
struct Listing {
    player: wire::Player,
    lines: Vec<LobbyRow>,
}

impl Hall {
    /// Connects to the hall at that address. The second value is true if the session of the last visit has ended
    /// since.
    ///
    /// # Errors
    /// Fails when the hall does not answer.
    pub fn enter(base: &str, home: &Home) -> Result<(Hall, bool), VisitError> {
        let base = base.trim_end_matches('/').to_owned();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|e| Error::Lost(e.to_string()))?;
        let entered = runtime.block_on(patient(identity::enter(&base, home)))?;
        let identity::Entered { guest, is_account, has_ended } = entered;
        let home = home.clone();
        let (lines, code, pool) = (Vec::new(), None, None);
        let (listing, told) = (None, None);
        let mut hall = Hall { base, home, runtime, guest, is_account, lines, code, pool, listing, told };
        hall.refresh()?;
        Ok((hall, has_ended))
    }

    pub fn base(&self) -> &str {
        &self.base
    }

    pub fn lines(&self) -> &[LobbyRow] {
        &self.lines
    }

    pub fn is_account(&self) -> bool {
        self.is_account
    }

    /// Describes this user's identity in words.
    pub fn you(&self, language: Language) -> String {
        match &self.guest.player.name {
            Some(name) if self.is_account => say(language, "tui-you-are", &[("name", name)]),
            Some(name) => say(language, "tui-you-are-guest", &[("name", name)]),
            None => say(language, "tui-you-are-nobody", &[]),
        }
    }

    /// Requests the lists again and waits for the answer.
    ///
    /// # Errors
    /// Fails when the hall does not answer; `signed-out-elsewhere` when the session has ended, so that this user is a
    /// guest now.
    pub fn refresh(&mut self) -> Result<(), VisitError> {
        self.listing = None;
        let found = self.runtime.block_on(list(self.guest.clone(), self.is_account));
        self.show(found)
    }

    /// Requests the lists in the background: starts a request unless one is pending, shows an answer that has come,
    /// and never waits for the hall. Returns true if an answer was shown.
    ///
    /// # Errors
    /// The errors of [`Hall::refresh`].
    pub fn look(&mut self) -> Result<bool, VisitError> {
        let asked =
            self.listing.get_or_insert_with(|| self.runtime.spawn(list(self.guest.clone(), self.is_account)));
        if !asked.is_finished() {
            return Ok(false);
        }
        match self.listing.take().map(|asked| self.runtime.block_on(asked)) {
            Some(Ok(found)) => self.show(found).map(|()| true),
            _ => Ok(false),
        }
    }

    /// Returns true if a background request is pending.
    pub fn is_asking(&self) -> bool {
        self.listing.is_some() || self.told.is_some()
    }

    fn show(&mut self, found: Result<Listing, VisitError>) -> Result<(), VisitError> {
        match found {
            Ok(Listing { player, lines }) => {
                self.guest.player = player;
                self.lines = lines;
                Ok(())
            }
            Err(VisitError(problem)) if self.is_account && is_unknown(&problem) => Err(self.has_ended()),
            Err(error) => Err(error),
        }
    }

    /// Handles a session that was ended elsewhere: this user goes on as a guest.
    fn has_ended(&mut self) -> VisitError {
        identity::forget_account(&self.home.folder, &self.base);
        match self.enter_again() {
            Ok(()) => VisitError(kernel::Problem::new("signed-out-elsewhere").into()),
            Err(error) => error,
        }
    }

    fn enter_again(&mut self) -> Result<(), VisitError> {
        (self.listing, self.told) = (None, None);
        let entered = self.runtime.block_on(patient(identity::enter(&self.base, &self.home)))?;
        self.guest = entered.guest;
        self.is_account = entered.is_account;
        self.refresh()
    }

    fn post(&self, parts: &[&str], body: &impl serde::Serialize) -> Result<Value, VisitError> {
        Ok(self.runtime.block_on(patient(self.guest.post(parts, body)))?)
    }

    /// Requests a code with which this terminal is signed in from another device.
    ///
    /// # Errors
    /// Fails when the hall does not answer, or has given too many codes.
    pub fn sign_in(&mut self) -> Result<(), VisitError> {
        let waits: DeviceWaits = read(self.post(&["api", "session", "device"], &Value::Null)?)?;
        let until = Instant::now() + Duration::from_secs(waits.seconds.into());
        self.code = Some(Code { waits, until });
        Ok(())
    }

    /// Returns the code to be typed on the page, and the minutes until it expires; `None` if there is none.
    pub fn code(&self) -> Option<(&str, u64)> {
        let Code { waits, until } = self.code.as_ref()?;
        Some((&waits.code, until.saturating_duration_since(Instant::now()).as_secs().div_ceil(60)))
    }

    /// Returns the address of the page where the code is typed.
    pub fn code_page(&self) -> String {
        format!("{}/account", self.base)
    }

    /// Returns the terms of the seek in the pool, the seconds waited, and the number of waiting players.
    pub fn pool(&self) -> Option<(&Terms, u64, u32)> {
        let (terms, told) = self.pool.as_ref()?;
        Some((terms, told.waited_ms / 1000, told.waiting))
    }

    /// Signs this terminal out: the hall ends the session, and this terminal deletes its secret. The user is the
    /// previous guest again.
    ///
    /// # Errors
    /// Fails when the hall does not answer. The session is kept then, because it could not be ended from here later.
    pub fn sign_out(&mut self) -> Result<(), VisitError> {
        self.give_up();
        match self.runtime.block_on(patient(self.guest.delete("/api/session"))) {
            Err(Error::Refused(problem)) if is_unknown(&problem) => {}
            done => drop(done?),
        }
        identity::forget_account(&self.home.folder, &self.base);
        self.enter_again()
    }

    /// Enters the pool to be paired with an opponent on the same terms. [`Hall::wait`] has to be called every second
    /// then.
    ///
    /// # Errors
    /// Fails when it is refused, or the hall does not answer.
    pub fn play_now(&mut self, terms: Terms) -> Result<Waited, VisitError> {
        self.told = None;
        let told = self.post(&["api", "pool"], &wish(&terms))?;
        self.in_pool(terms, told)
    }

    fn in_pool(&mut self, terms: Terms, told: Value) -> Result<Waited, VisitError> {
        let told: PlayNowTold = read(told)?;
        self.pool = None;
        Ok(match told.table {
            Some(table) => Waited::Table(table),
            None => {
                self.pool = Some((terms, told));
                Waited::Still
            }
        })
    }

    /// Returns true if this user waits for an opponent, or to be signed in.
    pub fn waits(&self) -> bool {
        self.code.is_some() || self.pool.is_some()
    }

    /// Polls the hall for the opponent or the sign-in, and waits for the answer.
    ///
    /// # Errors
    /// Fails when the wait has failed, because the code has expired or the game was refused; or when the hall does not
    /// answer.
    pub fn wait(&mut self) -> Result<Waited, VisitError> {
        self.told = None;
        match self.asks() {
            Some(asked) => {
                let answer = self.runtime.block_on(asked);
                self.hear(answer)
            }
            None => Ok(Waited::Still),
        }
    }

    /// Polls the hall as [`Hall::wait`] does, but in the background: starts a request unless one is pending, and
    /// never waits for the hall.
    ///
    /// # Errors
    /// The errors of [`Hall::wait`].
    pub fn look_for(&mut self) -> Result<Waited, VisitError> {
        if self.told.is_none() {
            self.told = self.asks().map(|asked| self.runtime.spawn(asked));
        }
        if !self.told.as_ref().is_some_and(JoinHandle::is_finished) {
            return Ok(Waited::Still);
        }
        match self.told.take().map(|asked| self.runtime.block_on(asked)) {
            Some(Ok(answer)) => self.hear(answer),
            _ => Ok(Waited::Still),
        }
    }

    /// Returns the request to poll for the opponent or the sign-in; `None` if the user waits for neither.
    fn asks(&self) -> Option<impl Future<Output = Result<Value, VisitError>> + Send + use<>> {
        let (path, body): (&[&str], Value) = match (&self.pool, &self.code) {
            (Some((terms, _)), _) => (&["api", "pool"], json(&wish(terms))),
            (None, Some(Code { waits, .. })) => {
                let asks = DeviceAsks { device: waits.device.clone(), bring: true };
                (&["api", "session", "device", "poll"], json(&asks))
            }
            (None, None) => return None,
        };
        let guest = self.guest.clone();
        Some(async move { Ok(patient(guest.post(path, &body)).await?) })
    }

    /// Handles the answer to [`Hall::asks`].
    fn hear(&mut self, answer: Result<Value, VisitError>) -> Result<Waited, VisitError> {
        if let Some((terms, _)) = self.pool.clone() {
            return answer.and_then(|told| self.in_pool(terms, told)).inspect_err(|_| self.pool = None);
        }
        let told = match answer {
            Ok(told) => told,
            // The hall may be back before the code is too old.
            Err(VisitError(problem)) if problem.key == "hall-unreachable" => return Err(VisitError(problem)),
            Err(error) => {
                self.code = None;
                return Err(error);
            }
        };
        let DeviceTold { signed_in } = read(told)?;
        let Some(secret) = signed_in.and_then(|signed_in| signed_in.secret) else { return Ok(Waited::Still) };
        self.code = None;
        identity::remember_account(&self.home.folder, &self.base, &secret);
        self.enter_again()?;
        Ok(Waited::SignedIn)
    }

    /// Stops waiting for a sign-in or an opponent. Returns the table of an opponent who was found meanwhile and waits
    /// there.
    pub fn give_up(&mut self) -> Option<String> {
        self.code = None;
        let asked = self.told.take();
        if self.pool.take().is_none() {
            if let Some(asked) = asked {
                asked.abort();
            }
            return None;
        }
        let farewell = async {
            // If the cancellation overtook the last request, the hall would look for an opponent again.
            if let Some(mut asked) = asked
                && tokio::time::timeout(FAREWELL, &mut asked).await.is_err()
            {
                asked.abort();
            }
            tokio::time::timeout(FAREWELL, self.guest.delete("/api/pool")).await
        };
        let left = self.runtime.block_on(farewell).ok()?.ok()?;
        read(left).ok().map(|PoolLeft { table }| table)
    }

    /// Accepts a challenge and returns the id of the table.
    ///
    /// # Errors
    /// Fails when the challenge or the challenger is gone.
    pub fn accept(&self, id: &str) -> Result<String, VisitError> {
        let created: Created = read(self.post(&["api", "challenge", id, "accept"], &Value::Null)?)?;
        Ok(created.id)
    }

    /// Declines a received challenge, or withdraws one of the user's own; returns false for other lines.
    ///
    /// # Errors
    /// Fails when the challenge is gone, or the hall does not answer.
    pub fn decline(&mut self, line: &LobbyRow) -> Result<bool, VisitError> {
        match line {
            LobbyRow::Received(line) => {
                self.post(&["api", "challenge", &line.id, "decline"], &Decline::default())?;
            }
            LobbyRow::Sent(line) => {
                self.post(&["api", "challenge", &line.id, "cancel"], &Value::Null)?;
            }
            _ => return Ok(false),
        }
        self.refresh().map(|()| true)
    }

    /// Challenges a player by name.
    ///
    /// # Errors
    /// Fails when there is no such player, or the player accepts no challenges.
    pub fn challenge(&mut self, name: &str, terms: &Terms, side: Option<Side>) -> Result<(), VisitError> {
        let wish = NewChallenge {
            game: terms.game.to_owned(),
            options: Default::default(),
            map: None,
            clock: terms.clock,
            side,
            rated: terms.rated,
        };
        self.post(&["api", "challenge", name], &wish)?;
        self.refresh()
    }
}

/// Requests all lists for `guest`; all answers come within ten seconds in total, or the request fails.
async fn list(guest: Guest, is_account: bool) -> Result<Listing, VisitError> {
    let asked = async {
        // Requested first, because it is refused to a person whom the hall no longer knows.
        let challenges = match guest.get("/api/challenges").await {
            Ok(told) => typed(told)?,
            Err(Error::Refused(problem)) if is_account && is_unknown(&problem) => {
                return Err(Error::Refused(problem));
            }
            // A hall from before there were challenges.
            Err(Error::Refused(_)) => Challenges { received: Vec::new(), sent: Vec::new() },
            Err(error) => return Err(error),
        };
        let me: Me = typed(guest.get("/api/me").await?)?;
        let tables = guest.tables().await?;
        // A hall from before slow games has no inbox.
        let inbox = guest.get("/api/inbox").await.ok().and_then(|told| serde_json::from_value(told).ok());
        Ok(Listing { player: me.player, lines: listed(tables, inbox, challenges, me.playing) })
    };
    Ok(patient(asked).await?)
}

fn wish(terms: &Terms) -> PlayNow {
    PlayNow {
        map: None,
        game: terms.game.to_owned(),
        options: Default::default(),
        clock: terms.clock,
        rated: terms.rated,
    }
}

/// Serializes a request body.
fn json(question: &impl serde::Serialize) -> Value {
    serde_json::to_value(question).unwrap_or_default()
}

fn typed<T: serde::de::DeserializeOwned>(told: Value) -> Result<T, Error> {
    serde_json::from_value(told).map_err(|e| Error::Strange(e.to_string()))
}

/// Deserializes an answer of a hall.
fn read<T: serde::de::DeserializeOwned>(told: Value) -> Result<T, VisitError> {
    Ok(typed(told)?)
}

/// Waits for an answer of a hall, with a time limit.
async fn patient<T>(asked: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let late = |_| Error::Lost("silence".to_owned());
    tokio::time::timeout(PATIENCE, asked).await.map_err(late)?
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(id: &str) -> Value {
        json!({
            "id": id, "game": "xiangqi", "options": {}, "how": "open", "room": null, "clock": { "kind": "none" },
            "seats": [null, null], "plies": 0, "created_ms": 1,
        })
    }

    fn challenge(id: &str) -> Value {
        let player = json!({ "id": "p", "name": "Ada" });
        json!({
            "id": id, "from": player, "to": player, "game": "xiangqi", "options": {}, "clock": { "kind": "none" },
            "rated": true, "made_ms": 1, "until_ms": 2,
        })
    }

    #[test]
    fn what_waits_comes_first_and_no_table_twice() {
        let entry = catalog::find("xiangqi").expect("is there");
        let options = entry.settle(&Default::default(), catalog::Setting::Online).expect("the usual");
        let board = entry.open(None, &options, None).expect("opens");
        let (view, board) = (board.view(), board.board());
        let game = |id: &str, mine: bool| {
            json!({
                "line": line(id), "side": "first", "mine": mine, "left_ms": 5, "held": false, "board": board, "view": view,
            })
        };
        let tables = json!({ "open": [line("open"), line("own")], "live": [line("live"), line("mine")] });
        let inbox = json!({
            "games": [game("mine", true), game("theirs", false)], "waiting": 1, "vacation": { "away": false, "left_ms": 0 },
        });
        let challenges = json!({ "received": [challenge("to-me")], "sent": [challenge("from-me")] });
        let found = listed(
            serde_json::from_value(tables.clone()).expect("a lobby"),
            Some(serde_json::from_value(inbox).expect("an inbox")),
            serde_json::from_value(challenges).expect("challenges"),
            serde_json::from_value(json!([line("own"), line("mine"), line("theirs")])).expect("tables"),
        );
        let found: Vec<_> = found.iter().map(|line| (line.id(), line.section())).collect();
        let wanted = [
            ("to-me", "challenge-received"),
            ("mine", "inbox-mine"),
            ("own", "tui-your-games"),
            ("theirs", "tui-your-games"),
            ("from-me", "challenge-waiting"),
            ("open", "open-tables"),
            ("live", "watch-tables"),
        ];
        assert_eq!(found, wanted);
        let none = Challenges { received: Vec::new(), sent: Vec::new() };
        let old = listed(serde_json::from_value(tables).expect("a lobby"), None, none, Vec::new());
        assert_eq!(old.len(), 4, "a hall without an inbox");
    }

    #[test]
    fn every_clock_can_be_read() {
        assert!(clocks().all(|clock| crate::clock::parse(clock).is_ok()));
    }

    #[test]
    fn time_left_is_told_in_its_largest_units() {
        let said = |left_ms| left(left_ms, Language::English);
        for (left_ms, wanted) in [
            (0, "0 min left"),
            (59 * 60_000, "59 min left"),
            (60 * 60_000, "1 h left"),
            (25 * 3_600_000, "1 d 1 h left"),
        ] {
            assert_eq!(said(left_ms), wanted, "{left_ms} ms");
        }
    }
}
