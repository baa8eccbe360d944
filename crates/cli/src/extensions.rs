//! Maps, and what runs their extensions, for every command.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use catalog::maps::{Loader, Package as Files, Rules, sample};
use catalog::{Entry, Options};
use kernel::Problem;
use records::Record;
use texts::Language;

use crate::args::Package;
use crate::out::{self, note};

/// Runs extensions, or refuses them where this program was built without.
pub fn loader() -> Option<Arc<dyn Loader>> {
    Some(Arc::new(sandbox::Sandbox::here()))
}

/// Returns the loader for authors of extensions: the output and the tracebacks of extensions go to that console.
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

/// Returns the rules of a map: a built-in one by its key, with the extensions that it comes with, or the files that
/// were named. Weights that were fitted for it count from now on: those of `game.weights` beside `game.xlsx`.
///
/// # Errors
/// The fault in the files or the map; the first of several problems.
pub fn rules_of(map: &Path, extensions: &[PathBuf]) -> Result<Rules, Problem> {
    let key = map.to_string_lossy();
    let package = match sample(&key) {
        Some(sample) => sample.package(),
        None => Files::of_files(map, extensions)?,
    };
    let rules = Rules::load(&package, &Options::new(), loader().as_deref());
    bring_weights(map);
    rules.map_err(|mut problems| problems.swap_remove(0))
}

/// Takes the weights that were fitted for a map and lie beside it, and the result of the match that chose its search.
pub fn bring_weights(map: &Path) {
    if let Ok(text) = std::fs::read_to_string(map.with_extension("weights")) {
        eval_jingbanqi::learned::bring(&text);
        eval_jingbanqi::chosen::bring_lines(&text);
    }
}

/// Takes the weights that a host keeps for the maps of its hall: every line of every `*.weights` of that folder. How many maps;
/// none where there is no such folder.
///
/// # Errors
/// The file and the line that are no weights, or why the folder or a file cannot be read.
pub fn bring_folder(folder: &Path, language: Language) -> Result<usize, String> {
    let found = match std::fs::read_dir(folder) {
        Ok(found) => found,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        Err(why) => return Err(out::at(folder.display(), &why)),
    };
    let mut files: Vec<PathBuf> = found.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "weights"));
    files.sort();
    let mut count = 0;
    for path in files {
        let text = std::fs::read_to_string(&path).map_err(out::at_path(&path))?;
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let is_unread = |line: &str| {
            eval_jingbanqi::learned::read(line).is_none() && eval_jingbanqi::chosen::read(line).is_none()
        };
        if let Some((at, _)) = lines.find(|(_, line)| is_unread(line)) {
            let place = format!("{}:{}", path.display(), at + 1);
            return Err(texts::say(language, "cli-weights-unread", &[("place", &place)]));
        }
        count += eval_jingbanqi::learned::bring(&text) + eval_jingbanqi::chosen::bring_lines(&text);
    }
    Ok(count)
}

impl Package {
    /// Returns the map that was named, loaded; `None` when there is none.
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
        bring_weights(map);
        if !entry.needs_map() {
            return Err(said(Problem::new("map-not-needed").with("game", entry.key)));
        }
        let files = Files::of_files(map, &self.extensions.files).map_err(said)?;
        let rules = Rules::load(&files, options, loader().as_deref());
        rules.map(Some).map_err(|problems| problems.into_iter().map(said).collect::<Vec<_>>().join("\n"))
    }
}

/// Returns the map that a record contains, loaded; `None` when it contains none.
pub fn map_of(record: &Record, options: &Options) -> Result<Option<Rules>, Problem> {
    let Some(files) = record.map.as_ref().and_then(|map| map.files.as_ref()) else { return Ok(None) };
    let files = Files { map: files.map.clone(), extensions: files.extensions.clone() };
    let rules = Rules::load(&files, options, loader().as_deref());
    rules.map(Some).map_err(|problems| problems.into_iter().next().expect("a refusal has a reason"))
}
