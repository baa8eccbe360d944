//! Tables in memory, by id.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OnceCell, mpsc};

use crate::ask::{Ask, Handle};

/// A table whose task failed this often is not opened again until the keeper of the hall pardons it.
pub(crate) const STRIKES: u32 = 3;

/// The reasons why a table is not available.
#[derive(Debug)]
pub enum NoTable {
    /// The id is of no table.
    Unknown,
    /// The hall has too many tables open, or is about to stop.
    Busy,
    /// The task of this table has failed repeatedly.
    Quarantined,
    /// The stored table cannot be read.
    Broken(String),
}

/// Tables in memory, by id. A cell is empty while its table is being read.
#[derive(Default)]
pub struct Memory(Mutex<HashMap<String, Arc<OnceCell<Handle>>>>);

impl Memory {
    /// Returns the number of tables in memory.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Returns true if no table is in memory.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Forgets a table whose task has ended.
    pub fn forget(&self, id: &str) {
        self.lock().remove(id);
    }

    /// Removes a table that is not in use; returns false if a request is just about to use it.
    pub fn put_away(&self, id: &str, queue: &mpsc::Receiver<Ask>) -> bool {
        let mut tables = self.lock();
        let known = tables.get(id).and_then(|cell| cell.get());
        // Handles are only cloned while the list is locked, and each asks within its life.
        if !queue.is_empty() || known.is_some_and(|handle| handle.0.strong_count() > 1) {
            return false;
        }
        tables.remove(id);
        true
    }

    /// Returns the place of a table in the list; `None` if that would be one table too many.
    pub(crate) fn cell(&self, id: &str, most: usize) -> Option<Arc<OnceCell<Handle>>> {
        let mut tables = self.lock();
        if !tables.contains_key(id) && tables.len() >= most {
            return None;
        }
        Some(Arc::clone(tables.entry(id.to_owned()).or_default()))
    }

    /// Removes a place that has stayed empty.
    pub(crate) fn drop_empty(&self, id: &str) {
        let mut tables = self.lock();
        if tables.get(id).is_some_and(|cell| cell.get().is_none()) {
            tables.remove(id);
        }
    }

    pub(crate) fn handles(&self) -> Vec<(String, Handle)> {
        self.lock().iter().filter_map(|(id, cell)| Some((id.clone(), cell.get().cloned()?))).collect()
    }

    /// Makes all tables check their clocks.
    pub async fn look_at_clock(&self) {
        for (_, handle) in self.handles() {
            let _ = handle.0.send(Ask::Look(Box::new(|_| ()))).await;
        }
    }

    /// Asks all tables to look at what has changed; one that has a full queue will come to look anyway.
    pub(crate) fn look_up(&self) {
        for (_, handle) in self.handles() {
            let _ = handle.0.try_send(Ask::Look(Box::new(|_| ())));
        }
    }

    /// Returns true if that table is in memory, or is being read.
    #[must_use]
    pub fn is_in_memory(&self, id: &str) -> bool {
        self.lock().contains_key(id)
    }

    pub(crate) fn handle(&self, id: &str) -> Option<Handle> {
        self.lock().get(id).and_then(|cell| cell.get().cloned())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<OnceCell<Handle>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
