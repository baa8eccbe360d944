//! Compilation of the text of a file, with corrections for mistakes of the interpreter's compiler.
//!
//! A comprehension with an inner scope (another comprehension, a lambda) both in its element and in a condition is compiled
//! by RustPython 0.5 as if the two were exchanged: it counts the scopes of the element first and meets those of the
//! conditions first. Here the element moves into a loop of one turn behind the conditions, where both orders agree:
//! `[e for x in a if c]` becomes `[v for x in a if c for v in (e,)]`. Assignments to `a[…] = …` and loops have the same mistake.
//! Decorators of a class move in front of it. And what is raised in a comprehension leaves its names changed: under `try` and
//! `with` comprehensions become generators. What cannot be put right is refused, in words that say how to write it.

use std::cell::Cell;

use ruff_text_size::{Ranged, TextRange};
use rustpython_vm::builtins::PyCode;
use rustpython_vm::compiler::ast::visitor::transformer::{self, Transformer};
use rustpython_vm::compiler::ast::visitor::{self, Visitor};
use rustpython_vm::compiler::ast::{self, Expr, ExprContext, Stmt};
use rustpython_vm::compiler::codegen::error::{CodegenError, CodegenErrorType};
use rustpython_vm::compiler::core::{OneIndexed, SourceFile, SourceFileBuilder, SourceLocation};
use rustpython_vm::compiler::{CompileError, Mode, codegen, parser};
use rustpython_vm::{PyRef, VirtualMachine};

/// The name of the loop that an element moves into: none that a file can write.
const ELEMENT: &str = ".element";

/// The text of a file as Python reads it: every kind of line end is one, and a mark of byte order is none of it.
#[must_use]
pub(crate) fn lines(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}

/// Compiles a text.
///
/// # Errors
/// An error where it is no Python.
pub(crate) fn compile(
    vm: &VirtualMachine,
    text: &str,
    mode: Mode,
    path: &str,
) -> Result<PyRef<PyCode>, CompileError> {
    let file = SourceFileBuilder::new(path, text).finish();
    let whole = if let Mode::Eval = mode { parser::Mode::Expression } else { parser::Mode::Module };
    let parsed = parser::parse(text, whole.into())
        .map_err(|error| CompileError::from_ruff_parse_error(error, &file))?;
    let mut syntax = parsed.into_syntax();
    let order = Order::default();
    match &mut syntax {
        ast::Mod::Module(module) => module.body.iter_mut().for_each(|stmt| order.visit_stmt(stmt)),
        ast::Mod::Expression(expression) => order.visit_expr(&mut expression.body),
    }
    if let Some((at, how)) = order.wrong.take() {
        return Err(refusal(&file, text, at, how));
    }
    let code = codegen::compile::compile_top(syntax, file, mode, vm.compile_opts())?;
    Ok(vm.ctx.new_code(code))
}

/// The advice for a comprehension that cannot be corrected.
const AS_LOOP: &str = "write this comprehension as a loop: its element has both := and an inner function or comprehension, and \
                       so has its condition";
/// The advice for a `finally` that is reached on several ways out of a `try`; the beginning is what fits into a
/// message. The compiler compiles it once for each of them, and inner functions and comprehensions only once.
const BEFORE_FINALLY: &str = "move the function or comprehension in this finally before the try: it is left by return, break \
                              or continue";
/// The advice for annotations with inner functions or comprehensions, which are met in another order than they are
/// counted.
const PLAIN_NOTE: &str = "write this annotation without an inner function or comprehension";

/// Makes the error for something that cannot be corrected. `at`: its position in the text, in bytes.
fn refusal(file: &SourceFile, text: &str, at: usize, how: &str) -> CompileError {
    let line = text[..at].matches('\n').count();
    CompileError::Codegen(CodegenError {
        location: Some(SourceLocation {
            line: OneIndexed::from_zero_indexed(line),
            character_offset: OneIndexed::MIN,
        }),
        error: CodegenErrorType::SyntaxError(how.to_owned()),
        source_path: file.name().to_owned(),
    })
}

