//! Index of positions in sorted runs: for each position and move the number of games, their results, and the games
//! themselves.
//!
//! An import sorts what it has in memory and writes it as one run; runs of like size are merged, so that a collection
//! of a million games has about a dozen (a log-structured merge tree). A run is a sequence of blocks of some 4 kB, in
//! the order of position keys, and a directory with the first key of each block: a position is found in one run by a
//! binary search and the decoding of one block. Long lists of games stand beside the blocks.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kernel::Problem;
use rusqlite::{Connection, OptionalExtension, params};

use crate::fault;
use crate::varint::{Numbers, put};

/// The size at which a block is closed, in bytes, so that it fills a page of SQLite.
const BLOCK: usize = 3_900;
/// The longest list of games within a block; longer ones are stored in rows of their own.
const INLINE: usize = 48;
/// The most games in such a row.
const ROW: usize = 4_096;
/// The number of runs of like size that are merged into one.
const FANOUT: usize = 8;
/// The most entries of a run of the lowest size class.
const SMALLEST: u64 = 4_096;

/// The move number that means no move: the game ended here.
pub const END: u32 = 0;

/// A game that reached a position, and the ply at which it did.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hit {
    /// The number of the game.
    pub game: u32,
    /// The ply at which it first reached the position; 0 is the start.
    pub ply: u32,
}

/// The statistics of the games that reached a position and played one move there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sum {
    /// The number of games.
    pub games: u32,
    /// The numbers of games that the first and the second side won.
    pub wins: [u32; 2],
    /// The number of games that were drawn.
    pub draws: u32,
    /// The number of games whose rating is known.
    pub rated: u32,
    /// The sum of their average ratings.
    pub rating: u64,
    /// The last day, as [`crate::Day`].
    pub last: u32,
}

impl Sum {
    /// Returns the statistics of one game. `result`: see [`crate::search::result_number`].
    #[must_use]
    pub fn one(result: u8, rating: u32, day: u32) -> Sum {
        Sum {
            games: 1,
            wins: [u32::from(result == 1), u32::from(result == 2)],
            draws: u32::from(result == 3),
            rated: u32::from(rating > 0),
            rating: u64::from(rating),
            last: day,
        }
    }

    /// Adds the counts of other games.
    pub fn add(&mut self, other: &Sum) {
        // What opening books say may be any number.
        self.games = self.games.saturating_add(other.games);
        self.wins[0] = self.wins[0].saturating_add(other.wins[0]);
        self.wins[1] = self.wins[1].saturating_add(other.wins[1]);
        self.draws = self.draws.saturating_add(other.draws);
        self.rated += other.rated;
        self.rating += other.rating;
        self.last = self.last.max(other.last);
    }
}

/// A part of the games of an entry: a list in the block, or a row of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Here(Vec<Hit>),
    Row { id: i64, games: u32 },
}

/// One position and move of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub key: u64,
    pub play: u32,
    pub sum: Sum,
    pub parts: Vec<Part>,
}

/// One ply of one game, before it is sorted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Raw {
    pub key: u64,
    pub play: u32,
    pub game: u32,
    pub ply: u32,
    pub rating: u16,
    pub result: u8,
    pub day: u32,
}

/// The first keys of the blocks of a run.
#[derive(Debug)]
pub(crate) struct Directory {
    first_block: i64,
    keys: Vec<u64>,
}

impl Directory {
    pub fn read(connection: &Connection, run: i64) -> Result<Directory, Problem> {
        let (first_block, bytes): (i64, Vec<u8>) = connection
            .query_row("SELECT first_block, directory FROM run WHERE id = ?1", [run], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .map_err(fault)?;
        let keys = bytes.chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().expect("of 8"))).collect();
        Ok(Directory { first_block, keys })
    }

    /// Returns the blocks that may contain a key.
    fn blocks(&self, key: u64) -> impl Iterator<Item = i64> {
        let end = self.keys.partition_point(|&first| first <= key);
        // The block before may end with it.
        let begin = self.keys.partition_point(|&first| first < key).saturating_sub(1);
        (begin..end).map(|at| self.first_block + at as i64)
    }
}

