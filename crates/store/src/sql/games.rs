//! Games that have ended, and ratings.
//!
//! The rows of a group of commits are written by a few statements, however many games have ended in it. A row is made
//! from the hall's data of a game; whether both players have accounts, so that its result counts, is looked up here,
//! in the same commit.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use people::pool::LEAST_PLIES;
use people::rating::rate;
use people::{Pool, Rating, Score, Speed};
use sqlx::{QueryBuilder, Row};
use wire::{Outcome, Side};

use super::db::{self, Db, DbConnection, DbPool, DbRow};
use super::people::Rewrite;
use super::{Stock, failed, number};
use crate::games::{Curves, Ending, Filter, Finished, GameRow, Games, Place, Plies, Step, Tally};
use crate::{StoreError, format};

/// The number of rows written with one statement, which may have 32 766 values.
const PART: usize = 256;
/// Columns of [`read_row`].
macro_rules! columns {
    () => {
        "g.n, g.id, g.format, g.setup, g.players, g.winner, g.void, g.reason, g.plies, g.speed,
    g.begun_ms, g.ended_ms, a.rating_before, a.rating, b.rating_before, b.rating"
    };
}
/// The joins that these columns need, after a row `g` of the table `game`.
macro_rules! steps {
    () => {
        "LEFT JOIN rating_change a ON a.person = g.first AND a.pool = g.pool AND a.n = g.n
    LEFT JOIN rating_change b ON b.person = g.second AND b.pool = g.pool AND b.n = g.n"
    };
}

/// A game's row as it is going to be written.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct NewRow {
    pub(crate) id: String,
    format: u32,
    setup: String,
    players: String,
    pub(crate) people: [String; 2],
    winner: Option<usize>,
    void: bool,
    reason: String,
    game: String,
    plies: i64,
    speed: Option<Speed>,
    /// The rating pool in which the result counts between accounts.
    pub(crate) pool: Option<Pool>,
    begun_ms: i64,
    pub(crate) ended_ms: i64,
    record: Vec<u8>,
}

impl NewRow {
    pub(crate) fn of(finished: &Finished) -> NewRow {
        let Finished { game, speed, pool } = finished;
        let is_program = game.players.iter().any(|player| player.engine.is_some());
        NewRow {
            id: game.id.clone(),
            format: format::NEWEST,
            setup: format::write_setup(&game.setup),
            players: format::write_players(&game.players),
            people: game.players.clone().map(|player| player.id),
            winner: game.outcome.winner.map(|side| side.index()),
            void: game.outcome.void,
            reason: game.outcome.reason.to_string(),
            game: game.setup.game.clone(),
            plies: i64::try_from(game.plies.len()).unwrap_or(i64::MAX),
            speed: *speed,
            pool: pool.clone().filter(|_| game.setup.rated && !game.outcome.void && !is_program),
            begun_ms: number(game.begun_ms),
            ended_ms: number(game.ended_ms),
            record: format::write_plies(&game.plies),
        }
    }

    /// Returns the result for that side, as the table `game_player` has it.
    fn result(&self, side: usize) -> Option<i64> {
        match self.winner {
            _ if self.void => None,
            Some(winner) if winner == side => Some(1),
            Some(_) => Some(-1),
            None => Some(0),
        }
    }

