//! Games made by users: maps, their extensions, and the workshop in which maps are written.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{Board, Problem, SharedBy, Side, View};

/// The id and the name of a map.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapName {
    /// The hash of the map's files: the same files always have the same id.
    pub id: String,
    /// The name given by the first uploader.
    pub name: String,
}

/// The file of an extension.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ExtensionFile {
    /// The file's name.
    pub file: String,
    /// Its bytes in Base64, at most 256 KiB.
    pub base64: String,
}

/// A map with its extensions, to be checked or stored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct UploadMap {
    /// The name of the map; 1 to 60 characters.
    pub name: String,
    /// The .xlsx file in Base64, at most 4 MiB.
    pub map: String,
    /// The extensions, in the order in which they are called; at most 16.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<ExtensionFile>>")]
    pub extensions: Vec<ExtensionFile>,
    /// Set if `D`, `R`, `T`, `NP` and `C` are to be known without an extension.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub old_names: bool,
    /// Set for a trial by the author: lists do not show it, and later trials of the same author replace it.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub trial: bool,
}

/// The result of checking a map and its extensions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapCheck {
    /// True if the map can be played.
    pub ok: bool,
    /// Errors that have to be fixed: the messages `problem-<key>`; `place` names sheet and cell, such as
    /// `chesses!E3`.
    pub errors: Vec<Problem>,
    /// Warnings for the author.
    pub warnings: Vec<Problem>,
    /// The results of test games, if the map could be played.
    #[serde(default)]
    pub played: Option<Box<MapPlayed>>,
}

/// The results of test games on a map: random games, and games of the engine against itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapPlayed {
    /// Games of random moves.
    pub random: GamesPlayed,
    /// The numbers of random games that stopped because the side to move, red or blue, had no move.
    pub stuck: [u32; 2],
    /// Games of the engine against itself; none if random games failed.
    pub engine: GamesPlayed,
    /// The running times of the extensions' hooks.
    pub hooks: Vec<HookTime>,
    /// Faults in random games, each once; they are also among `errors`.
    pub faults: Vec<MapFault>,
    /// The output that extensions printed in random games, at most 64 KiB.
    pub prints: String,
    /// The number of bytes of output that were left out.
    #[ts(type = "number")]
    pub prints_left_out: u64,
}

/// The number and the lengths of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct GamesPlayed {
    /// The number of games played.
    pub games: u32,
    /// The number of plies of the shortest game.
    pub shortest: u32,
    /// The median number of plies.
    pub median: u32,
    /// The number of plies of the longest game.
    pub longest: u32,
    /// The number of games that ended by the rules; the others were cut off.
    pub ended: u32,
}

/// The running time of a hook, including the interpreter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct HookTime {
    /// The extension's file.
    pub file: String,
    /// The hook: `check_can_go`, `after_move`, or a place of `loc_rules`.
    pub hook: String,
    /// The number of calls measured; 0: no game called it.
    #[ts(type = "number")]
    pub calls: u64,
    /// The median time of a call, in microseconds.
    #[ts(type = "number")]
    pub median_us: u64,
    /// The time of the longest call, in microseconds.
    #[ts(type = "number")]
    pub worst_us: u64,
}

/// A fault of an extension in random games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapFault {
    /// The extension, hook, line and cause: the message `problem-map-extension-failed`.
    pub problem: Problem,
    /// The number of games in which it occurred.
    pub games: u32,
    /// The number of the first such game, from 1.
    pub game: u32,
    /// The number of plies in that game before the fault.
    pub plies: u32,
    /// The traceback: a line of text for each call, the innermost last.
    pub trace: Vec<String>,
}

/// A map as lists show it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapLine {
    /// The id, see [`MapName`].
    pub id: String,
    /// The name given by the first uploader; `<Chinese> / <English>` for built-in maps.
    pub name: String,
    /// The number of rows of the board.
    pub rows: u8,
    /// The number of columns of the board.
    pub cols: u8,
    /// The number of kinds of pieces.
    pub kinds: u32,
    /// The names of its extensions, in order.
    pub extensions: Vec<String>,
    /// The time of the first upload, in Unix milliseconds; 0 for built-in maps.
    #[ts(type = "number")]
    pub created_ms: u64,
    /// True if the map is built in.
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

/// A piece of a map that is being written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct KindDraft {
    /// The name written on the piece.
    pub name: String,
    /// The side that owns it; `null`: neutral.
    pub owner: Option<Side>,
    /// True if the side that captures it wins.
    pub captain: bool,
    /// The move rule in the notation of maps: `2,4(X[1|2]);7`.
    pub rule: String,
    /// The promotion rule; empty: it does not promote.
    pub promotes: String,
    /// The move rule after promotion.
    pub promoted: String,
    /// The attributes for extensions: name and value.
    #[serde(default)]
    pub attributes: Vec<(String, AttributeValue)>,
}

