//! Compiling expressions.

use rustpython_vm::compiler::ast;

use super::code::{Cmp, Expr, Known, Member, Op, Stmt, Target, Turn};
use super::compile::Maker;
use super::value::{V, Wide};

impl Maker<'_> {
    pub(super) fn exprs(&mut self, exprs: &[ast::Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    pub(super) fn boxed(&mut self, expr: &ast::Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    /// What is gone through once: a list written there may as well be a tuple.
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
        Some(Member { known: Known::of(name), name: self.vm.ctx.intern_str(name) })
    }

    pub(super) fn call(&mut self, call: &ast::ExprCall) -> Expr {
        let starred = call.arguments.args.iter().any(ast::Expr::is_starred_expr);
        if starred || !call.arguments.keywords.is_empty() {
            return Expr::Leave(&"a call by names");
        }
        // Whoever goes through all of a generator may have a list.
        let args: Vec<Expr> = match &*call.arguments.args {
            [ast::Expr::Generator(each)] if self.is_greedy(&call.func) => {
                vec![self.each(&each.elt, &each.generators)]
            }
            args => self.exprs(args),
        };
        match &*call.func {
            ast::Expr::Attribute(of) => match self.member(of.attr.as_str()) {
                Some(member) => Expr::Method(self.boxed(&of.value), member, args),
                None => Expr::Leave(&"a private name"),
            },
            function => Expr::Call(self.boxed(function), args),
        }
    }

    /// Whether it goes through all that it is given, at once.
    pub(super) fn is_greedy(&mut self, function: &ast::Expr) -> bool {
        let ast::Expr::Name(name) = function else { return false };
        let known = matches!(name.id.as_str(), "any" | "all" | "sum" | "min" | "max" | "list" | "tuple");
        known && matches!(self.name(name.id.as_str()), Expr::Global(_))
    }

    pub(super) fn compare(&mut self, compare: &ast::ExprCompare) -> Expr {
        let first = self.expr(&compare.left);
        let mut rest: Vec<(Cmp, Expr)> = compare
            .ops
            .iter()
            .zip(&compare.comparators)
            .map(|(&op, expr)| (cmp(op), self.second(op, expr)))
            .collect();
        if rest.len() == 1
            && let Some((cmp, second)) = rest.pop()
        {
            return Expr::Compare(Box::new((first, cmp, second)));
        }
        Expr::Chain(Box::new(first), rest)
    }

    /// What something is compared with.
    pub(super) fn second(&mut self, op: ast::CmpOp, expr: &ast::Expr) -> Expr {
        if matches!(op, ast::CmpOp::In | ast::CmpOp::NotIn) { self.through(expr) } else { self.expr(expr) }
    }

    pub(super) fn each(&mut self, elt: &ast::Expr, generators: &[ast::Comprehension]) -> Expr {
        let before = self.scopes.last().map_or(0, |scope| scope.turns.len());
        let weight = self.weight;
        let mut turns = Vec::new();
        for generator in generators {
            if generator.is_async {
                return Expr::Leave(&"an expression");
            }
            let over = self.through(&generator.iter);
            let Some(target) = self.turn(&generator.target) else { return Expr::Leave(&"a comprehension") };
            turns.push(Turn { target, over, ifs: self.exprs(&generator.ifs) });
        }
        let elt = self.expr(elt);
        if let Some(scope) = self.scopes.last_mut() {
            scope.turns.truncate(before);
        }
        Expr::Each(Box::new(elt), turns, self.weight - weight + 1)
    }

    /// Fresh places for the names of a comprehension.
    pub(super) fn turn(&mut self, target: &ast::Expr) -> Option<Target> {
        match target {
            ast::Expr::Name(name) => {
                let scope = self.scopes.last_mut()?;
                let slot = scope.next;
                scope.next = slot.checked_add(1)?;
                scope.turns.push((name.id.as_str().to_owned(), slot));
                Some(Target::Local(slot))
            }
            ast::Expr::Tuple(many) => {
                many.elts.iter().map(|one| self.turn(one)).collect::<Option<Vec<_>>>().map(Target::Many)
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
                (Known::GetChessByArr, Ok([at])) => Stmt::SetChess(slot, at),
                (_, Ok(args)) => Stmt::Set(slot, Expr::Method(of, member, args.into())),
                (Known::GetArrByRd, Err(args)) => match <[Expr; 3]>::try_from(args) {
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
        Some(values) => Ok(Expr::Const(V::tuple(values))),
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
