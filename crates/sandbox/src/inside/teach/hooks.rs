//! The functions of a file that the game calls: whether they are there, take what they are given, and give back what is wanted.

use std::collections::{HashMap, HashSet};

use jingbanqi::api;
use ruff_text_size::Ranged;
use rustpython_vm::compiler::ast::visitor::{self, Visitor};
use rustpython_vm::compiler::ast::{self, Expr, Stmt};

use super::{File, Package, name_of, nearest, whole};
use crate::lesson::Lesson;

/// A function that the game calls.
pub(super) struct Called<'a> {
    pub function: &'a ast::StmtFunctionDef,
    pub hook: Which,
    /// True for a method, whose first parameter is its object.
    pub method: bool,
}

/// The hook that a function is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    CheckCanGo,
    AfterMove,
    Place,
    Choices,
    MayDrop,
    Score,
}

impl Which {
    /// The arguments that it is given.
    fn given(self) -> usize {
        match self {
            Which::CheckCanGo | Which::Choices => 3,
            Which::AfterMove | Which::Place | Which::MayDrop => 2,
            Which::Score => 1,
        }
    }

    /// Returns true if it is only asked: what it does is forgotten.
    pub(super) fn is_asked(self) -> bool {
        self != Which::AfterMove
    }
}

impl Called<'_> {
    /// Returns the name of its parameter of that number, without its object.
    pub(super) fn parameter(&self, number: usize) -> Option<&str> {
        let parameters = &self.function.parameters;
        let all = parameters.posonlyargs.iter().chain(&parameters.args).skip(usize::from(self.method));
        all.map(|parameter| parameter.parameter.name.as_str()).nth(number)
    }
}

/// The names of a file's top level: functions, classes, and what else has a value.
#[derive(Default)]
struct Top<'a> {
    functions: HashMap<&'a str, Vec<&'a ast::StmtFunctionDef>>,
    classes: HashMap<&'a str, &'a ast::StmtClassDef>,
    /// The last value of each name.
    values: HashMap<&'a str, &'a Expr>,
    /// Every name that is bound there, with where.
    bound: Vec<(&'a str, &'a Stmt)>,
}

fn top(body: &[Stmt]) -> Top<'_> {
    let mut top = Top::default();
    gather(body, &mut top);
    top
}

fn gather<'a>(body: &'a [Stmt], top: &mut Top<'a>) {
    for stmt in body {
        match stmt {
            Stmt::FunctionDef(function) => {
                top.functions.entry(function.name.as_str()).or_default().push(function);
                top.bound.push((function.name.as_str(), stmt));
            }
            Stmt::ClassDef(class) => {
                top.classes.insert(class.name.as_str(), class);
                top.bound.push((class.name.as_str(), stmt));
            }
            Stmt::Assign(assign) => {
                for target in &assign.targets {
                    if let Some(name) = name_of(target) {
                        top.values.insert(name, &assign.value);
                        top.bound.push((name, stmt));
                    } else if let Expr::Tuple(names) = target {
                        top.bound.extend(names.elts.iter().filter_map(name_of).map(|name| (name, stmt)));
                    }
                }
            }
            Stmt::AnnAssign(assign) => {
                if let (Some(name), Some(value)) = (name_of(&assign.target), &assign.value) {
                    top.values.insert(name, value);
                    top.bound.push((name, stmt));
                }
            }
            Stmt::If(test) => {
                gather(&test.body, top);
                test.elif_else_clauses.iter().for_each(|clause| gather(&clause.body, top));
            }
            Stmt::Try(tried) => {
                gather(&tried.body, top);
                gather(&tried.orelse, top);
            }
            _ => {}
        }
    }
}

/// Looks at the hooks of a file, and returns the functions that the game calls.
pub(super) fn look<'a>(file: &mut File<'a>, package: &Package<'_>) -> Vec<Called<'a>> {
    let top = top(file.body);
    let read = read_names(file.body);
    let mut called = Vec::new();
    let mut hooks = vec![("check_can_go", Which::CheckCanGo), ("after_move", Which::AfterMove)];
    if package.is_second() {
        hooks.extend([("choices", Which::Choices), ("may_drop", Which::MayDrop), ("score", Which::Score)]);
    }
    for (name, hook) in hooks {
        if let Some(value) = top.values.get(name) {
            called.extend(of_value(value, &top, hook));
        } else if let Some(functions) = top.functions.get(name) {
            if let [first, .., last] = functions[..]
                && !read.contains(name)
            {
                let line = file.spot(last.name.range().start()).line;
                file.warn(Lesson::DefinedTwice, &first.name, name, line.to_string());
            }
            called.extend(functions.last().map(|function| Called { function, hook, method: false }));
        }
    }
    if let Some(Expr::Dict(rules)) = top.values.get("loc_rules") {
        for item in &rules.items {
            called.extend(of_value(&item.value, &top, Which::Place));
        }
    }
    for one in &called {
        arguments(file, one);
        returns(file, one);
    }
    strangers(file, package, &top, &read);
    called
}

