//! Links between compiled functions and the objects of the interpreter: names, objects, and their present values.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustpython_vm::builtins::{
    PyBoundMethod, PyCode, PyDict, PyDictRef, PyFloat, PyFunction, PyInt, PyList, PyStr, PyStrInterned,
    PyTuple, PyType,
};
use rustpython_vm::bytecode::CodeFlags;
use rustpython_vm::types::PyTypeFlags;
use rustpython_vm::{AsObject, PyObject, PyObjectRef, VirtualMachine};

use super::super::game::Extension;
use super::super::objects::Piece;
use super::code::{Def, Expr};
use super::compile::{self, Compiled};
use super::value::{Bound, Built, Leave, Quick, V, Wide};

/// A function of a file, ready to run until the interpreter runs again.
#[derive(Debug)]
pub(super) struct Linked {
    pub def: Rc<Def>,
    pub file: usize,
    pub defaults: Vec<V>,
    pub frees: Vec<Rc<RefCell<V>>>,
}

/// A file of an extension, with its compiled functions.
#[derive(Debug)]
struct File {
    path: String,
    globals: PyDictRef,
    builtins: Option<PyDictRef>,
    /// The code that is written in it: other code never runs quickly, whatever its file name.
    codes: Rc<Vec<PyObjectRef>>,
    compiled: Compiled,
    /// The present values of its names.
    values: RefCell<Vec<Option<V>>>,
}

/// A function of the interpreter, and its compiled counterpart.
type Met = (PyObjectRef, Option<Rc<Linked>>);

/// All files, and what the interpreter keeps.
#[derive(Debug)]
pub(super) struct World {
    files: Vec<File>,
    jbq: PyObjectRef,
    built: Vec<(PyObjectRef, Built)>,
    /// Functions by their identity, until the interpreter runs again.
    functions: RefCell<foldhash::HashMap<usize, Met>>,
    /// A cache, by identity, of whether the keys of a dictionary are plain; valid until the interpreter runs again.
    dicts: RefCell<foldhash::HashMap<usize, (PyDictRef, bool)>>,
    /// Texts that were evaluated.
    literals: RefCell<foldhash::HashMap<String, Option<Rc<Expr>>>>,
    /// Counts the runs of the interpreter.
    pub epoch: Cell<u64>,
    known: Cell<u64>,
    usable: Cell<bool>,
}

/// The most evaluated texts that are kept.
const MOST_LITERALS: usize = 1024;

impl World {
    pub(super) fn new(
        sources: &[(String, String)],
        extensions: &[Extension],
        jbq: PyObjectRef,
        vm: &VirtualMachine,
    ) -> World {
        let files = sources.iter().zip(extensions).map(|((path, text), extension)| {
            let globals = extension.globals.clone();
            let builtins = globals.get_item_opt("__builtins__", vm).ok().flatten();
            File {
                path: path.clone(),
                builtins: builtins.and_then(|builtins| builtins.downcast::<PyDict>().ok()),
                globals,
                codes: Rc::clone(&extension.codes),
                compiled: compile::compile(text, vm).unwrap_or_default(),
                values: RefCell::default(),
            }
        });
        let files = files.collect();
        let original = vm.builtins.dict();
        let built = Built::ALL
            .iter()
            .filter_map(|&(name, built)| Some((original.get_item_opt(name, vm).ok()??, built)));
        World {
            files,
            jbq,
            built: built.collect(),
            functions: RefCell::default(),
            dicts: RefCell::default(),
            literals: RefCell::default(),
            epoch: Cell::new(1),
            known: Cell::new(0),
            usable: Cell::new(false),
        }
    }

    /// Drops the values that the interpreter may have changed. Returns true if quick runs are possible now.
    pub(super) fn settle(&self, vm: &VirtualMachine) -> bool {
        if self.known.get() == self.epoch.get() {
            return self.usable.get();
        }
        self.known.set(self.epoch.get());
        self.functions.borrow_mut().clear();
        self.dicts.borrow_mut().clear();
        for file in &self.files {
            let mut values = file.values.borrow_mut();
            values.clear();
            values.resize(file.compiled.names.len(), None);
        }
        // An extension that sets attributes on `JBQ` may hide its methods.
        let means_it = |file: &File, name: &str| match file.globals.get_item_opt(name, vm) {
            Ok(Some(object)) => object.is(&self.jbq),
            _ => false,
        };
        let usable = self.jbq.dict().is_none_or(|dict| dict.__len__() == 0)
            && self.files.iter().all(|file| means_it(file, "JBQ") && means_it(file, "API"));
        self.usable.set(usable);
        usable
    }

