//! Counting move paths.

use std::sync::atomic::{AtomicU32, Ordering};

use kernel::perft::{divide, perft, perft_parallel, perft_while};
use kernel::{Notation, Position, any};

use crate::fill::Fill;
use crate::pebbles::{Act, Pebbles};
use crate::wide::{WIDE, Wide};

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

/// Counts with at most `most` questions answered by yes; the count, and how often it was asked.
fn asked(game: &dyn kernel::AnyGame, depth: u32, threads: usize, most: u32) -> (Option<u64>, u32) {
    let asked = AtomicU32::new(0);
    let goes_on = || asked.fetch_add(1, Ordering::Relaxed) < most;
    (perft_while(game, depth, threads, &goes_on), asked.load(Ordering::Relaxed))
}

#[test]
fn a_count_that_may_be_stopped_is_the_same_count() {
    let small = any(Pebbles::start());
    for (depth, &nodes) in (0..).zip(&PEBBLES) {
        assert_eq!(asked(&*small, depth, 1, 99), (Some(nodes), depth), "once a depth: depth {depth}");
    }
    let mut over = any(Fill::start());
    for text in ["a1", "b1", "c1"] {
        over.play(text).expect("legal");
    }
    assert_eq!(asked(&*over, 0, 1, 99), (Some(1), 0));
    assert_eq!(asked(&*over, 5, 1, 99), (Some(0), 1), "nothing follows, and nobody looks further");
    let one_left = any(Fill::start().read_fen("xo.").expect("a position"));
    assert_eq!(asked(&*one_left, 1, 1, 99), (Some(1), 1));
    assert_eq!(asked(&*one_left, 7, 1, 99), (Some(0), 2));
}

#[test]
fn a_large_count_is_made_in_pieces_and_stops_when_told() {
    let wide = any(Wide::start());
    // Three plies come to more than is counted in one go, so the fourth is counted under each of the first moves, with
    // two plies in one go.
    let pieces = (WIDE * WIDE) as u32;
    for threads in [0, 1, 3] {
        assert_eq!(asked(&*wide, 4, threads, u32::MAX), (Some(WIDE.pow(4)), 3 + pieces), "{threads} threads");
    }
    for most in [0, 2, 3, 500] {
        assert_eq!(asked(&*wide, 4, 1, most), (None, most + 1), "stopped after {most}");
    }
}
