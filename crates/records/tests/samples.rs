//! The built-in maps: written from their texts in `maps/src` and `maps/examples/src`, and read back.

use std::path::{Path, PathBuf};

use jingbanqi::level2::Sheets2;
use jingbanqi::{Draft, DraftKind, Value};
use kernel::Side;
use serde_json::Value as Json;

fn maps() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps")
}

/// A draft as its text has it: the board as lines of ids, pieces as lists of name, side, rule, promotion, promoted
/// rule and attributes, and the switches that are on; the sheets of level 2 as rows, with `|` between their cells.
fn draft(text: &str) -> Draft {
    let source: Json = serde_json::from_str(text).expect("JSON");
    let lines: Vec<&str> =
        source["board"].as_array().expect("a board").iter().filter_map(Json::as_str).collect();
    let cells: Vec<Vec<u32>> = lines
        .iter()
        .map(|line| line.split_whitespace().map(|id| id.parse().unwrap_or(0)).collect())
        .collect();
    let on = |name: &str| source["switches"].as_array().expect("switches").iter().any(|on| on == name);
    Draft {
        rows: cells.len() as u32,
        cols: cells[0].len() as u32,
        cells: cells.concat(),
        kinds: source["pieces"].as_array().expect("pieces").iter().map(kind).collect(),
        promotion: on("promotion"),
        undo: on("undo"),
        neutral_limit: on("neutral-limit"),
        level2: level2(&source["level2"]),
    }
}

fn level2(source: &Json) -> Sheets2 {
    let row =
        |row: &Json| row.as_str().expect("a row").split('|').map(|cell| cell.trim().to_owned()).collect();
    let sheet = |name: &str| source[name].as_array().into_iter().flatten().map(row).collect();
    Sheets2 {
        rules2: sheet("rules2"),
        terrain: sheet("terrain"),
        look: sheet("look"),
        hand: sheet("hand"),
        bag: sheet("bag"),
    }
}

fn kind(piece: &Json) -> DraftKind {
    let text = |i: usize| piece[i].as_str().unwrap_or_default().to_owned();
    let attribute = |(name, value): (&String, &Json)| {
        let value = match value {
            Json::String(text) => Value::Text(text.clone()),
            Json::Bool(set) => Value::Bool(*set),
            number => Value::Int(number.as_i64().expect("a whole number")),
        };
        (name.clone(), value)
    };
    // In the order of their names: how JSON is read depends on what else is built.
    let mut attributes: Vec<_> = piece[5].as_object().into_iter().flatten().map(attribute).collect();
    attributes.sort_by(|one, other| one.0.cmp(&other.0));
    let side = text(1);
    let promoted = text(4);
    DraftKind {
        name: text(0),
        owner: match side.split(' ').next() {
            Some("red") => Some(Side::First),
            Some("blue") => Some(Side::Second),
            _ => None,
        },
        captain: side.ends_with("captain"),
        rule: text(2),
        promotes: text(3),
        promoted: if promoted.is_empty() && piece[4] != "" { ";".to_owned() } else { promoted },
        attributes,
    }
}

/// The sample workbooks match their texts; with `QIGUAN_BLESS=1` they are written again.
#[test]
fn the_samples_are_what_their_texts_say() {
    let folders = [maps(), maps().join("examples")];
    let sources = folders.iter().flat_map(|folder| {
        let entries = std::fs::read_dir(folder.join("src")).expect("a folder of texts");
        entries.map(move |entry| (folder, entry.expect("an entry").path()))
    });
    let mut seen = 0;
    for (folder, source) in sources {
        let text = std::fs::read_to_string(&source).expect("a text");
        let reading = draft(&text).read();
        assert!(reading.errors.is_empty(), "{}: {:?}", source.display(), reading.errors);
        let map = reading.map.expect("a map without errors");
        let book = folder.join(source.file_stem().expect("a name")).with_extension("xlsx");
        let bytes = records::map::write(&map).expect("is written");
        if std::env::var_os("QIGUAN_BLESS").is_some() {
            std::fs::write(&book, &bytes).expect("can be written");
        }
        let kept = std::fs::read(&book).expect("the workbook is there: QIGUAN_BLESS=1 cargo test -p records");
        assert_eq!(jingbanqi::read(&kept).map.as_ref(), Some(&map), "{}", book.display());
        assert_eq!(records::map::write(&map).expect("is written"), bytes, "the same map is the same file");
        seen += 1;
    }
    // The starter is in no gallery.
    assert_eq!(seen, catalog::maps::built_in().count() + 1);
}
