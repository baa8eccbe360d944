//! Benchmark of putting stones and detecting the end of the game: `cargo bench -p gomoku`.

use divan::{Bencher, black_box, counter::ItemsCount};
use gomoku::{Gomoku, Move, Point, Points, Rule, renju::Field};
use kernel::{Cell, Notation, Piece, Position, Side, laws::Random};

#[path = "../tests/plain_renju/mod.rs"]
mod plain;

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

/// Plays renju games to their end; random games are crowded, and most end at a forbidden point or by a five.
#[divan::bench(args = [15])]
fn play_and_outcome_renju(bencher: Bencher, side: u8) {
    let start = Gomoku::new(Rule::Renju, side, side).expect("the sizes are legal");
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

/// All forbidden points of the recorded positions: the figure is positions a second.
#[divan::bench]
fn forbidden_points(bencher: Bencher) {
    let positions = recorded();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for pos in &positions {
            black_box(black_box(pos).forbidden_points());
        }
    });
}

/// The same by asking for each empty point alone, from the definition with its recursion.
#[divan::bench]
fn forbidden_points_one_by_one(bencher: Bencher) {
    let positions = recorded();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for pos in &positions {
            let mut field = Field::new(&[*pos.stones(Side::First), *pos.stones(Side::Second)], 15, 15);
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            for m in moves {
                if let Move::Put(at) = m {
                    black_box(field.judge(at));
                }
            }
        }
    });
}

/// The same by the definition written plainly, as the tests have it: what the two above are measured against.
#[divan::bench]
fn forbidden_points_plainly(bencher: Bencher) {
    let mut positions: Vec<plain::Plain> = recorded().iter().map(plain::Plain::of).collect();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for pos in &mut positions {
            black_box(black_box(pos).forbidden());
        }
    });
}

/// Middle games: the recorded positions of self-play and of random stones.
fn recorded() -> Vec<Gomoku> {
    let rows = include_str!("../tests/data/renju-forbidden.jsonl").lines();
    let position = |row: &str| {
        let row: serde_json::Value = serde_json::from_str(row).expect("the data are JSON");
        let stones = ["black", "white"].map(|side| {
            let mut stones = Points::EMPTY;
            for name in row[side].as_array().expect("a list of points").iter().filter_map(|v| v.as_str()) {
                let rank: u8 = name[1..].parse().expect("a rank");
                stones.put(Point { row: 15 - rank, file: name.as_bytes()[0] - b'a' });
            }
            stones
        });
        let pieces = Side::BOTH.into_iter().flat_map(|side| {
            let stones = stones[side.index()];
            let cells: Vec<Cell> =
                stones.iter().map(|at| Cell::from(at.row) * 15 + Cell::from(at.file)).collect();
            cells.into_iter().map(move |at| Piece { at, owner: Some(side), face: "stone".into() })
        });
        Gomoku::usual(Rule::Renju)
            .set_up(Side::First, &pieces.collect::<Vec<_>>())
            .expect("nobody has won twice")
    };
    rows.map(position).collect()
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
