//! The hall's library: its own finished games are added automatically, and names of closed accounts are removed.
//!
//! The library is a file of its own, beside the database. The database has all that must last; the content of a lost
//! library can be made again from it, or imported again. In a hall of several nodes each has a copy
//! ([`crate::copies`]).

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::Problem;
use library::{Access, Collection, Library, Walked, walk};
use serde::{Deserialize, Serialize};
use store::games::{GameRow, Plies};
use tables::remembered;
use wire::{How, ImportedGames};

use crate::brought::{Brought, take_in};
use crate::copies::{Act, Copied, Keeps, apart};
use crate::files;
use crate::hall::Hall;

/// The owner and the name of the collection of the hall's own games.
pub const HALL: &str = "hall";
/// The interval at which finished games are looked for.
const EVERY: Duration = Duration::from_secs(10);
/// Games that are added at once.
const AT_ONCE: u32 = 50;
/// The time limit for one step of an import in a hall of one process; it goes on with the next request.
const AT_A_TIME: Duration = Duration::from_secs(6);

/// Opens a library, with the collection of the hall's own games.
pub(crate) fn open(path: &Path, now_ms: u64) -> Result<Library, Problem> {
    let library = Library::open(path)?;
    match library.owned(HALL, HALL) {
        Err(why) if why.key == "library-no-collection" => {
            library.make(HALL, HALL, Access::Public, now_ms)?;
        }
        other => drop(other?),
    }
    Ok(library)
}

/// An act on the library.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum LibraryAct {
    /// The creation of a collection.
    Make {
        /// The name of the collection.
        name: String,
        /// The public id of the person who makes it.
        owner: String,
        /// The key of its access setting.
        access: String,
        /// The secret part of a link to it.
        secret: String,
        /// The time of the act, in Unix milliseconds.
        now_ms: u64,
    },
    /// The deletion of a collection with its games.
    Remove {
        /// The number of the collection.
        collection: i64,
    },
    /// The import of a file, as far as it gets with one act; the file comes with it.
    Import {
        /// The number of the collection.
        collection: i64,
        /// The name of the file.
        name: String,
        /// The game that is expected in it; empty: any.
        game: String,
        /// The most moves of opening books that its owner may have before another book is refused; `None`: any number.
        most_book_moves: Option<u64>,
    },
    /// The addition of the hall's finished games.
    Finished {
        /// The number of the last game.
        to: u64,
    },
    /// A change of players' names.
    Rename {
        /// Ids of tables with the names of the players.
        players: Vec<(String, [String; 2])>,
    },
}

/// The outcome of an act on the library.
#[derive(Debug)]
pub enum LibraryDone {
    /// Success without a result.
    Done,
    /// The collection that was made.
    Made(Collection),
    /// The result of an import so far.
    Imported(ImportedGames),
}

impl Keeps<LibraryAct> for Hall {
    fn copied(&self) -> &Copied<LibraryAct> {
        &self.library
    }
}

impl Act for LibraryAct {
    type File = Library;
    type Done = LibraryDone;
    const SUBJECT: &'static str = "library";
    const CLOSED: &'static str = "library-closed";

    fn brings(&self) -> bool {
        matches!(self, LibraryAct::Import { .. })
    }

    async fn carry_out(
        self,
        hall: &Hall,
        library: Arc<Library>,
        brought: Vec<u8>,
        entry: Option<(u64, String)>,
    ) -> Result<LibraryDone, Problem> {
        if let LibraryAct::Finished { to } = self {
            return hall.take_finished(&library, to).await.map(|()| LibraryDone::Done);
        }
        let work = move || match self {
            LibraryAct::Make { name, owner, access, secret, now_ms } => {
                let access = Access::keyed(&access).unwrap_or(Access::Private);
                library.make_with(&name, &owner, access, Some(&secret), now_ms).map(LibraryDone::Made)
            }
            LibraryAct::Remove { collection } => library.remove(collection).map(|()| LibraryDone::Done),
            LibraryAct::Import { collection, name, game, most_book_moves } => {
                // It may be gone by now.
                if !library.collections()?.iter().any(|found| found.id == collection) {
                    return Err(Problem::new("library-no-collection").with("name", collection));
                }
                let entry = entry.as_ref().map(|(n, id)| (*n, id.as_str()));
                let (begun, alone) = (Instant::now(), entry.is_none());
                // What one process does need not be the same anywhere else.
                let is_up = || alone && begun.elapsed() > AT_A_TIME;
                let (name, game, content) = (&*name, &*game, &*brought);
                let brought = Brought { collection, name, game, content, most_book_moves, entry };
                take_in(&library, &brought, &is_up).map(LibraryDone::Imported)
            }
            LibraryAct::Finished { .. } => Ok(LibraryDone::Done),
            LibraryAct::Rename { players } => {
                let mut all = players.iter();
                all.try_for_each(|(table, names)| library.set_players(table, names))
                    .map(|()| LibraryDone::Done)
            }
        };
        apart(work).await
    }
}

