//! Journals of games on disk: a line of JSON for the settings, then one for each game that ended. They hold matches,
//! and games to learn from.
//!
//! Lines are written whole and in one piece, so that a match that was killed loses the games in progress and no more.
//! When it goes on, half a line at the end is cut off.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use kernel::{Problem, Side};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Points;

/// The settings of a match: with the same settings it can go on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The key of the game.
    pub game: String,
    /// The options of the game.
    pub options: BTreeMap<String, i64>,
    /// Its map, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<String>,
    /// The two engines, as they were named.
    pub engines: [String; 2],
    /// The time control, as it was written.
    pub control: String,
    /// The tolerance before a move counts as late, in milliseconds.
    pub margin_ms: u64,
    /// The size of each engine's transposition table, in MiB.
    pub hash: usize,
    /// The number of turns of an opening.
    pub opening_turns: usize,
    /// The file with the openings, if there is one, as it was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<String>,
    /// The score below which an opening counts as balanced, in hundredths.
    pub balance: i32,
    /// The random seed of the openings and of the levels.
    pub seed: u64,
    /// The score in hundredths and the number of moves at which a game is adjudicated as won; `None`: never.
    pub adjudicate: Option<(i32, u32)>,
    /// The number of moves after which a game is drawn.
    pub most_plies: usize,
    /// The version of our program.
    pub version: String,
}

/// A game that ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// Its number, from 0: games 2n and 2n + 1 are a pair.
    pub number: usize,
    /// The index of the engine that moved first: 0 or 1.
    pub first: usize,
    /// The FEN of the position the opening begins with; `None`: the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves of the opening.
    pub opening: Vec<String>,
    /// The moves of the engines.
    pub moves: Vec<String>,
    /// The time of each move, in milliseconds.
    pub spent_ms: Vec<u64>,
    /// The score of each move by the engine that played it, in hundredths.
    pub worth: Vec<Option<i32>>,
    /// `first`, `second`, `draw` or `void`.
    pub result: String,
    /// The reason of the result.
    pub reason: String,
    /// The error of an engine, in words; empty where there was none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fault: String,
    /// The reasons why a void game is void, the most general first: which extension failed, in which hook, on which
    /// line, and how.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub void: Vec<String>,
    /// The day it was played, as `2026-11-22`; empty when it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// The time that passed for each engine, in milliseconds.
    pub clock_ms: [u64; 2],
    /// The processor time of each engine, in milliseconds.
    pub processor_ms: [u64; 2],
    /// The number of nodes that each engine searched, as far as it told.
    #[serde(default)]
    pub nodes: [u64; 2],
    /// The time of those searches of each engine, in microseconds.
    #[serde(default)]
    pub nodes_us: [u64; 2],
}

/// The result of a void game, which counts for neither engine.
pub(crate) const VOID: &str = "void";

impl Played {
    /// Returns true if an engine lost it because it took too long.
    #[must_use]
    pub fn is_late(&self) -> bool {
        matches!(self.reason.as_str(), "late" | "hung")
    }

    /// Returns true if it is void, as when an extension of its map failed.
    #[must_use]
    pub fn is_void(&self) -> bool {
        self.result == VOID
    }

    /// Returns the reason of a void game without the parts that differ from game to game, such as the squares in an
    /// exception's text.
    #[must_use]
    pub fn kind_of_void(&self) -> Vec<&str> {
        let general = &self.void[..self.void.len().saturating_sub(1)];
        std::iter::once(&self.reason).chain(general).map(String::as_str).collect()
    }

    /// Returns the whole reason of a void game.
    #[must_use]
    pub fn why_void(&self) -> String {
        std::iter::once(self.reason.as_str())
            .chain(self.void.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join(": ")
    }

    /// Returns the points of the first engine (not the first side); `None` when there is no valid result, or the game
    /// is void.
    #[must_use]
    pub fn points(&self) -> Option<Points> {
        let points = match self.result.as_str() {
            "first" => Points::Win,
            "second" => Points::Loss,
            "draw" => Points::Draw,
            _ => return None,
        };
        match self.first {
            0 => Some(points),
            1 => Some(points.reversed()),
            _ => None,
        }
    }

    /// Returns the word for the result.
    #[must_use]
    pub const fn result_of(winner: Option<Side>) -> &'static str {
        match winner {
            Some(Side::First) => "first",
            Some(Side::Second) => "second",
            None => "draw",
        }
    }
}

/// The longest journal read, in bytes.
const MOST_BYTES: u64 = 4 << 30;
/// The longest line read, in bytes.
const MOST_LINE: usize = 16 << 20;

/// A journal that is open for writing.
pub struct Journal {
    file: File,
}

