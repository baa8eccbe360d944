//! Engine help with a table's positions: hints, analysis and reports.
//!
//! Help is refused for a game that two people are playing, and for a [position](tables::running) that is in one. All
//! searches of this kind share a few turns of a [fair queue](edge::fair), apart from those of the programs that
//! play.
//!
//! Reading order: `shared` (the queue, the reports in progress), this file (permissions; one search), `live` (a WebSocket), `report` (a whole game).

pub mod live;
pub mod report;
mod shared;

pub use shared::Analyses;

use std::sync::Arc;
use std::time::Duration;

use edge::fair::Busy;
use edge::network::Asker;
use engine::{Info, Limits, Stop};
use kernel::{AnyGame, Problem, Side};
use tables::memory::NoTable;
use tables::opponents::seat::Rules;
use tables::searches::{Purpose, Undone, WantedSearch};
use wire::{AnalysisLine, Aside, Hint, How, Worth};

use crate::hall::Hall;
use table::{Setup, State};
use thinking::{Answer, Ask, Search, Size};

/// The number of positions searched for a hint, and the longest time.
const HINT: (u64, Duration) = (400_000, Duration::from_millis(1_500));
/// The most moves of a line in an answer.
const TOLD: usize = 12;
/// The most moves beside the record.
const MOST_ASIDE: usize = 40;
/// The number of plies back from a position that are compared with running games: help with a later position is help
/// with this one.
pub(crate) const BACK: usize = 32;

/// The reasons why help with a table is refused.
#[derive(Debug)]
pub enum NoAnalysis {
    /// The table cannot be opened.
    NoTable(NoTable),
    /// Help is not allowed, or not with these parameters.
    Refused(Problem),
    /// The asker's address has too many searches waiting.
    Busy,
}

impl From<Busy> for NoAnalysis {
    fn from(_: Busy) -> Self {
        NoAnalysis::Busy
    }
}

impl From<NoTable> for NoAnalysis {
    fn from(why: NoTable) -> Self {
        NoAnalysis::NoTable(why)
    }
}

impl From<Problem> for NoAnalysis {
    fn from(why: Problem) -> Self {
        NoAnalysis::Refused(why)
    }
}

/// Checks that everybody may analyse this game: it is over, or one person plays both sides.
pub(crate) fn is_open(state: &State) -> Result<(), Problem> {
    let open = state.end.is_some() || state.setup.how == How::Screen;
    if open { Ok(()) } else { Err(Problem::new("study-not-now")) }
}

/// Checks that a teacher may point at things in this game: everybody may analyse it, or a program plays.
pub(crate) fn is_taught(state: &State) -> Result<(), Problem> {
    let with_engine = state.seats.iter().flatten().any(|player| player.engine.is_some());
    if with_engine { Ok(()) } else { is_open(state) }
}

/// Returns the game after that number of plies.
fn after(state: &State, ply: usize) -> Box<dyn AnyGame> {
    let mut game = state.game.boxed_clone();
    while game.plies() > ply {
        game.undo();
    }
    game
}

impl Hall {
    /// Returns the table's game after that number of plies, for analysis.
    ///
    /// # Errors
    /// `study-not-now` while two play; `position-in-play` where two others have this position now.
    pub(crate) async fn analysed(
        self: &Arc<Self>,
        table: &str,
        ply: u32,
        asker: &Asker,
    ) -> Result<(Box<dyn AnyGame>, Rules), NoAnalysis> {
        let look = move |state: &State| {
            is_open(state).map(|()| (after(state, ply as usize), state.setup.clone(), state.id.clone()))
        };
        let (game, setup, id) = self.tables.look(table, asker.into(), look).await??;
        self.tables.may_help(&setup, game.as_ref(), BACK, &asker.person, asker.into()).await?;
        Ok((game, named(&setup, id)))
    }

    /// Returns the best move, for the player who is to move: on one screen, and against a program.
    ///
    /// # Errors
    /// `not-your-seat`, `no-hints-here`, `not-your-turn`, `game-over`; `position-in-play` where two others have this
    /// position now.
    pub async fn hint(self: &Arc<Self>, table: &str, guest: &str, asker: &Asker) -> Result<Hint, NoAnalysis> {
        let guest = guest.to_owned();
        let look = move |state: &State| hinted(state, &guest).map(|game| (game, state.setup.clone()));
        let (game, setup) = self.tables.look(table, asker.into(), look).await??;
        self.tables.may_help(&setup, game.as_ref(), BACK, &asker.person, asker.into()).await?;
        let ply = u32::try_from(game.plies()).unwrap_or(u32::MAX);
        let stop = Stop::default();
        let _stops = Stops(stop.clone());
        let rules = named(&setup, table.to_owned());
        let before = game.boxed_clone();
        let mut found = self.best(game, &rules, HINT, asker, stop).await?;
        // What is drawn nobody knows; a line ends with it.
        if let Some(choice) = found.moves.first().and_then(|first| before.chosen(first)) {
            found.moves = vec![choice];
        }
        Ok(Hint { ply, line: found })
    }
}

