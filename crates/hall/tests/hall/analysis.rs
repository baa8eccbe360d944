//! Hints, analysis and reports, and the people who are refused them.

use client::Seat;
use edge::limits::Limits;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use wire::{Act, AnalysisMessage, CreateTable, Fault, Hint, How, Opponent, Replay, Report, Side, Worth};

use crate::house::{House, done, gomoku, hear, mv, soon, table_of};
use crate::opponents::{fake, house_with};

/// Posts a request with a person's secret; an empty one is left out.
pub async fn post(house: &House, path: &str, secret: &str, body: &Value) -> (u16, Value) {
    let request = house.http.post(format!("{}{path}", house.base));
    let request = if secret.is_empty() { request } else { request.bearer_auth(secret) };
    let request = request.header("content-type", "application/json").body(body.to_string());
    let response = soon(request.send()).await.expect("answers");
    (response.status().as_u16(), serde_json::from_str(&response.text().await.expect("text")).expect("JSON"))
}

pub async fn newcomer(house: &House) -> String {
    let (_, guest) = post(house, "/api/guests", "", &Value::Null).await;
    guest["secret"].as_str().expect("a secret").to_owned()
}

async fn open(house: &House, secret: &str, wish: &CreateTable) -> String {
    let wish = serde_json::to_value(wish).expect("plain");
    let (status, made) = post(house, "/api/tables", secret, &wish).await;
    assert_eq!(status, 201, "{made}");
    made["id"].as_str().expect("an id").to_owned()
}

pub fn read<T: serde::de::DeserializeOwned>((status, body): (u16, Value)) -> T {
    assert_eq!(status, 200, "{body}");
    serde_json::from_value(body).expect("as it is written down")
}

fn why((status, body): (u16, Value)) -> (u16, String) {
    (status, body["error"]["key"].as_str().unwrap_or_default().to_owned())
}

/// Four in a row of the first player, who is to move.
pub const FOUR: &str = "h8 a1 i8 a2 j8 a3 k8 a4";

/// Opens a game on one screen after those moves.
pub async fn alone(house: &House, moves: &str) -> Seat {
    let guest = house.guest().await;
    let table = guest.open(&gomoku(How::Screen)).await.expect("a table").id;
    let mut seat = Seat::new(guest, &table);
    hear(&mut seat).await;
    for text in moves.split_whitespace() {
        done(&mut seat, mv(text)).await;
    }
    seat
}

#[tokio::test]
async fn a_hint_for_those_who_are_alone_or_play_a_program() {
    let house = House::open().await;
    let secret = newcomer(&house).await;
    let screen = CreateTable { fen: None, ..gomoku(How::Screen) };
    let table = open(&house, &secret, &screen).await;
    let hint: Hint = read(post(&house, &format!("/api/tables/{table}/hint"), &secret, &Value::Null).await);
    assert_eq!((hint.ply, hint.line.moves.len() == hint.line.names.len()), (0, true));
    let stranger = newcomer(&house).await;
    let asked = post(&house, &format!("/api/tables/{table}/hint"), &stranger, &Value::Null).await;
    assert_eq!(why(asked), (400, "not-your-seat".to_owned()));

    let with_program = CreateTable { opponent: Some(Opponent::Level(1)), ..gomoku(How::Invite) };
    let table = open(&house, &secret, &with_program).await;
    let hint: Hint = read(post(&house, &format!("/api/tables/{table}/hint"), &secret, &Value::Null).await);
    assert!(!hint.line.moves.is_empty());

    let with_people = open(&house, &secret, &gomoku(How::Invite)).await;
    let asked = post(&house, &format!("/api/tables/{with_people}/hint"), &secret, &Value::Null).await;
    assert_eq!(why(asked), (400, "no-hints-here".to_owned()));
}

#[tokio::test]
async fn hints_are_counted() {
    let house = House::with(Limits::default()).await;
    let secret = newcomer(&house).await;
    let table = open(&house, &secret, &gomoku(How::Invite)).await;
    let mut refused = 0;
    for _ in 0..14 {
        let (status, _) = post(&house, &format!("/api/tables/{table}/hint"), &secret, &Value::Null).await;
        refused += usize::from(status == 429);
    }
    assert!((1..=4).contains(&refused), "{refused} of 14");
}

pub type Socket =
    tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

pub async fn study(house: &House, table: &str) -> Socket {
    let url = format!("{}/ws/study?table={table}", house.base.replace("http", "ws"));
    soon(tokio_tungstenite::connect_async(url)).await.expect("opens").0
}

pub async fn look(socket: &mut Socket, n: u32, ply: u32, lines: u8) {
    let wish = json!({"t": "look", "n": n, "ply": ply, "lines": lines}).to_string();
    soon(socket.send(Message::Text(wish.into()))).await.expect("open");
}

/// Returns the first message that `wanted` accepts.
pub async fn told<T>(socket: &mut Socket, wanted: impl Fn(AnalysisMessage) -> Option<T>) -> T {
    loop {
        if let Message::Text(text) = soon(socket.next()).await.expect("open").expect("open") {
            let word = serde_json::from_str(&text).expect("as it is written down");
            if let Some(found) = wanted(word) {
                return found;
            }
        }
    }
}

