//! Common parts of the formats of gomoku: the rule and the start of a record, points, a board without a size.

use gomoku::{Gomoku, Rule};
use kernel::{Board, Cell, Notation, Problem, Side};

use crate::{Record, Tree};

/// The text of a pass.
pub(crate) const PASS: &str = "pass";

/// The rule of a record of gomoku; `None` for another game.
pub(crate) fn rule_of(record: &Record) -> Option<Rule> {
    Rule::keyed(record.game.strip_prefix("gomoku/")?)
}

/// Returns the start of the record: its FEN, else an empty board of its options, else of the usual size.
///
/// # Errors
/// The gomoku problem of a start that cannot be.
pub(crate) fn start_of(record: &Record, rule: Rule) -> Result<Gomoku, Problem> {
    let option = |key: &str| record.options.get(key).map(|&value| value.clamp(0, 999) as u16);
    let side = |key: &str| option(key).map(|side| side.min(255) as u8);
    let files = side("size").unwrap_or(rule.usual_side());
    let ranks = side("ranks").filter(|&ranks| ranks > 0).unwrap_or(files);
    let usual = Gomoku::usual(rule);
    let usual = if option("passes") == Some(1) { usual.with_passes() } else { usual };
    match &record.start {
        Some(fen) => usual.read_fen(fen),
        None => Gomoku::new(rule, files, ranks),
    }
}

/// Allows passes in a record of renju that has one: its players had agreed on them.
pub(crate) fn agree_on_passes(record: &mut Record) {
    let passed = record.tree.in_order().any(|id| record.tree[id].text == PASS);
    if passed && rule_of(record) == Some(Rule::Renju) {
        record.options.insert("passes".to_owned(), 1);
    }
}

/// Returns true if no stone is on the board at the start.
pub(crate) fn is_empty(start: &Gomoku) -> bool {
    Side::BOTH.iter().all(|&side| start.stones(side).count() == 0)
}

/// File and row, both from 0, of a point's name.
pub(crate) fn place(board: &Board, name: &str) -> Option<(u8, u8)> {
    let cell = board.cell_named(name)?;
    let files = Cell::from(board.files);
    Some(((cell % files) as u8, (cell / files) as u8))
}

/// Makes a record of one line of moves without further facts: freestyle on a board of that size.
pub(crate) fn plain(files: u8, ranks: u8) -> Result<(Record, Board), Problem> {
    plain_of(Rule::Freestyle, files, ranks)
}

/// Makes the same record by another rule.
pub(crate) fn plain_of(rule: Rule, files: u8, ranks: u8) -> Result<(Record, Board), Problem> {
    let start = Gomoku::new(rule, files, ranks)?;
    let usual = Gomoku::usual(rule).fen();
    let record = Record {
        game: format!("gomoku/{}", rule.key()),
        start: Some(start.fen()).filter(|fen| *fen != usual),
        ..Record::default()
    };
    Ok((record, start.board()))
}

/// The moves of the main line.
pub(crate) fn main_line(tree: &Tree) -> impl Iterator<Item = &str> {
    tree.main_line().map(|id| tree[id].text.as_str())
}
