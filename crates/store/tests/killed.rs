//! SIGKILL while a folder is brought up to date, and while a backup is made: nothing is lost, and nothing half done is
//! taken for whole. The process that is killed is this test, started again with a folder to work on.

#![cfg(unix)]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use store::{Store, backup, check, restore};

/// The folder that the process to be killed works on.
const FOLDER: &str = "QIGUAN_TEST_FOLDER";
/// A folder as the last hall without migrations left it.
const OLD: &str = include_str!("data/hall-2.sql");
/// The number of copies of its tables, so that there is time to kill.
const COPIES: u64 = 400;
/// Tables and entries of [`OLD`].
const SIZE: (u64, u64) = (5, 25);
const KILLS: u32 = 6;

/// The folder of a child; `None` in the test itself.
fn mine() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

/// This program again, with only the test `name`.
fn child(name: &str, folder: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("a program"));
    command.args(["--exact", name]).env(FOLDER, folder).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("starts")
}

/// Returns the time that the whole takes.
fn whole(name: &str, folder: &Path) -> Duration {
    let begun = Instant::now();
    let status = child(name, folder).wait().expect("ends");
    assert!(status.success(), "{name}");
    begun.elapsed()
}

/// Kills a child after a part of that time; whether it was still at work.
fn killed(name: &str, folder: &Path, after: Duration) -> bool {
    let mut child = child(name, folder);
    std::thread::sleep(after);
    let alive = matches!(child.try_wait(), Ok(None));
    child.kill().expect("is killed");
    child.wait().expect("ends");
    alive
}

async fn large_old_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    common::sql_create(folder.path(), OLD).await;
    let copies = format!(
        "CREATE TABLE n (n); WITH RECURSIVE k (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < {COPIES})
            INSERT INTO n SELECT n FROM k;
         INSERT INTO seating SELECT id || '-' || n, setup, created_ms, stage, first, second, NULL FROM seating, n;
         INSERT INTO event SELECT seating || '-' || n, ver, at_ms, cmd, spent_ms, body FROM event, n;
         DROP TABLE n;"
    );
    common::sql(folder.path(), &copies).await;
    folder
}

fn copy(folder: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a folder");
    std::fs::copy(folder.join("hall.db"), copy.path().join("hall.db")).expect("is copied");
    copy
}

async fn has_all(folder: &Path, what: &str) {
    let report = check(folder, None).await.expect("reads");
    let all = (SIZE.0 * (COPIES + 1), SIZE.1 * (COPIES + 1));
    assert!(report.is_whole() && (report.tables, report.events) == all, "{what}: {report:?}");
}

#[tokio::test]
async fn a_migration_that_is_killed_is_done_again() {
    const NAME: &str = "a_migration_that_is_killed_is_done_again";
    if let Some(folder) = mine() {
        Store::open(&folder).await.expect("opens").condition.close().await;
        return;
    }
    let old = large_old_folder().await;
    let first = copy(old.path());
    let time = whole(NAME, first.path());
    has_all(first.path(), "not killed").await;
    let mut at_work = 0;
    for kill in 1..=KILLS {
        let folder = copy(old.path());
        // Twice: what the second one finds is what the first one left.
        for _ in 0..2 {
            at_work += u32::from(killed(NAME, folder.path(), time * kill / (KILLS + 1)));
        }
        Store::open(folder.path()).await.expect("opens").condition.close().await;
        has_all(folder.path(), &format!("killed after {kill} of {KILLS} parts")).await;
    }
    println!("{at_work} of {} were killed at work; the whole took {time:?}", 2 * KILLS);
    assert!(at_work > 0, "nothing was tried");
}

#[tokio::test]
async fn a_backup_that_is_killed_is_no_backup() {
    const NAME: &str = "a_backup_that_is_killed_is_no_backup";
    if let Some(folder) = mine() {
        backup(&folder, &folder.join("copy"), &[]).await.expect("is written");
        return;
    }
    let folder = large_old_folder().await;
    let store = Store::open(folder.path()).await.expect("opens");
    let time = whole(NAME, folder.path());
    let target = folder.path().join("copy");
    let (mut at_work, mut events) = (0, 0);
    for kill in 1..=KILLS {
        std::fs::remove_file(&target).expect("the last one was finished");
        at_work += u32::from(killed(NAME, folder.path(), time * kill / (KILLS + 1)));
        // The hall goes on meanwhile.
        store.logs.append("empty2345678", common::entry(u64::from(kill), None), None).await.expect("is kept");
        events += 1;
        if target.exists() {
            let there = tempfile::tempdir().expect("a folder");
            let report = restore(&target, there.path(), &[]).await.expect("what has the name is whole");
            assert!(report.is_whole(), "{report:?}");
        } else {
            let report = backup(folder.path(), &target, &[]).await.expect("the next one is not hindered");
            assert!(report.is_whole() && report.events == SIZE.1 * (COPIES + 1) + events, "{report:?}");
        }
    }
    store.condition.close().await;
    let report = check(folder.path(), None).await.expect("reads");
    assert!(report.is_whole() && report.events == SIZE.1 * (COPIES + 1) + events, "{report:?}");
    println!("{at_work} of {KILLS} were killed at work; the whole took {time:?}");
    assert!(at_work > 0, "nothing was tried");
}
