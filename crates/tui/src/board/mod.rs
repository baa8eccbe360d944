//! A board in a terminal, for any game: what is drawn is decided by the board and the view, never by which game it is.
//!
//! [`grid`] says where each place is, `ground` draws lines or squares, `pieces` what stands there and the signs around
//! it. All of it is drawn on a canvas as large as the board and copied from there, so that a large board scrolls.

mod grid;
mod ground;
mod pieces;

use kernel::{Board, Cell};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use unicode_width::UnicodeWidthStr;
use wire::View;

pub(crate) use grid::Grid;

use crate::paint::Paint;
use crate::walk::Target;

/// A board and how it is looked at.
pub(crate) struct Look<'a> {
    pub board: &'a Board,
    pub view: &'a View,
    /// What each side's colour is called.
    pub tones: [&'a str; 2],
    pub paint: Paint,
    /// The notation that moves are read in, which decides how files are named.
    pub notation: &'a str,
    pub cursor: Option<Cell>,
    pub touched: &'a [Cell],
    pub targets: &'a [Target],
    /// What a teacher points at.
    pub lessons: &'a [kernel::Mark],
    /// Seen from the other side.
    pub flipped: bool,
}

/// Where a board was drawn, for the mouse.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawn {
    pub grid: Grid,
    /// Where it is on the screen.
    pub area: Rect,
    /// How far it is scrolled.
    pub scroll: (u16, u16),
}

impl Drawn {
    /// The place under that column and row of the screen.
    pub fn cell_at(&self, column: u16, row: u16) -> Option<Cell> {
        if !self.area.contains(Position { x: column, y: row }) {
            return None;
        }
        self.grid.cell_at(column - self.area.x + self.scroll.0, row - self.area.y + self.scroll.1)
    }

    /// Where that place is on the screen; `None` when it is scrolled away.
    pub fn position(&self, cell: Cell) -> Option<Position> {
        let (x, y) = self.grid.anchor(cell);
        let (x, y) = (x.checked_sub(self.scroll.0)?, y.checked_sub(self.scroll.1)?);
        (x < self.area.width && y < self.area.height)
            .then(|| Position { x: self.area.x + x, y: self.area.y + y })
    }
}

impl Look<'_> {
    /// As large as fits into `area`.
    pub fn grid(&self, area: Rect) -> Grid {
        Grid::fitting(self.board, self.names_width(), self.naming(), self.flipped, (area.width, area.height))
    }

    /// Draws the board in the middle of `area`; what does not fit is scrolled to where the cursor is.
    pub fn draw(&self, area: Rect, screen: &mut Buffer) -> Drawn {
        let grid = self.grid(area);
        let (width, height) = grid.size();
        let mut canvas = Buffer::empty(Rect::new(0, 0, width, height));
        self.ground(&grid, &mut canvas);
        self.pieces(&grid, &mut canvas);
        let shown = Rect {
            x: area.x + area.width.saturating_sub(width) / 2,
            y: area.y,
            width: width.min(area.width),
            height: height.min(area.height),
        };
        let scroll = self.cursor.map_or((0, 0), |cell| grid.scroll_to(cell, (shown.width, shown.height)));
        copy(&canvas, scroll, screen, shown);
        Drawn { grid, area: shown, scroll }
    }

    /// How a board's files and ranks are named beside it.
    fn naming(&self) -> grid::Naming {
        grid::Naming::of(self.board, self.notation)
    }

    /// Columns of the widest piece.
    fn names_width(&self) -> u16 {
        let tone = |p: &wire::Piece| self.tone(p.owner);
        let widths = self.view.pieces.iter().map(|p| self.paint.sign(&p.face, tone(p)).width() as u16);
        let wide = self.view.pieces.iter().any(|p| crate::paint::is_character(&p.face));
        widths.max().unwrap_or(1).max(if wide || !self.board.decor.is_empty() { 2 } else { 1 }).min(8)
    }

    /// The colour of a side's pieces.
    pub fn tone(&self, owner: Option<wire::Side>) -> &str {
        match owner {
            Some(side) => self.tones[side.index() ^ usize::from(self.view.swapped)],
            None => "",
        }
    }
}

/// Copies the part of a canvas that begins at `scroll`; a character cut in two is left out.
fn copy(canvas: &Buffer, scroll: (u16, u16), screen: &mut Buffer, area: Rect) {
    let (width, height) = (canvas.area.width, canvas.area.height);
    for y in 0..area.height {
        for x in 0..area.width {
            let (from_x, from_y) = (x + scroll.0, y + scroll.1);
            if from_x >= width || from_y >= height {
                continue;
            }
            let cell = canvas[(from_x, from_y)].clone();
            let cut = x + 1 == area.width && cell.symbol().width() > 1;
            let Some(place) = screen.cell_mut((area.x + x, area.y + y)) else { continue };
            *place = cell;
            if cut {
                place.set_symbol(" ");
            }
        }
    }
}
