//! A game in the worker: the rules in play, and what extensions hold of it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use jingbanqi::live::{Broken, Groups, Handle, Hooks, Live, Memory, Ruled};
use jingbanqi::rule::PlaceRule;
use jingbanqi::terms::{Condition, LiveRule};
use jingbanqi::{Move, Value};
use kernel::Side;
use rustpython_vm::builtins::{PyBaseExceptionRef, PyDict, PyDictRef, PyList, PyStr, PyStrRef, PyTuple};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine};

use super::memory::Snapshot;
use super::objects::Piece;
use super::quick::Speed;
use super::rehearse::{self, Times};
use super::values;
use super::watch::{Hook, Watch, cpu};

thread_local! {
    /// The one game of this process.
    static GAME: RefCell<Option<Rc<Game>>> = const { RefCell::new(None) };
}

/// The most groups, and the most squares of them together, that `check_can_go` may give back.
pub(super) const MOST_GROUPS: usize = 1 << 14;

/// The depth of a rule: sections, directions, places, and their names and numbers.
pub(super) const MOST_RULE_DEPTH: u32 = 6;

/// Returns the game being played.
///
/// # Errors
/// An error while files are loaded.
pub(crate) fn game(vm: &VirtualMachine) -> PyResult<Rc<Game>> {
    GAME.with(|game| game.borrow().clone()).ok_or_else(|| vm.new_attribute_error("the game has not begun"))
}

/// Makes it the game being played.
pub(crate) fn seat(game: Option<Rc<Game>>) {
    GAME.with(|seat| *seat.borrow_mut() = game);
}

/// An extension, loaded.
#[derive(Clone, Debug)]
pub(crate) struct Extension {
    pub globals: PyDictRef,
    pub locals: PyDictRef,
    /// The code of every function that is written in the file.
    pub codes: Rc<Vec<PyObjectRef>>,
    pub check_can_go: Option<PyObjectRef>,
    pub after_move: Option<PyObjectRef>,
    /// Hooks of level 2.
    pub choices: Option<PyObjectRef>,
    pub may_drop: Option<PyObjectRef>,
    pub score: Option<PyObjectRef>,
    pub places: Option<PyDictRef>,
}

/// The Python objects of a piece.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extra {
    pub object: Option<PyRef<Piece>>,
    pub attr: Option<PyDictRef>,
    /// Ordinary rule, promoted rule, promotion; `None`: the table's.
    pub held: [Option<PyObjectRef>; 3],
    pub name: Option<PyObjectRef>,
}

/// The Python objects of a row of the table of pieces.
#[derive(Debug)]
pub(crate) struct PieceKindObjects {
    name: PyStrRef,
    attributes: PyDictRef,
}

/// Trouble with an extension: it passes through others, which may catch it.
pub(crate) struct Trouble {
    pub exception: PyBaseExceptionRef,
    pub file: usize,
    pub hook: Hook,
}

/// The state of a game before an attempt.
#[derive(Debug)]
pub(crate) struct Attempt {
    live: Memory,
    extras: Vec<Extra>,
    shared: Vec<[Option<PyObjectRef>; 3]>,
}

/// A game in the worker.
#[derive(Debug)]
pub(crate) struct Game {
    pub live: Live,
    pub extensions: Vec<Extension>,
    pub jbq: PyObjectRef,
    pub extras: RefCell<Vec<Extra>>,
    known: Vec<PieceKindObjects>,
    /// The lists of the table that extensions have seen: pieces of a kind share them.
    pub shared: RefCell<Vec<[Option<PyObjectRef>; 3]>>,
    points: Vec<PyObjectRef>,
    pub watch: Watch,
    pub speed: Speed,
    depth: Cell<u32>,
    /// The last call of an extension: its number, and the hook.
    last: Cell<(usize, Hook)>,
    pub crumbs: Cell<bool>,
    /// The durations of calls, where they are measured.
    pub times: RefCell<Option<Times>>,
    /// The number of objects that the last snapshot visited.
    pub walked: Cell<usize>,
    /// The pieces whose `check_can_go` is being asked.
    pub asking: RefCell<Vec<Handle>>,
    /// The attempts of extensions that are not taken back yet.
    pub attempts: RefCell<Vec<Attempt>>,
}

