//! Operations on values: items, slices, sums.

use super::code::Op;
use super::compare::{int, number};
use super::run::Run;
use super::value::{Built, Leave, List, Quick, V, Wide};

impl Run<'_> {
    pub(super) fn item(&self, of: &V, at: &V) -> Quick<V> {
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
            (V::Built(Wide(Built::List)), V::Built(_) | V::Tuple(_)) => Ok(V::Built(Wide(Built::ListOf))),
            (V::Built(Wide(Built::Tuple)), V::Built(_) | V::Tuple(_)) => Ok(V::Built(Wide(Built::TupleOf))),
            _ => Err(Leave(&"an item")),
        }
    }

    pub(super) fn slice(&self, of: &V, bounds: [Option<i64>; 3]) -> Quick<V> {
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
        if matches!(of, V::List(_)) { List::of(taken) } else { V::tuple(taken) }
    }

    pub(super) fn binary(&self, op: Op, one: &V, two: &V) -> Quick<V> {
        match (one, two) {
            (V::Int(one), V::Int(two)) => return whole(op, *one, *two),
            (V::List(one), V::List(two)) if op == Op::Add => {
                let mut items = one.read(<[V]>::to_vec);
                items.extend(two.read(<[V]>::to_vec));
                self.step(items.len())?;
                return List::of(items);
            }
            (V::List(list), V::Int(times)) if op == Op::Mul => {
                let items = list.read(<[V]>::to_vec);
                let times = usize::try_from(*times).unwrap_or(0);
                self.step(items.len().checked_mul(times).ok_or(Leave(&"a large list"))?)?;
                let all = (0..times).flat_map(|_| items.iter().cloned()).collect();
                return List::of(all);
            }
            (V::Tuple(_) | V::Pair(..), V::Tuple(_) | V::Pair(..)) if op == Op::Add => {
                let mut items = one.parts().unwrap_or_default();
                items.extend(two.parts().unwrap_or_default());
                self.step(items.len())?;
                return V::tuple(items);
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

pub(super) fn index(at: i64, length: usize) -> Quick<usize> {
    let at = if at < 0 { at.saturating_add(length as i64) } else { at };
    let at = usize::try_from(at).map_err(|_| Leave(&"an index that is not there"))?;
    if at < length { Ok(at) } else { Err(Leave(&"an index that is not there")) }
}

pub(super) fn whole(op: Op, one: i64, two: i64) -> Quick<V> {
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
            // Pythons do not agree whether nothing divided by less than nothing has a sign.
            let quotient =
                one.zip(two).filter(|(one, two)| *two != 0.0 && *one != 0.0).map(|(one, two)| one / two);
            return quotient.map(V::Float).ok_or(Leave(&"a division"));
        }
    };
    number.map(V::Int).ok_or(Leave(&"a number"))
}
