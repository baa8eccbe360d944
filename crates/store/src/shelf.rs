//! The shelf of maps: works with their versions, star ratings of players, and balance reports from games of the
//! engine.
//!
//! A work is a map under its public name: it has a permanent address, an owner, and versions. A version is a map's
//! files, whose id is their hash.

use wire::MapLine;

use crate::StoreError;

/// The orders in which works can be listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sorted {
    /// The last changed work first.
    #[default]
    Newest,
    /// The work with the most games first.
    Played,
    /// The work with the best rating first: the mean of the stars, drawn towards three as if two more people had
    /// given three.
    Stars,
    /// The most even work first: the engine's score for red nearest to a half; works without a report last.
    Even,
    /// Alphabetical by name.
    Name,
}

/// A query for a list of works.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WantedWorks {
    /// Part of the name, the author's name or a tag; empty: all.
    pub search: String,
    /// Public id of the owner, whose unlisted works are found, too; `None`: listed ones of all.
    pub owner: Option<String>,
    /// The order of the list.
    pub sorted: Sorted,
    /// The number of works to skip.
    pub skip: u32,
    /// The most works to return.
    pub most: u32,
}

/// A work as lists show it.
#[derive(Clone, PartialEq, Debug)]
pub struct Work {
    /// Its address: the id of its first version's files.
    pub id: String,
    /// Public id of the owner.
    pub owner: String,
    /// Their name, if they have one.
    pub author: Option<String>,
    /// The title of the work.
    pub name: String,
    /// Keywords for the search.
    pub tags: Vec<String>,
    /// True if lists show it.
    pub listed: bool,
    /// The number of its newest version, from 1.
    pub version: u32,
    /// The line that lists show of the newest version.
    pub line: MapLine,
    /// The work and the version from which it was forked; `None` if it was not forked.
    pub fork_of: Option<(String, u32)>,
    /// The moment at which it was published, in Unix milliseconds.
    pub made_ms: u64,
    /// The moment at which its newest version was published, in Unix milliseconds.
    pub changed_ms: u64,
    /// The number of games that were finished on it, without those of one person on one screen.
    pub games: u64,
    /// The total number of plies of these games.
    pub plies: u64,
    /// The number of people who finished a game on it.
    pub players: u64,
    /// The sum of all stars given.
    pub stars: u64,
    /// The number of people who gave stars.
    pub starred: u64,
    /// Red's share of the points in games of the engine, in thousandths.
    pub first_share: Option<u32>,
    /// The games of accounts against each other on the newest version.
    pub play: MapPlay,
}

/// Counts of the games of accounts against each other on a version of a map. A player counts as an account if they
/// have one when the game is finished: a guest's games do not count later, and those of an account that is closed
/// stay. See [`people::pool::is_played`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MapPlay {
    /// Accounts that finished a game.
    pub players: u64,
    /// Games that were finished; each counts once.
    pub games: u64,
}

/// A version of a work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    /// Its number, from 1.
    pub n: u32,
    /// The id of its files.
    pub map: String,
    /// The note of its author about the version.
    pub note: String,
    /// The moment at which it was published, in Unix milliseconds.
    pub at_ms: u64,
}

/// The version as which a map is published: of a new work, or of one of its owner's. The map says its name, which is the
/// title of the work from now on, its owner and the time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NewVersion {
    /// The work of which this is the next version; `None` for a new work.
    pub work: Option<String>,
    /// The version that the author saw last; another one is refused with [`Conflict`](StoreError::Conflict).
    pub base: u32,
    /// Keywords for the search.
    pub tags: Vec<String>,
    /// The note of its author about the version.
    pub note: String,
    /// The work and the version from which a new work was forked; `None` if it was not forked.
    pub fork_of: Option<(String, u32)>,
}

/// A game of the engine against itself, as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BalanceGame {
    /// The id of the map's files.
    pub map: String,
    /// The plan of the games, as text: reports with the same plan play the same games.
    pub plan: String,
    /// The level of both sides.
    pub level: u8,
    /// Its number within the level.
    pub number: u32,
    /// The game, as JSON.
    pub body: String,
}

/// An extension that its author shares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extension {
    /// The name of the extension, which is unique.
    pub name: String,
    /// Public id of the owner.
    pub owner: String,
    /// Their name, if they have one.
    pub author: Option<String>,
    /// The description of the extension.
    pub about: String,
    /// True if lists show it.
    pub listed: bool,
    /// The number of its newest version, from 1.
    pub newest: u32,
    /// The moment at which that version was published, in Unix milliseconds.
    pub changed_ms: u64,
    /// The number of maps that use it, in any version.
    pub maps: u64,
}

/// A version of an extension. Its file never changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtensionVersion {
    /// Its number, from 1.
    pub n: u32,
    /// The note of its author about the version.
    pub note: String,
    /// The moment at which it was published, in Unix milliseconds.
    pub at_ms: u64,
}

/// A version of an extension that a map uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtensionUse {
    /// The extension's name.
    pub name: String,
    /// The number of the version.
    pub n: u32,
    /// Its author's name, if they have one.
    pub author: Option<String>,
}

