//! Writes a record as PDN 3.0, within the restrictions it sets to writers.

use draughts::Colour;
use kernel::{Problem, Side};

use super::layout::{Layout, Variant, keyed};
use super::seat::Seat;
use crate::pgn::{date_text, push_tag, time_text};
use crate::text::one_line;
use crate::{Ending, NodeId, Ply, Record, Score, Tree};

/// The width at which a line of moves is broken, in columns.
const WIDTH: usize = 80;
/// The tags that stand first, in this order; the others follow by name.
const FIRST: [&str; 8] = ["Event", "Site", "Date", "Round", "White", "Black", "Result", "GameType"];
/// Tags that are written from elsewhere.
const ELSEWHERE: [&str; 5] = ["Variant", "FEN", "SetUp", "TimeControl", "Termination"];

/// Writes a record of draughts.
///
/// # Errors
/// `pdn-game` for another game, `pdn-refused` for a move that the game does not allow where it stands, and what the
/// game says against the start.
pub(super) fn write(record: &Record) -> Result<String, Problem> {
    let variant = record.game.strip_prefix("draughts/").and_then(keyed);
    let variant = variant.ok_or_else(|| Problem::new("pdn-game").with("found", &record.game))?;
    let layout = Layout::usual(variant);
    let mut seat = (variant.open)();
    let usual = seat.fen();
    seat.start(record.start.as_deref())?;
    let mut out = String::new();
    push_tags(
        &mut out,
        record,
        variant,
        Some(seat.fen()).filter(|fen| *fen != usual).map(|fen| match variant.letters {
            // Counters stand behind the pieces and have no letters.
            true => seat.people_fen() + fen.match_indices(':').nth(2).map_or("", |(at, _)| &fen[at..]),
            false => layout.turned_fen(&fen),
        }),
    );
    out.push('\n');
    let mut words = Words::default();
    write_moves(&mut words, &record.tree, &layout, &mut *seat)?;
    // Readers that know no tag find the result here; one that is not known is a star.
    words.push(result(record.ending.as_ref(), variant));
    out.push_str(&words.text);
    out.push('\n');
    Ok(out)
}

fn push_tags(out: &mut String, record: &Record, variant: &Variant, fen: Option<String>) {
    let white = usize::from(variant.begins == Colour::Black);
    let value = |name: &str| match name {
        "White" => one_line(&record.players[white]),
        "Black" => one_line(&record.players[1 - white]),
        "Date" => date_text(&record.date),
        "Result" => result(record.ending.as_ref(), variant).to_owned(),
        "GameType" => variant.tag().unwrap_or_default(),
        name => record.tags.get(name).map(|value| one_line(value)).unwrap_or_default(),
    };
    let mut push = |name: &str, value: &str| {
        if !value.is_empty() {
            push_tag(out, name, value);
        }
    };
    FIRST.iter().for_each(|name| push(name, &value(name)));
    if variant.game_type.is_none() {
        push("Variant", &variant.key["draughts/".len()..]);
    }
    let known = |name: &str| FIRST.iter().chain(&ELSEWHERE).any(|known| known.eq_ignore_ascii_case(name));
    for (name, value) in record.tags.iter().filter(|(name, _)| !known(name)) {
        push(name, &one_line(value));
    }
    push("TimeControl", &one_line(&record.clock));
    let reason = record.ending.as_ref().map(|ending| &ending.reason).or(record.tags.get("Termination"));
    push("Termination", &one_line(reason.map_or("", String::as_str)));
    push("FEN", &fen.unwrap_or_default());
}

/// The result as this variant's players count: by two points, or by one. The first number is that of the side that
/// begins.
fn result(ending: Option<&Ending>, variant: &Variant) -> &'static str {
    let Some(ending) = ending else { return "*" };
    match (ending.score, variant.counts_two()) {
        (Score::Win(Side::First), true) => "2-0",
        (Score::Win(Side::Second), true) => "0-2",
        (Score::Win(Side::First), false) => "1-0",
        (Score::Win(Side::Second), false) => "0-1",
        (Score::Draw, true) => "1-1",
        (Score::Draw, false) => "1/2-1/2",
        // Neither side gets a point.
        (Score::Void, _) => "0-0",
    }
}

/// The parts that remain to be written. The seat is at the position where the first of them begins.
enum Task {
    /// The moves that follow this node.
    After(NodeId, ReaderState),
    /// A variation that begins with this ply.
    Variation(NodeId, ReaderState),
    Close,
}

/// The state that a reader of the moves so far has.
#[derive(Clone, Copy)]
struct ReaderState {
    /// The number of the next move.
    number: usize,
    /// Set if the number must be written although the second side is to move.
    aloud: bool,
}

fn write_moves(words: &mut Words, tree: &Tree, layout: &Layout, seat: &mut dyn Seat) -> Result<(), Problem> {
    words.push_remark(&tree[Tree::START]);
    let mut tasks = vec![Task::After(Tree::START, ReaderState { number: 1, aloud: true })];
    while let Some(task) = tasks.pop() {
        match task {
            Task::After(id, told) => {
                let Some((&main, variations)) = tree.next(id).split_first() else { continue };
                let after = words.push_ply(&tree[main], layout, seat, told)?;
                tasks.push(Task::After(main, after));
                tasks.extend(variations.iter().rev().map(|&id| Task::Variation(id, told)));
            }
            Task::Variation(id, told) => {
                let taken_back = seat.open();
                debug_assert!(taken_back, "a variation stands behind the move it may replace");
                words.push("(");
                words.glued = true;
                let after = words.push_ply(&tree[id], layout, seat, ReaderState { aloud: true, ..told })?;
                tasks.extend([Task::Close, Task::After(id, after)]);
            }
            Task::Close => {
                seat.close();
                words.glued = true;
                words.push(")");
            }
        }
    }
    Ok(())
}

/// The words of the moves, broken into lines.
#[derive(Default)]
struct Words {
    text: String,
    column: usize,
    glued: bool, // whether the next word follows without a space
}

impl Words {
    fn push(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 && !std::mem::take(&mut self.glued) {
            let fits = self.column + 1 + width <= WIDTH;
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text.push_str(word);
        self.column += width;
    }

    fn push_ply(
        &mut self,
        ply: &Ply,
        layout: &Layout,
        seat: &mut dyn Seat,
        told: ReaderState,
    ) -> Result<ReaderState, Problem> {
        let first = seat.turn() == Side::First;
        let text = seat.play_written(&ply.text).map_err(|problem| {
            Problem::new("pdn-refused").with("move", &ply.text).with("because", problem.key)
        })?;
        if first || told.aloud {
            self.push(&format!("{}{}", told.number, if first { "." } else { "..." }));
        }
        self.push(&if layout.is_plain(text.as_bytes()) { text } else { layout.turned(&text) });
        ply.nags.iter().for_each(|nag| self.push(&format!("${nag}")));
        self.push_remark(ply);
        Ok(ReaderState { number: told.number + usize::from(!first), aloud: false })
    }

    /// Writes what was said about a ply and how long it took.
    ///
    /// A remark is told as it is, over lines if it has lines. PDN cannot say a closing brace.
    fn push_remark(&mut self, ply: &Ply) {
        let time = ply.spent_ms.map(time_text).unwrap_or_default();
        let remark = ply.comment.trim().replace('}', "｝");
        let gap = if time.is_empty() || remark.is_empty() { "" } else { " " };
        let text = format!("{time}{gap}{remark}");
        if text.is_empty() {
            return;
        }
        self.push(&format!("{{{text}}}"));
    }
}
