//! The terms of a position of locked chess and their weights. The weights can be learned; those built in were written
//! by hand, for what was learned so far was no better (`docs/engine.md`).

use std::sync::LazyLock;

use kernel::{AnyGame, Game, Position, Side};
use locked::square::SIZE;
use locked::{Direction, Locked, Square, Step, Stones};

use super::{SLANTS, opposite, others, turns};
use engine_core::learned::{Boards, Linear, Shape, Weights};

/// The number of weights of one side; the mover's stand before those of the side that waits.
pub const OF_A_SIDE: usize = 42;
const WEIGHTS: usize = 2 * OF_A_SIDE + 1;
/// The index of the weight of the right to move (tempo).
const TEMPO: usize = 2 * OF_A_SIDE;

/// The index of the weight of the number of turns.
const TURN: usize = 0;
/// The first of the weights of the number of ways the army can shift; one of them counts.
const SHIFTS: usize = 1;
/// The first of the weights of the number of turns, in sixes; one of them counts. Few are worse than the count alone
/// says.
const CHOICE: usize = 6;
const CHOICES: u32 = 8;
/// The first of the weights of the distance the army can go along an axis before it meets the edges, both ways
/// together; one of them counts for each axis.
const ROOM: usize = 14;
const ROOMS: u8 = 11;
/// The index of the weight of each edge the army stands at.
const EDGE: usize = 25;
/// The first of the weights of the number of enemy stones in the way of a barred shift; one of them counts for each
/// barred shift.
const BARRED: usize = 26;
/// The first of the weights of the number of stones that can move by themselves; one of them counts.
const FREE: usize = 31;
/// The first of the weights of the number of stones on the squares of the enemy's shifts; one of them counts.
const BARS: usize = 36;
const MOST_BARS: u32 = 5;

const SHAPE: Shape = Shape { name: "locked/terms-1", weights: WEIGHTS, unit: 0.25 };

/// The weights that are built in, as they are written.
pub(super) static FILE: &[u8] = include_bytes!("../weights/locked.bin");

fn file() -> Weights {
    Weights::read(&SHAPE, FILE).expect("the file was written for this shape")
}

/// The weights in quarters of a hundredth.
static WORTH: LazyLock<Box<[i32]>> =
    LazyLock::new(|| file().steps.iter().map(|&step| i32::from(step)).collect());

/// The score for the side to move, in hundredths.
#[inline]
pub fn score(own: Stones, enemy: Stones, turns: [[u32; 4]; 2]) -> i32 {
    let weights = &**WORTH;
    let mut sum = weights[TEMPO];
    count(own, enemy, turns[0], &mut |at, n| sum += weights[at] * n);
    count(enemy, own, turns[1], &mut |at, n| sum -= weights[OF_A_SIDE + at] * n);
    sum / 4
}

/// Calls `tell` with each weight that counts for `own`, and how often.
#[inline]
fn count(own: Stones, enemy: Stones, turns: [u32; 4], tell: &mut impl FnMut(usize, i32)) {
    let all: u32 = turns.iter().sum();
    tell(TURN, all as i32);
    tell(SHIFTS + turns.iter().filter(|&&n| n > 0).count(), 1);
    tell(CHOICE + (all / 6).min(CHOICES - 1) as usize, 1);
    room(own, tell);
    let open = others(enemy);
    let mut in_the_way = Stones::NONE;
    for slant in SLANTS {
        let [one, two] = slant;
        let inside = own.on_edge(one).or(own.on_edge(two)).is_empty();
        if !inside {
            continue;
        }
        // Both ways round; the enemy bars the shift where he stands on either, and on the last squares.
        let (by_one, by_two) = (own.shifted(one).and(enemy), own.shifted(two).and(enemy));
        let last = own.shifted(one).shifted(two).and(enemy);
        let bars = by_one.or(last).len().min(by_two.or(last).len());
        if bars > 0 {
            tell(BARRED + bars.min(4) as usize, 1);
        }
        in_the_way = in_the_way.or(last).or(by_one.and(by_two));
    }
    tell(BARS + in_the_way.len().min(MOST_BARS) as usize, 1);
    let free = open.and(others(own));
    let goes = |way: Direction| free.shifted(opposite(way));
    let able = Direction::ALL.into_iter().fold(Stones::NONE, |able, way| able.or(goes(way))).and(own);
    tell(FREE + able.len().min(4) as usize, 1);
}

#[inline]
fn room(own: Stones, tell: &mut impl FnMut(usize, i32)) {
    let (mut least, mut most) = ([SIZE; 2], [1; 2]);
    for stone in own.by_row() {
        for (axis, at) in [stone.x(), stone.y()].into_iter().enumerate() {
            least[axis] = least[axis].min(at);
            most[axis] = most[axis].max(at);
        }
    }
    for axis in 0..2 {
        let [before, after] = [least[axis] - 1, SIZE - most[axis]];
        tell(ROOM + usize::from((before + after).min(ROOMS - 1)), 1);
        tell(EDGE, i32::from(before == 0) + i32::from(after == 0));
    }
}

/// The evaluation of locked chess, for the trainer.
pub struct Terms;

/// Stones of a side in a packed board.
const ARMY: usize = 4;
/// The mark of a missing stone in a packed board.
const NONE: u8 = u8::MAX;

