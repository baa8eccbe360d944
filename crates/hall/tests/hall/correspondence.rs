//! Slow games: deadlines of tables that are not open, vacations, and planned moves.

use std::sync::Arc;
use std::time::Duration;

use client::{Guest, Seat};
use edge::network::Payer;
use hall::hall::Hall;
use kernel::Side::{First, Second};
use reqwest::Method;
use serde_json::{Value, json};
use store::slow::StoredPlan;
use store::{NewPerson, Store, StoredPersonKind};
use table::{Entry, Event, Setup, State};
use wire::{Act, ClockSpec, CreateTable, EventKind, How, Inbox, InboxNext, PlanTold, Player, ServerMessage};

use crate::house::{House, done, gomoku, hear, level, moves, mv, refused, soon, timed};
use crate::rated::with_accounts;
use crate::slow;

const DAY: u64 = 86_400_000;
const THREE_DAYS: ClockSpec = ClockSpec::per_move(3 * DAY);

async fn ask(house: &House, guest: &Guest, method: Method, path: &str, body: Value) -> (u16, Value) {
    let request = house.http.request(method, format!("{}{path}", house.base)).bearer_auth(guest.secret());
    let answer = soon(request.json(&body).send()).await.expect("answers");
    let status = answer.status().as_u16();
    (status, answer.json().await.unwrap_or(Value::Null))
}

async fn inbox(house: &House, guest: &Guest) -> Inbox {
    let (status, told) = ask(house, guest, Method::GET, "/api/inbox", Value::Null).await;
    assert_eq!(status, 200, "{told}");
    serde_json::from_value(told).expect("an inbox")
}

async fn next(house: &House, guest: &Guest, but: &str) -> InboxNext {
    let path = format!("/api/inbox/next?but={but}");
    serde_json::from_value(ask(house, guest, Method::GET, &path, Value::Null).await.1).expect("told")
}

async fn plan(
    house: &House,
    guest: &Guest,
    table: &str,
    from_ply: u32,
    lines: Value,
) -> Result<PlanTold, String> {
    let body = json!({ "from_ply": from_ply, "lines": lines });
    let (status, told) = ask(house, guest, Method::PUT, &format!("/api/tables/{table}/plan"), body).await;
    match status {
        200 => Ok(serde_json::from_value(told).expect("a plan")),
        _ => Err(told["error"]["key"].as_str().expect("a key").to_owned()),
    }
}

/// Two guests at a table, and who they are.
async fn pair(house: &House, clock: ClockSpec) -> ([Seat; 2], [Guest; 2], String) {
    let guests = [house.guest().await, house.guest().await];
    let table = guests[0].open(&timed(clock)).await.expect("a table").id;
    let mut seats = [Seat::new(guests[0].clone(), &table), Seat::new(guests[1].clone(), &table)];
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    (seats, guests, table)
}

#[tokio::test]
async fn a_slow_game_waits_in_the_inbox_of_who_is_to_move() {
    let house = House::open().await;
    let (mut seats, [ann, bob], table) = pair(&house, THREE_DAYS).await;
    assert_eq!(seats[1].clock.expect("clocks").run, Some(wire::Side::First), "it runs from the beginning");
    let (first, second) = (inbox(&house, &ann).await, inbox(&house, &bob).await);
    assert_eq!((first.waiting, second.waiting), (1, 0));
    let game = &first.games[0];
    assert_eq!(
        (game.line.id.as_str(), game.mine, game.side, game.held),
        (table.as_str(), true, wire::Side::First, false)
    );
    assert!((3 * DAY - 60_000..=3 * DAY + 1_000).contains(&game.left_ms), "{}", game.left_ms);
    assert_eq!((second.games.len(), second.games[0].mine), (1, false));
    moves(&mut seats, "h8").await;
    let told = inbox(&house, &bob).await;
    assert_eq!((told.waiting, told.games[0].line.plies, told.games[0].view.pieces.len()), (1, 1, 1));
    assert_eq!(told.games[0].last.as_ref().map(|ply| ply.0.as_str()), Some("h8"));
    assert_eq!(next(&house, &bob, "").await, InboxNext { table: Some(table.clone()), waiting: 1 });
    assert_eq!(next(&house, &bob, &table).await, InboxNext { table: None, waiting: 0 });
    // Nothing of it is lost when the hall goes, and no other game is there.
    let mut fast = house.pair(gomoku(How::Invite)).await;
    moves(&mut fast, "h8").await;
    assert_eq!(inbox(&house, &ann).await.games.len(), 1);
    done(&mut seats[1], Act::Resign { side: None }).await;
    assert_eq!(inbox(&house, &ann).await.games.len(), 0);
    let (status, _) = ask(&house, &bob, Method::POST, "/api/vacation", Value::Null).await;
    assert_eq!(status, 400, "guests have no vacation");
}

