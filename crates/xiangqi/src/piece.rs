//! Pieces, their kinds, and moves.

use std::fmt;

use kernel::Side;

use crate::Square;

/// The kinds of pieces.
///
/// ```
/// use xiangqi::Kind;
///
/// let army: u32 = Kind::ALL.into_iter().map(Kind::most).sum();
/// assert_eq!(army, 16);
/// assert_eq!(Kind::ALL.map(Kind::letter), ['k', 'a', 'b', 'n', 'r', 'c', 'p']);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// 帅 将: one step straight, within the palace.
    General,
    /// 仕 士: one step aslant, within the palace.
    Advisor,
    /// 相 象: two steps aslant, on its own bank; a piece between blocks it.
    Elephant,
    /// 马: one step straight, then one aslant; a piece beside it blocks its leg.
    Horse,
    /// 车: straight, any distance.
    Rook,
    /// 炮: as a rook, but to capture it jumps over exactly one piece.
    Cannon,
    /// 兵 卒: one step forward; across the river also sideways.
    Soldier,
}

impl Kind {
    /// Every kind, in the order of the declaration.
    pub const ALL: [Kind; 7] =
        [Kind::General, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Rook, Kind::Cannon, Kind::Soldier];

    /// Returns the number of pieces of this kind that a side has at the start, and so at most.
    #[must_use]
    pub const fn most(self) -> u32 {
        match self {
            Kind::General => 1,
            Kind::Soldier => 5,
            _ => 2,
        }
    }

    /// Returns true if it can cross the river, and so can help to mate.
    ///
    /// ```
    /// use xiangqi::Kind;
    ///
    /// assert!(Kind::Soldier.attacks());
    /// assert!(!Kind::Elephant.attacks());
    /// ```
    #[must_use]
    pub const fn attacks(self) -> bool {
        matches!(self, Kind::Horse | Kind::Rook | Kind::Cannon | Kind::Soldier)
    }

    /// The stable name clients paint it by.
    #[must_use]
    pub const fn face(self) -> &'static str {
        match self {
            Kind::General => "general",
            Kind::Advisor => "advisor",
            Kind::Elephant => "elephant",
            Kind::Horse => "horse",
            Kind::Rook => "rook",
            Kind::Cannon => "cannon",
            Kind::Soldier => "soldier",
        }
    }

    /// The kind of that [`face`](Kind::face).
    ///
    /// ```
    /// use xiangqi::Kind;
    ///
    /// assert_eq!(Kind::faced("cannon"), Some(Kind::Cannon));
    /// assert_eq!(Kind::faced("bishop"), None);
    /// ```
    #[must_use]
    pub fn faced(face: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.face() == face)
    }

    /// The small letter FENs write.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Kind::General => 'k',
            Kind::Advisor => 'a',
            Kind::Elephant => 'b',
            Kind::Horse => 'n',
            Kind::Rook => 'r',
            Kind::Cannon => 'c',
            Kind::Soldier => 'p',
        }
    }

    /// The kind of a small letter. Horses may be `h` and elephants `e`, as in WXF's texts.
    ///
    /// ```
    /// use xiangqi::Kind;
    ///
    /// assert_eq!((Kind::lettered('n'), Kind::lettered('h')), (Some(Kind::Horse), Some(Kind::Horse)));
    /// assert_eq!(Kind::lettered('q'), None);
    /// ```
    #[must_use]
    pub const fn lettered(letter: char) -> Option<Kind> {
        Some(match letter {
            'k' => Kind::General,
            'a' => Kind::Advisor,
            'b' | 'e' => Kind::Elephant,
            'n' | 'h' => Kind::Horse,
            'r' => Kind::Rook,
            'c' => Kind::Cannon,
            'p' => Kind::Soldier,
            _ => return None,
        })
    }
}

/// A piece of one side.
///
/// ```
/// use kernel::Side;
/// use xiangqi::{Kind, Piece};
///
/// let horse = |side| Piece { side, kind: Kind::Horse }.letter();
/// assert_eq!((horse(Side::First), horse(Side::Second)), ('N', 'n'));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Red is `Side::First`.
    pub side: Side,
    /// The kind of the piece.
    pub kind: Kind,
}

impl Piece {
    /// The letter FENs write: a capital for Red.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.side {
            Side::First => self.kind.letter().to_ascii_uppercase(),
            Side::Second => self.kind.letter(),
        }
    }
}

/// A move: the piece on `from` goes to `to`, and takes the piece there.
///
/// ```
/// use xiangqi::{Move, Square};
///
/// let m = Move { from: Square::named("h2").unwrap(), to: Square::named("e2").unwrap() };
/// assert_eq!(m.to_string(), "h2e2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// The square where it starts.
    pub from: Square,
    /// The square where it ends.
    pub to: Square,
}

impl Move {
    /// The move of an ICCS text: `h2e2`, `H2-E2`. Whether it is legal is another question.
    ///
    /// ```
    /// use xiangqi::Move;
    ///
    /// assert_eq!(Move::named("H2-E2"), Move::named("h2e2"));
    /// assert_eq!(Move::named("h2j2"), None);
    /// ```
    #[must_use]
    pub fn named(text: &str) -> Option<Move> {
        let (from, to) = match text.len() {
            4 => (text.get(..2)?, text.get(2..)?),
            5 if text.as_bytes()[2] == b'-' => (text.get(..2)?, text.get(3..)?),
            _ => return None,
        };
        Some(Move { from: Square::named(from)?, to: Square::named(to)? })
    }
}

/// `h2e2`, as engines write it.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}
