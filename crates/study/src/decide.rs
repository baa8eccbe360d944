//! Decision on a change: it becomes an event, or is refused. The study itself is not changed here.

use kernel::{AnyGame, Board, PlayError, Problem};
use wire::{Study, StudyChange, StudyChapter, StudyEvent, StudyMark, StudyNode, StudyRole};

use crate::{
    MOST_BYTES, MOST_CHAPTERS, MOST_COMMENT, MOST_MARKS, MOST_MEMBERS, MOST_NAGS, MOST_NAME, MOST_NODES,
    below, bytes, notes, path,
};

/// The most bytes that a mark takes in the comment of a file.
const MARK_BYTES: usize = 20;
/// The most bytes that an evaluation takes in such a comment, with the words around the marks.
const EVAL_BYTES: usize = 64;

/// A function that opens the game of a chapter at its start.
pub type Opened<'a> = &'a dyn Fn(&StudyChapter) -> Result<Box<dyn AnyGame>, Problem>;

/// Decides on a change by a person with that role, who had seen version `base`. Returns `None` if the study is
/// already so.
///
/// [`StudyChange::Invite`] is not decided here, since it needs the account of the invited person; see [`invite`].
///
/// # Errors
/// `study-not-yours`, `study-no-chapter`, `study-no-node`, `study-full` with `what` and `most`, `study-newer` where
/// another person changed the same since; `study-last-chapter`, `study-name`, `study-mark`, `study-nag`; the game's
/// own problem with a move.
pub fn decide(
    study: &Study,
    role: StudyRole,
    who: &str,
    base: u64,
    change: &StudyChange,
    open: Opened<'_>,
) -> Result<Option<StudyEvent>, Problem> {
    let owners =
        matches!(change, StudyChange::Name { .. } | StudyChange::Access { .. } | StudyChange::Invite { .. })
            || matches!(change, StudyChange::Dismiss { id } if id != who);
    if role == StudyRole::Reader || (owners && role != StudyRole::Owner) {
        return Err(Problem::new("study-not-yours"));
    }
    match change {
        StudyChange::Play { chapter, parent, text } => play(study, *chapter, *parent, text, open),
        StudyChange::Comment { chapter, node, text } => {
            let found = the_node(study, *chapter, *node)?;
            let text = plain(text);
            if found.comment == text {
                return Ok(None);
            }
            seen(found.ver, base)?;
            fits(&text, found.marks.len())?;
            let more = text.len().saturating_sub(found.comment.len());
            room("bytes", in_all(study) + more, MOST_BYTES)?;
            Ok(Some(StudyEvent::Commented { chapter: *chapter, node: *node, text }))
        }
        StudyChange::Draw { chapter, node, mark } => draw(study, *chapter, *node, *mark, open),
        StudyChange::Erase { chapter, node, mark } => {
            let found = the_node(study, *chapter, *node)?;
            let there = found.marks.iter().any(|old| (old.from, old.to) == (mark.from, mark.to));
            Ok(there.then_some(StudyEvent::Erased { chapter: *chapter, node: *node, mark: *mark }))
        }
        &StudyChange::Judge { chapter, node, nag, on } => {
            let found = the_node(study, chapter, node)?;
            if node == 0 || nag == 0 {
                return Err(Problem::new("study-nag"));
            }
            if found.nags.contains(&nag) == on {
                return Ok(None);
            }
            room("nags", found.nags.len() + usize::from(on), MOST_NAGS)?;
            Ok(Some(StudyEvent::Judged { chapter, node, nag, on }))
        }
        &StudyChange::Evaluate { chapter, node, eval } => {
            let found = the_node(study, chapter, node)?;
            let eval = eval.map(notes::sane);
            Ok((found.eval != eval).then_some(StudyEvent::Evaluated { chapter, node, eval }))
        }
        &StudyChange::Remove { chapter, node } => {
            let found = the_chapter(study, chapter)?;
            the_node(study, chapter, node)?;
            if node == 0 {
                return Err(Problem::new("study-no-node"));
            }
            let gone = below(found, node);
            let newest = found.nodes.iter().filter(|node| gone.contains(&node.id)).map(|node| node.ver);
            seen(newest.max().unwrap_or(0), base)?;
            Ok(Some(StudyEvent::Removed { chapter, node }))
        }
        &StudyChange::Promote { chapter, node } => {
            let found = the_chapter(study, chapter)?;
            the_node(study, chapter, node)?;
            let line = path(found, node);
            let first = |node: &StudyNode| {
                found.nodes.iter().find(|other| other.id != 0 && other.parent == node.parent).map(|n| n.id)
            };
            let leads = line.iter().all(|node| first(node) == Some(node.id));
            Ok((!leads).then_some(StudyEvent::Promoted { chapter, node }))
        }
        StudyChange::NameChapter { chapter, name } => {
            let (found, name) = (the_chapter(study, *chapter)?, named(name)?);
            room("bytes", in_all(study) + name.len(), MOST_BYTES)?;
            Ok((found.name != name).then_some(StudyEvent::ChapterNamed { chapter: *chapter, name }))
        }
        &StudyChange::MoveChapter { chapter, to } => {
            the_chapter(study, chapter)?;
            let last = study.chapters.len().saturating_sub(1);
            let to = u32::try_from(last).unwrap_or(u32::MAX).min(to);
            let there = study.chapters.get(to as usize).is_some_and(|found| found.id == chapter);
            Ok((!there).then_some(StudyEvent::ChapterMoved { chapter, to }))
        }
        &StudyChange::RemoveChapter { chapter } => {
            let found = the_chapter(study, chapter)?;
            if study.chapters.len() == 1 {
                return Err(Problem::new("study-last-chapter"));
            }
            seen(found.nodes.iter().map(|node| node.ver).max().unwrap_or(0), base)?;
            Ok(Some(StudyEvent::ChapterRemoved { chapter }))
        }
        &StudyChange::Lesson { chapter, side } => {
            let found = the_chapter(study, chapter)?;
            Ok((found.lesson != side).then_some(StudyEvent::LessonSet { chapter, side }))
        }
        StudyChange::Name { name } => {
            let name = named(name)?;
            Ok((study.name != name).then_some(StudyEvent::Named { name }))
        }
        &StudyChange::Access { access } => {
            Ok((study.access != access).then_some(StudyEvent::AccessSet { access }))
        }
        StudyChange::Invite { name } => Err(Problem::new("study-nobody").with("name", name)),
        StudyChange::Dismiss { id } => {
            let there = study.members.iter().any(|member| member.id == *id);
            Ok(there.then(|| StudyEvent::Dismissed { id: id.clone() }))
        }
    }
}

