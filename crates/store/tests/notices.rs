//! Catches a notice that is sent twice, too early, about a game that is over, or to a browser that is signed out.

mod common;

use common::{Opened, WAITING, hash, person, setup, store_in};
use kernel::Side;
use people::notices::{Quiet, Topic};
use store::accounts::Change;
use store::notices::{Device, DueNotice, MOST_DEVICES, MOST_FAILURES, NewNotice, NoticeChange};
use store::together::{Challenge, Deed};
use store::{Asleep, Find, NewPerson, StoreError, StoredPersonKind};
use table::{Entry, Event, Setup, Stage, Standing};
use wire::ClockSpec;

const DAY: u64 = 86_400_000;
const HOUR: u64 = 3_600_000;
const NOW: u64 = 4_000_000_000_000;

/// Ann and Bob have accounts; each has a session.
async fn with_people(folder: &tempfile::TempDir) -> Opened {
    let store = store_in(folder).await;
    for (n, id) in [(1, "ann"), (2, "bob")] {
        store
            .people
            .enroll(NewPerson { kind: StoredPersonKind::Account, ..person(id, n, Some(id)) })
            .await
            .expect("stored");
    }
    store
}

async fn session(store: &Opened, n: u8) -> String {
    store.accounts.session(&hash(n)).await.expect("read").expect("is there").0.id
}

fn device(session: &str, person: &str, endpoint: &str) -> Device {
    Device {
        session: session.to_owned(),
        person: person.to_owned(),
        endpoint: endpoint.to_owned(),
        point: vec![4; 65],
        secret: vec![7; 16],
        lang: "zh".to_owned(),
    }
}

async fn keep(store: &Opened, device: Device, now_ms: u64) -> Result<(), StoreError> {
    store.notices.change(NoticeChange::Device { device, now_ms }).await
}

async fn tell(store: &Opened, who: &str, subject: &str, topic: Topic, due_ms: u64) {
    let (person, subject) = (who.to_owned(), subject.to_owned());
    let tell = vec![NewNotice { person, subject, topic, due_ms }];
    store.notices.change(NoticeChange::Words { looked: vec![], tell, now_ms: NOW }).await.expect("stored");
}

async fn due(store: &Opened, now_ms: u64) -> Vec<(String, Topic, bool)> {
    let due = store.notices.notices_due(now_ms, 100, &[]).await.expect("read");
    due.into_iter().map(|due| (due.subject, due.topic, due.holds)).collect()
}

/// A slow game of Ann and Bob in which that side is to move, since `NOW` and until then.
async fn game(store: &Opened, id: &str, turn: Side, until_ms: u64) {
    game_with(store, ClockSpec::None, id, turn, until_ms).await;
}

async fn game_with(store: &Opened, clock: ClockSpec, id: &str, turn: Side, until_ms: u64) {
    let ids = ["ann", "bob"].map(|id| Some(id.to_owned()));
    let setup = Setup { clock, ..setup(None) };
    store.logs.create(id, &setup, Vec::new(), WAITING).await.expect("stored");
    let standing = Standing { stage: Stage::Playing, seats: ids };
    let entry = Entry { ver: 1, at_ms: NOW, cmd: None, spent_ms: None, event: Event::Swap };
    let asleep = Asleep { turn: Some(turn), ..Asleep::until(NOW, until_ms) };
    store.logs.append_slow(id, entry, Some(standing), asleep).await.expect("stored");
}

#[tokio::test]
async fn a_browser_is_told_as_long_as_it_is_signed_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    let (ann, bob) = (session(&store, 1).await, session(&store, 2).await);
    keep(&store, device(&ann, "ann", "https://a.example/1"), NOW).await.expect("stored");
    assert_eq!(store.notices.told_people().await.expect("read"), ["ann"]);
    let renewed = device(&ann, "ann", "https://a.example/2");
    keep(&store, renewed.clone(), NOW).await.expect("stored");
    assert_eq!(
        store.notices.devices("ann").await.expect("read"),
        std::slice::from_ref(&renewed),
        "one a browser"
    );
    // Another person signs in with the same browser.
    keep(&store, device(&bob, "bob", "https://a.example/2"), NOW).await.expect("stored");
    assert_eq!(store.notices.told_people().await.expect("read"), ["bob"]);
    for (name, device) in [
        ("no such session", device("nowhere", "ann", "https://a.example/3")),
        ("somebody else's session", device(&bob, "ann", "https://a.example/3")),
    ] {
        assert!(matches!(keep(&store, device, NOW).await, Err(StoreError::Missing)), "{name}");
    }
    store.accounts.change(Change::SignOut { hash: hash(2) }, None).await.expect("done");
    assert_eq!(store.notices.told_people().await.expect("read"), [""; 0], "it was signed out");

    keep(&store, renewed, NOW).await.expect("stored");
    let quiet = Quiet::new(0, 60, "Asia/Shanghai").expect("quiet hours");
    let set = NoticeChange::Quiet { person: "ann".to_owned(), quiet: Some(quiet.clone()) };
    store.notices.change(set).await.expect("stored");
    assert_eq!(store.notices.quiet("ann").await.expect("read"), Some(quiet));
    tell(&store, "ann", "nowhere", Topic::Turn, NOW).await;
    store.accounts.change(Change::Close { person: "ann".to_owned() }, None).await.expect("done");
    assert_eq!(store.notices.quiet("ann").await.expect("read"), None);
    assert_eq!(store.notices.devices("ann").await.expect("read"), []);
    assert_eq!(due(&store, NOW).await, []);
    assert!(store.accounts.account(Find::Id("bob")).await.expect("read").is_some());
}

