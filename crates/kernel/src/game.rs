//! A position with its past: play, undo, repetition.

use crate::{Outcome, Position};

/// A position with its past. Playing pushes a copy, undoing pops it.
///
/// It is the only history there is: the hall plays on it, the search runs on a clone of it, undo is a pop and
/// repetition is a look back along the line.
#[derive(Clone, Debug)]
pub struct Game<P: Position> {
    line: Vec<P>,        // never empty; the last is now
    moves: Vec<P::Move>, // one shorter
    keys: Vec<u64>,      // of the line: looking back over it reads nothing else
    past_draws: bool,
}

impl<P: Position> Game<P> {
    /// A game that stands at `start` and has no past.
    pub fn new(start: P) -> Self {
        Game { keys: vec![start.key()], line: vec![start], moves: Vec::new(), past_draws: false }
    }

    /// The position now.
    pub fn position(&self) -> &P {
        self.line.last().expect("a line always holds its start")
    }

    /// The positions from the start to now; never empty.
    pub fn line(&self) -> &[P] {
        &self.line
    }

    /// The moves from the start to now.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// Plays `m`, which must be legal now.
    pub fn play(&mut self, m: P::Move) {
        let mut next = self.position().clone();
        next.play(m);
        self.keys.push(next.key());
        self.line.push(next);
        self.moves.push(m);
    }

    /// Takes the last move back and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<P::Move> {
        let m = self.moves.pop()?;
        self.line.pop();
        self.keys.pop();
        Some(m)
    }

    /// Whether only the position ends the game from now on, and neither a draw that the rules declare nor a repetition:
    /// for engines, whose interface judges the game and may count otherwise. `false` in a new game.
    pub fn play_past_draws(&mut self, on: bool) {
        self.past_draws = on;
    }

    /// Whether only the position ends the game; see [`play_past_draws`](Game::play_past_draws).
    #[must_use]
    pub fn plays_past_draws(&self) -> bool {
        self.past_draws
    }

    /// How the game ended: by the position itself, by a draw that the rules declare, or by repetition.
    pub fn outcome(&self) -> Option<Outcome> {
        let pos = self.position();
        if self.past_draws {
            return pos.outcome();
        }
        pos.outcome().or_else(|| pos.drawn().map(Outcome::Draw)).or_else(|| self.cycle(P::JUDGED_AT))
    }

    /// What the rules say once the position stands for the `times`-th time; `None` before that, and where the
    /// rules are silent.
    ///
    /// Looks back only as far as [`Position::reversible`] allows, so it costs nothing after a capture.
    pub fn cycle(&self, times: usize) -> Option<Outcome> {
        let first = self.cycle_start(times)?;
        P::judge_cycle(&self.line[first..], &self.moves[first..])
    }

    /// Where the line stood that is the `times`-th last occurrence of the position now; `None` when it has not
    /// stood so often.
    #[must_use]
    pub fn cycle_start(&self, times: usize) -> Option<usize> {
        let now = self.line.len() - 1;
        let oldest = now.saturating_sub(self.position().reversible());
        let (key, past) = (self.keys[now], &self.keys[..now]);
        (oldest..now).rev().filter(|&i| past[i] == key).nth(times.checked_sub(2)?)
    }
}
