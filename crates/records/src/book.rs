//! Opening books of xiangqi programs, obk and xqb: the keys of positions and the numbers of moves in them.
//!
//! Both are SQLite files with a row for each move of a position: its key, the move, a value, and how many games were
//! won, drawn and lost with it by the side that made it. The `library` reads the rows; what they mean stands here.
//!
//! - **obk**, table `bhobk`: the key is 64 bits, a Zobrist key with the numbers of `data/obk-keys.txt` and one more for
//!   Red to move. A position may stand under its own key or under that of its mirror image, left for right. A move is two
//!   bytes, from and to: rank and file from the top left, each counted from 3.
//! - **xqb**, table `book`: the key is the position itself, from the top left, a bit for each point and four more for a
//!   piece, as the side to move sees it when it plays Red, and mirrored where that puts the greater piece to the left. A
//!   move is four digits of four bits: rank and file from the top left, from and to, on that board.
//!
//! Source: `xiangqi_tui` 0.1.0 (MIT), which follows public-Xiangqi and fisherfan/xqbook.

use std::sync::OnceLock;

const RANKS: usize = 10;
const FILES: usize = 9;
/// The pieces in the order of the keys of obk, Red's as capitals.
const OBK_PIECES: &[u8; 14] = b"KABNRCPkabnrcp";
/// The key of obk for Red to move.
const OBK_RED: u64 = 0xA0CE_2AF9_0C45_2F58;
/// The pieces in the order of the codes of xqb; a dot has none.
const XQB_PIECES: &[u8; 16] = b".RNBAKCP.rnbakcp";
/// The number from which ranks and files of obk are counted.
const OBK_FIRST: usize = 3;

/// The orientation of a key's board relative to that of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// True when it is rotated by half a turn, since Black is to move.
    pub turned: bool,
    /// True when left and right are exchanged.
    pub mirrored: bool,
}

/// The letters on the points from the top left, and whether Red is to move.
struct Board {
    cells: [u8; RANKS * FILES],
    red: bool,
}

impl Board {
    /// Reads the board of a FEN.
    fn read(fen: &str) -> Option<Board> {
        let mut fields = fen.split_whitespace();
        let mut cells = [b'.'; RANKS * FILES];
        let mut ranks = 0;
        for (rank, row) in fields.next()?.split('/').enumerate() {
            let mut file = 0;
            for letter in row.bytes() {
                if letter.is_ascii_digit() {
                    file += usize::from(letter - b'0');
                } else {
                    *cells.get_mut(rank * FILES + file).filter(|_| file < FILES)? = letter;
                    file += 1;
                }
            }
            ranks += usize::from(file == FILES);
        }
        let red = matches!(fields.next()?, "w" | "r");
        (ranks == RANKS).then_some(Board { cells, red })
    }

    /// Returns the mirror image, left for right.
    fn mirrored(&self) -> Board {
        let mut cells = self.cells;
        cells.chunks_exact_mut(FILES).for_each(<[u8]>::reverse);
        Board { cells, red: self.red }
    }

    /// Returns the board as the side to move sees it if it were Red.
    fn as_red(&self) -> Board {
        if self.red {
            return Board { cells: self.cells, red: true };
        }
        let mut cells = self.cells;
        cells.reverse();
        for letter in &mut cells {
            if letter.is_ascii_alphabetic() {
                *letter ^= 0x20;
            }
        }
        Board { cells, red: true }
    }
}

/// The numbers of obk, by piece and point.
fn obk_numbers() -> &'static [u64] {
    static NUMBERS: OnceLock<Vec<u64>> = OnceLock::new();
    NUMBERS.get_or_init(|| {
        let lines = include_str!("../data/obk-keys.txt").lines().filter(|line| !line.starts_with('#'));
        let numbers = lines.flat_map(str::split_whitespace);
        numbers.map(|number| u64::from_str_radix(number, 16).expect("sixteen digits")).collect()
    })
}

