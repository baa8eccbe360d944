//! Acts of code that are surely not meant: sides, squares and pieces that are not there, changes that are lost, loops without an end.

use std::collections::{HashMap, HashSet};

use jingbanqi::api;
use ruff_text_size::{Ranged, TextRange};
use rustpython_vm::compiler::ast::visitor::{self, Visitor};
use rustpython_vm::compiler::ast::{self, CmpOp, Expr, Stmt};

use super::hooks::{Called, Which, has_break, is_true};
use super::{File, Package, api_member, name_of, nearest, whole};
use crate::lesson::Lesson;

/// The modules that can be imported.
const MODULES: [&str; 2] = ["math", "random"];
/// The methods of lists that change them and give back nothing.
const SILENT: [&str; 7] = ["append", "extend", "insert", "remove", "sort", "reverse", "clear"];

/// Adds the members that a file assigns to anything, with its methods, the ones that it reads, and the texts that it uses as keys.
pub(super) fn kept(body: &[Stmt], package: &mut Package<'_>) {
    let Package { members, keys, read, .. } = package;
    Kept { members, keys, read }.visit_body(body);
}

struct Kept<'b> {
    members: &'b mut HashSet<String>,
    keys: &'b mut HashSet<String>,
    read: &'b mut HashSet<String>,
}

impl<'a> Visitor<'a> for Kept<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let Stmt::ClassDef(class) = stmt {
            for stmt in &class.body {
                match stmt {
                    Stmt::FunctionDef(method) => drop(self.members.insert(method.name.to_string())),
                    Stmt::Assign(assign) => {
                        let names = assign.targets.iter().filter_map(name_of);
                        self.members.extend(names.map(str::to_owned));
                    }
                    _ => {}
                }
            }
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Attribute(attribute) if !attribute.ctx.is_load() => {
                self.members.insert(attribute.attr.to_string());
            }
            Expr::Attribute(attribute) => drop(self.read.insert(attribute.attr.to_string())),
            Expr::Subscript(part) if !part.ctx.is_load() => self.keys.extend(text(&part.slice)),
            Expr::Dict(dict) => {
                self.keys.extend(dict.items.iter().filter_map(|item| text(item.key.as_ref()?)))
            }
            Expr::Compare(compare) if compare.ops.iter().any(|op| matches!(op, CmpOp::In | CmpOp::NotIn)) => {
                self.keys.extend(text(&compare.left));
            }
            Expr::Call(call) => {
                let function = match &*call.func {
                    Expr::Attribute(attribute) => attribute.attr.as_str(),
                    func => name_of(func).unwrap_or_default(),
                };
                match function {
                    "setattr" | "hasattr" | "getattr" => {
                        self.members.extend(call.arguments.args.get(1).and_then(text))
                    }
                    "get" | "setdefault" | "pop" => {
                        self.keys.extend(call.arguments.args.first().and_then(text))
                    }
                    "update" | "dict" => {
                        let names = call.arguments.keywords.iter().filter_map(|keyword| keyword.arg.as_ref());
                        self.keys.extend(names.map(|name| name.to_string()));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}

fn text(expr: &Expr) -> Option<String> {
    if let Expr::StringLiteral(text) = expr { Some(text.value.to_str().to_owned()) } else { None }
}

/// Looks at what the code of a file does. `hooks`: the functions that the game calls.
pub(super) fn look(file: &mut File<'_>, package: &Package<'_>, hooks: &[Called<'_>]) {
    let body = file.body;
    let mut look = Look { file, package, hooks, functions: Vec::new(), guarded: 0 };
    look.visit_body(body);
}

/// A function around the place that is looked at.
struct Function<'a> {
    /// True if it is only asked, or stands in one that is.
    asked: bool,
    /// Names that stand for pieces and nothing else, with the name of the square that was asked about.
    pieces: HashMap<&'a str, Option<&'a str>>,
    /// Names that stand for a part of `JBQ.map_data`: its field, and the number of indices.
    parts: HashMap<&'a str, (String, usize)>,
    /// The name of its object, for a method.
    object: Option<&'a str>,
    /// The square that a move has left.
    left: Option<&'a str>,
    /// Names that a condition asks about.
    asked_about: HashSet<&'a str>,
    /// Names of the module of random numbers.
    random: HashSet<&'a str>,
    /// Names of the scope outside that it changes.
    outer: HashSet<&'a str>,
}

struct Look<'a, 'b, 'c> {
    file: &'b mut File<'a>,
    package: &'b Package<'b>,
    hooks: &'b [Called<'c>],
    functions: Vec<Function<'a>>,
    /// The number of `try` around.
    guarded: u32,
}

impl<'a> Look<'a, '_, '_> {
    fn warn(&mut self, lesson: Lesson, at: &impl Ranged, found: impl Into<String>, near: impl Into<String>) {
        self.file.warn(lesson, at, found, near);
    }

