//! Members of a hall: accounts, the ways to sign in, letters, and notices.
//!
//! Nothing here knows a move or a request. What the crate needs of the hall is [`handed`] down; its errors are
//! problems, which the hall turns into HTTP.
//!
//! Reading order: [`client`] (the device of a request), [`questions`] (questions that wait for their answers, and
//! devices that wait to be signed in), [`accounts`], [`identity`] (the people behind secrets), [`openid`] (accounts
//! elsewhere), [`mail`] (letters), [`notices`] (messages to people who look elsewhere), [`staff`] (its decisions, and
//! the rules in force), [`moderation`] (reports), [`relations`], [`challenges`], [`vacations`], [`neighbours`] (who
//! plays rated games with whom how often), [`trust`] (https to other servers), [`hidden`] (secrets among the
//! settings), [`failed`] (problems for a store that fails).

use std::sync::Arc;

use edge::network::Network;
use edge::time::Time;
use people::Secret;
use tokio::sync::broadcast::error::RecvError;

use accounts::Accounts;
use challenges::Challenges;
use handed::Handed;
use identity::{Identity, Recognized, ReloadsTables};
use mail::Letters;
use moderation::Moderation;
use neighbours::Neighbours;
use notices::Notices;
use relations::Relations;
use staff::Staffed;
use vacations::Vacations;

pub mod accounts;
pub mod challenges;
pub mod client;
pub mod failed;
pub mod handed;
pub mod hidden;
pub mod identity;
pub mod mail;
pub mod moderation;
pub mod neighbours;
pub mod notices;
pub mod openid;
pub mod questions;
pub mod relations;
pub mod staff;
pub mod trust;
pub mod vacations;

/// The members of a hall.
pub struct Members {
    time: Time,
    /// Relations between people.
    pub relations: Relations,
    /// Challenges between people.
    pub challenges: Challenges,
    /// The decisions of the staff, as far as they are in force.
    pub staffed: Staffed,
    /// Reports and decisions about people.
    pub moderation: Moderation,
    /// The people behind secrets.
    pub identity: Identity,
    /// Accounts, as far as they need no table.
    pub accounts: Accounts,
    /// The addresses of people, and the pairs that began rated games.
    pub neighbours: Neighbours,
    /// The vacations of people in slow games.
    pub vacations: Vacations,
    /// Notices to people who are not looking at the page.
    pub notices: Arc<Notices>,
    /// Letters to people.
    pub letters: Letters,
}

impl Members {
    /// Creates the members of a hall.
    #[must_use]
    pub fn new(handed: &Handed) -> Members {
        let notices = Arc::new(Notices::new(handed));
        Members {
            time: handed.time.clone(),
            relations: Relations::new(handed),
            challenges: Challenges::new(handed),
            staffed: Staffed::new(handed),
            moderation: Moderation::new(handed),
            identity: Identity::new(handed),
            accounts: Accounts::new(handed),
            neighbours: Neighbours::new(handed),
            vacations: Vacations::new(handed),
            letters: Letters::new(handed, Arc::clone(&notices)),
            notices,
        }
    }

    /// Stores and sends notices for as long as the hall is open.
    pub async fn keep_noticing(&self) {
        self.notices.keep(self.letters.is_open()).await;
    }

    /// Ends when the secret of a connection is no longer valid; with `network`, also when the person is kept out on
    /// requests from there.
    pub async fn until_signed_out(
        &self,
        person: String,
        secret: Option<Secret>,
        network: Option<Network>,
        tables: &dyn ReloadsTables,
    ) {
        let mut told = self.identity.changes();
        let lagged = |why| match why {
            RecvError::Lagged(_) => Ok(None),
            RecvError::Closed => Err(why),
        };
        let Some(secret) = secret else { return std::future::pending().await };
        let mut rules = self.staffed.watch();
        loop {
            rules.mark_unchanged();
            // At once, too: it may have happened while the connection began. A store that fails signs no one
            // out.
            let expires_ms = match Box::pin(self.identity.known(&secret, tables)).await {
                Ok(None) => return,
                Ok(Some(known)) if self.keeps_out(&known, network).await => return,
                Ok(Some(known)) => known.token.map(|token| token.expires_ms),
                Err(_) => None,
            };
            let expired = async {
                match expires_ms {
                    Some(at_ms) => tokio::time::sleep_until(self.time.instant(at_ms)).await,
                    None => std::future::pending().await,
                }
            };
            let about_me = async {
                while let Ok(about) = told.recv().await.map(Some).or_else(lagged) {
                    if about.is_none_or(|about| about == person) {
                        break;
                    }
                }
            };
            tokio::select! {
                () = expired => {}
                () = about_me => {}
                Ok(()) = rules.changed(), if network.is_some() => {}
            }
        }
    }

    async fn keeps_out(&self, known: &Recognized, network: Option<Network>) -> bool {
        match network {
            // A store that fails keeps no one out.
            Some(network) => {
                self.staffed.may_act(Some(known), network).await.is_err_and(|why| why.key != "hall-busy")
            }
            None => false,
        }
    }
}
