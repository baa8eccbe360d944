//! From source text to functions that run quickly. What is not understood becomes [`Expr::Leave`]; only who comes there leaves.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use rustpython_vm::VirtualMachine;
use rustpython_vm::builtins::PyStrRef;
use rustpython_vm::compiler::ast::{self, visitor};
use rustpython_vm::compiler::parser;

use super::code::{Cmp, Def, Expr, For, Known, Member, Op, Source, Stmt, Target, Turn};
use super::value::{V, Wide};

/// The functions of a file.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    /// By the line and the name; `None`: there are several.
    pub defs: HashMap<(u32, String), Option<Rc<Def>>>,
    /// Names that are neither locals nor of functions around.
    pub names: Vec<PyStrRef>,
}

/// Compiles the functions of a file.
pub(super) fn compile(text: &str, vm: &VirtualMachine) -> Option<Compiled> {
    let module = parser::parse_module(text).ok()?.into_syntax();
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut maker = Maker { vm, starts, made: Compiled::default(), scopes: Vec::new(), class: 0, weight: 0 };
    maker.outside(&module.body);
    Some(maker.made)
}

/// Compiles an expression without names: what `eval` of an attribute mostly is.
pub(super) fn literal(text: &str, vm: &VirtualMachine) -> Option<Expr> {
    let expression = parser::parse_expression(text.trim_matches([' ', '\t'])).ok()?.into_syntax();
    let mut maker = Maker {
        vm,
        starts: Vec::new(),
        made: Compiled::default(),
        scopes: vec![Scope::default()],
        class: 0,
        weight: 0,
    };
    let made = maker.expr(&expression.body);
    (maker.made.names.is_empty() && maker.scopes[0].next == 0).then_some(made)
}

/// What names a function binds, uses, and hands to functions inside it.
#[derive(Default)]
struct Names<'a> {
    bound: HashSet<&'a str>,
    used: HashSet<&'a str>,
    /// Free names of functions inside.
    inner: HashSet<&'a str>,
    comprehensions: u32,
    strange: bool,
}

impl<'a> Names<'a> {
    fn of(parameters: Option<&'a ast::Parameters>) -> Names<'a> {
        let mut names = Names::default();
        if let Some(parameters) = parameters {
            names.bound.extend(parameters.iter().map(|parameter| parameter.name().as_str()));
        }
        names
    }

    fn free(self) -> HashSet<&'a str> {
        let bound = self.bound;
        self.used.into_iter().chain(self.inner).filter(|name| !bound.contains(name)).collect()
    }
}

