//! Reports about people, the decisions about them, and appeals, as far as they need no table.

use std::sync::Arc;

use edge::time::Time;
use kernel::Problem;
use people::account::Role;
use people::moderation::{Decision, words};
use store::together::{Complaint, Deed, Which};
use store::{Find, Store, StoreError};
use wire::{DecisionLine, Player, ReportLine};

use crate::accounts::who;
use crate::failed::busy;
use crate::handed::Handed;
use crate::identity::player;

/// Reports in one answer.
const REPORTS: u32 = 50;
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

    /// Reports that wait, or those about one person.
    ///
    /// # Errors
    /// `no-such-person`, `hall-busy`.
    pub async fn reports(&self, about: Option<&str>) -> Result<Vec<ReportLine>, Problem> {
        let about = match about {
            None => None,
            Some(who) => {
                let found = self.store.people.find_person(who).await.map_err(busy)?;
                Some(found.ok_or_else(|| Problem::new("no-such-person"))?)
            }
        };
        let which = about.as_ref().map_or(Which::Open, |row| Which::About(&row.id));
        let mut lines = Vec::new();
        for complaint in self.store.together.complaints(which, REPORTS).await.map_err(busy)? {
            lines.push(self.report_line(complaint).await?);
        }
        Ok(lines)
    }

    async fn report_line(&self, complaint: Complaint) -> Result<ReportLine, Problem> {
        let about =
            self.store.together.complaints(Which::About(&complaint.about), DECISIONS).await.map_err(busy)?;
        let is_bad = |other: &&Complaint| {
            other.n != complaint.n
                && other.decided.as_ref().is_some_and(|decided| decided.decision != Decision::Nothing)
        };
        let before = u32::try_from(about.iter().filter(is_bad).count()).unwrap_or(u32::MAX);
        let found = self.store.people.find_person(&complaint.about).await.map_err(busy)?;
        let nobody = Player { id: complaint.about.clone(), name: None, engine: None, program: false };
        let about = found.map_or(nobody, player);
        let evidence = serde_json::from_str(&complaint.evidence).unwrap_or_default();
        let decided = decision_line(&complaint);
        let Complaint { n, by, subject, words, made_ms, .. } = complaint;
        let by = who(&self.store, &by).await?;
        let subject = subject.key().to_owned();
        Ok(ReportLine { n, by, about, subject, words, evidence, made_ms, decided, before })
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
