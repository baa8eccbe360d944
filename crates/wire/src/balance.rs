//! Balance reports: statistics of a user's map from games of our engine against itself.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{Problem, Side, View};

/// A report about the balance of a map, from games of our engine against itself.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct BalanceReport {
    /// The number of games played so far.
    pub done: u32,
    /// The number of games to play.
    pub of: u32,
    /// Games of all strengths together.
    pub all: StrengthReport,
    /// Statistics of each strength, the weakest first.
    pub strengths: Vec<StrengthReport>,
    /// The number of hundredths per unit of the logistic curve that turns an engine score into a winning chance,
    /// fitted to the games.
    pub scale: f64,
    /// The value of having the move, in hundredths.
    pub tempo: Option<Estimate>,
    /// The values of the pieces, the highest first.
    pub pieces: Vec<PieceReport>,
    /// Rules that never had an effect: the messages `problem-<key>`.
    pub idle: Vec<Problem>,
    /// Decisive moments of the games, the largest change of winning chance first.
    pub moments: Vec<Moment>,
    /// The most frequent first two plies, the most frequent first.
    pub openings: Vec<OpeningReport>,
    /// First moves after which one side wins whatever the other does.
    pub forced: Vec<ForcedWin>,
    /// The share of all plies that ended on each square, row by row.
    pub visits: Vec<f64>,
    /// Failures, each once: `map-extension-failed`, with `games`, the number of games in which it occurred.
    pub faults: Vec<Problem>,
}

/// An estimate with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct Estimate {
    /// The estimated value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// Statistics of the games of one strength.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct StrengthReport {
    /// The level of both sides, 1 to 10; absent: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub level: Option<u8>,
    /// The number of games that counted; games in which an extension failed are left out.
    pub games: u32,
    /// The number of games in which an extension failed.
    pub failed: u32,
    /// The number of games won by red.
    pub red: u32,
    /// The number of games won by blue.
    pub blue: u32,
    /// The number of games drawn by the rules, including those in which a side had no move.
    pub drawn: u32,
    /// The number of games that were cut off because they took too many plies.
    pub cut: u32,
    /// Red's share of the points, from 0 to 1; a draw and a game that was cut off are half a point each.
    pub first: Estimate,
    /// Further measures of the games of this strength.
    pub measures: Vec<Measure>,
    /// The eventual winner's mean winning chance, at each twentieth of the game: 21 numbers from 0 to 1. Empty if no
    /// game was won.
    pub lead: Vec<f64>,
    /// The mean number of moves to choose from, at each twentieth of the game: 21 numbers.
    pub choices: Vec<f64>,
    /// The number of plies of each game.
    pub lengths: Vec<u32>,
}

/// One measure of a map, with its value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Measure {
    /// The key of the measure: the message `balance-measure-<key>`.
    pub key: String,
    /// The value of the measure.
    pub value: f64,
    /// Ludii's name for the same measure or a similar one, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ludii: Option<String>,
    /// True if it is computed exactly as Ludii does; otherwise only the idea is the same and the evaluation is ours.
    pub same: bool,
}

/// The value of a piece and statistics of its use.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PieceReport {
    /// The numbers of the piece in the table of pieces, from 1: one side's, and its counterpart's of the other side.
    pub ids: Vec<u16>,
    /// The names written on the pieces.
    pub names: Vec<String>,
    /// True if the piece is promoted.
    pub promoted: bool,
    /// The value estimated from its mobility, before any game was played, in hundredths.
    pub reach: i32,
    /// The value fitted to the games, in hundredths; absent if the two sides never had different numbers of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub learned: Option<Estimate>,
    /// The mean number of plies it made per game.
    pub moves: f64,
    /// The mean number of pieces it captured per game.
    pub takes: f64,
}

/// A position in which a game was decided.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Moment {
    /// The level of both sides.
    pub level: u8,
    /// The moves from the start to the position.
    pub moves: Vec<String>,
    /// The position as one line of text.
    pub fen: String,
    /// The position, drawn; no move is offered in it.
    pub view: View,
    /// The side to move.
    pub by: Side,
    /// The move that was played.
    pub played: String,
    /// The move that would have been better.
    pub better: String,
    /// The winning chance of the side to move before the move, from 0 to 1.
    pub before: f64,
    /// The winning chance of that side after the move that was played.
    pub after: f64,
}

/// An opening of two plies, with its results.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OpeningReport {
    /// The moves of the opening.
    pub moves: Vec<String>,
    /// The number of games with this opening.
    pub games: u32,
    /// Red's share of the points in these games.
    pub first: Estimate,
}

/// A forced win of one side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ForcedWin {
    /// The moves after which the win is forced; none: from the start.
    pub after: Vec<String>,
    /// The winning side.
    pub winner: Side,
    /// A line to the end: the winner's moves are part of the proof, the loser's are those that delay the loss
    /// longest.
    pub line: Vec<String>,
}
