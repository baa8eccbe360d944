//! Programs at tables: ours at ten levels, other people's, and what becomes of those that fail.

use std::path::Path;
use std::time::Duration;

use client::{Answer, Error, Seat};
use edge::limits::Limits;
use engine::Stop;
use external::{Config, Protocol};
use futures_util::future::join_all;
use tables::opponents::Opponents;
use tables::opponents::seat::{self, Question};
use thinking::Foreign;
use wire::{Act, ClockSpec, CreateTable, Event, How, LogLine, Offer, Opponent, Side};

use crate::house::{House, done, gomoku, hear, mv, offer, refused, serve_all, soon, table_of};

/// Returns a table against a program; the person has `side`.
fn against(opponent: Opponent, side: Side) -> CreateTable {
    CreateTable { opponent: Some(opponent), side: Some(side), ..gomoku(How::Invite) }
}

fn xiangqi(opponent: Opponent, side: Side) -> CreateTable {
    CreateTable { game: "xiangqi".to_owned(), options: Default::default(), ..against(opponent, side) }
}

async fn sit(house: &House, wish: &CreateTable) -> Seat {
    let guest = house.guest().await;
    let table = guest.open(wish).await.expect("a table").id;
    let mut seat = Seat::new(guest, &table);
    hear(&mut seat).await;
    seat
}

/// Waits until there are `wanted` plies, or the game is over.
async fn plies(seat: &mut Seat, wanted: usize) {
    while seat.record.len() < wanted && seat.end.is_none() {
        hear(seat).await;
    }
}

/// Waits for the end; returns its reason and the winner.
async fn end(seat: &mut Seat) -> (String, Option<Side>) {
    loop {
        if let Some(end) = &seat.end {
            return (end.reason.to_string(), end.winner);
        }
        hear(seat).await;
    }
}

async fn log(house: &House, seat: &Seat) -> Vec<Event> {
    let path = format!("/api/tables/{}/log", table_of(seat));
    let lines: Vec<LogLine> = json(house, &path).await;
    lines.into_iter().map(|line| line.e).collect()
}

/// Returns some move that the person may make.
fn some_move(seat: &Seat, entry: &catalog::Entry) -> String {
    let options = &seat.info.as_ref().expect("known").options;
    let mut game = entry.open(entry.usual_map(), options, None).expect("opens");
    for ply in &seat.record {
        game.play(&ply.0).expect("was played");
    }
    let mut moves = game.moves();
    moves.swap_remove(moves.len() / 2)
}

