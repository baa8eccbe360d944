//! Interface to the extensions of a map: the facts they read, the changes they may make, and the duties of the
//! program that runs them.
//!
//! A map may come with extensions: files of Python that add places to the little language of rules, change the
//! squares that pieces may go to, and act after a move. Their code never runs here. A program that can run it safely
//! implements [`Loader`], [`Extensions`] and [`Session`]; a position of such a game names its line of moves and asks
//! for the scene after it. So it stays a pure function of map, extensions and moves, and may be copied, searched and
//! taken back like any other.

use std::fmt::Debug;
use std::sync::Arc;

use kernel::{Outcome, Problem, Side};

use crate::compiled::Rulebook;
use crate::level2::Progress;
use crate::position::{Move, Standing};
use crate::reason::{self, Reason};

/// The most extensions of a game.
pub const MOST_EXTENSIONS: usize = 16;
/// The most bytes of an extension's file.
pub const MOST_BYTES: usize = 256 * 1024;

/// The text of a fault when the machine was too busy to call an extension: a temporary state that says nothing about
/// the file.
pub const BUSY: &str = "Busy: the machine had no time for it";

/// The most characters of an error that a sentence repeats.
const MOST_WORDS: usize = 200;

/// An extension's file, unread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The name of the file, as its author gave it.
    pub file: String,
    /// Its text: Python in UTF-8.
    pub bytes: Vec<u8>,
}

/// The facts that an extension states about itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct About {
    /// The name of the extension's file.
    pub file: String,
    /// The name of the extension: `EX_NAME`.
    pub name: String,
    /// Its version, if it says one: `EX_VERSION`.
    pub version: Option<String>,
    /// `HELP`: what players should know.
    pub help: Option<String>,
    /// The places it adds: the names of `loc_rules`.
    pub places: Vec<String>,
}

/// The starting position of a game.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Start {
    /// The piece on each square.
    pub pieces: Vec<Option<Standing>>,
    /// The side to move.
    pub turn: Side,
    /// Neutral moves in a row, of each side.
    pub neutral: [u32; 2],
    /// The end of the game; `None` while it goes on.
    #[cfg_attr(feature = "serde", serde(with = "crate::notation::end_as_text"))]
    pub end: Option<Outcome>,
    /// Hands, counters and turns of a game of level 2.
    pub second: Option<Box<Progress>>,
}

/// The choices that an extension of level 2 offers for a move of a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Choices {
    /// The square that the piece leaves.
    pub from: u16,
    /// The square that it goes to.
    pub to: u16,
    /// The texts, each once.
    pub texts: Vec<Arc<str>>,
}

/// A piece in the state that extensions left it in: they may change all of this.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Present {
    /// Its place in the table of pieces, from 1.
    pub id: u16,
    /// True if it has promoted.
    pub promoted: bool,
    /// The side that owns it; `None` for a neutral one.
    pub owner: Option<Side>,
    /// True if the side that takes this piece wins.
    pub captain: bool,
    /// The text on the piece, where it differs from the table's name.
    pub name: Option<Arc<str>>,
}

/// The state of a game after a line of moves.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scene {
    /// The piece on each square.
    pub pieces: Vec<Option<Present>>,
    /// The side to move.
    pub turn: Side,
    /// Neutral moves in a row, of each side; kept only where they are limited.
    pub neutral: [u32; 2],
    /// The end of the game, by the capture of a captain or by an extension; `None` while it goes on.
    #[cfg_attr(feature = "serde", serde(with = "crate::notation::end_as_text"))]
    pub end: Option<Outcome>,
    /// The moves of the side to move, square by square, each once; none after the end.
    pub moves: Vec<Move>,
    /// The fault that stopped the listing of the moves; then there are none.
    pub fault: Option<Fault>,
    /// The number of random words drawn up to here, the listing of these moves included.
    pub draws: u64,
    /// Hands, counters and turns of a game of level 2.
    pub second: Option<Box<Progress>>,
    /// The choices of extensions among these moves.
    pub choices: Vec<Choices>,
}

