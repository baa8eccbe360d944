//! Index of patterns: for each piece on each cell the games in which it stood there, with the plies.
//!
//! Each run has a list for every piece on every cell: games by rising number, each with the plies between which the
//! piece stood there. A pattern is found by intersecting the lists of its pieces: that is exact, and no game is played.

use kernel::Problem;
use rusqlite::{Connection, OptionalExtension, params};

use crate::fault;
use crate::runs::Hit;
use crate::varint::{Numbers, put};

/// A span of a game, before the spans are sorted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Raw {
    pub feature: u64,
    pub game: u32,
    pub from: u32,
    pub to: u32,
}

/// A range of plies of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stretch {
    game: u32,
    from: u32,
    to: u32,
}

/// Encodes a list: its last game, then steps between games, first plies and lengths.
fn encoded(spans: &[Raw]) -> Vec<u8> {
    let mut out = Vec::with_capacity(spans.len() * 4 + 8);
    put(&mut out, u64::from(spans.last().map_or(0, |span| span.game)));
    let mut before = 0;
    for span in spans {
        put(&mut out, u64::from(span.game - before));
        put(&mut out, u64::from(span.from));
        put(&mut out, u64::from(span.to - span.from));
        before = span.game;
    }
    out
}

fn decoded(bytes: &[u8]) -> impl Iterator<Item = Stretch> {
    let mut numbers = Numbers::new(bytes);
    numbers.next();
    let mut game = 0_u32;
    std::iter::from_fn(move || {
        game = game.wrapping_add(numbers.next()? as u32);
        let from = numbers.next()? as u32;
        Some(Stretch { game, from, to: from.wrapping_add(numbers.next()? as u32) })
    })
}

/// Writes the lists of a run, from what an import gathered.
pub(crate) fn write(connection: &Connection, run: i64, raw: &mut [Raw]) -> Result<(), Problem> {
    raw.sort_unstable();
    let mut insert = connection
        .prepare_cached("INSERT INTO spans (run, feature, data) VALUES (?1, ?2, ?3)")
        .map_err(fault)?;
    for same in raw.chunk_by(|a, b| a.feature == b.feature) {
        insert.execute(params![run, same[0].feature as i64, encoded(same)]).map_err(fault)?;
    }
    Ok(())
}

/// Merges the lists of runs, which are given from the oldest games to the newest; the old lists stay.
pub(crate) fn merge(connection: &Connection, old: &[i64], new: i64) -> Result<(), Problem> {
    let marks: Vec<String> = old.iter().map(i64::to_string).collect();
    let features: Vec<i64> = connection
        .prepare(&format!("SELECT DISTINCT feature FROM spans WHERE run IN ({})", marks.join(",")))
        .and_then(|mut read| read.query_map([], |row| row.get(0))?.collect())
        .map_err(fault)?;
    let mut insert = connection
        .prepare_cached("INSERT INTO spans (run, feature, data) VALUES (?1, ?2, ?3)")
        .map_err(fault)?;
    for feature in features {
        let (mut last, mut list) = (0_u64, Vec::new());
        for &run in old {
            let Some(bytes) = of_run(connection, run, feature as u64)? else { continue };
            let mut numbers = Numbers::new(&bytes);
            let (Some(its_last), Some(first)) = (numbers.next(), numbers.next()) else { continue };
            put(&mut list, first - last);
            list.extend_from_slice(numbers.rest());
            last = its_last;
        }
        let mut whole = Vec::with_capacity(list.len() + 8);
        put(&mut whole, last);
        whole.append(&mut list);
        insert.execute(params![new, feature, whole]).map_err(fault)?;
    }
    Ok(())
}

fn of_run(connection: &Connection, run: i64, feature: u64) -> Result<Option<Vec<u8>>, Problem> {
    connection
        .prepare_cached("SELECT data FROM spans WHERE run = ?1 AND feature = ?2")
        .and_then(|mut read| read.query_row([run, feature as i64], |row| row.get(0)).optional())
        .map_err(fault)
}

/// Returns the games of a run in which all these pieces stood at once, each with the first ply at which they did.
pub(crate) fn games(connection: &Connection, run: i64, features: &[u64]) -> Result<Vec<Hit>, Problem> {
    let mut lists = Vec::with_capacity(features.len());
    for &feature in features {
        let Some(bytes) = of_run(connection, run, feature)? else { return Ok(Vec::new()) };
        lists.push(bytes);
    }
    // The shortest list first: the others only take away from it.
    lists.sort_by_key(Vec::len);
    let mut lists = lists.iter();
    let mut left: Vec<Stretch> = lists.next().map(|list| decoded(list).collect()).unwrap_or_default();
    for list in lists {
        left = both(&left, decoded(list));
        if left.is_empty() {
            return Ok(Vec::new());
        }
    }
    let mut hits: Vec<Hit> = Vec::with_capacity(left.len());
    for stretch in left {
        match hits.last_mut() {
            Some(hit) if hit.game == stretch.game => hit.ply = hit.ply.min(stretch.from),
            _ => hits.push(Hit { game: stretch.game, ply: stretch.from }),
        }
    }
    Ok(hits)
}

/// Intersects two lists: the plies that are in both, by game.
fn both(one: &[Stretch], other: impl Iterator<Item = Stretch>) -> Vec<Stretch> {
    let mut other = other.peekable();
    let mut found = Vec::new();
    let mut group: Vec<Stretch> = Vec::new();
    for same in one.chunk_by(|a, b| a.game == b.game) {
        let game = same[0].game;
        while other.next_if(|stretch| stretch.game < game).is_some() {}
        group.clear();
        while let Some(stretch) = other.next_if(|stretch| stretch.game == game) {
            group.push(stretch);
        }
        for a in same {
            for b in &group {
                let (from, to) = (a.from.max(b.from), a.to.min(b.to));
                if from <= to {
                    found.push(Stretch { game, from, to });
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(game: u32, from: u32, to: u32) -> Stretch {
        Stretch { game, from, to }
    }

    #[test]
    fn pieces_must_stand_at_the_same_time() {
        let one = [stretch(1, 0, 4), stretch(1, 9, 12), stretch(2, 3, 3), stretch(5, 0, 9)];
        let other = [stretch(1, 5, 8), stretch(2, 0, 3), stretch(3, 0, 9), stretch(5, 8, 20)];
        let found = both(&one, other.into_iter());
        assert_eq!(found, [stretch(2, 3, 3), stretch(5, 8, 9)]);
    }

    #[test]
    fn lists_come_back() {
        let span = |game, from, to| Raw { feature: 7, game, from, to };
        let spans = [span(3, 0, 4), span(3, 9, 9), span(300, 2, 70)];
        let bytes = encoded(&spans);
        let back: Vec<_> = decoded(&bytes).map(|s| span(s.game, s.from, s.to)).collect();
        assert_eq!(back, spans);
    }
}
