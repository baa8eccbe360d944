//! Reports on finished games: judged turn by turn, in the background, and stored.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use edge::network::Asker;
use engine::Stop;
use kernel::{AnyGame, Problem};
use people::fairplay::{Agreement, counts};
use tables::opponents::seat::{Rules, apart};
use wire::{AnalysisLine, Fault, FaultyTurn, Report, Side, Worth};

use super::shared::RunningReport;
use super::{NoAnalysis, Stops, after, named};
use crate::hall::Hall;
use table::{Setup, State};

/// The number of positions searched for each position of the game, and the longest time.
const EACH: (u64, Duration) = (60_000, Duration::from_millis(400));
/// The delay before a report retries, when its address has too many searches waiting.
const AGAIN: Duration = Duration::from_secs(1);
/// The lead in hundredths that makes a win 73 % likely (logistic).
const SCALE: f64 = 250.0;
/// The losses of winning chance from which a turn is a fault of each kind.
const FAULTS: [(f64, Fault); 3] = [(0.30, Fault::Blunder), (0.17, Fault::Mistake), (0.09, Fault::Slip)];

/// A game to be judged, with the beginnings and the players of its turns.
struct Case {
    ver: u64,
    setup: Setup,
    game: Box<dyn AnyGame>,
    /// The number of plies before each turn, and its side; the last entry is the end.
    turns: Vec<(usize, Side)>,
}

fn case(state: &State, most_plies: usize) -> Result<Case, Problem> {
    if state.end.is_none() {
        return Err(Problem::new("study-not-now"));
    }
    if state.record.is_empty() || state.record.len() > most_plies {
        return Err(Problem::new("report-length").with("limit", most_plies));
    }
    let mut turns: Vec<(usize, Side)> = Vec::new();
    for (ply, played) in state.record.iter().enumerate() {
        if turns.last().is_none_or(|&(_, by)| by != played.1) {
            turns.push((ply, played.1));
        }
    }
    turns.push((state.record.len(), state.view.turn));
    let setup = state.setup.clone();
    Ok(Case { ver: state.ver, setup, game: after(state, state.record.len()), turns })
}

impl Hall {
    /// Returns the report on a finished game, as far as it has come; the first request begins it.
    ///
    /// # Errors
    /// `study-not-now` before the end, `report-length`, `position-in-play`, `hall-busy` when too many games are being judged;
    /// [`NoAnalysis::Busy`] when it is the address that has too many.
    pub async fn report(self: &Arc<Self>, table: &str, asker: &Asker) -> Result<Report, NoAnalysis> {
        if let Some(going) = self.analyses.reports.lock().get(table) {
            return Ok(going.so_far());
        }
        let most_plies = self.limits.report_plies;
        let case = self.tables.look(table, asker.into(), move |state| case(state, most_plies)).await??;
        let (game, all) = (case.game.as_ref(), usize::MAX);
        self.tables.may_help(&case.setup, game, all, &asker.person, asker.into()).await?;
        if let Ok(Some((ver, body))) = self.store.tables.report(table).await
            && ver == case.ver
            && let Ok(report) = serde_json::from_str(&body)
        {
            return Ok(report);
        }
        let of = u32::try_from(case.turns.len()).unwrap_or(u32::MAX);
        let empty = Report { done: 0, of, points: Vec::new(), faults: Vec::new(), agreement: None };
        let going = Arc::new(Mutex::new(empty.clone()));
        {
            let mut reports = self.analyses.reports.lock();
            if let Some(other) = reports.get(table) {
                return Ok(other.so_far());
            }
            let own = reports.values().filter(|other| other.network == asker.network).count();
            if self.limits.on && own >= self.limits.reports_address {
                return Err(NoAnalysis::Busy);
            }
            if reports.len() >= self.limits.reports {
                return Err(Problem::new("hall-busy").into());
            }
            let going = RunningReport { network: asker.network, report: Arc::clone(&going) };
            reports.insert(table.to_owned(), going);
        }
        let (hall, table, asker) = (Arc::clone(self), table.to_owned(), asker.clone());
        tokio::spawn(async move {
            if let Some(report) = hall.judge(&table, &case, &asker, &going).await
                && let Ok(body) = serde_json::to_string(&report)
                && let Err(why) = hall.store.tables.keep_report(&table, case.ver, &body).await
            {
                tracing::error!(%table, %why, "a report was not stored");
            }
            hall.analyses.reports.lock().remove(&table);
        });
        Ok(empty)
    }