    /// The first column in which another row differs. Records are compared unpacked: libraries pack differently.
    pub(crate) fn difference(&self, other: &NewRow) -> Option<&'static str> {
        let plies = |row: &NewRow| format::plies(row.format, &row.record);
        let setup = |row: &NewRow| format::setup(row.format, &row.setup);
        let players = |row: &NewRow| format::players(row.format, &row.players);
        let columns = [
            ("setup", setup(self) == setup(other)),
            ("players", players(self) == players(other) && self.people == other.people),
            ("result", (self.winner, self.void) == (other.winner, other.void)),
            ("reason", self.reason == other.reason),
            ("speed", self.speed == other.speed),
            ("pool", self.pool == other.pool),
            ("begun_ms", self.begun_ms == other.begun_ms),
            ("ended_ms", self.ended_ms == other.ended_ms),
            ("record", self.plies == other.plies && plies(self) == plies(other)),
        ];
        columns.into_iter().find(|(_, same)| !same).map(|(column, _)| column)
    }

    /// The same with the pool that is stored, where it is too short to be rated and was rated by a hall that knew no shortest.
    pub(crate) fn rated_as_before(mut self, stored: &NewRow) -> NewRow {
        if self.pool.is_none() && usize::try_from(self.plies).is_ok_and(|plies| plies < LEAST_PLIES) {
            self.pool.clone_from(&stored.pool);
        }
        self
    }

    /// Returns the result for the first player.
    fn score(&self) -> Score {
        score(self.winner)
    }
}

pub(crate) fn score(winner: Option<usize>) -> Score {
    match winner {
        Some(0) => Score::Win,
        Some(_) => Score::Loss,
        None => Score::Draw,
    }
}

/// A rating that a game changes.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Change {
    pub(crate) person: String,
    pub(crate) pool: Pool,
    pub(crate) n: i64,
    pub(crate) before: Rating,
    pub(crate) after: Rating,
}

/// The ratings of some people, by public id and pool.
#[derive(Default)]
pub(crate) struct Ratings(pub(crate) HashMap<String, BTreeMap<Pool, Rating>>);

impl Ratings {
    /// Computes the rating changes of a game and keeps the new ratings, from which the next game of the same people
    /// starts.
    pub(crate) fn play(
        &mut self,
        n: i64,
        people: &[String; 2],
        pool: &Pool,
        score: Score,
        ended_ms: i64,
    ) -> [Change; 2] {
        let at_ms = ended_ms.cast_unsigned();
        let before = [0, 1].map(|i| {
            let known = self.0.get(&people[i]);
            known.and_then(|pools| pools.get(pool)).copied().unwrap_or_else(|| {
                let related = known.into_iter().flatten().filter(|(other, _)| pool.is_related(other));
                Rating::first(related.map(|(_, rating)| rating), at_ms)
            })
        });
        let after = rate(&before[0], &before[1], score, at_ms);
        [0, 1].map(|i| {
            self.0.entry(people[i].clone()).or_default().insert(pool.clone(), after[i]);
            let (person, pool) = (people[i].clone(), pool.clone());
            Change { person, pool, n, before: before[i], after: after[i] }
        })
    }
}

/// Deletes the rows of games that go on again, and writes those of games that have ended, with their rating changes.
pub(crate) async fn write(
    connection: &mut DbConnection,
    reopened: &BTreeSet<&str>,
    ended: &[&NewRow],
) -> Result<(), StoreError> {
    if !reopened.is_empty() {
        delete(connection, &json(reopened)?).await?;
    }
    if ended.is_empty() {
        return Ok(());
    }
    let ids = json(&ended.iter().map(|row| row.id.as_str()).collect::<Vec<_>>())?;
    let sql = "SELECT coalesce((SELECT max(n) FROM game), 0),
        (SELECT json_group_array(id) FROM game WHERE id IN (SELECT value FROM json_each($1)))";
    let row = db::query(sql).bind(&ids).fetch_one(&mut *connection).await.map_err(failed)?;
    let (last, known): (i64, String) = (row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?);
    let known: BTreeSet<String> =
        serde_json::from_str(&known).map_err(|why| StoreError::Failed(why.to_string()))?;
    if !known.is_empty() {
        delete(connection, &ids).await?;
    }
    let mut numbered = Vec::with_capacity(ended.len());
    for row in ended {
        numbered.push((last + 1 + i64::try_from(numbered.len()).unwrap_or(0), *row));
    }
    let changes = rate_all(connection, &mut numbered_pools(&numbered)).await?;
    let rated: BTreeSet<i64> = changes.iter().map(|change| change.n).collect();
    insert(connection, &numbered, &rated).await?;
    insert_changes(connection, &changes).await
}

