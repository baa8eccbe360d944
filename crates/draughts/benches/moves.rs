//! Benchmark of counting and listing moves: `cargo bench -p draughts`. divan's item is one counted move path.

use divan::{Bencher, counter::ItemsCount};
use draughts::*;
use kernel::{Position, perft::perft};

fn main() {
    divan::main();
}

fn start<R: Rules>(bencher: Bencher, depth: u32) {
    let start = Draughts::<R>::start();
    bencher.counter(ItemsCount::new(perft(&start, depth))).bench(|| perft(&start, divan::black_box(depth)));
}

#[divan::bench(args = [9, 10], sample_count = 3, sample_size = 1)]
fn international(bencher: Bencher, depth: u32) {
    start::<International>(bencher, depth);
}

/// Every move of the last ply is listed, too.
#[divan::bench(args = [9], sample_count = 3, sample_size = 1)]
fn international_listed(bencher: Bencher, depth: u32) {
    let start = Draughts::<International>::start();
    let mut buffers = vec![Vec::new(); depth as usize];
    let leaves = perft(&start, depth);
    bencher.counter(ItemsCount::new(leaves)).bench_local(|| listed(&start, &mut buffers));
}

fn listed<R: Rules>(pos: &Draughts<R>, buffers: &mut [Vec<Move<R>>]) -> usize {
    let Some((moves, deeper)) = buffers.split_first_mut() else { return 1 };
    moves.clear();
    pos.moves(moves);
    if deeper.is_empty() {
        return moves.len();
    }
    let after = |&m: &Move<R>| {
        let mut next = *pos;
        next.play(m);
        listed(&next, deeper)
    };
    moves.iter().map(after).sum()
}

macro_rules! others {
    ($($name:ident $rules:ident $depth:literal)*) => {
        $(#[divan::bench(args = [$depth], sample_count = 3, sample_size = 1)]
        fn $name(bencher: Bencher, depth: u32) {
            start::<$rules>(bencher, depth);
        })*
    };
}

others! {
    brazilian Brazilian 10  russian Russian 10  pool Pool 10  english English 10  italian Italian 10
    spanish Spanish 10  czech Czech 10  frisian Frisian 9  frysk Frysk 8  killer Killer 9  thai Thai 8
    turkish Turkish 7  canadian Canadian 8
}
