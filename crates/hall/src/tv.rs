//! The game of each family that is most worth watching now: by ratings, then by the number of watchers, then by the
//! plies played. A choice is made at most every few seconds, however many requests there are.

use std::collections::HashMap;
use std::time::Duration;

use edge::network::Payer;
use serde::Deserialize;
use tables::ask::Ask;
use tokio::sync::{Mutex, oneshot};
use tokio::time::Instant;
use wire::TableLine;

use crate::hall::Hall;

/// The time for which a choice is kept.
const FRESH: Duration = Duration::from_secs(5);
/// Running games of a family that are looked at: the newest.
const LOOKED_AT: usize = 20;
/// The number of games with the highest ratings whose watchers are counted.
const COUNTED: usize = 8;

/// The latest choice, with its time.
#[derive(Default)]
pub struct Tv(Mutex<Option<(Instant, Vec<TableLine>)>>);

/// The rank of a game: ratings of both, watchers, plies.
type Rank = (i64, u32, u32);

impl Tv {
    /// Returns the best running game of each family, in the order of the catalogue.
    pub async fn best(&self, hall: &Hall) -> Vec<TableLine> {
        let mut last = self.0.lock().await;
        if let Some((at, found)) = &*last
            && at.elapsed() < FRESH
        {
            return found.clone();
        }
        let found = look(hall).await;
        *last = Some((Instant::now(), found.clone()));
        found
    }
}

async fn look(hall: &Hall) -> Vec<TableLine> {
    let mut families: Vec<(&str, Vec<TableLine>)> = Vec::new();
    for entry in catalog::ENTRIES.iter() {
        if families.last().is_none_or(|(family, _)| *family != entry.family) {
            families.push((entry.family, Vec::new()));
        }
    }
    for line in hall.tables.lobby().lines() {
        let runs = line.seats.iter().all(Option::is_some);
        let Ok(entry) = catalog::find(&line.game) else { continue };
        if let Some((_, lines)) = families.iter_mut().find(|(family, _)| *family == entry.family)
            && runs
            && lines.len() < LOOKED_AT
        {
            lines.push(line);
        }
    }
    let mut ratings = HashMap::new();
    let mut best = Vec::new();
    for (_, lines) in families {
        let mut rated = Vec::new();
        for line in lines {
            rated.push((rating(hall, &line, &mut ratings).await, line));
        }
        // Stable: of equals the newer one.
        rated.sort_by_key(|(rating, _)| std::cmp::Reverse(*rating));
        let mut ranked: Vec<(Rank, TableLine)> = Vec::new();
        for (rating, line) in rated.into_iter().take(COUNTED) {
            let (watchers, plies) = watched(hall, &line.id).await;
            // The lobby's line is as old as the last change of seats.
            ranked.push(((rating, watchers, plies), TableLine { plies, ..line }));
        }
        best.extend(ranked.into_iter().max_by_key(|(rank, _)| *rank).map(|(_, line)| line));
    }
    best
}

/// Returns the sum of both players' ratings in that game, each by the best of their ratings there; 0 for a player
/// without one.
async fn rating(hall: &Hall, line: &TableLine, known: &mut HashMap<(String, String), i64>) -> i64 {
    let mut sum = 0;
    for player in line.seats.iter().flatten() {
        let key = (player.id.clone(), line.game.clone());
        if let Some(rating) = known.get(&key) {
            sum += rating;
            continue;
        }
        let all = hall.store.games.ratings(&player.id).await.unwrap_or_default();
        let here =
            all.iter().filter(|(pool, _)| pool.game == line.game).map(|(_, r)| r.rating.round() as i64);
        let rating = here.max().unwrap_or_default();
        known.insert(key, rating);
        sum += rating;
    }
    sum
}

/// Returns the number of watchers and of plies of a table that is in memory here; 0 for others, which are not read
/// for this.
async fn watched(hall: &Hall, id: &str) -> (u32, u32) {
    #[derive(Deserialize)]
    struct Full {
        watchers: u32,
        record: Vec<serde::de::IgnoredAny>,
    }
    if !hall.tables.memory().is_in_memory(id) {
        return (0, 0);
    }
    let question = |reply: oneshot::Sender<_>| Ask::Full { who: String::new(), reply };
    let full = match hall.tables.ask(id, Payer::Hall, question).await {
        Ok((_, (_, full))) => serde_json::from_str(&full).ok(),
        Err(_) => None,
    };
    full.map_or((0, 0), |Full { watchers, record }| {
        (watchers, u32::try_from(record.len()).unwrap_or(u32::MAX))
    })
}
