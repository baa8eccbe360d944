//! Identification of people by the secret of a session or a token. The store knows secrets by their hashes; the
//! latest are cached here.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use edge::time::Time;
use kernel::Problem;
use store::{Adoption, Change, NewPerson, PersonRow, Store, StoreError, StoredPersonKind};
use tokio::sync::broadcast;
use wire::Player;

use people::Secret;
use people::secret::new_id;
use people::token::Scopes;

use crate::handed::Handed;

/// People who are remembered, so that not every request asks the store.
const REMEMBERED: usize = 10_000;
/// Ends of sessions that a slow connection may be behind; then it looks at its own.
const BEHIND: usize = 64;
/// Attempts to find a free random id; a collision is very unlikely.
const TRIES: usize = 4;

/// A person who was recognized by a secret.
#[derive(Clone, Debug)]
pub struct Recognized {
    /// The person as others see them.
    pub player: Player,
    /// The kind of person.
    pub kind: StoredPersonKind,
    /// The rights of the token; `None` for the secret of a session.
    pub token: Option<TokenRights>,
}

/// The rights of a token.
#[derive(Clone, Copy, Debug)]
pub struct TokenRights {
    /// The scopes of the token.
    pub scopes: Scopes,
    /// The time at which it expires, in Unix milliseconds.
    pub expires_ms: u64,
}

/// The people whose requests came last, by the hash of their secret.
#[derive(Default)]
struct Recent(Mutex<HashMap<[u8; 32], Recognized>>);

impl Recent {
    fn find(&self, hash: &[u8; 32]) -> Option<Recognized> {
        self.lock().get(hash).cloned()
    }

    fn keep(&self, hash: [u8; 32], person: &Recognized) {
        let mut known = self.lock();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(hash, person.clone());
    }

