//! Snapshots of the state of extensions, so that taking a move back takes back its effects on them.
//!
//! Everything that can be reached from the extensions and the pieces is walked. The contents of each object that can
//! change are saved, and put back into the same object, so that all references to it see the old contents again. A
//! few objects cannot be saved, such as a generator halfway through; then nothing is, and the caller replays the game
//! from its start.

use foldhash::{HashSet, HashSetExt};
use rustpython_vm::builtins::{
    PyBaseException, PyByteArray, PyDict, PyFrozenSet, PyFunction, PyList, PyModule, PySet, PyTuple, PyType,
};
use rustpython_vm::types::PyTypeFlags;
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyPayload, PyResult, VirtualMachine};

use jingbanqi::live::Memory;

use super::game::{Extra, Game};
use super::library;
use super::objects::Piece;

/// The most objects that are walked: with more, the game is replayed from the start instead.
const MOST_OBJECTS: usize = 200_000;

/// A snapshot of a game and its extensions.
pub(crate) struct Snapshot {
    live: Memory,
    extras: Vec<Extra>,
    shared: Vec<[Option<PyObjectRef>; 3]>,
    library: library::State,
    /// The saved objects; `None` if something cannot be saved.
    objects: Option<Vec<Saved>>,
}

impl Snapshot {
    /// Saves what the extensions of a game have changed or may change.
    pub(crate) fn take(game: &Game, vm: &VirtualMachine) -> Snapshot {
        let extras = game.extras.borrow().clone();
        let shared = game.shared.borrow().clone();
        let library = library::state();
        let mut walk = Walk::new(vm, game.walked.get());
        library.modules().for_each(|module| walk.add(module));
        let whole = walk.game(game, &extras, &shared).is_some();
        game.walked.set(walk.met.len());
        Snapshot { live: game.live.memory(), extras, shared, library, objects: whole.then_some(walk.saved) }
    }

    /// Returns true if it can be put back.
    pub(crate) fn is_whole(&self) -> bool {
        self.objects.is_some()
    }

    /// Puts all back; `None`: it cannot be.
    pub(crate) fn put_back(&self, game: &Game, vm: &VirtualMachine) -> Option<()> {
        for saved in self.objects.as_ref()? {
            saved.put_back(vm).ok()?;
        }
        game.live.recall(&self.live);
        game.speed.interpreted();
        game.extras.borrow_mut().clone_from(&self.extras);
        game.shared.borrow_mut().clone_from(&self.shared);
        library::put_back(&self.library);
        Some(())
    }
}

/// An object and what was in it.
struct Saved {
    object: PyObjectRef,
    contents: Contents,
}

enum Contents {
    Items(Vec<PyObjectRef>),
    Pairs(Vec<(PyObjectRef, PyObjectRef)>),
    Members(Vec<PyObjectRef>),
    Bytes(Vec<u8>),
    Cell(Option<PyObjectRef>),
    Class(Vec<(String, PyObjectRef)>),
    /// Code, defaults and keyword defaults of a function.
    Function([PyObjectRef; 3]),
    /// The class of an instance: it can be changed.
    Of(PyObjectRef),
}

/// The assignable attributes on which the behaviour of a function depends.
const PARTS: [&str; 3] = ["__code__", "__defaults__", "__kwdefaults__"];

fn same(one: &[PyObjectRef], other: &[PyObjectRef]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.is(other))
}

impl Saved {
    fn put_back(&self, vm: &VirtualMachine) -> PyResult<()> {
        let object = &self.object;
        match &self.contents {
            Contents::Items(items) => {
                if let Some(list) = object.downcast_ref::<PyList>()
                    && !same(&list.borrow_vec(), items)
                {
                    let old = std::mem::replace(&mut *list.borrow_vec_mut(), items.clone());
                    drop(old);
                }
            }
            Contents::Pairs(pairs) => {
                if let Some(dict) = object.downcast_ref::<PyDict>() {
                    put_back_dict(dict, pairs, vm)?;
                }
            }
            Contents::Members(members) => {
                if let Some(set) = object.downcast_ref::<PySet>()
                    && !same(&set.elements(), members)
                {
                    vm.call_method(object, "clear", ())?;
                    members.iter().try_for_each(|member| set.add(member.clone(), vm))?;
                }
            }
            Contents::Bytes(bytes) => {
                if let Some(array) = object.downcast_ref::<PyByteArray>() {
                    array.borrow_buf_mut().clone_from(bytes);
                }
            }
            Contents::Cell(Some(value)) => object.set_attr("cell_contents", value.clone(), vm)?,
            Contents::Cell(None) => object.del_attr("cell_contents", vm)?,
            Contents::Class(attributes) => put_back_class(object, attributes, vm)?,
            Contents::Function(parts) => {
                for (name, part) in PARTS.into_iter().zip(parts) {
                    if !object.get_attr(name, vm)?.is(part) {
                        object.set_attr(name, part.clone(), vm)?;
                    }
                }
            }
            Contents::Of(class) => {
                if !object.class().is(class) {
                    object.set_attr("__class__", class.clone(), vm)?;
                }
            }
        }
        Ok(())
    }
}

