//! Catches a slow game whose time runs while no hall does, or during a vacation, and a list that is not in order.

mod common;

use common::{Opened, WAITING, setup, store_in};
use kernel::Side;
use people::vacation::Vacation;
use store::Asleep;
use store::slow::StoredPlan;
use table::{Entry, Event, Setup, Stage, Standing};
use wire::ClockSpec;

const DAY: u64 = 86_400_000;
const NOW: u64 = 4_000_000_000_000;

/// Stores a game of Ann and Bob in which that side is to move, with a deadline in `days` days.
async fn game(store: &Opened, id: &str, turn: Side, days: u64) {
    let ids = ["ann", "bob"].map(|id| Some(id.to_owned()));
    store.logs.create(id, &setup(None), Vec::new(), WAITING).await.expect("stored");
    let standing = Standing { stage: Stage::Playing, seats: ids };
    let entry = Entry { ver: 1, at_ms: NOW, cmd: None, spent_ms: None, event: Event::Swap };
    store.logs.append_slow(id, entry, Some(standing), asleep(turn, days)).await.expect("stored");
}

fn asleep(turn: Side, days: u64) -> Asleep {
    Asleep { turn: Some(turn), ..Asleep::until(NOW, NOW + days * DAY) }
}

async fn ids(store: &Opened, person: &str) -> Vec<(String, bool)> {
    let games = store.slow.slow_games(person, 100).await.expect("read");
    games.into_iter().map(|game| (game.id.clone(), game.is_mine())).collect()
}

async fn due(store: &Opened, days: u64) -> Vec<String> {
    store.tables.due(NOW + days * DAY, 100).await.expect("read")
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
    assert_eq!(store.slow.slow_games("ann", 2).await.expect("read").len(), 2);
    // A move passes the turn; the end of the game takes it out.
    let entry = |ver, event| Entry { ver, at_ms: NOW, cmd: None, spent_ms: None, event };
    store
        .logs
        .append_slow("soon", entry(2, Event::Pause), None, asleep(Side::Second, 1))
        .await
        .expect("stored");
    let over = Standing { stage: Stage::Over, seats: ["ann", "bob"].map(|id| Some(id.to_owned())) };
    store.logs.append("mid", entry(2, Event::Draw), Some(over)).await.expect("stored");
    let wanted = named(&[("late", true), ("soon", false), ("theirs", false)]);
    assert_eq!(ids(&store, "ann").await, wanted);
    let loaded = store.logs.load("soon").await.expect("read").expect("is there");
    assert_eq!(loaded.asleep, Some(asleep(Side::Second, 1)));
    assert_eq!(due(&store, 1).await, ["soon", "theirs"]);
}

#[tokio::test]
async fn no_outage_is_charged_however_many_there_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    game(&store, "slow", Side::First, 3).await;
    store.pulse.beat(NOW + DAY).await.expect("stored");
    assert_eq!(store.pulse.resume(NOW + 5 * DAY).await.expect("stored"), 4 * DAY);
    assert_eq!(due(&store, 6).await, [""; 0], "two days are left");
    store.condition.close().await;
    let store = store_in(&folder).await;
    assert_eq!(store.pulse.resume(NOW + 9 * DAY).await.expect("stored"), 4 * DAY, "the second one");
    let loaded = store.logs.load("slow").await.expect("read").expect("is there");
    let wanted = Asleep { turn: Some(Side::First), ..Asleep::until(NOW + 8 * DAY, NOW + 11 * DAY) };
    assert_eq!(loaded.asleep, Some(wanted));
    assert_eq!(
        store.pulse.resume(NOW + 9 * DAY).await.expect("stored"),
        0,
        "killed after it: nothing moves twice"
    );
    assert_eq!(due(&store, 11).await, ["slow"]);
    assert_eq!(store.pulse.resume(NOW).await.expect("stored"), 0, "a clock that was put back");
}

#[tokio::test]
async fn a_vacation_holds_what_waits_for_its_owner() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    game(&store, "mine", Side::First, 3).await;
    game(&store, "theirs", Side::Second, 3).await;
    let begun = Vacation::unused(NOW).start(NOW + DAY).expect("may");
    assert_eq!(store.slow.vacation("ann").await.expect("read"), None);
    let held = store.slow.set_vacation("ann", begun, NOW + DAY).await.expect("stored");
    assert_eq!(held, ["mine"]);
    assert_eq!(store.slow.on_vacation().await.expect("read"), [("ann".to_owned(), begun)]);
    assert_eq!(due(&store, 300).await, ["theirs"]);
    // Halls come and go meanwhile: what was left stays.
    store.pulse.beat(NOW + 2 * DAY).await.expect("stored");
    store.pulse.resume(NOW + 4 * DAY).await.expect("stored");
    let over = begun.stop(NOW + 10 * DAY);
    assert_eq!(store.slow.set_vacation("ann", over, NOW + 10 * DAY).await.expect("stored"), ["mine"]);
    assert_eq!(store.slow.vacation("ann").await.expect("read"), Some(over));
    let loaded = store.logs.load("mine").await.expect("read").expect("is there").asleep.expect("runs");
    assert_eq!(
        (loaded.held_ms, loaded.deadline_ms),
        (None, NOW + 12 * DAY),
        "one day was used, two are left"
    );
}

