//! `qiguan.Batch`: many games of one kind in one call, arrays in and arrays out, on all cores and without the GIL.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use kernel::numbers::{Face, NO_ACTION, Numbered, shape};
use kernel::threads::spread;
use kernel::{Problem, Side};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::game::{Game, plane_names};
use crate::problem::raised;
use crate::setup::{Setup, of_type};

/// Games of one batch at most.
const MOST_GAMES: usize = 1 << 20;
/// Numbers of one array at most: 4 GiB of them.
const MOST_NUMBERS: usize = 1 << 30;
/// A thread is worth its start for as many games.
const GAMES_A_THREAD: usize = 64;
/// The number of plies after which the memory of early positions is given back.
const COMPACT_EVERY: usize = 16;

/// Many games of one kind that are played together: arrays in, arrays out, no Python object for a move.
///
/// Work is spread over `threads` (0: all cores) without the GIL. A batch is used by one thread of Python at a time; another
/// gets RuntimeError. `seed` decides what `sample` draws. Games of `max_plies` plies (0: without end) are cut off.
/// `name`, `fen`, `map`, `extensions`, `program` and options are those of `Game`.
///
/// Raises ValueError unless 1 <= games <= 1 048 576, and what `Game` raises.
#[pyclass(module = "qiguan", name = "Batch", weakref)]
pub struct Batch {
    setup: Setup,
    start: Box<dyn Numbered>,
    slots: Vec<Slot>,
    threads: usize,
    most_plies: usize,
    actions: usize,
    faces: Vec<Face>,
    shape: [usize; 3],
}

/// One of the games, and what it can do now.
struct Slot {
    game: Box<dyn Numbered>,
    /// Over by the rules, or cut off.
    over: bool,
    random: Random,
    /// The number of the move that the call at hand plays.
    nth: usize,
}

/// The result of a ply.
#[derive(Clone, Copy, Default)]
struct PlyResult {
    rewards: [f32; 2],
    ended: bool,
    cut: bool,
}

impl Batch {
    /// Calls `work` with each game, on several threads where that is worth it.
    fn each(&mut self, work: impl Fn(&mut Slot) + Sync) {
        let chunk = chunk(self.slots.len(), self.threads);
        spread(self.threads, self.slots.chunks_mut(chunk), |slots| slots.iter_mut().for_each(&work));
    }

    /// Finds the number of the move that each action is; or the first game and its action that is not legal there.
    fn find(&mut self, actions: &[i64]) -> Option<(usize, i64)> {
        let chunk = chunk(self.slots.len(), self.threads);
        let refused = AtomicUsize::new(usize::MAX);
        let parts = self.slots.chunks_mut(chunk).zip(actions.chunks(chunk)).enumerate();
        spread(self.threads, parts, |(part, (slots, actions))| {
            if let Some(nth) = slots.iter_mut().zip(actions).position(|(slot, &action)| !slot.find(action)) {
                refused.fetch_min(part * chunk + nth, Ordering::Relaxed);
            }
        });
        let nth = refused.into_inner();
        Some((nth, *actions.get(nth)?))
    }

    /// Plays the moves that were found; what they came to.
    fn play(&mut self, anew: bool) -> (Vec<f32>, Vec<bool>, Vec<bool>) {
        let games = self.slots.len();
        let (mut rewards, mut ended, mut cut) =
            (vec![0.0; 2 * games], vec![false; games], vec![false; games]);
        let (chunk, most_plies) = (chunk(games, self.threads), self.most_plies);
        let told = rewards.chunks_mut(2 * chunk).zip(ended.chunks_mut(chunk)).zip(cut.chunks_mut(chunk));
        let parts = self.slots.chunks_mut(chunk).zip(told);
        spread(self.threads, parts, |(slots, ((rewards, ended), cut))| {
            for (i, slot) in slots.iter_mut().enumerate() {
                let told = slot.play(most_plies, anew);
                rewards[2 * i..2 * i + 2].copy_from_slice(&told.rewards);
                (ended[i], cut[i]) = (told.ended, told.cut);
            }
        });
        (rewards, ended, cut)
    }

