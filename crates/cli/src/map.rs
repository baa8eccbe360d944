//! `qiguan map`: what is wrong with a map, and what it looks like.

use std::path::Path;

use catalog::maps;
use kernel::Problem;
use serde_json::{Value, json};
use texts::{Language, say};

use crate::args::Map;

pub fn run(wish: &Map, language: Language) -> Result<(), String> {
    match wish {
        Map::Check { file, json } => check(file, *json, language),
        Map::Show { file } => {
            let reading = maps::check(&bytes(file, language)?);
            let map = reading.map.ok_or_else(|| sentences(&reading.errors, language).join("\n"))?;
            print!("{}", tui::map::show(&map));
            Ok(())
        }
    }
}

fn check(file: &Path, as_json: bool, language: Language) -> Result<(), String> {
    let reading = maps::check(&bytes(file, language)?);
    if as_json {
        let list = |problems: &[Problem]| problems.iter().map(|p| told(p, language)).collect::<Vec<Value>>();
        let fine = reading.map.is_some();
        println!(
            "{}",
            json!({"ok": fine, "errors": list(&reading.errors), "warnings": list(&reading.warnings)})
        );
    } else {
        for (key, problems) in
            [("map-check-errors", &reading.errors), ("map-check-warnings", &reading.warnings)]
        {
            if !problems.is_empty() {
                println!("{}", say(language, key, &[("count", &problems.len().to_string())]));
                sentences(problems, language).iter().for_each(|line| println!("  {line}"));
            }
        }
        if let Some(map) = &reading.map {
            let place = file.display().to_string();
            let [rows, cols, kinds] =
                [map.rows.into(), map.cols.into(), map.kinds.len()].map(|n: usize| n.to_string());
            let args = [("place", place.as_str()), ("rows", &rows), ("cols", &cols), ("kinds", &kinds)];
            println!("{}", say(language, "map-check-fine", &args));
        }
    }
    if reading.map.is_some() { Ok(()) } else { std::process::exit(1) }
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

fn bytes(path: &Path, language: Language) -> Result<Vec<u8>, String> {
    maps::file(path).map_err(|problem| texts::problem(language, &problem))
}
