//! Where each place of a board is on its canvas.

use kernel::{Board, Cell, Lines, NamesKind};

/// How files and ranks are named beside a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Naming {
    /// Not at all: places have numbers.
    #[default]
    Inside,
    /// Letters below, numbers at the left.
    Letters,
    /// Numbers above and at the left.
    Pairs,
    /// Files only, as each player counts them from the right: figures for both.
    Files,
    /// The same, with Chinese figures for the first player.
    ChineseFiles,
}

impl Naming {
    /// Which names fit the notation that moves are read in.
    pub fn of(board: &Board, notation: &str) -> Naming {
        match (board.names.kind, notation) {
            (NamesKind::Numbers, _) => Naming::Inside,
            (NamesKind::Pairs, _) => Naming::Pairs,
            (_, "chinese") => Naming::ChineseFiles,
            (_, "wxf") => Naming::Files,
            _ => Naming::Letters,
        }
    }
}

/// The measures of a drawn board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    pub lines: Lines,
    pub files: u16,
    pub ranks: u16,
    /// Columns and rows from one place to the next.
    pub dx: u16,
    pub dy: u16,
    /// Columns of a piece.
    pub piece: u16,
    pub naming: Naming,
    pub flipped: bool,
}

impl Default for Grid {
    fn default() -> Self {
        let (naming, flipped) = (Naming::Inside, false);
        Grid { lines: Lines::Cells, files: 1, ranks: 1, dx: 1, dy: 1, piece: 1, naming, flipped }
    }
}

impl Grid {
    /// The largest grid that fits into `room`, columns and rows; the smallest grid when none fits.
    pub fn fitting(board: &Board, piece: u16, naming: Naming, flipped: bool, room: (u16, u16)) -> Grid {
        let sizes: Vec<(u16, u16)> = match (board.lines, piece) {
            // The first is the size in which emacs-chess-cn draws: 28 lines of 50 columns.
            (Lines::Points, 2..) => vec![(6, 3), (6, 2), (4, 2), (4, 1)],
            (Lines::Points, _) => vec![(4, 2), (2, 1)],
            (Lines::Cells, 1) => vec![(7, 3), (5, 2), (3, 1)],
            (Lines::Cells, wide) => vec![(wide + 4, 3), (wide + 4, 2), (wide + 2, 1)],
        };
        let grid = |(dx, dy)| Grid {
            lines: board.lines,
            files: board.files.into(),
            ranks: board.ranks.into(),
            dx,
            dy,
            piece,
            naming,
            flipped,
        };
        let fits = |grid: &Grid| {
            let (width, height) = grid.size();
            width <= room.0 && height <= room.1
        };
        let last = grid(*sizes.last().expect("there is a smallest size"));
        sizes.into_iter().map(grid).find(fits).unwrap_or(last)
    }

    /// Columns and rows in all, names included.
    pub fn size(&self) -> (u16, u16) {
        let (width, height) = match self.lines {
            // A column on each side is for the signs around a piece at the edge.
            Lines::Points => ((self.files - 1) * self.dx + self.piece + 1, (self.ranks - 1) * self.dy + 1),
            Lines::Cells => (self.files * self.dx, self.ranks * self.dy),
        };
        (self.left() + width, self.above() + height + self.below())
    }

    /// Columns left of the board.
    pub fn left(&self) -> u16 {
        match self.naming {
            Naming::Letters | Naming::Pairs => 3,
            Naming::Files | Naming::ChineseFiles => 1,
            Naming::Inside => 0,
        }
    }

    /// Rows above the board.
    pub fn above(&self) -> u16 {
        matches!(self.naming, Naming::Files | Naming::ChineseFiles | Naming::Pairs).into()
    }

    /// Rows below the board.
    pub fn below(&self) -> u16 {
        matches!(self.naming, Naming::Files | Naming::ChineseFiles | Naming::Letters).into()
    }

    /// Column and row of the board as it is seen, from the top left.
    pub fn seen(&self, cell: Cell) -> (u16, u16) {
        let (file, row) = (cell % self.files, cell / self.files);
        if self.flipped {
            (self.files - 1 - file.min(self.files - 1), (self.ranks - 1).saturating_sub(row))
        } else {
            (file, row.min(self.ranks - 1))
        }
    }

    /// The cell that is seen in that column and row.
    pub fn cell(&self, file: u16, row: u16) -> Cell {
        if self.flipped {
            (self.ranks - 1 - row) * self.files + self.files - 1 - file
        } else {
            row * self.files + file
        }
    }

    /// The canvas position of the place's corner: of the point itself where there are lines.
    pub fn corner(&self, file: u16, row: u16) -> (u16, u16) {
        (self.left() + file * self.dx, self.above() + row * self.dy)
    }

    /// Where what stands on a cell is drawn: its first column, when it is as wide as a piece.
    pub fn anchor(&self, cell: Cell) -> (u16, u16) {
        let (file, row) = self.seen(cell);
        let (x, y) = self.corner(file, row);
        match self.lines {
            Lines::Points => (x, y),
            Lines::Cells => (x + (self.dx - self.piece.min(self.dx)) / 2, y + self.dy / 2),
        }
    }

    /// The place drawn at that column and row of the canvas.
    pub fn cell_at(&self, x: u16, y: u16) -> Option<Cell> {
        let half = match self.lines {
            Lines::Points => (self.dx.saturating_sub(self.piece) / 2, (self.dy - 1) / 2),
            Lines::Cells => (0, 0),
        };
        let file = (x + half.0).checked_sub(self.left())? / self.dx;
        let row = (y + half.1).checked_sub(self.above())? / self.dy;
        (file < self.files && row < self.ranks).then(|| self.cell(file, row))
    }

    /// How far a window of that size is scrolled so that the cell is well within it.
    pub fn scroll_to(&self, cell: Cell, window: (u16, u16)) -> (u16, u16) {
        let (width, height) = self.size();
        let (x, y) = self.anchor(cell);
        let along = |at: u16, window: u16, whole: u16| {
            at.saturating_sub(window / 2).min(whole.saturating_sub(window))
        };
        (along(x, window.0, width), along(y, window.1, height))
    }
}
