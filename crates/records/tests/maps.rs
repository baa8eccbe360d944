//! Maps as workbooks, and records that carry them.

use std::io::Write as _;
use std::process::{Command, Stdio};

use jingbanqi::{Draft, DraftKind, Map, Value, read};
use kernel::Side;
use kernel::laws::Random;
use records::{Files, Format, MapOf, Ply, Record, Source, Tree};

const NAMES: [&str; 8] = ["帅", "18", "007", "a b", "", "🐉", "<&>'", "_x0041_"];
const RULES: [&str; 6] = [
    ";",
    "1,2,3;",
    "2(X[1|-2]&P[1|2|3|4]),4(Y[0]);7",
    ";2,4,5,7;1,-9;3(甲 乙[12])",
    "5();",
    "1(T[3]&D[1|0|2]);8",
];
const PLACES: [&str; 4] = ["", "X[1]", "Y[-1]&P[1|1]", "NP[2|2]&甲[0]"];

fn value(random: &mut Random) -> Value {
    match random.below(6) {
        0 => Value::Text("c".to_owned()),
        1 => Value::Text(" [1,2]\n'x' ".to_owned()),
        2 => Value::Text("42".to_owned()),
        3 => Value::Int(random.below(1 << 20) as i64 - (1 << 19)),
        4 => Value::Float(random.below(1000) as f64 / 8.0 + 0.5),
        _ => Value::Bool(true),
    }
}

fn random_map(seed: u64) -> Map {
    let mut random = Random(seed);
    let pick = |random: &mut Random, from: &[&str]| from[random.below(from.len())].to_owned();
    let kinds = 1 + random.below(8);
    // The columns have one order for all pieces.
    let attributes = |random: &mut Random| {
        let mut attributes = Vec::new();
        for name in ["kind", "属性", "12"] {
            let value = value(random);
            if random.below(2) == 0 && value != Value::Int(0) {
                attributes.push((name.to_owned(), value));
            }
        }
        attributes
    };
    let kind = |random: &mut Random| DraftKind {
        name: pick(random, &NAMES),
        owner: [Some(Side::First), Some(Side::Second), None][random.below(3)],
        captain: random.below(3) == 0,
        rule: pick(random, &RULES),
        promotes: pick(random, &PLACES),
        promoted: pick(random, &RULES),
        attributes: attributes(random),
    };
    let kinds: Vec<DraftKind> = (0..kinds).map(|_| kind(&mut random)).collect();
    let [rows, cols] = [1 + random.below(12) as u32, 1 + random.below(12) as u32];
    let most = kinds.len();
    let cells: Vec<u32> =
        (0..rows * cols).map(|_| random.below(2 * most + 1).saturating_sub(most) as u32).collect();
    let [promotion, undo, neutral_limit] = [0; 3].map(|_| random.below(2) == 0);
    let draft = Draft { rows, cols, cells, kinds, promotion, undo, neutral_limit, ..Draft::default() };
    let reading = draft.read();
    reading.map.unwrap_or_else(|| panic!("seed {seed}: {:?}", reading.errors))
}

/// Attributes by name: columns come in the order in which pieces use them.
fn sorted(mut map: Map) -> Map {
    map.kinds.iter_mut().for_each(|kind| kind.attributes.sort_by(|a, b| a.0.cmp(&b.0)));
    map
}

#[test]
fn a_map_that_is_written_is_read_as_it_was() {
    for seed in 0..150 {
        let map = random_map(seed);
        let bytes = records::map::write(&map).expect("is written");
        let reading = read(&bytes);
        assert_eq!(reading.errors, [], "seed {seed}");
        assert!(
            reading.warnings.iter().all(|w| !matches!(w.key, "map-warn-short-board" | "map-warn-id-column"))
        );
        assert_eq!(reading.map.map(sorted), Some(sorted(map)), "seed {seed}");
    }
    let mut large = random_map(1);
    (large.rows, large.cols) = (64, 64);
    large.start = vec![1; 64 * 64];
    assert_eq!(read(&records::map::write(&large).expect("is written")).map, Some(large));
}

