//! Execution of extensions without the interpreter, as far as possible.
//!
//! Most of the work of extensions is plain: they look at squares and pieces, count, and put lists of squares
//! together. Such functions are compiled here to a small tree, which runs without the objects of the interpreter. A
//! run has no lasting effects. Where it would have one, where an exception would be raised, or where something is not
//! supported, it is abandoned, and the interpreter makes the same call from its beginning: so the result of a call is
//! always that of the interpreter, and an extension cannot tell the difference.
//!
//! A run also records which squares it looked at. While they, the pieces and the state of extensions are unchanged,
//! the same call has the same result and is not made again.

mod call;
mod code;
mod compare;
mod compile;
mod express;
mod link;
mod names;
mod operate;
mod phrase;
mod run;
mod value;
mod walk;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use jingbanqi::Move;
use jingbanqi::live::{Broken, Groups, Handle, Hooks, Live};
use jingbanqi::terms::{Condition, LiveRule};
use rustpython_vm::builtins::{PyInt, PyList, PyStr, PyTuple};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, VirtualMachine};

use self::link::World;
use self::run::{Looked, Run};
use self::value::{Bound, Leave, List, Quick, V, Wide};
use super::game::{Extension, Game, MOST_GROUPS, MOST_RULE_DEPTH};
use super::values;
use super::watch::Hook;

/// The compiled functions of the extensions, with a cache of their results.
#[derive(Debug)]
pub(crate) struct Speed {
    world: World,
    pub on: Cell<bool>,
    /// The epoch of the interpreter for which the cache is valid.
    epoch: Cell<u64>,
    /// Counts changes of the board.
    moment: Cell<u64>,
    /// The directions that hold for a piece, at which moment, and whose turn it was said to be.
    nows: RefCell<Vec<Option<(Moment, V)>>>,
    /// The squares that each piece may go to.
    reaches: RefCell<Vec<Option<Kept<Vec<u16>>>>>,
    /// The files whose `after_move` had no effect, with the move if it was looked at.
    quiets: RefCell<Vec<Option<Kept<Option<Move>>>>>,
    /// The success of each file's functions without the interpreter; the first entry is for all `check_can_go`.
    luck: RefCell<Vec<i32>>,
    /// The number of calls, and (`spared`) of those that did not need the interpreter.
    pub asked: Cell<u64>,
    pub spared: Cell<u64>,
}

/// A state of the board, and whose turn it was said to be.
type Moment = (u64, i64);

/// The result of a call, and the facts it depends on.
#[derive(Debug)]
struct Kept<T> {
    result: T,
    at: u16,
    squares: Vec<u64>,
    /// The side that was said to be to move, if it was looked at.
    turn: Option<i64>,
    /// Set if the result depends on the whole board.
    all: bool,
}

impl<T> Kept<T> {
    fn new(result: T, at: u16, looked: &Looked, live: &Live) -> Kept<T> {
        Kept {
            result,
            at,
            squares: looked.squares.iter().map(Cell::get).collect(),
            turn: looked.turn.get().then(|| live.said_turn()),
            all: looked.all.get(),
        }
    }

    fn looked_at(&self, square: u16) -> bool {
        self.all || self.squares[usize::from(square / 64)] >> (square % 64) & 1 != 0
    }

    fn holds(&self, live: &Live) -> bool {
        self.turn.is_none_or(|turn| turn == live.said_turn())
    }
}

/// The highest value of `luck`; below 0 the interpreter is called at once for a while.
const MOST_LUCK: i32 = 64;
/// The number of calls, negative, that go straight to the interpreter then.
const PAUSE: i32 = -2000;