fn put_back_dict(
    dict: &Py<PyDict>,
    pairs: &[(PyObjectRef, PyObjectRef)],
    vm: &VirtualMachine,
) -> PyResult<()> {
    let now = dict.items_vec();
    let unchanged =
        now.len() == pairs.len() && now.iter().zip(pairs).all(|(a, b)| a.0.is(&b.0) && a.1.is(&b.1));
    if unchanged {
        return Ok(());
    }
    dict.clear();
    pairs.iter().try_for_each(|(key, value)| dict.to_owned().set_item(&**key, value.clone(), vm))
}

fn put_back_class(
    class: &PyObject,
    attributes: &[(String, PyObjectRef)],
    vm: &VirtualMachine,
) -> PyResult<()> {
    let Some(class_type) = class.downcast_ref::<PyType>() else { return Ok(()) };
    for (name, _) in class_attributes(class_type) {
        if !attributes.iter().any(|(known, _)| *known == name) {
            class.del_attr(vm.ctx.intern_str(name), vm)?;
        }
    }
    for (name, value) in attributes {
        let name = vm.ctx.intern_str(name.as_str());
        if !class_type.get_direct_attr(name).is_some_and(|now| now.is(value)) {
            class.set_attr(name, value.clone(), vm)?;
        }
    }
    Ok(())
}

fn class_attributes(class: &PyType) -> Vec<(String, PyObjectRef)> {
    class.attributes.read().iter().map(|(name, value)| (name.as_str().to_owned(), value.clone())).collect()
}

/// A walk through everything that can be reached.
struct Walk<'a> {
    vm: &'a VirtualMachine,
    met: HashSet<usize>,
    left: Vec<PyObjectRef>,
    saved: Vec<Saved>,
}

impl<'a> Walk<'a> {
    /// Begins a walk. `expected`: the approximate number of objects it will visit.
    fn new(vm: &'a VirtualMachine, expected: usize) -> Self {
        Walk {
            vm,
            met: HashSet::with_capacity(expected),
            left: Vec::new(),
            saved: Vec::with_capacity(expected / 2),
        }
    }

    /// Walks a game; `None`: something in it cannot be saved.
    fn game(&mut self, game: &Game, extras: &[Extra], shared: &[[Option<PyObjectRef>; 3]]) -> Option<()> {
        for extension in &game.extensions {
            self.add(extension.globals.clone().into());
            self.add(extension.locals.clone().into());
        }
        self.add(game.jbq.clone());
        for extra in extras {
            self.left.extend(extra.attr.iter().map(|attr| attr.clone().into()));
            self.left.extend(extra.held.iter().flatten().cloned());
            self.left.extend(extra.name.iter().cloned());
            self.left.extend(extra.object.iter().map(|object| object.clone().into()));
        }
        self.left.extend(shared.iter().flatten().flatten().cloned());
        while let Some(object) = self.left.pop() {
            self.visit(object)?;
            if self.met.len() > MOST_OBJECTS {
                return None;
            }
        }
        Some(())
    }

    fn add(&mut self, object: PyObjectRef) {
        self.left.push(object);
    }

    /// Visits an object once; `None`: it cannot be saved.
    fn visit(&mut self, object: PyObjectRef) -> Option<()> {
        let types = &self.vm.ctx.types;
        let class = object.class();
        // What never changes and holds nothing: most of what there is.
        let plain = [types.int_type, types.str_type, types.bool_type, types.none_type, types.float_type];
        if plain.iter().any(|plain| class.is(*plain)) || !self.met.insert(object.get_id()) {
            return Some(());
        }
        if let Some(dict) = object.dict()
            && !object.downcastable::<PyType>()
        {
            self.add(dict.into());
        }
        if class.slots.flags.has_feature(PyTypeFlags::HEAPTYPE) && !object.downcastable::<PyType>() {
            // An instance of an extension's own class. Slots are kept where no other code can read them.
            if class.get_attr(self.vm.ctx.intern_str("__slots__")).is_some() {
                return None;
            }
            let class: PyObjectRef = class.to_owned().into();
            self.add(class.clone());
            self.saved.push(Saved { object: object.clone(), contents: Contents::Of(class) });
        }
        self.inside(&object)
    }

