//! `qiguan admin` on the data of a hall of the built program.

mod running;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use client::Guest;
use running::{Hall, on_one_screen};
use serde_json::Value;
use store::Store;
use table::{Entry, Event, Setup, Stage, Standing};
use wire::{Act, ClientMessage, ClockSpec, How, ServerMessage, Side};

fn qiguan(language: &str, args: &[&str], data: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiguan"));
    command.args(args).arg("--data").arg(data).env("LANG", language).env("RUST_LOG", "off");
    command.output().expect("the program was built with this test")
}

/// Returns the output on both standard output and standard error.
fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

fn admin(args: &[&str], data: &Path) -> (bool, String) {
    let args: Vec<&str> = std::iter::once("admin").chain(args.iter().copied()).collect();
    let output = qiguan("en_US.UTF-8", &args, data);
    (output.status.success(), said(&output))
}

/// Checks that the command fails with `words`, and in Chinese with a sentence: none is only a key, none is missing.
fn refused(args: &[&str], data: &Path, words: &str) {
    let (fine, text) = admin(args, data);
    assert!(!fine && text.contains(words), "{args:?}: {text}");
    let args: Vec<&str> = std::iter::once("admin").chain(args.iter().copied()).collect();
    let output = qiguan("zh_CN.UTF-8", &args, data);
    let text = said(&output);
    assert!(!output.status.success() && text.contains('。') && !text.contains("cli-"), "{args:?}: {text}");
}

/// Opens a table of every game, plays some gomoku, and returns the table of that.
async fn play(url: &str) -> (Guest, String) {
    let guest = Guest::enter(url).await.expect("a guest");
    let maps = guest.get("/api/maps").await.expect("maps");
    let map = maps[0]["id"].as_str().expect("a map");
    for entry in catalog::ENTRIES.iter() {
        let wish = on_one_screen(entry.key, entry.needs_map().then_some(map));
        guest.open(&wish).await.expect("a table");
    }
    let id = guest.open(&on_one_screen("gomoku/standard", None)).await.expect("a table").id;
    let mut line = guest.connect(&id, None).await.expect("connects");
    let ServerMessage::Full { v: mut ver, .. } = line.hear().await.expect("everything") else {
        panic!("a table begins with everything")
    };
    for (i, text) in ["h8", "h9", "i8", "i9"].into_iter().enumerate() {
        let act = Act::Move { text: text.to_owned(), away: false };
        line.say(&ClientMessage::Do { cmd: format!("command-{i}"), ver, act }).await.expect("connected");
        ver = loop {
            match line.hear().await.expect("connected") {
                ServerMessage::Ev(happened) => break happened.v,
                ServerMessage::No { why, .. } => panic!("{why:?}"),
                _ => {}
            }
        };
    }
    (guest, id)
}

async fn log(guest: &Guest, id: &str) -> Value {
    guest.get(&format!("/api/tables/{id}/log?since=0")).await.expect("the log")
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(work)
}

/// Copies the files of a killed hall, so that one kind of damage can be tried after the other.
fn copy(from: &Path) -> tempfile::TempDir {
    let to = tempfile::tempdir().expect("a folder");
    for name in ["hall.db", "hall.db-wal", "hall.tip"] {
        let source = from.join(name);
        if source.exists() {
            std::fs::copy(source, to.path().join(name)).expect("copies");
        }
    }
    to
}

fn change(file: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(file).expect("reads");
    change(&mut bytes);
    std::fs::write(file, bytes).expect("writes");
}

