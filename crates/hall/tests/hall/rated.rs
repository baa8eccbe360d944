//! Rated games between accounts, their stored rows, and public access to these.

use std::collections::BTreeMap;

use client::{Error, Guest, Seat};
use edge::limits::Limits;
use people::Secret;
use serde_json::{Value, json};
use store::{NewPerson, Store, StoredPersonKind};
use wire::{
    Act, ClockSpec, CreateTable, GameLine, GameTally, GamesPage, How, Offer, Opponent, PlayNow, Profile,
    ProfileKind, Side,
};

use crate::accounts::Person;
use crate::house::{House, done, gomoku, level, moves, mv, offer, refused, serve, soon, table_of};

const BLITZ: ClockSpec = ClockSpec::Fischer { base_ms: 180_000, increment_ms: 2_000 };

/// Opens a hall where these people have accounts, and enters them.
pub async fn with_accounts<const N: usize>(names: [&str; N]) -> (House, [Guest; N]) {
    let data = tempfile::tempdir().expect("a folder");
    let store = Store::open(data.path()).await.expect("opens");
    let secrets: Vec<Secret> = names.iter().map(|_| Secret::new()).collect();
    for (name, secret) in names.iter().zip(&secrets) {
        let account = NewPerson {
            id: format!("{}0000", name.to_lowercase()),
            kind: StoredPersonKind::Account,
            name: Some((*name).to_owned()),
            folded: Some(people::name::fold(name)),
            hash: secret.hash(),
            label: None,
            made_ms: 1_000,
        };
        store.people.enroll(account).await.expect("stored");
    }
    store.condition.close().await;
    let running = serve(data.path(), Limits { on: false, ..Limits::default() }).await.expect("opens");
    let base = format!("http://{}", running.address);
    let mut guests = Vec::new();
    for secret in &secrets {
        guests.push(Guest::known(&base, secret.reveal()).await.expect("is known"));
    }
    let house = House {
        running: Some(running),
        data,
        base,
        http: reqwest::Client::new(),
        mail: None,
        openid: None,
        limits: Limits::default(),
    };
    (house, guests.try_into().unwrap_or_else(|_| unreachable!("as many as names")))
}

fn rated(game: &str) -> CreateTable {
    let (game, options) = (game.to_owned(), BTreeMap::new());
    CreateTable { game, options, clock: BLITZ, rated: true, side: Some(Side::First), ..gomoku(How::Invite) }
}

async fn why(opened: Result<wire::Created, Error>) -> String {
    match opened {
        Err(Error::Refused(why)) => why.key.into_owned(),
        other => panic!("{other:?}"),
    }
}

/// Both sit down at that table of the first.
async fn pair(people: [&Guest; 2], wish: &CreateTable) -> [Seat; 2] {
    let table = people[0].open(wish).await.expect("a table").id;
    let mut seats = people.map(|guest| Seat::new(guest.clone(), &table));
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    seats
}

async fn json<T: serde::de::DeserializeOwned>(house: &House, path: &str) -> T {
    let answer = house.get(path).await;
    assert_eq!(answer.status(), 200, "{path}");
    answer.json().await.expect("what it should be")
}

#[tokio::test]
async fn who_may_open_and_join_a_rated_table() {
    let (house, [ann, bob]) = with_accounts(["Ann", "Bob"]).await;
    let guest = house.guest().await;
    let usual = || rated("xiangqi");
    for (what, who, wish, key) in [
        ("a guest", &guest, usual(), "rated-needs-account"),
        ("no clock", &ann, CreateTable { clock: ClockSpec::None, ..usual() }, "rated-not-usual"),
        ("a program", &ann, CreateTable { opponent: Some(Opponent::Level(1)), ..usual() }, "rated-not-usual"),
        ("one screen", &ann, CreateTable { how: How::Screen, ..usual() }, "rated-not-usual"),
        (
            "another limit",
            &ann,
            CreateTable { options: BTreeMap::from([("move-limit".to_owned(), 7)]), ..usual() },
            "rated-not-usual",
        ),
    ] {
        assert_eq!(why(soon(who.open(&wish)).await).await, key, "{what}");
    }
    let table = ann.open(&usual()).await.expect("a table").id;
    let mut stranger = Seat::new(guest, &table);
    assert_eq!(refused(&mut stranger, Act::Sit { side: None }).await, "rated-needs-account");
    let mut seat = Seat::new(bob.clone(), &table);
    done(&mut seat, Act::Sit { side: None }).await;
    assert!(seat.info.as_ref().expect("known").rated);
    // While it runs, no program plays the same game with them: it would answer their opponent's moves.
    let with_program = CreateTable { opponent: Some(Opponent::Level(1)), rated: false, ..usual() };
    assert_eq!(why(soon(bob.open(&with_program)).await).await, "rated-game-runs");
    bob.open(&CreateTable { game: "gomoku/renju".to_owned(), ..with_program.clone() })
        .await
        .expect("another game");
    done(&mut seat, Act::Resign { side: None }).await;
    bob.open(&with_program).await.expect("it is over");
}

