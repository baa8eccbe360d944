//! Accounts: a step that does not fit changes nothing, and what proves an account goes where it should.

mod common;

use common::{Opened, WAITING, entry, hash, merged, pair, person, setup, store_in};
use people::account::{Act, Role};
use people::name::fold;
use people::token::Scopes;
use store::accounts::{
    Account, Change, Credential, CredentialKind, Find, MOST_NOTES, MOST_PASSKEYS, MOST_SESSIONS, MOST_TOKENS,
    NewSession, Note, Token,
};
use store::staff::{Logged, StaffDeed};
use store::{NewPerson, StoreError, StoredPersonKind};
use table::{Command, Entry, Setup, Stage, Standing};

const DAY: u64 = 86_400_000;

fn secret(n: u16) -> [u8; 32] {
    let mut hash = [0xa5; 32];
    hash[..2].copy_from_slice(&n.to_be_bytes());
    hash
}

fn session(n: u16) -> NewSession {
    NewSession { hash: secret(n), id: format!("session{n}"), label: Some("Firefox, Linux".to_owned()) }
}

fn password(id: &str, body: &str) -> Credential {
    Credential {
        kind: CredentialKind::Password,
        id: id.to_owned(),
        label: None,
        body: body.to_owned(),
        key: None,
        made_ms: 7,
        used_ms: None,
    }
}

fn passkey(id: &str) -> Credential {
    Credential {
        kind: CredentialKind::Passkey,
        key: Some(id.as_bytes().to_vec()),
        label: Some("phone".to_owned()),
        ..password(id, "key")
    }
}

fn token(id: &str) -> Token {
    Token {
        id: id.to_owned(),
        label: "bot".to_owned(),
        scopes: Scopes::read(["read", "play"]).expect("scopes"),
        made_ms: 5,
        expires_ms: 50,
        used_ms: None,
    }
}

fn logged(act: &str) -> Logged {
    let (by, act) = (String::new(), act.to_owned());
    Logged { n: 0, at_ms: 7, by, act, about: None, detail: None, reason: None }
}

fn founding(guest: &str, name: &str, n: u16) -> Change {
    Change::Found {
        person: guest.to_owned(),
        name: name.to_owned(),
        folded: fold(name),
        credential: password(&format!("password{n}"), "hash"),
        recovery: vec![hash(1), hash(2)],
        session: session(n),
        invitation: None,
        now_ms: DAY,
    }
}

async fn did(store: &Opened, change: Change) -> Result<(), StoreError> {
    store.accounts.change(change, None).await
}

async fn account(store: &Opened, id: &str) -> Account {
    store.accounts.account(Find::Id(id)).await.expect("reads").expect("is there")
}

/// A store with the accounts Ann and Bob and the guest `guest`.
async fn with_people(folder: &tempfile::TempDir) -> Opened {
    let store = store_in(folder).await;
    for (n, id) in [(1, "ann"), (2, "bob"), (3, "guest")] {
        store.people.enroll(person(id, n, None)).await.expect("stored");
    }
    for (n, id, name) in [(11, "ann", "Ann"), (12, "bob", "Bob")] {
        did(&store, founding(id, name, n)).await.expect("becomes an account");
    }
    store
}

#[tokio::test]
async fn a_guest_becomes_an_account_in_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    let ann = account(&store, "ann").await;
    assert_eq!((ann.person.kind, ann.person.name.as_deref()), (StoredPersonKind::Account, Some("Ann")));
    assert_eq!((ann.password(), ann.recovery, ann.sessions.len()), (Some("hash"), 2, 1));
    assert!(
        store.people.person_by(&hash(1)).await.expect("reads").is_none(),
        "the guest's session has ended"
    );
    let (found, who) = store.accounts.session(&secret(11)).await.expect("reads").expect("is there");
    assert_eq!((found.id.as_str(), who.id.as_str(), found.proved_ms), ("session11", "ann", Some(DAY)));
    for (name, change, why) in [
        ("an account again", founding("ann", "Anna", 20), StoreError::Conflict),
        ("nobody", founding("nobody", "Nobody", 21), StoreError::Conflict),
        ("a name that is taken", founding("guest", "Ann", 22), StoreError::Taken),
        ("one that looks like it", founding("guest", "АNN", 23), StoreError::Taken),
        ("a session that is there", founding("guest", "Carl", 12), StoreError::Taken),
    ] {
        assert_eq!(did(&store, change).await, Err(why), "{name}");
        assert_eq!(account(&store, "guest").await.person.kind, StoredPersonKind::Guest, "{name}");
        assert!(
            store.people.person_by(&hash(3)).await.expect("reads").is_some(),
            "{name}: the guest stays signed in"
        );
    }
    for find in [Find::Name(&fold("ann")), Find::Id("ann")] {
        assert_eq!(
            store.accounts.account(find).await.expect("reads").map(|a| a.person.id).as_deref(),
            Some("ann")
        );
    }
    assert!(store.accounts.account(Find::Name(&fold("guest"))).await.expect("reads").is_none());
}

