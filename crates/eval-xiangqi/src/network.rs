//! A network in place of the terms: (1260 → 128) x 2 → 1.
//!
//! Each side sees the board from its own end: an input for each of its pieces and each of the enemy's on each of the
//! 90 squares, mirrored where its general stands right of the middle file. The same weights turn what it sees into
//! 128 sums; these are clipped to 0..1 and squared (SCReLU), and one of eight rows of output weights, chosen by how
//! many pieces are left, makes a score of both sides' sums. The sums are kept in step with the line
//! ([`AccumulatorStack`]); all numbers are integers.

use std::sync::LazyLock;

use kernel::{AnyGame, Game, Notation, Position, Side};
use xiangqi::square::FILES;
use xiangqi::{Kind, Move, Piece, Rules, Square, Xiangqi};

use engine_core::learned::{self, Layout, Looked, Weights};
use engine_core::network;

/// Pieces of both sides on all squares.
pub const INPUTS: usize = 14 * 90;
/// Sums of each side.
pub const HIDDEN: usize = 128;
/// Rows of output weights.
pub const BUCKETS: usize = 8;
/// The storage format of the weights. The sums of 32 pieces must fit 16 bits.
pub const LAYOUT: Layout = Layout::new("xiangqi/network-1", INPUTS, HIDDEN, BUCKETS, 505);

/// The sums of one side.
type Sums = network::Sums<HIDDEN>;

/// The network's weights.
pub type Network = network::Net<HIDDEN>;

/// The network that is built in, as it is written.
pub(super) static FILE: &[u8] = include_bytes!("../weights/xiangqi-network.bin");

/// The network that is built in.
pub static NETWORK: LazyLock<Network> =
    LazyLock::new(|| Network::read(&LAYOUT, FILE).expect("the file was written for this shape"));

/// A side's sums, from nothing.
fn sums(network: &Network, pos: &Xiangqi, view: View) -> Sums {
    let mut sums = *network.bias();
    for (side, kind) in both() {
        for at in pos.all(side, kind) {
            let input = network.input(view.input(Piece { side, kind }, at));
            network::add(&mut sums, input);
        }
    }
    sums
}

/// Returns the row of output weights for that number of pieces: 2 to 32.
#[inline]
#[must_use]
pub const fn bucket(pieces: u32) -> usize {
    let bucket = pieces.saturating_sub(1) as usize / 4;
    if bucket < BUCKETS { bucket } else { BUCKETS - 1 }
}

/// Every kind of both sides.
fn both() -> impl Iterator<Item = (Side, Kind)> {
    [Side::First, Side::Second].into_iter().flat_map(|side| Kind::ALL.map(|kind| (side, kind)))
}

/// The view of a side: the board turned so that its own side is near, and mirrored if its general stands on the right
/// half.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    side: Side,
    mirrored: bool,
}

impl View {
    /// The view of a side whose general stands there.
    #[inline]
    #[must_use]
    pub const fn of(side: Side, general: Option<Square>) -> View {
        View { side, mirrored: matches!(general, Some(at) if at.file() > FILES / 2) }
    }

    /// The input of a piece on a square.
    #[inline]
    #[must_use]
    pub fn input(self, piece: Piece, at: Square) -> usize {
        let seen = SEEN[self.side.index()][usize::from(self.mirrored)][usize::from(at.index())];
        let owner = usize::from(piece.side != self.side);
        (owner * 7 + piece.kind as usize) * 90 + usize::from(seen)
    }
}

/// The number of each square in a view: by side, plain and mirrored.
const SEEN: [[[u8; 90]; 2]; 2] = {
    let mut seen = [[[0; 90]; 2]; 2];
    let mut at = 0;
    while at < 90 {
        let (row, file) = (at / 9, at % 9);
        seen[0][0][at as usize] = (9 - row) * 9 + file;
        seen[0][1][at as usize] = (9 - row) * 9 + 8 - file;
        seen[1][0][at as usize] = row * 9 + file;
        seen[1][1][at as usize] = row * 9 + 8 - file;
        at += 1;
    }
    seen
};

/// The sums of both sides for each position of the current line. A move is only noted; sums are computed when a score
/// is asked for, from the last position that has them.
#[derive(Clone, Default, Debug)]
pub struct AccumulatorStack {
    steps: Vec<Step>,
    /// The number of `steps` in the line; those behind are kept for their memory.
    len: usize,
}

#[derive(Clone, Debug)]
struct Step {
    sums: [Sums; 2],
    ready: [bool; 2],
    moved: Moved,
    views: [View; 2],
}

