//! Names of moves: 炮二平五, `C2=5`, `H2-E2`.
//!
//! All but the last name the piece and its file, and say where it goes. Files count from 1 at the mover's own right
//! hand. Straight movers give a distance when they advance or retreat; a piece that goes sideways or aslant gives the
//! file it comes to. Of pieces that crowd a file the name says which: docs/rules/xiangqi.md, 11.

use kernel::Side;

use crate::square::SQUARES;
use crate::{Kind, Move, Piece, Square, Xiangqi};

/// The Chinese characters to write.
///
/// ```
/// use xiangqi::text::{Script, Width, chinese};
/// use xiangqi::{Move, Rules, Xiangqi};
///
/// let start = Xiangqi::new(Rules::Asian);
/// let said = |script| chinese(&start, Move::named("h0g2").unwrap(), script, Width::Half);
/// assert_eq!(said(Script::Simplified), "马二进三");
/// assert_eq!(said(Script::Traditional), "傌二進三");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Script {
    /// Simplified characters: 炮二平五, 马8进7.
    #[default]
    Simplified,
    /// 炮二平五, 馬8進7; Red's horses and rooks are 傌 and 俥, Black's cannons 砲.
    Traditional,
}

/// The width of Black's digits.
///
/// ```
/// use kernel::Side;
/// use xiangqi::text::{Script, Width, chinese};
/// use xiangqi::{Move, Rules, Xiangqi};
///
/// let black = Xiangqi::new(Rules::Asian).with_turn(Side::Second);
/// let said = |width| chinese(&black, Move::named("h9g7").unwrap(), Script::Simplified, width);
/// assert_eq!((said(Width::Half), said(Width::Full)), ("马8进7".into(), "马８进７".into()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Width {
    /// One column, as ASCII: 马8进7.
    #[default]
    Half,
    /// 马８进７, as books are set.
    Full,
}

/// The ways to tell a piece from others of its kind on its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// The file alone: no other piece of its kind is there.
    Alone,
    /// One of two on a file: in front or behind.
    Pair {
        /// True for the piece nearer to the enemy.
        front: bool,
    },
    /// One of the soldiers in one crowded file: its place from the front, from 0, and their number.
    Column {
        /// The place from the front.
        nth: u8,
        /// The number of soldiers in the file, 3 to 5.
        of: u8,
    },
    /// One of the soldiers in two crowded files: its place from the front of its file, and its place among all, the
    /// file at the mover's right first; both from 0.
    Columns {
        /// The place from the front.
        nth: u8,
        /// The place among all that are crowded.
        overall: u8,
    },
}

/// The ways a piece can go, as its owner sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// Towards the enemy's end of the board: 进 or `+`.
    Advance,
    /// Towards the owner's end of the board: 退 or `-`.
    Retreat,
    /// Along the row: 平 or `=`.
    Traverse,
}

/// A move as its notations see it, before it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveParts {
    pub(crate) side: Side,
    pub(crate) kind: Kind,
    pub(crate) file: u8, // from 1
    pub(crate) place: Place,
    pub(crate) way: Way,
    pub(crate) goal: u8, // a distance or a file, from 1
}

/// The file of a square as `side` counts it: 1 at its right hand.
pub(crate) const fn file_of(side: Side, square: Square) -> u8 {
    match side {
        Side::First => 9 - square.file(),
        Side::Second => square.file() + 1,
    }
}

/// Returns the number of ranks between a square and the back rank of `side`.
fn height(side: Side, square: Square) -> u8 {
    match side {
        Side::First => 9 - square.row(),
        Side::Second => square.row(),
    }
}

/// A board one can look at: all that the name of a move depends on.
///
/// ```
/// use kernel::Side;
/// use xiangqi::text::{Seen, wxf};
/// use xiangqi::{Kind, Move, Piece, Square};
///
/// /// A board of nothing but Red's cannons.
/// struct Cannons;
///
/// impl Seen for Cannons {
///     fn seen(&self, square: Square) -> Option<Piece> {
///         (square.row() == 7).then_some(Piece { side: Side::First, kind: Kind::Cannon })
///     }
/// }
///
/// assert_eq!(wxf(&Cannons, Move::named("h2h6").unwrap()), "C2+4");
/// ```
pub trait Seen {
    /// Returns the piece on that square.
    fn seen(&self, square: Square) -> Option<Piece>;
}

