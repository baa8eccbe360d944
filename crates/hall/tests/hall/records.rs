//! Records of tables as files, and files as tables.

use client::{Guest, Seat};
use serde_json::{Value, json};
use wire::{Act, Created, How, ServerMessage, Side};

use crate::house::{House, done, gomoku, hear, moves, mv, soon, table_of};

/// Returns the secret of a new guest, for requests that a `Guest` does not make.
async fn bearer(house: &House) -> String {
    let response = soon(house.http.post(format!("{}/api/guests", house.base)).send()).await.expect("answers");
    let guest: Value = serde_json::from_str(&response.text().await.expect("text")).expect("a guest");
    guest["secret"].as_str().expect("a secret").to_owned()
}

async fn import(house: &House, secret: &str, body: &Value) -> (u16, Value) {
    let request = house.http.post(format!("{}/api/records", house.base)).bearer_auth(secret);
    let request = request.header("content-type", "application/json").body(body.to_string());
    let response = soon(request.send()).await.expect("answers");
    let status = response.status().as_u16();
    (status, serde_json::from_str(&response.text().await.expect("text")).expect("JSON"))
}

#[tokio::test]
async fn a_table_goes_out_as_a_file_and_comes_back() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    moves(&mut seats, "h8 a1 h9 b1 h10").await;
    let table = table_of(&seats[0]);
    let ServerMessage::Full { view, record, .. } = house.full(&table).await else { panic!("full") };
    let secret = bearer(&house).await;
    for (format, ending, kind) in [
        ("json", "json", "application/json"),
        ("text", "txt", "text/plain; charset=utf-8"),
        ("sgf", "sgf", "application/x-go-sgf; charset=utf-8"),
    ] {
        let file = house.get(&format!("/api/tables/{table}/record?format={format}")).await;
        let header = |name: &str| file.headers()[name].to_str().expect("text").to_owned();
        assert_eq!(header("content-type"), kind);
        assert_eq!(
            header("content-disposition"),
            format!("attachment; filename=\"qiguan-{table}.{ending}\"")
        );
        let content = file.text().await.expect("text");
        for wish in [json!({"format": format, "content": content}), json!({"content": content})] {
            let (status, body) = import(&house, &secret, &wish).await;
            assert_eq!(status, 201, "{format}: {body}\n{content}");
            let created: Created = serde_json::from_value(body).expect("created");
            assert_eq!(created.you, [Side::First, Side::Second]);
            let ServerMessage::Full { view: now, record: moved, table, .. } = house.full(&created.id).await
            else {
                panic!("full")
            };
            assert_eq!((&now, table.how), (&view, How::Screen), "{format}");
            let texts = |r: &[wire::PlyInfo]| r.iter().map(|ply| (ply.0.clone(), ply.1)).collect::<Vec<_>>();
            assert_eq!(texts(&moved), texts(&record), "{format}");
        }
    }
}

/// A game that was resigned comes back as one that has ended.
#[tokio::test]
async fn a_game_that_ended_off_the_board_comes_back_ended() {
    let house = House::open().await;
    let secret = bearer(&house).await;
    let pdn = "[GameType \"20\"]\n[Result \"0-2\"]\n\n1. 32-28 19-23 0-2\n";
    let json = |result: Value| {
        json!({"format": "qiguan-record", "version": 1, "game": "gomoku/freestyle", "moves": ["h8", "a1"], "result": result})
            .to_string()
    };
    let said = |score: &str, reason: &str| json(json!({"score": score, "reason": reason}));
    for (name, content, wanted) in [
        ("a PDN", pdn.to_owned(), Some((Some(Side::Second), "recorded"))),
        ("resigned", said("first", "resign"), Some((Some(Side::First), "resign"))),
        ("out of time", said("second", "flag"), Some((Some(Side::Second), "flag"))),
        ("a stranger's reason", said("second", "<b>because</b>"), Some((Some(Side::Second), "recorded"))),
        ("a draw", said("draw", ""), Some((None, "draw-agreed"))),
        ("given up", said("void", ""), Some((None, "abort"))),
        ("not ended", json(Value::Null), None),
    ] {
        let (status, body) = import(&house, &secret, &json!({"content": content})).await;
        assert_eq!(status, 201, "{name}: {body}");
        let ServerMessage::Full { end, record, .. } = house.full(body["id"].as_str().expect("an id")).await
        else {
            panic!("full")
        };
        assert_eq!(record.len(), 2, "{name}");
        let end = end.map(|end| (end.winner, end.reason.into_owned()));
        assert_eq!(end, wanted.map(|(winner, reason)| (winner, reason.to_owned())), "{name}");
    }
}

