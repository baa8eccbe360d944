//! FEN, move text, picture.
//!
//! A FEN is the rows from the top, `/` between them; in a row the squares, `,` between them: a piece's id, with `+`
//! once it has promoted, or `.` and the number of vacant squares in a row. Then the side to move, `r` or `b`; the
//! neutral moves in a row of red and blue, those of extensions among them; and how the game ended, `-` while it goes on:
//! `3,.2,4+/.4/1,2,.,1 r 0,2 -`. It carries everything but the memory of extensions.

use std::borrow::Cow;
use std::collections::HashSet;

use kernel::numbers::Face;
use kernel::{
    Board, Button, Cell, Counter, Diagram, Dirs, Eyes, Fact, HandPiece, Lines, Mark, Names, Notation,
    Outcome, Piece, Position, Problem, Reason, Side,
};

use crate::compiled::OFF;
use crate::extension::{Details, Fault, Present};
use crate::level2::{self, BoardKind};
use crate::position::{Jingbanqi, Move, Standing};
use crate::rulebook::PieceKind;

/// The length of the longest FEN: 64 rows of 64 pieces with ids of four digits, the hands, and the rest.
const LONGEST_FEN: usize = 64 * 64 * 6 + 64 + LONGEST_HANDS;

/// The length of the hands, counters, points and bags of a FEN of level 2: one of each piece for each side, and one for
/// each row of a sheet.
const LONGEST_HANDS: usize = 2 * 4096 * 12 + 256 * 16 + 128 + LONGEST_SECRETS;

/// The length of the field with what is hidden: two sets of kinds for each of 256 pieces, and two counts for each row of bags.
const LONGEST_SECRETS: usize = 256 * 48 + 256 * 2 * 10 + 64;

/// Sections of a rule that pieces show: one step, any distance, and those with a usual meaning in extensions: shield,
/// prohibition, jump over a prohibition, pass through prohibitions. As in the reference, later ones have no sign.
const SECTIONS_SHOWN: usize = 6;

impl Notation for Jingbanqi {
    fn read_fen(&self, fen: &str) -> Result<Self, Problem> {
        if fen.len() > LONGEST_FEN {
            return Err(Problem::new("jingbanqi-fen-too-long")
                .with("found", fen.len())
                .with("most", LONGEST_FEN));
        }
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let (fields, level2) = match self.book().level2() {
            Some(_) => fields.split_at(fields.len().min(4)),
            None => (&fields[..], &[][..]),
        };
        let &[board, turn, neutral, end] = fields else {
            return Err(Problem::new("jingbanqi-fen-fields").with("found", fields.len()));
        };
        let cells = self.read_board(board)?;
        let turn = match turn {
            "r" => Side::First,
            "b" => Side::Second,
            _ => return Err(Problem::new("jingbanqi-fen-side").with("found", turn)),
        };
        let counters: Option<Vec<u32>> = neutral.split(',').map(|n| n.parse().ok()).collect();
        let Some(&[red, blue]) = counters.as_deref() else {
            return Err(Problem::new("jingbanqi-fen-neutral").with("found", neutral));
        };
        let mut read = self.at(cells, turn, [red, blue], read_end(end)?);
        read.read_fen2(level2)?;
        Ok(read)
    }

    fn fen(&self) -> String {
        let cols = u16::from(self.book().map().cols);
        let rows: Vec<String> =
            (0..u16::from(self.book().map().rows)).map(|row| self.row_text(row * cols)).collect();
        let side = ["r", "b"][self.colour().index()];
        let [red, blue] = self.neutral();
        let end = self.fault().map(|_| Outcome::Void("extension-failed")).or(self.end());
        format!("{} {side} {red},{blue} {}{}", rows.join("/"), end_text(end), self.fen2())
    }

    /// `row,column-row,column`, both from 1 at the top left as red sees the board.
    fn move_text(&self, m: Move) -> String {
        if self.second.is_some() {
            return self.move_text2(m);
        }
        format!("{}-{}", self.name(m.from), self.name(m.to))
    }

    fn read_move(&self, text: &str) -> Option<Move> {
        if self.second.is_some() {
            return self.read_move2(text);
        }
        let (from, to) = text.trim().split_once('-')?;
        let board = self.board();
        let m = Move::new(board.cell_named(from)?, board.cell_named(to)?);
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.contains(&m).then_some(m)
    }

    /// The square of a piece and its destination; of a piece from the hand the square alone.
    fn path(&self, m: Move) -> Vec<Cell> {
        if m.is_pressed() {
            Vec::new()
        } else if m.is_drop() {
            vec![m.to]
        } else {
            vec![m.from, m.to]
        }
    }

    fn pick(&self, m: Move) -> Option<String> {
        self.picked(m)
    }