impl Seen for Xiangqi {
    fn seen(&self, square: Square) -> Option<Piece> {
        self.piece_at(square)
    }
}

/// Returns the move in the terms of the notations; `None` if `m` starts on an empty square.
pub(crate) fn said(pos: &impl Seen, m: Move) -> Option<MoveParts> {
    said_where(pos, m, |_, _, _| true)
}

/// The same, if piece, way and goal are as wanted; to tell where the piece stands among its fellows takes longest.
pub(crate) fn said_where(
    pos: &impl Seen,
    m: Move,
    wanted: impl FnOnce(Kind, Way, u8) -> bool,
) -> Option<MoveParts> {
    let piece = pos.seen(m.from)?;
    let (start, end) = (height(piece.side, m.from), height(piece.side, m.to));
    let target = file_of(piece.side, m.to);
    let straight = matches!(piece.kind, Kind::General | Kind::Rook | Kind::Cannon | Kind::Soldier);
    let goal = if straight && start != end { start.abs_diff(end) } else { target };
    let way = match end.cmp(&start) {
        std::cmp::Ordering::Greater => Way::Advance,
        std::cmp::Ordering::Less => Way::Retreat,
        std::cmp::Ordering::Equal => Way::Traverse,
    };
    let (side, kind) = (piece.side, piece.kind);
    if !wanted(kind, way, goal) {
        return None;
    }
    Some(MoveParts { side, kind, file: file_of(side, m.from), place: place(pos, m.from), way, goal })
}

/// The pieces of that side and kind, by file from its right, the foremost of a file first.
fn ranks(pos: &impl Seen, side: Side, kind: Kind) -> Vec<Square> {
    let alike = |square: &Square| pos.seen(*square) == Some(Piece { side, kind });
    let mut all: Vec<Square> = (0..SQUARES).map(Square).filter(alike).collect();
    all.sort_by_key(|&s| (file_of(side, s), 9 - height(side, s)));
    all
}

/// Returns the way to tell the piece on `square` from the others on its file.
pub(crate) fn place(pos: &impl Seen, square: Square) -> Place {
    let Some(piece) = pos.seen(square) else { return Place::Alone };
    // Of two advisors or elephants on a file one can only advance and one only retreat: their way tells.
    if matches!(piece.kind, Kind::General | Kind::Advisor | Kind::Elephant) {
        return Place::Alone;
    }
    let all = ranks(pos, piece.side, piece.kind);
    let on = |file: u8| all.iter().filter(|s| s.file() == file).count() as u8;
    let of = on(square.file());
    if of < 2 {
        return Place::Alone;
    }
    let crowded: Vec<Square> = all.iter().copied().filter(|s| on(s.file()) > 1).collect();
    let overall = crowded.iter().position(|&s| s == square).unwrap_or(0) as u8;
    let nth =
        crowded.iter().filter(|s| s.file() == square.file()).position(|&s| s == square).unwrap_or(0) as u8;
    if crowded.len() as u8 > of && piece.kind == Kind::Soldier {
        Place::Columns { nth, overall }
    } else if of > 2 {
        Place::Column { nth, of }
    } else {
        Place::Pair { front: nth == 0 }
    }
}

/// The WXF text: `C2=5`, `H+-3`, `15=6`.
///
/// ```
/// use xiangqi::{Move, Rules, Xiangqi, text::wxf};
///
/// let start = Xiangqi::new(Rules::Asian);
/// assert_eq!(wxf(&start, Move::named("h2e2").unwrap()), "C2=5");
/// assert_eq!(wxf(&start, Move::named("b0c2").unwrap()), "H8+7");
/// ```
#[must_use]
pub fn wxf(pos: &impl Seen, m: Move) -> String {
    let Some(said) = said(pos, m) else { return m.to_string() };
    let letter = wxf_letter(said.kind);
    let who = match said.place {
        Place::Alone => format!("{letter}{}", said.file),
        Place::Pair { front } => format!("{letter}{}", if front { '+' } else { '-' }),
        Place::Column { nth, .. } | Place::Columns { nth, .. } => format!("{}{}", nth + 1, said.file),
    };
    let way = match said.way {
        Way::Advance => '+',
        Way::Retreat => '-',
        Way::Traverse => '=',
    };
    format!("{who}{way}{}", said.goal)
}