impl Game {
    /// A game that begins.
    pub(crate) fn new(
        live: Live,
        extensions: Vec<Extension>,
        jbq: PyObjectRef,
        watch: Watch,
        speed: Speed,
        vm: &VirtualMachine,
    ) -> Game {
        let map = live.book().map();
        let attributes = |pairs: &[(String, Value)]| {
            let dict = vm.ctx.new_dict();
            for (name, value) in pairs {
                let _ = dict.set_item(vm.ctx.intern_str(name.as_str()), values::of_cell(value, vm), vm);
            }
            dict
        };
        let known = map.kinds.iter().map(|kind| PieceKindObjects {
            name: vm.ctx.intern_str(kind.name.as_str()).to_owned(),
            attributes: attributes(&kind.attributes),
        });
        let known = known.collect();
        let cols = u16::from(map.cols);
        let point = |at: u16| -> PyObjectRef {
            let (row, col) = (vm.ctx.new_int(at / cols), vm.ctx.new_int(at % cols));
            vm.ctx.new_tuple(vec![row.into(), col.into()]).into()
        };
        Game {
            points: (0..map.squares() as u16).map(point).collect(),
            shared: RefCell::new(vec![[None, None, None]; map.kinds.len()]),
            live,
            extensions,
            jbq,
            walked: Cell::default(),
            asking: RefCell::default(),
            attempts: RefCell::default(),
            extras: RefCell::default(),
            known,
            watch,
            speed,
            depth: Cell::new(0),
            last: Cell::new((0, Hook::Load)),
            crumbs: Cell::new(false),
            times: RefCell::new(None),
        }
    }

    /// Keeps the state of the game, to be put back when an attempt ends.
    pub(crate) fn begin_attempt(&self) {
        let (extras, shared) = (self.extras.borrow().clone(), self.shared.borrow().clone());
        self.attempts.borrow_mut().push(Attempt { live: self.live.memory(), extras, shared });
    }

    /// Puts the game back as it was before the last attempt.
    pub(crate) fn end_attempt(&self) {
        let Some(attempt) = self.attempts.borrow_mut().pop() else { return };
        self.live.recall(&attempt.live);
        // Pieces that were met meanwhile stay the same objects.
        let mut extras = self.extras.borrow_mut();
        let met: Vec<_> = extras.iter().map(|extra| extra.object.clone()).collect();
        extras.clone_from(&attempt.extras);
        extras.resize_with(met.len(), Extra::default);
        extras.iter_mut().zip(met).for_each(|(extra, object)| extra.object = object);
        drop(extras);
        self.shared.borrow_mut().clone_from(&attempt.shared);
    }

    /// The square at a row and column.
    pub(crate) fn square(&self, row: i64, col: i64) -> Option<u16> {
        let map = self.live.book().map();
        let inside = (0..i64::from(map.rows)).contains(&row) && (0..i64::from(map.cols)).contains(&col);
        inside.then(|| (row * i64::from(map.cols) + col) as u16)
    }

    /// A square as extensions write it.
    pub(crate) fn point(&self, at: u16) -> PyObjectRef {
        self.points[usize::from(at)].clone()
    }

    pub(crate) fn said_turn(&self) -> i64 {
        self.live.said_turn()
    }

    pub(crate) fn at(&self, at: u16) -> Option<Handle> {
        self.live.at(at)
    }

    pub(crate) fn single(&self, id: i64) -> Option<u16> {
        self.live.single(id)
    }

    pub(crate) fn takes(&self, one: Handle, other: Handle) -> bool {
        self.live.takes(one, other)
    }

    fn extra<R>(&self, handle: Handle, with: impl FnOnce(&mut Extra) -> R) -> R {
        let mut extras = self.extras.borrow_mut();
        let place = handle as usize;
        if extras.len() <= place {
            extras.resize_with(place + 1, Extra::default);
        }
        with(&mut extras[place])
    }

    /// The object of a piece.
    pub(crate) fn object(&self, handle: Handle, vm: &VirtualMachine) -> PyObjectRef {
        let fresh = || Piece { handle }.into_ref(&vm.ctx);
        self.extra(handle, |extra| extra.object.get_or_insert_with(fresh).clone().into())
    }

    fn known(&self, handle: Handle) -> &PieceKindObjects {
        &self.known[usize::from(self.live.piece(handle).kind) - 1]
    }

    /// Returns the text on a piece.
    pub(crate) fn name(&self, handle: Handle) -> PyObjectRef {
        let own = self.extra(handle, |extra| extra.name.clone());
        own.unwrap_or_else(|| self.known(handle).name.clone().into())
    }

