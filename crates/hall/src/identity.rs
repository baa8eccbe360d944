//! Who comes with which secret. The store knows secrets by their hashes; the latest are remembered here.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use kernel::Problem;
use store::{Adoption, Kind, NewPerson, PersonRow, StoreError};
use wire::Player;

use people::Secret;
use people::secret::new_id;

use crate::hall::Hall;

/// People who are remembered, so that not every request asks the store.
const REMEMBERED: usize = 10_000;
/// New ids that are tried. They are random: one clash is a wonder.
const TRIES: usize = 4;

/// The people who were here last, by the hash of their secret.
#[derive(Default)]
pub struct Recent(Mutex<HashMap<[u8; 32], Player>>);

impl Recent {
    fn find(&self, hash: &[u8; 32]) -> Option<Player> {
        self.lock().get(hash).cloned()
    }

    fn keep(&self, hash: [u8; 32], player: &Player) {
        let mut known = self.lock();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(hash, player.clone());
    }

    /// Forgets a person whose name changed.
    pub fn forget(&self, person: &str) {
        self.lock().retain(|_, player| player.id != person);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<[u8; 32], Player>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn player(row: PersonRow) -> Player {
    Player { id: row.id, name: row.name, engine: None }
}

impl Hall {
    /// The person with that secret, when they were here before. A guest of an earlier version of the hall, known by an
    /// id that followed from the secret, gets a random id in everything they took part in.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn person(self: &Arc<Self>, secret: &Secret) -> Result<Option<Player>, StoreError> {
        let hash = secret.hash();
        if let Some(known) = self.recent.find(&hash) {
            return Ok(Some(known));
        }
        if let Some(row) = self.store.person_by(&hash).await? {
            let now_ms = self.time.now_ms();
            // A day is exact enough, and spares the disk.
            if now_ms.saturating_sub(row.seen_ms) > 86_400_000 && !self.store.is_read_only() {
                let _ = self.store.seen(&hash, now_ms).await;
            }
            let known = player(row);
            self.recent.keep(hash, &known);
            return Ok(Some(known));
        }
        for _ in 0..TRIES {
            match self.store.adopt(&secret.legacy_id(), &new_id(), &hash, self.time.now_ms()).await {
                Ok(Adoption::Done { reload }) => {
                    for table in &reload {
                        self.reload(table).await;
                    }
                    return Ok(self.store.person_by(&hash).await?.map(player));
                }
                Ok(Adoption::Unknown | Adoption::Before) => return Ok(None),
                Err(StoreError::Taken) => {}
                Err(why) => return Err(why),
            }
        }
        Ok(None)
    }

    /// The person with that secret, who becomes a guest when they were not here before.
    ///
    /// # Errors
    /// `not-stored`.
    pub async fn enter(self: &Arc<Self>, secret: &Secret) -> Result<Player, Problem> {
        let not_stored = |why: StoreError| {
            tracing::error!(%why, "a guest was not stored");
            Problem::new("not-stored")
        };
        for _ in 0..TRIES {
            if let Some(known) = self.person(secret).await.map_err(not_stored)? {
                return Ok(known);
            }
            let person = NewPerson {
                id: new_id(),
                kind: Kind::Guest,
                name: None,
                folded: None,
                hash: secret.hash(),
                label: None,
                made_ms: self.time.now_ms(),
            };
            let known = Player { id: person.id.clone(), name: None, engine: None };
            match self.store.enroll(person).await {
                Ok(()) => {
                    self.recent.keep(secret.hash(), &known);
                    return Ok(known);
                }
                // The id, or the same secret in another request a moment ago.
                Err(StoreError::Taken) => {}
                Err(why) => return Err(not_stored(why)),
            }
        }
        Err(Problem::new("not-stored"))
    }

    /// Keeps the name a person chose.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn rename(&self, person: &str, name: Option<&str>) -> Result<(), StoreError> {
        self.store.rename(person, name, None).await?;
        self.recent.forget(person);
        Ok(())
    }
}
