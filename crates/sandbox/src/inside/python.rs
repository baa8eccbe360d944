//! The interpreter: a Python without a host, the same on every machine.

use std::borrow::Borrow as _;
use std::cell::RefCell;
use std::collections::HashSet;

use rustpython_vm::builtins::{
    PyBaseExceptionRef, PyBoundMethod, PyCode, PyDictRef, PyFunction, PyStr, PyStrRef, PyTraceback,
};
use rustpython_vm::class::PyClassImpl;
use rustpython_vm::compiler::Mode;
use rustpython_vm::frame::FrameRef;
use rustpython_vm::function::ArgMapping;
use rustpython_vm::scope::Scope;
use rustpython_vm::{
    AsObject, Interpreter, PyObject, PyObjectRef, PyResult, Settings, VirtualMachine, suggestion,
};

use super::objects::{Jbq, Piece};
use super::watch::Watch;
use super::{library, source};

/// The built-in names that an extension must not have, since they reach the host.
const WITHHELD: [&str; 11] = [
    "open",
    "input",
    "breakpoint",
    "exit",
    "quit",
    "help",
    "copyright",
    "credits",
    "license",
    "__loader__",
    "__spec__",
];

/// Starts an interpreter that reads no files of the system and no variables of the environment.
pub(crate) fn interpreter() -> Interpreter {
    let mut settings = Settings::default();
    settings.isolated = true;
    settings.install_signal_handlers = false;
    settings.import_site = false;
    settings.user_site_directory = false;
    settings.write_bytecode = false;
    settings.hash_seed = Some(0);
    Interpreter::without_stdlib(settings)
}

/// Prepares the interpreter: adds our classes, sets the recursion limit, and removes everything that imports.
pub(crate) fn prepare(vm: &VirtualMachine) -> PyResult<()> {
    vm.recursion_limit.set(jingbanqi::limits::DEPTH);
    Piece::make_static_type();
    Jbq::make_static_type();
    let builtins = vm.builtins.dict();
    for name in WITHHELD {
        let _ = builtins.del_item(name, vm);
    }
    library::prepare(vm)?;
    // The parser has tables that are made on first use.
    let code = vm.compile("x = [1]\ndef f(): return x", Mode::Exec, "warm".to_owned());
    drop(code);
    Ok(())
}

/// A fresh table of built-in names for a file.
pub(crate) fn builtins(vm: &VirtualMachine) -> PyObjectRef {
    let dict = vm.ctx.new_dict();
    for (name, value) in vm.builtins.dict() {
        let _ = dict.set_item(&*name, value, vm);
    }
    dict.into()
}

/// The names that every file sees.
pub(crate) fn built_in(vm: &VirtualMachine) -> HashSet<String> {
    vm.builtins
        .dict()
        .into_iter()
        .filter_map(|(name, _)| Some(name.downcast_ref::<PyStr>()?.to_string_lossy().into_owned()))
        .collect()
}

/// The names of functions of a file, its own names, and the code of every function that is written in it.
pub(crate) type Ran = (PyDictRef, PyDictRef, Vec<PyObjectRef>);

/// Runs a file and gives what it defined, with the code of its functions. Functions of the file see `JBQ`, `API` and what is built in, and each other only in a module.
///
/// # Errors
/// The exception, or an error where it is no Python; the line is known for the latter only.
pub(crate) fn run(
    vm: &VirtualMachine,
    file: &str,
    text: &str,
    jbq: &PyObjectRef,
    is_module: bool,
) -> Result<Ran, (Option<u32>, PyBaseExceptionRef)> {
    let raised = |exception| (None, exception);
    let code = source::compile(vm, text, Mode::Exec, file).map_err(|error| {
        let line = error.python_location().0;
        (u32::try_from(line).ok(), vm.new_syntax_error(&error, Some(text)))
    })?;
    let globals = vm.ctx.new_dict();
    let locals = if is_module { globals.clone() } else { vm.ctx.new_dict() };
    for name in ["JBQ", "API"] {
        globals.set_item(name, jbq.clone(), vm).map_err(raised)?;
    }
    globals.set_item("__builtins__", builtins(vm), vm).map_err(raised)?;
    let mut codes = Vec::new();
    written(&code, &mut codes);
    let scope = Scope::new(Some(ArgMapping::from_dict_exact(locals.clone())), globals.clone());
    vm.run_code_obj(code, scope).map_err(raised)?;
    Ok((globals, locals, codes))
}

/// The code of every function that is written in a file.
fn written(code: &PyCode, codes: &mut Vec<PyObjectRef>) {
    for constant in code.code.constants.iter() {
        let constant: &PyObject = constant.borrow();
        if let Some(inner) = constant.downcast_ref::<PyCode>() {
            codes.push(constant.to_owned());
            written(inner, codes);
        }
    }
}

