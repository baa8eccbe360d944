//! Import of records: read by one thread, checked by several, written by one.
//!
//! The amount read at a time is bounded in games and in bytes, for any file; games are written in the order of the
//! file. Games, their index and the position in the file are in one commit, so an interrupted import goes on where it
//! was, and nothing is imported twice.

use std::collections::HashMap;
use std::io::BufRead;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use kernel::Problem;
use records::{Games, Record};
use rusqlite::{Connection, OptionalExtension, params};

use crate::fold::fold;
use crate::search::result_number;
use crate::walk::{Opener, Walked, walk, walk_part};
use crate::{Library, fault, pattern, runs};

/// The most games of a batch.
const BATCH: usize = 64;
/// The most plies of a batch, not counting its last game.
const BATCH_PLIES: usize = 8_192;
/// The most batches that are in flight at the same time.
const ON_THE_WAY: usize = 6;
/// The number of plies that are sorted in memory before they are written: 32 MB.
const RUN: usize = 1 << 20;
/// The number of spans that are sorted in memory before they are written: 24 MB.
const SPANS: usize = 3 << 19;
/// The most names whose numbers are kept in memory.
const MOST_KNOWN: usize = 1 << 17;
/// The most refused games of one file that are kept with their reasons; all are counted.
const MOST_REFUSED: u64 = 10_000;
/// The name of the player in games whose players are unknown.
const NOBODY: &str = "";

/// The progress of an import, interrupted parts included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ImportProgress {
    /// The number of games of the file that were read.
    pub read: u64,
    /// The number of games that were added.
    pub added: u64,
    /// The number of games that were there already.
    pub doubles: u64,
    /// The number of games that were refused.
    pub refused: u64,
    /// The number of games of which only a part was added, in this run.
    pub cut: u64,
    /// The number of plies of the games that were added or were there already, in this run.
    pub plies: u64,
}

/// The share of a reported game that was imported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// The game was refused, so no part of it was imported.
    Nothing,
    /// The part up to the first impossible move was imported.
    Part,
    /// The whole game was imported; the report is about something strange in it.
    All,
}

/// A report about a game that was refused, cut or is strange.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The share of the game that was imported.
    pub kept: Kept,
    /// The number of the game in the file, from 1.
    pub number: u64,
    /// The line on which it begins, from 1; 0 in files without lines.
    pub line: u64,
    /// The problem with the game.
    pub problem: Problem,
}

/// The settings of an import.
pub struct Import<'a> {
    /// The collection to import into.
    pub collection: i64,
    /// The name of the file, for reports about refused games.
    pub name: &'a str,
    /// A fingerprint of the file: an import with the same one goes on where it was.
    pub print: &'a str,
    /// Opens games at their start.
    pub open: &'a Opener,
    /// The number of threads that check games; reading and writing have threads of their own.
    pub threads: usize,
    /// A flag that stops the import; games that were written stay.
    pub stop: &'a AtomicBool,
    /// The number and the id of the log entry that ordered the import, in a file of which there are
    /// [copies](crate::copies): noted with the last commit.
    pub entry: Option<(u64, &'a str)>,
}

/// A batch of games that goes from thread to thread.
struct Batch<T> {
    number: u64,
    games: Vec<Item<T>>,
}

/// A game of a batch.
struct Item<T> {
    number: u64,
    line: u64,
    game: Result<T, Problem>,
    /// The problem to report about a game that is imported nevertheless, in part or whole.
    told: Option<(Kept, Problem)>,
}

