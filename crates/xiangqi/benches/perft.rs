//! Benchmark of counting move paths: `cargo bench -p xiangqi`. docs/perft.md has other programs' figures.

use kernel::{Position, perft::perft};
use xiangqi::{Move, Rules, Xiangqi};

fn main() {
    divan::main();
}

/// Perft from the start, the last ply counted; divan's item is one leaf.
#[divan::bench(args = [(4, 3_290_240_u64), (5, 133_312_995)], sample_count = 3, sample_size = 1)]
fn counted(bencher: divan::Bencher, (depth, leaves): (u32, u64)) {
    let start = Xiangqi::new(Rules::Asian);
    bencher
        .counter(divan::counter::ItemsCount::new(leaves))
        .bench(|| assert_eq!(perft(&start, divan::black_box(depth)), leaves));
}

/// The same with every leaf played.
#[divan::bench(args = [(4, 3_290_240_u64), (5, 133_312_995)], sample_count = 3, sample_size = 1)]
fn played(bencher: divan::Bencher, (depth, leaves): (usize, u64)) {
    let start = Xiangqi::new(Rules::Asian);
    bencher
        .counter(divan::counter::ItemsCount::new(leaves))
        .bench(|| assert_eq!(play_all(&start, &mut vec![Vec::new(); divan::black_box(depth)]), leaves));
}

fn play_all(pos: &Xiangqi, buffers: &mut [Vec<Move>]) -> u64 {
    let Some((moves, deeper)) = buffers.split_first_mut() else { return 1 };
    moves.clear();
    pos.moves(moves);
    let mut leaves = 0;
    for &m in moves.iter() {
        let mut next = pos.clone();
        next.play(m);
        leaves += play_all(divan::black_box(&next), deeper);
    }
    leaves
}
