//! The positions from the start of the game to the current node.
//!
//! It is a [`Game`] with what a search needs besides: cached keys, and null moves, over which no repetition is looked
//! for.

use kernel::{Game, Outcome, Position};

pub(crate) struct PositionStack<P: Position> {
    positions: Vec<P>,      // never empty; the last is the current one
    moves: Vec<P::Move>,    // one shorter
    keys: Vec<u64>,         // of the positions, as far as they were asked for
    null_moves: Vec<usize>, // indices of the positions after null moves: no repetition is looked for before the last
}

impl<P: Position> PositionStack<P> {
    pub(crate) fn new(game: &Game<P>) -> Self {
        let positions = game.line().into_owned();
        PositionStack {
            keys: positions.iter().map(P::key).collect(),
            null_moves: Vec::new(),
            moves: game.moves().to_vec(),
            positions,
        }
    }

    pub(crate) fn current(&self) -> &P {
        &self.positions[self.positions.len() - 1]
    }

    /// Returns the key of the current position. It is computed only on demand: beyond the horizon of some games it is
    /// never needed.
    #[inline]
    pub(crate) fn key(&mut self) -> u64 {
        while let Some(pos) = self.positions.get(self.keys.len()) {
            self.keys.push(pos.key());
        }
        self.keys[self.keys.len() - 1]
    }

    /// The position before the last move.
    pub(crate) fn previous(&self) -> &P {
        &self.positions[self.positions.len() - 2]
    }

    pub(crate) fn play(&mut self, m: P::Move) {
        let last = self.positions.len();
        // Copied to its place, not by way of the stack.
        self.positions.extend_from_within(last - 1..);
        let next = &mut self.positions[last];
        next.play(m);
        self.moves.push(m);
    }

    /// Appends `next`, in which the turn was passed. Not allowed at the start of a game.
    pub(crate) fn play_null_move(&mut self, next: P) {
        let filler = self.moves[self.moves.len() - 1];
        self.null_moves.push(self.positions.len());
        self.positions.push(next);
        self.moves.push(filler);
    }

    pub(crate) fn undo(&mut self) {
        self.positions.pop();
        self.keys.truncate(self.positions.len());
        self.moves.pop();
        self.null_moves.pop_if(|index| *index == self.positions.len());
    }

    /// Returns true if there is a position before the current one, so that a null move can be played.
    pub(crate) fn has_previous(&self) -> bool {
        self.positions.len() > 1
    }

    /// Returns the outcome by the rules if the current position occurred before, within the last `plies` plies; the
    /// inner `None` where the rules are silent about it.
    pub(crate) fn repetition(&mut self, plies: usize) -> Option<Option<Outcome>> {
        if plies < 2 {
            return None;
        }
        let key = self.key();
        let current = self.positions.len() - 1;
        let oldest = current.saturating_sub(plies).max(self.null_moves.last().copied().unwrap_or(0));
        let first = oldest + self.keys[oldest..current].iter().rposition(|&k| k == key)?;
        Some(P::judge_cycle(&self.positions[first..], &self.moves[first..]))
    }
}