/// A table with a program that was open before a rated game began gives no more help until it ends.
#[tokio::test]
async fn what_was_open_before_a_rated_game_helps_no_more_until_it_ends() {
    let (_house, [ann, bob]) = with_accounts(["Ann", "Bob"]).await;
    let with_program = CreateTable { opponent: Some(Opponent::Level(1)), rated: false, ..rated("xiangqi") };
    let open = CreateTable { clock: ClockSpec::None, ..with_program };
    let table = ann.open(&open).await.expect("opens").id;
    let other = ann.open(&CreateTable { game: "gomoku/renju".to_owned(), ..open.clone() }).await;
    let other = other.expect("opens").id;
    let hint = async |table: &str| match soon(ann.post(&["api", "tables", table, "hint"], &())).await {
        Ok(_) => "a hint".to_owned(),
        Err(Error::Refused(why)) => why.key.into_owned(),
        Err(other) => panic!("{other}"),
    };
    assert_eq!(hint(&table).await, "a hint");
    let mut seats = pair([&ann, &bob], &rated("xiangqi")).await;
    assert_eq!(hint(&table).await, "rated-game-runs");
    assert_eq!(hint(&other).await, "a hint", "another game");
    let mut casual = Seat::new(ann.clone(), &table);
    done(&mut casual, mv("h2e2")).await;
    // A program of level 1 answers after a third of a second. However slow the machine is, this does not fail wrongly.
    let answered = tokio::time::timeout(std::time::Duration::from_secs(2), async {
        while casual.record.len() < 2 {
            let _ = casual.hear().await;
        }
    });
    assert!(answered.await.is_err(), "the program answered: {:?}", casual.record);
    done(&mut seats[1], Act::Resign { side: None }).await;
    soon(async {
        while casual.record.len() < 2 {
            let _ = casual.hear().await;
        }
    })
    .await;
    assert_eq!(hint(&table).await, "a hint");
}

#[tokio::test]
async fn a_rated_game_from_the_first_move_to_two_ratings() {
    let (house, [ann, bob]) = with_accounts(["Ann", "Bob"]).await;
    let mut seats = pair([&ann, &bob], &rated("xiangqi")).await;
    for act in [offer(Offer::Takeback), offer(Offer::Swap)] {
        assert_eq!(refused(&mut seats[0], act).await, "not-in-a-rated-game");
    }
    moves(&mut seats, "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7").await;
    assert_eq!(refused(&mut seats[0], offer(Offer::Takeback)).await, "not-in-a-rated-game");
    assert_eq!(refused(&mut seats[0], Act::Abort).await, "too-late-to-abort");
    done(&mut seats[1], Act::Resign { side: None }).await;
    let table = table_of(&seats[0]);

    let profile: Profile = json(&house, "/api/people/ANN").await;
    assert_eq!(
        (profile.player.id.as_str(), profile.kind, profile.since_ms),
        ("ann0000", ProfileKind::Account, 1_000)
    );
    let [rating] = &profile.ratings[..] else { panic!("one: {:?}", profile.ratings) };
    assert_eq!((rating.game.as_str(), rating.speed.as_str(), rating.games), ("xiangqi", "blitz", 1));
    assert!(rating.rating > 1600 && rating.provisional, "{rating:?}");
    assert_eq!(rating.curve.iter().map(|point| point.1).collect::<Vec<_>>(), [rating.rating]);
    let xiangqi = |wins, losses| GameTally { game: "xiangqi".to_owned(), wins, draws: 0, losses };
    assert_eq!(profile.tally, [xiangqi(1, 0)]);
    let other: Profile = json(&house, "/api/people/bob0000").await;
    assert_eq!(other.tally, [xiangqi(0, 1)]);
    assert_eq!(other.ratings[0].rating, 3000 - rating.rating, "what one has won the other has lost");

    let page: GamesPage =
        json(&house, "/api/people/ann/games?rated=true&result=win&opponent=Bob&side=first").await;
    let [game] = &page.games[..] else { panic!("one: {page:?}") };
    assert_eq!((&game.id, game.plies, &*game.outcome.reason), (&table, 6, "resign"));
    let steps = game.ratings.expect("is rated");
    assert_eq!((steps[0].before, steps[0].after), (1500, rating.rating));
    assert_eq!(page.next, None);
    let tally: Vec<GameTally> = json(&house, "/api/people/ann/against/bob").await;
    assert_eq!(tally, [xiangqi(1, 0)]);
}

