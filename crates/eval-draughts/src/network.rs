//! A network beside the windows: (200 → 32) x 2 → 1 on ten rows, (128 → 32) x 2 → 1 on eight.
//!
//! Windows know what stands close together; the network learns what to add to them. Each side sees the board from its
//! own end: an input for each of its men, its kings, the enemy's men and kings on each square. What is seen makes 32
//! sums, and the sums a score (see [`engine_core::network`]) by one of eight rows, chosen by how many pieces are left.
//! The sums are kept in step with the line of moves (`line`).

use draughts::{Colour, Draughts, Rules, Square, squares};
use kernel::{AnyGame, Game, Side};

use engine_core::learned::{self, Layout, Looked, Weights};
use engine_core::network::{self, Net};

use super::line::{KINDS, pieces, views};
use super::windows::{self, Terms, full};

/// Sums of each side.
pub(super) const HIDDEN: usize = 32;
/// Rows of output weights.
const ROWS: usize = 8;

/// The sums of one side.
pub(super) type Sums = network::Sums<HIDDEN>;

/// The network's weights.
pub(super) type Network = Net<HIDDEN>;

/// Returns the storage format of the weights. The sums of a board full of pieces must fit 16 bits.
const fn layout<R: Rules>() -> Layout {
    let squares = squares::<R>();
    let most = i16::MAX / (squares as i16 + 1);
    Layout::new("draughts/network-1", 4 * squares as usize, HIDDEN, ROWS, most)
}

/// Reads the network that is built in for the rules `R`.
pub(super) fn read<R: Rules>(bytes: &[u8]) -> Network {
    Network::read(&layout::<R>(), bytes).expect("the file was written for this shape")
}

/// Returns the row of output weights for that number of pieces.
#[inline]
fn row<R: Rules>(pieces: u32) -> usize {
    let row = pieces.saturating_sub(1) as usize * ROWS / full::<R>() as usize;
    row.min(ROWS - 1)
}

/// Returns the network's addition to the score of a position with these sums, for the side to move, in hundredths.
#[inline]
pub(super) fn score<R: Rules>(
    network: &Network,
    pos: &Draughts<R>,
    [white, black]: [&Sums; 2],
    pieces: u32,
) -> i32 {
    let (mover, other) = if pos.colour() == Colour::White { (white, black) } else { (black, white) };
    network.output(mover, other, row::<R>(pieces))
}

/// Returns the score of a position by the built-in windows, for the side to move.
fn by_windows<R: Rules>(pos: &Draughts<R>) -> Option<i32> {
    let score = super::learned::<R>()?.windows.score(pos);
    Some(if pos.colour() == Colour::White { score } else { -score })
}

/// The network as the trainer sees it: its addition to the built-in windows.
impl<R: Rules> learned::Network for Terms<R> {
    fn layout(&self) -> Layout {
        layout::<R>()
    }

    /// Writes the inputs of each view. The board is never mirrored: no two wings are alike on a board of dark
    /// squares.
    fn features(
        &self,
        board: &[u8],
        turn: Side,
        _exchanged: bool,
        out: &mut [Vec<u16>; 2],
    ) -> Option<Looked> {
        out.iter_mut().for_each(Vec::clear);
        let mover = Draughts::<R>::colour_of(turn) as usize;
        for (place, number) in (1..=squares::<R>()).enumerate() {
            let what = usize::from(board.get(place / 2)? >> (4 * (place % 2)) & 15);
            if what > KINDS {
                return None;
            }
            let (Some(kind), Some(at)) = (what.checked_sub(1), Square::new::<R>(number)) else { continue };
            let seen = views::<R>(kind, at);
            out[0].push(seen[mover] as u16);
            out[1].push(seen[1 - mover] as u16);
        }
        let base = by_windows(&windows::unpack::<R>(board, turn)?)? as f32;
        Some(Looked { row: row::<R>(out[0].len() as u32), base })
    }

