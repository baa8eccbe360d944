//! The transposition table: results of positions, for when they come again.
//!
//! Shared by all threads without locks. The histories of the search before are kept beside it. An entry is two words; the first holds the key mixed with the second, so that
//! an entry half written by one thread and half by another fits no key (Hyatt and Mann 2002).

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::order::History;
use crate::score::{PROVED, Score};

/// The ways a stored score can relate to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Bound {
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
pub(crate) struct Entry {
    /// The place of the best move in the list of candidates; [`NO_MOVE`]: unknown.
    pub(crate) best: u16,
    /// The score; wins and losses as [`TranspositionTable::get`] describes.
    pub(crate) score: Score,
    /// The evaluation; [`NO_EVAL`]: unknown.
    pub(crate) eval: Score,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
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
struct Bucket([Slot; WAYS]);

#[derive(Default)]
struct Slot {
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

    /// The history that a search before this one left, where it has as many slots; otherwise an empty one.
    pub(crate) fn take_history(&self, slots: usize) -> History {
        let kept = self.histories().pop().filter(|history| history.slots() == slots);
        kept.unwrap_or_else(|| History::new(slots))
    }

    /// Keeps a history for the next search.
    pub(crate) fn keep_history(&self, history: History) {
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
    pub(crate) fn turn_over(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    /// The place of a position's bucket.
    #[inline]
    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    fn bucket(&self, key: u64) -> &[Slot; WAYS] {
        &self.buckets[self.place(key)].0
    }

    /// Prefetches the bucket of a position that will be asked for soon, without waiting for it.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch_index::prefetch_index(&self.buckets, self.place(key));
    }

    /// Returns the entry of the position, if there is one. Wins and losses are counted from the root, `ply` plies
    /// above.
    pub(crate) fn get(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let fits = data != 0 && slot.mixed.load(Ordering::Relaxed) ^ data == key;
            fits.then(|| {
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

    /// Stores an entry in the place of the one least worth keeping.
    pub(crate) fn put(&self, key: u64, ply: usize, mut entry: Entry) {
        if entry.score >= PROVED {
            entry.score += ply as Score;
        } else if entry.score <= -PROVED {
            entry.score -= ply as Score;
        }
        let age = self.age.load(Ordering::Relaxed);
        let mut place = None;
        let mut least = i32::MAX;
        for slot in self.bucket(key) {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 {
                place = Some(slot);
                break;
            }
            let old = unpack(data);
            let passed = age.wrapping_sub(age_of(data)) % AGES;
            if slot.mixed.load(Ordering::Relaxed) ^ data == key {
                let keeps = entry.bound != Bound::Exact && passed == 0 && entry.depth + 3 < old.depth;
                if keeps {
                    return;
                }
                if entry.best == NO_MOVE {
                    entry.best = old.best;
                }
                place = Some(slot);
                break;
            }
            let worth = old.depth - 8 * i32::from(passed);
            if worth < least {
                (least, place) = (worth, Some(slot));
            }
        }
        let Some(slot) = place else { return };
        let data = pack(entry, age);
        slot.data.store(data, Ordering::Relaxed);
        slot.mixed.store(key ^ data, Ordering::Relaxed);
    }

    /// Returns the part of the table that this search has filled, in thousandths, by a sample.
    #[must_use]
    pub fn filled(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = self.buckets.len().min(250);
        let used = self.buckets[..sample].iter().flat_map(|bucket| &bucket.0).filter(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && age_of(data) == age
        });
        (used.count() * 1000 / (sample * WAYS)) as u32
    }
}

// From the lowest bit: best 16, score 16, evaluation 16, depth 8, bound 2, age 6. An entry is never all zeros: an
// unknown evaluation is not 0, and a depth is kept with 4 added.
fn pack(entry: Entry, age: u8) -> u64 {
    let depth = (entry.depth + DEPTH_SHIFT).clamp(1, 255) as u64;
    u64::from(entry.best)
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.eval as i16 as u16) << 32
        | depth << 48
        | (entry.bound as u64) << 56
        | u64::from(age) << 58
}

fn unpack(data: u64) -> Entry {
    Entry {
        best: data as u16,
        score: Score::from((data >> 16) as u16 as i16),
        eval: Score::from((data >> 32) as u16 as i16),
        depth: (data >> 48 & 0xFF) as i32 - DEPTH_SHIFT,
        bound: match data >> 56 & 3 {
            0 => Bound::None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
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

    const ENTRY: Entry = Entry { best: 17, score: -321, eval: NO_EVAL, depth: -2, bound: Bound::Lower };

    #[test]
    fn what_is_put_is_got() {
        let memory = TranspositionTable::new(1 << 12);
        for (i, depth) in [-2, 0, 7, 100].into_iter().enumerate() {
            let key = 0x1234_5678_9ABC_DEF0 ^ i as u64;
            let entry = Entry { depth, bound: Bound::Exact, ..ENTRY };
            memory.put(key, 3, entry);
            assert_eq!(memory.get(key, 9), Some(entry));
        }
        assert_eq!(memory.get(1, 0), None);
        memory.clear();
        assert_eq!(memory.get(0x1234_5678_9ABC_DEF0, 0), None);
    }

    #[test]
    fn wins_are_told_from_where_one_looks() {
        let memory = TranspositionTable::new(64);
        memory.put(5, 4, Entry { score: win_in(9), ..ENTRY });
        assert_eq!(memory.get(5, 4).map(|e| e.score), Some(win_in(9)));
        assert_eq!(memory.get(5, 6).map(|e| e.score), Some(win_in(11)));
        memory.put(5, 4, Entry { score: -win_in(9), bound: Bound::Exact, ..ENTRY });
        assert_eq!(memory.get(5, 0).map(|e| e.score), Some(-win_in(5)));
    }

    #[test]
    fn the_deepest_of_this_search_stay() {
        let memory = TranspositionTable::new(64);
        for key in 1..=20 {
            memory.put(key, 0, Entry { depth: key as i32 % 10, ..ENTRY });
        }
        assert!(memory.get(9, 0).is_some() && memory.get(19, 0).is_some());
        assert!(memory.get(10, 0).is_none());
        assert_eq!(memory.filled(), 1000);
        for _ in 0..3 {
            memory.turn_over();
        }
        assert_eq!(memory.filled(), 0);
    }
}
