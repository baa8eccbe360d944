//! Methods, what is built in, and what the game tells.

use std::rc::Rc;

use jingbanqi::live::Handle;
use kernel::Side;
use rustpython_vm::{AsObject, PyObjectRef, VirtualMachine};

use super::super::queries;
use super::code::{Expr, Member, MemberName, Op};
use super::link::Linked;
use super::operate::index;
use super::run::{Frame, Run};
use super::value::{Built, Leave, List, Once, Quick, Through, V, Wide};

impl Run<'_> {
    pub(super) fn method(&self, f: &mut Frame<'_>, of: &V, member: &Member, args: &[Expr]) -> Quick<V> {
        match (of, member.known, args) {
            (V::Jbq, MemberName::GetChessByArr, [at]) => {
                let at = self.expr(f, at)?;
                Ok(self.chess(&at)?.map_or(V::None, |piece| V::Piece(Wide(piece))))
            }
            (V::Jbq, MemberName::GetArrByRd, [at, direction, far]) => {
                let at = self.expr(f, at)?;
                match (self.expr(f, direction)?, self.expr(f, far)?) {
                    (V::Int(direction), V::Int(far)) => {
                        Ok(self.away(&at, direction, far)?.map_or(V::None, |to| V::Pair(Wide(to))))
                    }
                    _ => Err(Leave(&"a direction")),
                }
            }
            (V::Jbq, MemberName::GetChessArrById, [id]) => {
                let V::Int(id) = self.expr(f, id)? else { return Err(Leave(&"an id")) };
                self.looked.all.set(true);
                Ok(self.game.single(id).map_or(V::None, |at| self.point(at)))
            }
            (V::Jbq, MemberName::CanEat, [one, two]) => match (self.expr(f, one)?, self.expr(f, two)?) {
                (V::Piece(Wide(one)), V::Piece(Wide(two))) => Ok(V::Bool(Wide(self.game.takes(one, two)))),
                _ => Err(Leave(&"can_eat of no piece")),
            },
            (V::List(list), MemberName::Append, [item]) => {
                let item = self.expr(f, item)?;
                list.admit(&item)?;
                list.write(|items| items.push(item))?;
                Ok(V::None)
            }
            (V::Attr(Wide(piece)), MemberName::Get, [key]) => {
                let key = self.expr(f, key)?;
                Ok(self.attribute(*piece, &key)?.unwrap_or(V::None))
            }
            (V::Attr(Wide(piece)), MemberName::Get, [key, otherwise]) => {
                let (key, otherwise) = (self.expr(f, key)?, self.expr(f, otherwise)?);
                Ok(self.attribute(*piece, &key)?.unwrap_or(otherwise))
            }
            _ => {
                let args = self.args(f, args)?;
                self.other_method(of, member, args)
            }
        }
    }

    pub(super) fn other_method(&self, of: &V, member: &Member, args: Vec<V>) -> Quick<V> {
        match of {
            V::List(list) => self.list_method(list, member.known, args),
            V::Jbq => self.query(member.name.as_str(), &args),
            V::Object(object) => match (member.known, &args[..]) {
                (MemberName::Get, [key]) if is_dict(object, self.vm) => {
                    Ok(self.world.item(object, key, self.vm)?.unwrap_or(V::None))
                }
                (MemberName::Get, [key, otherwise]) if is_dict(object, self.vm) => {
                    Ok(self.world.item(object, key, self.vm)?.unwrap_or_else(|| otherwise.clone()))
                }
                _ => {
                    let function = self.world.member(object, member.name, self.vm)?;
                    self.call(&function, args)
                }
            },
            _ => Err(Leave(&"a method")),
        }
    }

    /// Answers a question that `JBQ` has at level 2. What changes the game, asks hooks or gives sets and dictionaries is
    /// left to the interpreter.
    fn query(&self, name: &str, args: &[V]) -> Quick<V> {
        let live = &self.game.live;
        if !live.is_second() {
            return Err(Leave(&"a method"));
        }
        self.looked.everything();
        let square = |arr: &V| -> Quick<u16> {
            let (row, col) = self.pair_of(arr)?;
            queries::square_at(self.game, row, col).ok_or(Leave(&"a square that is not there"))
        };
        let list = |squares: Vec<u16>| -> Quick<V> {
            self.step(squares.len())?;
            List::of(squares.into_iter().map(|at| self.point(at)).collect())
        };
        let area = |zone: &V| match zone {
            V::Str(name) => live.zone(&name.to_string_lossy()).ok_or(Leave(&"a zone that is not there")),
            _ => Err(Leave(&"a zone")),
        };
        let side = |side: &V| match side {
            V::Int(1) => Ok(Side::First),
            V::Int(2) => Ok(Side::Second),
            _ => Err(Leave(&"a side")),
        };
        match (name, args) {
            ("piece", [at]) => Ok(live.at(square(at)?).map_or(V::None, |piece| V::Piece(Wide(piece)))),
            ("pieces", args @ ([] | [_] | [_, _])) => {
                let of = match args.first() {
                    None | Some(V::None) => None,
                    Some(V::Int(side)) => Some(*side),
                    Some(_) => return Err(Leave(&"a side")),
                };
                let name = match args.get(1) {
                    None | Some(V::None) => None,
                    Some(V::Str(name)) => Some(name.to_string_lossy()),
                    Some(_) => return Err(Leave(&"a name")),
                };
                let standing = live.standing();
                self.step(standing.len())?;
                let wanted = standing
                    .into_iter()
                    .filter(|&(_, piece)| queries::is_wanted(self.game, piece, of, name.as_deref()));
                let pair = |(at, piece): (u16, Handle)| V::tuple(vec![self.point(at), V::Piece(Wide(piece))]);
                List::of(wanted.map(pair).collect::<Quick<_>>()?)
            }
            ("line", [at, V::Int(direction)]) => {
                list(live.line(square(at)?, *direction).ok_or(Leave(&"a direction"))?)
            }
            ("around", [at]) => list(live.around(square(at)?)),
            ("near", [at, V::Int(steps)]) => list(live.near(square(at)?, *steps)),
            ("dist", [one, other]) => Ok(V::Int(live.distance(square(one)?, square(other)?).into())),
            ("zone", [name]) => list(area(name)?),
            ("group", [at]) => list(live.group(square(at)?).0),
            ("joined", [of, one, other]) => {
                Ok(V::Bool(Wide(live.joined(side(of)?, &area(one)?, &area(other)?))))
            }
            ("score", [of]) => Ok(V::Int(live.add_score(side(of)?, 0))),
            _ => Err(Leave(&"a method")),
        }
    }

    pub(super) fn list_method(&self, list: &Rc<List>, known: MemberName, mut args: Vec<V>) -> Quick<V> {
        let length = list.read(<[V]>::len);
        self.step(length)?;
        let find = |wanted: &V| -> Quick<Option<usize>> {
            for (at, item) in list.read(<[V]>::to_vec).iter().enumerate() {
                if self.alike(item, wanted)? {
                    return Ok(Some(at));
                }
            }
            Ok(None)
        };
        Ok(match (known, args.len()) {
            (MemberName::Extend, 1) => {
                // Python appends while it goes on, and a list that goes through itself has no end.
                if let V::Through(_) = args[0] {
                    return Err(Leave(&"a list that takes in what is counted"));
                }
                let items = self.all(&args[0])?;
                items.iter().try_for_each(|item| list.admit(item))?;
                list.write(|list| list.extend(items))?;
                V::None
            }
            (MemberName::Insert, 2) => {
                let (Some(item), Some(V::Int(at))) = (args.pop(), args.pop()) else {
                    return Err(Leave(&"insert"));
                };
                let at =
                    if at < 0 { (at + length as i64).max(0) as usize } else { (at as usize).min(length) };
                list.admit(&item)?;
                list.write(|items| items.insert(at, item))?;
                V::None
            }
            (MemberName::Pop, 0 | 1) => {
                let at = match args.first() {
                    None => -1,
                    Some(V::Int(at)) => *at,
                    Some(_) => return Err(Leave(&"pop")),
                };
                let at = index(at, length)?;
                list.write(|items| items.remove(at))?
            }
            (MemberName::Remove, 1) => {
                let at = find(&args[0])?.ok_or(Leave(&"remove"))?;
                list.write(|items| items.remove(at))?;
                V::None
            }
            (MemberName::Index, 1) => V::Int(find(&args[0])?.ok_or(Leave(&"index"))? as i64),
            (MemberName::Count, 1) => {
                let mut count = 0;
                for item in list.read(<[V]>::to_vec) {
                    count += i64::from(self.alike(&item, &args[0])?);
                }
                V::Int(count)
            }
            (MemberName::Copy, 0) => List::of(list.read(<[V]>::to_vec))?,
            (MemberName::Reverse, 0) => {
                list.write(|items| items.reverse())?;
                V::None
            }
            (MemberName::Clear, 0) => {
                list.write(Vec::clear)?;
                V::None
            }
            _ => return Err(Leave(&"a method of a list")),
        })
    }

    /// All that can be gone through, at once.
    pub(super) fn all(&self, over: &V) -> Quick<Vec<V>> {
        let mut walk = self.walk(over)?;
        let mut items = Vec::new();
        while let Some(item) = walk.next()? {
            self.step(1)?;
            items.push(item);
        }
        Ok(items)
    }

    pub(super) fn built(&self, built: Built, args: Vec<V>) -> Quick<V> {
        Ok(match (built, &args[..]) {
            (Built::Print, args) => {
                if self.game.prints() || !self.are_plain(args)? {
                    return Err(Leave(&"a print"));
                }
                V::None
            }
            (Built::Len, [of]) => V::Int(self.length(of)? as i64),
            (Built::Range, [V::Int(stop)]) => V::Range(Rc::new([0, *stop, 1])),
            (Built::Range, [V::Int(start), V::Int(stop)]) => V::Range(Rc::new([*start, *stop, 1])),
            (Built::Range, [V::Int(start), V::Int(stop), V::Int(step)]) if *step != 0 => {
                V::Range(Rc::new([*start, *stop, *step]))
            }
            (Built::Enumerate, [of] | [of, V::Int(_)]) => {
                self.goes(of)?;
                let start = if let Some(V::Int(start)) = args.get(1) { *start } else { 0 };
                Once::of(Through::Enumerate(of.clone(), start))?
            }
            (Built::Zip, [_, ..]) => {
                args.iter().try_for_each(|of| self.goes(of))?;
                Once::of(Through::Zip(args))?
            }
            (Built::Reversed, [of @ (V::List(_) | V::Pair(..) | V::Tuple(_) | V::Range(_))]) => {
                Once::of(Through::Reversed(of.clone(), self.length(of)?))?
            }
            (Built::Abs, [V::Int(number)]) => V::Int(number.checked_abs().ok_or(Leave(&"a large number"))?),
            (Built::Abs, [V::Float(number)]) => V::Float(number.abs()),
            (Built::Min, [of]) => self.extreme(&self.all(of)?, false)?,
            (Built::Max, [of]) => self.extreme(&self.all(of)?, true)?,
            (Built::Min, [_, _, ..]) => self.extreme(&args, false)?,
            (Built::Max, [_, _, ..]) => self.extreme(&args, true)?,
            (Built::Sum, [of]) => {
                let mut sum = V::Int(0);
                for item in self.all(of)? {
                    // How the sum of floats is rounded has changed from one Python to the next.
                    if let V::Float(_) = item {
                        return Err(Leave(&"a sum of floats"));
                    }
                    sum = self.binary(Op::Add, &sum, &item)?;
                }
                sum
            }
            (Built::Any | Built::All, [of]) => {
                let wanted = built == Built::Any;
                let mut found = !wanted;
                for item in self.all(of)? {
                    if self.truth(&item)? == wanted {
                        found = wanted;
                        break;
                    }
                }
                V::Bool(Wide(found))
            }
            (Built::List | Built::ListOf, []) => List::of(Vec::new())?,
            (Built::List | Built::ListOf, [of]) => List::of(self.all(of)?)?,
            (Built::Tuple | Built::TupleOf, []) => V::tuple(Vec::new())?,
            (Built::Tuple | Built::TupleOf, [of]) => V::tuple(self.all(of)?)?,
            (Built::Int, [V::Int(number)]) => V::Int(*number),
            (Built::Int, [V::Bool(Wide(set))]) => V::Int(i64::from(*set)),
            (Built::Int, [V::Float(number)]) if number.abs() < 1e15 => V::Int(*number as i64),
            (Built::Bool, [of]) => V::Bool(Wide(self.truth(of)?)),
            (Built::Eval, [V::Str(text)]) => {
                let literal = self.world.literal(text, self.vm)?;
                let nobody =
                    Rc::new(Linked { def: Rc::default(), file: 0, defaults: Vec::new(), frees: Vec::new() });
                let mut frame = Frame { slots: Vec::new(), frees: &[], home: &nobody, returns: V::None };
                self.expr(&mut frame, &literal)?
            }
            _ => return Err(Leave(&"a call of what is built in")),
        })
    }

    /// Returns true if neither those values nor their contents include an object of the extension's own: printing
    /// such an object may run its code.
    fn are_plain(&self, values: &[V]) -> Quick<bool> {
        self.step(values.len())?;
        for value in values {
            let plain = match value {
                V::Object(_) | V::Attr(_) | V::Linked(_) => false,
                V::Tuple(items) => self.are_plain(items)?,
                V::List(list) => self.are_plain(&list.read(<[V]>::to_vec))?,
                _ => true,
            };
            if !plain {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn extreme(&self, items: &[V], most: bool) -> Quick<V> {
        let (first, rest) = items.split_first().ok_or(Leave(&"the extreme of nothing"))?;
        let mut best = first;
        for item in rest {
            let better = if most { self.less(best, item)? } else { self.less(item, best)? };
            if better {
                best = item;
            }
        }
        Ok(best.clone())
    }

    // What the game tells.

    pub(super) fn point(&self, at: u16) -> V {
        V::Pair(Wide((i32::from(at / self.cols), i32::from(at % self.cols))))
    }

    /// Row and column.
    pub(super) fn pair_of(&self, at: &V) -> Quick<(i64, i64)> {
        match at {
            V::Pair(Wide((row, col))) => Ok((i64::from(*row), i64::from(*col))),
            V::List(list) => list.read(|items| match items {
                [V::Int(row), V::Int(col), ..] => Ok((*row, *col)),
                _ => Err(Leave(&"a square")),
            }),
            _ => Err(Leave(&"a square")),
        }
    }

    #[inline]
    pub(super) fn chess(&self, at: &V) -> Quick<Option<Handle>> {
        let (row, col) = self.pair_of(at)?;
        let within = |index: i64, length: u16| {
            let index = if index < 0 { index + i64::from(length) } else { index };
            (0..i64::from(length)).contains(&index).then_some(index as u16)
        };
        let square = within(row, self.rows).zip(within(col, self.cols));
        let (row, col) = square.ok_or(Leave(&"a square that is not there"))?;
        let at = row * self.cols + col;
        self.looked.at(at);
        Ok(self.game.at(at))
    }

    #[inline]
    pub(super) fn away(&self, at: &V, direction: i64, far: i64) -> Quick<Option<(i32, i32)>> {
        let (row, col) = self.pair_of(at)?;
        let direction = usize::try_from(direction).ok().and_then(|d| d.checked_sub(1));
        let step = direction.and_then(|d| jingbanqi::rule::STEPS.get(d));
        let &(down, right) = step.ok_or(Leave(&"a direction"))?;
        let row = i64::from(down).checked_mul(far).and_then(|step| step.checked_add(row));
        let col = i64::from(right).checked_mul(far).and_then(|step| step.checked_add(col));
        let to = row.zip(col).filter(|&(row, col)| {
            (0..i64::from(self.rows)).contains(&row) && (0..i64::from(self.cols)).contains(&col)
        });
        Ok(to.map(|(row, col)| (row as i32, col as i32)))
    }

    /// An attribute of a piece; `None`: it has none of that name.
    pub(super) fn attribute(&self, piece: Handle, key: &V) -> Quick<Option<V>> {
        self.world.entry(&self.game.attributes_now(piece), key, self.vm)
    }

    pub(super) fn member(&self, of: &V, member: &Member) -> Quick<V> {
        let live = &self.game.live;
        // A piece that an extension remembered may promote or move on squares that were not looked at.
        if let (V::Piece(Wide(piece)), MemberName::IsTran | MemberName::NowMove) = (of, member.known) {
            match live.piece(*piece).at {
                Some(at) => self.looked.at(at),
                None => self.looked.everything(),
            }
        }
        Ok(match (of, member.known) {
            (V::Jbq, MemberName::Rl) => V::Int(i64::from(live.book().map().rows)),
            (V::Jbq, MemberName::Cl) => V::Int(i64::from(live.book().map().cols)),
            (V::Jbq, MemberName::Turn) => {
                self.looked.turn.set(true);
                V::Int(live.said_turn())
            }
            (V::Jbq, MemberName::Other) if live.is_second() => {
                self.looked.everything();
                match member.name.as_str() {
                    "captured" => {
                        List::of(live.captured().into_iter().map(|piece| V::Piece(Wide(piece))).collect())?
                    }
                    "choice" => {
                        let choice = live.choice();
                        choice.map_or(V::None, |text| V::Str(self.vm.ctx.new_str(&*text)))
                    }
                    "step" => V::Int(live.step().into()),
                    "ply" => V::Int(live.ply().into()),
                    _ => return Err(Leave(&"a member")),
                }
            }
            (V::Piece(Wide(piece)), MemberName::Name) => {
                let name = self.game.name(*piece);
                self.world.value(&name, self.vm)?
            }
            (V::Piece(Wide(piece)), MemberName::Belong) => {
                V::Int(live.piece(*piece).owner.map_or(3, |side| side.index() as i64 + 1))
            }
            (V::Piece(Wide(piece)), MemberName::Id) => V::Int(i64::from(live.piece(*piece).id)),
            (V::Piece(Wide(piece)), MemberName::IsCaptain) => V::Bool(Wide(live.piece(*piece).captain)),
            (V::Piece(Wide(piece)), MemberName::IsTran) => V::Bool(Wide(live.piece(*piece).promoted)),
            (V::Piece(Wide(piece)), MemberName::Attr) => V::Attr(Wide(*piece)),
            (V::Piece(Wide(piece)), MemberName::NowMove) => self.now(*piece)?,
            (V::Object(object), _) => self.world.member(object, member.name, self.vm)?,
            _ => return Err(Leave(&"a member")),
        })
    }

    // What values are to each other.
}

pub(super) fn is_dict(object: &PyObjectRef, vm: &VirtualMachine) -> bool {
    object.class().is(vm.ctx.types.dict_type)
}
