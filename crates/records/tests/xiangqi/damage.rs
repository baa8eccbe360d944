//! Damaged files are read or refused; nothing panics, and what was read is within the limits.

use kernel::laws::Random;
use records::{Format, Games, read, write};

use crate::{ccbridge, dpxq, random, xqf};

#[test]
fn damaged_files_are_read_or_refused() {
    let save = include_bytes!("../data/xiangqi/second-game.chess");
    for seed in 1..=60 {
        let random = &mut Random(seed);
        let (record, start) = random::record(random, true);
        let files = [
            (Format::Xqf, xqf::encode(&record, &start, [10, 18][random.below(2)], random)),
            (Format::Cbr, ccbridge::encode(&record, &start, random)),
            (Format::Dpxq, dpxq::encode(&record, &start).into_bytes()),
            (Format::Pgn, write(Format::Pgn, &record).unwrap()),
            (Format::Chess, save.to_vec()),
        ];
        for (format, good) in files {
            for _ in 0..20 {
                let mut file = good.clone();
                for _ in 0..1 + random.below(4) {
                    let at = random.below(file.len());
                    match random.below(4) {
                        0 => file.truncate(at.max(8)),
                        1 => drop(file.remove(at)),
                        2 => file[at] = random.bits() as u8,
                        _ => file[at] ^= 1 << random.below(8),
                    }
                }
                if let Ok(record) = read(format, &file) {
                    let text = write(Format::Json, &record).expect("within the limits");
                    assert_eq!(read(Format::Json, &text).as_ref(), Ok(&record), "seed {seed}, {format:?}");
                    let _ = write(Format::Pgn, &record);
                }
                let _ = Games::new(format, &file[..]).count();
            }
        }
    }
}
