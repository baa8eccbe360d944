//! Catches a link that counts twice, too long or for another account, and a digest that names games its reader has
//! seen.

mod common;

use common::{Opened, WAITING, person, setup, store_in};
use kernel::Side;
use people::account::Act;
use people::mail::{DIGEST_AFTER_MS, DIGEST_EVERY_MS, MOST_ACCOUNTS, Purpose};
use people::notices::Topic;
use store::accounts::{Change, Credential, CredentialKind, NewSession};
use store::mail::{MOST_LINKS, MailChange, MailLink, Mailbox};
use store::notices::{NewNotice, NoticeChange};
use store::{Asleep, Find, NewPerson, Note, StoreError, StoredPersonKind};
use table::{Entry, Event, Stage, Standing};

const NOW: u64 = 4_000_000_000_000;
const DAY: u64 = 86_400_000;
const BOX: Mailbox = [1; 20];
const OTHER_BOX: Mailbox = [2; 20];

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

fn link(n: u8, who: &str, purpose: Purpose, mailbox: Mailbox) -> MailLink {
    MailLink {
        hash: [n; 32],
        person: who.to_owned(),
        purpose,
        address: format!("{}@example.org", mailbox[0]),
        mailbox,
        lang: "zh".to_owned(),
        until_ms: NOW + purpose.lasts_ms(),
    }
}

async fn keep(store: &Opened, link: MailLink) -> Result<(), StoreError> {
    store.mail.change(MailChange::Link { link, now_ms: NOW }).await
}

async fn confirm(store: &Opened, who: &str, n: u8, now_ms: u64) -> Result<(), StoreError> {
    let change = Change::ConfirmMail { person: who.to_owned(), link: [n; 32], now_ms };
    store.accounts.change(change, Some(Note::new(who, Act::MailConfirmed, now_ms))).await
}

async fn recover(store: &Opened, who: &str, n: u8, now_ms: u64) -> Result<(), StoreError> {
    let body = "hash".to_owned();
    let (id, label, key) = (format!("password-{n}"), None, None);
    let change = Change::RecoverByMail {
        person: who.to_owned(),
        link: [n; 32],
        password: Credential {
            kind: CredentialKind::Password,
            id,
            label,
            body,
            key,
            made_ms: now_ms,
            used_ms: None,
        },
        session: NewSession { hash: [100 + n; 32], id: format!("session-{n}"), label: None },
        now_ms,
    };
    store.accounts.change(change, Some(Note::new(who, Act::RecoveredByMail, now_ms))).await
}

async fn with_address(store: &Opened, who: &str, n: u8, mailbox: Mailbox) {
    keep(store, link(n, who, Purpose::Confirm, mailbox)).await.expect("stored");
    confirm(store, who, n, NOW).await.expect("confirmed");
}

#[tokio::test]
async fn a_link_confirms_once_in_time_and_for_its_account() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    keep(&store, link(1, "ann", Purpose::Confirm, BOX)).await.expect("stored");
    assert_eq!(store.mail.unconfirmed("ann", NOW).await.expect("read").as_deref(), Some("1@example.org"));
    assert_eq!(store.mail.unconfirmed("ann", NOW + DAY).await.expect("read"), None);
    assert_eq!(store.mail.mail_address("ann").await.expect("read"), None, "it is not confirmed");
    for (name, who, n, now_ms) in [
        ("no such link", "ann", 9, NOW),
        ("somebody else's", "bob", 1, NOW),
        ("too late", "ann", 1, NOW + DAY),
    ] {
        let told = confirm(&store, who, n, now_ms).await;
        assert!(matches!(told, Err(StoreError::Missing)), "{name}: {told:?}");
    }
    assert!(matches!(recover(&store, "ann", 1, NOW).await, Err(StoreError::Missing)), "for something else");
    confirm(&store, "ann", 1, NOW).await.expect("confirmed");
    assert!(matches!(confirm(&store, "ann", 1, NOW).await, Err(StoreError::Missing)), "once");
    let known = store.mail.mail_address("ann").await.expect("read").expect("is there");
    assert_eq!((known.address.as_str(), known.lang.as_str(), known.digest), ("1@example.org", "zh", false));
    assert_eq!(store.mail.unconfirmed("ann", NOW).await.expect("read"), None);
    let noted = store.accounts.noted(Some("ann"), None, 10).await.expect("read");
    assert_eq!(noted.len(), 1, "what failed is not noted: {noted:?}");
    let at: Vec<String> =
        store.mail.accounts_at(BOX).await.expect("read").into_iter().map(|(_, name)| name).collect();
    assert_eq!(at, ["ann"]);
    assert!(store.mail.accounts_at(OTHER_BOX).await.expect("read").is_empty());
    let nobody = keep(&store, link(2, "nobody", Purpose::Confirm, BOX)).await;
    assert!(matches!(nobody, Err(StoreError::Missing)));
}

