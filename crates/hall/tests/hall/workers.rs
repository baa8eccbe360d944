//! Workers of a real hall: they play its programs' turns, and whatever they send, people play on.

use std::time::Duration;

use client::{Guest, Http, Seat, Trust};
use edge::limits::Limits;
use engine::Stop;
use futures_util::future::join_all;
use members::staff::desk::{StaffAnswer, StaffWish};
use serde_json::{Value, json};
use thinking::{EnginePool, Foreign, Search};
use wire::{
    AnalysisMessage, BalanceReport, CreateTable, Hint, How, MadeWorkerKey, NewWorkerKey, Opponent, Report,
    Side, Work, Worth,
};
use worker::{Done, Worker};

use crate::cluster::{Node, is_here};
use crate::house::{House, done, gomoku, hear, moves, mv, soon, table_of};
use crate::opponents::{fake, house_with};
use crate::staff::keeper;
use crate::{analysis, works};

/// A worker that runs until it is told to stop.
struct Hired {
    stop: tokio::sync::watch::Sender<bool>,
    ends: tokio::task::JoinHandle<Result<Done, client::Error>>,
}

impl Hired {
    fn start(base: &str, key: &str, cores: usize) -> Hired {
        Hired::with(base, key, cores, EnginePool::new(Foreign::default()))
    }

    fn with(base: &str, key: &str, cores: usize, pool: EnginePool) -> Hired {
        let (stop, stopped) = tokio::sync::watch::channel(false);
        let worker = Worker {
            hall: base.to_owned(),
            http: Http::new(&Trust::system()),
            key: key.to_owned(),
            cores,
            pool,
            loader: None,
        };
        Hired { stop, ends: tokio::spawn(worker.run(stopped, |_| {})) }
    }

    async fn stop(self) -> Done {
        self.stop.send_replace(true);
        soon(self.ends).await.expect("ends").expect("in order")
    }
}

/// Opens a hall with a key for a worker.
async fn house_with_key(limits: Limits) -> (House, MadeWorkerKey) {
    let house = House::with(limits).await;
    let wish = StaffWish::Hire(NewWorkerKey { name: "laptop".to_owned(), scopes: Vec::new() });
    match keeper(&house, wish).await.expect("made") {
        StaffAnswer::WorkerKey(made) => (house, made),
        told => panic!("a key: {told:?}"),
    }
}

async fn key_of(base: &str, token: &str) -> wire::WorkerKey {
    let asked = reqwest::Client::new().get(format!("{base}/api/worker/key")).bearer_auth(token);
    serde_json::from_str(&asked.send().await.expect("answers").text().await.expect("text")).expect("a key")
}

async fn post(base: &str, token: &str, path: &str, body: Vec<u8>) -> (u16, Value) {
    let asked =
        reqwest::Client::new().post(format!("{base}/api/worker/{path}")).bearer_auth(token).body(body);
    // The hall may close the connection on too large a body before all of it was sent.
    let Ok(answer) = asked.send().await else { return (413, Value::Null) };
    let status = answer.status().as_u16();
    (status, serde_json::from_str(&answer.text().await.unwrap_or_default()).unwrap_or_default())
}

fn wish(wait_ms: u32) -> Vec<u8> {
    let weights = engine::learned::hashes();
    json!({"version": env!("CARGO_PKG_VERSION"), "weights": weights, "wait_ms": wait_ms})
        .to_string()
        .into_bytes()
}

/// Tables at which a level answers a person's first move, each of another person. Level 10 thinks for 3 s, and keeps the only
/// thread of a hall on two cores busy meanwhile.
async fn tables(base: &str, count: usize, level: u8) -> Vec<Seat> {
    opened(base, count, level).await.into_iter().map(|(_, seat)| seat).collect()
}

/// Returns the same with who sits there.
async fn opened(base: &str, count: usize, level: u8) -> Vec<(Guest, Seat)> {
    let open = (0..count).map(async |_| {
        let guest = Guest::enter(base).await.expect("lets everybody in");
        let wish = CreateTable {
            game: "xiangqi".to_owned(),
            options: Default::default(),
            opponent: Some(Opponent::Level(level)),
            side: Some(Side::First),
            ..gomoku(How::Invite)
        };
        let table = guest.open(&wish).await.expect("a table").id;
        let mut seat = Seat::new(guest.clone(), &table);
        hear(&mut seat).await;
        done(&mut seat, mv("h2e2")).await;
        (guest, seat)
    });
    join_all(open).await
}

