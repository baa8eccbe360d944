//! `qiguan map`: what is wrong with a map, what it looks like, and one to begin with.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use catalog::maps::{self, Package, Rules};
use kernel::Problem;
use serde_json::{Value, json};
use texts::{Language, say};

use crate::args::Map;
use crate::extensions;

/// The cells that a new map explains, and the messages that do so: `map-help-<name>`.
const HELP: [(&str, &str); 17] = [
    ("", "title"),
    ("", "try"),
    ("chesses", "pieces"),
    ("chesses B", "name"),
    ("chesses C", "side"),
    ("chesses D", "captain"),
    ("chesses E", "rule"),
    ("chesses E", "directions"),
    ("chesses E", "places"),
    ("chesses E", "blue"),
    ("chesses F", "promotes"),
    ("chesses G", "promoted"),
    ("chesses H…", "attributes"),
    ("map", "board"),
    ("rules C2", "promotion"),
    ("rules C3", "undo"),
    ("rules C4", "neutral"),
];

pub fn run(wish: &Map, language: Language) -> Result<(), String> {
    match wish {
        Map::New { file } => new(file, language),
        Map::Check { file, extensions, json } => check(file, &extensions.files, *json, language),
        Map::Show { file, extensions } => show(file, &extensions.files, language),
    }
}

fn new(file: &Path, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    let help = HELP.map(|(cell, name)| (cell.to_owned(), say(language, &format!("map-help-{name}"), &[])));
    let bytes = records::map::write_with(&maps::starter(), &help).map_err(said)?;
    let place = file.display().to_string();
    // What somebody has written is not overwritten.
    let written = File::create_new(file).and_then(|mut file| file.write_all(&bytes));
    written.map_err(|why| said(Problem::new("map-not-made").with("place", &place).with("text", why)))?;
    println!("{}", say(language, "map-made", &[("place", &place)]));
    Ok(())
}

fn package(file: &Path, extensions: &[PathBuf], language: Language) -> Result<Package, String> {
    Package::of_files(file, extensions).map_err(|problem| texts::problem(language, &problem))
}

fn show(file: &Path, extensions: &[PathBuf], language: Language) -> Result<(), String> {
    let package = package(file, extensions, language)?;
    let loaded = Rules::load(&package, &catalog::Options::new(), extensions::loader().as_deref());
    let rules = loaded.map_err(|errors| sentences(&errors, language).join("\n"))?;
    print!("{}", maps::show(rules.map()));
    for about in rules.extensions() {
        let version = about.version.as_deref().unwrap_or("?");
        println!("\n{} {version} ({}) {}", about.name, about.file, about.places.join(" "));
        println!("{}", about.help.as_deref().unwrap_or_default().trim());
    }
    Ok(())
}

fn check(file: &Path, extensions: &[PathBuf], as_json: bool, language: Language) -> Result<(), String> {
    let package = package(file, extensions, language)?;
    let checked = maps::check_package(&package, extensions::loader().as_deref());
    if as_json {
        let list = |problems: &[Problem]| problems.iter().map(|p| told(p, language)).collect::<Vec<Value>>();
        let fine = checked.map.is_some();
        println!(
            "{}",
            json!({"ok": fine, "errors": list(&checked.errors), "warnings": list(&checked.warnings)})
        );
    } else {
        for (key, problems) in
            [("map-check-errors", &checked.errors), ("map-check-warnings", &checked.warnings)]
        {
            if !problems.is_empty() {
                println!("{}", say(language, key, &[("count", &problems.len().to_string())]));
                sentences(problems, language).iter().for_each(|line| println!("  {line}"));
            }
        }
        if let Some(map) = &checked.map {
            let place = file.display().to_string();
            let [rows, cols, kinds] =
                [map.rows.into(), map.cols.into(), map.kinds.len()].map(|n: usize| n.to_string());
            let args = [("place", place.as_str()), ("rows", &rows), ("cols", &cols), ("kinds", &kinds)];
            println!("{}", say(language, "map-check-fine", &args));
        }
    }
    if checked.map.is_some() { Ok(()) } else { std::process::exit(1) }
}

/// A problem for programs: its code, where it is, the text it is about, and the sentence.
fn told(problem: &Problem, language: Language) -> Value {
    let code = problem.key.strip_prefix("map-").unwrap_or(problem.key).replace('-', "_");
    json!({
        "code": code,
        "where": problem.arg("place").unwrap_or_default(),
        "text": problem.arg("text").unwrap_or_default(),
        "message": texts::problem(language, problem),
    })
}

fn sentences(problems: &[Problem], language: Language) -> Vec<String> {
    problems.iter().map(|p| texts::problem(language, p)).collect()
}
