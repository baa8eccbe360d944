//! A board in a terminal, for any game: the drawing depends on the board and the view alone, never on the game.
//!
//! [`grid`] computes the position of each place, `ground` draws lines or squares, `pieces` draws pieces and marks.
//! All of it is drawn on a canvas as large as the board and copied from there, so that a large board scrolls.

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

/// A board and the settings of its display.
pub(crate) struct Look<'a> {
    pub board: &'a Board,
    pub view: &'a View,
    /// The name of each side's colour.
    pub tones: [&'a str; 2],
    pub paint: Paint,
    /// The notation in use, which decides the labels of the files.
    pub notation: &'a str,
    pub cursor: Option<Cell>,
    pub touched: &'a [Cell],
    pub targets: &'a [Target],
    /// The marks of the lessons (threats and the like), while they are shown.
    pub lessons: &'a [kernel::Mark],
    /// Set if the board is shown from the second player's side.
    pub flipped: bool,
}

/// The place of a drawn board on the screen, for mouse input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawn {
    pub grid: Grid,
    /// The area of the screen that shows the board.
    pub area: Rect,
    /// The scroll offset, in columns and rows.
    pub scroll: (u16, u16),
}

impl Drawn {
    /// Returns the place at that column and row of the screen.
    pub fn cell_at(&self, column: u16, row: u16) -> Option<Cell> {
        if !self.area.contains(Position { x: column, y: row }) {
            return None;
        }
        self.grid.cell_at(column - self.area.x + self.scroll.0, row - self.area.y + self.scroll.1)
    }

    /// Returns the screen position of that place; `None` if it is scrolled out of view.
    pub fn position(&self, cell: Cell) -> Option<Position> {
        let (x, y) = self.grid.anchor(cell);
        let (x, y) = (x.checked_sub(self.scroll.0)?, y.checked_sub(self.scroll.1)?);
        (x < self.area.width && y < self.area.height)
            .then(|| Position { x: self.area.x + x, y: self.area.y + y })
    }
}

impl Look<'_> {
    /// Returns the largest grid that fits into `area`.
    pub fn grid(&self, area: Rect) -> Grid {
        Grid::fitting(self.board, self.names_width(), self.naming(), self.flipped, (area.width, area.height))
    }

    /// Draws the board in the middle of `area`; a board that does not fit is scrolled to the cursor.
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

    /// Returns the kind of labels beside the board.
    fn naming(&self) -> grid::Naming {
        grid::Naming::of(self.board, self.notation)
    }

    /// Returns the width of the widest piece, in columns.
    fn names_width(&self) -> u16 {
        let tone = |p: &wire::Piece| self.tone(p.owner);
        let widths = self.view.pieces.iter().map(|p| self.paint.sign(&p.face, tone(p)).width() as u16);
        let wide = self.view.pieces.iter().any(|p| crate::paint::is_character(&p.face));
        widths.max().unwrap_or(1).max(if wide || !self.board.decor.is_empty() { 2 } else { 1 }).min(8)
    }

    /// Returns the name of the colour of a side's pieces.
    pub fn tone(&self, owner: Option<wire::Side>) -> &str {
        match owner {
            Some(side) => self.tones[side.index() ^ usize::from(self.view.swapped)],
            None => "",
        }
    }
}

/// Copies the part of a canvas that begins at `scroll`; a character cut in two is replaced by a space.
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
