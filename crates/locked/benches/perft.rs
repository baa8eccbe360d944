//! Benchmark of counting move paths: `cargo bench -p locked`.

use kernel::perft::perft;
use locked::Locked;

fn main() {
    divan::main();
}

/// Step perft from the start; divan's item is one counted leaf.
#[divan::bench(args = [(15, 6_078_336_u64), (18, 163_597_696), (19, 620_800_224), (20, 1_067_964_704)], sample_count = 3, sample_size = 1)]
fn start(bencher: divan::Bencher, (depth, leaves): (u32, u64)) {
    bencher
        .counter(divan::counter::ItemsCount::new(leaves))
        .bench(|| assert_eq!(perft(&Locked::default(), divan::black_box(depth)), leaves));
}
