//! Draughts, all variants: men that go forwards together, and kings.
//!
//! Captures are forced, so a position with one is never judged: the search plays them out. Material and places are
//! summed as moves are played. What differs between variants is read off their rules.

use draughts::rules::{Goal, Removal};
use draughts::{Colour, Draughts, Move, Rules, Square, squares};
use kernel::{Position, Side};
use search::{Evaluator, Policy, ProbCut, Score, Unrest, score};

/// What the search is told about draughts by the rules `R`.
#[derive(Clone, Debug)]
pub struct Judge<R: Rules> {
    tables: Tables,
    /// Material and places, the first side's less the second's; one entry for each position of the line.
    sums: Vec<i32>,
    rules: std::marker::PhantomData<R>,
}

/// What pieces are worth by side and square number.
#[derive(Clone, Debug)]
struct Tables {
    man: [[i32; SQUARES]; 2],
    king: [[i32; SQUARES]; 2],
}

/// Square numbers run from 1 to 72 on the largest board.
const SQUARES: usize = 73;

/// In hundredths of a man.
const MAN: i32 = 100;
/// A king that flies, and one that does not.
const KING: [i32; 2] = [300, 145];
/// For each step of a man towards the last row.
const STEP: i32 = 2;
/// For each file nearer to the middle.
const MIDDLE: i32 = 2;
/// A man on its own last row: no enemy becomes a king there.
const GUARD: i32 = 7;
/// Two men, one right behind the other.
const BACKED: i32 = 2;
/// To have the move.
const TEMPO: i32 = 2;

impl<R: Rules> Default for Judge<R> {
    fn default() -> Self {
        Judge { tables: Tables::of::<R>(), sums: vec![0], rules: std::marker::PhantomData }
    }
}

impl Tables {
    fn of<R: Rules>() -> Tables {
        let mut tables = Tables { man: [[0; SQUARES]; 2], king: [[0; SQUARES]; 2] };
        for square in (1..=squares::<R>()).filter_map(Square::new::<R>) {
            for colour in Colour::BOTH {
                let side = Draughts::<R>::side(colour).index();
                let number = usize::from(square.number());
                let rank = i32::from(match colour {
                    Colour::White => R::SIDE - 1 - square.row::<R>(),
                    Colour::Black => square.row::<R>(),
                });
                let file = i32::from(square.file::<R>());
                let middle = MIDDLE * file.min(i32::from(R::SIDE) - 1 - file);
                tables.man[side][number] = man::<R>(rank) + middle;
                tables.king[side][number] = king::<R>() + middle;
            }
        }
        tables
    }
}

/// What a man is worth on that rank, from its own side, from 0.
fn man<R: Rules>(rank: i32) -> i32 {
    match R::GOAL {
        Goal::LoseAll => -MAN,
        // The first king wins: being near is everything.
        Goal::FirstKing => MAN + 2 * rank * rank + if rank == 0 { 2 * GUARD } else { 0 },
        Goal::Stop => MAN + STEP * rank + if rank == 0 { GUARD } else { 0 },
    }
}

fn king<R: Rules>() -> i32 {
    match R::GOAL {
        Goal::LoseAll => -MAN,
        _ if R::FLYING => KING[0],
        _ => KING[1],
    }
}

const fn policy<R: Rules>() -> Policy {
    Policy {
        slots: SQUARES * SQUARES,
        reduce_from: Some(3),
        reduce_most: 2,
        skip_late: false,
        probcut: Some(ProbCut {
            least_depth: 3,
            depth_percent: 40,
            margin: 0,
            margin_a_ply: if matches!(R::GOAL, Goal::FirstKing) { 25 } else { 10 },
            by_captures: false,
        }),
        singular: true,
        window: 15,
        ..Policy::PLAIN
    }
}

struct Constants<R>(std::marker::PhantomData<R>);

impl<R: Rules> Constants<R> {
    const POLICY: Policy = policy::<R>();
}

/// Kings alone make no progress for ever: when a draw by count is so near, positions are remembered apart.
const LATE: u8 = 12;

impl<R: Rules> Judge<R> {
    fn worth(&self, side: Side, square: Square, is_king: bool) -> i32 {
        let table = if is_king { &self.tables.king } else { &self.tables.man };
        table[side.index()][usize::from(square.number())]
    }