    fn kinds(&self) -> i64 {
        self.package.map.kinds.len() as i64
    }

    fn is_object(&self, expr: &Expr) -> bool {
        let name = name_of(expr);
        name.is_some() && self.functions.iter().any(|function| function.object == name)
    }

    fn enter(&mut self, function: &'a ast::StmtFunctionDef) {
        let called = self.hooks.iter().find(|called| called.function.range == function.range);
        let outer = self.functions.last();
        let hook = called.map(|called| called.hook);
        let asked = hook.map_or(outer.is_some_and(|outer| outer.asked), Which::is_asked);
        let first = function.parameters.posonlyargs.iter().chain(&function.parameters.args);
        let names: Vec<&'a str> = first.map(|parameter| parameter.parameter.name.as_str()).collect();
        let method = called.is_some_and(|called| called.method) || names.first() == Some(&"self");
        let parameter = |number: usize| names.get(number + usize::from(method)).copied();
        let mut facts = Facts::default();
        facts.visit_body(&function.body);
        let mut pieces = facts.pieces;
        if hook == Some(Which::CheckCanGo) {
            pieces.extend(parameter(1).map(|name| (name, None)));
        }
        pieces.retain(|name, _| !facts.others.contains(name));
        let left = (hook == Some(Which::AfterMove)).then(|| parameter(0)).flatten();
        self.functions.push(Function {
            asked,
            pieces,
            parts: facts.parts,
            object: if method { names.first().copied() } else { None },
            left: left.filter(|name| !facts.stored.contains(name)),
            asked_about: facts.asked_about,
            random: facts.random,
            outer: facts.outer,
        });
    }

    fn is_piece(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(_) => asked_square(expr).is_some(),
            _ => {
                let name = name_of(expr);
                name.is_some_and(|name| {
                    self.functions.last().is_some_and(|function| function.pieces.contains_key(name))
                })
            }
        }
    }

    /// The field of `JBQ.map_data` that an expression is a part of, and the number of indices behind it.
    fn part(&self, expr: &Expr) -> Option<(String, usize)> {
        part_of(expr, &|name| {
            self.functions.iter().rev().find_map(|function| function.parts.get(name).cloned())
        })
    }

    /// Looks at a target of an assignment.
    fn stored(&mut self, target: &'a Expr, value: Option<&'a Expr>) {
        if !matches!(target, Expr::Name(_))
            && let Some((field, indices)) = self.part(target)
            && (1..=3).contains(&(indices + usize::from(!field.is_empty())))
            && field != "chesses"
        {
            let found = self.file.text_of(target);
            self.warn(Lesson::MapDataWritten, target, found, "");
        }
        let (Expr::Attribute(attribute), Some(value)) = (target, value) else { return };
        if self.is_object(&attribute.value) {
            return;
        }
        match attribute.attr.as_str() {
            "belong" if !is_side(value, 3) => self.side(value, "belong"),
            "turn" if api_member(target).is_some() && !is_side(value, 2) => self.side(value, "turn"),
            "id" if whole(value).is_some_and(|id| !(1..=self.kinds()).contains(&id)) => self.no_piece(value),
            "move" | "tran_move" | "tran_con" if text(value).is_some() => {
                let found = self.file.text_of(value);
                self.warn(Lesson::RuleAsText, value, found, attribute.attr.as_str());
            }
            _ => {}
        }
    }

