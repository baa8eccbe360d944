//! A program that is only a worker: for tests and measurements, which have no `qiguan` at hand.

use std::process::ExitCode;

fn main() -> ExitCode {
    if sandbox::is_worker() { sandbox::worker_main() } else { ExitCode::FAILURE }
}
