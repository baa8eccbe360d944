//! Weights of maps at a worker. They would catch a worker that judges a map by other weights than its hall, and one
//! that believes weights which are not those it asked for.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use catalog::maps::{Rules, SAMPLES};
use client::{Http, Trust};
use engine::{Stop, learned};
use eval_jingbanqi::MapEval;
use jingbanqi::Jingbanqi;
use kernel::Game;
use thinking::{EnginePool, Foreign, Search, digest, upload_of};
use wire::{UploadMap, Work, WorkAbort, WorkAnswer, WorkAsk, WorkGame, WorkLimits, WorkerKey};
use worker::Worker;

/// A hall that gives the work it has, and remembers what it was told.
#[derive(Default)]
struct House {
    work: VecDeque<Work>,
    weights: String,
    fetched: usize,
    told: Vec<Result<WorkAnswer, String>>,
}

type Shared = Arc<Mutex<House>>;

fn lock(house: &Shared) -> MutexGuard<'_, House> {
    house.lock().expect("no panic")
}

async fn key() -> Json<WorkerKey> {
    Json(WorkerKey {
        id: "k".to_owned(),
        name: "laptop".to_owned(),
        scopes: Vec::new(),
        made_ms: 0,
        aside: None,
        seen_ms: None,
        answers: 0,
        faults: 0,
    })
}

async fn acquire(State(house): State<Shared>) -> Response {
    let work = lock(&house).work.pop_front();
    match work {
        Some(work) => (StatusCode::ACCEPTED, Json(work)).into_response(),
        None => {
            tokio::time::sleep(Duration::from_millis(20)).await;
            StatusCode::NO_CONTENT.into_response()
        }
    }
}

async fn answer(State(house): State<Shared>, Json(answer): Json<WorkAnswer>) -> StatusCode {
    lock(&house).told.push(Ok(answer));
    StatusCode::NO_CONTENT
}

async fn abort(State(house): State<Shared>, Json(wish): Json<WorkAbort>) -> StatusCode {
    lock(&house).told.push(Err(wish.why));
    StatusCode::NO_CONTENT
}

async fn map(Path(key): Path<String>) -> Json<UploadMap> {
    let sample = SAMPLES.iter().find(|sample| sample.key == key).expect("is asked for");
    Json(upload_of(sample.name, &sample.package(), false))
}

async fn weights(State(house): State<Shared>) -> String {
    let mut house = lock(&house);
    house.fetched += 1;
    house.weights.clone()
}

async fn open(house: &Shared) -> String {
    let routes = Router::new()
        .route("/api/worker/key", get(key))
        .route("/api/worker/acquire", post(acquire))
        .route("/api/worker/analysis/{id}", post(async || StatusCode::NO_CONTENT))
        .route("/api/worker/move/{id}", post(answer))
        .route("/api/worker/abort/{id}", post(abort))
        .route("/api/worker/maps/{id}", get(map))
        .route("/api/worker/weights/{hash}", get(weights))
        .with_state(Arc::clone(house));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, routes).await });
    base
}

/// Returns what the worker answered to that work.
async fn told(house: &Shared, work: Work) -> Result<WorkAnswer, String> {
    lock(house).work.push_back(work);
    for _ in 0..1_000 {
        let told = lock(house).told.pop();
        if let Some(told) = told {
            return told;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the worker tells nothing")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_judges_a_map_as_the_hall_does() {
    let sample = SAMPLES.iter().find(|sample| sample.key == "mountains").expect("a map without extensions");
    let rules = Rules::load(&sample.package(), &Default::default(), None).expect("a good map");
    let game = rules.open(None).expect("opens");
    let pos = game.as_any().downcast_ref::<Game<Jingbanqi>>().expect("is one").position();
    let general = MapEval::general(pos);
    let mut placed = general.weights();
    let places = &mut placed[general.before_places()..];
    places.iter_mut().enumerate().for_each(|(at, weight)| *weight = 16 * (at as i32 * 37 % 101));
    let line = eval_jingbanqi::learned::line(eval_jingbanqi::learned::print(pos), &placed);

    let work = |weights: Option<String>| Work {
        id: "w".to_owned(),
        deadline_ms: 60_000,
        game: WorkGame {
            key: "jingbanqi".to_owned(),
            map: Some(sample.key.to_owned()),
            weights,
            digest: digest(game.as_ref()),
            ..WorkGame::default()
        },
        ask: WorkAsk::Think(WorkLimits { time_ms: 50_000, level: Some(4), seed: 7, ..WorkLimits::default() }),
    };
    let here = || {
        let search = Search::told(&work(None), Some(rules.clone())).expect("the same position");
        let found = search.perform(&EnginePool::new(Foreign::default()), None, &Stop::default(), &mut |_| {});
        let told = search.answer(found);
        (told.best, told.lines.first().map(|line| line.worth))
    };
    let usual = here();
    learned::bring(game.as_ref(), Some(&line));
    let hash = learned::brought(game.as_ref()).expect("was brought");
    assert_eq!(learned::brought_line(&hash), Some(line.clone()));
    let wanted = here();
    assert_ne!(wanted, usual, "these weights judge otherwise");
    learned::bring(game.as_ref(), None);
    assert_eq!((here(), learned::brought_line(&hash)), (usual.clone(), None), "as before");
    learned::bring(game.as_ref(), Some("0123 1 2 3"));
    assert_eq!(learned::brought(game.as_ref()), None, "those of another map");

    let house = Shared::default();
    lock(&house).weights.clone_from(&line);
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let hired = Worker {
        hall: open(&house).await,
        http: Http::new(&Trust::system()),
        key: "qw_x".to_owned(),
        cores: 1,
        pool: EnginePool::new(Foreign::default()),
        loader: None,
    };
    let hired = tokio::spawn(hired.run(stopped, |_| {}));
    let of = |told: WorkAnswer| (told.best, told.lines.first().map(|line| line.worth));
    // Fetched once, kept while the hall asks by them, and dropped as soon as it does not.
    for (wish, answer, fetched) in
        [(None, &usual, 0), (Some(&hash), &wanted, 1), (Some(&hash), &wanted, 1), (None, &usual, 1)]
    {
        let told = told(&house, work(wish.cloned())).await.expect("an answer");
        assert_eq!((&of(told), lock(&house).fetched), (answer, fetched), "{wish:?}");
    }
    // Others than those that were asked for, too many bytes, and what is no hash: the search is done elsewhere.
    for (hash, sent) in [
        ("0".repeat(64), line.clone()),
        (hash.clone(), format!("{line} 5")),
        (hash.clone(), "9 ".repeat(200_000)),
        ("../maps/mountains".to_owned(), line.clone()),
    ] {
        lock(&house).weights = sent;
        assert_eq!(told(&house, work(Some(hash))).await, Err("weights".to_owned()));
    }
    lock(&house).weights = line;
    assert_eq!(of(told(&house, work(Some(hash))).await.expect("an answer")), wanted, "it works on");
    stop.send_replace(true);
    hired.await.expect("ends").expect("in order");
}
