//! The names of a file: ones that functions cannot see, ones that nothing defines, and variables that nothing reads.
//!
//! At level 1 the functions of a file see `JBQ`, `API` and what is built in, and not what else the file defines at its top level: the
//! commonest trap of the reference.

use std::collections::HashSet;

use jingbanqi::api;
use ruff_text_size::TextRange;
use rustpython_vm::compiler::ast::visitor::{self, Visitor};
use rustpython_vm::compiler::ast::{self, Expr, ExprContext, Stmt};

use super::{File, Package, api_member, name_of, nearest};
use crate::lesson::Lesson;

/// Names with which a file reaches its own tables of names: then nothing is said about names.
const DYNAMIC: [&str; 6] = ["exec", "eval", "globals", "locals", "vars", "__builtins__"];

/// The words of other languages for values of Python.
const FOREIGN: [(&str, &str); 8] = [
    ("true", "True"),
    ("false", "False"),
    ("null", "None"),
    ("nil", "None"),
    ("none", "None"),
    ("NULL", "None"),
    ("TRUE", "True"),
    ("FALSE", "False"),
];

/// Looks at the names of a file.
pub(super) fn look(file: &mut File<'_>, package: &Package<'_>) {
    let mut dynamic = Dynamic(false);
    dynamic.visit_body(file.body);
    if dynamic.0 {
        return;
    }
    let module = Bound::of(file.body, None);
    let mut global = Globals::default();
    global.visit_body(file.body);
    let mut look = Look {
        package,
        module: &module.plain,
        global: global.assigned,
        scopes: Vec::new(),
        guarded: 0,
        wrong: Vec::new(),
        unused: Vec::new(),
    };
    look.visit_body(file.body);
    let (wrong, unused) = (look.wrong, look.unused);
    let mut told = HashSet::new();
    for Wrong { name, range, seen } in wrong {
        if !told.insert(name) {
            continue;
        }
        if module.plain.contains(name) && seen.is_some() {
            file.warn(Lesson::TopLevelName, &range, name, kind(file.body, name));
            continue;
        }
        let foreign = FOREIGN.iter().find(|(word, _)| *word == name).map(|(_, meant)| *meant);
        let own = seen.unwrap_or_default();
        let known = own.iter().copied().chain(["JBQ"]);
        let built_in = || package.builtins.iter().map(String::as_str).filter(|name| !name.starts_with('_'));
        let near = foreign.or_else(|| nearest(name, known)).or_else(|| {
            let top = module.plain.iter().copied();
            nearest(name, top).filter(|_| own.is_empty()).or_else(|| nearest(name, built_in()))
        });
        file.warn(Lesson::UnknownName, &range, name, near.unwrap_or_default());
    }
    for (name, range) in unused {
        file.warn(Lesson::Unused, &range, name, "");
    }
}

/// Returns the sort of a name of the top level: `function`, `class`, `module` or `value`.
fn kind(body: &[Stmt], name: &str) -> &'static str {
    let found = body.iter().find_map(|stmt| match stmt {
        Stmt::FunctionDef(function) if function.name.as_str() == name => Some("function"),
        Stmt::ClassDef(class) if class.name.as_str() == name => Some("class"),
        Stmt::Import(import) if import.names.iter().any(|alias| bound_by(alias) == name) => Some("module"),
        Stmt::ImportFrom(import) if import.names.iter().any(|alias| bound_by(alias) == name) => {
            Some("module")
        }
        _ => None,
    });
    found.unwrap_or("value")
}

fn bound_by(alias: &ast::Alias) -> &str {
    match &alias.asname {
        Some(name) => name.as_str(),
        None => alias.name.as_str().split('.').next().unwrap_or_default(),
    }
}

struct Dynamic(bool);

impl<'a> Visitor<'a> for Dynamic {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let Stmt::ImportFrom(import) = stmt {
            self.0 |= import.names.iter().any(|alias| alias.name.as_str() == "*");
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.0 |= name_of(expr).is_some_and(|name| DYNAMIC.contains(&name));
        visitor::walk_expr(self, expr);
    }
}