/// Decides on the invitation of a person. Returns `None` if they may change the study already.
///
/// # Errors
/// `study-not-yours`; `study-full`.
pub fn invite(
    study: &Study,
    role: StudyRole,
    member: wire::StudyMember,
) -> Result<Option<StudyEvent>, Problem> {
    if role != StudyRole::Owner {
        return Err(Problem::new("study-not-yours"));
    }
    if study.owner.id == member.id || study.members.iter().any(|old| old.id == member.id) {
        return Ok(None);
    }
    room("members", study.members.len() + 1, MOST_MEMBERS)?;
    Ok(Some(StudyEvent::Invited { member }))
}

/// Decides on a new chapter, which gets its id here.
///
/// # Errors
/// `study-not-yours`; `study-full`; `study-name`.
pub fn add_chapter(study: &Study, role: StudyRole, mut chapter: StudyChapter) -> Result<StudyEvent, Problem> {
    if role == StudyRole::Reader {
        return Err(Problem::new("study-not-yours"));
    }
    chapter.name = named(&chapter.name)?;
    room("chapters", study.chapters.len() + 1, MOST_CHAPTERS)?;
    room("nodes", nodes(study) + chapter.nodes.len(), MOST_NODES)?;
    room("bytes", in_all(study) + bytes(&chapter), MOST_BYTES)?;
    chapter.id = study.next;
    for node in &mut chapter.nodes {
        node.ver = study.ver + 1;
    }
    Ok(StudyEvent::ChapterAdded { chapter })
}

/// Validates the name of a study or a chapter, and makes it one line.
///
/// # Errors
/// `study-name` with `most`, in characters.
pub fn named(name: &str) -> Result<String, Problem> {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MOST_NAME {
        return Err(Problem::new("study-name").with("most", MOST_NAME));
    }
    Ok(name.to_owned())
}

