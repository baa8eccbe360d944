//! Sitting down, offers, and agreements.

use client::{Answer, Seat};
use wire::{Act, CreateTable, EventKind, How, Offer, ServerMessage, Side};

use crate::house::{House, done, gomoku, hear, level, moves, mv, offer, refused, soon, table_of};

#[tokio::test]
async fn who_opens_the_link_sits_down_and_the_third_watches() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    let table = table_of(&seats[0]);
    let mut third = Seat::new(house.guest().await, &table);
    hear(&mut third).await;
    assert_eq!(third.you, []);
    assert_eq!(refused(&mut third, Act::Sit { side: None }).await, "seat-taken");
    assert_eq!(refused(&mut third, mv("h8")).await, "not-your-seat");
    moves(&mut seats, "h8 a1 h9").await;
    while third.record.len() < 3 {
        hear(&mut third).await;
    }
    assert_eq!(third.view, seats[0].view);
    let ServerMessage::Full { here, watchers, .. } = house.full(&table).await else { panic!("full") };
    assert_eq!((here, watchers), ([true, true], 1), "who only asks over HTTP does not watch");
}

#[tokio::test]
async fn people_agree() {
    let (takeback, draw) = (offer(Offer::Takeback), offer(Offer::Draw));
    let yes = |what| Act::Accept { what };
    let no = |what| Act::Decline { what };
    let resign = |side| Act::Resign { side };
    let back = takeback.clone();
    type End = Option<(&'static str, Option<Side>)>;
    // Moves; then who wishes what; then the plies that are left, and how the game ended.
    type Row = (&'static str, &'static str, Vec<(usize, Act)>, usize, End);
    let rows: Vec<Row> = vec![
        ("my own last move", "h8 a1 h9", vec![(0, back.clone()), (1, yes(Offer::Takeback))], 2, None),
        ("theirs and mine", "h8 a1 h9 a2", vec![(0, back.clone()), (1, yes(Offer::Takeback))], 2, None),
        ("both ask: the first wish counts", "h8 a1 h9", vec![(0, back.clone()), (1, back.clone())], 2, None),
        ("declined", "h8 a1", vec![(1, back), (0, no(Offer::Takeback))], 2, None),
        ("taken back by who offered", "h8 a1", vec![(1, draw.clone()), (1, no(Offer::Draw))], 2, None),
        ("a draw", "h8", vec![(0, draw), (1, yes(Offer::Draw))], 1, Some(("draw-agreed", None))),
        ("resignation", "h8 a1", vec![(1, resign(None))], 2, Some(("resign", Some(Side::First)))),
        (
            "one cannot resign for the other",
            "h8",
            vec![(0, resign(Some(Side::Second)))],
            1,
            Some(("resign", Some(Side::Second))),
        ),
        ("an early end", "h8", vec![(1, Act::Abort)], 1, Some(("abort", None))),
        (
            "a declined takeback, asked again after a move",
            "h8 a1 h9",
            vec![
                (0, takeback.clone()),
                (1, no(Offer::Takeback)),
                (1, mv("a2")),
                (0, mv("h10")),
                (0, takeback),
                (1, yes(Offer::Takeback)),
            ],
            4,
            None,
        ),
    ];
    let house = House::open().await;
    for (name, before, acts, plies, end) in rows {
        let mut seats = house.pair(gomoku(How::Invite)).await;
        moves(&mut seats, before).await;
        for (who, act) in acts {
            done(&mut seats[who], act).await;
            level(&mut seats).await;
        }
        let found = seats[0].end.as_ref().map(|end| (end.reason.as_ref(), end.winner));
        assert_eq!((seats[0].record.len(), found), (plies, end), "{name}");
        let table = table_of(&seats[0]);
        for seat in &seats {
            shows_what_the_hall_tells(&house, &table, seat, name).await;
        }
    }
}

async fn shows_what_the_hall_tells(house: &House, table: &str, seat: &Seat, name: &str) {
    let ServerMessage::Full { v, view, record, end, offers, .. } = house.full(table).await else {
        panic!("full")
    };
    assert_eq!(seat.ver, v, "{name}");
    assert_eq!(seat.view.as_ref(), Some(&view), "{name}");
    assert_eq!((&seat.record, &seat.end, &seat.offers), (&record, &end, &offers), "{name}");
}

#[tokio::test]
async fn a_move_ends_offers_but_for_the_movers_own_draw() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    moves(&mut seats, "h8 a1").await;
    done(&mut seats[0], offer(Offer::Draw)).await;
    moves(&mut seats, "h9").await;
    assert_eq!(seats[1].offers, [(Side::First, Offer::Draw)], "an offer goes with a move");
    moves(&mut seats, "a2").await;
    assert_eq!(seats[0].offers, [], "the answer was a move");
    assert_eq!(refused(&mut seats[1], Act::Accept { what: Offer::Draw }).await, "no-such-offer");
}

