//! The means that the hall hands down to the crate.

use std::sync::Arc;

use catalog::maps::Loader;
use edge::disk::DiskRoom;
use edge::limits::{Live, RateLimits};
use edge::time::Time;
use store::Store;
use tokio::sync::watch;

use crate::plays::Plays;

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
    /// The room for new data.
    pub disk: Arc<DiskRoom>,
    /// The runner of extensions; without one, maps that have some are refused.
    pub loader: Option<Arc<dyn Loader>>,
    /// Plays the games of balance reports.
    pub player: Arc<dyn Plays>,
    /// True once the hall is about to stop.
    pub stopping: watch::Receiver<bool>,
}
