//! `qiguan.Record`: a recorded game, from one of the formats and into one; and the records of a file, one after another.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::sync::Mutex;

use catalog::maps::Package;
use kernel::Problem;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use records::pgn::Style;
use records::{Format, Games, Manner};

use crate::game::Game;
use crate::problem::raised;
use crate::setup::{Setup, of_type};

/// Records of one list at most. Bytes do not bound them: a position may have two, its record has hundreds.
const MOST_GAMES: usize = 100_000;
/// The bytes of a file that are read at a time; its beginning tells the format.
const AHEAD: usize = 64 << 10;

/// A recorded game. Made by `qiguan.records` and `Game.to_record`; it does not change.
#[pyclass(module = "qiguan", name = "Record", frozen)]
pub struct Record {
    pub record: records::Record,
    /// The problem at which a file's game was cut off.
    pub cut: Option<Problem>,
}

impl From<records::Record> for Record {
    fn from(record: records::Record) -> Record {
        Record { record, cut: None }
    }
}

#[pymethods]
impl Record {
    /// The key of its game.
    #[getter]
    fn game(&self) -> &str {
        &self.record.game
    }

    /// The options it was set up with.
    #[getter]
    fn options(&self) -> std::collections::BTreeMap<String, i64> {
        self.record.options.clone()
    }

    /// The start FEN; None: the usual start.
    #[getter]
    fn start(&self) -> Option<&str> {
        self.record.start.as_deref()
    }

    /// The player of each side, in order of moving; empty where it is not known.
    #[getter]
    fn players(&self) -> (&str, &str) {
        let [first, second] = &self.record.players;
        (first, second)
    }

    /// `first`, `second`, `draw` or `void`; None: the file does not say.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.record.ending.as_ref().map(|ending| ending.score.key())
    }

    /// The reason of the result: a key; empty where the file does not say.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.record.ending.as_ref().map(|ending| ending.reason.as_str())
    }

    /// The day, as much of `2026-11-21` as is known.
    #[getter]
    fn date(&self) -> &str {
        &self.record.date
    }

    /// The clock, in words or figures such as `300+5`.
    #[getter]
    fn clock(&self) -> &str {
        &self.record.clock
    }

    /// The other tags of the file, by PGN's names.
    #[getter]
    fn tags(&self) -> std::collections::BTreeMap<String, String> {
        self.record.tags.clone()
    }

    /// The main line as move texts; `replay` says whether they are legal.
    #[getter]
    fn moves(&self) -> Vec<&str> {
        self.record.tree.main_line().map(|id| self.record.tree[id].text.as_str()).collect()
    }

    /// The same game with its players and day.
    #[pyo3(signature = (first, second, *, date = None))]
    fn by(&self, first: String, second: String, date: Option<String>) -> Record {
        let mut record = self.record.clone();
        record.players = [first, second];
        if let Some(date) = date {
            record.date = date;
        }
        Record { record, cut: self.cut.clone() }
    }

    /// The error that a file's game was cut at, as it would have been raised: what comes before it is here. None: the game
    /// is whole.
    #[getter]
    fn cut(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.cut.as_ref().map(|problem| raised(py, "bad-record", problem).into_value(py).into_any())
    }

    /// The game after its main line. Raises RecordError with the ply that the rules refuse.
    #[pyo3(signature = (*, map = None, extensions = None, program = None))]
    pub fn replay(
        &self,
        py: Python<'_>,
        map: Option<PathBuf>,
        extensions: Option<Vec<PathBuf>>,
        program: Option<PathBuf>,
    ) -> PyResult<Game> {
        let record = &self.record;
        let entry = catalog::find(&record.game).map_err(|p| raised(py, "unknown-game", &p))?;
        let files = record.map.as_ref().and_then(|map| map.files.as_ref());
        let package = match (map, files) {
            (Some(path), _) => Some(
                Package::of_files(&path, extensions.unwrap_or_default())
                    .map_err(|p| raised(py, "bad-map", &p))?,
            ),
            (None, Some(files)) => {
                Some(Package { map: files.map.clone(), extensions: files.extensions.clone() })
            }
            (None, None) if entry.needs_map() => {
                return Err(raised(py, "bad-request", &Problem::new("map-needed")));
            }
            (None, None) => None,
        };
        let setup = Setup::with(entry, &record.options, package, program)
            .map_err(|(kind, p)| raised(py, kind, &p))?;
        let start = setup.open(record.start.as_deref()).map_err(|(kind, p)| raised(py, kind, &p))?;
        let game = record.replay(start).map_err(|p| raised(py, "bad-record", &p))?;
        Ok(Game { setup, game })
    }

    /// The record as a file; `notation` is that of xiangqi's moves in PGN. Raises RecordError where it does not fit.
    #[pyo3(signature = (format = "json", *, notation = None))]
    pub fn write<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        notation: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let format = keyed(py, format)?;
        let pgn = match notation {
            None => Style::default(),
            Some(name) => Style::keyed(name).ok_or_else(|| {
                raised(py, "bad-record", &Problem::new("unknown-notation").with("notation", name))
            })?,
        };
        let written = records::write_as(format, &self.record, Manner { pgn });
        Ok(PyBytes::new(py, &written.map_err(|p| raised(py, "bad-record", &p))?))
    }

    fn __repr__(&self) -> String {
        format!("<qiguan.Record {} of {} plies>", self.record.game, self.record.tree.main_line().count())
    }
}