#[tokio::test]
async fn seats_are_exchanged() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    moves(&mut seats, "h8").await;
    done(&mut seats[1], offer(Offer::Swap)).await;
    level(&mut seats).await;
    let v = done(&mut seats[0], Act::Accept { what: Offer::Swap }).await;
    while seats[0].you != [Side::Second] || seats[1].you != [Side::First] {
        let who = usize::from(seats[0].you == [Side::Second]);
        hear(&mut seats[who]).await;
    }
    level(&mut seats).await;
    assert_eq!(
        refused(&mut seats[1], mv("h9")).await,
        "not-your-turn",
        "the one who was White is Black, who has moved"
    );
    assert_eq!(done(&mut seats[0], mv("h9")).await, v + 1);
}

#[tokio::test]
async fn a_rematch_changes_sides() {
    let house = House::open().await;
    let mut seats = house.pair(CreateTable { room: Some("again".into()), ..gomoku(How::Room) }).await;
    assert_eq!(refused(&mut seats[0], offer(Offer::Rematch)).await, "game-goes-on");
    done(&mut seats[0], Act::Resign { side: None }).await;
    level(&mut seats).await;
    done(&mut seats[0], offer(Offer::Rematch)).await;
    level(&mut seats).await;
    done(&mut seats[1], Act::Accept { what: Offer::Rematch }).await;
    level(&mut seats).await;
    let next = seats[0].info.as_ref().and_then(|info| info.next.clone()).expect("a new table");
    assert_eq!(refused(&mut seats[0], offer(Offer::Rematch)).await, "rematch-is-on");
    let ServerMessage::Full { table, v, .. } = house.full(&next).await else { panic!("full") };
    let before = seats[0].info.as_ref().expect("known").seats.clone();
    assert_eq!(table.seats, [before[1].clone(), before[0].clone()]);
    assert_eq!((v, table.started, table.how), (2, true, How::Invite));
}

#[tokio::test]
async fn a_table_at_which_nobody_is_left_is_given_up() {
    let house = House::open().await;
    let guest = house.guest().await;
    let wish = CreateTable { room: Some("Back room".to_owned()), ..gomoku(How::Room) };
    let table = guest.open(&wish).await.expect("a table").id;
    let mut opener = Seat::new(guest, &table);
    hear(&mut opener).await;
    assert_eq!(opener.you, [Side::First]);
    done(&mut opener, Act::Leave).await;
    while !opener.you.is_empty() {
        hear(&mut opener).await;
    }
    assert_eq!(opener.end.as_ref().map(|end| (&*end.reason, end.void)), Some(("abort", true)));
    let mut other = Seat::new(house.guest().await, &table);
    assert_eq!(refused(&mut other, Act::Sit { side: None }).await, "game-over");
    house.guest().await.open(&wish).await.expect("the room's name is free again");
}

#[tokio::test]
async fn a_seat_is_not_left_once_the_game_has_begun() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    assert_eq!(refused(&mut seats[1], Act::Leave).await, "game-has-begun");
}

fn locked(how: How) -> CreateTable {
    CreateTable { game: "locked".to_owned(), options: std::collections::BTreeMap::new(), ..gomoku(how) }
}

#[tokio::test]
async fn a_choice_may_be_withdrawn_and_a_takeback_goes_back_a_whole_turn() {
    let house = House::open().await;
    let mut seats = house.pair(locked(How::Invite)).await;
    moves(&mut seats, "u l").await;
    assert_eq!(refused(&mut seats[0], Act::Withdraw).await, "nothing-to-withdraw", "a shift stays");
    moves(&mut seats, "c3").await;
    assert_eq!(refused(&mut seats[1], Act::Withdraw).await, "nothing-to-withdraw", "it is not theirs");
    done(&mut seats[0], Act::Withdraw).await;
    level(&mut seats).await;
    assert_eq!(refused(&mut seats[0], Act::Withdraw).await, "nothing-to-withdraw", "twice");
    moves(&mut seats, "d4").await;
    assert_eq!(seats[1].record.len(), 3);
    for _ in 0..2 {
        let view = seats[0].view.clone().expect("a board");
        let wire::Offered::Listed(offered) = view.moves else { panic!("listed") };
        moves(&mut seats, &offered[0].text).await;
    }
    assert_eq!(seats[0].view.as_ref().map(|view| view.turn), Some(Side::Second), "five steps are a turn");
    let v = done(&mut seats[0], offer(Offer::Takeback)).await;
    level(&mut seats).await;
    assert_eq!(done(&mut seats[1], Act::Accept { what: Offer::Takeback }).await, v + 1);
    level(&mut seats).await;
    let table = table_of(&seats[0]);
    assert_eq!(seats[0].record, [], "the whole turn");
    for seat in &seats {
        shows_what_the_hall_tells(&house, &table, seat, "after all").await;
    }
}