    fn picked_face(&self, m: Move) -> Option<Cow<'static, str>> {
        self.picked_face2(m)
    }

    fn hands(&self) -> Vec<HandPiece> {
        self.hands2()
    }

    fn buttons(&self) -> Vec<Button> {
        self.buttons2()
    }

    fn swapped(&self) -> bool {
        self.player(Side::First) == Side::Second
    }

    fn actions(&self) -> u32 {
        if self.second.is_some() {
            return self.actions2();
        }
        let squares = self.book().map().squares() as u32;
        squares * squares
    }

    /// The square of departure times all squares, and the square of arrival; squares from 0, row by row from the top.
    fn action(&self, m: Move) -> u32 {
        if self.second.is_some() {
            return self.action2(m);
        }
        u32::from(m.from) * self.book().map().squares() as u32 + u32::from(m.to)
    }

    /// Lists the faces of pieces: those of the table by name, and last those that extensions renamed.
    fn faces(&self) -> Vec<Face> {
        let mut met = HashSet::new();
        let kinds = self.book().map().kinds.iter().filter(|kind| met.insert((kind.owner, &kind.name)));
        let face = |kind: &PieceKind| (kind.owner, Cow::Owned(kind.name.clone()));
        let mut faces: Vec<Face> = kinds.map(face).collect();
        // A piece may also change sides.
        faces.extend([Some(Side::First), Some(Side::Second), None].map(|owner| (owner, Cow::Borrowed(""))));
        faces
    }

    fn shifts(&self, m: Move) -> Vec<(Cell, Cell)> {
        // A piece from the hand only appears.
        if m.is_drop() || m.is_pressed() { Vec::new() } else { vec![(m.from, m.to)] }
    }

    fn board(&self) -> Board {
        let map = self.book().map();
        let board = |lines| Board::new(lines, map.cols, map.rows, Names::PAIRS);
        let Some((level2, compiled)) = self.book().level2() else { return board(Lines::Cells) };
        let lines = if level2.board == BoardKind::Points { Lines::Points } else { Lines::Cells };
        Board {
            gaps: compiled.gaps.clone(),
            hex: level2.board == BoardKind::Hex,
            terrain: self.terrain2(),
            hands: compiled.hands_below(map),
            ..board(lines)
        }
    }

    fn diagram(&self) -> Diagram {
        let squares = 0..self.book().map().squares() as Cell;
        let piece = |at| {
            let owner = |piece: &Present| piece.owner.map(|colour| self.player(colour));
            self.present(at).map(|piece| Piece { at, owner: owner(&piece), face: self.called(&piece).into() })
        };
        Diagram { pieces: squares.filter_map(piece).collect(), marks: self.marks() }
    }

    fn dirs(&self) -> Vec<Dirs> {
        let dirs = |(at, now): (Cell, Vec<Vec<i64>>)| {
            let mut more: Vec<u8> = (2..SECTIONS_SHOWN).map(|section| bits(now.get(section))).collect();
            while more.last() == Some(&0) {
                more.pop();
            }
            Dirs { at, near: bits(now.first()), far: bits(now.get(1)), more }
        };
        self.directions().into_iter().map(dirs).collect()
    }

    fn details(&self, cell: Cell) -> Vec<Problem> {
        self.told(cell)
    }

    fn warning(&self, _m: Move) -> Option<Reason> {
        // A captain's fall serves the mover; what an extension will do is known when it has done it.
        None
    }

    fn waits(&self) -> bool {
        self.extensions().is_some()
    }

    fn has_chance(&self) -> bool {
        self.has_bags() || self.extensions().is_some_and(|extensions| extensions.chance())
    }

    fn has_outcomes(&self) -> bool {
        self.has_bags()
    }

    /// Names a choice for which nothing was drawn as what it is.
    fn refusal(&self, text: &str) -> Problem {
        let text = text.trim();
        let mut moves = Vec::new();
        if self.has_bags() {
            self.moves(&mut moves);
        }
        let is_choice =
            |m: &&Move| self.by_chance(**m).is_some_and(|by_chance| self.move_text(by_chance.choice) == text);
        match moves.iter().find(is_choice) {
            Some(&m) => Problem::new("move-by-chance").with("move", text).with("example", self.move_text(m)),
            None => Problem::new("illegal-move").with("move", text),
        }
    }

    fn has_secrets(&self) -> bool {
        self.hides()
    }

    fn seen(&self, eyes: Eyes) -> Self {
        self.seen_by(eyes)
    }

    fn seen_move(&self, m: Move, eyes: Eyes) -> Move {
        self.seen_ply(m, eyes)
    }

    fn determinised(&self, seed: u64) -> Self {
        Jingbanqi::determinised(self, seed)
    }

    fn draws(&self) -> u64 {
        self.drawn() + u64::from(self.turned_over())
    }

    fn seeded(&self, seed: u128) -> Option<Self> {
        Jingbanqi::seeded(self, seed)
    }

    fn postponed(&self) -> Option<Problem> {
        self.fault().filter(|fault| fault.is_of_load()).map(Fault::problem)
    }

    fn caption(&self) -> Option<Problem> {
        self.fault().map(Fault::caption)
    }

    fn counters(&self) -> Vec<Counter> {
        self.counters2()
    }

    fn notes(&self) -> Vec<Problem> {
        self.notes2()
    }

    fn facts(&self) -> Vec<(&'static str, Fact)> {
        let flag = |set: bool| Fact::Count(i64::from(set));
        vec![
            ("board", Fact::Text(self.golden())),
            ("names", Fact::Named(self.renamed())),
            ("neutral", Fact::List(self.neutral().map(|n| Fact::Count(n.into())).to_vec())),
            ("check", Fact::List(self.checks().map(flag).to_vec())),
        ]
    }
}

