//! Tests of workers. They catch a worker that costs a game: one that lies, dies, hangs or is late, and a search that
//! is never done.

use std::sync::Arc;
use std::time::Duration;

use edge::fair::{Fair, Turn};
use edge::network::{Asker, Network};
use edge::time::Time;
use engine::{Level, Limits, Stop};
use members::staff::worker_keys;
use serde_json::json;
use store::workers::SearchTaker;
use store::{KeyDeed, Store};
use tempfile::TempDir;
use thinking::{Answer, Ask, EnginePool, Foreign, GameSnapshot, Search, Size};
use wire::{MadeWorkerKey, Work};

use super::{Purpose, Searches, Undone, WantedSearch, WorkerEnd};

/// A scene in which the only turn here is held, so that only a worker can do a search.
struct Scene {
    searches: Arc<Searches>,
    queue: Arc<Fair>,
    held: Option<Turn>,
    store: Arc<Store>,
    keys: Vec<MadeWorkerKey>,
    _folder: TempDir,
}

fn asker(person: &str) -> Asker {
    Asker { network: Network::nobody(), person: person.to_owned() }
}

/// Makes the search for a level's move after some moves of xiangqi.
fn search(time: Duration) -> Search {
    let entry = catalog::find("xiangqi").expect("is there");
    let options = entry.settle(&Default::default(), catalog::Setting::Online).expect("usual");
    let mut game = entry.open(None, &options, None).expect("opens");
    for text in ["h2e2", "h9g7", "h0g2"] {
        game.play(text).expect("is legal");
    }
    let limits = Limits { time: Some(time), level: Level::new(4), seed: 7, ..Limits::default() };
    let ask = Ask::Think { limits, size: Size::Small, engine: None, table: "t".to_owned() };
    let about = GameSnapshot { key: "xiangqi".to_owned(), options, map: None, rules: None, fen: None, game };
    Search { about, ask }
}

fn wanted(time: Duration) -> WantedSearch {
    WantedSearch::new(search(time), asker("p"), Purpose::Play, Stop::default())
}

const LONG: Duration = Duration::from_secs(60);

impl Scene {
    async fn open(keys: usize) -> Scene {
        let folder = tempfile::tempdir().expect("a folder");
        let store: Arc<Store> = Arc::new(Store::open(folder.path()).await.expect("opens"));
        let searches = Arc::new(Searches::new(EnginePool::new(Foreign::default())));
        searches.open(&store, &Time::start(store::now_ms(), 0));
        let mut made = Vec::new();
        for n in 0..keys {
            let (key, deed) = worker_keys::new(&format!("worker {n}"), &[], n as u64).expect("a key");
            store.worker_keys.change_worker_key(deed).await.expect("stored");
            made.push(key);
        }
        searches.keys.refresh().await;
        let queue = Fair::new(1, 100);
        let held = queue.take(Network::nobody(), "somebody").await.expect("is free");
        Scene { searches, queue, held: Some(held), store, keys: made, _folder: folder }
    }

    fn run(&self, wanted: WantedSearch) -> tokio::task::JoinHandle<Result<Answer, Undone>> {
        let (searches, queue) = (Arc::clone(&self.searches), Arc::clone(&self.queue));
        tokio::spawn(async move { searches.run(&queue, &wanted).await })
    }

    /// Returns the next search for the worker with that key, if there is one soon.
    async fn acquire(&self, nth: usize) -> Option<Work> {
        let key = self.keys[nth].key.clone();
        let taker = SearchTaker { key: key.id, scopes: key.scopes, engines: Vec::new(), extensions: false };
        let board = self.searches.board().expect("is open");
        let given = board.take(&taker, Duration::from_millis(500)).await.expect("the store answers");
        given.map(|given| serde_json::from_str(&given.body).expect("a question"))
    }

    async fn hear(
        &self,
        nth: usize,
        id: &str,
        told: Option<serde_json::Value>,
        end: Option<WorkerEnd>,
    ) -> bool {
        let board = self.searches.board().expect("is open");
        let told = told.map(|told| told.to_string());
        board.hear(id, &self.keys[nth].key.id, told, end).await.expect("the store answers")
    }

    async fn faults(&self, nth: usize) -> u64 {
        let mut keys = worker_keys::listed(self.store.as_ref()).await.expect("reads");
        self.searches.keys.fill(&mut keys);
        keys[nth].faults
    }

    /// Waits until a worker has that number of faults.
    async fn faulty(&self, nth: usize, faults: u64) {
        let waits = async {
            while self.faults(nth).await < faults {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), waits).await.expect("it is noted");
    }
}

