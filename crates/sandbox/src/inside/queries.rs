//! Members that `JBQ` has at level 2 beside those of level 1: questions about the board, and changes of it.
//!
//! All of them are Rust of `jingbanqi`; here arguments are read and answers are made into Python. At level 2 `JBQ` is of
//! a class of its own, so that nothing is added at level 1.

use std::cell::OnceCell;
use std::rc::Rc;

use jingbanqi::level2::AgainError;
use jingbanqi::live::{Handle, MOST_PIECES};
use kernel::Side;
use rustpython_vm::builtins::{PyBaseExceptionRef, PyGetSet, PySet, PyStr, PyType, PyTypeRef};
use rustpython_vm::class::{PyClassImpl as _, StaticType as _};
use rustpython_vm::types::{PyTypeFlags, PyTypeSlots};
use rustpython_vm::{
    AsObject as _, Context, FromArgs, Py, PyObject, PyObjectRef, PyPayload, PyResult, VirtualMachine, pyclass,
};

use super::game::{Asker, Game, game};
use super::objects::{Jbq, Piece};
use super::values;

/// A question with one argument, or none but the object that is asked.
type Query = fn(PyObjectRef, &VirtualMachine) -> PyResult;
/// A question with two arguments.
type Query2 = fn(PyObjectRef, PyObjectRef, &VirtualMachine) -> PyResult;

/// The most attempts that may be open at a time.
const MOST_ATTEMPTS: usize = 64;

thread_local! {
    static CLASS: OnceCell<PyTypeRef> = const { OnceCell::new() };
}

/// Returns the class of `JBQ` at level 2.
pub(super) fn class(vm: &VirtualMachine) -> PyTypeRef {
    CLASS.with(|class| class.get_or_init(|| make(vm)).clone())
}