/// Checks that a line beside a game is short enough.
///
/// # Errors
/// `study-too-long`.
pub(crate) fn check_aside(aside: &Aside) -> Result<(), Problem> {
    let short = aside.moves.len() <= MOST_ASIDE;
    if short { Ok(()) } else { Err(Problem::new("study-too-long").with("limit", MOST_ASIDE)) }
}

/// Returns the game of a player who may get a hint.
fn hinted(state: &State, guest: &str) -> Result<Box<dyn AnyGame>, Problem> {
    let seats = state.seats_of(guest);
    let with_engine = state.seats.iter().flatten().any(|player| player.engine.is_some());
    let problem = if seats.is_empty() {
        "not-your-seat"
    } else if !with_engine && state.setup.how != How::Screen {
        "no-hints-here"
    } else if state.end.is_some() {
        "game-over"
    } else if !seats.contains(&state.turn()) {
        "not-your-turn"
    } else {
        return Ok(state.game.boxed_clone());
    };
    Err(Problem::new(problem))
}

/// Returns the identity of a table's game for a search.
fn named(setup: &Setup, table: String) -> Rules {
    let Setup { game: key, options, map, fen, .. } = setup.clone();
    Rules { key, options, map: map.map(|map| map.id), fen, table }
}

impl Hall {
    /// Searches for the best line, within a number of positions and a time.
    async fn best(
        &self,
        game: Box<dyn AnyGame>,
        rules: &Rules,
        (nodes, time): (u64, Duration),
        asker: &Asker,
        stop: Stop,
    ) -> Result<AnalysisLine, NoAnalysis> {
        let limits = Limits { nodes: Some(nodes), time: Some(time), ..Limits::default() };
        let ask = Ask::Think { limits, size: Size::Large, engine: None, table: rules.table.clone() };
        let search = Search { about: rules.about(game), ask };
        let wanted = WantedSearch::new(search, asker.clone(), Purpose::Study, stop);
        let thought = match self.tables.opponents().searches.run(&self.analyses.turns, &wanted).await {
            Ok(Answer::Thought(thought)) => thought,
            Err(Undone::Busy) => return Err(NoAnalysis::Busy),
            Err(Undone::Failed(problem)) => return Err(problem.into()),
            Ok(_) | Err(Undone::Stopped | Undone::Broken) => return Err(Problem::new("hall-busy").into()),
        };
        let (game, text) = (wanted.search.about.game.as_ref(), thought.best);
        let even = |text| AnalysisLine {
            worth: Worth::Hundredths(0),
            depth: 0,
            names: names(game, std::slice::from_ref(&text)),
            moves: vec![text],
        };
        Ok(match thought.lines.first() {
            Some(info) if info.moves[0] == text => line(game, info),
            _ => even(text),
        })
    }
}

/// Converts a line of the search to the form for clients.
fn line(game: &dyn AnyGame, info: &Info) -> AnalysisLine {
    let moves: Vec<String> = info.moves.iter().take(TOLD).cloned().collect();
    AnalysisLine {
        worth: for_first(info.worth, game.turn()),
        depth: info.depth,
        names: names(game, &moves),
        moves,
    }
}

/// Converts an evaluation for the side to move to one for the first player.
fn for_first(worth: engine::Worth, turn: Side) -> Worth {
    let sign = if turn == Side::First { 1 } else { -1 };
    match worth {
        engine::Worth::Hundredths(score) => Worth::Hundredths(score * sign),
        engine::Worth::Wins(plies) => Worth::Wins(plies * sign),
    }
}

fn names(game: &dyn AnyGame, moves: &[String]) -> Vec<Vec<String>> {
    let mut game = game.boxed_clone();
    let name = |text: &String| game.play(text).ok().map(|()| game.last_names());
    moves.iter().map_while(name).collect()
}

/// A guard that ends a search when the request for it is dropped.
struct Stops(Stop);

impl Drop for Stops {
    fn drop(&mut self) {
        self.0.stop();
    }
}