/// The change made by a move.
#[derive(Clone, Copy, Debug)]
struct Moved {
    piece: Piece,
    taken: Option<Piece>,
    m: Move,
}

impl AccumulatorStack {
    /// The line begins at `pos`.
    pub fn reset(&mut self, network: &Network, pos: &Xiangqi) {
        let views = views(pos);
        let corner = Square::new(0).expect("a board has a first square");
        let nothing = Moved {
            piece: Piece { side: Side::First, kind: Kind::General },
            taken: None,
            m: Move { from: corner, to: corner },
        };
        let sums = views.map(|view| sums(network, pos, view));
        self.steps.clear();
        self.steps.push(Step { sums, ready: [true; 2], moved: nothing, views });
        self.len = 1;
    }

    /// `m` was played at `before`.
    #[inline]
    pub fn played(&mut self, before: &Xiangqi, m: Move) {
        let Some(piece) = before.piece_at(m.from) else { return self.repeat() };
        let moved = Moved { piece, taken: before.piece_at(m.to), m };
        let mut views = self.steps[self.len - 1].views;
        if piece.kind == Kind::General {
            views[piece.side.index()] = View::of(piece.side, Some(m.to));
        }
        if let Some(step) = self.steps.get_mut(self.len) {
            (step.moved, step.views, step.ready) = (moved, views, [false; 2]);
        } else {
            self.steps.push(Step { sums: [[0; HIDDEN]; 2], ready: [false; 2], moved, views });
        }
        self.len += 1;
    }

    /// Repeats the last step for a move that moved no piece.
    #[cold]
    fn repeat(&mut self) {
        let last = self.steps[self.len - 1].clone();
        self.steps.truncate(self.len);
        self.steps.push(last);
        self.len += 1;
    }

    /// The last move is taken back.
    #[inline]
    pub fn undone(&mut self) {
        self.len -= 1;
    }

    /// The score of the line's last position, for the side to move, in hundredths.
    #[inline]
    pub fn score(&mut self, network: &Network, pos: &Xiangqi) -> i32 {
        for side in [Side::First, Side::Second] {
            self.work_out(network, pos, side);
        }
        let [red, black] = &self.steps[self.len - 1].sums;
        let (mover, other) = if pos.turn() == Side::First { (red, black) } else { (black, red) };
        network.output(mover, other, bucket(pos.occupied().len()))
    }

    /// Works out a side's sums for the last position.
    #[inline]
    fn work_out(&mut self, network: &Network, pos: &Xiangqi, side: Side) {
        let (s, last) = (side.index(), self.len - 1);
        let view = self.steps[last].views[s];
        // Back to the last position that has sums in the same view.
        let mut from = last;
        while !self.steps[from].ready[s] {
            from -= 1;
            if self.steps[from].views[s] != view {
                let step = &mut self.steps[last];
                step.sums[s] = sums(network, pos, view);
                step.ready[s] = true;
                return;
            }
        }
        for i in from + 1..=last {
            let (known, rest) = self.steps.split_at_mut(i);
            let (old, step) = (&known[i - 1].sums[s], &mut rest[0]);
            let Moved { piece, taken, m } = step.moved;
            let come = network.input(view.input(piece, m.to));
            let gone = network.input(view.input(piece, m.from));
            let new = &mut step.sums[s];
            network::replace(old, new, come, gone);
            if let Some(taken) = taken {
                network::take(new, network.input(view.input(taken, m.to)));
            }
            step.ready[s] = true;
        }
    }
}

fn views(pos: &Xiangqi) -> [View; 2] {
    [Side::First, Side::Second].map(|side| View::of(side, pos.general(side)))
}

/// The network as the trainer sees it.
pub struct Trained;

/// Bits of a square in a packed board; 90 stands for a piece that was taken.
const SQUARE_BITS: usize = 7;
const TAKEN: u8 = 90;
/// Bytes of a packed board: the squares of 32 pieces.
pub(super) const BOARD: usize = 32 * SQUARE_BITS / 8;

impl learned::Boards for Trained {
    fn board(&self) -> usize {
        BOARD
    }

    fn pack(&self, game: &dyn AnyGame, next: &str, out: &mut [u8]) -> Option<u8> {
        let pos = game.as_any().downcast_ref::<Game<Xiangqi>>()?.position();
        let m = pos.read_move(next)?;
        let is_quiet = pos.piece_at(m.to).is_none() && !pos.in_check(pos.turn());
        (is_quiet && pack(pos, out)).then(|| pos.idle().min(255) as u8)
    }
}

