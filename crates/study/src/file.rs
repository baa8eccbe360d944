//! Conversion of records to chapters and back; losses of a format are found by writing and reading.

use std::collections::BTreeMap;

use kernel::{AnyGame, Board, PlayError, Problem};
use records::record::{MOST_TEXT, Ply, at_turn};
use records::{Ending, Format, MapOf, NodeId, Record, Tree};
use wire::{MapName, Outcome, StudyChapter, StudyNode};

use crate::notes::{self, Notes};
use crate::{MOST_NAME, MOST_NODES};

/// The most left-out lines that are reported.
const TOLD: usize = 8;

/// Converts a record to a chapter without an id. `game` stands at its start. A line that the game does not allow is
/// left out from there on, and reported: `study-left-out` with `moves`, the `move` and `because`.
///
/// # Errors
/// `study-full`, when the tree is too large.
pub fn chapter_of(
    record: &Record,
    mut game: Box<dyn AnyGame>,
) -> Result<(StudyChapter, Vec<Problem>), Problem> {
    let board = game.board();
    if record.tree.plies() + 1 > MOST_NODES {
        return Err(Problem::new("study-full").with("what", "nodes").with("most", MOST_NODES));
    }
    let mut chapter = StudyChapter {
        name: name_of(record),
        game: record.game.clone(),
        options: record.options.clone(),
        map: record.map.as_ref().map(|map| MapName { id: map.id.clone(), name: map.name.clone() }),
        fen: record.start.clone(),
        players: record.players.clone(),
        ending: record.ending.as_ref().map(Outcome::from),
        clock: record.clock.clone(),
        date: record.date.clone(),
        tags: record.tags.clone(),
        next: 1,
        ..StudyChapter::default()
    };
    chapter.nodes.push(said(&record.tree[Tree::START], &board));
    let mut left_out = Vec::new();
    // Where the game stands, and which node that is.
    let mut line: Vec<(NodeId, u32)> = Vec::new();
    let mut waiting: Vec<NodeId> = record.tree.next(Tree::START).iter().rev().copied().collect();
    while let Some(id) = waiting.pop() {
        let before = record.tree.before(id).unwrap_or(Tree::START);
        while line.last().is_some_and(|(last, _)| *last != before) {
            line.pop();
            game.undo();
        }
        let ply = &record.tree[id];
        let by = game.turn();
        if let Err(why) = game.play(&ply.text) {
            let moves = 1 + below(&record.tree, id);
            left_out.push(
                at_turn(Problem::new("study-left-out"), &*game)
                    .with("moves", moves)
                    .with("move", &ply.text)
                    .with("because", PlayError::problem(why).key),
            );
            continue;
        }
        let last_by = line.last().and_then(|(_, node)| crate::node(&chapter, *node)).and_then(|node| node.by);
        let node = StudyNode {
            id: chapter.next,
            parent: line.last().map_or(0, |(_, node)| *node),
            text: game.last_move().unwrap_or_default(),
            names: game.last_names(),
            same_turn: last_by == Some(by),
            by: Some(by),
            ..said(ply, &board)
        };
        line.push((id, node.id));
        chapter.next += 1;
        chapter.nodes.push(node);
        waiting.extend(record.tree.next(id).iter().rev());
    }
    left_out.truncate(TOLD);
    Ok((chapter, left_out))
}

/// Returns the number of plies below a node.
fn below(tree: &Tree, id: NodeId) -> usize {
    let (mut count, mut waiting) = (0, tree.next(id).to_vec());
    while let Some(id) = waiting.pop() {
        count += 1;
        waiting.extend(tree.next(id));
    }
    count
}

/// Converts a ply of a record to a node, without its place in the tree.
fn said(ply: &Ply, board: &Board) -> StudyNode {
    let Notes { text, marks, eval } = notes::read(&ply.comment, board);
    StudyNode {
        comment: text,
        marks,
        eval,
        nags: ply.nags.clone(),
        spent_ms: ply.spent_ms,
        ..StudyNode::default()
    }
}

/// Returns the name of a record's chapter: its event or its players; empty if it has neither.
fn name_of(record: &Record) -> String {
    let chapter = record.tags.get("ChapterName").cloned().unwrap_or_default();
    let [first, second] = &record.players;
    let players = match (first.is_empty(), second.is_empty()) {
        (true, true) => String::new(),
        _ => format!(
            "{} – {}",
            if first.is_empty() { "?" } else { first },
            if second.is_empty() { "?" } else { second }
        ),
    };
    let event = record.tags.get("Event").cloned().unwrap_or_default();
    let name = [chapter, players, event].into_iter().find(|name| !name.is_empty()).unwrap_or_default();
    name.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(MOST_NAME)
        .collect::<String>()
        .trim()
        .to_owned()
}

