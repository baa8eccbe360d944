//! Clocks with short real times.

use std::time::{Duration, Instant};

use wire::{Act, ClockFace, ClockSpec, EventKind, ServerMessage, Side};

use crate::house::{House, done, hear, level, moves, mv, offer, refused, table_of, timed};

/// A short clock, to which the compensation for lag is added.
const SHORT: ClockSpec = ClockSpec::Fischer { base_ms: 300, increment_ms: 1 };
const LONG: ClockSpec = ClockSpec::Fischer { base_ms: 60_000, increment_ms: 2_000 };

async fn face(house: &House, table: &str) -> ClockFace {
    let ServerMessage::Full { clk: Some(clk), .. } = house.full(table).await else { panic!("a clock") };
    clk
}

#[tokio::test]
async fn a_flag_falls_by_itself() {
    let house = House::open().await;
    for (name, clock) in [
        ("Fischer", SHORT),
        ("byo-yomi", ClockSpec::ByoYomi { base_ms: 0, period_ms: 1_000, periods: 1 }),
        ("per move", ClockSpec::per_move(1_000)),
    ] {
        let mut seats = house.pair(timed(clock)).await;
        moves(&mut seats, "h8 a1").await;
        let begun = Instant::now();
        while seats[1].end.is_none() {
            hear(&mut seats[1]).await;
        }
        assert!(begun.elapsed() < Duration::from_secs(5), "{name}: {:?}", begun.elapsed());
        level(&mut seats).await;
        let end = seats[0].end.clone().expect("over");
        assert_eq!((end.reason.as_ref(), end.winner), ("flag", Some(Side::Second)), "{name}");
        let last = seats[0].seen.last().expect("an event");
        assert_eq!(
            (&last.cmd, last.k, last.by),
            (&None, EventKind::Flag, Some(Side::First)),
            "{name}: the hall's own doing"
        );
        assert_eq!(refused(&mut seats[0], mv("h9")).await, "game-over", "{name}");
        let clk = face(&house, &table_of(&seats[0])).await;
        assert_eq!((clk.ms[0], clk.run), (0, None), "{name}");
    }
}

#[tokio::test]
async fn no_clock_runs_before_both_have_moved() {
    let house = House::open().await;
    let mut seats = house.pair(timed(LONG)).await;
    let table = table_of(&seats[0]);
    assert_eq!(
        face(&house, &table).await,
        ClockFace { ms: [60_000; 2], periods: None, byo: None, run: None, held: None }
    );
    moves(&mut seats, "h8").await;
    assert_eq!(face(&house, &table).await.run, None);
    moves(&mut seats, "a1").await;
    assert_eq!(face(&house, &table).await.run, Some(Side::First));
}

#[tokio::test]
async fn a_turn_earns_its_increment_and_a_claim_comes_too_early() {
    let house = House::open().await;
    let mut seats = house.pair(timed(LONG)).await;
    let table = table_of(&seats[0]);
    moves(&mut seats, "h8 a1").await;
    assert_eq!(refused(&mut seats[1], Act::Flag).await, "time-is-left");
    assert_eq!(refused(&mut seats[0], Act::Flag).await, "time-is-left");
    moves(&mut seats, "h9").await;
    let clk = face(&house, &table).await;
    assert!((61_000..=62_000).contains(&clk.ms[0]), "a quick move earns two seconds: {clk:?}");
    assert!(clk.ms[1] <= 60_000 && clk.run == Some(Side::Second), "{clk:?}");
    let spent = seats[0].record[2].2;
    assert!(spent.is_some_and(|ms| ms < 1_000), "the time is noted: {spent:?}");
    done(&mut seats[0], offer(wire::Offer::Takeback)).await;
    level(&mut seats).await;
    done(&mut seats[1], Act::Accept { what: wire::Offer::Takeback }).await;
    level(&mut seats).await;
    let clk = face(&house, &table).await;
    assert_eq!(clk.run, Some(Side::First), "its clock runs again");
    done(&mut seats[0], Act::Resign { side: None }).await;
    assert_eq!(face(&house, &table).await.run, None, "clocks stop with the game");
}

#[tokio::test]
async fn byo_yomi_counts_periods() {
    let house = House::open().await;
    let clock = ClockSpec::ByoYomi { base_ms: 0, period_ms: 1_000, periods: 3 };
    let mut seats = house.pair(timed(clock)).await;
    let table = table_of(&seats[0]);
    moves(&mut seats, "h8 a1 h9").await;
    let clk = face(&house, &table).await;
    assert_eq!((clk.periods, clk.byo), (Some([3, 3]), Some([true, true])), "a quick move costs none");
    // White thinks for longer than a period.
    tokio::time::sleep(Duration::from_millis(1_300)).await;
    let clk = face(&house, &table).await;
    assert_eq!(clk.periods, Some([3, 2]), "{clk:?}");
    moves(&mut seats, "a2").await;
    let clk = face(&house, &table).await;
    assert_eq!(clk.periods, Some([3, 2]), "{clk:?}");
    assert_eq!(clk.ms[1], 1_000, "and the period is full again");
}

#[tokio::test]
async fn ones_own_claim_gets_no_grace() {
    let house = House::open().await;
    // A quota of three gains of 190 ms makes the grace; who claims their own loss does not wait for it.
    let mut seats = house.pair(timed(ClockSpec::Fischer { base_ms: 1_000, increment_ms: 0 })).await;
    moves(&mut seats, "h8 a1").await;
    tokio::time::sleep(Duration::from_millis(1_060)).await;
    match seats[0].wish(Act::Flag).await.expect("kept") {
        client::Answer::Done(v) => {
            let event = seats[0].seen.iter().find(|event| event.v == v).expect("was told");
            assert_eq!((event.k, event.by), (EventKind::Flag, Some(Side::First)));
            assert!(event.cmd.is_some(), "a claim that holds is answered by its event");
        }
        client::Answer::Refused(why) => {
            assert_eq!(why.key, "game-over", "on a slow machine the hall is faster")
        }
    }
}
