//! Restarts of a hall, and its state afterwards.

use client::Seat;
use edge::limits::Limits;
use wire::{ClockSpec, Event, How, LogLine, ServerMessage};

use crate::house::{House, done, gomoku, hear, level, moves, mv, serve, soon, table_of, timed, until};

const LONG: ClockSpec = ClockSpec::Fischer { base_ms: 60_000, increment_ms: 0 };

async fn log(house: &House, table: &str) -> Vec<LogLine> {
    let log = house.guest().await.get(&format!("/api/tables/{table}/log")).await.expect("the log");
    serde_json::from_value(log).expect("log lines")
}

#[tokio::test]
async fn a_stopping_hall_says_so_and_everything_is_there_again() {
    let mut house = House::open().await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    moves(&mut seats, "h8 a1 h9").await;
    let table = table_of(&seats[0]);
    let watcher = house.guest().await;
    let mut line = soon(watcher.connect(&table, None)).await.expect("opens");
    let ServerMessage::Full { .. } = soon(line.hear()).await.expect("open") else { panic!("full") };
    let before = house.full(&table).await;
    let stopping = tokio::spawn(async move {
        until(&mut line, |m| (m == ServerMessage::Stopping).then_some(())).await;
    });
    house.restart().await;
    soon(stopping).await.expect("it was said");
    let after = house.full(&table).await;
    let (
        ServerMessage::Full { view, record, v, .. },
        ServerMessage::Full { view: view2, record: record2, v: v2, .. },
    ) = (&before, &after)
    else {
        panic!("full")
    };
    assert_eq!((view, record, v), (view2, record2, v2));
}

#[tokio::test]
async fn an_outage_charges_nobody() {
    let mut house = House::open().await;
    let mut seats = house.pair(timed(LONG)).await;
    moves(&mut seats, "h8 a1 h9").await;
    let table = table_of(&seats[0]);
    drop(seats);
    let ServerMessage::Full { clk: Some(before), .. } = house.full(&table).await else { panic!("clocks") };
    house.running.take().expect("open").stop().await;
    // As long as an outage in a test may be.
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    let running = serve(house.data.path(), Limits::default()).await.expect("opens");
    house.base = format!("http://{}", running.address);
    house.running = Some(running);
    let ServerMessage::Full { clk: Some(after), .. } = house.full(&table).await else { panic!("clocks") };
    assert_eq!(after.run, before.run);
    assert_eq!(after.ms[0], before.ms[0], "who did not think");
    // A little is given back each time, as for the way of a message.
    let used = before.ms[1].saturating_sub(after.ms[1]);
    assert!(used < 600, "{used} ms were charged for 700 ms of outage");
    let pauses = log(&house, &table).await.into_iter().filter(|line| line.e == Event::Pause).count();
    assert_eq!(pauses, 2, "one when it closed, one when it opened");
}

#[tokio::test]
async fn players_go_on_where_they_were() {
    let house = House::open().await;
    let [a, b] = [house.guest().await, house.guest().await];
    let table = a.open(&gomoku(How::Room).named("the room")).await.expect("a table").id;
    let mut seats = [Seat::new(a, &table), Seat::new(b, &table)];
    done(&mut seats[1], wire::Act::Sit { side: None }).await;
    level(&mut seats).await;
    moves(&mut seats, "h8 a1").await;
    for _ in 0..3 {
        seats[0].cut();
        seats[1].cut();
        hear(&mut seats[0]).await;
    }
    moves(&mut seats, "h9 a2 h10 a3 h11 a4").await;
    done(&mut seats[0], mv("h12")).await;
    level(&mut seats).await;
    assert_eq!(seats[1].end.as_ref().map(|end| end.reason.as_ref()), Some("five-in-a-row"));
    assert_eq!(seats[0].view, seats[1].view);
    assert!(seats[0].connections >= 4);
}

trait Named {
    fn named(self, name: &str) -> Self;
}

impl Named for wire::CreateTable {
    fn named(mut self, name: &str) -> Self {
        self.room = Some(name.to_owned());
        self
    }
}

#[tokio::test]
async fn two_halls_do_not_share_their_data() {
    let house = House::open().await;
    let why = serve(house.data.path(), Limits::default()).await.err().expect("refused");
    assert!(why.contains("Another hall uses the data in"), "{why}");
    assert!(why.contains("--data"), "it says what to do: {why}");
}

#[tokio::test]
async fn data_that_are_no_halls_are_refused_with_words() {
    let data = tempfile::tempdir().expect("a folder");
    std::fs::write(data.path().join("hall.db"), "this is not a database, but a letter".repeat(100))
        .expect("writes");
    let why = serve(data.path(), Limits::default()).await.err().expect("refused");
    assert!(why.contains("database"), "{why}");
    let file = data.path().join("a-file");
    std::fs::write(&file, "").expect("writes");
    let why = serve(&file, Limits::default()).await.err().expect("refused");
    assert!(why.contains("a-file"), "{why}");
}
