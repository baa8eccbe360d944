//! What goes to standard output and standard error.
//!
//! A reader that has gone, as behind `| head`, wanted no more: the program ends in silence. An output that cannot be
//! written, as on a full disk, ends it with a message. What cannot be said on standard error is not said.

use std::fmt::Arguments;
use std::io::{Error, ErrorKind, Write, stderr, stdout};
use std::process::exit;

/// Writes a line to standard output.
macro_rules! line {
    ($($text:tt)*) => { $crate::out::print(format_args!("{}\n", format_args!($($text)*))) };
}
/// Writes a line to standard error.
macro_rules! note {
    ($($text:tt)*) => { $crate::out::remark(format_args!("{}\n", format_args!($($text)*))) };
}
pub(crate) use {line, note};

/// Writes to standard output; ends the program where that cannot be.
pub fn print(text: Arguments) {
    let mut out = stdout().lock();
    if let Err(why) = out.write_fmt(text).and_then(|()| out.flush()) {
        end(&why);
    }
}

/// Writes to standard error, if anybody reads it.
pub fn remark(text: Arguments) {
    let _ = stderr().lock().write_fmt(text);
}

/// What came of writing to standard output.
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
    note!("qiguan: standard output: {why}");
    exit(1)
}
