//! Room on the disk: when little is left, nothing new is stored.

use std::sync::atomic::{AtomicBool, Ordering};

use kernel::Problem;

/// The room for new data, as it was measured last.
#[derive(Debug, Default)]
pub struct DiskRoom {
    is_low: AtomicBool,
}

impl DiskRoom {
    /// Checks that there is room for new data.
    ///
    /// # Errors
    /// `disk-low`.
    pub fn check(&self) -> Result<(), Problem> {
        if self.is_low.load(Ordering::Relaxed) { Err(Problem::new("disk-low")) } else { Ok(()) }
    }

    /// Notes whether there is too little room for new data; returns true if that has changed.
    pub fn note(&self, is_low: bool) -> bool {
        self.is_low.swap(is_low, Ordering::Relaxed) != is_low
    }
}
