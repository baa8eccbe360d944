//! Values between Python and the rules.

use jingbanqi::Value;
use jingbanqi::rule::{Item, MoveRule, Place, PlaceRule};
use rustpython_vm::builtins::{PyFloat, PyInt, PyList, PyStr, PyTuple};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, VirtualMachine};

/// The most items of anything an extension hands over.
const MOST_ITEMS: usize = 1 << 16;

/// A whole number.
pub(crate) fn integer(object: &PyObject, vm: &VirtualMachine) -> PyResult<i64> {
    if let Some(int) = object.downcast_ref::<PyInt>() {
        return int.try_to_primitive(vm);
    }
    match object.downcast_ref::<PyFloat>() {
        Some(float) if float.to_f64().fract() == 0.0 && float.to_f64().abs() < 1e15 => {
            Ok(float.to_f64() as i64)
        }
        _ => Err(vm.new_type_error(format!("a whole number is wanted, not '{}'", object.class().name()))),
    }
}

/// An index into a list: a whole number, or what says that it is one.
pub(crate) fn index(object: &PyObject, vm: &VirtualMachine) -> PyResult<i64> {
    let number = object.to_owned().try_index(vm)?;
    number
        .try_to_primitive(vm)
        .map_err(|_| vm.new_index_error("cannot fit 'int' into an index-sized integer"))
}

/// Row and column at the beginning of a tuple or a list, where both are whole numbers.
pub(crate) fn whole_pair(object: &PyObject, vm: &VirtualMachine) -> Option<(i64, i64)> {
    let whole = |item: &PyObjectRef| item.downcast_ref::<PyInt>()?.try_to_primitive(vm).ok();
    let two = |items: &[PyObjectRef]| match items {
        [row, col, ..] => whole(row).zip(whole(col)),
        _ => None,
    };
    let (types, class) = (&vm.ctx.types, object.class());
    if class.is(types.tuple_type) {
        return two(object.downcast_ref::<PyTuple>()?.as_slice());
    }
    if class.is(types.list_type) { two(&object.downcast_ref::<PyList>()?.borrow_vec()) } else { None }
}

/// The row and column that a pair says; `None`: no square of any board, as `(0.5, 1)`.
pub(crate) fn square(tuple: &PyTuple, vm: &VirtualMachine) -> PyResult<Option<(i64, i64)>> {
    let mut places = [0; 2];
    if tuple.len() != places.len() {
        return Err(vm.new_type_error(format!("a square is row and column, not {} values", tuple.len())));
    }
    for (item, place) in tuple.as_slice().iter().zip(&mut places) {
        let float = item.downcast_ref::<PyFloat>().map(|float| float.to_f64());
        if float.is_some_and(|float| float.fract() != 0.0 || float.abs() >= 1e15) {
            return Ok(None);
        }
        *place = match item.downcast_ref::<PyInt>() {
            Some(int) => int.try_to_primitive(vm).unwrap_or(i64::MAX),
            None => integer(item, vm)?,
        };
    }
    Ok(Some(places.into()))
}

/// Every item of anything that can be gone through.
pub(crate) fn items(object: &PyObject, vm: &VirtualMachine) -> PyResult<Vec<PyObjectRef>> {
    if let Some(tuple) = object.downcast_ref::<PyTuple>() {
        return Ok(tuple.as_slice().to_vec());
    }
    if let Some(list) = object.downcast_ref::<PyList>() {
        return Ok(list.borrow_vec().to_vec());
    }
    let mut items = Vec::new();
    for item in object.to_owned().get_iter(vm)?.iter_without_hint(vm)? {
        items.push(item?);
        if items.len() > MOST_ITEMS {
            return Err(vm.new_value_error("too many items"));
        }
    }
    Ok(items)
}

/// A list of lists of numbers.
pub(crate) fn numbers(lists: &[Vec<i64>], vm: &VirtualMachine) -> PyObjectRef {
    let list = |numbers: &Vec<i64>| -> PyObjectRef {
        vm.ctx.new_list(numbers.iter().map(|&number| vm.ctx.new_int(number).into()).collect()).into()
    };
    vm.ctx.new_list(lists.iter().map(list).collect()).into()
}

/// A cell's value.
pub(crate) fn of_cell(value: &Value, vm: &VirtualMachine) -> PyObjectRef {
    match value {
        Value::Text(text) => vm.ctx.new_str(text.as_str()).into(),
        Value::Int(number) => vm.ctx.new_int(*number).into(),
        Value::Float(number) => vm.ctx.new_float(*number).into(),
        Value::Bool(set) => vm.ctx.new_bool(*set).into(),
    }
}

/// A move rule as extensions see it: sections of `(d,)` or `(d, [(name, number, …), …])`.
pub(crate) fn of_rule(rule: &MoveRule, vm: &VirtualMachine) -> PyObjectRef {
    let item = |item: &Item| -> PyObjectRef {
        let direction = vm.ctx.new_int(item.direction).into();
        let mut parts = vec![direction];
        parts.extend(item.when.as_ref().map(|when| of_places(when, vm)));
        vm.ctx.new_tuple(parts).into()
    };
    let section =
        |items: &Vec<Item>| -> PyObjectRef { vm.ctx.new_list(items.iter().map(item).collect()).into() };
    vm.ctx.new_list(rule.sections.iter().map(section).collect()).into()
}

/// A rule of places as extensions see it: `[(name, number, …), …]`.
pub(crate) fn of_places(rule: &PlaceRule, vm: &VirtualMachine) -> PyObjectRef {
    let place = |place: &Place| -> PyObjectRef {
        let name = vm.ctx.new_str(place.name.as_str()).into();
        let numbers = place.args.iter().map(|&number| PyObjectRef::from(vm.ctx.new_int(number)));
        vm.ctx.new_tuple(std::iter::once(name).chain(numbers).collect()).into()
    };
    vm.ctx.new_list(rule.0.iter().map(place).collect()).into()
}

/// The move rule that an extension wrote.
pub(crate) fn rule(object: &PyObject, vm: &VirtualMachine) -> PyResult<MoveRule> {
    let mut sections = Vec::new();
    for section in items(object, vm)? {
        let mut directions = Vec::new();
        for item in items(&section, vm)? {
            match items(&item, vm)?.as_slice() {
                [direction] => directions.push(Item { direction: integer(direction, vm)?, when: None }),
                [direction, when] => {
                    directions
                        .push(Item { direction: integer(direction, vm)?, when: Some(places(when, vm)?) });
                }
                // What has another length means nothing, as in the original.
                _ => {}
            }
        }
        sections.push(directions);
    }
    Ok(MoveRule { sections })
}

/// The rule of places that an extension wrote.
pub(crate) fn places(object: &PyObject, vm: &VirtualMachine) -> PyResult<PlaceRule> {
    let mut places = Vec::new();
    for place in items(object, vm)? {
        let parts = items(&place, vm)?;
        let Some((name, numbers)) = parts.split_first() else {
            return Err(vm.new_index_error("tuple index out of range"));
        };
        // A name that is not a string names no condition.
        let Some(name) = name.downcast_ref::<PyStr>() else { continue };
        let args = numbers.iter().map(|number| integer(number, vm)).collect::<PyResult<Vec<i64>>>()?;
        places.push(Place { name: name.to_string_lossy().into_owned(), args });
    }
    Ok(PlaceRule(places))
}