#[tokio::test]
async fn casual_games_of_guests_are_remembered_in_pages() {
    let house = House::open().await;
    let (ann, bob) = (house.guest().await, house.guest().await);
    for n in 0..5 {
        let mut seats =
            pair([&ann, &bob], &CreateTable { side: Some(Side::First), ..gomoku(How::Invite) }).await;
        moves(&mut seats, "h8 a1").await;
        done(&mut seats[n % 2], Act::Resign { side: None }).await;
    }
    let who = &ann.player.id;
    let (mut ids, mut after) = (Vec::new(), String::new());
    loop {
        let page: GamesPage = json(&house, &format!("/api/people/{who}/games?most=2{after}")).await;
        ids.extend(page.games.iter().map(|game| game.id.clone()));
        let Some(next) = page.next else { break };
        after = format!("&after={next}");
    }
    ids.dedup();
    assert_eq!(ids.len(), 5, "each once");
    let lost: GamesPage = json(&house, &format!("/api/people/{who}/games?result=loss&speed=blitz")).await;
    assert_eq!(lost.games, [], "they had no clock");
    let lost: GamesPage = json(&house, &format!("/api/people/{who}/games?result=loss")).await;
    assert_eq!(lost.games.len(), 3);
    assert!(lost.games.iter().all(|game| game.ratings.is_none() && game.players[0].id == *who));
    let profile: Profile = json(&house, &format!("/api/people/{who}")).await;
    assert_eq!((profile.kind, profile.ratings, profile.playing), (ProfileKind::Guest, vec![], vec![]));
}

#[tokio::test]
async fn all_games_come_as_one_file() {
    let house = House::open().await;
    let (ann, bob) = (house.guest().await, house.guest().await);
    let wish = |game: &str| {
        let (game, options) = (game.to_owned(), BTreeMap::new());
        CreateTable { game, options, side: Some(Side::First), ..gomoku(How::Invite) }
    };
    for (game, text) in [
        ("xiangqi", "h2e2 h9g7"),
        ("gomoku/renju", "h8 h9 j9"),
        ("draughts/international", "32-28"),
        ("xiangqi", "b2e2"),
    ] {
        let mut seats = pair([&ann, &bob], &wish(game)).await;
        moves(&mut seats, text).await;
        done(&mut seats[0], Act::Resign { side: None }).await;
    }
    let who = &ann.player.id;
    let lines = house.get(&format!("/api/people/{who}/export")).await;
    assert_eq!(lines.headers()["content-type"], "application/x-ndjson");
    let text = lines.text().await.expect("a text");
    let games: Vec<GameLine> = text.lines().map(|line| serde_json::from_str(line).expect("a game")).collect();
    assert_eq!(games.len(), 4);
    let last: serde_json::Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    assert_eq!(last["moves"], serde_json::json!([["b2e2", null]]));
    for (format, most, found) in [("pgn", 2, "[Result "), ("pdn", 1, "[Result "), ("sgf", 1, "(;")] {
        let file = house
            .get(&format!("/api/people/{who}/export?format={format}"))
            .await
            .text()
            .await
            .expect("a text");
        assert_eq!(file.matches(found).count(), most, "{format}: {file}");
        let read = records::read(records::Format::keyed(format).expect("a format"), file.as_bytes());
        assert!(read.is_ok(), "{format}: {file}");
    }
}