/// Returns the entries of one position in one run, in the order of moves.
pub(crate) fn lookup(
    connection: &Connection,
    directory: &Directory,
    key: u64,
) -> Result<Vec<Entry>, Problem> {
    let mut found = Vec::new();
    let mut read = connection.prepare_cached("SELECT data FROM block WHERE id = ?1").map_err(fault)?;
    for block in directory.blocks(key) {
        let bytes: Option<Vec<u8>> = read.query_row([block], |row| row.get(0)).optional().map_err(fault)?;
        let Some(bytes) = bytes else { continue };
        let mut entries = Entries::of(&bytes);
        while let Some(entry) = entries.next_of(key) {
            found.push(entry);
        }
    }
    Ok(found)
}

/// Returns the games of an entry, by rising number.
pub(crate) fn hits(connection: &Connection, entry: &Entry) -> Result<Vec<Hit>, Problem> {
    let mut all = Vec::with_capacity(entry.sum.games as usize);
    for part in &entry.parts {
        match part {
            Part::Here(hits) => all.extend_from_slice(hits),
            Part::Row { id, .. } => all.extend(row(connection, *id)?),
        }
    }
    Ok(all)
}

fn row(connection: &Connection, id: i64) -> Result<Vec<Hit>, Problem> {
    let bytes: Option<Vec<u8>> = connection
        .prepare_cached("SELECT data FROM hits WHERE id = ?1")
        .and_then(|mut read| read.query_row([id], |row| row.get(0)).optional())
        .map_err(fault)?;
    let bytes = bytes.unwrap_or_default();
    let mut numbers = Numbers::new(&bytes);
    let count = numbers.next().unwrap_or(0);
    Ok(read_hits(&mut numbers, count))
}

fn put_hits(out: &mut Vec<u8>, hits: &[Hit]) {
    let mut before = 0;
    for hit in hits {
        put(out, u64::from(hit.game - before));
        put(out, u64::from(hit.ply));
        before = hit.game;
    }
}

fn read_hits(numbers: &mut Numbers, count: u64) -> Vec<Hit> {
    let mut hits = Vec::with_capacity(count.min(ROW as u64) as usize);
    let mut game = 0_u32;
    for _ in 0..count {
        let (Some(step), Some(ply)) = (numbers.next(), numbers.next()) else { break };
        game = game.wrapping_add(step as u32);
        hits.push(Hit { game, ply: ply as u32 });
    }
    hits
}

/// The entries of a block, decoded one by one.
struct Entries<'a> {
    numbers: Numbers<'a>,
    key: u64,
}

impl<'a> Entries<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Entries { numbers: Numbers::new(bytes), key: 0 }
    }

    /// Returns the next entry with that key; entries before it are skipped, and `None` means there are no more.
    fn next_of(&mut self, key: u64) -> Option<Entry> {
        loop {
            let entry = self.next()?;
            match entry.key.cmp(&key) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => return Some(entry),
                std::cmp::Ordering::Greater => return None,
            }
        }
    }
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let numbers = &mut self.numbers;
        self.key = self.key.wrapping_add(numbers.next()?);
        let play = numbers.next()? as u32;
        let games = numbers.next()? as u32;
        let mut small = || Some(numbers.next()? as u32);
        let (sum, parts) = if games == 1 {
            let (result, rating, last) = (small()?, small()?, small()?);
            let sum = Sum::one(result as u8, rating, last);
            (sum, vec![Part::Here(vec![Hit { game: small()?, ply: small()? }])])
        } else {
            let wins = [small()?, small()?];
            let (draws, rated) = (small()?, small()?);
            let rating = numbers.next()?;
            let last = numbers.next()? as u32;
            let rows = numbers.next()?;
            let parts = if rows == 0 {
                vec![Part::Here(read_hits(numbers, u64::from(games)))]
            } else {
                let mut parts = Vec::new();
                for _ in 0..rows {
                    parts.push(Part::Row { id: numbers.next()? as i64, games: numbers.next()? as u32 });
                }
                parts
            };
            (Sum { games, wins, draws, rated, rating, last }, parts)
        };
        Some(Entry { key: self.key, play, sum, parts })
    }
}

/// A writer of the blocks of a run.
struct Writer<'a> {
    connection: &'a Connection,
    next: i64,
    block: Vec<u8>,
    first: u64,
    before: u64,
    keys: Vec<u64>,
    entries: u64,
    bytes: u64,
}

