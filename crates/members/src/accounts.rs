//! Accounts as the store has them.

use std::sync::Arc;

use kernel::Problem;
use people::Secret;
use people::secret::new_id;
use store::accounts::{Change, NewSession, Note};
use store::{Account, Find, Store, StoreError, StoredPersonKind};
use wire::Player;

use crate::client::Client;
use crate::failed::busy;
use crate::handed::Handed;
use crate::identity::player;

/// Attempts to find a free random id; a collision is very unlikely.
const TRIES: usize = 4;

/// The accounts of a hall.
pub struct Accounts {
    store: Arc<Store>,
}

impl Accounts {
    /// Creates the handle.
    #[must_use]
    pub(crate) fn new(handed: &Handed) -> Accounts {
        Accounts { store: Arc::clone(&handed.store) }
    }

    /// Returns the account of that name, or that had it.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn named(&self, name: &str) -> Result<Option<Account>, StoreError> {
        let folded = people::name::fold(name);
        Ok(self.store.accounts.account(Find::Name(&folded)).await?.filter(Account::is_account))
    }

    /// Returns true if the person has an account, and is no program.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn has(&self, person: &str) -> Result<bool, Problem> {
        has_account(&self.store, person).await
    }

    /// Returns the person of that public id, as others see them; without a name when there is no such person.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn who(&self, id: &str) -> Result<Player, Problem> {
        who(&self.store, id).await
    }

    /// Opens a session for a person by a change that takes one; returns its secret.
    ///
    /// # Errors
    /// The refusal of the store, or its failure.
    pub async fn open_session(
        &self,
        client: &Client,
        note: Note,
        change: impl Fn(NewSession) -> Change,
    ) -> Result<Secret, StoreError> {
        let mut tried = StoreError::Taken;
        for _ in 0..TRIES {
            let secret = Secret::new();
            let session = NewSession { hash: secret.hash(), id: new_id(), label: client.device.clone() };
            match self.store.accounts.change(change(session), Some(note.clone())).await {
                Ok(()) => return Ok(secret),
                Err(StoreError::Taken) => tried = StoreError::Taken,
                Err(why) => return Err(why),
            }
        }
        Err(tried)
    }
}

/// Returns true if the person has an account, and is no program.
///
/// # Errors
/// `hall-busy`.
pub(crate) async fn has_account(store: &Store, person: &str) -> Result<bool, Problem> {
    match store.people.find_person(person).await {
        Ok(found) => {
            Ok(found.is_some_and(|found| found.id == person && found.kind == StoredPersonKind::Account))
        }
        Err(why) => {
            tracing::error!(%why, "a person cannot be read");
            Err(Problem::new("hall-busy"))
        }
    }
}

/// Returns the person of that public id, as others see them; without a name when there is no such person.
///
/// # Errors
/// `hall-busy`.
pub(crate) async fn who(store: &Store, id: &str) -> Result<Player, Problem> {
    let found = store.people.find_person(id).await.map_err(busy)?.filter(|row| row.id == id);
    let unknown = || Player { id: id.to_owned(), name: None, engine: None, program: false };
    Ok(found.map_or_else(unknown, player))
}
