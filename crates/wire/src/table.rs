//! Who plays what with whom, and how long they may think.

use std::collections::BTreeMap;

use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::{Board, MapName, Side};

/// How a table was opened, which decides who may sit down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// One person moves for both sides, on one screen.
    Screen,
    /// Whoever opens the link is offered the free seat.
    Invite,
    /// The same, and the lobby lists it.
    Open,
    /// The same, and it has a name by which it is found until the game ends.
    Room,
}

/// How long a side may think. All times in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ClockSpec {
    /// As long as they like.
    None,
    /// `base_ms` for the game and `increment_ms` more after each turn.
    Fischer {
        /// 0 to 24 hours; not both 0.
        #[ts(type = "number")]
        base_ms: u64,
        /// 0 to 10 minutes.
        #[ts(type = "number")]
        increment_ms: u64,
    },
    /// `base_ms` for the game, then `periods` periods; a turn that ends within its period costs none.
    ByoYomi {
        /// 0 to 24 hours.
        #[ts(type = "number")]
        base_ms: u64,
        /// 1 second to 1 hour.
        #[ts(type = "number")]
        period_ms: u64,
        /// 1 to 50.
        periods: u8,
    },
    /// The same time for every turn. With days for a turn the game is slow: its clock runs from when both sit there, and
    /// stands still while the side to move is on vacation.
    PerMove {
        /// 1 second to 24 hours, or 1, 2, 3, 5, 7 or 14 days.
        #[ts(type = "number")]
        turn_ms: u64,
        /// Slow games: no clock runs on Saturdays and Sundays (UTC).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        weekend_pause: bool,
    },
}

/// Days for a turn that slow games may have.
pub const DAYS_A_MOVE: [u64; 6] = [1, 2, 3, 5, 7, 14];
const DAY_MS: u64 = 86_400_000;

impl ClockSpec {
    /// The same time for every turn, on each day of the week.
    #[must_use]
    pub const fn per_move(turn_ms: u64) -> ClockSpec {
        ClockSpec::PerMove { turn_ms, weekend_pause: false }
    }

    /// Tells whether no clock runs on Saturdays and Sundays.
    #[must_use]
    pub const fn has_weekend_pause(self) -> bool {
        matches!(self, ClockSpec::PerMove { weekend_pause: true, .. })
    }

    /// The days for a turn of a slow game; `None` in any other game.
    #[must_use]
    pub fn days_a_move(self) -> Option<u64> {
        let ClockSpec::PerMove { turn_ms, .. } = self else { return None };
        DAYS_A_MOVE.into_iter().find(|days| turn_ms == days * DAY_MS)
    }
}

/// The two clocks at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ClockFace {
    /// Milliseconds left to the first and the second side: of the game, of the period once byo-yomi has begun,
    /// or of the turn.
    #[ts(type = "[number, number]")]
    pub ms: [u64; 2],
    /// Byo-yomi periods left, the one that runs included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub periods: Option<[u8; 2]>,
    /// Byo-yomi: who has used up the base time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub byo: Option<[bool; 2]>,
    /// Whose clock runs.
    pub run: Option<Side>,
    /// Slow games: who is to move and on vacation, so that no clock runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub held: Option<Side>,
}

/// Someone who took a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Player {
    /// Public and stable; not the secret that proves who they are.
    pub id: String,
    /// The name they chose, if any; 1 to 24 characters.
    pub name: Option<String>,
    /// Which of the hall's own programs it is; absent: somebody who comes from outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub engine: Option<Opponent>,
    /// Whether it is an account that a program plays with.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub program: bool,
}

/// A program that the hall itself sits down: `{"level":3}` or `{"engine":"Pikafish"}`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Opponent {
    /// One of our own, from 1, whom a child can beat, to 10.
    Level(u8),
    /// Somebody else's, by the name the keeper of the hall gave it.
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

/// What may be known of how chance decides in a game. It was drawn by the hall when both sat down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Chance {
    /// The SHA-256, in hexadecimal digits, of three lines, each with its line break: `qiguan chance 1`, the id of the table,
    /// the secret.
    pub hash: String,
    /// The secret, 32 hexadecimal digits, once the game is over: the whole number that the random numbers of the map's
    /// extensions began with. Four options of the record say the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub secret: Option<String>,
}

/// The heading of a record that was opened as a table: what it says of its game beside the moves.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct Heading {
    /// Who played the first and the second side; empty where the record does not say.
    pub players: [String; 2],
    /// The day, as `2026-11-21`, or as much of it as is known.
    pub date: String,
    /// The clock of that game, in words or figures such as `300+5`; it does not run at the table.
    pub clock: String,
    /// What else the record says, by the names that PGN has for it: `Event`, `Site`, `Round`.
    #[ts(type = "Record<string, string>")]
    pub tags: BTreeMap<String, String>,
}

/// What was agreed before the game, and who sits where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct TableInfo {
    /// The last part of the link.
    pub id: String,
    /// Catalogue key, such as `gomoku/freestyle`.
    pub game: String,
    /// Every option of the game with its value.
    #[ts(type = "Record<string, number>")]
    pub options: BTreeMap<String, i64>,
    /// What may be known of how chance decides, where it has a say and both have sat down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub chance: Option<Chance>,
    /// The map it is played on, in games that come with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<MapName>,
    /// Set where the game's author forbids to take moves back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub no_takebacks: bool,
    /// True for the first and the second player where they take no offers but for a rematch.
    #[serde(default)]
    #[ts(optional, as = "Option<[bool; 2]>")]
    pub no_offers: [bool; 2],
    /// The start position, when it is not the usual one.
    pub fen: Option<String>,
    /// How it was opened.
    pub how: How,
    /// The room's name.
    pub room: Option<String>,
    /// How long sides may think.
    pub clock: ClockSpec,
    /// Whether the result counts for ratings. Nothing is taken back then, and nobody is helped.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rated: bool,
    /// The board.
    pub board: Board,
    /// The notations players of this game read moves in, the usual one first: the messages `notation-<key>`.
    /// Empty: the move texts are what people read.
    #[serde(default)]
    pub notations: Vec<String>,
    /// Who plays the first and the second side; `null`: the seat is free.
    pub seats: [Option<Player>; 2],
    /// Both seats have been taken: the game is on, or over.
    pub started: bool,
    /// When it was opened, in Unix milliseconds.
    #[ts(type = "number")]
    pub created_ms: u64,
    /// The table where the rematch is played.
    pub next: Option<String>,
    /// Who played and when, where the table was opened from a record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub heading: Option<Heading>,
    /// The opening that the hall drew, in the words of its federation: number, name and moves. The game begins behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub opening: Option<String>,
}
