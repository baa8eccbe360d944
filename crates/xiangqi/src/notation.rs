//! Move text and picture of xiangqi.

use std::borrow::Cow;

use kernel::{
    Board, Cell, Counter, Decor, Diagram, Fact, Lines, Mark, Names, Notation, Position, Problem, Ruling, Side,
};

use crate::position::paint;
use crate::square::{FILES, ROWS, SQUARES};
use crate::text::{Script, Width};
use crate::{Kind, Move, Piece, Rules, Square, Xiangqi, fen, reading, ruling, set_up, text};

impl Notation for Xiangqi {
    fn read_fen(&self, text: &str) -> Result<Self, Problem> {
        let pos = fen::read(self, text)?;
        set_up::check(&pos).map(|()| pos)
    }

    fn fen(&self) -> String {
        fen::write(self)
    }

    fn move_text(&self, m: Move) -> String {
        m.to_string()
    }

    fn read_move(&self, text: &str) -> Option<Move> {
        reading::read(self, text)
    }

    fn refusal(&self, text: &str) -> Problem {
        reading::refusal(self, text)
    }

    fn notations(&self) -> &'static [&'static str] {
        &["chinese", "wxf", "iccs"]
    }

    fn texts(&self, m: Move) -> Vec<(&'static str, String)> {
        texts(self, m)
    }

    fn diagram_texts(&self, text: &str) -> Vec<(String, Vec<(&'static str, String)>)> {
        let Ok(drawn) = fen::read_drawn(text) else { return Vec::new() };
        drawn.moves().into_iter().map(|m| (m.to_string(), texts(&drawn, m))).collect()
    }

    fn ruling(line: &[Self], moves: &[Move]) -> Option<Ruling> {
        (line[0].rules() == Rules::Asian).then(|| ruling::explain(line, moves))
    }

    fn path(&self, m: Move) -> Vec<Cell> {
        vec![cell(m.from), cell(m.to)]
    }

    fn actions(&self) -> u32 {
        u32::from(SQUARES) * u32::from(SQUARES)
    }

    /// The square of departure times 90, and the square of arrival; squares from 0 at a9, row by row.
    fn action(&self, m: Move) -> u32 {
        u32::from(m.from.index()) * u32::from(SQUARES) + u32::from(m.to.index())
    }

    fn shifts(&self, m: Move) -> Vec<(Cell, Cell)> {
        vec![(cell(m.from), cell(m.to))]
    }

    fn board(&self) -> Board {
        let mut board = Board::new(Lines::Points, FILES, ROWS, Names::letters_up(0));
        let line = |from, to| Decor::Line { from, to };
        board.decor = vec![Decor::River { after_row: 4 }];
        for top in [0, 7] {
            board.decor.push(line(board.cell(3, top), board.cell(5, top + 2)));
            board.decor.push(line(board.cell(5, top), board.cell(3, top + 2)));
        }
        let cannons = [2, 7].into_iter().flat_map(|row| [1, 7].map(|file| (file, row)));
        let soldiers = [3, 6].into_iter().flat_map(|row| [0, 2, 4, 6, 8].map(|file| (file, row)));
        let stations =
            cannons.chain(soldiers).map(|(file, row)| Decor::Station { at: board.cell(file, row) });
        let stations: Vec<Decor> = stations.collect();
        board.decor.extend(stations);
        board
    }

    fn all_pieces(&self) -> Vec<kernel::Piece> {
        let pieces = self.occupied().iter().filter_map(|at| {
            let piece = self.piece_at(at)?;
            Some(kernel::Piece {
                at: cell(at),
                owner: Some(piece.side),
                face: Cow::Borrowed(piece.kind.face()),
            })
        });
        pieces.collect()
    }

    fn diagram(&self) -> Diagram {
        let checked = |side: Side| self.general(side).filter(|_| self.in_check(side)).map(cell);
        let checked: Vec<Cell> = Side::BOTH.into_iter().filter_map(checked).collect();
        let mark = (!checked.is_empty()).then_some(Mark { kind: "check".into(), cells: checked });
        Diagram { pieces: self.all_pieces(), marks: mark.into_iter().collect() }
    }

    /// Returns the count of moves without a capture, from half way to the limit.
    fn counters(&self) -> Vec<Counter> {
        let Some(limit) = self.idle_limit().filter(|limit| self.idle() * 2 >= *limit) else {
            return Vec::new();
        };
        let (now, limit) = (u32::from(self.idle()), u32::from(limit));
        vec![Counter { key: "natural-limit".into(), side: None, now, limit }]
    }

    /// Returns a note if the side to move is in check; none under the home rules, which do not demand an answer.
    fn notes(&self) -> Vec<Problem> {
        let checkers = self.checkers(self.turn());
        if self.rules() == Rules::Home || checkers.is_empty() {
            return Vec::new();
        }
        let from: Vec<String> = checkers.iter().map(|at| at.to_string()).collect();
        vec![Problem::new("in-check").with("side", paint(self.turn())).with("from", from.join(" "))]
    }

    fn facts(&self) -> Vec<(&'static str, Fact)> {
        vec![("check", Fact::Flag(self.in_check(self.turn())))]
    }

    fn palette(&self) -> Vec<(Side, Cow<'static, str>)> {
        let faces = |side| Kind::ALL.map(|kind| (side, Cow::Borrowed(kind.face())));
        Side::BOTH.into_iter().flat_map(faces).collect()
    }

    fn set_up(&self, turn: Side, pieces: &[kernel::Piece]) -> Result<Self, Problem> {
        let place = |piece: &kernel::Piece| {
            let square = u8::try_from(piece.at).ok().and_then(Square::new)?;
            Some((square, Piece { side: piece.owner?, kind: Kind::faced(&piece.face)? }))
        };
        let unknown =
            |piece: &kernel::Piece| Problem::new("xiangqi-no-such-piece").with("piece", &piece.face);
        let pieces: Result<Vec<(Square, Piece)>, Problem> =
            pieces.iter().map(|piece| place(piece).ok_or_else(|| unknown(piece))).collect();
        let pos = self.with_pieces(&pieces?, turn, (0, u16::from(turn == Side::Second)))?;
        set_up::check(&pos).map(|()| pos)
    }
}

impl Xiangqi {
    /// Reads a FEN whether or not a game could stand so: generals may face each other, a check may be unanswered, and
    /// soldiers may stand anywhere. For the diagrams of books, whose moves want names; not for play.
    ///
    /// ```
    /// use kernel::Notation;
    /// use xiangqi::{Rules, Xiangqi};
    ///
    /// let facing = "4k4/9/9/9/9/9/9/9/9/4K4 w";
    /// let start = Xiangqi::new(Rules::Asian);
    /// assert_eq!(start.read_fen(facing).unwrap_err().key, "xiangqi-generals-facing");
    /// assert!(start.read_diagram(facing).is_ok());
    /// ```
    ///
    /// # Errors
    /// A text that is no board of xiangqi at all.
    pub fn read_diagram(&self, text: &str) -> Result<Self, Problem> {
        let pos = fen::read(self, text)?;
        set_up::check_diagram(&pos).map(|()| pos)
    }
}

/// A move in each notation.
fn texts(board: &impl text::Seen, m: Move) -> Vec<(&'static str, String)> {
    let chinese = text::chinese(board, m, Script::default(), Width::default());
    vec![("chinese", chinese), ("wxf", text::wxf(board, m)), ("iccs", text::iccs(m))]
}

/// The place of a square on the kernel's board.
pub(crate) fn cell(square: Square) -> Cell {
    square.index().into()
}
