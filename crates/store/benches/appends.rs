//! Appends that wait for the disk, alone and sixty-four at a time.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use divan::counter::ItemsCount;
use kernel::Side;
use store::Store;
use table::{Command, Entry, Event, Setup, Stage, Standing};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

fn main() {
    divan::main();
}

fn entry(ver: u64) -> Entry {
    let by = if ver % 2 == 1 { Side::First } else { Side::Second };
    let cmd = Some(Command { person: "abcdefghijk2".to_owned(), id: format!("k7x3-{ver}") });
    let event = Event::Move {
        by,
        text: format!("{}{}", char::from(b'a' + (ver % 15) as u8), 1 + ver % 15),
        away: false,
    };
    Entry { ver, at_ms: 1_700_000_000_000 + ver * 1000, cmd, spent_ms: Some(1234), event }
}

/// Measures one append at each of `tables` tables at once, which share commits.
#[divan::bench(args = [1, 64], sample_count = 50)]
fn append(bencher: divan::Bencher, tables: u64) {
    let runtime = Runtime::new().expect("starts");
    // Not in /tmp, which may be in memory.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let store = runtime.block_on(async {
        let store = Arc::new(Store::open(folder.path()).await.expect("opens"));
        let setup = Setup {
            game: "gomoku/freestyle".to_owned(),
            options: BTreeMap::from([("size".to_owned(), 15)]),
            map: None,
            fen: None,
            how: wire::How::Invite,
            room: None,
            clock: wire::ClockSpec::None,
            rated: false,
            created_ms: 4_000_000_000_000,
            heading: None,
        };
        for table in 0..tables {
            let standing = Standing { stage: Stage::Playing, seats: [None, None] };
            store.logs.create(&table.to_string(), &setup, Vec::new(), standing).await.expect("stored");
        }
        store
    });
    let ver = AtomicU64::new(0);
    bencher.counter(ItemsCount::new(tables)).bench(|| {
        let ver = ver.fetch_add(1, Ordering::Relaxed) + 1;
        runtime.block_on(async {
            let mut at_work = JoinSet::new();
            for table in 0..tables {
                let store = Arc::clone(&store);
                at_work.spawn(async move { store.logs.append(&table.to_string(), entry(ver), None).await });
            }
            while let Some(done) = at_work.join_next().await {
                done.expect("no panic").expect("stored");
            }
        });
    });
    runtime.block_on(store.condition.close());
}