    fn save(&mut self, object: &PyObjectRef, contents: Contents) -> Option<()> {
        self.saved.push(Saved { object: object.clone(), contents });
        Some(())
    }

    fn inside(&mut self, object: &PyObjectRef) -> Option<()> {
        if let Some(tuple) = object.downcast_ref::<PyTuple>() {
            self.left.extend(tuple.as_slice().iter().cloned());
            return Some(());
        }
        if let Some(list) = object.downcast_ref::<PyList>() {
            let items = list.borrow_vec().to_vec();
            self.left.extend(items.iter().cloned());
            return self.save(object, Contents::Items(items));
        }
        if let Some(dict) = object.downcast_ref::<PyDict>() {
            let pairs = dict.items_vec();
            self.left.extend(pairs.iter().flat_map(|(key, value)| [key.clone(), value.clone()]));
            return self.save(object, Contents::Pairs(pairs));
        }
        if let Some(set) = object.downcast_ref::<PySet>() {
            let members = set.elements();
            self.left.extend(members.iter().cloned());
            return self.save(object, Contents::Members(members));
        }
        if let Some(set) = object.downcast_ref::<PyFrozenSet>() {
            self.left.extend(set.elements());
            return Some(());
        }
        if let Some(array) = object.downcast_ref::<PyByteArray>() {
            let bytes = array.borrow_buf().to_vec();
            return self.save(object, Contents::Bytes(bytes));
        }
        if object.downcastable::<PyFunction>() {
            return self.function(object);
        }
        if let Some(class) = object.downcast_ref::<PyType>() {
            return self.class(object, class);
        }
        self.others(object)
    }

    fn function(&mut self, object: &PyObjectRef) -> Option<()> {
        let part = |name: &'static str| object.get_attr(name, self.vm).ok();
        let parts = [part(PARTS[0])?, part(PARTS[1])?, part(PARTS[2])?];
        let closure = part("__closure__")?;
        let globals = part("__globals__")?;
        self.left.extend([parts[1].clone(), parts[2].clone(), closure, globals]);
        self.save(object, Contents::Function(parts))
    }

    fn class(&mut self, object: &PyObjectRef, class: &PyType) -> Option<()> {
        if !class.slots.flags.has_feature(PyTypeFlags::HEAPTYPE) {
            return Some(());
        }
        let attributes = class_attributes(class);
        self.left.extend(attributes.iter().map(|(_, value)| value.clone()));
        let bases = class.bases.read().iter().map(|base| PyObjectRef::from(base.clone())).collect::<Vec<_>>();
        self.left.extend(bases);
        self.save(object, Contents::Class(attributes))
    }

    /// Walks objects of all other types: those that hold others without changing, and those that never change. Fails
    /// for an object that cannot be saved.
    fn others(&mut self, object: &PyObjectRef) -> Option<()> {
        let vm = self.vm;
        let types = &vm.ctx.types;
        let class = object.class();
        let parts: &[&str] = if class.is(types.bound_method_type) {
            &["__self__", "__func__"]
        } else if class.is(types.cell_type) {
            let value = object.get_attr("cell_contents", vm).ok();
            self.left.extend(value.iter().cloned());
            return self.save(object, Contents::Cell(value));
        } else if class.is(types.property_type) {
            &["fget", "fset", "fdel"]
        } else if class.is(types.staticmethod_type) || class.is(types.classmethod_type) {
            &["__func__"]
        } else if class.is(types.slice_type) {
            &["start", "stop", "step"]
        } else if class.is(types.mappingproxy_type) {
            return None;
        } else if let Some(module) = object.downcast_ref::<PyModule>() {
            self.add(module.dict().into());
            return Some(());
        } else if object.downcastable::<PyBaseException>() {
            return None;
        } else {
            &[]
        };
        for part in parts {
            self.left.push(object.get_attr(*part, vm).ok()?);
        }
        let unchanging = [
            types.int_type,
            types.str_type,
            types.float_type,
            types.bool_type,
            types.none_type,
            types.complex_type,
            types.bytes_type,
            types.range_type,
            types.code_type,
            types.builtin_function_or_method_type,
            types.method_descriptor_type,
            types.wrapper_descriptor_type,
            types.method_wrapper_type,
            types.getset_type,
            types.member_descriptor_type,
            types.generic_alias_type,
            types.union_type,
            types.ellipsis_type,
            types.not_implemented_type,
            Piece::class(&vm.ctx),
            super::objects::Jbq::class(&vm.ctx),
        ];
        let known = !parts.is_empty()
            || class.slots.flags.has_feature(PyTypeFlags::HEAPTYPE)
            || unchanging.iter().any(|known| class.is(*known));
        known.then_some(())
    }
}
