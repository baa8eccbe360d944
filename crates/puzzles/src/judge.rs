//! Judgement of answers: the solver's moves, played against the line.

use kernel::{AnyGame, Outcome, PlayError, Problem};

use crate::puzzle::{Opener, Puzzle};

/// The result of the moves so far. The game stands after them and the line's answers.
pub enum Answer {
    /// The moves are right so far, and the solver has to move, in the middle of a turn or after the opponent's
    /// answer.
    On(Box<dyn AnyGame>),
    /// The whole line was found.
    Solved(Box<dyn AnyGame>),
    /// The last turn was wrong; it was played. The number of the turn, from 0.
    Wrong(Box<dyn AnyGame>, usize),
}

/// Plays `moves`, those of the solver alone, and the line's answers to them.
///
/// A turn is right when it leads to the same position as the line's, by any moves, or wins at once. Moves after the
/// end, or after a wrong turn, are not played. In puzzles that people [set](crate::set) every turn is right that
/// still reaches the aim in time.
///
/// # Errors
/// The fault in the puzzle, or the reason why a move cannot be played.
pub fn judge(puzzle: &Puzzle, moves: &[String], open: &Opener) -> Result<Answer, Problem> {
    if let Some(aim) = puzzle.set {
        return crate::set::judge(puzzle, aim, moves, open);
    }
    let mut game = open(puzzle, Some(&puzzle.fen))?;
    let solver = game.turn();
    let mut moves = moves.iter();
    for (at, turns) in puzzle.line.chunks(2).enumerate() {
        let mut wanted = game.boxed_clone();
        play(wanted.as_mut(), &turns[0])?;
        while game.outcome().is_none() && game.turn() == solver {
            let Some(text) = moves.next() else { return Ok(Answer::On(game)) };
            game.play(text).map_err(PlayError::problem)?;
        }
        if game.outcome().and_then(Outcome::winner) == Some(solver) {
            return Ok(Answer::Solved(game));
        }
        if game.key() != wanted.key() || game.outcome() != wanted.outcome() {
            return Ok(Answer::Wrong(game, at));
        }
        let Some(reply) = turns.get(1) else { return Ok(Answer::Solved(game)) };
        play(game.as_mut(), reply)?;
    }
    Ok(Answer::Solved(game))
}

fn play(game: &mut dyn AnyGame, turn: &[String]) -> Result<(), Problem> {
    turn.iter().try_for_each(|text| game.play(text)).map_err(PlayError::problem)
}
