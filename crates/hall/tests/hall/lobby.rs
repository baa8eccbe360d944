//! Tables that wait, games to watch, rooms by name.

use client::Seat;
use edge::limits::Limits;
use futures_util::StreamExt;
use wire::{Act, ClockSpec, CreateTable, How, PlayNow, PoolLine, ServerMessage, Tables};

use crate::house::{House, PATIENCE, done, gomoku, hear, serve, soon};

async fn lobby(house: &House) -> Tables {
    soon(house.get("/api/tables").await.text())
        .await
        .map(|text| serde_json::from_str(&text).expect("tables"))
        .expect("text")
}

/// Listens in the lobby until it shows what `wanted` accepts.
async fn until_shown(house: &House, wanted: impl Fn(&Tables) -> bool) {
    let url = format!("{}/ws/lobby", house.base.replacen("http", "ws", 1));
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await.expect("opens");
    let shown = async {
        while let Some(Ok(message)) = socket.next().await {
            let Ok(text) = message.into_text() else { continue };
            if let Ok(ServerMessage::Lobby { open, live, .. }) = serde_json::from_str(&text)
                && wanted(&Tables { open, live })
            {
                return;
            }
        }
        panic!("the lobby closed");
    };
    tokio::time::timeout(PATIENCE, shown).await.expect("is shown before long");
}

#[tokio::test]
async fn an_open_table_is_listed_while_its_opener_is_there() {
    let house = House::open().await;
    let guest = house.guest().await;
    let table = guest.open(&gomoku(How::Open)).await.expect("a table").id;
    assert_eq!(lobby(&house).await.open, [], "nobody waits there yet");
    let mut opener = Seat::new(guest, &table);
    hear(&mut opener).await;
    until_shown(&house, |t| t.open.iter().any(|line| line.id == table)).await;
    opener.cut();
    until_shown(&house, |t| t.open.is_empty()).await;
    hear(&mut opener).await;
    until_shown(&house, |t| t.open.len() == 1).await;
    let mut other = Seat::new(house.guest().await, &table);
    done(&mut other, Act::Sit { side: None }).await;
    until_shown(&house, |t| t.open.is_empty() && t.live.iter().any(|line| line.id == table)).await;
    done(&mut other, Act::Resign { side: None }).await;
    until_shown(&house, |t| *t == Tables { open: Vec::new(), live: Vec::new() }).await;
}

/// A slow table stays in the lobby when its opener leaves, and after a restart.
#[tokio::test]
async fn a_slow_table_waits_without_its_opener_until_it_is_taken_or_withdrawn() {
    let mut house = House::open().await;
    let clock = wire::ClockSpec::per_move(3 * 86_400_000);
    let ann = house.guest().await;
    let mut tables = Vec::new();
    for _ in 0..2 {
        let table = ann.open(&CreateTable { clock, ..gomoku(How::Open) }).await.expect("a table").id;
        let mut opener = Seat::new(ann.clone(), &table);
        hear(&mut opener).await;
        drop(opener);
        soon(async {
            while !matches!(house.full(&table).await, ServerMessage::Full { here: [false, false], .. }) {
                tokio::task::yield_now().await;
            }
        })
        .await;
        tables.push(table);
    }
    let fast = ann.open(&gomoku(How::Open)).await.expect("a table").id;
    let open = async |house: &House| {
        lobby(house).await.open.into_iter().map(|line| line.id).collect::<std::collections::BTreeSet<_>>()
    };
    let both: std::collections::BTreeSet<String> = tables.iter().cloned().collect();
    assert_eq!(open(&house).await, both, "nobody is there, and {fast} waits for its opener");
    house.restart().await;
    assert_eq!(open(&house).await, both, "after a restart");
    let mut bob = Seat::new(house.guest().await, &tables[0]);
    done(&mut bob, Act::Sit { side: None }).await;
    let ann = client::Guest::known(&house.base, ann.secret()).await.expect("is known");
    done(&mut Seat::new(ann, &tables[1]), Act::Leave).await;
    drop(bob);
    until_shown(&house, |shown| shown.open.is_empty()).await;
    house.restart().await;
    assert_eq!(open(&house).await, [].into());
}

/// Sends a request for any opponent, or withdraws it.
async fn seek(house: &House, guest: &client::Guest, wish: Option<&PlayNow>) {
    let url = format!("{}/api/pool", house.base);
    let request = match wish {
        Some(wish) => house.http.post(url).json(wish),
        None => house.http.delete(url),
    };
    let answer = request.bearer_auth(guest.secret()).send().await.expect("answers");
    assert!(answer.status().is_success(), "{}", answer.status());
}

