//! Games that do not begin: they end, and only who did not come is blamed.

use std::time::Duration;

use client::{Guest, Seat};
use serde_json::json;
use wire::{Act, ClockSpec, CreateTable, How, ServerMessage, Side};

use crate::accounts::{Person, text};
use crate::house::{House, done, gomoku, hear, level, mv};

/// Blitz: half a minute for a first move among strangers.
const BLITZ: ClockSpec = ClockSpec::Fischer { base_ms: 300_000, increment_ms: 3_000 };

/// Two accounts who sit at an open table, the first and the second player, with their ids.
async fn strangers(house: &House, names: [&str; 2]) -> ([Seat; 2], [String; 2]) {
    let [(one, _), (other, _)] =
        [Person::account(house, names[0]).await, Person::account(house, names[1]).await];
    let ids = [one.id().await, other.id().await];
    let known = |secret: String| async move { Guest::known(&house.base, &secret).await.expect("known") };
    let (a, b) = (known(one.secret.clone()).await, known(other.secret.clone()).await);
    let wish = CreateTable { clock: BLITZ, side: Some(Side::First), ..gomoku(How::Open) };
    let table = a.open(&wish).await.expect("a table").id;
    let mut seats = [Seat::new(a, &table), Seat::new(b, &table)];
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    (seats, ids)
}

pub async fn pass(house: &House, seconds: u64) {
    house.running.as_ref().expect("is open").pass(Duration::from_secs(seconds)).await;
}

/// Waits for the end of the game and returns its reason.
async fn end(seat: &mut Seat) -> String {
    while seat.end.is_none() {
        hear(seat).await;
    }
    seat.end.as_ref().expect("over").reason.to_string()
}

/// Returns the number of games that each of those people has left.
pub async fn left(house: &mut House, people: &[String]) -> Vec<u32> {
    let mut left = Vec::new();
    house
        .stored(async |store| {
            for person in people {
                left.push(store.together.left_since(person, 0).await.expect("is read"));
            }
        })
        .await;
    left
}

/// Waits until the hall has reported that the other player is gone.
pub async fn until_alone(seat: &mut Seat, other: usize) {
    while seat.here[other] {
        hear(seat).await;
    }
}

#[tokio::test]
async fn a_game_that_nobody_begins_is_called_off() {
    let mut house = House::open().await;
    let (mut seats, ids) = strangers(&house, ["Ann", "Bob"]).await;
    let told = seats[0].first_ms.expect("a time runs");
    assert!((25_000..=30_000).contains(&told), "{told}");
    pass(&house, 29).await;
    done(&mut seats[0], mv("h8")).await;
    level(&mut seats).await;
    assert!(seats[1].first_ms.is_some_and(|ms| ms > 25_000), "the other side has a time of its own");
    pass(&house, 31).await;
    for seat in &mut seats {
        assert_eq!(end(seat).await, "not-begun");
        assert_eq!(seat.first_ms, None, "and no time runs any more");
    }
    assert!(seats[0].end.as_ref().is_some_and(|end| end.void && end.winner.is_none()));
    let last = seats[0].seen.last().expect("an event");
    assert_eq!((&last.cmd, last.by), (&None, Some(Side::Second)), "the hall's own doing");
    drop(seats);
    assert_eq!(left(&mut house, &ids).await, [0, 1], "who did not move");
}

#[tokio::test]
async fn a_game_that_has_begun_has_no_such_time() {
    let house = House::open().await;
    let (mut seats, _) = strangers(&house, ["Ann", "Bob"]).await;
    for (mover, text) in [(0, "h8"), (1, "a1")] {
        done(&mut seats[mover], mv(text)).await;
        level(&mut seats).await;
    }
    assert_eq!(seats[0].first_ms, None);
    pass(&house, 60).await;
    done(&mut seats[0], mv("h9")).await;
}

/// A player may leave while the opponent has never come, and only the opponent counts as a leaver (H2).
#[tokio::test]
async fn who_waits_for_somebody_who_never_comes_may_leave() {
    let mut house = House::open().await;
    let mut ids = Vec::new();
    let clock = json!({ "kind": "fischer", "base_ms": 300_000, "increment_ms": 3_000 });
    let pool = json!({ "game": "gomoku/standard", "clock": clock, "rated": false });
    for k in 0..2 {
        let (ghost, _) = Person::account(&house, &format!("Ghost{k}")).await;
        let (ann, _) = Person::account(&house, &format!("Ann{k}")).await;
        ghost.post("/api/pool", pool.clone()).await;
        let table = text(&ann.post("/api/pool", pool.clone()).await.1, "table");
        let mut seat = Seat::new(Guest::known(&house.base, &ann.secret).await.expect("known"), &table);
        hear(&mut seat).await;
        done(&mut seat, Act::Abort).await;
        ids.extend([ann.id().await, ghost.id().await]);
    }
    assert_eq!(left(&mut house, &ids).await, [0, 0, 0, 0]);
}

