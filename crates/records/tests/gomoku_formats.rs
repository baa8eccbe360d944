//! Gomoku's files: what other programs write is read, and what we write is read back.

use gomoku::{Gomoku, Rule};
use kernel::{AnyGame, Notation, any, laws::Random};
use records::{Format, Games, NodeId, Ply, Record, Tree, detect, pos, read, write};

fn moves(record: &Record) -> String {
    record.tree.main_line().map(|id| record.tree[id].text.as_str()).collect::<Vec<_>>().join(" ")
}

fn refused(format: Format, bytes: &[u8]) -> String {
    read(format, bytes).expect_err("it is refused").to_string()
}

/// Plays the main line as the catalogue would.
fn replay(record: &Record) -> Box<dyn AnyGame> {
    let rule = Rule::keyed(record.game.strip_prefix("gomoku/").unwrap()).unwrap();
    let usual = Gomoku::usual(rule);
    let usual = if record.options.contains_key("passes") { usual.with_passes() } else { usual };
    let start = record.start.as_ref().map_or(usual.clone(), |fen| usual.read_fen(fen).unwrap());
    record.replay(any(start)).unwrap()
}

#[test]
fn psq_as_piskvork_writes_it() {
    let file = "Piskvorky 20x20, 11:11, 0\n10,10,0\n11,9,1520\n20,1,3\npbrain-one.exe\n棋士.zip\n15\n";
    assert_eq!(detect(file.as_bytes()), Some(Format::Psq));
    let record = read(Format::Psq, file.as_bytes()).unwrap();
    assert_eq!((moves(&record).as_str(), record.start.as_deref()), ("j11 k12 t20", None));
    assert_eq!(record.players, ["pbrain-one.exe", "棋士.zip"]);
    let spent: Vec<_> = record.tree.main_line().map(|id| record.tree[id].spent_ms).collect();
    assert_eq!(spent, [None, Some(1520), Some(3)], "a move of no time was set, not thought about");
    assert_eq!(replay(&record).plies(), 3);

    let swapped = "Piskvorky 15x16, 0:0, 1\r\n1,16\r\none\r\ntwo\r\n0\r\n";
    let record = read(Format::Psq, swapped.as_bytes()).unwrap();
    assert_eq!(record.players, ["two", "one"], "who began is Black");
    assert_eq!((moves(&record).as_str(), replay(&record).board().ranks), ("a1", 16));
    let alone = read(Format::Psq, b"Piskvorky 5x5, 0:0, 0\n1,1,0\n-1\n").unwrap();
    assert_eq!(alone.players, ["", ""], "a number alone is no name");
}

#[test]
fn psq_refused() {
    for (file, problem) in [
        ("Piskvorky 20, 1:1, 0\n", "psq-head found=\"Piskvorky 20, 1:1, 0\""),
        ("", "psq-head found=\"\""),
        ("Piskvorky 30x30, 1:1, 0\n", "gomoku-size files=\"30\" ranks=\"30\" least=\"5\" most=\"26\""),
        ("Piskvorky 15x15, 1:1, 0\n8,8,0\n16,1,0\n", "psq-point line=\"3\" found=\"16,1,0\""),
        ("Piskvorky 15x15, 1:1, 0\n0,1,0\n", "psq-point line=\"2\" found=\"0,1,0\""),
    ] {
        assert_eq!(refused(Format::Psq, file.as_bytes()), problem, "{file}");
    }
    let mut record = Record { game: "locked".to_owned(), ..Record::default() };
    assert_eq!(write(Format::Psq, &record).unwrap_err().key, "psq-game");
    record.game = "gomoku/renju".to_owned();
    record.tree.add(Tree::START, Ply { text: "pass".to_owned(), ..Ply::default() });
    assert_eq!(write(Format::Psq, &record).unwrap_err().key, "psq-move");
    record.start = Some("5/5/2b2/5/5 w".to_owned());
    assert_eq!(write(Format::Psq, &record).unwrap_err().key, "psq-start");
}

