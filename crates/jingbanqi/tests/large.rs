//! Small files that are a lot of work, or a lot of memory: maps within every limit that once took minutes or gigabytes.

use std::io::Write as _;

use jingbanqi::{Reading, read};

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

/// What is wrong first, and where.
fn wrong(reading: &Reading) -> Option<(&str, &str)> {
    reading.errors.first().map(|problem| (problem.key, problem.arg("place").unwrap_or_default()))
}

/// The reader takes memory for as many strings as are promised: the process ended for want of it.
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