#[tokio::test]
async fn who_asked_for_a_game_and_does_not_come_has_left_it() {
    let mut house = House::open().await;
    let clock = json!({ "kind": "fischer", "base_ms": 300_000, "increment_ms": 3_000 });
    let pool = json!({ "game": "gomoku/standard", "clock": clock, "rated": false });
    let (ghost, _) = Person::account(&house, "Ghost").await;
    let (ann, _) = Person::account(&house, "Ann").await;
    ghost.post("/api/pool", pool.clone()).await;
    let table = text(&ann.post("/api/pool", pool).await.1, "table");
    let mut seat = Seat::new(Guest::known(&house.base, &ann.secret).await.expect("known"), &table);
    hear(&mut seat).await;
    pass(&house, 11).await;
    done(&mut seat, Act::Abort).await;
    drop(seat);
    let ids = [ann.id().await, ghost.id().await];
    assert_eq!(left(&mut house, &ids).await, [0, 1]);
}

#[tokio::test]
async fn who_leaves_in_front_of_somebody_is_blamed_and_who_was_left_is_not() {
    let mut house = House::open().await;
    let (mut seats, leaver) = strangers(&house, ["Ann", "Bob"]).await;
    done(&mut seats[0], Act::Abort).await;
    // The other is gone, and it is one's own move.
    let (mut seats, waiter) = strangers(&house, ["Cid", "Dan"]).await;
    seats[1].cut();
    until_alone(&mut seats[0], 1).await;
    done(&mut seats[0], Act::Abort).await;
    // Gone for as long as no page needs to be loaded again, with one's own move and with theirs.
    let (mut seats, left_alone) = strangers(&house, ["Gil", "Hal"]).await;
    seats[1].cut();
    until_alone(&mut seats[0], 1).await;
    pass(&house, 10).await;
    done(&mut seats[0], Act::Abort).await;
    let (mut seats, kept_waiting) = strangers(&house, ["Ida", "Jon"]).await;
    while !seats[1].here[0] {
        hear(&mut seats[1]).await;
    }
    seats[0].cut();
    until_alone(&mut seats[1], 0).await;
    pass(&house, 10).await;
    done(&mut seats[1], Act::Abort).await;
    // The other is there and is to move: sides could be chosen by leaving again and again.
    let (mut seats, chooser) = strangers(&house, ["Eve", "Fay"]).await;
    done(&mut seats[1], Act::Abort).await;
    // The other is there and thinks for long.
    let (mut seats, patient) = strangers(&house, ["Kay", "Lee"]).await;
    pass(&house, 15).await;
    done(&mut seats[1], Act::Abort).await;
    drop(seats);
    let people = [leaver, waiter, left_alone, kept_waiting, chooser, patient].concat();
    assert_eq!(left(&mut house, &people).await, [1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0]);
}

/// The time for a first move outlives a restart of the hall, and no player is blamed for it.
#[tokio::test]
async fn the_time_outlives_the_hall_and_blames_nobody() {
    let mut house = House::open().await;
    let (seats, ids) = strangers(&house, ["Ann", "Bob"]).await;
    let table = crate::house::table_of(&seats[0]);
    drop(seats);
    house.restart().await;
    // Neither player comes back: the hall calls the game off all the same.
    for _ in 0..100 {
        pass(&house, 31).await;
        let ServerMessage::Full { end, .. } = house.full(&table).await else { panic!("everything") };
        if let Some(end) = end {
            assert_eq!(end.reason, "not-begun");
            assert_eq!(left(&mut house, &ids).await, [0, 0]);
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it is still waited for");
}

#[tokio::test]
async fn nobody_comes_to_a_table_and_it_is_called_off() {
    let house = House::open().await;
    let clock = json!({ "kind": "fischer", "base_ms": 300_000, "increment_ms": 3_000 });
    let pool = json!({ "game": "gomoku/standard", "clock": clock, "rated": true });
    let ((ann, _), (bob, _)) = (Person::account(&house, "Ann").await, Person::account(&house, "Bob").await);
    ann.post("/api/pool", pool.clone()).await;
    let table = text(&bob.post("/api/pool", pool).await.1, "table");
    assert_eq!(ann.get("/api/me").await.1["playing"][0]["id"], table.as_str());
    pass(&house, 31).await;
    for _ in 0..200 {
        if ann.get("/api/me").await.1["playing"] == json!([]) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("nobody has called it off");
}
