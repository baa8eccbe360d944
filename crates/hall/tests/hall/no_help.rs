//! All addresses by which a player could get help in a game between two people. Each of them refuses it to every
//! person, however the board is laid out.

use client::{Guest, Seat};
use reqwest::Method;
use serde_json::{Value, json};
use wire::{Act, ClockSpec, CreateTable, How, Side};

use crate::house::{House, done, gomoku, level, moves, soon, table_of};
use crate::rated::with_accounts;

/// The addresses that show a running game to everybody: its moves, and the rules of its pieces.
const SHOWN: [&str; 11] = [
    "get /api/tables/{id}",
    "get /api/tables/{id}/details",
    "get /api/tables/{id}/fen",
    "get /api/tables/{id}/log",
    "put /api/tables/{id}/note",
    "get /api/tables/{id}/plan",
    "put /api/tables/{id}/plan",
    "post /api/tables/{id}/plan/look",
    "get /api/tables/{id}/qr",
    "get /api/tables/{id}/record",
    "get /api/tables/{id}/replay",
];

/// Returns the status and the key of the refusal, if it is one.
async fn ask(house: &House, who: Option<&Guest>, method: &str, path: &str, sent: &Value) -> (u16, String) {
    let method: Method = method.to_uppercase().parse().expect("a method");
    let request = house.http.request(method.clone(), format!("{}{path}", house.base));
    let request = if let Some(who) = who { request.bearer_auth(who.secret()) } else { request };
    let request = if method == Method::GET {
        request
    } else {
        request.header("content-type", "application/json").body(sent.to_string())
    };
    let answer = soon(request.send()).await.expect("answers");
    let status = answer.status().as_u16();
    let text = answer.text().await.expect("text");
    let body: Value = serde_json::from_str(&text).unwrap_or_default();
    (status, body["error"]["key"].as_str().unwrap_or_default().to_owned())
}

async fn sit([ann, bob]: [&Guest; 2], wish: &CreateTable) -> [Seat; 2] {
    let table = ann.open(wish).await.expect("a table").id;
    let mut seats = [Seat::new(ann.clone(), &table), Seat::new(bob.clone(), &table)];
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    seats
}

/// The lessons of a running rated game do not show its open threes (A1). Each address of the description that has to
/// do with a table is called; a new one must be in `SHOWN`, or refuse.
#[tokio::test]
async fn no_door_teaches_at_a_running_game() {
    let (house, [ann, bob, eve]) = with_accounts(["Ann", "Bob", "Eve"]).await;
    let guest = house.guest().await;
    let wish = CreateTable {
        clock: ClockSpec::Fischer { base_ms: 180_000, increment_ms: 2_000 },
        rated: true,
        options: Default::default(),
        side: Some(Side::First),
        ..gomoku(How::Invite)
    };
    let mut seats = sit([&ann, &bob], &wish).await;
    moves(&mut seats, "h8 a1 h9 a2 h10 a4 g8 o15").await;
    let table = table_of(&seats[0]);
    let description: Value = serde_json::from_str(include_str!("../../openapi.json")).expect("JSON");
    let mut doors: Vec<(String, String)> = Vec::new();
    for (path, methods) in description["paths"].as_object().expect("addresses") {
        for method in methods.as_object().expect("methods").keys() {
            if path.starts_with("/api/tables/{id}") && !SHOWN.contains(&&*format!("{method} {path}")) {
                doors.push((method.clone(), path.replace("{id}", &table)));
            }
        }
    }
    assert!(doors.len() >= 4, "{doors:?}");
    for path in ["explore", "games"] {
        doors.push(("get".to_owned(), format!("/api/library/{path}?table={table}")));
    }
    let sent = json!({ "ply": 8, "moves": [] });
    for (who, asker) in [("a player", Some(&ann)), ("an account", Some(&eve)), ("a guest", Some(&guest))] {
        for (method, path) in &doors {
            let (status, key) = ask(&house, asker, method, path, &sent).await;
            assert!((400..500).contains(&status) && status != 404, "{who}: {method} {path}: {status} {key}");
        }
    }
    // A request without a secret may come from either player, and lessons are refused to it, too.
    let lessons = format!("/api/tables/{table}/lessons");
    assert_eq!(ask(&house, None, "get", &lessons, &sent).await, (400, "study-not-now".to_owned()));
    done(&mut seats[0], Act::Resign { side: None }).await;
    assert_eq!(ask(&house, None, "get", &lessons, &sent).await.0, 200, "when it is over, all may learn");
    // A copy of a running game on one screen is no school either.
    let mut others = house.pair(gomoku(How::Invite)).await;
    moves(&mut others, "h8 a1 h9 a2 h10 a4 g8").await;
    let fen = guest.get(&format!("/api/tables/{}/fen", table_of(&others[0]))).await.expect("shown");
    let fen = fen["fen"].as_str().expect("text").to_owned();
    let copy = CreateTable { fen: Some(fen), ..gomoku(How::Screen) };
    let copy = guest.open(&copy).await.expect("a copy is no help").id;
    let lessons = format!("/api/tables/{copy}/lessons");
    assert_eq!(ask(&house, Some(&guest), "get", &lessons, &sent).await, (400, "position-in-play".to_owned()));
}

/// Returns the position of a game after those moves, as text.
fn after(game: &str, texts: &str) -> String {
    let entry = catalog::find(game).expect("is there");
    let options = entry.settle(&Default::default(), catalog::Setting::Online).expect("the usual");
    let mut game = entry.open(entry.usual_map(), &options, None).expect("the start");
    texts.split_whitespace().for_each(|text| game.play(text).expect("legal"));
    game.fen()
}

