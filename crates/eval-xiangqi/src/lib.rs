//! Evaluation of xiangqi: material, piece placement, mobility and the safety of the general.
//!
//! There are two evaluations. One is a sum of terms: material and places are summed as moves are played, freedom and
//! safety are looked at again at each leaf. The other is a [`network`]. Modules: [`tables`] (what pieces are worth),
//! [`exchange`] (what a capture comes to), [`terms`] (what is counted), `counts` (counts it), [`network`].

pub mod exchange;
mod counts;
mod learn;
pub mod network;
pub mod tables;
pub mod terms;

use engine_core::think::{Brought, texts};
use engine_core::{Chances, Evaluation, Family, Info, Ladder, Request};
use kernel::{AnyGame, Game, Outcome, Position, Side};
use search::{Evaluator, Policy, QsearchKind, Score, score};
use xiangqi::{Kind, Move, Rules, Xiangqi};

pub use learn::Terms;
use network::{AccumulatorStack, Network};
use tables::VALUE;
use terms::{Both, standing};

/// The places of the levels on the scale of strengths.
pub const LADDER: Ladder = Ladder {
    places: [0.0, 2.38, 3.37, 4.07, 4.67, 5.24, 5.88, 6.5, 7.1],
    steps: [326, 241, 458, 417, 260, 458, 512, 458, 382],
};

/// The chances of winning for a score: docs/strength.md, "Chances".
pub const CHANCES: Chances = Chances { half: 129.0, scale: 219.0 };

/// The parts the engine needs to play and to learn these games.
pub const FAMILY: Family = Family {
    key: "xiangqi",
    ladder: LADDER,
    chances: CHANCES,
    turn,
    prepare: |_, _| (),
    model: |key| (key == "xiangqi").then(|| Box::new(Terms) as _),
    network: |key| (key == "xiangqi").then(|| Box::new(network::Trained) as _),
    files: || vec![terms::FILE, network::FILE],
    brought: Brought::NONE,
};

fn turn(game: &dyn AnyGame, request: &Request<'_>, report: &mut dyn FnMut(&Info)) -> Option<Vec<String>> {
    let game = game.as_any().downcast_ref::<Game<Xiangqi>>()?;
    let judge = XiangqiEval::playing(game.position(), request.limits.evaluation);
    Some(request.search(game, &judge, &texts, &LADDER, report))
}

/// The evaluator of xiangqi for the search.
#[derive(Clone, Debug)]
pub struct XiangqiEval {
    /// Material and places, Red's less Black's; one entry for each position of the line.
    sums: Vec<Both>,
    /// The weights of the terms.
    worth: &'static [Both],
    /// The network in place of the terms, with its sums.
    network: Option<(&'static Network, AccumulatorStack)>,
}

impl Default for XiangqiEval {
    fn default() -> Self {
        XiangqiEval::by(Evaluation::Usual)
    }
}

impl XiangqiEval {
    /// Creates the evaluator for games that begin like this. By default the network is used where it learned, under
    /// Asian rules.
    #[must_use]
    pub fn playing(pos: &Xiangqi, evaluation: Evaluation) -> XiangqiEval {
        let usual = if pos.rules() == Rules::Home { Evaluation::Terms } else { Evaluation::Network };
        XiangqiEval::by(if evaluation == Evaluation::Usual { usual } else { evaluation })
    }

    /// Creates an evaluator of that kind; the usual one is the network.
    #[must_use]
    pub fn by(evaluation: Evaluation) -> XiangqiEval {
        let network = match evaluation {
            Evaluation::Usual | Evaluation::Network => {
                Some((&*network::NETWORK, AccumulatorStack::default()))
            }
            Evaluation::Terms => None,
        };
        XiangqiEval { sums: vec![Both::default()], worth: &terms::WORTH, network }
    }

