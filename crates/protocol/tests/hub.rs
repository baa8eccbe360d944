//! Conversations in Hub: each line is understood, and written again as it was.

use protocol::hub::{FromEngine, Go, Info, Level, MOST_LINE, ParameterType, RawCommand, ToEngine};
use protocol::{Colour, Move, Square, hub1};

const START: &str = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

/// A session as `protocol.txt` tells it, `>` to the engine and `<` from it; with what a Russian engine would add.
const SESSION: &str = r#"
> hub
< id name=Scan version=3.1 author="Fabien Letouzey" country=France
< param name=variant value=normal type=enum values="normal killer bt frisian losing"
< param name=book value=true type=bool
< param name=threads value=1 type=int min=1 max=16
< param name=contempt value=0.5 type=real min=-1 max=1
< param name=bb-dir value="" type=string
< wait
> set-param name=variant value=frisian
> set-param name=name value="two words"
> set-param name=bb-dir value=""
> init
< ready
> new-game
> pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww
> level move-time=1
> go think
< info depth=21 mean-depth=20.8 score=-0.01 nodes=31261613 time=3.906 nps=8 pv="32-28 17-22 28x17x22 12x21x17"
< done move=32-28 ponder=17-22
> pos pos=BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee moves="38-15 5-41 48-26"
> level moves=9 time=291.587
> go ponder
> ponder-hit
> stop
< done move=28x19x23x14
> pos pos=Bwwwwwwwwwwwweeeeeeeebbbbbbbbbbbb
> level depth=8 nodes=1000000 infinite
> go analyze
> level time=60 inc=0.5
> ping
< pong
< error message="illegal move"
> quit
"#;

#[test]
fn a_session_is_read_and_written() {
    for line in SESSION.lines().filter(|l| !l.is_empty()) {
        let (who, text) = line.split_at(2);
        let again = match who {
            "> " => ToEngine::read(text).unwrap().expect(text).line(),
            _ => FromEngine::read(text).unwrap().expect(text).line(),
        };
        assert_eq!(again, text);
    }
}

#[test]
fn lines_say_what_they_mean() {
    let to = |line| ToEngine::read(line).unwrap().unwrap();
    let Some(ToEngine::Position { place, moves }) = ToEngine::read(&format!("pos pos={START}")).unwrap()
    else {
        panic!()
    };
    assert_eq!((place.turn, moves.len()), (Colour::White, 0));
    assert_eq!(place.squares[..20], [Square::Man(Colour::Black); 20]);
    assert_eq!(place.squares[20..30], [Square::Empty; 10]);
    let level = Level { moves: Some(9), time: Some(291.587), ..Level::default() };
    assert_eq!(to("level moves=9 time=291.587"), ToEngine::Level(level));
    assert_eq!(to("  go   analyze  "), ToEngine::Go(Go::Analyze));
    // A clock may have run out on the way, and spaces and order are free.
    let level = Level { time: Some(0.0), increment: Some(1.0), ..Level::default() };
    assert_eq!(to("level inc = 1 time=-0.25 colour=blue"), ToEngine::Level(level));
    assert_eq!(
        to("set-param name=a value=\"b = c\""),
        ToEngine::SetParam { name: "a".into(), value: "b = c".into() }
    );
    let Some(FromEngine::Param(param)) =
        FromEngine::read("param name=variant value=normal type=enum values=\"normal bt\"").unwrap()
    else {
        panic!()
    };
    assert_eq!(param.kind, ParameterType::Enum(vec!["normal".into(), "bt".into()]));
    let Some(FromEngine::Info(info)) =
        FromEngine::read("info depth=3 hashfull=7 pv=\"32-28 19x30x24\"").unwrap()
    else {
        panic!()
    };
    let pv = vec![Move::read("32-28").unwrap(), Move { from: 19, to: 30, captured: vec![24] }];
    assert_eq!(info, Info { depth: Some(3), line: pv, ..Info::default() });
}

