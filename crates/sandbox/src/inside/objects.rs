//! The objects that extensions work with: `JBQ` and the pieces.

use std::rc::Rc;

use jingbanqi::live::Handle;
use kernel::{Outcome, Side};
use rustpython_vm::builtins::{PyDictRef, PyInt};
use rustpython_vm::class::StaticType;
use rustpython_vm::common::hash::PyHash;
use rustpython_vm::types::{Hashable, PyComparisonOp, Representable};
use rustpython_vm::{
    AsObject, Context, Py, PyObject, PyObjectRef, PyPayload, PyResult, VirtualMachine, builtins::PyType,
    pyclass,
};

use super::game::{Asker, Game, game};
use super::values;

/// A piece, the same object for as long as it is remembered.
#[pyclass(module = false, name = "Chess")]
#[derive(Debug)]
pub(crate) struct Piece {
    pub handle: Handle,
}

impl PyPayload for Piece {
    fn class(_ctx: &Context) -> &'static Py<PyType> {
        Self::static_type()
    }
}

impl Hashable for Piece {
    /// Returns the number of the piece as its hash: the same on every machine, unlike an address.
    fn hash(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<PyHash> {
        Ok(PyHash::from(zelf.handle))
    }
}

impl Representable for Piece {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(format!("<Chess {}>", zelf.handle))
    }
}

#[pyclass(with(Hashable, Representable), flags(HAS_DICT, DISALLOW_INSTANTIATION))]
impl Piece {
    #[pygetset]
    fn id(&self, vm: &VirtualMachine) -> PyResult {
        let game = game(vm)?;
        Ok(vm.ctx.new_int(game.live.piece(self.handle).id).into())
    }

    #[pygetset(setter)]
    fn set_id(&self, value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        let game = game(vm)?;
        let id = values::integer(&value, vm)?;
        let kinds = game.live.book().map().kinds.len() as i64;
        if !(1..=kinds).contains(&id) {
            return Err(vm.new_value_error(format!("there is no piece {id}")));
        }
        game.live.change(self.handle, |piece| piece.id = id as u16);
        Ok(())
    }

    #[pygetset]
    fn name(&self, vm: &VirtualMachine) -> PyResult {
        Ok(game(vm)?.name(self.handle))
    }

    #[pygetset(setter)]
    fn set_name(&self, value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        game(vm)?.set_name(self.handle, value, vm)
    }

    #[pygetset]
    fn belong(&self, vm: &VirtualMachine) -> PyResult {
        let game = game(vm)?;
        let owner = game.live.piece(self.handle).owner;
        Ok(vm.ctx.new_int(owner.map_or(3, |side| side.index() + 1)).into())
    }

    #[pygetset(setter)]
    fn set_belong(&self, value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        let game = game(vm)?;
        let owner = match values::integer(&value, vm)? {
            1 => Some(Side::First),
            2 => Some(Side::Second),
            3 => None,
            other => return Err(vm.new_value_error(format!("a piece cannot belong to {other}"))),
        };
        game.live.change(self.handle, |piece| piece.owner = owner);
        Ok(())
    }

    #[pygetset]
    fn is_captain(&self, vm: &VirtualMachine) -> PyResult {
        let game = game(vm)?;
        Ok(vm.ctx.new_bool(game.live.piece(self.handle).captain).into())
    }

    #[pygetset(setter)]
    fn set_is_captain(&self, value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        let (game, set) = (game(vm)?, value.try_to_bool(vm)?);
        game.live.change(self.handle, |piece| piece.captain = set);
        Ok(())
    }

    #[pygetset]
    fn is_tran(&self, vm: &VirtualMachine) -> PyResult {
        let game = game(vm)?;
        Ok(vm.ctx.new_bool(game.live.piece(self.handle).promoted).into())
    }

    #[pygetset(setter)]
    fn set_is_tran(&self, value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        let (game, set) = (game(vm)?, value.try_to_bool(vm)?);
        game.live.change(self.handle, |piece| piece.promoted = set);
        Ok(())
    }

    #[pygetset(name = "move")]
    fn ordinary(&self, vm: &VirtualMachine) -> PyResult {
        ruled(vm)?.held(self.handle, 0, vm)
    }

