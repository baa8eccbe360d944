//! Reports, what moderators decide about them, and appeals.

use std::sync::Arc;

use edge::network::Payer;
use kernel::Problem;
use members::failed::busy;
use members::identity::player;
use people::account::Role;
use people::moderation::{Decision, Subject, words};
use people::staff::By;
use store::together::{Complaint, Deed, Which};
use store::{Find, StoreError};
use wire::{Decide, DecisionLine, Evidence, NewReport, Player, ReportLine};

use crate::chat::line;
use crate::hall::Hall;
use crate::staff::desk::{Told, Wish};

/// Reports in one answer.
const REPORTS: u32 = 50;
/// The most decisions that a person sees about themselves.
const DECISIONS: u32 = 100;
/// Lines that are kept as evidence: the one that was reported, and what came before.
const CONTEXT: u32 = 10;

impl Hall {
    /// Keeps a report, with the evidence as it is now; returns its number.
    ///
    /// # Errors
    /// `report-subject`, `no-such-person`, `no-such-words`, `no-such-map`, `report-self`, `reports-full`, `words-too-long`.
    pub async fn complain(&self, wish: NewReport, by: &str, payer: Payer<'_>) -> Result<u64, Problem> {
        let subject = Subject::read(&wish.subject).ok_or_else(|| {
            Problem::new("report-subject").with("known", Subject::ALL.map(Subject::key).join(", "))
        })?;
        let said = words(&wish.words)?;
        let mut evidence = Evidence::default();
        let about = match subject {
            Subject::Text => {
                let no_words = || Problem::new("no-such-words");
                let n = wish.said.ok_or_else(no_words)?;
                let rows = self.store.together.said_around(n, CONTEXT).await.map_err(busy)?;
                let last = rows.last().ok_or_else(no_words)?;
                // Who cannot have heard it cannot report it.
                let heard = self.heard(&last.table, by, payer).await.unwrap_or_default();
                let sits_apart = !heard.iter().any(|line| line.n == n);
                if sits_apart && !self.watches_same(&last.table, by, last.watching, payer).await {
                    return Err(no_words());
                }
                let (about, table) = (last.person.clone(), last.table.clone());
                evidence.table = Some(table);
                evidence.said = rows.into_iter().map(line).collect();
                about
            }
            Subject::Map => {
                let no_map = || Problem::new("no-such-map");
                let id = wish.map.as_deref().ok_or_else(no_map)?;
                let (owner, name) = self.store.maps.map_owner(id).await.map_err(busy)?.ok_or_else(no_map)?;
                evidence.map = Some((id.to_owned(), name));
                owner
            }
            Subject::Person | Subject::Name => {
                let who = wish.who.as_deref().unwrap_or_default();
                let found = self.store.people.find_person(who).await.map_err(busy)?;
                found.ok_or_else(|| Problem::new("no-such-person"))?.id
            }
        };
        if about == by {
            return Err(Problem::new("report-self"));
        }
        evidence.name = self.who(&about).await?.name;
        if evidence.table.is_none() {
            evidence.table = wish.table.filter(|table| people::secret::is_id(table));
        }
        let complaint = Complaint {
            n: 0,
            by: by.to_owned(),
            about,
            subject,
            words: said,
            evidence: serde_json::to_string(&evidence).expect("plain data"),
            made_ms: self.time.now_ms(),
            decided: None,
            appeal: None,
        };
        self.store.together.deed(Deed::Complain(complaint)).await.map_err(|why| match why {
            StoreError::Conflict => Problem::new("reports-full"),
            why => busy(why),
        })
    }

    /// Returns true if that person can read such chat lines: at the table as a player, or as a spectator.
    async fn watches_same(&self, table: &str, person: &str, watching: bool, payer: Payer<'_>) -> bool {
        let person = person.to_owned();
        let look = move |state: &table::State| state.seats_of(&person).is_empty() == watching;
        self.look(table, payer, look).await.unwrap_or(false)
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
        let by = self.who(&by).await?;
        let subject = subject.key().to_owned();
        Ok(ReportLine { n, by, about, subject, words, evidence, made_ms, decided, before })
    }

    /// Decides about a report; the decision takes effect at once. Returns the public id of the reported person.
    ///
    /// # Errors
    /// See [`Desk`](crate::staff::desk::Desk).
    pub async fn decide(self: &Arc<Self>, n: u64, wish: Decide, by: &By) -> Result<String, Problem> {
        match self.staff(by, Wish::Report { n, decide: wish }).await? {
            Told::Id(about) => Ok(about),
            _ => Err(Problem::new("hall-busy")),
        }
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
