//! The command `qiguan map report`: plays a map, keeps the games, and prints and draws the results.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use arena::journal::Journal;
use catalog::maps::{self, Package, Rules};
use engine::Stop;
use indicatif::{ProgressBar, ProgressStyle};
use kernel::Problem;
use serde::{Deserialize, Serialize};
use texts::{Language, say};
use wire::BalanceReport;
use workshop::html::{self, Named, Words};
use workshop::plot::{self, Plot, Style};
use workshop::{Depth, Plan, Played};

use crate::args::MapReport;
use crate::extensions;
use crate::out::{line, note};

/// The settings with which the games in a file were played.
#[derive(PartialEq, Serialize, Deserialize)]
struct Settings {
    /// The game, always Jingbanqi.
    game: String,
    /// The version of our program.
    version: String,
    /// The rules: a checksum of the map's files and options.
    map: String,
    plan: Plan,
}

/// A map that is played, with its names.
struct MapSource<'a> {
    file: &'a Path,
    extensions: &'a [PathBuf],
    /// The name of its files in the folder.
    stem: &'static str,
}

pub fn run(wish: &MapReport, language: Language) -> Result<(), String> {
    let plan = Plan {
        levels: wish.levels.clone(),
        games: wish.games,
        longest: wish.longest,
        seed: wish.seed,
        ..Plan::default()
    };
    plan.check().map_err(|problem| texts::problem(language, &problem))?;
    let second = wish.against.as_deref().map(|file| MapSource {
        file,
        extensions: &wish.against_extensions,
        stem: "against",
    });
    let first = MapSource { file: &wish.file, extensions: &wish.extensions.files, stem: "report" };
    let stop = Stop::default();
    let raised = stop.clone();
    let interrupt =
        crate::interrupt::Interrupt::watch(move || raised.stop()).map_err(|why| why.to_string())?;
    let mut told = Vec::new();
    for wanted in std::iter::once(&first).chain(&second) {
        told.push(one(wish, wanted, &plan, &stop, language)?);
    }
    let words = Words {
        tag: if language == Language::Chinese { "zh" } else { "en" },
        say: &|key, facts| say(language, key, facts),
        problem: &|problem| sentence(language, problem),
    };
    if let Some(folder) = &wish.out {
        let named: Vec<Named<'_>> = told.iter().map(MapWithReport::named).collect();
        write(&folder.join("report.html"), html::page(&named, &words).as_bytes(), language)?;
    }
    if wish.json {
        let reports: Vec<&BalanceReport> = told.iter().map(|told| &told.report).collect();
        let text = match reports.as_slice() {
            [one] => serde_json::to_string(one),
            more => serde_json::to_string(more),
        };
        line!("{}", text.map_err(|why| why.to_string())?);
        interrupt.exit_if_raised();
        return Ok(());
    }
    for told in &told {
        tell(told, language, &words);
    }
    if let [first, second] = told.as_slice() {
        line!("\n{}", html::difference(&first.report, &second.report, &words));
    }
    interrupt.exit_if_raised();
    Ok(())
}

/// A map with its report.
struct MapWithReport {
    name: String,
    board: (u8, u8),
    report: BalanceReport,
}

impl MapWithReport {
    fn named(&self) -> Named<'_> {
        Named { name: &self.name, board: self.board, report: &self.report }
    }
}

fn one(
    wish: &MapReport,
    wanted: &MapSource<'_>,
    plan: &Plan,
    stop: &Stop,
    language: Language,
) -> Result<MapWithReport, String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    extensions::warn(wanted.file, wanted.extensions, language);
    let package = Package::of_files(wanted.file, wanted.extensions).map_err(said)?;
    let options = catalog::Options::from([(maps::OLD_NAMES.to_owned(), i64::from(wish.old_names))]);
    let loaded = Rules::load(&package, &options, extensions::loader().as_deref());
    let rules = loaded.map_err(|all| all.into_iter().map(said).collect::<Vec<_>>().join("\n"))?;
    let settings = Settings {
        game: maps::KEY.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        map: works::maps::id(&package, wish.old_names),
        plan: plan.clone(),
    };
    let (mut journal, mut games) = (None, Vec::<Played>::new());
    if let Some(folder) = &wish.out {
        std::fs::create_dir_all(folder).map_err(|why| said(unwritten(folder, &why)))?;
        let path = folder.join(format!("{}.games.jsonl", wanted.stem));
        let (opened, known) = Journal::open(&path, &settings).map_err(said)?;
        (journal, games) = (Some(opened), known);
        games.retain(|game: &Played| game.fits(plan));
    }
    let done: HashSet<(u8, u32)> = games.iter().map(|game| (game.level, game.number)).collect();
    let bar = ProgressBar::new(u64::from(plan.count()))
        .with_style(ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}").expect("a good template"));
    bar.set_position(done.len() as u64);
    let threads = match wish.threads {
        0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        threads => usize::from(threads),
    };
    let mut failed = None;
    let mut hear = |played: Played| {
        if let Some(Err(problem)) = journal.as_mut().map(|journal| journal.add(&played)) {
            failed = Some(problem);
            stop.stop();
        }
        games.push(played);
        bar.inc(1);
    };
    workshop::play(&rules, plan, &done, threads, stop, &mut hear).map_err(said)?;
    bar.finish_and_clear();
    if let Some(problem) = failed {
        return Err(said(problem));
    }
    let depth = Depth { stop: stop.clone(), ..Depth::default() };
    let report = workshop::report(&rules, plan, &games, &depth);
    let name = wanted.file.file_stem().unwrap_or(wanted.file.as_os_str()).to_string_lossy().into_owned();
    let told = MapWithReport { name, board: (rules.map().rows, rules.map().cols), report };
    if let Some(folder) = &wish.out {
        let json = serde_json::to_vec_pretty(&told.report).map_err(|why| why.to_string())?;
        write(&folder.join(format!("{}.json", wanted.stem)), &json, language)?;
        let style = Style { dark: false, board: told.board, say: &|key, facts| say(language, key, facts) };
        for plot in Plot::ALL {
            let path = folder.join(format!("{}-{}.svg", wanted.stem, plot.key()));
            write(&path, plot::draw(plot, &told.report, &style).as_bytes(), language)?;
        }
    }
    Ok(told)
}

