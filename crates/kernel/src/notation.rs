//! Games as text and pictures.

use std::borrow::Cow;

use crate::numbers::Face;
use crate::{Eyes, Position, Problem, Reason, Side, view};

/// A place of a board: row by row from the top left corner as the first player sees it, counted from 0.
pub type Cell = u16;

/// The places of a board that pieces stand on: inside the squares, or on the crossings of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Lines {
    /// Pieces stand in squares (locked chess).
    Cells,
    /// Pieces stand on crossings (gomoku).
    Points,
}

/// The scheme by which the places of a board are named.
///
/// ```
/// use kernel::{Board, Lines, Names};
///
/// let corner = |names| Board::new(Lines::Points, 9, 10, names).name(89);
/// assert_eq!(corner(Names::letters_up(0)), "i0");
/// assert_eq!(corner(Names::letters_down(1)), "i10");
/// assert_eq!((corner(Names::NUMBERS), corner(Names::PAIRS)), ("90".into(), "10,9".into()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Names {
    /// `letters-up`: ranks count from the bottom; `letters-down`: from the top; `numbers`: the places that are no
    /// gaps are numbered row by row from the top left.
    pub kind: NamesKind,
    /// The number of the rank, or of the place, where counting begins.
    pub first: u8,
}

/// The ways to name places: by letter and rank, counted up or down, by number, or by row and column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum NamesKind {
    /// A letter for the file, `a` at the left, and the number of the rank, rising upwards (gomoku's h8).
    LettersUp,
    /// The same with the first rank at the top, rising downwards (locked chess's d9).
    LettersDown,
    /// The places are numbered row by row from the top left; [gaps](Board::gaps) have no number (draughts' 32).
    Numbers,
    /// Row and column from the top left: `3,4` (Jingbanqi, whose boards may be wider than the alphabet).
    Pairs,
}

impl Names {
    /// Places numbered from 1.
    pub const NUMBERS: Names = Names { kind: NamesKind::Numbers, first: 1 };
    /// Rows and columns numbered from 1.
    pub const PAIRS: Names = Names { kind: NamesKind::Pairs, first: 1 };

    /// Letters for files; the lowest rank has the number `first`.
    ///
    /// ```
    /// use kernel::{Board, Lines, Names};
    ///
    /// let xiangqi = Board::new(Lines::Points, 9, 10, Names::letters_up(0));
    /// assert_eq!((xiangqi.name(0), xiangqi.name(81)), ("a9".into(), "a0".into()));
    /// ```
    #[must_use]
    pub const fn letters_up(first: u8) -> Names {
        Names { kind: NamesKind::LettersUp, first }
    }

    /// Letters for files; the top rank has the number `first`.
    ///
    /// ```
    /// use kernel::{Board, Lines, Names};
    ///
    /// let locked = Board::new(Lines::Cells, 12, 12, Names::letters_down(1));
    /// assert_eq!((locked.name(0), locked.name(143)), ("a1".into(), "l12".into()));
    /// ```
    #[must_use]
    pub const fn letters_down(first: u8) -> Names {
        Names { kind: NamesKind::LettersDown, first }
    }
}

/// Decoration drawn on a board, without meaning in the rules.
///
/// ```
/// use kernel::{Board, Decor, Lines, Names};
///
/// let mut board = Board::new(Lines::Points, 9, 10, Names::letters_up(0));
/// board.decor.push(Decor::River { after_row: 4 });
/// board.decor.push(Decor::Line { from: board.cell(3, 7), to: board.cell(5, 9) });
/// assert_eq!(board.decor[1], Decor::Line { from: 66, to: 86 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Decor {
    /// The lines of the inner files stop between this row from the top, from 0, and the next (xiangqi's river).
    River {
        /// The row above the gap.
        after_row: u8,
    },
    /// A straight line between two places (the diagonals of a xiangqi palace).
    Line {
        /// The place where the line begins.
        from: Cell,
        /// The place where it ends.
        to: Cell,
    },
    /// Corner marks around a place (where xiangqi's cannons and soldiers stand at the start).
    Station {
        /// The place to be marked.
        at: Cell,
    },
}

