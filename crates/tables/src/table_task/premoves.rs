//! Premoves: a move that a player chose while the other side was thinking is played as soon as the turn comes.
//!
//! Premoves are in memory alone. A hall that stops loses them, and so does a table whose player has gone: a move that
//! a player no longer sees must not be played for them.

use kernel::Side;
use table::{ActRequest, Decision, Event, decide, premove};
use wire::{Act, Happened};

use super::commit::Committed;
use super::{Table, Why};

impl Table {
    /// Plays the premoves that fit, and drops the others; two may answer each other.
    pub(super) async fn play_premoves(&mut self) -> Result<(), Why> {
        while self.again.is_none() && self.state.is_on() {
            let turn = self.state.turn();
            let Some(cells) = self.premoves[turn.index()].take() else { return Ok(()) };
            let Some(who) = self.state.seats[turn.index()].clone() else { return Ok(()) };
            let Some(text) = premove::fitting(&self.state, &cells) else { return Ok(()) };
            let now_ms = self.context.time.now_ms();
            let act = Act::Move { text, away: false };
            let wish =
                ActRequest { who: &who, ver: self.state.ver, arrived_ms: now_ms, lag_ms: 0, act: &act };
            let Ok(Decision::Event(event @ Event::Move { .. }, spent)) = decide(&self.state, wish) else {
                return Ok(());
            };
            let spent = spent.map(|spent| spent.max(premove::COST_MS));
            // Its flag falls by itself.
            if spent.is_some_and(|spent| self.state.clock.too_late(spent)) {
                return Ok(());
            }
            // What is refused was no move; what was not stored is the player's to try again.
            if !matches!(self.commit(event, spent, None, now_ms).await?, Committed::Done) {
                return Ok(());
            }
            metrics::counter!("hall_moves_total").increment(1);
        }
        Ok(())
    }

    /// Drops the premoves that are not wanted any more after that event.
    pub(super) fn drop_premoves(&mut self, change: &Happened) {
        for side in Side::BOTH {
            if self.premoves[side.index()].is_some() && premove::falls(&self.state, side, change) {
                self.premoves[side.index()] = None;
            }
        }
    }

    /// Drops the premove of a person who has left.
    pub(super) fn forget_premoves(&mut self, person: &str) {
        for side in self.state.seats_of(person) {
            self.premoves[side.index()] = None;
        }
    }
}
