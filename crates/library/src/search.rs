//! Search for games by their data, by a position, or by a pattern.
//!
//! Positions, patterns and names of few games each give a list of games; where their intersection is short, it is sorted.
//! Where it is long, or there is none, games are gone through in the order that is wanted until a page is full. Whole rows,
//! with names and events, are read for the games of the page only.

use kernel::Problem;
use records::Score;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};

use crate::fold::fold;
use crate::runs::{self, Hit};
use crate::{Day, Library, fault, pattern};

/// The most games of a page.
pub const MOST_PAGE: usize = 100;
/// The longest list of games that is sorted; longer ones are consulted while games are read in order.
const SHORT: usize = 4_000;
/// The most hits of a long list that are looked up in one statement.
const MOST_AT_ONCE: usize = 1 << 16;
/// The most games of a name that are looked up by themselves.
const FEW: i64 = 20_000;
/// The most pieces of a pattern.
pub const MOST_PIECES: usize = 64;

/// Returns the number of a result in the file.
#[must_use]
pub const fn result_number(result: Option<Score>) -> u8 {
    match result {
        None => 0,
        Some(Score::Win(kernel::Side::First)) => 1,
        Some(Score::Win(kernel::Side::Second)) => 2,
        Some(Score::Draw) => 3,
        Some(Score::Void) => 4,
    }
}

/// Returns the result with that number.
#[must_use]
pub const fn result_numbered(number: u8) -> Option<Score> {
    match number {
        1 => Some(Score::Win(kernel::Side::First)),
        2 => Some(Score::Win(kernel::Side::Second)),
        3 => Some(Score::Draw),
        4 => Some(Score::Void),
        _ => None,
    }
}

/// The orders of search results, each with the greatest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sort {
    /// The order in which they were added.
    #[default]
    Added,
    /// The day on which they were played.
    Day,
    /// The average rating of the players.
    Rating,
    /// The number of plies.
    Length,
}

impl Sort {
    /// All orders, for menus and for parsing.
    pub const ALL: [Sort; 4] = [Sort::Added, Sort::Day, Sort::Rating, Sort::Length];

    /// Returns the key: `added`, `day`, `rating` or `length`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Sort::Added => "added",
            Sort::Day => "day",
            Sort::Rating => "rating",
            Sort::Length => "length",
        }
    }

    /// Returns the order with that key.
    #[must_use]
    pub fn keyed(key: &str) -> Option<Sort> {
        Sort::ALL.into_iter().find(|sort| sort.key() == key)
    }

    const fn column(self) -> &'static str {
        match self {
            Sort::Added => "game.id",
            Sort::Day => "game.day",
            Sort::Rating => "game.rating",
            Sort::Length => "game.plies",
        }
    }
}

/// The conditions of a search. Empty texts and `None` match any game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    /// The numbers of the collections to search; without any, nothing is found.
    pub collections: Vec<i64>,
    /// A game of the catalogue, or a family for all of its games.
    pub game: String,
    /// A part of a player's name, in any case.
    pub player: String,
    /// A part of the name of the player of the first side.
    pub first: String,
    /// A part of the name of the player of the second side.
    pub second: String,
    /// A part of the event's name.
    pub event: String,
    /// The first day on which it may have been played.
    pub since: Option<Day>,
    /// The last day on which it may have been played; 2026 alone includes all of that year.
    pub until: Option<Day>,
    /// The result of the game.
    pub result: Option<Score>,
    /// The least average rating.
    pub least_rating: Option<u32>,
    /// The least number of plies.
    pub least_plies: Option<u32>,
    /// The greatest number of plies.
    pub most_plies: Option<u32>,
    /// The key of a position that was on the board: see [`crate::walk::position_key`].
    pub position: Option<u64>,
    /// Pieces that stood on the board at once: see [`crate::walk::feature`].
    pub pattern: Vec<u64>,
    /// The order of the games.
    pub sort: Sort,
    /// The last game of the page before, after which this page begins: its value in the order, and its number.
    pub after: Option<(u32, u32)>,
    /// The most games of the page.
    pub most: usize,
}

