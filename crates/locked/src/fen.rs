//! The position as one line of text: board, side, step, axis, chosen stone, and turns where a limit counts them.
//!
//! ```text
//! 12/12/12/3b4w3/4b2w4/12/12/4w2b4/3w4b3/12/12/12 b 1 - -
//! ```
//! Rules: docs/rules/locked.md §5.

use kernel::{Position as _, Problem, Side};

use crate::square::SIZE;
use crate::{Axis, Locked, Square, Step, Stones};

/// The longest legal text: 144 stones, 11 slashes, and the other fields.
const LONGEST: usize = 144 + 11 + " b 5 v l12 65535".len();

/// The position as text.
pub(crate) fn write(pos: &Locked) -> String {
    let rows: Vec<String> = (1..=SIZE).map(|y| write_row(pos, y)).collect();
    let side = if pos.turn() == Side::First { 'b' } else { 'w' };
    let axis = match pos.axis {
        None => '-',
        Some(Axis::Vertical) => 'v',
        Some(Axis::Horizontal) => 'h',
    };
    let chosen = pos.chosen.map_or_else(|| "-".to_owned(), |c| c.to_string());
    let mut fen = format!("{} {side} {} {axis} {chosen}", rows.join("/"), pos.step.number());
    if pos.rules.turn_limit.is_some() {
        fen.push_str(&format!(" {}", pos.turns));
    }
    fen
}

fn write_row(pos: &Locked, y: u8) -> String {
    let mut row = String::new();
    let mut empty = 0;
    let flush = |row: &mut String, empty: &mut u8| {
        if *empty > 0 {
            row.push_str(&empty.to_string());
        }
        *empty = 0;
    };
    for x in 1..=SIZE {
        let square = Square::new(x, y).expect("1 to 12 is on the board");
        let stone = Side::BOTH.into_iter().find(|&s| pos.stones(s).has(square));
        match stone {
            None => empty += 1,
            Some(side) => {
                flush(&mut row, &mut empty);
                row.push(['b', 'w'][side.index()]);
            }
        }
    }
    flush(&mut row, &mut empty);
    row
}

/// Reads a position; `rules` says whether turns are counted.
pub(crate) fn read(fen: &str, rules: crate::Rules) -> Result<Locked, Problem> {
    if fen.len() > LONGEST {
        return Err(Problem::new("locked-fen-length").with("found", fen.len()).with("most", LONGEST));
    }
    let fields: Vec<&str> = fen.split(' ').collect();
    let (&[board, side, step, axis, chosen], turns) = match fields.split_first_chunk::<5>() {
        Some((five, [])) => (five, None),
        Some((five, [turns])) => (five, Some(*turns)),
        _ => return Err(Problem::new("locked-fen-fields").with("found", fields.len())),
    };
    let stones = read_board(board)?;
    let side = match side {
        "b" => Side::First,
        "w" => Side::Second,
        _ => return Err(Problem::new("locked-bad-side").with("found", side)),
    };
    let step = match step.as_bytes() {
        [digit @ b'1'..=b'5'] => Step::numbered(digit - b'0').expect("there are five steps"),
        _ => return Err(Problem::new("locked-bad-step").with("found", step)),
    };
    let axis = match axis {
        "-" => None,
        "v" => Some(Axis::Vertical),
        "h" => Some(Axis::Horizontal),
        _ => return Err(Problem::new("locked-axis-misfit").with("found", axis).with("step", step.number())),
    };
    let chosen = match chosen {
        "-" => None,
        name => Some(Square::named(name).filter(|s| s.to_string() == name).ok_or_else(|| {
            Problem::new("locked-chosen-misfit").with("found", name).with("step", step.number())
        })?),
    };
    let mut pos = Locked::at(stones, side, step, axis, chosen).map_err(|e| e.problem())?.with_rules(rules);
    if let Some(turns) = turns {
        let number =
            read_turns(turns).ok_or_else(|| Problem::new("locked-fen-turns").with("found", turns))?;
        // Read without a limit, the count has nothing to say.
        pos.turns = if rules.turn_limit.is_some() { number } else { 0 };
    }
    Ok(pos)
}

fn read_turns(text: &str) -> Option<u16> {
    text.parse().ok().filter(|n: &u16| n.to_string() == text)
}

fn read_board(board: &str) -> Result<[Stones; 2], Problem> {
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != usize::from(SIZE) {
        return Err(Problem::new("locked-fen-rows").with("found", rows.len()));
    }
    let mut stones = [Stones::NONE; 2];
    for (y, row) in (1..=SIZE).zip(rows) {
        read_row(row, y, &mut stones)?;
    }
    Ok(stones)
}

fn read_row(row: &str, y: u8, stones: &mut [Stones; 2]) -> Result<(), Problem> {
    let width = || Problem::new("locked-fen-row-width").with("row", y).with("found", row);
    let mut rest = row;
    let mut x = 1;
    while let Some(c) = rest.chars().next() {
        let side = match c {
            'b' => Side::First,
            'w' => Side::Second,
            '0'..='9' => {
                // The whole run of digits is one number, so two runs can never stand side by side.
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let run = &rest[..end];
                let empty = run.parse().ok().filter(|n| (1..=SIZE).contains(n) && !run.starts_with('0'));
                x += empty.ok_or_else(|| Problem::new("locked-fen-run").with("row", y).with("found", run))?;
                rest = &rest[end..];
                if x > SIZE + 1 {
                    return Err(width());
                }
                continue;
            }
            _ => return Err(Problem::new("locked-fen-letter").with("row", y).with("found", c)),
        };
        let square = Square::new(x, y).ok_or_else(width)?;
        stones[side.index()] = stones[side.index()].with(square);
        x += 1;
        rest = &rest[1..];
    }
    if x == SIZE + 1 { Ok(()) } else { Err(width()) }
}
