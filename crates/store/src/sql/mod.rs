//! The SQL that both databases share, compiled once for each: `db` is the side of the one for which it is.
//!
//! One text serves both: parameters are `$1`, `$2`, …, functions that only SQLite has are defined in PostgreSQL's
//! schema, and where the two have no common syntax a macro of `db` writes each one's own (`holds!`). So every statement
//! is a constant, and `tests/statements.rs` prepares all of them on both databases.
//!
//! What a writer carries out in its transaction implements [`Work`](crate::work::Work), so that the writers need not
//! know it.

/// Implements [`Work`](crate::work::Work) for a change that the function `carry_out` beside it carries out: the type, its
/// result, and the desks.
macro_rules! work {
    ($change:ty => $done:ty, $($desk:ident),+) => {
        #[async_trait::async_trait]
        impl Work<DbConnection> for $change {
            type Done = $done;

            fn desks(&self) -> &'static [Desk] {
                &[$(Desk::$desk),+]
            }

            async fn carry_out(&self, connection: &mut DbConnection) -> Result<$done, StoreError> {
                carry_out(connection, self).await
            }
        }
    };
}

pub(crate) mod accounts;
pub(crate) mod counts;
pub(crate) mod desk;
pub(crate) mod extensions;
pub(crate) mod fold;
#[allow(dead_code, reason = "only SQLite's folder makes rows again from logs")]
pub(crate) mod games;
pub(crate) mod journal;
pub(crate) mod logs;
pub(crate) mod mail;
pub(crate) mod maps;
pub(crate) mod notices;
pub(crate) mod people;
pub(crate) mod pulse;
pub(crate) mod questions;
pub(crate) mod read;
pub(crate) mod shelf;
pub(crate) mod slow;
pub(crate) mod staff;
pub(crate) mod studies;
pub(crate) mod tables;
pub(crate) mod together;
pub(crate) mod upkeep;
pub(crate) mod workers;

pub(super) use super::Stock;
pub(super) use super::db::{self, failed, number, unique};

/// The tables of subjects whose schema is the same text for both databases, by the number of the migration, the oldest
/// first: one number for both, larger than all before.
pub(super) const MIGRATIONS: &[(i64, &str, &str)] = &[];
