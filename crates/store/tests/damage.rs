//! Damage is said and never passed off as whole.

mod common;

use std::path::Path;

use common::{WAITING, entry, setup, sql, store_in};
use sqlx::Connection;
use store::wal::{Survey, survey};
use store::{Damage, Judged, Open, Store, StoreError, check, restore, tip};
use table::{Stage, Standing};

const EVENTS: u64 = 40;

/// The files of a hall that was killed with commits that are only in the write-ahead log.
async fn killed(beat: bool) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    store.logs.create("t", &setup(None), Vec::new(), WAITING).await.expect("stored");
    for ver in 1..=EVENTS {
        store.logs.append("t", entry(ver, None), None).await.expect("stored");
    }
    if beat {
        store.pulse.beat(1000).await.expect("stored");
    }
    let copy = tempfile::tempdir().expect("a folder");
    for name in ["hall.db", "hall.db-wal", "hall.tip"] {
        std::fs::copy(folder.path().join(name), copy.path().join(name)).expect("copies");
    }
    store.condition.close().await;
    copy
}

/// A write-ahead log that was written back is not missed. The hall leaves its database for a moment on a full disk,
/// which writes the log back and deletes it. Killed then, it did not open its own data again.
#[tokio::test]
async fn a_log_that_was_written_back_is_not_missed() {
    let copy = killed(true).await;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(copy.path().join("hall.db"));
    let mut connection = sqlx::SqliteConnection::connect_with(&options).await.expect("opens");
    sqlx::query("SELECT count(*) FROM event").execute(&mut connection).await.expect("reads");
    connection.close().await.expect("closes");
    assert!(!copy.path().join("hall.db-wal").exists());
    let store = store_in(&copy).await;
    assert_eq!(store.logs.load("t").await.expect("reads").expect("is there").log.len() as u64, EVENTS);
}

/// A hall whose disk is full has its database to itself. A check said "database is locked", without a word of why.
#[tokio::test]
async fn a_database_that_another_has_to_itself_is_in_use() {
    let copy = killed(true).await;
    let options = sqlx::sqlite::SqliteConnectOptions::new()
        .filename(copy.path().join("hall.db"))
        .locking_mode(sqlx::sqlite::SqliteLockingMode::Exclusive);
    let mut connection = sqlx::SqliteConnection::connect_with(&options).await.expect("opens");
    sqlx::query("SELECT count(*) FROM event").execute(&mut connection).await.expect("reads");
    assert_eq!(check(copy.path(), None).await.expect_err("is refused"), StoreError::InUse);
    connection.close().await.expect("closes");
    check(copy.path(), None).await.expect("can be read");
}

fn change(file: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(file).expect("reads");
    change(&mut bytes);
    std::fs::write(file, bytes).expect("writes");
}

async fn damage_of(folder: &Path) -> Damage {
    match Store::open(folder).await {
        Err(StoreError::Damaged(damage)) => *damage,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("opened"),
    }
}

#[tokio::test]
async fn a_killed_hall_finds_everything_again() {
    for beat in [false, true] {
        let copy = killed(beat).await;
        let store = store_in(&copy).await;
        assert_eq!(store.logs.load("t").await.expect("reads").expect("is there").log.len() as u64, EVENTS);
        assert_eq!(store.pulse.last_beat(), beat.then_some(1000));
        store.condition.close().await;
    }
}

/// A commit that was being written when the machine stopped was never acknowledged, and its loss is no damage.
#[tokio::test]
async fn a_torn_last_commit_is_no_damage() {
    let copy = killed(false).await;
    let wal = copy.path().join("hall.db-wal");
    change(&wal, |bytes| bytes.truncate(bytes.len() - 100));
    // The counter is written when a commit is on disk, and before anybody is told.
    let counted = tip::read(copy.path()).expect("reads").expect("is there");
    let damage = damage_of(copy.path()).await;
    assert!(damage.what.contains("acknowledged events after commit"), "{damage}");
    tip::write(copy.path(), tip::Tip { commits: counted.commits - 1 }, true).expect("writes");
    let store = store_in(&copy).await;
    assert_eq!(store.logs.load("t").await.expect("reads").expect("is there").log.len() as u64, EVENTS - 1);
}

