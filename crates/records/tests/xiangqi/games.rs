//! Files with many games.

use std::io::{BufReader, Read};

use kernel::laws::Random;
use records::record::MOST_BYTES;
use records::{Format, Games, Record, read, write};

use crate::random;
use crate::xqf::gbk;

/// Gives its bytes a few at a time, as a slow pipe does.
struct Slow<'a>(&'a [u8], Random);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = (1 + self.1.below(7)).min(buffer.len()).min(self.0.len());
        buffer[..size].copy_from_slice(&self.0[..size]);
        self.0 = &self.0[size..];
        Ok(size)
    }
}

fn games(format: Format, bytes: &[u8]) -> Vec<Result<Record, String>> {
    let slow = BufReader::with_capacity(64, Slow(bytes, Random(1)));
    let slowly: Vec<_> = Games::new(format, slow).of("xiangqi").collect();
    let games: Vec<_> = Games::new(format, bytes).of("xiangqi").collect();
    assert_eq!(games, slowly, "how the bytes come does not matter");
    games.into_iter().map(|game| game.map_err(|e| e.to_string())).collect()
}

fn some(count: u64) -> Vec<Record> {
    (1..=count).map(|seed| random::record(&mut Random(seed), true).0).collect()
}

#[test]
fn as_many_come_out_as_went_in() {
    let records = some(40);
    for format in [Format::Json, Format::Text, Format::Pgn] {
        let mut file = Vec::new();
        for (i, record) in records.iter().enumerate() {
            file.extend(if i > 0 { format.between() } else { b"" });
            file.extend(write(format, record).unwrap());
        }
        let wanted: Vec<Result<Record, String>> = records.iter().cloned().map(Ok).collect();
        assert_eq!(games(format, &file), wanted, "{format:?}");
        if format == Format::Pgn {
            let text = String::from_utf8(file.clone()).unwrap();
            assert_eq!(games(format, &gbk(&text)), wanted, "GBK");
            assert_eq!(games(format, text.replace('\n', "\r\n").as_bytes()), wanted, "line ends");
            assert_eq!(read(format, &file).as_ref(), Ok(&records[0]), "the first");
        }
    }
    let fens: Vec<String> = records.iter().filter_map(|r| r.start.clone()).collect();
    let starts: Vec<Option<String>> =
        games(Format::Fen, fens.join("\n").as_bytes()).into_iter().map(|game| game.unwrap().start).collect();
    assert_eq!(starts, fens.into_iter().map(Some).collect::<Vec<_>>());
    assert_eq!(Games::new(Format::Fen, &b"x"[..]).next().unwrap().unwrap_err().key, "record-fen-alone");
}

#[test]
fn a_remark_that_looks_like_a_game_is_none() {
    let file = "[Red \"甲\"]\n\n1. h2e2 {\n[Red \"乙\"]\n} h9g7 ; {\n1-0\n\n[Red \"丙\"]\n[Black \"丁\"]\n\n*\n[Red \"戊\"]\n\n";
    let names: Vec<String> =
        games(Format::Pgn, file.as_bytes()).into_iter().map(|g| g.unwrap().players[0].clone()).collect();
    assert_eq!(names, ["甲", "丙", "戊"]);
    let sgf = "noise (;GM[4]SZ[15];B[hh]C[\\])(;x]) \n (;GM[4];B[aa](;W[bb])(;W[cc]))(;GM[4])";
    let plies: Vec<usize> =
        games(Format::Sgf, sgf.as_bytes()).into_iter().map(|g| g.unwrap().tree.plies()).collect();
    assert_eq!(plies, [1, 3, 0]);
    let json = r#"{"format":"qiguan-record","version":1,"game":"a","comment":"} { \" \\"}
        {"format":"qiguan-record","version":1,"game":"b"}"#;
    let keys: Vec<String> =
        games(Format::Json, json.as_bytes()).into_iter().map(|g| g.unwrap().game).collect();
    assert_eq!(keys, ["a", "b"]);
}

#[test]
fn a_bad_game_is_named_with_its_line_and_the_next_one_is_read() {
    let file = "[Red \"a\"]\n\nh2e2 1-0\n\n[Red \"b\"]\n\nh2e9 *\n\n[Red \"c\"]\n\nh2e2 *\n";
    let games = games(Format::Pgn, file.as_bytes());
    let wrong = games[1].as_ref().expect_err("h2e9");
    assert!(wrong.starts_with(r#"pgn-move line="7" column="1""#) && wrong.contains("h2e9"), "{wrong}");
    assert_eq!((games[0].is_ok(), games[2].is_ok(), games.len()), (true, true, 3));
}

#[test]
fn a_game_too_large_is_refused_and_left_behind() {
    let large =
        format!("[Red \"a\"]\n\n{{{}}} *\n\n[Red \"b\"]\n\nh2e2 *\n", "x\n".repeat(MOST_BYTES / 2 + 1));
    let games: Vec<_> = Games::new(Format::Pgn, large.as_bytes()).collect();
    assert_eq!(games[0].as_ref().unwrap_err().key, "record-limit");
    assert_eq!(games[1].as_ref().map(|g| g.players[0].as_str()), Ok("b"));
    for format in Format::ALL {
        let endless = std::io::repeat(b'x').take(3 * MOST_BYTES as u64);
        let games = Games::new(format, BufReader::new(endless));
        assert!(games.take(5).all(|game| game.is_err()), "{format:?}");
    }
}

#[test]
fn nothing_is_nothing() {
    for format in Format::ALL {
        let found: Vec<_> = Games::new(format, &b"  \n\n"[..]).collect();
        assert!(found.iter().all(Result::is_err), "{format:?}: {found:?}");
        let empty: Vec<_> = Games::new(format, &b""[..]).collect();
        assert!(empty.len() <= 1 && empty.iter().all(Result::is_err), "{format:?}: {empty:?}");
    }
}
