//! A saved game of the reference program as a position.
//!
//! Rules: docs/rules/locked.md §7 and §8. Loose types that the reference lets through by Python's equality (`1.0` or
//! `true` for 1) are refused by [`loads_game`].

use kernel::Side;
use locked::{Locked, LockedError, Square};
use serde_json::{Map, Value};

use super::literal::{LONGEST, Literal, parse};
use super::variables::{NONE, Numbers, Variables, stone};

/// Reads what `return_game()` wrote, or a hand-made game with `game` in place of `all_locate`.
///
/// ```
/// use locked::{Locked, json::state_json};
/// use records::locked_chess::loads_game;
///
/// let start = Locked::default();
/// assert_eq!(loads_game(&state_json(&start)), Ok(start));
/// assert!(loads_game("[]").is_err());
/// ```
///
/// # Errors
/// The part that cannot be read, or else the first check of docs/rules/locked.md §8 that fails.
pub fn loads_game(text: &str) -> Result<Locked, LockedError> {
    read(text, Numbers::Whole)?.check(Numbers::Whole)
}

/// The variables a saved game names, not yet checked against one another.
///
/// # Errors
/// The part that cannot be read: the JSON, a missing key, a text that is no literal, rows that are no board.
pub fn read(text: &str, numbers: Numbers) -> Result<Variables, LockedError> {
    let unreadable = |detail: String| LockedError::Unreadable { what: "json", detail };
    if text.len() > LONGEST {
        return Err(unreadable(format!("longer than {LONGEST} bytes")));
    }
    let saved: Value = serde_json::from_str(text).map_err(|e| unreadable(e.to_string()))?;
    let saved = saved.as_object().ok_or_else(|| unreadable("not an object".to_owned()))?;
    let operation_number = from_json(value(saved, "operation_number")?);
    let operation_oppsite = from_json(value(saved, "operation_oppsite")?);
    let operation_last_direction = from_json(value(saved, "operation_last_direction")?);
    let choose_chess_locate = chosen(value(saved, "choose_chess_locate")?)?;
    let game = match (saved.get("all_locate"), saved.get("game")) {
        (Some(rows), None) => board(&literal("all_locate", rows)?, numbers)?,
        (None, Some(set)) => literal("game", set)?,
        (None, None) => return Err(LockedError::NoBoard),
        (Some(_), Some(_)) => return Err(LockedError::TwoBoards),
    };
    Ok(Variables { game, operation_number, operation_oppsite, operation_last_direction, choose_chess_locate })
}

fn value<'a>(saved: &'a Map<String, Value>, name: &str) -> Result<&'a Value, LockedError> {
    saved.get(name).ok_or_else(|| LockedError::NotStarted { missing: name.to_owned() })
}

/// The value that Python's `json` makes of it; of an object, which fits nowhere, only that it is one.
fn from_json(value: &Value) -> Literal {
    match value {
        Value::Null => Literal::None,
        Value::Bool(b) => Literal::Bool(*b),
        Value::Number(n) => {
            n.as_i64().map_or_else(|| Literal::Float(n.as_f64().unwrap_or(f64::NAN)), Literal::Int)
        }
        Value::String(text) => Literal::Str(text.clone()),
        Value::Array(items) => Literal::List(items.iter().map(from_json).collect()),
        Value::Object(_) => Literal::EmptyDict,
    }
}

/// The literal inside a JSON string.
fn literal(what: &'static str, value: &Value) -> Result<Literal, LockedError> {
    let unreadable = |detail| LockedError::Unreadable { what, detail };
    let text = value.as_str().ok_or_else(|| unreadable("not a text".to_owned()))?;
    parse(text).map_err(|e| unreadable(e.to_string()))
}

fn chosen(value: &Value) -> Result<Literal, LockedError> {
    match value.as_str() {
        Some(NONE) => Ok(from_json(value)),
        _ => literal("choose_chess_locate", value),
    }
}

fn items(value: &Literal) -> Option<&[Literal]> {
    match value {
        Literal::List(items) | Literal::Tuple(items) => Some(items),
        _ => None,
    }
}

/// The set of stones that twelve rows of twelve numbers are.
fn board(rows: &Literal, numbers: Numbers) -> Result<Literal, LockedError> {
    let rows = items(rows).filter(|r| r.len() == 12).ok_or(LockedError::BoardNotTwelveRows)?;
    let is_row = |row: &&[Literal]| row.len() == 12;
    let rows: Option<Vec<&[Literal]>> = rows.iter().map(|row| items(row).filter(is_row)).collect();
    let mut stones = Vec::new();
    for (y, row) in (1..).zip(rows.ok_or(LockedError::RowNotTwelve)?) {
        for (x, cell) in (1..).zip(row) {
            let side = match numbers.read(cell) {
                Some(0) => continue,
                Some(1) => Side::First,
                Some(-1) => Side::Second,
                _ => return Err(LockedError::BadCell { found: cell.to_string() }),
            };
            stones.push(stone(Square::new(x, y).expect("12 rows of 12 are the board"), side));
        }
    }
    Ok(Literal::Set(stones))
}
