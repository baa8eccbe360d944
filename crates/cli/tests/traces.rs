//! `qiguan serve --traces`: a collector gets the spans of a move, without secrets, and a hall without a collector
//! plays on.
#![cfg(feature = "traces")]

mod running;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use client::Guest;
use running::{Hall, on_one_screen};
use wire::{Act, ClientMessage, ServerMessage};

/// Returns a collector that accepts everything, and passes the bodies of requests on.
fn collector() -> (String, mpsc::Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}/v1/traces", listener.local_addr().expect("it listens"));
    let (told, heard) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let mut bytes = Vec::new();
            let mut piece = [0; 4096];
            // One request a connection is enough: it is closed after its answer.
            let whole = |bytes: &[u8]| {
                let head = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
                let text = String::from_utf8_lossy(&bytes[..head]).to_lowercase();
                let length =
                    text.split("content-length: ").nth(1)?.split('\r').next()?.parse::<usize>().ok()?;
                (bytes.len() >= head + length).then_some(head)
            };
            while let Ok(read @ 1..) = stream.read(&mut piece) {
                bytes.extend_from_slice(&piece[..read]);
                if let Some(head) = whole(&bytes) {
                    let _ = stream
                        .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
                    let _ = told.send(bytes.split_off(head));
                    break;
                }
            }
        }
    });
    (url, heard)
}

fn has(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|piece| piece == text.as_bytes())
}

/// Plays a move; the table's id.
async fn play(url: &str) -> String {
    let guest = Guest::enter(url).await.expect("a guest");
    let wish = on_one_screen("gomoku/standard", None);
    let id = guest.open(&wish).await.expect("a table").id;
    let mut line = guest.connect(&id, None).await.expect("connects");
    let ServerMessage::Full { v: ver, .. } = line.hear().await.expect("everything") else {
        panic!("a table begins with everything")
    };
    let act = Act::Move { text: "h8".to_owned(), away: false };
    line.say(&ClientMessage::Do { cmd: "command-1".to_owned(), ver, act }).await.expect("connected");
    loop {
        match line.hear().await.expect("connected") {
            ServerMessage::Ev(_) => return id,
            ServerMessage::No { why, .. } => panic!("{why:?}"),
            _ => {}
        }
    }
}

#[test]
fn a_move_is_followed_from_the_socket_to_the_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let (url, heard) = collector();
    let hall = Hall::start_with(folder.path(), &["--node", "north", "--traces", &url]);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let id = runtime.block_on(play(&hall.url));
    let until = Instant::now() + Duration::from_secs(30);
    let mut all = Vec::new();
    let wanted = ["POST /api/tables", "http.route", "wish", "append", "move", &id, "qiguan", "north"];
    while wanted.iter().any(|text| !has(&all, text)) {
        let left = until.saturating_duration_since(Instant::now());
        let missing: Vec<_> = wanted.iter().filter(|text| !has(&all, text)).collect();
        all.extend(heard.recv_timeout(left).unwrap_or_else(|_| panic!("never heard of {missing:?}")));
    }
    assert!(!has(&all, "cookie") && !has(&all, "h8"), "what people say and are known by is not traced");
}

#[test]
fn a_collector_that_is_away_holds_nobody_up() {
    let folder = tempfile::tempdir().expect("a folder");
    // No server listens there: the port was free a moment ago.
    let free = TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("it listens");
    let hall = Hall::start_with(folder.path(), &["--traces", &format!("http://{free}/v1/traces")]);
    tokio::runtime::Runtime::new().expect("a runtime").block_on(play(&hall.url));
}
