//! Weights for one map: games of the general engine against itself, weights fitted to how they ended, and a match that
//! decides whether they are kept.
//!
//! The plan determines everything. Games and pairs of the match are stored line by line, so that an interrupted run
//! continues where it was.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use arena::random::Random;
use arena::sprt::{Decision, Scale, Sprt};
use arena::tally::{Points, Tally};
use catalog::maps::Rules;
use engine::{Limits, TranspositionTable};
use eval_jingbanqi::{MapEval, learned};
use jingbanqi::Jingbanqi;
use kernel::{AnyGame, Game, Position, Problem, Side};
use serde::{Deserialize, Serialize};

/// The plan of training for a map: the games, the fit and the match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MapPlan {
    /// The number of games of the general engine against itself.
    pub games: u32,
    /// The number of positions searched for each move, in these games and in the match.
    pub nodes: u64,
    /// The minimal number of random plies at the beginning of a game, and the maximal number of further ones.
    pub opening: [u32; 2],
    /// The number of plies after which a game counts as drawn.
    pub longest: u32,
    /// The seed of all random choices.
    pub seed: u64,
    /// The Elo bounds of the match (SPRT): no better than the first, or as good as the second.
    pub bounds: [f64; 2],
    /// The number of pairs after which an undecided match ends; the weights are then not kept.
    pub pairs: u32,
}

impl Default for MapPlan {
    fn default() -> MapPlan {
        MapPlan {
            games: 2_000,
            nodes: 400,
            opening: [4, 4],
            longest: 160,
            seed: 1,
            bounds: [0.0, 20.0],
            pairs: 4_000,
        }
    }
}

/// The size of the transposition table, in MiB.
const MEMORY: usize = 4;
/// The inverse frequency of random moves, which make games differ after their opening, too: one move in this number.
const STRAY: usize = 24;
/// The inverse share of held-out games, which show if the fit generalises: one game in this number.
const HELD_OUT: u32 = 8;
/// The maximal number of rounds of fitting; each goes through all positions.
const ROUNDS: u32 = 400;
/// The number of rounds without a better held-out loss after which the fit ends (early stopping).
const PATIENCE: u32 = 40;
/// The strength of the regularization towards the general weights.
const DRAWN: f64 = 2e-4;
/// The expected deviation of the weights of squares from zero, in logits: weights seen in few games stay near zero.
const PLACE_SPREAD: f64 = 0.25;

/// The progress reports of a run.
#[derive(Clone, PartialEq, Debug)]
pub enum TrainingProgress {
    /// The number of games played.
    Games(u32),
    /// The number of rounds, and the loss of held-out games after them, in nats per position.
    Loss(u32, f64),
    /// The number of pairs, the score of the fitted weights from 0 to 1, and the log-likelihood ratio.
    Match(u32, f64, f64),
}

/// The result of training.
#[derive(Clone, PartialEq, Debug)]
pub struct Fitted {
    /// The numbers of positions for the fit, and held out.
    pub positions: [usize; 2],
    /// The loss of the held-out positions with the general weights, and with the fitted ones.
    pub loss: [f64; 2],
    /// The fitted weights.
    pub weights: Vec<i32>,
    /// The fingerprint of the map.
    pub print: u64,
    /// The final standing of the match.
    pub played: Standing,
    /// The decision of the match, if there was one.
    pub decision: Option<Decision>,
}

/// A game, a line of `games.jsonl`.
#[derive(Serialize, Deserialize)]
struct Played {
    n: u32,
    moves: Vec<String>,
    /// Red's points, doubled.
    red: u8,
}

/// A pair of the match, a line of `match.jsonl`: the doubled points of the fitted weights as red and as blue.
#[derive(Serialize, Deserialize)]
struct Pair {
    n: u32,
    red: u8,
    blue: u8,
}

/// A position: the weights that count with their factors, and red's points.
struct Sample {
    counts: Vec<(u32, f64)>,
    points: f64,
}

fn fault(path: &Path, why: impl std::fmt::Display) -> Problem {
    Problem::new("learn-file").with("file", path.display()).with("text", why)
}

fn known<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<T>, Problem> {
    let Ok(file) = File::open(path) else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for line in BufReader::new(file).lines() {
        // A line that was cut off when the run was killed is played again.
        let Ok(one) = serde_json::from_str(&line.map_err(|why| fault(path, why))?) else { break };
        all.push(one);
    }
    Ok(all)
}

/// Opens a file to continue it after its complete lines.
fn going_on<T: Serialize>(path: &Path, known: &[T]) -> Result<File, Problem> {
    let text: String = known
        .iter()
        .map(|one| serde_json::to_string(one).map(|line| line + "\n"))
        .collect::<Result<_, _>>()
        .map_err(|why| fault(path, why))?;
    std::fs::write(path, text).map_err(|why| fault(path, why))?;
    OpenOptions::new().append(true).open(path).map_err(|why| fault(path, why))
}

