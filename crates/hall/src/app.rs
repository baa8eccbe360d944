//! What all requests share.

use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusHandle;

use crate::connections::Connections;
use crate::hall::Hall;
use crate::visitor::Reach;

/// The state of the router: one for each running hall, cloned for each request.
#[derive(Clone)]
pub struct App {
    /// The hall.
    pub hall: Arc<Hall>,
    /// Where it is reached.
    pub reach: Arc<Reach>,
    /// Open WebSockets by address.
    pub connections: Arc<Connections>,
    /// Open analyses by address.
    pub analyses: Arc<Connections>,
    /// What is measured.
    pub metrics: PrometheusHandle,
}
