//! Reading of logs, with a check of their checksums.

use sqlx::Row;
use table::{Command, Entry};

use super::db::{self, DbConnection, DbPool, DbRow};
use super::{failed, slow};
use crate::chain::{self, Row as Link};
use crate::folded::{self, LogRow};
use crate::{Asleep, StoreError, Stored, format};

pub(crate) async fn load(readers: &DbPool, id: &str) -> Result<Option<Stored>, StoreError> {
    let mut snapshot = db::snapshot(readers).await.map_err(failed)?;
    load_by(&mut snapshot, id).await
}

/// Loads a table within a transaction, so that all parts are of one moment.
pub(crate) async fn load_by(connection: &mut DbConnection, id: &str) -> Result<Option<Stored>, StoreError> {
    let Some(head) = head(connection, id).await? else { return Ok(None) };
    let setup = format::setup(head.format, &head.setup)
        .map_err(|why| StoreError::damaged_table(format!("the setup cannot be read: {why}"), id, None))?;
    let log = entries(connection, id, &head, 0, None).await?;
    Ok(Some(Stored { setup, log, asleep: head.asleep, strikes: head.strikes }))
}

pub(crate) async fn log(readers: &DbPool, id: &str, since: u64, most: u32) -> Result<Vec<Entry>, StoreError> {
    let mut snapshot = db::snapshot(readers).await.map_err(failed)?;
    let Some(head) = head(&mut snapshot, id).await? else { return Ok(Vec::new()) };
    if since >= head.ver {
        return Ok(Vec::new());
    }
    entries(&mut snapshot, id, &head, since, Some(most)).await
}

/// A table without its log.
pub(crate) struct Head {
    pub(crate) format: u32,
    pub(crate) setup: String,
    strikes: u32,
    asleep: Option<Asleep>,
    /// The version of the last entry.
    pub(crate) ver: u64,
    /// The checksum of the last entry.
    pub(crate) sum: u64,
    /// The version and the checksum of the last entry that is folded; `None` where none is.
    pub(crate) folded: Option<(u64, u64)>,
}

pub(crate) async fn head(connection: &mut DbConnection, id: &str) -> Result<Option<Head>, StoreError> {
    let sql =
        "SELECT s.format, s.setup, s.strikes, t.ver, t.sum, a.since_ms, a.deadline_ms, a.turn, a.held_ms,
            f.ver, f.sum
        FROM seating s LEFT JOIN tip t ON t.seating = s.id LEFT JOIN asleep a ON a.seating = s.id
            LEFT JOIN folded f ON f.seating = s.id WHERE s.id = $1";
    let row = db::query(sql).bind(id).fetch_optional(connection).await.map_err(failed)?;
    let Some(row) = row else { return Ok(None) };
    let (ver, sum): (Option<i64>, Option<i64>) =
        (row.try_get(3).map_err(failed)?, row.try_get(4).map_err(failed)?);
    let (Some(ver), Some(sum)) = (ver, sum) else {
        let what = "the note of where its log ends is missing";
        return Err(StoreError::damaged_table(what, id, None));
    };
    let read = || {
        Ok(Head {
            format: db::int(&row, 0)?,
            setup: row.try_get(1)?,
            strikes: db::int(&row, 2)?,
            asleep: slow::asleep_of(&row, 5)?,
            ver: ver.cast_unsigned(),
            sum: sum.cast_unsigned(),
            folded: match (row.try_get::<Option<i64>, _>(9)?, row.try_get::<Option<i64>, _>(10)?) {
                (Some(ver), Some(sum)) => Some((ver.cast_unsigned(), sum.cast_unsigned())),
                _ => None,
            },
        })
    };
    read().map(Some).map_err(|why: sqlx::Error| {
        StoreError::damaged_table(format!("its rows cannot be read: {why}"), id, None)
    })
}

/// The entries after `since`, each checked against its checksum, and the last of the log against the tip.
async fn entries(
    connection: &mut DbConnection,
    id: &str,
    head: &Head,
    since: u64,
    most: Option<u32>,
) -> Result<Vec<Entry>, StoreError> {
    let (mut entries, mut since, mut most) = (Vec::new(), since, most);
    let mut chain = match head.folded {
        Some((ver, sum)) if since < ver => {
            let mut chain = Chain::start(id, head);
            for line in folded_lines(connection, id).await? {
                let entry = chain.follow(&line.link(), None)?;
                if entry.ver > since && most.is_none_or(|most| entries.len() < most as usize) {
                    entries.push(entry);
                }
            }
            if (chain.ver, chain.sum) != (ver, sum) {
                let what = "the folded entries, or the setup, are not what was written";
                return Err(StoreError::damaged_table(what, id, Some(chain.ver)));
            }
            since = ver;
            most = most.map(|most| most - u32::try_from(entries.len()).unwrap_or(most));
            chain
        }
        _ => Chain::after(connection, id, head, since).await?,
    };
    let rows = event_rows(connection, id, since, most).await?;
    for row in &rows {
        entries.push(chain.next(row)?);
    }
    if most.is_none_or(|most| rows.len() < most as usize) || chain.ver >= head.ver {
        chain.end(head)?;
    }
    Ok(entries)
}

/// The rows of a log after `since` that are not folded, in order.
async fn event_rows(
    connection: &mut DbConnection,
    id: &str,
    since: u64,
    most: Option<u32>,
) -> Result<Vec<DbRow>, StoreError> {
    let sql = "SELECT ver, at_ms, person, cmd, spent_ms, format, body, sum FROM event
        WHERE seating = $1 AND ver > $2 ORDER BY ver LIMIT $3";
    let query = db::query(sql).bind(id).bind(super::number(since)).bind(most.map_or(i64::MAX, i64::from));
    query.fetch_all(connection).await.map_err(failed)
}