#[tokio::test]
async fn what_does_not_make_sense_is_refused() {
    let (house, [_ann]) = with_accounts(["Ann"]).await;
    for (path, status, key) in [
        ("/api/people/nobody", 404, "no-such-person"),
        ("/api/people/nobody/games", 404, "no-such-person"),
        ("/api/people/ann/against/nobody", 404, "no-such-person"),
        ("/api/people/nobody/export", 404, "no-such-person"),
        ("/api/people/ann/games?result=maybe", 400, "bad-query"),
        ("/api/people/ann/games?speed=hyper", 400, "bad-query"),
        ("/api/people/ann/games?after=yesterday", 400, "bad-query"),
        ("/api/people/ann/games?side=third", 400, "bad-query"),
        ("/api/people/ann/games?since=-1", 400, "bad-query"),
        ("/api/people/ann/games?opponent=", 400, "bad-query"),
        ("/api/people/ann/export?format=docx", 400, "unknown-format"),
    ] {
        let answer = house.get(path).await;
        assert_eq!(answer.status(), status, "{path}");
        let body: serde_json::Value = answer.json().await.expect("JSON");
        assert_eq!(body["error"]["key"], key, "{path}");
    }
    let long = "x".repeat(5000);
    assert_eq!(house.get(&format!("/api/people/{long}")).await.status(), 404);
    assert_eq!(house.get("/api/people/ann/games?most=0").await.status(), 200);
    assert_eq!(house.get("/api/people/ann/games?most=4000000000").await.status(), 200);
    // A name that SQL could misread is a name.
    assert_eq!(house.get("/api/people/'%20OR%201=1%20--").await.status(), 404);
}

async fn play_now(house: &House, guest: &Guest, wish: &PlayNow) -> (u16, serde_json::Value) {
    let body = serde_json::to_string(wish).expect("plain data");
    let request = house.http.post(format!("{}/api/pool", house.base)).bearer_auth(guest.secret());
    let answer = request.header("content-type", "application/json").body(body).send().await.expect("answers");
    (answer.status().as_u16(), answer.json().await.expect("JSON"))
}

/// Asks for both in turns until both get the same table. A slow machine does no harm: a person who was away for long
/// asks again.
async fn paired(house: &House, people: [&Guest; 2], wish: &PlayNow) -> String {
    soon(async {
        loop {
            let (_, one) = play_now(house, people[0], wish).await;
            let (_, other) = play_now(house, people[1], wish).await;
            if let (Some(one), Some(other)) = (one["table"].as_str(), other["table"].as_str()) {
                assert_eq!(one, other);
                return one.to_owned();
            }
        }
    })
    .await
}

