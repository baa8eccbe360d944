//! Tests of the symmetries: the rules do not know left from right, nor black from white; and what follows from that
//! for every game.

use kernel::laws::Random;
use kernel::{Position, Side};
use locked::{Axis, Direction, Locked, Move, Square, Stones};

/// One of the 8 symmetries of the square, with or without swapping the colours.
#[derive(Clone, Copy, Debug)]
struct Symmetry {
    /// Rows become columns, before the turns below.
    transposes: bool,
    /// Left becomes right.
    flips_x: bool,
    /// Up becomes down.
    flips_y: bool,
    /// Black becomes white.
    swaps: bool,
}

impl Symmetry {
    fn all() -> impl Iterator<Item = Symmetry> {
        (0..16).map(|n| Symmetry {
            transposes: n & 1 > 0,
            flips_x: n & 2 > 0,
            flips_y: n & 4 > 0,
            swaps: n & 8 > 0,
        })
    }

    fn square(self, at: Square) -> Square {
        let (x, y) = if self.transposes { (at.y(), at.x()) } else { (at.x(), at.y()) };
        let x = if self.flips_x { 13 - x } else { x };
        let y = if self.flips_y { 13 - y } else { y };
        Square::new(x, y).unwrap()
    }

    fn stones(self, stones: Stones) -> Stones {
        stones.by_row().fold(Stones::NONE, |all, at| all.with(self.square(at)))
    }

    fn side(self, side: Side) -> Side {
        if self.swaps { side.other() } else { side }
    }

    fn axis(self, axis: Axis) -> Axis {
        match (axis, self.transposes) {
            (axis, false) => axis,
            (Axis::Vertical, true) => Axis::Horizontal,
            (Axis::Horizontal, true) => Axis::Vertical,
        }
    }

    /// Returns the image of a direction: that of a step from the middle of the board.
    fn direction(self, to: Direction) -> Direction {
        let middle = Square::new(6, 6).unwrap();
        let target = self.square(middle.next(to).unwrap());
        let is_it = |d: &Direction| self.square(middle).next(*d) == Some(target);
        Direction::ALL.into_iter().find(is_it).unwrap()
    }

    fn position(self, pos: &Locked) -> Locked {
        let stones = Side::BOTH.map(|s| self.stones(pos.stones(self.side(s))));
        let (axis, chosen) = (pos.axis().map(|a| self.axis(a)), pos.chosen().map(|c| self.square(c)));
        Locked::at(stones, self.side(pos.turn()), pos.step(), axis, chosen).unwrap()
    }

    fn step(self, m: Move) -> Move {
        match m {
            Move::Go(to) => Move::Go(self.direction(to)),
            Move::Choose(at) => Move::Choose(self.square(at)),
        }
    }
}

fn moves(pos: &Locked) -> Vec<Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

/// Calls `look` with every position of some random games from the start; `seed` makes them.
fn watch(seed: u64, games: usize, mut look: impl FnMut(&Locked)) {
    let mut random = Random(seed);
    for _ in 0..games {
        let mut pos = Locked::default();
        for _ in 0..400 {
            look(&pos);
            let moves = moves(&pos);
            if moves.is_empty() {
                break;
            }
            pos.play(moves[random.below(moves.len())]);
        }
    }
}

#[test]
fn the_rules_commute_with_every_symmetry() {
    watch(21, 20, |pos| {
        for symmetry in Symmetry::all() {
            let image = symmetry.position(pos);
            assert_eq!(image.outcome().is_some(), pos.outcome().is_some(), "{symmetry:?} {pos:?}");
            let mut expected: Vec<Move> = moves(pos).into_iter().map(|m| symmetry.step(m)).collect();
            expected.sort();
            let mut found = moves(&image);
            found.sort();
            assert_eq!(found, expected, "{symmetry:?} {pos:?}");
            for m in moves(pos) {
                let (mut after, mut image_after) = (*pos, image);
                after.play(m);
                image_after.play(symmetry.step(m));
                assert_eq!(image_after, symmetry.position(&after), "{symmetry:?} {m:?} {pos:?}");
            }
        }
    });
}

/// The start is kept by the identity, the half turn and the two diagonals without a swap, and by the four others with
/// it.
#[test]
fn the_start_is_its_own_image() {
    let start = Locked::default();
    for symmetry in Symmetry::all() {
        let image = symmetry.position(&start);
        let is_same = Side::BOTH.into_iter().all(|s| image.stones(s) == start.stones(s));
        let keeps_diagonals = symmetry.flips_x == symmetry.flips_y;
        assert_eq!(is_same, keeps_diagonals != symmetry.swaps, "{symmetry:?}");
    }
}

/// A whole turn moves each stone on diagonals, all of a side and then one of them: docs/rules/locked.md §2.
#[test]
fn odd_columns_tell_whose_turn_it_is() {
    watch(22, 200, |pos| {
        if pos.step().number() == 1 {
            let odd = |side| pos.stones(side).by_row().filter(|s| s.x() % 2 == 1).count() % 2;
            let is_equal = odd(Side::First) == odd(Side::Second);
            assert_eq!(is_equal, pos.turn() == Side::First, "{pos:?}");
        }
    });
}

#[test]
fn a_position_fits_a_line_of_cache() {
    assert!(size_of::<Locked>() <= 64, "{}", size_of::<Locked>());
}
