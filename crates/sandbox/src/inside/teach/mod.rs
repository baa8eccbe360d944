//! The teacher: what is wrong with the texts of extensions, found before anything of them runs.
//!
//! A text that cannot be parsed is walked through character by character (`marks`), and what is left gets CPython's words
//! (`words`). One that can is read as a tree: its hooks (`hooks`), its names (`names`) and its habits (`habits`). A warning is given
//! only where the mistake is sure, or nothing else is likely: good files have none.

mod habits;
mod hooks;
mod marks;
mod names;
mod words;

use std::collections::HashSet;

use jingbanqi::{Map, api};
use ruff_text_size::{Ranged, TextSize};
use rustpython_vm::compiler::ast::{self, Expr, Stmt};
use rustpython_vm::compiler::parser;

use crate::lesson::{Finding, Lesson, MOST_FINDINGS};

/// The most findings of one file.
const MOST_OF_A_FILE: usize = 20;

/// A place in a text: line and column from 1, in characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Spot {
    line: u32,
    column: u32,
}

fn spot(line: u32, column: u32) -> Spot {
    Spot { line, column }
}

/// A file whose text is Python.
struct File<'a> {
    text: &'a str,
    /// The bytes at which the lines begin.
    begins: Vec<usize>,
    body: &'a [Stmt],
    found: Vec<(Lesson, Spot, String, String)>,
}

impl<'a> File<'a> {
    fn new(text: &'a str, body: &'a [Stmt]) -> File<'a> {
        let begins = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        File { text, begins, body, found: Vec::new() }
    }

    fn spot(&self, at: TextSize) -> Spot {
        let at = at.to_usize().min(self.text.len());
        let line = self.begins.partition_point(|&begin| begin <= at);
        let column = self.text[self.begins[line - 1]..at].chars().count();
        Spot { line: line as u32, column: column as u32 + 1 }
    }

    /// The text of a part of the tree, on one line and not too long.
    fn text_of(&self, part: &impl Ranged) -> String {
        let text = &self.text[part.range().start().to_usize()..part.range().end().to_usize()];
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        if text.chars().count() > 40 { text.chars().take(39).chain(['…']).collect() } else { text }
    }

    fn warn(&mut self, lesson: Lesson, at: &impl Ranged, found: impl Into<String>, near: impl Into<String>) {
        let spot = self.spot(at.range().start());
        self.found.push((lesson, spot, found.into(), near.into()));
    }
}

/// The facts about a package that a look at one of its files needs.
struct Package<'a> {
    map: &'a Map,
    builtins: &'a HashSet<String>,
    /// Members of anything that some file assigns: `JBQ.counter = 0`, `self.pool = []`.
    members: HashSet<String>,
    /// Texts that some file uses as a key, stored or offered.
    keys: HashSet<String>,
    /// Members of anything that some file reads.
    read: HashSet<String>,
}

impl Package<'_> {
    /// Returns true if the map is of level 2.
    fn is_second(&self) -> bool {
        self.map.level2.is_some()
    }

    /// Returns the members of `JBQ` at the level of the map.
    fn jbq(&self) -> impl Iterator<Item = &'static api::Member> + use<> {
        let is_second = self.is_second();
        api::JBQ.iter().chain(api::JBQ2.iter().filter(move |_| is_second))
    }

    /// Returns the names that a file may define at the level of the map.
    fn hooks(&self) -> impl Iterator<Item = &'static api::Member> + use<> {
        let is_second = self.is_second();
        api::HOOKS.iter().chain(api::HOOKS2.iter().filter(move |_| is_second))
    }
}

/// Returns what is wrong with texts, in the order of files and lines. `builtins`: the names that every file sees.
pub(super) fn findings(texts: &[String], map: &Map, builtins: &HashSet<String>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    let options = || parser::ParseOptions::from(parser::Mode::Module);
    let parsed: Vec<_> = texts.iter().map(|text| parser::parse_unchecked(text, options())).collect();
    let none = HashSet::new;
    let mut package = Package { map, builtins, members: none(), keys: none(), read: none() };
    for parsed in parsed.iter().filter(|parsed| parsed.errors().is_empty()) {
        habits::kept(body(parsed.syntax()), &mut package);
    }
    for (number, (text, parsed)) in texts.iter().zip(&parsed).enumerate() {
        let file = number as u16;
        if let Some(error) = parsed.errors().first() {
            findings.extend(mistakes(text, error, file));
            continue;
        }
        let mut seen = File::new(text, body(parsed.syntax()));
        let hooks = hooks::look(&mut seen, &package);
        names::look(&mut seen, &package);
        habits::look(&mut seen, &package, &hooks);
        let mut found = seen.found;
        found.sort_by_key(|(lesson, at, ..)| (*at, *lesson));
        found.dedup();
        // A line that is wrong has no need to be used.
        let wrong: HashSet<u32> =
            found.iter().filter(|one| one.0 != Lesson::Unused).map(|one| one.1.line).collect();
        found.retain(|one| one.0 != Lesson::Unused || !wrong.contains(&one.1.line));
        findings.extend(found.into_iter().take(MOST_OF_A_FILE).map(|(lesson, at, found, near)| Finding {
            lesson,
            file,
            line: at.line,
            column: at.column,
            found,
            near,
            more: String::new(),
        }));
    }
    findings.truncate(MOST_FINDINGS);
    findings.into_iter().map(Finding::tidy).collect()
}

