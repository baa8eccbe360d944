//! Compiler of expressions for the quick path.

use rustpython_vm::compiler::ast;

use super::code::{Cmp, Expr, Gather, Member, MemberName, Op, Stmt, Target, Turn};
use super::compile::{Maker, TurnName};
use super::value::{Built, V, Wide};

impl Maker<'_> {
    pub(super) fn exprs(&mut self, exprs: &[ast::Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    pub(super) fn boxed(&mut self, expr: &ast::Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    /// Compiles an expression that is iterated once: a list display may be compiled as a tuple there.
    pub(super) fn through(&mut self, expr: &ast::Expr) -> Expr {
        match expr {
            ast::Expr::List(many) => constant(self.exprs(&many.elts)).unwrap_or_else(Expr::List),
            ast::Expr::Tuple(many) => constant(self.exprs(&many.elts)).unwrap_or_else(Expr::Tuple),
            other => self.expr(other),
        }
    }

    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Expr {
        self.weight += 1;
        match expr {
            ast::Expr::NoneLiteral(_) => Expr::Const(V::None),
            ast::Expr::BooleanLiteral(literal) => Expr::Const(V::Bool(Wide(literal.value))),
            ast::Expr::NumberLiteral(literal) => match &literal.value {
                ast::Number::Int(int) => {
                    int.as_i64().map_or(Expr::Leave(&"a number"), |int| Expr::Const(V::Int(int)))
                }
                ast::Number::Float(float) => Expr::Const(V::Float(*float)),
                ast::Number::Complex { .. } => Expr::Leave(&"a number"),
            },
            // What is no character stands there as this one, and only the interpreter looks up which it was.
            ast::Expr::StringLiteral(literal)
                if literal.value.to_str().contains(char::REPLACEMENT_CHARACTER) =>
            {
                Expr::Leave(&"a text")
            }
            ast::Expr::StringLiteral(literal) => {
                Expr::Const(V::Str(self.vm.ctx.intern_str(literal.value.to_str()).to_owned()))
            }
            ast::Expr::Name(name) => self.name(name.id.as_str()),
            ast::Expr::Attribute(of) => {
                let member = self.member(of.attr.as_str());
                match member {
                    Some(member) => Expr::Member(self.boxed(&of.value), member),
                    None => Expr::Leave(&"a private name"),
                }
            }
            ast::Expr::Call(call) => self.call(call),
            ast::Expr::BinOp(two) => match op(two.op) {
                Some(op) => Expr::Binary(op, self.boxed(&two.left), self.boxed(&two.right)),
                None => Expr::Leave(&"an operation"),
            },
            ast::Expr::UnaryOp(one) => match one.op {
                ast::UnaryOp::Not => Expr::Not(self.boxed(&one.operand)),
                ast::UnaryOp::USub => Expr::Minus(self.boxed(&one.operand)),
                ast::UnaryOp::UAdd | ast::UnaryOp::Invert => Expr::Leave(&"an operation"),
            },
            ast::Expr::BoolOp(all) => {
                let values = self.exprs(&all.values);
                if all.op == ast::BoolOp::And { Expr::And(values) } else { Expr::Or(values) }
            }
            ast::Expr::Compare(compare) => self.compare(compare),
            ast::Expr::If(choice) => Expr::Choose(Box::new((
                self.expr(&choice.test),
                self.expr(&choice.body),
                self.expr(&choice.orelse),
            ))),
            ast::Expr::Subscript(item) => match &*item.slice {
                ast::Expr::Slice(slice) => {
                    let parts = [&slice.lower, &slice.upper, &slice.step];
                    let parts = parts.map(|part| part.as_ref().map(|part| self.expr(part)));
                    Expr::Slice(self.boxed(&item.value), Box::new(parts))
                }
                at => Expr::Item(self.boxed(&item.value), self.boxed(at)),
            },
            ast::Expr::Tuple(many) => Expr::Tuple(self.exprs(&many.elts)),
            ast::Expr::List(many) => Expr::List(self.exprs(&many.elts)),
            ast::Expr::ListComp(each) => self.each(&each.elt, &each.generators),
            ast::Expr::Lambda(lambda) => {
                if self.scopes.last().is_some_and(|scope| !scope.turns.is_empty()) {
                    return Expr::Leave(&"a function in a comprehension");
                }
                self.lambda(lambda).map_or(Expr::Leave(&"a function"), Expr::Function)
            }
            _ => Expr::Leave(&"an expression"),
        }
    }

    pub(super) fn member(&self, name: &str) -> Option<Member> {
        if self.class > 0 && is_private(name) {
            return None;
        }
        Some(Member { known: MemberName::of(name), name: self.vm.ctx.intern_str(name) })
    }

    pub(super) fn call(&mut self, call: &ast::ExprCall) -> Expr {
        let starred = call.arguments.args.iter().any(ast::Expr::is_starred_expr);
        if starred || !call.arguments.keywords.is_empty() {
            return Expr::Leave(&"a call by names");
        }
        if let [ast::Expr::Generator(each)] = &*call.arguments.args
            && let Some((function, built)) = self.greedy(&call.func)
        {
            return match self.each(&each.elt, &each.generators) {
                Expr::Each(elt, turns, weight) => {
                    Expr::Gather(Box::new(Gather { function, built, elt: *elt, turns, weight }))
                }
                other => other,
            };
        }
        let args = self.exprs(&call.arguments.args);
        match &*call.func {
            ast::Expr::Attribute(of) => match self.member(of.attr.as_str()) {
                Some(member) => Expr::Method(self.boxed(&of.value), member, args),
                None => Expr::Leave(&"a private name"),
            },
            function => Expr::Call(self.boxed(function), args),
        }
    }

    /// A built-in function that goes through a generator at once, by its name.
    fn greedy(&mut self, function: &ast::Expr) -> Option<(Expr, Built)> {
        let ast::Expr::Name(name) = function else { return None };
        let built = match name.id.as_str() {
            "any" => Built::Any,
            "all" => Built::All,
            "sum" => Built::Sum,
            "min" => Built::Min,
            "max" => Built::Max,
            "list" => Built::List,
            "tuple" => Built::Tuple,
            _ => return None,
        };
        match self.name(name.id.as_str()) {
            function @ Expr::Global(_) => Some((function, built)),
            _ => None,
        }
    }

    pub(super) fn compare(&mut self, compare: &ast::ExprCompare) -> Expr {
        let first = self.expr(&compare.left);
        // What stands in the middle of a chain is compared again, and must be what is written there.
        let last = compare.comparators.len() - 1;
        let mut rest: Vec<(Cmp, Expr)> = compare
            .ops
            .iter()
            .zip(&compare.comparators)
            .enumerate()
            .map(|(at, (&op, expr))| {
                let second = if at == last { self.second(op, expr) } else { self.expr(expr) };
                (cmp(op), second)
            })
            .collect();
        if rest.len() == 1
            && let Some((cmp, second)) = rest.pop()
        {
            return Expr::Compare(Box::new((first, cmp, second)));
        }
        Expr::Chain(Box::new(first), rest)
    }

    /// Compiles the second operand of a comparison.
    pub(super) fn second(&mut self, op: ast::CmpOp, expr: &ast::Expr) -> Expr {
        if matches!(op, ast::CmpOp::In | ast::CmpOp::NotIn) { self.through(expr) } else { self.expr(expr) }
    }

    pub(super) fn each(&mut self, elt: &ast::Expr, generators: &[ast::Comprehension]) -> Expr {
        let before = self.scopes.last().map_or(0, |scope| scope.turns.len());
        let weight = self.weight;
        let made = self.turns(generators, before).map(|turns| (self.expr(elt), turns));
        if let Some(scope) = self.scopes.last_mut() {
            scope.turns.truncate(before);
        }
        match made {
            Some((elt, turns)) => Expr::Each(Box::new(elt), turns, self.weight - weight + 1),
            None => Expr::Leave(&"a comprehension"),
        }
    }

    /// The loops of a comprehension; its names are those from `before` on.
    fn turns(&mut self, generators: &[ast::Comprehension], before: usize) -> Option<Vec<Turn>> {
        let (first, _) = generators.split_first()?;
        // What is gone through first is looked up around the comprehension; everything else inside, where all its names
        // are known from the beginning and bound one after the other.
        let mut over = Some(self.through(&first.iter));
        for generator in generators {
            self.declare(&generator.target, before)?;
        }
        let mut turns = Vec::with_capacity(generators.len());
        for generator in generators {
            if generator.is_async {
                return None;
            }
            let over = over.take().unwrap_or_else(|| self.through(&generator.iter));
            let target = self.turn(&generator.target, before)?;
            turns.push(Turn { target, over, ifs: self.exprs(&generator.ifs) });
        }
        Some(turns)
    }

    /// Fresh places for the names of a comprehension, not yet bound.
    fn declare(&mut self, target: &ast::Expr, before: usize) -> Option<()> {
        match target {
            ast::Expr::Name(name) => {
                let scope = self.scopes.last_mut()?;
                if scope.turns[before..].iter().all(|turn| turn.name != name.id.as_str()) {
                    let slot = scope.next;
                    scope.next = slot.checked_add(1)?;
                    scope.turns.push(TurnName { name: name.id.as_str().to_owned(), slot, bound: false });
                }
                Some(())
            }
            ast::Expr::Tuple(many) => many.elts.iter().try_for_each(|one| self.declare(one, before)),
            _ => None,
        }
    }

    /// Binds the names of a loop.
    fn turn(&mut self, target: &ast::Expr, before: usize) -> Option<Target> {
        match target {
            ast::Expr::Name(name) => {
                let turns = &mut self.scopes.last_mut()?.turns[before..];
                let turn = turns.iter_mut().find(|turn| turn.name == name.id.as_str())?;
                turn.bound = true;
                Some(Target::Local(turn.slot))
            }
            ast::Expr::Tuple(many) => {
                let parts = many.elts.iter().map(|one| self.turn(one, before));
                parts.collect::<Option<Vec<_>>>().map(Target::Many)
            }
            _ => None,
        }
    }
}

/// Sets a local; what is asked most is a statement of its own.
pub(super) fn set(slot: u16, value: Expr) -> Stmt {
    match value {
        Expr::Method(of, member, args) if matches!(*of, Expr::Jbq) => {
            match (member.known, <[Expr; 1]>::try_from(args)) {
                (MemberName::GetChessByArr, Ok([at])) => Stmt::SetChess(slot, at),
                (_, Ok(args)) => Stmt::Set(slot, Expr::Method(of, member, args.into())),
                (MemberName::GetArrByRd, Err(args)) => match <[Expr; 3]>::try_from(args) {
                    Ok(args) => Stmt::SetAway(slot, Box::new(args)),
                    Err(args) => Stmt::Set(slot, Expr::Method(of, member, args)),
                },
                (_, Err(args)) => Stmt::Set(slot, Expr::Method(of, member, args)),
            }
        }
        value => Stmt::Set(slot, value),
    }
}

/// A tuple of values that are known already.
pub(super) fn constant(parts: Vec<Expr>) -> Result<Expr, Vec<Expr>> {
    let values = parts.iter().map(|part| match part {
        Expr::Const(value) => Some(value.clone()),
        _ => None,
    });
    match values.collect() {
        Some(values) => Ok(V::tuple(values).map_or(Expr::Leave(&"what lies too deep"), Expr::Const)),
        None => Err(parts),
    }
}

/// Names that classes change.
pub(super) fn is_private(name: &str) -> bool {
    name.starts_with("__") && !name.ends_with("__")
}

pub(super) fn op(op: ast::Operator) -> Option<Op> {
    Some(match op {
        ast::Operator::Add => Op::Add,
        ast::Operator::Sub => Op::Sub,
        ast::Operator::Mult => Op::Mul,
        ast::Operator::Div => Op::Div,
        ast::Operator::FloorDiv => Op::Floor,
        ast::Operator::Mod => Op::Mod,
        ast::Operator::BitAnd => Op::And,
        ast::Operator::BitOr => Op::Or,
        ast::Operator::BitXor => Op::Xor,
        _ => return None,
    })
}

pub(super) fn cmp(cmp: ast::CmpOp) -> Cmp {
    match cmp {
        ast::CmpOp::Eq => Cmp::Eq,
        ast::CmpOp::NotEq => Cmp::Ne,
        ast::CmpOp::Lt => Cmp::Lt,
        ast::CmpOp::LtE => Cmp::Le,
        ast::CmpOp::Gt => Cmp::Gt,
        ast::CmpOp::GtE => Cmp::Ge,
        ast::CmpOp::Is => Cmp::Is,
        ast::CmpOp::IsNot => Cmp::IsNot,
        ast::CmpOp::In => Cmp::In,
        ast::CmpOp::NotIn => Cmp::NotIn,
    }
}
