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

/// The games of a file, what was wrong with each, and the problems of those that were refused.
fn told(file: &[u8]) -> (Vec<Record>, Vec<&'static str>) {
    let format = detect(file).unwrap_or_else(|| panic!("no format: {}", String::from_utf8_lossy(file)));
    let mut games = Games::new(format, BufReader::with_capacity(7, file)).keeping();
    let (mut records, mut problems) = (Vec::new(), Vec::new());
    while let Some(game) = games.next() {
        problems.extend(games.fault().map(|fault| fault.key));
        match game {
            Ok(record) => records.push(record),
            Err(problem) => problems.push(problem.key),
        }
    }
    (records, problems)
}

#[test]
fn lines_end_as_they_like() {
    for text in [
        "[Game \"Chinese Chess\"]\n[Red \"A\"]\n\n1. C2.5 H8+7 ; why\n2. H2+3 R9.8 1-0\n\n[Game \"Chinese Chess\"]\n[Red \"C\"]\n\n1. C8.5 *\n",
        "[Event \"x\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 ; why\n2. 28x19 14x23 1-1\n\n[Event \"y\"]\n[GameType \"20\"]\n\n1. 33-28 *\n",
        "Game: locked\nFirst: A\n\n1. u\n\nGame: locked\n\n1. d\n",
        "FORMAT  WXF\nRED     aaa ; 1137 ;;\nRESULT  1-0\nSTART{\n 1. C2.5 h8+7\n}END\n",
        "Piskvorky 15x15, 11:11, 1\n8,8,0\n9,9,0\nA\nB\n0\n4,Renju\n",
        "h8i9j10\nh8\n",
    ] {
        let plain = games(text.as_bytes());
        for (ends, name) in [("\r", "old Macs"), ("\r\n", "Windows")] {
            let other = text.replace('\n', ends);
            assert_eq!(games(other.as_bytes()), plain, "{name}: {text}");
            let format = detect(other.as_bytes()).expect("a format");
            assert_eq!(read(format, other.as_bytes()), read(format, text.as_bytes()), "{name}: {text}");
        }
        let mut mixed = String::new();
        let ends = ["\r", "\n", "\r\n"];
        text.split_inclusive('\n').zip(ends.iter().cycle()).for_each(|(line, end)| {
            mixed.push_str(line.trim_end_matches('\n'));
            mixed.push_str(end);
        });
        // A return and a line feed of two neighbours are one end of a line, as everywhere.
        if !text.contains("\n\n") {
            assert_eq!(games(mixed.as_bytes()), plain, "mixed: {text}");
        }
    }
}

#[test]
fn zeros_of_a_damaged_file_cost_nothing() {
    let file = b"[Game \"Chinese Chess\"]\n\n1. C2.5 \0 H8+7 2. H2+3\0 R9.8 *\n";
    assert_eq!(moves(&games(file)[0]), "h2e2 h9g7 h0g2 i9h9");
    let file = b"[GameType \"20\"]\n\n1. 32-28 \0 19-23\0 2. 28x19 *\n";
    assert_eq!(moves(&games(file)[0]), "32-28 19-23 28x19x23");
}

