//! The command `qiguan load`: measures how much a running hall carries, and fills a folder to measure a large one by.

use std::path::Path;
use std::time::Duration;

use hall::sample::Sample;
use indicatif::{ProgressBar, ProgressStyle};
use texts::Language;

use crate::args::Load;
use crate::out::line;

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
        return record(client::record::Record { bases, tables, time, think_ms, file });
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
    let seen = runtime.block_on(client::load::run(load)).map_err(|e| e.to_string())?;
    line!("connections  {}", seen.connections);
    if let Some((before, with)) = seen.memory {
        let each = with.saturating_sub(before) as f64 / seen.connections as f64 / 1000.0;
        let mb = |bytes: u64| bytes as f64 / 1e6;
        line!(
            "hall memory  {:.1} MB before, {:.1} MB with them: {each:.1} kB a connection",
            mb(before),
            mb(with)
        );
    }
    if seen.moves > 0 {
        let of = |p| seen.percentile_ms(p);
        line!(
            "moves        {} in {:.1} s: {:.0} moves/s",
            seen.moves,
            seen.seconds,
            seen.moves as f64 / seen.seconds
        );
        line!(
            "wait         p50 {:.2} ms  p90 {:.2} ms  p99 {:.2} ms  max {:.2} ms",
            of(50.0),
            of(90.0),
            of(99.0),
            of(100.0)
        );
        line!(
            "on the wire  {:.0} bytes a move, both players together",
            seen.bytes as f64 / seen.moves as f64
        );
    }
    if !seen.watched_us.is_empty() {
        let of = |percent| client::load::percentile_ms(&seen.watched_us, percent);
        line!(
            "watchers     {} news of {} watchers: p50 {:.2} ms  p99 {:.2} ms  max {:.2} ms",
            seen.watched_us.len(),
            wish.watch,
            of(50.0),
            of(99.0),
            of(100.0)
        );
    }
    if !seen.profiles_us.is_empty() {
        let of = |percent| client::load::percentile_ms(&seen.profiles_us, percent);
        line!(
            "profiles     {} asked for: p50 {:.2} ms  p99 {:.2} ms  max {:.2} ms",
            seen.profiles_us.len(),
            of(50.0),
            of(99.0),
            of(100.0)
        );
    }
    Ok(())
}

/// Plays and writes down what is acknowledged.
fn record(record: client::record::Record) -> Result<(), String> {
    crate::many_files();
    let runtime = tokio::runtime::Runtime::new().map_err(|e| e.to_string())?;
    let seen = runtime.block_on(client::record::run(record)).map_err(|e| e.to_string())?;
    line!(
        "acknowledged {}  refused {}  unanswered {}  longest wait {} ms",
        seen.acknowledged,
        seen.refused,
        seen.unanswered,
        seen.longest_ms
    );
    Ok(())
}

/// Holds what was acknowledged against the logs.
fn check(file: &Path, url: &str, language: Language) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|why| format!("{}: {why}", file.display()))?;
    let read = |(n, line): (usize, &str)| {
        serde_json::from_str::<client::record::Acknowledged>(line)
            .map_err(|why| format!("{}, line {}: {why}", file.display(), n + 1))
    };
    let told = text.lines().enumerate().map(read).collect::<Result<Vec<_>, String>>()?;
    if told.is_empty() {
        // A check of nothing finds nothing, and would pass for a success.
        line!("acknowledged 0");
        return Err(format!(
            "{}: nothing was acknowledged, so there is nothing to check; did the halls open, and did anybody play?",
            file.display()
        ));
    }
    let told: Vec<hall::ledger::Told> = told
        .into_iter()
        .map(|told| hall::ledger::Told {
            table: told.table,
            person: told.person,
            cmd: told.cmd,
            ver: told.ver,
            text: told.text,
        })
        .collect();
    let join = store::Join { url: url.to_owned(), node: format!("check-{}", std::process::id()) };
    let runtime = tokio::runtime::Runtime::new().map_err(|e| e.to_string())?;
    let verdict = runtime.block_on(hall::ledger::check(&join, &told))?;
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
    std::fs::create_dir_all(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
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
    let made = runtime.block_on(hall::sample::make(folder, sample, now_ms, &told));
    bar.finish_and_clear();
    made.map_err(|why| format!("{}: {why}", folder.display()))?;
    line!(
        "{} accounts (Sample0 to Sample{}), {} games, {} sleeping games",
        sample.accounts,
        sample.accounts - 1,
        sample.games,
        sample.sleeping
    );
    Ok(())
}
