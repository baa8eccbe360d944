//! Comparison of values: equality, order, membership.

use std::rc::Rc;

use rustpython_vm::AsObject;

use super::call::is_dict;
use super::code::Cmp;
use super::run::Run;
use super::value::{Leave, Quick, V, Wide};

impl Run<'_> {
    pub(super) fn length(&self, of: &V) -> Quick<usize> {
        Ok(match of {
            V::List(list) => list.read(<[V]>::len),
            V::Pair(..) => 2,
            V::Tuple(items) => items.len(),
            V::Range(range) => super::walk::steps(range)?,
            V::Str(text) => text.as_wtf8().code_points().count(),
            V::Attr(Wide(piece)) => {
                let attributes = self.game.attributes_now(*piece);
                if !attributes.class().is(self.vm.ctx.types.dict_type) {
                    return Err(Leave(&"a dictionary of their own"));
                }
                attributes.__len__()
            }
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

    pub(super) fn compare(&self, one: &V, cmp: Cmp, two: &V) -> Quick<bool> {
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

    pub(super) fn is(&self, one: &V, two: &V) -> Quick<bool> {
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
                    one.len() == two.len() && self.same(&one, &two)?
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

    /// Returns true if items are equal one by one. Tuples are compared in this way although their lengths differ.
    pub(super) fn same(&self, one: &[V], two: &[V]) -> Quick<bool> {
        self.step(one.len())?;
        for (one, two) in one.iter().zip(two) {
            if !self.alike(one, two)? {
                return Ok(false);
            }
        }
        Ok(one.len() == two.len())
    }

    /// Returns true if a container takes one value for the other: equal values, or the same object, also one that
    /// equals nothing.
    pub(super) fn alike(&self, one: &V, two: &V) -> Quick<bool> {
        if let (V::Float(one), V::Float(two)) = (one, two)
            && one.is_nan()
            && two.is_nan()
        {
            return Err(Leave(&"the identity of no number"));
        }
        self.equals(one, two)
    }

    /// Returns the class of a value for comparison: values of different classes are never equal; `None` if the class
    /// is unknown.
    pub(super) fn kind(&self, value: &V) -> Option<u8> {
        Some(match value {
            V::None => 0,
            V::Bool(_) | V::Int(_) | V::Float(_) => 1,
            V::Str(_) => 2,
            V::Pair(..) | V::Tuple(_) => 3,
            V::List(_) => 4,
            V::Piece(_) => 5,
            V::Jbq => 6,
            V::Attr(Wide(piece)) => {
                let plain = self.game.attributes_now(*piece).class().is(self.vm.ctx.types.dict_type);
                return plain.then_some(7);
            }
            V::Object(object) if object.class().is(self.vm.ctx.types.list_type) => 4,
            V::Object(object) if object.class().is(self.vm.ctx.types.dict_type) => 7,
            _ => return None,
        })
    }

    pub(super) fn less(&self, one: &V, two: &V) -> Quick<bool> {
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

    pub(super) fn holds(&self, of: &V, item: &V) -> Quick<bool> {
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
                // The least number and a step of -1 have no quotient, but nothing is left over.
                Ok(inside && off.wrapping_rem(step) == 0)
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

    pub(super) fn among(&self, items: &[V], item: &V) -> Quick<bool> {
        self.step(items.len())?;
        for one in items {
            if self.alike(one, item)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

pub(super) fn int(value: &V) -> Option<i64> {
    match value {
        V::Int(number) => Some(*number),
        V::Bool(Wide(set)) => Some(i64::from(*set)),
        _ => None,
    }
}

/// A number that loses nothing as a float.
pub(super) fn number(value: &V) -> Option<f64> {
    match value {
        V::Float(number) => Some(*number),
        other => int(other).filter(|number| number.unsigned_abs() < 1 << 53).map(|number| number as f64),
    }
}
