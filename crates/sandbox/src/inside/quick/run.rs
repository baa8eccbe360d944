//! Running functions quickly: nothing that lasts is touched, and whatever is not plain is left to the interpreter.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use jingbanqi::live::Handle;
use rustpython_vm::{AsObject, PyObjectRef, VirtualMachine};

use super::super::game::Game;
use super::code::{Cmp, Def, Expr, For, Known, Member, Op, Source, Stmt, Target, Turn};
use super::link::{Linked, World};
use super::value::{Built, Function, Leave, List, Once, Quick, Through, V, Wide};
use super::walk::Walk;

/// How much is done before the interpreter, which is watched, takes over.
const MOST_STEPS: u32 = 400_000;
/// How deep functions call each other here.
const MOST_CALLS: u32 = 40;

/// One run, with what it has looked at.
pub(super) struct Run<'a> {
    pub game: &'a Game,
    pub vm: &'a VirtualMachine,
    pub world: &'a World,
    pub looked: Looked,
    pub cols: u16,
    rows: u16,
    left: Cell<u32>,
    calls: Cell<u32>,
    /// Locals that functions share; they are emptied in the end, for they may hold each other.
    shared: RefCell<Vec<Rc<RefCell<V>>>>,
}

/// What a run has looked at.
#[derive(Default)]
pub(super) struct Looked {
    pub squares: Vec<Cell<u64>>,
    /// Whose turn it is said to be.
    pub turn: Cell<bool>,
    /// More of the board than can be told.
    pub all: Cell<bool>,
}

impl Looked {
    pub(super) fn at(&self, at: u16) {
        let word = &self.squares[usize::from(at / 64)];
        word.set(word.get() | 1 << (at % 64));
    }
}

/// A function while it runs.
pub(super) struct Frame<'f> {
    slots: Vec<V>,
    frees: &'f [Rc<RefCell<V>>],
    home: &'f Rc<Linked>,
    returns: V,
}

/// What comes after a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    On,
    Break,
    Continue,
    /// What is returned stands in the frame.
    Return,
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        for shared in self.shared.take() {
            shared.replace(V::Unbound);
        }
    }
}