/// The part of a picture that never changes during a game.
///
/// ```
/// use kernel::{Board, Lines, Names};
///
/// let goban = Board::new(Lines::Points, 15, 15, Names::letters_up(1));
/// let middle = goban.cell(7, 7);
/// assert_eq!((middle, goban.name(middle).as_str()), (112, "h8"));
/// assert_eq!(goban.cell_named("H8"), Some(middle));
/// assert_eq!(goban.cell_named("p1"), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Board {
    /// Squares or crossings.
    pub lines: Lines,
    /// The number of columns: 1 to 26 where names have letters, else up to 255.
    pub files: u8,
    /// The number of rows, 1 to 255.
    pub ranks: u8,
    /// The scheme by which its places are named.
    pub names: Names,
    /// Points to be dotted (gomoku's star points).
    pub stars: Vec<Cell>,
    /// Cells that are no places of the game, by rising cell (the light squares in draughts).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<Cell>>"))]
    pub gaps: Vec<Cell>,
    /// Decoration such as rivers, extra lines and corner marks.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<Decor>>"))]
    pub decor: Vec<Decor>,
    /// True if each row is drawn half a cell further to the right than the row above it, so that a cell has six
    /// neighbours.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<bool>"))]
    pub hex: bool,
    /// Looks of cells, such as water and palaces, in the order in which they are drawn.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<Terrain>>"))]
    pub terrain: Vec<Terrain>,
    /// The side whose hand lies below the board, with the other's above it; absent if no pieces wait beside the board.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub hands: Option<Side>,
}

/// A look of cells: a colour, an icon, and the words about them.
///
/// ```
/// use kernel::{Board, Lines, Names, Terrain};
///
/// let mut board = Board::new(Lines::Cells, 7, 9, Names::PAIRS);
/// let water = Terrain { name: "水".into(), colour: Some("blue".into()), icon: None, cells: vec![22, 23] };
/// board.terrain.push(water);
/// assert_eq!(board.terrain[0].cells.len(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Terrain {
    /// The word for people, as the author of the map wrote it.
    pub name: String,
    /// A colour that can be told apart in every theme: `red`, `orange`, `yellow`, `green`, `cyan`, `blue`, `purple` or
    /// `grey`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub colour: Option<Cow<'static, str>>,
    /// A sign in the cells: `water`, `mountain`, `tree`, `palace`, `gate`, `trap`, `star`, `flag`, `bridge` or `den`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub icon: Option<Cow<'static, str>>,
    /// The cells, rising.
    pub cells: Vec<Cell>,
}

/// Pieces of a kind in the hand of a player, who may put them on the board.
///
/// ```
/// use kernel::{HandPiece, Side};
///
/// let pawns = HandPiece { side: Side::First, face: "兵".into(), pick: "兵".into(), count: Some(2) };
/// assert_eq!(pawns.count, Some(2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct HandPiece {
    /// The player who has them.
    pub side: Side,
    /// The face of the pieces, as in [`Piece`].
    pub face: Cow<'static, str>,
    /// The word by which moves name them: the `pick` of a [`MoveView`](view::MoveView).
    pub pick: String,
    /// The number of pieces; absent: any number of them.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub count: Option<u32>,
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_false(b: &bool) -> bool {
    !*b
}

impl Board {
    /// A board without stars, gaps and decor.
    ///
    /// ```
    /// use kernel::{Board, Lines, Names};
    ///
    /// let board = Board::new(Lines::Cells, 3, 3, Names::letters_up(1));
    /// assert_eq!((board.name(0), board.name(8)), ("a3".into(), "c1".into()));
    /// ```
    #[must_use]
    pub const fn new(lines: Lines, files: u8, ranks: u8, names: Names) -> Self {
        Board {
            lines,
            files,
            ranks,
            names,
            stars: Vec::new(),
            gaps: Vec::new(),
            decor: Vec::new(),
            hex: false,
            terrain: Vec::new(),
            hands: None,
        }
    }

    /// Returns true if pieces may stand on that cell: it is on the board and no gap.
    ///
    /// ```
    /// use kernel::{Board, Lines, Names};
    ///
    /// let board = Board { gaps: vec![0, 3], ..Board::new(Lines::Cells, 2, 2, Names::NUMBERS) };
    /// let places: Vec<u16> = (0..6).filter(|&cell| board.is_place(cell)).collect();
    /// assert_eq!(places, [1, 2]);
    /// ```
    #[must_use]
    pub fn is_place(&self, cell: Cell) -> bool {
        cell < Cell::from(self.files) * Cell::from(self.ranks) && self.gaps.binary_search(&cell).is_err()
    }

