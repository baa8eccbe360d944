//! Static exchange evaluation (SEE): what an exchange on one square comes to when both sides take with their least
//! first, or stop.

use kernel::{Position, Side};
use xiangqi::cycle::attacks;
use xiangqi::{Kind, Move, Square, Squares, Xiangqi};

use super::tables::VALUE;

/// Who takes first.
const ORDER: [Kind; 7] =
    [Kind::Soldier, Kind::Elephant, Kind::Advisor, Kind::Horse, Kind::Cannon, Kind::Rook, Kind::General];

/// What the mover of `m` wins by it, in hundredths, once all captures on its target that pay are made. After each the
/// lines are looked at anew, for cannons need screens.
pub fn swap(pos: &Xiangqi, m: Move) -> i32 {
    let Some(mover) = pos.piece_at(m.from) else { return 0 };
    let mut won = [0; 32];
    won[0] = pos.piece_at(m.to).map_or(0, |piece| VALUE[piece.kind as usize]);
    let mut on_square = VALUE[mover.kind as usize];
    let mut occupied = pos.occupied().without(m.from).with(m.to);
    let mut side = pos.turn().other();
    let mut depth = 0;
    while let Some((from, kind)) = least(pos, side, m.to, occupied, m.from) {
        depth += 1;
        won[depth] = on_square - won[depth - 1];
        if depth + 1 >= won.len() || won[depth].max(-won[depth - 1]) < 0 {
            break;
        }
        on_square = VALUE[kind as usize];
        occupied = occupied.without(from);
        side = side.other();
    }
    while depth > 0 {
        won[depth - 1] = -(-won[depth - 1]).max(won[depth]);
        depth -= 1;
    }
    won[0]
}

/// The least piece of `side` that can take on `to`; `gone` has left its square.
fn least(pos: &Xiangqi, side: Side, to: Square, occupied: Squares, gone: Square) -> Option<(Square, Kind)> {
    let here = |from: &Square| *from != to && *from != gone && occupied.has(*from);
    ORDER.into_iter().find_map(|kind| {
        let mut able =
            pos.all(side, kind).filter(here).filter(|&from| attacks(side, kind, from, to, occupied));
        able.next().map(|from| (from, kind))
    })
}
