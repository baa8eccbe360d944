//! What every game owes, for every variant, from the start and from positions where kings have met.

use draughts::*;
use kernel::{Notation, laws};

fn check<R: Rules>() {
    let start = Draughts::<R>::start();
    laws::check_games(&start, 6, 250);
    let (last, middle) = (squares::<R>(), squares::<R>() / 2);
    // Kings fly about, men are near their last row: promotions, long captures and counters.
    for fen in [
        format!("W:WK{last},{},{}:BK1,{},K{middle}", R::SIDE, last - 8, last - R::SIDE + 1),
        format!("B:WK{last},K{}:BK1,K2,{middle}", last - 1),
        format!("W:WK{last}:BK1,K2"),
    ] {
        laws::check_games(&start.read_fen(&fen).unwrap_or_else(|e| panic!("{fen}: {e}")), 6, 150);
    }
}

macro_rules! laws_hold {
    ($($name:ident $rules:ident)*) => {
        $(#[test]
        fn $name() {
            check::<$rules>();
        })*
    };
}

laws_hold! {
    international International  killer Killer  breakthrough Breakthrough  losing Losing  frisian Frisian
    frysk Frysk  brazilian Brazilian  school School  russian Russian  pool Pool  english English  italian Italian
    spanish Spanish  czech Czech  thai Thai  turkish Turkish  canadian Canadian
}
