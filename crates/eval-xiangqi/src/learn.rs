//! The evaluation of xiangqi as a linear model, for the trainer.

use std::collections::BTreeMap;

use kernel::{AnyGame, Game, Position, Side};
use xiangqi::{Kind, Xiangqi};

use super::network::{BOARD, pack, unpacked};
use super::terms::{self, COUNT, FULL, SHAPE, standing};
use super::{XiangqiEval, counts};
use engine_core::learned::{Boards, Linear, Shape};
use search::Evaluator;

/// Xiangqi's evaluation as weights: two for each of [`terms`], for a full board and an empty one.
pub struct Terms;

/// Counts each term.
#[derive(Default)]
struct Tally(BTreeMap<usize, i32>);

impl counts::Counts for Tally {
    fn add(&mut self, term: usize, times: i32) {
        *self.0.entry(term).or_default() += times;
    }
}

/// Returns true if a capture is pending, or a check.
fn is_restless(pos: &Xiangqi) -> bool {
    let mut captures = Vec::new();
    pos.captures(&mut captures);
    let mut judge = XiangqiEval::default();
    pos.in_check(pos.turn()) || captures.into_iter().any(|m| judge.see(pos, m) > 0)
}

/// Appends the weights that count in a position, from the side to move's view.
pub(super) fn features(pos: &Xiangqi, out: &mut Vec<(u32, f32)>) {
    let mut tally = Tally::default();
    let phase = counts::count(pos, &mut tally).min(FULL);
    for (side, sign) in [(Side::First, 1), (Side::Second, -1)] {
        for kind in Kind::ALL {
            for at in pos.all(side, kind) {
                counts::Counts::add(&mut tally, standing(side, kind, at), sign);
            }
        }
    }
    let full = phase as f32 / FULL as f32;
    let mover = if pos.turn() == Side::First { 1.0 } else { -1.0 };
    for (term, times) in tally.0.into_iter().filter(|&(_, times)| times != 0) {
        let times = mover * times as f32;
        for (at, share) in [(0, full), (1, 1.0 - full)] {
            if share > 0.0 {
                out.push(((2 * term + at) as u32, times * share));
            }
        }
    }
}

impl Boards for Terms {
    fn board(&self) -> usize {
        BOARD
    }

    fn pack(&self, game: &dyn AnyGame, _next: &str, out: &mut [u8]) -> Option<u8> {
        let pos = game.as_any().downcast_ref::<Game<Xiangqi>>()?.position();
        (!is_restless(pos) && pack(pos, out)).then(|| pos.idle().min(255) as u8)
    }
}

impl Linear for Terms {
    fn shape(&self) -> Shape {
        SHAPE
    }

    fn features(&self, board: &[u8], turn: Side, out: &mut Vec<(u32, f32)>) -> bool {
        let Some(pos) = unpacked(board, turn) else { return false };
        features(&pos, out);
        true
    }

    fn now(&self) -> Vec<f32> {
        terms::now()
    }

    fn start(&self) -> Vec<f32> {
        terms::start()
    }
}

const _: () = assert!(SHAPE.weights == 2 * COUNT);
