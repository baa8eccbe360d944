//! Tests of the laws that hold for every game, for every variant, from the start and from positions where kings have
//! met.

use draughts::*;
use kernel::{Notation, laws};

fn check<R: Rules>() {
    let start = Draughts::<R>::start();
    laws::check_games(&start, 6, 250);
    let (last, middle) = (squares::<R>(), squares::<R>() / 2);
    // Squares of the two last rows of either side.
    let rows = 2 * last / R::SIDE;
    // Kings fly about, men are near their last row: promotions, long captures and counters.
    for fen in [
        format!("W:WK{last},{},{}:BK1,{},K{middle}", rows, last - 8, last - rows + 1),
        format!("B:WK{last},K{}:BK1,K2,{middle}", last - 1),
        format!("W:WK{last}:BK1,K2"),
    ] {
        laws::check_games(&start.read_fen(&fen).unwrap_or_else(|e| panic!("{fen}: {e}")), 6, 150);
    }
}

macro_rules! laws_hold {
    ($($rules:ident)*) => {
        $(#[test]
        #[allow(non_snake_case)]
        fn $rules() {
            check::<draughts::$rules>();
        })*
    };
}

draughts::for_each_variant!(laws_hold);
