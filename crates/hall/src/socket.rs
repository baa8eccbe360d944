//! One WebSocket: messages in, messages out. It holds no state that matters; it may be cut at any moment.

use std::collections::{HashSet, VecDeque};
use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use edge::connections::Counted;
use edge::limits::Meter;
use edge::network::{Asker, Network};
use edge::time::Time;
use kernel::Problem;
use members::identity::Recognized;
use members::staff::rules::Rules;
use people::Secret;
use tables::ask::{Ask, Handle, Join, Joined, News, Wished};
use tables::message::text;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use wire::{
    AnalysisMessage, AnalysisRequest, ClientMessage, Player, ServerMessage, StreamEvent, StudyHear,
    StudyMember, StudyRole, StudySay,
};

use crate::analysis::live::LiveAnalysis;
use crate::events::{Happening, Listening};
use crate::hall::Hall;
use crate::visitor::Onlooker;
use crate::wrong::Wrong;

/// The interval of the pings, which check the connection and measure the round trip.
const PING: Duration = Duration::from_secs(10);
/// The time without a message after which the client is gone.
const GONE: Duration = Duration::from_secs(35);
/// The time after which a message that cannot be sent ends the connection.
const STUCK: Duration = Duration::from_secs(20);
/// The time that the client has to answer a close frame.
const FAREWELL: Duration = Duration::from_secs(2);
/// Round trips that are remembered; the shortest of them is the lag.
const TRIPS: usize = 8;

/// A kind of WebSocket. The rows are below; how each of them begins stands in `http::sockets`, and its messages are
/// those that implement [`SocketMessage`]. Each connection of any kind has the credits of [`Meter`].
struct SocketKind {
    /// The metric that counts its open connections.
    open: fn() -> metrics::Gauge,
    /// True if it ends when its person is kept out on requests from its network, since it is there to act; others go on
    /// until its secret is no longer valid.
    acts: bool,
}

/// A table: what happens there since a version, and what its person does.
const TABLE: SocketKind = SocketKind { open: connections, acts: true };
/// A page other than a table: the news of its person, and the lobby on its own page.
const HALL: SocketKind = SocketKind { open: connections, acts: false };
/// An analysis of a table's game: wishes, and what is found.
const ANALYSIS: SocketKind = SocketKind { open: analyses, acts: true };
/// A study: what happens to it since a version, and where its readers are.
const STUDY: SocketKind = SocketKind { open: connections, acts: false };

fn connections() -> metrics::Gauge {
    metrics::gauge!("hall_connections")
}

fn analyses() -> metrics::Gauge {
    metrics::gauge!("hall_analyses")
}

/// The count of a connection while it is open.
struct Open(metrics::Gauge);

