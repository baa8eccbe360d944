//! Xiangqi: who has more, stands better, moves more freely and keeps the general safer.
//!
//! Material and places are summed as moves are played; freedom and safety are looked at anew at each leaf. Rooms:
//! [`tables`] (what pieces are worth), [`exchange`] (what a capture comes to), [`judge`] (the rest).

pub mod exchange;
mod judge;
pub mod tables;

use kernel::{Outcome, Position, Side};
use search::{Evaluator, Policy, ProbCut, Score, Unrest, score};
use xiangqi::{Kind, Move, Xiangqi};

use tables::{VALUE, standing};

/// What the search is told about xiangqi.
#[derive(Clone, Debug)]
pub struct Judge {
    /// Material and places, Red's less Black's; one entry for each position of the line.
    sums: Vec<i32>,
}

impl Default for Judge {
    fn default() -> Self {
        Judge { sums: vec![0] }
    }
}

static POLICY: Policy = Policy {
    slots: 14 * 90,
    null_move: true,
    reduce_from: Some(2),
    reduce_most: 12,
    futility: Some(75),
    futility_depth: 8,
    skip_late: true,
    razor: Some(220),
    skip_losing: true,
    probcut: Some(ProbCut {
        least_depth: 5,
        depth_percent: 60,
        margin: 180,
        margin_a_ply: 0,
        by_captures: true,
    }),
    singular: true,
    extend: false,
    window: 20,
    ..Policy::PLAIN
};

/// Near the limit of moves without a capture a position is worth less and less, so it is remembered apart.
const LATE: u16 = 24;

impl Evaluator<Xiangqi> for Judge {
    fn score(&mut self, pos: &Xiangqi) -> Score {
        let red = self.sums[self.sums.len() - 1] + judge::compare(pos);
        let score = if pos.turn() == Side::First { red } else { -red };
        // A dull game fades into a draw.
        let dull = i32::from(pos.idle()) * i32::from(pos.idle_limit().is_some());
        (score * (200 - dull.min(150)) / 200 + 10).clamp(-score::MOST, score::MOST)
    }

    fn policy(&self) -> &Policy {
        &POLICY
    }

    fn reset(&mut self, pos: &Xiangqi) {
        let sum = |side| {
            let worth = |kind| pos.all(side, kind).map(move |at| standing(side, kind, at));
            Kind::ALL.into_iter().flat_map(worth).sum::<i32>()
        };
        self.sums.clear();
        self.sums.push(sum(Side::First) - sum(Side::Second));
    }

    fn played(&mut self, before: &Xiangqi, m: Move, _after: &Xiangqi) {
        let side = before.turn();
        let mut gain = 0;
        if let Some(piece) = before.piece_at(m.from) {
            gain += standing(side, piece.kind, m.to) - standing(side, piece.kind, m.from);
        }
        if let Some(taken) = before.piece_at(m.to) {
            gain += standing(taken.side, taken.kind, m.to);
        }
        let red = if side == Side::First { gain } else { -gain };
        self.sums.push(self.sums[self.sums.len() - 1] + red);
    }

    fn undone(&mut self) {
        self.sums.pop();
    }

    /// Mates are found when no move is listed; a general that was taken is seen at once.
    fn ended(&mut self, pos: &Xiangqi) -> Option<Outcome> {
        pos.general(pos.turn()).is_none().then(|| pos.outcome()).flatten()
    }

    fn key(&self, pos: &Xiangqi) -> u64 {
        let left = pos.idle_limit().map_or(u16::MAX, |limit| limit.saturating_sub(pos.idle()));
        if left > LATE {
            pos.key()
        } else {
            pos.key() ^ u64::from(left + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        }
    }

    fn is_noisy(&self, pos: &Xiangqi, m: Move) -> bool {
        pos.piece_at(m.to).is_some()
    }

    fn gain(&mut self, pos: &Xiangqi, m: Move) -> Score {
        let worth = |square| pos.piece_at(square).map_or(0, |piece| VALUE[piece.kind as usize]);
        let (mover, taken) = (worth(m.from), worth(m.to));
        // Nothing is lost by taking what is worth as much; of equal prey the least takes first.
        if taken >= mover { taken - mover / 64 } else { exchange::swap(pos, m) }
    }

    fn risk(&mut self, pos: &Xiangqi, m: Move) -> Score {
        exchange::swap(pos, m)
    }

    fn slot(&self, pos: &Xiangqi, m: Move) -> usize {
        let piece = pos.piece_at(m.from).map_or(0, |piece| piece.side.index() * 7 + piece.kind as usize);
        piece * 90 + usize::from(m.to.index())
    }

    fn is_urgent(&mut self, pos: &Xiangqi) -> bool {
        pos.in_check(pos.turn())
    }

    fn unrest(&mut self, pos: &Xiangqi, _plies: usize) -> Unrest {
        if pos.in_check(pos.turn()) { Unrest::Urgent } else { Unrest::Noise }
    }

    fn noise(&mut self, pos: &Xiangqi, _plies: usize, out: &mut Vec<Move>) {
        pos.captures(out);
    }

    /// Passing tells something while there is a piece that could do harm: with generals and guards alone one may have
    /// to move into trouble.
    fn pass(&mut self, pos: &Xiangqi) -> Option<Xiangqi> {
        let can_harm = |kind| pos.all(pos.turn(), kind).next().is_some();
        [Kind::Rook, Kind::Horse, Kind::Cannon]
            .into_iter()
            .any(can_harm)
            .then(|| pos.with_turn(pos.turn().other()))
    }
}
