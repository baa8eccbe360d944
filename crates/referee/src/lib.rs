//! The rules of every game as lines of JSON. The contract is `docs/referee.md`.
//!
//! One request a line, one answer a line, in order; no state is kept between two requests, and no request can end the
//! process.

mod best;

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;

use catalog::maps::{Loader, Package, Rules};
use kernel::{AnyGame, Fact, Outcome, PlayError, Problem, Side};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub use best::{Best, best};

/// The most bytes of a request.
const LONGEST_LINE: usize = 1 << 20;
/// The most moves of a request.
const MOST_MOVES: usize = 20_000;
/// The most plies that are counted for one request, all depths together, as estimated from the counts of the depths
/// before.
const MOST_PLIES: f64 = 2e10;
/// The greatest depth: each ply of a path takes some stack, and a game may have one move at every ply.
const MOST_DEPTH: u32 = 1000;

/// A request to the referee, one line of its input.
#[derive(Deserialize)]
struct Request {
    game: Option<String>,
    /// The path of a map, for games that come with one.
    map: Option<std::path::PathBuf>,
    /// Paths of its extensions, in order.
    #[serde(default)]
    extensions: Vec<std::path::PathBuf>,
    #[serde(default)]
    options: BTreeMap<String, i64>,
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    ask: Option<Vec<String>>,
    #[serde(default)]
    every_ply: bool,
    perft: Option<u32>,
    best: Option<Best>,
}

/// The reason why a request has no answer.
///
/// ```
/// use referee::{Best, best};
///
/// let game = catalog::find("locked").unwrap().open(None, &catalog::Options::new(), None).unwrap();
/// let refusal = best(&*game, &Best { level: Some(11), ..Best::default() }).unwrap_err();
/// assert_eq!((refusal.kind, refusal.problem.key), ("bad-request", "no-such-level"));
/// ```
#[derive(Debug)]
pub struct Refusal {
    /// One of the kinds of `docs/referee.md`.
    pub kind: &'static str,
    /// The index of the move that it is about, from 0.
    pub at: Option<usize>,
    /// The problem that was found.
    pub problem: Problem,
    /// The parts of the answer that are known all the same.
    told: Map<String, Value>,
}

impl Refusal {
    fn new(kind: &'static str, problem: Problem) -> Refusal {
        Refusal { kind, at: None, problem, told: Map::new() }
    }
}

/// The fields that may be asked for each position.
const QUESTIONS: &[&str] = &["fen", "turn", "moves", "outcome", "texts", "view", "forbidden", "facts"];
/// The fields that are answered when none is named.
const USUAL: &[&str] = &["fen", "turn", "moves", "outcome"];

/// Answers requests line by line until the input ends. `loader` runs the extensions of users' games; without one,
/// requests with extensions are refused.
///
/// ```
/// let input = concat!(
///     r#"{"id": 1, "game": "gomoku/standard", "moves": ["h8"], "ask": ["turn"]}"#, "\n",
///     r#"{"id": 2, "game": "chess"}"#, "\n",
/// );
/// let mut output = Vec::new();
/// referee::serve(input.as_bytes(), &mut output, None)?;
/// let text = String::from_utf8_lossy(&output);
/// let answers: Vec<&str> = text.lines().collect();
/// assert_eq!(answers[0], r#"{"id":1,"turn":"second"}"#);
/// assert!(answers[1].contains(r#""kind":"unknown-game""#));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Fails when input or output break.
pub fn serve(
    mut input: impl BufRead,
    mut output: impl Write,
    loader: Option<&dyn Loader>,
) -> std::io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if !read_line(&mut input, &mut line)? {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            continue;
        }
        writeln!(output, "{}", answer(&text, loader))?;
        output.flush()?;
    }
}

