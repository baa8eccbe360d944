//! Limits on connections: the number that may be open, and the time that a connection may be silent.
//!
//! Each connection is counted until it ends, whatever it has become. The head of a request must be complete within a
//! time limit, however slowly it arrives; an idle connection is closed after a while; a response must be read in
//! time. These limits do not apply to a WebSocket, which has its own. A TLS handshake is part of the first head and
//! shares its time limit. When one connection more would exceed the maximum, the address with the most silent
//! connections loses one, so that no address can keep others out by connecting first.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, Response, StatusCode};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::limits::{Limits, RateLimits};
use crate::network::Network;
use crate::tls::Tls;

/// Headers of one request.
const HEADERS: usize = 64;
/// The least buffer that the HTTP library works with, in bytes.
const LEAST_BUFFER: usize = 8192;
/// The delay before the next attempt when no connection can be accepted.
const BREATH: Duration = Duration::from_millis(50);
/// The number of silent connections at which an address becomes the first to lose one when room is needed.
const MANY_SILENT: usize = 2;

/// The address at the other end of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The time limits of a connection, and the most bytes of a request's head.
#[derive(Clone, Copy, Debug)]
struct Patience {
    head: Duration,
    idle: Duration,
    answer: Duration,
    head_bytes: usize,
}

/// Counts connections and decides who may connect.
#[derive(Debug)]
struct Keeper {
    /// Connections of one address; `None`: any number.
    of_one: Option<usize>,
    of_all: usize,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    lines: HashMap<u64, (Network, Arc<ConnectionState>)>,
}

/// The state of one connection.
#[derive(Debug)]
struct ConnectionState {
    patience: Patience,
    phase: Mutex<Phase>,
    /// Set if the connection must close to make room for another one.
    evicted: AtomicBool,
    /// The task to wake when the connection is evicted.
    reader: Mutex<Option<Waker>>,
    /// Set if the connection has become a WebSocket, which is never evicted.
    is_socket: AtomicBool,
}

/// The phases of a connection, with the time at which each must be over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Head(Instant),
    Idle(Instant),
    Answer(Instant),
    WebSocket,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ConnectionState {
    fn new(patience: Patience) -> Arc<ConnectionState> {
        let phase = Mutex::new(Phase::Head(Instant::now() + patience.head));
        Arc::new(ConnectionState {
            patience,
            phase,
            evicted: AtomicBool::new(false),
            reader: Mutex::default(),
            is_socket: AtomicBool::new(false),
        })
    }

    fn set(&self, phase: Phase) {
        if phase == Phase::WebSocket {
            self.is_socket.store(true, Ordering::Relaxed);
            lock(&self.reader).take();
        }
        *lock(&self.phase) = phase;
    }

    /// Notes that bytes have arrived.
    fn heard(&self) {
        if self.is_socket.load(Ordering::Relaxed) {
            return;
        }
        let mut phase = lock(&self.phase);
        if let Phase::Idle(_) = *phase {
            *phase = Phase::Head(Instant::now() + self.patience.head);
        }
    }

    fn deadline(&self) -> Option<Instant> {
        match *lock(&self.phase) {
            Phase::Head(at) | Phase::Idle(at) | Phase::Answer(at) => Some(at),
            Phase::WebSocket => None,
        }
    }

    fn is_silent(&self) -> bool {
        matches!(*lock(&self.phase), Phase::Head(_) | Phase::Idle(_))
    }

    fn is_evicted(&self) -> bool {
        self.evicted.load(Ordering::Relaxed)
    }

    fn evict(&self) {
        self.evicted.store(true, Ordering::Relaxed);
        if let Some(reader) = lock(&self.reader).take() {
            reader.wake();
        }
    }

    /// Returns an error once the connection has been evicted; until then, remembers the task to wake.
    fn check(&self, cx: &Context<'_>) -> io::Result<()> {
        if self.is_socket.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut reader = lock(&self.reader);
        if self.is_evicted() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        if reader.as_ref().is_none_or(|known| !known.will_wake(cx.waker())) {
            *reader = Some(cx.waker().clone());
        }
        Ok(())
    }
}

/// A counted connection.
struct Ticket {
    keeper: Arc<Keeper>,
    number: u64,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        lock(&self.keeper.open).lines.remove(&self.number);
    }
}