impl Jingbanqi {
    /// `row,column`, from 1.
    fn name(&self, square: u16) -> String {
        let cols = u16::from(self.book().map().cols);
        format!("{},{}", square / cols + 1, square % cols + 1)
    }

    /// Returns the text on a piece.
    fn called(&self, piece: &Present) -> String {
        let usual = || self.book().map().kinds[usize::from(piece.id) - 1].name.clone();
        piece.name.as_deref().map_or_else(usual, str::to_owned)
    }

    /// The names that extensions gave, by square number.
    fn renamed(&self) -> Vec<(String, Fact)> {
        let squares = 0..self.book().map().squares() as u16;
        let name = |at| self.present(at).and_then(|piece| piece.name.map(|name| (at, name)));
        let told = squares.filter_map(name);
        told.map(|(at, name)| (at.to_string(), Fact::Text(name.to_string()))).collect()
    }

    /// Captains, those that are attacked, pieces that have promoted, and what extensions do by convention: pieces that have
    /// merged into a larger one, and pieces that take nothing because the other side's shield points at them.
    fn marks(&self) -> Vec<Mark> {
        // What the map says of each piece is written out only for extensions: it may be long.
        let details = self.extensions().map(|_| self.details());
        let checks = details.as_ref().map_or_else(|| self.checks(), |details| details.checks);
        let attacked =
            |piece: &Present| piece.captain && piece.owner.is_some_and(|side| checks[side.index()]);
        let cells = |wanted: &dyn Fn(Cell, &Present) -> bool| -> Vec<Cell> {
            let squares = 0..self.book().map().squares() as Cell;
            squares.filter(|&at| self.present(at).is_some_and(|piece| wanted(at, &piece))).collect()
        };
        let (shielded, merged) = match &details {
            Some(details) => (self.shielded(details), merged(details)),
            None => (Vec::new(), Vec::new()),
        };
        let marks = [
            ("captain", cells(&|_, piece| piece.captain)),
            ("promoted", cells(&|_, piece| piece.promoted)),
            ("check", cells(&|_, piece| attacked(piece))),
            ("shielded", cells(&|at, _| shielded.contains(&at))),
            ("merged", cells(&|at, _| merged.contains(&at))),
        ];
        marks
            .into_iter()
            .filter(|(_, cells)| !cells.is_empty())
            .map(|(kind, cells)| Mark { kind: kind.into(), cells })
            .collect()
    }

    /// Squares whose pieces a shield keeps from taking: section 3 of a piece of another side points at them.
    fn shielded(&self, details: &Details) -> Vec<Cell> {
        let mut held = Vec::new();
        for detail in &details.pieces {
            let owner = self.present(detail.at).map(|piece| piece.owner);
            let shields = bits(detail.now.get(2));
            for direction in (0..8).filter(|direction| shields >> direction & 1 == 1) {
                let at = self.book().step(detail.at, direction);
                if at != OFF && self.present(at).is_some_and(|piece| owner != Some(piece.owner)) {
                    held.push(at);
                }
            }
        }
        held
    }

    /// Writes every square in order, in the form of recorded games: `.`, or the id with `+` once promoted.
    fn golden(&self) -> String {
        let squares = 0..self.book().map().squares() as u16;
        let texts: Vec<String> =
            squares.map(|at| self.piece(at).map_or(".".to_owned(), piece_text)).collect();
        texts.join(" ")
    }

