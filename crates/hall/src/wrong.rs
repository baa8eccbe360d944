//! The refusal of an act at a table, as WebSockets and streams report it.

use kernel::Problem;

use tables::memory::NoTable;

/// The reasons for which an act was refused.
#[derive(Debug)]
pub enum Wrong {
    /// The table does not exist, or cannot be loaded now.
    NoTable(NoTable),
    /// A problem that was found before the table was asked.
    Problem(Problem),
    /// A problem that the table reported.
    Said(wire::Problem),
}

impl Wrong {
    /// Returns the problem in the form that a WebSocket sends.
    #[must_use]
    pub fn problem(self) -> wire::Problem {
        match self {
            Wrong::NoTable(_) => Problem::new("hall-busy").into(),
            Wrong::Problem(problem) => problem.into(),
            Wrong::Said(problem) => problem,
        }
    }
}

impl From<NoTable> for Wrong {
    fn from(why: NoTable) -> Self {
        Wrong::NoTable(why)
    }
}

impl From<Problem> for Wrong {
    fn from(why: Problem) -> Self {
        Wrong::Problem(why)
    }
}
