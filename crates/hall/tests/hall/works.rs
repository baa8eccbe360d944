//! Maps as works, and their balance reports: would catch a version that hides another author's, stars of people who
//! never played, a work deleted under its players, and a report that starts over after a restart.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use catalog::maps::Draft;
use client::Seat;
use edge::limits::Limits;
use serde_json::{Value, json};
use store::shelf::ShelfChange;
use wire::{Act, BalanceReport, CreateTable, Gallery, How, MapDiff, WorkInfo};

use crate::house::{House, done, gomoku, level, moves, soon};
use crate::rated::with_accounts;

/// Someone with a session.
struct Author {
    secret: String,
}

impl Author {
    async fn of(house: &House) -> Author {
        let response =
            soon(house.http.post(format!("{}/api/guests", house.base)).send()).await.expect("answers");
        let guest: Value = serde_json::from_str(&response.text().await.expect("text")).expect("a guest");
        Author { secret: guest["secret"].as_str().expect("a secret").to_owned() }
    }

    async fn ask(&self, house: &House, method: &str, path: &str, body: &Value) -> (u16, Value) {
        ask(house, &self.secret, method, path, body).await
    }
}

async fn ask(house: &House, secret: &str, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let method = reqwest::Method::from_bytes(method.as_bytes()).expect("a method");
    let request = house.http.request(method, format!("{}{path}", house.base)).bearer_auth(secret);
    let request = request.header("content-type", "application/json").body(body.to_string());
    let response = soon(request.send()).await.expect("answers");
    let status = response.status().as_u16();
    let text = response.text().await.expect("text");
    (status, serde_json::from_str(&text).unwrap_or(Value::Null))
}

/// Returns the starter map with a stone more on `stones` squares of its third row: another map each time.
fn map(stones: usize) -> String {
    let mut draft = Draft::from(&catalog::maps::starter());
    for col in 0..stones {
        draft.cells[12 + col] = 5;
    }
    let read = draft.read().map.expect("a good map");
    STANDARD.encode(records::map::write(&read).expect("writes"))
}

pub fn work(name: &str, stones: usize, more: Value) -> Value {
    let mut wish = json!({"upload": {"name": name, "map": map(stones)}});
    let fields = more.as_object().cloned().unwrap_or_default();
    wish.as_object_mut().expect("an object").extend(fields);
    wish
}

fn told<T: serde::de::DeserializeOwned>((status, body): (u16, Value), wanted: u16) -> T {
    assert_eq!(status, wanted, "{body}");
    serde_json::from_value(body.clone()).unwrap_or_else(|why| panic!("{why}: {body}"))
}