    /// Returns the score by the sum of terms, for the side to move.
    fn by_terms(&self, pos: &Xiangqi) -> Score {
        let mut sum = counts::Sum { worth: self.worth, sum: self.sums[self.sums.len() - 1] };
        let phase = counts::count(pos, &mut sum);
        let red = sum.sum.on(phase);
        if pos.turn() == Side::First { red } else { -red }
    }
}

const POLICY: Policy = Policy {
    history_size: 14 * 90,
    tt_prefetch: true,
    null_move: true,
    lmr_first_move: Some(2),
    lmr_base_divisor: (1.0, 1.6),
    lmr_max: 12,
    iir: true,
    futility_margin: Some(75),
    futility_max_depth: 8,
    lmp: true,
    razoring_margin: Some(220),
    see_pruning: true,
    exempt_checks: true,
    singular_extensions: true,
    check_extensions: false,
    aspiration_window: 20,
    ..Policy::PLAIN
};

/// The number of plies before the limit of moves without a capture from which on positions get keys of their own:
/// their scores shrink there.
const LATE: u16 = 24;

impl Evaluator<Xiangqi> for XiangqiEval {
    const POLICY: Option<&'static Policy> = Some(&POLICY);

    fn score(&mut self, pos: &Xiangqi) -> Score {
        let score = match &mut self.network {
            Some((network, line)) => line.score(network, pos),
            None => self.by_terms(pos),
        };
        // A dull game fades into a draw.
        let dull = i32::from(pos.idle()) * i32::from(pos.idle_limit().is_some());
        (score * (200 - dull.min(150)) / 200).clamp(-score::MAX_EVAL, score::MAX_EVAL)
    }

    fn policy(&self) -> &Policy {
        &POLICY
    }

    fn reset(&mut self, pos: &Xiangqi) {
        if let Some((network, line)) = &mut self.network {
            line.reset(network, pos);
            return;
        }
        let mut sum = Both::default();
        for (side, sign) in [(Side::First, 1), (Side::Second, -1)] {
            for kind in Kind::ALL {
                for at in pos.all(side, kind) {
                    sum = sum.plus(self.worth[standing(side, kind, at)].times(sign));
                }
            }
        }
        self.sums.clear();
        self.sums.push(sum);
    }

    fn played(&mut self, before: &Xiangqi, m: Move, _after: &Xiangqi) {
        if let Some((_, line)) = &mut self.network {
            line.played(before, m);
            return;
        }
        let side = before.turn();
        let worth = |side, kind, at| self.worth[standing(side, kind, at)];
        let mut gain = Both::default();
        if let Some(piece) = before.piece_at(m.from) {
            gain = worth(side, piece.kind, m.to).plus(worth(side, piece.kind, m.from).times(-1));
        }
        if let Some(taken) = before.piece_at(m.to) {
            gain = gain.plus(worth(taken.side, taken.kind, m.to));
        }
        let red = if side == Side::First { gain } else { gain.times(-1) };
        self.sums.push(self.sums[self.sums.len() - 1].plus(red));
    }

    fn undone(&mut self) {
        match &mut self.network {
            Some((_, line)) => line.undone(),
            None => drop(self.sums.pop()),
        }
    }

    /// Returns the loss of a side whose general was taken; mates are noticed when no move is listed.
    fn ended(&mut self, pos: &Xiangqi) -> Option<Outcome> {
        pos.general(pos.turn()).is_none().then(|| pos.outcome()).flatten()
    }

    #[inline]
    fn tt_key(&self, pos: &Xiangqi, key: u64) -> u64 {
        let left = pos.idle_limit().map_or(u16::MAX, |limit| limit.saturating_sub(pos.idle()));
        if left > LATE { key } else { key ^ u64::from(left + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) }
    }

    fn is_tactical(&self, pos: &Xiangqi, m: Move) -> bool {
        pos.piece_at(m.to).is_some()
    }

    fn see(&mut self, pos: &Xiangqi, m: Move) -> Score {
        let worth = |square| pos.piece_at(square).map_or(0, |piece| VALUE[piece.kind as usize]);
        let (mover, taken) = (worth(m.from), worth(m.to));
        // Nothing is lost by taking what is worth as much; of equal prey the least takes first.
        if taken >= mover { taken - mover / 64 } else { exchange::swap(pos, m) }
    }

    fn see_quiet(&mut self, pos: &Xiangqi, m: Move) -> Score {
        exchange::swap(pos, m)
    }

