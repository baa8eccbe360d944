//! Sessions with our engine in each protocol, line by line. The engine is a script: the tests are about the protocol.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use catalog::Ruleset;
use engine_core::{Bound, Engine, Info, Task, Worth};
use external::Protocol;
use kernel::Problem;
use served::{Setup, serve};

mod lines;
mod sessions;

/// An engine that plays the first of its moves that is legal, expects the others, and searches until it is stopped if
/// the only limit is a minute or more.
struct Script {
    rules: Ruleset,
    moves: &'static [&'static str],
    /// The number of engines that were made ready.
    ready: Arc<AtomicUsize>,
}

impl Engine for Script {
    fn think(&mut self, task: &Task, report: &mut dyn FnMut(&Info)) -> Result<String, Problem> {
        let mut game = self.rules.play(task.fen.as_deref(), &task.moves)?;
        let moves: Vec<String> =
            self.moves.iter().filter(|text| game.play(text).is_ok()).map(|text| (*text).to_owned()).collect();
        let depth = task.limits.depth.unwrap_or(9);
        report(&Info {
            depth,
            furthest: depth.saturating_add(1),
            line: 1,
            worth: Worth::Hundredths(-12),
            bound: Bound::Exact,
            nodes: 7,
            time: Duration::ZERO,
            // Tells a limit for the move from a clock.
            filled: if task.limits.time.is_some() { 4 } else { 3 },
            moves: moves.clone(),
        });
        let limits = &task.limits;
        let long = limits.time.is_none_or(|time| time >= Duration::from_secs(60));
        let endless = limits.depth.is_none() && long && limits.clock.is_none();
        while endless && limits.nodes.is_none() && !limits.stop.is_raised() {
            thread::sleep(Duration::from_millis(1));
        }
        moves.first().cloned().ok_or_else(|| Problem::new("no-engine"))
    }

    fn prepare(&mut self) {
        self.ready.fetch_add(1, Ordering::SeqCst);
    }
}

