//! The fair play record of a person in rated games, for moderators: games are judged one after the other, as reports
//! are, and the results so far are added up.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use edge::network::Asker;
use kernel::{Problem, Side};
use members::failed::busy;
use members::identity::player;
use people::fairplay::{Agreement, Times, times};
use people::pool::DAY_MS;
use store::games::{Filter, GameRow, Plies};
use table::{Entry, Event, Setup};
use tables::opponents::seat::apart;
use wire::{FairGame, FairPair, FairPlay, FairTimes};

use crate::analysis::NoAnalysis;
use crate::hall::Hall;

/// The number of latest games that are looked at.
const GAMES: u32 = 20;
/// The days in which games with the same opponent are counted.
const PAIR_DAYS: u64 = 30;
/// The most games in these days that are looked at: the latest.
const PAIR_GAMES: u32 = 500;
/// The number of games with one opponent from which on the pair is listed.
const OFTEN: u32 = 5;
/// The most opponents that are listed.
const MOST_PAIRS: usize = 20;
/// A game of fewer plies is a short one.
const SHORT_PLIES: u32 = 20;

impl Hall {
    /// Returns the fair play record of a person, as far as it is known. Each request has the next unjudged game
    /// judged, one at a time.
    ///
    /// # Errors
    /// `no-such-person`, `hall-busy`.
    pub async fn fair_play(self: &Arc<Self>, who: &str, asker: &Asker) -> Result<FairPlay, Problem> {
        let found = self.store.people.find_person(who).await.map_err(busy)?;
        let person = found.ok_or_else(|| Problem::new("no-such-person"))?;
        let filter = Filter { rated: Some(true), ..Filter::default() };
        let rows = self.store.games.list(&person.id, &filter, None, GAMES).await.map_err(busy)?;
        let mut games = Vec::with_capacity(rows.len());
        let (mut own, mut others) = (Agreement::default(), Agreement::default());
        let (mut spent_ms, mut left) = (Vec::new(), Vec::new());
        let mut is_judging = false;
        for row in rows {
            let at = usize::from(row.players[0].id != person.id);
            let side = Side::BOTH[at];
            let times_of = self.times_of(&row, side).await?;
            let left_in = self.left_in(&row.id, side).await?;
            let known = if is_judging {
                // Those behind it wait.
                self.judged(&row.id).await
            } else {
                match self.report(&row.id, asker).await {
                    Ok(report) if report.done == report.of => ReportState::Judged(report.agreement),
                    Ok(_) | Err(NoAnalysis::Busy) => {
                        is_judging = true;
                        ReportState::Waits
                    }
                    Err(NoAnalysis::Refused(why)) if why.key == "hall-busy" => {
                        is_judging = true;
                        ReportState::Waits
                    }
                    Err(_) => ReportState::Never,
                }
            };
            let sides = match known {
                ReportState::Judged(sides) => sides,
                ReportState::Waits | ReportState::Never => None,
            };
            if let Some(sides) = sides {
                own = own.with(read(sides[at]));
                others = others.with(read(sides[1 - at]));
            }
            spent_ms.extend_from_slice(&times_of);
            left.extend_from_slice(&left_in);
            games.push(FairGame {
                id: row.id,
                game: row.setup.game,
                side,
                opponent: row.players[1 - at].clone(),
                ended_ms: row.ended_ms,
                waits: matches!(known, ReportState::Waits),
                own: sides.map(|sides| sides[at]),
                other: sides.map(|sides| sides[1 - at]),
                times: times(times_of, &left_in).map(told),
            });
        }
        let pairs = self.pairs_of(&person.id).await?;
        Ok(FairPlay {
            pairs,
            person: player(person),
            games,
            own: write(own),
            others: write(others),
            times: times(spent_ms, &left).map(told),
        })
    }

    /// Returns the opponents with whom a person has ended several rated games lately.
    async fn pairs_of(&self, person: &str) -> Result<Vec<FairPair>, Problem> {
        let since_ms = Some(self.time.now_ms().saturating_sub(PAIR_DAYS * DAY_MS));
        let filter = Filter { rated: Some(true), since_ms, ..Filter::default() };
        let rows = self.store.games.list(person, &filter, None, PAIR_GAMES).await.map_err(busy)?;
        let near = |other: &str| self.members.neighbours.are(person, other);
        Ok(pairs(person, &rows, &near))
    }

    /// Returns the stored judgement of a game, if there is one.
    async fn judged(&self, table: &str) -> ReportState {
        let kept = self.store.tables.report(table).await.ok().flatten();
        let report = kept.and_then(|(_, body)| serde_json::from_str::<wire::Report>(&body).ok());
        report.map_or(ReportState::Waits, |report| ReportState::Judged(report.agreement))
    }