/// The hall opened with whole tables missing and said nothing.
#[tokio::test]
async fn a_lost_write_ahead_log_is_said() {
    type Harm = fn(&mut Vec<u8>);
    let flip: Harm = |bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x40;
    };
    let halve: Harm = |bytes| bytes.truncate(bytes.len() / 2);
    let empty: Harm = Vec::clear;
    let header: Harm = |bytes| bytes[17] ^= 1;
    for (what, beat, harm, said) in [
        ("flipped", false, flip, "behind that cannot be read"),
        ("flipped", true, flip, "behind that cannot be read"),
        ("halved", false, halve, "acknowledged events after commit"),
        ("halved", true, halve, "acknowledged events after commit"),
        ("emptied", false, empty, "the write-ahead log was removed or damaged"),
        ("header", false, header, "the start of the write-ahead log is damaged"),
    ] {
        let copy = killed(beat).await;
        let wal = copy.path().join("hall.db-wal");
        change(&wal, harm);
        let before = std::fs::read(&wal).expect("reads");
        let damage = damage_of(copy.path()).await;
        assert!(damage.what.contains(said), "{what}: {damage}");
        assert!(damage.advice.contains("qiguan admin check"), "{what}: {damage}");
        assert!(damage.advice.contains("qiguan admin restore"), "{what}: {damage}");
        assert_eq!(damage_of(copy.path()).await, damage, "{what}: it is said again");
        assert_eq!(std::fs::read(&wal).expect("reads"), before, "{what}: the evidence is as it was");
        let store = Store::open_with(copy.path(), Open { accept_damage: true, ..Open::default() })
            .await
            .expect("is forced");
        store.condition.probe_write().await.expect("writes");
        store.condition.close().await;
        store_in(&copy).await.condition.close().await;
    }
    let copy = killed(false).await;
    std::fs::remove_file(copy.path().join("hall.db-wal")).expect("removes");
    assert!(damage_of(copy.path()).await.what.contains("was removed"));
    let copy = killed(false).await;
    std::fs::remove_file(copy.path().join("hall.db")).expect("removes");
    assert!(damage_of(copy.path()).await.what.contains("the database is missing"));
    let copy = killed(false).await;
    change(&copy.path().join("hall.tip"), |bytes| bytes[12] ^= 1);
    assert!(damage_of(copy.path()).await.what.contains("counter"));
}

/// A6: `cp hall.db` of a running hall opened without a word, a fifth of the tables missing.
#[tokio::test]
async fn a_copy_of_the_file_of_a_running_hall_does_not_pass_for_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    store.logs.create("t", &setup(None), Vec::new(), WAITING).await.expect("stored");
    for ver in 1..=EVENTS {
        store.logs.append("t", entry(ver, None), None).await.expect("stored");
    }
    let taken = |names: &[&str]| {
        let copy = tempfile::tempdir().expect("a folder");
        for name in names {
            std::fs::copy(folder.path().join(name), copy.path().join(name)).expect("copies");
        }
        copy
    };
    let alone = taken(&["hall.db"]);
    // The log without the counter may be of another moment than the file.
    for copy in [&alone, &taken(&["hall.db", "hall.db-wal"])] {
        let damage = damage_of(copy.path()).await;
        assert!(damage.what.contains("copy of the file of a running hall"), "{damage}");
        assert!(
            damage.advice.contains("admin backup") && damage.advice.contains("accept-damage"),
            "{damage}"
        );
        let report = store::check_at_rest(copy.path(), None).await.expect("is checked");
        assert!(!report.is_whole(), "{report:?}");
    }
    let new = tempfile::tempdir().expect("a folder");
    let restored = restore(&alone.path().join("hall.db"), new.path(), &[]).await;
    assert!(matches!(restored, Err(StoreError::Damaged(_))), "it is no backup: {restored:?}");
    let how = Open { accept_damage: true, ..Open::default() };
    Store::open_with(alone.path(), how).await.expect("is forced").condition.close().await;
    store_in(&alone).await.condition.close().await;
    // What a backup made of the same moment is whole, and so is the file of a hall that has closed.
    let file = new.path().join("backup.db");
    store::backup(folder.path(), &file, &[]).await.expect("is copied");
    let put = tempfile::tempdir().expect("a folder");
    std::fs::copy(&file, put.path().join("hall.db")).expect("copies");
    let again = store_in(&put).await;
    assert_eq!(again.logs.load("t").await.expect("reads").expect("is there").log.len() as u64, EVENTS);
    again.condition.close().await;
    store.condition.close().await;
    let closed = taken(&["hall.db"]);
    let again = store_in(&closed).await;
    assert_eq!(again.logs.load("t").await.expect("reads").expect("is there").log.len() as u64, EVENTS);
    again.condition.close().await;
}

