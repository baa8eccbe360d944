//! Maps of Jingbanqi as workbooks, as the published program and other people's spreadsheets open them.

use std::collections::BTreeMap;

use jingbanqi::{Map, Value};
use kernel::Problem;
use rust_xlsxwriter::{Color, DocProperties, ExcelDateTime, Format, FormatAlign, FormatBorder, Workbook};
use rust_xlsxwriter::{Worksheet, XlsxError};

/// Headings of the table of pieces; attributes follow.
const HEADINGS: [&str; 7] = ["编号", "名称", "归属", "首领", "可移动", "升变条件", "升变后可移动"];
/// Widths of those columns, in characters.
const WIDTHS: [f64; 7] = [6.0, 10.0, 6.0, 6.0, 36.0, 20.0, 36.0];
/// The switches, in the order of their rows.
const SWITCHES: [&str; 3] = ["启用升变", "启用悔棋", "限制连续3步以上移动中立棋子"];
/// The value that marks a switch that is on, and a captain.
const ON: &str = "c";
/// Fills of red's, blue's and neutral pieces on the board.
const FILLS: [u32; 3] = [0x00F8_D7D3, 0x00D3_E2F8, 0x00E6_E6E6];

/// The map as the bytes of an .xlsx file; `jingbanqi::read` reads the same map from them. The same map gives the same
/// bytes.
///
/// ```
/// use jingbanqi::{Draft, DraftKind};
///
/// let [name, rule, promoted] = ["stone", "2,4,5,7;", ";"].map(str::to_owned);
/// let stone = DraftKind { name, rule, promoted, ..DraftKind::default() };
/// let map = Draft { rows: 3, cols: 3, cells: vec![1], kinds: vec![stone], ..Draft::default() }.read().map.unwrap();
/// let bytes = records::map::write(&map)?;
/// assert_eq!(jingbanqi::read(&bytes).map, Some(map));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `map-not-written` with what the workbook could not hold.
pub fn write(map: &Map) -> Result<Vec<u8>, Problem> {
    write_with(map, &[])
}

/// Writes a map with a further sheet `help` for its author, which no program reads: cells and their meanings.
///
/// # Errors
/// The errors of [`write()`].
pub fn write_with(map: &Map, help: &[(String, String)]) -> Result<Vec<u8>, Problem> {
    workbook(map, help).map_err(|why| Problem::new("map-not-written").with("text", why))
}

fn workbook(map: &Map, help: &[(String, String)]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    // No clock: the same map is the same file.
    book.set_properties(&DocProperties::new().set_creation_datetime(&ExcelDateTime::from_ymd(2023, 4, 1)?));
    let heading = Format::new().set_bold();
    chesses(book.add_worksheet().set_name("chesses")?, map, &heading)?;
    board(book.add_worksheet().set_name("map")?, map, &heading)?;
    let by_level_1 = match &map.level2 {
        None => Some(map),
        Some(level2) => level2.first.as_deref(),
    };
    if let Some(by_level_1) = by_level_1 {
        rules(book.add_worksheet().set_name("rules")?, by_level_1, &heading)?;
    }
    for (name, rows) in map.level2.iter().flat_map(|level2| level2.sheets.named()) {
        if !rows.is_empty() {
            texts(book.add_worksheet().set_name(name)?, rows)?;
        }
    }
    if !help.is_empty() {
        let sheet = book.add_worksheet().set_name("help")?;
        let wrapped = Format::new().set_text_wrap().set_align(FormatAlign::Top);
        for (row, (place, text)) in (0u32..).zip(help) {
            sheet.write_string_with_format(row, 0, place, &heading)?;
            sheet.write_string_with_format(row, 1, text, &wrapped)?;
        }
        sheet.set_column_width(0, 18)?.set_column_width(1, 90)?;
    }
    book.save_to_buffer()
}

