//! The learned evaluation: how men stand in windows of 4x4 board squares, and a few sums.
//!
//! A window holds eight dark squares, each empty, White's man or Black's: one of 6561 *cells*. Windows overlap: on ten
//! files there are sixteen, on eight files nine. Each cell has four weights, from an empty board to a full one; between
//! those the score is interpolated. A window turned by 180° with its colours exchanged is worth the opposite, so half of
//! the windows have weights and the others share them. Kings are not in the windows; sums speak of them.
//!
//! The idea and its size are Scan's, as its readme describes them; the numbers are learned from our own games.

use draughts::{Colour, Draughts, Rules, Square, squares, two_rows, two_rows_bits};
use kernel::{AnyGame, Game};

use engine_core::learned::{Linear, Shape, Weights};

/// The cells of a window: three to the eighth.
const CELLS: usize = 6561;
/// The cells of half a window.
const HALF: usize = 81;
/// The most pairs of rows.
const PAIRS: usize = 5;
/// The most windows.
const WINDOWS: usize = (PAIRS - 1) * (PAIRS - 1);
/// Weights of a cell: for an empty board, for one with a third of the pieces, with two thirds, and with all.
const KNOTS: usize = 4;
/// The stretches between them.
const STAGES: usize = KNOTS - 1;
/// Steps of a stored weight in a hundredth of a man.
const STEPS: i32 = 8;

/// The layout's name.
const NAME: &str = "draughts/windows-2";
/// A score that would be faded where any is, in hundredths.
const MUCH: i32 = 1000;

/// The sums besides the windows, White's less Black's.
#[derive(Clone, Copy)]
enum Sum {
    /// Men.
    Men,
    /// Rows that men have gone.
    Gone,
    /// How much more men stand on one wing than on the other, as halves of files.
    Skew,
    /// Whether there is a king.
    King,
    /// Kings beyond the first.
    MoreKings,
    /// Empty squares that kings see.
    Seen,
    /// Those of them where a king is not captured at once.
    Safe,
    /// Whether a king holds the long diagonal.
    Diagonal,
    /// To have the move.
    Turn,
}

/// How many sums there are.
const SUMS: usize = Sum::Turn as usize + 1;

/// Where learning starts: sums with a known worth, in hundredths, from an empty board to a full one.
const START: [(Sum, [f32; KNOTS]); 6] = [
    (Sum::Men, [100.0; KNOTS]),
    (Sum::Gone, [3.0, 2.0, 2.0, 1.0]),
    (Sum::King, [250.0; KNOTS]),
    (Sum::MoreKings, [200.0; KNOTS]),
    (Sum::Diagonal, [20.0; KNOTS]),
    (Sum::Turn, [2.0; KNOTS]),
];

/// What a pair of rows with men of one colour says.
#[derive(Clone, Copy, Default, Debug)]
struct Part {
    /// For each window, a byte: its four squares as digits 0 and 1 of base three.
    quads: u32,
    /// Files from the middle, in halves, to the right positive.
    skew: i16,
    men: u8,
    /// Of them on the lower row.
    lower: u8,
}

/// A position as the evaluation sees it.
struct Reading {
    /// The cell of each window, from the top left.
    cells: [usize; WINDOWS],
    sums: [i32; SUMS],
    /// Pieces, as many as a full board has at most.
    pieces: i32,
}

/// How positions are read; the same for all weights of a board.
#[derive(Clone, Debug)]
struct Reader {
    /// By the number of [`two_rows`].
    parts: Vec<Part>,
}

/// Windows in a row, and pairs of rows of windows.
const fn across<R: Rules>() -> usize {
    R::SIDE as usize / 2 - 1
}

/// Pieces of a full board.
const fn full<R: Rules>() -> i32 {
    let (_, rows) = R::START;
    rows as i32 * R::SIDE as i32
}

const fn windows<R: Rules>() -> usize {
    across::<R>() * across::<R>()
}

/// Windows with weights of their own; the one in the middle, where there is one, among them.
const fn own<R: Rules>() -> usize {
    windows::<R>().div_ceil(2)
}

/// How many weights there are.
const fn weights<R: Rules>() -> usize {
    KNOTS * (own::<R>() * CELLS + SUMS)
}

