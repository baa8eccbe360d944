//! Positions that decided games: the loser still had a fair chance, and played the move that lost it.

use std::collections::HashSet;
use std::time::Duration;

use catalog::maps::Rules;
use engine::{Limits, TranspositionTable};
use kernel::{AnyGame, Side};
use wire::view::Offered;
use wire::{Moment, OpeningReport};

use crate::measure::chance;
use crate::report::Depth;
use crate::selfplay::{Played, judge};
use crate::stats::share;

/// The least chance to win before a deciding mistake: with less, the game was lost already.
const STILL: f64 = 0.35;
/// The least drop of the chance to win in a deciding mistake.
const COST: f64 = 0.2;
/// The number of candidates that are searched again for each moment wanted.
const LOOKS: usize = 3;
/// The most openings in a report.
const OPENINGS: usize = 12;

/// Finds the positions in which games were decided, the largest loss first; each was searched again and longer.
pub(crate) fn moments(rules: &Rules, games: &[Played], scale: f64, depth: &Depth) -> Vec<Moment> {
    let mut candidates: Vec<(f64, &Played, usize)> = games
        .iter()
        .filter_map(|game| {
            let loser = game.end.winner()?.other();
            let own = |ply: usize| {
                let red = chance(game.worth[ply], scale);
                if loser == Side::First { red } else { 1.0 - red }
            };
            // The last time that the loser stood well enough and chose badly; red moves first.
            let begins = if loser == Side::First { 0 } else { 1 };
            let plies = (begins..game.moves.len()).step_by(2).rev();
            let at = plies.into_iter().find(|&ply| own(ply) >= STILL && own(ply) - own(ply + 1) >= COST)?;
            Some((own(at) - own(at + 1), game, at))
        })
        .collect();
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
    let memory = TranspositionTable::mebibytes(16);
    let mut known = HashSet::new();
    let mut found = Vec::new();
    for (_, played, ply) in candidates.into_iter().take(depth.moments * LOOKS) {
        if found.len() == depth.moments || depth.stop.is_raised() {
            break;
        }
        let Some(moment) = look(rules, played, ply, scale, depth, &memory, &mut known) else { continue };
        found.push(moment);
    }
    found.sort_by(|a: &Moment, b: &Moment| (b.before - b.after).total_cmp(&(a.before - a.after)));
    found
}

/// Searches a candidate again; `None` when it was none, or the position is known already.
fn look(
    rules: &Rules,
    played: &Played,
    ply: usize,
    scale: f64,
    depth: &Depth,
    memory: &TranspositionTable,
    known: &mut HashSet<u64>,
) -> Option<Moment> {
    let mut game = Played::rules(rules, played.level, played.number).open(None).ok()?;
    for text in &played.moves[..ply] {
        game.play(text).ok()?;
    }
    if !known.insert(game.key()) {
        return None;
    }
    let by = game.turn();
    let own = |worth: i32| if by == Side::First { chance(worth, scale) } else { 1.0 - chance(worth, scale) };
    let (fen, mut view) = (game.fen(), game.view());
    view.moves = Offered::Listed(Vec::new());
    let (before, better) = judge(game.as_ref(), memory, &limits(depth)).ok()?;
    let (before, better) = (own(before), better?);
    let text = &played.moves[ply];
    if better == *text {
        return None;
    }
    game.play(text).ok()?;
    let after = own(judge(game.as_ref(), memory, &limits(depth)).ok()?.0);
    (before >= STILL && before - after >= COST).then(|| Moment {
        level: played.level,
        moves: played.moves[..ply].to_vec(),
        fen,
        view,
        by,
        played: text.clone(),
        better,
        before,
        after,
    })
}

fn limits(depth: &Depth) -> Limits {
    Limits {
        nodes: Some(depth.nodes),
        time: Some(Duration::from_millis(depth.look_ms)),
        stop: depth.stop.clone(),
        ..Limits::default()
    }
}

/// Counts the most frequent openings of two plies.
pub(crate) fn openings(games: &[Played]) -> Vec<OpeningReport> {
    let mut counts: std::collections::BTreeMap<&[String], [u32; 3]> = std::collections::BTreeMap::new();
    for game in games {
        let (Some(points), Some(opening)) = (game.end.points(), game.moves.get(..2)) else { continue };
        counts.entry(opening).or_default()[(points * 2.0) as usize] += 1;
    }
    let mut list: Vec<OpeningReport> = counts
        .into_iter()
        .map(|(moves, [lost, half, won])| OpeningReport {
            moves: moves.to_vec(),
            games: won + half + lost,
            first: share(won, half, lost),
        })
        .filter(|opening| opening.games >= 3)
        .collect();
    list.sort_by_key(|opening| std::cmp::Reverse(opening.games));
    list.truncate(OPENINGS);
    list
}

/// Opens a game at its start, as reports use it.
pub(crate) fn start(rules: &Rules) -> Option<Box<dyn AnyGame>> {
    rules.open(None).ok()
}
