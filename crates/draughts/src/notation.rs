//! Move texts, pictures, and messages for people. Positions as text are in `fen`.
//!
//! The machine text of a move is Hub's: `32-28`, and for captures from, to, then the captured squares in rising order:
//! `28x19x23`. Squares are numbers from the top left in every variant.

use std::borrow::Cow;

use kernel::{
    Board, Cell, Counter, Diagram, Fact, Lines, Mark, Names, Notation, Piece, Position, Problem, Side,
};

use crate::bits::{Bits, Each};
use crate::fen::{last, name_of};
use crate::moves::Move;
use crate::pdn::{Named, ends_of};
use crate::position::Draughts;
use crate::rules::{Colour, Priority, Rules};
use crate::square::{Square, last_row, squares};

impl<R: Rules> Draughts<R> {
    /// The legal moves.
    ///
    /// ```
    /// use draughts::{Draughts, International, Russian};
    ///
    /// assert_eq!(Draughts::<International>::start().legal().len(), 9);
    /// assert_eq!(Draughts::<Russian>::start().legal().len(), 7);
    /// ```
    #[must_use]
    pub fn legal(&self) -> Vec<Move<R>> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves
    }

    /// The move as the Hub protocol has it: `32-28`, `28x19x23`.
    ///
    /// ```
    /// use draughts::{Draughts, International};
    /// use kernel::Notation;
    ///
    /// let pos = Draughts::<International>::start().read_fen("W:W28:B23,14")?;
    /// assert_eq!(pos.hub(pos.legal()[0]), "28x10x14x23");
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn hub(&self, m: Move<R>) -> String {
        let mut text = String::with_capacity(5);
        push_number(&mut text, m.from());
        text.push(if m.is_capture() { 'x' } else { '-' });
        push_number(&mut text, m.to());
        for square in m.captured() {
            text.push('x');
            push_number(&mut text, square);
        }
        text
    }

    /// The pieces that may move now, by rising square.
    fn movers(&self, moves: &[Move<R>]) -> Vec<Square> {
        Each(moves.iter().fold(R::Bits::NONE, |set, m| set | R::Bits::bit(m.from)))
            .map(Square::of_bit::<R>)
            .collect()
    }

    /// Returns the duty to capture, if there is one: whether the number of pieces is prescribed, the least number
    /// among the captures, and the squares of the pieces that may capture.
    fn duty(&self, moves: &[Move<R>]) -> Option<(bool, u32, String)> {
        let least = moves.iter().map(|m| m.captures()).min().filter(|&n| n > 0)?;
        let squares: Vec<String> = self.movers(moves).into_iter().map(name_of::<R>).collect();
        let counted = !matches!(R::PRIORITY, Priority::Any | Priority::WithKing);
        Some((counted, least, squares.join(", ")))
    }
}

/// Appends the number of a square, which has two digits at most. Every ply of a file that is read comes here, where the
/// machinery of `format!` takes a tenth of the time.
fn push_number(text: &mut String, square: Square) {
    let number = square.number();
    if number >= 10 {
        text.push(char::from(b'0' + number / 10));
    }
    text.push(char::from(b'0' + number % 10));
}

impl<R: Rules> Notation for Draughts<R> {
    fn read_fen(&self, fen: &str) -> Result<Self, Problem> {
        Self::of_fen(fen)
    }

    fn fen(&self) -> String {
        self.to_fen()
    }

    fn move_text(&self, m: Move<R>) -> String {
        self.hub(m)
    }

    /// Accepts what [`named`](Draughts::named) does: Hub, PDN short and written out, squares a piece walks over.
    fn read_move(&self, text: &str) -> Option<Move<R>> {
        match self.named(text) {
            Named::One(m) => Some(m),
            _ => None,
        }
    }

    fn refusal(&self, text: &str) -> Problem {
        if let Some(outcome) = self.outcome() {
            return Problem::new("game-over").with("reason", outcome.reason());
        }
        let moves = self.legal();
        if let Named::Several(several) = self.named_among(&moves, text.as_bytes()) {
            let texts: Vec<String> = several.into_iter().map(|m| self.pdn(&moves, m)).collect();
            return Problem::new("draughts-ambiguous")
                .with("move", text)
                .with("candidates", texts.join(", "));
        }
        let Some((from, to)) = ends_of::<R>(text) else {
            return Problem::new("draughts-not-a-move").with("text", text).with("last", last::<R>());
        };
        if (from.set::<R>() & self.us).is_none() {
            return Problem::new("draughts-no-piece")
                .with("square", name_of::<R>(from))
                .with("side", self.colour().name());
        }
        if let Some((counted, count, squares)) = self.duty(&moves) {
            let key = if counted { "draughts-must-capture" } else { "draughts-must-capture-any" };
            return Problem::new(key).with("count", count).with("squares", squares);
        }
        if (from.set::<R>() & self.tired()).any() {
            return Problem::new("draughts-king-must-rest")
                .with("square", name_of::<R>(from))
                .with("limit", R::KING_MOVE_LIMIT.unwrap_or_default());
        }
        Problem::new("draughts-cannot-go")
            .with("from", name_of::<R>(from))
            .with("to", name_of::<R>(to))
            .with("side", self.colour().name())
    }

    fn path(&self, m: Move<R>) -> Vec<Cell> {
        self.route(m).into_iter().map(cell::<R>).collect()
    }

    /// The most legal moves that share an action: long captures with the same ends that take other pieces. Random
    /// play of 200 000 plies in each variant met three of them at most.
    const ALIKE: u32 = 8;

