//! One WebSocket: words in, words out. Holds nothing that matters; it may be cut at any moment.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use wire::{ClientMessage, Player, ServerMessage};

use crate::hall::Hall;
use crate::limits::Meter;
use crate::network::Asker;
use crate::study::analysis::Analysis;
use crate::table::{Ask, Handle, Joined, News, text};

/// The hall asks that often whether the other side is there, and how long the way is.
const PING: Duration = Duration::from_secs(10);
/// Without a word for this long, the other side is gone.
const GONE: Duration = Duration::from_secs(35);
/// A message that cannot be sent for this long ends the connection.
const STUCK: Duration = Duration::from_secs(20);
/// The lobby is told at most this often.
const LOBBY: Duration = Duration::from_millis(500);
/// The other side may take this long to answer a closing word.
const FAREWELL: Duration = Duration::from_secs(2);
/// A round trip longer than this is not believed.
const LONGEST_TRIP: Duration = Duration::from_secs(5);

/// Why a connection ends.
enum End {
    /// The other side has gone, or the network.
    Gone,
    /// With this word.
    Close(u16, &'static str),
}

/// A connection, and how long the way is.
struct Line {
    socket: WebSocket,
    meter: Meter,
    longest: usize,
    heard: Instant,
    ping_sent: Option<Instant>,
    rtt: Duration,
}

/// What came in.
enum Heard<M> {
    Said(M),
    Nothing,
}

impl Line {
    fn new(socket: WebSocket, hall: &Hall) -> Line {
        let meter = Meter::new(&hall.limits);
        let longest = hall.limits.message_bytes;
        Line { socket, meter, longest, heard: Instant::now(), ping_sent: None, rtt: Duration::ZERO }
    }

    async fn send(&mut self, words: Utf8Bytes) -> Result<(), End> {
        self.put(Message::Text(words)).await
    }

    async fn put(&mut self, message: Message) -> Result<(), End> {
        match tokio::time::timeout(STUCK, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(End::Gone),
        }
    }

    async fn ping(&mut self) -> Result<(), End> {
        if self.heard.elapsed() > GONE {
            return Err(End::Gone);
        }
        self.ping_sent = Some(Instant::now());
        self.put(Message::Ping(axum::body::Bytes::new())).await
    }

    /// Understands what came in.
    fn hear<M: serde::de::DeserializeOwned>(
        &mut self,
        message: Option<Result<Message, axum::Error>>,
    ) -> Result<Heard<M>, End> {
        let message = match message {
            Some(Ok(message)) => message,
            Some(Err(_)) | None => return Err(End::Gone),
        };
        self.heard = Instant::now();
        if !self.meter.admits() {
            metrics::counter!("hall_floods_total").increment(1);
            return Err(End::Close(close_code::POLICY, "too many messages"));
        }
        match message {
            Message::Text(words) => {
                if words.len() > self.longest {
                    return Err(End::Close(close_code::SIZE, "too long"));
                }
                match serde_json::from_str(&words) {
                    Ok(said) => Ok(Heard::Said(said)),
                    Err(_) => Err(End::Close(close_code::UNSUPPORTED, "not a message of hall.1")),
                }
            }
            Message::Binary(_) => Err(End::Close(close_code::UNSUPPORTED, "hall.1 speaks text")),
            Message::Pong(_) => {
                if let Some(sent) = self.ping_sent.take() {
                    self.rtt = sent.elapsed().min(LONGEST_TRIP);
                }
                Ok(Heard::Nothing)
            }
            Message::Ping(_) => Ok(Heard::Nothing),
            Message::Close(_) => Err(End::Gone),
        }
    }