/// A game that may change ratings: its number, the players, the pool, the score of the first, and when it ended.
type ToRate<'a> = (i64, &'a [String; 2], &'a Pool, Score, i64);

fn numbered_pools<'a>(rows: &[(i64, &'a NewRow)]) -> Vec<ToRate<'a>> {
    let pool =
        |(n, row): &(i64, &'a NewRow)| Some((*n, &row.people, row.pool.as_ref()?, row.score(), row.ended_ms));
    rows.iter().filter_map(pool).collect()
}

/// Computes the rating changes of these games, and leaves out the games that are not between two accounts.
async fn rate_all(
    connection: &mut DbConnection,
    games: &mut Vec<ToRate<'_>>,
) -> Result<Vec<Change>, StoreError> {
    if games.is_empty() {
        return Ok(Vec::new());
    }
    let people: BTreeSet<&str> = games.iter().flat_map(|game| game.1.iter().map(String::as_str)).collect();
    let people = json(&people)?;
    let sql = "SELECT id FROM person WHERE id IN (SELECT value FROM json_each($1)) AND kind IN ('account', 'closed', 'suspended')";
    let rows = db::query(sql).bind(&people).fetch_all(&mut *connection).await.map_err(failed)?;
    let accounts: BTreeSet<String> =
        rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(failed)?;
    games.retain(|game| game.1[0] != game.1[1] && game.1.iter().all(|person| accounts.contains(person)));
    let sql = "SELECT pool, rating, deviation, volatility, games, at_ms, person FROM rating
        WHERE person IN (SELECT value FROM json_each($1))";
    let rows = db::query(sql).bind(&people).fetch_all(connection).await.map_err(failed)?;
    let mut ratings = Ratings::default();
    for row in &rows {
        let (pool, rating) = read_rating(row)?;
        ratings.0.entry(row.try_get(6).map_err(failed)?).or_default().insert(pool, rating);
    }
    let play = |game: &ToRate<'_>| ratings.play(game.0, game.1, game.2, game.3, game.4);
    Ok(games.iter().flat_map(play).collect())
}

/// A row `pool, rating, deviation, volatility, games, at_ms, …`.
fn read_rating(row: &DbRow) -> Result<(Pool, Rating), StoreError> {
    let text: &str = row.try_get(0).map_err(failed)?;
    let pool = Pool::read(text).ok_or_else(|| odd(format!("the pool {text:?} is none")))?;
    let rating = Rating {
        rating: row.try_get(1).map_err(failed)?,
        deviation: row.try_get(2).map_err(failed)?,
        volatility: row.try_get(3).map_err(failed)?,
        games: db::int(row, 4).map_err(failed)?,
        at_ms: row.try_get::<i64, _>(5).map_err(failed)?.cast_unsigned(),
    };
    Ok((pool, rating))
}

pub(crate) async fn insert(
    connection: &mut DbConnection,
    rows: &[(i64, &NewRow)],
    rated: &BTreeSet<i64>,
) -> Result<(), StoreError> {
    for part in rows.chunks(PART) {
        let mut query = QueryBuilder::<Db>::new(
            "INSERT INTO game (n, id, format, setup, players, first, second, winner, void, reason, plies, speed, pool,
                begun_ms, ended_ms, record) ",
        );
        query.push_values(part, |mut to, (n, row)| {
            to.push_bind(*n)
                .push_bind(row.id.as_str())
                .push_bind(i64::from(row.format))
                .push_bind(row.setup.as_str())
                .push_bind(row.players.as_str())
                .push_bind(row.people[0].as_str())
                .push_bind(row.people[1].as_str())
                .push_bind(row.winner.map(|side| side as i64))
                .push_bind(row.void)
                .push_bind(row.reason.as_str())
                .push_bind(row.plies)
                .push_bind(row.speed.map(Speed::key))
                .push_bind(row.pool.as_ref().filter(|_| rated.contains(n)).map(Pool::to_string))
                .push_bind(row.begun_ms)
                .push_bind(row.ended_ms)
                .push_bind(row.record.as_slice());
        });
        query.build().execute(&mut *connection).await.map_err(failed)?;
        insert_lines(connection, part, rated).await?;
    }
    Ok(())
}

