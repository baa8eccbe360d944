//! The terms counted in a position and their weights: an evaluation that is a sum of weights.
//!
//! Every term has two weights, one for a full board and one for an empty one; what lies between is a mixture by the
//! rooks, cannons and horses that are left.

use std::ops::Range;
use std::sync::LazyLock;

use kernel::Side;
use xiangqi::square::FILES;
use xiangqi::{Kind, Square};

use super::tables::{VALUE, place};
use engine_core::learned::{Shape, Weights};

/// Kinds that roam the board: their freedom, their pressure on the palace.
pub const ROAMING: [Kind; 3] = [Kind::Rook, Kind::Cannon, Kind::Horse];

/// A row of terms, one for each number something may have.
#[derive(Clone, Copy)]
pub struct Row {
    first: usize,
    len: usize,
}

impl Row {
    const fn after(before: Row, len: usize) -> Row {
        Row { first: before.first + before.len, len }
    }

    /// The term for a number; the last one for all that are higher.
    #[inline]
    pub const fn at(self, number: usize) -> usize {
        self.first + if number < self.len { number } else { self.len - 1 }
    }

    const fn range(self) -> Range<usize> {
        self.first..self.first + self.len
    }
}

/// The square of a piece: by kind, rank from one's own side, and file from the edge.
pub const STANDING: Row = Row { first: 0, len: 7 * 50 };
/// Squares a rook, cannon or horse can go to.
pub const FREEDOM: [Row; 3] = {
    let rook = Row::after(STANDING, 18);
    let cannon = Row::after(rook, 18);
    [rook, cannon, Row::after(cannon, 9)]
};
/// Squares of the enemy palace that rooks, cannons, horses and soldiers see.
pub const PRESSURE: Row = Row::after(FREEDOM[2], 4);
/// The number of pieces that see into the enemy palace: one row for each advisor that is missing there.
pub const ATTACKERS: [Row; 3] = {
    let none = Row::after(PRESSURE, 8);
    let one = Row::after(none, 8);
    [none, one, Row::after(one, 8)]
};
/// Squares of the enemy palace that the side sees and no enemy piece covers.
pub const HOLES: Row = Row::after(ATTACKERS[2], 7);
/// Squares the general can go to that no enemy sees.
pub const ESCAPES: Row = Row::after(HOLES, 5);
/// Advisors and elephants that are left: three times the one and the other.
pub const GUARDS: Row = Row::after(ESCAPES, 9);
/// Missing advisors, counted once for each enemy rook, cannon and horse (three terms); the same for elephants.
pub const MISSING: Row = Row::after(GUARDS, 6);
/// A cannon that looks at the enemy general along a file with nothing between (空头炮); for each rook besides it; with
/// two pieces between; on the general's row with nothing between (沉底炮).
pub const CANNON: Row = Row::after(MISSING, 4);
/// A rook on the file of the enemy general, with at most one piece between.
pub const ROOK: Row = Row::after(CANNON, 1);
/// Pairs of soldiers beside each other across the river.
pub const BROTHERS: Row = Row::after(ROOK, 1);
/// Soldiers across the river.
pub const CROSSED: Row = Row::after(BROTHERS, 6);
/// Enemy pieces that are seen and not covered by another, by kind.
pub const HANGING: Row = Row::after(CROSSED, 7);
/// Horses and cannons that a soldier sees; rooks that a soldier sees; rooks that a horse, cannon or guard sees.
pub const LESSER: Row = Row::after(HANGING, 3);
/// Two cannons; two horses; a horse and a cannon.
pub const PAIRS: Row = Row::after(LESSER, 3);
/// The right to move (tempo).
pub const TEMPO: Row = Row::after(PAIRS, 1);
/// The number of terms.
pub const COUNT: usize = TEMPO.first + TEMPO.len;

/// The most of [`phase`] there can be.
pub const FULL: i32 = 32;

/// Returns the share of a piece in the fullness of the board.
#[inline]
pub const fn phase(kind: Kind) -> i32 {
    match kind {
        Kind::Rook => 4,
        Kind::Cannon | Kind::Horse => 2,
        _ => 0,
    }
}