/// Returns the key of a position of xiangqi in obk, and that of its mirror image; `None` for an invalid position.
///
/// ```
/// let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
/// let [key, mirrored] = records::book::obk_keys(start).unwrap();
/// assert_eq!(key, mirrored, "the start is its own mirror image");
/// ```
#[must_use]
pub fn obk_keys(fen: &str) -> Option<[u64; 2]> {
    let board = Board::read(fen)?;
    let key = |board: &Board| {
        board.cells.iter().enumerate().filter(|(_, letter)| **letter != b'.').try_fold(
            if board.red { OBK_RED } else { 0 },
            |key, (at, letter)| {
                let piece = OBK_PIECES.iter().position(|known| known == letter)?;
                Some(key ^ obk_numbers()[piece * RANKS * FILES + at])
            },
        )
    };
    Some([key(&board)?, key(&board.mirrored())?])
}

/// The text of a move of obk, such as `h2e2`; `None` for a number that is no move.
///
/// ```
/// use records::book::obk_move;
///
/// assert_eq!(obk_move(0xCAC7, false).as_deref(), Some("h0e0"));
/// assert_eq!(obk_move(-1, false), None);
/// ```
#[must_use]
pub fn obk_move(number: i64, mirrored: bool) -> Option<String> {
    let [0, 0, 0, 0, 0, 0, from, to] = number.to_be_bytes() else { return None };
    let point = |byte: u8| {
        let rank = usize::from(byte >> 4).checked_sub(OBK_FIRST)?;
        let file = usize::from(byte & 15).checked_sub(OBK_FIRST)?;
        Some((rank, file))
    };
    named([point(from)?, point(to)?], Seen { turned: false, mirrored })
}

/// Returns the key of a position of xiangqi in xqb, and the orientation of its board; `None` for an invalid position.
///
/// ```
/// use records::book::xqb_key;
///
/// let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
/// let (key, seen) = xqb_key(start).unwrap();
/// assert!(!seen.turned && !seen.mirrored && !key.is_empty());
/// assert_eq!(xqb_key("no board"), None);
/// ```
#[must_use]
pub fn xqb_key(fen: &str) -> Option<(Vec<u8>, Seen)> {
    let board = Board::read(fen)?;
    let turned = !board.red;
    let mut board = board.as_red();
    let mirror = board.mirrored();
    let code = |letter: u8| XQB_PIECES.iter().position(|&known| known == letter && letter != b'.');
    // The first point that differs from its mirror image decides; a piece is more than none.
    let differ = board.cells.iter().zip(&mirror.cells).find(|(here, there)| here != there);
    let mirrored = differ.is_some_and(|(&here, &there)| code(there) > code(here));
    if mirrored {
        board = mirror;
    }
    let mut key = Vec::new();
    let mut bits = 0_usize;
    let mut put = |value: usize, count: usize| {
        for at in (0..count).rev() {
            if bits.is_multiple_of(8) {
                key.push(0);
            }
            let bit = u8::from(value >> at & 1 == 1);
            *key.last_mut().expect("a byte was put") |= bit << (7 - bits % 8);
            bits += 1;
        }
    };
    for &letter in &board.cells {
        if letter == b'.' {
            put(0, 1);
        } else {
            put(1, 1);
            put(code(letter)?, 4);
        }
    }
    Some((key, Seen { turned, mirrored }))
}

/// Returns the text of a move of xqb under a key whose board has that orientation; `None` for a number that is no
/// move.
///
/// ```
/// use records::book::{Seen, xqb_move};
///
/// assert_eq!(xqb_move(0x7774, Seen::default()).as_deref(), Some("h2e2"));
/// assert_eq!(xqb_move(-1, Seen::default()), None);
/// ```
#[must_use]
pub fn xqb_move(number: i64, seen: Seen) -> Option<String> {
    let digits = u16::try_from(number).ok()?;
    let digit = |at: u32| usize::from(digits >> (4 * at) & 15);
    named([(digit(3), digit(2)), (digit(1), digit(0))], seen)
}

/// Returns the text of a move between two points, rank and file from the top left of a board with that orientation.
fn named(points: [(usize, usize); 2], seen: Seen) -> Option<String> {
    let mut text = String::with_capacity(4);
    for (rank, file) in points {
        let (last_rank, last_file) = (RANKS - 1, FILES - 1);
        let rank = if seen.turned { last_rank.checked_sub(rank)? } else { rank };
        // Turned and mirrored, a file is where it was.
        let file = if seen.turned == seen.mirrored { file } else { last_file.checked_sub(file)? };
        if file > last_file {
            return None;
        }
        text.push(char::from(b"abcdefghi"[file]));
        text.push(char::from(b"9876543210".get(rank).copied()?));
    }
    Some(text)
}
