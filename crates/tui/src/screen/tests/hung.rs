//! Tests of the lobby of a hall that stops answering.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use client::Trust;
use serde_json::{Value, json};

use super::*;
use crate::hall::{Hall, Terms, Waited};
use crate::identity::Home;

/// A hall that answers a lobby's requests, and from some moment on only reads them.
struct Hung {
    base: String,
    /// The lock that stops all answers while it is held.
    gate: Arc<Mutex<()>>,
    /// The paths that were requested.
    asked: Receiver<String>,
    name: Arc<Mutex<&'static str>>,
}

impl Hung {
    fn open() -> Hung {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (gate, name) = (Arc::new(Mutex::new(())), Arc::new(Mutex::new("Ada")));
        let (paths, asked) = channel();
        let (answers, shut) = (Arc::clone(&name), Arc::clone(&gate));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (paths, shut, answers) = (paths.clone(), Arc::clone(&shut), Arc::clone(&answers));
                thread::spawn(move || {
                    let mut stream = stream;
                    while let Some(path) = read_request(&mut stream) {
                        let _ = paths.send(path.clone());
                        drop(shut.lock());
                        let name = *answers.lock().unwrap();
                        let body = answer(&path, name).to_string();
                        let head = format!(
                            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                            body.len()
                        );
                        if stream.write_all(format!("{head}{body}").as_bytes()).is_err() {
                            return;
                        }
                    }
                });
            }
        });
        Hung { base, gate, asked, name }
    }
}

/// Reads the next request with its body and returns its path.
fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        (stream.read(&mut byte).ok()? == 1).then(|| head.push(byte[0]))?;
    }
    let head = String::from_utf8(head).ok()?.to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    stream.read_exact(&mut vec![0; length.unwrap_or(0)]).ok()?;
    head.split(' ').nth(1).map(str::to_owned)
}

fn answer(path: &str, name: &str) -> Value {
    let player = json!({ "id": "p", "name": name });
    match path {
        "/api/guests" => json!({ "secret": "s", "player": player }),
        "/api/me" => json!({ "player": player, "playing": [] }),
        "/api/challenges" => json!({ "received": [], "sent": [] }),
        "/api/tables" => json!({ "open": [], "live": [] }),
        "/api/pool" => json!({ "waited_ms": 0, "waiting": 1 }),
        _ => json!({}),
    }
}

#[test]
fn keys_work_while_a_hall_hangs() {
    let hall = Hung::open();
    let mut seen = Seen::at(Start::Lobby(hall.base.clone()), English, (80, 24));
    assert!(seen.text().contains("Ada"), "{}", seen.text());
    while hall.asked.try_recv().is_ok() {}

    let held = hall.gate.lock().unwrap();
    *hall.name.lock().unwrap() = "Eve";
    seen.now_ms = 10_000;
    // A program that waited for the hall here would be told so only after the time limit.
    seen.app.tick(seen.now_ms);
    hall.asked.recv_timeout(Duration::from_secs(60)).expect("the hall is asked");
    let before = seen.text();
    let late = texts::say(English, "problem-hall-unreachable", &[]);
    assert!(!before.contains(&late[..20]), "it is not waited for until it is too late:\n{before}");
    seen.press("<down>");
    seen.app.tick(seen.now_ms + 60);
    let after = seen.text();
    assert_ne!(before, after, "the selection moves");
    assert!(after.contains("Ada"), "what was known last is shown:\n{after}");
    assert!(hall.asked.try_recv().is_err(), "it is asked once");

    drop(held);
    for _ in 0..6000 {
        seen.now_ms += 50;
        seen.app.tick(seen.now_ms);
        if seen.text().contains("Eve") {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("the answer is never shown:\n{}", seen.text());
}

/// The request to leave the pool does not overtake the last poll. A hall that received them in the wrong order would
/// pair a player who has left.
#[test]
fn who_gives_up_does_not_overtake_their_last_question() {
    let Hung { base, gate, asked, .. } = Hung::open();
    let folder = tempfile::tempdir().unwrap();
    let home = Home { folder: folder.path().to_owned(), trust: Trust::system() };
    let (mut hall, _) = Hall::enter(&base, &home).unwrap_or_else(|_| panic!("it answers"));
    let clock = wire::ClockSpec::per_move(1_000);
    let mut overtakes = || {
        let waited = hall.play_now(Terms { game: "xiangqi", clock, rated: false });
        assert!(matches!(waited, Ok(Waited::Still)));
        while asked.try_recv().is_ok() {}
        let held = gate.lock().unwrap();
        assert!(matches!(hall.look_for(), Ok(Waited::Still)));
        let patient = Duration::from_secs(60);
        assert_eq!(asked.recv_timeout(patient).as_deref(), Ok("/api/pool"), "a question is on its way");
        thread::scope(|scope| {
            let giving_up = scope.spawn(|| hall.give_up());
            let began = Instant::now();
            let overtaken = asked.recv_timeout(Duration::from_millis(100)).is_ok();
            // After a second it is waited for no longer.
            let is_told = began.elapsed() < Duration::from_millis(500);
            drop(held);
            assert_eq!(giving_up.join().ok(), Some(None));
            assert!(overtaken || asked.recv_timeout(patient).is_ok(), "the hall is told");
            is_told.then_some(overtaken)
        })
    };
    assert_eq!((0..20).find_map(|_| overtakes()), Some(false));
}
