//! Files that are no maps, and what is said about them.

use std::path::Path;

use jingbanqi::{Reading, read};
use kernel::Problem;
use serde_json::Value;

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bad"))
}

fn all(reading: &Reading) -> Vec<&Problem> {
    reading.errors.iter().chain(&reading.warnings).collect()
}

#[test]
fn each_bad_map_gets_its_answer() {
    let manifest = std::fs::read_to_string(folder().join("manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    for (file, wanted) in manifest.as_object().expect("files") {
        let reading = read(&std::fs::read(folder().join(file)).expect("bytes"));
        let (code, place) =
            (wanted["expect"].as_str().expect("a code"), wanted["where"].as_str().expect("a place"));
        if code == "ok" {
            assert!(reading.map.is_some() && reading.errors.is_empty(), "{file}: {:?}", reading.errors);
            continue;
        }
        let key = format!("map-{}", code.replace('_', "-"));
        let found = all(&reading).into_iter().find(|p| p.key == key && p.arg("place") == Some(place));
        assert!(found.is_some(), "{file}: {key} at {place}, not {:?}", all(&reading));
        assert_eq!(
            reading.map.is_none(),
            !code.starts_with("warn"),
            "{file}: errors refuse, warnings do not"
        );
    }
}

#[test]
fn bytes_of_any_kind_are_read_or_refused() {
    for bytes in [&b""[..], b"PK\x03\x04", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", &[0xFF; 5000]] {
        let reading = read(bytes);
        assert_eq!((reading.map, reading.errors.len()), (None, 1));
    }
    // Every cut of a good file, and a file with each of some bytes turned over.
    let good = std::fs::read(folder().join("../maps/t6_onerow(1x7).xlsx")).expect("bytes");
    assert!(read(&good).map.is_some());
    for cut in (0..good.len()).step_by(97) {
        assert!(read(&good[..cut]).map.is_none(), "cut at {cut}");
    }
    for at in (0..good.len()).step_by(61) {
        let mut spoilt = good.clone();
        spoilt[at] ^= 0x55;
        let _ = read(&spoilt);
    }
}

/// A workbook of parts: rows of the table of pieces behind a king of each side, and pictures.
fn workbook(rows: &str, pictures: &[Vec<u8>]) -> Vec<u8> {
    use std::io::Write as _;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let mut part = |name: &str, bytes: &[u8]| {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).expect("a part begins");
        archive.write_all(bytes).expect("it is written");
    };
    let (mut sheets, mut links) = (String::new(), String::new());
    for (number, name) in (1..).zip(["chesses", "map", "rules"]) {
        sheets += &format!("<sheet name=\"{name}\" sheetId=\"{number}\" r:id=\"r{number}\"/>");
        links += &format!(
            "<Relationship Id=\"r{number}\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet{number}.xml\"/>"
        );
    }
    let book = format!(
        "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets>{sheets}</sheets></workbook>"
    );
    let first = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r0\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>";
    part("_rels/.rels", first.as_bytes());
    part("xl/workbook.xml", book.as_bytes());
    let links = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{links}</Relationships>"
    );
    part("xl/_rels/workbook.xml.rels", links.as_bytes());
    let text = |at: &str, text: &str| format!("<c r=\"{at}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
    let number = |at: &str, number: u32| format!("<c r=\"{at}\"><v>{number}</v></c>");
    let king = |row: u32| {
        let at = |column: &str| format!("{column}{row}");
        let cells = [text(&at("B"), "K"), number(&at("C"), row - 1), text(&at("D"), "c")].concat();
        format!("<row r=\"{row}\">{cells}{}{}</row>", text(&at("E"), "2;"), text(&at("G"), ";"))
    };
    let board = format!(
        "<row r=\"1\">{}{}</row><row r=\"2\">{}{}</row>",
        number("B1", 1),
        number("D1", 4),
        number("A2", 1),
        number("D2", 2)
    );
    for (at, rows) in [format!("{}{}{rows}", king(2), king(3)), board, String::new()].iter().enumerate() {
        let sheet = format!(
            "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>{rows}</sheetData></worksheet>"
        );
        part(&format!("xl/worksheets/sheet{}.xml", at + 1), sheet.as_bytes());
    }
    for (at, picture) in pictures.iter().enumerate() {
        part(&format!("xl/media/image{}.png", at + 1), picture);
    }
    archive.finish().expect("it ends").into_inner()
}

/// Bytes that nothing makes shorter.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..length).map(|_| next()).collect()
}

/// A name, rows, pictures, and the key and the place of what is wrong.
type Case = (&'static str, String, Vec<Vec<u8>>, Option<(&'static str, &'static str)>);

#[test]
fn workbooks_of_any_size_are_read_or_refused_with_the_part() {
    const MILLION: usize = 1_000_000;
    let cases: [Case; 8] = [
        ("two kings", String::new(), vec![], None),
        ("a million empty rows", "<row/>".repeat(MILLION), vec![], None),
        (
            "a million rows",
            "<row><c><v>1</v></c></row>".repeat(MILLION),
            vec![],
            Some(("map-too-large-unpacked", "xl/worksheets/sheet1.xml")),
        ),
        (
            "rows without an end",
            "<row><c/><c><v>1</v></c></row>".repeat(MILLION / 2),
            vec![],
            Some(("map-too-many-pieces", "chesses!B4098")),
        ),
        ("a picture of three megabytes", String::new(), vec![noise(3 << 20)], None),
        (
            "pictures of five megabytes",
            String::new(),
            vec![noise(3 << 20), noise(2 << 20)],
            Some(("map-too-large", "")),
        ),
        (
            "a picture that unpacks to twenty megabytes",
            String::new(),
            vec![vec![7; 20 << 20]],
            Some(("map-too-large-unpacked", "xl/media/image1.png")),
        ),
        (
            "pictures that together unpack to more than a map may",
            String::new(),
            vec![vec![7; 12 << 20]; 3],
            Some(("map-too-large-unpacked", "xl/media/image3.png")),
        ),
    ];
    for (name, rows, pictures, wanted) in cases {
        let reading = read(&workbook(&rows, &pictures));
        let found: Vec<(&str, &str)> =
            reading.errors.iter().map(|p| (p.key, p.arg("place").unwrap_or_default())).collect();
        assert_eq!(found.first().copied(), wanted, "{name}: {:?}", reading.errors);
        assert_eq!(reading.map.is_some(), wanted.is_none(), "{name}");
    }
}