#[tokio::test]
async fn who_wants_to_play_at_once_meets_who_wants_the_same() {
    let (house, [ann, bob]) = with_accounts(["Ann", "Bob"]).await;
    let (cid, dan) = (house.guest().await, house.guest().await);
    let casual = PlayNow {
        game: "xiangqi".to_owned(),
        map: None,
        options: BTreeMap::new(),
        clock: BLITZ,
        rated: false,
    };
    let rated = PlayNow { rated: true, ..casual.clone() };
    for (what, who, wish, key) in [
        ("a guest, rated", &cid, rated.clone(), "rated-needs-account"),
        ("without a clock", &ann, PlayNow { clock: ClockSpec::None, ..rated.clone() }, "rated-not-usual"),
        ("on a map", &ann, PlayNow { game: "jingbanqi".to_owned(), ..casual.clone() }, "map-needed"),
        ("an unknown game", &ann, PlayNow { game: "go".to_owned(), ..casual.clone() }, "unknown-game"),
    ] {
        let (status, body) = play_now(&house, who, &wish).await;
        assert_eq!((status, body["error"]["key"].as_str()), (400, Some(key)), "{what}");
    }
    // Rated and casual are two queues, and no player is paired with themselves.
    for (who, wish) in [(&ann, &rated), (&cid, &casual), (&ann, &rated)] {
        let (status, told) = play_now(&house, who, wish).await;
        assert_eq!((status, told["table"].is_null()), (200, true), "{told}");
    }
    let table = paired(&house, [&ann, &cid], &casual).await;
    let (_, told) = play_now(&house, &bob, &rated).await;
    assert!(told["table"].is_null(), "Ann plays already: {told}");
    let mut seat = Seat::new(cid.clone(), &table);
    done(&mut seat, Act::Resign { side: None }).await;
    // After that game, she wants another.
    let table = paired(&house, [&ann, &bob], &rated).await;
    let mut seats = [Seat::new(ann.clone(), &table), Seat::new(bob.clone(), &table)];
    level(&mut seats).await;
    let info = seats[0].info.clone().expect("known");
    assert!(info.rated && info.started && seats[0].you.len() == 1 && seats[0].you != seats[1].you);
    let leave = async |who: &Guest| {
        let request = house.http.delete(format!("{}/api/pool", house.base)).bearer_auth(who.secret());
        let answer = request.send().await.expect("answers");
        (answer.status().as_u16(), answer.text().await.expect("text"))
    };
    assert_eq!(leave(&dan).await, (204, String::new()), "who waits nowhere may leave");
    // Who stops waiting before they hear of the pair is told where the other one sits.
    assert_eq!(leave(&bob).await, (200, format!(r#"{{"table":"{table}"}}"#)));
    done(&mut seats[0], Act::Resign { side: None }).await;
    assert_eq!(leave(&bob).await.0, 204, "that game is over");
}

/// Ratings survive a restart of the hall.
#[tokio::test]
async fn ratings_outlive_the_hall() {
    let (mut house, [ann, bob]) = with_accounts(["Ann", "Bob"]).await;
    let mut seats = pair([&ann, &bob], &rated("gomoku/renju")).await;
    moves(&mut seats, "h8 a1 o15 a3 a15 o1").await;
    let (secret_a, secret_b) = (ann.secret().to_owned(), bob.secret().to_owned());
    house.restart().await;
    let ann = Guest::known(&house.base, &secret_a).await.expect("is known");
    let bob = Guest::known(&house.base, &secret_b).await.expect("is known");
    let mut seat = Seat::new(bob.clone(), &table_of(&seats[0]));
    done(&mut seat, Act::Resign { side: None }).await;
    let before: Profile = json(&house, "/api/people/bob").await;
    house.restart().await;
    assert_eq!(json::<Profile>(&house, "/api/people/bob").await, before);
    let ann = Guest::known(&house.base, ann.secret()).await.expect("is known");
    let bob = Guest::known(&house.base, bob.secret()).await.expect("is known");
    let mut seats = pair([&bob, &ann], &rated("gomoku/renju")).await;
    moves(&mut seats, "h8 a1 o15 a3 a15 o1").await;
    done(&mut seats[1], Act::Resign { side: None }).await;
    let after: Profile = json(&house, "/api/people/bob").await;
    assert!(after.ratings[0].rating > before.ratings[0].rating && after.ratings[0].games == 2);
}

/// A person's fair play record is shown to moderators alone; the hall judges the games for them and gives only
/// figures.
#[tokio::test]
async fn moderators_see_how_somebody_has_played() {
    let mut house = House::open().await;
    let mut secrets = Vec::new();
    for name in ["Ann", "Bob", "Meg"] {
        secrets.push(Person::account(&house, name).await.0.secret);
    }
    let meg = Person::with(&house, &secrets[2]).id().await;
    house
        .stored(async |store| {
            crate::staff::give(store, &meg, people::account::Role::Moderator).await;
        })
        .await;
    let known = async |i: usize| Guest::known(&house.base, &secrets[i]).await.expect("is known");
    let (ann, bob) = (known(0).await, known(1).await);
    let [bob_asks, meg_asks] = [1, 2].map(|i| Person::with(&house, &secrets[i]));
    let play = "/api/moderation/play/ann";
    let (_, none) = meg_asks.post(play, Value::Null).await;
    assert_eq!((&none["games"], &none["own"]), (&json!([]), &Value::Null));

    let mut seats = pair([&ann, &bob], &rated("xiangqi")).await;
    let plies = "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3 c3c4 g6g5 b0c2 b9c7 b2b4 c9e7 a0a2 a9b9 a2b2 d9e8";
    for (ply, text) in plies.split(' ').enumerate() {
        // Ann leaves the page in two of her turns.
        let act = Act::Move { text: text.to_owned(), away: [4, 8].contains(&ply) };
        done(&mut seats[ply % 2], act).await;
        level(&mut seats).await;
    }
    // A game under way is not shown to moderators.
    assert_eq!(meg_asks.post(play, Value::Null).await.1["games"], json!([]));
    done(&mut seats[1], Act::Resign { side: None }).await;

    assert_eq!(crate::accounts::refused(&bob_asks.post(play, Value::Null).await), (403, "staff-only"));
    let nobody = meg_asks.post("/api/moderation/play/nobody-here", Value::Null).await;
    assert_eq!(crate::accounts::refused(&nobody), (404, "no-such-person"));
    let told = soon(async {
        loop {
            let (status, told) = meg_asks.post(play, Value::Null).await;
            assert_eq!(status, 200, "{told}");
            if told["games"][0]["waits"] == json!(false) {
                return told;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    })
    .await;
    let game = &told["games"][0];
    assert_eq!((&game["side"], &game["opponent"]["name"]), (&json!("first"), &json!("Bob")), "{told}");
    // Eight turns each, of which the first four are learned.
    assert_eq!((&game["own"]["turns"], &game["other"]["turns"]), (&json!(4), &json!(4)), "{told}");
    assert_eq!((&told["own"], &told["others"]), (&game["own"], &game["other"]));
    assert_eq!((&game["times"]["turns"], &game["times"]["away"]), (&json!(8), &json!(25)));
    // The other one's figures are the same from the other side.
    let (_, other) = meg_asks.post("/api/moderation/play/bob", Value::Null).await;
    assert_eq!((&other["own"], &other["others"]), (&told["others"], &told["own"]));
    assert_eq!(other["times"]["away"], json!(0));
}

/// A version of a map has a pool once enough people have played it, and not before.
#[tokio::test]
async fn a_map_that_enough_people_play_is_rated() {
    let names = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal"];
    let (mut house, people) = with_accounts(names).await;
    let maps: Vec<wire::MapLine> = json(&house, "/api/maps?search=mountains").await;
    let map = maps[0].id.clone();
    let wish = PlayNow {
        game: "jingbanqi".to_owned(),
        map: Some(map.clone()),
        options: BTreeMap::new(),
        clock: BLITZ,
        rated: true,
    };
    for wish in [wish.clone(), PlayNow { rated: false, ..wish.clone() }] {
        let (status, body) = play_now(&house, &people[0], &wish).await;
        assert_eq!((status, body["error"]["key"].as_str()), (400, Some("rated-map-later")), "{body}");
        assert_eq!(body["error"]["args"]["needs_players"], "8");
    }
    let ids: Vec<String> = people.iter().map(|one| one.player.id.clone()).collect();
    let secrets: Vec<String> = people.iter().map(|one| one.secret().to_owned()).collect();
    house.running.take().expect("is open").stop().await;
    let store = Store::open(house.data.path()).await.expect("opens");
    for n in 0..20 {
        let people = vec![ids[n % 8].clone(), ids[(n + 1) % 8].clone()];
        let change = store::shelf::ShelfChange::Finished { map: map.clone(), people, plies: 30 };
        store.shelf.shelve(change).await.expect("counts");
    }
    store.condition.close().await;
    house.open_again().await;
    let info: wire::MapInfo = json(&house, &format!("/api/maps/{map}")).await;
    let pool = info.pool.expect("is told");
    assert_eq!((pool.open, pool.players, pool.games), (true, 8, 20));
    let ann = Guest::known(&house.base, &secrets[0]).await.expect("is known");
    let bob = Guest::known(&house.base, &secrets[1]).await.expect("is known");
    let table = paired(&house, [&ann, &bob], &wish).await;
    let mut seats = [Seat::new(ann.clone(), &table), Seat::new(bob.clone(), &table)];
    level(&mut seats).await;
    let info = seats[0].info.clone().expect("known");
    assert!(info.rated && info.map.as_ref().is_some_and(|on| on.id == map), "{info:?}");
    // Enough has been played for it to count.
    for _ in 0..people::pool::LEAST_PLIES {
        let turn = usize::from(seats[0].view.as_ref().map(|view| view.turn) != seats[0].you.first().copied());
        let text = match &seats[turn].view.as_ref().expect("is shown").moves {
            wire::Offered::Listed(moves) => moves[0].text.clone(),
            wire::Offered::Every(_) => panic!("are listed"),
        };
        done(&mut seats[turn], mv(&text)).await;
        level(&mut seats).await;
    }
    done(&mut seats[0], Act::Resign { side: None }).await;
    soon(async {
        loop {
            let profile: Profile = json(&house, "/api/people/bob").await;
            if let Some(rating) = profile.ratings.first() {
                assert_eq!(rating.map.as_ref().map(|on| on.id.as_str()), Some(map.as_str()));
                assert!(rating.rating > 1500 && rating.game.starts_with("jingbanqi@"), "{rating:?}");
                break;
            }
        }
    })
    .await;
}
