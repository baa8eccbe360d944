//! The command `qiguan match`: two engines play; Elo, error bars and a sequential test.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write, stderr};
use std::path::Path;
use std::time::Duration;

use arena::opening::{Openings, USUAL_NODES};
use arena::tally::Estimate;
use arena::{Contest, Control, Decision, Journal, Played, Progress, Scale, Settings, Spec, Suite, Terms};
use catalog::Ruleset;
use engine::Stop;
use external::config;
use indicatif::{ProgressBar, ProgressStyle};
use kernel::Problem;
use records::Format;
use serde_json::{Value, json};
use texts::Language;

use crate::args::Match;
use crate::engines;
use crate::fresh::Fresh;
use crate::interrupt::Interrupt;
use crate::out::{line, note};

pub fn run(wish: &Match, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    let rules = engines::rules(&wish.game, &wish.options, Some(&wish.map), language).map_err(said)?;
    let known = wish.engines.as_deref().map(config::read_file).transpose().map_err(said)?.unwrap_or_default();
    let spec = |text: &str| Spec::read(text, &known).map_err(said);
    let specs = [spec(&wish.a)?, spec(&wish.b)?];
    // What cannot be written is told before the first game, not behind the last.
    let records = wish.records.as_deref().map(|path| {
        let format = format_of(path, language)?;
        Fresh::create(path, wish.force.force).map(|file| (file, format)).map_err(said)
    });
    let records = records.transpose()?;
    let suite = wish.openings.as_deref().map(|path| Suite::read(path, &rules)).transpose().map_err(said)?;
    let settings = settings(wish, &rules);
    let opened = wish
        .out
        .as_deref()
        .map(|path| Journal::open::<_, Played>(path, &settings))
        .transpose()
        .map_err(said)?;
    let (mut journal, before) = opened.map_or((None, Vec::new()), |(journal, games)| (Some(journal), games));
    if !before.is_empty() {
        note!("{}", texts::say(language, "cli-match-goes-on", &[("games", &before.len().to_string())]));
    }
    if wish.movetime.is_none() && wish.tc.is_none() && wish.nodes.is_none() && wish.depth.is_none() {
        note!("{}", texts::say(language, "cli-match-usual-time", &[("ms", &USUAL_MS.to_string())]));
    }
    let stop = Stop::default();
    let raised = stop.clone();
    let interrupt = Interrupt::watch(move || raised.stop()).map_err(|why| why.to_string())?;
    let contest = Contest {
        rules: &rules,
        pairs: wish.pairs,
        openings: Openings {
            turns: wish.opening_plies,
            seed: wish.seed,
            balance: wish.balance,
            nodes: USUAL_NODES,
        },
        suite,
        terms: Terms {
            control: control(wish),
            margin: Duration::from_millis(wish.margin),
            adjudicate: wish.adjudicate,
            most_plies: wish.max_plies,
        },
        concurrency: wish.concurrency,
        sprt: wish.sprt,
        date: jiff::Zoned::now().strftime("%Y-%m-%d").to_string(),
        stop: stop.clone(),
    };
    let bar = bar(2 * wish.pairs as u64, before.len() as u64);
    let fence = engines::fence(0);
    let make = |engine: usize| specs[engine].player(&rules, &fence, wish.hash);
    let mut games = before.clone();
    let mut voids: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut watch = |progress: &Progress, played: &Played| {
        games.push(played.clone());
        bar.set_position(progress.games as u64);
        bar.set_message(short(progress, wish));
        if !played.fault.is_empty() {
            let number = (played.number + 1).to_string();
            let args = [("number", number.as_str()), ("reason", &played.reason), ("fault", &played.fault)];
            bar.suspend(|| note!("{}", texts::say(language, "cli-match-fault", &args)));
        }
        let kind = || played.kind_of_void().into_iter().map(str::to_owned).collect();
        if played.is_void() && voids.insert(kind()) {
            let (number, reason) = ((played.number + 1).to_string(), played.why_void());
            let args = [("number", number.as_str()), ("reason", &reason)];
            bar.suspend(|| note!("{}", texts::say(language, "cli-match-void", &args)));
        }
        true
    };
    let progress = contest.run(&make, &before, journal.as_mut(), &mut watch);
    bar.finish_and_clear();
    let progress = progress.map_err(said)?;
    if wish.json {
        line!("{}", json(&progress, wish, &settings, stop.is_raised()));
    } else {
        table(&progress, wish, &settings, language).iter().for_each(|line| line!("{line}"));
    }
    if let Some((file, format)) = records {
        games.sort_by_key(|played| played.number);
        write_records(file, format, &rules, &settings.engines, &games).map_err(said)?;
    }
    if stop.is_raised() {
        let games = progress.games.to_string();
        note!("{}", texts::say(language, "cli-match-interrupted", &[("games", &games)]));
        interrupt.exit_if_raised();
    }
    Ok(())
}