    /// The cell in column `file` from the left and row `row` from the top, both from 0.
    ///
    /// ```
    /// use kernel::{Board, Lines, Names};
    ///
    /// let board = Board::new(Lines::Points, 9, 10, Names::letters_up(0));
    /// assert_eq!(board.cell(4, 9), 85);
    /// assert_eq!(board.name(85), "e0");
    /// ```
    #[must_use]
    pub fn cell(&self, file: u8, row: u8) -> Cell {
        Cell::from(row) * Cell::from(self.files) + Cell::from(file)
    }

    /// Returns the name of that cell, as people write it. A gap has no name of its own; it has that of the place
    /// before it.
    ///
    /// ```
    /// use kernel::{Board, Lines, Names};
    ///
    /// // Draughts: only the dark squares have numbers.
    /// let gaps = (0..64).filter(|cell| (cell / 8 + cell) % 2 == 0).collect();
    /// let board = Board { gaps, ..Board::new(Lines::Cells, 8, 8, Names::NUMBERS) };
    /// assert_eq!((board.name(1), board.name(62)), ("1".into(), "32".into()));
    /// ```
    #[must_use]
    pub fn name(&self, cell: Cell) -> String {
        let file = (cell % Cell::from(self.files)) as u8;
        let row = cell / Cell::from(self.files);
        let first = Cell::from(self.names.first);
        let rank = match self.names.kind {
            NamesKind::LettersUp => Cell::from(self.ranks) - 1 - row + first,
            NamesKind::LettersDown => row + first,
            NamesKind::Numbers => return (cell + first - self.gaps_to(cell)).to_string(),
            NamesKind::Pairs => return format!("{},{}", row + first, Cell::from(file) + first),
        };
        format!("{}{rank}", char::from(b'a' + file))
    }

    /// The cell people call `name`; letters may be capitals. `None` when there is no such place.
    ///
    /// ```
    /// use kernel::{Board, Lines, Names};
    ///
    /// let board = Board::new(Lines::Cells, 10, 10, Names::PAIRS);
    /// assert_eq!(board.cell_named("3, 4"), Some(23));
    /// assert_eq!(board.cell_named("11,1"), None);
    /// ```
    #[must_use]
    pub fn cell_named(&self, name: &str) -> Option<Cell> {
        let first = Cell::from(self.names.first);
        let cell = match self.names.kind {
            NamesKind::Numbers => self.numbered(digits(name)?)?,
            NamesKind::Pairs => {
                let (row, file) = name.split_once(',')?;
                let (row, file) =
                    (digits(row.trim())?.checked_sub(first)?, digits(file.trim())?.checked_sub(first)?);
                let inside = row < Cell::from(self.ranks) && file < Cell::from(self.files);
                inside.then(|| self.cell(file as u8, row as u8))?
            }
            NamesKind::LettersUp | NamesKind::LettersDown => {
                let letter = name.bytes().next()?.to_ascii_lowercase();
                let file = letter.checked_sub(b'a').filter(|&f| f < self.files)?;
                let step = digits(name.get(1..)?)?.checked_sub(first)?;
                let row = match self.names.kind {
                    NamesKind::LettersUp => (Cell::from(self.ranks) - 1).checked_sub(step)?,
                    _ => step,
                };
                self.cell(file, u8::try_from(row).ok()?)
            }
        };
        Some(cell).filter(|&cell| self.is_place(cell))
    }

    /// The place with that number.
    fn numbered(&self, number: Cell) -> Option<Cell> {
        // Each gap passed on the way moves the place one cell further.
        let start = number.checked_sub(Cell::from(self.names.first))?;
        Some(self.gaps.iter().fold(start, |cell, &gap| if gap <= cell { cell + 1 } else { cell }))
    }

    /// Returns the number of gaps up to that cell, itself included.
    fn gaps_to(&self, cell: Cell) -> Cell {
        self.gaps.partition_point(|&gap| gap <= cell) as Cell
    }
}

