//! Tests of reading: texts that are read, and texts that are refused, with the problem.

use gomoku::{Gomoku, Rule};
use kernel::{any, laws::Random};
use records::{Format, Ply, Record, Tree, detect, read, write};

const SGF: &str =
    "(;FF[4]GM[4]RU[1]SZ[15]PB[Wu]PW[Xiao]RE[B+R]C[to\\] you];B[hh]C[one];W[ii](;B[jj])(;B[ji];W[aa]))";
const JSON: &str = r#"{"format": "qiguan-record", "version": 1, "game": "locked", "clock": "300+5",
 "result": {"score": "first"}, "moves": [["u", "l", {"move": "d4", "spent_ms": 900}], "d", {"move": "r", "after": 3}]}"#;
const TEXT: &str = "Game: locked\nFirst: Wu\nResult: draw agreed\n\n1. ul d4 dr {well} ( =up @20ms ) 2. dd\n";

/// The tree on one line: variations in brackets, `~` before a ply of the same turn.
fn shown(record: &Record) -> String {
    let words = record.tree.in_order().map(|id| {
        let before = record.tree.before(id).unwrap();
        let ways = record.tree.next(before);
        let ply = &record.tree[id];
        let variation = if ways[0] == id { "" } else { "or " };
        let time = ply.spent_ms.map(|ms| format!("@{ms}")).unwrap_or_default();
        let comment = if ply.comment.is_empty() { String::new() } else { format!("{{{}}}", ply.comment) };
        format!("{variation}{}{}{time}{comment}", if ply.same_turn { "~" } else { "" }, ply.text)
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn good_files() {
    let sgf = |inside: &str| format!("(;GM[4]{inside})");
    for (name, format, file, tree) in [
        ("SGF with variations", Format::Sgf, SGF.to_owned(), "h8{one} i7 j6 or j7 a15"),
        ("white space anywhere", Format::Sgf, " ( ; GM [4] SZ\n[15] \r\n; B [hh] )".to_owned(), "h8"),
        ("text before and after", Format::Sgf, "hello (there) (;GM[4];B[aa])(;GM[4])".to_owned(), "a15"),
        ("capital points", Format::Sgf, sgf(";B[HH]"), "h8"),
        ("long and small property names", Format::Sgf, "(;GaMe[4]siZe[9];Black[aa];w[bb])".to_owned(), "a15 b14"),
        ("unknown properties", Format::Sgf, sgf("XX[1][2];B[aa]BL[3]TE[1]"), "a15"),
        ("a rectangular board", Format::Sgf, sgf("SZ[5:7];B[eg]"), "e1"),
        ("a move in the first node", Format::Sgf, sgf("C[x]B[aa]"), "a15{x}"),
        ("comments of nodes without a move", Format::Sgf, sgf(";B[aa]C[x];C[y]"), "a15{x\ny}"),
        ("a long line broken", Format::Sgf, sgf(";B[aa]C[x\\\ny\\\r\nz]"), "a15{xyz}"),
        ("white begins where the file says so", Format::Sgf, sgf("AB[hh];W[ii]"), "i7"),
        ("no moves", Format::Sgf, sgf(""), ""),
        ("JSON", Format::Json, JSON.to_owned(), "u ~l ~d4@900 d or r"),
        (
            "unknown JSON fields",
            Format::Json,
            r#"{"x": [], "format": "qiguan-record", "version": 1, "game": "g", "moves": [{"move": "a", "y": 1}]}"#.to_owned(),
            "a",
        ),
        ("text", Format::Text, TEXT.to_owned(), "u ~l ~d4 ~d ~r{well} d ~d or ~up@20"),
        ("header names in any case, unknown ones", Format::Text, "GAME: g\nEvent: x\n\n1. h8\n2.i9".to_owned(), "h8 i9"),
        ("a byte order mark", Format::Text, "\u{feff}Game: g\r\n\r\n1. h8\r\n".to_owned(), "h8"),
        ("no moves at all", Format::Text, "Game: g".to_owned(), ""),
        ("numbers with dots behind a variation", Format::Text, "Game: g\n\n1. a1 2. b1 (2. c1 3. d1) 3... e1".to_owned(), "a1 b1 e1 or c1 d1"),
    ] {
        assert!(detect(file.as_bytes()).is_some(), "{name}");
        let record = read(format, file.as_bytes()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(shown(&record), tree, "{name}: {file}");
        let back = read(format, &write(format, &record).unwrap()).unwrap();
        assert_eq!(back, record, "{name} is written and read back");
    }
}

#[test]
fn sgf_set_up() {
    for (root, game, start) in [
        ("SZ[15]RU[1]", "gomoku/standard", None),
        ("SZ[20]RU[0]", "gomoku/freestyle", None),
        ("SZ[6]AB[aa:bb]AW[ff]", "gomoku/freestyle", Some("bb4/bb4/6/6/6/5w w")),
        ("SZ[6]AB[aa:bb]AW[ff]PL[B]", "gomoku/freestyle", Some("bb4/bb4/6/6/6/5w b")),
        ("SZ[5]AB[aa:ee]AE[bb:ee]AW[cc]RU[Standard]PL[w]", "gomoku/standard", None),
        ("SZ[5:6]", "gomoku/freestyle", Some("5/5/5/5/5/5 b")),
    ] {
        let read = read(Format::Sgf, format!("(;GM[4]{root})").as_bytes());
        if root.contains("aa:ee") {
            // The corner that is left is a row of five twice over.
            assert_eq!(read.unwrap().start.as_deref(), Some("bbbbb/b4/b1w2/b4/b4 w"), "{root}");
            continue;
        }
        let record = read.unwrap();
        assert_eq!((record.game.as_str(), record.start.as_deref()), (game, start), "{root}");
    }
}

#[test]
fn bad_files() {
    let sgf = |inside: &str| format!("(;GM[4]\n{inside}");
    let json =
        |inside: &str| format!(r#"{{"format": "qiguan-record", "version": 1, "game": "g", {inside}}}"#);
    let text = |moves: &str| format!("Game: g\n\n1. a1\n{moves}");
    for (name, format, file, problem) in [
        ("not SGF", Format::Sgf, "hello (there)".to_owned(), "sgf-no-game"),
        (
            "another game",
            Format::Sgf,
            "(;FF[4]GM[1])".to_owned(),
            r#"sgf-other-game line="1" column="11" found="1""#,
        ),
        (
            "Go, which need not say so",
            Format::Sgf,
            "(;FF[4])".to_owned(),
            r#"sgf-other-game line="1" column="1" found="""#,
        ),
        (
            "a board too small",
            Format::Sgf,
            sgf("SZ[3])"),
            r#"gomoku-size files="3" ranks="3" least="5" most="26""#,
        ),
        ("a size that is none", Format::Sgf, sgf("SZ[x])"), r#"sgf-size line="2" column="4" found="x""#),
        ("off the board", Format::Sgf, sgf("棋;B[aa];W[pp])"), r#"sgf-unexpected line="2" column="1""#),
        (
            "off the board",
            Format::Sgf,
            sgf("C[棋];B[aa];W[pp])"),
            r#"sgf-point line="2" column="14" found="pp""#,
        ),
        (
            "the same side again",
            Format::Sgf,
            sgf(";B[aa];B[bb])"),
            r#"sgf-turn line="2" column="10" found="B""#,
        ),
        (
            "the other side in a variation",
            Format::Sgf,
            sgf("(;B[aa])(;W[bb]))"),
            r#"sgf-turn line="2" column="13" found="W""#,
        ),
        (
            "stones put down later",
            Format::Sgf,
            sgf(";B[aa];AW[bb][cc])"),
            r#"sgf-late-setup line="2" column="11""#,
        ),
        (
            "a side to move that is none",
            Format::Sgf,
            sgf("PL[x])"),
            r#"sgf-side line="2" column="4" found="x""#,
        ),
        ("not closed", Format::Sgf, sgf(";B[aa]"), r#"sgf-open line="2" column="7""#),
        ("a value not closed", Format::Sgf, sgf(";B[aa)"), r#"sgf-open-value line="2" column="3""#),
        (
            "a property without a value",
            Format::Sgf,
            sgf(";B)"),
            r#"sgf-no-value line="2" column="2" property="B""#,
        ),
        (
            "both have won",
            Format::Sgf,
            sgf("AB[aa:ea]AW[ab:eb])"),
            r#"gomoku-two-winners black="a15" white="a14""#,
        ),
        ("not JSON", Format::Json, "{".to_owned(), r#"record-json line="1" column="1""#),
        (
            "a strange JSON file",
            Format::Json,
            r#"{"format":"x","version":1,"game":"g"}"#.to_owned(),
            r#"record-json-format found="x" expected="qiguan-record""#,
        ),
        (
            "from the future",
            Format::Json,
            r#"{"format":"qiguan-record","version":2,"game":"g"}"#.to_owned(),
            r#"record-json-version found="2" expected="1""#,
        ),
        (
            "a score that is none",
            Format::Json,
            json(r#""result": {"score": "red"}"#),
            r#"record-json-score found="red""#,
        ),
        (
            "a move that is a number",
            Format::Json,
            json(r#""moves": ["a", 7]"#),
            r#"record-json-move number="2""#,
        ),
        (
            "a move without a text",
            Format::Json,
            json(r#""moves": ["a", ["b", {}]]"#),
            r#"record-json-move number="3""#,
        ),
        (
            "after a ply that is not there",
            Format::Json,
            json(r#""moves": ["a", {"move": "b", "after": 2}]"#),
            r#"record-json-after number="2" found="2""#,
        ),
        ("an empty move", Format::Json, json(r#""moves": [""]"#), r#"record-move-text found="""#),
        ("a move with a gap", Format::Json, json(r#""moves": ["a b"]"#), r#"record-move-text found="a b""#),
        (
            "an option with a gap",
            Format::Json,
            json(r#""options": {"a b": 1}"#),
            r#"record-option-name found="a b""#,
        ),
        (
            "a deep JSON file",
            Format::Json,
            format!("{{\"x\": {}", "[".repeat(100_000)),
            r#"record-json line="1""#,
        ),
        ("no game", Format::Text, "First: Wu\n\n1. a1".to_owned(), r#"record-game found="""#),
        (
            "a header line that is none",
            Format::Text,
            "Game: g\nhello\n\n".to_owned(),
            r#"record-text-header found="hello" line="2""#,
        ),
        (
            "a result that is none",
            Format::Text,
            "Game: g\nResult: red".to_owned(),
            r#"record-text-result found="red" line="2""#,
        ),
        (
            "an option that is none",
            Format::Text,
            "Game: g\nOptions: a=b".to_owned(),
            r#"record-text-option found="a=b" line="2""#,
        ),
        (
            "a comment not closed",
            Format::Text,
            text("{ x"),
            r#"record-text-open-comment line="4" column="1""#,
        ),
        (
            "a variation not closed",
            Format::Text,
            text("(b1"),
            r#"record-text-open-variation line="4" column="4""#,
        ),
        ("a variation not opened", Format::Text, text("b1 )"), r#"record-text-close line="4" column="4""#),
        ("a comment not opened", Format::Text, text("b1 }"), r#"record-text-close line="4" column="4""#),
        (
            "a variation of nothing",
            Format::Text,
            "Game: g\n\n(a1)".to_owned(),
            r#"record-text-variation line="3" column="1""#,
        ),
        (
            "a time that is none",
            Format::Text,
            text("@9s"),
            r#"record-text-time line="4" column="1" found="9s""#,
        ),
        (
            "a move too long",
            Format::Text,
            text(&"9".repeat(101)),
            r#"record-limit what="move" found="101" most="100""#,
        ),
        (
            "too many plies",
            Format::Text,
            text(&"u".repeat(300_000)),
            r#"record-limit what="plies" found="300001" most="300000""#,
        ),
        (
            "a file too long",
            Format::Text,
            " ".repeat((4 << 20) + 1),
            r#"record-limit what="bytes" found="4194305" most="4194304""#,
        ),
    ] {
        let refused = read(format, file.as_bytes()).map(|record| shown(&record));
        let said = refused.map_err(|p| p.to_string()).expect_err(name);
        assert!(said.starts_with(problem), "{name}: {said}, expected {problem}");
    }
    assert_eq!(read(Format::Text, b"Game: \xff").unwrap_err().to_string(), r#"record-not-utf8 byte="7""#);
}

#[test]
fn what_cannot_be_written_as_sgf() {
    let mut record = Record { game: "locked".to_owned(), ..Record::default() };
    assert_eq!(write(Format::Sgf, &record).unwrap_err().to_string(), r#"sgf-game found="locked""#);
    record.game = "gomoku/standard".to_owned();
    record.tree.add(Tree::START, Ply { text: "p16".to_owned(), ..Ply::default() });
    assert_eq!(write(Format::Sgf, &record).unwrap_err().to_string(), r#"sgf-move move="p16""#);
    record.start = Some("hello".to_owned());
    assert_eq!(write(Format::Sgf, &record).unwrap_err().key, "gomoku-fen-fields");
}

#[test]
fn the_size_option_is_the_board_of_an_sgf() {
    for (file, size) in [
        ("Game: gomoku/standard", "SZ[15]"),
        ("Game: gomoku/freestyle", "SZ[20]"),
        ("Game: gomoku/standard\nOptions: size=9", "SZ[9]"),
        ("Game: gomoku/standard\nOptions: size=9\nStart: 5/5/5/5/5/5 b", "SZ[5:6]"),
    ] {
        let record = read(Format::Text, file.as_bytes()).unwrap();
        let sgf = String::from_utf8(write(Format::Sgf, &record).unwrap()).unwrap();
        assert!(sgf.contains(size), "{file}: {sgf}");
    }
    let record = read(Format::Text, b"Game: gomoku/standard\nOptions: size=-1").unwrap();
    assert_eq!(write(Format::Sgf, &record).unwrap_err().key, "gomoku-size");
}

#[test]
fn detection() {
    for (bytes, format) in [
        (JSON, Some(Format::Json)),
        (SGF, Some(Format::Sgf)),
        (TEXT, Some(Format::Text)),
        ("", None),
        ("hello", None),
        ("棋: 馆", None),
    ] {
        assert_eq!(detect(bytes.as_bytes()), format, "{bytes}");
    }
}

#[test]
fn a_move_the_game_refuses_is_named() {
    let file = "Game: gomoku/standard\n\n1. h8 2. h8";
    let record = read(Format::Text, file.as_bytes()).unwrap();
    let refused = record.replay(any(Gomoku::usual(Rule::Standard))).map(|game| game.fen());
    let said = r#"record-move-refused turn="1" by="second" move="h8" because="point-occupied""#;
    assert_eq!(refused.map_err(|p| p.to_string()), Err(said.to_owned()));
}

/// Files with bytes changed, cut and doubled are read or refused; what is read can be written and read again.
#[test]
fn damaged_files_never_panic() {
    let rounds = if std::env::var_os("QIGUAN_DEEP").is_some() { 200_000 } else { 4_000 };
    let mut random = Random(7);
    for (format, file) in [(Format::Sgf, SGF), (Format::Json, JSON), (Format::Text, TEXT)] {
        for _ in 0..rounds {
            let bytes = damaged(file.as_bytes(), &mut random);
            let _ = detect(&bytes);
            let Ok(record) = read(format, &bytes) else { continue };
            let shown = String::from_utf8_lossy(&bytes);
            let text = write(Format::Json, &record).unwrap_or_else(|e| panic!("{e}: {shown}"));
            assert_eq!(read(Format::Json, &text).as_ref(), Ok(&record), "{shown}");
            let text = write(format, &record).unwrap_or_else(|e| panic!("{e}: {shown}"));
            let again = String::from_utf8_lossy(&text);
            assert_eq!(read(format, &text).as_ref(), Ok(&record), "{shown}\n{again}");
        }
    }
}

fn damaged(file: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for _ in 0..1 + random.below(6) {
        let at = random.below(bytes.len().max(1)).min(bytes.len());
        let to = (at + random.below(12)).min(bytes.len());
        match random.below(4) {
            0 => drop(bytes.drain(at..to)),
            1 => bytes.splice(at..at, bytes[at..to].to_vec()).for_each(drop),
            2 => bytes.insert(at, b"()[]{};:\\\"@=., \n"[random.below(16)]),
            _ => bytes.splice(at..to, [random.bits() as u8]).for_each(drop),
        }
    }
    bytes
}