    fn forget(&self, person: &str) {
        self.lock().retain(|_, known| known.player.id != person);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<[u8; 32], Recognized>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn known(row: PersonRow, token: Option<TokenRights>) -> Recognized {
    Recognized { kind: row.kind, player: player(row), token }
}

/// Returns a person as others see them.
#[must_use]
pub fn player(row: PersonRow) -> Player {
    Player { program: row.kind == StoredPersonKind::Program, id: row.id, name: row.name, engine: None }
}

/// The precision of the time at which a person was last here: a day, which spares the disk.
const DAY_MS: u64 = 86_400_000;

/// Reads tables again whose players have other ids now.
#[async_trait]
pub trait ReloadsTables: Send + Sync {
    /// Reads that table again from its log, if it is in memory.
    async fn reload(&self, table: &str);
}

/// The people behind secrets.
pub struct Identity {
    store: Arc<Store>,
    time: Time,
    recent: Recent,
    changed: broadcast::Sender<String>,
}

impl Identity {
    /// Creates it without anyone in the cache.
    #[must_use]
    pub(crate) fn new(handed: &Handed) -> Identity {
        Identity {
            store: Arc::clone(&handed.store),
            time: handed.time.clone(),
            recent: Recent::default(),
            changed: broadcast::channel(BEHIND).0,
        }
    }

    /// Forgets what is remembered about a person of whom a session or a token has ended, or whose name changed, and
    /// tells this process's connections.
    pub fn changed(&self, person: &str) {
        self.recent.forget(person);
        // Fails if no connection listens.
        let _ = self.changed.send(person.to_owned());
    }

    /// Returns a receiver of the public ids of people who have [changed](Identity::changed).
    #[must_use]
    pub fn changes(&self) -> broadcast::Receiver<String> {
        self.changed.subscribe()
    }

    /// Returns the public id of the person with the secret of that hash if it is in the cache; the store is not
    /// asked.
    #[must_use]
    pub fn remembered(&self, hash: &[u8; 32]) -> Option<String> {
        self.recent.find(hash).map(|known| known.player.id)
    }

    /// Returns the person with that secret, when they were here before; see [`known`](Identity::known).
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn person(
        &self,
        secret: &Secret,
        tables: &dyn ReloadsTables,
    ) -> Result<Option<Player>, StoreError> {
        Ok(self.known(secret, tables).await?.map(|known| known.player))
    }

    /// Returns the person with that secret: `None` if the session has ended, or the token has expired or was revoked.
    /// A guest of an earlier version of the hall, known by an id that was derived from the secret, gets a random id
    /// in everything they took part in, and these `tables` are read again.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn known(
        &self,
        secret: &Secret,
        tables: &dyn ReloadsTables,
    ) -> Result<Option<Recognized>, StoreError> {
        let hash = secret.hash();
        let now_ms = self.time.now_ms();
        let counts = |known: &Recognized| known.token.is_none_or(|token| now_ms < token.expires_ms);
        if let Some(found) = self.recent.find(&hash) {
            return Ok(Some(found).filter(counts));
        }
        if secret.is_token() {
            return Ok(self.known_by_token(&hash, now_ms).await?.filter(counts));
        }
        if let Some(row) = self.store.people.person_by(&hash).await? {
            if now_ms.saturating_sub(row.seen_ms) > DAY_MS && !self.store.condition.is_read_only() {
                let _ = self.store.people.seen(&hash, now_ms).await;
            }
            let found = known(row, None);
            self.recent.keep(hash, &found);
            return Ok(Some(found));
        }
        for _ in 0..TRIES {
            match self.store.people.adopt(&secret.legacy_id(), &new_id(), &hash, self.time.now_ms()).await {
                Ok(Adoption::Done { reload }) => {
                    for table in &reload {
                        tables.reload(table).await;
                    }
                    return Ok(self.store.people.person_by(&hash).await?.map(|row| known(row, None)));
                }
                Ok(Adoption::Unknown | Adoption::Before) => return Ok(None),
                Err(StoreError::Taken) => {}
                Err(why) => return Err(why),
            }
        }
        Ok(None)
    }

    async fn known_by_token(&self, hash: &[u8; 32], now_ms: u64) -> Result<Option<Recognized>, StoreError> {
        let Some((token, row)) = self.store.accounts.token(hash).await? else { return Ok(None) };
        if now_ms.saturating_sub(token.used_ms.unwrap_or(0)) > DAY_MS && !self.store.condition.is_read_only()
        {
            let _ = self.store.accounts.change(Change::TokenUsed { hash: *hash, now_ms }, None).await;
        }
        let allowed = TokenRights { scopes: token.scopes, expires_ms: token.expires_ms };
        let found = known(row, Some(allowed));
        self.recent.keep(*hash, &found);
        Ok(Some(found))
    }

    /// Returns the person with that secret, who becomes a guest if they were not here before. The secret of a token
    /// never makes a guest.
    ///
    /// # Errors
    /// `not-stored`; `bearer-unknown` for a token that does not count.
    pub async fn enter(&self, secret: &Secret, tables: &dyn ReloadsTables) -> Result<Player, Problem> {
        let not_stored = |why: StoreError| {
            tracing::error!(%why, "a guest was not stored");
            Problem::new("not-stored")
        };
        for _ in 0..TRIES {
            if let Some(known) = self.person(secret, tables).await.map_err(not_stored)? {
                return Ok(known);
            }
            if secret.is_token() {
                return Err(Problem::new("bearer-unknown"));
            }
            let person = NewPerson {
                id: new_id(),
                kind: StoredPersonKind::Guest,
                name: None,
                folded: None,
                hash: secret.hash(),
                label: None,
                made_ms: self.time.now_ms(),
            };
            let player = Player { id: person.id.clone(), name: None, engine: None, program: false };
            match self.store.people.enroll(person).await {
                Ok(()) => {
                    let known = Recognized { player, kind: StoredPersonKind::Guest, token: None };
                    self.recent.keep(secret.hash(), &known);
                    return Ok(known.player);
                }
                // The id, or the same secret in another request a moment ago.
                Err(StoreError::Taken) => {}
                Err(why) => return Err(not_stored(why)),
            }
        }
        Err(Problem::new("not-stored"))
    }

    /// Keeps the name a guest chose.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn rename(&self, person: &str, name: Option<&str>) -> Result<(), StoreError> {
        self.store.people.rename(person, name, None).await?;
        self.recent.forget(person);
        Ok(())
    }
}
