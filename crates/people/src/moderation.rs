//! Reports about people, and the possible decisions about them.

use kernel::Problem;

use crate::name::clean;

/// The most open reports that one person may have sent.
pub const MOST_OPEN: u32 = 20;
/// The most letters of the words with a report, of the reason for a decision, and of an appeal.
pub const WORDS: usize = 1000;
/// The most days for which a person may be muted or suspended.
pub const MOST_DAYS: u32 = 366;

/// The subjects of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The behaviour of a person.
    Person,
    /// The name of a person.
    Name,
    /// A message at a table.
    Text,
    /// A map that a person uploaded.
    Map,
}

impl Subject {
    /// All subjects, in a fixed order.
    pub const ALL: [Subject; 4] = [Subject::Person, Subject::Name, Subject::Text, Subject::Map];

    /// Returns its name, in requests and in the store: the message `report-<key>`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Subject::Person => "person",
            Subject::Name => "name",
            Subject::Text => "text",
            Subject::Map => "map",
        }
    }

    /// Returns the subject of that name.
    #[must_use]
    pub fn read(key: &str) -> Option<Subject> {
        Subject::ALL.into_iter().find(|subject| subject.key() == key)
    }
}

/// The possible decisions about a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The report is dismissed: no harm was done. On an appeal, the earlier decision is undone.
    Nothing,
    /// The person is told not to do it again.
    Warn,
    /// The person's free words are refused for a while.
    Mute,
    /// The person's ratings begin again.
    ResetRatings,
    /// The account is closed, and may only appeal.
    Close,
    /// The person may watch and appeal, and nothing else, for a while.
    Suspend,
    /// A map of theirs can no longer be found or started; games on it go on.
    TakeDown,
}

impl Decision {
    /// All decisions, in a fixed order.
    pub const ALL: [Decision; 7] = [
        Decision::Nothing,
        Decision::Warn,
        Decision::Mute,
        Decision::ResetRatings,
        Decision::Close,
        Decision::Suspend,
        Decision::TakeDown,
    ];

    /// Returns its name, in requests and in the store: the message `decision-<key>`.
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

    /// Returns true if the decision has an end, a number of days from now.
    #[must_use]
    pub const fn has_end(self) -> bool {
        matches!(self, Decision::Mute | Decision::Suspend)
    }

    /// Returns the decision of that name.
    ///
    /// # Errors
    /// `decision-unknown`, with those that are `known`.
    pub fn read(key: &str) -> Result<Decision, Problem> {
        let known = || Decision::ALL.map(Decision::key).join(", ");
        let found = Decision::ALL.into_iter().find(|decision| decision.key() == key);
        found.ok_or_else(|| Problem::new("decision-unknown").with("known", known()))
    }
}

/// Cleans the words of a person to the moderators, or of the moderators to a person.
///
/// # Errors
/// `words-too-long`, with the `limit`.
pub fn words(text: &str) -> Result<String, Problem> {
    clean(text, WORDS)
}
