//! The time that a page of the gallery takes with ten thousand works:
//! `cargo run --release -p store --example gallery`, with the URL of an empty database for PostgreSQL. Issue 22 asks
//! for less than 50 ms a page.

use std::sync::Arc;
use std::time::Instant;

use catalog::maps::{Package, Source};
use futures_util::future::try_join_all;
use store::shelf::{NewVersion, ShelfChange, Sorted, WantedWorks};
use store::{Join, MapRoom, NewMap, Store, StoreError};
use wire::MapLine;

const WORKS: u32 = 10_000;
/// The number of works that are written with one commit.
const BATCH: u32 = 200;
const PAGE: u32 = 24;
const TIMES: u32 = 20;
const ROOM: MapRoom = MapRoom { maps_each: 100_000, bytes_each: 1 << 40, maps: 100_000, bytes: 1 << 40 };

#[tokio::main]
async fn main() -> Result<(), StoreError> {
    let folder = tempfile::tempdir().map_err(|why| StoreError::Failed(why.to_string()))?;
    let store: Arc<Store> = match std::env::args().nth(1) {
        Some(url) => Arc::new(Store::join(&Join { url, node: "gallery".to_owned() }).await?),
        None => Arc::new(Store::open(folder.path()).await?),
    };
    for from in (0..WORKS).step_by(BATCH as usize) {
        try_join_all((from..from + BATCH).map(|n| put(store.as_ref(), n))).await?;
    }
    let sorts = [
        ("newest", Sorted::Newest),
        ("played", Sorted::Played),
        ("stars", Sorted::Stars),
        ("even", Sorted::Even),
        ("name", Sorted::Name),
    ];
    println!("{WORKS} works, the slowest and the mean of {TIMES} times, in ms");
    for (name, sorted) in sorts {
        for (what, search, skip) in [
            ("first page", "", 0),
            ("last page", "", WORKS - PAGE),
            ("search", "map 77", 0),
            ("tag", "quick", 0),
        ] {
            let wanted =
                WantedWorks { search: search.to_owned(), sorted, skip, most: PAGE, ..WantedWorks::default() };
            let mut took = Vec::new();
            for _ in 0..TIMES {
                let begun = Instant::now();
                let (works, of) = store.shelf.works(&wanted).await?;
                took.push(begun.elapsed().as_secs_f64() * 1e3);
                assert!(!works.is_empty() && of > 0);
            }
            let worst = took.iter().copied().fold(0.0, f64::max);
            println!("{name:7} {what:10} {worst:7.2} {:7.2}", took.iter().sum::<f64>() / took.len() as f64);
        }
    }
    store.condition.close().await;
    Ok(())
}

async fn put(store: &Store, n: u32) -> Result<(), StoreError> {
    let (id, owner) = (format!("{n:032x}"), format!("author{}", n % 500));
    let line = MapLine {
        id: id.clone(),
        name: format!("map {n}"),
        rows: 8,
        cols: 8,
        kinds: 12,
        extensions: vec!["gate".to_owned()],
        created_ms: u64::from(n),
        ours: false,
    };
    let source = Source { file: "gate.py".to_owned(), bytes: vec![b'#'; 2_000] };
    let package = Package { map: vec![0; 9_000], extensions: vec![source] };
    let tags = vec![if n.is_multiple_of(3) { "quick" } else { "slow" }.to_owned()];
    let version = Some(NewVersion { tags, ..NewVersion::default() });
    store
        .maps
        .keep_map(NewMap { line, owner, package, old_names: false, uses: Vec::new(), version }, ROOM)
        .await?;
    let shelf = &store.shelf;
    if n.is_multiple_of(4) {
        let people = vec![format!("p{}", n % 97), format!("q{}", n % 89)];
        let person = people[0].clone();
        shelf.shelve(ShelfChange::Finished { map: id.clone(), people, plies: 20 + n % 60 }).await?;
        shelf.shelve(ShelfChange::Star { work: id.clone(), person, stars: (n % 5 + 1) as u8 }).await?;
        let first_share = 300 + n % 400;
        let (plan, body) = ("p".to_owned(), "{}".to_owned());
        shelf.shelve(ShelfChange::Balance { map: id, plan, body, first_share }).await?;
    }
    Ok(())
}
