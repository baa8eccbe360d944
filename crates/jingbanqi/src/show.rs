//! A map as text: the board and what every piece may do, for those who write maps in a terminal.

use std::fmt::Write;

use crate::rulebook::{Map, PieceKind};

/// Columns a name takes in a terminal: letters of China, Japan and Korea take two.
fn width(text: &str) -> usize {
    let wide = |c: char| matches!(u32::from(c), 0x1100..=0x115F | 0x2E80..=0xA4CF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFE30..=0xFE6F | 0xFF00..=0xFF60 | 0xFFE0..=0xFFE6 | 0x1F300..=0x1FAFF | 0x20000..=0x3FFFD);
    text.chars().map(|c| 1 + usize::from(wide(c))).sum()
}

fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// `+` red, `-` blue, `=` neutral, and the piece's name.
fn shown(kind: &PieceKind) -> String {
    let sign = match kind.owner {
        Some(kernel::Side::First) => '+',
        Some(kernel::Side::Second) => '-',
        None => '=',
    };
    format!("{sign}{}", kind.name)
}

/// The board, rows numbered from the top, then a line for each piece.
///
/// ```
/// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
/// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
/// let text = jingbanqi::show::show(&map);
/// assert!(text.contains(&format!("+{}", map.kinds[0].name)));
/// ```
#[must_use]
pub fn show(map: &Map) -> String {
    let mut out = String::new();
    let cell = |id: u16| if id == 0 { ".".to_owned() } else { shown(&map.kinds[usize::from(id) - 1]) };
    let cells: Vec<String> = map.start.iter().map(|&id| cell(id)).collect();
    let columns = cells.iter().map(|text| width(text)).max().unwrap_or(1).max(2) + 1;
    let numbers: Vec<String> = (1..=map.cols).map(|col| padded(&col.to_string(), columns)).collect();
    let _ = writeln!(out, "    {}", numbers.concat().trim_end());
    for (row, cells) in cells.chunks(usize::from(map.cols)).enumerate() {
        let line: Vec<String> = cells.iter().map(|text| padded(text, columns)).collect();
        let _ = writeln!(out, "{:>3} {}", row + 1, line.concat().trim_end());
    }
    let _ = writeln!(out);
    for (id, kind) in (1..).zip(&map.kinds) {
        let captain = if kind.captain { "  c" } else { "" };
        let [rule, promotes, promoted] = kind.texts();
        let _ = write!(out, "{id:>3} {}  {rule}{captain}", padded(&shown(kind), columns));
        if !promotes.is_empty() {
            let _ = write!(out, "  {promotes} -> {promoted}");
        }
        for (name, value) in &kind.attributes {
            let _ = write!(out, "  {name}={}", value.shown());
        }
        let _ = writeln!(out);
    }
    let switches = [("promotion", map.promotion), ("undo", map.undo), ("neutral-limit", map.neutral_limit)];
    let on: Vec<&str> = switches.into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect();
    let _ = writeln!(out, "\n{}", if on.is_empty() { "-".to_owned() } else { on.join(" ") });
    for (name, rows) in map.level2.iter().flat_map(|level2| level2.sheets.named()) {
        for (at, row) in rows.iter().enumerate() {
            let name = if at == 0 { name } else { "" };
            let _ = writeln!(out, "{}", format!("{}  {}", padded(name, 8), row.join("  ")).trim_end());
        }
    }
    out
}