/// The names that statements bind, without those of inner functions and classes.
#[derive(Default)]
struct Bound<'a> {
    plain: HashSet<&'a str>,
    global: HashSet<&'a str>,
    nonlocal: HashSet<&'a str>,
}

impl<'a> Bound<'a> {
    fn of(body: &'a [Stmt], parameters: Option<&'a ast::Parameters>) -> Bound<'a> {
        let mut bound = Bound::default();
        bound.visit_body(body);
        for name in bound.global.iter().chain(&bound.nonlocal) {
            bound.plain.remove(name);
        }
        if let Some(parameters) = parameters {
            bound.plain.extend(parameters.iter().map(|parameter| parameter.name().as_str()));
        }
        bound
    }
}

impl<'a> Visitor<'a> for Bound<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(function) => {
                self.plain.insert(function.name.as_str());
                return;
            }
            Stmt::ClassDef(class) => {
                self.plain.insert(class.name.as_str());
                return;
            }
            Stmt::Import(import) => self.plain.extend(import.names.iter().map(bound_by)),
            Stmt::ImportFrom(import) => self.plain.extend(import.names.iter().map(bound_by)),
            Stmt::Global(names) => self.global.extend(names.names.iter().map(ast::Identifier::as_str)),
            Stmt::Nonlocal(names) => self.nonlocal.extend(names.names.iter().map(ast::Identifier::as_str)),
            // It reads what it writes: alone it binds nothing.
            Stmt::AugAssign(assign) if matches!(*assign.target, Expr::Name(_)) => {
                return self.visit_expr(&assign.value);
            }
            Stmt::AnnAssign(assign) if assign.value.is_none() => return,
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) if !matches!(name.ctx, ExprContext::Load) => {
                self.plain.insert(name.id.as_str());
            }
            Expr::Lambda(_) => return,
            // The targets of a comprehension are its own; `:=` in it is the function's.
            Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_) => {
                let mut named = Named::default();
                named.visit_expr(expr);
                self.plain.extend(named.0);
                return;
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }

    fn visit_except_handler(&mut self, handler: &'a ast::ExceptHandler) {
        let ast::ExceptHandler::ExceptHandler(handler_of) = handler;
        self.plain.extend(handler_of.name.as_ref().map(ast::Identifier::as_str));
        visitor::walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a ast::Pattern) {
        let name = match pattern {
            ast::Pattern::MatchAs(any) => any.name.as_ref(),
            ast::Pattern::MatchStar(star) => star.name.as_ref(),
            ast::Pattern::MatchMapping(mapping) => mapping.rest.as_ref(),
            _ => None,
        };
        self.plain.extend(name.map(ast::Identifier::as_str));
        visitor::walk_pattern(self, pattern);
    }
}

#[derive(Default)]
struct Named<'a>(Vec<&'a str>);

impl<'a> Visitor<'a> for Named<'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Named(named) = expr {
            self.0.extend(name_of(&named.target));
        }
        visitor::walk_expr(self, expr);
    }
}

/// The names that some function declares to be global and gives a value.
#[derive(Default)]
struct Globals<'a> {
    assigned: HashSet<&'a str>,
}

impl<'a> Visitor<'a> for Globals<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let Stmt::FunctionDef(function) = stmt {
            let mut bound = Bound::default();
            bound.visit_body(&function.body);
            self.assigned.extend(bound.global.intersection(&bound.plain));
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, _expr: &'a Expr) {}
}

/// A name that cannot be read where it stands. `seen`: the names that can be, in a function or class.
struct Wrong<'a> {
    name: &'a str,
    range: TextRange,
    seen: Option<Vec<&'a str>>,
}

struct Scope<'a> {
    bound: HashSet<&'a str>,
    global: HashSet<&'a str>,
    /// Names of a class are not seen by its methods.
    class: bool,
}

