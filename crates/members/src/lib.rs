//! Members of a hall: accounts, the ways to sign in, letters, and notices.
//!
//! Nothing here knows a move or a request. What the crate needs of the hall is [`handed`] down; its errors are problems,
//! which the hall turns into HTTP.
//!
//! Reading order: [`client`] (the device of a request), [`questions`] (questions that wait for their answers, and devices
//! that wait to be signed in), [`openid`] (accounts elsewhere), [`mail`] (letters), [`notices`] (messages to people who
//! look elsewhere), [`trust`] (https to other servers), [`hidden`] (secrets among the settings), [`failed`] (problems for
//! a store that fails).

use std::sync::Arc;

use handed::Handed;
use mail::Letters;
use notices::Notices;

pub mod client;
pub mod failed;
pub mod handed;
pub mod hidden;
pub mod mail;
pub mod notices;
pub mod openid;
pub mod questions;
pub mod trust;

/// The members of a hall.
pub struct Members {
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
        Members { letters: Letters::new(handed, Arc::clone(&notices)), notices }
    }

    /// Stores and sends notices for as long as the hall is open.
    pub async fn keep_noticing(&self) {
        self.notices.keep(self.letters.is_open()).await;
    }
}
