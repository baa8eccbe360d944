//! Playouts on maps: would catch a search that does not win against random moves where an evaluation is blind, that
//! plays something illegal, or that is another the second time. All by counts, none by the clock.

use std::sync::Arc;

use engine_core::{Info, Level, Limits, Method, Request, Worth};
use eval_jingbanqi::chosen::{self, Chosen};
use jingbanqi::{Jingbanqi, Rulebook};
use kernel::laws::Random;
use kernel::{AnyGame, Outcome, Side, any};
use search::TranspositionTable;

fn start(map: &str) -> Jingbanqi {
    let path = format!("{}/../../maps/{map}.xlsx", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("the map is there");
    Jingbanqi::new(Arc::new(Rulebook::new(jingbanqi::read(&bytes).map.expect("a good map"), false)))
}

fn think(game: &dyn AnyGame, limits: &Limits, report: &mut dyn FnMut(&Info)) -> String {
    let memory = TranspositionTable::new(1 << 16);
    let request = Request { memory: &memory, limits };
    (eval_jingbanqi::FAMILY.turn)(game, &request, report).expect("a map").swap_remove(0)
}

fn playouts(nodes: u64, seed: u64) -> Limits {
    Limits { nodes: Some(nodes), seed, method: Method::Playouts, ..Limits::default() }
}

/// The games of a few that playouts win against a player who moves at random.
fn wins(map: &str, games: u64) -> u64 {
    let mut wins = 0;
    for number in 0..games {
        let (mut random, mut game) = (Random(number + 1), any(start(map)));
        let side = Side::BOTH[number as usize % 2];
        while game.outcome().is_none() && game.plies() < 200 {
            let moves = game.moves();
            let text = if game.turn() == side {
                think(&*game, &playouts(3_000, number), &mut |_| {})
            } else {
                moves[random.below(moves.len())].clone()
            };
            assert!(moves.contains(&text), "{text} is not legal");
            game.play(&text).expect("is legal");
        }
        wins += u64::from(matches!(game.outcome(), Some(Outcome::Win(winner, _)) if winner == side));
    }
    wins
}

#[test]
fn playouts_win_against_random_moves_by_aims_of_every_kind() {
    for map in ["breakthrough", "hex", "losing", "mountains"] {
        let won = wins(map, 6);
        assert!(won >= 5, "{map}: {won} of 6");
    }
}

#[test]
fn the_answer_is_the_same_each_time_and_is_told_like_any_other() {
    let game = any(start("hex"));
    for limits in [playouts(4_000, 3), Limits { level: Level::new(5), ..playouts(4_000, 3) }] {
        let limits = Limits { lines: 3, ..limits };
        let told = || {
            let mut told = Vec::new();
            let best = think(&*game, &limits, &mut |info| {
                told.push((info.line, info.worth, info.nodes, info.moves.clone()))
            });
            (best, told)
        };
        let (first, again) = (told(), told());
        assert_eq!(first, again);
        let last = first.1.iter().rev().find(|info| info.0 == 1).expect("a report");
        assert!(last.2 <= 4_100, "{} positions", last.2);
        assert!(matches!(last.1, Worth::Hundredths(worth) if worth.abs() < 15_000), "{:?}", last.1);
        assert!(limits.level.is_some() || last.3[0] == first.0, "the best line is played");
    }
}

#[test]
fn a_match_chooses_the_search_until_another_map_comes() {
    let pos = start("losing");
    let game = any(pos.clone());
    let print = chosen::print(&pos);
    assert_ne!(print, chosen::print(&start("hex")));
    let usual = Limits { method: Method::Usual, ..playouts(2_000, 1) };
    let nodes_and_move = |limits: &Limits| {
        let mut nodes = 0;
        let best = think(&*game, limits, &mut |info| nodes = info.nodes);
        (best, nodes)
    };
    let [by_alpha_beta, by_playouts] = [Method::AlphaBeta, Method::Playouts]
        .map(|method| nodes_and_move(&Limits { method, ..usual.clone() }));
    assert_ne!(by_alpha_beta, by_playouts);
    assert_eq!(nodes_and_move(&usual), by_alpha_beta, "until a match was played");
    let line = Chosen { print, half_points: 30, games: 20 }.line();
    assert_eq!(chosen::bring_lines(&format!("{line}\nnonsense\n")), 1);
    assert_eq!(nodes_and_move(&usual), by_playouts);
    let shallow = Limits { depth: Some(1), ..usual.clone() };
    assert_eq!(
        nodes_and_move(&shallow),
        nodes_and_move(&Limits { method: Method::AlphaBeta, ..shallow.clone() }),
        "a depth is one of alpha-beta"
    );
    chosen::bring(Chosen { print, half_points: 22, games: 20 });
    assert_eq!(nodes_and_move(&usual), by_alpha_beta, "eleven of twenty are not enough");
}

#[test]
fn lines_of_choices_are_read_back_and_others_are_none() {
    let chosen = Chosen { print: 0xAB, half_points: 31, games: 20 };
    assert_eq!(chosen::read(&chosen.line()), Some(chosen));
    assert_eq!((chosen.method(), chosen.games), (Method::Playouts, 20));
    assert_eq!(Chosen { half_points: 6, games: 3, ..chosen }.method(), Method::AlphaBeta, "too few games");
    for bad in [
        "",
        "search",
        "search 00ab 3",
        "search 00ab 41 20",
        "search 00ab 1 2 3",
        "00ab 1 2",
        "search x 1 2",
        "search 00ab -1 2",
    ] {
        assert_eq!(chosen::read(bad), None, "{bad}");
    }
}
