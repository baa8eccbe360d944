//! The command `qiguan load`: measures how much a running hall carries, and fills a folder to measure a large one by.

use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use proving::ledger::{self, AcknowledgedMove};
use proving::sample::{self, Sample};
use texts::Language;

use crate::args::Load;
use crate::out::{self, line};

pub fn run(wish: Load, language: Language) -> Result<(), String> {
    if let Some(folder) = &wish.people {
        return fill(folder, &wish, language);
    }
    if let (Some(file), Some(url)) = (&wish.check, &wish.store) {
        return check(file, url, language);
    }
    let bases: Vec<String> = wish.hall.iter().map(|hall| hall.trim_end_matches('/').to_owned()).collect();
    if let Some(file) = wish.record {
        let time = Duration::from_secs(wish.seconds);
        let (tables, think_ms) = (wish.connections / 2, wish.think);
        return record(client::record::Record { bases, tables, time, think_ms, file }, language);
    }
    let load = client::load::Load {
        bases,
        watchers: wish.watch,
        admin: wish.admin.map(|admin| admin.trim_end_matches('/').to_owned()),
        tables: wish.connections / 2,
        time: Duration::from_secs(wish.seconds),
        rate: wish.rate,
        idle: wish.idle,
        profiles: wish.profiles,
    };
    crate::many_files();
    let runtime = tokio::runtime::Runtime::new().map_err(|e| e.to_string())?;
    let seen = runtime.block_on(client::load::run(load)).map_err(|why| refused(&why, language))?;
    let say = |key, facts: &[(&str, String)]| line!("{}", said(language, key, facts));
    say("cli-load-connections", &[("count", seen.connections.to_string())]);
    if let Some((before, with)) = seen.memory {
        let each = with.saturating_sub(before) as f64 / seen.connections as f64 / 1000.0;
        let mb = |bytes: u64| format!("{:.1}", bytes as f64 / 1e6);
        let facts = [("before", mb(before)), ("with", mb(with)), ("each", format!("{each:.1}"))];
        say("cli-load-memory", &facts);
    }
    let ms = |sorted: &[u64], percent| format!("{:.2}", client::load::percentile_ms(sorted, percent));
    if seen.moves > 0 {
        let facts = [
            ("moves", seen.moves.to_string()),
            ("seconds", format!("{:.1}", seen.seconds)),
            ("rate", format!("{:.0}", seen.moves as f64 / seen.seconds)),
        ];
        say("cli-load-moves", &facts);
        let of = |p| ms(&seen.waits_us, p);
        say("cli-load-wait", &[("p50", of(50.0)), ("p90", of(90.0)), ("p99", of(99.0)), ("max", of(100.0))]);
        let bytes = format!("{:.0}", seen.bytes as f64 / seen.moves as f64);
        say("cli-load-bytes", &[("bytes", bytes)]);
    }
    for (key, sorted) in [("cli-load-watchers", &seen.watched_us), ("cli-load-profiles", &seen.profiles_us)] {
        if !sorted.is_empty() {
            let facts = [
                ("count", sorted.len().to_string()),
                ("watchers", wish.watch.to_string()),
                ("p50", ms(sorted, 50.0)),
                ("p99", ms(sorted, 99.0)),
                ("max", ms(sorted, 100.0)),
            ];
            say(key, &facts);
        }
    }
    Ok(())
}

/// Plays games and records the acknowledged moves.
fn record(record: client::record::Record, language: Language) -> Result<(), String> {
    crate::many_files();
    let runtime = tokio::runtime::Runtime::new().map_err(|e| e.to_string())?;
    let seen = runtime.block_on(client::record::run(record)).map_err(|why| refused(&why, language))?;
    let facts = [
        ("acknowledged", seen.acknowledged.to_string()),
        ("refused", seen.refused.to_string()),
        ("unanswered", seen.unanswered.to_string()),
        ("longest", seen.longest_ms.to_string()),
    ];
    line!("{}", said(language, "cli-load-recorded", &facts));
    Ok(())
}