/// An extension to be shared, or its next version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewExtension {
    /// The name of the extension.
    pub name: String,
    /// The version that the author saw last, 0 for a new one.
    pub base: u32,
    /// Public id of the author.
    pub owner: String,
    /// The description of the extension.
    pub about: String,
    /// The note of its author about the version.
    pub note: String,
    /// The content of the file.
    pub bytes: Vec<u8>,
    /// The current time, in Unix milliseconds.
    pub at_ms: u64,
}

/// The limits on the number of versions of extensions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExtensionRoom {
    /// The most versions of one person.
    pub versions_each: u32,
    /// The most versions of all people together.
    pub versions: u32,
}

/// The changes to the shelf.
#[derive(Clone, PartialEq, Debug)]
pub enum ShelfChange {
    /// Sets whether lists show a work. [`Missing`](StoreError::Missing): no such work of that owner.
    List {
        /// The address of the work.
        work: String,
        /// Public id of the person who asks for it.
        owner: String,
        /// True if lists show it.
        listed: bool,
    },
    /// Deletes a work with which only its owner opened tables. [`Missing`](StoreError::Missing): no such work of that
    /// owner; [`Conflict`](StoreError::Conflict): another person opened a table with it.
    Delete {
        /// The address of the work.
        work: String,
        /// Public id of the person who asks for it.
        owner: String,
    },
    /// Sets the stars that a person gives a work, instead of those they gave before.
    /// [`Missing`](StoreError::Missing): they have not finished a game on it.
    Star {
        /// The address of the work.
        work: String,
        /// Public id of the person who gives them.
        person: String,
        /// 1 to 5.
        stars: u8,
    },
    /// Counts a game that was finished on a map. It counts for the map's pool if two accounts played it: see
    /// [`MapPlay`].
    Finished {
        /// The id of the map's files.
        map: String,
        /// Public ids of the people who played it, each once, programs left out.
        people: Vec<String>,
        /// The number of plies of the game.
        plies: u32,
    },
    /// Publishes an extension, or its next version. [`Missing`](StoreError::Missing): another person has an extension
    /// of that name; [`Conflict`](StoreError::Conflict): the author has not seen the newest version;
    /// [`Full`](StoreError::Full): there are too many versions.
    PublishExtension(Box<NewExtension>, ExtensionRoom),
    /// Sets whether lists show an extension. [`Missing`](StoreError::Missing): no such extension of that owner.
    ListExtension {
        /// The name of the extension.
        name: String,
        /// Public id of the person who asks for it.
        owner: String,
        /// True if lists show it.
        listed: bool,
    },
    /// Deletes an extension that no map of another person uses. [`Missing`](StoreError::Missing): no such extension
    /// of that owner; [`Conflict`](StoreError::Conflict): it is used.
    DeleteExtension {
        /// The name of the extension.
        name: String,
        /// Public id of the person who asks for it.
        owner: String,
    },
    /// Stores a game of a report.
    BalanceGame(Box<BalanceGame>),
    /// Stores a finished report and deletes its games.
    Balance {
        /// The id of the map's files.
        map: String,
        /// The plan of the games, as text.
        plan: String,
        /// The report as JSON.
        body: String,
        /// Red's share of the points, in thousandths.
        first_share: u32,
    },
}

/// Storage of works: maps with their versions, and extensions.
#[async_trait::async_trait]
pub trait Shelf: Send + Sync {
    /// Carries out what happens on the shelf.
    async fn shelve(&self, change: ShelfChange) -> Result<(), StoreError>;

    /// Works that are wanted, and how many there are without the limit.
    async fn works(&self, wanted: &WantedWorks) -> Result<(Vec<Work>, u64), StoreError>;

    /// A work by its address, or by the id of the files of one of its versions.
    async fn work(&self, id: &str) -> Result<Option<Work>, StoreError>;

    /// The versions of a work, the newest first, at most 200.
    async fn versions(&self, work: &str) -> Result<Vec<Version>, StoreError>;

    /// Works made from that one, the oldest first, at most 100; unlisted ones left out.
    async fn forks(&self, work: &str) -> Result<Vec<Work>, StoreError>;

    /// Returns the stars that a person gave, and whether they may give some.
    async fn stars_of(&self, work: &str, person: &str) -> Result<(Option<u8>, bool), StoreError>;

    /// Returns the finished report about a map.
    async fn balance(&self, map: &str, plan: &str) -> Result<Option<String>, StoreError>;

    /// Returns the games of an unfinished report, as JSON.
    async fn balance_games(&self, map: &str, plan: &str) -> Result<Vec<String>, StoreError>;

    /// Returns the counts of the games of accounts against each other on a map.
    async fn map_play(&self, map: &str) -> Result<MapPlay, StoreError>;

    /// An extension by its name.
    async fn extension(&self, name: &str) -> Result<Option<Extension>, StoreError>;

    /// Listed extensions whose name or description holds `search`, or all of an owner; changed last first.
    async fn extensions(
        &self,
        search: &str,
        owner: Option<&str>,
        most: u32,
    ) -> Result<Vec<Extension>, StoreError>;

    /// The versions of an extension, the newest first, at most 100.
    async fn extension_versions(&self, name: &str) -> Result<Vec<ExtensionVersion>, StoreError>;

    /// The file of a version.
    async fn extension_file(&self, name: &str, n: u32) -> Result<Option<Vec<u8>>, StoreError>;

    /// The versions of extensions that a map uses, by name.
    async fn extension_uses(&self, map: &str) -> Result<Vec<ExtensionUse>, StoreError>;
}