    /// A member that is set at a piece and never read, and nearly has the name of one that pieces have.
    fn misspelt(&mut self, attribute: &'a ast::ExprAttribute) {
        let name = attribute.attr.as_str();
        let known = || api::CHESS.iter().map(|member| member.name);
        if !self.is_piece(&attribute.value)
            || known().any(|member| member == name)
            || self.package.read.contains(name)
        {
            return;
        }
        if let Some(near) = nearest(name, known()) {
            self.warn(Lesson::UnknownPieceMember, &attribute.attr, name, near);
        }
    }

    fn side(&mut self, value: &Expr, near: &str) {
        let found = self.file.text_of(value);
        self.warn(Lesson::BadSide, value, found, near);
    }

    fn no_piece(&mut self, value: &Expr) {
        let (found, most) = (self.file.text_of(value), self.kinds().to_string());
        self.warn(Lesson::NoSuchPiece, value, found, most);
    }

    /// A square that is written out must be on the board.
    fn square(&mut self, square: &Expr) {
        let elts = match square {
            Expr::Tuple(pair) => &pair.elts,
            Expr::List(pair) => &pair.elts,
            _ => return,
        };
        let [row, col] = &elts[..] else { return };
        let map = self.package.map;
        for (part, length, own) in [(row, i64::from(map.rows), "rl"), (col, i64::from(map.cols), "cl")] {
            let beyond = api_member(part).is_some_and(|member| member.attr.as_str() == own)
                || whole(part).is_some_and(|number| number >= length || number < -length);
            if beyond {
                let found = self.file.text_of(square);
                let near = format!("{}", length - 1);
                return self.warn(Lesson::OffBoard, square, found, near);
            }
        }
    }

    fn api_call(&mut self, call: &'a ast::ExprCall, member: &ast::ExprAttribute) {
        let name = member.attr.as_str();
        let Some(known) = self.package.jbq().find(|known| known.name == name) else { return };
        let Some(wanted) = known.arguments else { return };
        let args = &call.arguments.args;
        if !call.arguments.keywords.is_empty() || args.iter().any(Expr::is_starred_expr) {
            return;
        }
        if args.len() != wanted {
            let found = self.file.text_of(call);
            return self.warn(Lesson::ApiArguments, call, found, format!("JBQ.{}", known.sign));
        }
        match name {
            "win" if !is_side(&args[0], 2) => {
                let found = self.file.text_of(&args[0]);
                self.warn(Lesson::WinWho, &args[0], found, "");
            }
            "get_chess_by_arr" | "remove" | "piece" | "around" | "near" | "line" | "terrain" | "group"
            | "free" | "moves" | "attacked" => self.square(&args[0]),
            "put" => self.square(&args[1]),
            "dist" | "trying" => args.iter().for_each(|square| self.square(square)),
            "add_chess" => self.square(&args[1]),
            "move" => args.iter().for_each(|square| self.square(square)),
            "get_arr_by_rd" if whole(&args[1]).is_some_and(|direction| !(1..=8).contains(&direction)) => {
                let found = self.file.text_of(&args[1]);
                self.warn(Lesson::BadDirection, &args[1], found, "");
            }
            _ => {}
        }
        if matches!(name, "add_chess" | "get_chess_arr_by_id")
            && whole(&args[0]).is_some_and(|id| !(1..=self.kinds()).contains(&id))
        {
            self.no_piece(&args[0]);
        }
    }

    fn member(&mut self, attribute: &'a ast::ExprAttribute) {
        let name = attribute.attr.as_str();
        if self.package.members.contains(name) || name.starts_with("__") {
            return;
        }
        if matches!(name_of(&attribute.value), Some("JBQ" | "API")) {
            let known = || self.package.jbq().map(|member| member.name);
            if !known().any(|member| member == name) {
                let near = nearest(name, known()).or_else(|| like(name)).unwrap_or_default();
                self.warn(Lesson::UnknownMember, &attribute.attr, name, near);
            }
        } else if self.is_piece(&attribute.value) {
            let known = || api::CHESS.iter().map(|member| member.name);
            if !known().any(|member| member == name) && self.guarded == 0 {
                let has = self
                    .package
                    .map
                    .kinds
                    .iter()
                    .any(|kind| kind.attributes.iter().any(|known| known.0 == name));
                let near = if has {
                    format!("attr[\"{name}\"]")
                } else {
                    nearest(name, known()).unwrap_or_default().to_owned()
                };
                self.warn(Lesson::UnknownPieceMember, &attribute.attr, name, near);
            }
        }
    }

