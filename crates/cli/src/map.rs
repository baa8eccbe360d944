//! The command `qiguan map`: checks and shows a map, and writes one to start from.

use std::io::Write;
use std::path::{Path, PathBuf};

use catalog::maps::{self, Package, Rules, Timing, api, limits};
use engine::Method;
use engine::choosing::{self, Choosing};
use engine::trial::{Played, Trial};
use eval_jingbanqi::chosen::{self, Chosen};
use kernel::Problem;
use records::csv;
use serde_json::{Value, json};
use texts::{Language, say};

use crate::args::{Map, MapBoard};
use crate::fresh::Fresh;
use crate::out::line;
use crate::{cases, extensions, report};

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
        Map::New { file, force } => new(file, force.force, language),
        Map::Check { file, extensions, search, json } => {
            let wish = Check { file, extensions: &extensions.files, search: *search, json: *json };
            check(&wish, language)
        }
        Map::Api => {
            crate::out::print(format_args!("{}", page(language)));
            Ok(())
        }
        Map::Report(wish) => report::run(wish, language),
        Map::Board(wish) => board(wish, language),
        Map::Test { folder } => cases::test(folder, language),
        Map::Watch { folder } => cases::watch(folder, language),
        Map::Show { file, extensions } => show(file, &extensions.files, language),
    }
}

/// The traps that the page of the API explains: `api-trap-<name>`.
const TRAPS: [&str; 9] = ["names", "return", "groups", "zero", "none", "asked", "data", "random", "keys"];

/// Returns the page of what extensions define and use, as Markdown.
fn page(language: Language) -> String {
    use std::fmt::Write as _;
    let word = |key: &str| say(language, key, &[]);
    let mut page = format!("# {}\n\n{}\n", word("api-title"), word("api-about"));
    for (key, before, members) in [
        ("hooks", "", &api::HOOKS[..]),
        ("jbq", "JBQ.", &api::JBQ),
        ("chess", "chess.", &api::CHESS),
        ("hooks-second", "", &api::HOOKS2),
        ("jbq-second", "JBQ.", &api::JBQ2),
    ] {
        let _ =
            writeln!(page, "\n## {}\n\n{}\n", word(&format!("api-{key}")), word(&format!("api-{key}-about")));
        let _ = writeln!(page, "| {} | {} |\n|---|---|", word("api-name"), word("api-meaning"));
        for member in members {
            let meaning = word(&format!("jbq-{}", member.key)).replace('|', "\\|");
            let sign = format!("{before}{}", member.sign).replace('|', "\\|");
            let sign = sign.replace("JBQ.with ", "with JBQ.");
            let _ = writeln!(page, "| `{sign}` | {meaning} |");
        }
    }
    let _ = writeln!(
        page,
        "\n## {}\n\n```python\n{EXAMPLE}```\n\n## {}\n",
        word("api-example"),
        word("api-traps")
    );
    for name in TRAPS {
        let _ = writeln!(page, "- {}", word(&format!("api-trap-{name}")));
    }
    let _ = writeln!(page, "\n## {}\n\n{}", word("api-limits"), figures(language));
    page
}

/// Returns the paragraph about the limits of extensions, with the figures that the code has.
fn figures(language: Language) -> String {
    let facts = [
        ("call_ms", limits::CALL.as_millis().to_string()),
        ("ply_s", limits::PLY.as_secs().to_string()),
        ("memory_mib", (limits::MEMORY >> 20).to_string()),
        ("depth", limits::DEPTH.to_string()),
        ("games", (catalog::maps::PLAN.games + Trial::default().games).to_string()),
    ];
    say(language, "api-limits-about", &facts.each_ref().map(|(name, value)| (*name, value.as_str())))
}

/// A whole extension, for the page.
const EXAMPLE: &str = r#"EX_NAME = "Breakthrough"
EX_VERSION = "1.0"


def check_can_go(can_go, chess, arr):
    # Groups of squares that the map allows: straight ahead only to vacant ones.
    return [group for group in can_go if group[0][1] != arr[1] or JBQ.get_chess_by_arr(group[0]) is None]


def after_move(arr1, arr2):
    last = 0 if JBQ.turn == 1 else JBQ.rl - 1
    if arr2[0] == last:
        JBQ.win(JBQ.turn)
"#;

fn new(file: &Path, force: bool, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    let help = HELP.map(|(cell, name)| (cell.to_owned(), say(language, &format!("map-help-{name}"), &[])));
    let bytes = records::map::write_with(&maps::starter(), &help).map_err(said)?;
    let place = file.display().to_string();
    write(file, force, &bytes).map_err(said)?;
    line!("{}", say(language, "map-made", &[("place", &place)]));
    Ok(())
}

