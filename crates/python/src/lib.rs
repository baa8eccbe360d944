//! Rules, records and the engine for Python: the extension module `qiguan._qiguan`.
//!
//! What people import is the package in `python/qiguan`, which documents and types all of it; this crate converts. It
//! holds no rule: games come from the catalogue, and what is refused is said in the words of the referee. Nothing here is
//! kept between two calls but what Python holds, so threads and forks have nothing to share; workers of extensions know the
//! process they belong to (`sandbox`).
//!
//! Reading order: [`setup`] (a game with everything chosen), [`game`], [`batch`] (many at once), [`engine`], [`record`],
//! [`locked_chess`] (the drop-in), [`problem`] (exceptions).

mod batch;
mod engine;
mod game;
mod locked_chess;
mod problem;
mod record;
mod setup;

use pyo3::prelude::*;
use texts::Language;

/// The extension module.
#[pymodule]
mod _qiguan {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::engine::think;
    #[pymodule_export]
    use super::game::{_unpickled, Game};
    #[pymodule_export]
    use super::locked_chess::LockedCore;
    #[pymodule_export]
    use super::record::{Record, Records, formats, iterate_records, read_record, read_records};
    #[pymodule_export]
    use super::{games, maps};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// Every game: its key, its name in English and in Chinese, and its options as key, smallest, largest and usual value and
/// the names of the values.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "tuples of Python")]
fn games() -> Vec<(&'static str, String, String, Vec<(&'static str, i64, i64, i64, Vec<&'static str>)>)> {
    let game = |entry: &catalog::Entry| {
        let option = |o: &catalog::OptionSpec| (o.key, o.min, o.max, o.usual, o.names.to_vec());
        let [english, chinese] = [Language::English, Language::Chinese].map(|l| texts::game(l, entry.key));
        (entry.key, english, chinese, entry.options.iter().map(option).collect())
    };
    catalog::ENTRIES.iter().map(game).collect()
}

/// The built-in maps: key, name, and whether it has extensions.
#[pyfunction]
fn maps() -> Vec<(&'static str, &'static str, bool)> {
    let map = |sample: &catalog::maps::Sample| (sample.key, sample.name, !sample.is_plain());
    catalog::maps::built_in().map(map).collect()
}
