//! Tests of the laws that hold for every game, on boards of several shapes.

use gomoku::{Gomoku, Rule};
use kernel::laws;

#[test]
fn the_laws_hold() {
    for rule in Rule::ALL {
        laws::check_games(&Gomoku::usual(rule), 5, 400);
        for (files, ranks) in [(5, 5), (6, 5), (5, 8), (9, 7)] {
            laws::check_games(&Gomoku::new(rule, files, ranks).unwrap(), 20, 400);
        }
        laws::check_games(&Gomoku::new(rule, 26, 26).unwrap(), 2, 250);
        laws::check_games(&Gomoku::new(rule, 26, 5).unwrap(), 5, 250);
    }
}
