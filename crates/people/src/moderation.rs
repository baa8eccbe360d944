//! Reports about people, and what may be decided about them.

use kernel::Problem;

use crate::name::clean;

/// Open reports that one person may have sent.
pub const MOST_OPEN: u32 = 20;
/// Letters of what somebody says with a report, of the reason for a decision, and of an appeal.
pub const WORDS: usize = 1000;
/// Days for which somebody may be muted or suspended.
pub const MOST_DAYS: u32 = 366;

/// What a report is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// How somebody behaves.
    Person,
    /// What somebody is called.
    Name,
    /// Something said at a table.
    Text,
    /// A map that somebody brought.
    Map,
}

impl Subject {
    /// All of them.
    pub const ALL: [Subject; 4] = [Subject::Person, Subject::Name, Subject::Text, Subject::Map];

    /// Its name, in requests and in the store: the message `report-<key>`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Subject::Person => "person",
            Subject::Name => "name",
            Subject::Text => "text",
            Subject::Map => "map",
        }
    }

    /// The subject of that name.
    #[must_use]
    pub fn read(key: &str) -> Option<Subject> {
        Subject::ALL.into_iter().find(|subject| subject.key() == key)
    }
}

/// What is decided about a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// No harm was done; on an appeal, what was decided before is undone.
    Nothing,
    /// The person is told not to do it again.
    Warn,
    /// The person's free words are not taken for a while.
    Mute,
    /// The person's ratings begin anew.
    ResetRatings,
    /// The account may do nothing more but appeal.
    Close,
    /// The person may watch and appeal, and nothing else, for a while.
    Suspend,
    /// A map of theirs is found and started by nobody; what is played on it goes on.
    TakeDown,
}

impl Decision {
    /// All of them.
    pub const ALL: [Decision; 7] = [
        Decision::Nothing,
        Decision::Warn,
        Decision::Mute,
        Decision::ResetRatings,
        Decision::Close,
        Decision::Suspend,
        Decision::TakeDown,
    ];

    /// Its name, in requests and in the store: the message `decision-<key>`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Decision::Nothing => "nothing",
            Decision::Warn => "warn",
            Decision::Mute => "mute",
            Decision::ResetRatings => "reset-ratings",
            Decision::Close => "close",
            Decision::Suspend => "suspend",
            Decision::TakeDown => "take-down",
        }
    }

    /// Tells whether it has an end, a number of days from now.
    #[must_use]
    pub const fn has_end(self) -> bool {
        matches!(self, Decision::Mute | Decision::Suspend)
    }

    /// The decision of that name.
    ///
    /// # Errors
    /// `decision-unknown`, with those that are `known`.
    pub fn read(key: &str) -> Result<Decision, Problem> {
        let known = || Decision::ALL.map(Decision::key).join(", ");
        let found = Decision::ALL.into_iter().find(|decision| decision.key() == key);
        found.ok_or_else(|| Problem::new("decision-unknown").with("known", known()))
    }
}

/// What somebody wrote to the moderators, or they to somebody.
///
/// # Errors
/// `words-too-long`, with the `limit`.
pub fn words(text: &str) -> Result<String, Problem> {
    clean(text, WORDS)
}