    fn attribute(&mut self, part: &'a ast::ExprSubscript) {
        let Expr::Attribute(attr) = &*part.value else { return };
        if attr.attr.as_str() != "attr"
            || self.is_object(&attr.value)
            || self.guarded > 0
            || !part.ctx.is_load()
        {
            return;
        }
        let Some(key) = text(&part.slice) else { return };
        let names = || {
            self.package
                .map
                .kinds
                .iter()
                .flat_map(|kind| kind.attributes.iter().map(|known| known.0.as_str()))
        };
        if !self.package.keys.contains(&key) && !names().any(|name| name == key) {
            let near = nearest(&key, names()).unwrap_or_default().to_owned();
            self.warn(Lesson::UnknownAttribute, &*part.slice, key, near);
        }
    }

    fn compare(&mut self, compare: &'a ast::ExprCompare) {
        let (left, [op], [right]) = (&*compare.left, &compare.ops[..], &compare.comparators[..]) else {
            return;
        };
        if !matches!(op, CmpOp::Eq | CmpOp::NotEq) {
            return;
        }
        for (one, other) in [(left, right), (right, left)] {
            if let Some(member) = api_member(one)
                && matches!(member.attr.as_str(), "rl" | "cl")
                && let Expr::Subscript(part) = other
                && matches!(whole(&part.slice), Some(0 | 1))
            {
                let (found, near) = (self.file.text_of(compare), format!("JBQ.{} - 1", member.attr));
                return self.warn(Lesson::CountsFromZero, compare, found, near);
            }
            if let Expr::Attribute(attribute) = one
                && !self.is_object(&attribute.value)
            {
                let of_api = api_member(one).is_some();
                let wrong = |most| {
                    matches!(other, Expr::NumberLiteral(_) | Expr::StringLiteral(_)) && !is_side(other, most)
                };
                match attribute.attr.as_str() {
                    "belong" if !of_api && wrong(3) => return self.side(other, "belong"),
                    "turn" if of_api && wrong(2) => return self.side(other, "turn"),
                    _ => {}
                }
            }
        }
    }

    /// A statement whose value is thrown away.
    fn thrown_away(&mut self, value: &'a Expr) {
        let idle = match value {
            Expr::Compare(_) | Expr::BinOp(_) => !has_call(value),
            Expr::Attribute(_) => true,
            Expr::Name(_) => true,
            _ => false,
        };
        if !idle || self.guarded > 0 {
            return;
        }
        let near = match value {
            Expr::Compare(compare) if compare.ops[..] == [CmpOp::Eq] => "equals",
            Expr::Attribute(_) => "call",
            _ => "",
        };
        let found = self.file.text_of(value);
        self.warn(Lesson::NoEffect, value, found, near);
    }

    /// The result of a method that gives back nothing.
    fn result(&mut self, value: &'a Expr) {
        if let Expr::Call(call) = value
            && let Expr::Attribute(function) = &*call.func
            && SILENT.contains(&function.attr.as_str())
            && !self.package.members.contains(function.attr.as_str())
            && api_member(&call.func).is_none()
        {
            let found = self.file.text_of(value);
            self.warn(Lesson::ReturnsNone, value, found, function.attr.as_str());
        }
    }

    fn counted(&mut self, assign: &'a ast::StmtAugAssign) {
        let Some(function) = self.functions.last().filter(|function| function.asked) else { return };
        let mut base = &*assign.target;
        let is_name = matches!(base, Expr::Name(_));
        while let Expr::Attribute(ast::ExprAttribute { value, .. })
        | Expr::Subscript(ast::ExprSubscript { value, .. }) = base
        {
            base = value;
        }
        let Some(name) = name_of(base) else { return };
        let kept = if is_name {
            function.outer.contains(name)
        } else {
            function.object == Some(name) || matches!(name, "JBQ" | "API")
        };
        if kept {
            let found = self.file.text_of(&*assign.target);
            self.warn(Lesson::ForgottenWhileAsked, &*assign.target, found, "");
        }
    }