impl Keeper {
    /// Counts one more connection and evicts another one if need be; `None` when there is no room for it.
    fn admit(
        self: &Arc<Self>,
        network: Network,
        patience: Patience,
    ) -> Option<(Ticket, Arc<ConnectionState>)> {
        let mut open = lock(&self.open);
        let here = |(of, line): &&(Network, Arc<ConnectionState>)| *of == network && !line.is_evicted();
        let own = open.lines.values().filter(here).count();
        if self.of_one.is_some_and(|most| own >= most) {
            return None;
        }
        if open.lines.values().filter(|(_, line)| !line.is_evicted()).count() >= self.of_all {
            open.victim(own)?.evict();
            metrics::counter!("hall_connections_evicted_total").increment(1);
        }
        let number = open.next;
        open.next += 1;
        let line = ConnectionState::new(patience);
        open.lines.insert(number, (network, Arc::clone(&line)));
        Some((Ticket { keeper: Arc::clone(self), number }, line))
    }

    /// Evicts the connection that is missed least.
    fn make_room(&self) {
        if let Some(line) = lock(&self.open).victim(0) {
            line.evict();
        }
    }
}

impl Open {
    /// Returns the connection that gives way to one of an address that has `own` connections: the oldest silent one
    /// of the address with the most of them; or, where hardly any are silent, one of the address with the most
    /// connections, if it has more than the newcomer would.
    fn victim(&self, own: usize) -> Option<&Arc<ConnectionState>> {
        let mut counts: HashMap<Network, (usize, usize)> = HashMap::new();
        for (network, line) in self.lines.values().filter(|(_, line)| !line.is_evicted()) {
            let (silent, all) = counts.entry(*network).or_default();
            *silent += usize::from(line.is_silent());
            *all += 1;
        }
        let (&silent_at, &(silent, _)) = counts.iter().max_by_key(|(_, (silent, all))| (*silent, *all))?;
        let (&most_at, &(_, most)) = counts.iter().max_by_key(|(_, (_, all))| *all)?;
        let network = match () {
            () if silent >= MANY_SILENT => silent_at,
            () if most > own + 1 => most_at,
            () if silent > 0 => silent_at,
            () => return None,
        };
        let there = self.lines.iter().filter(|(_, (of, line))| *of == network && !line.is_evicted());
        there.min_by_key(|(number, (_, line))| (!line.is_silent(), **number)).map(|(_, (_, line))| line)
    }
}

/// A listener and its rules.
pub struct Acceptor {
    listener: TcpListener,
    keeper: Arc<Keeper>,
    patience: Patience,
    tls: Option<(Arc<Tls>, Arc<RateLimits>)>,
}

impl Acceptor {
    /// Connections of that listener under these limits. `behind_proxy`: all of them come from one address. `descriptors`:
    /// how many files and connections this process may have open.
    #[must_use]
    pub fn new(listener: TcpListener, limits: &Limits, behind_proxy: bool, descriptors: u64) -> Acceptor {
        let reserved = u64::from(limits.reserved_descriptors).min(descriptors / 2);
        let spare = usize::try_from(descriptors - reserved).unwrap_or(usize::MAX);
        let of_one = (limits.on && !behind_proxy).then_some(limits.raw_connections as usize);
        let keeper =
            Keeper { of_one, of_all: spare.min(limits.all_connections as usize), open: Mutex::default() };
        let patience = Patience {
            head: Duration::from_secs(limits.head_seconds),
            idle: Duration::from_secs(limits.idle_seconds),
            answer: Duration::from_secs(limits.answer_seconds),
            head_bytes: limits.head_bytes.max(LEAST_BUFFER),
        };
        Acceptor { listener, keeper: Arc::new(keeper), patience, tls: None }
    }

    /// Accepts https alone. Handshakes are counted by address.
    #[must_use]
    pub fn encrypted(self, tls: Arc<Tls>, rates: Arc<RateLimits>) -> Acceptor {
        Acceptor { tls: Some((tls, rates)), ..self }
    }

