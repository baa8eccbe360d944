//! Studies: analyses that people save, as trees of moves with comments, and the changes to them.
//!
//! A change is a request: it names chapters and nodes by their ids. The server makes an event of it, with the next
//! version, and sends it to everybody who looks at the study.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::analysis::Worth;
use crate::{Board, MapName, Outcome, Problem, Replay, Side};

/// The ways a study can be accessible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StudyAccess {
    /// Readable by its owner and contributors only.
    #[default]
    Private,
    /// Readable by all who have its link.
    Link,
    /// Readable by all, and shown in lists.
    Public,
}

/// The roles of a person in a study.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StudyRole {
    /// The owner, who may do everything.
    Owner,
    /// A contributor, who may change the contents.
    Contributor,
    /// A reader, who may not change anything.
    Reader,
}

/// The colours of an arrow or a circle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MarkColour {
    /// Green, the default colour.
    #[default]
    Green,
    /// Red, meant for threats.
    Red,
    /// Yellow, meant for alternatives.
    Yellow,
    /// Blue, meant for plans.
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
    /// The colour of the arrow or circle.
    #[serde(default)]
    #[ts(optional, as = "Option<MarkColour>")]
    pub colour: MarkColour,
}

/// An evaluation of a position, by an engine or a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyEval {
    /// The value, for the first player.
    pub worth: Worth,
    /// The search depth, if an engine gave the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub depth: Option<u16>,
}

/// A node of the tree: a move, with the annotations of the position after it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyNode {
    /// The id of the node, never reused in its chapter; 0 is the start.
    pub id: u32,
    /// The id of the node before it; the start is its own parent.
    #[serde(default)]
    pub parent: u32,
    /// The move in machine notation; empty at the start.
    #[serde(default)]
    pub text: String,
    /// The move in each of the game's notations.
    #[serde(default)]
    pub names: Vec<String>,
    /// The side that moved; absent at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub by: Option<Side>,
    /// True if the same side made the move before it, in the same turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub same_turn: bool,
    /// The comment: plain text with a little Markdown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(optional, as = "Option<String>")]
    pub comment: String,
    /// The arrows and circles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<StudyMark>>")]
    pub marks: Vec<StudyMark>,
    /// The annotation signs, as PGN's numeric annotation glyphs (NAG), in rising order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<u8>>")]
    pub nags: Vec<u8>,
    /// The evaluation of the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub eval: Option<StudyEval>,
    /// The thinking time, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub spent_ms: Option<u64>,
    /// The version of the study at which the annotations last changed.
    #[serde(default)]
    #[ts(type = "number")]
    pub ver: u64,
}

/// A chapter: one game or position, with a tree of variations.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyChapter {
    /// The id of the chapter, never reused in its study.
    pub id: u32,
    /// The name of the chapter.
    pub name: String,
    /// The key of the game in the catalogue.
    pub game: String,
    /// The options of the game.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, i64>>")]
    pub options: BTreeMap<String, i64>,
    /// The map, for games that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<MapName>,
    /// The start position; absent: the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fen: Option<String>,
    /// The names of the players, in order of moving; empty if there are none.
    #[serde(default)]
    pub players: [String; 2],
    /// The result of the game, if it is a game that has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ending: Option<Outcome>,
    /// The time control, in words or figures.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(optional, as = "Option<String>")]
    pub clock: String,
    /// The date of the game.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(optional, as = "Option<String>")]
    pub date: String,
    /// The other headers of its file, by their names in PGN.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, String>>")]
    pub tags: BTreeMap<String, String>,
    /// The side whose moves readers have to find, if the chapter is a lesson.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lesson: Option<Side>,
    /// The nodes: the start, then each node after its parent; among children of one node, the main line comes first.
    pub nodes: Vec<StudyNode>,
    /// The id of the next node.
    pub next: u32,
}

/// An owner or contributor of a study.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyMember {
    /// The public id of the person.
    pub id: String,
    /// The person's name at the time when they joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
}

/// A study with all its chapters, at version `ver`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct Study {
    /// The id of the study, the last part of its link.
    pub id: String,
    /// The version: the number of events so far.
    #[ts(type = "number")]
    pub ver: u64,
    /// The name of the study.
    pub name: String,
    /// The access to the study.
    pub access: StudyAccess,
    /// The person who owns it.
    pub owner: StudyMember,
    /// The other people who may change it.
    #[serde(default)]
    pub members: Vec<StudyMember>,
    /// The chapters in order; at least one.
    pub chapters: Vec<StudyChapter>,
    /// The id of the next chapter.
    pub next: u32,
}

/// A study as one person sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyShown {
    /// The study with all its chapters.
    pub study: Study,
    /// The role of the person who asks.
    pub role: StudyRole,
    /// The parts of a file that could not be imported, if the study was made from one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Problem>>")]
    pub left_out: Vec<Problem>,
}

