//! XQF of every version, written here and read there.

use encoding_rs::GB18030;
use kernel::Side;
use kernel::laws::Random;
use records::{Format, NodeId, Record, Score, Tree, detect, read};
use xiangqi::Xiangqi;

use crate::random::{self, places, squares};

pub fn gbk(text: &str) -> Vec<u8> {
    GB18030.encode(text).0.into_owned()
}

/// The keys with which versions from 1.1 on scramble.
struct Keys {
    piece: u8,
    from: u8,
    to: u8,
    comment: u32,
    stream: Vec<u8>,
}

/// A file with random keys. The moves are listed as the format wants: a move, all behind it, all beside it.
pub fn encode(record: &Record, start: &Xiangqi, version: u8, random: &mut Random) -> Vec<u8> {
    let mut file = vec![0_u8; 0x400];
    file[..3].copy_from_slice(&[b'X', b'Q', version]);
    let scrambled = version > 10;
    let mut keys = Keys { piece: 0, from: 0, to: 0, comment: 0, stream: vec![0; 32] };
    if scrambled {
        file[3..16].fill_with(|| random.bits() as u8);
        let power = |x: u8| (u32::from(x).pow(2) * 54 + 221) % 256;
        let product = |x: u8, y: u8| ((power(x) * u32::from(y)) % 256) as u8;
        keys.piece = product(file[13], file[13]);
        keys.from = product(file[14], keys.piece);
        keys.to = product(file[15], keys.from);
        keys.comment = (u32::from(file[12]) * 256 + u32::from(file[13])) % 32000 + 767;
        let secret = b"[(C) Copyright Mr. Dong Shiwei.]";
        keys.stream = (0..32).map(|i| secret[i] & (file[8 + i % 4] | (file[12 + i % 4] & file[3]))).collect();
    }
    let shift = if version >= 12 { usize::from(keys.piece) + 1 } else { 0 };
    for (i, place) in places(start).into_iter().enumerate() {
        let number = place.map_or(0xFF, |at| (at % 9 * 10 + (9 - at / 9)) as u8);
        file[16 + (i + 320 - shift) % 32] = number.wrapping_add(keys.piece);
    }
    file[50] = u8::from(kernel::Position::turn(start) == Side::Second);
    file[51] = match record.ending.as_ref().map(|e| e.score) {
        Some(Score::Win(Side::First)) => 1,
        Some(Score::Win(Side::Second)) => 2,
        Some(Score::Draw) => 3,
        _ => 0,
    };
    for (at, size, text) in [
        (0x50, 64, record.tags.get("Title").map_or("", String::as_str)),
        (0x110, 16, &record.date),
        (0x130, 16, &record.players[0]),
        (0x140, 16, &record.players[1]),
        (0x150, 64, &record.clock),
    ] {
        let text = gbk(text);
        assert!(text.len() < size);
        file[at] = text.len() as u8;
        file[at + 1..at + 1 + text.len()].copy_from_slice(&text);
    }
    let tree = &record.tree;
    let mut clear = Vec::new();
    push(&mut clear, &keys, scrambled, [24, 32], tree, Tree::START, false);
    for id in tree.in_order() {
        let [from, to] = squares(&tree[id].text).map(|(file, row)| file * 10 + 9 - row);
        let square =
            [from.wrapping_add(24).wrapping_add(keys.from), to.wrapping_add(32).wrapping_add(keys.to)];
        let siblings = tree.next(tree.before(id).expect("a move"));
        let beside = siblings.last() != Some(&id);
        push(&mut clear, &keys, scrambled, square, tree, id, beside);
    }
    file.extend(clear.iter().enumerate().map(|(i, byte)| byte.wrapping_add(keys.stream[i % 32])));
    file
}

fn push(
    out: &mut Vec<u8>,
    keys: &Keys,
    scrambled: bool,
    square: [u8; 2],
    tree: &Tree,
    id: NodeId,
    beside: bool,
) {
    let follows = !tree.next(id).is_empty();
    let comment = gbk(&tree[id].comment.replace('\n', "\r\n"));
    let flag = |set: bool, bits: u8| if set { bits } else { 0 };
    let flags = if scrambled {
        // The five lower bits mean nothing.
        flag(follows, 0x80) | flag(beside, 0x40) | flag(!comment.is_empty(), 0x20) | 0x15
    } else {
        flag(follows, 0xF0) | flag(beside, 0x0F)
    };
    out.extend([square[0], square[1], flags, 0]);
    if !scrambled || !comment.is_empty() {
        out.extend((comment.len() as u32 + keys.comment).to_le_bytes());
    }
    out.extend(comment);
}

#[test]
fn what_was_written_is_read_in_every_version() {
    for seed in 1..=300 {
        let random = &mut Random(seed);
        let (mut record, start) = random::record(random, !seed.is_multiple_of(10));
        record.tag("Title", "仙人指路");
        record.clock = "60分钟".to_owned();
        let version = [10, 11, 12, 16, 18, 19][random.below(6)];
        let file = encode(&record, &start, version, random);
        assert_eq!(detect(&file), Some(Format::Xqf));
        assert_eq!(read(Format::Xqf, &file).as_ref(), Ok(&record), "seed {seed}, version {version}");
    }
}