/// A game that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The number of the game.
    pub id: u32,
    /// The number of its collection.
    pub collection: i64,
    /// The key of the game in the catalogue.
    pub game: String,
    /// The names of the players, as they were written; empty if unknown.
    pub players: [String; 2],
    /// The ratings of the players; 0 if unknown.
    pub ratings: [u32; 2],
    /// The event at which it was played.
    pub event: String,
    /// The day on which it was played.
    pub day: Day,
    /// The result of the game.
    pub result: Option<Score>,
    /// The number of plies.
    pub plies: u32,
    /// The first ply at which the position or the pattern was there; 0 when the search had neither.
    pub ply: u32,
    /// The table it was played at, for the hall's own games.
    pub link: Option<String>,
}

/// A page of games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Page {
    /// The games, in order.
    pub games: Vec<Found>,
    /// The beginning of the next page; `None` if this is the last one.
    pub next: Option<(u32, u32)>,
    /// The number of games with the position or the pattern, before the other conditions; `None` when the search had
    /// neither.
    pub hits: Option<u64>,
}

/// The conditions that a row of `game` must fulfil.
struct Conditions {
    sql: String,
    values: Vec<Value>,
}

impl Conditions {
    fn add(&mut self, condition: &str, value: impl Into<Value>) {
        self.values.push(value.into());
        let place = format!("?{}", self.values.len());
        self.sql.push_str(" AND ");
        self.sql.push_str(&condition.replace('?', &place));
    }
}

fn conditions(query: &Query) -> Conditions {
    let ids: Vec<String> = query.collections.iter().map(i64::to_string).collect();
    let mut all = Conditions { sql: format!("game.collection IN ({})", ids.join(",")), values: Vec::new() };
    if !query.game.is_empty() {
        let of = "game.rules IN (SELECT id FROM rules WHERE rules.game = ?
            OR substr(rules.game, 1, length(?) + 1) = ? || '/')";
        all.add(of, query.game.clone());
    }
    const NAMED: &str = "(SELECT id FROM player WHERE instr(folded, ?))";
    if !query.player.trim().is_empty() {
        all.add(&format!("(game.first IN {NAMED} OR game.second IN {NAMED})"), fold(&query.player));
    }
    for (side, name) in [("first", &query.first), ("second", &query.second)] {
        if !name.trim().is_empty() {
            all.add(&format!("game.{side} IN {NAMED}"), fold(name));
        }
    }
    if !query.event.trim().is_empty() {
        all.add("game.event IN (SELECT id FROM event WHERE instr(folded, ?))", fold(&query.event));
    }
    if let Some(since) = query.since {
        all.add("game.day >= ?", i64::from(since.0));
    }
    if let Some(until) = query.until {
        // All of a year or a month that is named without its days.
        let last = match (until.0 / 100 % 100, until.0 % 100) {
            (0, _) => until.0 + 1231,
            (_, 0) => until.0 + 31,
            _ => until.0,
        };
        all.add("game.day > 0 AND game.day <= ?", i64::from(last));
    }
    if let Some(result) = query.result {
        all.add("game.result = ?", i64::from(result_number(Some(result))));
    }
    if let Some(least) = query.least_rating {
        all.add("game.rating >= ?", i64::from(least));
    }
    if let Some(least) = query.least_plies {
        all.add("game.plies >= ?", i64::from(least));
    }
    if let Some(most) = query.most_plies {
        all.add("game.plies <= ?", i64::from(most));
    }
    all
}

/// The query for the rows of a page; the conditions follow.
const ROWS: &str = "SELECT game.id, game.collection, rules.game, one.name, other.name, game.first_rating,
    game.second_rating, event.name, game.day, game.result, game.plies, body.link
    FROM game CROSS JOIN rules ON rules.id = game.rules CROSS JOIN player AS one ON one.id = game.first
    CROSS JOIN player AS other ON other.id = game.second CROSS JOIN event ON event.id = game.event
    CROSS JOIN body ON body.game = game.id WHERE ";

