//! Tables: the players, the settings and the time control.

use std::collections::BTreeMap;

use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::{Board, MapName, Side};

/// The ways a table can be opened, which decide who may take a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// One person moves for both sides, on one screen.
    Screen,
    /// A private table: a person who opens its link is offered the free seat.
    Invite,
    /// The same as an invitation, and the lobby lists the table.
    Open,
    /// The same as an open table, with a name by which it is found until the game ends.
    Room,
}

/// A time control. All times are in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ClockSpec {
    /// Unlimited time: there is no clock.
    None,
    /// Fischer: `base_ms` for the game and `increment_ms` more after each turn.
    Fischer {
        /// The base time: 0 to 24 hours; not 0 if the increment is 0.
        #[ts(type = "number")]
        base_ms: u64,
        /// The increment: 0 to 10 minutes; not 0 if the base time is 0.
        #[ts(type = "number")]
        increment_ms: u64,
    },
    /// Byo-yomi: `base_ms` for the game, then `periods` periods; a turn that ends within its period uses none up.
    ByoYomi {
        /// The base time: 0 to 24 hours.
        #[ts(type = "number")]
        base_ms: u64,
        /// The length of a period: 1 second to 1 hour.
        #[ts(type = "number")]
        period_ms: u64,
        /// The number of periods: 1 to 50.
        periods: u8,
    },
    /// The same time for every turn. With days for a turn the game is slow: its clock runs from the moment when both
    /// seats are taken, and stands still while the side to move is on vacation.
    PerMove {
        /// The time for a turn: 1 second to 24 hours, or 1, 2, 3, 5, 7 or 14 days.
        #[ts(type = "number")]
        turn_ms: u64,
        /// Set if the clocks of a slow game stand still on Saturdays and Sundays (UTC).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        weekend_pause: bool,
    },
}

/// The numbers of days for a turn that slow games can have.
pub const DAYS_A_MOVE: [u64; 6] = [1, 2, 3, 5, 7, 14];
const DAY_MS: u64 = 86_400_000;

impl ClockSpec {
    /// Returns the time control with this time for every turn, on each day of the week.
    #[must_use]
    pub const fn per_move(turn_ms: u64) -> ClockSpec {
        ClockSpec::PerMove { turn_ms, weekend_pause: false }
    }

    /// Returns true if no clock runs on Saturdays and Sundays.
    #[must_use]
    pub const fn has_weekend_pause(self) -> bool {
        matches!(self, ClockSpec::PerMove { weekend_pause: true, .. })
    }

    /// Returns the number of days for a turn of a slow game; `None` in any other game.
    #[must_use]
    pub fn days_a_move(self) -> Option<u64> {
        let ClockSpec::PerMove { turn_ms, .. } = self else { return None };
        DAYS_A_MOVE.into_iter().find(|days| turn_ms == days * DAY_MS)
    }
}

/// The two clocks at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ClockFace {
    /// The time left to the first and the second side, in milliseconds: of the game, of the period once byo-yomi has
    /// begun, or of the turn.
    #[ts(type = "[number, number]")]
    pub ms: [u64; 2],
    /// The byo-yomi periods left, the running one included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub periods: Option<[u8; 2]>,
    /// True for each of the first and the second side that has used up its base time (byo-yomi).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub byo: Option<[bool; 2]>,
    /// The side whose clock runs.
    pub run: Option<Side>,
    /// The side that is to move and on vacation, so that no clock runs (slow games).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub held: Option<Side>,
}

/// A player: a person or a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Player {
    /// The public id, which never changes; not the secret that proves their identity.
    pub id: String,
    /// The name that they chose, if any; 1 to 24 characters.
    pub name: Option<String>,
    /// The engine that the server runs as this player; absent: a person or a program that connects from outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub engine: Option<Opponent>,
    /// True if it is an account that a program uses.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub program: bool,
}

/// An engine that the server runs as a player: `{"level":3}` or `{"engine":"Pikafish"}`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Opponent {
    /// The built-in engine at a level from 1, which a child can beat, to 10.
    Level(u8),
    /// An external engine, by the name that the operator of the server gave it.
    Engine(String),
}

