//! Slow games: their clocks, beats and vacations as rows.

use kernel::Side;
use people::vacation::Vacation;
use sqlx::Row;
use wire::ClockSpec;

use super::db::{self, DbConnection, DbPool, DbRow};
use super::{Stock, counts, failed, number};
use crate::slow::{SlowGame, SlowGames, StoredPlan};
use crate::work::{DESKS, Desk, Work};
use crate::{Asleep, StoreError};

/// The columns `since_ms, deadline_ms, turn, held_ms` of a sleeping table, from column `at` on; `None` where they are empty.
pub(crate) fn asleep_of(row: &DbRow, at: usize) -> Result<Option<Asleep>, sqlx::Error> {
    let number = |i: usize| row.try_get::<Option<i64>, _>(at + i);
    let (Some(since), Some(deadline)) = (number(0)?, number(1)?) else { return Ok(None) };
    let turn = number(2)?.map(|turn| if turn == 0 { Side::First } else { Side::Second });
    Ok(Some(Asleep {
        since_ms: since.cast_unsigned(),
        deadline_ms: deadline.cast_unsigned(),
        turn,
        held_ms: number(3)?.map(i64::cast_unsigned),
    }))
}

pub(crate) async fn sleep(connection: &mut DbConnection, id: &str, asleep: Asleep) -> Result<(), StoreError> {
    let sql = "INSERT INTO asleep (seating, since_ms, deadline_ms, turn, held_ms) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (seating) DO UPDATE SET since_ms = excluded.since_ms, deadline_ms = excluded.deadline_ms,
            turn = excluded.turn, held_ms = excluded.held_ms";
    db::query(sql)
        .bind(id)
        .bind(number(asleep.since_ms))
        .bind(number(asleep.deadline_ms))
        .bind(asleep.turn.map(|turn| i64::from(turn == Side::Second)))
        .bind(asleep.held_ms.map(number))
        .execute(connection)
        .await
        .map(|_| ())
        .map_err(failed)
}

/// A condition: the table `s` has a clock with a weekend pause, as its setup is written down.
macro_rules! weekend_pause {
    () => {
        "s.setup LIKE '%\"weekend_pause\":true%'"
    };
}
pub(crate) use weekend_pause;

/// The clock of such a table, as far as it counts time.
pub(crate) const WITHOUT_WEEKENDS: ClockSpec =
    ClockSpec::PerMove { turn_ms: 86_400_000, weekend_pause: true };