/// `78` is h8: file 8 in the low half, row 7 from the top in the high one.
const LIBRARY: &[u8] = b"\xffRenLib\xff\x03\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\
    \x78\x00\
    \x68\x88good\x00\x00\
    \x69\x51\x00\x01A\x00\
    \x67\x09\x00\x01odd\x00ab\x00\x00\
    \x00\x40";

#[test]
fn lib_as_renlib_writes_it() {
    assert_eq!(detect(LIBRARY), Some(Format::Lib));
    let record = read(Format::Lib, LIBRARY).unwrap();
    let told: Vec<(String, &str)> = record
        .tree
        .in_order()
        .map(|id| {
            let path = std::iter::successors(Some(id), |&id| record.tree.before(id)).count() - 1;
            (format!("{path} {}", record.tree[id].text), record.tree[id].comment.as_str())
        })
        .collect();
    let expected =
        [("1 h8", ""), ("2 h9", "good"), ("3 i9", "[mark]\n[A]"), ("2 g9", "[ab]\nodd"), ("3 pass", "")];
    assert_eq!(told, expected.map(|(place, comment)| (place.to_owned(), comment)));
    assert_eq!(record.game, "gomoku/renju");
    let again = write(Format::Lib, &record).unwrap();
    assert_eq!(again[..20], LIBRARY[..20]);
    assert_eq!(again[20..22], [0, 0], "we write a root, where remarks on the start have their place");
    assert_eq!(again[22..], LIBRARY[20..], "everything else is byte for byte the same");

    let old = [&LIBRARY[..20], b"\x00\x08hello\x00", &LIBRARY[20..]].concat();
    let old = read(Format::Lib, &old).unwrap();
    assert_eq!(old.tree[Tree::START].comment, "hello", "older files have a root");
    assert_eq!(old.tree.plies(), record.tree.plies());
    let chinese = [&LIBRARY[..20], b"\x78\x48\xba\xc3\x00\x00"].concat();
    let chinese = read(Format::Lib, &chinese).unwrap();
    assert_eq!(
        chinese.tree.main_line().map(|id| chinese.tree[id].comment.as_str()).next(),
        Some("好"),
        "GBK"
    );
}

#[test]
fn lib_refused() {
    let with = |tail: &[u8]| [&LIBRARY[..20], tail].concat();
    for (bytes, problem) in [
        (LIBRARY[..19].to_vec(), "lib-head"),
        (with(b""), "lib-end byte=\"20\""),
        (with(b"\x78\x48abc"), "lib-end byte=\"25\""),
        (with(b"\xf1\x40"), "lib-point byte=\"21\" found=\"f1\""),
        (with(b"\x70\x40"), "lib-point byte=\"21\" found=\"70\""),
    ] {
        assert_eq!(refused(Format::Lib, &bytes), problem, "{bytes:02x?}");
    }
    let mut record = Record { game: "gomoku/freestyle".to_owned(), ..Record::default() };
    assert_eq!(write(Format::Lib, &record).unwrap_err().to_string(), "lib-board side=\"15\"");
    record.game = "gomoku/renju".to_owned();
    record.tree.add(Tree::START, Ply { text: "p1".to_owned(), ..Ply::default() });
    assert_eq!(write(Format::Lib, &record).unwrap_err().to_string(), "lib-move move=\"p1\"");
    record.game = "locked".to_owned();
    assert_eq!(write(Format::Lib, &record).unwrap_err().to_string(), "lib-game found=\"locked\"");
}

