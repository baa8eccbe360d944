//! Games that users make: brought, shown, played, written.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use catalog::maps::{About, Loader, Package, Plan, Rehearsal, Seen, Source, Timing};
use client::Seat;
use edge::limits::Limits;
use edge::network::{Asker, Network, Payer};
use hall::hall::Hall;
use jingbanqi::extension::{Details, Extensions, Fault, Present, Scene, Session, Start};
use jingbanqi::{Jingbanqi, Move, Rulebook};
use kernel::{Position, Problem};
use serde_json::{Value, json};
use store::shelf::NewVersion;
use store::{MapRoom, NewMap, Store, StoreError, Whose};
use table::{Entry, Event, Setup};
use tables::opponents::Opponents;
use thinking::Foreign;
use wire::{Act, CreateTable, How, MapInfo, MapLine, Offer, ServerMessage};
use works::maps::{Brought, NoMap};

use crate::accounts::Person;
use crate::house::{House, done, gomoku, hear, level, moves, mv, offer, refused, serve_with, soon, table_of};

const STARTER: &[u8] = include_bytes!("../../../../maps/starter.xlsx");
const BAD: &[u8] = include_bytes!("../../../jingbanqi/tests/data/bad/b04_direction_9.xlsx");
const BANQI: &[u8] = include_bytes!("../../../../maps/examples/banqi-2.xlsx");
/// Its author allows no takebacks.
const STRICT: &[u8] = include_bytes!("../../../jingbanqi/tests/data/maps/t3_neutral_free(4x4).xlsx");

/// Someone who brings maps.
struct Author<'a> {
    house: &'a House,
    secret: String,
}

impl Author<'_> {
    async fn with_account<'a>(house: &'a House, name: &str) -> Author<'a> {
        let (person, _) = Person::account(house, name).await;
        Author { house, secret: person.secret }
    }

    async fn of(house: &House) -> Author<'_> {
        let response =
            soon(house.http.post(format!("{}/api/guests", house.base)).send()).await.expect("answers");
        let guest: Value = serde_json::from_str(&response.text().await.expect("text")).expect("a guest");
        Author { house, secret: guest["secret"].as_str().expect("a secret").to_owned() }
    }

    async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let request = self.house.http.post(format!("{}{path}", self.house.base)).bearer_auth(&self.secret);
        let request = request.header("content-type", "application/json").body(body.to_string());
        let response = soon(request.send()).await.expect("answers");
        let status = response.status().as_u16();
        (status, serde_json::from_str(&response.text().await.expect("text")).expect("JSON"))
    }

    async fn bring(&self, name: &str, map: &[u8], extensions: &[(&str, &str)]) -> MapInfo {
        let (status, body) = self.post("/api/maps", &upload(name, map, extensions)).await;
        assert_eq!(status, 201, "{body}");
        serde_json::from_value(body).expect("a map")
    }

    /// Uploads a map as a trial, on which others cannot play before it is published.
    async fn try_out(&self, name: &str, extensions: &[(&str, &str)]) -> MapInfo {
        let mut wish = upload(name, STARTER, extensions);
        wish["trial"] = json!(true);
        let (status, body) = self.post("/api/maps", &wish).await;
        assert_eq!(status, 201, "{body}");
        serde_json::from_value(body).expect("a map")
    }
}

fn upload(name: &str, map: &[u8], extensions: &[(&str, &str)]) -> Value {
    let file = |&(file, text): &(&str, &str)| json!({"file": file, "base64": STANDARD.encode(text)});
    json!({"name": name, "map": STANDARD.encode(map), "extensions": extensions.iter().map(file).collect::<Vec<_>>()})
}

async fn get(house: &House, path: &str) -> Value {
    serde_json::from_str(&house.get(path).await.text().await.expect("text")).expect("JSON")
}

fn on(map: &str, how: How) -> CreateTable {
    let game = "jingbanqi".to_owned();
    CreateTable { game, map: Some(map.to_owned()), options: Default::default(), ..gomoku(how) }
}

fn keys(problems: &Value) -> Vec<&str> {
    problems.as_array().expect("a list").iter().filter_map(|problem| problem["key"].as_str()).collect()
}

#[tokio::test]
async fn the_same_files_are_the_same_map() {
    let house = House::open().await;
    let author = Author::of(&house).await;
    let map = author.bring("My game", STARTER, &[]).await;
    let again = Author::of(&house).await.bring("Another name", STARTER, &[]).await;
    assert_eq!((&again.id, &again.name), (&map.id, &map.name), "who came first has named it");
    let mut old = upload("Old names", STARTER, &[]);
    old["old_names"] = json!(true);
    let (_, other) = author.post("/api/maps", &old).await;
    assert_ne!(other["id"], map.id, "it is played otherwise");
    assert_eq!(other["old_names"], true);

    let lines: Vec<MapLine> = serde_json::from_value(get(&house, "/api/maps").await).expect("lines");
    let ours = lines.iter().take_while(|line| line.ours).count();
    assert!(ours > 0 && lines[ours..].iter().any(|line| line.id == map.id), "{lines:?}");
    let found: Vec<MapLine> =
        serde_json::from_value(get(&house, "/api/maps?search=y%20GA").await).expect("lines");
    assert_eq!(found.iter().map(|line| &line.id).collect::<Vec<_>>(), [&map.id]);
    for nothing in ["%25", "_y", "%5C"] {
        let found = get(&house, &format!("/api/maps?search={nothing}")).await;
        assert_eq!(found, json!([]), "signs mean themselves: {nothing}");
    }

    let shown: MapInfo =
        serde_json::from_value(get(&house, &format!("/api/maps/{}", map.id)).await).expect("shown");
    // Its rated pool is told with it, and is not open before anybody has played.
    assert!(shown.pool.as_ref().is_some_and(|pool| !pool.open), "{:?}", shown.pool);
    assert_eq!(MapInfo { pool: None, ..shown.clone() }, map);
    assert_eq!((shown.draft.rows, shown.draft.cols, shown.draft.kinds.len()), (6, 6, 6));
    assert_eq!(shown.draft.kinds[4].promotes, "X[1]");
    assert_eq!(shown.details.len(), 6);
    assert!(!shown.view.dirs.is_empty() && shown.board.files == 6);
    let file = house.get(&format!("/api/maps/{}/map.xlsx", map.id)).await;
    assert_eq!(file.headers()["content-disposition"], "attachment; filename*=UTF-8''My%20game.xlsx");
    assert_eq!(file.bytes().await.expect("bytes"), STARTER);
    assert_eq!(house.get("/api/maps/0123").await.status(), 404);
    assert_eq!(house.get(&format!("/api/maps/{}/extensions/0", map.id)).await.status(), 404);
}

/// Clients are told the board of a map of level 2 as it is, and the editor keeps its sheets.
#[tokio::test]
async fn a_map_of_level_2_is_kept_and_shown() {
    let house = House::open().await;
    let author = Author::of(&house).await;
    let hex = concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/hex.xlsx");
    let hex = std::fs::read(hex).expect("the map is there");
    let upload = upload("Hex", &hex, &[]);
    let (status, kept) = author.post("/api/maps", &upload).await;
    assert!((200..300).contains(&status), "{kept}");
    let map: MapInfo = serde_json::from_value(kept).expect("a map");
    assert!(map.board.hex && map.board.terrain.len() == 4, "{:?}", map.board);
    assert_eq!(map.view.hands.len(), 2);
    let base64 = upload["map"].clone();
    let (_, read) = author.post("/api/workshop/read", &json!({ "base64": base64 })).await;
    let draft = read["draft"].clone();
    assert_eq!((&read["errors"], &draft["level2"]["rules2"][0][0]), (&json!([]), &json!("棋馆 2")), "{read}");
    assert_eq!(serde_json::to_value(&map.draft).expect("JSON"), draft, "of a map on the shelf, too");
    let (_, checked) = author.post("/api/workshop/check", &draft).await;
    assert_eq!((&checked["errors"], &checked["board"]["hex"]), (&json!([]), &json!(true)), "{checked}");
    let (_, book) = author.post("/api/workshop/write", &draft).await;
    let (_, again) = author.post("/api/workshop/read", &book).await;
    assert_eq!(again["draft"], draft, "nothing is lost on the way through the editor");
    let mut wrong = draft.clone();
    wrong["level2"]["rules2"][1][0] = json!("棋盆");
    let (_, checked) = author.post("/api/workshop/check", &wrong).await;
    assert_eq!(keys(&checked["errors"]), ["map-rules2-word"], "{checked}");
}

