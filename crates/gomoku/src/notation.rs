//! FEN, move text, picture.
//!
//! A FEN is the rows from the top, `/` between them, a number for so many empty points, `b` and `w` for stones,
//! then the side to move: `15/15/15/15/15/15/15/7b7/8w6/15/15/15/15/15/15 b`. It carries the size of the
//! board; the rule comes from the position that reads it.

use std::borrow::Cow;

use kernel::{Board, Cell, Diagram, Lines, Mark, Names, Notation, Piece, Position, Problem, Side};

use crate::position::size_problem;
use crate::square::MOST_SIDE;
use crate::{Gomoku, Point, Points};

/// The longest FEN there is: 26 rows of 26 stones, 25 slashes, a space, the side to move.
const LONGEST_FEN: usize = 26 * 26 + 25 + 2;

impl Notation for Gomoku {
    fn read_fen(&self, fen: &str) -> Result<Self, Problem> {
        if fen.len() > LONGEST_FEN {
            return Err(Problem::new("gomoku-fen-too-long")
                .with("found", fen.len())
                .with("most", LONGEST_FEN));
        }
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let &[board, side] = fields.as_slice() else {
            return Err(Problem::new("gomoku-fen-fields").with("found", fields.len()));
        };
        let rows: Vec<&str> = board.split('/').collect();
        let mut stones = [Points::EMPTY; 2];
        let widths = rows
            .iter()
            .zip(0..MOST_SIDE)
            .map(|(text, row)| read_row(text, row, &mut stones))
            .collect::<Result<Vec<u8>, Problem>>()?;
        let files = widths[0];
        let empty = u8::try_from(rows.len())
            .map_err(|_| size_problem(files.into(), rows.len()))
            .and_then(|ranks| Gomoku::new(self.rule(), files, ranks))?;
        if let Some(row) = widths.iter().position(|&width| width != files) {
            return Err(Problem::new("gomoku-fen-width")
                .with("row", row + 1)
                .with("found", widths[row])
                .with("expected", files));
        }
        empty.set_up(stones, read_side(side)?)
    }

    fn fen(&self) -> String {
        let rows: Vec<String> = (0..self.ranks()).map(|row| row_text(self, row)).collect();
        format!("{} {}", rows.join("/"), side_letter(self.turn()))
    }

    fn move_text(&self, m: Point) -> String {
        self.name(m)
    }

    /// Accepts `h8`, `H8`, and the classic console's two numbers: x from the left, then y from the top, both
    /// from 0, such as `07 12`.
    fn read_move(&self, text: &str) -> Option<Point> {
        match place(self, text) {
            Place::On(at) if self.at(at).is_none() && self.outcome().is_none() => Some(at),
            _ => None,
        }
    }

    fn refusal(&self, text: &str) -> Problem {
        let corner = self.name(Point { row: 0, file: self.files() - 1 });
        match place(self, text) {
            Place::None => Problem::new("not-a-point").with("text", text).with("corner", corner),
            Place::Off => Problem::new("point-off-board").with("point", text.trim()).with("corner", corner),
            Place::On(at) => match (self.at(at), self.outcome()) {
                (Some(side), _) => {
                    Problem::new("point-occupied").with("point", self.name(at)).with("side", paint(side))
                }
                (None, Some(outcome)) => Problem::new("game-over").with("reason", outcome.reason()),
                (None, None) => Problem::new("illegal-move").with("move", text),
            },
        }
    }

    fn path(&self, m: Point) -> Vec<Cell> {
        vec![self.cell(m)]
    }

    fn fills_any_cell(&self) -> bool {
        true
    }

    fn board(&self) -> Board {
        let stars = stars(self).into_iter().map(|at| self.cell(at)).collect();
        Board {
            stars,
            ..Board::new(Lines::Points, self.files(), self.ranks(), Names::LettersUp { first: 1 })
        }
    }

    fn diagram(&self) -> Diagram {
        let mut pieces: Vec<Piece> = Side::BOTH
            .into_iter()
            .flat_map(|side| self.stones(side).iter().map(move |at| (at, side)))
            .map(|(at, side)| Piece { at: self.cell(at), owner: Some(side), face: Cow::Borrowed("stone") })
            .collect();
        pieces.sort_by_key(|piece| piece.at);
        let row: Vec<Cell> = self.winning_stones().iter().map(|at| self.cell(at)).collect();
        let mark = (!row.is_empty()).then_some(Mark { kind: "winning-line", cells: row });
        Diagram { pieces, marks: mark.into_iter().collect() }
    }

    fn texts(&self, m: Point) -> Vec<(&'static str, String)> {
        vec![("xy", format!("{:02} {:02}", m.file, m.row))]
    }
}

impl Gomoku {
    /// What people call that point: `h8`.
    pub(crate) fn name(&self, at: Point) -> String {
        format!("{}{}", char::from(b'a' + at.file), self.ranks() - at.row)
    }

