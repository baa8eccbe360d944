//! The effect of each event on a study. The hall, a restart and the tests all use this code, and the page follows it.

use wire::{Study, StudyChapter, StudyEntry, StudyEvent, StudyNode};

use crate::below;

/// Applies an event that was [decided](crate::decide()) for this study, or read from its log.
///
/// An event about something that is not there changes nothing but the version.
pub fn apply(study: &mut Study, entry: &StudyEntry) {
    study.ver = entry.ver;
    match entry.event.clone() {
        StudyEvent::Played { chapter, node } => in_chapter(study, chapter, |found| {
            found.next = found.next.max(node.id.saturating_add(1));
            let at = place_after(found, node.parent);
            found.nodes.insert(at, node);
        }),
        StudyEvent::Commented { chapter, node, text } => {
            at_node(study, entry.ver, chapter, node, |node| node.comment = text);
        }
        StudyEvent::Drawn { chapter, node, mark } => at_node(study, entry.ver, chapter, node, |node| {
            match node.marks.iter_mut().find(|old| (old.from, old.to) == (mark.from, mark.to)) {
                Some(old) => *old = mark,
                None => node.marks.push(mark),
            }
        }),
        StudyEvent::Erased { chapter, node, mark } => at_node(study, entry.ver, chapter, node, |node| {
            node.marks.retain(|old| (old.from, old.to) != (mark.from, mark.to));
        }),
        StudyEvent::Judged { chapter, node, nag, on } => {
            at_node(study, entry.ver, chapter, node, |node| match (node.nags.binary_search(&nag), on) {
                (Err(at), true) => node.nags.insert(at, nag),
                (Ok(at), false) => drop(node.nags.remove(at)),
                _ => {}
            });
        }
        StudyEvent::Evaluated { chapter, node, eval } => {
            at_node(study, entry.ver, chapter, node, |node| node.eval = eval);
        }
        StudyEvent::Removed { chapter, node } => in_chapter(study, chapter, |chapter| {
            let gone = below(chapter, node);
            chapter.nodes.retain(|node| node.id == 0 || !gone.contains(&node.id));
        }),
        StudyEvent::Promoted { chapter, node } => in_chapter(study, chapter, |found| promote(found, node)),
        StudyEvent::ChapterAdded { chapter } => {
            study.next = study.next.max(chapter.id.saturating_add(1));
            study.chapters.push(chapter);
        }
        StudyEvent::ChapterNamed { chapter, name } => in_chapter(study, chapter, |found| found.name = name),
        StudyEvent::ChapterMoved { chapter, to } => {
            if let Some(from) = study.chapters.iter().position(|found| found.id == chapter) {
                let moved = study.chapters.remove(from);
                let to = study.chapters.len().min(to as usize);
                study.chapters.insert(to, moved);
            }
        }
        StudyEvent::ChapterRemoved { chapter } => study.chapters.retain(|found| found.id != chapter),
        StudyEvent::LessonSet { chapter, side } => in_chapter(study, chapter, |found| found.lesson = side),
        StudyEvent::Named { name } => study.name = name,
        StudyEvent::AccessSet { access } => study.access = access,
        StudyEvent::Invited { member } => {
            study.members.retain(|old| old.id != member.id);
            study.members.push(member);
        }
        StudyEvent::Dismissed { id } => study.members.retain(|member| member.id != id),
    }
}

fn in_chapter(study: &mut Study, id: u32, change: impl FnOnce(&mut StudyChapter)) {
    if let Some(chapter) = study.chapters.iter_mut().find(|chapter| chapter.id == id) {
        change(chapter);
    }
}

fn at_node(study: &mut Study, ver: u64, chapter: u32, id: u32, change: impl FnOnce(&mut StudyNode)) {
    in_chapter(study, chapter, |chapter| {
        if let Some(node) = chapter.nodes.iter_mut().find(|node| node.id == id) {
            change(node);
            node.ver = ver;
        }
    });
}

/// Returns the index for a new node that follows `parent`: after everything that follows it already.
fn place_after(chapter: &StudyChapter, parent: u32) -> usize {
    let below = below(chapter, parent);
    let last = chapter.nodes.iter().rposition(|node| below.contains(&node.id));
    last.map_or(chapter.nodes.len(), |at| at + 1)
}

/// Puts the line through a node before all others.
fn promote(chapter: &mut StudyChapter, id: u32) {
    let mut at = id;
    while let Some(parent) = crate::node(chapter, at).filter(|node| node.id != 0).map(|node| node.parent) {
        let line = below(chapter, at);
        let (moved, mut rest): (Vec<_>, Vec<_>) =
            chapter.nodes.drain(..).partition(|node| line.contains(&node.id));
        let place = rest.iter().position(|node| node.id == parent).map_or(rest.len(), |at| at + 1);
        rest.splice(place..place, moved);
        chapter.nodes = rest;
        at = parent;
    }
}
