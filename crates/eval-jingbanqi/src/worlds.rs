//! Search of games with chance or secrets: in several worlds, none of them the one that is played in.
//!
//! The numbers by which chance decides belong to the game, and a search that plays moves ahead in it would see them.
//! So each move is searched in eight worlds that look the same so far and in which chance goes on otherwise, and
//! counts for what it is worth on the average. Inside a world the search knows what that world will bring, so it may
//! plan too cleverly; what is drawn at the next move it can only guess, like the players.
//!
//! Where a side does not see everything, the worlds are positions that look to it as this one does.

use std::time::{Duration, Instant};

use jingbanqi::{Jingbanqi, Move};
use kernel::{Game, Notation, Position};
use search::score::win_in;
use search::{Bound, PvLine, SearchLimits, SearchResult, TranspositionTable, think_among};

use engine_core::think::texts;
use engine_core::{Info, Request, Worth};

use crate::odds::{chance, score};
use crate::{LADDER, MapEval};

/// The number of worlds in which a position is searched.
pub(crate) const WORLDS: usize = 8;
/// The table of each, in bytes: what was found in one world says nothing about another.
const MEMORY: usize = 1 << 20;
/// The number of positions of each world in the first pass, where no limit is set: the worlds are then searched again
/// and again.
const FIRST_PASS: u64 = 1_000;
/// The share of the budget that each world gets.
struct Budget {
    limits: SearchLimits,
    until: Option<Instant>,
    /// True if only a stop ends it.
    endless: bool,
}

/// The first move of the turn that is best on the average; `None` where nothing is left to chance.
pub(crate) fn search(
    request: &Request<'_>,
    game: &Game<Jingbanqi>,
    eval: &MapEval,
    report: &mut dyn FnMut(&Info),
) -> Option<Vec<String>> {
    let pos = game.position();
    let may_draw = pos.extensions().is_some_and(|extensions| extensions.chance() || pos.drawn() > 0);
    if !may_draw && !pos.has_secrets() {
        return None;
    }
    let (asked, begun) = (request.limits, Instant::now());
    let mut numbers = Numbers(asked.seed ^ pos.key().rotate_left(32) ^ game.moves().len() as u64);
    let worlds = Jingbanqi::worlds(game, WORLDS, || numbers.next());
    if worlds.is_empty() || pos.outcome().is_some() {
        return None;
    }
    let strength = request.strength(&LADDER);
    let mut budget = budget(request, worlds.len(), begun);
    let lines = budget.limits.lines.max(1);
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let mut among = moves.clone();
    among.retain(|&m| asked.among.is_empty() || asked.among.contains(&pos.move_text(m)));
    if among.len() == moves.len() {
        among.clear();
    }
    budget.limits.lines = moves.len().max(1);
    let mut best = None;
    loop {
        let found = pass(&worlds, eval, &budget, &among);
        let ranked = averaged(&worlds, &found);
        if !ranked.is_empty() {
            tell(&worlds, &ranked, &found, lines.min(asked.lines.max(1)), begun, report);
            let chosen = match strength {
                Some(strength) => {
                    let shown = &ranked[..lines.min(ranked.len())];
                    strength.choose(shown, asked.seed, pos.key())
                }
                None => 0,
            };
            best = Some(ranked[chosen].moves[0]);
        }
        let is_over = !budget.endless || asked.stop.is_raised();
        if let (true, Some(best)) = (is_over, best) {
            return Some(vec![pos.move_text(best)]);
        }
        if is_over {
            return Some(vec![pos.move_text(moves[0])]);
        }
        budget.limits.nodes = budget.limits.nodes.map(|nodes| nodes.saturating_mul(2));
    }
}

fn budget(request: &Request<'_>, worlds: usize, begun: Instant) -> Budget {
    let asked = request.limits;
    let mut limits = SearchLimits {
        depth: asked.depth,
        nodes: asked.nodes,
        time: asked.time.or(asked.clock.map(|clock| clock.usual())),
        clock: None,
        lines: asked.lines,
        threads: asked.threads,
        noise: None,
        stop: asked.stop.clone(),
    };
    if let Some(strength) = request.strength(&LADDER) {
        strength.weaken(&mut limits, asked.seed);
    }
    let endless = limits.depth.is_none() && limits.nodes.is_none() && limits.time.is_none();
    let until = limits.time.map(|time| begun + time);
    limits.nodes = match limits.nodes {
        Some(nodes) => Some((nodes / worlds as u64).max(1)),
        None => endless.then_some(FIRST_PASS),
    };
    Budget { limits, until, endless }
}

