//! Expressions of the quick path and their values.

use std::rc::Rc;

use super::code::{Def, Expr, Gather, MemberName, Source, Turn};
use super::run::{Frame, Run};
use super::value::{Built, Function, Leave, List, Quick, V, Wide, depth_of};

impl Run<'_> {
    #[inline]
    pub(super) fn expr(&self, f: &mut Frame<'_>, expr: &Expr) -> Quick<V> {
        match expr {
            Expr::Const(value) => Ok(value.clone()),
            Expr::Local(slot) => local(f, *slot).cloned(),
            Expr::Method(of, member, args) => match &**of {
                Expr::Jbq => self.method(f, &V::Jbq, member, args),
                Expr::Local(slot) if matches!(member.known, MemberName::Append) => {
                    let of = local(f, *slot)?.clone();
                    self.method(f, &of, member, args)
                }
                of => {
                    let of = self.expr(f, of)?;
                    self.method(f, &of, member, args)
                }
            },
            Expr::Member(of, member) => match &**of {
                Expr::Local(slot) => self.member(local(f, *slot)?, member),
                of => {
                    let of = self.expr(f, of)?;
                    self.member(&of, member)
                }
            },
            other => self.other(f, other),
        }
    }

    #[inline(never)]
    pub(super) fn other(&self, f: &mut Frame<'_>, expr: &Expr) -> Quick<V> {
        Ok(match expr {
            Expr::Const(_) | Expr::Local(_) | Expr::Method(..) | Expr::Member(..) => self.expr(f, expr)?,
            Expr::Cell(slot) => match &f.slots[usize::from(*slot)] {
                V::Shared(shared) => bound(&shared.borrow())?,
                _ => return Err(Leave(&"a shared name")),
            },
            Expr::Free(place) => bound(&f.frees[usize::from(*place)].borrow())?,
            Expr::Jbq => V::Jbq,
            Expr::Global(place) => self.world.global(f.home.file, *place, self.vm)?,
            Expr::Call(function, args) => {
                let function = self.expr(f, function)?;
                let args = self.args(f, args)?;
                self.call(&function, args)?
            }
            Expr::Binary(op, one, two) => {
                let (one, two) = (self.expr(f, one)?, self.expr(f, two)?);
                self.binary(*op, &one, &two)?
            }
            Expr::Not(inner) => V::Bool(Wide(!self.test(f, inner)?)),
            Expr::Minus(inner) => match self.expr(f, inner)? {
                V::Int(number) => V::Int(number.checked_neg().ok_or(Leave(&"a large number"))?),
                V::Float(number) => V::Float(-number),
                _ => return Err(Leave(&"minus")),
            },
            Expr::And(all) => self.first(f, all, false)?,
            Expr::Or(all) => self.first(f, all, true)?,
            Expr::Compare(_) => V::Bool(Wide(self.test(f, expr)?)),
            Expr::Chain(first, rest) => {
                let mut one = self.expr(f, first)?;
                for (cmp, two) in rest {
                    let two = self.expr(f, two)?;
                    if !self.compare(&one, *cmp, &two)? {
                        return Ok(V::Bool(Wide(false)));
                    }
                    one = two;
                }
                V::Bool(Wide(true))
            }
            Expr::Choose(choice) => {
                let (test, yes, no) = &**choice;
                if self.test(f, test)? { self.expr(f, yes)? } else { self.expr(f, no)? }
            }
            Expr::Item(of, at) => {
                let (of, at) = (self.expr(f, of)?, self.expr(f, at)?);
                self.item(&of, &at)?
            }
            Expr::Slice(of, parts) => {
                let of = self.expr(f, of)?;
                let mut bounds = [None; 3];
                for (bound, part) in bounds.iter_mut().zip(parts.iter()) {
                    *bound = match part.as_ref().map(|part| self.expr(f, part)).transpose()? {
                        None | Some(V::None) => None,
                        Some(V::Int(number)) => Some(number),
                        Some(_) => return Err(Leave(&"a slice")),
                    };
                }
                self.slice(&of, bounds)?
            }
            Expr::Tuple(parts) => match &parts[..] {
                [one, two] => pair(self.expr(f, one)?, self.expr(f, two)?)?,
                parts => V::tuple(self.args(f, parts)?)?,
            },
            Expr::List(parts) => List::of(self.args(f, parts)?)?,
            Expr::Each(elt, turns, weight) => {
                let mut items = Vec::new();
                self.each(f, elt, turns, *weight, &mut |item| {
                    items.push(item);
                    Ok(true)
                })?;
                List::of(items)?
            }
            Expr::Gather(gather) => self.gather(f, gather)?,
            Expr::Function(def) => self.function(f, def)?,
            Expr::Leave(why) => return Err(Leave(why)),
        })
    }

    pub(super) fn function(&self, f: &mut Frame<'_>, def: &Rc<Def>) -> Quick<V> {
        let defaults = self.args(f, &def.defaults)?;
        let frees = def.frees.iter().map(|(_, source)| match source {
            Source::Cell(slot) => match &f.slots[usize::from(*slot)] {
                V::Shared(shared) => Ok(Rc::clone(shared)),
                _ => Err(Leave(&"a shared name")),
            },
            Source::Free(place) => Ok(Rc::clone(&f.frees[usize::from(*place)])),
        });
        let frees = frees.collect::<Quick<_>>()?;
        let home = Rc::clone(f.home);
        let depth = depth_of(&defaults)?;
        Ok(V::Function(Rc::new(Function { def: Rc::clone(def), defaults, frees, home, depth })))
    }

    pub(super) fn args(&self, f: &mut Frame<'_>, args: &[Expr]) -> Quick<Vec<V>> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.expr(f, arg)?);
        }
        Ok(values)
    }

    /// Returns the first value whose truth is the wanted one, or the last.
    pub(super) fn first(&self, f: &mut Frame<'_>, all: &[Expr], wanted: bool) -> Quick<V> {
        let mut last = V::None;
        for one in all {
            last = self.expr(f, one)?;
            if self.truth(&last)? == wanted {
                break;
            }
        }
        Ok(last)
    }

    /// Iterates a comprehension until `each` returns false. Returns true if it never did.
    pub(super) fn each(
        &self,
        f: &mut Frame<'_>,
        elt: &Expr,
        turns: &[Turn],
        weight: usize,
        each: &mut dyn FnMut(V) -> Quick<bool>,
    ) -> Quick<bool> {
        let Some((turn, rest)) = turns.split_first() else {
            let item = self.expr(f, elt)?;
            return each(item);
        };
        let mut walk = self.walk(&self.expr(f, &turn.over)?)?;
        'items: while self.turn(f, &turn.target, &mut walk)? {
            self.step(weight)?;
            for test in &turn.ifs {
                if !self.test(f, test)? {
                    continue 'items;
                }
            }
            if !self.each(f, elt, rest, weight, each)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A built-in function of a generator, item by item: it asks for no more than it needs.
    fn gather(&self, f: &mut Frame<'_>, gather: &Gather) -> Quick<V> {
        let Gather { function, built, elt, turns, weight } = gather;
        match self.expr(f, function)? {
            V::Built(Wide(found)) if found == *built => {}
            _ => return Err(Leave(&"a generator")),
        }
        if let Built::Any | Built::All = built {
            let wanted = *built == Built::Any;
            let whole = self.each(f, elt, turns, *weight, &mut |item| Ok(self.truth(&item)? != wanted))?;
            return Ok(V::Bool(Wide(whole != wanted)));
        }
        let mut items = Vec::new();
        self.each(f, elt, turns, *weight, &mut |item| {
            items.push(item);
            Ok(true)
        })?;
        self.built(*built, vec![List::of(items)?])
    }
}

/// A local, where it is bound.
#[inline]
pub(super) fn local<'f>(f: &'f Frame<'_>, slot: u16) -> Quick<&'f V> {
    match &f.slots[usize::from(slot)] {
        V::Unbound => Err(Leave(&"a local that is not bound")),
        value => Ok(value),
    }
}

/// A whole number that stands there already.
#[inline]
pub(super) fn known_int(f: &Frame<'_>, expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Local(slot) => match f.slots[usize::from(*slot)] {
            V::Int(number) => Some(number),
            _ => None,
        },
        Expr::Const(V::Int(number)) => Some(*number),
        _ => None,
    }
}

pub(super) fn bound(value: &V) -> Quick<V> {
    match value {
        V::Unbound => Err(Leave(&"a name that is not bound")),
        value => Ok(value.clone()),
    }
}

pub(super) fn pair(one: V, two: V) -> Quick<V> {
    if let (V::Int(row), V::Int(col)) = (&one, &two)
        && let (Ok(row), Ok(col)) = (i32::try_from(*row), i32::try_from(*col))
    {
        return Ok(V::Pair(Wide((row, col))));
    }
    V::tuple(vec![one, two])
}
