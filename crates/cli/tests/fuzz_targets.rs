//! The fuzz targets compiled by the stable compiler, and run on their seeds in `fuzz/seeds`.
//!
//! It would catch a target that no longer compiles or no longer holds, without a fuzzer: the seeds of a target, small
//! changes of them, and the seeds of all other targets. A finding of the fuzzer that is mended becomes a seed.
#![allow(unused_attributes)]
#![cfg(feature = "extensions")]

use std::panic::catch_unwind;
use std::path::Path;

use kernel::laws::Random;

// What targets call `libfuzzer_sys` is this file, and its macro makes a function of the target.
extern crate self as libfuzzer_sys;

macro_rules! fuzz_target {
    (|$bytes:ident: &[u8]| $body:block) => {
        pub(crate) fn run($bytes: &[u8]) {
            $body
        }
    };
    (|$text:ident: &str| $body:block) => {
        pub(crate) fn run(bytes: &[u8]) {
            let Ok($text) = std::str::from_utf8(bytes) else { return };
            $body
        }
    };
}
pub(crate) use fuzz_target;

macro_rules! targets {
    ($($name:ident $path:literal)*) => {
        $(#[path = $path]
        mod $name;)*

        const TARGETS: &[(&str, fn(&[u8]))] = &[$((stringify!($name), $name::run)),*];
    };
}

targets! {
    account "../../../fuzz/fuzz_targets/account.rs"
    address_range "../../../fuzz/fuzz_targets/address_range.rs"
    board_csv "../../../fuzz/fuzz_targets/board_csv.rs"
    boards "../../../fuzz/fuzz_targets/boards.rs"
    bus_message "../../../fuzz/fuzz_targets/bus_message.rs"
    ccbridge "../../../fuzz/fuzz_targets/ccbridge.rs"
    chess_save "../../../fuzz/fuzz_targets/chess_save.rs"
    dpxq "../../../fuzz/fuzz_targets/dpxq.rs"
    draughts_fen "../../../fuzz/fuzz_targets/draughts_fen.rs"
    dxp "../../../fuzz/fuzz_targets/dxp.rs"
    games "../../../fuzz/fuzz_targets/games.rs"
    gomocup "../../../fuzz/fuzz_targets/gomocup.rs"
    gomoku_fen "../../../fuzz/fuzz_targets/gomoku_fen.rs"
    gomoku_opening "../../../fuzz/fuzz_targets/gomoku_opening.rs"
    hook_returns "../../../fuzz/fuzz_targets/hook_returns.rs"
    hub "../../../fuzz/fuzz_targets/hub.rs"
    jingbanqi_map "../../../fuzz/fuzz_targets/jingbanqi_map.rs"
    locked_facade "../../../fuzz/fuzz_targets/locked_facade.rs"
    locked_fen "../../../fuzz/fuzz_targets/locked_fen.rs"
    locked_load "../../../fuzz/fuzz_targets/locked_load.rs"
    mail_address "../../../fuzz/fuzz_targets/mail_address.rs"
    map_cases "../../../fuzz/fuzz_targets/map_cases.rs"
    map_draft "../../../fuzz/fuzz_targets/map_draft.rs"
    names "../../../fuzz/fuzz_targets/names.rs"
    opening_book "../../../fuzz/fuzz_targets/opening_book.rs"
    pdn "../../../fuzz/fuzz_targets/pdn.rs"
    pgn "../../../fuzz/fuzz_targets/pgn.rs"
    pos "../../../fuzz/fuzz_targets/pos.rs"
    positions "../../../fuzz/fuzz_targets/positions.rs"
    psq "../../../fuzz/fuzz_targets/psq.rs"
    puzzle "../../../fuzz/fuzz_targets/puzzle.rs"
    quiet "../../../fuzz/fuzz_targets/quiet.rs"
    record_json "../../../fuzz/fuzz_targets/record_json.rs"
    record_text "../../../fuzz/fuzz_targets/record_text.rs"
    referee_line "../../../fuzz/fuzz_targets/referee_line.rs"
    renlib "../../../fuzz/fuzz_targets/renlib.rs"
    rif "../../../fuzz/fuzz_targets/rif.rs"
    safety_certificate "../../../fuzz/fuzz_targets/safety_certificate.rs"
    session "../../../fuzz/fuzz_targets/session.rs"
    sgf "../../../fuzz/fuzz_targets/sgf.rs"
    store_file "../../../fuzz/fuzz_targets/store_file.rs"
    study_notes "../../../fuzz/fuzz_targets/study_notes.rs"
    teacher "../../../fuzz/fuzz_targets/teacher.rs"
    trf "../../../fuzz/fuzz_targets/trf.rs"
    uci "../../../fuzz/fuzz_targets/uci.rs"
    wire_message "../../../fuzz/fuzz_targets/wire_message.rs"
    worker_answer "../../../fuzz/fuzz_targets/worker_answer.rs"
    xiangqi_fen "../../../fuzz/fuzz_targets/xiangqi_fen.rs"
    xiangqi_move "../../../fuzz/fuzz_targets/xiangqi_move.rs"
    xqf "../../../fuzz/fuzz_targets/xqf.rs"
}

/// Changes of each seed that are tried.
const CHANGES: u64 = 40;

/// Returns the seeds of a target, in the order of their names.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut seeds: Vec<_> = files
        .map(|file| {
            let path = file.expect("a readable folder").path();
            let name = format!("{target}/{}", path.file_name().unwrap_or_default().to_string_lossy());
            (name, std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
        })
        .collect();
    seeds.sort();
    seeds
}

/// Returns the bytes with some of them changed, taken out or doubled, as `number` decides.
fn changed(bytes: &[u8], number: u64) -> Vec<u8> {
    let mut random = Random(number);
    let mut next = move |most: usize| (random.bits() >> 11) as usize % most.max(1);
    let mut changed = bytes.to_vec();
    for _ in 0..=next(3) {
        let at = next(changed.len());
        match next(4) {
            0 => changed.truncate(at),
            1 => changed.splice(at..at, bytes.iter().copied().skip(next(bytes.len())).take(8)).for_each(drop),
            2 if !changed.is_empty() => changed[at] = next(256) as u8,
            _ if !changed.is_empty() => changed[at] ^= 1 << next(8),
            _ => {}
        }
    }
    changed
}

#[test]
fn every_target_holds_on_the_seeds() {
    let all: Vec<_> = TARGETS.iter().flat_map(|(target, _)| seeds(target)).collect();
    for (target, run) in TARGETS {
        let own = seeds(target);
        assert!(!own.is_empty(), "fuzz/seeds/{target} is empty: put a small input there");
        let changes = own.iter().flat_map(|(name, bytes)| {
            (0..CHANGES).map(move |number| (format!("{name}, change {number}"), changed(bytes, number)))
        });
        for (name, bytes) in all.iter().cloned().chain(changes) {
            if catch_unwind(|| run(&bytes)).is_err() {
                panic!("{target} fails on {name}: {:?}", String::from_utf8_lossy(&bytes));
            }
        }
    }
}

#[test]
fn every_target_is_in_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
    let files = std::fs::read_dir(folder).expect("a folder of targets");
    let mut there: Vec<String> = files
        .filter_map(|file| {
            file.expect("a readable folder").file_name().to_str()?.strip_suffix(".rs").map(str::to_owned)
        })
        .collect();
    there.sort();
    let listed: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    assert_eq!(listed, there, "targets! in this file names the files of fuzz/fuzz_targets in their order");
}
