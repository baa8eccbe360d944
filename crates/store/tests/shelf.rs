//! The shelf of maps: would catch a version that overwrites another author's, a work deleted although another person
//! played it, stars of people who never played, counts that drift, and files or reports that stay when their map
//! goes.

mod common;

use catalog::maps::{Package, Source};
use common::{Opened, hash, merged, person, store_in};
use store::accounts::{Change, Credential, CredentialKind, NewSession};
use store::shelf::{
    BalanceGame, ExtensionRoom, MapPlay, NewExtension, NewVersion, ShelfChange, Sorted, WantedWorks,
};
use store::{MapRoom, NewMap, NewPerson, Retention, StoreError, StoredPersonKind, Whose};
use wire::MapLine;

const ROOM: MapRoom = MapRoom { maps_each: 20_000, bytes_each: 1 << 30, maps: 20_000, bytes: 1 << 30 };

async fn opened() -> (tempfile::TempDir, Opened) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    (folder, store)
}

/// Returns a map to be published, as a version of that work or as a new one.
fn version(work: Option<&str>, base: u32, map: &str, owner: &str, at_ms: u64) -> NewMap {
    let line = MapLine {
        id: map.to_owned(),
        name: format!("the work {map}"),
        rows: 3,
        cols: 3,
        kinds: 2,
        extensions: Vec::new(),
        created_ms: at_ms,
        ours: false,
    };
    let package = Package {
        map: map.as_bytes().to_vec(),
        extensions: vec![Source { file: "x.py".to_owned(), bytes: b"EX_NAME = 'x'".to_vec() }],
    };
    let version = NewVersion {
        work: work.map(str::to_owned),
        base,
        tags: vec!["small".to_owned(), "quick".to_owned()],
        note: format!("version {map}"),
        fork_of: None,
    };
    let (owner, uses) = (owner.to_owned(), Vec::new());
    NewMap { line, owner, package, old_names: false, uses, version: Some(version) }
}

async fn publish(store: &Opened, map: NewMap) -> Result<(), StoreError> {
    store.maps.keep_map(map, ROOM).await
}

/// A map is public as a version of a work and never otherwise: both are there, or neither is.
#[tokio::test]
async fn files_and_work_are_published_in_one() {
    let (_folder, store) = opened().await;
    let shelf = &store.shelf;
    let gates = NewExtension {
        name: "gates".to_owned(),
        base: 0,
        owner: "ann".to_owned(),
        about: String::new(),
        note: String::new(),
        bytes: b"one".to_vec(),
        at_ms: 1,
    };
    let room = ExtensionRoom { versions_each: 9, versions: 9 };
    shelf.shelve(ShelfChange::PublishExtension(Box::new(gates), room)).await.expect("is new");
    let map = NewMap { uses: vec![("gates".to_owned(), 1)], ..version(None, 0, "a1", "ann", 10) };
    let trial = NewMap { version: None, ..map.clone() };
    store.maps.keep_map(trial.clone(), ROOM).await.expect("is tried out");
    assert_eq!(shelf.work("a1").await.expect("reads"), None);
    assert_eq!(store.maps.search("", 9).await.expect("reads"), []);
    store.maps.keep_map(map, ROOM).await.expect("is published");
    store.maps.keep_map(trial, ROOM).await.expect("is there already");
    assert_eq!(store.maps.search("", 9).await.expect("reads").len(), 1);
    assert_eq!(shelf.extension_uses("a1").await.expect("reads").len(), 1);
    let narrow = MapRoom { maps_each: 1, ..ROOM };
    for (name, map, room, why) in [
        ("late", version(Some("a1"), 0, "b", "ann", 20), ROOM, StoreError::Conflict),
        ("another person's", version(Some("a1"), 1, "b", "bob", 20), ROOM, StoreError::Missing),
        ("of no work", version(Some("none"), 1, "b", "ann", 20), ROOM, StoreError::Missing),
        ("no room for a work", version(None, 0, "b", "ann", 20), narrow, StoreError::Full(Whose::Visitor)),
        (
            "nor for a version",
            version(Some("a1"), 1, "b", "ann", 20),
            narrow,
            StoreError::Full(Whose::Visitor),
        ),
    ] {
        assert_eq!(store.maps.keep_map(map, room).await, Err(why), "{name}");
        assert_eq!(store.maps.map("b").await.expect("reads"), None, "{name}");
        assert_eq!(shelf.work("b").await.expect("reads"), None, "{name}");
    }
    assert_eq!(shelf.work("a1").await.expect("reads").expect("is there").version, 1);
}

