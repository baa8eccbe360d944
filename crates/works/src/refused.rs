//! The reasons why a work is not to be had, or a change is refused.

use kernel::Problem;
use store::StoreError;

use crate::maps::NoMap;

/// The reasons why a work is not available, or a change is refused.
#[derive(Debug)]
pub enum NoWork {
    /// The id is of no work, or of another person's.
    Unknown,
    /// The map is not valid, or was not stored.
    Map(NoMap),
    /// The request is refused.
    Refused(Problem),
}

impl NoWork {
    /// Returns the reason as one problem.
    #[must_use]
    pub fn problem(self) -> Problem {
        match self {
            NoWork::Unknown => NoMap::Unknown.problem(),
            NoWork::Map(why) => why.problem(),
            NoWork::Refused(problem) => problem,
        }
    }
}

impl From<NoMap> for NoWork {
    fn from(why: NoMap) -> Self {
        NoWork::Map(why)
    }
}

impl From<Problem> for NoWork {
    fn from(problem: Problem) -> Self {
        NoWork::Refused(problem)
    }
}

impl From<StoreError> for NoWork {
    fn from(why: StoreError) -> Self {
        match why {
            StoreError::Missing => NoWork::Unknown,
            other => NoWork::Map(NoMap::Store(other)),
        }
    }
}
