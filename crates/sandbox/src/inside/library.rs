//! Modules that extensions may import, and the built-in functions that are ours: `math` and `random`, `print`, `id`,
//! `eval`.
//!
//! All of it is a function of the game: `random` begins with the game's seed, `id` counts, and the state of both is
//! saved and restored with everything else ([`State`]).

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use rustpython_vm::builtins::{PyModule, PyStr, PyStrRef};
use rustpython_vm::compiler::Mode;
use rustpython_vm::function::{ArgIntoFloat, FuncArgs, OptionalArg};
use rustpython_vm::scope::Scope;
use rustpython_vm::{AsObject, PyObjectRef, PyRef, PyResult, VirtualMachine};

use super::objects::Piece;
use super::source;

/// The most bytes of prints that are kept for an extension's author; the rest is only counted.
const MOST_PRINTED: usize = 16 << 10;
/// The most objects that are told apart by `id`.
const MOST_IDS: usize = 1 << 16;

/// The modules there are, with their text.
const MODULES: [(&str, &str); 2] = [("math", include_str!("math.py")), ("random", include_str!("random.py"))];

/// The state of the library in a game.
#[derive(Clone, Default)]
pub(crate) struct State {
    modules: [Option<PyRef<PyModule>>; 2],
    random: Option<Rc<Twister>>,
    /// The seed of `random`.
    seed: u128,
    /// Set if an extension has seeded its random numbers itself: nothing is left to chance.
    fixed: bool,
    /// The number of random words drawn.
    drawn: u64,
    /// The number of objects that `id` has numbered.
    ids: usize,
}

#[derive(Default)]
struct Library {
    state: State,
    /// The numbers of the objects that `id` was called for. They are kept alive, so that no other object gets their
    /// number.
    ids: HashMap<usize, usize>,
    kept: Vec<PyObjectRef>,
    /// The interpreter's own functions behind ours.
    eval: Option<PyObjectRef>,
    exec: Option<PyObjectRef>,
}

thread_local! {
    static LIBRARY: RefCell<Library> = RefCell::default();
    /// The printed text, where it is kept.
    static PRINTED: RefCell<Printed> = RefCell::default();
    static PRINTS: Cell<bool> = const { Cell::new(false) };
}

/// The output of extensions.
#[derive(Default)]
struct Printed {
    text: String,
    /// The number of bytes that were left out.
    left_out: u64,
}

/// Begins a game: no module is imported, and `random` begins with that seed.
pub(crate) fn begin(seed: u128) {
    LIBRARY.with_borrow_mut(|library| {
        library.state = State { seed, ..State::default() };
        library.ids.clear();
        library.kept.clear();
    });
}

/// Gives the random numbers another seed, from now on.
pub(crate) fn begin_chance_again(seed: u128) {
    LIBRARY.with_borrow_mut(|library| {
        library.state.seed = seed;
        if !library.state.fixed {
            library.state.random = None;
        }
    });
}

/// Returns the number of random words drawn since the game began.
pub(crate) fn drawn() -> u64 {
    LIBRARY.with_borrow(|library| library.state.drawn)
}

/// Returns the state that a snapshot saves.
pub(crate) fn state() -> State {
    LIBRARY.with_borrow(|library| library.state.clone())
}

/// Puts back what was saved.
pub(crate) fn put_back(state: &State) {
    LIBRARY.with_borrow_mut(|library| {
        library.state.clone_from(state);
        let ids = state.ids;
        if library.kept.len() > ids {
            library.kept.truncate(ids);
            library.ids.retain(|_, number| *number < ids);
        }
    });
}

impl State {
    /// The modules, whose contents can change.
    pub(crate) fn modules(&self) -> impl Iterator<Item = PyObjectRef> {
        self.modules.iter().flatten().map(|module| module.clone().into())
    }
}

/// Starts or stops keeping printed text; text that was kept is dropped.
pub(crate) fn keep_prints(wanted: bool) {
    PRINTS.set(wanted);
    PRINTED.take();
}

/// Returns true if printed text is kept.
pub(crate) fn keeps_prints() -> bool {
    PRINTS.get()
}

/// Returns the text printed since the last call, and the number of bytes that were left out.
pub(crate) fn printed() -> (String, u64) {
    let printed = PRINTED.take();
    (printed.text, printed.left_out)
}