impl Speed {
    /// Compiles the files; `sources` are their names and texts.
    pub(crate) fn new(
        sources: &[(String, String)],
        extensions: &[Extension],
        jbq: &PyObjectRef,
        vm: &VirtualMachine,
    ) -> Speed {
        Speed {
            world: World::new(sources, extensions, jbq.clone(), vm),
            on: Cell::new(true),
            epoch: Cell::new(0),
            moment: Cell::new(1),
            nows: RefCell::default(),
            reaches: RefCell::default(),
            quiets: RefCell::default(),
            luck: RefCell::new(vec![MOST_LUCK; 2 * extensions.len() + 1]),
            asked: Cell::new(0),
            spared: Cell::new(0),
        }
    }

    /// Invalidates the cache: the interpreter ran, or its objects were changed.
    pub(crate) fn interpreted(&self) {
        self.world.epoch.set(self.world.epoch.get() + 1);
    }

    /// Returns true if a run without the interpreter is worth trying; [`Speed::tried`] is told its result.
    fn may_try(&self, which: usize) -> bool {
        self.asked.set(self.asked.get() + 1);
        if !self.on.get() {
            return false;
        }
        let luck = &mut self.luck.borrow_mut()[which];
        if *luck < 0 {
            *luck += 1;
            if *luck == 0 {
                *luck = MOST_LUCK / 2;
            }
            return false;
        }
        true
    }

    fn tried<T>(&self, which: usize, result: Quick<T>) -> Option<T> {
        let luck = &mut self.luck.borrow_mut()[which];
        match result {
            Ok(value) => {
                *luck = (*luck + 1).min(MOST_LUCK);
                self.spared.set(self.spared.get() + 1);
                Some(value)
            }
            Err(Leave(_why)) => {
                *luck -= 2;
                if *luck < 0 {
                    *luck = PAUSE;
                }
                None
            }
        }
    }
}

impl Game {
    /// Drops cached results that no longer hold. Returns true if quick runs are possible.
    fn catch_up(&self, vm: &VirtualMachine) -> bool {
        let speed = &self.speed;
        let epoch = speed.world.epoch.get();
        let mut all = speed.epoch.replace(epoch) != epoch;
        self.live.changes(|squares, pieces| {
            all |= pieces;
            if squares.is_empty() && !all {
                return;
            }
            speed.moment.set(speed.moment.get() + 1);
            let gone = |kept: &mut Option<_>| forget(kept, squares, all);
            speed.reaches.borrow_mut().iter_mut().for_each(gone);
            let gone = |kept: &mut Option<_>| forget(kept, squares, all);
            speed.quiets.borrow_mut().iter_mut().for_each(gone);
        });
        speed.world.settle(vm)
    }

    /// Returns true if a run without the interpreter is possible and worth trying. While the interpreter runs it is
    /// not: it may have changed anything.
    fn may_try(&self, which: usize, vm: &VirtualMachine) -> bool {
        !self.is_busy() && self.speed.may_try(which) && self.catch_up(vm)
    }

    /// A place that an extension supplies.
    pub(super) fn quick_place(
        &self,
        vm: &VirtualMachine,
        file: usize,
        function: &PyObjectRef,
        args: &[i64],
        at: u16,
    ) -> Option<bool> {
        let which = 2 + 2 * file;
        if !self.may_try(which, vm) {
            return None;
        }
        let run = Run::new(self, vm, &self.speed.world);
        let result = run.place(function, args, at);
        self.speed.tried(which, result)
    }

    /// Passes the squares that a piece may go to to `each`, each once, if they are known. Returns true if they are.
    pub(super) fn known_reach(
        &self,
        vm: &VirtualMachine,
        piece: Handle,
        at: u16,
        each: &mut dyn FnMut(u16),
    ) -> bool {
        if !self.speed.on.get() || self.is_busy() || !self.catch_up(vm) {
            return false;
        }
        let reaches = self.speed.reaches.borrow();
        let Some(Some(kept)) = reaches.get(piece as usize) else { return false };
        if kept.at != at || !kept.holds(&self.live) {
            return false;
        }
        kept.result.iter().for_each(|&to| each(to));
        let asked = self.extensions.iter().rposition(|extension| extension.check_can_go.is_some());
        asked.into_iter().for_each(|file| self.asks(file, Hook::CheckCanGo));
        true
    }

