//! Drawing of a board's lines or squares and its labels.

use kernel::{Cell, Decor, Lines};
use ratatui::buffer::Buffer;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::grid::Naming;
use super::{Grid, Look};
use crate::paint::{Depth, Role, Theme};

/// Chinese numerals for the files of a board.
const FIGURES: [&str; 10] = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十"];
/// The text in the river of a xiangqi board, left and right.
const RIVER: [&str; 2] = ["楚 河", "漢 界"];

/// The characters that lines are drawn with.
struct Signs {
    across: &'static str,
    down: &'static str,
    /// The character of a diagonal that goes down to the right.
    falls: &'static str,
    rises: &'static str,
    star: &'static str,
}

const BOX: Signs = Signs { across: "─", down: "│", falls: "╲", rises: "╱", star: "•" };
const PLAIN: Signs = Signs { across: "-", down: "|", falls: "\\", rises: "/", star: "*" };

impl Look<'_> {
    /// Draws the parts of the board that no move changes: lines or squares, and labels.
    pub(super) fn ground(&self, grid: &Grid, canvas: &mut Buffer) {
        match grid.lines {
            Lines::Points => self.lines(grid, canvas),
            Lines::Cells => self.squares(grid, canvas),
        }
        self.names(grid, canvas);
    }

    fn has_boxes(&self) -> bool {
        matches!(self.paint.theme, Theme::Wide | Theme::Contrast)
    }

    fn lines(&self, grid: &Grid, canvas: &mut Buffer) {
        let signs = if self.has_boxes() { BOX } else { PLAIN };
        let style = if self.paint.has_ground() { self.paint.style(Role::Line) } else { Style::new() };
        let rivers = self.rivers(grid);
        let (left, top) = grid.corner(0, 0);
        let (right, bottom) = grid.corner(grid.files - 1, grid.ranks - 1);
        for y in top..=bottom {
            for x in left.saturating_sub(1)..right + grid.piece + 1 {
                if let Some(cell) = canvas.cell_mut((x, y)) {
                    cell.set_style(style);
                }
            }
        }
        for row in 0..grid.ranks {
            for file in 0..grid.files {
                let (x, y) = grid.corner(file, row);
                put(canvas, x, y, self.crossing(grid, &rivers, file, row), style);
                if file + 1 < grid.files {
                    (1..grid.dx).for_each(|i| put(canvas, x + i, y, signs.across, style));
                }
                if row + 1 < grid.ranks && !cut(grid, &rivers, file, row) {
                    (1..grid.dy).for_each(|i| put(canvas, x, y + i, signs.down, style));
                }
            }
        }
        for &star in &self.board.stars {
            let (x, y) = grid.anchor(star);
            put(canvas, x, y, signs.star, style);
        }
        for decor in &self.board.decor {
            if let Decor::Line { from, to } = *decor {
                diagonal(grid, canvas, from, to, &signs, style);
            }
        }
        if self.has_boxes() {
            rivers.iter().for_each(|&row| self.river(grid, canvas, row, style));
        }
    }

    /// Returns the displayed rows below which a river flows.
    fn rivers(&self, grid: &Grid) -> Vec<u16> {
        let row = |decor: &Decor| match decor {
            Decor::River { after_row } if grid.flipped => (grid.ranks).checked_sub(2 + u16::from(*after_row)),
            Decor::River { after_row } => Some(u16::from(*after_row)),
            _ => None,
        };
        self.board.decor.iter().filter_map(row).collect()
    }

    fn river(&self, grid: &Grid, canvas: &mut Buffer, row: u16, style: Style) {
        if grid.dy < 2 {
            return;
        }
        let (_, y) = grid.corner(0, row);
        let y = y + grid.dy.div_ceil(2);
        for (quarter, text) in [(1, RIVER[0]), (3, RIVER[1])] {
            let (middle, _) = grid.corner(0, 0);
            let middle = middle + (grid.files - 1) * grid.dx * quarter / 4;
            put(canvas, middle.saturating_sub(text.width() as u16 / 2), y, text, style);
        }
    }

    fn crossing(&self, grid: &Grid, rivers: &[u16], file: u16, row: u16) -> &'static str {
        if !self.has_boxes() {
            return "+";
        }
        let up = row > 0 && !cut(grid, rivers, file, row - 1);
        let down = row + 1 < grid.ranks && !cut(grid, rivers, file, row);
        match (up, down, file > 0, file + 1 < grid.files) {
            (true, true, true, true) => "┼",
            (true, true, true, false) => "┤",
            (true, true, false, true) => "├",
            (true, false, true, true) => "┴",
            (false, true, true, true) => "┬",
            (true, false, false, true) => "└",
            (true, false, true, false) => "┘",
            (false, true, false, true) => "┌",
            (false, true, true, false) => "┐",
            (_, _, true, _) | (_, _, _, true) => "─",
            _ => "│",
        }
    }

    fn squares(&self, grid: &Grid, canvas: &mut Buffer) {
        for row in 0..grid.ranks {
            for file in 0..grid.files {
                let cell = grid.cell(file, row);
                let (x, y) = grid.corner(file, row);
                let style = self.square(cell);
                for i in 0..grid.dx {
                    (0..grid.dy).for_each(|j| put(canvas, x + i, y + j, " ", style));
                }
                let place = self.board.is_place(cell);
                let unpainted = self.paint.depth == Depth::None || self.paint.is_ascii();
                if place && unpainted {
                    put(
                        canvas,
                        x + grid.dx / 2,
                        y + grid.dy / 2,
                        if self.paint.is_ascii() { "." } else { "·" },
                        style,
                    );
                }
                let bare = crate::walk::piece_at(self.view, cell).is_none();
                if place && bare && grid.naming == Naming::Inside && grid.dy > 1 {
                    put(canvas, x, y, &self.board.name(cell), style);
                }
            }
        }
    }

    /// Returns the background of a square: two shades, alternating as on a chessboard if the board has no gaps.
    pub(super) fn square(&self, cell: Cell) -> Style {
        if self.board.lines == Lines::Points {
            return if self.paint.has_ground() { self.paint.style(Role::Ground) } else { Style::new() };
        }
        let files = Cell::from(self.board.files);
        let dark = match self.board.gaps.is_empty() {
            true => (cell % files + cell / files) % 2 == 1,
            false => self.board.is_place(cell),
        };
        self.paint.style(if dark { Role::Square } else { Role::Between })
    }

    fn names(&self, grid: &Grid, canvas: &mut Buffer) {
        let style = self.paint.style(Role::Label);
        let (_, height) = grid.size();
        let last = height - 1;
        for seen in 0..grid.files {
            let (x, _) = grid.corner(seen, 0);
            let file = grid.cell(seen, 0) % grid.files;
            let mine = usize::from(grid.files - 1 - file);
            let middle = if grid.lines == Lines::Cells { (grid.dx - 1) / 2 } else { 0 };
            let digits = |n: usize| (n + 1).to_string();
            let figure = |n: usize| FIGURES.get(n).map_or_else(|| digits(n), |f| (*f).to_owned());
            let (above, below) = match grid.naming {
                Naming::Inside => continue,
                Naming::Letters => (None, Some(char::from(b'a' + file.min(25) as u8).to_string())),
                Naming::Pairs => (Some(digits(file.into())), None),
                Naming::Files => (Some(digits(file.into())), Some(digits(mine))),
                Naming::ChineseFiles => (Some(digits(file.into())), Some(figure(mine))),
            };
            let (above, below) = if grid.flipped && grid.above() + grid.below() == 2 {
                (below, above)
            } else {
                (above, below)
            };
            if let Some(name) = above {
                put(canvas, x + middle, 0, &name, style);
            }
            if let Some(name) = below {
                put(canvas, x + middle, last, &name, style);
            }
        }
        if matches!(grid.naming, Naming::Letters | Naming::Pairs) {
            for seen in 0..grid.ranks {
                let name = self.rank_name(grid, grid.cell(0, seen));
                let (_, y) = grid.anchor(grid.cell(0, seen));
                put(canvas, 0, y, &format!("{name:>2}"), style);
            }
        }
    }

    fn rank_name(&self, grid: &Grid, cell: Cell) -> String {
        if grid.naming == Naming::Pairs {
            return (cell / grid.files + 1).to_string();
        }
        self.board.name(cell).trim_start_matches(|c: char| c.is_ascii_alphabetic()).to_owned()
    }
}

