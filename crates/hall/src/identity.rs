//! The people behind secrets, as requests ask for them: a guest of an earlier version may sit at tables, which are then
//! read again.

use std::sync::Arc;

use async_trait::async_trait;
use kernel::Problem;
use members::identity::{Recognized, ReloadsTables};
use people::Secret;
use store::StoreError;
use wire::Player;

use crate::hall::Hall;

#[async_trait]
impl ReloadsTables for Hall {
    async fn reload(&self, table: &str) {
        Hall::reload(self, table).await;
    }
}

impl Hall {
    /// Returns the person with that secret, when they were here before; see [`known`](Hall::known).
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn person(self: &Arc<Self>, secret: &Secret) -> Result<Option<Player>, StoreError> {
        self.members.identity.person(secret, &**self).await
    }

    /// Returns the person with that secret: `None` if the session has ended, or the token has expired or was revoked.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn known(self: &Arc<Self>, secret: &Secret) -> Result<Option<Recognized>, StoreError> {
        self.members.identity.known(secret, &**self).await
    }

    /// Returns the person with that secret, who becomes a guest if they were not here before.
    ///
    /// # Errors
    /// `not-stored`; `bearer-unknown` for a token that does not count.
    pub async fn enter(self: &Arc<Self>, secret: &Secret) -> Result<Player, Problem> {
        self.members.identity.enter(secret, &**self).await
    }
}
