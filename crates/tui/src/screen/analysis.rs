//! The engines at a table: those that play, and one that only analyses.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use engine::Stop;
use kernel::{AnyGame, Side};

use super::{Event, Settings};
use crate::opponent::{Opponent, Players, Thought};
use crate::table::{Local, Table};

/// The number of the next request; the numbers make the answer to an outdated request recognisable.
static TICKETS: AtomicU64 = AtomicU64::new(1);

/// The engines that play a side each.
pub(super) struct Bots {
    pub levels: [Option<u8>; 2],
    players: Option<Arc<dyn Players>>,
    events: Option<Sender<Event>>,
    asked: Option<PendingSearch>,
    /// The latest report of the engine that is thinking.
    pub thought: Option<Thought>,
}

/// A request on which an engine is working.
struct PendingSearch {
    ticket: u64,
    stop: Stop,
}

impl Bots {
    pub fn none() -> Bots {
        Bots { levels: [None; 2], players: None, events: None, asked: None, thought: None }
    }

    /// Takes the seats of the sides that have a level; a side whose level does not exist is left to a person.
    pub fn new(local: &mut Local, levels: [Option<u8>; 2], settings: &Settings) -> Bots {
        let wanted = levels != [None; 2];
        let most = local.game().filter(|_| wanted).map_or(0, |game| settings.players.levels(game));
        let levels = levels.map(|level| level.map(|level| level.min(most)).filter(|&level| level > 0));
        let you: Vec<Side> = Side::BOTH.into_iter().filter(|side| levels[side.index()].is_none()).collect();
        let name = |level: Option<u8>| {
            level.map_or_else(String::new, |level| {
                settings.say("tui-level-name", &[("level", &level.to_string())])
            })
        };
        if levels != [None; 2] {
            local.seat(&you, levels.map(name));
        }
        let mut bots = Bots::none();
        bots.levels = levels;
        bots.players = Some(Arc::clone(&settings.players));
        bots
    }

    pub fn telling(mut self, events: Sender<Event>) -> Bots {
        self.events = Some(events);
        self
    }

    /// Requests a move of the engine whose turn it is, if there is one.
    pub fn wake(&mut self, table: &dyn Table, now_ms: u64) {
        self.stop();
        let scene = table.scene();
        let (Some(players), Some(events)) = (&self.players, &self.events) else { return };
        let Some(level) = self.levels[scene.turn().index()].filter(|_| scene.end.is_none()) else { return };
        let Some(game) = table.game() else { return };
        // A twentieth of what is left, as there may be as many moves to come.
        let time = scene.reading(scene.turn(), now_ms).map(|reading| Duration::from_millis(reading.ms / 20));
        if let Some(player) = players.player(level) {
            self.asked = think(player, game, time, events.clone());
        }
    }

    /// Returns true if an engine is thinking.
    pub fn is_thinking(&self) -> bool {
        self.asked.is_some()
    }

    pub fn stop(&mut self) {
        self.thought = None;
        if let Some(asked) = self.asked.take() {
            asked.stop.stop();
        }
    }

    pub fn heard(&mut self, ticket: u64, thought: Thought) {
        if self.asked.as_ref().is_some_and(|asked| asked.ticket == ticket) {
            self.thought = Some(thought);
        }
    }

    /// Returns true if `ticket` is that of the current request, which is then finished.
    pub fn decided(&mut self, ticket: u64) -> bool {
        let ours = self.asked.as_ref().is_some_and(|asked| asked.ticket == ticket);
        if ours {
            self.asked = None;
            self.thought = None;
        }
        ours
    }
}

impl Drop for Bots {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Analysis of the position that is shown.
pub(super) struct Analysis {
    events: Sender<Event>,
    players: Option<Arc<dyn Players>>,
    asked: Option<PendingSearch>,
    pub thought: Option<Thought>,
}

impl Analysis {
    pub fn new(events: Sender<Event>) -> Analysis {
        Analysis { events, players: None, asked: None, thought: None }
    }

    pub fn events(&self) -> Sender<Event> {
        self.events.clone()
    }

    pub fn is_on(&self) -> bool {
        self.players.is_some()
    }

    /// Starts or stops the analysis; false when no engine plays this game.
    pub fn toggle(&mut self, settings: &Settings, table: &dyn Table) -> bool {
        self.forget();
        if self.players.take().is_some() {
            return true;
        }
        if table.game().is_none_or(|game| settings.players.levels(game) == 0) {
            return false;
        }
        self.players = Some(Arc::clone(&settings.players));
        self.look(table);
        true
    }

    /// Stops the request and drops its last report, which is about another position.
    pub fn forget(&mut self) {
        self.thought = None;
        if let Some(asked) = self.asked.take() {
            asked.stop.stop();
        }
    }

    /// Analyses the current position of the table.
    pub fn look(&mut self, table: &dyn Table) {
        self.forget();
        let Some(players) = self.players.as_ref().filter(|_| table.scene().end.is_none()) else { return };
        if let (Some(analyst), Some(game)) = (players.analyst(), table.game()) {
            self.asked = think(analyst, game, None, self.events.clone());
        }
    }

    pub fn heard(&mut self, ticket: u64, thought: &Thought) {
        if self.asked.as_ref().is_some_and(|asked| asked.ticket == ticket) {
            self.thought = Some(thought.clone());
        }
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        self.forget();
    }
}

/// Starts an engine on a thread of its own.
fn think(
    mut player: Box<dyn Opponent>,
    game: &dyn AnyGame,
    time: Option<Duration>,
    events: Sender<Event>,
) -> Option<PendingSearch> {
    let ticket = TICKETS.fetch_add(1, Ordering::Relaxed);
    let stop = Stop::default();
    let (stopped, game) = (stop.clone(), game.boxed_clone());
    let work = move || {
        let mut tell = |thought| drop(events.send(Event::Thought(ticket, thought)));
        let text = player.think(&*game, time, stopped, &mut tell);
        drop(events.send(Event::Decided(ticket, text)));
    };
    thread::Builder::new().name("player".to_owned()).spawn(work).ok()?;
    Some(PendingSearch { ticket, stop })
}