/// The rows of `game_player` that belong to these.
async fn insert_lines(
    connection: &mut DbConnection,
    rows: &[(i64, &NewRow)],
    rated: &BTreeSet<i64>,
) -> Result<(), StoreError> {
    let mut query = QueryBuilder::<Db>::new(
        "INSERT INTO game_player (person, ended_ms, n, side, opponent, game, result, speed, rated) ",
    );
    let both = rows.iter().flat_map(|(n, row)| [(*n, *row, 0), (*n, *row, 1)]);
    query.push_values(both, |mut to, (n, row, side): (i64, &NewRow, usize)| {
        to.push_bind(row.people[side].as_str())
            .push_bind(row.ended_ms)
            .push_bind(n)
            .push_bind(side as i64)
            .push_bind(row.people[1 - side].as_str())
            .push_bind(row.game.as_str())
            .push_bind(row.result(side))
            .push_bind(row.speed.map(Speed::key))
            .push_bind(rated.contains(&n));
    });
    // A table at which one person has both seats is theirs once.
    query.push(" ON CONFLICT DO NOTHING");
    query.build().execute(connection).await.map(|_| ()).map_err(failed)
}

pub(crate) async fn insert_changes(
    connection: &mut DbConnection,
    changes: &[Change],
) -> Result<(), StoreError> {
    for part in changes.chunks(PART) {
        let mut query = QueryBuilder::<Db>::new(
            "INSERT INTO rating_change (person, pool, n, cause, at_ms, rating_before, deviation_before,
                volatility_before, rating, deviation, volatility) ",
        );
        query.push_values(part, |mut to, change| {
            to.push_bind(change.person.as_str())
                .push_bind(change.pool.to_string())
                .push_bind(change.n)
                .push_bind("game")
                .push_bind(number(change.after.at_ms))
                .push_bind(change.before.rating)
                .push_bind(change.before.deviation)
                .push_bind(change.before.volatility)
                .push_bind(change.after.rating)
                .push_bind(change.after.deviation)
                .push_bind(change.after.volatility);
        });
        query.build().execute(&mut *connection).await.map_err(failed)?;
    }
    // Of several changes in one group the last one counts.
    let last: BTreeMap<(&str, &Pool), &Rating> =
        changes.iter().map(|change| ((change.person.as_str(), &change.pool), &change.after)).collect();
    let last: Vec<_> = last.into_iter().collect();
    for part in last.chunks(PART) {
        let mut query = QueryBuilder::<Db>::new(
            "INSERT INTO rating (person, pool, rating, deviation, volatility, games, at_ms) ",
        );
        query.push_values(part, |mut to, ((person, pool), rating)| {
            to.push_bind(*person)
                .push_bind(pool.to_string())
                .push_bind(rating.rating)
                .push_bind(rating.deviation)
                .push_bind(rating.volatility)
                .push_bind(i64::from(rating.games))
                .push_bind(number(rating.at_ms));
        });
        query.push(
            " ON CONFLICT (person, pool) DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation,
                volatility = excluded.volatility, games = excluded.games, at_ms = excluded.at_ms",
        );
        query.build().execute(&mut *connection).await.map_err(failed)?;
    }
    Ok(())
}

/// Deletes the rows of the games in a JSON list of ids, but not those that changed a rating: such an end is final.
pub(crate) async fn delete(connection: &mut DbConnection, ids: &str) -> Result<(), StoreError> {
    for sql in [
        "DELETE FROM game_player WHERE n IN
            (SELECT n FROM game WHERE pool IS NULL AND id IN (SELECT value FROM json_each($1)))",
        "DELETE FROM game WHERE pool IS NULL AND id IN (SELECT value FROM json_each($1))",
    ] {
        db::query(sql).bind(ids).execute(&mut *connection).await.map_err(failed)?;
    }
    Ok(())
}

