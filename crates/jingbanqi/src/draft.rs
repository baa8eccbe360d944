//! A map as its author is writing it: texts that may be wrong, checked as the sheets of a file are.

use std::collections::BTreeMap;

use kernel::{Problem, Side};

use crate::level2::{Sheets2, is_mark};
use crate::rulebook::{MOST_KINDS, MOST_SIDE, Map, PieceKind, Value};
use crate::sheet::{ATTRIBUTES, At, Author, MOST_CELLS, Reading, Sheet, number};

/// A map that is being written. It becomes a [`Map`] once it has no errors.
///
/// Two kings on a board of three by three; 2 is up and 7 down:
///
/// ```
/// use jingbanqi::{Draft, DraftKind};
/// use kernel::Side;
///
/// let king = |owner| DraftKind {
///     name: "king".to_owned(),
///     owner: Some(owner),
///     captain: true,
///     rule: "2,4,5,7;".to_owned(),
///     promoted: ";".to_owned(),
///     ..DraftKind::default()
/// };
/// let kinds = vec![king(Side::First), king(Side::Second)];
/// let draft = Draft { rows: 3, cols: 3, cells: vec![0, 2, 0, 0, 0, 0, 0, 1, 0], kinds, ..Draft::default() };
/// let map = draft.read().map.expect("it has no errors");
/// assert_eq!((map.squares(), &map.start[..]), (9, &[0, 2, 0, 0, 0, 0, 0, 1, 0][..]));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Draft {
    /// Rows of the board.
    pub rows: u32,
    /// The number of columns of the board.
    pub cols: u32,
    /// Row by row: the number of the piece that starts there, from 1; 0 for none. What is missing is vacant.
    pub cells: Vec<u32>,
    /// The table of pieces.
    pub kinds: Vec<DraftKind>,
    /// True if pieces promote.
    pub promotion: bool,
    /// True if moves may be taken back.
    pub undo: bool,
    /// True if a third neutral move in a row is refused.
    pub neutral_limit: bool,
    /// The sheets of level 2; empty for a map of level 1. With them the three switches are those of `rules2`.
    pub level2: Sheets2,
}

/// One piece of the table, its rules as text.
///
/// ```
/// use jingbanqi::{Draft, DraftKind};
///
/// let [name, rule, promoted] = ["pawn", "2;", ";"].map(str::to_owned);
/// let pawn = DraftKind { name, rule, promoted, ..DraftKind::default() };
/// let map = Draft { rows: 3, cols: 3, kinds: vec![pawn], ..Draft::default() }.read().map.unwrap();
/// assert_eq!((map.kinds[0].owner, map.kinds[0].rule.to_string()), (None, "2;".to_owned()));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DraftKind {
    /// The text on the piece.
    pub name: String,
    /// The side that owns the piece; `None` for a neutral one.
    pub owner: Option<Side>,
    /// True if the side that takes this piece wins.
    pub captain: bool,
    /// The move rule, as text.
    pub rule: String,
    /// The places where it promotes, as text.
    pub promotes: String,
    /// The move rule after promotion, as text.
    pub promoted: String,
    /// The attributes that extensions read, by heading.
    pub attributes: Vec<(String, Value)>,
}

impl From<&Map> for Draft {
    fn from(map: &Map) -> Draft {
        let kind = |kind: &PieceKind| {
            let [rule, promotes, promoted] = kind.texts();
            DraftKind {
                name: kind.name.clone(),
                owner: kind.owner,
                captain: kind.captain,
                rule,
                promotes,
                promoted,
                attributes: kind.attributes.clone(),
            }
        };
        Draft {
            rows: map.rows.into(),
            cols: map.cols.into(),
            cells: map.start.iter().map(|&id| id.into()).collect(),
            kinds: map.kinds.iter().map(kind).collect(),
            promotion: map.promotion,
            undo: map.undo,
            neutral_limit: map.neutral_limit,
            level2: map.level2.as_ref().map(|level2| level2.sheets.clone()).unwrap_or_default(),
        }
    }
}