impl Hall {
    /// Opens the library in the data folder. If it cannot be opened, the log says so and the hall opens without it.
    pub(crate) async fn open_library(self: &Arc<Self>, folder: &Path) {
        if let Err(why) = self.library.open(self, folder).await {
            tracing::error!(%why, "the library cannot be opened; the hall does without it");
        }
    }

    /// Adds finished games to the library, again and again.
    pub(crate) async fn keep_library(self: &Arc<Self>) {
        let Ok(library) = self.library.here() else { return };
        let Ok(own) = library.owned(HALL, HALL) else { return };
        let mut ticks = tokio::time::interval(EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if !self.library.is_keeper(self) {
                continue;
            }
            while let Ok(true) = self.take_in(&library, &own).await.inspect_err(|why| {
                tracing::warn!(%why, "finished games did not come into the library");
            }) {}
        }
    }

    /// Adds the next finished games; returns true if there may be more.
    async fn take_in(self: &Arc<Self>, library: &Arc<Library>, own: &Collection) -> Result<bool, Problem> {
        let rows = self.store.games.games_after(library.mark(own.id)?, AT_ONCE).await.map_err(unread)?;
        let Some(to) = rows.last().map(|row| row.n) else { return Ok(false) };
        let more = rows.len() == AT_ONCE as usize;
        self.library.act(self, LibraryAct::Finished { to }, Vec::new()).await?;
        Ok(more)
    }

    /// Adds the hall's finished games that are not in the library yet, up to that one.
    async fn take_finished(&self, library: &Arc<Library>, to: u64) -> Result<(), Problem> {
        let own = library.owned(HALL, HALL)?.id;
        loop {
            let rows = self.store.games.games_after(library.mark(own)?, AT_ONCE).await.map_err(unread)?;
            let rows: Vec<GameRow> = rows.into_iter().take_while(|row| row.n <= to).collect();
            let Some(mark) = rows.last().map(|row| row.n) else { return Ok(()) };
            let mut games = Vec::with_capacity(rows.len());
            for row in rows {
                // Games on one screen have no players to count for; rules of maps are not at hand here.
                if row.setup.how == How::Screen || row.setup.map.is_some() {
                    continue;
                }
                if let Some(plies) = self.store.games.plies(row.n).await.map_err(unread)? {
                    games.push((row, plies));
                }
            }
            let library = Arc::clone(library);
            apart(move || {
                let games = games.into_iter().filter_map(|(row, plies)| checked(row, plies)).collect();
                library.add(own, games, mark)
            })
            .await?;
        }
    }

    /// Updates the names of these tables' players in the library.
    pub(crate) async fn rename_in_library(self: &Arc<Self>, tables: Vec<String>) {
        if self.library.here().is_err() {
            return;
        }
        let mut players = Vec::with_capacity(tables.len());
        for table in tables {
            if let Ok(Some(row)) = self.store.games.game(&table).await {
                players.push((table, row.players.each_ref().map(files::written_name)));
            }
        }
        if let Err(why) = self.library.act(self, LibraryAct::Rename { players }, Vec::new()).await {
            tracing::warn!(%why, "the name of a closed account is still in the library");
        }
    }
}

fn unread(why: store::StoreError) -> Problem {
    Problem::new("library-storage").with("detail", why)
}

/// Converts a finished game for the library; `None` where the rules have changed since.
fn checked(row: GameRow, plies: Plies) -> Option<(Walked, String)> {
    let id = row.id.clone();
    let ratings = row.rated.map(|steps| steps.map(|step| step.before.round().clamp(0.0, 9999.0) as u32));
    let walked = remembered::replayed(row, plies)
        .and_then(|state| walk::walk(files::record(&state), &walk::without_maps));
    match walked {
        Ok(walked) => Some((Walked { ratings: ratings.unwrap_or(walked.ratings), ..walked }, id)),
        Err(why) => {
            tracing::warn!(table = %id, %why, "a finished game did not come into the library");
            None
        }
    }
}