fn unwritten(path: &Path, why: &dyn std::fmt::Display) -> Problem {
    Problem::new("map-not-made").with("place", path.display()).with("text", why)
}

fn write(path: &Path, bytes: &[u8], language: Language) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|why| texts::problem(language, &unwritten(path, &why)))?;
    note!("{}", say(language, "balance-written", &[("place", &path.display().to_string())]));
    Ok(())
}

fn sentence(language: Language, problem: &wire::Problem) -> String {
    let args: Vec<(&str, &str)> =
        problem.args.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    say(language, &format!("problem-{}", problem.key), &args)
}

/// Prints a report as text.
fn tell(told: &MapWithReport, language: Language, words: &Words<'_>) {
    let report = &told.report;
    let number = |n: u32| n.to_string();
    line!("\n{}", say(language, "balance-title", &[("name", &told.name)]));
    line!(
        "{}",
        say(language, "balance-games", &[("done", &number(report.done)), ("of", &number(report.of))])
    );
    line!("{}", verdict(report, language));
    for strength in report.strengths.iter().chain([&report.all]) {
        let name = match strength.level {
            Some(level) => say(language, "balance-level", &[("level", &level.to_string())]),
            None => say(language, "balance-all", &[]),
        };
        let counts = [("balance-red", strength.red), ("balance-drawn", strength.drawn)];
        let counts =
            counts.into_iter().chain([("balance-cut", strength.cut), ("balance-blue", strength.blue)]);
        let counts: Vec<String> =
            counts.map(|(key, count)| format!("{} {count}", say(language, key, &[]))).collect();
        line!("  {name}: {}; {}", html::share(&strength.first), counts.join(", "));
    }
    line!("{}:", say(language, "balance-measures", &[]));
    for (at, measure) in report.all.measures.iter().enumerate() {
        let each: Vec<String> =
            report.strengths.iter().filter_map(|s| s.measures.get(at)).map(html::value).collect();
        let ludii = match &measure.ludii {
            Some(name) if measure.same => format!("  [{name}]"),
            Some(name) => format!("  [~ {name}]"),
            None => String::new(),
        };
        let key = format!("balance-measure-{}", measure.key);
        line!("  {}: {} ({}){ludii}", say(language, &key, &[]), html::value(measure), each.join(", "));
    }
    line!("{}:", say(language, "balance-plot-pieces", &[]));
    for piece in &report.pieces {
        let name = piece.names.join(" ");
        let name = if piece.promoted { say(language, "balance-promoted", &[("piece", &name)]) } else { name };
        let learned = piece.learned.map_or("–".to_owned(), |learned| {
            format!("{:.0} ({:.0}–{:.0})", learned.value, learned.low, learned.high)
        });
        line!("  {name}: {learned}; {} {}", say(language, "balance-reach", &[]), piece.reach);
    }
    if let Some(tempo) = report.tempo {
        let [value, low, high] = [tempo.value, tempo.low, tempo.high].map(|v| format!("{v:.0}"));
        line!("  {}", say(language, "balance-tempo", &[("value", &value), ("low", &low), ("high", &high)]));
    }
    let list = |title: &str, none: &str, lines: Vec<String>| {
        line!("{}:", say(language, title, &[]));
        if lines.is_empty() {
            line!("  {}", say(language, none, &[]));
        }
        lines.iter().for_each(|text| line!("  {text}"));
    };
    let forced = report.forced.iter().map(|forced| html::forced_line(forced, words)).collect();
    list("balance-forced", "balance-forced-none", forced);
    let idle = report.idle.iter().map(|problem| sentence(language, problem)).collect();
    list("balance-idle", "balance-idle-none", idle);
    let moments = report.moments.iter().map(|moment| html::moment_line(moment, words)).collect();
    list("balance-moments", "balance-moments-none", moments);
    line!("{}:", say(language, "balance-openings", &[]));
    for opening in &report.openings {
        line!("  {}: {}, {}", opening.moves.join(" "), opening.games, html::share(&opening.first));
    }
    for problem in &report.faults {
        let games = problem.args.get("games").cloned().unwrap_or_default();
        line!("{}", say(language, "balance-fault", &[("games", &games)]));
        line!("  {}", sentence(language, problem));
    }
}

/// Returns the sentence that tells if the map is fair.
fn verdict(report: &BalanceReport, language: Language) -> String {
    let first = report.all.first;
    let share = html::share(&first);
    let side = if first.value > 0.5 { "balance-red" } else { "balance-blue" };
    let side = say(language, side, &[]);
    let unfair = first.low > 0.5 || first.high < 0.5;
    let key = if unfair { "balance-unfair" } else { "balance-fair" };
    say(language, key, &[("share", &share), ("side", &side)])
}