#[tokio::test]
async fn an_analysis_tells_the_best_lines_and_minds_the_last_wish() {
    let house = House::open().await;
    let seat = alone(&house, FOUR).await;
    let mut socket = study(&house, &table_of(&seat)).await;
    // Looked at for as long as may be, until the next wish.
    look(&mut socket, 1, 2, 1).await;
    look(&mut socket, 2, 8, 2).await;
    let lines = told(&mut socket, |word| match word {
        AnalysisMessage::Found { n: 2, lines, done: true, .. } => Some(lines),
        AnalysisMessage::Found { n: 1, done: true, .. } => panic!("the first wish was taken back"),
        AnalysisMessage::No { why, .. } => panic!("{}", why.key),
        AnalysisMessage::Found { .. } => None,
    })
    .await;
    assert_eq!(lines[0].worth, Worth::Wins(1), "five at once");
    assert!(["g8", "l8"].contains(&lines[0].moves[0].as_str()), "{:?}", lines[0].moves);
    let played: Replay = read(
        post(
            &house,
            &format!("/api/tables/{}/aside", table_of(&seat)),
            "",
            &json!({"ply": 8, "moves": ["l8"]}),
        )
        .await,
    );
    assert_eq!(played.patches.len(), 1);
    let wrong = json!({"ply": 8, "moves": ["h8"]});
    let (status, _) = post(&house, &format!("/api/tables/{}/aside", table_of(&seat)), "", &wrong).await;
    assert_eq!(status, 400, "taken already");
}

#[tokio::test]
async fn a_game_between_people_is_not_analysed_while_it_lasts() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    let table = table_of(&seats[0]);
    let mut socket = study(&house, &table).await;
    let refused = |word| match word {
        AnalysisMessage::No { why, .. } => Some(why.key.to_string()),
        AnalysisMessage::Found { .. } => panic!("nobody may look"),
    };
    look(&mut socket, 1, 0, 1).await;
    assert_eq!(told(&mut socket, refused).await, "study-not-now");
    let asked = post(&house, &format!("/api/tables/{table}/report"), "", &Value::Null).await;
    assert_eq!(why(asked), (401, "who-are-you".to_owned()));
    let secret = newcomer(&house).await;
    let asked = post(&house, &format!("/api/tables/{table}/report"), &secret, &Value::Null).await;
    assert_eq!(why(asked), (400, "study-not-now".to_owned()));
    let asked = post(&house, &format!("/api/tables/{table}/aside"), "", &json!({"ply": 0})).await;
    assert_eq!(why(asked), (400, "study-not-now".to_owned()));
    done(&mut seats[0], Act::Abort).await;
    look(&mut socket, 2, 0, 1).await;
    told(&mut socket, |word| matches!(word, AnalysisMessage::Found { n: 2, .. }).then_some(())).await;
}

#[tokio::test]
async fn a_report_finds_what_lost_the_game_and_is_kept() {
    let mut house = House::open().await;
    // The first player has a five at hand, plays elsewhere, and loses by it.
    let seat = alone(&house, &format!("{FOUR} m1 a5")).await;
    assert_eq!(seat.end.as_ref().and_then(|end| end.winner), Some(Side::Second));
    let path = format!("/api/tables/{}/report", table_of(&seat));
    let secret = newcomer(&house).await;
    let whole = async |house: &House| loop {
        let report: Report = read(post(house, &path, &secret, &Value::Null).await);
        if report.done == report.of {
            return report;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    };
    let report = soon(whole(&house)).await;
    assert_eq!(
        (report.points.len(), report.points[8].1, report.points[10].1),
        (11, Worth::Wins(1), Worth::Wins(-1))
    );
    let mut faults = report.faults.iter().rev();
    let last = faults.find(|fault| fault.fault == Fault::Blunder).expect("one at least");
    assert_eq!((last.from, last.to, last.by), (8, 9, Side::First));
    assert!(["g8", "l8"].contains(&last.better.moves[0].as_str()), "{:?}", last.better);
    drop(seat);
    house.restart().await;
    let again: Report = read(post(&house, &path, &secret, &Value::Null).await);
    assert_eq!(again, report, "it is there at once");
}

#[tokio::test]
async fn a_foreign_program_analyses_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let go =
        "go*) echo 'info depth 7 multipv 1 score cp 42 nodes 99 pv h2e2 h9g7 a0a9'; echo bestmove h2e2;;";
    let house = house_with(fake(folder.path(), go)).await;
    let secret = newcomer(&house).await;
    let xiangqi =
        CreateTable { game: "xiangqi".to_owned(), options: Default::default(), ..gomoku(How::Screen) };
    let table = open(&house, &secret, &xiangqi).await;
    let mut socket = study(&house, &table).await;
    let ask = async |socket: &mut Socket, n: u32, engine: &str| {
        let wish = json!({"t": "look", "n": n, "ply": 0, "lines": 3, "engine": engine}).to_string();
        soon(socket.send(Message::Text(wish.into()))).await.expect("open");
    };
    ask(&mut socket, 1, "Fake").await;
    let lines = told(&mut socket, |word| match word {
        AnalysisMessage::Found { n: 1, lines, done: true, .. } => Some(lines),
        AnalysisMessage::Found { .. } => None,
        AnalysisMessage::No { why, .. } => panic!("{}", why.key),
    })
    .await;
    // What is not legal is left out.
    assert_eq!((lines.len(), lines[0].worth, lines[0].depth), (1, Worth::Hundredths(42), 7));
    assert_eq!(lines[0].moves, ["h2e2", "h9g7"]);
    ask(&mut socket, 2, "Nobody").await;
    let why = told(&mut socket, |word| match word {
        AnalysisMessage::No { n: 2, why } => Some(why.key),
        _ => None,
    });
    assert_eq!(why.await, "no-such-engine");
}
