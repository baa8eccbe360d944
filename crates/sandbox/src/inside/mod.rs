//! Worker: an interpreter in a locked process, and a game that it plays by the requests of its parent.
//!
//! Reading order: `lock` (what holds the process), `watch` (its clock), `python` (the interpreter),
//! `teach` (mistakes in texts), `objects`, `queries` and `values` (what
//! extensions see), `game` (a game they have a say in), `memory` (saving what they remember), `line` (going along a line of moves), `walk` (random moves after it).

mod game;
mod line;
mod lock;
mod memory;
mod objects;
mod playouts;
pub mod probe;
mod queries;
mod library;
mod python;
mod quick;
mod rehearse;
mod replies;
mod source;
mod teach;
mod values;
mod walk;
mod watch;

use std::io::{self, Write};
use std::process::ExitCode;

use rustpython_vm::VirtualMachine;

use self::line::Table;
use self::replies::Replies;
use self::watch::{Hook, Watch};
use crate::message::{self, MOST_ASKED, Reply, Request};

/// All that a worker does: it is started with [`WORKER`](crate::WORKER), is asked and answers through the socket that is
/// its standard input, and ends with it.
#[must_use]
pub fn worker_main() -> ExitCode {
    let ended = lock::die_with_parent().and_then(|()| {
        let interpreter = python::interpreter();
        interpreter.enter(|vm| {
            python::prepare(vm).map_err(|_| io::Error::other("the interpreter does not start"))?;
            let replies = Replies::to_parent()?;
            let descriptor = replies.descriptor;
            lock::limits()?;
            let watch = Watch::start(replies)?;
            lock::filter(descriptor)?;
            serve(vm, watch)
        })
    });
    // What Python leaves behind needs no tidying, and tidying might run a stranger's code.
    match ended {
        Ok(()) => std::process::exit(0),
        Err(why) => {
            let _ = writeln!(io::stderr(), "worker: {why}");
            std::process::exit(1)
        }
    }
}

/// Answers requests until the parent closes the connection.
fn serve(vm: &VirtualMachine, watch: Watch) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut table = Table::new(vm, watch.clone());
    while let Ok(bytes) = message::read(&mut input, MOST_ASKED) {
        let request = postcard::from_bytes(&bytes).map_err(io::Error::other)?;
        drop(bytes);
        watch.wake();
        let reply = table.answer(request);
        watch.rest();
        if table.tells {
            let (text, left_out) = library::printed();
            if !text.is_empty() {
                watch.send(&Reply::Told(text, left_out))?;
            }
        }
        watch.send(&reply)?;
    }
    Ok(())
}

/// Sends a note of the call that is about to be made, so that the parent knows it if this process dies.
fn crumb(watch: &Watch, file: usize, hook: Hook, places: &[String]) {
    let _ = watch.send(&Reply::Crumb(file as u16, hook.name(places), None));
}

/// Sends a note of the line of a file that a call has reached.
fn crumb_at(file: usize, watch: &Watch, line: u32) {
    let _ = watch.send(&Reply::Crumb(file as u16, watch.asked(), Some(line)));
}

impl Table<'_> {
    fn answer(&mut self, request: Request) -> Reply {
        match request {
            Request::Look { map, texts } => {
                let texts: Vec<String> = texts.iter().map(|text| source::lines(text)).collect();
                Reply::Found(teach::findings(&texts, &map, &python::built_in(self.vm)))
            }
            Request::Load { map, old_names, seed, tells, sources } => {
                self.tells = tells;
                library::keep_prints(tells);
                self.load(map, (old_names, seed), sources)
            }
            Request::Begin(start, seed) => self.begin(start, seed),
            Request::Ask { keep, moves, later, want, crumbs } => {
                self.in_world(later);
                self.ask(keep as usize, &moves, want, crumbs)
            }
            Request::Walk { keep, moves, later, plan } => {
                self.in_world(later);
                self.walk(keep as usize, &moves, plan)
            }
            Request::Rehearse { games, longest, seed, follow } => {
                self.rehearse((games, longest, seed), follow)
            }
            Request::Playouts { seed, plies, longest, remember } => {
                self.playouts(seed, plies, longest, remember)
            }
        }
    }
}
