//! `qiguan.Game`: a game of any kind with its past.

use std::path::PathBuf;

use kernel::numbers::{NO_ACTION, shape};
use kernel::{AnyGame, Fact, Outcome, Problem, Side};
use numpy::{IntoPyArray, PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use records::{Files, MapOf};

use crate::problem::{not_played, raised, refused};
use crate::record::Record;
use crate::setup::Setup;

/// The number of plies after which the memory of early positions is given back.
const COMPACT_EVERY: usize = 16;

/// A game of any kind with its past.
///
/// `name` is a key of `qiguan.games()`, a family (its first game) or a variant alone: `draughts/russian`, `gomoku`, `renju`.
/// `fen` is where it begins; usually the usual start. Other keywords are options of the game: `Game("gomoku", size=15)`.
///
/// `map` is for Jingbanqi: the path of a workbook, its bytes, or the name of a built-in map; `extensions` are paths of its
/// extensions, which the program `qiguan` runs in locked worker processes: `program`, or that of the variable QIGUAN, or
/// `qiguan` on PATH.
///
/// Raises UnknownGameError, FenError, MapError, ExtensionError, or RequestError for an option that does not fit.
///
/// Games can be copied, deep-copied and pickled; the past comes along. Used by two threads at once, calls wait for the
/// GIL; in a forked process a game with extensions starts workers of its own.
#[pyclass(module = "qiguan", name = "Game", weakref)]
pub struct Game {
    pub setup: Setup,
    pub game: Box<dyn AnyGame>,
}

impl Game {
    pub fn opened(py: Python<'_>, setup: Setup, fen: Option<&str>) -> PyResult<Game> {
        let game = setup.open(fen).map_err(|(kind, p)| raised(py, kind, &p))?;
        Ok(Game { setup, game })
    }

    fn played(&mut self) {
        if self.game.plies().is_multiple_of(COMPACT_EVERY) {
            self.game.compact();
        }
    }

    /// Returns the index of the legal move that has that action.
    fn nth(&self, py: Python<'_>, action: i64) -> PyResult<usize> {
        if let Some(outcome) = self.game.outcome() {
            return Err(not_played(py, kernel::PlayError::GameOver(outcome)));
        }
        let mut actions = Vec::new();
        self.game.legal_actions(&mut actions);
        let wanted = u32::try_from(action).ok().filter(|&wanted| wanted != NO_ACTION);
        let found = actions.iter().position(|&legal| Some(legal) == wanted);
        found.ok_or_else(|| {
            let problem = Problem::new("action-not-legal").with("action", action);
            raised(py, "illegal-move", &problem.with("actions", self.game.actions()))
        })
    }

    /// Returns the complete record, from which the same game can be made again.
    pub fn whole_record(&self) -> records::Record {
        let mut record = records::Record::of(self.setup.entry.key, self.game.as_ref());
        record.options.clone_from(&self.setup.options);
        record.map = self.setup.package().map(|package| MapOf {
            files: Some(Files { map: package.map.clone(), extensions: package.extensions.clone() }),
            ..MapOf::default()
        });
        record
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (name, fen = None, *, map = None, extensions = None, program = None, **options))]
    fn new(
        py: Python<'_>,
        name: &str,
        fen: Option<&str>,
        map: Option<&Bound<'_, PyAny>>,
        extensions: Option<Vec<PathBuf>>,
        program: Option<PathBuf>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Game> {
        let setup = Setup::of(py, name, options, map, extensions, program)?;
        Game::opened(py, setup, fen)
    }

    /// The key of the game: `gomoku/renju`.
    #[getter]
    fn key(&self) -> &'static str {
        self.setup.entry.key
    }

    /// The part of the key before the `/`.
    #[getter]
    fn family(&self) -> &'static str {
        self.setup.entry.family
    }

    /// Every option with its value.
    #[getter]
    fn options(&self) -> std::collections::BTreeMap<String, i64> {
        self.setup.options.clone()
    }

    /// The names of the sides, in order of moving: `('red', 'black')`.
    #[getter]
    fn sides(&self) -> (&'static str, &'static str) {
        self.setup.entry.sides.into()
    }

    /// The side to move: 0 for the one that moves first in the usual start, 1 for the other.
    #[getter]
    fn turn(&self) -> usize {
        self.game.turn().index()
    }

    /// The number of moves played.
    #[getter]
    fn ply(&self) -> usize {
        self.game.plies()
    }

    /// The position as one line of text (docs/rules).
    #[getter]
    fn fen(&self) -> String {
        self.game.fen()
    }

    /// The position the game began with.
    #[getter]
    fn start_fen(&self) -> String {
        self.game.start_fen()
    }

    /// 64 bits, equal whenever the rules call two positions the same; equal on every machine.
    #[getter]
    fn position_key(&self) -> u64 {
        self.game.key()
    }

    /// The moves from the start, as machine texts.
    #[getter]
    fn record(&self) -> Vec<String> {
        self.game.record()
    }

    /// The outcome of the game, repetition included; None while it goes on.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.game.outcome().map(|outcome| told(py, outcome)).transpose()
    }

    /// The legal moves as machine texts, in the game's own order; none once the game is over.
    fn moves(&self) -> Vec<String> {
        self.game.moves()
    }

    /// Plays a move, written as players write it, and returns its machine text.
    ///
    /// Raises IllegalMoveError with the reason, GameOverError after the end; nothing has changed then.
    fn play(&mut self, py: Python<'_>, text: &str) -> PyResult<String> {
        self.game.play(text).map_err(|e| not_played(py, e))?;
        self.played();
        Ok(self.game.last_move().unwrap_or_default())
    }

    /// The machine text of the legal move that `text` names. Plays nothing; raises as `play`.
    fn read(&self, py: Python<'_>, text: &str) -> PyResult<String> {
        self.game.read(text).map_err(|e| not_played(py, e))
    }

    /// Takes the last move back and returns it; None at the start.
    fn undo(&mut self) -> Option<String> {
        let last = self.game.last_move();
        if self.game.undo() { last } else { None }
    }

    /// The notations that players of this game read, the usual one first: `['chinese', 'wxf', 'iccs']`.
    #[getter]
    fn notations(&self) -> Vec<&'static str> {
        self.game.notations().to_vec()
    }

    /// Other names of each legal move, by notation.
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (text, names) in self.game.texts() {
            let named = PyDict::new(py);
            for (notation, name) in names {
                named.set_item(notation, name)?;
            }
            all.set_item(text, named)?;
        }
        Ok(all)
    }

    /// The moves from the start in that notation; machine texts without one. Raises ValueError for an unknown one.
    #[pyo3(signature = (notation = None))]
    fn names(&self, notation: Option<&str>) -> PyResult<Vec<String>> {
        let Some(wanted) = notation else { return Ok(self.game.record()) };
        let all = self.game.notations();
        let place = all.iter().position(|known| *known == wanted).ok_or_else(|| {
            let known = all.join(", ");
            PyValueError::new_err(format!(
                "no notation {wanted:?} in {}; there are: {known}",
                self.setup.entry.key
            ))
        })?;
        Ok(self.game.names().into_iter().map(|mut names| names.swap_remove(place)).collect())
    }

    /// Moves that may be played but lose by the rules, with the reason (renju).
    fn forbidden(&self) -> std::collections::BTreeMap<String, &'static str> {
        self.game.forbidden().into_iter().collect()
    }

    /// Other facts about the game, by name: docs/referee.md.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        for (name, value) in self.game.facts() {
            facts.set_item(name, fact(py, value)?)?;
        }
        Ok(facts)
    }

    /// The pieces on the board: place, owner (None: neutral) and face, by rising cell.
    fn pieces(&self) -> Vec<(String, Option<usize>, String)> {
        let board = self.game.board();
        let pieces = self.game.view().pieces;
        pieces
            .into_iter()
            .map(|p| (board.name(p.at), p.owner.map(Side::index), p.face.into_owned()))
            .collect()
    }

    /// The number of move paths of that length; draws that are declared do not end a path.
    ///
    /// The GIL is free meanwhile; Ctrl-C ends it. Raises LimitError
    /// when it would be more than 2e10 plies, or deeper than 1000.
    #[pyo3(signature = (depth, *, threads = 1))]
    fn perft(slf: &Bound<'_, Self>, depth: u32, threads: usize) -> PyResult<u64> {
        // The copy is counted, so that other threads have the game meanwhile.
        let (py, game) = (slf.py(), slf.borrow().game.boxed_clone());
        let mut interrupted = None;
        let counted = py.detach(|| {
            referee::perft(game.as_ref(), depth, threads.clamp(1, 256), || {
                interrupted = Python::attach(|py| py.check_signals()).err();
                interrupted.is_none()
            })
        });
        match (interrupted, counted) {
            (Some(error), _) => Err(error),
            (None, Err(refusal)) => Err(refused(py, &refusal)),
            (None, Ok(nodes)) => Ok(nodes.unwrap_or_default()),
        }
    }

    // What learners see.

    /// The number of actions the game has, in all its positions: docs/python.md.
    #[getter]
    fn actions(&self) -> u32 {
        self.game.actions()
    }

    /// The actions that are legal now, in the order of `moves()`. Shape (number of moves,), int64.
    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let mut actions = Vec::new();
        self.game.legal_actions(&mut actions);
        let legal: Vec<i64> = actions.into_iter().filter(|&a| a != NO_ACTION).map(i64::from).collect();
        legal.into_pyarray(py)
    }

    /// 1 for each action that is legal now. Shape (actions,), int8.
    #[getter]
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mut mask = vec![0; self.game.actions() as usize];
        let mut actions = Vec::new();
        self.game.legal_actions(&mut actions);
        for action in actions.into_iter().filter(|&action| action != NO_ACTION) {
            mask[action as usize] = 1;
        }
        mask.into_pyarray(py)
    }

    /// The action of a legal move; None where it has none. Raises as `play`.
    fn action(&self, py: Python<'_>, text: &str) -> PyResult<Option<u32>> {
        let read = self.read(py, text)?;
        let mut actions = Vec::new();
        self.game.legal_actions(&mut actions);
        let mut pairs = self.game.moves().into_iter().zip(actions);
        Ok(pairs.find(|(legal, _)| *legal == read).map(|(_, action)| action).filter(|&a| a != NO_ACTION))
    }

    /// The machine text of a legal action. Raises IllegalMoveError, GameOverError.
    fn text_of(&self, py: Python<'_>, action: i64) -> PyResult<String> {
        let nth = self.nth(py, action)?;
        Ok(self.game.moves().swap_remove(nth))
    }

    /// Plays a legal action. Raises IllegalMoveError, GameOverError; nothing has changed then.
    fn play_action(&mut self, py: Python<'_>, action: i64) -> PyResult<()> {
        let nth = self.nth(py, action)?;
        self.game.play_nth(nth);
        self.played();
        Ok(())
    }

    /// The names of the planes of an observation: `first:chariot` …, `turn`, `step`, `chosen`, `counter`,
    /// `stood-before`.
    #[getter]
    fn planes(&self) -> Vec<String> {
        plane_names(self.game.as_ref())
    }

    /// Planes, ranks, files.
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        shape(self.game.as_ref()).into()
    }

    /// The position as planes: shape (planes, ranks, files), float32 from 0 to 1, the top rank first, seen by the side
    /// that moves first.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let [planes, ranks, files] = shape(self.game.as_ref());
        let mut out = vec![0.0; planes * ranks * files];
        self.game.planes(&self.game.faces(), ranks * files, &mut out);
        out.into_pyarray(py).reshape([planes, ranks, files])
    }

    // Records, copies, pickles.

    /// The game as a record, with its map where it has one.
    fn to_record(&self) -> Record {
        self.whole_record().into()
    }

    /// The game as a file. Raises RecordError for a format that does not hold this game.
    #[pyo3(signature = (format = "json"))]
    fn dump<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, pyo3::types::PyBytes>> {
        self.to_record().write(py, format, None)
    }

    /// A game with the same past, which goes its own way.
    fn copy(&self) -> Game {
        Game { setup: self.setup.clone(), game: self.game.boxed_clone() }
    }

    fn __copy__(&self) -> Game {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.copy()
    }

    #[expect(clippy::type_complexity, reason = "a tuple of Python")]
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, Option<PathBuf>))> {
        let again = py.import("qiguan._qiguan")?.getattr("_unpickled")?;
        Ok((again, (records::json::write(&self.whole_record()), self.setup.program().cloned())))
    }

    fn __repr__(&self) -> String {
        let end = self.game.outcome().map_or(String::new(), |outcome| format!(" {}", outcome.reason()));
        format!("<qiguan.Game {} ply {}{end} {:?}>", self.setup.entry.key, self.game.plies(), self.game.fen())
    }
}