/// Parses a number of one to three digits.
fn digits(text: &str) -> Option<Cell> {
    let plain = (1..=3).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok())?
}

/// The pieces and marks on the board now.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// use kernel::{Notation, Piece, Side};
///
/// let diagram = Noughts::default().read_fen("....x....")?.diagram();
/// let cross = Piece { at: 4, owner: Some(Side::First), face: "stone".into() };
/// assert_eq!((diagram.pieces, diagram.marks), (vec![cross], vec![]));
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagram {
    /// The pieces, by rising cell.
    pub pieces: Vec<Piece>,
    /// Cells that the rules mark.
    pub marks: Vec<Mark>,
}

/// One piece of a picture. In JSON an array of cell, owner (`null`: neither side) and face: `[112,"first","stone"]`.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// use kernel::Side;
///
/// let game = kernel::any_at(Noughts::default(), Some("x...o...."))?;
/// let owners: Vec<_> = game.all_pieces().iter().map(|piece| (piece.at, piece.owner)).collect();
/// assert_eq!(owners, [(0, Some(Side::First)), (4, Some(Side::Second))]);
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "shape::Piece", into = "shape::Piece"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(type = "[number, Side | null, string]"))]
pub struct Piece {
    /// The cell the piece stands on.
    pub at: Cell,
    /// The side the piece belongs to; `None`: neither.
    pub owner: Option<Side>,
    /// The kind of piece, a stable key such as `"stone"`; clients paint it and say `piece-<face>`.
    pub face: Cow<'static, str>,
}

/// Cells marked for a reason: `"winning-line"`, `"chosen"`, `"check"`, `"forbidden"`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Mark {
    /// The meaning of the mark, a stable kebab-case key: the message `mark-<kind>`.
    pub kind: Cow<'static, str>,
    /// The cells, in a stable order.
    pub cells: Vec<Cell>,
}

/// The directions a piece may turn to, for games whose pieces show it: bits, direction 1 the lowest. Directions go up
/// left, up, up right, left, right, down left, down, down right, as the first player sees the board.
///
/// In JSON cell, one step, any distance, and only where there are any, the directions that the game gives a meaning of
/// its own: `[24,90,0]`, `[24,90,0,[0,66]]`.
///
/// ```
/// use kernel::Dirs;
///
/// // A king: one step in each of the eight directions, none of them further.
/// let king = Dirs { at: 40, near: 0b1111_1111, far: 0, more: Vec::new() };
/// let up = 1 << 1;
/// assert_eq!((king.near & up != 0, king.far & up != 0), (true, false));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "shape::Dirs", into = "shape::Dirs"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(type = "[number, number, number, number[]?]"))]
pub struct Dirs {
    /// The cell the piece stands on.
    pub at: Cell,
    /// Directions it may move one step in.
    pub near: u8,
    /// Directions it may move any distance in.
    pub far: u8,
    /// Directions with a meaning of the game's own, a number for each meaning in the game's order; no zeros at the end.
    pub more: Vec<u8>,
}

/// A move that is pressed as a button, rather than played on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Button {
    /// The move text it plays. It is legal now exactly when `moves` has it.
    pub text: Cow<'static, str>,
    /// The label of the button: the Fluent message `button-<name>`.
    pub name: Cow<'static, str>,
    /// Keyboard key by its web name, such as `"ArrowUp"`; also tells the client which arrow to draw.
    pub key: Cow<'static, str>,
    /// The cells in the way, if the move is not legal now. A piece that would leave the board names its own cell.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<Cell>>"))]
    pub blockers: Vec<Cell>,
    /// The cells the pieces would move from and to, in a stable order. Also given when the way is blocked, for the
    /// pieces that stay on the board.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<(Cell, Cell)>>"))]
    pub shifts: Vec<(Cell, Cell)>,
}

/// The task of the side to move, in games where it is not plain.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Prompt {
    /// The Fluent message `prompt-<key>`.
    pub key: Cow<'static, str>,
    /// The number of the current step of the turn, from 1.
    pub step: u8,
    /// The number of steps in a turn.
    pub of: u8,
}

