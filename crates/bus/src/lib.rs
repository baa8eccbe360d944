//! The message bus between the processes of one hall: short messages, published under subjects and delivered to all
//! subscribers.
//!
//! A bus may lose messages, deliver them twice and out of order; nothing depends on its promises. What must not be
//! lost is in the store. What comes over a bus is a hint (look there), a question that is asked again when no
//! answer comes, or news whose gaps show by their numbers.
//!
//! Reading order: [`Bus`], [`address`] (where it is, and who lets us in), [`message`] (what goes over the wire), [`post`] (questions and answers), [`local`],
//! [`notify`] and [`nats`] (the three buses), [`keys`] and [`signed`] (who is believed), [`faulty`] (one that does everything a bus may do, for tests).

pub mod address;
pub mod faulty;
pub mod keys;
pub mod local;
pub mod message;
pub mod nats;
pub mod notify;
pub mod post;
pub mod signed;

use std::sync::Arc;

use tokio::sync::mpsc;

pub use address::{Address, NotOpened};
pub use faulty::Faulty;
pub use keys::Keys;
pub use local::Local;
pub use message::{Envelope, MOST_BYTES, VERSION};
pub use nats::Nats;
pub use notify::Notify;
pub use post::{IncomingRequest, Post};
pub use signed::Signed;

/// The number of messages that may wait for a subscriber; further ones are dropped, as a bus may.
pub const BEHIND: usize = 1024;

/// A message that was received.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The subject under which it was published.
    pub subject: String,
    /// The message itself; at most [`MOST_BYTES`].
    pub body: Arc<[u8]>,
}

/// The reasons why publishing, subscribing or asking failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BusError {
    /// The answer did not come in time.
    Silence,
    /// The message is longer than [`MOST_BYTES`].
    TooLong,
    /// The bus cannot be reached; the sentence says what to do.
    Unreachable(String),
}

impl std::fmt::Display for BusError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BusError::Silence => f.write_str("no answer came in time"),
            BusError::TooLong => write!(f, "a message over the bus has at most {MOST_BYTES} bytes"),
            BusError::Unreachable(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for BusError {}

/// A subscription to one subject; it ends when it is dropped.
pub struct Subscription {
    messages: mpsc::Receiver<Message>,
    sealed: Option<Sealed>,
}

/// The keys and the replay state of a subscription whose messages are sealed.
struct Sealed {
    keys: Arc<Keys>,
    seen: keys::Seen,
    /// The subject without the hall's name.
    subject: String,
}

impl Subscription {
    pub(crate) fn plain(messages: mpsc::Receiver<Message>) -> Subscription {
        Subscription { messages, sealed: None }
    }

    /// Waits for the next message; `None` if the bus was closed.
    pub async fn next(&mut self) -> Option<Message> {
        loop {
            let message = self.messages.recv().await?;
            let Some(Sealed { keys, seen, subject }) = &mut self.sealed else { return Some(message) };
            if let Some(body) = seen.open(keys, &message.subject, &message.body) {
                return Some(Message { subject: subject.clone(), body: body.into() });
            }
        }
    }
}

/// A bus. Subjects are words of letters, digits, `-` and `_` with dots between them.
#[async_trait::async_trait]
pub trait Bus: Send + Sync + 'static {
    /// Publishes a message to all subscribers of a subject. Success does not mean that a subscriber received it.
    ///
    /// # Errors
    /// [`TooLong`](BusError::TooLong), and [`Unreachable`](BusError::Unreachable) where the bus knows that it is.
    async fn publish(&self, subject: &str, body: Vec<u8>) -> Result<(), BusError>;

    /// Subscribes to one subject. A bus that was unreachable for a while subscribes again by itself; the messages in
    /// between are lost.
    ///
    /// # Errors
    /// [`Unreachable`](BusError::Unreachable).
    async fn subscribe(&self, subject: &str) -> Result<Subscription, BusError>;

    /// Returns the name of the bus for logs, without passwords.
    fn name(&self) -> String;
}

/// Opens the bus at an address; `postgres` needs the database's address as well.
///
/// A prefix `faulty:SEED:PERCENT:` adds faults ([`Faulty`]), for `scripts/chaos.sh`.
///
/// # Errors
/// The fault of the address, or the reason why the bus does not answer.
pub async fn open(address: &Address, database: Option<&str>) -> Result<Arc<dyn Bus>, NotOpened> {
    if let Some((seed, percent, bus)) = faults(&address.bus) {
        let address = Address { bus: bus.to_owned(), ..address.clone() };
        let bus = Box::pin(open(&address, database)).await?;
        return Ok(Arc::new(Faulty::new(bus, seed, percent)));
    }
    match (address.bus.as_str(), database) {
        ("local", _) => Ok(Arc::new(Local::default())),
        ("postgres", Some(database)) => Ok(Arc::new(Notify::open(database).await?)),
        ("postgres", None) => Err(NotOpened::NoDatabase),
        (url, _) if url.starts_with("nats://") || url.starts_with("tls://") => {
            Ok(Arc::new(Nats::open(address).await?))
        }
        _ => Err(NotOpened::Unknown(address.shown())),
    }
}

/// Checks an address and the files that it names, without connecting; `postgres` needs the database's address as well.
///
/// # Errors
/// The fault of the address or of a file.
pub fn check(address: &Address, database: Option<&str>) -> Result<(), NotOpened> {
    if let Some((_, _, bus)) = faults(&address.bus) {
        return check(&Address { bus: bus.to_owned(), ..address.clone() }, database);
    }
    match (address.bus.as_str(), database) {
        ("local", _) | ("postgres", Some(_)) => Ok(()),
        ("postgres", None) => Err(NotOpened::NoDatabase),
        (url, _) if url.starts_with("nats://") || url.starts_with("tls://") => nats::check(address),
        _ => Err(NotOpened::Unknown(address.shown())),
    }
}

/// Parses the seed, the percentage and the address behind them; `None` without the prefix `faulty:`.
fn faults(address: &str) -> Option<(u64, u32, &str)> {
    let mut parts = address.strip_prefix("faulty:")?.splitn(3, ':');
    let (seed, percent) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((seed, percent, parts.next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_address_may_ask_for_faults() {
        assert_eq!(faults("faulty:7:10:nats://a:4222"), Some((7, 10, "nats://a:4222")));
        for plain in ["local", "nats://faulty:7:10:x", "faulty:7:x:local", "faulty:7:10"] {
            assert_eq!(faults(plain), None, "{plain}");
        }
        let bus = open(&Address::new("faulty:7:100:local"), None).await.expect("opens");
        let mut heard = bus.subscribe("a").await.expect("listens");
        bus.publish("a", b"x".to_vec()).await.expect("is lost and not told");
        drop(bus);
        assert_eq!(heard.next().await, None, "all of a hundred are lost");
    }
}
