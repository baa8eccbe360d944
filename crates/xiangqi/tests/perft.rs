//! Known counts (tests/data/perft.csv), on which Pikafish, Pikafish-HCE and Fairy-Stockfish agree.

use kernel::{Notation, perft::perft};
use xiangqi::{Rules, Xiangqi};

/// Rows above this many paths run only when `QIGUAN_DEEP` is set.
const MOST: u64 = 4_000_000;

#[test]
fn known_counts() {
    let deep = std::env::var_os("QIGUAN_DEEP").is_some();
    let mut checked = 0;
    for row in include_str!("data/perft.csv").lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let [fen, depth, nodes] = fields[..] else { panic!("three fields: {row}") };
        let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.parse().unwrap());
        if nodes > MOST && !deep {
            continue;
        }
        let pos =
            Xiangqi::new(Rules::Asian).read_fen(fen).unwrap_or_else(|problem| panic!("{problem}: {fen}"));
        assert_eq!(perft(&pos, depth), nodes, "{row}");
        checked += 1;
    }
    assert!(checked >= if deep { 99 } else { 80 }, "the table was read: {checked}");
}
