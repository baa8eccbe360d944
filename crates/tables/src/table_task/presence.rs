//! The people at a table, here and at other nodes: who is present, and where the table is listed because of it.

use std::time::Duration;

use edge::network::Network;
use kernel::Side;
use tokio::time::Instant;
use wire::{How, Player};

use super::Table;
use crate::audience::Presence;
use crate::cluster::talk::TableNews;
use crate::lobby::{ROOM_WAITS_MS, SLOW_WAITS_MS, line};

/// The least time between two presence messages.
const PRESENCE: Duration = Duration::from_millis(300);
/// The age at which the presence list of an edge expires.
const EDGE: Duration = Duration::from_secs(15);

impl Table {
    /// Returns who is here, as it is shown.
    pub(super) fn presence(&self) -> Presence {
        let (here, watchers) = self.who_is_here();
        let claim_ms = self.state.claim_ms(self.context.time.now_ms()).map(|(_, left_ms)| left_ms);
        Presence { here, watchers, claim_ms }
    }

    /// Returns true if that person plays a slow game here.
    pub(super) fn sits_at_slow(&self, who: &str) -> bool {
        self.state.is_slow() && !self.state.seats_of(who).is_empty()
    }

    /// Returns which of the two players are here, and the number of spectators.
    pub(super) fn who_is_here(&self) -> ([bool; 2], u32) {
        let player = |seat: &Option<Player>| {
            seat.as_ref().is_some_and(|p| p.engine.is_some() || self.is_present(&p.id))
        };
        let sits = |id: &&str| self.state.seats.iter().flatten().any(|p| p.id == *id);
        let here = self.audience.people().map(|(id, _)| id);
        let there = self.edges().flat_map(|people| people.iter().map(|(id, _)| id.as_str()));
        let all: std::collections::HashSet<&str> = here.chain(there).collect();
        let watchers = all.into_iter().filter(|id| !sits(id)).count();
        let here = [player(&self.state.seats[0]), player(&self.state.seats[1])];
        (here, u32::try_from(watchers).unwrap_or(u32::MAX))
    }

    /// Returns the people connected elsewhere, from messages that have not expired.
    fn edges(&self) -> impl Iterator<Item = &Vec<(String, Network)>> {
        self.elsewhere.values().filter(|(heard, _)| heard.elapsed() < EDGE).map(|(_, people)| people)
    }

    pub(super) fn has_edges(&self) -> bool {
        self.edges().next().is_some()
    }

    /// Returns true if no one is connected to the table, here or elsewhere.
    pub(super) fn is_empty(&self) -> bool {
        self.audience.is_empty() && !self.has_edges()
    }

    /// Returns the network that a person here or elsewhere is connected from.
    pub(super) fn network_of(&self, id: &str) -> Option<Network> {
        let here = self.audience.network_of(id);
        let there = || self.edges().flatten().find(|(other, _)| other == id).map(|(_, network)| *network);
        here.or_else(there)
    }

    /// Returns true if that person is connected to the table, here or elsewhere.
    pub(super) fn is_present(&self, id: &str) -> bool {
        self.audience.has(id) || self.edges().any(|people| people.iter().any(|(other, _)| other == id))
    }

    pub(super) fn tell_edges(&self, news: &TableNews) {
        if let Some(cluster) = self.context.cluster.as_ref().filter(|_| self.has_edges()) {
            cluster.tell_table(&self.state.id, news);
        }
    }

    /// Notes players who come to a table of strangers at which no move was made yet: the queue for Play now waits for
    /// them.
    fn note_arrivals(&mut self) {
        let state = &self.state;
        if state.setup.how != How::Open || !state.started() || state.in_earnest() {
            return;
        }
        for side in Side::BOTH {
            let player = state.seats[side.index()].as_ref().filter(|player| player.engine.is_none());
            if let Some(player) = player
                && !self.came[side.index()]
                && self.is_present(&player.id)
            {
                self.came[side.index()] = true;
                self.context.came(&player.id, &state.id);
            }
        }
    }

    /// Notes the time since when a player is away: the other may claim the win after a while.
    pub(super) fn note_who_is_gone(&mut self) {
        let now_ms = self.context.time.now_ms();
        let (here, _) = self.who_is_here();
        for side in Side::BOTH {
            self.state.note_here(side, here[side.index()], now_ms);
        }
    }

    pub(super) fn presence_changed(&mut self) {
        self.note_arrivals();
        self.note_who_is_gone();
        let due = Instant::now() + PRESENCE;
        self.presence_due.get_or_insert(due);
        self.list();
    }

    pub(super) fn tell_presence(&self) {
        let presence = self.presence();
        let Presence { here, watchers, claim_ms } = presence;
        self.tell_edges(&TableNews::Here { here, watchers, claim_ms });
        self.audience.tell(&presence.message());
    }

    /// Puts the table's line into the lobby, or takes it out.
    pub(super) fn list(&self) {
        let state = &self.state;
        let public = matches!(state.setup.how, How::Open | How::Room);
        let here = |seat: &Option<Player>| seat.as_ref().is_some_and(|p| self.is_present(&p.id));
        let someone = state.seats.iter().any(here);
        // A seat can be taken there while no player is present.
        let since_ms = self.context.time.now_ms().saturating_sub(state.setup.created_ms);
        let is_slow = state.setup.how == How::Open && state.is_slow() && since_ms < SLOW_WAITS_MS;
        let is_slow = is_slow && state.seats.iter().any(Option::is_some);
        let is_room = state.setup.how == How::Room && since_ms < ROOM_WAITS_MS;
        let waiting = !state.started() && (someone || is_slow || is_room);
        let listed = public && state.end.is_none() && (waiting || state.started() && someone);
        self.context.lobby.set(&state.id, listed.then(|| line(state)));
    }
}
