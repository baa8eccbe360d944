//! Studies as values: decisions on changes, the effects of events, and import from files and export to them.
//!
//! Values go in and values come out: no I/O, no tasks, no clock. A server that keeps studies does this with every
//! change: [`decide()`], store under the next version, [`apply()`], tell the others. When the store has a newer
//! version, its events are applied and the change is decided again: a change names chapters and nodes by ids that are
//! never used again, so it means the same after any other change.
//!
//! Reading order: [`mod@decide`] (a change becomes an event or is refused), [`mod@apply`] (an event changes the study),
//! [`notes`] (arrows, circles and evaluations in the comments of files), [`file`](mod@file) (records become chapters, chapters
//! become records), [`kept`] (studies and events as they are stored).

pub mod apply;
pub mod decide;
pub mod file;
pub mod kept;
pub mod notes;

pub use apply::apply;
pub use decide::{Opened, decide};

use wire::{Study, StudyChapter, StudyNode};

/// The most nodes of a study, the starts of its chapters included.
pub const MOST_NODES: usize = 12_000;
/// The most chapters of a study.
pub const MOST_CHAPTERS: usize = 64;
/// The most bytes of comments, names and starts of a study.
pub const MOST_BYTES: usize = 1 << 20;
/// The longest comment, in bytes; arrows and circles count, since files keep them in comments.
pub const MOST_COMMENT: usize = records::record::MOST_COMMENT;
/// The most arrows and circles at a node.
pub const MOST_MARKS: usize = 64;
/// The most annotation glyphs (NAGs) at a node.
pub const MOST_NAGS: usize = records::record::MOST_NAGS;
/// The longest name of a study or a chapter, in characters.
pub const MOST_NAME: usize = 100;
/// The most people who may change a study, its owner left out.
pub const MOST_MEMBERS: usize = 32;

/// Returns the chapter with that id.
#[must_use]
pub fn chapter(study: &Study, id: u32) -> Option<&StudyChapter> {
    study.chapters.iter().find(|chapter| chapter.id == id)
}

/// Returns the node with that id.
#[must_use]
pub fn node(chapter: &StudyChapter, id: u32) -> Option<&StudyNode> {
    chapter.nodes.iter().find(|node| node.id == id)
}

/// Returns the nodes from the first move to that node; none for the start, and for an unknown node.
#[must_use]
pub fn path(chapter: &StudyChapter, id: u32) -> Vec<&StudyNode> {
    let mut path: Vec<&StudyNode> = Vec::new();
    let mut wanted = id;
    // A parent stands before its children.
    for node in chapter.nodes.iter().rev() {
        if node.id == wanted && wanted != 0 {
            path.push(node);
            wanted = node.parent;
        }
    }
    path.reverse();
    path
}

/// Returns the main line below a node, without the node itself.
#[must_use]
pub fn rest(chapter: &StudyChapter, id: u32) -> Vec<&StudyNode> {
    let (mut rest, mut last) = (Vec::new(), id);
    // What comes first after a node is its main line, and stands after it.
    for node in &chapter.nodes {
        if node.parent == last && node.id != 0 {
            last = node.id;
            rest.push(node);
        }
    }
    rest
}

/// Returns the number of bytes of text in a chapter that people wrote or imported.
#[must_use]
pub fn bytes(chapter: &StudyChapter) -> usize {
    let tags: usize = chapter.tags.iter().map(|(name, value)| name.len() + value.len()).sum();
    let own = chapter.name.len() + chapter.fen.as_ref().map_or(0, String::len) + chapter.clock.len();
    let nodes = chapter.nodes.iter();
    own + tags + nodes.map(|node| node.comment.len() + node.marks.len() * 8).sum::<usize>()
}

/// Returns the ids of a node and all nodes below it.
#[must_use]
pub(crate) fn below(chapter: &StudyChapter, id: u32) -> std::collections::BTreeSet<u32> {
    let mut below = std::collections::BTreeSet::from([id]);
    for node in &chapter.nodes {
        if node.id != 0 && below.contains(&node.parent) {
            below.insert(node.id);
        }
    }
    below
}
