//! Layout of a board on its canvas: the position of each place.

use kernel::{Board, Cell, Lines, NamesKind};

/// The ways to label files and ranks beside a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Naming {
    /// Labels are omitted: places have numbers inside them.
    #[default]
    Inside,
    /// Letters below, numbers at the left.
    Letters,
    /// Numbers above and at the left.
    Pairs,
    /// Labels of the files only, which each player counts from the right, in digits for both.
    Files,
    /// Labels of the files only, in Chinese numerals for the first player and in digits for the second.
    ChineseFiles,
}

impl Naming {
    /// Returns the labels that fit the notation in use.
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

/// The dimensions of a drawn board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    pub lines: Lines,
    pub files: u16,
    pub ranks: u16,
    /// The distance in columns from one place to the next.
    pub dx: u16,
    pub dy: u16,
    /// The width of a piece, in columns.
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
    /// Returns the largest grid that fits into `room`, columns and rows; the smallest grid if none fits.
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

    /// Returns the total size in columns and rows, labels included.
    pub fn size(&self) -> (u16, u16) {
        let (width, height) = match self.lines {
            // A column on each side is for the signs around a piece at the edge.
            Lines::Points => ((self.files - 1) * self.dx + self.piece + 1, (self.ranks - 1) * self.dy + 1),
            Lines::Cells => (self.files * self.dx, self.ranks * self.dy),
        };
        (self.left() + width, self.above() + height + self.below())
    }

    /// Returns the number of columns left of the board.
    pub fn left(&self) -> u16 {
        match self.naming {
            Naming::Letters | Naming::Pairs => 3,
            Naming::Files | Naming::ChineseFiles => 1,
            Naming::Inside => 0,
        }
    }

    /// Returns the number of rows above the board.
    pub fn above(&self) -> u16 {
        matches!(self.naming, Naming::Files | Naming::ChineseFiles | Naming::Pairs).into()
    }

    /// Returns the number of rows below the board.
    pub fn below(&self) -> u16 {
        matches!(self.naming, Naming::Files | Naming::ChineseFiles | Naming::Letters).into()
    }

    /// Returns the column and row of a cell as the board is displayed, from the top left.
    pub fn seen(&self, cell: Cell) -> (u16, u16) {
        let (file, row) = (cell % self.files, cell / self.files);
        if self.flipped {
            (self.files - 1 - file.min(self.files - 1), (self.ranks - 1).saturating_sub(row))
        } else {
            (file, row.min(self.ranks - 1))
        }
    }

    /// Returns the cell displayed in that column and row.
    pub fn cell(&self, file: u16, row: u16) -> Cell {
        if self.flipped {
            (self.ranks - 1 - row) * self.files + self.files - 1 - file
        } else {
            row * self.files + file
        }
    }

    /// Returns the canvas position of a place's corner; on a board of lines, of the point itself.
    pub fn corner(&self, file: u16, row: u16) -> (u16, u16) {
        (self.left() + file * self.dx, self.above() + row * self.dy)
    }

    /// Returns the canvas position of the first column of a piece on that cell.
    pub fn anchor(&self, cell: Cell) -> (u16, u16) {
        let (file, row) = self.seen(cell);
        let (x, y) = self.corner(file, row);
        match self.lines {
            Lines::Points => (x, y),
            Lines::Cells => (x + (self.dx - self.piece.min(self.dx)) / 2, y + self.dy / 2),
        }
    }

    /// Returns the place drawn at that column and row of the canvas.
    pub fn cell_at(&self, x: u16, y: u16) -> Option<Cell> {
        let half = match self.lines {
            Lines::Points => (self.dx.saturating_sub(self.piece) / 2, (self.dy - 1) / 2),
            Lines::Cells => (0, 0),
        };
        let file = (x + half.0).checked_sub(self.left())? / self.dx;
        let row = (y + half.1).checked_sub(self.above())? / self.dy;
        (file < self.files && row < self.ranks).then(|| self.cell(file, row))
    }

    /// Returns the scroll offset that centres the cell in a window of that size, as far as the board allows.
    pub fn scroll_to(&self, cell: Cell, window: (u16, u16)) -> (u16, u16) {
        let (width, height) = self.size();
        let (x, y) = self.anchor(cell);
        let along = |at: u16, window: u16, whole: u16| {
            at.saturating_sub(window / 2).min(whole.saturating_sub(window))
        };
        (along(x, window.0, width), along(y, window.1, height))
    }
}
