//! The learned evaluation: how men stand in windows of 4x4 board squares and in columns of 4x6, and a few sums.
//!
//! A window holds eight dark squares, each empty, White's man or Black's: one of 6561 *cells*. Windows overlap: on
//! ten files there are sixteen, on eight files nine. Each cell has four weights, from an empty board to a full one;
//! between those the score is interpolated. A window turned by 180° with its colours exchanged is worth the opposite,
//! so half of the windows have weights and the others share them. Kings are not in the windows; sums speak of them.
//!
//! On ten rows two windows that overlap make a *column*: twelve dark squares from either edge to just beyond the
//! middle, four beside each other, and those of the other edge turned. A column is worth its two windows and
//! something of its own, the same on an empty board and a full one. So a score takes eight lookups there instead of
//! sixteen.
//!
//! The ideas and their sizes are Scan's, as its readmes describe them; the numbers are learned from our own games.

use draughts::rules::{Goal, Places};
use draughts::{Bits, Colour, Draughts, Rules, Square, squares};
use kernel::{AnyGame, Game, Problem, Side};

use engine_core::learned::{Boards, Linear, Shape, Weights};
use engine_core::network::{self, Sums};

use crate::line::{KINDS, pieces, views};

/// The cells of a window: three to the eighth.
const CELLS: usize = 6561;
/// The cells of half a window.
const HALF: usize = 81;
/// The cells of a column: three to the twelfth.
const COLUMN: usize = CELLS * HALF;
/// Columns with weights of their own, on ten rows.
const COLUMNS: usize = 4;
/// The most pairs of rows.
const PAIRS: usize = 5;
/// The most windows.
const WINDOWS: usize = (PAIRS - 1) * (PAIRS - 1);
/// Weights of a cell: for an empty board, for one with a third of the pieces, with two thirds, and with all.
const KNOTS: usize = 4;
/// The number of stages between two neighbouring knots.
const STAGES: usize = KNOTS - 1;
/// Steps of a stored weight in a hundredth of a man.
const STEPS: i32 = 8;

/// The layout's name without columns and with them.
const NAMES: [&str; 2] = ["draughts/windows-2", "draughts/columns-1"];
/// A score that [`fading`](super::fading) would change if it changes any, in hundredths.
const MUCH: i32 = 1000;

/// The sums besides the windows, White's less Black's.
#[derive(Clone, Copy)]
enum Sum {
    /// The number of men.
    Men,
    /// Rows that men have gone.
    Gone,
    /// The imbalance of the men between the wings, in halves of files.
    Skew,
    /// The presence of a king.
    King,
    /// Kings beyond the first.
    MoreKings,
    /// Empty squares that kings see.
    Seen,
    /// The empty squares among them on which a king is not captured at once.
    Safe,
    /// A king on the long diagonal.
    Diagonal,
    /// The right to move (tempo).
    Turn,
}

/// The number of sums.
const SUMS: usize = Sum::Turn as usize + 1;

/// Returns the start of learning: sums with a known worth, in hundredths, from an empty board to a full one. In games
/// whose goal is to lose all pieces the signs are reversed.
fn known<R: Rules>() -> [(Sum, [f32; KNOTS]); 6] {
    let aim = if R::GOAL == Goal::LoseAll { -1.0 } else { 1.0 };
    let [first_king, more_kings] = if R::FLYING { [250.0, 200.0] } else { [140.0; 2] };
    [
        (Sum::Men, [100.0 * aim; KNOTS]),
        (Sum::Gone, [3.0, 2.0, 2.0, 1.0].map(|worth: f32| worth * aim)),
        (Sum::King, [first_king * aim; KNOTS]),
        (Sum::MoreKings, [more_kings * aim; KNOTS]),
        (Sum::Diagonal, [if R::FLYING { 20.0 * aim } else { 0.0 }; KNOTS]),
        (Sum::Turn, [2.0; KNOTS]),
    ]
}