    /// Returns the value of a global name of a file.
    pub(super) fn global(&self, file: usize, place: u16, vm: &VirtualMachine) -> Quick<V> {
        let file = &self.files[file];
        if let Some(value) = &file.values.borrow()[usize::from(place)] {
            return Ok(value.clone());
        }
        let name: &PyObject = file.compiled.names[usize::from(place)].as_object();
        let look = |dict: &PyDictRef| dict.get_item_opt(name, vm).ok().flatten();
        let value = match look(&file.globals) {
            Some(object) => self.value(&object, vm)?,
            None => {
                let object =
                    file.builtins.as_ref().and_then(look).ok_or(Leave(&"a name that is not there"))?;
                let known = self.built.iter().find(|(built, _)| built.is(&object));
                V::Built(Wide(known.ok_or(Leave(&"a built-in"))?.1))
            }
        };
        file.values.borrow_mut()[usize::from(place)] = Some(value.clone());
        Ok(value)
    }

    /// A value of the interpreter.
    pub(super) fn value(&self, object: &PyObjectRef, vm: &VirtualMachine) -> Quick<V> {
        self.value_within(object, vm, 8)
    }

    fn value_within(&self, object: &PyObjectRef, vm: &VirtualMachine, depth: u32) -> Quick<V> {
        let types = &vm.ctx.types;
        let class = object.class();
        if class.is(types.str_type) {
            let text = object.clone().downcast::<PyStr>().map_err(|_| Leave(&"a text"))?;
            return Ok(V::Str(text));
        }
        if class.is(types.int_type) {
            let int = object.downcast_ref::<PyInt>().ok_or(Leave(&"a number"))?;
            return int.try_to_primitive(vm).map(V::Int).map_err(|_| Leave(&"a large number"));
        }
        if class.is(types.none_type) {
            return Ok(V::None);
        }
        if class.is(types.bool_type) {
            return Ok(V::Bool(Wide(object.is(&vm.ctx.true_value))));
        }
        if let Some(piece) = object.downcast_ref::<Piece>() {
            return Ok(V::Piece(Wide(piece.handle)));
        }
        if class.is(types.float_type) {
            return Ok(V::Float(object.downcast_ref::<PyFloat>().ok_or(Leave(&"a number"))?.to_f64()));
        }
        if class.is(types.tuple_type) {
            let tuple = object.downcast_ref::<PyTuple>().ok_or(Leave(&"a tuple"))?;
            if depth == 0 {
                return Err(Leave(&"a deep tuple"));
            }
            let items = tuple.as_slice().iter().map(|item| self.value_within(item, vm, depth - 1));
            return V::tuple(items.collect::<Quick<_>>()?);
        }
        if object.is(&self.jbq) {
            return Ok(V::Jbq);
        }
        if let Some(bound) = self.linked(object, vm) {
            return Ok(V::Linked(Rc::new(bound)));
        }
        Ok(V::Object(object.clone()))
    }

    /// A function or method of a file.
    pub(super) fn linked(&self, object: &PyObjectRef, vm: &VirtualMachine) -> Option<Bound> {
        let class = object.class();
        if class.is(vm.ctx.types.bound_method_type) && object.downcastable::<PyBoundMethod>() {
            let to = object.get_attr("__self__", vm).ok()?;
            let function = object.get_attr("__func__", vm).ok()?;
            return Some(Bound { function: self.function(&function, vm)?, to: Some(to) });
        }
        Some(Bound { function: self.function(object, vm)?, to: None })
    }

    fn function(&self, object: &PyObjectRef, vm: &VirtualMachine) -> Option<Rc<Linked>> {
        if !object.downcastable::<PyFunction>() {
            return None;
        }
        if let Some((_, known)) = self.functions.borrow().get(&object.get_id()) {
            return known.clone();
        }
        // While it is being linked it may meet itself.
        self.functions.borrow_mut().insert(object.get_id(), (object.clone(), None));
        let linked = self.link(object, vm).map(Rc::new);
        self.functions.borrow_mut().insert(object.get_id(), (object.clone(), linked.clone()));
        linked
    }

