//! Shared maps: works with versions, the gallery, and the differences between two versions.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{MapLine, UploadMap};

/// A work, a map with versions, as the gallery shows it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct WorkLine {
    /// The id, the same for every version.
    pub id: String,
    /// The name of the work.
    pub name: String,
    /// The author's name, if they have one.
    pub author: Option<String>,
    /// The tags by which it is found.
    pub tags: Vec<String>,
    /// True if lists show it.
    pub listed: bool,
    /// The number of its newest version, from 1.
    pub version: u32,
    /// The newest version's map.
    pub map: MapLine,
    /// The time at which the newest version was published, in Unix milliseconds.
    #[ts(type = "number")]
    pub changed_ms: u64,
    /// The number of games that were finished on it.
    #[ts(type = "number")]
    pub games: u64,
    /// The number of people who finished one.
    #[ts(type = "number")]
    pub players: u64,
    /// The mean number of plies of these games; absent before the first game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub plies: Option<f64>,
    /// The mean of the ratings in stars, 1 to 5; absent before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub stars: Option<f64>,
    /// The number of people who rated it.
    #[ts(type = "number")]
    pub starred: u64,
    /// Red's share of the points in games of the engine, from 0 to 1, if there is a balance report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub first_share: Option<f64>,
    /// True if the newest version has a rated pool.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rated: bool,
}

/// A page of the gallery.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Gallery {
    /// The works of this page.
    pub works: Vec<WorkLine>,
    /// The number of works on all pages.
    #[ts(type = "number")]
    pub of: u64,
    /// The map of the day, chosen among well-rated ones; on the first page only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub of_the_day: Option<WorkLine>,
    /// The built-in examples that hold what is searched for; on the first page of all works only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<WorkLine>>")]
    pub examples: Vec<WorkLine>,
}

/// A version of a work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct WorkVersion {
    /// The number of the version, from 1.
    pub n: u32,
    /// The id of its map.
    pub map: String,
    /// The author's release note.
    pub note: String,
    /// The time at which it was published, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
}

/// The origin of a work: the version of another work from which it was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MadeFrom {
    /// The id of the original work.
    pub work: String,
    /// The version from which it was made.
    pub version: u32,
    /// The name of the original; absent if it was deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// The name of its author, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub author: Option<String>,
}

/// A work with its versions, origin and forks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct WorkInfo {
    /// The work's entry in the gallery.
    pub line: WorkLine,
    /// Its versions, the newest first, at most 200.
    pub versions: Vec<WorkVersion>,
    /// The original, if it is a fork.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub made_from: Option<MadeFrom>,
    /// Works made from it, the oldest first, at most 100.
    pub forks: Vec<WorkLine>,
    /// True if it belongs to the person who asks.
    pub mine: bool,
    /// The reason for which the staff has taken it down; only the author still sees the work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub down: Option<String>,
    /// The stars given by the person who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub my_stars: Option<u8>,
    /// True if the person who asks may rate it: they have finished a game on it.
    pub may_star: bool,
}

/// A rating of a work in stars.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewStars {
    /// The number of stars: 1 to 5.
    pub stars: u8,
}

/// The visibility of a work in lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewListing {
    /// True if lists show it.
    pub listed: bool,
}

/// The differences between two maps.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct MapDiff {
    /// Squares whose pieces at the start differ.
    pub board: Vec<SquareDiff>,
    /// Differences in rows, columns and switches, and in everything about pieces.
    pub rules: Vec<RuleDiff>,
    /// Files of extensions that differ.
    pub code: Vec<FileDiff>,
}

/// A square whose piece at the start differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SquareDiff {
    /// The row, from 1 at the top.
    pub row: u32,
    /// The column, from 1 at the left.
    pub col: u32,
    /// The name of the piece before; empty: none.
    pub before: String,
    /// The name of the piece after; empty: none.
    pub after: String,
}

/// A difference in the rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct RuleDiff {
    /// The piece, by number and name; empty: the whole map.
    pub piece: String,
    /// The property that differs: the message `diff-<key>`.
    pub key: String,
    /// The old value; empty: it did not exist.
    pub before: String,
    /// The new value; empty: it was removed.
    pub after: String,
}

/// A file that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FileDiff {
    /// The name of the file.
    pub file: String,
    /// The lines, unchanged ones only near changes; at most 2000.
    pub lines: Vec<LineDiff>,
}

/// A line of a file's diff.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct LineDiff {
    /// The mark: `+` is new, `-` is removed, ` ` is unchanged, `…` stands for unchanged lines left out.
    pub sign: String,
    /// The text of the line.
    pub text: String,
}

/// A map to publish as a work, or as the next version of a work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewWork {
    /// The map; it is tested first, and stored.
    pub upload: UploadMap,
    /// The work whose next version it is; absent: a new work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub work: Option<String>,
    /// The version that its author saw last. If there is a newer one, the error is `work-newer-version`, with its
    /// number.
    #[serde(default)]
    pub base: u32,
    /// The author's release note, at most 500 characters.
    #[serde(default)]
    pub note: String,
    /// The tags by which it is found: at most 8, each of at most 24 letters, digits or hyphens.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The map from which it was made, if it is a new work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub made_from: Option<String>,
}

/// A shared extension as lists show it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ExtensionLine {
    /// The name; maps refer to it as `<name>@<version>.py`.
    pub name: String,
    /// The author's name, if they have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub author: Option<String>,
    /// The description of the extension.
    pub about: String,
    /// True if lists show it.
    pub listed: bool,
    /// The number of its newest version, from 1.
    pub version: u32,
    /// The time at which the newest version was published, in Unix milliseconds.
    #[ts(type = "number")]
    pub changed_ms: u64,
    /// The number of maps that use it.
    #[ts(type = "number")]
    pub maps: u64,
    /// True if it belongs to the person who asks.
    pub mine: bool,
}

/// The list of shared extensions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ExtensionList {
    /// The extensions, the most recently changed first, at most 100.
    pub extensions: Vec<ExtensionLine>,
}

/// A version of an extension.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ExtensionVersion {
    /// The number of the version, from 1.
    pub n: u32,
    /// The author's release note.
    pub note: String,
    /// The time at which it was published, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
}

/// A shared extension with its versions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SharedExtension {
    /// The extension's entry in lists.
    pub line: ExtensionLine,
    /// Its versions, the newest first, at most 100.
    pub versions: Vec<ExtensionVersion>,
}

/// An extension to share, or the next version of one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewExtension {
    /// The name: 2 to 40 small letters, digits and hyphens, a letter first.
    pub name: String,
    /// The version that the author saw last; 0: the extension is new.
    #[serde(default)]
    pub base: u32,
    /// The description, at most 300 characters.
    #[serde(default)]
    pub about: String,
    /// The author's release note, at most 500 characters.
    #[serde(default)]
    pub note: String,
    /// The file's bytes in Base64, at most 256 KiB.
    pub base64: String,
}

/// The shared extension from which an extension of a map comes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SharedBy {
    /// The name of the shared extension.
    pub name: String,
    /// The version of the shared extension.
    pub version: u32,
    /// The author's name, if they have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub author: Option<String>,
}
