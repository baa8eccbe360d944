//! `qiguan.engine`: our engine's move.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use referee::Best;
use serde_json::Value;

use crate::game::Game;
use crate::problem::refused;

/// The longest delay before a key press that interrupts is noticed.
const LISTEN: Duration = Duration::from_millis(50);

/// Searches for `qiguan.engine.best`: returns the answer of the referee's `best` as plain Python, `None` when the
/// game is over.
#[pyfunction]
#[pyo3(signature = (game, level, nodes, movetime, depth, lines, seed, threads))]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
pub fn think<'py>(
    py: Python<'py>,
    game: &Bound<'py, Game>,
    level: Option<u8>,
    nodes: Option<u64>,
    movetime: Option<u64>,
    depth: Option<u32>,
    lines: usize,
    seed: u64,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let position = game.borrow().game.boxed_clone();
    let threads = threads.clamp(1, 256);
    let asked = Best {
        nodes,
        ms: movetime,
        depth,
        level,
        seed,
        lines: Some(lines.max(1)),
        threads,
        ..Best::default()
    };
    let stop = asked.stop.clone();
    let mut interrupted = None;
    // Thinks on a thread of its own, so that this one hears of Ctrl-C.
    let answer = py.detach(|| {
        std::thread::scope(|scope| {
            let (send, receive) = sync_channel(1);
            let think = || referee::best(position.as_ref(), &asked);
            let apart = std::thread::Builder::new().spawn_scoped(scope, move || send.send(think()));
            if apart.is_err() {
                return Some(think());
            }
            loop {
                match receive.recv_timeout(LISTEN) {
                    Ok(answer) => return Some(answer),
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(error) = Python::attach(|py| py.check_signals()) {
                            interrupted.get_or_insert(error);
                            stop.stop();
                        }
                    }
                }
            }
        })
    });
    match (interrupted, answer) {
        (Some(error), _) => Err(error),
        (None, Some(Err(refusal))) => Err(refused(py, &refusal)),
        (None, Some(Ok(value))) => plain(py, &value),
        (None, None) => Ok(py.None().into_bound(py)),
    }
}

fn plain<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into_pyobject(py)?.into_any(),
            None => number.as_f64().into_pyobject(py)?.into_any(),
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(list) => {
            let list: Vec<_> = list.iter().map(|value| plain(py, value)).collect::<PyResult<_>>()?;
            PyList::new(py, list)?.into_any()
        }
        Value::Object(pairs) => {
            let named = PyDict::new(py);
            for (name, value) in pairs {
                named.set_item(name, plain(py, value)?)?;
            }
            named.into_any()
        }
    })
}
