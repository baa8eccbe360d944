//! Tests of the laws that hold for every game.

use kernel::laws;
use xiangqi::{Rules, Xiangqi};

#[test]
fn the_laws_hold() {
    laws::check_games(&Xiangqi::new(Rules::Asian), 10, 300);
    laws::check_games(&Xiangqi::new(Rules::Home), 10, 300);
}