/// The formats that are read, and those of them that are written too.
#[pyfunction]
pub fn formats() -> Vec<(&'static str, bool)> {
    Format::ALL.into_iter().map(|format| (format.key(), format.writes())).collect()
}

/// All records of a file; see `qiguan.records.read_all`.
#[pyfunction]
#[pyo3(signature = (data, format = None, game = None))]
pub fn read_records(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    format: Option<&str>,
    game: Option<&str>,
) -> PyResult<Vec<Record>> {
    let bytes = bytes_of(data)?;
    let format = format_of(py, format, &bytes)?;
    py.detach(|| all(games_of(format, &bytes[..], game), format)).map_err(|(kind, p)| raised(py, kind, &p))
}

/// The first record of a file, if there is one; see `qiguan.records.read`.
#[pyfunction]
#[pyo3(signature = (data, format = None, game = None))]
pub fn read_record(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    format: Option<&str>,
    game: Option<&str>,
) -> PyResult<Option<Record>> {
    let bytes = bytes_of(data)?;
    let format = format_of(py, format, &bytes)?;
    let first = py.detach(|| next_of(&mut games_of(format, &bytes[..], game), format)).transpose();
    first.map_err(|p| raised(py, "bad-record", &p))
}

/// The records of a file on disk, one after another; see `qiguan.records.iterate`.
#[pyfunction]
#[pyo3(signature = (path, format = None, game = None))]
pub fn iterate_records(
    py: Python<'_>,
    path: PathBuf,
    format: Option<&str>,
    game: Option<&str>,
) -> PyResult<Records> {
    let mut source = BufReader::with_capacity(AHEAD, File::open(path)?);
    let format = format_of(py, format, source.fill_buf()?)?;
    Ok(Records { games: Mutex::new(games_of(format, source, game)), format })
}

/// The records of a file, read as they are asked for: one is in memory at a time. Raises RecordError for a game that
/// cannot be read; the next call reads what is behind it.
#[pyclass(module = "qiguan", name = "Records")]
pub struct Records {
    /// The reader of the file, which only one thread at a time may use. The lock is there for the compiler; it is
    /// never taken.
    games: Mutex<Games<BufReader<File>>>,
    format: Format,
}

#[pymethods]
impl Records {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Record>> {
        let games = self.games.get_mut().expect("nobody panics with it");
        let format = self.format;
        py.detach(|| next_of(games, format)).transpose().map_err(|p| raised(py, "bad-record", &p))
    }
}

fn games_of<R: BufRead>(format: Format, source: R, game: Option<&str>) -> Games<R> {
    let games = Games::new(format, source).keeping();
    match game {
        Some(game) => games.of(game),
        None => games,
    }
}

/// The next game of a file; of one with a move that is not possible, what comes before it.
fn next_of<R: BufRead>(games: &mut Games<R>, format: Format) -> Option<Result<Record, Problem>> {
    let record = games.next()?;
    let cut = games.fault();
    let played = matches!(format, Format::Pgn | Format::Pdn | Format::Wxf);
    Some(record.and_then(|mut record| {
        // The moves of PGN and PDN were played as they were read, and those of games on maps are for `replay`.
        let cut = match cut {
            None if !played && record.tree.plies() > 0 => possible(&mut record)?,
            cut => cut,
        };
        Ok(Record { record, cut })
    }))
}

/// Keeps of a record what its game allows; what it was cut at.
fn possible(record: &mut records::Record) -> Result<Option<Problem>, Problem> {
    let opened = catalog::find(&record.game).and_then(|entry| {
        let options = entry.settle(&record.options, catalog::Setting::Faithful)?;
        entry.open(None, &options, record.start.as_deref())
    });
    opened.map_or(Ok(None), |game| record.keep_possible(game))
}

/// Returns as many records as a list may have; or the kind of the problem, and the problem.
fn all(mut games: Games<&[u8]>, format: Format) -> Result<Vec<Record>, (&'static str, Problem)> {
    let mut found = Vec::new();
    while let Some(record) = next_of(&mut games, format) {
        if found.len() == MOST_GAMES {
            return Err(("limit", Problem::new("python-too-many-records").with("most", MOST_GAMES)));
        }
        found.push(record.map_err(|p| ("bad-record", p))?);
    }
    Ok(found)
}

/// The format that was named, or the one that a file begins like.
fn format_of(py: Python<'_>, named: Option<&str>, begins: &[u8]) -> PyResult<Format> {
    match named {
        Some(name) => keyed(py, name),
        None => records::detect(begins)
            .ok_or_else(|| raised(py, "bad-record", &Problem::new("python-record-format"))),
    }
}

fn keyed(py: Python<'_>, name: &str) -> PyResult<Format> {
    Format::keyed(name).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.into_iter().map(Format::key).collect();
        let problem = Problem::new("unknown-record-format").with("format", name);
        raised(py, "bad-record", &problem.with("known", known.join(", ")))
    })
}

fn bytes_of(data: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(text) = data.cast::<PyString>() {
        return Ok(text.to_str()?.as_bytes().to_vec());
    }
    match data.cast::<PyBytes>() {
        Ok(bytes) => Ok(bytes.as_bytes().to_vec()),
        Err(_) => Err(PyTypeError::new_err(format!("a record is bytes or str, not {}", of_type(data)))),
    }
}
