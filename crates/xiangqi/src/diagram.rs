//! The diagrams of books: boards that no game reaches, whose moves want names all the same.
//!
//! Generals may face each other, a check may be unanswered, soldiers stand where they never could, and there may be
//! three horses. Such a board is never played from, so its moves are found the plain way: made and looked at.

use kernel::{Problem, Side};

use crate::position::{ahead, in_palace, on_own_bank};
use crate::square::SQUARES;
use crate::steps::{ASLANT, STRAIGHT};
use crate::text::Seen;
use crate::{Kind, Move, Piece, Square};

/// A board as it is drawn.
#[derive(Clone)]
pub(crate) struct Drawn {
    board: [Option<Piece>; SQUARES as usize],
    turn: Side,
}

impl Seen for Drawn {
    fn seen(&self, square: Square) -> Option<Piece> {
        self.at(square)
    }
}

impl Drawn {
    /// A board with these pieces.
    ///
    /// # Errors
    /// `xiangqi-no-general`: moves have no meaning then.
    pub(crate) fn new(pieces: &[(Square, Piece)], turn: Side) -> Result<Self, Problem> {
        let mut board = [None; SQUARES as usize];
        for &(square, piece) in pieces {
            board[square.i()] = Some(piece);
        }
        let drawn = Drawn { board, turn };
        match Side::BOTH.into_iter().find(|&side| drawn.general(side).is_none()) {
            Some(side) => Err(Problem::new("xiangqi-no-general").with("side", crate::position::paint(side))),
            None => Ok(drawn),
        }
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.board[square.i()]
    }

    /// Every move after which the mover's general is safe.
    pub(crate) fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in self.army(self.turn) {
            for to in self.reached(from) {
                let mut next = self.clone();
                next.board[to.i()] = next.board[from.i()].take();
                if !next.in_danger(self.turn) {
                    moves.push(Move { from, to });
                }
            }
        }
        moves
    }

    fn army(&self, side: Side) -> impl Iterator<Item = Square> + '_ {
        let own = move |square: &Square| self.at(*square).is_some_and(|piece| piece.side == side);
        (0..SQUARES).map(Square).filter(own)
    }

    fn general(&self, side: Side) -> Option<Square> {
        self.army(side).find(|&square| self.at(square).is_some_and(|piece| piece.kind == Kind::General))
    }

    /// Returns true if the general could be taken, by the other one along an open file, too. A general that was taken
    /// is in no danger any more.
    fn in_danger(&self, side: Side) -> bool {
        let Some(general) = self.general(side) else { return false };
        let faced = self.general(side.other()).is_some_and(|other| {
            other.file() == general.file() && self.ray(general, (0, ahead(side))).last() == Some(&other)
        });
        faced || self.army(side.other()).any(|from| self.reached(from).contains(&general))
    }

    /// The squares from there in that direction, up to the first piece and with it.
    fn ray(&self, from: Square, step: (i8, i8)) -> Vec<Square> {
        let mut squares = Vec::new();
        let mut next = from.step(step);
        while let Some(square) = next {
            squares.push(square);
            next = square.step(step).filter(|_| self.at(square).is_none());
        }
        squares
    }

    /// Returns the squares the piece on `from` may go to by the way it moves.
    fn reached(&self, from: Square) -> Vec<Square> {
        let Some(Piece { side, kind }) = self.at(from) else { return Vec::new() };
        let near = |steps: &[(i8, i8)]| steps.iter().filter_map(|&step| from.step(step)).collect::<Vec<_>>();
        let free = |step| from.step(step).is_some_and(|square| self.at(square).is_none());
        let mut to = match kind {
            Kind::General => near(&STRAIGHT),
            Kind::Advisor => near(&ASLANT),
            Kind::Elephant => {
                let open = ASLANT.into_iter().filter(|&step| free(step));
                open.filter_map(|(right, down)| from.step((2 * right, 2 * down))).collect()
            }
            Kind::Horse => STRAIGHT
                .into_iter()
                .filter(|&leg| free(leg))
                .flat_map(|(right, down)| {
                    [1, -1].map(|side| (2 * right + side * down.abs(), 2 * down + side * right.abs()))
                })
                .filter_map(|step| from.step(step))
                .collect(),
            Kind::Rook => STRAIGHT.into_iter().flat_map(|step| self.ray(from, step)).collect(),
            Kind::Cannon => STRAIGHT.into_iter().flat_map(|step| self.cannon(from, step)).collect(),
            Kind::Soldier if on_own_bank(side, from) => near(&[(0, ahead(side))]),
            Kind::Soldier => near(&[(0, ahead(side)), (1, 0), (-1, 0)]),
        };
        to.retain(|&square| match kind {
            _ if self.at(square).is_some_and(|piece| piece.side == side) => false,
            Kind::General | Kind::Advisor => in_palace(side, square),
            Kind::Elephant => on_own_bank(side, square),
            _ => true,
        });
        to
    }

    fn cannon(&self, from: Square, step: (i8, i8)) -> Vec<Square> {
        let mut quiet = self.ray(from, step);
        let screen = quiet.pop_if(|square| self.at(*square).is_some());
        let beyond = screen.map(|screen| self.ray(screen, step)).unwrap_or_default();
        quiet.extend(beyond.last().filter(|square| self.at(**square).is_some()));
        quiet
    }
}
