//! The best move of the built-in engine, and its lines.

use std::time::Duration;

use engine::{Bound, Info, Level, Limits, Stop, TranspositionTable, Worth};
use kernel::{AnyGame, Problem};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Refusal;

/// The limits and the strength of a search. At least one limit must be given.
///
/// ```
/// let best: referee::Best = serde_json::from_str(r#"{"nodes": 1000, "lines": 2}"#)?;
/// assert_eq!((best.nodes, best.lines, best.level), (Some(1000), Some(2), None));
/// assert!(serde_json::from_str::<referee::Best>(r#"{"hours": 7}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Best {
    /// The most nodes to search.
    pub nodes: Option<u64>,
    /// The longest time of the search, in milliseconds, up to ten minutes.
    pub ms: Option<u64>,
    /// The greatest search depth, in plies; in locked chess in turns.
    pub depth: Option<u32>,
    /// The playing strength, from 1 to 10; 10 is the full strength of the engine.
    pub level: Option<u8>,
    /// The random seed of a level's chance.
    #[serde(default)]
    pub seed: u64,
    /// The number of best moves to report, up to 64; usually 1.
    pub lines: Option<usize>,
    /// The most threads that search; 0 is 1.
    #[serde(skip)]
    pub threads: usize,
    /// The flag that ends the search from outside.
    #[serde(skip)]
    pub stop: Stop,
}

/// The longest search for one request, in milliseconds.
const MOST_MS: u64 = 600_000;
/// The most lines of one answer.
const MOST_LINES: usize = 64;
/// The transposition table of one request, in MiB.
const MEMORY: usize = 16;

impl Best {
    fn limits(&self) -> Result<Limits, Refusal> {
        if self.nodes.is_none() && self.ms.is_none() && self.depth.is_none() && self.level.is_none() {
            return Err(Refusal::new("bad-request", Problem::new("best-without-limit")));
        }
        let level = match self.level {
            None => None,
            Some(number) => Some(Level::new(number).ok_or_else(|| {
                Refusal::new("bad-request", Problem::new("no-such-level").with("level", number))
            })?),
        };
        let lines = self.lines.unwrap_or(1);
        let ms = self.ms.unwrap_or(MOST_MS);
        if ms > MOST_MS || lines > MOST_LINES {
            let problem = Problem::new("best-too-much").with("ms", MOST_MS).with("lines", MOST_LINES);
            return Err(Refusal::new("limit", problem));
        }
        Ok(Limits {
            nodes: self.nodes,
            depth: self.depth,
            time: Some(Duration::from_millis(ms)),
            lines,
            level,
            seed: self.seed,
            threads: self.threads,
            stop: self.stop.clone(),
            ..Limits::default()
        })
    }
}

/// Returns the engine's move in `game`, with the expected line: `docs/referee.md`, "best". `null` when the game is
/// over.
///
/// ```
/// use referee::{Best, best};
///
/// let open = |fen| catalog::find("xiangqi").unwrap().open(None, &catalog::Options::new(), Some(fen)).unwrap();
/// let game = open("4k4/R8/9/9/9/9/9/9/1R7/3K5 w - - 0 1");
/// let found = best(&*game, &Best { nodes: Some(500), ..Best::default() }).unwrap();
/// assert_eq!((&found["move"], &found["win_in"]), (&"b1b9".into(), &1.into()));
/// assert_eq!(best(&*game, &Best::default()).unwrap_err().problem.key, "best-without-limit");
/// ```
///
/// # Errors
/// A missing or excessive limit, an unknown level, or a game that the engine does not play.
pub fn best(game: &dyn AnyGame, asked: &Best) -> Result<Value, Refusal> {
    let limits = asked.limits()?;
    if game.outcome().is_some() {
        return Ok(Value::Null);
    }
    let mut lines: Vec<Info> = Vec::new();
    let mut nodes = 0;
    let mut hear = |info: &Info| {
        nodes = info.nodes;
        if info.bound == Bound::Exact {
            let place = info.line - 1;
            if place < lines.len() {
                lines[place] = info.clone();
            } else {
                lines.push(info.clone());
            }
        }
    };
    let found = engine::native::think(game, &TranspositionTable::mebibytes(MEMORY), &limits, &mut hear);
    let best = found.map_err(|p| Refusal::new("bad-request", p))?;
    let mut body = Map::from_iter([("move".to_owned(), json!(best)), ("nodes".to_owned(), json!(nodes))]);
    // The move may not be that of the first line: a level chooses, and time may end amid an iteration.
    if let Some(line) = lines.iter().find(|line| line.moves.first() == Some(&best)) {
        body.extend(worth(line.worth));
        body.insert("depth".to_owned(), json!(line.depth));
    }
    body.insert("lines".to_owned(), lines.into_iter().take(limits.lines).map(line).collect());
    Ok(Value::Object(body))
}

fn line(info: Info) -> Value {
    let mut body =
        Map::from_iter([("moves".to_owned(), json!(info.moves)), ("depth".to_owned(), json!(info.depth))]);
    body.extend(worth(info.worth));
    Value::Object(body)
}

fn worth(worth: Worth) -> Option<(String, Value)> {
    Some(match worth {
        Worth::Hundredths(score) => ("score".to_owned(), json!(score)),
        Worth::Wins(plies) if plies > 0 => ("win_in".to_owned(), json!(plies)),
        Worth::Wins(plies) => ("loss_in".to_owned(), json!(-plies)),
    })
}