#[tokio::test]
async fn devices_are_signed_in_and_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    let sign_in = |n: u16, used| Change::SignIn {
        person: "ann".to_owned(),
        session: session(n),
        used,
        now_ms: DAY + u64::from(n),
    };
    did(&store, sign_in(30, Some(("password11".to_owned(), None)))).await.expect("signs in");
    assert_eq!(did(&store, sign_in(30, None)).await, Err(StoreError::Taken));
    assert_eq!(account(&store, "ann").await.credentials[0].used_ms, Some(DAY + 30));
    let end = |person: &str, id: &str| Change::EndSession { person: person.to_owned(), id: id.to_owned() };
    assert_eq!(did(&store, end("bob", "session30")).await, Err(StoreError::Missing), "another's session");
    did(&store, end("ann", "session30")).await.expect("ends");
    assert!(store.accounts.session(&secret(30)).await.expect("reads").is_none());
    for n in 100..100 + u16::try_from(MOST_SESSIONS).expect("few") {
        did(&store, sign_in(n, None)).await.expect("signs in");
    }
    let sessions = account(&store, "ann").await.sessions;
    assert_eq!(sessions.len(), MOST_SESSIONS as usize);
    assert!(store.accounts.session(&secret(11)).await.expect("reads").is_none(), "the oldest went");
    did(&store, Change::EndOthers { person: "ann".to_owned(), but: secret(150) }).await.expect("ends");
    assert_eq!(account(&store, "ann").await.sessions.len(), 1);
    assert!(store.accounts.session(&secret(12)).await.expect("reads").is_some(), "Bob stays");
    did(&store, Change::Prove { hash: secret(150), used: None, now_ms: 9 * DAY }).await.expect("proves");
    let (found, _) = store.accounts.session(&secret(150)).await.expect("reads").expect("is there");
    assert_eq!(found.proved_ms, Some(9 * DAY));
    did(&store, Change::SignOut { hash: secret(150) }).await.expect("signs out");
    assert!(account(&store, "ann").await.sessions.is_empty());
}

#[tokio::test]
async fn the_last_way_in_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    let add = |credential| Change::AddCredential { person: "ann".to_owned(), credential };
    let remove = |id: &str| Change::RemoveCredential { person: "ann".to_owned(), id: id.to_owned() };
    assert_eq!(did(&store, remove("password11")).await, Err(StoreError::Conflict));
    assert_eq!(did(&store, remove("password12")).await, Err(StoreError::Missing), "Bob's");
    did(&store, add(passkey("key1"))).await.expect("added");
    assert_eq!(did(&store, add(passkey("key1"))).await, Err(StoreError::Taken));
    let found = store.accounts.account(Find::Passkey(b"key1")).await.expect("reads").expect("is found");
    assert_eq!(found.person.id, "ann");
    did(&store, remove("password11")).await.expect("removed");
    assert_eq!(did(&store, remove("key1")).await, Err(StoreError::Conflict));
    did(&store, add(password("new", "other"))).await.expect("set");
    did(&store, add(password("newer", "third"))).await.expect("set again");
    let ann = account(&store, "ann").await;
    assert_eq!((ann.credentials.len(), ann.password()), (2, Some("third")));
    for n in 2..=MOST_PASSKEYS {
        did(&store, add(passkey(&format!("key{n}")))).await.expect("added");
    }
    assert_eq!(did(&store, add(passkey("one more"))).await, Err(StoreError::Conflict));
}