/// The flag, the remaining time and the shown time agree: Saturdays and Sundays are not counted, where the table says
/// so.
#[tokio::test]
async fn no_clock_runs_on_a_weekend() {
    const HOUR: u64 = 3_600_000;
    const WEEKDAYS: ClockSpec = ClockSpec::PerMove { turn_ms: DAY, weekend_pause: true };
    let house = House::open().await;
    let pass = async |ms| house.running.as_ref().expect("is open").pass(Duration::from_millis(ms)).await;
    // To a Friday, 20:00 UTC; the first of January 1970 was a Thursday.
    let now_ms = jiff::Timestamp::now().as_millisecond().cast_unsigned();
    pass((8 * DAY + 20 * HOUR - now_ms % (7 * DAY)) % (7 * DAY)).await;
    let (mut seats, [ann, _], table) = pair(&house, WEEKDAYS).await;
    let (mut plain, _, other) = pair(&house, ClockSpec::per_move(3 * DAY)).await;
    moves(&mut seats, "h8 a1").await;
    moves(&mut plain, "h8 a1").await;
    for (name, hours, left) in
        [("Friday", 0, 24), ("Saturday", 12, 20), ("Sunday", 24, 20), ("Monday", 24, 12), ("at noon", 4, 8)]
    {
        pass(hours * HOUR).await;
        let told = inbox(&house, &ann).await;
        let game = told.games.iter().find(|game| game.line.id == table).expect("goes on");
        let near = |ms: u64| (left * HOUR - 60_000..=left * HOUR + 1_000).contains(&ms);
        assert!(near(game.left_ms), "{name}: {}", game.left_ms);
        let ServerMessage::Full { clk, .. } = house.full(&table).await else { panic!("everything") };
        let face = clk.expect("a clock");
        assert!(near(face.ms[0]) && face.run == Some(wire::Side::First), "{name}: {face:?}");
        assert_eq!(refused(&mut seats[1], Act::Flag).await, "time-is-left", "{name}");
    }
    let ServerMessage::Full { clk, .. } = house.full(&other).await else { panic!("everything") };
    assert!(
        clk.is_some_and(|face| face.ms[0] < 9 * HOUR),
        "64 hours have gone by at the other table: {clk:?}"
    );
    pass(9 * HOUR).await;
    while seats[1].end.is_none() {
        hear(&mut seats[1]).await;
    }
    assert_eq!(seats[1].end.as_ref().map(|end| &*end.reason), Some("flag"));
}

