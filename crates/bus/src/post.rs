//! Questions and answers over a bus that promises nothing.
//!
//! Each process has one subject of its own where answers come in. A question has a number; an answer that comes late,
//! twice or without a question is dropped. A sender that gets no answer asks again, so handlers must be idempotent.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use crate::message::{Envelope, Unread};
use crate::{Bus, BusError, Subscription};

/// The sender and receiver of questions, answers and news over a bus.
pub struct Post {
    bus: Arc<dyn Bus>,
    inbox: String,
    next: AtomicU64,
    waiting: Arc<Waiting>,
}

type Waiting = Mutex<HashMap<String, oneshot::Sender<String>>>;

/// A question that was received.
pub struct IncomingRequest {
    /// The question, as JSON of the hall's own.
    pub body: String,
    id: String,
    reply: Option<String>,
    bus: Arc<dyn Bus>,
}

impl IncomingRequest {
    /// Sends the answer; does nothing if the sender expects none.
    pub async fn answer(self, body: String) {
        let Some(reply) = self.reply else { return };
        let envelope = Envelope { id: self.id, ..Envelope::news(body) };
        let Ok(bytes) = envelope.write() else { return };
        if let Err(why) = self.bus.publish(&reply, bytes).await {
            tracing::debug!(%why, "an answer was not sent");
        }
    }
}

/// Logs once that a process of another version is on the bus.
fn note_unread(why: &Unread) {
    static SAID: AtomicU32 = AtomicU32::new(0);
    metrics::counter!("hall_bus_unread_total").increment(1);
    if let Unread::Version(version) = why
        && SAID.swap(*version, Ordering::Relaxed) != *version
    {
        tracing::error!(
            theirs = version,
            ours = crate::VERSION,
            "a hall on this bus speaks another version; run the same program everywhere, or give each its own bus"
        );
    }
}

impl Post {
    /// Subscribes to the subject for answers.
    ///
    /// # Errors
    /// Fails when the bus cannot be reached.
    pub async fn open(bus: Arc<dyn Bus>) -> Result<Post, BusError> {
        let inbox = format!("inbox.{:016x}", rand::random::<u64>());
        let mut answers = bus.subscribe(&inbox).await?;
        let waiting: Arc<Waiting> = Arc::default();
        let known = Arc::clone(&waiting);
        tokio::spawn(async move {
            while let Some(message) = answers.next().await {
                match Envelope::read(&message.body) {
                    Ok(answer) => {
                        let asked = known.lock().unwrap_or_else(PoisonError::into_inner).remove(&answer.id);
                        // A late answer has no request that waits for it any more.
                        let _ = asked.map(|asked| asked.send(answer.body));
                    }
                    Err(why) => note_unread(&why),
                }
            }
        });
        Ok(Post { bus, inbox, next: AtomicU64::new(1), waiting })
    }

    /// Asks a question, and waits at most `patience` for the answer.
    ///
    /// # Errors
    /// [`Silence`](BusError::Silence), and what the bus says.
    pub async fn ask(&self, subject: &str, body: String, patience: Duration) -> Result<String, BusError> {
        let id = self.next.fetch_add(1, Ordering::Relaxed).to_string();
        let (answered, answer) = oneshot::channel();
        self.lock().insert(id.clone(), answered);
        let forget = Forget { waiting: &self.waiting, id: &id };
        let envelope = Envelope { id: id.clone(), reply: Some(self.inbox.clone()), ..Envelope::news(body) };
        self.bus.publish(subject, envelope.write()?).await?;
        let begun = Instant::now();
        let found = tokio::time::timeout(patience, answer).await;
        drop(forget);
        match found {
            Ok(Ok(body)) => {
                metrics::histogram!("hall_bus_answer_seconds").record(begun.elapsed().as_secs_f64());
                Ok(body)
            }
            Ok(Err(_)) | Err(_) => {
                metrics::counter!("hall_bus_unanswered_total").increment(1);
                Err(BusError::Silence)
            }
        }
    }

    /// Publishes news, without expecting an answer.
    ///
    /// # Errors
    /// The fault that the bus reports.
    pub async fn tell(&self, subject: &str, body: String) -> Result<(), BusError> {
        self.bus.publish(subject, Envelope::news(body).write()?).await
    }

    /// Subscribes to the questions and news under a subject, until the receiver is dropped.
    ///
    /// # Errors
    /// Fails when the bus cannot be reached.
    pub async fn listen(&self, subject: &str) -> Result<mpsc::Receiver<IncomingRequest>, BusError> {
        let mut messages: Subscription = self.bus.subscribe(subject).await?;
        let (sender, heard) = mpsc::channel(crate::BEHIND);
        let bus = Arc::clone(&self.bus);
        tokio::spawn(async move {
            loop {
                let message = tokio::select! {
                    message = messages.next() => message,
                    () = sender.closed() => return,
                };
                let Some(message) = message else { return };
                match Envelope::read(&message.body) {
                    Ok(Envelope { id, reply, body, .. }) => {
                        let asked = IncomingRequest { body, id, reply, bus: Arc::clone(&bus) };
                        if sender.try_send(asked).is_err() {
                            metrics::counter!("hall_bus_dropped_total").increment(1);
                        }
                    }
                    Err(why) => note_unread(&why),
                }
            }
        });
        Ok(heard)
    }

    /// Returns the name of the bus, for logs.
    #[must_use]
    pub fn bus_name(&self) -> String {
        self.bus.name()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, oneshot::Sender<String>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A guard that removes a question when it is answered or its future is dropped.
struct Forget<'a> {
    waiting: &'a Waiting,
    id: &'a str,
}

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(self.id);
    }
}