    fn endless(&mut self, turns: &'a ast::StmtWhile) {
        let mut ways = Ways::default();
        ways.visit_body(&turns.body);
        if ways.out || has_break(&turns.body) {
            return;
        }
        if is_true(&turns.test) {
            return self.warn(Lesson::EndlessLoop, turns, "while True", "");
        }
        // A comparison of numbers that nothing in the loop changes.
        let Expr::Compare(compare) = &*turns.test else { return };
        let ordered =
            compare.ops.iter().all(|op| matches!(op, CmpOp::Lt | CmpOp::LtE | CmpOp::Gt | CmpOp::GtE));
        let sides: Vec<&Expr> = std::iter::once(&*compare.left).chain(&compare.comparators).collect();
        let names: Vec<&str> = sides.iter().filter_map(|side| name_of(side)).collect();
        let plain = sides
            .iter()
            .all(|side| name_of(side).is_some() || whole(side).is_some() || api_member(side).is_some());
        let changed = names.iter().any(|name| {
            ways.stored.contains(name) || self.functions.iter().any(|function| function.outer.contains(name))
        });
        if ordered && plain && !names.is_empty() && !changed && !ways.inner {
            let found = self.file.text_of(&*turns.test);
            self.warn(Lesson::EndlessLoop, &*turns.test, found, names[0]);
        }
    }

    fn walked(&mut self, turns: &'a ast::StmtFor) {
        let by_index = match &*turns.iter {
            Expr::Call(range) if name_of(&range.func) == Some("range") => match &range.arguments.args[..] {
                [Expr::Call(len)] => Some(len),
                [zero, Expr::Call(len)] if whole(zero) == Some(0) => Some(len),
                _ => None,
            },
            _ => None,
        };
        let list = match by_index {
            Some(len) if name_of(&len.func) == Some("len") => len.arguments.args.first().and_then(name_of),
            Some(_) => None,
            None => name_of(&turns.iter),
        };
        if let Some(list) = list
            && let Some(at) = shortened(&turns.body, list)
        {
            self.warn(Lesson::ChangedWhileWalked, &at, list, if by_index.is_some() { "index" } else { "" });
        }
    }

    fn calls_itself(&mut self, function: &'a ast::StmtFunctionDef) {
        let object = self.functions.last().and_then(|function| function.object);
        let mut calls = Itself { name: function.name.as_str(), object, found: None };
        for stmt in &function.body {
            match stmt {
                Stmt::Expr(expr) => calls.visit_expr(&expr.value),
                Stmt::Assign(assign) => calls.visit_expr(&assign.value),
                Stmt::AugAssign(assign) => calls.visit_expr(&assign.value),
                Stmt::Return(value) => {
                    value.value.iter().for_each(|value| calls.visit_expr(value));
                    break;
                }
                Stmt::FunctionDef(_)
                | Stmt::ClassDef(_)
                | Stmt::Import(_)
                | Stmt::ImportFrom(_)
                | Stmt::Pass(_) => {}
                _ => break,
            }
        }
        if let Some(at) = calls.found {
            self.warn(Lesson::EndlessCalls, &at, function.name.as_str(), "");
        }
    }

    fn unreachable(&mut self, body: &'a [Stmt]) {
        for pair in body.windows(2) {
            if matches!(pair[0], Stmt::Return(_) | Stmt::Raise(_) | Stmt::Break(_) | Stmt::Continue(_)) {
                // `yield` behind a `return` makes a generator.
                let mut ways = Ways::default();
                ways.visit_stmt(&pair[1]);
                let found = self.file.text_of(&pair[0]);
                if !ways.yields {
                    self.warn(Lesson::Unreachable, &pair[1], found, "");
                }
                return;
            }
        }
    }

    /// A piece that is looked for on the square that the moved piece has left.
    fn left_square(&mut self, attribute: &'a ast::ExprAttribute) {
        let Some(function) = self.functions.last() else { return };
        let Some(left) = function.left else { return };
        let piece = &*attribute.value;
        let gone = match piece {
            Expr::Name(name) => {
                let name = name.id.as_str();
                function.pieces.get(name) == Some(&Some(left)) && !function.asked_about.contains(name)
            }
            piece => asked_square(piece).and_then(name_of) == Some(left),
        };
        if gone && self.guarded == 0 {
            let found = self.file.text_of(attribute);
            self.warn(Lesson::LeftSquare, attribute, found, left);
        }
    }
}

