//! Maps, and what runs their extensions, for every command.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use catalog::maps::{Loader, Package as Files, Rules};
use catalog::{Entry, Options};
use kernel::Problem;
use records::Record;
use texts::Language;

use crate::args::Package;
use crate::out::note;

/// Runs extensions, or refuses them where this program was built without.
pub fn loader() -> Option<Arc<dyn Loader>> {
    Some(Arc::new(sandbox::Sandbox::here()))
}

/// The same, for whoever writes extensions: what they print and the tracebacks of what they raise go to that console.
pub fn telling(console: &sandbox::Console) -> Arc<dyn Loader> {
    Arc::new(sandbox::Sandbox::here().telling(console.clone()))
}

/// Warns that a map is played without the extensions that lie beside it: it may be another game then.
pub fn warn(map: &Path, extensions: &[PathBuf], language: Language) {
    let beside = catalog::maps::beside(map);
    if extensions.is_empty() && !beside.is_empty() {
        let names: Vec<String> = beside.iter().map(|path| path.display().to_string()).collect();
        let problem = Problem::new("map-without-extensions").with("place", map.display());
        note!("{}", texts::problem(language, &problem.with("text", names.join(" "))));
    }
}

impl Package {
    /// The map that was named, loaded; `None` when there is none.
    pub fn load(
        &self,
        entry: &Entry,
        options: &Options,
        language: Language,
    ) -> Result<Option<Rules>, String> {
        let said = |problem: Problem| texts::problem(language, &problem);
        let Some(map) = &self.map else {
            return match self.extensions.files.first() {
                Some(first) => {
                    Err(said(Problem::new("map-extension-without-map").with("place", first.display())))
                }
                None => Ok(None),
            };
        };
        warn(map, &self.extensions.files, language);
        if !entry.needs_map() {
            return Err(said(Problem::new("map-not-needed").with("game", entry.key)));
        }
        let files = Files::of_files(map, &self.extensions.files).map_err(said)?;
        let rules = Rules::load(&files, options, loader().as_deref());
        rules.map(Some).map_err(|problems| problems.into_iter().map(said).collect::<Vec<_>>().join("\n"))
    }
}

/// The map that a record contains, loaded; `None` when it contains none.
pub fn map_of(record: &Record, options: &Options) -> Result<Option<Rules>, Problem> {
    let Some(files) = record.map.as_ref().and_then(|map| map.files.as_ref()) else { return Ok(None) };
    let files = Files { map: files.map.clone(), extensions: files.extensions.clone() };
    let rules = Rules::load(&files, options, loader().as_deref());
    rules.map(Some).map_err(|problems| problems.into_iter().next().expect("a refusal has a reason"))
}