    /// Returns the squares to which all extensions let a piece go; `None` if the interpreter must answer.
    pub(super) fn quick_reach(
        &self,
        vm: &VirtualMachine,
        groups: &Rc<Groups>,
        piece: Handle,
        at: u16,
    ) -> Option<Vec<u16>> {
        if !self.may_try(0, vm) {
            return None;
        }
        let run = Run::new(self, vm, &self.speed.world);
        let mut squares = self.speed.tried(0, run.reach(groups, piece, at))?;
        self.live.once_each(&mut squares);
        // The groups themselves depend on the lines from where it stands, and on the piece's rule.
        // On its own square it may promote without having moved.
        run.looked.at(at);
        if self.live.goes_by_itself(piece) {
            self.live.lines(piece, at, |square| run.looked.at(square));
        } else {
            run.looked.everything();
        }
        let kept = Kept::new(squares.clone(), at, &run.looked, &self.live);
        let mut reaches = self.speed.reaches.borrow_mut();
        if reaches.len() <= piece as usize {
            reaches.resize_with(piece as usize + 1, || None);
        }
        reaches[piece as usize] = Some(kept);
        Some(squares)
    }

    /// Returns true if an extension does nothing after that move.
    pub(super) fn quick_after(
        &self,
        vm: &VirtualMachine,
        file: usize,
        function: &PyObjectRef,
        m: Move,
    ) -> bool {
        let which = 1 + 2 * file;
        if !self.may_try(which, vm) {
            return false;
        }
        if let Some(Some(kept)) = self.speed.quiets.borrow().get(file)
            && kept.result.is_none_or(|of| of == m)
            && kept.holds(&self.live)
        {
            self.speed.spared.set(self.speed.spared.get() + 1);
            return true;
        }
        let run = Run::new(self, vm, &self.speed.world);
        let Some(looked_at_move) = self.speed.tried(which, run.after(function, m)) else { return false };
        let kept = Kept::new(looked_at_move.then_some(m), m.to, &run.looked, &self.live);
        let mut quiets = self.speed.quiets.borrow_mut();
        quiets.resize_with(self.extensions.len(), || None);
        quiets[file] = Some(kept);
        true
    }
}

/// Makes a call without the interpreter and returns the result as the interpreter's value; or the reason for leaving
/// it to the interpreter.
pub(super) fn tried(
    game: &Game,
    vm: &VirtualMachine,
    function: &PyObjectRef,
    groups: Groups,
    piece: Handle,
    at: u16,
) -> Result<PyObjectRef, &'static str> {
    if !game.speed.world.settle(vm) {
        return Err("names that mean something else");
    }
    let run = Run::new(game, vm, &game.speed.world);
    let call = || -> Quick<PyObjectRef> {
        let bound = run.linked(function)?;
        let can_go = List::groups(Rc::new(groups), run.cols);
        let told = run.call(&V::Linked(bound), vec![can_go, V::Piece(Wide(piece)), run.square(at)])?;
        run.object(&told)
    };
    call().map_err(|Leave(why)| *why)
}

fn forget<T>(kept: &mut Option<Kept<T>>, squares: &[u16], all: bool) {
    if kept.as_ref().is_some_and(|kept| all || squares.iter().any(|&square| kept.looked_at(square))) {
        *kept = None;
    }
}

