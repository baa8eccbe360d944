//! The shelf of maps: would catch a version that overwrites another author's, a work deleted although somebody played it,
//! stars of people who never played, counts that drift, and files or reports that stay when their map goes.

mod common;

use catalog::maps::{Package, Source};
use common::{Opened, person, store_in};
use store::shelf::{BalanceGame, NewVersion, ShelfChange, Sorted, Wanted};
use store::{Kind, MapRoom, NewMap, NewPerson, Retention, StoreError};
use wire::MapLine;

const ROOM: MapRoom = MapRoom { maps_each: 20_000, bytes_each: 1 << 30, maps: 20_000, bytes: 1 << 30 };

async fn opened() -> (tempfile::TempDir, Opened) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    (folder, store)
}

async fn files(store: &Opened, id: &str, owner: &str) {
    let line = MapLine {
        id: id.to_owned(),
        name: id.to_owned(),
        rows: 3,
        cols: 3,
        kinds: 2,
        extensions: Vec::new(),
        created_ms: 1,
        ours: false,
    };
    let package = Package {
        map: id.as_bytes().to_vec(),
        extensions: vec![Source { file: "x.py".to_owned(), bytes: b"EX_NAME = 'x'".to_vec() }],
    };
    let new = NewMap { line, owner: owner.to_owned(), package, old_names: false, trial: false };
    store.keep_map(new, ROOM).await.expect("is kept");
}

fn version(work: Option<&str>, base: u32, map: &str, owner: &str, at_ms: u64) -> NewVersion {
    NewVersion {
        work: work.map(str::to_owned),
        base,
        map: map.to_owned(),
        owner: owner.to_owned(),
        name: format!("the work {map}"),
        tags: vec!["small".to_owned(), "quick".to_owned()],
        note: format!("version {map}"),
        fork_of: None,
        at_ms,
    }
}

async fn publish(store: &Opened, new: NewVersion) -> Result<(), StoreError> {
    files(store, &new.map, &new.owner).await;
    store.shelf().shelve(ShelfChange::Publish(Box::new(new))).await
}

#[tokio::test]
async fn a_work_has_one_address_and_the_second_of_two_saves_is_told() {
    let (_folder, store) = opened().await;
    let shelf = store.shelf();
    publish(&store, version(None, 0, "a1", "ann", 10)).await.expect("is new");
    publish(&store, version(Some("a1"), 1, "a2", "ann", 20)).await.expect("is next");
    // From another device, which saw the first version only.
    let late = publish(&store, version(Some("a1"), 1, "a3", "ann", 30)).await;
    assert_eq!(late, Err(StoreError::Conflict));
    // Who has seen the second may go on, and the same files again change nothing.
    publish(&store, version(Some("a1"), 2, "a3", "ann", 40)).await.expect("is next");
    publish(&store, version(Some("a1"), 2, "a3", "ann", 50)).await.expect("changes nothing");
    let foreign = publish(&store, version(Some("a1"), 3, "b1", "bob", 60)).await;
    assert_eq!(foreign, Err(StoreError::Missing));
    let versions = shelf.versions("a1").await.expect("reads");
    let told: Vec<(u32, &str, &str)> =
        versions.iter().map(|v| (v.n, v.map.as_str(), v.note.as_str())).collect();
    assert_eq!(told, [(3, "a3", "version a3"), (2, "a2", "version a2"), (1, "a1", "version a1")]);
    // Each version leads to the work.
    for id in ["a1", "a2", "a3"] {
        let work = shelf.work(id).await.expect("reads").expect("is there");
        assert_eq!((work.id.as_str(), work.version, work.line.id.as_str()), ("a1", 3, "a3"), "{id}");
        assert_eq!((work.made_ms, work.changed_ms, work.tags.len()), (10, 40, 2));
    }
    assert_eq!(shelf.work("nothing").await.expect("reads"), None);
}

