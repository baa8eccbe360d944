//! Cursor movement on a board, place by place. Gaps are skipped; the edges wrap round, as in the xiangqi program that
//! came before this project.

use kernel::{Board, Cell};

/// Returns the place `dx` to the right and `dy` down of `cell`, as the first player sees the board, wrapping round.
pub(crate) fn step(board: &Board, cell: Cell, dx: i32, dy: i32) -> Cell {
    let row = cell / Cell::from(board.files);
    let here = places(board, row);
    let at = here.iter().position(|&c| c == cell).unwrap_or(0);
    if dx != 0 {
        return here[wrapped(at, dx, here.len())];
    }
    let row = wrapped(usize::from(row), dy, usize::from(board.ranks)) as Cell;
    let above = row * Cell::from(board.files) + cell % Cell::from(board.files);
    if board.is_place(above) {
        return above;
    }
    let there = places(board, row);
    there.get(at).or(there.last()).copied().unwrap_or(cell)
}

/// Returns the initial place of the cursor: the top left as the player sees the board, or the middle of an empty
/// board.
pub(crate) fn home(board: &Board, empty: bool, flipped: bool) -> Cell {
    let cells = Cell::from(board.files) * Cell::from(board.ranks);
    if empty {
        let middle = board.cell(board.files / 2, board.ranks / 2);
        return if board.is_place(middle) { middle } else { step(board, middle, 1, 0) };
    }
    let mut all: Box<dyn Iterator<Item = Cell>> =
        if flipped { Box::new((0..cells).rev()) } else { Box::new(0..cells) };
    all.find(|&cell| board.is_place(cell)).unwrap_or(0)
}

fn wrapped(at: usize, by: i32, of: usize) -> usize {
    (at as i32 + by).rem_euclid(of.max(1) as i32) as usize
}

fn places(board: &Board, row: Cell) -> Vec<Cell> {
    let first = row * Cell::from(board.files);
    (first..first + Cell::from(board.files)).filter(|&cell| board.is_place(cell)).collect()
}