    fn sum(&self, pos: &Draughts<R>, side: Side) -> i32 {
        let colour = Draughts::<R>::colour_of(side);
        let men = pos.men(colour).map(|at| self.worth(side, at, false)).sum::<i32>();
        men + pos.kings(colour).map(|at| self.worth(side, at, true)).sum::<i32>()
    }
}

impl<R: Rules> Evaluator<Draughts<R>> for Judge<R> {
    fn score(&mut self, pos: &Draughts<R>) -> Score {
        let [first, second] = Side::BOTH.map(Draughts::<R>::colour_of);
        let mut sum = self.sums[self.sums.len() - 1];
        if R::GOAL != Goal::LoseAll {
            sum += BACKED * (pos.backed(first) as i32 - pos.backed(second) as i32);
        }
        let [(men, kings), (other_men, other_kings)] = [pos.material(first), pos.material(second)];
        if kings + other_kings > 0 {
            sum = fading::<R>(pos, sum, [(men, kings), (other_men, other_kings)]);
        }
        let score = if pos.turn() == Side::First { sum } else { -sum };
        (score + TEMPO).clamp(-score::MOST, score::MOST)
    }

    fn policy(&self) -> &Policy {
        const { &Constants::<R>::POLICY }
    }

    fn reset(&mut self, pos: &Draughts<R>) {
        let sum = self.sum(pos, Side::First) - self.sum(pos, Side::Second);
        self.sums.clear();
        self.sums.push(sum);
    }

    fn played(&mut self, before: &Draughts<R>, m: Move<R>, _after: &Draughts<R>) {
        let side = before.turn();
        let is_king = m.by_king();
        let mut gain =
            self.worth(side, m.to(), is_king || m.promotes()) - self.worth(side, m.from(), is_king);
        if m.is_capture() {
            gain += m.captured().map(|at| self.worth(side.other(), at, before.is_king(at))).sum::<i32>();
        }
        let first = if side == Side::First { gain } else { -gain };
        self.sums.push(self.sums[self.sums.len() - 1] + first);
    }

    fn undone(&mut self) {
        self.sums.pop();
    }

    fn key(&self, pos: &Draughts<R>) -> u64 {
        match pos.plies_to_draw() {
            Some(left) if left < LATE => pos.key() ^ u64::from(left + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15),
            _ => pos.key(),
        }
    }

    fn is_noisy(&self, _pos: &Draughts<R>, m: Move<R>) -> bool {
        m.is_capture()
    }

    fn gain(&mut self, _pos: &Draughts<R>, m: Move<R>) -> Score {
        MAN * m.captures() as i32
    }

    fn hint(&mut self, _pos: &Draughts<R>, m: Move<R>) -> i32 {
        if m.promotes() { 4000 } else { 0 }
    }

    fn slot(&self, _pos: &Draughts<R>, m: Move<R>) -> usize {
        usize::from(m.from().number()) * SQUARES + usize::from(m.to().number())
    }

    fn is_urgent(&mut self, pos: &Draughts<R>) -> bool {
        pos.must_capture()
    }

    /// Captures are played to their end. If the enemy threatens one, every answer is tried, once.
    fn unrest(&mut self, pos: &Draughts<R>, plies: usize) -> Unrest {
        if pos.must_capture() || (plies == 0 && pos.is_threatened()) {
            Unrest::Urgent
        } else {
            Unrest::Settled
        }
    }
}

/// Fewer pieces than these do not catch a lone flying king.
const ENOUGH: u32 = 4;

/// The sum when there are kings: less of it where the stronger side cannot hope to win, or time runs out.
fn fading<R: Rules>(pos: &Draughts<R>, sum: i32, material: [(u32, u32); 2]) -> i32 {
    let [(men, kings), (other_men, other_kings)] = material;
    let weaker_king = if sum > 0 { other_kings } else { kings };
    let stronger = if sum > 0 { men + kings } else { other_men + other_kings };
    let escapes = R::FLYING && R::GOAL == Goal::Stop && R::REMOVAL == Removal::AfterMove;
    let mut sum = sum;
    if escapes && weaker_king > 0 && stronger < ENOUGH {
        sum /= 4;
    }
    match pos.plies_to_draw() {
        Some(left) => sum * (20 + i32::from(left.min(60))) / 80,
        None => sum,
    }
}
