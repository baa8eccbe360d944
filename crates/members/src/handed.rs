//! The means that the hall hands down to the crate.

use std::sync::Arc;

use edge::limits::{Live, RateLimits};
use edge::time::Time;
use store::Store;

/// The means that the hall hands down.
#[derive(Clone)]
pub struct Handed {
    /// The store of all data that survive a restart.
    pub store: Arc<Store>,
    /// The clock of the hall.
    pub time: Time,
    /// The limits in use.
    pub limits: Arc<Live>,
    /// Counts what clients ask.
    pub rates: Arc<RateLimits>,
}