/// Changes a person in the row of a game as they were changed in its log: to another id, or to a player without a
/// name.
pub(crate) async fn rewrite(
    connection: &mut DbConnection,
    table: &str,
    old_id: &str,
    how: Rewrite<'_>,
) -> Result<(), StoreError> {
    let Some((n, mut row, _)) = stored(connection, table).await? else { return Ok(()) };
    let mut players = format::players(row.format, &row.players).map_err(odd)?;
    for player in players.iter_mut().filter(|player| player.id == old_id && player.engine.is_none()) {
        match how {
            Rewrite::Id(new_id) => new_id.clone_into(&mut player.id),
            Rewrite::Nameless => player.name = None,
        }
    }
    row.players = format::write_players(&players);
    row.people = players.map(|player| player.id);
    let query = db::query("UPDATE game SET players = $1, first = $2, second = $3 WHERE n = $4");
    let query = query.bind(&row.players).bind(&row.people[0]).bind(&row.people[1]).bind(n);
    query.execute(&mut *connection).await.map_err(failed)?;
    db::query("DELETE FROM game_player WHERE n = $1")
        .bind(n)
        .execute(&mut *connection)
        .await
        .map_err(failed)?;
    let rated = row.pool.iter().map(|_| n).collect();
    insert_lines(connection, &[(n, &row)], &rated).await
}

fn json(texts: &impl serde::Serialize) -> Result<String, StoreError> {
    serde_json::to_string(texts).map_err(|why| StoreError::Failed(why.to_string()))
}

fn odd(what: impl Into<String>) -> StoreError {
    StoreError::damaged(what, "a remembered game", "run `qiguan admin rebuild`, which makes such rows anew")
}

/// Returns whether all of these people have, or had, accounts.
pub(crate) async fn are_accounts(
    connection: &mut DbConnection,
    people: &[String; 2],
) -> Result<bool, StoreError> {
    let sql =
        "SELECT count(*) = 2 FROM person WHERE id IN ($1, $2) AND kind IN ('account', 'closed', 'suspended')";
    let query = db::query(sql).bind(&people[0]).bind(&people[1]);
    query.fetch_one(connection).await.map_err(failed)?.try_get(0).map_err(failed)
}

/// A row of `game_player`, but for its number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlayerRow {
    person: String,
    ended_ms: i64,
    side: i64,
    opponent: String,
    game: String,
    result: Option<i64>,
    speed: Option<String>,
    rated: bool,
}

/// The rows of `game_player` that belong to the row of a game.
pub(crate) fn lines(row: &NewRow) -> Vec<PlayerRow> {
    let line = |side: usize| PlayerRow {
        person: row.people[side].clone(),
        ended_ms: row.ended_ms,
        side: side as i64,
        opponent: row.people[1 - side].clone(),
        game: row.game.clone(),
        result: row.result(side),
        speed: row.speed.map(|speed| speed.key().to_owned()),
        rated: row.pool.is_some(),
    };
    let both = if row.people[0] == row.people[1] { 1 } else { 2 };
    (0..both).map(line).collect()
}