#[tokio::test]
async fn what_is_wrong_with_a_map_is_said_and_nothing_is_kept() {
    let house = House::open().await;
    let author = Author::of(&house).await;
    let bad = upload("Bad", BAD, &[]);
    let (status, check) = author.post("/api/maps/check", &bad).await;
    assert_eq!((status, &check["ok"]), (200, &json!(false)));
    assert_eq!(keys(&check["errors"]), ["map-bad-move-rule"]);
    assert!(
        check["errors"][0]["args"]["place"].as_str().expect("a place").starts_with("chesses!"),
        "{check}"
    );
    let (status, refused) = author.post("/api/maps", &bad).await;
    assert_eq!((status, refused), (422, check));
    let (_, fine) = author.post("/api/maps/check", &upload("Fine", STARTER, &[])).await;
    assert_eq!((&fine["ok"], &fine["errors"], &fine["warnings"]), (&json!(true), &json!([]), &json!([])));
    let played: wire::MapPlayed = serde_json::from_value(fine["played"].clone()).expect("it was played");
    assert_eq!((played.random.games, played.faults.len()), (200, 0), "{played:?}");
    assert!(played.random.ended > 0 && played.engine.games > 0, "{played:?}");
    assert!(played.random.shortest <= played.random.median && played.random.median <= played.random.longest);
    for (name, body, status, key) in [
        ("no workbook", upload("x", b"no", &[]), 422, "map-not-xlsx"),
        ("no name", upload(" ", STARTER, &[]), 422, "name-empty"),
        ("a path", upload("x", STARTER, &[("../a.py", "")]), 422, "map-file-name"),
        ("extensions nobody runs", upload("x", STARTER, &[("a.py", "")]), 422, "map-extensions-not-run"),
        ("no Base64", json!({"name": "x", "map": "é"}), 400, "bad-base64"),
    ] {
        let (found, body) = author.post("/api/maps", &body).await;
        let told =
            if status == 422 { keys(&body["errors"])[0] } else { body["error"]["key"].as_str().unwrap() };
        assert_eq!((found, told), (status, key), "{name}: {body}");
    }
    let (status, _) = author.post("/api/maps", &upload("x", &vec![0; 6 << 20], &[])).await;
    assert_eq!(status, 413, "a body has its limit");
    let lines: Vec<MapLine> = serde_json::from_value(get(&house, "/api/maps").await).expect("lines");
    assert!(lines.iter().all(|line| line.ours), "{lines:?}");
}

