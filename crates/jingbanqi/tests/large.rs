//! Small files that are a lot of work, or a lot of memory: maps within every limit that once took minutes or gigabytes.

use std::io::Write as _;
use std::sync::Arc;

use jingbanqi::{Draft, DraftKind, Jingbanqi, Reading, Rulebook, Value, read, words};
use kernel::{Position as _, Side};

/// Makes pieces of red's with those rules: the move rule, the places of promotion, the promoted rule.
fn pieces(count: usize, rules: impl Fn(usize) -> [String; 3]) -> Draft {
    let kind = |number| {
        let [rule, promotes, promoted] = rules(number);
        DraftKind {
            name: "K".to_owned(),
            owner: Some(Side::First),
            rule,
            promotes,
            promoted,
            ..DraftKind::default()
        }
    };
    let kinds: Vec<DraftKind> = (0..count).map(kind).collect();
    Draft { rows: 64, cols: 64, cells: vec![1; 64 * 64], kinds, promotion: true, ..Draft::default() }
}

/// A name of four letters for each number.
fn name(number: usize) -> String {
    let letter = |at: u32| (b'a' + (number / 26_usize.pow(at) % 26) as u8) as char;
    (0..4).rev().map(letter).collect()
}

/// Writes a rule of `count` places, each with another name, numbered from `first`.
fn places(first: usize, count: usize) -> String {
    (first..first + count).map(|number| format!("{}[1]", name(number))).collect::<Vec<_>>().join("&")
}

/// Computes everything that is made of a map before it is played.
fn prepared(draft: &Draft) -> (Reading, usize) {
    let reading = draft.read();
    let map = reading.map.clone().unwrap_or_else(|| panic!("{:?}", reading.errors));
    let told = words::kinds(&map, &[]).iter().map(Vec::len).sum();
    let start = Jingbanqi::new(Arc::new(Rulebook::new(map.clone(), false)));
    assert_eq!(start.count(), 0, "red stands on every square");
    let view = kernel::any(start).view();
    assert_eq!(view.pieces.len(), 64 * 64);
    assert_eq!(Draft::from(&map).read().map, Some(map));
    (reading, told)
}

/// A map within the limits is read in time; before, each of these took minutes: names were looked up in a list, rules
/// compared with each other, and places tried on each square.
#[test]
fn a_map_within_the_limits_is_read_at_once() {
    let plain = || ";".to_owned();
    // Very many names that nothing explains.
    let (reading, told) = prepared(&pieces(500, |n| [plain(), places(n * 250, 250), plain()]));
    let warned = reading.warnings.iter().find(|warning| warning.key == "map-uses-undefined-rule");
    let listed = warned.and_then(|warning| warning.arg("text")).unwrap_or_default();
    assert!(listed.starts_with("aaaa, aaab, ") && listed.ends_with('…'), "{listed}");
    assert!(told > 125_000);
    // Rules that differ at their ends.
    prepared(&pieces(4096, |n| {
        let rule = |last: usize| format!("{}2(X[{last}]);", "1(X[1]),".repeat(14));
        [rule(n), String::new(), rule(n + 4096)]
    }));
    // Few rules that say much about a large board.
    let many = format!("1(X[{}]);", vec!["99"; 1360].join("|"));
    prepared(&pieces(120, |n| [many.replacen("99", &n.to_string(), 1), String::new(), many.clone()]));
    // More moves than a table is made for, and all of them directions.
    prepared(&pieces(250, |n| [format!("{};", "1,".repeat(1500 + n)), String::new(), plain()]));
    // Many places on one line.
    let row = |n: usize| format!("1({});", places(n * 500, 500));
    prepared(&pieces(125, |n| [row(n), String::new(), row(n + 125)]));
}

#[test]
fn squares_of_rules_are_those_that_are_written() {
    let mut draft = pieces(1, |_| {
        let rule = "4(X[2|-1]&Y[3]&P[1|1|-1|-1|9|9]),5,4(Q[1]);7(X[0]),7(X[1])";
        [rule.to_owned(), "P[2|2]&NP[1|2]".to_owned(), ";".to_owned()]
    });
    (draft.rows, draft.cols) = (4, 5);
    let map = draft.read().map.expect("a good map");
    let start = Jingbanqi::new(Arc::new(Rulebook::new(map, true)));
    for at in 0..20u16 {
        let (row, col) = (at / 5 + 1, at % 5 + 1);
        let mut text: Vec<String> = vec![".".to_owned(); 20];
        text[usize::from(at)] = "1".to_owned();
        let rows: Vec<String> = text.chunks(5).map(|row| row.join(",")).collect();
        let pos = kernel::Notation::read_fen(&start, &format!("{} r 0,0 -", rows.join("/"))).expect("a FEN");
        let mut found = Vec::new();
        pos.destinations(at, pos.piece(at).expect("it stands there"), |to| found.push(to));
        let mut wanted = Vec::new();
        let left = row == 2 || row == 4 || col == 3 || (row, col) == (1, 1);
        wanted.extend((left && col > 1).then(|| at - 1));
        wanted.extend((col < 5).then(|| at + 1));
        wanted.extend((row == 1).then(|| [at + 5, at + 10, at + 15]).into_iter().flatten());
        assert_eq!(found, wanted, "{row},{col}");
        assert_eq!(pos.promotes(1, at), (row, col) != (1, 2), "{row},{col}");
    }
}