#[tokio::test]
async fn a_recovery_code_counts_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    let recover = |code, n: u16| Change::Recover {
        person: "ann".to_owned(),
        code: hash(code),
        password: password(&format!("recovered{n}"), "new"),
        session: session(n),
        now_ms: DAY,
    };
    assert_eq!(did(&store, recover(9, 40)).await, Err(StoreError::Missing));
    assert!(store.accounts.session(&secret(11)).await.expect("reads").is_some(), "nothing has happened");
    did(&store, recover(1, 41)).await.expect("lets in");
    let ann = account(&store, "ann").await;
    assert_eq!((ann.password(), ann.recovery, ann.sessions.len()), (Some("new"), 1, 1));
    assert_eq!(did(&store, recover(1, 42)).await, Err(StoreError::Missing));
    did(&store, Change::SetRecovery { person: "ann".to_owned(), hashes: vec![hash(5)] }).await.expect("set");
    assert_eq!(did(&store, recover(2, 43)).await, Err(StoreError::Missing), "an old code");
}

#[tokio::test]
async fn a_name_forwards_and_is_nobody_elses() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    let rename = |person: &str, name: &str, now_ms: u64| Change::Rename {
        person: person.to_owned(),
        name: name.to_owned(),
        folded: fold(name),
        before_ms: now_ms.saturating_sub(30 * DAY),
        now_ms,
    };
    assert_eq!(did(&store, rename("guest", "Carl", 2 * DAY)).await, Err(StoreError::Missing));
    assert_eq!(did(&store, rename("ann", "Вob", 2 * DAY)).await, Err(StoreError::Taken), "looks like Bob");
    did(&store, rename("ann", "Anna", 2 * DAY)).await.expect("signing up was no renaming");
    assert_eq!(did(&store, rename("ann", "Annie", 3 * DAY)).await, Err(StoreError::Conflict), "too soon");
    let found = store.accounts.account(Find::Name(&fold("Ann"))).await.expect("reads").expect("forwards");
    assert_eq!(found.person.name.as_deref(), Some("Anna"));
    assert_eq!(did(&store, founding("guest", "Ann", 50)).await, Err(StoreError::Taken), "a former name");
    did(&store, rename("ann", "Ann", 199 * DAY)).await.expect("back again");
    did(&store, rename("ann", "ANN", 299 * DAY)).await.expect("other capitals");
    let found = store.accounts.account(Find::Name(&fold("anna"))).await.expect("reads").expect("forwards");
    assert_eq!(found.person.name.as_deref(), Some("ANN"));
    for role in [Role::Admin, Role::Moderator] {
        let deed = StaffDeed::SetRole { person: "ann".to_owned(), role, give: true };
        store.staff.decide(deed, logged("role"), true).await.expect("set");
    }
    assert_eq!(account(&store, "ann").await.roles, [Role::Moderator, Role::Admin]);
}

#[tokio::test]
async fn tokens_are_found_by_their_secret_and_taken_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    let add = |n: u16| Change::AddToken {
        person: "ann".to_owned(),
        hash: secret(1000 + n),
        token: token(&format!("token{n}")),
    };
    did(&store, add(0)).await.expect("kept");
    assert_eq!(did(&store, add(0)).await, Err(StoreError::Taken));
    let (found, who) = store.accounts.token(&secret(1000)).await.expect("reads").expect("is there");
    assert_eq!((found, who.id.as_str()), (token("token0"), "ann"));
    did(&store, Change::TokenUsed { hash: secret(1000), now_ms: 9 }).await.expect("noted");
    assert_eq!(account(&store, "ann").await.tokens[0].used_ms, Some(9));
    let remove = |person: &str| Change::RemoveToken { person: person.to_owned(), id: "token0".to_owned() };
    assert_eq!(did(&store, remove("bob")).await, Err(StoreError::Missing));
    did(&store, remove("ann")).await.expect("taken back");
    assert!(store.accounts.token(&secret(1000)).await.expect("reads").is_none());
    for n in 1..=u16::try_from(MOST_TOKENS).expect("few") {
        did(&store, add(n)).await.expect("kept");
    }
    assert_eq!(did(&store, add(999)).await, Err(StoreError::Conflict));
}

