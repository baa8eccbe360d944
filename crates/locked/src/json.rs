//! The reference program's saved game, byte for byte.
//!
//! One JSON object with its keys in alphabetical order; the board, the operations and the chosen stone are Python
//! literals inside strings, and what is not ASCII is written `\uXXXX`. Rules: docs/rules/locked.md §7.

use std::fmt::Write as _;

use kernel::{Position as _, Side};

use crate::square::SIZE;
use crate::{Axis, Locked, Move, Square};

/// The colour's name in the reference program.
///
/// ```
/// use kernel::Side;
///
/// assert_eq!(Side::BOTH.map(locked::json::colour), ["黑", "白"]);
/// ```
#[must_use]
pub const fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "黑",
        Side::Second => "白",
    }
}

/// The axis's name in the reference program; `无` for none.
///
/// ```
/// use locked::{Axis, json::axis_name};
///
/// assert_eq!((axis_name(Some(Axis::Vertical)), axis_name(None)), ("上下", "无"));
/// ```
#[must_use]
pub const fn axis_name(axis: Option<Axis>) -> &'static str {
    match axis {
        None => "无",
        Some(Axis::Vertical) => "上下",
        Some(Axis::Horizontal) => "左右",
    }
}

/// Returns the text that `return_game()` of the reference program gives in this position.
///
/// ```
/// let json = locked::json::state_json(&locked::Locked::default());
/// assert!(json.starts_with('{') && json.contains("all_locate"));
/// ```
#[must_use]
pub fn state_json(pos: &Locked) -> String {
    let chosen = pos.chosen.map_or_else(|| "无".to_owned(), |stone| tuple(stone, pos.turn()));
    let text = format!(
        "{{\"all_locate\": \"{}\", \"all_operation\": \"{}\", \"choose_chess_locate\": \"{chosen}\", \
         \"operation_last_direction\": \"{}\", \"operation_number\": {}, \"operation_oppsite\": \"{}\"}}",
        rows(pos),
        operations(pos),
        axis_name(pos.axis),
        pos.step.number(),
        colour(pos.turn()),
    );
    ascii(&text)
}

fn rows(pos: &Locked) -> String {
    let number = |x, y| {
        let square = Square::new(x, y).expect("1 to 12 is on the board");
        if pos.stones[0].has(square) {
            "1"
        } else if pos.stones[1].has(square) {
            "-1"
        } else {
            "0"
        }
    };
    let row = |y| (1..=SIZE).map(|x| number(x, y)).collect::<Vec<_>>().join(", ");
    format!("[{}]", (1..=SIZE).map(|y| format!("[{}]", row(y))).collect::<Vec<_>>().join(", "))
}

fn operations(pos: &Locked) -> String {
    let mut moves = Vec::new();
    pos.operations(&mut moves);
    let text = |m| match m {
        Move::Go(to) => format!("'{}'", to.letter()),
        Move::Choose(stone) => tuple(stone, pos.turn()),
    };
    format!("[{}]", moves.into_iter().map(text).collect::<Vec<_>>().join(", "))
}

fn tuple(stone: Square, side: Side) -> String {
    format!("({}, {}, '{}')", stone.x(), stone.y(), colour(side))
}

/// Every character used here is in the basic plane, so one escape each is enough.
fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            write!(out, "\\u{:04x}", u32::from(c)).expect("writing to a string works");
        }
    }
    out
}