/// Brings comprehensions into an order that the compiler understands.
#[derive(Default)]
struct Order {
    /// The position of the first thing that cannot be put in order, and the advice for it.
    wrong: Cell<Option<(usize, &'static str)>>,
}

impl Transformer for Order {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        transformer::walk_stmt(self, stmt);
        match stmt {
            // The value is compiled first, and its scopes are counted last.
            Stmt::Assign(assign) if has_scope(&assign.value) && assign.targets.iter().any(has_scope) => {
                let value = std::mem::replace(&mut *assign.value, none());
                *assign.value = name(ELEMENT, &value, ExprContext::Load);
                let first = assignment(name(ELEMENT, &value, ExprContext::Store), value);
                let range = first.range();
                let pass = Stmt::Pass(ast::StmtPass { node_index: Default::default(), range });
                let second = std::mem::replace(stmt, pass);
                *stmt = block(vec![first, second], range);
            }
            // The decorators are compiled first, and their scopes are counted last.
            Stmt::ClassDef(class)
                if class.decorator_list.iter().any(|decorator| has_scope(&decorator.expression)) =>
            {
                let (range, count) = (class.range, class.decorator_list.len());
                let names: Vec<String> = (0..count).map(|at| format!("{ELEMENT}.decorator{at}")).collect();
                let mut stmts = Vec::with_capacity(count + 2);
                let mut targets = Vec::with_capacity(count);
                for (id, decorator) in names.iter().zip(&mut class.decorator_list) {
                    let value = std::mem::replace(&mut decorator.expression, none());
                    decorator.expression = name(id, &value, ExprContext::Load);
                    targets.push(name(id, &value, ExprContext::Del));
                    stmts.push(assignment(name(id, &value, ExprContext::Store), value));
                }
                let pass = Stmt::Pass(ast::StmtPass { node_index: Default::default(), range });
                stmts.push(std::mem::replace(stmt, pass));
                stmts.push(Stmt::Delete(ast::StmtDelete { node_index: Default::default(), range, targets }));
                *stmt = block(stmts, range);
            }
            Stmt::FunctionDef(function) => {
                let notes = function.parameters.iter().filter_map(|parameter| parameter.annotation());
                if let Some(note) = notes.chain(function.returns.as_deref()).find(|note| has_scope(note)) {
                    self.refuse(note, PLAIN_NOTE);
                }
            }
            Stmt::AnnAssign(assign)
                if !matches!(*assign.target, Expr::Name(_))
                    && (has_scope(&assign.annotation)
                        || (has_scope(&assign.target) && assign.value.as_deref().is_some_and(has_scope))) =>
            {
                self.refuse(&*assign.annotation, PLAIN_NOTE);
            }
            Stmt::For(turns) if has_scope(&turns.target) && has_scope(&turns.iter) => {
                let target = std::mem::replace(&mut *turns.target, none());
                *turns.target = name(ELEMENT, &target, ExprContext::Store);
                let item = name(ELEMENT, &target, ExprContext::Load);
                turns.body.insert(0, assignment(target, item));
            }
            // An inlined comprehension leaves its loop variables changed when an exception is raised in it,
            // and the code that catches it goes on with them. And a `finally` block is compiled several
            // times, which such comprehensions do not allow. Generators do both.
            Stmt::Try(tried) => {
                let mut last = Scopes::default();
                last.visit_body(&tried.finalbody);
                if last.scope && is_left(tried) {
                    self.refuse(&tried.finalbody[0], BEFORE_FINALLY);
                }
                transformer::walk_stmt(&Spread, stmt);
            }
            Stmt::With(_) => transformer::walk_stmt(&Spread, stmt),
            _ => {}
        }
    }

    fn visit_expr(&self, expr: &mut Expr) {
        transformer::walk_expr(self, expr);
        match expr {
            Expr::ListComp(each) => self.single(&mut each.elt, &mut each.generators),
            Expr::SetComp(each) => self.single(&mut each.elt, &mut each.generators),
            Expr::Generator(each) => self.single(&mut each.elt, &mut each.generators),
            Expr::DictComp(each) => {
                if !crossed(&[&each.key, &each.value], &each.generators) {
                    return;
                }
                let names = [format!("{ELEMENT}.key"), format!("{ELEMENT}.value")];
                let [key, value] =
                    [&mut each.key, &mut each.value].map(|part| std::mem::replace(&mut **part, none()));
                if self.is_wrong(&[&key, &value]) {
                    return;
                }
                *each.key = name(&names[0], &key, ExprContext::Load);
                *each.value = name(&names[1], &value, ExprContext::Load);
                let targets = vec![
                    name(&names[0], &key, ExprContext::Store),
                    name(&names[1], &value, ExprContext::Store),
                ];
                let target = tuple(targets, ExprContext::Store);
                each.generators.push(turn(target, tuple(vec![key, value], ExprContext::Load)));
            }
            _ => {}
        }
    }
}

