//! Studies: would catch an entry that is lost or kept twice when two write at once, one that is forgotten before its study
//! holds it, a list that shows what is private, more studies than a person may have, and what stays of a study that is gone.

mod common;

use common::{Opened, hash, store_in};
use store::studies::{Access, Shown, StudyDeed, WantedStudies};
use store::{Change, MapRoom, NewMap, NewPerson, Retention, StoreError, StoredPersonKind, Whose};

async fn opened() -> (tempfile::TempDir, Opened) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    (folder, store)
}

fn shown(name: &str, access: Access) -> Shown {
    let games = vec!["xiangqi".to_owned(), "locked".to_owned()];
    Shown { name: name.to_owned(), access, games, chapters: 2, ..Shown::default() }
}

fn make(id: &str, owner: &str, shown: Shown, at_ms: u64) -> StudyDeed {
    let whole = format!("{id} at 1");
    StudyDeed::Make { id: id.to_owned(), owner: owner.to_owned(), shown, whole, most: 3, at_ms }
}

fn append(id: &str, ver: u64, entry: &str) -> StudyDeed {
    let entry = entry.to_owned();
    StudyDeed::Append { id: id.to_owned(), ver, entry, shown: None, whole: None, at_ms: 100 + ver }
}

fn whole(id: &str, ver: u64) -> StudyDeed {
    let whole = Some(format!("{id} at {ver}"));
    match append(id, ver, &ver.to_string()) {
        StudyDeed::Append { id, ver, entry, shown, at_ms, .. } => {
            StudyDeed::Append { id, ver, entry, shown, whole, at_ms }
        }
        other => other,
    }
}

async fn names(store: &Opened, wanted: WantedStudies) -> (Vec<String>, u64) {
    let (rows, of) =
        store.studies.studies_wanted(&WantedStudies { most: 10, ..wanted }).await.expect("reads");
    (rows.into_iter().map(|row| row.name).collect(), of)
}

#[tokio::test]
async fn of_two_who_write_at_once_one_is_told_and_nothing_is_lost() {
    let (_folder, store) = opened().await;
    let studies = &store.studies;
    studies.change_study(make("s", "ann", shown("one", Access::Private), 10)).await.expect("is new");
    let again = studies.change_study(make("s", "bob", shown("two", Access::Private), 10)).await;
    assert_eq!(again, Err(StoreError::Taken));
    assert_eq!(studies.change_study(append("t", 2, "x")).await, Err(StoreError::Missing));
    studies.change_study(append("s", 2, "two")).await.expect("is next");
    for late in [1, 2, 4] {
        assert_eq!(
            studies.change_study(append("s", late, "late")).await,
            Err(StoreError::Conflict),
            "{late}"
        );
    }
    studies.change_study(append("s", 3, "three")).await.expect("is next");
    let kept = studies.study("s").await.expect("reads").expect("is there");
    assert_eq!((kept.whole.as_str(), kept.entries), ("s at 1", vec!["two".to_owned(), "three".to_owned()]));
    assert_eq!(studies.study_ver("s").await.expect("reads"), Some(3));
    assert_eq!(studies.study_entries("s", 2).await.expect("reads"), Some(vec!["three".to_owned()]));
    assert_eq!(studies.study_entries("s", 3).await.expect("reads"), Some(Vec::new()));
    assert_eq!(studies.study_entries("t", 0).await.expect("reads"), None);
    assert_eq!(studies.study("t").await.expect("reads"), None);
}

#[tokio::test]
async fn old_entries_go_when_the_study_holds_them() {
    let (_folder, store) = opened().await;
    let studies = &store.studies;
    studies.change_study(make("s", "ann", shown("one", Access::Private), 10)).await.expect("is new");
    for ver in 2..=9 {
        let deed = if ver % 3 == 0 { whole("s", ver) } else { append("s", ver, &ver.to_string()) };
        studies.change_study(deed).await.expect("is next");
    }
    // Wholes at 3, 6 and 9: what came after 6 is still told to those who fell behind.
    let kept = studies.study("s").await.expect("reads").expect("is there");
    assert_eq!((kept.whole.as_str(), kept.entries.len()), ("s at 9", 0));
    let since =
        |ver| async move { studies.study_entries("s", ver).await.expect("reads").map(|e| e.join(" ")) };
    assert_eq!(since(6).await.as_deref(), Some("7 8 9"));
    assert_eq!(since(5).await, None, "some are forgotten");
    studies.change_study(append("s", 10, "10")).await.expect("is next");
    let kept = studies.study("s").await.expect("reads").expect("is there");
    assert_eq!((kept.whole.as_str(), kept.entries.join(" ").as_str()), ("s at 9", "10"));
}

