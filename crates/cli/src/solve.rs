//! The command `qiguan solve`: the safety game of locked chess, and the check of its result.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use kernel::Side;
use locked::Locked;
use solver::certificate;
use solver::checker::{Checked, Checker, Hole};
use solver::safety::{Safety, memory};

use crate::args::{Solve, SolveCheck, SolveLocked};
use crate::out::line;

/// Turns of the attacker in a game by chance.
const TURNS: u32 = 100;

pub fn run(wish: &Solve) -> Result<(), String> {
    match wish {
        Solve::Locked(wish) if wish.stones == 2 => play::<2>(wish),
        Solve::Locked(wish) if wish.stones == 3 => play::<3>(wish),
        Solve::Locked(wish) => play::<4>(wish),
        Solve::Check(wish) => check(wish),
    }
}

fn play<const K: usize>(wish: &SolveLocked) -> Result<(), String> {
    if !wish.board.is_multiple_of(2) {
        return Err(format!("--board {}: the board needs an even number of columns", wish.board));
    }
    let needed = memory::<K>(wish.board, wish.side.min(wish.board));
    if let Some(there) = available().filter(|there| *there < needed) {
        let gb = |bytes: u64| bytes as f64 / 1e9;
        return Err(format!(
            "this takes {:.1} GB of memory, and {:.1} GB are free; a smaller --box or --board takes less",
            gb(needed),
            gb(there)
        ));
    }
    // Before the work, not after it.
    let file = wish.out.as_deref().map(create).transpose()?;
    let begun = Instant::now();
    let mut safety = Safety::<K>::new(wish.board, wish.side.min(wish.board));
    let (formations, sets) = (safety.formations().len() as u64, safety.sets().count() as u64);
    line!(
        "{0}x{0}, {1} stones: {formations} formations, {2} of them other than by symmetry, against {sets} sets",
        wish.board,
        wish.stones,
        safety.originals().count()
    );
    let mut is_final = false;
    while !is_final && (wish.rounds == 0 || safety.rounds() < wish.rounds) {
        let round = safety.round(wish.threads);
        is_final = round.fallen == 0;
        line!(
            "round {}: {} positions are safe no more; {:.0} s",
            round.number,
            round.fallen,
            begun.elapsed().as_secs_f64()
        );
    }
    if let Some((attacked, answering)) = start(&safety) {
        let turns = 2 * safety.rounds();
        let says = |safe: bool| match (safe, is_final) {
            (true, true) => "never has a forced win".to_owned(),
            (true, false) => format!("has no forced win within {turns} turns"),
            (false, _) => "may have one: this defence does not hold".to_owned(),
        };
        line!("from the start, Black, who begins, {}", says(attacked));
        line!("from the start, White {}", says(answering));
    }
    if let (Some(path), Some(file)) = (wish.out.as_deref(), file) {
        let mut to = BufWriter::new(file);
        certificate::write(&safety, wish.side.min(wish.board), is_final, &mut to).map_err(at(path))?;
        line!("written to {}", path.display());
    }
    Ok(())
}

/// Whether the side that defends is safe from the usual start when the other begins, and when it begins itself: the start
/// in a mirror is the start with colours exchanged.
fn start<const K: usize>(safety: &Safety<K>) -> Option<(bool, bool)> {
    let start = Locked::default();
    let places = |side| -> Option<[(u8, u8); K]> {
        let places: Vec<_> = start.stones(side).by_row().map(|at| (at.x() - 1, at.y() - 1)).collect();
        places.try_into().ok()
    };
    let (black, white) = (places(Side::First)?, places(Side::Second)?);
    Some((safety.is_safe(white, black)?, safety.can_answer(white, black)?))
}

fn check(wish: &SolveCheck) -> Result<(), String> {
    let begun = Instant::now();
    let file = File::open(&wish.file).map_err(at(&wish.file))?;
    let certificate = certificate::read(file, available().unwrap_or(u64::MAX)).map_err(at(&wish.file))?;
    let checker = Checker::new(certificate).map_err(|why| format!("{}: {why}", wish.file.display()))?;
    let start = Locked::default();
    if !checker.is_safe(&start, Side::Second) {
        return Err("it does not say that White is safe from the start".to_owned());
    }
    let answer = checker.answer(&start).ok_or("it does not say that Black is safe from the start")?;
    let said = |what: &str, checked: Checked| {
        let seconds = begun.elapsed().as_secs_f64();
        line!(
            "{what}: {} positions, {} turns, each answered; {seconds:.0} s",
            checked.positions,
            checked.turns
        );
    };
    said(
        "White defends, every turn from the start",
        checker.walk(start, wish.depth).map_err(|found| hole(&found))?,
    );
    said(
        "Black defends, every turn from the start",
        checker.walk(answer, wish.depth).map_err(|found| hole(&found))?,
    );
    let mut seed = wish.seed;
    let mut random = |below: usize| {
        // SplitMix64 (Steele, Lea, Flood 2014).
        seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % below.max(1) as u64) as usize
    };
    let mut checked = Checked::default();
    for n in 0..wish.games {
        let from = if n % 2 == 0 { start } else { answer };
        checker.game(from, TURNS, &mut random, &mut checked).map_err(|found| hole(&found))?;
    }
    said("games by chance", checked);
    let mut checked = Checked::default();
    for _ in 0..wish.positions {
        let position = checker.any(&mut random);
        checker.look(&position, &mut checked).map_err(|found| hole(&found))?;
    }
    said("every turn in positions by chance", checked);
    Ok(())
}

fn hole(hole: &Hole) -> String {
    use kernel::Notation;
    format!(
        "it is wrong: {} is called safe, and there is no answer to the turn to {}",
        hole.before.fen(),
        hole.after.fen()
    )
}

fn create(path: &Path) -> Result<File, String> {
    File::create(path).map_err(at(path))
}

fn at(path: &Path) -> impl Fn(std::io::Error) -> String + '_ {
    move |why| format!("{}: {why}", path.display())
}

/// Memory that is free, in bytes, where the system tells.
fn available() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
}