impl Boards for Terms {
    /// The squares of the first side's stones, then those of the second's.
    fn board(&self) -> usize {
        2 * ARMY
    }

    /// Packs positions between turns in which the mover has one.
    fn pack(&self, game: &dyn AnyGame, _next: &str, out: &mut [u8]) -> Option<u8> {
        let pos = game.as_any().downcast_ref::<Game<Locked>>()?.position();
        let armies = Side::BOTH.map(|side| pos.stones(side));
        let [own, enemy] = [pos.turn(), pos.turn().other()].map(|side| armies[side.index()]);
        let fits = armies.iter().all(|army| army.len() as usize <= ARMY);
        if pos.step() != Step::ShiftAll || !fits || turns(own, enemy) == [0; 4] {
            return None;
        }
        out.fill(NONE);
        for (army, out) in armies.into_iter().zip(out.chunks_exact_mut(ARMY)) {
            for (at, byte) in army.by_row().zip(out) {
                *byte = (at.y() - 1) * SIZE + at.x() - 1;
            }
        }
        Some(0)
    }
}

impl Linear for Terms {
    fn shape(&self) -> Shape {
        SHAPE
    }

    fn features(&self, board: &[u8], turn: Side, out: &mut Vec<(u32, f32)>) -> bool {
        let [first, second] = [0, 1].map(|side| {
            let army = board.get(ARMY * side..ARMY * (side + 1))?;
            army.iter().filter(|&&at| at != NONE).try_fold(Stones::default(), |army, &at| {
                Some(army.with(Square::new(at % SIZE + 1, at / SIZE + 1)?))
            })
        });
        let (Some(first), Some(second)) = (first, second) else { return false };
        let (own, enemy) = if turn == Side::First { (first, second) } else { (second, first) };
        out.push((TEMPO as u32, 1.0));
        count(own, enemy, turns(own, enemy), &mut |at, n| out.push((at as u32, n as f32)));
        let theirs = turns(enemy, own);
        count(enemy, own, theirs, &mut |at, n| out.push(((OF_A_SIDE + at) as u32, -n as f32)));
        true
    }

    fn now(&self) -> Vec<f32> {
        file().hundredths(&SHAPE)
    }

    /// Returns round numbers: a turn is worth a little, a shift more, and a cramped army is the main danger.
    fn start(&self) -> Vec<f32> {
        const CRAMPED: [f32; ROOMS as usize] =
            [-300.0, -140.0, -70.0, -36.0, -18.0, -8.0, -3.0, 0.0, 0.0, 0.0, 0.0];
        let mut weights = vec![0.0; WEIGHTS];
        for side in 0..2 {
            let base = side * OF_A_SIDE;
            weights[base + TURN] = 4.0;
            for shifts in 0..=4 {
                weights[base + SHIFTS + shifts] = 25.0 * shifts as f32;
            }
            weights[base + ROOM..][..ROOMS as usize].copy_from_slice(&CRAMPED);
            weights[base + EDGE] = -14.0;
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The trainer's features and the evaluator give the same score, in every position of some games.
    #[test]
    fn trainer_and_evaluator_agree() {
        let mut game: Box<dyn AnyGame> = kernel::any(Locked::default());
        let weights: Vec<f32> = WORTH.iter().map(|&step| step as f32 * SHAPE.unit).collect();
        let (mut seen, mut choice) = (0, 1_usize);
        while game.outcome().is_none() && seen < 200 {
            let (mut row, mut board) = (Vec::new(), [0; 2 * ARMY]);
            if Terms.pack(game.as_ref(), "", &mut board).is_some() {
                assert!(Terms.features(&board, game.turn(), &mut row));
                seen += 1;
                let pos = game.as_any().downcast_ref::<Game<Locked>>().unwrap().position();
                let (own, enemy) = (pos.stones(pos.turn()), pos.stones(pos.turn().other()));
                let sum: f32 = row.iter().map(|&(at, n)| weights[at as usize] * n).sum();
                let said = score(own, enemy, [turns(own, enemy), turns(enemy, own)]);
                assert!((sum - said as f32).abs() < 1.0, "{sum} {said} {}", game.fen());
            }
            let moves = game.moves();
            choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            game.play(&moves[(choice >> 33) % moves.len()]).unwrap();
        }
        assert!(seen > 30, "{seen}");
    }

    #[test]
    fn damaged_boards_are_refused() {
        let mut board = [NONE; 2 * ARMY];
        assert!(Terms.features(&board, Side::First, &mut Vec::new()));
        board[0] = 200;
        assert!(!Terms.features(&board, Side::First, &mut Vec::new()));
        assert!(!Terms.features(&board[..3], Side::First, &mut Vec::new()));
    }

    #[test]
    fn no_two_terms_share_a_weight() {
        let ends = [
            (TURN, 1),
            (SHIFTS, 5),
            (CHOICE, CHOICES as usize),
            (ROOM, ROOMS as usize),
            (EDGE, 1),
            (BARRED, 5),
            (FREE, 5),
            (BARS, MOST_BARS as usize + 1),
        ];
        for pair in ends.windows(2) {
            assert_eq!(pair[0].0 + pair[0].1, pair[1].0, "{pair:?}");
        }
        assert_eq!(BARS + MOST_BARS as usize + 1, OF_A_SIDE);
    }
}
