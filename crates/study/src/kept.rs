//! Stored form of studies and their events: JSON with a form number. The forms of old halls stay readable.

use kernel::Problem;
use serde::{Deserialize, Serialize};
use wire::{Study, StudyEntry};

/// The number of the form that is written.
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

/// Serializes a study as text.
#[must_use]
pub fn write(study: &Study) -> String {
    serde_json::to_string(&Written { form: FORM, what: study }).expect("a study is plain data")
}

/// Serializes an event as text.
#[must_use]
pub fn write_entry(entry: &StudyEntry) -> String {
    serde_json::to_string(&Written { form: FORM, what: entry }).expect("an event is plain data")
}

/// Parses a stored study.
///
/// # Errors
/// `study-damaged` with `detail`.
pub fn read(text: &str) -> Result<Study, Problem> {
    read_as(text)
}

/// Parses a stored event.
///
/// # Errors
/// The errors of [`read`].
pub fn read_entry(text: &str) -> Result<StudyEntry, Problem> {
    read_as(text)
}

fn read_as<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T, Problem> {
    let damaged = |why: &dyn std::fmt::Display| Problem::new("study-damaged").with("detail", why);
    let read: Read<T> = serde_json::from_str(text).map_err(|why| damaged(&why))?;
    if read.form == FORM { Ok(read.what) } else { Err(damaged(&format!("form {}", read.form))) }
}
