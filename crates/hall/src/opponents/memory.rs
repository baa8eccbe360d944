//! Transposition tables for searches in the hall, used again and again.
//!
//! A table of many megabytes that is allocated and freed on ever other threads stays with each of them: the hall grew by
//! a gigabyte within minutes.

use std::sync::{Mutex, PoisonError};

use engine::TranspositionTable;

/// How large a search's table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// 1 MiB: for levels and short looks.
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

/// Tables of each size that are kept while nobody searches; more than that is freed.
const KEPT: usize = 4;

static SPARE: [Mutex<Vec<TranspositionTable>>; 2] = [const { Mutex::new(Vec::new()) }; 2];

/// Runs a search with an empty table of that size.
pub(crate) fn with<T>(size: Size, search: impl FnOnce(&TranspositionTable) -> T) -> T {
    let spare = &SPARE[size as usize];
    let kept = spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let memory = match kept {
        Some(memory) => {
            memory.clear();
            memory
        }
        None => TranspositionTable::mebibytes(size.mebibytes()),
    };
    let done = search(&memory);
    let mut spare = spare.lock().unwrap_or_else(PoisonError::into_inner);
    if spare.len() < KEPT {
        spare.push(memory);
    }
    done
}