/// The function that a value of the top level is.
fn of_value<'a>(value: &'a Expr, top: &Top<'a>, hook: Which) -> Option<Called<'a>> {
    match value {
        Expr::Name(name) => {
            let function = top.functions.get(name.id.as_str())?.last()?;
            Some(Called { function, hook, method: false })
        }
        Expr::Attribute(attribute) => {
            let class = match &*attribute.value {
                Expr::Name(object) => match top.values.get(object.id.as_str())? {
                    Expr::Call(made) => name_of(&made.func)?,
                    _ => return None,
                },
                Expr::Call(made) => name_of(&made.func)?,
                _ => return None,
            };
            let class = top.classes.get(class)?;
            let method = class.body.iter().find_map(|stmt| match stmt {
                Stmt::FunctionDef(function) if function.name.as_str() == attribute.attr.as_str() => {
                    Some(function)
                }
                _ => None,
            })?;
            method.decorator_list.is_empty().then_some(Called { function: method, hook, method: true })
        }
        _ => None,
    }
}

/// The names that are read anywhere in a file.
fn read_names(body: &[Stmt]) -> HashSet<&str> {
    #[derive(Default)]
    struct Read<'a>(HashSet<&'a str>);
    impl<'a> Visitor<'a> for Read<'a> {
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Name(name) = expr
                && name.ctx.is_load()
            {
                self.0.insert(name.id.as_str());
            }
            visitor::walk_expr(self, expr);
        }
    }
    let mut read = Read::default();
    read.visit_body(body);
    read.0
}

/// Names that are close to ones that are read, functions that nothing calls, and files without any hook.
fn strangers(file: &mut File<'_>, package: &Package<'_>, top: &Top<'_>, read: &HashSet<&str>) {
    let hooks = || package.hooks().map(|member| member.name);
    let missing: Vec<&str> =
        hooks().filter(|name| !top.bound.iter().any(|(bound, _)| bound == name)).collect();
    let mut near = false;
    for (name, stmt) in &top.bound {
        if read.contains(name) || hooks().any(|hook| hook == *name) {
            continue;
        }
        if let Some(hook) = nearest(name, missing.iter().copied()) {
            file.warn(Lesson::NearHook, *stmt, *name, hook);
            near = true;
        } else if let Stmt::FunctionDef(function) = stmt
            && function.decorator_list.is_empty()
            && !name.starts_with('_')
        {
            file.warn(Lesson::NeverCalled, *stmt, *name, "");
        }
    }
    let called = ["check_can_go", "after_move", "loc_rules"];
    let second = || api::HOOKS2.iter().filter(|_| package.is_second());
    let dynamic = ["exec", "globals", "locals", "vars", "eval"].iter().any(|name| read.contains(name));
    if !near
        && !dynamic
        && !top.bound.iter().any(|(name, _)| called.contains(name) || second().any(|hook| hook.name == *name))
        && !imports_or_defines_more(file.body)
        && let Some(first) = file.body.first()
    {
        file.warn(Lesson::NoHooks, first, "", "");
    }
}

/// Returns true if statements of the top level may bind names in ways that are not followed here, or act on `JBQ` at once.
fn imports_or_defines_more(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::For(_) | Stmt::While(_) | Stmt::With(_) | Stmt::Match(_) => true,
        // `JBQ.helper = …`: a library for other extensions.
        Stmt::Assign(assign) => {
            assign.targets.iter().any(|target| matches!(target, Expr::Attribute(_) | Expr::Subscript(_)))
        }
        Stmt::FunctionDef(function) => !function.decorator_list.is_empty(),
        _ => false,
    })
}