#[tokio::test]
async fn an_older_copy_of_the_database_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    store.logs.create("t", &setup(None), Vec::new(), WAITING).await.expect("stored");
    store.condition.close().await;
    let db = folder.path().join("hall.db");
    let old = std::fs::read(&db).expect("reads");
    let store = store_in(&folder).await;
    store.logs.append("t", entry(1, None), None).await.expect("stored");
    store.condition.close().await;
    std::fs::write(&db, old).expect("writes");
    assert!(damage_of(folder.path()).await.what.contains("replaced by an older one"));
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_with_words() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("hall.db"), "this is a letter".repeat(100)).expect("writes");
    let damage = damage_of(folder.path()).await;
    assert!(damage.what.contains("database"), "{damage}");
}

#[tokio::test]
async fn a_broken_page_is_found_at_the_start() {
    let beside = Open { check_first_bytes: 0, ..Open::default() };
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    let log = (1..=2000).map(|ver| entry(ver, None)).collect();
    store.logs.create("t", &setup(None), log, WAITING).await.expect("stored");
    store.condition.close().await;
    change(&folder.path().join("hall.db"), |bytes| {
        let page = 4096;
        let middle = bytes.len() / page / 2 * page;
        bytes[middle..middle + page].fill(0xa5);
    });
    let damage = damage_of(folder.path()).await;
    assert!(damage.what.contains("SQLite"), "{damage}");
    // A large database is not waited for: it is checked beside the hall, which is told.
    let store = Store::open_with(folder.path(), beside).await.expect("opens");
    assert_eq!(store.condition.damage().await, StoreError::Damaged(Box::new(damage)));
    store.condition.close().await;
}

/// A sound database is no news, and a check does not hold up the closing.
#[tokio::test]
async fn a_check_beside_the_hall_finds_nothing_where_nothing_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let beside = Open { check_first_bytes: 0, ..Open::default() };
    for _ in 0..2 {
        let store = Store::open_with(folder.path(), beside).await.expect("opens");
        store.condition.probe_write().await.expect("writes");
        let told =
            tokio::time::timeout(std::time::Duration::from_millis(200), store.condition.damage()).await;
        assert!(told.is_err(), "{told:?}");
        store.condition.close().await;
        assert!(!folder.path().join("hall.db-wal").exists(), "the log was written back");
    }
}