    #[pygetset(setter, name = "move")]
    fn set_ordinary(&self, value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        ruled(vm)?.hold(self.handle, 0, value);
        Ok(())
    }

    #[pygetset]
    fn tran_move(&self, vm: &VirtualMachine) -> PyResult {
        ruled(vm)?.held(self.handle, 1, vm)
    }

    #[pygetset(setter)]
    fn set_tran_move(&self, value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        ruled(vm)?.hold(self.handle, 1, value);
        Ok(())
    }

    #[pygetset]
    fn tran_con(&self, vm: &VirtualMachine) -> PyResult {
        ruled(vm)?.held(self.handle, 2, vm)
    }

    #[pygetset(setter)]
    fn set_tran_con(&self, value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        ruled(vm)?.hold(self.handle, 2, value);
        Ok(())
    }

    #[pygetset]
    fn attr(&self, vm: &VirtualMachine) -> PyResult<PyDictRef> {
        Ok(game(vm)?.attr(self.handle, vm))
    }

    #[pygetset(setter)]
    fn set_attr(&self, value: PyDictRef, vm: &VirtualMachine) -> PyResult<()> {
        game(vm)?.set_attr(self.handle, value);
        Ok(())
    }

    #[pygetset]
    fn now_move(&self, vm: &VirtualMachine) -> PyResult {
        let game = ruled(vm)?;
        let now =
            game.live.now(&Asker { game: &game, vm }, self.handle).map_err(|trouble| trouble.exception)?;
        Ok(values::numbers(&now, vm))
    }
}

/// The game, where pieces move by rules that extensions read and write: not at level 2.
fn ruled(vm: &VirtualMachine) -> PyResult<Rc<Game>> {
    let game = game(vm)?;
    if game.live.is_second() {
        let words = "a piece of level 2 moves by the sheet chesses: JBQ.moves(arr) gives its squares";
        return Err(vm.new_attribute_error(words));
    }
    Ok(game)
}

/// `JBQ`, also called `API`.
#[pyclass(module = false, name = "ExtAPI")]
#[derive(Debug)]
pub(crate) struct Jbq;

impl PyPayload for Jbq {
    fn class(_ctx: &Context) -> &'static Py<PyType> {
        Self::static_type()
    }
}

impl Representable for Jbq {
    fn repr_str(_zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok("<ExtAPI>".to_owned())
    }
}

#[pyclass(with(Representable), flags(HAS_DICT, DISALLOW_INSTANTIATION))]
impl Jbq {
    #[pygetset]
    fn rl(&self, vm: &VirtualMachine) -> PyResult {
        let rows = game(vm)?.live.book().map().rows;
        Ok(vm.ctx.new_int(rows).into())
    }

    #[pygetset]
    fn cl(&self, vm: &VirtualMachine) -> PyResult {
        let cols = game(vm)?.live.book().map().cols;
        Ok(vm.ctx.new_int(cols).into())
    }