#[test]
fn numbers_of_turns_are_written_in_many_ways() {
    for text in [
        "①炮二平五 马8进7 ②马二进三 车9平8",
        "⒈炮二平五 马8进7 ⒉马二进三 车9平8",
        "⑴ 炮二平五 马8进7 ⑵ 马二进三 车9平8",
        "第一回合：炮二平五，马8进7。第二回合：马二进三，车9平8。",
        "着法：1.炮二平五 马8进7\n2.马二进三 车9平8",
        "[Game \"Chinese Chess\"]\n\n1.炮二平五,马8进7; 2.马二进三,车9平8;",
        "1,炮二平五,马8进7\n2,马二进三,车9平8\n",
    ] {
        let (records, problems) = told(text.as_bytes());
        assert_eq!(records.iter().map(moves).collect::<Vec<_>>(), ["h2e2 h9g7 h0g2 i9h9"], "{text}");
        assert_eq!(problems, [""; 0], "{text}");
    }
    for text in [
        "[GameType \"20\"]\n(1) 32-28 19-23 (2) 28x19 14x23 *\n",
        "[GameType \"20\"]\n1) 32-28 19-23 2) 28x19 14x23 *\n",
        "[GameType \"20\"]\n1. 32-28, 19-23; 2. 28x19 14x23 *\n",
        "[GameType \"20\"]\n1. 32-28 (0:03) 19-23 (1:05) 2. 28x19 (0:00:02) 14x23 *\n",
        "[GameType \"20,W,10,0,N2,0\"]\n1. 32-28 19-23 2. 28x19+- 14x23-+ *\n",
    ] {
        let (records, problems) = told(text.as_bytes());
        assert_eq!(
            records.iter().map(moves).collect::<Vec<_>>(),
            ["32-28 19-23 28x19x23 14x23x19"],
            "{text}"
        );
        assert_eq!(problems, [""; 0], "{text}");
    }
    // What replaces the last move is a variation, although it looks like a time.
    let (records, _) = told(b"[GameType \"20\"]\n1. 32-28 19-23 2. 28:19 14:23 (13:24) *\n");
    assert_eq!(moves(&records[0]), "32-28 19-23 28x19x23 14x23x19 13x24x19");
    for text in ["1. h8 i9 2. j10 g7", "1.h8 2.i9 3.j10 4.g7", "h8,i9,j10,g7", "1. h8 i9\n2. j10 g7\n"] {
        let (records, problems) = told(text.as_bytes());
        assert_eq!(records.iter().map(moves).collect::<Vec<_>>(), ["h8 i9 j10 g7"], "{text}");
        assert_eq!(problems, [""; 0], "{text}");
    }
    assert_eq!(games(b"1. h8 i9\n2. j10\n1. h8\n2. g7\n").len(), 2);
}

#[test]
fn a_number_1_on_a_line_of_its_own_begins_a_game() {
    let (records, problems) = told("棋谱一\n1. 炮二平五 马8进7\n\n棋谱二\n1. 炮八平五 马2进3\n".as_bytes());
    assert_eq!(records.iter().map(moves).collect::<Vec<_>>(), ["h2e2 h9g7", "b2e2 b9c7"]);
    assert_eq!(problems, [""; 0]);
}

#[test]
fn full_width_tags_and_fields_without_colons_are_read() {
    let file = "［Game \"Chinese Chess\"］\n［Red \"甲\"］\n\n１．　炮二平五　马８进７　＊\n\n［Game \"Chinese Chess\"］\n［Red “乙”］\n\n1. 炮八平五 *\n";
    for bytes in [file.as_bytes().to_vec(), encoding_rs::GBK.encode(file).0.into_owned()] {
        let (records, problems) = told(&bytes);
        assert_eq!(records.iter().map(|r| &*r.players[0]).collect::<Vec<_>>(), ["甲", "乙"]);
        assert_eq!(problems, [""; 0]);
    }
    let (records, problems) = told("红方 张三\n黑方 李四\n结果 红胜\n\n1. 炮二平五 马8进7\n".as_bytes());
    assert_eq!(records[0].players, ["张三", "李四"]);
    assert_eq!(records[0].ending.as_ref().map(|ending| ending.score), Some(Score::Win(kernel::Side::First)));
    assert_eq!(problems, [""; 0], "a result in front of the moves ends nothing");
}

