//! The messages on the wire, one by one.

use std::collections::BTreeSet;

use client::{Connection as Line, Guest};
use edge::limits::Limits;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};
use wire::{Act, ClientMessage, EventKind, How, Offer, ServerMessage, Side};

use crate::house::{House, gomoku, mv, offer, say, soon, until};
use crate::rated::with_accounts;

/// Opens a table with two people who are connected: guests, connections, and the table's id.
async fn lines(house: &House, how: How) -> ([Guest; 2], [Line; 2], String) {
    let guests = [house.guest().await, house.guest().await];
    let table = guests[0].open(&gomoku(how)).await.expect("a table").id;
    let mut lines = [connect(&guests[0], &table, None).await, connect(&guests[1], &table, None).await];
    if how != How::Screen {
        say(&mut lines[1], "sitting-down", 0, Act::Sit { side: None }).await;
        for line in &mut lines {
            event(line, 2).await;
        }
    }
    (guests, lines, table)
}

async fn connect(guest: &Guest, table: &str, since: Option<u64>) -> Line {
    soon(guest.connect(table, since)).await.expect("opens")
}

/// Waits for that version.
async fn event(line: &mut Line, wanted: u64) -> EventKind {
    until(line, |m| match m {
        ServerMessage::Ev(event) if event.v == wanted => Some(event.k),
        _ => None,
    })
    .await
}

/// Returns the answer to a command: its version, or the key of the refusal.
async fn answer(line: &mut Line, wish: &str) -> Result<u64, String> {
    until(line, |m| match m {
        ServerMessage::Ev(event) if event.cmd.as_deref() == Some(wish) => Some(Ok(event.v)),
        ServerMessage::Ok { cmd, v } if cmd == wish => Some(Ok(v)),
        ServerMessage::No { cmd, why } if cmd == wish => Some(Err(why.key.into_owned())),
        _ => None,
    })
    .await
}

#[tokio::test]
async fn a_wish_on_an_old_board_is_stale_but_an_offer_makes_nothing_old() {
    let house = House::open().await;
    let (_, [mut first, mut second], _) = lines(&house, How::Invite).await;
    say(&mut first, "the-first", 2, mv("h8")).await;
    assert_eq!(answer(&mut first, "the-first").await, Ok(3));
    for (name, ver, act) in [
        ("a move", 2, mv("a1")),
        ("an offer", 2, offer(Offer::Takeback)),
        ("a resignation", 0, Act::Resign { side: None }),
        ("a claim", 1, Act::Flag),
    ] {
        say(&mut second, &format!("stale-{ver}-{}", name.len()), ver, act).await;
        let told = answer(&mut second, &format!("stale-{ver}-{}", name.len())).await;
        assert_eq!(told, Err("stale".to_owned()), "{name}");
    }
    say(&mut first, "take-it-back", 3, offer(Offer::Takeback)).await;
    assert_eq!(answer(&mut first, "take-it-back").await, Ok(4));
    say(&mut second, "not-looking", 3, mv("a1")).await;
    assert_eq!(answer(&mut second, "not-looking").await, Ok(5), "the offer did not change the board");
}

#[tokio::test]
async fn a_wish_is_done_once_whatever_happens_on_the_way() {
    let house = House::open().await;
    let (guests, [mut first, mut second], table) = lines(&house, How::Invite).await;
    say(&mut first, "only-once", 2, mv("h8")).await;
    say(&mut first, "only-once", 2, mv("h8")).await;
    assert_eq!(answer(&mut first, "only-once").await, Ok(3));
    say(&mut second, "the-answer", 3, mv("a1")).await;
    assert_eq!(answer(&mut second, "the-answer").await, Ok(4));
    first.cut();
    let mut again = connect(&guests[0], &table, None).await;
    say(&mut again, "only-once", 2, mv("h8")).await;
    let told = until(&mut again, |m| match m {
        ServerMessage::Ok { cmd, v } => Some((cmd, v)),
        ServerMessage::Ev(_) | ServerMessage::No { .. } => panic!("{m:?}"),
        _ => None,
    })
    .await;
    assert_eq!(told, ("only-once".to_owned(), 3), "what was replaced by a full is answered by ok");
    let ServerMessage::Full { v, record, .. } = house.full(&table).await else { panic!("full") };
    assert_eq!((v, record.len()), (4, 2));
}

