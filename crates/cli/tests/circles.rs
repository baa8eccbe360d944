//! Catches imports that go round in circles inside a crate, by the text of its files.
//!
//! Files that import each other, directly or by way of others, are a knot: none of them can be understood, moved or
//! tested alone. A re-export counts as an import of the file where the item stands.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The most files in a knot, in crates that are not listed in [`KNOTS`].
const MOST: usize = 5;
/// The number of files in the largest knot of the crates that have larger ones. A number may only fall.
const KNOTS: [(&str, usize); 4] = [("library", 9), ("records", 27), ("sandbox", 22), ("tui", 10)];

#[test]
fn circles_of_imports_only_shrink() {
    let ceilings = BTreeMap::from(KNOTS);
    let mut complaints = Vec::new();
    let mut crates = 0;
    for (name, folder) in folders(&root().join("crates")) {
        let knot = Sources::read(&folder.join("src")).largest_knot();
        let (size, files) = (knot.len(), knot.iter().map(|module| module.join("::")).collect::<Vec<_>>());
        match ceilings.get(name.as_str()) {
            Some(&ceiling) if size < ceiling => complaints
                .push(format!("{name}: the largest knot has {size} files now: write that into KNOTS")),
            ceiling if size > *ceiling.unwrap_or(&MOST) => {
                complaints.push(format!("{name}: {size} files import each other: {}", files.join(" ")))
            }
            _ => {}
        }
        crates += 1;
    }
    assert!(complaints.is_empty(), "circles of imports:\n{}", complaints.join("\n"));
    assert!(KNOTS.iter().all(|(_, ceiling)| *ceiling > MOST), "a crate without a large knot needs no row");
    assert!(crates >= 20, "only {crates} crates were read");
}

#[test]
fn a_circle_is_found_however_it_is_imported() {
    for (name, files, knot) in [
        ("no circle", "a = use crate::b::B; | b = ", ""),
        ("two files", "a = use crate::b::B; | b = fn f() -> crate::a::A", "a b"),
        ("trees", "a = use crate::{c::X, b::{self, Y}}; | b = use super::a; | c = ", "a b"),
        ("a child", "a = mod b; b::run() | a::b = use super::A;", "a a::b"),
        ("a re-export", " = pub use b::B; | a = use crate::B; | b = use crate::a::A;", "a b"),
        ("a macro", "a = pub(crate) use line; crate::b::f() | b = crate::a::line!()", "a b"),
        ("a way round", "a = crate::b::f() | b = crate::c::f() | c = crate::a::f()", "a b c"),
        ("tests", "a = #[cfg(test)]\nmod tests {\nuse crate::b; | b = use crate::a;", ""),
        ("tests in a file", "a = #[cfg(test)]\nmod t; | a::t = use crate::b; | b = use crate::a::t;", ""),
        ("comments", "a = // crate::b::B | b = use crate::a;", ""),
    ] {
        let module =
            |path: &str| path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let file = |file: &str| file.split_once(" = ").map(|(path, text)| (module(path), text.to_owned()));
        let mut files: BTreeMap<Module, String> = files.split(" | ").filter_map(file).collect();
        files.entry(Module::new()).or_default();
        let found: Vec<String> =
            Sources::of(files).largest_knot().iter().map(|path| path.join("::")).collect();
        assert_eq!(found.join(" "), knot, "{name}");
    }
}

/// The path of a module in its crate; empty for the root.
type Module = Vec<String>;

/// The files of a crate without their tests.
struct Sources {
    files: BTreeMap<Module, String>,
    /// The origin of each name that a module re-exports.
    exports: BTreeMap<(Module, String), Module>,
}

impl Sources {
    fn read(src: &Path) -> Sources {
        let mut files = BTreeMap::new();
        collect(src, &Module::new(), &mut files);
        Sources::of(files)
    }

    fn of(mut files: BTreeMap<Module, String>) -> Sources {
        let tests: Vec<Module> = files.iter().flat_map(|(module, text)| test_files(module, text)).collect();
        files.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        files.values_mut().for_each(|text| *text = without_tests(text));
        let mut exports = BTreeMap::new();
        for (module, text) in &mut files {
            let public = text.replace("pub(crate) use ", "pub use ").replace("pub(super) use ", "pub use ");
            let mut rest = String::new();
            for (n, part) in public.split("pub use ").enumerate() {
                if n == 0 {
                    rest.push_str(part);
                    continue;
                }
                for path in tree(part).0 {
                    let origin = absolute(module, &path);
                    // A macro is exported from where it stands.
                    if let Some((name, _)) = origin.split_last().filter(|(_, inside)| inside != module) {
                        exports.insert((module.clone(), name.clone()), origin.clone());
                    }
                }
                rest.push_str(part.split_once(';').map_or("", |(_, rest)| rest));
            }
            *text = rest;
        }
        Sources { files, exports }
    }