impl<'a> visitor::Visitor<'a> for Names<'a> {
    fn visit_stmt(&mut self, stmt: &'a ast::Stmt) {
        match stmt {
            ast::Stmt::FunctionDef(def) => {
                self.bound.insert(def.name.as_str());
                let mut inner = Names::of(Some(&def.parameters));
                def.body.iter().for_each(|stmt| inner.visit_stmt(stmt));
                self.strange |= inner.strange;
                self.inner.extend(inner.free());
                let defaults = def.parameters.iter().filter_map(|parameter| parameter.default());
                defaults.for_each(|default| self.visit_expr(default));
            }
            ast::Stmt::ClassDef(class) => {
                self.bound.insert(class.name.as_str());
                let mut inner = Names::default();
                class.body.iter().for_each(|stmt| inner.visit_stmt(stmt));
                self.inner.extend(inner.used.into_iter().chain(inner.inner));
            }
            ast::Stmt::Global(_) | ast::Stmt::Nonlocal(_) | ast::Stmt::Match(_) => self.strange = true,
            ast::Stmt::Import(_) | ast::Stmt::ImportFrom(_) | ast::Stmt::TypeAlias(_) => self.strange = true,
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_annotation(&mut self, _expr: &'a ast::Expr) {}

    fn visit_except_handler(&mut self, handler: &'a ast::ExceptHandler) {
        let ast::ExceptHandler::ExceptHandler(one) = handler;
        self.bound.extend(one.name.iter().map(|name| name.as_str()));
        visitor::walk_except_handler(self, handler);
    }

    fn visit_expr(&mut self, expr: &'a ast::Expr) {
        match expr {
            ast::Expr::Lambda(lambda) => {
                let mut inner = Names::of(lambda.parameters.as_deref());
                inner.visit_expr(&lambda.body);
                self.strange |= inner.strange;
                self.inner.extend(inner.free());
            }
            ast::Expr::Named(_) => self.strange = true,
            ast::Expr::ListComp(_)
            | ast::Expr::SetComp(_)
            | ast::Expr::DictComp(_)
            | ast::Expr::Generator(_) => {
                self.comprehensions += 1;
                visitor::walk_expr(self, expr);
                self.comprehensions -= 1;
            }
            ast::Expr::Name(name) if name.ctx.is_load() || self.comprehensions > 0 => {
                self.used.insert(name.id.as_str());
            }
            ast::Expr::Name(name) => {
                self.bound.insert(name.id.as_str());
            }
            _ => visitor::walk_expr(self, expr),
        }
    }
}

/// A function that is being compiled.
#[derive(Default)]
struct Scope {
    slots: HashMap<String, u16>,
    shared: HashSet<String>,
    parameters: Vec<String>,
    uses: Vec<bool>,
    frees: Vec<(String, Source)>,
    /// Names of comprehensions around, the innermost last.
    turns: Vec<(String, u16)>,
    next: u16,
}

struct Maker<'a> {
    vm: &'a VirtualMachine,
    /// Where each line begins.
    starts: Vec<usize>,
    made: Compiled,
    scopes: Vec<Scope>,
    /// How many classes are around.
    class: u32,
    /// How many expressions and statements were made.
    weight: usize,
}

impl Maker<'_> {
    /// Goes through what is outside of functions and compiles the functions there.
    fn outside(&mut self, body: &[ast::Stmt]) {
        for stmt in body {
            match stmt {
                ast::Stmt::FunctionDef(def) => {
                    self.function(def);
                }
                ast::Stmt::ClassDef(class) => {
                    self.class += 1;
                    self.outside(&class.body);
                    self.class -= 1;
                }
                ast::Stmt::If(choice) => {
                    self.outside(&choice.body);
                    choice.elif_else_clauses.iter().for_each(|clause| self.outside(&clause.body));
                }
                ast::Stmt::For(turns) => self.outside(&turns.body),
                ast::Stmt::Try(attempt) => self.outside(&attempt.body),
                _ => {
                    let mut lambdas = Lambdas(Vec::new());
                    visitor::Visitor::visit_stmt(&mut lambdas, stmt);
                    lambdas.0.into_iter().for_each(|lambda| {
                        self.lambda(lambda);
                    });
                }
            }
        }
    }

    fn line(&self, at: usize) -> u32 {
        self.starts.partition_point(|&start| start <= at) as u32
    }

    fn keep(&mut self, at: usize, name: &str, def: &Rc<Def>) {
        let place = (self.line(at), name.to_owned());
        self.made.defs.entry(place).and_modify(|known| *known = None).or_insert_with(|| Some(Rc::clone(def)));
    }

    fn function(&mut self, def: &ast::StmtFunctionDef) -> Option<Rc<Def>> {
        if def.is_async || !def.decorator_list.is_empty() || def.type_params.is_some() {
            return None;
        }
        let mut names = Names::of(Some(&def.parameters));
        def.body.iter().for_each(|stmt| visitor::Visitor::visit_stmt(&mut names, stmt));
        let made = self.body(Some(&def.parameters), names, |maker| maker.block(&def.body))?;
        self.keep(def.range.start().to_usize(), def.name.as_str(), &made);
        Some(made)
    }

    fn lambda(&mut self, lambda: &ast::ExprLambda) -> Option<Rc<Def>> {
        let mut names = Names::of(lambda.parameters.as_deref());
        visitor::Visitor::visit_expr(&mut names, &lambda.body);
        let made = self.body(lambda.parameters.as_deref(), names, |maker| {
            vec![Stmt::Return(maker.expr(&lambda.body))]
        })?;
        self.keep(lambda.range.start().to_usize(), "<lambda>", &made);
        Some(made)
    }

    fn body(
        &mut self,
        parameters: Option<&ast::Parameters>,
        names: Names<'_>,
        body: impl FnOnce(&mut Self) -> Vec<Stmt>,
    ) -> Option<Rc<Def>> {
        let takes: Vec<&ast::ParameterWithDefault> =
            parameters.map(|p| p.posonlyargs.iter().chain(&p.args).collect()).unwrap_or_default();
        let more =
            parameters.is_some_and(|p| p.vararg.is_some() || p.kwarg.is_some() || !p.kwonlyargs.is_empty());
        if names.strange || more || names.bound.len() > 1000 {
            return None;
        }
        // Defaults are worked out where the function is made.
        let defaults = takes.iter().filter_map(|p| p.default.as_deref());
        let defaults: Vec<Expr> = if self.scopes.is_empty() {
            defaults.map(|_| Expr::Leave(&"a default")).collect()
        } else {
            defaults.map(|default| self.expr(default)).collect()
        };
        let mut scope = Scope::default();
        for parameter in &takes {
            let name = parameter.parameter.name.as_str().to_owned();
            scope.slots.insert(name.clone(), scope.next);
            scope.parameters.push(name);
            scope.next += 1;
        }
        let mut others: Vec<&str> = names.bound.iter().copied().collect();
        others.sort_unstable();
        for name in others {
            if !scope.slots.contains_key(name) {
                scope.slots.insert(name.to_owned(), scope.next);
                scope.next += 1;
            }
        }
        let shared = names.inner.iter().filter(|name| scope.slots.contains_key(**name));
        scope.shared = shared.map(|name| (*name).to_owned()).collect();
        scope.uses = vec![false; takes.len()];
        self.scopes.push(scope);
        let before = self.weight;
        let body = body(self);
        let weight = self.weight - before + 1;
        let scope = self.scopes.pop()?;
        let mut cells: Vec<u16> = scope.shared.iter().map(|name| scope.slots[name]).collect();
        cells.sort_unstable();
        Some(Rc::new(Def {
            takes: takes.len(),
            uses: scope.uses,
            defaults,
            slots: usize::from(scope.next),
            cells,
            frees: scope.frees,
            body,
            weight,
        }))
    }

    /// Where a name is found.
    fn name(&mut self, name: &str) -> Expr {
        let Some(scope) = self.scopes.last_mut() else { return Expr::Leave(&"a name outside") };
        if let Some((_, slot)) = scope.turns.iter().rev().find(|(known, _)| known == name) {
            return Expr::Local(*slot);
        }
        if let Some(&slot) = scope.slots.get(name) {
            if let Some(parameter) = scope.parameters.iter().position(|known| known == name) {
                scope.uses[parameter] = true;
            }
            return if scope.shared.contains(name) { Expr::Cell(slot) } else { Expr::Local(slot) };
        }
        if let Some(free) = self.free(self.scopes.len() - 1, name) {
            return Expr::Free(free);
        }
        if self.class > 0 && is_private(name) {
            return Expr::Leave(&"a private name");
        }
        if matches!(name, "JBQ" | "API") {
            return Expr::Jbq;
        }
        let known = self.made.names.iter().position(|known| known.as_bytes() == name.as_bytes());
        let place = known.unwrap_or_else(|| {
            self.made.names.push(self.vm.ctx.intern_str(name).to_owned());
            self.made.names.len() - 1
        });
        u16::try_from(place).map_or(Expr::Leave(&"too many names"), Expr::Global)
    }

    /// The place of a name of functions around among those of a function.
    fn free(&mut self, level: usize, name: &str) -> Option<u16> {
        let known = self.scopes[level].frees.iter().position(|(known, _)| known == name);
        if let Some(known) = known {
            return u16::try_from(known).ok();
        }
        let around = level.checked_sub(1)?;
        let source = match self.scopes[around].slots.get(name) {
            Some(&slot) => {
                let scope = &mut self.scopes[around];
                if let Some(parameter) = scope.parameters.iter().position(|known| known == name) {
                    scope.uses[parameter] = true;
                }
                Source::Cell(slot)
            }
            None => Source::Free(self.free(around, name)?),
        };
        let frees = &mut self.scopes[level].frees;
        frees.push((name.to_owned(), source));
        u16::try_from(frees.len() - 1).ok()
    }

    fn block(&mut self, body: &[ast::Stmt]) -> Vec<Stmt> {
        let mut made = Vec::with_capacity(body.len());
        for stmt in body {
            self.stmt(stmt, &mut made);
        }
        made
    }

    fn stmt(&mut self, stmt: &ast::Stmt, made: &mut Vec<Stmt>) {
        self.weight += 1;
        made.push(match stmt {
            ast::Stmt::Expr(stmt) => Stmt::Do(self.expr(&stmt.value)),
            ast::Stmt::Return(stmt) => {
                let value = stmt.value.as_ref();
                Stmt::Return(value.map_or(Expr::Const(V::None), |value| self.expr(value)))
            }
            ast::Stmt::Assign(stmt) => {
                let value = self.expr(&stmt.value);
                match (&stmt.targets[..], self.target(&stmt.targets[0])) {
                    ([_], Target::Local(slot)) => set(slot, value),
                    (targets, _) => {
                        Stmt::Assign(targets.iter().map(|target| self.target(target)).collect(), value)
                    }
                }
            }
            ast::Stmt::AnnAssign(stmt) => {
                let Some(value) = &stmt.value else { return };
                // The notes of locals are not looked at; others are.
                if !matches!(&*stmt.target, ast::Expr::Name(_)) {
                    return made.push(Stmt::Leave(&"a note"));
                }
                let value = self.expr(value);
                Stmt::Assign(vec![self.target(&stmt.target)], value)
            }
            ast::Stmt::AugAssign(stmt) => {
                let value = self.expr(&stmt.value);
                match op(stmt.op) {
                    Some(op) => Stmt::Change(self.target(&stmt.target), op, value),
                    None => Stmt::Leave(&"an operation"),
                }
            }
            ast::Stmt::Delete(stmt) => {
                for target in &stmt.targets {
                    let deleted = match target {
                        ast::Expr::Subscript(item) if !item.slice.is_slice_expr() => {
                            Stmt::Delete(self.expr(&item.value), self.expr(&item.slice))
                        }
                        _ => Stmt::Leave(&"del"),
                    };
                    made.push(deleted);
                }
                return;
            }
            ast::Stmt::If(stmt) => self.choice(stmt),
            ast::Stmt::For(stmt) if !stmt.is_async => {
                let over = self.through(&stmt.iter);
                let before = self.weight;
                let target = self.target(&stmt.target);
                let body = self.block(&stmt.body);
                let weight = self.weight - before + 1;
                Stmt::For(Box::new(For { target, over, body, otherwise: self.block(&stmt.orelse), weight }))
            }
            ast::Stmt::While(stmt) => {
                let before = self.weight;
                let (test, body) = (self.expr(&stmt.test), self.block(&stmt.body));
                let weight = self.weight - before + 1;
                Stmt::While(test, body, self.block(&stmt.orelse), weight)
            }
            ast::Stmt::Pass(_) => return,
            ast::Stmt::Break(_) => Stmt::Break,
            ast::Stmt::Continue(_) => Stmt::Continue,
            ast::Stmt::Assert(stmt) => Stmt::Assert(self.expr(&stmt.test)),
            // What raises leaves, so the handlers are never needed here.
            ast::Stmt::Try(stmt) if stmt.finalbody.is_empty() => {
                made.extend(self.block(&stmt.body));
                made.extend(self.block(&stmt.orelse));
                return;
            }
            ast::Stmt::FunctionDef(def) => match self.function(def) {
                Some(inner) => {
                    let target = self.place(def.name.as_str());
                    Stmt::Assign(vec![target], Expr::Function(inner))
                }
                None => Stmt::Leave(&"a function"),
            },
            _ => Stmt::Leave(&"a statement"),
        });
    }

    fn choice(&mut self, stmt: &ast::StmtIf) -> Stmt {
        let mut choices = vec![(self.expr(&stmt.test), self.block(&stmt.body))];
        let mut otherwise = Vec::new();
        for clause in &stmt.elif_else_clauses {
            match &clause.test {
                Some(test) => choices.push((self.expr(test), self.block(&clause.body))),
                None => otherwise = self.block(&clause.body),
            }
        }
        Stmt::If(choices, otherwise)
    }

    /// The place of a local.
    fn place(&mut self, name: &str) -> Target {
        match self.scopes.last() {
            Some(scope) => match scope.slots.get(name) {
                Some(&slot) if scope.shared.contains(name) => Target::Cell(slot),
                Some(&slot) => Target::Local(slot),
                None => Target::Effect,
            },
            None => Target::Effect,
        }
    }

    fn target(&mut self, target: &ast::Expr) -> Target {
        match target {
            ast::Expr::Name(name) => self.place(name.id.as_str()),
            ast::Expr::Tuple(many) => Target::Many(many.elts.iter().map(|one| self.target(one)).collect()),
            ast::Expr::List(many) => Target::Many(many.elts.iter().map(|one| self.target(one)).collect()),
            ast::Expr::Subscript(item) if !item.slice.is_slice_expr() => {
                Target::Item(self.expr(&item.value), self.expr(&item.slice))
            }
            _ => Target::Effect,
        }
    }

    fn exprs(&mut self, exprs: &[ast::Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn boxed(&mut self, expr: &ast::Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    /// What is gone through once: a list written there may as well be a tuple.
    fn through(&mut self, expr: &ast::Expr) -> Expr {
        match expr {
            ast::Expr::List(many) => constant(self.exprs(&many.elts)).unwrap_or_else(Expr::List),
            ast::Expr::Tuple(many) => constant(self.exprs(&many.elts)).unwrap_or_else(Expr::Tuple),
            other => self.expr(other),
        }
    }

    fn expr(&mut self, expr: &ast::Expr) -> Expr {
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

    fn member(&self, name: &str) -> Option<Member> {
        if self.class > 0 && is_private(name) {
            return None;
        }
        Some(Member { known: Known::of(name), name: self.vm.ctx.intern_str(name) })
    }

    fn call(&mut self, call: &ast::ExprCall) -> Expr {
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
    fn is_greedy(&mut self, function: &ast::Expr) -> bool {
        let ast::Expr::Name(name) = function else { return false };
        let known = matches!(name.id.as_str(), "any" | "all" | "sum" | "min" | "max" | "list" | "tuple");
        known && matches!(self.name(name.id.as_str()), Expr::Global(_))
    }

    fn compare(&mut self, compare: &ast::ExprCompare) -> Expr {
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
    fn second(&mut self, op: ast::CmpOp, expr: &ast::Expr) -> Expr {
        if matches!(op, ast::CmpOp::In | ast::CmpOp::NotIn) { self.through(expr) } else { self.expr(expr) }
    }

    fn each(&mut self, elt: &ast::Expr, generators: &[ast::Comprehension]) -> Expr {
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
    fn turn(&mut self, target: &ast::Expr) -> Option<Target> {
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

/// Lambdas outside of functions.
struct Lambdas<'a>(Vec<&'a ast::ExprLambda>);

impl<'a> visitor::Visitor<'a> for Lambdas<'a> {
    fn visit_expr(&mut self, expr: &'a ast::Expr) {
        match expr {
            ast::Expr::Lambda(lambda) => self.0.push(lambda),
            _ => visitor::walk_expr(self, expr),
        }
    }
}

/// Sets a local; what is asked most is a statement of its own.
fn set(slot: u16, value: Expr) -> Stmt {
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
fn constant(parts: Vec<Expr>) -> Result<Expr, Vec<Expr>> {
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
fn is_private(name: &str) -> bool {
    name.starts_with("__") && !name.ends_with("__")
}

fn op(op: ast::Operator) -> Option<Op> {
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

fn cmp(cmp: ast::CmpOp) -> Cmp {
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