fn found(row: &rusqlite::Row) -> rusqlite::Result<Found> {
    Ok(Found {
        id: row.get(0)?,
        collection: row.get(1)?,
        game: row.get(2)?,
        players: [row.get(3)?, row.get(4)?],
        ratings: [row.get(5)?, row.get(6)?],
        event: row.get(7)?,
        day: Day(row.get(8)?),
        result: result_numbered(row.get(9)?),
        plies: row.get(10)?,
        ply: 0,
        link: row.get(11)?,
    })
}

impl Found {
    fn place(&self, sort: Sort) -> (u32, u32) {
        let value = match sort {
            Sort::Added => self.id,
            Sort::Day => self.day.0,
            Sort::Rating => self.ratings_average(),
            Sort::Length => self.plies,
        };
        (value, self.id)
    }

    fn ratings_average(&self) -> u32 {
        let known = self.ratings.iter().filter(|&&rating| rating > 0).count() as u32;
        self.ratings.iter().sum::<u32>() / known.max(1)
    }
}

/// Returns the games that both lists have, with the ply of the first list.
fn both(one: Vec<Hit>, other: &[Hit]) -> Vec<Hit> {
    let mut other = other.iter().peekable();
    let mut has = |game| {
        while other.next_if(|hit| hit.game < game).is_some() {}
        other.peek().is_some_and(|hit| hit.game == game)
    };
    one.into_iter().filter(|hit| has(hit.game)).collect()
}

/// Returns the first hit of each game, by game.
fn first_times(mut all: Vec<Hit>) -> Vec<Hit> {
    let games = |pick: fn(u32, u32) -> u32| all.iter().map(|hit| hit.game).reduce(pick);
    let (Some(low), Some(high)) = (games(u32::min), games(u32::max)) else { return all };
    let range = (high - low) as usize + 1;
    if range > all.len() * 4 {
        all.sort_unstable();
        all.dedup_by_key(|hit| hit.game);
        return all;
    }
    // A good part of all games, as for the start of a game: they are laid out rather than sorted.
    let mut plies = vec![u32::MAX; range];
    for hit in &all {
        let ply = &mut plies[(hit.game - low) as usize];
        *ply = hit.ply.min(*ply);
    }
    let there = plies.into_iter().zip(low..).filter(|&(ply, _)| ply != u32::MAX);
    there.map(|(ply, game)| Hit { game, ply }).collect()
}

/// Returns the games of collections with a position, by rising number; each once.
pub(crate) fn position_hits(
    library: &Library,
    reader: &Connection,
    collections: &[i64],
    key: u64,
) -> Result<Vec<Hit>, Problem> {
    let mut all = Vec::new();
    for &collection in collections {
        for run in runs::of_collection(reader, collection)? {
            let directory = library.directory(reader, run.id)?;
            for entry in runs::lookup(reader, &directory, key)? {
                all.extend(runs::hits(reader, &entry)?);
            }
        }
    }
    Ok(first_times(all))
}

fn pattern_hits(reader: &Connection, collections: &[i64], features: &[u64]) -> Result<Vec<Hit>, Problem> {
    let mut all = Vec::new();
    for &collection in collections {
        for run in runs::of_collection(reader, collection)? {
            all.extend(pattern::games(reader, run.id, features)?);
        }
    }
    all.sort_unstable();
    Ok(all)
}