impl Order {
    fn single(&self, elt: &mut Expr, generators: &mut Vec<ast::Comprehension>) {
        if !crossed(&[elt], generators) || self.is_wrong(&[elt]) {
            return;
        }
        let element = std::mem::replace(elt, none());
        *elt = name(ELEMENT, &element, ExprContext::Load);
        let target = name(ELEMENT, &element, ExprContext::Store);
        generators.push(turn(target, element));
    }

    /// Python has no := in what a comprehension goes through.
    fn is_wrong(&self, elements: &[&Expr]) -> bool {
        let mut found = Scopes::default();
        elements.iter().for_each(|element| found.visit_expr(element));
        if found.named {
            self.refuse(elements[0], AS_LOOP);
        }
        found.named
    }

    /// Records something that cannot be corrected; only the first is reported.
    fn refuse(&self, what: &impl Ranged, how: &'static str) {
        if self.wrong.get().is_none() {
            self.wrong.set(Some((what.range().start().to_usize(), how)));
        }
    }
}

/// Makes generators of comprehensions: `[*(e for x in a)]` is `[e for x in a]`.
struct Spread;

impl Transformer for Spread {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        // The body of a function is compiled once, wherever it is made; its defaults and decorators belong to where it is made.
        match stmt {
            Stmt::FunctionDef(function) => {
                function.decorator_list.iter_mut().for_each(|decorator| self.visit_decorator(decorator));
                self.visit_parameters(&mut function.parameters);
            }
            Stmt::ClassDef(class) => {
                class.decorator_list.iter_mut().for_each(|decorator| self.visit_decorator(decorator));
                if let Some(arguments) = &mut class.arguments {
                    self.visit_arguments(arguments);
                }
            }
            _ => transformer::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&self, expr: &mut Expr) {
        if let Expr::Lambda(function) = expr {
            if let Some(parameters) = &mut function.parameters {
                self.visit_parameters(parameters);
            }
            return;
        }
        transformer::walk_expr(self, expr);
        let generator = |elt: &mut Box<Expr>, generators: &mut Vec<ast::Comprehension>, range| {
            let elt = std::mem::replace(elt, Box::new(none()));
            let generator = Expr::Generator(ast::ExprGenerator {
                node_index: Default::default(),
                range,
                elt,
                generators: std::mem::take(generators),
                parenthesized: true,
            });
            let value = Box::new(generator);
            Expr::Starred(ast::ExprStarred {
                node_index: Default::default(),
                range,
                value,
                ctx: ExprContext::Load,
            })
        };
        match expr {
            Expr::ListComp(each) => {
                let elts = vec![generator(&mut each.elt, &mut each.generators, each.range)];
                let (range, ctx) = (each.range, ExprContext::Load);
                *expr = Expr::List(ast::ExprList { node_index: Default::default(), range, elts, ctx });
            }
            Expr::SetComp(each) => {
                let elts = vec![generator(&mut each.elt, &mut each.generators, each.range)];
                *expr = Expr::Set(ast::ExprSet { node_index: Default::default(), range: each.range, elts });
            }
            // `{k: v for x in a}` is `[*({k: v for x in a} for _ in (0,))][0]`.
            Expr::DictComp(each) => {
                let range = each.range;
                let zero = || {
                    let value = ast::Number::Int(ast::Int::ZERO);
                    Expr::NumberLiteral(ast::ExprNumberLiteral {
                        node_index: Default::default(),
                        range,
                        value,
                    })
                };
                let dict = Box::new(std::mem::replace(expr, none()));
                let target = Expr::Name(ast::ExprName {
                    node_index: Default::default(),
                    range,
                    id: ast::name::Name::new(ELEMENT),
                    ctx: ExprContext::Store,
                });
                let mut turns = vec![turn(target, zero())];
                let elts = vec![generator(&mut { dict }, &mut turns, range)];
                let list =
                    ast::ExprList { node_index: Default::default(), range, elts, ctx: ExprContext::Load };
                *expr = Expr::Subscript(ast::ExprSubscript {
                    node_index: Default::default(),
                    range,
                    value: Box::new(Expr::List(list)),
                    slice: Box::new(zero()),
                    ctx: ExprContext::Load,
                });
            }
            _ => {}
        }
    }
}