    fn history_index(&self, pos: &Xiangqi, m: Move) -> usize {
        let piece = pos.piece_at(m.from).map_or(0, |piece| piece.side.index() * 7 + piece.kind as usize);
        piece * 90 + usize::from(m.to.index())
    }

    fn is_urgent(&mut self, pos: &Xiangqi) -> bool {
        pos.in_check(pos.turn())
    }

    fn gives_check(&mut self, pos: &Xiangqi, m: Move) -> bool {
        pos.gives_check(m)
    }

    fn qsearch_kind(&mut self, pos: &Xiangqi, _qs_ply: usize) -> QsearchKind {
        if pos.in_check(pos.turn()) { QsearchKind::Urgent } else { QsearchKind::Tactical }
    }

    fn tactical_moves(&mut self, pos: &Xiangqi, _qs_ply: usize, out: &mut Vec<Move>) {
        pos.captures(out);
    }

    /// Returns the position with the turn passed, while there is a rook, horse or cannon: with generals and guards
    /// alone one may have to move into trouble (zugzwang).
    fn null_move(&mut self, pos: &Xiangqi) -> Option<Xiangqi> {
        let can_harm = |kind| pos.all(pos.turn(), kind).next().is_some();
        [Kind::Rook, Kind::Horse, Kind::Cannon]
            .into_iter()
            .any(can_harm)
            .then(|| pos.with_turn(pos.turn().other()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::Notation;

    const POSITIONS: [&str; 4] = [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 0 1",
        "3akab2/9/4b4/p3P3p/2r3n2/9/P3c3P/3RC4/4A4/2BAK1N2 w - - 0 1",
        "4k4/4a4/4P4/9/9/9/9/4B4/9/4K4 b - - 0 1",
    ];

    /// The learned weights, summed over the features, give the score that is played.
    #[test]
    fn the_weights_that_count_add_up_to_the_score() {
        let weights = terms::now();
        for fen in POSITIONS {
            let pos = Xiangqi::new(xiangqi::Rules::Asian).read_fen(fen).expect("a position");
            let mut row = Vec::new();
            learn::features(&pos, &mut row);
            let sum: f32 = row.iter().map(|&(at, times)| weights[at as usize] * times).sum();
            let mut judge = XiangqiEval::by(Evaluation::Terms);
            judge.reset(&pos);
            let score = judge.score(&pos) as f32;
            assert!((sum - score).abs() < 2.0, "{fen}: {sum} learned, {score} played");
        }
    }

    /// A position turned by half a turn with colours exchanged has the same score by the terms.
    #[test]
    fn a_mirrored_position_is_worth_the_same() {
        for fen in POSITIONS {
            let (board, rest) = fen.split_once(' ').expect("a board and more");
            let swap =
                |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
            let turned: String = board.chars().rev().map(swap).collect();
            let turn = if rest.starts_with('w') { 'b' } else { 'w' };
            let score = |fen: &str| {
                let pos = Xiangqi::new(xiangqi::Rules::Asian).read_fen(fen).expect("a position");
                let mut judge = XiangqiEval::by(Evaluation::Terms);
                judge.reset(&pos);
                judge.score(&pos)
            };
            assert_eq!(score(fen), score(&format!("{turned} {turn} - - 0 1")), "{fen}");
        }
    }

    #[test]
    fn a_rook_more_wins_and_a_step_keeps_the_sums() {
        let read = |fen| Xiangqi::new(xiangqi::Rules::Asian).read_fen(fen).expect("a position");
        let mut judge = XiangqiEval::default();
        let pos = read(POSITIONS[1]);
        judge.reset(&pos);
        for text in ["b7b0", "a0b0", "h7h0"] {
            let pos = read(POSITIONS[1]);
            let Some(m) = pos.read_move(text) else { continue };
            let mut next = pos.clone();
            next.play(m);
            judge.reset(&pos);
            judge.played(&pos, m, &next);
            let stepped = judge.score(&next);
            judge.reset(&next);
            assert_eq!(stepped, judge.score(&next), "{text}");
        }
        let without = read("rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
        judge.reset(&without);
        assert!(judge.score(&without) > 600);
    }
}