/// A workbook with two kings on a board of one row, further rows of the table of pieces and headings, and shared strings.
fn workbook(headings: &str, rows: &str, strings: &str) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let mut part = |name: &str, text: &str| {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).expect("a part begins");
        archive.write_all(text.as_bytes()).expect("it is written");
    };
    let kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let link = |id: &str, kind: &str, target: &str| {
        format!("<Relationship Id=\"{id}\" Type=\"{kinds}/{kind}\" Target=\"{target}\"/>")
    };
    let links = |inner: &str| format!("<Relationships xmlns=\"{package}\">{inner}</Relationships>");
    part("_rels/.rels", &links(&link("r0", "officeDocument", "xl/workbook.xml")));
    let (mut sheets, mut targets) = (String::new(), link("r9", "sharedStrings", "sharedStrings.xml"));
    for (number, name) in (1..).zip(["chesses", "map", "rules"]) {
        sheets += &format!("<sheet name=\"{name}\" sheetId=\"{number}\" r:id=\"r{number}\"/>");
        targets += &link(&format!("r{number}"), "worksheet", &format!("worksheets/sheet{number}.xml"));
    }
    part(
        "xl/workbook.xml",
        &format!("<workbook xmlns=\"{main}\" xmlns:r=\"{kinds}\"><sheets>{sheets}</sheets></workbook>"),
    );
    part("xl/_rels/workbook.xml.rels", &links(&targets));
    part("xl/sharedStrings.xml", strings);
    let king = |row: u32| {
        format!(
            "<row r=\"{row}\">{}{}{}{}{}</row>",
            text(&format!("B{row}"), "K"),
            number(&format!("C{row}"), row - 1),
            text(&format!("D{row}"), "c"),
            text(&format!("E{row}"), "2;"),
            text(&format!("G{row}"), ";")
        )
    };
    let head = format!("<row r=\"1\">{headings}</row>");
    let board = format!(
        "<row r=\"1\">{}{}</row><row r=\"2\">{}{}</row>",
        number("B1", 1),
        number("D1", 4),
        number("A2", 1),
        number("D2", 2)
    );
    let chesses = format!("{head}{}{}{rows}", king(2), king(3));
    for (at, rows) in [chesses, board, String::new()].iter().enumerate() {
        let sheet = format!("<worksheet xmlns=\"{main}\"><sheetData>{rows}</sheetData></worksheet>");
        part(&format!("xl/worksheets/sheet{}.xml", at + 1), &sheet);
    }
    archive.finish().expect("it ends").into_inner()
}