impl<'a> Writer<'a> {
    fn new(connection: &'a Connection) -> Result<Self, Problem> {
        let next: i64 = connection
            .query_row("SELECT coalesce(max(id), 0) + 1 FROM block", [], |row| row.get(0))
            .map_err(fault)?;
        Ok(Writer {
            connection,
            next,
            block: Vec::with_capacity(BLOCK * 2),
            first: 0,
            before: 0,
            keys: Vec::new(),
            entries: 0,
            bytes: 0,
        })
    }

    fn add(&mut self, entry: &Entry) -> Result<(), Problem> {
        if self.block.len() >= BLOCK - 64 {
            self.close()?;
        }
        if self.block.is_empty() {
            self.first = entry.key;
            self.before = 0;
        }
        let out = &mut self.block;
        put(out, entry.key - self.before);
        self.before = entry.key;
        let sum = &entry.sum;
        put(out, u64::from(entry.play));
        put(out, u64::from(sum.games));
        if let ([Part::Here(hits)], 1) = (&entry.parts[..], sum.games) {
            let result = if sum.wins[0] == 1 { 1 } else { 2 * sum.wins[1] + 3 * sum.draws };
            put(out, u64::from(result));
            put(out, sum.rating);
            put(out, u64::from(sum.last));
            put_hits(out, hits);
        } else {
            put(out, u64::from(sum.wins[0]));
            put(out, u64::from(sum.wins[1]));
            put(out, u64::from(sum.draws));
            put(out, u64::from(sum.rated));
            put(out, sum.rating);
            put(out, u64::from(sum.last));
            match &entry.parts[..] {
                [Part::Here(hits)] => {
                    put(out, 0);
                    put_hits(out, hits);
                }
                rows => {
                    put(out, rows.len() as u64);
                    for part in rows {
                        let Part::Row { id, games } = part else { unreachable!("mixed parts were settled") };
                        put(out, *id as u64);
                        put(out, u64::from(*games));
                    }
                }
            }
        }
        self.entries += 1;
        Ok(())
    }

    fn close(&mut self) -> Result<(), Problem> {
        if self.block.is_empty() {
            return Ok(());
        }
        self.connection
            .prepare_cached("INSERT INTO block (id, data) VALUES (?1, ?2)")
            .and_then(|mut write| write.execute(params![self.next + self.keys.len() as i64, self.block]))
            .map_err(fault)?;
        self.keys.push(self.first);
        self.bytes += self.block.len() as u64;
        self.block.clear();
        Ok(())
    }

    /// Writes the row of the run, and returns its id.
    fn end(mut self, collection: i64, first_game: u32, last_game: u32) -> Result<i64, Problem> {
        self.close()?;
        let directory: Vec<u8> = self.keys.iter().flat_map(|key| key.to_le_bytes()).collect();
        self.connection
            .execute(
                "INSERT INTO run (collection, first_game, last_game, entries, first_block, blocks, bytes, directory)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![
                    collection,
                    first_game,
                    last_game,
                    self.entries as i64,
                    self.next,
                    self.keys.len() as i64,
                    self.bytes as i64,
                    directory
                ],
            )
            .map_err(fault)?;
        Ok(self.connection.last_insert_rowid())
    }
}

/// Moves a long list of games into rows of its own, which are neither tiny nor huge.
fn settle(connection: &Connection, entry: &mut Entry) -> Result<(), Problem> {
    if entry.parts.len() == 1
        && (entry.sum.games as usize <= INLINE || matches!(entry.parts[0], Part::Row { .. }))
    {
        return Ok(());
    }
    let parts = std::mem::take(&mut entry.parts);
    if entry.sum.games as usize <= INLINE {
        let mut hits = Vec::new();
        for part in parts {
            match part {
                Part::Here(mut more) => hits.append(&mut more),
                Part::Row { id, .. } => hits.extend(taken(connection, id)?),
            }
        }
        entry.parts.push(Part::Here(hits));
        return Ok(());
    }
    let mut waiting: Vec<Hit> = Vec::new();
    for part in parts {
        match part {
            Part::Row { id, games } if games as usize >= ROW / 2 => {
                write_rows(connection, &mut waiting, &mut entry.parts, 1)?;
                entry.parts.push(Part::Row { id, games });
            }
            Part::Row { id, .. } => waiting.extend(taken(connection, id)?),
            Part::Here(mut hits) => waiting.append(&mut hits),
        }
        write_rows(connection, &mut waiting, &mut entry.parts, ROW)?;
    }
    write_rows(connection, &mut waiting, &mut entry.parts, 1)
}

