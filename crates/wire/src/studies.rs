//! Studies: analyses that people save, as trees of moves with what is said about them, and what changes them.
//!
//! A change is a wish: it names chapters and nodes by their ids. The hall makes an event of it, with the next version, and
//! tells everybody who looks at the study.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::study::Worth;
use crate::{Board, MapName, Outcome, Problem, Replay, Side};

/// Who may read a study.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StudyAccess {
    /// Its owner and contributors.
    #[default]
    Private,
    /// Whoever has its address.
    Link,
    /// Everybody; lists show it.
    Public,
}

/// What somebody may do in a study.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StudyRole {
    /// Everything.
    Owner,
    /// Change what is in it.
    Contributor,
    /// Read it.
    Reader,
}

/// The colour of an arrow or a circle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MarkColour {
    /// The usual one.
    #[default]
    Green,
    /// As for danger.
    Red,
    /// As for what else there is.
    Yellow,
    /// As for plans.
    Blue,
}

/// An arrow or a circle on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyMark {
    /// The cell where the arrow begins, or around which the circle goes.
    pub from: u16,
    /// The cell where the arrow ends; absent: a circle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub to: Option<u16>,
    /// Its colour.
    #[serde(default)]
    #[ts(optional, as = "Option<MarkColour>")]
    pub colour: MarkColour,
}

/// What a position is worth, as an engine or a person says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyEval {
    /// For the first player.
    pub worth: Worth,
    /// How deep an engine looked, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub depth: Option<u16>,
}

/// A move of a study, and what is said about the position after it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyNode {
    /// Never used again in its chapter; 0 is the start.
    pub id: u32,
    /// The node before it; of the start itself.
    #[serde(default)]
    pub parent: u32,
    /// The move; empty at the start.
    #[serde(default)]
    pub text: String,
    /// The move in each of the game's notations.
    #[serde(default)]
    pub names: Vec<String>,
    /// Who moved; absent at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub by: Option<Side>,
    /// Whether the same side moved before, in the same turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub same_turn: bool,
    /// What somebody says about it: plain text with a little Markdown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(optional, as = "Option<String>")]
    pub comment: String,
    /// Arrows and circles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<StudyMark>>")]
    pub marks: Vec<StudyMark>,
    /// Signs of judgement by the numbers that PGN gives them, rising.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<u8>>")]
    pub nags: Vec<u8>,
    /// What the position is worth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub eval: Option<StudyEval>,
    /// Thinking time in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub spent_ms: Option<u64>,
    /// The version of the study that last changed what is said about it.
    #[serde(default)]
    #[ts(type = "number")]
    pub ver: u64,
}

/// A chapter: one game or position, and the tree of what may be played.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyChapter {
    /// Never used again in its study.
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// Key of the game in the catalogue.
    pub game: String,
    /// Options that the game is opened with.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, i64>>")]
    pub options: BTreeMap<String, i64>,
    /// The map, for games that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<MapName>,
    /// Where it starts; absent: at the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fen: Option<String>,
    /// Who played, in order of moving; empty texts where nobody did.
    #[serde(default)]
    pub players: [String; 2],
    /// How the game ended, where it is one that did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ending: Option<Outcome>,
    /// The clock in words or figures.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(optional, as = "Option<String>")]
    pub clock: String,
    /// The day it was played.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(optional, as = "Option<String>")]
    pub date: String,
    /// What else its file told, by the names that PGN has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, String>>")]
    pub tags: BTreeMap<String, String>,
    /// A lesson: readers find the moves of that side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lesson: Option<Side>,
    /// The start, then every node after its parent; of two after the same one, the better line stands first.
    pub nodes: Vec<StudyNode>,
    /// The id of the next node.
    pub next: u32,
}

/// Somebody who takes part in a study.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyMember {
    /// Public id.
    pub id: String,
    /// Their name, as it was when they came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
}

/// A study with all its chapters, as it is at version `ver`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct Study {
    /// Its address.
    pub id: String,
    /// How many events made it what it is.
    #[ts(type = "number")]
    pub ver: u64,
    /// What it is called.
    pub name: String,
    /// Who may read it.
    pub access: StudyAccess,
    /// Whom it belongs to.
    pub owner: StudyMember,
    /// Who else may change it.
    #[serde(default)]
    pub members: Vec<StudyMember>,
    /// Its chapters in order; never none.
    pub chapters: Vec<StudyChapter>,
    /// The id of the next chapter.
    pub next: u32,
}

