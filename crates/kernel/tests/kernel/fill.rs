//! Three cells and two colours: the side that fills the last cell wins. Every empty cell is a legal move, so a
//! view lists none of them.

use std::borrow::Cow;

use kernel::{
    Board, Cell, Diagram, Fact, Lines, Mark, Names, Notation, Outcome, Piece, Position, Problem, Side,
};

#[derive(Clone, Debug)]
pub struct Fill {
    cells: [Option<Side>; 3],
    /// A flaw: there is a palette, and nothing can be set up with it.
    refuses_set_ups: bool,
    /// A flaw: this piece of the board is not the one that the palette has.
    face: &'static str,
}

impl Fill {
    pub fn start() -> Self {
        Fill { cells: [None; 3], refuses_set_ups: false, face: "stone" }
    }

    pub fn refusing_set_ups() -> Self {
        Fill { refuses_set_ups: true, ..Fill::start() }
    }

    pub fn with_strange_pieces() -> Self {
        Fill { face: "rock", ..Fill::start() }
    }

    fn filled(&self) -> usize {
        self.cells.iter().flatten().count()
    }
}

impl Position for Fill {
    type Move = Cell;

    fn turn(&self) -> Side {
        Side::BOTH[self.filled() % 2]
    }

    fn moves(&self, out: &mut Vec<Cell>) {
        out.extend((0..3).filter(|&c| self.cells[usize::from(c)].is_none()));
    }

    fn uses_up(&self, _m: Cell) -> bool {
        true
    }

    fn play(&mut self, m: Cell) {
        self.cells[usize::from(m)] = Some(self.turn());
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.filled() == 3).then_some(Outcome::Win(Side::First, "full"))
    }

    fn key(&self) -> u64 {
        self.cells.iter().fold(0, |key, c| key * 3 + c.map_or(0, |side| side.index() as u64 + 1))
    }

    fn reversible(&self) -> usize {
        0
    }
}

impl Notation for Fill {
    fn read_fen(&self, fen: &str) -> Result<Self, Problem> {
        let cell = |c| match c {
            'x' => Ok(Some(Side::First)),
            'o' => Ok(Some(Side::Second)),
            '.' => Ok(None),
            other => Err(Problem::new("bad-fen").with("found", other)),
        };
        let cells: Vec<Option<Side>> = fen.chars().map(cell).collect::<Result<_, _>>()?;
        let cells = cells.try_into().map_err(|_| Problem::new("bad-fen").with("fen", fen))?;
        Ok(Fill { cells, ..self.clone() })
    }

    fn fen(&self) -> String {
        self.cells.iter().map(|c| c.map_or('.', |side| ['x', 'o'][side.index()])).collect()
    }

    fn move_text(&self, m: Cell) -> String {
        self.board().name(m)
    }

    fn read_move(&self, text: &str) -> Option<Cell> {
        let cell = self.board().cell_named(text)?;
        self.cells[usize::from(cell)].is_none().then_some(cell)
    }

    fn refusal(&self, text: &str) -> Problem {
        let key = if self.board().cell_named(text).is_some() { "cell-filled" } else { "no-such-cell" };
        Problem::new(key).with("move", text)
    }

    fn path(&self, m: Cell) -> Vec<Cell> {
        vec![m]
    }

    fn fills_any_cell(&self) -> bool {
        true
    }

    fn board(&self) -> Board {
        Board { stars: vec![1], ..Board::new(Lines::Points, 3, 1, Names::letters_up(1)) }
    }

    fn diagram(&self) -> Diagram {
        let piece = |(at, c): (usize, &Option<Side>)| {
            c.map(|side| Piece { at: at as Cell, owner: Some(side), face: self.face.into() })
        };
        Diagram { pieces: self.cells.iter().enumerate().filter_map(piece).collect(), marks: vec![] }
    }

    fn palette(&self) -> Vec<(Side, Cow<'static, str>)> {
        Side::BOTH.map(|side| (side, "stone".into())).to_vec()
    }

    fn set_up(&self, turn: Side, pieces: &[Piece]) -> Result<Self, Problem> {
        let mut filled = Fill { cells: [None; 3], ..self.clone() };
        for piece in pieces {
            filled.cells[usize::from(piece.at)] = piece.owner;
        }
        let stands = filled.turn() == turn && !self.refuses_set_ups;
        stands.then_some(filled).ok_or_else(|| Problem::new("no-set-up"))
    }

    fn texts(&self, m: Cell) -> Vec<(&'static str, String)> {
        vec![("number", (m + 1).to_string())]
    }

    fn lessons(&self) -> Vec<Mark> {
        vec![Mark { kind: "middle".into(), cells: vec![1] }]
    }

    fn diagram_texts(&self, fen: &str) -> Vec<(String, Vec<(&'static str, String)>)> {
        vec![(fen.to_owned(), vec![("number", "1".to_owned())])]
    }

    fn forbidden(&self) -> Vec<(String, &'static str)> {
        vec![("b1".to_string(), "bad-luck")]
    }

    fn facts(&self) -> Vec<(&'static str, Fact)> {
        vec![("filled", Fact::Count(self.filled() as i64))]
    }
}
