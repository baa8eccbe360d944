//! The transposition table: results of positions, for when they come again.
//!
//! Shared by all threads without locks. The histories of the search before are kept beside it. An entry is two words;
//! the first holds the key mixed with the second, so that an entry half written by one thread and half by another
//! matches no key (Hyatt and Mann 2002).

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::order::History;
use crate::score::{PROVED, Score};

/// The ways a stored score can relate to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum TtBound {
    /// The entry has no score, only the evaluation.
    None = 0,
    /// The true score is at most the stored one.
    Upper = 1,
    /// The true score is at least the stored one.
    Lower = 2,
    /// The stored score is the true one.
    Exact = 3,
}

/// The stored result of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TtEntry {
    /// The index of the best move in the list of candidates; [`NO_MOVE`]: unknown.
    pub(crate) tt_move: u16,
    /// The score; wins and losses as [`TranspositionTable::probe`] describes.
    pub(crate) score: Score,
    /// The static evaluation; [`NO_EVAL`]: unknown.
    pub(crate) static_eval: Score,
    pub(crate) tt_depth: i32,
    pub(crate) bound: TtBound,
}

pub(crate) const NO_MOVE: u16 = u16::MAX;
pub(crate) const NO_EVAL: Score = i16::MIN as Score;
/// Depths are kept with this added, so that the horizon's are not negative.
const DEPTH_SHIFT: i32 = 4;
const AGES: u8 = 64;
const WAYS: usize = 4;

/// A shared table of positions.
pub struct TranspositionTable {
    buckets: Box<[Bucket]>,
    age: AtomicU8,
    /// The move histories left by the search before, one for each of its threads.
    histories: Mutex<Vec<History>>,
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([TtSlot; WAYS]);

#[derive(Default)]
struct TtSlot {
    mixed: AtomicU64,
    data: AtomicU64,
}

impl TranspositionTable {
    /// Creates a table of about that number of bytes; at least one bucket.
    #[must_use]
    pub fn new(bytes: usize) -> TranspositionTable {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        TranspositionTable {
            buckets: (0..buckets).map(|_| Bucket::default()).collect(),
            age: AtomicU8::new(0),
            histories: Mutex::default(),
        }
    }

    /// The history that a search before this one left, where it has this size; otherwise an empty one.
    pub(crate) fn take_history(&self, history_size: usize) -> History {
        let kept = self.histories().pop().filter(|history| history.size() == history_size);
        kept.unwrap_or_else(|| History::new(history_size))
    }

    /// Keeps a history for the next search.
    pub(crate) fn store_history(&self, history: History) {
        self.histories().push(history);
    }

    fn histories(&self) -> MutexGuard<'_, Vec<History>> {
        self.histories.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates a table of that number of mebibytes.
    #[must_use]
    pub fn mebibytes(size: usize) -> TranspositionTable {
        TranspositionTable::new(size << 20)
    }

    /// Removes all entries and histories.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.mixed.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
        self.age.store(0, Ordering::Relaxed);
        self.histories().clear();
    }

    /// Begins a new search: entries of older ones may be replaced first.
    pub(crate) fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    /// Returns the index of a position's bucket.
    #[inline]
    fn bucket_index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    fn bucket(&self, key: u64) -> &[TtSlot; WAYS] {
        &self.buckets[self.bucket_index(key)].0
    }

