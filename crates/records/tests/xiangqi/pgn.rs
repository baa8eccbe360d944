//! PGN, written and read here, and as others write it.

use kernel::Side;
use kernel::laws::Random;
use records::pgn::Style;
use records::{Ending, Format, Manner, NodeId, Ply, Record, Score, Tree, detect, read, write, write_as};

use crate::random::{self, USUAL, pick};
use crate::xqf::gbk;

fn text(record: &Record, style: Style) -> String {
    let bytes =
        write_as(Format::Pgn, record, Manner { pgn: style }).unwrap_or_else(|e| panic!("{e}: {record:?}"));
    String::from_utf8(bytes).expect("UTF-8")
}

/// Adds the parts that PGN has a place for, beyond those that every format keeps.
fn add_details(record: &mut Record, random: &mut Random) {
    record.tag("Event", "\"Cup\" of the [first] \\ 第一");
    record.tag("ECCO", "C42");
    record.tag("Annotator", "刘殿中");
    record.clock = pick(random, &["", "300+5"]).to_owned();
    if let Some(ending) = &mut record.ending {
        ending.reason = pick(random, &["", "resign", "checkmate"]).to_owned();
    }
    let ids: Vec<NodeId> = record.tree.in_order().collect();
    for id in ids {
        let ply = &mut record.tree[id];
        (0..random.below(3)).for_each(|_| ply.judge(random.below(256) as u8));
        ply.spent_ms = (random.below(3) == 0).then(|| random.below(9_999_999) as u64);
        if random.below(8) == 0 {
            ply.comment = pick(random, &["a } brace", " spaces ", "[%csl x]", "1. h2e2 (", "}"]).to_owned();
        }
    }
}

#[test]
fn what_was_written_is_read_in_every_notation() {
    for seed in 1..=150 {
        let random = &mut Random(seed);
        let (mut record, _) = random::record(random, !seed.is_multiple_of(10));
        add_details(&mut record, random);
        for style in Style::ALL {
            let written = text(&record, style);
            assert_eq!(detect(written.as_bytes()), Some(Format::Pgn), "{written}");
            let back = read(Format::Pgn, written.as_bytes())
                .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{written}"));
            assert_eq!(back, record, "seed {seed}: {written}");
            assert_eq!(text(&back, style), written, "writing again changes nothing");
            let marked = format!("\u{feff}{}", written.replace('\n', "\r\n"));
            for other in [gbk(&written), marked.into_bytes()] {
                assert_eq!(read(Format::Pgn, &other).as_ref(), Ok(&record), "seed {seed}: {written}");
            }
        }
    }
}

/// The main line and the variations as one text: `a (b c) d`.
fn shape(tree: &Tree) -> String {
    fn after(tree: &Tree, id: NodeId, out: &mut String) {
        let Some((&main, others)) = tree.next(id).split_first() else { return };
        *out += &tree[main].text;
        for &other in others {
            *out += &format!(" ({}", tree[other].text);
            *out += " ";
            after(tree, other, out);
            *out = format!("{})", out.trim_end());
        }
        *out += " ";
        after(tree, main, out);
    }
    let mut out = String::new();
    after(tree, Tree::START, &mut out);
    out.trim_end().to_owned()
}