/// Writes the board of a map as comma-separated values, or a map with another board.
fn board(wish: &MapBoard, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    let reading = maps::check(&package(&wish.file, &[], language)?.map);
    let map = reading.map.ok_or_else(|| sentences(&reading.errors, language).join("\n"))?;
    let mut draft = maps::Draft::from(&map);
    let bytes = match &wish.read {
        None => {
            let board = csv::Board { rows: draft.rows, cols: draft.cols, cells: draft.cells };
            csv::write(&board).into_bytes()
        }
        Some(path) => {
            let text = maps::file(path).map_err(said)?;
            let names: Vec<&str> = draft.kinds.iter().map(|kind| kind.name.as_str()).collect();
            let csv::Board { rows, cols, cells } = csv::read(&text, &names).map_err(said)?;
            (draft.rows, draft.cols, draft.cells) = (rows, cols, cells);
            let reading = draft.read();
            let map = reading.map.ok_or_else(|| sentences(&reading.errors, language).join("\n"))?;
            records::map::write(&map).map_err(said)?
        }
    };
    match &wish.out {
        None => crate::out::print(format_args!("{}", String::from_utf8_lossy(&bytes))),
        Some(path) => {
            write(path, wish.force.force, &bytes).map_err(said)?;
        }
    }
    Ok(())
}

/// Writes a file; an existing one is overwritten only with `force`.
fn write(path: &Path, force: bool, bytes: &[u8]) -> Result<(), Problem> {
    let mut file = Fresh::create(path, force)?;
    file.write_all(bytes).map_err(|why| file.wrong(&why))?;
    file.finish()
}

fn package(file: &Path, extensions: &[PathBuf], language: Language) -> Result<Package, String> {
    Package::of_files(file, extensions).map_err(|problem| texts::problem(language, &problem))
}

fn show(file: &Path, extensions: &[PathBuf], language: Language) -> Result<(), String> {
    let package = package(file, extensions, language)?;
    let loaded = Rules::load(&package, &catalog::Options::new(), extensions::loader().as_deref());
    let rules = loaded.map_err(|errors| sentences(&errors, language).join("\n"))?;
    crate::out::print(format_args!("{}", maps::show(rules.map())));
    for about in rules.extensions() {
        let version = about.version.as_deref().unwrap_or("?");
        line!("\n{} {version} ({}) {}", about.name, about.file, about.places.join(" "));
        line!("{}", about.help.as_deref().unwrap_or_default().trim());
    }
    Ok(())
}

/// The wish to check a map.
struct Check<'a> {
    file: &'a Path,
    extensions: &'a [PathBuf],
    /// True if the match that chooses its search is to be played.
    search: bool,
    json: bool,
}

fn check(wish: &Check<'_>, language: Language) -> Result<(), String> {
    let &Check { file, extensions, search, json: as_json } = wish;
    extensions::warn(file, extensions, language);
    let package = package(file, extensions, language)?;
    let mut checked = maps::check_package(&package, extensions::loader().as_deref());
    let played = checked.map.is_some().then(|| play(&package)).transpose();
    let played = played.map_err(|errors| sentences(&errors, language).join("\n"))?;
    if let Some(played) = &played {
        checked.errors.extend(played.refusals());
        if !checked.errors.is_empty() {
            checked.map = None;
        }
    }
    let chosen = match (&checked.map, search) {
        (Some(_), true) => Some(choose(file, &package, language)?),
        (Some(_), false) => known(file, &package),
        (None, _) => None,
    };
    if as_json {
        let list = |problems: &[Problem]| problems.iter().map(|p| told(p, language)).collect::<Vec<Value>>();
        let fine = checked.map.is_some();
        let mut all = json!({
            "ok": fine,
            "errors": list(&checked.errors),
            "warnings": list(&checked.warnings),
            "played": played.as_ref().map(told_of),
        });
        if let Some(chosen) = chosen {
            all["search"] = json!({
                "playouts": chosen.method() == Method::Playouts,
                "points": f64::from(chosen.half_points) / 2.0,
                "games": chosen.games,
            });
        }
        line!("{all}");
    } else {
        for (key, problems) in
            [("map-check-errors", &checked.errors), ("map-check-warnings", &checked.warnings)]
        {
            if !problems.is_empty() {
                line!("{}", say(language, key, &[("count", &problems.len().to_string())]));
                sentences(problems, language).iter().for_each(|line| line!("  {line}"));
            }
        }
        if let Some(map) = &checked.map {
            let place = file.display().to_string();
            let [rows, cols, kinds] =
                [map.rows.into(), map.cols.into(), map.kinds.len()].map(|n: usize| n.to_string());
            let args = [("place", place.as_str()), ("rows", &rows), ("cols", &cols), ("kinds", &kinds)];
            line!("{}", say(language, "map-check-fine", &args));
        }
        if let Some(played) = &played {
            lines(played, language).iter().for_each(|line| line!("{line}"));
        }
        if let Some(chosen) = chosen {
            let points = (f64::from(chosen.half_points) / 2.0).to_string();
            let key = if chosen.method() == Method::Playouts {
                "map-check-playouts"
            } else {
                "map-check-alpha-beta"
            };
            line!("{}", say(language, key, &[("points", &points), ("games", &chosen.games.to_string())]));
        }
    }
    if checked.map.is_some() { Ok(()) } else { std::process::exit(1) }
}

fn play(package: &Package) -> Result<Played, Vec<Problem>> {
    let rules = Rules::load(package, &catalog::Options::new(), extensions::loader().as_deref())?;
    Played::of(&rules).map_err(|problem| vec![problem])
}