fn body(syntax: &ast::Mod) -> &[Stmt] {
    match syntax {
        ast::Mod::Module(module) => &module.body,
        ast::Mod::Expression(_) => &[],
    }
}

/// The mistakes of a text that is no Python.
fn mistakes(text: &str, error: &parser::ParseError, file: u16) -> Vec<Finding> {
    let seen = File::new(text, &[]);
    let at = seen.spot(error.location.start());
    let finding = |lesson: Lesson, at: Spot, found: String, near: String, more: String| Finding {
        lesson,
        file,
        line: at.line,
        column: at.column,
        found,
        near,
        more,
    };
    // A mistake is told where the parser stumbles, which may be at the beginning of the line behind it.
    let faults = marks::faults(text, at.line);
    if !faults.is_empty() {
        let faults = faults.into_iter().take(MOST_OF_A_FILE);
        return faults
            .map(|fault| finding(fault.lesson, fault.at, fault.found, fault.near, fault.words))
            .collect();
    }
    let range = error.location.start().to_usize()..error.location.end().to_usize();
    let part = text.get(range).unwrap_or_default();
    let line = text.lines().nth(at.line as usize - 1).unwrap_or_default();
    let before: String = line.chars().take(at.column as usize - 1).collect();
    let count = |signs: &[char]| before.chars().filter(|c| signs.contains(c)).count();
    let within = count(&['(', '[', '{']) > count(&[')', ']', '}']);
    let words = words::words(&error.error, part, at.line, within);
    let is_target =
        matches!(error.error, parser::ParseErrorType::InvalidAssignmentTarget) && words.contains("==");
    let lesson = match () {
        () if words.starts_with("Indentation") => Lesson::Indentation,
        () if is_target => Lesson::OneEquals,
        () => Lesson::Syntax,
    };
    let near = match lesson {
        Lesson::Indentation if words.contains("unexpected") => "unexpected",
        Lesson::Indentation if words.contains("unindent") => "unmatched",
        Lesson::Indentation => "missing",
        Lesson::OneEquals => "==",
        _ if words.contains("comma") => "comma",
        _ => "",
    };
    let found = match part.trim() {
        "" => line.trim().to_owned(),
        part => part.lines().next().unwrap_or_default().to_owned(),
    };
    vec![finding(lesson, at, found, near.to_owned(), words)]
}

/// Returns the candidate that differs least from a name, if it differs little: by letters left out, added, exchanged or put in
/// another case. Among equal ones it is the shortest, then the first in order.
fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |name: &str| name.to_lowercase().replace('_', "");
    let own = plain(name);
    let most = match own.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        6..=9 => 2,
        _ => 3,
    };
    let near = candidates.filter(|candidate| *candidate != name).filter_map(|candidate| {
        let far = distance(&own, &plain(candidate), most)?;
        Some((far, candidate))
    });
    near.min_by_key(|(far, candidate)| (*far, candidate.len(), *candidate)).map(|(_, candidate)| candidate)
}

/// The number of letters to change between two words, neighbours exchanged counting one; `None` above `most`.
fn distance(one: &str, two: &str, most: usize) -> Option<usize> {
    let (one, two): (Vec<char>, Vec<char>) = (one.chars().collect(), two.chars().collect());
    if one.len().abs_diff(two.len()) > most || one.len().max(two.len()) > 64 {
        return None;
    }
    let mut rows = vec![(0..=two.len()).collect::<Vec<_>>()];
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in two.iter().enumerate() {
            let mut best = (rows[i][j] + usize::from(a != b)).min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && one[i - 1] == *b && two[j - 1] == *a {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    Some(rows[one.len()][two.len()]).filter(|&far| far <= most)
}

/// The name of an expression that is a bare name.
fn name_of(expr: &Expr) -> Option<&str> {
    if let Expr::Name(name) = expr { Some(name.id.as_str()) } else { None }
}

/// The whole number that an expression writes, with its sign.
fn whole(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::NumberLiteral(number) => match &number.value {
            ast::Number::Int(int) => int.as_i64(),
            _ => None,
        },
        Expr::UnaryOp(minus) if minus.op == ast::UnaryOp::USub => Some(-whole(&minus.operand)?),
        _ => None,
    }
}

/// Returns the member of `JBQ` that an expression names: `win` of `JBQ.win`.
fn api_member(expr: &Expr) -> Option<&ast::ExprAttribute> {
    let Expr::Attribute(attribute) = expr else { return None };
    matches!(name_of(&attribute.value), Some("JBQ" | "API")).then_some(attribute)
}
