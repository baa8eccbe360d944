//! A saved game of the reference program as a position.
//!
//! Rules: docs/rules/locked.md §7 and §8. Loose types that the reference lets through by Python's equality (`1.0` or
//! `true` for 1) are refused here.

use kernel::Side;
use locked::{Axis, Locked, LockedError, Square, Step, Stones};
use serde_json::{Map, Value};

use super::literal::{LONGEST, Literal, parse};

/// Reads what `return_game()` wrote, or a hand-made game with `game` in place of `all_locate`.
///
/// # Errors
/// The first check of docs/rules/locked.md §8 that fails.
pub fn loads_game(text: &str) -> Result<Locked, LockedError> {
    let unreadable = |detail: String| LockedError::Unreadable { what: "json", detail };
    if text.len() > LONGEST {
        return Err(unreadable(format!("longer than {LONGEST} bytes")));
    }
    let saved: Value = serde_json::from_str(text).map_err(|e| unreadable(e.to_string()))?;
    let saved = saved.as_object().ok_or_else(|| unreadable("not an object".to_owned()))?;
    let number = value(saved, "operation_number")?;
    let oppsite = value(saved, "operation_oppsite")?;
    let direction = value(saved, "operation_last_direction")?;
    let chosen = chosen(value(saved, "choose_chess_locate")?)?;
    let stones = match (saved.get("all_locate"), saved.get("game")) {
        (Some(rows), None) => board(&literal("all_locate", rows)?)?,
        (None, Some(set)) => set_of_stones(&literal("game", set)?)?,
        (None, None) => return Err(LockedError::NoBoard),
        (Some(_), Some(_)) => return Err(LockedError::TwoBoards),
    };
    let [black, white] = stones.map(Stones::len);
    if black.min(white) < locked::position::FEWEST_STONES {
        return Err(LockedError::TooFewStones { black, white });
    }
    let step = number.as_u64().and_then(|n| Step::numbered(u8::try_from(n).ok()?));
    let step = step.ok_or_else(|| LockedError::BadStep { found: number.to_string() })?;
    let side = oppsite.as_str().and_then(side_named);
    let side = side.ok_or_else(|| LockedError::BadSide { found: oppsite.to_string() })?;
    let axis = match direction.as_str() {
        Some("无") => None,
        Some("上下") => Some(Axis::Vertical),
        Some("左右") => Some(Axis::Horizontal),
        _ => return Err(LockedError::AxisMisfit { found: direction.to_string(), step: step.number() }),
    };
    let misfit =
        |found: &Literal| LockedError::ChosenMisfit { found: found.to_string(), step: step.number() };
    // The axis is judged before the chosen stone, so a bad stone waits until the axis is known to fit.
    if axis.is_some() != step.is_across() {
        return Err(LockedError::AxisMisfit { found: direction.to_string(), step: step.number() });
    }
    let chosen = match &chosen {
        Literal::Str(none) if none == "无" => None,
        found => match stone(found) {
            Ok((square, owner)) if owner == side => Some(square),
            _ => return Err(misfit(found)),
        },
    };
    Locked::at(stones, side, step, axis, chosen)
}

fn value<'a>(saved: &'a Map<String, Value>, name: &str) -> Result<&'a Value, LockedError> {
    saved.get(name).ok_or_else(|| LockedError::NotStarted { missing: name.to_owned() })
}

/// The literal inside a JSON string.
fn literal(what: &'static str, value: &Value) -> Result<Literal, LockedError> {
    let unreadable = |detail| LockedError::Unreadable { what, detail };
    let text = value.as_str().ok_or_else(|| unreadable("not a text".to_owned()))?;
    parse(text).map_err(|e| unreadable(e.to_string()))
}

fn chosen(value: &Value) -> Result<Literal, LockedError> {
    match value.as_str() {
        Some("无") => Ok(Literal::Str("无".to_owned())),
        _ => literal("choose_chess_locate", value),
    }
}

fn side_named(name: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|&s| locked::json::colour(s) == name)
}

fn items(value: &Literal) -> Option<&[Literal]> {
    match value {
        Literal::List(items) | Literal::Tuple(items) => Some(items),
        _ => None,
    }
}

fn board(rows: &Literal) -> Result<[Stones; 2], LockedError> {
    let rows = items(rows).filter(|r| r.len() == 12).ok_or(LockedError::BoardNotTwelveRows)?;
    let mut stones = [Stones::NONE; 2];
    for (y, row) in (1..).zip(rows) {
        let cells = items(row).filter(|r| r.len() == 12).ok_or(LockedError::RowNotTwelve)?;
        for (x, cell) in (1..).zip(cells) {
            let side = match cell {
                Literal::Int(0) => continue,
                Literal::Int(1) => Side::First,
                Literal::Int(-1) => Side::Second,
                found => return Err(LockedError::BadCell { found: found.to_string() }),
            };
            let square = Square::new(x, y).expect("12 rows of 12 are the board");
            stones[side.index()] = stones[side.index()].with(square);
        }
    }
    Ok(stones)
}

fn set_of_stones(set: &Literal) -> Result<[Stones; 2], LockedError> {
    let Literal::Set(members) = set else {
        return Err(LockedError::StonesNotSet { found: set.to_string() });
    };
    let mut stones = [Stones::NONE; 2];
    for member in members {
        let (square, side) = stone(member)?;
        if stones[side.other().index()].has(square) {
            let at = format!("({}, {})", square.x(), square.y());
            return Err(LockedError::SharedSquare { at, stones: "黑, 白".to_owned() });
        }
        stones[side.index()] = stones[side.index()].with(square);
    }
    Ok(stones)
}

/// One `(x, y, colour)`.
fn stone(value: &Literal) -> Result<(Square, Side), LockedError> {
    let found = || value.to_string();
    let Literal::Tuple(parts) = value else { return Err(LockedError::StoneNotTuple { found: found() }) };
    let [x, y, colour] = &parts[..] else { return Err(LockedError::StoneNotTriple { found: found() }) };
    let (Literal::Int(x), Literal::Int(y)) = (x, y) else {
        return Err(LockedError::CoordinateNotInt { found: found() });
    };
    let square = u8::try_from(*x).ok().zip(u8::try_from(*y).ok()).and_then(|(x, y)| Square::new(x, y));
    let square = square.ok_or_else(|| LockedError::OffBoard { found: found() })?;
    match colour {
        Literal::Str(name) => side_named(name).map(|side| (square, side)),
        _ => None,
    }
    .ok_or_else(|| LockedError::UnknownColour { found: found() })
}
