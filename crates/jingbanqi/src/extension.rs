//! What a user's code may ask and change, and what whoever runs it owes.
//!
//! A map may come with extensions: files of Python that add places to the little language of rules, change where pieces
//! may go, and act after a move. Their code never runs here. Whoever can run it safely implements [`Loader`],
//! [`Extensions`] and [`Session`]; a position of such a game names its line of moves and asks what it has come to. So it
//! stays a pure function of map, extensions and moves, and may be copied, searched and taken back like any other.

use std::fmt::Debug;
use std::sync::Arc;

use kernel::{Outcome, Problem, Side};

use crate::compiled::Rulebook;
use crate::position::{Move, Standing};

/// The most extensions of a game.
pub const MOST_EXTENSIONS: usize = 16;
/// The most bytes of an extension's file.
pub const MOST_BYTES: usize = 256 * 1024;

/// The text of a fault when the machine was too busy for an extension to be asked: it passes, and says nothing about
/// the file.
pub const BUSY: &str = "Busy: the machine had no time for it";

/// An extension's file, unread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// What its author called the file.
    pub file: String,
    /// Its text: Python in UTF-8.
    pub bytes: Vec<u8>,
}

/// What an extension tells of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct About {
    /// The name of the extension's file.
    pub file: String,
    /// What the extension calls itself: `EX_NAME`.
    pub name: String,
    /// Its version, if it says one: `EX_VERSION`.
    pub version: Option<String>,
    /// `HELP`: what players should know.
    pub help: Option<String>,
    /// The places it adds: the names of `loc_rules`.
    pub places: Vec<String>,
}

/// Where a game begins.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Start {
    /// What stands on each square.
    pub pieces: Vec<Option<Standing>>,
    /// The side to move.
    pub turn: Side,
    /// Neutral moves in a row, of each side.
    pub neutral: [u32; 2],
    /// How the game has ended.
    #[cfg_attr(feature = "serde", serde(with = "crate::notation::end_as_text"))]
    pub end: Option<Outcome>,
}

/// A piece as extensions left it: they may change all of this.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Present {
    /// Its place in the table of pieces, from 1.
    pub id: u16,
    /// Whether it has promoted.
    pub promoted: bool,
    /// Whose it is; `None`: neutral.
    pub owner: Option<Side>,
    /// Whoever takes it wins.
    pub captain: bool,
    /// What is written on it, where that is not the table's name.
    pub name: Option<Arc<str>>,
}

/// What a line of moves has come to.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scene {
    /// What stands on each square.
    pub pieces: Vec<Option<Present>>,
    /// The side to move.
    pub turn: Side,
    /// Neutral moves in a row, of each side; kept only where they are limited.
    pub neutral: [u32; 2],
    /// How the game has ended: by a captain's fall or an extension's word.
    #[cfg_attr(feature = "serde", serde(with = "crate::notation::end_as_text"))]
    pub end: Option<Outcome>,
    /// The moves of the side to move, square by square, each once; none after the end.
    pub moves: Vec<Move>,
    /// What failed when they were listed; then there are none.
    pub fault: Option<Fault>,
    /// The number of random words that chance has decided up to here, the listing of these moves included.
    pub draws: u64,
}

/// What there is to know about the pieces beyond what the board shows.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Details {
    /// Piece by piece, by rising square.
    pub pieces: Vec<Detail>,
    /// Whose captains are attacked: red's, blue's.
    pub checks: [bool; 2],
}

/// What there is to know about a piece.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Detail {
    /// Where it stands.
    pub at: u16,
    /// The directions that hold now, section by section of its rule; extensions read the third section and on.
    pub now: Vec<Vec<i64>>,
    /// How it moves, as a map writes it.
    pub rule: String,
    /// Where it promotes; empty for nowhere.
    pub promotes: String,
    /// How it moves then.
    pub promoted: String,
    /// What extensions read and keep, by name.
    pub attributes: Vec<(String, String)>,
}

/// Why an extension could not go on: it raised, answered nonsense, or took more than it may.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fault {
    /// The extension's file.
    pub file: String,
    /// What was asked of it: `check_can_go`, `after_move`, a place of `loc_rules`, or `load`.
    pub hook: String,
    /// The line of the file, from 1, where it is known.
    pub line: Option<u32>,
    /// What Python called it, or which limit was passed, in one line.
    pub error: String,
}

impl Fault {
    /// Tells whether nothing failed but the machine, which was too busy: asked again later there may be an answer.
    #[must_use]
    pub fn is_of_load(&self) -> bool {
        self.error == BUSY
    }

