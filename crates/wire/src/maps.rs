//! Games that users make: their maps and extensions, and the workshop where maps are written.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{Board, Problem, SharedBy, Side, View};

/// A map as tables name it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapName {
    /// What its files hash to: the same files always have the same id.
    pub id: String,
    /// What its first uploader called it.
    pub name: String,
}

/// An extension's file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ExtensionFile {
    /// The file's name.
    pub file: String,
    /// Its bytes in Base64, at most 256 KiB.
    pub base64: String,
}

/// A map with its extensions, to be checked or kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct UploadMap {
    /// What it is to be called; 1 to 60 characters.
    pub name: String,
    /// The .xlsx file in Base64, at most 4 MiB.
    pub map: String,
    /// Its extensions, in the order in which they are asked; at most 16.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<ExtensionFile>>")]
    pub extensions: Vec<ExtensionFile>,
    /// Whether `D`, `R`, `T`, `NP` and `C` are known without an extension.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub old_names: bool,
    /// Whether its author only tries it: lists do not show it, and later trials of the same author take its place.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub trial: bool,
}

/// Everything that is wrong with a map and its extensions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapCheck {
    /// Whether it can be played.
    pub ok: bool,
    /// What must be mended: the messages `problem-<key>`; `place` names sheet and cell, such as `chesses!E3`.
    pub errors: Vec<Problem>,
    /// What its author should know.
    pub warnings: Vec<Problem>,
    /// What came of playing it, where it could be played.
    #[serde(default)]
    pub played: Option<Box<MapPlayed>>,
}

/// What came of playing a map: random games, and games of the engine against itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapPlayed {
    /// Games of random moves.
    pub random: GamesPlayed,
    /// Random games that stopped because the side to move had no move: red, blue.
    pub stuck: [u32; 2],
    /// Games of the engine; none where random games failed.
    pub engine: GamesPlayed,
    /// How long calls of extensions took.
    pub hooks: Vec<HookTime>,
    /// What failed in random games, each fault once; `errors` has them too.
    pub faults: Vec<MapFault>,
    /// What extensions printed in random games, at most 64 KiB.
    pub prints: String,
    /// Bytes of prints that were left out.
    #[ts(type = "number")]
    pub prints_left_out: u64,
}

/// How long games were.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct GamesPlayed {
    /// Number of games played.
    pub games: u32,
    /// Plies of the shortest.
    pub shortest: u32,
    /// The median of their plies.
    pub median: u32,
    /// Plies of the longest.
    pub longest: u32,
    /// Games that came to an end by the rules; the others were cut off.
    pub ended: u32,
}

/// How long the calls of a hook took, with the interpreter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct HookTime {
    /// The extension's file.
    pub file: String,
    /// `check_can_go`, `after_move`, or a place of `loc_rules`.
    pub hook: String,
    /// Calls that were measured; 0: no game asked it.
    #[ts(type = "number")]
    pub calls: u64,
    /// The median, in microseconds.
    #[ts(type = "number")]
    pub median_us: u64,
    /// The longest call, in microseconds.
    #[ts(type = "number")]
    pub worst_us: u64,
}

/// A fault of random games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapFault {
    /// Extension, hook, line and why: the message `problem-map-extension-failed`.
    pub problem: Problem,
    /// In how many games.
    pub games: u32,
    /// The first of them, from 1.
    pub game: u32,
    /// After how many of its plies.
    pub plies: u32,
    /// The traceback: a line of text for each call, the innermost last.
    pub trace: Vec<String>,
}

/// One map of the shelf.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapLine {
    /// See [`MapName`].
    pub id: String,
    /// What its first uploader called it; `<Chinese> / <English>` for the house's own.
    pub name: String,
    /// Rows of the board.
    pub rows: u8,
    /// Columns of the board.
    pub cols: u8,
    /// Kinds of pieces.
    pub kinds: u32,
    /// Names of its extensions, in order.
    pub extensions: Vec<String>,
    /// When it was first uploaded, in Unix milliseconds; 0 for the house's own.
    #[ts(type = "number")]
    pub created_ms: u64,
    /// Whether the house brings it along.
    pub ours: bool,
}