#[tokio::test]
async fn lists_show_what_may_be_seen_and_a_person_has_so_many() {
    let (_folder, store) = opened().await;
    let studies = &store.studies;
    let member = Shown { members: vec!["bob".to_owned()], ..shown("shared 100%", Access::Link) };
    studies.change_study(make("a", "ann", shown("secret", Access::Private), 10)).await.expect("is new");
    studies.change_study(make("b", "ann", member.clone(), 20)).await.expect("is new");
    studies.change_study(make("c", "ann", shown("open", Access::Public), 30)).await.expect("is new");
    let fourth = studies.change_study(make("d", "ann", shown("more", Access::Public), 40)).await;
    assert_eq!(fourth, Err(StoreError::Full(Whose::Visitor)));
    assert_eq!(studies.studies_of("ann").await.expect("reads"), 3);

    let of = |person: &str| WantedStudies { person: Some(person.to_owned()), ..WantedStudies::default() };
    assert_eq!(names(&store, WantedStudies::default()).await, (vec!["open".to_owned()], 1));
    assert_eq!(names(&store, of("ann")).await.0, ["open", "shared 100%", "secret"]);
    assert_eq!(names(&store, of("bob")).await.0, ["shared 100%"]);
    let search = |text: &str| WantedStudies { search: text.to_owned(), ..of("ann") };
    assert_eq!(names(&store, search("0%")).await.0, ["shared 100%"]);
    assert_eq!(names(&store, search("s_cret")).await.0, [""; 0]);

    // Who may change it, what it is called and who sees it changes with an entry.
    let renamed = Shown { name: "renamed".to_owned(), access: Access::Public, members: Vec::new(), ..member };
    let deed = StudyDeed::Append {
        id: "b".to_owned(),
        ver: 2,
        entry: "x".to_owned(),
        shown: Some(renamed),
        whole: None,
        at_ms: 50,
    };
    studies.change_study(deed).await.expect("is next");
    assert_eq!(
        names(&store, WantedStudies::default()).await,
        (vec!["renamed".to_owned(), "open".to_owned()], 2)
    );
    assert_eq!(names(&store, of("bob")).await.1, 0);
    let (rows, _) = studies
        .studies_wanted(&WantedStudies { most: 1, skip: 1, ..WantedStudies::default() })
        .await
        .expect("reads");
    let row = &rows[0];
    assert_eq!((row.id.as_str(), row.owner.as_str(), row.chapters, row.changed_ms), ("c", "ann", 2, 30));
    assert_eq!((row.access, row.games.join(" ").as_str()), (Access::Public, "xiangqi locked"));

    let delete = |owner: &str| StudyDeed::Delete { id: "b".to_owned(), owner: owner.to_owned() };
    assert_eq!(studies.change_study(delete("bob")).await, Err(StoreError::Missing));
    studies.change_study(delete("ann")).await.expect("is hers");
    assert_eq!(studies.study("b").await.expect("reads"), None);
    studies.change_study(make("b", "ann", shown("again", Access::Private), 60)).await.expect("is new");
    assert_eq!(studies.study("b").await.expect("reads").expect("is there").entries, [""; 0]);
}

#[tokio::test]
async fn a_closed_account_leaves_no_study_and_a_studied_map_stays() {
    let (_folder, store) = opened().await;
    let studies = &store.studies;
    let new = |id: &str, session| NewPerson {
        kind: StoredPersonKind::Account,
        ..common::person(id, session, Some(id))
    };
    store.people.enroll(new("ann", 1)).await.expect("is new");
    store.people.enroll(new("bob", 2)).await.expect("is new");
    assert!(store.people.person_by(&hash(1)).await.expect("reads").is_some());
    let line = wire::MapLine {
        id: "m".to_owned(),
        name: "m".to_owned(),
        rows: 3,
        cols: 3,
        kinds: 2,
        extensions: Vec::new(),
        created_ms: 1,
        ours: false,
    };
    let package = catalog::maps::Package { map: b"m".to_vec(), extensions: Vec::new() };
    let room = MapRoom { maps_each: 9, bytes_each: 1 << 20, maps: 9, bytes: 1 << 20 };
    let (owner, version) = ("bob".to_owned(), Some(store::shelf::NewVersion::default()));
    let map = NewMap { line, owner, package, old_names: false, uses: Vec::new(), version };
    store.maps.keep_map(map, room).await.expect("is kept");
    let with_map = Shown {
        maps: vec!["m".to_owned()],
        members: vec!["bob".to_owned()],
        ..shown("of a map", Access::Private)
    };
    studies.change_study(make("s", "ann", with_map, 10)).await.expect("is new");
    studies.change_study(append("s", 2, "x")).await.expect("is next");
    let later = 400 * 86_400_000;
    store.upkeep.forget(Retention::default(), later).await.expect("forgets");
    assert!(store.maps.map("m").await.expect("reads").is_some(), "the study needs it");

    store.accounts.change(Change::Close { person: "ann".to_owned() }, None).await.expect("closes");
    assert_eq!(studies.study("s").await.expect("reads"), None);
    assert_eq!(studies.studies_of("ann").await.expect("reads"), 0);
    assert_eq!(studies.study_entries("s", 1).await.expect("reads"), None);
    let of_bob = WantedStudies { person: Some("bob".to_owned()), ..WantedStudies::default() };
    assert_eq!(names(&store, of_bob).await.1, 0);
    store.upkeep.forget(Retention::default(), later).await.expect("forgets");
    assert!(store.maps.map("m").await.expect("reads").is_none(), "nothing needs it any more");
}