    fn link(&self, object: &PyObjectRef, vm: &VirtualMachine) -> Option<Linked> {
        let part = |name: &'static str| object.get_attr(name, vm).ok();
        let object = part("__code__")?;
        let code = &object.downcast_ref::<PyCode>()?.code;
        let globals = part("__globals__")?;
        let (file, found) = self.files.iter().enumerate().find(|(_, file)| file.globals.is(&globals))?;
        let builtins = part("__builtins__")?;
        if !found.codes.iter().any(|written| written.is(&object)) {
            return None;
        }
        if code.source_path.as_str() != found.path || !found.builtins.as_ref()?.is(&builtins) {
            return None;
        }
        let line = code.first_line_number?.get() as u32;
        let def = found.compiled.defs.get(&(line, code.obj_name.as_str().to_owned()))?.clone()?;
        let takes_more = code.flags.intersects(CodeFlags::VARARGS | CodeFlags::VARKEYWORDS);
        if code.arg_count as usize != def.takes || code.kwonlyarg_count != 0 || takes_more {
            return None;
        }
        let called = code.varnames.iter().take(def.takes).map(|name| name.as_str());
        if !called.eq(def.parameters.iter().map(String::as_str)) {
            return None;
        }
        let defaults = part("__defaults__")?;
        let defaults: Vec<V> = if vm.is_none(&defaults) {
            Vec::new()
        } else {
            let tuple = defaults.downcast_ref::<PyTuple>()?;
            tuple.as_slice().iter().map(|value| self.value(value, vm).ok()).collect::<Option<_>>()?
        };
        let closure = part("__closure__")?;
        let closure = closure.downcast_ref::<PyTuple>();
        let frees = def.frees.iter().map(|(name, _)| {
            let place = code.freevars.iter().position(|free| free.as_str() == name)?;
            let cell = closure?.as_slice().get(place)?;
            let value = match cell.get_attr("cell_contents", vm) {
                Ok(object) => self.value(&object, vm).ok()?,
                Err(_) => V::Unbound,
            };
            Some(Rc::new(RefCell::new(value)))
        });
        let frees = frees.collect::<Option<_>>()?;
        Some(Linked { def, file, defaults, frees })
    }

    /// Returns an attribute of an object of the extension's own.
    pub(super) fn member(
        &self,
        object: &PyObjectRef,
        name: &'static PyStrInterned,
        vm: &VirtualMachine,
    ) -> Quick<V> {
        let class = object.class();
        if !class.slots.flags.has_feature(PyTypeFlags::HEAPTYPE) || object.downcastable::<PyType>() {
            return Err(Leave(&"a member of what is not theirs"));
        }
        for special in ["__getattr__", "__getattribute__", "__slots__"] {
            let defined = class.get_attr(vm.ctx.intern_str(special));
            let usual = vm.ctx.types.object_type.get_attr(vm.ctx.intern_str(special));
            let same = match (&defined, &usual) {
                (Some(defined), Some(usual)) => defined.is(usual),
                (defined, _) => defined.is_none(),
            };
            if !same {
                return Err(Leave(&"an object with a way of its own"));
            }
        }
        let of_class = class.get_attr(name);
        if let Some(value) = &of_class
            && !value.downcastable::<PyFunction>()
            && !self.is_plain(value, vm)
        {
            return Err(Leave(&"a member of a class"));
        }
        if let Some(dict) = object.dict()
            && let Some(value) = dict.get_item_opt(name, vm).map_err(|_| Leave(&"a member"))?
        {
            return self.value(&value, vm);
        }
        let value = of_class.ok_or(Leave(&"a member that is not there"))?;
        if value.downcastable::<PyFunction>() {
            let linked = self.function(&value, vm).ok_or(Leave(&"a function that is not known"))?;
            return Ok(V::Linked(Rc::new(Bound { function: linked, to: Some(object.clone()) })));
        }
        self.value(&value, vm)
    }

    /// Returns true if it is a plain value, also as a member of a class.
    fn is_plain(&self, object: &PyObject, vm: &VirtualMachine) -> bool {
        let types = &vm.ctx.types;
        let plain = [
            types.int_type,
            types.str_type,
            types.bool_type,
            types.none_type,
            types.float_type,
            types.tuple_type,
            types.list_type,
            types.dict_type,
            types.set_type,
        ];
        plain.iter().any(|plain| object.class().is(*plain))
    }

    /// An item of one of their lists or dictionaries; `None`: a key that is not there.
    pub(super) fn item(&self, object: &PyObjectRef, key: &V, vm: &VirtualMachine) -> Quick<Option<V>> {
        if let Some(list) = exact::<PyList>(object, vm.ctx.types.list_type) {
            let V::Int(at) = key else { return Err(Leave(&"an index")) };
            let items = list.borrow_vec();
            let at = if *at < 0 { at + items.len() as i64 } else { *at };
            let item = usize::try_from(at).ok().and_then(|at| items.get(at));
            return self.value(item.ok_or(Leave(&"an index that is not there"))?, vm).map(Some);
        }
        let dict = exact::<PyDict>(object, vm.ctx.types.dict_type).ok_or(Leave(&"an item of an object"))?;
        self.entry(&dict.to_owned(), key, vm)
    }