    fn cell(&self, at: Point) -> Cell {
        Cell::from(at.row) * Cell::from(self.files()) + Cell::from(at.file)
    }
}

/// What a text names on some board.
enum Place {
    On(Point),
    Off,
    None,
}

fn place(pos: &Gomoku, text: &str) -> Place {
    match named(text, pos.ranks()).or_else(|| numbered(text)) {
        Some((file, row))
            if (0..pos.files().into()).contains(&file) && (0..pos.ranks().into()).contains(&row) =>
        {
            Place::On(Point { row: row as u8, file: file as u8 })
        }
        Some(_) => Place::Off,
        None => Place::None,
    }
}

/// File and row of a name such as `h8`, on the board or not.
fn named(text: &str, ranks: u8) -> Option<(i32, i32)> {
    let text = text.trim();
    let letter = text.chars().next().filter(char::is_ascii_alphabetic)?;
    let rank = number(&text[1..])?;
    Some((i32::from(letter.to_ascii_lowercase() as u8 - b'a'), i32::from(ranks) - rank))
}

/// File and row of two numbers such as `07 12`.
fn numbered(text: &str) -> Option<(i32, i32)> {
    let mut words = text.split_whitespace();
    let place = (number(words.next()?)?, number(words.next()?)?);
    words.next().is_none().then_some(place)
}

/// One or two digits.
fn number(text: &str) -> Option<i32> {
    let plain = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok())?
}

/// Reads one row of a FEN into `stones`; returns its width.
fn read_row(text: &str, row: u8, stones: &mut [Points; 2]) -> Result<u8, Problem> {
    let problem = |key, found: &str| Problem::new(key).with("row", row + 1).with("found", found);
    let mut file = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (word, after) = rest.split_at(digits.max(first.len_utf8()));
        let taken = match word {
            "b" | "w" => 1,
            _ if digits == 0 => return Err(problem("gomoku-fen-character", word)),
            run => run
                .parse()
                .ok()
                .filter(|run| (1..=MOST_SIDE).contains(run))
                .ok_or_else(|| problem("gomoku-fen-run", run).with("most", MOST_SIDE))?,
        };
        if file + taken > MOST_SIDE {
            return Err(problem("gomoku-fen-row-too-long", text).with("most", MOST_SIDE));
        }
        if digits == 0 {
            stones[usize::from(word == "w")].put(Point { row, file });
        }
        file += taken;
        rest = after;
    }
    Ok(file)
}

fn read_side(text: &str) -> Result<Side, Problem> {
    match text {
        "b" => Ok(Side::First),
        "w" => Ok(Side::Second),
        _ => Err(Problem::new("gomoku-fen-side").with("found", text)),
    }
}

const fn side_letter(side: Side) -> char {
    match side {
        Side::First => 'b',
        Side::Second => 'w',
    }
}

/// The colour of a side's stones, as in the messages `side-black` and `side-white`.
const fn paint(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

fn row_text(pos: &Gomoku, row: u8) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for file in 0..pos.files() {
        let Some(side) = pos.at(Point { row, file }) else {
            empty += 1;
            continue;
        };
        push_run(&mut text, &mut empty);
        text.push(side_letter(side));
    }
    push_run(&mut text, &mut empty);
    text
}

fn push_run(text: &mut String, empty: &mut u32) {
    if *empty > 0 {
        text.push_str(&empty.to_string());
        *empty = 0;
    }
}

/// The dotted points: where the lines near the edges cross, and the middle where there is one; large odd boards
/// have them halfway along the edges too, as a Go board of 19 has.
fn stars(pos: &Gomoku) -> Vec<Point> {
    let (across, down) = (star_lines(pos.files()), star_lines(pos.ranks()));
    let halfway = pos.files().min(pos.ranks()) >= 19;
    let dotted = |file: &StarLine, row: &StarLine| halfway || file.middle == row.middle;
    let points = down.iter().flat_map(|row| across.iter().map(move |file| (file, row)));
    points
        .filter(|(file, row)| dotted(file, row))
        .map(|(file, row)| Point { row: row.at, file: file.at })
        .collect()
}

/// A line with stars on it.
struct StarLine {
    at: u8,
    middle: bool,
}

/// The third line from each edge, the fourth on boards of 13 and more, none below 7; and the middle one.
fn star_lines(side: u8) -> Vec<StarLine> {
    let inset = match side {
        ..7 => None,
        7..13 => Some(2),
        13.. => Some(3),
    };
    let edge = |at| StarLine { at, middle: false };
    let middle = (side % 2 == 1).then_some(StarLine { at: side / 2, middle: true });
    let (near, far) = (inset.map(edge), inset.map(|inset| edge(side - 1 - inset)));
    near.into_iter().chain(middle).chain(far).collect()
}
