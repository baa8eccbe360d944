//! Games that have ended and ratings, as they are told over HTTP.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{ClockSpec, How, MapName, Outcome, Player, TableLine};

/// What sort of person somebody is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProfileKind {
    /// Known by a cookie or a secret only.
    Guest,
    /// Has an account.
    Account,
    /// A program with a token of its own.
    Program,
    /// Had an account and asked to be forgotten.
    Closed,
}

/// Everything that anybody may know about a person: `GET /api/people/<name or id>`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Profile {
    /// Their public id and their name.
    pub player: Player,
    /// What sort of person.
    pub kind: ProfileKind,
    /// When they first came, in Unix milliseconds.
    #[ts(type = "number")]
    pub since_ms: u64,
    /// Their ratings, by game and speed.
    pub ratings: Vec<PoolRating>,
    /// Finished games by game.
    pub tally: Vec<GameTally>,
    /// Games of theirs that are played now and may be watched.
    pub playing: Vec<TableLine>,
}

/// A rating of somebody in a pool: the rules of a game at a speed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PoolRating {
    /// Key of the game, as in `GET /api/games`; on a map `<key>@<id of the map>`.
    pub game: String,
    /// The map, where it is one's pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<MapName>,
    /// The class of the clock: the messages `speed-<key>`.
    pub speed: String,
    /// On the scale of Elo, rounded.
    pub rating: i32,
    /// Now, rounded: with 95 % likelihood the strength is within two of these around the rating.
    pub deviation: u32,
    /// Whether the rating is little more than a guess.
    pub provisional: bool,
    /// How many rated games there were.
    pub games: u32,
    /// The last rating of each day with a rated game, the latest 365 such days: the moment of the game in Unix milliseconds
    /// and the rating, the oldest first.
    #[ts(type = "Array<[number, number]>")]
    pub curve: Vec<(u64, i32)>,
}

/// How many games of a kind were won, drawn and lost; those that count for nobody are not among them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct GameTally {
    /// Key of the game, as in `GET /api/games`.
    pub game: String,
    /// Number of wins.
    #[ts(type = "number")]
    pub wins: u64,
    /// Number of draws.
    #[ts(type = "number")]
    pub draws: u64,
    /// Number of losses.
    #[ts(type = "number")]
    pub losses: u64,
}

/// A part of somebody's finished games, the latest first: `GET /api/people/<name or id>/games`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct GamesPage {
    /// The games of this part, the latest first.
    pub games: Vec<GameLine>,
    /// Where there are more: the value of `after` that begins with the next one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub next: Option<String>,
}

/// A game that has ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct GameLine {
    /// The id of its table; its page is `/t/<id>`.
    pub id: String,
    /// Key of the game, as in `GET /api/games`.
    pub game: String,
    /// Every option of the game with its value.
    #[ts(type = "Record<string, number>")]
    pub options: BTreeMap<String, i64>,
    /// The map it was played on, in games that come with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<MapName>,
    /// The start position, when it was not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fen: Option<String>,
    /// How it was opened.
    pub how: How,
    /// How long sides might think.
    pub clock: ClockSpec,
    /// The class of the clock: the messages `speed-<key>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub speed: Option<String>,
    /// The first and the second player, by the names they had then.
    pub players: [Player; 2],
    /// Their ratings before and after, where the game was rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ratings: Option<[RatingStep; 2]>,
    /// Who won, and why.
    pub outcome: Outcome,
    /// Number of plies.
    pub plies: u32,
    /// When the second player sat down, in Unix milliseconds.
    #[ts(type = "number")]
    pub begun_ms: u64,
    /// When it ended, in Unix milliseconds.
    #[ts(type = "number")]
    pub ended_ms: u64,
}

/// A rating before and after a game, rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct RatingStep {
    /// The rating before the game, rounded.
    pub before: i32,
    /// The rating after the game, rounded.
    pub after: i32,
}

/// What somebody wants to play at once, whoever the opponent is: `POST /api/pool`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PlayNow {
    /// Key of the game, as in `GET /api/games`.
    pub game: String,
    /// The id of the map, for games that need one: one that is played enough for a rated pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<String>,
    /// Options that differ from the default.
    #[serde(default)]
    #[ts(optional, as = "Option<BTreeMap<String, i32>>")]
    pub options: BTreeMap<String, i64>,
    /// How long sides may think.
    pub clock: ClockSpec,
    /// Whether the result counts for ratings, which takes an account.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rated: bool,
}

/// Whether an opponent was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PlayNowTold {
    /// The table at which the game begins; absent: ask again after a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub table: Option<String>,
    /// How long the asker has waited, in milliseconds.
    #[ts(type = "number")]
    pub waited_ms: u64,
    /// How many wait for the same, the asker included.
    pub waiting: u32,
}

/// What somebody is told who waits no more, where an opponent was found meanwhile: `DELETE /api/pool`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PoolLeft {
    /// The table at which the game has begun.
    pub table: String,
}
