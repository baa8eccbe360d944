//! The positions from the start of the game to the current node.
//!
//! It is a [`Game`] with what a search needs besides: where its root stands, and passes, over which no repetition is
//! looked for.

use kernel::{Game, Outcome, Position};

pub(crate) struct Line<P: Position> {
    line: Vec<P>,        // never empty; the last is now
    moves: Vec<P::Move>, // one shorter
    keys: Vec<u64>,      // of the line, as far as anybody asked
    passes: Vec<usize>,  // the positions that a pass led to: no repetition is looked for before the last
}

impl<P: Position> Line<P> {
    pub(crate) fn new(game: &Game<P>) -> Self {
        let line = game.line().into_owned();
        Line {
            keys: line.iter().map(P::key).collect(),
            passes: Vec::new(),
            moves: game.moves().to_vec(),
            line,
        }
    }

    pub(crate) fn now(&self) -> &P {
        &self.line[self.line.len() - 1]
    }

    /// Returns the key of the current position. It is computed only on demand: beyond the horizon of some games it is
    /// never needed.
    #[inline]
    pub(crate) fn key(&mut self) -> u64 {
        while let Some(pos) = self.line.get(self.keys.len()) {
            self.keys.push(pos.key());
        }
        self.keys[self.keys.len() - 1]
    }

    /// The position before the last move.
    pub(crate) fn before(&self) -> &P {
        &self.line[self.line.len() - 2]
    }

    pub(crate) fn play(&mut self, m: P::Move) {
        let last = self.line.len();
        // Copied to its place, not by way of the stack.
        self.line.extend_from_within(last - 1..);
        let next = &mut self.line[last];
        next.play(m);
        self.moves.push(m);
    }

    /// Goes on at `next`, in which the turn was passed. Never at the start of a game.
    pub(crate) fn pass(&mut self, next: P) {
        let filler = self.moves[self.moves.len() - 1];
        self.passes.push(self.line.len());
        self.line.push(next);
        self.moves.push(filler);
    }

    pub(crate) fn undo(&mut self) {
        self.line.pop();
        self.keys.truncate(self.line.len());
        self.moves.pop();
        self.passes.pop_if(|passed| *passed == self.line.len());
    }

    /// Returns true if there is a position before the current one, so that a pass can be played.
    pub(crate) fn has_past(&self) -> bool {
        self.line.len() > 1
    }

    /// Returns the verdict of the rules if the current position occurred before, within `back` plies; the inner
    /// `None` where they are silent.
    pub(crate) fn repeats(&mut self, back: usize) -> Option<Option<Outcome>> {
        if back < 2 {
            return None;
        }
        let key = self.key();
        let now = self.line.len() - 1;
        let oldest = now.saturating_sub(back).max(self.passes.last().copied().unwrap_or(0));
        let first = oldest + self.keys[oldest..now].iter().rposition(|&k| k == key)?;
        Some(P::judge_cycle(&self.line[first..], &self.moves[first..]))
    }
}