/// The sums without kings, and those of kings.
const ALWAYS: [Sum; 4] = [Sum::Men, Sum::Gone, Sum::Skew, Sum::Turn];
const OF_KINGS: [Sum; 5] = [Sum::King, Sum::MoreKings, Sum::Seen, Sum::Safe, Sum::Diagonal];

/// The input of the windows: numbers to which each piece adds something. First the cells of windows, from the top
/// left. Where there are columns, first the cell of the outer window of each, then for each what its four inner
/// squares add.
pub(super) type Reading = Sums<NUMBERS>;

/// The number of numbers in a reading; a few are spare.
pub(super) const NUMBERS: usize = 24;
/// Behind the cells: men and rows gone, White's less Black's.
const MEN: usize = WINDOWS;
const GONE: usize = WINDOWS + 1;
/// Half files from the middle, to the right positive: of White, then of Black.
const SKEWS: usize = WINDOWS + 2;
/// The index of the number of pieces, kings included.
const PIECES: usize = WINDOWS + 4;

/// The table by which positions are read; the same for all weights of a board.
#[derive(Clone, Debug)]
struct Reader {
    /// The contribution of each piece, by its number in White's [view](views).
    pieces: Vec<Reading>,
}

/// Returns true if windows fit the board by the rules `R`: half of its squares are played on, and there are ten rows
/// at most.
pub(super) const fn fit<R: Rules>() -> bool {
    !matches!(R::PLACES, Places::All) && R::SIDE as usize <= 2 * PAIRS
}

/// Windows in a row, and pairs of rows of windows.
const fn across<R: Rules>() -> usize {
    R::SIDE as usize / 2 - 1
}