/// Reads a line of bounded length; a longer one is skipped, and refused by [`answer`] for its length.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    let mut any = false;
    loop {
        let part = input.fill_buf()?;
        if part.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = part.iter().position(|&b| b == b'\n');
        let taken = end.map_or(part.len(), |at| at + 1);
        let room = (LONGEST_LINE + 1).saturating_sub(line.len());
        line.extend_from_slice(&part[..end.unwrap_or(part.len()).min(room)]);
        input.consume(taken);
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// Answers one request, both as a line of JSON.
///
/// ```
/// let request = r#"{"game": "xiangqi", "moves": ["h2e2", "h9g7"], "ask": ["fen"]}"#;
/// let fen = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2";
/// assert_eq!(referee::answer(request, None), format!(r#"{{"fen":"{fen}"}}"#));
/// let refused = referee::answer(r#"{"game": "xiangqi", "moves": ["h2e2", "h9h8"]}"#, None);
/// assert!(refused.contains(r#""at":1,"kind":"illegal-move""#), "{refused}");
/// ```
#[must_use]
pub fn answer(line: &str, loader: Option<&dyn Loader>) -> String {
    let (id, result) = match object(line) {
        Err(refusal) => (None, Err(refusal)),
        Ok(mut fields) => (fields.remove("id"), request(fields).and_then(|request| judge(&request, loader))),
    };
    let mut body = result.unwrap_or_else(|refusal| {
        let message = texts::problem(texts::Language::English, &refusal.problem);
        let mut error = json!({"kind": refusal.kind, "message": message});
        if let Some(at) = refusal.at {
            error["at"] = json!(at);
        }
        let mut told = refusal.told;
        told.insert("error".to_owned(), error);
        told
    });
    if let Some(id) = id {
        body.insert("id".to_owned(), id);
    }
    Value::Object(body).to_string()
}

/// Reads the fields of a request first, so that the answer carries the `id` whatever else is wrong.
fn object(line: &str) -> Result<Map<String, Value>, Refusal> {
    if line.len() > LONGEST_LINE {
        return Err(Refusal::new("limit", Problem::new("line-too-long").with("limit", LONGEST_LINE)));
    }
    serde_json::from_str(line).map_err(bad_json)
}

fn request(fields: Map<String, Value>) -> Result<Request, Refusal> {
    serde_json::from_value(Value::Object(fields)).map_err(bad_json)
}

fn bad_json(error: serde_json::Error) -> Refusal {
    Refusal::new("bad-request", Problem::new("bad-json").with("detail", error))
}

fn judge(request: &Request, loader: Option<&dyn Loader>) -> Result<Map<String, Value>, Refusal> {
    let missing = || Refusal::new("bad-request", Problem::new("missing-field").with("field", "game"));
    let key = request.game.as_deref().ok_or_else(missing)?;
    if request.moves.len() > MOST_MOVES {
        return Err(Refusal::new("limit", Problem::new("too-many-moves").with("limit", MOST_MOVES)));
    }
    let asked = asked(request)?;
    let mut game = opened(key, request, loader)?;
    let mut plies = Vec::new();
    for (at, text) in request.moves.iter().enumerate() {
        if request.every_ply {
            plies.push(Value::Object(about(game.as_ref(), &asked)));
        }
        game.play(text).map_err(|e| illegal(at, e))?;
    }
    let mut body = if request.every_ply {
        plies.push(Value::Object(about(game.as_ref(), &asked)));
        Map::from_iter([("plies".to_owned(), Value::Array(plies))])
    } else if request.perft.is_some() && request.ask.is_none() {
        Map::new()
    } else {
        about(game.as_ref(), &asked)
    };
    if let Some(depth) = request.perft {
        body.insert("perft".to_owned(), json!(perft(game.as_ref(), depth, 1, || true)?));
    }
    if let Some(asked) = &request.best {
        body.insert("best".to_owned(), best(game.as_ref(), asked)?);
    }
    Ok(body)
}

/// Opens a game of the catalogue at its start, with the map of the request.
fn opened(key: &str, request: &Request, loader: Option<&dyn Loader>) -> Result<Box<dyn AnyGame>, Refusal> {
    let entry = catalog::find(key).map_err(|p| Refusal::new("unknown-game", p))?;
    let settled = entry.settle(&request.options, catalog::Setting::Faithful);
    let options = settled.map_err(|p| Refusal::new("bad-request", p))?;
    let map = request.map.as_ref().map(|path| map(path, request, &options, loader)).transpose()?;
    // Options that are fine each alone may not fit together: an opening and the size of a board.
    let kind = if request.fen.is_some() { "bad-fen" } else { "bad-request" };
    entry.open(map.as_ref(), &options, request.fen.as_deref()).map_err(|p| {
        let mut refusal = Refusal::new(kind, p);
        refusal.told = names(entry, &options, request);
        refusal
    })
}

/// Loads the map at a path with its extensions.
fn map(
    path: &Path,
    request: &Request,
    options: &catalog::Options,
    loader: Option<&dyn Loader>,
) -> Result<Rules, Refusal> {
    let refused = |problem: Problem| {
        let kind = if problem.key.starts_with("map-extension") { "bad-extension" } else { "bad-map" };
        Refusal::new(kind, problem)
    };
    let package = Package::of_files(path, &request.extensions).map_err(refused)?;
    Rules::load(&package, options, loader)
        .map_err(|problems| refused(problems.into_iter().next().expect("a refusal has a reason")))
}

/// Returns the names of the moves on a board that only books show, when they are asked for: it is refused as a
/// position, but its moves have names.
fn names(entry: &catalog::Entry, options: &catalog::Options, request: &Request) -> Map<String, Value> {
    let asked = request.ask.iter().flatten().any(|question| question == "texts");
    let start = entry.open(None, options, None).ok().filter(|_| asked);
    let (Some(fen), Some(start)) = (&request.fen, start) else { return Map::new() };
    let texts = start.diagram_texts(fen);
    if texts.is_empty() { Map::new() } else { Map::from_iter([("texts".to_owned(), written(texts))]) }
}

/// Returns every move with its names.
fn written(texts: Vec<(String, Vec<(&'static str, String)>)>) -> Value {
    named(texts.into_iter().map(|(text, names)| {
        (text, named(names.into_iter().map(|(name, value)| (name.to_owned(), json!(value)))))
    }))
}

fn asked(request: &Request) -> Result<Vec<&str>, Refusal> {
    let Some(asked) = &request.ask else { return Ok(USUAL.to_vec()) };
    match asked.iter().find(|q| !QUESTIONS.contains(&q.as_str())) {
        None => Ok(asked.iter().map(String::as_str).collect()),
        Some(q) => {
            let problem =
                Problem::new("unknown-question").with("question", q).with("known", QUESTIONS.join(", "));
            Err(Refusal::new("bad-request", problem))
        }
    }
}

fn illegal(at: usize, error: PlayError) -> Refusal {
    let kind = if matches!(error, PlayError::GameOver(_)) { "game-over" } else { "illegal-move" };
    Refusal { kind, at: Some(at), problem: error.problem(), told: Map::new() }
}

/// Counts the move paths of length `depth` with `threads` threads, depth by depth, so that a request for too much is
/// refused after little. `go_on` is asked between parts of the work; `None` when it said no.
///
/// ```
/// use catalog::Options;
///
/// let game = catalog::find("locked").unwrap().open(None, &Options::new(), None).unwrap();
/// assert_eq!(referee::perft(&*game, 5, 1, || true).unwrap(), Some(192));
/// assert_eq!(referee::perft(&*game, 5, 1, || false).unwrap(), None);
/// ```
///
/// # Errors
/// `perft-too-deep`.
pub fn perft(
    game: &dyn AnyGame,
    depth: u32,
    threads: usize,
    mut go_on: impl FnMut() -> bool,
) -> Result<Option<u64>, Refusal> {
    let (mut before, mut now) = (1, 1);
    // Counting to a depth goes through all the plies before it: what has few paths may have many plies.
    let (mut above, mut done) = (0.0, 0.0);
    for reached in 1..=depth {
        let growth = (now as f64 / f64::max(before as f64, 1.0)).max(1.0) * 2.0;
        if reached > MOST_DEPTH || done + above + now as f64 * growth > MOST_PLIES {
            let problem = Problem::new("perft-too-deep").with("depth", depth).with("counted", reached - 1);
            return Err(Refusal::new("limit", problem));
        }
        if now == 0 {
            return Ok(Some(0));
        }
        before = now;
        let Some(counted) = counted(game, reached, threads, &mut go_on) else { return Ok(None) };
        now = counted;
        above += now as f64;
        done += above;
    }
    Ok(Some(now))
}

/// Counts the paths of a deep perft move by move at the root, so that the count can be stopped.
fn counted(game: &dyn AnyGame, depth: u32, threads: usize, go_on: &mut impl FnMut() -> bool) -> Option<u64> {
    if depth < 4 {
        return go_on().then(|| game.perft(depth, threads));
    }
    let mut game = game.boxed_clone();
    game.play_past_draws(true);
    let mut nodes = 0;
    for text in game.moves() {
        if !go_on() {
            return None;
        }
        if game.play(&text).is_ok() {
            nodes += game.perft(depth - 1, threads);
            game.undo();
        }
    }
    Some(nodes)
}

fn about(game: &dyn AnyGame, asked: &[&str]) -> Map<String, Value> {
    let answer = |question: &str| match question {
        "fen" => json!(game.fen()),
        "turn" => json!(side(game.turn())),
        "moves" => json!(game.moves()),
        "outcome" => game.outcome().map_or(Value::Null, outcome),
        "texts" => written(game.texts()),
        "view" => {
            json!({"board": game.board(), "position": game.view()})
        }
        "forbidden" => named(game.forbidden().into_iter().map(|(text, reason)| (text, json!(reason)))),
        "facts" => named(game.facts().into_iter().map(|(name, value)| (name.to_owned(), fact(value)))),
        _ => unreachable!("questions were checked"),
    };
    asked.iter().map(|question| ((*question).to_owned(), answer(question))).collect()
}

fn named(pairs: impl Iterator<Item = (String, Value)>) -> Value {
    Value::Object(pairs.collect())
}

fn side(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

fn outcome(outcome: Outcome) -> Value {
    json!({"winner": outcome.winner().map(side), "reason": outcome.reason()})
}

fn fact(value: Fact) -> Value {
    match value {
        Fact::Flag(b) => json!(b),
        Fact::Count(n) => json!(n),
        Fact::Text(text) => json!(text),
        Fact::List(list) => Value::Array(list.into_iter().map(fact).collect()),
        Fact::Named(pairs) => named(pairs.into_iter().map(|(name, value)| (name, fact(value)))),
    }
}