#[tokio::test]
async fn who_finished_a_game_gives_stars_and_a_played_work_stays() {
    let (_folder, store) = opened().await;
    let shelf = store.shelf();
    publish(&store, version(None, 0, "a1", "ann", 10)).await.expect("is new");
    publish(&store, version(Some("a1"), 1, "a2", "ann", 20)).await.expect("is next");
    let star =
        |person: &str, stars| ShelfChange::Star { work: "a1".to_owned(), person: person.to_owned(), stars };
    assert_eq!(shelf.shelve(star("bob", 5)).await, Err(StoreError::Missing), "he has not played");
    let finished = |map: &str, people: &[&str], plies| ShelfChange::Finished {
        map: map.to_owned(),
        people: people.iter().map(|p| (*p).to_owned()).collect(),
        plies,
    };
    shelf.shelve(finished("a1", &["bob", "cid"], 30)).await.expect("counts");
    shelf.shelve(finished("a2", &["bob"], 10)).await.expect("counts");
    shelf.shelve(finished("other", &["bob"], 10)).await.expect("is of no work");
    for (person, stars) in [("bob", 5), ("cid", 2), ("bob", 4)] {
        shelf.shelve(star(person, stars)).await.expect("may");
    }
    let work = shelf.work("a1").await.expect("reads").expect("is there");
    assert_eq!((work.games, work.plies, work.players, work.stars, work.starred), (2, 40, 2, 6, 2));
    assert_eq!(shelf.stars_of("a1", "bob").await.expect("reads"), (Some(4), true));
    assert_eq!(shelf.stars_of("a1", "dan").await.expect("reads"), (None, false));
    let delete = |owner: &str| ShelfChange::Delete { work: "a1".to_owned(), owner: owner.to_owned() };
    assert_eq!(shelf.shelve(delete("bob")).await, Err(StoreError::Missing));
    assert_eq!(shelf.shelve(delete("ann")).await, Err(StoreError::Conflict));
    // It may be taken off the lists, and its owner finds it still.
    let list = ShelfChange::List { work: "a1".to_owned(), owner: "ann".to_owned(), listed: false };
    shelf.shelve(list).await.expect("may");
    let wanted = Wanted { most: 10, ..Wanted::default() };
    assert_eq!(shelf.works(&wanted).await.expect("reads").1, 0);
    let own = Wanted { owner: Some("ann".to_owned()), ..wanted };
    assert_eq!(shelf.works(&own).await.expect("reads").1, 1);
}

#[tokio::test]
async fn what_nobody_played_is_deleted_with_all_that_hangs_on_it() {
    let (_folder, store) = opened().await;
    let shelf = store.shelf();
    publish(&store, version(None, 0, "a1", "ann", 10)).await.expect("is new");
    publish(&store, version(Some("a1"), 1, "a2", "ann", 20)).await.expect("is next");
    let fork = NewVersion { fork_of: Some(("a1".to_owned(), 2)), ..version(None, 0, "f1", "bob", 30) };
    publish(&store, fork).await.expect("is new");
    let forks = shelf.forks("a1").await.expect("reads");
    assert_eq!(forks.iter().map(|work| work.id.as_str()).collect::<Vec<_>>(), ["f1"]);
    let game = BalanceGame {
        map: "a1".to_owned(),
        plan: "p".to_owned(),
        level: 2,
        number: 0,
        body: "{}".to_owned(),
    };
    shelf.shelve(ShelfChange::BalanceGame(Box::new(game))).await.expect("is kept");
    assert_eq!(shelf.balance_games("a1", "p").await.expect("reads"), ["{}"]);
    let done = ShelfChange::Balance {
        map: "a2".to_owned(),
        plan: "p".to_owned(),
        body: "{\"done\":1}".to_owned(),
        first_share: 540,
    };
    shelf.shelve(done).await.expect("is kept");
    assert_eq!(shelf.balance("a2", "p").await.expect("reads").as_deref(), Some("{\"done\":1}"));
    assert_eq!(shelf.work("a1").await.expect("reads").expect("is there").first_share, Some(540));
    let delete = ShelfChange::Delete { work: "a1".to_owned(), owner: "ann".to_owned() };
    shelf.shelve(delete).await.expect("may");
    assert_eq!(shelf.work("a1").await.expect("reads"), None);
    for id in ["a1", "a2"] {
        assert_eq!(store.map(id).await.expect("reads"), None, "{id}");
    }
    assert_eq!(shelf.balance_games("a1", "p").await.expect("reads"), Vec::<String>::new());
    assert_eq!(shelf.balance("a2", "p").await.expect("reads"), None);
    // The fork is there, and says what it was made from.
    let fork = shelf.work("f1").await.expect("reads").expect("is there");
    assert_eq!(fork.fork_of, Some(("a1".to_owned(), 2)));
}