/// The cell of the window turned by 180° with its colours exchanged.
fn turned(cell: usize) -> usize {
    let mut rest = cell;
    (0..8).fold(0, |turned, _| {
        let digit = rest % 3;
        rest /= 3;
        turned * 3 + [0, 2, 1][digit]
    })
}

/// The weights that a window with that cell uses: which cells, and with which sign.
fn uses<R: Rules>(window: usize, cell: usize) -> impl Iterator<Item = (usize, i32)> {
    let mate = windows::<R>() - 1 - window;
    let plain = (window <= mate).then_some((window * CELLS + cell, 1));
    let other = (window >= mate).then_some((mate * CELLS + turned(cell), -1));
    plain.into_iter().chain(other)
}

impl Reader {
    fn new<R: Rules>() -> Reader {
        let mut parts = vec![Part::default(); 1 << two_rows_bits::<R>()];
        let upper = (1..=squares::<R>()).filter_map(Square::new::<R>).filter(|at| at.row::<R>() < 2);
        let upper: Vec<(usize, Square)> = upper.map(|at| (two_rows::<R>(at.set::<R>(), 0), at)).collect();
        for (set, part) in parts.iter_mut().enumerate() {
            for &(_, at) in upper.iter().filter(|(bit, _)| set & bit != 0) {
                let (row, place) = (u32::from(at.row::<R>()), usize::from(at.file::<R>() / 2));
                part.men += 1;
                part.lower += row as u8;
                part.skew += 2 * i16::from(at.file::<R>()) + 1 - i16::from(R::SIDE);
                // A square is the right one of the window before its own, and the left one of its own.
                for (window, right) in [(place.wrapping_sub(1), 1), (place, 0)] {
                    if window < across::<R>() {
                        part.quads += 3_u32.pow(2 * row + right) << (8 * window);
                    }
                }
            }
        }
        Reader { parts }
    }

    #[inline(always)]
    fn read<R: Rules>(&self, pos: &Draughts<R>) -> Reading {
        let (white, black) = (pos.men_set(Colour::White), pos.men_set(Colour::Black));
        let mut quads = [0; PAIRS];
        let (mut men, mut gone, mut skews) = ([0; 2], [0; 2], [0; 2]);
        for (pair, quads) in quads.iter_mut().enumerate().take(across::<R>() + 1) {
            let part = [white, black].map(|set| self.parts[two_rows::<R>(set, pair as u32)]);
            *quads = part[0].quads + 2 * part[1].quads;
            let row = 2 * pair as i32;
            let [count, black_count] = part.map(|part| i32::from(part.men));
            gone[0] += count * (i32::from(R::SIDE) - 1 - row) - i32::from(part[0].lower);
            gone[1] += black_count * row + i32::from(part[1].lower);
            for side in 0..2 {
                men[side] += i32::from(part[side].men);
                skews[side] += i32::from(part[side].skew);
            }
        }
        let mut cells = [0; WINDOWS];
        for down in 0..across::<R>() {
            for right in 0..across::<R>() {
                let half = |row: usize| (quads[row] >> (8 * right)) as usize & 0xFF;
                cells[down * across::<R>() + right] = half(down) + HALF * half(down + 1);
            }
        }
        let mut sums = [0; SUMS];
        sums[Sum::Men as usize] = men[0] - men[1];
        sums[Sum::Gone as usize] = gone[0] - gone[1];
        sums[Sum::Skew as usize] = skews[0].abs() - skews[1].abs();
        sums[Sum::Turn as usize] = if pos.colour() == Colour::White { 1 } else { -1 };
        let kings = Colour::BOTH.map(|colour| pos.material(colour).1 as i32);
        if kings[0] + kings[1] > 0 {
            king_sums(pos, kings, &mut sums);
        }
        let pieces = (men[0] + men[1] + kings[0] + kings[1]).min(full::<R>());
        Reading { cells, sums, pieces }
    }
}

/// Most positions have no kings.
#[inline(never)]
fn king_sums<R: Rules>(pos: &Draughts<R>, kings: [i32; 2], sums: &mut [i32; SUMS]) {
    let [white, black] = Colour::BOTH.map(|colour| pos.king_room(colour));
    let [holds, other_holds] = Colour::BOTH.map(|colour| i32::from(pos.holds_long_diagonal(colour)));
    sums[Sum::King as usize] = kings[0].min(1) - kings[1].min(1);
    sums[Sum::MoreKings as usize] = (kings[0] - 1).max(0) - (kings[1] - 1).max(0);
    sums[Sum::Seen as usize] = white.0 as i32 - black.0 as i32;
    sums[Sum::Safe as usize] = white.1 as i32 - black.1 as i32;
    sums[Sum::Diagonal as usize] = holds - other_holds;
}