fn arguments(file: &mut File<'_>, called: &Called<'_>) {
    let parameters = &called.function.parameters;
    let own = parameters.posonlyargs.iter().chain(&parameters.args);
    let object = usize::from(called.method);
    let most = own.clone().count();
    let least = own.filter(|parameter| parameter.default.is_none()).count();
    let given = called.hook.given() + object;
    let wanted = parameters.kwonlyargs.iter().any(|parameter| parameter.default.is_none());
    let fits = least <= given && (given <= most || parameters.vararg.is_some()) && !wanted;
    if !fits {
        let sign = match called.hook {
            Which::CheckCanGo => "check_can_go(can_go, chess, arr)",
            Which::AfterMove => "after_move(arr1, arr2)",
            Which::Place => "f(args, arr)",
            Which::Choices => "choices(piece, a, b)",
            Which::MayDrop => "may_drop(id, arr)",
            Which::Score => "score(side)",
        };
        file.warn(Lesson::HookArguments, &called.function.name, called.function.name.as_str(), sign);
    }
}

/// The statements of a function that give back values, without those of inner functions.
#[derive(Default)]
pub(super) struct Returns<'a> {
    pub values: Vec<&'a ast::StmtReturn>,
    /// Set if the function is a generator.
    pub yields: bool,
}

impl<'a> Visitor<'a> for Returns<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Return(value) => self.values.push(value),
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.yields |= matches!(expr, Expr::Yield(_) | Expr::YieldFrom(_));
        if !matches!(expr, Expr::Lambda(_)) {
            visitor::walk_expr(self, expr);
        }
    }
}

fn returns(file: &mut File<'_>, called: &Called<'_>) {
    let mut returns = Returns::default();
    returns.visit_body(&called.function.body);
    let name = called.function.name.as_str();
    if returns.yields || called.function.is_async {
        return;
    }
    let has_value = returns.values.iter().any(|one| one.value.is_some());
    match called.hook {
        Which::AfterMove => {}
        Which::Place if !has_value && !ends(&called.function.body) => {
            file.warn(Lesson::NoReturn, &called.function.name, name, "place");
        }
        Which::Place | Which::Choices | Which::MayDrop | Which::Score => {}
        Which::CheckCanGo => {
            let bare =
                returns.values.iter().find(|one| one.value.as_deref().is_none_or(Expr::is_none_literal_expr));
            if let Some(bare) = bare {
                file.warn(Lesson::NoReturn, *bare, name, "bare");
            } else if !ends(&called.function.body) {
                let kind = if has_value { "some" } else { "never" };
                file.warn(Lesson::NoReturn, &called.function.name, name, kind);
            }
            let arr = called.parameter(2).unwrap_or_default();
            for value in returns.values.iter().filter_map(|one| one.value.as_deref()) {
                if let Some(what) = no_groups(value, arr) {
                    let text = file.text_of(value);
                    file.warn(Lesson::NotGroups, value, text, what);
                }
            }
            let mut added = Added { list: called.parameter(0).unwrap_or_default(), arr, found: Vec::new() };
            added.visit_body(&called.function.body);
            for expr in added.found {
                let text = file.text_of(expr);
                file.warn(Lesson::NotGroups, expr, text, "square");
            }
        }
    }
}

/// Squares that are added to the list of groups without a group around them.
struct Added<'a, 'b> {
    list: &'b str,
    arr: &'b str,
    found: Vec<&'a Expr>,
}

impl<'a> Visitor<'a> for Added<'a, '_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Call(call) = expr
            && let Expr::Attribute(function) = &*call.func
            && function.attr.as_str() == "append"
            && name_of(&function.value) == Some(self.list)
            && let [one] = &call.arguments.args[..]
            && is_square(one, self.arr)
        {
            self.found.push(one);
        }
        visitor::walk_expr(self, expr);
    }
}

/// Returns true if an expression is certainly a square: a pair of numbers.
fn is_square(expr: &Expr, arr: &str) -> bool {
    let elts = match expr {
        Expr::Tuple(pair) => &pair.elts,
        Expr::List(pair) => &pair.elts,
        _ => return false,
    };
    let [row, col] = &elts[..] else { return false };
    is_number(row, arr) || is_number(col, arr)
}

/// Returns true if an expression is certainly a number: one that is written, or one that is reckoned with a row or column.
fn is_number(expr: &Expr, arr: &str) -> bool {
    match expr {
        Expr::NumberLiteral(_) => true,
        Expr::UnaryOp(minus) => minus.op == ast::UnaryOp::USub,
        Expr::Subscript(part) => name_of(&part.value) == Some(arr) && whole(&part.slice).is_some(),
        Expr::BinOp(sum) => is_number(&sum.left, arr) || is_number(&sum.right, arr),
        _ => false,
    }
}

