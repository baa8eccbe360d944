//! Runs the extensions of Jingbanqi: strangers' Python, in a locked child process.
//!
//! A [`Sandbox`] is a [`Loader`](jingbanqi::extension::Loader). Each game gets a worker: this same program, or where it was
//! built without the feature `extensions` the program `sandbox-worker` beside it, started with a hidden argument, an empty
//! environment and a socket. The worker plays by `jingbanqi::live` and asks the extensions, in an
//! interpreter that has no host functions, behind everything the system offers to lock a process up; see `inside`. This side
//! keeps the clock, believes no reply before it is checked, and kills. Why it is so: `docs/adr/0011`.
//!
//! Reading order: `message` (what is said), `check` (what is believed), `lesson` (what is found in a
//! text), `console` (what is printed), `guest` (one worker), `pool` (all of them), `session`
//! (a game), `inside` (the worker).

mod check;
mod console;
mod guest;
#[cfg(feature = "extensions")]
mod inside;
mod lesson;
pub mod message;
mod pool;
mod session;

pub use crate::console::Console;
#[cfg(feature = "extensions")]
pub use crate::inside::worker_main;
pub use crate::pool::Sandbox;

/// Entry points for fuzzing only.
#[cfg(feature = "extensions")]
#[doc(hidden)]
pub mod fuzzing {
    pub use crate::inside::probe::{Told, called_both_ways, taught, told_both_ways};
    pub use crate::lesson::MOST_FINDINGS;

    /// Returns true if a worker's reply is accepted, whatever its bytes are.
    #[must_use]
    pub fn believes(map: &jingbanqi::Map, bytes: &[u8]) -> bool {
        use crate::check;
        use crate::message::Reply;
        match postcard::from_bytes(bytes) {
            Ok(Reply::Scene(scene)) => {
                let book = jingbanqi::Rulebook::new(map.clone(), false);
                check::scene(&book, scene).is_some()
            }
            Ok(Reply::Details(details)) => check::details(map, details).is_some(),
            Ok(Reply::Loaded(about)) => check::about(&["x.py"], about).is_some(),
            Ok(Reply::Fault { fault, .. } | Reply::Refused(fault)) => {
                !check::fault(fault).error.contains('\n')
            }
            Ok(_) => true,
            Err(_) => false,
        }
    }
}

/// Fails: this program was built without an interpreter.
#[cfg(not(feature = "extensions"))]
#[must_use]
pub fn worker_main() -> std::process::ExitCode {
    std::process::ExitCode::FAILURE
}

/// The first argument that makes the program a worker.
pub const WORKER: &str = "--extension-worker";

/// Returns true if this process was started as a worker: then it must call [`worker_main`] before anything else, and
/// do nothing besides.
#[must_use]
pub fn is_worker() -> bool {
    std::env::args_os().nth(1).is_some_and(|argument| argument == WORKER)
}
