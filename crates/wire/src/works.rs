//! The shelf: maps as works with versions, the gallery, and what two versions differ in.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{MapLine, UploadMap};

/// A work as the gallery shows it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct WorkLine {
    /// Its address, the same for every version.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Its author's name, where they have one.
    pub author: Option<String>,
    /// Words it is found by.
    pub tags: Vec<String>,
    /// Whether lists show it.
    pub listed: bool,
    /// The number of its newest version, from 1.
    pub version: u32,
    /// The newest version's map.
    pub map: MapLine,
    /// When its newest version came, in Unix milliseconds.
    #[ts(type = "number")]
    pub changed_ms: u64,
    /// Games that were finished on it.
    #[ts(type = "number")]
    pub games: u64,
    /// People who finished one.
    #[ts(type = "number")]
    pub players: u64,
    /// The mean of their plies; absent before the first game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub plies: Option<f64>,
    /// The mean of the stars that people gave, 1 to 5; absent before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub stars: Option<f64>,
    /// How many gave some.
    #[ts(type = "number")]
    pub starred: u64,
    /// Red's share of the points in games of the engine, from 0 to 1, where there is a balance report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub first_share: Option<f64>,
    /// Whether the newest version has a rated pool.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rated: bool,
}

/// A page of the gallery.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Gallery {
    /// The works of this page.
    pub works: Vec<WorkLine>,
    /// How many there are on all pages.
    #[ts(type = "number")]
    pub of: u64,
    /// The map of the day: one of those that people liked, another one each day; on the first page only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub of_the_day: Option<WorkLine>,
}

/// A version of a work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct WorkVersion {
    /// Its number, from 1.
    pub n: u32,
    /// The id of its map.
    pub map: String,
    /// What its author says of it.
    pub note: String,
    /// When it came, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
}

/// What a work was made from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MadeFrom {
    /// The work.
    pub work: String,
    /// Its version.
    pub version: u32,
    /// What it is called; absent where it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// Its author's name, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub author: Option<String>,
}

/// All there is to know about a work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct WorkInfo {
    /// What the gallery shows of it.
    pub line: WorkLine,
    /// Its versions, the newest first, at most 200.
    pub versions: Vec<WorkVersion>,
    /// What it was made from, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub made_from: Option<MadeFrom>,
    /// Works made from it, the oldest first, at most 100.
    pub forks: Vec<WorkLine>,
    /// Whether it belongs to whoever asks.
    pub mine: bool,
    /// Why the staff has taken it down; its author sees that, nobody else sees the work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub down: Option<String>,
    /// The stars that whoever asks gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub my_stars: Option<u8>,
    /// Whether they may give some: they finished a game on it.
    pub may_star: bool,
}

/// Stars for a work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewStars {
    /// 1 to 5.
    pub stars: u8,
}

/// Whether lists show a work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewListing {
    /// Whether they do.
    pub listed: bool,
}

/// What two maps differ in.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct MapDiff {
    /// Squares on which another piece starts: row and column from 1, what stood there and what stands there, by name.
    pub board: Vec<SquareDiff>,
    /// Rows, columns and switches, and everything about pieces: what it is about, before and after.
    pub rules: Vec<RuleDiff>,
    /// Files of extensions that differ.
    pub code: Vec<FileDiff>,
}

/// A square on which another piece starts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SquareDiff {
    /// From 1 at the top.
    pub row: u32,
    /// From 1 at the left.
    pub col: u32,
    /// What stood there; empty: nothing.
    pub before: String,
    /// What stands there; empty: nothing.
    pub after: String,
}

/// Something about the rules that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct RuleDiff {
    /// The piece, by number and name; empty: the whole map.
    pub piece: String,
    /// What about it: the message `diff-<key>`.
    pub key: String,
    /// As it was; empty: it was not there.
    pub before: String,
    /// As it is; empty: it is gone.
    pub after: String,
}

/// A file that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FileDiff {
    /// Its name.
    pub file: String,
    /// Its lines, those that stayed only near others; at most 2000.
    pub lines: Vec<LineDiff>,
}

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct LineDiff {
    /// `+` is new, `-` is gone, ` ` stayed, `…` stands for lines that stayed.
    pub sign: String,
    /// The line.
    pub text: String,
}

/// A map to be put on the shelf as a work, or as a work's next version.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewWork {
    /// The map; it is played first, and kept.
    pub upload: UploadMap,
    /// The work whose next version it is; absent: a new work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub work: Option<String>,
    /// The version that its author saw last. Another one is there meanwhile: `work-newer-version`, with its number.
    #[serde(default)]
    pub base: u32,
    /// What the author says of the version, at most 500 characters.
    #[serde(default)]
    pub note: String,
    /// Words it is found by: at most 8, each of at most 24 letters, digits or hyphens.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The map that it was made from, if it is a new work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub made_from: Option<String>,
}

/// An extension that somebody shares.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ExtensionLine {
    /// What it is called; maps name it `<name>@<version>.py`.
    pub name: String,
    /// Its author's name, if they have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub author: Option<String>,
    /// What it does.
    pub about: String,
    /// Whether lists show it.
    pub listed: bool,
    /// The number of its newest version, from 1.
    pub version: u32,
    /// When that came, in Unix milliseconds.
    #[ts(type = "number")]
    pub changed_ms: u64,
    /// How many maps use it.
    #[ts(type = "number")]
    pub maps: u64,
    /// Whether it belongs to whoever asks.
    pub mine: bool,
}

/// Extensions that people share.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ExtensionList {
    /// Changed last first, at most 100.
    pub extensions: Vec<ExtensionLine>,
}

/// A version of an extension.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ExtensionVersion {
    /// Its number, from 1.
    pub n: u32,
    /// What its author says of it.
    pub note: String,
    /// When it came, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
}

/// All there is to know about an extension that is shared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SharedExtension {
    /// What lists show of it.
    pub line: ExtensionLine,
    /// Its versions, the newest first, at most 100.
    pub versions: Vec<ExtensionVersion>,
}

/// An extension to be shared, or its next version.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewExtension {
    /// What it is called: 2 to 40 small letters, digits and hyphens, a letter first.
    pub name: String,
    /// The version that the author saw last; 0: it is new.
    #[serde(default)]
    pub base: u32,
    /// What it does, at most 300 characters.
    #[serde(default)]
    pub about: String,
    /// What the author says of the version, at most 500 characters.
    #[serde(default)]
    pub note: String,
    /// Its bytes in Base64, at most 256 KiB.
    pub base64: String,
}

/// Whose extension a map uses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SharedBy {
    /// What it is called on the shelf.
    pub name: String,
    /// The version.
    pub version: u32,
    /// Its author's name, if they have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub author: Option<String>,
}
