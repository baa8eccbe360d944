//! Translation between our game notation and that of other programs: ranks of xiangqi, boards of draughts, points of
//! gomoku.

use kernel::{AnyGame, Cell, Problem, Side};
use protocol::gomocup::Point;
use protocol::{Colour, Place, Square};

use catalog::Ruleset;

/// The numbering of the ranks of xiangqi. Fairy-Stockfish counts from 1 in UCI: `h3e3`, `a10a9` for `h2e2`, `a9a8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ranks {
    /// Counted from 0, as in our notation, Pikafish, UCCI and UCI-Cyclone.
    #[default]
    FromZero,
    /// Counted from 1, as Fairy-Stockfish does in UCI.
    FromOne,
}

impl Ranks {
    /// Converts a move from our notation to the other program's.
    #[must_use]
    pub fn told(self, text: &str) -> String {
        self.shifted(text, 1)
    }

    /// Converts a move from the other program's notation to ours; a text that is no move stays as it is.
    #[must_use]
    pub fn heard(self, text: &str) -> String {
        self.shifted(text, -1)
    }

    fn shifted(self, text: &str, by: i32) -> String {
        if self == Ranks::FromZero {
            return text.to_owned();
        }
        squares(text).map_or_else(
            || text.to_owned(),
            |squares| squares.iter().map(|(file, rank)| format!("{file}{}", rank + by)).collect(),
        )
    }
}

/// Parses the two squares of a move: a letter and one or two digits each.
fn squares(text: &str) -> Option<Vec<(char, i32)>> {
    let mut rest = text;
    let mut found = Vec::new();
    while let Some(file) = rest.chars().next() {
        let digits = rest[file.len_utf8()..].bytes().take_while(u8::is_ascii_digit).count();
        let end = file.len_utf8() + digits;
        if !file.is_ascii_lowercase() || !(1..=2).contains(&digits) || found.len() == 2 {
            return None;
        }
        found.push((file, rest[file.len_utf8()..end].parse().ok()?));
        rest = &rest[end..];
    }
    Some(found).filter(|found| found.len() == 2)
}

/// Converts a position of draughts to a list of squares.
///
/// # Errors
/// `engine-protocol` for a game that is no draughts.
pub fn place(rules: &Ruleset, game: &dyn AnyGame) -> Result<Place, Problem> {
    let view = game.view();
    place_of(rules, &game.board(), &view.pieces, view.turn)
}

fn place_of(
    rules: &Ruleset,
    board: &kernel::Board,
    pieces: &[kernel::Piece],
    turn: Side,
) -> Result<Place, Problem> {
    if rules.family() != "draughts" {
        return Err(Problem::new("engine-protocol").with("protocol", "hub").with("game", &rules.key));
    }
    // Squares are counted from the top left, whatever people call them.
    let cells = Cell::from(board.files) * Cell::from(board.ranks);
    let places: Vec<Cell> = (0..cells).filter(|&cell| board.is_place(cell)).collect();
    let mut squares = vec![Square::Empty; places.len()];
    for piece in pieces {
        let Some(owner) = piece.owner else { continue };
        let colour = colour(rules, owner);
        let square = if piece.face == "king" { Square::King(colour) } else { Square::Man(colour) };
        if let Ok(at) = places.binary_search(&piece.at) {
            squares[at] = square;
        }
    }
    Ok(Place { turn: colour(rules, turn), squares })
}

/// Returns the colour of a side's pieces in draughts.
#[must_use]
pub fn colour(rules: &Ruleset, side: Side) -> Colour {
    if rules.colour(side) == "white" { Colour::White } else { Colour::Black }
}

/// Formats a position of draughts as a PDN FEN.
#[must_use]
pub fn fen(place: &Place) -> String {
    let list = |wanted: Colour| {
        let piece = |(i, square): (usize, &Square)| match square {
            Square::Man(colour) if *colour == wanted => Some((i + 1).to_string()),
            Square::King(colour) if *colour == wanted => Some(format!("K{}", i + 1)),
            _ => None,
        };
        place.squares.iter().enumerate().filter_map(piece).collect::<Vec<_>>().join(",")
    };
    let turn = if place.turn == Colour::White { 'W' } else { 'B' };
    format!("{turn}:W{}:B{}", list(Colour::White), list(Colour::Black))
}

