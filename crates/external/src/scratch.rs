//! The folder for the temporary files of one engine, which is removed with it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The most files and folders that an engine may have in it.
const MOST_ENTRIES: usize = 4096;
/// The greatest nesting depth of its folders.
const MOST_DEPTH: usize = 16;
/// The most entries removed at the end; any others stay on the disk.
const MOST_REMOVED: usize = 1 << 20;

/// A private folder. Its contents are removed when it is dropped.
pub(super) struct Scratch(TempDir);

impl Scratch {
    pub(super) fn new() -> io::Result<Scratch> {
        tempfile::Builder::new().prefix("qiguan-engine-").tempdir().map(Scratch)
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        empty(self.0.path());
    }
}

/// Returns the size of a folder's files in bytes; `None` if it has too many files or folders, or too deep ones.
pub(super) fn size(folder: &Path) -> Option<u64> {
    let (mut bytes, mut entries) = (0_u64, 0);
    let mut open = vec![(folder.to_path_buf(), 0)];
    while let Some((path, depth)) = open.pop() {
        // What is gone meanwhile, or was hidden, is looked at the next time.
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            entries += 1;
            if entries > MOST_ENTRIES || depth > MOST_DEPTH {
                return None;
            }
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_dir() {
                open.push((entry.path(), depth + 1));
            } else {
                bytes = bytes.saturating_add(meta.len());
            }
        }
    }
    Some(bytes)
}

/// Empties a folder without recursion: nested folders are first moved to the top, so that a hostile program's deep
/// nesting costs neither stack nor open files. No other process may change the folder meanwhile.
fn empty(folder: &Path) {
    let mut left = MOST_REMOVED;
    let mut named = 0_usize;
    while let Some(path) = fs::read_dir(folder).ok().and_then(|mut entries| entries.next()?.ok()) {
        let path = path.path();
        if left == 0 || remove(&path, folder, &mut left, &mut named).is_err() {
            return;
        }
    }
}

/// Removes an entry of `top`. If it is a folder, its subfolders become entries of `top`.
fn remove(path: &Path, top: &Path, left: &mut usize, named: &mut usize) -> io::Result<()> {
    *left = left.saturating_sub(1);
    if !fs::symlink_metadata(path)?.is_dir() {
        return fs::remove_file(path);
    }
    open_up(path)?;
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        *left = left.saturating_sub(1);
        if *left == 0 {
            return Err(io::ErrorKind::QuotaExceeded.into());
        }
        if entry.file_type()?.is_dir() {
            open_up(&entry.path())?;
            fs::rename(entry.path(), unused(top, named))?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    fs::remove_dir(path)
}

/// Returns an unused path in `top`.
fn unused(top: &Path, named: &mut usize) -> PathBuf {
    loop {
        *named += 1;
        let path = top.join(format!("{named}"));
        if fs::symlink_metadata(&path).is_err() {
            return path;
        }
    }
}

/// Makes a folder readable and writable for us.
fn open_up(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_lies_in_it_goes_with_it() {
        let scratch = Scratch::new().unwrap();
        let place = scratch.path().to_path_buf();
        fs::create_dir_all(place.join("a/b/c/1")).unwrap();
        fs::create_dir_all(place.join("1/1/1")).unwrap();
        fs::write(place.join("a/b/file"), "12345").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("/", place.join("a/root")).unwrap();
        assert_eq!(size(&place).map(|bytes| bytes >= 5), Some(true));
        drop(scratch);
        assert!(!place.exists());
    }

    /// A folder is removed that is nested too deeply for `remove_dir_all`, which keeps a file open at each level.
    #[test]
    #[cfg(unix)]
    fn a_deep_one_goes_too() {
        let scratch = Scratch::new().unwrap();
        let place = scratch.path().to_path_buf();
        // Paths have a longest length: each folder is made at the top and the last one moved into it.
        let (inner, outer) = (place.join("inner"), place.join("outer"));
        fs::create_dir(&inner).unwrap();
        for _ in 0..3000 {
            fs::create_dir(&outer).unwrap();
            fs::rename(&inner, outer.join("d")).unwrap();
            fs::rename(&outer, &inner).unwrap();
        }
        assert_eq!(size(&place), None);
        drop(scratch);
        assert!(!place.exists());
    }

    #[test]
    fn many_files_are_too_many() {
        let scratch = Scratch::new().unwrap();
        (0..=MOST_ENTRIES)
            .for_each(|number| drop(fs::File::create(scratch.path().join(format!("{number}")))));
        assert_eq!(size(scratch.path()), None);
    }
}