/// A game from its pickle.
#[pyfunction]
pub fn _unpickled(py: Python<'_>, text: &str, program: Option<PathBuf>) -> PyResult<Game> {
    let record = records::json::read(text).map_err(|p| raised(py, "bad-record", &p))?;
    let mut game = Record::from(record).replay(py, None, None, program)?;
    game.game.compact();
    Ok(game)
}

/// The names of the planes, in their order: `first:chariot`, `turn`.
pub fn plane_names(game: &dyn AnyGame) -> Vec<String> {
    let owner = |side: Option<Side>| match side {
        Some(Side::First) => "first",
        Some(Side::Second) => "second",
        None => "nobody",
    };
    let named = |(side, face): kernel::numbers::Face| {
        let face = if face.is_empty() { "other" } else { &*face };
        format!("{}:{face}", owner(side))
    };
    let extra = kernel::numbers::EXTRA_PLANES.iter().map(|name| (*name).to_owned());
    game.faces().into_iter().map(named).chain(extra).collect()
}

/// A `qiguan.Outcome`.
pub fn told(py: Python<'_>, outcome: Outcome) -> PyResult<Bound<'_, PyAny>> {
    let kind = match outcome {
        Outcome::Win(..) => "win",
        Outcome::Draw(_) => "draw",
        Outcome::Void(_) => "void",
    };
    let class = py.import("qiguan._types")?.getattr("Outcome")?;
    class.call1((kind, outcome.winner().map(Side::index), outcome.reason()))
}

fn fact(py: Python<'_>, value: Fact) -> PyResult<Bound<'_, PyAny>> {
    Ok(match value {
        Fact::Flag(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        Fact::Count(count) => count.into_pyobject(py)?.into_any(),
        Fact::Text(text) => text.into_pyobject(py)?.into_any(),
        Fact::List(list) => {
            let list: Vec<_> = list.into_iter().map(|value| fact(py, value)).collect::<PyResult<_>>()?;
            PyList::new(py, list)?.into_any()
        }
        Fact::Named(pairs) => {
            let named = PyDict::new(py);
            for (name, value) in pairs {
                named.set_item(name, fact(py, value)?)?;
            }
            named.into_any()
        }
    })
}
