//! Boards as plain text, for any game: capitals for the side that moves first, small letters for the other.

use std::collections::BTreeMap;

use kernel::{AnyGame, Board, Cell, NamesKind, Piece, Side};

/// The letters of the kinds of pieces.
pub(crate) struct Letters {
    by_face: BTreeMap<String, char>,
}

impl Letters {
    /// Assigns a letter to each kind of piece on the board, from its name if that letter is free.
    pub fn of(game: &dyn AnyGame) -> Letters {
        let mut letters = Letters { by_face: BTreeMap::new() };
        letters.learn(&game.view().pieces);
        letters
    }

    /// Adds letters for kinds that appeared later.
    pub fn learn(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            let face = &*piece.face;
            if self.by_face.contains_key(face) {
                continue;
            }
            let used = |letter: &char| self.by_face.values().any(|taken| taken == letter);
            let own = face.chars().filter(char::is_ascii_lowercase);
            let letter = own.chain('a'..='z').find(|letter| !used(letter)).unwrap_or('?');
            self.by_face.insert(face.to_owned(), letter);
        }
    }

    /// Returns each kind of piece with its letter, if there are several kinds.
    pub fn legend(&self) -> Vec<(&str, char)> {
        let all = self.by_face.iter().map(|(face, letter)| (face.as_str(), letter.to_ascii_uppercase()));
        if self.by_face.len() > 1 { all.collect() } else { Vec::new() }
    }

    /// Returns the character of a piece. If there is only one kind of piece, the sides are `X` and `O`.
    fn sign(&self, piece: &Piece) -> char {
        let letter = self.by_face.get(&*piece.face).copied().unwrap_or('?');
        match (piece.owner, self.by_face.len()) {
            (Some(Side::First), 1) => 'X',
            (Some(Side::Second), 1) => 'O',
            (Some(Side::First), _) => letter.to_ascii_uppercase(),
            (Some(Side::Second), _) => letter,
            (None, _) => '#',
        }
    }
}

/// Draws the current board: pieces, `.` for an empty place, a space for a gap, `!` for a point that loses; `*`
/// follows the cells on which the last move ended.
pub(crate) fn board(game: &dyn AnyGame, letters: &Letters) -> String {
    let (board, view) = (game.board(), game.view());
    let mut signs: Vec<char> =
        (0..cells(&board)).map(|cell| if board.is_place(cell) { '.' } else { ' ' }).collect();
    for cell in view.marks.iter().filter(|mark| mark.kind == "forbidden").flat_map(|mark| &mark.cells) {
        signs[usize::from(*cell)] = '!';
    }
    for piece in &view.pieces {
        signs[usize::from(piece.at)] = letters.sign(piece);
    }
    let mut out = String::new();
    for row in 0..board.ranks {
        out.push_str(&format!("{:>3} ", row_name(&board, row)));
        for file in 0..board.files {
            let cell = board.cell(file, row);
            let last = if view.last.contains(&cell) { '*' } else { ' ' };
            out.extend([signs[usize::from(cell)], last]);
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out + &files(&board)
}

fn cells(board: &Board) -> Cell {
    Cell::from(board.files) * Cell::from(board.ranks)
}

/// Returns the label of a row: its number, or the number of its first place.
fn row_name(board: &Board, row: u8) -> String {
    if board.names.kind == NamesKind::Numbers {
        let places = (0..board.files).map(|file| board.cell(file, row));
        return places
            .into_iter()
            .find(|&cell| board.is_place(cell))
            .map_or(String::new(), |cell| board.name(cell));
    }
    let name = board.name(board.cell(0, row));
    name.trim_start_matches(|c: char| c.is_ascii_alphabetic()).to_owned()
}

/// Returns the line of file letters; empty on boards with numbered places.
fn files(board: &Board) -> String {
    if board.names.kind == NamesKind::Numbers {
        return String::new();
    }
    let names = (0..board.files).map(|file| char::from(b'a' + file).to_string());
    format!("    {}\n", names.collect::<Vec<String>>().join(" "))
}
