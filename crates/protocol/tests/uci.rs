//! Conversations in UCI, UCI-Cyclone and UCCI: each line is understood, and written again as it was.

use protocol::ucci;
use protocol::uci::{Bound, FromEngine, Go, MOST_LINE, OptionType, Score, Start, ToEngine};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// A session with a xiangqi engine, `>` to the engine and `<` from it.
const UCI: &str = r"
> uci
< id name Elephant 3
< id author A. Nonymous
< option name Threads type spin default 1 min 1 max 512
< option name Clear Hash type button
< option name Style type combo default Solid var Solid var Risky
< option name EvalFile type string default <empty>
< option name Ponder type check default false
< uciok
> setoption name Clear Hash
> setoption name EvalFile value a b.nnue
> isready
< readyok
> ucinewgame
> position startpos moves h2e2 h9g7
> go wtime 60000 btime 59000 winc 1000 binc 1000 movestogo 20
< info depth 1 seldepth 2 multipv 1 score cp -53 lowerbound nodes 103 nps 25750 hashfull 3 time 4 pv b9c7 a0a1
< info string book is off
< info depth 9 score mate -3
< bestmove b9c7 ponder a0a1
> position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
> go ponder movetime 100
> ponderhit
> go infinite searchmoves h2e2 b2e2
> stop
< bestmove (none)
> quit
";

const UCCI: &str = r"
> ucci
< id name ElephantEye 3
< id author Morning Yellow
< option usemillisec type check default false
< option newgame type button
< option hashsize type spin default 16 min 1 max 1024
< option repetition type combo default automatic var automatic var alwaysdraw
< ucciok
> setoption usemillisec true
> setoption newgame
> isready
< readyok
> position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7
> banmoves b2b3 b2b4
> go draw time 60000 movestogo 20 opptime 50000 oppmovestogo 20
< info depth 6 score 4 pv b9c7 h2e2
< info depth 9 score -120 time 70
< bestmove b9c7 ponder h2e2 draw
> go ponder time 5 increment 1 opptime 5 oppincrement 1
> ponderhit draw
> go depth 8
> go infinite
> stop
< nobestmove
> probe startpos
> quit
< bye
";

fn lines(session: &str) -> impl Iterator<Item = (&str, &str)> {
    session.lines().filter(|l| !l.is_empty()).map(|l| l.split_at(2))
}

#[test]
fn sessions_are_read_and_written() {
    for (who, text) in lines(UCI) {
        let again = match who {
            "> " => ToEngine::read(text).unwrap().expect(text).line(),
            _ => FromEngine::read(text).unwrap().expect(text).line(),
        };
        assert_eq!(again, text);
    }
    for (who, text) in lines(UCCI) {
        let again = match who {
            "> " => ucci::ToEngine::read(text).unwrap().expect(text).line(),
            _ => ucci::FromEngine::read(text).unwrap().expect(text).line(),
        };
        assert_eq!(again, text);
    }
}

#[test]
fn lines_say_what_they_mean() {
    let to = |line: &str| ToEngine::read(line).unwrap().unwrap();
    let position = ToEngine::Position { start: Start::Fen(START.into()), moves: vec!["h2e2".into()] };
    assert_eq!(to(&format!("position fen {START} moves h2e2")), position);
    // Without a word `moves` behind it, and with blanks as they come.
    assert_eq!(to(&format!("  position  fen   {START}  moves ")), to(&format!("position fen {START}")));
    assert_eq!(
        to("go infinite\tdepth 7"),
        ToEngine::Go(Go { infinite: true, depth: Some(7), ..Go::default() })
    );
    // A clock may have run out on the way.
    assert_eq!(
        to("go wtime -30 btime 99999999999999999 dance"),
        ToEngine::Go(Go { time: [Some(0), Some(99_999_999_999_999_999)], ..Go::default() })
    );
    // What programs say when they mean "without end", as C++ has its largest numbers.
    const MOST: u64 = 999_999_999_999_999_999;
    for (line, go) in [
        ("go nodes 18446744073709551615", Go { nodes: Some(MOST), ..Go::default() }),
        ("go movetime 9223372036854775807", Go { movetime: Some(MOST), ..Go::default() }),
        ("go nodes 0000000000000000000000007", Go { nodes: Some(7), ..Go::default() }),
        ("go depth 99999999999999999999", Go { depth: Some(u32::MAX), ..Go::default() }),
        ("go wtime -99999999999999999999", Go { time: [Some(0), None], ..Go::default() }),
    ] {
        assert_eq!(to(line), ToEngine::Go(go), "{line}");
    }
    assert_eq!(
        to("setoption name Debug Log File value /tmp/a b"),
        ToEngine::SetOption { name: "Debug Log File".into(), value: Some("/tmp/a b".into()) }
    );
    let Some(FromEngine::Info(info)) =
        FromEngine::read("info score cp 12 upperbound wdl 1 2 3 depth 4").unwrap()
    else {
        panic!()
    };
    assert_eq!((info.score, info.bound, info.depth), (Some(Score::Hundredths(12)), Bound::Upper, Some(4)));
    let Some(FromEngine::Option(option)) =
        FromEngine::read("option name UCI_Variant type combo default chess var chess var xiangqi").unwrap()
    else {
        panic!()
    };
    let values = vec!["chess".to_owned(), "xiangqi".to_owned()];
    assert_eq!(option.kind, OptionType::Combo { usual: "chess".into(), values });
    for none in ["bestmove (none)", "bestmove 0000"] {
        let said = FromEngine::read(none).unwrap();
        assert_eq!(said, Some(FromEngine::BestMove { best: None, ponder: None }));
    }
}

