//! Vacations at the tables: their clocks stand still in slow games.

use kernel::Problem;
use members::vacations::VacationChange;
use store::StoreError;
use tables::ask::Ask;
use wire::VacationTold;

use crate::hall::Hall;

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
        self.members.vacations.load().await
    }

    /// Starts a vacation, and stops the clocks of the person's tables.
    ///
    /// # Errors
    /// `vacation-needs-account`, `vacation-used-up`, `not-stored`.
    pub async fn start_vacation(&self, person: &str) -> Result<VacationTold, Problem> {
        let change = self.members.vacations.start(person).await?;
        Ok(self.tell_of_vacation(change).await)
    }

    /// Ends a person's vacation, and starts the clocks of their tables.
    ///
    /// # Errors
    /// `not-stored`.
    pub async fn stop_vacation(&self, person: &str) -> Result<VacationTold, Problem> {
        let change = self.members.vacations.stop(person).await?;
        Ok(self.tell_of_vacation(change).await)
    }

    async fn tell_of_vacation(&self, change: VacationChange) -> VacationTold {
        for id in change.tables {
            self.tables.tell_table(&id, || Ask::Vacation).await;
        }
        change.now
    }

    /// Ends the vacations that are used up.
    pub async fn end_vacations(&self) {
        for person in self.members.vacations.over() {
            if let Err(why) = self.stop_vacation(&person).await {
                tracing::warn!(why = why.key, "a vacation that is over was not ended");
            }
        }
    }
}
