//! Standard output and standard error.
//!
//! Errors of the operating system are printed in the language of the user, wherever they were caught: all of them
//! pass through [`fail`] and `note!`.
//!
//! When the reader is gone, as behind `| head`, the program ends without a message. An output that cannot be written,
//! as on a full disk, ends it with a message. What cannot be written to standard error is dropped.

use std::fmt::Arguments;
use std::io::{Error, ErrorKind, Write, stderr, stdout};
use std::path::Path;
use std::process::exit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use texts::Language;

/// Writes a line to standard output.
macro_rules! line {
    ($($text:tt)*) => { $crate::out::told(format_args!($($text)*)) };
}
/// Writes a line to standard error.
macro_rules! note {
    ($($text:tt)*) => { $crate::out::noted(format_args!($($text)*)) };
}
pub(crate) use {line, note};

/// The output mode: JSON, or sentences.
static JSON: AtomicBool = AtomicBool::new(false);

/// The language of the user.
static LANGUAGE: OnceLock<Language> = OnceLock::new();

/// Sets the language of the system's error messages.
pub fn speak(language: Language) {
    let _ = LANGUAGE.set(language);
}

fn language() -> Language {
    LANGUAGE.get().copied().unwrap_or(Language::English)
}

/// Describes an error with a file, a folder or an address.
pub fn at(place: impl std::fmt::Display, why: &Error) -> String {
    texts::say(
        language(),
        "cli-at",
        &[("place", &place.to_string()), ("why", &texts::system(language(), why))],
    )
}

/// Writes what is wrong with a file to standard error.
pub fn noted_at(place: impl std::fmt::Display, why: &str) {
    let args = [("place", &*place.to_string()), ("why", why)];
    noted(format_args!("{}", texts::say(language(), "cli-at", &args)));
}

/// Returns a function that words an error at that path, like [`at`].
pub fn at_path(path: &Path) -> impl Fn(Error) -> String + '_ {
    move |why| at(path.display(), &why)
}

/// Switches all output to JSON: a sentence that a command prints becomes `{"said": …}`, and an error `{"error": …}`.
/// Output that is JSON already stays as it is.
pub fn tell_json() {
    JSON.store(true, Ordering::Relaxed);
}

/// Writes a line to standard output, in JSON mode as JSON.
pub fn told(text: Arguments) {
    if !JSON.load(Ordering::Relaxed) {
        return print(format_args!("{text}\n"));
    }
    let text = text.to_string();
    match serde_json::from_str::<serde_json::Value>(&text) {
        Ok(value) if value.is_object() || value.is_array() => print(format_args!("{text}\n")),
        _ => print(format_args!("{}\n", serde_json::json!({"said": text}))),
    }
}

/// Writes a sentence to standard output if it has a reader, in JSON mode as JSON: for commands that go on without
/// readers.
pub fn told_if_read(text: &str) {
    let _ = match JSON.load(Ordering::Relaxed) {
        true => writeln!(stdout(), "{}", serde_json::json!({"said": text})),
        false => writeln!(stdout(), "{text}"),
    };
}

/// Writes to standard output; ends the program where that cannot be.
pub fn print(text: Arguments) {
    let mut out = stdout().lock();
    if let Err(why) = out.write_fmt(text).and_then(|()| out.flush()) {
        end(&why);
    }
}

/// Writes a line to standard error, in JSON mode as JSON.
pub fn noted(text: Arguments) {
    let text = text.to_string();
    let text = texts::spoken(language(), &text);
    match JSON.load(Ordering::Relaxed) {
        true => remark(format_args!("{}\n", serde_json::json!({"note": text}))),
        false => remark(format_args!("{text}\n")),
    }
}

/// Writes to standard error, if it has a reader.
fn remark(text: Arguments) {
    let _ = stderr().lock().write_fmt(text);
}

/// Prints why a command failed: as a sentence, or in JSON mode as JSON.
pub fn fail(why: &str) {
    let why = texts::spoken(language(), why);
    match JSON.load(Ordering::Relaxed) {
        true => remark(format_args!("{}\n", serde_json::json!({"error": why}))),
        false => remark(format_args!("qiguan: {why}\n")),
    }
}

/// Checks the outcome of a write to standard output, and ends the program if it failed.
pub fn written(done: std::io::Result<()>) {
    if let Err(why) = done {
        end(&why);
    }
}

/// Ends the program because standard output cannot be written: in silence when its reader has gone.
fn end(why: &Error) -> ! {
    if why.kind() == ErrorKind::BrokenPipe {
        exit(0);
    }
    fail(&at(texts::say(language(), "cli-standard-output", &[]), why));
    exit(1)
}