    /// Serves until `closing` turns true; then until all requests that had begun are answered. Dropping it cuts them off.
    pub async fn serve(self, router: Router, mut closing: watch::Receiver<bool>) {
        let Acceptor { listener, keeper, patience, tls } = self;
        let mut at_work = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                Some(_) = at_work.join_next() => continue,
                _ = closing.wait_for(|closing| *closing) => break,
            };
            let (stream, address) = match accepted {
                Ok(accepted) => accepted,
                Err(why) if is_the_clients(&why) => continue,
                Err(why) => {
                    tracing::warn!(%why, "a connection was not accepted");
                    keeper.make_room();
                    sleep(BREATH).await;
                    continue;
                }
            };
            let network = Network::of(address.ip());
            let shakes = tls.as_ref().is_none_or(|(_, rates)| rates.handshake(network).is_ok());
            let Some((ticket, line)) = shakes.then(|| keeper.admit(network, patience)).flatten() else {
                metrics::counter!("hall_turned_away_total").increment(1);
                continue;
            };
            // A move is a small packet that must not wait for the next.
            let _ = stream.set_nodelay(true);
            let guest = Guest { stream, line: Arc::clone(&line), _ticket: Some(ticket) };
            let (peer, router, mut closing) = (Peer(address), router.clone(), closing.clone());
            match &tls {
                None => at_work.spawn(attend(guest, line, peer, router, closing)),
                Some((tls, _)) => {
                    let acceptor = tls.acceptor();
                    at_work.spawn(async move {
                        if let Some(stream) = shake_hands(acceptor, guest, &line, &mut closing).await {
                            attend(stream, line, peer, router, closing).await;
                        }
                    })
                }
            };
        }
        drop(listener);
        while at_work.join_next().await.is_some() {}
    }
}

/// Shakes hands and returns the encrypted stream; `None` when the other side does not speak TLS, is too slow, or the
/// hall closes.
async fn shake_hands<S: AsyncRead + AsyncWrite + Unpin>(
    acceptor: TlsAcceptor,
    guest: Guest<S>,
    line: &ConnectionState,
    closing: &mut watch::Receiver<bool>,
) -> Option<TlsStream<Guest<S>>> {
    let deadline = line.deadline()?;
    let shaken = tokio::select! {
        shaken = timeout_at(deadline, acceptor.accept(guest)) => shaken.ok().and_then(Result::ok),
        _ = closing.wait_for(|closing| *closing) => None,
    };
    if shaken.is_none() {
        metrics::counter!("hall_handshakes_failed_total").increment(1);
    }
    shaken
}