struct Look<'a, 'b> {
    package: &'b Package<'b>,
    module: &'b HashSet<&'a str>,
    global: HashSet<&'a str>,
    scopes: Vec<Scope<'a>>,
    /// The number of `try` around that catch what an unknown name raises.
    guarded: u32,
    wrong: Vec<Wrong<'a>>,
    unused: Vec<(&'a str, TextRange)>,
}

impl<'a> Look<'a, '_> {
    fn read(&mut self, name: &'a str, range: TextRange) {
        let innermost = self.scopes.len();
        let declared = self.scopes.last().is_some_and(|scope| scope.global.contains(name));
        let seen = !declared
            && self
                .scopes
                .iter()
                .enumerate()
                .any(|(at, scope)| scope.bound.contains(name) && (!scope.class || at + 1 == innermost));
        let known = seen
            || self.global.contains(name)
            || self.package.builtins.contains(name)
            || matches!(name, "JBQ" | "API")
            || ((self.scopes.is_empty() || self.package.is_second()) && self.module.contains(name))
            || (name == "__class__" || name == "__name__" || name == "__qualname__" || name == "__module__");
        if known || self.guarded > 0 {
            return;
        }
        let names = (innermost > 0)
            .then(|| self.scopes.iter().flat_map(|scope| scope.bound.iter().copied()).collect());
        self.wrong.push(Wrong { name, range, seen: names });
    }

    fn function(&mut self, parameters: &'a ast::Parameters, body: &'a [Stmt]) {
        let Bound { plain: bound, global, .. } = Bound::of(body, Some(parameters));
        self.scopes.push(Scope { bound, global, class: false });
        self.visit_body(body);
        self.scopes.pop();
        self.variables(body);
    }

    /// The variables of a function that nothing reads.
    fn variables(&mut self, body: &'a [Stmt]) {
        let mut uses = Uses::default();
        uses.visit_body(body);
        let Uses { stored, read, outer, .. } = uses;
        let mut told = HashSet::new();
        for (name, range) in stored {
            if !read.contains(name) && !outer.contains(name) && !name.starts_with('_') && told.insert(name) {
                self.unused.push((name, range));
            }
        }
    }

    fn defaults(&mut self, parameters: &'a ast::Parameters) {
        for default in parameters.iter().filter_map(|parameter| parameter.default()) {
            self.visit_expr(default);
        }
    }

    fn comprehension(&mut self, generators: &'a [ast::Comprehension], elements: &[&'a Expr]) {
        // The first `in` is of the scope outside, the rest is a function of its own.
        if let Some(first) = generators.first() {
            self.visit_expr(&first.iter);
        }
        let mut bound = Bound::default();
        generators.iter().for_each(|generator| bound.visit_expr(&generator.target));
        self.scopes.push(Scope { bound: bound.plain, global: HashSet::new(), class: false });
        for (at, generator) in generators.iter().enumerate() {
            if at > 0 {
                self.visit_expr(&generator.iter);
            }
            generator.ifs.iter().for_each(|test| self.visit_expr(test));
        }
        elements.iter().for_each(|element| self.visit_expr(element));
        self.scopes.pop();
    }
}

/// Returns true if handlers catch what an unknown name raises.
fn catches(handlers: &[ast::ExceptHandler]) -> bool {
    let named = |class: &Expr| matches!(name_of(class), Some("NameError" | "Exception" | "BaseException"));
    handlers.iter().any(|handler| {
        let ast::ExceptHandler::ExceptHandler(handler) = handler;
        match handler.type_.as_deref() {
            None => true,
            Some(Expr::Tuple(classes)) => classes.elts.iter().any(named),
            Some(class) => named(class),
        }
    })
}