fn text(at: &str, text: &str) -> String {
    format!("<c r=\"{at}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
}

fn number(at: &str, number: u32) -> String {
    format!("<c r=\"{at}\"><v>{number}</v></c>")
}

fn shared(at: &str) -> String {
    format!("<c r=\"{at}\" t=\"s\"><v>0</v></c>")
}

/// The table of those strings, as it should be.
fn table(strings: &[&str]) -> String {
    let items: String = strings.iter().map(|text| format!("<si><t>{text}</t></si>")).collect();
    format!("<sst uniqueCount=\"{}\">{items}</sst>", strings.len())
}

/// Rows of the table of pieces from the fourth on, each with those cells of an attribute.
fn rows(count: u32, cells: &dyn Fn(u32) -> String) -> String {
    let row = |row: u32| {
        let at = |column: &str| format!("{column}{row}");
        format!(
            "<row r=\"{row}\">{}{}{}{}</row>",
            number(&at("C"), 3),
            text(&at("E"), ";"),
            text(&at("G"), ";"),
            cells(row)
        )
    };
    (4..4 + count).map(row).collect()
}

/// Returns the first error and its place.
fn wrong(reading: &Reading) -> Option<(&str, &str)> {
    reading.errors.first().map(|problem| (problem.key, problem.arg("place").unwrap_or_default()))
}

/// A string that many cells share counts for each of them; before, a file of some hundred kilobytes took gigabytes.
#[test]
fn texts_that_are_shared_count_for_each_cell() {
    let long = "x".repeat(16 << 10);
    let columns = ["H", "I", "J", "K", "L", "M", "N", "O"];
    let cells = |row: u32| columns.map(|column| shared(&format!("{column}{row}"))).concat();
    let heads = columns.map(|column| text(&format!("{column}1"), column)).concat();
    let reading = read(&workbook(&heads, &rows(3900, &cells), &table(&[&long])));
    assert_eq!(wrong(&reading), Some(("map-too-much-text", "chesses")));
    // A heading is kept with each piece that has something under it.
    let ones = |row: u32| number(&format!("H{row}"), 1);
    let reading = read(&workbook(&shared("H1"), &rows(200, &ones), &table(&[&long])));
    assert_eq!(wrong(&reading), Some(("map-too-much-text", "chesses")));
    let reading = read(&workbook(&shared("H1"), &rows(20, &ones), &table(&[&long])));
    assert_eq!(wrong(&reading), None);
    // So it is in a draft.
    let mut draft = pieces(200, |_| [";".to_owned(), String::new(), ";".to_owned()]);
    draft.kinds.iter_mut().for_each(|kind| kind.attributes = vec![(long.clone(), Value::Int(1))]);
    assert_eq!(wrong(&draft.read()), Some(("map-too-much-text", "chesses")));
}

/// A text of more than 4097 characters is kept whole; before, the rest was lost without an error.
#[test]
fn a_text_is_kept_whole_or_refused() {
    let sizes = [4096, 4098, 32_767];
    for size in sizes {
        let long = "象".repeat(size);
        let cells = [shared("B4"), number("C4", 3), text("E4", ";"), text("G4", ";"), shared("H4")].concat();
        let row = format!("<row r=\"4\">{cells}</row>");
        let reading = read(&workbook(&text("H1", "note"), &row, &table(&[&long])));
        let map = reading.map.unwrap_or_else(|| panic!("{:?}", reading.errors));
        assert_eq!(map.kinds[2].name.chars().count(), size);
        assert_eq!(map.kinds[2].attributes, [("note".to_owned(), Value::Text(long))]);
        let mut draft = Draft::from(&map);
        assert_eq!(draft.read().map, Some(map), "{size}");
        draft.kinds[2].name.push_str(&"x".repeat(32_768 - size));
        assert_eq!(wrong(&draft.read()), Some(("map-text-too-long", "chesses!B4")));
    }
    let reading = read(&workbook(&shared("H1"), "", &table(&[&"x".repeat(32_768)])));
    assert_eq!(wrong(&reading), Some(("map-text-too-long", "chesses!H1")));
}

/// A table of strings that claims too many is refused; before, the reader allocated memory for all of them and the
/// process ended.
#[test]
fn a_table_of_strings_that_promises_too_many_is_refused() {
    let place = "xl/sharedStrings.xml";
    let refused = Some(("map-too-large-unpacked", place));
    for (table, wanted) in [
        ("<sst uniqueCount=\"1\"><si><t>x</t></si></sst>", None),
        ("<sst count=\"99999999999999\"><si><t>x</t></si></sst>", None),
        ("<sst uniqueCount=\"999999999999\"><si><t>x</t></si></sst>", refused),
        ("<sst uniqueCount = '18446744073709551615'><si><t>x</t></si></sst>", refused),
        ("<!-- <sst uniqueCount=\"1\"> --><sst a=\"\" uniqueCount=\"99999999999999\"/>", refused),
        (
            "<?xml version=\"1.0\" encoding=\"iso-2022-jp\"?><sst unique\u{1b}(BCount=\"99999999999\"/>",
            refused,
        ),
    ] {
        assert_eq!(wrong(&read(&workbook("", "", table))), wanted, "{table}");
    }
}

/// The last of equal headings with a cell counts.
#[test]
fn of_equal_headings_the_last_cell_counts() {
    let heads: String =
        [("H", "a"), ("I", "b"), ("J", "a")].map(|(column, name)| text(&format!("{column}1"), name)).concat();
    let row = |row: u32| {
        let cell = |column: &str, value| number(&format!("{column}{row}"), value);
        [cell("H", 1), cell("I", 2), if row == 4 { cell("J", 3) } else { String::new() }].concat()
    };
    let map = read(&workbook(&heads, &rows(2, &row), &table(&[]))).map.expect("a good map");
    let attributes = |id: usize| map.kinds[id - 1].attributes.clone();
    let named = |name: &str, value| (name.to_owned(), Value::Int(value));
    assert_eq!(attributes(3), [named("b", 2), named("a", 3)]);
    assert_eq!(attributes(4), [named("a", 1), named("b", 2)]);
}
