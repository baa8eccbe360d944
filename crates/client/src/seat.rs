//! A player who never gives up.

use std::time::{Duration, Instant};

use wire::{
    Act, ClientMessage, ClockFace, Event, Offer, Outcome, Player, PlyInfo, Problem, ServerMessage, Side,
    TableInfo, View,
};

use crate::{Error, Guest, Line};

/// The first wait before connecting again; doubles up to [`LONGEST_WAIT`].
const SHORTEST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// Nothing heard for this long: the hall is asked whether it is there; nothing for as long again, and the line is taken
/// for dead.
const SILENCE: Duration = Duration::from_secs(15);

/// Someone at a table, who knows what stands there.
pub struct Seat {
    guest: Guest,
    table: String,
    line: Option<Line>,
    /// The line before this one broke, or could not be opened.
    /// When to connect again, after a failure. Whoever stops waiting and asks again waits no longer for it.
    again: Option<tokio::time::Instant>,
    wait: Duration,
    /// The version known.
    pub ver: u64,
    /// What is known about the table.
    pub info: Option<TableInfo>,
    /// The board.
    pub view: Option<View>,
    /// The moves so far.
    pub record: Vec<PlyInfo>,
    /// Offers that stand.
    pub offers: Vec<(Side, Offer)>,
    /// How the game ended.
    pub end: Option<Outcome>,
    /// The seats held.
    pub you: Vec<Side>,
    /// The clocks as the hall told them last, and when that was.
    pub clock: Option<(ClockFace, Instant)>,
    /// Whether the first and the second player are here.
    pub here: [bool; 2],
    /// How many others look on.
    pub watchers: u32,
    /// Every event seen: version, wish, event.
    pub seen: Vec<(u64, Option<String>, Event)>,
    /// How often the line was opened.
    pub connections: u32,
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
            table: table.to_owned(),
            line: None,
            again: None,
            wait: SHORTEST_WAIT,
            ver: 0,
            info: None,
            view: None,
            record: Vec::new(),
            offers: Vec::new(),
            end: None,
            you: Vec::new(),
            clock: None,
            here: [false; 2],
            watchers: 0,
            seen: Vec::new(),
            connections: 0,
        }
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
            if let Some((v, ..)) = self.seen.iter().rev().find(|(_, done, _)| done.as_deref() == Some(cmd)) {
                return Ok(Answer::Done(*v));
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

    async fn line(&mut self) -> Result<&mut Line, Error> {
        if self.line.is_none() {
            let since = (self.view.is_some()).then_some(self.ver);
            self.line = Some(self.guest.connect(&self.table, since).await?);
            self.connections += 1;
        }
        Ok(self.line.as_mut().expect("was just opened"))
    }

    /// The line is gone; the next one is opened after a while.
    fn lose(&mut self) {
        self.line = None;
        self.again = Some(tokio::time::Instant::now() + self.wait);
        self.wait = (self.wait * 2).min(LONGEST_WAIT);
    }

    fn learn(&mut self, message: &ServerMessage) -> Result<(), Error> {
        match message {
            ServerMessage::Full { v, table, view, record, clk, offers, end, you, here, watchers } => {
                self.ver = *v;
                self.info = Some(table.clone());
                self.view = Some(view.clone());
                self.record.clone_from(record);
                self.offers.clone_from(offers);
                self.end.clone_from(end);
                self.you.clone_from(you);
                self.clock = clk.map(|face| (face, Instant::now()));
                (self.here, self.watchers) = (*here, *watchers);
            }
            ServerMessage::Ev { v, cmd, e, names, p, clk, spent, end } => {
                if *v <= self.ver {
                    return Ok(());
                }
                if *v != self.ver + 1 {
                    return Err(Error::Strange(format!("event {v} came after {}", self.ver)));
                }
                self.ver = *v;
                self.seen.push((*v, cmd.clone(), e.clone()));
                if let Some(view) = &mut self.view {
                    p.apply(view);
                }
                if let Some(face) = clk {
                    self.clock = Some((*face, Instant::now()));
                }
                self.happened(e, *spent, names, end.as_ref());
            }
            ServerMessage::You { you } => self.you.clone_from(you),
            ServerMessage::Here { here, watchers } => (self.here, self.watchers) = (*here, *watchers),
            _ => {}
        }
        Ok(())
    }

    fn happened(&mut self, event: &Event, spent: Option<u64>, names: &[String], end: Option<&Outcome>) {
        match event {
            Event::Move { by, text } => {
                self.record.push(PlyInfo(text.clone(), *by, spent, names.to_vec()));
                self.offers.retain(|&(side, what)| what == Offer::Draw && side == *by);
            }
            Event::Withdraw { .. } => self.go_back(1),
            Event::Takeback { plies, .. } => self.go_back(*plies as usize),
            Event::Offer { by, what } => self.offers.push((*by, *what)),
            Event::Decline { what, .. } => self.offers.retain(|(_, offered)| offered != what),
            Event::Swap => {
                self.offers.clear();
                self.seats(|seats| seats.swap(0, 1));
            }
            Event::Sit { side, who } => self.seats(|seats| seats[index(*side)] = Some(who.clone())),
            Event::Leave { side } => self.seats(|seats| seats[index(*side)] = None),
            Event::Rematch { table } => {
                self.offers.clear();
                if let Some(info) = &mut self.info {
                    info.next = Some(table.clone());
                }
            }
            _ => {}
        }
        if end.is_some() {
            self.end = end.cloned();
            self.offers.clear();
        }
    }

    fn go_back(&mut self, plies: usize) {
        self.record.truncate(self.record.len().saturating_sub(plies));
        self.offers.clear();
        self.end = None;
    }

    fn seats(&mut self, change: impl FnOnce(&mut [Option<Player>; 2])) {
        if let Some(info) = &mut self.info {
            change(&mut info.seats);
            info.started = info.seats.iter().all(Option::is_some);
        }
    }
}

/// The next message of a line that may be quiet for long, but not dead.
async fn patient(line: &mut Line) -> Result<ServerMessage, Error> {
    if let Ok(heard) = tokio::time::timeout(SILENCE, line.hear()).await {
        return heard;
    }
    line.say(&ClientMessage::Ping { n: 1 }).await?;
    let silent = |_| Error::Lost("silence".to_owned());
    tokio::time::timeout(SILENCE, line.hear()).await.map_err(silent)?
}

fn index(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => 1,
    }
}
