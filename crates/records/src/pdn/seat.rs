//! Replay of the moves of a file, whatever the variant: the position, and the places where variations branch off.

use draughts::{Draughts, Move, Named, Rules};
use kernel::{Notation, Outcome, Position, Problem, Side};

/// A game that moves are played on as they are read or written.
pub(crate) trait Seat: Send {
    /// Goes to the start: the usual one, or that of a FEN.
    fn start(&mut self, fen: Option<&str>) -> Result<(), Problem>;
    /// The position now.
    fn fen(&self) -> String;
    /// The side to move.
    fn turn(&self) -> Side;
    /// Plays the move that a text names. After a refusal the position is unchanged.
    fn play(&mut self, text: &[u8]) -> Result<(), Problem>;
    /// Returns the reason for which a text names no move, or several.
    fn refusal(&self, text: &[u8]) -> Problem;
    /// The machine texts of the captures that a text fits.
    fn candidates(&mut self, text: &[u8]) -> Vec<String>;
    /// Returns the winner by the rules, where the position is decided.
    fn winner(&self) -> Option<Side>;
    /// Returns the position as players write it in this variant, with letters where the variant uses them, without
    /// counters.
    fn people_fen(&self) -> String;
    /// Saves the position to go back to with [`restore`](Seat::restore).
    fn save(&mut self);
    /// Goes back to the position that was saved last.
    fn restore(&mut self);
    /// The machine text of the last move; empty at the start.
    fn last_text(&self) -> String;
    /// Plays a move, and returns what PDN calls it.
    fn play_written(&mut self, text: &str) -> Result<String, Problem>;
    /// Takes the last move back for a variation; false when there is none.
    fn open(&mut self) -> bool;
    /// Goes back to where the variation was opened; false when there is none.
    fn close(&mut self) -> bool;
}

pub(super) struct Playing<R: Rules> {
    line: VariationState<R>,
    waiting: Vec<VariationState<R>>,
    kept: Vec<VariationState<R>>,
    moves: Vec<Move<R>>, // lent to each listing
}

/// The position of a variation, and its last move with the position before it.
#[derive(Clone, Copy)]
struct VariationState<R: Rules> {
    now: Draughts<R>,
    last: Option<(Draughts<R>, Move<R>)>,
}

impl<R: Rules> Default for Playing<R> {
    fn default() -> Self {
        let line = VariationState { now: Draughts::start(), last: None };
        Playing { line, waiting: Vec::new(), kept: Vec::new(), moves: Vec::new() }
    }
}

impl<R: Rules> Playing<R> {
    #[inline]
    fn named(&mut self, text: &[u8]) -> Result<Move<R>, Problem> {
        self.moves.clear();
        self.line.now.moves(&mut self.moves);
        match self.line.now.named_among(&self.moves, text) {
            Named::One(m) => Ok(m),
            _ => Err(self.line.now.refusal(&String::from_utf8_lossy(text))),
        }
    }

    #[inline]
    fn push(&mut self, m: Move<R>) {
        self.line.last = Some((self.line.now, m));
        self.line.now.play(m);
    }
}

impl<R: Rules> Seat for Playing<R> {
    fn start(&mut self, fen: Option<&str>) -> Result<(), Problem> {
        let start = Draughts::start();
        let now = fen.map_or(Ok(start), |fen| start.read_fen(fen))?;
        self.line = VariationState { now, last: None };
        self.waiting.clear();
        Ok(())
    }

    fn fen(&self) -> String {
        self.line.now.fen()
    }

    fn turn(&self) -> Side {
        self.line.now.turn()
    }

    #[inline]
    fn play(&mut self, text: &[u8]) -> Result<(), Problem> {
        let m = self.named(text)?;
        self.push(m);
        Ok(())
    }

    fn refusal(&self, text: &[u8]) -> Problem {
        self.line.now.refusal(&String::from_utf8_lossy(text))
    }

    fn candidates(&mut self, text: &[u8]) -> Vec<String> {
        self.moves.clear();
        self.line.now.moves(&mut self.moves);
        match self.line.now.named_among(&self.moves, text) {
            Named::Several(several) => several.into_iter().map(|m| self.line.now.move_text(m)).collect(),
            _ => Vec::new(),
        }
    }

    fn winner(&self) -> Option<Side> {
        match self.line.now.outcome() {
            Some(Outcome::Win(side, _)) => Some(side),
            _ => None,
        }
    }

    fn people_fen(&self) -> String {
        self.line.now.people_fen()
    }

    fn save(&mut self) {
        self.kept.push(self.line);
    }

    fn restore(&mut self) {
        if let Some(line) = self.kept.pop() {
            self.line = line;
        }
    }

    fn last_text(&self) -> String {
        self.line.last.map_or_else(String::new, |(before, m)| before.move_text(m))
    }

    fn play_written(&mut self, text: &str) -> Result<String, Problem> {
        let m = self.named(text.as_bytes())?;
        let written = self.line.now.pdn(&self.moves, m);
        self.push(m);
        Ok(written)
    }

    fn open(&mut self) -> bool {
        let Some((before, _)) = self.line.last else { return false };
        self.waiting.push(self.line);
        self.line = VariationState { now: before, last: None };
        true
    }

    fn close(&mut self) -> bool {
        let Some(line) = self.waiting.pop() else { return false };
        self.line = line;
        true
    }
}