    /// The same as a problem that can be said in any language: `map-extension-failed`, or `hall-busy`.
    #[must_use]
    pub fn problem(&self) -> Problem {
        if self.is_of_load() {
            return Problem::new("hall-busy");
        }
        self.said("map-extension-failed")
    }

    /// The same as it is said under a board: `extension-failed`.
    #[must_use]
    pub fn caption(&self) -> Problem {
        self.said("extension-failed")
    }

    fn said(&self, key: &'static str) -> Problem {
        let line = self.line.map_or("?".to_owned(), |line| line.to_string());
        // Python writes the place behind what it cannot read; said twice, it would push the reason out of the sentence.
        let place = format!(" ({}, line {line})", self.file);
        Problem::new(key)
            .with("place", &self.file)
            .with("hook", &self.hook)
            .with("line", line)
            .with("text", self.error.strip_suffix(&place).unwrap_or(&self.error))
    }
}

/// A check that plays: how many random games, how long each may get, and what their numbers begin with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// How many random games are played at most.
    pub games: u32,
    /// Plies of a game at most.
    pub longest: u32,
    /// Decides the moves.
    pub seed: u64,
}

/// What came of random games.
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
    /// What failed, each fault once.
    pub faults: Vec<Seen>,
    /// How long calls took.
    pub hooks: Vec<Timing>,
    /// What the extensions printed, cut.
    pub prints: String,
    /// Bytes of prints that were left out.
    pub prints_left_out: u64,
}

/// A fault of a rehearsal.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Seen {
    /// What failed, and where.
    pub fault: Fault,
    /// In how many games.
    pub games: u32,
    /// The first of them, from 1, and after how many plies.
    pub first: (u32, u32),
    /// The calls that led there, the innermost last: a line of text for each.
    pub trace: Vec<String>,
}

/// How long the calls of a hook took, with the interpreter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timing {
    /// The extension's file.
    pub file: String,
    /// `check_can_go`, `after_move`, or a place of `loc_rules`.
    pub hook: String,
    /// How often it was called and measured; 0: no game ever asked it.
    pub calls: u64,
    /// Half of the calls took no longer, in microseconds.
    pub median_us: u64,
    /// The longest call, in microseconds.
    pub worst_us: u64,
}

/// Someone who can run extensions without harm.
pub trait Loader: Send + Sync {
    /// Runs the files once and learns what they offer, in that order.
    ///
    /// # Errors
    /// What is wrong with which file, and where: `map-extension-failed`, or a limit.
    fn load(&self, book: &Arc<Rulebook>, sources: &[Source]) -> Result<Arc<dyn Extensions>, Vec<Problem>>;
}

/// The extensions of a map, loaded.
pub trait Extensions: Debug + Send + Sync {
    /// What they tell of themselves, in order.
    fn about(&self) -> &[About];

    /// The same extensions for games by that book, which differs from theirs in its seed at most; `None` where no game
    /// depends on it. Nothing runs until it is asked.
    fn by_book(&self, _book: &Arc<Rulebook>) -> Option<Arc<dyn Extensions>> {
        None
    }

    /// Tells whether something may be left to chance, as far as the files say.
    fn chance(&self) -> bool {
        false
    }

    /// A game that begins so. Nothing runs until it is asked.
    fn begin(&self, start: Start) -> Arc<dyn Session>;

    /// Plays random games from the start, all hooks asked. Who cannot play tells that no game was played.
    ///
    /// # Errors
    /// Why nothing could be played at all.
    fn rehearse(&self, _plan: Plan) -> Result<Rehearsal, Fault> {
        Ok(Rehearsal::default())
    }
}

/// One game with extensions: a pure function of a line of moves. It may keep what it worked out, and forget it.
///
/// Called from several threads; a call may take as long as the limits of extensions allow, some seconds.
pub trait Session: Debug + Send + Sync {
    /// What the game has come to after those moves, each legal where it was played.
    ///
    /// # Errors
    /// What failed in the last ply, which then has not happened.
    fn scene(&self, line: &[Move]) -> Result<Scene, Fault>;

    /// What there is to know about the pieces after those moves.
    ///
    /// # Errors
    /// What failed.
    fn details(&self, line: &[Move]) -> Result<Details, Fault>;

    /// The same game in another world; `None` where nothing is left to chance.
    fn world(&self, _world: World) -> Option<Arc<dyn Session>> {
        None
    }
}

/// Another course of the same game: chance decides otherwise from some ply on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct World {
    /// The number of plies that stay as chance had them; 0: not even what was drawn when the files were loaded.
    pub from: u32,
    /// The number by which chance decides from there on.
    pub seed: u128,
}
