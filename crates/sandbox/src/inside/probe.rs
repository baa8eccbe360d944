//! A worker without a process, for fuzzing: whatever an extension gives back, looked at both ways.

use std::cell::OnceCell;

use jingbanqi::Map;
use rustpython_vm::Interpreter;

use super::line::Table;
use super::watch::Watch;
use super::{message, python};
use crate::message::{Beginning, MapText, Reply, Want};

struct Inside {
    interpreter: Interpreter,
    watch: Watch,
}

thread_local! {
    /// For good: an interpreter does not like to end with its thread.
    static INSIDE: OnceCell<Option<&'static Inside>> = const { OnceCell::new() };
}

fn inside() -> Option<&'static Inside> {
    let interpreter = python::interpreter();
    interpreter.enter(|vm| python::prepare(vm).ok())?;
    Some(Box::leak(Box::new(Inside { interpreter, watch: Watch::start().ok()? })))
}

/// Loads a file, begins a game and lists its moves, with and without the interpreter: what a worker would tell, twice. Nothing
/// holds the file: only for texts that end by themselves. `None`: it is refused.
#[must_use]
pub fn told_both_ways(map: &Map, text: &str) -> Option<[Vec<u8>; 2]> {
    INSIDE.with(|inside_cell| {
        let inside = (*inside_cell.get_or_init(inside))?;
        inside.interpreter.enter(|vm| {
            let tell = |quick: bool| {
                let mut table = Table::new(vm, inside.watch.clone());
                let sources = vec![("x.py".to_owned(), text.as_bytes().to_vec())];
                let Reply::Loaded(_) = table.load(MapText::from(map), false, sources) else { return None };
                let start = crate::session::beginning(map);
                let Reply::Begun = table.begin(Beginning::from(&start).start()) else { return None };
                table.hurry(quick);
                let reply = table.ask(0, &[], Want::Scene, false);
                let mut bytes = Vec::new();
                message::write(&mut bytes, &reply, message::MOST_TOLD).ok()?;
                Some(bytes)
            };
            Some([tell(false)?, tell(true)?])
        })
    })
}
