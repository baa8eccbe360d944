//! DXP from both ends: our caller and our follower, programs that violate the protocol, and an external program.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use catalog::Ruleset;
use engine_core::{Engine, Info, Task};
use external::External;
use external::{Config, Fence, Protocol};
use kernel::Problem;
use protocol::Colour;
use served::Setup;
use served::dxp::{Role, serve};

/// An engine that plays the first legal move, or the last.
struct Script(Ruleset, bool);

impl Engine for Script {
    fn think(&mut self, task: &Task, _: &mut dyn FnMut(&Info)) -> Result<String, Problem> {
        let moves = self.0.play(task.fen.as_deref(), &task.moves)?.moves();
        Ok(moves[if self.1 { 0 } else { moves.len() - 1 }].clone())
    }
}

fn setup(game: &str, first: bool) -> Setup {
    let rules = Ruleset::new(game, &catalog::Options::new()).unwrap();
    Setup::of(rules, 1, Box::new(move |rules, _| Box::new(Script(rules.clone(), first))))
}

/// Makes the two ends of a connection.
fn connection() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    (one, listener.accept().unwrap().0)
}

#[test]
fn two_programs_play_a_game() {
    for colour in [Colour::White, Colour::Black] {
        let (here, there) = connection();
        let follower = thread::spawn(move || {
            let input = there.try_clone().unwrap();
            serve(setup("draughts/international", true), Role::Follower, input, there)
        });
        let input = here.try_clone().unwrap();
        let role = Role::Caller { colour, minutes: 1 };
        let called = serve(setup("draughts/international", false), role, input, &here).unwrap();
        here.shutdown(std::net::Shutdown::Both).unwrap();
        let followed = follower.join().unwrap().unwrap();
        assert_eq!(called.len(), 1);
        assert_eq!(called, followed);
    }
}

/// Returns a follower's answers to these messages, and the result of the session.
fn answered(said: &[&str]) -> (Vec<String>, Result<usize, &'static str>) {
    let (mut here, there) = connection();
    let follower = thread::spawn(move || {
        let input = there.try_clone().unwrap();
        let served = serve(setup("draughts/international", true), Role::Follower, input, &there);
        there.shutdown(std::net::Shutdown::Both).unwrap();
        served
    });
    for message in said {
        here.write_all(message.as_bytes()).unwrap();
        here.write_all(&[0]).unwrap();
    }
    here.shutdown(std::net::Shutdown::Write).unwrap();
    let mut heard = String::new();
    here.read_to_string(&mut heard).unwrap();
    let messages = heard.split_terminator('\0').map(|m| m.trim_end().to_owned()).collect();
    (messages, follower.join().unwrap().map(|games| games.len()).map_err(|problem| problem.key))
}

#[test]
fn strangers_are_answered() {
    let name = format!("{:32}", "Stranger");
    let accepted = format!("A{:32}0", "Qiguan");
    let request = format!("R01{name}W010000A");
    // It moves, is told that the game is lost, and says so, too.
    let (heard, ended) = answered(&[&request, "Chello", "E10", "B001W"]);
    assert_eq!((heard[0].as_str(), &heard[1][..5], heard[2].as_str()), (accepted.as_str(), "M0000", "E00"));
    assert_eq!((heard[3].as_str(), ended), ("K1", Ok(1)));
    // Another version, a board that cannot be, then a game.
    let (heard, ended) = answered(&[&request.replace("R01", "R02"), &format!("R01{name}Z010000A"), "E01"]);
    assert_eq!(
        (heard[0].as_str(), heard[1].as_str(), heard[2].as_str()),
        (format!("A{:32}1", "Qiguan").as_str(), accepted.as_str(), "E01")
    );
    assert_eq!(ended, Ok(1));
    // Nonsense ends it.
    for nonsense in ["M0000010200", "X", "R99"] {
        assert_eq!(answered(&[nonsense]).1, Err("dxp-broken"), "{nonsense}");
    }
    let (heard, ended) = answered(&[&format!("R01{name}Z010000A"), "M0000014000"]);
    assert_eq!((heard.last().map(String::as_str), ended), (Some("E01"), Err("dxp-broken")));
    assert_eq!(answered(&["x".repeat(300).as_str()]).1, Err("dxp-broken"));
}