impl Library {
    /// Imports the games of a file. `watch` is called with each refused game, and with the progress after each batch.
    ///
    /// # Errors
    /// `library-storage`; what is wrong with single games is told, and stops nothing.
    pub fn import<R: BufRead + Send>(
        &self,
        wish: &Import,
        games: Games<R>,
        watch: &mut dyn FnMut(&ImportProgress, Option<&Refused>),
    ) -> Result<ImportProgress, Problem> {
        let games = games.keeping();
        let connection = self.writer();
        let (source, begun, done) = source(&connection, wish)?;
        if done {
            return Ok(begun);
        }
        let result = std::thread::scope(|scope| {
            let (give, take) = sync_channel(ON_THE_WAY);
            let (give_back, checked) = sync_channel(ON_THE_WAY);
            // The reading thread puts a token in for a batch; it is taken out when the batch is written.
            let (token, tokens) = sync_channel(ON_THE_WAY);
            scope.spawn(move || read(games, begun.read, &give, &token, wish.stop));
            let take = std::sync::Arc::new(Mutex::new(take));
            for _ in 0..wish.threads.max(1) {
                let (take, give_back) = (std::sync::Arc::clone(&take), give_back.clone());
                scope.spawn(move || check(&take, &give_back, wish.open));
            }
            drop((take, give_back));
            let mut sink = Sink::new(&connection, wish.collection, source, begun)?;
            sink.take_all(&checked, &tokens, wish.stop, watch)?;
            let whole = !wish.stop.load(Ordering::Relaxed);
            if let Some((n, id)) = wish.entry {
                crate::copies::note(&connection, n, id)?;
            }
            sink.end(whole)
        });
        if result.is_err() && !connection.is_autocommit() {
            // The error itself matters more than what came of rolling back.
            let _ = connection.execute_batch("ROLLBACK");
        }
        self.forget_directories();
        result
    }

    /// Returns the refused games of all files of a collection: the name of the file, and the game.
    ///
    /// # Errors
    /// `library-storage`.
    pub fn refused(&self, collection: i64) -> Result<Vec<(String, u64, u64, String)>, Problem> {
        let reader = self.reader()?;
        let mut rows = reader
            .prepare(
                "SELECT source.name, number, line, problem FROM refused JOIN source ON source.id = refused.source
                 WHERE source.collection = ?1 ORDER BY source.id, number",
            )
            .map_err(fault)?;
        let found = rows.query_map([collection], |row| {
            Ok((
                row.get(0)?,
                row.get::<_, i64>(1)?.unsigned_abs(),
                row.get::<_, i64>(2)?.unsigned_abs(),
                row.get(3)?,
            ))
        });
        found.map_err(fault)?.collect::<Result<_, _>>().map_err(fault)
    }
}

/// Returns the row of a file, its progress, and whether it was read to the end. Adds the row for a new file.
pub(crate) fn source(connection: &Connection, wish: &Import) -> Result<(i64, ImportProgress, bool), Problem> {
    connection
        .execute(
            "INSERT INTO source (collection, print, name) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            params![wish.collection, wish.print, wish.name],
        )
        .map_err(fault)?;
    connection
        .query_row(
            "SELECT id, read, added, doubles, refused, done FROM source WHERE collection = ?1 AND print = ?2",
            params![wish.collection, wish.print],
            |row| {
                let number = |at| row.get::<_, i64>(at).map(i64::unsigned_abs);
                let told = ImportProgress {
                    read: number(1)?,
                    added: number(2)?,
                    doubles: number(3)?,
                    refused: number(4)?,
                    cut: 0,
                    plies: 0,
                };
                Ok((row.get(0)?, told, row.get(5)?))
            },
        )
        .map_err(fault)
}

/// Reads games and hands them over in batches, but for those that were read before.
fn read<R: BufRead>(
    mut games: Games<R>,
    before: u64,
    give: &SyncSender<Batch<Record>>,
    token: &SyncSender<()>,
    stop: &AtomicBool,
) {
    let mut number = 0;
    let mut batches = 0;
    let mut batch = Vec::new();
    let mut plies = 0;
    let mut hand_over = |games: Vec<_>| {
        batches += 1;
        token.send(()).is_ok() && give.send(Batch { number: batches - 1, games }).is_ok()
    };
    while !stop.load(Ordering::Relaxed) {
        let Some(game) = games.next() else { break };
        number += 1;
        if number <= before {
            continue;
        }
        plies += game.as_ref().map_or(0, |record| record.tree.plies());
        let doubt = games.doubt().map(|doubt| (Kept::All, doubt));
        let told = games.fault().map(|fault| (Kept::Part, fault)).or(doubt);
        batch.push(Item { number, line: games.line() as u64, game, told });
        if batch.len() >= BATCH || plies >= BATCH_PLIES {
            plies = 0;
            if !hand_over(std::mem::take(&mut batch)) {
                return;
            }
        }
    }
    if !batch.is_empty() {
        hand_over(batch);
    }
}

