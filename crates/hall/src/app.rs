//! The state that all requests share.

use std::sync::Arc;

use edge::connections::Connections;
use edge::network::{Asker, Network};
use edge::reach::Reach;
use edge::workers::{Deadline, Place, Workers};
use members::openid::{OpenId, Provider};
use members::questions::Questions;
use people::cookie::Jar;
use people::passkey::{Adding, Passkeys, Using};

use crate::hall::Hall;
use crate::health::Health;
use crate::links::drawn::Drawings;
use crate::refusal::Refusal;
use crate::tv::Tv;

/// The state of the router: one for each running hall, cloned for each request.
#[derive(Clone)]
pub struct App {
    /// The tables, people and settings of this hall.
    pub hall: Arc<Hall>,
    /// The addresses at which the hall is reached.
    pub reach: Arc<Reach>,
    /// Work that takes long.
    pub workers: Arc<Workers>,
    /// Open WebSockets by address.
    pub connections: Arc<Connections<Network>>,
    /// Open WebSockets by person.
    pub sockets: Arc<Connections<String>>,
    /// Open streams by person.
    pub streams: Arc<Connections<String>>,
    /// Bytes of large answers that are on their way, by address.
    pub answers: Arc<Connections<Network>>,
    /// Open analyses by address.
    pub analyses: Arc<Connections<Network>>,
    /// Open analyses by person.
    pub analysts: Arc<Connections<String>>,
    /// The check that the store can write.
    pub health: Arc<Health>,
    /// The provider of accounts elsewhere; none where they do not count.
    pub openid: Arc<Provider>,
    /// Asks browsers for passkeys; `None` where they make none.
    pub passkeys: Option<Arc<Passkeys>>,
    /// Passkeys that browsers were asked to make, and for whom.
    pub adding: Questions<(String, Adding)>,
    /// Passkeys that browsers were asked for.
    pub using: Questions<Using>,
    /// The games most worth watching.
    pub tv: Arc<Tv>,
    /// Pictures that were drawn last.
    pub drawings: Arc<Drawings>,
}

impl App {
    /// Creates the state for a hall that has just been opened.
    #[must_use]
    pub fn new(hall: Arc<Hall>, reach: Reach, openid: Option<OpenId>) -> App {
        let own = reach.tls.then_some("https://localhost");
        let passkeys = Passkeys::new(reach.public_url.as_deref().or(own)).map(Arc::new);
        let drawings = Arc::new(Drawings::new(hall.limits.pictures_bytes));
        App {
            workers: Arc::new(Workers::new(&hall.limits)),
            hall,
            openid: Arc::new(Provider::new(openid)),
            passkeys,
            adding: Questions::of("passkey-new"),
            using: Questions::of("passkey"),
            tv: Arc::default(),
            drawings,
            reach: Arc::new(reach),
            connections: Arc::default(),
            sockets: Arc::default(),
            streams: Arc::default(),
            answers: Arc::default(),
            analyses: Arc::default(),
            analysts: Arc::default(),
            health: Arc::default(),
        }
    }

    /// Returns the names of the hall's cookies.
    #[must_use]
    pub fn jar(&self) -> Jar<'_> {
        Jar { secure: self.reach.is_secure(), path: self.reach.prefix() }
    }

    /// Waits for a place for work that takes long.
    ///
    /// # Errors
    /// 429, on the asker's own account.
    pub async fn place(&self, asker: &Asker) -> Result<Place, Refusal> {
        Ok(self.workers.place(&self.hall.rates, asker).await?)
    }

    /// Runs work that takes long and needs no state of the hall.
    ///
    /// # Errors
    /// 429, on the asker's own account; 503 when it was given up.
    pub async fn work<T: Send + 'static>(
        &self,
        asker: &Asker,
        work: impl FnOnce(&Deadline) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        Ok(self.place(asker).await?.run(work).await?)
    }
}