#[test]
fn a_backup_of_a_running_hall_is_restored_elsewhere() {
    let data = tempfile::tempdir().expect("a folder");
    let other = tempfile::tempdir().expect("a folder");
    let backup = other.path().join("hall.backup");
    let file = backup.to_str().expect("UTF-8");
    let mut hall = Hall::start(data.path());
    let (guest, id) = block_on(play(&hall.url));
    let before = block_on(log(&guest, &id));

    let tables = catalog::ENTRIES.len() + 1;
    // The library is kept up by the hall; the puzzles are made with the starter's when they are first asked for.
    let puzzles = |folder: &Path| said(&qiguan("en_US.UTF-8", &["puzzles", "info"], folder));
    let known = puzzles(data.path());
    assert!(known.contains("xiangqi 28") && data.path().join("library.sqlite").exists(), "{known}");
    let (fine, text) = admin(&["check"], data.path());
    assert!(fine && text.contains("A hall uses") && text.contains(&format!("{tables} tables")), "{text}");
    let (fine, text) = admin(&["backup", file], data.path());
    assert!(fine && text.contains(&format!("{tables} tables")), "{text}");
    let nowhere = other.path().join("no/such");
    let nowhere = nowhere.to_str().expect("UTF-8");
    for name in ["", ".library.sqlite", ".puzzles.sqlite"] {
        let file = other.path().join(format!("hall.backup{name}"));
        let known = std::fs::metadata(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        // H8: everybody on the machine could read them.
        #[cfg(unix)]
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&known.permissions()) & 0o777, 0o600, "{name}");
        assert!(known.is_file());
    }
    refused(&["backup", file], data.path(), "already exists");
    refused(&["backup", nowhere], data.path(), "There is no folder");
    refused(&["restore", file], data.path(), "Stop it first");
    refused(&["restore", file, "--replace"], data.path(), "Stop it first");
    refused(&["pardon", &id], data.path(), "Stop it first");
    refused(&["accept-damage"], data.path(), "Stop it first");
    refused(&["move", "--store", "postgres://x"], data.path(), "Stop it first");
    hall.kill();
    refused(&["move"], data.path(), "createdb");
    let (fine, text) = admin(&["move", "--store", "mysql://x"], data.path());
    assert!(!fine && text.contains("postgres://user:password@host:5432/database"), "{text}");
    refused(&["move", "--store", "postgres://x"], &other.path().join("void"), "no data of a hall");
    refused(&["restore", file], data.path(), "is not empty");
    refused(&["restore", nowhere], data.path(), "There is no file");
    for args in [&["check"][..], &["backup", nowhere], &["pardon", &id], &["accept-damage"]] {
        refused(args, &other.path().join("void"), "no data of a hall");
    }
    assert!(!other.path().join("void").exists());
    let letter = other.path().join("letter");
    std::fs::write(&letter, "no database ".repeat(500)).expect("writes");
    let void = tempfile::tempdir().expect("a folder");
    refused(&["restore", letter.to_str().expect("UTF-8")], void.path(), "not a complete backup");

    // What was killed is whole, and is moved aside.
    std::fs::remove_file(data.path().join("puzzles.sqlite")).expect("removes");
    let (fine, text) = admin(&["check"], data.path());
    assert!(fine && text.contains(&format!("{tables} tables")), "{text}");
    let (fine, text) = admin(&["restore", file, "--replace"], data.path());
    assert!(fine, "{text}");
    for folder in [data.path().to_owned(), other.path().join("new")] {
        if folder != data.path() {
            let (fine, text) = admin(&["restore", file], &folder);
            assert!(fine && text.contains(&format!("{tables} tables")), "{text}");
        }
        let (fine, text) = admin(&["check"], &folder);
        assert!(fine && text.contains(&format!("{tables} tables")), "{text}");
        assert!(folder.join("library.sqlite").exists());
        assert_eq!(puzzles(&folder), known);
        let hall = Hall::start(&folder);
        let stranger = block_on(Guest::enter(&hall.url)).expect("a guest");
        assert_eq!(block_on(log(&stranger, &id)), before);
    }
}

/// A hall had to be stopped for a key, and nothing said who made it.
#[test]
fn keys_of_workers_are_made_beside_a_running_hall_and_without_one() {
    let data = tempfile::tempdir().expect("a folder");
    let mut hall = Hall::start(data.path());
    let mut ids = Vec::new();
    for runs in [true, false] {
        if !runs {
            hall.kill();
        }
        let (fine, text) = admin(&["worker-key", "add", "laptop", "--scope", "study"], data.path());
        assert!(fine && text.contains("qw_"), "{text}");
        let (fine, listed) = admin(&["worker-key", "list"], data.path());
        let id = listed.split_whitespace().next().expect("an id").to_owned();
        assert!(fine && listed.lines().count() == 1 && listed.contains("study  laptop"), "{listed}");
        let (fine, text) = admin(&["worker-key", "restore", &id], data.path());
        assert!(fine, "{text}");
        let (fine, text) = admin(&["worker-key", "remove", &id], data.path());
        assert!(fine, "{text}");
        refused(&["worker-key", "remove", &id], data.path(), "There is no worker's key of that id");
        refused(&["worker-key", "add", " "], data.path(), "1 to 60 characters");
        ids.push(id);
        let (_, log) = admin(&["audit"], data.path());
        let acts: Vec<&str> = log.lines().filter_map(|line| line.split('\t').nth(3)).collect();
        let each = ["worker-key-remove", "worker-key-restore", "worker-key-make"];
        assert_eq!(acts, each.repeat(ids.len()), "{log}");
        assert!(ids.iter().all(|id| log.contains(&format!("{id} laptop"))) && !log.contains("qw_"), "{log}");
    }
}