#[tokio::test]
async fn an_imported_game_goes_on_and_back() {
    let house = House::open().await;
    let guest: Guest = house.guest().await;
    let table = guest.open(&gomoku(How::Screen)).await.expect("a table").id;
    let mut seat = Seat::new(guest.clone(), &table);
    for text in ["a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5"] {
        done(&mut seat, mv(text)).await;
    }
    let file = house.get(&format!("/api/tables/{table}/record")).await.text().await.expect("text");
    let response = import(&house, &bearer(&house).await, &json!({"content": file})).await;
    assert_eq!(response.0, 201);
    let ServerMessage::Full { end, .. } = house.full(response.1["id"].as_str().expect("an id")).await else {
        panic!("full")
    };
    assert_eq!(end.map(|end| end.reason.into_owned()).as_deref(), Some("five-in-a-row"));
    let back = Act::Offer { what: wire::Offer::Takeback, plies: Some(2) };
    done(&mut seat, back).await;
    assert_eq!((seat.record.len(), &seat.end), (7, &None), "after the end, too");
    hear(&mut Seat::new(guest, &table)).await;
}

/// The players and the date of a record survive in its table (R11).
#[tokio::test]
async fn who_played_and_when_survives_the_table() {
    let house = House::open().await;
    let secret = bearer(&house).await;
    let pdn = "[Event \"Tournoi de Paris\"]\n[Site \"Paris\"]\n[Date \"1911.11.27\"]\n[White \"Weiss, Isidore\"]\n\
               [Black \"Molimard, Marius\"]\n[Round \"4\"]\n[GameType \"20\"]\n[Result \"*\"]\n\n1. 32-28 19-23 *\n";
    let (status, body) = import(&house, &secret, &json!({"content": pdn})).await;
    assert_eq!(status, 201, "{body}");
    assert_eq!(body.get("told"), None, "all of it is there: {body}");
    let id = body["id"].as_str().expect("an id");
    let ServerMessage::Full { table, .. } = house.full(id).await else { panic!("full") };
    let heading = table.heading.expect("a heading");
    assert_eq!(heading.players, ["Weiss, Isidore".to_owned(), "Molimard, Marius".to_owned()]);
    assert_eq!((heading.date.as_str(), &*heading.tags["Event"]), ("1911-11-27", "Tournoi de Paris"));
    for format in ["pdn", "json", "text"] {
        let file = house.get(&format!("/api/tables/{id}/record?format={format}")).await;
        let file = file.text().await.expect("text");
        for words in ["Weiss, Isidore", "Molimard, Marius", "1911", "Tournoi de Paris"] {
            assert!(file.contains(words), "{format}: {words}\n{file}");
        }
        let (_, again) = import(&house, &secret, &json!({"content": file})).await;
        let ServerMessage::Full { table, .. } = house.full(again["id"].as_str().expect("an id")).await else {
            panic!("full")
        };
        assert_eq!(table.heading.as_ref(), Some(&heading), "{format} keeps it");
    }
}

