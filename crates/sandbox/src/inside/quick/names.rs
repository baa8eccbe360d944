//! Names of functions: which they bind, and which they take from functions around.

use std::collections::HashSet;

use ruff_text_size::Ranged as _;
use rustpython_vm::compiler::ast::{self, visitor};

/// The names that a function binds, uses, and passes to functions inside it.
#[derive(Default)]
pub(super) struct Names<'a> {
    pub bound: HashSet<&'a str>,
    used: HashSet<&'a str>,
    /// Free names of functions inside.
    pub inner: HashSet<&'a str>,
    comprehensions: u32,
    pub strange: bool,
    /// Set if it is a generator: a call of it runs nothing yet.
    pub yields: bool,
}

impl<'a> Names<'a> {
    pub(super) fn of(parameters: Option<&'a ast::Parameters>) -> Names<'a> {
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
            ast::Expr::Yield(_) | ast::Expr::YieldFrom(_) | ast::Expr::Await(_) => self.yields = true,
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

/// Every lambda of a file: where it begins, and its body where it has defaults, which stand in front of it.
pub(super) struct Begins(pub Vec<(usize, usize)>);

impl<'a> visitor::Visitor<'a> for Begins {
    fn visit_expr(&mut self, expr: &'a ast::Expr) {
        if let ast::Expr::Lambda(lambda) = expr {
            let has_defaults =
                lambda.parameters.iter().flat_map(|all| all.iter()).any(|one| one.default().is_some());
            let begin = lambda.range.start();
            let last = if has_defaults { lambda.body.range().start() } else { begin };
            self.0.push((begin.to_usize(), last.to_usize()));
        }
        visitor::walk_expr(self, expr);
    }
}

/// Lambdas outside of functions.
pub(super) struct Lambdas<'a>(pub Vec<&'a ast::ExprLambda>);

impl<'a> visitor::Visitor<'a> for Lambdas<'a> {
    fn visit_expr(&mut self, expr: &'a ast::Expr) {
        match expr {
            ast::Expr::Lambda(lambda) => self.0.push(lambda),
            _ => visitor::walk_expr(self, expr),
        }
    }
}
