//! Move text and picture.

use std::borrow::Cow;

use kernel::{Board, Cell, Diagram, Lines, Mark, Names, Notation, Position, Problem, Side};

use crate::{Move, Square, Xiangqi, fen};

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
        let mut moves = Vec::new();
        self.moves(&mut moves);
        Move::named(text.trim()).filter(|m| moves.contains(m))
    }

    fn path(&self, m: Move) -> Vec<Cell> {
        vec![cell(m.from), cell(m.to)]
    }

    fn shifts(&self, m: Move) -> Vec<(Cell, Cell)> {
        vec![(cell(m.from), cell(m.to))]
    }

    fn board(&self) -> Board {
        Board {
            lines: Lines::Points,
            files: 9,
            ranks: 10,
            names: Names::LettersUp { first: 0 },
            stars: vec![],
            gaps: vec![],
            decor: vec![],
        }
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
