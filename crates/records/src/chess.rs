//! `.chess`, the games that emacs-chess-cn saves in `~/.chess`: xiangqi.
//!
//! The program prints its list of properties with `format "%s"`, and reads it back with `read`:
//!
//! ```text
//! (game-over nil curt-side chess-cn--side-blue curt-selected-cord nil
//!  situation [[chess-cn--piece-blue-ju-1 … nil] … ten rows, Blue's first]
//!  piece-cords #s(hash-table … data (chess-cn--piece-blue-ju-1 (0 . 0) …))
//!  history ((oldcord (7 . 7) dstcord (4 . 7) killed-piece nil) … the newest first)
//!  prompt nil)
//! ```
//!
//! Earlier versions print lists for the arrays and have neither `piece-cords` nor `prompt`; some have no `history`. A
//! coordinate is a file from the left and a row from Blue's side, which is Black's. The start is found by taking the
//! history back from the position that was saved. The program keeps the history of the game before when it begins a
//! new one, so what lies before the last usual start from which all was played is not this game's.
//!
//! Either side may begin, and early versions end when a general is taken: such games are `xiangqi/free`, and those that
//! the usual rules allow are `xiangqi`.
//!
//! What is written is what the program itself would have saved after these moves; it has no place for players, remarks
//! and variations.

use std::collections::BTreeMap;
use std::fmt::Write;

use kernel::{Notation, Position, Problem, Side};
use xiangqi::Xiangqi;

use crate::lisp::{self, Value};
use crate::points::{Point, Points, move_text, opened, start_at};
use crate::record::{MOST_PLIES, by, turn_number, within};
use crate::{Ending, Ply, Record, Score, Tree};

/// The program's names of the kinds of pieces, with our letters for Black.
const KINDS: [(&str, u8); 9] = [
    ("jiang", b'k'),
    ("shuai", b'k'),
    ("shi", b'a'),
    ("xiang", b'b'),
    ("ma", b'n'),
    ("ju", b'r'),
    ("pao", b'c'),
    ("zu", b'p'),
    ("bing", b'p'),
];
/// The prefix of the program's names of sides and pieces.
const NAME: &str = "chess-cn--";
/// The starting position of this program.
const USUAL: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

/// Returns true if the text begins like such a file.
pub(crate) fn begins_like_one(text: &[u8]) -> bool {
    let names: [&[u8]; 4] = [b"game-over", b"curt-side", b"curt-selected-cord", b"situation"];
    text.strip_prefix(b"(")
        .map(<[u8]>::trim_ascii_start)
        .is_some_and(|t| names.iter().any(|n| t.starts_with(n)))
}

/// One entry of the history.
struct Step {
    from: Point,
    to: Point,
    killed: Option<u8>,
}

/// Reads a record.
///
/// ```
/// use records::{chess, pgn};
///
/// let record = pgn::read("1. h2e2 h9g7 *")?;
/// assert_eq!(chess::read(&chess::write(&record)?)?.tree, record.tree);
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `chess-…` with what does not fit, and where.
pub fn read(text: &str) -> Result<Record, Problem> {
    let saved = lisp::read(text)?;
    let mut points = situation(saved.property("situation"))?;
    let history = history(saved.property("history"))?;
    let played = take_back(&mut points, &history)?;
    let line: Vec<&Step> = history[..played].iter().rev().collect();
    let mut record = Record::default();
    let mut last = Tree::START;
    for step in &line {
        last = record.tree.add(last, Ply { text: move_text(step.from, step.to), ..Ply::default() });
    }
    let turn = match line.first() {
        Some(step) => points.owner(step.from),
        None => side(saved.property("curt-side")),
    };
    let turn = turn.unwrap_or(Side::First);
    let fen = points.fen(turn);
    let allowed = |game: &str| -> Option<Xiangqi> {
        let mut pos = opened(game, Some(&fen)).ok()?;
        for step in &line {
            let m = pos.read_move(&move_text(step.from, step.to))?;
            pos.play(m);
        }
        Some(pos)
    };
    start_at(&mut record, &fen)?;
    let end = if record.game == "xiangqi" { allowed("xiangqi") } else { None };
    if end.is_none() {
        record.game = "xiangqi/free".to_owned();
    }
    if saved.property("game-over").and_then(Value::word) == Some("t") && !line.is_empty() {
        let winner = if line.len() % 2 == 1 { turn } else { turn.other() };
        let reason = end.and_then(|pos| pos.outcome()).filter(|outcome| outcome.winner() == Some(winner));
        let reason = reason.map(|outcome| outcome.reason().to_owned()).unwrap_or_default();
        record.ending = Some(Ending { score: Score::Win(winner), reason });
    }
    Ok(record)
}

