//! Remembering what extensions answered: a call that left no trace is not made again where it would read the same.
//!
//! While a call runs, each read of the game is written down with its answer; everything an extension can read of a game goes
//! through `objects`. A call that wrote nothing, neither to the game nor to what extensions remember, is a function of its
//! arguments, of that memory and of those reads. So its answer is kept in a tree: a node is a read, a branch an answer, a leaf
//! what came of it. The next call goes down the tree, reading natively, and runs Python only where the tree ends.
//!
//! Pieces are told apart by the order in which they were met, so that a cannon's answer serves every cannon. Where extensions
//! remember pieces themselves it would matter which one it is; there nothing is remembered.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use jingbanqi::live::{Groups, Handle, Ruled};
use rustpython_vm::builtins::{PyDictRef, PyStr};
use rustpython_vm::{AsObject, PyObjectRef, VirtualMachine};

use super::game::{Asker, Game, Trouble};
use super::memory::{Seen, look};

/// The most nodes of all trees; then everything is forgotten.
const MOST_NODES: usize = 150_000;

/// A read of the game; small numbers are pieces in the order in which they were met.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Read {
    At(u16),
    Single(i64),
    Turn,
    Id(u16),
    Name(u16),
    Owner(u16),
    Captain(u16),
    Promoted(u16),
    Attr(u16),
    Now(u16),
    Takes(u16, u16),
    Hash(u16),
}

/// What a call is made with.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Call {
    CanGo { file: u16, at: u16, groups: Groups },
    AfterMove { file: u16, from: u16, to: u16 },
    Place { name: u16, at: u16, args: Vec<i64> },
}

/// What came of a call.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Answer {
    Groups(Groups),
    Holds(bool),
    Nothing,
}

#[derive(Debug)]
enum Node {
    Read(Read, Vec<(u64, u32)>),
    Leaf(Answer),
    /// Nothing is known yet.
    Open,
}

/// A call that is being made.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    reads: Vec<(Read, u64)>,
    known: HashSet<Read>,
    met: Vec<Handle>,
    wrote: bool,
    attrs: Vec<(Handle, u32)>,
}

/// All that is remembered.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    pub on: Cell<bool>,
    roots: RefCell<HashMap<(u32, Call), u32>>,
    nodes: RefCell<Vec<Node>>,
    recordings: RefCell<Vec<Recording>>,
    /// What extensions remember now, and its number.
    memory: RefCell<Option<(Seen, u32)>>,
    /// The epoch in which that was so.
    memory_epoch: Cell<u64>,
    memories: RefCell<HashMap<Vec<usize>, (Seen, u32)>>,
    /// The attributes of each piece: what they were when they were looked at, and their number; with the moment.
    attrs: RefCell<HashMap<Handle, (u64, Seen, Option<u32>)>>,
    contents: RefCell<HashMap<Vec<usize>, (Seen, u32)>>,
    /// Counts what may have changed attributes.
    epoch: Cell<u64>,
    /// Counts what may have changed anything at all.
    moment: Cell<u64>,
    nows: RefCell<HashMap<Rc<Vec<Vec<i64>>>, u32>>,
    lists: RefCell<Vec<Rc<Vec<Vec<i64>>>>>,
    now: RefCell<HashMap<Handle, (u64, u32)>>,
    names: RefCell<HashMap<String, u32>>,
    /// Whether the board stands still, as it does while moves are listed.
    pub still: Cell<bool>,
    pub asked: Cell<u64>,
    pub hits: Cell<u64>,
}

/// A piece that was not met before.
const NEW: u64 = u64::MAX;
/// Names of the table are told by where they are kept, with this bit.
const TABLE: u64 = 1 << 63;

impl Memo {
    /// Something of the game was written.
    pub(crate) fn wrote(&self) {
        self.moment.set(self.moment.get() + 1);
        for recording in self.recordings.borrow_mut().iter_mut() {
            recording.wrote = true;
        }
    }

    /// What extensions remember may be different from now on.
    pub(crate) fn unsettle(&self) {
        self.wrote();
        self.epoch.set(self.epoch.get() + 1);
    }

    fn is_recording(&self) -> bool {
        !self.recordings.borrow().is_empty()
    }

