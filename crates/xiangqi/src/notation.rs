//! Move text and picture.

use std::borrow::Cow;

use kernel::{Board, Cell, Diagram, Lines, Mark, Names, Notation, Problem, Ruling, Side};

use crate::text::{Script, Width};
use crate::{Move, Rules, Square, Xiangqi, fen, reading, ruling, text};

impl Notation for Xiangqi {
    fn read_fen(&self, text: &str) -> Result<Self, Problem> {
        if text.len() > fen::LONGEST_FEN {
            return Err(Problem::new("fen-too-long")
                .with("length", text.len())
                .with("limit", fen::LONGEST_FEN));
        }
        fen::read(self, text)
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
        let chinese = text::chinese(self, m, Script::default(), Width::default());
        vec![("chinese", chinese), ("wxf", text::wxf(self, m)), ("iccs", text::iccs(m))]
    }

    fn ruling(line: &[Self], moves: &[Move]) -> Option<Ruling> {
        (line[0].rules() == Rules::Asian).then(|| ruling::explain(line, moves))
    }

    fn path(&self, m: Move) -> Vec<Cell> {
        vec![cell(m.from), cell(m.to)]
    }

    fn shifts(&self, m: Move) -> Vec<(Cell, Cell)> {
        vec![(cell(m.from), cell(m.to))]
    }

    fn board(&self) -> Board {
        Board::new(Lines::Points, 9, 10, Names::LettersUp { first: 0 })
    }

    fn diagram(&self) -> Diagram {
        let pieces = self.occupied().iter().filter_map(|at| {
            let piece = self.piece_at(at)?;
            Some(kernel::Piece {
                at: cell(at),
                owner: Some(piece.side),
                face: Cow::Borrowed(piece.kind.face()),
            })
        });
        let in_check = |side: &Side| self.in_check(*side);
        let checked: Vec<Cell> =
            Side::BOTH.into_iter().filter(in_check).filter_map(|side| self.general(side).map(cell)).collect();
        let mark = (!checked.is_empty()).then_some(Mark { kind: "check", cells: checked });
        Diagram { pieces: pieces.collect(), marks: mark.into_iter().collect() }
    }
}

/// The place of a square on the kernel's board.
pub(crate) fn cell(square: Square) -> Cell {
    square.index().into()
}
