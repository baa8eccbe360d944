//! Pebbles and a lantern: the smallest game that uses everything the kernel offers.
//!
//! ```text
//!     a b c d e
//!  1  o o o o o     a heap of pebbles: whoever takes the last one loses
//!  2  * . .         the lantern: on the k-th place, up to k pebbles may be taken
//! ```
//!
//! A turn is two plies by one side: slide the lantern to another place (touch it, touch there), then press a
//! button: take some pebbles, or pass. Passing lets positions come back, so the game knows repetition. A slide
//! may be taken back alone. `flaw` breaks the game on purpose, one law at a time.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kernel::{
    Board, Button, Cell, Counter, Diagram, Lines, Mark, Names, Notation, Outcome, Piece, Position, Problem,
    Prompt, Ruling, Side,
};

/// Columns of the board, and the most pebbles a heap has.
pub const HEAP: u8 = 5;
/// Places the lantern can stand on.
const PLACES: u8 = 3;

#[derive(Clone, Debug)]
pub struct Pebbles {
    pub left: u8,
    pub lantern: u8,
    side: Side,
    /// The lantern was slid, a button must follow.
    slid: bool,
    /// Plies since a pebble was taken.
    quiet: usize,
    pub flaw: Flaw,
    /// Plies played, which no FEN tells: only flawed games look at it.
    plies: u64,
    /// The number of plies all copies together had played, this one included: only flawed games look at it.
    stamp: u64,
    played_by_all: Arc<AtomicU64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    Slide(u8),
    Take(u8),
    Pass,
}

/// The ways a test game can break the laws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    None,
    MovesAfterTheEnd,
    MiscountsMoves,
    SharesMoveTexts,
    SharesActions,
    CannotReadMoves,
    CannotReadFens,
    ForgetsInFens,
    HidesInKeys,
    NamelessMoves,
    HidesTheEnd,
    NamelessPlaces,
    UnorderedPieces,
    PiecesOffTheBoard,
    ClaimsToFill,
    ClaimsToUseUp,
    PathsOffTheBoard,
    NoButtons,
    BlockedButtons,
    ImpureKey,
    ImpureFen,
    ForgetsQuietPlies,
    InventsQuietPlies,
    MiscountsAfterMoves,
}

impl Pebbles {
    pub fn start() -> Self {
        Pebbles {
            left: HEAP,
            lantern: 0,
            side: Side::First,
            slid: false,
            quiet: 0,
            flaw: Flaw::None,
            plies: 0,
            stamp: 0,
            played_by_all: Arc::default(),
        }
    }

    pub fn flawed(flaw: Flaw) -> Self {
        Pebbles { flaw, ..Pebbles::start() }
    }

    fn is(&self, flaw: Flaw) -> bool {
        self.flaw == flaw
    }

    fn place(lantern: u8) -> Cell {
        Cell::from(HEAP) + Cell::from(lantern)
    }
}

impl Position for Pebbles {
    type Move = Act;

    fn turn(&self) -> Side {
        self.side
    }

    fn moves(&self, out: &mut Vec<Act>) {
        if self.outcome().is_some() {
            if self.is(Flaw::MovesAfterTheEnd) {
                out.push(Act::Pass);
            }
            return;
        }
        if self.slid {
            out.extend((1..=self.left.min(self.lantern + 1)).map(Act::Take));
            out.push(Act::Pass);
        } else {
            out.extend((0..PLACES).filter(|&p| p != self.lantern).map(Act::Slide));
        }
    }

    fn uses_up(&self, _m: Act) -> bool {
        self.is(Flaw::ClaimsToUseUp)
    }

