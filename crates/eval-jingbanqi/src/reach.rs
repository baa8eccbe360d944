//! Piece values computed from mobility: for maps on which no games have been played yet.

use jingbanqi::{Jingbanqi, Standing};
use kernel::Side;

/// The values of the pieces of a map by their reach.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// The values by id, from 1, ordinary and promoted; in hundredths, a middling piece being [`MIDDLING`].
    pub piece: Vec<[i32; 2]>,
    /// The bonus of each square by id, ordinary and promoted: how much more the piece can do there than elsewhere.
    /// Empty where there are too many to ask.
    pub place: Vec<[Vec<i8>; 2]>,
}

/// The most times pieces are asked for their destinations.
const QUESTIONS: usize = 40_000;
/// The value of a middling piece, in hundredths.
const MIDDLING: f64 = 300.0;
/// The least and the most that a piece is worth, in hundredths; a captain's life is not counted.
const WORTH: (i32, i32) = (20, 1500);
/// The densities of the boards on which pieces are tried, in hundredths.
const CROWDS: [u64; 3] = [0, 25, 55];
/// The weights of a capture and, below, of a move to a vacant square.
const CAPTURE: f64 = 0.6;
const WALK: f64 = 0.4;

impl Reach {
    /// Computes the values for the map that `pos` is played on; its pieces stand as the map has them.
    pub fn of(pos: &Jingbanqi) -> Reach {
        let map = pos.book().map();
        let squares = map.squares();
        let kinds = map.kinds.len();
        let mut present: Vec<usize> =
            map.start.iter().map(|&id| usize::from(id)).filter(|&id| id > 0).collect();
        present.sort_unstable();
        present.dedup();
        let boards = CROWDS.map(|crowd| crowded(pos, &present, crowd));
        let samples = (QUESTIONS / (kinds.max(1) * 2 * CROWDS.len())).clamp(1, squares);
        let mut worth = vec![[0.0; 2]; kinds + 1];
        let mut here = Vec::new();
        for (id, worth) in worth.iter_mut().enumerate().skip(1) {
            for promoted in [false, true] {
                let piece = Standing { id: id as u16, promoted };
                let ask = |sample: usize| {
                    let at = (sample * squares / samples) as u16;
                    boards.iter().map(|board| ability(board, piece, at)).sum::<f64>()
                };
                let by_sample: Vec<f64> = (0..samples).map(ask).collect();
                worth[usize::from(promoted)] = by_sample.iter().sum::<f64>() / samples as f64;
                here.push(by_sample);
            }
        }
        let mut ranked: Vec<f64> = present.iter().map(|&id| worth[id][0]).filter(|&w| w > 0.0).collect();
        ranked.sort_by(f64::total_cmp);
        let unit = MIDDLING / ranked.get(ranked.len() / 2).copied().unwrap_or(1.0);
        let piece = worth.iter().map(|both| both.map(|w| ((w * unit) as i32).clamp(WORTH.0, WORTH.1)));
        let place = |id: usize, promoted: usize| -> Vec<i8> {
            let mean = worth[id][promoted];
            let here = &here[2 * (id - 1) + promoted];
            here.iter().map(|w| ((w - mean) * unit * 0.25).clamp(-60.0, 60.0) as i8).collect()
        };
        let empty = std::iter::once([Vec::new(), Vec::new()]);
        let places = || empty.chain((1..=kinds).map(|id| [place(id, 0), place(id, 1)])).collect();
        Reach { piece: piece.collect(), place: if samples == squares { places() } else { Vec::new() } }
    }
}

/// Returns a board on which each square holds a random piece with a probability of `crowd` percent; the same board on
/// every call.
fn crowded(pos: &Jingbanqi, present: &[usize], crowd: u64) -> Jingbanqi {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let squares = pos.book().map().squares();
    let cells = (0..squares)
        .map(|_| {
            let id = present.get(next(present.len().max(1) as u64) as usize).copied();
            let stands = next(100) < crowd;
            id.filter(|_| stands).map(|id| Standing { id: id as u16, promoted: false })
        })
        .collect();
    pos.at(cells, Side::First, [0; 2], None)
}

/// Returns the ability of a piece on a square of that board: its moves and captures, weighted.
fn ability(board: &Jingbanqi, piece: Standing, at: u16) -> f64 {
    let mut worth = 0.0;
    board.destinations(at, piece, |to| worth += if board.piece(to).is_some() { CAPTURE } else { WALK });
    worth
}

/// The number of moves a piece needs from square to square on the empty board; [`NEVER`] where it does not come.
#[derive(Clone, Debug, Default)]
pub(super) struct Distances {
    squares: usize,
    /// The distances by id, promoted, target and square. Empty where the map is too large for it.
    moves: Vec<u8>,
    /// The distances by id and square to the nearest square on which the piece promotes.
    rising: Vec<u8>,
}

/// The distance that stands for unreachable, and for all that are longer.
pub(super) const NEVER: u8 = 7;
/// The most entries of the table.
const MOST_ENTRIES: usize = 1 << 20;

impl Distances {
    pub fn of(pos: &Jingbanqi) -> Distances {
        let map = pos.book().map();
        let (squares, kinds) = (map.squares(), map.kinds.len());
        let fits = 2 * (kinds + 1) * squares * squares <= MOST_ENTRIES;
        if !fits {
            return Distances { squares, ..Distances::default() };
        }
        let empty = pos.at(vec![None; squares], Side::First, [0; 2], None);
        let mut moves = vec![NEVER; 2 * (kinds + 1) * squares * squares];
        let mut rising = vec![NEVER; (kinds + 1) * squares];
        for id in 1..=kinds {
            for promoted in [false, true] {
                let piece = Standing { id: id as u16, promoted };
                let mut from: Vec<Vec<u16>> = vec![Vec::new(); squares];
                for at in 0..squares as u16 {
                    empty.destinations(at, piece, |to| from[usize::from(to)].push(at));
                }
                let base = (2 * id + usize::from(promoted)) * squares * squares;
                for to in 0..squares {
                    spread(&from, [to], &mut moves[base + to * squares..][..squares]);
                }
                if !promoted {
                    let goals = (0..squares).filter(|&at| empty.promotes(id as u16, at as u16));
                    spread(&from, goals, &mut rising[id * squares..][..squares]);
                }
            }
        }
        Distances { squares, moves, rising }
    }

    pub fn are_known(&self) -> bool {
        !self.moves.is_empty()
    }

    /// Returns the distance from one square to another.
    #[inline]
    pub fn between(&self, piece: Standing, from: u16, to: u16) -> u8 {
        let table = 2 * usize::from(piece.id) + usize::from(piece.promoted);
        self.moves[(table * self.squares + usize::from(to)) * self.squares + usize::from(from)]
    }

    /// Returns the distance from a square to promotion.
    #[inline]
    pub fn to_promotion(&self, id: u16, from: u16) -> u8 {
        self.rising[usize::from(id) * self.squares + usize::from(from)]
    }
}

/// Computes distances by breadth-first search, backwards from the goals.
fn spread(from: &[Vec<u16>], goals: impl IntoIterator<Item = usize>, moves: &mut [u8]) {
    let mut front: Vec<usize> = goals.into_iter().collect();
    front.iter().for_each(|&at| moves[at] = 0);
    for step in 1..NEVER {
        let mut next = Vec::new();
        for &at in &front {
            for &before in &from[at] {
                let known = &mut moves[usize::from(before)];
                if *known == NEVER {
                    *known = step;
                    next.push(usize::from(before));
                }
            }
        }
        front = next;
    }
}