    fn score(&self, weights: &Weights, game: &dyn AnyGame) -> Option<i32> {
        let network = Network::of(&layout::<R>(), weights).ok()?;
        let pos = game.as_any().downcast_ref::<Game<Draughts<R>>>()?.position();
        let mut sums = [*network.bias(); 2];
        for (kind, at) in pieces(pos) {
            for (sums, input) in sums.iter_mut().zip(views::<R>(kind, at)) {
                network::add(sums, network.input(input));
            }
        }
        Some(by_windows(pos)? + self::score(&network, pos, sums.each_ref(), pieces(pos).count() as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::{Brazilian, English, Frisian, International, Russian};
    use engine_core::learned::{Boards as _, Network as _};
    use engine_core::network::{MOST_OUT, OUT_STEPS, ROW_STEPS, SUM_STEPS};
    use kernel::Position as _;

    /// A network of random weights.
    fn random_weights<R: Rules>(seed: u64) -> Weights {
        let mut state = seed;
        let mut draw = |most: i16| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % (2 * most as u64 + 1)) as i16 - most
        };
        let layout = layout::<R>();
        let mut steps: Vec<i16> =
            (0..layout.inputs * HIDDEN + HIDDEN).map(|_| draw(layout.most[0] / 4)).collect();
        steps.extend((0..ROWS * 2 * HIDDEN).map(|_| draw(MOST_OUT / 2)));
        steps.extend((0..ROWS).map(|_| draw(2000)));
        Weights { steps, origin: [("scale".to_owned(), "100".to_owned())].into() }
    }

    /// The positions of games whose moves look random.
    fn games<R: Rules>() -> Vec<Vec<Draughts<R>>> {
        let game = |game: usize| {
            let mut line = vec![Draughts::<R>::start()];
            for ply in 0..150_usize {
                let mut next = line[ply];
                let mut moves = Vec::new();
                next.moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                next.play(moves[(game * 31 + ply * ply * 17) % moves.len()]);
                line.push(next);
            }
            line
        };
        (0..30).map(game).collect()
    }

    /// Returns the network's output for a packed board, computed in floating point.
    fn fractions<R: Rules>(trained: &Terms<R>, weights: &Weights, pos: &Draughts<R>) -> f64 {
        let mut board = vec![0; trained.board()];
        windows::pack(pos, &mut board);
        let mut inputs = [Vec::new(), Vec::new()];
        let looked = trained.features(&board, pos.turn(), false, &mut inputs).expect("a whole board");
        let Layout { inputs: count, .. } = layout::<R>();
        let steps = &weights.steps;
        let outputs = count * HIDDEN + HIDDEN;
        let mut logit = f64::from(steps[outputs + ROWS * 2 * HIDDEN + looked.row]) / f64::from(ROW_STEPS);
        for (view, inputs) in inputs.iter().enumerate() {
            for i in 0..HIDDEN {
                let weight = |place: usize| f64::from(steps[place]) / f64::from(SUM_STEPS);
                let from_inputs: f64 = inputs.iter().map(|&at| weight(usize::from(at) * HIDDEN + i)).sum();
                let sum = (weight(count * HIDDEN + i) + from_inputs).clamp(0.0, 1.0);
                let out =
                    f64::from(steps[outputs + (2 * looked.row + view) * HIDDEN + i]) / f64::from(OUT_STEPS);
                logit += sum * sum * out;
            }
        }
        f64::from(looked.base) + logit * weights.origin["scale"].parse::<f64>().expect("a number")
    }

    fn trainer_and_engine_agree<R: Rules>() {
        let [_, built_in] = super::super::files(R::KEY).expect("a variant with a network");
        let trained = Terms::<R>::new();
        let built_in = Weights::read(&layout::<R>().shape, built_in).expect("a file");
        for weights in [random_weights::<R>(2), built_in] {
            for pos in games::<R>().into_iter().flatten() {
                let game = Game::new(pos);
                let said = trained.score(&weights, &game).expect("a game of these rules");
                let exact = fractions(&trained, &weights, &pos);
                assert!((f64::from(said) - exact).abs() < 1.0, "{said} is not {exact}: {pos:?}");
            }
        }
    }

    /// The integer network agrees with the trainer's floating-point one, within a hundredth.
    #[test]
    fn integers_and_fractions_agree() {
        trainer_and_engine_agree::<International>();
        trainer_and_engine_agree::<Russian>();
        trainer_and_engine_agree::<Brazilian>();
        trainer_and_engine_agree::<English>();
        trainer_and_engine_agree::<Frisian>();
    }

    #[test]
    fn a_damaged_board_is_refused() {
        let trained = Terms::<International>::new();
        let mut found = [Vec::new(), Vec::new()];
        assert_eq!(trained.features(&[0x50; 25], Side::First, false, &mut found), None);
        assert_eq!(trained.features(&[0; 3], Side::First, false, &mut found), None);
    }
}
