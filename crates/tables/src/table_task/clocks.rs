//! The clocks of a table: they are set when the table is read, held on vacation and while the store is away, and judged
//! when their time is up.

use std::time::Duration;

use kernel::Side;
use store::Asleep;
use table::Event;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::commit::Committed;
use super::{AGAIN, QUEUE, Table, Why};
use crate::ask::Ask;
use crate::asleep::deadline;
use crate::cluster::talk::TableNews;

/// The time that moves which have arrived get to come through, before a flag is judged.
const LAST_CALL: Duration = Duration::from_millis(30);

impl Table {
    /// Sets the clock of a table that was unloaded. While it was, its clock ran on; while the hall was away, no clock
    /// ran.
    pub(super) async fn wake(&mut self, asleep: Option<Asleep>) -> Result<(), Why> {
        self.load_plans().await?;
        if self.state.first.is_some() {
            return self.wake_first_turn(asleep).await;
        }
        if self.state.clock.running().is_none() {
            return Ok(());
        }
        let time = &self.context.time;
        let (began_ms, now_ms) = (time.start_ms(), time.now_ms());
        if asleep.is_some() || self.state.is_slow() {
            self.start_as(asleep);
            // A slow game that was opened just now, or by a hall that kept no deadlines.
            if let (None, Some(asleep)) = (asleep, self.deadline(now_ms)) {
                return self.context.store.tables.sleep(&self.state.id, asleep).await.map_err(|_| Why::Lost);
            }
            return Ok(());
        }
        let since_ms = self.state.at_ms;
        if since_ms >= began_ms && self.adopted.is_none() {
            self.state.clock.start(now_ms);
            return Ok(());
        }
        // What the side to move had thought when the hall was seen last is charged; the outage is not.
        let seen_ms = self.adopted.or_else(|| self.context.store.pulse.last_beat()).unwrap_or(0);
        let thought_ms = seen_ms.saturating_sub(since_ms);
        match self.commit(Event::Pause, Some(thought_ms), None, now_ms).await? {
            Committed::Done => Ok(()),
            // Not written down, the time away would be charged after all.
            _ => Err(Why::Lost),
        }
    }

    /// Sets the time for a first move of a table that was unloaded. After an outage of the hall it begins again, and
    /// the players are not blamed for what follows.
    async fn wake_first_turn(&mut self, asleep: Option<Asleep>) -> Result<(), Why> {
        let time = &self.context.time;
        let since_ms = asleep.map_or(self.state.at_ms, |asleep| asleep.since_ms);
        // When it was told last; what is written down is moved by the time that the hall was away.
        if self.state.at_ms > time.start_ms() && self.adopted.is_none() {
            self.state.start_first_turn(since_ms);
            return Ok(());
        }
        self.first_turn_anew(time.now_ms()).await
    }

    /// Starts the time for a first move again; no player is blamed for what follows.
    async fn first_turn_anew(&mut self, now_ms: u64) -> Result<(), Why> {
        if let Some(first) = &mut self.state.first {
            first.since_ms = Some(now_ms);
        }
        self.excused = Some(self.state.record.len());
        let Some(asleep) = self.deadline(now_ms) else { return Ok(()) };
        self.context.store.tables.sleep(&self.state.id, asleep).await.map_err(|_| Why::Lost)
    }

    /// Starts the clock of a table that was read: from the stored time, or from now on.
    pub(super) fn start_as(&mut self, asleep: Option<Asleep>) {
        let now_ms = self.context.time.now_ms();
        let clock = &mut self.state.clock;
        clock.start(asleep.map_or(now_ms, |asleep| asleep.since_ms));
        if let Some(held_ms) = asleep.and_then(|asleep| asleep.held_ms) {
            clock.hold(held_ms);
        }
        // What was wished meanwhile could not be kept.
        self.state.start_first_turn(now_ms);
        self.excused = Some(self.state.record.len());
        self.hold_or_resume(now_ms);
    }

