//! Move paths counted, against counts that independent generators agree on.

mod common;

use draughts::*;
use kernel::{Notation, perft::perft};

fn deep() -> bool {
    std::env::var_os("QIGUAN_DEEP").is_some()
}

fn count<R: Rules>(fen: &str, depth: u32) -> u64 {
    let start = Draughts::<R>::start();
    let pos =
        if fen.is_empty() { start } else { start.read_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}")) };
    perft(&pos, depth)
}

/// data/perft.csv: variant, FEN, depth, nodes.
#[test]
fn known_counts() {
    let most = if deep() { u64::MAX } else { 200_000 };
    let (mut rows, mut wrong) = (0, Vec::new());
    for line in include_str!("data/perft.csv").lines().skip(1) {
        let (variant, rest) = line.split_once(",\"").unwrap();
        let (fen, rest) = rest.split_once("\",").unwrap();
        let (depth, nodes) = rest.split_once(',').unwrap();
        let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.parse().unwrap());
        if nodes > most {
            continue;
        }
        rows += 1;
        let found = by_key!(variant, count(fen, depth));
        if found != nodes {
            wrong.push(format!("{variant} {fen} depth {depth}: {found}, not {nodes}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {rows} rows:\n{}", wrong.len(), wrong.join("\n"));
}