/// The letter WXF gives a kind.
pub(crate) const fn wxf_letter(kind: Kind) -> char {
    match kind {
        Kind::General => 'K',
        Kind::Advisor => 'A',
        Kind::Elephant => 'E',
        Kind::Horse => 'H',
        Kind::Rook => 'R',
        Kind::Cannon => 'C',
        Kind::Soldier => 'P',
    }
}

/// The ICCS text: `H2-E2`.
///
/// ```
/// use xiangqi::{Move, text::iccs};
///
/// assert_eq!(iccs(Move::named("h2e2").unwrap()), "H2-E2");
/// ```
#[must_use]
pub fn iccs(m: Move) -> String {
    format!("{}-{}", m.from, m.to).to_ascii_uppercase()
}

/// The Chinese text, 纵线: 炮二平五, 前马进七, 马8进7.
///
/// ```
/// use xiangqi::text::{Script, Width, chinese};
/// use xiangqi::{Move, Rules, Xiangqi};
///
/// let start = Xiangqi::new(Rules::Asian);
/// let m = Move::named("h2e2").unwrap();
/// assert_eq!(chinese(&start, m, Script::Simplified, Width::Half), "炮二平五");
/// ```
#[must_use]
pub fn chinese(pos: &impl Seen, m: Move, script: Script, width: Width) -> String {
    let Some(said) = said(pos, m) else { return m.to_string() };
    let digit = |n: u8| match (said.side, width) {
        (Side::First, _) => HAN[n as usize],
        (Side::Second, Width::Half) => char::from(b'0' + n),
        (Side::Second, Width::Full) => FULL[n as usize],
    };
    let traditional = script == Script::Traditional;
    let (front, rear) = if traditional { ('前', '後') } else { ('前', '后') };
    let name = name(said.side, said.kind, script);
    let which = match said.place {
        Place::Alone => None,
        Place::Pair { front: true } | Place::Column { nth: 0, of: 3 } => Some(front),
        Place::Pair { front: false } | Place::Column { nth: 2, of: 3 } => Some(rear),
        Place::Column { of: 3, .. } => Some('中'),
        Place::Column { nth, .. } => Some(HAN[nth as usize + 1]),
        Place::Columns { overall, .. } => Some(HAN[overall as usize + 1]),
    };
    let way = match said.way {
        Way::Advance if traditional => '進',
        Way::Advance => '进',
        Way::Retreat => '退',
        Way::Traverse => '平',
    };
    let who = which.map_or_else(|| [name, digit(said.file)], |which| [which, name]);
    who.into_iter().chain([way, digit(said.goal)]).collect()
}

/// The digits of Red's files, and those that number crowded soldiers.
pub(crate) const HAN: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
const FULL: [char; 10] = ['０', '１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// The character on a piece.
///
/// ```
/// use kernel::Side;
/// use xiangqi::Kind;
/// use xiangqi::text::{Script, name};
///
/// let general = |side| name(side, Kind::General, Script::Simplified);
/// assert_eq!((general(Side::First), general(Side::Second)), ('帅', '将'));
/// ```
#[must_use]
pub const fn name(side: Side, kind: Kind, script: Script) -> char {
    match (kind, side, script) {
        (Kind::General, Side::First, Script::Simplified) => '帅',
        (Kind::General, Side::First, Script::Traditional) => '帥',
        (Kind::General, Side::Second, Script::Simplified) => '将',
        (Kind::General, Side::Second, Script::Traditional) => '將',
        (Kind::Advisor, Side::First, _) => '仕',
        (Kind::Advisor, Side::Second, _) => '士',
        (Kind::Elephant, Side::First, _) => '相',
        (Kind::Elephant, Side::Second, _) => '象',
        (Kind::Horse, _, Script::Simplified) => '马',
        (Kind::Horse, Side::First, Script::Traditional) => '傌',
        (Kind::Horse, Side::Second, Script::Traditional) => '馬',
        (Kind::Rook, _, Script::Simplified) => '车',
        (Kind::Rook, Side::First, Script::Traditional) => '俥',
        (Kind::Rook, Side::Second, Script::Traditional) => '車',
        (Kind::Cannon, Side::Second, Script::Traditional) => '砲',
        (Kind::Cannon, ..) => '炮',
        (Kind::Soldier, Side::First, _) => '兵',
        (Kind::Soldier, Side::Second, _) => '卒',
    }
}