    fn play(&mut self, m: Act) {
        self.plies += 1;
        self.stamp = self.played_by_all.fetch_add(1, Ordering::Relaxed) + 1;
        self.quiet += 1;
        match m {
            Act::Slide(to) => self.lantern = to,
            Act::Take(n) => {
                self.left -= n;
                self.quiet = 0;
            }
            Act::Pass => {}
        }
        self.slid = matches!(m, Act::Slide(_));
        if !self.slid {
            self.side = self.side.other();
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.is(Flaw::HidesTheEnd) && self.plies >= 3 {
            return Some(Outcome::Void("bored"));
        }
        (self.left == 0).then_some(Outcome::Win(self.side, "last-pebble"))
    }

    fn key(&self) -> u64 {
        let hidden = match self.flaw {
            Flaw::HidesInKeys => self.plies,
            Flaw::ImpureKey => self.stamp,
            _ => 0,
        };
        let place = u64::from(self.left) * 3 + u64::from(self.lantern);
        hidden * 1000 + place * 4 + self.side.index() as u64 * 2 + u64::from(self.slid)
    }

    fn count(&self) -> u64 {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.len() as u64 + u64::from(self.is(Flaw::MiscountsMoves))
    }

    fn count_after(&self, moves: &[Act]) -> u64 {
        let after = |&m| {
            let mut next = self.clone();
            next.play(m);
            next.count()
        };
        moves.iter().map(after).sum::<u64>() + u64::from(self.is(Flaw::MiscountsAfterMoves) && self.slid)
    }

    fn reversible(&self) -> usize {
        match self.flaw {
            Flaw::ForgetsQuietPlies => 0,
            Flaw::InventsQuietPlies => 2 * self.quiet,
            _ => self.quiet,
        }
    }

    fn withdraws(&self) -> bool {
        self.slid
    }

    fn judge_cycle(line: &[Self], moves: &[Act]) -> Option<Outcome> {
        assert_eq!(line.len(), moves.len() + 1, "a move leads from each position to the next");
        assert_eq!(line[0].key(), line[moves.len()].key(), "the line comes back to where it was");
        Some(Outcome::Draw("repetition"))
    }
}

impl Notation for Pebbles {
    /// Pebbles, lantern, side, step, quiet plies: `5 0 first slide 0`.
    fn read_fen(&self, fen: &str) -> Result<Self, Problem> {
        let problem = || Problem::new("bad-fen").with("fen", fen);
        if self.is(Flaw::CannotReadFens) {
            return Err(problem());
        }
        let words: Vec<&str> = fen.split(' ').collect();
        let &[left, lantern, side, step, quiet] = words.as_slice() else { return Err(problem()) };
        let number =
            |text: &str, limit: u8| text.parse().ok().filter(|&n: &u8| n < limit).ok_or_else(problem);
        Ok(Pebbles {
            left: number(left, HEAP + 1)?,
            lantern: number(lantern, PLACES)?,
            side: match side {
                "first" => Side::First,
                "second" => Side::Second,
                _ => return Err(problem()),
            },
            slid: match step {
                "slide" => false,
                "press" => true,
                _ => return Err(problem()),
            },
            quiet: if self.is(Flaw::ForgetsInFens) { 0 } else { quiet.parse().map_err(|_| problem())? },
            plies: 0,
            ..self.clone()
        })
    }

    fn fen(&self) -> String {
        let side = ["first", "second"][self.side.index()];
        let step = if self.slid { "press" } else { "slide" };
        let quiet = if self.is(Flaw::ImpureFen) { self.stamp as usize } else { self.quiet };
        format!("{} {} {side} {step} {quiet}", self.left, self.lantern)
    }

    fn move_text(&self, m: Act) -> String {
        match m {
            Act::Slide(to) => self.board().name(Pebbles::place(to)),
            Act::Take(_) if self.is(Flaw::SharesMoveTexts) => "take".to_string(),
            Act::Take(n) => format!("take{n}"),
            Act::Pass => "pass".to_string(),
        }
    }

    /// Capitals will do, too.
    fn read_move(&self, text: &str) -> Option<Act> {
        if self.is(Flaw::CannotReadMoves) {
            return None;
        }
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.into_iter().find(|&m| self.move_text(m).eq_ignore_ascii_case(text))
    }

