//! Compiler from source text to functions that run without the interpreter. An expression that it does not support
//! becomes [`Expr::Leave`]; only a run that reaches it goes back to the interpreter.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use rustpython_vm::VirtualMachine;
use rustpython_vm::builtins::PyStrRef;
use rustpython_vm::compiler::ast::{self, visitor};
use rustpython_vm::compiler::parser;

use super::code::{Def, Expr, For, Source, Stmt, Target};
use super::names::{Begins, Lambdas, Names};
use super::phrase::{is_private, op, set};
use super::value::V;

/// The name that the interpreter gives every lambda.
const LAMBDA: &str = "<lambda>";

/// The functions of a file.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    /// The functions by line and name; `None` if there are several.
    pub defs: HashMap<(u32, String), Option<Rc<Def>>>,
    /// Names that are neither locals nor of functions around.
    pub names: Vec<PyStrRef>,
}

/// Compiles the functions of a file.
pub(super) fn compile(text: &str, vm: &VirtualMachine) -> Option<Compiled> {
    let module = parser::parse_module(text).ok()?.into_syntax();
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut maker = Maker { vm, starts, made: Compiled::default(), scopes: Vec::new(), class: 0, weight: 0 };
    maker.lambdas_by_line(&module.body);
    maker.outside(&module.body);
    Some(maker.made)
}

/// Compiles an expression without names: what `eval` of an attribute mostly is.
pub(super) fn literal(text: &str, vm: &VirtualMachine) -> Option<Expr> {
    let expression = parser::parse_expression(text.trim_matches([' ', '\t'])).ok()?.into_syntax();
    if !is_literal(&expression.body) {
        return None;
    }
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

/// Returns true if an expression is made of numbers, texts, lists and tuples alone: nothing in it is looked up or
/// called.
fn is_literal(expr: &ast::Expr) -> bool {
    match expr {
        ast::Expr::NoneLiteral(_)
        | ast::Expr::BooleanLiteral(_)
        | ast::Expr::NumberLiteral(_)
        | ast::Expr::StringLiteral(_) => true,
        ast::Expr::Tuple(many) => many.elts.iter().all(is_literal),
        ast::Expr::List(many) => many.elts.iter().all(is_literal),
        ast::Expr::UnaryOp(one) => is_literal(&one.operand),
        ast::Expr::BinOp(two) => is_literal(&two.left) && is_literal(&two.right),
        _ => false,
    }
}

/// A function that is being compiled.
#[derive(Default)]
pub(super) struct Scope {
    pub slots: HashMap<String, u16>,
    pub shared: HashSet<String>,
    pub parameters: Vec<String>,
    pub uses: Vec<bool>,
    pub frees: Vec<(String, Source)>,
    /// Names of comprehensions around, the innermost last.
    pub turns: Vec<TurnName>,
    pub next: u16,
}

/// A name of a comprehension.
pub(super) struct TurnName {
    pub name: String,
    pub slot: u16,
    /// True if it has a value at this point of the compilation; before that Python knows the name, and raises.
    pub bound: bool,
}

pub(super) struct Maker<'a> {
    pub vm: &'a VirtualMachine,
    /// The position in the text at which each line begins, in bytes.
    pub starts: Vec<usize>,
    pub made: Compiled,
    pub scopes: Vec<Scope>,
    /// The number of enclosing classes.
    pub class: u32,
    /// The number of expressions and statements compiled so far.
    pub weight: usize,
}