    /// An array with `width` numbers for each game, filled by `write` game by game.
    fn rows<T: Copy + Default + Send>(
        &self,
        width: usize,
        write: impl Fn(&Slot, &mut [T]) + Sync,
    ) -> Result<Vec<T>, Problem> {
        let most = Problem::new("batch-too-large").with("numbers", width * self.slots.len());
        if width * self.slots.len() > MOST_NUMBERS {
            return Err(most.with("most", MOST_NUMBERS));
        }
        let mut out = vec![T::default(); width * self.slots.len()];
        let chunk = chunk(self.slots.len(), self.threads);
        let parts = self.slots.chunks(chunk).zip(out.chunks_mut(chunk * width));
        spread(self.threads, parts, |(slots, out)| {
            slots.iter().zip(out.chunks_exact_mut(width)).for_each(|(slot, row)| write(slot, row));
        });
        Ok(out)
    }

    /// One number for each game.
    fn column<T: Copy + Default + Send>(&self, value: impl Fn(&Slot) -> T) -> Vec<T> {
        self.slots.iter().map(value).collect()
    }

    fn slot(&self, index: usize) -> PyResult<&Slot> {
        let most = self.slots.len();
        self.slots.get(index).ok_or_else(|| PyIndexError::new_err(format!("no game {index} among {most}")))
    }
}

/// Returns the number of games for each thread.
fn chunk(games: usize, threads: usize) -> usize {
    let threads = threads.min(games / GAMES_A_THREAD).max(1);
    games.div_ceil(threads).max(1)
}

impl Slot {
    fn new(start: &dyn Numbered, seed: u64, nth: usize) -> Slot {
        let game = start.boxed_clone();
        let over = game.actions().is_empty();
        Slot { game, over, random: Random::of(seed, nth), nth: 0 }
    }

    /// The action of each legal move; none where the game is over or cut off.
    fn legal(&self) -> &[u32] {
        if self.over { &[] } else { self.game.actions() }
    }

    /// Stands at the start again, whatever ended the game.
    fn rewind(&mut self) {
        self.game.rewind();
        self.over = self.game.actions().is_empty();
    }

    /// Finds the move that is this action; false where there is none. A game that is over ignores its action.
    fn find(&mut self, action: i64) -> bool {
        if self.over {
            return true;
        }
        let wanted = u32::try_from(action).ok().filter(|&wanted| wanted != NO_ACTION);
        let found = wanted.and_then(|wanted| self.legal().iter().position(|&legal| legal == wanted));
        self.nth = found.unwrap_or(usize::MAX);
        found.is_some()
    }

    /// Plays the move that was found; starts a new game where that ended the game, if asked to.
    fn play(&mut self, most_plies: usize, anew: bool) -> PlyResult {
        let mut told = PlyResult::default();
        if self.over {
            return told;
        }
        self.game.play_nth(self.nth);
        if self.game.game().plies().is_multiple_of(COMPACT_EVERY) {
            self.game.compact();
        }
        let game = self.game.game();
        if self.game.actions().is_empty() {
            (self.over, told.ended) = (true, true);
            told.rewards = match game.outcome().and_then(kernel::Outcome::winner) {
                Some(Side::First) => [1.0, -1.0],
                Some(Side::Second) => [-1.0, 1.0],
                None => [0.0, 0.0],
            };
        } else if most_plies > 0 && game.plies() >= most_plies {
            (self.over, told.cut) = (true, true);
        }
        if anew && self.over {
            self.rewind();
        }
        told
    }

    /// A legal action by chance, if any move has one.
    fn any(&mut self) -> Option<u32> {
        if self.over {
            return None;
        }
        let legal = self.game.actions();
        let action = legal[self.random.below(legal.len())];
        if action != NO_ACTION {
            return Some(action);
        }
        legal.iter().copied().find(|&action| action != NO_ACTION)
    }
}

