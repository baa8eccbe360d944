//! Reading a map from the bytes of an .xlsx file that a stranger made.
//!
//! The archive is unpacked once into nothing, counting, before a spreadsheet reader may look at it: declared sizes lie.
//! Then the three sheets are read cell by cell, so that a cell in the far corner costs what one cell costs.

use std::collections::{BTreeMap, HashSet};
use std::io::{Cursor, Read};

use calamine::{DataRef, Reader, Xlsx};
use kernel::{Problem, Side};

use crate::level2::{self, MOST_COLUMNS, MOST_ROWS, Second, Sheets2, leads_to_level_2};
use crate::rule::{MoveRule, PlaceRule, integer, move_rule, place_rule};
use crate::rulebook::{MOST_ATTRIBUTES, MOST_KINDS, MOST_SIDE, Map, PieceKind, Value};

/// The most bytes of a file.
pub const MOST_BYTES: usize = 4 << 20;
/// The most bytes of all its parts, unpacked.
const MOST_UNPACKED: u64 = 32 << 20;
/// The most bytes of one part, unpacked.
const MOST_PART: u64 = 16 << 20;
/// The most parts of an archive.
const MOST_PARTS: usize = 1000;
/// The fewest bytes of a string in a table of strings: `<si/>`.
const SHORTEST_STRING: usize = 5;
/// The first bytes of compound files: workbooks of Excel up to 2003, and encrypted ones.
const COMPOUND: [u8; 8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
/// The most cells of a sheet that are kept.
pub(crate) const MOST_CELLS: usize = 100_000;
/// The most bytes of text of a sheet that are kept. A string that many cells share counts for each: a small file may
/// have a hundred thousand cells with the same long one, and a parsed rule takes some 25 times the size of its text.
const MOST_TEXT: usize = 1 << 20;
/// The most characters of a cell. Spreadsheet programs write no more.
const LONGEST_TEXT: usize = 32_767;
/// The most errors reported for one map.
const MOST_ERRORS: usize = 20;

/// The first column of attributes, H.
pub(crate) const ATTRIBUTES: u32 = 7;

/// The result of reading a file.
///
/// ```
/// use jingbanqi::Draft;
///
/// let reading = Draft { rows: 0, cols: 3, ..Draft::default() }.read();
/// assert!(reading.map.is_none());
/// assert!(reading.errors.iter().all(|problem| problem.key.starts_with("map-")));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reading {
    /// The map, when there are no errors.
    pub map: Option<Map>,
    /// The errors that prevent reading the map, at most 20.
    pub errors: Vec<Problem>,
    /// The warnings for the author.
    pub warnings: Vec<Problem>,
}

/// Reads a map. Every error is `map-<code>` with its `place`, such as `chesses!E4`, and the offending `text`.
///
/// ```
/// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
/// let reading = jingbanqi::read(MOUNTAINS);
/// assert!(reading.errors.is_empty() && reading.map.is_some());
/// let problem = &jingbanqi::read(b"no workbook").errors[0];
/// assert!(problem.key.starts_with("map-"));
/// ```
#[must_use]
pub fn read(bytes: &[u8]) -> Reading {
    match sheets(bytes) {
        Ok(Sheets { chesses, map, rules, level2 }) => Author::new(chesses, map, rules, level2).read(),
        Err(problem) => Reading { errors: vec![problem], ..Reading::default() },
    }
}

/// Reads a map as [`read`] does, also one with secrets, which `read` refuses (`map-secrets-later`): for callers that show
/// nothing of a game but what [`kernel::Notation::seen`] gives them. Tables, boards and searches do not do so yet.
///
/// ```
/// let reading = jingbanqi::read_with_secrets(b"no workbook");
/// assert_eq!(reading.errors, jingbanqi::read(b"no workbook").errors);
/// ```
#[must_use]
pub fn read_with_secrets(bytes: &[u8]) -> Reading {
    match sheets(bytes) {
        Ok(Sheets { chesses, map, rules, level2 }) => {
            Author::new(chesses, map, rules, level2).with_secrets().read()
        }
        Err(problem) => Reading { errors: vec![problem], ..Reading::default() },
    }
}

