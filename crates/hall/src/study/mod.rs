//! What our engine thinks of a table's positions: hints, analysis and reports.
//!
//! Never of a game that two people are playing. All searches of this kind share a few [turns](crate::opponents::turns),
//! apart from those of the programs that play, and those of one address wait for each other.
//!
//! Reading order: this file (what may be studied; one search), `analysis` (a WebSocket), `report` (a whole game).

pub mod analysis;
pub mod report;

use std::sync::Arc;
use std::time::Duration;

use engine::{Info, Limits, Memory, Stop, native};
use kernel::{AnyGame, Problem, Side};
use wire::{Aside, Hint, How, Replay, StudyLine, Worth};

use crate::hall::{Hall, NoTable};
use crate::opponents::seat::{MEMORY, Rules, apart};
use crate::opponents::turns::Turns;
use report::Reports;
use table::State;

/// Positions that are looked at for a hint, and how long at most.
const HINT: (u64, Duration) = (400_000, Duration::from_millis(1_500));
/// Moves of a line that are told.
const TOLD: usize = 12;
/// Moves beside the record.
const MOST_ASIDE: usize = 40;

/// What all studies share.
pub struct Studies {
    turns: Arc<Turns>,
    /// Lines that are played through; extensions may make that slow.
    walks: Arc<Turns>,
    reports: Reports,
}

impl Studies {
    /// Nobody studies yet.
    #[must_use]
    pub fn new() -> Studies {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Studies {
            turns: Turns::new((cores / 2).max(1)),
            walks: Turns::new(cores.max(2)),
            reports: Reports::default(),
        }
    }
}

impl Default for Studies {
    fn default() -> Self {
        Studies::new()
    }
}

/// Why something is not studied.
#[derive(Debug)]
pub enum NoStudy {
    /// The table cannot be had.
    NoTable(NoTable),
    /// It may not be studied, or not so.
    Refused(Problem),
}

impl From<NoTable> for NoStudy {
    fn from(why: NoTable) -> Self {
        NoStudy::NoTable(why)
    }
}

impl From<Problem> for NoStudy {
    fn from(why: Problem) -> Self {
        NoStudy::Refused(why)
    }
}

/// Whether everybody may look closely at this game: when it is over, or when one person plays both sides.
fn is_open(state: &State) -> Result<(), Problem> {
    let open = state.end.is_some() || state.setup.how == How::Screen;
    if open { Ok(()) } else { Err(Problem::new("study-not-now")) }
}

/// The game as it stood after so many plies.
fn after(state: &State, ply: usize) -> Box<dyn AnyGame> {
    let mut game = state.game.boxed_clone();
    while game.plies() > ply {
        game.undo();
    }
    game
}

impl Hall {
    /// The table's game after so many plies, to look closely at.
    ///
    /// # Errors
    /// `study-not-now` while two play.
    pub(crate) async fn studied(
        self: &Arc<Self>,
        table: &str,
        ply: u32,
    ) -> Result<(Box<dyn AnyGame>, Rules), NoStudy> {
        let look = move |state: &State| {
            let rules = (state.setup.game.clone(), state.setup.options.clone(), state.setup.fen.clone());
            is_open(state).map(|()| (after(state, ply as usize), Rules(rules, state.id.clone())))
        };
        Ok(self.look(table, look).await??)
    }

    /// The best move, for who sits there and is to move: on one screen, and against a program.
    ///
    /// # Errors
    /// `not-your-seat`, `no-hints-here`, `not-your-turn`, `game-over`.
    pub async fn hint(self: &Arc<Self>, table: &str, guest: &str) -> Result<Hint, NoStudy> {
        let asker = guest.to_owned();
        let game = self.look(table, move |state| hinted(state, &asker)).await??;
        let ply = u32::try_from(game.plies()).unwrap_or(u32::MAX);
        let turn = self.studies.turns.take(guest).await;
        let stop = Stop::default();
        let _stops = Stops(stop.clone());
        let work = move || {
            let _turn = turn;
            let limits = Limits { nodes: Some(HINT.0), time: Some(HINT.1), stop, ..Limits::default() };
            best(game.as_ref(), &limits)
        };
        let found = apart(work).await.unwrap_or_else(|| Err(Problem::new("hall-busy")));
        Ok(Hint { ply, line: found? })
    }

    /// What the board looks like along a line beside the game.
    ///
    /// # Errors
    /// `study-not-now`, or why a move is not legal.
    pub async fn aside(self: &Arc<Self>, table: &str, aside: &Aside) -> Result<Replay, NoStudy> {
        if aside.moves.len() > MOST_ASIDE {
            return Err(Problem::new("study-too-long").with("limit", MOST_ASIDE).into());
        }
        let (mut game, _) = self.studied(table, aside.ply).await?;
        let turn = self.studies.walks.take(table).await;
        let moves = aside.moves.clone();
        let walk = move || {
            let _turn = turn;
            let start = wire::View::from(game.view());
            let mut before = start.clone();
            let mut patches = Vec::with_capacity(moves.len());
            for text in &moves {
                game.play(text).map_err(kernel::PlayError::problem)?;
                let view = wire::View::from(game.view());
                patches.push(wire::Patch::between(&before, &view));
                before = view;
            }
            Ok(Replay { start, patches })
        };
        let film: Result<Replay, Problem> =
            apart(walk).await.unwrap_or_else(|| Err(Problem::new("hall-busy")));
        Ok(film?)
    }
}

/// The game of a person who may be helped.
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

/// The best line within these limits.
fn best(game: &dyn AnyGame, limits: &Limits) -> Result<StudyLine, Problem> {
    let mut found = None;
    let text = native::think(game, &Memory::mebibytes(MEMORY), limits, &mut |info| {
        if !info.moves.is_empty() {
            found = Some(info.clone());
        }
    })?;
    let even = |text| StudyLine {
        worth: Worth::Hundredths(0),
        depth: 0,
        names: names(game, std::slice::from_ref(&text)),
        moves: vec![text],
    };
    Ok(match found {
        Some(info) if info.moves[0] == text => line(game, &info),
        _ => even(text),
    })
}

/// A line as clients read it.
fn line(game: &dyn AnyGame, info: &Info) -> StudyLine {
    let moves: Vec<String> = info.moves.iter().take(TOLD).cloned().collect();
    StudyLine {
        worth: for_first(info.worth, game.turn()),
        depth: info.depth,
        names: names(game, &moves),
        moves,
    }
}

/// What the side to move thinks, for the first player.
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

/// Ends a search when whoever asked has gone.
struct Stops(Stop);

impl Drop for Stops {
    fn drop(&mut self) {
        self.0.stop();
    }
}