/// Puts our functions among the built-in ones.
pub(crate) fn prepare(vm: &VirtualMachine) -> PyResult<()> {
    let builtins = vm.builtins.dict();
    let original = |name: &str| builtins.get_item_opt(name, vm).ok().flatten();
    let (eval, exec) = (original("eval"), original("exec"));
    LIBRARY.with_borrow_mut(|library| (library.eval, library.exec) = (eval, exec));
    builtins.set_item("print", vm.new_function("print", print).into(), vm)?;
    builtins.set_item("id", vm.new_function("id", id).into(), vm)?;
    builtins.set_item("eval", vm.new_function("eval", eval_text).into(), vm)?;
    builtins.set_item("exec", vm.new_function("exec", exec_text).into(), vm)?;
    builtins.set_item("__import__", vm.new_function("__import__", import).into(), vm)
}

fn print(mut args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let mut word = |name: &str, usual: &str| -> PyResult<String> {
        match args.take_keyword(name) {
            Some(value) if !vm.is_none(&value) => match value.downcast_ref::<PyStr>() {
                Some(text) => Ok(text.to_string_lossy().into_owned()),
                None => {
                    let class = value.class().name().to_owned();
                    Err(vm.new_type_error(format!("{name} must be None or a string, not {class}")))
                }
            },
            _ => Ok(usual.to_owned()),
        }
    };
    let (between, end) = (word("sep", " ")?, word("end", "\n")?);
    for name in ["file", "flush"] {
        args.take_keyword(name);
    }
    if let Some((name, _)) = args.kwargs.first() {
        return Err(vm.new_type_error(format!("print() got an unexpected keyword argument '{name}'")));
    }
    // The text of an object may be its own code's word: it is asked whether anybody reads it or not.
    for (at, value) in args.args.iter().enumerate() {
        if at > 0 {
            keep(&between);
        }
        keep(&value.str(vm)?.to_string_lossy());
    }
    keep(&end);
    Ok(())
}

/// Adds a text to the output for the author, whatever the limit on prints.
pub(crate) fn tell(text: &str) {
    PRINTED.with_borrow_mut(|printed| {
        if !printed.text.is_empty() && !printed.text.ends_with('\n') {
            printed.text.push('\n');
        }
        printed.text.push_str(text);
    });
}

