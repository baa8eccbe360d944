//! A pool of transposition tables for searches in the server.
//!
//! Memory of many megabytes that is allocated and freed on ever other threads stays with each of them: the server
//! grew by a gigabyte within minutes. So some tables are kept while searches come, and freed after a while without
//! any.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use engine::TranspositionTable;

/// The sizes of a search's transposition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// 1 MiB: for levels and short searches.
    Small,
    /// 16 MiB: for full strength.
    Large,
}

impl Size {
    fn mebibytes(self) -> usize {
        match self {
            Size::Small => 1,
            Size::Large => 16,
        }
    }
}

/// The number of tables of each size that are kept for the next search; further ones are freed.
const KEPT: usize = 4;
/// The time after which an unused table is freed.
const UNUSED: Duration = Duration::from_secs(30);

/// An unused table, with the time of its last use.
struct Spare {
    table: TranspositionTable,
    since: Instant,
}

/// The unused tables of each size; those unused for longest come first.
static SPARE: [Mutex<Vec<Spare>>; 2] = [const { Mutex::new(Vec::new()) }; 2];

/// Runs a search with an empty table of that size.
pub fn with<T>(size: Size, search: impl FnOnce(&TranspositionTable) -> T) -> T {
    let spare = &SPARE[size as usize];
    let kept = spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let memory = match kept {
        Some(Spare { table, .. }) => table,
        None => TranspositionTable::mebibytes(size.mebibytes()),
    };
    let done = search(&memory);
    memory.clear();
    let mut spare = spare.lock().unwrap_or_else(PoisonError::into_inner);
    if spare.len() < KEPT {
        spare.push(Spare { table: memory, since: Instant::now() });
    }
    done
}

/// Frees the tables that were unused for half a minute. Called every few seconds.
pub fn free_unused() {
    free_unused_at(Instant::now());
}

fn free_unused_at(now: Instant) {
    for spare in &SPARE {
        let mut spare = spare.lock().unwrap_or_else(PoisonError::into_inner);
        spare.retain(|spare| now.saturating_duration_since(spare.since) < UNUSED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches tables that are never freed after a search.
    #[test]
    fn a_table_nobody_needs_is_freed_after_a_while() {
        with(Size::Large, |_| ());
        let now = Instant::now();
        // Other tests search, too.
        let old = || {
            let spare = SPARE[Size::Large as usize].lock().unwrap_or_else(PoisonError::into_inner);
            spare.iter().filter(|spare| spare.since <= now).count()
        };
        let before = old();
        free_unused_at(now);
        assert_eq!(old(), before, "the next search finds one");
        free_unused_at(now + UNUSED);
        assert_eq!(old(), 0);
    }
}
