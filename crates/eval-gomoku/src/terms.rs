//! What counts in a position of gomoku, and how much.
//!
//! Three tables: what an empty point is worth to the side to move, by its [sort](super::kind) (its four classes, whatever
//! their directions); what it is worth to the other side; and what it means which kinds of points the two sides have
//! at all, for one who may make two threats at once wins, however little else there is. For freestyle the tables were
//! found in games of the engine against itself; for the other rules they are the hand-written ones.

use std::sync::LazyLock;

use ::gomoku::{Gomoku, Opened, Rule};
use kernel::{AnyGame, Game, Position, Side};

use super::kind::{self, Kind, SORTS};
use super::opening;
use super::shapes::Shapes;
use engine_core::learned::{Linear, Shape, Weights};

/// The kinds whose presence makes the state, for each side.
const STATE_KINDS: [Kind; 5] = [Kind::Three, Kind::DoubleThree, Kind::Four, Kind::FourThree, Kind::OpenFour];
const STATES: usize = 1 << (2 * STATE_KINDS.len());
/// Where the tables begin.
const MOVER: usize = 0;
const WAITER: usize = SORTS;
const STATE: usize = 2 * SORTS;
const WEIGHTS: usize = STATE + STATES;

/// Quarters of a hundredth are what the tables hold.
pub const QUARTERS: i32 = 4;
const SHAPE: Shape = Shape { name: "gomoku/sorts-1", weights: WEIGHTS, unit: 0.25 };

/// The weights of freestyle.
fn file() -> Weights {
    let bytes = include_bytes!("../weights/gomoku-freestyle.bin");
    Weights::read(&SHAPE, bytes).expect("the file was written for this shape")
}

static LEARNED: LazyLock<Box<[i16]>> = LazyLock::new(|| file().steps.into());
static WRITTEN: LazyLock<Box<[i16]>> =
    LazyLock::new(|| Weights::of(&SHAPE, &start(), Default::default()).steps.into());

fn table(rule: Rule) -> &'static [i16] {
    if rule == Rule::Freestyle { &LEARNED } else { &WRITTEN }
}

/// What an empty point of that sort adds to the judgement when its side is to move, and when it is not; in quarters of a
/// hundredth.
pub(super) fn values(freestyle: bool, sort: usize) -> [i16; 2] {
    let table = table(if freestyle { Rule::Freestyle } else { Rule::Standard });
    [table[MOVER + sort], table[WAITER + sort]]
}

/// How `side`, to move, stands, in hundredths.
pub(super) fn standing(shapes: &Shapes, side: Side) -> i32 {
    let points = shapes.value(side, true) - shapes.value(side.other(), false);
    (points + i32::from(table(shapes.rule())[STATE + state(shapes, side)])) / QUARTERS
}

/// Which kinds of points there are at all: a bit for each of [`STATE_KINDS`], those of the side to move first.
#[inline]
fn state(shapes: &Shapes, side: Side) -> usize {
    let mut state = 0;
    for (i, &kind) in STATE_KINDS.iter().enumerate() {
        state |= usize::from(shapes.count(side, kind) > 0) << i;
        state |= usize::from(shapes.count(side.other(), kind) > 0) << (i + STATE_KINDS.len());
    }
    state
}

/// To have the move, in hundredths.
const TEMPO: f32 = 125.0;

/// What was written by hand: points are worth the same to both sides, and threats at hand a little more.
fn start() -> Vec<f32> {
    let mut weights = vec![0.0; WEIGHTS];
    for sort in 0..SORTS {
        let worth = f32::from(kind::written(sort));
        (weights[MOVER + sort], weights[WAITER + sort]) = (worth, worth);
    }
    for state in 0..STATES {
        let has = |side: usize, kind: Kind| {
            let bit = STATE_KINDS.iter().position(|&k| k == kind).expect("a kind of states");
            state >> (bit + side * STATE_KINDS.len()) & 1 == 1
        };
        let mut worth = TEMPO;
        // What the side to move may do first.
        if has(0, Kind::OpenFour) {
            worth += 400.0;
        } else if has(0, Kind::FourThree) {
            worth += 150.0;
        } else if has(0, Kind::DoubleThree) && !has(1, Kind::OpenFour) {
            worth += 100.0;
        }
        // What the other will do next if it is not stopped.
        for (kind, less) in [(Kind::OpenFour, 60.0), (Kind::FourThree, 40.0), (Kind::DoubleThree, 25.0)] {
            if has(1, kind) {
                worth -= less;
            }
        }
        weights[STATE + state] = worth;
    }
    weights
}

/// The evaluation of freestyle as the trainer sees it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Terms;

impl Linear for Terms {
    fn shape(&self) -> Shape {
        SHAPE
    }

    fn features(&self, game: &dyn AnyGame, out: &mut Vec<(u32, f32)>) -> bool {
        let any = game.as_any();
        if let Some(game) = any.downcast_ref::<Game<Gomoku>>() {
            return features(game.position(), out);
        }
        let plain = any.downcast_ref::<Game<Opened>>().and_then(opening::plain);
        plain.is_some_and(|game| features(game.position(), out))
    }

    fn now(&self) -> Vec<f32> {
        file().hundredths(&SHAPE)
    }

    fn start(&self) -> Vec<f32> {
        start()
    }
}

/// `false` where a five or an open four is at hand: there is nothing to judge.
fn features(pos: &Gomoku, out: &mut Vec<(u32, f32)>) -> bool {
    let (shapes, side) = (Shapes::of(pos), pos.turn());
    let decided = Side::BOTH.into_iter().any(|side| shapes.has_five(side));
    if decided || shapes.count(side, Kind::OpenFour) > 0 || pos.rule() != Rule::Freestyle {
        return false;
    }
    for at in shapes.empty_cells() {
        for (side, table, sign) in [(side, MOVER, 1.0), (side.other(), WAITER, -1.0)] {
            let sort = shapes.sort(side, at);
            if kind::counts(sort) {
                out.push(((table + sort) as u32, sign));
            }
        }
    }
    out.push(((STATE + state(&shapes, side)) as u32, 1.0));
    true
}

#[cfg(test)]
mod tests {
    use kernel::Notation;

    use super::*;

    /// The weights that are told add up to the score.
    #[test]
    fn features_are_the_score() {
        let now = Terms.now();
        let mut game = Game::new(Gomoku::usual(Rule::Freestyle));
        let mut seen = 0;
        for text in "h8 i9 h9 h10 i7 g9 j6 k5 i8 g10 j7 f9 i10 e8 k9".split_whitespace() {
            let m = game.position().read_move(text).expect("a point");
            game.play(m);
            let mut row = Vec::new();
            if !Terms.features(&game, &mut row) {
                continue;
            }
            seen += 1;
            let sum: f32 = row.iter().map(|&(at, count)| now[at as usize] * count).sum();
            let (shapes, side) = (Shapes::of(game.position()), game.position().turn());
            assert!((sum - standing(&shapes, side) as f32).abs() < 1.0, "{text}: {sum}");
        }
        assert!(seen > 8, "only {seen} positions to learn from");
    }

    #[test]
    fn where_something_must_be_done_nothing_is_learned() {
        let mut game = Game::new(Gomoku::usual(Rule::Freestyle));
        for text in "h8 a1 h9 a2 h10 a3 h11".split_whitespace() {
            let m = game.position().read_move(text).expect("a point");
            game.play(m);
        }
        assert!(!Terms.features(&game, &mut Vec::new()));
    }
}
