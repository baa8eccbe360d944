//! Live analysis over one WebSocket: one position at a time, with the results as they are found.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use edge::network::Asker;
use engine::{Info, Limits, Stop};
use kernel::{AnyGame, Problem};
use tables::opponents::seat::Rules;
use tables::searches::{Purpose, Undone, WantedSearch};
use thinking::{Ask, Search, Size};
use tokio::sync::mpsc;
use wire::{AnalysisLine, AnalysisMessage, AnalysisRequest};

use super::{NoAnalysis, Stops, line};
use crate::hall::Hall;

/// The longest search of one position.
const LONGEST: Duration = Duration::from_secs(12);
/// The least time between two messages about a search.
const EVERY: Duration = Duration::from_millis(150);
/// The most lines of a search.
const MOST_LINES: u8 = 5;
/// The most messages that wait for a slow reader; older ones are worth less than newer ones, so there is no room for
/// many.
const WAITING: usize = 4;

/// A person's analysis of a table, with the search that runs.
pub struct LiveAnalysis {
    hall: Arc<Hall>,
    table: String,
    asker: Asker,
    words: mpsc::Sender<AnalysisMessage>,
    looking: Option<Stops>,
}

impl LiveAnalysis {
    /// Makes an analysis of that table for `asker`; results come out at the receiver.
    #[must_use]
    pub fn new(
        hall: Arc<Hall>,
        table: String,
        asker: Asker,
    ) -> (LiveAnalysis, mpsc::Receiver<AnalysisMessage>) {
        let (words, told) = mpsc::channel(WAITING);
        (LiveAnalysis { hall, table, asker, words, looking: None }, told)
    }

    /// Handles a client message and drops the previous analysis.
    pub fn hear(&mut self, wish: AnalysisRequest) {
        self.looking = None;
        let AnalysisRequest::Look { n, ply, lines, engine } = wish else { return };
        let stop = Stop::default();
        self.looking = Some(Stops(stop.clone()));
        let (hall, table, asker) = (Arc::clone(&self.hall), self.table.clone(), self.asker.clone());
        let words = self.words.clone();
        let lines = usize::from(lines.clamp(1, MOST_LINES));
        tokio::spawn(async move {
            let (game, rules) = match hall.to_look_at(&table, ply, engine.as_deref(), &asker).await {
                Ok(found) => found,
                Err(problem) => {
                    let _ = words.send(AnalysisMessage::No { n, why: problem.into() }).await;
                    return;
                }
            };
            let (key, shown, name) = (rules.key.clone(), game.boxed_clone(), engine.clone());
            let limits = Limits { time: Some(LONGEST), lines, ..Limits::default() };
            // Apart from the games that an engine of others plays.
            let table = format!("study of {}", rules.table);
            let ask = Ask::Think { limits, size: Size::Large, engine, table };
            let search = Search { about: rules.about(game), ask };
            let person = asker.person.clone();
            let told = SentLines { found: Vec::new(), nodes: 0, at: Instant::now(), begun: Instant::now() };
            let look = Look {
                n,
                lines,
                stop: stop.clone(),
                words,
                hall: Arc::clone(&hall),
                person,
                key,
                name,
                told,
            };
            let look = Arc::new(Mutex::new(look));
            let hear = Arc::clone(&look);
            let report = Arc::new(Mutex::new(move |info: &Info| {
                hear.lock().unwrap_or_else(PoisonError::into_inner).hear(shown.as_ref(), info);
            }));
            let wanted = WantedSearch { report, ..WantedSearch::new(search, asker, Purpose::Study, stop) };
            let done = hall.tables.opponents().searches.run(&hall.analyses.turns, &wanted).await;
            let (last, words) = {
                let look = look.lock().unwrap_or_else(PoisonError::into_inner);
                (look.last(done.err()), look.words.clone())
            };
            if let Some(last) = last {
                let _ = words.send(last).await;
            }
        });
    }
}

impl Hall {
    /// Returns the game to be analysed, and its rules.
    async fn to_look_at(
        self: &Arc<Self>,
        table: &str,
        ply: u32,
        engine: Option<&str>,
        asker: &Asker,
    ) -> Result<(Box<dyn AnyGame>, Rules), Problem> {
        let found = self.analysed(table, ply, asker).await.map_err(|why| match why {
            NoAnalysis::Refused(problem) => problem,
            NoAnalysis::NoTable(_) | NoAnalysis::Busy => Problem::new("hall-busy"),
        })?;
        match engine {
            Some(name) if !self.tables.opponents().knows(name, &found.1.key) => {
                Err(Problem::new("no-such-engine").with("name", name))
            }
            _ => Ok(found),
        }
    }
}

struct Look {
    n: u32,
    lines: usize,
    stop: Stop,
    words: mpsc::Sender<AnalysisMessage>,
    hall: Arc<Hall>,
    /// The public id of the person who asks.
    person: String,
    /// The key of the game.
    key: String,
    /// The foreign engine that is asked; `None` for ours.
    name: Option<String>,
    told: SentLines,
}

/// The lines that were found and sent so far.
struct SentLines {
    found: Vec<AnalysisLine>,
    nodes: u64,
    /// The time of the last message.
    at: Instant,
    begun: Instant,
}

impl Look {
    /// Takes in a result of the search, and sends messages at intervals.
    fn hear(&mut self, game: &dyn AnyGame, info: &Info) {
        // A rated game may have begun meanwhile.
        if self.may_not_look() {
            self.stop.stop();
            return;
        }
        if self.told.nodes == 0 {
            self.told.begun = Instant::now().checked_sub(info.time).unwrap_or(self.told.begun);
        }
        self.told.nodes = self.told.nodes.max(info.nodes);
        let at = info.line.saturating_sub(1);
        let found = &mut self.told.found;
        if info.moves.is_empty() || at > found.len() || at >= self.lines {
            return;
        }
        let new = line(game, info);
        if at == found.len() {
            found.push(new);
        } else {
            found[at] = new;
        }
        if self.told.at.elapsed() >= EVERY {
            self.told.at = Instant::now();
            let _ = self.words.try_send(self.found(false));
        }
    }

    /// Returns the message at the end; `None` when it is not wanted any more.
    fn last(&self, why: Option<Undone>) -> Option<AnalysisMessage> {
        let refused = |problem: Problem| Some(AnalysisMessage::No { n: self.n, why: problem.into() });
        if self.may_not_look() {
            return refused(Problem::new("rated-game-runs"));
        }
        if self.stop.is_raised() {
            return None;
        }
        match why {
            // A game that is over has no lines.
            None => Some(self.found(true)),
            Some(Undone::Failed(problem)) if problem.key == "game-over" => Some(self.found(true)),
            Some(Undone::Failed(problem)) => {
                // What an engine said last is for the keeper of the hall.
                let Some(name) = &self.name else { return refused(problem) };
                tracing::warn!(%name, %problem, "a program failed");
                let text = problem.arg("move").unwrap_or_default();
                refused(Problem::new(problem.key).with("name", name).with("text", "").with("move", text))
            }
            Some(Undone::Busy) => refused(Problem::new("hall-busy")),
            Some(Undone::Stopped | Undone::Broken) => None,
        }
    }

    fn may_not_look(&self) -> bool {
        self.hall.tables.running().plays_rated(&self.person, &self.key)
    }

    fn found(&self, done: bool) -> AnalysisMessage {
        let ms = u32::try_from(self.told.begun.elapsed().as_millis()).unwrap_or(u32::MAX);
        AnalysisMessage::Found { n: self.n, nodes: self.told.nodes, ms, lines: self.told.found.clone(), done }
    }
}
