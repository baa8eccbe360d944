//! Members of a hall: accounts, the ways to sign in, letters, and notices.
//!
//! Nothing here knows a move or a request. What the crate needs of the hall is [`handed`] down; its errors are problems,
//! which the hall turns into HTTP.
//!
//! Reading order: [`client`] (the device of a request), [`questions`] (questions that wait for their answers, and devices
//! that wait to be signed in), [`accounts`], [`identity`] (the people behind secrets), [`openid`] (accounts elsewhere), [`mail`] (letters), [`notices`] (messages to people who
//! look elsewhere), [`staff`] (its decisions, and the rules in force), [`moderation`] (reports), [`vacations`], [`neighbours`] (who plays rated games with whom how often), [`trust`] (https to other servers), [`hidden`] (secrets among the settings), [`failed`] (problems for
//! a store that fails).

use std::sync::Arc;

use accounts::Accounts;
use handed::Handed;
use identity::Identity;
use mail::Letters;
use moderation::Moderation;
use neighbours::Neighbours;
use notices::Notices;
use staff::Staffed;
use vacations::Vacations;

pub mod accounts;
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
pub mod staff;
pub mod trust;
pub mod vacations;

/// The members of a hall.
pub struct Members {
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
}