/// A count towards a draw or a limit, shown to players: the message `counter-<key>`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Counter {
    /// Stable kebab-case key.
    pub key: Cow<'static, str>,
    /// The side whose count it is; `None`: both sides together.
    pub side: Option<Side>,
    /// The current count.
    pub now: u32,
    /// The count at which the game ends.
    pub limit: u32,
}

/// The reasons for the verdict on a line that came back to an earlier position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Ruling {
    /// The reasons in order: the messages `ruling-<key>`.
    pub notes: Vec<view::Problem>,
    /// The pieces it is about, where they stand now.
    pub marks: Vec<Mark>,
    /// Plies of the record, from 0, and their kind, such as `"check"` or `"chase"`: the message `ply-<kind>`.
    pub plies: Vec<(u32, Cow<'static, str>)>,
}

/// A value a game reports beside its picture, such as whether there is check.
///
/// ```
/// use kernel::Fact;
///
/// let score = Fact::List(vec![Fact::Count(12), Fact::Count(9)]);
/// let facts = Fact::Named(vec![("score".to_owned(), score), ("check".to_owned(), Fact::Flag(false))]);
/// assert!(matches!(facts, Fact::Named(pairs) if pairs[0].0 == "score"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// A yes or no.
    Flag(bool),
    /// A whole number.
    Count(i64),
    /// A text for programs; not a sentence in a language.
    Text(String),
    /// Several, in order.
    List(Vec<Fact>),
    /// Several, by name.
    Named(Vec<(String, Fact)>),
}

/// A game's text and picture. Slow next to [`Position`]; nothing here runs inside a search.
///
/// Stones, the game of [`Position`]'s example, as text and picture; `7 first` is a FEN:
///
/// ```
/// # use kernel::{Outcome, Position};
/// use kernel::{Board, Cell, Diagram, Lines, Names, Notation, Problem, Side};
/// #
/// # #[derive(Clone)]
/// # struct Stones(u8, Side);
/// #
/// # impl Position for Stones {
/// #     type Move = u8;
/// #     fn turn(&self) -> Side { self.1 }
/// #     fn moves(&self, out: &mut Vec<u8>) { out.extend(1..=self.0.min(2)) }
/// #     fn play(&mut self, m: u8) { *self = Stones(self.0 - m, self.1.other()) }
/// #     fn outcome(&self) -> Option<Outcome> {
/// #         (self.0 == 0).then_some(Outcome::Win(self.1.other(), "last-stone"))
/// #     }
/// #     fn key(&self) -> u64 { u64::from(self.0) * 2 + self.1.index() as u64 }
/// # }
///
/// impl Notation for Stones {
///     fn read_fen(&self, fen: &str) -> Result<Self, Problem> {
///         let (count, side) = fen.split_once(' ').ok_or(Problem::new("bad-fen"))?;
///         let side = if side == "first" { Side::First } else { Side::Second };
///         Ok(Stones(count.parse().map_err(|_| Problem::new("bad-fen").with("count", count))?, side))
///     }
///     fn fen(&self) -> String { format!("{} {}", self.0, ["first", "second"][self.1.index()]) }
///     fn move_text(&self, m: u8) -> String { m.to_string() }
///     fn read_move(&self, text: &str) -> Option<u8> {
///         text.parse().ok().filter(|m| (1..=self.0.min(2)).contains(m))
///     }
///     fn path(&self, m: u8) -> Vec<Cell> { vec![Cell::from(self.0 - m)] }
///     fn board(&self) -> Board { Board::new(Lines::Cells, 9, 1, Names::NUMBERS) }
///     fn diagram(&self) -> Diagram { Diagram::default() }
/// }
///
/// let mut game = kernel::any_at(Stones(9, Side::First), Some("7 first"))?;
/// game.play("2").unwrap();
/// assert_eq!(game.fen(), "5 second");
/// assert_eq!(game.play("3").unwrap_err().problem().key, "illegal-move");
/// # Ok::<(), Problem>(())
/// ```
pub trait Notation: Position {
    /// Reads a FEN. `self` supplies the rules (variant, size, options), `fen` the position.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::{Notation, Position, Side};
    ///
    /// let pos = Noughts::default().read_fen("xo.......")?;
    /// assert_eq!(pos.turn(), Side::First);
    /// let problem = pos.read_fen("xo").unwrap_err();
    /// assert_eq!(problem.to_string(), r#"bad-fen cells="9""#);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    ///
    /// # Errors
    /// The part of the FEN that does not fit, its place, and what is expected there. A FEN longer than any legal one is
    /// refused unread.
    fn read_fen(&self, fen: &str) -> Result<Self, Problem>;

