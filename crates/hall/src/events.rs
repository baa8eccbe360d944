//! Events of people, sent to their connections: games that begin and end, challenges.
//!
//! No event is kept for a person who is not connected: a new connection first gets the present state.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use table::State;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use wire::{How, StreamEvent, StreamGame};

use tables::cluster::Cluster;
use tables::cluster::talk::Word;

/// Events that a listener may fall behind: a listener that has missed some asks for the present state. Eight cost 1
/// 091 bytes a person with a bell.
const BEHIND: usize = 4;

/// An event of one person.
#[derive(Clone, Debug)]
pub enum Happening {
    /// An event in the form that programs get. Shared, because there is room for several for each person who is
    /// connected.
    Event(Arc<StreamEvent>),
    /// A challenge was accepted: the game is at this table.
    Accepted(String),
    /// A change of what waits for the person: their turn in a slow game has come or is over, or something waits for
    /// them when they connect.
    Waits,
}

/// The listeners of each person, by public id.
#[derive(Default)]
pub struct Events {
    listeners: Arc<Listeners>,
    /// The other nodes of the hall, at which a person may listen, too.
    others: OnceLock<Arc<Cluster>>,
}

type Listeners = Mutex<HashMap<String, broadcast::Sender<Happening>>>;

/// A subscription to the events of a person, until it is dropped.
pub struct Listening {
    all: Arc<Listeners>,
    person: String,
    receiver: Option<broadcast::Receiver<Happening>>,
}

fn lock(listeners: &Listeners) -> MutexGuard<'_, HashMap<String, broadcast::Sender<Happening>>> {
    listeners.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Events {
    /// Passes events on to the other nodes from now on.
    pub fn tell_others(&self, others: Arc<Cluster>) {
        // Once, when the hall opens.
        let _ = self.others.set(others);
    }

    /// Subscribes to the events of a person from now on.
    #[must_use]
    pub fn listen(&self, person: &str) -> Listening {
        let mut all = lock(&self.listeners);
        let sender = all.entry(person.to_owned()).or_insert_with(|| broadcast::channel(BEHIND).0);
        let receiver = Some(sender.subscribe());
        Listening { all: Arc::clone(&self.listeners), person: person.to_owned(), receiver }
    }

    /// Sends an event to a person, at whatever node they are.
    pub fn tell(&self, person: &str, what: Happening) {
        if let Some(others) = self.others.get() {
            let (event, accepted) = match &what {
                Happening::Event(event) => (Some(Box::new(StreamEvent::clone(event))), None),
                Happening::Accepted(table) => (None, Some(table.clone())),
                Happening::Waits => (None, None),
            };
            others.tell_all(Word::Happened { person: person.to_owned(), event, accepted });
        }
        self.tell_here(person, what);
    }

    /// Sends an event to a person who is connected to this node.
    pub fn tell_here(&self, person: &str, what: Happening) {
        if let Some(sender) = lock(&self.listeners).get(person) {
            // Fails if no connection listens.
            let _ = sender.send(what);
        }
    }

    /// Tells the players that a game has begun.
    pub fn begun(&self, state: &State) {
        self.tell_players(state, |game| StreamEvent::GameStart { game });
    }

    /// Tells the players that a game has ended.
    pub fn ended(&self, state: &State) {
        self.tell_players(state, |game| StreamEvent::GameFinish { game });
    }

    /// Tells the players of a slow game that the turn may have changed.
    pub fn turn(&self, state: &State) {
        if state.is_slow() {
            let people = state.seats.iter().flatten().filter(|player| player.engine.is_none());
            people.for_each(|player| self.tell(&player.id, Happening::Waits));
        }
    }

    fn tell_players(&self, state: &State, event: impl Fn(StreamGame) -> StreamEvent) {
        if state.setup.how == How::Screen || (self.others.get().is_none() && lock(&self.listeners).is_empty())
        {
            return;
        }
        let people = state.seats.iter().flatten().filter(|player| player.engine.is_none());
        for player in people {
            self.tell(&player.id, Happening::Event(Arc::new(event(game(state)))));
        }
    }
}

impl Listening {
    /// Returns the next event; `None` when some were missed.
    pub async fn next(&mut self) -> Option<Happening> {
        let Some(receiver) = &mut self.receiver else { return std::future::pending().await };
        match receiver.recv().await {
            Ok(what) => Some(what),
            Err(RecvError::Lagged(_)) => None,
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut all = lock(&self.all);
        drop(self.receiver.take());
        if all.get(&self.person).is_some_and(|sender| sender.receiver_count() == 0) {
            all.remove(&self.person);
        }
    }
}

/// Returns a game in the form that programs get.
#[must_use]
pub fn game(state: &State) -> StreamGame {
    StreamGame {
        id: state.id.clone(),
        game: state.setup.game.clone(),
        seats: state.seats.clone(),
        rated: state.setup.rated,
        clock: state.setup.clock,
        end: state.end.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use edge::connections::Connections;

    #[tokio::test]
    async fn only_who_listens_is_told_and_nobody_is_remembered() {
        let events = Events::default();
        events.tell("ann", Happening::Accepted("before".into()));
        let (mut one, other) = (events.listen("ann"), events.listen("ann"));
        events.tell("ann", Happening::Accepted("t".into()));
        events.tell("bob", Happening::Accepted("u".into()));
        assert!(matches!(one.next().await, Some(Happening::Accepted(table)) if table == "t"));
        drop(other);
        for n in 0..=BEHIND {
            events.tell("ann", Happening::Accepted(n.to_string()));
        }
        assert!(one.next().await.is_none(), "it fell behind");
        drop(one);
        assert!(lock(&events.listeners).is_empty());
    }

    /// Returns the memory of this process in bytes; `None` where the system does not tell.
    fn resident() -> Option<u64> {
        let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
        pages.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
    }

    /// A person who hears the bell and is counted as present costs less than a kilobyte of memory, measured in a
    /// process of its own: memory of other tests would be counted as well.
    #[test]
    fn a_person_with_a_bell_costs_less_than_a_kilobyte() {
        const PEOPLE: u64 = 50_000;
        const ALONE: &str = "QIGUAN_COUNTS_ALONE";
        if std::env::var_os(ALONE).is_none() {
            let name = "events::tests::a_person_with_a_bell_costs_less_than_a_kilobyte";
            let mut alone = std::process::Command::new(std::env::current_exe().expect("is known"));
            let output = alone.args([name, "--exact", "--nocapture"]).env(ALONE, "1").output().expect("runs");
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(output.status.success() && said.contains("bytes a person"), "{said}");
            return;
        }
        let (events, here, seen) =
            (Events::default(), Arc::new(Connections::default()), Arc::new(Connections::default()));
        let before = resident().unwrap_or_default();
        let bell = |n: u64| {
            let person = format!("{n:012}");
            (events.listen(&person), here.admit(person.clone(), None), seen.admit(person, None))
        };
        let all: Vec<_> = (0..PEOPLE).map(bell).collect();
        let each = resident().unwrap_or_default().saturating_sub(before) / PEOPLE;
        println!("{each} bytes a person");
        assert!(each < 1_000, "{each} bytes a person");
        drop(all);
    }
}