    fn forget(&self) {
        self.roots.borrow_mut().clear();
        self.nodes.borrow_mut().clear();
        self.memories.borrow_mut().clear();
        self.contents.borrow_mut().clear();
        self.attrs.borrow_mut().clear();
        *self.memory.borrow_mut() = None;
    }
}

/// The number of a look: the same for the same contents.
fn numbered(table: &RefCell<HashMap<Vec<usize>, (Seen, u32)>>, seen: &Seen) -> u32 {
    let mut table = table.borrow_mut();
    let fresh = table.len() as u32;
    table.entry(seen.key()).or_insert_with(|| (seen.clone(), fresh)).1
}

impl Game {
    /// The number of what extensions remember now; `None`: it cannot be told, or there are pieces in it.
    fn remembered(&self, vm: &VirtualMachine) -> Option<u32> {
        let memo = &self.memo;
        let epoch = memo.epoch.get();
        // While no extension runs, only an epoch changes what they remember.
        let trusted = self.depth.get() == 0 && memo.memory_epoch.get() == epoch;
        if let Some((seen, number)) = &*memo.memory.borrow()
            && (trusted || seen.is_same(vm))
        {
            memo.memory_epoch.set(epoch);
            return Some(*number).filter(|_| !seen.pieces);
        }
        let mut roots: Vec<PyObjectRef> = vec![self.jbq.clone()];
        for extension in &self.extensions {
            roots.push(extension.globals.clone().into());
            roots.push(extension.locals.clone().into());
        }
        if self.piece_dicts.get() {
            let extras = self.extras.borrow();
            roots.extend(extras.iter().filter_map(|extra| Some(extra.object.as_ref()?.clone().into())));
        }
        let seen = look(roots, vm)?;
        let number = numbered(&memo.memories, &seen);
        let pieces = seen.pieces;
        *memo.memory.borrow_mut() = Some((seen, number));
        memo.memory_epoch.set(epoch);
        Some(number).filter(|_| !pieces)
    }

    /// The number of the contents of a piece's attributes; `None`: they hold what cannot be told apart.
    fn attr_number(&self, handle: Handle, vm: &VirtualMachine) -> Option<u32> {
        let epoch = self.memo.epoch.get();
        if let Some((known, seen, number)) = self.memo.attrs.borrow_mut().get_mut(&handle)
            && ((*known == epoch && self.depth.get() == 0) || seen.is_same(vm))
        {
            *known = epoch;
            return *number;
        }
        let attr: PyDictRef = self.attr(handle, vm);
        let seen = look(vec![attr.into()], vm)?;
        let number = (!seen.pieces).then(|| {
            // The dictionary itself is not part of what is in it, unless something else is.
            if seen.is_flat() { numbered_flat(&self.memo.contents, &seen) } else { numbered(&self.memo.contents, &seen) }
        });
        self.memo.attrs.borrow_mut().insert(handle, (epoch, seen, number));
        number
    }

    /// The number of the directions that hold now for a piece.
    fn now_number(&self, handle: Handle, vm: &VirtualMachine) -> Option<u32> {
        if let Some(number) = self.known_now(handle) {
            return Some(number);
        }
        let now = self.live.now(&Asker { game: self, vm }, handle).ok()?;
        Some(self.number_now(handle, now))
    }

    /// The number of those directions where it is known already. While an extension runs, which may change what it
    /// remembers at any time, only rules that ask no extension are known so.
    fn known_now(&self, handle: Handle) -> Option<u32> {
        let memo = &self.memo;
        let &(moment, number) = memo.now.borrow().get(&handle)?;
        let known = memo.still.get() && moment == memo.moment.get();
        (known && (self.depth.get() == 0 || self.goes_by_itself(handle))).then_some(number)
    }

    fn goes_by_itself(&self, handle: Handle) -> bool {
        let piece = self.live.piece(handle);
        let promoted = usize::from(piece.promoted);
        matches!(piece.rules[promoted], Ruled::Table) && !self.live.table(piece.kind).0[promoted].asks()
    }

    /// The directions that hold now for a piece.
    pub(crate) fn now(&self, handle: Handle, vm: &VirtualMachine) -> Result<Rc<Vec<Vec<i64>>>, Trouble> {
        if let Some(number) = self.known_now(handle) {
            return Ok(Rc::clone(&self.memo.lists.borrow()[number as usize]));
        }
        let now = self.live.now(&Asker { game: self, vm }, handle)?;
        if !self.memo.on.get() {
            return Ok(Rc::new(now));
        }
        let number = self.number_now(handle, now);
        Ok(Rc::clone(&self.memo.lists.borrow()[number as usize]))
    }