#[test]
fn a_position_may_stand_in_front_of_the_moves() {
    let fen = "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1";
    for text in [
        format!("{fen} moves a1a7 e9e8"),
        format!("position fen {fen} moves a1a7 e9e8"),
        format!("{fen}\n\n1. a1a7 e9e8"),
        format!("FEN: {fen}\n1. 车九进六 将5进1"),
    ] {
        let (records, problems) = told(text.as_bytes());
        assert_eq!(records[0].start.as_deref(), Some(fen), "{text}");
        assert_eq!(moves(&records[0]), "a1a7 e9e8", "{text}");
        assert_eq!(problems, [""; 0], "{text}");
    }
    let (records, problems) = told(b"W:W31-50:B1-20\n1. 32-28 19-23\n");
    assert_eq!((moves(&records[0]).as_str(), problems.len()), ("32-28 19-23", 0));
    let (records, _) = told(b"B:WK3,18,24:B12,K29\n1. 12-16 18-15\n");
    assert!(records[0].start.as_deref().is_some_and(|fen| fen.starts_with("B:W")), "{:?}", records[0].start);
}

#[test]
fn letters_that_look_alike_name_the_same_squares() {
    for text in ["[GameType \"25\"]\n1. с3-d4 d6-с5 2. b2-с3 *\n", "[GameType \"25\"]\n1. сd4 dс5 2. bс3 *\n"]
    {
        let (records, problems) = told(text.as_bytes());
        assert_eq!(moves(&records[0]), "22-18 10-14 25-22", "{text}");
        assert_eq!(problems, [""; 0]);
    }
}

#[test]
fn lines_of_two_encodings_are_read_each_in_its_own() {
    let gbk = |text: &str| encoding_rs::GBK.encode(text).0.into_owned();
    let mut file = gbk("[Game \"Chinese Chess\"]\n[Red \"吕钦\"]\n[Event \"全国象棋个人锦标赛\"]\n\n");
    file.extend("1. 炮二平五 马8进7 {好棋} *\n".bytes());
    let (records, problems) = told(&file);
    assert_eq!(records[0].players[0], "吕钦");
    assert_eq!((moves(&records[0]).as_str(), problems.len()), ("h2e2 h9g7", 0));
    // The other way round, and two games.
    let mut file =
        "[Game \"Chinese Chess\"]\n[Red \"许银川\"]\n\n1. 炮二平五 马8进7 *\n\n".as_bytes().to_vec();
    file.extend(gbk("[Game \"Chinese Chess\"]\n[Red \"吕钦\"]\n\n1. 炮二平五 马8进7 *\n"));
    let (records, _) = told(&file);
    assert_eq!(records.iter().map(|r| &*r.players[0]).collect::<Vec<_>>(), ["许银川", "吕钦"]);
    assert!(records.iter().all(|record| moves(record) == "h2e2 h9g7"));
}

#[test]
fn what_is_no_move_at_all_is_told() {
    let (records, problems) = told("[Game \"Chinese Chess\"]\n\n1. ▲７六歩 △３四歩 *\n".as_bytes());
    assert_eq!((records[0].tree.plies(), problems), (0, vec!["pgn-unread"]));
    // A game that was not played says so in words, which are no moves.
    let (_, problems) = told("[Game \"Chinese Chess\"]\n[Result \"1-0\"]\n\n黑方弃权 1-0\n".as_bytes());
    assert_eq!(problems, [""; 0]);
}

#[test]
fn chess_is_not_taken_for_xiangqi() {
    let file =
        b"[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 1-0\n";
    let mut games = Games::new(Format::Pgn, &file[..]).keeping();
    let problem = games.next().expect("a game").expect_err("another one");
    assert_eq!((problem.key, problem.arg("found")), ("pgn-other-game", Some("chess")));
}

#[test]
fn a_half_in_latin_1_is_a_result() {
    let (records, _) = told(b"[GameType \"20\"]\n1. 32\x9628 19\x9623 2. 28\xd719 14\xd723 \xbd-\xbd\n");
    assert_eq!(moves(&records[0]), "32-28 19-23 28x19x23 14x23x19");
    assert_eq!(records[0].ending.as_ref().map(|ending| ending.score), Some(Score::Draw));
}