/// The example at the end of the author's description of XQF 1.0, byte by byte: 柳大华 against 吕钦, 1997.
#[test]
fn the_example_of_the_description() {
    let mut file = vec![0_u8; 0x400];
    file[..3].copy_from_slice(b"XQ\x0A");
    file[16..48].copy_from_slice(&[
        0x50, 0x46, 0x3C, 0x32, 0x28, 0x1E, 0x14, 0x0A, 0x00, 0x48, 0x0C, 0x53, 0x3F, 0x2B, 0x17, 0x03, 0x09,
        0x13, 0x1D, 0x27, 0x31, 0x3B, 0x45, 0x4F, 0x59, 0x11, 0x4D, 0x06, 0x1A, 0x2E, 0x42, 0x56,
    ]);
    file[0x33] = 2;
    file[0x110..0x11F].copy_from_slice(b"\x0E1997\xC4\xEA11\xD4\xC216\xC8\xD5");
    file[0x130..0x137].copy_from_slice(b"\x06\xC1\xF8\xB4\xF3\xBB\xAA");
    file[0x140..0x147].copy_from_slice(b"\x06\xC2\xC0  \xC7\xD5");
    let moves = [
        0x1820, 0x2F38, 0x6763, 0x5760, 0x293B, 0x2C4A, 0x2B27, 0x2236, 0x2133, 0x182A, 0x2B2F, 0x2422,
        0x276B, 0x606D, 0x336D, 0x5E5E, 0x716F,
    ];
    for (i, [from, to]) in moves.map(u16::to_be_bytes).into_iter().enumerate() {
        let more = if i + 1 < moves.len() { 0xF0 } else { 0 };
        file.extend([from, to, more, if i == 0 { 0xFF } else { 0 }, 0, 0, 0, 0]);
    }
    let record = read(Format::Xqf, &file).unwrap();
    assert_eq!((record.players[0].as_str(), record.players[1].as_str()), ("柳大华", "吕  钦"));
    assert_eq!((record.date.as_str(), &record.start), ("1997-11-16", &None));
    assert_eq!(record.ending.as_ref().map(|e| e.score), Some(Score::Win(Side::Second)));
    let line: Vec<&str> = record.tree.main_line().map(|id| record.tree[id].text.as_str()).collect();
    assert_eq!(
        line.join(" "),
        "c3c4 h9g7 g3g4 b7c7 c0e2 b9a7 b0c2 a9b9 a0b0 b9b5 b2a2 b5h5 h2h7 c7h7 h0g2 i9h9"
    );
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let (record, start) = random::record(&mut Random(7), true);
    let good = encode(&record, &start, 10, &mut Random(1));
    let with = |at: usize, bytes: &[u8]| {
        let mut file = good.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    for (file, wanted) in [
        (b"XQ".to_vec(), r#"xqf-not-one"#),
        (b"XQ\x0A\0\0".to_vec(), r#"xqf-cut byte="5""#),
        (b"QX\x0A".to_vec(), "xqf-not-one"),
        (good[..0x402].to_vec(), r#"xqf-cut byte="1026""#),
        (with(16, &[9, 9]), r#"xqf-two-on-one byte="17""#),
        (with(0x400, &[24, 32, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]), r#"xqf-comment byte="1028""#),
        (
            with(0x400, &[24, 32, 0xF0, 0, 0, 0, 0, 0, 24 + 90, 32, 0, 0, 0, 0, 0, 0]),
            r#"xqf-point byte="1032""#,
        ),
    ] {
        assert_eq!(read(Format::Xqf, &file).map_err(|e| e.to_string()).err().as_deref(), Some(wanted));
    }
}

/// A record that was written reads back the same, variations and remarks included, and a name that is too long is cut
/// between two signs.
#[test]
fn what_we_write_comes_back() {
    for seed in 1..=200 {
        let random = &mut Random(seed);
        let (mut record, _) = random::record(random, !seed.is_multiple_of(10));
        record.tag("Title", "仙人指路");
        let file = records::write(Format::Xqf, &record).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert_eq!(detect(&file), Some(Format::Xqf));
        assert_eq!(read(Format::Xqf, &file).as_ref(), Ok(&record), "seed {seed}");
    }
    let mut record = random::record(&mut Random(1), true).0;
    record.players[0] = "象棋大师柳大华先生".to_owned();
    let back = read(Format::Xqf, &records::write(Format::Xqf, &record).unwrap()).unwrap();
    assert_eq!(back.players[0], "象棋大师柳大华");
}

/// Texts in other encodings than GBK are read as what they are: all of a file together tell which.
#[test]
fn texts_in_other_encodings() {
    let mut file = records::write(Format::Xqf, &random::record(&mut Random(3), true).0).unwrap();
    for (encoding, name, title) in [
        (encoding_rs::BIG5, "黃海林", "中炮對屏風馬"),
        (encoding_rs::WINDOWS_1258, "Nguyên", "Pháo và xe"),
        (encoding_rs::UTF_8, "李来群", "中炮对屏风马"),
        (encoding_rs::WINDOWS_1251, "Иванов", "Красные начинают"),
    ] {
        let mut put = |at: usize, size: usize, text: &str| {
            let bytes = encoding.encode(text).0;
            file[at..at + size].fill(0);
            file[at] = bytes.len() as u8;
            file[at + 1..at + 1 + bytes.len()].copy_from_slice(&bytes);
        };
        put(0x130, 16, name);
        put(0x140, 16, "");
        put(0x110, 16, "");
        put(0x150, 64, "");
        put(0x50, 64, title);
        file.truncate(0x400 + 8);
        file[0x402] = 0;
        file[0x404..0x408].fill(0);
        let record = read(Format::Xqf, &file).unwrap();
        assert_eq!((record.players[0].as_str(), record.tags["Title"].as_str()), (name, title));
    }
}