async fn json<T: serde::de::DeserializeOwned>(house: &House, path: &str) -> T {
    serde_json::from_str(&house.get(path).await.text().await.expect("text")).expect("JSON")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_level_sits_down_for_every_game() {
    let house = House::open().await;
    let listed: Vec<wire::EngineInfo> = json(&house, "/api/engines").await;
    assert_eq!(listed.len(), 10);
    let maps: Vec<wire::MapLine> = json(&house, "/api/maps").await;
    let map = &maps.iter().find(|map| map.extensions.is_empty()).expect("one without extensions").id;
    let games = catalog::ENTRIES.iter().map(async |entry| {
        assert!(
            listed.iter().all(|engine| engine.games.iter().any(|game| game == entry.key)),
            "{}",
            entry.key
        );
        let wish = CreateTable {
            game: entry.key.to_owned(),
            options: Default::default(),
            map: entry.needs_map().then(|| map.clone()),
            ..against(Opponent::Level(1), Side::Second)
        };
        let mut person = sit(&house, &wish).await;
        let info = person.info.clone().expect("known");
        assert!(info.started, "{}: both are there", entry.key);
        assert_eq!(info.seats[0].as_ref().and_then(|p| p.engine.clone()), Some(Opponent::Level(1)));
        let turn = |seat: &Seat| seat.view.as_ref().expect("a board").turn;
        while turn(&person) == Side::First {
            hear(&mut person).await;
        }
        let first = person.record.len();
        assert!(first > 0, "{}: the program began", entry.key);
        while turn(&person) == Side::Second && person.end.is_none() {
            let text = some_move(&person, entry);
            done(&mut person, mv(&text)).await;
        }
        let own = person.record.len();
        plies(&mut person, own + 1).await;
        assert!(person.end.is_some() || person.record.len() > own, "{}: it answers", entry.key);
    });
    join_all(games).await;
}

#[tokio::test]
async fn who_can_not_sit_down_does_not() {
    let house = House::open().await;
    let guest = house.guest().await;
    let level = |n| against(Opponent::Level(n), Side::First);
    for (wish, key) in [
        (level(0), "unknown-level"),
        (level(11), "unknown-level"),
        (against(Opponent::Engine("Nobody".into()), Side::First), "no-such-engine"),
        (CreateTable { how: How::Screen, ..level(3) }, "engine-on-screen"),
    ] {
        let Err(Error::Refused(why)) = guest.open(&wish).await else { panic!("{key}") };
        assert_eq!(why.key, key);
    }
    let mut person = sit(&house, &level(3)).await;
    let mut other = Seat::new(house.guest().await, &table_of(&person));
    assert_eq!(refused(&mut other, Act::Sit { side: None }).await, "seat-taken");
    assert_eq!(refused(&mut other, mv("a1")).await, "not-your-seat");
    done(&mut person, Act::Abort).await;
}

#[tokio::test]
async fn the_same_table_sees_the_same_answer() {
    // A level's move follows from the game and the table; asked twice, it is the same.
    let opponents = std::sync::Arc::new(Opponents::new(Foreign::default(), 32));
    let ask = || {
        let opponents = std::sync::Arc::clone(&opponents);
        async move { opponents.think(question(None, Opponent::Level(4))).await }
    };
    let first = ask().await;
    assert!(matches!(first, seat::Answer::Move(_)), "{first:?}");
    assert_eq!(first, ask().await);
}

fn question(fen: Option<&str>, opponent: Opponent) -> Question {
    let game = catalog::find("xiangqi").expect("is there");
    let options = game.settle(&Default::default(), catalog::Setting::Online).expect("usual");
    Question {
        table: "table".to_owned(),
        person: "guest".to_owned(),
        network: edge::network::Network::nobody(),
        opponent,
        game: game.open(None, &options, fen).expect("opens"),
        rules: ("xiangqi".to_owned(), options, fen.map(str::to_owned)),
        map: None,
        budget: None,
        seed: None,
        stop: Stop::default(),
    }
}

#[tokio::test]
async fn the_hall_falls_while_it_thinks_and_it_goes_on() {
    let mut house = House::open().await;
    let mut person = sit(&house, &against(Opponent::Level(10), Side::First)).await;
    done(&mut person, mv("h8")).await;
    let table = table_of(&person);
    house.restart().await;
    let _here = house.guest().await.connect(&table, None).await.expect("opens");
    let plies = async {
        loop {
            let wire::ServerMessage::Full { record, .. } = house.full(&table).await else { panic!("full") };
            if record.len() == 2 {
                return record;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let record = soon(plies).await;
    assert_eq!((record[0].1, record[1].1), (Side::First, Side::Second));
}

#[tokio::test]
async fn what_is_taken_back_is_not_answered() {
    let house = House::open().await;
    let mut person = sit(&house, &against(Opponent::Level(10), Side::First)).await;
    done(&mut person, mv("h8")).await;
    done(&mut person, offer(Offer::Takeback)).await;
    while !person.record.is_empty() {
        hear(&mut person).await;
    }
    // Longer than it would have thought.
    tokio::time::sleep(Duration::from_millis(3_500)).await;
    done(&mut person, mv("a1")).await;
    plies(&mut person, 2).await;
    let moves: Vec<Event> =
        log(&house, &person).await.into_iter().filter(|e| !matches!(e, Event::Sit { .. })).collect();
    let kinds: Vec<&str> = moves
        .iter()
        .map(|event| match event {
            Event::Move { by: Side::First, .. } => "person",
            Event::Move { by: Side::Second, .. } => "program",
            Event::Offer { .. } => "asks",
            Event::Takeback { plies: 1, .. } => "back",
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(kinds, ["person", "asks", "back", "person", "program"]);
}

#[tokio::test]
async fn a_draw_too_early_is_declined_and_a_game_can_be_played_again() {
    let house = House::open().await;
    let mut person = sit(&house, &against(Opponent::Level(2), Side::First)).await;
    done(&mut person, mv("h8")).await;
    plies(&mut person, 2).await;
    done(&mut person, offer(Offer::Draw)).await;
    while !person.offers.is_empty() {
        hear(&mut person).await;
    }
    assert!(log(&house, &person).await.contains(&Event::Decline { by: Side::Second, what: Offer::Draw }));
    done(&mut person, Act::Resign { side: None }).await;
    done(&mut person, offer(Offer::Rematch)).await;
    while person.info.as_ref().is_some_and(|info| info.next.is_none()) {
        hear(&mut person).await;
    }
    let next = person.info.as_ref().and_then(|info| info.next.clone()).expect("a table");
    // A program thinks only while a visitor is at the table.
    let _here = house.guest().await.connect(&next, None).await.expect("opens");
    let begun = async {
        loop {
            let wire::ServerMessage::Full { record, table, .. } = house.full(&next).await else {
                panic!("full")
            };
            if !record.is_empty() {
                return (record, table);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let (record, table) = soon(begun).await;
    assert_eq!(record[0].1, Side::First);
    assert_eq!(table.seats[0].as_ref().and_then(|p| p.engine.clone()), Some(Opponent::Level(2)));
}

#[tokio::test]
async fn it_agrees_to_a_draw_when_it_stands_no_better() {
    let opponents = std::sync::Arc::new(Opponents::new(Foreign::default(), 32));
    let even = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    let rook_up = "3k5/9/9/9/9/9/9/9/9/R3K4 w";
    for (fen, side, turns, agrees) in [
        (rook_up, kernel::Side::First, 60, false),
        (rook_up, kernel::Side::Second, 60, true),
        (rook_up, kernel::Side::Second, 10, false),
        (even, kernel::Side::First, 60, true),
    ] {
        let asked = opponents.clone().agrees(question(Some(fen), Opponent::Level(5)), side, turns);
        assert_eq!(soon(asked).await, seat::Answer::Draw(agrees), "{fen} {side:?} after {turns} turns");
    }
}

#[tokio::test]
async fn a_clock_runs_for_programs_and_they_mind_it() {
    let house = House::open().await;
    let clock = ClockSpec::Fischer { base_ms: 4_000, increment_ms: 0 };
    let mut person = sit(&house, &CreateTable { clock, ..against(Opponent::Level(10), Side::First) }).await;
    for text in ["a1", "o15", "a15", "o1", "a8"] {
        let free = person.record.len();
        if let Answer::Refused(_) = soon(person.wish(mv(text))).await.expect("the protocol is kept") {
            continue;
        }
        plies(&mut person, free + 2).await;
    }
    assert!(person.end.as_ref().is_none_or(|end| end.reason != "flag"), "{:?}", person.end);
    assert!(
        person.record.iter().any(|ply| ply.1 == Side::Second && ply.2.is_some_and(|ms| ms > 0)),
        "it was charged"
    );
}

/// Returns a program that is a shell script, with the answer to `go` that the test chooses.
pub fn fake(folder: &Path, go: &str) -> Foreign {
    let greeting = "uci) echo uciok;;\nisready) echo readyok;;";
    let script = format!("while read -r line; do case \"$line\" in\n{greeting}\n{go}\nesac; done\n");
    std::fs::write(folder.join("engine.sh"), script).expect("writes");
    let mut config = Config::of_command(Protocol::Uci, "sh engine.sh");
    config.name = "Fake".to_owned();
    config.folder = folder.to_owned();
    config.games = vec!["xiangqi".to_owned()];
    config.patience_ms = 300;
    Foreign { engines: vec![config], fence: Default::default() }
}

pub async fn house_with(foreign: Foreign) -> House {
    let data = tempfile::tempdir().expect("a folder");
    let limits = Limits { on: false, ..Limits::default() };
    let running = serve_all(data.path(), limits, None, foreign).await.expect("opens");
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

#[tokio::test]
async fn a_foreign_program_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    // It dies once, which the players do not notice.
    let go =
        "*h2e2) touch asked;;\ngo*) if [ -e died ]; then echo bestmove h9g7; else touch died; exit 3; fi;;";
    let house = house_with(fake(folder.path(), go)).await;
    let listed: Vec<wire::EngineInfo> = json(&house, "/api/engines").await;
    let fake = listed.last().expect("eleven");
    assert_eq!(fake.opponent, Opponent::Engine("Fake".to_owned()));
    assert!(
        fake.games.iter().all(|game| game.starts_with("xiangqi")) && !fake.games.is_empty(),
        "{:?}",
        fake.games
    );
    let mut person = sit(&house, &xiangqi(Opponent::Engine("Fake".into()), Side::First)).await;
    assert_eq!(
        person.info.as_ref().and_then(|i| i.seats[1].clone()).and_then(|p| p.name),
        Some("Fake".to_owned())
    );
    done(&mut person, mv("h2e2")).await;
    plies(&mut person, 2).await;
    assert_eq!(person.record[1].0, "h9g7");
    assert!(folder.path().join("asked").exists(), "it was told the moves");
    // It does not know gomoku.
    let guest = house.guest().await;
    let wish = against(Opponent::Engine("Fake".into()), Side::First);
    let Err(Error::Refused(why)) = guest.open(&wish).await else { panic!("refused") };
    assert_eq!(why.key, "engine-plays-not");
}

#[tokio::test]
async fn a_foreign_program_that_fails_loses_and_the_person_is_told() {
    let cases = [
        ("go*) exit 3;;", "engine-died"),
        ("go*) echo bestmove h9h0;;", "engine-illegal"),
        ("go*) sleep 20;;", "engine-hangs"),
        ("go*) echo 'bestmove (none)';;", "engine-no-move"),
        ("go*) yes | tr -d '\\n';;", "engine-died"),
    ];
    let games = cases.iter().map(async |&(go, reason)| {
        let folder = tempfile::tempdir().expect("a folder");
        let house = house_with(fake(folder.path(), go)).await;
        let clock = ClockSpec::per_move(20_000);
        let wish = CreateTable { clock, ..xiangqi(Opponent::Engine("Fake".into()), Side::First) };
        let mut person = sit(&house, &wish).await;
        done(&mut person, mv("h2e2")).await;
        assert_eq!(end(&mut person).await, (reason.to_owned(), Some(Side::First)), "{go}");
        assert_eq!(person.record.len(), 1, "{go}");
        let told = Event::Forfeit { by: Side::Second, reason: reason.to_owned() };
        assert!(log(&house, &person).await.contains(&told), "{go}");
        for language in texts::Language::ALL {
            let said = texts::say(language, &format!("reason-{reason}"), &[]);
            assert!(!said.contains("reason-"), "{said}");
        }
    });
    join_all(games).await;
}
