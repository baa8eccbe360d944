//! Replies to the parent.
//!
//! The interpreter knows standard output, and an extension can make it print there, such as an uncaught exception.
//! Replies therefore go back through the socket that requests come from, and standard output leads nowhere.

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::sync::Mutex;

use crate::message::{self, MOST_TOLD, Reply};

/// The writer of replies: each is written whole, whichever thread sends it.
pub(crate) struct Replies {
    way: Mutex<BufWriter<Box<dyn Write + Send>>>,
    /// The descriptor, which the filter on calls to the system allows to write to.
    pub(crate) descriptor: i32,
}

impl Replies {
    /// Opens the way back to the parent: standard input is a socket.
    #[cfg(unix)]
    pub(crate) fn to_parent() -> io::Result<Replies> {
        use std::os::fd::{AsFd, AsRawFd};
        let socket = io::stdin().as_fd().try_clone_to_owned()?;
        let descriptor = socket.as_raw_fd();
        Ok(Replies::to(Box::new(std::fs::File::from(socket)), descriptor))
    }

    /// Opens the way back through standard output, where standard input can only be read.
    #[cfg(not(unix))]
    pub(crate) fn to_parent() -> io::Result<Replies> {
        Ok(Replies::to(Box::new(io::stdout()), 1))
    }

    /// Makes a writer that drops all replies, for a worker without a process.
    pub(crate) fn nowhere() -> Replies {
        Replies::to(Box::new(io::sink()), 1)
    }

    fn to(way: Box<dyn Write + Send>, descriptor: i32) -> Replies {
        Replies { way: Mutex::new(BufWriter::new(way)), descriptor }
    }

    pub(crate) fn send(&self, reply: &Reply) -> io::Result<()> {
        message::write(&mut *self.way.lock().expect("nobody panics with it"), reply, MOST_TOLD)
    }
}

impl fmt::Debug for Replies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replies").field("descriptor", &self.descriptor).finish_non_exhaustive()
    }
}