impl learned::Network for Trained {
    fn layout(&self) -> Layout {
        LAYOUT
    }

    fn features(&self, board: &[u8], turn: Side, exchanged: bool, out: &mut [Vec<u16>; 2]) -> Option<Looked> {
        let mut squares = unpack(board)?;
        if exchanged {
            for at in squares.iter_mut().filter(|at| **at < TAKEN) {
                *at = *at / FILES * FILES + FILES - 1 - *at % FILES;
            }
        }
        out.iter_mut().for_each(Vec::clear);
        let general = |side: Side| Square::new(squares[16 * side.index()]);
        let views = [turn, turn.other()].map(|side| View::of(side, general(side)));
        for (n, &at) in squares.iter().enumerate() {
            let Some(at) = Square::new(at) else { continue };
            let side = if n < 16 { Side::First } else { Side::Second };
            let piece = Piece { side, kind: SLOTS[n % 16] };
            for (view, out) in views.iter().zip(&mut *out) {
                out.push(view.input(piece, at) as u16);
            }
        }
        Some(Looked { row: bucket(out[0].len() as u32), base: 0.0 })
    }

    fn score(&self, weights: &Weights, game: &dyn AnyGame) -> Option<i32> {
        let network = Network::of(&LAYOUT, weights).ok()?;
        let pos = game.as_any().downcast_ref::<Game<Xiangqi>>()?.position();
        let mut line = AccumulatorStack::default();
        line.reset(&network, pos);
        Some(line.score(&network, pos))
    }
}

/// The kinds of a side's sixteen pieces in a packed board.
const SLOTS: [Kind; 16] = {
    let mut slots = [Kind::Soldier; 16];
    let pairs = [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Advisor, Kind::Elephant];
    slots[0] = Kind::General;
    let mut i = 0;
    while i < 10 {
        slots[1 + i] = pairs[i / 2];
        i += 1;
    }
    slots
};

/// Packs a board: seven bits for the square of each piece, Red's sixteen first, in the order of [`SLOTS`]. `false`
/// when a general is missing.
pub(super) fn pack(pos: &Xiangqi, out: &mut [u8]) -> bool {
    out.fill(0);
    let mut n = 0;
    for side in [Side::First, Side::Second] {
        if pos.general(side).is_none() {
            return false;
        }
        let mut first = 0;
        while first < 16 {
            let kind = SLOTS[first];
            let most = kind.most() as usize;
            let mut squares: Vec<u8> = pos.all(side, kind).map(Square::index).collect();
            squares.sort_unstable();
            squares.resize(most, TAKEN);
            for at in squares {
                put(out, n, at);
                n += 1;
            }
            first += most;
        }
    }
    true
}

fn put(out: &mut [u8], n: usize, at: u8) {
    for bit in 0..SQUARE_BITS {
        let place = n * SQUARE_BITS + bit;
        out[place / 8] |= (at >> bit & 1) << (place % 8);
    }
}

/// The squares of a packed board; `None` when it is damaged.
fn unpack(board: &[u8]) -> Option<[u8; 32]> {
    let board: &[u8; BOARD] = board.try_into().ok()?;
    let mut squares = [TAKEN; 32];
    for (n, square) in squares.iter_mut().enumerate() {
        let place = n * SQUARE_BITS;
        let low = u16::from(board[place / 8]);
        let high = u16::from(board.get(place / 8 + 1).copied().unwrap_or(0));
        *square = ((low | high << 8) >> (place % 8) & 127) as u8;
        if *square > TAKEN {
            return None;
        }
    }
    (squares[0] < TAKEN && squares[16] < TAKEN).then_some(squares)
}