#[tokio::test]
async fn what_was_missed_is_replayed_as_it_was_told() {
    let house = House::open().await;
    let (guests, [mut first, mut second], table) = lines(&house, How::Invite).await;
    let mut told: Vec<ServerMessage> = Vec::new();
    let mut own = [false; 7];
    let script: [(usize, Act); 7] = [
        (0, mv("h8")),
        (1, mv("a1")),
        (0, mv("h9")),
        (1, offer(Offer::Takeback)),
        (0, Act::Accept { what: Offer::Takeback }),
        (1, mv("b1")),
        (0, Act::Resign { side: None }),
    ];
    for (i, (who, act)) in script.into_iter().enumerate() {
        let ver = 2 + i as u64;
        let line = if who == 0 { &mut first } else { &mut second };
        say(line, &format!("wish-number-{i}"), ver, act).await;
        for line in [&mut first, &mut second] {
            let text = loop {
                let text = soon(line.hear_text()).await.expect("open");
                if text.contains(r#""t":"ev""#) {
                    break text.to_string();
                }
            };
            // Only its sender sees the name of a wish.
            let mut bare: ServerMessage = serde_json::from_str(&text).expect("an event");
            if let ServerMessage::Ev(event) = &mut bare {
                own[i] |= event.cmd.take().is_some();
            }
            if told.len() <= i {
                told.push(bare);
            } else {
                assert_eq!(told[i], bare, "everybody is told the same");
            }
        }
    }
    assert_eq!(own, [true; 7], "whoever wished is told");
    for since in 2..=9_u64 {
        let mut line = connect(&guests[0], &table, Some(since)).await;
        let missed = &told[usize::try_from(since).expect("small") - 2..];
        for wanted in missed {
            let mut again = soon(line.hear()).await.expect("open");
            if let ServerMessage::Ev(event) = &mut again {
                event.cmd = None;
            }
            assert_eq!(&again, wanted, "since {since}");
        }
        let you = soon(line.hear()).await.expect("open");
        assert_eq!(you, ServerMessage::You { you: vec![Side::First] }, "since {since}");
    }
    // A client with a version beyond the last one has it from another hall's table.
    let mut line = connect(&guests[0], &table, Some(10)).await;
    assert!(matches!(soon(line.hear()).await, Ok(ServerMessage::Full { v: 9, .. })));
}

#[tokio::test]
async fn who_missed_too_much_gets_everything_at_once() {
    let house = House::open().await;
    let (guests, [mut first, mut second], table) = lines(&house, How::Invite).await;
    for i in 0..30_u64 {
        let line = if i % 2 == 0 { &mut first } else { &mut second };
        let text = format!("{}{}", char::from(b'a' + (i % 15) as u8), i / 15 * 2 + 1 + i % 2);
        say(line, &format!("moving-{i}"), 2 + i, mv(&text)).await;
        for line in [&mut first, &mut second] {
            event(line, 3 + i).await;
        }
    }
    for (since, whole) in [(2, true), (31, false), (32, false)] {
        let mut line = connect(&guests[0], &table, Some(since)).await;
        let begins = soon(line.hear()).await.expect("open");
        assert_eq!(matches!(begins, ServerMessage::Full { .. }), whole, "since {since}: {begins:?}");
    }
}

/// Times everything is asked for: more than the pipe and all buffers hold, and hardly more than the hall gives to one line without
/// a pause. Each answer has more than a thousand bytes.
const ASKED: usize = 2_400;

