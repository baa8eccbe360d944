//! The cost of a profile in a large hall: 200 000 people, 1 000 000 finished games, made by a fixed rule. One person,
//! `p1`, has played in 20 000 of them.
//!
//! `QIGUAN_GAMES` says how many games instead.

use sqlx::{Connection, SqliteConnection};
use store::Store;
use store::games::{Ending, Filter};
use tokio::runtime::Runtime;

const PEOPLE: u32 = 200_000;

fn main() {
    divan::main();
}

fn games() -> u32 {
    std::env::var("QIGUAN_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000_000)
}

struct Hall {
    runtime: Runtime,
    store: Store,
    _folder: tempfile::TempDir,
}

/// Made once: it takes a minute.
static HALL: std::sync::LazyLock<Hall> = std::sync::LazyLock::new(|| {
    let runtime = Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let store = runtime.block_on(async {
        Store::open(folder.path()).await.expect("opens").condition.close().await;
        fill(folder.path()).await;
        Store::open(folder.path()).await.expect("opens")
    });
    Hall { runtime, store, _folder: folder }
});

/// Rows as the hall writes them, by a few statements instead of a million games.
async fn fill(folder: &std::path::Path) {
    let url = format!("sqlite://{}", folder.join("hall.db").display());
    let mut connection = SqliteConnection::connect(&url).await.expect("opens");
    let setup = r#"{"game":"xiangqi","options":{"move-limit":60},"fen":null,"how":"open","room":null,"clock":{"kind":"fischer","base_ms":180000,"increment_ms":2000},"rated":true,"created_ms":1}"#;
    let count = "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ";
    // Every 50th game is the busy person's.
    let first = format!("CASE WHEN n % 50 = 0 THEN 'p1' ELSE 'p' || (2 + n * 7919 % {PEOPLE}) END");
    let second = format!("'p' || (2 + (n * 104729 + 1) % {PEOPLE})");
    for sql in [
        format!(
            "{count}{PEOPLE}) INSERT INTO person (id, kind, name, folded, made_ms, seen_ms)
                SELECT 'p' || n, 'account', 'Person ' || n, 'person ' || n, n, n FROM c"
        ),
        format!(
            "{count}{}) INSERT INTO game (n, id, format, setup, players, first, second, winner, void, reason, plies,
                speed, pool, begun_ms, ended_ms, record)
                SELECT n, 'game-' || n, 1, '{setup}',
                    '[{{\"id\":\"' || {first} || '\",\"name\":null}},{{\"id\":\"' || {second} || '\",\"name\":null}}]',
                    {first}, {second}, n % 3 - 1, 0, 'resign', 60, 'blitz', 'xiangqi:blitz', n * 1000, n * 1000 + 500,
                    randomblob(300)
                FROM c",
            games()
        ),
        "UPDATE game SET winner = NULL WHERE winner < 0".to_owned(),
        "INSERT OR IGNORE INTO game_player SELECT first, ended_ms, n, 0, second, 'xiangqi',
            CASE winner WHEN 0 THEN 1 WHEN 1 THEN -1 ELSE 0 END, speed, 1 FROM game"
            .to_owned(),
        "INSERT OR IGNORE INTO game_player SELECT second, ended_ms, n, 1, first, 'xiangqi',
            CASE winner WHEN 1 THEN 1 WHEN 0 THEN -1 ELSE 0 END, speed, 1 FROM game"
            .to_owned(),
        "INSERT INTO rating_change SELECT person, 'xiangqi:blitz', n, 'game', ended_ms, 1500, 60, 0.06, 1500 + n % 200,
            60, 0.06 FROM game_player"
            .to_owned(),
        "INSERT INTO rating SELECT DISTINCT person, 'xiangqi:blitz', 1500, 60, 0.06, 9, 1000 FROM game_player".to_owned(),
    ] {
        sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&mut connection).await.expect("runs");
    }
    connection.close().await.expect("closes");
}

/// All that the page of a person asks for first: who it is, ratings with a curve, results, a page of games.
#[divan::bench(args = ["p1", "p77777"], sample_count = 100)]
fn page(person: &str) -> usize {
    let hall = &*HALL;
    hall.runtime.block_on(async {
        let store = &hall.store;
        let found = store.people.find_person(person).await.expect("reads").expect("is there");
        let mut read = store.games.tally(&found.id, None).await.expect("reads").len();
        read += store.games.ratings(&found.id).await.expect("reads").len();
        read += store.games.curves(&found.id, 365).await.expect("reads").len();
        read + store.games.list(&found.id, &Filter::default(), None, 31).await.expect("reads").len()
    })
}

/// The slowest question: of the busy person's games those that there are none of.
#[divan::bench(sample_count = 100)]
fn a_search_that_finds_nothing() -> usize {
    let hall = &*HALL;
    let filter = Filter { result: Some(Ending::Void), ..Filter::default() };
    hall.runtime
        .block_on(async { hall.store.games.list("p1", &filter, None, 31).await.expect("reads").len() })
}

/// Measures the lookup of a name that does not exist.
#[divan::bench(sample_count = 100)]
fn nobody() -> bool {
    let hall = &*HALL;
    hall.runtime.block_on(async {
        let found = hall.store.people.find_person("nobody").await.expect("reads").is_none();
        found && hall.store.games.curves("nobody", 365).await.expect("reads").is_empty()
    })
}