/// Returns the result as JSON.
fn json(progress: &Progress, wish: &Match, settings: &Settings, interrupted: bool) -> Value {
    let tally = &progress.tally;
    let [lost, drawn, won] = tally.games;
    let known = |value: Value| if tally.count() > 0 { value } else { Value::Null };
    // Infinite is null: that side is open.
    let estimate =
        |of: Estimate| known(json!({"value": of.value, "error": of.error, "low": of.low, "high": of.high}));
    let engine = |i: usize| {
        let per_move = |ms: [u64; 2]| ms[i] as f64 / progress.moves[i].max(1) as f64;
        json!({
            "name": settings.engines[i],
            "clock_ms_per_move": per_move(progress.clock_ms),
            "processor_ms_per_move": per_move(progress.processor_ms),
            "nodes_per_second": progress.speeds()[i].map(f64::round),
            "lost_by_fault": progress.faults[i],
            "lost_on_time": progress.late[i],
        })
    };
    let sprt = wish.sprt.map(|sprt| {
        let (least, most) = sprt.bounds();
        json!({
            "low": sprt.low,
            "high": sprt.high,
            "scale": if sprt.scale == Scale::Normalised { "normalised" } else { "logistic" },
            "ratio": known(json!(sprt.ratio(tally))),
            "least": least,
            "most": most,
            "verdict": match sprt.decided(tally) {
                Some(Decision::High) => "accepted",
                Some(Decision::Low) => "refused",
                None => "open",
            },
        })
    });
    json!({
        "settings": settings,
        "interrupted": interrupted,
        "games": {"played": progress.games, "won": won, "drawn": drawn, "lost": lost, "void": progress.void},
        "pairs": tally.pairs,
        "score": known(json!(tally.score())),
        "elo": estimate(tally.elo()),
        "normalised": estimate(tally.normalised()),
        "superiority": known(json!(tally.superiority())),
        "sprt": sprt,
        "engines": [engine(0), engine(1)],
    })
}