/// One cell of a sheet: row and column from 0.
pub(crate) type At = (u32, u32);

/// The contents of a sheet, as far as they are used.
#[derive(Default)]
pub(crate) struct Sheet {
    name: &'static str,
    cells: BTreeMap<At, Value>,
    /// Formulas without a stored result.
    unsolved: BTreeMap<At, String>,
    /// The number of rows and of columns in which there are cells, empty ones included.
    pub extent: (u32, u32),
}

impl Sheet {
    /// A sheet with just these cells.
    pub fn filled(name: &'static str, cells: BTreeMap<At, Value>) -> Sheet {
        Sheet { name, cells, ..Sheet::default() }
    }

    /// The text of a cell, if it has one.
    pub fn text(&self, at: At) -> Option<String> {
        self.cells.get(&at).map(Value::shown)
    }

    /// The cells as rows of texts, without empty ones at the ends.
    fn into_texts(self) -> Result<Vec<Vec<String>>, Problem> {
        if let Some((&at, formula)) = self.unsolved.first_key_value() {
            let problem = Problem::new("map-formula-without-value").with("text", formula);
            return Err(problem.with("place", format!("{}!{}", self.name, cell_name(at))));
        }
        let mut rows: Vec<Vec<String>> = Vec::new();
        for ((row, col), value) in &self.cells {
            let text = value.shown();
            if text.trim().is_empty() {
                continue;
            }
            rows.resize_with(*row as usize + 1, Vec::new);
            let cells = &mut rows[*row as usize];
            cells.resize(*col as usize, String::new());
            cells.push(text);
        }
        Ok(rows)
    }
}

fn not_xlsx(detail: impl std::fmt::Display) -> Problem {
    Problem::new("map-not-xlsx").with("place", "").with("text", detail)
}

/// The sheets that are read.
struct Sheets {
    chesses: Sheet,
    map: Sheet,
    /// The switches; `None` in a map of level 2 alone.
    rules: Option<Sheet>,
    /// The sheets of level 2; `None` without its mark.
    level2: Option<Sheets2>,
}

fn sheets(bytes: &[u8]) -> Result<Sheets, Problem> {
    if bytes.len() > MOST_BYTES {
        let problem = Problem::new("map-too-large").with("place", "").with("text", bytes.len());
        return Err(problem.with("most", MOST_BYTES));
    }
    check_archive(bytes)?;
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(not_xlsx)?;
    let names = book.sheet_names();
    let has = |name: &str| names.iter().any(|n| n == name);
    let level2 = if has("rules2") { level2(&mut book, &names) } else { Ok(None) }?;
    let mut missing = ["chesses", "map", "rules"].into_iter().filter(|&name| !has(name));
    if let Some(name) = missing.find(|&name| name != "rules" || level2.is_none()) {
        let all: Vec<&str> = names.iter().map(String::as_str).collect();
        // A sheet of level 2 without its mark is no sheet of rules.
        let key = if name == "rules" && has("rules2") { "map-missing-mark" } else { "map-missing-sheet" };
        return Err(Problem::new(key).with("place", name).with("text", all.join(", ")));
    }
    let has_rules = has("rules");
    Ok(Sheets {
        chesses: sheet(&mut book, "chesses", |(row, col)| {
            row <= MOST_KINDS as u32 + 1 && col <= ATTRIBUTES + MOST_ATTRIBUTES
        })?,
        map: sheet(&mut book, "map", |(row, col)| row <= MOST_SIDE && col < MOST_SIDE)?,
        rules: if has_rules {
            Some(sheet(&mut book, "rules", |(row, col)| row < 4 && col < 3)?)
        } else {
            None
        },
        level2,
    })
}

