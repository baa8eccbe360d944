//! Catches a problem without a message: a key in a source file that no Fluent message has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use texts::{Language, say};

/// The prefixes of the messages of a [`kernel::Problem`]: mostly `problem-`; the others are for texts that rules show
/// to players.
const PREFIXES: [&str; 5] = ["problem", "note", "caption", "ruling", "detail"];

/// The literal keys of a source file: the arguments of `Problem::new("…")`, comments left out.
fn keys(source: &str) -> impl Iterator<Item = &str> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split("Problem::new(\"").skip(1))
        .filter_map(|rest| rest.split_once('"').map(|(key, _)| key))
}

/// The Rust files under `folder`, at any depth.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

fn has_sentence(key: &str) -> bool {
    PREFIXES.into_iter().any(|prefix| {
        let name = format!("{prefix}-{key}");
        Language::ALL.into_iter().all(|language| say(language, &name, &[]) != name)
    })
}

#[test]
fn each_literal_key_has_a_sentence_in_both_languages() {
    let mut files = Vec::new();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for folder in std::fs::read_dir(&crates).expect("the folder of our crates") {
        let src = folder.expect("a readable folder").path().join("src");
        if src.is_dir() {
            sources(&src, &mut files);
        }
    }
    let mut known = BTreeMap::new();
    for path in files {
        let source = std::fs::read_to_string(&path).expect("a text file");
        for key in keys(&source) {
            known.entry(key.to_owned()).or_insert_with(|| path.clone());
        }
    }
    // Were the calls written in another way, the test would hold of nothing.
    assert!(known.len() > 250, "only {} keys were found", known.len());
    known.retain(|key, _| !has_sentence(key));
    assert!(known.is_empty(), "no sentence in texts/ for {known:#?}");
}

#[test]
fn keys_are_found_in_code_and_not_in_comments() {
    let source = r#"
        /// Problem::new("in-a-comment")
        let a = [Problem::new("one"), kernel::Problem::new("two").with("name", "x")];
        Problem::new(key)
    "#;
    assert_eq!(keys(source).collect::<Vec<_>>(), ["one", "two"]);
    assert!(has_sentence("unknown-game") && !has_sentence("no-such-key"));
}