    /// Judges position after position, each by a search of its own; `None` when the hall stops.
    async fn judge(
        self: &Arc<Self>,
        table: &str,
        case: &Case,
        asker: &Asker,
        going: &Mutex<Report>,
    ) -> Option<Report> {
        let mut found: Vec<Found> = Vec::with_capacity(case.turns.len());
        let record = case.game.record();
        let rules = named(&case.setup, table.to_owned());
        for &(ply, _) in &case.turns {
            let mut stopping = self.stopping.subscribe();
            let stop = Stop::default();
            let _stops = Stops(stop.clone());
            let work = self.judge_one(case, ply, &rules, asker, &stop);
            let judged = tokio::select! {
                judged = work => judged?,
                _ = stopping.wait_for(|stopping| *stopping) => return None,
            };
            found.push(judged);
            let report = sum(&case.turns, &found, &record);
            *going.lock().unwrap_or_else(PoisonError::into_inner) = report;
        }
        Some(going.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }
}

/// The judgement of a position.
struct Found {
    /// The evaluation of the position.
    worth: Worth,
    /// The best line in it.
    best: Option<AnalysisLine>,
    /// The number of legal moves.
    choices: usize,
}

impl Hall {
    /// Judges the position after that number of plies; `None` when the report is not wanted any more.
    async fn judge_one(
        &self,
        case: &Case,
        ply: usize,
        rules: &Rules,
        asker: &Asker,
        stop: &Stop,
    ) -> Option<Found> {
        loop {
            let mut game = case.game.boxed_clone();
            // Playing back is quick even where playing takes long: positions are kept.
            while game.plies() > ply {
                game.undo();
            }
            if let Some(outcome) = game.outcome() {
                let worth = match outcome.winner() {
                    Some(kernel::Side::First) => Worth::Wins(1),
                    Some(kernel::Side::Second) => Worth::Wins(-1),
                    None => Worth::Hundredths(0),
                };
                return Some(Found { worth, best: None, choices: 0 });
            }
            let waits = game.waits();
            let (choices, game) = if waits {
                apart(move || (game.moves().len(), game)).await?
            } else {
                (game.moves().len(), game)
            };
            return match self.best(game, rules, EACH, asker, stop.clone()).await {
                Ok(line) => Some(Found { worth: line.worth, best: Some(line), choices }),
                Err(NoAnalysis::Busy) => {
                    tokio::time::sleep(AGAIN).await;
                    continue;
                }
                Err(_) if stop.is_raised() => None,
                Err(_) => Some(Found { worth: Worth::Hundredths(0), best: None, choices }),
            };
        }
    }
}

/// Returns the first player's chance to win, from 0 to 1; a draw is half.
fn chance(worth: Worth) -> f64 {
    match worth {
        Worth::Hundredths(score) => 1.0 / (1.0 + (-f64::from(score) / SCALE).exp()),
        Worth::Wins(plies) if plies > 0 => 1.0,
        Worth::Wins(_) => 0.0,
    }
}

/// Computes the report from the positions judged so far.
fn sum(turns: &[(usize, Side)], found: &[Found], record: &[String]) -> Report {
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut faults = Vec::new();
    let mut sides = [Agreement::default(); 2];
    let mut nth = [0_usize; 2];
    for (i, pair) in found.windows(2).enumerate() {
        let ((from, by), (to, _)) = (turns[i], turns[i + 1]);
        let at = usize::from(by == Side::Second);
        let before = chance(pair[0].worth);
        let lost =
            if by == Side::First { before - chance(pair[1].worth) } else { chance(pair[1].worth) - before };
        nth[at] += 1;
        let Some(better) = &pair[0].best else { continue };
        let as_best = better.moves.iter().zip(&record[from..to]).all(|(best, played)| best == played);
        if counts(nth[at] - 1, pair[0].choices, before) {
            sides[at].add(as_best, if as_best { 0.0 } else { lost });
        }
        // Who played what was best did nothing wrong.
        if let Some((_, fault)) = FAULTS.into_iter().find(|&(cost, _)| lost >= cost && !as_best) {
            faults.push(FaultyTurn { from: count(from), to: count(to), by, fault, better: better.clone() });
        }
    }
    Report {
        done: count(found.len()),
        of: count(turns.len()),
        points: turns.iter().zip(found).map(|(&(ply, _), found)| (count(ply), found.worth)).collect(),
        faults,
        agreement: Some(sides.map(|Agreement { turns, same, cost }| wire::Agreement { turns, same, cost })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(score: i32, best: &str) -> Found {
        let worth = Worth::Hundredths(score);
        let best = AnalysisLine { worth, depth: 3, moves: vec![best.to_owned()], names: Vec::new() };
        Found { worth, best: Some(best), choices: 30 }
    }

    #[test]
    fn turns_that_count_are_compared_with_the_best() {
        let turns: Vec<(usize, Side)> =
            (0..13).map(|i| (i, if i % 2 == 0 { Side::First } else { Side::Second })).collect();
        let record: Vec<String> = (0..12).map(|i| format!("m{i}")).collect();
        let mut worths: Vec<Found> = (0..13).map(|i| found(0, &format!("m{i}"))).collect();
        // The second player's last turn is another one, and costs.
        worths[11].best.as_mut().unwrap().moves[0] = "x".to_owned();
        worths[12].worth = Worth::Hundredths(250);
        // The first player's last turn was the only one there was.
        worths[10].choices = 1;
        let [first, second] = sum(&turns, &worths, &record).agreement.expect("counted");
        // Six turns each, four of them in the opening.
        assert_eq!((first.turns, first.same, first.cost), (1, 1, 0));
        assert_eq!((second.turns, second.same, second.cost), (2, 1, 231));
    }

    #[test]
    fn what_costs_much_is_a_fault_of_who_played_it() {
        let turns = [(0, Side::First), (1, Side::Second), (2, Side::First), (3, Side::Second)];
        let record = ["a", "b", "c"].map(str::to_owned);
        // The second player gives a rook away; the first one gives half of it back; then plays what is best.
        let worths = [found(0, "x"), found(10, "y"), found(900, "z"), found(300, "w")];
        let report = sum(&turns, &worths, &record);
        let faults: Vec<(u32, Side, Fault)> = report.faults.iter().map(|f| (f.from, f.by, f.fault)).collect();
        assert_eq!(faults, [(1, Side::Second, Fault::Blunder), (2, Side::First, Fault::Mistake)]);
        assert_eq!((report.done, report.of, report.points.len()), (4, 4, 4));
        // The same, but it was the best there was.
        let worths = [found(0, "x"), found(10, "b"), found(900, "z"), found(300, "w")];
        assert_eq!(sum(&turns, &worths, &record).faults.len(), 1);
    }

    #[test]
    fn a_won_game_that_is_lost_is_a_blunder() {
        let turns = [(0, Side::First), (1, Side::Second)];
        let mut worths = [found(0, "x"), found(0, "y")];
        worths[0].worth = Worth::Wins(5);
        worths[1].worth = Worth::Wins(-1);
        let report = sum(&turns, &worths, &["a".to_owned()]);
        assert_eq!(report.faults[0].fault, Fault::Blunder);
    }
}