/// Returns what a value of `check_can_go` is instead of a list of groups; `None` where it may be one.
fn no_groups(value: &Expr, arr: &str) -> Option<&'static str> {
    match value {
        Expr::StringLiteral(_) | Expr::FString(_) => Some("text"),
        Expr::NumberLiteral(_) => Some("number"),
        Expr::BooleanLiteral(_) | Expr::Compare(_) => Some("truth"),
        Expr::List(list) => list.elts.iter().find_map(|group| group_of(group, arr)),
        Expr::Tuple(list) => {
            if is_square(value, arr) {
                return Some("square");
            }
            list.elts.iter().find_map(|group| group_of(group, arr))
        }
        Expr::BinOp(sum) if sum.op == ast::Operator::Add => {
            no_groups(&sum.right, arr).or_else(|| no_groups(&sum.left, arr))
        }
        Expr::ListComp(list) => group_of(&list.elt, arr),
        _ => None,
    }
}

/// Returns what a member of the list is instead of a group of squares.
fn group_of(group: &Expr, arr: &str) -> Option<&'static str> {
    if is_square(group, arr) {
        return Some("square");
    }
    match group {
        Expr::Name(name) if name.id.as_str() == arr => Some("square"),
        Expr::NumberLiteral(_) => Some("number"),
        Expr::StringLiteral(_) => Some("text"),
        Expr::List(squares) if squares.elts.iter().any(is_divided) => Some("division"),
        Expr::List(squares) => {
            let pair = |square: &Expr| match square {
                Expr::List(pair) => is_square(square, arr) && pair.elts.len() == 2,
                _ => false,
            };
            squares.elts.iter().any(pair).then_some("list")
        }
        _ => None,
    }
}

/// Returns true for a square with a row or column that is divided: the result is no whole number.
fn is_divided(square: &Expr) -> bool {
    let Expr::Tuple(pair) = square else { return false };
    pair.elts.iter().any(|part| matches!(part, Expr::BinOp(sum) if sum.op == ast::Operator::Div))
}

/// Returns true if statements surely end by `return`, `raise` or never.
pub(super) fn ends(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Return(_) | Stmt::Raise(_) => true,
        Stmt::If(test) => {
            let last = test.elif_else_clauses.last().is_some_and(|clause| clause.test.is_none());
            last && ends(&test.body) && test.elif_else_clauses.iter().all(|clause| ends(&clause.body))
        }
        Stmt::While(turns) => {
            is_true(&turns.test) && !has_break(&turns.body) || ends(&turns.orelse) && !has_break(&turns.body)
        }
        Stmt::For(turns) => !has_break(&turns.body) && ends(&turns.orelse),
        Stmt::With(with) => ends(&with.body),
        Stmt::Match(choice) => {
            let all = choice.cases.last().is_some_and(|case| {
                case.guard.is_none()
                    && matches!(&case.pattern, ast::Pattern::MatchAs(any) if any.pattern.is_none())
            });
            all && choice.cases.iter().all(|case| ends(&case.body))
        }
        Stmt::Try(tried) => {
            let handled = |handler: &ast::ExceptHandler| {
                let ast::ExceptHandler::ExceptHandler(handler) = handler;
                ends(&handler.body)
            };
            ends(&tried.finalbody)
                || (ends(&tried.body) || ends(&tried.orelse)) && tried.handlers.iter().all(handled)
        }
        _ => false,
    })
}

pub(super) fn is_true(test: &Expr) -> bool {
    match test {
        Expr::BooleanLiteral(value) => value.value,
        test => whole(test).is_some_and(|number| number != 0),
    }
}

/// Returns true if there is a `break` of this loop.
pub(super) fn has_break(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Break(_) => true,
        Stmt::If(test) => {
            has_break(&test.body) || test.elif_else_clauses.iter().any(|clause| has_break(&clause.body))
        }
        // The `else` of an inner loop belongs to this one.
        Stmt::For(turns) => has_break(&turns.orelse),
        Stmt::While(turns) => has_break(&turns.orelse),
        Stmt::With(with) => has_break(&with.body),
        Stmt::Match(choice) => choice.cases.iter().any(|case| has_break(&case.body)),
        Stmt::Try(tried) => {
            let handlers = tried.handlers.iter().any(|handler| {
                let ast::ExceptHandler::ExceptHandler(handler) = handler;
                has_break(&handler.body)
            });
            has_break(&tried.body) || handlers || has_break(&tried.orelse) || has_break(&tried.finalbody)
        }
        _ => false,
    })
}