#[tokio::test]
async fn a_browser_that_cannot_be_told_is_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    let ann = session(&store, 1).await;
    keep(&store, device(&ann, "ann", "https://a.example/1"), NOW).await.expect("stored");
    let delivered = async |done| {
        let change = NoticeChange::Delivered { session: ann.clone(), done };
        store.notices.change(change).await.expect("stored");
        store.notices.devices("ann").await.expect("read").len()
    };
    for _ in 1..MOST_FAILURES {
        assert_eq!(delivered(false).await, 1);
    }
    assert_eq!(delivered(true).await, 1, "it is counted anew");
    for _ in 1..MOST_FAILURES {
        assert_eq!(delivered(false).await, 1);
    }
    assert_eq!(delivered(false).await, 0);
}

#[tokio::test]
async fn the_oldest_browser_makes_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    for n in 0..=MOST_DEVICES {
        let (id, hash) = (format!("session{n}"), [100 + n as u8; 32]);
        let session = store::accounts::NewSession { hash, id: id.clone(), label: None };
        let sign_in = Change::SignIn { person: "ann".to_owned(), session, used: None, now_ms: NOW };
        store.accounts.change(sign_in, None).await.expect("done");
        let endpoint = format!("https://a.example/{n}");
        keep(&store, device(&id, "ann", &endpoint), NOW + u64::from(n)).await.expect("stored");
    }
    let kept = store.notices.devices("ann").await.expect("read");
    assert_eq!(kept.len(), MOST_DEVICES as usize);
    assert!(kept.iter().all(|device| device.session != "session0"), "the oldest went");
}

#[tokio::test]
async fn one_notice_a_table_until_somebody_looks() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    game(&store, "t", Side::First, NOW + 3 * DAY).await;
    let (ann, t) = (|| "ann".to_owned(), || "t".to_owned());
    tell(&store, "ann", "t", Topic::Turn, NOW + HOUR).await;
    assert_eq!(due(&store, NOW + HOUR - 1).await, [], "quiet hours");
    let wanted = [("t".to_owned(), Topic::Turn, true)];
    assert_eq!(due(&store, NOW + HOUR).await, wanted);
    let found = store.notices.notices_due(NOW + HOUR, 1, &[]).await.expect("read").remove(0);
    let wanted_row = DueNotice {
        person: ann(),
        subject: t(),
        topic: Topic::Turn,
        tries: 0,
        holds: true,
        until_ms: NOW + 3 * DAY,
        game: "gomoku/freestyle".to_owned(),
        other: Some("bob".to_owned()),
    };
    assert_eq!(found, wanted_row);
    assert_eq!(
        store.notices.notices_due(NOW + HOUR, 1, &[ann()]).await.expect("read"),
        [],
        "somebody else's are asked for"
    );
    store
        .notices
        .change(NoticeChange::Again { person: ann(), subject: t(), due_ms: NOW + 2 * HOUR })
        .await
        .expect("stored");
    assert_eq!(due(&store, NOW + HOUR).await, []);
    assert_eq!(store.notices.notices_due(NOW + 2 * HOUR, 1, &[]).await.expect("read")[0].tries, 1);
    store
        .notices
        .change(NoticeChange::Sent { person: ann(), subject: t(), now_ms: NOW })
        .await
        .expect("stored");
    tell(&store, "ann", "t", Topic::Turn, NOW).await;
    assert_eq!(due(&store, NOW + DAY).await, [], "told before, and not looked since");
    tell(&store, "ann", "t", Topic::Clock, NOW).await;
    assert_eq!(due(&store, NOW).await, [("t".to_owned(), Topic::Clock, true)], "this is told all the same");
    store
        .notices
        .change(NoticeChange::Sent { person: ann(), subject: t(), now_ms: NOW })
        .await
        .expect("stored");
    tell(&store, "ann", "t", Topic::Clock, NOW).await;
    tell(&store, "ann", "t", Topic::Turn, NOW).await;
    assert_eq!(due(&store, NOW + DAY).await, []);
    assert_eq!(store.notices.noticed(&[(ann(), t()), (t(), ann())]).await, Ok(vec![(ann(), t())]));
    let looked = NoticeChange::Words { looked: vec![(ann(), t())], tell: vec![], now_ms: NOW };
    store.notices.change(looked).await.expect("stored");
    assert_eq!(store.notices.noticed(&[(ann(), t())]).await, Ok(vec![]));
    tell(&store, "ann", "t", Topic::Turn, NOW).await;
    assert_eq!(due(&store, NOW).await, wanted);
    // Old ones go.
    store.upkeep.forget(store::Retention::default(), NOW + 61 * DAY).await.expect("done");
    assert_eq!(due(&store, NOW).await, []);
}