fn keep(text: &str) {
    if !PRINTS.get() {
        return;
    }
    PRINTED.with_borrow_mut(|printed| {
        let room = MOST_PRINTED.saturating_sub(printed.text.len());
        let end = (0..=room.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        printed.text.push_str(&text[..end]);
        printed.left_out += (text.len() - end) as u64;
    });
}

/// Returns a number for an object. Addresses would differ from one run to the next. Pieces have numbers already;
/// every other object gets the next one.
fn id(object: PyObjectRef, vm: &VirtualMachine) -> PyResult<u64> {
    if let Some(piece) = object.downcast_ref::<Piece>() {
        return Ok((1 << 40) + 16 * u64::from(piece.handle));
    }
    let number = LIBRARY.with_borrow_mut(|library| {
        let next = library.kept.len();
        if next >= MOST_IDS && !library.ids.contains_key(&object.get_id()) {
            return None;
        }
        let number = *library.ids.entry(object.get_id()).or_insert(next);
        if number == next {
            library.kept.push(object);
            library.state.ids = next + 1;
        }
        Some(number)
    });
    let number = number.ok_or_else(|| vm.new_memory_error("id() of too many objects"))?;
    Ok((1 << 32) + 16 * number as u64)
}

fn eval_text(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let eval = LIBRARY.with_borrow(|library| library.eval.clone());
    run_text(eval, args, Mode::Eval, vm)
}

fn exec_text(args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let exec = LIBRARY.with_borrow(|library| library.exec.clone());
    run_text(exec, args, Mode::Exec, vm)
}

/// Compiles a text our way, and lets the interpreter run the code.
fn run_text(run: Option<PyObjectRef>, mut args: FuncArgs, mode: Mode, vm: &VirtualMachine) -> PyResult {
    let run = run.ok_or_else(|| vm.new_runtime_error("nothing runs texts here"))?;
    let text = args.args.first().and_then(|text| text.downcast_ref::<PyStr>()?.to_str().map(str::to_owned));
    if let Some(text) = text.filter(|text| !text.contains('\0')) {
        let text = source::lines(&text);
        let text = if let Mode::Eval = mode { text.trim_start_matches([' ', '\t']) } else { &text };
        let code = source::compile(vm, text, mode, "<string>");
        args.args[0] = code.map_err(|error| vm.new_syntax_error(&error, Some(text)))?.into();
    }
    run.call(args, vm)
}

/// `import math` and `import random`.
fn import(
    name: PyStrRef,
    _globals: OptionalArg,
    _locals: OptionalArg,
    _names: OptionalArg,
    _level: OptionalArg,
    vm: &VirtualMachine,
) -> PyResult {
    let name = name.to_string_lossy().into_owned();
    let Some(at) = MODULES.iter().position(|(known, _)| *known == name) else {
        let shown: String = name.chars().take(60).collect();
        let text = format!("No module named '{shown}'");
        let class = vm.ctx.exceptions.module_not_found_error.to_owned();
        return Err(vm.new_exception_msg(class, text.into()));
    };
    if let Some(module) = LIBRARY.with_borrow(|library| library.state.modules[at].clone()) {
        return Ok(module.into());
    }
    let module = make(MODULES[at].0, MODULES[at].1, vm)?;
    LIBRARY.with_borrow_mut(|library| library.state.modules[at] = Some(module.clone()));
    Ok(module.into())
}

fn make(name: &'static str, text: &str, vm: &VirtualMachine) -> PyResult<PyRef<PyModule>> {
    let dict = vm.ctx.new_dict();
    let module = vm.new_module(name, dict.clone(), None);
    if name == "math" {
        math(&dict, vm)?
    } else {
        random(&dict, vm)?
    }
    let path = format!("<{name}>");
    let code =
        source::compile(vm, text, Mode::Exec, &path).map_err(|e| vm.new_syntax_error(&e, Some(text)))?;
    dict.set_item("__builtins__", super::python::builtins(vm), vm)?;
    vm.run_code_obj(code, Scope::with_builtins(None, dict, vm))?;
    Ok(module)
}

/// Checks the result of a function of floats: it raises where the result is no number, or infinite.
fn checked(x: f64, y: f64, vm: &VirtualMachine) -> PyResult<f64> {
    if y.is_nan() && !x.is_nan() {
        Err(vm.new_value_error("math domain error"))
    } else if y.is_infinite() && x.is_finite() {
        Err(vm.new_overflow_error("math range error"))
    } else {
        Ok(y)
    }
}

/// The functions of `math` that are the same on every machine because no machine is asked.
fn math(dict: &rustpython_vm::builtins::PyDictRef, vm: &VirtualMachine) -> PyResult<()> {
    macro_rules! functions {
        ($($name:literal $function:path),* $(,)?) => {
            $(
                let function = |x: ArgIntoFloat, vm: &VirtualMachine| -> PyResult<f64> {
                    let x = x.into_float();
                    checked(x, $function(x), vm)
                };
                dict.set_item($name, vm.new_function($name, function).into(), vm)?;
            )*
        };
    }
    functions! {
        "sqrt" libm::sqrt, "cbrt" libm::cbrt, "exp" libm::exp, "exp2" libm::exp2, "expm1" libm::expm1,
        "sin" libm::sin, "cos" libm::cos, "tan" libm::tan, "asin" libm::asin, "acos" libm::acos, "atan" libm::atan,
        "sinh" libm::sinh, "cosh" libm::cosh, "tanh" libm::tanh, "asinh" libm::asinh, "acosh" libm::acosh,
        "atanh" libm::atanh, "erf" libm::erf, "erfc" libm::erfc,
    }
    macro_rules! logarithms {
        ($($name:literal $least:literal $function:path),* $(,)?) => {
            $(
                let function = |x: ArgIntoFloat, vm: &VirtualMachine| -> PyResult<f64> {
                    let x = x.into_float();
                    if x <= $least {
                        return Err(vm.new_value_error("math domain error"));
                    }
                    Ok($function(x))
                };
                dict.set_item($name, vm.new_function($name, function).into(), vm)?;
            )*
        };
    }
    logarithms! { "_ln" 0.0 libm::log, "log2" 0.0 libm::log2, "log10" 0.0 libm::log10, "log1p" -1.0 libm::log1p }
    macro_rules! pairs {
        ($($name:literal $function:expr),* $(,)?) => {
            $(
                let function = |x: ArgIntoFloat, y: ArgIntoFloat, vm: &VirtualMachine| -> PyResult<f64> {
                    let (x, y) = (x.into_float(), y.into_float());
                    let worst = if x.is_nan() || y.is_nan() { f64::NAN } else if x.is_infinite() { x } else { y };
                    checked(worst, $function(x, y), vm)
                };
                dict.set_item($name, vm.new_function($name, function).into(), vm)?;
            )*
        };
    }
    pairs! { "pow" libm::pow, "atan2" libm::atan2, "fmod" libm::fmod, "copysign" libm::copysign }
    Ok(())
}

fn random(dict: &rustpython_vm::builtins::PyDictRef, vm: &VirtualMachine) -> PyResult<()> {
    let next = || f64::from(with_random(|random| random.bits(27))) * 67_108_864.0;
    dict.set_item(
        "random",
        vm.new_function("random", move || {
            (next() + f64::from(with_random(|r| r.bits(26)))) / 9_007_199_254_740_992.0
        })
        .into(),
        vm,
    )?;
    let bits = |count: u32| with_random(|random| random.bits(count.clamp(1, 32)));
    dict.set_item("_bits", vm.new_function("_bits", bits).into(), vm)?;
    let seed = |words: Vec<u32>| {
        LIBRARY.with_borrow_mut(|library| {
            library.state.random = Some(Rc::new(Twister::new(&words)));
            library.state.fixed = true;
        });
    };
    dict.set_item("_seed", vm.new_function("_seed", seed).into(), vm)?;
    let again = || {
        LIBRARY.with_borrow_mut(|library| {
            library.state.random = None;
            library.state.fixed = false;
        });
    };
    dict.set_item("_begin_again", vm.new_function("_begin_again", again).into(), vm)
}

fn with_random<T>(with: impl FnOnce(&mut Twister) -> T) -> T {
    LIBRARY.with_borrow_mut(|library| {
        let State { random, seed, fixed, drawn, .. } = &mut library.state;
        *drawn += u64::from(!*fixed);
        let random = random.get_or_insert_with(|| {
            // As Python begins with a whole number: its words of 32 bits, the lowest first, without zeros at the end.
            let words: [u32; 4] = std::array::from_fn(|at| (*seed >> (32 * at)) as u32);
            let count = words.iter().rposition(|&word| word != 0).map_or(1, |last| last + 1);
            Rc::new(Twister::new(&words[..count]))
        });
        with(Rc::make_mut(random))
    })
}

/// The Mersenne twister, as Python begins and reads it.
#[derive(Clone)]
struct Twister {
    words: Box<[u32; 624]>,
    at: usize,
}

impl Twister {
    /// `init_by_array` of Matsumoto and Nishimura.
    fn new(key: &[u32]) -> Twister {
        let mut words = Box::new([0u32; 624]);
        words[0] = 19_650_218;
        for i in 1..624 {
            words[i] =
                1_812_433_253u32.wrapping_mul(words[i - 1] ^ words[i - 1] >> 30).wrapping_add(i as u32);
        }
        let (mut i, mut j) = (1, 0);
        for _ in 0..key.len().max(624) {
            let mixed = (words[i - 1] ^ words[i - 1] >> 30).wrapping_mul(1_664_525);
            words[i] = (words[i] ^ mixed).wrapping_add(key[j]).wrapping_add(j as u32);
            (i, j) = (i + 1, (j + 1) % key.len());
            if i == 624 {
                words[0] = words[623];
                i = 1;
            }
        }
        for _ in 0..623 {
            let mixed = (words[i - 1] ^ words[i - 1] >> 30).wrapping_mul(1_566_083_941);
            words[i] = (words[i] ^ mixed).wrapping_sub(i as u32);
            i += 1;
            if i == 624 {
                words[0] = words[623];
                i = 1;
            }
        }
        words[0] = 0x8000_0000;
        Twister { words, at: 624 }
    }

    /// The upper bits of the next word, from 1 to 32.
    fn bits(&mut self, count: u32) -> u32 {
        if self.at == 624 {
            for i in 0..624 {
                let y = (self.words[i] & 0x8000_0000) | (self.words[(i + 1) % 624] & 0x7FFF_FFFF);
                let odd = if y & 1 == 1 { 0x9908_B0DF } else { 0 };
                self.words[i] = self.words[(i + 397) % 624] ^ y >> 1 ^ odd;
            }
            self.at = 0;
        }
        let mut y = self.words[self.at];
        self.at += 1;
        y ^= y >> 11;
        y ^= y << 7 & 0x9D2C_5680;
        y ^= y << 15 & 0xEFC6_0000;
        y ^= y >> 18;
        y >> (32 - count)
    }
}