/// The stretch with so many pieces, and how far into it they are, in parts of a full board's pieces.
#[inline(always)]
fn stage<R: Rules>(pieces: i32) -> (usize, i32) {
    let along = pieces * STAGES as i32;
    let stage = (along / full::<R>()).min(STAGES as i32 - 1);
    (stage as usize, along - stage * full::<R>())
}

/// Weights, laid out for reading: pairs for the ends of a stretch.
#[derive(Debug)]
pub(super) struct Net {
    reader: Reader,
    /// By stretch, window and cell: those that share weights have their own here.
    cells: [Vec<[i16; 2]>; STAGES],
    sums: [[[i32; 2]; SUMS]; STAGES],
}

impl Net {
    /// Weights in the order of [`Terms`].
    pub(super) fn new<R: Rules>(stored: &[i16]) -> Net {
        let at = |stage: usize, i: usize| {
            let first = KNOTS * i + stage;
            [i32::from(stored[first]), i32::from(stored[first + 1])]
        };
        let worth = |stage: usize, window: usize, cell: usize| {
            uses::<R>(window, cell).fold([0; 2], |[low, high], (place, sign)| {
                let [a, b] = at(stage, place);
                [low + sign * a, high + sign * b]
            })
        };
        let narrow = |wide: i32| wide.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let cells = |stage: usize| {
            let whole = (0..windows::<R>()).flat_map(|window| (0..CELLS).map(move |cell| (window, cell)));
            whole.map(|(window, cell)| worth(stage, window, cell).map(narrow)).collect()
        };
        Net {
            reader: Reader::new::<R>(),
            cells: std::array::from_fn(cells),
            sums: std::array::from_fn(|stage| std::array::from_fn(|sum| at(stage, own::<R>() * CELLS + sum))),
        }
    }

    /// What the position looks like to White, in hundredths.
    #[inline]
    pub(super) fn score<R: Rules>(&self, pos: &Draughts<R>) -> i32 {
        let Reading { cells, sums, pieces } = self.reader.read(pos);
        let (stage, along) = stage::<R>(pieces);
        let (mut low, mut high) = (0, 0);
        for (window, weights) in self.cells[stage].chunks_exact(CELLS).enumerate().take(windows::<R>()) {
            let [a, b] = weights[cells[window]];
            low += i32::from(a);
            high += i32::from(b);
        }
        for (&sum, [a, b]) in sums.iter().zip(&self.sums[stage]) {
            low += sum * a;
            high += sum * b;
        }
        (high * along + low * (full::<R>() - along)) / (full::<R>() * STEPS)
    }
}

/// What a trainer asks about the rules `R`.
pub struct Terms<R: Rules> {
    reader: Reader,
    rules: std::marker::PhantomData<R>,
}

impl<R: Rules> Terms<R> {
    /// The weights of the variant by the rules `R`.
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Terms { reader: Reader::new::<R>(), rules: std::marker::PhantomData }
    }

    /// Appends which weights count how much in this position, as the side to move sees it.
    fn count(&self, pos: &Draughts<R>, out: &mut Vec<(u32, f32)>) {
        let reading = self.reader.read(pos);
        let own_view = if pos.colour() == Colour::White { 1.0 } else { -1.0 };
        let (stage, along) = stage::<R>(reading.pieces);
        let along = along as f32 / full::<R>() as f32;
        let mut push = |place: usize, times: i32| {
            if times != 0 {
                let (first, times) = ((KNOTS * place + stage) as u32, times as f32 * own_view);
                out.push((first, times * (1.0 - along)));
                out.push((first + 1, times * along));
            }
        };
        for window in 0..windows::<R>() {
            for (place, sign) in uses::<R>(window, reading.cells[window]) {
                push(place, sign);
            }
        }
        for (sum, &times) in reading.sums.iter().enumerate() {
            push(own::<R>() * CELLS + sum, times);
        }
    }
}

