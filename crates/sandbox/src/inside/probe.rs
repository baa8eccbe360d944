//! A worker without a process, for fuzzing: each call of an extension is made with and without the interpreter, and texts are
//! looked through by the teacher.

use std::cell::OnceCell;
use std::collections::HashSet;

use jingbanqi::Map;
use jingbanqi::extension::Source;
use kernel::Problem;
use rustpython_vm::{AsObject, Interpreter, PyObjectRef};

use super::line::Table;
use super::replies::Replies;
use super::watch::Watch;
use super::{python, quick, teach};
use crate::message::{self, Reply, Want};

struct Inside {
    interpreter: Interpreter,
    watch: Watch,
}

thread_local! {
    /// The interpreter of this thread. It is never dropped: an interpreter does not end cleanly with its thread.
    static INSIDE: OnceCell<Option<&'static Inside>> = const { OnceCell::new() };
}

fn inside() -> Option<&'static Inside> {
    let interpreter = python::interpreter();
    interpreter.enter(|vm| python::prepare(vm).ok())?;
    Some(Box::leak(Box::new(Inside { interpreter, watch: Watch::start(Replies::nowhere()).ok()? })))
}

/// The results of a call of an extension, by both ways of running it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The result without the interpreter: the value as `repr` writes it, or the reason for leaving the call to the
    /// interpreter.
    pub quick: Result<String, &'static str>,
    /// The result with the interpreter: the value, or `!` and the class of the exception.
    pub interpreted: String,
}

/// Loads a file and calls its `check_can_go` with groups of squares for the piece on the square `at`, without the
/// interpreter and with it. No limits protect the process: only for texts that end by themselves.
///
/// # Errors
/// The reason for which a file is refused.
pub fn called_both_ways(map: &Map, text: &str, groups: &[&[u16]], at: u16) -> Result<Told, String> {
    INSIDE.with(|inside_cell| {
        let inside = (*inside_cell.get_or_init(inside)).ok_or("the interpreter does not start")?;
        inside.interpreter.enter(|vm| {
            let mut table = Table::new(vm, inside.watch.clone());
            let sources = vec![("x.py".to_owned(), text.as_bytes().to_vec())];
            match table.load(map.clone(), (false, 0), sources) {
                Reply::Loaded(_) => {}
                Reply::Refused(fault) => return Err(fault.error),
                other => return Err(format!("{other:?}")),
            }
            let start = crate::session::beginning(map);
            let Reply::Begun = table.begin(start, 0) else {
                return Err("the game does not begin".to_owned());
            };
            let (game, _, _) = table.seated().ok_or("the game cannot be saved")?;
            let function = game.extensions[0].check_can_go.clone().ok_or("there is no check_can_go")?;
            let piece = game.at(at).ok_or("nothing stands there")?;
            let shown = |value: PyObjectRef| match value.repr(vm) {
                Ok(text) => text.to_string_lossy().into_owned(),
                Err(error) => format!("!{}", error.class().name()),
            };
            let grouped = groups.iter().map(|group| group.to_vec()).collect();
            let quick = quick::tried(&game, vm, &function, grouped, piece, at).map(shown);
            let list = |group: &&[u16]| -> PyObjectRef {
                vm.ctx.new_list(group.iter().map(|&at| game.point(at)).collect()).into()
            };
            let can_go = vm.ctx.new_list(groups.iter().map(list).collect());
            let args = vec![can_go.into(), game.object(piece, vm), game.point(at)];
            let interpreted = match function.call(args, vm) {
                Ok(value) => shown(value),
                Err(error) => format!("!{}", error.class().name()),
            };
            Ok(Told { quick, interpreted })
        })
    })
}

/// Loads a file, begins a game and lists its moves, with and without the interpreter, and returns both replies. No
/// limits protect the process: only for texts that end by themselves. `None`: the file is refused.
#[must_use]
pub fn told_both_ways(map: &Map, text: &str) -> Option<[Vec<u8>; 2]> {
    INSIDE.with(|inside_cell| {
        let inside = (*inside_cell.get_or_init(inside))?;
        inside.interpreter.enter(|vm| {
            let tell = |quick: bool| {
                let mut table = Table::new(vm, inside.watch.clone());
                let sources = vec![("x.py".to_owned(), text.as_bytes().to_vec())];
                let Reply::Loaded(_) = table.load(map.clone(), (false, 0), sources) else {
                    return None;
                };
                let start = crate::session::beginning(map);
                let Reply::Begun = table.begin(start, 0) else { return None };
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

/// The built-in names that [`taught`] knows: enough for texts to have known and unknown ones.
const BUILT_IN: [&str; 12] =
    ["len", "range", "list", "dict", "set", "abs", "min", "max", "any", "all", "print", "JBQ"];

/// Returns what the teacher says of a file, without an interpreter.
#[must_use]
pub fn taught(map: &Map, text: &str) -> Vec<Problem> {
    let known: HashSet<String> = BUILT_IN.map(str::to_owned).into();
    let found = teach::findings(&[text.to_owned()], map, &known);
    let sources = [Source { file: "x.py".to_owned(), bytes: Vec::new() }];
    found.iter().map(|finding| finding.problem(&sources)).collect()
}
