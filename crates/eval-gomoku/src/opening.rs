//! Evaluation of gomoku that begins with an opening: stones are put so that a player who may choose a colour gains
//! nothing by it.
//!
//! An opening is a few plies of the same game, and its choices are moves ([`::gomoku::opening`]). So the search plays
//! them as it plays all: it looks two or three acts ahead and judges the stones for the colour each player then has.

use ::gomoku::Opened;
use ::gomoku::opening::Act;
use kernel::{Position, Side};
use search::{Evaluator, Policy, Score};

use super::shapes::Shapes;
use super::terms::standing;

/// The evaluator of an opening's acts.
#[derive(Clone, Copy, Default, Debug)]
pub struct OpeningEval;

/// The search policy of an opening: every act is tried; more than three acts ahead there are too many.
static POLICY: Policy = Policy { max_depth: 3, poll_interval: 8, ..Policy::PLAIN };

/// Points further from the middle than this many files or rows are looked at only where the opening demands it.
const MIDDLE: u8 = 3;

impl Evaluator<Opened> for OpeningEval {
    fn policy(&self) -> &Policy {
        &POLICY
    }

    fn score(&mut self, pos: &Opened) -> Score {
        let stones = pos.stones();
        let next = stones.turn();
        let score = standing(&mut Shapes::of(&stones), next);
        if colour(pos, pos.turn()) == next { score } else { -score }
    }

    fn candidates(&mut self, pos: &Opened, out: &mut Vec<Act>) {
        let first = out.len();
        pos.moves(out);
        let all = out.split_off(first);
        let stones = pos.stones();
        let middle = |act: &Act| match act {
            Act::Stone(at) => {
                let off = |at: u8, side: u8| at.abs_diff(side / 2);
                off(at.row, stones.ranks()).max(off(at.file, stones.files())) <= MIDDLE
            }
            Act::Choice(_) | Act::Pass => true,
        };
        out.extend(all.iter().filter(|act| middle(act)));
        if out.len() == first {
            out.extend(all);
        }
    }
}

/// Returns the colour a player has at present.
fn colour(pos: &Opened, player: Side) -> Side {
    if pos.is_swapped() { player.other() } else { player }
}
