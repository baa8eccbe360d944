//! Files as people have them beside those of programs: moves alone, heads in prose, two bytes a sign, results in words.

use std::io::BufReader;

use records::{Format, Games, Record, Score, detect, read};

fn moves(record: &Record) -> String {
    record.tree.in_order().map(|id| record.tree[id].text.clone()).collect::<Vec<_>>().join(" ")
}

/// The games of a file whose format is detected, read a few bytes at a time.
fn games(bytes: &[u8]) -> Vec<Record> {
    let format = detect(bytes).unwrap_or_else(|| panic!("no format: {}", String::from_utf8_lossy(bytes)));
    let games: Result<Vec<_>, _> = Games::new(format, BufReader::with_capacity(7, bytes)).collect();
    games.expect("can be read")
}

#[test]
fn moves_of_xiangqi_alone_are_a_game() {
    for text in [
        "h2e2 h9g7 h0g2",
        "1. h2e2 h9g7 2. h0g2",
        "H2-E2 H9-G7 H0-G2",
        "1.H2-E2 H9-G7\n2.H0-G2\n",
        "h3e3 h10g8 h1g3",
        "C2.5 H8+7 H2+3",
        "1. C2=5 h8+7 2. H2+3",
        "炮二平五 马8进7 马二进三",
        "炮二平五，马8进7；马二进三。",
        "1、炮二平五、马8进7 2、马二进三",
        "Che3 Ng8 Ng3",
    ] {
        let found = games(text.as_bytes());
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(moves(&found[0]), "h2e2 h9g7 h0g2", "{text}");
    }
    for points in ["h8i9j10", "h8 i9 j10"] {
        assert_ne!(detect(points.as_bytes()), Some(Format::Pgn), "{points} are points of gomoku");
    }
    assert_eq!(detect(b"It was a rainy day. We played."), None);
}

#[test]
fn a_head_in_prose_is_read() {
    let text = "全国象棋个人赛\n红方：许银川　黑方：吕钦\n结果：红先胜  日期：2001.02.03\n１．炮二平五　马８进７\n２．馬二進三\n";
    let found = games(text.as_bytes());
    let [record] = &found[..] else { panic!("{} games", found.len()) };
    assert_eq!(record.players, ["许银川", "吕钦"]);
    assert_eq!(record.ending.as_ref().map(|ending| ending.score), Some(Score::Win(kernel::Side::First)));
    assert_eq!(record.date, "2001-02-03");
    assert!(
        record.tags.iter().any(|(name, value)| name == "Event" && value == "全国象棋个人赛"),
        "{:?}",
        record.tags
    );
    assert_eq!(moves(record), "h2e2 h9g7 h0g2");
    // Words about the game that are no title.
    let text = "炮二平五是常见的开局。\n1. 炮二平五 马8进7\n";
    assert!(games(text.as_bytes())[0].tags.is_empty());
}

#[test]
fn two_bytes_a_sign_are_read() {
    let files = [
        "[Event \"Été\"]\r\n[White \"Ann\"]\r\n[Black \"Бо\"]\r\n[GameType \"20\"]\r\n[Result \"2-0\"]\r\n\r\n1. 32-28 19-23 2. 28x19 14x23 2-0\r\n\r\n[Event \"Two\"]\r\n[Result \"*\"]\r\n\r\n1. 33-28 *\r\n",
        "[Game \"Chinese Chess\"]\n[Red \"许银川\"]\n[Black \"吕钦\"]\n\n1. 炮二平五 马8进7 *\n\n[Game \"Chinese Chess\"]\n[Red \"B\"]\n\n1. 炮八平五 *\n",
        "(;GM[4]PB[黑方]SZ[15];B[hh];W[ii])(;GM[4]SZ[15];B[aa])",
        "{\"format\": \"qiguan-record\", \"version\": 1, \"game\": \"locked\", \"players\": {\"first\": \"Å\", \"second\": \"\"}, \"moves\": [\"u\"]}",
        "Game: locked\nFirst: Wu 吴\n\n1. u\n\nGame: locked\n\n1. d\n",
    ];
    for text in files {
        let plain = games(text.as_bytes());
        for (mark, name) in [(true, "with a mark"), (false, "without one")] {
            let units = text.encode_utf16();
            let little: Vec<u8> =
                mark.then_some(0xfeff).into_iter().chain(units.clone()).flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> =
                mark.then_some(0xfeff).into_iter().chain(units).flat_map(u16::to_be_bytes).collect();
            assert_eq!(games(&little), plain, "{name}, little end first: {text}");
            assert_eq!(games(&big), plain, "{name}, big end first: {text}");
        }
    }
}

#[test]
fn results_of_gomoku_in_chinese() {
    use kernel::Side::{First, Second};
    for (word, score, reason) in [
        ("黑胜", Score::Win(First), ""),
        ("白方勝", Score::Win(Second), ""),
        ("黑中盘胜", Score::Win(First), "resign"),
        ("白超时负", Score::Win(First), "flag"),
        ("黑方负。", Score::Win(Second), ""),
        ("和棋", Score::Draw, ""),
    ] {
        let record = read(Format::Sgf, format!("(;GM[4]SZ[15]RE[{word}];B[hh])").as_bytes()).expect("a game");
        let ending = record.ending.unwrap_or_else(|| panic!("{word}"));
        assert_eq!((ending.score, ending.reason.as_str()), (score, reason), "{word}");
    }
}

#[test]
fn a_move_in_strange_letters_is_no_remark() {
    let file = "[GameType \"25\"]\n1. c3-d4 д6-e5 2. b2-c3 *\n";
    let mut games = Games::new(Format::Pdn, file.as_bytes()).keeping();
    let record = games.next().expect("a game").expect("its first move is right");
    assert_eq!(moves(&record), "22-18");
    let fault = games.fault().expect("is told");
    assert_eq!((fault.key, fault.arg("turn"), fault.arg("column")), ("pdn-move", Some("1"), Some("10")));
    let file = "[GameType \"25\"]\n1. c3-d4 thematic b6-c5 N!1 *\n";
    let records: Result<Vec<_>, _> = Games::new(Format::Pdn, file.as_bytes()).collect();
    assert_eq!(moves(&records.expect("words are remarks")[0]), "22-18 9-14");
}

#[test]
fn a_step_off_the_board_is_meant_the_other_way() {
    let file = "[Game \"Chinese Chess\"]\n[FEN \"4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1\"]\n\n1. 车九进八+ 将5退1 2. 车九进一# *\n";
    let found = games(file.as_bytes());
    assert_eq!(moves(&found[0]), "a1a9 e9e8 a9a8");
    let remarks: Vec<&str> = found[0]
        .tree
        .in_order()
        .map(|id| found[0].tree[id].comment.as_str())
        .filter(|one| !one.is_empty())
        .collect();
    assert_eq!(remarks, ["将5退1", "车九进一#"], "how it was written");
    // What is in the way is no reason to go the other one.
    let file = "[Game \"Chinese Chess\"]\n\n1. 炮二进七 马8进7 2. 车一退一 *\n";
    let mut games = Games::new(Format::Pgn, file.as_bytes()).keeping();
    let record = games.next().expect("a game").expect("its beginning is right");
    assert_eq!(moves(&record), "h2h9");
    let fault = games.fault().expect("is told");
    assert_eq!((fault.key, fault.arg("move")), ("pgn-move", Some("马8进7")));
}
