//! A match: pairs of games until all are played, or the test has decided.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use catalog::Ruleset;
use engine::Stop;
use kernel::{Problem, Side};
use records::{Ending, Record, Score};

use crate::bout::{self, Terms};
use crate::journal::VOID;
use crate::opening::Openings;
use crate::{Journal, Opening, Played, Player, Points, Sprt, Suite, Tally};

/// A function that makes a player: engine 0 or 1.
pub type Maker<'a> = &'a (dyn Fn(usize) -> Result<Player, Problem> + Sync);

/// The settings of a match between two engines.
pub struct Contest<'a> {
    /// The rules of the game.
    pub rules: &'a Ruleset,
    /// The number of pairs of games.
    pub pairs: usize,
    /// The random openings, used where there is no suite, and the seed of levels.
    pub openings: Openings,
    /// Openings from a file: the first pair begins with the first of them.
    pub suite: Option<Suite>,
    /// The time control and the rules of adjudication.
    pub terms: Terms,
    /// The number of games that are played at once.
    pub concurrency: usize,
    /// The test that stops the match early; `None`: play all pairs.
    pub sprt: Option<Sprt>,
    /// The date of the games, as `2026-11-22`; may be empty.
    pub date: String,
    /// The flag that ends the match from outside; games in progress are left out.
    pub stop: Stop,
}

/// The progress of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Progress {
    /// The counts of pairs and games.
    pub tally: Tally,
    /// The number of games that ended, including those of half a pair and void ones.
    pub games: usize,
    /// The number of void games, as when an extension of their map failed. Their pair is in no tally.
    pub void: usize,
    /// The number of games that each engine lost by its own fault: an illegal move, the time, a crash.
    pub faults: [usize; 2],
    /// The number of those faults that were losses on time.
    pub late: [usize; 2],
    /// The time that passed for each engine, in milliseconds.
    pub clock_ms: [u64; 2],
    /// The processor time of each engine, in milliseconds.
    pub processor_ms: [u64; 2],
    /// The number of moves of each engine.
    pub moves: [u64; 2],
    /// The number of nodes that each engine searched, as far as it told.
    pub nodes: [u64; 2],
    /// The time of those searches, in microseconds.
    pub nodes_us: [u64; 2],
    halves: BTreeMap<usize, Points>,
}

impl Progress {
    /// Adds a game; returns false when it has no valid result, such as one of a damaged journal.
    pub fn add(&mut self, played: &Played) -> bool {
        let points = played.points();
        if points.is_none() && !played.is_void() {
            return false;
        }
        self.games += 1;
        self.void += usize::from(played.is_void());
        for engine in 0..2 {
            self.clock_ms[engine] += played.clock_ms[engine];
            self.processor_ms[engine] += played.processor_ms[engine];
            self.nodes[engine] = self.nodes[engine].saturating_add(played.nodes[engine]);
            self.nodes_us[engine] = self.nodes_us[engine].saturating_add(played.nodes_us[engine]);
            // Who moves first has the odd move.
            let moves = played.moves.len() as u64 + u64::from(engine == played.first);
            self.moves[engine] += moves / 2;
        }
        let Some(points) = points else { return true };
        if !played.fault.is_empty() {
            let loser = usize::from(points == Points::Win);
            self.faults[loser] += 1;
            self.late[loser] += usize::from(played.is_late());
        }
        match self.halves.remove(&(played.number / 2)) {
            Some(other) => self.tally.add([other, points]),
            None => {
                self.halves.insert(played.number / 2, points);
            }
        }
        true
    }

    /// Returns the nodes per second of each engine; `None` where it told none.
    #[must_use]
    pub fn speeds(&self) -> [Option<f64>; 2] {
        [0, 1].map(|i| (self.nodes_us[i] > 0).then(|| self.nodes[i] as f64 * 1e6 / self.nodes_us[i] as f64))
    }

    /// Returns true if more than half of the games were void, so that the others say nothing.
    #[must_use]
    pub fn is_mostly_void(&self) -> bool {
        self.games >= FEWEST_TO_GIVE_UP && 2 * self.void > self.games
    }
}

/// The number of games after which a match is given up if most of them are void.
const FEWEST_TO_GIVE_UP: usize = 10;

impl Contest<'_> {
    /// Plays the games that are not in `before`. Each game that ends goes to the journal, then to `watch`, which may
    /// end the match by returning false.
    ///
    /// # Errors
    /// The reason why an engine cannot be started, or why the journal cannot be written; `match-void` when most games
    /// are void.
    pub fn run(
        &self,
        make: Maker,
        before: &[Played],
        journal: Option<&mut Journal>,
        watch: &mut dyn FnMut(&Progress, &Played) -> bool,
    ) -> Result<Progress, Problem> {
        let mut progress = Progress::default();
        let known: BTreeSet<usize> =
            before.iter().filter(|played| progress.add(played)).map(|played| played.number).collect();
        let waiting: Vec<usize> = (0..2 * self.pairs).filter(|number| !known.contains(number)).collect();
        let decided =
            |progress: &Progress| self.sprt.is_some_and(|sprt| sprt.decided(&progress.tally).is_some());
        if decided(&progress) {
            return Ok(progress);
        }
        let desk =
            Floor { contest: self, waiting, next: AtomicUsize::new(0), over: AtomicBool::new(false), make };
        let (ended, results) = channel();
        thread::scope(|scope| {
            for _ in 0..self.concurrency.clamp(1, desk.waiting.len().max(1)) {
                let (ended, desk) = (ended.clone(), &desk);
                scope.spawn(move || desk.work(&ended));
            }
            drop(ended);
            let mut failed = None;
            let mut journal = journal;
            for result in results {
                let stop = match result {
                    // What ends after the match is over is left out, so that it goes on as it would have.
                    // So is what an engine did once it was interrupted together with us.
                    Ok(_) if desk.is_over() => true,
                    Ok(played) => {
                        let kept = journal.as_mut().map_or(Ok(()), |journal| journal.add(&played));
                        failed = failed.take().or(kept.err());
                        progress.add(&played);
                        if progress.is_mostly_void() {
                            failed.get_or_insert(mostly_void(&progress, &played));
                        }
                        !watch(&progress, &played) || decided(&progress) || failed.is_some()
                    }
                    Err(_) if self.stop.is_raised() => true,
                    Err(problem) => {
                        failed.get_or_insert(problem);
                        true
                    }
                };
                if stop {
                    desk.over.store(true, Ordering::Relaxed);
                }
            }
            failed.map_or(Ok(progress), Err)
        })
    }
}