/// Numbers by chance, the same for the same seed on every machine (SplitMix64, public domain).
struct Random(u64);

impl Random {
    /// Returns the random numbers of one game of a batch. Its number is mixed: states that differ by a few steps
    /// would draw the same numbers, one game a few plies behind another.
    fn of(seed: u64, nth: usize) -> Random {
        Random(mixed(seed ^ mixed(nth as u64 + 1)))
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        ((u128::from(mixed(self.0)) * n as u128) >> 64) as usize
    }
}

/// The finaliser of SplitMix64.
const fn mixed(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Actions as a one-dimensional array of whole numbers, or a list of them.
fn actions_of(actions: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    if let Ok(array) = actions.extract::<PyReadonlyArray1<'_, i64>>() {
        return Ok(array.as_array().to_vec());
    }
    if let Ok(array) = actions.extract::<PyReadonlyArray1<'_, i32>>() {
        return Ok(array.as_array().iter().map(|&action| action.into()).collect());
    }
    actions.extract().map_err(|_| {
        let found = of_type(actions);
        PyTypeError::new_err(format!(
            "actions are a one-dimensional array of int64 or int32, or a list of int, not {found}"
        ))
    })
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (
        name, games, fen = None, *, seed = 0, threads = 0, max_plies = 0, map = None, extensions = None, program = None,
        **options
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        py: Python<'_>,
        name: &str,
        games: usize,
        fen: Option<&str>,
        seed: u64,
        threads: usize,
        max_plies: usize,
        map: Option<&Bound<'_, PyAny>>,
        extensions: Option<Vec<PathBuf>>,
        program: Option<PathBuf>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Batch> {
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(PyValueError::new_err(format!("games must be 1 to {MOST_GAMES}, not {games}")));
        }
        let Game { setup, game: start } =
            Game::opened(py, Setup::of(py, name, options, map, extensions, program)?, fen)?;
        let start = start.numbered();
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let threads = if threads == 0 { cores } else { threads.min(256) };
        let (actions, faces, shape) =
            (start.game().actions() as usize, start.game().faces(), shape(start.game()));
        let slots = py.detach(|| (0..games).map(|nth| Slot::new(start.as_ref(), seed, nth)).collect());
        Ok(Batch { setup, start, slots, threads, most_plies: max_plies, actions, faces, shape })
    }

    fn __len__(&self) -> usize {
        self.slots.len()
    }

    /// The key of the game.
    #[getter]
    fn key(&self) -> &'static str {
        self.setup.entry.key
    }

    /// The number of actions the game has.
    #[getter]
    fn actions(&self) -> usize {
        self.actions
    }

    /// The names of the planes of an observation.
    #[getter]
    fn planes(&self) -> Vec<String> {
        plane_names(self.start.game())
    }

    /// Planes, ranks, files.
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        self.shape.into()
    }

    /// Starts all games again; with a seed, the random numbers of `sample` start again, too.
    #[pyo3(signature = (seed = None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) {
        py.detach(|| {
            self.each(Slot::rewind);
            if let Some(seed) = seed {
                for (nth, slot) in self.slots.iter_mut().enumerate() {
                    slot.random = Random::of(seed, nth);
                }
            }
        });
    }

    /// Plays an action in each game. Shape of `actions`: (games,); games that are over ignore theirs.
    ///
    /// Returns rewards (games, 2) float32, 1 for the winner, -1 for the loser and 0 else, in the order of moving; whether
    /// the game ended with this ply, (games,) bool; whether it was cut off for its length, (games,) bool. With `autoreset`
    /// such games stand at their start already, otherwise they are `over`.
    ///
    /// Raises IllegalMoveError for the first action that is not legal, TypeError and ValueError for another type or shape;
    /// nothing was played then.
    #[pyo3(signature = (actions, *, autoreset = true))]
    #[expect(clippy::type_complexity, reason = "arrays of Python")]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
        autoreset: bool,
    ) -> PyResult<(Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>)> {
        let actions = actions_of(actions)?;
        if actions.len() != self.slots.len() {
            let (found, games) = (actions.len(), self.slots.len());
            return Err(PyValueError::new_err(format!("{found} actions for {games} games")));
        }
        let played = py.detach(|| match self.find(&actions) {
            Some(refused) => Err(refused),
            None => Ok(self.play(autoreset)),
        });
        let (rewards, ended, cut) = played.map_err(|(nth, action)| {
            let problem = Problem::new("batch-action-not-legal").with("action", action).with("game", nth);
            raised(py, "illegal-move", &problem)
        })?;
        let rewards = rewards.into_pyarray(py).reshape([self.slots.len(), 2])?;
        Ok((rewards, ended.into_pyarray(py), cut.into_pyarray(py)))
    }

    /// A legal action by chance in each game, -1 where it is over. Shape (games,), int64.
    fn sample<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let drawn = py.detach(|| {
            let chunk = chunk(self.slots.len(), self.threads);
            let mut out = vec![0; self.slots.len()];
            let parts = self.slots.chunks_mut(chunk).zip(out.chunks_mut(chunk));
            spread(self.threads, parts, |(slots, out)| {
                for (slot, out) in slots.iter_mut().zip(out) {
                    *out = slot.any().map_or(-1, i64::from);
                }
            });
            out
        });
        drawn.into_pyarray(py)
    }

    /// 1 for each legal action. Shape (games, actions), int8. Raises LimitError for more than 2**30 numbers.
    fn legal_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let mask = py.detach(|| {
            self.rows(self.actions, |slot, row: &mut [i8]| {
                slot.legal().iter().filter(|&&action| action != NO_ACTION).for_each(|&a| row[a as usize] = 1);
            })
        });
        let mask = mask.map_err(|p| raised(py, "limit", &p))?;
        mask.into_pyarray(py).reshape([self.slots.len(), self.actions])
    }

    /// All legal actions one after another, and where they begin: those of game i are flat[ends[i]:ends[i + 1]].
    /// Shapes (all,) and (games + 1,), int64.
    fn legal_actions<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>) {
        let (mut flat, mut ends) = (Vec::new(), vec![0]);
        for slot in &self.slots {
            flat.extend(slot.legal().iter().filter(|&&action| action != NO_ACTION).map(|&a| i64::from(a)));
            ends.push(flat.len() as i64);
        }
        (flat.into_pyarray(py), ends.into_pyarray(py))
    }

    /// The positions as planes, as `Game.observation`. Shape (games, planes, ranks, files), float32.
    fn observe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray4<f32>>> {
        let [planes, ranks, files] = self.shape;
        let cells = ranks * files;
        let seen = py.detach(|| {
            self.rows(planes * cells, |slot, row: &mut [f32]| {
                slot.game.game().planes(&self.faces, cells, row)
            })
        });
        let seen = seen.map_err(|p| raised(py, "limit", &p))?;
        seen.into_pyarray(py).reshape([self.slots.len(), planes, ranks, files])
    }

    /// The side to move in each game, 0 or 1. Shape (games,), int8.
    #[getter]
    fn turn<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        self.column(|slot| slot.game.game().turn().index() as i8).into_pyarray(py)
    }

    /// The number of moves played in each game. Shape (games,), int64.
    #[getter]
    fn ply<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.column(|slot| slot.game.game().plies() as i64).into_pyarray(py)
    }

    /// True for games that are over or cut off. Shape (games,), bool.
    #[getter]
    fn over<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.column(|slot| slot.over).into_pyarray(py)
    }

    /// The positions as text.
    fn fens(&self) -> Vec<String> {
        self.slots.iter().map(|slot| slot.game.game().fen()).collect()
    }

    /// A copy of one game. Raises IndexError.
    fn game(&self, index: usize) -> PyResult<Game> {
        Ok(Game { setup: self.setup.clone(), game: self.slot(index)?.game.game().boxed_clone() })
    }

    fn __repr__(&self) -> String {
        format!("<qiguan.Batch {} games of {}>", self.slots.len(), self.setup.entry.key)
    }
}