/// Pieces of a full board.
pub(super) const fn full<R: Rules>() -> i32 {
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

/// Returns true if columns are read: on boards of ten where pieces are also taken along files. Elsewhere no learned
/// weights yet need them, and their table of 26 MB would push windows of 0.4 MB out of the processor's cache.
const fn has_columns<R: Rules>() -> bool {
    fit::<R>() && R::SIDE == 10 && R::MAN_TAKES != draughts::direction::DIAGONAL
}

/// Weights of windows and sums.
const fn plain_weights<R: Rules>() -> usize {
    KNOTS * (own::<R>() * CELLS + SUMS)
}

/// Returns the number of weights: those of columns come last.
const fn weights<R: Rules>() -> usize {
    plain_weights::<R>() + if has_columns::<R>() { COLUMNS * COLUMN } else { 0 }
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

/// The weights of the two windows in a column with that cell: which cells.
fn within(column: usize, cell: usize) -> [usize; 2] {
    [column * CELLS + cell % CELLS, (COLUMNS + column) * CELLS + cell / HALF]
}

impl Reader {
    fn new<R: Rules>() -> Reader {
        let mut pieces = vec![[0; NUMBERS]; KINDS * usize::from(squares::<R>())];
        for at in (1..=squares::<R>()).filter_map(Square::new::<R>) {
            for (colour, kind) in Colour::BOTH.into_iter().zip([0, 2]) {
                pieces[views::<R>(kind, at)[0]] = man::<R>(colour, at);
                pieces[views::<R>(kind + 1, at)[0]][PIECES] = 1;
            }
        }
        Reader { pieces }
    }

    fn read<R: Rules>(&self, pos: &Draughts<R>) -> Reading {
        let mut reading = [0; NUMBERS];
        for (kind, at) in pieces(pos) {
            network::add(&mut reading, &self.pieces[views::<R>(kind, at)[0]]);
        }
        reading
    }
}

/// Returns the contribution of a man to a reading.
fn man<R: Rules>(colour: Colour, at: Square) -> Reading {
    let mut reading = [0; NUMBERS];
    let (row, place) = (usize::from(at.row::<R>()), usize::from(at.file::<R>() / 2));
    let (pair, white) = (row / 2, colour == Colour::White);
    let (value, turned) = if white { (1, 2) } else { (2, 1) };
    // A square is the right one of the window before its own, and the left one of its own.
    for (window, right) in [(place.wrapping_sub(1), 1), (place, 0)] {
        if window >= across::<R>() {
            continue;
        }
        let digit = 2 * (row as u32 % 2) + right;
        let quad = value * 3_i16.pow(digit);
        if has_columns::<R>() {
            let turned = turned * 3_i16.pow(3 - digit);
            let (upper, lower) = (window, COLUMNS + COLUMNS - 1 - window);
            match pair {
                0 => reading[upper] += quad,
                1 => reading[upper] += HALF as i16 * quad,
                2 => {
                    reading[2 * COLUMNS + upper] += quad;
                    reading[2 * COLUMNS + lower] += turned;
                }
                3 => reading[lower] += HALF as i16 * turned,
                _ => reading[lower] += turned,
            }
        } else {
            if pair < across::<R>() {
                reading[pair * across::<R>() + window] += quad;
            }
            if pair > 0 {
                reading[(pair - 1) * across::<R>() + window] += HALF as i16 * quad;
            }
        }
    }
    let row = row as i16;
    (reading[MEN], reading[GONE]) = if white { (1, i16::from(R::SIDE) - 1 - row) } else { (-1, -row) };
    reading[SKEWS + usize::from(!white)] = 2 * i16::from(at.file::<R>()) + 1 - i16::from(R::SIDE);
    reading[PIECES] = 1;
    reading
}

/// The cells of the columns in a reading: those of the upper edge, then those of the lower edge seen from there.
#[inline(always)]
fn columns(reading: &Reading) -> [[usize; COLUMNS]; 2] {
    [0, COLUMNS].map(|edge| {
        std::array::from_fn(|column| {
            let [first, rest] = [edge, 2 * COLUMNS + edge].map(|from| reading[from + column] as u16);
            usize::from(first) + CELLS * usize::from(rest)
        })
    })
}

/// The sums of a position with that reading.
#[inline(always)]
fn sums<R: Rules>(reading: &Reading, pos: &Draughts<R>) -> [i32; SUMS] {
    let mut sums = [0; SUMS];
    sums[Sum::Men as usize] = i32::from(reading[MEN]);
    sums[Sum::Gone as usize] = i32::from(reading[GONE]);
    sums[Sum::Skew as usize] = i32::from(reading[SKEWS].abs()) - i32::from(reading[SKEWS + 1].abs());
    sums[Sum::Turn as usize] = if pos.colour() == Colour::White { 1 } else { -1 };
    if pos.has_kings() {
        king_sums(pos, &mut sums);
    }
    sums
}

/// Adds the sums of kings; out of line, since most positions have none.
#[inline(never)]
fn king_sums<R: Rules>(pos: &Draughts<R>, sums: &mut [i32; SUMS]) {
    let kings = Colour::BOTH.map(|colour| pos.material(colour).1 as i32);
    let [white, black] = Colour::BOTH.map(|colour| pos.king_room(colour));
    let [holds, other_holds] = Colour::BOTH.map(|colour| i32::from(pos.holds_long_diagonal(colour)));
    sums[Sum::King as usize] = kings[0].min(1) - kings[1].min(1);
    sums[Sum::MoreKings as usize] = (kings[0] - 1).max(0) - (kings[1] - 1).max(0);
    sums[Sum::Seen as usize] = white.0 as i32 - black.0 as i32;
    sums[Sum::Safe as usize] = white.1 as i32 - black.1 as i32;
    sums[Sum::Diagonal as usize] = holds - other_holds;
}

/// Returns the stretch that this number of pieces is in, and how far into it, in parts of a full board's pieces.
#[inline(always)]
fn stage<R: Rules>(pieces: u32) -> (usize, i32) {
    let along = (pieces as i32).min(full::<R>()) * STAGES as i32;
    let stage = (along / full::<R>()).min(STAGES as i32 - 1);
    (stage as usize, along - stage * full::<R>())
}

/// Weights, laid out for reading.
#[derive(Debug)]
pub(super) struct Windows {
    reader: Reader,
    /// The weights by stretch, window and cell: those that share weights have their own here. By stretch, column and
    /// cell where there are columns, their windows included.
    cells: [Vec<Ends>; STAGES],
    /// The factors for each number of pieces.
    counts: Box<[Count]>,
}

/// The factors that apply to positions with a given number of pieces.
#[derive(Debug)]
struct Count {
    stage: usize,
    /// The shares of both ends of the stretch.
    shares: [i32; 2],
    /// The weights of the sums, in the shares' and the weights' steps.
    sums: [i32; SUMS],
}

/// A weight at both ends of a stretch. Their sum over all windows must fit 16 bits at each end: then one addition adds both.
#[derive(Clone, Copy, Default, Debug)]
struct Ends(i32);

impl Ends {
    fn new([low, high]: [i16; 2]) -> Ends {
        Ends((i32::from(high) << 16) + i32::from(low))
    }

    #[inline]
    fn both(self) -> [i32; 2] {
        let low = i32::from(self.0 as i16);
        [low, self.0.wrapping_sub(low) >> 16]
    }

    #[inline]
    fn plus(self, other: Ends) -> Ends {
        Ends(self.0.wrapping_add(other.0))
    }

    #[inline]
    fn minus(self, other: Ends) -> Ends {
        Ends(self.0.wrapping_sub(other.0))
    }
}

impl Windows {
    /// Lays out weights, which come in the order of [`Terms`].
    ///
    /// # Errors
    /// `weights-too-large` where the windows could come to more than 16 bits.
    pub(super) fn new<R: Rules>(stored: &[i16]) -> Result<Windows, Problem> {
        let at = |stage: usize, i: usize| {
            let first = KNOTS * i + stage;
            [i32::from(stored[first]), i32::from(stored[first + 1])]
        };
        // The lower edge's count the other way round.
        let most = i32::from(i16::MAX);
        let narrow = |wide: [i32; 2]| Ends::new(wide.map(|n| n.clamp(-most, most) as i16));
        let windows = |stage: usize| {
            let worth = |window: usize, cell: usize| {
                uses::<R>(window, cell).fold([0; 2], |[low, high], (place, sign)| {
                    let [a, b] = at(stage, place);
                    [low + sign * a, high + sign * b]
                })
            };
            let whole = (0..windows::<R>()).flat_map(|window| (0..CELLS).map(move |cell| (window, cell)));
            whole.map(|(window, cell)| narrow(worth(window, cell))).collect()
        };
        let columns = |stage: usize| {
            let whole = (0..COLUMNS).flat_map(|column| (0..COLUMN).map(move |cell| (column, cell)));
            let worth = |(column, cell): (usize, usize)| {
                let own = i32::from(stored[plain_weights::<R>() + column * COLUMN + cell]);
                let [upper, lower] = within(column, cell).map(|place| at(stage, place));
                narrow([0, 1].map(|end| own + upper[end] + lower[end]))
            };
            whole.map(worth).collect()
        };
        let counts = (0..=full::<R>() as u32).map(|pieces| {
            let (stage, along) = stage::<R>(pieces);
            let shares = [full::<R>() - along, along];
            let worth = |sum: usize| {
                let [low, high] = at(stage, own::<R>() * CELLS + sum);
                low * shares[0] + high * shares[1]
            };
            Count { stage, shares, sums: std::array::from_fn(worth) }
        });
        let (cells, size, times): ([Vec<Ends>; STAGES], _, _) = if has_columns::<R>() {
            (std::array::from_fn(columns), COLUMN, 2)
        } else {
            (std::array::from_fn(windows), CELLS, 1)
        };
        let sum = |cells: &Vec<Ends>| {
            let largest = |cells: &[Ends]| {
                cells
                    .iter()
                    .map(|cell| cell.both().map(i32::abs))
                    .fold([0; 2], |[a, b], [c, d]| [a.max(c), b.max(d)])
            };
            let sums = cells.chunks(size).map(largest).fold([0; 2], |[a, b], [c, d]| [a + c, b + d]);
            times * sums[0].max(sums[1])
        };
        let largest = cells.iter().map(sum).max().unwrap_or(0);
        if largest > most {
            return Err(Problem::new("weights-too-large").with("found", largest).with("most", most));
        }
        Ok(Windows { reader: Reader::new::<R>(), cells, counts: counts.collect() })
    }

    /// Returns the contribution of a piece to a reading, by its number in White's [view](views).
    #[inline]
    pub(super) fn piece(&self, number: usize) -> &Reading {
        &self.reader.pieces[number]
    }

    /// Returns the score of the position for White, in hundredths.
    pub(super) fn score<R: Rules>(&self, pos: &Draughts<R>) -> i32 {
        self.score_read(pos, &self.reader.read(pos))
    }

    /// The same for a position that is read already.
    #[inline]
    pub(super) fn score_read<R: Rules>(&self, pos: &Draughts<R>, reading: &Reading) -> i32 {
        let count = &self.counts[(pieces_of(reading) as usize).min(full::<R>() as usize)];
        let mut ends = Ends::default();
        if const { has_columns::<R>() } {
            let columns = columns(reading);
            for (column, cells) in
                self.cells[count.stage].as_chunks::<COLUMN>().0.iter().enumerate().take(COLUMNS)
            {
                let [upper, lower] = [0, 1].map(|edge| cells[columns[edge][column]]);
                ends = ends.plus(upper).minus(lower);
            }
        } else {
            let cells = &self.cells[count.stage].as_chunks::<CELLS>().0[..windows::<R>()];
            for window in 0..windows::<R>() {
                ends = ends.plus(cells[window][usize::from(reading[window] as u16)]);
            }
        }
        let [low, high] = ends.both();
        let sums = sums(reading, pos);
        let worth = |sum: Sum| sums[sum as usize] * count.sums[sum as usize];
        let mut total =
            low * count.shares[0] + high * count.shares[1] + ALWAYS.map(worth).iter().sum::<i32>();
        if pos.has_kings() {
            total += OF_KINGS.map(worth).iter().sum::<i32>();
        }
        total / (full::<R>() * STEPS)
    }
}

/// Returns the number of pieces in a position with that reading.
#[inline]
pub(super) fn pieces_of(reading: &Reading) -> u32 {
    reading[PIECES] as u32
}

/// The linear model of the rules `R` for the trainer.
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

    /// Appends the weights that count in this position, and how much, as the side to move sees it.
    fn count(&self, pos: &Draughts<R>, out: &mut Vec<(u32, f32)>) {
        let reading = self.reader.read(pos);
        let own_view = if pos.colour() == Colour::White { 1.0 } else { -1.0 };
        let (stage, along) = stage::<R>(pieces_of(&reading));
        let along = along as f32 / full::<R>() as f32;
        let mut push = |place: usize, times: i32| {
            if times != 0 {
                let (first, times) = ((KNOTS * place + stage) as u32, times as f32 * own_view);
                out.push((first, times * (1.0 - along)));
                out.push((first + 1, times * along));
            }
        };
        if has_columns::<R>() {
            for (cells, sign) in columns(&reading).iter().zip([1, -1]) {
                for (column, &cell) in cells.iter().enumerate() {
                    within(column, cell).into_iter().for_each(|place| push(place, sign));
                }
            }
        } else {
            for (window, &cell) in reading.iter().enumerate().take(windows::<R>()) {
                for (place, sign) in uses::<R>(window, usize::from(cell as u16)) {
                    push(place, sign);
                }
            }
        }
        for (sum, times) in sums(&reading, pos).into_iter().enumerate() {
            push(own::<R>() * CELLS + sum, times);
        }
        if has_columns::<R>() {
            for (cells, sign) in columns(&reading).iter().zip([own_view, -own_view]) {
                for (column, &cell) in cells.iter().enumerate() {
                    out.push(((plain_weights::<R>() + column * COLUMN + cell) as u32, sign));
                }
            }
        }
    }
}

/// Returns the name and the number of the weights of `R`.
pub(super) const fn shape<R: Rules>() -> Shape {
    let name = NAMES[has_columns::<R>() as usize];
    Shape { name, weights: weights::<R>(), unit: 1.0 / STEPS as f32 }
}

/// Reads a file of weights; one without columns is filled up with zeros.
///
/// # Errors
/// `weights-file`.
pub(super) fn read<R: Rules>(bytes: &[u8]) -> Result<Weights, Problem> {
    Weights::read(&shape::<R>(), bytes).or_else(|problem| {
        let plain = Shape { name: NAMES[0], weights: plain_weights::<R>(), ..shape::<R>() };
        let mut weights = Weights::read(&plain, bytes).map_err(|_| problem)?;
        weights.steps.resize(self::weights::<R>(), 0);
        Ok(weights)
    })
}

/// Bytes of a packed board: two squares in each.
const fn board<R: Rules>() -> usize {
    squares::<R>().div_ceil(2) as usize
}

/// Packs a position, four bits a square: empty, White's man or king, Black's man or king.
pub(super) fn pack<R: Rules>(pos: &Draughts<R>, out: &mut [u8]) {
    out.fill(0);
    let mut put = |at: Square, what: u8| {
        let place = usize::from(at.number() - 1);
        out[place / 2] |= what << (4 * (place % 2));
    };
    for (colour, man) in Colour::BOTH.into_iter().zip([1, 3]) {
        pos.men(colour).for_each(|at| put(at, man));
        pos.kings(colour).for_each(|at| put(at, man + 1));
    }
}

/// The position of a packed board, without a past; `None` when it is damaged.
pub(super) fn unpack<R: Rules>(packed: &[u8], turn: Side) -> Option<Draughts<R>> {
    let [mut white, mut black, mut kings] = [R::Bits::NONE; 3];
    let squares = (1..=squares::<R>()).filter_map(Square::new::<R>);
    for (place, at) in squares.enumerate() {
        let what = packed.get(place / 2)? >> (4 * (place % 2)) & 15;
        match what {
            0 => {}
            1 | 2 => white |= at.set::<R>(),
            3 | 4 => black |= at.set::<R>(),
            _ => return None,
        }
        if what == 2 || what == 4 {
            kings |= at.set::<R>();
        }
    }
    Some(Draughts::of(Draughts::<R>::colour_of(turn), white, black, kings))
}

impl<R: Rules> Boards for Terms<R> {
    fn board(&self) -> usize {
        board::<R>()
    }

    /// Packs the board; `None` for positions with captures or hanging men and for endgames whose score is more than a
    /// sum: they are not learned from.
    fn pack(&self, game: &dyn AnyGame, _next: &str, out: &mut [u8]) -> Option<u8> {
        let pos = game.as_any().downcast_ref::<Game<Draughts<R>>>()?.position();
        let is_settled = !pos.must_capture() && !pos.is_threatened() && super::fading(pos, MUCH) == MUCH;
        is_settled.then(|| {
            pack(pos, out);
            0
        })
    }
}

impl<R: Rules> Linear for Terms<R> {
    fn shape(&self) -> Shape {
        shape::<R>()
    }

    fn features(&self, board: &[u8], turn: Side, out: &mut Vec<(u32, f32)>) -> bool {
        let Some(pos) = unpack::<R>(board, turn) else { return false };
        self.count(&pos, out);
        true
    }

    fn check(&self, steps: &[i16]) -> Result<(), Problem> {
        Windows::new::<R>(steps).map(drop)
    }

    fn now(&self) -> Vec<f32> {
        let built_in = super::weights::<R>();
        built_in.map_or_else(|| self.start(), |weights: Weights| weights.hundredths(&shape::<R>()))
    }

    fn start(&self) -> Vec<f32> {
        let mut weights = vec![0.0; weights::<R>()];
        for (sum, worth) in known::<R>() {
            let place = KNOTS * (own::<R>() * CELLS + sum as usize);
            weights[place..place + KNOTS].copy_from_slice(&worth);
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use draughts::{Brazilian, English, Frisian, International, Italian};
    use kernel::{Notation, Position};

    use super::*;
    use crate::tests::wander;

    /// Returns random numbers, the same each time.
    fn noise(count: usize) -> Vec<i16> {
        let mut n = 7_u64;
        let mut next = || {
            n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (n >> 53) as i16 - 1024
        };
        (0..count).map(|_| next()).collect()
    }

    fn features_agree<R: Rules>() {
        let stored = noise(weights::<R>());
        let (net, terms) = (Windows::new::<R>(&stored).unwrap(), Terms::<R>::new());
        wander::<R>(30, 120, |pos| {
            let mut used = Vec::new();
            terms.count(pos, &mut used);
            let sum: f32 = used.iter().map(|&(place, times)| f32::from(stored[place as usize]) * times).sum();
            let score = if pos.colour() == Colour::White { net.score(pos) } else { -net.score(pos) };
            assert!((sum / STEPS as f32 - score as f32).abs() < 1.5, "{sum} {score} {pos:?}");
        });
    }

    /// The trainer's features of a packed board are those of the position.
    fn packs<R: Rules>() {
        let terms = Terms::<R>::new();
        wander::<R>(30, 120, |pos| {
            let mut packed = vec![0; board::<R>()];
            pack(pos, &mut packed);
            let (mut straight, mut read) = (Vec::new(), Vec::new());
            terms.count(pos, &mut straight);
            assert!(terms.features(&packed, pos.turn(), &mut read));
            assert_eq!(straight, read, "{pos:?}");
        });
        let mut damaged = vec![0; board::<R>()];
        damaged[3] = 0x50;
        assert!(!terms.features(&damaged, Side::First, &mut Vec::new()));
        assert!(!terms.features(&damaged[..2], Side::First, &mut Vec::new()));
    }

    #[test]
    fn packed_boards_count_the_same() {
        packs::<International>();
        packs::<English>();
        packs::<Italian>();
    }

    #[test]
    fn the_score_is_the_sum_of_the_features() {
        features_agree::<International>();
        features_agree::<Brazilian>();
        features_agree::<Italian>();
        // With columns.
        features_agree::<Frisian>();
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
        let net = Windows::new::<International>(&noise(weights::<International>())).unwrap();
        wander::<International>(30, 120, |pos| {
            assert_eq!(net.score(pos), -net.score(&mirror(pos)), "{pos:?}")
        });
        let net = Windows::new::<Brazilian>(&noise(weights::<Brazilian>())).unwrap();
        wander::<Brazilian>(30, 120, |pos| assert_eq!(net.score(pos), -net.score(&mirror(pos)), "{pos:?}"));
    }

    #[test]
    fn weights_that_do_not_fit_are_refused() {
        let terms = Terms::<International>::new();
        let check = |step| terms.check(&vec![step; weights::<International>()]);
        assert_eq!(check(1), Ok(()));
        // Each of 16 windows is worth its own weights, or those of the turned one the other way round.
        let most = i16::MAX / 16;
        assert_eq!(check(most), Ok(()));
        assert_eq!(check(most + 1).unwrap_err().key, "weights-too-large");
    }

    /// The sum of packed weights is right at both ends, whatever their signs.
    #[test]
    fn ends_are_added_apart() {
        const LARGE: i16 = i16::MAX / 2 - 9;
        for low in [-LARGE, -1, 0, 1, LARGE] {
            for high in [-LARGE, -1, 0, 1, LARGE] {
                let ends = Ends::new([low, high]);
                let [low, high] = [low, high].map(i32::from);
                assert_eq!(ends.both(), [low, high]);
                let other = Ends::new([-7, 9]);
                assert_eq!(ends.plus(ends).minus(other).both(), [2 * low + 7, 2 * high - 9], "{low} {high}");
            }
        }
    }

    #[test]
    fn a_cell_turned_twice_is_itself() {
        assert!((0..CELLS).all(|cell| turned(turned(cell)) == cell));
        // Two men of White at the upper left become two of Black at the lower right.
        assert_eq!(turned(1 + 3), 2 * 729 + 2 * 2187);
    }
}
