//! FEN, move text and picture of gomoku.
//!
//! A FEN is the rows from the top, `/` between them, a number for a run of empty points, `b` and `w` for stones,
//! then the side to move: `15/15/15/15/15/15/15/7b7/8w6/15/15/15/15/15/15 b`. It carries the size of the
//! board; the rule comes from the position that reads it. A third field says what the stones do not: `p` after a
//! pass, `pp` after both sides passed, `!j6` when Black lost by its stone on the forbidden point j6.

use std::borrow::Cow;

use kernel::{
    Board, Button, Cell, Counter, Diagram, Lines, Mark, Names, Notation, Piece, Position, Problem, Side,
};

use crate::opening::pattern::pattern;
use crate::position::{End, size_problem};
use crate::square::MOST_SIDE;
use crate::{Forbidden, Gomoku, Move, Point, Points, Rule, threats};

/// The longest FEN there is: 26 rows of 26 stones, 25 slashes, a space, the side to move, and ` !z26`.
const LONGEST_FEN: usize = 26 * 26 + 25 + 2 + 5;
/// The one kind of piece there is.
const STONE: &str = "stone";
/// The text of a pass.
const PASS: &str = "pass";

impl Notation for Gomoku {
    fn read_fen(&self, fen: &str) -> Result<Self, Problem> {
        if fen.len() > LONGEST_FEN {
            return Err(Problem::new("gomoku-fen-too-long")
                .with("found", fen.len())
                .with("most", LONGEST_FEN));
        }
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let (board, side, last) = match *fields.as_slice() {
            [board, side] => (board, side, ""),
            [board, side, last] => (board, side, last),
            _ => return Err(Problem::new("gomoku-fen-fields").with("found", fields.len())),
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
            .and_then(|ranks| self.resized(files, ranks))?;
        if let Some(row) = widths.iter().position(|&width| width != files) {
            return Err(Problem::new("gomoku-fen-width")
                .with("row", row + 1)
                .with("found", widths[row])
                .with("expected", files));
        }
        let pos = empty.set_stones(stones, read_side(side)?)?;
        pos.read_last(last).ok_or_else(|| Problem::new("gomoku-fen-last").with("found", last))
    }

    fn fen(&self) -> String {
        let rows: Vec<String> = (0..self.ranks()).map(|row| row_text(self, row)).collect();
        format!("{} {}{}", rows.join("/"), side_letter(self.turn()), self.last_text())
    }

    fn move_text(&self, m: Move) -> String {
        match m {
            Move::Put(at) => self.name(at),
            Move::Pass => PASS.to_owned(),
        }
    }

    /// Accepts `h8`, `H8`, and the classic console's two numbers: x from the left, then y from the top, both
    /// from 0, such as `07 12`; `pass` and `--` for a pass.
    fn read_move(&self, text: &str) -> Option<Move> {
        if is_pass(text) {
            return self.may_pass().then_some(Move::Pass);
        }
        match place(self, text) {
            Place::On(at) if self.at(at).is_none() && self.outcome().is_none() => Some(Move::Put(at)),
            _ => None,
        }
    }

    fn refusal(&self, text: &str) -> Problem {
        if is_pass(text) {
            return match self.outcome() {
                Some(outcome) => Problem::new("game-over").with("reason", outcome.reason()),
                None => Problem::new("no-passes"),
            };
        }
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

    fn path(&self, m: Move) -> Vec<Cell> {
        match m {
            Move::Put(at) => vec![self.cell(at)],
            Move::Pass => Vec::new(),
        }
    }

    fn actions(&self) -> u32 {
        u32::from(self.files()) * u32::from(self.ranks()) + 1
    }

    /// The cell, and behind all cells the pass.
    fn action(&self, m: Move) -> u32 {
        match m {
            Move::Put(at) => u32::from(self.cell(at)),
            Move::Pass => Notation::actions(self) - 1,
        }
    }

    /// Returns false where the side may pass or Black has points to avoid: a list of moves carries the warnings.
    fn fills_any_cell(&self) -> bool {
        !self.may_pass() && self.blacks_to_avoid().is_empty()
    }

    fn buttons(&self) -> Vec<Button> {
        let pass = Button {
            text: Cow::Borrowed(PASS),
            name: Cow::Borrowed(PASS),
            key: Cow::Borrowed("p"),
            blockers: Vec::new(),
            shifts: Vec::new(),
        };
        if self.may_pass() { vec![pass] } else { Vec::new() }
    }

    fn board(&self) -> Board {
        let stars = stars(self).into_iter().map(|at| self.cell(at)).collect();
        Board { stars, ..Board::new(Lines::Points, self.files(), self.ranks(), Names::letters_up(1)) }
    }

    fn all_pieces(&self) -> Vec<Piece> {
        let stones: u32 = Side::BOTH.iter().map(|&side| self.stones(side).count()).sum();
        let mut pieces = Vec::with_capacity(stones as usize);
        for side in Side::BOTH {
            let stone = |at| Piece { at: self.cell(at), owner: Some(side), face: Cow::Borrowed(STONE) };
            pieces.extend(self.stones(side).iter().map(stone));
        }
        pieces
    }

    fn diagram(&self) -> Diagram {
        let mut pieces = self.all_pieces();
        pieces.sort_unstable_by_key(|piece| piece.at);
        let row: Vec<Cell> = self.winning_stones().iter().map(|at| self.cell(at)).collect();
        let forbidden = self.blacks_to_avoid().into_iter().map(|(at, _)| at).chain(self.losing_stone());
        let forbidden: Vec<Cell> = forbidden.map(|at| self.cell(at)).collect();
        let marks = [("winning-line", row), ("forbidden", forbidden)].into_iter();
        let marks = marks
            .filter(|(_, cells)| !cells.is_empty())
            .map(|(kind, cells)| Mark { kind: Cow::Borrowed(kind), cells })
            .collect();
        Diagram { pieces, marks }
    }

    fn texts(&self, m: Move) -> Vec<(&'static str, String)> {
        match m {
            Move::Put(at) => vec![("xy", format!("{:02} {:02}", at.file, at.row))],
            Move::Pass => Vec::new(),
        }
    }

    fn counters(&self) -> Vec<Counter> {
        let points = u32::from(self.files()) * u32::from(self.ranks());
        let counter = |limit: u16| Counter {
            key: "stone-count".into(),
            side: None,
            now: points - u32::from(self.empty_points()),
            limit: limit.into(),
        };
        self.stone_limit().map(counter).into_iter().collect()
    }

    /// The name of one of renju's 26 openings, while its three stones stand alone.
    fn caption(&self) -> Option<Problem> {
        if self.rule() == Rule::Renju { pattern(self).map(Problem::new) } else { None }
    }

    /// Fours, open threes and, for Black, forbidden points; each threat is a mark of its stones and then of the
    /// points that carry it out.
    fn lessons(&self) -> Vec<Mark> {
        let mark = |kind: &'static str, threat: threats::Threat| {
            let points = threat.stones.into_iter().chain(threat.points);
            Mark { kind: kind.into(), cells: points.map(|at| self.cell(at)).collect() }
        };
        let fours = threats::fours(self).into_iter().map(|t| mark("four", t));
        let threes = threats::open_threes(self).into_iter().map(|t| mark("open-three", t));
        let forbidden = self.end().is_none().then(|| self.forbidden_points()).into_iter().flatten();
        let forbidden: Vec<Cell> = forbidden.map(|(at, _)| self.cell(at)).collect();
        let forbidden =
            (!forbidden.is_empty()).then_some(Mark { kind: "forbidden".into(), cells: forbidden });
        fours.chain(threes).chain(forbidden).collect()
    }

    fn palette(&self) -> Vec<(Side, Cow<'static, str>)> {
        Side::BOTH.map(|side| (side, Cow::Borrowed(STONE))).to_vec()
    }

    fn set_up(&self, turn: Side, pieces: &[Piece]) -> Result<Self, Problem> {
        let mut stones = [Points::EMPTY; 2];
        for piece in pieces {
            let side = piece.owner.filter(|_| piece.face == STONE);
            let side = side.ok_or_else(|| Problem::new("gomoku-set-up-piece").with("found", &piece.face))?;
            let at = self
                .point(piece.at)
                .ok_or_else(|| Problem::new("gomoku-set-up-cell").with("cell", piece.at))?;
            stones[side.index()].put(at);
        }
        self.set_stones(stones, turn)
    }

    /// Returns the forbidden points while Black is to move, also of a position that was set up with a row that wins:
    /// the points are as forbidden as before.
    fn forbidden(&self) -> Vec<(String, &'static str)> {
        let black = self.turn() == Side::First;
        let points = if black { self.forbidden_points() } else { Vec::new() };
        points.into_iter().map(|(at, why)| (self.name(at), why.key())).collect()
    }
}

impl Gomoku {
    /// The forbidden points, while Black is to move.
    fn blacks_to_avoid(&self) -> Vec<(Point, Forbidden)> {
        let asked = self.turn() == Side::First && self.end().is_none();
        if asked { self.forbidden_points() } else { Vec::new() }
    }