/// One ply of the record: `["h2e2","first",1200,["炮二平五"]]`: the move, who made it, the thinking time in
/// milliseconds (`null` without a clock), and its name in each of the table's notations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct PlyInfo(
    #[ts(type = "string")] pub CompactString,
    pub Side,
    #[ts(type = "number | null")] pub Option<u64>,
    #[serde(default)]
    #[ts(type = "Array<string>")]
    pub Box<[CompactString]>,
);

/// One ply of the record: the move, who made it, the thinking time in milliseconds (`null` without a clock), and its
/// name in each of the table's notations: `["h2e2","first",1200,["炮二平五"]]`.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "only its description is used, which the derived one of PlyInfo does not give item by item"
)]
struct PlyShape((String, Side, Option<u64>, Vec<String>));

impl PartialSchema for PlyInfo {
    fn schema() -> RefOr<Schema> {
        PlyShape::schema()
    }
}

impl ToSchema for PlyInfo {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        PlyShape::schemas(schemas);
    }
}

/// The data with which players can check a game's random numbers, which the server drew when both seats were taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Chance {
    /// The SHA-256, in hexadecimal digits, of three lines, each with its line break: `qiguan chance 1`, the id of the table,
    /// the secret.
    pub hash: String,
    /// The secret, 32 hexadecimal digits, once the game is over: the seed of the random numbers of the map's
    /// extensions. Four options of the record hold the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub secret: Option<String>,
}

/// The headers of a record that was opened as a table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct Heading {
    /// The names of the first and the second player; empty if the record does not say.
    pub players: [String; 2],
    /// The date, such as `2026-11-21`, or the known part of it.
    pub date: String,
    /// The time control of that game, in words or figures such as `300+5`; it does not run at the table.
    pub clock: String,
    /// The other headers, by their names in PGN: `Event`, `Site`, `Round`.
    #[ts(type = "Record<string, string>")]
    pub tags: BTreeMap<String, String>,
}

/// The players and the settings of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct TableInfo {
    /// The id of the table, the last part of its link.
    pub id: String,
    /// The key of the game in the catalogue, such as `gomoku/freestyle`.
    pub game: String,
    /// Every option of the game with its value.
    #[ts(type = "Record<string, number>")]
    pub options: BTreeMap<String, i64>,
    /// The data of the random numbers, if the game has any and both seats were taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub chance: Option<Chance>,
    /// The map it is played on, in games that come with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<MapName>,
    /// True if the game's author forbids takebacks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub no_takebacks: bool,
    /// True for the first and the second player if they block all offers but a rematch.
    #[serde(default)]
    #[ts(optional, as = "Option<[bool; 2]>")]
    pub no_offers: [bool; 2],
    /// The start position, if it is not the usual one.
    pub fen: Option<String>,
    /// The way the table was opened.
    pub how: How,
    /// The room's name.
    pub room: Option<String>,
    /// The time control.
    pub clock: ClockSpec,
    /// True if the result counts for ratings. Then there are no takebacks, hints or analysis.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rated: bool,
    /// The board of the game.
    pub board: Board,
    /// The notations in which players read moves, the usual one first: the messages `notation-<key>`. Empty: people
    /// read the machine notation.
    #[serde(default)]
    pub notations: Vec<String>,
    /// The first and the second player; `null`: the seat is free.
    pub seats: [Option<Player>; 2],
    /// True once both seats were taken: the game is running or over.
    pub started: bool,
    /// The time at which the table was opened, in Unix milliseconds.
    #[ts(type = "number")]
    pub created_ms: u64,
    /// The table where the rematch is played.
    pub next: Option<String>,
    /// The players and the date, if the table was opened from a record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub heading: Option<Heading>,
    /// The opening that the server drew, as its federation lists it: number, name and moves. The game begins after
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub opening: Option<String>,
}

/// The people who wait for an opponent in one game at one time control, with the game's usual options.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PoolLine {
    /// Key of the game, as in `GET /api/games`.
    pub game: String,
    /// The time control.
    pub clock: ClockSpec,
    /// True if the result counts for ratings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rated: bool,
    /// The number of people, at least 1.
    pub waiting: u32,
}
