//! The board of a map as comma-separated values (RFC 4180): a line for each row, a field for each square.
//!
//! A field is the number of a piece in the map's table, or its name where only one piece is called so; nothing, `0` or `.`
//! is a vacant square. Spreadsheets write semicolons or tabs in some languages: what the first line uses is read.

use jingbanqi::rulebook::MOST_SIDE;
use kernel::Problem;

/// The most bytes of a file.
pub const MOST_BYTES: usize = 256 << 10;
/// The most characters of a field.
const MOST_FIELD: usize = 60;

/// A board: rows, columns, and row by row the number of the piece on each square, 0 for none.
///
/// ```
/// use records::csv::{Board, read, write};
///
/// let board = Board { rows: 2, cols: 3, cells: vec![1, 0, 2, 0, 2, 1] };
/// assert_eq!(read(write(&board).as_bytes(), &["king", "pawn"]), Ok(board));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Board {
    /// The number of rows, from 1 to 64.
    pub rows: u32,
    /// The number of columns, from 1 to 64.
    pub cols: u32,
    /// `rows` × `cols` numbers.
    pub cells: Vec<u32>,
}

/// Writes a board; squares beyond `cells` are vacant.
///
/// ```
/// use records::csv::{Board, write};
///
/// let board = Board { rows: 2, cols: 3, cells: vec![1, 0, 2, 0, 3, 4] };
/// assert_eq!(write(&board), "1,,2\r\n,3,4\r\n");
/// ```
#[must_use]
pub fn write(board: &Board) -> String {
    let field = |row: u32, col: u32| match board.cells.get((row * board.cols + col) as usize) {
        // A line of nothing at the end of a file would be none.
        None | Some(0) if board.cols == 1 => "0".to_owned(),
        None | Some(0) => String::new(),
        Some(id) => id.to_string(),
    };
    let row = |row: u32| (0..board.cols).map(|col| field(row, col)).collect::<Vec<_>>().join(",");
    (0..board.rows).map(|n| format!("{}\r\n", row(n))).collect()
}

/// Reads a board of pieces that are called `names`, the first of which has number 1.
///
/// ```
/// use records::csv::read;
///
/// let names = ["king", "pawn"];
/// assert_eq!(read(b"king;;2\n", &names)?.cells, [1, 0, 2]);
/// let problem = read(b"1,2\n1,5\n", &names).unwrap_err();
/// assert_eq!((problem.key, problem.arg("line"), problem.arg("column")), ("csv-piece", Some("2"), Some("2")));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `csv-too-large`; `csv-text` with the line that is not UTF-8; `csv-empty`; `csv-rows` and `csv-cols`: more than 64;
/// `csv-row`: a line with another number of fields than the first; `csv-quote`: a quotation mark that is not closed, or stands
/// inside a field; `csv-piece`: no such piece; `csv-name`: several pieces are called so. `line` and `column` begin at 1.
pub fn read(bytes: &[u8], names: &[&str]) -> Result<Board, Problem> {
    if bytes.len() > MOST_BYTES {
        return Err(Problem::new("csv-too-large").with("found", bytes.len()).with("most", MOST_BYTES));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|why| {
        let before = &bytes[..why.valid_up_to()];
        Problem::new("csv-text").with("line", before.iter().filter(|&&byte| byte == b'\n').count() + 1)
    })?;
    let first = text.lines().next().unwrap_or_default();
    let separator = [',', '\t', ';'].into_iter().find(|c| first.contains(*c)).unwrap_or(',');
    let mut board = Board::default();
    // Spreadsheets end a file with empty lines; one in between is a row that is too short.
    for (line, text) in (1_u32..).zip(text.trim_end_matches(['\r', '\n']).lines()) {
        if line > MOST_SIDE {
            return Err(Problem::new("csv-rows").with("most", MOST_SIDE));
        }
        let mut row = Vec::new();
        for (column, field) in (1_u32..).zip(fields(text, separator, line)?) {
            if column > MOST_SIDE {
                return Err(Problem::new("csv-cols").with("line", line).with("most", MOST_SIDE));
            }
            let wrong = |key| {
                let shown: String = field.chars().take(MOST_FIELD).collect();
                let problem = Problem::new(key).with("line", line).with("column", column);
                problem.with("text", shown).with("most", names.len())
            };
            row.push(piece(&field, names).map_err(wrong)?);
        }
        let found = u32::try_from(row.len()).unwrap_or(u32::MAX);
        if line == 1 {
            board.cols = found;
        } else if found != board.cols {
            let problem = Problem::new("csv-row").with("line", line).with("found", found);
            return Err(problem.with("expected", board.cols));
        }
        board.rows = line;
        board.cells.extend(row);
    }
    if board.cells.is_empty() { Err(Problem::new("csv-empty")) } else { Ok(board) }
}

/// The number of a piece, or the key of what is wrong with it.
fn piece(field: &str, names: &[&str]) -> Result<u32, &'static str> {
    let field = field.trim();
    if matches!(field, "" | "." | "0") {
        return Ok(0);
    }
    if field.bytes().all(|byte| byte.is_ascii_digit()) {
        let known = field.parse().ok().filter(|&id: &usize| (1..=names.len()).contains(&id));
        return known.and_then(|id| u32::try_from(id).ok()).ok_or("csv-piece");
    }
    let mut called = (1_u32..).zip(names).filter(|(_, name)| **name == field);
    match (called.next(), called.next()) {
        (Some((id, _)), None) => Ok(id),
        (Some(_), Some(_)) => Err("csv-name"),
        (None, _) => Err("csv-piece"),
    }
}

/// The fields of a line. A field in quotation marks may hold separators, and two marks for one.
fn fields(line: &str, separator: char, n: u32) -> Result<Vec<String>, Problem> {
    let mut fields = vec![String::new()];
    let mut chars = line.chars().peekable();
    let (mut quoted, mut begun) = (false, false);
    while let Some(c) = chars.next() {
        let column = fields.len();
        let wrong = || Problem::new("csv-quote").with("line", n).with("column", column);
        let Some(field) = fields.last_mut() else { break };
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' if quoted => {
                quoted = false;
                if chars.peek().is_some_and(|&next| next != separator) {
                    return Err(wrong());
                }
            }
            '"' if !begun => (quoted, begun) = (true, true),
            '"' => return Err(wrong()),
            c if c == separator && !quoted => {
                begun = false;
                // One more than a board may have is enough to say so.
                if fields.len() > MOST_SIDE as usize {
                    return Ok(fields);
                }
                fields.push(String::new());
            }
            c => {
                begun = true;
                field.push(c);
            }
        }
    }
    if quoted {
        return Err(Problem::new("csv-quote").with("line", n).with("column", fields.len()));
    }
    Ok(fields)
}
