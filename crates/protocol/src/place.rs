//! Positions and moves of draughts as Hub and DXP write them: a sign for each square, numbers for moves.

use crate::Fault;
use crate::fault::number;

/// The numbers of playing squares that a board may have: 8x8, 10x10, all of 8x8 (turkish), 12x12.
pub const SIZES: [usize; 4] = [32, 50, 64, 72];
/// The most pieces one move can take: all that stand on the biggest board.
const MOST_CAPTURED: usize = 30;

/// The owner of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// The side whose pieces start at the bottom.
    White,
    /// The side whose pieces start at the top.
    Black,
}

/// The contents of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Square {
    /// The square is vacant.
    Empty,
    /// A man of that colour.
    Man(Colour),
    /// A king of that colour.
    King(Colour),
}

/// A position: the squares in order of their numbers, row by row from the top left, and the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The side to move.
    pub turn: Colour,
    /// The contents of the squares 1, 2, 3 …
    pub squares: Vec<Square>,
}

impl Place {
    /// Reads the signs of the squares; `black` and `black_king` are how this protocol writes Black's pieces.
    pub(crate) fn squares_of(text: &str, black: char, black_king: char) -> Result<Vec<Square>, Fault> {
        if !SIZES.contains(&text.len()) {
            return Err(Fault::new("squares", text));
        }
        let square = |sign| match sign {
            'e' => Some(Square::Empty),
            'w' => Some(Square::Man(Colour::White)),
            'W' => Some(Square::King(Colour::White)),
            sign if sign == black => Some(Square::Man(Colour::Black)),
            sign if sign == black_king => Some(Square::King(Colour::Black)),
            _ => None,
        };
        text.chars().map(square).collect::<Option<_>>().ok_or_else(|| Fault::new("squares", text))
    }

    pub(crate) fn signs(&self, black: char, black_king: char) -> String {
        let sign = |square: &Square| match square {
            Square::Empty => 'e',
            Square::Man(Colour::White) => 'w',
            Square::King(Colour::White) => 'W',
            Square::Man(Colour::Black) => black,
            Square::King(Colour::Black) => black_king,
        };
        self.squares.iter().map(sign).collect()
    }
}

/// A move by the numbers of its squares, from 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The square that the piece leaves.
    pub from: u8,
    /// The square on which the piece ends its move.
    pub to: u8,
    /// The pieces it took, in whatever order they were told: two programs may tell one capture differently, so
    /// compare [`sorted`](Move::sorted) ones.
    pub captured: Vec<u8>,
}

impl Move {
    /// The same move with its captured squares in rising order.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.captured.sort_unstable();
        self
    }

    /// Reads `32-28`, or `28x19x23`: from, to, then each captured square.
    ///
    /// # Errors
    /// `move` when it is not of that form, and when a square is named twice among the captured ones.
    pub fn read(text: &str) -> Result<Move, Fault> {
        let wrong = || Fault::new("move", text);
        if text.len() > 3 * (MOST_CAPTURED + 2) {
            return Err(wrong());
        }
        let square = |text: &str| {
            let n = number(text).ok().and_then(|n| u8::try_from(n).ok());
            n.filter(|&n| n > 0 && usize::from(n) <= SIZES[3]).ok_or_else(wrong)
        };
        if let Some((from, to)) = text.split_once('-') {
            return Ok(Move { from: square(from)?, to: square(to)?, captured: Vec::new() });
        }
        let squares = text.split('x').map(square).collect::<Result<Vec<u8>, Fault>>()?;
        match squares.as_slice() {
            &[from, to, ref captured @ ..] if !captured.is_empty() && are_distinct(captured) => {
                Ok(Move { from, to, captured: captured.to_vec() })
            }
            _ => Err(wrong()),
        }
    }

    /// Writes it as Hub has it.
    #[must_use]
    pub fn text(&self) -> String {
        if self.captured.is_empty() {
            return format!("{}-{}", self.from, self.to);
        }
        let captured: String = self.captured.iter().map(|square| format!("x{square}")).collect();
        format!("{}x{}{captured}", self.from, self.to)
    }
}

pub(crate) fn are_distinct(squares: &[u8]) -> bool {
    squares.iter().enumerate().all(|(i, square)| !squares[..i].contains(square))
}
