//! How fast stones are put down and games found over: `cargo bench -p gomoku`.

use divan::{Bencher, black_box, counter::ItemsCount};
use gomoku::{Gomoku, Move, Rule};
use kernel::{Position, laws::Random};

fn main() {
    divan::main();
}

/// Plays games to their end, each move with its `outcome`; the figure is moves a second.
#[divan::bench(args = [5, 15, 20, 26])]
fn play_and_outcome(bencher: Bencher, side: u8) {
    let start = Gomoku::new(Rule::Freestyle, side, side).expect("the sizes are legal");
    let games: Vec<Vec<Move>> = (1..=64).map(|seed| random_game(&start, seed)).collect();
    let moves: usize = games.iter().map(Vec::len).sum();
    bencher.counter(ItemsCount::new(moves)).bench_local(|| {
        for game in &games {
            let mut pos = start.clone();
            for &at in game {
                pos.play(black_box(at));
                black_box(pos.outcome());
            }
        }
    });
}

/// The same with a copy of the position for every move, as a search makes it.
#[divan::bench(args = [15])]
fn copy_play_and_outcome(bencher: Bencher, side: u8) {
    let start = Gomoku::new(Rule::Freestyle, side, side).expect("the sizes are legal");
    let games: Vec<Vec<Move>> = (1..=64).map(|seed| random_game(&start, seed)).collect();
    let moves: usize = games.iter().map(Vec::len).sum();
    bencher.counter(ItemsCount::new(moves)).bench_local(|| {
        for game in &games {
            let mut pos = start.clone();
            for &at in game {
                let mut next = black_box(&pos).clone();
                next.play(at);
                black_box(next.outcome());
                pos = next;
            }
        }
    });
}

/// Counts all paths of three moves; the figure is paths a second.
#[divan::bench]
fn perft_3(bencher: Bencher) {
    let start = Gomoku::usual(Rule::Standard);
    bencher.counter(ItemsCount::new(225_u32 * 224 * 223)).bench_local(|| kernel::perft::perft(&start, 3));
}

fn random_game(start: &Gomoku, seed: u64) -> Vec<Move> {
    let mut random = Random(seed);
    let mut pos = start.clone();
    let mut game = Vec::new();
    let mut moves = Vec::new();
    while pos.outcome().is_none() {
        moves.clear();
        pos.moves(&mut moves);
        let at = moves[random.below(moves.len())];
        pos.play(at);
        game.push(at);
    }
    game
}