thread_local! {
    /// The receiver of lines that are run, and the names of the files.
    static FOLLOWED: RefCell<Option<Followed>> = const { RefCell::new(None) };
}

struct Followed {
    watch: Watch,
    files: Vec<String>,
    lines: u32,
}

/// The number of lines that are all reported to the parent; of later ones only some are.
const MOST_LINES: u32 = 4000;

/// Follows the lines that are run from now on, or none. That is slow: it is done where files are loaded, and where a call
/// has ended its worker or came too late and is made again.
pub(crate) fn follow(vm: &VirtualMachine, lines: Option<(&Watch, &[String])>) {
    let followed =
        lines.map(|(watch, files)| Followed { watch: watch.clone(), files: files.to_vec(), lines: 0 });
    let tracer: PyObjectRef =
        if followed.is_some() { vm.new_function("line", line).into() } else { vm.ctx.none() };
    vm.use_tracing.set(followed.is_some());
    FOLLOWED.set(followed);
    vm.trace_func.replace(tracer);
}

fn line(frame: FrameRef, event: PyStrRef, _arg: PyObjectRef, vm: &VirtualMachine) -> PyObjectRef {
    if event.as_bytes() == b"line" {
        FOLLOWED.with_borrow_mut(|followed| {
            let Some(followed) = followed else { return };
            let path = frame.code.source_path().as_str();
            let Some(file) = followed.files.iter().position(|file| file == path) else { return };
            let line = frame.f_lineno() as u32;
            followed.watch.line(file, line);
            followed.lines += 1;
            if followed.lines < MOST_LINES || followed.lines.is_multiple_of(MOST_LINES) {
                super::crumb_at(file, &followed.watch, line);
            }
        });
    }
    vm.trace_func.borrow().clone()
}

/// The line of the file in which an exception was raised last, with the file.
pub(crate) fn raised_at(exception: &PyBaseExceptionRef, files: &[String]) -> Option<(usize, u32)> {
    let mut last = None;
    for trace in exception.__traceback__()?.iter() {
        let path = trace.frame.code.source_path().as_str();
        if let Some(file) = files.iter().position(|file| file == path) {
            last = Some((file, trace.lineno.get() as u32));
        }
    }
    last
}

/// The line on which a function or method begins.
pub(crate) fn begins(function: &PyObjectRef, vm: &VirtualMachine) -> Option<u32> {
    let inner = if function.downcastable::<PyBoundMethod>() {
        function.get_attr("__func__", vm).ok()?
    } else {
        function.clone()
    };
    let code = inner.downcastable::<PyFunction>().then(|| inner.get_attr("__code__", vm).ok()).flatten()?;
    Some(code.downcast_ref::<PyCode>()?.code.first_line_number?.get() as u32)
}

/// The most characters of a line of a file that are shown.
const MOST_LINE: usize = 100;

/// Returns the calls that led to an exception, the innermost last, at most `most`: file, line, function, and the text
/// of the line. `sources`: names and texts of files.
pub(crate) fn trace(exception: &PyBaseExceptionRef, most: usize, sources: &[(&str, &str)]) -> Vec<String> {
    let Some(traceback) = exception.__traceback__() else { return Vec::new() };
    let call = |trace: rustpython_vm::PyRef<PyTraceback>| {
        let (code, line) = (&trace.frame.code, trace.lineno.get());
        let file = code.source_path().as_str();
        let text = sources.iter().find(|source| source.0 == file);
        let text = text.and_then(|source| source.1.lines().nth(line - 1)).unwrap_or_default();
        let text: String = text.trim().chars().take(MOST_LINE).collect();
        format!("{file}:{line} in {}: {text}", code.obj_name)
    };
    let mut calls: Vec<String> = traceback.iter().map(call).collect();
    if calls.len() > most {
        calls.drain(..calls.len() - most);
    }
    calls
}

/// Describes an exception in one line: its class and its text.
pub(crate) fn said(vm: &VirtualMachine, exception: &PyBaseExceptionRef) -> String {
    let class = exception.class().name().to_owned();
    let text = exception.as_object().str(vm).ok();
    let text = text.as_ref().map(|text| text.to_string_lossy()).unwrap_or_default();
    let line: String = text.lines().next().unwrap_or_default().chars().take(200).collect();
    // As Python says it below a traceback.
    let near = suggestion::offer_suggestions(exception, vm).filter(|_| !line.is_empty());
    let near = near.map(|name| format!(". Did you mean: '{}'?", name.to_string_lossy())).unwrap_or_default();
    if line.is_empty() { class } else { format!("{class}: {line}{near}") }
}
