//! A counter of commits outside the database: the database must be at least as new.
//!
//! SQLite silently drops the end of a damaged write-ahead log, and does not notice a log that was deleted altogether.
//! The file `hall.tip` holds the number of commits. It is written after each commit and before the commit is
//! acknowledged; it waits for the disk once a second. So every commit that was acknowledged before the hall was
//! killed is counted, and after a loss of power every commit that was acknowledged a second earlier.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The content of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tip {
    /// The least number of commits that the database must have.
    pub commits: u64,
}

/// Returns the path of the file in a folder.
#[must_use]
pub fn path(folder: &Path) -> PathBuf {
    folder.join("hall.tip")
}

/// Reads the file; `None` when there is none, or an empty one.
///
/// # Errors
/// An error when it cannot be read, or was not written by [`write()`].
pub fn read(folder: &Path) -> Result<Option<Tip>, String> {
    let mut text = String::new();
    match File::open(path(folder)) {
        Ok(file) => file.take(256).read_to_string(&mut text).map_err(|e| e.to_string())?,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(why.to_string()),
    };
    if text.is_empty() {
        return Ok(None);
    }
    parse(&text).map(Some).ok_or_else(|| "its text is not what a hall wrote".to_owned())
}

/// Writes the file over what was there, and waits for the disk when `durably`. It always takes the same room, so that it
/// can be written on a full disk. Returns the file, open for [`overwrite()`].
///
/// # Errors
/// The error of the file system.
pub fn write(folder: &Path, tip: Tip, durably: bool) -> std::io::Result<File> {
    let path = path(folder);
    let is_new = !path.exists();
    let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    file.write_all(show(tip).as_bytes())?;
    if durably || is_new {
        file.sync_data()?;
    }
    if is_new {
        File::open(folder)?.sync_all()?;
    }
    Ok(file)
}

/// Writes over what stands in the open file. Nothing waits for the disk.
///
/// # Errors
/// The error of the file system.
pub fn overwrite(file: &mut File, tip: Tip) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.write_all(show(tip).as_bytes())
}

fn show(tip: Tip) -> String {
    // As long as lines of the first version: it is written over them.
    let line = format!("2 {:028}", tip.commits);
    let sum = sum(&line);
    format!("{line} {sum}\n")
}

/// Reads the text of the file; `None` when [`write()`] did not write it.
#[must_use]
pub fn parse(text: &str) -> Option<Tip> {
    let (line, check) = text.strip_suffix('\n')?.rsplit_once(' ')?;
    if sum(line) != check {
        return None;
    }
    // The first version also said whether a hall was at work.
    let old = || line.strip_prefix("1 running ").or_else(|| line.strip_prefix("1 stopped "));
    let commits = line.strip_prefix("2 ").or_else(old)?;
    Some(Tip { commits: commits.parse().ok()? })
}

fn sum(line: &str) -> String {
    Sha256::digest(line.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(read(folder.path()), Ok(None));
        for tip in [Tip { commits: u64::MAX }, Tip { commits: 0 }, Tip { commits: 7 }] {
            write(folder.path(), tip, false).expect("writes");
            assert_eq!(read(folder.path()), Ok(Some(tip)));
        }
        let good = std::fs::read(path(folder.path())).expect("reads");
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            std::fs::write(path(folder.path()), &bad).expect("writes");
            assert!(read(folder.path()).is_err(), "byte {at}");
        }
    }
}