/// The sheets of level 2; `None` where `rules2` has not the mark. Then nothing about them is a mistake.
fn level2(book: &mut Xlsx<Cursor<&[u8]>>, names: &[String]) -> Result<Option<Sheets2>, Problem> {
    let within = |(row, col): At| row < MOST_ROWS && col < MOST_COLUMNS;
    let Some(rules2) = sheet(book, "rules2", within).ok().filter(level2::is_marked) else { return Ok(None) };
    if names.iter().any(|name| name == "links") {
        return Err(Problem::new("map-level2-later").with("place", "links").with("text", "links"));
    }
    let mut further = |name: &'static str, wanted: &dyn Fn(At) -> bool| {
        let is_there = names.iter().any(|one| one == name);
        let found = if is_there { sheet(book, name, wanted) } else { Ok(Sheet { name, ..Sheet::default() }) };
        found.and_then(Sheet::into_texts)
    };
    // One row and column more than there may be, so that what lies off the board is refused.
    let terrain = further("terrain", &|(row, col)| row <= MOST_SIDE && col <= MOST_SIDE)?;
    let (look, hand) = (further("look", &within)?, further("hand", &within)?);
    let bag = further("bag", &within)?;
    Ok(Some(Sheets2 { rules2: rules2.into_texts()?, terrain, look, hand, bag }))
}

/// Refuses an archive whose parts unpack to more than a map can need.
fn check_archive(bytes: &[u8]) -> Result<(), Problem> {
    if bytes.starts_with(&COMPOUND) {
        // The names of streams are UTF-16, and that of an encrypted workbook's is always the same.
        let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let encrypted = bytes.windows(name.len()).any(|window| window == name);
        return Err(Problem::new(if encrypted { "map-encrypted" } else { "map-old-xls" }).with("place", ""));
    }
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(not_xlsx)?;
    if archive.len() > MOST_PARTS {
        return Err(Problem::new("map-too-large-unpacked").with("place", "").with("text", archive.len()));
    }
    let mut left = MOST_UNPACKED;
    for i in 0..archive.len() {
        let part = archive.by_index(i).map_err(not_xlsx)?;
        let name = part.name().map(|n| n.into_owned()).unwrap_or_default();
        let most = left.min(MOST_PART);
        let too_large = Problem::new("map-too-large-unpacked").with("place", &name);
        let mut part = part.take(most + 1);
        let size = if name.to_ascii_lowercase().ends_with("sharedstrings.xml") {
            let mut bytes = Vec::new();
            part.read_to_end(&mut bytes).map_err(not_xlsx)?;
            let promised = promised_strings(&bytes);
            if promised > bytes.len() / SHORTEST_STRING {
                return Err(too_large.with("text", promised));
            }
            bytes.len() as u64
        } else {
            std::io::copy(&mut part, &mut std::io::sink()).map_err(not_xlsx)?
        };
        if size > most {
            return Err(too_large.with("text", format!("{} MiB", most >> 20)));
        }
        left -= size;
    }
    Ok(())
}

/// Returns the number of strings that a table of strings claims to have. The spreadsheet reader allocates memory for
/// that number before it reads one, and the process ends where there is not enough. For a part that may hide its
/// number it is the largest.
fn promised_strings(part: &[u8]) -> usize {
    // In UTF-16 each of these letters has a zero beside it. Where an escape changes what letters mean, they could not be found.
    if part.contains(&0x1B) {
        return usize::MAX;
    }
    let text = String::from_utf8_lossy(part).replace('\0', "");
    let count = |rest: &str| {
        let value = rest.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
        let end = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
        (end > 0).then(|| value[..end].parse().unwrap_or(usize::MAX))
    };
    text.split("uniqueCount").skip(1).filter_map(count).max().unwrap_or(0)
}

