//! A network beside the windows: (200 → 32) x 2 → 1 on ten rows, (128 → 32) x 2 → 1 on eight.
//!
//! Windows know what stands close together; the network learns what to add to them. Each side sees the board from its
//! own end: an input for each of its men, its kings, the enemy's men and kings on each square. What is seen makes 32
//! sums, and the sums a score (see [`engine_core::network`]) by one of eight rows, chosen by how many pieces are left.
//! The sums are kept in step with the line ([`Line`]): what changed is read off the sets of pieces, whatever the move.

use std::sync::LazyLock;

use draughts::{Bits, Colour, Draughts, Rules, Square, squares};
use kernel::{AnyGame, Game, Side};

use engine_core::learned::{self, Layout, Looked, Weights};
use engine_core::network::{self, Net};

use super::windows::{self, Terms, full};

/// Sums of each side.
const HIDDEN: usize = 32;
/// Rows of output weights.
const ROWS: usize = 8;

/// The sums of one side.
type Sums = network::Sums<HIDDEN>;

/// The network's weights.
pub(super) type Network = Net<HIDDEN>;

/// How the weights are kept. The sums of a board full of pieces must fit 16 bits.
const fn layout<R: Rules>() -> Layout {
    let squares = squares::<R>();
    let most = i16::MAX / (squares as i16 + 1);
    Layout::new("draughts/network-1", 4 * squares as usize, HIDDEN, ROWS, most)
}

/// The network that is built in for the rules `R`.
pub(super) fn built_in<R: Rules>() -> Option<&'static Network> {
    macro_rules! once {
        ($($rules:ident)*) => {
            match R::KEY {
                $(::draughts::$rules::KEY => {
                    static NETWORK: LazyLock<Option<Network>> = LazyLock::new(read::<::draughts::$rules>);
                    NETWORK.as_ref()
                })*
                _ => None,
            }
        };
    }
    ::draughts::for_each_variant!(once)
}

fn read<R: Rules>() -> Option<Network> {
    let [_, network] = super::files(R::KEY)?;
    let network = Network::read(&layout::<R>(), network);
    Some(network.expect("the file was written for this shape"))
}

/// The row of output weights for so many pieces.
#[inline]
fn row<R: Rules>(pieces: u32) -> usize {
    let row = pieces.saturating_sub(1) as usize * ROWS / full::<R>() as usize;
    row.min(ROWS - 1)
}

/// What stands on a square: White's man and king, Black's man and king.
const KINDS: usize = 4;

/// The inputs of a piece in White's view and in Black's.
#[inline]
fn inputs<R: Rules>(kind: usize, at: Square) -> [usize; 2] {
    let squares = usize::from(squares::<R>());
    let place = usize::from(at.number() - 1);
    [kind * squares + place, (kind ^ 2) * squares + squares - 1 - place]
}

/// All pieces, by kind.
type Sets<R> = [<R as Rules>::Bits; KINDS];

#[inline]
fn sets<R: Rules>(pos: &Draughts<R>) -> Sets<R> {
    let [white, black] = Colour::BOTH.map(|colour| [pos.men_set(colour), pos.king_set(colour)]);
    [white[0], white[1], black[0], black[1]]
}

/// The sums of both colours for each position of the line at hand. A move is only noted; sums are worked out when a
/// score is asked for, from the last position that has them.
#[derive(Clone, Debug)]
pub(super) struct Line<R: Rules> {
    steps: Vec<Step<R>>,
    /// How many of `steps` are the line; those behind are kept for their memory.
    len: usize,
}

#[derive(Clone, Debug)]
struct Step<R: Rules> {
    /// In White's view and in Black's.
    sums: [Sums; 2],
    sets: Sets<R>,
    ready: bool,
}

impl<R: Rules> Default for Line<R> {
    fn default() -> Self {
        Line { steps: Vec::new(), len: 0 }
    }
}

impl<R: Rules> Line<R> {
    /// The line begins at `pos`.
    pub(super) fn reset(&mut self, network: &Network, pos: &Draughts<R>) {
        // An empty board is before it.
        let empty = Step { sums: [*network.bias(); 2], sets: [R::Bits::NONE; KINDS], ready: true };
        self.steps.clear();
        self.steps.push(empty);
        self.len = 1;
        self.played();
        self.work_out(network, pos);
    }

    /// A move was played.
    #[inline]
    pub(super) fn played(&mut self) {
        if let Some(step) = self.steps.get_mut(self.len) {
            step.ready = false;
        } else {
            self.steps.push(Step { sums: [[0; HIDDEN]; 2], sets: [R::Bits::NONE; KINDS], ready: false });
        }
        self.len += 1;
    }

    /// The last move is taken back.
    #[inline]
    pub(super) fn undone(&mut self) {
        self.len -= 1;
    }