#[test]
fn position_strings() {
    for (text, played, files) in [
        ("h8i9j10", "h8 i9 j10", 15),
        ("H8 i9\n\tJ10\n", "h8 i9 j10", 15),
        ("a1t20", "a1 t20", 20),
        ("z26--", "z26 pass", 26),
        ("", "", 15),
    ] {
        let record = read(Format::Pos, text.as_bytes()).unwrap();
        assert_eq!(moves(&record), played, "{text}");
        let start = Gomoku::usual(Rule::Freestyle);
        let start = record.start.as_ref().map_or(start.clone(), |fen| start.read_fen(fen).unwrap());
        assert_eq!(start.files(), files, "{text}");
    }
    for (text, problem) in [
        ("h8i", "pos-point found=\"i\""),
        ("h8 27", "pos-point found=\"27\""),
        ("h0", "pos-point found=\"h0\""),
        ("h27", "pos-point found=\"h27\""),
        ("a99999999999999999999", "pos-point found=\"a99999999999999999999\""),
        ("五5", "pos-point found=\"五5\""),
    ] {
        assert_eq!(refused(Format::Pos, text.as_bytes()), problem, "{text}");
    }
    assert_eq!(detect(b"h8i9j10\n"), Some(Format::Pos));
    assert_eq!(detect(b"hello"), None);
    let games: Result<Vec<_>, _> = Games::new(Format::Pos, &b"h8i9\n\nh8h9\n"[..]).collect();
    assert_eq!(games.unwrap().iter().map(moves).collect::<Vec<_>>(), ["h8 i9", "h8 h9"]);
}

#[test]
fn openings_of_gomocup() {
    let line = "-2,-1, 0,3, 1,1";
    assert_eq!(detect(line.as_bytes()), Some(Format::Opening));
    assert_eq!(moves(&read(Format::Opening, line.as_bytes()).unwrap()), "i11 k7 l9", "centre 10,10 of 20x20");
    let board = Gomoku::usual(Rule::Standard).board();
    assert_eq!(pos::opening_on(&board, line).unwrap().join(" "), "f9 h5 i7", "centre 7,7 of 15x15");
    for (line, problem) in [
        ("1,2, 3", "opening-odd found=\"3\""),
        ("1,x", "opening-number found=\"x\""),
        ("1,99", "opening-number found=\"99\""),
        ("8,0", "opening-off-board found=\"8,0\""),
        ("0,-8", "opening-off-board found=\"0,-8\""),
    ] {
        assert_eq!(pos::opening_on(&board, line).unwrap_err().to_string(), problem, "{line}");
    }
    let games: Result<Vec<_>, _> = Games::new(Format::Opening, &b"0,0, 1,1\n2,2, 3,3\n"[..]).collect();
    assert_eq!(games.unwrap().len(), 2);
    let record = Record { game: "gomoku/freestyle".to_owned(), ..Record::default() };
    assert_eq!(write(Format::Opening, &record).unwrap_err().key, "record-read-only");
}

#[test]
fn sgf_of_every_rule() {
    for (rule, game) in [
        ("0", "freestyle"),
        ("1", "standard"),
        ("2", "renju"),
        ("4", "renju"),
        ("Renju", "renju"),
        ("8", "caro"),
        ("9", "caro-exact"),
    ] {
        let file = format!("(;GM[4]SZ[15]RU[{rule}];B[hh];W[ii])");
        let record = read(Format::Sgf, file.as_bytes()).unwrap();
        assert_eq!((moves(&record), record.game), ("h8 i7".to_owned(), format!("gomoku/{game}")));
    }
    let record = read(Format::Sgf, b"(;GM[4]RU[4];B[hh];W[];B[tt])").unwrap();
    assert_eq!(moves(&record), "h8 pass pass");
    assert_eq!(replay(&record).outcome().unwrap().reason(), "two-passes");
    let again = write(Format::Sgf, &record).unwrap();
    assert!(String::from_utf8(again.clone()).unwrap().contains(";B[hh];W[];B[]"));
    assert_eq!(read(Format::Sgf, &again).unwrap(), record);
    assert_eq!(refused(Format::Sgf, b"(;GM[4]SZ[20];B[tu])").split(' ').next(), Some("sgf-point"));
}

const REMARKS: [&str; 6] =
    ["good", "[A]", "[mark]\n[12]\ntwo\nlines", "看这里", "[mark]", "[not a text\n[B]"];