/// Returns the best move of a search's answer.
fn best(done: Result<Answer, Undone>) -> String {
    match done.expect("an answer") {
        Answer::Thought(thought) => thought.best,
        other => panic!("{other:?}"),
    }
}

/// Computes the answer of an honest worker, as JSON.
fn honest(work: &Work) -> serde_json::Value {
    let search = Search::told(work, None).expect("the same position");
    let answer = search.perform(&EnginePool::new(Foreign::default()), None, &Stop::default(), &mut |_| {});
    serde_json::to_value(search.answer(answer)).expect("plain data")
}

fn here() -> String {
    let answer =
        search(LONG).perform(&EnginePool::new(Foreign::default()), None, &Stop::default(), &mut |_| {});
    best(answer.map_err(Undone::Failed))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_answers_as_the_hall_would() {
    let scene = Scene::open(1).await;
    let run = scene.run(wanted(LONG));
    let work = scene.acquire(0).await.expect("it is offered");
    assert_eq!(work.game.moves, ["h2e2", "h9g7", "h0g2"]);
    assert!(scene.acquire(0).await.is_none(), "one worker has it");
    assert!(scene.hear(0, &work.id, None, None).await, "it is waited for");
    assert!(scene.hear(0, &work.id, Some(honest(&work)), Some(WorkerEnd::Answer)).await);
    assert_eq!(best(run.await.expect("ends")), here());
    assert!(!scene.hear(0, &work.id, Some(honest(&work)), Some(WorkerEnd::Answer)).await, "once");
    // What is looked at again is found to be true.
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(scene.faults(0).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_is_not_believed_and_costs_a_retry() {
    type Lie = fn(&mut serde_json::Value);
    let lies: [(&str, Lie); 7] = [
        ("an illegal move", |told| told["move"] = json!("a0a9")),
        ("a move of the other side", |told| told["move"] = json!("b0c2")),
        ("a move in other words", |told| told["move"] = json!(" h2e2")),
        ("another position", |told| told["digest"] = json!("0123456789abcdef")),
        ("no move", |told| drop(told.as_object_mut().expect("an object").remove("move"))),
        ("a line that is not legal", |told| told["lines"][0]["moves"] = json!(["a0a9"])),
        ("an engine that nobody asked", |told| told["failed"] = json!({"key": "engine-resigns", "args": {}})),
    ];
    for (what, lie) in lies {
        let mut scene = Scene::open(2).await;
        let run = scene.run(wanted(LONG));
        let work = scene.acquire(0).await.expect("it is offered");
        let mut told = honest(&work);
        lie(&mut told);
        assert!(scene.hear(0, &work.id, Some(told), Some(WorkerEnd::Answer)).await, "{what}");
        scene.faulty(0, 1).await;
        // Another worker gets it next, and not the same.
        assert!(scene.acquire(0).await.is_none(), "{what}");
        let again = scene.acquire(1).await.expect("another may have it");
        assert_ne!(again.id, work.id);
        assert!(scene.hear(1, &again.id, Some(json!([1, 2])), Some(WorkerEnd::Answer)).await, "{what}");
        scene.faulty(1, 1).await;
        // Two have failed: it is done here.
        assert!(scene.acquire(0).await.is_none() && scene.acquire(1).await.is_none(), "{what}");
        drop(scene.held.take());
        assert_eq!(best(run.await.expect("ends")), here(), "{what}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_lies_again_and_again_is_set_aside() {
    let scene = Scene::open(1).await;
    for n in 1..=3 {
        let run = scene.run(wanted(LONG));
        let work = scene.acquire(0).await.expect("it is offered");
        scene.hear(0, &work.id, Some(json!({"digest": "x"})), Some(WorkerEnd::Answer)).await;
        scene.faulty(0, n).await;
        run.abort();
    }
    let aside = async {
        loop {
            let listed = worker_keys::listed(scene.store.as_ref()).await.expect("reads");
            if let Some(why) = listed[0].aside.clone() {
                return why;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let why = tokio::time::timeout(Duration::from_secs(30), aside).await.expect("it is set aside");
    assert_eq!(why, "position");
    // Nothing is offered where every key is set aside.
    scene.searches.keys.refresh().await;
    let run = scene.run(wanted(LONG));
    assert!(scene.acquire(0).await.is_none());
    run.abort();
    let id = scene.keys[0].key.id.clone();
    let restore = KeyDeed::Aside { id: id.clone(), why: None };
    scene.store.worker_keys.change_worker_key(restore).await.expect("is restored");
    scene.searches.keys.forget(&id);
    scene.searches.keys.refresh().await;
    let run = scene.run(wanted(LONG));
    assert!(scene.acquire(0).await.is_some());
    run.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_legal_move_that_no_search_finds_is_noticed() {
    let scene = Scene::open(1).await;
    let run = scene.run(wanted(LONG));
    let work = scene.acquire(0).await.expect("it is offered");
    let mut told = honest(&work);
    let other = if told["move"] == "a9a8" { "i9i8" } else { "a9a8" };
    (told["move"], told["lines"], told["cut"]) = (json!(other), json!([]), json!(false));
    scene.hear(0, &work.id, Some(told), Some(WorkerEnd::Answer)).await;
    assert_eq!(best(run.await.expect("ends")), other, "it is legal, and nobody waits for the second look");
    scene.faulty(0, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_dies_or_hangs_or_gives_back_is_not_waited_for() {
    // Each at the same time, as the clock decides.
    let silent = async {
        let mut scene = Scene::open(1).await;
        let run = scene.run(wanted(LONG));
        scene.acquire(0).await.expect("it is offered");
        scene.faulty(0, 1).await;
        drop(scene.held.take());
        assert_eq!(best(run.await.expect("ends")), here(), "silent");
        let Err(wait) = scene.searches.keys.wait(&scene.keys[0].key.id) else { panic!("it rests") };
        assert!(wait.seconds() <= 5);
    };
    let hangs = async {
        let mut scene = Scene::open(1).await;
        let run = scene.run(wanted(Duration::from_millis(200)));
        let work = scene.acquire(0).await.expect("it is offered");
        while scene.faults(0).await == 0 {
            scene.hear(0, &work.id, None, None).await;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        drop(scene.held.take());
        best(run.await.expect("ends"));
        assert!(!scene.hear(0, &work.id, Some(honest(&work)), Some(WorkerEnd::Answer)).await, "too late");
    };
    let gives_back = async {
        let scene = Scene::open(2).await;
        let run = scene.run(wanted(LONG));
        let work = scene.acquire(0).await.expect("it is offered");
        assert!(scene.hear(0, &work.id, None, Some(WorkerEnd::Aborted)).await);
        let again = scene.acquire(1).await.expect("another may have it");
        scene.hear(1, &again.id, Some(honest(&again)), Some(WorkerEnd::Answer)).await;
        assert_eq!(best(run.await.expect("ends")), here(), "given back");
        assert_eq!((scene.faults(0).await, scene.faults(1).await), (0, 0));
    };
    tokio::join!(silent, hangs, gives_back);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_wants_any_more_is_taken_from_the_worker() {
    let scene = Scene::open(1).await;
    let wish = wanted(LONG);
    let stop = wish.stop.clone();
    let run = scene.run(wish);
    let work = scene.acquire(0).await.expect("it is offered");
    stop.stop();
    assert_eq!(run.await.expect("ends"), Err(Undone::Stopped));
    assert!(!scene.hear(0, &work.id, None, None).await);
    // The same if the requester has gone, before or after a worker took it.
    let run = scene.run(wanted(LONG));
    let work = scene.acquire(0).await.expect("it is offered");
    run.abort();
    let _ = run.await;
    assert!(!scene.hear(0, &work.id, None, None).await);
    let run = scene.run(wanted(LONG));
    tokio::time::sleep(Duration::from_millis(50)).await;
    run.abort();
    let _ = run.await;
    assert!(scene.acquire(0).await.is_none());
    assert_eq!(scene.faults(0).await, 0, "none of that is the worker's fault");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_here_that_comes_first_is_taken() {
    let mut scene = Scene::open(1).await;
    let run = scene.run(wanted(LONG));
    tokio::time::sleep(Duration::from_millis(50)).await;
    drop(scene.held.take());
    assert_eq!(best(run.await.expect("ends")), here());
    assert!(scene.acquire(0).await.is_none(), "it is no more offered");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_waits_for_is_a_workers_first() {
    let mut scene = Scene::open(1).await;
    drop(scene.held.take());
    let background = || WantedSearch { purpose: Purpose::Background, ..wanted(LONG) };
    // No worker has asked: it is done here at once.
    let run = scene.run(background());
    assert!(scene.acquire(0).await.is_none());
    assert_eq!(best(run.await.expect("ends")), here());
    // A worker was here: it gets it although there is a turn, and where it does not come the hall does it.
    let now_ms = Time::start(store::now_ms(), 0).now_ms();
    assert!(scene.searches.keys.request(&scene.keys[0].key.id, now_ms).is_ok());
    let run = scene.run(background());
    let work = scene.acquire(0).await.expect("it is offered");
    scene.hear(0, &work.id, Some(honest(&work)), Some(WorkerEnd::Answer)).await;
    assert_eq!(best(run.await.expect("ends")), here());
    assert_eq!(best(scene.run(background()).await.expect("ends")), here());
}
