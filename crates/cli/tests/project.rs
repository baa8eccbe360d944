//! Catches tests that are ignored or never run, code left to do, dead links and names of nothing in the docs, manifests of
//! different versions, and fuzz targets or decisions that no list names.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Texts that no source file may contain, by the end of the file's name. In pieces, so that this file does not
/// either.
const FORBIDDEN: [(&[&str], &[&str]); 3] = [
    (
        &["rs"],
        &[
            concat!("todo", "!("),
            concat!("unimplemented", "!("),
            concat!("#[", "ignore"),
            concat!("dbg", "!("),
        ],
    ),
    (&["ts", "js", "mjs"], &[concat!(".skip", "("), concat!(".only", "("), concat!(".todo", "(")]),
    (&["svelte"], &[concat!("{@", "debug")]),
];

#[test]
fn nothing_is_ignored_or_left_to_do() {
    let mut complaints = Vec::new();
    let files = files();
    for (endings, strings) in FORBIDDEN {
        let is_such = |p: &&PathBuf| p.extension().is_some_and(|e| endings.iter().any(|end| e == *end));
        for path in files.iter().filter(is_such) {
            let page = read(path);
            let found = strings.iter().filter(|s| page.contains(**s));
            complaints.extend(found.map(|s| format!("{}: {s}", path.display())));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(
        files.iter().any(|p| p.ends_with("crates/cli/tests/project.rs")),
        "the walk finds at least this file"
    );
}

/// The tests that each promise names exist (A13).
#[test]
fn the_tests_of_promises_are_there() {
    let sources: Vec<String> =
        files().iter().filter(|p| p.extension().is_some_and(|e| e == "rs")).map(|p| read(p)).collect();
    let page =
        files().into_iter().find(|p| p.ends_with("docs/security.md")).map(|p| read(&p)).expect("is there");
    let promises = page
        .split("## What is promised")
        .nth(1)
        .and_then(|rest| rest.split("\n## ").next())
        .expect("a table");
    let is_name = |word: &&str| {
        word.len() > 8
            && word.contains('_')
            && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    };
    let named: Vec<&str> = promises.split('`').skip(1).step_by(2).filter(is_name).collect();
    assert!(named.len() > 40, "{named:?}");
    let is_there = |name: &&str| {
        ["fn", "mod"]
            .iter()
            .any(|kind| sources.iter().any(|source| source.contains(&format!("{kind} {name}"))))
    };
    let gone: Vec<&str> = named.into_iter().filter(|name| !is_there(name)).collect();
    assert!(gone.is_empty(), "docs/security.md names tests that are not there: {gone:?}");
}

/// Folders of the project: a name in backticks that begins with one is a path.
const FOLDERS: [&str; 12] = [
    "crates/",
    "data/",
    "docs/",
    "examples/",
    "fuzz/",
    "maps/",
    "openings/",
    "packaging/",
    "python/",
    "scripts/",
    "texts/",
    "web/",
];

/// Names in the docs that no source file has as a word: those of other programs, and one that is made from two.
const FOREIGN: [&str; 4] = ["check_static_catch", "openid_client_secret", "rook_me_ban", "rook_opp_ban"];

/// A text in backticks that names something of the project.
#[derive(PartialEq, Debug)]
enum Name<'a> {
    /// A file or folder, from the root of the project.
    Path(&'a str),
    /// The end of the path of a source file.
    Source(&'a str),
    /// A function, a test or an item of one of our crates, in its parts: words of source files.
    Words(Vec<&'a str>),
}

/// Every file, item, function and test of ours that the docs name in backticks is there. The laboratory notes are left
/// out: they tell of what was tried and removed.
#[test]
fn names_in_backticks_are_there() {
    let (files, crates) = (files(), crates());
    let has_words = |path: &&PathBuf| path.extension().is_some_and(|e| e == "rs" || e == "py");
    let sources: Vec<Vec<u8>> =
        files.iter().filter(has_words).map(|path| std::fs::read(path).expect("a file of ours")).collect();
    let ends_word = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'_';
    let words: HashSet<&[u8]> = sources.iter().flat_map(|source| source.split(ends_word)).collect();
    let ignore = read(&root().join(".gitignore"));
    let is_made = |path: &str| {
        ignore.lines().filter_map(|line| line.strip_prefix('/')).any(|made| Path::new(path).starts_with(made))
    };
    let is_there = |name: &Name| match name {
        Name::Path(path) => is_made(path) || root().join(path).exists(),
        Name::Source(end) => files.iter().any(|file| file.ends_with(end)),
        Name::Words(parts) => parts.iter().all(|part| words.contains(part.as_bytes())),
    };

    let (docs, lab) = (root().join("docs"), root().join("docs/lab"));
    let is_page = |p: &&PathBuf| {
        p.starts_with(&docs) && !p.starts_with(&lab) && p.extension().is_some_and(|e| e == "md")
    };
    let (mut seen, mut complaints) = (0, Vec::new());
    for page in files.iter().filter(is_page) {
        for span in spans(&read(page)) {
            let Some(name) = named(&span, &crates) else { continue };
            seen += 1;
            if !is_there(&name) {
                complaints.push(format!("{}: {span}", page.display()));
            }
        }
    }
    assert!(seen > 500, "only {seen} names were found");
    assert!(complaints.is_empty(), "the docs name what is not there:\n{}", complaints.join("\n"));
}

/// Returns what a text in backticks names, if it is something of the project.
fn named<'a>(span: &'a str, crates: &[String]) -> Option<Name<'a>> {
    let is_plain = span.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-./".contains(&b));
    if is_plain && FOLDERS.iter().any(|folder| span.starts_with(folder)) {
        return Some(Name::Path(span));
    }
    let (stem, ending) = span.rsplit_once('.').unwrap_or((span, ""));
    if is_plain && !stem.is_empty() && ["mjs", "rs", "sh", "svelte", "ts"].contains(&ending) {
        return Some(Name::Source(span));
    }
    let called = span.strip_suffix("()").unwrap_or(span);
    let parts: Vec<&str> = called.split("::").collect();
    let is_word =
        |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if FOREIGN.contains(&called) || !parts.iter().all(is_word) {
        return None;
    }
    let is_ours = if parts.len() == 1 {
        // The name of a test is a sentence; other functions are known by their brackets.
        let needed = if called == span { 2 } else { 1 };
        called.matches('_').count() >= needed && !called.bytes().any(|b| b.is_ascii_uppercase())
    } else {
        crates.iter().any(|name| name == parts[0])
    };
    is_ours.then_some(Name::Words(parts))
}

#[test]
fn names_of_ours_are_told_from_others() {
    let crates = ["kernel".to_owned()];
    for (span, name) in [
        ("docs/adr/", Some(Name::Path("docs/adr/"))),
        ("edge/src/tls.rs", Some(Name::Source("edge/src/tls.rs"))),
        ("kernel::view::View", Some(Name::Words(vec!["kernel", "view", "View"]))),
        ("move_text()", Some(Name::Words(vec!["move_text"]))),
        ("a_map_is_loaded_once", Some(Name::Words(vec!["a_map_is_loaded_once"]))),
    ] {
        assert_eq!(named(span, &crates), name, "{span}");
    }
    for other in
        [".rs", "a/b", "left_ms", "make test", "std::path", "docs/*.md", "rook_me_ban", "QIGUAN_BUS_CA"]
    {
        assert_eq!(named(other, &crates), None, "{other}");
    }
    let page = "A `b` and\n`c d`.\n\n```sh\nrun `e`\n```\n| `f` |\n";
    assert_eq!(spans(page), ["b", "c d", "f"]);
}

/// Returns the texts in backticks of a page, blocks of code left out.
fn spans(page: &str) -> Vec<String> {
    let mut in_code = false;
    let mut paragraphs = vec![String::new()];
    for line in page.lines() {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        if in_code || is_fence || line.trim().is_empty() {
            paragraphs.push(String::new());
        } else if let Some(paragraph) = paragraphs.last_mut() {
            paragraph.push_str(line);
            paragraph.push(' ');
        }
    }
    let in_backticks = |paragraph: &String| -> Vec<String> {
        paragraph.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    paragraphs.iter().flat_map(in_backticks).collect()
}

/// Returns the names of our crates, as Rust writes them.
fn crates() -> Vec<String> {
    let folders = std::fs::read_dir(root().join("crates")).expect("a folder of crates");
    let name = |folder: std::io::Result<std::fs::DirEntry>| {
        folder.expect("a readable folder").file_name().to_string_lossy().replace('-', "_")
    };
    folders.map(name).collect()
}

/// Crates, page and package are released together, so every manifest has the version of the workspace, and the changelog
/// tells of it.
#[test]
fn every_manifest_has_one_version() {
    let manifest = read(&root().join("Cargo.toml"));
    let package = manifest.split("[workspace.package]").nth(1).expect("a section for all crates");
    let version = quoted_values(package, "version").next().expect("a version");
    for entry in std::fs::read_dir(root().join("crates")).expect("a folder of crates") {
        let path = entry.expect("a readable folder").path().join("Cargo.toml");
        let says = read(&path);
        assert!(says.lines().any(|line| line == "version.workspace = true"), "{}", path.display());
    }
    // The first version in each file is the package's own.
    for name in ["web/package.json", "web/package-lock.json"] {
        let says = read(&root().join(name));
        let own = says.lines().find_map(|line| line.trim().strip_prefix("\"version\": "));
        assert_eq!(own.map(|own| own.trim_matches(['"', ','])), Some(version), "{name}");
    }
    // The wheel takes its version from the crate `python`, and the packages from the workspace.
    assert!(read(&root().join("python/pyproject.toml")).contains("dynamic = [\"version\"]"));
    assert!(read(&root().join("scripts/dist.sh")).contains("workspace.package"));
    let changelog = read(&root().join("CHANGELOG.md"));
    assert!(changelog.contains("\n## [Unreleased]\n"), "the changelog has no place for what comes next");
    let heading = format!("## [{version}] - ");
    assert!(changelog.lines().any(|line| line.starts_with(&heading)), "the changelog has no {version}");
}

/// The table of versions in the page about releases says what the code says.
#[test]
fn versions_are_told_as_they_are() {
    let page = read(&root().join("docs/releasing.md"));
    let section = page.split("\n## Versions\n").nth(1).and_then(|rest| rest.split("\n## ").next());
    let rows: Vec<&str> = section
        .expect("a section")
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains('`'))
        .collect();
    assert!(rows.len() > 10, "{rows:?}");
    for row in rows {
        let in_backticks = spans(row);
        let [.., path, code] = &in_backticks[..] else { panic!("no path and no code: {row}") };
        let version = row.split('|').nth(2).expect("a second column").trim().trim_matches('`');
        assert!(code.contains(version), "{row}");
        assert!(read(&root().join(path)).contains(code.as_str()), "{path} does not say {code}");
    }
}

/// A library or a program with tests switched off has none, nor examples in its documentation: they would not run.
#[test]
fn no_test_is_switched_off() {
    let mut complaints = Vec::new();
    let files = files();
    for manifest in files.iter().filter(|p| p.ends_with("Cargo.toml")) {
        let crate_folder = manifest.parent().expect("a file lies in a folder");
        let sources = crate_folder.join("src");
        for target in targets(&read(manifest)) {
            // A library is taken for all of the sources, those of programs beside it too; a program is its own file.
            let is_part = |path: &&std::path::PathBuf| match &target.path {
                Some(path_of_program) => **path == crate_folder.join(path_of_program),
                None => path.starts_with(&sources) && path.extension().is_some_and(|e| e == "rs"),
            };
            for path in files.iter().filter(is_part) {
                let page = read(path);
                if (target.untested && has_test(&page)) || (target.unshown && has_example(&page)) {
                    complaints.push(format!("{}, because of {}", path.display(), manifest.display()));
                }
            }
        }
    }
    assert!(complaints.is_empty(), "never run:\n{}", complaints.join("\n"));
}

/// A library or a program in a manifest.
struct Target {
    /// The path of a program; `None` for the library.
    path: Option<String>,
    /// Set by `test = false`.
    untested: bool,
    /// Set by `doctest = false`.
    unshown: bool,
}

fn targets(manifest: &str) -> Vec<Target> {
    let mut targets = Vec::new();
    for section in manifest.split("\n[") {
        let mut lines = section.lines().map(str::trim);
        let name = lines.next().unwrap_or_default().trim_matches(['[', ']']);
        if name != "lib" && name != "bin" {
            continue;
        }
        let lines: Vec<&str> = lines.collect();
        let path = lines.iter().find_map(|line| line.strip_prefix("path = "));
        let path = path.unwrap_or("src/main.rs").trim_matches('"').to_owned();
        targets.push(Target {
            path: (name == "bin").then_some(path),
            untested: lines.contains(&"test = false"),
            unshown: lines.contains(&"doctest = false"),
        });
    }
    targets
}

#[test]
fn what_a_manifest_switches_off_is_found() {
    let says = "[package]\nname = \"a\"\n\n[lib]\ndoctest = false\n\n[[bin]]\nname = \"b\"\npath = \"src/b.rs\"\ntest = false\n";
    let [library, program] = &targets(says)[..] else { panic!("one library, one program") };
    assert!(library.path.is_none() && !library.untested && library.unshown);
    assert!(program.path.as_deref() == Some("src/b.rs") && program.untested && !program.unshown);
}

fn has_test(page: &str) -> bool {
    ["#[test", "#[tokio::test", "proptest!"].iter().any(|sign| page.contains(sign))
}

/// Returns true if a page of the documentation has a block of Rust code, as those without a language are.
fn has_example(page: &str) -> bool {
    let docs = page.lines().filter_map(|line| {
        let line = line.trim_start();
        line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
    });
    let mut fences = docs.filter_map(|line| line.trim_start().strip_prefix("```")).step_by(2);
    fences.any(|language| ["", "rust", "no_run", "should_panic", "compile_fail"].contains(&language.trim()))
}

#[test]
fn tests_and_examples_are_found() {
    assert!(has_test("    #[test]\n    fn a() {}") && has_test("#[tokio::test(start_paused = true)]"));
    assert!(has_example("/// ```\n/// a();\n/// ```") && has_example("//! ```rust\n//! a();\n//! ```"));
    assert!(!has_test("fn test() {}") && !has_example("/// ```text\n/// a\n/// ```\n// ```"));
}

#[test]
fn the_readmes_name_both_commands_and_each_other() {
    for (name, other) in [("README.md", "README.zh.md"), ("README.zh.md", "README.md")] {
        let page = read(&root().join(name));
        for wanted in ["make play", "make test", other] {
            assert!(page.contains(wanted), "{name} does not mention {wanted}");
        }
        let makefile = read(&root().join("Makefile"));
        for target in ["play:", "test:"] {
            assert!(makefile.lines().any(|line| line.starts_with(target)), "the Makefile has no {target}");
        }
    }
}

#[test]
fn continuous_integration_runs_what_people_run() {
    assert!(read(&root().join(".ci/run")).contains("make test"));
}

/// Every link in a document to another file of the project leads to one.
#[test]
fn links_lead_somewhere() {
    let mut complaints = Vec::new();
    for path in files().iter().filter(|p| p.extension().is_some_and(|e| e == "md")) {
        let folder = path.parent().expect("a file lies in a folder");
        for link in links(&read(path)) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (target, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if target.is_empty() { path.clone() } else { folder.join(target) };
            let leads = target.exists() && (anchor.is_empty() || has_heading(&read(&target), anchor));
            if !leads {
                complaints.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(complaints.is_empty(), "dead links:\n{}", complaints.join("\n"));
}

/// Returns true if a page has a heading with that anchor, made as code hosts make them: small letters, hyphens for
/// spaces, no other signs.
fn has_heading(page: &str, anchor: &str) -> bool {
    let headings = page.lines().filter_map(|line| line.strip_prefix('#'));
    let anchors = headings.map(|heading| {
        let heading = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect::<String>()
    });
    anchors.into_iter().any(|made| made == anchor)
}

#[test]
fn headings_have_anchors() {
    let page = "# Where do I put …?\n\n## In the hall\n";
    assert!(has_heading(page, "in-the-hall") && has_heading(page, "where-do-i-put-"));
    assert!(!has_heading(page, "elsewhere"));
}

/// Each page of the docs is listed in the index of its folder, or in that of all docs.
#[test]
fn each_page_is_in_an_index() {
    let docs = root().join("docs");
    let pages =
        files().into_iter().filter(|p| p.starts_with(&docs) && p.extension().is_some_and(|e| e == "md"));
    let mut complaints = Vec::new();
    for page in pages.filter(|p| p.file_name().is_some_and(|name| name != "README.md")) {
        let own = page.parent().map(|folder| folder.join("README.md")).filter(|index| index.exists());
        let index = own.unwrap_or_else(|| docs.join("README.md"));
        let folder = index.parent().expect("a file lies in a folder").to_owned();
        if !links(&read(&index)).iter().any(|link| folder.join(link) == page) {
            complaints.push(format!("{} does not list {}", index.display(), page.display()));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn each_decision_is_in_the_index() {
    let index = read(&root().join("docs/README.md"));
    for entry in std::fs::read_dir(root().join("docs/adr")).expect("a folder of decisions") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        assert!(index.contains(&format!("(adr/{name})")), "docs/README.md does not list {name}");
        for part in ["**Context.**", "**Choice.**", "**What we gave up.**"] {
            assert!(read(&path).contains(part), "{name} does not say {part}");
        }
    }
}

#[test]
fn each_fuzz_target_exists_and_is_named() {
    let manifest = read(&root().join("fuzz/Cargo.toml"));
    let named: Vec<&str> =
        quoted_values(&manifest, "path").filter(|p| p.starts_with("fuzz_targets/")).collect();
    assert!(!named.is_empty(), "the manifest was read");
    for path in &named {
        assert!(root().join("fuzz").join(path).is_file(), "fuzz/Cargo.toml names {path}, which is not there");
    }
    for entry in std::fs::read_dir(root().join("fuzz/fuzz_targets")).expect("a folder of targets") {
        let name = entry.expect("a readable folder").file_name();
        let path = format!("fuzz_targets/{}", name.to_string_lossy());
        assert!(named.contains(&path.as_str()), "{path} is not in fuzz/Cargo.toml");
    }
}

/// Returns the values of `key = "…"` lines.
fn quoted_values<'a>(toml: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    let value =
        move |line: &'a str| line.trim().strip_prefix(key)?.trim_start().strip_prefix('=')?.split('"').nth(1);
    toml.lines().filter_map(value)
}

/// Returns the targets of `[text](target)` and `[name]: target`, code blocks left out.
fn links(page: &str) -> Vec<String> {
    let mut in_code = false;
    let mut found = Vec::new();
    for line in page.lines() {
        in_code ^= line.starts_with("```");
        if !in_code {
            let ends = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
            found.extend(ends.map(|(link, _)| link.to_string()));
            // A definition for links elsewhere on the page: `[name]: target`.
            let defined = line.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
            found.extend(defined.map(|(_, target)| target.to_string()));
        }
    }
    found
}

/// Returns every file of the project, what `.gitignore` names left out. Reads the folders themselves: an unpacked
/// archive has no git.
fn files() -> Vec<PathBuf> {
    let ignore = read(&root().join(".gitignore"));
    let left_out: Vec<PathBuf> =
        ignore.lines().filter_map(|line| line.strip_prefix('/')).map(|name| root().join(name)).collect();
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of ours") {
            let path = entry.expect("a readable folder").path();
            if left_out.contains(&path) || path.ends_with(".git") {
                continue;
            }
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