#[test]
fn help_changes_nothing_of_a_map() {
    let map = random_map(3);
    let help = [("chesses E".to_owned(), "how it moves".to_owned())];
    let bytes = records::map::write_with(&map, &help).expect("is written");
    assert_eq!(read(&bytes).map.map(sorted), Some(sorted(map)));
}

/// Reads a workbook as the published program does: by openpyxl, every cell of the board, names in quotes.
const PYTHON: &str = r#"
import io, sys
try:
    import openpyxl
except ImportError:
    print("no openpyxl"); sys.exit()
book = openpyxl.load_workbook(io.BytesIO(sys.stdin.buffer.read()))
pieces = list(book["chesses"].iter_rows(min_row=2, values_only=True))
board = book["map"]
rows, cols = board["B1"].value, board["D1"].value
print(rows, cols, board.max_row - 1 >= rows, board.max_column >= max(cols, 4))
for row in pieces:
    print(row[1], row[2], row[3], row[4], row[5], row[6], sep="|")
cells = [board.cell(2 + i, 1 + j).value or 0 for i in range(rows) for j in range(cols)]
print(*cells)
print(*[book["rules"].cell(2 + i, 3).value for i in range(3)])
"#;

#[test]
fn the_published_programs_library_reads_it() {
    let mut draft = Draft::from(&random_map(5));
    draft.kinds.truncate(1);
    draft.kinds[0].name = "18".to_owned();
    draft.kinds[0].owner = None;
    draft.kinds[0].captain = true;
    draft.kinds[0].rule = "2(X[1]);7".to_owned();
    draft.kinds[0].promotes.clear();
    draft.kinds[0].promoted = ";".to_owned();
    (draft.rows, draft.cols, draft.cells) = (2, 3, vec![0, 1, 0, 1, 0, 0]);
    (draft.promotion, draft.undo, draft.neutral_limit) = (true, false, true);
    let map = draft.read().map.expect("a good map");
    let started = Command::new("python3")
        .args(["-c", PYTHON])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut python) = started else { return eprintln!("skipped: there is no python3") };
    let bytes = records::map::write(&map).expect("is written");
    // Where openpyxl is missing, python3 does not wait for the workbook.
    let _ = python.stdin.take().expect("is piped").write_all(&bytes);
    let output = python.wait_with_output().expect("ends");
    let printed = String::from_utf8_lossy(&output.stdout);
    if printed.starts_with("no openpyxl") {
        return eprintln!("skipped: python3 has no openpyxl");
    }
    let wanted = "2 3 True True\n\"18\"|3|c|2(X[1]);7|None|;\n0 1 0 1 0 0\nc None c\n";
    assert_eq!(printed, wanted, "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_record_carries_its_map() {
    let mut record = Record { game: "jingbanqi".to_owned(), ..Record::default() };
    record.options.insert("old-names".to_owned(), 1);
    record.tree.add(Tree::START, Ply { text: "5,1-4,1".to_owned(), ..Ply::default() });
    let source = |file: &str, bytes: &[u8]| Source { file: file.to_owned(), bytes: bytes.to_vec() };
    let files = Files {
        map: records::map::write(&random_map(2)).expect("is written"),
        extensions: vec![
            source("一.py", "EX_NAME = \"一\"\r\n".as_bytes()),
            source("b.py", &[0xff, 0xfe, 0]),
        ],
    };
    record.map = Some(MapOf { id: "0f".to_owned(), name: "My game".to_owned(), files: Some(files) });
    let json = records::write(Format::Json, &record).expect("is written");
    assert_eq!(records::read(Format::Json, &json), Ok(record.clone()));
    let text = records::write(Format::Text, &record).expect("is written");
    assert!(String::from_utf8_lossy(&text).contains("Map: 0f My game\n"));
    record.map.as_mut().expect("a map").files = None;
    assert_eq!(records::read(Format::Text, &text), Ok(record), "a text names its map and does not carry it");
    let plain = Record { game: "locked".to_owned(), ..Record::default() };
    let json = records::write(Format::Json, &plain).expect("is written");
    assert!(!String::from_utf8_lossy(&json).contains("map"), "other games say nothing of maps");
    let broken =
        br#"{"format":"qiguan-record","version":1,"game":"jingbanqi","map":{"xlsx":"%"},"moves":[]}"#;
    assert_eq!(records::read(Format::Json, broken).expect_err("is no Base64").key, "record-json-base64");
}