impl Run<'_> {
    fn linked(&self, function: &PyObjectRef) -> Quick<Rc<Bound>> {
        self.world.linked(function, self.vm).map(Rc::new).ok_or(Leave(&"a function that is not known"))
    }

    /// The interpreter's value.
    fn object(&self, value: &V) -> Quick<PyObjectRef> {
        let vm = self.vm;
        let all = |items: &[V]| items.iter().map(|item| self.object(item)).collect::<Quick<Vec<_>>>();
        Ok(match value {
            V::Float(number) => vm.ctx.new_float(*number).into(),
            V::Tuple(items) => vm.ctx.new_tuple(all(items)?).into(),
            V::List(list) => {
                let items = list.read(<[V]>::to_vec);
                self.step(items.len())?;
                vm.ctx.new_list(all(&items)?).into()
            }
            V::Piece(Wide(piece)) => self.game.object(*piece, vm),
            V::Object(object) => object.clone(),
            plain => link::plain_object(plain, vm).ok_or(Leave(&"a value that cannot be told"))?,
        })
    }

    fn square(&self, at: u16) -> V {
        V::Pair(Wide((i32::from(at / self.cols), i32::from(at % self.cols))))
    }

    fn place(&self, function: &PyObjectRef, args: &[i64], at: u16) -> Quick<bool> {
        let bound = self.linked(function)?;
        let args = V::tuple(args.iter().map(|&number| V::Int(number)).collect())?;
        let answer = self.call(&V::Linked(bound), vec![args, self.square(at)])?;
        self.truth(&answer)
    }

    /// Runs `after_move` and returns true if the move was looked at.
    fn after(&self, function: &PyObjectRef, m: Move) -> Quick<bool> {
        let bound = self.linked(function)?;
        let first = usize::from(bound.to.is_some());
        let looked = bound.function.def.uses.iter().skip(first).any(|&used| used);
        self.call(&V::Linked(bound), vec![self.square(m.from), self.square(m.to)])?;
        Ok(looked)
    }

    fn reach(&self, groups: &Rc<Groups>, piece: Handle, at: u16) -> Quick<Vec<u16>> {
        let mut can_go = List::groups(Rc::clone(groups), self.cols);
        for (file, extension) in self.game.extensions.iter().enumerate() {
            let Some(function) = &extension.check_can_go else { continue };
            self.game.asks(file, Hook::CheckCanGo);
            let bound = self.linked(function)?;
            let told = self.call(&V::Linked(bound), vec![can_go, V::Piece(Wide(piece)), self.square(at)])?;
            can_go = self.without_empty(told)?;
        }
        match &can_go {
            V::List(list) if list.is_untouched() => Ok(groups.iter().flatten().copied().collect()),
            _ => self.squares(&can_go),
        }
    }

    fn without_empty(&self, told: V) -> Quick<V> {
        if matches!(&told, V::List(list) if list.is_untouched()) {
            return Ok(told);
        }
        // Mostly a list that no other code will look at again, without an empty group in it.
        if let V::List(list) = &told {
            let full =
                |group: &V| matches!(group, V::List(group) if group.read(|squares| !squares.is_empty()));
            if list.read(|groups| groups.len() <= MOST_GROUPS && groups.iter().all(full)) {
                return Ok(told);
            }
        }
        let mut groups = self.all(&told)?;
        let mut wrong = None;
        groups.retain(|group| {
            self.truth(group).unwrap_or_else(|leave| {
                wrong = Some(leave);
                false
            })
        });
        match wrong {
            Some(leave) => Err(leave),
            None if groups.len() > MOST_GROUPS => Err(Leave(&"too many groups")),
            None => List::of(groups),
        }
    }

    fn squares(&self, groups: &V) -> Quick<Vec<u16>> {
        let mut squares = Vec::with_capacity(64);
        let mut plain = true;
        if let V::List(groups) = groups {
            groups.read(|groups| {
                for group in groups {
                    let V::List(group) = group else { return plain = false };
                    group.read(|points| {
                        for point in points {
                            let V::Pair(Wide((row, col))) = point else { return plain = false };
                            squares.extend(self.game.square(i64::from(*row), i64::from(*col)));
                        }
                    });
                }
            });
            if plain && squares.len() <= MOST_GROUPS * 4 {
                return Ok(squares);
            }
            squares.clear();
        }
        for group in self.all(groups)? {
            for point in self.all(&group)? {
                let V::Pair(Wide((row, col))) = point else { return Err(Leave(&"what is no square")) };
                squares.extend(self.game.square(i64::from(row), i64::from(col)));
            }
            if squares.len() > MOST_GROUPS * 4 {
                return Err(Leave(&"too many squares"));
            }
        }
        Ok(squares)
    }

    /// The directions that hold now for a piece.
    fn now(&self, piece: Handle) -> Quick<V> {
        if !self.game.live.goes_by_itself(piece) {
            self.looked.everything();
        }
        let moment = (self.game.speed.moment.get(), self.game.live.said_turn());
        let place = piece as usize;
        if let Some(Some((of, now))) = self.game.speed.nows.borrow().get(place)
            && *of == moment
        {
            return Ok(now.clone());
        }
        let now = self.game.live.now(&Still(self), piece)?;
        let list = |numbers: &Vec<i64>| List::fixed(numbers.iter().map(|&number| V::Int(number)).collect());
        let now = List::fixed(now.iter().map(list).collect::<Quick<_>>()?)?;
        let mut nows = self.game.speed.nows.borrow_mut();
        if nows.len() <= place {
            nows.resize(place + 1, None);
        }
        nows[place] = Some((moment, now.clone()));
        Ok(now)
    }
}