/// Returns the games of players of that name, where those are few.
fn name_hits(reader: &Connection, query: &Query) -> Result<Option<Vec<Hit>>, Problem> {
    let name = [&query.player, &query.first, &query.second].into_iter().find(|name| !name.trim().is_empty());
    let Some(name) = name.map(|name| fold(name)) else { return Ok(None) };
    let games: i64 = reader
        .prepare_cached("SELECT coalesce(sum(games), 0) FROM player WHERE instr(folded, ?1)")
        .and_then(|mut read| read.query_row([&name], |row| row.get(0)))
        .map_err(fault)?;
    if games > FEW {
        return Ok(None);
    }
    let mut read = reader
        .prepare_cached(
            "WITH named AS MATERIALIZED (SELECT id FROM player WHERE instr(folded, ?1))
             SELECT game.id FROM named CROSS JOIN game ON game.first = named.id
             UNION SELECT game.id FROM named CROSS JOIN game ON game.second = named.id ORDER BY 1",
        )
        .map_err(fault)?;
    let rows = read.query_map([&name], |row| Ok(Hit { game: row.get(0)?, ply: 0 })).map_err(fault)?;
    rows.collect::<Result<_, _>>().map(Some).map_err(fault)
}

impl Library {
    /// Returns a page of the games that fit.
    ///
    /// # Errors
    /// `library-pattern-large`, `library-storage`.
    pub fn search(&self, query: &Query) -> Result<Page, Problem> {
        if query.pattern.len() > MOST_PIECES {
            return Err(Problem::new("library-pattern-large").with("limit", MOST_PIECES));
        }
        let reader = self.reader()?;
        // All that is read is of one moment, whatever an import writes meanwhile.
        let moment = reader.unchecked_transaction().map_err(fault)?;
        let mut list: Option<Vec<Hit>> = None;
        if let Some(key) = query.position {
            list = Some(position_hits(self, &moment, &query.collections, key)?);
        }
        if !query.pattern.is_empty() {
            let hits = pattern_hits(&moment, &query.collections, &query.pattern)?;
            list = Some(list.map_or_else(|| hits.clone(), |one| both(one, &hits)));
        }
        let hits = list.as_ref().map(|list| list.len() as u64);
        if let Some(named) = name_hits(&moment, query)? {
            list = Some(list.map_or_else(|| named.clone(), |one| both(one, &named)));
        }
        let mut games = match &list {
            Some(list) if query.sort == Sort::Added => added_last(&moment, query, list)?,
            Some(list) if list.len() <= SHORT => fitting(&moment, query, list)?,
            list => in_order(&moment, query, list.as_deref())?,
        };
        games.sort_unstable_by(|one, other| other.cmp(one));
        games.truncate(page_size(query) + 1);
        Ok(page(whole(&moment, &games)?, query, hits))
    }
}

/// Returns the number of games on a page of this query.
fn page_size(query: &Query) -> usize {
    query.most.clamp(1, MOST_PAGE)
}

/// Cuts the games, of which there may be one too many, to a page.
fn page(mut games: Vec<Found>, query: &Query, hits: Option<u64>) -> Page {
    let most = page_size(query);
    let more = games.len() > most;
    games.truncate(most);
    let next = games.last().filter(|_| more).map(|last| last.place(query.sort));
    Page { games, next, hits }
}

/// A game that fits, before its row is read: its value in the order, its number, and the ply of its hit.
type Ranked = (u32, u32, u32);

/// Returns the hits that fit the query, in no order. One statement, so that the names of a query are looked up once.
fn fitting(reader: &Connection, query: &Query, hits: &[Hit]) -> Result<Vec<Ranked>, Problem> {
    let mut all = conditions(query);
    let ids: Vec<String> = hits.iter().map(|hit| hit.game.to_string()).collect();
    all.values.push(Value::from(format!("[{}]", ids.join(","))));
    let (column, place) = (query.sort.column(), all.values.len());
    let sql = format!(
        "SELECT {column}, game.id FROM json_each(?{place}) AS hit CROSS JOIN game ON game.id = hit.value WHERE {}",
        all.sql
    );
    let mut read = reader.prepare_cached(&sql).map_err(fault)?;
    let rows = read
        .query_map(params_from_iter(&all.values), |row| Ok((row.get::<_, u32>(0)?, row.get::<_, u32>(1)?)))
        .map_err(fault)?;
    let mut games = Vec::new();
    for row in rows {
        let (value, id) = row.map_err(fault)?;
        let at = hits.binary_search_by_key(&id, |hit| hit.game).expect("it is one of the hits");
        if query.after.is_none_or(|after| (value, id) < after) {
            games.push((value, id, hits[at].ply));
        }
    }
    Ok(games)
}