#[tokio::test]
async fn a_changed_log_is_named_by_table_and_version() {
    for (what, change, place, said) in [
        ("hole", "DELETE FROM event WHERE seating = 't' AND ver = 3", "table t, version 3", "missing"),
        (
            "cut",
            "DELETE FROM event WHERE seating = 't' AND ver > 3",
            "table t, version 4",
            "to version 5 are missing",
        ),
        (
            "emptied",
            "DELETE FROM event WHERE seating = 't'",
            "table t, version 1",
            "to version 5 are missing",
        ),
        (
            "body",
            "UPDATE event SET body = replace(body, 'first', 'second') WHERE seating = 't' AND ver = 2",
            "table t, version 2",
            "not what was written",
        ),
        (
            "time",
            "UPDATE event SET at_ms = at_ms + 1 WHERE seating = 't' AND ver = 2",
            "version 2",
            "not what",
        ),
        (
            "spent",
            "UPDATE event SET spent_ms = NULL WHERE seating = 't' AND ver = 5",
            "version 5",
            "not what",
        ),
        (
            "person",
            "UPDATE event SET person = 'eve' WHERE seating = 't' AND ver = 5",
            "version 5",
            "not what",
        ),
        ("cmd", "UPDATE event SET cmd = 'x' WHERE seating = 't' AND ver = 5", "version 5", "not what"),
        ("sum", "UPDATE event SET sum = sum + 1 WHERE seating = 't' AND ver = 5", "version 5", "not what"),
        (
            "type",
            "UPDATE event SET body = x'ff00' WHERE seating = 't' AND ver = 4",
            "version 4",
            "cannot be read",
        ),
        ("format", "UPDATE event SET format = 9 WHERE seating = 't' AND ver = 4", "version 4", "not what"),
        (
            "setup",
            "UPDATE seating SET setup = replace(setup, '15', '19') WHERE id = 't'",
            "version 1",
            "the setup",
        ),
        ("tip", "DELETE FROM tip WHERE seating = 't'", "table t", "where its log ends is missing"),
        (
            "moved",
            "DELETE FROM event WHERE seating = 't' AND ver = 2;
             UPDATE event SET seating = 't' WHERE seating = 'u' AND ver = 2",
            "table t, version 2",
            "not what was written",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store_in(&folder).await;
        for id in ["t", "u"] {
            let log = (1..=5).map(|ver| entry(ver, (ver == 5).then_some("wish"))).collect();
            store.logs.create(id, &setup(None), log, WAITING).await.expect("stored");
        }
        store.condition.close().await;
        sql(folder.path(), change).await;
        let store = store_in(&folder).await;
        let Err(StoreError::Damaged(damage)) = store.logs.load("t").await else { panic!("{what}: not said") };
        assert!(damage.place.contains(place), "{what}: {damage}");
        assert!(damage.what.contains(said), "{what}: {damage}");
        if what != "moved" {
            assert!(store.logs.load("u").await.expect("reads").is_some(), "{what}: others are not affected");
        }
        let report = check(folder.path(), None).await.expect("reads");
        assert_eq!(report.findings.first(), Some(&*damage), "{what}");
        // A page that touches the damage says it, too.
        let paged = store.logs.log("t", 1, 9).await;
        assert!(what == "setup" || matches!(paged, Err(StoreError::Damaged(_)) | Ok(_)), "{what}: {paged:?}");
        store.condition.close().await;
    }
}

#[tokio::test]
async fn an_unknown_format_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    store.logs.create("t", &setup(None), Vec::new(), WAITING).await.expect("stored");
    store.condition.close().await;
    // As a newer hall would write it: with its checksum.
    let body = "{\"k\":\"dance\"}";
    let setup = store::format::write_setup(&setup(None));
    for (format, said) in [(9, "start a newer hall"), (1, "does not read as format 1")] {
        let link =
            store::chain::Row { ver: 1, at_ms: 5, person: "", cmd: None, spent_ms: None, format, body };
        let sum = store::chain::link(store::chain::start("t", 1, &setup), "t", &link).cast_signed();
        let change = format!(
            "DELETE FROM event; INSERT INTO event (seating, ver, at_ms, format, body, sum)
                VALUES ('t', 1, 5, {format}, '{body}', {sum});
             UPDATE tip SET ver = 1, sum = {sum}"
        );
        sql(folder.path(), &change).await;
        let store = store_in(&folder).await;
        let Err(StoreError::Damaged(damage)) = store.logs.load("t").await else {
            panic!("{format}: not said")
        };
        assert_eq!(damage.place, "table t, version 1");
        assert!(damage.what.contains(said), "{damage}");
        store.condition.close().await;
    }
}

#[tokio::test]
async fn a_check_replays_with_the_rules_it_is_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    for id in ["good", "bad", "illegal", "unbearable"] {
        store.logs.create(id, &setup(None), vec![entry(1, None)], WAITING).await.expect("stored");
    }
    store.condition.close().await;
    sql(folder.path(), "INSERT INTO event (seating, ver, at_ms, body) VALUES ('ghost', 1, 1, '{}')").await;
    let judge = |id: &str, stored: &store::Stored, _map: Option<&store::StoredMap>| {
        assert_eq!(stored.log.len(), 1);
        match id {
            "good" => Ok(Judged { standing: WAITING, finished: None, deadline: None }),
            "bad" => {
                let standing = Standing { stage: Stage::Over, seats: [None, None] };
                Ok(Judged { standing, finished: None, deadline: None })
            }
            "illegal" => Err("a1 is taken".to_owned()),
            // H7: one log that the rules could not bear ended the check.
            _ => panic!("no entry found for key"),
        }
    };
    let report = check(folder.path(), Some(&judge)).await.expect("reads");
    let places: Vec<&str> = report.findings.iter().map(|damage| damage.place.as_str()).collect();
    assert_eq!(places, ["table bad", "table illegal", "table unbearable", "table ghost"]);
    assert!(report.findings[1].what.contains("a1 is taken"));
    assert!(report.findings[2].what.contains("no entry found for key"));
    assert_eq!((report.tables, report.events), (4, 1));
}

