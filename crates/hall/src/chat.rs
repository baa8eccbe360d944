//! The chat of a table, beside its log: it has no version and never delays a move.
//!
//! Players talk among themselves, and so do spectators; neither sees the lines of the other. Phrases are sent as
//! keys, which each reader sees in their own language. Free text needs an account, so that a mute has an effect.

use std::collections::HashSet;
use std::sync::Arc;

use edge::network::{Asker, Payer};
use kernel::Problem;
use members::failed::busy;
use people::phrases::{ChatMessage, phrase, words};
use store::StoredPersonKind;
use store::together::{Deed, SaidRow};
use table::State;
use tables::ask::Ask;
use wire::{Player, SaidLine};

use crate::hall::Hall;
use crate::wrong::Wrong;

/// Chat lines in one answer.
pub const LINES: u32 = 50;

impl Hall {
    /// Writes a chat line at a table: one of `phrase` and `free`.
    ///
    /// # Errors
    /// `words-empty`, `words-too-long`, `phrase-unknown`, `words-need-account`, `muted` with the `days` it lasts, `too-many-requests`.
    pub async fn say(
        &self,
        table: &str,
        who: &Player,
        asker: &Asker,
        key: Option<&str>,
        free: Option<&str>,
    ) -> Result<(), Wrong> {
        let said = match (key, free) {
            (Some(key), None) => phrase(key)?,
            (None, Some(free)) => words(free)?,
            _ => return Err(Problem::new("words-empty").into()),
        };
        let now_ms = self.time.now_ms();
        if let ChatMessage::Words(_) = said {
            self.may_write(&who.id, now_ms).await?;
        }
        self.rates
            .said(asker)
            .map_err(|wait| Problem::new("too-many-requests").with("seconds", wait.seconds()))?;
        self.has_room()?;
        let person = who.id.clone();
        let watches = move |state: &State| state.seats_of(&person).is_empty();
        let watching = self.tables.look(table, asker.into(), watches).await?;
        let row = SaidRow {
            n: 0,
            table: table.to_owned(),
            person: who.id.clone(),
            name: who.name.clone(),
            watching,
            said,
            at_ms: now_ms,
        };
        let n = self.store.together.deed(Deed::Say(row.clone())).await.map_err(busy)?;
        let mut line = line(SaidRow { n, ..row });
        line.who = who.clone();
        let handle = self.tables.table(table, asker.into()).await?;
        // A table that has just ended sends it to no one; visitors who come back ask for the chat.
        let _ = handle.0.send(Ask::Said(Box::new(line))).await;
        Ok(())
    }

    async fn may_write(&self, person: &str, now_ms: u64) -> Result<(), Problem> {
        let kind = self.store.people.find_person(person).await.map_err(busy)?.filter(|row| row.id == person);
        match kind.map(|row| row.kind) {
            Some(StoredPersonKind::Account | StoredPersonKind::Program) => {}
            Some(StoredPersonKind::Suspended) => return Err(Problem::new("account-suspended")),
            _ => return Err(Problem::new("words-need-account")),
        }
        match self.store.together.muted_until(person, now_ms).await.map_err(busy)? {
            None => Ok(()),
            Some(until_ms) => {
                let days = (until_ms.saturating_sub(now_ms)).div_ceil(86_400_000);
                Err(Problem::new("muted").with("days", days))
            }
        }
    }

    /// Returns the latest chat lines of a table that this person may read.
    ///
    /// # Errors
    /// An error when the table or the store cannot be read.
    pub async fn heard(&self, table: &str, who: &str, payer: Payer<'_>) -> Result<Vec<SaidLine>, Wrong> {
        let person = who.to_owned();
        let watches = move |state: &State| state.seats_of(&person).is_empty();
        let watching = self.tables.look(table, payer, watches).await?;
        let blocked = self.blocked_by(who).await;
        let rows =
            self.store.together.said(table, watching, LINES, self.time.now_ms()).await.map_err(busy)?;
        Ok(rows.into_iter().filter(|row| !blocked.contains(&row.person)).map(line).collect())
    }

    /// Returns the public ids of the people whom this person blocks; empty when the store fails.
    pub async fn blocked_by(&self, person: &str) -> Arc<HashSet<String>> {
        Arc::new(self.store.together.blocked(person).await.unwrap_or_default().into_iter().collect())
    }
}

/// Converts a stored chat line to the form that is sent.
#[must_use]
pub fn line(row: SaidRow) -> SaidLine {
    let SaidRow { n, person, name, watching, said, at_ms, .. } = row;
    let (phrase, words) = match said {
        ChatMessage::Phrase(key) => (Some(key.to_owned()), None),
        ChatMessage::Words(words) => (None, Some(words)),
    };
    let who = Player { id: person, name, engine: None, program: false };
    SaidLine { n, who, watching, phrase, words, at_ms }
}
