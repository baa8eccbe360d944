//! Zipped files: the files in an archive, one after the other, with limits against zip bombs.
//!
//! A file is unpacked while it is read, so that its size costs no memory. A real record of a game is packed to about a
//! tenth; what is packed to less than a two-hundredth, and is not small, was made to do harm. So were files that lie in each
//! other: a few bytes could be unpacked ten thousand times.

use std::io::{Read, Seek, SeekFrom};

use kernel::Problem;
use zip::ZipArchive;

/// The most files of an archive.
pub const MOST_FILES: usize = 10_000;
/// The most bytes of one file, unpacked.
pub const MOST_UNPACKED: u64 = 4 << 30;
/// The highest ratio of the size of a file to its packed size.
const MOST_RATIO: u64 = 200;
/// The size up to which the ratio is not checked, in bytes.
const SMALL: u64 = 1 << 20;
/// The number of bytes at the end of an archive in which its list of files is searched: a comment may follow the
/// list.
const END: u64 = 22 + 65_535;

/// Returns true if bytes begin like an archive.
///
/// ```
/// assert!(records::archive::begins_like_one(b"PK\x03\x04..."));
/// assert!(!records::archive::begins_like_one(b"1. h2e2"));
/// ```
#[must_use]
pub fn begins_like_one(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// A .zip archive, read with limits on its size.
///
/// ```
/// use std::io::{Cursor, Read, Write};
///
/// use records::archive::Archive;
///
/// let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
/// zip.start_file("game.pos", zip::write::SimpleFileOptions::default())?;
/// zip.write_all(b"h8i9")?;
/// let mut archive = Archive::open(zip.finish()?)?;
/// let (name, mut file) = archive.file(0)?.expect("it is no folder");
/// let mut text = String::new();
/// file.read_to_string(&mut text)?;
/// assert_eq!((name.as_str(), text.as_str()), ("game.pos", "h8i9"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Archive<R> {
    zip: ZipArchive<R>,
    most: u64,
    left: u64,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the list of files.
    ///
    /// ```
    /// use records::archive::Archive;
    ///
    /// let problem = Archive::open(std::io::Cursor::new(b"no archive")).err().unwrap();
    /// assert_eq!(problem.key, "archive-broken");
    /// ```
    ///
    /// # Errors
    /// `archive-broken`, `archive-many-files`, `archive-overlaps`.
    pub fn open(mut source: R) -> Result<Archive<R>, Problem> {
        let broken = |why: &dyn std::fmt::Display| Problem::new("archive-broken").with("detail", why);
        // The list is read as a whole; how long it is stands at the end.
        let files = listed(&mut source).map_err(|why| broken(&why))?;
        if files > MOST_FILES as u64 {
            return Err(Problem::new("archive-many-files").with("found", files).with("most", MOST_FILES));
        }
        source.rewind().map_err(|why| broken(&why))?;
        let zip = ZipArchive::new(source).map_err(|why| broken(&why))?;
        if zip.len() > MOST_FILES {
            return Err(Problem::new("archive-many-files").with("found", zip.len()).with("most", MOST_FILES));
        }
        let mut archive = Archive { zip, most: u64::MAX, left: u64::MAX };
        archive.check_apart()?;
        Ok(archive)
    }

    /// Unpacks at most that many bytes of all files together; further reads end with `archive-large`.
    ///
    /// ```
    /// use std::io::{Cursor, Read, Write};
    ///
    /// use records::archive::Archive;
    ///
    /// let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    /// zip.start_file("long.pos", zip::write::SimpleFileOptions::default())?;
    /// zip.write_all(&[b'x'; 1000])?;
    /// let mut archive = Archive::open(zip.finish()?)?.at_most(100);
    /// let (_, mut file) = archive.file(0)?.expect("it is no folder");
    /// assert!(file.read_to_end(&mut Vec::new()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn at_most(self, bytes: u64) -> Archive<R> {
        Archive { most: bytes, left: bytes, ..self }
    }

    /// Checks that no two files share a part of the archive. A file that cannot be found is reported when it is read.
    fn check_apart(&mut self) -> Result<(), Problem> {
        let mut parts: Vec<(u64, u64)> = Vec::with_capacity(self.zip.len());
        for at in 0..self.zip.len() {
            let Ok(file) = self.zip.by_index_raw(at) else { continue };
            if let (Some(begins), 1..) = (file.data_start(), file.compressed_size()) {
                parts.push((begins, begins.saturating_add(file.compressed_size())));
            }
        }
        parts.sort_unstable();
        let apart = parts.windows(2).all(|two| two[0].1 <= two[1].0);
        if apart { Ok(()) } else { Err(Problem::new("archive-overlaps")) }
    }

    /// Number of files and folders.
    #[must_use]
    pub fn len(&self) -> usize {
        self.zip.len()
    }

    /// Returns true if the archive has no files.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.zip.is_empty()
    }

    /// The name of a file, and what is in it; `None` for a folder.
    ///
    /// # Errors
    /// `archive-broken`.
    pub fn file(&mut self, at: usize) -> Result<Option<(String, impl Read)>, Problem> {
        let file = self.zip.by_index(at).map_err(|why| Problem::new("archive-broken").with("detail", why))?;
        if file.is_dir() {
            return Ok(None);
        }
        let name = file.name().map_or_else(|_| at.to_string(), |name| name.into_owned());
        let most = MOST_UNPACKED.min(SMALL.max(file.compressed_size().saturating_mul(MOST_RATIO)));
        let of_all = (&mut self.left, self.most);
        Ok(Some((name, Bounded { file, left: most, most, of_all })))
    }
}

/// Returns the number of files that the end of an archive claims.
fn listed<R: Read + Seek>(source: &mut R) -> std::io::Result<u64> {
    let size = source.seek(SeekFrom::End(0))?;
    source.seek(SeekFrom::Start(size.saturating_sub(END)))?;
    let mut end = Vec::new();
    source.take(END).read_to_end(&mut end)?;
    let at = end.windows(4).rposition(|part| part == b"PK\x05\x06");
    let Some(head) = at.and_then(|at| end.get(at..at + 22)) else { return Ok(0) };
    let count = u64::from(u16::from_le_bytes([head[10], head[11]]));
    let bytes = u64::from(u32::from_le_bytes([head[12], head[13], head[14], head[15]]));
    // A file takes at least 46 bytes of the list, whatever number is claimed; a longer form of the end has 65535 here.
    Ok(if bytes == u64::from(u32::MAX) { u64::MAX } else { count.max(bytes / 300) })
}

/// A file whose reading ends with a problem when it is longer than its packed size explains, or than the limit of all
/// files together.
struct Bounded<'a, R> {
    file: R,
    left: u64,
    most: u64,
    /// The bytes left for all files of the archive, and the limit.
    of_all: (&'a mut u64, u64),
}

impl<R: Read> Read for Bounded<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(out)?;
        let less = |left: u64, key, most: u64| {
            let too_much = || std::io::Error::other(Problem::new(key).with("most", most));
            left.checked_sub(read as u64).ok_or_else(too_much)
        };
        self.left = less(self.left, "archive-bomb", self.most)?;
        *self.of_all.0 = less(*self.of_all.0, "archive-large", self.of_all.1)?;
        Ok(read)
    }
}