fn sheet(
    book: &mut Xlsx<Cursor<&[u8]>>,
    name: &'static str,
    wanted: impl Fn(At) -> bool,
) -> Result<Sheet, Problem> {
    let mut sheet = Sheet { name, ..Sheet::default() };
    let mut text = 0;
    let mut cells = book.worksheet_cells_reader(name).map_err(not_xlsx)?;
    while let Some(cell) = cells.next_cell_with_formula_metadata().map_err(not_xlsx)? {
        let at = cell.pos;
        sheet.extent = (sheet.extent.0.max(at.0 + 1), sheet.extent.1.max(at.1 + 1));
        if !wanted(at) {
            continue;
        }
        match value(&cell.value) {
            Some(value) => {
                text += value.text_bytes();
                sheet.cells.insert(at, value);
            }
            None if cell.formula.is_some() => {
                let formula = match cell.formula {
                    Some(
                        calamine::XlsxFormulaMetadata::Normal { formula }
                        | calamine::XlsxFormulaMetadata::Shared { formula, .. },
                    ) => formula,
                    _ => String::new(),
                };
                text += formula.len();
                sheet.unsolved.insert(at, format!("={formula}"));
            }
            None => {}
        }
        if sheet.cells.len() + sheet.unsolved.len() > MOST_CELLS {
            let problem = Problem::new("map-too-large").with("place", name);
            return Err(problem.with("text", MOST_CELLS).with("most", MOST_CELLS));
        }
        if text > MOST_TEXT {
            return Err(too_much_text(name));
        }
    }
    Ok(sheet)
}

fn too_much_text(sheet: &'static str) -> Problem {
    Problem::new("map-too-much-text").with("place", sheet).with("most", MOST_TEXT)
}

/// A cell's value; `None` when it is empty.
fn value(data: &DataRef<'_>) -> Option<Value> {
    let text = |s: &str| (!s.is_empty()).then(|| Value::Text(s.to_owned()));
    match data {
        DataRef::Int(i) => Some(Value::Int(*i)),
        DataRef::Float(f) => Some(number(*f)),
        DataRef::Bool(b) => Some(Value::Bool(*b)),
        DataRef::String(s) | DataRef::DateTimeIso(s) | DataRef::DurationIso(s) => text(s),
        DataRef::SharedString(s) => text(s),
        DataRef::DateTime(d) => Some(number(d.as_f64())),
        DataRef::Error(e) => Some(Value::Text(e.to_string())),
        DataRef::Empty => None,
    }
}

/// A number as sheets keep it: whole ones come as decimals from most programs.
pub(crate) fn number(f: f64) -> Value {
    let whole = f.fract() == 0.0 && f.abs() < 9e15;
    if whole { Value::Int(f as i64) } else { Value::Float(f) }
}

impl Value {
    /// Returns the value as people read it: whole numbers without a point.
    ///
    /// ```
    /// use jingbanqi::Value;
    ///
    /// assert_eq!((Value::Float(2.0).shown(), Value::Bool(true).shown()), ("2".into(), "TRUE".into()));
    /// ```
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Value::Text(text) => text.clone(),
            Value::Int(i) => i.to_string(),
            Value::Float(f) => f.to_string(),
            Value::Bool(true) => "TRUE".to_owned(),
            Value::Bool(false) => "FALSE".to_owned(),
        }
    }

    /// Bytes of a text; other values have none.
    fn text_bytes(&self) -> usize {
        if let Value::Text(text) = self { text.len() } else { 0 }
    }

    fn integer(&self) -> Option<i64> {
        match self {
            Value::Text(text) => integer(text),
            Value::Int(i) => Some(*i),
            Value::Float(f) => (f.abs() < 9e15).then_some(f.trunc() as i64),
            Value::Bool(b) => Some(i64::from(*b)),
        }
    }

    /// Returns true for zero and FALSE, which count as empty on the board and among attributes.
    fn is_nothing(&self) -> bool {
        matches!(self, Value::Int(0) | Value::Bool(false)) || *self == Value::Float(0.0)
    }
}

/// The A1 name of a cell.
#[must_use]
pub fn cell_name((row, col): At) -> String {
    let mut letters = Vec::new();
    let mut left = col + 1;
    while left > 0 {
        letters.push(b'A' + ((left - 1) % 26) as u8);
        left = (left - 1) / 26;
    }
    letters.reverse();
    format!("{}{}", String::from_utf8(letters).expect("letters"), row + 1)
}