/// The slow games whose clocks stand still on weekends, and how they lie there. SQL cannot move those. Looked for among those that
/// sleep: as a join, SQLite may read the setups of all games that ever were.
macro_rules! paused {
    () => {
        concat!(
            "SELECT a.seating, a.since_ms, a.deadline_ms, a.turn, a.held_ms FROM asleep a
            WHERE a.turn IS NOT NULL AND EXISTS (SELECT 1 FROM seating s WHERE s.id = a.seating AND ",
            weekend_pause!(),
            ")"
        )
    };
}

fn paused_of(rows: Vec<DbRow>) -> Result<Vec<(String, Asleep)>, StoreError> {
    let one = |row: DbRow| Ok(asleep_of(&row, 1)?.map(|asleep| Ok((row.try_get(0)?, asleep))));
    rows.into_iter()
        .filter_map(|row| one(row).transpose().map(Result::flatten))
        .collect::<Result<_, _>>()
        .map_err(failed)
}

/// Moves all clocks by the time since the last beat, and notes that beat: a hall killed after it moves nothing twice.
/// `from_ms`: by the time since then, where that was later.
pub(crate) async fn resume(
    connection: &mut DbConnection,
    from_ms: Option<u64>,
    now_ms: u64,
) -> Result<u64, StoreError> {
    let beat = counts::counted(connection, "beat_ms").await?.map(|beat| beat.max(from_ms.unwrap_or(0)));
    let gap = beat.map_or(0, |beat| now_ms.saturating_sub(beat));
    if let Some(beat) = beat.filter(|_| gap > 0) {
        let paused = paused_of(db::query(paused!()).fetch_all(&mut *connection).await.map_err(failed)?)?;
        let sql = "UPDATE asleep SET since_ms = since_ms + $1, deadline_ms = deadline_ms + $1, held_ms = held_ms + $1
            WHERE deadline_ms < 1152921504606846976";
        db::query(sql).bind(number(gap)).execute(&mut *connection).await.map_err(failed)?;
        for (id, asleep) in paused {
            let stood_ms = asleep.held_ms.unwrap_or(beat).min(beat);
            let moved = asleep.stood_still(WITHOUT_WEEKENDS, stood_ms, now_ms);
            let held_ms = asleep.held_ms.map(|_| now_ms);
            sleep(connection, &id, Asleep { held_ms, ..moved }).await?;
        }
    }
    counts::count(connection, "beat_ms", now_ms).await?;
    Ok(gap)
}

pub(crate) async fn games(readers: &DbPool, person: &str, most: u32) -> Result<Vec<SlowGame>, StoreError> {
    let sql = "SELECT id, side, since_ms, deadline_ms, turn, held_ms FROM (
            SELECT s.id, CAST(0 AS BIGINT) AS side, a.* FROM seating s JOIN asleep a ON a.seating = s.id
                WHERE s.first = $1 AND s.stage < 2 AND s.stage = 1 AND a.turn IS NOT NULL
            UNION ALL
            SELECT s.id, CAST(1 AS BIGINT) AS side, a.* FROM seating s JOIN asleep a ON a.seating = s.id
                WHERE s.second = $1 AND s.stage < 2 AND s.stage = 1 AND a.turn IS NOT NULL
        ) q ORDER BY turn <> side, deadline_ms, id LIMIT $2";
    let rows = db::query(sql).bind(person).bind(i64::from(most)).fetch_all(readers).await.map_err(failed)?;
    let game = |row: DbRow| {
        let side = if row.try_get::<i64, _>(1)? == 0 { Side::First } else { Side::Second };
        Ok(asleep_of(&row, 2)?.map(|asleep| Ok(SlowGame { id: row.try_get(0)?, side, asleep })))
    };
    rows.into_iter()
        .filter_map(|row| game(row).transpose().map(Result::flatten))
        .collect::<Result<_, _>>()
        .map_err(failed)
}

fn vacation_of(row: &DbRow, at: usize) -> Result<Vacation, sqlx::Error> {
    Ok(Vacation {
        year: row.try_get(at)?,
        used_ms: row.try_get::<i64, _>(at + 1)?.cast_unsigned(),
        since_ms: row.try_get::<Option<i64>, _>(at + 2)?.map(i64::cast_unsigned),
    })
}

pub(crate) async fn vacation(readers: &DbPool, person: &str) -> Result<Option<Vacation>, StoreError> {
    let query = db::query("SELECT year, used_ms, since_ms FROM vacation WHERE person = $1").bind(person);
    let row = query.fetch_optional(readers).await.map_err(failed)?;
    row.map(|row| vacation_of(&row, 0)).transpose().map_err(failed)
}

pub(crate) async fn on_vacation(readers: &DbPool) -> Result<Vec<(String, Vacation)>, StoreError> {
    let sql = "SELECT person, year, used_ms, since_ms FROM vacation WHERE since_ms IS NOT NULL";
    let rows = db::query(sql).fetch_all(readers).await.map_err(failed)?;
    let one = |row: DbRow| Ok((row.try_get(0)?, vacation_of(&row, 1)?));
    rows.into_iter().map(one).collect::<Result<_, _>>().map_err(failed)
}

/// The tables at which `$1` is to move.
macro_rules! to_move {
    () => {
        "(SELECT s.id FROM seating s JOIN asleep a ON a.seating = s.id AND a.turn = 0
                WHERE s.first = $1 AND s.stage < 2 AND s.stage = 1
            UNION SELECT s.id FROM seating s JOIN asleep a ON a.seating = s.id AND a.turn = 1
                WHERE s.second = $1 AND s.stage < 2 AND s.stage = 1)"
    };
}

