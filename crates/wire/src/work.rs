//! Messages between the server and the workers that search for it on other machines; see `docs/workers.md`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Problem;

/// A worker's request for work.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct WorkWish {
    /// The version of the worker. It gets work only if it is the server's version, since others would answer
    /// differently.
    pub version: String,
    /// A hash of the weights that are built in, by the key of each family of games. Where one is missing or another than the
    /// hall's it gets no work.
    #[serde(default)]
    pub weights: BTreeMap<String, String>,
    /// The names of the external engines that it has, as in the server's file of engines.
    #[serde(default)]
    pub engines: Vec<String>,
    /// True if maps with extensions can be played there, in its own sandbox.
    #[serde(default)]
    pub extensions: bool,
    /// The time that the server may wait for work before it answers that there is none, in milliseconds; at most 10
    /// 000.
    #[serde(default)]
    pub wait_ms: u32,
}

/// A piece of work for a worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Work {
    /// The id, random; the answer is sent under it.
    pub id: String,
    /// The time from now after which the answer is of no use, in milliseconds.
    pub deadline_ms: u32,
    /// The game that it is about.
    pub game: WorkGame,
    /// The question about the game.
    pub ask: WorkAsk,
}

/// A game, without the facts that the searching side must not know.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct WorkGame {
    /// The key of the game in the catalogue.
    pub key: String,
    /// All options with their values.
    pub options: BTreeMap<String, i64>,
    /// The id of the map, whose files are at `/api/worker/maps/{id}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<String>,
    /// The SHA-256, in hexadecimal digits, of the weights that the hall's keeper has put beside this map; they are at
    /// `/api/worker/weights/{hash}`. Absent: the map is judged by what is built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// The start position; absent: the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The moves in machine notation.
    #[serde(default)]
    pub moves: Vec<String>,
    /// A digest of the position after these moves, in sixteen hexadecimal digits. The answer repeats that of the
    /// position which was searched.
    pub digest: String,
}

/// A question about a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum WorkAsk {
    /// Search the position: for a move, a hint, a report or an analysis.
    Think(WorkLimits),
    /// Find puzzles in the game.
    Puzzles {
        /// The number of positions searched for each candidate.
        nodes: u64,
        /// The maximal number of puzzles of one game.
        most: usize,
    },
    /// Play a game of a balance report on the map.
    Balance {
        /// The plan of the report, which determines its games.
        #[schema(value_type = Object)]
        plan: serde_json::Value,
        /// The level of both sides.
        level: u8,
        /// The number of the game within the level.
        number: u32,
    },
}

/// Search limits and strength. The first limit that is reached ends the search.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct WorkLimits {
    /// The time limit, in milliseconds.
    pub time_ms: u32,
    /// The maximal number of positions; absent: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The number of best lines to return (MultiPV); 0 counts as 1.
    #[serde(default)]
    pub lines: usize,
    /// The level, 1 to 10; absent: full strength.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// The seed of the random choices of a level.
    #[serde(default)]
    pub seed: u64,
    /// True if positions are evaluated by the sum of terms even in games that have a network.
    #[serde(default)]
    pub terms: bool,
    /// True if a large transposition table is needed.
    #[serde(default)]
    pub large: bool,
    /// The external engine to ask; absent: the built-in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// A key that is the same for all questions about one game, by which an external engine is reused with the state
    /// that game left.
    #[serde(default)]
    pub match_id: String,
}

/// An answer, or an intermediate result.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct WorkAnswer {
    /// The digest of the position that was searched, as in [`WorkGame::digest`].
    pub digest: String,
    /// The best move; absent in intermediate results, and for other kinds of questions.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// The best lines, the best one first.
    #[serde(default)]
    pub lines: Vec<SearchLine>,
    /// True if the search was ended by time and not by the number of positions: then another machine may answer
    /// differently.
    #[serde(default)]
    pub cut: bool,
    /// The puzzles that were found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object)]
    pub puzzles: Option<serde_json::Value>,
    /// The game of a balance report that was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object)]
    pub played: Option<serde_json::Value>,
    /// The reason for which there is no result: an engine that resigned or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<Problem>,
}

/// A line found by a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SearchLine {
    /// The evaluation, for the side to move.
    pub worth: crate::Worth,
    /// The search depth: plies searched in full; turns in locked chess.
    pub depth: u32,
    /// The number of positions searched so far.
    pub nodes: u64,
    /// The time since the search began, in milliseconds.
    pub ms: u32,
    /// The moves in machine notation, in order, at least one.
    pub moves: Vec<String>,
}

/// The return of a piece of work by a worker, with its reason.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct WorkAbort {
    /// The reason: a word such as `stopping`, `digest`, `map` or `busy`; for the log.
    #[serde(default)]
    pub why: String,
}

/// A worker key and its statistics.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct WorkerKey {
    /// The id by which it is removed.
    pub id: String,
    /// The label given by the operator.
    pub name: String,
    /// The scopes: `play` (programs' turns), `study` (hints, analyses, reports), `background` (puzzles, balance).
    pub scopes: Vec<String>,
    /// The time at which it was made, in Unix milliseconds.
    pub made_ms: u64,
    /// The reason for which it is set aside and gets no work until it is restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aside: Option<String>,
    /// The time of its worker's last request to this node, in Unix milliseconds; absent: none since the node was
    /// started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_ms: Option<u64>,
    /// The number of its answers that this node used since it was started.
    #[serde(default)]
    pub answers: u64,
    /// The number of faults that this node noted since it was started.
    #[serde(default)]
    pub faults: u64,
}

/// A request for a worker key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct NewWorkerKey {
    /// The label for the list.
    pub name: String,
    /// The scopes; empty: all.
    #[serde(default)]
    pub scopes: Vec<String>,
}

/// A new worker key, whose token is shown only once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MadeWorkerKey {
    /// The token, which begins with `qw_`.
    pub token: String,
    /// The key's entry in the list.
    pub key: WorkerKey,
}