    fn path(&self, m: Act) -> Vec<Cell> {
        match m {
            Act::Slide(_) if self.is(Flaw::PathsOffTheBoard) => vec![999],
            Act::Slide(to) => vec![Pebbles::place(self.lantern), Pebbles::place(to)],
            Act::Take(_) | Act::Pass => Vec::new(),
        }
    }

    fn actions(&self) -> u32 {
        20
    }

    fn action(&self, m: Act) -> u32 {
        match m {
            Act::Slide(_) if self.is(Flaw::SharesActions) => 0,
            Act::Slide(to) => to.into(),
            Act::Take(count) => 10 + u32::from(count),
            Act::Pass => 10,
        }
    }

    fn shifts(&self, m: Act) -> Vec<(Cell, Cell)> {
        match m {
            Act::Slide(to) => vec![(Pebbles::place(self.lantern), Pebbles::place(to))],
            Act::Take(_) | Act::Pass => Vec::new(),
        }
    }

    fn fills_any_cell(&self) -> bool {
        self.is(Flaw::ClaimsToFill)
    }

    fn board(&self) -> Board {
        // The alphabet ends long before the fortieth column.
        let files = if self.is(Flaw::NamelessPlaces) { 40 } else { HEAP };
        Board::new(Lines::Cells, files, 2, Names::letters_down(1))
    }

    fn diagram(&self) -> Diagram {
        let piece = |at, face: &'static str| Piece { at, owner: None, face: face.into() };
        let mut pieces: Vec<Piece> = (0..self.left).map(|i| piece(Cell::from(i), "pebble")).collect();
        pieces.push(piece(Pebbles::place(self.lantern), "lantern"));
        match self.flaw {
            Flaw::UnorderedPieces => pieces.reverse(),
            Flaw::PiecesOffTheBoard => pieces.push(piece(999, "pebble")),
            _ => {}
        }
        let chosen = Mark { kind: "chosen".into(), cells: vec![Pebbles::place(self.lantern)] };
        Diagram { pieces, marks: if self.slid { vec![chosen] } else { vec![] } }
    }

    fn buttons(&self) -> Vec<Button> {
        if self.is(Flaw::NoButtons) || !self.slid {
            return Vec::new();
        }
        let button = |text: &'static str, key, legal: bool| Button {
            text: text.into(),
            name: text.into(),
            key: Cow::Borrowed(key),
            blockers: if legal { vec![] } else { vec![Pebbles::place(self.lantern)] },
            shifts: vec![],
        };
        let may = |n: u8| !self.is(Flaw::BlockedButtons) && n <= self.left.min(self.lantern + 1);
        vec![
            button("take1", "1", may(1)),
            button("take2", "2", may(2)),
            button("take3", "3", may(3)),
            button("pass", "0", true),
        ]
    }

    fn texts(&self, m: Act) -> Vec<(&'static str, String)> {
        let loud = ("loud", self.move_text(m).to_uppercase());
        if self.is(Flaw::NamelessMoves) { Vec::new() } else { vec![loud] }
    }

    fn notations(&self) -> &'static [&'static str] {
        &["loud"]
    }

    fn counters(&self) -> Vec<Counter> {
        vec![Counter { key: "pebbles".into(), side: None, now: self.left.into(), limit: HEAP.into() }]
    }

    fn ruling(_line: &[Self], moves: &[Act]) -> Option<Ruling> {
        let passes =
            (0..moves.len()).filter(|&i| moves[i] == Act::Pass).map(|i| (i as u32, "pass".into())).collect();
        Some(Ruling { notes: vec![Problem::new("round").into()], marks: vec![], plies: passes })
    }

    fn prompt(&self) -> Option<Prompt> {
        Some(match self.slid {
            false => Prompt { key: "slide".into(), step: 1, of: 2 },
            true => Prompt { key: "press".into(), step: 2, of: 2 },
        })
    }
}
