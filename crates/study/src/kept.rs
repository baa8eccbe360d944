//! Studies and their events as they are stored: JSON with the number of its form. The forms of old halls are read for ever.

use kernel::Problem;
use serde::{Deserialize, Serialize};
use wire::{Study, StudyEntry};

/// The form that is written.
const FORM: u32 = 1;

#[derive(Serialize)]
struct Written<'a, T> {
    form: u32,
    what: &'a T,
}

#[derive(Deserialize)]
struct Read<T> {
    form: u32,
    what: T,
}

/// A study as text.
#[must_use]
pub fn write(study: &Study) -> String {
    serde_json::to_string(&Written { form: FORM, what: study }).expect("a study is plain data")
}

/// An event as text.
#[must_use]
pub fn write_entry(entry: &StudyEntry) -> String {
    serde_json::to_string(&Written { form: FORM, what: entry }).expect("an event is plain data")
}

/// The study in a text.
///
/// # Errors
/// `study-damaged` with `detail`.
pub fn read(text: &str) -> Result<Study, Problem> {
    read_as(text)
}

/// The event in a text.
///
/// # Errors
/// As [`read`].
pub fn read_entry(text: &str) -> Result<StudyEntry, Problem> {
    read_as(text)
}

fn read_as<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T, Problem> {
    let damaged = |why: &dyn std::fmt::Display| Problem::new("study-damaged").with("detail", why);
    let read: Read<T> = serde_json::from_str(text).map_err(|why| damaged(&why))?;
    if read.form == FORM { Ok(read.what) } else { Err(damaged(&format!("form {}", read.form))) }
}
