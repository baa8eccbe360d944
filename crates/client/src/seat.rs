//! A player who never gives up.

use std::time::{Duration, Instant};

use wire::{Act, ClientMessage, Happened, Known, Problem, ServerMessage};

use crate::{Connection, Error, Guest};

/// The first wait before connecting again; doubles up to [`LONGEST_WAIT`].
const SHORTEST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// Nothing heard for this long: the hall is asked whether it is there; nothing for as long again, and the line is taken
/// for dead.
const SILENCE: Duration = Duration::from_secs(15);

/// Someone at a table. Derefs to what they [know](Known) of it.
pub struct Seat {
    guest: Guest,
    /// The same person at other nodes of the hall, which are tried in turn.
    others: std::collections::VecDeque<Guest>,
    table: String,
    line: Option<Connection>,
    /// When to connect again, after a failure. Whoever stops waiting and asks again waits no longer for it.
    again: Option<tokio::time::Instant>,
    wait: Duration,
    known: Known,
    /// When the clocks were told last.
    pub clock_told: Instant,
    /// When the time for a first move was told last.
    pub first_told: Instant,
    /// When it was told last that the other player has left.
    pub claim_told: Instant,
    /// Every event seen.
    pub seen: Vec<Happened>,
    /// How often the line was opened.
    pub connections: u32,
}

impl std::ops::Deref for Seat {
    type Target = Known;

    fn deref(&self) -> &Known {
        &self.known
    }
}

/// What became of a wish.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// It was written down as the event of that version.
    Done(u64),
    /// It was refused.
    Refused(Problem),
}

impl Seat {
    /// Someone at that table; connects when first asked.
    #[must_use]
    pub fn new(guest: Guest, table: &str) -> Seat {
        Seat {
            guest,
            others: std::collections::VecDeque::new(),
            table: table.to_owned(),
            line: None,
            again: None,
            wait: SHORTEST_WAIT,
            known: Known::default(),
            clock_told: Instant::now(),
            first_told: Instant::now(),
            claim_told: Instant::now(),
            seen: Vec::new(),
            connections: 0,
        }
    }

    /// Someone at that table who knows several nodes of the hall, and goes to the next one when a line is lost.
    ///
    /// # Panics
    /// Without any.
    #[must_use]
    pub fn among(guests: Vec<Guest>, table: &str) -> Seat {
        let mut guests = std::collections::VecDeque::from(guests);
        let first = guests.pop_front().expect("at least one");
        Seat { others: guests, ..Seat::new(first, table) }
    }

    /// Cuts the line, as a failing network does.
    pub fn cut(&mut self) {
        self.line = None;
    }

    /// Waits for the next message, connecting as often as it takes.
    ///
    /// # Errors
    /// Only when the hall says something strange, or events are missing.
    pub async fn hear(&mut self) -> Result<ServerMessage, Error> {
        loop {
            if let Some(message) = self.hear_once().await? {
                return Ok(message);
            }
        }
    }

    /// Waits for the next message; `None` when the line was lost, or could not be opened. Asked again, it tries again,
    /// after a while that grows.
    ///
    /// # Errors
    /// As [`Seat::hear`].
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

    /// Sends a wish until it is answered.
    ///
    /// # Errors
    /// As [`Seat::hear`].
    pub async fn wish(&mut self, act: Act) -> Result<Answer, Error> {
        self.wish_as(&format!("{:016x}", rand::random::<u64>()), act).await
    }

    /// Sends a wish of that name until it is answered. Whatever happens on the way, it rests on the board that was
    /// known when it was sent first. Asked again with the same name, it is not done again.
    ///
    /// # Errors
    /// As [`Seat::hear`].
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

    /// The line is gone; the next one is opened after a while.
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

/// The next message of a line that may be quiet for long, but not dead.
async fn patient(line: &mut Connection) -> Result<ServerMessage, Error> {
    if let Ok(heard) = tokio::time::timeout(SILENCE, line.hear()).await {
        return heard;
    }
    line.say(&ClientMessage::Ping { n: 1 }).await?;
    let silent = |_| Error::Lost("silence".to_owned());
    tokio::time::timeout(SILENCE, line.hear()).await.map_err(silent)?
}
