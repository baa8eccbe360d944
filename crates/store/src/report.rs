//! Results of a check: damage that was found, and how the logs read by the rules of their games.

use std::panic::{AssertUnwindSafe, catch_unwind};

use table::Standing;

use crate::games::Finished;
use crate::{Asleep, Damage, StoreError, Stored, StoredMap};

/// The most findings that a report lists.
const MOST_FINDINGS: usize = 1000;

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Report {
    /// The number of tables that were found.
    pub tables: u64,
    /// The number of entries that were read whole, in all tables.
    pub events: u64,
    /// The number of commits in the database; 0 where it cannot say. The last one may not have been acknowledged.
    pub commits: u64,
    /// The damage that was found, at most a thousand findings.
    pub findings: Vec<Damage>,
    /// The number of findings that are not listed.
    pub more: u64,
}

impl Report {
    /// Returns true if no damage was found.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.findings.is_empty()
    }

    pub(crate) fn note(&mut self, damage: Damage) {
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(damage);
        } else {
            self.more += 1;
        }
    }

    /// Keeps damage as a finding, and passes other errors on.
    pub(crate) fn keep<T>(&mut self, result: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(StoreError::Damaged(damage)) => {
                self.note(*damage);
                Ok(None)
            }
            Err(other) => Err(other),
        }
    }
}

/// The state that a log results in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The stage and the seats of the table.
    pub standing: Standing,
    /// The finished game, if it is one that gets a row.
    pub finished: Option<Finished>,
    /// The deadline to be stored beside it, in a slow game that goes on; computed without outages and vacations.
    pub deadline: Option<Asleep>,
}

/// A function that replays a log by the rules of its game and returns the resulting state, or the reason why the log
/// is invalid. The map is the one that the table's setup names, where the store has it.
pub type Judge<'a> = &'a (dyn Fn(&str, &Stored, Option<&StoredMap>) -> Result<Judged, String> + Sync);

/// Calls `judge` and turns a panic into an error: a log that makes the rules panic is one more that does not follow
/// them.
pub(crate) fn judged(
    judge: Judge<'_>,
    id: &str,
    stored: &Stored,
    map: Option<&StoredMap>,
) -> Result<Judged, String> {
    let said = catch_unwind(AssertUnwindSafe(|| judge(id, stored, map)));
    said.unwrap_or_else(|why| {
        let why = why.downcast_ref::<String>().map(String::as_str).or(why.downcast_ref::<&str>().copied());
        Err(format!("reading it failed: {}", why.unwrap_or("nobody knows why")))
    })
}