/// The words for no, which switch nothing on.
const NO: [&str; 14] = ["n", "no", "0", "false", "-", "—", "x", "×", "off", "none", "否", "无", "不", "假"];

/// The signs of Chinese keyboards, and the ones of rules.
const FULL_WIDTH: [(&str, &str); 9] = [
    ("；", ";"),
    ("，、", ","),
    ("（", "("),
    ("）", ")"),
    ("［【", "["),
    ("］】", "]"),
    ("｜", "|"),
    ("＆", "&"),
    ("－−–", "-"),
];

/// Adds the text of its cell to what is wrong with a rule; a sign of another width is the reason that people see.
pub(crate) fn of_cell(mut problem: Problem, text: &str) -> Problem {
    let sign = text.chars().find_map(|c| {
        let (_, near) = FULL_WIDTH.iter().find(|(signs, _)| signs.contains(c))?;
        Some((c, *near))
    });
    if let Some((found, near)) = sign {
        problem.args.retain(|(name, _)| *name != "why");
        problem = problem.with("why", "full-width").with("found", found).with("near", near);
    }
    problem.with("text", text)
}

/// Turns sheets into a map, gathering everything that is wrong.
pub(crate) struct Author {
    chesses: Sheet,
    map: Sheet,
    rules: Sheet,
    /// The sheets of level 2 and what the table of pieces says for it; `None` at level 1.
    second: Option<Second>,
    /// True if the switches of level 1 are there, too.
    has_rules: bool,
    errors: Vec<Problem>,
    warnings: Vec<Problem>,
}

impl Author {
    pub fn new(chesses: Sheet, map: Sheet, rules: Option<Sheet>, level2: Option<Sheets2>) -> Self {
        let second = level2.map(|sheets| Second { sheets, ..Second::default() });
        let (has_rules, rules) = (rules.is_some(), rules.unwrap_or_default());
        Author { chesses, map, rules, second, has_rules, errors: Vec::new(), warnings: Vec::new() }
    }

    /// Lets it read a map with secrets.
    pub fn with_secrets(mut self) -> Self {
        if let Some(second) = &mut self.second {
            second.may_hide = true;
        }
        self
    }

    pub fn read(mut self) -> Reading {
        self.long_texts();
        let mut first = None;
        if self.has_rules && self.second.is_some() {
            first = self.by_level_1();
            if first.is_none() {
                return Reading { map: None, errors: self.errors, warnings: self.warnings };
            }
        }
        let kinds = self.kinds();
        let mut map = self.board(kinds);
        if let (Some(second), Some(map)) = (self.second.take(), &mut map) {
            for (sheet, at, problem) in second.read(map) {
                self.error(problem, sheet, at);
            }
            if let Some(level2) = &mut map.level2 {
                level2.first = first.map(Box::new);
            }
        }
        if !self.errors.is_empty() {
            return Reading { map: None, errors: self.errors, warnings: self.warnings };
        }
        self.nowhere(map.as_ref());
        self.warnings.extend(map.iter().flat_map(|map| map.warnings(&[])));
        Reading { map, errors: self.errors, warnings: self.warnings }
    }

    /// The map by the sheet `rules`, in a workbook that has both; `None` where it has errors.
    fn by_level_1(&mut self) -> Option<Map> {
        let second = self.second.take();
        let kinds = self.kinds();
        let map = self.board(kinds);
        // The warnings are told with those of level 2.
        self.warnings.clear();
        self.second = second;
        map.filter(|_| self.errors.is_empty())
    }

    fn error(&mut self, problem: Problem, sheet: &'static str, at: At) {
        if self.errors.len() < MOST_ERRORS {
            self.errors.push(problem.with("place", format!("{sheet}!{}", cell_name(at))));
        }
    }

    fn warn(&mut self, problem: Problem, sheet: &'static str, at: At) {
        if self.warnings.len() < MOST_ERRORS {
            self.warnings.push(problem.with("place", format!("{sheet}!{}", cell_name(at))));
        }
    }

