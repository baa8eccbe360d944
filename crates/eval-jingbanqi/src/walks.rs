//! Search by playouts on maps: for aims that stand in Python, which no evaluation of ours sees.
//!
//! A playout is cut off after [`CUT`] plies and judged: by the author's `score(side)` where there is one, else by what the
//! playouts that ended have taught about the evaluation and the places of pieces ([`Lead`]).

use jingbanqi::extension::WalkPlan;
use jingbanqi::{Jingbanqi, Move};
use kernel::{Game, Notation, Position, Side};
use search::playouts::{Walk, Walker};
use search::{Evaluator, Score, SearchLimits, playouts};

use engine_core::think::texts;
use engine_core::{Info, Request, Worth};

use crate::lead::{Facts, Lead};
use crate::worlds::{Numbers, WORLDS};
use crate::{AimEval, LADDER, MapEval, odds};

/// The number of plies after which a playout is cut off.
const CUT: u32 = 60;
/// The number of plies to which that rises where what is seen by then says nothing.
const LATEST_CUT: u32 = 240;
/// The number of playouts in a row that say nothing before they become longer, and the difference of chances, from -1
/// to 1, that says nothing: less than two small pieces. As many that ended are enough to learn from.
const FLAT: (u32, f64) = (8, 0.2);
/// The belief about leads: the sum of squares, and the number of playouts that it counts for.
const LEADS: [f64; 2] = [2.0, 8.0];
/// The most by which a lead is stretched.
const MOST_STRETCHED: f64 = 8.0;
/// The CPU time of extensions in one playout, in milliseconds.
const WALK_MS: u32 = 250;
/// The number of playouts that may fail in a search; after that it ends.
const MOST_FAILED: u32 = 3;
/// The memory for positions of the tree, and that of a position beside its squares, in bytes.
const MEMORY: (usize, usize) = (48 << 20, 1 << 10);
/// The memory of a square in a position, in bytes.
const SQUARE: usize = 48;

/// The evaluation of positions where playouts are cut off.
#[derive(Clone, Debug)]
pub(crate) enum Judge {
    /// The aims of a map of level 2.
    Aims(AimEval),
    /// The pieces and their places.
    Map(MapEval),
}

impl Judge {
    fn score(&mut self, pos: &Jingbanqi) -> Score {
        match self {
            Judge::Aims(eval) => eval.score(pos),
            Judge::Map(eval) => eval.score(pos),
        }
    }
}

/// Plays random games on a map and judges where they are cut off.
struct Walks {
    judge: Judge,
    /// The plies after which a playout is cut off, and the playouts in a row that said nothing.
    cut: u32,
    flat: u32,
    lead: Lead,
    /// The number of playouts that ended.
    learned: u32,
    /// The sum of squared leads of the others, and their number.
    leads: [f64; 2],
    failed: u32,
    /// True if nothing is left to chance.
    is_certain: bool,
    squares: usize,
}

impl Walks {
    fn new(pos: &Jingbanqi, judge: Judge, is_certain: bool) -> Walks {
        Walks {
            judge,
            cut: CUT,
            flat: 0,
            lead: Lead::new(),
            learned: 0,
            leads: LEADS,
            failed: 0,
            is_certain,
            squares: pos.book().map().squares(),
        }
    }

    fn facts(&mut self, pos: &Jingbanqi) -> Facts {
        let lead = 2.0 * odds::chance(self.judge.score(pos)) - 1.0;
        Facts::of(pos, if pos.turn() == Side::First { lead } else { -lead })
    }

    /// The chance of the first side where a playout was cut off.
    fn judged(&mut self, end: &Jingbanqi, points: Option<[i64; 2]>, is_whole: bool) -> f64 {
        if let Some(points) = points {
            let [red, blue] = points.map(|points| points as f64);
            let lead = (red - blue) / (red.abs() + blue.abs() + 1.0);
            let lead = if end.player(Side::First) == Side::First { lead } else { -lead };
            return 0.5 + 0.5 * lead;
        }
        let facts = self.facts(end);
        let lead = self.lead.of(facts);
        if is_whole {
            self.adapt(lead);
        }
        // Where leads are small, small differences decide.
        let usual = (self.leads[0] / self.leads[1]).sqrt();
        0.5 + 0.5 * (lead * (0.5 / usual).clamp(1.0, MOST_STRETCHED)).clamp(-1.0, 1.0)
    }

    /// Makes playouts longer where those before say nothing, until enough have ended to learn from.
    fn adapt(&mut self, lead: f64) {
        self.leads = [self.leads[0] + lead * lead, self.leads[1] + 1.0];
        self.flat = if lead.abs() < FLAT.1 { self.flat + 1 } else { 0 };
        if self.learned >= FLAT.0 {
            self.cut = CUT;
        } else if self.flat >= FLAT.0 {
            (self.cut, self.flat) = ((self.cut * 2).min(LATEST_CUT), 0);
        }
    }