/// The row of a game as it is stored, with its number and the rows of its players.
pub(crate) async fn stored(
    connection: &mut DbConnection,
    id: &str,
) -> Result<Option<(i64, NewRow, Vec<PlayerRow>)>, StoreError> {
    let sql =
        "SELECT n, format, setup, players, first, second, winner, void, reason, plies, speed, pool, begun_ms,
        ended_ms, record FROM game WHERE id = $1";
    let row = db::query(sql).bind(id).fetch_optional(&mut *connection).await.map_err(failed)?;
    let Some(row) = row else { return Ok(None) };
    let read = || -> Result<(i64, NewRow), sqlx::Error> {
        let (speed, pool): (Option<&str>, Option<&str>) = (row.try_get(10)?, row.try_get(11)?);
        let (format, setup): (u32, String) = (db::int(&row, 1)?, row.try_get(2)?);
        let found = NewRow {
            id: id.to_owned(),
            game: format::setup(format, &setup).map(|setup| setup.game).unwrap_or_default(),
            format,
            setup,
            players: row.try_get(3)?,
            people: [row.try_get(4)?, row.try_get(5)?],
            winner: row.try_get::<Option<i64>, _>(6)?.map(|side| usize::from(side != 0)),
            void: row.try_get(7)?,
            reason: row.try_get(8)?,
            plies: row.try_get(9)?,
            speed: speed.and_then(Speed::read),
            pool: pool.and_then(Pool::read),
            begun_ms: row.try_get(12)?,
            ended_ms: row.try_get(13)?,
            record: row.try_get(14)?,
        };
        Ok((row.try_get(0)?, found))
    };
    let (n, found) = read().map_err(|why| odd(format!("its row cannot be read: {why}")))?;
    let sql = "SELECT person, ended_ms, side, opponent, game, result, speed, rated FROM game_player
        WHERE n = $1 ORDER BY side";
    let rows = db::query(sql).bind(n).fetch_all(connection).await.map_err(failed)?;
    let line = |row: &DbRow| {
        Ok(PlayerRow {
            person: row.try_get(0)?,
            ended_ms: row.try_get(1)?,
            side: row.try_get(2)?,
            opponent: row.try_get(3)?,
            game: row.try_get(4)?,
            result: row.try_get(5)?,
            speed: row.try_get(6)?,
            rated: row.try_get(7)?,
        })
    };
    let lines = rows.iter().map(line).collect::<Result<_, sqlx::Error>>().map_err(failed)?;
    Ok(Some((n, found, lines)))
}

// Reading.

pub(crate) async fn one(readers: &DbPool, id: &str) -> Result<Option<GameRow>, StoreError> {
    let sql = concat!("SELECT ", columns!(), " FROM game g ", steps!(), " WHERE g.id = $1");
    let row = db::query(sql).bind(id).fetch_optional(readers).await.map_err(failed)?;
    row.as_ref().map(read_row).transpose()
}

pub(crate) async fn list(
    readers: &DbPool,
    person: &str,
    filter: &Filter,
    before: Option<Place>,
    most: u32,
) -> Result<Vec<GameRow>, StoreError> {
    let mut query = QueryBuilder::<Db>::new(concat!(
        "SELECT ",
        columns!(),
        " FROM (SELECT n, ended_ms FROM game_player WHERE person = "
    ));
    query.push_bind(person);
    if let Some(place) = before {
        query.push(" AND (ended_ms, n) < (").push_bind(number(place.ended_ms));
        query.push(", ").push_bind(number(place.n)).push(")");
    }
    if let Some(since_ms) = filter.since_ms {
        query.push(" AND ended_ms >= ").push_bind(number(since_ms));
    }
    if let Some(until_ms) = filter.until_ms {
        query.push(" AND ended_ms < ").push_bind(number(until_ms));
    }
    if let Some(game) = &filter.game {
        query.push(" AND game = ").push_bind(game);
    }
    if let Some(opponent) = &filter.opponent {
        query.push(" AND opponent = ").push_bind(opponent);
    }
    if let Some(side) = filter.side {
        query.push(" AND side = ").push_bind(i64::from(side));
    }
    if let Some(speed) = filter.speed {
        query.push(" AND speed = ").push_bind(speed.key());
    }
    if let Some(rated) = filter.rated {
        query.push(" AND rated = ").push_bind(rated);
    }
    match filter.result {
        None => {}
        Some(Ending::Win) => drop(query.push(" AND result = 1")),
        Some(Ending::Draw) => drop(query.push(" AND result = 0")),
        Some(Ending::Loss) => drop(query.push(" AND result = -1")),
        Some(Ending::Void) => drop(query.push(" AND result IS NULL")),
    }
    query.push(" ORDER BY ended_ms DESC, n DESC LIMIT ").push_bind(i64::from(most));
    // SQLite joins in this order, from the few games of the page.
    query.push(concat!(
        ") p CROSS JOIN game g ",
        steps!(),
        " WHERE g.n = p.n ORDER BY p.ended_ms DESC, p.n DESC"
    ));
    let rows = query.build().fetch_all(readers).await.map_err(failed)?;
    rows.iter().map(read_row).collect()
}