/// The square of a call of `JBQ.get_chess_by_arr`.
fn asked_square(expr: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = expr else { return None };
    let asks = api_member(&call.func).is_some_and(|member| member.attr.as_str() == "get_chess_by_arr");
    call.arguments.args.first().filter(|_| asks)
}

/// Returns true unless an expression is a value that is no side: another number, a text, a truth, nothing.
fn is_side(value: &Expr, most: i64) -> bool {
    match value {
        Expr::StringLiteral(_)
        | Expr::BooleanLiteral(_)
        | Expr::NoneLiteral(_)
        | Expr::Tuple(_)
        | Expr::List(_) => false,
        value => whole(value).is_none_or(|side| (1..=most).contains(&side)),
    }
}

/// The members of `JBQ` that people call by another word.
fn like(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let has = |word: &str| name.contains(word);
    Some(match () {
        () if has("draw") || has("tie") => "stalemate",
        () if has("win") || has("lose") || has("gameover") || has("game_over") => "win",
        () if has("row") || has("height") => "rl",
        () if has("col") || has("width") => "cl",
        () if has("side") || has("player") || has("turn") => "turn",
        () if has("add") || has("put") || has("place") || has("create") => "add_chess",
        () if has("eat") || has("capture") || has("take") => "can_eat",
        () if has("by_id") => "get_chess_arr_by_id",
        () if has("piece") || has("chess") || has("get_at") => "get_chess_by_arr",
        () if has("board") => "map_data",
        () if has("step") || has("dir") => "get_arr_by_rd",
        () => return None,
    })
}

fn has_call(expr: &Expr) -> bool {
    struct Calls(bool);
    impl<'a> Visitor<'a> for Calls {
        fn visit_expr(&mut self, expr: &'a Expr) {
            self.0 |= matches!(
                expr,
                Expr::Call(_) | Expr::Await(_) | Expr::Yield(_) | Expr::YieldFrom(_) | Expr::Named(_)
            );
            visitor::walk_expr(self, expr);
        }
    }
    let mut calls = Calls(false);
    calls.visit_expr(expr);
    calls.0
}

fn part_of(expr: &Expr, alias: &dyn Fn(&str) -> Option<(String, usize)>) -> Option<(String, usize)> {
    match expr {
        Expr::Name(name) => alias(name.id.as_str()),
        Expr::Attribute(attribute) => {
            if api_member(expr).is_some_and(|member| member.attr.as_str() == "map_data") {
                return Some((String::new(), 0));
            }
            let (field, indices) = part_of(&attribute.value, alias)?;
            (field.is_empty() && indices == 0).then(|| (attribute.attr.to_string(), 0))
        }
        Expr::Subscript(part) => {
            let (field, indices) = part_of(&part.value, alias)?;
            // Behind row and column stands a piece.
            (!field.is_empty() && indices < 2).then_some((field, indices + 1))
        }
        _ => None,
    }
}

/// The first statement of a loop's body that takes something out of a list, where the loop goes on after it.
fn shortened(body: &[Stmt], list: &str) -> Option<TextRange> {
    for (at, stmt) in body.iter().enumerate() {
        let takes = match stmt {
            Stmt::Delete(delete) => delete
                .targets
                .iter()
                .any(|target| matches!(target, Expr::Subscript(part) if name_of(&part.value) == Some(list))),
            Stmt::Expr(expr) => match &*expr.value {
                Expr::Call(call) => matches!(&*call.func, Expr::Attribute(function)
                    if name_of(&function.value) == Some(list) && matches!(function.attr.as_str(), "remove" | "pop" | "insert" | "clear")),
                _ => false,
            },
            _ => false,
        };
        let leaves = || {
            body[at + 1..]
                .iter()
                .any(|stmt| matches!(stmt, Stmt::Break(_) | Stmt::Return(_) | Stmt::Raise(_)))
        };
        if takes && !leaves() {
            return Some(stmt.range());
        }
        let inner = match stmt {
            Stmt::If(test) => shortened(&test.body, list)
                .or_else(|| test.elif_else_clauses.iter().find_map(|clause| shortened(&clause.body, list))),
            Stmt::With(with) => shortened(&with.body, list),
            Stmt::Try(tried) => shortened(&tried.body, list),
            _ => None,
        };
        if inner.is_some() && !leaves() {
            return inner;
        }
        // A new list under the same name is not the one that is walked.
        if let Stmt::Assign(assign) = stmt
            && assign.targets.iter().any(|target| name_of(target) == Some(list))
        {
            return None;
        }
    }
    None
}

