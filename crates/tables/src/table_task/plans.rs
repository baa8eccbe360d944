//! Conditional moves: moves that players of slow games have planned are played as soon as they fit.

use kernel::Problem;
use store::slow::StoredPlan;
use table::{ActRequest, Decision, decide, plan};
use tokio::time::Instant;
use wire::Act;

use super::commit::Committed;
use super::{AGAIN, Table, Why};
use crate::ask::Planned;

/// The most planned moves that follow one another: of both players, each with a line of the greatest length.
const MOST_PLANNED: usize = 2 * plan::MOST_PLIES;

impl Table {
    /// Loads the plans of a slow table.
    pub(super) async fn load_plans(&mut self) -> Result<(), Why> {
        if self.state.is_slow() {
            self.plans = self.context.store.slow.plans(&self.state.id).await.map_err(|_| Why::Lost)?;
        }
        Ok(())
    }

    /// Stores a plan, if it was made for the current position.
    pub(super) async fn keep_plan(&mut self, planned: Planned) -> Result<(), Why> {
        let Planned { plan, reply } = planned;
        let kept = self.may_plan(&plan);
        let kept = match kept {
            Ok(()) => self.store_plan(plan).await,
            Err(why) => Err(why),
        };
        let _ = reply.send(kept);
        Ok(())
    }

    fn may_plan(&self, plan: &StoredPlan) -> Result<(), Problem> {
        let state = &self.state;
        if !state.is_slow() {
            return Err(Problem::new("plan-only-slow"));
        }
        if state.seats_of(&plan.person).is_empty() {
            return Err(Problem::new("not-your-seat"));
        }
        let stale = state.record.len() != plan.from_ply as usize && !plan.lines.is_empty();
        if stale { Err(Problem::new("stale")) } else { Ok(()) }
    }

    async fn store_plan(&mut self, plan: StoredPlan) -> Result<(), Problem> {
        if self.context.store.slow.set_plan(&self.state.id, plan.clone()).await.is_err() {
            return Err(Problem::new("not-stored"));
        }
        self.plans.retain(|other| other.person != plan.person);
        if !plan.lines.is_empty() {
            self.plans.push(plan);
        }
        Ok(())
    }

    /// Plays the moves that fit, and drops plans that the game has left. An offer of the other side is answered by a
    /// person first.
    pub(super) async fn follow_plans(&mut self) -> Result<(), Why> {
        if self.again.is_some() {
            return Ok(());
        }
        for _ in 0..=MOST_PLANNED {
            self.forget_plans().await;
            let turn = self.state.turn();
            if plan::waits(&self.state.offers, turn) {
                return Ok(());
            }
            let Some(who) = self.state.seats[turn.index()].clone() else { return Ok(()) };
            let Some(at) = self.plans.iter().position(|plan| plan.person == who.id) else { return Ok(()) };
            let plan = &self.plans[at];
            let next = plan::rest(plan.from_ply as usize, &plan.lines, &self.state.record).next();
            let Some(text) = next.map(|rest| rest[0].clone()) else { return Ok(()) };
            let now_ms = self.context.time.now_ms();
            let act = Act::Move { text, away: false };
            let wish =
                ActRequest { who: &who, ver: self.state.ver, arrived_ms: now_ms, lag_ms: 0, act: &act };
            let done = match decide(&self.state, wish) {
                Ok(Decision::Event(event, spent)) => self.commit(event, spent, None, now_ms).await?,
                // Its flag falls by itself.
                Ok(_) => return Ok(()),
                Err(why) => Committed::Illegal(why),
            };
            match done {
                Committed::Done | Committed::Before(_) => {}
                Committed::NotStored => {
                    self.again = Some(Instant::now() + AGAIN);
                    return Ok(());
                }
                // Nothing is wrong with it: its extensions got no time.
                Committed::Illegal(why) if why.key == "hall-busy" => {
                    self.again = Some(Instant::now() + AGAIN);
                    return Ok(());
                }
                Committed::Illegal(why) => {
                    tracing::warn!(table = %self.state.id, why = why.key, "a planned move is not legal; its plan is dropped");
                    let gone = StoredPlan { lines: Vec::new(), ..self.plans[at].clone() };
                    let _ = self.store_plan(gone).await;
                    return Ok(());
                }
            }
        }
        Err(Why::Failed("planned moves without end"))
    }

    /// Drops plans of a game that has ended, or has gone another way. While the other side is still in its turn, or
    /// may take a ply of it back, no plan is lost yet.
    async fn forget_plans(&mut self) {
        let state = &self.state;
        let lost = |plan: &StoredPlan| {
            let from = plan.from_ply as usize;
            let theirs = state.seats_of(&plan.person).contains(&state.turn());
            let fits = plan::rest(from, &plan.lines, &state.record).next().is_some();
            let done = plan.lines.iter().all(|line| from + line.len() <= state.record.len());
            state.end.is_some() || state.record.len() < from || !fits && (theirs || done)
        };
        let (gone, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.plans).into_iter().partition(lost);
        self.plans = kept;
        for plan in gone {
            // One that stays in the store fits the game no better later.
            let _ = self
                .context
                .store
                .slow
                .set_plan(&self.state.id, StoredPlan { lines: Vec::new(), ..plan })
                .await;
        }
    }
}
