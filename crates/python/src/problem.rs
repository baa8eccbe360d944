//! Problems as Python exceptions: the referee's kinds are classes, its words are their text.

use kernel::{PlayError, Problem};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use texts::Language;

/// The kinds of `docs/referee.md` and the classes of `qiguan._errors` that stand for them; `bad-record` is ours.
const CLASSES: [(&str, &str); 9] = [
    ("bad-request", "RequestError"),
    ("unknown-game", "UnknownGameError"),
    ("bad-fen", "FenError"),
    ("bad-map", "MapError"),
    ("bad-extension", "ExtensionError"),
    ("illegal-move", "IllegalMoveError"),
    ("game-over", "GameOverError"),
    ("limit", "LimitError"),
    ("bad-record", "RecordError"),
];

/// The exception for a problem of that kind.
pub fn raised(py: Python<'_>, kind: &'static str, problem: &Problem) -> PyErr {
    made(py, kind, problem).unwrap_or_else(|failed| failed)
}

fn made(py: Python<'_>, kind: &'static str, problem: &Problem) -> PyResult<PyErr> {
    let class = CLASSES.iter().find(|(known, _)| *known == kind).map_or("QiguanError", |(_, class)| class);
    let class = py.import("qiguan._errors")?.getattr(class)?;
    let error = class.call1((texts::problem(Language::English, problem),))?;
    let facts = PyDict::new(py);
    for (name, value) in &problem.args {
        facts.set_item(name, value)?;
    }
    error.setattr("kind", kind)?;
    error.setattr("key", problem.key)?;
    error.setattr("facts", facts)?;
    error.setattr("zh", texts::problem(Language::Chinese, problem))?;
    Ok(PyErr::from_value(error))
}

/// The exception for a move that was not played.
pub fn not_played(py: Python<'_>, error: PlayError) -> PyErr {
    let kind = if matches!(error, PlayError::GameOver(_)) { "game-over" } else { "illegal-move" };
    raised(py, kind, &error.problem())
}

/// The exception for what the referee refuses.
pub fn refused(py: Python<'_>, refusal: &referee::Refusal) -> PyErr {
    raised(py, refusal.kind, &refusal.problem)
}
