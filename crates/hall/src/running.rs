//! Positions of games that two people are playing now: nobody is helped with them, at no table.
//!
//! A player could otherwise import the record of the running game, or play it after on one screen, and ask there. The
//! first plies are left out, or nobody could study an opening while somebody plays it.
//!
//! A position is known by its pieces, however the board is laid out: mirrored, turned, and with the colours exchanged, and
//! whoever is to move. Which of these layouts are the same game is the rules' to say and need not be known here: a layout
//! that is none is no position of a running game. What stands now, and what stood a ply before, is also known with one
//! piece more, one piece less, or one piece elsewhere or of another kind. For that each is written down once as it is and
//! once without each of its pieces; whoever asks does the same with every layout.
//!
//! Whoever plays a rated game with the clock running is not helped with any game of the same rules until it ends, whatever
//! they had open before it began. Slow games go on for weeks; there, only positions count.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kernel::{AnyGame, Problem, Side};
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
/// Positions of one game that are known with a piece more, less or elsewhere: the one that stands, and the one before.
const NEARLY: usize = 2;
/// Keys of such positions in all, about 100 MB of them: the oldest give way.
const NEARLY_KEYS: usize = if cfg!(test) { 4_000 } else { 4_000_000 };
/// Plies back from a position that are compared in that way; all of a game that began from a position of its own.
const NEARLY_BACK: usize = 4;

/// The pieces on a board, whatever its counters and options say and whoever is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The key of all pieces together.
    whole: u64,
    /// The keys of each piece alone; what stands without it is the difference.
    pieces: Vec<u64>,
}

/// A way to lay a board out again: transposed, where it is square, and flipped then.
#[derive(Clone, Copy, Debug, Default)]
struct Layout {
    transposes: bool,
    flips_files: bool,
    flips_rows: bool,
    /// Each piece belongs to the other player.
    exchanges: bool,
}

impl Layout {
    /// All of a board; the first leaves everything as it is.
    fn all(files: u8, ranks: u8) -> impl Iterator<Item = Layout> {
        let bit = |n: u32, at: u32| n >> at & 1 == 1;
        (0..if files == ranks { 16 } else { 8 }).map(move |n| Layout {
            exchanges: bit(n, 0),
            flips_files: bit(n, 1),
            flips_rows: bit(n, 2),
            transposes: bit(n, 3),
        })
    }

    fn cell(self, files: u8, ranks: u8, cell: u16) -> u16 {
        let (files, ranks) = (u16::from(files), u16::from(ranks));
        let (file, row) = (cell % files, cell / files);
        let (file, row) = if self.transposes { (row, file) } else { (file, row) };
        let file = if self.flips_files { files - 1 - file } else { file };
        let row = if self.flips_rows { ranks - 1 - row } else { row };
        row * files + file
    }

    fn owner(self, owner: Option<Side>) -> Option<Side> {
        if self.exchanges { owner.map(Side::other) } else { owner }
    }
}

impl Standing {
    /// The position of that game, which is played as `setup` says.
    #[must_use]
    pub fn of(setup: &Setup, game: &dyn AnyGame) -> Standing {
        let mut laid = Standing::all(setup, game, |_, _| std::iter::once(Layout::default()));
        laid.pop().expect("one for each layout")
    }

    /// The same in every layout.
    #[must_use]
    pub fn layouts(setup: &Setup, game: &dyn AnyGame) -> Vec<Standing> {
        Standing::all(setup, game, Layout::all)
    }

    fn all<I: Iterator<Item = Layout>>(
        setup: &Setup,
        game: &dyn AnyGame,
        layouts: impl FnOnce(u8, u8) -> I,
    ) -> Vec<Standing> {
        let board = game.board();
        // Rules of one family differ in who wins rather than in which move is good. Whoever finds two of one hash is
        // refused help with one of them, and gains nothing.
        let family = setup.game.split('/').next();
        let rules = hashed((family, setup.map.as_ref().map(|map| &map.id), board.files, board.ranks));
        if game.waits() {
            // Another process would be asked what the pieces look like.
            return vec![Standing { whole: stirred(rules ^ game.key()), pieces: Vec::new() }];
        }
        let found: Vec<_> =
            game.all_pieces().into_iter().map(|piece| (piece.at, piece.owner, hashed(&piece.face))).collect();
        let laid = |way: Layout| {
            let key = |&(at, owner, face): &(u16, Option<Side>, u64)| {
                let owner = way.owner(owner).map_or(2, |side| side.index() as u64);
                stirred(face ^ rules ^ (u64::from(way.cell(board.files, board.ranks, at)) << 2 | owner))
            };
            let pieces: Vec<u64> = found.iter().map(key).collect();
            let whole = pieces.iter().fold(rules, |sum, key| sum.wrapping_add(*key));
            Standing { whole, pieces }
        };
        layouts(board.files, board.ranks).map(laid).collect()
    }