/// The position of a packed board, without a past; `None` when it is damaged.
pub(super) fn unpacked(board: &[u8], turn: Side) -> Option<Xiangqi> {
    let squares = unpack(board)?;
    let mut letters = [None; TAKEN as usize];
    for (n, &at) in squares.iter().enumerate().filter(|&(_, &at)| at < TAKEN) {
        let side = if n < 16 { Side::First } else { Side::Second };
        let letter = &mut letters[usize::from(at)];
        if letter.replace(Piece { side, kind: SLOTS[n % 16] }.letter()).is_some() {
            return None;
        }
    }
    let row = |row: &[Option<char>]| row.iter().map(|letter| letter.unwrap_or('1')).collect::<String>();
    let rows: Vec<String> = letters.chunks(usize::from(FILES)).map(row).collect();
    let turn = if turn == Side::First { 'w' } else { 'b' };
    Xiangqi::new(Rules::Asian).read_fen(&format!("{} {turn}", rows.join("/"))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::learned::{Boards as _, Network as _};
    use engine_core::network::{MOST_OUT, OUT_STEPS, ROW_STEPS, SUM_STEPS};
    use kernel::any;

    /// A network of random weights, as large as they may be.
    fn random_weights(seed: u64) -> Weights {
        let mut state = seed;
        let mut draw = |most: i16| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % (2 * most as u64 + 1)) as i16 - most
        };
        let inputs = INPUTS * HIDDEN + HIDDEN;
        let mut steps: Vec<i16> = (0..inputs).map(|_| draw(LAYOUT.most[0] / 4)).collect();
        steps.extend((0..BUCKETS * 2 * HIDDEN).map(|_| draw(MOST_OUT / 2)));
        steps.extend((0..BUCKETS).map(|_| draw(2000)));
        Weights { steps, origin: [("scale".to_owned(), "200".to_owned())].into() }
    }

    /// Random games, with the number of a move for each ply.
    fn games(many: u64) -> impl Iterator<Item = Vec<Xiangqi>> {
        (0..many).map(|seed| {
            let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1;
            let mut line = vec![Xiangqi::new(xiangqi::Rules::Asian)];
            for _ in 0..120 {
                let pos = &line[line.len() - 1];
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let mut next = pos.clone();
                next.play(moves[(state % moves.len() as u64) as usize]);
                line.push(next);
            }
            line
        })
    }

    #[test]
    fn sums_kept_in_step_are_those_worked_out_anew() {
        let network = Network::of(&LAYOUT, &random_weights(1)).expect("weights within bounds");
        for (seed, game) in games(20).enumerate() {
            let mut line = AccumulatorStack::default();
            line.reset(&network, &game[0]);
            for ply in 0..game.len() - 1 {
                let mut moves = Vec::new();
                game[ply].moves(&mut moves);
                let fits = |m: &Move| {
                    let mut next = game[ply].clone();
                    next.play(*m);
                    next.key() == game[ply + 1].key()
                };
                let m = moves.iter().copied().find(fits).expect("the move that was played");
                // A move that is taken back leaves nothing behind.
                line.played(&game[ply], moves[0]);
                line.undone();
                line.played(&game[ply], m);
                // Not every position of a line is asked for.
                if !(ply + seed).is_multiple_of(3) {
                    let mut anew = AccumulatorStack::default();
                    anew.reset(&network, &game[ply + 1]);
                    let stepped = line.score(&network, &game[ply + 1]);
                    assert_eq!(stepped, anew.score(&network, &game[ply + 1]), "game {seed}, ply {ply}");
                }
            }
        }
    }

    #[test]
    fn a_packed_board_names_the_same_inputs() {
        for game in games(20) {
            for pos in &game {
                let mut board = [0; BOARD];
                assert!(pack(pos, &mut board));
                let mut found = [Vec::new(), Vec::new()];
                let row = Trained.features(&board, pos.turn(), false, &mut found).expect("a whole board").row;
                assert_eq!(row, bucket(pos.occupied().len()));
                for (side, mut found) in [pos.turn(), pos.turn().other()].into_iter().zip(found) {
                    let view = View::of(side, pos.general(side));
                    let input = |(side, kind)| {
                        pos.all(side, kind).map(move |at| view.input(Piece { side, kind }, at) as u16)
                    };
                    let mut wanted: Vec<u16> = both().flat_map(input).collect();
                    wanted.sort_unstable();
                    found.sort_unstable();
                    assert_eq!(found, wanted);
                }
            }
        }
    }

    #[test]
    fn a_damaged_board_is_refused() {
        let mut found = [Vec::new(), Vec::new()];
        for board in [&[0xFF; BOARD][..], &[0; BOARD - 1], &[]] {
            assert_eq!(Trained.features(board, Side::First, false, &mut found), None);
        }
    }

    /// The integer network agrees with the same weights in floating point, within a hundredth.
    #[test]
    fn integers_and_fractions_agree() {
        for weights in [random_weights(2), built_in()] {
            let network = Network::of(&LAYOUT, &weights).expect("weights within bounds");
            let mut looked_at = 0;
            for pos in games(90).flatten() {
                let mut line = AccumulatorStack::default();
                line.reset(&network, &pos);
                let said = line.score(&network, &pos);
                let exact = fractions(&weights, &pos);
                assert!((f64::from(said) - exact).abs() < 1.0, "{said} is not {exact}");
                looked_at += 1;
            }
            assert!(looked_at > 10_000, "{looked_at}");
        }
    }

    fn built_in() -> Weights {
        Weights::read(&LAYOUT.shape, FILE).expect("a file of this shape")
    }

    fn fractions(weights: &Weights, pos: &Xiangqi) -> f64 {
        let steps = &weights.steps;
        let mut board = [0; BOARD];
        pack(pos, &mut board);
        let mut inputs = [Vec::new(), Vec::new()];
        let row = Trained.features(&board, pos.turn(), false, &mut inputs).expect("a whole board").row;
        let outputs = INPUTS * HIDDEN + HIDDEN;
        let mut logit = f64::from(steps[outputs + BUCKETS * 2 * HIDDEN + row]) / f64::from(ROW_STEPS);
        for (view, inputs) in inputs.iter().enumerate() {
            for i in 0..HIDDEN {
                let weight = |place: usize| f64::from(steps[place]) / f64::from(SUM_STEPS);
                let from_inputs: f64 = inputs.iter().map(|&at| weight(usize::from(at) * HIDDEN + i)).sum();
                let sum = (weight(INPUTS * HIDDEN + i) + from_inputs).clamp(0.0, 1.0);
                let out = f64::from(steps[outputs + (2 * row + view) * HIDDEN + i]) / f64::from(OUT_STEPS);
                logit += sum * sum * out;
            }
        }
        logit * weights.origin["scale"].parse::<f64>().expect("a number")
    }

    /// The score does not depend on the colour of the side to move, nor on a left-right mirror where neither general
    /// stands on the middle file.
    #[test]
    fn colours_and_wings_do_not_matter() {
        let network = Network::of(&LAYOUT, &random_weights(3)).expect("weights within bounds");
        let score = |fen: &str| {
            let pos = Xiangqi::new(xiangqi::Rules::Asian).read_fen(fen).expect("a position");
            let mut line = AccumulatorStack::default();
            line.reset(&network, &pos);
            line.score(&network, &pos)
        };
        let swap = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        for board in [
            "3akab2/9/4b4/p3P3p/2r3n2/9/P3c3P/3RC4/4A4/2BA1KN2",
            "3k1ab2/9/4b4/p3P3p/2r3n2/9/P3c3P/4C4/4A1R2/2BA1K3",
            "5k3/4a4/4P4/9/9/9/9/4B4/9/3K5",
        ] {
            let fen = format!("{board} w - - 0 1");
            let rows: Vec<&str> = board.split('/').collect();
            let turned: Vec<String> = rows.iter().rev().map(|row| row.chars().map(swap).collect()).collect();
            assert_eq!(score(&fen), score(&format!("{} b - - 0 1", turned.join("/"))), "{board}");
            let exchanged: Vec<String> = rows.iter().map(|row| row.chars().rev().collect()).collect();
            let exchanged = format!("{} w - - 0 1", exchanged.join("/"));
            if !rows[0].contains("ak") {
                assert_eq!(score(&fen), score(&exchanged), "{board}");
            }
            let inputs = |fen: &str, exchanged| {
                let pos = Xiangqi::new(xiangqi::Rules::Asian).read_fen(fen).expect("a position");
                let mut board = [0; BOARD];
                assert!(pack(&pos, &mut board));
                let mut found = [Vec::new(), Vec::new()];
                Trained.features(&board, pos.turn(), exchanged, &mut found).expect("a whole board");
                found.map(|mut found| {
                    found.sort_unstable();
                    found
                })
            };
            assert_eq!(inputs(&fen, true), inputs(&exchanged, false), "{board}");
        }
    }

    #[test]
    fn weights_too_large_for_16_bits_are_refused() {
        let mut weights = random_weights(4);
        weights.steps[0] = LAYOUT.most[0] + 1;
        assert!(Network::of(&LAYOUT, &weights).is_err());
        let scaleless = Weights { origin: [].into(), ..random_weights(4) };
        assert!(Network::of(&LAYOUT, &scaleless).is_err());
    }

    #[test]
    fn captures_and_checks_are_not_learned_from() {
        let game = any(Xiangqi::new(xiangqi::Rules::Asian));
        let mut board = [0; BOARD];
        assert_eq!(Trained.pack(game.as_ref(), "h2e2", &mut board), Some(0));
        assert_eq!(Trained.pack(game.as_ref(), "h2h9", &mut board), None);
        assert_eq!(Trained.pack(game.as_ref(), "none", &mut board), None);
    }
}
