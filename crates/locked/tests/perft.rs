//! Known counts, from the recorded facts of the reference program (tests/data/perft.csv).

use std::collections::{BTreeSet, HashMap, HashSet};

use kernel::perft::perft;
use kernel::{Notation, Position, Side};
use locked::{Locked, Step, Stones};

/// Rows above this many paths run only when `QIGUAN_DEEP` is set.
const MOST: u64 = 3_000_000;

#[test]
fn steps_and_turns() {
    let deep = std::env::var_os("QIGUAN_DEEP").is_some();
    let mut checked = 0;
    for row in include_str!("data/perft.csv").lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let [fen, kind, depth, nodes] = fields[..] else { panic!("four fields: {row}") };
        let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.parse().unwrap());
        let plies = match kind {
            "step" => depth,
            "turn_seq" => depth * 5,
            _ => continue,
        };
        if nodes > MOST && !deep || nodes > 5_000_000_000 {
            continue;
        }
        let pos = Locked::default().read_fen(fen).unwrap();
        assert_eq!(perft(&pos, plies), nodes, "{row}");
        checked += 1;
    }
    assert!(checked > 100, "the table was read: {checked}");
}

/// Positions at the same turn of the same side differ in their stones only.
type Placed = [Stones; 2];

/// The different positions one whole turn on; a side stuck in mid-turn has none.
fn turns(pos: &Locked, side: Side, out: &mut HashSet<Placed>) {
    if pos.turn() != side {
        out.insert(Side::BOTH.map(|s| pos.stones(s)));
        return;
    }
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    for m in moves {
        let mut next = *pos;
        next.play(m);
        turns(&next, side, out);
    }
}

/// `turn_move` counts the ways over different positions, `turn_pos` the positions at their ends.
#[test]
fn whole_turns() {
    let deep = std::env::var_os("QIGUAN_DEEP").is_some();
    let table =
        || include_str!("data/perft.csv").lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
    let of_turns = |row: &Vec<&str>| matches!(row[1], "turn_move" | "turn_pos");
    let starts: BTreeSet<&str> = table().filter(of_turns).map(|row| row[0]).collect();
    let mut checked = 0;
    for fen in starts {
        let start = Locked::default().read_fen(fen).unwrap();
        let mut ways: HashMap<Placed, u64> = HashMap::from([(Side::BOTH.map(|s| start.stones(s)), 1)]);
        let mut side = start.turn();
        for depth in 1..=if deep { 5 } else { 3 } {
            let known =
                |kind| table().find(|r| r[..3] == [fen, kind, &depth.to_string()]).map(|r| r[3].to_owned());
            let (moves, positions) = (known("turn_move"), known("turn_pos"));
            if moves.is_none() && positions.is_none() {
                break;
            }
            let mut next: HashMap<Placed, u64> = HashMap::new();
            let mut ends = HashSet::new();
            for (placed, ways) in ways {
                let pos = Locked::at(placed, side, Step::ShiftAll, None, None).unwrap();
                turns(&pos, side, &mut ends);
                for end in ends.drain() {
                    *next.entry(end).or_default() += ways;
                }
            }
            (ways, side) = (next, side.other());
            let found = (ways.values().sum::<u64>().to_string(), ways.len().to_string());
            assert!(moves.is_none_or(|n| n == found.0), "{fen} turn_move {depth}: {found:?}");
            assert!(positions.is_none_or(|n| n == found.1), "{fen} turn_pos {depth}: {found:?}");
            checked += 1;
        }
    }
    assert!(checked >= 24, "the table was read: {checked}");
}