fn settings(wish: &Match, rules: &Ruleset) -> Settings {
    Settings {
        game: rules.key.clone(),
        options: rules.options.clone(),
        map: rules.map.clone(),
        engines: [wish.a.clone(), wish.b.clone()],
        control: match control(wish) {
            Control::MoveTime(time) => format!("movetime {}", time.as_millis()),
            Control::Clock(base, increment) => {
                format!("tc {}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
            Control::Nodes(nodes) => format!("nodes {nodes}"),
            Control::Depth(depth) => format!("depth {depth}"),
        },
        margin_ms: wish.margin,
        hash: wish.hash,
        opening_turns: wish.opening_plies,
        openings: wish.openings.as_ref().map(|path| path.display().to_string()),
        balance: wish.balance,
        seed: wish.seed,
        adjudicate: wish.adjudicate,
        most_plies: wish.max_plies,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// Milliseconds for each move if no limit is given.
const USUAL_MS: u64 = 100;

/// Returns the time for a move, or what takes its place.
fn control(wish: &Match) -> Control {
    let seconds = Duration::from_secs_f64;
    match (wish.tc, wish.nodes, wish.depth) {
        (Some((base, increment)), ..) => Control::Clock(seconds(base), seconds(increment)),
        (_, Some(nodes), _) => Control::Nodes(nodes),
        (_, _, Some(depth)) => Control::Depth(depth),
        _ => Control::MoveTime(Duration::from_millis(wish.movetime.unwrap_or(USUAL_MS))),
    }
}

fn format_of(path: &Path, language: Language) -> Result<Format, String> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let format = Format::keyed(ending)
        .filter(|format| format.writes() && !format.is_position() && format.holds_many());
    format.ok_or_else(|| texts::say(language, "cli-match-records", &[("file", &path.display().to_string())]))
}

fn bar(games: u64, before: u64) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos} / {len}  {msg}  {eta}");
    ProgressBar::new(games).with_style(style.expect("the template is well formed")).with_position(before)
}

/// Returns the score so far, in a few characters.
fn short(progress: &Progress, wish: &Match) -> String {
    let elo = progress.tally.elo();
    let mut text = match elo.error.is_finite() {
        true => format!("{:+.1} ± {:.1}", elo.value, elo.error),
        false => format!("{:+.1} ± ∞", elo.value),
    };
    if let Some(sprt) = &wish.sprt {
        text.push_str(&format!("  LLR {:+.2}", sprt.ratio(&progress.tally)));
    }
    text
}

/// Returns the result, line by line.
fn table(progress: &Progress, wish: &Match, settings: &Settings, language: Language) -> Vec<String> {
    let say = |key: &str, args: &[(&str, String)]| {
        let args: Vec<(&str, &str)> = args.iter().map(|(name, value)| (*name, value.as_str())).collect();
        texts::say(language, key, &args)
    };
    let tally = &progress.tally;
    let [lost, drawn, won] = tally.games.map(|n| n.to_string());
    let mut lines = vec![say(
        "cli-match-terms",
        &[
            ("a", wish.a.clone()),
            ("b", wish.b.clone()),
            ("game", settings.game.clone()),
            ("control", settings.control.clone()),
            ("hash", settings.hash.to_string()),
            ("seed", settings.seed.to_string()),
            ("version", settings.version.clone()),
        ],
    )];
    if progress.games == 0 {
        lines.push(say("cli-match-none", &[]));
        return lines;
    }
    let percent = format!("{:.1}", tally.score() * 100.0);
    lines.push(say(
        "cli-match-score",
        &[
            ("won", won),
            ("drawn", drawn),
            ("lost", lost),
            ("void", progress.void.to_string()),
            ("percent", percent),
        ],
    ));
    lines.push(say("cli-match-pairs", &[("pairs", tally.pairs.map(|n| n.to_string()).join(" "))]));
    if tally.count() > 0 {
        let (elo, normalised) = (tally.elo(), tally.normalised());
        let number = |n: f64| match n {
            _ if n.is_finite() => format!("{n:.1}"),
            _ if n > 0.0 => "∞".to_owned(),
            _ => "-∞".to_owned(),
        };
        let args = [
            ("elo", format!("{:+.1}", elo.value)),
            ("error", number(elo.error)),
            ("low", number(elo.low)),
            ("high", number(elo.high)),
            ("normalised", format!("{:+.1}", normalised.value)),
            ("spread", number(normalised.error)),
            ("los", number(tally.superiority() * 100.0)),
        ];
        lines.push(say("cli-match-elo", &args));
    }
    if let Some(sprt) = &wish.sprt {
        let (low, high) = sprt.bounds();
        let verdict = match sprt.decided(tally) {
            Some(Decision::High) => "accepted",
            Some(Decision::Low) => "refused",
            None => "open",
        };
        let args = [
            ("low", sprt.low.to_string()),
            ("high", sprt.high.to_string()),
            ("scale", if sprt.scale == Scale::Normalised { "normalised" } else { "logistic" }.to_owned()),
            ("ratio", format!("{:+.3}", if tally.count() > 0 { sprt.ratio(tally) } else { 0.0 })),
            ("least", format!("{low:.3}")),
            ("most", format!("{high:.3}")),
            ("verdict", verdict.to_owned()),
        ];
        lines.push(say("cli-match-sprt", &args));
    }
    for engine in 0..2 {
        let per_move =
            |ms: [u64; 2]| format!("{:.1}", ms[engine] as f64 / progress.moves[engine].max(1) as f64);
        let args = [
            ("name", settings.engines[engine].clone()),
            ("clock", per_move(progress.clock_ms)),
            ("processor", per_move(progress.processor_ms)),
            ("faults", progress.faults[engine].to_string()),
            ("late", progress.late[engine].to_string()),
        ];
        lines.push(say("cli-match-engine", &args));
    }
    if let [Some(a), Some(b)] = progress.speeds() {
        let args = [("a", format!("{a:.0}")), ("b", format!("{b:.0}")), ("ratio", format!("{:.2}", a / b))];
        lines.push(say("cli-match-speeds", &args));
    }
    let late: usize = progress.late.iter().sum();
    if late > 0 {
        let args = [("late", late.to_string()), ("games", progress.games.to_string())];
        lines.push(say("cli-match-late", &args));
    }
    lines
}

fn write_records(
    mut file: Fresh,
    format: Format,
    rules: &Ruleset,
    names: &[String; 2],
    games: &[Played],
) -> Result<(), Problem> {
    for (i, played) in games.iter().enumerate() {
        let record = arena::contest::record(rules, names, played)?;
        let bytes = records::write(format, &record)?;
        let between: &[u8] = if i == 0 { b"" } else { format.between() };
        file.write_all(between).and_then(|()| file.write_all(&bytes)).map_err(|why| file.wrong(&why))?;
    }
    file.finish()
}
