//! Benchmark of random games: the number of plies per second of CPU time, with all legal moves listed, one of them
//! played, and extensions called.
//!
//! `cargo run --release -p sandbox --example jbq-playouts -- MAP.xlsx [EXTENSION.py…] [--plies N] [--plain]`
//!
//! Without extensions the games are played by `jingbanqi` here; with some, in one request inside a worker, as a
//! search would do it, and the time is the worker's. `--plain`: no result is kept from an earlier call. `--start`:
//! measures the time in which workers start, instead. `--tables N`: measures the memory that the workers of N games
//! hold, instead.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use jingbanqi::extension::{Loader, Source};
use jingbanqi::{Jingbanqi, Rulebook, read};
use kernel::Position;
use sandbox::Sandbox;

/// The longest game, in plies.
const LONGEST: u32 = 200;

fn main() {
    if sandbox::is_worker() {
        let _ = sandbox::worker_main();
        return;
    }
    let (mut files, mut plies, mut plain, mut start, mut tables) =
        (Vec::<PathBuf>::new(), 20_000, false, false, 0);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--plies" => plies = args.next().and_then(|n| n.parse().ok()).expect("a number behind --plies"),
            "--tables" => {
                tables = args.next().and_then(|n| n.parse().ok()).expect("a number behind --tables")
            }
            "--plain" => plain = true,
            "--start" => start = true,
            file => files.push(file.into()),
        }
    }
    let (map, extensions) = files.split_first().expect("a map, and perhaps extensions");
    let reading = read(&std::fs::read(map).expect("the map can be read"));
    let book = Arc::new(Rulebook::new(reading.map.unwrap_or_else(|| panic!("{:?}", reading.errors)), false));
    let source = |path: &PathBuf| Source {
        file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        bytes: std::fs::read(path).expect("the extension can be read"),
    };
    let sources: Vec<Source> = extensions.iter().map(source).collect();
    if sources.is_empty() {
        natively(&book, plies);
    } else if tables > 0 {
        hold(&book, &sources, tables);
    } else if start {
        starts(&book, &sources);
    } else {
        let played = Sandbox::here().playouts(&book, &sources, (1, plies, LONGEST), !plain);
        let (played, memory) = played.unwrap_or_else(|fault| panic!("{fault:?}"));
        let seconds = played.cpu_us as f64 / 1e6;
        let [asked, known] = played.asked;
        println!(
            "{:.0} plies/s  ({} plies, {} games, {} moves, {} faults, {seconds:.2} s CPU, worker {} MB, {asked} asked, {known} known, digest {:016x})",
            f64::from(played.plies) / seconds,
            played.plies,
            played.games,
            played.moves,
            played.faults,
            memory / 1024,
            played.digest,
        );
    }
}

/// Random games by the rules alone.
fn natively(book: &Arc<Rulebook>, plies: u32) {
    let (mut random, mut played, mut games, mut listed) = (1u64, 0, 0, 0);
    let began = Instant::now();
    let mut moves = Vec::new();
    while played < plies {
        let mut pos = Jingbanqi::new(Arc::clone(book));
        games += 1;
        for _ in 0..LONGEST {
            moves.clear();
            pos.moves(&mut moves);
            listed += moves.len();
            if moves.is_empty() || played >= plies {
                break;
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            pos.play(moves[(random >> 33) as usize % moves.len()]);
            played += 1;
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{:.0} plies/s  ({played} plies, {games} games, {listed} moves, {seconds:.2} s of one thread)",
        f64::from(played) / seconds
    );
}

/// Measures the time in which a worker starts, and the memory it holds.
fn starts(book: &Arc<Rulebook>, sources: &[Source]) {
    let sandbox = Sandbox::here();
    let mut times: Vec<f64> = (0..20)
        .map(|_| {
            let began = Instant::now();
            let extensions = sandbox.load(book, sources).expect("it loads");
            let took = began.elapsed().as_secs_f64() * 1e3;
            drop(extensions);
            took
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("a worker starts and loads in {:.1} ms, {:.1} at best", times[times.len() / 2], times[0]);
}

/// Measures the memory that the workers of that number of games hold, each asked for three plies in turn.
fn hold(book: &Arc<Rulebook>, sources: &[Source], tables: usize) {
    let sandbox = Sandbox::here();
    let start = || {
        let extensions = sandbox.load(book, sources).expect("it loads");
        Jingbanqi::with_extensions(Arc::clone(book), extensions)
    };
    let mut games: Vec<Jingbanqi> = (0..tables).map(|_| start()).collect();
    let began = Instant::now();
    for _ in 0..3 {
        for pos in &mut games {
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            if let Some(&m) = moves.first() {
                pos.play(m);
            }
        }
    }
    let took = began.elapsed().as_secs_f64() * 1e3 / (3 * tables) as f64;
    let me = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let shares = processes.filter_map(|process| {
        let stat = std::fs::read_to_string(process.path().join("stat")).ok()?;
        let parent = stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?;
        let rollup =
            (parent == me).then(|| std::fs::read_to_string(process.path().join("smaps_rollup")).ok())??;
        let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        line.split_ascii_whitespace().next()?.parse::<u64>().ok()
    });
    let shares: Vec<u64> = shares.collect();
    println!(
        "{tables} games, {} workers awake, {} MB of their own together, {took:.1} ms a ply",
        shares.len(),
        shares.iter().sum::<u64>() / 1024
    );
}
