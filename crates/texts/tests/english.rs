//! Holds doc comments, names of types, the changelog and commit titles to the rules of wording in `docs/style.md`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Words that begin a clause, a command or a riddle, and so never the first sentence of a doc or of its sections
/// `# Errors` and `# Panics`.
const NEVER_FIRST: &str = "what who whoever whatever whether whose whom which where when while why how of those these nobody \
    somebody everybody anybody if that as they it he she we you is are was were has have may can must should would will does do \
    not no nothing something everything anything none only before after because since until unless also but and or so than then \
    too likewise otherwise instead yes mostly usually sometimes never always now with without from to by there for on at in";

/// Words and turns that stand nowhere. In pieces, so that this file does not contain them.
const NEVER: [&str; 11] = [
    concat!("who", "ever"),
    concat!("who", "mever"),
    concat!("no", "body"),
    concat!("some", "body"),
    concat!("a", "new"),
    concat!("so ", "many"),
    concat!("so ", "much"),
    concat!("of ", "before"),
    concat!("as it ", "is told"),
    concat!("as they ", "are told"),
    concat!("a ", "wonder"),
];

/// Names that say too little: at most one type of the workspace has each.
const VAGUE_NAMES: [&str; 9] = ["Asked", "Heard", "Kind", "Known", "Line", "Said", "Told", "Wanted", "Wish"];

/// The places of a paragraph in a doc comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// The beginning of the doc.
    First,
    /// The beginning of a section `# Errors` or `# Panics`.
    Section,
    /// Any other place.
    Further,
}

/// A paragraph of a doc comment.
#[derive(PartialEq, Eq, Debug)]
struct Paragraph {
    /// The number of its first line, from 1.
    line: usize,
    text: String,
    place: Place,
}

/// Returns the text of a line of a doc comment, with the mark that says what it documents: `/` or `!`.
fn doc(line: &str) -> Option<(char, &str)> {
    let rest = line.trim_start().strip_prefix("//")?;
    let mark = rest.chars().next().filter(|mark| matches!(mark, '/' | '!'))?;
    let text = &rest[1..];
    (text.is_empty() || text.starts_with(' ')).then(|| (mark, text.trim()))
}

fn is_item(text: &str) -> bool {
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    text.starts_with("- ")
        || text.starts_with("* ")
        || (number.len() < text.len() && number.starts_with(". "))
}

/// Splits the doc comments of a Rust file into paragraphs and items of lists. Examples, tables and headings are left out.
fn paragraphs(source: &str) -> Vec<Paragraph> {
    let mut found: Vec<Paragraph> = Vec::new();
    let (mut mark, mut is_open, mut place, mut is_code) = (None, false, Place::First, false);
    for (index, line) in source.lines().enumerate() {
        let Some((kind, text)) = doc(line) else {
            (mark, is_open, is_code) = (None, false, false);
            continue;
        };
        if mark != Some(kind) {
            (mark, is_open, place, is_code) = (Some(kind), false, Place::First, false);
        }
        if text.starts_with("```") {
            (is_open, place, is_code) = (false, Place::Further, !is_code);
        } else if !is_code && matches!(text, "# Errors" | "# Panics") {
            (is_open, place) = (false, Place::Section);
        } else if is_code || text.is_empty() || text.starts_with(['#', '|']) {
            is_open = false;
        } else if let Some(last) = found.last_mut().filter(|_| is_open && !is_item(text)) {
            last.text.push(' ');
            last.text.push_str(text);
        } else {
            found.push(Paragraph { line: index + 1, text: text.to_owned(), place });
            (is_open, place) = (true, Place::Further);
        }
    }
    found
}

/// The documentation comments of a TypeScript or Svelte file: `/** … */`, each as one paragraph.
fn blocks(source: &str) -> Vec<Paragraph> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = source[at..].find("/**").map(|n| at + n) {
        let Some(end) = source[begin + 3..].find("*/").map(|n| begin + 3 + n) else { break };
        let lines = source[begin + 3..end].lines().map(|line| line.trim().trim_start_matches('*').trim());
        let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        found.push(Paragraph { line: source[..begin].matches('\n').count() + 1, text, place: Place::First });
        at = end;
    }
    found
}