#[tokio::test]
async fn a_link_to_an_address_of_before_lets_nobody_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    with_address(&store, "ann", 1, BOX).await;
    keep(&store, link(2, "ann", Purpose::Recover, BOX)).await.expect("stored");
    with_address(&store, "ann", 3, OTHER_BOX).await;
    assert!(matches!(recover(&store, "ann", 2, NOW).await, Err(StoreError::Missing)), "it went elsewhere");
    // One that was made while the address changed.
    keep(&store, link(4, "ann", Purpose::Recover, BOX)).await.expect("stored");
    assert!(matches!(recover(&store, "ann", 4, NOW).await, Err(StoreError::Missing)), "and so did this");
    keep(&store, link(5, "ann", Purpose::Recover, OTHER_BOX)).await.expect("stored");
    store.accounts.change(Change::RemoveMail { person: "ann".into() }, None).await.expect("removed");
    assert!(matches!(recover(&store, "ann", 5, NOW).await, Err(StoreError::Missing)), "there is none");
    let again = store.accounts.change(Change::RemoveMail { person: "ann".into() }, None).await;
    assert!(matches!(again, Err(StoreError::Missing)));
}

#[tokio::test]
async fn a_link_sets_a_password_once_and_ends_what_was_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    with_address(&store, "ann", 1, BOX).await;
    for n in [2, 3] {
        keep(&store, link(n, "ann", Purpose::Recover, BOX)).await.expect("stored");
    }
    let late = NOW + Purpose::Recover.lasts_ms();
    assert!(matches!(recover(&store, "ann", 2, late).await, Err(StoreError::Missing)), "too late");
    assert!(matches!(recover(&store, "bob", 2, NOW).await, Err(StoreError::Missing)), "not Bob's");
    recover(&store, "ann", 2, NOW).await.expect("recovered");
    let account = store.accounts.account(Find::Id("ann")).await.expect("read").expect("is there");
    assert_eq!(account.password(), Some("hash"));
    let sessions: Vec<&str> = account.sessions.iter().map(|session| session.id.as_str()).collect();
    assert_eq!(sessions, ["session-2"], "all others ended");
    for n in [2, 3] {
        assert!(matches!(recover(&store, "ann", n, NOW).await, Err(StoreError::Missing)), "link {n}");
    }
    let noted = store.accounts.noted(Some("ann"), None, 10).await.expect("read");
    assert_eq!(noted[0].1.act, "recovered-mail");
}

#[tokio::test]
async fn links_and_accounts_of_a_mailbox_are_bounded() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    for n in 1..=2 * MOST_LINKS as u8 {
        let until_ms = NOW + DAY + u64::from(n);
        let link = MailLink { until_ms, ..link(n, "ann", Purpose::Confirm, BOX) };
        keep(&store, link).await.expect("stored");
    }
    let mut open = 0;
    for n in 1..=2 * MOST_LINKS as u8 {
        open += u32::from(store.mail.mail_link([n; 32], NOW).await.expect("read").is_some());
    }
    assert_eq!(open, MOST_LINKS);
    assert!(store.mail.mail_link([1; 32], NOW).await.expect("read").is_none(), "the oldest went");
    for n in 0..MOST_ACCOUNTS as u8 {
        let id = format!("other{n}");
        let other = NewPerson { kind: StoredPersonKind::Account, ..person(&id, 50 + n, Some(&id)) };
        store.people.enroll(other).await.expect("stored");
        with_address(&store, &id, 100 + n, BOX).await;
    }
    assert!(matches!(confirm(&store, "ann", 10, NOW).await, Err(StoreError::Conflict)), "too many accounts");
    // Who is one of them already confirms again.
    with_address(&store, "other0", 120, BOX).await;
}

#[tokio::test]
async fn a_closed_account_has_no_address() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    with_address(&store, "ann", 1, BOX).await;
    keep(&store, link(2, "ann", Purpose::Recover, BOX)).await.expect("stored");
    store.accounts.change(Change::Close { person: "ann".into() }, None).await.expect("closed");
    assert_eq!(store.mail.mail_address("ann").await.expect("read"), None);
    assert!(store.mail.accounts_at(BOX).await.expect("read").is_empty());
    assert!(store.mail.mail_link([2; 32], NOW).await.expect("read").is_none());
}

