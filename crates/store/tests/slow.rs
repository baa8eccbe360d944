//! Catches a slow game whose time runs while no hall does, or during a vacation, and a list that is not in order.

mod common;

use common::{Opened, WAITING, setup, store_in};
use kernel::Side;
use people::vacation::Vacation;
use store::Asleep;
use store::slow::StoredPlan;
use table::{Entry, Event, Stage, Standing};

const DAY: u64 = 86_400_000;
const NOW: u64 = 4_000_000_000_000;

/// A game of Ann and Bob in which that side is to move, until so many days from now.
async fn game(store: &Opened, id: &str, turn: Side, days: u64) {
    let ids = ["ann", "bob"].map(|id| Some(id.to_owned()));
    store.create(id, &setup(None), Vec::new(), WAITING).await.expect("stored");
    let standing = Standing { stage: Stage::Playing, seats: ids };
    let entry = Entry { ver: 1, at_ms: NOW, cmd: None, spent_ms: None, event: Event::Swap };
    store.append_slow(id, entry, Some(standing), asleep(turn, days)).await.expect("stored");
}

fn asleep(turn: Side, days: u64) -> Asleep {
    Asleep { turn: Some(turn), ..Asleep::until(NOW, NOW + days * DAY) }
}

async fn ids(store: &Opened, person: &str) -> Vec<(String, bool)> {
    let games = store.slow_games(person, 100).await.expect("read");
    games.into_iter().map(|game| (game.id.clone(), game.is_mine())).collect()
}

async fn due(store: &Opened, days: u64) -> Vec<String> {
    store.due(NOW + days * DAY, 100).await.expect("read")
}

#[tokio::test]
async fn the_inbox_is_in_the_order_of_deadlines_and_ends_with_the_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    for (id, turn, days) in [
        ("late", Side::First, 7),
        ("theirs", Side::Second, 1),
        ("soon", Side::First, 1),
        ("mid", Side::First, 3),
    ] {
        game(&store, id, turn, days).await;
    }
    let named =
        |ids: &[(&str, bool)]| ids.iter().map(|(id, mine)| ((*id).to_owned(), *mine)).collect::<Vec<_>>();
    let wanted = named(&[("soon", true), ("mid", true), ("late", true), ("theirs", false)]);
    assert_eq!(ids(&store, "ann").await, wanted);
    assert_eq!(ids(&store, "bob").await[0], ("theirs".to_owned(), true));
    assert_eq!(ids(&store, "zoe").await, []);
    assert_eq!(store.slow_games("ann", 2).await.expect("read").len(), 2);
    // A move passes the turn; the end of the game takes it out.
    let entry = |ver, event| Entry { ver, at_ms: NOW, cmd: None, spent_ms: None, event };
    store.append_slow("soon", entry(2, Event::Pause), None, asleep(Side::Second, 1)).await.expect("stored");
    let over = Standing { stage: Stage::Over, seats: ["ann", "bob"].map(|id| Some(id.to_owned())) };
    store.append("mid", entry(2, Event::Draw), Some(over)).await.expect("stored");
    let wanted = named(&[("late", true), ("soon", false), ("theirs", false)]);
    assert_eq!(ids(&store, "ann").await, wanted);
    let loaded = store.load("soon").await.expect("read").expect("is there");
    assert_eq!(loaded.asleep, Some(asleep(Side::Second, 1)));
    assert_eq!(due(&store, 1).await, ["soon", "theirs"]);
}

#[tokio::test]
async fn no_outage_is_charged_however_many_there_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    game(&store, "slow", Side::First, 3).await;
    store.beat(NOW + DAY).await.expect("stored");
    assert_eq!(store.resume(NOW + 5 * DAY).await.expect("stored"), 4 * DAY);
    assert_eq!(due(&store, 6).await, [""; 0], "two days are left");
    store.close().await;
    let store = store_in(&folder).await;
    assert_eq!(store.resume(NOW + 9 * DAY).await.expect("stored"), 4 * DAY, "the second one");
    let loaded = store.load("slow").await.expect("read").expect("is there");
    let wanted = Asleep { turn: Some(Side::First), ..Asleep::until(NOW + 8 * DAY, NOW + 11 * DAY) };
    assert_eq!(loaded.asleep, Some(wanted));
    assert_eq!(store.resume(NOW + 9 * DAY).await.expect("stored"), 0, "killed after it: nothing moves twice");
    assert_eq!(due(&store, 11).await, ["slow"]);
    assert_eq!(store.resume(NOW).await.expect("stored"), 0, "a clock that was put back");
}

#[tokio::test]
async fn a_vacation_holds_what_waits_for_its_owner() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    game(&store, "mine", Side::First, 3).await;
    game(&store, "theirs", Side::Second, 3).await;
    let begun = Vacation::unused(NOW).start(NOW + DAY).expect("may");
    assert_eq!(store.vacation("ann").await.expect("read"), None);
    let held = store.set_vacation("ann", begun, NOW + DAY).await.expect("stored");
    assert_eq!(held, ["mine"]);
    assert_eq!(store.on_vacation().await.expect("read"), [("ann".to_owned(), begun)]);
    assert_eq!(due(&store, 300).await, ["theirs"]);
    // Halls come and go meanwhile: what was left stays.
    store.beat(NOW + 2 * DAY).await.expect("stored");
    store.resume(NOW + 4 * DAY).await.expect("stored");
    let over = begun.stop(NOW + 10 * DAY);
    assert_eq!(store.set_vacation("ann", over, NOW + 10 * DAY).await.expect("stored"), ["mine"]);
    assert_eq!(store.vacation("ann").await.expect("read"), Some(over));
    let loaded = store.load("mine").await.expect("read").expect("is there").asleep.expect("runs");
    assert_eq!(
        (loaded.held_ms, loaded.deadline_ms),
        (None, NOW + 12 * DAY),
        "one day was used, two are left"
    );
}

#[tokio::test]
async fn plans_and_notes_are_kept_apart_for_each_player() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    game(&store, "slow", Side::First, 3).await;
    let plan = |person: &str, lines: &[&str]| StoredPlan {
        person: person.to_owned(),
        from_ply: 4,
        lines: lines.iter().map(|line| line.split(' ').map(str::to_owned).collect()).collect(),
    };
    store.set_plan("slow", plan("bob", &["a1 h9", "b1 \"h10"])).await.expect("stored");
    assert_eq!(store.plans_due(10).await.expect("read"), [""; 0], "it is not Bob's turn");
    store.set_plan("slow", plan("ann", &["c1 c2"])).await.expect("stored");
    store.set_plan("slow", plan("ann", &["d1 d2"])).await.expect("stored");
    assert_eq!(store.plans_due(10).await.expect("read"), ["slow"]);
    let wanted = [plan("ann", &["d1 d2"]), plan("bob", &["a1 h9", "b1 \"h10"])];
    assert_eq!(store.plans("slow").await.expect("read"), wanted);
    store.set_plan("slow", plan("ann", &[])).await.expect("stored");
    assert_eq!(store.plans("slow").await.expect("read"), [wanted[1].clone()]);
    store.set_seat_note("slow", "ann", "look at h9").await.expect("stored");
    let read = async |person| store.seat_note("slow", person).await.expect("read");
    assert_eq!((read("ann").await.as_str(), read("bob").await.as_str()), ("look at h9", ""));
    store.set_seat_note("slow", "ann", "").await.expect("stored");
    assert_eq!(read("ann").await, "");
}