/// A study as somebody is shown it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyShown {
    /// All of it.
    pub study: Study,
    /// What the asker may do.
    pub role: StudyRole,
    /// What of a file could not be taken in, when it was made of one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Problem>>")]
    pub left_out: Vec<Problem>,
}

/// What a new chapter, or a new study, begins with. Of `table`, `content` and `game` one is given.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StudyStart {
    /// What it is called; empty: as its game is.
    pub name: String,
    /// A table whose game is over, or is played on one screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub table: Option<String>,
    /// Whether the report about that table is taken over, as evaluations, judgements and better lines.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub report: bool,
    /// A file with one or several games, as text or as Base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub content: Option<String>,
    /// Whether `content` is Base64.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub base64: bool,
    /// The format of `content`; absent: what it looks like.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub format: Option<String>,
    /// Key of a game in the catalogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub game: Option<String>,
    /// Options of `game` that differ from the usual ones.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, i64>>")]
    pub options: BTreeMap<String, i64>,
    /// The map of `game`, for games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<String>,
    /// Where `game` starts; absent: at the usual start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fen: Option<String>,
    /// Moves from there that make the main line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub moves: Vec<String>,
}

/// A study to be made.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct NewStudy {
    /// What it is called; empty: as its first chapter.
    #[serde(default)]
    pub name: String,
    /// Who may read it.
    #[serde(default)]
    pub access: StudyAccess,
    /// What it begins with.
    pub from: StudyStart,
}

/// What somebody wishes to change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum StudyChange {
    /// Plays a move; one that is there already changes nothing.
    Play {
        /// The chapter.
        chapter: u32,
        /// The node after which it is played.
        parent: u32,
        /// The move.
        text: String,
    },
    /// Says something about a node, instead of what was said. Refused when somebody else changed that since `base`.
    Comment {
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
        /// What; empty: nothing.
        text: String,
    },
    /// Draws an arrow or a circle, instead of one in the same place.
    Draw {
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
        /// What.
        mark: StudyMark,
    },
    /// Takes an arrow or a circle away.
    Erase {
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
        /// The one in that place.
        mark: StudyMark,
    },
    /// Sets or takes away a sign of judgement.
    Judge {
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
        /// By the number that PGN gives it.
        nag: u8,
        /// Whether it is set.
        on: bool,
    },
    /// Says what a position is worth.
    Evaluate {
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
        /// How much; absent: not known.
        #[serde(default)]
        #[ts(optional)]
        eval: Option<StudyEval>,
    },
    /// Takes a node with all that follows away. Refused when somebody changed something there since `base`.
    Remove {
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
    },
    /// Makes the line through a node the first one.
    Promote {
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
    },
    /// Calls a chapter something else.
    NameChapter {
        /// The chapter.
        chapter: u32,
        /// What.
        name: String,
    },
    /// Puts a chapter in another place.
    MoveChapter {
        /// The chapter.
        chapter: u32,
        /// Chapters before it.
        to: u32,
    },
    /// Takes a chapter away, but for the last one. Refused when somebody changed something there since `base`.
    RemoveChapter {
        /// The chapter.
        chapter: u32,
    },
    /// Makes a chapter a lesson, or not one.
    Lesson {
        /// The chapter.
        chapter: u32,
        /// Readers find the moves of that side; absent: it is no lesson.
        #[serde(default)]
        #[ts(optional)]
        side: Option<Side>,
    },
    /// Calls the study something else; its owner only.
    Name {
        /// What.
        name: String,
    },
    /// Says who may read it; its owner only.
    Access {
        /// Who.
        access: StudyAccess,
    },
    /// Lets somebody change the study; its owner only.
    Invite {
        /// Their name.
        name: String,
    },
    /// Lets somebody change it no more; its owner, and they themselves.
    Dismiss {
        /// Their public id.
        id: String,
    },
}