/// Returns the result of the match that chose the search of a map, where it is known.
fn known(file: &Path, package: &Package) -> Option<Chosen> {
    extensions::bring_weights(file);
    let rules = Rules::load(package, &catalog::Options::new(), extensions::loader().as_deref()).ok()?;
    choosing::known(rules.open(None).ok()?.as_ref())
}

/// Plays the match that chooses the search of a map, and writes its result beside the map.
fn choose(file: &Path, package: &Package, language: Language) -> Result<Chosen, String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    let loaded = Rules::load(package, &catalog::Options::new(), extensions::loader().as_deref());
    let rules = loaded.map_err(|errors| sentences(&errors, language).join("\n"))?;
    let chosen = Choosing::default().play(&rules).map_err(said)?;
    let path = file.with_extension("weights");
    // What stands there of other maps, or of this one's weights, stays.
    let before = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(why) => {
            let unread = Problem::new("map-file").with("place", path.display()).with("text", why);
            return Err(said(unread));
        }
    };
    let others = before.lines().filter(|line| chosen::read(line).is_none_or(|one| one.print != chosen.print));
    let text: String = others.map(str::to_owned).chain([chosen.line()]).map(|line| line + "\n").collect();
    write(&path, true, text.as_bytes()).map_err(said)?;
    Ok(chosen)
}

/// Returns the result of playing a map, as JSON.
fn told_of(played: &Played) -> Value {
    let hook = |timing: &Timing| {
        json!({
            "extension": timing.file, "hook": timing.hook, "calls": timing.calls,
            "median_us": timing.median_us, "worst_us": timing.worst_us,
        })
    };
    json!({
        "games": played.random.games,
        "lengths": played.random.lengths,
        "stuck": played.random.stuck,
        "ended": played.random.ended,
        "hooks": played.random.hooks.iter().map(hook).collect::<Vec<_>>(),
        "prints": played.random.prints,
        "engine": {"lengths": played.engine.lengths, "ended": played.engine.ended},
    })
}

/// Returns the result of playing a map, as text.
fn lines(played: &Played, language: Language) -> Vec<String> {
    let mut lines = Vec::new();
    let told = |key: &str, args: &[(&str, String)]| {
        let args: Vec<(&str, &str)> = args.iter().map(|(name, value)| (*name, value.as_str())).collect();
        say(language, key, &args)
    };
    let games = |lengths: &[u32], ended: u32| {
        let mut sorted = lengths.to_vec();
        sorted.sort_unstable();
        let at = |place: usize| sorted.get(place).copied().unwrap_or_default().to_string();
        vec![
            ("games", lengths.len().to_string()),
            ("shortest", at(0)),
            ("middle", at(sorted.len() / 2)),
            ("longest", at(sorted.len().saturating_sub(1))),
            ("ended", ended.to_string()),
        ]
    };
    lines.push(told("map-check-random", &games(&played.random.lengths, played.random.ended)));
    let [red, blue] = played.random.stuck.map(|games| games.to_string());
    lines.push(told("map-check-stuck", &[("red", red), ("blue", blue)]));
    if !played.engine.lengths.is_empty() {
        lines.push(told("map-check-engine", &games(&played.engine.lengths, played.engine.ended)));
    }
    for timing in &played.random.hooks {
        let args = [
            ("place", timing.file.clone()),
            ("hook", timing.hook.clone()),
            ("calls", timing.calls.to_string()),
            ("median", timing.median_us.to_string()),
            ("worst", timing.worst_us.to_string()),
        ];
        lines.push(told(if timing.calls == 0 { "map-check-unasked" } else { "map-check-hook" }, &args));
    }
    for seen in &played.random.faults {
        let args = [
            ("place", seen.fault.file.clone()),
            ("line", seen.fault.line.map_or("?".to_owned(), |line| line.to_string())),
            ("games", seen.games.to_string()),
            ("game", seen.first.0.to_string()),
            ("plies", seen.first.1.to_string()),
        ];
        lines.push(told("map-check-fault", &args));
        lines.extend(seen.trace.iter().map(|call| format!("    {call}")));
    }
    if !played.random.prints.is_empty() {
        lines.push(told("map-check-prints", &[("bytes", played.random.prints_left_out.to_string())]));
        lines.extend(played.random.prints.lines().map(|line| format!("    {line}")));
    }
    lines
}

/// Returns a problem for programs: its code, where it is, the text it is about, and the sentence.
fn told(problem: &Problem, language: Language) -> Value {
    let number = |name: &str| problem.arg(name).and_then(|number| number.parse::<u32>().ok());
    let code = problem.key.strip_prefix("map-").unwrap_or(problem.key).replace('-', "_");
    json!({
        "code": code,
        "where": problem.arg("place").unwrap_or_default(),
        "line": number("line"),
        "column": number("column"),
        "text": problem.arg("text").unwrap_or_default(),
        "message": texts::problem(language, problem),
    })
}

fn sentences(problems: &[Problem], language: Language) -> Vec<String> {
    problems.iter().map(|p| texts::problem(language, p)).collect()
}
