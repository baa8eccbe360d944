//! The requests to a writer, and their execution within a transaction.
//!
//! Each database's own writer writes the logs; the rest is the same SQL for both.

use ::people::vacation::Vacation;
use sqlx::Row;
use table::{Entry, Setup, Standing};
use tokio::sync::oneshot;

use super::db::{self, DbConnection};
use super::{
    accounts, failed, fold, games, journal, mail, notices, number, people, questions, shelf, slow, staff,
    studies, together, unique, upkeep, workers,
};
use crate::journal::JournalDeed;
use crate::mail::MailChange;
use crate::notices::NoticeChange;
use crate::questions::QuestionDeed;
use crate::shelf::ShelfChange;
use crate::slow::StoredPlan;
use crate::staff::{Logged, StaffDeed};
use crate::studies::StudyDeed;
use crate::together::Deed;
use crate::workers::KeyDeed;
use crate::{
    Adoption, Asleep, Change, Folded, Forgotten, MapRoom, NewMap, NewPerson, Note, Retention, StoreError,
};

/// A request to the writer, with the channel for its reply.
pub(super) struct Job {
    pub(super) what: What,
    pub(super) done: oneshot::Sender<Result<Reply, StoreError>>,
}

pub(super) enum What {
    Create {
        id: String,
        setup: Setup,
        log: Vec<Entry>,
        standing: Standing,
    },
    Append {
        id: String,
        entry: Entry,
        standing: Option<Standing>,
        ended: Option<Box<games::NewRow>>,
        asleep: Option<Asleep>,
    },
    Sleep {
        id: String,
        asleep: Asleep,
    },
    Wake {
        id: String,
    },
    Strike {
        id: String,
    },
    Pardon {
        id: String,
    },
    Beat {
        now_ms: u64,
    },
    Enroll {
        person: Box<NewPerson>,
    },
    Seen {
        hash: [u8; 32],
        now_ms: u64,
    },
    Rename {
        person: String,
        name: Option<String>,
        folded: Option<String>,
    },
    Adopt {
        old_id: String,
        new_id: String,
        hash: [u8; 32],
        now_ms: u64,
    },
    Change {
        change: Box<Change>,
        note: Option<Note>,
    },
    Deed(Box<Deed>),
    Notice(Box<NoticeChange>),
    Mail(Box<MailChange>),
    #[allow(dead_code, reason = "the shelf is kept in folders only")]
    Shelf(Box<ShelfChange>),
    Study(Box<StudyDeed>),
    Question(Box<QuestionDeed>),
    Journal(Box<JournalDeed>),
    WorkerKey(Box<KeyDeed>),
    Staff(Box<(StaffDeed, Logged, bool)>),
    Merge {
        guest: String,
        account: String,
    },
    MergePart {
        guest: String,
    },
    Scrub {
        person: String,
    },
    KeepMap {
        map: Box<NewMap>,
        room: MapRoom,
    },
    KeepReport {
        id: String,
        ver: u64,
        body: String,
    },
    Forget {
        part: upkeep::Part,
        retention: Retention,
        now_ms: u64,
    },
    Fold {
        before_ms: u64,
    },
    /// `from_ms`: the store was away since then while this hall ran.
    Resume {
        from_ms: Option<u64>,
        now_ms: u64,
    },
    Vacation {
        person: String,
        vacation: Vacation,
        now_ms: u64,
    },
    Plan {
        id: String,
        plan: StoredPlan,
    },
    SeatNote {
        id: String,
        person: String,
        text: String,
    },
    Probe,
    Close,
}

impl What {
    /// Returns true if it changes logs by other ways than appending, so that it is committed alone.
    pub(super) fn is_alone(&self) -> bool {
        matches!(self, What::Adopt { .. } | What::MergePart { .. } | What::Scrub { .. } | What::Forget { .. })
    }
}

pub(super) enum Reply {
    Done,
    Strikes(u32),
    Gap(u64),
    Number(u64),
    Text(Option<String>),
    Adopted(Adoption),
    Rewritten(Vec<String>),
    /// The tables whose games were moved; `None`: all is done.
    Merged(Option<Vec<String>>),
    Forgot(Forgotten),
    Folded(Folded),
}