fn keep<T: Serialize>(file: &mut File, path: &Path, one: &T) -> Result<(), Problem> {
    let line = serde_json::to_string(one).map_err(|why| fault(path, why))?;
    writeln!(file, "{line}").map_err(|why| fault(path, why))
}

/// A map whose weights are trained.
struct Learner<'a> {
    rules: &'a Rules,
    plan: &'a MapPlan,
    /// The general weights, which every map has.
    general: MapEval,
    memory: TranspositionTable,
}

type Board = Game<Jingbanqi>;

fn open(rules: &Rules) -> Result<Board, Problem> {
    let game = rules.open(None)?;
    let board = game.as_any().downcast_ref::<Board>().ok_or_else(|| Problem::new("no-model"))?;
    Ok(board.clone())
}

impl<'a> Learner<'a> {
    fn new(rules: &'a Rules, plan: &'a MapPlan) -> Result<Learner<'a>, Problem> {
        let general = MapEval::general(open(rules)?.position());
        Ok(Learner { rules, plan, general, memory: TranspositionTable::mebibytes(MEMORY) })
    }

    /// Draws a random opening: the same number gives the same opening.
    fn opening(&self, chance: &mut Random) -> Result<Board, Problem> {
        loop {
            let mut game = open(self.rules)?;
            let [least, more] = self.plan.opening;
            let plies = least as usize + chance.below(more as usize + 1);
            for _ in 0..plies {
                let mut moves = Vec::new();
                game.position().moves(&mut moves);
                if game.outcome().is_some() || moves.is_empty() {
                    break;
                }
                game.play(moves[chance.below(moves.len())]);
            }
            let quiet = self.general.is_quiet(game.position());
            if game.outcome().is_none() && (quiet || game.position().extensions().is_some()) {
                return Ok(game);
            }
        }
    }

    /// Plays to the end; returns red's points, doubled. `stray` determines the random moves.
    fn finish(
        &self,
        game: &mut Board,
        sides: [&MapEval; 2],
        mut stray: Option<&mut Random>,
    ) -> Result<u8, Problem> {
        let limits = Limits { nodes: Some(self.plan.nodes), ..Limits::default() };
        self.memory.clear();
        while game.outcome().is_none() {
            let turn = game.position().turn();
            if AnyGame::plies(game) >= self.plan.longest as usize {
                return Ok(1);
            }
            let mut moves = Vec::new();
            game.position().moves(&mut moves);
            let other = stray
                .as_mut()
                .and_then(|chance| (chance.below(STRAY) == 0).then(|| moves[chance.below(moves.len())]));
            match other {
                Some(m) => game.play(m),
                None => {
                    for text in sides[turn.index()].choose(game, &self.memory, &limits) {
                        AnyGame::play(game, &text).map_err(kernel::PlayError::problem)?;
                    }
                }
            }
        }
        Ok(match game.outcome().and_then(kernel::Outcome::winner) {
            Some(Side::First) => 2,
            Some(Side::Second) => 0,
            None => 1,
        })
    }

    fn play(&self, n: u32) -> Result<Played, Problem> {
        let mut chance = Random::seeded(self.plan.seed ^ (u64::from(n) << 20));
        let mut game = self.opening(&mut chance)?;
        let red = self.finish(&mut game, [&self.general; 2], Some(&mut chance))?;
        Ok(Played { n, moves: AnyGame::record(&game), red })
    }

    fn pair(&self, fitted: &MapEval, n: u32) -> Result<Pair, Problem> {
        // Openings of the match are none of those that were learned from.
        let mut chance = Random::seeded(self.plan.seed ^ 0x5ee_d000_0000 ^ (u64::from(n) << 20));
        let start = self.opening(&mut chance)?;
        let red = self.finish(&mut start.clone(), [fitted, &self.general], None)?;
        let blue = 2 - self.finish(&mut start.clone(), [&self.general, fitted], None)?;
        Ok(Pair { n, red, blue })
    }

    /// Returns the positions of a game that are useful for training: quiet ones, after the opening.
    fn samples(&self, general: &mut MapEval, played: &Played, all: &mut Vec<Sample>) -> Result<(), Problem> {
        let mut game = open(self.rules)?;
        // A position that waits for the next move: nothing was taken on the way to it.
        let mut waiting: Option<(usize, Vec<i32>)> = None;
        for (ply, text) in played.moves.iter().enumerate() {
            let before = pieces(game.position());
            AnyGame::play(&mut game, text).map_err(kernel::PlayError::problem)?;
            let pos = game.position();
            let after = pieces(pos);
            // Nor may a capture follow: material cannot be counted in the middle of an exchange.
            if let Some((_, counts)) = waiting.take_if(|(here, _)| *here == after) {
                let counts = counts.into_iter().enumerate().filter(|(_, n)| *n != 0);
                let counts = counts.map(|(at, n)| (at as u32, f64::from(n))).collect();
                all.push(Sample { counts, points: f64::from(played.red) / 2.0 });
            }
            let calm = after == before && game.outcome().is_none() && general.is_quiet(pos);
            waiting = (ply >= self.plan.opening[0] as usize && calm).then(|| (after, general.counts(pos)));
        }
        Ok(())
    }
}

