//! Drawing of the pieces on a board and of the marks around them.

use kernel::{Cell, Lines};
use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};
use unicode_width::UnicodeWidthStr;
use wire::{Dirs, Offered, Piece};

use super::ground::put;
use super::{Grid, Look};
use crate::paint::{Depth, Role, is_character, is_light};
use crate::walk::piece_at;

/// The signs of what extensions do in a direction, as in the map reference: shield, prohibition, jump over a
/// prohibition, pass through prohibitions.
const MORE_SIGNS: [&str; 4] = ["o", "x", "$", "%"];

/// The signs left and right of a place, and their role.
type Around = (&'static str, &'static str, Role);

impl Look<'_> {
    /// Draws pieces, marks, targets and the cursor.
    pub(super) fn pieces(&self, grid: &Grid, canvas: &mut Buffer) {
        let cells = grid.files * grid.ranks;
        for cell in (0..cells).filter(|&cell| self.board.is_place(cell)) {
            match piece_at(self.view, cell) {
                Some(piece) => self.piece(grid, canvas, piece),
                None => self.vacant(grid, canvas, cell),
            }
            self.directions(grid, canvas, cell);
            if let Some(around) = self.around(cell) {
                self.brackets(grid, canvas, cell, around);
            }
        }
    }

    fn piece(&self, grid: &Grid, canvas: &mut Buffer, piece: &Piece) {
        let Piece { at: cell, owner, face } = piece;
        let tone = self.tone(*owner);
        let ground = self.square(*cell);
        let character = is_character(face);
        let mut style = self.paint.piece(tone, character, ground);
        let chosen = self.is_chosen(*cell);
        if chosen {
            let role = self.paint.style(Role::Chosen);
            // As the origin has it: what was chosen is written in its own colour on white.
            style =
                if character { role.fg(style.bg.or(role.fg).unwrap_or_default()) } else { style.patch(role) };
            if self.paint.depth == Depth::None {
                style = style.remove_modifier(Modifier::REVERSED).add_modifier(Modifier::UNDERLINED);
            }
        } else if self.marked("winning-line", *cell) {
            style = style.patch(self.paint.style(Role::Chosen));
        }
        let sign = self.paint.sign(face, tone);
        let (x, y) = grid.anchor(*cell);
        let block = !character && grid.lines == Lines::Cells && grid.dx >= 5 && grid.dy >= 2;
        if block && self.paint.depth > Depth::None && !self.paint.is_ascii() {
            return disc(grid, canvas, *cell, face == "king", is_light(tone), style);
        }
        match grid.lines {
            Lines::Points => put(canvas, x, y, &sign, style),
            Lines::Cells => {
                let margin = if grid.dy > 2 { 4 } else { 2 };
                let room = if character { grid.dx.saturating_sub(margin).max(1) } else { grid.dx };
                let text = fitted(&sign, room.into());
                let (left, _) = grid.corner(grid.seen(*cell).0, 0);
                let blank = if character { " ".repeat(room.into()) } else { String::new() };
                put(canvas, left + (grid.dx - room) / 2, y, &blank, style);
                put(canvas, left + (grid.dx - text.width() as u16) / 2, y, &text, style);
            }
        }
    }

    /// Draws the directions of a piece around its name: a dot for one step, a star for any distance, and the signs of
    /// what extensions do. Of several signs in one direction the last is shown.
    fn directions(&self, grid: &Grid, canvas: &mut Buffer, cell: Cell) {
        if !self.paint.directions || grid.lines != Lines::Cells || grid.dy < 3 {
            return;
        }
        let Some(Dirs { near, far, more, .. }) = self.view.dirs.iter().find(|dirs| dirs.at == cell) else {
            return;
        };
        let dot = if self.paint.is_ascii() { "." } else { "·" };
        let signs = [(dot, near), ("*", far)].into_iter().chain(MORE_SIGNS.into_iter().zip(more));
        let (file, row) = grid.seen(cell);
        let (x, y) = grid.corner(file, row);
        let style = self.square(cell);
        for bit in 0..8_u16 {
            let Some((sign, _)) = signs.clone().rfind(|(_, bits)| *bits >> bit & 1 == 1) else { continue };
            // The middle of the nine is the piece itself.
            let bit = if grid.flipped { 7 - bit } else { bit };
            let place = bit + u16::from(bit > 3);
            let column = [1, (grid.dx - 1) / 2, grid.dx - 2][usize::from(place % 3)];
            put(canvas, x + column, y + place / 3, sign, style);
        }
    }

    /// Draws an empty place: a diamond on a possible target, a cross on a forbidden place, and the other marks of the
    /// view.
    fn vacant(&self, grid: &Grid, canvas: &mut Buffer, cell: Cell) {
        let ascii = self.paint.is_ascii();
        let pick = |wide: &'static str, plain: &'static str| if ascii { plain } else { wide };
        let shown = self.paint.targets && !self.touched.is_empty();
        let target = self.targets.iter().find(|t| t.cell == cell && (t.warning || shown));
        let (sign, role) = match target {
            _ if self.marked("forbidden", cell) => (pick("×", "x"), Role::Bad),
            Some(target) if target.warning => ("!", Role::Bad),
            Some(_) => (pick("◆", "o"), Role::Target),
            None if self.marked("ghost", cell) => (pick("×", "x"), Role::Last),
            None if self.lesson(cell) || self.marked("zone", cell) => (pick("◇", "="), Role::Target),
            None if self.marked("offered", cell) => ("?", Role::Target),
            None if self.came_from(cell) => (pick("◦", ":"), Role::Last),
            None => return,
        };
        let (x, y) = grid.anchor(cell);
        let style = self.square(cell).patch(self.paint.style(role));
        put(canvas, x, y, sign, style);
    }

    /// Returns the signs to draw left and right of a place.
    fn around(&self, cell: Cell) -> Option<Around> {
        let taken = self.targets.iter().any(|t| t.cell == cell && t.takes);
        let stands = piece_at(self.view, cell).is_some();
        let ascii = self.paint.is_ascii();
        if self.cursor == Some(cell) {
            Some(("[", "]", Role::Cursor))
        } else if self.is_chosen(cell) {
            Some(("<", ">", Role::Chosen))
        } else if taken && self.paint.targets && !self.touched.is_empty() {
            Some(if ascii { (">", "<", Role::Capture) } else { ("›", "‹", Role::Capture) })
        } else if self.marked("must", cell) {
            Some(("{", "}", Role::Warning))
        } else if self.marked("check", cell) {
            Some(("!", "!", Role::Check))
        } else if self.marked("winning-line", cell) {
            Some(("=", "=", Role::Chosen))
        } else if self.marked("chaser", cell) || self.marked("chased", cell) {
            Some(("~", "~", Role::Bad))
        } else if stands && self.view.last.contains(&cell) {
            Some(("(", ")", Role::Last))
        } else if stands && self.lesson(cell) {
            Some(("{", "}", Role::Target))
        } else if self.marked("promoted", cell) {
            Some(("+", "+", Role::Target))
        } else {
            None
        }
    }

    fn brackets(&self, grid: &Grid, canvas: &mut Buffer, cell: Cell, (left, right, role): Around) {
        let (x, y) = grid.anchor(cell);
        let style = self.square(cell).patch(self.paint.style(role));
        let (from, to) = match grid.lines {
            Lines::Points => (x.checked_sub(1), x + self.sign_width(cell, grid)),
            Lines::Cells => {
                let (corner, _) = grid.corner(grid.seen(cell).0, 0);
                (Some(corner), corner + grid.dx - 1)
            }
        };
        if let Some(from) = from {
            put(canvas, from, y, left, style);
        }
        put(canvas, to, y, right, style);
        if role == Role::Cursor && piece_at(self.view, cell).is_none() {
            // The place itself lights up, too.
            for i in 0..self.sign_width(cell, grid).min(2) {
                if let Some(place) = canvas.cell_mut((x + i, y)) {
                    place.set_style(style);
                }
            }
        }
    }

    /// Returns the number of columns between the signs around a place.
    fn sign_width(&self, cell: Cell, grid: &Grid) -> u16 {
        let sign =
            piece_at(self.view, cell).map(|p| self.paint.sign(&p.face, self.tone(p.owner)).width() as u16);
        sign.unwrap_or(1).clamp(1, grid.piece)
    }

    fn is_chosen(&self, cell: Cell) -> bool {
        self.touched.contains(&cell) || self.marked("chosen", cell)
    }

    fn marked(&self, kind: &str, cell: Cell) -> bool {
        let ruled = self.view.ruling.iter().flat_map(|ruling| &ruling.marks);
        self.view.marks.iter().chain(ruled).any(|mark| mark.kind == kind && mark.cells.contains(&cell))
    }

    fn lesson(&self, cell: Cell) -> bool {
        self.lessons.iter().any(|mark| mark.cells.contains(&cell))
    }

    /// Returns true if the last move started from that cell.
    fn came_from(&self, cell: Cell) -> bool {
        !matches!(self.view.moves, Offered::Every(_)) && self.view.trail.first() == Some(&cell)
    }
}

