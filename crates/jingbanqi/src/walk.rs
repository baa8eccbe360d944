//! Random games from a position of a game with extensions, played by the program that runs them: a search that asked
//! for one position after the other would wait for answers most of the time.

use kernel::{Position, Side};

use crate::extension::{Fault, WalkPlan, Walked};
use crate::position::{Jingbanqi, Move};

/// A random game from a position, and where it ended.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The moves in order, each with the player who made it.
    pub moves: Vec<(Side, Move)>,
    /// The position at the end. Its moves are not known: its outcome counts only where the game is over.
    pub end: Jingbanqi,
    /// True if the game is over at the end.
    pub is_over: bool,
    /// The points of red and blue by the author's `score`, where there is one and the game is not over.
    pub points: Option<[i64; 2]>,
}

impl Jingbanqi {
    /// Plays `first`, then random moves, where extensions are run by a program that can do it; `None` where it cannot,
    /// or without extensions.
    ///
    /// # Errors
    /// The fault of an extension in `first`, or the end of the program that runs it.
    pub fn walk(&self, first: Option<Move>, plan: WalkPlan) -> Option<Result<Walk, Fault>> {
        let (session, line) = self.extended_line()?;
        let line: Vec<Move> = line.iter().copied().chain(first).collect();
        let told = match session.walk(&line, plan)? {
            Ok(told) => told,
            Err(fault) => return Some(Err(fault)),
        };
        let Walked { moves, scene, is_over, points } = told;
        let mover = self.turn();
        let end = self.walked(first.into_iter().chain(moves.iter().map(|made| made.1)), scene);
        let moves = first.map(|m| (mover, m)).into_iter().chain(moves).collect();
        Some(Ok(Walk { moves, is_over: is_over || end.fault().is_some(), end, points }))
    }
}
