//! Spot checks of workers' answers: some searches are done once more here, after their answers were used.
//!
//! A search that counts positions has one answer on every machine, so another one is a lie. A search that ends by
//! time, or by an engine of others, may differ; then the two moves are judged, and one that gives much away is a lie.

use std::sync::Arc;

use edge::network::{Asker, Network};
use edge::workers::long;
use engine::{Level, Limits, Stop, Worth};
use thinking::{Answer, Ask, EnginePool, GameSnapshot, Search, Size, Thought};

use super::keys::Fault;
use super::{Searches, WantedSearch};

/// The most answers that wait for a check; further ones are accepted unchecked.
pub(super) const WAITING: usize = 8;
/// The number of first answers of a key, all of which are checked.
const FIRST: u64 = 4;
/// The rate of checks after the first answers: one in this number.
const ONE_IN: u32 = 32;
/// The number of positions searched to judge two moves.
const JUDGED: u64 = 200_000;
/// The difference in evaluation, in hundredths, from which a move was not the best that a search could find.
const MUCH: i32 = 400;
/// The same difference for a level, which may choose among moves that seem nearly as good.
const MUCH_OF_LEVEL: i32 = 1_000;

impl Searches {
    /// Checks an answer, if it is among the chosen ones, when there is a turn for it.
    pub(super) fn look_again(&self, wanted: &WantedSearch, answer: &Answer, key: &str) {
        if self.keys.answers(key) > FIRST && !rand::random::<u32>().is_multiple_of(ONE_IN) {
            return;
        }
        let (search, answer, key) = (Arc::clone(&wanted.search), answer.clone(), key.to_owned());
        let (pool, keys, checks) = (Arc::clone(&self.pool), Arc::clone(&self.keys), Arc::clone(&self.checks));
        tokio::spawn(async move {
            let asker = Asker { network: Network::nobody(), person: key.clone() };
            let Ok(turn) = checks.take(asker.network, &asker.person).await else { return };
            let work = move || {
                let _turn = turn;
                is_true(&search, &answer, &pool)
            };
            if let Some(Ok(is_true)) = long(work).await {
                metrics::counter!("hall_worker_checks_total").increment(1);
                if !is_true {
                    keys.fault(&key, Fault::Wrong("differs"));
                }
            }
        });
    }
}

/// Returns true if an answer is the one that a search here finds, or as good.
fn is_true(search: &Search, answer: &Answer, pool: &EnginePool) -> bool {
    // What failed here says nothing about the worker.
    let own = || search.perform(pool, None, &Stop::default(), &mut |_| {}).ok();
    match answer {
        Answer::Thought(theirs) if search.engine().is_some() => {
            best_of(search, pool).is_none_or(|best| is_as_good(search, &best, &theirs.best, pool))
        }
        Answer::Thought(theirs) => match own() {
            Some(Answer::Thought(ours)) => agrees(search, &ours, theirs, pool),
            _ => true,
        },
        // Two of them take long, so they are looked at again where nothing else can differ.
        Answer::Puzzles(theirs) if search.is_exact() => match own() {
            Some(Answer::Puzzles(ours)) => {
                let lines = |found: &[puzzles::find::Found]| {
                    found
                        .iter()
                        .map(|found| (found.puzzle.fen.clone(), found.puzzle.line.clone()))
                        .collect::<Vec<_>>()
                };
                lines(&ours) == lines(theirs)
            }
            _ => true,
        },
        Answer::Puzzles(_) => true,
        Answer::Played(theirs) => match own() {
            Some(Answer::Played(ours))
                if search.about.rules.as_ref().is_none_or(|rules| rules.extensions().is_empty()) =>
            {
                ours.moves == theirs.moves
            }
            _ => true,
        },
    }
}

fn agrees(search: &Search, ours: &Thought, theirs: &Thought, pool: &EnginePool) -> bool {
    if ours.best == theirs.best {
        return true;
    }
    if search.is_exact() && !ours.cut && !theirs.cut {
        return false;
    }
    is_as_good(search, &ours.best, &theirs.best, pool)
}

/// Returns the move that our engine would play.
fn best_of(search: &Search, pool: &EnginePool) -> Option<String> {
    match judged(search, Vec::new(), 1).perform(pool, None, &Stop::default(), &mut |_| {}) {
        Ok(Answer::Thought(thought)) => Some(thought.best),
        _ => None,
    }
}

/// Returns true if a move is not much worse than another.
fn is_as_good(search: &Search, best: &str, other: &str, pool: &EnginePool) -> bool {
    if best == other {
        return true;
    }
    let both = judged(search, vec![best.to_owned(), other.to_owned()], 2);
    let Ok(Answer::Thought(thought)) = both.perform(pool, None, &Stop::default(), &mut |_| {}) else {
        return true;
    };
    let worth = |text: &str| {
        let line = thought.lines.iter().find(|line| line.moves.first().is_some_and(|first| first == text))?;
        Some(match line.worth {
            Worth::Hundredths(n) => n,
            Worth::Wins(plies) => plies.signum() * 30_000,
        })
    };
    let is_level =
        matches!(&search.ask, Ask::Think { limits, .. } if limits.level.is_some_and(|l| l != Level::MOST));
    let much = if is_level { MUCH_OF_LEVEL } else { MUCH };
    match (worth(best), worth(other)) {
        (Some(best), Some(other)) => best - other <= much,
        _ => true,
    }
}

/// Makes a search of the same position that evaluates some moves.
fn judged(search: &Search, among: Vec<String>, lines: usize) -> Search {
    let GameSnapshot { key, options, map, rules, fen, game } = &search.about;
    let about = GameSnapshot {
        key: key.clone(),
        options: options.clone(),
        map: map.clone(),
        rules: rules.clone(),
        fen: fen.clone(),
        game: game.boxed_clone(),
    };
    let limits = Limits {
        nodes: Some(JUDGED),
        time: Some(std::time::Duration::from_secs(3)),
        lines,
        among,
        ..Limits::default()
    };
    Search { about, ask: Ask::Think { limits, size: Size::Small, engine: None, table: String::new() } }
}
