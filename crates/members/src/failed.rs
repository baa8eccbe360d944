//! Problems for a store that fails.

use kernel::Problem;
use store::StoreError;

/// Returns the problem for a store that cannot be read: `hall-busy`.
#[must_use]
pub fn busy(why: StoreError) -> Problem {
    tracing::error!(%why, "the store failed");
    Problem::new("hall-busy")
}