/// A sheet by its name, its rows of cells.
type Sheet<'a> = (&'a str, &'a [&'a [&'a str]]);

/// A workbook with those sheets; whole numbers are numbers.
fn workbook(sheets: &[Sheet<'_>]) -> Vec<u8> {
    let mut book = rust_xlsxwriter::Workbook::new();
    for (name, rows) in sheets {
        let sheet = book.add_worksheet().set_name(*name).expect("a name");
        for (row, cells) in (0u32..).zip(*rows) {
            for (col, cell) in (0u16..).zip(*cells).filter(|(_, cell)| !cell.is_empty()) {
                match cell.parse::<i32>() {
                    Ok(number) => drop(sheet.write_number(row, col, f64::from(number)).expect("a number")),
                    Err(_) => drop(sheet.write_string(row, col, *cell).expect("a text")),
                }
            }
        }
    }
    book.save_to_buffer().expect("a workbook")
}

const PIECES: Sheet<'static> = (
    "chesses",
    &[&[], &["1", "A", "1", "c", "2,4,5,7;", "", ";"], &["2", "a", "2", "c", "2,4,5,7;", "", ";"]],
);
const BOARD: Sheet<'static> = ("map", &[&["", "3", "", "3"], &["", "2", ""], &["", "", ""], &["", "1", ""]]);
const SWITCHES: Sheet<'static> = ("rules", &[&[], &["1", "", ""], &["2", "", "c"], &["3", "", ""]]);

#[test]
fn a_map_of_level_2_is_read_as_it_was_written() {
    let rules2: Sheet<'_> =
        ("rules2", &[&["Qiguan 2"], &["stuck", "lose"], &["plies", "40", "draw"], &["undo", "yes"]]);
    let terrain: Sheet<'_> = ("terrain", &[&["water/a"], &[], &["", "", "off"]]);
    let hand: Sheet<'_> = ("hand", &[&["side", "piece", "count"], &["2", "a", "∞"]]);
    let reading = read(&workbook(&[PIECES, BOARD, rules2, terrain, hand]));
    assert_eq!(reading.errors, []);
    let map = reading.map.expect("no errors");
    let level2 = map.level2.as_ref().expect("the mark");
    assert_eq!((level2.terrain[0].len(), level2.hands.len(), map.undo), (2, 1, true));
    let written = records::map::write(&map).expect("is written");
    assert_eq!(read(&written).map, Some(map.clone()));
    assert_eq!(Draft::from(&map).read().map, Some(map));
}

#[test]
fn without_its_mark_a_sheet_of_level_2_is_not_read() {
    let plain = read(&workbook(&[PIECES, BOARD, SWITCHES])).map.expect("a map");
    let odd: Sheet<'_> = ("rules2", &[&["棋馆 3"], &["nonsense", "here"]]);
    let more: Sheet<'_> = ("terrain", &[&["[", "", "", "", "", "off the board"]]);
    assert_eq!(read(&workbook(&[PIECES, BOARD, SWITCHES, odd, more])).map, Some(plain));
    assert_eq!(read(&workbook(&[PIECES, BOARD, odd])).errors[0].key, "map-missing-mark");
    assert_eq!(read(&workbook(&[PIECES, BOARD])).errors[0].key, "map-missing-sheet");
}

#[test]
fn a_map_of_both_levels_has_to_play_alike() {
    let alike: Sheet<'_> = ("rules2", &[&["棋馆 2"], &["悔棋", "是"]]);
    let map = read(&workbook(&[PIECES, BOARD, SWITCHES, alike])).map.expect("a map");
    assert_eq!(jingbanqi::level2::alike(&map), Ok(()));
    assert_eq!(read(&records::map::write(&map).expect("is written")).map, Some(map));
    let passes: Sheet<'_> = ("rules2", &[&["棋馆 2"], &["可不走", "是"]]);
    let map = read(&workbook(&[PIECES, BOARD, SWITCHES, passes])).map.expect("a map");
    let differs = jingbanqi::level2::alike(&map).expect_err("it may pass");
    assert_eq!(
        (differs.key, differs.arg("text"), differs.arg("ply")),
        ("map-levels-differ", Some("pass"), Some("1"))
    );
}
