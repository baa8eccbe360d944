//! The store's row of a game that has ended, and the rules for rated games.

use kernel::{Problem, Side};
use people::pool::LEAST_PLIES;
use people::{Pool, Speed};
use store::games::{Finished, GameRow, Plies};
use table::{Ended, Entry, Event, Setup, State};
use wire::How;

/// Returns the class of a table's clock; `None` without one.
#[must_use]
pub fn speed(setup: &Setup) -> Option<Speed> {
    table::clock::budget_ms(setup.clock).map(|(base_ms, turn_ms)| Speed::of(base_ms, turn_ms))
}

/// Returns the rating pool of such a table, if both players have accounts; `None`: it cannot be rated.
#[must_use]
pub fn pool(setup: &Setup) -> Option<Pool> {
    if setup.fen.is_some() || setup.how == How::Screen {
        return None;
    }
    let entry = catalog::find(&setup.game).ok()?;
    let usual = entry.settle(&catalog::Options::new(), catalog::Setting::Online).ok()?;
    let mut changed = setup.options.iter().filter(|(key, value)| usual.get(*key) != Some(value));
    if let Some(map) = &setup.map {
        // What a map is loaded with is of the map, and what its extensions draw by lot of the game.
        let of_map = |key: &str| key == catalog::maps::OLD_NAMES || catalog::maps::SEEDS.contains(&key);
        let rated = entry.needs_map() && changed.all(|(key, _)| of_map(key));
        return if rated { Some(Pool::of_map(&setup.game, &map.id, speed(setup)?)) } else { None };
    }
    Pool::of(&setup.game, speed(setup)?, changed.map(|(key, value)| (key.as_str(), *value)))
}

/// Returns a game that has ended with its speed and its pool, for the store.
#[must_use]
pub fn finished(game: Ended) -> Finished {
    let pool = pool(&game.setup).filter(|_| game.setup.rated && game.plies.len() >= LEAST_PLIES);
    Finished { speed: speed(&game.setup), pool, game }
}

/// Returns what counts of a finished game on a map: the map, the public ids of the people who played, each once, and the
/// number of plies; `None` without a map, and for a game of one person on one screen.
#[must_use]
pub fn on_map(state: &State) -> Option<(String, Vec<String>, u32)> {
    let map = state.setup.map.as_ref().filter(|_| state.setup.how != How::Screen)?;
    let players = state.seats.iter().flatten().filter(|player| player.engine.is_none());
    let mut people: Vec<String> = players.map(|player| player.id.clone()).collect();
    people.sort();
    people.dedup();
    Some((map.id.clone(), people, u32::try_from(state.record.len()).unwrap_or(u32::MAX)))
}

/// Rebuilds the table as it was when the game ended, from the store's row.
///
/// # Errors
/// The entries that do not fit the rules, as after a change of them; and games on maps, whose rules are not at hand here.
pub fn replayed(row: GameRow, plies: Plies) -> Result<State, Problem> {
    let GameRow { id, setup, players, outcome, .. } = row;
    let game = catalog::find(&setup.game)?.open(None, &setup.options, setup.fen.as_deref())?;
    let mut state = State::new(id, setup, true, game);
    for (side, who) in Side::BOTH.into_iter().zip(players) {
        happen(&mut state, Event::Sit { side, who, secret: None }, None)?;
    }
    for (text, spent_ms) in plies {
        let by = state.turn();
        happen(&mut state, Event::Move { by, text, away: false }, spent_ms)?;
    }
    state.end = Some(outcome);
    Ok(state)
}

fn happen(state: &mut State, event: Event, spent_ms: Option<u64>) -> Result<(), Problem> {
    let entry = Entry { ver: state.ver + 1, at_ms: state.at_ms, cmd: None, spent_ms, event };
    state.apply(entry).map(drop)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use wire::{ClockSpec, MapName};

    use super::*;

    #[test]
    fn only_usual_games_with_a_clock_have_a_pool() {
        let setup = |game: &str, chosen: &[(&str, i64)]| {
            let chosen =
                chosen.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect::<BTreeMap<_, _>>();
            let entry = catalog::find(game).expect("is there");
            Setup {
                game: game.to_owned(),
                options: entry.settle(&chosen, catalog::Setting::Online).expect("in range"),
                map: None,
                fen: None,
                how: How::Open,
                room: None,
                clock: ClockSpec::Fischer { base_ms: 600_000, increment_ms: 0 },
                rated: true,
                created_ms: 0,
                heading: None,
            }
        };
        let usual = || setup("xiangqi", &[]);
        let map = Some(MapName { id: "m".to_owned(), name: "M".to_owned() });
        for (what, setup, wanted) in [
            ("as it is", usual(), Some("xiangqi:rapid")),
            ("no clock", Setup { clock: ClockSpec::None, ..usual() }, None),
            ("a fast clock", Setup { clock: ClockSpec::per_move(3_000), ..usual() }, Some("xiangqi:bullet")),
            ("one screen", Setup { how: How::Screen, ..usual() }, None),
            ("a start position", Setup { fen: Some("x".to_owned()), ..usual() }, None),
            ("a map that the game does not need", Setup { map: map.clone(), ..usual() }, None),
            ("a map", Setup { map, ..setup("jingbanqi", &[]) }, Some("jingbanqi@m:rapid")),
            ("another limit", setup("xiangqi", &[("move-limit", 30)]), None),
            ("the same limit, said", setup("xiangqi", &[("move-limit", 60)]), Some("xiangqi:rapid")),
            ("an opening", setup("gomoku/renju", &[("opening", 1)]), Some("gomoku/renju:rapid")),
            ("a small board", setup("gomoku/renju", &[("size", 9)]), None),
            ("Jingbanqi", setup("jingbanqi", &[]), None),
            ("an unknown game", Setup { game: "chess".to_owned(), ..usual() }, None),
        ] {
            assert_eq!(pool(&setup).map(|pool| pool.to_string()).as_deref(), wanted, "{what}");
        }
    }
}
