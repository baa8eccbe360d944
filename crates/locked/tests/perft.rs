//! Known counts, from the recorded facts of the reference program (tests/data/perft.csv).

use kernel::Notation;
use kernel::perft::perft;
use locked::Locked;

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
