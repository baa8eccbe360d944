//! What this side and a worker say to each other: frames of a length and that many bytes of postcard. What is told
//! of a game are the types of `jingbanqi::extension`; what a worker tells is believed only after `check` has looked
//! at it.

use std::io::{self, Read, Write};

use jingbanqi::extension::{About, Details, Fault, Scene, Seen, Start};
use jingbanqi::{Map, Move};
use serde::{Deserialize, Serialize};

/// The most bytes of a frame to a worker: the largest map and sixteen of the largest extensions.
pub const MOST_ASKED: usize = 128 << 20;
/// The most bytes of a frame from a worker.
pub const MOST_TOLD: usize = 16 << 20;
/// The most moves of a position; more is a fault.
pub const MOST_MOVES: usize = 1 << 17;

/// What a worker is asked. One request, then replies up to the first that is neither
/// [`Reply::Crumb`] nor [`Reply::Told`].
#[derive(Serialize, Deserialize, Debug)]
pub enum Request {
    /// Read these rules and run these files once.
    Load {
        /// The map whose extensions are loaded.
        map: Map,
        /// Whether the old names of places are known without an extension.
        old_names: bool,
        /// The seed of random numbers.
        seed: u128,
        /// Whether prints and tracebacks are told.
        tells: bool,
        /// Names and texts.
        sources: Vec<(String, Vec<u8>)>,
    },
    /// Begin a game, and random numbers with that one.
    Begin(Start, u128),
    /// Go to the line whose first `keep` moves stay as they are, and tell.
    Ask {
        /// How many moves of the present line stay.
        keep: u32,
        /// The moves to play from there.
        moves: Vec<Move>,
        /// After how many plies random numbers begin again, and with which: another world.
        later: Option<(u32, u128)>,
        /// What is wanted there.
        want: Want,
        /// Whether a crumb is dropped before each call of an extension.
        crumbs: bool,
    },
    /// Play random games from the start, and tell what came of them.
    Rehearse {
        /// How many random games to play.
        games: u32,
        /// Plies of a game at most.
        longest: u32,
        /// The seed of random numbers.
        seed: u64,
        /// Whether lines are followed, so that a call that takes too long says where.
        follow: bool,
    },
    /// Play random games from the start, as long as it takes.
    Playouts {
        /// The seed of random numbers.
        seed: u64,
        /// How many plies altogether.
        plies: u32,
        /// The longest game.
        longest: u32,
        /// Whether what was worked out once may be remembered.
        remember: bool,
    },
}

/// What came of a rehearsal, before files have their names.
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
    /// What was printed, and how many bytes more.
    pub prints: (String, u64),
}

/// What is wanted of a line.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// Board and moves.
    Scene,
    /// The board alone: listing its moves has failed.
    Board,
    /// Rules, attributes, checks.
    Details,
}

/// What a worker tells.
#[derive(Serialize, Deserialize, Debug)]
pub enum Reply {
    /// What the extensions say of themselves.
    Loaded(Vec<About>),
    /// Why they cannot be loaded.
    Refused(Fault),
    /// The game has begun.
    Begun,
    /// What the line has come to.
    Scene(Scene),
    /// What there is to know about the pieces.
    Details(Details),
    /// The last ply of the line has failed, or the telling; `ply` is the number of plies that stand.
    Fault {
        /// The file, what was asked of it, and what happened.
        fault: Fault,
        /// The plies that stand.
        stands: u32,
        /// The worker cannot go on.
        fatal: bool,
    },
    /// About to ask that extension this, or to run that line of it.
    Crumb(u16, String, Option<u32>),
    /// What extensions printed and how they failed, and how many bytes of it were left out.
    Told(String, u64),
    /// Random games were played.
    Played(Played),
    /// Games were played, and this came of them.
    Rehearsed(Rehearsed),
}

/// What came of random games.
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
    /// Mixed from every list of moves and every board: two ways of playing the same games must agree.
    pub digest: u64,
    /// CPU time, in microseconds.
    pub cpu_us: u64,
    /// How often an extension was asked, and how often its answer was known.
    pub asked: [u64; 2],
}

/// Writes one frame.
///
/// # Errors
/// What the pipe says, or that the message is longer than `most`.
pub fn write<T: Serialize>(to: &mut impl Write, message: &T, most: usize) -> io::Result<()> {
    let bytes = postcard::to_stdvec(message).map_err(io::Error::other)?;
    write_bytes(to, &bytes, most)
}

/// Writes one frame of bytes that were encoded before.
///
/// # Errors
/// What the pipe says, or that there are more bytes than `most`.
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
/// What the pipe says, that it ended, or that the frame is longer than `most`.
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