/// Asks extensions for a run, without the interpreter.
struct Still<'r, 'a>(&'r Run<'a>);

impl Hooks for Still<'_, '_> {
    type Error = Leave;

    fn place(&self, live: &Live, name: usize, args: &[i64], at: u16) -> Quick<bool> {
        match self.0.game.place_of(live.names().asked()[name].as_str(), self.0.vm) {
            Some((file, function)) => {
                self.0.game.asks(file, Hook::Place(name as u16));
                self.0.place(&function, args, at)
            }
            None => Ok(false),
        }
    }

    fn reach(&self, _live: &Live, _groups: Groups, _piece: Handle, _at: u16) -> Quick<Vec<u16>> {
        Err(Leave(&"where a piece may go"))
    }

    fn after_move(&self, _live: &Live, _m: Move) -> Quick<()> {
        Err(Leave(&"a ply"))
    }

    fn held_rule(&self, live: &Live, piece: Handle, promoted: bool) -> Quick<Rc<LiveRule>> {
        let vm = self.0.vm;
        let Some(list) = self.0.game.list(piece, usize::from(promoted)) else {
            let kind = live.piece(piece).kind;
            return Ok(Rc::clone(&live.table(kind).0[usize::from(promoted)]));
        };
        if !is_plain(&list, vm, MOST_RULE_DEPTH) {
            return Err(Leave(&"a rule that is no plain list"));
        }
        let rule = values::rule(&list, vm).map_err(|_| Leave(&"a rule"))?;
        Ok(Rc::new(live.names().rule(rule)))
    }

    fn held_promotion(&self, _live: &Live, _piece: Handle) -> Quick<Rc<Condition>> {
        Err(Leave(&"a promotion"))
    }

    fn broken(&self, _what: Broken) -> Leave {
        Leave(&"a broken rule")
    }
}

/// Returns true if it is made of lists, tuples, texts and numbers only, so that reading it runs no code of an
/// extension.
pub(super) fn is_plain(object: &PyObject, vm: &VirtualMachine, depth: u32) -> bool {
    let (types, class) = (&vm.ctx.types, object.class());
    let all = |items: &[PyObjectRef]| depth > 0 && items.iter().all(|item| is_plain(item, vm, depth - 1));
    if class.is(types.list_type) {
        return object.downcast_ref::<PyList>().is_some_and(|list| all(&list.borrow_vec()));
    }
    if class.is(types.tuple_type) {
        return object.downcast_ref::<PyTuple>().is_some_and(|tuple| all(tuple.as_slice()));
    }
    (class.is(types.int_type) && object.downcastable::<PyInt>())
        || (class.is(types.str_type) && object.downcastable::<PyStr>())
}