/// The value of an attribute: text, a whole number, a decimal, or true.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(untagged)]
pub enum AttributeValue {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(#[ts(type = "number")] i64),
    /// A number with a fraction.
    Float(f64),
    /// A text value.
    Text(String),
}

/// One piece of a map that is being written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct KindDraft {
    /// What is written on it.
    pub name: String,
    /// Whose it is; `null`: neutral.
    pub owner: Option<Side>,
    /// Whoever takes it wins.
    pub captain: bool,
    /// How it moves, as maps write it: `2,4(X[1|2]);7`.
    pub rule: String,
    /// Where it promotes; empty: nowhere.
    pub promotes: String,
    /// How it moves then.
    pub promoted: String,
    /// What extensions read: name and value.
    #[serde(default)]
    pub attributes: Vec<(String, AttributeValue)>,
}

/// A map that is being written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapDraft {
    /// Rows of the board, 1 to 64.
    pub rows: u32,
    /// Columns, 1 to 64.
    pub cols: u32,
    /// Row by row from the top left: the number of the piece that starts there, from 1; 0 for none.
    pub cells: Vec<u32>,
    /// The table of pieces; the k-th has number k.
    pub kinds: Vec<KindDraft>,
    /// Whether pieces promote.
    pub promotion: bool,
    /// Whether moves may be taken back.
    pub undo: bool,
    /// Whether a third neutral move in a row is refused.
    pub neutral_limit: bool,
}

/// What an extension tells of itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ExtensionInfo {
    /// Its file, to be had at `/api/maps/{id}/extensions/{n}`, n from 0.
    pub file: String,
    /// The name the extension gives itself.
    pub name: String,
    /// Its version, where it tells one.
    pub version: Option<String>,
    /// What players should know.
    pub help: Option<String>,
    /// The places it adds to the language of rules.
    pub places: Vec<String>,
    /// Whose it is, where it came from the shelf of extensions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub shared: Option<SharedBy>,
}

/// Who plays a version of a map, and whether that is enough for a rated pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct MapPool {
    /// Whether its games may be rated, and opponents are found by "play now".
    pub open: bool,
    /// Accounts that finished a game against another account; who has one is decided when a game is finished.
    pub players: u32,
    /// Games that they finished.
    pub games: u32,
    /// Accounts that a pool needs.
    pub needs_players: u32,
    /// Games that a pool needs.
    pub needs_games: u32,
}

/// A map of the shelf with everything players may want to know before they sit down.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapInfo {
    /// See [`MapName`].
    pub id: String,
    /// What its first uploader called it.
    pub name: String,
    /// The whole map.
    pub draft: MapDraft,
    /// What there is to know about each piece of the table, in its order: the messages `detail-<key>`.
    pub details: Vec<Vec<Problem>>,
    /// Its extensions, in order.
    pub extensions: Vec<ExtensionInfo>,
    /// What its author should know.
    pub warnings: Vec<Problem>,
    /// Whether `D`, `R`, `T`, `NP` and `C` are known without an extension.
    pub old_names: bool,
    /// The board, without pieces.
    pub board: Board,
    /// The start, for a picture.
    pub view: View,
    /// When it was first uploaded, in Unix milliseconds; 0 for the house's own.
    #[ts(type = "number")]
    pub created_ms: u64,
    /// Whether the house brings it along.
    pub ours: bool,
    /// Its rated pool; absent where a map was only just brought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pool: Option<MapPool>,
}

/// A map written as an .xlsx file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Workbook {
    /// The .xlsx file in Base64.
    pub base64: String,
}

/// The board of a map as comma-separated values, a line for each row: numbers of pieces, or their names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct BoardCsv {
    /// The text, at most 256 KiB.
    pub csv: String,
}

/// A board to be taken into a map that is being written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ReadBoard {
    /// See [`BoardCsv`].
    pub csv: String,
    /// The map, whose pieces the board names.
    pub draft: MapDraft,
}

/// What a workbook holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct DraftRead {
    /// The map, when there are no errors.
    pub draft: Option<MapDraft>,
    /// What must be mended.
    pub errors: Vec<Problem>,
    /// What its author should know.
    pub warnings: Vec<Problem>,
}

/// What is wrong with a map that is being written. Places are the cells of the sheets, such as `chesses!E3`: pieces
/// stand in `chesses` from row 2, name B, side C, captain D, move rule E, promotion F, promoted rule G, attributes from
/// H; the board in `map` from A2, rows in B1, columns in D1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct DraftChecked {
    /// What must be mended.
    pub errors: Vec<Problem>,
    /// What its author should know.
    pub warnings: Vec<Problem>,
    /// What there is to know about each piece, in order, when there are no errors: the messages `detail-<key>`.
    #[serde(default)]
    pub details: Vec<Vec<Problem>>,
    /// Where each piece of the board may turn to at the start, when there are no errors.
    #[serde(default)]
    pub view: Option<View>,
}