/// What the weights of `R` are called and how many there are.
pub(super) const fn shape<R: Rules>() -> Shape {
    Shape { name: NAME, weights: weights::<R>(), unit: 1.0 / STEPS as f32 }
}

impl<R: Rules> Linear for Terms<R> {
    fn shape(&self) -> Shape {
        shape::<R>()
    }

    /// Captures, hanging men, and endgames whose score is more than a sum teach nothing.
    fn features(&self, game: &dyn AnyGame, out: &mut Vec<(u32, f32)>) -> bool {
        let Some(game) = game.as_any().downcast_ref::<Game<Draughts<R>>>() else { return false };
        let pos = game.position();
        if pos.must_capture() || pos.is_threatened() || super::fading(pos, MUCH) != MUCH {
            return false;
        }
        self.count(pos, out);
        true
    }

    fn now(&self) -> Vec<f32> {
        let built_in = super::weights::<R>();
        built_in.map_or_else(|| self.start(), |weights: Weights| weights.hundredths(&shape::<R>()))
    }

    fn start(&self) -> Vec<f32> {
        let mut weights = vec![0.0; weights::<R>()];
        for (sum, worth) in START {
            let place = KNOTS * (own::<R>() * CELLS + sum as usize);
            weights[place..place + KNOTS].copy_from_slice(&worth);
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use draughts::{Brazilian, International, Italian};
    use kernel::{Notation, Position};

    use super::*;

    /// Numbers without meaning, the same each time.
    fn noise(count: usize) -> Vec<i16> {
        let mut n = 7_u64;
        let mut next = || {
            n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (n >> 52) as i16 - 2048
        };
        (0..count).map(|_| next()).collect()
    }

    /// Plays moves that look random, and checks each position on the way.
    fn wander<R: Rules>(check: impl Fn(&Draughts<R>)) {
        for game in 0..30_usize {
            let mut pos = Draughts::<R>::start();
            for ply in 0..120_usize {
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                pos.play(moves[(game * 31 + ply * ply * 17) % moves.len()]);
                check(&pos);
            }
        }
    }

    fn features_agree<R: Rules>() {
        let stored = noise(weights::<R>());
        let (net, terms) = (Net::new::<R>(&stored), Terms::<R>::new());
        wander::<R>(|pos| {
            let mut used = Vec::new();
            terms.count(pos, &mut used);
            let sum: f32 = used.iter().map(|&(place, times)| f32::from(stored[place as usize]) * times).sum();
            let score = if pos.colour() == Colour::White { net.score(pos) } else { -net.score(pos) };
            assert!((sum / STEPS as f32 - score as f32).abs() < 1.5, "{sum} {score} {pos:?}");
        });
    }

    #[test]
    fn the_score_is_the_sum_of_the_features() {
        features_agree::<International>();
        features_agree::<Brazilian>();
        features_agree::<Italian>();
    }

    /// The same position with the board turned and the colours exchanged.
    fn mirror<R: Rules>(pos: &Draughts<R>) -> Draughts<R> {
        let last = squares::<R>() + 1;
        let list = |colour: Colour| {
            let man = |at: Square| (last - at.number()).to_string();
            let men = pos.men(colour).map(man);
            let kings = pos.kings(colour).map(|at| format!("K{}", last - at.number()));
            men.chain(kings).collect::<Vec<_>>().join(",")
        };
        let turn = pos.colour().other().letter();
        let fen = format!("{turn}:W{}:B{}", list(Colour::Black), list(Colour::White));
        Draughts::<R>::start().read_fen(&fen).expect("a position")
    }

    #[test]
    fn both_colours_see_the_same() {
        let net = Net::new::<International>(&noise(weights::<International>()));
        wander::<International>(|pos| assert_eq!(net.score(pos), -net.score(&mirror(pos)), "{pos:?}"));
        let net = Net::new::<Brazilian>(&noise(weights::<Brazilian>()));
        wander::<Brazilian>(|pos| assert_eq!(net.score(pos), -net.score(&mirror(pos)), "{pos:?}"));
    }

    #[test]
    fn a_cell_turned_twice_is_itself() {
        assert!((0..CELLS).all(|cell| turned(turned(cell)) == cell));
        // Two men of White at the upper left become two of Black at the lower right.
        assert_eq!(turned(1 + 3), 2 * 729 + 2 * 2187);
    }
}
