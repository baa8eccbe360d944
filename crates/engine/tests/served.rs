//! Sessions with our engine in each protocol, line by line. The engine is a script: what counts here is what is said.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use engine::external::Protocol;
use engine::served::{Setup, serve};
use engine::{Bound, Engine, Info, Ruleset, Task, Worth};
use kernel::Problem;

/// Plays the first of its moves that is legal, expects the others, and thinks until it is stopped when nothing else
/// ends it.
struct Script {
    rules: Ruleset,
    moves: &'static [&'static str],
    /// How many were made ready.
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
            furthest: depth + 1,
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
        let endless = limits.depth.is_none() && limits.time.is_none() && limits.clock.is_none();
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
        let setup = Setup { rules, memory: 16, make: Box::new(make) };
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

    /// A conversation: `>` is said, `<` must be heard next; `…` at the end stands for anything.
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
    assert!(
        greeting.iter().any(|line| line.starts_with("option name UCI_Variant type combo default xiangqi"))
    );
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
        < info string number…
        > dance
        < info string unknown command dance
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
        > go depth 2 searchmoves a0a1
        ",
    );
    let answers = session.until("bestmove a0a1");
    assert!(answers.iter().all(|line| !line.starts_with("bestmove h2e2")), "{answers:?}");
    session.ends();
}

/// Fairy-Stockfish's interfaces name the variant, and count ranks from 1; the same word chooses another game.
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

/// Who says that it is ready has its tables and its memory, so that no first move comes late; who is ready already, or
/// thinks, does not begin anew.
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
        < bestmove h2e2 ponder h9g7
        > position fen nonsense
        < info string …
        > go depth 1
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
        < error message=\"no position\"
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
        engine::draughts::endings::shared().known(&four).is_some()
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
        < ERROR point…
        > END
        ",
    );
    session.ends();
}

/// Renju is chosen by a word on the way, and its forbidden points are told.
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

/// Whatever comes in, the session goes on, and ends when the input does.
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