fn make(vm: &VirtualMachine) -> PyTypeRef {
    Trying::make_static_type();
    let flags = PyTypeFlags::DEFAULT
        | PyTypeFlags::HEAPTYPE
        | PyTypeFlags::HAS_DICT
        | PyTypeFlags::IMMUTABLETYPE
        | PyTypeFlags::DISALLOW_INSTANTIATION;
    let mut slots = PyTypeSlots::default();
    slots.flags = flags;
    let class = vm.ctx.new_class(None, "ExtAPI", Jbq::static_type().to_owned(), slots);
    let set = |name: &'static str, value: PyObjectRef| class.set_attr(vm.ctx.intern_str(name), value);
    let values: [(&'static str, Query); 4] =
        [("captured", captured), ("choice", choice), ("step", step), ("ply", ply)];
    for (name, get) in values {
        let getset = PyGetSet::new(name.to_owned(), Jbq::static_type()).with_get(get);
        set(name, getset.into_ref(&vm.ctx).into());
    }
    let one: [(&'static str, Query); 9] = [
        ("remove", remove),
        ("piece", piece),
        ("around", around),
        ("zone", zone),
        ("terrain", terrain),
        ("group", group),
        ("free", free),
        ("moves", moves),
        ("hand", hand),
    ];
    for (name, function) in one {
        set(name, vm.new_function(name, function).into());
    }
    let two: [(&'static str, Query2); 6] = [
        ("put", put),
        ("line", line),
        ("near", near),
        ("dist", dist),
        ("attacked", attacked),
        ("trying", trying),
    ];
    for (name, function) in two {
        set(name, vm.new_function(name, function).into());
    }
    set("pieces", vm.new_function("pieces", pieces).into());
    set("joined", vm.new_function("joined", joined).into());
    set("give", vm.new_function("give", give).into());
    set("score", vm.new_function("score", score).into());
    set("again", vm.new_function("again", again).into());
    class
}

/// The words of a square that is not on the board.
fn off_board(game: &Game, row: i64, col: i64) -> String {
    let map = game.live.book().map();
    if game.square(row, col).is_some() {
        return format!("({row}, {col}) is no square of this board: the sheet terrain leaves it out");
    }
    format!(
        "({row}, {col}) is off a board of {} rows and {} columns: tables count from 1, hooks from 0",
        map.rows, map.cols
    )
}

/// Returns the square that a pair of numbers means; `None` if it is not on the board.
pub(super) fn square_at(game: &Game, row: i64, col: i64) -> Option<u16> {
    game.square(row, col).filter(|&at| game.live.is_square(at))
}

fn square(game: &Game, arr: &PyObject, vm: &VirtualMachine) -> PyResult<u16> {
    let Some((row, col)) = values::whole_pair(arr, vm) else {
        let class = arr.class().name().to_owned();
        return Err(vm.new_type_error(format!("a square is a row and a column, as (0, 2), not '{class}'")));
    };
    square_at(game, row, col).ok_or_else(|| vm.new_index_error(off_board(game, row, col)))
}

fn side(value: &PyObject, vm: &VirtualMachine) -> PyResult<Side> {
    match values::integer(value, vm)? {
        1 => Ok(Side::First),
        2 => Ok(Side::Second),
        other => Err(vm.new_value_error(format!("a side is 1 or 2, not {other}"))),
    }
}

fn points(game: &Game, squares: &[u16], vm: &VirtualMachine) -> PyObjectRef {
    vm.ctx.new_list(squares.iter().map(|&at| game.point(at)).collect()).into()
}

fn chess(game: &Game, handle: Option<Handle>, vm: &VirtualMachine) -> PyObjectRef {
    handle.map_or_else(|| vm.ctx.none(), |handle| game.object(handle, vm))
}

fn text_of(value: &PyObject) -> Option<String> {
    value.downcast_ref::<PyStr>().map(|text| text.to_string_lossy().into_owned())
}

fn captured(_of: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let taken = game.live.captured();
    Ok(vm.ctx.new_list(taken.into_iter().map(|handle| game.object(handle, vm)).collect()).into())
}

fn choice(_of: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let choice = game(vm)?.live.choice();
    Ok(choice.map_or_else(|| vm.ctx.none(), |text| vm.ctx.new_str(&*text).into()))
}

fn step(_of: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    Ok(vm.ctx.new_int(game(vm)?.live.step()).into())
}

fn ply(_of: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    Ok(vm.ctx.new_int(game(vm)?.live.ply()).into())
}

fn remove(arr: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let at = square(&game, &arr, vm)?;
    Ok(chess(&game, game.live.remove(at), vm))
}

/// The row of the table of a piece that is named by its name or its number.
fn kind(game: &Game, piece: &PyObject, vm: &VirtualMachine) -> PyResult<u16> {
    if let Some(name) = text_of(piece) {
        let named = game.live.kind_named(&name);
        return named.ok_or_else(|| vm.new_value_error(format!("no piece is called '{name}'")));
    }
    let id = values::integer(piece, vm)?;
    let known = (1..=game.live.book().map().kinds.len() as i64).contains(&id);
    if known { Ok(id as u16) } else { Err(vm.new_value_error(format!("there is no piece {id}"))) }
}

fn put(piece: PyObjectRef, arr: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let at = square(&game, &arr, vm)?;
    if let Some(piece) = piece.downcast_ref::<Piece>() {
        let stands = game.live.piece(piece.handle).at;
        if let Some(stands) = stands {
            let cols = u16::from(game.live.book().map().cols);
            let (row, col) = (stands / cols, stands % cols);
            let words =
                format!("the piece stands on ({row}, {col}): JBQ.move moves it, JBQ.remove takes it off");
            return Err(vm.new_value_error(words));
        }
        game.live.put_back(piece.handle, at);
        return Ok(vm.ctx.none());
    }
    let kind = kind(&game, &piece, vm)?;
    if game.live.count() < MOST_PIECES {
        game.live.remove(at);
    }
    game.add(kind, at, vm)?;
    Ok(vm.ctx.none())
}

fn piece(arr: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let at = square(&game, &arr, vm)?;
    Ok(chess(&game, game.at(at), vm))
}

#[derive(FromArgs)]
struct PiecesArgs {
    #[pyarg(any, optional)]
    side: Option<PyObjectRef>,
    #[pyarg(any, optional)]
    name: Option<PyObjectRef>,
}

/// Returns true if a piece belongs to a side, 3 for neutral ones, and has a name, where they are given.
pub(super) fn is_wanted(game: &Game, handle: Handle, side: Option<i64>, name: Option<&str>) -> bool {
    let owner = game.live.piece(handle).owner.map_or(3, |side| side.index() as i64 + 1);
    side.is_none_or(|side| side == owner)
        && name.is_none_or(|name| text_of(&game.name(handle)).is_some_and(|own| own == name))
}

fn pieces(args: PiecesArgs, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let given = |value: Option<PyObjectRef>| value.filter(|value| !vm.is_none(value));
    let side = given(args.side).map(|side| values::integer(&side, vm)).transpose()?;
    let name = match given(args.name) {
        None => None,
        Some(name) => {
            let class = || vm.new_type_error(format!("a name is text, not '{}'", name.class().name()));
            Some(text_of(&name).ok_or_else(class)?)
        }
    };
    let wanted = game.live.standing().into_iter();
    let wanted = wanted.filter(|&(_, handle)| is_wanted(&game, handle, side, name.as_deref()));
    let pair = |(at, handle): (u16, Handle)| -> PyObjectRef {
        vm.ctx.new_tuple(vec![game.point(at), game.object(handle, vm)]).into()
    };
    Ok(vm.ctx.new_list(wanted.map(pair).collect()).into())
}

fn line(arr: PyObjectRef, d: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let (at, direction) = (square(&game, &arr, vm)?, values::integer(&d, vm)?);
    let squares = game.live.line(at, direction);
    let words = || vm.new_value_error(format!("{direction} is no direction of this board"));
    Ok(points(&game, &squares.ok_or_else(words)?, vm))
}

fn around(arr: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let at = square(&game, &arr, vm)?;
    Ok(points(&game, &game.live.around(at), vm))
}

fn near(arr: PyObjectRef, n: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let (at, steps) = (square(&game, &arr, vm)?, values::integer(&n, vm)?);
    Ok(points(&game, &game.live.near(at, steps), vm))
}

fn dist(a: PyObjectRef, b: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let (one, other) = (square(&game, &a, vm)?, square(&game, &b, vm)?);
    Ok(vm.ctx.new_int(game.live.distance(one, other)).into())
}

fn named_zone(game: &Game, name: &str, vm: &VirtualMachine) -> PyResult<Vec<u16>> {
    let squares = game.live.zone(name);
    squares.ok_or_else(|| vm.new_value_error(format!("no square of the sheet terrain is called '{name}'")))
}

fn zone(name: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    Ok(points(&game, &area(&game, &name, vm)?, vm))
}

/// The squares of a zone, by its name or as a list.
fn area(game: &Game, value: &PyObject, vm: &VirtualMachine) -> PyResult<Vec<u16>> {
    match text_of(value) {
        Some(name) => named_zone(game, &name, vm),
        None => values::items(value, vm)?.iter().map(|arr| square(game, arr, vm)).collect(),
    }
}

fn set_of(items: impl Iterator<Item = PyObjectRef>, vm: &VirtualMachine) -> PyResult {
    let set = PySet::default().into_ref(&vm.ctx);
    for item in items {
        set.add(item, vm)?;
    }
    Ok(set.into())
}

fn terrain(arr: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let at = square(&game, &arr, vm)?;
    set_of(game.live.terrain(at).iter().map(|name| vm.ctx.new_str(name.as_str()).into()), vm)
}

fn group(arr: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let at = square(&game, &arr, vm)?;
    Ok(points(&game, &game.live.group(at).0, vm))
}

fn free(arr: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let at = square(&game, &arr, vm)?;
    set_of(game.live.group(at).1.into_iter().map(|at| game.point(at)), vm)
}

fn joined(of: PyObjectRef, zone1: PyObjectRef, zone2: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let (one, other) = (area(&game, &zone1, vm)?, area(&game, &zone2, vm)?);
    Ok(vm.ctx.new_bool(game.live.joined(side(&of, vm)?, &one, &other)).into())
}

/// The squares that a piece may go to, hooks asked; by the table alone for a piece whose hook is being asked, and for all
/// pieces in a hook that is asked for another one's sake. Otherwise pieces that ask about each other would never come to an end.
fn reach(game: &Game, handle: Handle, at: u16, vm: &VirtualMachine) -> PyResult<Vec<u16>> {
    let is_by_table = {
        let asking = game.asking.borrow();
        asking.len() > 1 || asking.contains(&handle)
    };
    if is_by_table {
        return Ok(game.live.reach_by_table(at));
    }
    let reached = game.live.reach_of(&Asker { game, vm }, handle, at);
    reached.map_err(|trouble| trouble.exception)
}

fn moves(arr: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let at = square(&game, &arr, vm)?;
    let squares = game.at(at).map(|handle| reach(&game, handle, at, vm)).transpose()?;
    Ok(points(&game, &squares.unwrap_or_default(), vm))
}

fn attacked(arr: PyObjectRef, by: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let (at, by) = (square(&game, &arr, vm)?, side(&by, vm)?);
    let found: Result<bool, PyBaseExceptionRef> =
        game.live.attacked(at, by, |handle, from| reach(&game, handle, from, vm));
    Ok(vm.ctx.new_bool(found?).into())
}

fn hand(of: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let dict = vm.ctx.new_dict();
    for (kind, count) in game.live.hand(side(&of, vm)?) {
        let name = game.live.table_name(kind);
        dict.set_item(&*name, vm.ctx.new_int(count).into(), vm)?;
    }
    Ok(dict.into())
}

#[derive(FromArgs)]
struct GiveArgs {
    side: PyObjectRef,
    piece: PyObjectRef,
    #[pyarg(any, optional)]
    n: Option<PyObjectRef>,
}

fn give(args: GiveArgs, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let (to, count) = (side(&args.side, vm)?, args.n.map_or(Ok(1), |n| values::integer(&n, vm))?);
    let kind = match args.piece.downcast_ref::<Piece>() {
        Some(piece) => game.live.piece(piece.handle).id,
        None => kind(&game, &args.piece, vm)?,
    };
    if game.live.give(to, kind, count) {
        return Ok(vm.ctx.none());
    }
    let (name, number) = (game.live.table_name(kind), to.index() + 1);
    let words = format!("side {number} cannot have {count} more of '{name}' in its hand: see the sheet hand");
    Err(vm.new_value_error(words))
}

#[derive(FromArgs)]
struct ScoreArgs {
    side: PyObjectRef,
    #[pyarg(any, optional)]
    n: Option<PyObjectRef>,
}

fn score(args: ScoreArgs, vm: &VirtualMachine) -> PyResult {
    let game = game(vm)?;
    let more = args.n.map_or(Ok(0), |n| values::integer(&n, vm))?;
    Ok(vm.ctx.new_int(game.live.add_score(side(&args.side, vm)?, more)).into())
}

#[derive(FromArgs)]
struct AgainArgs {
    #[pyarg(any, optional)]
    only: Option<PyObjectRef>,
}

fn again(args: AgainArgs, vm: &VirtualMachine) -> PyResult {
    let only = args.only.filter(|only| !vm.is_none(only));
    let game = game(vm)?;
    let squares = only.map(|only| -> PyResult<Vec<u16>> {
        values::items(&only, vm)?.iter().map(|arr| square(&game, arr, vm)).collect()
    });
    match game.live.act_again(squares.transpose()?) {
        Ok(()) => Ok(vm.ctx.none()),
        Err(AgainError::NotNow) => Err(vm.new_runtime_error("JBQ.again belongs into after_move")),
        Err(AgainError::TooLong) => {
            let most = jingbanqi::level2::MOST_STEPS;
            Err(vm.new_runtime_error(format!("a turn has at most {most} plies")))
        }
    }
}

/// An attempt: a move that is taken back at the end of a `with`.
#[pyclass(module = false, name = "Trying")]
#[derive(Debug)]
pub(crate) struct Trying {
    from: u16,
    to: u16,
}

impl PyPayload for Trying {
    fn class(_ctx: &Context) -> &'static Py<PyType> {
        Self::static_type()
    }
}

#[pyclass(flags(DISALLOW_INSTANTIATION))]
impl Trying {
    #[pymethod]
    fn __enter__(&self, vm: &VirtualMachine) -> PyResult {
        let game = game(vm)?;
        if game.attempts.borrow().len() >= MOST_ATTEMPTS {
            return Err(vm.new_runtime_error("too many attempts within each other"));
        }
        game.begin_attempt();
        game.live.attempt(self.from, self.to);
        Ok(vm.ctx.none())
    }

    #[pymethod]
    fn __exit__(
        &self,
        _class: PyObjectRef,
        _value: PyObjectRef,
        _trace: PyObjectRef,
        vm: &VirtualMachine,
    ) -> PyResult<bool> {
        game(vm)?.end_attempt();
        Ok(false)
    }
}

fn trying(a: PyObjectRef, b: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let game: Rc<Game> = game(vm)?;
    let (from, to) = (square(&game, &a, vm)?, square(&game, &b, vm)?);
    if game.at(from).is_none() {
        let (row, col) = values::whole_pair(&a, vm).unwrap_or_default();
        return Err(vm.new_value_error(format!("no piece stands on ({row}, {col})")));
    }
    Ok(Trying { from, to }.into_ref(&vm.ctx).into())
}
