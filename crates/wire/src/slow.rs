//! Slow games: the inbox, conditional moves and notes, and vacation.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{Board, Offer, PlyInfo, Side, TableLine, View};

/// The slow games of a person.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Inbox {
    /// The games, first those in which it is the person's turn, by deadline; at most 50.
    pub games: Vec<InboxGame>,
    /// The number of all games in which it is the person's turn.
    pub waiting: u32,
    /// The person's vacation.
    pub vacation: VacationTold,
}

/// A slow game as its player sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct InboxGame {
    /// The table, as lists show it.
    pub line: TableLine,
    /// The side that the person plays.
    pub side: Side,
    /// True if it is the person's turn.
    pub mine: bool,
    /// The time left to the side to move, in milliseconds.
    #[ts(type = "number")]
    pub left_ms: u64,
    /// True if the side to move is on vacation, so that its clock stands still.
    pub held: bool,
    /// Offers of the opponent that the person has not answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Offer>>")]
    pub offers: Vec<Offer>,
    /// The last ply; absent before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub last: Option<PlyInfo>,
    /// The board of the game.
    pub board: Board,
    /// The position, without the legal moves.
    pub view: View,
}

/// The game to go to next.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct InboxNext {
    /// The table with the earliest deadline at which it is the person's turn; `null`: there is none.
    pub table: Option<String>,
    /// The number of further games in which it is the person's turn.
    pub waiting: u32,
}

/// A person's vacation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct VacationTold {
    /// True if the person is on vacation: their clocks in slow games stand still.
    pub away: bool,
    /// The time at which it ends by itself, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub ends_ms: Option<u64>,
    /// The vacation left for this year, in milliseconds.
    #[ts(type = "number")]
    pub left_ms: u64,
}

/// A player's conditional moves and private note for a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PlanTold {
    /// The number of plies of the game after which the lines begin.
    pub from_ply: u32,
    /// Lines that still fit the game. Each begins with a move of the opponent; if the opponent plays it, the server
    /// plays the next.
    pub lines: Vec<Vec<PlyInfo>>,
    /// True if a conditional move is due but waits until an offer of the opponent is answered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub waits: bool,
    /// The player's note.
    pub note: String,
}

/// New conditional moves, which replace all earlier ones.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPlan {
    /// The number of plies of the game after which the lines begin: all that were played.
    pub from_ply: u32,
    /// The lines as moves in machine notation; at most 20 lines of at most 40 plies.
    pub lines: Vec<Vec<String>>,
}

/// A line of moves to preview.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PlanLook {
    /// Moves in machine notation from the current position; at most 40.
    pub moves: Vec<String>,
}

/// The position after a previewed line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PlanBoard {
    /// The plies of the line.
    pub plies: Vec<PlyInfo>,
    /// The position after these plies.
    pub view: View,
}

/// A player's private note about a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatNote {
    /// The note, at most 2000 characters; empty: none.
    pub text: String,
}