/// An engine that moves a king to and fro.
struct Shuffle(Ruleset);

impl Engine for Shuffle {
    fn think(&mut self, task: &Task, _: &mut dyn FnMut(&Info)) -> Result<String, Problem> {
        let game = self.0.play(task.fen.as_deref(), &task.moves)?;
        let first = if task.moves.len() % 4 < 2 { ["46-41", "1-7"] } else { ["41-46", "7-1"] };
        let first = first.into_iter().find(|text| game.moves().iter().any(|legal| legal == text));
        first.map(str::to_owned).ok_or_else(|| Problem::new("no-engine"))
    }
}

/// A program that does not recognise a draw and plays on gets moves: we report a draw only at our own turn.
#[test]
fn a_draw_by_our_rules_is_played_past() {
    use protocol::dxp::{Message, Splitter, VERSION};
    use protocol::{Move, Place, Square};
    let mut squares = vec![Square::Empty; 50];
    (squares[0], squares[45]) = (Square::King(Colour::Black), Square::King(Colour::White));
    let mut passed = 0;
    for (follower, turn) in
        [(Colour::White, Colour::White), (Colour::White, Colour::Black), (Colour::Black, Colour::White)]
    {
        let (mut here, there) = connection();
        let served = thread::spawn(move || {
            let rules = Ruleset::new("draughts/international", &catalog::Options::new()).unwrap();
            let make = move |rules: &Ruleset, _| -> Box<dyn Engine> { Box::new(Shuffle(rules.clone())) };
            let input = there.try_clone().unwrap();
            serve(Setup::of(rules, 1, Box::new(make)), Role::Follower, input, there)
        });
        let mut replies = here.try_clone().unwrap();
        let start = Place { turn, squares: squares.clone() };
        let mut say = |message: &Message| {
            let mut bytes = message.bytes().unwrap();
            bytes.push(0);
            here.write_all(&bytes).unwrap();
        };
        let name = "Stranger".to_owned();
        say(&Message::GameRequest {
            version: VERSION,
            name,
            follower,
            minutes: 5,
            moves: 0,
            start: Some(start),
        });
        let rules = Ruleset::new("draughts/international", &catalog::Options::new()).unwrap();
        let fen = format!("{}:WK46:BK1", if turn == Colour::White { 'W' } else { 'B' });
        let (mut moves, mut splitter, mut said) = (Vec::<String>::new(), Splitter::default(), Vec::new());
        let mut mine = Shuffle(rules.past_draws());
        'game: loop {
            let white_to_move = (moves.len() % 2 == 0) == (turn == Colour::White);
            if white_to_move != (follower == Colour::White) {
                let judged = rules.play(Some(&fen), &moves);
                passed += usize::from(judged.is_err() || judged.is_ok_and(|game| game.outcome().is_some()));
                let task = Task { fen: Some(fen.clone()), moves: moves.clone(), ..Task::default() };
                let text = mine.think(&task, &mut |_| {}).unwrap();
                say(&Message::Move { seconds: 0, played: Move::read(&text).unwrap() });
                moves.push(text);
                continue;
            }
            let mut bytes = [0; 200];
            while said.is_empty() {
                let count = replies.read(&mut bytes).unwrap();
                assert!(count > 0, "an answer to each move: {moves:?}");
                said.extend(splitter.push(&bytes[..count]).unwrap());
            }
            match Message::read(&said.remove(0)).unwrap() {
                Message::GameAccept { .. } => {}
                Message::Move { played, .. } => moves.push(played.text()),
                Message::GameEnd { reason, .. } => {
                    assert_eq!(reason, protocol::dxp::End::Drawn, "{moves:?}");
                    break 'game;
                }
                other => panic!("{other:?}"),
            }
            if moves.len() > 60 {
                break;
            }
        }
        let _ = here.shutdown(std::net::Shutdown::Both);
        drop(served.join().unwrap());
    }
    assert!(passed > 0, "some draw was played past");
}

