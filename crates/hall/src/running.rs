//! Positions of games that two people are playing now: nobody is helped with them, at no table.
//!
//! A player could otherwise import the record of the running game, or play it after on one screen, and ask there. The
//! first plies are left out, or nobody could study an opening while somebody plays it.
//!
//! Whoever plays a rated game with the clock running is not helped with any game of the same rules until it ends, whatever
//! they had open before it began. Slow games go on for weeks; there, only positions count.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kernel::{AnyGame, Problem};
use wire::How;

use people::Speed;
use table::{Setup, State};

use crate::remembered::speed;

/// Positions of one game that are remembered: the last ones, from which what stands now is a few moves away.
const REMEMBERED: usize = 16;
/// Positions of one rated game that are remembered: more than such a game has, so that a part of it that is played after
/// elsewhere is known until it ends.
const REMEMBERED_RATED: usize = 1000;
/// Games that are remembered. A game that nobody has open stays, so that leaving the table frees nothing; the one that
/// moved longest ago is forgotten first.
const GAMES: usize = 100_000;

/// A position of a game, whatever its counters and options say: with another limit of turns it would be the same to look
/// at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionKey {
    rules: u64,
    position: u64,
}

impl PositionKey {
    /// The key of where that game stands, which is played as `setup` says.
    #[must_use]
    pub fn of(setup: &Setup, game: &dyn AnyGame) -> PositionKey {
        // Whoever finds two rules of one hash is refused help with one of them, and gains nothing.
        let mut rules = DefaultHasher::new();
        (&setup.game, setup.map.as_ref().map(|map| &map.id)).hash(&mut rules);
        PositionKey { rules: rules.finish(), position: game.key() }
    }
}

/// Where running games stand.
#[derive(Debug, Default)]
pub struct RunningPositions(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    games: HashMap<Arc<str>, Reached>,
    /// Each game once, with its `queued`. One that comes to the front and has moved since goes to the end again; one that
    /// is over is passed by.
    queue: VecDeque<(u64, Arc<str>)>,
    /// The rated games that people play now, except slow ones: by public id, tables and their games.
    rated: HashMap<String, HashMap<String, String>>,
    /// In how many games a position stood.
    positions: HashMap<PositionKey, u32>,
    moves: u64,
}

/// What one game reached. Moments are counted in moves of all games.
#[derive(Debug)]
struct Reached {
    moved: u64,
    queued: u64,
    positions: VecDeque<PositionKey>,
}

impl RunningPositions {
    /// A running game has reached that position, or stands there still.
    pub fn enter(&self, table: &str, key: PositionKey, is_rated: bool) {
        let mut known = self.lock();
        let known = &mut *known;
        let now = known.moves + 1;
        let game = match known.games.get_mut(table) {
            Some(game) => game,
            None => {
                let table: Arc<str> = table.into();
                known.queue.push_back((now, Arc::clone(&table)));
                known.games.entry(table).or_insert(Reached {
                    moved: now,
                    queued: now,
                    positions: VecDeque::new(),
                })
            }
        };
        if game.positions.back() == Some(&key) {
            return;
        }
        game.moved = now;
        game.positions.push_back(key);
        let most = if is_rated { REMEMBERED_RATED } else { REMEMBERED };
        let forgotten = if game.positions.len() > most { game.positions.pop_front() } else { None };
        known.moves = now;
        *known.positions.entry(key).or_default() += 1;
        forgotten.into_iter().for_each(|key| known.forget(key));
        known.tidy();
    }

    /// That game is over.
    pub fn leave(&self, table: &str) {
        self.lock().end(table);
    }

    /// Whether that person plays a rated game by these rules now, slow games apart.
    #[must_use]
    pub fn plays_rated(&self, person: &str, game: &str) -> bool {
        let known = self.lock();
        known.rated.get(person).is_some_and(|tables| tables.values().any(|played| played == game))
    }

    /// Of a table that failed nobody knows when its game ends: its players are helped again.
    pub fn forget_players(&self, table: &str) {
        self.lock().rated.retain(|_, tables| {
            tables.remove(table);
            !tables.is_empty()
        });
    }

    fn note_players(&self, state: &State) {
        if !state.setup.rated || speed(&state.setup) == Some(Speed::Correspondence) {
            return;
        }
        let mut known = self.lock();
        for player in state.seats.iter().flatten() {
            if state.is_on() {
                let tables = known.rated.entry(player.id.clone()).or_default();
                tables.insert(state.id.clone(), state.setup.game.clone());
            } else if let Some(tables) = known.rated.get_mut(&player.id) {
                tables.remove(&state.id);
                if tables.is_empty() {
                    known.rated.remove(&player.id);
                }
            }
        }
    }

    /// Whether that position stands, or has lately stood, in a running game.
    #[must_use]
    pub fn is_running(&self, key: PositionKey) -> bool {
        self.lock().positions.contains_key(&key)
    }

