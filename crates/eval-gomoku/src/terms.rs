//! The terms of a position of gomoku and their weights.
//!
//! Three tables: what an empty point is worth to the side to move, by its [sort](super::kind) (its four classes,
//! whatever their directions); what it is worth to the other side; and what it means which kinds of points the two
//! sides have at all, for one who may make two threats at once wins, however little else there is. In renju, where
//! the colours play by different rules, there are three tables for each colour to move. The numbers were found in
//! games of the engine against itself.

use std::sync::LazyLock;

use ::gomoku::{Gomoku, Point, Rule};
use kernel::{AnyGame, Position, Side};

use super::kind::{self, SORTS, StoneKind};
use super::plain::plain;
use super::shapes::Shapes;
use engine_core::learned::{Boards, Linear, Shape, Weights};

/// The kinds whose presence makes the state, for each side.
const STATE_KINDS: [StoneKind; 5] =
    [StoneKind::Three, StoneKind::DoubleThree, StoneKind::Four, StoneKind::FourThree, StoneKind::OpenFour];
const STATES: usize = 1 << (2 * STATE_KINDS.len());
/// The indices at which the tables begin.
const MOVER: usize = 0;
const WAITER: usize = SORTS;
const STATE: usize = 2 * SORTS;
const WEIGHTS: usize = STATE + STATES;

/// The number of steps of a table's weights in a hundredth.
pub const QUARTERS: i32 = 4;

/// Sets of tables a rule has: one for each side to move where the two have different rules.
pub(super) const fn sets(rule: Rule) -> usize {
    if matches!(rule, Rule::Renju) { 2 } else { 1 }
}

/// Returns the name and the number of the weights of a rule.
const fn shape(rule: Rule) -> Shape {
    let name = match rule {
        Rule::Renju => "gomoku/sorts-2",
        _ => "gomoku/sorts-1",
    };
    Shape { name, weights: sets(rule) * WEIGHTS, unit: 0.25 }
}

/// Returns the index at which the set of tables begins that counts when that side is to move.
const fn set(rule: Rule, mover: Side) -> usize {
    match mover {
        Side::Second if sets(rule) > 1 => WEIGHTS,
        _ => 0,
    }
}

/// Returns the rule whose weights a rule uses: caro uses those of exactly five.
const fn learned_as(rule: Rule) -> Rule {
    match rule {
        Rule::Caro | Rule::CaroExact => Rule::Standard,
        rule => rule,
    }
}

/// The file of a rule's weights.
pub(super) fn file(rule: Rule) -> &'static [u8] {
    match learned_as(rule) {
        Rule::Freestyle => include_bytes!("../weights/gomoku-freestyle.bin"),
        Rule::Renju => include_bytes!("../weights/gomoku-renju.bin"),
        Rule::Standard | Rule::Caro | Rule::CaroExact => include_bytes!("../weights/gomoku-standard.bin"),
    }
}

/// The weights that are built in.
fn built_in(rule: Rule) -> Vec<i16> {
    Weights::read(&shape(rule), file(rule)).expect("the file was written for this shape").steps
}

fn table(rule: Rule) -> &'static [i16] {
    static FREESTYLE: LazyLock<Vec<i16>> = LazyLock::new(|| built_in(Rule::Freestyle));
    static STANDARD: LazyLock<Vec<i16>> = LazyLock::new(|| built_in(Rule::Standard));
    static RENJU: LazyLock<Vec<i16>> = LazyLock::new(|| built_in(Rule::Renju));
    match rule {
        Rule::Freestyle => &FREESTYLE,
        Rule::Renju => &RENJU,
        Rule::Standard | Rule::Caro | Rule::CaroExact => &STANDARD,
    }
}

/// Returns the contribution of an empty point of that sort to the evaluation when `side`, whose point it is, is to
/// move, and when it is not; in quarters of a hundredth.
pub(super) fn values(rule: Rule, side: Side, sort: usize) -> [i16; 2] {
    let table = table(rule);
    [table[set(rule, side) + MOVER + sort], table[set(rule, side.other()) + WAITER + sort]]
}

/// Returns the score of `side`, to move, in hundredths.
pub(super) fn standing(shapes: &mut Shapes, side: Side) -> i32 {
    let rule = shapes.rule();
    let points = shapes.value(side, true) - shapes.value(side.other(), false);
    (points + i32::from(table(rule)[set(rule, side) + STATE + state(shapes, side)])) / QUARTERS
}