/// The state that the threads of a match share; several games are played at once.
struct Floor<'a> {
    contest: &'a Contest<'a>,
    waiting: Vec<usize>,
    next: AtomicUsize,
    over: AtomicBool,
    make: Maker<'a>,
}

impl Floor<'_> {
    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.contest.stop.is_raised()
    }

    /// Plays one game after the other with one pair of players.
    fn work(&self, ended: &Sender<Result<Played, Problem>>) {
        // Two engines are made before the first game, so that the start of one takes nothing from the time of another.
        let made = (self.make)(0).and_then(|one| Ok([one, (self.make)(1)?]));
        let mut players = match made {
            Ok(players) => players,
            Err(problem) => {
                let _ = ended.send(Err(problem));
                return;
            }
        };
        while let Some(&number) = self.waiting.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            if self.is_over() {
                return;
            }
            match self.game(number, &mut players) {
                Ok(Some(played)) => {
                    if ended.send(Ok(played)).is_err() {
                        return;
                    }
                }
                Ok(None) => return,
                Err(problem) => {
                    let _ = ended.send(Err(problem));
                    return;
                }
            }
        }
    }

    fn game(&self, number: usize, players: &mut [Player; 2]) -> Result<Option<Played>, Problem> {
        let Contest { rules, openings, terms, .. } = self.contest;
        let opening = match &self.contest.suite {
            Some(suite) => suite.opening(number / 2).clone(),
            None => Opening { moves: opening(openings, rules, number / 2)?, ..Opening::default() },
        };
        let first = number % 2;
        let [a, b] = players;
        let sides = if first == 0 { [a, b] } else { [b, a] };
        let seed = openings.seed.wrapping_add(number as u64);
        let goes_on = || !self.is_over();
        let stop = &self.contest.stop;
        let Some(bout) = bout::play(rules, sides, &opening, terms, seed, stop, &goes_on)? else {
            return Ok(None);
        };
        let by_engine = |sides: [u64; 2]| if first == 0 { sides } else { [sides[1], sides[0]] };
        Ok(Some(Played {
            number,
            first,
            start: opening.start,
            opening: opening.moves,
            moves: bout.moves,
            spent_ms: bout.spent_ms,
            worth: bout.worth,
            result: if bout.void.is_some() { VOID } else { Played::result_of(bout.winner) }.to_owned(),
            reason: bout.reason,
            fault: bout.fault,
            void: bout.void.unwrap_or_default(),
            date: self.contest.date.clone(),
            clock_ms: by_engine(bout.clock_ms),
            processor_ms: by_engine(bout.processor_ms),
            nodes: by_engine(bout.nodes),
            nodes_us: by_engine(bout.nodes_us),
        }))
    }
}

fn mostly_void(progress: &Progress, last: &Played) -> Problem {
    Problem::new("match-void")
        .with("void", progress.void)
        .with("games", progress.games)
        .with("reason", last.why_void())
}

/// Returns the opening of a pair. Both games of it need the opening, often at once, and one search is enough.
fn opening(openings: &Openings, rules: &Ruleset, pair: usize) -> Result<Vec<String>, Problem> {
    static ONE_BY_ONE: Mutex<()> = Mutex::new(());
    let _turn = ONE_BY_ONE.lock();
    openings.moves(rules, pair)
}

/// Converts a game to a record, for the formats of other programs. `names` are the engines'.
///
/// # Errors
/// A move that the rules do not know, as in a damaged journal.
pub fn record(rules: &Ruleset, names: &[String; 2], played: &Played) -> Result<Record, Problem> {
    let moves: Vec<String> = played.opening.iter().chain(&played.moves).cloned().collect();
    let game = rules.play(played.start.as_deref(), &moves)?;
    let mut record = Record::of(&rules.key, game.as_ref());
    record.options = rules.options.clone();
    let second = 1 - played.first.min(1);
    record.players = [names[played.first.min(1)].clone(), names[second].clone()];
    let score = match played.result.as_str() {
        "first" => Score::Win(Side::First),
        "second" => Score::Win(Side::Second),
        VOID => Score::Void,
        _ => Score::Draw,
    };
    record.ending = Some(Ending { score, reason: played.reason.clone() });
    record.tag("Event", &format!("{} – {}", names[0], names[1]));
    record.tag("Site", concat!("Qiguan ", env!("CARGO_PKG_VERSION")));
    record.date.clone_from(&played.date);
    record.tag("Round", &format!("{}.{}", played.number / 2 + 1, played.number % 2 + 1));
    let plies: Vec<_> = record.tree.main_line().collect();
    for (i, id) in plies.into_iter().skip(played.opening.len()).enumerate() {
        let ply = &mut record.tree[id];
        ply.spent_ms = played.spent_ms.get(i).copied();
    }
    Ok(record)
}