#[tokio::test]
async fn what_is_noted_stands_with_the_change_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    let note = |at_ms| Note { detail: Some("x".to_owned()), ..Note::new("ann", Act::SignedIn, at_ms) };
    for at_ms in 0..u64::from(MOST_NOTES) + 20 {
        store.accounts.change(Change::Note, Some(note(at_ms))).await.expect("noted");
    }
    let gone = Change::EndSession { person: "ann".to_owned(), id: "none".to_owned() };
    assert_eq!(store.accounts.change(gone, Some(note(9999))).await, Err(StoreError::Missing));
    let all = store.accounts.noted(Some("ann"), None, 9999).await.expect("reads");
    assert_eq!(all.len(), MOST_NOTES as usize);
    assert_eq!(all[0].1, note(u64::from(MOST_NOTES) + 19));
    let page = store.accounts.noted(None, Some(all[1].0), 2).await.expect("reads");
    assert_eq!(page, all[2..4]);
}

fn seat(who: &str, stage: Stage) -> Standing {
    Standing { stage, seats: [Some(who.to_owned()), None] }
}

#[tokio::test]
async fn a_closed_account_leaves_its_games_and_not_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    for n in 0..120 {
        let log = vec![pair(1, "ann", "Ann"), pair(2, "bob", "Bob")];
        store
            .logs
            .create(&format!("t{n}"), &setup(None), log, seat("ann", Stage::Over))
            .await
            .expect("stored");
    }
    let note = Note::new("ann", Act::Closed, 1);
    store
        .accounts
        .change(Change::Close { person: "ann".to_owned() }, Some(note.clone()))
        .await
        .expect("closed");
    let ann = account(&store, "ann").await;
    assert_eq!((ann.person.kind, ann.person.name.as_deref()), (StoredPersonKind::Closed, None));
    assert_eq!((ann.credentials.len(), ann.sessions.len(), ann.recovery), (0, 0, 0));
    assert_eq!(store.accounts.noted(Some("ann"), None, 9).await.expect("reads").len(), 1);
    assert_eq!(
        did(&store, founding("guest", "Ann", 60)).await,
        Err(StoreError::Taken),
        "not given out again"
    );
    assert_eq!(store.accounts.closing().await.expect("reads"), ["ann"]);
    // A hall that stopped here goes on later.
    let mut rewritten = store.accounts.scrub("ann").await.expect("goes on").len();
    store.condition.close().await;
    let store = store_in(&folder).await;
    loop {
        match store.accounts.scrub("ann").await.expect("goes on").len() {
            0 => break,
            more => rewritten += more,
        }
    }
    assert_eq!(rewritten, 120);
    assert!(store.accounts.closing().await.expect("reads").is_empty());
    let names: Vec<Option<String>> = store
        .logs
        .load("t77")
        .await
        .expect("reads")
        .expect("is there")
        .log
        .into_iter()
        .map(|entry| match entry.event {
            table::Event::Sit { who, .. } => who.name,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(names, [None, Some("Bob".to_owned())]);
    if common::is_postgres() {
        return;
    }
    let report = store::check(folder.path(), None).await.expect("reads");
    assert!(report.is_whole(), "{report:?}");
    // Of an open database the file may be behind, and the write-ahead log full of what was.
    store.condition.close().await;
    assert!(!folder.path().join("hall.db-wal").exists());
    let bytes = std::fs::read(folder.path().join("hall.db")).expect("reads");
    assert!(bytes.windows(5).any(|five| five == b"\"Bob\""), "logs hold names");
    assert!(!bytes.windows(5).any(|five| five == b"\"Ann\""), "no log holds the name");
}

#[tokio::test]
async fn a_guest_s_games_go_to_the_account() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    let tables = [
        ("alone", vec![pair(1, "guest", "G"), pair(2, "bob", "Bob")], "guest"),
        ("with bob", vec![pair(1, "guest", "G"), pair(2, "ann", "Ann")], "guest"),
        ("bob's", vec![pair(1, "bob", "Bob")], "bob"),
    ];
    for (id, log, first) in tables {
        store.logs.create(id, &setup(None), log, seat(first, Stage::Playing)).await.expect("stored");
    }
    assert_eq!(store.accounts.merge("bob", "ann").await, Err(StoreError::Missing), "no guest");
    assert_eq!(store.accounts.merge("guest", "nobody").await, Err(StoreError::Missing));
    assert_eq!(merged(&store, "guest", "ann").await, Ok(vec!["alone".to_owned()]));
    assert_eq!(store.tables.playing("ann", 9).await.expect("reads"), ["alone"]);
    assert_eq!(store.tables.playing("guest", 9).await.expect("reads"), ["with bob"], "both sat there");
    assert!(
        store.people.person_by(&hash(3)).await.expect("reads").is_none(),
        "the guest's device is the account's now"
    );
    assert_eq!(store.tables.tables_of("ann", "", 9).await.expect("reads"), ["alone", "with bob"]);
    if common::is_postgres() {
        return;
    }
    let report = store::check(folder.path(), None).await.expect("reads");
    assert!(report.is_whole(), "{report:?}");
}

