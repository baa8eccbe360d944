//! Maps that people brought.

use catalog::maps::Package;
use wire::MapLine;

use crate::StoreError;

/// The limits on the number of maps and on their total size, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapRoom {
    /// The most maps of one person.
    pub maps_each: u32,
    /// The most bytes that the maps of one person take.
    pub bytes_each: u64,
    /// The most maps of all people together.
    pub maps: u32,
    /// The most bytes that all maps together take.
    pub bytes: u64,
}

/// A map to be kept.
#[derive(Clone, PartialEq, Debug)]
pub struct NewMap {
    /// The line that lists show of it.
    pub line: MapLine,
    /// Public id of the person who brings it.
    pub owner: String,
    /// The workbook and its extensions.
    pub package: Package,
    /// True if the old names of places are known in it.
    pub old_names: bool,
    /// The names and versions of the shared extensions of which it has copies; those that are not on the shelf are left
    /// out.
    pub uses: Vec<(String, u32)>,
    /// The version of a work as which it is published; `None` if its author is only trying it out. No map is public
    /// without being a version of a work.
    pub version: Option<crate::shelf::NewVersion>,
}

/// A map as it was loaded from the store.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredMap {
    /// The line that lists show of it.
    pub line: MapLine,
    /// The workbook and its extensions.
    pub package: Package,
    /// True if the old names of places are known in it.
    pub old_names: bool,
    /// True if its author is only trying it out.
    pub trial: bool,
}

/// Maps that people brought.
#[async_trait::async_trait]
pub trait Maps: Send + Sync + 'static {
    /// Stores a map if the limits of `room` allow it, and publishes it if it comes with a version, in one transaction.
    /// A map that is there already stays as it is, but for a trial that is published now.
    /// [`Missing`](StoreError::Missing): no such work of that owner. [`Conflict`](StoreError::Conflict): another
    /// version was published first. The same files again change nothing, or the name and the tags of their work.
    async fn keep_map(&self, map: NewMap, room: MapRoom) -> Result<(), StoreError>;

    /// A map with its files.
    async fn map(&self, id: &str) -> Result<Option<StoredMap>, StoreError>;

    /// Maps whose name holds `search`, newest first.
    async fn search(&self, search: &str, most: u32) -> Result<Vec<MapLine>, StoreError>;

    /// Ids of the maps that person brought.
    async fn maps_of(&self, person: &str) -> Result<Vec<String>, StoreError>;

    /// Returns the public id of the person who brought a map, and its name.
    async fn map_owner(&self, id: &str) -> Result<Option<(String, String)>, StoreError>;
}