    /// Returns the modules of the largest knot; none if there is no circle.
    fn largest_knot(&self) -> BTreeSet<Module> {
        let imports: BTreeMap<&Module, BTreeSet<Module>> =
            self.files.keys().map(|module| (module, self.imports(module))).collect();
        let reach = |from: &Module| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
            while let Some(module) = open.pop() {
                let new = imports[&module].iter().filter(|next| seen.insert((*next).clone()));
                open.extend(new.cloned());
            }
            seen
        };
        let reached: BTreeMap<&Module, BTreeSet<Module>> =
            self.files.keys().map(|module| (module, reach(module))).collect();
        let knot = |of: &Module| -> BTreeSet<Module> {
            reached[of].iter().filter(|other| reached[other].contains(of)).cloned().collect()
        };
        self.files.keys().map(knot).max_by_key(BTreeSet::len).unwrap_or_default()
    }

    /// Returns the modules that a module names, itself left out.
    fn imports(&self, module: &Module) -> BTreeSet<Module> {
        let text = &self.files[module];
        let is_child = |name: &str| {
            let child: Module = module.iter().cloned().chain([name.to_owned()]).collect();
            self.files.contains_key(&child)
        };
        let mut found = BTreeSet::new();
        for (at, _) in text.match_indices("::") {
            let before = text[..at].trim_end_matches(is_word);
            let head = &text[before.len()..at];
            if before.ends_with(':') || !(matches!(head, "crate" | "super" | "self") || is_child(head)) {
                continue;
            }
            let paths = tree(&text[before.len()..]).0;
            found.extend(paths.iter().map(|path| self.home(absolute(module, path))));
        }
        found.remove(module);
        found
    }

    /// Returns the module in which the item of that path stands.
    fn home(&self, mut path: Module) -> Module {
        // Longer chains of re-exports than these would be a circle of their own.
        for _ in 0..8 {
            let known = (0..=path.len()).rev().find(|&n| self.files.contains_key(&path[..n])).unwrap_or(0);
            let rest = path.split_off(known);
            let Some(name) = rest.first() else { return path };
            let Some(origin) = self.exports.get(&(path.clone(), name.clone())) else { return path };
            path = origin.iter().chain(&rest[1..]).cloned().collect();
        }
        Module::new()
    }
}

/// Reads the files of a folder and of those in it; binaries beside the library are left out.
fn collect(folder: &Path, module: &Module, files: &mut BTreeMap<Module, String>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        let inner: Module = module.iter().cloned().chain([name.clone()]).collect();
        if path.is_dir() {
            if !(module.is_empty() && name == "bin") {
                collect(&path, &inner, files);
            }
        } else if path.extension().is_some_and(|end| end == "rs") {
            let is_root = matches!(name.as_str(), "lib" | "main" | "mod");
            let text = std::fs::read_to_string(&path).expect("is text");
            *files.entry(if is_root { module.clone() } else { inner }).or_default() += &text;
        }
    }
}

/// Returns the modules in files of their own that only tests compile.
fn test_files(module: &Module, text: &str) -> Vec<Module> {
    let named = |part: &str| {
        let declared = part.trim_start().strip_prefix("mod ")?;
        let name = declared.split(|c| !is_word(c)).next()?;
        let is_file = declared[name.len()..].starts_with(';');
        is_file.then(|| module.iter().cloned().chain([name.to_owned()]).collect())
    };
    text.split("#[cfg(test)]").skip(1).filter_map(named).collect()
}

/// Returns a text without comments and without what follows the beginning of its tests.
fn without_tests(text: &str) -> String {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code: String = text.lines().filter(is_code).flat_map(|line| [line, "\n"]).collect();
    let tests = code.match_indices("#[cfg(test)]").find(|(at, mark)| {
        let after = code[at + mark.len()..].trim_start();
        after.starts_with("mod ") && after.lines().next().is_some_and(|line| line.ends_with('{'))
    });
    code[..tests.map_or(code.len(), |(at, _)| at)].to_owned()
}

/// Returns a path of names from the root of the crate; `path` stands in `module`.
fn absolute(module: &Module, path: &[String]) -> Module {
    let (mut base, mut path) = (module.clone(), path);
    while let Some((first, rest)) = path.split_first() {
        match first.as_str() {
            "crate" => base.clear(),
            "super" => drop(base.pop()),
            "self" => {}
            _ => break,
        }
        path = rest;
    }
    base.extend(path.iter().cloned());
    base
}

/// Parses a path, or a tree of paths such as `a::{b, c::d}`; returns the paths and the text after them.
fn tree(text: &str) -> (Vec<Module>, &str) {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        let mut all = Vec::new();
        loop {
            rest = rest.trim_start_matches([' ', '\n', ',']);
            let (paths, after) = tree(rest);
            if paths.is_empty() {
                return (all, rest.strip_prefix('}').unwrap_or(rest));
            }
            all.extend(paths);
            rest = after;
        }
    }
    if let Some(rest) = text.strip_prefix('*') {
        return (vec![Module::new()], rest);
    }
    let (name, rest) = text.split_at(text.find(|c| !is_word(c)).unwrap_or(text.len()));
    if name.is_empty() {
        return (Vec::new(), text);
    }
    let (tails, after) = rest.strip_prefix("::").map_or((Vec::new(), rest), tree);
    if tails.is_empty() {
        let renamed = rest.strip_prefix(" as ").map(|rest| rest.trim_start_matches(is_word));
        return (vec![vec![name.to_owned()]], renamed.unwrap_or(after));
    }
    let whole = |tail: Module| [name.to_owned()].into_iter().chain(tail).collect();
    (tails.into_iter().map(whole).collect(), after)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the folders in a folder, with their names.
fn folders(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    let named = |path: PathBuf| Some((path.file_name()?.to_str()?.to_owned(), path));
    entries.map(|entry| entry.path()).filter(|path| path.join("src").is_dir()).filter_map(named).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