#[test]
fn moves_as_people_write_them() {
    for (moves, wanted) in [
        ("1. 炮二平五 马８进７ 2. 马二进三 车９平８", "h2e2 h9g7 h0g2 i9h9"),
        ("1.炮二平五 马8进7　2.马二进三 1-0", "h2e2 h9g7 h0g2"),
        ("1.炮二平五马8进72.马二进三!车9平8", "h2e2 h9g7 h0g2 i9h9"),
        ("1. C2=5 H8+7\n2. H2+3 R9=8 *", "h2e2 h9g7 h0g2 i9h9"),
        ("1. C2.5 h8+7 2. N2+3 r9.8", "h2e2 h9g7 h0g2 i9h9"),
        ("1. H2-E2 H9-G7 2. h0g2", "h2e2 h9g7 h0g2"),
        ("1. 砲二平五 馬8進7 2. 傌二進三 車9平8", "h2e2 h9g7 h0g2 i9h9"),
        ("h2e2! h9g7?? h0g2！？ ... i9h9 $13", "h2e2 h9g7 h0g2 i9h9"),
        ("h2e2 (b2e2 h9g7 (b9c7) h0g2) (g3g4) h9g7", "h2e2 (b2e2 h9g7 (b9c7) h0g2) (g3g4) h9g7"),
        ("1. h2e2 h9g7 (1... b9c7 2. h0g2) 2. h0g2 i9h9", "h2e2 h9g7 (b9c7 h0g2) h0g2 i9h9"),
        ("% a line for programs\nh2e2 ; h9g7 is behind it\n%h0g2\nh9g7", "h2e2 h9g7"),
        ("", ""),
    ] {
        for head in ["[Red \"甲\"]\n\n", "[Game \"Chinese Chess\"]\r\n[Format \"WXF\"]\r\n"] {
            let record = read(Format::Pgn, format!("{head}{moves}").as_bytes());
            let record = record.unwrap_or_else(|e| panic!("{moves}: {e}"));
            assert_eq!(shape(&record.tree), wanted, "{moves}");
        }
    }
}