#[tokio::test]
async fn a_planned_move_is_played_after_a_restart_too() {
    let mut house = House::open().await;
    let (mut seats, [ann, bob], table) = pair(&house, THREE_DAYS).await;
    moves(&mut seats, "h8").await;
    for (what, who, from, lines, wanted) in [
        ("it is their turn", &bob, 1, json!([["a1", "h9"]]), "plan-on-your-turn"),
        ("the board has changed", &ann, 0, json!([["a1", "h9"]]), "stale"),
        ("an illegal answer", &ann, 1, json!([["a1", "h8"]]), "point-occupied"),
        ("two answers", &ann, 1, json!([["a1", "h9"], ["a1", "g8"]]), "plan-two-answers"),
        ("a watcher", &house.guest().await, 1, json!([["a1", "h9"]]), "not-your-seat"),
    ] {
        assert_eq!(plan(&house, who, &table, from, lines).await.expect_err(what), wanted, "{what}");
    }
    let told =
        plan(&house, &ann, &table, 1, json!([["a1", "h9", "a2", "h10"], ["b1", "g8"]])).await.expect("kept");
    assert_eq!((told.from_ply, told.lines.len()), (1, 2));
    let (status, told) =
        ask(&house, &bob, Method::GET, &format!("/api/tables/{table}/plan"), Value::Null).await;
    assert_eq!(
        (status, told["lines"].as_array().map(Vec::len)),
        (200, Some(0)),
        "nobody else sees it: {told}"
    );
    let path = format!("/api/tables/{table}/plan/look");
    let (status, board) = ask(&house, &ann, Method::POST, &path, json!({ "moves": ["a1", "h9"] })).await;
    assert_eq!((status, board["view"]["pieces"].as_array().map(Vec::len)), (200, Some(3)), "{board}");
    let path = format!("/api/tables/{table}/note");
    assert_eq!(ask(&house, &ann, Method::PUT, &path, json!({ "text": "h-file" })).await.0, 204);
    assert_eq!(ask(&house, &ann, Method::PUT, &path, json!({ "text": "x".repeat(2001) })).await.0, 400);
    drop(seats);
    house.restart().await;
    let [ann, bob] = [ann, bob].map(|guest| guest.secret().to_owned());
    let ann = Guest::known(&house.base, &ann).await.expect("is known");
    let bob = Guest::known(&house.base, &bob).await.expect("is known");
    let mut seat = Seat::new(bob.clone(), &table);
    done(&mut seat, mv("a1")).await;
    while seat.record.len() < 3 {
        soon(seat.hear()).await.expect("the answer");
    }
    done(&mut seat, mv("a2")).await;
    while seat.record.len() < 5 {
        soon(seat.hear()).await.expect("the answer");
    }
    let played: Vec<_> = seat.record.iter().map(|ply| ply.0.as_str()).collect();
    assert_eq!(played, ["h8", "a1", "h9", "a2", "h10"]);
    let own = seat.seen.iter().filter(|event| event.k == EventKind::Move && event.cmd.is_none()).count();
    assert_eq!(own, 2, "the hall played them");
    let (_, told) = ask(&house, &ann, Method::GET, &format!("/api/tables/{table}/plan"), Value::Null).await;
    assert_eq!((told["lines"].as_array().map(Vec::len), told["note"].as_str()), (Some(0), Some("h-file")));
}

#[tokio::test]
async fn what_is_taken_back_is_not_planned_any_more() {
    let house = House::open().await;
    let (mut seats, [ann, _], table) = pair(&house, THREE_DAYS).await;
    moves(&mut seats, "h8").await;
    plan(&house, &ann, &table, 1, json!([["a1", "h9"]])).await.expect("kept");
    done(&mut seats[1], mv("a1")).await;
    while seats[1].record.len() < 3 {
        soon(seats[1].hear()).await.expect("the answer");
    }
    level(&mut seats).await;
    done(&mut seats[1], crate::house::offer(wire::Offer::Takeback)).await;
    level(&mut seats).await;
    done(&mut seats[0], Act::Accept { what: wire::Offer::Takeback }).await;
    level(&mut seats).await;
    assert_eq!(seats[1].record.len(), 1);
    done(&mut seats[1], mv("a1")).await;
    level(&mut seats).await;
    let (_, told) = ask(&house, &ann, Method::GET, &format!("/api/tables/{table}/plan"), Value::Null).await;
    assert_eq!((seats[1].record.len(), told["lines"].as_array().map(Vec::len)), (2, Some(0)));
}

/// A planned move does not end the other's draw offer unseen (H8).
#[tokio::test]
async fn a_planned_move_waits_until_an_offer_is_answered() {
    let house = House::open().await;
    let (mut seats, [ann, bob], table) = pair(&house, THREE_DAYS).await;
    moves(&mut seats, "h8").await;
    plan(&house, &ann, &table, 1, json!([["a1", "h9"]])).await.expect("kept");
    done(&mut seats[1], crate::house::offer(wire::Offer::Draw)).await;
    done(&mut seats[1], mv("a1")).await;
    level(&mut seats).await;
    let path = format!("/api/tables/{table}/plan");
    let (_, told) = ask(&house, &ann, Method::GET, &path, Value::Null).await;
    assert_eq!(
        (told["waits"].as_bool(), told["lines"].as_array().map(Vec::len)),
        (Some(true), Some(1)),
        "{told}"
    );
    level(&mut seats).await;
    assert_eq!((seats[0].record.len(), seats[0].offers.len()), (2, 1), "the offer stands");
    assert_eq!(inbox(&house, &ann).await.games[0].offers, [wire::Offer::Draw], "its receiver is told");
    assert_eq!(inbox(&house, &bob).await.games[0].offers, []);
    done(&mut seats[0], Act::Decline { what: wire::Offer::Draw }).await;
    while seats[1].record.len() < 3 {
        soon(seats[1].hear()).await.expect("the answer");
    }
    assert_eq!(seats[1].record[2].0.as_str(), "h9");
}

