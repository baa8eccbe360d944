//! The search finds the wins that brute force proves, as fast as possible, with and without a transposition table.

use std::fmt::Debug;

use eval_draughts::DraughtsEval;
use eval_jingbanqi::MapEval;
use eval_locked::LockedEval;
use eval_xiangqi::XiangqiEval;
use kernel::laws::Random;
use kernel::{Game, Position, Side};
use search::{Evaluator, SearchLimits, TranspositionTable, score, think};

/// Returns the fewest plies in which `side` forces a win, `plies` at most, by exhaustive search.
fn wins<P: Position>(pos: &P, side: Side, plies: i32) -> Option<i32> {
    if let Some(outcome) = pos.outcome() {
        return (outcome.winner() == Some(side)).then_some(0);
    }
    if plies == 0 || pos.drawn().is_some() {
        return None;
    }
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let after = |&m: &P::Move| {
        let mut next = pos.clone();
        next.play(m);
        wins(&next, side, plies - 1).map(|n| n + 1)
    };
    if pos.turn() == side {
        moves.iter().filter_map(after).min()
    } else {
        moves.iter().map(after).try_fold(0, |worst, n| n.map(|n| worst.max(n)))
    }
}

/// Plays random games, steps back from each end, and compares the search with the wins that brute force proves there.
fn check<P: Position + Debug, E: Evaluator<P>>(name: &str, start: &P, eval: &dyn Fn(&P) -> E, wanted: usize) {
    let mut random = Random(20);
    let mut found = 0;
    for _ in 0..4_000 {
        let mut game = Game::new(start.clone());
        let mut moves = Vec::new();
        while game.outcome().is_none() && game.moves().len() < 600 {
            moves.clear();
            game.position().moves(&mut moves);
            game.play(moves[random.below(moves.len())]);
        }
        let Some(winner) = game.outcome().and_then(|outcome| outcome.winner()) else { continue };
        if game.cycle(P::JUDGED_AT).is_some() {
            continue;
        }
        for back in 1..=3 {
            game.undo();
            let pos = game.position();
            if back != 2
                && pos.turn() == winner
                && game.moves().len() > 2
                && let Some(plies) = wins(pos, winner, 3)
            {
                assert_found(name, &Game::new(pos.clone()), eval(pos), plies);
                found += 1;
            }
        }
        if found >= wanted {
            return;
        }
    }
    panic!("{name}: only {found} of {wanted} wins were come upon");
}

fn assert_found<P: Position + Debug, E: Evaluator<P>>(name: &str, game: &Game<P>, eval: E, plies: i32) {
    for memory in [64, 1 << 20] {
        let limits = SearchLimits { depth: Some(8), nodes: Some(200_000), ..SearchLimits::default() };
        let verdict = think(game, &eval, &TranspositionTable::new(memory), &limits, &mut |_| {})
            .expect("the game is on");
        let best = &verdict.lines[0];
        let told = score::distance(best.score);
        assert_eq!(told, Some(plies), "{name}, {memory} bytes: {:?} plays {best:?}", game.position());
        let mut next = game.position().clone();
        let winner = next.turn();
        next.play(best.moves[0]);
        assert_eq!(
            wins(&next, winner, plies - 1),
            Some(plies - 1),
            "{name}: the move does not win: {best:?}"
        );
    }
}

#[test]
fn wins_of_xiangqi() {
    let free = ::xiangqi::Xiangqi::new(::xiangqi::Rules::Home);
    check("xiangqi/free", &free, &|_| XiangqiEval::default(), 12);
    let asian = ::xiangqi::Xiangqi::new(::xiangqi::Rules::Asian).with_limit(0);
    check("xiangqi", &asian, &|_| XiangqiEval::default(), 12);
}

#[test]
fn wins_of_draughts() {
    // In losing draughts the loser makes the last move: no win of the mover ends a random game.
    use ::draughts::{Breakthrough, English, Frisian, International, Rules, Russian, Turkish};
    fn of<R: Rules>() {
        let start = ::draughts::Draughts::<R>::start();
        check(R::KEY, &start, &|_| DraughtsEval::<R>::default(), 8);
    }
    of::<International>();
    of::<Breakthrough>();
    of::<English>();
    of::<Russian>();
    of::<Frisian>();
    of::<Turkish>();
}

#[test]
fn wins_of_locked_chess() {
    let start = *eval_locked::whole(&Game::new(::locked::Locked::default())).position();
    check("locked", &start, &|_| LockedEval::default(), 12);
}

#[test]
fn wins_of_a_map() {
    for map in ["t4_promote(5x5).xlsx", "t1_grammar(6x8).xlsx"] {
        let bytes =
            std::fs::read(format!("{}/../jingbanqi/tests/data/maps/{map}", env!("CARGO_MANIFEST_DIR")));
        let map = ::jingbanqi::read(&bytes.expect("the map is there")).map.expect("a good map");
        let book = std::sync::Arc::new(::jingbanqi::Rulebook::new(map, false));
        check("map", &::jingbanqi::Jingbanqi::new(book), &|pos| MapEval::of(pos), 8);
    }
}