    /// Sets the text on a piece; a value that is no text is shown as text.
    pub(crate) fn set_name(&self, handle: Handle, name: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        let text = name.str(vm)?;
        let text: String = text.to_string_lossy().chars().take(64).collect();
        self.extra(handle, |extra| extra.name = Some(name));
        self.live.change(handle, |piece| piece.name = Some(Arc::from(text)));
        Ok(())
    }

    /// Returns the attributes that extensions read at a piece; they must not be changed through it.
    pub(super) fn attributes_now(&self, handle: Handle) -> PyDictRef {
        let own = self.extra(handle, |extra| extra.attr.clone());
        own.unwrap_or_else(|| self.known(handle).attributes.clone())
    }

    /// Records the call that is made now; a failure from now on is reported as a failure of this call.
    pub(super) fn asks(&self, file: usize, hook: Hook) {
        self.last.set((file, hook));
    }

    /// Returns true if the output of extensions is kept.
    pub(super) fn prints(&self) -> bool {
        super::library::keeps_prints()
    }

    /// Returns true if the interpreter is running.
    pub(super) fn is_busy(&self) -> bool {
        self.depth.get() > 0
    }

    /// Returns the last extension that supplies a place, and its function.
    pub(super) fn place_of(&self, name: &str, vm: &VirtualMachine) -> Option<(usize, PyObjectRef)> {
        self.extensions.iter().enumerate().rev().find_map(|(file, extension)| {
            let offered = extension.places.as_ref()?.get_item_opt(name, vm).ok()??;
            Some((file, offered))
        })
    }

    /// Returns the attributes that extensions read and keep at a piece, for changes too.
    pub(crate) fn attr(&self, handle: Handle, vm: &VirtualMachine) -> PyDictRef {
        if let Some(attr) = self.extra(handle, |extra| extra.attr.clone()) {
            return attr;
        }
        let attr: PyDictRef = self.known(handle).attributes.copy().into_ref(&vm.ctx);
        self.extra(handle, |extra| extra.attr = Some(attr.clone()));
        attr
    }

    pub(crate) fn set_attr(&self, handle: Handle, attr: PyDictRef) {
        self.extra(handle, |extra| extra.attr = Some(attr));
    }

    /// Returns the list by which a piece moves or promotes; code that holds it may change it at any time.
    pub(crate) fn held(&self, handle: Handle, which: usize, vm: &VirtualMachine) -> PyResult {
        if let Some(list) = self.extra(handle, |extra| extra.held[which].clone()) {
            return Ok(list);
        }
        // Not in one line: the piece is borrowed until its end, and pieces are changed in there.
        let kind = self.live.piece(handle).kind;
        self.held_by_kind(kind, which, vm)
    }

    /// The list by which pieces of a kind move or promote that have no other.
    pub(crate) fn held_by_kind(&self, kind: u16, which: usize, vm: &VirtualMachine) -> PyResult {
        let known = self.shared.borrow()[usize::from(kind) - 1][which].clone();
        if let Some(list) = known {
            return Ok(list);
        }
        let (rules, promotion) = self.live.table(kind);
        let list = match which {
            2 => values::of_places(&promotion.source, vm),
            rule => values::of_rule(&rules[rule].source, vm),
        };
        self.shared.borrow_mut()[usize::from(kind) - 1][which] = Some(list.clone());
        for other in 0..self.live.count() as Handle {
            self.share(other, kind, which);
        }
        Ok(list)
    }

    /// Makes a piece use the list of its kind from now on, where it has no other.
    fn share(&self, handle: Handle, kind: u16, which: usize) {
        self.live.change(handle, |piece| {
            if piece.kind != kind {
                return;
            }
            match which {
                2 if matches!(piece.promotes, Ruled::Table) => piece.promotes = Ruled::Held,
                rule @ (0 | 1) if matches!(piece.rules[rule], Ruled::Table) => {
                    piece.rules[rule] = Ruled::Held
                }
                _ => {}
            }
        });
    }

    /// Lets a piece move or promote by that list.
    pub(crate) fn hold(&self, handle: Handle, which: usize, list: PyObjectRef) {
        self.extra(handle, |extra| extra.held[which] = Some(list));
        self.live.change(handle, |piece| match which {
            2 => piece.promotes = Ruled::Held,
            rule => piece.rules[rule] = Ruled::Held,
        });
    }

