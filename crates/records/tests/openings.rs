//! Games with an opening: our own formats keep them whole, SGF keeps the stones.

use std::collections::BTreeMap;

use gomoku::{Gomoku, Opened, Opening, Rule};
use kernel::any;
use records::{Format, Ply, Record, Tree, read, write};

/// The record of a line of moves, between Ann and Ben.
fn record(opening: Opening, line: &str) -> Record {
    let board = Gomoku::usual(Rule::Renju);
    let mut game = any(Opened::new(opening, board).unwrap());
    for text in line.split_whitespace() {
        game.play(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    }
    let number = 1 + Opening::ALL.iter().position(|&one| one == opening).unwrap() as i64;
    let mut record = Record::of("gomoku/renju", &*game);
    record.options = BTreeMap::from([("opening".to_owned(), number)]);
    record.players = ["Ann", "Ben"].map(str::to_owned);
    record
}

fn sgf(record: &Record) -> String {
    String::from_utf8(write(Format::Sgf, record).unwrap()).unwrap().replace('\n', "")
}

#[test]
fn our_own_formats_keep_choices_and_offers() {
    let line = "h8 h9 i9 fifths-3 swap a1 o15 o14 d4 o14 e5";
    let record = record(Opening::Yamaguchi, line);
    for format in [Format::Json, Format::Text] {
        let again = read(format, &write(format, &record).unwrap()).unwrap();
        assert_eq!(again, record, "{format:?}");
        let start = Opened::new(Opening::Yamaguchi, Gomoku::usual(Rule::Renju)).unwrap();
        let game = again.replay(any(start)).unwrap();
        assert_eq!(game.record().join(" "), line);
    }
}

#[test]
fn sgf_keeps_the_stones_and_who_had_them() {
    let stones = ";B[hh];W[hg];B[ig];W[ao];B[ob];W[ek]";
    for (opening, line, black) in [
        (Opening::Rif, "h8 h9 i9 stay a1 o15 o14 o14 e5", "Ann"),
        (Opening::Rif, "h8 h9 i9 swap a1 o15 o14 o14 e5", "Ben"),
        (Opening::Yamaguchi, "h8 h9 i9 fifths-3 swap a1 o15 o14 d4 o14 e5", "Ben"),
        (Opening::Soosorv8, "h8 h9 i9 swap a1 fifths-1 swap o14 o14 e5", "Ann"),
        (Opening::Swap2, "h8 h9 i9 two a1 o14 white e5", "Ben"),
    ] {
        let text = sgf(&record(opening, line));
        assert!(text.contains(stones), "{line}: {text}");
        assert!(text.contains(&format!("PB[{black}]")), "{line}: {text}");
    }
    let won = sgf(&record(Opening::Swap2, "h8 a1 c1 black e1 h9 a3 h10 a5 h11 a7 h12"));
    assert!(won.contains("PB[Ben]") && won.contains("PW[Ann]") && won.contains("RE[B+"), "{won}");
}

/// Every format of gomoku that is written has the same six stones.
#[test]
fn other_formats_keep_the_stones_too() {
    let record = record(Opening::Yamaguchi, "h8 h9 i9 fifths-3 swap a1 o15 o14 d4 o14 e5");
    for format in [Format::Sgf, Format::Psq, Format::Lib, Format::Pos] {
        let again = read(format, &write(format, &record).unwrap()).unwrap();
        let moves: Vec<&str> = again.tree.main_line().map(|id| again.tree[id].text.as_str()).collect();
        assert_eq!(moves.join(" "), "h8 h9 i9 a1 o14 e5", "{format:?}");
    }
}

#[test]
fn variations_and_comments_find_their_stones() {
    let mut record = record(Opening::Rif, "h8 h9 i9 swap a1");
    let line: Vec<_> = record.tree.main_line().collect();
    record.tree[line[3]].comment = "dear me".to_owned();
    let stay = record.tree.add(line[2], Ply { text: "stay".to_owned(), ..Ply::default() });
    record.tree.add(stay, Ply { text: "b1".to_owned(), ..Ply::default() });
    assert!(sgf(&record).contains(";B[ig]C[dear me](;W[ao])(;W[bo])"), "{}", sgf(&record));
    record.tree.add(Tree::START, Ply { text: "a1".to_owned(), ..Ply::default() });
    let refused = write(Format::Sgf, &record).unwrap_err().to_string();
    assert_eq!(refused, "record-move-refused turn=\"1\" by=\"first\" move=\"a1\" because=\"opening-centre\"");
    record.options.insert("opening".to_owned(), 77);
    assert_eq!(write(Format::Sgf, &record).unwrap_err().key, "option-out-of-range");
}