#[tokio::test]
async fn a_table_keeps_its_map_over_a_restart() {
    let mut house = House::open().await;
    let map = Author::of(&house).await.bring("My game", STARTER, &[]).await;
    let guest = house.guest().await;
    for (wish, key) in [
        (CreateTable { map: None, ..on("", How::Open) }, "map-needed"),
        (on("unknown", How::Open), "no-such-map"),
        (CreateTable { map: Some(map.id.clone()), ..gomoku(How::Open) }, "map-not-needed"),
    ] {
        let Err(client::Error::Refused(why)) = guest.open(&wish).await else {
            panic!("opened without {key}")
        };
        assert_eq!(why.key, key);
    }
    let mut seats = house.pair(on(&map.id, How::Open)).await;
    let table = table_of(&seats[0]);
    let info = seats[0].info.clone().expect("known");
    assert_eq!(info.map.as_ref().map(|m| (&m.id, &m.name)), Some((&map.id, &map.name)));
    assert!(!info.no_takebacks);
    let lobby = get(&house, "/api/tables").await;
    assert_eq!(lobby["live"][0]["map"]["name"], "My game", "{lobby}");
    moves(&mut seats, "5,1-4,1 2,1-3,1").await;
    let ServerMessage::Full { view, .. } = house.full(&table).await else { panic!("full") };

    // The soldier on 4,1 takes forwards, and sideways once it is across.
    let details = get(&house, &format!("/api/tables/{table}/details?cell=18")).await;
    let told = keys(&details["details"]);
    assert_eq!(
        told,
        ["piece", "now", "section", "anywhere", "rows", "promotes", "rows", "then", "section", "anywhere"]
    );
    assert_eq!(details["details"][4]["args"], json!({"arrows": "←→", "rows": "1, 2, 3"}));
    assert_eq!(get(&house, &format!("/api/tables/{table}/details?cell=19")).await, json!({"details": []}));
    assert_eq!(get(&house, &format!("/api/tables/{table}/details?cell=999")).await, json!({"details": []}));

    drop(seats);
    house.restart().await;
    let ServerMessage::Full { view: after, table: info, .. } = house.full(&table).await else {
        panic!("full")
    };
    assert_eq!((after, info.map.map(|map| map.id)), (view, Some(map.id)));
    let film = get(&house, &format!("/api/tables/{table}/replay")).await;
    assert_eq!(film["patches"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn moves_are_taken_back_where_the_author_allows_it() {
    let house = House::open().await;
    let author = Author::of(&house).await;
    let back = |plies| Act::Offer { what: Offer::Takeback, plies: Some(plies) };
    for (book, allowed) in [(STARTER, true), (STRICT, false)] {
        let map = author.bring("A game", book, &[]).await;
        assert_eq!(map.draft.undo, allowed);
        let guest = house.guest().await;
        let table = guest.open(&on(&map.id, How::Screen)).await.expect("a table").id;
        let mut seat = Seat::new(guest, &table);
        for _ in 0..4 {
            level(std::slice::from_mut(&mut seat)).await;
            let wire::Offered::Listed(moves) = &seat.view.as_ref().expect("a board").moves else {
                panic!("listed")
            };
            let text = moves[0].text.clone();
            done(&mut seat, mv(&text)).await;
        }
        assert_eq!(seat.info.as_ref().map(|info| info.no_takebacks), Some(!allowed));
        if allowed {
            done(&mut seat, back(3)).await;
            let ServerMessage::Full { record, .. } = house.full(&table).await else { panic!("full") };
            assert_eq!(record.len(), 1);
        } else {
            assert_eq!(refused(&mut seat, back(1)).await, "no-takebacks-here");
            let mut seats = house.pair(on(&map.id, How::Invite)).await;
            let wire::Offered::Listed(listed) = &seats[0].view.as_ref().expect("a board").moves else {
                panic!("listed")
            };
            let text = listed[0].text.clone();
            moves(&mut seats, &text).await;
            let offer = Act::Offer { what: Offer::Takeback, plies: None };
            assert_eq!(refused(&mut seats[0], offer).await, "no-takebacks-here");
        }
    }
}

#[tokio::test]
async fn a_record_carries_its_map_anywhere() {
    let house = House::open().await;
    let author = Author::of(&house).await;
    let map = author.bring("My game", STARTER, &[]).await;
    let mut seats = house.pair(on(&map.id, How::Invite)).await;
    moves(&mut seats, "5,1-4,1 2,1-3,1 4,1-3,1").await;
    let table = table_of(&seats[0]);
    let ServerMessage::Full { view, .. } = house.full(&table).await else { panic!("full") };
    let elsewhere = House::open().await;
    let stranger = Author::of(&elsewhere).await;
    for format in ["json", "text"] {
        let path = format!("/api/tables/{table}/record?format={format}");
        let content = house.get(&path).await.text().await.expect("text");
        let (status, created) = author.post("/api/records", &json!({"content": content})).await;
        assert_eq!(status, 201, "{format}: {created}\n{content}");
        let ServerMessage::Full { view: now, table: info, .. } =
            house.full(created["id"].as_str().expect("an id")).await
        else {
            panic!("full")
        };
        assert_eq!((&now, info.map.map(|map| map.id).as_ref()), (&view, Some(&map.id)), "{format}");
        let (status, created) = stranger.post("/api/records", &json!({"content": content})).await;
        if format == "json" {
            assert_eq!(status, 201, "{created}");
            let ServerMessage::Full { view: now, table: info, .. } =
                elsewhere.full(created["id"].as_str().expect("an id")).await
            else {
                panic!("full")
            };
            assert_eq!((&now, info.map.as_ref().map(|map| map.id.clone())), (&view, Some(map.id.clone())));
            assert_eq!(info.map.map(|map| map.name).as_deref(), Some("My game"));
            // From now on the other hall knows the map, and a text will do.
        } else {
            assert_eq!(status, 201, "the map came with the other record: {created}");
        }
    }
    let third = House::open().await;
    let text =
        house.get(&format!("/api/tables/{table}/record?format=text")).await.text().await.expect("text");
    let (status, body) = Author::of(&third).await.post("/api/records", &json!({"content": text})).await;
    assert_eq!((status, &body["error"]["key"]), (400, &json!("no-such-map")));
}

/// A map becomes public in one way, however it comes: as a version of a work, which people find in the gallery and the
/// staff can take down. Once, maps that came with records were on the list of maps and no works.
#[tokio::test]
async fn every_way_to_bring_a_map_makes_it_a_work() {
    let (house, elsewhere) = (pretending().await, pretending().await);
    let author = Author::with_account(&house, "Ann").await;
    let stranger = Author::of(&elsewhere).await;
    let record = async |name: &str| {
        let map = stranger.bring(name, STARTER, &[("a.py", name)]).await;
        let mut seats = elsewhere.pair(on(&map.id, How::Invite)).await;
        moves(&mut seats, "5,1-4,1").await;
        let path = format!("/api/tables/{}/record?format=json", table_of(&seats[0]));
        elsewhere.get(&path).await.text().await.expect("text")
    };
    let file = |text: &str| upload(text, STARTER, &[("a.py", text)]);
    let study = json!({ "name": "", "content": record("Study").await });
    let ways = [
        ("/api/maps", file("Map")),
        ("/api/works", json!({ "upload": file("Work") })),
        ("/api/records", json!({ "content": record("Record").await })),
        ("/api/studies", json!({ "name": "Study", "access": "private", "from": study })),
    ];
    for (n, (path, wish)) in (1..).zip(ways) {
        // The second time nothing is new.
        for _ in 0..2 {
            let (status, told) = author.post(path, &wish).await;
            assert_eq!(status, 201, "{path}: {told}");
        }
        let lines: Vec<MapLine> = serde_json::from_value(get(&house, "/api/maps").await).expect("lines");
        let brought: Vec<MapLine> = lines.into_iter().filter(|line| !line.ours).collect();
        assert_eq!(
            (brought.len(), get(&house, "/api/works").await["of"].as_u64()),
            (n, Some(n as u64)),
            "{path}"
        );
        let work = get(&house, &format!("/api/works/{}", brought[0].id)).await;
        assert_eq!((&work["line"]["author"], &work["line"]["version"]), (&json!("Ann"), &json!(1)), "{path}");
    }
}

#[tokio::test]
async fn the_workshop_reads_checks_and_writes() {
    let house = House::open().await;
    let author = Author::of(&house).await;
    let (status, read) =
        author.post("/api/workshop/read", &json!({"base64": STANDARD.encode(STARTER)})).await;
    assert_eq!((status, &read["errors"], &read["warnings"]), (200, &json!([]), &json!([])));
    let mut draft = read["draft"].clone();
    draft["kinds"][0]["name"] = json!("18");
    draft["kinds"][0]["attributes"] = json!([["big", true], ["size", 3], ["ratio", 1.5], ["note", "42"]]);
    let (_, checked) = author.post("/api/workshop/check", &draft).await;
    assert_eq!((&checked["errors"], &checked["warnings"]), (&json!([]), &json!([])));
    assert_eq!(checked["details"].as_array().map(Vec::len), Some(6));
    assert!(checked["view"]["dirs"].as_array().is_some_and(|dirs| !dirs.is_empty()));
    let (status, written) = author.post("/api/workshop/write", &draft).await;
    assert_eq!(status, 200, "{written}");
    let (_, again) = author.post("/api/workshop/read", &written).await;
    assert_eq!(again["draft"], draft, "what was written is read");

    draft["rows"] = json!(65);
    draft["kinds"][1]["rule"] = json!("2,9");
    draft["kinds"][2]["promotes"] = json!("T");
    draft["kinds"][3]["promoted"] = json!("9;");
    let (_, checked) = author.post("/api/workshop/check", &draft).await;
    let told: Vec<(&str, &str)> = checked["errors"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|e| (e["key"].as_str().expect("a key"), e["args"]["place"].as_str().expect("a place")))
        .collect();
    assert_eq!(
        told,
        [
            ("map-bad-move-rule", "chesses!E3"),
            ("map-bad-location-rule", "chesses!F4"),
            ("map-bad-move-rule", "chesses!G5"),
            ("map-board-too-large", "map!B1"),
        ]
    );
    assert_eq!(checked["view"], Value::Null);
    let (status, refused) = author.post("/api/workshop/write", &draft).await;
    assert_eq!((status, &refused["errors"]), (422, &checked["errors"]));
    let (_, read) = author.post("/api/workshop/read", &json!({"base64": STANDARD.encode(BAD)})).await;
    assert_eq!((&read["draft"], keys(&read["errors"])), (&Value::Null, vec!["map-bad-move-rule"]));
}

/// Runs no Python: what an extension does is what its text says, `slow`, `fail`, `random` or, in random games, `rare`.
#[derive(Default)]
struct Pretend {
    /// The number of test games that were played.
    rehearsals: Arc<AtomicUsize>,
    /// The number of times that extensions were loaded.
    loads: Arc<AtomicUsize>,
}

#[derive(Debug)]
struct Pretended {
    book: Arc<Rulebook>,
    about: Vec<About>,
    slow: bool,
    fail: bool,
    rare: bool,
    /// Set if every move writes the first unused random number on a piece.
    random: bool,
    rehearsals: Arc<AtomicUsize>,
}

impl Loader for Pretend {
    fn load(&self, book: &Arc<Rulebook>, sources: &[Source]) -> Result<Arc<dyn Extensions>, Vec<Problem>> {
        self.loads.fetch_add(1, Ordering::SeqCst);
        let says = |word: &str| sources.iter().any(|s| String::from_utf8_lossy(&s.bytes).contains(word));
        if says("broken") {
            return Err(vec![fault().problem()]);
        }
        let about = |source: &Source| About {
            file: source.file.clone(),
            name: source.file.replace(".py", ""),
            help: Some("What players should know.".to_owned()),
            ..About::default()
        };
        let about = sources.iter().map(about).collect();
        Ok(Arc::new(Pretended {
            book: Arc::clone(book),
            about,
            slow: says("slow"),
            fail: says("fail"),
            rare: says("rare"),
            random: says("random"),
            rehearsals: Arc::clone(&self.rehearsals),
        }))
    }
}

fn fault() -> Fault {
    Fault {
        file: "a.py".to_owned(),
        hook: "after_move".to_owned(),
        line: Some(7),
        error: "ValueError".to_owned(),
    }
}

impl Extensions for Pretended {
    fn about(&self) -> &[About] {
        &self.about
    }

    fn chance(&self) -> bool {
        self.random
    }

    fn by_book(&self, book: &Arc<Rulebook>) -> Option<Arc<dyn Extensions>> {
        let (book, about) = (Arc::clone(book), self.about.clone());
        let rehearsals = Arc::clone(&self.rehearsals);
        Some(Arc::new(Pretended { book, about, rehearsals, ..*self }))
    }

    fn begin(&self, _start: Start) -> Arc<dyn Session> {
        let (book, about) = (Arc::clone(&self.book), self.about.clone());
        let rehearsals = Arc::clone(&self.rehearsals);
        Arc::new(Pretended { book, about, rehearsals, ..*self })
    }

    fn rehearse(&self, plan: Plan) -> Result<Rehearsal, Fault> {
        self.rehearsals.fetch_add(1, Ordering::SeqCst);
        let trace = vec!["a.py:7 in after_move: raise ValueError".to_owned()];
        let seen = Seen { fault: fault(), games: 3, first: (50, 12), trace };
        let timing = Timing {
            file: "a.py".to_owned(),
            hook: "after_move".to_owned(),
            calls: 9,
            median_us: 2,
            worst_us: 40,
        };
        Ok(Rehearsal {
            games: plan.games,
            lengths: vec![12; plan.games as usize],
            ended: 150,
            faults: if self.rare { vec![seen] } else { Vec::new() },
            hooks: vec![timing],
            prints: "what was printed".to_owned(),
            prints_left_out: 5,
            ..Rehearsal::default()
        })
    }
}

/// The time that a slow extension takes.
const SLOW: Duration = Duration::from_millis(1500);

impl Session for Pretended {
    fn scene(&self, line: &[Move]) -> Result<Scene, Fault> {
        if self.slow && !line.is_empty() {
            std::thread::sleep(SLOW);
        }
        if self.fail && line.len() == 2 {
            return Err(fault());
        }
        let mut pos = Jingbanqi::new(Arc::clone(&self.book));
        line.iter().for_each(|&m| pos.play(m));
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let mut pieces: Vec<Option<Present>> =
            (0..self.book.map().squares() as u16).map(|square| pos.present(square)).collect();
        let draws = if self.random { line.len() as u64 } else { 0 };
        if let Some(piece) = pieces.iter_mut().flatten().next().filter(|_| draws > 0) {
            let shown = (self.book.seed() >> (16 * (line.len() % 8))) as u16;
            piece.name = Some(shown.to_string().into());
        }
        let end = if moves.is_empty() { pos.outcome() } else { None };
        Ok(Scene {
            pieces,
            turn: pos.turn(),
            neutral: pos.neutral(),
            end,
            moves,
            fault: None,
            draws,
            second: None,
            choices: Vec::new(),
        })
    }

    fn details(&self, _line: &[Move]) -> Result<Details, Fault> {
        Ok(Details::default())
    }
}

async fn pretending() -> House {
    pretending_with(Pretend::default()).await
}

async fn pretending_with(pretend: Pretend) -> House {
    pretending_within(Limits { on: false, ..Limits::default() }, pretend).await
}

async fn pretending_within(limits: Limits, pretend: Pretend) -> House {
    let data = tempfile::tempdir().expect("a folder");
    let running = serve_with(data.path(), limits, Some(Arc::new(pretend))).await.expect("opens");
    let base = format!("http://{}", running.address);
    House {
        running: Some(running),
        data,
        base,
        http: reqwest::Client::new(),
        mail: None,
        openid: None,
        limits: Limits::default(),
    }
}

/// A map is loaded once for all requests that wait for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_map_is_loaded_once_for_all_who_ask() {
    let data = tempfile::tempdir().expect("a folder");
    let store = Arc::new(Store::open(data.path()).await.expect("opens"));
    let package = Package {
        map: STARTER.to_vec(),
        extensions: vec![Source { file: "a.py".to_owned(), bytes: Vec::new() }],
    };
    let pretend = Pretend::default();
    let loads = Arc::clone(&pretend.loads);
    let loader = Some(Arc::new(pretend) as Arc<dyn Loader>);
    let limits = Limits { on: false, ..Limits::default() };
    let hall = Hall::new(store, limits, loader, Opponents::new(Foreign::default(), 8));
    let brought = Brought { name: "A game".to_owned(), package, old_names: false, trial: true };
    let id =
        hall.works.publishing.try_out(brought, "ann", Payer::Hall).await.expect("is kept").line.id.clone();
    // A map that has not been loaded yet.
    let store = Arc::clone(&hall.store);
    let pretend = Pretend { loads: Arc::clone(&loads), ..Pretend::default() };
    let loader = Some(Arc::new(pretend) as Arc<dyn Loader>);
    let hall = Hall::new(store, limits, loader, Opponents::new(Foreign::default(), 8));
    let before = loads.load(Ordering::SeqCst);
    let all = (0..30).map(|_| {
        let (hall, id) = (Arc::clone(&hall), id.clone());
        tokio::spawn(
            async move { hall.works.maps.map(&id, Payer::Hall).await.map(|map| map.line.name.clone()) },
        )
    });
    for one in futures_util::future::join_all(all).await {
        assert_eq!(one.expect("ends").expect("is loaded"), "A game");
    }
    assert_eq!(loads.load(Ordering::SeqCst), before + 1);
    assert!(matches!(hall.works.maps.map("none", Payer::Hall).await, Err(NoMap::Unknown)));
}

/// The time of slow extensions is charged to the person who asks for the replay, and to no other.
#[tokio::test]
async fn a_slow_replay_is_charged_to_whom_it_is_done_for() {
    let data = tempfile::tempdir().expect("a folder");
    let store = Arc::new(Store::open(data.path()).await.expect("opens"));
    let extensions = vec![Source { file: "a.py".to_owned(), bytes: b"slow".to_vec() }];
    let package = Package { map: STARTER.to_vec(), extensions };
    let limits = Limits { work_ms: 10, ..Limits::default() };
    let loader = Some(Arc::new(Pretend::default()) as Arc<dyn Loader>);
    let hall = Hall::new(store, limits, loader, Opponents::new(Foreign::default(), 8));
    let brought = Brought { name: "Slow".to_owned(), package, old_names: false, trial: true };
    let map = hall.works.publishing.try_out(brought, "ann", Payer::Hall).await.expect("is kept");
    let setup = Setup {
        game: "jingbanqi".to_owned(),
        options: std::collections::BTreeMap::new(),
        map: Some(map.name()),
        fen: None,
        how: How::Invite,
        room: None,
        clock: wire::ClockSpec::None,
        rated: false,
        created_ms: 1,
        heading: None,
    };
    let who = |id: &str| wire::Player { id: id.to_owned(), name: None, engine: None, program: false };
    let log: Vec<Entry> = (1..)
        .zip([
            Event::Sit { side: kernel::Side::First, who: who("ann"), secret: None },
            Event::Sit { side: kernel::Side::Second, who: who("bob"), secret: None },
            Event::Move { by: kernel::Side::First, text: "5,1-4,1".to_owned(), away: false },
        ])
        .map(|(ver, event)| Entry { ver, at_ms: ver, cmd: None, spent_ms: None, event })
        .collect();
    let replay = async |address: u8| {
        let network = Network::of([192, 0, 2, address].into());
        let asker = Asker { network, person: network.to_string() };
        let replayed = hall.tables.replayed("t", setup.clone(), log.clone(), Payer::Asker(&asker)).await;
        replayed.map(|state| state.ver).map_err(|why| why.key)
    };
    assert_eq!(replay(1).await, Ok(3));
    assert_eq!(replay(1).await.expect_err("their time is used up"), "hall-busy");
    assert_eq!(replay(2).await, Ok(3), "others have theirs");
    let state = hall
        .tables
        .replayed("t", setup.clone(), log.clone(), Payer::Hall)
        .await
        .expect("the hall itself, too");
    assert_eq!(state.ver, 3);
}

#[tokio::test]
async fn an_extension_that_fails_ends_the_game_for_nobody() {
    let house = pretending().await;
    let author = Author::of(&house).await;
    let (status, broken) = author.post("/api/maps", &upload("x", STARTER, &[("a.py", "broken")])).await;
    assert_eq!((status, keys(&broken["errors"])), (422, vec!["map-extension-failed"]));
    let map = author.try_out("Fragile", &[("一.py", "fail"), ("b.py", "")]).await;
    let names: Vec<&str> = map.extensions.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["一", "b"]);
    assert_eq!(map.extensions[0].help.as_deref(), Some("What players should know."));
    let file = house.get(&format!("/api/maps/{}/extensions/0", map.id)).await;
    assert_eq!(file.headers()["content-disposition"], "attachment; filename*=UTF-8''%E4%B8%80.py");
    assert_eq!(file.text().await.expect("text"), "fail");
    let swapped = author.try_out("Fragile", &[("b.py", ""), ("一.py", "fail")]).await;
    assert_ne!(swapped.id, map.id, "the order counts");

    let mut seats = house.pair(on(&map.id, How::Invite)).await;
    moves(&mut seats, "5,1-4,1 2,1-3,1").await;
    let ServerMessage::Full { end, view, .. } = house.full(&table_of(&seats[0])).await else {
        panic!("full")
    };
    let end = end.expect("the game is over");
    assert_eq!((end.winner, end.void, &*end.reason), (None, true, "extension-failed"));
    let caption = view.caption.expect("players are told");
    assert_eq!((&*caption.key, caption.args["line"].as_str()), ("extension-failed", "7"));
    assert_eq!(refused(&mut seats[0], mv("5,2-4,2")).await, "game-over");
    let file = house.get(&format!("/api/tables/{}/record", table_of(&seats[0]))).await;
    let record: Value = serde_json::from_str(&file.text().await.expect("text")).expect("JSON");
    assert_eq!(record["result"]["score"], "void");
    assert_eq!(
        record["map"]["extensions"],
        json!([{"file": "一.py", "text": "fail"}, {"file": "b.py", "text": ""}])
    );
}

#[tokio::test]
async fn a_map_is_played_before_it_is_put_on_the_shelf() {
    let pretend = Pretend::default();
    let rehearsals = Arc::clone(&pretend.rehearsals);
    let house = pretending_with(pretend).await;
    let author = Author::of(&house).await;
    let shelf = async || {
        let lines: Vec<MapLine> = serde_json::from_value(get(&house, "/api/maps").await).expect("lines");
        lines.into_iter().filter(|line| !line.ours).map(|line| line.name).collect::<Vec<_>>()
    };
    // What fails in some random game is refused with its line, and its author is told all there is to know.
    let rare = upload("Rare", STARTER, &[("a.py", "rare")]);
    for path in ["/api/maps", "/api/maps/check"] {
        let (status, told) = author.post(path, &rare).await;
        assert_eq!((status, &told["ok"]), (if path == "/api/maps" { 422 } else { 200 }, &json!(false)));
        assert_eq!(keys(&told["errors"]), ["map-extension-failed"], "{told}");
        assert_eq!(
            told["errors"][0]["args"],
            json!({"place": "a.py", "hook": "after_move", "line": "7", "why": "other", "text": "ValueError"})
        );
        let played: wire::MapPlayed = serde_json::from_value(told["played"].clone()).expect("it was played");
        let fault = &played.faults[0];
        assert_eq!((fault.games, fault.game, fault.plies), (3, 50, 12));
        assert_eq!(fault.trace, ["a.py:7 in after_move: raise ValueError"]);
        assert_eq!((&*played.prints, played.prints_left_out), ("what was printed", 5));
        assert_eq!((&*played.hooks[0].hook, played.hooks[0].worst_us), ("after_move", 40));
        assert_eq!((played.random.games, played.random.median, played.random.ended), (200, 12, 150));
        assert_eq!(played.engine.games, 0, "what fails at random is not played well");
    }
    assert_eq!(rehearsals.load(Ordering::SeqCst), 1, "it was not played again");
    // What fails only where it is played well is found by the engine's games.
    let (status, told) = author.post("/api/maps", &upload("Fragile", STARTER, &[("a.py", "fail")])).await;
    assert_eq!((status, keys(&told["errors"])), (422, vec!["map-extension-failed"]), "{told}");
    assert!(shelf().await.is_empty());

    // A trial is not played, until it is put on the shelf.
    let before = rehearsals.load(Ordering::SeqCst);
    author.try_out("Tried", &[("a.py", "rare")]).await;
    let mut check = rare.clone();
    check["trial"] = json!(true);
    let (_, told) = author.post("/api/maps/check", &check).await;
    assert_eq!((&told["ok"], &told["played"]), (&json!(true), &Value::Null));
    assert_eq!(rehearsals.load(Ordering::SeqCst), before);
    assert_eq!(author.post("/api/maps", &rare).await.0, 422, "trying first does not help");
    assert!(shelf().await.is_empty());

    // Two at once are played once, and what was checked is not played again.
    let good = upload("Good", STARTER, &[("a.py", "")]);
    let other = Author::of(&house).await;
    let before = rehearsals.load(Ordering::SeqCst);
    let ((one, told), (two, also)) =
        tokio::join!(author.post("/api/maps", &good), other.post("/api/maps", &good));
    assert_eq!((one, two), (201, 201), "{told} {also}");
    assert_eq!(told["id"], also["id"]);
    let (_, checked) = other.post("/api/maps/check", &good).await;
    assert_eq!(checked["ok"], json!(true));
    assert_eq!(rehearsals.load(Ordering::SeqCst), before + 1);
    assert_eq!(shelf().await, ["Good"]);
}

#[tokio::test]
async fn every_table_has_random_numbers_of_its_own_and_a_record_keeps_them() {
    let house = pretending().await;
    let author = Author::of(&house).await;
    let map = author.bring("Random", STARTER, &[("a.py", "")]).await;
    let guest = house.guest().await;
    let open = async |wish: CreateTable| {
        let table = guest.open(&wish).await.expect("a table").id;
        house.get(&format!("/api/tables/{table}/record")).await.text().await.expect("text")
    };
    let seed = |record: &str| {
        let record: Value = serde_json::from_str(record).expect("JSON");
        record["options"]["seed"].as_i64().expect("the record says with which numbers it began")
    };
    let (one, two) = (open(on(&map.id, How::Screen)).await, open(on(&map.id, How::Screen)).await);
    assert_ne!(seed(&one), seed(&two));
    let options = std::iter::once(("seed".to_owned(), 7)).collect();
    assert_eq!(seed(&open(CreateTable { options, ..on(&map.id, How::Screen) }).await), 7, "as was wished");
    let (status, again) = author.post("/api/records", &json!({"content": one})).await;
    assert_eq!(status, 201, "{again}");
    let path = format!("/api/tables/{}/record", again["id"].as_str().expect("an id"));
    assert_eq!(seed(&house.get(&path).await.text().await.expect("text")), seed(&one), "the same game");
    // Where nothing is random there is nothing to draw.
    let plain = author.bring("Plain", STARTER, &[]).await;
    assert_eq!(seed(&open(on(&plain.id, How::Screen)).await), 0);
}

/// Random numbers are not sent before the throw, and the opener of a table cannot choose them.
#[tokio::test]
async fn nobody_knows_the_dice_before_the_throw() {
    let mut house = pretending().await;
    let map = Author::of(&house).await.bring("Dice", STARTER, &[("a.py", "random")]).await;
    let wish = on(&map.id, How::Invite);
    let options = std::iter::once(("seed".to_owned(), 7)).collect();
    let guest = house.guest().await;
    let chosen = guest.open(&CreateTable { options, ..wish.clone() }).await.expect_err("nobody chooses");
    assert!(format!("{chosen:?}").contains("seed-chosen"), "{chosen:?}");

    let (one, other) = (house.guest().await, house.guest().await);
    let wish = CreateTable { side: Some(wire::Side::First), ..wish };
    let table = one.open(&wish).await.expect("a table").id;
    let mut seats = [&one, &other].map(|guest| Seat::new(guest.at(&house.base), &table));
    level(&mut seats).await;
    let known = |seat: &Seat| seat.info.as_ref().and_then(|info| info.chance.clone());
    assert_eq!(known(&seats[0]), None, "nothing is drawn while one waits");
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    let bound = known(&seats[0]).expect("both are told what the hall is bound to");
    assert_eq!((bound.hash.len(), &bound.secret), (64, &None));
    assert_eq!(known(&seats[1]).as_ref(), Some(&bound));
    moves(&mut seats, "5,1-4,1 2,1-3,1 4,1-3,1").await;
    // A player who takes a move back would know which numbers are drawn next.
    assert_eq!(refused(&mut seats[0], offer(Offer::Takeback)).await, "takeback-chance");
    let ServerMessage::Full { view: shown, .. } = house.full(&table).await else { panic!("full") };
    let mut told = Vec::new();
    for door in
        ["", "/record", "/record?format=text", "/log", "/replay", "/fen", "/details?cell=10", "/lessons"]
    {
        told.push(house.get(&format!("/api/tables/{table}{door}")).await.text().await.expect("text"));
    }
    told.push(get(&house, "/api/tables").await.to_string());
    told.push(one.text("/api/account/export").await.unwrap_or_default());
    for event in &seats[0].seen {
        told.push(serde_json::to_string(event).expect("JSON"));
    }
    // It is on disk: after a restart everything is as it was.
    house.running.take().expect("is open").stop().await;
    let limits = Limits { on: false, ..Limits::default() };
    let again =
        serve_with(house.data.path(), limits, Some(Arc::new(Pretend::default()))).await.expect("opens");
    house.base = format!("http://{}", again.address);
    house.running = Some(again);
    let ServerMessage::Full { view, table: info, .. } = house.full(&table).await else { panic!("full") };
    assert_eq!((view, info.chance.as_ref()), (shown.clone(), Some(&bound)));

    // The end tells it, and it is what the hall was bound to, and what the game was played with.
    let mut seats = [&one, &other].map(|guest| Seat::new(guest.at(&house.base), &table));
    level(&mut seats).await;
    done(&mut seats[0], Act::Resign { side: None }).await;
    level(&mut seats).await;
    let ended = known(&seats[1]).expect("is told");
    let secret = ended.secret.clone().and_then(|text| table::Secret::read(&text)).expect("it is told");
    assert_eq!((&ended.hash, secret.commitment(&table)), (&bound.hash, bound.hash.clone()));
    let words = (0..4).map(|at| (secret.0 >> (32 * at)) as u32).collect::<Vec<_>>();
    for told in told {
        assert!(!told.contains(&secret.text()), "{told}");
        let number = words.iter().map(u32::to_string).find(|word| word.len() > 6 && told.contains(word));
        assert_eq!(number, None, "{told}");
    }
    let record = get(&house, &format!("/api/tables/{table}/record")).await;
    for (key, word) in catalog::maps::SEEDS.iter().zip(&words) {
        assert_eq!(record["options"][key], json!(word), "{record}");
    }
    let author = Author::of(&house).await;
    let (status, again) = author.post("/api/records", &json!({"content": record.to_string()})).await;
    assert_eq!(status, 201, "{again}");
    let id = again["id"].as_str().expect("an id");
    let ServerMessage::Full { view, .. } = house.full(id).await else { panic!("full") };
    assert_eq!(view.pieces, shown.pieces, "the same game");
    // A rematch is another game, and nothing of it follows from its id.
    done(&mut seats[0], offer(Offer::Rematch)).await;
    level(&mut seats).await;
    done(&mut seats[1], Act::Accept { what: Offer::Rematch }).await;
    level(&mut seats).await;
    let next = seats[0].info.as_ref().and_then(|info| info.next.clone()).expect("a new table");
    let ServerMessage::Full { table: info, .. } = house.full(&next).await else { panic!("full") };
    let other = info.chance.expect("chance has a say there, too");
    assert!(other.secret.is_none() && other.hash != bound.hash, "{other:?}");
    // Against the computer the hall draws it, too.
    let opponent = Some(wire::Opponent::Level(1));
    let table = house
        .guest()
        .await
        .open(&CreateTable { opponent, ..on(&map.id, How::Invite) })
        .await
        .expect("a table")
        .id;
    let ServerMessage::Full { table: info, .. } = house.full(&table).await else { panic!("full") };
    assert!(info.chance.is_some_and(|chance| chance.secret.is_none()));
}

/// Catches a client that names what is drawn, an outcome that one of two players is not told, a draw that changes over a
/// restart, and a record that does not follow from the secret.
#[tokio::test]
async fn the_hall_draws_and_anybody_can_verify_it() {
    let mut house = House::open().await;
    let map = Author::of(&house).await.bring("Banqi", BANQI, &[]).await;
    let (one, other) = (house.guest().await, house.guest().await);
    let wish = CreateTable { side: Some(wire::Side::First), ..on(&map.id, How::Invite) };
    let table = one.open(&wish).await.expect("a table").id;
    let mut seats = [&one, &other].map(|guest| Seat::new(guest.at(&house.base), &table));
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    let bound = seats[0].info.as_ref().and_then(|info| info.chance.clone()).expect("the hall is bound");
    assert_eq!((bound.hash.len(), &bound.secret), (64, &None));
    assert_eq!(refused(&mut seats[0], mv("1,1-1,1{帅}")).await, "no-such-move");
    moves(&mut seats, "1,1-1,1 1,2-1,2 1,3-1,3").await;
    let record = |seat: &Seat| seat.record.iter().map(|ply| ply.0.to_string()).collect::<Vec<_>>();
    let played = record(&seats[0]);
    assert!(played.iter().all(|text| text.contains("{") && text.ends_with("}")), "{played:?}");
    assert_eq!((record(&seats[1]), seats[1].view.as_ref()), (played.clone(), seats[0].view.as_ref()));
    assert_eq!(refused(&mut seats[0], offer(Offer::Takeback)).await, "takeback-chance");
    let offered = serde_json::to_string(&seats[1].view).expect("JSON");
    assert!(!offered.contains("8{") && offered.contains("\"4,8-4,8\""), "{offered}");
    let log = house.get(&format!("/api/tables/{table}/log")).await.text().await.expect("text");
    assert!(log.contains(&played[2]), "{log}");
    house.restart().await;
    let mut seats = [&one, &other].map(|guest| Seat::new(guest.at(&house.base), &table));
    level(&mut seats).await;
    assert_eq!(record(&seats[0]), played);
    moves(&mut seats, "2,1-2,1 2,2-2,2 2,3-2,3 2,4-2,4").await;
    done(&mut seats[0], Act::Resign { side: None }).await;
    level(&mut seats).await;
    let told = seats[1].info.as_ref().and_then(|info| info.chance.clone()).expect("is told");
    let secret = told.secret.and_then(|text| table::Secret::read(&text)).expect("is told");
    assert_eq!(secret.commitment(&table), bound.hash);
    let kept = get(&house, &format!("/api/tables/{table}/record")).await;
    assert_eq!(
        (&kept["tags"]["Table"], &kept["tags"]["Commitment"]),
        (&json!(table), &json!(bound.hash)),
        "{kept}"
    );
    let package = Package { map: BANQI.to_vec(), extensions: Vec::new() };
    let rules = catalog::maps::Rules::load(&package, &Default::default(), None).expect("a good map");
    let verify = |moves: &[String]| {
        table::verify::verify(rules.open(None).expect("the start"), moves, (secret, &table), None)
    };
    let moves = record(&seats[0]);
    assert_eq!(verify(&moves).map(|found| found.draws), Ok(7));
    // The record is a game that is opened again.
    let (status, again) =
        Author::of(&house).await.post("/api/records", &json!({"content": kept.to_string()})).await;
    assert_eq!(status, 201, "{again}");
}

/// The computer chooses, and the hall draws for it; what it wanted to be drawn does not count.
#[tokio::test]
async fn the_computer_plays_where_chance_decides() {
    let house = House::open().await;
    let map = Author::of(&house).await.bring("Banqi", BANQI, &[]).await;
    let guest = house.guest().await;
    let opponent = Some(wire::Opponent::Level(1));
    let wish = CreateTable { side: Some(wire::Side::First), opponent, ..on(&map.id, How::Invite) };
    let table = guest.open(&wish).await.expect("a table").id;
    let mut seat = Seat::new(guest.at(&house.base), &table);
    level(std::slice::from_mut(&mut seat)).await;
    done(&mut seat, mv("1,1-1,1")).await;
    while seat.record.len() < 2 {
        hear(&mut seat).await;
    }
    assert!(seat.record[1].0.ends_with('}'), "only face-down pieces can be touched: {:?}", seat.record[1].0);
    assert_eq!(seat.end, None);
}

/// A slow extension holds up its own table only, although one thread serves all tables: another one takes its place.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_slow_extension_holds_up_its_own_table_only() {
    let house = pretending().await;
    let map = Author::of(&house).await.try_out("Slow", &[("a.py", "slow")]).await;
    let mut slow = house.pair(on(&map.id, How::Invite)).await;
    let mut quick = house.pair(gomoku(How::Invite)).await;
    let begun = Instant::now();
    let waiting = async {
        done(&mut slow[0], mv("5,1-4,1")).await;
        begun.elapsed()
    };
    let playing = async {
        // Not before the other table is at it.
        tokio::time::sleep(Duration::from_millis(100)).await;
        moves(&mut quick, "h8 a1 h9 b1 h10 c1").await;
        begun.elapsed()
    };
    let (waited, played) = tokio::join!(waiting, playing);
    assert!(waited >= SLOW, "the extension took its time: {waited:?}");
    assert!(played < SLOW, "others went on meanwhile: {played:?}");
}