fn first_word(text: &str) -> String {
    let text = text.trim_start_matches(['*', '"']);
    // A name from the code is no word.
    let is_name = text.starts_with('`') || text.starts_with("[`");
    let word: String = text.chars().take_while(|c| c.is_ascii_alphabetic() && !is_name).collect();
    word.to_lowercase()
}

fn is_never_first(text: &str) -> bool {
    let word = first_word(text);
    NEVER_FIRST.split_whitespace().any(|never| never == word)
}

/// Returns the first of the words that stand nowhere, or `None`.
fn never(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    NEVER.into_iter().find(|word| {
        text.match_indices(word).any(|(at, _)| {
            let after = &text[at + word.len()..];
            !text[..at].ends_with(is_letter) && !after.starts_with(is_letter)
        })
    })
}

fn complaint(paragraph: &Paragraph) -> Option<String> {
    let text = &paragraph.text;
    let is_first = paragraph.place == Place::First;
    if is_first && is_never_first(text) {
        return Some(format!("a doc begins with a noun or a verb, not with {:?}", first_word(text)));
    }
    let words = text.trim_end_matches('.').split(' ').count();
    let is_short = words == 1 || (words == 2 && !text.contains('('));
    if is_first && is_short && text.ends_with('.') && !text.contains('`') {
        return Some("a doc of one or two words says nothing".to_owned());
    }
    never(text).map(|word| format!("says {word:?}"))
}

