//! The room that the store takes and the room that is left on the disk.

use std::path::Path;

use crate::{Size, StoreError};

pub(super) fn size(folder: &Path) -> Result<Size, StoreError> {
    let mut bytes_used = 0;
    for name in ["hall.db", "hall.db-wal", "hall.db-shm", "hall.tip"] {
        match std::fs::metadata(folder.join(name)) {
            Ok(file) => bytes_used += file.len(),
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => {}
            Err(why) => return Err(StoreError::Failed(format!("{}: {why}", folder.join(name).display()))),
        }
    }
    Ok(Size { bytes_used, bytes_free_on_disk: free(folder)? })
}

/// Returns the bytes that this user may still write there.
pub(super) fn free(folder: &Path) -> Result<u64, StoreError> {
    let disk = rustix::fs::statvfs(folder)
        .map_err(|why| StoreError::Failed(format!("the file system of {}: {why}", folder.display())))?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// The free space in bytes below which an unclear error of SQLite is taken for a full disk.
const HARDLY_ANYTHING: u64 = 1 << 20;
/// The distance in bytes from its size limit at which a file counts as full: SQLite writes a page with its header at
/// a time.
const NEARLY: u64 = 128 << 10;

/// Finds out the kind of a disk error: SQLite reports a full disk only sometimes, and other errors without their
/// kind.
pub(super) fn named(folder: &Path, why: StoreError) -> StoreError {
    let StoreError::DiskFailed(_) = why else { return why };
    if free(folder).is_ok_and(|free| free < HARDLY_ANYTHING) {
        return StoreError::DiskFull;
    }
    match most_of_a_file() {
        Some(most) if largest(folder).saturating_add(NEARLY) > most => StoreError::FileTooLarge(most),
        _ => why,
    }
}

/// Returns the largest size of a file that this process may write, in bytes; `None`: unlimited.
#[cfg(unix)]
fn most_of_a_file() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Fsize).current
}

#[cfg(not(unix))]
fn most_of_a_file() -> Option<u64> {
    None
}

fn largest(folder: &Path) -> u64 {
    let lengths = ["hall.db", "hall.db-wal"]
        .map(|name| std::fs::metadata(folder.join(name)).map_or(0, |file| file.len()));
    lengths.into_iter().max().unwrap_or(0)
}
