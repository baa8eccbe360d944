//! Files that commands write: beside their place first, and in it when they are whole.
//!
//! One rule for all: an existing file is not overwritten without `--force`, which is checked before any work; and the
//! old file stays whole until the new one is. A pipe or a terminal is written to as it is.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use kernel::Problem;

/// A file that is being written. Without [`Fresh::finish`] nothing is left of it.
pub struct Fresh {
    place: PathBuf,
    /// The path until it is whole; `None`: its place.
    beside: Option<PathBuf>,
    file: BufWriter<File>,
}

impl Fresh {
    /// Begins a file.
    ///
    /// # Errors
    /// `file-is-there` when one is there and `force` is not set; `file-cannot-be-written`.
    pub fn create(place: &Path, force: bool) -> Result<Fresh, Problem> {
        let there = std::fs::metadata(place).ok();
        let wrong = |why: std::io::Error| unwritten(place, &why);
        if there.as_ref().is_some_and(|there| !there.is_file() && !there.is_dir()) {
            let file = File::options().write(true).open(place).map_err(wrong)?;
            return Ok(Fresh { place: place.to_owned(), beside: None, file: BufWriter::new(file) });
        }
        match there {
            Some(there) if there.is_dir() => {
                return Err(unwritten(place, &std::io::Error::from(std::io::ErrorKind::IsADirectory)));
            }
            Some(_) if !force => return Err(Problem::new("file-is-there").with("file", place.display())),
            _ => {}
        }
        let mut name = place.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let beside = place.with_file_name(name);
        let file = File::create(&beside).map_err(wrong)?;
        Ok(Fresh { place: place.to_owned(), beside: Some(beside), file: BufWriter::new(file) })
    }

    /// Returns the path to write to until the file is finished, for code that writes by a path.
    pub fn beside(&self) -> &Path {
        self.beside.as_deref().unwrap_or(&self.place)
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// `file-cannot-be-written`.
    pub fn finish(mut self) -> Result<(), Problem> {
        let done = self.file.flush().and_then(|()| match self.beside.take() {
            Some(beside) => File::open(&beside)
                .and_then(|file| file.sync_all())
                .and_then(|()| std::fs::rename(&beside, &self.place))
                .inspect_err(|_| drop(std::fs::remove_file(&beside))),
            None => Ok(()),
        });
        done.map_err(|why| unwritten(&self.place, &why))
    }

    /// Returns the problem of a failed write.
    pub fn wrong(&self, why: &std::io::Error) -> Problem {
        unwritten(&self.place, why)
    }
}

impl Write for Fresh {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            let _ = std::fs::remove_file(beside);
        }
    }
}

/// Describes a file that cannot be written.
pub fn unwritten(place: &Path, why: &std::io::Error) -> Problem {
    Problem::new("file-cannot-be-written").with("file", place.display()).with("reason", why)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The old file stays until the new one is whole, and nothing of a broken one is left.
    #[test]
    fn a_file_takes_its_place_when_it_is_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("games.pdn");
        let read = || std::fs::read_to_string(&place).ok();
        let names = || std::fs::read_dir(folder.path()).expect("is there").count();
        let mut first = Fresh::create(&place, false).expect("begins");
        first.write_all(b"one").expect("writes");
        assert_eq!(read(), None);
        first.finish().expect("is whole");
        assert_eq!(read().as_deref(), Some("one"));
        assert_eq!(Fresh::create(&place, false).err().map(|problem| problem.key), Some("file-is-there"));
        let mut broken = Fresh::create(&place, true).expect("begins");
        broken.write_all(b"half").expect("writes");
        drop(broken);
        assert_eq!((read().as_deref(), names()), (Some("one"), 1));
        let mut second = Fresh::create(&place, true).expect("begins");
        second.write_all(b"two").expect("writes");
        second.finish().expect("is whole");
        assert_eq!((read().as_deref(), names()), (Some("two"), 1));
        let key = |path: &Path| Fresh::create(path, true).err().map(|problem| problem.key);
        assert_eq!(key(folder.path()), Some("file-cannot-be-written"));
        assert_eq!(key(&folder.path().join("none/x")), Some("file-cannot-be-written"));
    }
}