#[tokio::test]
async fn what_is_over_does_not_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    for (id, turn) in [("mine", Side::First), ("theirs", Side::Second), ("ended", Side::First)] {
        game(&store, id, turn, NOW + 3 * DAY).await;
        tell(&store, "ann", id, Topic::Turn, NOW).await;
    }
    let entry = Entry { ver: 2, at_ms: NOW, cmd: None, spent_ms: None, event: Event::Draw };
    let over = Standing { stage: Stage::Over, seats: ["ann", "bob"].map(|id| Some(id.to_owned())) };
    store.logs.append("ended", entry, Some(over)).await.expect("stored");
    tell(&store, "ann", "nowhere", Topic::Turn, NOW).await;
    let challenge = Challenge {
        id: "c".to_owned(),
        from: "bob".to_owned(),
        to: "ann".to_owned(),
        setup: setup(None),
        side: None,
        until_ms: NOW + HOUR,
    };
    store.together.deed(Deed::Challenge(challenge)).await.expect("stored");
    tell(&store, "ann", "c", Topic::Challenge, NOW).await;
    let held = |due: Vec<(String, Topic, bool)>| {
        due.into_iter().filter(|due| due.2).map(|due| due.0).collect::<Vec<_>>()
    };
    assert_eq!(held(due(&store, NOW).await), ["c", "mine"]);
    assert_eq!(held(due(&store, NOW + HOUR).await), ["mine"], "the challenge has expired");
    let away = people::vacation::Vacation::unused(NOW).start(NOW).expect("may");
    store.slow.set_vacation("ann", away, NOW).await.expect("stored");
    assert_eq!(held(due(&store, NOW + HOUR).await), [""; 0], "no clock runs on vacation");
}

#[tokio::test]
async fn a_clock_is_nearly_out_in_its_last_tenth() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    // Games with that many days since `NOW`, and the time before the end at which it is announced.
    for (id, days) in [("one", 1), ("three", 3), ("fourteen", 14)] {
        game(&store, id, Side::First, NOW + days * DAY).await;
    }
    let nearly = async |at_ms| {
        let found = store.notices.nearly_out(at_ms, 100).await.expect("read");
        found.into_iter().map(|(person, table, _)| format!("{person} {table}")).collect::<Vec<_>>()
    };
    let at = NOW + DAY - DAY / 10;
    assert_eq!(nearly(at).await, [""; 0], "nobody is told anywhere");
    let ann = session(&store, 1).await;
    keep(&store, device(&ann, "ann", "https://a.example/1"), NOW).await.expect("stored");
    for (name, at_ms, wanted) in [
        ("a minute too early", at - 60_000, &[][..]),
        ("a tenth of a day is left", at, &["ann one"]),
        ("it is over", NOW + DAY, &[]),
        ("a tenth of three days", NOW + 3 * DAY - 3 * DAY / 10, &["ann three"]),
        ("more than a day", NOW + 13 * DAY - 1, &[]),
        ("a day of fourteen", NOW + 13 * DAY, &["ann fourteen"]),
    ] {
        assert_eq!(nearly(at_ms).await, wanted, "{name}");
    }
    // `NOW` is a Tuesday morning. Until Monday, 5:00, two days of a weekend are not counted, and not in its tenth.
    let clock = ClockSpec::PerMove { turn_ms: 5 * DAY, weekend_pause: true };
    let monday = NOW - NOW % DAY + 6 * DAY + 5 * HOUR;
    game_with(&store, clock, "week", Side::First, monday).await;
    let tenth = clock.counted_ms(NOW, monday) / 10;
    let friday = clock.begun_ms(monday, tenth);
    assert!(friday < NOW + 4 * DAY && tenth > 5 * HOUR);
    for (name, at_ms, wanted) in [
        ("on Friday, a minute too early", friday - 60_000, &[][..]),
        ("on Friday evening", friday + 60_000, &["ann week"]),
        ("on Sunday", monday - DAY, &["ann week"]),
    ] {
        assert_eq!(nearly(at_ms).await, wanted, "{name}");
    }
    tell(&store, "ann", "one", Topic::Turn, NOW).await;
    assert_eq!(nearly(at).await, ["ann one"], "that it is their turn is something else");
    tell(&store, "ann", "one", Topic::Clock, NOW).await;
    assert_eq!(nearly(at).await, [""; 0], "once");
}
