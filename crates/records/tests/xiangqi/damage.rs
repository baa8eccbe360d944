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
            (Format::Xqf, write(Format::Xqf, &record).unwrap()),
            (Format::Dpxq, write(Format::Dpxq, &record).unwrap()),
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

/// One byte of a hundred is another one, is left out or stands twice, in every encoding that such files have. Each
/// game that begins is read, cut or refused: what comes out adds up to what was put in, as long as its first line is
/// whole.
#[test]
fn of_a_damaged_file_every_game_is_told() {
    for seed in 1..=40 {
        let random = &mut Random(seed);
        let mut file = Vec::new();
        let count = 12;
        for _ in 0..count {
            let (mut record, _) = random::record(random, true);
            record.tags.insert("Event".to_owned(), "全国象棋个人赛".to_owned());
            let text = String::from_utf8(write(Format::Pgn, &record).unwrap()).unwrap();
            let encoding = [encoding_rs::UTF_8, encoding_rs::GB18030, encoding_rs::BIG5][random.below(3)];
            let (head, rest) = text.split_once('\n').unwrap();
            file.extend(format!("\n{head}\n").bytes());
            for byte in encoding.encode(rest).0.iter().copied() {
                // Brackets and quotes at the beginning of a line begin games; they stay.
                match random.below(300) {
                    0 if !matches!(byte, b'[' | b'\n' | b'{' | b'}') => {
                        file.push(0x20 + random.below(95) as u8)
                    }
                    1 if !matches!(byte, b'[' | b'\n' | b'{' | b'}') => {}
                    2 if !matches!(byte, b'[' | b'{') => file.extend([byte, byte]),
                    _ => file.push(byte),
                }
            }
            file.push(b'\n');
        }
        let mut games = Games::new(Format::Pgn, &file[..]).keeping();
        let (mut read, mut cut, mut refused) = (0, 0, 0);
        while let Some(game) = games.next() {
            match (game, games.fault()) {
                (Ok(_), None) => read += 1,
                (Ok(record), Some(_)) => {
                    assert!(record.tags.contains_key("Cut"), "seed {seed}");
                    cut += 1;
                }
                (Err(_), _) => refused += 1,
            }
        }
        assert!(
            read + cut + refused >= count,
            "seed {seed}: {read} read, {cut} cut, {refused} refused of {count}"
        );
    }
}
