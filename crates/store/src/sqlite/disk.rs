//! How much room there is.

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

/// What this user may still write there, in bytes.
pub(super) fn free(folder: &Path) -> Result<u64, StoreError> {
    let disk = rustix::fs::statvfs(folder)
        .map_err(|why| StoreError::Failed(format!("the file system of {}: {why}", folder.display())))?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}