    /// Stops the clock of a player on vacation in a slow game, or resumes it. Returns true if that has changed
    /// something.
    pub(super) fn hold_or_resume(&mut self, now_ms: u64) -> bool {
        let state = &mut self.state;
        let Some(side) = state.clock.running().filter(|_| state.setup.clock.days_a_move().is_some()) else {
            return false;
        };
        let player = state.seats[side.index()].as_ref();
        let is_away = player.is_some_and(|player| self.context.persons.is_away(&player.id));
        match (is_away, state.clock.held_ms()) {
            (true, None) => state.clock.hold(now_ms),
            (false, Some(_)) => state.clock.resume(now_ms),
            _ => return false,
        }
        true
    }

    /// Returns the deadline of the side to move, in a slow game that goes on and before a first move; if the player
    /// has not been told yet, it counts from `now_ms` on.
    pub(super) fn deadline(&self, now_ms: u64) -> Option<Asleep> {
        deadline(&self.state, now_ms)
    }

    /// Stops the clocks while the store is away, and starts them when it is back; the time between is charged to no
    /// player.
    pub(super) async fn mind_outage(&mut self) -> Result<(), Why> {
        let now = self.context.outages.last();
        let is_over = now.over != self.outage.over;
        self.outage = now;
        if !self.state.is_on() {
            return Ok(());
        }
        if is_over && let Some(to_ms) = now.to_ms {
            self.after_outage(now.from_ms, to_ms).await?;
        }
        if now.lasts() && self.state.clock.running().is_some() && !self.state.is_slow() {
            self.state.clock.hold(now.from_ms);
            // Not the edges: they would look into the store.
            self.audience.tell_anew();
        }
        Ok(())
    }

    /// The store was away from then to then.
    async fn after_outage(&mut self, from_ms: u64, to_ms: u64) -> Result<(), Why> {
        let now_ms = self.context.time.now_ms();
        // Who was cut off could not come back.
        Side::BOTH.into_iter().for_each(|side| self.state.note_here(side, true, now_ms));
        self.note_who_is_gone();
        if self.state.first.is_some() {
            let begun = self.first_turn_anew(now_ms).await;
            self.tell_edges(&TableNews::Anew);
            self.audience.tell_anew();
            return begun;
        }
        if self.state.is_slow() {
            // Its clock lies in the store, and was moved there.
            return self.read_anew().await;
        }
        if self.state.clock.since_ms().is_none_or(|since_ms| since_ms >= to_ms) {
            return Ok(());
        }
        self.state.clock.hold(from_ms);
        let thought_ms = self.state.clock.cost(to_ms, 0);
        self.commit(Event::Pause, Some(thought_ms), None, now_ms).await.map(|_| ())
    }

    /// Stores the time since when the clock runs, if it does, so that the hall opens the table at the deadline.
    pub(super) async fn fell_asleep(&mut self) -> bool {
        let clock = &self.state.clock;
        // That of a slow game is written down already, and so is the time for a first move.
        if self.state.is_slow() || self.state.first.is_some() {
            return true;
        }
        let (Some(since_ms), Some(deadline_ms)) = (clock.since_ms(), clock.deadline_ms()) else {
            return true;
        };
        let asleep = Asleep::until(since_ms, deadline_ms + clock.grace_ms());
        self.context.store.tables.sleep(&self.state.id, asleep).await.is_ok()
    }

    /// Judges a flag. It never beats a move that had arrived: the queue is answered first, and messages still in a
    /// socket get a moment to come through.
    pub(super) async fn judge_flag(
        &mut self,
        now: Instant,
        queue: &mut mpsc::Receiver<Ask>,
    ) -> Result<(), Why> {
        if self.fallen().is_none() {
            self.flag_due = None;
            return Ok(());
        }
        if *self.flag_due.get_or_insert(now + LAST_CALL) > now {
            return Ok(());
        }
        for _ in 0..QUEUE {
            let Ok(ask) = queue.try_recv() else { break };
            self.answer(ask).await?;
        }
        self.flag_due = None;
        let Some(by) = self.fallen() else { return Ok(()) };
        let now_ms = self.context.time.now_ms();
        let event = self.state.time_is_up(by);
        if !matches!(self.commit(event, None, None, now_ms).await?, Committed::Done) {
            self.again = Some(Instant::now() + AGAIN);
        }
        Ok(())
    }

    fn fallen(&self) -> Option<Side> {
        if self.outage.lasts() {
            return None;
        }
        table::decide::fallen(&self.state, self.context.time.now_ms())
    }
}