    /// Whether there is nothing to look for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().positions.is_empty()
    }

    /// Whether that game may be helped with: none of the positions on its line, up to `back` plies before where it stands, is
    /// a running game's.
    ///
    /// # Errors
    /// `position-in-play`.
    pub fn check(&self, setup: &Setup, game: &dyn AnyGame, back: usize) -> Result<(), Problem> {
        if self.is_empty() {
            return Ok(());
        }
        let mut game = game.boxed_clone();
        for _ in 0..=back {
            if self.is_running(PositionKey::of(setup, game.as_ref())) {
                return Err(Problem::new("position-in-play"));
            }
            if !game.undo() {
                break;
            }
        }
        Ok(())
    }

    /// Notes what stands at a table now; to be called when it is read and after each of its events.
    pub fn note(&self, state: &State, from_ply: usize) {
        if !is_between_people(state) {
            return;
        }
        self.note_players(state);
        if state.end.is_some() {
            self.leave(&state.id);
        } else if state.game.plies() >= from_ply.max(1) {
            self.enter(&state.id, PositionKey::of(&state.setup, state.game.as_ref()), state.setup.rated);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn forget(&mut self, key: PositionKey) {
        if let Some(count) = self.positions.get_mut(&key) {
            *count -= 1;
            if *count == 0 {
                self.positions.remove(&key);
            }
        }
    }

    fn end(&mut self, table: &str) {
        if let Some(game) = self.games.remove(table) {
            game.positions.into_iter().for_each(|key| self.forget(key));
        }
    }

    fn tidy(&mut self) {
        while self.games.len() > GAMES {
            let Some((queued, table)) = self.queue.pop_front() else { return };
            match self.games.get_mut(&table) {
                Some(game) if game.queued != queued => {}
                Some(game) if game.moved != queued => {
                    game.queued = game.moved;
                    self.queue.push_back((game.moved, table));
                }
                Some(_) => self.end(&table),
                None => {}
            }
        }
        // Games that are over leave their place here until most of the queue is of such.
        if self.queue.len() > 64 + 2 * self.games.len() {
            let games = &self.games;
            self.queue.retain(|(queued, table)| games.get(table).is_some_and(|game| game.queued == *queued));
        }
    }
}

/// Whether that position is one move away from where two people play at this table now, under `setup`'s rules.
#[must_use]
pub fn is_next(state: &State, setup: &Setup, key: u64, from_ply: usize) -> bool {
    let same = (&state.setup.game, &state.setup.map) == (&setup.game, &setup.map);
    if !same || !is_between_people(state) || state.end.is_some() || state.game.plies() < from_ply {
        return false;
    }
    // The rules of such a game are another process's, which answers one question at a time.
    if state.game.waits() {
        return false;
    }
    let mut game = state.game.boxed_clone();
    game.moves().iter().any(|text| {
        let played = game.play(text).is_ok();
        let found = played && game.key() == key;
        if played {
            game.undo();
        }
        found
    })
}

/// Whether two different people play, each for themselves.
fn is_between_people(state: &State) -> bool {
    let [Some(first), Some(second)] = &state.seats else { return false };
    state.setup.how != How::Screen
        && first.id != second.id
        && first.engine.is_none()
        && second.engine.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u64) -> PositionKey {
        PositionKey { rules: 0, position: n }
    }

    #[test]
    fn positions_are_known_while_their_games_run() {
        let running = RunningPositions::default();
        running.enter("a", key(1), false);
        running.enter("b", key(1), false);
        running.enter("a", key(2), false);
        assert!(running.is_running(key(1)) && running.is_running(key(2)) && !running.is_running(key(3)));
        running.leave("a");
        assert!(running.is_running(key(1)), "the other game stands there");
        assert!(!running.is_running(key(2)));
        running.leave("b");
        running.leave("b");
        assert!(running.is_empty());
    }

    #[test]
    fn a_long_game_is_remembered_by_its_last_positions() {
        let running = RunningPositions::default();
        for n in 0..10_000 {
            running.enter("a", key(n), false);
        }
        assert!(running.is_running(key(9_999)) && running.is_running(key(9_984)));
        assert!(!running.is_running(key(9_983)));
        assert_eq!(running.lock().queue.len(), 1);
        running.leave("a");
        assert!(running.is_empty());
    }

    /// A table is played at again and again; what is over leaves nothing that grows.
    #[test]
    fn games_that_are_over_take_no_room() {
        let running = RunningPositions::default();
        for n in 0..10_000 {
            running.enter("a", key(n), false);
            running.leave("a");
        }
        running.enter("a", key(1), false);
        assert!(running.lock().queue.len() < 100);
        running.leave("a");
        assert!(running.is_empty());
    }

    #[test]
    fn the_game_that_moved_longest_ago_is_forgotten_first() {
        let running = RunningPositions::default();
        let games = GAMES as u64;
        for n in 0..games {
            running.enter(&n.to_string(), key(n), false);
        }
        running.enter("0", key(games), false);
        running.enter("new", key(games + 1), false);
        assert!(!running.is_running(key(1)), "of the second");
        assert!(
            running.is_running(key(0)) && running.is_running(key(2)) && running.is_running(key(games + 1))
        );
    }

    /// Of a rated game a part from long ago is no more anybody's business than the last moves.
    #[test]
    fn a_rated_game_is_remembered_whole() {
        let running = RunningPositions::default();
        for n in 0..400 {
            running.enter("a", key(n), true);
        }
        assert!((0..400).all(|n| running.is_running(key(n))));
        for n in 400..10_000 {
            running.enter("a", key(n), true);
        }
        assert!(!running.is_running(key(8_000)) && running.is_running(key(9_001)), "bounded");
        running.leave("a");
        assert!(running.is_empty());
    }
}