/// The facts about the pieces that the board does not show.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Details {
    /// Piece by piece, by rising square.
    pub pieces: Vec<Detail>,
    /// The sides whose captains are attacked: red's, blue's.
    pub checks: [bool; 2],
}

/// The facts about a piece that the board does not show.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Detail {
    /// The square of the piece.
    pub at: u16,
    /// The directions that hold now, section by section of its rule; extensions read the third section and on.
    pub now: Vec<Vec<i64>>,
    /// The move rule, as a map writes it.
    pub rule: String,
    /// The places where it promotes; empty for none.
    pub promotes: String,
    /// The move rule after promotion.
    pub promoted: String,
    /// The attributes that extensions read and keep, by name.
    pub attributes: Vec<(String, String)>,
}

/// The failure of an extension: an exception, an invalid answer, or a limit exceeded.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fault {
    /// The extension's file.
    pub file: String,
    /// The function that was called: `check_can_go`, `after_move`, a place of `loc_rules`, or `load`.
    pub hook: String,
    /// The line of the file, from 1, where it is known.
    pub line: Option<u32>,
    /// The error as Python names it, or the limit that was exceeded, in one line.
    pub error: String,
}

impl Fault {
    /// Returns true if the only cause is that the machine was too busy: the same call may succeed later.
    #[must_use]
    pub fn is_of_load(&self) -> bool {
        self.error == BUSY
    }

    /// Returns the fault as a problem that can be translated: `map-extension-failed`, or `hall-busy`.
    #[must_use]
    pub fn problem(&self) -> Problem {
        if self.is_of_load() {
            return Problem::new("hall-busy");
        }
        self.said("map-extension-failed")
    }

    /// Returns the fault as the caption under a board: `extension-failed`.
    #[must_use]
    pub fn caption(&self) -> Problem {
        self.said("extension-failed")
    }

    fn said(&self, key: &'static str) -> Problem {
        let line = self.line.map_or("?".to_owned(), |line| line.to_string());
        // Python writes the place behind what it cannot read; said twice, it would push the reason out of the sentence.
        let place = format!(" ({}, line {line})", self.file);
        let words = self.error.strip_suffix(&place).unwrap_or(&self.error);
        let Reason { key: why, parts } = reason::reason(words);
        let mut problem = Problem::new(key)
            .with("place", &self.file)
            .with("hook", &self.hook)
            .with("line", line)
            .with("why", why);
        // The words may be longer than other facts: the reason stands at their end.
        problem.args.push(("text", words.chars().take(MOST_WORDS).collect()));
        for (name, part) in ["name", "other"].into_iter().zip(parts) {
            problem = problem.with(name, part);
        }
        problem
    }
}

/// The plan of a rehearsal, a check that plays random games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The most random games that are played.
    pub games: u32,
    /// The most plies of a game.
    pub longest: u32,
    /// The seed of the choice of moves.
    pub seed: u64,
}

/// The results of random games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rehearsal {
    /// Games that were played: fewer than planned where time was up.
    pub games: u32,
    /// Plies of each game.
    pub lengths: Vec<u32>,
    /// Games that stopped because the side to move had no move: red, blue.
    pub stuck: [u32; 2],
    /// Games that came to an end by the rules; the others were cut off.
    pub ended: u32,
    /// The faults that occurred, each once.
    pub faults: Vec<Seen>,
    /// The times that calls took.
    pub hooks: Vec<Timing>,
    /// The output that the extensions printed, cut.
    pub prints: String,
    /// Bytes of prints that were left out.
    pub prints_left_out: u64,
}

/// A fault of a rehearsal.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Seen {
    /// The fault and its location.
    pub fault: Fault,
    /// The number of games in which it occurred.
    pub games: u32,
    /// The number of the first game in which it occurred, from 1, and the plies played before.
    pub first: (u32, u32),
    /// The calls that led there, the innermost last: a line of text for each.
    pub trace: Vec<String>,
}

