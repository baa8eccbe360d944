//! The list of keys, and the information about a piece, drawn over the table.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::{Settings, wrapped, write};
use crate::keys::KEYS;
use crate::paint::Role;

/// Draws sentences from line `first` on; returns the first line that is shown.
pub(super) fn sheet(
    screen: &mut Buffer,
    settings: &Settings,
    title: &str,
    text: &[String],
    first: u16,
) -> u16 {
    let area = cleared(screen);
    let columns = usize::from(area.width.saturating_sub(4));
    let lines: Vec<String> = text.iter().flat_map(|sentence| wrapped(sentence, columns)).collect();
    let high = area.height.saturating_sub(3).max(1);
    let count = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let first = first.min(count.saturating_sub(high));
    write(screen, area, area.x + 2, area.y, title, settings.style(Role::Title));
    for (y, line) in (area.y + 2..).zip(lines.iter().skip(first.into()).take(high.into())) {
        write(screen, area, area.x + 2, y, line, Style::new());
    }
    let more = settings.say(if count > high { "tui-help-more" } else { "tui-help-close" }, &[]);
    write(screen, area, area.x + 2, area.bottom() - 1, &more, settings.style(Role::Foot));
    first
}

/// Clears the screen and returns its area.
fn cleared(screen: &mut Buffer) -> Rect {
    let area = screen.area;
    for y in area.y..area.bottom() {
        write(screen, area, area.x, y, &" ".repeat(area.width.into()), Style::reset());
    }
    area
}

/// Draws the list of keys from line `first` on; returns the first line shown.
pub(super) fn draw(screen: &mut Buffer, settings: &Settings, first: u16) -> u16 {
    let area = cleared(screen);
    let rows: Vec<(String, String)> =
        KEYS.iter().map(|(_, message, keys)| (keys.join("  "), settings.say(message, &[]))).collect();
    let keys = rows.iter().map(|(keys, _)| keys.width()).max().unwrap_or(0) as u16;
    let told = rows.iter().map(|(_, told)| told.width()).max().unwrap_or(0) as u16;
    let wide = keys + told + 6;
    let columns = (area.width / wide).clamp(1, 3);
    let high = area.height.saturating_sub(3).max(1);
    let per_column = (rows.len() as u16).div_ceil(columns);
    let first = first.min(per_column.saturating_sub(high));
    write(screen, area, area.x + 2, area.y, &settings.say("keys", &[]), settings.style(Role::Title));
    for (i, (keys_text, told)) in (0u16..).zip(&rows) {
        let (column, row) = (i / per_column, i % per_column);
        if row < first || row - first >= high {
            continue;
        }
        let (x, y) = (area.x + 2 + column * wide, area.y + 2 + row - first);
        let inside = Rect { width: area.width, ..area };
        write(screen, inside, x, y, keys_text, settings.style(Role::Key));
        write(screen, inside, x + keys + 2, y, told, Style::new());
    }
    let more = settings.say(if per_column > high { "tui-help-more" } else { "tui-help-close" }, &[]);
    write(screen, area, area.x + 2, area.bottom() - 1, &more, settings.style(Role::Foot));
    first
}