fn check(take: &Mutex<Receiver<Batch<Record>>>, give_back: &SyncSender<Batch<Walked>>, open: &Opener) {
    loop {
        let next = take.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(batch) = next else { return };
        let games = batch.games.into_iter().map(|Item { number, line, game, mut told }| {
            let game = game.and_then(|record| walk_part(record, open)).map(|(walked, fault)| {
                if let Some(fault) = fault.filter(|_| !matches!(told, Some((Kept::Part, _)))) {
                    told = Some((Kept::Part, fault));
                }
                walked
            });
            Item { number, line, game, told }
        });
        let checked = Batch { number: batch.number, games: games.collect() };
        if give_back.send(checked).is_err() {
            return;
        }
    }
}

/// Adds the numbers of pieces to the index of a file from a version that did not count them. Games that can no longer
/// be played are left out.
pub(crate) fn count_pieces(connection: &Connection) -> Result<(), Problem> {
    let read = |sql: &str| -> Result<Vec<[i64; 4]>, Problem> {
        let mut rows = connection.prepare(sql).map_err(fault)?;
        let rows = rows.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]));
        rows.and_then(Iterator::collect).map_err(fault)
    };
    for [run, collection, first, last] in read("SELECT id, collection, first_game, last_game FROM run")? {
        let mut games = connection
            .prepare("SELECT id FROM game WHERE collection = ?1 AND id BETWEEN ?2 AND ?3 ORDER BY id")
            .map_err(fault)?;
        let games: Vec<u32> = games
            .query_map([collection, first, last], |row| row.get(0))
            .and_then(Iterator::collect)
            .map_err(fault)?;
        let mut spans = Vec::new();
        for game in games {
            let record = crate::export::record(connection, game, &crate::walk::without_maps);
            let Ok(walked) = record.and_then(|record| walk(record, &crate::walk::without_maps)) else {
                continue;
            };
            let counts = walked.spans.into_iter().filter(|span| span.counts);
            spans.extend(counts.map(|s| pattern::Raw { feature: s.feature, game, from: s.from, to: s.to }));
        }
        pattern::write(connection, run, &mut spans)?;
    }
    Ok(())
}

/// The state of the writing thread: what is not yet committed.
struct Sink<'a> {
    connection: &'a Connection,
    collection: i64,
    source: i64,
    told: ImportProgress,
    next_game: u32,
    raw: Vec<runs::Raw>,
    spans: Vec<pattern::Raw>,
    players: HashMap<String, i64>,
    events: HashMap<String, i64>,
    rules: HashMap<[String; 3], i64>,
    moves: HashMap<String, u32>,
    /// The numbers of games by player since the last commit.
    played: HashMap<i64, u32>,
    added: u64, // since the last commit
}

impl<'a> Sink<'a> {
    fn new(
        connection: &'a Connection,
        collection: i64,
        source: i64,
        told: ImportProgress,
    ) -> Result<Self, Problem> {
        connection.execute_batch("BEGIN IMMEDIATE").map_err(fault)?;
        let next_game = connection
            .query_row("SELECT coalesce(max(id), 0) + 1 FROM game", [], |row| row.get(0))
            .map_err(fault)?;
        Ok(Sink {
            connection,
            collection,
            source,
            told,
            next_game,
            raw: Vec::new(),
            spans: Vec::new(),
            players: HashMap::new(),
            events: HashMap::new(),
            rules: HashMap::new(),
            moves: HashMap::new(),
            played: HashMap::new(),
            added: 0,
        })
    }