/// Returns the position after the last irreversible move (a capture or a move of a man) of a line of draughts, and
/// its ply. Sent with the moves since, it keeps all that the repetition rule needs.
///
/// # Errors
/// The errors of [`place`], and the fault in the line.
pub fn since_last_change(
    rules: &Ruleset,
    fen: Option<&str>,
    moves: &[String],
) -> Result<(Place, usize), Problem> {
    let mut game = rules.open(fen)?;
    let mut root = (place(rules, game.as_ref())?, 0);
    for (ply, text) in moves.iter().enumerate() {
        let before = place(rules, game.as_ref())?;
        game.play(text).map_err(kernel::PlayError::problem)?;
        let played = protocol::Move::read(text).ok();
        let quiet = played.is_some_and(|m| {
            let square = before.squares.get(usize::from(m.from).wrapping_sub(1));
            m.captured.is_empty() && matches!(square, Some(Square::King(_)))
        });
        if !quiet {
            root = (place(rules, game.as_ref())?, ply + 1);
        }
    }
    Ok(root)
}

/// Returns a point of gomoku by its name on our board; `None` for a choice in an opening.
#[must_use]
pub fn point(board: &kernel::Board, name: &str) -> Option<Point> {
    let cell = board.cell_named(name)?;
    let files = Cell::from(board.files);
    Some(Point { x: u8::try_from(cell % files).ok()?, y: u8::try_from(cell / files).ok()? })
}

/// Returns the name of a point on our board.
#[must_use]
pub fn named(board: &kernel::Board, at: Point) -> Option<String> {
    (at.x < board.files && at.y < board.ranks).then(|| board.name(board.cell(at.x, at.y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_counted_either_way() {
        for (ours, theirs) in [("h2e2", "h3e3"), ("a9a8", "a10a9"), ("a8a9", "a9a10"), ("i0i9", "i1i10")] {
            assert_eq!(Ranks::FromOne.told(ours), theirs);
            assert_eq!(Ranks::FromOne.heard(theirs), ours);
            assert_eq!(Ranks::FromZero.heard(theirs), theirs);
        }
        for odd in ["", "0000", "h2", "h2e2q", "h2e2e4", "h222", "é2e2"] {
            assert_eq!(Ranks::FromOne.told(odd), odd);
        }
    }

    #[test]
    fn boards_of_draughts_are_told_square_by_square() {
        let rules = Ruleset::new("draughts/international", &catalog::Options::new()).unwrap();
        let game = rules.open(Some("B:W28,K33:B1,K5,19")).unwrap();
        let place = place(&rules, game.as_ref()).unwrap();
        assert_eq!(fen(&place), "B:W28,K33:B1,K5,19");
        assert_eq!(place.squares.len(), 50);
        let english = Ruleset::new("draughts/english", &catalog::Options::new()).unwrap();
        let start = super::place(&english, english.open(None).unwrap().as_ref()).unwrap();
        assert_eq!((start.turn, start.squares.len()), (Colour::Black, 32));
        assert_eq!(rules.open(Some(&fen(&place))).unwrap().fen(), game.fen());
    }

    /// Every variant of draughts converts to numbered squares and back, also where squares are named by letters.
    #[test]
    fn every_variant_is_told_by_numbers_and_read_again() {
        let keys = catalog::ENTRIES.iter().map(|entry| entry.key).filter(|key| key.starts_with("draughts/"));
        let mut seen = 0;
        for key in keys {
            let rules = Ruleset::new(key, &catalog::Options::new()).unwrap();
            let mut game = rules.open(None).unwrap();
            for _ in 0..20 {
                let told = place(&rules, game.as_ref()).unwrap();
                let read = rules.open(Some(&fen(&told))).unwrap();
                assert_eq!(read.moves(), game.moves(), "{key}: {}", fen(&told));
                let Some(m) = game.moves().into_iter().next() else { break };
                game.play(&m).unwrap();
            }
            seen += 1;
        }
        assert_eq!(seen, 17);
    }

    #[test]
    fn a_line_begins_where_it_last_changed() {
        let rules = Ruleset::new("draughts/international", &catalog::Options::new()).unwrap();
        let moves: Vec<String> = ["47-36", "5-10", "36-47", "10-5"].map(String::from).to_vec();
        let (root, from) = since_last_change(&rules, Some("W:WK47,48:BK5,6"), &moves).unwrap();
        assert_eq!((fen(&root).as_str(), from), ("W:WK47,48:BK5,6", 0));
        let moves = ["48-42", "5-10", "47-36"].map(String::from).to_vec();
        let (root, from) = since_last_change(&rules, Some("W:WK47,48:BK5,6"), &moves).unwrap();
        assert_eq!((fen(&root).as_str(), from), ("B:W42,K47:BK5,6", 1));
    }
}