#[tokio::test]
async fn a_choice_that_lost_the_game_may_be_withdrawn_until_the_rematch() {
    // The stone in the corner cannot leave it.
    let fen = "bb10/b11/12/12/12/5b6/12/12/12/8wwww/12/12 b 3 - -";
    let house = House::open().await;
    let mut seats = house.pair(CreateTable { fen: Some(fen.to_owned()), ..locked(How::Invite) }).await;
    let (me, other) = (0, 1);
    let table = table_of(&seats[0]);
    for again in [false, true] {
        done(&mut seats[me], mv("a1")).await;
        level(&mut seats).await;
        assert!(seats[other].end.is_some(), "it loses");
        shows_what_the_hall_tells(&house, &table, &seats[other], "lost").await;
        if again {
            break;
        }
        assert_eq!(refused(&mut seats[other], Act::Withdraw).await, "nothing-to-withdraw");
        done(&mut seats[me], Act::Withdraw).await;
        level(&mut seats).await;
        assert_eq!(seats[other].end, None, "the game goes on");
        shows_what_the_hall_tells(&house, &table, &seats[other], "withdrawn").await;
    }
    done(&mut seats[other], offer(Offer::Rematch)).await;
    level(&mut seats).await;
    done(&mut seats[me], Act::Accept { what: Offer::Rematch }).await;
    assert_eq!(refused(&mut seats[me], Act::Withdraw).await, "nothing-to-withdraw", "another game is on");
}

#[tokio::test]
async fn on_one_screen_offers_are_done_at_once() {
    let house = House::open().await;
    let guest = house.guest().await;
    let table = guest.open(&gomoku(How::Screen)).await.expect("a table").id;
    let mut seat = Seat::new(guest.clone(), &table);
    hear(&mut seat).await;
    assert_eq!(seat.you, [Side::First, Side::Second]);
    for text in ["h8", "a1", "h9", "a2", "h10"] {
        done(&mut seat, mv(text)).await;
    }
    let back = |plies| Act::Offer { what: Offer::Takeback, plies };
    done(&mut seat, back(None)).await;
    assert_eq!(seat.record.len(), 4, "one ply");
    done(&mut seat, back(Some(3))).await;
    assert_eq!(seat.record.len(), 1);
    for plies in [0, 2, u32::MAX] {
        assert_eq!(refused(&mut seat, back(Some(plies))).await, "nothing-to-take-back", "{plies} plies");
    }
    done(&mut seat, offer(Offer::Swap)).await;
    done(&mut seat, offer(Offer::Draw)).await;
    assert_eq!(seat.end.as_ref().map(|end| end.reason.as_ref()), Some("draw-agreed"));
    done(&mut seat, back(Some(1))).await;
    assert_eq!(seat.end, None, "one person may think again, even after the end");
    done(&mut seat, Act::Resign { side: Some(Side::Second) }).await;
    assert_eq!(seat.end.as_ref().and_then(|end| end.winner), Some(Side::First));
    done(&mut seat, offer(Offer::Rematch)).await;
    let next = seat.info.as_ref().and_then(|info| info.next.clone()).expect("at once");
    let mut again = Seat::new(guest, &next);
    hear(&mut again).await;
    assert_eq!(again.you, [Side::First, Side::Second]);
    let mut other = Seat::new(house.guest().await, &table);
    assert_eq!(refused(&mut other, Act::Sit { side: None }).await, "game-over");
}

#[tokio::test]
async fn a_wish_sent_twice_is_done_once() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    let first = soon(seats[0].wish_as("the-same-wish", mv("h8"))).await.expect("kept");
    seats[0].cut();
    let again = soon(seats[0].wish_as("the-same-wish", mv("h8"))).await.expect("kept");
    assert_eq!((&first, &again), (&Answer::Done(3), &Answer::Done(3)));
    level(&mut seats).await;
    let [_, mut second] = seats;
    done(&mut second, mv("a1")).await;
    let moved = second.seen.iter().filter(|event| event.k == EventKind::Move).count();
    assert_eq!(moved, 2);
}