    /// Returns the value of a dictionary for a key.
    pub(super) fn entry(&self, dict: &PyDictRef, key: &V, vm: &VirtualMachine) -> Quick<Option<V>> {
        if !dict.class().is(vm.ctx.types.dict_type) {
            return Err(Leave(&"a dictionary of their own"));
        }
        if !self.has_plain_keys(dict, vm) {
            return Err(Leave(&"a dictionary with keys of their own"));
        }
        let key = plain_object(key, vm).ok_or(Leave(&"a key"))?;
        let found = dict.get_item_opt(&*key, vm).map_err(|_| Leave(&"a key"))?;
        found.map(|value| self.value(&value, vm)).transpose()
    }

    /// Returns true if no key of a dictionary has code of its own, which a lookup might run. Nothing changes a
    /// dictionary until the interpreter runs again.
    fn has_plain_keys(&self, dict: &PyDictRef, vm: &VirtualMachine) -> bool {
        let mut known = self.dicts.borrow_mut();
        let known = known.entry(dict.as_object().get_id());
        let plain = |(key, _): &(PyObjectRef, PyObjectRef)| is_plain_key(key, vm, 4);
        known.or_insert_with(|| (dict.clone(), dict.items_vec().iter().all(plain))).1
    }

    /// All items of one of their lists, or the keys of a dictionary.
    pub(super) fn items(&self, object: &PyObjectRef, vm: &VirtualMachine) -> Quick<Vec<V>> {
        if let Some(list) = exact::<PyList>(object, vm.ctx.types.list_type) {
            let items = list.borrow_vec().to_vec();
            return items.iter().map(|item| self.value(item, vm)).collect();
        }
        let dict = exact::<PyDict>(object, vm.ctx.types.dict_type).ok_or(Leave(&"an object gone through"))?;
        dict.items_vec().iter().map(|(key, _)| self.value(key, vm)).collect()
    }

    /// Returns the number of items of a list or dictionary of the interpreter.
    pub(super) fn length(&self, object: &PyObjectRef, vm: &VirtualMachine) -> Quick<usize> {
        if let Some(list) = exact::<PyList>(object, vm.ctx.types.list_type) {
            return Ok(list.borrow_vec().len());
        }
        let dict =
            exact::<PyDict>(object, vm.ctx.types.dict_type).ok_or(Leave(&"the length of an object"))?;
        Ok(dict.__len__())
    }

    /// A text as an expression without names.
    pub(super) fn literal(&self, text: &PyStr, vm: &VirtualMachine) -> Quick<Rc<Expr>> {
        let text = text.to_str().ok_or(Leave(&"a text"))?;
        if text.len() > 4096 {
            return Err(Leave(&"a long text"));
        }
        let mut literals = self.literals.borrow_mut();
        if literals.len() > MOST_LITERALS {
            literals.clear();
        }
        let known = literals.entry(text.to_owned()).or_insert_with_key(|text| {
            // What lies deep is left to the interpreter, which knows how deep it may go.
            let deep = text.matches(|c: char| !c.is_alphanumeric() && !"_., \"'".contains(c)).count() > 200;
            if deep { None } else { compile::literal(text, vm).map(Rc::new) }
        });
        known.clone().ok_or(Leave(&"eval of more than a value"))
    }
}

fn exact<'a, T: rustpython_vm::PyPayload>(
    object: &'a PyObjectRef,
    class: &'static rustpython_vm::Py<PyType>,
) -> Option<&'a rustpython_vm::Py<T>> {
    object.class().is(class).then(|| object.downcast_ref::<T>()).flatten()
}

/// Returns true if comparing a key runs no code of an extension.
fn is_plain_key(key: &PyObjectRef, vm: &VirtualMachine, depth: u32) -> bool {
    let types = &vm.ctx.types;
    let class = key.class();
    if class.is(types.tuple_type) {
        let tuple = key.downcast_ref::<PyTuple>();
        return depth > 0
            && tuple
                .is_some_and(|tuple| tuple.as_slice().iter().all(|part| is_plain_key(part, vm, depth - 1)));
    }
    let plain = [types.str_type, types.int_type, types.bool_type, types.none_type, types.float_type];
    plain.iter().any(|plain| class.is(*plain)) || key.downcastable::<Piece>()
}

/// The object of the interpreter for a value that never changes.
pub(super) fn plain_object(value: &V, vm: &VirtualMachine) -> Option<PyObjectRef> {
    Some(match value {
        V::None => vm.ctx.none(),
        V::Bool(Wide(set)) => vm.ctx.new_bool(*set).into(),
        V::Int(number) => vm.ctx.new_int(*number).into(),
        V::Str(text) => text.clone().into(),
        V::Pair(Wide((one, two))) => {
            vm.ctx.new_tuple(vec![vm.ctx.new_int(*one).into(), vm.ctx.new_int(*two).into()]).into()
        }
        _ => return None,
    })
}
