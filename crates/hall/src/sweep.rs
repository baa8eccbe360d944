//! Tables whose time runs out while they are not in memory: slow games are decided from the store, others are woken.
//!
//! The store lists due tables in order and nothing else, so that the cost of a round depends on what is due and not
//! on what sleeps. A slow game that is not in memory gets no task: its log is read, its end decided and written like
//! that of any other game, with its row and its ratings, and many of them go into one commit. A request that opens
//! the table meanwhile is first or second by the version of the log, never both.

use edge::network::Payer;
use futures_util::future::join_all;
use store::{Claim, StoreError, Stored};
use table::{Applied, Entry, State};

use crate::hall::{Hall, STRIKES};
use crate::remembered::finished;
use crate::table_task::deadline;

/// Due tables that are looked at with one query.
const PAGE: u32 = 512;
/// Tables that are decided at the same time; their ends go into one commit.
const AT_ONCE: usize = 128;

impl Hall {
    /// Decides or wakes all tables that are due. Returns their number.
    pub async fn sweep(&self) -> usize {
        // Whose time ran out while the store was away will get it back.
        if self.outages.last().lasts() {
            return 0;
        }
        let mut all = 0;
        loop {
            let due = self.store.tables.due(self.time.now_ms(), PAGE).await.unwrap_or_default();
            let mut settled = 0;
            for part in due.chunks(AT_ONCE) {
                let part = join_all(part.iter().map(|id| self.settle(id))).await;
                settled += part.into_iter().filter(|settled| *settled).count();
            }
            all += settled;
            // What is left is in memory, and judged there; or the store is in trouble.
            if settled == 0 {
                return all;
            }
        }
    }

    /// Handles a table that is due; returns false if another node owns it, or it has to wait.
    async fn settle(&self, id: &str) -> bool {
        if self.tables.is_in_memory(id) {
            return false;
        }
        // Another node that lives looks after its own.
        if !matches!(
            self.store.claims.claim(id).await,
            Ok(Claim::Kept | Claim::Taken { .. } | Claim::Adopted { .. })
        ) {
            return false;
        }
        let settled = match self.store.logs.load(id).await {
            Ok(Some(stored)) if is_slow(&stored) && stored.strikes < STRIKES => {
                self.decide_slow(id, stored).await
            }
            Ok(_) | Err(StoreError::Damaged(_)) => return self.wake_table(id).await,
            Err(why) => Err(why),
        };
        match settled {
            Ok(()) => true,
            Err(StoreError::Conflict | StoreError::Fenced) => true,
            Err(why) => {
                tracing::warn!(table = %id, %why, "a table whose time is up waits for the store");
                false
            }
        }
    }

    /// Opens a table, which then checks its own clock.
    async fn wake_table(&self, id: &str) -> bool {
        if let Err(why) = self.table(id, Payer::Hall).await {
            tracing::warn!(table = %id, ?why, "a table whose time is up cannot be opened");
            // It would stand at the head of the line for ever.
            return self.store.tables.wake(id).await.is_ok();
        }
        true
    }

    async fn decide_slow(&self, id: &str, stored: Stored) -> Result<(), StoreError> {
        let Stored { setup, log, asleep, .. } = stored;
        let Some(asleep) = asleep else { return Ok(()) };
        let Ok((mut state, _)) = self.replayed(id, setup, log, Payer::Hall).await else {
            tracing::error!(table = %id, "a stored table does not fit the rules");
            return self.store.tables.wake(id).await;
        };
        let now_ms = self.time.now_ms();
        state.clock.start(asleep.since_ms);
        let to_move = state.clock.running().and_then(|side| state.seats[side.index()].as_ref());
        if let Some(since_ms) = to_move.and_then(|player| self.members.vacations.since_ms(&player.id)) {
            state.clock.hold(since_ms);
        }
        let Some(by) = table::decide::fallen(&state, now_ms) else {
            return match deadline(&state, now_ms) {
                Some(asleep) => self.store.tables.sleep(id, asleep).await,
                None => self.store.tables.wake(id).await,
            };
        };
        let event = state.time_is_up(by);
        let entry = Entry { ver: state.ver + 1, at_ms: now_ms, cmd: None, spent_ms: None, event };
        let Ok(Applied { entry, standing: Some(standing), ended, .. }) = state.apply(entry) else {
            return self.store.tables.wake(id).await;
        };
        match ended {
            Some(game) => self.store.logs.finish(id, entry, standing, finished(*game)).await?,
            None => self.store.logs.append(id, entry, Some(standing)).await?,
        }
        self.has_ended(&state);
        Ok(())
    }

    /// Removes a finished game from the running positions and the lobby.
    fn has_ended(&self, state: &State) {
        self.running.note(state, self.limits.no_help_from_ply);
        self.lobby.remove_unless_waiting(&state.id);
        metrics::counter!("hall_slow_games_ended_total").increment(1);
    }

    /// Opens the tables at which a planned move was left unplayed when the hall stopped.
    pub async fn play_plans(&self) {
        const MOST: u32 = 1000;
        for id in self.store.slow.plans_due(MOST).await.unwrap_or_default() {
            self.wake_table(&id).await;
        }
    }
}

/// Returns true if that table can be decided without its task: the rules of a map would need a process of their own.
fn is_slow(stored: &Stored) -> bool {
    stored.setup.map.is_none() && stored.asleep.is_some_and(|asleep| asleep.turn.is_some())
}
