//! Counting move paths.

use kernel::perft::{divide, perft, perft_parallel};
use kernel::{Notation, Position};

use crate::fill::Fill;
use crate::pebbles::{Act, Pebbles};

/// Counted by hand: two slides; then 2 or 3 takings and a pass, 7 paths; two slides each, 14; then 6 buttons
/// after each of the three middle paths and 5 after each of the four right ones.
const PEBBLES: [u64; 5] = [1, 2, 7, 14, 38];

#[test]
fn counts_are_known() {
    for (depth, &nodes) in (0..).zip(&PEBBLES) {
        assert_eq!(perft(&Pebbles::start(), depth), nodes, "pebbles, depth {depth}");
    }
    for (depth, nodes) in (0..).zip([1, 3, 6, 6, 0, 0]) {
        assert_eq!(perft(&Fill::start(), depth), nodes, "fill, depth {depth}");
    }
}

#[test]
fn divide_shares_out_the_same_count() {
    assert_eq!(divide(&Pebbles::start(), 1), [(Act::Slide(1), 1), (Act::Slide(2), 1)]);
    assert_eq!(divide(&Pebbles::start(), 4), [(Act::Slide(1), 18), (Act::Slide(2), 20)]);
    for depth in 1..9 {
        let sum: u64 = divide(&Pebbles::start(), depth).iter().map(|(_, nodes)| nodes).sum();
        assert_eq!(sum, perft(&Pebbles::start(), depth), "depth {depth}");
    }
}

#[test]
fn a_finished_position_has_no_paths() {
    let over = Pebbles::start().read_fen("0 1 first slide 0").expect("a legal FEN");
    assert!(over.outcome().is_some());
    assert_eq!((perft(&over, 0), perft(&over, 1), perft(&over, 5)), (1, 0, 0));
    assert_eq!(divide(&over, 3), []);
    assert_eq!(perft_parallel(&over, 5, 3), 0);
}

#[test]
fn many_hands_count_the_same() {
    for depth in 0..9 {
        let alone = perft(&Pebbles::start(), depth);
        for threads in [0, 1, 2, 5] {
            assert_eq!(
                perft_parallel(&Pebbles::start(), depth, threads),
                alone,
                "{threads} threads, {depth}"
            );
        }
    }
}