    /// Prefetches the bucket of a position that will be asked for soon, without waiting for it.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch_index::prefetch_index(&self.buckets, self.bucket_index(key));
    }

    /// Returns the entry of the position, if there is one. Wins and losses (mate scores) are counted from the root,
    /// `ply` plies above.
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let matches = data != 0 && slot.mixed.load(Ordering::Relaxed) ^ data == key;
            matches.then(|| {
                let mut entry = unpack(data);
                if entry.score >= PROVED {
                    entry.score -= ply as Score;
                } else if entry.score <= -PROVED {
                    entry.score += ply as Score;
                }
                entry
            })
        })
    }

    /// Stores an entry in place of one of the same position, or of the shallowest and oldest of the bucket.
    pub(crate) fn store(&self, key: u64, ply: usize, mut entry: TtEntry) {
        if entry.score >= PROVED {
            entry.score += ply as Score;
        } else if entry.score <= -PROVED {
            entry.score -= ply as Score;
        }
        let age = self.age.load(Ordering::Relaxed);
        let mut replaced = None;
        let mut lowest = i32::MAX;
        for slot in self.bucket(key) {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 {
                replaced = Some(slot);
                break;
            }
            let old = unpack(data);
            let relative_age = age.wrapping_sub(age_of(data)) % AGES;
            if slot.mixed.load(Ordering::Relaxed) ^ data == key {
                let keeps =
                    entry.bound != TtBound::Exact && relative_age == 0 && entry.tt_depth + 3 < old.tt_depth;
                if keeps {
                    return;
                }
                if entry.tt_move == NO_MOVE {
                    entry.tt_move = old.tt_move;
                }
                replaced = Some(slot);
                break;
            }
            let value = old.tt_depth - 8 * i32::from(relative_age);
            if value < lowest {
                (lowest, replaced) = (value, Some(slot));
            }
        }
        let Some(slot) = replaced else { return };
        let data = pack(entry, age);
        slot.data.store(data, Ordering::Relaxed);
        slot.mixed.store(key ^ data, Ordering::Relaxed);
    }

    /// Returns the part of the table that this search has filled, in thousandths (`hashfull` of UCI), by a sample.
    #[must_use]
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = self.buckets.len().min(250);
        let used = self.buckets[..sample].iter().flat_map(|bucket| &bucket.0).filter(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && age_of(data) == age
        });
        (used.count() * 1000 / (sample * WAYS)) as u32
    }
}

// From the lowest bit: move 16, score 16, static evaluation 16, depth 8, bound 2, age 6. An entry is never all zeros:
// an unknown evaluation is not 0, and a depth is kept with 4 added.
fn pack(entry: TtEntry, age: u8) -> u64 {
    let depth = (entry.tt_depth + DEPTH_SHIFT).clamp(1, 255) as u64;
    u64::from(entry.tt_move)
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.static_eval as i16 as u16) << 32
        | depth << 48
        | (entry.bound as u64) << 56
        | u64::from(age) << 58
}

fn unpack(data: u64) -> TtEntry {
    TtEntry {
        tt_move: data as u16,
        score: Score::from((data >> 16) as u16 as i16),
        static_eval: Score::from((data >> 32) as u16 as i16),
        tt_depth: (data >> 48 & 0xFF) as i32 - DEPTH_SHIFT,
        bound: match data >> 56 & 3 {
            0 => TtBound::None,
            1 => TtBound::Upper,
            2 => TtBound::Lower,
            _ => TtBound::Exact,
        },
    }
}

const fn age_of(data: u64) -> u8 {
    (data >> 58) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::win_in;

    const ENTRY: TtEntry =
        TtEntry { tt_move: 17, score: -321, static_eval: NO_EVAL, tt_depth: -2, bound: TtBound::Lower };

    #[test]
    fn what_is_stored_is_found() {
        let tt = TranspositionTable::new(1 << 12);
        for (i, tt_depth) in [-2, 0, 7, 100].into_iter().enumerate() {
            let key = 0x1234_5678_9ABC_DEF0 ^ i as u64;
            let entry = TtEntry { tt_depth, bound: TtBound::Exact, ..ENTRY };
            tt.store(key, 3, entry);
            assert_eq!(tt.probe(key, 9), Some(entry));
        }
        assert_eq!(tt.probe(1, 0), None);
        tt.clear();
        assert_eq!(tt.probe(0x1234_5678_9ABC_DEF0, 0), None);
    }

    #[test]
    fn wins_are_told_from_where_one_looks() {
        let tt = TranspositionTable::new(64);
        tt.store(5, 4, TtEntry { score: win_in(9), ..ENTRY });
        assert_eq!(tt.probe(5, 4).map(|e| e.score), Some(win_in(9)));
        assert_eq!(tt.probe(5, 6).map(|e| e.score), Some(win_in(11)));
        tt.store(5, 4, TtEntry { score: -win_in(9), bound: TtBound::Exact, ..ENTRY });
        assert_eq!(tt.probe(5, 0).map(|e| e.score), Some(-win_in(5)));
    }

    #[test]
    fn the_deepest_of_this_search_stay() {
        let tt = TranspositionTable::new(64);
        for key in 1..=20 {
            tt.store(key, 0, TtEntry { tt_depth: key as i32 % 10, ..ENTRY });
        }
        assert!(tt.probe(9, 0).is_some() && tt.probe(19, 0).is_some());
        assert!(tt.probe(10, 0).is_none());
        assert_eq!(tt.hashfull(), 1000);
        for _ in 0..3 {
            tt.new_search();
        }
        assert_eq!(tt.hashfull(), 0);
    }
}
