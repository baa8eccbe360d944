//! Games found by what is written about them, by a position, or by a pattern.
//!
//! Positions, patterns and names of few games each give a list of games; where their intersection is short, those rows
//! are read and sorted. Where it is long, or there is none, rows are read in the order that is wanted until a page is
//! full.

use kernel::Problem;
use records::Score;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::fold::fold;
use crate::runs::{self, Hit};
use crate::{Day, Library, fault, pattern};

/// The most games of a page.
pub const MOST_PAGE: usize = 100;
/// Lists up to this length are read and sorted; longer ones are looked into while rows are read in order.
const SHORT: usize = 4_000;
/// Names of up to this many games are looked up by themselves.
const FEW: i64 = 20_000;
/// The most pieces of a pattern.
pub const MOST_PIECES: usize = 64;

/// The number of a result in the file.
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

/// The result with that number.
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

/// What games are sorted by, the greatest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sort {
    /// The order in which they came in.
    #[default]
    Added,
    /// The day they were played.
    Day,
    /// The average rating of the players.
    Rating,
    /// The number of plies.
    Length,
}

impl Sort {
    /// Every order.
    pub const ALL: [Sort; 4] = [Sort::Added, Sort::Day, Sort::Rating, Sort::Length];

    /// `added`, `day`, `rating` or `length`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Sort::Added => "added",
            Sort::Day => "day",
            Sort::Rating => "rating",
            Sort::Length => "length",
        }
    }

    /// The order with that key.
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

/// Which games are wanted. Empty texts and `None`: any.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    /// Numbers of the collections to look in; none: nothing is found.
    pub collections: Vec<i64>,
    /// A game of the catalogue, or a family for all of its games.
    pub game: String,
    /// A part of a player's name, in whatever letters.
    pub player: String,
    /// A part of the name of whoever played the first side.
    pub first: String,
    /// A part of the name of whoever played the second side.
    pub second: String,
    /// A part of the event's name.
    pub event: String,
    /// Played on this day or later.
    pub since: Option<Day>,
    /// Played on this day or before; 2026 alone is all of that year.
    pub until: Option<Day>,
    /// How it ended.
    pub result: Option<Score>,
    /// The average rating is at least this.
    pub least_rating: Option<u32>,
    /// There are at least so many plies.
    pub least_plies: Option<u32>,
    /// There are at most so many plies.
    pub most_plies: Option<u32>,
    /// The key of a position that was on the board: see [`crate::walk::position_key`].
    pub position: Option<u64>,
    /// Pieces that stood on the board at once: see [`crate::walk::feature`].
    pub pattern: Vec<u64>,
    /// The order.
    pub sort: Sort,
    /// Begins behind this game of the page before: its value of the order, and its number.
    pub after: Option<(u32, u32)>,
    /// The most games wanted.
    pub most: usize,
}

/// A game that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Its number.
    pub id: u32,
    /// The number of its collection.
    pub collection: i64,
    /// Key of the game in the catalogue.
    pub game: String,
    /// Who played, as it was written; empty: nobody knows.
    pub players: [String; 2],
    /// Their ratings; 0: not known.
    pub ratings: [u32; 2],
    /// Where it was played.
    pub event: String,
    /// When.
    pub day: Day,
    /// How it ended.
    pub result: Option<Score>,
    /// Number of plies.
    pub plies: u32,
    /// The first ply at which the position or the pattern was there; 0 when none was asked for.
    pub ply: u32,
    /// The table it was played at, for the hall's own games.
    pub link: Option<String>,
}

/// A page of games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Page {
    /// The games, in order.
    pub games: Vec<Found>,
    /// Where the next page begins; `None` where this is the last one.
    pub next: Option<(u32, u32)>,
    /// How many games have the position or the pattern, before anything else is asked of them; `None` when neither was
    /// asked for.
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

/// What a row of a page is made of; the conditions follow.
pub(crate) const ROWS: &str =
    "SELECT game.id, game.collection, rules.game, one.name, other.name, game.first_rating,
    game.second_rating, event.name, game.day, game.result, game.plies, body.link
    FROM game CROSS JOIN rules ON rules.id = game.rules CROSS JOIN player AS one ON one.id = game.first
    CROSS JOIN player AS other ON other.id = game.second CROSS JOIN event ON event.id = game.event
    CROSS JOIN body ON body.game = game.id WHERE ";

pub(crate) fn found(row: &rusqlite::Row) -> rusqlite::Result<Found> {
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

/// Games that both lists have, with the ply of the first list.
fn both(one: Vec<Hit>, other: &[Hit]) -> Vec<Hit> {
    let mut other = other.iter().peekable();
    let mut has = |game| {
        while other.next_if(|hit| hit.game < game).is_some() {}
        other.peek().is_some_and(|hit| hit.game == game)
    };
    one.into_iter().filter(|hit| has(hit.game)).collect()
}

/// The games of collections with a position, by rising number; each once.
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
    // By game, then by ply: the first of equals is the first time.
    all.sort_unstable();
    all.dedup_by_key(|hit| hit.game);
    Ok(all)
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

/// The games of players of that name, where those are few.
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
    /// A page of the games that fit.
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
        let games = match &list {
            Some(list) if list.len() <= SHORT => sorted(&moment, query, list)?,
            list => in_order(&moment, query, list.as_deref())?,
        };
        Ok(page(games, query, hits))
    }
}

/// How many games a page of this query has.
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

/// Reads the games of a short list, and sorts them.
fn sorted(reader: &Connection, query: &Query, list: &[Hit]) -> Result<Vec<Found>, Problem> {
    let mut all = conditions(query);
    all.add("game.id = ?", 0_i64);
    let mut read = reader.prepare_cached(&format!("{ROWS}{}", all.sql)).map_err(fault)?;
    let mut games = Vec::new();
    for hit in list {
        *all.values.last_mut().expect("the id was just added") = Value::from(i64::from(hit.game));
        let mut rows = read.query_map(params_from_iter(&all.values), found).map_err(fault)?;
        if let Some(row) = rows.next() {
            let game = Found { ply: hit.ply, ..row.map_err(fault)? };
            if query.after.is_none_or(|after| game.place(query.sort) < after) {
                games.push(game);
            }
        }
    }
    games.sort_unstable_by_key(|game| std::cmp::Reverse(game.place(query.sort)));
    games.truncate(page_size(query) + 1);
    Ok(games)
}

/// Reads games in the order that is wanted until there are enough; only those of the list, where there is one.
fn in_order(reader: &Connection, query: &Query, list: Option<&[Hit]>) -> Result<Vec<Found>, Problem> {
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
    let rows = ROWS.replace("FROM game ", &format!("FROM game {index} "));
    let mut read = reader.prepare_cached(&format!("{rows}{} ORDER BY {order}", all.sql)).map_err(fault)?;
    let mut rows = read.query(params_from_iter(&all.values)).map_err(fault)?;
    let mut games = Vec::new();
    while games.len() <= page_size(query) {
        let Some(row) = rows.next().map_err(fault)? else { break };
        let id: u32 = row.get(0).map_err(fault)?;
        let ply = match list {
            None => 0,
            Some(list) => match list.binary_search_by_key(&id, |hit| hit.game) {
                Ok(at) => list[at].ply,
                Err(_) => continue,
            },
        };
        games.push(Found { ply, ..found(row).map_err(fault)? });
    }
    Ok(games)
}