    fn row_text(&self, first: u16) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut vacant = 0;
        for at in first..first + u16::from(self.book().map().cols) {
            match self.piece(at) {
                None => vacant += 1,
                Some(piece) => {
                    parts.extend(run_text(&mut vacant));
                    parts.push(piece_text(piece));
                }
            }
        }
        parts.extend(run_text(&mut vacant));
        parts.join(",")
    }

    fn read_board(&self, text: &str) -> Result<Vec<Option<Standing>>, Problem> {
        let map = self.book().map();
        let mut cells = Vec::with_capacity(map.squares());
        let rows = text.split('/').count();
        if rows != usize::from(map.rows) {
            return Err(Problem::new("jingbanqi-fen-rows").with("found", rows).with("expected", map.rows));
        }
        for (row, text) in (1usize..).zip(text.split('/')) {
            for part in text.split(',') {
                let bad = || Problem::new("jingbanqi-fen-square").with("row", row).with("found", part);
                match part.strip_prefix('.') {
                    Some("") => cells.push(None),
                    Some(run) => {
                        let run = run.parse().ok().filter(|run| (2..=usize::from(map.cols)).contains(run));
                        cells.extend(std::iter::repeat_n(None, run.ok_or_else(bad)?));
                    }
                    None => cells.push(Some(self.read_piece(part).ok_or_else(bad)?)),
                }
            }
            if cells.len() != row * usize::from(map.cols) {
                let problem = Problem::new("jingbanqi-fen-row").with("row", row).with("expected", map.cols);
                return Err(
                    problem.with("found", cells.len() as i64 - ((row - 1) * usize::from(map.cols)) as i64)
                );
            }
        }
        Ok(cells)
    }

    fn read_piece(&self, text: &str) -> Option<Standing> {
        let (id, promoted) = match text.strip_suffix('+') {
            Some(id) => (id, true),
            None => (text, false),
        };
        let id = id.bytes().all(|b| b.is_ascii_digit()).then(|| id.parse().ok())??;
        (1..=self.book().map().kinds.len()).contains(&usize::from(id)).then_some(Standing { id, promoted })
    }
}

/// The directions of a section as bits, direction 1 the lowest; numbers that are no directions are left out.
fn bits(section: Option<&Vec<i64>>) -> u8 {
    let steps = section.into_iter().flatten().filter(|d| (1..=8).contains(*d));
    steps.fold(0, |bits, d| bits | 1 << (d - 1))
}

/// Squares of pieces whose attribute `is_epd` is true.
fn merged(details: &Details) -> Vec<Cell> {
    let is_set = |(name, value): &(String, String)| name == "is_epd" && value.eq_ignore_ascii_case("true");
    details.pieces.iter().filter(|piece| piece.attributes.iter().any(is_set)).map(|piece| piece.at).collect()
}

fn piece_text(piece: Standing) -> String {
    format!("{}{}", piece.id, if piece.promoted { "+" } else { "" })
}

fn run_text(vacant: &mut usize) -> Option<String> {
    match std::mem::take(vacant) {
        0 => None,
        1 => Some(".".to_owned()),
        run => Some(format!(".{run}")),
    }
}

/// Writes the end of a game as a FEN has it: the winner, `draw` or `void`, and the reason.
fn end_text(end: Option<Outcome>) -> String {
    let who = match end {
        None => return "-".to_owned(),
        Some(Outcome::Win(side, _)) => ["red", "blue"][side.index()],
        Some(Outcome::Draw(_)) => "draw",
        Some(Outcome::Void(_)) => "void",
    };
    format!("{who}:{}", end.map_or("", |end| end.reason()))
}

/// Every way a game of this kind ends by itself, but for a side without moves.
const ENDS: [Outcome; 6] = [
    Outcome::Win(Side::First, "captain-taken"),
    Outcome::Win(Side::Second, "captain-taken"),
    Outcome::Win(Side::First, "extension-win"),
    Outcome::Win(Side::Second, "extension-win"),
    Outcome::Draw("extension-draw"),
    Outcome::Void("extension-failed"),
];

fn read_end(text: &str) -> Result<Option<Outcome>, Problem> {
    if text == "-" {
        return Ok(None);
    }
    let end = ENDS.into_iter().chain(level2::ENDS).find(|&end| end_text(Some(end)) == text);
    end.map(Some).ok_or_else(|| Problem::new("jingbanqi-fen-end").with("found", text))
}

/// Serialization of the end of a game as its text in a FEN: [`Outcome`] borrows its reason, and only ends of this
/// game are read.
#[cfg(feature = "serde")]
pub(crate) mod end_as_text {
    use kernel::Outcome;
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    pub(crate) fn serialize<S: Serializer>(end: &Option<Outcome>, to: S) -> Result<S::Ok, S::Error> {
        super::end_text(*end).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Outcome>, D::Error> {
        let text = String::deserialize(from)?;
        super::read_end(&text).map_err(|_| D::Error::custom("no game ends so"))
    }
}