#[tokio::test]
async fn who_waits_for_an_opponent_is_told_by_game_and_time() {
    let house = House::open().await;
    let url = format!("{}/ws/lobby", house.base.replacen("http", "ws", 1));
    let (mut socket, _) = tokio_tungstenite::connect_async(url.clone()).await.expect("opens");
    let mut known = Vec::new();
    let mut until_waiting = async |wanted: &[PoolLine]| {
        let told = async {
            while known != wanted {
                let message = socket.next().await.expect("goes on").expect("a message");
                match message.into_text().ok().and_then(|text| serde_json::from_str(&text).ok()) {
                    Some(ServerMessage::Lobby { pools, .. }) => known = pools,
                    Some(ServerMessage::LobbyChange { pools: Some(pools), .. }) => known = pools,
                    _ => {}
                }
            }
        };
        tokio::time::timeout(PATIENCE, told).await.expect("is told before long");
    };
    let clock = ClockSpec::Fischer { base_ms: 300_000, increment_ms: 3_000 };
    let game = "gomoku/standard".to_owned();
    let wish = PlayNow { game: game.clone(), map: None, options: [].into(), clock, rated: false };
    let line = PoolLine { game, clock, rated: false, waiting: 1 };
    let [ann, bob] = [house.guest().await, house.guest().await];
    // A board of another size is another game, which nobody who sees the time would get.
    seek(&house, &bob, Some(&PlayNow { options: [("size".to_owned(), 12)].into(), ..wish.clone() })).await;
    seek(&house, &ann, Some(&wish)).await;
    until_waiting(std::slice::from_ref(&line)).await;
    let (mut later, _) = tokio_tungstenite::connect_async(url).await.expect("opens");
    let first = later.next().await.expect("goes on").expect("a message").into_text().expect("text");
    let Ok(ServerMessage::Lobby { pools, .. }) = serde_json::from_str(&first) else { panic!("{first}") };
    assert_eq!(pools, [line], "who comes later is told, too");
    seek(&house, &ann, None).await;
    until_waiting(&[]).await;
}

#[tokio::test]
async fn invited_people_are_not_listed() {
    let house = House::open().await;
    let _seats = house.pair(gomoku(How::Invite)).await;
    let tables = lobby(&house).await;
    assert_eq!((tables.open, tables.live), (Vec::new(), Vec::new()));
}

#[tokio::test]
async fn a_room_is_found_by_its_name_until_its_game_ends() {
    let mut house = House::open().await;
    let wish = CreateTable { room: Some("  the   Tea house ".into()), ..gomoku(How::Room) };
    let guest = house.guest().await;
    let table = guest.open(&wish).await.expect("a room").id;
    for name in ["the%20Tea%20house", "%20the%20%20Tea%20house"] {
        let found = guest.get(&format!("/api/rooms/{name}")).await.expect("is found");
        assert_eq!(found["id"], table.as_str(), "{name}");
    }
    let second = house.guest().await;
    let Err(client::Error::Refused(why)) = second.open(&wish).await else { panic!("opened twice") };
    assert_eq!((why.key.as_ref(), why.args["room"].as_str()), ("room-taken", "the Tea house"));
    house.restart().await;
    let open = lobby(&house).await.open;
    assert_eq!(
        open.iter().map(|line| &line.id).collect::<Vec<_>>(),
        [&table],
        "a room may be entered any time"
    );
    let mut other = Seat::new(house.guest().await, &table);
    done(&mut other, Act::Sit { side: None }).await;
    assert!(house.guest().await.open(&wish).await.is_err(), "its game is on");
    done(&mut other, Act::Resign { side: None }).await;
    let next = house.guest().await.open(&wish).await.expect("the name is free").id;
    assert_ne!(next, table);
    assert_eq!(
        house.guest().await.get("/api/rooms/the%20Tea%20house").await.expect("is found")["id"],
        next.as_str()
    );
    assert_eq!(soon(house.get("/api/rooms/elsewhere")).await.status(), 404);
}

#[tokio::test]
async fn one_finds_ones_unfinished_games() {
    let house = House::open().await;
    let guest = house.guest().await;
    let first = guest.open(&gomoku(How::Invite)).await.expect("a table").id;
    let second = guest.open(&gomoku(How::Screen)).await.expect("a table").id;
    let playing = async |guest: &client::Guest| {
        let me: wire::Me = serde_json::from_value(guest.get("/api/me").await.expect("me")).expect("me");
        me.playing.into_iter().map(|line| line.id).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(playing(&guest).await, [first.clone(), second.clone()].into());
    let mut seat = Seat::new(guest.clone(), &second);
    done(&mut seat, Act::Resign { side: None }).await;
    assert_eq!(playing(&guest).await, [first].into());
    assert_eq!(playing(&house.guest().await).await, [].into());
}

#[tokio::test]
async fn a_hall_without_room_says_so_in_the_lobby_and_at_tables_until_it_has_some() {
    let mut house = House::open().await;
    let guest = house.guest().await;
    let table = guest.open(&gomoku(How::Open)).await.expect("a table").id;
    house.running.take().expect("is open").stop().await;
    // No disk is that large.
    let limits = Limits { free_disk_bytes: u64::MAX, ..Limits::default() };
    let running = serve(house.data.path(), limits).await.expect("opens");
    house.base = format!("http://{}", running.address);
    house.running = Some(running);

    let low = |trouble: &Option<wire::Problem>| trouble.as_ref().is_some_and(|why| why.key == "disk-low");
    let url = format!("{}/ws/lobby", house.base.replacen("http", "ws", 1));
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await.expect("opens");
    let told = async {
        while let Some(Ok(message)) = socket.next().await {
            let Ok(text) = message.into_text() else { continue };
            if let Ok(ServerMessage::Storage { trouble }) = serde_json::from_str(&text) {
                return trouble;
            }
        }
        panic!("the lobby closed");
    };
    let trouble = tokio::time::timeout(PATIENCE, told).await.expect("the lobby is told");
    assert!(low(&trouble), "{trouble:?}");

    let mut seat = Seat::new(house.guest().await, &table);
    while !low(&seat.trouble) {
        hear(&mut seat).await;
    }
    house.restart().await;
    let mut seat = Seat::new(house.guest().await, &table);
    hear(&mut seat).await;
    assert_eq!(seat.trouble, None, "there is room again");
}
