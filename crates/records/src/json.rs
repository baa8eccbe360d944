//! Our own format: everything a record holds, as JSON.
//!
//! ```json
//! {"format": "qiguan-record", "version": 1, "game": "gomoku/standard",
//!  "players": {"first": "Wu", "second": "Xiao"}, "result": {"score": "first", "reason": "resign"},
//!  "tags": {"Event": "Spring cup"},
//! "moves": ["h8", {"move": "i9", "spent_ms": 1200, "comment": "too far", "nags": [2]}, "j10", {"move": "i8",
//! "after": 1}]}
//! ```
//!
//! `moves` is flat whatever the tree: a ply follows the one written before it, unless `after` gives the number of
//! another, counted from 1; 0 is the start. The plies of one turn stand in a list of their own:
//! `[["u", "l", "d4", "d", "r"], …]`. Unknown fields are ignored.
//!
//! A game that comes with a map carries it whole: `"map": {"id": "…", "name": "…", "xlsx": "<Base64>", "extensions":
//! [{"file": "a.py", "text": "…"}]}`; an extension that is not UTF-8 has `base64` instead of `text`.

use std::collections::{BTreeMap, HashMap, HashSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kernel::Problem;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::record::{MOST_PLIES, within};
use crate::{Ending, Files, MapOf, NodeId, Ply, Record, Score, Source, Tree};

const FORMAT: &str = "qiguan-record";
const VERSION: u64 = 1;

/// The file, but for its moves, which [`Moves`] reads one by one to say where one is wrong.
#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u64,
    game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    map: Option<Map>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    options: BTreeMap<String, i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(default)]
    players: Players,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<Outcome>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    clock: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    date: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    tags: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default)]
    moves: Vec<Value>,
}

/// A map and its files.
#[derive(Serialize, Deserialize)]
struct Map {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    id: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    xlsx: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    extensions: Vec<Extension>,
}

#[derive(Serialize, Deserialize)]
struct Extension {
    file: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

#[derive(Serialize, Deserialize, Default)]
struct Players {
    #[serde(default)]
    first: String,
    #[serde(default)]
    second: String,
}

#[derive(Serialize, Deserialize)]
struct Outcome {
    score: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    reason: String,
}

/// One ply with something to say about it; a plain one is only a text.
#[derive(Serialize, Deserialize, Default)]
struct Move {
    #[serde(rename = "move")]
    text: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spent_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
    /// Said outright only where a variation begins in the middle of a turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    same_turn: bool,
}

/// Reads a record.
///
/// ```
/// use records::json;
///
/// let record = json::read(
///     r#"{"format": "qiguan-record", "version": 1, "game": "gomoku/standard", "moves": ["h8", "i9"]}"#,
/// )?;
/// assert_eq!((record.game.as_str(), record.tree.plies()), ("gomoku/standard", 2));
/// assert!(json::read("{}").is_err());
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `record-json` with line and column, `record-json-base64`, `record-json-format`, `record-json-version`,
/// `record-json-score`, and for a ply `record-json-move` or `record-json-after` with its number.
pub fn read(text: &str) -> Result<Record, Problem> {
    let file: File = serde_json::from_str(text).map_err(json_problem)?;
    if file.format != FORMAT {
        return Err(Problem::new("record-json-format").with("found", file.format).with("expected", FORMAT));
    }
    if file.version != VERSION {
        return Err(Problem::new("record-json-version")
            .with("found", file.version)
            .with("expected", VERSION));
    }
    let mut moves = Moves { tree: Tree::default(), ids: vec![Tree::START] };
    moves.tree[Tree::START].comment = file.comment;
    for value in file.moves {
        moves.read_turn(value)?;
    }
    Ok(Record {
        game: file.game,
        map: file.map.map(read_map).transpose()?,
        options: file.options,
        start: file.start,
        players: [file.players.first, file.players.second],
        ending: file.result.map(read_ending).transpose()?,
        clock: file.clock,
        date: file.date,
        tags: file.tags,
        tree: moves.tree,
    })
}

/// Writes a record.
///
/// ```
/// use records::{json, pos};
///
/// let record = pos::read("h8i9")?;
/// assert_eq!(json::read(&json::write(&record))?, record);
/// # Ok::<(), kernel::Problem>(())
/// ```
#[must_use]
pub fn write(record: &Record) -> String {
    let ending = record.ending.as_ref();
    let file = File {
        format: FORMAT.to_owned(),
        version: VERSION,
        game: record.game.clone(),
        map: record.map.as_ref().map(write_map),
        options: record.options.clone(),
        start: record.start.clone(),
        players: Players { first: record.players[0].clone(), second: record.players[1].clone() },
        result: ending.map(|e| Outcome { score: e.score.key().to_owned(), reason: e.reason.clone() }),
        clock: record.clock.clone(),
        date: record.date.clone(),
        tags: record.tags.clone(),
        comment: record.tree[Tree::START].comment.clone(),
        moves: write_moves(&record.tree),
    };
    serde_json::to_string(&file).expect("texts and numbers have JSON") + "\n"
}

fn json_problem(e: serde_json::Error) -> Problem {
    Problem::new("record-json").with("line", e.line()).with("column", e.column()).with("detail", e)
}

fn read_map(map: Map) -> Result<MapOf, Problem> {
    let bytes = |text: &str| {
        STANDARD.decode(text).map_err(|why| Problem::new("record-json-base64").with("detail", why))
    };
    let source = |extension: Extension| {
        let from = extension.base64.as_deref().map(bytes).transpose()?;
        let bytes = from.unwrap_or_else(|| extension.text.unwrap_or_default().into_bytes());
        Ok(Source { file: extension.file, bytes })
    };
    let extensions = map.extensions.into_iter().map(source).collect::<Result<_, Problem>>()?;
    let xlsx = map.xlsx.as_deref().map(bytes).transpose()?;
    Ok(MapOf { id: map.id, name: map.name, files: xlsx.map(|map| Files { map, extensions }) })
}

fn write_map(map: &MapOf) -> Map {
    let extension = |source: &Source| {
        let text = std::str::from_utf8(&source.bytes).ok().map(str::to_owned);
        let base64 = if text.is_none() { Some(STANDARD.encode(&source.bytes)) } else { None };
        Extension { file: source.file.clone(), text, base64 }
    };
    let extensions = map.files.iter().flat_map(|files| &files.extensions).map(extension).collect();
    let xlsx = map.files.as_ref().map(|files| STANDARD.encode(&files.map));
    Map { id: map.id.clone(), name: map.name.clone(), xlsx, extensions }
}

fn read_ending(outcome: Outcome) -> Result<Ending, Problem> {
    let score = Score::keyed(&outcome.score)
        .ok_or_else(|| Problem::new("record-json-score").with("found", &outcome.score))?;
    Ok(Ending { score, reason: outcome.reason })
}

/// The tree as it grows.
struct Moves {
    tree: Tree,
    ids: Vec<NodeId>, // by number; never empty
}

impl Moves {
    fn read_turn(&mut self, value: Value) -> Result<(), Problem> {
        let Value::Array(plies) = value else { return self.read_ply(value, false) };
        for (i, ply) in plies.into_iter().enumerate() {
            self.read_ply(ply, i > 0)?;
        }
        Ok(())
    }