/// Returns the games of a list that were added last, up to one more than a page.
fn added_last(reader: &Connection, query: &Query, list: &[Hit]) -> Result<Vec<Ranked>, Problem> {
    let before = query.after.map_or(u32::MAX, |(_, id)| id);
    let mut left = &list[..list.partition_point(|hit| hit.game < before)];
    let mut games = Vec::new();
    let mut at_once = page_size(query) + 1;
    while !left.is_empty() && games.len() <= page_size(query) {
        let (rest, last) = left.split_at(left.len().saturating_sub(at_once));
        games.extend(fitting(reader, query, last)?);
        left = rest;
        // Where few fit, many are asked at once: each time the names of the query are looked up again.
        at_once = (at_once * 4).min(MOST_AT_ONCE);
    }
    Ok(games)
}

/// Reads games in the order of the query until there are enough; only those of the list, where there is one.
fn in_order(reader: &Connection, query: &Query, list: Option<&[Hit]>) -> Result<Vec<Ranked>, Problem> {
    let mut all = conditions(query);
    let column = query.sort.column();
    if let Some((value, id)) = query.after {
        all.add(&format!("{column} <= ?"), i64::from(value));
        if query.sort != Sort::Added {
            all.add(&format!("({column}, game.id) < ({value}, ?)"), i64::from(id));
        } else {
            all.add("game.id < ?", i64::from(id));
        }
    }
    let order = if query.sort == Sort::Added {
        "game.id DESC".to_owned()
    } else {
        format!("{column} DESC, game.id DESC")
    };
    let index = match query.sort {
        Sort::Added => "NOT INDEXED",
        Sort::Day => "INDEXED BY game_day",
        Sort::Rating => "INDEXED BY game_rating",
        Sort::Length => "INDEXED BY game_plies",
    };
    let sql = format!("SELECT {column}, game.id FROM game {index} WHERE {} ORDER BY {order}", all.sql);
    let mut read = reader.prepare_cached(&sql).map_err(fault)?;
    let mut rows = read.query(params_from_iter(&all.values)).map_err(fault)?;
    let mut games = Vec::new();
    while games.len() <= page_size(query) {
        let Some(row) = rows.next().map_err(fault)? else { break };
        let (value, id) = (row.get(0).map_err(fault)?, row.get(1).map_err(fault)?);
        let ply = match list {
            None => 0,
            Some(list) => match list.binary_search_by_key(&id, |hit| hit.game) {
                Ok(at) => list[at].ply,
                Err(_) => continue,
            },
        };
        games.push((value, id, ply));
    }
    Ok(games)
}

/// Returns the data of a game; `None` for an unknown number.
pub(crate) fn one(reader: &Connection, game: u32) -> Result<Option<Found>, Problem> {
    let row = reader
        .prepare_cached(&format!("{ROWS}game.id = ?1"))
        .and_then(|mut read| read.query_row([game], found).optional());
    row.map_err(fault)
}

/// Reads the whole rows of the games of a page.
fn whole(reader: &Connection, ranked: &[Ranked]) -> Result<Vec<Found>, Problem> {
    let mut games = Vec::with_capacity(ranked.len());
    for &(_, id, ply) in ranked {
        games.extend(one(reader, id)?.map(|game| Found { ply, ..game }));
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laid_out_or_sorted_the_first_times_are_the_same() {
        let mut random = 7_u32;
        let mut next = |below: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) % below
        };
        for games in [1, 10, 100, 100_000] {
            let hits: Vec<Hit> = (0..400).map(|_| Hit { game: 3 + next(games), ply: next(50) }).collect();
            let mut sorted = hits.clone();
            sorted.sort_unstable();
            sorted.dedup_by_key(|hit| hit.game);
            assert_eq!(first_times(hits), sorted, "{games}");
        }
        assert_eq!(first_times(Vec::new()), []);
    }
}