/// A record with an impossible move opens as a table up to that move.
#[tokio::test]
async fn of_a_record_that_goes_wrong_a_table_has_what_is_right() {
    let house = House::open().await;
    let secret = bearer(&house).await;
    let json = |moves: Value| {
        json!({"format": "qiguan-record", "version": 1, "game": "gomoku/freestyle", "moves": moves,
            "players": ["Ada", ""], "result": {"score": "first", "reason": ""}})
        .to_string()
    };
    for (name, content, plies, key, place) in [
        ("taken", json(json!(["h8", "a1", "h9", "a1", "h10"])), 3, "table-cut", ("main", "2", "a1")),
        ("no square", json(json!(["h8", "z99"])), 1, "table-cut", ("main", "1", "z99")),
        (
            "a PDN",
            "[GameType \"20\"]\n[Result \"2-0\"]\n\n1. 32-28 19-23\n2. 28x19 50-44 2-0\n".to_owned(),
            3,
            "pdn-move",
            ("main", "2", "50-44"),
        ),
    ] {
        let (status, body) = import(&house, &secret, &json!({"content": content})).await;
        assert_eq!(status, 201, "{name}: {body}");
        let why = &body["told"][0];
        assert_eq!(why["key"], key, "{name}: {body}");
        let said = |fact: &str| why["args"][fact].as_str().unwrap_or_default();
        assert_eq!((said("where"), said("turn"), said("move")), place, "{name}: {body}");
        let ServerMessage::Full { record, end, table, .. } =
            house.full(body["id"].as_str().expect("an id")).await
        else {
            panic!("full")
        };
        assert_eq!((record.len(), end), (plies, None), "{name}: the result belongs to the last move");
        assert!(table.heading.expect("a heading").tags.contains_key("Cut"), "{name}");
    }
    // Brackets as deep as anybody likes exhaust nothing.
    let deep = format!("(;FF[4]GM[4]{}", "(;B[aa]".repeat(5_000));
    let (status, body) = import(&house, &secret, &json!({"content": deep})).await;
    assert_eq!((status, &body["told"][0]["key"]), (201, &json!("sgf-open")), "{body}");
    let (_, body) = import(
        &house,
        &secret,
        &json!({"content": "[GameType \"20\"]\n\n1. 32-28 19-23 *\n\n[GameType \"20\"]\n\n1. 31-27 *\n"}),
    )
    .await;
    assert_eq!(body["told"][0]["key"], "table-first-game", "{body}");
    let (_, body) =
        import(&house, &secret, &json!({"content": "(;FF[4]GM[4]SZ[15](;B[hh];W[aa])(;B[aa];W[bb]))"})).await;
    assert_eq!(
        (&body["told"][0]["key"], &body["told"][0]["args"]["moves"]),
        (&json!("table-one-line"), &json!("2")),
        "{body}"
    );
}

/// A program has its name, not `?`, in the record of its game (R11).
#[tokio::test]
async fn a_program_has_its_name_in_the_record() {
    let house = House::open().await;
    let guest = house.guest().await;
    let mut wish = gomoku(How::Invite);
    wish.opponent = Some(wire::Opponent::Level(1));
    wish.side = Some(Side::First);
    let table = guest.open(&wish).await.expect("a table").id;
    let file = house.get(&format!("/api/tables/{table}/record?format=json")).await;
    let file: Value = serde_json::from_str(&file.text().await.expect("text")).expect("JSON");
    assert_eq!(file["players"], json!({"first": "", "second": "Qiguan level 1"}), "{file}");
}

#[tokio::test]
async fn bad_files_are_refused_with_words() {
    let house = House::open().await;
    let secret = bearer(&house).await;
    let many: String = (0..60_000).map(|_| "\"h8\",").collect();
    let game = "gomoku/freestyle";
    for (name, wish) in [
        ("nothing", json!({"content": ""})),
        ("prose", json!({"content": "Dear hall, this was a fine game."})),
        ("a strange format", json!({"format": "pgn", "content": "1. Qh5"})),
        ("half a JSON", json!({"content": "{\"game\":"})),
        ("half an SGF", json!({"content": "(;GM[4]"})),
        ("another game's SGF", json!({"content": "(;FF[4]GM[1]SZ[19];B[aa])"})),
        (
            "an illegal first move",
            json!({"content": json!({"format": "qiguan-record", "version": 1, "game": game, "moves": ["z9"]}).to_string()}),
        ),
        ("off the board", json!({"content": "(;FF[4]GM[4]SZ[15];B[zz])"})),
        ("another game", json!({"content": json!({"game": "chess", "moves": []}).to_string()})),
        ("too many moves", json!({"content": format!("{{\"game\":\"{game}\",\"moves\":[{many}\"a1\"]}}")})),
        ("nulls", json!({"content": "\u{0}\u{0}\u{0}"})),
    ] {
        let (status, body) = import(&house, &secret, &wish).await;
        assert_eq!(status, 400, "{name}: {body}");
        assert!(body["message"].as_str().is_some_and(|m| !m.is_empty()), "{name}: {body}");
    }
    let endless = format!(
        "{{\"format\":\"qiguan-record\",\"version\":1,\"game\":\"{game}\",\"moves\":[{many}\"a1\"]}}"
    );
    let (_, body) = import(&house, &secret, &json!({"content": endless})).await;
    assert_eq!(body["error"]["key"], "record-limit", "more than a table takes, before it is played: {body}");
    let (status, body) = import(&house, &secret, &json!({"content": "x".repeat(8 << 20)})).await;
    assert_eq!((status, body["error"]["key"].as_str()), (413, Some("body-too-large")));
    assert_eq!(house.get("/health").await.status(), 200);
}