/// The rows of a log that were folded; their checksums are the caller's business.
async fn folded_lines(connection: &mut DbConnection, id: &str) -> Result<Vec<LogRow>, StoreError> {
    let query = db::query("SELECT format, body FROM folded WHERE seating = $1").bind(id);
    let Some(row) = query.fetch_optional(connection).await.map_err(failed)? else { return Ok(Vec::new()) };
    let bad = |why: String| {
        StoreError::damaged_table(format!("the folded entries cannot be read: {why}"), id, None)
    };
    let format = db::int(&row, 0).map_err(|why| bad(why.to_string()))?;
    let body: &[u8] = row.try_get(1).map_err(|why| bad(why.to_string()))?;
    folded::unfold(format, body).map_err(bad)
}

/// All rows of a log, whether they are folded or not.
pub(crate) async fn lines(
    connection: &mut DbConnection,
    id: &str,
    head: &Head,
) -> Result<Vec<LogRow>, StoreError> {
    let (mut lines, mut since) = (Vec::new(), 0);
    if let Some((ver, _)) = head.folded {
        lines = folded_lines(connection, id).await?;
        since = ver;
    }
    for row in &event_rows(connection, id, since, None).await? {
        lines.push(link_of(row).map_err(failed)?.into());
    }
    Ok(lines)
}

/// Follows the checksums of a log.
pub(crate) struct Chain<'a> {
    id: &'a str,
    pub(crate) ver: u64,
    pub(crate) sum: u64,
}

impl<'a> Chain<'a> {
    pub(crate) fn start(id: &'a str, head: &Head) -> Chain<'a> {
        Chain { id, ver: 0, sum: chain::start(id, head.format, &head.setup) }
    }

    async fn after(
        connection: &mut DbConnection,
        id: &'a str,
        head: &Head,
        since: u64,
    ) -> Result<Chain<'a>, StoreError> {
        if since == 0 {
            return Ok(Chain::start(id, head));
        }
        if let Some((ver, sum)) = head.folded.filter(|(ver, _)| *ver == since) {
            return Ok(Chain { id, ver, sum });
        }
        let query = db::query("SELECT sum FROM event WHERE seating = $1 AND ver = $2");
        let row =
            query.bind(id).bind(super::number(since)).fetch_optional(connection).await.map_err(failed)?;
        let missing = || StoreError::damaged_table("the entry is missing", id, Some(since));
        let sum = row.ok_or_else(missing)?.try_get::<i64, _>(0).map_err(|_| missing())?;
        Ok(Chain { id, ver: since, sum: sum.cast_unsigned() })
    }

    /// Checks the next row: `ver, at_ms, person, cmd, spent_ms, format, body, sum`.
    pub(crate) fn next(&mut self, row: &DbRow) -> Result<Entry, StoreError> {
        let unread = |why: sqlx::Error| {
            let what = format!("the entry cannot be read: {why}");
            StoreError::damaged_table(what, self.id, Some(self.ver + 1))
        };
        let link = link_of(row).map_err(unread)?;
        let sum = row.try_get::<i64, _>(7).map_err(unread)?.cast_unsigned();
        self.follow(&link, Some(sum))
    }

    /// Goes on to the next row, whose checksum is `sum` where it was written down.
    fn follow(&mut self, link: &Link<'_>, written: Option<u64>) -> Result<Entry, StoreError> {
        let wanted = self.ver + 1;
        let bad = |what: String| StoreError::damaged_table(what, self.id, Some(wanted));
        if link.ver != wanted {
            return Err(bad(format!("the entry is missing; the next one there is version {}", link.ver)));
        }
        let sum = chain::link(self.sum, self.id, link);
        if written.is_some_and(|written| written != sum) {
            return Err(bad("the entry, or the setup, is not what was written".to_owned()));
        }
        let event = format::event(link.format, link.body)
            .map_err(|why| bad(format!("the event cannot be read: {why}")))?;
        let cmd = link.cmd.map(|cmd| Command { person: link.person.to_owned(), id: cmd.to_owned() });
        let entry = Entry { ver: link.ver, at_ms: link.at_ms, cmd, spent_ms: link.spent_ms, event };
        (self.ver, self.sum) = (wanted, sum);
        Ok(entry)
    }

    /// Checks that the log was not cut short.
    pub(crate) fn end(&self, head: &Head) -> Result<(), StoreError> {
        if self.ver < head.ver {
            let what = format!("the entries from here to version {} are missing", head.ver);
            return Err(StoreError::damaged_table(what, self.id, Some(self.ver + 1)));
        }
        if (self.ver, self.sum) != (head.ver, head.sum) {
            let what = format!("the log ends at version {} and should end at {}", self.ver, head.ver);
            return Err(StoreError::damaged_table(what, self.id, Some(self.ver)));
        }
        Ok(())
    }
}

/// A row `ver, at_ms, person, cmd, spent_ms, format, body, …`.
pub(crate) fn link_of(row: &DbRow) -> Result<Link<'_>, sqlx::Error> {
    Ok(Link {
        ver: row.try_get::<i64, _>(0)?.cast_unsigned(),
        at_ms: row.try_get::<i64, _>(1)?.cast_unsigned(),
        person: row.try_get(2)?,
        cmd: row.try_get(3)?,
        spent_ms: row.try_get::<Option<i64>, _>(4)?.map(i64::cast_unsigned),
        format: db::int(row, 5)?,
        body: row.try_get(6)?,
    })
}