/// A change and an invitation in one command are both done; once the change was dropped without a word.
#[test]
fn who_may_come_is_changed_and_an_invitation_made_by_one_command() {
    let data = tempfile::tempdir().expect("a folder");
    drop(Hall::start(data.path()));
    let (fine, text) = admin(&["registration", "invited", "--invite", "30", "--days", "7"], data.path());
    assert!(fine, "{text}");
    assert!(text.lines().any(|line| line.split('\t').nth(1) == Some("30")), "{text}");
    let (fine, now) = admin(&["registration"], data.path());
    assert!(fine && now.starts_with("invited\tguests"), "{now}");
    let (fine, text) = admin(&["registration", "--accounts-only", "--invite", "1"], data.path());
    assert!(fine, "{text}");
    let (fine, now) = admin(&["registration"], data.path());
    assert!(fine && now.starts_with("invited\taccounts-only"), "{now}");
    // What was made is in the list, and can be revoked.
    let args = ["registration", "--invite", "2", "--label", "club"];
    let (fine, text) = admin(&args, data.path());
    assert!(fine, "{text}");
    let (fine, list) = admin(&["invitations"], data.path());
    let club = list.lines().find(|line| line.ends_with("\tclub")).expect("the invitation is listed");
    assert!(fine && list.lines().count() == 3 && club.contains("\t0/2\t"), "{list}");
    let id = club.split('\t').next().expect("an id");
    assert!(admin(&["invitations", "--revoke", id], data.path()).0);
    refused(&["invitations", "--revoke", id], data.path(), "no such invitation");
    let (_, list) = admin(&["invitations"], data.path());
    assert!(list.lines().count() == 2 && !list.contains("club"), "{list}");
}

/// A wide range names the option that confirms it, and a ban is lifted by the range it was made with.
#[test]
fn addresses_are_banned_and_let_in_again_by_name() {
    let data = tempfile::tempdir().expect("a folder");
    drop(Hall::start(data.path()));
    refused(&["ban", "10.0.0.0/12", "--days", "1"], data.path(), "--wide");
    for range in ["10.0.0.0/12", "192.0.2.7", "192.0.2.0/24"] {
        let (fine, text) = admin(&["ban", range, "--days", "1", "--wide"], data.path());
        assert!(fine && text.contains("for one day."), "{text}");
    }
    let (fine, text) = admin(&["unban", "192.0.2.7"], data.path());
    assert!(fine, "{text}");
    let (_, bans) = admin(&["bans"], data.path());
    assert!(bans.lines().count() == 2 && !bans.contains("192.0.2.7/32"), "{bans}");
    refused(&["unban", "192.0.2.9"], data.path(), "192.0.2.9/32");
    refused(&["unban", "192.0.2.0/99"], data.path(), "192.0.2.0/99");
    refused(&["person", "nobody"], data.path(), "no account called");
    refused(&["decide", "nobody", "warn"], data.path(), "no account called");
    refused(&["report", "7", "nothing"], data.path(), "report");
    let (fine, text) = admin(&["hits", "192.0.2.7"], data.path());
    assert!(fine && text == "192.0.2.7/32\t0\t0\n", "{text}");
    for list in [&["reports"][..], &["take-down"], &["search", "nobody"]] {
        let (fine, text) = admin(list, data.path());
        assert!(fine && text.is_empty(), "{list:?}: {text}");
    }
}

