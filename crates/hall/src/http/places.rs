//! Tests of the limits on work. They catch work that does not wait for a place, data that is read or held before
//! there is one, and answers without an end.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use axum::response::Response;
use catalog::maps::SAMPLES;
use edge::limits::Limits;
use edge::network::{Asker, Network, Payer};
use edge::reach::Reach;
use edge::workers::Place;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use people::Secret;
use serde_json::{Value, json};
use store::studies::StudyDeed;
use store::{NewPerson, Store, StoredPersonKind};
use tables::opponents::Opponents;
use tempfile::TempDir;
use wire::{MapName, Study, StudyAccess, StudyChapter, StudyMember, StudyNode};
use works::maps::{Brought, ours};

use crate::app::App;
use crate::hall::Hall;
use crate::studies::shown;
use thinking::Foreign;

/// A hall in this process, with Ann and Bob, who have accounts.
struct Here {
    app: App,
    secrets: BTreeMap<&'static str, Secret>,
    _data: TempDir,
}

impl Here {
    async fn with(limits: Limits) -> Here {
        let data = tempfile::tempdir().expect("a folder");
        let store = Arc::new(Store::open(data.path()).await.expect("opens"));
        let mut secrets = BTreeMap::new();
        for id in ["ann", "bob"] {
            let secret = Secret::new();
            let account = NewPerson {
                id: id.to_owned(),
                kind: StoredPersonKind::Account,
                name: Some(id.to_owned()),
                folded: Some(people::name::fold(id)),
                hash: secret.hash(),
                label: None,
                made_ms: 1_000,
            };
            store.people.enroll(account).await.expect("stored");
            secrets.insert(id, secret);
        }
        let hall = Hall::new(store, limits, None, Opponents::new(Foreign::default(), 1));
        Here { app: App::new(hall, Reach::default(), None), secrets, _data: data }
    }

    async fn send(&self, who: &str, method: Method, path: &str, body: Value) -> Response {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("accept-encoding", "gzip")
            .header("authorization", format!("Bearer {}", self.secrets[who].reveal()))
            .body(Body::from(body.to_string()))
            .expect("a request");
        let router = TowerToHyperService::new(super::router(self.app.clone()));
        router.call(request).await.expect("never fails")
    }

    async fn ask(&self, who: &str, method: Method, path: &str, body: Value) -> (StatusCode, String) {
        let answer = self.send(who, method, path, body).await;
        let status = answer.status();
        (status, String::from_utf8_lossy(&whole(answer).await.1).into_owned())
    }

    async fn key(&self, who: &str, method: Method, path: &str, body: Value) -> (u16, String) {
        let (status, text) = self.ask(who, method, path, body).await;
        let body: Value = serde_json::from_str(&text).unwrap_or_default();
        (status.as_u16(), body["error"]["key"].as_str().unwrap_or_default().to_owned())
    }

    /// Takes the only place, so that no other request is given one.
    async fn place(&self) -> Place {
        self.app.place(&asker("nobody")).await.expect("is free")
    }

    /// Stores a study of Ann's with that number of chapters on that map.
    async fn study(&self, access: StudyAccess, map: Option<&str>, chapters: u32) -> String {
        let owner = StudyMember { id: "ann".to_owned(), name: Some("ann".to_owned()) };
        let start = StudyNode { id: 0, ..StudyNode::default() };
        let game = if map.is_some() { catalog::maps::KEY } else { "gomoku/standard" };
        let chapter = |id| StudyChapter {
            id,
            name: id.to_string(),
            game: game.to_owned(),
            map: map.map(|id| MapName { id: id.to_owned(), name: "A map".to_owned() }),
            nodes: vec![start.clone()],
            next: 1,
            ..StudyChapter::default()
        };
        let study = Study {
            id: people::secret::new_table_id(),
            ver: 1,
            name: "All".to_owned(),
            access,
            owner,
            next: chapters,
            chapters: (0..chapters).map(chapter).collect(),
            ..Study::default()
        };
        let deed = StudyDeed::Make {
            id: study.id.clone(),
            owner: "ann".to_owned(),
            shown: shown(&study),
            whole: study::kept::write(&study),
            most: 100,
            at_ms: 1_000,
        };
        self.app.hall.store.studies.change_study(deed).await.expect("is made");
        study.id
    }
}

