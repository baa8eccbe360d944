//! Outages of the store while the hall runs. They would catch a clock that runs on meanwhile, of minutes, of days or
//! for a first move, and a player who loses by it.

use std::sync::Arc;
use std::time::Duration;

use edge::network::Payer;
use hall::hall::Hall;
use store::Store;
use table::Event;
use wire::{Act, ClockFace, ClockSpec, CreateTable, How, Side};

use crate::house::{gomoku, mv, soon};
use crate::slow::{Away, Slow, ask, face, game, hall, person, send};

/// A game of a minute each.
const MINUTE: ClockSpec = ClockSpec::Fischer { base_ms: 60_000, increment_ms: 0 };
const DAY_MS: u64 = 86_400_000;

/// A hall that notes that it is alive.
async fn opened(folder: &tempfile::TempDir) -> (Arc<Hall>, Arc<Slow>) {
    let (hall, store) = hall(Store::open(folder.path()).await.expect("opens"));
    let beating = Arc::clone(&hall);
    tokio::spawn(async move { beating.keep_beating().await });
    (hall, store)
}

/// The store is away for so long by the hall's clock, which is turned by hand; `meanwhile` is done in the middle of it.
async fn away(hall: &Arc<Hall>, store: &Slow, how: Away, by: Duration, meanwhile: impl AsyncFnOnce()) {
    let until = async |lasts: bool| {
        while hall.tables.outages().last().lasts() != lasts {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    store.away.send_replace(Some(how));
    soon(until(true)).await;
    assert!(
        hall.trouble.borrow().as_ref().is_some_and(|why| why.key == "hall-read-only"),
        "everybody is told"
    );
    hall.time.pass(by);
    meanwhile().await;
    store.away.send_replace(None);
    soon(until(false)).await;
}

/// Returns the face of the clocks of a table now.
async fn shown(hall: &Arc<Hall>, id: &str) -> ClockFace {
    let now_ms = hall.time.now_ms();
    hall.tables
        .look(id, Payer::Hall, move |state| state.clock.face(now_ms))
        .await
        .expect("is there")
        .expect("clocks")
}

#[tokio::test]
async fn no_clock_of_minutes_runs_while_the_store_is_away() {
    for how in [Away::Refusing, Away::Silent] {
        let folder = tempfile::tempdir().expect("a folder");
        let (hall, store) = opened(&folder).await;
        let (handle, id) = game(&hall, MINUTE).await;
        hall.time.pass(Duration::from_secs(10));
        // So that a beat is later than what was thought.
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        // Longer than both have together.
        away(&hall, &store, how, Duration::from_secs(300), async || {
            let clocks = shown(&hall, &id).await;
            assert!(clocks.run.is_none() && clocks.held.is_none(), "{how:?}: {clocks:?}");
        })
        .await;
        let clocks = shown(&hall, &id).await;
        assert_eq!(clocks.run, Some(Side::First), "{how:?}: it goes on");
        assert!(
            (43_000..=50_500).contains(&clocks.ms[0]),
            "{how:?}: ten seconds were thought before: {clocks:?}"
        );
        let log = hall.store.logs.log(&id, 0, 100).await.expect("reads");
        assert_eq!(
            log.last().map(|entry| &entry.event),
            Some(&Event::Pause),
            "{how:?}: and it is written down"
        );
        ask(&hall, &handle, "ann", mv("h9")).await;
        let (_, spent, end) = face(&hall, &id).await;
        assert_eq!(end, None, "{how:?}");
        assert!(spent[2].is_some_and(|ms| ms < 17_000), "{how:?}: {spent:?}");
    }
}

/// A move that arrived before the store was back is kept as soon as it is, and its sender pays for none of the
/// outage.
#[tokio::test]
async fn a_move_that_waits_for_the_store_costs_what_was_thought_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let (hall, store) = opened(&folder).await;
    let (handle, id) = game(&hall, MINUTE).await;
    let mut answer = None;
    away(&hall, &store, Away::Silent, Duration::from_secs(300), async || {
        answer = Some(send(&hall, &handle, "ann", mv("h9")).await);
    })
    .await;
    assert_eq!(soon(answer.expect("was sent")).await.expect("is answered"), None, "the move counts");
    let (_, spent, end) = face(&hall, &id).await;
    assert_eq!(end, None);
    assert!(spent[2].is_some_and(|ms| ms < 5_000), "{spent:?}");
    let clocks = shown(&hall, &id).await;
    assert_eq!(clocks.run, Some(Side::Second));
    assert!(clocks.ms[1] > 55_000, "{clocks:?}");
}

#[tokio::test]
async fn nobody_is_blamed_for_a_first_move_that_an_outage_prevented() {
    let folder = tempfile::tempdir().expect("a folder");
    let (hall, store) = opened(&folder).await;
    let wish = CreateTable { clock: MINUTE, side: Some(Side::First), ..gomoku(How::Open) };
    let id = hall.tables.open(wish, person("ann"), Payer::Hall).await.expect("opens");
    let handle = hall.tables.table(&id, Payer::Hall).await.expect("is there");
    ask(&hall, &handle, "bob", Act::Sit { side: None }).await;
    away(&hall, &store, Away::Refusing, Duration::from_secs(300), async || ()).await;
    let now_ms = hall.time.now_ms();
    let left = hall
        .tables
        .look(&id, Payer::Hall, move |state| (state.first_left_ms(now_ms), state.end.is_some()))
        .await;
    let (left_ms, is_over) = left.expect("is there");
    assert!(!is_over && left_ms.is_some_and(|ms| ms > 15_000), "{left_ms:?}");
    ask(&hall, &handle, "ann", mv("h8")).await;
}

#[tokio::test]
async fn games_of_days_get_the_time_back_where_they_lie() {
    let folder = tempfile::tempdir().expect("a folder");
    let (hall, store) = opened(&folder).await;
    let (handle, id) = game(&hall, ClockSpec::per_move(DAY_MS)).await;
    let deadline = async || {
        let stored = store.inner.logs.load(&id).await.expect("reads").expect("is there");
        stored.asleep.expect("its clock runs").deadline_ms
    };
    let before = deadline().await;
    let week = Duration::from_secs(7 * 86_400);
    away(&hall, &store, Away::Refusing, week, async || {
        assert_eq!(hall.tables.sweep().await, 0, "nobody's time is up");
    })
    .await;
    let moved_ms = deadline().await - before;
    assert!((7 * DAY_MS..7 * DAY_MS + 30_000).contains(&moved_ms), "{moved_ms}");
    assert_eq!(hall.tables.sweep().await, 0);
    let clocks = shown(&hall, &id).await;
    assert!(clocks.ms[0] > DAY_MS - 30_000 && clocks.run == Some(Side::First), "in memory, too: {clocks:?}");
    ask(&hall, &handle, "ann", mv("h9")).await;
}