#[tokio::test]
async fn what_is_only_tried_is_on_no_list_and_makes_room_for_the_next_trial() {
    let data = tempfile::tempdir().expect("a folder");
    let store = Store::open(data.path()).await.expect("opens");
    let map = |n: u64, trial: bool| NewMap {
        line: MapLine {
            id: format!("m{n}"),
            name: format!("map {n}"),
            rows: 1,
            cols: 1,
            kinds: 1,
            extensions: Vec::new(),
            created_ms: n,
            ours: false,
        },
        owner: "ann".to_owned(),
        package: Package { map: vec![7; 10], extensions: Vec::new() },
        old_names: false,
        uses: Vec::new(),
        version: (!trial).then(NewVersion::default),
    };
    let room = MapRoom { maps_each: 1, bytes_each: 1000, maps: 100, bytes: 2500 };
    for n in 0..15 {
        store.maps.keep_map(map(n, true), room).await.expect("a trial always fits");
    }
    assert!(store.maps.search("", 100).await.expect("answers").is_empty(), "nobody else sees them");
    assert!(store.maps.map("m4").await.expect("answers").is_none(), "the oldest made room");
    assert!(store.maps.map("m5").await.expect("answers").expect("the last ten are there").trial);
    // Put on the shelf it is there for everybody, and no later trial takes it away.
    store.maps.keep_map(map(5, false), room).await.expect("fits");
    for n in 20..35 {
        store.maps.keep_map(map(n, true), room).await.expect("a trial always fits");
    }
    assert!(!store.maps.map("m5").await.expect("answers").expect("is there").trial);
    assert_eq!(store.maps.search("", 100).await.expect("answers").len(), 1);
    store.maps.keep_map(map(5, true), room).await.expect("is there already");
    assert!(!store.maps.map("m5").await.expect("answers").expect("is there").trial, "and stays on the shelf");
}