/// Returns a log of `entries` entries, all with commands of `of`.
fn long_log(of: &str, entries: u64) -> Vec<Entry> {
    let by = |ver| Entry {
        cmd: Some(Command { person: of.to_owned(), id: format!("c{ver}") }),
        ..common::entry(ver, None)
    };
    [pair(1, of, "G"), pair(2, "bob", "Bob")].into_iter().chain((3..=entries).map(by)).collect()
}

/// The games of a guest move in parts. One commit rewrote all logs of a guest before, and the moves of all tables
/// waited for it.
#[tokio::test]
async fn many_games_of_a_guest_go_in_parts() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = with_people(&folder).await;
    let sizes = [("a", 2000, Stage::Over), ("b", 2900, Stage::Over), ("c", 3000, Stage::Over)];
    let more = [("d", 6000, Stage::Over), ("e", 10, Stage::Playing), ("f", 20, Stage::Over)];
    for (id, entries, stage) in sizes.into_iter().chain(more) {
        let standing = Standing { stage, seats: [Some("guest".to_owned()), Some("bob".to_owned())] };
        store.logs.create(id, &setup(None), long_log("guest", entries), standing).await.expect("stored");
    }
    store
        .logs
        .create(
            "both",
            &setup(None),
            vec![pair(1, "guest", "G"), pair(2, "ann", "Ann")],
            seat("guest", Stage::Over),
        )
        .await
        .expect("stored");
    store
        .logs
        .create("bob's", &setup(None), vec![pair(1, "bob", "Bob")], seat("bob", Stage::Playing))
        .await
        .expect("stored");
    store.accounts.merge("guest", "ann").await.expect("begins");
    assert!(
        store.people.person_by(&hash(3)).await.expect("reads").is_none(),
        "before the first game is moved"
    );
    assert_eq!(
        store.accounts.merge("guest", "bob").await,
        Err(StoreError::Missing),
        "they go to one account"
    );
    assert_eq!(did(&store, founding("guest", "Eve", 70)).await, Err(StoreError::Conflict));
    let mut parts = Vec::new();
    let mut ver = 1;
    while let Some(part) = store.accounts.merge_part("guest").await.expect("goes on") {
        parts.push(part.join(" "));
        // Others get in between.
        ver += 1;
        store.logs.append("bob's", entry(ver, Some("bob")), None).await.expect("stored");
        // A player at an old table offers a rematch, and the guest is seated at a new one.
        if parts.len() == 3 {
            store
                .logs
                .create("aa", &setup(None), long_log("guest", 5), seat("guest", Stage::Over))
                .await
                .expect("stored");
            // A hall that stops here goes on later.
            store.condition.close().await;
            store = store_in(&folder).await;
            let waiting = [("guest".to_owned(), "ann".to_owned())];
            assert_eq!(store.accounts.merging().await.expect("reads"), waiting);
        }
    }
    assert_eq!(parts, ["e", "a b", "c", "d", "f", "aa"], "5000 entries at most, or one log");
    assert_eq!(store.accounts.merging().await.expect("reads"), []);
    for (id, entries, _) in sizes.into_iter().chain(more) {
        let log = store.logs.load(id).await.expect("is whole").expect("is there").log;
        assert_eq!(log, long_log("ann", entries), "{id}");
    }
    let all = ["a", "aa", "b", "both", "c", "d", "e", "f"];
    assert_eq!(store.tables.tables_of("ann", "", 99).await.expect("reads"), all);
    assert_eq!(store.tables.tables_of("guest", "", 99).await.expect("reads"), ["both"]);
    assert_eq!(store.tables.playing("ann", 9).await.expect("reads"), ["e"]);
    if common::is_postgres() {
        return;
    }
    store.condition.close().await;
    let report = store::check(folder.path(), None).await.expect("reads");
    assert!(report.is_whole(), "{report:?}");
}

