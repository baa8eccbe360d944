//! A map as text: the board and what every piece may do, for those who write maps in a terminal.

use std::fmt::Write;

use catalog::maps::{Kind, Map};
use unicode_width::UnicodeWidthStr;

fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(text.width())))
}

/// `+` red, `-` blue, `=` neutral, and the piece's name.
fn shown(kind: &Kind) -> String {
    let sign = match kind.owner {
        Some(kernel::Side::First) => '+',
        Some(kernel::Side::Second) => '-',
        None => '=',
    };
    format!("{sign}{}", kind.name)
}

/// The board, rows numbered from the top, then a line for each piece.
#[must_use]
pub fn show(map: &Map) -> String {
    let mut out = String::new();
    let cell = |id: u16| if id == 0 { ".".to_owned() } else { shown(&map.kinds[usize::from(id) - 1]) };
    let cells: Vec<String> = map.start.iter().map(|&id| cell(id)).collect();
    let columns = cells.iter().map(|text| text.width()).max().unwrap_or(1).max(2) + 1;
    let numbers: Vec<String> = (1..=map.cols).map(|col| padded(&col.to_string(), columns)).collect();
    let _ = writeln!(out, "    {}", numbers.concat().trim_end());
    for (row, cells) in cells.chunks(usize::from(map.cols)).enumerate() {
        let line: Vec<String> = cells.iter().map(|text| padded(text, columns)).collect();
        let _ = writeln!(out, "{:>3} {}", row + 1, line.concat().trim_end());
    }
    let _ = writeln!(out);
    for (id, kind) in (1..).zip(&map.kinds) {
        let captain = if kind.captain { "  c" } else { "" };
        let _ = write!(out, "{id:>3} {}  {}{captain}", padded(&shown(kind), columns), kind.rule);
        if !kind.promotes.0.is_empty() {
            let _ = write!(out, "  {} -> {}", kind.promotes, kind.promoted);
        }
        for (name, value) in &kind.attributes {
            let _ = write!(out, "  {name}={}", value.shown());
        }
        let _ = writeln!(out);
    }
    let switches = [("promotion", map.promotion), ("undo", map.undo), ("neutral-limit", map.neutral_limit)];
    let on: Vec<&str> = switches.into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect();
    let _ = writeln!(out, "\n{}", if on.is_empty() { "-".to_owned() } else { on.join(" ") });
    out
}