impl Journal {
    /// Opens a new journal, or an existing one: then the games in it are returned. A file that is there must hold
    /// games of the same settings, whose first field is called `game`.
    ///
    /// # Errors
    /// `match-file` with what is wrong with the file, `match-other-settings`.
    pub fn open<S, G>(path: &Path, settings: &S) -> Result<(Journal, Vec<G>), Problem>
    where
        S: Serialize + DeserializeOwned + PartialEq,
        G: DeserializeOwned,
    {
        let wrong = |why: &dyn std::fmt::Display| {
            Problem::new("match-file").with("file", path.display()).with("text", why)
        };
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = file.map_err(|why| wrong(&why))?;
        let size = file.metadata().map_err(|why| wrong(&why))?.len();
        if size > MOST_BYTES {
            return Err(wrong(&size));
        }
        let (found, games, whole) = read::<S, G>(&file).map_err(|why| wrong(&why))?;
        match found {
            Some(found) if found != *settings => {
                return Err(Problem::new("match-other-settings").with("file", path.display()));
            }
            None if whole > 0 => return Err(wrong(&"no match")),
            _ => {}
        }
        file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0))).map_err(|why| wrong(&why))?;
        let mut journal = Journal { file };
        if found.is_none() {
            journal.write(settings).map_err(|why| wrong(&why))?;
        }
        Ok((journal, games))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// `match-file`.
    pub fn add(&mut self, played: &impl Serialize) -> Result<(), Problem> {
        self.write(played).map_err(|why| Problem::new("match-file").with("file", "").with("text", why))
    }

    fn write(&mut self, value: &impl Serialize) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }
}

/// Returns the settings and the games of a journal, and the number of its bytes that are whole lines.
fn read<S: DeserializeOwned, G: DeserializeOwned>(file: &File) -> std::io::Result<(Option<S>, Vec<G>, u64)> {
    let mut games = Vec::new();
    let (settings, whole) = walk(file, &mut |game| {
        games.push(game);
        true
    })?;
    Ok((settings, games, whole))
}

/// Passes each game of a journal to a callback, until it returns false; returns the settings and the number of bytes
/// that are whole lines.
fn walk<S: DeserializeOwned, G: DeserializeOwned>(
    file: &File,
    hear: &mut dyn FnMut(G) -> bool,
) -> std::io::Result<(Option<S>, u64)> {
    let mut source = BufReader::new(file);
    let (mut settings, mut whole) = (None, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        let count = source.read_until(b'\n', &mut line)?;
        let is_whole = line.last() == Some(&b'\n') && line.len() <= MOST_LINE;
        if !is_whole {
            // A file with text but no whole line was written by another program, unless it is the half of a
            // first line.
            let foreign = settings.is_none() && count > 0 && !line.starts_with(b"{\"game\"");
            return Ok((settings, if foreign { count as u64 } else { whole }));
        }
        if settings.is_none() {
            match serde_json::from_slice(&line) {
                Ok(found) => settings = Some(found),
                Err(_) => return Ok((None, count as u64)),
            }
        } else if !hear(serde_json::from_slice(&line)?) {
            return Ok((settings, whole));
        }
        whole += count as u64;
    }
}

/// Returns the settings of a journal.
///
/// # Errors
/// `match-file`.
pub fn settings<S: DeserializeOwned>(path: &Path) -> Result<S, Problem> {
    each::<S, serde::de::IgnoredAny>(path, &mut |_| false)
}

/// Passes the games of a journal to a callback one by one, however many they are, until it returns false; returns the
/// settings.
///
/// # Errors
/// `match-file`.
pub fn each<S: DeserializeOwned, G: DeserializeOwned>(
    path: &Path,
    hear: &mut dyn FnMut(G) -> bool,
) -> Result<S, Problem> {
    let wrong = |why: &dyn std::fmt::Display| {
        Problem::new("match-file").with("file", path.display()).with("text", why)
    };
    let file = File::open(path).map_err(|why| wrong(&why))?;
    let (settings, _) = walk::<S, G>(&file, hear).map_err(|why| wrong(&why))?;
    settings.ok_or_else(|| wrong(&"no match"))
}

/// Returns the content of a journal, for readers that do not write to it.
///
/// # Errors
/// `match-file`.
pub fn look<S: DeserializeOwned, G: DeserializeOwned>(path: &Path) -> Result<(S, Vec<G>), Problem> {
    let wrong = |why: &dyn std::fmt::Display| {
        Problem::new("match-file").with("file", path.display()).with("text", why)
    };
    let file = File::open(path).map_err(|why| wrong(&why))?;
    let (settings, games, _) = read::<S, G>(&file).map_err(|why| wrong(&why))?;
    Ok((settings.ok_or_else(|| wrong(&"no match"))?, games))
}
