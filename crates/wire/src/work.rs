//! What the hall and the workers that think for it on other machines say to each other; `docs/workers.md` tells the story.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Problem;

/// A worker asks for work.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct WorkWish {
    /// The version of the program that asks. Another one than the hall's gets no work: its answers would differ.
    pub version: String,
    /// A hash of the weights that are built in, by the key of each family of games. Where one is missing or another than the
    /// hall's it gets no work.
    #[serde(default)]
    pub weights: BTreeMap<String, String>,
    /// Names of the engines of others that it has, as in the hall's file of engines.
    #[serde(default)]
    pub engines: Vec<String>,
    /// Tells whether maps with extensions can be played there, in its own fence.
    #[serde(default)]
    pub extensions: bool,
    /// The milliseconds that the hall may wait for work before it says that there is none; at most 10 000.
    #[serde(default)]
    pub wait_ms: u32,
}

/// A piece of work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Work {
    /// Its id, random; the answer is sent under it.
    pub id: String,
    /// The milliseconds from now after which nobody waits for the answer any more.
    pub deadline_ms: u32,
    /// The game that it is about.
    pub game: WorkGame,
    /// The question.
    pub ask: WorkAsk,
}

/// A game, as far as whoever looks at it may know.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct WorkGame {
    /// Key of the game in the catalogue.
    pub key: String,
    /// All options with their values.
    pub options: BTreeMap<String, i64>,
    /// Id of the map, whose files are at `/api/worker/maps/{id}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<String>,
    /// The SHA-256, in hexadecimal digits, of the weights that the hall's keeper has put beside this map; they are at
    /// `/api/worker/weights/{hash}`. Absent: the map is judged by what is built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// Where it began; absent: at the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Move texts since then.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Sixteen hexadecimal digits that follow from the position these moves lead to. The answer repeats those of the position
    /// that was looked at.
    pub digest: String,
}

/// A question about a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum WorkAsk {
    /// Think about the position: for a move, a hint, a report or an analysis.
    Think(WorkLimits),
    /// Find puzzles in the game.
    Puzzles {
        /// Positions searched for each candidate.
        nodes: u64,
        /// The most puzzles of one game.
        most: usize,
    },
    /// Play a game of a balance report on the map.
    Balance {
        /// What decides the games of the report.
        #[schema(value_type = Object)]
        plan: serde_json::Value,
        /// The level of both sides.
        level: u8,
        /// The number of the game within the level.
        number: u32,
    },
}

/// How long to think, and how well. The first limit that is reached ends it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct WorkLimits {
    /// Milliseconds.
    pub time_ms: u32,
    /// Positions; absent: as many as there is time for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The number of best lines to tell; 0 is 1.
    #[serde(default)]
    pub lines: usize,
    /// The level, 1 to 10; absent: full strength.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// What decides a level's chances.
    #[serde(default)]
    pub seed: u64,
    /// Tells whether positions are judged by the sum of terms, in games that have a network, too.
    #[serde(default)]
    pub terms: bool,
    /// Tells whether a large table of positions is needed.
    #[serde(default)]
    pub large: bool,
    /// The engine of others that is asked; absent: ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// A text that is the same for all questions about one game, by which an engine of others is found as that game left it.
    #[serde(default)]
    pub match_id: String,
}

/// An answer, or what was found so far.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct WorkAnswer {
    /// The digest of the position that was looked at, as in [`WorkGame::digest`].
    pub digest: String,
    /// The best move; absent in what was found so far, and where something else was asked.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// The best lines, the best one first.
    #[serde(default)]
    pub lines: Vec<SearchLine>,
    /// Tells whether time ended the search before positions did: then another machine may answer otherwise.
    #[serde(default)]
    pub cut: bool,
    /// Puzzles that were found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object)]
    pub puzzles: Option<serde_json::Value>,
    /// The game of a balance report that was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object)]
    pub played: Option<serde_json::Value>,
    /// Why there is no answer, where the question has none: an engine that resigns or fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<Problem>,
}

/// A line that a search found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SearchLine {
    /// What it comes to, for the side to move.
    pub worth: crate::Worth,
    /// Plies searched in full; turns in locked chess.
    pub depth: u32,
    /// Positions looked at so far.
    pub nodes: u64,
    /// Milliseconds since the search began.
    pub ms: u32,
    /// Move texts in order, at least one.
    pub moves: Vec<String>,
}

/// Why a worker gives a piece of work back.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct WorkAbort {
    /// A word such as `stopping`, `digest`, `map` or `busy`; for the log.
    #[serde(default)]
    pub why: String,
}

/// What the hall says about a worker's key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct WorkerKey {
    /// The id by which it is removed.
    pub id: String,
    /// The name that its maker gave it.
    pub name: String,
    /// What it may be asked: `play` (programs' turns), `study` (hints, analyses, reports), `background` (puzzles, balance).
    pub scopes: Vec<String>,
    /// When it was made, in Unix milliseconds.
    pub made_ms: u64,
    /// Why it gets no work until it is restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aside: Option<String>,
    /// When its worker was last heard at this node, in Unix milliseconds; absent: not since the node was opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_ms: Option<u64>,
    /// Answers that this node used since it was opened.
    #[serde(default)]
    pub answers: u64,
    /// Faults that this node noted since it was opened.
    #[serde(default)]
    pub faults: u64,
}

/// What a worker's key is to be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct NewWorkerKey {
    /// Its name, for the list.
    pub name: String,
    /// What it may be asked; empty: everything.
    #[serde(default)]
    pub scopes: Vec<String>,
}

/// A worker's key that was made; its text is told this once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MadeWorkerKey {
    /// The text, which begins with `qw_`.
    pub token: String,
    /// The line in the list.
    pub key: WorkerKey,
}
