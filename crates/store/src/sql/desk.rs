//! The requests to a writer, and their execution within a transaction.
//!
//! Each database's own writer writes the logs; the rest is the same SQL for both, and belongs to its subject.

use sqlx::Row;
use table::{Entry, Setup, Standing};
use tokio::sync::oneshot;

use super::counts::count;
use super::db::{self, DbConnection};
use super::{Stock, failed, fold, games, slow};
use crate::work::{Errand, Reply, Work};
use crate::{Asleep, StoreError};

/// A request to the writer, with the channel for its reply.
pub(crate) struct Job {
    pub(crate) what: What,
    pub(crate) done: oneshot::Sender<Result<Reply, StoreError>>,
}

/// The requests that a writer has to know, because it writes logs itself, groups them, or has to look first; all others
/// are [`What::Work`].
pub(crate) enum What {
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
    Beat {
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
    Work(Box<dyn Errand<DbConnection>>),
    Probe,
    Close,
}

impl What {
    /// Returns true if it changes logs by other ways than appending, so that it is committed alone.
    pub(crate) fn is_alone(&self) -> bool {
        matches!(self, What::Work(work) if work.is_alone())
    }
}

impl Stock {
    /// Sends a request of a subject to the writer, and returns its answer.
    pub(super) async fn work<W: Work<DbConnection>>(&self, work: W) -> Result<W::Done, StoreError> {
        self.answer(What::Work(Box::new(work))).await
    }

    /// Sends a request that has no answer to the writer, and waits until it is carried out.
    pub(crate) async fn tell(&self, what: What) -> Result<(), StoreError> {
        self.answer(what).await
    }

    /// Sends a request to the writer, and returns the answer, which is a `T`.
    pub(super) async fn answer<T: 'static>(&self, what: What) -> Result<T, StoreError> {
        let odd = |_| StoreError::Failed("the writer gave the answer to another question".to_owned());
        self.ask(what).await?.downcast().map(|answer| *answer).map_err(odd)
    }

    /// Reads ids of at most `most` rows, by a statement whose parameters are `key`, if there is one, and `most`.
    pub(super) async fn ids(
        &self,
        sql: &'static str,
        key: Option<&str>,
        most: u32,
    ) -> Result<Vec<String>, StoreError> {
        let rows = read!(self, readers => {
            let query = db::query(sql);
            let query = if let Some(key) = key { query.bind(key) } else { query };
            query.bind(i64::from(most)).fetch_all(readers).await.map_err(failed)
        })?;
        rows.into_iter().map(|row| row.try_get(0).map_err(failed)).collect()
    }
}

/// Carries out requests that are not about the log of one table.
pub(crate) async fn carry_out(connection: &mut DbConnection, what: &What) -> Result<Reply, StoreError> {
    match what {
        What::Work(work) => return work.run(connection).await,
        What::Beat { now_ms } => count(connection, "beat_ms", *now_ms).await?,
        What::Fold { before_ms } => return Ok(Box::new(fold::fold(connection, *before_ms).await?)),
        What::Resume { from_ms, now_ms } => {
            return Ok(Box::new(slow::resume(connection, *from_ms, *now_ms).await?));
        }
        What::Create { .. }
        | What::Append { .. }
        | What::Sleep { .. }
        | What::Wake { .. }
        | What::Probe
        | What::Close => {}
    }
    Ok(Box::new(()))
}
