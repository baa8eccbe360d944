//! Locked chess: whole turns are searched, and whoever has more of them stands better.
//!
//! A turn is five steps, but two shifts along crossing axes are one diagonal shift, whatever their order: at most 4
//! shifts of the army, 4 of a stone, for each of its stones. Turns that lead to the same stones are one.

use kernel::{Game, Outcome, Position, Side};
use locked::{Locked, Move, Step};
use search::{Evaluator, Policy, Score};

/// A position of locked chess whose moves are whole turns, or what is left of a turn.
#[derive(Clone, Debug)]
pub struct Whole(Locked);

/// The steps of a turn, or what is left of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    steps: [Move; 5],
    count: u8,
}

impl Whole {
    fn each(&self, turn: Turn, at: &Locked, out: &mut Vec<Turn>, seen: &mut Vec<u64>) {
        let mut steps = Vec::new();
        at.moves(&mut steps);
        for step in steps {
            let mut next = *at;
            next.play(step);
            let mut turn = turn;
            turn.steps[usize::from(turn.count)] = step;
            turn.count += 1;
            if next.turn() == at.turn() {
                self.each(turn, &next, out, seen);
            } else if !seen.contains(&next.key()) {
                seen.push(next.key());
                out.push(turn);
            }
        }
    }
}

impl Position for Whole {
    type Move = Turn;

    fn turn(&self) -> Side {
        self.0.turn()
    }

    fn moves(&self, out: &mut Vec<Turn>) {
        let none = Turn { steps: [Move::Go(locked::Direction::Up); 5], count: 0 };
        self.each(none, &self.0, out, &mut Vec::new());
    }

    fn play(&mut self, m: Turn) {
        for &step in &m.steps[..usize::from(m.count)] {
            self.0.play(step);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0
            .outcome()
            .or_else(|| (self.count() == 0).then(|| Outcome::Win(self.turn().other(), "no-moves")))
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn reversible(&self) -> usize {
        usize::MAX
    }

    fn judge_cycle(_line: &[Self], _moves: &[Turn]) -> Option<Outcome> {
        Some(Outcome::Draw("repetition"))
    }
}

/// The game in whole turns. A turn that is half played is its last position.
#[must_use]
pub fn whole(game: &Game<Locked>) -> Game<Whole> {
    let start = game.line().iter().find(|pos| pos.step() == Step::ShiftAll).unwrap_or(game.position());
    let _ = start;
    Game::new(Whole(*game.position()))
}

/// The steps of turns played one after the other.
#[must_use]
pub fn texts(whole: &Whole, turns: &[Turn]) -> Vec<String> {
    let steps: Vec<Move> =
        turns.iter().flat_map(|turn| turn.steps[..usize::from(turn.count)].to_vec()).collect();
    crate::native::texts(&whole.0, &steps)
}

/// Compares how many turns either side has.
#[derive(Clone, Default)]
pub struct Judge;

impl Evaluator<Whole> for Judge {
    fn score(&mut self, pos: &Whole) -> Score {
        pos.count() as Score
    }

    fn policy(&self) -> &Policy {
        &Policy::PLAIN
    }
}