/// A call of a function by itself that is always made.
struct Itself<'a> {
    name: &'a str,
    object: Option<&'a str>,
    found: Option<TextRange>,
}

impl<'a> Visitor<'a> for Itself<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::If(choice) => return self.visit_expr(&choice.test),
            Expr::BoolOp(parts) => {
                if let Some(first) = parts.values.first() {
                    self.visit_expr(first);
                }
                return;
            }
            Expr::Lambda(_)
            | Expr::ListComp(_)
            | Expr::SetComp(_)
            | Expr::DictComp(_)
            | Expr::Generator(_) => return,
            Expr::Call(call) => {
                let own = match &*call.func {
                    Expr::Attribute(function) => {
                        self.object.is_some()
                            && name_of(&function.value) == self.object
                            && function.attr.as_str() == self.name
                    }
                    func => self.object.is_none() && name_of(func) == Some(self.name),
                };
                if own {
                    self.found.get_or_insert(call.range);
                }
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}

/// Ways out of a loop, and names that are given values in it.
#[derive(Default)]
struct Ways<'a> {
    out: bool,
    yields: bool,
    /// Set if there are functions inside.
    inner: bool,
    stored: HashSet<&'a str>,
}

impl<'a> Visitor<'a> for Ways<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Return(_) | Stmt::Raise(_) => self.out = true,
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return self.inner = true,
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Name(name) = expr
            && !name.ctx.is_load()
        {
            self.stored.insert(name.id.as_str());
        }
        let yields = matches!(expr, Expr::Yield(_) | Expr::YieldFrom(_));
        self.yields |= yields;
        self.out |= yields;
        visitor::walk_expr(self, expr);
    }
}

/// The meanings of a function's names.
#[derive(Default)]
struct Facts<'a> {
    /// Names with a piece as a value, and the name of the square that was asked about.
    pieces: HashMap<&'a str, Option<&'a str>>,
    /// Names with another value.
    others: HashSet<&'a str>,
    parts: HashMap<&'a str, (String, usize)>,
    stored: HashSet<&'a str>,
    asked_about: HashSet<&'a str>,
    random: HashSet<&'a str>,
    outer: HashSet<&'a str>,
    /// Set while a condition is read.
    condition: bool,
}

impl<'a> Facts<'a> {
    fn test(&mut self, test: &'a Expr) {
        let outer = std::mem::replace(&mut self.condition, true);
        self.visit_expr(test);
        self.condition = outer;
    }
}

