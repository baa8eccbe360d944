//! Running functions quickly: nothing that lasts is touched, and whatever is not plain is left to the interpreter.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustpython_vm::VirtualMachine;

use super::super::game::Game;
use super::code::{Def, Expr, For, Op, Stmt, Target};
use super::express::{known_int, local};
use super::link::{Linked, World};
use super::operate::index;
use super::value::{Leave, Quick, V, Wide};
use super::walk::Walk;

/// The most steps of a run before the interpreter, whose time is watched, takes over.
const MOST_STEPS: u32 = 400_000;
/// The greatest depth of nested calls here.
const MOST_CALLS: u32 = 40;

/// One run, with what it has looked at.
pub(super) struct Run<'a> {
    pub game: &'a Game,
    pub vm: &'a VirtualMachine,
    pub world: &'a World,
    pub looked: Looked,
    pub cols: u16,
    pub rows: u16,
    left: Cell<u32>,
    calls: Cell<u32>,
    /// Locals that functions share; they are emptied in the end, for they may hold each other.
    shared: RefCell<Vec<Rc<RefCell<V>>>>,
}

/// The facts that a run has looked at.
#[derive(Default)]
pub(super) struct Looked {
    pub squares: Vec<Cell<u64>>,
    /// Set if the side to move, as it was said, was looked at.
    pub turn: Cell<bool>,
    /// Set if more of the board was looked at than can be recorded.
    pub all: Cell<bool>,
}

impl Looked {
    /// Records that anything on the board, and the side to move, may have been looked at.
    pub(super) fn everything(&self) {
        self.all.set(true);
        self.turn.set(true);
    }

    pub(super) fn at(&self, at: u16) {
        let word = &self.squares[usize::from(at / 64)];
        word.set(word.get() | 1 << (at % 64));
    }
}

/// A function while it runs.
pub(super) struct Frame<'f> {
    pub slots: Vec<V>,
    pub frees: &'f [Rc<RefCell<V>>],
    pub home: &'f Rc<Linked>,
    pub returns: V,
}

/// The continuation after a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    On,
    Break,
    Continue,
    /// Returns from the function; the value is in the frame.
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

    /// Counts steps of work; too many end the run.
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

    pub(super) fn run(
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

    pub(super) fn block(&self, f: &mut Frame<'_>, body: &[Stmt]) -> Quick<Flow> {
        for stmt in body {
            match self.stmt(f, stmt)? {
                Flow::On => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::On)
    }

    pub(super) fn stmt(&self, f: &mut Frame<'_>, stmt: &Stmt) -> Quick<Flow> {
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

    pub(super) fn turns(&self, f: &mut Frame<'_>, turns: &For) -> Quick<Flow> {
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
    pub(super) fn turn(&self, f: &mut Frame<'_>, target: &Target, walk: &mut Walk) -> Quick<bool> {
        // What is counted comes in two parts.
        if let (Walk::Count(walk, number), Target::Many(parts)) = (&mut *walk, target)
            && let [one, two] = &parts[..]
        {
            let Some(item) = walk.next()? else { return Ok(false) };
            let now = *number;
            *number = now.checked_add(1).ok_or(Leave(&"a large number"))?;
            self.assign(f, one, V::Int(now))?;
            self.assign(f, two, item)?;
            return Ok(true);
        }
        let Some(item) = walk.next()? else { return Ok(false) };
        self.assign(f, target, item)?;
        Ok(true)
    }

    pub(super) fn change(&self, f: &mut Frame<'_>, target: &Target, op: Op, expr: &Expr) -> Quick<()> {
        let changed = |old: &V, value: V| -> Quick<Option<V>> {
            // A list takes in what is added to it.
            if let (V::List(list), Op::Add) = (old, op) {
                // Python appends while it goes on, and a list that goes through itself has no end.
                if let V::Through(_) = value {
                    return Err(Leave(&"a list that takes in what is counted"));
                }
                let mut more = self.walk(&value)?;
                let mut items = Vec::new();
                while let Some(item) = more.next()? {
                    self.step(1)?;
                    list.admit(&item)?;
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
                match changed(&old, value)? {
                    Some(new) => self.put(&of, &at, new)?,
                    // Python puts the changed list back where it was, which a tuple does not let it.
                    None if matches!(&of, V::List(list) if !list.fixed) => {}
                    None => return Err(Leave(&"an effect")),
                }
            }
            Target::Many(_) | Target::Effect => return Err(Leave(&"an effect")),
        }
        Ok(())
    }

    pub(super) fn assign(&self, f: &mut Frame<'_>, target: &Target, value: V) -> Quick<()> {
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

    pub(super) fn put(&self, of: &V, at: &V, value: V) -> Quick<()> {
        let (V::List(list), V::Int(at)) = (of, at) else { return Err(Leave(&"an effect")) };
        let at = index(*at, list.read(<[V]>::len))?;
        list.admit(&value)?;
        list.write(|items| items[at] = value)
    }

    /// Evaluates an expression as a condition.
    pub(super) fn test(&self, f: &mut Frame<'_>, expr: &Expr) -> Quick<bool> {
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
}