/// Reads a whole answer; true if it came compressed.
async fn whole(answer: Response) -> (bool, Vec<u8>) {
    let packed = answer.headers().get("content-encoding").is_some_and(|how| how == "gzip");
    let bytes = axum::body::to_bytes(answer.into_body(), 64 << 20).await.expect("a body");
    (packed, if packed { crate::page::unpacked(&bytes).expect("is whole") } else { bytes.to_vec() })
}

fn asker(person: &str) -> Asker {
    Asker { network: Network::of([127, 0, 0, 1].into()), person: person.to_owned() }
}

/// Returns limits with one worker, and that many waiting requests of an address.
fn one(waiting: usize) -> Limits {
    Limits { workers: 1, workers_waiting: waiting, ..Limits::default() }
}

/// Returns the result of a future that is ready at once.
fn now<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(found) => Some(found),
        Poll::Pending => None,
    }
}

fn play() -> Value {
    json!({"base": 1, "change": {"t": "play", "chapter": 0, "parent": 0, "text": "h8"}})
}

/// Requests wait for a place before any work: once, pictures of maps were drawn on a thread for each request, and
/// files of maps were read without a place. A map that is not there shows which came first.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_read_or_worked_out_without_a_place() {
    let here = Here::with(one(0)).await;
    let study = here.study(StudyAccess::Link, Some("gone"), 1).await;
    let sample = works::maps::id(&SAMPLES[0].package(), false);
    assert!(ours(&sample).is_some());
    let place = here.place().await;
    let get = Method::GET;
    for (method, path, body) in [
        (&get, format!("/api/maps/{sample}/picture.svg"), Value::Null),
        (&get, "/api/maps/gone/picture.svg".to_owned(), Value::Null),
        (&get, "/maps/gone.png".to_owned(), Value::Null),
        (&get, "/api/maps/gone/balance/shares.svg".to_owned(), Value::Null),
        (&get, format!("/api/studies/{study}/record?format=json"), Value::Null),
        (&get, format!("/api/studies/{study}/formats"), Value::Null),
        (&get, format!("/api/studies/{study}/chapters/0/film"), Value::Null),
        (&Method::POST, format!("/api/studies/{study}/changes"), play()),
        (
            &Method::POST,
            "/api/studies".to_owned(),
            json!({"from": {"game": catalog::maps::KEY, "map": "gone"}}),
        ),
        (&Method::POST, "/api/positions".to_owned(), json!({"game": catalog::maps::KEY, "map": "gone"})),
        (&Method::POST, "/api/maps/gone/puzzles".to_owned(), json!({"fen": "", "within": 1})),
    ] {
        let told = here.key("ann", method.clone(), &path, body).await;
        assert_eq!(told, (429, "hall-busy".to_owned()), "{path}");
    }
    drop(place);
    let path = format!("/api/maps/{sample}/picture.svg");
    let (status, drawn) = here.ask("ann", get.clone(), &path, Value::Null).await;
    assert!(status == 200 && drawn.starts_with("<svg"), "{drawn}");
    let _place = here.place().await;
    assert_eq!(here.ask("bob", get, &path, Value::Null).await.1, drawn, "what was drawn needs no place");
}

/// A reader's waiting work does not hold a study; once it did for as long as it waited.
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_is_refused_at_once_and_who_waits_holds_no_study() {
    let here = Here::with(one(1)).await;
    let study = here.study(StudyAccess::Link, None, 1).await;
    let path = format!("/api/studies/{study}/changes");
    let place = here.place().await;
    let bob = asker("bob");
    let mut waits = Box::pin(here.app.place(&bob));
    assert!(now(&mut waits).is_none(), "there is one place");
    let told = here.key("bob", Method::POST, &path, play()).await;
    assert_eq!(told, (403, "study-not-yours".to_owned()), "and not that too much of Bob's waits");
    drop(waits);
    let here = Arc::new(here);
    let change = tokio::spawn({
        let here = Arc::clone(&here);
        async move { here.ask("ann", Method::POST, &path, play()).await }
    });
    while here.app.workers.waiting() == 0 {
        assert!(!change.is_finished(), "it waits for a place");
        tokio::task::yield_now().await;
    }
    let held = now(here.app.hall.hold(&study)).expect("nobody holds the study");
    drop(held.expect("is there"));
    drop(place);
    let (status, told) = change.await.expect("ends");
    assert_eq!(status, 200, "{told}");
}