    /// Returns for each turn of a side whether the player left the page during it, by the log of the game.
    async fn left_in(&self, table: &str, side: Side) -> Result<Vec<bool>, Problem> {
        let stored = self.store.logs.load(table).await.map_err(busy)?;
        Ok(stored.map(|stored| left_turns(&stored.log, side)).unwrap_or_default())
    }

    /// Thinking times of the turns of a side, in milliseconds. Steps of one turn count together.
    async fn times_of(&self, row: &GameRow, side: Side) -> Result<Vec<u64>, Problem> {
        let plies = self.store.games.plies(row.n).await.map_err(busy)?.unwrap_or_default();
        let setup = row.setup.clone();
        Ok(apart(move || turn_times(&setup, plies, side)).await.unwrap_or_default())
    }
}

/// Opponents with several games among these, and neighbours with more than one; the one with the most games first.
fn pairs(person: &str, rows: &[GameRow], near: &dyn Fn(&str) -> bool) -> Vec<FairPair> {
    let mut pairs: BTreeMap<&str, FairPair> = BTreeMap::new();
    for row in rows {
        let at = usize::from(row.players[0].id != person);
        let opponent = &row.players[1 - at];
        let pair = pairs.entry(&opponent.id).or_insert_with(|| FairPair {
            opponent: opponent.clone(),
            games: 0,
            won: 0,
            short: 0,
            neighbours: near(&opponent.id),
        });
        pair.games += 1;
        pair.won += u32::from(row.outcome.winner == Some(Side::BOTH[at]));
        pair.short += u32::from(row.plies < SHORT_PLIES);
    }
    let mut pairs: Vec<FairPair> =
        pairs.into_values().filter(|pair| pair.games >= OFTEN || pair.neighbours && pair.games > 1).collect();
    pairs.sort_by_key(|pair| Reverse(pair.games));
    pairs.truncate(MOST_PAIRS);
    pairs
}

/// Returns for each turn of a side, including those taken back, whether the player left the page during it.
fn left_turns(log: &[Entry], side: Side) -> Vec<bool> {
    let mut turns: Vec<bool> = Vec::new();
    let mut before = None;
    for entry in log {
        let Event::Move { by, away, .. } = entry.event else { continue };
        if by == side {
            match turns.last_mut().filter(|_| before == Some(by)) {
                Some(left) => *left |= away,
                None => turns.push(away),
            }
        }
        before = Some(by);
    }
    turns
}

fn turn_times(setup: &Setup, plies: Plies, side: Side) -> Vec<u64> {
    let opened =
        catalog::find(&setup.game).and_then(|entry| entry.open(None, &setup.options, setup.fen.as_deref()));
    let Ok(mut game) = opened else { return Vec::new() };
    let mut turns: Vec<u64> = Vec::new();
    let mut before = None;
    for (text, spent_ms) in plies {
        let by = game.turn();
        if by == side {
            let spent_ms = spent_ms.unwrap_or_default();
            match turns.last_mut().filter(|_| before == Some(by)) {
                Some(turn) => *turn += spent_ms,
                None => turns.push(spent_ms),
            }
        }
        before = Some(by);
        if game.play(&text).is_err() {
            break;
        }
    }
    turns
}

/// The state of the judgement of a game.
#[derive(Clone, Copy)]
enum ReportState {
    /// Judged; `None` where it was judged before agreement was counted.
    Judged(Option<[wire::Agreement; 2]>),
    /// Being judged, or still to be.
    Waits,
    /// Excluded from judgement.
    Never,
}

fn read(told: wire::Agreement) -> Agreement {
    Agreement { turns: told.turns, same: told.same, cost: told.cost }
}

/// Converts to the form that is sent; `None` if no turn counts.
fn write(agreement: Agreement) -> Option<wire::Agreement> {
    let Agreement { turns, same, cost } = agreement;
    (turns > 0).then_some(wire::Agreement { turns, same, cost })
}

fn told(times: Times) -> FairTimes {
    let Times { turns, median_ms, spread, quick, away } = times;
    FairTimes { turns, median_ms, spread, quick, away }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_of_several_steps_counts_once() {
        let log: Vec<Entry> =
            [("first", false), ("first", true), ("second", true), ("first", false), ("second", false)]
                .into_iter()
                .zip(1..)
                .map(|((by, away), ver)| {
                    let by = if by == "first" { Side::First } else { Side::Second };
                    let event = Event::Move { by, text: "a1".to_owned(), away };
                    Entry { ver, at_ms: ver, cmd: None, spent_ms: None, event }
                })
                .collect();
        assert_eq!(left_turns(&log, Side::First), [true, false]);
        assert_eq!(left_turns(&log, Side::Second), [true, false]);
    }
}