    /// Applies the third field of a FEN to the position; `None` when the field does not fit it.
    fn read_last(self, last: &str) -> Option<Self> {
        let goes_on = self.end().is_none();
        let nobody_won = !matches!(self.end(), Some(End::Five(_)));
        match last {
            "" => Some(self),
            "p" if goes_on && self.may_pass() => Some(self.after_passes(1)),
            "pp" if goes_on && self.may_pass() => Some(self.after_passes(2)),
            _ if self.turn() == Side::Second && nobody_won => {
                let (file, row) = named(last.strip_prefix('!')?, self.ranks())?;
                let on_board =
                    (0..self.files().into()).contains(&file) && (0..self.ranks().into()).contains(&row);
                on_board.then(|| self.lost_at(Point { row: row as u8, file: file as u8 }))?
            }
            _ => None,
        }
    }

    /// The third field of a FEN, with the space before it.
    fn last_text(&self) -> String {
        match self.end() {
            Some(End::Forbidden(_, at)) => format!(" !{}", self.name(at)),
            Some(End::Passes) => " pp".to_owned(),
            _ if self.passed() => " p".to_owned(),
            _ => String::new(),
        }
    }

    /// Returns the name of that point, as people write it: `h8`.
    pub(crate) fn name(&self, at: Point) -> String {
        format!("{}{}", char::from(b'a' + at.file), self.ranks() - at.row)
    }

    /// The point of a cell; `None` off the board.
    pub(crate) fn point(&self, cell: Cell) -> Option<Point> {
        let files = Cell::from(self.files());
        let row = u8::try_from(cell / files).ok().filter(|&row| row < self.ranks())?;
        Some(Point { row, file: (cell % files) as u8 })
    }

    pub(crate) fn cell(&self, at: Point) -> Cell {
        Cell::from(at.row) * Cell::from(self.files()) + Cell::from(at.file)
    }
}

fn is_pass(text: &str) -> bool {
    let text = text.trim();
    text == "--" || text.eq_ignore_ascii_case(PASS)
}

/// The result of reading a text as a place on some board.
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

/// Parses a number of one or two digits.
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