fn side(value: Option<&Value>) -> Option<Side> {
    match value?.word()? {
        name if name.ends_with("side-red") => Some(Side::First),
        name if name.ends_with("side-blue") => Some(Side::Second),
        _ => None,
    }
}

fn situation(value: Option<&Value>) -> Result<Points, Problem> {
    let rows = value.and_then(Value::list).filter(|rows| rows.len() == 10);
    let rows = rows.ok_or_else(|| Problem::new("chess-situation"))?;
    let mut points = Points::empty();
    for (y, row) in (0..).zip(rows) {
        let row = row.list().filter(|row| row.len() == 9);
        let row = row.ok_or_else(|| Problem::new("chess-row").with("row", y + 1))?;
        for (x, value) in (0..).zip(row) {
            let at = Point::new(x, y).expect("ten rows of nine");
            points.put(at, piece(value)?);
        }
    }
    Ok(points)
}

/// The FEN letter of a name such as `chess-cn--piece-red-ju-1`; `None` for `nil`.
fn piece(value: &Value) -> Result<Option<u8>, Problem> {
    let wrong = |found: &str| Problem::new("chess-piece").with("found", found);
    let name = value.word().ok_or_else(|| wrong("("))?;
    if name == "nil" {
        return Ok(None);
    }
    let mut words = name.rsplit_once("piece-").map_or("", |(_, name)| name).split('-');
    let red = match words.next() {
        Some("red") => true,
        Some("blue") => false,
        _ => return Err(wrong(name)),
    };
    let kind = words.next().and_then(|word| KINDS.iter().find(|(kind, _)| *kind == word));
    let (_, letter) = kind.ok_or_else(|| wrong(name))?;
    Ok(Some(if red { letter.to_ascii_uppercase() } else { *letter }))
}

/// The steps, the newest first.
fn history(value: Option<&Value>) -> Result<Vec<Step>, Problem> {
    let steps = value.map_or(Some(&[][..]), Value::list).ok_or_else(|| Problem::new("chess-history"))?;
    within("plies", steps.len(), MOST_PLIES)?;
    let wrong = |back: usize| Problem::new("chess-step").with("back", back);
    let step = |(back, value): (usize, &Value)| {
        let at = |name| value.property(name).and_then(coordinate).ok_or_else(|| wrong(back));
        let killed = value.property("killed-piece").map_or(Ok(None), piece)?;
        Ok(Step { from: at("oldcord")?, to: at("dstcord")?, killed })
    };
    (1..).zip(steps).map(step).collect()
}

fn coordinate(value: &Value) -> Option<Point> {
    let [x, y] = value.list()? else { return None };
    Point::new(x.word()?.parse().ok()?, y.word()?.parse().ok()?)
}

/// Takes the history back as far as it belongs to this game; `points` becomes the start. Returns the number of steps
/// taken back.
fn take_back(points: &mut Points, history: &[Step]) -> Result<usize, Problem> {
    let mut now = points.clone();
    let mut usual = is_usual(&now).then(|| (0, now.clone()));
    let mut mover = None; // of the step that was taken back last
    for (taken, step) in history.iter().enumerate() {
        let owner = now.owner(step.to);
        let fits = owner.is_some() && owner != mover && now.at(step.from).is_none();
        if !fits {
            let (played, start) = usual.ok_or_else(|| Problem::new("chess-step").with("back", taken + 1))?;
            *points = start;
            return Ok(played);
        }
        mover = owner;
        now.put(step.from, now.at(step.to));
        now.put(step.to, step.killed);
        if is_usual(&now) {
            usual = Some((taken + 1, now.clone()));
        }
    }
    // A game that was resumed from a file may begin anywhere; one that went through the usual start began there.
    let (played, start) = usual.unwrap_or((history.len(), now));
    *points = start;
    Ok(played)
}

fn is_usual(points: &Points) -> bool {
    points.fen(Side::First).starts_with(USUAL)
}