/// The contents of a new chapter or a new study. Exactly one of `table`, `content` and `game` is given.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StudyStart {
    /// The name of the chapter; empty: that of its game.
    pub name: String,
    /// The id of a table whose game is over, or that is played on one screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub table: Option<String>,
    /// Set if the report about that table is imported, as evaluations, annotation signs and better lines.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub report: bool,
    /// A file with one or more games, as text or in Base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub content: Option<String>,
    /// True if `content` is Base64.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub base64: bool,
    /// The format of `content`; absent: detected from the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub format: Option<String>,
    /// The key of a game in the catalogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub game: Option<String>,
    /// Options of `game` that differ from the default.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, i64>>")]
    pub options: BTreeMap<String, i64>,
    /// The map of `game`, for games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<String>,
    /// The start position of `game`; absent: the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fen: Option<String>,
    /// The moves of the main line from there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub moves: Vec<String>,
}

/// A request to make a study.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct NewStudy {
    /// The name of the study; empty: that of its first chapter.
    #[serde(default)]
    pub name: String,
    /// The access to the study.
    #[serde(default)]
    pub access: StudyAccess,
    /// The contents of the first chapter.
    pub from: StudyStart,
}

/// The changes that can be made to a study.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum StudyChange {
    /// Add a move; one that is there already changes nothing.
    Play {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node after which the move is played.
        parent: u32,
        /// The move in machine notation.
        text: String,
    },
    /// Replace the comment on a node. Refused if another person changed it since `base`.
    Comment {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
        /// The new comment; empty: none.
        text: String,
    },
    /// Draw an arrow or a circle, which replaces one at the same place.
    Draw {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
        /// The arrow or circle.
        mark: StudyMark,
    },
    /// Remove an arrow or a circle.
    Erase {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
        /// The mark at that place.
        mark: StudyMark,
    },
    /// Set or remove an annotation sign.
    Judge {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
        /// The number of the sign in PGN (NAG).
        nag: u8,
        /// True if it is set, false if it is removed.
        on: bool,
    },
    /// Set the evaluation of a position.
    Evaluate {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
        /// The evaluation; absent: none.
        #[serde(default)]
        #[ts(optional)]
        eval: Option<StudyEval>,
    },
    /// Remove a node with all that follows. Refused if another person changed something there since `base`.
    Remove {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
    },
    /// Make the line through a node the main line.
    Promote {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
    },
    /// Rename a chapter.
    NameChapter {
        /// The id of the chapter.
        chapter: u32,
        /// The new name of the chapter.
        name: String,
    },
    /// Move a chapter to another place.
    MoveChapter {
        /// The id of the chapter.
        chapter: u32,
        /// The number of chapters before its new place.
        to: u32,
    },
    /// Remove a chapter, but not the last one. Refused if another person changed something there since `base`.
    RemoveChapter {
        /// The id of the chapter.
        chapter: u32,
    },
    /// Make a chapter a lesson, or no longer one.
    Lesson {
        /// The id of the chapter.
        chapter: u32,
        /// The side whose moves readers have to find; absent: it is no lesson.
        #[serde(default)]
        #[ts(optional)]
        side: Option<Side>,
    },
    /// Rename the study; its owner only.
    Name {
        /// The new name of the study.
        name: String,
    },
    /// Change the access to the study; its owner only.
    Access {
        /// The new access.
        access: StudyAccess,
    },
    /// Add a contributor; its owner only.
    Invite {
        /// The name of the person.
        name: String,
    },
    /// Remove a contributor; allowed to the owner and to that contributor.
    Dismiss {
        /// The public id of the contributor.
        id: String,
    },
}