    /// Writes batches in the order in which they were read.
    fn take_all(
        &mut self,
        checked: &Receiver<Batch<Walked>>,
        tokens: &Receiver<()>,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&ImportProgress, Option<&Refused>),
    ) -> Result<(), Problem> {
        let mut early: HashMap<u64, Batch<Walked>> = HashMap::new();
        let mut next = 0;
        while let Ok(batch) = checked.recv() {
            early.insert(batch.number, batch);
            while let Some(batch) = early.remove(&next) {
                next += 1;
                for Item { number, line, game, told } in batch.games {
                    self.told.read = number;
                    match game {
                        Ok(walked) => {
                            self.told.plies += walked.moves.len() as u64;
                            self.add(walked, None)?;
                            if let Some((kept, problem)) = told {
                                self.told.cut += u64::from(kept == Kept::Part);
                                watch(&self.told, Some(&Refused { kept, number, line, problem }));
                            }
                        }
                        Err(problem) => {
                            let refused = Refused { kept: Kept::Nothing, number, line, problem };
                            self.refuse(&refused)?;
                            watch(&self.told, Some(&refused));
                        }
                    }
                }
                let _ = tokens.try_recv();
                watch(&self.told, None);
                if self.raw.len() >= RUN || self.spans.len() >= SPANS {
                    self.commit()?;
                    self.connection.execute_batch("BEGIN IMMEDIATE").map_err(fault)?;
                }
            }
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        Ok(())
    }

    fn refuse(&mut self, refused: &Refused) -> Result<(), Problem> {
        self.told.refused += 1;
        if self.told.refused > MOST_REFUSED {
            return Ok(());
        }
        self.connection
            .prepare_cached(
                "INSERT OR REPLACE INTO refused (source, number, line, problem) VALUES (?1, ?2, ?3, ?4)",
            )
            .and_then(|mut write| {
                write.execute(params![
                    self.source,
                    refused.number as i64,
                    refused.line as i64,
                    refused.problem.to_string()
                ])
            })
            .map(drop)
            .map_err(fault)
    }

    /// Writes a game; if it is there already, it is only counted.
    fn add(&mut self, game: Walked, link: Option<&str>) -> Result<(), Problem> {
        let rules = self.rules(&game)?;
        let [first, second] = [self.player(&game.players[0])?, self.player(&game.players[1])?];
        let event = self.event(&game.event)?;
        let result = result_number(game.result);
        let known: Vec<u32> = game.ratings.iter().copied().filter(|&rating| rating > 0).collect();
        let rating = known.iter().sum::<u32>() / (known.len() as u32).max(1);
        let id = self.next_game;
        let written = self
            .connection
            .prepare_cached(
                "INSERT INTO game (id, collection, hash, rules, first, second, event, day, result, rating,
                 first_rating, second_rating, plies) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
                 ON CONFLICT DO NOTHING",
            )
            .and_then(|mut write| {
                write.execute(params![
                    id,
                    self.collection,
                    game.hash,
                    rules,
                    first,
                    second,
                    event,
                    game.day.0,
                    result,
                    rating,
                    game.ratings[0],
                    game.ratings[1],
                    game.moves.len() as i64
                ])
            })
            .map_err(fault)?;
        if written == 0 {
            self.told.doubles += 1;
            return Ok(());
        }
        self.next_game += 1;
        self.told.added += 1;
        self.added += 1;
        *self.played.entry(first).or_default() += 1;
        *self.played.entry(second).or_default() += 1;
        let mut moves = Vec::with_capacity(game.moves.len() * 2);
        let mut plays = Vec::with_capacity(game.keys.len());
        for text in game.moves {
            let play = self.play(text)?;
            crate::varint::put(&mut moves, u64::from(play));
            plays.push(play);
        }
        plays.push(runs::END);
        self.connection
            .prepare_cached("INSERT INTO body (game, start, moves, extra, link) VALUES (?1, ?2, ?3, ?4, ?5)")
            .and_then(|mut write| write.execute(params![id, game.start, moves, game.extra, link]))
            .map_err(fault)?;
        let (rating, day) = (rating as u16, game.day.0);
        let raw = game.keys.into_iter().zip(plays).zip(0..);
        self.raw.extend(raw.map(|((key, play), ply)| runs::Raw {
            key,
            play,
            game: id,
            ply,
            rating,
            result,
            day,
        }));
        let spans = game.spans.into_iter();
        self.spans.extend(spans.map(|s| pattern::Raw {
            feature: s.feature,
            game: id,
            from: s.from,
            to: s.to,
        }));
        Ok(())
    }

    /// Commits, and writes what was gathered as a run of its own.
    fn commit(&mut self) -> Result<(), Problem> {
        let connection = self.connection;
        if let Some(run) = runs::write(connection, self.collection, &mut self.raw)? {
            pattern::write(connection, run, &mut self.spans)?;
            runs::tidy(connection, self.collection)?;
        }
        self.raw.clear();
        self.spans.clear();
        let mut count =
            connection.prepare_cached("UPDATE player SET games = games + ?2 WHERE id = ?1").map_err(fault)?;
        for (player, games) in self.played.drain() {
            count.execute(params![player, games]).map_err(fault)?;
        }
        connection
            .execute(
                "UPDATE collection SET games = games + ?2 WHERE id = ?1",
                params![self.collection, self.added as i64],
            )
            .map_err(fault)?;
        self.added = 0;
        let told = self.told;
        connection
            .execute(
                "UPDATE source SET read = ?2, added = ?3, doubles = ?4, refused = ?5 WHERE id = ?1",
                params![
                    self.source,
                    told.read as i64,
                    told.added as i64,
                    told.doubles as i64,
                    told.refused as i64
                ],
            )
            .map_err(fault)?;
        connection.execute_batch("COMMIT").map_err(fault)
    }

    /// Finishes the import. `whole`: the file was read to its end.
    fn end(mut self, whole: bool) -> Result<ImportProgress, Problem> {
        self.commit()?;
        if whole {
            self.connection
                .execute("UPDATE source SET done = 1 WHERE id = ?1", [self.source])
                .map_err(fault)?;
        }
        Ok(self.told)
    }

    fn player(&mut self, name: &str) -> Result<i64, Problem> {
        named(self.connection, &mut self.players, "player", if is_unknown(name) { NOBODY } else { name })
    }

    fn event(&mut self, name: &str) -> Result<i64, Problem> {
        named(self.connection, &mut self.events, "event", name)
    }

    fn rules(&mut self, game: &Walked) -> Result<i64, Problem> {
        let key = [game.game.clone(), game.options.clone(), game.map.clone()];
        if let Some(&id) = self.rules.get(&key) {
            return Ok(id);
        }
        self.connection
            .execute(
                "INSERT INTO rules (game, options, map) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
                params![key[0], key[1], key[2]],
            )
            .map_err(fault)?;
        let id = self
            .connection
            .query_row(
                "SELECT id FROM rules WHERE game = ?1 AND options = ?2 AND map = ?3",
                params![key[0], key[1], key[2]],
                |row| row.get(0),
            )
            .map_err(fault)?;
        forget_many(&mut self.rules);
        self.rules.insert(key, id);
        Ok(id)
    }

    /// Returns the number of a move's text.
    fn play(&mut self, text: String) -> Result<u32, Problem> {
        if let Some(&id) = self.moves.get(&text) {
            return Ok(id);
        }
        let id = move_number(self.connection, &text)?;
        forget_many(&mut self.moves);
        self.moves.insert(text, id);
        Ok(id)
    }
}