#[tokio::test]
async fn there_is_room_for_so_many_maps_and_the_forgotten_ones_go() {
    let data = tempfile::tempdir().expect("a folder");
    let store = Store::open(data.path()).await.expect("opens");
    let now = u64::try_from(
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_millis(),
    )
    .expect("fits");
    let map = |id: &str, owner: &str, bytes: usize, created_ms: u64| NewMap {
        line: MapLine {
            id: id.to_owned(),
            name: format!("map {id}"),
            rows: 1,
            cols: 1,
            kinds: 1,
            extensions: Vec::new(),
            created_ms,
            ours: false,
        },
        owner: owner.to_owned(),
        package: Package {
            map: vec![7; bytes],
            extensions: vec![Source { file: "a.py".to_owned(), bytes: b"pass".to_vec() }],
        },
        old_names: true,
        uses: Vec::new(),
        version: Some(NewVersion::default()),
    };
    let room = MapRoom { maps_each: 2, bytes_each: 1000, maps: 4, bytes: 2500 };
    let full = |whose| move |result: Result<(), StoreError>| matches!(result, Err(StoreError::Full(w)) if w == whose);
    store.maps.keep_map(map("a", "ann", 400, now), room).await.expect("fits");
    assert!(
        full(Whose::Visitor)(store.maps.keep_map(map("b", "ann", 600, now), room).await),
        "too many bytes"
    );
    store.maps.keep_map(map("b", "ann", 500, 0), room).await.expect("fits");
    assert!(full(Whose::Visitor)(store.maps.keep_map(map("c", "ann", 1, now), room).await), "too many maps");
    store.maps.keep_map(map("a", "ann", 400, now), room).await.expect("is there already");
    store.maps.keep_map(map("c", "bob", 900, 0), room).await.expect("fits");
    assert!(full(Whose::All)(store.maps.keep_map(map("d", "eve", 900, now), room).await), "too many bytes");
    store.maps.keep_map(map("d", "eve", 9, now), room).await.expect("fits");
    assert!(full(Whose::All)(store.maps.keep_map(map("e", "eve", 9, now), room).await), "too many maps");
    let found = store.maps.map("b").await.expect("answers").expect("is there");
    assert_eq!((found.package, found.old_names), (map("b", "", 500, 0).package, true));
    assert_eq!(store.maps.search("map", 10).await.expect("answers").len(), 4);

    // A table was opened on c, long ago; b was never played.
    let setup = table::Setup {
        game: "jingbanqi".to_owned(),
        options: Default::default(),
        map: Some(wire::MapName { id: "c".to_owned(), name: "map c".to_owned() }),
        fen: None,
        how: How::Screen,
        room: None,
        clock: wire::ClockSpec::None,
        rated: false,
        created_ms: 1,
        heading: None,
    };
    let standing = table::Standing { stage: table::Stage::Over, seats: [None, None] };
    store.logs.create("t", &setup, Vec::new(), standing).await.expect("is stored");
    drop(store);
    let store = Store::open(data.path()).await.expect("opens again");
    store.upkeep.forget(store::Retention::default(), now).await.expect("forgets");
    let left: Vec<String> =
        store.maps.search("", 10).await.expect("answers").into_iter().map(|line| line.id).collect();
    assert_eq!(left, ["a", "d", "c"], "newest first");
    assert!(store.maps.map("b").await.expect("answers").is_none());
    assert_eq!(store.logs.load("t").await.expect("answers").expect("is there").setup, setup);
}