/// The events in a study.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum StudyEvent {
    /// A move was added.
    Played {
        /// The id of the chapter.
        chapter: u32,
        /// The new node; it comes last among the children of its parent.
        node: StudyNode,
    },
    /// A comment was changed.
    Commented {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
        /// The new comment; empty: none.
        text: String,
    },
    /// An arrow or a circle was drawn, which replaces one at the same place.
    Drawn {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
        /// The arrow or circle.
        mark: StudyMark,
    },
    /// An arrow or a circle was removed.
    Erased {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
        /// The mark at that place.
        mark: StudyMark,
    },
    /// An annotation sign was set or removed.
    Judged {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
        /// The number of the sign in PGN (NAG).
        nag: u8,
        /// True if it is set, false if it is removed.
        on: bool,
    },
    /// An evaluation was changed.
    Evaluated {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
        /// The evaluation; absent: none.
        #[serde(default)]
        #[ts(optional)]
        eval: Option<StudyEval>,
    },
    /// A node was removed with all that followed.
    Removed {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
    },
    /// The line through a node was made the main line.
    Promoted {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
    },
    /// A chapter was added after the others.
    ChapterAdded {
        /// The new chapter.
        chapter: StudyChapter,
    },
    /// A chapter was renamed.
    ChapterNamed {
        /// The id of the chapter.
        chapter: u32,
        /// The new name of the chapter.
        name: String,
    },
    /// A chapter was moved to another place.
    ChapterMoved {
        /// The id of the chapter.
        chapter: u32,
        /// The number of chapters before its new place.
        to: u32,
    },
    /// A chapter was removed.
    ChapterRemoved {
        /// The id of the chapter.
        chapter: u32,
    },
    /// A chapter was made a lesson, or no longer one.
    LessonSet {
        /// The id of the chapter.
        chapter: u32,
        /// The side whose moves readers have to find; absent: it is no lesson.
        #[serde(default)]
        #[ts(optional)]
        side: Option<Side>,
    },
    /// The study was renamed.
    Named {
        /// The new name of the study.
        name: String,
    },
    /// The access to the study was changed.
    AccessSet {
        /// The new access.
        access: StudyAccess,
    },
    /// A contributor was added.
    Invited {
        /// The new contributor.
        member: StudyMember,
    },
    /// A contributor was removed.
    Dismissed {
        /// The public id of the contributor.
        id: String,
    },
}

/// An event of a study, with its version, time and author.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyEntry {
    /// The version of the study after it.
    #[ts(type = "number")]
    pub ver: u64,
    /// The time of the event, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
    /// The public id of the person who made the change.
    pub by: String,
    /// The event itself.
    pub event: StudyEvent,
}

/// A requested change, with the version that its author has seen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyWished {
    /// The version that the author has seen.
    #[ts(type = "number")]
    pub base: u64,
    /// The change that is requested.
    pub change: StudyChange,
}

/// The result of a change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyDone {
    /// The event; absent if the change made no difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub entry: Option<StudyEntry>,
    /// The id of the node with the move, for a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub node: Option<u32>,
    /// The parts of a file that could not be imported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Problem>>")]
    pub left_out: Vec<Problem>,
}

/// A study in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyListed {
    /// The id of the study, the last part of its link.
    pub id: String,
    /// The name of the study.
    pub name: String,
    /// The access to the study.
    pub access: StudyAccess,
    /// The person who owns it.
    pub owner: StudyMember,
    /// The role of the person who asks.
    pub role: StudyRole,
    /// The keys of the games in it, each once.
    pub games: Vec<String>,
    /// The number of chapters.
    pub chapters: u32,
    /// The time of the last change, in Unix milliseconds.
    #[ts(type = "number")]
    pub changed_ms: u64,
}

/// A page of a list of studies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyList {
    /// The studies, the most recently changed first.
    pub studies: Vec<StudyListed>,
    /// The number of studies on all pages.
    pub of: u32,
    /// The number of studies that the person who asks may still make.
    pub left: u32,
}

/// The positions of one line of a chapter: through a node to the end of its line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyFilm {
    /// The board of the game.
    pub board: Board,
    /// The ids of the nodes, the start first, one for each position of the film.
    pub nodes: Vec<u32>,
    /// The positions for replay.
    pub film: Replay,
    /// The notations of the moves' names.
    pub notations: Vec<String>,
    /// The names of the sides in this game, the first one first.
    pub sides: [String; 2],
}

/// A format in which a chapter, or all chapters of a game, can be saved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyFormat {
    /// The key of the format.
    pub format: String,
    /// The contents that the format cannot store: the messages `study-loses-<what>`.
    pub loses: Vec<String>,
    /// True if all chapters go into one file.
    pub whole: bool,
}

/// A message from the client on the WebSocket of a study.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum StudySay {
    /// Show the others the position one looks at; contributors only.
    At {
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
    },
    /// A ping that keeps the connection open.
    Ping,
}

/// A message from the server on the WebSocket of a study.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum StudyHear {
    /// A change was made to the study.
    Did {
        /// The event, with its version and author.
        entry: Box<StudyEntry>,
    },
    /// A notice that there are too many changes to send one by one: the client has to read the study again.
    Anew {
        /// The current version of the study.
        #[ts(type = "number")]
        ver: u64,
    },
    /// A contributor shows the position they look at.
    At {
        /// The contributor who shows their position.
        who: StudyMember,
        /// The id of the chapter.
        chapter: u32,
        /// The id of the node.
        node: u32,
    },
    /// The people who have the study open: contributors by name, and the number of all.
    Here {
        /// The contributors, including the owner.
        who: Vec<StudyMember>,
        /// The number of connections.
        watchers: u32,
    },
    /// The study was deleted, or may no longer be read.
    Gone,
    /// A message that the server did not understand.
    No {
        /// The reason for the refusal.
        why: Problem,
    },
    /// The answer to a ping.
    Pong,
}