    fn actions(&self) -> u32 {
        let squares = u32::from(squares::<R>());
        squares * squares
    }

    /// The square of departure times all squares, and the square of arrival; squares from 0, one below their number.
    fn action(&self, m: Move<R>) -> u32 {
        let number = |square: Square| u32::from(square.number()) - 1;
        number(m.from()) * u32::from(squares::<R>()) + number(m.to())
    }

    fn shifts(&self, m: Move<R>) -> Vec<(Cell, Cell)> {
        vec![(cell::<R>(m.from()), cell::<R>(m.to()))]
    }

    fn board(&self) -> Board {
        let names = if R::LETTERS { Names::letters_up(1) } else { Names::NUMBERS };
        let rows = (0..R::SIDE).flat_map(|row| (0..R::SIDE).map(move |file| (file, row)));
        let gaps = rows.filter(|&(file, row)| Square::at::<R>(file, row).is_none());
        let mut board = Board::new(Lines::Cells, R::SIDE, R::SIDE, names);
        board.gaps = gaps.map(|(file, row)| board.cell(file, row)).collect();
        board
    }

    fn all_pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::with_capacity(40);
        for colour in Colour::BOTH {
            let owner = Some(Self::side(colour));
            let piece = |face| move |s| Piece { at: cell::<R>(s), owner, face: Cow::Borrowed(face) };
            pieces.extend(self.men(colour).map(piece("man")));
            pieces.extend(self.kings(colour).map(piece("king")));
        }
        pieces
    }

    fn diagram(&self) -> Diagram {
        let mut pieces = self.all_pieces();
        pieces.sort_unstable_by_key(|piece| piece.at);
        let moves = self.legal();
        let mut marks = Vec::new();
        if moves.iter().any(|m| m.is_capture()) {
            let cells = self.movers(&moves).into_iter().map(cell::<R>).collect();
            marks.push(Mark { kind: "must".into(), cells });
        }
        let ghosts: Vec<Cell> = self.ghosts().map(cell::<R>).collect();
        if !ghosts.is_empty() {
            marks.push(Mark { kind: "ghost".into(), cells: ghosts });
        }
        Diagram { pieces, marks }
    }

    fn texts(&self, m: Move<R>) -> Vec<(&'static str, String)> {
        let moves = self.legal();
        let mut texts = vec![("pdn", self.people_text(&moves, m, false)), ("hub", self.hub(m))];
        if R::LETTERS {
            texts.push(("algebraic", self.people_text(&moves, m, true)));
        }
        texts
    }

    fn notations(&self) -> &'static [&'static str] {
        if R::LETTERS { &["algebraic", "hub"] } else { &["pdn", "hub"] }
    }

    fn facts(&self) -> Vec<(&'static str, Fact)> {
        let forced = self.duty(&self.legal()).map_or(0, |(_, count, _)| count);
        vec![("captures_forced", Fact::Count(forced.into()))]
    }

    fn counters(&self) -> Vec<Counter> {
        let running = self.running().filter(|&(_, now, _)| now > 0).map(|(key, now, limit)| Counter {
            key: key.into(),
            side: None,
            now: now.into(),
            limit: limit.into(),
        });
        let tired = Colour::BOTH.into_iter().zip(self.counters.tired).filter(|(_, (moves, _))| *moves > 0);
        let tired = tired.map(|(colour, (moves, _))| Counter {
            key: "same-king".into(),
            side: Some(Self::side(colour)),
            now: moves.into(),
            limit: R::KING_MOVE_LIMIT.unwrap_or_default().into(),
        });
        running.chain(tired).collect()
    }

    fn notes(&self) -> Vec<Problem> {
        let Some((counted, count, squares)) = self.duty(&self.legal()) else { return Vec::new() };
        let key = if counted { "must-capture" } else { "must-capture-any" };
        vec![Problem::new(key).with("count", count).with("squares", squares)]
    }

    fn palette(&self) -> Vec<(Side, Cow<'static, str>)> {
        let faces = |side| ["man", "king"].map(|face| (side, Cow::Borrowed(face)));
        Side::BOTH.into_iter().flat_map(faces).collect()
    }

    fn set_up(&self, turn: Side, pieces: &[Piece]) -> Result<Self, Problem> {
        let (mut sides, mut kings) = ([R::Bits::NONE; 2], R::Bits::NONE);
        for piece in pieces {
            let side = u16::from(R::SIDE);
            let square = u8::try_from(piece.at % side).ok().zip(u8::try_from(piece.at / side).ok());
            let (Some(square), Some(owner)) = (square.and_then(|(f, r)| Square::at::<R>(f, r)), piece.owner)
            else {
                return Err(Problem::new("draughts-not-a-square").with("cell", piece.at));
            };
            let colour = Self::colour_of(owner);
            let set = square.set::<R>();
            let last = if colour == Colour::White { last_row::<R, true>() } else { last_row::<R, false>() };
            match &*piece.face {
                "king" => kings |= set,
                "man" if (set & last).any() => {
                    return Err(Problem::new("draughts-man-on-last-row")
                        .with("square", name_of::<R>(square))
                        .with("side", colour.name()));
                }
                "man" => {}
                face => return Err(Problem::new("draughts-unknown-piece").with("face", face)),
            }
            sides[colour as usize] |= set;
        }
        Self::of(Self::colour_of(turn), sides[0], sides[1], kings).checked()
    }
}

/// The cell of a square: row by row over the whole grid.
fn cell<R: Rules>(square: Square) -> Cell {
    Cell::from(square.row::<R>()) * Cell::from(R::SIDE) + Cell::from(square.file::<R>())
}