#[tokio::test]
async fn a_work_has_one_address_and_the_second_of_two_saves_is_told() {
    let (_folder, store) = opened().await;
    let shelf = &store.shelf;
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
    let shelf = &store.shelf;
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
    let wanted = WantedWorks { most: 10, ..WantedWorks::default() };
    assert_eq!(shelf.works(&wanted).await.expect("reads").1, 0);
    let own = WantedWorks { owner: Some("ann".to_owned()), ..wanted };
    assert_eq!(shelf.works(&own).await.expect("reads").1, 1);
}

#[tokio::test]
async fn what_nobody_played_is_deleted_with_all_that_hangs_on_it() {
    let (_folder, store) = opened().await;
    let shelf = &store.shelf;
    publish(&store, version(None, 0, "a1", "ann", 10)).await.expect("is new");
    publish(&store, version(Some("a1"), 1, "a2", "ann", 20)).await.expect("is next");
    let mut fork = version(None, 0, "f1", "bob", 30);
    fork.version.as_mut().expect("is published").fork_of = Some(("a1".to_owned(), 2));
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
        assert_eq!(store.maps.map(id).await.expect("reads"), None, "{id}");
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
    let shelf = &store.shelf;
    for (n, name) in ["Cats", "ants", "Bears 100%"].iter().enumerate() {
        let map = format!("m{n}");
        let mut new = version(None, 0, &map, "ann", n as u64);
        new.line.name = (*name).to_owned();
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
    let names = async |wanted: WantedWorks| {
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
        let wanted = WantedWorks { sorted, most: 10, ..WantedWorks::default() };
        assert_eq!(names(wanted).await, (order.map(str::to_owned).to_vec(), 3), "{sorted:?}");
    }
    for (search, found) in [("%", 1), ("a", 3), ("BEARS", 1), ("quick", 3), ("_", 0), ("dogs", 0)] {
        let wanted = WantedWorks { search: search.to_owned(), most: 10, ..WantedWorks::default() };
        assert_eq!(names(wanted).await.1, found, "{search}");
    }
    let page = WantedWorks { sorted: Sorted::Name, skip: 1, most: 1, ..WantedWorks::default() };
    assert_eq!(names(page).await, (vec!["Bears 100%".to_owned()], 3));
}

/// A work changes with its files: when a version is deleted or changes its owner, the triggers of the migrations
/// change the work.
#[tokio::test]
async fn a_work_follows_its_files() {
    let (_folder, store) = opened().await;
    store.people.enroll(person("guest", 1, None)).await.expect("stored");
    store
        .people
        .enroll(NewPerson { kind: StoredPersonKind::Account, ..person("ann", 2, Some("ann")) })
        .await
        .expect("stored");
    publish(&store, version(None, 0, "a1", "guest", 10)).await.expect("is new");
    publish(&store, version(Some("a1"), 1, "a2", "guest", 20)).await.expect("is next");
    publish(&store, version(None, 0, "b1", "guest", 30)).await.expect("is new");
    merged(&store, "guest", "ann").await.expect("is merged");
    let shelf = &store.shelf;
    for id in ["a1", "b1"] {
        let work = shelf.work(id).await.expect("reads").expect("is there");
        assert_eq!((work.owner.as_str(), work.author.as_deref()), ("ann", Some("ann")), "{id}");
    }
    // Files that no table was opened with go after a while, and with the last of them the work.
    let retention = Retention { maps_ms: Some(1), ..Retention::default() };
    assert_eq!(store.upkeep.forget(retention, 4_000_000_000_000).await.expect("is done").maps, 3);
    let wanted = WantedWorks { most: 10, ..WantedWorks::default() };
    assert_eq!(shelf.works(&wanted).await.expect("reads").1, 0);
    assert_eq!(shelf.versions("a1").await.expect("reads"), []);
}

fn extension(name: &str, base: u32, owner: &str, text: &str) -> ShelfChange {
    let new = NewExtension {
        name: name.to_owned(),
        base,
        owner: owner.to_owned(),
        about: format!("{name} does 100 %"),
        note: text.to_owned(),
        bytes: text.as_bytes().to_vec(),
        at_ms: 10 + u64::from(base),
    };
    ShelfChange::PublishExtension(Box::new(new), ExtensionRoom { versions_each: 3, versions: 4 })
}

#[tokio::test]
async fn extensions_have_versions_that_never_change_and_stay_while_they_are_used() {
    let (_folder, store) = opened().await;
    let shelf = &store.shelf;
    shelf.shelve(extension("gates", 0, "ann", "one")).await.expect("is new");
    shelf.shelve(extension("gates", 1, "ann", "two")).await.expect("is next");
    assert_eq!(shelf.shelve(extension("gates", 1, "ann", "late")).await, Err(StoreError::Conflict));
    assert_eq!(shelf.shelve(extension("gates", 0, "bob", "his")).await, Err(StoreError::Missing), "taken");
    for (n, text) in [(1, Some("one")), (2, Some("two")), (3, None)] {
        let file = shelf.extension_file("gates", n).await.expect("reads");
        assert_eq!(file.as_deref(), text.map(str::as_bytes), "{n}");
    }
    let versions = shelf.extension_versions("gates").await.expect("reads");
    assert_eq!(versions.iter().map(|v| (v.n, v.note.as_str())).collect::<Vec<_>>(), [(2, "two"), (1, "one")]);
    // Found by name and by what it does, whatever signs are in it.
    for (search, found) in [("GATE", 1), ("100 %", 1), ("Does", 1), ("_", 0), ("walls", 0)] {
        assert_eq!(shelf.extensions(search, None, 9).await.expect("reads").len(), found, "{search}");
    }
    // A map of another author uses it: it may be taken off the lists, but not away.
    let uses = vec![("gates".to_owned(), 1), ("gates".to_owned(), 9), ("none".to_owned(), 1)];
    publish(&store, NewMap { uses, ..version(None, 0, "m1", "bob", 20) }).await.expect("is new");
    let used = shelf.extension_uses("m1").await.expect("reads");
    assert_eq!(used.iter().map(|u| (u.name.as_str(), u.n)).collect::<Vec<_>>(), [("gates", 1)]);
    let known = shelf.extension("gates").await.expect("reads").expect("is there");
    assert_eq!((known.maps, known.newest, known.listed, known.changed_ms), (1, 2, true, 11));
    let delete =
        |owner: &str| ShelfChange::DeleteExtension { name: "gates".to_owned(), owner: owner.to_owned() };
    assert_eq!(shelf.shelve(delete("bob")).await, Err(StoreError::Missing));
    assert_eq!(shelf.shelve(delete("ann")).await, Err(StoreError::Conflict));
    let list = |owner: &str| ShelfChange::ListExtension {
        name: "gates".to_owned(),
        owner: owner.to_owned(),
        listed: false,
    };
    assert_eq!(shelf.shelve(list("bob")).await, Err(StoreError::Missing));
    shelf.shelve(list("ann")).await.expect("may");
    assert_eq!(shelf.extensions("", None, 9).await.expect("reads"), []);
    assert_eq!(shelf.extensions("", Some("ann"), 9).await.expect("reads").len(), 1);
    // With the map its use goes, and then the extension may.
    let gone = ShelfChange::Delete { work: "m1".to_owned(), owner: "bob".to_owned() };
    shelf.shelve(gone).await.expect("nobody played it");
    assert_eq!(shelf.extension_uses("m1").await.expect("reads"), []);
    shelf.shelve(delete("ann")).await.expect("nobody uses it");
    assert_eq!(shelf.extension("gates").await.expect("reads"), None);
    assert_eq!(shelf.extension_file("gates", 1).await.expect("reads"), None);
}

#[tokio::test]
async fn extensions_are_bounded_and_follow_their_author() {
    let (_folder, store) = opened().await;
    let shelf = &store.shelf;
    store.people.enroll(person("guest", 1, None)).await.expect("stored");
    store
        .people
        .enroll(NewPerson { kind: StoredPersonKind::Account, ..person("ann", 2, Some("ann")) })
        .await
        .expect("stored");
    for base in 0..3 {
        shelf.shelve(extension("gates", base, "guest", "x")).await.expect("has room");
    }
    assert_eq!(
        shelf.shelve(extension("gates", 3, "guest", "x")).await,
        Err(StoreError::Full(Whose::Visitor))
    );
    shelf.shelve(extension("walls", 0, "bob", "x")).await.expect("has room");
    assert_eq!(shelf.shelve(extension("roofs", 0, "cid", "x")).await, Err(StoreError::Full(Whose::All)));
    merged(&store, "guest", "ann").await.expect("is merged");
    let known = shelf.extension("gates").await.expect("reads").expect("is there");
    assert_eq!((known.owner.as_str(), known.author.as_deref()), ("ann", Some("ann")));
}

/// Returns the change by which that guest becomes an account.
fn founding(guest: &str) -> Change {
    let credential = Credential {
        kind: CredentialKind::Password,
        id: format!("password of {guest}"),
        label: None,
        body: "hash".to_owned(),
        key: None,
        made_ms: 7,
        used_ms: None,
    };
    Change::Found {
        person: guest.to_owned(),
        name: guest.to_owned(),
        folded: guest.to_owned(),
        credential,
        recovery: Vec::new(),
        session: NewSession { hash: hash(7), id: format!("session of {guest}"), label: None },
        invitation: None,
        now_ms: 9,
    }
}

#[tokio::test]
async fn games_of_accounts_against_each_other_make_a_pool() {
    let (_folder, store) = opened().await;
    let shelf = &store.shelf;
    for (n, guest) in [(1, "guest"), (6, "gus")] {
        store.people.enroll(person(guest, n, None)).await.expect("stored");
    }
    for (n, name) in [(2, "ann"), (3, "bob"), (4, "cid")] {
        store
            .people
            .enroll(NewPerson { kind: StoredPersonKind::Account, ..person(name, n, Some(name)) })
            .await
            .expect("stored");
    }
    let finished = |people: &[&str]| ShelfChange::Finished {
        map: "m1".to_owned(),
        people: people.iter().map(|p| (*p).to_owned()).collect(),
        plies: 9,
    };
    let played = async |map: &str| {
        let MapPlay { players, games } = shelf.map_play(map).await.expect("reads");
        (players, games)
    };
    // Against a program no other person finished it, and guests do not count.
    for (people, wanted) in [
        (&["ann", "bob"][..], (2, 1)),
        (&["ann", "bob"], (2, 2)),
        (&["ann"], (2, 2)),
        (&["bob", "guest"], (2, 2)),
        (&["bob", "cid"], (3, 3)),
    ] {
        shelf.shelve(finished(people)).await.expect("counts");
        assert_eq!(played("m1").await, wanted, "{people:?}");
    }
    assert_eq!(played("m2").await, (0, 0));
    // A guest who takes an account, or is merged into one, does not bring games along; the next one counts.
    shelf.shelve(finished(&["cid", "gus"])).await.expect("counts");
    store.accounts.change(founding("gus"), None).await.expect("has an account now");
    merged(&store, "guest", "ann").await.expect("is merged");
    assert_eq!(played("m1").await, (3, 3));
    shelf.shelve(finished(&["cid", "gus"])).await.expect("counts");
    assert_eq!(played("m1").await, (4, 4));
    // What was played stays played when an account is closed: a pool does not close with it.
    store.accounts.change(Change::Close { person: "bob".to_owned() }, None).await.expect("closes");
    assert_eq!(played("m1").await, (4, 4));
    shelf.shelve(finished(&["ann", "bob"])).await.expect("counts");
    assert_eq!(played("m1").await, (4, 4), "a closed account is none");
    publish(&store, version(None, 0, "m1", "ann", 5)).await.expect("is new");
    // A work says what its newest version has, alone and in lists.
    let play = async || {
        let wanted = WantedWorks { most: 10, ..WantedWorks::default() };
        let listed = shelf.works(&wanted).await.expect("reads").0.remove(0).play;
        assert_eq!(shelf.work("m1").await.expect("reads").expect("is there").play, listed);
        (listed.players, listed.games)
    };
    assert_eq!(play().await, (4, 4));
    publish(&store, version(Some("m1"), 1, "m2", "ann", 6)).await.expect("is next");
    assert_eq!(play().await, (0, 0));
    let gone = ShelfChange::Delete { work: "m1".to_owned(), owner: "ann".to_owned() };
    shelf.shelve(gone).await.expect("its own games were before it was a work");
    assert_eq!(played("m1").await, (0, 0));
    // The same files start again, with people who are new to them.
    publish(&store, version(None, 0, "m1", "ann", 7)).await.expect("is new");
    shelf.shelve(finished(&["ann", "cid"])).await.expect("counts");
    assert_eq!(played("m1").await, (2, 1));
}

/// Players are counted as they come; those of a work that is gone are not those of the next one of the same files.
#[tokio::test]
async fn players_of_a_work_go_with_it() {
    let (_folder, store) = opened().await;
    let shelf = &store.shelf;
    let players = async |id: &str| {
        let work = shelf.work(id).await.expect("reads").expect("is there");
        (work.players, work.games)
    };
    for _ in 0..2 {
        publish(&store, version(None, 0, "a1", "ann", 10)).await.expect("is new");
        publish(&store, version(Some("a1"), 1, "a2", "ann", 20)).await.expect("is next");
        for (map, people, wanted) in [
            ("a1", &["bob", "cid"], (2, 1)),
            ("a2", &["bob", "cid"], (2, 2)),
            ("a2", &["bob", "dan"], (3, 3)),
        ] {
            let people = people.iter().map(|p| (*p).to_owned()).collect();
            let finished = ShelfChange::Finished { map: map.to_owned(), people, plies: 9 };
            shelf.shelve(finished).await.expect("counts");
            assert_eq!(players("a1").await, wanted, "{map}");
        }
        // No table on them is left, and the files are old.
        let retention = Retention { maps_ms: Some(1), ..Retention::default() };
        assert_eq!(store.upkeep.forget(retention, 4_000_000_000_000).await.expect("is done").maps, 2);
        assert_eq!(shelf.work("a1").await.expect("reads"), None);
        assert_eq!(shelf.stars_of("a1", "bob").await.expect("reads"), (None, false));
    }
}
