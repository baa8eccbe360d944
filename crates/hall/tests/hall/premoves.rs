//! Premoves: played when the turn comes, dropped when they are not legal, and sent to no other client.

use client::Seat;
use wire::{Act, ClockSpec, EventKind, Offer};

use crate::house::{House, done, hear, level, moves, mv, offer, refused, soon, table_of, timed};

const CLOCK: ClockSpec = ClockSpec::Fischer { base_ms: 60_000, increment_ms: 0 };

/// Chooses a move ahead by the names of its places.
async fn ahead(seat: &mut Seat, places: &[&str]) {
    let board = seat.info.as_ref().expect("a table").board.clone();
    let cells = places.iter().map(|name| board.cell_named(name).expect("a place")).collect();
    soon(seat.wish(Act::Premove { cells })).await.expect("the protocol is kept");
}

fn played(seat: &Seat) -> Vec<&str> {
    seat.record.iter().map(|ply| ply.0.as_str()).collect()
}

async fn until_plies(seats: &mut [Seat; 2], plies: usize) {
    for seat in seats.iter_mut() {
        while seat.record.len() < plies {
            hear(seat).await;
        }
    }
}

#[tokio::test]
async fn it_is_played_when_the_turn_comes_and_nobody_else_knows_before() {
    let house = House::open().await;
    let mut seats = house.pair(timed(CLOCK)).await;
    moves(&mut seats, "h8 a1 h9 a2").await;
    let (ver, seen) = (seats[0].ver, seats[0].seen.len());
    ahead(&mut seats[1], &["a3"]).await;
    let told = house.full(&table_of(&seats[0])).await;
    assert!(!serde_json::to_string(&told).expect("plain data").contains("premove"), "{told:?}");
    assert_eq!((seats[0].ver, seats[0].seen.len()), (ver, seen), "nothing was told");
    done(&mut seats[0], mv("h10")).await;
    until_plies(&mut seats, 6).await;
    assert_eq!(played(&seats[0])[4..], ["h10", "a3"]);
    assert_eq!(seats[0].record[5].2, Some(100), "it costs a moment of thinking time");
    let own = seats[1].seen.last().expect("an event");
    assert_eq!((own.k, own.v, own.cmd.as_deref()), (EventKind::Move, ver + 2, None));
    // Two who choose ahead answer each other.
    ahead(&mut seats[1], &["a4"]).await;
    ahead(&mut seats[0], &["h11"]).await;
    until_plies(&mut seats, 8).await;
    assert_eq!(played(&seats[0])[6..], ["h11", "a4"]);
}

#[tokio::test]
async fn it_is_forgotten_where_it_does_not_fit_or_something_else_has_happened() {
    let house = House::open().await;
    for name in [
        "a stone stands there",
        "taken back",
        "an offer",
        "another choice",
        "plies are taken back",
        "the player left",
    ] {
        let mut seats = house.pair(timed(CLOCK)).await;
        moves(&mut seats, "h8 a1").await;
        ahead(&mut seats[1], &["h9"]).await;
        match name {
            "taken back" => ahead(&mut seats[1], &[]).await,
            "another choice" => ahead(&mut seats[1], &["b1"]).await,
            "an offer" => {
                done(&mut seats[0], offer(Offer::Draw)).await;
            }
            "plies are taken back" => {
                done(&mut seats[1], offer(Offer::Takeback)).await;
                level(&mut seats).await;
                done(&mut seats[0], Act::Accept { what: Offer::Takeback }).await;
                level(&mut seats).await;
                done(&mut seats[1], mv("a2")).await;
                level(&mut seats).await;
            }
            "the player left" => {
                seats[1].cut();
                let gone = |seat: &Seat| !seat.here[1];
                while !gone(&seats[0]) {
                    hear(&mut seats[0]).await;
                }
            }
            _ => {}
        }
        let first = if name == "a stone stands there" { "h9" } else { "i9" };
        let before = seats[0].record.len();
        done(&mut seats[0], mv(first)).await;
        if name == "another choice" {
            until_plies(&mut seats, before + 2).await;
            assert_eq!(played(&seats[0])[before..], [first, "b1"], "{name}");
            continue;
        }
        // What it would have played comes before any later answer.
        let refused = refused(&mut seats[0], mv("o15")).await;
        assert_eq!((refused.as_str(), seats[0].record.len()), ("not-your-turn", before + 1), "{name}");
    }
}

#[tokio::test]
async fn it_takes_a_clock_and_a_seat() {
    let house = House::open().await;
    let mut seats = house.pair(timed(ClockSpec::None)).await;
    moves(&mut seats, "h8 a1").await;
    assert_eq!(refused(&mut seats[1], Act::Premove { cells: vec![3] }).await, "premove-needs-clock");
    let mut seats = house.pair(timed(CLOCK)).await;
    moves(&mut seats, "h8 a1").await;
    assert_eq!(refused(&mut seats[1], Act::Premove { cells: vec![1, 2, 3] }).await, "premove-places");
    assert_eq!(refused(&mut seats[1], Act::Premove { cells: vec![9999] }).await, "premove-places");
    let mut watcher = Seat::new(house.guest().await, &table_of(&seats[0]));
    assert_eq!(refused(&mut watcher, Act::Premove { cells: vec![3] }).await, "not-your-seat");
}
