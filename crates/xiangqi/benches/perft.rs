//! How fast move paths are counted: `cargo bench -p xiangqi`.

use kernel::perft::perft;
use xiangqi::{Rules, Xiangqi};

fn main() {
    divan::main();
}

/// Perft from the start; divan's item is one counted leaf.
#[divan::bench(args = [(4, 3_290_240_u64), (5, 133_312_995)], sample_count = 3, sample_size = 1)]
fn start(bencher: divan::Bencher, (depth, leaves): (u32, u64)) {
    let start = Xiangqi::new(Rules::Asian);
    bencher
        .counter(divan::counter::ItemsCount::new(leaves))
        .bench(|| assert_eq!(perft(&start, divan::black_box(depth)), leaves));
}