pub(crate) async fn after(readers: &DbPool, n: u64, most: u32) -> Result<Vec<GameRow>, StoreError> {
    let sql =
        concat!("SELECT ", columns!(), " FROM game g ", steps!(), " WHERE g.n > $1 ORDER BY g.n LIMIT $2");
    let query = db::query(sql).bind(number(n)).bind(i64::from(most));
    let rows = query.fetch_all(readers).await.map_err(failed)?;
    rows.iter().map(read_row).collect()
}

fn read_row(row: &DbRow) -> Result<GameRow, StoreError> {
    let format: u32 = db::int(row, 2).map_err(failed)?;
    let unsigned = |i: usize| row.try_get::<i64, _>(i).map(i64::cast_unsigned).map_err(failed);
    let winner = match row.try_get::<Option<i64>, _>(5).map_err(failed)? {
        None => None,
        Some(0) => Some(Side::First),
        Some(_) => Some(Side::Second),
    };
    let step = |i: usize| -> Result<Option<Step>, StoreError> {
        let (before, after): (Option<f64>, Option<f64>) =
            (row.try_get(i).map_err(failed)?, row.try_get(i + 1).map_err(failed)?);
        Ok(before.zip(after).map(|(before, after)| Step { before, after }))
    };
    let speed: Option<&str> = row.try_get(9).map_err(failed)?;
    Ok(GameRow {
        n: unsigned(0)?,
        id: row.try_get(1).map_err(failed)?,
        setup: format::setup(format, row.try_get(3).map_err(failed)?).map_err(odd)?,
        players: format::players(format, row.try_get(4).map_err(failed)?).map_err(odd)?,
        outcome: Outcome {
            winner,
            void: row.try_get(6).map_err(failed)?,
            reason: row.try_get::<String, _>(7).map_err(failed)?.into(),
        },
        plies: db::int(row, 8).map_err(failed)?,
        speed: speed.and_then(Speed::read),
        begun_ms: unsigned(10)?,
        ended_ms: unsigned(11)?,
        rated: step(12)?.zip(step(14)?).map(|(first, second)| [first, second]),
    })
}

pub(crate) async fn plies(readers: &DbPool, n: u64) -> Result<Option<Plies>, StoreError> {
    let query = db::query("SELECT format, record FROM game WHERE n = $1").bind(number(n));
    let Some(row) = query.fetch_optional(readers).await.map_err(failed)? else { return Ok(None) };
    let (format, record): (u32, &[u8]) = (db::int(&row, 0).map_err(failed)?, row.try_get(1).map_err(failed)?);
    format::plies(format, record).map(Some).map_err(odd)
}

pub(crate) async fn tally(
    readers: &DbPool,
    person: &str,
    opponent: Option<&str>,
) -> Result<Vec<Tally>, StoreError> {
    // All games of a person are read from an index alone.
    let sql = match opponent {
        None => {
            "SELECT game, count(*) FILTER (WHERE result = 1), count(*) FILTER (WHERE result = 0),
                count(*) FILTER (WHERE result = -1) FROM game_player
                WHERE person = $1 AND result IS NOT NULL GROUP BY game ORDER BY game"
        }
        Some(_) => {
            "SELECT game, count(*) FILTER (WHERE result = 1), count(*) FILTER (WHERE result = 0),
                count(*) FILTER (WHERE result = -1) FROM game_player
                WHERE person = $1 AND opponent = $2 AND result IS NOT NULL GROUP BY game ORDER BY game"
        }
    };
    let query = db::query(sql).bind(person);
    let query = if opponent.is_some() { query.bind(opponent) } else { query };
    let rows = query.fetch_all(readers).await.map_err(failed)?;
    let tally = |row: &DbRow| {
        let count = |i: usize| row.try_get::<i64, _>(i).map(i64::cast_unsigned);
        Ok(Tally { game: row.try_get(0)?, wins: count(1)?, draws: count(2)?, losses: count(3)? })
    };
    rows.iter().map(tally).collect::<Result<_, sqlx::Error>>().map_err(failed)
}

