//! The people who are connected to a table at this node: who they are, and what they have been sent.
//!
//! The task of a table has one, and so has a copy that follows a table of another node: both send the same messages.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use edge::network::Network;
use table::{Command, State};
use tokio::sync::broadcast;
use tokio::time::Instant;
use wire::{Happened, SaidLine, ServerMessage};

use crate::ask::{Join, Joined, News, SentEvent, Spoken};
use crate::message::text;

/// The most messages that a reader may fall behind; beyond that it gets the whole state again.
const BEHIND: usize = 32;
/// The number of events that are kept for people who reconnect after a moment.
const RECENT: usize = 24;
/// The time after which a table without connections is unloaded.
const PUT_AWAY: Duration = Duration::from_secs(60);

/// The connections to a table at this node.
pub(crate) struct Audience {
    news: broadcast::Sender<News>,
    /// The latest events as they were sent, the oldest first.
    recent: VecDeque<Arc<SentEvent>>,
    /// The people connected here, by public id.
    present: HashMap<String, Present>,
    /// The time since which the table may be unused.
    unused_since: Instant,
}

/// The connections of a person.
struct Present {
    connections: u32,
    network: Network,
}

/// The presence at a table, as it is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Presence {
    /// True for each of the two players who is connected.
    pub(crate) here: [bool; 2],
    /// The number of spectators.
    pub(crate) watchers: u32,
    /// The milliseconds until the win may be claimed.
    pub(crate) claim_ms: Option<u64>,
}

impl Presence {
    /// Returns the message with the presence.
    pub(crate) fn message(self) -> ServerMessage {
        let Presence { here, watchers, claim_ms } = self;
        ServerMessage::Here { here, watchers, claim_ms }
    }

    /// Returns the whole state of a table for that person.
    pub(crate) fn full(self, state: &State, person: &str, now_ms: u64) -> ServerMessage {
        state.full(person, self.here, self.watchers, now_ms)
    }
}

impl Audience {
    /// Creates an audience without people.
    pub(crate) fn new() -> Audience {
        Audience {
            news: broadcast::channel(BEHIND).0,
            recent: VecDeque::new(),
            present: HashMap::new(),
            unused_since: Instant::now(),
        }
    }

    /// Returns a sender of messages to these people, which outlives the table.
    pub(crate) fn sender(&self) -> broadcast::Sender<News> {
        self.news.clone()
    }

    /// Answers a person who connects, and counts the connection; returns false if they have gone meanwhile.
    pub(crate) fn join(&mut self, join: Join, state: &State, presence: Presence, now_ms: u64) -> bool {
        let Join { who, network, since, reply } = join;
        let first = self.first_words(state, &who.id, since, presence, now_ms);
        let joined = Joined { first, ver: state.ver, news: self.news.subscribe() };
        if reply.send(joined).is_err() {
            return false;
        }
        let present = self.present.entry(who.id).or_insert(Present { connections: 0, network });
        present.connections += 1;
        present.network = network;
        true
    }

    /// Notes that a connection of that person has ended; returns true if it was their last one.
    pub(crate) fn leave(&mut self, person: &str) -> bool {
        self.touch();
        let Some(present) = self.present.get_mut(person) else { return false };
        present.connections -= 1;
        let is_last = present.connections == 0;
        if is_last {
            self.present.remove(person);
        }
        is_last
    }

    /// Returns the missed events, or the whole state; then the presence.
    fn first_words(
        &self,
        state: &State,
        person: &str,
        since: Option<u64>,
        presence: Presence,
        now_ms: u64,
    ) -> Vec<Utf8Bytes> {
        let now = state.ver;
        let oldest = self.recent.front().map_or(now, |sent| sent.ver - 1);
        // What was told then is not what running clocks show now.
        let rests = state.clock.running().is_none() && state.first.is_none();
        let known = since.filter(|since| rests && (oldest..=now).contains(since));
        let mut first: Vec<Utf8Bytes> = match known {
            Some(since) => {
                let missed = self.recent.iter().filter(|sent| sent.ver > since);
                let mut texts: Vec<_> = missed.map(|sent| sent.text_for(person)).collect();
                texts.push(text(&ServerMessage::You { you: state.seats_of(person) }));
                texts
            }
            None => vec![text(&presence.full(state, person, now_ms))],
        };
        first.push(text(&presence.message()));
        first
    }

    /// Sends an event that was applied to the table, and keeps it for a while; returns true if a seat has changed.
    pub(crate) fn tell_event(
        &mut self,
        state: &mut State,
        change: Happened,
        cmd: Option<Command>,
        told_ms: u64,
    ) -> bool {
        let seats = change.seats.is_some().then(|| state.standing().seats);
        let has_changed = seats.is_some();
        let (ver, message) = (change.v, state.told(change, told_ms));
        let sent = Arc::new(SentEvent { ver, text: text(&message), cmd, seats });
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(Arc::clone(&sent));
        let _ = self.news.send(News::Event(sent));
        has_changed
    }

    /// Sends a message that is not an event.
    pub(crate) fn tell(&self, message: &ServerMessage) {
        let _ = self.news.send(News::Other(text(message)));
    }

    /// Sends a chat line that was written at the table.
    pub(crate) fn tell_said(&self, line: SaidLine, state: &State) {
        let spoken = Spoken::new(line, state.standing().seats);
        let _ = self.news.send(News::Said(Arc::new(spoken)));
    }

    /// Sends everybody the whole state again; the events before it are forgotten.
    pub(crate) fn tell_anew(&mut self) {
        self.recent.clear();
        let _ = self.news.send(News::Anew);
    }

    /// Returns true if no person is connected here.
    pub(crate) fn is_empty(&self) -> bool {
        self.present.is_empty()
    }

    /// Returns true if that person is connected here.
    pub(crate) fn has(&self, person: &str) -> bool {
        self.present.contains_key(person)
    }

    /// Returns the network that a person is connected from.
    pub(crate) fn network_of(&self, person: &str) -> Option<Network> {
        self.present.get(person).map(|present| present.network)
    }

    /// Returns the people who are connected here, each with their network.
    pub(crate) fn people(&self) -> impl Iterator<Item = (&str, Network)> {
        self.present.iter().map(|(person, present)| (person.as_str(), present.network))
    }

    /// Forgets all people, for the table ends here.
    pub(crate) fn clear(&mut self) {
        self.present.clear();
    }

    /// Notes that the table may be unused only from now on.
    pub(crate) fn touch(&mut self) {
        self.unused_since = Instant::now();
    }

    /// Returns the time from which the table may be unloaded if nothing happens until then.
    pub(crate) fn unused_at(&self) -> Instant {
        self.unused_since + PUT_AWAY
    }
}