#[test]
fn other_boards_are_refused() {
    let refused = serve(setup("draughts/russian", true), Role::Follower, std::io::empty(), std::io::sink());
    assert_eq!(refused.unwrap_err().key, "engine-protocol");
}

/// Makes an external DXP program: a shell script that stores its input, while the test listens on its port.
#[cfg(unix)]
fn foreign(folder: &std::path::Path, game: &str, port: u16) -> External {
    std::fs::write(folder.join("engine.sh"), "while read -r line; do echo \"$line\" >> said; done\n")
        .unwrap();
    let mut config = Config::of_command(Protocol::Dxp, "sh engine.sh");
    config.folder = folder.to_owned();
    config.port = port;
    config.says = vec!["time 100".to_owned()];
    (config.start_ms, config.patience_ms) = (20_000, 300);
    let rules = Ruleset::new(game, &catalog::Options::new()).unwrap();
    External::new(config, rules, Fence::default(), 1).unwrap()
}

#[cfg(unix)]
#[test]
fn a_foreign_program_is_asked_for_moves() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let follower = thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let input = stream.try_clone().unwrap();
        serve(setup("draughts/international", true), Role::Follower, input, stream).unwrap()
    });
    let mut engine = foreign(folder.path(), "draughts/international", port);
    let mut script = Script(Ruleset::new("draughts/international", &catalog::Options::new()).unwrap(), true);
    let mut ask = |engine: &mut External, task: &Task| {
        let best = engine.think(task, &mut |_| {}).unwrap();
        assert_eq!(best, script.think(task, &mut |_| {}).unwrap(), "{task:?}");
        best
    };
    // A game that goes on: 31-26, 16-21 and what follows, up to the first captures.
    let mut moves = Vec::new();
    for _ in 0..12 {
        let task = Task { moves: moves.clone(), ..Task::default() };
        moves.push(ask(&mut engine, &task));
        let rules = Ruleset::new("draughts/international", &catalog::Options::new()).unwrap();
        let game = rules.play(None, &moves).unwrap();
        moves.push(game.moves().last().unwrap().clone());
    }
    assert!(moves.iter().any(|text| text.contains('x')), "{moves:?}");
    // The other side of the same game, an earlier position, a position of its own, and a new game: each is another
    // game to DXP.
    ask(&mut engine, &Task { moves: moves[..5].to_vec(), ..Task::default() });
    ask(&mut engine, &Task { moves: moves[..2].to_vec(), ..Task::default() });
    ask(&mut engine, &Task { fen: Some("B:WK3,28:B12,K46".to_owned()), ..Task::default() });
    engine.new_game();
    ask(&mut engine, &Task::default());
    assert_eq!(std::fs::read_to_string(folder.path().join("said")).unwrap(), "time 100\n");
    drop(engine);
    assert_eq!(follower.join().unwrap().len(), 5);
}

#[cfg(unix)]
#[test]
fn a_program_that_does_not_wait_on_its_port_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    // No program listens there any more.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut silent = Config::of_command(Protocol::Dxp, "sleep 20");
    (silent.folder, silent.port, silent.start_ms) = (folder.path().to_owned(), port, 200);
    let dead = Config { command: vec!["true".to_owned()], start_ms: 20_000, ..silent.clone() };
    let rules = Ruleset::new("draughts/international", &catalog::Options::new()).unwrap();
    for (config, key) in [(silent, "engine-hangs"), (dead, "engine-died")] {
        let mut engine = External::new(config, rules.clone(), Fence::default(), 1).unwrap();
        assert_eq!(engine.start().unwrap_err().key, key);
    }
    let mut russian = foreign(folder.path(), "draughts/russian", port);
    assert_eq!(russian.start().unwrap_err().key, "engine-game");
}
