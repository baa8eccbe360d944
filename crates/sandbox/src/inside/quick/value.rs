//! Values while a function runs quickly: those of Python, without the interpreter.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use jingbanqi::live::{Groups, Handle};
use rustpython_vm::PyObjectRef;
use rustpython_vm::builtins::PyStrRef;

use super::code::Def;
use super::link::Linked;

/// The reason for abandoning a quick run: the interpreter makes the call instead. Nothing with a lasting effect has
/// happened yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leave(pub &'static &'static str);

/// The result of a quick run, or the reason for abandoning it.
pub(super) type Quick<T> = Result<T, Leave>;

/// A small value in the size of a large one: so all values have the same layout, and are copied as one.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(8))]
pub(super) struct Wide<T>(pub T);

/// A value. A tuple of two whole numbers that fit is always a [`V::Pair`].
#[derive(Clone, Debug)]
pub(super) enum V {
    /// The state of a variable without a value yet.
    Unbound,
    None,
    Bool(Wide<bool>),
    Int(i64),
    Float(f64),
    Pair(Wide<(i32, i32)>),
    Str(PyStrRef),
    Tuple(Rc<Parts>),
    List(Rc<List>),
    Range(Rc<[i64; 3]>),
    /// An iterator over other values: `enumerate`, `zip`, `reversed`.
    Through(Rc<Once>),
    Piece(Wide<Handle>),
    /// The attributes of a piece.
    Attr(Wide<Handle>),
    Jbq,
    Built(Wide<Built>),
    Function(Rc<Function>),
    /// A function of the file, with the object it is bound to.
    Linked(Rc<Bound>),
    /// An object of the interpreter, which may only be read.
    Object(PyObjectRef),
    /// A local that several functions share.
    Shared(Rc<RefCell<V>>),
}

/// The greatest depth of nested values. Deeper ones are left to the interpreter, and so is a value that holds itself:
/// here values are compared and dropped by recursive functions, and nothing looks for cycles.
pub(super) const MOST_DEPTH: u32 = 40;
/// The depth that a list counts in addition to its own, so that it can still take in something flat when others hold
/// it.
const SPARE: u32 = 2;

/// Returns the depth of a value that holds those values, from 1. Lists among them count as held from now on.
pub(super) fn depth_of<'v>(items: impl IntoIterator<Item = &'v V>) -> Quick<u32> {
    let mut deepest = 0;
    for item in items {
        let depth = item.depth();
        if depth > 0 {
            if let V::List(list) = item {
                list.held.set(true);
            }
            deepest = deepest.max(depth);
        }
    }
    if deepest >= MOST_DEPTH { Err(Leave(&"what lies too deep")) } else { Ok(deepest + 1) }
}

/// The items of a tuple.
#[derive(Debug)]
pub(super) struct Parts {
    items: Vec<V>,
    depth: u32,
}

impl std::ops::Deref for Parts {
    type Target = [V];

    fn deref(&self) -> &[V] {
        &self.items
    }
}

/// A value that can be iterated once, and whether it was.
#[derive(Debug)]
pub(super) struct Once {
    pub of: Through,
    pub begun: Cell<bool>,
    depth: u32,
}

impl Once {
    pub(super) fn of(of: Through) -> Quick<V> {
        let depth = match &of {
            Through::Enumerate(over, _) | Through::Reversed(over, _) => depth_of([over])?,
            Through::Zip(all) => depth_of(all)?,
        };
        Ok(V::Through(Rc::new(Once { of, begun: Cell::new(false), depth })))
    }
}

/// The values that can be iterated once.
#[derive(Debug)]
pub(super) enum Through {
    Enumerate(V, i64),
    Zip(Vec<V>),
    /// A reversed list, with its number of items at the time it was made.
    Reversed(V, usize),
}

/// A function made while another runs.
#[derive(Debug)]
pub(super) struct Function {
    pub def: Rc<Def>,
    pub defaults: Vec<V>,
    /// The variables it shares with functions around it. They are emptied when the run ends, so that no cycle of
    /// references remains.
    pub frees: Vec<Rc<RefCell<V>>>,
    pub home: Rc<Linked>,
    /// The depth of its defaults.
    pub depth: u32,
}

/// A function of the file and what it is bound to.
#[derive(Debug)]
pub(super) struct Bound {
    pub function: Rc<Linked>,
    pub to: Option<PyObjectRef>,
}

/// A built-in function or class that we know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Built {
    Len,
    Range,
    Enumerate,
    Abs,
    Min,
    Max,
    Sum,
    Any,
    All,
    List,
    Tuple,
    Int,
    Bool,
    Zip,
    Reversed,
    Eval,
    Print,
    /// `list[int]`, which makes a list when it is called, and is not `list`.
    ListOf,
    TupleOf,
    /// Classes that are only named, as in `list[int]`.
    Str,
    Dict,
    Set,
    Float,
}