pub(crate) async fn ratings(readers: &DbPool, person: &str) -> Result<Vec<(Pool, Rating)>, StoreError> {
    let sql = "SELECT pool, rating, deviation, volatility, games, at_ms FROM rating WHERE person = $1 ORDER BY pool";
    let rows = db::query(sql).bind(person).fetch_all(readers).await.map_err(failed)?;
    rows.iter().map(read_rating).collect()
}

pub(crate) async fn curves(readers: &DbPool, person: &str, most: u32) -> Result<Curves, StoreError> {
    // From one day to the one before by the index, whose last entry of a day is the change looked for: as many steps as
    // points, however many games were played.
    let sql = "WITH RECURSIVE last (pool, n, day, at_ms, rating, rest) AS (
            SELECT pool, CAST(0 AS BIGINT), 9223372036854775807, CAST(0 AS BIGINT), CAST(0 AS DOUBLE PRECISION), CAST($2 AS BIGINT)
                FROM rating WHERE person = $1
            UNION ALL
            SELECT c.pool, c.n, c.at_ms / 86400000, c.at_ms, c.rating, last.rest - 1
                FROM last CROSS JOIN rating_change c WHERE c.person = $1 AND c.pool = last.pool AND c.n =
                    (SELECT n FROM rating_change d
                        WHERE d.person = $1 AND d.pool = last.pool AND d.at_ms / 86400000 < last.day
                        ORDER BY d.at_ms / 86400000 DESC, n DESC LIMIT 1)
                AND last.rest > 0)
        SELECT pool, at_ms, rating FROM last WHERE n > 0 ORDER BY pool, n";
    let rows = db::query(sql).bind(person).bind(i64::from(most)).fetch_all(readers).await.map_err(failed)?;
    let mut curves = Curves::new();
    for row in &rows {
        let text: &str = row.try_get(0).map_err(failed)?;
        let pool = Pool::read(text).ok_or_else(|| odd(format!("the pool {text:?} is none")))?;
        let point =
            (row.try_get::<i64, _>(1).map_err(failed)?.cast_unsigned(), row.try_get(2).map_err(failed)?);
        curves.entry(pool).or_default().push(point);
    }
    Ok(curves)
}

#[async_trait::async_trait]
impl Games for Stock {
    async fn game(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        read!(self, readers => one(readers, id).await)
    }

    async fn list(
        &self,
        person: &str,
        filter: &Filter,
        before: Option<Place>,
        most: u32,
    ) -> Result<Vec<GameRow>, StoreError> {
        read!(self, readers => list(readers, person, filter, before, most).await)
    }

    async fn games_after(&self, n: u64, most: u32) -> Result<Vec<GameRow>, StoreError> {
        read!(self, readers => after(readers, n, most).await)
    }

    async fn plies(&self, n: u64) -> Result<Option<Plies>, StoreError> {
        read!(self, readers => plies(readers, n).await)
    }

    async fn tally(&self, person: &str, opponent: Option<&str>) -> Result<Vec<Tally>, StoreError> {
        read!(self, readers => tally(readers, person, opponent).await)
    }

    async fn ratings(&self, person: &str) -> Result<Vec<(Pool, Rating)>, StoreError> {
        read!(self, readers => ratings(readers, person).await)
    }

    async fn curves(&self, person: &str, most: u32) -> Result<Curves, StoreError> {
        read!(self, readers => curves(readers, person, most).await)
    }
}