    async fn end(mut self, end: End) {
        if let End::Close(code, reason) = end {
            let frame = CloseFrame { code, reason: reason.into() };
            if self.put(Message::Close(Some(frame))).await.is_ok() {
                // What is still on its way in is read: closing with unread words would cut the last one off.
                let rest = async { while let Some(Ok(_)) = self.socket.recv().await {} };
                let _ = tokio::time::timeout(FAREWELL, rest).await;
            }
        }
    }
}

fn ticks(every: Duration) -> tokio::time::Interval {
    let mut ticks = interval_at(Instant::now() + every, every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Keeps one connection to a table until it ends.
pub async fn at_table(hall: Arc<Hall>, socket: WebSocket, table: String, who: Player, since: Option<u64>) {
    metrics::gauge!("hall_connections").increment(1.0);
    let mut line = Line::new(socket, &hall);
    let joining = |reply| Ask::Join { who: who.clone(), since, reply };
    match hall.ask(&table, joining).await {
        Ok((handle, joined)) => {
            let end = converse(&mut line, &handle, joined, &who).await;
            let _ = handle.0.send(Ask::Left(who.id)).await;
            line.end(end).await;
        }
        Err(_) => line.end(End::Close(close_code::AGAIN, "no such table now")).await,
    }
    metrics::gauge!("hall_connections").decrement(1.0);
}

async fn converse(line: &mut Line, table: &Handle, joined: Joined, who: &Player) -> End {
    let Joined { first, mut ver, mut news } = joined;
    let mut ticks = ticks(PING);
    let work = async {
        for words in first {
            line.send(words).await?;
        }
        line.ping().await?;
        loop {
            tokio::select! {
                told = news.recv() => match told {
                    Ok(told) => tell(line, &mut ver, told, who).await?,
                    Err(RecvError::Lagged(_)) => all_anew(line, table, &mut ver, who).await?,
                    Err(RecvError::Closed) => return Err(End::Close(close_code::RESTART, "connect again")),
                },
                message = line.socket.recv() => match line.hear(message)? {
                    Heard::Said(said) => obey(line, table, &mut ver, who, said).await?,
                    Heard::Nothing => {}
                },
                _ = ticks.tick() => line.ping().await?,
            }
        }
    };
    let ended: Result<std::convert::Infallible, End> = work.await;
    match ended {
        Err(end) => end,
    }
}

/// Passes on what the table tells everybody, unless it is known already.
async fn tell(line: &mut Line, ver: &mut u64, told: News, who: &Player) -> Result<(), End> {
    if let Some(new) = told.ver {
        if new <= *ver {
            return Ok(());
        }
        *ver = new;
    }
    line.send(told.text).await?;
    if let Some(seats) = told.seats {
        let sits = |side: &wire::Side| seats[kernel::Side::from(*side).index()].as_ref() == Some(&who.id);
        let you = [wire::Side::First, wire::Side::Second].into_iter().filter(sits).collect();
        line.send(text(&ServerMessage::You { you })).await?;
    }
    Ok(())
}

async fn all_anew(line: &mut Line, table: &Handle, ver: &mut u64, who: &Player) -> Result<(), End> {
    let (reply, answer) = tokio::sync::oneshot::channel();
    let asked = table.0.send(Ask::Full { who: who.id.clone(), reply }).await;
    let (Ok(()), Ok((now, words))) = (asked, answer.await) else {
        return Err(End::Close(close_code::RESTART, "connect again"));
    };
    *ver = now;
    line.send(words).await
}

async fn obey(
    line: &mut Line,
    table: &Handle,
    ver: &mut u64,
    who: &Player,
    said: ClientMessage,
) -> Result<(), End> {
    match said {
        ClientMessage::Ping { n } => line.send(text(&ServerMessage::Pong { n })).await,
        ClientMessage::Full => all_anew(line, table, ver, who).await,
        ClientMessage::Do { cmd, ver: seen, act } => {
            if !is_command_id(&cmd) {
                return Err(End::Close(close_code::UNSUPPORTED, "cmd is 8 to 40 letters, digits, - or _"));
            }
            let (reply, answer) = tokio::sync::oneshot::channel();
            let rtt_ms = u64::try_from(line.rtt.as_millis()).unwrap_or(0);
            let ask = Ask::Do { who: who.clone(), cmd, ver: seen, act, rtt_ms, reply };
            let asked = table.0.send(ask).await;
            let (Ok(()), Ok(answer)) = (asked, answer.await) else {
                return Err(End::Close(close_code::RESTART, "connect again"));
            };
            match answer {
                Some(words) => line.send(words).await,
                None => Ok(()),
            }
        }
    }
}

fn is_command_id(cmd: &str) -> bool {
    (8..=40).contains(&cmd.len()) && cmd.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Keeps one connection to the lobby until it ends.
pub async fn in_lobby(hall: Arc<Hall>, socket: WebSocket) {
    metrics::gauge!("hall_connections").increment(1.0);
    let mut line = Line::new(socket, &hall);
    let mut changed = hall.lobby.watch();
    let mut stopping = hall.stopping.subscribe();
    let mut ticks = ticks(PING);
    let work = async {
        loop {
            let tables = hall.lobby.tables();
            line.send(text(&ServerMessage::Lobby { open: tables.open, live: tables.live })).await?;
            let quiet = Instant::now() + LOBBY;
            loop {
                tokio::select! {
                    // The lobby's own wish to be told again waits until some time has passed.
                    _ = async { tokio::time::sleep_until(quiet).await; changed.changed().await } => break,
                    _ = stopping.changed() => return Err(End::Close(close_code::RESTART, "connect again")),
                    message = line.socket.recv() => match line.hear(message)? {
                        Heard::Said(ClientMessage::Ping { n }) => line.send(text(&ServerMessage::Pong { n })).await?,
                        Heard::Said(_) | Heard::Nothing => {}
                    },
                    _ = ticks.tick() => line.ping().await?,
                }
            }
        }
    };
    let ended: Result<std::convert::Infallible, End> = work.await;
    match ended {
        Err(end) => line.end(end).await,
    }
    metrics::gauge!("hall_connections").decrement(1.0);
}

/// Keeps one analysis of a table until its connection ends.
pub async fn in_study(hall: Arc<Hall>, socket: WebSocket, table: String, asker: Asker) {
    metrics::gauge!("hall_analyses").increment(1.0);
    let mut line = Line::new(socket, &hall);
    let (mut analysis, mut found) = Analysis::new(Arc::clone(&hall), table, asker);
    let mut stopping = hall.stopping.subscribe();
    let mut ticks = ticks(PING);
    let work = async {
        loop {
            tokio::select! {
                Some(told) = found.recv() => {
                    let words = serde_json::to_string(&told).expect("messages are plain data");
                    line.send(words.into()).await?;
                }
                message = line.socket.recv() => match line.hear(message)? {
                    Heard::Said(wish) => analysis.hear(wish),
                    Heard::Nothing => {}
                },
                _ = stopping.changed() => return Err(End::Close(close_code::RESTART, "connect again")),
                _ = ticks.tick() => line.ping().await?,
            }
        }
    };
    let ended: Result<std::convert::Infallible, End> = work.await;
    match ended {
        Err(end) => line.end(end).await,
    }
    metrics::gauge!("hall_analyses").decrement(1.0);
}
