//! An analysis: one WebSocket, one position at a time, told as it is found.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Info, Limits, Stop, native};
use kernel::{AnyGame, Problem};
use tokio::sync::mpsc;
use wire::{StudyLine, StudyTold, StudyWish};

use super::{NoStudy, Stops, line};
use crate::hall::Hall;
use crate::network::Asker;
use crate::opponents::Opponents;
use crate::opponents::memory::{self, Size};
use crate::opponents::seat::{Rules, apart};

/// How long one position is looked at, at most.
const LONGEST: Duration = Duration::from_secs(12);
/// It is told about at most this often.
const EVERY: Duration = Duration::from_millis(150);
/// Lines at most.
const MOST_LINES: u8 = 5;
/// Words that wait for a slow reader; older ones are worth less than newer ones, so there is no room for many.
const WAITING: usize = 4;

/// What somebody who analyses a table has been told and looks at.
pub struct Analysis {
    hall: Arc<Hall>,
    table: String,
    asker: Asker,
    words: mpsc::Sender<StudyTold>,
    looking: Option<Stops>,
}

impl Analysis {
    /// Of that table, for whoever asks; what is found comes out at the other end.
    #[must_use]
    pub fn new(hall: Arc<Hall>, table: String, asker: Asker) -> (Analysis, mpsc::Receiver<StudyTold>) {
        let (words, told) = mpsc::channel(WAITING);
        (Analysis { hall, table, asker, words, looking: None }, told)
    }

    /// Does as it is told; what was looked at before is forgotten.
    pub fn hear(&mut self, wish: StudyWish) {
        self.looking = None;
        let StudyWish::Look { n, ply, lines, engine } = wish else { return };
        let stop = Stop::default();
        self.looking = Some(Stops(stop.clone()));
        let (hall, table, asker) = (Arc::clone(&self.hall), self.table.clone(), self.asker.clone());
        let words = self.words.clone();
        let lines = usize::from(lines.clamp(1, MOST_LINES));
        tokio::spawn(async move {
            let (game, rules) = match hall.to_look_at(&table, ply, engine.as_deref(), &asker.person).await {
                Ok(found) => found,
                Err(problem) => {
                    let _ = words.send(StudyTold::No { n, why: problem.into() }).await;
                    return;
                }
            };
            let Ok(turn) = hall.studies.turns.take(asker.network, &asker.person).await else {
                let why = Problem::new("hall-busy").into();
                let _ = words.send(StudyTold::No { n, why }).await;
                return;
            };
            if stop.is_raised() {
                return;
            }
            let key = rules.0.0.clone();
            let theirs = engine.map(|name| (Arc::clone(&hall.opponents), name, rules));
            let look = Look { n, lines, theirs, stop, words: words.clone(), hall, person: asker.person, key };
            let last = apart(move || {
                let _turn = turn;
                look.at(game.as_ref())
            });
            if let Some(last) = last.await.flatten() {
                let _ = words.send(last).await;
            }
        });
    }
}

impl Hall {
    /// The game to be looked at, and whose it is.
    async fn to_look_at(
        self: &Arc<Self>,
        table: &str,
        ply: u32,
        engine: Option<&str>,
        person: &str,
    ) -> Result<(Box<dyn AnyGame>, Rules), Problem> {
        let found = self.studied(table, ply, person).await.map_err(|why| match why {
            NoStudy::Refused(problem) => problem,
            NoStudy::NoTable(_) | NoStudy::Busy => Problem::new("hall-busy"),
        })?;
        match engine {
            Some(name) if !self.opponents.knows(name, &found.1.0.0) => {
                Err(Problem::new("no-such-engine").with("name", name))
            }
            _ => Ok(found),
        }
    }
}

struct Look {
    n: u32,
    lines: usize,
    /// A foreign program, when it is not ours who is asked.
    theirs: Option<(Arc<Opponents>, String, Rules)>,
    stop: Stop,
    words: mpsc::Sender<StudyTold>,
    hall: Arc<Hall>,
    /// Public id of who asks.
    person: String,
    /// Key of the game.
    key: String,
}

impl Look {
    /// Looks at a position to the end; `None` when nobody wants to know any more.
    fn at(&self, game: &dyn AnyGame) -> Option<StudyTold> {
        let limits =
            Limits { time: Some(LONGEST), lines: self.lines, stop: self.stop.clone(), ..Limits::default() };
        let mut found: Vec<StudyLine> = Vec::new();
        let (mut nodes, mut told) = (0, Instant::now());
        let begun = Instant::now();
        let mut report = |info: &Info| {
            // A rated game may have begun meanwhile.
            if self.may_not_look() {
                self.stop.stop();
                return;
            }
            nodes = nodes.max(info.nodes);
            let at = info.line.saturating_sub(1);
            if info.moves.is_empty() || at > found.len() || at >= self.lines {
                return;
            }
            let new = line(game, info);
            if at == found.len() {
                found.push(new)
            } else {
                found[at] = new
            }
            if told.elapsed() >= EVERY {
                told = Instant::now();
                let _ = self.words.try_send(self.found(&found, nodes, begun, false));
            }
        };
        let thought = match &self.theirs {
            None => memory::with(Size::Large, |memory| native::think(game, memory, &limits, &mut report)),
            Some((opponents, name, rules)) => opponents.study(name, rules, game, &limits, &mut report),
        };
        if self.may_not_look() {
            return Some(StudyTold::No { n: self.n, why: Problem::new("rated-game-runs").into() });
        }
        // A game that is over has no lines.
        if let Err(why) = thought
            && why.key != "game-over"
            && !self.stop.is_raised()
        {
            return Some(StudyTold::No { n: self.n, why: why.into() });
        }
        (!self.stop.is_raised()).then(|| self.found(&found, nodes, begun, true))
    }

    fn may_not_look(&self) -> bool {
        self.hall.running.plays_rated(&self.person, &self.key)
    }

    fn found(&self, lines: &[StudyLine], nodes: u64, begun: Instant, done: bool) -> StudyTold {
        let ms = u32::try_from(begun.elapsed().as_millis()).unwrap_or(u32::MAX);
        StudyTold::Found { n: self.n, nodes, ms, lines: lines.to_vec(), done }
    }
}
