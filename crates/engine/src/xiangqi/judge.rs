//! Freedom, safety, and pieces that work together.

use kernel::Side;
use xiangqi::square::FILES;
use xiangqi::{Kind, Square, Squares, Xiangqi};

/// For each square a piece could go to, in hundredths: horse, cannon, rook.
const FREEDOM: [i32; 3] = [9, 3, 4];
/// How many squares each usually has.
const USUAL: [i32; 3] = [4, 8, 10];
/// For each square of the enemy palace a piece reaches.
const PRESSURE: [i32; 3] = [12, 6, 9];
/// A cannon that looks at the enemy general along a file with nothing between (空头炮).
const HOLLOW: i32 = 70;
/// A rook besides it.
const HOLLOW_ROOK: i32 = 35;
/// A cannon behind a horse or elephant and a second piece on the general's file.
const PINNING: i32 = 15;
/// A missing advisor for each enemy rook, horse; a missing elephant for each enemy cannon.
const NO_ADVISOR: [i32; 2] = [22, 8];
const NO_ELEPHANT: i32 = 16;
/// As pieces leave the board, cannons lose screens, and horses and soldiers gain room: for each piece that is gone.
const FEWER: [(Kind, i32); 3] = [(Kind::Cannon, -2), (Kind::Horse, 1), (Kind::Soldier, 1)];
/// A pair of soldiers beside each other across the river.
const BROTHERS: i32 = 15;

/// What all that is worth: Red's less Black's.
pub fn compare(pos: &Xiangqi) -> i32 {
    let gone = 32 - pos.occupied().len() as i32;
    of(pos, Side::First, gone) - of(pos, Side::Second, gone)
}

fn of(pos: &Xiangqi, side: Side, gone: i32) -> i32 {
    let enemy = side.other();
    let palace = PALACE[enemy.index()];
    let mut sum = 0;
    for (i, kind) in [Kind::Horse, Kind::Cannon, Kind::Rook].into_iter().enumerate() {
        for at in pos.all(side, kind) {
            let reach = pos.reach(side, kind, at);
            sum += FREEDOM[i] * (reach.len() as i32 - USUAL[i]);
            sum += PRESSURE[i] * reach.and(palace).len() as i32;
        }
    }
    sum += FEWER.iter().map(|&(kind, each)| each * gone * pos.all(side, kind).count() as i32).sum::<i32>();
    if let Some(general) = pos.general(enemy) {
        sum += cannons(pos, side, general);
    }
    sum += brothers(pos, side);
    sum - exposure(pos, side)
}

/// Cannons on the file of the enemy general.
fn cannons(pos: &Xiangqi, side: Side, general: Square) -> i32 {
    let mut sum = 0;
    for at in pos.all(side, Kind::Cannon).filter(|at| at.file() == general.file()) {
        let between = upright_between(at, general).and(pos.occupied()).len();
        sum += match between {
            0 => HOLLOW + HOLLOW_ROOK * pos.all(side, Kind::Rook).count() as i32,
            2 => PINNING,
            _ => 0,
        };
    }
    sum
}

/// What missing guards cost.
fn exposure(pos: &Xiangqi, side: Side) -> i32 {
    let enemy = side.other();
    let count = |side, kind| pos.all(side, kind).count() as i32;
    let advisors = 2 - count(side, Kind::Advisor);
    let elephants = 2 - count(side, Kind::Elephant);
    advisors * (NO_ADVISOR[0] * count(enemy, Kind::Rook) + NO_ADVISOR[1] * count(enemy, Kind::Horse))
        + elephants * NO_ELEPHANT * count(enemy, Kind::Cannon)
}

/// Soldiers beside each other across the river.
fn brothers(pos: &Xiangqi, side: Side) -> i32 {
    let soldiers = pos.all(side, Kind::Soldier).filter(|at| (at.row() < 5) == (side == Side::First));
    let set: Squares = soldiers.collect();
    let beside = |at: &Square| at.step((1, 0)).is_some_and(|next| set.has(next));
    BROTHERS * set.iter().filter(beside).count() as i32
}

/// The squares strictly between two of one file.
fn upright_between(a: Square, b: Square) -> Squares {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    (low.row() + 1..high.row()).filter_map(|row| Square::new(row * FILES + a.file())).collect()
}

const PALACE: [Squares; 2] = [palace(7), palace(0)];

const fn palace(first_row: u8) -> Squares {
    let mut set = Squares::NONE;
    let mut i = 0;
    while i < 9 {
        if let Some(square) = Square::new((first_row + i / 3) * FILES + 3 + i % 3) {
            set = set.with(square);
        }
        i += 1;
    }
    set
}