/// Carries out requests that are not about the log of one table. Conflicts are found before anything is written.
pub(super) async fn carry_out(connection: &mut DbConnection, what: &What) -> Result<Reply, StoreError> {
    match what {
        What::Strike { id } => return strike(connection, id).await,
        What::Pardon { id } => {
            let query = db::query("UPDATE seating SET strikes = 0 WHERE id = ?").bind(id);
            query.execute(connection).await.map_err(failed)?;
        }
        What::Beat { now_ms } => count(connection, "beat_ms", *now_ms).await?,
        What::Enroll { person } => people::enroll(connection, person).await?,
        What::Seen { hash, now_ms } => people::seen(connection, hash, *now_ms).await?,
        What::Rename { person, name, folded } => {
            people::rename(connection, person, name.as_deref(), folded.as_deref()).await?;
        }
        What::Adopt { old_id, new_id, hash, now_ms } => {
            return people::adopt(connection, old_id, new_id, hash, *now_ms).await.map(Reply::Adopted);
        }
        What::Change { change, note } => accounts::change(connection, change, note.as_ref()).await?,
        What::Deed(deed) => return together::carry_out(connection, deed).await.map(Reply::Number),
        What::Merge { guest, account } => people::merge(connection, guest, account).await?,
        What::MergePart { guest } => {
            return people::merge_part(connection, guest).await.map(Reply::Merged);
        }
        What::Scrub { person } => return people::scrub(connection, person).await.map(Reply::Rewritten),
        What::KeepMap { map, room } => shelf::keep(connection, map, *room).await?,
        What::KeepReport { id, ver, body } => keep_report(connection, id, *ver, body).await?,
        What::Forget { part, retention, now_ms } => {
            return upkeep::forget(connection, part, *retention, *now_ms).await.map(Reply::Forgot);
        }
        What::Fold { before_ms } => return fold::fold(connection, *before_ms).await.map(Reply::Folded),
        What::Resume { from_ms, now_ms } => {
            return slow::resume(connection, *from_ms, *now_ms).await.map(Reply::Gap);
        }
        What::Vacation { person, vacation, now_ms } => {
            let changed = slow::set_vacation(connection, person, *vacation, *now_ms).await?;
            return Ok(Reply::Rewritten(changed));
        }
        What::Notice(change) => notices::carry_out(connection, change).await?,
        What::Shelf(change) => shelf::carry_out(connection, change).await?,
        What::Study(deed) => studies::carry_out(connection, deed).await?,
        What::Question(deed) => return questions::carry_out(connection, deed).await,
        What::Journal(deed) => return journal::carry_out(connection, deed).await.map(Reply::Number),
        What::WorkerKey(deed) => workers::carry_out(connection, deed).await?,
        What::Staff(deed) => {
            let (deed, logged, spares_last) = deed.as_ref();
            return staff::carry_out(connection, deed, logged, *spares_last).await.map(Reply::Number);
        }
        What::Mail(change) => mail::carry_out(connection, change).await?,
        What::Plan { id, plan } => slow::set_plan(connection, id, plan).await?,
        What::SeatNote { id, person, text } => slow::set_note(connection, id, person, text).await?,
        What::Create { .. }
        | What::Append { .. }
        | What::Sleep { .. }
        | What::Wake { .. }
        | What::Probe
        | What::Close => {}
    }
    Ok(Reply::Done)
}

/// Sets a number of the table `hall`.
pub(super) async fn count(
    connection: &mut DbConnection,
    key: &'static str,
    value: u64,
) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO hall (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    db::query(sql).bind(key).bind(number(value)).execute(connection).await.map(|_| ()).map_err(failed)
}

/// A number of the table `hall`.
pub(super) async fn counted(
    connection: &mut DbConnection,
    key: &'static str,
) -> Result<Option<u64>, StoreError> {
    let query = db::query("SELECT value FROM hall WHERE key = ?").bind(key);
    let row = query.fetch_optional(connection).await.map_err(failed)?;
    row.map(|row| Ok(row.try_get::<i64, _>(0).map_err(failed)?.cast_unsigned())).transpose()
}

/// Sets the standing of a table. [`Taken`](StoreError::Taken): it opens a room whose name another has.
pub(super) async fn stand(
    connection: &mut DbConnection,
    id: &str,
    standing: &Standing,
) -> Result<(), StoreError> {
    db::query("UPDATE seating SET stage = ?, first = ?, second = ? WHERE id = ?")
        .bind(standing.stage as i64)
        .bind(&standing.seats[0])
        .bind(&standing.seats[1])
        .bind(id)
        .execute(connection)
        .await
        .map(|_| ())
        .map_err(|e| if unique(&e) { StoreError::Taken } else { failed(e) })
}

async fn strike(connection: &mut DbConnection, id: &str) -> Result<Reply, StoreError> {
    let query = db::query("UPDATE seating SET strikes = strikes + 1 WHERE id = ? RETURNING strikes").bind(id);
    let row = query.fetch_optional(connection).await.map_err(failed)?.ok_or(StoreError::Missing)?;
    Ok(Reply::Strikes(db::int(&row, 0).map_err(failed)?))
}

async fn keep_report(
    connection: &mut DbConnection,
    id: &str,
    ver: u64,
    body: &str,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO report (seating, ver, body) VALUES (?, ?, ?)
        ON CONFLICT (seating) DO UPDATE SET ver = excluded.ver, body = excluded.body";
    let query = db::query(sql).bind(id).bind(number(ver)).bind(body);
    query.execute(connection).await.map(|_| ()).map_err(failed)
}