impl Built {
    pub(super) const ALL: [(&'static str, Built); 21] = [
        ("len", Built::Len),
        ("range", Built::Range),
        ("enumerate", Built::Enumerate),
        ("abs", Built::Abs),
        ("min", Built::Min),
        ("max", Built::Max),
        ("sum", Built::Sum),
        ("any", Built::Any),
        ("all", Built::All),
        ("list", Built::List),
        ("tuple", Built::Tuple),
        ("int", Built::Int),
        ("bool", Built::Bool),
        ("zip", Built::Zip),
        ("reversed", Built::Reversed),
        ("eval", Built::Eval),
        ("print", Built::Print),
        ("str", Built::Str),
        ("dict", Built::Dict),
        ("set", Built::Set),
        ("float", Built::Float),
    ];
}

/// A list, as Python has it.
#[derive(Debug)]
pub(super) struct List {
    items: RefCell<Vec<V>>,
    /// The groups of squares that it stands for, with the columns of the board, until it is first read.
    groups: RefCell<Option<(Rc<Groups>, u16)>>,
    /// Set if it is handed out more than once and must not change.
    pub fixed: bool,
    /// True while some groups are still as they were given.
    untouched: Cell<bool>,
    /// An upper bound of its depth, with its contents; 1: it holds no list, tuple or the like.
    depth: Cell<u32>,
    /// Set if another value may hold it and relies on its depth.
    held: Cell<bool>,
}

impl List {
    pub(super) fn of(items: Vec<V>) -> Quick<V> {
        let depth = depth_of(&items)? + SPARE;
        Ok(List::so_deep(items, depth))
    }

    fn so_deep(items: Vec<V>, depth: u32) -> V {
        V::List(Rc::new(List {
            items: RefCell::new(items),
            groups: RefCell::new(None),
            fixed: false,
            untouched: Cell::new(false),
            depth: Cell::new(depth),
            held: Cell::new(false),
        }))
    }

    /// A list that must not be changed.
    pub(super) fn fixed(items: Vec<V>) -> Quick<V> {
        let depth = depth_of(&items)? + SPARE;
        Ok(V::List(Rc::new(List {
            items: RefCell::new(items),
            groups: RefCell::new(None),
            fixed: true,
            untouched: Cell::new(false),
            depth: Cell::new(depth),
            held: Cell::new(true),
        })))
    }

    /// Makes a list of groups of squares; its items are built when it is first read.
    pub(super) fn groups(groups: Rc<Groups>, cols: u16) -> V {
        V::List(Rc::new(List {
            items: RefCell::default(),
            groups: RefCell::new(Some((groups, cols))),
            fixed: false,
            untouched: Cell::new(true),
            depth: Cell::new(2 * (1 + SPARE)),
            held: Cell::new(false),
        }))
    }

    /// Makes sure that the list may hold that value from now on.
    #[inline]
    pub(super) fn admit(&self, item: &V) -> Quick<()> {
        let depth = item.depth();
        if depth == 0 { Ok(()) } else { self.admit_deep(item, depth) }
    }

    fn admit_deep(&self, item: &V, depth: u32) -> Quick<()> {
        if let V::List(list) = item {
            // This also keeps a list from holding itself.
            list.held.set(true);
        }
        if depth < self.depth.get() {
            return Ok(());
        }
        if self.held.get() || depth >= MOST_DEPTH {
            return Err(Leave(&"what lies too deep"));
        }
        self.depth.set(depth + 1 + SPARE);
        Ok(())
    }

    /// Returns true if it was made of groups and has not been read since.
    pub(super) fn is_untouched(&self) -> bool {
        self.untouched.get()
    }

    fn force(&self) {
        if !self.untouched.get() {
            return;
        }
        self.untouched.set(false);
        let Some((groups, cols)) = self.groups.borrow_mut().take() else { return };
        let point = |&at: &u16| V::Pair(Wide((i32::from(at / cols), i32::from(at % cols))));
        // Room for a few more: extensions like to append.
        let lists = groups.iter().map(|group| {
            let mut items = Vec::with_capacity(group.len() + 4);
            items.extend(group.iter().map(point));
            let list = List::so_deep(items, 1 + SPARE);
            if let V::List(list) = &list {
                list.held.set(true);
            }
            list
        });
        *self.items.borrow_mut() = lists.collect();
    }

    /// Reads the items.
    pub(super) fn read<R>(&self, with: impl FnOnce(&[V]) -> R) -> R {
        self.force();
        with(&self.items.borrow())
    }

    /// Changes the items.
    pub(super) fn write<R>(&self, with: impl FnOnce(&mut Vec<V>) -> R) -> Quick<R> {
        if self.fixed {
            return Err(Leave(&"a list that is handed out to many"));
        }
        self.force();
        Ok(with(&mut self.items.borrow_mut()))
    }
}

impl V {
    /// Makes a tuple of those values.
    pub(super) fn tuple(items: Vec<V>) -> Quick<V> {
        if let [V::Int(one), V::Int(two)] = items[..]
            && let (Ok(one), Ok(two)) = (i32::try_from(one), i32::try_from(two))
        {
            return Ok(V::Pair(Wide((one, two))));
        }
        let depth = depth_of(&items)?;
        Ok(V::Tuple(Rc::new(Parts { items, depth })))
    }

    /// Returns the depth of the values inside it; 0 if it holds none.
    #[inline]
    fn depth(&self) -> u32 {
        match self {
            V::List(list) => list.depth.get(),
            V::Tuple(parts) => parts.depth,
            V::Through(once) => once.depth,
            V::Function(function) => function.depth,
            _ => 0,
        }
    }

    /// The items of a tuple.
    pub(super) fn parts(&self) -> Option<Vec<V>> {
        match self {
            V::Pair(Wide((one, two))) => Some(vec![V::Int(i64::from(*one)), V::Int(i64::from(*two))]),
            V::Tuple(items) => Some(items.to_vec()),
            _ => None,
        }
    }
}