#[test]
fn tags_remarks_and_signs() {
    let file = r#"
        [Game "Chinese Chess"]
        [Event "“银荔杯”"]
        [Date "1990.??.??"]
        [Red "许银川"]
        [RedTeam ""]
        [Black "吕"钦"]
        [Result "0-1"]
        [ECCO "?"]
        [FEN "4k4/9/9/9/9/9/9/9/R8/5K3 w - - 0 30"]
        [Termination "超时"]
        {before} 30. a1a2!! {good}{[%emt 0:01:02.5] very} e9d9 ({or} 30... e9e8 $6) {after} 0-1"#;
    let record = read(Format::Pgn, file.as_bytes()).unwrap();
    assert_eq!(record.players, ["许银川", "吕\"钦"]);
    assert_eq!(
        (record.date.as_str(), record.start.as_deref()),
        ("1990", Some("4k4/9/9/9/9/9/9/9/R8/5K3 w - - 0 30"))
    );
    let tags: Vec<(&str, &str)> =
        record.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(tags, [("Event", "“银荔杯”"), ("Termination", "超时")]);
    assert_eq!(record.ending, Some(Ending { score: Score::Win(Side::Second), reason: String::new() }));
    let tree = &record.tree;
    let first = tree.next(Tree::START)[0];
    let [main, other] = *tree.next(first) else { panic!("two ways on") };
    assert_eq!(tree[Tree::START].comment, "before");
    assert_eq!(
        (tree[first].comment.as_str(), tree[first].spent_ms, &tree[first].nags),
        ("good\nvery", Some(62_500), &vec![3])
    );
    assert_eq!((tree[main].comment.as_str(), tree[other].comment.as_str()), ("after", "or"));
    assert_eq!(tree[other].nags, [6]);
    let written = text(&record, Style::Iccs);
    assert!(
        written.contains("30. ") && written.contains("30... ") && written.contains("[Date \"1990.??.??\"]"),
        "{written}"
    );
}

/// The first time is that of the move, each is taken out, and what is none stays.
#[test]
fn times_in_remarks() {
    for (remark, ms, rest) in [
        ("a [%emt 0:00:01] b [%emt 2]c", Some(1000), "a b c"),
        ("[%emt x] [%emt 1] [%emt 2", Some(1000), "[%emt x] [%emt 2"),
        ("[%emt [%emt 1]", Some(1000), "[%emt"),
        ("[%emt 1:2e9]", None, "[%emt 1:2e9]"),
    ] {
        let file = format!("[Game \"Chinese Chess\"]\n\n1. h2e2 {{{remark}}} *");
        let record = read(Format::Pgn, file.as_bytes()).unwrap();
        let ply = &record.tree[record.tree.next(Tree::START)[0]];
        assert_eq!((ply.spent_ms, ply.comment.trim()), (ms, rest), "{remark}");
    }
}

#[test]
fn what_is_written_looks_as_it_should() {
    let mut record = Record { game: "xiangqi".to_owned(), ..Record::default() };
    record.players = ["甲".to_owned(), "乙".to_owned()];
    record.tag("RedTeam", "北京");
    record.ending = Some(Ending { score: Score::Draw, reason: "agreed".to_owned() });
    let ply = |text: &str| Ply { text: text.to_owned(), ..Ply::default() };
    let first = record.tree.add(Tree::START, ply("h2e2"));
    record.tree.add(first, ply("h9g7"));
    let aside = record.tree.add(first, ply("b9c7"));
    record.tree.add(aside, ply("h0g2"));
    let tags = "[Game \"Chinese Chess\"]\n[RedTeam \"北京\"]\n[Red \"甲\"]\n[Black \"乙\"]\n[Result \"1/2-1/2\"]\n[Termination \"agreed\"]\n";
    for (style, rest) in [
        (Style::Chinese, "[Format \"Chinese\"]\n\n1. 炮二平五 马8进7 (1... 马2进3 2. 马二进三) 1/2-1/2\n"),
        (Style::Wxf, "[Format \"WXF\"]\n\n1. C2=5 H8+7 (1... H2+3 2. H2+3) 1/2-1/2\n"),
        (Style::Iccs, "[Format \"ICCS\"]\n\n1. H2-E2 H9-G7 (1... B9-C7 2. H0-G2) 1/2-1/2\n"),
    ] {
        assert_eq!(text(&record, style), format!("{tags}{rest}"));
    }
}

#[test]
fn a_slip_in_a_variation_costs_only_itself() {
    let mut record = Record { game: "xiangqi".to_owned(), ..Record::default() };
    let ply = |text: &str| Ply { text: text.to_owned(), ..Ply::default() };
    let first = record.tree.add(Tree::START, ply("h2e2"));
    let slip = record.tree.add(Tree::START, ply("h2h8"));
    record.tree.add(slip, ply("i9i8"));
    let aside = record.tree.add(Tree::START, ply("b2e2"));
    record.tree.add(aside, ply("a0a1"));
    record.tree.add(first, ply("h9g7"));
    let back = read(Format::Pgn, &write(Format::Pgn, &record).unwrap()).unwrap();
    assert_eq!(shape(&back.tree), "h2e2 (b2e2) h9g7");
    let first = back.tree.next(Tree::START);
    assert_eq!(back.tree[first[1]].comment, "(a0a1)");
    // The main line is the game; without it there is none.
    record.tree.add(record.tree.main_line().last().unwrap(), ply("a1a9"));
    let refused = write(Format::Pgn, &record).unwrap_err();
    assert_eq!((refused.key, refused.arg("move")), ("pgn-refused", Some("a1a9")));
}

#[test]
fn home_rules_say_so() {
    let mut record = Record { game: "xiangqi/free".to_owned(), ..Record::default() };
    record.start = Some(format!("{USUAL} b - - 0 1"));
    let ply = |text: &str| Ply { text: text.to_owned(), ..Ply::default() };
    let first = record.tree.add(Tree::START, ply("b7e7"));
    record.tree.add(first, ply("b2e2"));
    let written = text(&record, Style::Chinese);
    assert!(written.contains("[Variant \"Free\"]") && written.contains("1... "), "{written}");
    assert_eq!(read(Format::Pgn, written.as_bytes()), Ok(record));
}

#[test]
fn files_of_other_games_are_not_taken_for_ours() {
    for text in ["[Event \"x\"]\n[White \"a\"]\n[Black \"b\"]\n\n1. e4 e5", "[Variant \"Chess960\"]\n\n1. e4"]
    {
        assert_eq!(detect(text.as_bytes()), None, "{text}");
    }
    let draughts = "[Event \"x\"]\n[GameType \"20\"]\n\n1. 32-28 19-23";
    assert_eq!(detect(draughts.as_bytes()), Some(Format::Pdn));
    let file = "[Game \"Chinese Chess\"]\n[Red \"银川\"]\n1. 炮二平五";
    assert_eq!(detect(&gbk(file)), Some(Format::Pgn));
    assert_eq!(detect("[Event \"x\"]\n\n1. 炮二平五".as_bytes()), Some(Format::Pgn));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let inside = |moves: &str| format!("[Red \"甲\"]\n{moves}");
    for (text, wanted) in [
        ("[Red]".to_owned(), r#"pgn-tag line="1" column="1""#),
        ("[Red \"甲]\n".to_owned(), r#"pgn-tag line="1" column="1""#),
        ("[Game \"Chess\"]\n".to_owned(), r#"pgn-other-game line="1" column="1" found="Chess""#),
        (String::new(), "pgn-none"),
        (inside("1. h2e2 h9g7 2. h0h9"), r#"pgn-move line="2" column="17""#),
        (inside("1.炮三平五"), r#"pgn-move line="2" column="1""#),
        (inside("h2e2 {no end"), r#"pgn-open-comment line="2" column="6""#),
        (inside("h2e2 (b2e2"), r#"pgn-open-variation line="2" column="11""#),
        (inside("(h2e2)"), r#"pgn-variation line="2" column="1""#),
        (inside("h2e2 ((b2e2))"), r#"pgn-variation line="2" column="7""#),
        (inside("h2e2 )"), r#"pgn-close line="2" column="6""#),
        (inside("h2e2 }"), r#"pgn-unexpected line="2" column="6""#),
        (inside("h2e2 i9h9 马二进"), r#"pgn-move line="2" column="6""#),
    ] {
        let found = read(Format::Pgn, text.as_bytes()).expect_err(&text).to_string();
        assert!(found.starts_with(wanted), "{text}: {found}");
    }
    let bad_start = read(Format::Pgn, b"[Red \"x\"]\n[FEN \"nonsense\"]\n").unwrap_err();
    assert_eq!(bad_start.arg("line"), Some("2"), "{bad_start}");
    assert!(read(Format::Pgn, b"[Red \"x\"]\n{\xFF\xFF}").is_ok(), "signs of no encoding stop no game");
    let other = Record { game: "locked".to_owned(), ..Record::default() };
    assert_eq!(write(Format::Pgn, &other).unwrap_err().key, "pgn-game");
    let ours = Record { game: "xiangqi".to_owned(), ..Record::default() };
    assert_eq!(write(Format::Cbf, &ours).unwrap_err().key, "record-read-only");
}

/// Thousands of variations, each in the one before, are read and written without recursion.
#[test]
fn depth_is_free() {
    let depth = 5000;
    let moves: Vec<&str> = ["h2e2", "h7e7", "e2h2", "e7h7"].into_iter().cycle().take(depth).collect();
    // Each variation begins with the move it replaces, and is replaced itself from its second move on.
    let deep: String = moves.iter().map(|m| format!("{m} ({m} ")).collect();
    let file = format!("[Red \"x\"]\n{deep}{}", ")".repeat(depth));
    let record = read(Format::Pgn, file.as_bytes()).unwrap();
    assert_eq!((record.tree.plies(), record.tree.main_line().count()), (2 * depth, 1));
    assert_eq!(read(Format::Pgn, text(&record, Style::Iccs).as_bytes()), Ok(record));
}

/// Signs that programs write beside the standard are read: full-width signs, a star right behind the last move, a
/// first move passed.
#[test]
fn odd_signs_are_read() {
    let usual = ["h2e2", "h9g7"];
    for (text, moves) in [
        ("[Red \"a\"]\n\n１．炮二平五　马８进７\n", &usual[..]),
        ("[Red \"a\"]\n\n１. 炮二平五 马8进7 １－０\n", &usual),
        ("[Red \"a\"]\n\n1. 炮二平五 马8进7*\n", &usual),
        ("[Red \"a\"]\n\n1. 炮二平五 马8进7!＊\n", &usual),
        ("[Red \"a\"]\n\n1. 炮二平五 (1. 炮八平五*) 马8进7*\n", &usual),
        ("[Red \"a\"]\n\n1. -- 马8进7 2. 炮二平五 *\n", &["h9g7", "h2e2"]),
    ] {
        let record = read(Format::Pgn, text.as_bytes()).unwrap_or_else(|e| panic!("{e}: {text}"));
        let found: Vec<&str> = record.tree.main_line().map(|id| record.tree[id].text.as_str()).collect();
        assert_eq!(found, moves, "{text}");
        let back = self::text(&record, Style::Chinese);
        assert_eq!(read(Format::Pgn, back.as_bytes()).unwrap(), record, "{text}");
    }
    let won = read(Format::Pgn, "1. 炮二平五 １－０\n".as_bytes()).unwrap();
    assert_eq!(won.ending.unwrap().score, Score::Win(Side::First));
    let passed = read(Format::Pgn, b"1. -- h9g7 *").unwrap();
    assert!(passed.start.is_some_and(|fen| fen.contains(" b ")));
    let last = read(Format::Pgn, b"1. h2e2 -- *").unwrap();
    assert_eq!(last.tree[last.tree.main_line().next().unwrap()].comment, "--", "nothing comes behind it");
}

/// A fault drops the moves behind it and is reported; a fault in a variation drops the variation.
#[test]
fn what_comes_before_a_slip_is_kept() {
    let tags = "[Game \"Chinese Chess\"]\n[Result \"0-1\"]\n\n";
    for (moves, count, wrong) in [
        ("1. h2e2 h9g7 2. h2e2 a9a8 0-1", 2, Some("h2e2")),
        ("1. h2e2 h9g7 2. -- a9a8", 2, Some("--")),
        ("1. h2e2 (1. h2h8 {(} (1. a0a9) i9i1) 1... h9g7 2. h0g2 *", 3, Some("h2h8")),
        ("1. h2e2 (1. b2e2 a0a0) h9g7 (", 2, None),
        ("1. h2e2 h9g7 *", 2, None),
    ] {
        let file = format!("{tags}{moves}\n");
        let (record, fault) = records::read_partial(Format::Pgn, file.as_bytes()).unwrap();
        assert_eq!(record.tree.main_line().count(), count, "{moves}");
        assert_eq!(record.ending.unwrap().score, Score::Win(Side::Second), "{moves}");
        match wrong {
            Some(wrong) => assert_eq!(fault.unwrap().arg("move"), Some(wrong), "{moves}"),
            None => assert_eq!(fault.is_some(), !moves.ends_with('*'), "{moves}"),
        }
    }
    assert!(records::read_partial(Format::Pgn, b"1. h2h8 *").is_err(), "nothing is left");
}

/// An unknown player is a question mark in the file, and an empty name in the record.
#[test]
fn unknown_players_have_no_name() {
    let record = read(Format::Pgn, b"[Red \"?\"]\n[Black \"b\"]\n\n1. h2e2 *").unwrap();
    assert_eq!(record.players, ["", "b"]);
    let text = text(&record, Style::Iccs);
    assert!(text.contains("[Red \"?\"]\n[Black \"b\"]"), "{text}");
}

/// Moves as programs and people write them, beside the three notations of the standard files.
#[test]
fn moves_of_every_dialect_are_read() {
    let usual = ["h2e2", "h9g7", "h0g2", "i9h9"];
    for text in [
        "1. Che2 Hg7 2. Hg2 Rh9 *",
        "1. Ch2-e2 Hh9-g7 2. Hh0-g2 Ri9-h9 *",
        "1. Ch3-e3 Hh10-g8 2. Hh1-g3 Ri10-h10 *",
        "1. Che3 Hg8 2. Hg3 Rh10 *",
        "1. h3e3 h10g8 2. h1g3 i10h10 *",
        "1. h2—e2 H9-G7 2. H0G2+ i9h9# *",
        "1. C2.5 h8+7 2. H2+3 r9.8 *",
        "1、炮二平五　馬８進７\n（2）傌二進三 車9平8",
        "第1回合 炮2平5 马8进7 第二回合： 马2进3 车9平8",
        "炮二平五马8进7马二进三车9平8",
        "1.\u{feff}炮二\u{200b}平五 马8进7!? 2. 马二进三$1$2 车9平8+ $902",
        "炮二平五 马8进7 [好棋] 马二进三 <不错> 车9平8【稳】 全局结束",
    ] {
        let record = read(Format::Pgn, text.as_bytes()).unwrap_or_else(|e| panic!("{e}: {text}"));
        let found: Vec<&str> = record.tree.main_line().map(|id| record.tree[id].text.as_str()).collect();
        assert_eq!(found, usual, "{text}");
    }
    for (word, score) in [
        ("红胜", Some(Score::Win(Side::First))),
        ("黑方胜", Some(Score::Win(Side::Second))),
        ("½-½", Some(Score::Draw)),
        ("1/2", Some(Score::Draw)),
        ("0-2", Some(Score::Win(Side::Second))),
        ("1:0", Some(Score::Win(Side::First))),
        ("*", None),
    ] {
        let record = read(Format::Pgn, format!("1. 炮二平五 马8进7 {word}\n").as_bytes()).unwrap();
        assert_eq!(record.ending.map(|ending| ending.score), score, "{word}");
    }
    // 前五: the foremost soldier of that file.
    let crowded = "[FEN \"3k5/9/9/4P4/4P4/9/9/9/9/4K4 w\"]\n\n1. 前五平四 *";
    let record = read(Format::Pgn, crowded.as_bytes()).unwrap();
    assert_eq!(record.tree[record.tree.main_line().next().unwrap()].text, "e6f6");
}

/// A move that is not possible and one that can be read in two ways are two faults, and each has its place.
#[test]
fn two_faults_have_two_sentences() {
    let two = "[FEN \"3k5/9/9/9/9/4R4/9/4R4/9/4K4 w\"]\n\n1. 车五平一 *";
    let ambiguous = read(Format::Pgn, two.as_bytes()).unwrap_err();
    assert_eq!((ambiguous.key, ambiguous.arg("where")), ("pgn-ambiguous", Some("main")));
    assert_eq!(ambiguous.arg("moves"), Some("e4i4, e2i2"));
    let side = "1. h2e2 h9g7 (1... h9g8) 2. h0g2 *";
    let (record, fault) = records::read_partial(Format::Pgn, side.as_bytes()).unwrap();
    let fault = fault.unwrap();
    assert_eq!((fault.key, fault.arg("where"), fault.arg("turn")), ("pgn-move", Some("side"), Some("1")));
    assert_eq!(record.tags["Cut"], "side 1 h9g8");
}

/// Moves behind a result are kept: they belong to the game, or begin another one.
#[test]
fn what_follows_a_result_is_kept() {
    let file = "[Game \"Chinese Chess\"]\n\n1. 炮二平五 马8进7 1-0 2. 马二进三 车9平8\n";
    let mut games = records::Games::new(Format::Pgn, file.as_bytes()).keeping();
    let first = games.next().unwrap().unwrap();
    assert_eq!(first.tree.main_line().count(), 4);
    assert_eq!(games.fault().unwrap().key, "pgn-after-result");
    assert!(games.next().is_none());
    let file = "[Game \"Chinese Chess\"]\n\n1. 炮二平五 马8进7 1-0\n\n1. 马二进三 马8进7 2. 车一平二 0-1\n";
    let counts: Vec<usize> = records::Games::new(Format::Pgn, file.as_bytes())
        .map(|game| game.unwrap().tree.main_line().count())
        .collect();
    assert_eq!(counts, [2, 3]);
}