/// Unknown commands are skipped; captured squares may come in any order.
#[test]
fn strangers_are_tolerated() {
    assert_eq!(ToEngine::read("dance").unwrap(), None);
    assert_eq!(ToEngine::read("").unwrap(), None);
    assert_eq!(FromEngine::read("# thinking").unwrap(), None);
    let one = Move::read("47x36x41x33x19x18").unwrap();
    let other = Move::read("47x36x18x19x33x41").unwrap();
    assert_ne!(one, other);
    assert_eq!(one.sorted(), other.sorted());
}

#[test]
fn faults_are_named() {
    let long = "x".repeat(MOST_LINE + 1);
    let crowd = format!("level{}", " a".repeat(65));
    for (line, key) in [
        (long.as_str(), "line-too-long"),
        (crowd.as_str(), "line-arguments"),
        ("=", "line-name"),
        ("pos pos=\"open", "line-quote"),
        ("pos", "argument-missing"),
        ("set-param name=a", "argument-missing"),
        ("pos pos=Xeee", "turn"),
        ("pos pos=Weee", "squares"),
        ("pos pos=Wzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "squares"),
        ("pos pos=Wéeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "squares"),
        ("level depth=two", "number"),
        ("level depth=9999999999", "number"),
        ("level time=inf", "number"),
        ("level nodes=-1", "number"),
        ("go", "go"),
        ("go home", "go"),
    ] {
        assert_eq!(ToEngine::read(line).unwrap_err().key, key, "{line:.60}");
    }
    for (line, key) in [
        ("done", "argument-missing"),
        ("done move=32_28", "move"),
        ("done move=32x28", "move"),
        ("done move=32-0", "move"),
        ("done move=32-73", "move"),
        ("done move=28x19x23x23", "move"),
        ("done move=28-19x23", "move"),
        ("param name=a type=colour", "kind"),
        ("info score=nan", "number"),
    ] {
        assert_eq!(FromEngine::read(line).unwrap_err().key, key, "{line}");
    }
    assert!(ToEngine::read(&long).unwrap_err().found.len() <= 80);
}

/// Quotes and line breaks cannot be written in Hub; a value with them must not become two values.
#[test]
fn values_cannot_break_out() {
    let line = ToEngine::SetParam { name: "a".into(), value: "b\" c=\"d\nquit".into() }.line();
    let read = RawCommand::read(&line).unwrap();
    assert_eq!(read.arguments.len(), 2, "{line}");
    assert!(!line.contains('\n'));
}

/// The same session in version 1.
const SESSION_1: &str = "
> hub
< name Scan 2.0
< author Fabien Letouzey
< country France
< wait
> set bb-size 5
> init
< ready
> new
> start
> pos wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww
> move 32-28
> move 19x28x23
> level 0 300000 2000
> depth 20
> time 5000
> go
< info 21 20.8 -12 31261613 3.9 8 32-28 17-22 28x17x22
< move 32-28 17-22
> analyse
> stop
< move 28x17x22
> ponder
> ponder-hit
> ping
< pong
< error illegal move
> quit
";

#[test]
fn a_session_of_version_1() {
    for line in SESSION_1.lines().filter(|l| !l.is_empty()) {
        let (who, text) = line.split_at(2);
        let again = match who {
            "> " => hub1::ToEngine::read(text).unwrap().expect(text).line(),
            _ => hub1::FromEngine::read(text).unwrap().expect(text).line(),
        };
        assert_eq!(again, text);
    }
    for (line, key) in [
        ("pos Weee", "turn"),
        ("move", "argument-missing"),
        ("level 1 2", "argument-missing"),
        ("time -1", "number"),
    ] {
        assert_eq!(hub1::ToEngine::read(line).unwrap_err().key, key, "{line}");
    }
    assert_eq!(hub1::FromEngine::read("info 1 inf 0 0 0 0").unwrap_err().key, "number");
    assert_eq!(hub1::FromEngine::read("Scan 2.0 by Fabien Letouzey").unwrap(), None);
}
