//! Conversations in the protocol of Gomocup: each line is understood, and written again as it was.

use protocol::gomocup::{Field, FromBrain, MOST_LINE, Point, Reader, Thought, ToBrain, Value, Whose};

/// A session as Piskvork, and then Yixin's board, have it; `>` to the brain and `<` from it.
const SESSION: &str = r#"
> START 20
< OK
> INFO timeout_turn 1000
> INFO rule 4
> ABOUT
< name="Wine", version="2.0", author="J. W.", country="CN"
> BEGIN
< 10,10
> TURN 10,11
< DEBUG depth 7
< MESSAGE depth 7, nodes 1234
< 9,9
> TAKEBACK 9,9
< OK
> BOARD
> 10,10,1
> 10,11,2
> 9,9,3
> DONE
< SUGGEST 9,8
> PLAY 9,7
< 9,7
> RECTSTART 15,12
< ERROR only squares
> SWAP2BOARD
> DONE
< 0,0 1,0 5,7
> SWAP2BOARD
> 0,0
> 1,0
> 5,7
> DONE
< SWAP
> YXBOARD
> 7,7,2
> DONE
> YXSHOWFORBID
< FORBID 07080912.
> YXNBEST 3
> YXSTOP
> YXHASHCLEAR
> RESTART
< OK
> END
"#;

#[test]
fn a_session_is_read_and_written() {
    let mut reader = Reader::default();
    let mut asked = String::new();
    for line in SESSION.lines().filter(|l| !l.is_empty()) {
        let (who, text) = line.split_at(2);
        if who == "< " {
            assert_eq!(FromBrain::read(text).unwrap().expect(text).line(), text);
            continue;
        }
        asked = if reader.is_waiting() { format!("{asked}\n{text}") } else { text.to_owned() };
        if let Some(said) = reader.read(text).unwrap() {
            assert_eq!(said.lines(), asked);
        }
    }
    assert!(!reader.is_waiting());
}

#[test]
fn lines_say_what_they_mean() {
    let mut reader = Reader::default();
    let mut to = |line: &str| reader.read(line).unwrap();
    assert_eq!(to("turn 3 , 4\r"), Some(ToBrain::Turn(Point { x: 3, y: 4 })));
    assert_eq!(to("Stop"), Some(ToBrain::Stop));
    assert_eq!(
        to("INFO FOLDER  C:\\brains and more "),
        Some(ToBrain::Info { key: "folder".into(), value: "C:\\brains and more".into() })
    );
    assert_eq!(to("board"), None);
    assert_eq!(to(""), None);
    assert_eq!(to(" 1,2, 2"), None);
    let fields = vec![Field { at: Point { x: 1, y: 2 }, whose: Whose::Opponent }];
    assert_eq!(to("done"), Some(ToBrain::Board { fields, think: true }));
    // What brains say besides is no fault.
    assert_eq!(FromBrain::read("thinking..."), Ok(None));
    assert_eq!(FromBrain::read("forbid ."), Ok(Some(FromBrain::Forbidden(vec![]))));
    let Ok(Some(FromBrain::About(facts))) = FromBrain::read(r#"name="R",version="1 = 2" , www="x"#) else {
        panic!()
    };
    assert_eq!(facts, [("name".into(), "R".into()), ("version".into(), "1 = 2".into())]);
}

#[test]
fn faults_are_named_and_a_faulty_board_is_forgotten() {
    let long = format!("INFO {}", "x".repeat(MOST_LINE));
    for (line, key) in [
        (long.as_str(), "line-too-long"),
        ("START", "size"),
        ("START 0", "size"),
        ("START 101", "size"),
        ("RECTSTART 15", "size"),
        ("TURN", "point"),
        ("TURN 1", "point"),
        ("TURN -1,2", "point"),
        ("TURN 100,2", "point"),
        ("YXNBEST many", "number"),
        ("INFO", "argument-missing"),
        ("DANCE 1", "unknown-command"),
        ("7,7", "unknown-command"),
    ] {
        assert_eq!(Reader::default().read(line).unwrap_err().key, key, "{line:.40}");
    }
    for (line, key) in [("1,1", "point"), ("1,1,4", "field"), ("x,1,1", "point"), ("TURN 1,1", "point")] {
        let mut reader = Reader::default();
        reader.read("BOARD").unwrap();
        assert_eq!(reader.read(line).unwrap_err().key, key, "{line}");
        assert!(!reader.is_waiting());
    }
    let mut reader = Reader::default();
    reader.read("YXBOARD").unwrap();
    let flood = (0..20_000).find_map(|_| reader.read("1,1,1").err());
    assert_eq!(flood.unwrap().key, "board-too-large");
    for line in ["1,2,3", "7,x", "SUGGEST 1", "FORBID 123.", "FORBID 1234"] {
        assert_eq!(FromBrain::read(line).unwrap_err().key, "point", "{line}");
    }
}