#[test]
fn cyclone_leaves_a_word_out() {
    let line = format!("fen {START} moves h2e2");
    let said = ToEngine::read(&line).unwrap().unwrap();
    assert_eq!(said.line(), format!("position {line}"));
    assert_eq!(said.cyclone(), line);
    assert_eq!(ToEngine::IsReady.cyclone(), "isready");
}

/// Both dialects are understood where they can be told apart.
#[test]
fn ucci_understands_what_programs_mix() {
    let set = ucci::ToEngine::SetOption { name: "hashsize".into(), value: Some("16".into()) };
    assert_eq!(ucci::ToEngine::read("setoption hashsize 16"), Ok(Some(set.clone())));
    assert_eq!(ucci::ToEngine::read("setoption name hashsize value 16"), Ok(Some(set)));
    let Ok(Some(ucci::FromEngine::Info(info))) = ucci::FromEngine::read("info score cp 5") else { panic!() };
    assert_eq!(info.score, Some(Score::Hundredths(5)));
    let Ok(Some(ucci::ToEngine::Go(go))) = ucci::ToEngine::read("go depth infinite") else { panic!() };
    assert!(go.infinite && go.depth.is_none());
    let Ok(Some(asked)) = ucci::ToEngine::read("go time 0 opptime 0 movetime 970") else { panic!() };
    let go = ucci::Go { movetime: Some(970), time: [Some(0); 2], ..ucci::Go::default() };
    assert_eq!(asked, ucci::ToEngine::Go(go));
    assert_eq!(ucci::ToEngine::read(&asked.line()), Ok(Some(asked)));
    let spaced = ucci::ToEngine::SetOption { name: "Clear Hash".into(), value: None };
    assert_eq!(spaced.line(), "setoption Clear_Hash");
}

#[test]
fn strangers_are_tolerated_and_faults_named() {
    assert_eq!(ToEngine::read(""), Ok(None));
    assert_eq!(ToEngine::read("joho"), Ok(None));
    assert_eq!(FromEngine::read("Fairy-Stockfish 11.1 LB 64 by Fabian Fichter"), Ok(None));
    let long = "x".repeat(MOST_LINE + 1);
    for (line, key) in [
        (long.as_str(), "line-too-long"),
        ("position", "argument-missing"),
        ("position fen", "argument-missing"),
        ("position fen moves h2e2", "argument-missing"),
        ("position here", "position"),
        ("setoption", "argument-missing"),
        ("setoption name value 3", "argument-missing"),
        ("go depth", "argument-missing"),
        ("go depth two", "number"),
        ("go movetime 1.5", "number"),
    ] {
        assert_eq!(ToEngine::read(line).unwrap_err().key, key, "{line:.60}");
    }
    for (line, key) in [
        ("bestmove", "argument-missing"),
        ("info score cp much", "number"),
        ("option name a type wheel", "kind"),
        ("option type spin", "argument-missing"),
        ("option name a", "argument-missing"),
        ("option name a type spin default x", "number"),
    ] {
        assert_eq!(FromEngine::read(line).unwrap_err().key, key, "{line}");
    }
}

/// Free text cannot smuggle in a second line.
#[test]
fn texts_stay_on_their_line() {
    let name = FromEngine::Name("a\nquit\r\n\u{7}b".into());
    assert_eq!(name.line(), "id name a quit b");
    let set = ToEngine::SetOption { name: "a\nb".into(), value: Some("c\nquit".into()) };
    assert_eq!(set.line(), "setoption name a b value c quit");
}

/// A line that was read and written again reads as the same value, even where a value looks like a keyword.
#[test]
fn what_looks_like_something_else_stays_what_it_is() {
    macro_rules! stays {
        ($said:ty: $($line:expr),+) => {
            for line in [$($line),+] {
                let said = <$said>::read(line).unwrap().expect(line);
                assert_eq!(<$said>::read(&said.line()), Ok(Some(said)), "{line:?}");
            }
        };
    }
    stays!(ToEngine: "setoption k;no  \0  \0\u{7f}value \0 \u{7f}value x", "setoption name name value value value",
        "position fen \u{1b}[1m a moves \u{7}b", "go searchmoves \u{1}a \u{1}");
    stays!(ucci::ToEngine: "setoption k;no  \0  \0\u{7f}value \0 \u{7f}value x", "setoption a value value value b",
        "setoption name name name", "setoption name name value value", "banmoves \u{7}a b\u{7}c", "setoption a value");
    stays!(FromEngine: "id name \u{1b}[1mA\u{1b}", "option name name name type combo default \0 var",
        "bestmove \u{1}(none) ponder \0", "info string \u{7}", "info pv a \u{7f}b");
    stays!(ucci::FromEngine: "option name name name type check", "option a type string default <empty>",
        "bestmove a\u{7}draw");
    // A control character stands between words, as a blank does.
    let set = ToEngine::SetOption { name: "k".into(), value: Some("a b".into()) };
    assert_eq!(ToEngine::read("setoption\u{1}name k \u{7f}value a\u{7}b"), Ok(Some(set)));
}