/// Returns true if there are inner scopes in an expression.
fn has_scope(expr: &Expr) -> bool {
    let mut found = Scopes::default();
    found.visit_expr(expr);
    found.scope
}

/// Returns true if there are inner scopes both in the elements and behind the first `in` of a comprehension.
fn crossed(elements: &[&Expr], generators: &[ast::Comprehension]) -> bool {
    let mut inner = Scopes::default();
    elements.iter().for_each(|element| inner.visit_expr(element));
    if !inner.scope {
        return false;
    }
    let mut behind = Scopes::default();
    for (at, generator) in generators.iter().enumerate() {
        if at > 0 {
            behind.visit_expr(&generator.iter);
        }
        generator.ifs.iter().for_each(|test| behind.visit_expr(test));
        behind.visit_expr(&generator.target);
    }
    behind.scope
}

/// A visitor that finds inner scopes and assignments in an expression.
#[derive(Default)]
struct Scopes {
    /// Set if there is a function or comprehension.
    scope: bool,
    /// Set if a name is assigned (`:=`).
    named: bool,
}

impl<'a> Visitor<'a> for Scopes {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        self.scope |= matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_));
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.scope |= matches!(
            expr,
            Expr::Lambda(_) | Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_)
        );
        self.named |= matches!(expr, Expr::Named(_));
        visitor::walk_expr(self, expr);
    }
}

/// Returns true if a `try` with its handlers is left by `return`, `break` or `continue`.
fn is_left(tried: &ast::StmtTry) -> bool {
    let mut ways = Ways::default();
    ways.visit_body(&tried.body);
    tried.handlers.iter().for_each(|handler| ways.visit_except_handler(handler));
    ways.visit_body(&tried.orelse);
    ways.found
}

/// Ways out of statements.
#[derive(Default)]
struct Ways {
    found: bool,
    /// Loops around, which `break` and `continue` belong to.
    loops: u32,
}

impl<'a> Visitor<'a> for Ways {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let (body, last) = match stmt {
            Stmt::Return(_) => return self.found = true,
            Stmt::Break(_) | Stmt::Continue(_) => return self.found |= self.loops == 0,
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            Stmt::For(turns) => (&turns.body, &turns.orelse),
            Stmt::While(turns) => (&turns.body, &turns.orelse),
            _ => return visitor::walk_stmt(self, stmt),
        };
        self.loops += 1;
        self.visit_body(body);
        self.loops -= 1;
        self.visit_body(last);
    }

    fn visit_expr(&mut self, _expr: &'a Expr) {}
}

/// Statements where one stood.
fn block(body: Vec<Stmt>, range: TextRange) -> Stmt {
    let test = Expr::BooleanLiteral(ast::ExprBooleanLiteral { value: true, ..Default::default() });
    Stmt::If(ast::StmtIf {
        node_index: Default::default(),
        range,
        test: Box::new(test),
        body,
        elif_else_clauses: Vec::new(),
    })
}

/// Makes a placeholder to put where an expression was.
fn none() -> Expr {
    Expr::NoneLiteral(ast::ExprNoneLiteral::default())
}

fn name(id: &str, like: &Expr, ctx: ExprContext) -> Expr {
    Expr::Name(ast::ExprName {
        node_index: Default::default(),
        range: like.range(),
        id: ast::name::Name::new(id),
        ctx,
    })
}

fn tuple(elts: Vec<Expr>, ctx: ExprContext) -> Expr {
    let range = elts[0].range();
    Expr::Tuple(ast::ExprTuple { node_index: Default::default(), range, elts, ctx, parenthesized: true })
}

fn assignment(target: Expr, value: Expr) -> Stmt {
    let range = value.range();
    let (targets, value) = (vec![target], Box::new(value));
    Stmt::Assign(ast::StmtAssign { node_index: Default::default(), range, targets, value })
}

/// A loop of one turn.
fn turn(target: Expr, element: Expr) -> ast::Comprehension {
    let range = element.range();
    let iter = tuple(vec![element], ExprContext::Load);
    ast::Comprehension {
        node_index: Default::default(),
        range,
        target,
        iter,
        ifs: Vec::new(),
        is_async: false,
    }
}