    /// Without each of its pieces in turn.
    fn without_one(&self) -> impl Iterator<Item = u64> + '_ {
        self.pieces.iter().map(|piece| self.whole.wrapping_sub(*piece))
    }
}

fn hashed(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Another number of as many bits (SplitMix64).
fn stirred(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
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
    positions: Counts,
    /// By the moment at which they were reached: the last positions of games, whole and without each of their pieces.
    near: BTreeMap<u64, Vec<u64>>,
    /// The count of each of those.
    near_keys: Counts,
    moves: u64,
}

/// The count of each key.
#[derive(Debug, Default)]
struct Counts {
    counts: HashMap<u64, u32>,
    /// All of them together.
    held: usize,
}

/// What one game reached. Moments are counted in moves of all games.
#[derive(Debug)]
struct Reached {
    moved: u64,
    queued: u64,
    positions: VecDeque<u64>,
    /// Moments of the last positions.
    near: VecDeque<u64>,
}

impl RunningPositions {
    /// A running game has reached that position, or stands there still.
    pub fn enter(&self, table: &str, standing: &Standing, is_rated: bool) {
        let mut known = self.lock();
        let known = &mut *known;
        let (now, key) = (known.moves + 1, standing.whole);
        let game = match known.games.get_mut(table) {
            Some(game) => game,
            None => {
                let table: Arc<str> = table.into();
                known.queue.push_back((now, Arc::clone(&table)));
                known.games.entry(table).or_insert(Reached {
                    moved: now,
                    queued: now,
                    positions: VecDeque::new(),
                    near: VecDeque::new(),
                })
            }
        };
        if game.positions.back() == Some(&key) {
            return;
        }
        game.moved = now;
        game.positions.push_back(key);
        game.near.push_back(now);
        let most = if is_rated { REMEMBERED_RATED } else { REMEMBERED };
        let forgotten = if game.positions.len() > most { game.positions.pop_front() } else { None };
        let gone = if game.near.len() > NEARLY { game.near.pop_front() } else { None };
        known.moves = now;
        known.positions.add(key);
        forgotten.into_iter().for_each(|key| known.positions.take(key));
        gone.into_iter().for_each(|moment| known.forget_near(moment));
        let near: Vec<u64> = standing.without_one().chain([key]).collect();
        near.iter().for_each(|key| known.near_keys.add(*key));
        known.near.insert(now, near);
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

    /// Tells whether what stands there in one of its layouts stands, or has lately stood, in a running game; `nearly`:
    /// or would with one piece more, less, elsewhere or of another kind.
    #[must_use]
    pub fn is_running(&self, layouts: &[Standing], nearly: bool) -> bool {
        let known = self.lock();
        let nearly_known = |laid: &Standing| {
            known.near_keys.has(laid.whole) || laid.without_one().any(|key| known.near_keys.has(key))
        };
        layouts.iter().any(|laid| known.positions.has(laid.whole) || nearly && nearly_known(laid))
    }

    /// Whether there is nothing to look for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().positions.counts.is_empty()
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
        let nearly = if setup.fen.is_some() { usize::MAX } else { NEARLY_BACK };
        let mut game = game.boxed_clone();
        for ply in 0..=back {
            if self.is_running(&Standing::layouts(setup, game.as_ref()), ply <= nearly) {
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
            self.enter(&state.id, &Standing::of(&state.setup, state.game.as_ref()), state.setup.rated);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn has(&self, key: u64) -> bool {
        self.counts.contains_key(&key)
    }

    fn add(&mut self, key: u64) {
        *self.counts.entry(key).or_default() += 1;
        self.held += 1;
    }

    fn take(&mut self, key: u64) {
        if let Some(count) = self.counts.get_mut(&key) {
            *count -= 1;
            self.held -= 1;
            if *count == 0 {
                self.counts.remove(&key);
            }
        }
    }
}

impl Known {
    fn forget_near(&mut self, moment: u64) {
        for key in self.near.remove(&moment).unwrap_or_default() {
            self.near_keys.take(key);
        }
    }

    fn end(&mut self, table: &str) {
        if let Some(game) = self.games.remove(table) {
            game.positions.into_iter().for_each(|key| self.positions.take(key));
            game.near.into_iter().for_each(|moment| self.forget_near(moment));
        }
    }

    fn tidy(&mut self) {
        while self.near_keys.held > NEARLY_KEYS {
            let Some((&oldest, _)) = self.near.first_key_value() else { break };
            self.forget_near(oldest);
        }
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

/// Tells whether that position, in one of its layouts, is one move away from where two people play at this table now,
/// under `setup`'s rules.
#[must_use]
pub fn is_next(state: &State, setup: &Setup, layouts: &[Standing], from_ply: usize) -> bool {
    let family = |setup: &Setup| setup.game.split('/').next().map(str::to_owned);
    let same = (family(&state.setup), &state.setup.map) == (family(setup), &setup.map);
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
        let found = played && {
            let whole = Standing::of(&state.setup, game.as_ref()).whole;
            layouts.iter().any(|laid| laid.whole == whole)
        };
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

    fn key(n: u64) -> Standing {
        Standing { whole: n, pieces: Vec::new() }
    }

    impl RunningPositions {
        fn knows(&self, n: u64) -> bool {
            self.is_running(&[key(n)], false)
        }
    }

    #[test]
    fn positions_are_known_while_their_games_run() {
        let running = RunningPositions::default();
        running.enter("a", &key(1), false);
        running.enter("b", &key(1), false);
        running.enter("a", &key(2), false);
        assert!(running.knows(1) && running.knows(2) && !running.knows(3));
        running.leave("a");
        assert!(running.knows(1), "the other game stands there");
        assert!(!running.knows(2));
        running.leave("b");
        running.leave("b");
        assert!(running.is_empty());
    }

    #[test]
    fn a_long_game_is_remembered_by_its_last_positions() {
        let running = RunningPositions::default();
        for n in 0..10_000 {
            running.enter("a", &key(n), false);
        }
        assert!(running.knows(9_999) && running.knows(9_984));
        assert!(!running.knows(9_983));
        assert_eq!(running.lock().queue.len(), 1);
        running.leave("a");
        assert!(running.is_empty());
    }

    /// A table is played at again and again; what is over leaves nothing that grows.
    #[test]
    fn games_that_are_over_take_no_room() {
        let running = RunningPositions::default();
        for n in 0..10_000 {
            running.enter("a", &key(n), false);
            running.leave("a");
        }
        running.enter("a", &key(1), false);
        assert!(running.lock().queue.len() < 100);
        running.leave("a");
        assert!(running.is_empty());
    }

    #[test]
    fn the_game_that_moved_longest_ago_is_forgotten_first() {
        let running = RunningPositions::default();
        let games = GAMES as u64;
        for n in 0..games {
            running.enter(&n.to_string(), &key(n), false);
        }
        running.enter("0", &key(games), false);
        running.enter("new", &key(games + 1), false);
        assert!(!running.knows(1), "of the second");
        assert!(running.knows(0) && running.knows(2) && running.knows(games + 1));
    }

    /// Of a rated game a part from long ago is no more anybody's business than the last moves.
    #[test]
    fn a_rated_game_is_remembered_whole() {
        let running = RunningPositions::default();
        for n in 0..400 {
            running.enter("a", &key(n), true);
        }
        assert!((0..400).all(|n| running.knows(n)));
        for n in 400..10_000 {
            running.enter("a", &key(n), true);
        }
        assert!(!running.knows(8_000) && running.knows(9_001), "bounded");
        running.leave("a");
        assert!(running.is_empty());
    }

    fn stands(keys: &[u64]) -> Standing {
        Standing {
            whole: keys.iter().fold(0, |sum, key| sum + (1 << key)),
            pieces: keys.iter().map(|key| 1 << key).collect(),
        }
    }

    /// A2: with one edge pawn less it was another position.
    #[test]
    fn what_is_one_piece_away_is_known_too() {
        let running = RunningPositions::default();
        running.enter("a", &stands(&[1, 2, 3, 4]), true);
        for (name, keys, known) in [
            ("the same", vec![1, 2, 3, 4], true),
            ("one less", vec![1, 2, 4], true),
            ("one more", vec![1, 2, 3, 4, 9], true),
            ("one elsewhere", vec![1, 2, 3, 9], true),
            ("two less", vec![1, 2], false),
            ("two elsewhere", vec![1, 2, 8, 9], false),
        ] {
            assert_eq!(running.is_running(&[stands(&[20]), stands(&keys)], true), known, "{name}");
            assert_eq!(running.is_running(&[stands(&keys)], false), name == "the same", "{name}");
        }
        running.enter("a", &stands(&[1, 2, 3, 5]), true);
        running.enter("a", &stands(&[1, 2, 6, 5]), true);
        assert!(!running.is_running(&[stands(&[1, 2, 4])], true), "two plies ago is remembered whole only");
        running.leave("a");
        let known = running.lock();
        assert!(known.near.is_empty() && known.near_keys.counts.is_empty() && known.near_keys.held == 0);
    }

    /// Keys of positions without a piece are many; they have a bound of their own.
    #[test]
    fn what_is_nearly_the_same_takes_bounded_room() {
        let running = RunningPositions::default();
        let pieces: Vec<u64> = (1..=20).collect();
        for n in 0..250_u64 {
            let standing = Standing { whole: n << 32, pieces: pieces.clone() };
            running.enter(&n.to_string(), &standing, false);
        }
        let known = running.lock();
        assert!(known.near_keys.held <= NEARLY_KEYS && known.near.len() < 250);
        assert_eq!(known.games.len(), 250, "the positions themselves are all there");
    }
}
