//! The quick part of the drop-in for the locked chess program: a position, its steps and its variables as Python has them.
//!
//! What a program set itself is checked in Python (`qiguan/locked_chess.py`), which then hands a FEN to [`LockedCore::place`].

use kernel::{Notation, Position, Side};
use locked::json::{axis_name, colour, state_json};
use locked::{Direction, Locked, Move, Square, Step};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySet, PyString, PyTuple};

use crate::problem::raised;

/// A position of locked chess.
#[pyclass(module = "qiguan", name = "LockedCore")]
pub struct LockedCore {
    pos: Locked,
}

fn stone<'py>(py: Python<'py>, at: Square, side: Side) -> PyResult<Bound<'py, PyTuple>> {
    (at.x(), at.y(), colour_of(py, side)).into_pyobject(py)
}

fn colour_of(py: Python<'_>, side: Side) -> Bound<'_, PyString> {
    match side {
        Side::First => pyo3::intern!(py, "黑").clone(),
        Side::Second => pyo3::intern!(py, "白").clone(),
    }
}

fn letter(py: Python<'_>, to: Direction) -> Bound<'_, PyString> {
    match to {
        Direction::Up => pyo3::intern!(py, "u").clone(),
        Direction::Down => pyo3::intern!(py, "d").clone(),
        Direction::Left => pyo3::intern!(py, "l").clone(),
        Direction::Right => pyo3::intern!(py, "r").clone(),
    }
}

/// A direction by its letter, a stone by its tuple; nothing else.
fn read(x: &Bound<'_, PyAny>, side: Side) -> Option<Move> {
    if let Ok(text) = x.cast::<PyString>() {
        return match text.to_str().ok()? {
            "u" => Some(Move::Go(Direction::Up)),
            "d" => Some(Move::Go(Direction::Down)),
            "l" => Some(Move::Go(Direction::Left)),
            "r" => Some(Move::Go(Direction::Right)),
            _ => None,
        };
    }
    let tuple = x.cast::<PyTuple>().ok().filter(|tuple| tuple.len() == 3)?;
    let whole = |i| tuple.get_item(i).ok()?.extract::<u8>().ok();
    let square = Square::new(whole(0)?, whole(1)?)?;
    let last = tuple.get_item(2).ok()?;
    let is_own = last.cast::<PyString>().ok()?.to_str().ok()? == colour(side);
    is_own.then_some(Move::Choose(square))
}

#[pymethods]
impl LockedCore {
    #[new]
    fn new() -> LockedCore {
        LockedCore { pos: Locked::default() }
    }

    fn start(&mut self) {
        self.pos = Locked::default();
    }

    /// Plays an operation; false, with nothing changed, when it is not in the list as it stands there.
    fn play(&mut self, x: &Bound<'_, PyAny>) -> bool {
        let Some(m) = read(x, self.pos.turn()) else { return false };
        let mut moves = Vec::with_capacity(16);
        self.pos.operations(&mut moves);
        let legal = moves.contains(&m);
        if legal {
            self.pos.play(m);
        }
        legal
    }

    fn operations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut moves = Vec::with_capacity(16);
        self.pos.operations(&mut moves);
        let list = PyList::empty(py);
        for m in moves {
            match m {
                Move::Go(to) => list.append(letter(py, to))?,
                Move::Choose(at) => list.append(stone(py, at, self.pos.turn())?)?,
            }
        }
        Ok(list)
    }

    #[getter]
    fn game<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PySet>> {
        let set = PySet::empty(py)?;
        for side in Side::BOTH {
            for at in self.pos.stones(side).by_row() {
                set.add(stone(py, at, side)?)?;
            }
        }
        Ok(set)
    }

    #[getter]
    fn operation_number(&self) -> u8 {
        self.pos.step().number()
    }

    #[getter]
    fn operation_oppsite<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        colour_of(py, self.pos.turn())
    }

    #[getter]
    fn operation_last_direction(&self) -> &'static str {
        axis_name(self.pos.axis())
    }

    #[getter]
    fn choose_chess_locate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.pos.chosen() {
            Some(at) => Ok(stone(py, at, self.pos.turn())?.into_any()),
            None => Ok(pyo3::intern!(py, "无").clone().into_any()),
        }
    }

    fn return_game(&self) -> String {
        state_json(&self.pos)
    }

    /// Takes the choice of a stone back; false at any step but the fourth.
    fn withdraw(&mut self) -> bool {
        if !self.pos.withdraws() {
            return false;
        }
        let own = self.pos.stones(self.pos.turn());
        self.pos = self.pos.further(own, Step::Choose, None, None);
        true
    }

    #[getter]
    fn fen(&self) -> String {
        self.pos.fen()
    }

    /// Sets the position to a FEN, which Python has made of checked variables.
    fn place(&mut self, py: Python<'_>, fen: &str) -> PyResult<()> {
        self.pos = Locked::default().read_fen(fen).map_err(|p| raised(py, "bad-fen", &p))?;
        Ok(())
    }
}
