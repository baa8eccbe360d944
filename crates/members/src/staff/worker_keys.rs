//! Keys of workers, as the staff makes and lists them.

use kernel::Problem;
use people::Secret;
use people::secret::{WORKER_SCOPES, new_id};
use store::{KeyDeed, KeyRow, Store, StoreError};
use wire::{MadeWorkerKey, WorkerKey};

/// The most letters of a key's name.
const NAME: usize = 60;

fn line(row: KeyRow) -> WorkerKey {
    WorkerKey {
        id: row.id,
        name: row.name,
        scopes: row.scopes.split_whitespace().map(str::to_owned).collect(),
        made_ms: row.made_ms,
        aside: row.aside.map(|(_, why)| why),
        seen_ms: None,
        answers: 0,
        faults: 0,
    }
}

/// Makes a worker's key, and the deed that stores it; its text is told this once.
///
/// # Errors
/// `worker-key-name`, `worker-scope-unknown`.
pub fn new(name: &str, scopes: &[String], now_ms: u64) -> Result<(MadeWorkerKey, KeyDeed), Problem> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > NAME || name.chars().any(char::is_control) {
        return Err(Problem::new("worker-key-name").with("limit", NAME));
    }
    let all = WORKER_SCOPES;
    if let Some(strange) = scopes.iter().find(|scope| !all.contains(&scope.as_str())) {
        let strange: String = strange.chars().take(40).collect();
        return Err(Problem::new("worker-scope-unknown")
            .with("scope", strange)
            .with("known", all.join(", ")));
    }
    let chosen: Vec<&str> =
        all.into_iter().filter(|scope| scopes.is_empty() || scopes.iter().any(|one| one == scope)).collect();
    let secret = Secret::new_worker();
    let row = KeyRow {
        id: new_id(),
        name: name.to_owned(),
        scopes: chosen.join(" "),
        made_ms: now_ms,
        aside: None,
    };
    let deed = KeyDeed::Add { key: row.clone(), hash: secret.hash() };
    Ok((MadeWorkerKey { token: secret.reveal().to_owned(), key: line(row) }, deed))
}

/// Returns the keys of workers in a store, the oldest first.
///
/// # Errors
/// An error when the store fails.
pub async fn listed(store: &Store) -> Result<Vec<WorkerKey>, StoreError> {
    Ok(store.worker_keys.worker_keys().await?.into_iter().map(line).collect())
}
