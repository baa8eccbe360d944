//! The staff: its decisions about people, addresses and maps, and the rules for registration.
//!
//! [`desk`] carries the actions of the staff out, with nothing but the store, so that `qiguan admin` does the same
//! whether a hall runs or not. The rules in force ([`rules`]) are in the database; each hall, and each node of one,
//! keeps a copy ([`Staffed`]), which it reads again when it is notified of a change, and checks every two seconds.

pub mod desk;
pub mod rules;
pub mod worker_keys;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use edge::network::Network;
use edge::time::Time;
use kernel::Problem;
use people::staff::Registration;
use store::staff::{Ban, Logged};
use store::{Store, StoreError, StoredPersonKind};
use tokio::sync::watch;

use crate::failed::busy;
use crate::handed::Handed;
use crate::identity::Recognized;
use desk::code_hash;
use rules::{Rules, moment, taken_down};

/// The most lines of the log that are read at once.
const NEWS: u32 = 200;
const DAY_MS: u64 = 86_400_000;

/// The rules in force, and the position in the staff's log up to which they are applied.
pub struct Staffed {
    store: Arc<Store>,
    time: Time,
    rules: watch::Sender<Arc<Rules>>,
    heeded: AtomicU64,
    /// A lock, so that one check runs at a time.
    looking: tokio::sync::Mutex<()>,
}

impl Staffed {
    /// Creates the copy without a rule; those of the store are [read](Staffed::open) when the hall opens.
    #[must_use]
    pub(crate) fn new(handed: &Handed) -> Staffed {
        Staffed {
            store: Arc::clone(&handed.store),
            time: handed.time.clone(),
            rules: watch::channel(Arc::default()).0,
            heeded: AtomicU64::new(0),
            looking: tokio::sync::Mutex::default(),
        }
    }

    /// Returns the rules in force.
    #[must_use]
    pub fn rules(&self) -> Arc<Rules> {
        Arc::clone(&self.rules.borrow())
    }

    /// Returns a receiver of the rules in force and their changes.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Arc<Rules>> {
        self.rules.subscribe()
    }

    /// Tells whether games may be begun on a map, and its puzzles be shown.
    ///
    /// # Errors
    /// `map-taken-down`, with the `reason`.
    pub fn may_begin_on(&self, map: &str) -> Result<(), Problem> {
        self.rules().down(map).map_or(Ok(()), |down| Err(taken_down(down)))
    }

    /// Checks that a person may act now: they are not suspended, and their address is not banned. `known` is `None`
    /// for a person without a session.
    ///
    /// # Errors
    /// `suspended` and `banned`, with the end (`until`) and the `reason`; `hall-busy` when the store fails.
    pub async fn may_act(&self, known: Option<&Recognized>, network: Network) -> Result<(), Problem> {
        let (rules, now_ms) = (self.rules(), self.time.now_ms());
        if let Some(known) = known
            && let Some(one) = rules.suspension(&known.player.id, now_ms)
        {
            let problem = Problem::new("suspended").with("until", moment(one.until_ms));
            return Err(problem.with("reason", &one.reason));
        }
        let Some(ban) = rules.ban(network.address(), now_ms) else { return Ok(()) };
        if let Some(known) = known.filter(|known| known.kind != StoredPersonKind::Guest)
            && self.is_spared(&known.player.id, ban, now_ms).await.map_err(busy)?
        {
            return Ok(());
        }
        Err(Problem::new("banned").with("until", moment(ban.until_ms)).with("reason", &ban.reason))
    }

    /// Returns true if an account is exempt from a ban: it is the staff's, or older than the ban asks for.
    async fn is_spared(&self, person: &str, ban: &Ban, now_ms: u64) -> Result<bool, StoreError> {
        if let Some(days) = ban.spares_days {
            let since_ms = self.store.staff.account_since(person).await?;
            if now_ms.saturating_sub(since_ms) > u64::from(days) * DAY_MS {
                return Ok(true);
            }
        }
        let account = self.store.accounts.account(store::Find::Id(person)).await?;
        Ok(account.is_some_and(|account| !account.roles.is_empty()))
    }

    /// Reads the rules in force, before any person is admitted.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn open(&self) -> Result<(), StoreError> {
        let newest = self.store.staff.staff_log(store::staff::LogOf::default(), 1).await?;
        self.heeded.store(newest.first().map_or(0, |line| line.n), Ordering::Relaxed);
        let house = self.store.staff.house(self.time.now_ms()).await?;
        self.rules.send_replace(Arc::new(Rules::new(house)));
        Ok(())
    }

    /// Reads the rules in force after an action of the staff, and passes the lines about it to `heed`, which applies
    /// them.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn look(&self, heed: impl Fn(&Logged)) -> Result<(), StoreError> {
        let _one = self.looking.lock().await;
        let version = self.store.staff.staff_version().await?;
        if version == self.rules().house().version {
            return Ok(());
        }
        let house = self.store.staff.house(self.time.now_ms()).await?;
        self.rules.send_replace(Arc::new(Rules::new(house)));
        loop {
            let news = self.store.staff.staff_news(self.heeded.load(Ordering::Relaxed), NEWS).await?;
            for line in &news {
                heed(line);
                self.heeded.store(line.n, Ordering::Relaxed);
            }
            if news.len() < NEWS as usize {
                return Ok(());
            }
        }
    }

    /// Checks that a person may make an account now; returns the hash of the code that admits them.
    ///
    /// # Errors
    /// `registration-closed`, `registration-invited` without a code.
    pub fn may_register(&self, code: Option<&str>) -> Result<Option<[u8; 32]>, Problem> {
        match self.rules().house().registration {
            Registration::Open => Ok(None),
            Registration::Closed => Err(Problem::new("registration-closed")),
            Registration::Invited => match code.map(str::trim).filter(|code| !code.is_empty()) {
                Some(code) => Ok(Some(code_hash(code))),
                None => Err(Problem::new("registration-invited")),
            },
        }
    }
}