impl<'a> Visitor<'a> for Look<'a, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(function) => {
                function.decorator_list.iter().for_each(|decorator| self.visit_expr(&decorator.expression));
                self.defaults(&function.parameters);
                self.function(&function.parameters, &function.body);
            }
            Stmt::ClassDef(class) => {
                class.decorator_list.iter().for_each(|decorator| self.visit_expr(&decorator.expression));
                if let Some(arguments) = &class.arguments {
                    self.visit_arguments(arguments);
                }
                let Bound { plain: bound, global, .. } = Bound::of(&class.body, None);
                self.scopes.push(Scope { bound, global, class: true });
                self.visit_body(&class.body);
                self.scopes.pop();
            }
            Stmt::AugAssign(assign) => {
                if let Expr::Name(name) = &*assign.target {
                    self.read(name.id.as_str(), name.range);
                } else {
                    self.visit_expr(&assign.target);
                }
                self.visit_expr(&assign.value);
            }
            Stmt::AnnAssign(assign) => {
                self.visit_expr(&assign.target);
                assign.value.iter().for_each(|value| self.visit_expr(value));
            }
            Stmt::Try(tried) if catches(&tried.handlers) => {
                self.guarded += 1;
                self.visit_body(&tried.body);
                self.guarded -= 1;
                tried.handlers.iter().for_each(|handler| self.visit_except_handler(handler));
                self.visit_body(&tried.orelse);
                self.visit_body(&tried.finalbody);
            }
            Stmt::TypeAlias(_) => {}
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => {
                if name.ctx.is_load() {
                    self.read(name.id.as_str(), name.range);
                }
            }
            Expr::Lambda(lambda) => {
                let mut bound = HashSet::new();
                if let Some(parameters) = &lambda.parameters {
                    self.defaults(parameters);
                    bound.extend(parameters.iter().map(|parameter| parameter.name().as_str()));
                }
                self.scopes.push(Scope { bound, global: HashSet::new(), class: false });
                self.visit_expr(&lambda.body);
                self.scopes.pop();
            }
            Expr::ListComp(each) => self.comprehension(&each.generators, &[&each.elt]),
            Expr::SetComp(each) => self.comprehension(&each.generators, &[&each.elt]),
            Expr::Generator(each) => self.comprehension(&each.generators, &[&each.elt]),
            Expr::DictComp(each) => self.comprehension(&each.generators, &[&each.key, &each.value]),
            _ => visitor::walk_expr(self, expr),
        }
    }

    fn visit_annotation(&mut self, _expr: &'a Expr) {}
}

/// The variables that statements set by themselves, and every name that is read there or in inner functions.
#[derive(Default)]
struct Uses<'a> {
    stored: Vec<(&'a str, TextRange)>,
    read: HashSet<&'a str>,
    /// Names that belong to another scope.
    outer: HashSet<&'a str>,
    inner: u32,
}

impl<'a> Visitor<'a> for Uses<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Assign(assign) if self.inner == 0 => {
                if let [Expr::Name(name)] = &assign.targets[..]
                    && is_idle(&assign.value)
                {
                    self.stored.push((name.id.as_str(), name.range));
                }
            }
            Stmt::Global(names) => self.outer.extend(names.names.iter().map(ast::Identifier::as_str)),
            Stmt::Nonlocal(names) => self.outer.extend(names.names.iter().map(ast::Identifier::as_str)),
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {
                self.inner += 1;
                visitor::walk_stmt(self, stmt);
                self.inner -= 1;
                return;
            }
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Name(name) = expr
            && !name.ctx.is_store()
        {
            self.read.insert(name.id.as_str());
        }
        visitor::walk_expr(self, expr);
    }
}

/// Returns true if reckoning a value does nothing else: it calls nothing, or only what looks.
fn is_idle(value: &Expr) -> bool {
    struct Calls(bool);
    impl<'a> Visitor<'a> for Calls {
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Call(call) = expr {
                let looks = match api_member(&call.func) {
                    Some(member) => api::JBQ
                        .iter()
                        .chain(&api::JBQ2)
                        .any(|known| known.name == member.attr.as_str() && known.looks),
                    None => matches!(
                        name_of(&call.func),
                        Some(
                            "len"
                                | "list"
                                | "dict"
                                | "set"
                                | "range"
                                | "abs"
                                | "min"
                                | "max"
                                | "sum"
                                | "int"
                                | "str"
                                | "sorted"
                        )
                    ),
                };
                self.0 |= !looks;
            }
            self.0 |= matches!(expr, Expr::Yield(_) | Expr::YieldFrom(_) | Expr::Await(_));
            visitor::walk_expr(self, expr);
        }
    }
    let mut calls = Calls(false);
    calls.visit_expr(value);
    !calls.0
}