const WEEKDAYS: ClockSpec = ClockSpec::PerMove { turn_ms: 5 * DAY, weekend_pause: true };

/// Weekends are not counted over outages and vacations. On a Tuesday Ann has five days that are no weekend; outages
/// and a vacation begin and end on weekends.
#[tokio::test]
async fn a_weekend_is_nobodys_time_over_outages_and_vacations() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    let deadline_ms = WEEKDAYS.deadline_ms(NOW, 5 * DAY);
    assert_eq!(deadline_ms, NOW + 7 * DAY, "a Tuesday, too");
    let ids = ["ann", "bob"].map(|id| Some(id.to_owned()));
    let slow = Setup { clock: WEEKDAYS, ..setup(None) };
    store.logs.create("week", &slow, Vec::new(), WAITING).await.expect("stored");
    let standing = Standing { stage: Stage::Playing, seats: ids };
    let entry = Entry { ver: 1, at_ms: NOW, cmd: None, spent_ms: None, event: Event::Swap };
    let begun = Asleep { turn: Some(Side::First), ..Asleep::until(NOW, deadline_ms) };
    store.logs.append_slow("week", entry, Some(standing), begun).await.expect("stored");
    game(&store, "plain", Side::First, 5).await;
    let lies =
        async |id: &str| store.logs.load(id).await.expect("read").expect("is there").asleep.expect("runs");

    // From Wednesday to Sunday no hall ran.
    store.pulse.beat(NOW + DAY).await.expect("stored");
    store.pulse.resume(NOW + 5 * DAY).await.expect("stored");
    let after = lies("week").await;
    assert_eq!(WEEKDAYS.counted_ms(after.since_ms, NOW + 5 * DAY), DAY, "what was thought until then");
    assert_eq!(after.deadline_ms, WEEKDAYS.deadline_ms(NOW + 5 * DAY, 4 * DAY));
    assert_eq!(lies("plain").await.deadline_ms, NOW + 9 * DAY, "the other games move as ever");
    assert_eq!(due(&store, 9).await, ["plain"]);

    // On vacation from Monday to the second Saturday, and no hall runs for two days of it.
    let begun = Vacation::unused(NOW).start(NOW + 6 * DAY).expect("may");
    let mut held = store.slow.set_vacation("ann", begun, NOW + 6 * DAY).await.expect("stored");
    held.sort();
    assert_eq!(held, ["plain", "week"]);
    let used_ms = WEEKDAYS.counted_ms(after.since_ms, NOW + 6 * DAY);
    assert!(used_ms > DAY && used_ms < 2 * DAY, "the morning of that Monday");
    store.pulse.beat(NOW + 8 * DAY).await.expect("stored");
    store.pulse.resume(NOW + 10 * DAY).await.expect("stored");
    let over = begun.stop(NOW + 11 * DAY);
    store.slow.set_vacation("ann", over, NOW + 11 * DAY).await.expect("stored");
    let after = lies("week").await;
    assert_eq!(after.held_ms, None);
    assert_eq!(after.deadline_ms, WEEKDAYS.deadline_ms(NOW + 11 * DAY, 5 * DAY - used_ms));
    assert_eq!(WEEKDAYS.counted_ms(after.since_ms, NOW + 11 * DAY), used_ms);
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
    store.slow.set_plan("slow", plan("bob", &["a1 h9", "b1 \"h10"])).await.expect("stored");
    assert_eq!(store.slow.plans_due(10).await.expect("read"), [""; 0], "it is not Bob's turn");
    store.slow.set_plan("slow", plan("ann", &["c1 c2"])).await.expect("stored");
    store.slow.set_plan("slow", plan("ann", &["d1 d2"])).await.expect("stored");
    assert_eq!(store.slow.plans_due(10).await.expect("read"), ["slow"]);
    let wanted = [plan("ann", &["d1 d2"]), plan("bob", &["a1 h9", "b1 \"h10"])];
    assert_eq!(store.slow.plans("slow").await.expect("read"), wanted);
    store.slow.set_plan("slow", plan("ann", &[])).await.expect("stored");
    assert_eq!(store.slow.plans("slow").await.expect("read"), [wanted[1].clone()]);
    store.slow.set_seat_note("slow", "ann", "look at h9").await.expect("stored");
    let read = async |person| store.slow.seat_note("slow", person).await.expect("read");
    assert_eq!((read("ann").await.as_str(), read("bob").await.as_str()), ("look at h9", ""));
    store.slow.set_seat_note("slow", "ann", "").await.expect("stored");
    assert_eq!(read("ann").await, "");
}
