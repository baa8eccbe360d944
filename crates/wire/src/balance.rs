//! Balance reports: what games of our engine against itself tell about somebody's map.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{Problem, Side, View};

/// What games of our engine against itself tell about a map.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct BalanceReport {
    /// Games that were played so far.
    pub done: u32,
    /// Games that are to be played.
    pub of: u32,
    /// Games of all strengths together.
    pub all: StrengthReport,
    /// By strength, the weakest first.
    pub strengths: Vec<StrengthReport>,
    /// How many hundredths make one unit of the logistic curve from the engine's judgement to the chance to win, as the games
    /// have it.
    pub scale: f64,
    /// How much having the move is worth, in hundredths.
    pub tempo: Option<Estimate>,
    /// What pieces are worth, the dearest first.
    pub pieces: Vec<PieceReport>,
    /// Rules that never mattered: the messages `problem-<key>`.
    pub idle: Vec<Problem>,
    /// Positions in which games were decided, the dearest first.
    pub moments: Vec<Moment>,
    /// The first two plies that were played most, the most frequent first.
    pub openings: Vec<OpeningReport>,
    /// First moves after which one side wins whatever the other does.
    pub forced: Vec<ForcedWin>,
    /// By square, row by row: which share of all plies ended there.
    pub visits: Vec<f64>,
    /// What failed, each once: `map-extension-failed`, with `games` in how many games.
    pub faults: Vec<Problem>,
}

/// A value with the interval that holds the truth 95 times out of 100.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What games of one strength tell.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct StrengthReport {
    /// The level of both sides, 1 to 10; absent: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub level: Option<u8>,
    /// Games that counted: those whose extensions failed are left out.
    pub games: u32,
    /// Games in which an extension failed.
    pub failed: u32,
    /// Games won by red.
    pub red: u32,
    /// Games won by blue.
    pub blue: u32,
    /// Games drawn by the rules, a side without a move among them.
    pub drawn: u32,
    /// Games that were cut off because they took too many plies.
    pub cut: u32,
    /// Red's share of the points, from 0 to 1; a draw and a game that was cut off are half a point each.
    pub first: Estimate,
    /// What else was measured.
    pub measures: Vec<Measure>,
    /// The mean chance of the eventual winner, at each twentieth of the game: 21 numbers from 0 to 1. Empty where nobody won.
    pub lead: Vec<f64>,
    /// The mean number of moves to choose from, at each twentieth of the game: 21 numbers.
    pub choices: Vec<f64>,
    /// Plies of each game.
    pub lengths: Vec<u32>,
}

/// One measure of a map.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Measure {
    /// Which: the message `balance-measure-<key>`.
    pub key: String,
    /// What it came to.
    pub value: f64,
    /// What Ludii calls it, where it has the same or one like it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ludii: Option<String>,
    /// Whether it is computed as Ludii's, from the same facts; otherwise only the idea is the same, the judgement is ours.
    pub same: bool,
}

/// What a piece is worth.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PieceReport {
    /// Its numbers in the table of pieces, from 1: of one side, and its twin's of the other.
    pub ids: Vec<u16>,
    /// What is written on them.
    pub names: Vec<String>,
    /// Whether it has promoted.
    pub promoted: bool,
    /// By its reach, before anybody has played, in hundredths.
    pub reach: i32,
    /// As the games have it, in hundredths; absent where the numbers of both sides never differed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub learned: Option<Estimate>,
    /// Plies that it made in a game, on average.
    pub moves: f64,
    /// Pieces that it took in a game, on average.
    pub takes: f64,
}

/// A position in which a game was decided.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Moment {
    /// The level of both sides.
    pub level: u8,
    /// The moves from the start to the position.
    pub moves: Vec<String>,
    /// The position.
    pub fen: String,
    /// The position, drawn; no move is offered in it.
    pub view: View,
    /// Whose move it was.
    pub by: Side,
    /// What was played.
    pub played: String,
    /// What would have been better.
    pub better: String,
    /// The mover's chance to win before, from 0 to 1.
    pub before: f64,
    /// And after the move that was played.
    pub after: f64,
}

/// The first two plies of some games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OpeningReport {
    /// The moves.
    pub moves: Vec<String>,
    /// In so many games.
    pub games: u32,
    /// Red's share of the points in them.
    pub first: Estimate,
}

/// One side wins by force.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ForcedWin {
    /// The moves after which it is so; none: from the start.
    pub after: Vec<String>,
    /// Who wins.
    pub winner: Side,
    /// How it may go on to the end: the winner's moves are part of the proof, the loser's are those that last longest in it.
    pub line: Vec<String>,
}
