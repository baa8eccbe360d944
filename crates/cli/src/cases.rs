//! The commands `qiguan map test` and `qiguan map watch`: checks for authors while they work on a map.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use catalog::maps::{self, Package, Plan, Rules};
use kernel::Problem;
use texts::{Language, say};
use workshop::cases;

use crate::extensions;
use crate::out::line;

/// The interval at which files are checked for changes.
const LOOK: Duration = Duration::from_millis(250);
/// Files of a folder that are looked at.
const MOST_FILES: usize = 1_000;
/// Random games that are played whenever something was saved.
const PLAYED: Plan = Plan { games: 40, longest: 200, seed: 1 };

/// Runs the cases of every map of a folder; exits with 1 where one is not as expected.
pub fn test(folder: &Path, language: Language) -> Result<(), String> {
    let mut fine = true;
    for map in maps_of(folder, language)? {
        fine &= one(&map, language);
    }
    if fine { Ok(()) } else { std::process::exit(1) }
}

/// Checks every map of a folder whenever one of its files was saved, until it is ended.
pub fn watch(folder: &Path, language: Language) -> Result<(), String> {
    maps_of(folder, language)?;
    line!("{}", say(language, "cli-watching", &[("folder", &folder.display().to_string())]));
    let mut known = BTreeMap::new();
    loop {
        let now = saved(folder);
        if now != known {
            // A program that saves a large file may not be done yet.
            std::thread::sleep(LOOK);
            known = saved(folder);
            match maps_of(folder, language) {
                Ok(maps) => maps.iter().for_each(|map| look(map, language)),
                Err(why) => line!("{why}"),
            }
        }
        std::thread::sleep(LOOK);
    }
}

/// Returns the last write time and the length of each file that matters.
fn saved(folder: &Path) -> BTreeMap<PathBuf, (Option<SystemTime>, u64)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return BTreeMap::new() };
    let told = |entry: std::fs::DirEntry| {
        let path = entry.path();
        let ends = |ending: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
        let about = entry.metadata().ok().filter(|_| ends("xlsx") || ends("py") || ends("toml"))?;
        Some((path, (about.modified().ok(), about.len())))
    };
    entries.take(MOST_FILES).filter_map(|entry| told(entry.ok()?)).collect()
}

/// Returns the maps of a folder, by name; files that a spreadsheet program keeps beside an open one are passed over.
fn maps_of(folder: &Path, language: Language) -> Result<Vec<PathBuf>, String> {
    let is_map = |path: &&PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.to_lowercase().ends_with(".xlsx") && !name.starts_with(['~', '.'])
    };
    let found: Vec<PathBuf> = saved(folder).keys().filter(is_map).cloned().collect();
    if found.is_empty() {
        let problem = Problem::new("map-folder").with("folder", folder.display());
        return Err(texts::problem(language, &problem));
    }
    Ok(found)
}

fn load(map: &Path) -> Result<Rules, Vec<Problem>> {
    let package = Package::of_files(map, maps::beside(map)).map_err(|problem| vec![problem])?;
    Rules::load(&package, &catalog::Options::new(), extensions::loader().as_deref())
}

/// Checks a map, plays it at random, and runs its cases.
fn look(map: &Path, language: Language) {
    let rules = match load(map) {
        Ok(rules) => rules,
        Err(problems) => return told(map, &problems, language),
    };
    let played = rules.rehearse(PLAYED);
    let mut problems = rules.warnings().to_vec();
    problems.extend(maps::refused(&played));
    if !problems.is_empty() {
        told(map, &problems, language);
    }
    for seen in &played.faults {
        seen.trace.iter().for_each(|call| line!("    {call}"));
    }
    played.prints.lines().for_each(|text| line!("    {text}"));
    if played.faults.is_empty() {
        let mut lengths = played.lengths.clone();
        lengths.sort_unstable();
        let middle = lengths.get(lengths.len() / 2).copied().unwrap_or_default().to_string();
        let (place, games) = (map.display().to_string(), played.games.to_string());
        let facts = [("place", place.as_str()), ("games", &games), ("plies", &middle)];
        line!("{}", say(language, "cli-watched", &facts));
    }
    if cases_of(map).exists() {
        one(map, language);
    }
}

fn told(map: &Path, problems: &[Problem], language: Language) {
    line!("{}:", map.display());
    problems.iter().for_each(|problem| line!("  {}", texts::problem(language, problem)));
}

/// Returns the file with the cases of a map: `leap.cases.toml` beside `leap.xlsx`.
fn cases_of(map: &Path) -> PathBuf {
    map.with_extension("cases.toml")
}

/// Runs the cases of a map; returns true if all are as expected.
fn one(map: &Path, language: Language) -> bool {
    let (place, file) = (map.display().to_string(), cases_of(map));
    if !file.exists() {
        let name = file.display().to_string();
        line!("{}", say(language, "cli-cases-none", &[("place", &place), ("file", &name)]));
        return true;
    }
    let unread =
        |why: std::io::Error| Problem::new("map-file").with("place", file.display()).with("text", why);
    let cases = read(&file).map_err(unread).and_then(|text| cases::read(&text));
    let loaded =
        load(map).and_then(|rules| cases.map(|cases| (rules, cases)).map_err(|problem| vec![problem]));
    let (rules, cases) = match loaded {
        Ok(found) => found,
        Err(problems) => {
            told(map, &problems, language);
            return false;
        }
    };
    let mut fine = 0;
    for (number, case) in cases.iter().enumerate() {
        let wrong = cases::run(&rules, case);
        let name = if case.name.is_empty() { (number + 1).to_string() } else { case.name.clone() };
        let key = if wrong.is_empty() { "cli-case-fine" } else { "cli-case-wrong" };
        line!("{}", say(language, key, &[("name", &name)]));
        wrong.iter().for_each(|problem| line!("  {}", texts::problem(language, problem)));
        fine += usize::from(wrong.is_empty());
    }
    let (all, good) = (cases.len().to_string(), fine.to_string());
    line!("{}", say(language, "cli-cases", &[("place", &place), ("fine", &good), ("all", &all)]));
    fine == cases.len()
}

/// Reads as much of a file as cases may have, and a byte more, so that a longer one is refused as such.
fn read(path: &Path) -> std::io::Result<String> {
    use std::io::Read as _;
    let mut text = String::new();
    std::fs::File::open(path)?.take(cases::MOST_BYTES as u64 + 1).read_to_string(&mut text)?;
    Ok(text)
}
