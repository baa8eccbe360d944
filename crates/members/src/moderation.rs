//! Reports about people, the decisions about them, and appeals, as far as they need no table.

use std::sync::Arc;

use edge::time::Time;
use kernel::Problem;
use people::account::Role;
use people::moderation::{Decision, words};
use store::together::{Complaint, Deed, Which};
use store::{Find, Store, StoreError};
use wire::DecisionLine;

use crate::failed::busy;
use crate::handed::Handed;

/// The most decisions that a person sees about themselves.
const DECISIONS: u32 = 100;

/// Reports and decisions about people.
pub struct Moderation {
    store: Arc<Store>,
    time: Time,
}

impl Moderation {
    /// Creates the handle.
    #[must_use]
    pub(crate) fn new(handed: &Handed) -> Moderation {
        Moderation { store: Arc::clone(&handed.store), time: handed.time.clone() }
    }

    /// Returns the roles of a person.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn roles(&self, person: &str) -> Result<Vec<Role>, Problem> {
        let account = self.store.accounts.account(Find::Id(person)).await.map_err(busy)?;
        Ok(account.map(|account| account.roles).unwrap_or_default())
    }

    /// Returns the decisions about a person, the latest first. Reports that were dismissed are left out unless
    /// appealed.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn decisions(&self, person: &str) -> Result<Vec<DecisionLine>, Problem> {
        let all = self.store.together.complaints(Which::About(person), DECISIONS).await.map_err(busy)?;
        let told = all.iter().filter_map(decision_line);
        Ok(told.filter(|line| line.decision != Decision::Nothing.key() || line.appeal.is_some()).collect())
    }

    /// Appeals a decision, once.
    ///
    /// # Errors
    /// `no-such-report`, `appealed-before`, `words-empty`, `words-too-long`.
    pub async fn appeal(&self, n: u64, person: &str, text: &str) -> Result<(), Problem> {
        let words = words(text)?;
        if words.is_empty() {
            return Err(Problem::new("words-empty"));
        }
        let deed = Deed::Appeal { n, person: person.to_owned(), words, now_ms: self.time.now_ms() };
        self.store.together.deed(deed).await.map(drop).map_err(|why| match why {
            StoreError::Missing => Problem::new("no-such-report"),
            StoreError::Conflict => Problem::new("appealed-before"),
            why => busy(why),
        })
    }
}

/// Returns a decision in the form that moderators and the person concerned see.
pub(crate) fn decision_line(complaint: &Complaint) -> Option<DecisionLine> {
    let decided = complaint.decided.as_ref()?;
    let appeal = complaint.appeal.as_ref();
    Some(DecisionLine {
        n: complaint.n,
        subject: complaint.subject.key().to_owned(),
        decision: decided.decision.key().to_owned(),
        reason: decided.reason.clone(),
        at_ms: decided.at_ms,
        until_ms: decided.until_ms,
        appeal: appeal.map(|(words, _)| words.clone()),
        answered: appeal.is_some_and(|(_, at_ms)| *at_ms <= decided.at_ms),
    })
}