pub(crate) async fn set_vacation(
    connection: &mut DbConnection,
    person: &str,
    vacation: Vacation,
    now_ms: u64,
) -> Result<Vec<String>, StoreError> {
    let sql = "INSERT INTO vacation (person, year, used_ms, since_ms) VALUES ($1, $2, $3, $4)
        ON CONFLICT (person) DO UPDATE SET year = excluded.year, used_ms = excluded.used_ms, since_ms = excluded.since_ms";
    db::query(sql)
        .bind(person)
        .bind(vacation.year)
        .bind(number(vacation.used_ms))
        .bind(vacation.since_ms.map(number))
        .execute(&mut *connection)
        .await
        .map_err(failed)?;
    let ends = vacation.since_ms.is_none();
    let paused = if ends {
        let sql = concat!(paused!(), " AND a.seating IN ", to_move!());
        paused_of(db::query(sql).bind(person).fetch_all(&mut *connection).await.map_err(failed)?)?
    } else {
        Vec::new()
    };
    let sql = if !ends {
        concat!(
            "UPDATE asleep SET held_ms = $2 WHERE held_ms IS NULL AND seating IN ",
            to_move!(),
            " RETURNING seating"
        )
    } else {
        concat!(
            "UPDATE asleep SET since_ms = since_ms + max(0, $2 - max(held_ms, since_ms)),
                deadline_ms = deadline_ms + max(0, $2 - max(held_ms, since_ms)), held_ms = NULL
            WHERE held_ms IS NOT NULL AND seating IN ",
            to_move!(),
            " RETURNING seating"
        )
    };
    let rows =
        db::query(sql).bind(person).bind(number(now_ms)).fetch_all(&mut *connection).await.map_err(failed)?;
    let changed: Vec<String> =
        rows.into_iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(failed)?;
    for (id, asleep) in paused.into_iter().filter(|(id, _)| changed.contains(id)) {
        let held_ms = asleep.held_ms.unwrap_or(now_ms);
        let moved = asleep.stood_still(WITHOUT_WEEKENDS, held_ms, now_ms);
        sleep(connection, &id, Asleep { held_ms: None, ..moved }).await?;
    }
    Ok(changed)
}

pub(crate) async fn plans(readers: &DbPool, id: &str) -> Result<Vec<StoredPlan>, StoreError> {
    let sql = "SELECT person, from_ply, lines FROM plan WHERE seating = $1 ORDER BY person";
    let rows = db::query(sql).bind(id).fetch_all(readers).await.map_err(failed)?;
    let plan = |row: DbRow| {
        let lines: String = row.try_get(2).map_err(failed)?;
        let lines = serde_json::from_str(&lines)
            .map_err(|why| StoreError::damaged_table(format!("a plan cannot be read: {why}"), id, None))?;
        let (person, from_ply) = (row.try_get(0).map_err(failed)?, db::int(&row, 1).map_err(failed)?);
        Ok(StoredPlan { person, from_ply, lines })
    };
    rows.into_iter().map(plan).collect()
}