/// Random trees on the boards that each format has.
#[test]
fn round_trips() {
    for seed in 1..=300 {
        let random = &mut Random(seed);
        let mut record = Record { game: "gomoku/renju".to_owned(), ..Record::default() };
        let mut ids: Vec<NodeId> = vec![Tree::START];
        for _ in 0..random.below(60) {
            let at = ids[if random.below(3) > 0 { ids.len() - 1 } else { random.below(ids.len()) }];
            let text = format!("{}{}", char::from(b'a' + random.below(15) as u8), 1 + random.below(15));
            ids.push(record.tree.add(at, Ply { text, ..Ply::default() }));
            if random.below(3) == 0 {
                let id = ids[random.below(ids.len())];
                record.tree[id].comment = REMARKS[random.below(REMARKS.len())].to_owned();
            }
        }
        check(Format::Lib, &record, seed);

        let mut line = Record { game: "gomoku/freestyle".to_owned(), ..Record::default() };
        line.players = ["one", "二"].map(str::to_owned);
        let mut last = Tree::START;
        for _ in 0..random.below(40) {
            let text = format!("{}{}", char::from(b'a' + random.below(20) as u8), 1 + random.below(20));
            let spent_ms = Some(random.below(9000) as u64).filter(|&ms| ms > 0);
            last = line.tree.add(last, Ply { text, spent_ms, ..Ply::default() });
        }
        check(Format::Psq, &line, seed);
        let text = write(Format::Pos, &line).unwrap();
        assert_eq!(moves(&read(Format::Pos, &text).unwrap()), moves(&line), "seed {seed}");
    }
}

fn check(format: Format, record: &Record, seed: u64) {
    let bytes = write(format, record).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    assert_eq!(detect(&bytes), Some(format), "seed {seed}");
    let back = read(format, &bytes).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    assert_eq!(&back, record, "seed {seed}: {format:?}");
    assert_eq!(write(format, &back), Ok(bytes), "seed {seed}: writing again changes nothing");
}

#[test]
fn damaged_files_never_panic() {
    let rounds = if std::env::var_os("QIGUAN_DEEP").is_some() { 200_000 } else { 4_000 };
    let mut random = Random(8);
    let psq = "Piskvorky 15x15, 11:11, 1\n1,1,0\n11,9,1520\none\n2,2\n0\n".as_bytes();
    for (format, file) in [
        (Format::Psq, psq),
        (Format::Lib, LIBRARY),
        (Format::Pos, b"h8i9--j10a20"),
        (Format::Opening, b"-2,-1, 0,3, 1,1\n"),
    ] {
        let mut read_back = 0;
        for _ in 0..rounds {
            let bytes = damaged(file, &mut random);
            let _ = detect(&bytes);
            let Ok(record) = read(format, &bytes) else { continue };
            let format = if format == Format::Opening { Format::Pos } else { format };
            let written = write(format, &record).unwrap_or_else(|e| panic!("{e}: {bytes:02x?}"));
            let again = read(format, &written).unwrap_or_else(|e| panic!("{e}: {bytes:02x?}"));
            assert_eq!(again.tree, record.tree, "{bytes:02x?}\n{written:02x?}");
            read_back += 1;
        }
        assert!(read_back > rounds / 50, "some damage can be read: {format:?} {read_back}");
    }
}

fn damaged(file: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() + 1);
        let to = (at + random.below(6)).min(bytes.len());
        match random.below(4) {
            0 => drop(bytes.drain(at..to)),
            1 => bytes.splice(at..at, bytes[at..to].to_vec()).for_each(drop),
            2 => bytes.insert(at, b"0123456789abhz,-\n \x00\x40\x80\xff[]"[random.below(24)]),
            _ => bytes.splice(at..to, [random.bits() as u8]).for_each(drop),
        }
    }
    bytes
}