    /// Returns true if a cell switches something on: it holds the letter c. Another word for yes is a mistake.
    fn switched(&mut self, which: fn(&Author) -> &Sheet, at: At, warning: Problem) -> bool {
        let Some(value) = self.at(which, at).filter(|value| !value.is_nothing()) else { return false };
        if value == Value::Text("c".to_owned()) {
            return true;
        }
        let text = value.shown();
        if !text.trim().is_empty() && !NO.contains(&text.trim().to_lowercase().as_str()) {
            let name = which(self).name;
            self.warn(warning.with("text", text), name, at);
        }
        false
    }

    /// Warns of places that are nowhere on the board: rows and columns count from 1.
    fn nowhere(&mut self, map: Option<&Map>) {
        let Some(map) = map else { return };
        let sizes = [i64::from(map.rows), i64::from(map.cols)];
        let is_off = |number: i64, axis: usize| number == 0 || number.abs() > sizes[axis];
        let mut found = Vec::new();
        for (row, kind) in (1u32..).zip(&map.kinds) {
            let rules = [(4, &kind.rule), (6, &kind.promoted)].into_iter().flat_map(|(col, rule)| {
                let items = rule.sections.iter().flatten().filter_map(|item| item.when.as_ref());
                items.flat_map(move |when| when.0.iter().map(move |place| (col, place)))
            });
            for (col, place) in rules.chain(kind.promotes.0.iter().map(|place| (5, place))) {
                let args = &place.args;
                let off = match place.name.as_str() {
                    "X" => args.contains(&0) || args.iter().all(|&number| is_off(number, 0)),
                    "Y" => args.contains(&0) || args.iter().all(|&number| is_off(number, 1)),
                    "P" => {
                        let mut points = args.chunks_exact(2);
                        args.contains(&0) || points.all(|point| is_off(point[0], 0) || is_off(point[1], 1))
                    }
                    _ => false,
                };
                if off {
                    found.push((row, col, PlaceRule(vec![place.clone()]).to_string()));
                }
            }
        }
        for (row, col, place) in found {
            let problem = Problem::new("map-warn-nowhere").with("text", place);
            let problem = problem.with("rows", map.rows).with("cols", map.cols);
            self.warn(problem, "chesses", (row, col));
        }
    }

    /// Refuses texts that are longer than a cell's may be.
    fn long_texts(&mut self) {
        let mut found = Vec::new();
        for sheet in [&self.chesses, &self.map, &self.rules] {
            // Most texts have few bytes.
            for (&at, value) in sheet.cells.iter().filter(|(_, value)| value.text_bytes() > LONGEST_TEXT) {
                let characters = value.shown().chars().count();
                if characters > LONGEST_TEXT {
                    found.push((characters, sheet.name, at));
                }
            }
        }
        for (characters, sheet, at) in found {
            let problem = Problem::new("map-text-too-long").with("text", characters);
            self.error(problem.with("most", LONGEST_TEXT), sheet, at);
        }
    }

    /// Bytes of the texts of all pieces; each has the headings of its attributes, too.
    fn text_of_pieces(&self) -> usize {
        let cells = &self.chesses.cells;
        let headings: BTreeMap<u32, usize> =
            cells.range((0, ATTRIBUTES)..(1, 0)).map(|(at, value)| (at.1, value.text_bytes())).collect();
        let heading = |at: &At| if at.0 > 0 { headings.get(&at.1).copied().unwrap_or(0) } else { 0 };
        cells.iter().map(|(at, value)| value.text_bytes() + heading(at)).sum()
    }

    /// The value there; a formula without one is an error.
    fn at(&mut self, which: fn(&Author) -> &Sheet, at: At) -> Option<Value> {
        let sheet = which(self);
        let name = sheet.name;
        if let Some(formula) = sheet.unsolved.get(&at).cloned() {
            self.error(Problem::new("map-formula-without-value").with("text", formula), name, at);
            return None;
        }
        sheet.cells.get(&at).cloned()
    }

