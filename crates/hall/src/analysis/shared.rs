//! The state that all analyses of a hall share: the queue of their searches, and the reports in progress. It knows no
//! hall.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use edge::fair::Fair;
use edge::limits::Limits;
use edge::network::Network;
use edge::workers::threads;
use wire::Report;

/// The state that all analyses share: the queue of searches, and the reports.
pub struct Analyses {
    pub(super) turns: Arc<Fair>,
    pub(super) reports: Reports,
}

impl Analyses {
    /// Creates the state without any searches or reports.
    #[must_use]
    pub fn new(limits: &Limits) -> Analyses {
        let waiting = if limits.on { limits.searches_waiting } else { usize::MAX };
        Analyses { turns: Fair::new(threads(limits.searches, 2, 1), waiting), reports: Reports::default() }
    }
}

/// The games that are being judged.
#[derive(Default)]
pub(super) struct Reports(Mutex<HashMap<String, RunningReport>>);

/// A report in progress, with the network that asked for it.
pub(super) struct RunningReport {
    pub(super) network: Network,
    pub(super) report: Arc<Mutex<Report>>,
}

impl RunningReport {
    /// Returns the report as far as it has come.
    pub(super) fn so_far(&self) -> Report {
        self.report.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Reports {
    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<String, RunningReport>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
