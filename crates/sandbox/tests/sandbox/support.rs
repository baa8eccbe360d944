//! Small maps and short extensions, and a game of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jingbanqi::extension::{Extensions, Loader, Source};
use jingbanqi::rule::{move_rule, place_rule};
use jingbanqi::{Jingbanqi, Map, PieceKind, Rulebook, Value};
use kernel::{Problem, Side};
use sandbox::Sandbox;

/// Workers are this little program.
pub fn sandbox() -> Sandbox {
    Sandbox::new(PathBuf::from(env!("CARGO_BIN_EXE_sandbox-worker")))
}

/// A file of `tests/data`.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// A piece that steps in all directions.
pub fn kind(name: &str, owner: Option<Side>, captain: bool) -> PieceKind {
    PieceKind {
        name: name.to_owned(),
        owner,
        captain,
        rule: move_rule("1,2,3,4,5,6,7,8;").expect("a rule"),
        promotes: place_rule("").expect("a rule"),
        promoted: move_rule(";").expect("a rule"),
        attributes: vec![
            ("power".to_owned(), Value::Int(3)),
            ("push".to_owned(), Value::Text("(1, 2)".to_owned())),
        ],
        level2: None,
    }
}

/// Four rows and columns: blue's king (2) and man (4) above, red's king (1) and man (3) below.
pub fn small() -> Map {
    let (red, blue) = (Some(Side::First), Some(Side::Second));
    Map {
        rows: 4,
        cols: 4,
        kinds: vec![
            kind("K", red, true),
            kind("k", blue, true),
            kind("M", red, false),
            kind("m", blue, false),
        ],
        start: vec![2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 1],
        promotion: true,
        undo: true,
        neutral_limit: false,
        level2: None,
    }
}

/// A file of an extension; the name every file needs is put in front.
pub fn source(text: &str) -> Source {
    Source { file: "x.py".to_owned(), bytes: format!("EX_NAME = \"x\"\n{text}").into_bytes() }
}

/// A map and its extensions, or what is wrong with them.
type Loaded = Result<(Arc<Rulebook>, Arc<dyn Extensions>), Vec<Problem>>;

/// The extensions of those texts, loaded.
pub fn load(map: Map, texts: &[&str]) -> Loaded {
    let sources: Vec<Source> = texts
        .iter()
        .enumerate()
        .map(|(number, text)| Source { file: format!("x{number}.py"), ..source(text) })
        .collect();
    let book = Arc::new(Rulebook::new(map, false));
    let extensions = sandbox().load(&book, &sources)?;
    Ok((book, extensions))
}

/// A game on the small map with one extension.
pub fn game(text: &str) -> Jingbanqi {
    game_on(small(), text)
}

/// A game with one extension.
pub fn game_on(map: Map, text: &str) -> Jingbanqi {
    let (book, extensions) = load(map, &[text]).unwrap_or_else(|problems| panic!("{problems:?}"));
    Jingbanqi::with_extensions(book, extensions)
}

/// The texts of a position's moves.
pub fn moves(pos: &Jingbanqi) -> Vec<String> {
    use kernel::{Notation, Position};
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let mut texts: Vec<String> = moves.into_iter().map(|m| pos.move_text(m)).collect();
    texts.sort();
    texts
}

/// Plays a move by its text.
pub fn play(pos: &mut Jingbanqi, text: &str) {
    use kernel::{Notation, Position};
    let m = pos.read_move(text).unwrap_or_else(|| panic!("{text} is not one of {:?}", moves(pos)));
    pos.play(m);
}

/// Puts a copy of the worker at that place. Another process writes it: a file that this one has open for writing cannot be run
/// while any child of another test, started meanwhile, still holds it.
pub fn put_worker(place: &std::path::Path) {
    let copied =
        std::process::Command::new("cp").arg(env!("CARGO_BIN_EXE_sandbox-worker")).arg(place).status();
    assert!(copied.expect("cp is there").success(), "a worker");
}
