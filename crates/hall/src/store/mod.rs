//! What survives a restart. One SQL dialect per file; nothing else knows SQL.
//!
//! The log of a table is the truth: a table is what its entries add up to. An entry that was appended is on disk
//! before [`Store::append`] returns, and it is there exactly once, in the order of its version.

mod maps;
mod sqlite;

use std::collections::BTreeMap;

use catalog::maps::Package;
use serde::{Deserialize, Serialize};
use wire::{ClockSpec, Event, How, MapLine, MapName};

pub use sqlite::Sqlite;

/// What was agreed before a game; never changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Setup {
    /// Catalogue key.
    pub game: String,
    /// Every option with its value.
    pub options: BTreeMap<String, i64>,
    /// The map, in games that come with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapName>,
    /// The start position, when it is not the usual one.
    pub fen: Option<String>,
    /// How the table was opened.
    pub how: How,
    /// The room's name.
    pub room: Option<String>,
    /// How long sides may think.
    pub clock: ClockSpec,
    /// Unix milliseconds.
    pub created_ms: u64,
}

/// One thing that happened at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// One more than the entry before; the first is 1.
    pub ver: u64,
    /// Unix milliseconds.
    pub at_ms: u64,
    /// The client's wish that it fulfils.
    pub cmd: Option<String>,
    /// Thinking time charged, in milliseconds.
    pub spent_ms: Option<u64>,
    /// What happened.
    pub event: Event,
}

/// Where a table stands, kept beside its log so that tables are found without reading it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Waiting, being played or over.
    pub stage: Stage,
    /// Guest ids of the two players.
    pub seats: [Option<String>; 2],
}

/// How far a game has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// A seat is free.
    Waiting,
    /// Both seats are taken.
    Playing,
    /// The game has ended.
    Over,
}

/// Why something was not stored or read.
#[derive(Debug)]
pub enum StoreError {
    /// The entry's version or command stands in the log already: somebody else wrote to this table.
    Conflict,
    /// A table of that id, or an open room of that name, is there already.
    Taken,
    /// There is no room for another map: whose room it is.
    Full(Whose),
    /// The database failed: full disk, broken file, no connection. Nothing was stored.
    Failed(String),
}

/// Whose room for maps is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// That of one visitor.
    Visitor,
    /// That of all together.
    All,
}

/// How many maps there may be, and how large together, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapRoom {
    /// Maps of one visitor.
    pub maps_each: u32,
    /// Bytes of one visitor's maps.
    pub bytes_each: u64,
    /// Maps of all.
    pub maps: u32,
    /// Bytes of all maps.
    pub bytes: u64,
}

/// A map to be kept.
#[derive(Clone, PartialEq, Debug)]
pub struct NewMap {
    /// What lists show of it.
    pub line: MapLine,
    /// The guest who brings it.
    pub owner: String,
    /// Its files.
    pub package: Package,
    /// Whether old names are known in it.
    pub old_names: bool,
    /// Whether its author only tries it.
    pub trial: bool,
}

/// A map as it was found.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredMap {
    /// What lists show of it.
    pub line: MapLine,
    /// Its files.
    pub package: Package,
    /// Whether old names are known in it.
    pub old_names: bool,
    /// Whether its author only tries it.
    pub trial: bool,
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StoreError::Conflict => f.write_str("another writer was faster"),
            StoreError::Taken => f.write_str("the name is taken"),
            StoreError::Full(_) => f.write_str("there is no room for another map"),
            StoreError::Failed(why) => write!(f, "the database failed: {why}"),
        }
    }
}

impl std::error::Error for StoreError {}

/// A table as it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// What was agreed.
    pub setup: Setup,
    /// Everything that happened, by rising version without gaps.
    pub log: Vec<Entry>,
}

/// The hall's memory.
#[async_trait::async_trait]
pub trait Store: Send + Sync + 'static {
    /// Opens a table whose log begins with `log`.
    async fn create(
        &self,
        id: &str,
        setup: &Setup,
        log: Vec<Entry>,
        standing: Standing,
    ) -> Result<(), StoreError>;

    /// Appends one entry; `standing` when it changed. On return it is on disk.
    async fn append(&self, id: &str, entry: Entry, standing: Option<Standing>) -> Result<(), StoreError>;

    /// A table with its log; `None` when there is no such table.
    async fn load(&self, id: &str) -> Result<Option<Stored>, StoreError>;

    /// The id of the open room of that name.
    async fn room(&self, name: &str) -> Result<Option<String>, StoreError>;

    /// Ids of the rooms that wait for a player, newest first.
    async fn waiting_rooms(&self, most: u32) -> Result<Vec<String>, StoreError>;

    /// Ids of the unfinished tables at which that guest sits, newest first.
    async fn playing(&self, guest: &str, most: u32) -> Result<Vec<String>, StoreError>;

    /// The name a guest chose.
    async fn name(&self, guest: &str) -> Result<Option<String>, StoreError>;

    /// Keeps the name a guest chose; `None` forgets it.
    async fn rename(&self, guest: &str, name: Option<&str>) -> Result<(), StoreError>;

    /// Keeps a map as long as there is `room`. One that is there already stays as it is.
    async fn keep_map(&self, map: NewMap, room: MapRoom) -> Result<(), StoreError>;

    /// A map with its files.
    async fn map(&self, id: &str) -> Result<Option<StoredMap>, StoreError>;

    /// Maps whose name holds `search`, newest first.
    async fn maps(&self, search: &str, most: u32) -> Result<Vec<MapLine>, StoreError>;

    /// The report that was kept about a table, and the version of the table it is about.
    async fn report(&self, id: &str) -> Result<Option<(u64, String)>, StoreError>;

    /// Keeps a report, instead of an older one.
    async fn keep_report(&self, id: &str, ver: u64, body: &str) -> Result<(), StoreError>;

    /// Whether the database answers.
    async fn ping(&self) -> Result<(), StoreError>;
}
