//! The ids of commands: a client cannot use up a program's, or another person's.

use client::{Answer, Seat};
use wire::{CreateTable, EventKind, How, Offer, Opponent, ServerMessage};

use crate::house::{House, gomoku, level, mv, offer, soon, table_of};
async fn against_a_program(house: &House) -> Seat {
    let guest = house.guest().await;
    let wish = CreateTable { opponent: Some(Opponent::Level(1)), ..gomoku(How::Invite) };
    let table = guest.open(&wish).await.expect("a table").id;
    let mut seat = Seat::new(guest, &table);
    level(std::slice::from_mut(&mut seat)).await;
    seat
}

async fn plies(seat: &mut Seat, wanted: usize) {
    while seat.record.len() < wanted {
        soon(seat.hear()).await.expect("kept");
    }
}

/// A takeback offered under the id that the program's own answer used to have does not end the hall.
#[tokio::test]
async fn a_programs_answers_cannot_be_named_beforehand() {
    let house = House::open().await;
    let mut seat = against_a_program(&house).await;
    let v = seat.ver;
    let moved = soon(seat.wish_as(&format!("engine-declines-{}", v + 3), mv("h8"))).await.expect("kept");
    assert!(matches!(moved, Answer::Done(_)));
    plies(&mut seat, 2).await;
    for n in 0..6 {
        let name = format!("engine-agrees-{}", seat.ver + n);
        let _ = soon(seat.wish_as(&name, offer(Offer::Takeback))).await.expect("kept");
    }
    while !seat.offers.is_empty() {
        soon(seat.hear()).await.expect("kept");
    }
    let again = house.full(&table_of(&seat)).await;
    assert!(matches!(again, ServerMessage::Full { .. }), "the table is there");
    assert!(seat.seen.iter().any(|event| event.k == EventKind::Takeback), "and the program agreed");
}

/// A move under the id of the program's next move does not count as that move.
#[tokio::test]
async fn a_programs_move_cannot_be_named_beforehand() {
    let house = House::open().await;
    let mut seat = against_a_program(&house).await;
    for (n, text) in ["a1", "c3", "a5", "c7"].into_iter().enumerate() {
        let name = format!("engine-move-{}", seat.ver + 1);
        match soon(seat.wish_as(&name, mv(text))).await.expect("kept") {
            Answer::Done(_) => plies(&mut seat, 2 * n + 2).await,
            Answer::Refused(why) => {
                assert_eq!(why.key, "point-occupied", "the program may have taken the cell");
                return;
            }
        }
    }
}

/// Two people may choose the same id for their commands.
#[tokio::test]
async fn two_people_may_choose_one_name() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    for (i, text) in ["h8", "a1"].into_iter().enumerate() {
        let done = soon(seats[i].wish_as("the-same-name", mv(text))).await.expect("kept");
        assert_eq!(done, Answer::Done(3 + i as u64));
        level(&mut seats).await;
    }
    let again = soon(seats[0].wish_as("the-same-name", mv("h9"))).await.expect("kept");
    assert_eq!(again, Answer::Done(3), "one's own is done once");
}

/// A command is still answered as done long after it, and after the hall was restarted.
#[tokio::test]
async fn what_was_done_long_ago_is_known() {
    let mut house = House::open().await;
    let guest = house.guest().await;
    let table = guest.open(&gomoku(How::Screen)).await.expect("a table").id;
    let mut seat = Seat::new(guest.clone(), &table);
    level(std::slice::from_mut(&mut seat)).await;
    let done = soon(seat.wish_as("long-ago", mv("h8"))).await.expect("kept");
    for i in 0..40_u8 {
        let text = format!("{}{}", char::from(b'a' + i % 15), 1 + i / 15 * 2 + i % 2 * 6);
        soon(seat.wish(mv(&text))).await.expect("kept");
    }
    let Answer::Done(v) = done else { panic!("{done:?}") };
    assert_eq!(asked_again(&guest, &table).await, Ok(v));
    house.restart().await;
    let guest = client::Guest::known(&house.base, guest.secret()).await.expect("is known");
    assert_eq!(asked_again(&guest, &table).await, Ok(v));
}

async fn asked_again(guest: &client::Guest, table: &str) -> Result<u64, String> {
    let mut line = guest.connect(table, None).await.expect("opens");
    crate::house::say(&mut line, "long-ago", 2, mv("h8")).await;
    crate::house::until(&mut line, |m| match m {
        ServerMessage::Ok { cmd, v } if cmd == "long-ago" => Some(Ok(v)),
        ServerMessage::No { cmd, why } if cmd == "long-ago" => Some(Err(why.key.into_owned())),
        _ => None,
    })
    .await
}

/// A page that came by a link opens its WebSocket first: the person who sits down there is known again when the
/// connection is lost.
#[tokio::test]
async fn whoever_sits_down_is_known_again() {
    use tokio_tungstenite::tungstenite::client::IntoClientRequest;
    let house = House::open().await;
    let table = house.guest().await.open(&gomoku(How::Invite)).await.expect("a table").id;
    let cookie = format!("qiguan={}", "k".repeat(32));
    for (ver, sits) in [(1, true), (2, false)] {
        let url = format!("{}/ws?table={table}", house.base.replacen("http", "ws", 1));
        let mut request = url.into_client_request().expect("an address");
        request.headers_mut().insert("cookie", cookie.parse().expect("a cookie"));
        let (mut socket, _) = soon(tokio_tungstenite::connect_async(request)).await.expect("opens");
        if sits {
            let wish = format!(r#"{{"t":"do","cmd":"sitting-down","ver":{ver},"act":{{"k":"sit"}}}}"#);
            soon(futures_util::SinkExt::send(
                &mut socket,
                tokio_tungstenite::tungstenite::Message::Text(wish.into()),
            ))
            .await
            .expect("is heard");
        }
        let wanted = if sits { r#""k":"sit""# } else { r#""you":["second"]"# };
        loop {
            let message =
                soon(futures_util::StreamExt::next(&mut socket)).await.expect("open").expect("a message");
            if message.to_text().is_ok_and(|text| text.contains(wanted)) {
                break;
            }
        }
    }
}