#[tokio::test]
async fn an_extension_is_shared_by_name_and_version() {
    let house = pretending().await;
    let (ann, bob) = (Author::with_account(&house, "Ann").await, Author::with_account(&house, "Bob").await);
    let guest = Author::of(&house).await;
    let ask = async |author: &Author, method: &str, path: &str, body: Value| {
        let method = reqwest::Method::from_bytes(method.as_bytes()).expect("a method");
        let request = house.http.request(method, format!("{}{path}", house.base)).bearer_auth(&author.secret);
        let request = request.header("content-type", "application/json").body(body.to_string());
        let response = soon(request.send()).await.expect("answers");
        let status = response.status().as_u16();
        let text = response.text().await.expect("text");
        (status, serde_json::from_str::<Value>(&text).unwrap_or(Value::Null))
    };
    let wish = |name: &str, base: u32, text: &str| {
        let note = format!("version {}", base + 1);
        json!({"name": name, "base": base, "about": "Opens gates.", "note": note, "base64": STANDARD.encode(text)})
    };
    for (body, status, key) in [
        (wish("Gate!", 0, "x"), 400, "extension-name"),
        (wish("g", 0, "x"), 400, "extension-name"),
        (wish("gate", 0, "broken"), 422, "map-extension-failed"),
        (wish("gate", 3, "x"), 409, "extension-newer"),
        (wish("gate", 0, &"x".repeat((256 << 10) + 1)), 400, "extension-size"),
    ] {
        let (found, answer) = ask(&ann, "POST", "/api/extensions", body).await;
        assert_eq!((found, answer["error"]["key"].as_str()), (status, Some(key)), "{answer}");
    }
    // Guests are deleted one day, and their extensions would have no owner; they may use those of others.
    let (status, answer) = ask(&guest, "POST", "/api/extensions", wish("gate", 0, "one")).await;
    assert_eq!((status, answer["error"]["key"].as_str()), (403, Some("extension-needs-account")), "{answer}");
    let (status, told) = ask(&ann, "POST", "/api/extensions", wish("gate", 0, "one")).await;
    assert_eq!((status, &told["line"]["version"], &told["line"]["mine"]), (201, &json!(1), &json!(true)));
    assert_eq!(ask(&ann, "POST", "/api/extensions", wish("gate", 1, "two")).await.0, 201);
    let (status, answer) = ask(&bob, "POST", "/api/extensions", wish("gate", 2, "his")).await;
    assert_eq!((status, answer["error"]["key"].as_str()), (409, Some("extension-taken")), "{answer}");
    let file = house.get("/api/extensions/gate/1").await.text().await.expect("text");
    assert_eq!(file, "one", "a version never changes");
    // A person is not named as the author of text they did not write.
    for (file, text) in [("gate@1.py", "two"), ("gate@3.py", "one"), ("walls@1.py", "one")] {
        let (status, answer) = bob.post("/api/maps", &upload("False", STARTER, &[(file, text)])).await;
        assert_eq!((status, keys(&answer["errors"])), (422, vec!["extension-other"]), "{file} {text}");
    }
    // A map of a guest has it, too.
    let own = guest.bring("Guest's", STARTER, &[("gate@1.py", "one")]).await;
    assert_eq!(ask(&guest, "DELETE", &format!("/api/works/{}", own.id), Value::Null).await.0, 204);
    // A map names it, and so its author.
    let map = bob.bring("Gated", STARTER, &[("gate@1.py", "one"), ("own.py", "")]).await;
    let info = get(&house, &format!("/api/maps/{}", map.id)).await;
    assert_eq!(info["extensions"][0]["shared"], json!({"name": "gate", "version": 1, "author": "Ann"}));
    assert_eq!(info["extensions"][1]["shared"], Value::Null);
    let list = get(&house, "/api/extensions?search=GATES").await;
    assert_eq!((&list["extensions"][0]["version"], &list["extensions"][0]["maps"]), (&json!(2), &json!(1)));
    // It is used, and stays; off the list its author finds it still.
    let (status, answer) = ask(&ann, "DELETE", "/api/extensions/gate", Value::Null).await;
    assert_eq!((status, answer["error"]["key"].as_str()), (409, Some("extension-used")), "{answer}");
    assert_eq!(ask(&bob, "DELETE", "/api/extensions/gate", Value::Null).await.0, 404);
    let off = json!({"listed": false});
    assert_eq!(ask(&ann, "PUT", "/api/extensions/gate/listed", off).await.0, 204);
    assert_eq!(get(&house, "/api/extensions").await["extensions"], json!([]));
    let (_, own) = ask(&ann, "GET", "/api/extensions?mine=true", Value::Null).await;
    assert_eq!(own["extensions"].as_array().map(Vec::len), Some(1));
    assert_eq!(ask(&bob, "DELETE", &format!("/api/works/{}", map.id), Value::Null).await.0, 204);
    assert_eq!(ask(&ann, "DELETE", "/api/extensions/gate", Value::Null).await.0, 204);
    let (status, answer) = ask(&ann, "GET", "/api/extensions/gate", Value::Null).await;
    assert_eq!((status, answer["error"]["key"].as_str()), (404, Some("no-such-extension")));
}

