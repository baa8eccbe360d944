//! Translations of the operating system's errors about files and connections: the only place that knows kinds of I/O
//! errors.

use std::borrow::Cow;
use std::io::{Error, ErrorKind};

use kernel::Problem;

use crate::{Language, say};

/// Describes an error, in a text that can follow a colon.
#[must_use]
pub fn system(language: Language, why: &Error) -> String {
    if let Some(inner) = why.get_ref() {
        let problem = inner.downcast_ref::<Problem>();
        return problem
            .map_or_else(|| spoken(language, &inner.to_string()).into(), |it| crate::problem(language, it));
    }
    let key = of_number(why.raw_os_error()).or_else(|| of_kind(why.kind()));
    match key {
        Some(key) => say(language, &format!("system-{key}"), &[]),
        None => why.to_string(),
    }
}

/// Translates the operating system's sentences, and those of SQLite, within a text, such as the problems and errors of
/// libraries; the rest stays.
#[must_use]
pub fn spoken(language: Language, text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    // Rust ends each of them with the number of the error.
    while let Some(number) = first_number(&text) {
        let why = Error::from_raw_os_error(number);
        let (sentence, words) = (why.to_string(), system(language, &why));
        if words == sentence || !text.contains(&sentence) {
            break;
        }
        text = text.replace(&sentence, &words).into();
    }
    for (sentence, key) in SENTENCES {
        if text.contains(sentence) {
            text = text.replace(sentence, &say(language, &format!("system-{key}"), &[])).into();
        }
    }
    text
}

/// The sentences of SQLite and of the reader of archives that people meet, and the keys of ours.
const SENTENCES: [(&str, &str); 9] = [
    ("database or disk is full", "disk-full"),
    ("attempt to write a readonly database", "read-only"),
    ("disk I/O error", "disk-failed"),
    ("database is locked", "busy"),
    ("unable to open database file", "unopened"),
    ("file is not a database", "no-database"),
    ("database disk image is malformed", "damaged"),
    ("invalid Zip archive: Could not find EOCD", "no-archive"),
    ("invalid Zip archive", "no-archive"),
];

/// Returns the number in the first `(os error 2)` of a text.
fn first_number(text: &str) -> Option<i32> {
    let (_, rest) = text.split_once("(os error ")?;
    rest.split_once(')')?.0.parse().ok()
}

/// Names an error that has no kind of its own but occurs in practice, by the numbers that Linux, macOS and the BSDs
/// have in common.
const fn of_number(number: Option<i32>) -> Option<&'static str> {
    match number {
        Some(5) if cfg!(unix) => Some("disk-failed"),
        Some(23 | 24) if cfg!(unix) => Some("too-many-open"),
        _ => None,
    }
}

const fn of_kind(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::NotFound => "not-found",
        ErrorKind::PermissionDenied => "permission-denied",
        ErrorKind::AlreadyExists => "already-exists",
        ErrorKind::IsADirectory => "is-a-folder",
        ErrorKind::NotADirectory => "not-a-folder",
        ErrorKind::DirectoryNotEmpty => "folder-not-empty",
        ErrorKind::ReadOnlyFilesystem => "read-only",
        ErrorKind::StorageFull => "disk-full",
        ErrorKind::QuotaExceeded => "quota-exceeded",
        ErrorKind::FileTooLarge => "too-large",
        ErrorKind::InvalidFilename => "bad-name",
        ErrorKind::ResourceBusy | ErrorKind::ExecutableFileBusy => "busy",
        ErrorKind::InvalidData => "not-text",
        ErrorKind::UnexpectedEof => "ends-early",
        ErrorKind::OutOfMemory => "no-memory",
        ErrorKind::BrokenPipe => "reader-gone",
        ErrorKind::TimedOut | ErrorKind::WouldBlock => "timed-out",
        ErrorKind::Interrupted => "interrupted",
        ErrorKind::Unsupported => "unsupported",
        ErrorKind::ConnectionRefused => "connection-refused",
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::NotConnected => {
            "connection-lost"
        }
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => "unreachable",
        ErrorKind::AddrInUse => "address-in-use",
        ErrorKind::AddrNotAvailable => "address-not-here",
        _ => return None,
    })
}