#[tokio::test]
async fn a_slow_reader_gets_everything_anew() {
    let house = House::open().await;
    let (_, [mut one, _], table) = lines(&house, How::Screen).await;
    // Looks on through a narrow pipe, and reads nothing.
    let address = house.running.as_ref().expect("open").address;
    let pipe = tokio::net::TcpSocket::new_v4().expect("a socket");
    pipe.set_recv_buffer_size(4096).expect("may be small");
    let pipe = soon(pipe.connect(address)).await.expect("connects");
    let url = format!("ws://{address}/ws?table={table}");
    let (mut slow, _) = soon(tokio_tungstenite::client_async(url, pipe)).await.expect("opens");
    // Asks for more than the pipe and all buffers hold.
    for _ in 0..ASKED {
        soon(slow.feed(Message::Text(r#"{"t":"full"}"#.into()))).await.expect("open");
    }
    soon(slow.send(Message::Text(r#"{"t":"ping","n":1}"#.into()))).await.expect("open");
    // More happens than the hall keeps for those who are behind.
    let mut last = 2;
    for i in 0..100_u8 {
        let text = format!("{}{}", char::from(b'a' + i % 15), i / 15 * 2 + 1 + i % 2);
        say(&mut one, &format!("moving-{i}"), last, mv(&text)).await;
        last = answer(&mut one, &format!("moving-{i}")).await.unwrap_or(last);
    }
    let (mut known, mut anew, mut answered) = (0, 0, false);
    while known < last || !answered {
        let Some(Ok(message)) = soon(slow.next()).await else { panic!("closed at version {known}") };
        let Message::Text(words) = message else { continue };
        // Thousands of these; reading all of each would take long.
        if let Some(rest) = words.strip_prefix(r#"{"t":"full","v":"#) {
            let v = rest.split(',').next().and_then(|v| v.parse().ok()).expect("a version");
            assert!(v >= known, "never back in time");
            (known, anew) = (v, anew + 1);
            continue;
        }
        match serde_json::from_str(&words).expect("of the protocol") {
            ServerMessage::Ev(event) => {
                assert_eq!(event.v, known + 1, "no gap");
                known = event.v;
            }
            ServerMessage::Pong { .. } => answered = true,
            _ => {}
        }
    }
    assert!(anew > ASKED + 1, "it got everything anew without asking: {anew}");
}

#[tokio::test]
async fn full_and_ping_are_answered() {
    let house = House::open().await;
    let (_, [mut first, _], _) = lines(&house, How::Invite).await;
    soon(first.say(&ClientMessage::Ping { n: 7 })).await.expect("open");
    let n = until(&mut first, |m| if let ServerMessage::Pong { n } = m { Some(n) } else { None }).await;
    assert_eq!(n, 7);
    soon(first.say(&ClientMessage::Full)).await.expect("open");
    let v = until(&mut first, |m| if let ServerMessage::Full { v, .. } = m { Some(v) } else { None }).await;
    assert_eq!(v, 2);
}

/// Opens a WebSocket that does not keep to the protocol.
async fn raw(
    house: &House,
    path: &str,
) -> impl StreamExt<Item = Result<Message, Error>> + SinkExt<Message, Error = Error> + Unpin + use<> {
    let url = format!("{}{path}", house.base.replacen("http", "ws", 1));
    let request = url.into_client_request().expect("an address");
    soon(tokio_tungstenite::connect_async(request)).await.expect("opens").0
}

#[tokio::test]
async fn bad_manners_end_the_connection_with_a_word() {
    let house = House::with(Limits::default()).await;
    let table = house.guest().await.open(&gomoku(How::Open)).await.expect("a table").id;
    let deep = format!(r#"{{"t":{}1{}}}"#, "[".repeat(1000), "]".repeat(1000));
    let ping = r#"{"t":"ping","n":1}"#;
    let wish = |cmd: &str| format!(r#"{{"t":"do","cmd":"{cmd}","ver":1,"act":{{"k":"leave"}}}}"#);
    let text = |s: &str| Message::Text(s.to_owned().into());
    let rows: Vec<(&str, Vec<Message>, u16)> = vec![
        ("no JSON", vec![text("hello")], 1003),
        ("another protocol", vec![text(r#"{"type":"dance"}"#)], 1003),
        ("deep nesting", vec![text(&deep)], 1003),
        ("a short name for a wish", vec![text(&wish("1234567"))], 1003),
        ("a long name for a wish", vec![text(&wish(&"x".repeat(41)))], 1003),
        ("a strange name for a wish", vec![text(&wish("12345678\u{e9}"))], 1003),
        ("binary", vec![Message::Binary(vec![1, 2, 3].into())], 1003),
        ("more than 4 KiB", vec![text(&format!("{ping}{}", " ".repeat(4096)))], 1009),
        ("a flood", vec![text(ping); 300], 1008),
        ("a flood of pings", vec![Message::Ping(Vec::new().into()); 300], 1008),
    ];
    for (name, messages, code) in rows {
        for path in [format!("/ws?table={table}"), "/ws/lobby".to_owned()] {
            if path.contains("lobby") && name.contains("for a wish") {
                continue; // nobody listens to wishes there
            }
            let mut socket = raw(&house, &path).await;
            for message in &messages {
                if socket.feed(message.clone()).await.is_err() {
                    break;
                }
            }
            let _ = soon(socket.flush()).await;
            let frame = soon(last_word(&mut socket)).await;
            assert_eq!(frame.as_ref().map(|f| u16::from(f.code)), Some(code), "{name} at {path}: {frame:?}");
        }
    }
    let mut fine = raw(&house, &format!("/ws?table={table}")).await;
    for _ in 0..90 {
        soon(fine.send(text(ping))).await.expect("open");
    }
    soon(fine.send(text(&format!("{ping}{}", " ".repeat(4096 - ping.len()))))).await.expect("open");
    let mut pongs = 0;
    while pongs < 91 {
        let Some(Ok(message)) = soon(fine.next()).await else { panic!("closed after {pongs} pongs") };
        pongs += usize::from(matches!(message, Message::Text(t) if t.contains("pong")));
    }
}

/// A message that is not understood, as of a page of another version, is refused, and every kind of connection stays
/// open (H8).
#[tokio::test]
async fn what_nobody_understands_is_refused_and_every_kind_of_connection_stays() {
    let (house, [ann]) = with_accounts(["Ann"]).await;
    let table = ann.open(&gomoku(How::Screen)).await.expect("a table").id;
    let made = json!({"name": "All", "access": "link", "from": {"name": "One", "game": "xiangqi"}});
    let study = ann.post(&["api", "studies"], &made).await.expect("a study");
    let study = study["study"]["id"].as_str().expect("an id").to_owned();
    let wish = |act: &str| format!(r#"{{"t":"do","cmd":"12345678","ver":1,"act":{act}}}"#);
    let wishes = [r#"{"k":"dance"}"#, r#"{"k":"move"}"#, r#"{"k":"sit","side":"third"}"#].map(wish);
    let old = r#"{"t":"do","cmd":"12345678","ver":-1,"act":{"k":"leave"}}"#.to_owned();
    let at_table = [&wishes[..], &[old]].concat();
    let gaze = r#"{"t":"gaze","n":7}"#.to_owned();
    let askew = r#"{"t":"look","n":7,"ply":"last","lines":3}"#.to_owned();
    let kinds = [
        (format!("/ws?table={table}"), at_table.clone(), json!({"cmd": "12345678"})),
        ("/ws/lobby".to_owned(), at_table.clone(), json!({"cmd": "12345678"})),
        ("/ws/here".to_owned(), at_table, json!({"cmd": "12345678"})),
        (format!("/ws/study?table={table}"), vec![gaze, askew], json!({"n": 7})),
        (format!("/ws/studies/{study}?since=1"), vec![r#"{"t":"at","chapter":-1}"#.to_owned()], json!({})),
    ];
    let said = kinds.iter().map(|(path, ..)| path.split('?').next().unwrap_or(path).replace(&study, "{id}"));
    let described: Value = house.get("/api/openapi.json").await.json().await.expect("JSON");
    let routes = described["paths"].as_object().expect("paths").iter();
    let sockets = routes.filter(|(_, route)| route["get"]["responses"]["101"].is_object());
    assert_eq!(
        said.collect::<BTreeSet<_>>(),
        sockets.map(|(path, _)| path.clone()).collect(),
        "each kind of WebSocket has a row above"
    );
    for (path, said, named) in kinds {
        let mut socket = raw(&house, &path).await;
        let mut rows: Vec<(String, Value)> = said.into_iter().map(|said| (said, named.clone())).collect();
        rows.push((r#"{"t":"dance"}"#.to_owned(), json!({})));
        for (said, named) in rows {
            soon(socket.send(Message::Text(said.clone().into()))).await.expect("open");
            let refusal: Value = loop {
                let Some(Ok(message)) = soon(socket.next()).await else {
                    panic!("closed by {said} at {path}")
                };
                if let Message::Text(words) = message
                    && let Ok(told) = serde_json::from_str::<Value>(&words)
                    && told["t"] == "no"
                {
                    break told;
                }
            };
            assert_eq!(refusal["why"]["key"], "unknown-act", "{said} at {path}: {refusal}");
            for (name, value) in named.as_object().expect("an object") {
                assert_eq!(&refusal[name], value, "{said} at {path}: {refusal}");
            }
        }
        // What is no message at all still ends it.
        soon(socket.send(Message::Text("hello".into()))).await.expect("open");
        assert_eq!(soon(last_word(&mut socket)).await.map(|f| u16::from(f.code)), Some(1003), "{path}");
    }
}

async fn last_word<S>(socket: &mut S) -> Option<CloseFrame>
where
    S: StreamExt<Item = Result<Message, Error>> + Unpin,
{
    while let Some(Ok(message)) = socket.next().await {
        if let Message::Close(frame) = message {
            return frame;
        }
    }
    None
}

#[tokio::test]
async fn a_huge_message_is_not_read() {
    let house = House::open().await;
    let (_, _, table) = lines(&house, How::Invite).await;
    let mut socket = raw(&house, &format!("/ws?table={table}")).await;
    let _ = soon(socket.send(Message::Text("x".repeat(10 << 20).into()))).await;
    while let Some(Ok(_)) = soon(socket.next()).await {}
    assert_eq!(soon(house.get("/health")).await.status(), 200);
}