#[tokio::test]
async fn so_many_extensions_are_shared_as_the_host_says() {
    for (limits, of) in [
        (Limits { extensions: 1, ..Limits::default() }, "person"),
        (Limits { extensions_all: 1, ..Limits::default() }, "all"),
    ] {
        let house = pretending_within(limits, Pretend::default()).await;
        let ann = Author::with_account(&house, "Ann").await;
        let wish = |base| json!({"name": "gate", "base": base, "about": "", "note": "", "base64": ""});
        assert_eq!(ann.post("/api/extensions", &wish(0)).await.0, 201);
        let (status, body) = ann.post("/api/extensions", &wish(1)).await;
        assert_eq!((status, &body["error"]["args"]), (507, &json!({"of": of, "most": "1"})), "{body}");
    }
}

#[tokio::test]
async fn a_board_comes_and_goes_as_csv() {
    let house = House::open().await;
    let author = Author::of(&house).await;
    let (_, read) = author.post("/api/workshop/read", &json!({"base64": STANDARD.encode(STARTER)})).await;
    let draft = &read["draft"];
    let (status, written) = author.post("/api/workshop/board/write", draft).await;
    assert_eq!(status, 200, "{written}");
    let csv = written["csv"].as_str().expect("text");
    assert!(csv.starts_with("4,,,2,,4\r\n"), "{csv}");
    let (status, again) = author.post("/api/workshop/board/read", &json!({"csv": csv, "draft": draft})).await;
    assert_eq!((status, &again), (200, draft));
    let (status, wrong) =
        author.post("/api/workshop/board/read", &json!({"csv": "1,2\n3,x\n", "draft": draft})).await;
    assert_eq!((status, wrong["error"]["key"].as_str()), (400, Some("csv-piece")), "{wrong}");
    assert_eq!(
        (&wrong["error"]["args"]["line"], &wrong["error"]["args"]["column"]),
        (&json!("2"), &json!("2"))
    );
    // A draft that lies about its size costs no more than the largest board.
    let mut huge = draft.clone();
    (huge["rows"], huge["cols"]) = (json!(4_000_000_000_u32), json!(4_000_000_000_u32));
    let (status, written) = author.post("/api/workshop/board/write", &huge).await;
    assert_eq!((status, written["csv"].as_str().map(|csv| csv.lines().count())), (200, Some(64)));
}
