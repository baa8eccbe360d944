//! Tests of archives and of RenjuNet's database: a bomb that is unpacked, a game that takes the names of another, a
//! broken file that is read without end.

use std::io::{Cursor, Read, Write};

use kernel::Problem;
use records::archive::{Archive, begins_like_one};
use records::{Format, Games, Score, Tree, detect, read};

const RIF: &str = include_str!("../../../fuzz/seeds/rif/small.rif");

#[test]
fn games_of_renjunet_have_their_names_and_stones() {
    assert_eq!(detect(RIF.as_bytes()), Some(Format::Rif));
    let games: Vec<_> = Games::new(Format::Rif, RIF.as_bytes()).map(|game| game.expect("a game")).collect();
    assert_eq!(games.len(), 2);
    let first = &games[0];
    assert_eq!(first.players, ["Example & Son Ann", "Test Bo"]);
    assert_eq!((first.date.as_str(), first.tags["Event"].as_str()), ("1999-08", "Example Cup"));
    assert_eq!((first.tags["Rule"].as_str(), first.tags["Opening"].as_str()), ("RIF", "Zangetsu"));
    assert_eq!(first.ending.as_ref().map(|ending| ending.score), Some(Score::Draw));
    let moves: Vec<_> = first.tree.main_line().map(|id| first.tree[id].text.as_str()).collect();
    assert_eq!(moves, ["h8", "h9", "i7"]);
    assert_eq!(first.tree[Tree::START].comment, "a remark");
    assert_eq!(games[1].players, ["Test Bo", "Example & Son Ann"]);
    assert_eq!(&read(Format::Rif, RIF.as_bytes()).unwrap(), first);
}

#[test]
fn broken_databases_end_with_a_reason() {
    let last = |text: &str| -> (usize, Option<Problem>) {
        let all: Vec<_> = Games::new(Format::Rif, text.as_bytes()).take(10).collect();
        (all.len(), all.into_iter().filter_map(Result::err).next_back())
    };
    let cut = &RIF[..RIF.rfind("i9</move>").unwrap()];
    assert_eq!(last(cut).1.map(|p| p.key), Some("rif-end"));
    assert_eq!(last("<database><games></games></database>"), (0, None));
    assert_eq!(read(Format::Rif, b"<database/>").unwrap_err().key, "rif-none");
    // A text without an end is not gathered in memory.
    let long = format!("<database><games><game id='1'><move>{}", "h8 ".repeat(2 << 20));
    assert_eq!(last(&long).1.map(|p| p.key), Some("record-limit"));
}

fn zipped(name: &str, size: usize, method: zip::CompressionMethod) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    let mut zip = zip::ZipWriter::new(&mut out);
    let how = zip::write::SimpleFileOptions::default().compression_method(method);
    zip.add_directory("folder", how).unwrap();
    zip.start_file(name, how).unwrap();
    let block = vec![b' '; 1 << 16];
    for _ in 0..size >> 16 {
        zip.write_all(&block).unwrap();
    }
    zip.finish().unwrap();
    out.into_inner()
}

#[test]
fn a_bomb_is_not_unpacked() {
    let bytes = zipped("a.pgn", 64 << 20, zip::CompressionMethod::Deflated);
    assert!(bytes.len() < 200_000 && begins_like_one(&bytes));
    let mut archive = Archive::open(Cursor::new(bytes)).unwrap();
    assert!(archive.file(0).unwrap().is_none(), "a folder");
    let (name, mut file) = archive.file(1).unwrap().unwrap();
    assert_eq!(name, "a.pgn");
    let mut read = 0_usize;
    let mut block = vec![0; 1 << 16];
    let why = loop {
        match file.read(&mut block) {
            Ok(0) => panic!("the whole bomb was unpacked"),
            Ok(more) => read += more,
            Err(why) => break why,
        }
    };
    assert!(read < 32 << 20, "{read}");
    let told = why.get_ref().and_then(|inner| inner.downcast_ref::<Problem>()).expect("a problem");
    assert_eq!(told.key, "archive-bomb");
    // And readers of games say just that.
    let mut archive =
        Archive::open(Cursor::new(zipped("a", 64 << 20, zip::CompressionMethod::Deflated))).unwrap();
    let (_, file) = archive.file(1).unwrap().unwrap();
    let all: Vec<_> = Games::new(Format::Pgn, std::io::BufReader::new(file)).collect();
    assert_eq!(all.last().unwrap().as_ref().unwrap_err().key, "archive-bomb");
}

#[test]
fn archives_that_are_none_are_refused() {
    for bytes in [&b"PK\x03\x04"[..], b"", b"PK\x05\x06", &[0; 1000]] {
        assert_eq!(Archive::open(Cursor::new(bytes)).err().map(|p| p.key), Some("archive-broken"));
    }
    let mut many = Vec::from(&b"PK\x05\x06\0\0\0\0"[..]);
    many.extend([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0]);
    assert_eq!(Archive::open(Cursor::new(many)).err().map(|p| p.key), Some("archive-many-files"));
}

/// Files that overlap are refused; before, ten thousand names for one file of 16 MiB kept a reader at work for ten
/// minutes.
#[test]
fn files_that_lie_in_each_other_are_refused() {
    let how = zip::write::SimpleFileOptions::default();
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("0.pgn", how).unwrap();
    zip.write_all(&vec![b' '; 16 << 20]).unwrap();
    for n in 1..10_000 {
        zip.shallow_copy_file("0.pgn", &format!("{n}.pgn")).unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    assert_eq!(Archive::open(Cursor::new(bytes)).err().map(|p| p.key), Some("archive-overlaps"));
}

/// All files together are limited, because the ratio of a small file is not checked and an archive may have many.
#[test]
fn all_files_together_are_bounded() {
    let how = zip::write::SimpleFileOptions::default();
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for n in 0..20 {
        zip.start_file(format!("{n}.pgn"), how).unwrap();
        zip.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    let mut archive = Archive::open(Cursor::new(bytes)).unwrap().at_most(8 << 20);
    let mut whole = 0;
    let why = (0..20).find_map(|at| {
        let (_, mut file) = archive.file(at).unwrap().unwrap();
        let read = std::io::copy(&mut file, &mut std::io::sink());
        whole += u32::from(read.is_ok());
        read.err()
    });
    let why = why.expect("there is an end");
    let told = why.get_ref().and_then(|inner| inner.downcast_ref::<Problem>()).expect("a problem");
    assert_eq!((told.key, whole), ("archive-large", 8));
}
