//! The command `qiguan solve`: the safety game of locked chess, and the check of its result.

use std::fs::File;
use std::time::Instant;

use kernel::Side;
use locked::Locked;
use solver::certificate;
use solver::checker::{Checked, Checker, Hole};
use solver::safety::{Safety, memory};
use texts::{Language, problem, say};

use crate::args::{Solve, SolveCheck, SolveLocked};
use crate::fresh::Fresh;
use crate::out::{self, line};

/// Turns of the attacker in a game by chance.
const TURNS: u32 = 100;

pub fn run(wish: &Solve, language: Language) -> Result<(), String> {
    match wish {
        Solve::Locked(wish) if wish.stones == 2 => play::<2>(wish, language),
        Solve::Locked(wish) if wish.stones == 3 => play::<3>(wish, language),
        Solve::Locked(wish) => play::<4>(wish, language),
        Solve::Check(wish) => check(wish, language),
    }
}

fn play<const K: usize>(wish: &SolveLocked, language: Language) -> Result<(), String> {
    if !wish.board.is_multiple_of(2) {
        return Err(say(language, "cli-solve-odd", &[("board", &wish.board.to_string())]));
    }
    let needed = memory::<K>(wish.board, wish.side.min(wish.board));
    if let Some(there) = available().filter(|there| *there < needed) {
        let gb = |bytes: u64| format!("{:.1}", bytes as f64 / 1e9);
        return Err(say(language, "cli-solve-memory", &[("needed", &gb(needed)), ("free", &gb(there))]));
    }
    // Before the work, not after it.
    let file = wish.out.as_deref().map(|path| Fresh::create(path, wish.force.force)).transpose();
    let file = file.map_err(|why| problem(language, &why))?;
    let begun = Instant::now();
    let mut safety = Safety::<K>::new(wish.board, wish.side.min(wish.board));
    let (formations, sets) = (safety.formations().len() as u64, safety.sets().count() as u64);
    let facts = [
        ("board", u64::from(wish.board)),
        ("stones", u64::from(wish.stones)),
        ("formations", formations),
        ("originals", safety.originals().count() as u64),
        ("sets", sets),
    ];
    line!("{}", counted(language, "cli-solve-begins", &facts));
    let mut is_final = false;
    while !is_final && (wish.rounds == 0 || safety.rounds() < wish.rounds) {
        let round = safety.round(wish.threads);
        is_final = round.fallen == 0;
        let facts = [
            ("round", round.number.into()),
            ("fallen", round.fallen),
            ("seconds", begun.elapsed().as_secs()),
        ];
        line!("{}", counted(language, "cli-solve-round", &facts));
    }
    if let Some((attacked, answering)) = start(&safety) {
        let turns = 2 * safety.rounds();
        for (side, safe) in [("black", attacked), ("white", answering)] {
            let verdict = match (safe, is_final) {
                (true, true) => "never",
                (true, false) => "within",
                (false, _) => "open",
            };
            let turns = turns.to_string();
            line!(
                "{}",
                say(
                    language,
                    "cli-solve-verdict",
                    &[("side", side), ("verdict", verdict), ("turns", &turns)]
                )
            );
        }
    }
    if let (Some(path), Some(mut to)) = (wish.out.as_deref(), file) {
        certificate::write(&safety, wish.side.min(wish.board), is_final, &mut to)
            .map_err(out::at_path(path))?;
        to.finish().map_err(|why| problem(language, &why))?;
        line!("{}", say(language, "cli-solve-written", &[("file", &path.display().to_string())]));
    }
    Ok(())
}

/// Returns two results for the usual start: true if the defender is safe when the other side begins, and when it
/// begins itself. The start in a mirror is the start with colours exchanged.
fn start<const K: usize>(safety: &Safety<K>) -> Option<(bool, bool)> {
    let start = Locked::default();
    let places = |side| -> Option<[(u8, u8); K]> {
        let places: Vec<_> = start.stones(side).by_row().map(|at| (at.x() - 1, at.y() - 1)).collect();
        places.try_into().ok()
    };
    let (black, white) = (places(Side::First)?, places(Side::Second)?);
    Some((safety.is_safe(white, black)?, safety.can_answer(white, black)?))
}

/// Returns a sentence with counts.
fn counted(language: Language, key: &str, facts: &[(&str, u64)]) -> String {
    let facts: Vec<(&str, String)> = facts.iter().map(|(name, count)| (*name, count.to_string())).collect();
    let facts: Vec<(&str, &str)> = facts.iter().map(|(name, count)| (*name, count.as_str())).collect();
    say(language, key, &facts)
}

fn check(wish: &SolveCheck, language: Language) -> Result<(), String> {
    let begun = Instant::now();
    let file = File::open(&wish.file).map_err(out::at_path(&wish.file))?;
    let certificate =
        certificate::read(file, available().unwrap_or(u64::MAX)).map_err(out::at_path(&wish.file))?;
    let checker = Checker::new(certificate).map_err(|why| format!("{}: {why}", wish.file.display()))?;
    let start = Locked::default();
    if !checker.is_safe(&start, Side::Second) {
        return Err(say(language, "cli-solve-unsaid", &[("side", "white")]));
    }
    let unsaid = || say(language, "cli-solve-unsaid", &[("side", "black")]);
    let answer = checker.answer(&start).ok_or_else(unsaid)?;
    let said = |what: &str, checked: Checked| {
        let facts = [
            ("positions", checked.positions),
            ("turns", checked.turns),
            ("seconds", begun.elapsed().as_secs()),
        ];
        line!("{}", counted(language, &format!("cli-solve-{what}"), &facts));
    };
    let hole = |found: Box<Hole>| hole(&found, language);
    said("white", checker.walk(start, wish.depth).map_err(hole)?);
    said("black", checker.walk(answer, wish.depth).map_err(hole)?);
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
        checker.game(from, TURNS, &mut random, &mut checked).map_err(hole)?;
    }
    said("games", checked);
    let mut checked = Checked::default();
    for _ in 0..wish.positions {
        let position = checker.any(&mut random);
        checker.look(&position, &mut checked).map_err(hole)?;
    }
    said("anywhere", checked);
    Ok(())
}

fn hole(hole: &Hole, language: Language) -> String {
    use kernel::Notation;
    say(language, "cli-solve-hole", &[("before", &hole.before.fen()), ("after", &hole.after.fen())])
}

/// Memory that is free, in bytes, where the system tells.
fn available() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
}