async fn gallery(house: &House, author: &Author, query: &str) -> Gallery {
    told(author.ask(house, "GET", &format!("/api/works?{query}"), &Value::Null).await, 200)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_map_is_published_again_and_again_at_one_address() {
    let house = House::open().await;
    let (ann, bob) = (Author::of(&house).await, Author::of(&house).await);
    let tags = json!({"tags": ["Small", "fast"], "note": "The first."});
    let first: WorkInfo = told(ann.ask(&house, "POST", "/api/works", &work("Steps", 0, tags)).await, 201);
    let id = first.line.id.clone();
    assert_eq!(
        (first.line.version, first.mine, first.line.tags.join(" ")),
        (1, true, "small fast".to_owned())
    );
    let next = work("Steps", 1, json!({"work": id, "base": 1, "note": "A stone."}));
    let second: WorkInfo = told(ann.ask(&house, "POST", "/api/works", &next).await, 201);
    assert_eq!((second.line.id.as_str(), second.line.version, second.versions.len()), (id.as_str(), 2, 2));
    // From another device, which saw the first version only.
    let late = work("Steps", 2, json!({"work": id, "base": 1}));
    let (status, body) = ann.ask(&house, "POST", "/api/works", &late).await;
    assert_eq!((status, body["error"]["key"].as_str()), (409, Some("work-newer-version")), "{body}");
    assert_eq!(body["error"]["args"]["version"], "2");
    let after = work("Steps", 2, json!({"work": id, "base": 2, "tags": ["fast"]}));
    let third: WorkInfo = told(ann.ask(&house, "POST", "/api/works", &after).await, 201);
    assert_eq!(third.line.version, 3);
    // Only the owner publishes a version; another person may make a map of it, which names its source.
    let foreign = work("Mine", 3, json!({"work": id, "base": 3}));
    assert_eq!(bob.ask(&house, "POST", "/api/works", &foreign).await.0, 404);
    let fork = work("Mine", 3, json!({"made_from": second.line.map.id}));
    let fork: WorkInfo = told(bob.ask(&house, "POST", "/api/works", &fork).await, 201);
    let from = fork.made_from.expect("was made from it");
    assert_eq!((from.work.as_str(), from.version, from.name.as_deref()), (id.as_str(), 2, Some("Steps")));
    let root: WorkInfo = told(bob.ask(&house, "GET", &format!("/api/works/{id}"), &Value::Null).await, 200);
    assert_eq!((root.mine, root.forks.len(), root.forks[0].name.as_str()), (false, 1, "Mine"));
    // What a version changed.
    let path = format!("/api/maps/{}/diff/{}", first.line.map.id, second.line.map.id);
    let diff: MapDiff = told(bob.ask(&house, "GET", &path, &Value::Null).await, 200);
    assert_eq!((diff.board.len(), diff.rules.len(), diff.code.len()), (1, 0, 0), "{diff:?}");
    assert_eq!((diff.board[0].row, diff.board[0].col), (3, 1));
    // In the gallery each stands once; one's own is found when it is off the lists, too.
    assert_eq!(gallery(&house, &bob, "search=fast").await.of, 1);
    assert_eq!(gallery(&house, &bob, "sort=name").await.of, 2);
    let off = ann.ask(&house, "PUT", &format!("/api/works/{id}/listed"), &json!({"listed": false})).await;
    assert_eq!(off.0, 204);
    assert_eq!(gallery(&house, &bob, "sort=name").await.of, 1);
    assert_eq!(gallery(&house, &ann, "mine=true").await.of, 1);
    // It was never played: it is deleted, and the fork remembers a map that is gone.
    assert_eq!(bob.ask(&house, "DELETE", &format!("/api/works/{id}"), &Value::Null).await.0, 404);
    assert_eq!(ann.ask(&house, "DELETE", &format!("/api/works/{id}"), &Value::Null).await.0, 204);
    assert_eq!(ann.ask(&house, "GET", &format!("/api/works/{id}"), &Value::Null).await.0, 404);
    let fork: WorkInfo =
        told(bob.ask(&house, "GET", &format!("/api/works/{}", fork.line.id), &Value::Null).await, 200);
    assert_eq!(fork.made_from.expect("was made from it").name, None);
    // A fork of a map that is gone is a map like any other.
    let orphan = work("Orphan", 4, json!({"made_from": id}));
    let orphan: WorkInfo = told(bob.ask(&house, "POST", "/api/works", &orphan).await, 201);
    assert_eq!(orphan.made_from, None);
    for (more, key) in [
        (json!({"note": "x".repeat(501)}), "work-note"),
        (json!({"tags": ["two words"]}), "work-tags"),
        (json!({"tags": ["a", "b", "c", "d", "e", "f", "g", "h", "i"]}), "work-tags"),
    ] {
        let (status, body) = ann.ask(&house, "POST", "/api/works", &work("Bad", 5, more)).await;
        assert_eq!((status, body["error"]["key"].as_str()), (400, Some(key)), "{body}");
    }
}

/// Examples are in the gallery of every hall without a row in its store, and what is made of one names it.
#[tokio::test(flavor = "multi_thread")]
async fn built_in_examples_are_found_and_made_from() {
    let house = House::open().await;
    let ann = Author::of(&house).await;
    let first = gallery(&house, &ann, "").await;
    assert_eq!((first.of, first.examples.len()), (0, catalog::maps::EXAMPLES.len()));
    for (search, wanted) in [
        ("hEX", vec!["六贯棋 / Hex", "六贯棋 2 级 / Hex, level 2"]),
        ("%E5%85%AD%E8%B4%AF", vec!["六贯棋 / Hex", "六贯棋 2 级 / Hex, level 2"]),
        ("race", vec!["突围棋 / Breakthrough", "跳棋 / Halma", "突围棋 2 级 / Breakthrough, level 2"]),
        ("no+such+game", vec![]),
    ] {
        let found = gallery(&house, &ann, &format!("search={search}")).await;
        let names: Vec<&str> = found.examples.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names, wanted, "{search}");
    }
    assert!(gallery(&house, &ann, "mine=true").await.examples.is_empty());
    assert!(gallery(&house, &ann, "page=1").await.examples.is_empty());

    let hex = first.examples.into_iter().find(|line| line.name.ends_with("Hex")).expect("is there");
    assert_eq!((hex.map.rows, hex.map.ours, hex.map.extensions.join(" ")), (11, true, hex.name.clone()));
    let path = format!("/api/works/{}", hex.id);
    let root: WorkInfo = told(ann.ask(&house, "GET", &path, &Value::Null).await, 200);
    assert_eq!((root.versions.len(), root.mine, root.may_star, root.forks.len()), (1, false, false, 0));
    for file in ["picture.svg", "map.xlsx", "extensions/0"] {
        assert_eq!(house.get(&format!("/api/maps/{}/{file}", hex.id)).await.status(), 200, "{file}");
    }
    let fork = work("My Hex", 5, json!({"made_from": hex.id}));
    let fork: WorkInfo = told(ann.ask(&house, "POST", "/api/works", &fork).await, 201);
    let from = fork.made_from.expect("was made from it");
    assert_eq!((from.work, from.version, from.name, from.author), (hex.id, 1, Some(hex.name), None));
    let root: WorkInfo = told(ann.ask(&house, "GET", &path, &Value::Null).await, 200);
    assert_eq!(root.forks.iter().map(|line| line.name.as_str()).collect::<Vec<_>>(), ["My Hex"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_finished_a_game_gives_stars() {
    let house = House::open().await;
    let ann = Author::of(&house).await;
    let first: WorkInfo =
        told(ann.ask(&house, "POST", "/api/works", &work("Played", 1, json!({}))).await, 201);
    let (id, map) = (first.line.id.clone(), first.line.map.id.clone());
    let star = format!("/api/works/{id}/stars");
    assert_eq!(ann.ask(&house, "PUT", &star, &json!({"stars": 5})).await.0, 404, "she has not played");
    let (red, blue) = (house.guest().await, house.guest().await);
    let secret = red.secret().to_owned();
    let game = "jingbanqi".to_owned();
    let wish = CreateTable { game, map: Some(map), options: Default::default(), ..gomoku(How::Invite) };
    let table = red.open(&wish).await.expect("a table").id;
    let mut seats = [Seat::new(red, &table), Seat::new(blue, &table)];
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    moves(&mut seats, "5,1-4,1 2,1-3,1").await;
    done(&mut seats[0], Act::Resign { side: None }).await;
    // The game is counted beside the table.
    let mut info: Option<WorkInfo> = None;
    for _ in 0..600 {
        let found: WorkInfo =
            told(ask(&house, &secret, "GET", &format!("/api/works/{id}"), &Value::Null).await, 200);
        if found.line.games > 0 {
            info = Some(found);
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let info = info.expect("the game is counted");
    assert_eq!((info.line.games, info.line.players, info.line.plies, info.may_star), (1, 2, Some(2.0), true));
    for stars in [0, 6] {
        assert_eq!(ask(&house, &secret, "PUT", &star, &json!({"stars": stars})).await.0, 400);
    }
    assert_eq!(ask(&house, &secret, "PUT", &star, &json!({"stars": 4})).await.0, 204);
    let info: WorkInfo =
        told(ask(&house, &secret, "GET", &format!("/api/works/{id}"), &Value::Null).await, 200);
    assert_eq!((info.my_stars, info.line.stars, info.line.starred), (Some(4), Some(4.0), 1));
    let (status, body) = ann.ask(&house, "DELETE", &format!("/api/works/{id}"), &Value::Null).await;
    assert_eq!((status, body["error"]["key"].as_str()), (409, Some("work-was-played")), "{body}");
    assert_eq!(gallery(&house, &ann, "sort=stars").await.of_the_day.expect("there is one").id, id);
}

/// The rated pool is one of a version: the next version starts without one.
#[tokio::test(flavor = "multi_thread")]
async fn a_work_with_a_rated_pool_is_marked() {
    let names = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal"];
    let (mut house, people) = with_accounts(names).await;
    let ann = Author { secret: people[0].secret().to_owned() };
    let publish = work("Loved", 0, json!({}));
    let first: WorkInfo = told(ann.ask(&house, "POST", "/api/works", &publish).await, 201);
    assert!(!first.line.rated);
    let ids: Vec<String> = people.iter().map(|one| one.player.id.clone()).collect();
    house
        .stored(async |store| {
            for n in 0..20 {
                let people = vec![ids[n % 8].clone(), ids[(n + 1) % 8].clone()];
                let map = first.line.map.id.clone();
                let change = ShelfChange::Finished { map, people, plies: 30 };
                store.shelf.shelve(change).await.expect("counts");
            }
        })
        .await;
    let told_of = gallery(&house, &ann, "search=loved").await;
    assert!(told_of.works[0].rated && told_of.works[0].games == 20, "{:?}", told_of.works);
    let next = work("Loved", 1, json!({"work": first.line.id, "base": 1}));
    let second: WorkInfo = told(ann.ask(&house, "POST", "/api/works", &next).await, 201);
    assert!(!second.line.rated && second.line.games == 20, "{:?}", second.line);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_made_in_the_background_and_goes_on_after_a_restart() {
    let limits = Limits { on: false, balance_games: 2, ..Limits::default() };
    let mut house = House::with(limits).await;
    let ann = Author::of(&house).await;
    let first: WorkInfo = told(ann.ask(&house, "POST", "/api/works", &work("Even", 0, json!({}))).await, 201);
    let path = format!("/api/maps/{}/balance", first.line.map.id);
    let (status, body) = ann.ask(&house, "GET", &path, &Value::Null).await;
    assert_eq!((status, body["error"]["key"].as_str()), (404, Some("no-balance")), "{body}");
    let begun: BalanceReport = told(ann.ask(&house, "POST", &path, &json!({})).await, 200);
    assert_eq!(begun.of, 6);
    house.restart().await;
    for _ in 0..2_400 {
        ann.ask(&house, "POST", &path, &json!({})).await;
        // It is kept, and the work knows it, once the whole of it is told.
        let line = &gallery(&house, &ann, "search=even").await.works[0];
        if line.first_share.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // Asked after the work knew it: what was told before may be from before the last game.
    let report: BalanceReport = told(ann.ask(&house, "POST", &path, &json!({})).await, 200);
    assert_eq!((report.done, report.of, report.all.games), (6, 6, 6), "{:?}", report.all);
    let line = gallery(&house, &ann, "search=even").await.works[0].clone();
    assert!((line.first_share.expect("is known") - report.all.first.value).abs() < 0.001);
    let picture = house.get(&format!("{path}/shares.svg?lang=zh&dark=true")).await;
    assert_eq!(picture.headers()["content-type"], "image/svg+xml");
    assert!(picture.text().await.expect("text").contains("红方"));
    assert_eq!(house.get(&format!("{path}/nothing.svg")).await.status(), 404);
    let board = house.get(&format!("/api/maps/{}/picture.svg", first.line.map.id)).await;
    assert!(board.text().await.expect("text").starts_with("<svg"));
    assert_eq!(ann.ask(&house, "POST", "/api/maps/0123/balance", &json!({})).await.0, 404);
}

/// The most puzzles that may be set are the host's limits.
#[tokio::test(flavor = "multi_thread")]
async fn so_many_puzzles_are_set_as_the_host_says() {
    for (limits, of) in [
        (Limits { set_puzzles: 1, ..Limits::default() }, "person"),
        (Limits { set_puzzles_map: 1, ..Limits::default() }, "map"),
        (Limits { set_puzzles_all: 1, ..Limits::default() }, "all"),
    ] {
        let house = House::with(limits).await;
        let ann = Author::of(&house).await;
        let first: WorkInfo =
            told(ann.ask(&house, "POST", "/api/works", &work("Riddle", 0, json!({}))).await, 201);
        let path = format!("/api/maps/{}/puzzles", first.line.map.id);
        let (fen, takes) = RIDDLE;
        let wish = json!({"fen": fen, "within": 1, "keep": true});
        assert_eq!(ann.ask(&house, "POST", &path, &wish).await.0, 201);
        let wish = json!({"fen": fen, "within": 2, "takes": takes, "keep": true});
        let (status, body) = ann.ask(&house, "POST", &path, &wish).await;
        assert_eq!((status, &body["error"]["args"]), (507, &json!({"of": of, "most": "1"})), "{body}");
    }
}

/// The starter's pieces: red's chariot takes the captain along its row, or the soldier in the corner.
pub const RIDDLE: (&str, u16) = ("6,.5/.6/3,.4,2/.6/.6/.2,1,.3 r 0,0 -", 0);

#[tokio::test(flavor = "multi_thread")]
async fn a_puzzle_is_proved_kept_solved_and_deleted() {
    let house = House::open().await;
    let (ann, bob) = (Author::of(&house).await, Author::of(&house).await);
    let first: WorkInfo =
        told(ann.ask(&house, "POST", "/api/works", &work("Riddle", 0, json!({}))).await, 201);
    let next = work("Riddle", 1, json!({"work": first.line.id, "base": 1}));
    let second: WorkInfo = told(ann.ask(&house, "POST", "/api/works", &next).await, 201);
    let path = format!("/api/maps/{}/puzzles", first.line.map.id);
    // Nothing that does not hold is kept, and it is said why.
    let start = catalog::maps::starter();
    let fen =
        kernel::any(jingbanqi::Jingbanqi::new(std::sync::Arc::new(jingbanqi::Rulebook::new(start, false))))
            .fen();
    let wish = json!({"fen": fen, "within": 1, "keep": true});
    let (status, body) = ann.ask(&house, "POST", &path, &wish).await;
    assert_eq!((status, body["error"]["key"].as_str()), (422, Some("puzzle-set-refuted")), "{body}");
    assert!(!body["error"]["args"]["line"].as_str().expect("a line").is_empty());
    let (status, body) = ann.ask(&house, "POST", &path, &json!({"fen": "nonsense", "within": 1})).await;
    assert_eq!((status, body["error"]["key"].as_str()), (400, Some("jingbanqi-fen-fields")), "{body}");
    let nowhere = "/api/maps/00000000000000000000000000000000/puzzles";
    assert_eq!(ann.ask(&house, "POST", nowhere, &wish).await.0, 404);
    // What holds is proved first, and kept when its author says so.
    let (fen, takes) = RIDDLE;
    let wish = json!({"fen": fen, "within": 3});
    let proved: wire::PuzzleProved = told(ann.ask(&house, "POST", &path, &wish).await, 200);
    assert_eq!((proved.id, proved.within), (None, 1));
    let wish = json!({"fen": fen, "within": 3, "keep": true});
    let kept: wire::PuzzleProved = told(ann.ask(&house, "POST", &path, &wish).await, 201);
    let id = kept.id.expect("is kept");
    assert_eq!(ann.ask(&house, "POST", &path, &wish).await.0, 409, "it is there already");
    let wish = json!({"fen": fen, "within": 2, "takes": takes, "keep": true});
    let (status, body) = ann.ask(&house, "POST", &path, &wish).await;
    assert_eq!(status, 201, "{body}");
    // It stands among those of every version, and says nothing of the line.
    let other = format!("/api/maps/{}/puzzles", second.line.map.id);
    let list: wire::MapPuzzles = told(bob.ask(&house, "GET", &other, &Value::Null).await, 200);
    let seen: Vec<(&str, bool)> = list.puzzles.iter().map(|p| (p.goal.as_str(), p.mine)).collect();
    assert_eq!(seen, [("take", false), ("win", false)]);
    let one: wire::PuzzleTold =
        told(bob.ask(&house, "GET", &format!("/api/puzzles/{id}"), &Value::Null).await, 200);
    assert_eq!(
        (one.within, one.goal.as_str(), one.of_map.as_deref()),
        (Some(1), "win", Some(first.line.map.id.as_str()))
    );
    let answer = async |moves: &[String]| -> wire::PuzzleAnswer {
        let path = format!("/api/puzzles/{id}/try");
        told(bob.ask(&house, "POST", &path, &json!({"moves": moves})).await, 200)
    };
    assert_eq!(answer(&kept.line).await.state, "solved");
    let wire::Offered::Listed(moves) = one.view.moves else { panic!("are listed") };
    let wrong = moves.iter().find(|m| m.text != kept.line[0]).expect("another move");
    assert_eq!(answer(std::slice::from_ref(&wrong.text)).await.state, "wrong");
    // Guests' answers are not rated, and only the author deletes it.
    assert_eq!(bob.ask(&house, "DELETE", &format!("/api/puzzles/{id}"), &Value::Null).await.0, 404);
    assert_eq!(ann.ask(&house, "DELETE", &format!("/api/puzzles/{id}"), &Value::Null).await.0, 204);
    let list: wire::MapPuzzles = told(ann.ask(&house, "GET", &path, &Value::Null).await, 200);
    assert_eq!(list.puzzles.iter().map(|p| p.mine).collect::<Vec<_>>(), [true]);
    // With its map the rest goes.
    assert_eq!(
        ann.ask(&house, "DELETE", &format!("/api/works/{}", first.line.id), &Value::Null).await.0,
        204
    );
    let list: wire::MapPuzzles = told(ann.ask(&house, "GET", &path, &Value::Null).await, 200);
    assert_eq!(list.puzzles, []);
}