#[test]
fn damage_is_found_and_said() {
    let data = tempfile::tempdir().expect("a folder");
    let mut hall = Hall::start(data.path());
    block_on(play(&hall.url));
    hall.kill();

    // The log of writes, where the last of the data are.
    let harmed = copy(data.path());
    change(&harmed.path().join("hall.db-wal"), |bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x40;
    });
    refused(&["check"], harmed.path(), "write-ahead log is damaged");
    let start = ["serve", "--listen", "127.0.0.1:0"];
    for (language, words) in [("en_US.UTF-8", "are damaged"), ("zh_CN.UTF-8", "已损坏")] {
        let output = qiguan(language, &start, harmed.path());
        let text = said(&output);
        assert!(!output.status.success() && text.contains(words), "{text}");
        for command in ["qiguan admin check", "qiguan admin restore", "qiguan admin accept-damage"] {
            assert!(text.contains(command), "{text}");
        }
    }
    let (fine, text) = admin(&["accept-damage"], harmed.path());
    assert!(fine, "{text}");
    drop(Hall::start(harmed.path()));
    for name in ["hall.db-wal", "hall.db"] {
        let harmed = copy(data.path());
        std::fs::remove_file(harmed.path().join(name)).expect("removes");
        refused(&["check"], harmed.path(), "damaged");
    }

    // One letter of one move in the database; a closed store has no other file.
    let closed = copy(data.path());
    block_on(async { Store::open(closed.path()).await.expect("opens").condition.close().await });
    let harmed = copy(closed.path());
    change(&harmed.path().join("hall.db"), |bytes| {
        let places: Vec<usize> =
            bytes.windows(4).enumerate().filter(|(_, w)| w == b"\"i9\"").map(|(i, _)| i).collect();
        assert!(!places.is_empty(), "the move is there");
        places.into_iter().for_each(|place| bytes[place + 1] = b'j');
    });
    refused(&["check"], harmed.path(), "is not what was written");
    let harmed = copy(closed.path());
    change(&harmed.path().join("hall.db"), |bytes| bytes[..4096].fill(7));
    refused(&["check"], harmed.path(), "hall.db");

    // The number of the schema: https://www.sqlite.org/fileformat.html, "user version".
    let newer = copy(closed.path());
    change(&newer.path().join("hall.db"), |bytes| bytes[60..64].copy_from_slice(&99_u32.to_be_bytes()));
    refused(&["check"], newer.path(), "newer version");
    let text = said(&qiguan("en_US.UTF-8", &start, newer.path()));
    assert!(text.contains("newer version") && text.contains("99"), "{text}");
}

#[test]
fn a_log_against_the_rules_is_found_and_a_table_is_pardoned() {
    let data = tempfile::tempdir().expect("a folder");
    let mut hall = Hall::start(data.path());
    let (guest, id) = block_on(play(&hall.url));
    let ver = block_on(log(&guest, &id)).as_array().expect("a list").len() as u64;
    hall.kill();
    let harmed = copy(data.path());
    block_on(async {
        let store = Store::open(harmed.path()).await.expect("opens");
        let event = Event::Move { by: Side::First, text: "h8".to_owned(), away: false };
        let entry = Entry { ver: ver + 1, at_ms: 1, cmd: None, spent_ms: None, event };
        store.logs.append(&id, entry, None).await.expect("stored");
        store.condition.close().await;
    });
    refused(&["check"], harmed.path(), "does not follow the rules");
    let (_, text) = admin(&["check"], harmed.path());
    assert!(text.contains(&id), "{text}");

    refused(&["pardon", "nowhere"], data.path(), "There is no table");
    let (fine, text) = admin(&["pardon", &id], data.path());
    assert!(fine && text.contains("no failures"), "{text}");
    block_on(async {
        let store = Store::open(data.path()).await.expect("opens");
        for _ in 0..3 {
            store.tables.strike(&id).await.expect("stored");
        }
        store.condition.close().await;
    });
    let mut hall = Hall::start(data.path());
    let stranger = block_on(Guest::enter(&hall.url)).expect("a guest");
    assert!(block_on(stranger.get(&format!("/api/tables/{id}"))).is_err(), "it is closed");
    hall.kill();
    let (fine, text) = admin(&["pardon", &id], data.path());
    assert!(fine && text.contains("opens again"), "{text}");
    let hall = Hall::start(data.path());
    let stranger = block_on(Guest::enter(&hall.url)).expect("a guest");
    block_on(stranger.get(&format!("/api/tables/{id}"))).expect("it is open");
}

