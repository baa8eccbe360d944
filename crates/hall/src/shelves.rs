//! The hall's library: its own finished games come in by themselves, names that are forgotten go.
//!
//! The library is a file of its own, beside the database. The database has what was promised; what is lost with the
//! library can be made anew from it, or imported again.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kernel::Problem;
use library::{Access, Collection, Library, Walked, walk};
use store::games::{GameRow, Plies};
use wire::How;

use crate::hall::Hall;
use crate::workers::long;
use crate::{files, remembered};

/// The owner and the name of the collection of the hall's own games.
pub const HALL: &str = "hall";
/// How often finished games are looked for.
const EVERY: Duration = Duration::from_secs(10);
/// Games that come in at once.
const AT_ONCE: u32 = 50;

impl Hall {
    /// Opens the library in the data folder. A library that cannot be opened is missed, and said so; the hall opens all
    /// the same.
    pub(crate) async fn open_library(&self, folder: &Path) {
        let (file, now_ms) = (folder.join(Library::FILE), self.time.now_ms());
        let open = move || -> Result<Library, Problem> {
            let library = Library::open(&file)?;
            match library.owned(HALL, HALL) {
                Err(why) if why.key == "library-no-collection" => {
                    library.make(HALL, HALL, Access::Public, now_ms)?;
                }
                other => drop(other?),
            }
            Ok(library)
        };
        match long(open).await {
            Some(Ok(Ok(library))) => drop(self.library.set(Arc::new(library))),
            Some(Ok(Err(why))) => {
                tracing::error!(%why, "the library cannot be opened; the hall does without it")
            }
            _ => tracing::error!("the library cannot be opened; the hall does without it"),
        }
    }

    /// The library.
    ///
    /// # Errors
    /// `library-closed`.
    pub fn shelves(&self) -> Result<Arc<Library>, Problem> {
        self.library.get().cloned().ok_or_else(|| Problem::new("library-closed"))
    }

    /// Takes finished games in, again and again.
    pub(crate) async fn keep_library(&self) {
        let Ok(library) = self.shelves() else { return };
        let Ok(own) = library.owned(HALL, HALL) else { return };
        let mut ticks = tokio::time::interval(EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            while let Ok(true) = self.take_in(&library, &own).await.inspect_err(|why| {
                tracing::warn!(%why, "finished games did not come into the library");
            }) {}
        }
    }

    /// Takes the next finished games in; whether there may be more.
    async fn take_in(&self, library: &Arc<Library>, own: &Collection) -> Result<bool, Problem> {
        let unread = |why: store::StoreError| Problem::new("library-storage").with("detail", why);
        let rows = self.store.games_after(library.mark(own.id)?, AT_ONCE).await.map_err(unread)?;
        let Some(mark) = rows.last().map(|row| row.n) else { return Ok(false) };
        let more = rows.len() == AT_ONCE as usize;
        let mut games = Vec::with_capacity(rows.len());
        for row in rows {
            // Boards on one screen are nobody's games; rules of maps are not at hand here.
            if row.setup.how == How::Screen || row.setup.map.is_some() {
                continue;
            }
            if let Some(plies) = self.store.plies(row.n).await.map_err(unread)? {
                games.push((row, plies));
            }
        }
        let (library, collection) = (Arc::clone(library), own.id);
        let add = move || {
            let games = games.into_iter().filter_map(|(row, plies)| checked(row, plies)).collect();
            library.add(collection, games, mark)
        };
        match long(add).await {
            Some(Ok(added)) => added.map(|_| more),
            _ => Err(Problem::new("hall-busy")),
        }
    }

    /// Writes the names of these tables' players anew.
    pub(crate) async fn rename_in_library(&self, tables: Vec<String>) {
        let Ok(library) = self.shelves() else { return };
        let mut names = Vec::with_capacity(tables.len());
        for table in tables {
            if let Ok(Some(row)) = self.store.game(&table).await {
                names.push((table, row.players.each_ref().map(files::written_name)));
            }
        }
        let rename =
            move || names.iter().try_for_each(|(table, players)| library.set_players(table, players));
        if let Some(Ok(Err(why))) = long(rename).await {
            tracing::warn!(%why, "the name of a closed account is still in the library");
        }
    }
}

/// A finished game as the library takes it; `None` where the rules have changed since.
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