    /// Puts a fresh piece on a square.
    pub(crate) fn add(&self, kind: u16, at: u16, vm: &VirtualMachine) -> PyResult<()> {
        self.live.add(&Asker { game: self, vm }, kind, at).map_err(|trouble| trouble.exception)?;
        let fresh = self.live.count() as Handle - 1;
        let seen = self.shared.borrow()[usize::from(kind) - 1].clone();
        for (which, _) in seen.iter().enumerate().filter(|(_, list)| list.is_some()) {
            self.share(fresh, kind, which);
        }
        Ok(())
    }

    /// The list that a piece which holds one goes by.
    pub(super) fn list(&self, handle: Handle, which: usize) -> Option<PyObjectRef> {
        let own = self.extra(handle, |extra| extra.held[which].clone());
        own.or_else(|| self.shared.borrow()[usize::from(self.live.piece(handle).kind) - 1][which].clone())
    }
}

/// Asks the extensions of a game.
pub(crate) struct Asker<'a> {
    pub game: &'a Game,
    pub vm: &'a VirtualMachine,
}

impl Asker<'_> {
    /// Plays a ply. A side that should act once more and cannot has had its turn.
    pub(crate) fn play(&self, m: Move) -> Result<(), Trouble> {
        let game = self.game;
        game.live.play(self, m)?;
        if game.live.is_again() {
            // Being asked has no effects, whatever extensions do.
            let before = Snapshot::take(game, self.vm);
            let memory = game.live.memory();
            let listed = game.live.moves(self);
            if before.put_back(game, self.vm).is_none() {
                game.live.recall(&memory);
            }
            if listed.is_ok_and(|moves| moves.iter().all(|m| m.is_pressed())) {
                game.live.end_turn();
            }
        }
        Ok(())
    }

    /// Runs code of an extension, watched.
    fn watched<T>(
        &self,
        (file, hook): (usize, Hook),
        run: impl FnOnce() -> PyResult<T>,
    ) -> Result<T, Trouble> {
        let game = self.game;
        let outer = !game.is_busy();
        if outer {
            if game.crumbs.get() {
                super::crumb(&game.watch, file, hook, game.live.names().asked());
            }
            game.watch.enter(file, hook);
        }
        game.last.set((file, hook));
        game.depth.set(game.depth.get() + 1);
        let result = run();
        game.depth.set(game.depth.get() - 1);
        if outer {
            // A `with` ends its attempt; one that was begun by hand ends here.
            while !game.attempts.borrow().is_empty() {
                game.end_attempt();
            }
            game.asking.borrow_mut().clear();
        }
        game.speed.interpreted();
        if outer {
            game.watch.leave();
        }
        result.map_err(|exception| Trouble { exception, file, hook })
    }

    /// Calls an extension and looks at what it gives back, all watched: what is gone through there, or asked whether it is
    /// true, may run code of the extension, too.
    fn call<T>(
        &self,
        (file, hook): (usize, Hook),
        function: &PyObject,
        args: Vec<PyObjectRef>,
        look: impl FnOnce(PyObjectRef) -> PyResult<T>,
    ) -> Result<T, Trouble> {
        let game = self.game;
        let outer = !game.is_busy();
        self.watched((file, hook), || {
            let began = (outer && game.times.borrow().is_some()).then(cpu);
            let result = function.call(args, self.vm).and_then(look);
            if let (Some(began), Some(times)) = (began, &mut *game.times.borrow_mut()) {
                rehearse::took(times, file, hook, cpu() - began);
            }
            result
        })
    }

    /// Reads a list of rules that an extension holds: where it is more than a plain list, that runs code of the extension.
    fn read_held<T>(
        &self,
        list: &PyObject,
        read: fn(&PyObject, &VirtualMachine) -> PyResult<T>,
    ) -> Result<T, Trouble> {
        if super::quick::is_plain(list, self.vm, MOST_RULE_DEPTH) {
            return read(list, self.vm).map_err(|exception| self.trouble(exception));
        }
        self.watched(self.game.last.get(), || read(list, self.vm))
    }

    fn trouble(&self, exception: PyBaseExceptionRef) -> Trouble {
        let (file, hook) = self.game.last.get();
        Trouble { exception, file, hook }
    }

    /// The squares in the groups that an extension gave back.
    fn squares(&self, groups: &[PyObjectRef]) -> PyResult<Vec<u16>> {
        let mut squares = Vec::new();
        for group in groups {
            for point in values::items(group, self.vm)? {
                let Some(tuple) = point.downcast_ref::<PyTuple>() else {
                    let class = point.class().name().to_owned();
                    return Err(self.vm.new_type_error(format!("a square is wanted, not '{class}'")));
                };
                let square = values::square(tuple, self.vm)?;
                squares.extend(square.and_then(|(row, col)| self.game.square(row, col)));
            }
            if squares.len() > MOST_GROUPS * 4 {
                return Err(self.vm.new_value_error("too many squares"));
            }
        }
        Ok(squares)
    }

    /// The groups that an extension gave back, without the empty ones.
    fn groups(&self, told: &PyObject) -> PyResult<Vec<PyObjectRef>> {
        let mut groups = Vec::new();
        for group in values::items(told, self.vm)? {
            let full = match group.downcast_ref::<PyList>() {
                Some(list) => !list.borrow_vec().is_empty(),
                None => group.clone().try_to_bool(self.vm)?,
            };
            if full {
                groups.push(group);
            }
        }
        if groups.len() > MOST_GROUPS {
            return Err(self.vm.new_value_error("too many groups"));
        }
        Ok(groups)
    }
}