/// A player at the table can move while its log is rewritten.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moves_go_on_while_a_game_goes_to_the_account() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    store
        .logs
        .create("a", &setup(None), long_log("guest", 3000), seat("guest", Stage::Playing))
        .await
        .expect("stored");
    store.accounts.merge("guest", "ann").await.expect("begins");
    let merging = tokio::spawn({
        let store = store.clone();
        async move { while store.accounts.merge_part("guest").await.expect("goes on").is_some() {} }
    });
    let mut ver = 3000;
    while !merging.is_finished() {
        ver += 1;
        store.logs.append("a", entry(ver, None), None).await.expect("stored");
    }
    merging.await.expect("ends");
    let log = store.logs.load("a").await.expect("is whole").expect("is there").log;
    assert_eq!(log.len() as u64, ver);
    assert_eq!(log[..3000], long_log("ann", 3000));
}

/// An account that is closed while the games of a guest are on their way gets no more of them.
#[tokio::test]
async fn an_account_that_is_closed_gets_no_more_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    store
        .logs
        .create("a", &setup(None), long_log("guest", 5), seat("guest", Stage::Over))
        .await
        .expect("stored");
    store.accounts.merge("guest", "ann").await.expect("begins");
    did(&store, Change::Close { person: "ann".to_owned() }).await.expect("closed");
    assert_eq!(store.accounts.merge_part("guest").await, Ok(None));
    assert_eq!(store.tables.tables_of("guest", "", 9).await.expect("reads"), ["a"]);
}

/// A part is limited by the number of entries, not of tables: a table may have 20 000.
#[tokio::test]
async fn names_are_taken_out_of_few_entries_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    for id in ["a", "b", "c"] {
        let standing = seat("ann", Stage::Over);
        store.logs.create(id, &setup(None), long_log("ann", 3000), standing).await.expect("stored");
    }
    did(&store, Change::Close { person: "ann".to_owned() }).await.expect("closed");
    for part in ["a", "b", "c"] {
        assert_eq!(store.accounts.scrub("ann").await, Ok(vec![part.to_owned()]));
    }
    assert_eq!(store.accounts.scrub("ann").await, Ok(vec![]));
}

/// Rooms of guests do not hide the rooms of others. The newest thousand were listed after a restart before, no matter
/// whose they were.
#[tokio::test]
async fn nobodys_rooms_hide_those_of_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    let rooms = |who: &'static str, count: u64, created_ms: u64| {
        (0..count).map(move |n| (format!("{who}{n}"), who, created_ms + n))
    };
    for (id, who, created_ms) in
        rooms("guest", 2, 3000).chain(rooms("ann", 32, 2000)).chain(rooms("bob", 1, 10))
    {
        let setup = Setup { created_ms, ..setup(Some(&id)) };
        store.logs.create(&id, &setup, vec![], seat(who, Stage::Waiting)).await.expect("stored");
    }
    let listed = store.tables.waiting_tables(0, 99).await.expect("reads");
    assert_eq!(listed[..3], ["ann31", "bob0", "ann30"]);
    assert_eq!(listed[31..], ["guest1", "guest0", "ann1", "ann0"]);
}

#[tokio::test]
async fn accounts_outlive_forgetting() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = with_people(&folder).await;
    let program = NewPerson { kind: StoredPersonKind::Program, ..person("bot", 7, Some("bot")) };
    store.people.enroll(program).await.expect("stored");
    store.logs.create("open", &setup(None), vec![], WAITING).await.expect("stored");
    let forgotten = store.upkeep.forget(store::Retention::default(), 9999 * DAY).await.expect("done");
    assert_eq!(forgotten.guests, 1);
    for (id, there) in [("ann", true), ("bot", true), ("guest", false)] {
        assert_eq!(store.accounts.account(Find::Id(id)).await.expect("reads").is_some(), there, "{id}");
    }
}