/// Converts a chapter to a record, with everything that a record can hold; the name goes into the tag `ChapterName`,
/// where the players do not give it.
#[must_use]
pub fn record_of(chapter: &StudyChapter, board: &Board) -> Record {
    let mut tree = Tree::default();
    let mut places: BTreeMap<u32, NodeId> = BTreeMap::from([(0, Tree::START)]);
    for node in &chapter.nodes {
        let notes = Notes { text: node.comment.clone(), marks: node.marks.clone(), eval: node.eval };
        let comment = notes::write(&notes, board);
        if node.id == 0 {
            tree[Tree::START].comment = comment;
            continue;
        }
        let Some(parent) = places.get(&node.parent).copied() else { continue };
        let ply = Ply {
            text: node.text.clone(),
            same_turn: node.same_turn,
            comment,
            spent_ms: node.spent_ms,
            nags: node.nags.clone(),
        };
        places.insert(node.id, tree.add(parent, ply));
    }
    let mut record = Record {
        game: chapter.game.clone(),
        map: chapter.map.as_ref().map(|map| MapOf {
            id: map.id.clone(),
            name: map.name.clone(),
            files: None,
        }),
        options: chapter.options.clone(),
        start: chapter.fen.clone(),
        players: chapter.players.clone().map(cut),
        ending: chapter.ending.as_ref().map(Ending::from),
        clock: cut(chapter.clock.clone()),
        date: cut(chapter.date.clone()),
        tags: chapter.tags.clone(),
        tree,
    };
    if name_of(&record) != chapter.name && !chapter.name.is_empty() {
        record.tag("ChapterName", &chapter.name);
    }
    record
}

fn cut(mut text: String) -> String {
    let end = (0..=MOST_TEXT.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    text.truncate(end);
    text
}

/// Returns the parts of a record that the format does not keep, found by writing and reading it: `moves`,
/// `variations`, `comments`, `marks`, `evals`, `nags`, `times`, `players`, `result`, `clock`, `date`, `tags`,
/// `options`, `start`.
///
/// # Errors
/// Fails when the format cannot hold this game at all.
pub fn lost(format: Format, record: &Record, board: &Board) -> Result<Vec<&'static str>, Problem> {
    lost_in(format, record, &records::write(format, record)?, board)
}

/// Returns the losses of a record as [`lost`] does, from a record that is already written.
///
/// # Errors
/// Fails when what was written cannot be read.
pub fn lost_in(
    format: Format,
    record: &Record,
    written: &[u8],
    board: &Board,
) -> Result<Vec<&'static str>, Problem> {
    let kept = records::read(format, written)?;
    let (before, after) = (plies(&record.tree), plies(&kept.tree));
    let line = |record: &Record| -> Vec<String> {
        record.tree.main_line().map(|id| record.tree[id].text.clone()).collect()
    };
    let mut lost = Vec::new();
    let mut note = |what: &'static str, is_lost: bool| {
        if is_lost {
            lost.push(what);
        }
    };
    note("moves", line(record) != line(&kept));
    note("variations", before.keys().any(|key| !after.contains_key(key)));
    let any = |differs: &dyn Fn(&Ply, &Ply) -> bool| {
        before.iter().any(|(key, ply)| after.get(key).is_some_and(|kept| differs(ply, kept)))
    };
    let read = |ply: &Ply| notes::read(&ply.comment, board);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    note("comments", any(&|a, b| words(&read(a).text) != words(&read(b).text)));
    let sorted = |notes: Notes| {
        let mut marks: Vec<_> = notes.marks.iter().map(|m| (m.from, m.to, m.colour as u8)).collect();
        marks.sort_unstable();
        marks
    };
    note("marks", any(&|a, b| sorted(read(a)) != sorted(read(b))));
    note("evals", any(&|a, b| read(a).eval != read(b).eval));
    note("nags", any(&|a, b| a.nags != b.nags));
    note("times", any(&|a, b| a.spent_ms != b.spent_ms));
    note("players", record.players != kept.players);
    note("result", record.ending.as_ref().map(|e| e.score) != kept.ending.as_ref().map(|e| e.score));
    note("clock", record.clock != kept.clock);
    note("date", record.date != kept.date);
    note("tags", record.tags.iter().any(|(name, value)| kept.tags.get(name) != Some(value)));
    note("options", record.options.iter().any(|(name, value)| kept.options.get(name) != Some(value)));
    Ok(lost)
}

/// Collects every ply under a key that follows from the moves to it.
fn plies(tree: &Tree) -> BTreeMap<u64, &Ply> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut keys: BTreeMap<NodeId, u64> = BTreeMap::from([(Tree::START, 0)]);
    let mut plies = BTreeMap::from([(0, &tree[Tree::START])]);
    for id in tree.in_order() {
        let before = tree.before(id).and_then(|before| keys.get(&before)).copied().unwrap_or(0);
        let mut hash = DefaultHasher::new();
        (before, &tree[id].text).hash(&mut hash);
        keys.insert(id, hash.finish());
        plies.entry(hash.finish()).or_insert(&tree[id]);
    }
    plies
}