/// The durations of the calls of a hook, with the interpreter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timing {
    /// The extension's file.
    pub file: String,
    /// `check_can_go`, `after_move`, or a place of `loc_rules`.
    pub hook: String,
    /// The number of calls that were measured; 0 if no game called it.
    pub calls: u64,
    /// The median duration of a call, in microseconds.
    pub median_us: u64,
    /// The longest call, in microseconds.
    pub worst_us: u64,
}

/// A program that can run extensions without harm.
pub trait Loader: Send + Sync {
    /// Runs the files once and reads the places and hooks they define, in that order.
    ///
    /// # Errors
    /// The file with a fault, and its place: `map-extension-failed`, or a limit.
    fn load(&self, book: &Arc<Rulebook>, sources: &[Source]) -> Result<Arc<dyn Extensions>, Vec<Problem>>;
}

/// The extensions of a map, loaded.
pub trait Extensions: Debug + Send + Sync {
    /// The facts that the extensions state about themselves, in order.
    fn about(&self) -> &[About];

    /// Returns what is odd in their texts and does not keep them from being played: warnings for their author.
    fn warnings(&self) -> &[Problem] {
        &[]
    }

    /// Returns the same extensions for games by that book, which differs from theirs in its seed at most; `None`
    /// where no game depends on it. No code runs before the first call.
    fn by_book(&self, _book: &Arc<Rulebook>) -> Option<Arc<dyn Extensions>> {
        None
    }

    /// Returns true if the extensions may draw random numbers, as far as the files say.
    fn chance(&self) -> bool {
        false
    }

    /// Returns a number that differs where the files do.
    fn print(&self) -> u64 {
        0
    }

    /// Begins a game from that position. No code runs before the first call.
    fn begin(&self, start: Start) -> Arc<dyn Session>;

    /// Plays random games from the start, with all hooks. An implementation that cannot play reports zero games.
    ///
    /// # Errors
    /// The reason why nothing could be played at all.
    fn rehearse(&self, _plan: Plan) -> Result<Rehearsal, Fault> {
        Ok(Rehearsal::default())
    }
}

/// The limits of a random game from a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WalkPlan {
    /// The seed of the choice of moves.
    pub seed: u64,
    /// The most plies, those of the line not counted.
    pub longest: u32,
    /// The most CPU time of extensions, in milliseconds: after it no further ply is begun.
    pub cpu_ms: u32,
}

/// The course of a random game, as a [`Session`] tells it.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Walked {
    /// The moves in order, each with the player who made it.
    pub moves: Vec<(Side, Move)>,
    /// The state at the end, without moves; with the fault of an extension that failed on the way.
    pub scene: Scene,
    /// True if the game was over there, or the side to move had no move.
    pub is_over: bool,
    /// The points of red and blue by the author's `score`, where there is one and the game was not over.
    pub points: Option<[i64; 2]>,
}

/// One game with extensions: a pure function of a line of moves. It may cache results and drop them.
///
/// Called from several threads; a call may take as long as the limits of extensions allow, some seconds.
pub trait Session: Debug + Send + Sync {
    /// Returns the state of the game after those moves, each legal where it was played.
    ///
    /// # Errors
    /// The failure in the last ply, which then has not happened.
    fn scene(&self, line: &[Move]) -> Result<Scene, Fault>;

    /// Returns the facts about the pieces after those moves that the board does not show.
    ///
    /// # Errors
    /// The failure of a hook.
    fn details(&self, line: &[Move]) -> Result<Details, Fault>;

    /// Plays random moves after a line, which leave no trace; `None` where that cannot be done.
    ///
    /// # Errors
    /// The failure of the line, or that no answer came.
    fn walk(&self, _line: &[Move], _plan: WalkPlan) -> Option<Result<Walked, Fault>> {
        None
    }

    /// Returns the same game in another world; `None` where nothing is left to chance.
    fn world(&self, _world: World) -> Option<Arc<dyn Session>> {
        None
    }
}

/// A world: another course of the same game, in which random numbers differ from some ply on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct World {
    /// The number of plies whose random numbers stay; 0: not even those drawn when the files were loaded.
    pub from: u32,
    /// The seed of the random numbers from there on.
    pub seed: u128,
}
