//! The report: all that the games show about a map.

use std::collections::BTreeMap;

use catalog::maps::{self, Rules};
use engine::Stop;
use jingbanqi::Jingbanqi;
use kernel::{Game, Notation, Position, Problem, Side};
use wire::{BalanceReport, ForcedWin, PieceReport};

use crate::forced::prove;
use crate::selfplay::{Failed, Plan, Played};
use crate::trace::Trace;
use crate::{idle, measure, moments, worth};

/// The limits of the analysis of single positions, which follows the games.
#[derive(Clone, Debug)]
pub struct Depth {
    /// The positions searched to evaluate a deciding position again.
    pub nodes: u64,
    /// The longest time of such a search, in milliseconds, where extensions are slow.
    pub look_ms: u64,
    /// The most deciding positions in the report.
    pub moments: usize,
    /// The most positions in the proof that a side wins from the start; an eighth of it for each first move. Maps
    /// with extensions get a fiftieth, since each position is a call of their code.
    pub proof: usize,
    /// The number of random games in which calls of hooks are counted; 0 for none.
    pub rehearsed: u32,
    /// Ends the analysis early: the rest is left out of the report.
    pub stop: Stop,
}

impl Default for Depth {
    fn default() -> Depth {
        Depth {
            nodes: 20_000,
            look_ms: 2_000,
            moments: 6,
            proof: 400_000,
            rehearsed: 60,
            stop: Stop::default(),
        }
    }
}

/// Computes the report of those games. They may be a part of the plan's, in any order; a game that does not fit the
/// plan or the map is left out.
#[must_use]
pub fn report(rules: &Rules, plan: &Plan, games: &[Played], depth: &Depth) -> BalanceReport {
    let mut games: Vec<Played> = games.iter().filter(|game| game.fits(plan)).cloned().collect();
    games.sort_by_key(|game| (game.level, game.number));
    games.dedup_by_key(|game| (game.level, game.number));
    let trace = Trace::of(rules, &games);
    let scale = measure::scale(&games);
    let of_level = |level: Option<u8>| {
        let games: Vec<_> = games
            .iter()
            .enumerate()
            .filter(|(_, game)| level.is_none_or(|level| game.level == level))
            .map(|(at, game)| (game, trace.boards.get(at)))
            .collect();
        measure::strength(level, &games, scale)
    };
    let mut levels = plan.levels.clone();
    levels.sort_unstable();
    levels.dedup();
    let (pieces, tempo) = pieces(rules, &trace, &games, scale);
    let plan_of_hooks = maps::Plan { games: depth.rehearsed, longest: 200, seed: plan.seed };
    let hooks = if depth.rehearsed > 0 && !rules.extensions().is_empty() {
        rules.rehearse(plan_of_hooks).hooks
    } else {
        Vec::new()
    };
    let plies: u32 = trace.visits.iter().sum();
    BalanceReport {
        done: u32::try_from(games.len()).unwrap_or(u32::MAX),
        of: plan.count(),
        all: of_level(None),
        strengths: levels.iter().map(|&level| of_level(Some(level))).collect(),
        scale,
        tempo,
        pieces,
        idle: told(if games.is_empty() { Vec::new() } else { idle::idle(rules, &trace, &hooks) }),
        moments: moments::moments(rules, &games, scale, depth),
        openings: moments::openings(&games),
        forced: forced(rules, depth),
        visits: trace.visits.iter().map(|&n| f64::from(n) / f64::from(plies.max(1))).collect(),
        faults: told(faults(&games)),
    }
}

fn told(problems: Vec<Problem>) -> Vec<wire::Problem> {
    problems.into_iter().map(wire::Problem::from).collect()
}

