//! Ctrl-C and SIGTERM in commands that have something to bring to an end first.
//!
//! The first one asks the command to end soon; it does, prints its result so far, and exits with the status that
//! shells give for the signal: 130 for Ctrl-C, 143 for SIGTERM. The second one ends the program at once, with the
//! same status.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// The request that the command end, and the signal it came by.
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    signal: Arc<AtomicI32>,
}

impl Interrupt {
    /// Begins to listen; `tell` is called once, at the first signal.
    ///
    /// # Errors
    /// Fails when signals cannot be handled on this system.
    pub fn watch(tell: impl Fn() + Send + 'static) -> std::io::Result<Interrupt> {
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        let (raised, signal) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicI32::new(SIGINT)));
        let (raises, keeps) = (Arc::clone(&raised), Arc::clone(&signal));
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                if raises.load(Ordering::Relaxed) {
                    std::process::exit(status_of(signal));
                }
                keeps.store(signal, Ordering::Relaxed);
                raises.store(true, Ordering::Relaxed);
                tell();
            }
        })?;
        Ok(Interrupt { raised, signal })
    }

    /// True once a signal has come.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    /// Returns the flag that a signal sets, for code elsewhere.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.raised)
    }

    /// Ends the program with the status of the signal, if one has come.
    pub fn exit_if_raised(&self) {
        if self.is_raised() {
            std::process::exit(status_of(self.signal.load(Ordering::Relaxed)));
        }
    }
}

/// Returns the exit status that shells report for a program that a signal has ended.
const fn status_of(signal: i32) -> i32 {
    128 + signal
}