struct Input(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let count = self.1.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

struct Output(Sender<String>, String);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.push_str(std::str::from_utf8(bytes).unwrap());
        while let Some((line, rest)) = self.1.split_once('\n') {
            let _ = self.0.send(line.to_owned());
            self.1 = rest.to_owned();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Session {
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<String>,
    ready: Arc<AtomicUsize>,
}

impl Session {
    fn new(protocol: Protocol, game: &str, moves: &'static [&'static str]) -> Session {
        let rules = Ruleset::new(game, &catalog::Options::new()).unwrap();
        let ready = Arc::new(AtomicUsize::new(0));
        let counted = ready.clone();
        let make = move |rules: &Ruleset, _| -> Box<dyn Engine> {
            Box::new(Script { rules: rules.clone(), moves, ready: counted.clone() })
        };
        let setup = Setup::of(rules, 16, Box::new(make));
        let (to, input) = channel();
        let (output, from) = channel();
        thread::spawn(move || {
            serve(protocol, setup, Input(input, Vec::new()), Output(output, String::new())).unwrap().unwrap();
        });
        Session { to: Some(to), from, ready }
    }

    fn say(&self, line: &str) {
        self.to.as_ref().unwrap().send(format!("{line}\n").into_bytes()).unwrap();
    }

    fn hear(&self) -> String {
        self.from.recv_timeout(Duration::from_secs(20)).expect("an answer")
    }

    /// Runs a conversation: `>` is sent, `<` must be received next; `…` at the end stands for any text.
    fn goes(&self, lines: &str) {
        for line in lines.lines().map(str::trim).filter(|l| !l.is_empty()) {
            let (who, text) = line.split_at(2);
            if who == "> " {
                self.say(text);
                continue;
            }
            let heard = self.hear();
            match text.strip_suffix('…') {
                Some(start) => assert!(heard.starts_with(start), "heard {heard:?}, not {text:?}"),
                None => assert_eq!(heard, text),
            }
        }
    }

    fn until(&self, wanted: &str) -> Vec<String> {
        let mut heard = Vec::new();
        while heard.last().is_none_or(|line| line != wanted) {
            heard.push(self.hear());
        }
        heard
    }

    fn ends(mut self) {
        self.to = None;
        assert!(self.from.recv_timeout(Duration::from_secs(20)).is_err(), "the session goes on");
    }
}

const XIANGQI: &[&str] = &["h2e2", "h9g7", "h0g2"];

#[test]
fn uci() {
    let session = Session::new(Protocol::Uci, "xiangqi", XIANGQI);
    session.say("uci");
    let greeting = session.until("uciok");
    assert!(greeting[0].starts_with("id name Qiguan "), "{greeting:?}");
    assert!(greeting.iter().any(|line| {
        line.starts_with("option name UCI_Variant type combo default none var none var xiangqi")
    }));
    session.goes(
        "
        > isready
        < readyok
        > setoption name Hash value 1
        > ucinewgame
        > position startpos moves h2e2
        > go depth 3
        < info depth 3 seldepth 4 score cp -12 nodes 7 nps 7000 hashfull 3 time 0 pv h9g7 h0g2
        < bestmove h9g7 ponder h0g2
        > position startpos moves h2e3
        < info string xiangqi-cannot-go…
        > go depth 1
        < info string engine-no-position
        < bestmove (none)
        > position fen 4k4/9/9 w
        < info string …
        > position fen 3k5/9/9/9/9/9/9/7C1/9/4K4 w - - 0 1
        > go wtime 1000 btime 1000
        < info depth 9…
        < bestmove h2e2
        > setoption name Hash value much
        < info string …
        > setoption name Colour value red
        < info string …
        > go depth x
        < info string protocol-misread why=\"number\"…
        < bestmove (none)
        > setoption name Threads value 0
        < info string option-not-within…
        > setoption name Level value 11
        < info string option-not-within…
        > dance
        < info string protocol-misread why=\"unknown-command\" found=\"dance\"
        ",
    );
    // Nothing is told before it is stopped, and others are answered meanwhile.
    session.goes(
        "
        > position startpos
        > go infinite
        < info depth 9…
        > isready
        < readyok
        > stop
        < bestmove h2e2 ponder h9g7
        > go ponder movetime 50
        < info depth 9…
        > isready
        < readyok
        > ponderhit
        < info depth 9…
        < bestmove h2e2 ponder h9g7
        > go searchmoves a0a1 depth 2
        < info depth 2…
        < bestmove a0a1
        > go depth 2
        < info depth 2…
        < bestmove h2e2 ponder h9g7
        ",
    );
    session.ends();
}

/// Interfaces of Fairy-Stockfish name the variant, and count ranks from 1; the same option changes the game.
#[test]
fn uci_variants() {
    let session = Session::new(Protocol::Uci, "xiangqi", &["h2e2", "h9g7", "u", "r", "32-28"]);
    session.goes(
        "
        > setoption name UCI_Variant value xiangqi
        > position startpos moves h3e3
        > go depth 1
        < info depth 1 seldepth 2 score cp -12 nodes 7 nps 7000 hashfull 3 time 0 pv h10g8
        < bestmove h10g8
        > setoption name UCI_Variant value draughts/international
        > go depth 1
        < info depth 1…
        < bestmove 32-28
        > setoption name UCI_Variant value chess
        < info string unknown-game…
        > setoption name Map value /nowhere.xlsx
        < info string map-file…
        > quit
        ",
    );
    session.ends();
}

#[test]
fn cyclone() {
    let session = Session::new(Protocol::Cyclone, "xiangqi", XIANGQI);
    session.goes(
        "
        > fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2
        > go depth 1
        < info depth 1…
        < bestmove h9g7 ponder h0g2
        ",
    );
    session.ends();
}

/// An engine that reports that it is ready has its tables and its memory, so that the first move is not late; one
/// that is ready already, or searches, does not start again.
#[test]
fn ready_means_ready() {
    for (protocol, game, asks, ready, again) in [
        (Protocol::Uci, "xiangqi", "isready", "readyok", "ucinewgame"),
        (Protocol::Ucci, "xiangqi", "isready", "readyok", "uccinewgame"),
        (Protocol::Hub, "draughts/international", "init", "ready", "new-game"),
        (Protocol::Gomocup, "gomoku/freestyle", "START 15", "OK", ""),
    ] {
        let session = Session::new(protocol, game, &[]);
        let count = || session.ready.load(Ordering::SeqCst);
        session.say(asks);
        session.until(ready);
        assert_eq!(count(), 1, "{protocol:?}");
        session.say(again);
        session.say(asks);
        session.until(ready);
        assert_eq!(count(), 2, "{protocol:?}: another game");
        if protocol == Protocol::Uci {
            session.say(asks);
            session.until(ready);
            session.say("position startpos\ngo infinite\nisready");
            session.until(ready);
            assert_eq!(count(), 2, "nothing to get ready");
        }
    }
}

#[test]
fn ucci() {
    let session = Session::new(Protocol::Ucci, "xiangqi", XIANGQI);
    session.say("ucci");
    let greeting = session.until("ucciok");
    assert!(greeting.contains(&"option usemillisec type check default false".to_owned()), "{greeting:?}");
    session.goes(
        "
        > isready
        < readyok
        > setoption usemillisec true
        > position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2
        > go time 1000 increment 0
        < info depth 9 seldepth 10 score -12 nodes 7 nps 7000 hashfull 3 time 0 pv h9g7 h0g2
        < bestmove h9g7 ponder h0g2
        > go time 0 opptime 0 movetime 970
        < info depth 9 seldepth 10 score -12 nodes 7 nps 7000 hashfull 4 time 0 pv h9g7 h0g2
        < bestmove h9g7 ponder h0g2
        > position startpos
        > banmoves h2e2
        > go depth 1
        < info depth 1…
        ",
    );
    let best = session.hear();
    assert!(best.starts_with("bestmove ") && !best.contains("h2e2"), "{best}");
    session.goes(
        "
        > position startpos
        > go ponder depth 2
        < info depth 9…
        > ponderhit draw
        < info depth 2…
        < bestmove h2e2 ponder h9g7 draw
        > position fen nonsense
        < info string …
        > go depth 1
        < info string engine-no-position
        < nobestmove
        > quit
        < bye
        ",
    );
    session.ends();
}

#[test]
fn hub() {
    let session = Session::new(Protocol::Hub, "draughts/international", &["32-28", "19-23", "28x19x23"]);
    session.say("hub");
    let greeting = session.until("wait");
    assert!(greeting[0].starts_with("id name=Qiguan "), "{greeting:?}");
    assert!(greeting.iter().any(|line| line.starts_with("param name=variant value=normal type=enum")));
    session.goes(
        "
        > set-param name=threads value=1
        > set-param name=colour value=red
        < error message=…
        > init
        < ready
        > new-game
        > pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww
        > level depth=3
        > go think
        < info depth=3 mean-depth=4 score=-0.12 nodes=7 time=0 nps=7 pv=\"32-28 19-23 28x19x23\"
        < done move=32-28 ponder=19-23
        > pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww moves=\"32-28 19-23\"
        > level time=10 inc=0.1
        > go think
        < info depth=9…
        < done move=28x19x23
        > pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww moves=\"32-27 1-50\"
        < error message=…
        > go think
        < error message=engine-no-position
        > pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww
        < error message=\"hub-squares…
        > pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww
        > go analyze
        < info depth=9…
        > ping
        < pong
        > stop
        < done move=32-28 ponder=19-23
        > go ponder
        < info depth=9…
        > ponder-hit
        < info depth=9…
        < done move=32-28 ponder=19-23
        > level depth=two
        < error message=…
        > set-param name=variant value=english
        > pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww
        > quit
        ",
    );
    session.ends();
}

#[test]
fn hub_endings() {
    use draughts::English;
    use kernel::Notation;
    let known = || {
        let four = draughts::Draughts::<English>::start().read_fen("W:WK30,K31,K32:BK1").unwrap();
        eval_draughts::endings::shared().probe(&four).is_some()
    };
    let session = Session::new(Protocol::Hub, "draughts/english", &[]);
    session.say("hub");
    let greeting = session.until("wait");
    assert!(greeting.contains(&"param name=endings value=3 type=int min=3 max=4".to_owned()), "{greeting:?}");
    session.goes("> set-param name=endings value=5\n< error message=…\n> init\n< ready");
    assert!(!known());
    session.goes("> set-param name=endings value=4\n> init\n< ready");
    assert!(known());
    session.ends();
}

#[test]
fn gomocup() {
    let session = Session::new(Protocol::Gomocup, "gomoku/freestyle", &["h8", "h9", "j9", "k11"]);
    session.goes(
        "
        > ABOUT
        < name=\"Qiguan\", version=…
        > START 15
        < OK
        > INFO timeout_turn 1000
        > INFO rule 0
        > BEGIN
        < MESSAGE depth 9…
        < 7,7
        > TURN 7,6
        < MESSAGE depth 9-10 ev -12 n 7 pv j9 k11
        < 9,6
        > TAKEBACK 7,7
        < ERROR not-the-last-move…
        > TAKEBACK 9,6
        < OK
        > TURN 7,7
        < ERROR …
        > BOARD
        > 7,7,1
        > 7,6,2
        > DONE
        < MESSAGE…
        < 9,6
        > BOARD
        > 7,6,2
        > 8,8,2
        > 9,9,2
        > 7,7,1
        > DONE
        < MESSAGE…
        < 9,6
        > YXBOARD
        > 7,7,2
        > DONE
        > YXSHOWFORBID
        < FORBID .
        > PLAY 0,0
        < 0,0
        > RECTSTART 15,12
        < OK
        > SWAP2BOARD
        > DONE
        < 7,1 9,2 5,3
        > SWAP2BOARD
        > 7,1
        > 9,2
        > 5,3
        > DONE
        < MESSAGE…
        < SWAP
        > START 99
        < ERROR option-out-of-range…
        > DANCE
        < UNKNOWN DANCE
        > TURN x
        < ERROR protocol-misread why=\"point\"…
        > END
        ",
    );
    session.ends();
}

/// Renju is chosen by a setting, and its forbidden points are sent.
#[test]
fn gomocup_renju() {
    let session = Session::new(Protocol::Gomocup, "gomoku/freestyle", &["a1"]);
    session.goes(
        "
        > START 15
        < OK
        > INFO rule 4
        > YXBOARD
        > 7,7,1
        > 0,0,2
        > 8,7,1
        > 0,2,2
        > 6,6,1
        > 0,4,2
        > 6,5,1
        > 0,6,2
        > DONE
        > YXSHOWFORBID
        < FORBID …
        > END
        ",
    );
    session.ends();
}

/// The stones of a board may be listed in any order, even in one that could not be played.
#[test]
fn gomocup_boards_in_any_order() {
    // A six that the stone in the middle made, listed from the left: not won at five.
    let six = "7,7,1 0,0,2 8,7,1 0,2,2 9,7,1 0,4,2 10,7,1 0,6,2 11,7,1 0,8,2 12,7,1 0,10,2";
    // A fork of two threes that was none: the stone that blocks one of them, listed last, was there before.
    let fork = "6,7,1 0,0,2 8,7,1 0,2,2 7,6,1 0,4,2 7,8,1 0,6,2 7,7,1 5,7,2";
    for (rule, stones) in [("1", six), ("4", fork)] {
        let session = Session::new(Protocol::Gomocup, "gomoku/freestyle", &["o14"]);
        session.goes(&format!("> START 15\n< OK\n> INFO rule {rule}"));
        let lines: Vec<String> = stones.split(' ').map(|stone| format!("> {stone}")).collect();
        session.goes(&format!("> BOARD\n{}\n> DONE\n< MESSAGE…\n< 14,1", lines.join("\n")));
        session.ends();
    }
    // A point that has two stones is no order of a game.
    let session = Session::new(Protocol::Gomocup, "gomoku/freestyle", &["o14"]);
    session.goes("> START 15\n< OK\n> BOARD\n> 7,7,1\n> 7,7,2\n> DONE\n< ERROR …");
    session.ends();
}

/// Invalid input never ends the session; it ends when the input does.
#[test]
fn anything_is_survived() {
    for (protocol, game) in [
        (Protocol::Uci, "locked"),
        (Protocol::Ucci, "xiangqi"),
        (Protocol::Hub, "draughts/russian"),
        (Protocol::Gomocup, "gomoku/renju"),
    ] {
        let session = Session::new(protocol, game, &["u"]);
        let to = session.to.as_ref().unwrap();
        to.send(b"\xff\xfe\0\r\n".to_vec()).unwrap();
        to.send(vec![b'x'; 600_000]).unwrap();
        to.send(b"\n".to_vec()).unwrap();
        for line in [
            "stop",
            "ponderhit",
            "ponder-hit",
            "position",
            "pos",
            "go",
            "go ponder",
            "BOARD",
            "1,1,1",
            "DONE",
        ] {
            session.say(line);
        }
        session.say("isready");
        session.say("ping");
        session.say("ABOUT");
        let sign = match protocol {
            Protocol::Hub => "pong",
            Protocol::Gomocup => "name=",
            _ => "readyok",
        };
        while !session.hear().starts_with(sign) {}
        drop(session);
    }
}

#[test]
fn a_protocol_for_another_game_is_refused() {
    let rules = Ruleset::new("locked", &catalog::Options::new()).unwrap();
    let refused = serve(Protocol::Hub, Setup::native(rules, 1), io::empty(), io::sink());
    assert_eq!(refused.unwrap_err().key, "engine-protocol");
}

/// Sends all lines in one write, so that there is no gap between a `stop` and the `go` behind it.
impl Session {
    fn say_at_once(&self, lines: &[&str]) {
        self.to.as_ref().unwrap().send(format!("{}\n", lines.join("\n")).into_bytes()).unwrap();
    }

    /// Returns the lines with that beginning, waiting until there are `count` of them.
    fn answers(&self, start: &str, count: usize) -> Vec<String> {
        let mut answers = Vec::new();
        while answers.len() < count {
            let line = self.hear();
            if line.starts_with(start) {
                answers.push(line);
            }
        }
        answers
    }
}

/// Each `go` gets a best move, in order, whatever follows it directly.
#[test]
fn every_go_is_answered() {
    let uci = ("position startpos moves h2e2", "position startpos");
    let start = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";
    let (hub_first, hub_second) = (format!("pos pos={start} moves=\"32-28\""), format!("pos pos={start}"));
    for (protocol, game, moves, places, go, stop, answers) in [
        (
            Protocol::Uci,
            "xiangqi",
            XIANGQI,
            uci,
            ["go infinite", "go"],
            "stop",
            ["bestmove h9g7", "bestmove h2e2"],
        ),
        (
            Protocol::Cyclone,
            "xiangqi",
            XIANGQI,
            uci,
            ["go infinite", "go"],
            "stop",
            ["bestmove h9g7", "bestmove h2e2"],
        ),
        (
            Protocol::Ucci,
            "xiangqi",
            XIANGQI,
            (
                "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2",
                "position startpos",
            ),
            ["go infinite", "go ponder"],
            "stop",
            ["bestmove h9g7", "bestmove h2e2"],
        ),
        (
            Protocol::Hub,
            "draughts/international",
            &["32-28", "19-23"][..],
            (hub_first.as_str(), hub_second.as_str()),
            ["go analyze", "go ponder"],
            "stop",
            ["done move=19-23", "done move=32-28"],
        ),
    ] {
        let session = Session::new(protocol, game, moves);
        for round in 0..20 {
            let go = go[round % 2];
            // A search that is stopped and started again; then one that is started again without a stop.
            session.say_at_once(&[places.0, go, stop, places.1, go, stop]);
            let heard = session.answers(answers[0].split_whitespace().next().unwrap(), 2);
            let expected = |heard: &str, wanted: &str| heard.starts_with(wanted);
            assert!(
                expected(&heard[0], answers[0]) && expected(&heard[1], answers[1]),
                "{protocol:?}: {heard:?}"
            );
            session.say_at_once(&[places.0, go, places.1, go, stop]);
            let heard = session.answers(answers[0].split_whitespace().next().unwrap(), 2);
            assert!(
                expected(&heard[0], answers[0]) && expected(&heard[1], answers[1]),
                "{protocol:?}: {heard:?}"
            );
        }
        session.ends();
    }
}

/// A `go` that is not understood is answered, too; after a position that is not understood, there is no move for the
/// old one.
#[test]
fn what_is_misread_is_answered() {
    let long = format!("position startpos moves{}", " h2e2".repeat(60_000));
    for (protocol, none) in [
        (Protocol::Uci, "bestmove (none)"),
        (Protocol::Cyclone, "bestmove (none)"),
        (Protocol::Ucci, "nobestmove"),
    ] {
        let session = Session::new(protocol, "xiangqi", XIANGQI);
        let misread = format!("< info string protocol-misread…\n< {none}");
        let known = "position startpos moves h2e2";
        for go in ["go depth", "go nodes 300000.5", " go  movetime 1e5"] {
            session.goes(&format!("> {known}\n> {go}\n{misread}"));
        }
        for go in ["go nodes 18446744073709551615", "go depth 99999999999999999999"] {
            session.goes(&format!("> {known}\n> {go}\n< info depth…\n< bestmove h9g7 ponder h0g2"));
        }
        for place in ["position", "position fen", "position here", &long] {
            session.goes(&format!("> {known}\n> {place}\n< info string protocol-misread…"));
            session.goes(&format!("> go depth 1\n< info string engine-no-position\n< {none}"));
        }
        // What is thought about meanwhile answers first.
        session.goes(&format!("> {known}\n> go infinite\n< info depth 9…\n> go depth x"));
        session.goes(&format!("< bestmove h9g7 ponder h0g2\n{misread}"));
        session.ends();
    }
    let session = Session::new(Protocol::Hub, "draughts/international", &["32-28"]);
    let long = format!("pos pos=W moves=\"{}\"", "32-28 ".repeat(60_000));
    for place in ["pos", "pos pos=x", "pos =", &long] {
        session.goes("> pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww\n> level depth=1");
        session
            .goes(&format!("> {place}\n< error message=…\n> go think\n< error message=engine-no-position"));
    }
    session.ends();
}

/// A question is never answered twice: a ponder hit continues it, and a `stop` without a question has no answer.
#[test]
fn nothing_is_answered_twice() {
    for (protocol, game, moves, hit, go, pings, best) in [
        (
            Protocol::Uci,
            "xiangqi",
            XIANGQI,
            "ponderhit",
            "go ponder wtime 1000 btime 1000",
            ["isready", "readyok"],
            "bestmove",
        ),
        (
            Protocol::Ucci,
            "xiangqi",
            XIANGQI,
            "ponderhit",
            "go ponder time 10",
            ["isready", "readyok"],
            "bestmove",
        ),
        (
            Protocol::Hub,
            "draughts/international",
            &["32-28"][..],
            "ponder-hit",
            "go ponder",
            ["ping", "pong"],
            "done",
        ),
    ] {
        let session = Session::new(protocol, game, moves);
        let place = match protocol {
            Protocol::Hub => "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
            Protocol::Uci => "position startpos",
            _ => "position startpos",
        };
        // Each hit is told while the one before may still be thought about.
        for lines in [
            &[place, go, hit][..],
            &[place, go, hit, "stop"],
            &[place, go, "stop", hit],
            &[place, go, hit, hit, "stop", "stop", hit],
        ] {
            session.say("stop");
            session.say(hit);
            session.say_at_once(lines);
            session.answers(best, 1);
            session.say(pings[0]);
            let rest = session.until(pings[1]);
            assert!(rest.iter().all(|line| !line.starts_with(best)), "{protocol:?}, {lines:?}: {rest:?}");
        }
        // A client that quits during a search is not held back.
        session.say_at_once(&[place, "go infinite", pings[0], "quit"]);
        let heard: Vec<String> =
            std::iter::from_fn(|| session.from.recv_timeout(Duration::from_secs(20)).ok()).collect();
        assert!(heard.iter().any(|line| line == pings[1]), "{protocol:?}: {heard:?}");
    }
}

/// A Gomocup engine that is stopped and given another board answers both.
#[test]
fn gomocup_answers_what_was_stopped() {
    let session = Session::new(Protocol::Gomocup, "gomoku/freestyle", &["h8", "h9", "j9", "k11"]);
    session.say_at_once(&[
        "START 15",
        "INFO timeout_turn 1000",
        "YXSTOP",
        "BEGIN",
        "YXSTOP",
        "BOARD",
        "7,7,2",
        "DONE",
    ]);
    let said: Vec<String> =
        (0..5).map(|_| session.hear()).filter(|line| !line.starts_with("MESSAGE")).collect();
    assert_eq!(said, ["OK", "7,7", "7,6"]);
    // The second answer was put on the second board.
    session.goes("> TAKEBACK 7,6\n< OK\n> TAKEBACK 7,7\n< OK\n> TAKEBACK 7,7\n< ERROR not-the-last-move…");
    // What was asked before a new start is no longer wanted. The engine thinks until it is stopped.
    session.say_at_once(&["INFO timeout_turn 90000", "BEGIN", "START 15", "ABOUT"]);
    let mut said = session.until("OK");
    said.push(session.hear());
    assert!(said.iter().all(|line| line != "7,7"), "{said:?}");
    session.ends();
}

/// Returns the answers of our own engine to these lines, until the last best move.
fn ours(protocol: Protocol, game: &str, lines: &[&str]) -> Vec<String> {
    let rules = Ruleset::new(game, &catalog::Options::new()).unwrap();
    let input = io::Cursor::new(format!("{}\n", lines.join("\n")).into_bytes());
    let mut output = Vec::new();
    serve(protocol, Setup::native(rules, 1), input, &mut output).unwrap().unwrap();
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

/// The moves of `searchmoves` belong to one `go`; illegal ones are reported and left out; there are never more lines
/// than the user wants.
#[test]
fn searched_moves_belong_to_one_go() {
    let said = ours(
        Protocol::Uci,
        "xiangqi",
        &[
            "position startpos",
            "go depth 3 searchmoves a0a1 h2h8 a0a9 zz",
            "go searchmoves i9i8 depth 3",
            "go depth 3",
            "go depth 3 searchmoves a0a1",
            "setoption name MultiPV value 2",
            "go searchmoves a0a1 a0a2 i0i1 depth 3",
        ],
    );
    let bests: Vec<&str> = said.iter().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    let best: Vec<&str> = bests.iter().map(|best| &best[..4]).collect();
    assert_eq!(best.len(), 5, "{said:#?}");
    assert_eq!((best[0], best[3]), ("a0a1", "a0a1"), "{said:#?}");
    assert!(
        !["a0a1", "i9i8"].contains(&best[1]) && !best[1].starts_with('i'),
        "no legal one: all, {said:#?}"
    );
    assert_eq!(best[1], best[2], "{said:#?}");
    assert!(["a0a1", "a0a2", "i0i1"].contains(&best[4]), "{said:#?}");
    for odd in ["h2h8", "a0a9", "zz", "i9i8"] {
        assert!(
            said.iter().any(|line| line.starts_with("info string ") && line.contains(odd)),
            "{odd}: {said:#?}"
        );
    }
    let part = |number: usize| {
        let ends: Vec<usize> = (0..said.len()).filter(|&i| said[i].starts_with("bestmove")).collect();
        &said[number.checked_sub(1).map_or(0, |before| ends[before] + 1)..ends[number]]
    };
    for (number, lines) in [(0, 0), (1, 0), (2, 0), (3, 0), (4, 2)] {
        let told = |n: u32| part(number).iter().any(|line| line.contains(&format!(" multipv {n} ")));
        assert_eq!((told(1), told(lines.max(1) + 1)), (lines > 0, false), "{number}: {:#?}", part(number));
    }
    let pv = |line: &&String| line.contains(" pv ") && !line.contains(" pv a0a1");
    assert_eq!(part(0).iter().find(pv), None, "nothing else is searched");
}

/// The moves UCCI bans are banned until the next position.
#[test]
fn banned_moves_are_not_searched() {
    let said = ours(
        Protocol::Ucci,
        "xiangqi",
        &["position startpos", "banmoves h2e2 b2e2 h2h8", "go depth 4", "go depth 4", "position startpos"],
    );
    let searched: Vec<&String> = said.iter().filter(|line| line.contains(" pv ")).collect();
    assert!(!searched.is_empty());
    let banned = |line: &&&String| line.contains(" pv h2e2") || line.contains(" pv b2e2");
    assert_eq!(searched.iter().find(banned), None, "{said:#?}");
    assert!(said.iter().all(|line| !line.contains("multipv")), "{said:#?}");
    assert!(said.iter().any(|line| line.contains("h2h8")), "{said:#?}");
}

/// The interface decides when a game has ended, not our rules of repetition: there is a move as long as there is a
/// legal one.
#[test]
fn it_moves_while_there_are_moves() {
    let there_and_back = ["h0g2", "h9g7", "g2h0", "g7h9"].repeat(6).join(" ");
    let perpetual = ["d4e4", "e9d9", "e4d4", "d9e9"].repeat(4).join(" ");
    for (protocol, game, place, go) in [
        (Protocol::Uci, "xiangqi", format!("position startpos moves {there_and_back}"), "go depth 3"),
        (Protocol::Cyclone, "xiangqi", format!("position startpos moves {there_and_back}"), "go nodes 2000"),
        (
            Protocol::Uci,
            "xiangqi",
            format!("position fen 4k4/9/9/9/9/3R5/9/9/9/5K3 w - - 0 1 moves {perpetual}"),
            "go depth 3",
        ),
        // Sixty moves of each side without a capture.
        (
            Protocol::Uci,
            "xiangqi",
            "position fen 4k4/9/9/9/9/3R5/9/9/9/5K3 w - - 119 80 moves d4d5 e9e8".to_owned(),
            "go depth 3",
        ),
        (
            Protocol::Ucci,
            "xiangqi",
            format!(
                "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves {there_and_back}"
            ),
            "go depth 3",
        ),
        (
            Protocol::Hub,
            "draughts/international",
            format!(
                "pos pos=WB{}W{} moves=\"{}\"",
                "e".repeat(44),
                "eeee",
                ["46-41", "1-7", "41-46", "7-1"].repeat(6).join(" ")
            ),
            "level depth=3\ngo think",
        ),
        (
            Protocol::Uci,
            "draughts/russian",
            format!(
                "position fen W:WKc1:BKf8 moves {}",
                ["c1d2", "f8g7", "d2c1", "g7f8"].repeat(6).join(" ")
            ),
            "go depth 3",
        ),
    ] {
        let said = ours(protocol, game, &[&place, go]);
        let best = if protocol == Protocol::Hub { "done move=" } else { "bestmove " };
        let best: Vec<&String> = said.iter().filter(|line| line.starts_with(best)).collect();
        assert!(best.len() == 1 && !best[0].contains("(none)"), "{protocol:?}, {place}: {said:#?}");
        assert!(!said.iter().any(|line| line.contains("error")), "{protocol:?}, {place}: {said:#?}");
    }
    // Who is mated has none.
    let said =
        ours(Protocol::Uci, "xiangqi", &["position fen 3k5/3RR4/9/9/9/9/9/9/9/4K4 b - - 0 1", "go depth 3"]);
    assert_eq!(said.last().unwrap(), "bestmove (none)", "{said:#?}");
}

/// The last information before a move has the totals of the search, so that interfaces show them.
#[test]
fn the_last_info_counts_everything() {
    for (protocol, game, lines, best, name) in [
        (Protocol::Uci, "xiangqi", &["go nodes 20000"][..], "bestmove", "nodes "),
        (Protocol::Uci, "locked", &["go nodes 20000"], "bestmove", "nodes "),
        (
            Protocol::Uci,
            "xiangqi",
            &["setoption name MultiPV value 3", "go nodes 20000"],
            "bestmove",
            "nodes ",
        ),
        (Protocol::Ucci, "xiangqi", &["position startpos", "go nodes 20000"], "bestmove", "nodes "),
        (Protocol::Hub, "draughts/international", &["level nodes=20000", "go think"], "done", "nodes="),
        (Protocol::Gomocup, "gomoku/freestyle", &["START 15", "INFO max_node 2000", "BEGIN"], "7,7", " n "),
    ] {
        let said = ours(protocol, game, lines);
        let best = said.iter().position(|line| line.starts_with(best)).unwrap_or_else(|| panic!("{said:#?}"));
        let last = &said[best - 1];
        let after = last.split_once(name).unwrap_or_else(|| panic!("{last}")).1;
        let nodes: u64 = after.split_whitespace().next().unwrap().parse().unwrap();
        let wanted = if protocol == Protocol::Gomocup { 1 } else { 20_000 };
        assert!(nodes >= wanted, "{protocol:?}, {game}: {said:#?}");
        for part in ["depth", "time", "nps"] {
            assert!(last.contains(part) || protocol == Protocol::Gomocup, "{part}: {last}");
        }
        // All lines are sent again at the end, best first: a client that keeps the last of each has the
        // verdict.
        if last.contains("multipv") {
            let places = said[best - 3..best].iter().zip(1..);
            assert!(
                places.into_iter().all(|(line, n)| line.contains(&format!(" multipv {n} "))),
                "{said:#?}"
            );
        }
    }
}

/// Yixin-Board sends two numbers; a board or a rule that was refused is not played on; rules add up.
#[test]
fn gomocup_as_yixin_board_speaks_it() {
    let session = Session::new(Protocol::Gomocup, "gomoku/freestyle", &["h8", "h9", "j9", "k11"]);
    session.goes(
        "
        > INFO rule 0
        > start 15 15
        < OK
        > INFO timeout_turn 300
        > board
        > 7,7,2
        > done
        < MESSAGE depth 9…
        < 7,6
        > start 15,15
        < OK
        > START 99
        < ERROR option-out-of-range…
        > BEGIN
        < ERROR option-out-of-range…
        > TURN 7,7
        < ERROR option-out-of-range…
        > START 300
        < ERROR protocol-misread…
        > RESTART
        < ERROR protocol-misread…
        > START 15
        < OK
        > INFO rule 12
        < ERROR gomocup-rule rule=\"12\"
        > BEGIN
        < ERROR gomocup-rule rule=\"12\"
        > INFO rule 64
        < ERROR gomocup-rule rule=\"64\"
        > INFO rule much
        < ERROR gomocup-rule rule=\"much\"
        > INFO rule 3
        > BEGIN
        < MESSAGE…
        < 7,7
        > YXBLOCK
        > 3,3
        > DONE
        < UNKNOWN YXBLOCK
        > YXDRAW
        < MESSAGE DRAW REJECT
        > YXSHOWINFO
        < MESSAGE INFO MAX_THREAD_NUM …
        < MESSAGE INFO MAX_HASH_SIZE 24
        > END
        ",
    );
    session.ends();
}

/// The rule of a number is recognised by its forbidden points and by the side that wins with a row of six.
#[test]
fn gomocup_rules_add_up() {
    // Six stones of Black's in a row, made at once.
    const SIX: &str = "0,0,1 0,2,2 1,0,1 2,2,2 2,0,1 4,2,2 4,0,1 6,2,2 5,0,1 8,2,2 3,0,1 10,4,2";
    for (rule, is_won) in [("0", true), ("2", true), ("1", false), ("3", false), ("9", false), ("11", false)]
    {
        let session = Session::new(Protocol::Gomocup, "gomoku/freestyle", &["o14"]);
        session.goes(&format!("> START 15\n< OK\n> INFO rule {rule}"));
        let lines: Vec<String> = SIX.split(' ').map(|stone| format!("> {stone}")).collect();
        session.goes(&format!("> BOARD\n{}\n> DONE", lines.join("\n")));
        let mut told = session.hear();
        while told.starts_with("MESSAGE") {
            told = session.hear();
        }
        let wanted = if is_won { "ERROR" } else { "14,1" };
        assert!(told.starts_with(wanted), "rule {rule}: {told}");
        session.ends();
    }
    // Renju's forbidden points are told; Yixin-Board counts renju as 2, wherever it says so.
    const OVERLINE: &str = "7,7,1 0,0,2 8,7,1 0,2,2 9,7,1 0,4,2 11,7,1 0,6,2 12,7,1 0,8,2";
    for (before, rule, forbidden) in [
        ("", "4", true),
        ("", "5", true),
        ("", "6", true),
        ("", "7", true),
        ("", "2", true),
        ("yxshowforbid", "2", true),
        ("", "1", false),
    ] {
        let session = Session::new(Protocol::Gomocup, "gomoku/freestyle", &["o14"]);
        session.goes("> START 15\n< OK");
        if !before.is_empty() {
            session.goes(&format!("> {before}\n< FORBID ."));
        }
        let lines: Vec<String> = OVERLINE.split(' ').map(|stone| format!("> {stone}")).collect();
        session.goes(&format!("> INFO rule {rule}\n> YXBOARD\n{}\n> DONE\n> YXSHOWFORBID", lines.join("\n")));
        let told = session.hear();
        let wanted = if forbidden { "FORBID 1007." } else { "FORBID ." };
        assert_eq!(told, wanted, "rule {rule} behind {before:?}");
        session.ends();
    }
}

/// Yixin-Board's openings are played, step by step.
#[test]
fn gomocup_plays_the_openings_of_yixin_board() {
    let session = Session::new(Protocol::Gomocup, "gomoku/freestyle", &["h8", "h9", "j9", "k11"]);
    session.goes(
        "
        > INFO rule 1
        > start 15 15
        < OK
        > yxswap2step1
        < MESSAGE SWAP2 MOVE1 7 1
        < MESSAGE SWAP2 MOVE2 9 2
        < MESSAGE SWAP2 MOVE3 5 3
        > yxboard
        > 7,1,2
        > 9,2,1
        > 5,3,2
        > done
        > yxswap2step2
        < MESSAGE depth…
        < MESSAGE SWAP2 SWAP1 YES
        > yxswap2step3
        < ERROR opening-stones…
        > yxboard
        > 7,1,2
        > 9,2,1
        > 5,3,2
        > 1,1,1
        > 2,2,2
        > done
        > yxswap2step3
        < MESSAGE depth…
        < MESSAGE SWAP2 SWAP2 YES
        > INFO rule 2
        > yxsoosorvstep1
        < MESSAGE SOOSORV MOVE1 7 7
        < MESSAGE SOOSORV MOVE2 7 6
        < MESSAGE SOOSORV MOVE3 8 7
        > yxsoosorvstep2
        > 7,7
        > 7,6
        > 8,6
        > done
        < MESSAGE depth…
        < MESSAGE SOOSORV SWAP1 Y
        > yxsoosorvstep3
        > 7,7
        > 7,5
        > 8,5
        > done
        < MESSAGE depth…
        < MESSAGE SOOSORV MOVE4 7 6 1
        > yxsoosorvstep4 2
        > 7,7
        > 7,6
        > 8,6
        > 3,3
        > done
        < MESSAGE depth…
        < MESSAGE SOOSORV SWAP2 Y
        > yxsoosorvstep5 3
        > 7,7
        > 6,6
        > 8,8
        > 5,5
        > done
        < MESSAGE depth…
        < MESSAGE SOOSORV MOVE5 REFRESH
        < MESSAGE SOOSORV MOVE5 7 6
        < MESSAGE SOOSORV MOVE5 0 0
        < MESSAGE SOOSORV MOVE5 1 0
        < MESSAGE SOOSORV MOVE5 DONE
        > yxsoosorvstep6
        > 7,7
        > 6,6
        > 8,8
        > 5,5
        > 7,6
        > 3,3
        > done
        < MESSAGE depth…
        < MESSAGE SOOSORV MOVE5 C 3 3
        > yxsoosorvstep5
        > done
        < ERROR opening-stones…
        > yxsoosorvstep4 9
        < ERROR protocol-misread…
        > END
        ",
    );
    session.ends();
}

/// Commands for testers are answered, and strength can be limited with the options of interfaces.
#[test]
fn uci_for_testers() {
    let session = Session::new(Protocol::Uci, "xiangqi", XIANGQI);
    session.goes("> debug on\n> register later\n> go perft 1");
    let counted = session.until("Nodes searched: 44");
    assert!(counted.contains(&"h2e2: 1".to_owned()), "{counted:?}");
    session.say("go perft 2");
    session.until("Nodes searched: 1920");
    session.say("d");
    let shown = session.until("Moves: 44");
    assert!(shown.iter().any(|line| line.starts_with("Fen: rnbakabnr/")), "{shown:?}");
    assert!(shown.contains(&". c . . . . . c .".to_owned()), "{shown:?}");
    session.goes(
        "
        > eval
        < Evaluation for the side to move, after one ply: cp -12
        > setoption name UCI_ShowWDL value true
        > go depth 1
        < info depth 1 seldepth 2 score cp -12 wdl 344 286 370…
        < bestmove h2e2 ponder h9g7
        > setoption name UCI_LimitStrength value true
        > setoption name UCI_Elo value 1300
        > setoption name Move Overhead value 100
        > setoption name UCI_AnalyseMode value true
        > setoption name UCI_Variant value none
        > setoption name Move Overhead value 100000
        < info string option-not-within…
        ",
    );
    // A long count ends when it is stopped, and others are answered meanwhile.
    session.goes("> go perft 40\n> isready\n< readyok\n> stop\n< info string perft stopped");
    session.say("bench 1");
    let told = session.until("===========================");
    assert_eq!(told.len(), 5, "{told:?}");
    session.goes("< Total time (ms) : …\n< Nodes searched  : …\n< Nodes/second    : …");
    session.ends();
}

/// A game that is over is reported as mate or draw before `bestmove (none)`: XBoard resigns by it. Each variant is
/// listed once.
#[test]
fn a_game_that_is_over_is_told_with_its_score() {
    let mated = "position fen R2k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1";
    let said = ours(Protocol::Uci, "xiangqi", &[mated, "go depth 3"]);
    let [.., score, best] = said.as_slice() else { panic!("{said:?}") };
    assert_eq!((score.as_str(), best.as_str()), ("info depth 0 score mate 0", "bestmove (none)"));
    let said = ours(Protocol::Ucci, "xiangqi", &[mated, "go depth 3"]);
    let [.., score, best] = said.as_slice() else { panic!("{said:?}") };
    assert_eq!((score.as_str(), best.as_str()), ("info depth 0 score mate 0", "nobestmove"));
    for key in ["xiangqi", "gomoku/renju", "draughts/russian", "locked"] {
        let said = ours(Protocol::Uci, key, &["uci"]);
        let variants = said.iter().find(|line| line.contains("UCI_Variant")).expect("an option");
        let names: Vec<&str> = variants.split(" var ").skip(1).collect();
        let once: std::collections::BTreeSet<&&str> = names.iter().collect();
        assert_eq!(once.len(), names.len(), "{variants}");
        let elo = said.iter().find(|line| line.contains("UCI_Elo")).expect("an option");
        let most =
            engine::family(key.split('/').next().unwrap()).unwrap().ladder.elo(engine_core::Level::MOST);
        assert_eq!(*elo, format!("option name UCI_Elo type spin default {most} min 1000 max {most}"));
        let large = |word: &str| word.parse::<i64>().is_ok_and(|n| n > i64::from(i32::MAX));
        let odd = said.iter().find(|line| line.split(' ').any(large));
        assert_eq!(odd, None, "a number that 31 bits do not hold");
    }
}

/// UCCI's standard options are accepted; a draw offer is accepted by the side that does not stand better.
#[test]
fn ucci_draws_and_standard_options() {
    let session = Session::new(Protocol::Ucci, "xiangqi", XIANGQI);
    session.goes(
        "
        > setoption batch true
        > setoption usebook false
        > setoption bookfiles BOOK.DAT
        > setoption randomness none
        > setoption style normal
        > position startpos
        > go draw depth 1
        < info depth 1…
        < bestmove h2e2 ponder h9g7 draw
        > go depth 1
        < info depth 1…
        < bestmove h2e2 ponder h9g7
        > go ponder depth 2
        < info depth 9…
        > ponderhit draw
        < info depth 2…
        < bestmove h2e2 ponder h9g7 draw
        ",
    );
    session.ends();
}

/// A win by the rule of repetition is reported as a mate, as in other engines for xiangqi.
#[test]
fn wins_by_rule_are_told_as_mates() {
    assert_eq!(Worth::Hundredths(19_988).by_rule(), Some(12));
    assert_eq!(Worth::Hundredths(-19_988).by_rule(), Some(-12));
    assert_eq!(Worth::Hundredths(14_999).by_rule(), None);
    assert_eq!(Worth::Wins(3).by_rule(), None);
}

#[test]
fn the_first_word_tells_the_protocol() {
    for (line, protocol) in [
        ("uci", Some(Protocol::Uci)),
        ("  UCCI\r", Some(Protocol::Ucci)),
        ("START 15", Some(Protocol::Gomocup)),
        ("hub", Some(Protocol::Hub)),
        ("quit", None),
        ("", None),
    ] {
        assert_eq!(served::protocol_of(line), protocol, "{line:?}");
    }
}
