// Noughts and crosses: the game that the examples in the kernel's documentation play. They include this file, so that
// each shows only what it is about.
//
//     3  . . .     A position is written from the top left, `x` for the first player, `o` for the second,
//     2  . x .     `.` for an empty cell: `....x....`. The first player moves first.
//     1  . . .
//        a b c

use kernel::{Board, Cell, Diagram, Lines, Names, Notation, Outcome, Piece, Position, Problem, Side};

/// The eight rows of three.
const ROWS: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// A position of noughts and crosses.
#[derive(Clone, Debug, Default)]
pub struct Noughts([Option<Side>; 9]);

impl Noughts {
    fn stones(&self) -> usize {
        self.0.iter().flatten().count()
    }
}

impl Position for Noughts {
    type Move = Cell;

    fn turn(&self) -> Side {
        Side::BOTH[self.stones() % 2]
    }

    fn moves(&self, out: &mut Vec<Cell>) {
        if self.outcome().is_none() {
            out.extend((0..9).filter(|&cell| self.0[usize::from(cell)].is_none()));
        }
    }

    fn play(&mut self, cell: Cell) {
        self.0[usize::from(cell)] = Some(self.turn());
    }

    fn outcome(&self) -> Option<Outcome> {
        let row = ROWS
            .into_iter()
            .find(|row| self.0[row[0]].is_some() && row.iter().all(|&c| self.0[c] == self.0[row[0]]));
        let won = row.and_then(|row| self.0[row[0]]).map(|side| Outcome::Win(side, "three-in-a-row"));
        won.or((self.stones() == 9).then_some(Outcome::Draw("board-full")))
    }

    fn key(&self) -> u64 {
        self.0.iter().fold(0, |key, cell| key * 3 + cell.map_or(0, |side| side.index() as u64 + 1))
    }

    fn reversible(&self) -> usize {
        0
    }
}

impl Notation for Noughts {
    fn read_fen(&self, fen: &str) -> Result<Self, Problem> {
        let cell = |c| match c {
            'x' => Ok(Some(Side::First)),
            'o' => Ok(Some(Side::Second)),
            '.' => Ok(None),
            other => Err(Problem::new("bad-fen").with("found", other)),
        };
        let cells: Vec<_> = fen.chars().take(10).map(cell).collect::<Result<_, _>>()?;
        cells.try_into().map(Noughts).map_err(|_| Problem::new("bad-fen").with("cells", 9))
    }

    fn fen(&self) -> String {
        self.0.iter().map(|cell| cell.map_or('.', |side| ['x', 'o'][side.index()])).collect()
    }

    fn move_text(&self, cell: Cell) -> String {
        self.board().name(cell)
    }

    fn read_move(&self, text: &str) -> Option<Cell> {
        let cell = self.board().cell_named(text)?;
        (self.outcome().is_none() && self.0[usize::from(cell)].is_none()).then_some(cell)
    }

    fn path(&self, cell: Cell) -> Vec<Cell> {
        vec![cell]
    }

    fn fills_any_cell(&self) -> bool {
        true
    }

    fn board(&self) -> Board {
        Board::new(Lines::Cells, 3, 3, Names::letters_up(1))
    }

    fn diagram(&self) -> Diagram {
        let piece = |(at, cell): (usize, &Option<Side>)| {
            cell.map(|side| Piece { at: at as Cell, owner: Some(side), face: "stone".into() })
        };
        Diagram { pieces: self.0.iter().enumerate().filter_map(piece).collect(), marks: Vec::new() }
    }

    fn actions(&self) -> u32 {
        9
    }

    fn action(&self, cell: Cell) -> u32 {
        cell.into()
    }

    fn palette(&self) -> Vec<(Side, std::borrow::Cow<'static, str>)> {
        Side::BOTH.map(|side| (side, "stone".into())).to_vec()
    }

    fn set_up(&self, turn: Side, pieces: &[Piece]) -> Result<Self, Problem> {
        let mut noughts = Noughts::default();
        for piece in pieces {
            noughts.0[usize::from(piece.at)] = piece.owner;
        }
        if noughts.turn() == turn { Ok(noughts) } else { Err(Problem::new("wrong-turn")) }
    }
}