fn account(name: &str) -> NewPerson {
    NewPerson {
        id: format!("{name}0000"),
        kind: StoredPersonKind::Account,
        name: Some(name.to_owned()),
        folded: Some(people::name::fold(name)),
        hash: people::Secret::new().hash(),
        label: None,
        made_ms: 1_000,
    }
}

fn player(name: &str) -> Player {
    Player { id: format!("{name}0000"), name: Some(name.to_owned()), engine: None, program: false }
}

/// Stores a rated game of Ann and Bob with `plies` plies, the last of them `ago_ms` ago; First is to move.
async fn lies(hall: &Arc<Hall>, id: &str, plies: usize, ago_ms: u64) {
    let entry = catalog::find("gomoku/renju").expect("is there");
    let options = entry.settle(&catalog::Options::new(), catalog::Setting::Online).expect("the usual");
    let began = hall.time.now_ms() - ago_ms;
    let setup = Setup {
        game: "gomoku/renju".to_owned(),
        options: options.clone(),
        map: None,
        fen: None,
        how: How::Invite,
        room: None,
        clock: THREE_DAYS,
        rated: true,
        created_ms: began,
        heading: None,
    };
    let game = entry.open(None, &options, None).expect("opens");
    let mut state = State::new(id.to_owned(), setup.clone(), true, game);
    let mut events = vec![
        Event::Sit { side: First, who: player("ann"), secret: None },
        Event::Sit { side: Second, who: player("bob"), secret: None },
    ];
    for (i, text) in ["h8", "h9", "j8", "k8", "a1", "o15"].into_iter().take(plies).enumerate() {
        events.push(Event::Move {
            by: if i % 2 == 0 { First } else { Second },
            text: text.to_owned(),
            away: false,
        });
    }
    let mut log = Vec::new();
    for (ver, event) in (1..).zip(events) {
        let entry = Entry { ver, at_ms: began, cmd: None, spent_ms: None, event };
        log.push(state.apply(entry).expect("fits").entry);
    }
    hall.store.logs.create(id, &setup, log, state.standing()).await.expect("stored");
    let turn = state.clock.running();
    assert_eq!(turn, Some(First));
    let asleep = store::Asleep { turn, ..store::Asleep::until(began, began + 3 * DAY + 500) };
    hall.store.tables.sleep(id, asleep).await.expect("stored");
}

async fn with_ann_and_bob() -> (tempfile::TempDir, Arc<Hall>) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).await.expect("opens");
    for name in ["ann", "bob"] {
        store.people.enroll(account(name)).await.expect("stored");
    }
    (folder, slow::hall(store).0)
}

#[tokio::test]
async fn a_slow_game_ends_where_it_lies_with_its_row_and_ratings() {
    let (_folder, hall) = with_ann_and_bob().await;
    lies(&hall, "over", 6, 4 * DAY).await;
    lies(&hall, "begun", 0, 4 * DAY).await;
    lies(&hall, "runs", 4, DAY).await;
    lies(&hall, "open", 4, 4 * DAY).await;
    // A table that is open in the hall judges for itself.
    hall.tables.look("open", Payer::Hall, |_| ()).await.expect("opens");
    assert_eq!(hall.tables.sweep().await, 2);
    assert_eq!(hall.tables.memory().len(), 1, "no task for what nobody looks at");
    let over = hall.store.games.game("over").await.expect("read").expect("is remembered");
    assert_eq!((over.outcome.reason.as_ref(), over.outcome.winner), ("flag", Some(wire::Side::Second)));
    assert!(!hall.store.games.ratings("bob0000").await.expect("read").is_empty(), "it was rated");
    let begun = hall.store.games.game("begun").await.expect("read").expect("is remembered");
    assert_eq!((begun.outcome.reason.as_ref(), begun.outcome.void), ("not-begun", true), "hardly begun");
    assert!(hall.store.games.game("runs").await.expect("read").is_none());
    assert_eq!(hall.tables.sweep().await, 0, "nothing is due any more");
    let left: Vec<_> =
        hall.store.slow.slow_games("ann0000", 9).await.expect("read").into_iter().map(|g| g.id).collect();
    assert!(left.contains(&"runs".to_owned()) && !left.contains(&"over".to_owned()), "{left:?}");
}