/// Libraries as RenLib really writes them: without a head, saved in part, with comments of every age.
#[test]
fn libraries_as_renlib_writes_them() {
    let head = b"\xffRenLib\xff\x03\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    let with_head = |rest: &[u8]| [&head[..], rest].concat();
    let line = |record: &Record| {
        let texts: Vec<&str> = record.tree.main_line().map(|id| record.tree[id].text.as_str()).collect();
        texts.join(" ")
    };
    let comment = |record: &Record| record.tree[record.tree.main_line().next().unwrap()].comment.clone();
    let headless = read(Format::Lib, b"\x78\x00\x68\x80\x69\x40\x69\x00\x89\x40").unwrap();
    assert_eq!((line(&headless).as_str(), headless.tree.plies()), ("h8 h9 i9", 5));
    let open = read(Format::Lib, &with_head(b"\x78\x00\x68\x00\x69\x00")).unwrap();
    assert_eq!(line(&open), "h8 h9 i9", "no final 40");
    let dangling = read(Format::Lib, &with_head(b"\x78\x00\x68\x00\x69\xc0")).unwrap();
    assert_eq!(line(&dangling), "h8 h9 i9", "a last 80 that promises nothing");
    let old = read(Format::Lib, &with_head(b"\x78\x20good mov\xe5\x00\x68\x40")).unwrap();
    assert_eq!((line(&old).as_str(), comment(&old).as_str()), ("h8 h9", "good move"));
    let parts = read(Format::Lib, &with_head(b"\x78\x08one\x08two\r\nthree\x00\x00\x68\x40")).unwrap();
    assert_eq!(comment(&parts), "one\ntwo\nthree");
    let extended = read(Format::Lib, &with_head(b"\x78\x01\x00\x00\x68\x40")).unwrap();
    assert_eq!(line(&extended), "h8 h9", "extension bits without a text");
    let cyrillic =
        with_head(b"\x78\x08\xc1\xe5\xeb\xfb\xe5 \xe2\xfb\xe8\xe3\xf0\xfb\xe2\xe0\xfe\xf2\x00\x00\x68\x40");
    assert!(comment(&read(Format::Lib, &cyrillic).unwrap()).starts_with("Белые"));
}

/// SGF and PSQ as they are met: points as people write them, other rules, an encoding that is named, what stands
/// around.
#[test]
fn odd_files_of_stones() {
    let line = |record: &Record| {
        let texts: Vec<&str> = record.tree.main_line().map(|id| record.tree[id].text.as_str()).collect();
        texts.join(" ")
    };
    let read_text = |text: &str| read(Format::Sgf, text.as_bytes()).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(line(&read_text("(;GM[4]SZ[15];B[h8];W[i9];B[j10])")), "h8 i9 j10");
    let swap = read_text("(;GM[4]SZ[15]RU[Swap2];B[hh];W[ii])");
    assert_eq!((line(&swap).as_str(), swap.tags["Rules"].as_str()), ("h8 i7", "Swap2"));
    assert_eq!(line(&read_text("(;SZ[15];B[hh])")), "h8", "no game of Go has such a board");
    let around = "game of 2020\n\n(;GM[4]SZ[15];B[hh])\nend";
    assert_eq!(records::Games::new(Format::Sgf, around.as_bytes()).map(Result::unwrap).count(), 1);
    let go = "(;GM[1]SZ[15]RU[Renju];B[hh];W[ii])";
    assert_eq!(read(Format::Sgf, go.as_bytes()).unwrap_err().key, "sgf-other-game");
    let named =
        records::Games::new(Format::Sgf, go.as_bytes()).of("gomoku/standard").next().unwrap().unwrap();
    assert_eq!(named.game, "gomoku/standard");
    let named = b"(;GM[4]CA[GBK]SZ[15]PB[\xd5\xc5\xc8\xfd];B[hh])";
    assert_eq!(read(Format::Sgf, named).unwrap().players[0], "张三");
    let late = "(;GM[4]SZ[15];B[hh];AW[ii];AB[aa][bb];B[jj])";
    let (record, fault) = records::read_partial(Format::Sgf, late.as_bytes()).unwrap();
    assert_eq!((line(&record).as_str(), fault.unwrap().key), ("h8 i7 j6", "sgf-late-setup"));
    let twice = "(;GM[4]SZ[15];B[hh];B[ii](;W[jj]))";
    let (record, fault) = records::read_partial(Format::Sgf, twice.as_bytes()).unwrap();
    assert_eq!((line(&record).as_str(), fault.unwrap().key), ("h8", "sgf-turn"));
    let league = b"Piskvorky 15x15 , 0 - 0\n8,8,0\n9,9,0\nA.zip\nB.zip\n0\n4,Renju\n";
    let record = read(Format::Psq, league).unwrap();
    assert_eq!((record.game.as_str(), record.players[0].as_str()), ("gomoku/renju", "A.zip"));
}
