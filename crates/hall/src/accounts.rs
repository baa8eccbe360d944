//! Work on accounts besides requests: sessions end on every connection at once, and what a closed account leaves is
//! tidied up.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use edge::network::{Network, Payer};
use people::Secret;
use store::StoreError;
use tables::cluster::talk::Word;

use crate::hall::Hall;

/// The most time for which a sign-in waits for the games that the person played as a guest.
const BRINGS: Duration = Duration::from_secs(2);

impl Hall {
    /// Forgets what is remembered about a person whose name, sessions or tokens have changed, and has each of their
    /// connections check that it is still signed in.
    pub fn changed(&self, person: &str) {
        if let Some(cluster) = &self.cluster {
            cluster.tell_all(Word::Changed { person: person.to_owned() });
        }
        self.changed_here(person);
    }

    /// The part of [`Hall::changed`] for this node's own connections of that person.
    pub(crate) fn changed_here(&self, person: &str) {
        self.members.identity.changed(person);
    }

    /// Ends when the secret of a connection is no longer valid; with `network`, also when the person is kept out on
    /// requests from there.
    pub async fn until_signed_out(
        self: Arc<Self>,
        person: String,
        secret: Option<Secret>,
        network: Option<Network>,
    ) {
        self.members.until_signed_out(person, secret, network, &*self).await;
    }

    /// Ends the open games of closed accounts, and takes their names out of the logs. Goes on where an earlier run stopped.
    pub async fn finish_closing(self: &Arc<Self>) {
        for person in self.store.accounts.closing().await.unwrap_or_default() {
            self.leave_games(&person).await;
            self.forget_in_puzzles(&person).await;
            if let Err(why) = self.scrub(&person).await {
                tracing::warn!(%why, "the name of a closed account is still in logs");
            }
        }
    }

    /// Gives the games and maps of a guest to an account. A few games are moved when this returns; many follow in the
    /// background.
    pub(crate) async fn bring(self: &Arc<Self>, guest: &str, account: &str) {
        if let Err(why) = self.store.accounts.merge(guest, account).await {
            tracing::warn!(%why, "a guest's games stay with the guest");
            return;
        }
        // Nothing is added from now on.
        self.changed(guest);
        let (hall, guest, account) = (Arc::clone(self), guest.to_owned(), account.to_owned());
        let moving = tokio::spawn(async move { hall.merge_all(&guest, &account).await });
        let _ = tokio::time::timeout(BRINGS, moving).await;
    }

    /// Continues to give guests' games to accounts where an earlier run stopped.
    pub async fn finish_merging(self: &Arc<Self>) {
        for (guest, account) in self.store.accounts.merging().await.unwrap_or_default() {
            self.merge_all(&guest, &account).await;
        }
    }

    async fn merge_all(self: &Arc<Self>, guest: &str, account: &str) {
        self.follow_in_puzzles(guest, account).await;
        loop {
            match self.store.accounts.merge_part(guest).await {
                Ok(Some(tables)) => {
                    for table in &tables {
                        self.tables.reload(table).await;
                    }
                }
                Ok(None) => return,
                Err(why) => return tracing::warn!(%why, "some of a guest's games wait with the guest"),
            }
        }
    }

    async fn scrub(self: &Arc<Self>, person: &str) -> Result<(), StoreError> {
        loop {
            let tables = self.store.accounts.scrub(person).await?;
            if tables.is_empty() {
                return Ok(());
            }
            for table in &tables {
                self.tables.reload(table).await;
            }
            self.rename_in_library(tables).await;
        }
    }

    /// Leaves the tables that wait, and gives up the games that are on: the other side wins where both have moved.
    pub(crate) async fn leave_games(&self, person: &str) {
        const AT_ONCE: u32 = 100;
        let mut done = HashSet::new();
        loop {
            let open = self.store.tables.playing(person, AT_ONCE).await.unwrap_or_default();
            let new: Vec<String> = open.into_iter().filter(|id| done.insert(id.clone())).collect();
            if new.is_empty() {
                return;
            }
            for table in new {
                self.tables.leave(&table, person, Payer::Hall).await;
            }
        }
    }
}
