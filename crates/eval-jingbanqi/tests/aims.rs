//! Tests of the engine on maps of level 2: they would catch one that does not see the aim of a map. All by counts, none by the
//! clock.

use std::sync::Arc;

use eval_jingbanqi::AimEval;
use jingbanqi::{Jingbanqi, Rulebook};
use kernel::laws::Random;
use kernel::{Game, Notation, Outcome, Position, Side};
use search::{SearchLimits, TranspositionTable, think};

const GAMES: u64 = 6;

fn start(map: &str) -> Jingbanqi {
    let path = format!("{}/../../maps/{map}.xlsx", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("the map is there");
    Jingbanqi::new(Arc::new(Rulebook::new(jingbanqi::read(&bytes).map.expect("a good map"), false)))
}

/// The games of a few that the engine wins against a player who moves at random.
fn wins(map: &str) -> u64 {
    let start = start(map);
    let eval = AimEval::of(&start).expect("a map of level 2");
    let mut wins = 0;
    for number in 0..GAMES {
        let (mut random, mut game, mut moves) = (Random(number + 1), Game::new(start.clone()), Vec::new());
        let memory = TranspositionTable::new(1 << 20);
        let side = Side::BOTH[number as usize % 2];
        while game.outcome().is_none() && game.moves().len() < 200 {
            moves.clear();
            game.position().moves(&mut moves);
            let mut chosen = moves[random.below(moves.len())];
            if game.position().turn() == side {
                let limits = SearchLimits { nodes: Some(400), ..SearchLimits::default() };
                let found = think(&game, &eval, &memory, &limits, &mut |_| {});
                chosen = found.expect("it goes on").lines[0].moves[0];
            }
            assert!(moves.contains(&chosen), "not legal");
            // Chance decides for both, whatever was named.
            let text = game.position().move_text(chosen);
            let text = kernel::by_lot(&game, &text, |sum| random.bits() % sum);
            game.play(game.position().read_move(&text).expect("is legal"));
        }
        wins += u64::from(matches!(game.outcome(), Some(Outcome::Win(winner, _)) if winner == side));
    }
    wins
}

#[test]
fn the_engine_wins_against_random_moves() {
    for map in ["breakthrough", "hex", "losing"] {
        let won = wins(map);
        assert!(won + 1 >= GAMES, "{map}: {won} of {GAMES}");
    }
}

/// Where pieces are turned over by chance, too, and no line is told as certain that draws.
#[test]
fn the_engine_wins_where_chance_decides() {
    let won = wins("examples/banqi-2");
    assert!(won + 2 >= GAMES, "{won} of {GAMES}");
}