/// Mirrors each row of a board; runs of empty places keep their numbers.
fn mirrored(fen: &str) -> String {
    let (board, rest) = fen.split_once(' ').expect("two fields");
    let row = |row: &str| {
        let mut parts: Vec<String> = Vec::new();
        for c in row.chars() {
            match parts.last_mut() {
                Some(last) if c.is_ascii_digit() && last.ends_with(|c: char| c.is_ascii_digit()) => {
                    last.push(c)
                }
                _ => parts.push(c.to_string()),
            }
        }
        parts.into_iter().rev().collect::<String>()
    };
    let rows: Vec<String> = board.split('/').map(row).collect();
    format!("{} {rest}", rows.join("/"))
}

/// Turns the board upside down.
fn turned(fen: &str) -> String {
    let (board, rest) = fen.split_once(' ').expect("two fields");
    let rows: Vec<&str> = board.split('/').rev().collect();
    format!("{} {rest}", rows.join("/"))
}

/// Exchanges the pieces of both sides, and the side to move.
fn exchanged(fen: &str, [one, two]: [char; 2]) -> String {
    let other = |c: char| match c {
        'b' if one == 'b' => two,
        'w' if one == 'b' => one,
        c if c.is_ascii_uppercase() => c.to_ascii_lowercase(),
        c => c.to_ascii_uppercase(),
    };
    let (board, rest) = fen.split_once(' ').expect("two fields");
    let board: String = board.chars().map(other).collect();
    let (turn, rest) = rest.split_at(1);
    let turn = if turn.starts_with(one) { two } else { one };
    format!("{board} {turn}{rest}")
}

/// A running position is known mirrored, and without one edge pawn (A2).
#[tokio::test]
async fn a_running_position_is_known_however_it_is_laid_out() {
    let house = House::open().await;
    let xiangqi = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 g3g4 c6c5";
    let stones = "h8 i9 j10 h9 k8 i7 l9 j8";
    for (game, texts, pawn, two) in [
        ("xiangqi", xiangqi, ("p3p1p1p", "p3p1p2"), ("p3p1p1p", "4p4")),
        ("gomoku/standard", stones, ("b", "1"), ("", "")),
    ] {
        let wish = CreateTable { game: game.to_owned(), options: Default::default(), ..gomoku(How::Invite) };
        let mut seats = house.pair(wish.clone()).await;
        moves(&mut seats, texts).await;
        let fen = after(game, texts);
        let cheat = house.guest().await;
        let hint = async |game: &str, fen: &str| {
            let wish = CreateTable {
                game: game.to_owned(),
                fen: Some(fen.to_owned()),
                how: How::Screen,
                side: None,
                ..wish.clone()
            };
            let copy = cheat.open(&wish).await.unwrap_or_else(|why| panic!("{fen}: {why:?}")).id;
            ask(&house, Some(&cheat), "post", &format!("/api/tables/{copy}/hint"), &Value::Null).await
        };
        let refused = (400, "position-in-play".to_owned());
        let colours = if game == "xiangqi" { ['w', 'b'] } else { ['b', 'w'] };
        let turn_over = |fen: &str| if game == "xiangqi" { turned(fen) } else { fen.to_owned() };
        for (name, laid) in [
            ("as it is", fen.clone()),
            ("mirrored", mirrored(&fen)),
            ("the colours exchanged", exchanged(&turn_over(&fen), colours)),
            ("exchanged and mirrored", mirrored(&exchanged(&turn_over(&fen), colours))),
            ("one piece less", fen.replacen(pawn.0, pawn.1, 1)),
            ("one piece less, mirrored", mirrored(&fen.replacen(pawn.0, pawn.1, 1))),
        ] {
            if game != "xiangqi" && name.starts_with("one piece") {
                continue;
            }
            assert_eq!(hint(game, &laid).await, refused, "{game}, {name}: {laid}");
        }
        if game == "xiangqi" {
            let far = fen.replacen(two.0, two.1, 1);
            assert_ne!(far, fen);
            assert_eq!(hint(game, &far).await.0, 200, "three pieces less is another game: {far}");
        } else {
            assert_eq!(hint(game, &turned(&fen)).await, refused, "upside down");
            assert_eq!(hint("gomoku/freestyle", &fen).await, refused, "rules that differ in long rows alone");
        }
        done(&mut seats[0], Act::Resign { side: None }).await;
        assert_eq!(hint(game, &mirrored(&fen)).await.0, 200, "{game}: it is over");
    }
    // Positions of games under way cannot be looked up, mirrored or not.
    let mut seats = house.pair(gomoku(How::Invite)).await;
    moves(&mut seats, stones).await;
    for line in ["h8,i9,j10,h9,k8,i7,l9,j8", "h8,g9,f10,h9,e8,g7,d9,f8"] {
        let path = format!("/api/library/explore?game=gomoku/freestyle&options=size=15&moves={line}");
        let (status, key) = ask(&house, None, "get", &path, &Value::Null).await;
        assert_eq!((status, key.as_str()), (400, "position-in-play"), "{line}");
    }
    // Drawn piece by piece it is the same position.
    let drawn: Vec<String> = stones
        .split(' ')
        .enumerate()
        .map(|(ply, at)| format!("{}:stone@{at}", if ply % 2 == 0 { "first" } else { "second" }))
        .collect();
    let path = format!("/api/library/games?game=gomoku/freestyle&options=size=15&pieces={}", drawn.join(","));
    let (status, key) = ask(&house, None, "get", &path, &Value::Null).await;
    assert_eq!((status, key.as_str()), (400, "position-in-play"), "a pattern");
}
