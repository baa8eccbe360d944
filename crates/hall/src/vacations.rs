//! The people on vacation: their clocks stand still in slow games.
//!
//! The store has them as well; this copy is for the check at every move of a slow game.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use kernel::Problem;
use people::vacation::{NoVacation, Vacation};
use store::StoreError;
use tables::ask::Ask;
use tables::persons::Persons as _;
use wire::VacationTold;

use crate::hall::Hall;

/// The people on vacation, by public id.
#[derive(Debug, Default)]
pub struct Vacations(RwLock<HashMap<String, Vacation>>);

impl Vacations {
    /// Returns true if that person is on vacation.
    #[must_use]
    pub fn is_away(&self, person: &str) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).contains_key(person)
    }

    /// Returns the start of their vacation, in Unix milliseconds.
    #[must_use]
    pub fn since_ms(&self, person: &str) -> Option<u64> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(person)?.since_ms
    }

    /// Replaces all vacations with those of the store, as after another node has changed one.
    pub(crate) fn set_all(&self, away: Vec<(String, Vacation)>) {
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

impl Hall {
    /// Takes the time in which the hall was closed out of all clocks, and loads the vacations; called once after
    /// opening.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn resume(&self) -> Result<(), StoreError> {
        if !self.store.condition.is_read_only() {
            let away_ms = self.store.pulse.resume(self.time.start_ms()).await?;
            tracing::debug!(away_ms, "clocks of sleeping tables go on");
        }
        for (person, vacation) in self.store.slow.on_vacation().await? {
            self.vacations.set(&person, vacation);
        }
        Ok(())
    }

    /// Returns the state of a person's vacation.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn vacation(&self, person: &str) -> Result<VacationTold, Problem> {
        Ok(self.told(self.vacation_of(person).await?))
    }

    fn told(&self, vacation: Vacation) -> VacationTold {
        VacationTold {
            away: vacation.since_ms.is_some(),
            ends_ms: vacation.ends_ms(),
            left_ms: vacation.left_ms(self.time.now_ms()),
        }
    }

    async fn vacation_of(&self, person: &str) -> Result<Vacation, Problem> {
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
    pub async fn start_vacation(&self, person: &str) -> Result<VacationTold, Problem> {
        self.table_people.has_account(person).await.map_err(|why| match why.key {
            "rated-needs-account" => Problem::new("vacation-needs-account"),
            _ => why,
        })?;
        let vacation = self.vacation_of(person).await?;
        match vacation.start(self.time.now_ms()) {
            Ok(begun) => self.set_vacation(person, vacation, begun).await,
            Err(NoVacation::Already) => Ok(self.told(vacation)),
            Err(NoVacation::UsedUp) => Err(Problem::new("vacation-used-up")),
        }
    }

    /// Ends a person's vacation.
    ///
    /// # Errors
    /// `not-stored`.
    pub async fn stop_vacation(&self, person: &str) -> Result<VacationTold, Problem> {
        let vacation = self.vacation_of(person).await?;
        if vacation.since_ms.is_none() {
            return Ok(self.told(vacation));
        }
        self.set_vacation(person, vacation, vacation.stop(self.time.now_ms())).await
    }

    async fn set_vacation(
        &self,
        person: &str,
        before: Vacation,
        after: Vacation,
    ) -> Result<VacationTold, Problem> {
        let now_ms = self.time.now_ms();
        // First here: what a table writes down meanwhile is right already.
        self.vacations.set(person, after);
        let tables = match self.store.slow.set_vacation(person, after, now_ms).await {
            Ok(tables) => tables,
            Err(why) => {
                tracing::error!(%why, "a vacation was not stored");
                self.vacations.set(person, before);
                return Err(Problem::new("not-stored"));
            }
        };
        for id in tables {
            self.tables.tell_table(&id, || Ask::Vacation).await;
        }
        Ok(self.told(after))
    }

    /// Ends the vacations that are used up.
    pub async fn end_vacations(&self) {
        for person in self.vacations.over(self.time.now_ms()) {
            if let Err(why) = self.stop_vacation(&person).await {
                tracing::warn!(why = why.key, "a vacation that is over was not ended");
            }
        }
    }
}