/// Computes the values and the use of pieces, the most valuable first.
fn pieces(
    rules: &Rules,
    trace: &Trace,
    games: &[Played],
    scale: f64,
) -> (Vec<PieceReport>, Option<wire::Estimate>) {
    let by_id = idle::reach(rules);
    let kinds = &rules.map().kinds;
    let counted = trace.boards.len().max(1) as f64;
    let slots = trace.groups.iter().flat_map(|ids| [(ids, false), (ids, true)]);
    let reach: Vec<i32> = slots
        .clone()
        .map(|(ids, up)| {
            let sum: i32 = ids.iter().map(|&id| by_id[usize::from(id)][usize::from(up)]).sum();
            sum / i32::try_from(ids.len()).unwrap_or(1).max(1)
        })
        .collect();
    let learned = worth::learn(trace, games, &reach, scale);
    let mut list: Vec<PieceReport> = slots
        .enumerate()
        .filter(|(_, (ids, up))| ids.iter().any(|&id| trace.seen.contains_key(&(id, *up))))
        .map(|(slot, (ids, promoted))| {
            let acts = |what: usize| {
                let each = ids.iter().filter_map(|&id| trace.acts.get(&(id, promoted)));
                f64::from(each.map(|acts| acts[what]).sum::<u32>()) / counted
            };
            let mut names: Vec<String> = Vec::new();
            for &id in ids {
                let name = &kinds[usize::from(id) - 1].name;
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            PieceReport {
                ids: ids.clone(),
                names,
                promoted,
                reach: reach[slot],
                learned: learned.values.get(&slot).copied(),
                moves: acts(0),
                takes: acts(1),
            }
        })
        .collect();
    let value = |piece: &PieceReport| piece.learned.map_or(f64::from(piece.reach), |learned| learned.value);
    list.sort_by(|a, b| value(b).total_cmp(&value(a)));
    (list, learned.tempo)
}

/// Each failure once, with the number of games it ended, the most frequent first.
fn faults(games: &[Played]) -> Vec<Problem> {
    let mut counts: BTreeMap<(&str, &str, &str), (u32, &Failed)> = BTreeMap::new();
    for failed in games.iter().filter_map(|game| game.fault.as_ref()) {
        let key = (failed.file.as_str(), failed.hook.as_str(), failed.line.as_str());
        counts.entry(key).or_insert((0, failed)).0 += 1;
    }
    let mut list: Vec<(u32, &Failed)> = counts.into_values().collect();
    list.sort_by_key(|(games, _)| std::cmp::Reverse(*games));
    list.truncate(20);
    list.into_iter()
        .map(|(games, failed)| {
            let problem = Problem::new("map-extension-failed").with("place", &failed.file);
            let problem = problem.with("hook", &failed.hook).with("line", &failed.line);
            problem.with("text", &failed.error).with("games", games)
        })
        .collect()
}

/// Finds wins by force: from the start, or after a first move.
fn forced(rules: &Rules, depth: &Depth) -> Vec<ForcedWin> {
    let Some(opened) = moments::start(rules) else { return Vec::new() };
    let Some(game) = opened.as_any().downcast_ref::<Game<Jingbanqi>>() else { return Vec::new() };
    let start = game.position();
    let share = if rules.extensions().is_empty() { 1 } else { 50 };
    // A line that depends on chance cannot be forced.
    let certain = |pos: &Jingbanqi| pos.drawn() == 0 && pos.turned_over() == 0;
    let mut found = Vec::new();
    let texts = |from: &Jingbanqi, moves: &[jingbanqi::Move]| {
        let mut pos = from.clone();
        let text = |&m: &jingbanqi::Move| {
            let text = pos.move_text(m);
            pos.play(m);
            text
        };
        moves.iter().map(text).collect::<Vec<String>>()
    };
    if start.outcome().is_some() {
        return found;
    }
    if let Some(proof) = prove(start, Side::First, depth.proof / share, &certain) {
        found.push(ForcedWin { after: Vec::new(), winner: Side::First, line: texts(start, &proof.line) });
        return found;
    }
    let mut firsts = Vec::new();
    start.moves(&mut firsts);
    for first in firsts {
        if depth.stop.is_raised() {
            break;
        }
        let mut pos = start.clone();
        pos.play(first);
        if pos.outcome().is_some() {
            continue;
        }
        if let Some(proof) = prove(&pos, Side::Second, depth.proof / 8 / share, &certain) {
            let after = texts(start, &[first]);
            found.push(ForcedWin { after, winner: Side::Second, line: texts(&pos, &proof.line) });
        }
    }
    found
}
