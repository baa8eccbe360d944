//! Finished games and ratings, as the HTTP API returns them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{ClockSpec, How, MapName, Outcome, Player, TableLine};

/// The kinds of person on a profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProfileKind {
    /// A guest: known only by a cookie or a secret.
    Guest,
    /// A person with an account.
    Account,
    /// A program with a token of its own.
    Program,
    /// A closed account: its owner asked for the data to be erased.
    Closed,
}

/// The public profile of a person: `GET /api/people/<name or id>`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Profile {
    /// The public id and the name.
    pub player: Player,
    /// The kind of person.
    pub kind: ProfileKind,
    /// The time of the person's first visit, in Unix milliseconds.
    #[ts(type = "number")]
    pub since_ms: u64,
    /// Their ratings, by game and speed.
    pub ratings: Vec<PoolRating>,
    /// The numbers of finished games, by game and result.
    pub tally: Vec<GameTally>,
    /// Games that the person is playing now and that can be watched.
    pub playing: Vec<TableLine>,
}

/// A person's rating in a pool: one game at one speed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PoolRating {
    /// Key of the game, as in `GET /api/games`; on a map `<key>@<id of the map>`.
    pub game: String,
    /// The map, if the pool is that of a map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<MapName>,
    /// The speed class of the time control: the messages `speed-<key>`.
    pub speed: String,
    /// The rating on the Elo scale, rounded.
    pub rating: i32,
    /// The current rating deviation, rounded: with 95 % probability the strength is within two deviations of the
    /// rating.
    pub deviation: u32,
    /// True if the rating is still uncertain (provisional).
    pub provisional: bool,
    /// The number of rated games.
    pub games: u32,
    /// The rating history: the last rating of each of the latest 365 days with a rated game, oldest first, each with
    /// the time of the game in Unix milliseconds.
    #[ts(type = "Array<[number, number]>")]
    pub curve: Vec<(u64, i32)>,
}

/// The numbers of wins, draws and losses in one game; games without a result are not counted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct GameTally {
    /// Key of the game, as in `GET /api/games`.
    pub game: String,
    /// The number of wins.
    #[ts(type = "number")]
    pub wins: u64,
    /// The number of draws.
    #[ts(type = "number")]
    pub draws: u64,
    /// The number of losses.
    #[ts(type = "number")]
    pub losses: u64,
}

/// A page of a person's finished games, the latest first: `GET /api/people/<name or id>/games`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct GamesPage {
    /// The games of this page, the latest first.
    pub games: Vec<GameLine>,
    /// The value of `after` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub next: Option<String>,
}

/// A finished game.
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
    /// The start position, if it was not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fen: Option<String>,
    /// The way the table was opened.
    pub how: How,
    /// The time control.
    pub clock: ClockSpec,
    /// The speed class of the time control: the messages `speed-<key>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub speed: Option<String>,
    /// The first and the second player, with the names they had at the time.
    pub players: [Player; 2],
    /// The players' ratings before and after, if the game was rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ratings: Option<[RatingStep; 2]>,
    /// The winner and the reason.
    pub outcome: Outcome,
    /// The number of plies.
    pub plies: u32,
    /// The time at which the second player sat down, in Unix milliseconds.
    #[ts(type = "number")]
    pub begun_ms: u64,
    /// The time at which the game ended, in Unix milliseconds.
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

/// A seek: a request for pairing with any opponent who wants the same game: `POST /api/pool`.
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
    /// The time control.
    pub clock: ClockSpec,
    /// Set if the result counts for ratings, for which an account is needed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rated: bool,
}

/// The state of a seek.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PlayNowTold {
    /// The table at which the game begins; absent: no opponent yet, repeat the request after a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub table: Option<String>,
    /// The time that the person has waited, in milliseconds.
    #[ts(type = "number")]
    pub waited_ms: u64,
    /// The number of people who wait for the same game, including this one.
    pub waiting: u32,
}

/// The answer to withdrawing a seek, if an opponent was found in the meantime: `DELETE /api/pool`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PoolLeft {
    /// The table at which the game has begun.
    pub table: String,
}
