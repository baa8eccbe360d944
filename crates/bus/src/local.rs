//! A bus within one process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc;

use crate::{BEHIND, Bus, BusError, MOST_BYTES, Message, Subscription};

/// A bus within one process. Clones are the same bus.
#[derive(Clone, Default)]
pub struct Local(Arc<Listeners>);

/// The subscribers, by subject.
#[derive(Default)]
pub(crate) struct Listeners(Mutex<HashMap<String, Vec<mpsc::Sender<Message>>>>);

impl Listeners {
    pub(crate) fn add(&self, subject: &str) -> Subscription {
        let (sender, messages) = mpsc::channel(BEHIND);
        let mut all = self.lock();
        // Listeners that have left are removed here, so that subjects without a publisher do not grow.
        all.retain(|_, listeners| {
            listeners.retain(|listener| !listener.is_closed());
            !listeners.is_empty()
        });
        all.entry(subject.to_owned()).or_default().push(sender);
        Subscription::plain(messages)
    }

    pub(crate) fn deliver(&self, message: &Message) {
        let mut all = self.lock();
        let Some(listeners) = all.get_mut(&message.subject) else { return };
        listeners.retain(|listener| {
            match listener.try_send(message.clone()) {
                Ok(()) => true,
                // Too far behind: it shows by the numbers of what comes next.
                Err(mpsc::error::TrySendError::Full(_)) => {
                    metrics::counter!("hall_bus_dropped_total").increment(1);
                    true
                }
                Err(mpsc::error::TrySendError::Closed(_)) => false,
            }
        });
        if listeners.is_empty() {
            all.remove(&message.subject);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Vec<mpsc::Sender<Message>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait::async_trait]
impl Bus for Local {
    async fn publish(&self, subject: &str, body: Vec<u8>) -> Result<(), BusError> {
        if body.len() > MOST_BYTES {
            return Err(BusError::TooLong);
        }
        self.0.deliver(&Message { subject: subject.to_owned(), body: body.into() });
        Ok(())
    }

    async fn subscribe(&self, subject: &str) -> Result<Subscription, BusError> {
        Ok(self.0.add(subject))
    }

    fn name(&self) -> String {
        "local".to_owned()
    }
}