pub(crate) async fn set_plan(
    connection: &mut DbConnection,
    id: &str,
    plan: &StoredPlan,
) -> Result<(), StoreError> {
    let query = if plan.lines.is_empty() {
        db::query("DELETE FROM plan WHERE seating = $1 AND person = $2").bind(id).bind(&plan.person)
    } else {
        let sql = "INSERT INTO plan (seating, person, from_ply, lines) VALUES ($1, $2, $3, $4)
            ON CONFLICT (seating, person) DO UPDATE SET from_ply = excluded.from_ply, lines = excluded.lines";
        let lines = serde_json::to_string(&plan.lines).expect("texts are always JSON");
        db::query(sql).bind(id).bind(&plan.person).bind(i64::from(plan.from_ply)).bind(lines)
    };
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

/// Looked for among the plans, and not, as a join may be, among all games that ever were.
pub(crate) const PLANS_DUE: &str = "SELECT p.seating FROM plan p JOIN asleep a ON a.seating = p.seating
    WHERE EXISTS (SELECT 1 FROM seating s WHERE s.id = p.seating AND s.stage = 1
        AND p.person = CASE a.turn WHEN 0 THEN s.first WHEN 1 THEN s.second END) LIMIT $1";

pub(crate) async fn note(readers: &DbPool, id: &str, person: &str) -> Result<String, StoreError> {
    let query =
        db::query("SELECT text FROM seat_note WHERE seating = $1 AND person = $2").bind(id).bind(person);
    let row = query.fetch_optional(readers).await.map_err(failed)?;
    row.map_or(Ok(String::new()), |row| row.try_get(0).map_err(failed))
}

pub(crate) async fn set_note(
    connection: &mut DbConnection,
    id: &str,
    person: &str,
    text: &str,
) -> Result<(), StoreError> {
    let query = if text.is_empty() {
        db::query("DELETE FROM seat_note WHERE seating = $1 AND person = $2").bind(id).bind(person)
    } else {
        let sql = "INSERT INTO seat_note (seating, person, text) VALUES ($1, $2, $3)
            ON CONFLICT (seating, person) DO UPDATE SET text = excluded.text";
        db::query(sql).bind(id).bind(person).bind(text)
    };
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

/// Begins or ends a vacation.
struct SetVacation {
    person: String,
    vacation: Vacation,
    now_ms: u64,
}

#[async_trait::async_trait]
impl Work<DbConnection> for SetVacation {
    type Done = Vec<String>;

    fn desks(&self) -> &'static [Desk] {
        DESKS
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<Vec<String>, StoreError> {
        set_vacation(connection, &self.person, self.vacation, self.now_ms).await
    }
}

/// Stores a plan of moves.
struct SetPlan {
    id: String,
    plan: StoredPlan,
}

#[async_trait::async_trait]
impl Work<DbConnection> for SetPlan {
    type Done = ();

    fn desks(&self) -> &'static [Desk] {
        DESKS
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<(), StoreError> {
        set_plan(connection, &self.id, &self.plan).await
    }
}

/// Stores the note of a player about a table.
struct SetNote {
    id: String,
    person: String,
    text: String,
}

#[async_trait::async_trait]
impl Work<DbConnection> for SetNote {
    type Done = ();

    fn desks(&self) -> &'static [Desk] {
        DESKS
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<(), StoreError> {
        set_note(connection, &self.id, &self.person, &self.text).await
    }
}

#[async_trait::async_trait]
impl SlowGames for Stock {
    async fn slow_games(&self, person: &str, most: u32) -> Result<Vec<SlowGame>, StoreError> {
        read!(self, readers => games(readers, person, most).await)
    }

    async fn vacation(&self, person: &str) -> Result<Option<Vacation>, StoreError> {
        read!(self, readers => vacation(readers, person).await)
    }

    async fn on_vacation(&self) -> Result<Vec<(String, Vacation)>, StoreError> {
        read!(self, readers => on_vacation(readers).await)
    }

    async fn set_vacation(
        &self,
        person: &str,
        vacation: Vacation,
        now_ms: u64,
    ) -> Result<Vec<String>, StoreError> {
        self.work(SetVacation { person: person.to_owned(), vacation, now_ms }).await
    }

    async fn plans(&self, id: &str) -> Result<Vec<StoredPlan>, StoreError> {
        read!(self, readers => plans(readers, id).await)
    }

    async fn set_plan(&self, id: &str, plan: StoredPlan) -> Result<(), StoreError> {
        self.work(SetPlan { id: id.to_owned(), plan }).await
    }

    async fn plans_due(&self, most: u32) -> Result<Vec<String>, StoreError> {
        self.ids(PLANS_DUE, None, most).await
    }

    async fn seat_note(&self, id: &str, person: &str) -> Result<String, StoreError> {
        read!(self, readers => note(readers, id, person).await)
    }

    async fn set_seat_note(&self, id: &str, person: &str, text: &str) -> Result<(), StoreError> {
        let (id, person, text) = (id.to_owned(), person.to_owned(), text.to_owned());
        self.work(SetNote { id, person, text }).await
    }
}