async fn stop(store: &Opened, stop: bool) {
    store.mail.change(MailChange::Stop { mailbox: BOX, stop, now_ms: NOW }).await.expect("stored");
}

#[tokio::test]
async fn a_mailbox_that_wants_no_letters_gets_no_digest_either() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    let digest = |on| MailChange::Digest { person: "ann".into(), on, lang: "en".into() };
    assert!(matches!(store.mail.change(digest(true)).await, Err(StoreError::Missing)), "no address yet");
    with_address(&store, "ann", 1, BOX).await;
    store.mail.change(digest(true)).await.expect("stored");
    assert_eq!(store.notices.told_people().await.expect("read"), ["ann"]);
    stop(&store, true).await;
    assert!(
        store.mail.is_stopped(BOX).await.expect("read")
            && !store.mail.is_stopped(OTHER_BOX).await.expect("read")
    );
    assert!(!store.mail.mail_address("ann").await.expect("read").expect("is there").digest);
    assert!(store.notices.told_people().await.expect("read").is_empty());
    stop(&store, false).await;
    assert!(!store.mail.is_stopped(BOX).await.expect("read"));
}

async fn tell(store: &Opened, table: &str, topic: Topic, now_ms: u64) {
    let (person, subject) = ("ann".to_owned(), table.to_owned());
    let tell = vec![NewNotice { person, subject, topic, due_ms: now_ms }];
    store.notices.change(NoticeChange::Words { looked: vec![], tell, now_ms }).await.expect("stored");
}

/// A slow game of Ann and Bob in which that side is to move.
async fn game(store: &Opened, id: &str, turn: Side, until_ms: u64) {
    let ids = ["ann", "bob"].map(|id| Some(id.to_owned()));
    store.logs.create(id, &setup(None), Vec::new(), WAITING).await.expect("stored");
    let standing = Standing { stage: Stage::Playing, seats: ids };
    let entry = Entry { ver: 1, at_ms: NOW, cmd: None, spent_ms: None, event: Event::Swap };
    let asleep = Asleep { turn: Some(turn), ..Asleep::until(NOW, until_ms) };
    store.logs.append_slow(id, entry, Some(standing), asleep).await.expect("stored");
}

#[tokio::test]
async fn a_digest_names_what_waits_and_was_not_looked_at() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    with_address(&store, "ann", 1, BOX).await;
    game(&store, "soon", Side::First, NOW + 2 * DAY).await;
    game(&store, "later", Side::First, NOW + 3 * DAY).await;
    game(&store, "moved", Side::Second, NOW + 3 * DAY).await;
    for table in ["soon", "later", "moved"] {
        tell(&store, table, Topic::Turn, NOW).await;
    }
    let due = async |now_ms| store.mail.digests_due(now_ms, 10).await.expect("read").len();
    let ripe = NOW + DIGEST_AFTER_MS;
    assert_eq!(due(ripe).await, 0, "nobody asked for it");
    store
        .mail
        .change(MailChange::Digest { person: "ann".into(), on: true, lang: "en".into() })
        .await
        .expect("stored");
    assert_eq!((due(ripe - 1).await, due(ripe).await), (0, 1), "not before it has waited");
    let waiting = store.mail.waiting_games("ann", ripe).await.expect("read");
    let waiting: Vec<(&str, bool)> =
        waiting.iter().map(|game| (game.table.as_str(), game.until_ms > 0)).collect();
    assert_eq!(waiting, [("moved", false), ("soon", true), ("later", true)], "the most urgent first");
    store.mail.change(MailChange::Digested { person: "ann".into(), now_ms: ripe }).await.expect("stored");
    assert_eq!(due(ripe + DIGEST_EVERY_MS).await, 0, "nothing new: it is not said again");
    game(&store, "new", Side::First, NOW + 4 * DAY).await;
    tell(&store, "new", Topic::Turn, ripe + 1).await;
    assert_eq!(due(ripe + DIGEST_AFTER_MS + 1).await, 0, "one a day");
    assert_eq!(due(ripe + DIGEST_EVERY_MS).await, 1, "on the next day, as it has waited");
    let looked = vec![("ann".into(), "new".into())];
    let looked = NoticeChange::Words { looked, tell: vec![], now_ms: NOW };
    store.notices.change(looked).await.expect("stored");
    assert_eq!(due(ripe + DIGEST_EVERY_MS).await, 0, "she has looked");
}