/// Returns a workbook with that number of unused bytes.
fn padded(bytes: usize) -> Vec<u8> {
    let mut zip =
        zip::ZipWriter::new_append(std::io::Cursor::new(SAMPLES[0].package().map)).expect("a workbook");
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    zip.start_file("padding", stored).expect("a new name");
    std::io::Write::write_all(&mut zip, &vec![b'x'; bytes]).expect("memory");
    zip.finish().expect("memory").into_inner()
}

/// A study as a file is bounded in bytes; once, each of 64 chapters was written with the files of its map, however
/// large.
#[tokio::test(flavor = "multi_thread")]
async fn a_study_as_a_file_is_bounded_in_bytes() {
    let here = Here::with(Limits { on: false, ..Limits::default() }).await;
    let package = catalog::maps::Package { map: padded(1 << 20), ..SAMPLES[0].package() };
    let brought = Brought { name: "Large".to_owned(), package, old_names: false, trial: true };
    let map = brought.id();
    here.app.hall.works.publishing.try_out(brought, "ann", Payer::Hall).await.expect("is kept");
    let study = here.study(StudyAccess::Private, Some(&map), 64).await;
    let path = format!("/api/studies/{study}/record?format=json");
    let told = here.key("ann", Method::GET, &path, Value::Null).await;
    assert_eq!(told, (400, "study-file-large".to_owned()));
    let (status, text) = here.ask("ann", Method::GET, &format!("{path}&chapter=63"), Value::Null).await;
    assert_eq!(status, 200);
    let record: Value = serde_json::from_str(&text).expect("JSON");
    assert!(record["map"]["xlsx"].as_str().is_some_and(|files| files.len() > 1 << 20), "with its map");
    // Those of a small map, and formats without maps, are one file.
    let small = works::maps::id(&SAMPLES[0].package(), false);
    let study = here.study(StudyAccess::Private, Some(&small), 64).await;
    for format in ["json", "text"] {
        let path = format!("/api/studies/{study}/record?format={format}");
        let (status, text) = here.ask("ann", Method::GET, &path, Value::Null).await;
        assert_eq!(status, 200, "{format}: {text}");
    }
}

/// Large answers that the client does not read are bounded; once, the hall held all of them.
#[tokio::test(flavor = "multi_thread")]
async fn answers_that_nobody_reads_are_bounded() {
    let here = Here::with(Limits { answers_bytes: 3 << 20, ..Limits::default() }).await;
    let package = catalog::maps::Package { map: padded(1 << 20), ..SAMPLES[0].package() };
    let brought = Brought { name: "Large".to_owned(), package, old_names: false, trial: true };
    let path = format!("/api/maps/{}/map.xlsx", brought.id());
    here.app.hall.works.publishing.try_out(brought, "ann", Payer::Hall).await.expect("is kept");
    let mut unread = Vec::new();
    while unread.len() < 10 {
        let answer = here.send("ann", Method::GET, &path, Value::Null).await;
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            break;
        }
        unread.push(answer.into_body());
    }
    assert_eq!(unread.len(), 2, "a third one would be more than 3 MiB");
    let read = axum::body::to_bytes(unread.remove(0), 64 << 20).await.expect("a body");
    assert!(read.len() > 1 << 20);
    let (status, _) = here.ask("ann", Method::GET, &path, Value::Null).await;
    assert_eq!(status, 200, "what was read is not counted any more");
}

/// Large answers are compressed at a place or not at all; once, that was done on the threads that answer everybody.
#[tokio::test(flavor = "multi_thread")]
async fn a_large_answer_is_compressed_at_a_place_or_not_at_all() {
    let here = Here::with(one(0)).await;
    let small = here.study(StudyAccess::Private, None, 8).await;
    let large = here.study(StudyAccess::Private, None, 2_000).await;
    let packed = async |study: &str| {
        let path = format!("/api/studies/{study}");
        let answer = here.send("ann", Method::GET, &path, Value::Null).await;
        let (packed, text) = whole(answer).await;
        let told: wire::StudyShown = serde_json::from_slice(&text).expect("a study");
        assert_eq!(told.study.id, study);
        packed
    };
    assert!(packed(&small).await && packed(&large).await);
    let place = here.place().await;
    assert!(packed(&small).await, "a small one is compressed while it is sent");
    assert!(!packed(&large).await, "there is no place for a large one");
    drop(place);
    assert!(packed(&large).await);
}
