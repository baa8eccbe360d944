//! The scene to be drawn: a board with its family, sides and theme.

use kernel::view::View;
use kernel::{Board, Cell, Decor, Lines, NamesKind, Side};

use crate::colours::{Colours, Theme};
use crate::faces::FaceSet;
use crate::paint::{self, Paint};
use crate::piece::Tone;

/// A cell of a board in units of a picture.
pub(crate) const UNIT: f32 = 100.0;
/// The margins around the cells, in units: without letters beside the board, and with.
const NARROW: f32 = 26.0;
const EVEN: f32 = 50.0;
/// The height of the pieces in a hand above or below the board, in units.
const HAND: f32 = 104.0;

/// A board without pieces, with all settings of its look.
pub struct Scene {
    pub(crate) board: Board,
    pub(crate) paint: &'static Paint,
    pub(crate) colours: Colours,
    pub(crate) theme: Theme,
    pub(crate) faces: FaceSet,
    sides: [String; 2],
    flipped: bool,
    named: bool,
}

impl Scene {
    /// The board of a game of `family`, whose sides are called `sides` (`red`, `black`, …), as the first player sees
    /// it.
    #[must_use]
    pub fn new(board: Board, family: &str, sides: [&str; 2], theme: Theme) -> Scene {
        let paint = paint::of(family);
        Scene {
            colours: Colours::of(&paint.name, theme),
            board,
            paint,
            theme,
            faces: FaceSet::default(),
            sides: sides.map(str::to_owned),
            flipped: false,
            named: true,
        }
    }

    /// Sets the faces of pieces that have faces.
    #[must_use]
    pub fn faces(self, faces: FaceSet) -> Scene {
        Scene { faces, ..self }
    }

    /// Turns the board, so that it is seen from the other side.
    #[must_use]
    pub fn flipped(self, flipped: bool) -> Scene {
        Scene { flipped, ..self }
    }

    /// Switches the names of places beside the board on or off.
    #[must_use]
    pub fn named(self, named: bool) -> Scene {
        Scene { named, ..self }
    }

    /// Returns true if letters stand beside the board; with numbers, they stand in its squares.
    pub(crate) fn has_letters(&self) -> bool {
        self.named && self.board.names.kind != NamesKind::Numbers
    }

    /// Returns true if numbers stand in the squares.
    pub(crate) fn has_numbers(&self) -> bool {
        self.named && self.board.names.kind == NamesKind::Numbers
    }

    pub(crate) fn margin(&self) -> f32 {
        if self.has_letters() { EVEN } else { NARROW }
    }

    /// Returns the height of a row beside the board for the pieces in a hand, in units; 0 in games without hands.
    fn hand_height(&self) -> f32 {
        if self.board.hands.is_some() { HAND } else { 0.0 }
    }

    /// Returns the height of the tips of hexagons that reach out of their rows, in units.
    fn tips(&self) -> f32 {
        if self.board.hex { 13.0 } else { 0.0 }
    }

    /// Returns the distance of the cells from the upper edge, in units.
    pub(crate) fn top(&self) -> f32 {
        self.margin() + self.hand_height() + self.tips()
    }

    /// Returns the y of the letters under the board, in units.
    pub(crate) fn letters_y(&self) -> f32 {
        self.size().1 - self.hand_height() - 14.0
    }

    /// Returns the middles of `count` pieces in the hand of a side, in units; closer together where many have to stand
    /// side by side.
    pub(crate) fn in_hand(&self, side: Side, count: usize) -> impl Iterator<Item = (f32, f32)> + use<> {
        let (width, height) = self.size();
        let is_below = (self.board.hands == Some(side)) != self.flipped;
        let y = if is_below { height - HAND / 2.0 } else { HAND / 2.0 };
        let step = (HAND - 8.0).min((width - 2.0 * self.margin()) / count.max(1) as f32);
        let first = (width - step * (count as f32 - 1.0)) / 2.0;
        (0..count).map(move |i| (first + step * i as f32, y))
    }

    /// Returns the width and the height in units.
    pub(crate) fn size(&self) -> (f32, f32) {
        let around = 2.0 * self.margin();
        let slant =
            if self.board.hex { f32::from(self.board.ranks.saturating_sub(1)) * UNIT / 2.0 } else { 0.0 };
        let width = f32::from(self.board.files) * UNIT + slant + around;
        let hands = 2.0 * self.hand_height();
        (width, f32::from(self.board.ranks) * self.row_height() + around + hands + 2.0 * self.tips())
    }

    pub(crate) fn is_flipped(&self) -> bool {
        self.flipped
    }

    /// Returns the height of a row, in units: rows of hexagons reach into each other.
    fn row_height(&self) -> f32 {
        if self.board.hex { 87.0 } else { UNIT }
    }

    /// Returns true if the board is no plain rectangle of squares or lines: it has hexagons, terrain or missing cells.
    pub(crate) fn is_shaped(&self) -> bool {
        let board = &self.board;
        board.hex
            || !board.terrain.is_empty()
            || (!board.gaps.is_empty() && board.names.kind == NamesKind::Pairs)
    }

    /// Returns the middle of a cell, in units.
    pub(crate) fn middle(&self, cell: Cell) -> (f32, f32) {
        let row = self.row(cell);
        let shown = if self.flipped { self.board.ranks - 1 - row } else { row };
        let slant = if self.board.hex { f32::from(shown) * UNIT / 2.0 } else { 0.0 };
        (self.file_x(self.file(cell)) + slant, self.row_y(row))
    }

    pub(crate) fn file(&self, cell: Cell) -> u8 {
        (cell % Cell::from(self.board.files)) as u8
    }

    pub(crate) fn row(&self, cell: Cell) -> u8 {
        (cell / Cell::from(self.board.files)) as u8
    }

    pub(crate) fn file_x(&self, file: u8) -> f32 {
        let shown = if self.flipped { self.board.files - 1 - file } else { file };
        self.margin() + f32::from(shown) * UNIT + UNIT / 2.0
    }

    pub(crate) fn row_y(&self, row: u8) -> f32 {
        let shown = if self.flipped { self.board.ranks - 1 - row } else { row };
        self.top() + (f32::from(shown) + 0.5) * self.row_height()
    }

    pub(crate) fn has_squares(&self) -> bool {
        self.board.lines == Lines::Cells
    }

    /// Returns the row above the river.
    pub(crate) fn river(&self) -> Option<u8> {
        self.board.decor.iter().find_map(|decor| match decor {
            Decor::River { after_row } => Some(*after_row),
            _ => None,
        })
    }

    /// Returns the colour of a side. After a swap in an opening the players have each other's.
    pub(crate) fn tone(&self, side: Option<Side>, view: &View) -> Tone {
        let Some(side) = side else { return Tone::Nobody };
        let first = (side == Side::First) != view.swapped;
        match self.sides[usize::from(!first)].as_str() {
            "black" => Tone::Dark,
            "white" => Tone::Light,
            "red" => Tone::Red,
            "blue" => Tone::Blue,
            _ if first => Tone::Dark,
            _ => Tone::Light,
        }
    }
}
