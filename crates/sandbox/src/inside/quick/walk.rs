//! Going through values.

use std::rc::Rc;

use super::run::Run;
use super::value::{Leave, List, Quick, Through, V};

/// The position in a value that is iterated.
pub(super) enum Walk {
    /// A list and the next index. It is read at each step, since it may change.
    List(Rc<List>, usize),
    Range(i64, i64, i64),
    Items(std::vec::IntoIter<V>),
    Count(Box<Walk>, i64),
    Zip(Vec<Walk>),
    /// A list in reverse, with the number of items still to come.
    Back(Rc<List>, usize),
}

/// Returns the number of items of a range.
pub(super) fn steps(range: &[i64; 3]) -> Quick<usize> {
    let [start, stop, step] = *range;
    let (low, high) = if step > 0 { (start, stop) } else { (stop, start) };
    let far = high.checked_sub(low).ok_or(Leave(&"a large range"))?;
    let stride = step.checked_abs().ok_or(Leave(&"a large range"))?;
    Ok(if far <= 0 { 0 } else { ((far - 1) / stride + 1) as usize })
}

impl Run<'_> {
    /// Checks that a value can be iterated; one that would raise is left to the interpreter.
    pub(super) fn goes(&self, over: &V) -> Quick<()> {
        match over {
            V::List(_) | V::Pair(..) | V::Tuple(_) | V::Range(_) | V::Through(_) => Ok(()),
            V::Object(object) => self.world.length(object, self.vm).map(drop),
            _ => Err(Leave(&"what is gone through")),
        }
    }

    /// Begins to go through a value.
    pub(super) fn walk(&self, over: &V) -> Quick<Walk> {
        Ok(match over {
            V::List(list) => Walk::List(Rc::clone(list), 0),
            V::Range(range) => Walk::Range(range[0], range[1], range[2]),
            V::Pair(..) | V::Tuple(_) => Walk::Items(over.parts().unwrap_or_default().into_iter()),
            V::Object(object) => Walk::Items(self.world.items(object, self.vm)?.into_iter()),
            // Going on where one has stopped is rare.
            V::Through(once) if once.begun.replace(true) => return Err(Leave(&"what is gone through twice")),
            V::Through(once) => match &once.of {
                Through::Enumerate(over, start) => Walk::Count(Box::new(self.walk(over)?), *start),
                Through::Zip(all) => Walk::Zip(all.iter().map(|over| self.walk(over)).collect::<Quick<_>>()?),
                // It begins where the list ended when it was made.
                Through::Reversed(V::List(list), length) => Walk::Back(Rc::clone(list), *length),
                Through::Reversed(over, _) => {
                    self.step(self.length(over)?)?;
                    let mut items = self.all(over)?;
                    items.reverse();
                    Walk::Items(items.into_iter())
                }
            },
            _ => return Err(Leave(&"what is gone through")),
        })
    }
}

impl Walk {
    /// The next item.
    pub(super) fn next(&mut self) -> Quick<Option<V>> {
        Ok(match self {
            Walk::List(list, at) => {
                *at += 1;
                list.read(|items| items.get(*at - 1).cloned())
            }
            Walk::Range(at, stop, step) => {
                let more = if *step > 0 { *at < *stop } else { *at > *stop };
                if !more {
                    return Ok(None);
                }
                let now = *at;
                *at = at.saturating_add(*step);
                Some(V::Int(now))
            }
            Walk::Items(items) => items.next(),
            Walk::Count(walk, number) => match walk.next()? {
                Some(item) => {
                    let now = *number;
                    *number = now.checked_add(1).ok_or(Leave(&"a large number"))?;
                    Some(V::tuple(vec![V::Int(now), item])?)
                }
                None => None,
            },
            Walk::Zip(walks) => {
                let mut items = Vec::with_capacity(walks.len());
                for walk in walks {
                    match walk.next()? {
                        Some(item) => items.push(item),
                        None => return Ok(None),
                    }
                }
                Some(V::tuple(items)?)
            }
            Walk::Back(list, left) => {
                if *left == 0 {
                    return Ok(None);
                }
                *left -= 1;
                // A list that became shorter ends it.
                list.read(|items| items.get(*left).cloned())
            }
        })
    }
}
