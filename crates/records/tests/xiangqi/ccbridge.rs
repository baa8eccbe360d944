//! CBR and CBL, written here and read there.

use kernel::laws::Random;
use kernel::{Position, Side};
use records::{Format, Games, Record, Score, Tree, detect, read};
use xiangqi::Xiangqi;

use crate::random::{self, points, squares};

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// One game. Between the fields stands what programs leave there: anything.
pub fn encode(record: &Record, start: &Xiangqi, random: &mut Random) -> Vec<u8> {
    let mut file: Vec<u8> = (0..2214).map(|_| random.bits() as u8).collect();
    file[..16].copy_from_slice(b"CCBridge Record\0");
    file[52..2040].fill(0);
    for (at, text) in [
        (180, "标题"),
        (884, &record.date),
        (1012, &record.clock),
        (1076, &record.players[0]),
        (1300, &record.players[1]),
    ] {
        let text = utf16(text);
        file[at..at + text.len()].copy_from_slice(&text);
    }
    file[2080..2112].fill(0);
    file[2076] = match record.ending.as_ref().map(|e| e.score) {
        Some(Score::Win(Side::First)) => 1,
        Some(Score::Win(Side::Second)) => 2,
        Some(Score::Draw) => 3,
        _ => 0,
    };
    file[2112] = if start.turn() == Side::First { 1 } else { 2 };
    for (i, piece) in points(start).into_iter().enumerate() {
        file[2120 + i] = piece.map_or(0, |letter| {
            let kind = "rnbakcp".find(letter.to_ascii_lowercase()).expect("a piece") as u8 + 1;
            kind + if letter.is_ascii_uppercase() { 0x10 } else { 0x20 }
        });
    }
    let tree = &record.tree;
    for id in std::iter::once(Tree::START).chain(tree.in_order()) {
        let squares = if id == Tree::START {
            [0, 0]
        } else {
            squares(&tree[id].text).map(|(file, row)| row * 9 + file)
        };
        let comment = utf16(&tree[id].comment);
        let beside = tree.before(id).is_some_and(|before| tree.next(before).last() != Some(&id));
        let flags =
            u8::from(tree.next(id).is_empty()) | u8::from(beside) << 1 | u8::from(!comment.is_empty()) << 2;
        file.extend([flags, random.bits() as u8, squares[0], squares[1]]);
        if !comment.is_empty() {
            file.extend((comment.len() as u32).to_le_bytes());
            file.extend(comment);
        }
    }
    file
}

fn sample(seed: u64) -> (Record, Vec<u8>) {
    let random = &mut Random(seed);
    let (mut record, start) = random::record(random, !seed.is_multiple_of(10));
    record.tag("Title", "标题");
    let file = encode(&record, &start, random);
    (record, file)
}

#[test]
fn a_game_is_read() {
    for seed in 1..=200 {
        let (record, file) = sample(seed);
        assert_eq!(detect(&file), Some(Format::Cbr));
        assert_eq!(read(Format::Cbr, &file).as_ref(), Ok(&record), "seed {seed}");
    }
}

#[test]
fn a_library_is_read_game_by_game() {
    let places = 140_u32;
    let mut file = vec![0_u8; 66_624 + 276 * places as usize];
    file[..16].copy_from_slice(b"CCBridgeLibrary\0");
    file[60..64].copy_from_slice(&places.to_le_bytes());
    assert_eq!(read(Format::Cbl, &file).unwrap_err().key, "cbl-empty");
    assert_eq!(Games::new(Format::Cbl, &file[..]).count(), 0);
    let mut wanted = Vec::new();
    for seed in 1..=9 {
        let (mut record, start) = random::record(&mut Random(seed), true);
        if seed == 4 {
            // More than one block holds.
            record.tree[Tree::START].comment = "长".repeat(5000);
        }
        record.tag("Title", "标题");
        file.extend(encode(&record, &start, &mut Random(seed)));
        let blocks = (file.len() - 66_624 - 276 * places as usize).div_ceil(4096);
        file.resize(66_624 + 276 * places as usize + 4096 * blocks, 0xCC);
        wanted.push(record);
    }
    assert_eq!(detect(&file), Some(Format::Cbl));
    let games: Result<Vec<Record>, _> = Games::new(Format::Cbl, &file[..]).collect();
    assert_eq!(games.as_ref(), Ok(&wanted));
    assert_eq!(read(Format::Cbl, &file).as_ref(), Ok(&wanted[0]));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let (_, good) = sample(7);
    let with = |at: usize, bytes: &[u8]| {
        let mut file = good.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    for (format, file, wanted) in [
        (Format::Cbr, b"CCB".to_vec(), "cbr-not-one"),
        (Format::Cbr, good[..2000].to_vec(), r#"cbr-cut byte="2000""#),
        (Format::Cbr, good[..2216].to_vec(), r#"cbr-cut byte="2214""#),
        (Format::Cbr, with(2125, &[0x18]), r#"cbr-piece byte="2125""#),
        (Format::Cbr, with(2214, &[4, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]), r#"cbr-cut byte="2222""#),
        (Format::Cbr, with(2214, &[0, 0, 0, 0, 1, 0, 90, 0]), r#"cbr-point byte="2218""#),
        (Format::Cbl, good.clone(), "cbl-not-one"),
    ] {
        assert_eq!(read(format, &file).map_err(|e| e.to_string()).err().as_deref(), Some(wanted));
    }
    let mut endless = vec![0xFF_u8; 66_624];
    endless[..16].copy_from_slice(b"CCBridgeLibrary\0");
    assert_eq!(read(Format::Cbl, &endless).unwrap_err().key, "record-limit");
}