    /// One line of text that holds this position; `read_fen` reads it back.
    fn fen(&self) -> String;

    /// The move's machine text; distinct among the legal moves.
    fn move_text(&self, m: Self::Move) -> String;

    /// The legal move that `text` names: its machine text, or whatever else players of this game write.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::Notation;
    ///
    /// let pos = Noughts::default();
    /// assert_eq!(pos.read_move("B2"), Some(4));
    /// assert_eq!(pos.move_text(4), "b2");
    /// assert_eq!(pos.read_move("d2"), None);
    /// ```
    fn read_move(&self, text: &str) -> Option<Self::Move>;

    /// Returns the reason `text` is not a legal move here. Asked only when [`read_move`](Notation::read_move) found
    /// none.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::Notation;
    ///
    /// let pos = Noughts::default();
    /// assert_eq!(pos.refusal("d2").to_string(), r#"illegal-move move="d2""#);
    /// ```
    fn refusal(&self, text: &str) -> Problem {
        Problem::new("illegal-move").with("move", text)
    }

    /// Cells to touch, in order. Empty: the move is a button, not a place.
    fn path(&self, m: Self::Move) -> Vec<Cell>;

    /// The piece to be picked, for a move that shares its [path](Notation::path) with others: of those in the hand, or
    /// of those that a piece may become.
    fn pick(&self, _m: Self::Move) -> Option<String> {
        None
    }