fn chesses(sheet: &mut Worksheet, map: &Map, heading: &Format) -> Result<(), XlsxError> {
    for ((col, text), width) in (0u16..).zip(HEADINGS).zip(WIDTHS) {
        sheet.write_string_with_format(0, col, text, heading)?;
        sheet.set_column_width(col, width)?;
    }
    let mut columns: BTreeMap<&str, u16> = BTreeMap::new();
    for (row, kind) in (1u32..).zip(&map.kinds) {
        sheet.write_number(row, 0, f64::from(row))?;
        text(sheet, row, 1, &quoted(&kind.name))?;
        sheet.write_number(row, 2, kind.owner.map_or(3.0, |side| side.index() as f64 + 1.0))?;
        if kind.captain {
            sheet.write_string(row, 3, ON)?;
        }
        for (col, rule) in (4u16..).zip(kind.texts()) {
            text(sheet, row, col, &rule)?;
        }
        for (name, value) in &kind.attributes {
            let next = HEADINGS.len() as u16 + columns.len() as u16;
            let col = *columns.entry(name).or_insert(next);
            if col == next {
                sheet.write_string_with_format(0, col, name, heading)?;
            }
            match value {
                Value::Text(value) => text(sheet, row, col, value)?,
                Value::Int(value) => drop(sheet.write_number(row, col, *value as f64)?),
                Value::Float(value) => drop(sheet.write_number(row, col, *value)?),
                Value::Bool(value) => drop(sheet.write_boolean(row, col, *value)?),
            }
        }
    }
    sheet.set_freeze_panes(1, 2)?;
    Ok(())
}

fn text(sheet: &mut Worksheet, row: u32, col: u16, text: &str) -> Result<(), XlsxError> {
    if !text.is_empty() {
        sheet.write_string(row, col, text)?;
    }
    Ok(())
}

/// Puts a name of digits in quotes, so that no spreadsheet program takes it for a number.
fn quoted(name: &str) -> String {
    let digits = !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
    if digits { format!("\"{name}\"") } else { name.to_owned() }
}

/// Writes the board. Vacant squares are cells too, because the published program requires every cell of the board.
fn board(sheet: &mut Worksheet, map: &Map, heading: &Format) -> Result<(), XlsxError> {
    let sides = [("行", map.rows), ("列", map.cols)];
    for (col, (label, length)) in (0u16..).step_by(2).zip(sides) {
        sheet.write_string_with_format(0, col, label, heading)?;
        sheet.write_number(0, col + 1, f64::from(length))?;
    }
    let square = Format::new().set_align(FormatAlign::Center).set_border(FormatBorder::Thin);
    let filled = FILLS.map(|fill| square.clone().set_background_color(Color::RGB(fill)));
    for (row, ids) in (1u32..).zip(map.start.chunks(usize::from(map.cols))) {
        for (col, &id) in (0u16..).zip(ids) {
            match id {
                0 => sheet.write_blank(row, col, &square)?,
                id => {
                    let owner = map.kinds[usize::from(id) - 1].owner.map_or(2, kernel::Side::index);
                    sheet.write_number_with_format(row, col, f64::from(id), &filled[owner])?
                }
            };
        }
    }
    sheet.set_column_range_width(0, u16::from(map.cols.max(4)) - 1, 5)?;
    Ok(())
}

/// Writes a sheet of level 2. Whole numbers are numbers, so that no spreadsheet program marks them.
fn texts(sheet: &mut Worksheet, rows: &[Vec<String>]) -> Result<(), XlsxError> {
    for (row, cells) in (0u32..).zip(rows) {
        for (col, cell) in (0u16..).zip(cells) {
            match cell.parse::<i32>() {
                Ok(number) if number.to_string() == *cell => {
                    sheet.write_number(row, col, f64::from(number))?;
                }
                _ => text(sheet, row, col, cell)?,
            }
        }
    }
    Ok(())
}

fn rules(sheet: &mut Worksheet, map: &Map, heading: &Format) -> Result<(), XlsxError> {
    for (col, text) in (0u16..).zip(["编号", "描述", "选择"]) {
        sheet.write_string_with_format(0, col, text, heading)?;
    }
    let on = [map.promotion, map.undo, map.neutral_limit];
    for ((row, label), on) in (1u32..).zip(SWITCHES).zip(on) {
        sheet.write_number(row, 0, f64::from(row))?;
        sheet.write_string(row, 1, label)?;
        text(sheet, row, 2, if on { ON } else { "" })?;
    }
    sheet.set_column_width(1, 32)?;
    Ok(())
}
