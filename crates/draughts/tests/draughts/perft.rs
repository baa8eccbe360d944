//! Move paths counted, against counts that independent generators agree on.

use crate::common::{KEYS, by_key};
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
    for line in include_str!("../data/perft.csv").lines().skip(1) {
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

/// The usual starts. dctl's tables (test/src/algo/traversal/initial), the first eight depths counted again by others.
const STARTS: &[(&str, &[u64])] = &[
    (
        "international",
        &[9, 81, 658, 4265, 27117, 167_140, 1_049_442, 6_483_961, 41_022_423, 258_895_763, 1_665_861_398],
    ),
    ("killer", &[9, 81, 658, 4265, 27117, 167_140, 1_049_442, 6_483_961, 41_022_423, 258_895_763]),
    ("frisian", &[9, 81, 658, 3874, 21265, 102_431, 540_126, 2_825_779, 15_605_069, 85_817_725, 491_186_430]),
    ("brazilian", &[7, 49, 302, 1469, 7473, 37628, 187_302, 907_830, 4_431_766, 21_560_022, 105_491_257]),
    ("school", &[7, 49, 302, 1469, 7473, 37628, 187_302, 907_830, 4_431_766, 21_560_022, 105_491_257]),
    ("russian", &[7, 49, 302, 1469, 7482, 37986, 190_146, 929_899, 4_570_586, 22_444_032, 110_917_189]),
    ("pool", &[7, 49, 302, 1469, 7482, 37986, 190_146, 929_896, 4_570_534, 22_435_955, 110_833_952]),
    ("english", &[7, 49, 302, 1469, 7361, 36768, 179_740, 845_931, 3_963_680, 18_391_564, 85_242_128]),
    ("czech", &[7, 49, 302, 1469, 7361, 36768, 179_740, 845_931, 3_963_671, 18_368_918, 84_967_210]),
    ("italian", &[7, 49, 302, 1469, 7361, 36473, 177_532, 828_783, 3_860_875, 17_761_384, 81_647_058]),
    ("spanish", &[7, 49, 302, 1469, 7361, 36473, 177_532, 828_783, 3_860_866, 17_743_464, 81_383_200]),
    ("canadian", &[11, 121, 1222, 10053, 79049, 584_100, 4_369_366, 31_839_056, 237_209_258]),
    ("frysk", &[9, 81, 657, 5329, 41829, 328_329, 2_572_197]),
    ("thai", &[7, 49, 392, 3136, 26592, 218_695, 1_820_189, 14_533_014]),
    ("turkish", &[8, 64, 708, 7538, 85090, 931_312, 10_782_308]),
];

/// Variants that differ from another one by their goal alone: their moves are counted there.
const OTHER_GOALS: &[&str] = &["breakthrough", "losing"];

#[test]
fn every_variant_has_counts() {
    for key in KEYS.iter().filter(|key| !OTHER_GOALS.contains(key)) {
        let counted = STARTS.iter().any(|(variant, _)| variant == key);
        assert!(
            counted,
            "{key} is new: add to STARTS, in this file, how many paths another program counts from its start, or to \
             OTHER_GOALS its key where only its goal is new"
        );
    }
}

#[test]
fn usual_starts() {
    let most = if deep() { u64::MAX } else { 1_100_000 };
    for (variant, counts) in STARTS {
        for (depth, &nodes) in (1..).zip(*counts).filter(|(_, nodes)| **nodes <= most) {
            assert_eq!(by_key!(*variant, count("", depth)), nodes, "{variant}, depth {depth}");
        }
    }
}

/// Positions that have made generators fail: long captures, many kings, promotion on every move.
#[test]
fn classics() {
    let most = if deep() { 100_000_000 } else { 1_400_000 };
    let woldouby = "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26";
    let tactics = "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24";
    let kings = "W:WK31-50:BK1-20";
    let promotion = "W:W6-10:B41-45";
    let rows: &[(&str, &str, &[u64])] = &[
        ("international", woldouby, &[6, 12, 30, 73, 215, 590, 1944, 6269, 22369, 88050, 377_436]),
        ("killer", woldouby, &[6, 12, 30, 73, 215, 590, 1944, 6269, 22369, 88043]),
        ("international", tactics, &[14, 55, 1168, 5432, 87195, 629_010, 9_041_010, 86_724_219]),
        ("killer", tactics, &[14, 55, 1168, 5165, 84326, 573_965]),
        ("international", kings, &[17, 79, 352, 1399, 7062, 37589, 217_575, 1_333_217]),
        ("international", promotion, &[9, 81, 795, 7578, 86351, 936_311, 11_448_262]),
    ];
    for (variant, fen, counts) in rows {
        for (depth, &nodes) in (1..).zip(*counts).filter(|(_, nodes)| **nodes <= most) {
            assert_eq!(by_key!(*variant, count(fen, depth)), nodes, "{variant} {fen}, depth {depth}");
        }
    }
}