    /// The chance of the first side where the game is over.
    fn ended(&mut self, end: &Jingbanqi) -> f64 {
        let winner = end.outcome().and_then(|outcome| outcome.winner());
        let result = winner.map_or(0.0, |winner| if winner == Side::First { 1.0 } else { -1.0 });
        let facts = self.facts(end);
        self.lead.learn(facts, result);
        self.learned += 1;
        0.5 + 0.5 * result
    }

    /// Plays a random game position by position.
    fn by_positions(
        &self,
        pos: &Jingbanqi,
        first: Option<Move>,
        longest: u32,
        seed: u64,
    ) -> jingbanqi::walk::Walk {
        let mut end = pos.clone();
        let mut made: Vec<(Side, Move)> = Vec::new();
        if let Some(m) = first {
            made.push((end.turn(), m));
            end.play(m);
        }
        let mut numbers = seed | 1;
        let mut moves = Vec::new();
        while made.len() < longest as usize {
            moves.clear();
            // Listed once: where there is none the game is over.
            end.moves(&mut moves);
            let Some(&m) = moves.get(below(&mut numbers, moves.len())) else { break };
            made.push((end.turn(), m));
            end.play(m);
        }
        let is_over = end.outcome().is_some();
        jingbanqi::walk::Walk { moves: made, end, is_over, points: None }
    }
}

/// A number below another, from a state that is not 0 (xorshift: Marsaglia 2003).
fn below(state: &mut u64, most: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state % most.max(1) as u64) as usize
}

impl Walker<Jingbanqi> for Walks {
    fn walk(&mut self, pos: &Jingbanqi, first: Option<Move>, longest: Option<u32>, seed: u64) -> Walk<Move> {
        let begins = u32::from(first.is_some());
        let cut = longest.unwrap_or(self.cut).max(begins);
        let plan = WalkPlan { seed, longest: cut - begins, cpu_ms: WALK_MS };
        let walked = match pos.walk(first, plan) {
            Some(Ok(walked)) => walked,
            Some(Err(_)) => {
                self.failed += 1;
                let moves = first.map(|m| (pos.turn(), m)).into_iter().collect();
                return Walk { moves, chance: 0.5, is_over: false };
            }
            None => self.by_positions(pos, first, cut, seed),
        };
        let chance = if walked.is_over {
            self.ended(&walked.end)
        } else {
            self.judged(&walked.end, walked.points, longest.is_none())
        };
        Walk { moves: walked.moves, chance, is_over: walked.is_over }
    }

    fn score(&self, chance: f64) -> Score {
        odds::score(chance)
    }

    fn most_positions(&self) -> usize {
        (MEMORY.0 / (self.squares * SQUARE + MEMORY.1)).max(64)
    }

    fn may_prove(&self) -> bool {
        self.is_certain
    }

    fn has_failed(&self) -> bool {
        self.failed >= MOST_FAILED
    }
}

/// Returns the first move of the chosen line; `None` where the game is over, or what chance will bring cannot be kept
/// from the search.
pub(crate) fn search(
    request: &Request<'_>,
    game: &Game<Jingbanqi>,
    judge: Judge,
    report: &mut dyn FnMut(&Info),
) -> Option<Vec<String>> {
    let (pos, asked) = (game.position(), request.limits);
    // A playout would choose what is drawn from a bag; alpha-beta weighs it.
    if pos.has_bags() {
        return None;
    }
    let mut limits = SearchLimits {
        depth: None,
        nodes: asked.nodes,
        time: asked.time,
        clock: asked.clock,
        lines: asked.lines,
        threads: 1,
        noise: None,
        stop: asked.stop.clone(),
    };
    let strength = request.strength(&LADDER);
    if let Some(strength) = strength {
        strength.weaken(&mut limits, asked.seed);
    }
    let seed = asked.seed ^ pos.key().rotate_left(32) ^ game.moves().len() as u64;
    let is_certain = pos.drawn() == 0 && !pos.extensions().is_some_and(|extensions| extensions.chance());
    // The numbers by which chance decides in the game itself are never drawn.
    let starts = if is_certain {
        vec![pos.clone()]
    } else {
        let mut numbers = Numbers(seed);
        Jingbanqi::worlds(game, WORLDS, || numbers.next())
    };
    let mut among = Vec::new();
    if !asked.among.is_empty() {
        pos.moves(&mut among);
        among.retain(|&m| asked.among.contains(&pos.move_text(m)));
    }
    let mut tell = |info: &search::Info<Move>| {
        report(&Info {
            depth: info.depth,
            furthest: info.seldepth,
            line: info.line,
            worth: Worth::of(info.score),
            bound: info.bound,
            nodes: info.nodes,
            time: info.time,
            filled: 0,
            moves: texts(pos, &info.moves),
        });
    };
    let mut walks = Walks::new(pos, judge, is_certain);
    let found = playouts::think(&starts, &mut walks, &limits, &among, seed, &mut tell)?;
    let chosen = strength.map_or(0, |strength| strength.choose(&found.lines, asked.seed, pos.key()));
    Some(vec![pos.move_text(found.lines[chosen].moves[0])])
}