/// A write beyond the file size limit (SIGXFSZ) does not end the hall, and its error is not reported as a full disk
/// (A12).
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_may_not_grow_is_named_and_ends_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut hall = Hall::start_with(folder.path(), &["--limits", "off"]);
    block_on(async {
        let guest = Guest::enter(&hall.url).await.expect("a guest");
        let health = async || {
            let answer = reqwest::get(format!("{}/health", hall.url)).await.expect("answers");
            (answer.status().as_u16(), answer.text().await.expect("text"))
        };
        let wish = on_one_screen("gomoku/standard", None);
        guest.open(&wish).await.expect("a table");
        // The log is written back into the database when it is full, until that may not grow either.
        let database = std::fs::metadata(folder.path().join("hall.db")).expect("is there").len();
        hall.limit_files(Some(database + 8_192));
        let mut kept = Vec::new();
        let text = loop {
            match guest.open(&wish).await {
                Ok(table) => kept.push(table.id),
                Err(_) => {
                    let (status, text) = health().await;
                    if status != 200 {
                        break text;
                    }
                }
            }
            assert!(kept.len() < 1_000, "the limit is not felt");
        };
        assert!(text.contains("files of at most"), "{text}");
        for id in &kept {
            guest.get(&format!("/api/tables/{id}")).await.expect("what was acknowledged can be read");
        }
        hall.limit_files(None);
        let begun = std::time::Instant::now();
        while health().await.0 != 200 {
            assert!(begun.elapsed() < std::time::Duration::from_secs(20), "it does not write again");
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        }
        guest.open(&wish).await.expect("a table");
    });
    assert!(hall.is_alive());
}

/// A table that was stored before its game had an option is read as it was played, by the check and by the hall (H7).
#[test]
fn a_stored_table_without_an_option_is_read_as_it_was_played() {
    let data = tempfile::tempdir().expect("a folder");
    let mut hall = Hall::start(data.path());
    block_on(Guest::enter(&hall.url)).expect("a guest");
    hall.kill();
    let games: Vec<_> = catalog::ENTRIES.iter().filter(|entry| !entry.needs_map()).collect();
    let id = |i: usize| format!("old{i}0000000");
    block_on(async {
        let store = Store::open(data.path()).await.expect("opens");
        for (i, entry) in games.iter().enumerate() {
            let setup = Setup {
                game: entry.key.to_owned(),
                options: BTreeMap::new(),
                map: None,
                fen: None,
                how: How::Invite,
                room: None,
                clock: ClockSpec::None,
                rated: false,
                created_ms: 1,
                heading: None,
            };
            let standing = Standing { stage: Stage::Waiting, seats: [None, None] };
            store.logs.create(&id(i), &setup, Vec::new(), standing).await.expect("stored");
        }
        let bad = Setup {
            game: "xiangqi".to_owned(),
            options: [("move-limit".to_owned(), -7)].into(),
            ..store.logs.load(&id(0)).await.expect("reads").expect("is there").setup
        };
        let standing = Standing { stage: Stage::Waiting, seats: [None, None] };
        store.logs.create("bad0000000", &bad, Vec::new(), standing).await.expect("stored");
        store.condition.close().await;
    });
    let output = qiguan("en_US.UTF-8", &["admin", "check"], data.path());
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("table bad0000000") && text.contains("move-limit"), "{text}");
    assert!((0..games.len()).all(|i| !text.contains(&id(i))) && !text.contains("panicked"), "{text}");
    let hall = Hall::start(data.path());
    let guest = block_on(Guest::enter(&hall.url)).expect("a guest");
    for i in 0..games.len() {
        block_on(guest.get(&format!("/api/tables/{}", id(i)))).expect("is shown");
    }
    assert!(block_on(guest.get("/api/tables/bad0000000")).is_err(), "it is damaged");
    assert!(block_on(guest.get("/api/games")).is_ok(), "and nothing else");
}