/// Returns the kinds of points on the board: a bit for each of [`STATE_KINDS`], those of the side to move first.
#[inline]
fn state(shapes: &Shapes, side: Side) -> usize {
    let mut state = 0;
    for (i, &kind) in STATE_KINDS.iter().enumerate() {
        state |= usize::from(shapes.count(side, kind) > 0) << i;
        state |= usize::from(shapes.count(side.other(), kind) > 0) << (i + STATE_KINDS.len());
    }
    state
}

/// The bonus for the right to move (tempo), in hundredths.
const TEMPO: f32 = 125.0;

/// Returns the hand-written weights: points are worth the same to both sides, and threats at hand a little more.
fn start() -> Vec<f32> {
    let mut weights = vec![0.0; WEIGHTS];
    for sort in 0..SORTS {
        let worth = f32::from(kind::written(sort));
        (weights[MOVER + sort], weights[WAITER + sort]) = (worth, worth);
    }
    for state in 0..STATES {
        let has = |side: usize, kind: StoneKind| {
            let bit = STATE_KINDS.iter().position(|&k| k == kind).expect("a kind of states");
            state >> (bit + side * STATE_KINDS.len()) & 1 == 1
        };
        let mut worth = TEMPO;
        // What the side to move may do first.
        if has(0, StoneKind::OpenFour) {
            worth += 400.0;
        } else if has(0, StoneKind::FourThree) {
            worth += 150.0;
        } else if has(0, StoneKind::DoubleThree) && !has(1, StoneKind::OpenFour) {
            worth += 100.0;
        }
        // What the other will do next if it is not stopped.
        for (kind, less) in
            [(StoneKind::OpenFour, 60.0), (StoneKind::FourThree, 40.0), (StoneKind::DoubleThree, 25.0)]
        {
            if has(1, kind) {
                worth -= less;
            }
        }
        weights[STATE + state] = worth;
    }
    weights
}

/// The evaluation of one rule as the trainer sees it.
pub struct Terms {
    rule: Rule,
    /// An empty board, for boards to be put on.
    empty: Shapes,
}

/// The number of files and of ranks of the boards that are learned from.
const SIZE: u8 = 15;
pub(super) const POINTS: usize = SIZE as usize * SIZE as usize;
/// Points of a packed byte: each is empty, the first side's or the second's.
const A_BYTE: usize = 5;

impl Terms {
    /// The evaluation under that rule.
    ///
    /// # Panics
    /// A panic cannot happen: fifteen is a size of every rule.
    #[must_use]
    pub fn new(rule: Rule) -> Terms {
        let empty = Gomoku::new(rule, SIZE, SIZE).expect("fifteen is a size of every rule");
        Terms { rule, empty: Shapes::of(&empty) }
    }

    /// The evaluation of the game with that key, where it has weights of its own.
    #[must_use]
    pub fn keyed(key: &str) -> Option<Terms> {
        let rule = Rule::ALL.into_iter().find(|rule| key.strip_prefix("gomoku/") == Some(rule.key()))?;
        (learned_as(rule) == rule).then(|| Terms::new(rule))
    }

    /// The rule that the tables are of.
    pub(super) const fn rule(&self) -> Rule {
        self.rule
    }

    /// Appends the weights that count, and how often each.
    pub(super) fn count(&self, shapes: &Shapes, turn: Side, out: &mut Vec<(u32, f32)>) {
        let first = set(self.rule, turn);
        for at in shapes.empty_cells() {
            for (side, table, sign) in [(turn, MOVER, 1.0), (turn.other(), WAITER, -1.0)] {
                if let Some(sort) = shapes.judged(side, at) {
                    out.push(((first + table + sort) as u32, sign));
                }
            }
        }
        out.push(((first + STATE + state(shapes, turn)) as u32, 1.0));
    }

    /// Returns the score by the built-in tables, in hundredths for `turn`, the side to move; not rounded, unlike
    /// [`standing`].
    pub(super) fn by_tables(&self, shapes: &Shapes, turn: Side) -> f32 {
        let (table, unit, mut row) = (table(self.rule), shape(self.rule).unit, Vec::new());
        self.count(shapes, turn, &mut row);
        row.iter().map(|&(at, count)| f32::from(table[at as usize]) * unit * count).sum()
    }