    /// The map as the original keeps it, to be read: `chessboard[row][col]`, `map` with the numbers of the start, `rl`, `cl`,
    /// `rules`, how many neutral moves in a row each side has made, and `chesses`, the table of pieces: name, side, captain,
    /// rule, promotion, promoted rule, attributes. The three lists of rules are those that pieces of the kind go by.
    #[pygetset]
    fn map_data(&self, vm: &VirtualMachine) -> PyResult {
        let game = game(vm)?;
        let map = game.live.book().map();
        let cell = |at: u16| game.at(at).map_or_else(|| vm.ctx.none(), |handle| game.object(handle, vm));
        let cols = u16::from(map.cols);
        let row = |row: u16| -> PyObjectRef {
            vm.ctx.new_list((row * cols..(row + 1) * cols).map(cell).collect()).into()
        };
        let board = vm.ctx.new_list((0..u16::from(map.rows)).map(row).collect());
        let [red, blue] = game.live.memory().neutral();
        let rules = vm.ctx.new_dict();
        for (name, on) in
            [("tran", map.promotion), ("back", map.undo), ("restrict_move_ne", map.neutral_limit)]
        {
            rules.set_item(name, vm.ctx.new_bool(on).into(), vm)?;
        }
        let start = |row: &[u16]| -> PyObjectRef {
            let number = |&id: &u16| if id == 0 { vm.ctx.none() } else { vm.ctx.new_int(id).into() };
            vm.ctx.new_list(row.iter().map(number).collect()).into()
        };
        let starts = map.start.chunks(usize::from(cols)).map(start).collect();
        let kind = |number: usize| -> PyResult {
            let (kind, id) = (&map.kinds[number], number as u16 + 1);
            let attributes = vm.ctx.new_dict();
            for (name, value) in &kind.attributes {
                attributes.set_item(name.as_str(), values::of_cell(value, vm), vm)?;
            }
            let owner = kind.owner.map_or(3, |side| side.index() + 1);
            Ok(vm
                .ctx
                .new_list(vec![
                    vm.ctx.new_str(kind.name.as_str()).into(),
                    vm.ctx.new_int(owner).into(),
                    vm.ctx.new_bool(kind.captain).into(),
                    game.held_by_kind(id, 0, vm)?,
                    game.held_by_kind(id, 2, vm)?,
                    game.held_by_kind(id, 1, vm)?,
                    attributes.into(),
                ])
                .into())
        };
        let chesses = (0..map.kinds.len()).map(kind).collect::<PyResult<Vec<_>>>()?;
        let dict = vm.ctx.new_dict();
        dict.set_item("chesses", vm.ctx.new_list(chesses).into(), vm)?;
        dict.set_item("map", vm.ctx.new_list(starts).into(), vm)?;
        dict.set_item("rl", vm.ctx.new_int(map.rows).into(), vm)?;
        dict.set_item("cl", vm.ctx.new_int(map.cols).into(), vm)?;
        dict.set_item("chessboard", board.into(), vm)?;
        dict.set_item("rules", rules.into(), vm)?;
        dict.set_item("red_move_ne", vm.ctx.new_int(red).into(), vm)?;
        dict.set_item("blue_move_ne", vm.ctx.new_int(blue).into(), vm)?;
        Ok(vm.new_module("map_data", dict, None).into())
    }

    #[pygetset]
    fn turn(&self, vm: &VirtualMachine) -> PyResult {
        let turn = game(vm)?.said_turn();
        Ok(vm.ctx.new_int(turn).into())
    }

    #[pygetset(setter)]
    fn set_turn(&self, value: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        let (game, turn) = (game(vm)?, values::integer(&value, vm)?);
        game.live.say_turn(turn);
        Ok(())
    }

    #[pymethod]
    fn get_arr_by_rd(
        &self,
        arr: PyObjectRef,
        r: PyObjectRef,
        d: PyObjectRef,
        vm: &VirtualMachine,
    ) -> PyResult {
        let game = game(vm)?;
        let map = game.live.book().map();
        let direction = || r.downcast_ref::<PyInt>()?.try_to_primitive::<usize>(vm).ok()?.checked_sub(1);
        let far = || d.downcast_ref::<PyInt>()?.try_to_primitive::<i64>(vm).ok();
        // Whole numbers, as nearly always; everything else as Python reckons with it.
        if let Some((from, &(down, right), far)) = values::whole_pair(&arr, vm)
            .and_then(|from| Some((from, jingbanqi::rule::STEPS.get(direction()?)?, far()?)))
        {
            let go = |from: i64, step: i32| i64::from(step).checked_mul(far)?.checked_add(from);
            let square = go(from.0, down).zip(go(from.1, right)).and_then(|(row, col)| game.square(row, col));
            return Ok(square.map_or_else(|| vm.ctx.none(), |at| game.point(at)));
        }
        let steps = vm.ctx.new_dict();
        for (number, (down, right)) in (1..).zip(jingbanqi::rule::STEPS) {
            let step = vm.ctx.new_tuple(vec![vm.ctx.new_int(down).into(), vm.ctx.new_int(right).into()]);
            steps.set_item(vm.ctx.new_int(number).as_object(), step.into(), vm)?;
        }
        let go = |axis: usize| -> PyResult {
            let from = arr.get_item(&axis, vm)?;
            let step = steps.get_item(&*r, vm)?.get_item(&axis, vm)?;
            vm._add(&from, &*vm._mul(&step, &d)?)
        };
        let within = |place: &PyObject, length: u8| -> PyResult<bool> {
            let (zero, length) = (vm.ctx.new_int(0), vm.ctx.new_int(length));
            Ok(zero.as_object().rich_compare_bool(place, PyComparisonOp::Le, vm)?
                && place.rich_compare_bool(length.as_object(), PyComparisonOp::Lt, vm)?)
        };
        let (row, col) = (go(0)?, go(1)?);
        let there = within(&row, map.rows)? && within(&col, map.cols)?;
        Ok(if there { vm.ctx.new_tuple(vec![row, col]).into() } else { vm.ctx.none() })
    }