/// A line that was read and written again reads as the same value, even where a value looks like a command.
#[test]
fn what_looks_like_something_else_stays_what_it_is() {
    for line in [
        "INFO \u{b}K\u{5}\0\u{b}\u{b}=2E\u{b}DN0",
        "INFO a \u{7f}",
        "INFO folder C:\\my  brains",
        "INFO a\u{a0}b\u{7}c",
    ] {
        let said = Reader::default().read(line).unwrap().expect(line);
        assert_eq!(Reader::default().read(&said.lines()), Ok(Some(said)), "{line:?}");
    }
    for line in
        ["MESSAGE a\u{7}  b\u{7f}", "\u{1}DEBUG\u{b}x", r#",ok=" a ", b="""#, "1,2\u{b}3,4", "ERROR \0"]
    {
        let said = FromBrain::read(line).unwrap().expect(line);
        assert_eq!(FromBrain::read(&said.line()), Ok(Some(said)), "{line:?}");
    }
    let info = ToBrain::Info { key: "folder".into(), value: "C:\\my  brains".into() };
    assert_eq!(info.lines(), "INFO folder C:\\my  brains");
    assert_eq!(FromBrain::read(r#",2a="x""#), Ok(None), "a name does not begin with a digit");
}

/// Reads the search information of brains, for which the protocol has no format, in the forms that brains use.
#[test]
fn what_a_brain_tells_of_its_thinking() {
    let thought = |depth, furthest, value, nodes| Some(Thought { depth, furthest, value, nodes });
    let cases = [
        ("depth 6-9 ev 174 n 1162 pv g9 n 5", thought(6, 9, Value::Points(174), 1162)),
        ("depth 12 ev -M6 n 3000K pv", thought(12, 0, Value::Wins(-6), 3_000_000)),
        (
            "Speed 497K | Depth 18-29 | Eval 126 | Node 484K | Time 974ms",
            thought(18, 29, Value::Points(126), 484_000),
        ),
        ("Depth 3-3 | Eval +M5 | Nodes 2M", thought(3, 3, Value::Wins(5), 2_000_000)),
        ("depth 7, nodes 1234", None),
        ("depth 7 ev 3", None),
        ("depth seven ev 3 n 4", None),
        ("depth 7 ev 3 n 99999999999999999999", None),
        ("depth 7 ev 3 n 18446744073709551615G", None),
        ("depth 7 ev 3 n \u{4e00}", None),
        ("Bestline F8 G8 G7", None),
        ("thinking", None),
        ("", None),
    ];
    for (text, wanted) in cases {
        assert_eq!(Thought::read(text), wanted, "{text}");
    }
}

/// Lists and names of files that follow commands of Yixin-Board are not read as commands, whether we carry them out
/// or not.
#[test]
fn what_follows_a_command_of_yixin_board_belongs_to_it() {
    for (lines, command) in [
        ("yxquerydatabaseall\n7,7\n8,7\ndone", "YXQUERYDATABASEALL"),
        ("yxdeletedatabaseall nonwl\n7,7\ndone", "YXDELETEDATABASEALL"),
        ("yxedittvddatabase 1 -1 0 0\n7,7\ndone", "YXEDITTVDDATABASE"),
        ("yxblockpath\n7,7\n-1,-1\ndone", "YXBLOCKPATH"),
        ("yxhashdump\nend", "YXHASHDUMP"),
        ("yxsetdatabase\nC:\\games\\my base.db", "YXSETDATABASE"),
    ] {
        let mut reader = Reader::default();
        let (others, last) = lines.rsplit_once('\n').expect("two lines");
        for line in others.lines() {
            assert_eq!(reader.read(line), Ok(None), "{line}");
        }
        assert_eq!(reader.read(last), Ok(Some(ToBrain::Unheard(command.to_owned()))), "{lines}");
        let said = ToBrain::Unheard(command.to_owned()).lines();
        let mut again = Reader::default();
        let heard: Vec<_> = said.lines().filter_map(|line| again.read(line).unwrap()).collect();
        assert_eq!(heard, [ToBrain::Unheard(command.to_owned())], "{said}");
    }
    assert_eq!(Reader::default().read("yxsavedatabase").unwrap_err().key, "unknown-command");
}