    /// The shapes of a packed board; `None` when it is damaged.
    pub(super) fn shapes(&self, board: &[u8]) -> Option<Shapes> {
        let mut shapes = self.empty.clone();
        for (i, &byte) in board.iter().enumerate() {
            let mut rest = byte;
            for point in A_BYTE * i..A_BYTE * (i + 1) {
                let side = match rest % 3 {
                    0 => None,
                    1 => Some(Side::First),
                    _ => Some(Side::Second),
                };
                if let Some(side) = side {
                    let (row, file) = (point / usize::from(SIZE), point % usize::from(SIZE));
                    if row >= usize::from(SIZE) {
                        return None;
                    }
                    shapes.put(side, shapes.cell(Point { row: row as u8, file: file as u8 }));
                }
                rest /= 3;
            }
            if rest > 0 {
                return None;
            }
        }
        Some(shapes)
    }
}

impl Boards for Terms {
    fn board(&self) -> usize {
        POINTS / A_BYTE
    }

    /// Packs the board; `None` where a five or an open four is at hand, or a four must be answered: such positions
    /// are not learned from.
    fn pack(&self, game: &dyn AnyGame, _next: &str, out: &mut [u8]) -> Option<u8> {
        let game = plain(game)?;
        let pos = game.position();
        if (pos.rule(), pos.files(), pos.ranks()) != (self.rule, SIZE, SIZE) {
            return None;
        }
        let shapes = Shapes::of(pos);
        let decided = Side::BOTH.into_iter().any(|side| shapes.has_five(side));
        if decided || shapes.count(pos.turn(), StoneKind::OpenFour) > 0 {
            return None;
        }
        out.fill(0);
        for (digit, side) in [(1, Side::First), (2, Side::Second)] {
            for at in pos.stones(side).iter() {
                let point = usize::from(at.row) * usize::from(SIZE) + usize::from(at.file);
                out[point / A_BYTE] += digit * 3_u8.pow((point % A_BYTE) as u32);
            }
        }
        Some(0)
    }
}

impl Linear for Terms {
    fn shape(&self) -> Shape {
        shape(self.rule)
    }

    fn features(&self, board: &[u8], turn: Side, out: &mut Vec<(u32, f32)>) -> bool {
        let Some(shapes) = self.shapes(board) else { return false };
        self.count(&shapes, turn, out);
        true
    }

    fn now(&self) -> Vec<f32> {
        let unit = shape(self.rule).unit;
        table(self.rule).iter().map(|&step| f32::from(step) * unit).collect()
    }

    fn start(&self) -> Vec<f32> {
        start().repeat(sets(self.rule))
    }
}

#[cfg(test)]
mod tests {
    use kernel::{AnyGame as _, Game, Notation};

    use super::*;

    /// A game of those points, position by position.
    fn each(rule: Rule, points: &str, mut see: impl FnMut(&Game<Gomoku>)) {
        let mut game = Game::new(Gomoku::new(rule, SIZE, SIZE).expect("a board"));
        for text in points.split_whitespace() {
            let m = game.position().read_move(text).expect("a point");
            game.play(m);
            see(&game);
        }
    }

    /// The features, weighted, add up to the score, under every rule.
    #[test]
    fn features_are_the_score() {
        for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
            let terms = Terms::new(rule);
            let now = terms.now();
            assert_eq!(now.len(), terms.shape().weights);
            let mut board = vec![0; terms.board()];
            let mut seen = 0;
            each(rule, "h8 i9 h9 h10 i7 g9 j6 k5 i8 g10 j7 f9 i10 e8 k9", |game| {
                if terms.pack(game, "", &mut board).is_none() {
                    return;
                }
                seen += 1;
                let (pos, mut row) = (game.position(), Vec::new());
                assert!(terms.features(&board, pos.turn(), &mut row));
                let sum: f32 = row.iter().map(|&(at, count)| now[at as usize] * count).sum();
                let said = standing(&mut Shapes::of(pos), pos.turn());
                assert!((sum - said as f32).abs() < 1.0, "{sum}, {said}: {}", game.fen());
            });
            assert!(seen > 8, "only {seen} positions to learn from");
        }
    }

    #[test]
    fn where_something_must_be_done_nothing_is_learned() {
        let terms = Terms::new(Rule::Freestyle);
        let mut last = None;
        each(Rule::Freestyle, "h8 a1 h9 a2 h10 a3 h11", |game| {
            last = terms.pack(game, "", &mut vec![0; terms.board()]);
        });
        assert_eq!(last, None);
    }

    #[test]
    fn damaged_boards_are_refused() {
        let terms = Terms::new(Rule::Freestyle);
        let mut board = vec![0; terms.board()];
        assert!(terms.features(&board, Side::First, &mut Vec::new()));
        board[7] = 243;
        assert!(!terms.features(&board, Side::First, &mut Vec::new()));
    }
}