/// The term for a piece on a square.
#[inline]
pub const fn standing(side: Side, kind: Kind, at: Square) -> usize {
    let (row, file) = (at.row() as usize, at.file() as usize);
    let rank = match side {
        Side::First => 9 - row,
        Side::Second => row,
    };
    let from_edge = if file > 4 { FILES as usize - 1 - file } else { file };
    STANDING.first + (kind as usize * 10 + rank) * 5 + from_edge
}

/// The number of steps in a hundredth.
pub const STEPS: i32 = 4;

/// Both weights of a term in one number, so that they are added up at once.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Both(i64);

impl Both {
    /// Creates a pair from weights in steps.
    #[must_use]
    pub const fn new(full: i32, empty: i32) -> Both {
        Both(((full as i64) << 32) + empty as i64)
    }

    /// Returns the pair multiplied by `count`.
    #[inline]
    #[must_use]
    pub const fn times(self, count: i32) -> Both {
        Both(self.0 * count as i64)
    }

    /// Returns the sum of two pairs.
    #[inline]
    #[must_use]
    pub const fn plus(self, other: Both) -> Both {
        Both(self.0 + other.0)
    }

    /// Returns the value in hundredths, interpolated by the fullness of the board.
    #[inline]
    #[must_use]
    pub const fn on(self, phase: i32) -> i32 {
        let empty = self.0 as i32;
        let full = ((self.0 - empty as i64) >> 32) as i32;
        let phase = if phase > FULL { FULL } else { phase };
        (full * phase + empty * (FULL - phase)) / (FULL * STEPS)
    }
}

/// The storage format of the weights.
pub const SHAPE: Shape = Shape { name: "xiangqi/terms-1", weights: 2 * COUNT, unit: 1.0 / STEPS as f32 };

/// The weights of the terms, in steps.
pub static WORTH: LazyLock<Box<[Both]>> = LazyLock::new(|| {
    let step = |hundredths: f32| (hundredths * STEPS as f32).round() as i32;
    now().chunks_exact(2).map(|pair| Both::new(step(pair[0]), step(pair[1]))).collect()
});

/// The weights that are built in, as they are written.
pub(super) static FILE: &[u8] = include_bytes!("../weights/xiangqi.bin");

/// The weights that are built in, in hundredths.
#[must_use]
pub fn now() -> Vec<f32> {
    Weights::read(&SHAPE, FILE).expect("the file was written for this shape").hundredths(&SHAPE)
}

/// Returns the weights set by hand, in hundredths, two for each term: the start of learning.
#[must_use]
pub fn start() -> Vec<f32> {
    let mut both = vec![[0.0; 2]; COUNT];
    for kind in Kind::ALL {
        for rank in 0..10 {
            for file in 0..5 {
                let anywhere = if kind == Kind::General { 0 } else { VALUE[kind as usize] };
                let worth = (anywhere + place(kind, rank, file)) as f32;
                let less = match kind {
                    Kind::Cannon => -40.0,
                    Kind::Horse | Kind::Soldier => 20.0,
                    _ => 0.0,
                };
                both[STANDING.first + (kind as usize * 10 + rank) * 5 + file] = [worth, worth + less];
            }
        }
    }
    // For each square, in hundredths; and how many squares each usually has.
    for (row, (each, usual)) in FREEDOM.into_iter().zip([(4.0, 10.0), (3.0, 8.0), (9.0, 4.0)]) {
        for (number, term) in row.range().enumerate() {
            both[term] = [each * (number as f32 - usual); 2];
        }
    }
    let mut set = |row: Row, worth: &[f32]| {
        row.range().zip(worth).for_each(|(term, &worth)| both[term] = [worth; 2]);
    };
    set(PRESSURE, &[8.0, 5.0, 10.0, 5.0]);
    for row in ATTACKERS {
        set(row, &[0.0, 0.0, 10.0, 25.0, 45.0, 60.0, 75.0, 90.0]);
    }
    set(ESCAPES, &[-20.0, -5.0, 0.0, 3.0, 3.0]);
    set(MISSING, &[-22.0, 0.0, -8.0, 0.0, -16.0, 0.0]);
    set(CANNON, &[70.0, 35.0, 15.0, 20.0]);
    set(ROOK, &[15.0]);
    set(BROTHERS, &[15.0]);
    set(HANGING, &[0.0, 10.0, 10.0, 25.0, 30.0, 25.0, 8.0]);
    set(LESSER, &[25.0, 50.0, 40.0]);
    set(TEMPO, &[10.0]);
    both.concat()
}