    /// The face of that piece; `None` if the choice is a word.
    fn picked_face(&self, _m: Self::Move) -> Option<Cow<'static, str>> {
        None
    }

    /// The pieces in the hands of both players, in a stable order; empty in games without hands.
    fn hands(&self) -> Vec<HandPiece> {
        Vec::new()
    }

    /// The pieces that `m` moves: from and to, in a stable order. Pieces that only appear are not listed.
    fn shifts(&self, _m: Self::Move) -> Vec<(Cell, Cell)> {
        Vec::new()
    }

    /// True when the legal moves are exactly the empty cells, each move named as its cell. Views then need
    /// no list.
    fn fills_any_cell(&self) -> bool {
        false
    }

    /// The board these positions stand on; the same all through a game.
    fn board(&self) -> Board;

    /// The pieces and marks now.
    fn diagram(&self) -> Diagram;

    /// The pieces alone, in any order: [`diagram`](Notation::diagram) without what the rules say about them. Override
    /// it where that is cheaper.
    fn all_pieces(&self) -> Vec<Piece> {
        self.diagram().pieces
    }

    /// Returns the directions pieces may turn to now, by rising cell; empty for games whose pieces do not show it.
    fn dirs(&self) -> Vec<Dirs> {
        Vec::new()
    }

    /// Returns what can be said about the piece on a cell, sentence by sentence: the messages `detail-<key>`. Empty:
    /// no more than its name.
    fn details(&self, _cell: Cell) -> Vec<Problem> {
        Vec::new()
    }

    /// Returns the reason `m` loses at once by the mover's own doing; `None` if it does not.
    fn warning(&self, m: Self::Move) -> Option<Reason> {
        let mut after = self.clone();
        after.play(m);
        after.outcome().filter(|o| o.winner() == Some(self.turn().other())).map(|o| o.reason())
    }

    /// Returns true if playing a move may take long, because it runs code outside this process (the extensions of a
    /// user's game). A server lets other tables go on meanwhile.
    fn waits(&self) -> bool {
        false
    }

    /// Returns true if something may be left to chance in this game, as far as can be told beforehand.
    fn has_chance(&self) -> bool {
        false
    }

    /// Returns true if chance may decide between moves that are listed, as [`Position::by_chance`] says of each.
    fn has_outcomes(&self) -> bool {
        false
    }

    /// Returns true if a side may see something in this game that the other does not.
    fn has_secrets(&self) -> bool {
        false
    }

    /// Returns this position as `eyes` see it: pieces that they do not see are told by their back alone. It is made to be
    /// shown: it lists moves only for the eyes of the side to move, and an outcome only where the game is over. Law: the
    /// moves of a position are those of the one that its mover sees.
    fn seen(&self, _eyes: Eyes) -> Self {
        self.clone()
    }

    /// Returns the legal move `m` as `eyes` see it: its text and path tell no more than they may know. It is not legal where
    /// something is hidden.
    fn seen_move(&self, m: Self::Move, _eyes: Eyes) -> Self::Move {
        m
    }

    /// Returns a position without secrets that looks as this one does, which is one that was [`seen`](Notation::seen), to
    /// the same eyes: pieces that these do not see are some that they could be. The same `seed` gives the same. Law: seen
    /// again it is this position.
    fn determinised(&self, _seed: u64) -> Self {
        self.clone()
    }

    /// Returns the count of random numbers that chance has used on the way here; 0 where nothing was left to it.
    fn draws(&self) -> u64 {
        0
    }

    /// Returns the start of the same game with `seed` for its random decisions; `None` where nothing is left to
    /// chance.
    fn seeded(&self, _seed: u128) -> Option<Self> {
        None
    }

    /// Returns the reason the last move could not be played just now, such as an overloaded machine; played again
    /// later it may be.
    fn postponed(&self) -> Option<Problem> {
        None
    }

    /// Returns the buttons of this position, legal or not; empty for games played on the board alone.
    fn buttons(&self) -> Vec<Button> {
        Vec::new()
    }

    /// Returns the task of the side to move, where it is not plain.
    fn prompt(&self) -> Option<Prompt> {
        None
    }

    /// Other names of a legal move, by notation: `("xy", "07 12")`.
    fn texts(&self, _m: Self::Move) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The names of the moves on a board that a book shows although no game could stand so: move texts, each with
    /// what [`texts`](Notation::texts) would give. Nothing when `fen` shows no such board, or the game has no such books.
    fn diagram_texts(&self, _fen: &str) -> Vec<(String, Vec<(&'static str, String)>)> {
        Vec::new()
    }

    /// Moves that may be played but lose by the rules, by move text, with the reason (renju).
    fn forbidden(&self) -> Vec<(String, &'static str)> {
        Vec::new()
    }

    /// Returns further values the game reports, by name.
    fn facts(&self) -> Vec<(&'static str, Fact)> {
        Vec::new()
    }

    /// The notations players read moves in, the usual one first: keys that [`texts`](Notation::texts) gives
    /// for every legal move, each the message `notation-<key>`. Empty: the machine text is what people read.
    fn notations(&self) -> &'static [&'static str] {
        &[]
    }

    /// Counts towards a draw or a limit that players want to see; none while they are far away.
    fn counters(&self) -> Vec<Counter> {
        Vec::new()
    }

    /// Returns the rules that bind the side to move now, for a player who tries another move: the messages
    /// `note-<key>`.
    fn notes(&self) -> Vec<Problem> {
        Vec::new()
    }

    /// Returns the name this position is known by, such as that of an opening: the message `caption-<key>`.
    fn caption(&self) -> Option<Problem> {
        None
    }

    /// Returns the cells a teacher would point at, such as threats; shown on request only.
    fn lessons(&self) -> Vec<Mark> {
        Vec::new()
    }

    /// Returns true when the players have exchanged roles: the first has what the second usually has, as after a swap
    /// in an opening. Owners of pieces and outcomes always name players.
    fn swapped(&self) -> bool {
        false
    }

    /// Returns the side that a piece put now belongs to. Not the side to move where an opening has one player put
    /// pieces of both.
    fn puts(&self) -> Side {
        self.turn()
    }

    /// Explains [`judge_cycle`](Position::judge_cycle)'s verdict on the same line and moves.
    fn ruling(_line: &[Self], _moves: &[Self::Move]) -> Option<Ruling> {
        None
    }

    /// The most legal moves of one position that share an [`action`](Notation::action): captures that take other
    /// pieces on the way.
    const ALIKE: u32 = 1;

    /// Returns the number of values that [`action`](Notation::action) can have, the same in every position of the
    /// game.
    fn actions(&self) -> u32 {
        let board = self.board();
        let cells = u32::from(board.files) * u32::from(board.ranks);
        cells * cells
    }

    /// The number of a legal move: the same for the same move in all positions, below [`actions`](Notation::actions).
    /// Here by the first and the last cell of its path; a game with buttons has its own.
    fn action(&self, m: Self::Move) -> u32 {
        let board = self.board();
        let path = self.path(m);
        let (from, to) = (path.first().copied().unwrap_or(0), path.last().copied().unwrap_or(0));
        u32::from(from) * u32::from(board.files) * u32::from(board.ranks) + u32::from(to)
    }

    /// Returns the sorts of pieces, each a plane of [`numbers`](crate::numbers): the same number all through a game.
    /// An empty face stands for all pieces of that owner that have no plane of their own.
    fn faces(&self) -> Vec<Face> {
        let palette = self.palette();
        if palette.is_empty() {
            return [Some(Side::First), Some(Side::Second), None]
                .map(|owner| (owner, Cow::Borrowed("")))
                .to_vec();
        }
        palette.into_iter().map(|(side, face)| (Some(side), face)).collect()
    }

    /// The pieces one may place when setting up a position; empty: positions cannot be set up.
    fn palette(&self) -> Vec<(Side, Cow<'static, str>)> {
        Vec::new()
    }

    /// The position with just these pieces, at most one a cell, by rising cell; `self` supplies the rules.
    ///
    /// # Errors
    /// The reason why no game could stand so, and the place.
    fn set_up(&self, _turn: Side, _pieces: &[Piece]) -> Result<Self, Problem> {
        Err(Problem::new("no-set-up"))
    }
}