    /// Remembers the directions that hold now.
    fn number_now(&self, handle: Handle, now: Vec<Vec<i64>>) -> u32 {
        let (mut nows, mut lists) = (self.memo.nows.borrow_mut(), self.memo.lists.borrow_mut());
        let number = match nows.get(&now) {
            Some(&number) => number,
            None => {
                let list = Rc::new(now);
                lists.push(Rc::clone(&list));
                nows.insert(list, lists.len() as u32 - 1);
                lists.len() as u32 - 1
            }
        };
        self.memo.now.borrow_mut().insert(handle, (self.memo.moment.get(), number));
        number
    }

    fn name_number(&self, handle: Handle, vm: &VirtualMachine) -> Option<u64> {
        let name = self.name(handle);
        if !name.class().is(vm.ctx.types.str_type) {
            return None;
        }
        let text = name.downcast_ref::<PyStr>()?;
        // Names of the table are one object each.
        let own = self.live.piece(handle).name.is_some();
        if !own {
            return Some(TABLE | name.get_id() as u64);
        }
        let mut names = self.memo.names.borrow_mut();
        let fresh = names.len() as u32;
        Some(u64::from(*names.entry(text.to_string_lossy().into_owned()).or_insert(fresh)))
    }

    /// The answer to a read.
    fn answer(&self, read: Read, met: &mut Vec<Handle>, vm: &VirtualMachine) -> Option<u64> {
        let piece = |k: u16, met: &[Handle]| self.live.piece(met[usize::from(k)]);
        Some(match read {
            Read::At(at) => match self.live.at(at) {
                None => 0,
                Some(handle) => meet(handle, met),
            },
            Read::Single(id) => self.live.single(id).map_or(0, |at| u64::from(at) + 1),
            Read::Turn => self.live.said_turn() as u64,
            Read::Id(k) => u64::from(piece(k, met).id),
            Read::Name(k) => return self.name_number(met[usize::from(k)], vm),
            Read::Owner(k) => piece(k, met).owner.map_or(2, |side| side.index() as u64),
            Read::Captain(k) => u64::from(piece(k, met).captain),
            Read::Promoted(k) => u64::from(piece(k, met).promoted),
            Read::Attr(k) => u64::from(self.attr_number(met[usize::from(k)], vm)?),
            Read::Now(k) => u64::from(self.now_number(met[usize::from(k)], vm)?),
            Read::Takes(k, l) => u64::from(self.live.takes(met[usize::from(k)], met[usize::from(l)])),
            Read::Hash(k) => u64::from(met[usize::from(k)]),
        })
    }

    /// Writes down a read of a running call; `read` is made with numbers of pieces.
    pub(crate) fn note(&self, vm: &VirtualMachine, read: impl FnOnce(&mut dyn FnMut(Handle) -> u16) -> Read) {
        if !self.memo.is_recording() {
            return;
        }
        let Some(mut recording) = self.memo.recordings.borrow_mut().pop() else { return };
        self.write_down(&mut recording, vm, read);
        self.memo.recordings.borrow_mut().push(recording);
    }

    fn write_down(
        &self,
        recording: &mut Recording,
        vm: &VirtualMachine,
        read: impl FnOnce(&mut dyn FnMut(Handle) -> u16) -> Read,
    ) {
        if recording.wrote {
            return;
        }
        let mut strange = false;
        let read = read(&mut |handle| {
            let known = recording.met.iter().position(|&met| met == handle);
            // A piece from elsewhere: out of what extensions remember.
            strange |= known.is_none();
            known.unwrap_or(0) as u16
        });
        if strange {
            recording.wrote = true;
            return;
        }
        if !recording.known.insert(read) {
            return;
        }
        let moment = self.memo.moment.get();
        match self.answer(read, &mut recording.met, vm) {
            _ if self.memo.moment.get() != moment => recording.wrote = true,
            Some(answer) => {
                if let Read::Attr(k) = read {
                    recording.attrs.push((recording.met[usize::from(k)], answer as u32));
                }
                recording.reads.push((read, answer));
            }
            None => recording.wrote = true,
        }
    }