impl Maker<'_> {
    /// Marks the lines on which several lambdas begin, in whatever part of the file and whether they can run here or not: the
    /// interpreter knows a lambda by its line alone. One with defaults may say any line up to its body.
    fn lambdas_by_line(&mut self, body: &[ast::Stmt]) {
        let mut begins = Begins(Vec::new());
        body.iter().for_each(|stmt| visitor::Visitor::visit_stmt(&mut begins, stmt));
        let mut known = HashSet::new();
        for (first, last) in begins.0 {
            let (first, last) = (self.line(first), self.line(last));
            for line in first..=last {
                let is_first = known.insert(line);
                if !is_first || first < last {
                    self.made.defs.insert((line, LAMBDA.to_owned()), None);
                }
            }
        }
    }

    /// Goes through what is outside of functions and compiles the functions there.
    pub(super) fn outside(&mut self, body: &[ast::Stmt]) {
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

    pub(super) fn line(&self, at: usize) -> u32 {
        self.starts.partition_point(|&start| start <= at) as u32
    }

    pub(super) fn keep(&mut self, at: usize, name: &str, def: &Rc<Def>) {
        let place = (self.line(at), name.to_owned());
        self.made.defs.entry(place).and_modify(|known| *known = None).or_insert_with(|| Some(Rc::clone(def)));
    }

    pub(super) fn function(&mut self, def: &ast::StmtFunctionDef) -> Option<Rc<Def>> {
        if def.is_async || !def.decorator_list.is_empty() || def.type_params.is_some() {
            return None;
        }
        let mut names = Names::of(Some(&def.parameters));
        def.body.iter().for_each(|stmt| visitor::Visitor::visit_stmt(&mut names, stmt));
        let made = self.body(Some(&def.parameters), names, |maker| maker.block(&def.body))?;
        self.keep(def.range.start().to_usize(), def.name.as_str(), &made);
        Some(made)
    }

    pub(super) fn lambda(&mut self, lambda: &ast::ExprLambda) -> Option<Rc<Def>> {
        let mut names = Names::of(lambda.parameters.as_deref());
        visitor::Visitor::visit_expr(&mut names, &lambda.body);
        let made = self.body(lambda.parameters.as_deref(), names, |maker| {
            vec![Stmt::Return(maker.expr(&lambda.body))]
        })?;
        self.keep(lambda.range.start().to_usize(), LAMBDA, &made);
        Some(made)
    }

    pub(super) fn body(
        &mut self,
        parameters: Option<&ast::Parameters>,
        names: Names<'_>,
        body: impl FnOnce(&mut Self) -> Vec<Stmt>,
    ) -> Option<Rc<Def>> {
        let takes: Vec<&ast::ParameterWithDefault> =
            parameters.map(|p| p.posonlyargs.iter().chain(&p.args).collect()).unwrap_or_default();
        let more =
            parameters.is_some_and(|p| p.vararg.is_some() || p.kwarg.is_some() || !p.kwonlyargs.is_empty());
        if names.strange || names.yields || more || names.bound.len() > 1000 {
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
        let parameters = scope.parameters.clone();
        self.scopes.push(scope);
        let before = self.weight;
        let body = body(self);
        let weight = self.weight - before + 1;
        let scope = self.scopes.pop()?;
        let mut cells: Vec<u16> = scope.shared.iter().map(|name| scope.slots[name]).collect();
        cells.sort_unstable();
        Some(Rc::new(Def {
            takes: takes.len(),
            parameters,
            uses: scope.uses,
            defaults,
            slots: usize::from(scope.next),
            cells,
            frees: scope.frees,
            body,
            weight,
        }))
    }

    /// Compiles the use of a name: finds out whether it is a local, a shared local or a global.
    pub(super) fn name(&mut self, name: &str) -> Expr {
        let Some(scope) = self.scopes.last_mut() else { return Expr::Leave(&"a name outside") };
        if let Some(turn) = scope.turns.iter().rev().find(|turn| turn.name == name) {
            return if turn.bound {
                Expr::Local(turn.slot)
            } else {
                Expr::Leave(&"a name that is not bound")
            };
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
    pub(super) fn free(&mut self, level: usize, name: &str) -> Option<u16> {
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

    pub(super) fn block(&mut self, body: &[ast::Stmt]) -> Vec<Stmt> {
        let mut made = Vec::with_capacity(body.len());
        for stmt in body {
            self.stmt(stmt, &mut made);
        }
        made
    }

    pub(super) fn stmt(&mut self, stmt: &ast::Stmt, made: &mut Vec<Stmt>) {
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
                // The notes of locals are not looked at; others are.
                if !matches!(&*stmt.target, ast::Expr::Name(_)) {
                    return made.push(Stmt::Leave(&"a note"));
                }
                let Some(value) = &stmt.value else { return };
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

    pub(super) fn choice(&mut self, stmt: &ast::StmtIf) -> Stmt {
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
    pub(super) fn place(&mut self, name: &str) -> Target {
        match self.scopes.last() {
            Some(scope) => match scope.slots.get(name) {
                Some(&slot) if scope.shared.contains(name) => Target::Cell(slot),
                Some(&slot) => Target::Local(slot),
                None => Target::Effect,
            },
            None => Target::Effect,
        }
    }

    pub(super) fn target(&mut self, target: &ast::Expr) -> Target {
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
}