#[tokio::test]
async fn works_are_searched_and_sorted() {
    let (_folder, store) = opened().await;
    let shelf = store.shelf();
    for (n, name) in ["Cats", "ants", "Bears 100%"].iter().enumerate() {
        let map = format!("m{n}");
        let new = NewVersion { name: (*name).to_owned(), ..version(None, 0, &map, "ann", n as u64) };
        publish(&store, new).await.expect("is new");
    }
    let finished = ShelfChange::Finished { map: "m1".to_owned(), people: vec!["bob".to_owned()], plies: 7 };
    shelf.shelve(finished).await.expect("counts");
    let star = ShelfChange::Star { work: "m1".to_owned(), person: "bob".to_owned(), stars: 5 };
    shelf.shelve(star).await.expect("may");
    for (map, first_share) in [("m0", 700), ("m2", 520)] {
        let done = ShelfChange::Balance {
            map: map.to_owned(),
            plan: "p".to_owned(),
            body: "{}".to_owned(),
            first_share,
        };
        shelf.shelve(done).await.expect("is kept");
    }
    let names = async |wanted: Wanted| {
        let (works, count) = shelf.works(&wanted).await.expect("reads");
        (works.into_iter().map(|work| work.name).collect::<Vec<_>>(), count)
    };
    for (sorted, order) in [
        (Sorted::Newest, ["Bears 100%", "ants", "Cats"]),
        (Sorted::Name, ["ants", "Bears 100%", "Cats"]),
        (Sorted::Played, ["ants", "Bears 100%", "Cats"]),
        (Sorted::Stars, ["ants", "Cats", "Bears 100%"]),
        (Sorted::Even, ["Bears 100%", "Cats", "ants"]),
    ] {
        let wanted = Wanted { sorted, most: 10, ..Wanted::default() };
        assert_eq!(names(wanted).await, (order.map(str::to_owned).to_vec(), 3), "{sorted:?}");
    }
    for (search, found) in [("%", 1), ("a", 3), ("BEARS", 1), ("quick", 3), ("_", 0), ("dogs", 0)] {
        let wanted = Wanted { search: search.to_owned(), most: 10, ..Wanted::default() };
        assert_eq!(names(wanted).await.1, found, "{search}");
    }
    let page = Wanted { sorted: Sorted::Name, skip: 1, most: 1, ..Wanted::default() };
    assert_eq!(names(page).await, (vec!["Bears 100%".to_owned()], 3));
}

/// What happens to the files of a version happens to its work: see the triggers of the migrations.
#[tokio::test]
async fn a_work_follows_its_files() {
    let (_folder, store) = opened().await;
    store.enroll(person("guest", 1, None)).await.expect("stored");
    store.enroll(NewPerson { kind: Kind::Account, ..person("ann", 2, Some("ann")) }).await.expect("stored");
    publish(&store, version(None, 0, "a1", "guest", 10)).await.expect("is new");
    publish(&store, version(Some("a1"), 1, "a2", "guest", 20)).await.expect("is next");
    publish(&store, version(None, 0, "b1", "guest", 30)).await.expect("is new");
    store.merge("guest", "ann").await.expect("is merged");
    let shelf = store.shelf();
    for id in ["a1", "b1"] {
        let work = shelf.work(id).await.expect("reads").expect("is there");
        assert_eq!((work.owner.as_str(), work.author.as_deref()), ("ann", Some("ann")), "{id}");
    }
    // Files that no table was opened with go after a while, and with the last of them the work.
    let retention = Retention { maps_ms: Some(1), ..Retention::default() };
    assert_eq!(store.forget(retention, 4_000_000_000_000).await.expect("is done").maps, 3);
    let wanted = Wanted { most: 10, ..Wanted::default() };
    assert_eq!(shelf.works(&wanted).await.expect("reads").1, 0);
    assert_eq!(shelf.versions("a1").await.expect("reads"), []);
}