#[tokio::test]
async fn nobody_loses_on_vacation() {
    let (_folder, hall) = with_ann_and_bob().await;
    lies(&hall, "held", 4, 4 * DAY).await;
    lies(&hall, "open", 4, 2 * DAY).await;
    hall.tables.look("open", Payer::Hall, |_| ()).await.expect("opens");
    let told = hall.start_vacation("ann0000").await.expect("may");
    assert!(told.away && told.ends_ms.is_some());
    assert_eq!(hall.start_vacation("ann0000").await.expect("is on vacation").ends_ms, told.ends_ms);
    assert_eq!(hall.tables.sweep().await, 0);
    let face = |state: &State| state.clock.face(u64::MAX / 4).expect("clocks");
    let open = hall.tables.look("open", Payer::Hall, face).await.expect("is there");
    assert_eq!((open.run, open.held), (None, Some(wire::Side::First)));
    assert!(open.ms[0] > DAY - 60_000, "a day is left: {open:?}");
    // A move while the opponent is away holds their clock from the beginning.
    let inbox = hall.inbox("ann0000", Payer::Hall).await.expect("read");
    assert!(inbox.vacation.away && inbox.games.iter().all(|game| game.held && game.mine));
    let told = hall.stop_vacation("ann0000").await.expect("may");
    assert!(!told.away && told.left_ms == 20 * DAY, "a day at least: {told:?}");
    let open = hall.tables.look("open", Payer::Hall, face).await.expect("is there");
    assert_eq!((open.run, open.held), (Some(wire::Side::First), None));
    assert_eq!(hall.tables.sweep().await, 1, "who was late before is late again");
    assert_eq!(hall.members.vacations.of("bob0000").await.expect("read").left_ms, 21 * DAY);
    let (house, [ann]) = with_accounts(["Ann"]).await;
    let (status, told) = ask(&house, &ann, Method::POST, "/api/vacation", Value::Null).await;
    assert_eq!((status, told["away"].as_bool()), (200, Some(true)));
    let (status, told) = ask(&house, &ann, Method::DELETE, "/api/vacation", Value::Null).await;
    assert_eq!((status, told["away"].as_bool()), (200, Some(false)));
}

/// A hall that was killed between a move and the planned answer plays the answer when it opens.
#[tokio::test]
async fn a_planned_move_that_a_killed_hall_left_is_played() {
    let (_folder, hall) = with_ann_and_bob().await;
    lies(&hall, "left", 4, DAY).await;
    let lines = vec![vec!["j8".to_owned(), "k8".to_owned(), "g7".to_owned()]];
    hall.store
        .slow
        .set_plan("left", StoredPlan { person: "ann0000".to_owned(), from_ply: 2, lines })
        .await
        .expect("stored");
    hall.tables.play_plans().await;
    let plies = |state: &State| state.record.iter().map(|ply| ply.0.to_string()).collect::<Vec<_>>();
    assert_eq!(
        hall.tables.look("left", Payer::Hall, plies).await.expect("is there").last().map(String::as_str),
        Some("g7")
    );
    let left = hall.store.slow.plans("left").await.expect("read");
    assert_eq!(left, [], "it is played to its end");
}

/// One sweep decides all due games: a thousand with `QIGUAN_DEEP`, a few in the quick test. Prints its time.
#[tokio::test]
async fn many_due_games_are_decided_in_one_round() {
    let (_folder, hall) = with_ann_and_bob().await;
    let count = if std::env::var_os("QIGUAN_DEEP").is_some() { 1000 } else { 60 };
    for i in 0..count {
        lies(&hall, &format!("due-{i}"), 4, 4 * DAY).await;
    }
    let begun = std::time::Instant::now();
    assert_eq!(hall.tables.sweep().await, count);
    println!("{count} due games were decided in {:?}", begun.elapsed());
    assert!(hall.tables.memory().is_empty());
    assert_eq!(hall.store.tables.due(u64::MAX / 4, 9).await.expect("read"), [""; 0]);
}

#[tokio::test]
async fn other_days_than_those_are_refused() {
    let house = House::open().await;
    let guest = house.guest().await;
    for (days, ok) in [(1, true), (14, true), (4, false), (30, false)] {
        let wish = CreateTable { clock: ClockSpec::per_move(days * DAY), ..gomoku(How::Invite) };
        assert_eq!(guest.open(&wish).await.is_ok(), ok, "{days} days");
    }
}
