//! PostgreSQL's LISTEN and NOTIFY as a bus, for two or three processes without NATS.
//!
//! There is one channel, which all processes hear whole. A NOTIFY takes a lock of the whole server when it commits,
//! so what queues up meanwhile goes with one statement, by a connection of its own and never with a move. A payload
//! has less than 8 000 bytes; longer messages go in parts.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::sync::mpsc;

use crate::address::NotOpened;
use crate::local::Listeners;
use crate::{BEHIND, Bus, BusError, MOST_BYTES, Message, Subscription};

const CHANNEL: &str = "qiguan";
/// The most bytes of text in one part, so that it fits a payload with its head.
const PART_BYTES: usize = 7_000;
/// The number of messages that are sent with one statement.
const TOGETHER: usize = 64;
/// The time for which the received parts of an incomplete message are kept.
const INCOMPLETE: Duration = Duration::from_secs(10);
/// The most incomplete messages that are kept.
const MOST_INCOMPLETE: usize = 256;

/// A bus over one connection for publishing and one for listening.
pub struct Notify {
    listeners: Arc<Listeners>,
    outbox: mpsc::Sender<Vec<String>>,
}

impl Notify {
    /// Listens in the database at that address.
    ///
    /// # Errors
    /// Fails when it does not answer.
    pub async fn open(url: &str) -> Result<Notify, NotOpened> {
        let failed = |why: &sqlx::Error| {
            // 57P03: the server starts; 53300: it has no connection left.
            let code = why.as_database_error().and_then(|error| error.code()).unwrap_or_default();
            let is_away = matches!(why, sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut)
                || matches!(&*code, "57P03" | "53300");
            NotOpened::Database { why: why.to_string(), is_away }
        };
        let options = PgConnectOptions::from_str(url).map_err(|why| failed(&why))?;
        let pool = PgPoolOptions::new()
            .max_connections(2)
            .acquire_timeout(Duration::from_secs(5))
            .connect_with(options.application_name("qiguan bus").extra_float_digits(None))
            .await
            .map_err(|why| failed(&why))?;
        let mut listener = PgListener::connect_with(&pool).await.map_err(|why| failed(&why))?;
        listener.listen(CHANNEL).await.map_err(|why| failed(&why))?;
        let listeners: Arc<Listeners> = Arc::default();
        let (outbox, queue) = mpsc::channel(BEHIND);
        tokio::spawn(speak(pool, queue));
        tokio::spawn(hear(listener, Arc::downgrade(&listeners)));
        Ok(Notify { listeners, outbox })
    }
}

async fn speak(pool: PgPool, mut queue: mpsc::Receiver<Vec<String>>) {
    let mut messages = Vec::with_capacity(TOGETHER);
    while queue.recv_many(&mut messages, TOGETHER).await > 0 {
        let payloads: Vec<String> = messages.drain(..).flatten().collect();
        let query =
            sqlx::query("SELECT pg_notify($1, p) FROM unnest($2::text[]) p").bind(CHANNEL).bind(payloads);
        if let Err(why) = query.execute(&pool).await {
            tracing::warn!(%why, "the bus lost what was to be said");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

async fn hear(mut listener: PgListener, listeners: std::sync::Weak<Listeners>) {
    let mut parts = Parts::default();
    loop {
        // It connects again by itself; what was said meanwhile is lost.
        let heard = tokio::time::timeout(Duration::from_secs(30), listener.recv()).await;
        let Some(listeners) = listeners.upgrade() else { return };
        match heard {
            Ok(Ok(notification)) => {
                if let Some(message) = parts.add(notification.payload()) {
                    listeners.deliver(&message);
                }
            }
            Ok(Err(why)) => {
                tracing::warn!(%why, "the bus does not answer");
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            Err(_) => {}
        }
    }
}

/// Splits a message into payloads `subject id at of text`, each short enough for a NOTIFY.
fn cut(subject: &str, text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut at = rest.len().min(PART_BYTES);
        while !rest.is_char_boundary(at) {
            at -= 1;
        }
        let (piece, next) = rest.split_at(at);
        pieces.push(piece);
        rest = next;
    }
    let (id, of) = (rand::random::<u64>(), pieces.len());
    pieces.iter().enumerate().map(|(at, piece)| format!("{subject} {id:x} {at} {of} {piece}")).collect()
}

/// Incomplete messages, of which not all parts have come.
#[derive(Default)]
struct Parts(HashMap<String, (Instant, Vec<Option<String>>)>);

impl Parts {
    /// Takes in a part, and returns the message if it was the last one. A payload of another form is dropped.
    fn add(&mut self, payload: &str) -> Option<Message> {
        let mut words = payload.splitn(5, ' ');
        let (subject, id) = (words.next()?, words.next()?);
        let at: usize = words.next()?.parse().ok()?;
        let of: usize = words.next()?.parse().ok()?;
        let piece = words.next()?;
        let whole = |text: String| Message { subject: subject.to_owned(), body: text.into_bytes().into() };
        if at >= of || of > MOST_BYTES.div_ceil(PART_BYTES / 2) {
            return None;
        }
        if of == 1 {
            return Some(whole(piece.to_owned()));
        }
        self.0.retain(|_, (since, _)| since.elapsed() < INCOMPLETE);
        if self.0.len() >= MOST_INCOMPLETE && !self.0.contains_key(id) {
            return None;
        }
        let (_, parts) = self.0.entry(id.to_owned()).or_insert_with(|| (Instant::now(), vec![None; of]));
        *parts.get_mut(at)? = Some(piece.to_owned());
        if parts.iter().any(Option::is_none) {
            return None;
        }
        let (_, parts) = self.0.remove(id)?;
        Some(whole(parts.into_iter().flatten().collect()))
    }
}

#[async_trait::async_trait]
impl Bus for Notify {
    async fn publish(&self, subject: &str, body: Vec<u8>) -> Result<(), BusError> {
        if body.len() > MOST_BYTES {
            return Err(BusError::TooLong);
        }
        // Payloads are text, as all that halls say is.
        let text = String::from_utf8_lossy(&body);
        if self.outbox.try_send(cut(subject, &text)).is_err() {
            metrics::counter!("hall_bus_dropped_total").increment(1);
        }
        Ok(())
    }

    async fn subscribe(&self, subject: &str) -> Result<Subscription, BusError> {
        Ok(self.listeners.add(subject))
    }

    fn name(&self) -> String {
        "LISTEN and NOTIFY of the database".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_go_in_parts_in_any_order() {
        let text = "棋馆 ".repeat(9_000);
        let mut pieces = cut("a.b", &text);
        assert!(pieces.len() > 5 && pieces.iter().all(|piece| piece.len() < 8_000));
        pieces.reverse();
        let mut parts = Parts::default();
        let last = pieces.pop().expect("some");
        for piece in &pieces {
            assert_eq!(parts.add(piece), None);
        }
        // Twice is once.
        assert_eq!(parts.add(&pieces[0]), None);
        let whole = parts.add(&last).expect("whole");
        assert_eq!((whole.subject.as_str(), &*whole.body), ("a.b", text.as_bytes()));
        assert!(parts.0.is_empty());
        for odd in ["", "a", "a b c d e", "a 1 5 5 x", "a 1 0 99999999999 x", "a 1 0 9999999 x"] {
            assert_eq!(parts.add(odd), None, "{odd}");
        }
    }
}
