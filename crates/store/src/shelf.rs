//! The shelf of maps: works with their versions, stars of those who played, and what games of the engine told.
//!
//! A work is what people call a map: it has one address for ever, an owner, and versions. A version is a map's files, whose id
//! is their hash.

use wire::MapLine;

use crate::StoreError;

/// How works are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sorted {
    /// Changed last first.
    #[default]
    Newest,
    /// Most games first.
    Played,
    /// Most stars first: the mean, drawn towards three as if two more people had given three.
    Stars,
    /// The most even first: the engine's share of red nearest to a half; works without a report last.
    Even,
    /// By name.
    Name,
}

/// Which works are wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// Part of the name, the author's name or a tag; empty: all.
    pub search: String,
    /// Public id of the owner, whose unlisted works are found, too; `None`: listed ones of all.
    pub owner: Option<String>,
    /// How they are sorted.
    pub sorted: Sorted,
    /// How many are passed over.
    pub skip: u32,
    /// How many at most.
    pub most: u32,
}

/// A work as lists show it.
#[derive(Clone, PartialEq, Debug)]
pub struct Work {
    /// Its address: the id of its first version's files.
    pub id: String,
    /// Public id of whom it belongs to.
    pub owner: String,
    /// Their name, if they have one.
    pub author: Option<String>,
    /// What it is called.
    pub name: String,
    /// Words it is found by.
    pub tags: Vec<String>,
    /// Whether lists show it.
    pub listed: bool,
    /// The number of its newest version, from 1.
    pub version: u32,
    /// What lists show of the newest version.
    pub line: MapLine,
    /// The work and the version it was made from, if it was.
    pub fork_of: Option<(String, u32)>,
    /// When it came, in Unix milliseconds.
    pub made_ms: u64,
    /// When its newest version came, in Unix milliseconds.
    pub changed_ms: u64,
    /// Games that were finished on it, those of one person on one screen left out.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Who finished one.
    pub players: u64,
    /// Stars of all together.
    pub stars: u64,
    /// Who gave some.
    pub starred: u64,
    /// Red's share of the points in games of the engine, in thousandths.
    pub first_share: Option<u32>,
    /// How much accounts played each other on the newest version.
    pub play: MapPlay,
}

/// How much accounts played each other on a version of a map. Who has an account is decided when a game is finished: a guest's
/// games do not count later, and those of an account that is closed stay. See [`people::pool::is_played`].
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
    /// What its author says of it.
    pub note: String,
    /// When it came, in Unix milliseconds.
    pub at_ms: u64,
}

/// A work to be put on the shelf, or its next version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewVersion {
    /// The work, if it is there already.
    pub work: Option<String>,
    /// The version that the author saw last; another one is refused with [`Conflict`](StoreError::Conflict).
    pub base: u32,
    /// The id of the files; they are kept already.
    pub map: String,
    /// Public id of the author.
    pub owner: String,
    /// What the work is called from now on.
    pub name: String,
    /// Words it is found by.
    pub tags: Vec<String>,
    /// What the author says of the version.
    pub note: String,
    /// The work and the version it was made from, if it is a new one that was.
    pub fork_of: Option<(String, u32)>,
    /// When, in Unix milliseconds.
    pub at_ms: u64,
}

/// A game of the engine against itself, as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BalanceGame {
    /// The id of the map's files.
    pub map: String,
    /// What decides the games, as text.
    pub plan: String,
    /// The level of both sides.
    pub level: u8,
    /// Its number within the level.
    pub number: u32,
    /// The game, as JSON.
    pub body: String,
}

/// An extension that somebody shares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extension {
    /// What it is called; nobody else's is called so.
    pub name: String,
    /// Public id of whom it belongs to.
    pub owner: String,
    /// Their name, if they have one.
    pub author: Option<String>,
    /// What it does.
    pub about: String,
    /// Whether lists show it.
    pub listed: bool,
    /// The number of its newest version, from 1.
    pub newest: u32,
    /// When that came, in Unix milliseconds.
    pub changed_ms: u64,
    /// How many maps use it, in any version.
    pub maps: u64,
}

/// A version of an extension. Its file never changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtensionVersion {
    /// Its number, from 1.
    pub n: u32,
    /// What its author says of it.
    pub note: String,
    /// When it came, in Unix milliseconds.
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
    /// What it is called.
    pub name: String,
    /// The version that the author saw last, 0 for a new one.
    pub base: u32,
    /// Public id of the author.
    pub owner: String,
    /// What it does.
    pub about: String,
    /// What the author says of the version.
    pub note: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// When, in Unix milliseconds.
    pub at_ms: u64,
}

