//! A player at a table who reconnects after every failure.

use std::time::{Duration, Instant};

use wire::{Act, ClientMessage, ClientTable, Happened, Problem, ServerMessage};

use crate::{Connection, Error, Guest};

/// The first delay before reconnecting; it doubles up to [`LONGEST_WAIT`].
const SHORTEST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// The time without messages after which a ping is sent; after the same time without an answer, the connection is
/// given up.
const SILENCE: Duration = Duration::from_secs(15);

/// A player at a table. Derefs to the [known state](ClientTable) of the table.
pub struct Seat {
    guest: Guest,
    /// The same person at other nodes of the server, which are tried in turn.
    others: std::collections::VecDeque<Guest>,
    table: String,
    line: Option<Connection>,
    /// The time of the next attempt to connect after a failure. It is kept if the caller cancels the wait and asks
    /// again.
    again: Option<tokio::time::Instant>,
    wait: Duration,
    known: ClientTable,
    /// The time at which the clocks were last updated.
    pub clock_told: Instant,
    /// The time at which the limit for the first move was last updated.
    pub first_told: Instant,
    /// The time at which the server last reported the players' presence, and with it when a win may be claimed.
    pub claim_told: Instant,
    /// The events received.
    pub seen: Vec<Happened>,
    /// The number of connections opened.
    pub connections: u32,
}

impl std::ops::Deref for Seat {
    type Target = ClientTable;

    fn deref(&self) -> &ClientTable {
        &self.known
    }
}

/// The outcomes of a command.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// The command was executed; its event has that version.
    Done(u64),
    /// The command was refused.
    Refused(Problem),
}

impl Seat {
    /// Makes a player at that table; it connects on first use.
    #[must_use]
    pub fn new(guest: Guest, table: &str) -> Seat {
        Seat {
            guest,
            others: std::collections::VecDeque::new(),
            table: table.to_owned(),
            line: None,
            again: None,
            wait: SHORTEST_WAIT,
            known: ClientTable::default(),
            clock_told: Instant::now(),
            first_told: Instant::now(),
            claim_told: Instant::now(),
            seen: Vec::new(),
            connections: 0,
        }
    }

    /// Makes a player who knows several nodes of the server and switches to the next one when a connection is lost.
    ///
    /// # Panics
    /// Panics without guests.
    #[must_use]
    pub fn among(guests: Vec<Guest>, table: &str) -> Seat {
        let mut guests = std::collections::VecDeque::from(guests);
        let first = guests.pop_front().expect("at least one");
        Seat { others: guests, ..Seat::new(first, table) }
    }

    /// Drops the connection, as a network failure does.
    pub fn cut(&mut self) {
        self.line = None;
    }

    /// Receives the next message, connecting as often as necessary.
    ///
    /// # Errors
    /// Fails only when the server violates the protocol, for example by leaving out events.
    pub async fn hear(&mut self) -> Result<ServerMessage, Error> {
        loop {
            if let Some(message) = self.hear_once().await? {
                return Ok(message);
            }
        }
    }

    /// Receives the next message; `None` if the connection was lost or could not be opened. The next call connects
    /// again, after a delay that grows.
    ///
    /// # Errors
    /// The errors of [`Seat::hear`].
    pub async fn hear_once(&mut self) -> Result<Option<ServerMessage>, Error> {
        if self.line.is_none()
            && let Some(again) = self.again
        {
            tokio::time::sleep_until(again).await;
            self.again = None;
        }
        let heard = match self.line().await {
            Ok(line) => patient(line).await,
            Err(e) => Err(e),
        };
        match heard {
            Ok(message) => {
                self.wait = SHORTEST_WAIT;
                self.learn(&message)?;
                Ok(Some(message))
            }
            Err(Error::Strange(why)) => Err(Error::Strange(why)),
            Err(_) => {
                self.lose();
                Ok(None)
            }
        }
    }

    /// Sends a command and repeats it until it is answered.
    ///
    /// # Errors
    /// The errors of [`Seat::hear`].
    pub async fn wish(&mut self, act: Act) -> Result<Answer, Error> {
        self.wish_as(&format!("{:016x}", rand::random::<u64>()), act).await
    }

    /// Sends a command with that id and repeats it until it is answered. It always states the version that was known
    /// when it was first sent. A second call with the same id does not execute it again.
    ///
    /// # Errors
    /// The errors of [`Seat::hear`].
    pub async fn wish_as(&mut self, cmd: &str, act: Act) -> Result<Answer, Error> {
        let mut sent_on = None;
        let mut rests_on = None;
        loop {
            if self.line.is_none() {
                self.hear().await?;
            }
            if let Some(done) = self.seen.iter().rev().find(|event| event.cmd.as_deref() == Some(cmd)) {
                return Ok(Answer::Done(done.v));
            }
            if sent_on != Some(self.connections) {
                let ver = *rests_on.get_or_insert(self.ver);
                let message = ClientMessage::Do { cmd: cmd.to_owned(), ver, act: act.clone() };
                sent_on = Some(self.connections);
                let line = self.line.as_mut().expect("was just opened");
                if line.say(&message).await.is_err() {
                    self.lose();
                    continue;
                }
            }
            match self.hear().await? {
                ServerMessage::Ok { cmd: done, v } if done == cmd => return Ok(Answer::Done(v)),
                ServerMessage::No { cmd: refused, why } if refused == cmd => return Ok(Answer::Refused(why)),
                // We were too slow for the events, and the answer may have been one of them.
                ServerMessage::Full { .. } => sent_on = None,
                _ => {}
            }
        }
    }

    async fn line(&mut self) -> Result<&mut Connection, Error> {
        if self.line.is_none() {
            let since = (self.view.is_some()).then_some(self.ver);
            self.line = Some(self.guest.connect(&self.table, since).await?);
            self.known.trouble = None;
            self.connections += 1;
        }
        Ok(self.line.as_mut().expect("was just opened"))
    }

    /// Drops the connection; the next one is opened after a delay.
    fn lose(&mut self) {
        self.line = None;
        if let Some(next) = self.others.pop_front() {
            self.others.push_back(std::mem::replace(&mut self.guest, next));
        }
        self.again = Some(tokio::time::Instant::now() + self.wait);
        self.wait = (self.wait * 2).min(LONGEST_WAIT);
    }

    fn learn(&mut self, message: &ServerMessage) -> Result<(), Error> {
        let new = self.known.learn(message);
        let new =
            new.map_err(|gap| Error::Strange(format!("event {} came after {}", gap.came, gap.known)))?;
        match message {
            ServerMessage::Full { .. } => {
                let now = Instant::now();
                (self.clock_told, self.first_told) = (now, now);
            }
            ServerMessage::Here { .. } => self.claim_told = Instant::now(),
            ServerMessage::Ev(event) if new => {
                if event.clk.is_some() {
                    self.clock_told = Instant::now();
                }
                if event.first_ms.is_some() {
                    self.first_told = Instant::now();
                }
                self.seen.push(event.clone());
            }
            _ => {}
        }
        Ok(())
    }
}

/// Receives the next message of a connection; after a long silence it pings to find out if the connection is alive.
async fn patient(line: &mut Connection) -> Result<ServerMessage, Error> {
    if let Ok(heard) = tokio::time::timeout(SILENCE, line.hear()).await {
        return heard;
    }
    line.say(&ClientMessage::Ping { n: 1 }).await?;
    let silent = |_| Error::Lost("silence".to_owned());
    tokio::time::timeout(SILENCE, line.hear()).await.map_err(silent)?
}