/// Returns the number of nodes of a study.
#[must_use]
pub fn nodes(study: &Study) -> usize {
    study.chapters.iter().map(|chapter| chapter.nodes.len()).sum()
}

fn in_all(study: &Study) -> usize {
    study.chapters.iter().map(bytes).sum()
}

fn the_chapter(study: &Study, id: u32) -> Result<&StudyChapter, Problem> {
    crate::chapter(study, id).ok_or_else(|| Problem::new("study-no-chapter"))
}

fn the_node(study: &Study, chapter: u32, id: u32) -> Result<&StudyNode, Problem> {
    crate::node(the_chapter(study, chapter)?, id).ok_or_else(|| Problem::new("study-no-node"))
}

fn room(what: &'static str, found: usize, most: usize) -> Result<(), Problem> {
    if found <= most { Ok(()) } else { Err(Problem::new("study-full").with("what", what).with("most", most)) }
}

/// Checks that the author of a change has seen the latest change of the same thing.
fn seen(changed: u64, base: u64) -> Result<(), Problem> {
    if changed <= base { Ok(()) } else { Err(Problem::new("study-newer")) }
}

/// Returns a comment without control characters and surrounding whitespace.
fn plain(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let kept = text.chars().filter(|&c| c == '\n' || c == '\t' || !c.is_control());
    kept.collect::<String>().trim().to_owned()
}

/// Checks that a comment with that many marks stays within the limit when it is written into a file.
fn fits(text: &str, marks: usize) -> Result<(), Problem> {
    let length = text.len() + text.matches("[%").count() + marks * MARK_BYTES + EVAL_BYTES;
    room("comment", length, MOST_COMMENT)
}

fn draw(
    study: &Study,
    chapter: u32,
    node: u32,
    mark: StudyMark,
    open: Opened<'_>,
) -> Result<Option<StudyEvent>, Problem> {
    let found = the_node(study, chapter, node)?;
    if found.marks.contains(&mark) {
        return Ok(None);
    }
    let there = found.marks.iter().any(|old| (old.from, old.to) == (mark.from, mark.to));
    room("marks", found.marks.len() + usize::from(!there), MOST_MARKS)?;
    fits(&found.comment, found.marks.len() + 1)?;
    let board = open(the_chapter(study, chapter)?)?.board();
    if !is_on(&board, mark) {
        return Err(Problem::new("study-mark"));
    }
    Ok(Some(StudyEvent::Drawn { chapter, node, mark }))
}

/// Returns true if a mark lies on places of the board, and is not an arrow that ends where it begins.
pub(crate) fn is_on(board: &Board, mark: StudyMark) -> bool {
    board.is_place(mark.from) && mark.to.is_none_or(|to| to != mark.from && board.is_place(to))
}

fn play(
    study: &Study,
    chapter: u32,
    parent: u32,
    text: &str,
    open: Opened<'_>,
) -> Result<Option<StudyEvent>, Problem> {
    the_node(study, chapter, parent)?;
    let found = the_chapter(study, chapter)?;
    let mut game = open(found)?;
    let line = path(found, parent);
    for node in &line {
        game.play(&node.text).map_err(PlayError::problem)?;
    }
    let by = game.turn();
    game.play(text).map_err(PlayError::problem)?;
    let text = game.last_move().unwrap_or_default();
    if follows(found, parent, &text).is_some() {
        return Ok(None);
    }
    room("nodes", nodes(study) + 1, MOST_NODES)?;
    let before = line.last().and_then(|node| node.by);
    let node = StudyNode {
        id: found.next,
        parent,
        text,
        names: game.last_names(),
        same_turn: before == Some(by),
        by: Some(by),
        ver: study.ver + 1,
        ..StudyNode::default()
    };
    Ok(Some(StudyEvent::Played { chapter, node }))
}

/// Returns the node that follows `parent` by that move.
#[must_use]
pub fn follows(chapter: &StudyChapter, parent: u32, text: &str) -> Option<u32> {
    let follows = |node: &&StudyNode| node.id != 0 && node.parent == parent && node.text == text;
    chapter.nodes.iter().find(follows).map(|node| node.id)
}