impl Hooks for Asker<'_> {
    type Error = Trouble;

    fn place(&self, live: &Live, name: usize, args: &[i64], at: u16) -> Result<bool, Trouble> {
        let vm = self.vm;
        let offers = self.game.place_of(live.names().asked()[name].as_str(), vm);
        let Some((file, function)) = offers else { return Ok(false) };
        if let Some(holds) = self.game.quick_place(vm, file, &function, args, at) {
            self.game.asks(file, Hook::Place(name as u16));
            return Ok(holds);
        }
        let numbers = args.iter().map(|&number| vm.ctx.new_int(number).into()).collect();
        let args = vec![vm.ctx.new_tuple(numbers).into(), self.game.point(at)];
        let hook = Hook::Place(name as u16);
        self.call((file, hook), &function, args, |answer| answer.try_to_bool(vm))
    }

    fn reach(&self, _live: &Live, groups: Groups, piece: Handle, at: u16) -> Result<Vec<u16>, Trouble> {
        let vm = self.vm;
        let asked = self.game.extensions.iter().any(|extension| extension.check_can_go.is_some());
        if !asked {
            return Ok(groups.iter().flatten().copied().collect());
        }
        let groups = Rc::new(groups);
        if let Some(squares) = self.game.quick_reach(vm, &groups, piece, at) {
            return Ok(squares);
        }
        let list = |group: &[u16]| -> PyObjectRef {
            vm.ctx.new_list(group.iter().map(|&at| self.game.point(at)).collect()).into()
        };
        let mut lists: Vec<PyObjectRef> = groups.iter().map(list).collect();
        let last = self.game.extensions.iter().rposition(|extension| extension.check_can_go.is_some());
        let mut squares = Vec::new();
        for (file, extension) in self.game.extensions.iter().enumerate() {
            let Some(function) = &extension.check_can_go else { continue };
            let args = vec![vm.ctx.new_list(lists).into(), self.game.object(piece, vm), self.game.point(at)];
            self.game.asking.borrow_mut().push(piece);
            let told = self.call((file, Hook::CheckCanGo), function, args, |told| {
                let groups = self.groups(&told)?;
                if Some(file) == last {
                    squares = self.squares(&groups)?;
                }
                Ok(groups)
            });
            self.game.asking.borrow_mut().pop();
            lists = told?;
        }
        Ok(squares)
    }

    fn known_reach(&self, _live: &Live, piece: Handle, at: u16, each: &mut dyn FnMut(u16)) -> bool {
        self.game.known_reach(self.vm, piece, at, each)
    }

    fn after_move(&self, _live: &Live, m: Move) -> Result<(), Trouble> {
        for (file, extension) in self.game.extensions.iter().enumerate() {
            let Some(function) = &extension.after_move else { continue };
            if self.game.quick_after(self.vm, file, function, m) {
                self.game.asks(file, Hook::AfterMove);
                continue;
            }
            let args = vec![self.game.point(m.from), self.game.point(m.to)];
            self.call((file, Hook::AfterMove), function, args, |_| Ok(()))?;
        }
        Ok(())
    }

    fn choices(&self, _live: &Live, piece: Handle, m: Move) -> Result<Vec<Arc<str>>, Trouble> {
        let (game, vm) = (self.game, self.vm);
        let mut texts: Vec<Arc<str>> = Vec::new();
        for (file, extension) in game.extensions.iter().enumerate() {
            let Some(function) = &extension.choices else { continue };
            let args = vec![game.object(piece, vm), game.point(m.from), game.point(m.to)];
            self.call((file, Hook::Choices), function, args, |told| {
                if vm.is_none(&told) {
                    return Ok(());
                }
                for text in values::items(&told, vm)? {
                    let text = choice(&text, vm)?;
                    if !texts.contains(&text) {
                        texts.push(text);
                    }
                }
                if texts.len() <= MOST_CHOICES {
                    return Ok(());
                }
                Err(vm.new_value_error(format!("a move has at most {MOST_CHOICES} choices")))
            })?;
        }
        Ok(texts)
    }

    fn may_drop(&self, _live: &Live, kind: u16, at: u16) -> Result<bool, Trouble> {
        let (game, vm) = (self.game, self.vm);
        for (file, extension) in game.extensions.iter().enumerate() {
            let Some(function) = &extension.may_drop else { continue };
            let args = vec![vm.ctx.new_int(kind).into(), game.point(at)];
            if !self.call((file, Hook::MayDrop), function, args, |told| told.try_to_bool(vm))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn score(&self, _live: &Live, side: Side) -> Result<Option<i64>, Trouble> {
        let (game, vm) = (self.game, self.vm);
        let last = game.extensions.iter().enumerate().rev();
        let Some((file, function)) =
            last.filter_map(|(file, extension)| Some((file, extension.score.as_ref()?))).next()
        else {
            return Ok(None);
        };
        let args = vec![vm.ctx.new_int(side.index() + 1).into()];
        self.call((file, Hook::Score), function, args, |told| values::integer(&told, vm)).map(Some)
    }

    fn held_rule(&self, live: &Live, piece: Handle, promoted: bool) -> Result<Rc<LiveRule>, Trouble> {
        let Some(list) = self.game.list(piece, usize::from(promoted)) else {
            let kind = live.piece(piece).kind;
            return Ok(Rc::clone(&live.table(kind).0[usize::from(promoted)]));
        };
        let rule = self.read_held(&list, values::rule)?;
        Ok(Rc::new(live.names().rule(rule)))
    }

    fn held_promotion(&self, live: &Live, piece: Handle) -> Result<Rc<Condition>, Trouble> {
        let places = match self.game.list(piece, 2) {
            Some(list) => self.read_held(&list, values::places)?,
            None => PlaceRule::default(),
        };
        Ok(Rc::new(live.names().condition(&places)))
    }

    fn broken(&self, what: Broken) -> Trouble {
        let vm = self.vm;
        self.trouble(match what {
            Broken::Sections => vm.new_index_error("a rule of moves has two sections"),
            Broken::Direction(direction) => vm.new_key_error(vm.ctx.new_int(direction).into()),
            Broken::Nowhere => vm.new_type_error("the piece is not on the board"),
            Broken::TooManyPieces => vm.new_memory_error("too many pieces"),
        })
    }

    fn attributes(&self, live: &Live, piece: Handle) -> Vec<(String, String)> {
        let Some(attr) = self.game.extra(piece, |extra| extra.attr.clone()) else {
            let kind = live.piece(piece).kind;
            let attributes = &live.book().map().kinds[usize::from(kind) - 1].attributes;
            return attributes.iter().map(|(name, value)| (name.clone(), value.shown())).collect();
        };
        shown(&attr, self.vm)
    }
}

/// The most choices of a move.
pub(super) const MOST_CHOICES: usize = jingbanqi::level2::MOST_CHOICES;
fn choice(text: &PyObject, vm: &VirtualMachine) -> PyResult<Arc<str>> {
    let Some(text) = text.downcast_ref::<PyStr>() else {
        return Err(vm.new_type_error(format!("a choice is text, not '{}'", text.class().name())));
    };
    let text = text.to_string_lossy();
    if crate::check::is_choice(&text) {
        return Ok(Arc::from(&*text));
    }
    let words = format!("'{text}' is no choice: it has 1 to 8 characters, without blanks, = and braces");
    Err(vm.new_value_error(words))
}

/// Names and values as people read them; an extension's own code is not run for it.
fn shown(attr: &PyDict, vm: &VirtualMachine) -> Vec<(String, String)> {
    let text = |object: &PyObjectRef| -> String {
        let types = &vm.ctx.types;
        let plain = [types.str_type, types.int_type, types.float_type, types.bool_type, types.none_type];
        if !plain.iter().any(|class| object.class().is(*class)) {
            return format!("({})", object.class().name());
        }
        let text = object.str(vm).map(|text| text.to_string_lossy().into_owned());
        text.unwrap_or_default().chars().take(200).collect()
    };
    attr.items_vec().iter().take(64).map(|(name, value)| (text(name), text(value))).collect()
}