/// Writes rows while at least `least` games wait.
fn write_rows(
    connection: &Connection,
    waiting: &mut Vec<Hit>,
    parts: &mut Vec<Part>,
    least: usize,
) -> Result<(), Problem> {
    while waiting.len() >= least {
        let rest = waiting.split_off(waiting.len().min(ROW));
        let mut bytes = Vec::with_capacity(waiting.len() * 3);
        put(&mut bytes, waiting.len() as u64);
        put_hits(&mut bytes, waiting);
        connection
            .prepare_cached("INSERT INTO hits (data) VALUES (?1)")
            .and_then(|mut write| write.execute([bytes]))
            .map_err(fault)?;
        parts.push(Part::Row { id: connection.last_insert_rowid(), games: waiting.len() as u32 });
        *waiting = rest;
    }
    Ok(())
}

/// Returns the games of a row, and deletes the row.
fn taken(connection: &Connection, id: i64) -> Result<Vec<Hit>, Problem> {
    let hits = row(connection, id)?;
    connection
        .prepare_cached("DELETE FROM hits WHERE id = ?1")
        .and_then(|mut delete| delete.execute([id]))
        .map_err(fault)?;
    Ok(hits)
}

/// Sorts what an import gathered and writes it as a run; returns the id of the run.
pub(crate) fn write(
    connection: &Connection,
    collection: i64,
    raw: &mut [Raw],
) -> Result<Option<i64>, Problem> {
    raw.sort_unstable();
    let games = raw.iter().map(|raw| raw.game);
    let (Some(first_game), Some(last_game)) = (games.clone().min(), games.max()) else { return Ok(None) };
    let mut writer = Writer::new(connection)?;
    for same in raw.chunk_by(|a, b| (a.key, a.play) == (b.key, b.play)) {
        let mut entry =
            Entry { key: same[0].key, play: same[0].play, sum: Sum::default(), parts: Vec::new() };
        let mut hits: Vec<Hit> = Vec::with_capacity(same.len());
        for raw in same {
            // A game that comes back to a position and plays the same counts once.
            if hits.last().is_none_or(|last| last.game != raw.game) {
                hits.push(Hit { game: raw.game, ply: raw.ply });
                entry.sum.add(&Sum::one(raw.result, u32::from(raw.rating), raw.day));
            }
        }
        entry.parts.push(Part::Here(hits));
        settle(connection, &mut entry)?;
        writer.add(&entry)?;
    }
    writer.end(collection, first_game, last_game).map(Some)
}

/// A cursor that reads a run from its beginning to its end.
struct Cursor<'a> {
    connection: &'a Connection,
    block: i64,
    end: i64,
    entries: std::vec::IntoIter<Entry>,
}

impl Cursor<'_> {
    fn next(&mut self) -> Result<Option<Entry>, Problem> {
        loop {
            if let Some(entry) = self.entries.next() {
                return Ok(Some(entry));
            }
            if self.block == self.end {
                return Ok(None);
            }
            let bytes: Vec<u8> = self
                .connection
                .prepare_cached("SELECT data FROM block WHERE id = ?1")
                .and_then(|mut read| read.query_row([self.block], |row| row.get(0)))
                .map_err(fault)?;
            self.block += 1;
            self.entries = Entries::of(&bytes).collect::<Vec<_>>().into_iter();
        }
    }
}

/// The data of a run without its entries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub id: i64,
    pub first_game: u32,
    pub last_game: u32,
    pub entries: u64,
    pub first_block: i64,
    pub blocks: i64,
}

/// Returns the runs of a collection, the oldest games first.
pub(crate) fn of_collection(connection: &Connection, collection: i64) -> Result<Vec<Run>, Problem> {
    let mut read = connection
        .prepare_cached(
            "SELECT id, first_game, last_game, entries, first_block, blocks FROM run
             WHERE collection = ?1 ORDER BY first_game",
        )
        .map_err(fault)?;
    let rows = read.query_map([collection], |row| {
        Ok(Run {
            id: row.get(0)?,
            first_game: row.get(1)?,
            last_game: row.get(2)?,
            entries: row.get::<_, i64>(3)?.unsigned_abs(),
            first_block: row.get(4)?,
            blocks: row.get(5)?,
        })
    });
    rows.map_err(fault)?.collect::<Result<_, _>>().map_err(fault)
}

