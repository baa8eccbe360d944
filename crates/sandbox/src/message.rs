//! Messages between this side and a worker: frames of a length and that many bytes of postcard. The data of a game
//! are the types of `jingbanqi::extension`; a worker's replies are used only after `check` has validated them.

use std::io::{self, Read, Write};

use jingbanqi::extension::{About, Details, Fault, Scene, Seen, Start, WalkPlan, Walked};
use jingbanqi::{Map, Move};
use serde::{Deserialize, Serialize};

use crate::lesson::Finding;

/// The most bytes of a frame to a worker: the largest map and sixteen of the largest extensions.
pub const MOST_ASKED: usize = 128 << 20;
/// The most bytes of a frame from a worker.
pub const MOST_TOLD: usize = 16 << 20;
/// The most moves of a position; more is a fault.
pub const MOST_MOVES: usize = 1 << 17;

/// A request to a worker. Each is followed by replies up to the first that is neither [`Reply::Crumb`] nor
/// [`Reply::Told`].
#[derive(Serialize, Deserialize, Debug)]
pub enum Request {
    /// Look for mistakes in the texts of files, and run nothing.
    Look {
        /// The map whose extensions they are.
        map: Map,
        /// The texts of the files; one that is not UTF-8 is empty.
        texts: Vec<String>,
    },
    /// Read these rules and run these files once.
    Load {
        /// The map whose extensions are loaded.
        map: Map,
        /// True if the old names of places are known without an extension.
        old_names: bool,
        /// The seed of random numbers.
        seed: u128,
        /// True if prints and tracebacks are sent.
        tells: bool,
        /// The names and texts of the files.
        sources: Vec<(String, Vec<u8>)>,
    },
    /// Begins a game with this seed of random numbers.
    Begin(Start, u128),
    /// Goes to the line whose first `keep` moves stay as they are, and replies.
    Ask {
        /// The number of moves of the present line that stay.
        keep: u32,
        /// The moves to play from there.
        moves: Vec<Move>,
        /// The number of plies after which random numbers begin again, and their seed: another world.
        later: Option<(u32, u128)>,
        /// The data wanted at the end of the line.
        want: Want,
        /// True if a crumb is sent before each call of an extension.
        crumbs: bool,
    },
    /// Goes to the line whose first `keep` moves stay as they are, and plays random moves from there that leave no trace.
    Walk {
        /// The number of moves of the present line that stay.
        keep: u32,
        /// The moves to play from there.
        moves: Vec<Move>,
        /// The number of plies after which random numbers begin again, and their seed: another world.
        later: Option<(u32, u128)>,
        /// The limits of the random moves.
        plan: WalkPlan,
    },
    /// Plays random games from the start, and replies with the results.
    Rehearse {
        /// The number of random games to play.
        games: u32,
        /// The most plies of a game.
        longest: u32,
        /// The seed of random numbers.
        seed: u64,
        /// True if lines are followed, so that a call that takes too long is reported with its line.
        follow: bool,
    },
    /// Plays random games from the start, without a time limit.
    Playouts {
        /// The seed of random numbers.
        seed: u64,
        /// The number of plies of all games together.
        plies: u32,
        /// The most plies of a game.
        longest: u32,
        /// True if results of calls may be kept and used again.
        remember: bool,
    },
}

/// The results of a rehearsal, before files have their names.
#[derive(Serialize, Deserialize, Clone, Default, Debug)]
pub struct Rehearsed {
    /// Plies of each game.
    pub lengths: Vec<u32>,
    /// Games that stopped because the side to move had no move.
    pub stuck: [u32; 2],
    /// Games that ended.
    pub ended: u32,
    /// Each fault once.
    pub faults: Vec<Seen>,
    /// Number of the file, hook, calls, median and worst in microseconds.
    pub hooks: Vec<(u16, String, u64, u64, u64)>,
    /// The printed text, and the number of bytes that were left out.
    pub prints: (String, u64),
}

/// The data of a line that a request can ask for.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// Board and moves.
    Scene,
    /// The board alone: listing its moves has failed.
    Board,
    /// Rules, attributes, checks.
    Details,
}

/// A reply of a worker.
#[derive(Serialize, Deserialize, Debug)]
pub enum Reply {
    /// The mistakes in the texts of files.
    Found(Vec<Finding>),
    /// The facts that the extensions state about themselves.
    Loaded(Vec<About>),
    /// The reason for which they cannot be loaded.
    Refused(Fault),
    /// The game has begun.
    Begun,
    /// The state of the game at the end of the line.
    Scene(Scene),
    /// The facts about the pieces at the end of the line.
    Details(Details),
    /// The last ply of the line has failed, or the reply about it; `stands` is the number of plies that remain.
    Fault {
        /// The file, the call, and the error.
        fault: Fault,
        /// The number of plies that stand.
        stands: u32,
        /// Set if the worker cannot go on.
        fatal: bool,
    },
    /// A note that this call of an extension is about to be made, or that this line of it is about to run.
    Crumb(u16, String, Option<u32>),
    /// The output and tracebacks of extensions, and the number of bytes that were left out.
    Told(String, u64),
    /// The course of the random moves after a line.
    Walked(Walked),
    /// The results of playouts.
    Played(Played),
    /// The results of a rehearsal.
    Rehearsed(Rehearsed),
}

/// The results of random games.
#[derive(Serialize, Deserialize, Clone, Default, PartialEq, Eq, Debug)]
pub struct Played {
    /// Plies played, in all games together.
    pub plies: u32,
    /// Games that were begun.
    pub games: u32,
    /// Moves listed altogether.
    pub moves: u64,
    /// Games that a fault ended.
    pub faults: u32,
    /// A hash of every list of moves and every board: two ways of playing the same games must give the same.
    pub digest: u64,
    /// CPU time, in microseconds.
    pub cpu_us: u64,
    /// The number of calls of extensions, and of those whose result was known.
    pub asked: [u64; 2],
}

/// Writes one frame.
///
/// # Errors
/// An error of the pipe, or an error because the message is longer than `most`.
pub fn write<T: Serialize>(to: &mut impl Write, message: &T, most: usize) -> io::Result<()> {
    let bytes = postcard::to_stdvec(message).map_err(io::Error::other)?;
    write_bytes(to, &bytes, most)
}

/// Writes one frame of bytes that were encoded before.
///
/// # Errors
/// An error of the pipe, or an error because there are more bytes than `most`.
pub fn write_bytes(to: &mut impl Write, bytes: &[u8], most: usize) -> io::Result<()> {
    if bytes.len() > most {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the message is too long"));
    }
    to.write_all(&(bytes.len() as u32).to_le_bytes())?;
    to.write_all(bytes)?;
    to.flush()
}

/// Reads one frame.
///
/// # Errors
/// An error of the pipe, its end, or an error because the frame is longer than `most`.
pub fn read(from: &mut impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > most {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the message is too long"));
    }
    // What is announced is not believed: memory is taken as bytes arrive.
    let mut bytes = Vec::new();
    let got = from.take(length as u64).read_to_end(&mut bytes)?;
    if got == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
