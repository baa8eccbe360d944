//! A bus on which a node hears its own hall only: each subject has the hall's name, each message a seal ([`keys`](crate::keys)).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::keys::{Dropped, Keys, Seen};
use crate::{Bus, BusError, MOST_BYTES, Sealed, Subscription};

/// A wrapper that seals what it publishes on another bus, whose servers and other users need not be trusted.
pub struct Signed {
    bus: Arc<dyn Bus>,
    keys: Arc<Keys>,
    /// A random name for this run, so that counts begin again with each run.
    sender: String,
    count: AtomicU64,
}

impl Signed {
    /// Wraps a bus, and seals with those keys.
    #[must_use]
    pub fn new(bus: Arc<dyn Bus>, keys: Arc<Keys>) -> Signed {
        let sender = format!("{:016x}", rand::random::<u64>());
        Signed { bus, keys, sender, count: AtomicU64::new(1) }
    }

    /// Counts messages without a hall's name and a seal under a subject, so that the log reports halls of that
    /// version: they receive nothing of this one.
    ///
    /// # Errors
    /// [`Unreachable`](BusError::Unreachable).
    pub async fn notice_unsealed(&self, subject: &str) -> Result<(), BusError> {
        let mut heard = self.bus.subscribe(subject).await?;
        let keys = Arc::downgrade(&self.keys);
        tokio::spawn(async move {
            while heard.next().await.is_some()
                && let Some(keys) = keys.upgrade()
            {
                keys.note(Dropped::Form(1));
            }
        });
        Ok(())
    }

    fn whole(&self, subject: &str) -> String {
        format!("{}.{subject}", self.keys.hall())
    }
}

#[async_trait::async_trait]
impl Bus for Signed {
    async fn publish(&self, subject: &str, body: Vec<u8>) -> Result<(), BusError> {
        let whole = self.whole(subject);
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let sealed = self.keys.seal(&self.sender, count, &whole, &body);
        if sealed.len() > MOST_BYTES {
            return Err(BusError::TooLong);
        }
        self.bus.publish(&whole, sealed).await
    }

    async fn subscribe(&self, subject: &str) -> Result<Subscription, BusError> {
        let whole = self.whole(subject);
        let plain = self.bus.subscribe(&whole).await?;
        let (keys, subject) = (Arc::clone(&self.keys), subject.to_owned());
        Ok(Subscription { sealed: Some(Sealed { keys, seen: Seen::under(whole), subject }), ..plain })
    }

    fn name(&self) -> String {
        format!("{}, as {}", self.bus.name(), self.keys.hall())
    }
}
