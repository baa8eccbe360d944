//! Slow games: what waits for somebody, what they have planned, and their vacation.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{Board, Offer, PlyInfo, Side, TableLine, View};

/// The slow games somebody plays.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Inbox {
    /// Those in which they are to move first, by deadline; at most 50.
    pub games: Vec<InboxGame>,
    /// In how many of all they are to move.
    pub waiting: u32,
    /// Their vacation.
    pub vacation: VacationTold,
}

/// A slow game as its player sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct InboxGame {
    /// The table.
    pub line: TableLine,
    /// The side they play.
    pub side: Side,
    /// Whether they are to move.
    pub mine: bool,
    /// What the side to move has left, in milliseconds.
    #[ts(type = "number")]
    pub left_ms: u64,
    /// Whether the side to move is on vacation, so that its clock stands still.
    pub held: bool,
    /// Offers of the opponent that the player has not answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Offer>>")]
    pub offers: Vec<Offer>,
    /// The last ply; absent before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub last: Option<PlyInfo>,
    /// The board.
    pub board: Board,
    /// What stands on it, without the moves.
    pub view: View,
}

/// The game to go to next.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct InboxNext {
    /// The table with the earliest deadline at which the asker is to move; `null`: none waits.
    pub table: Option<String>,
    /// How many wait, without the one that was named.
    pub waiting: u32,
}

/// Somebody's vacation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct VacationTold {
    /// They are on vacation: no clock of theirs runs in slow games.
    pub away: bool,
    /// When it ends by itself, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub ends_ms: Option<u64>,
    /// What is left of this year's vacation, in milliseconds.
    #[ts(type = "number")]
    pub left_ms: u64,
}

/// What a player keeps to themselves about a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PlanTold {
    /// The plies of the game that the lines go on from.
    pub from_ply: u32,
    /// Lines that still fit the game. Each begins with a move of the opponent; where the opponent plays it, the hall plays
    /// the next.
    pub lines: Vec<Vec<PlyInfo>>,
    /// A planned move would be played now, and waits until an offer of the opponent is answered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub waits: bool,
    /// What they noted.
    pub note: String,
}

/// Lines instead of those there were.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPlan {
    /// The plies of the game that the lines go on from: all that were played.
    pub from_ply: u32,
    /// Move texts; at most 20 lines of at most 40 plies.
    pub lines: Vec<Vec<String>>,
}

/// A line to be looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PlanLook {
    /// Move texts, from where the game stands; at most 40.
    pub moves: Vec<String>,
}

/// The board after a line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PlanBoard {
    /// The plies of the line.
    pub plies: Vec<PlyInfo>,
    /// The board after them.
    pub view: View,
}

/// What a player notes about a game for nobody else.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatNote {
    /// At most 2000 characters; empty: nothing.
    pub text: String,
}
