//! Openings that the hall draws: what would be unfair, such as drawing again until one likes it, or a rematch that gives the
//! better side of an opening to the same player twice.

use std::collections::BTreeMap;

use client::Seat;
use wire::{Act, ClockSpec, CreateTable, How, Offer, ServerMessage, Side, TableInfo};

use crate::house::{House, done, level, mv, offer, refused};

fn drawn(how: How) -> CreateTable {
    CreateTable {
        game: "draughts/english".to_owned(),
        options: BTreeMap::from([("draw".to_owned(), 1)]),
        map: None,
        fen: None,
        how,
        room: None,
        clock: ClockSpec::None,
        side: Some(Side::First),
        opponent: None,
        rated: false,
    }
}

async fn info(house: &House, table: &str) -> TableInfo {
    let ServerMessage::Full { table, .. } = house.full(table).await else { panic!("full") };
    table
}

/// Ends this game, and begins another with sides changed.
async fn again(seats: &mut [Seat; 2]) -> String {
    done(&mut seats[0], Act::Resign { side: None }).await;
    level(seats).await;
    done(&mut seats[0], offer(Offer::Rematch)).await;
    level(seats).await;
    done(&mut seats[1], Act::Accept { what: Offer::Rematch }).await;
    level(seats).await;
    seats[0].info.as_ref().and_then(|info| info.next.clone()).expect("a new table")
}

#[tokio::test]
async fn both_sides_play_an_opening_that_was_drawn() {
    let house = House::open().await;
    let (ann, bo) = (house.guest().await, house.guest().await);
    let table = ann.open(&drawn(How::Invite)).await.expect("a table").id;
    let mut seats = [Seat::new(ann.clone(), &table), Seat::new(bo.clone(), &table)];
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    let first = info(&house, &table).await;
    let opening = first.opening.clone().expect("it is told");
    assert!(opening.contains(": ") && first.options["drawn"] > 0, "{opening}");
    // The record says what was drawn, and begins behind it: White is to move.
    let path = format!("/api/tables/{table}/record?format=pdn");
    let record = house.get(&path).await.text().await.expect("a text");
    assert!(record.contains(&opening) && record.contains("W:W"), "{record}");
    assert_eq!(refused(&mut seats[0], mv("9-13")).await, "not-your-turn");
    let next = again(&mut seats).await;
    let second = info(&house, &next).await;
    assert_eq!((second.opening.as_ref(), second.options["leg"]), (Some(&opening), 2));
    assert_eq!(second.seats, [first.seats[1].clone(), first.seats[0].clone()]);
    let mut seats = [Seat::new(bo, &next), Seat::new(ann, &next)];
    level(&mut seats).await;
    let third = info(&house, &again(&mut seats).await).await;
    assert_eq!(third.options["leg"], 1, "another one is drawn for the next pair");
}

#[tokio::test]
async fn nobody_draws_until_they_like_it() {
    let house = House::open().await;
    let ann = house.guest().await;
    let mut wish = drawn(How::Open);
    let one = ann.open(&wish).await.expect("a table").id;
    let opening = info(&house, &one).await.opening;
    for _ in 0..8 {
        let again = ann.open(&wish).await.expect("a table").id;
        assert_eq!(info(&house, &again).await.opening, opening, "the same while nobody has sat down");
    }
    // Nor does anybody choose where another plays.
    wish.options.insert("drawn".to_owned(), 7);
    let chosen = ann.open(&wish).await.expect("a table").id;
    assert_eq!(info(&house, &chosen).await.opening, opening);
    wish.how = How::Screen;
    let own = ann.open(&wish).await.expect("a table").id;
    let told = info(&house, &own).await.opening.expect("it is told");
    assert!(told.starts_with("8 Edinburgh Single: 9-13"), "on one screen one may: {told}");
    wish.options.remove("drawn");
    wish.fen = Some("B:W32:B1".to_owned());
    let Err(client::Error::Refused(why)) = ann.open(&wish).await else { panic!("a position and a draw") };
    assert_eq!(why.key, "draw-and-position");
}