    /// What is known of a call; `met` begins with the pieces it is made with.
    fn known(&self, memory: u32, call: &Call, mut met: Vec<Handle>, vm: &VirtualMachine) -> Option<Answer> {
        let mut node = *self.memo.roots.borrow().get(&(memory, call.clone()))?;
        loop {
            let read = match self.memo.nodes.borrow().get(node as usize)? {
                Node::Leaf(answer) => return Some(answer.clone()),
                Node::Open => return None,
                Node::Read(read, _) => *read,
            };
            let answer = self.answer(read, &mut met, vm)?;
            let nodes = self.memo.nodes.borrow();
            let Node::Read(_, branches) = nodes.get(node as usize)? else { return None };
            node = branches.iter().find(|(known, _)| *known == answer)?.1;
        }
    }

    /// Keeps what came of a call.
    fn keep(&self, memory: u32, call: Call, reads: &[(Read, u64)], answer: Answer) {
        let mut nodes = self.memo.nodes.borrow_mut();
        let mut open = || {
            nodes.push(Node::Open);
            nodes.len() as u32 - 1
        };
        let mut node = *self.memo.roots.borrow_mut().entry((memory, call)).or_insert_with(&mut open);
        for &(read, found) in reads {
            let fresh = nodes.len() as u32;
            match &mut nodes[node as usize] {
                open @ Node::Open => *open = Node::Read(read, vec![(found, fresh)]),
                Node::Read(known, branches) if *known == read => {
                    match branches.iter().find(|(known, _)| *known == found) {
                        Some(&(_, next)) => {
                            node = next;
                            continue;
                        }
                        None => branches.push((found, fresh)),
                    }
                }
                // The same reads led elsewhere before: it is no function of them. It is left as it was.
                _ => return,
            }
            nodes.push(Node::Open);
            node = fresh;
        }
        if matches!(nodes[node as usize], Node::Open) {
            nodes[node as usize] = Node::Leaf(answer);
        }
    }

    /// Makes a call, or knows what comes of it. `run` makes it, and gives what came of it where that can be kept.
    pub(crate) fn remember<T, E>(
        &self,
        call: Call,
        met: Vec<Handle>,
        vm: &VirtualMachine,
        run: impl FnOnce() -> Result<(T, Option<Answer>), E>,
        known: impl FnOnce(Answer) -> T,
    ) -> Result<T, E> {
        let memo = &self.memo;
        if !memo.on.get() {
            return Ok(run()?.0);
        }
        memo.asked.set(memo.asked.get() + 1);
        if memo.nodes.borrow().len() > MOST_NODES {
            memo.forget();
        }
        let Some(memory) = self.remembered(vm) else {
            memo.unsettle();
            let result = run();
            memo.unsettle();
            return Ok(result?.0);
        };
        if let Some(answer) = self.known(memory, &call, met.clone(), vm) {
            memo.hits.set(memo.hits.get() + 1);
            return Ok(known(answer));
        }
        memo.recordings.borrow_mut().push(Recording { met, ..Recording::default() });
        let result = run();
        let recording = memo.recordings.borrow_mut().pop().unwrap_or_default();
        let same = memo.memory.borrow().as_ref().is_some_and(|(seen, number)| *number == memory && seen.is_same(vm));
        let attrs = || {
            let known = memo.attrs.borrow();
            recording.attrs.iter().all(|(handle, _)| known.get(handle).is_some_and(|(_, seen, _)| seen.is_same(vm)))
        };
        let pure = !recording.wrote && same && attrs();
        if !pure {
            memo.unsettle();
        }
        let (value, answer) = result?;
        if let (true, Some(answer)) = (pure, answer) {
            self.keep(memory, call, &recording.reads, answer);
        }
        Ok(value)
    }
}

/// The same for one dictionary of plain values, whichever dictionary it is.
fn numbered_flat(table: &RefCell<HashMap<Vec<usize>, (Seen, u32)>>, seen: &Seen) -> u32 {
    let mut table = table.borrow_mut();
    let fresh = table.len() as u32;
    table.entry(seen.flat_key()).or_insert_with(|| (seen.clone(), fresh)).1
}

/// The token of a piece, which is met from now on.
fn meet(handle: Handle, met: &mut Vec<Handle>) -> u64 {
    let known = met.iter().position(|&met| met == handle);
    if known.is_none() {
        met.push(handle);
    }
    known.map_or(NEW, |k| k as u64 + 1)
}