fn files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the project") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir()
            && !["node_modules", "dist", "target", "corpus", "artifacts"].contains(&name.as_str())
        {
            files(&path, endings, found);
        } else if path.extension().is_some_and(|end| endings.iter().any(|wanted| end == *wanted)) {
            found.push(path);
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the Rust files of our crates, each with the name of its crate, its path and its text.
fn sources() -> Vec<(String, PathBuf, String)> {
    let crates = root().join("crates");
    let mut paths = Vec::new();
    files(&crates, &["rs"], &mut paths);
    let read = |path: PathBuf| {
        let inside = path.strip_prefix(&crates).expect("a file of that folder");
        let name = inside.iter().next().expect("a folder for each crate").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a text file");
        (name, path, text)
    };
    paths.into_iter().map(read).collect()
}

/// Returns the name of the type that a line of code defines, or `None`.
fn type_defined(line: &str) -> Option<&str> {
    let mut words =
        line.trim_start().split(' ').skip_while(|word| word.starts_with("pub") || word.ends_with(')'));
    let is_type = matches!(words.next()?, "struct" | "enum" | "union" | "trait" | "type");
    let name = words.next().filter(|_| is_type)?;
    Some(name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(name))
}

#[test]
fn docs_begin_with_what_the_thing_is_or_does() {
    let (mut complaints, mut seen) = (Vec::new(), 0);
    for (folder, endings) in [("crates", &["rs"][..]), ("fuzz", &["rs"]), ("web/src", &["ts", "svelte"])] {
        let mut paths = Vec::new();
        files(&root().join(folder), endings, &mut paths);
        for path in paths {
            let source = std::fs::read_to_string(&path).expect("a text file");
            let found = if endings == ["rs"] { paragraphs(&source) } else { blocks(&source) };
            seen += found.len();
            complaints.extend(found.iter().filter_map(|paragraph| {
                let why = complaint(paragraph)?;
                Some(format!("{}:{}: {why}: {}", path.display(), paragraph.line, paragraph.text))
            }));
        }
    }
    assert!(seen > 15_000, "only {seen} paragraphs were found");
    assert!(complaints.is_empty(), "{} docs:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn sections_of_docs_begin_with_a_sentence() {
    let (mut complaints, mut seen) = (Vec::new(), 0);
    for (_, path, source) in sources() {
        for paragraph in paragraphs(&source).iter().filter(|paragraph| paragraph.place == Place::Section) {
            seen += 1;
            if is_never_first(&paragraph.text) {
                complaints.push(format!("{}:{}: {}", path.display(), paragraph.line, paragraph.text));
            }
        }
    }
    assert!(seen > 500, "only {seen} sections were found");
    assert!(complaints.is_empty(), "{} sections:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn a_vague_name_belongs_to_one_type() {
    let (mut found, mut places) = (BTreeMap::new(), Vec::new());
    for (_, path, source) in sources() {
        for (index, line) in source.lines().enumerate() {
            if let Some(vague) = type_defined(line).filter(|defined| VAGUE_NAMES.contains(defined)) {
                *found.entry(vague.to_owned()).or_insert(0) += 1;
                places.push(format!("{}:{}: {vague}", path.display(), index + 1));
            }
        }
    }
    for vague in VAGUE_NAMES {
        let count = found.get(vague).copied().unwrap_or(0);
        assert!(count <= 1, "{vague} is defined {count} times; types:\n{}", places.join("\n"));
    }
}

#[test]
fn the_changelog_is_in_plain_words() {
    let page = std::fs::read_to_string(root().join("CHANGELOG.md")).expect("a changelog");
    let wrong: Vec<_> = page.lines().filter_map(|line| Some((never(line)?, line))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns what is wrong with the title of a commit, or `None`.
fn wrong_title(title: &str) -> Option<&'static str> {
    let idea = title.split_once(": ").map_or(title, |(_, idea)| idea);
    if title.chars().count() > 70 {
        Some("longer than 70 letters")
    } else if idea.contains("; ") {
        Some("more than one idea")
    } else if is_never_first(idea) || never(title).is_some() {
        Some("no plain imperative")
    } else {
        None
    }
}

/// Titles from before this test cannot be changed. A copy without its history has none to hold.
#[test]
fn commits_have_short_titles() {
    let log = Command::new("git")
        .args(["log", "--no-merges", "--since=2026-11-30T20:00:00Z", "--format=%s"])
        .current_dir(root())
        .output();
    let Some(log) = log.ok().filter(|log| log.status.success()) else { return };
    let titles = String::from_utf8_lossy(&log.stdout).into_owned();
    let wrong: Vec<_> = titles.lines().filter_map(|title| Some((wrong_title(title)?, title))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_breaks_a_rule_is_found() {
    let source = "//! Parser of things.\n\n/// Whether it\n/// holds.\n///\n/// The second.\nfn a() {}\n/// Name.\nb: u8,\n\
        /// Returns the sum.\n/// ```\n/// what(1);\n/// ```\n/// - one\n/// - two\nfn c() {}\n//// no doc\n\
        /// Reads a file.\n///\n/// # Errors\n/// What is wrong.\n///\n/// More.\n";
    let found = paragraphs(source);
    let texts: Vec<_> = found.iter().map(|p| (p.line, p.text.as_str(), p.place)).collect();
    assert_eq!(
        texts,
        [
            (1, "Parser of things.", Place::First),
            (3, "Whether it holds.", Place::First),
            (6, "The second.", Place::Further),
            (8, "Name.", Place::First),
            (10, "Returns the sum.", Place::First),
            (14, "- one", Place::Further),
            (15, "- two", Place::Further),
            (18, "Reads a file.", Place::First),
            (21, "What is wrong.", Place::Section),
            (23, "More.", Place::Further),
        ]
    );
    assert_eq!(found.iter().filter(|p| complaint(p).is_some()).map(|p| p.line).collect::<Vec<_>>(), [3, 8]);
    assert_eq!(type_defined("    pub(crate) struct Told<'a> {"), Some("Told"));
    assert_eq!(type_defined("pub type Told<A> = Sender<A>;"), Some("Told"));
    assert_eq!(type_defined("let kind = 1;"), None);
    assert_eq!(blocks("a\n/** How many. */\n/**\n * The sum.\n */").len(), 2);
    for text in [
        concat!("The move of who", "ever begins."),
        concat!("It is drawn a", "new."),
        concat!("No", "body's turn."),
    ] {
        assert!(never(text).is_some(), "{text}");
    }
    assert_eq!(never("a renewal of beforehand"), None);
    assert_eq!(wrong_title("store: fold the rows of finished games"), None);
    for title in ["hall: what is old goes", "Mend the clock; write a test", &"a".repeat(71)] {
        assert!(wrong_title(title).is_some(), "{title}");
    }
}