/// Returns true if the vertical line of that file stops below that row, at a river.
fn cut(grid: &Grid, rivers: &[u16], file: u16, row: u16) -> bool {
    rivers.contains(&row) && file > 0 && file + 1 < grid.files
}

/// Draws a diagonal line between two places, except where it meets another line.
fn diagonal(grid: &Grid, canvas: &mut Buffer, from: Cell, to: Cell, signs: &Signs, style: Style) {
    let ((x0, y0), (x1, y1)) = (grid.anchor(from), grid.anchor(to));
    let ((x0, y0), (x1, y1)) = if y0 <= y1 { ((x0, y0), (x1, y1)) } else { ((x1, y1), (x0, y0)) };
    let (wide, high) = (i32::from(x1) - i32::from(x0), i32::from(y1) - i32::from(y0));
    let sign = if wide > 0 { signs.falls } else { signs.rises };
    for step in 1..high {
        let x = i32::from(x0) + wide * step / high;
        let y = i32::from(y0) + step;
        let on_a_line = (y - i32::from(grid.above())) % i32::from(grid.dy) == 0;
        if !on_a_line && x >= 0 {
            put(canvas, x as u16, y as u16, sign, style);
        }
    }
}

/// Writes text on a canvas; parts outside are clipped.
pub(super) fn put(canvas: &mut Buffer, x: u16, y: u16, text: &str, style: Style) {
    if x < canvas.area.width && y < canvas.area.height {
        canvas.set_stringn(x, y, text, usize::from(canvas.area.width - x), style);
    }
}