fn size_class(entries: u64) -> u32 {
    (entries.max(SMALLEST) / SMALLEST).ilog2() / FANOUT.ilog2()
}

/// Returns the runs that are to be merged next: neighbours of like size, the oldest first.
fn due(runs: &[Run]) -> Option<&[Run]> {
    // A run between bigger ones is merged with its neighbours: games stay in order.
    runs.chunk_by(|a, b| size_class(a.entries) == size_class(b.entries)).find_map(|alike| alike.get(..FANOUT))
}

/// Merges runs while there are many of like size. Returns true if any were merged: cached directories must then be
/// cleared.
pub(crate) fn tidy(connection: &Connection, collection: i64) -> Result<bool, Problem> {
    let mut merged = false;
    loop {
        let runs = of_collection(connection, collection)?;
        let Some(group) = due(&runs) else { return Ok(merged) };
        merge(connection, collection, group)?;
        merged = true;
    }
}

fn merge(connection: &Connection, collection: i64, runs: &[Run]) -> Result<(), Problem> {
    let mut cursors: Vec<Cursor> = runs
        .iter()
        .map(|run| Cursor {
            connection,
            block: run.first_block,
            end: run.first_block + run.blocks,
            entries: Vec::new().into_iter(),
        })
        .collect();
    let mut heads: Vec<Option<Entry>> = Vec::with_capacity(runs.len());
    // Of equal positions and moves the run with the older games comes first.
    let mut order = BinaryHeap::new();
    for (at, cursor) in cursors.iter_mut().enumerate() {
        let head = cursor.next()?;
        if let Some(entry) = &head {
            order.push(Reverse((entry.key, entry.play, at)));
        }
        heads.push(head);
    }
    let mut writer = Writer::new(connection)?;
    let mut open: Option<Entry> = None;
    while let Some(Reverse((key, play, at))) = order.pop() {
        let next = cursors[at].next()?;
        if let Some(entry) = &next {
            order.push(Reverse((entry.key, entry.play, at)));
        }
        let entry = std::mem::replace(&mut heads[at], next).expect("what is in the heap has a head");
        match &mut open {
            Some(same) if (same.key, same.play) == (key, play) => {
                same.sum.add(&entry.sum);
                same.parts.extend(entry.parts);
            }
            _ => {
                if let Some(mut done) = open.replace(entry) {
                    settle(connection, &mut done)?;
                    writer.add(&done)?;
                }
            }
        }
    }
    if let Some(mut done) = open {
        settle(connection, &mut done)?;
        writer.add(&done)?;
    }
    let first_game = runs.iter().map(|run| run.first_game).min().unwrap_or(0);
    let last_game = runs.iter().map(|run| run.last_game).max().unwrap_or(0);
    let id = writer.end(collection, first_game, last_game)?;
    let old: Vec<i64> = runs.iter().map(|run| run.id).collect();
    crate::pattern::merge(connection, &old, id)?;
    runs.iter().try_for_each(|run| remove(connection, run))
}

fn remove(connection: &Connection, run: &Run) -> Result<(), Problem> {
    let end = run.first_block + run.blocks;
    connection
        .execute("DELETE FROM block WHERE id >= ?1 AND id < ?2", [run.first_block, end])
        .and_then(|_| connection.execute("DELETE FROM run WHERE id = ?1", [run.id]))
        .and_then(|_| connection.execute("DELETE FROM spans WHERE run = ?1", [run.id]))
        .map(drop)
        .map_err(fault)
}

/// Deletes the runs of a collection, with the rows beside them.
pub(crate) fn remove_all(connection: &Connection, collection: i64) -> Result<(), Problem> {
    for run in of_collection(connection, collection)? {
        let end = run.first_block + run.blocks;
        let mut cursor = Cursor { connection, block: run.first_block, end, entries: Vec::new().into_iter() };
        while let Some(entry) = cursor.next()? {
            for part in &entry.parts {
                if let Part::Row { id, .. } = part {
                    connection.execute("DELETE FROM hits WHERE id = ?1", [id]).map_err(fault)?;
                }
            }
        }
        remove(connection, &run)?;
    }
    Ok(())
}
