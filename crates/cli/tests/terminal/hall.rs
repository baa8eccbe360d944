//! A terminal and a second client at one table of a hall, with a line between them that breaks.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::pane::Pane;

/// A hall of its own.
pub struct Hall {
    child: Child,
    pub address: SocketAddr,
    /// Held open: the hall says more.
    _output: BufReader<ChildStdout>,
    _data: tempfile::TempDir,
}

impl Hall {
    pub fn open() -> Hall {
        let data = tempfile::tempdir().expect("a folder");
        let folder = data.path().join("hall").display().to_string();
        let mut child = Command::new(env!("CARGO_BIN_EXE_qiguan"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data", &folder])
            .env("LANG", "en_US.UTF-8")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        output.read_line(&mut line).expect("says where it is");
        let address =
            line.split_whitespace().find_map(|word| word.strip_prefix("http://")).expect("an address");
        Hall { child, address: address.parse().expect("host and port"), _output: output, _data: data }
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A cable that can be cut and mended.
#[derive(Clone)]
struct Cable {
    address: SocketAddr,
    /// The connections that go over it; `None` while it is cut.
    open: Arc<Mutex<Option<Vec<TcpStream>>>>,
}

impl Cable {
    fn to(hall: SocketAddr) -> Cable {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let open = Arc::new(Mutex::new(Some(Vec::new())));
        let cable = Cable { address, open: Arc::clone(&open) };
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let mut open = open.lock().expect("not poisoned");
                let Some(streams) = open.as_mut() else { continue };
                let Ok(far) = TcpStream::connect(hall) else { continue };
                for (from, to) in [(&near, &far), (&far, &near)] {
                    let (mut from, mut to) =
                        (from.try_clone().expect("a stream"), to.try_clone().expect("a stream"));
                    thread::spawn(move || {
                        let mut bytes = [0; 4096];
                        while let Ok(count @ 1..) = from.read(&mut bytes) {
                            if to.write_all(&bytes[..count]).is_err() {
                                break;
                            }
                        }
                        let _ = to.shutdown(Shutdown::Both);
                    });
                }
                streams.extend([near, far]);
            }
        });
        cable
    }

    fn cut(&self) {
        for stream in self.open.lock().expect("not poisoned").take().unwrap_or_default() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn mend(&self) {
        *self.open.lock().expect("not poisoned") = Some(Vec::new());
    }
}

/// A person who plays line by line.
pub struct Lines {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _home: tempfile::TempDir,
}

impl Lines {
    pub fn start(args: &[&str]) -> Lines {
        let home = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(env!("CARGO_BIN_EXE_qiguan"))
            .args(args)
            .env("LANG", "en_US.UTF-8")
            .env("XDG_DATA_HOME", home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Lines { child, input, output, _home: home }
    }

    pub fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        line.trim().to_owned()
    }

    pub fn say(&mut self, line: &str) -> String {
        writeln!(self.input, "{line}").expect("is read");
        self.hear()
    }

    /// Types a line, and checks that the answer begins with `answer`.
    pub fn expect(&mut self, line: &str, answer: &str) {
        let said = self.say(line);
        assert!(said.starts_with(answer), "{line} was answered with {said:?}");
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn two_clients_play_over_a_line_that_breaks() {
    let hall = Hall::open();
    let base = format!("http://{}", hall.address);
    let cable = Cable::to(hall.address);
    let mut other = Lines::start(&["play", "xiangqi", "--plain", "--hall", &base, "--side", "first"]);
    let begins = other.hear();
    let link = begins.split_whitespace().find(|word| word.contains("/t/")).expect("a link").to_owned();
    let through = link.replace(&base, &format!("http://{}", cable.address));
    let Some(pane) = Pane::open(&["play", "--hall", &through], "en_US.UTF-8", 100, 30) else { return };
    pane.wait(|text| text.contains("Free seat"));
    pane.keys(&["S"]);
    pane.wait(|text| text.contains("Black (You)"));
    other.expect("h2e2", "Red played C2=5.");
    pane.wait(|text| text.contains("C2=5"));
    pane.type_text(":h9g7");
    pane.keys(&["Enter"]);
    pane.wait(|text| text.contains("H8+7"));
    assert_eq!(other.say("wait"), "Black played H8+7. Red to move");

    cable.cut();
    pane.wait(|text| text.contains("Connection lost"));
    // What happens meanwhile is there afterwards; what is wished meanwhile is done then, once.
    other.expect("h0g2", "Red played H2+3.");
    cable.mend();
    pane.wait(|text| text.contains("H2+3"));
    pane.type_text(":i9h9");
    pane.keys(&["Enter"]);
    pane.wait(|text| text.contains("R9=8"));
    assert_eq!(other.say("wait"), "Black played R9=8. Red to move");

    // An offer, its answer, and the end at both.
    assert!(other.say("draw").contains("Red offers a draw"));
    pane.wait(|text| text.contains("y accepts"));
    // A key that is pressed as it comes was meant for something else.
    pane.keys(&["y"]);
    pane.wait(|text| text.contains("Look at it first"));
    std::thread::sleep(std::time::Duration::from_secs(1));
    pane.keys(&["y"]);
    let text = pane.wait(|text| text.contains("agreed draw"));
    assert!(text.contains("The game is over"), "{text}");
    assert!(other.say("status").contains("agreed draw"));
}

#[test]
fn rooms_are_found_by_name_and_watchers_only_watch() {
    let hall = Hall::open();
    let base = format!("http://{}", hall.address);
    let mut first =
        Lines::start(&["play", "gomoku", "--plain", "--hall", &base, "--room", "tea", "--side", "first"]);
    assert!(first.hear().contains("/t/"));
    let Some(pane) = Pane::open(&["play", "--hall", &base, "--room", "tea"], "en_US.UTF-8", 100, 30) else {
        return;
    };
    pane.wait(|text| text.contains("Room “tea”"));
    pane.keys(&["S"]);
    pane.wait(|text| text.contains("White (You)"));
    first.expect("j10", "Black played j10.");
    let link = first.say("status");
    assert!(link.contains("White to move"), "{link}");
    // A visitor in the lobby sees the game and watches it.
    let lobby = Pane::open(&["play", "--hall", &base], "en_US.UTF-8", 100, 30).expect("as before");
    lobby.wait(|text| text.contains("Gomoku"));
    lobby.keys(&["Enter"]);
    lobby.wait(|text| text.contains("You are watching"));
    pane.type_text(":k11");
    pane.keys(&["Enter"]);
    lobby.wait(|text| text.contains("k11"));
    lobby.keys(&["Enter"]);
    lobby.wait(|text| text.contains("You are watching"));
}

/// Line by line, a player is told of all events: people who sit down, offers and their answers, and whose turn it is.
#[test]
fn lines_tell_everything_that_happens() {
    let hall = Hall::open();
    let base = format!("http://{}", hall.address);
    let mut first = Lines::start(&["play", "xiangqi", "--plain", "--hall", &base, "--side", "first"]);
    let begins = first.hear();
    let link = begins.split_whitespace().find(|word| word.contains("/t/")).expect("a link");
    let mut second = Lines::start(&["play", "--plain", "--hall", link]);
    second.hear();
    second.expect("sit", "You play Black. Red to move");
    let told = first.say("wait");
    assert!(told.contains("Black has a player now."), "{told}");
    second.expect("h9g7", "It is the other side's turn. Red to move");
    first.expect("h2e2", "Red played C2=5. Black to move");
    second.expect("wait", "Red played C2=5. Black to move");
    let offered = first.say("draw");
    assert!(offered.contains("Red offers a draw"), "{offered}");
    // Whatever is asked next, the offer is told with it, once.
    let mut told = second.say("clock");
    while !told.contains("Red offers a draw") {
        assert_eq!(told, "No clock");
        told = second.say("clock");
    }
    assert_eq!(second.say("clock"), "No clock");
    second.expect("decline", "Black declines the draw. Red played C2=5.");
    let told = first.say("wait");
    assert!(told.contains("Black declines the draw."), "{told}");
    second.expect("resign", "Red played C2=5. The game is over, Red wins.");
    first.expect("wait", "Red played C2=5. The game is over, Red wins.");
}

/// The time for a first move counts down on the screen and line by line; a win can be claimed of a player who has
/// left, after a while and not before.
#[test]
fn a_first_move_is_waited_for_and_a_win_is_claimed() {
    let hall = Hall::open();
    let base = format!("http://{}", hall.address);
    let cable = Cable::to(hall.address);
    let bullet = ["--hall", &base, "--side", "first", "--clock", "120"];
    let mut first = Lines::start(&[&["play", "gomoku", "--plain"][..], &bullet].concat());
    let begins = first.hear();
    let link = begins.split_whitespace().find(|word| word.contains("/t/")).expect("a link").to_owned();
    let through = link.replace(&base, &format!("http://{}", cable.address));
    let Some(pane) = Pane::open(&["play", "--hall", &through], "en_US.UTF-8", 100, 30) else { return };
    pane.wait(|text| text.contains("Free seat"));
    pane.keys(&["S"]);
    // Twenty seconds among strangers, and twice as many among friends.
    pane.wait(|text| text.contains(" first move: 3"));
    let told = first.say("wait");
    assert!(told.contains("(your first move: 3"), "{told}");
    assert!(first.say("clock").contains("your first move: 3"));
    first.expect("claim", "Nobody has left");
    first.expect("j10", "Black played j10. White to move (first move: ");
    pane.wait(|text| text.contains("your first move: "));
    pane.keys(&["C"]);
    pane.wait(|text| text.contains("Nobody has left"));
    pane.type_text(":k11");
    pane.keys(&["Enter"]);
    assert_eq!(first.say("wait"), "White played k11. Black to move", "no such time runs any more");
    pane.wait(|text| text.contains("k11") && !text.contains("first move:"));

    first.expect("j9", "Black played j9.");
    pane.wait(|text| text.contains("j9"));
    cable.cut();
    let told = first.say("wait");
    assert!(told.contains("Your opponent has left. You may claim the win in "), "{told}");
    first.expect("claim", "The other player may come back");
    cable.mend();
    pane.wait(|text| text.contains("Connected again") || !text.contains("Connection lost"));
    let mut told = first.say("wait");
    while told.contains("has left") {
        told = first.say("wait");
    }
    first.expect("claim", "Nobody has left");
    pane.type_text(":k10");
    pane.keys(&["Enter"]);
    pane.wait(|text| text.contains("k10"));
    drop(first);
    pane.wait(|text| text.contains("Your opponent has left. You"));
    pane.keys(&["C"]);
    pane.wait(|text| text.contains("may come back"));
    if std::env::var_os("QIGUAN_DEEP").is_none() {
        return;
    }
    pane.wait(|text| text.contains("C claims the win"));
    pane.keys(&["C"]);
    pane.wait(|text| text.contains("The game is over, White wins."));
}

/// Choosing the line of an open table takes a seat there; and two people at one computer are two guests.
#[test]
fn a_line_of_an_open_table_is_a_seat() {
    let hall = Hall::open();
    let base = format!("http://{}", hall.address);
    let Some(one) = Pane::open(&["play", "--hall", &base], "en_US.UTF-8", 100, 30) else { return };
    one.wait(|text| text.contains("Open a table of your own"));
    one.keys(&["Enter"]);
    one.wait(|text| text.contains("(You)"));
    let home = one.file("");
    let variables = format!("XDG_DATA_HOME={home}");
    let args = ["play", "--hall", &base, "--guest", "second"];
    let other = Pane::open_with(&args, "en_US.UTF-8", &variables, 100, 30).expect("as before");
    other.wait(|text| text.contains("Free seat"));
    other.keys(&["Enter"]);
    other.wait(|text| text.contains("(You)") && text.contains("to move"));
    one.wait(|text| !text.contains("Free seat") && text.contains("to move"));
}

/// A table with `--level` at a hall has a program of the hall at the other seat, with either side to begin.
#[test]
fn a_level_sits_at_a_table_of_the_hall() {
    let hall = Hall::open();
    let base = format!("http://{}", hall.address);
    let table = ["--hall", &base, "--level", "2"];
    let mut person = Lines::start(&[&["play", "gomoku", "--plain", "--side", "first"][..], &table].concat());
    assert!(person.hear().contains("/t/"));
    person.expect("j10", "Black played j10.");
    let answer = person.say("wait");
    assert!(answer.starts_with("White played ") && answer.ends_with("Black to move"), "{answer}");

    let args = [&["play", "gomoku", "--side", "second"][..], &table].concat();
    let Some(pane) = Pane::open(&args, "en_US.UTF-8", 100, 30) else { return };
    pane.wait(|text| {
        text.contains("White (You)") && text.contains("Black (level 2)") && text.contains(" 1.")
    });
}
