//! The people on vacation: their clocks stand still in slow games.
//!
//! The store has them as well; this copy is for the check at every move of a slow game.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use edge::time::Time;
use kernel::Problem;
use people::vacation::{NoVacation, Vacation};
use store::{Store, StoreError};
use wire::VacationTold;

use crate::accounts::has_account;
use crate::handed::Handed;

/// The people on vacation.
pub struct Vacations {
    store: Arc<Store>,
    time: Time,
    away: Away,
}

/// The people on vacation, by public id.
#[derive(Debug, Default)]
struct Away(RwLock<HashMap<String, Vacation>>);

/// A vacation that has begun or ended.
pub struct VacationChange {
    /// The state of the vacation now.
    pub now: VacationTold,
    /// The tables at which a clock stands still or goes on, which have to be told.
    pub tables: Vec<String>,
}

impl Away {
    fn is_away(&self, person: &str) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).contains_key(person)
    }

    fn since_ms(&self, person: &str) -> Option<u64> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(person)?.since_ms
    }

    fn set_all(&self, away: Vec<(String, Vacation)>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = away.into_iter().collect();
    }

    fn set(&self, person: &str, vacation: Vacation) {
        let mut away = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if vacation.since_ms.is_some() {
            away.insert(person.to_owned(), vacation);
        } else {
            away.remove(person);
        }
    }

    fn over(&self, now_ms: u64) -> Vec<String> {
        let away = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let is_over = |vacation: &Vacation| vacation.ends_ms().is_some_and(|ends| ends <= now_ms);
        away.iter().filter(|(_, vacation)| is_over(vacation)).map(|(person, _)| person.clone()).collect()
    }
}

impl Vacations {
    /// Creates it without a vacation; those of the store are [read](Vacations::load) when the hall opens.
    #[must_use]
    pub(crate) fn new(handed: &Handed) -> Vacations {
        Vacations { store: Arc::clone(&handed.store), time: handed.time.clone(), away: Away::default() }
    }

    /// Returns true if that person is on vacation.
    #[must_use]
    pub fn is_away(&self, person: &str) -> bool {
        self.away.is_away(person)
    }

    /// Returns the start of their vacation, in Unix milliseconds.
    #[must_use]
    pub fn since_ms(&self, person: &str) -> Option<u64> {
        self.away.since_ms(person)
    }

    /// Returns the people whose vacations are used up.
    #[must_use]
    pub fn over(&self) -> Vec<String> {
        self.away.over(self.time.now_ms())
    }

    /// Reads all vacations of the store, as after opening, and after another node has changed one.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn load(&self) -> Result<(), StoreError> {
        self.away.set_all(self.store.slow.on_vacation().await?);
        Ok(())
    }

    /// Returns the state of a person's vacation.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn of(&self, person: &str) -> Result<VacationTold, Problem> {
        Ok(self.told(self.stored(person).await?))
    }

    fn told(&self, vacation: Vacation) -> VacationTold {
        VacationTold {
            away: vacation.since_ms.is_some(),
            ends_ms: vacation.ends_ms(),
            left_ms: vacation.left_ms(self.time.now_ms()),
        }
    }

    async fn stored(&self, person: &str) -> Result<Vacation, Problem> {
        let found = self.store.slow.vacation(person).await.map_err(|why| {
            tracing::error!(%why, "a vacation cannot be read");
            Problem::new("hall-busy")
        })?;
        Ok(found.unwrap_or_else(|| Vacation::unused(self.time.now_ms())))
    }

    /// Starts a vacation; a person who is on vacation stays there.
    ///
    /// # Errors
    /// `vacation-needs-account`, `vacation-used-up`, `not-stored`.
    pub async fn start(&self, person: &str) -> Result<VacationChange, Problem> {
        if !has_account(&self.store, person).await? {
            return Err(Problem::new("vacation-needs-account"));
        }
        let vacation = self.stored(person).await?;
        match vacation.start(self.time.now_ms()) {
            Ok(begun) => self.set(person, vacation, begun).await,
            Err(NoVacation::Already) => Ok(self.unchanged(vacation)),
            Err(NoVacation::UsedUp) => Err(Problem::new("vacation-used-up")),
        }
    }

    /// Ends a person's vacation.
    ///
    /// # Errors
    /// `not-stored`.
    pub async fn stop(&self, person: &str) -> Result<VacationChange, Problem> {
        let vacation = self.stored(person).await?;
        if vacation.since_ms.is_none() {
            return Ok(self.unchanged(vacation));
        }
        self.set(person, vacation, vacation.stop(self.time.now_ms())).await
    }

    fn unchanged(&self, vacation: Vacation) -> VacationChange {
        VacationChange { now: self.told(vacation), tables: Vec::new() }
    }

    async fn set(&self, person: &str, before: Vacation, after: Vacation) -> Result<VacationChange, Problem> {
        // First here: what a table writes down meanwhile is right already.
        self.away.set(person, after);
        match self.store.slow.set_vacation(person, after, self.time.now_ms()).await {
            Ok(tables) => Ok(VacationChange { now: self.told(after), tables }),
            Err(why) => {
                tracing::error!(%why, "a vacation was not stored");
                self.away.set(person, before);
                Err(Problem::new("not-stored"))
            }
        }
    }
}