#[tokio::test]
async fn a_backup_is_whole_and_can_be_restored() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = std::sync::Arc::new(store_in(&folder).await);
    store.logs.create("t", &setup(None), Vec::new(), WAITING).await.expect("stored");
    let writing = tokio::spawn({
        let store = std::sync::Arc::clone(&store);
        async move {
            for ver in 1..=100 {
                store.logs.append("t", entry(ver, None), None).await.expect("stored");
            }
        }
    });
    let file = folder.path().join("copy.db");
    let report = store.upkeep.backup(&file).await.expect("is written");
    assert!(report.is_whole() && report.tables == 1, "{report:?}");
    assert!(store.upkeep.backup(&file).await.is_err(), "a file is not overwritten");
    writing.await.expect("no panic");
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).expect("reads").flatten().map(|f| f.file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("part")), "{left:?}");
    store.condition.close().await;

    let restored = restore(&file, folder.path(), &[]).await.expect("is restored");
    assert_eq!(restored, report);
    let store = store_in(&folder).await;
    let log = store.logs.load("t").await.expect("reads").expect("is there").log;
    assert_eq!(log.len() as u64, report.events);
    let next = log.len() as u64 + 1;
    store.logs.append("t", entry(next, None), None).await.expect("goes on");
    store.condition.close().await;
    // Into a folder that has nothing.
    let other = tempfile::tempdir().expect("a folder");
    restore(&file, &other.path().join("new"), &[]).await.expect("is restored");
    let store = Store::open(&other.path().join("new")).await.expect("opens");
    assert_eq!(store.logs.load("t").await.expect("reads").expect("is there").log.len() as u64, report.events);
    store.condition.close().await;

    std::fs::write(other.path().join("letter"), "no database ".repeat(500)).expect("writes");
    assert!(matches!(
        restore(&other.path().join("letter"), folder.path(), &[]).await,
        Err(StoreError::Damaged(_))
    ));
    let lock = std::fs::File::create(folder.path().join("hall.lock")).expect("makes");
    lock.lock().expect("locks");
    let why = restore(&file, folder.path(), &[]).await.expect_err("in use").to_string();
    assert!(why.contains("stop it first"), "{why}");
    drop(lock);
    let store = store_in(&folder).await;
    assert_eq!(store.logs.log("t", next - 1, 9).await.expect("as it was").len(), 1);
}

/// Files that belonged to root could not be written by a service whose user the folder belongs to. Only root can try that.
#[cfg(unix)]
#[tokio::test]
async fn what_root_restores_belongs_to_whom_the_folder_belongs() {
    use std::os::unix::fs::{MetadataExt, chown};
    const WHO: (u32, u32) = (4711, 4712);
    let from = tempfile::tempdir().expect("a folder");
    let store = store_in(&from).await;
    store.logs.create("t", &setup(None), Vec::new(), WAITING).await.expect("stored");
    let file = from.path().join("copy.db");
    store.upkeep.backup(&file).await.expect("is written");
    store.condition.close().await;
    let folder = tempfile::tempdir().expect("a folder");
    if std::fs::metadata(folder.path()).expect("is there").uid() != 0 {
        return;
    }
    chown(folder.path(), Some(WHO.0), Some(WHO.1)).expect("root may");
    // Into an empty folder, then over what is there.
    for _ in 0..2 {
        restore(&file, folder.path(), &[]).await.expect("is restored");
        let mut waiting = vec![folder.path().to_owned()];
        let mut seen = 0;
        while let Some(path) = waiting.pop() {
            let what = std::fs::metadata(&path).expect("is there");
            assert_eq!((what.uid(), what.gid()), WHO, "{}", path.display());
            if what.is_dir() {
                waiting.extend(std::fs::read_dir(&path).expect("reads").flatten().map(|entry| entry.path()));
            }
            seen += 1;
        }
        assert!(seen >= 5, "{seen}");
    }
}

/// An adoption would give a damaged log new checksums, and so hide the damage.
#[tokio::test]
async fn an_adoption_does_not_mend_what_is_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    let log = vec![common::pair(1, "old", "Old"), entry(2, None), entry(3, None)];
    store.logs.create("t", &setup(None), log, WAITING).await.expect("stored");
    store.condition.close().await;
    sql(folder.path(), "UPDATE event SET at_ms = 1 WHERE ver = 2").await;
    let store = store_in(&folder).await;
    let adopted = store.people.adopt("old", "new", &common::hash(1), 1).await;
    assert!(matches!(adopted, Ok(store::Adoption::Done { .. })), "{adopted:?}");
    assert!(matches!(store.logs.load("t").await, Err(StoreError::Damaged(_))));
}

#[test]
fn any_bytes_are_surveyed() {
    assert_eq!(survey(&b""[..]).expect("reads"), Survey::Empty);
    assert_eq!(survey(&[0; 31][..]).expect("reads"), Survey::Empty);
    assert_eq!(survey(&[0xff; 100_000][..]).expect("reads"), Survey::NoHeader);
}