fn pieces(pos: &Jingbanqi) -> usize {
    (0..pos.book().map().squares() as u16).filter(|&at| pos.piece(at).is_some()).count()
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Returns the loss of positions with weights in sixteenths of a hundredth, `scale` to a logit.
fn loss(samples: &[Sample], weights: &[f64], scale: f64) -> f64 {
    let one = |sample: &Sample| {
        let sum: f64 = sample.counts.iter().map(|&(at, n)| n * weights[at as usize]).sum();
        let p = sigmoid(scale * sum).clamp(1e-9, 1.0 - 1e-9);
        -(sample.points * p.ln() + (1.0 - sample.points) * (1.0 - p).ln())
    };
    samples.iter().map(one).sum::<f64>() / samples.len().max(1) as f64
}

/// Returns the best number of logits per unit of weight, by ternary search.
fn scale(samples: &[Sample], weights: &[f64]) -> f64 {
    let (mut low, mut high) = (-14.0_f64, -3.0_f64);
    for _ in 0..40 {
        let third = (high - low) / 3.0;
        let (a, b) = (low + third, high - third);
        if loss(samples, weights, a.exp()) < loss(samples, weights, b.exp()) {
            high = b;
        } else {
            low = a;
        }
    }
    ((low + high) / 2.0).exp()
}

/// Returns the spread of the evaluations: the root of the mean square of their sums.
fn spread(samples: &[Sample], weights: &[f64]) -> f64 {
    let one =
        |sample: &Sample| sample.counts.iter().map(|&(at, n)| n * weights[at as usize]).sum::<f64>().powi(2);
    (samples.iter().map(one).sum::<f64>() / samples.len().max(1) as f64).sqrt()
}

/// Fits weights to the results of games, starting from the general ones: full gradients by Adam, each weight in steps
/// of its own size, until the held-out loss stops falling. Weights from `before_places` on belong to squares. The
/// fitted weights are scaled to the general weights' spread of evaluations, since the margins of the search are tuned
/// to that.
fn descend(
    [samples, held]: [&[Sample]; 2],
    games: u32,
    (general, before_places): (&[i32], usize),
    told: &mut dyn FnMut(TrainingProgress) -> bool,
) -> (Vec<i32>, [f64; 2]) {
    let start: Vec<f64> = general.iter().map(|&weight| f64::from(weight)).collect();
    let scale = scale(samples, &start);
    let before = loss(held, &start, scale);
    // What never counts stays; the others move by about a hundredth of what they matter at a time.
    let mut squares = vec![0.0_f64; start.len()];
    for sample in samples {
        sample.counts.iter().for_each(|&(at, n)| squares[at as usize] += n * n);
    }
    let count = samples.len().max(1) as f64;
    let size: Vec<f64> =
        squares.iter().map(|sum| if *sum == 0.0 { 0.0 } else { 1.0 / (sum / count).sqrt() }).collect();
    let step = 0.02 / scale;
    let (mut now, mut best) = (start.clone(), (before, start.clone()));
    let (mut first, mut second) = (vec![0.0; now.len()], vec![0.0; now.len()]);
    let mut since = 0;
    for round in 1..=ROUNDS {
        let mut gradient = vec![0.0; now.len()];
        for sample in samples {
            let sum: f64 = sample.counts.iter().map(|&(at, n)| n * now[at as usize]).sum();
            let wrong = sigmoid(scale * sum) - sample.points;
            sample.counts.iter().for_each(|&(at, n)| gradient[at as usize] += wrong * n);
        }
        for at in 0..now.len() {
            if size[at] == 0.0 {
                continue;
            }
            let moved = (now[at] - start[at]) * scale;
            let drawn = if at < before_places {
                DRAWN * moved / size[at]
            } else {
                moved * size[at] / (f64::from(games.max(1)) * PLACE_SPREAD * PLACE_SPREAD)
            };
            let slope = gradient[at] * size[at] / count + drawn;
            first[at] = 0.9 * first[at] + 0.1 * slope;
            second[at] = 0.999 * second[at] + 0.001 * slope * slope;
            let (mean, spread) = (
                first[at] / (1.0 - 0.9_f64.powf(f64::from(round))),
                second[at] / (1.0 - 0.999_f64.powf(f64::from(round))),
            );
            now[at] -= step * size[at] * mean / (spread.sqrt() + 1e-9);
        }
        let held_out = loss(held, &now, scale);
        if held_out < best.0 {
            best = (held_out, now.clone());
            since = 0;
        } else {
            since += 1;
        }
        if (round.is_multiple_of(20) && !told(TrainingProgress::Loss(round, held_out))) || since > PATIENCE {
            break;
        }
    }
    let (loss, weights) = best;
    let level = spread(samples, &start) / spread(samples, &weights).max(1.0);
    (weights.into_iter().map(|weight| (weight * level).round() as i32).collect(), [before, loss])
}

/// Plays, fits and decides; files go to `folder`, and those of the same plan are reused. `None` if `told` asks to
/// stop.
///
/// # Errors
/// `learn-file`; `learn-plan`: the folder is that of another plan or another map; what is wrong with the map.
pub fn fit(
    rules: &Rules,
    plan: &MapPlan,
    folder: &Path,
    told: &mut dyn FnMut(TrainingProgress) -> bool,
) -> Result<Option<Fitted>, Problem> {
    let learner = Learner::new(rules, plan)?;
    let start = open(rules)?;
    let mut general = learner.general.clone();
    let print = learned::print(start.position());
    std::fs::create_dir_all(folder).map_err(|why| fault(folder, why))?;
    let own = serde_json::json!({ "plan": plan, "map": format!("{print:016x}") }).to_string();
    let path = folder.join("plan.json");
    match std::fs::read_to_string(&path) {
        Ok(text) if text.trim() != own => {
            return Err(Problem::new("learn-plan").with("file", folder.display()));
        }
        Ok(_) => {}
        Err(_) => std::fs::write(&path, &own).map_err(|why| fault(&path, why))?,
    }
    let path = folder.join("games.jsonl");
    let mut games: Vec<Played> = known(&path)?;
    games.truncate(plan.games as usize);
    let mut file = going_on(&path, &games)?;
    for n in games.len() as u32..plan.games {
        let played = learner.play(n)?;
        keep(&mut file, &path, &played)?;
        games.push(played);
        if !told(TrainingProgress::Games(n + 1)) {
            return Ok(None);
        }
    }
    let (mut samples, mut held) = (Vec::new(), Vec::new());
    for played in &games {
        let all = if played.n.is_multiple_of(HELD_OUT) { &mut held } else { &mut samples };
        learner.samples(&mut general, played, all)?;
    }
    if samples.is_empty() || held.is_empty() {
        return Err(Problem::new("learn-too-few"));
    }
    let from = (&*general.weights(), general.before_places());
    let (weights, loss) = descend([&samples, &held], plan.games, from, told);
    let fitted = general.with(start.position(), &weights).ok_or_else(|| Problem::new("no-model"))?;
    let (played, decision) = decide(&learner, &fitted, folder, told)?;
    let positions = [samples.len(), held.len()];
    Ok(Some(Fitted { positions, loss, weights, print, played, decision }))
}

/// The standing of a match: its pairs of games, the share of points of the fitted weights, and the log-likelihood
/// ratio.
pub type Standing = (u32, f64, f64);

/// Plays the match between the fitted weights and the general ones.
fn decide(
    learner: &Learner,
    fitted: &MapEval,
    folder: &Path,
    told: &mut dyn FnMut(TrainingProgress) -> bool,
) -> Result<(Standing, Option<Decision>), Problem> {
    let plan = learner.plan;
    let [low, high] = plan.bounds;
    let sprt =
        Sprt::new(low, high, Scale::Logistic).ok_or_else(|| Problem::new("learn-plan").with("file", "–"))?;
    let path: PathBuf = folder.join("match.jsonl");
    let mut pairs: Vec<Pair> = known(&path)?;
    pairs.truncate(plan.pairs as usize);
    let mut file = going_on(&path, &pairs)?;
    let points = |doubled: u8| match doubled {
        2 => Points::Win,
        1 => Points::Draw,
        _ => Points::Loss,
    };
    let (mut tally, mut n) = (Tally::default(), 0);
    loop {
        let pair = match pairs.get(n as usize) {
            Some(pair) => Pair { ..*pair },
            None if n >= plan.pairs => break,
            None => {
                let pair = learner.pair(fitted, n)?;
                keep(&mut file, &path, &pair)?;
                pair
            }
        };
        n += 1;
        tally.add([points(pair.red), points(pair.blue)]);
        let decision = sprt.decided(&tally);
        let far = (n, tally.score(), sprt.ratio(&tally));
        if decision.is_some() {
            return Ok((far, decision));
        }
        if !told(TrainingProgress::Match(far.0, far.1, far.2)) {
            break;
        }
    }
    Ok(((n, tally.score(), if n == 0 { 0.0 } else { sprt.ratio(&tally) }), None))
}