/// Returns true if only this one connection failed, and not the listener.
fn is_the_clients(why: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(why.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Answers the requests of one connection until it ends or its time is up.
async fn attend<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    stream: S,
    line: Arc<ConnectionState>,
    peer: Peer,
    router: Router,
    mut closing: watch::Receiver<bool>,
) {
    let answer = service_fn(|request: Request<Incoming>| {
        answered(request, Arc::clone(&line), peer, TowerToHyperService::new(router.clone()))
    });
    let connection = http1::Builder::new()
        .max_buf_size(line.patience.head_bytes)
        .max_headers(HEADERS)
        .header_read_timeout(None)
        .serve_connection(TokioIo::new(stream), answer)
        .with_upgrades();
    let mut connection = pin!(connection);
    let mut alarm = pin!(sleep_until(Instant::now()));
    let mut told = false;
    loop {
        let ends = poll_fn(|cx| {
            if connection.as_mut().poll(cx).is_ready() {
                return Poll::Ready(());
            }
            // Everything that moves the deadline happens while the connection is polled.
            let Some(deadline) = line.deadline() else { return Poll::Pending };
            if alarm.deadline() != deadline {
                alarm.as_mut().reset(deadline);
            }
            alarm.as_mut().poll(cx)
        });
        tokio::select! {
            () = ends => return,
            _ = closing.wait_for(|closing| *closing), if !told => {
                told = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

async fn answered(
    mut request: Request<Incoming>,
    line: Arc<ConnectionState>,
    peer: Peer,
    router: TowerToHyperService<Router>,
) -> Result<Response<Body>, Infallible> {
    line.set(Phase::Answer(Instant::now() + line.patience.answer));
    request.extensions_mut().insert(peer);
    let response = router.call(request).await?;
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        line.set(Phase::WebSocket);
        return Ok(response);
    }
    let streams = response.extensions().get::<Streams>().is_some();
    Ok(response.map(|body| Body::new(Answer { body, line, streams })))
}

/// A body; when it ends, the connection waits for the next request.
struct Answer {
    body: Body,
    line: Arc<ConnectionState>,
    /// Set if the time limit begins again with each part of the body.
    streams: bool,
}

/// An extension of responses whose body goes on for as long as the client reads it: the time limit of the response
/// begins again with each part that is taken.
#[derive(Clone, Copy, Debug)]
pub struct Streams;

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if self.streams && polled.is_ready() {
            self.line.set(Phase::Answer(Instant::now() + self.line.patience.answer));
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.line.set(Phase::Idle(Instant::now() + self.line.patience.idle));
    }
}

/// A connection, counted until it ends.
struct Guest<S> {
    stream: S,
    line: Arc<ConnectionState>,
    _ticket: Option<Ticket>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Guest<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.line.check(cx)?;
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if buf.filled().len() > before {
            self.line.heard();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Guest<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.line.check(cx)?;
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.line.check(cx)?;
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    const PATIENCE: Patience = Patience {
        head: Duration::from_secs(10),
        idle: Duration::from_secs(60),
        answer: Duration::from_secs(120),
        head_bytes: LEAST_BUFFER,
    };

    /// Opens a connection to a hall that answers `hi`, and has one long text.
    fn connect() -> (DuplexStream, watch::Sender<bool>) {
        let (client, stream) = duplex(1024);
        let (close, closing) = watch::channel(false);
        let line = ConnectionState::new(PATIENCE);
        let guest = Guest { stream, line: Arc::clone(&line), _ticket: None };
        let router = Router::new()
            .route("/", get(async || "hi"))
            .route("/long", get(async || "x".repeat(1 << 20)))
            .route("/slow", get(async || sleep(Duration::from_secs(30)).await));
        let peer = Peer(([192, 0, 2, 1], 1).into());
        tokio::spawn(attend(guest, line, peer, router, closing));
        (client, close)
    }

    /// Sends these parts, with a pause after each; returns the seconds after which the hall hung up.
    async fn hangs_up(parts: &[(&str, u64)]) -> u64 {
        let (mut client, _close) = connect();
        let begun = Instant::now();
        let (mut reader, mut writer) = tokio::io::split(&mut client);
        let says = async {
            for (part, pause) in parts {
                if writer.write_all(part.as_bytes()).await.is_err() {
                    break;
                }
                sleep(Duration::from_secs(*pause)).await;
            }
            std::future::pending::<()>().await;
        };
        let mut heard = Vec::new();
        tokio::select! {
            () = says => {}
            _ = reader.read_to_end(&mut heard) => {}
        }
        begun.elapsed().as_secs()
    }

    /// Half-sent heads, dripped heads and idle connections are closed in time (S9).
    #[tokio::test(start_paused = true)]
    async fn silence_ends_a_connection() {
        let drip: Vec<(&str, u64)> =
            std::iter::once(("GET / HTTP/1.1\r\n", 1)).chain([("x: y\r\n", 1); 40]).collect();
        let twice = [("GET / HTTP/1.1\r\nhost: h\r\n\r\n", 50), ("GET / HTTP/1.1\r\nhost: h\r\n\r\n", 0)];
        let late = [("GET / HTTP/1.1\r\nhost: h\r\n\r\n", 50), ("GET / HTT", 0)];
        for (name, parts, after) in [
            ("not a word", &[][..], 10),
            ("half a head", &[("GET / HTTP/1.1\r\nhost: h\r\n", 0)], 10),
            ("a head that drips", &drip, 10),
            ("a request, and nothing more", &[("GET / HTTP/1.1\r\nhost: h\r\n\r\n", 0)], 60),
            ("two requests", &twice, 110),
            ("half a second request", &late, 60),
            ("a slow answer is waited for", &[("GET /slow HTTP/1.1\r\nhost: h\r\n\r\n", 0)], 90),
        ] {
            assert_eq!(hangs_up(parts).await, after, "{name}");
        }
    }

    /// A handshake that never ends, dripped or silent, ends with the time of a head; so does one when the hall closes.
    #[tokio::test(start_paused = true)]
    async fn silence_ends_a_handshake() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = crate::tls::TlsFiles { cert: folder.path().join("c"), key: folder.path().join("k") };
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
        std::fs::write(&files.cert, made.cert.pem()).expect("writes");
        std::fs::write(&files.key, made.signing_key.serialize_pem()).expect("writes");
        let tls = Tls::open(files).expect("opens");
        // The beginning of a record of 512 bytes, and what drips in after it.
        let hello = [&[22, 3, 1, 2, 0][..], &[0; 40]].concat();
        for (name, bytes, closes_after, ends_after) in [
            ("not a byte", 0, None, 10),
            ("half a record", 5, None, 10),
            ("a byte a second", 40, None, 10),
            ("the hall closes", 0, Some(3), 3),
        ] {
            let (client, stream) = duplex(1024);
            let (_reader, mut writer) = tokio::io::split(client);
            let (close, mut closing) = watch::channel(false);
            let line = ConnectionState::new(PATIENCE);
            let guest = Guest { stream, line: Arc::clone(&line), _ticket: None };
            let begun = Instant::now();
            let drips = async {
                for byte in &hello[..bytes] {
                    writer.write_all(&[*byte]).await.expect("open");
                    sleep(Duration::from_secs(1)).await;
                }
                if let Some(after) = closes_after {
                    sleep(Duration::from_secs(after)).await;
                    close.send_replace(true);
                }
                std::future::pending::<()>().await;
            };
            let shaken = tokio::select! {
                () = drips => unreachable!("it never ends"),
                shaken = shake_hands(tls.acceptor(), guest, &line, &mut closing) => shaken,
            };
            assert!(shaken.is_none(), "{name}");
            assert_eq!(begun.elapsed().as_secs(), ends_after, "{name}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_nobody_reads_ends() {
        let (mut client, _close) = connect();
        client.write_all(b"GET /long HTTP/1.1\r\nhost: h\r\n\r\n").await.expect("open");
        sleep(Duration::from_secs(121)).await;
        let mut heard = Vec::new();
        let _ = client.read_to_end(&mut heard).await;
        assert!(heard.len() < 1 << 20, "{} bytes", heard.len());
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_has_a_greatest_length() {
        let (client, _close) = connect();
        let (mut reader, mut writer) = tokio::io::split(client);
        tokio::spawn(async move {
            let long = format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "y".repeat(1 << 20));
            let _ = writer.write_all(long.as_bytes()).await;
        });
        let mut heard = Vec::new();
        let _ = reader.read_to_end(&mut heard).await;
        assert!(heard.starts_with(b"HTTP/1.1 431"), "{}", String::from_utf8_lossy(&heard));
    }

    #[tokio::test(start_paused = true)]
    async fn closing_answers_what_has_begun() {
        let (mut client, close) = connect();
        client.write_all(b"GET /slow HTTP/1.1\r\nhost: h\r\n\r\n").await.expect("open");
        sleep(Duration::from_secs(1)).await;
        close.send_replace(true);
        let begun = Instant::now();
        let mut heard = Vec::new();
        client.read_to_end(&mut heard).await.expect("an end");
        assert!(heard.starts_with(b"HTTP/1.1 200"));
        assert_eq!(begun.elapsed().as_secs(), 29);
    }

    #[tokio::test]
    async fn the_address_with_the_most_silent_connections_gives_way() {
        let network = |n: u8| Network::of([192, 0, 2, n].into());
        // Addresses that come, `+`: with a request under way; whether the last one gets a place, and who loses one.
        for (name, of_all, came, admitted, loser) in [
            ("there is room", 4, "1 1 2", true, None),
            ("a greedy silent one", 4, "1 1 1 1 2", true, Some(0)),
            ("the oldest of its own", 3, "1 1 1 1", true, Some(0)),
            ("busy ones are left alone", 4, "1+ 1+ 2 2 3", true, Some(2)),
            ("many busy ones of one address", 4, "1+ 1+ 1+ 1+ 2", true, Some(0)),
            ("one silent one does not shield them", 4, "2 1+ 1+ 1+ 3", true, Some(1)),
            ("everybody has one and is busy", 3, "1+ 2+ 3+ 4", false, None),
            ("everybody has one, one is silent", 3, "1+ 2 3+ 4", true, Some(1)),
        ] {
            let keeper = Arc::new(Keeper { of_one: None, of_all, open: Mutex::default() });
            let mut lines = Vec::new();
            let mut last = false;
            for who in came.split(' ') {
                let digit = who.as_bytes()[0] - b'0';
                let place = keeper.admit(network(digit), PATIENCE);
                last = place.is_some();
                if let Some((ticket, line)) = place {
                    if who.ends_with('+') {
                        line.set(Phase::WebSocket);
                    }
                    lines.push((ticket, line));
                }
            }
            assert_eq!(last, admitted, "{name}");
            let lost = lines.iter().position(|(_, line)| line.is_evicted());
            assert_eq!(lost, loser, "{name}");
            lines.clear();
            assert!(lock(&keeper.open).lines.is_empty(), "{name}");
        }
    }
}