impl Open {
    fn new(gauge: metrics::Gauge) -> Open {
        gauge.increment(1.0);
        Open(gauge)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

/// The reasons for which a connection ends.
enum End {
    /// The client or the network is gone.
    Gone,
    /// A close frame with this code and reason.
    Close(u16, &'static str),
}

/// A connection, with its lag.
struct Connection {
    socket: WebSocket,
    kind: SocketKind,
    _open: Open,
    ticks: Interval,
    meter: Meter,
    longest: usize,
    heard: Instant,
    ping_sent: Option<Instant>,
    /// The latest round trips, the oldest first.
    trips: VecDeque<Duration>,
}

/// The next thing on a connection.
enum Next {
    /// A message, or the end of messages.
    Came(Option<Result<Message, axum::Error>>),
    /// The time to ping.
    Tick,
}

/// A message that this hall understands, or the answer to one that it does not.
enum ParsedMessage<M> {
    Said(M),
    Unknown(Utf8Bytes),
    Nothing,
}

/// A message of a kind that this hall does not know, or that is malformed: a page of another version may know more.
/// Its identifying fields come back with the refusal.
#[derive(serde::Deserialize)]
struct Unknown {
    #[serde(rename = "t")]
    _kind: String,
    /// The command id of an act at a table.
    #[serde(default)]
    cmd: serde_json::Value,
    /// The number of a request of an analysis.
    #[serde(default)]
    n: serde_json::Value,
}

/// The messages of one kind of WebSocket.
trait SocketMessage: serde::de::DeserializeOwned {
    /// Returns the refusal of a message that is none of them.
    fn refusal(unknown: &Unknown, why: wire::Problem) -> Utf8Bytes;
}

impl SocketMessage for ClientMessage {
    fn refusal(unknown: &Unknown, why: wire::Problem) -> Utf8Bytes {
        let cmd = unknown.cmd.as_str().filter(|cmd| is_command_id(cmd)).unwrap_or_default().to_owned();
        text(&ServerMessage::No { cmd, why })
    }
}

impl SocketMessage for AnalysisRequest {
    fn refusal(unknown: &Unknown, why: wire::Problem) -> Utf8Bytes {
        let n = unknown.n.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or_default();
        written(&AnalysisMessage::No { n, why })
    }
}

impl SocketMessage for StudySay {
    fn refusal(_: &Unknown, why: wire::Problem) -> Utf8Bytes {
        written(&StudyHear::No { why })
    }
}

fn written(message: &impl serde::Serialize) -> Utf8Bytes {
    serde_json::to_string(message).expect("messages are plain data").into()
}

impl Connection {
    fn new(socket: WebSocket, kind: SocketKind, hall: &Hall) -> Connection {
        let mut ticks = interval_at(Instant::now() + PING, PING);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Connection {
            socket,
            _open: Open::new((kind.open)()),
            kind,
            ticks,
            meter: Meter::new(&hall.limits),
            longest: hall.limits.message_bytes,
            heard: Instant::now(),
            ping_sent: None,
            trips: VecDeque::new(),
        }
    }

    /// Returns a future that ends when the connection's person may go on no longer.
    fn until_signed_out(
        &self,
        hall: &Arc<Hall>,
        person: &str,
        secret: Option<Secret>,
        network: Network,
    ) -> impl Future<Output = ()> + use<> {
        let network = self.kind.acts.then_some(network);
        Arc::clone(hall).until_signed_out(person.to_owned(), secret, network)
    }

    /// Waits for the next thing on the connection. It may be given up at any time: nothing is lost.
    async fn next(&mut self) -> Next {
        tokio::select! {
            message = self.socket.recv() => Next::Came(message),
            _ = self.ticks.tick() => Next::Tick,
        }
    }

    /// Returns what was said, if it was something that this hall understands; pings where it is time.
    async fn heed<M: SocketMessage>(&mut self, next: Next) -> Result<Option<M>, End> {
        match next {
            Next::Came(message) => self.hear(message).await,
            Next::Tick => self.ping().await.map(|()| None),
        }
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

    /// Reads an incoming message; one that is not understood is refused, and the connection goes on.
    async fn hear<M: SocketMessage>(
        &mut self,
        message: Option<Result<Message, axum::Error>>,
    ) -> Result<Option<M>, End> {
        match self.understand(message)? {
            ParsedMessage::Said(said) => Ok(Some(said)),
            ParsedMessage::Unknown(refusal) => self.send(refusal).await.map(|()| None),
            ParsedMessage::Nothing => Ok(None),
        }
    }

    /// Parses an incoming message.
    fn understand<M: SocketMessage>(
        &mut self,
        message: Option<Result<Message, axum::Error>>,
    ) -> Result<ParsedMessage<M>, End> {
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
                    Ok(said) => Ok(ParsedMessage::Said(said)),
                    Err(_) => match serde_json::from_str(&words) {
                        Ok(unknown) => Ok(ParsedMessage::Unknown(M::refusal(
                            &unknown,
                            Problem::new("unknown-act").into(),
                        ))),
                        Err(_) => Err(End::Close(close_code::UNSUPPORTED, "not a message of hall.2")),
                    },
                }
            }
            Message::Binary(_) => Err(End::Close(close_code::UNSUPPORTED, "hall.2 speaks text")),
            Message::Pong(_) => {
                if let Some(sent) = self.ping_sent.take() {
                    if self.trips.len() == TRIPS {
                        self.trips.pop_front();
                    }
                    self.trips.push_back(sent.elapsed());
                }
                Ok(ParsedMessage::Nothing)
            }
            Message::Ping(_) => Ok(ParsedMessage::Nothing),
            Message::Close(_) => Err(End::Gone),
        }
    }

    /// Returns the lag of the connection: the shortest of the latest round trips. Longer ones were held back, or
    /// waited for a busy machine.
    fn lag_ms(&self) -> u64 {
        let shortest = self.trips.iter().min().copied().unwrap_or_default();
        u64::try_from(shortest.as_millis()).unwrap_or(0)
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

/// Returns the end of a connection: that of `talk`, or because its person was signed out. Both are pinned, so that a
/// connection has room for each of them once.
async fn end_of(talk: impl Future<Output = Result<Infallible, End>>, left: impl Future<Output = ()>) -> End {
    tokio::select! {
        ended = talk => match ended {
            Err(end) => end,
        },
        () = left => SIGNED_OUT,
    }
}

/// Keeps one connection to a table until it ends.
pub async fn at_table(
    hall: Arc<Hall>,
    socket: WebSocket,
    table: String,
    who: Onlooker,
    asker: Asker,
    since: Option<u64>,
) {
    let Onlooker { player: who, secret } = who;
    let network = asker.network;
    let mut line = Connection::new(socket, TABLE, &hall);
    let joining = |reply| Ask::Join(Box::new(Join { who: who.clone(), network, since, reply }));
    // What is done once is boxed: thousands of these tasks are idle at a time.
    let entered = Box::pin(hall.tables.ask(&table, (&asker).into(), joining)).await;
    let end = match entered {
        Ok((handle, joined)) => {
            let listening = secret.is_some().then(|| hall.events.listen(&who.id));
            if listening.is_some() {
                greet(&hall, &who);
            }
            let visit = Box::new(Visit {
                listening,
                ver: joined.ver,
                table: handle.clone(),
                who: who.clone(),
                blocked: None,
                asker: Asker { network, person: who.id.clone() },
                sight: Sight::of(&hall, &who.id),
                id: table.clone(),
                hall: Arc::clone(&hall),
                waiting: VecDeque::new(),
                answers: VecDeque::new(),
                full: None,
                full_paid_until: Instant::now(),
            });
            let left = line.until_signed_out(&hall, &who.id, secret, network);
            let talk = Box::pin(visit.converse(&mut line, joined, hall.trouble.subscribe()));
            let end = end_of(talk, pin!(left)).await;
            let _ = handle.0.send(Ask::Left(who.id)).await;
            end
        }
        Err(_) => End::Close(close_code::AGAIN, "no such table now"),
    };
    Box::pin(line.end(end)).await;
}

/// Acts of one connection that may wait for their answers; further ones are read when one of them is answered.
const UNDER_WAY: usize = 8;
/// The bytes of complete states that a connection may ask for at once.
const FULL_BYTES: u64 = 8 << 20;
/// Bytes a second that [`FULL_BYTES`] is refilled with.
const FULL_BYTES_PER_S: u64 = 200_000;

/// A connection to a table.
///
/// Reading never waits for the table: a move is stamped when it is read from the socket, even while an earlier act
/// still waits for the disk.
struct Visit {
    /// The version that was sent last.
    ver: u64,
    table: Handle,
    /// The table's id.
    id: String,
    who: Player,
    /// The events of the person from elsewhere in the hall.
    listening: Option<Listening>,
    asker: Asker,
    sight: Sight,
    hall: Arc<Hall>,
    /// The people whose chat lines are not shown; read when the first chat line comes.
    blocked: Option<Arc<HashSet<String>>>,
    /// Requests that wait because the table's queue was full.
    waiting: VecDeque<Ask>,
    /// Answers that are due, in the order of the requests.
    answers: VecDeque<oneshot::Receiver<Option<Utf8Bytes>>>,
    /// A complete state that was asked for. News wait until it has come.
    full: Option<oneshot::Receiver<(u64, Utf8Bytes)>>,
    /// The time at which the bytes of past complete states will have been earned back.
    full_paid_until: Instant,
}

/// The reason why the hall can store nothing, or nothing new.
type Trouble = watch::Receiver<Option<Problem>>;

/// Returns the message about the state of the store. `only_trouble`: `None` when all is well, as for a new
/// connection.
fn storage_words(trouble: &mut Trouble, only_trouble: bool) -> Option<Utf8Bytes> {
    let trouble = trouble.borrow_and_update();
    if only_trouble && trouble.is_none() {
        return None;
    }
    Some(text(&ServerMessage::Storage { trouble: trouble.clone().map(wire::Problem::from) }))
}

/// The announcements that a connection was told.
struct Announced {
    rules: watch::Receiver<Arc<Rules>>,
    time: Time,
    /// The numbers of the announcements it was told last.
    told: Vec<u64>,
}

impl Announced {
    fn new(hall: &Hall) -> Announced {
        Announced { rules: hall.members.staffed.watch(), time: hall.time.clone(), told: Vec::new() }
    }

    async fn changed(&mut self) -> Result<(), watch::error::RecvError> {
        self.rules.changed().await
    }

    /// Returns the message about the present announcements, if they have changed.
    fn words(&mut self) -> Option<Utf8Bytes> {
        let lines = self.rules.borrow_and_update().announced(self.time.now_ms());
        let numbers: Vec<u64> = lines.iter().map(|line| line.n).collect();
        if numbers == self.told {
            return None;
        }
        self.told = numbers;
        Some(text(&ServerMessage::Bell { announced: Some(lines) }))
    }
}

const BAD_COMMAND: End = End::Close(close_code::UNSUPPORTED, "cmd is 8 to 40 letters, digits, - or _");
/// The end of a connection that may be opened again at once.
const AGAIN: End = End::Close(close_code::RESTART, "connect again");
/// The end of a connection whose secret is no longer valid.
const SIGNED_OUT: End = End::Close(close_code::POLICY, "signed out");

/// Refuses an act of an unknown person, or of one who is kept out.
async fn only_watches(line: &mut Connection, cmd: String) -> Result<(), End> {
    let why = Problem::new("only-watching").into();
    line.send(text(&ServerMessage::No { cmd, why })).await
}

impl Visit {
    async fn converse(
        mut self: Box<Self>,
        line: &mut Connection,
        joined: Joined,
        mut trouble: Trouble,
    ) -> Result<Infallible, End> {
        let Joined { first, mut news, .. } = joined;
        let mut announced = Announced::new(&self.hall);
        for words in first {
            line.send(words).await?;
        }
        if let Some(words) = storage_words(&mut trouble, true) {
            line.send(words).await?;
        }
        if let Some(words) = announced.words() {
            line.send(words).await?;
        }
        line.ping().await?;
        let queue = self.table.0.clone();
        loop {
            let may_read = self.answers.len() < UNDER_WAY && self.full.is_none();
            tokio::select! {
                told = news.recv(), if self.full.is_none() => match told {
                    Ok(told) => self.tell(line, told).await?,
                    Err(RecvError::Lagged(_)) => self.ask_all_anew(),
                    Err(RecvError::Closed) => return Err(AGAIN),
                },
                answer = oldest(&mut self.answers) => match answer {
                    Ok(Some(words)) => line.send(words).await?,
                    Ok(None) => {}
                    Err(_) => return Err(AGAIN),
                },
                all = arrives(&mut self.full) => {
                    let Ok((now, words)) = all else { return Err(AGAIN) };
                    self.full = None;
                    self.ver = now;
                    let cost = Duration::from_millis(words.len() as u64 * 1000 / FULL_BYTES_PER_S);
                    self.full_paid_until = self.full_paid_until.max(Instant::now()) + cost;
                    line.send(words).await?;
                },
                what = happens(&mut self.listening) => {
                    if let Some(words) = rings(what, &self.who.id) {
                        line.send(words).await?;
                    }
                },
                permit = queue.reserve(), if !self.waiting.is_empty() => match permit {
                    Ok(permit) => permit.send(self.waiting.pop_front().expect("somebody waits")),
                    Err(_) => return Err(AGAIN),
                },
                message = line.socket.recv(), if may_read => {
                    let arrived_ms = self.hall.time.now_ms();
                    if let Some(said) = line.hear(message).await? {
                        self.obey(line, said, arrived_ms).await?;
                    }
                },
                Ok(()) = trouble.changed() => {
                    if let Some(words) = storage_words(&mut trouble, false) {
                        line.send(words).await?;
                    }
                },
                Ok(()) = announced.changed() => {
                    if let Some(words) = announced.words() {
                        line.send(words).await?;
                    }
                },
                _ = line.ticks.tick() => line.ping().await?,
            }
        }
    }

    /// Sends the news of a table, unless the client has them already.
    async fn tell(&mut self, line: &mut Connection, told: News) -> Result<(), End> {
        match told {
            News::Event(told) if told.ver <= self.ver => Ok(()),
            News::Event(told) => {
                self.ver = told.ver;
                line.send(told.text_for(&self.who.id)).await?;
                let Some(seats) = &told.seats else { return Ok(()) };
                let sits = |side: &wire::Side| seats[side.index()].as_ref() == Some(&self.who.id);
                let you = [wire::Side::First, wire::Side::Second].into_iter().filter(sits).collect();
                line.send(text(&ServerMessage::You { you })).await
            }
            News::Other(words) => line.send(words).await,
            News::Said(spoken) => {
                let Some(words) = spoken.text_for(&self.who.id) else { return Ok(()) };
                if self.blocked.is_none() {
                    self.blocked = Some(self.hall.blocked_by(&self.who.id).await);
                }
                let speaker = &spoken.line.who.id;
                if self.blocked.as_ref().is_some_and(|blocked| blocked.contains(speaker)) {
                    return Ok(());
                }
                line.send(words).await
            }
            News::Anew => {
                self.ask_all_anew();
                Ok(())
            }
        }
    }

    fn ask_all_anew(&mut self) {
        if self.full.is_some() {
            return;
        }
        let (reply, answer) = oneshot::channel();
        let (given, all) = oneshot::channel();
        let credit = Duration::from_millis(FULL_BYTES * 1000 / FULL_BYTES_PER_S);
        let not_before = self.full_paid_until.checked_sub(credit).unwrap_or_else(Instant::now);
        let (table, who) = (self.table.clone(), self.who.id.clone());
        tokio::spawn(async move {
            tokio::time::sleep_until(not_before).await;
            if table.0.send(Ask::Full { who, reply }).await.is_ok()
                && let Ok(all) = answer.await
            {
                let _ = given.send(all);
            }
        });
        self.full = Some(all);
    }

    async fn obey(&mut self, line: &mut Connection, said: ClientMessage, arrived_ms: u64) -> Result<(), End> {
        match said {
            ClientMessage::Ping { n } => line.send(text(&ServerMessage::Pong { n })).await,
            ClientMessage::Full => {
                self.ask_all_anew();
                Ok(())
            }
            ClientMessage::Hidden { hidden } => {
                self.sight.tell(&self.hall, &self.who.id, hidden);
                if !hidden {
                    self.hall.members.notices.sees_again(&self.who.id, &self.id);
                }
                Ok(())
            }
            ClientMessage::Say { cmd, phrase, words } => {
                if !is_command_id(&cmd) {
                    return Err(BAD_COMMAND);
                }
                if self.listening.is_none() {
                    return only_watches(line, cmd).await;
                }
                let (reply, answer) = oneshot::channel();
                self.answers.push_back(answer);
                let (hall, table, who) = (Arc::clone(&self.hall), self.id.clone(), self.who.clone());
                let asker = self.asker.clone();
                // Apart from reading: a move that comes next is not late because of what was said.
                tokio::spawn(async move {
                    let said = hall.say(&table, &who, &asker, phrase.as_deref(), words.as_deref()).await;
                    let why = said.err().map(Wrong::problem);
                    let _ = reply.send(why.map(|why| text(&ServerMessage::No { cmd, why })));
                });
                Ok(())
            }
            ClientMessage::Chat => {
                // Whom one blocks may have changed.
                self.blocked = None;
                let (reply, answer) = oneshot::channel();
                self.answers.push_back(answer);
                let (hall, table, who) = (Arc::clone(&self.hall), self.id.clone(), self.who.id.clone());
                let asker = self.asker.clone();
                tokio::spawn(async move {
                    let lines = hall.heard(&table, &who, (&asker).into()).await.unwrap_or_default();
                    let _ = reply.send(Some(text(&ServerMessage::Chat { lines })));
                });
                Ok(())
            }
            ClientMessage::Do { cmd, ver, act } => {
                if !is_command_id(&cmd) {
                    return Err(BAD_COMMAND);
                }
                if self.listening.is_none() {
                    return only_watches(line, cmd).await;
                }
                let (reply, answer) = oneshot::channel();
                let (who, lag_ms) = (self.who.clone(), line.lag_ms());
                self.answers.push_back(answer);
                if let Err(wait) = self.hall.rates.event(&self.asker, cmd.len() + text_bytes(&act)) {
                    let why = Problem::new("too-many-requests").with("seconds", wait.seconds()).into();
                    let _ = reply.send(Some(text(&ServerMessage::No { cmd, why })));
                    return Ok(());
                }
                let span = tables::traces::wish(&self.id, &act, None);
                let ask = Ask::Do(Box::new(Wished { who, cmd, ver, act, arrived_ms, lag_ms, reply, span }));
                if !self.waiting.is_empty() {
                    self.waiting.push_back(ask);
                    return Ok(());
                }
                match self.table.0.try_send(ask) {
                    Ok(()) => Ok(()),
                    Err(TrySendError::Full(ask)) => {
                        self.waiting.push_back(ask);
                        Ok(())
                    }
                    Err(TrySendError::Closed(_)) => Err(AGAIN),
                }
            }
        }
    }
}

/// Returns the next change of the lobby; waits for ever without a subscription.
async fn changed(changes: &mut Option<broadcast::Receiver<Utf8Bytes>>) -> Result<Utf8Bytes, RecvError> {
    match changes {
        Some(changes) => changes.recv().await,
        None => std::future::pending().await,
    }
}

/// Returns the next event of the person; waits for ever without a subscription.
async fn happens(listening: &mut Option<Listening>) -> Option<Happening> {
    match listening {
        Some(listening) => listening.next().await,
        None => std::future::pending().await,
    }
}

/// Returns the answer to the oldest request; waits for ever where none is due.
async fn oldest<T>(answers: &mut VecDeque<oneshot::Receiver<T>>) -> Result<T, oneshot::error::RecvError> {
    let Some(answer) = answers.front_mut() else { return std::future::pending().await };
    let answer = answer.await;
    answers.pop_front();
    answer
}

/// Returns the value from `receiver`; waits for ever without one.
async fn arrives<T>(receiver: &mut Option<oneshot::Receiver<T>>) -> Result<T, oneshot::error::RecvError> {
    match receiver {
        Some(receiver) => receiver.await,
        None => std::future::pending().await,
    }
}

fn text_bytes(act: &wire::Act) -> usize {
    if let wire::Act::Move { text, .. } = act { text.len() } else { 0 }
}

fn is_command_id(cmd: &str) -> bool {
    (8..=40).contains(&cmd.len()) && cmd.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Returns the message to a connection of `person` about an event.
fn rings(what: Option<Happening>, person: &str) -> Option<Utf8Bytes> {
    let (mut table, mut declined, mut reason) = (None, None, None);
    match what {
        Some(Happening::Accepted(at)) => table = Some(at),
        Some(Happening::Waits) => return Some(text(&ServerMessage::Bell { announced: None })),
        Some(Happening::Event(event)) => match &*event {
            StreamEvent::GameStart { .. } | StreamEvent::GameFinish { .. } => return None,
            StreamEvent::ChallengeDeclined { challenge, reason: why } if challenge.from.id == person => {
                (declined, reason) = (Some(challenge.to.clone()), Some(why.clone()));
            }
            _ => {}
        },
        // Some was missed: the list of challenges says what there is.
        None => {}
    }
    Some(text(&ServerMessage::Challenged { table, declined, reason }))
}

/// Rings the bell for a person with an account who has just connected, if something waits for them; not before their
/// connection listens. It runs in a task of its own, so that the connection does not wait for it.
fn greet(hall: &Arc<Hall>, who: &Player) {
    if who.name.is_none() {
        return;
    }
    let (hall, person) = (Arc::clone(hall), who.id.clone());
    tokio::spawn(async move {
        if hall.waits_for(&person).await {
            hall.events.tell_here(&person, Happening::Waits);
        }
    });
}

/// The visibility of a connection's page; counted while the page is seen.
#[derive(Default)]
struct Sight(Option<Counted<String>>);

impl Sight {
    /// Creates the state of a page of that person that has just connected.
    fn of(hall: &Hall, person: &str) -> Sight {
        let mut sight = Sight::default();
        sight.tell(hall, person, false);
        sight
    }

    fn tell(&mut self, hall: &Hall, person: &str, hidden: bool) {
        if hidden {
            self.0 = None;
        } else if self.0.is_none() && !person.is_empty() {
            self.0 = hall.members.notices.seen.admit(person.to_owned(), None);
        }
    }
}

/// Serves a connection of a page other than a table until it ends: events of the person, and with `lists` the lobby:
/// the complete list once, then the changes.
pub async fn in_hall(
    hall: Arc<Hall>,
    socket: WebSocket,
    who: Option<(Recognized, Secret)>,
    network: Network,
    lists: bool,
) {
    let mut line = Connection::new(socket, HALL, &hall);
    let mut stopping = hall.stopping.subscribe();
    let mut trouble = hall.trouble.subscribe();
    let (player, secret) = who.map(|(known, secret)| (known.player, secret)).unzip();
    let person = player.as_ref().map_or_else(String::new, |player| player.id.clone());
    let mut listening = player.as_ref().map(|player| hall.events.listen(&player.id));
    let mut sight = Sight::of(&hall, &person);
    player.iter().for_each(|player| greet(&hall, player));
    let left = line.until_signed_out(&hall, &person, secret, network);
    let mut announced = Announced::new(&hall);
    let work = async {
        if let Some(words) = storage_words(&mut trouble, true) {
            line.send(words).await?;
        }
        if let Some(words) = announced.words() {
            line.send(words).await?;
        }
        loop {
            // First subscribed, then told: what changes in between comes twice rather than never.
            let mut changes = lists.then(|| hall.tables.lobby().watch());
            if lists {
                line.send(hall.tables.lobby().first_words()).await?;
            }
            loop {
                tokio::select! {
                    told = changed(&mut changes) => match told {
                        Ok(words) => line.send(words).await?,
                        Err(RecvError::Lagged(_)) => break,
                        Err(RecvError::Closed) => return Err(AGAIN),
                    },
                    _ = stopping.changed() => return Err(AGAIN),
                    what = happens(&mut listening) => {
                        if let Some(words) = rings(what, &person) {
                            line.send(words).await?;
                        }
                    }
                    Ok(()) = trouble.changed() => {
                        if let Some(words) = storage_words(&mut trouble, false) {
                            line.send(words).await?;
                        }
                    },
                    Ok(()) = announced.changed() => {
                        if let Some(words) = announced.words() {
                            line.send(words).await?;
                        }
                    },
                    next = line.next() => match line.heed(next).await? {
                        Some(ClientMessage::Ping { n }) => line.send(text(&ServerMessage::Pong { n })).await?,
                        Some(ClientMessage::Hidden { hidden }) => sight.tell(&hall, &person, hidden),
                        _ => {}
                    },
                }
            }
        }
    };
    let end = end_of(pin!(work), pin!(left)).await;
    line.end(end).await;
}

/// Serves an analysis of a table until its connection ends.
pub async fn in_analysis(
    hall: Arc<Hall>,
    socket: WebSocket,
    table: String,
    asker: Asker,
    secret: Option<Secret>,
) {
    let mut line = Connection::new(socket, ANALYSIS, &hall);
    let left = line.until_signed_out(&hall, &asker.person, secret, asker.network);
    let (mut analysis, mut found) = LiveAnalysis::new(Arc::clone(&hall), table, asker);
    let mut stopping = hall.stopping.subscribe();
    let work = async {
        loop {
            tokio::select! {
                Some(told) = found.recv() => {
                    line.send(written(&told)).await?;
                }
                next = line.next() => {
                    if let Some(wish) = line.heed(next).await? {
                        analysis.hear(wish);
                    }
                }
                _ = stopping.changed() => return Err(AGAIN),
            }
        }
    };
    let end = end_of(pin!(work), pin!(left)).await;
    line.end(end).await;
}

/// Serves a connection to a study until it ends: the events since the version that its reader has, then new
/// ones.
pub async fn in_study(
    hall: Arc<Hall>,
    socket: WebSocket,
    id: String,
    (who, secret): (StudyMember, Option<Secret>),
    mut role: StudyRole,
    network: Network,
    since: u64,
) {
    let mut line = Connection::new(socket, STUDY, &hall);
    let left = line.until_signed_out(&hall, &who.id, secret, network);
    let mut stopping = hall.stopping.subscribe();
    let shown = |role| (role != StudyRole::Reader).then(|| who.clone());
    let mut looking = hall.studies.look(&id, shown(role));
    let work = async {
        let again = || End::Close(close_code::AGAIN, "no such study now");
        // It is looked at before it is read, so nothing is missed; what was read and is heard again is not said again.
        let (read, mut said) = hall.since(&id, since).await.map_err(|_| again())?;
        for words in read {
            line.send((&*words).into()).await?;
        }
        if let Some(at) = hall.studies.at(&id) {
            line.send(written(&at)).await?;
        }
        loop {
            tokio::select! {
                told = looking.told.recv() => {
                    let told = match told {
                        Ok(told) => Some(told),
                        Err(RecvError::Lagged(_)) => None,
                        Err(RecvError::Closed) => return Err(AGAIN),
                    };
                    if told.as_ref().is_none_or(|told| told.who_may) {
                        match hall.role_in(&id, &who.id).await {
                            Ok(now) => {
                                if now != role {
                                    role = now;
                                    looking.is_now(shown(role));
                                }
                            }
                            Err(_) => {
                                line.send(written(&StudyHear::Gone)).await?;
                                return Err(End::Close(close_code::POLICY, "the study is not open to you"));
                            }
                        }
                    }
                    match told {
                        Some(told) if told.ver.is_some_and(|ver| ver <= said) => {}
                        Some(told) if told.ver.is_none_or(|ver| ver == said + 1) => {
                            line.send((&*told.words).into()).await?;
                            said = told.ver.unwrap_or(said);
                        }
                        // What was missed is read.
                        _ => {
                            let (read, now) = hall.since(&id, said).await.map_err(|_| again())?;
                            for words in read {
                                line.send((&*words).into()).await?;
                            }
                            said = now;
                        }
                    }
                }
                next = line.next() => {
                    let is_time = matches!(next, Next::Tick);
                    match line.heed(next).await? {
                        Some(StudySay::At { chapter, node }) if role != StudyRole::Reader => {
                            hall.show_at(&id, who.clone(), chapter, node);
                        }
                        Some(StudySay::Ping) => line.send(written(&StudyHear::Pong)).await?,
                        Some(StudySay::At { .. }) | None => {}
                    }
                    if is_time {
                        hall.look_after_study(&id).await;
                    }
                }
                _ = stopping.changed() => return Err(AGAIN),
            }
        }
    };
    let end = end_of(pin!(work), pin!(left)).await;
    line.end(end).await;
}