/// The JSON form of pieces and their directions: short arrays, since a view has many.
#[cfg(feature = "serde")]
mod shape {
    use super::{Cell, Cow, Side};

    #[derive(serde::Serialize, serde::Deserialize)]
    pub(super) struct Piece(Cell, Option<Side>, Cow<'static, str>);

    impl From<super::Piece> for Piece {
        fn from(piece: super::Piece) -> Self {
            Piece(piece.at, piece.owner, piece.face)
        }
    }

    impl From<Piece> for super::Piece {
        fn from(Piece(at, owner, face): Piece) -> Self {
            super::Piece { at, owner, face }
        }
    }

    #[derive(serde::Serialize, serde::Deserialize)]
    pub(super) struct Dirs(Cell, u8, u8, #[serde(default, skip_serializing_if = "Vec::is_empty")] Vec<u8>);

    impl From<super::Dirs> for Dirs {
        fn from(dirs: super::Dirs) -> Self {
            Dirs(dirs.at, dirs.near, dirs.far, dirs.more)
        }
    }

    impl From<Dirs> for super::Dirs {
        fn from(Dirs(at, near, far, more): Dirs) -> Self {
            super::Dirs { at, near, far, more }
        }
    }
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use utoipa::openapi::{RefOr, Schema};
    use utoipa::{PartialSchema, ToSchema};

    /// The same arrays, item by item: utoipa describes a struct of several unnamed fields as an array without item
    /// types.
    #[expect(dead_code, reason = "only their description is used")]
    mod shape {
        use super::super::{Cell, Side};

        /// One piece of a picture: cell, owner (`null`: neither side) and face: `[112,"first","stone"]`.
        #[derive(utoipa::ToSchema)]
        pub(super) struct Piece((Cell, Option<Side>, String));

        /// The directions a piece may turn to: cell, one step, any distance, and only where there are any, the
        /// directions that the game gives a meaning of its own: `[24,90,0]`, `[24,90,0,[0,66]]`.
        #[derive(utoipa::ToSchema)]
        pub(super) struct Dirs((Cell, u8, u8, Vec<u8>));
    }

    macro_rules! shaped {
        ($($name:ident),*) => {$(
            impl PartialSchema for super::$name {
                fn schema() -> RefOr<Schema> {
                    shape::$name::schema()
                }
            }

            impl ToSchema for super::$name {
                fn name() -> Cow<'static, str> {
                    stringify!($name).into()
                }

                fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
                    shape::$name::schemas(schemas);
                }
            }
        )*};
    }
    shaped!(Piece, Dirs);
}
