//! Counts the open connections of each address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many connections each address has open.
#[derive(Default)]
pub struct Connections(Mutex<HashMap<IpAddr, u32>>);

/// One connection; counted until it is dropped.
pub struct Counted {
    all: Arc<Connections>,
    address: IpAddr,
}

impl Connections {
    /// Whether nobody is connected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Counts one more; `None` when that address has `most` already.
    #[must_use]
    pub fn admit(self: &Arc<Self>, address: IpAddr, most: Option<u32>) -> Option<Counted> {
        let mut open = self.lock();
        let count = open.entry(address).or_default();
        if most.is_some_and(|most| *count >= most) {
            return None;
        }
        *count += 1;
        Some(Counted { all: Arc::clone(self), address })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut open = self.all.lock();
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}