impl<'a> Run<'a> {
    pub(super) fn new(game: &'a Game, vm: &'a VirtualMachine, world: &'a World) -> Run<'a> {
        let map = game.live.book().map();
        Run {
            game,
            vm,
            world,
            looked: Looked { squares: vec![Cell::new(0); map.squares().div_ceil(64)], ..Looked::default() },
            cols: u16::from(map.cols),
            rows: u16::from(map.rows),
            left: Cell::new(MOST_STEPS),
            calls: Cell::new(0),
            shared: RefCell::default(),
        }
    }

    /// Counts what is done.
    pub(super) fn step(&self, much: usize) -> Quick<()> {
        let much = u32::try_from(much).map_err(|_| Leave(&"too much"))?;
        self.left.set(self.left.get().checked_sub(much).ok_or(Leave(&"too long"))?);
        Ok(())
    }

    /// Calls a value.
    pub(super) fn call(&self, function: &V, mut args: Vec<V>) -> Quick<V> {
        match function {
            V::Built(Wide(built)) => self.built(*built, args),
            V::Function(function) => {
                self.run(&function.def, &function.defaults, &function.frees, &function.home, args)
            }
            V::Linked(bound) => {
                if let Some(to) = &bound.to {
                    args.insert(0, self.world.value(to, self.vm)?);
                }
                let linked = &bound.function;
                self.run(&linked.def, &linked.defaults, &linked.frees, linked, args)
            }
            _ => Err(Leave(&"a call")),
        }
    }

    fn run(
        &self,
        def: &Def,
        defaults: &[V],
        frees: &[Rc<RefCell<V>>],
        home: &Rc<Linked>,
        mut args: Vec<V>,
    ) -> Quick<V> {
        args.reserve(def.slots.saturating_sub(args.len()));
        let missing = def.takes.checked_sub(args.len()).ok_or(Leave(&"too many arguments"))?;
        let from = defaults.len().checked_sub(missing).ok_or(Leave(&"too few arguments"))?;
        args.extend_from_slice(&defaults[from..]);
        args.resize(def.slots, V::Unbound);
        self.step(def.weight)?;
        if self.calls.get() >= MOST_CALLS {
            return Err(Leave(&"deep calls"));
        }
        self.calls.set(self.calls.get() + 1);
        for &cell in &def.cells {
            let slot = &mut args[usize::from(cell)];
            let shared = Rc::new(RefCell::new(std::mem::replace(slot, V::Unbound)));
            self.shared.borrow_mut().push(Rc::clone(&shared));
            *slot = V::Shared(shared);
        }
        let mut frame = Frame { slots: args, frees, home, returns: V::None };
        let flow = self.block(&mut frame, &def.body);
        self.calls.set(self.calls.get() - 1);
        flow?;
        Ok(frame.returns)
    }

    fn block(&self, f: &mut Frame<'_>, body: &[Stmt]) -> Quick<Flow> {
        for stmt in body {
            match self.stmt(f, stmt)? {
                Flow::On => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::On)
    }

    fn stmt(&self, f: &mut Frame<'_>, stmt: &Stmt) -> Quick<Flow> {
        match stmt {
            Stmt::Do(expr) => {
                self.expr(f, expr)?;
            }
            Stmt::Set(slot, expr) => f.slots[usize::from(*slot)] = self.expr(f, expr)?,
            // Put where it belongs at once: processors dislike a value that is written in halves and read as one.
            Stmt::SetChess(slot, at) => {
                let piece = match at {
                    Expr::Local(at) => self.chess(local(f, *at)?)?,
                    at => {
                        let at = self.expr(f, at)?;
                        self.chess(&at)?
                    }
                };
                let place = &mut f.slots[usize::from(*slot)];
                match piece {
                    Some(piece) => *place = V::Piece(Wide(piece)),
                    None => *place = V::None,
                }
            }
            Stmt::SetAway(slot, args) => {
                let [at, direction, far] = &**args;
                let to = match (at, known_int(f, direction), known_int(f, far)) {
                    (Expr::Local(at), Some(direction), Some(far)) => {
                        self.away(local(f, *at)?, direction, far)?
                    }
                    _ => {
                        let at = self.expr(f, at)?;
                        match (self.expr(f, direction)?, self.expr(f, far)?) {
                            (V::Int(direction), V::Int(far)) => self.away(&at, direction, far)?,
                            _ => return Err(Leave(&"a direction")),
                        }
                    }
                };
                let place = &mut f.slots[usize::from(*slot)];
                match to {
                    Some(to) => *place = V::Pair(Wide(to)),
                    None => *place = V::None,
                }
            }
            Stmt::Assign(targets, expr) => {
                let value = self.expr(f, expr)?;
                let Some((last, others)) = targets.split_last() else { return Ok(Flow::On) };
                for target in others {
                    self.assign(f, target, value.clone())?;
                }
                self.assign(f, last, value)?;
            }
            Stmt::Change(target, op, expr) => self.change(f, target, *op, expr)?,
            Stmt::Delete(of, at) => {
                let (of, at) = (self.expr(f, of)?, self.expr(f, at)?);
                let (V::List(list), V::Int(at)) = (of, at) else { return Err(Leave(&"del")) };
                let at = index(at, list.read(<[V]>::len))?;
                self.step(list.read(<[V]>::len) - at)?;
                list.write(|items| items.remove(at))?;
            }
            Stmt::If(choices, otherwise) => {
                for (test, body) in choices {
                    if self.test(f, test)? {
                        return self.block(f, body);
                    }
                }
                return self.block(f, otherwise);
            }
            Stmt::For(turns) => return self.turns(f, turns),
            Stmt::While(test, body, otherwise, weight) => {
                while self.test(f, test)? {
                    self.step(*weight)?;
                    match self.block(f, body)? {
                        Flow::On | Flow::Continue => {}
                        Flow::Break => return Ok(Flow::On),
                        Flow::Return => return Ok(Flow::Return),
                    }
                }
                return self.block(f, otherwise);
            }
            Stmt::Return(expr) => {
                f.returns = self.expr(f, expr)?;
                return Ok(Flow::Return);
            }
            Stmt::Break => return Ok(Flow::Break),
            Stmt::Continue => return Ok(Flow::Continue),
            Stmt::Assert(test) => {
                if !self.test(f, test)? {
                    return Err(Leave(&"an assertion"));
                }
            }
            Stmt::Leave(why) => return Err(Leave(why)),
        }
        Ok(Flow::On)
    }

    fn turns(&self, f: &mut Frame<'_>, turns: &For) -> Quick<Flow> {
        let mut walk = self.walk(&self.expr(f, &turns.over)?)?;
        while self.turn(f, &turns.target, &mut walk)? {
            self.step(turns.weight)?;
            match self.block(f, &turns.body)? {
                Flow::On | Flow::Continue => {}
                Flow::Break => return Ok(Flow::On),
                Flow::Return => return Ok(Flow::Return),
            }
        }
        self.block(f, &turns.otherwise)
    }

    /// Puts the next item where it belongs.
    fn turn(&self, f: &mut Frame<'_>, target: &Target, walk: &mut Walk) -> Quick<bool> {
        // What is counted comes in two parts.
        if let (Walk::Count(walk, number), Target::Many(parts)) = (&mut *walk, target)
            && let [one, two] = &parts[..]
        {
            let Some(item) = walk.next(self)? else { return Ok(false) };
            let now = *number;
            *number = now.checked_add(1).ok_or(Leave(&"a large number"))?;
            self.assign(f, one, V::Int(now))?;
            self.assign(f, two, item)?;
            return Ok(true);
        }
        let Some(item) = walk.next(self)? else { return Ok(false) };
        self.assign(f, target, item)?;
        Ok(true)
    }

    fn change(&self, f: &mut Frame<'_>, target: &Target, op: Op, expr: &Expr) -> Quick<()> {
        let changed = |old: &V, value: V| -> Quick<Option<V>> {
            // A list takes in what is added to it.
            if let (V::List(list), Op::Add) = (old, op) {
                let mut more = self.walk(&value)?;
                let mut items = Vec::new();
                while let Some(item) = more.next(self)? {
                    self.step(1)?;
                    items.push(item);
                }
                list.write(|list| list.extend(items))?;
                return Ok(None);
            }
            if matches!(old, V::List(_)) {
                return Err(Leave(&"a list changed by an operation"));
            }
            self.binary(op, old, &value).map(Some)
        };
        match target {
            Target::Local(slot) => {
                // What counts.
                if let (V::Int(number), Expr::Const(V::Int(more)), Op::Add) =
                    (&mut f.slots[usize::from(*slot)], expr, op)
                {
                    *number = number.checked_add(*more).ok_or(Leave(&"a large number"))?;
                    return Ok(());
                }
                let value = self.expr(f, expr)?;
                let old = &f.slots[usize::from(*slot)];
                if let Some(new) = changed(old, value)? {
                    f.slots[usize::from(*slot)] = new;
                }
            }
            Target::Cell(slot) => {
                let value = self.expr(f, expr)?;
                let V::Shared(shared) = f.slots[usize::from(*slot)].clone() else {
                    return Err(Leave(&"a shared name"));
                };
                let old = shared.borrow().clone();
                if let Some(new) = changed(&old, value)? {
                    shared.replace(new);
                }
            }
            Target::Item(of, at) => {
                let (of, at) = (self.expr(f, of)?, self.expr(f, at)?);
                let old = self.item(&of, &at)?;
                let value = self.expr(f, expr)?;
                if let Some(new) = changed(&old, value)? {
                    self.put(&of, &at, new)?;
                }
            }
            Target::Many(_) | Target::Effect => return Err(Leave(&"an effect")),
        }
        Ok(())
    }

    fn assign(&self, f: &mut Frame<'_>, target: &Target, value: V) -> Quick<()> {
        match target {
            Target::Local(slot) => f.slots[usize::from(*slot)] = value,
            Target::Cell(slot) => match &f.slots[usize::from(*slot)] {
                V::Shared(shared) => {
                    shared.replace(value);
                }
                _ => return Err(Leave(&"a shared name")),
            },
            Target::Many(targets) => {
                let parts = match &value {
                    V::List(list) => list.read(<[V]>::to_vec),
                    other => other.parts().ok_or(Leave(&"what is taken apart"))?,
                };
                if parts.len() != targets.len() {
                    return Err(Leave(&"what is taken apart"));
                }
                for (target, part) in targets.iter().zip(parts) {
                    self.assign(f, target, part)?;
                }
            }
            Target::Item(of, at) => {
                let (of, at) = (self.expr(f, of)?, self.expr(f, at)?);
                self.put(&of, &at, value)?;
            }
            Target::Effect => return Err(Leave(&"an effect")),
        }
        Ok(())
    }

    fn put(&self, of: &V, at: &V, value: V) -> Quick<()> {
        let (V::List(list), V::Int(at)) = (of, at) else { return Err(Leave(&"an effect")) };
        let at = index(*at, list.read(<[V]>::len))?;
        list.write(|items| items[at] = value)
    }

    /// Whether an expression holds.
    fn test(&self, f: &mut Frame<'_>, expr: &Expr) -> Quick<bool> {
        match expr {
            Expr::Compare(compare) => {
                let (one, cmp, two) = &**compare;
                let one = self.expr(f, one)?;
                // What stands there already need not be copied.
                match two {
                    Expr::Const(two) => self.compare(&one, *cmp, two),
                    Expr::Local(slot) => self.compare(&one, *cmp, local(f, *slot)?),
                    two => {
                        let two = self.expr(f, two)?;
                        self.compare(&one, *cmp, &two)
                    }
                }
            }
            Expr::Not(inner) => Ok(!self.test(f, inner)?),
            Expr::And(all) => {
                for one in all {
                    if !self.test(f, one)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Expr::Or(all) => {
                for one in all {
                    if self.test(f, one)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Expr::Local(slot) => self.truth(local(f, *slot)?),
            Expr::Const(value) => self.truth(value),
            other => {
                let value = self.expr(f, other)?;
                self.truth(&value)
            }
        }
    }

    #[inline]
    pub(super) fn expr(&self, f: &mut Frame<'_>, expr: &Expr) -> Quick<V> {
        match expr {
            Expr::Const(value) => Ok(value.clone()),
            Expr::Local(slot) => local(f, *slot).cloned(),
            Expr::Method(of, member, args) => match &**of {
                Expr::Jbq => self.method(f, &V::Jbq, member, args),
                Expr::Local(slot) if matches!(member.known, Known::Append) => {
                    let of = local(f, *slot)?.clone();
                    self.method(f, &of, member, args)
                }
                of => {
                    let of = self.expr(f, of)?;
                    self.method(f, &of, member, args)
                }
            },
            Expr::Member(of, member) => match &**of {
                Expr::Local(slot) => self.member(local(f, *slot)?, member),
                of => {
                    let of = self.expr(f, of)?;
                    self.member(&of, member)
                }
            },
            other => self.other(f, other),
        }
    }

    #[inline(never)]
    fn other(&self, f: &mut Frame<'_>, expr: &Expr) -> Quick<V> {
        Ok(match expr {
            Expr::Const(_) | Expr::Local(_) | Expr::Method(..) | Expr::Member(..) => self.expr(f, expr)?,
            Expr::Cell(slot) => match &f.slots[usize::from(*slot)] {
                V::Shared(shared) => bound(&shared.borrow())?,
                _ => return Err(Leave(&"a shared name")),
            },
            Expr::Free(place) => bound(&f.frees[usize::from(*place)].borrow())?,
            Expr::Jbq => V::Jbq,
            Expr::Global(place) => self.world.global(f.home.file, *place, self.vm)?,
            Expr::Call(function, args) => {
                let function = self.expr(f, function)?;
                let args = self.args(f, args)?;
                self.call(&function, args)?
            }
            Expr::Binary(op, one, two) => {
                let (one, two) = (self.expr(f, one)?, self.expr(f, two)?);
                self.binary(*op, &one, &two)?
            }
            Expr::Not(inner) => V::Bool(Wide(!self.test(f, inner)?)),
            Expr::Minus(inner) => match self.expr(f, inner)? {
                V::Int(number) => V::Int(number.checked_neg().ok_or(Leave(&"a large number"))?),
                V::Float(number) => V::Float(-number),
                _ => return Err(Leave(&"minus")),
            },
            Expr::And(all) => self.first(f, all, false)?,
            Expr::Or(all) => self.first(f, all, true)?,
            Expr::Compare(_) => V::Bool(Wide(self.test(f, expr)?)),
            Expr::Chain(first, rest) => {
                let mut one = self.expr(f, first)?;
                for (cmp, two) in rest {
                    let two = self.expr(f, two)?;
                    if !self.compare(&one, *cmp, &two)? {
                        return Ok(V::Bool(Wide(false)));
                    }
                    one = two;
                }
                V::Bool(Wide(true))
            }
            Expr::Choose(choice) => {
                let (test, yes, no) = &**choice;
                if self.test(f, test)? { self.expr(f, yes)? } else { self.expr(f, no)? }
            }
            Expr::Item(of, at) => {
                let (of, at) = (self.expr(f, of)?, self.expr(f, at)?);
                self.item(&of, &at)?
            }
            Expr::Slice(of, parts) => {
                let of = self.expr(f, of)?;
                let mut bounds = [None; 3];
                for (bound, part) in bounds.iter_mut().zip(parts.iter()) {
                    *bound = match part.as_ref().map(|part| self.expr(f, part)).transpose()? {
                        None | Some(V::None) => None,
                        Some(V::Int(number)) => Some(number),
                        Some(_) => return Err(Leave(&"a slice")),
                    };
                }
                self.slice(&of, bounds)?
            }
            Expr::Tuple(parts) => match &parts[..] {
                [one, two] => pair(self.expr(f, one)?, self.expr(f, two)?),
                parts => V::tuple(self.args(f, parts)?),
            },
            Expr::List(parts) => List::of(self.args(f, parts)?),
            Expr::Each(elt, turns, weight) => {
                let mut items = Vec::new();
                self.each(f, elt, turns, *weight, &mut items)?;
                List::of(items)
            }
            Expr::Function(def) => self.function(f, def)?,
            Expr::Leave(why) => return Err(Leave(why)),
        })
    }

    fn function(&self, f: &mut Frame<'_>, def: &Rc<Def>) -> Quick<V> {
        let defaults = self.args(f, &def.defaults)?;
        let frees = def.frees.iter().map(|(_, source)| match source {
            Source::Cell(slot) => match &f.slots[usize::from(*slot)] {
                V::Shared(shared) => Ok(Rc::clone(shared)),
                _ => Err(Leave(&"a shared name")),
            },
            Source::Free(place) => Ok(Rc::clone(&f.frees[usize::from(*place)])),
        });
        let frees = frees.collect::<Quick<_>>()?;
        let home = Rc::clone(f.home);
        Ok(V::Function(Rc::new(Function { def: Rc::clone(def), defaults, frees, home })))
    }

    fn args(&self, f: &mut Frame<'_>, args: &[Expr]) -> Quick<Vec<V>> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.expr(f, arg)?);
        }
        Ok(values)
    }

    /// The first value that is as true as wanted, or the last.
    fn first(&self, f: &mut Frame<'_>, all: &[Expr], wanted: bool) -> Quick<V> {
        let mut last = V::None;
        for one in all {
            last = self.expr(f, one)?;
            if self.truth(&last)? == wanted {
                break;
            }
        }
        Ok(last)
    }

    fn each(
        &self,
        f: &mut Frame<'_>,
        elt: &Expr,
        turns: &[Turn],
        weight: usize,
        items: &mut Vec<V>,
    ) -> Quick<()> {
        let Some((turn, rest)) = turns.split_first() else {
            items.push(self.expr(f, elt)?);
            return Ok(());
        };
        let mut walk = self.walk(&self.expr(f, &turn.over)?)?;
        'items: while self.turn(f, &turn.target, &mut walk)? {
            self.step(weight)?;
            for test in &turn.ifs {
                if !self.test(f, test)? {
                    continue 'items;
                }
            }
            self.each(f, elt, rest, weight, items)?;
        }
        Ok(())
    }

    fn method(&self, f: &mut Frame<'_>, of: &V, member: &Member, args: &[Expr]) -> Quick<V> {
        match (of, member.known, args) {
            (V::Jbq, Known::GetChessByArr, [at]) => {
                let at = self.expr(f, at)?;
                Ok(self.chess(&at)?.map_or(V::None, |piece| V::Piece(Wide(piece))))
            }
            (V::Jbq, Known::GetArrByRd, [at, direction, far]) => {
                let at = self.expr(f, at)?;
                match (self.expr(f, direction)?, self.expr(f, far)?) {
                    (V::Int(direction), V::Int(far)) => {
                        Ok(self.away(&at, direction, far)?.map_or(V::None, |to| V::Pair(Wide(to))))
                    }
                    _ => Err(Leave(&"a direction")),
                }
            }
            (V::Jbq, Known::GetChessArrById, [id]) => {
                let V::Int(id) = self.expr(f, id)? else { return Err(Leave(&"an id")) };
                self.looked.all.set(true);
                Ok(self.game.single(id).map_or(V::None, |at| self.point(at)))
            }
            (V::Jbq, Known::CanEat, [one, two]) => match (self.expr(f, one)?, self.expr(f, two)?) {
                (V::Piece(Wide(one)), V::Piece(Wide(two))) => Ok(V::Bool(Wide(self.game.takes(one, two)))),
                _ => Err(Leave(&"can_eat of no piece")),
            },
            (V::List(list), Known::Append, [item]) => {
                let item = self.expr(f, item)?;
                list.write(|items| items.push(item))?;
                Ok(V::None)
            }
            (V::Attr(Wide(piece)), Known::Get, [key]) => {
                let key = self.expr(f, key)?;
                Ok(self.attribute(*piece, &key)?.unwrap_or(V::None))
            }
            (V::Attr(Wide(piece)), Known::Get, [key, otherwise]) => {
                let (key, otherwise) = (self.expr(f, key)?, self.expr(f, otherwise)?);
                Ok(self.attribute(*piece, &key)?.unwrap_or(otherwise))
            }
            _ => {
                let args = self.args(f, args)?;
                self.other_method(of, member, args)
            }
        }
    }

    fn other_method(&self, of: &V, member: &Member, args: Vec<V>) -> Quick<V> {
        match of {
            V::List(list) => self.list_method(list, member.known, args),
            V::Object(object) => match (member.known, &args[..]) {
                (Known::Get, [key]) if is_dict(object, self.vm) => {
                    Ok(self.world.item(object, key, self.vm)?.unwrap_or(V::None))
                }
                (Known::Get, [key, otherwise]) if is_dict(object, self.vm) => {
                    Ok(self.world.item(object, key, self.vm)?.unwrap_or_else(|| otherwise.clone()))
                }
                _ => {
                    let function = self.world.member(object, member.name, self.vm)?;
                    self.call(&function, args)
                }
            },
            _ => Err(Leave(&"a method")),
        }
    }

    fn list_method(&self, list: &Rc<List>, known: Known, mut args: Vec<V>) -> Quick<V> {
        let length = list.read(<[V]>::len);
        self.step(length)?;
        let find = |wanted: &V| -> Quick<Option<usize>> {
            for (at, item) in list.read(<[V]>::to_vec).iter().enumerate() {
                if self.equals(item, wanted)? {
                    return Ok(Some(at));
                }
            }
            Ok(None)
        };
        Ok(match (known, args.len()) {
            (Known::Extend, 1) => {
                let items = self.all(&args[0])?;
                list.write(|list| list.extend(items))?;
                V::None
            }
            (Known::Insert, 2) => {
                let (Some(item), Some(V::Int(at))) = (args.pop(), args.pop()) else {
                    return Err(Leave(&"insert"));
                };
                let at =
                    if at < 0 { (at + length as i64).max(0) as usize } else { (at as usize).min(length) };
                list.write(|items| items.insert(at, item))?;
                V::None
            }
            (Known::Pop, 0 | 1) => {
                let at = match args.first() {
                    None => -1,
                    Some(V::Int(at)) => *at,
                    Some(_) => return Err(Leave(&"pop")),
                };
                let at = index(at, length)?;
                list.write(|items| items.remove(at))?
            }
            (Known::Remove, 1) => {
                let at = find(&args[0])?.ok_or(Leave(&"remove"))?;
                list.write(|items| items.remove(at))?;
                V::None
            }
            (Known::Index, 1) => V::Int(find(&args[0])?.ok_or(Leave(&"index"))? as i64),
            (Known::Count, 1) => {
                let mut count = 0;
                for item in list.read(<[V]>::to_vec) {
                    count += i64::from(self.equals(&item, &args[0])?);
                }
                V::Int(count)
            }
            (Known::Copy, 0) => List::of(list.read(<[V]>::to_vec)),
            (Known::Reverse, 0) => {
                list.write(|items| items.reverse())?;
                V::None
            }
            (Known::Clear, 0) => {
                list.write(Vec::clear)?;
                V::None
            }
            _ => return Err(Leave(&"a method of a list")),
        })
    }

    /// All that can be gone through, at once.
    pub(super) fn all(&self, over: &V) -> Quick<Vec<V>> {
        let mut walk = self.walk(over)?;
        let mut items = Vec::new();
        while let Some(item) = walk.next(self)? {
            self.step(1)?;
            items.push(item);
        }
        Ok(items)
    }

    fn built(&self, built: Built, args: Vec<V>) -> Quick<V> {
        Ok(match (built, &args[..]) {
            (Built::Print, _) => V::None,
            (Built::Len, [of]) => V::Int(self.length(of)? as i64),
            (Built::Range, [V::Int(stop)]) => V::Range(Rc::new([0, *stop, 1])),
            (Built::Range, [V::Int(start), V::Int(stop)]) => V::Range(Rc::new([*start, *stop, 1])),
            (Built::Range, [V::Int(start), V::Int(stop), V::Int(step)]) if *step != 0 => {
                V::Range(Rc::new([*start, *stop, *step]))
            }
            (Built::Enumerate, [of]) => Once::of(Through::Enumerate(of.clone(), 0)),
            (Built::Enumerate, [of, V::Int(start)]) => Once::of(Through::Enumerate(of.clone(), *start)),
            (Built::Zip, [_, ..]) => Once::of(Through::Zip(args)),
            (Built::Reversed, [of @ (V::List(_) | V::Pair(..) | V::Tuple(_) | V::Range(_))]) => {
                Once::of(Through::Reversed(of.clone()))
            }
            (Built::Abs, [V::Int(number)]) => V::Int(number.checked_abs().ok_or(Leave(&"a large number"))?),
            (Built::Abs, [V::Float(number)]) => V::Float(number.abs()),
            (Built::Min, [of]) => self.extreme(&self.all(of)?, false)?,
            (Built::Max, [of]) => self.extreme(&self.all(of)?, true)?,
            (Built::Min, [_, _, ..]) => self.extreme(&args, false)?,
            (Built::Max, [_, _, ..]) => self.extreme(&args, true)?,
            (Built::Sum, [of]) => {
                let mut sum = V::Int(0);
                for item in self.all(of)? {
                    sum = self.binary(Op::Add, &sum, &item)?;
                }
                sum
            }
            (Built::Any | Built::All, [of]) => {
                let wanted = built == Built::Any;
                let mut found = !wanted;
                for item in self.all(of)? {
                    if self.truth(&item)? == wanted {
                        found = wanted;
                        break;
                    }
                }
                V::Bool(Wide(found))
            }
            (Built::List, []) => List::of(Vec::new()),
            (Built::List, [of]) => List::of(self.all(of)?),
            (Built::Tuple, []) => V::tuple(Vec::new()),
            (Built::Tuple, [of]) => V::tuple(self.all(of)?),
            (Built::Int, [V::Int(number)]) => V::Int(*number),
            (Built::Int, [V::Bool(Wide(set))]) => V::Int(i64::from(*set)),
            (Built::Int, [V::Float(number)]) if number.abs() < 1e15 => V::Int(*number as i64),
            (Built::Bool, [of]) => V::Bool(Wide(self.truth(of)?)),
            (Built::Eval, [V::Str(text)]) => {
                let literal = self.world.literal(text, self.vm)?;
                let nobody =
                    Rc::new(Linked { def: Rc::default(), file: 0, defaults: Vec::new(), frees: Vec::new() });
                let mut frame = Frame { slots: Vec::new(), frees: &[], home: &nobody, returns: V::None };
                self.expr(&mut frame, &literal)?
            }
            _ => return Err(Leave(&"a call of what is built in")),
        })
    }

    fn extreme(&self, items: &[V], most: bool) -> Quick<V> {
        let (first, rest) = items.split_first().ok_or(Leave(&"the extreme of nothing"))?;
        let mut best = first;
        for item in rest {
            let better = if most { self.less(best, item)? } else { self.less(item, best)? };
            if better {
                best = item;
            }
        }
        Ok(best.clone())
    }

    // What the game tells.

    fn point(&self, at: u16) -> V {
        V::Pair(Wide((i32::from(at / self.cols), i32::from(at % self.cols))))
    }

    /// Row and column.
    fn pair_of(&self, at: &V) -> Quick<(i64, i64)> {
        match at {
            V::Pair(Wide((row, col))) => Ok((i64::from(*row), i64::from(*col))),
            V::List(list) => list.read(|items| match items {
                [V::Int(row), V::Int(col), ..] => Ok((*row, *col)),
                _ => Err(Leave(&"a square")),
            }),
            _ => Err(Leave(&"a square")),
        }
    }

    #[inline]
    fn chess(&self, at: &V) -> Quick<Option<Handle>> {
        let (row, col) = self.pair_of(at)?;
        let within = |index: i64, length: u16| {
            let index = if index < 0 { index + i64::from(length) } else { index };
            (0..i64::from(length)).contains(&index).then_some(index as u16)
        };
        let square = within(row, self.rows).zip(within(col, self.cols));
        let (row, col) = square.ok_or(Leave(&"a square that is not there"))?;
        let at = row * self.cols + col;
        self.looked.at(at);
        Ok(self.game.at(at))
    }

    #[inline]
    fn away(&self, at: &V, direction: i64, far: i64) -> Quick<Option<(i32, i32)>> {
        let (row, col) = self.pair_of(at)?;
        let direction = usize::try_from(direction).ok().and_then(|d| d.checked_sub(1));
        let step = direction.and_then(|d| jingbanqi::rule::STEPS.get(d));
        let &(down, right) = step.ok_or(Leave(&"a direction"))?;
        let row = i64::from(down).checked_mul(far).and_then(|step| step.checked_add(row));
        let col = i64::from(right).checked_mul(far).and_then(|step| step.checked_add(col));
        let to = row.zip(col).filter(|&(row, col)| {
            (0..i64::from(self.rows)).contains(&row) && (0..i64::from(self.cols)).contains(&col)
        });
        Ok(to.map(|(row, col)| (row as i32, col as i32)))
    }

    /// An attribute of a piece; `None`: it has none of that name.
    fn attribute(&self, piece: Handle, key: &V) -> Quick<Option<V>> {
        self.world.entry(&self.game.attributes_now(piece), key, self.vm)
    }

    fn member(&self, of: &V, member: &Member) -> Quick<V> {
        let live = &self.game.live;
        Ok(match (of, member.known) {
            (V::Jbq, Known::Rl) => V::Int(i64::from(live.book().map().rows)),
            (V::Jbq, Known::Cl) => V::Int(i64::from(live.book().map().cols)),
            (V::Jbq, Known::Turn) => {
                self.looked.turn.set(true);
                V::Int(live.said_turn())
            }
            (V::Piece(Wide(piece)), Known::Name) => {
                let name = self.game.name(*piece);
                self.world.value(&name, self.vm)?
            }
            (V::Piece(Wide(piece)), Known::Belong) => {
                V::Int(live.piece(*piece).owner.map_or(3, |side| side.index() as i64 + 1))
            }
            (V::Piece(Wide(piece)), Known::Id) => V::Int(i64::from(live.piece(*piece).id)),
            (V::Piece(Wide(piece)), Known::IsCaptain) => V::Bool(Wide(live.piece(*piece).captain)),
            (V::Piece(Wide(piece)), Known::IsTran) => V::Bool(Wide(live.piece(*piece).promoted)),
            (V::Piece(Wide(piece)), Known::Attr) => V::Attr(Wide(*piece)),
            (V::Piece(Wide(piece)), Known::NowMove) => self.now(*piece)?,
            (V::Object(object), _) => self.world.member(object, member.name, self.vm)?,
            _ => return Err(Leave(&"a member")),
        })
    }

    // What values are to each other.

    pub(super) fn length(&self, of: &V) -> Quick<usize> {
        Ok(match of {
            V::List(list) => list.read(<[V]>::len),
            V::Pair(..) => 2,
            V::Tuple(items) => items.len(),
            V::Range(range) => super::walk::steps(range),
            V::Str(text) => text.as_wtf8().code_points().count(),
            V::Attr(Wide(piece)) => self.game.attributes_now(*piece).__len__(),
            V::Object(object) => self.world.length(object, self.vm)?,
            _ => return Err(Leave(&"a length")),
        })
    }

    pub(super) fn truth(&self, value: &V) -> Quick<bool> {
        Ok(match value {
            V::None => false,
            V::Bool(Wide(set)) => *set,
            V::Int(number) => *number != 0,
            V::Float(number) => *number != 0.0,
            V::Str(text) => !text.as_bytes().is_empty(),
            V::Pair(..) | V::Piece(_) | V::Jbq | V::Built(_) | V::Function(_) | V::Linked(..) => true,
            V::Tuple(_) | V::List(_) | V::Range(_) | V::Attr(_) | V::Object(_) => self.length(value)? > 0,
            V::Unbound | V::Through(_) | V::Shared(_) => return Err(Leave(&"whether it holds")),
        })
    }

    fn compare(&self, one: &V, cmp: Cmp, two: &V) -> Quick<bool> {
        Ok(match cmp {
            Cmp::Eq => self.equals(one, two)?,
            Cmp::Ne => !self.equals(one, two)?,
            Cmp::Lt => self.less(one, two)?,
            Cmp::Gt => self.less(two, one)?,
            Cmp::Le => self.less(one, two)? || self.equals(one, two)?,
            Cmp::Ge => self.less(two, one)? || self.equals(one, two)?,
            Cmp::Is => self.is(one, two)?,
            Cmp::IsNot => !self.is(one, two)?,
            Cmp::In => self.holds(two, one)?,
            Cmp::NotIn => !self.holds(two, one)?,
        })
    }

    fn is(&self, one: &V, two: &V) -> Quick<bool> {
        match (one, two) {
            (V::None, V::None) | (V::Jbq, V::Jbq) => Ok(true),
            (V::Bool(Wide(one)), V::Bool(Wide(two))) => Ok(one == two),
            (V::Piece(Wide(one)), V::Piece(Wide(two))) => Ok(one == two),
            (V::Unbound, _) | (_, V::Unbound) => Err(Leave(&"is")),
            (V::None | V::Bool(_) | V::Piece(_), _) | (_, V::None | V::Bool(_) | V::Piece(_)) => Ok(false),
            _ => Err(Leave(&"is")),
        }
    }

    pub(super) fn equals(&self, one: &V, two: &V) -> Quick<bool> {
        Ok(match (one, two) {
            (V::Int(one), V::Int(two)) => one == two,
            (V::Str(one), V::Str(two)) => one.is(two) || one.as_bytes() == two.as_bytes(),
            (V::Pair(Wide((a, b))), V::Pair(Wide((c, d)))) => a == c && b == d,
            (V::Piece(Wide(one)), V::Piece(Wide(two))) => one == two,
            (V::None, V::None) | (V::Jbq, V::Jbq) => true,
            (V::List(one), V::List(two)) => {
                Rc::ptr_eq(one, two) || {
                    let (one, two) = (one.read(<[V]>::to_vec), two.read(<[V]>::to_vec));
                    self.same(&one, &two)?
                }
            }
            (V::Tuple(_) | V::Pair(..), V::Tuple(_) | V::Pair(..)) => {
                self.same(&one.parts().unwrap_or_default(), &two.parts().unwrap_or_default())?
            }
            _ => match (number(one), number(two)) {
                (Some(one), Some(two)) => one == two,
                _ => match (self.kind(one), self.kind(two)) {
                    (Some(one), Some(two)) if one != two => false,
                    _ => return Err(Leave(&"whether they are equal")),
                },
            },
        })
    }

    fn same(&self, one: &[V], two: &[V]) -> Quick<bool> {
        if one.len() != two.len() {
            return Ok(false);
        }
        self.step(one.len())?;
        for (one, two) in one.iter().zip(two) {
            if !self.equals(one, two)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Values of different kinds are never equal; `None`: nobody knows.
    fn kind(&self, value: &V) -> Option<u8> {
        Some(match value {
            V::None => 0,
            V::Bool(_) | V::Int(_) | V::Float(_) => 1,
            V::Str(_) => 2,
            V::Pair(..) | V::Tuple(_) => 3,
            V::List(_) => 4,
            V::Piece(_) => 5,
            V::Jbq => 6,
            V::Attr(_) => 7,
            V::Object(object) if object.class().is(self.vm.ctx.types.list_type) => 4,
            V::Object(object) if object.class().is(self.vm.ctx.types.dict_type) => 7,
            _ => return None,
        })
    }

    fn less(&self, one: &V, two: &V) -> Quick<bool> {
        match (one, two) {
            (V::Int(one), V::Int(two)) => return Ok(one < two),
            (V::Pair(Wide((a, b))), V::Pair(Wide((c, d)))) => return Ok((a, b) < (c, d)),
            (V::Str(one), V::Str(two)) => return Ok(one.as_bytes() < two.as_bytes()),
            _ => {}
        }
        match (number(one), number(two)) {
            (Some(one), Some(two)) => Ok(one < two),
            _ => Err(Leave(&"which is less")),
        }
    }

    fn holds(&self, of: &V, item: &V) -> Quick<bool> {
        match of {
            V::List(list) => {
                self.step(list.read(<[V]>::len))?;
                // Squares among squares: what is mostly asked.
                if let V::Pair(Wide((row, col))) = item {
                    let found = list.read(|items| {
                        let mut plain = true;
                        let found = items.iter().any(|item| match item {
                            V::Pair(Wide((r, c))) => (r, c) == (row, col),
                            _ => {
                                plain = false;
                                false
                            }
                        });
                        (found || plain).then_some(found)
                    });
                    if let Some(found) = found {
                        return Ok(found);
                    }
                }
                let items = list.read(<[V]>::to_vec);
                self.among(&items, item)
            }
            V::Pair(..) | V::Tuple(_) => self.among(&of.parts().unwrap_or_default(), item),
            V::Range(range) => {
                let V::Int(number) = item else { return Err(Leave(&"in a range")) };
                let [start, stop, step] = **range;
                let inside = if step > 0 {
                    (start..stop).contains(number)
                } else {
                    *number <= start && *number > stop
                };
                let off = number.checked_sub(start).ok_or(Leave(&"a large number"))?;
                Ok(inside && off % step == 0)
            }
            V::Attr(Wide(piece)) => Ok(self.attribute(*piece, item)?.is_some()),
            V::Object(object) if is_dict(object, self.vm) => {
                Ok(self.world.item(object, item, self.vm)?.is_some())
            }
            V::Object(object) => {
                let items = self.world.items(object, self.vm)?;
                self.among(&items, item)
            }
            _ => Err(Leave(&"in")),
        }
    }

    fn among(&self, items: &[V], item: &V) -> Quick<bool> {
        self.step(items.len())?;
        for one in items {
            if self.equals(one, item)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn item(&self, of: &V, at: &V) -> Quick<V> {
        match (of, at) {
            (V::List(list), V::Int(at)) => list.read(|items| Ok(items[index(*at, items.len())?].clone())),
            (V::Pair(Wide((row, _))), V::Int(0 | -2)) => Ok(V::Int(i64::from(*row))),
            (V::Pair(Wide((_, col))), V::Int(1 | -1)) => Ok(V::Int(i64::from(*col))),
            (V::Tuple(items), V::Int(at)) => Ok(items[index(*at, items.len())?].clone()),
            (V::Attr(Wide(piece)), key) => {
                self.attribute(*piece, key)?.ok_or(Leave(&"an attribute that is not there"))
            }
            (V::Object(object), key) => {
                self.world.item(object, key, self.vm)?.ok_or(Leave(&"a key that is not there"))
            }
            // `list[int]` is `list` to whoever calls it.
            (V::Built(Wide(Built::List | Built::Tuple)), V::Built(_) | V::Tuple(_)) => Ok(of.clone()),
            _ => Err(Leave(&"an item")),
        }
    }

    fn slice(&self, of: &V, bounds: [Option<i64>; 3]) -> Quick<V> {
        let items = match of {
            V::List(list) => list.read(<[V]>::to_vec),
            other => other.parts().ok_or(Leave(&"a slice"))?,
        };
        self.step(items.len())?;
        let [start, stop, step] = bounds;
        let (length, step) = (items.len() as i64, step.unwrap_or(1));
        if step == 0 || step == i64::MIN {
            return Err(Leave(&"a slice"));
        }
        let (low, high) = if step > 0 { (0, length) } else { (-1, length - 1) };
        let within = |bound: i64| {
            let bound = if bound < 0 { bound.saturating_add(length) } else { bound };
            bound.clamp(low, high)
        };
        let (mut at, stop) = if step > 0 {
            (start.map_or(0, within), stop.map_or(length, within))
        } else {
            (start.map_or(length - 1, within), stop.map_or(-1, within))
        };
        let mut taken = Vec::new();
        while if step > 0 { at < stop } else { at > stop } {
            taken.push(items[at as usize].clone());
            at = at.saturating_add(step);
        }
        Ok(if matches!(of, V::List(_)) { List::of(taken) } else { V::tuple(taken) })
    }

    fn binary(&self, op: Op, one: &V, two: &V) -> Quick<V> {
        match (one, two) {
            (V::Int(one), V::Int(two)) => return whole(op, *one, *two),
            (V::List(one), V::List(two)) if op == Op::Add => {
                let mut items = one.read(<[V]>::to_vec);
                items.extend(two.read(<[V]>::to_vec));
                self.step(items.len())?;
                return Ok(List::of(items));
            }
            (V::List(list), V::Int(times)) if op == Op::Mul => {
                let items = list.read(<[V]>::to_vec);
                let times = usize::try_from(*times).unwrap_or(0);
                self.step(items.len().checked_mul(times).ok_or(Leave(&"a large list"))?)?;
                let all = (0..times).flat_map(|_| items.iter().cloned()).collect();
                return Ok(List::of(all));
            }
            (V::Tuple(_) | V::Pair(..), V::Tuple(_) | V::Pair(..)) if op == Op::Add => {
                let mut items = one.parts().unwrap_or_default();
                items.extend(two.parts().unwrap_or_default());
                self.step(items.len())?;
                return Ok(V::tuple(items));
            }
            (V::Bool(Wide(one)), V::Bool(Wide(two))) if matches!(op, Op::And | Op::Or | Op::Xor) => {
                return Ok(V::Bool(Wide(match op {
                    Op::And => one & two,
                    Op::Or => one | two,
                    _ => one ^ two,
                })));
            }
            _ => {}
        }
        if let (Some(one), Some(two)) = (int(one), int(two)) {
            return whole(op, one, two);
        }
        match (number(one), number(two), op) {
            (Some(one), Some(two), Op::Add) => Ok(V::Float(one + two)),
            (Some(one), Some(two), Op::Sub) => Ok(V::Float(one - two)),
            (Some(one), Some(two), Op::Mul) => Ok(V::Float(one * two)),
            (Some(one), Some(two), Op::Div) if two != 0.0 => Ok(V::Float(one / two)),
            _ => Err(Leave(&"an operation")),
        }
    }
}

fn is_dict(object: &PyObjectRef, vm: &VirtualMachine) -> bool {
    object.class().is(vm.ctx.types.dict_type)
}

/// A local, where it is bound.
#[inline]
fn local<'f>(f: &'f Frame<'_>, slot: u16) -> Quick<&'f V> {
    match &f.slots[usize::from(slot)] {
        V::Unbound => Err(Leave(&"a local that is not bound")),
        value => Ok(value),
    }
}

/// A whole number that stands there already.
#[inline]
fn known_int(f: &Frame<'_>, expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Local(slot) => match f.slots[usize::from(*slot)] {
            V::Int(number) => Some(number),
            _ => None,
        },
        Expr::Const(V::Int(number)) => Some(*number),
        _ => None,
    }
}

fn bound(value: &V) -> Quick<V> {
    match value {
        V::Unbound => Err(Leave(&"a name that is not bound")),
        value => Ok(value.clone()),
    }
}

fn pair(one: V, two: V) -> V {
    if let (V::Int(row), V::Int(col)) = (&one, &two)
        && let (Ok(row), Ok(col)) = (i32::try_from(*row), i32::try_from(*col))
    {
        return V::Pair(Wide((row, col)));
    }
    V::Tuple(Rc::new(vec![one, two]))
}

fn index(at: i64, length: usize) -> Quick<usize> {
    let at = if at < 0 { at.saturating_add(length as i64) } else { at };
    let at = usize::try_from(at).map_err(|_| Leave(&"an index that is not there"))?;
    if at < length { Ok(at) } else { Err(Leave(&"an index that is not there")) }
}

fn int(value: &V) -> Option<i64> {
    match value {
        V::Int(number) => Some(*number),
        V::Bool(Wide(set)) => Some(i64::from(*set)),
        _ => None,
    }
}

/// A number that loses nothing as a float.
fn number(value: &V) -> Option<f64> {
    match value {
        V::Float(number) => Some(*number),
        other => int(other).filter(|number| number.unsigned_abs() < 1 << 53).map(|number| number as f64),
    }
}

fn whole(op: Op, one: i64, two: i64) -> Quick<V> {
    let number = match op {
        Op::Add => one.checked_add(two),
        Op::Sub => one.checked_sub(two),
        Op::Mul => one.checked_mul(two),
        Op::Floor => one.checked_div_euclid(two).filter(|_| two > 0),
        Op::Mod => one.checked_rem_euclid(two).filter(|_| two > 0),
        Op::And => Some(one & two),
        Op::Or => Some(one | two),
        Op::Xor => Some(one ^ two),
        Op::Div => {
            let (one, two) = (number(&V::Int(one)), number(&V::Int(two)));
            let quotient = one.zip(two).filter(|(_, two)| *two != 0.0).map(|(one, two)| one / two);
            return quotient.map(V::Float).ok_or(Leave(&"a division"));
        }
    };
    number.map(V::Int).ok_or(Leave(&"a number"))
}