/// Returns the number of a move's text; a new text gets one.
pub(crate) fn move_number(connection: &Connection, text: &str) -> Result<u32, Problem> {
    let known = connection
        .prepare_cached("SELECT id FROM move WHERE text = ?1")
        .and_then(|mut read| read.query_row([text], |row| row.get(0)).optional())
        .map_err(fault)?;
    if let Some(id) = known {
        return Ok(id);
    }
    connection.execute("INSERT INTO move (text) VALUES (?1)", [text]).map_err(fault)?;
    Ok(connection.last_insert_rowid() as u32)
}

/// Returns true for the placeholders that files have for an unknown name, such as `?`.
fn is_unknown(name: &str) -> bool {
    matches!(name.trim(), "" | "?" | "-" | "NN" | "N.N.")
}

/// Returns the number of a name in that table; a new name gets one.
fn named(
    connection: &Connection,
    known: &mut HashMap<String, i64>,
    table: &str,
    name: &str,
) -> Result<i64, Problem> {
    if let Some(&id) = known.get(name) {
        return Ok(id);
    }
    let id = connection
        .prepare_cached(&format!("SELECT id FROM {table} WHERE name = ?1"))
        .and_then(|mut read| read.query_row([name], |row| row.get(0)).optional())
        .map_err(fault)?;
    let id = match id {
        Some(id) => id,
        None => {
            connection
                .prepare_cached(&format!("INSERT INTO {table} (name, folded) VALUES (?1, ?2)"))
                .and_then(|mut write| write.execute(params![name, fold(name)]))
                .map_err(fault)?;
            connection.last_insert_rowid()
        }
    };
    forget_many(known);
    known.insert(name.to_owned(), id);
    Ok(id)
}