/// Writes the main line.
///
/// ```
/// use records::{chess, pgn};
///
/// let text = chess::write(&pgn::read("1. h2e2 *")?)?;
/// assert!(text.starts_with("(game-over nil"));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `chess-not-xiangqi` when it is another game, `record-move-refused` when a move of it is none.
pub fn write(record: &Record) -> Result<String, Problem> {
    if !matches!(record.game.as_str(), "xiangqi" | "xiangqi/free") {
        return Err(Problem::new("chess-not-xiangqi").with("game", &record.game));
    }
    let mut pos = opened(&record.game, record.start.as_deref())?;
    let mut pieces = named(&pos.fen())?;
    let mut history = Vec::new();
    for (plies, id) in record.tree.main_line().enumerate() {
        let text = &record.tree[id].text;
        let refused = || {
            let turn = turn_number(plies, pos.turn());
            let problem = Problem::new("record-move-refused").with("turn", turn).with("by", by(pos.turn()));
            problem.with("move", text).with("because", pos.refusal(text).key)
        };
        let m = pos.read_move(text).ok_or_else(refused)?;
        let &[from, to] = pos.path(m).as_slice() else { return Err(refused()) };
        let killed = pieces.iter_mut().find(|(_, at)| **at == Some(to)).map(|(name, at)| {
            *at = None;
            name.clone()
        });
        if let Some((_, at)) = pieces.iter_mut().find(|(_, at)| **at == Some(from)) {
            *at = Some(to);
        }
        let killed = killed.as_deref().unwrap_or("nil");
        history.push(format!("(oldcord {} dstcord {} killed-piece {killed})", cord(from), cord(to)));
        pos.play(m);
    }
    let won = record.ending.as_ref().is_some_and(|ending| matches!(ending.score, Score::Win(_)));
    Ok(printed(&pieces, &history, won || pos.outcome().is_some(), pos.turn()))
}

/// Each piece by the program's name for it, such as `chess-cn--piece-red-ju-1`, and the cell it stands on.
fn named(fen: &str) -> Result<BTreeMap<String, Option<u16>>, Problem> {
    let board = fen.split(' ').next().unwrap_or_default();
    let mut pieces = BTreeMap::new();
    let mut counts: BTreeMap<char, u32> = BTreeMap::new();
    let mut cell = 0;
    for c in board.chars().filter(|c| *c != '/') {
        if let Some(run) = c.to_digit(10) {
            cell += run as u16;
            continue;
        }
        let count = counts.entry(c).or_default();
        *count += 1;
        let red = c.is_ascii_uppercase();
        let kind = match (c.to_ascii_lowercase(), red) {
            ('k', true) => "shuai",
            ('k', false) => "jiang",
            ('p', true) => "bing",
            ('p', false) => "zu",
            (letter, _) => {
                KINDS.iter().find(|(_, of)| char::from(*of) == letter).map_or("ju", |(kind, _)| kind)
            }
        };
        let number = if kind == "shuai" || kind == "jiang" { String::new() } else { format!("-{count}") };
        let side = if red { "red" } else { "blue" };
        pieces.insert(format!("{NAME}piece-{side}-{kind}{number}"), Some(cell));
        cell += 1;
    }
    Ok(pieces)
}

/// A coordinate as a pair: the file from the left, the row from Blue's side.
fn cord(cell: u16) -> String {
    format!("({} . {})", cell % 9, cell / 9)
}

/// The list of properties, as `format "%s"` prints it.
fn printed(pieces: &BTreeMap<String, Option<u16>>, history: &[String], over: bool, turn: Side) -> String {
    let side = if turn == Side::First { "red" } else { "blue" };
    let mut out = format!("(game-over {} curt-side {NAME}side-{side}", if over { "t" } else { "nil" });
    out += " curt-selected-cord nil situation [";
    for row in 0..10 {
        let standing = |cell: u16| pieces.iter().find(|(_, at)| **at == Some(cell));
        let names =
            (row * 9..row * 9 + 9).map(|cell| standing(cell).map_or("nil", |(name, _)| name.as_str()));
        let names: Vec<&str> = names.collect();
        let _ = write!(out, "{}[{}]", if row == 0 { "" } else { " " }, names.join(" "));
    }
    out += "] piece-cords #s(hash-table size 65 test eq rehash-size 1.5 rehash-threshold 0.8125 data (";
    let cords: Vec<String> = pieces
        .iter()
        .map(|(name, at)| format!("{name} {}", at.map_or_else(|| "nil".to_owned(), cord)))
        .collect();
    out += &cords.join(" ");
    let newest: Vec<&str> = history.iter().rev().map(String::as_str).collect();
    let history = if newest.is_empty() { "nil".to_owned() } else { format!("({})", newest.join(" ")) };
    let _ = write!(out, ")) history {history} prompt nil)");
    out
}
