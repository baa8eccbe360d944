//! Reports with their evidence, and decisions about them.

use std::sync::Arc;

use edge::network::Payer;
use kernel::Problem;
use members::failed::busy;
use members::staff::desk::{StaffAnswer, StaffWish};
use people::moderation::{Subject, words};
use people::staff::By;
use store::StoreError;
use store::together::{Complaint, Deed};
use wire::{Decide, Evidence, NewReport};

use crate::chat::line;
use crate::hall::Hall;

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
        evidence.name = self.members.accounts.who(&about).await?.name;
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
        self.tables.look(table, payer, look).await.unwrap_or(false)
    }

    /// Decides about a report; the decision takes effect at once. Returns the public id of the reported person.
    ///
    /// # Errors
    /// See [`Desk`](members::staff::desk::Desk).
    pub async fn decide(self: &Arc<Self>, n: u64, wish: Decide, by: &By) -> Result<String, Problem> {
        match self.staff(by, StaffWish::Report { n, decide: wish }).await? {
            StaffAnswer::Id(about) => Ok(about),
            _ => Err(Problem::new("hall-busy")),
        }
    }
}