/// Draws a ring or a disc as high as its square; a king has a crown.
fn disc(grid: &Grid, canvas: &mut Buffer, cell: Cell, king: bool, light: bool, style: Style) {
    let (file, row) = grid.seen(cell);
    let (x, y) = grid.corner(file, row);
    let rows: &[&str] = match (light, grid.dy > 2 && grid.dx > 6) {
        (true, false) => &["╭─╮", "╰─╯"],
        (false, false) => &["▗▄▖", "▝▀▘"],
        (true, true) => &["╭───╮", "│   │", "╰───╯"],
        (false, true) => &["▗▄▄▄▖", "█████", "▝▀▀▀▘"],
    };
    let wide = rows[0].chars().count() as u16;
    let (x, y) = (x + (grid.dx - wide) / 2, y + (grid.dy - rows.len() as u16) / 2);
    for (i, row) in (0..).zip(rows) {
        put(canvas, x, y + i, row, style);
    }
    if king {
        let high = rows.len() as u16;
        let (sign, style) =
            if light { ("♕", style) } else { ("♛", style.add_modifier(Modifier::REVERSED)) };
        put(canvas, x + wide / 2, y + (high - 1) / 2, sign, style);
    }
}

/// Returns the longest prefix of `text` that fits into `columns` columns.
fn fitted(text: &str, columns: usize) -> String {
    let mut used = 0;
    let fits = |c: &char| {
        used += unicode_width::UnicodeWidthChar::width(*c).unwrap_or(0);
        used <= columns
    };
    text.chars().take_while(fits).collect()
}
