//! Benchmark of the positions our engine searches per second: `cargo bench -p engine`. Divan's item is one position.

use divan::counter::ItemsCount;
use engine::{Limits, TranspositionTable, native};

fn main() {
    divan::main();
}

/// The number of positions in one search.
const NODES: u64 = 300_000;

/// The games and positions that are searched: starts (`None`) and positions from the middle of a game.
const POSITIONS: &[(&str, Option<&str>)] = &[
    ("xiangqi", None),
    ("xiangqi", Some("r2akab1r/4n4/2n1b1c2/p1p1p3p/5Np2/2P6/P3P1P1P/2N1C4/9/1RBAKAB1R w - - 0 12")),
    ("draughts/international", None),
    (
        "draughts/international",
        Some("W:W26,27,28,31,32,33,34,37,38,39,42,43,48:B3,8,9,12,13,14,16,17,18,19,22,23,24"),
    ),
    ("draughts/english", None),
    ("draughts/frisian", None),
    ("draughts/turkish", None),
    ("draughts/canadian", None),
    ("locked", None),
];

#[divan::bench(args = 0..POSITIONS.len(), sample_count = 3, sample_size = 1)]
fn positions(bencher: divan::Bencher, place: usize) {
    let (key, fen) = POSITIONS[place];
    let entry = catalog::find(key).expect("a game of the catalogue");
    let options = entry.settle(&catalog::Options::new(), catalog::Setting::Faithful).expect("usual options");
    let game = entry.open(None, &options, fen).expect("a position");
    println!("{place}: {key} {}", fen.unwrap_or("from the start"));
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    bencher
        .counter(ItemsCount::new(NODES))
        .with_inputs(|| TranspositionTable::mebibytes(16))
        .bench_values(|memory| native::think(game.as_ref(), &memory, &limits, &mut |_| {}).expect("a move"));
}