    /// Every piece of the table; those with errors as well as can be, so that the board can be checked, too.
    fn kinds(&mut self) -> Vec<PieceKind> {
        let filled = |(at, _): &(&At, &Value)| at.0 > 0 && at.1 > 0;
        let last = self.chesses.cells.iter().filter(filled).map(|(at, _)| at.0).max();
        let unsolved = self.chesses.unsolved.keys().filter(|at| at.0 > 0 && at.1 > 0).map(|at| at.0).max();
        let last = last.max(unsolved).unwrap_or(0);
        if last as usize > MOST_KINDS {
            let problem = Problem::new("map-too-many-pieces").with("text", last).with("most", MOST_KINDS);
            self.error(problem, "chesses", (last, 1));
            return Vec::new();
        }
        if last == 0 {
            self.error(Problem::new("map-no-pieces"), "chesses", (1, 1));
        }
        if self.text_of_pieces() > MOST_TEXT {
            self.errors.push(too_much_text("chesses"));
            return Vec::new();
        }
        let headings = self.headings();
        if let Some(second) = &mut self.second {
            second.columns = headings.iter().map(|(col, heading)| (heading.clone(), *col)).collect();
        }
        (1..=last).map(|row| self.kind(row, &headings)).collect()
    }

    /// Columns of attributes and their names.
    fn headings(&mut self) -> Vec<(u32, String)> {
        let columns: Vec<u32> =
            self.chesses.cells.range((0, ATTRIBUTES)..(1, 0)).map(|(at, _)| at.1).collect();
        if let Some(&far) = columns.iter().find(|&&col| col >= ATTRIBUTES + MOST_ATTRIBUTES) {
            let problem =
                Problem::new("map-too-many-attributes").with("text", far).with("most", MOST_ATTRIBUTES);
            self.error(problem, "chesses", (0, far));
        }
        columns.into_iter().map(|col| (col, self.chesses.cells[&(0, col)].shown())).collect()
    }

    fn kind(&mut self, row: u32, headings: &[(u32, String)]) -> PieceKind {
        let chesses: fn(&Author) -> &Sheet = |r| &r.chesses;
        if let Some(id) = self.chesses.cells.get(&(row, 0)).filter(|v| v.integer() != Some(row.into())) {
            let problem = Problem::new("map-warn-id-column").with("text", id.shown()).with("id", row);
            self.warnings.push(problem.with("place", format!("chesses!{}", cell_name((row, 0)))));
        }
        let name = self.at(chesses, (row, 1)).map(|v| v.shown()).unwrap_or_default();
        let owner = match self.at(chesses, (row, 2)) {
            Some(v) => match v.integer() {
                Some(1) => Some(Side::First),
                Some(2) => Some(Side::Second),
                Some(3) => None,
                _ => self.bad_owner(row, &v.shown()),
            },
            None => self.bad_owner(row, ""),
        };
        let captain = self.switched(chesses, (row, 3), Problem::new("map-warn-captain"));
        let (mut rule, mut promotes, mut promoted) = Default::default();
        if self.second.is_some() {
            let texts =
                [4, 5, 6].map(|col| self.at(chesses, (row, col)).map(|v| v.shown()).unwrap_or_default());
            self.second.iter_mut().for_each(|second| second.texts.push(texts.clone()));
        } else {
            rule = self.move_rule((row, 4));
            promotes = self.place_rule((row, 5));
            promoted = self.move_rule((row, 6));
        }
        let mut attributes: Vec<(&String, Value)> = Vec::new();
        for (col, heading) in headings {
            let value = self.at(chesses, (row, *col)).filter(|v| !v.is_nothing());
            attributes.extend(value.map(|value| (heading, value)));
        }
        // The same heading twice: the last cell counts.
        let mut met = HashSet::new();
        attributes.reverse();
        attributes.retain(|(heading, _)| met.insert(*heading));
        let named = |(heading, value): (&String, Value)| (heading.clone(), value);
        let attributes = attributes.into_iter().rev().map(named).collect();
        let name = name.trim_matches('"').to_owned();
        PieceKind { name, owner, captain, rule, promotes, promoted, attributes, level2: None }
    }