/// Waits until every program has answered.
async fn answered(seats: &mut [Seat]) {
    let all = seats.iter_mut().map(async |seat| {
        while seat.record.len() < 2 {
            assert!(seat.end.is_none(), "no game ends: {:?}", seat.end);
            hear(seat).await;
        }
    });
    join_all(all).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_plays_for_the_hall() {
    let (house, made) = house_with_key(Limits { on: false, ..Limits::default() }).await;
    let hired = Hired::start(&house.base, &made.token, 2);
    let _busy = tables(&house.base, 2, 10).await;
    let mut seats = tables(&house.base, 12, 8).await;
    answered(&mut seats).await;
    let done = hired.stop().await;
    assert!(done.answered > 0, "{done:?}");
    let key = key_of(&house.base, &made.token).await;
    assert!(key.answers > 0 && key.faults == 0 && key.seen_ms.is_some(), "{key:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_a_worker_sends_people_play_on() {
    let (house, made) = house_with_key(Limits { on: false, ..Limits::default() }).await;
    let (base, token) = (house.base.clone(), made.token.clone());
    let strange = json!({"version": "0.0.0"}).to_string().into_bytes();
    let (status, body) = post(&base, &token, "acquire", strange).await;
    assert_eq!((status, body["error"]["key"].as_str()), (409, Some("worker-version")));
    // A program of the same version with other weights, and one that says nothing of them.
    let mut weights = engine::learned::hashes().clone();
    weights.insert("gomoku".to_owned(), "0".repeat(16));
    for weights in [json!(weights), json!({})] {
        let wish = json!({"version": env!("CARGO_PKG_VERSION"), "weights": weights}).to_string();
        let (status, body) = post(&base, &token, "acquire", wish.into_bytes()).await;
        assert_eq!((status, body["error"]["key"].as_str()), (409, Some("worker-weights")));
        assert!(body["error"]["args"]["families"].as_str().is_some_and(|told| told.contains("gomoku")));
    }
    let odd = format!("qw_{}", "a".repeat(32));
    assert_eq!(post(&base, &odd, "acquire", wish(0)).await.0, 401);
    assert_eq!(post(&base, &token, "acquire", vec![b'x'; 100_000]).await.0, 413);
    assert_eq!(post(&base, &token, "acquire", b"{".to_vec()).await.0, 400);
    assert_eq!(post(&base, &token, "move/nothing", b"{\"digest\":\"\"}".to_vec()).await.0, 410);
    assert_eq!(post(&base, &token, "acquire", wish(0)).await.0, 204, "there is no work");

    // While the hall is busy, one worker takes what there is and sends rubbish.
    let _busy = tables(&base, 2, 10).await;
    let mut seats = tables(&base, 12, 8).await;
    let mut sent = 0;
    for body in [b"rubbish".to_vec(), vec![b'9'; 10 << 20]] {
        let (status, work) = post(&base, &token, "acquire", wish(3_000)).await;
        if status != 202 {
            break;
        }
        let work: Work = serde_json::from_value(work).expect("a question");
        let (status, _) = post(&base, &token, &format!("move/{}", work.id), body).await;
        assert!([400, 413].contains(&status), "{status}");
        sent += 1;
    }
    // One that goes to a worker which is never heard again, beside a hundred that ask at once.
    let many = join_all((0..100).map(|_| post(&base, &token, "acquire", wish(500)))).await;
    assert!(many.iter().all(|(status, _)| [202, 204, 429].contains(status)), "{many:?}");
    answered(&mut seats).await;
    let key = key_of(&base, &token).await;
    assert!(sent == 2 && key.faults >= 2, "{sent} {key:?}");

    // A key that was removed counts nowhere.
    keeper(&house, StaffWish::Dismiss { id: made.key.id.clone() }).await.expect("removed");
    assert_eq!(post(&house.base, &token, "acquire", wish(0)).await.0, 401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hall_that_was_started_again_asks_anew() {
    let (mut house, made) = house_with_key(Limits { on: false, ..Limits::default() }).await;
    let seats = opened(&house.base, 3, 10).await;
    let (status, work) = post(&house.base, &made.token, "acquire", wish(5_000)).await;
    assert_eq!(status, 202, "level 10 keeps the hall busy");
    let work: Work = serde_json::from_value(work).expect("a question");
    house.restart().await;
    let search = Search::told(&work, None).expect("the same position");
    let answer = search.perform(
        &EnginePool::new(Foreign::default()),
        Some(Duration::from_millis(50)),
        &Stop::default(),
        &mut |_| {},
    );
    let body = serde_json::to_vec(&search.answer(answer)).expect("plain data");
    let (status, told) = post(&house.base, &made.token, &format!("move/{}", work.id), body).await;
    assert_eq!((status, told["error"]["key"].as_str()), (410, Some("worker-gone")));
    let hired = Hired::start(&house.base, &made.token, 1);
    for (guest, seat) in &seats {
        let here = Guest::known(&house.base, guest.secret()).await.expect("is known");
        let mut again = Seat::new(here, &table_of(seat));
        while again.record.len() < 2 {
            hear(&mut again).await;
        }
    }
    hired.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_at_any_node_thinks_for_all() {
    if !is_here() {
        return;
    }
    let mut a = Node::open("workers", "a").await;
    let mut b = Node::open("workers", "b").await;
    let admin = a.account("Hu").await;
    crate::cluster::sql("workers", "UPDATE person SET roles = 'admin' WHERE name = 'Hu'");
    let made = admin.post(&["api", "admin", "workers"], &json!({"name": "laptop"})).await.expect("a key");
    let made: MadeWorkerKey = serde_json::from_value(made).expect("a key");
    let hired = Hired::start(&b.base, &made.token, 2);
    // Each node looks now and then which keys there are.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let _busy = tables(&a.base, 2, 10).await;
    let mut seats = tables(&a.base, 12, 8).await;
    answered(&mut seats).await;
    assert!(hired.stop().await.answered > 0);
    let key = key_of(&a.base, &made.token).await;
    assert!(key.answers > 0 && key.faults == 0, "{key:?}");
    a.stop().await;
    b.stop().await;
}

/// A hall that cannot read its keys tells a worker that it is busy, so the worker goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hall_that_cannot_read_its_keys_says_that_it_is_busy() {
    if !is_here() {
        return;
    }
    let mut a = Node::open("unread", "a").await;
    let admin = a.account("Hu").await;
    crate::cluster::sql("unread", "UPDATE person SET roles = 'admin' WHERE name = 'Hu'");
    let made = admin.post(&["api", "admin", "workers"], &json!({"name": "laptop"})).await.expect("a key");
    let made: MadeWorkerKey = serde_json::from_value(made).expect("a key");
    let asks = async || {
        let (status, body) = post(&a.base, &made.token, "acquire", wish(0)).await;
        (status, body["error"]["key"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(asks().await.0, 204);
    crate::cluster::sql("unread", "ALTER TABLE worker_key RENAME TO elsewhere");
    assert_eq!(asks().await, (503, "hall-busy".to_owned()));
    crate::cluster::sql("unread", "ALTER TABLE elsewhere RENAME TO worker_key");
    assert_eq!(asks().await.0, 204, "the same key counts");
    a.stop().await;
}

/// One kind of work of a hall whose own turn for studies is taken, and which has no key of a worker but while `wish` runs: the
/// number of searches that the worker answered.
async fn carried(house: &House, wish: impl AsyncFnOnce(&str)) -> u64 {
    let key = StaffWish::Hire(NewWorkerKey { name: "laptop".to_owned(), scopes: Vec::new() });
    let StaffAnswer::WorkerKey(made) = keeper(house, key).await.expect("made") else { panic!("a key") };
    let hired = Hired::start(&house.base, &made.token, 2);
    while key_of(&house.base, &made.token).await.seen_ms.is_none() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    wish(&made.token).await;
    let done = hired.stop().await;
    keeper(house, StaffWish::Dismiss { id: made.key.id }).await.expect("removed");
    done.answered
}

/// Takes the hall's only turn for studies, for as long as a position may be looked at.
async fn looks(socket: &mut analysis::Socket, n: u32) {
    analysis::look(socket, n, 2, 1).await;
    analysis::told(socket, |word| match word {
        AnalysisMessage::Found { n: told, done: false, .. } => (told == n).then_some(()),
        AnalysisMessage::Found { .. } => None,
        AnalysisMessage::No { why, .. } => panic!("{}", why.key),
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hints_analyses_and_reports_are_done_by_a_worker() {
    let house = House::with(Limits { on: false, searches: 1, ..Limits::default() }).await;
    let taken = table_of(&analysis::alone(&house, analysis::FOUR).await);
    let mut busy = analysis::study(&house, &taken).await;

    looks(&mut busy, 1).await;
    let answered = carried(&house, async |_| {
        let mut socket = analysis::study(&house, &taken).await;
        analysis::look(&mut socket, 1, 8, 2).await;
        let worth = analysis::told(&mut socket, |word| match word {
            AnalysisMessage::Found { lines, done: true, .. } => Some(lines[0].worth),
            AnalysisMessage::Found { .. } => None,
            AnalysisMessage::No { why, .. } => panic!("{}", why.key),
        });
        assert_eq!(worth.await, Worth::Wins(1), "five at once");
    });
    assert!(answered.await > 0, "an analysis");

    looks(&mut busy, 2).await;
    let secret = analysis::newcomer(&house).await;
    let (status, made) = analysis::post(&house, "/api/tables", &secret, &json!(gomoku(How::Screen))).await;
    assert_eq!(status, 201, "{made}");
    let path = format!("/api/tables/{}/hint", made["id"].as_str().expect("an id"));
    let answered = carried(&house, async |_| {
        let hint: Hint = analysis::read(analysis::post(&house, &path, &secret, &Value::Null).await);
        assert!(!hint.line.moves.is_empty());
    });
    assert!(answered.await > 0, "a hint");

    let over = analysis::alone(&house, &format!("{} m1 a5", analysis::FOUR)).await;
    let path = format!("/api/tables/{}/report", table_of(&over));
    looks(&mut busy, 3).await;
    let answered = carried(&house, async |_| {
        loop {
            let report: Report = analysis::read(analysis::post(&house, &path, &secret, &Value::Null).await);
            if report.done == report.of {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    assert!(answered.await > 0, "a report");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn puzzles_and_games_of_balance_are_done_by_a_worker() {
    let limits = Limits { on: false, balance_games: 1, puzzle_games_hour: 3_600, ..Limits::default() };
    let house = House::with(limits).await;
    let secret = analysis::newcomer(&house).await;
    let made = analysis::post(&house, "/api/works", &secret, &works::work("Even", 0, json!({}))).await;
    assert_eq!(made.0, 201, "{made:?}");
    let map = made.1["line"]["map"]["id"].as_str().expect("an id").to_owned();
    let path = format!("/api/maps/{map}/balance");
    let answered = carried(&house, async |_| {
        for _ in 0..1_200 {
            let told: BalanceReport =
                analysis::read(analysis::post(&house, &path, &secret, &json!({})).await);
            if told.done == told.of {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("the report is not made");
    });
    assert!(answered.await > 0, "games of a report on balance");

    let mut seats = house.pair(gomoku(How::Invite)).await;
    let answered = carried(&house, async |token| {
        moves(&mut seats, "h8 a1 i8 a2 j8 a3 m1 o1 k8 a4 m3 a5").await;
        while key_of(&house.base, token).await.answers == 0 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let answered = tokio::time::timeout(Duration::from_secs(120), answered).await;
    assert!(answered.expect("the game is looked at") > 0, "puzzles of a finished game");
}

/// An engine of others at the worker is asked, and not that of the hall, which is called the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_of_others_plays_at_a_worker_that_has_it() {
    let go = "go*) touch asked; echo bestmove h9g7;;";
    let [here, there] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let house = house_with(fake(here.path(), go)).await;
    let key = StaffWish::Hire(NewWorkerKey { name: "laptop".to_owned(), scopes: Vec::new() });
    let StaffAnswer::WorkerKey(made) = keeper(&house, key).await.expect("made") else { panic!("a key") };
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let hired = Hired::with(&house.base, &made.token, 1, EnginePool::new(fake(there.path(), go)));
    let wish = CreateTable {
        game: "xiangqi".to_owned(),
        options: Default::default(),
        opponent: Some(Opponent::Engine("Fake".to_owned())),
        side: Some(Side::First),
        ..gomoku(How::Invite)
    };
    // Every thread of the hall is taken for 3 s. On a busy machine one may be free again too early: then the next game
    // is the worker's.
    for _ in 0..5 {
        let _busy = tables(&house.base, (cores - 1).max(1), 10).await;
        let _ = std::fs::remove_file(here.path().join("asked"));
        let guest = Guest::enter(&house.base).await.expect("lets everybody in");
        let table = guest.open(&wish).await.expect("a table").id;
        let mut seat = Seat::new(guest, &table);
        hear(&mut seat).await;
        done(&mut seat, mv("h2e2")).await;
        answered(std::slice::from_mut(&mut seat)).await;
        assert_eq!(seat.record[1].0, "h9g7");
        if there.path().join("asked").exists() {
            break;
        }
    }
    hired.stop().await;
    assert!(there.path().join("asked").exists(), "the worker's own is asked");
    assert!(!here.path().join("asked").exists(), "and the hall's is not");
}