/// How many versions of extensions there may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExtensionRoom {
    /// Of one person.
    pub versions_each: u32,
    /// Of all together.
    pub versions: u32,
}

/// What happens on the shelf.
#[derive(Clone, PartialEq, Debug)]
pub enum ShelfChange {
    /// A work, or its next version. [`Missing`](StoreError::Missing): no such work of that owner, or no such files.
    /// [`Conflict`](StoreError::Conflict): somebody was faster. The same files again change nothing.
    Publish(Box<NewVersion>),
    /// Whether lists show a work. [`Missing`](StoreError::Missing): no such work of that owner.
    List {
        /// The work.
        work: String,
        /// Public id of who wishes it.
        owner: String,
        /// Whether it is shown.
        listed: bool,
    },
    /// A work that nobody else opened a table with goes. [`Missing`](StoreError::Missing): no such work of that owner;
    /// [`Conflict`](StoreError::Conflict): somebody played it.
    Delete {
        /// The work.
        work: String,
        /// Public id of who wishes it.
        owner: String,
    },
    /// Somebody gives a work stars, instead of those they gave before. [`Missing`](StoreError::Missing): they have not
    /// finished a game on it.
    Star {
        /// The work.
        work: String,
        /// Public id of who gives them.
        person: String,
        /// 1 to 5.
        stars: u8,
    },
    /// A game was finished on a map. It counts for the map's pool where two accounts played it: see [`MapPlay`].
    Finished {
        /// The id of the map's files.
        map: String,
        /// Public ids of the people who played it, each once, programs left out.
        people: Vec<String>,
        /// Its plies.
        plies: u32,
    },
    /// An extension, or its next version. [`Missing`](StoreError::Missing): somebody else's is called so;
    /// [`Conflict`](StoreError::Conflict): the author has not seen the newest version; [`Full`](StoreError::Full).
    PublishExtension(Box<NewExtension>, ExtensionRoom),
    /// Whether lists show an extension. [`Missing`](StoreError::Missing): no such extension of that owner.
    ListExtension {
        /// Its name.
        name: String,
        /// Public id of who wishes it.
        owner: String,
        /// Whether it is shown.
        listed: bool,
    },
    /// An extension that no map of anybody else uses goes. [`Missing`](StoreError::Missing): no such extension of that
    /// owner; [`Conflict`](StoreError::Conflict): it is used.
    DeleteExtension {
        /// Its name.
        name: String,
        /// Public id of who wishes it.
        owner: String,
    },
    /// A map that is kept uses those versions of extensions.
    Uses {
        /// The id of the map's files.
        map: String,
        /// Names and versions; those that are not there are left out.
        uses: Vec<(String, u32)>,
    },
    /// A game of a report.
    BalanceGame(Box<BalanceGame>),
    /// A report is done; its games are not needed any more.
    Balance {
        /// The id of the map's files.
        map: String,
        /// What decided the games.
        plan: String,
        /// The report as JSON.
        body: String,
        /// Red's share of the points, in thousandths.
        first_share: u32,
    },
}

/// Maps as works.
#[async_trait::async_trait]
pub trait Shelf: Send + Sync {
    /// Carries out what happens on the shelf.
    async fn shelve(&self, change: ShelfChange) -> Result<(), StoreError>;

    /// Works that are wanted, and how many there are without the limit.
    async fn works(&self, wanted: &Wanted) -> Result<(Vec<Work>, u64), StoreError>;

    /// A work by its address, or by the id of the files of one of its versions.
    async fn work(&self, id: &str) -> Result<Option<Work>, StoreError>;

    /// The versions of a work, the newest first, at most 200.
    async fn versions(&self, work: &str) -> Result<Vec<Version>, StoreError>;

    /// Works made from that one, the oldest first, at most 100; unlisted ones left out.
    async fn forks(&self, work: &str) -> Result<Vec<Work>, StoreError>;

    /// The stars that person gave, and whether they may give some.
    async fn stars_of(&self, work: &str, person: &str) -> Result<(Option<u8>, bool), StoreError>;

    /// The report about a map that is done.
    async fn balance(&self, map: &str, plan: &str) -> Result<Option<String>, StoreError>;

    /// The games of a report that is not done, as JSON.
    async fn balance_games(&self, map: &str, plan: &str) -> Result<Vec<String>, StoreError>;

    /// How much accounts played each other on a map.
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