    fn bad_owner(&mut self, row: u32, text: &str) -> Option<Side> {
        if !self.chesses.unsolved.contains_key(&(row, 2)) {
            self.error(Problem::new("map-bad-belong").with("text", text), "chesses", (row, 2));
        }
        None
    }

    fn move_rule(&mut self, at: At) -> MoveRule {
        let value = self.at(|r| &r.chesses, at);
        if value.is_none() && self.chesses.unsolved.contains_key(&at) {
            return MoveRule::default();
        }
        let text = value.map(|v| v.shown()).unwrap_or_default();
        move_rule(&text).unwrap_or_else(|mut problem| {
            if leads_to_level_2(&text) {
                problem.args.retain(|(name, _)| *name != "why");
                problem = problem.with("why", "level-2");
            }
            self.error(of_cell(problem, &text), "chesses", at);
            MoveRule::default()
        })
    }

    fn place_rule(&mut self, at: At) -> PlaceRule {
        let text = self.at(|r| &r.chesses, at).map(|v| v.shown()).unwrap_or_default();
        place_rule(&text).unwrap_or_else(|problem| {
            self.error(of_cell(problem, &text), "chesses", at);
            PlaceRule::default()
        })
    }

    fn board(&mut self, kinds: Vec<PieceKind>) -> Option<Map> {
        let (rows, cols) = (self.side((0, 1)), self.side((0, 3)));
        let (rows, cols) = (rows?, cols?);
        if self.map.extent.1 < cols || self.map.extent.0 < rows + 1 {
            let found = format!("{} × {}", self.map.extent.0.saturating_sub(1), self.map.extent.1);
            self.warnings.push(Problem::new("map-warn-short-board").with("place", "map").with("text", found));
        }
        let mut start = Vec::with_capacity((rows * cols) as usize);
        for row in 0..rows {
            for col in 0..cols {
                start.push(self.piece((row + 1, col), kinds.len()));
            }
        }
        let switch = |r: &mut Self, row| r.switched(|r| &r.rules, (row, 2), Problem::new("map-warn-switch"));
        Some(Map {
            rows: u8::try_from(rows).expect("at most 64"),
            cols: u8::try_from(cols).expect("at most 64"),
            kinds,
            start,
            promotion: switch(self, 1),
            undo: switch(self, 2),
            neutral_limit: switch(self, 3),
            level2: None,
        })
    }

    /// The number of rows or columns; 1 to 64.
    fn side(&mut self, at: At) -> Option<u32> {
        let value = self.at(|r| &r.map, at);
        if value.is_none() && self.map.unsolved.contains_key(&at) {
            return None;
        }
        let text = value.as_ref().map(Value::shown).unwrap_or_default();
        let key = match value.and_then(|v| v.integer()) {
            Some(side) if (1..=i64::from(MOST_SIDE)).contains(&side) => return u32::try_from(side).ok(),
            Some(side) if side > i64::from(MOST_SIDE) => "map-board-too-large",
            _ => "map-bad-size",
        };
        self.error(Problem::new(key).with("text", text).with("most", MOST_SIDE), "map", at);
        None
    }

    /// The id on a square, 0 for none.
    fn piece(&mut self, at: At, kinds: usize) -> u16 {
        let Some(value) = self.at(|r| &r.map, at).filter(|v| !v.is_nothing()) else { return 0 };
        match value
            .integer()
            .and_then(|id| u16::try_from(id).ok())
            .filter(|&id| (1..=kinds).contains(&id.into()))
        {
            Some(id) => id,
            None => {
                let problem =
                    Problem::new("map-bad-piece-id").with("text", value.shown()).with("most", kinds);
                self.error(problem, "map", at);
                0
            }
        }
    }
}
