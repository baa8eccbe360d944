//! The errors of the store.

/// An error of the store. Unless a variant says otherwise, nothing was stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreError {
    /// The entry's version is not the next one of its table: another writer appended to it.
    Conflict,
    /// The id of a table or a person, or the name of an open room or a person, is taken.
    Taken,
    /// A table of that id does not exist.
    Missing,
    /// The quota for maps is used up.
    Full(Whose),
    /// The disk is full. The store can be read, and writes again when a later write finds room.
    DiskFull,
    /// A file would grow beyond what this process may write, in bytes (`RLIMIT_FSIZE`); as with a full disk.
    FileTooLarge(u64),
    /// The disk did not read or write what it was asked to, and is not full; as with a full disk.
    DiskFailed(String),
    /// Another process has the database to itself: a hall that can only read, because its disk is full.
    InUse,
    /// The data are of a newer hall, whose version of the schema this is.
    Newer(i64),
    /// Another node owns the table by now, or this node was taken for dead: the process that still holds the table in
    /// memory drops it.
    Fenced,
    /// The stored data differ from what was written.
    Damaged(Box<Damage>),
    /// The database failed: broken file, no connection, no permission.
    Failed(String),
}

/// A description of damaged data, with advice for the keeper of the data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The damage that was found.
    pub what: String,
    /// The file, or the table and the version.
    pub place: String,
    /// The recommended remedy.
    pub advice: String,
}

/// The quotas for maps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// The quota of one person.
    Visitor,
    /// The quota of all people together.
    All,
}

impl StoreError {
    /// Returns true if nothing can be written for now, although the stored data can be read.
    #[must_use]
    pub fn is_about_the_disk(&self) -> bool {
        matches!(self, StoreError::DiskFull | StoreError::FileTooLarge(_) | StoreError::DiskFailed(_))
    }

    pub(crate) fn damaged(
        what: impl Into<String>,
        place: impl Into<String>,
        advice: impl Into<String>,
    ) -> StoreError {
        StoreError::Damaged(Box::new(Damage {
            what: what.into(),
            place: place.into(),
            advice: advice.into(),
        }))
    }

    /// Builds the error for damage of one table, which does not affect the others.
    pub(crate) fn damaged_table(what: impl Into<String>, id: &str, ver: Option<u64>) -> StoreError {
        let place = match ver {
            Some(ver) => format!("table {id}, version {ver}"),
            None => format!("table {id}"),
        };
        StoreError::damaged(
            what,
            place,
            "run `qiguan admin check` to see every damaged table; restore a backup by `qiguan admin restore`, \
             or go on: other tables are not affected",
        )
    }
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the data are damaged: {} ({}). {}", self.what, self.place, self.advice)
    }
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StoreError::Conflict => f.write_str("another writer was faster"),
            StoreError::Taken => f.write_str("the name is taken"),
            StoreError::Missing => f.write_str("there is no such table"),
            StoreError::Full(_) => f.write_str("there is no room for another map"),
            StoreError::DiskFull => f.write_str(
                "the disk is full: nothing was written; what is stored can be read; make room on the disk, and the \
                 hall writes again",
            ),
            StoreError::FileTooLarge(most) => write!(
                f,
                "this process may write files of at most {most} bytes: nothing was written; what is stored can be read; \
                 start the hall with a larger limit (`ulimit -f`, `LimitFSIZE`)"
            ),
            StoreError::DiskFailed(why) => write!(
                f,
                "the disk failed: {why}; nothing was written; look at the system's log before you trust the disk again"
            ),
            StoreError::InUse => f.write_str("another process has the database to itself"),
            StoreError::Newer(version) => write!(
                f,
                "the data are of a newer hall (version {version}); start that one, or use another folder"
            ),
            StoreError::Fenced => f.write_str("another node owns the table now"),
            StoreError::Damaged(damage) => damage.fmt(f),
            StoreError::Failed(why) => write!(f, "the database failed: {why}"),
        }
    }
}

impl std::error::Error for StoreError {}