/// What happened in a study.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum StudyEvent {
    /// A move came.
    Played {
        /// The chapter.
        chapter: u32,
        /// The new node; it stands after those that follow the same one.
        node: StudyNode,
    },
    /// Something was said.
    Commented {
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
        /// What.
        text: String,
    },
    /// An arrow or a circle, instead of one in the same place.
    Drawn {
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
        /// What.
        mark: StudyMark,
    },
    /// An arrow or a circle has gone.
    Erased {
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
        /// The one in that place.
        mark: StudyMark,
    },
    /// A sign of judgement.
    Judged {
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
        /// By the number that PGN gives it.
        nag: u8,
        /// Whether it is set.
        on: bool,
    },
    /// What a position is worth.
    Evaluated {
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
        /// How much.
        #[serde(default)]
        #[ts(optional)]
        eval: Option<StudyEval>,
    },
    /// A node has gone with all that followed.
    Removed {
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
    },
    /// The line through a node is the first one.
    Promoted {
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
    },
    /// A chapter came, behind the others.
    ChapterAdded {
        /// All of it.
        chapter: StudyChapter,
    },
    /// A chapter is called something else.
    ChapterNamed {
        /// The chapter.
        chapter: u32,
        /// What.
        name: String,
    },
    /// A chapter stands in another place.
    ChapterMoved {
        /// The chapter.
        chapter: u32,
        /// Chapters before it.
        to: u32,
    },
    /// A chapter has gone.
    ChapterRemoved {
        /// The chapter.
        chapter: u32,
    },
    /// A chapter is a lesson, or not one.
    LessonSet {
        /// The chapter.
        chapter: u32,
        /// Readers find the moves of that side.
        #[serde(default)]
        #[ts(optional)]
        side: Option<Side>,
    },
    /// The study is called something else.
    Named {
        /// What.
        name: String,
    },
    /// Others may read it.
    AccessSet {
        /// Who.
        access: StudyAccess,
    },
    /// Somebody may change it.
    Invited {
        /// Who.
        member: StudyMember,
    },
    /// Somebody may change it no more.
    Dismissed {
        /// Their public id.
        id: String,
    },
}

/// An event with its place among the others.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyEntry {
    /// The version of the study after it.
    #[ts(type = "number")]
    pub ver: u64,
    /// When, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
    /// Public id of who did it.
    pub by: String,
    /// What.
    pub event: StudyEvent,
}

/// A change, and what its author had seen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyWished {
    /// The version that the author has seen.
    #[ts(type = "number")]
    pub base: u64,
    /// What is wished.
    pub change: StudyChange,
}

/// What a change came to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyDone {
    /// What happened; absent where it was so already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub entry: Option<StudyEntry>,
    /// The node that was meant, for moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub node: Option<u32>,
    /// What of a file could not be taken in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Problem>>")]
    pub left_out: Vec<Problem>,
}

/// A study in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyListed {
    /// Its address.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Who may read it.
    pub access: StudyAccess,
    /// Whom it belongs to.
    pub owner: StudyMember,
    /// What the asker may do.
    pub role: StudyRole,
    /// Keys of the games in it, each once.
    pub games: Vec<String>,
    /// How many chapters it has.
    pub chapters: u32,
    /// When it was last changed, in Unix milliseconds.
    #[ts(type = "number")]
    pub changed_ms: u64,
}

/// A page of a list of studies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyList {
    /// The studies, changed last first.
    pub studies: Vec<StudyListed>,
    /// How many there are in all.
    pub of: u32,
    /// How many more the asker may make.
    pub left: u32,
}

/// A line of a chapter as positions: through a node to the end of its line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyFilm {
    /// The board.
    pub board: Board,
    /// The nodes, the start first, one for each position of the film.
    pub nodes: Vec<u32>,
    /// The positions.
    pub film: Replay,
    /// The notations of the names of moves.
    pub notations: Vec<String>,
    /// How the sides are called in this game, the first one first.
    pub sides: [String; 2],
}

/// A format that a chapter, or all chapters of a game, can be saved in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyFormat {
    /// Its key.
    pub format: String,
    /// What it cannot hold of this: the messages `study-loses-<what>`.
    pub loses: Vec<String>,
    /// Whether all chapters go into one file.
    pub whole: bool,
}

/// What a client says on the WebSocket of a study.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum StudySay {
    /// Shows the others where one looks; contributors only.
    At {
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
    },
    /// Nothing; keeps the connection open.
    Ping,
}

/// What the hall says on the WebSocket of a study.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum StudyHear {
    /// Something happened.
    Did {
        /// What.
        entry: Box<StudyEntry>,
    },
    /// So much happened that it is simpler to read the study again.
    Anew {
        /// The version it has.
        #[ts(type = "number")]
        ver: u64,
    },
    /// Who shows where they look.
    At {
        /// Who.
        who: StudyMember,
        /// The chapter.
        chapter: u32,
        /// The node.
        node: u32,
    },
    /// Who is here: contributors by name, and how many look in all.
    Here {
        /// Contributors, the owner among them.
        who: Vec<StudyMember>,
        /// Connections.
        watchers: u32,
    },
    /// It may not be read any more, or has gone.
    Gone,
    /// A message that the hall did not understand.
    No {
        /// The reason for the refusal.
        why: Problem,
    },
    /// The answer to a ping.
    Pong,
}