/// Empties a cache of numbers when it is full; they are read from the file again when they are needed.
fn forget_many<K, V>(known: &mut HashMap<K, V>) {
    if known.len() >= MOST_KNOWN {
        known.clear();
    }
}

/// The fingerprint of the source of the hall's own games.
const HALL: &str = "hall";

impl Library {
    /// Returns the mark up to which the hall's own games were added: the number that came with the last ones.
    ///
    /// # Errors
    /// `library-storage`.
    pub fn mark(&self, collection: i64) -> Result<u64, Problem> {
        let reader = self.reader()?;
        let found = reader
            .query_row(
                "SELECT read FROM source WHERE collection = ?1 AND print = ?2",
                params![collection, HALL],
                |row| row.get::<_, i64>(0),
            )
            .optional()
            .map_err(fault)?;
        Ok(found.unwrap_or(0).unsigned_abs())
    }

    /// Adds games of the hall's own that were checked, each with the id of its table, and notes that they are the
    /// ones up to `mark`, all in one commit. Returns the number of new games.
    ///
    /// # Errors
    /// `library-storage`.
    pub fn add(&self, collection: i64, games: Vec<(Walked, String)>, mark: u64) -> Result<u64, Problem> {
        let connection = self.writer();
        let wish = Import {
            collection,
            name: HALL,
            print: HALL,
            open: &crate::walk::without_maps,
            threads: 1,
            stop: &AtomicBool::new(false),
            entry: None,
        };
        let (source, told, _) = source(&connection, &wish)?;
        let before = told.added;
        let told = ImportProgress { read: mark, ..told };
        let result = Sink::new(&connection, collection, source, told).and_then(|mut sink| {
            for (walked, link) in games {
                sink.add(walked, Some(&link))?;
            }
            sink.end(false).map(|told| told.added - before)
        });
        if result.is_err() && !connection.is_autocommit() {
            let _ = connection.execute_batch("ROLLBACK");
        }
        self.forget_directories();
        result
    }

    /// Replaces the names of the players of a table's game, for a person whose name is to be forgotten.
    ///
    /// # Errors
    /// `library-storage`.
    pub fn set_players(&self, table: &str, players: &[String; 2]) -> Result<(), Problem> {
        let connection = self.writer();
        let mut known = HashMap::new();
        let mut ids = [0, 0];
        for (id, name) in ids.iter_mut().zip(players) {
            *id = named(&connection, &mut known, "player", if is_unknown(name) { NOBODY } else { name })?;
        }
        let games: Vec<(u32, i64, i64)> = connection
            .prepare_cached(
                "SELECT game.id, game.first, game.second FROM body JOIN game ON game.id = body.game WHERE link = ?1",
            )
            .and_then(|mut read| {
                read.query_map([table], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
            })
            .map_err(fault)?;
        for (game, first, second) in games {
            connection
                .execute(
                    "UPDATE game SET first = ?2, second = ?3 WHERE id = ?1",
                    params![game, ids[0], ids[1]],
                )
                .map_err(fault)?;
            for (before, after) in [first, second].into_iter().zip(ids) {
                connection
                    .execute("UPDATE player SET games = games - 1 WHERE id = ?1", [before])
                    .and_then(|_| {
                        connection.execute("UPDATE player SET games = games + 1 WHERE id = ?1", [after])
                    })
                    .and_then(|_| {
                        connection.execute("DELETE FROM player WHERE games <= 0 AND id = ?1", [before])
                    })
                    .map_err(fault)?;
            }
        }
        Ok(())
    }
}