impl<'a> Visitor<'a> for Facts<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Assign(assign) => {
                if let [Expr::Name(name)] = &assign.targets[..] {
                    let name = name.id.as_str();
                    self.stored.insert(name);
                    match asked_square(&assign.value) {
                        Some(square) if !self.pieces.contains_key(name) => {
                            self.pieces.insert(name, name_of(square));
                        }
                        Some(_) => drop(self.pieces.insert(name, None)),
                        None => drop(self.others.insert(name)),
                    }
                    let parts = &self.parts;
                    if let Some(part) =
                        part_of(&assign.value, &|name| parts.get(name).cloned()).filter(|part| part.1 < 2)
                    {
                        self.parts.insert(name, part);
                    } else {
                        self.parts.remove(name);
                    }
                    return self.visit_expr(&assign.value);
                }
            }
            Stmt::Import(import) => {
                let random = import.names.iter().filter(|alias| alias.name.as_str() == "random");
                self.random.extend(random.map(|alias| alias.asname.as_ref().unwrap_or(&alias.name).as_str()));
            }
            Stmt::ImportFrom(import)
                if import.module.as_ref().is_some_and(|module| module.as_str() == "random") =>
            {
                let names = import.names.iter();
                self.random.extend(names.map(|alias| alias.asname.as_ref().unwrap_or(&alias.name).as_str()));
            }
            Stmt::Global(names) => self.outer.extend(names.names.iter().map(ast::Identifier::as_str)),
            Stmt::Nonlocal(names) => self.outer.extend(names.names.iter().map(ast::Identifier::as_str)),
            Stmt::If(test) => {
                self.test(&test.test);
                test.elif_else_clauses
                    .iter()
                    .filter_map(|clause| clause.test.as_ref())
                    .for_each(|test| self.test(test));
            }
            Stmt::While(turns) => self.test(&turns.test),
            Stmt::Assert(assert) => self.test(&assert.test),
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => {
                let id = name.id.as_str();
                if !name.ctx.is_load() {
                    self.others.insert(id);
                    self.stored.insert(id);
                } else if self.condition {
                    self.asked_about.insert(id);
                }
            }
            Expr::If(choice) => self.test(&choice.test),
            Expr::BoolOp(_) | Expr::Compare(_) => {
                let outer = std::mem::replace(&mut self.condition, true);
                visitor::walk_expr(self, expr);
                self.condition = outer;
                return;
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}

impl<'a> Visitor<'a> for Look<'a, '_, '_> {
    fn visit_body(&mut self, body: &'a [Stmt]) {
        self.unreachable(body);
        visitor::walk_body(self, body);
    }

    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(function) => {
                self.enter(function);
                self.calls_itself(function);
                let guarded = std::mem::take(&mut self.guarded);
                self.visit_parameters(&function.parameters);
                self.visit_body(&function.body);
                self.guarded = guarded;
                self.functions.pop();
                return;
            }
            Stmt::Try(tried) => {
                self.guarded += 1;
                self.visit_body(&tried.body);
                self.guarded -= 1;
                tried.handlers.iter().for_each(|handler| self.visit_except_handler(handler));
                self.visit_body(&tried.orelse);
                self.visit_body(&tried.finalbody);
                return;
            }
            Stmt::Assign(assign) => {
                assign.targets.iter().for_each(|target| self.stored(target, Some(&assign.value)));
                self.result(&assign.value);
            }
            Stmt::AugAssign(assign) => {
                self.stored(&assign.target, None);
                self.counted(assign);
            }
            Stmt::Delete(delete) => delete.targets.iter().for_each(|target| self.stored(target, None)),
            Stmt::Return(value) => value.value.iter().for_each(|value| self.result(value)),
            Stmt::Expr(expr) => self.thrown_away(&expr.value),
            Stmt::While(turns) => self.endless(turns),
            Stmt::For(turns) => self.walked(turns),
            Stmt::Import(import) if self.guarded == 0 => {
                for alias in &import.names {
                    if !MODULES.contains(&alias.name.as_str()) {
                        self.warn(Lesson::Import, alias, alias.name.as_str(), "");
                    }
                }
            }
            Stmt::ImportFrom(import) if self.guarded == 0 => {
                let module = import.module.as_ref().map(ast::Identifier::as_str).unwrap_or_default();
                if !MODULES.contains(&module) {
                    self.warn(Lesson::Import, import, module, "");
                }
            }
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Call(call) => {
                if let Some(member) = api_member(&call.func) {
                    self.api_call(call, member);
                }
                let random = match &*call.func {
                    Expr::Attribute(function) => name_of(&function.value),
                    func => name_of(func),
                };
                let asked = self.functions.last().is_some_and(|function| {
                    function.asked && random.is_some_and(|name| function.random.contains(name))
                });
                if asked {
                    let found = self.file.text_of(call);
                    self.warn(Lesson::RandomWhileAsked, call, found, "");
                }
            }
            Expr::Attribute(attribute) => {
                if attribute.ctx.is_load() {
                    self.member(attribute);
                } else {
                    self.misspelt(attribute);
                }
                self.left_square(attribute);
            }
            Expr::Subscript(part) => self.attribute(part),
            Expr::Compare(compare) => self.compare(compare),
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }

    fn visit_annotation(&mut self, _expr: &'a Expr) {}
}
