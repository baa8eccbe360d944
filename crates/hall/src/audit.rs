//! The check of stored logs against the rules, and the results that follow from them, for `qiguan admin check` and
//! `rebuild`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use catalog::maps::{Loader, Rules};
use store::{Judged, Stored, StoredMap};
use table::State;
use works::maps::{self, Brought};

use tables::asleep;
use tables::remembered::finished;

/// Loaded maps that are kept for the next table.
const KEPT: usize = 16;

/// Plays logs again by the rules of their games.
pub struct Auditor {
    loader: Option<Arc<dyn Loader>>,
    rules: Mutex<HashMap<String, Arc<Rules>>>,
}

impl Auditor {
    /// `loader` runs the extensions of maps; without one, tables that need them are objected to.
    #[must_use]
    pub fn new(loader: Option<Arc<dyn Loader>>) -> Auditor {
        Auditor { loader, rules: Mutex::default() }
    }

    /// Replays the log of a table and returns its result. `map` is the store's row of the map that the table names.
    ///
    /// # Errors
    /// The key and the facts of what does not fit.
    pub fn judge(&self, id: &str, stored: &Stored, map: Option<&StoredMap>) -> Result<Judged, String> {
        let Stored { setup, log, .. } = stored.clone();
        let rules = match &setup.map {
            Some(named) => Some(self.rules(&named.id, map)?),
            None => None,
        };
        let rules = rules.as_deref();
        let game = catalog::find(&setup.game)
            .and_then(|entry| entry.open(rules, &setup.options, setup.fen.as_deref()))
            .map_err(|why| why.to_string())?;
        let takes_back = rules.is_none_or(Rules::takes_back);
        let state = State::new(id.to_owned(), setup, takes_back, game).replay(log);
        let mut state = state.map_err(|why| why.to_string())?;
        let deadline = if state.is_slow() && state.clock.running().is_some() {
            state.clock.start(state.at_ms);
            asleep::deadline(&state, state.at_ms)
        } else {
            None
        };
        Ok(Judged { standing: state.standing(), finished: state.ended().map(finished), deadline })
    }

    fn rules(&self, id: &str, map: Option<&StoredMap>) -> Result<Arc<Rules>, String> {
        let lock = || self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(id) {
            return Ok(Arc::clone(known));
        }
        let stored = map.cloned().map(Brought::from);
        let brought = maps::ours(id).or(stored).ok_or_else(|| format!("its map {id} is missing"))?;
        let loaded = Rules::load(&brought.package, &brought.options(), self.loader.as_deref());
        let rules = Arc::new(loaded.map_err(|problems| {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            format!("its map {id} cannot be loaded: {}", problems.join("; "))
        })?);
        let mut known = lock();
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(id.to_owned(), Arc::clone(&rules));
        Ok(rules)
    }
}
