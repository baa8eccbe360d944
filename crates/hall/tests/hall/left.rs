//! A player who leaves a game that goes on: the other may claim the win, after a while and not before.

use client::{Answer, Seat};
use texts::{Language, say};
use wire::{Act, ClockSpec, CreateTable, How, Problem, Side};

use crate::begin::{left, pass, until_alone};
use crate::house::{House, done, gomoku, hear, level, moves, mv, refused, soon};

const BLITZ: ClockSpec = ClockSpec::Fischer { base_ms: 300_000, increment_ms: 3_000 };
/// Seconds that a busy machine may need between a message and the next.
const SLACK: u64 = 5;

/// Two at an open table who have played these moves; their public ids.
async fn begun(house: &House, clock: ClockSpec, played: &str) -> ([Seat; 2], [String; 2]) {
    let mut seats = house.pair(CreateTable { clock, ..gomoku(How::Open) }).await;
    moves(&mut seats, played).await;
    let players = seats[0].info.as_ref().expect("is known").seats.clone();
    (seats, players.map(|player| player.expect("sits there").id))
}

/// Returns the reason for which that is refused, with its facts.
async fn why(seat: &mut Seat, act: Act) -> Problem {
    match soon(seat.wish(act)).await.expect("the protocol is kept") {
        Answer::Refused(why) => why,
        Answer::Done(v) => panic!("it was done as version {v}"),
    }
}

async fn until_back(seat: &mut Seat, other: usize) {
    while !seat.here[other] {
        hear(seat).await;
    }
}

#[tokio::test]
async fn a_win_is_claimed_once_the_other_is_away_for_as_long_as_the_speed_says() {
    let mut house = House::open().await;
    let mut people = Vec::new();
    for (name, clock, seconds) in [
        ("bullet", ClockSpec::Fischer { base_ms: 120_000, increment_ms: 0 }, 20),
        ("blitz", BLITZ, 40),
        ("rapid", ClockSpec::Fischer { base_ms: 600_000, increment_ms: 5_000 }, 60),
        ("classical", ClockSpec::Fischer { base_ms: 1_800_000, increment_ms: 20_000 }, 120),
        ("no clock", ClockSpec::None, 180),
    ] {
        let (mut seats, ids) = begun(&house, clock, "h8 a1 h9").await;
        people.extend(ids);
        seats[1].cut();
        until_alone(&mut seats[0], 1).await;
        let told = seats[0].claim_ms.expect("somebody has left");
        assert!(((seconds - SLACK) * 1000..=seconds * 1000).contains(&told), "{name}: {told}");
        let early = why(&mut seats[0], Act::Claim).await;
        assert_eq!(early.key, "claim-too-early", "{name}");
        let after: u64 = early.args["seconds"].parse().expect("a number");
        assert!((seconds - SLACK..=seconds).contains(&after), "{name}: {after}");
        let said = say(Language::English, "problem-claim-too-early", &[("seconds", &after.to_string())]);
        assert!(said.contains(&format!("in {after} seconds")), "{said}");
        pass(&house, seconds - SLACK - 1).await;
        assert_eq!(refused(&mut seats[0], Act::Claim).await, "claim-too-early", "{name}");
        pass(&house, SLACK + 1).await;
        done(&mut seats[0], Act::Claim).await;
        let end = seats[0].end.clone().expect("is over");
        assert_eq!((&*end.reason, end.winner, end.void), ("left", Some(Side::First), false), "{name}");
    }
    assert_eq!(left(&mut house, &people).await, [0, 1].repeat(5), "who was away");
}

#[tokio::test]
async fn nobody_who_came_back_has_left() {
    let mut house = House::open().await;
    let (mut seats, ids) = begun(&house, BLITZ, "h8 a1 h9").await;
    seats[1].cut();
    until_alone(&mut seats[0], 1).await;
    pass(&house, 39).await;
    while !seats[1].here[1] {
        hear(&mut seats[1]).await;
    }
    until_back(&mut seats[0], 1).await;
    pass(&house, 60).await;
    assert_eq!(refused(&mut seats[0], Act::Claim).await, "nobody-left", "is here and thinks");
    // Away again: the time starts again.
    seats[1].cut();
    until_alone(&mut seats[0], 1).await;
    pass(&house, 20).await;
    assert_eq!(refused(&mut seats[0], Act::Claim).await, "claim-too-early");
    done(&mut seats[1], mv("a2")).await;
    level(&mut seats).await;
    assert_eq!(refused(&mut seats[0], Act::Claim).await, "nobody-left", "has moved");
    assert!(seats.iter().all(|seat| seat.end.is_none()));
    drop(seats);
    assert_eq!(left(&mut house, &ids).await, [0, 0]);
}

#[tokio::test]
async fn there_is_nothing_to_claim_where_nobody_is_waited_for() {
    const SLOW: ClockSpec = ClockSpec::per_move(3 * 86_400_000);
    let mut house = House::open().await;
    let mut people = Vec::new();
    for (name, clock, played, gone, seconds) in [
        ("a slow game", SLOW, "h8 a1 h9", 1, 5 * 3600),
        ("before both have finished a turn", BLITZ, "h8", 1, 25),
        ("one's own move", BLITZ, "h8 a1", 1, 90),
    ] {
        let (mut seats, ids) = begun(&house, clock, played).await;
        people.extend(ids);
        seats[gone].cut();
        until_alone(&mut seats[1 - gone], gone).await;
        assert_eq!(seats[1 - gone].claim_ms, None, "{name}");
        pass(&house, seconds).await;
        assert_eq!(refused(&mut seats[1 - gone], Act::Claim).await, "nobody-left", "{name}");
    }
    assert_eq!(left(&mut house, &people).await, [0; 6]);
}

/// A player who is away only while the hall is has not left.
#[tokio::test]
async fn the_time_begins_anew_where_the_hall_was_away() {
    let mut house = House::open().await;
    let (a, b) = (house.guest().await, house.guest().await);
    let wish = CreateTable { clock: BLITZ, side: Some(Side::First), ..gomoku(How::Open) };
    let table = a.open(&wish).await.expect("a table").id;
    let secret = a.secret().to_owned();
    let mut seats = [Seat::new(a, &table), Seat::new(b, &table)];
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    moves(&mut seats, "h8 a1 h9").await;
    seats[1].cut();
    until_alone(&mut seats[0], 1).await;
    pass(&house, 39).await;
    drop(seats);
    house.restart().await;
    let guest = client::Guest::known(&house.base, &secret).await.expect("known");
    let mut seat = Seat::new(guest, &table);
    hear(&mut seat).await;
    let early = why(&mut seat, Act::Claim).await;
    assert_eq!(early.key, "claim-too-early");
    assert!(early.args["seconds"].parse::<u64>().is_ok_and(|seconds| seconds > 40 - SLACK));
}
