//! Static exchange evaluation (SEE): the result of an exchange on one square when both sides take with their least
//! first, or stop.

use kernel::Position;
use xiangqi::{Move, Xiangqi};

use super::tables::VALUE;

/// Returns the gain of the mover of `m`, in hundredths, once all captures on its target that pay are made. After each
/// the lines are looked at again, for cannons need screens.
pub fn swap(pos: &Xiangqi, m: Move) -> i32 {
    let Some(mover) = pos.piece_at(m.from) else { return 0 };
    let first = pos.piece_at(m.to).map_or(0, |piece| VALUE[piece.kind as usize]);
    let us = pos.turn();
    let answers = pos.takers(us.other(), m.to);
    if answers.is_empty() {
        return first;
    }
    let mut won = [0; 32];
    won[0] = first;
    let mut on_square = VALUE[mover.kind as usize];
    let mut occupied = pos.occupied().without(m.from).with(m.to);
    let mut takers = [answers, answers];
    let mut depth = 0;
    while let Some((from, kind)) = takers[depth % 2].least(pos, occupied) {
        if depth == 0 {
            takers[1] = pos.takers(us, m.to);
        }
        depth += 1;
        won[depth] = on_square - won[depth - 1];
        if depth + 1 >= won.len() || won[depth].max(-won[depth - 1]) < 0 {
            break;
        }
        on_square = VALUE[kind as usize];
        occupied = occupied.without(from);
    }
    while depth > 0 {
        won[depth - 1] = -(-won[depth - 1]).max(won[depth]);
        depth -= 1;
    }
    won[0]
}