    /// What is added to the score of the line's last position, for the side to move, in hundredths.
    #[inline]
    pub(super) fn score(&mut self, network: &Network, pos: &Draughts<R>) -> i32 {
        self.work_out(network, pos);
        let Step { sums: [white, black], sets, .. } = &self.steps[self.len - 1];
        let (mover, other) = if pos.colour() == Colour::White { (white, black) } else { (black, white) };
        network.output(mover, other, row::<R>(sets.iter().map(|set| set.count()).sum()))
    }

    /// Works out the sums of the last position.
    #[inline]
    fn work_out(&mut self, weights: &Network, pos: &Draughts<R>) {
        let last = self.len - 1;
        if self.steps[last].ready {
            return;
        }
        let mut from = last - 1;
        while !self.steps[from].ready {
            from -= 1;
        }
        let old = &self.steps[from];
        let (sets, mut sums) = (sets(pos), old.sums);
        for (kind, (&now, &was)) in sets.iter().zip(&old.sets).enumerate() {
            for at in Square::each::<R>(now & !was) {
                for (sums, input) in sums.iter_mut().zip(inputs::<R>(kind, at)) {
                    network::add(sums, weights.input(input));
                }
            }
            for at in Square::each::<R>(was & !now) {
                for (sums, input) in sums.iter_mut().zip(inputs::<R>(kind, at)) {
                    network::take(sums, weights.input(input));
                }
            }
        }
        self.steps[last] = Step { sums, sets, ready: true };
    }
}

/// What the windows that are built in say of a position, for the side to move.
fn by_windows<R: Rules>(pos: &Draughts<R>) -> Option<i32> {
    let score = super::net::<R>()?.score(pos);
    Some(if pos.colour() == Colour::White { score } else { -score })
}

/// The network as the trainer sees it: what it adds to the windows that are built in.
impl<R: Rules> learned::Network for Terms<R> {
    fn layout(&self) -> Layout {
        layout::<R>()
    }

    /// No two wings are alike on a board of dark squares: it is looked at as it is.
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
            let seen = inputs::<R>(kind, at);
            out[0].push(seen[mover] as u16);
            out[1].push(seen[1 - mover] as u16);
        }
        let base = by_windows(&windows::unpack::<R>(board, turn)?)? as f32;
        Some(Looked { row: row::<R>(out[0].len() as u32), base })
    }

    fn score(&self, weights: &Weights, game: &dyn AnyGame) -> Option<i32> {
        let network = Network::of(&layout::<R>(), weights).ok()?;
        let pos = game.as_any().downcast_ref::<Game<Draughts<R>>>()?.position();
        let mut line = Line::default();
        line.reset(&network, pos);
        Some(by_windows(pos)? + line.score(&network, pos))
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

    fn sums_are_kept<R: Rules>() {
        let network = Network::of(&layout::<R>(), &random_weights::<R>(1)).expect("weights within bounds");
        for (number, game) in games::<R>().iter().enumerate() {
            let mut line = Line::default();
            line.reset(&network, &game[0]);
            for (ply, pos) in game.iter().enumerate().skip(1) {
                // A move that is taken back leaves nothing behind.
                line.played();
                let mut other = game[ply - 1];
                let mut moves = Vec::new();
                other.moves(&mut moves);
                other.play(moves[0]);
                if ply % 2 == 0 {
                    line.score(&network, &other);
                }
                line.undone();
                line.played();
                // Not every position of a line is asked for.
                if !(ply + number).is_multiple_of(3) {
                    let mut anew = Line::default();
                    anew.reset(&network, pos);
                    let said = line.score(&network, pos);
                    assert_eq!(said, anew.score(&network, pos), "game {number}, ply {ply}");
                }
            }
        }
    }

    #[test]
    fn sums_kept_in_step_are_those_worked_out_anew() {
        sums_are_kept::<International>();
        sums_are_kept::<English>();
        sums_are_kept::<Frisian>();
    }

    /// What the weights say of a packed board, as numbers with fractions.
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

    /// The integers say what the trainer's numbers with fractions do, within a hundredth.
    #[test]
    fn integers_and_fractions_agree() {
        trainer_and_engine_agree::<International>();
        trainer_and_engine_agree::<Russian>();
        trainer_and_engine_agree::<Brazilian>();
        trainer_and_engine_agree::<English>();
        trainer_and_engine_agree::<Frisian>();
    }

    /// Turned by 180° with colours exchanged, each side sees what the other saw.
    #[test]
    fn both_sides_see_alike() {
        for at in (1..=squares::<International>()).filter_map(Square::new::<International>) {
            let turned =
                Square::new::<International>(squares::<International>() + 1 - at.number()).expect("a square");
            for kind in 0..KINDS {
                let [white, black] = inputs::<International>(kind, at);
                assert_eq!(inputs::<International>(kind ^ 2, turned), [black, white]);
            }
        }
    }

    #[test]
    fn a_damaged_board_is_refused() {
        let trained = Terms::<International>::new();
        let mut found = [Vec::new(), Vec::new()];
        assert_eq!(trained.features(&[0x50; 25], Side::First, false, &mut found), None);
        assert_eq!(trained.features(&[0; 3], Side::First, false, &mut found), None);
    }
}
