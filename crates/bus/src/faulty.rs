//! A bus for tests with every fault that a bus may have: it loses, doubles and delays messages, and can be cut.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::{Bus, BusError, Subscription};

/// A wrapper around another bus that adds faults.
pub struct Faulty {
    bus: Arc<dyn Bus>,
    random: Mutex<StdRng>,
    /// The percentage of messages that are lost; the same percentage is doubled, and the same is delayed.
    percent: u32,
    /// True while the bus is cut: nothing is published.
    pub cut: AtomicBool,
}

impl Faulty {
    /// Wraps a bus. `seed` determines which messages suffer a fault.
    #[must_use]
    pub fn new(bus: Arc<dyn Bus>, seed: u64, percent: u32) -> Faulty {
        let random = Mutex::new(StdRng::seed_from_u64(seed));
        Faulty { bus, random, percent, cut: AtomicBool::new(false) }
    }

    fn hits(&self) -> [bool; 3] {
        let mut random = self.random.lock().unwrap_or_else(PoisonError::into_inner);
        [0; 3].map(|_| random.random_range(0..100) < self.percent)
    }
}

#[async_trait::async_trait]
impl Bus for Faulty {
    async fn publish(&self, subject: &str, body: Vec<u8>) -> Result<(), BusError> {
        let [lost, doubled, delayed] = self.hits();
        if lost || self.cut.load(Ordering::Relaxed) {
            return Ok(());
        }
        if doubled {
            self.bus.publish(subject, body.clone()).await?;
        }
        if !delayed {
            return self.bus.publish(subject, body).await;
        }
        // Behind what is said next.
        let (bus, subject) = (Arc::clone(&self.bus), subject.to_owned());
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let _ = bus.publish(&subject, body).await;
        });
        Ok(())
    }

    async fn subscribe(&self, subject: &str) -> Result<Subscription, BusError> {
        self.bus.subscribe(subject).await
    }

    fn name(&self) -> String {
        format!("{} with faults", self.bus.name())
    }
}