/// A map that is being written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapDraft {
    /// Rows of the board, 1 to 64.
    pub rows: u32,
    /// Columns of the board, 1 to 64.
    pub cols: u32,
    /// The start position, row by row from the top left: the number of the piece on each cell, from 1; 0 for none.
    pub cells: Vec<u32>,
    /// The table of pieces; the k-th piece has the number k.
    pub kinds: Vec<KindDraft>,
    /// True if pieces promote.
    pub promotion: bool,
    /// True if takebacks are allowed.
    pub undo: bool,
    /// True if a third move of a neutral piece in a row is refused.
    pub neutral_limit: bool,
    /// The sheets of level 2, which have the three switches, too; absent on a map of level 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub level2: Option<SheetsDraft>,
}

/// The sheets of level 2 as texts: rows of cells, without empty ones at the ends.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(default)]
pub struct SheetsDraft {
    /// The sheet `rules2`: the mark, and the words of turns and ends.
    pub rules2: Vec<Vec<String>>,
    /// The sheet `terrain`: a cell for each square.
    pub terrain: Vec<Vec<String>>,
    /// The sheet `look`: the looks of terrain, from its second row.
    pub look: Vec<Vec<String>>,
    /// The sheet `hand`: the pieces in hands at the start, from its second row.
    pub hand: Vec<Vec<String>>,
    /// The sheet `bag`: the pieces in bags at the start, from its second row.
    pub bag: Vec<Vec<String>>,
}

/// The description of an extension.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ExtensionInfo {
    /// The name of its file, which `/api/maps/{id}/extensions/{n}` returns, n from 0.
    pub file: String,
    /// The name the extension gives itself.
    pub name: String,
    /// The version of the extension, if it gives one.
    pub version: Option<String>,
    /// The extension's help text for players.
    pub help: Option<String>,
    /// The places that it adds to the language of move rules.
    pub places: Vec<String>,
    /// The author and the name of the shared extension, if it came from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub shared: Option<SharedBy>,
}

/// The activity on a version of a map, which decides if it gets a rated pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct MapPool {
    /// True if the pool is open: its games may be rated, and "play now" finds opponents.
    pub open: bool,
    /// The number of accounts that finished a game against another account; the state at the end of the game counts.
    pub players: u32,
    /// The number of games that they finished.
    pub games: u32,
    /// The number of accounts that a pool requires.
    pub needs_players: u32,
    /// The number of games that a pool requires.
    pub needs_games: u32,
}

/// A map with its pieces, rules and extensions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapInfo {
    /// The id, see [`MapName`].
    pub id: String,
    /// The name given by the first uploader.
    pub name: String,
    /// The whole map.
    pub draft: MapDraft,
    /// Descriptions of the pieces of the table, in its order: the messages `detail-<key>`.
    pub details: Vec<Vec<Problem>>,
    /// Its extensions, in order.
    pub extensions: Vec<ExtensionInfo>,
    /// Warnings for the author.
    pub warnings: Vec<Problem>,
    /// True if `D`, `R`, `T`, `NP` and `C` are known without an extension.
    pub old_names: bool,
    /// The board, without pieces.
    pub board: Board,
    /// The start position, for a picture.
    pub view: View,
    /// The time of the first upload, in Unix milliseconds; 0 for built-in maps.
    #[ts(type = "number")]
    pub created_ms: u64,
    /// True if the map is built in.
    pub ours: bool,
    /// The rated pool; absent in the response to an upload.
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

/// The board of a map as comma-separated values, a line for each row: numbers or names of pieces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct BoardCsv {
    /// The comma-separated values, at most 256 KiB.
    pub csv: String,
}

/// A board to import into a map that is being written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ReadBoard {
    /// The comma-separated values, see [`BoardCsv`].
    pub csv: String,
    /// The map whose pieces the board names.
    pub draft: MapDraft,
}

/// The map read from a workbook, or the errors in it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct DraftRead {
    /// The map, if there are no errors.
    pub draft: Option<MapDraft>,
    /// Errors that have to be fixed.
    pub errors: Vec<Problem>,
    /// Warnings for the author.
    pub warnings: Vec<Problem>,
}

/// The result of checking a map that is being written. Places are the cells of the sheets, such as `chesses!E3`:
/// pieces stand in `chesses` from row 2, name B, side C, captain D, move rule E, promotion F, promoted rule G,
/// attributes from H; the board in `map` from A2, rows in B1, columns in D1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct DraftChecked {
    /// Errors that have to be fixed.
    pub errors: Vec<Problem>,
    /// Warnings for the author.
    pub warnings: Vec<Problem>,
    /// Descriptions of the pieces, in order, if there are no errors: the messages `detail-<key>`.
    #[serde(default)]
    pub details: Vec<Vec<Problem>>,
    /// The start position with the possible moves of each piece, if there are no errors.
    #[serde(default)]
    pub view: Option<View>,
    /// The board, if there are no errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub board: Option<Board>,
}