impl Draft {
    /// Checks it as [`read`](crate::read) checks a file: places are the cells in which such a file has it.
    ///
    /// ```
    /// use jingbanqi::{Draft, DraftKind};
    ///
    /// let bad = DraftKind { name: "king".to_owned(), rule: "9;".to_owned(), ..DraftKind::default() };
    /// let reading = Draft { rows: 3, cols: 3, kinds: vec![bad], ..Draft::default() }.read();
    /// assert_eq!(reading.errors[0].key, "map-bad-move-rule");
    /// assert_eq!(reading.errors[0].arg("place"), Some("chesses!E2"));
    /// ```
    #[must_use]
    pub fn read(&self) -> Reading {
        self.author().map_or_else(|reading| reading, Author::read)
    }

    /// Checks it as [`read_with_secrets`](crate::read_with_secrets) checks a file: for the same callers.
    #[must_use]
    pub fn read_with_secrets(&self) -> Reading {
        self.author().map_or_else(|reading| reading, |author| author.with_secrets().read())
    }

    /// The sheets, to be read; the fault where they are none.
    fn author(&self) -> Result<Author, Reading> {
        let refused = |problem| Reading { errors: vec![problem], ..Reading::default() };
        let chesses = self.chesses().map_err(refused)?;
        if self.level2 == Sheets2::default() {
            return Ok(Author::new(chesses, self.map(), Some(self.rules()), None));
        }
        let has_mark =
            self.level2.rules2.first().and_then(|row| row.first()).is_some_and(|text| is_mark(text));
        if !has_mark {
            let problem = Problem::new("map-missing-mark").with("place", "rules2").with("text", "rules2");
            return Err(refused(problem));
        }
        Ok(Author::new(chesses, self.map(), None, Some(self.level2.clone())))
    }

    fn chesses(&self) -> Result<Sheet, Problem> {
        let mut columns: BTreeMap<&str, u32> = BTreeMap::new();
        let mut cells = BTreeMap::new();
        // One row more than there may be, so that it is refused as too many.
        for (row, kind) in (1u32..).zip(self.kinds.iter().take(MOST_KINDS + 1)) {
            let owner = kind.owner.map_or(3, |side| side.index() as i64 + 1);
            put(&mut cells, (row, 1), &kind.name);
            cells.insert((row, 2), Value::Int(owner));
            put(&mut cells, (row, 3), if kind.captain { "c" } else { "" });
            put(&mut cells, (row, 4), &kind.rule);
            put(&mut cells, (row, 5), &kind.promotes);
            put(&mut cells, (row, 6), &kind.promoted);
            for (name, value) in kind.attributes.iter().filter(|(name, _)| !name.is_empty()) {
                let next = ATTRIBUTES + columns.len() as u32;
                let column = *columns.entry(name).or_insert(next);
                put(&mut cells, (0, column), name);
                match value {
                    Value::Text(text) => put(&mut cells, (row, column), text),
                    Value::Int(n) => drop(cells.insert((row, column), number(*n as f64))),
                    Value::Float(n) => drop(cells.insert((row, column), number(*n))),
                    Value::Bool(set) => drop(cells.insert((row, column), Value::Bool(*set))),
                }
            }
            if cells.len() > MOST_CELLS {
                let problem = Problem::new("map-too-large").with("place", "chesses");
                return Err(problem.with("text", cells.len()).with("most", MOST_CELLS));
            }
        }
        Ok(Sheet::filled("chesses", cells))
    }

    fn map(&self) -> Sheet {
        let mut cells = BTreeMap::new();
        cells.insert((0, 1), Value::Int(self.rows.into()));
        cells.insert((0, 3), Value::Int(self.cols.into()));
        let (rows, cols) = (self.rows.min(MOST_SIDE), self.cols.min(MOST_SIDE));
        for (at, &id) in self.cells.iter().enumerate().take((rows * cols) as usize) {
            cells.insert((at as u32 / cols + 1, at as u32 % cols), Value::Int(id.into()));
        }
        // Nothing is missing: what is not there is meant to be vacant.
        let mut sheet = Sheet::filled("map", cells);
        sheet.extent = (rows + 1, cols);
        sheet
    }

    fn rules(&self) -> Sheet {
        let switches = [self.promotion, self.undo, self.neutral_limit];
        let on = (1u32..).zip(switches).filter(|(_, on)| *on);
        Sheet::filled("rules", on.map(|(row, _)| ((row, 2), Value::Text("c".to_owned()))).collect())
    }
}

fn put(cells: &mut BTreeMap<At, Value>, at: At, text: &str) {
    if !text.is_empty() {
        cells.insert(at, Value::Text(text.to_owned()));
    }
}