    fn read_ply(&mut self, value: Value, same_turn: bool) -> Result<(), Problem> {
        let number = self.ids.len();
        within("plies", number, MOST_PLIES)?;
        let one = match value {
            Value::String(text) => Move { text, same_turn, ..Move::default() },
            value => serde_json::from_value(value)
                .map_err(|e| Problem::new("record-json-move").with("number", number).with("detail", e))?,
        };
        let after = one.after.unwrap_or(number - 1);
        let parent = *self
            .ids
            .get(after)
            .ok_or_else(|| Problem::new("record-json-after").with("number", number).with("found", after))?;
        let same_turn = same_turn || one.same_turn;
        let mut ply = Ply { text: one.text, same_turn, comment: one.comment, ..Ply::default() };
        ply.spent_ms = one.spent_ms;
        one.nags.into_iter().for_each(|nag| ply.judge(nag));
        self.ids.push(self.tree.add(parent, ply));
        Ok(())
    }
}

fn write_moves(tree: &Tree) -> Vec<Value> {
    let mut numbers = HashMap::from([(Tree::START, 0)]);
    let mut turns: Vec<Value> = Vec::new();
    let mut last = Tree::START;
    let main: HashSet<NodeId> = tree.main_line().collect();
    for (number, id) in (1..).zip(tree.in_order()) {
        numbers.insert(id, number);
        let before = tree.before(id).expect("only the start has nothing before it");
        let follows = before == last;
        last = id;
        let joins = follows && tree[id].same_turn;
        // Outside the main line each ply names the ply it follows, so that it is not taken for one of the
        // main line.
        let aside = !follows || (!joins && !main.contains(&id));
        let ply = write_ply(&tree[id], aside.then(|| numbers[&before]), joins);
        match turns.last_mut() {
            Some(Value::Array(turn)) if joins => turn.push(ply),
            Some(first) if joins => *first = json!([first.take(), ply]),
            _ => turns.push(ply),
        }
    }
    turns
}

fn write_ply(ply: &Ply, after: Option<usize>, joins: bool) -> Value {
    let same_turn = ply.same_turn && !joins;
    let plain = ply.comment.is_empty() && ply.spent_ms.is_none() && ply.nags.is_empty();
    if plain && after.is_none() && !same_turn {
        return Value::String(ply.text.clone());
    }
    let full = Move {
        text: ply.text.clone(),
        comment: ply.comment.clone(),
        spent_ms: ply.spent_ms,
        after,
        nags: ply.nags.clone(),
        same_turn,
    };
    serde_json::to_value(full).expect("texts and numbers have JSON")
}
