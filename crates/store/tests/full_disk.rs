//! A full disk loses nothing, promises nothing, and is not for ever.

mod common;

use std::path::Path;
use std::process::Command;

use common::{WAITING, entry, setup};
use store::{Store, StoreError};

/// A small file system of its own; `None` where this user may not make one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn new() -> Option<SmallDisk> {
        let folder = tempfile::tempdir().expect("a folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"])
            .arg(folder.path())
            .stderr(std::process::Stdio::null())
            .status();
        mounted.is_ok_and(|status| status.success()).then(|| SmallDisk(folder))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Leaves no room.
    fn fill(&self) {
        let mut file = std::fs::File::create(self.path().join("filler")).expect("makes a file");
        for size in [65_536, 4_096, 512, 1] {
            while std::io::Write::write_all(&mut file, &vec![b'x'; size]).is_ok() {}
        }
    }

    fn make_room(&self) {
        std::fs::remove_file(self.path().join("filler")).expect("removes it");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).status();
    }
}

/// The longest time to wait for an answer, full as the disk may be.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);

/// Appends until there is no room, and returns the version of the last entry that got in.
async fn until_full(store: &Store, from: u64) -> u64 {
    for ver in from..from + 10_000 {
        let append = store.logs.append("t", entry(ver, None), None);
        match tokio::time::timeout(PATIENCE, append).await.expect("an answer") {
            Ok(()) => {}
            Err(StoreError::DiskFull) => return ver - 1,
            Err(other) => panic!("version {ver}: {other}"),
        }
    }
    panic!("the disk is never full")
}

#[tokio::test]
async fn a_full_disk_can_be_read_and_is_written_again_when_there_is_room() {
    let Some(disk) = SmallDisk::new() else {
        println!("not tried: this user may not mount a small file system");
        return;
    };
    let store = Store::open(disk.path()).await.expect("opens");
    store.logs.create("t", &setup(None), vec![entry(1, None)], WAITING).await.expect("stored");
    store.pulse.beat(77).await.expect("stored");
    disk.fill();
    let mut there = until_full(&store, 2).await;
    // The log that is written back may leave a little room.
    let probed = store.condition.probe_write().await;
    assert!(matches!(probed, Ok(()) | Err(StoreError::DiskFull)), "{probed:?}");
    assert_eq!(store.logs.load("t").await.expect("reads").expect("is there").log.len() as u64, there);
    disk.make_room();
    store.condition.probe_write().await.expect("there is room");
    assert!(!store.condition.is_read_only());
    there += 1;
    store.logs.append("t", entry(there, None), None).await.expect("there is room");
    store.condition.close().await;

    for time in 1..=2 {
        disk.fill();
        let store = Store::open(disk.path()).await.expect("opens for reading");
        assert!(store.condition.is_read_only(), "time {time}");
        assert_eq!(store.pulse.last_beat(), Some(77), "time {time}");
        assert_eq!(store.logs.load("t").await.expect("reads").expect("is there").log.len() as u64, there);
        assert_eq!(store.logs.append("t", entry(there + 1, None), None).await, Err(StoreError::DiskFull));
        // Files that SQLite removes may leave a little room.
        let probed = store.condition.probe_write().await;
        assert!(matches!(probed, Ok(()) | Err(StoreError::DiskFull)), "time {time}: {probed:?}");
        assert_eq!(store.condition.is_read_only(), probed.is_err(), "time {time}");
        assert_eq!(store.logs.load("t").await.expect("reads").expect("is there").log.len() as u64, there);
        assert!(store.condition.size().await.expect("reads").bytes_free_on_disk < 1 << 20, "time {time}");
        disk.make_room();
        store.condition.probe_write().await.expect("there is room");
        assert!(!store.condition.is_read_only(), "time {time}");
        there += 1;
        store.logs.append("t", entry(there, None), None).await.expect("stored");
        assert_eq!(store.logs.load("t").await.expect("reads").expect("is there").log.len() as u64, there);
        store.condition.close().await;
    }
    let report = store::check(disk.path(), None).await.expect("reads");
    assert!(report.is_whole() && report.events == there, "{report:?}");
}

#[tokio::test]
async fn a_full_disk_without_data_is_refused_with_words() {
    let Some(disk) = SmallDisk::new() else {
        println!("not tried: this user may not mount a small file system");
        return;
    };
    disk.fill();
    let why = Store::open(disk.path()).await.err().expect("refused");
    assert!(matches!(why, StoreError::DiskFull | StoreError::Failed(_)), "{why:?}");
}