/// The results of each world's search, as far as there was time.
fn pass(
    worlds: &[Jingbanqi],
    eval: &MapEval,
    budget: &Budget,
    among: &[Move],
) -> Vec<(usize, SearchResult<Move>)> {
    let mut found = Vec::new();
    for (nth, world) in worlds.iter().enumerate() {
        let mut limits = budget.limits.clone();
        if let Some(until) = budget.until {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() && !found.is_empty() {
                break;
            }
            limits.time = Some((left / (worlds.len() - nth) as u32).max(Duration::from_millis(1)));
        }
        if limits.stop.is_raised() && !found.is_empty() {
            break;
        }
        let memory = TranspositionTable::new(MEMORY);
        let game = Game::new(world.clone());
        if let Some(result) = think_among(&game, eval, &memory, &limits, among, &mut |_| {}) {
            found.push((nth, result));
        }
    }
    found
}

/// Returns every move with its average value, the best first.
fn averaged(worlds: &[Jingbanqi], found: &[(usize, SearchResult<Move>)]) -> Vec<PvLine<Move>> {
    let lines = |result: &SearchResult<Move>| {
        let whole = !result.finished.is_empty();
        if whole { result.finished.clone() } else { result.lines.clone() }
    };
    let mut sums: Vec<(PvLine<Move>, f64, u32, bool)> = Vec::new();
    for (nth, result) in found {
        for line in lines(result) {
            let certain = is_certain(&worlds[*nth], &line);
            let chance = chance(line.score);
            let first = chosen(&worlds[*nth], line.moves[0]);
            match sums.iter_mut().find(|sum| sum.0.moves[0] == first) {
                Some((_, sum, count, all)) => {
                    *sum += chance;
                    *count += 1;
                    *all &= certain;
                }
                None => sums.push((
                    PvLine { moves: shown(&worlds[*nth], &line.moves), ..line },
                    chance,
                    1,
                    certain,
                )),
            }
        }
    }
    let mut ranked: Vec<(f64, PvLine<Move>)> = sums
        .into_iter()
        .map(|(line, sum, count, certain)| {
            let mean = sum / f64::from(count);
            let score = if certain { win_in(1) } else { score(mean) };
            (if certain { 2.0 } else { mean }, PvLine { score, ..line })
        })
        .collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    ranked.into_iter().map(|(_, line)| line).collect()
}

/// The choice of a player that a move is an outcome of, where there are secrets: what may be drawn differs in the worlds.
fn chosen(world: &Jingbanqi, m: Move) -> Move {
    let by_chance = if world.has_secrets() { world.by_chance(m) } else { None };
    by_chance.map_or(m, |by_chance| by_chance.choice)
}

/// Returns true if a move wins at once and nothing was drawn for it. What was seen in some worlds proves nothing.
fn is_certain(world: &Jingbanqi, line: &PvLine<Move>) -> bool {
    if line.score != win_in(1) || world.has_secrets() {
        return false;
    }
    let mut after = world.clone();
    after.play(line.moves[0]);
    after.drawn() <= world.drawn()
}

/// A line as far as it is the same in every world: to the first move for which something is drawn; where there are
/// secrets the player's choice alone.
fn shown(world: &Jingbanqi, moves: &[Move]) -> Vec<Move> {
    if world.has_secrets() {
        return vec![chosen(world, moves[0])];
    }
    let mut pos = world.clone();
    let mut shown = Vec::new();
    for &m in moves {
        shown.push(m);
        pos.play(m);
        if pos.drawn() != world.drawn() || pos.outcome().is_some() {
            break;
        }
    }
    shown
}

fn tell(
    worlds: &[Jingbanqi],
    ranked: &[PvLine<Move>],
    found: &[(usize, SearchResult<Move>)],
    lines: usize,
    begun: Instant,
    report: &mut dyn FnMut(&Info),
) {
    let depth = found.iter().map(|(_, result)| result.depth).min().unwrap_or(0).max(1);
    let nodes = found.iter().map(|(_, result)| result.nodes).sum();
    for (nth, line) in ranked.iter().take(lines).enumerate() {
        report(&Info {
            depth,
            furthest: depth,
            line: nth + 1,
            worth: Worth::of(line.score),
            bound: Bound::Exact,
            nodes,
            time: begun.elapsed(),
            filled: 0,
            moves: texts(&worlds[0], &line.moves),
        });
    }
}

/// A generator of the worlds' numbers, from a seed of the caller (SplitMix64, public domain).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn next(&mut self) -> u128 {
        u128::from(self.word()) << 64 | u128::from(self.word())
    }
}