/// Compares the acknowledged moves with the logs.
fn check(file: &Path, url: &str, language: Language) -> Result<(), String> {
    let say = |key, facts: &[(&str, String)]| said(language, key, facts);
    let text = std::fs::read_to_string(file).map_err(out::at_path(file))?;
    let read = |(n, line): (usize, &str)| {
        serde_json::from_str::<client::record::Acknowledged>(line).map_err(|why| {
            say(
                "cli-load-line",
                &[("file", shown(file)), ("line", (n + 1).to_string()), ("why", why.to_string())],
            )
        })
    };
    let told = text.lines().enumerate().map(read).collect::<Result<Vec<_>, String>>()?;
    if told.is_empty() {
        // A check of nothing finds nothing, and would pass for a success.
        line!("acknowledged 0");
        return Err(say("cli-load-nothing", &[("file", shown(file))]));
    }
    let told: Vec<AcknowledgedMove> = told
        .into_iter()
        .map(|told| AcknowledgedMove {
            table: told.table,
            person: told.person,
            cmd: told.cmd,
            ver: told.ver,
            text: told.text,
        })
        .collect();
    let join = store::Join { url: url.to_owned(), node: format!("check-{}", std::process::id()) };
    let runtime = tokio::runtime::Runtime::new().map_err(|e| e.to_string())?;
    let verdict = runtime.block_on(ledger::check(&join, &told))?;
    for finding in verdict.findings.iter().take(20) {
        line!("{finding}");
    }
    line!(
        "acknowledged {} lost {} doubled {} gaps {} unfit {} wrong-flags {}",
        told.len(),
        verdict.lost,
        verdict.doubled,
        verdict.gaps,
        verdict.unfit,
        verdict.wrong_flags
    );
    if verdict.is_clean() { Ok(()) } else { Err(texts::say(language, "cli-load-differs", &[])) }
}

/// Makes people and games in a folder that holds none.
fn fill(folder: &Path, wish: &Load, language: Language) -> Result<(), String> {
    if folder.join("hall.db").exists() {
        return Err(texts::say(language, "cli-load-there", &[("folder", &folder.display().to_string())]));
    }
    std::fs::create_dir_all(folder).map_err(out::at_path(folder))?;
    let sample =
        Sample { accounts: wish.accounts, games: wish.games, sleeping: wish.sleeping, seed: wish.seed };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {eta}").expect("a plain template");
    let bar = ProgressBar::new(0).with_style(style);
    let told = |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    };
    let now_ms = jiff::Timestamp::now().as_millisecond().unsigned_abs();
    let runtime = tokio::runtime::Runtime::new().map_err(|e| e.to_string())?;
    let made = runtime.block_on(sample::make(folder, sample, now_ms, tables::remembered::finished, &told));
    bar.finish_and_clear();
    made.map_err(|why| crate::admin::refusal(folder, &why, language))?;
    let facts = [
        ("accounts", sample.accounts.to_string()),
        ("last", sample.accounts.saturating_sub(1).to_string()),
        ("games", sample.games.to_string()),
        ("sleeping", sample.sleeping.to_string()),
    ];
    line!("{}", said(language, "cli-load-made", &facts));
    Ok(())
}

/// Returns a sentence with its facts.
fn said(language: Language, key: &str, facts: &[(&str, String)]) -> String {
    let facts: Vec<(&str, &str)> = facts.iter().map(|(name, fact)| (*name, fact.as_str())).collect();
    texts::say(language, key, &facts)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Returns the sentence that tells why a hall could not be measured.
fn refused(why: &client::Error, language: Language) -> String {
    let fact = |name: &'static str, value: &String| [(name, value.clone())];
    match why {
        client::Error::Lost(why) => said(language, "cli-load-lost", &fact("why", why)),
        client::Error::Untrusted(why) => said(language, "problem-hall-not-trusted", &fact("reason", why)),
        client::Error::Refused(problem) => {
            let facts: Vec<(&str, &str)> =
                problem.args.iter().map(|(name, fact)| (name.as_str(), fact.as_str())).collect();
            let why = texts::say(language, &format!("problem-{}", problem.key), &facts);
            said(language, "cli-load-refused", &[("why", why)])
        }
        client::Error::Strange(why) => said(language, "cli-load-strange", &fact("why", why)),
    }
}
