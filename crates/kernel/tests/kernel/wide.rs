//! A game with [`WIDE`] moves in every position, which overrides nothing that has a default.

use kernel::{Board, Cell, Diagram, Lines, Names, Notation, Outcome, Position, Problem, Side};

/// The number of moves of each position: enough that four plies are more paths than are counted in one go.
pub const WIDE: u64 = 120;

#[derive(Clone, Debug)]
pub struct Wide(u64);

impl Wide {
    pub fn start() -> Self {
        Wide(0)
    }
}

impl Position for Wide {
    type Move = Cell;

    fn turn(&self) -> Side {
        Side::BOTH[(self.0 % 2) as usize]
    }

    fn moves(&self, out: &mut Vec<Cell>) {
        out.extend(0..WIDE as Cell);
    }

    fn play(&mut self, m: Cell) {
        // The turn is the lowest bit.
        self.0 = (self.0 + u64::from(m) * 2) * 2 + 1 - self.0 % 2;
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn key(&self) -> u64 {
        self.0
    }

    fn reversible(&self) -> usize {
        0
    }

    fn count_after(&self, moves: &[Cell]) -> u64 {
        moves.len() as u64 * WIDE
    }
}

impl Notation for Wide {
    fn read_fen(&self, fen: &str) -> Result<Self, Problem> {
        fen.parse().map(Wide).map_err(|_| Problem::new("bad-fen"))
    }

    fn fen(&self) -> String {
        self.0.to_string()
    }

    fn move_text(&self, m: Cell) -> String {
        self.board().name(m)
    }

    fn read_move(&self, text: &str) -> Option<Cell> {
        self.board().cell_named(text)
    }

    fn path(&self, m: Cell) -> Vec<Cell> {
        vec![m]
    }

    fn board(&self) -> Board {
        Board::new(Lines::Cells, WIDE as u8, 1, Names::NUMBERS)
    }

    fn diagram(&self) -> Diagram {
        Diagram::default()
    }
}