    #[pymethod]
    fn get_chess_by_arr(&self, arr: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let game = game(vm)?;
        let at = indexed(&game, &arr, vm)?;
        Ok(game.at(at).map_or_else(|| vm.ctx.none(), |handle| game.object(handle, vm)))
    }

    #[pymethod]
    fn get_chess_arr_by_id(&self, id: PyObjectRef, vm: &VirtualMachine) -> PyResult {
        let game = game(vm)?;
        // Any value may be compared with an id; what is no whole number equals none.
        let at = values::integer(&id, vm).ok().and_then(|id| game.single(id));
        Ok(at.map_or_else(|| vm.ctx.none(), |at| game.point(at)))
    }

    #[pymethod]
    fn can_eat(&self, chess1: PyObjectRef, chess2: PyObjectRef, vm: &VirtualMachine) -> PyResult<bool> {
        let game = game(vm)?;
        if let (Some(one), Some(two)) = (chess1.downcast_ref::<Piece>(), chess2.downcast_ref::<Piece>()) {
            return Ok(game.takes(one.handle, two.handle));
        }
        // Any object with a side may be asked about; the second is asked only if the first answer leaves it
        // open.
        let side = |chess: &PyObjectRef| chess.get_attr("belong", vm);
        let neutral = vm.ctx.new_int(3);
        let takes =
            |chess: &PyObjectRef| side(chess)?.rich_compare_bool(neutral.as_object(), PyComparisonOp::Ne, vm);
        Ok(takes(&chess1)?
            && takes(&chess2)?
            && side(&chess1)?.rich_compare_bool(&*side(&chess2)?, PyComparisonOp::Ne, vm)?)
    }

    #[pymethod]
    fn add_chess(&self, id: PyObjectRef, arr: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        let game = game(vm)?;
        let id = values::index(&id, vm)?;
        if !(1..=game.live.book().map().kinds.len() as i64).contains(&id) {
            return Err(vm.new_index_error("list index out of range"));
        }
        let at = indexed(&game, &arr, vm)?;
        game.add(id as u16, at, vm)
    }

    #[pymethod(name = "move")]
    fn shift(&self, arr1: PyObjectRef, arr2: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        let game = game(vm)?;
        let (from, to) = (indexed(&game, &arr1, vm)?, indexed(&game, &arr2, vm)?);
        let apart = !vm.bool_eq(&arr1, &arr2)?;
        let done = game.live.shift(&Asker { game: &game, vm }, from, to, apart);
        done.map_err(|trouble| trouble.exception)
    }

    #[pymethod]
    fn win(&self, side: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        let game = game(vm)?;
        let winner =
            if values::integer(&side, vm).is_ok_and(|side| side == 1) { Side::First } else { Side::Second };
        game.live.finish(Outcome::Win(winner, "extension-win"));
        Ok(())
    }

    #[pymethod]
    fn stalemate(&self, vm: &VirtualMachine) -> PyResult<()> {
        let game = game(vm)?;
        game.live.finish(Outcome::Draw("extension-draw"));
        Ok(())
    }
}

/// The square that an argument means as an index of rows and columns: negative ones count from the end.
fn indexed(game: &Rc<Game>, arr: &PyObject, vm: &VirtualMachine) -> PyResult<u16> {
    let map = game.live.book().map();
    let place = |axis: usize, length: u8| -> PyResult<i64> {
        let index = values::index(&*arr.get_item(&axis, vm)?, vm)?;
        let index = if index < 0 { index.saturating_add(i64::from(length)) } else { index };
        let there = (0..i64::from(length)).contains(&index);
        if there { Ok(index) } else { Err(vm.new_index_error("list index out of range")) }
    };
    let (row, col) = (place(0, map.rows)?, place(1, map.cols)?);
    game.square(row, col).ok_or_else(|| vm.new_index_error("list index out of range"))
}
