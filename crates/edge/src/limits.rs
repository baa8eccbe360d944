//! Limits on requests: one table of numbers, and the buckets that count the requests.
//!
//! Each number is a key of the section `[limits]` of the file that `qiguan serve --config` reads. `docs/limits.md` is
//! written from this table; a test fails when it is stale.

use std::fmt::Write;
use std::ops::Deref;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Deserialize;
use tokio::time::Instant;

use crate::budget::{Bucket, Budget, Quota, Wait};
use crate::network::{Asker, Network};

/// A row of the table of limits.
struct Row {
    name: &'static str,
    usual: String,
    unit: &'static str,
    meaning: String,
}

macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $name:ident: $kind:ty = $usual:expr, $unit:literal;)*) => {
        /// The numbers. What a bucket holds may be asked at once; empty, it is full again after its `_refill_s`. An
        /// address is one of IPv4, or a /64 of IPv6.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Limits {
            $($(#[doc = $doc])+ pub $name: $kind,)*
        }

        impl Default for Limits {
            fn default() -> Self {
                Limits { $($name: $usual,)* }
            }
        }

        fn rows() -> Vec<Row> {
            let usual = Limits::default();
            vec![$(Row {
                name: stringify!($name),
                usual: usual.$name.to_string(),
                unit: $unit,
                meaning: [$($doc),+].map(str::trim).join(" "),
            },)*]
        }
    };
}

/// Limits that decide how large things are made when a hall opens: a change takes effect at the next start.
const AT_START: &[&str] = &[
    "all_connections",
    "reserved_descriptors",
    "raw_connections",
    "head_bytes",
    "head_seconds",
    "idle_seconds",
    "answer_seconds",
    "workers",
    "workers_waiting",
    "work_seconds",
    "searches",
    "searches_waiting",
    "games_waiting",
    "pictures_bytes",
    "file_bytes",
    "body_bytes",
];

/// The limits in use, which the keeper may replace while the hall is open. Replaced limits stay in memory, so that
/// reading a limit needs no lock; each change adds about a kilobyte.
#[derive(Debug)]
pub struct Live {
    limits: Limits,
    newer: OnceLock<Box<Live>>,
}

impl Live {
    /// Creates the limits in use from those that a hall opens with.
    #[must_use]
    pub fn new(limits: Limits) -> Live {
        Live { limits, newer: OnceLock::new() }
    }

    /// Replaces the limits; those that are fixed at the start of a hall stay as they were.
    pub fn replace(&self, limits: Limits) {
        if **self == limits {
            return;
        }
        let mut last = self;
        let mut new = Box::new(Live::new(limits));
        // Another change at the same moment comes before.
        loop {
            match last.newer.set(new) {
                Ok(()) => return,
                Err(back) => {
                    new = back;
                    let Some(newer) = last.newer.get() else { return };
                    last = newer;
                }
            }
        }
    }
}

impl Deref for Live {
    type Target = Limits;

    fn deref(&self) -> &Limits {
        let mut last = self;
        while let Some(newer) = last.newer.get() {
            last = newer;
        }
        &last.limits
    }
}

/// Returns every limit: its name, whether it is a switch, whether a running hall follows a change of it, and its
/// meaning.
#[must_use]
pub fn keys() -> Vec<(&'static str, bool, bool, String)> {
    let key = |row: Row| (row.name, row.name == "on", !AT_START.contains(&row.name), row.meaning);
    rows().into_iter().map(key).collect()
}

/// Bytes that an event takes on the disk beside its text.
const EVENT_BYTES: u64 = 200;

limits! {
    /// Limits on clients in force; `false` only for measurements on one's own machine.
    on: bool = true, "";

    /// Connections of all addresses; fewer where the system allows fewer descriptors. Where one more would be too many, the
    /// address with the most silent connections loses one.
    all_connections: u32 = 20_000, "connections";
    /// Descriptors that connections leave to the store and to engines; never more than half of what the system allows.
    reserved_descriptors: u32 = 256, "descriptors";
    /// Less room than this on the disk, and no table, record or map is taken any more; running games go on.
    free_disk_bytes: u64 = 268_435_456, "bytes";
    /// Connections of one address, of any kind. Not counted behind a proxy.
    raw_connections: u32 = 800, "connections";
    /// WebSockets of one address.
    connections: u32 = 400, "connections";
    /// WebSockets of one person whom the hall knows.
    connections_person: u32 = 40, "connections";
    /// Open analyses of one address.
    analyses: u32 = 40, "connections";
    /// Open analyses of one person.
    analyses_person: u32 = 2, "connections";
    /// A request's line and headers.
    head_bytes: usize = 16_384, "bytes";
    /// The time from a connection's beginning, or a request's first byte, to the end of its headers.
    head_seconds: u64 = 10, "seconds";
    /// A connection without a request is closed after this long.
    idle_seconds: u64 = 60, "seconds";
    /// The time from the end of a request's headers to the end of the answer's body.
    answer_seconds: u64 = 120, "seconds";
    /// Large answers that are on their way to one address at the same time, all together; beyond: 429.
    answers_bytes: u64 = 67_108_864, "bytes";

    /// Streams of events and games that one person has open; they count among the WebSockets of their address, too.
    streams: u32 = 16, "streams";
    /// Challenges sent by one person.
    challenges: u64 = 20, "challenges";
    /// See `challenges`.
    challenges_refill_s: u64 = 600, "seconds";
    /// Challenges sent from one address.
    challenges_address: u64 = 100, "challenges";
    /// See `challenges_address`.
    challenges_address_refill_s: u64 = 600, "seconds";
    /// Phrases and words said by one person.
    said: u64 = 10, "lines";
    /// See `said`.
    said_refill_s: u64 = 30, "seconds";
    /// Phrases and words said from one address.
    said_address: u64 = 200, "lines";
    /// See `said_address`.
    said_address_refill_s: u64 = 60, "seconds";
    /// Reports sent by one person.
    complaints: u64 = 10, "reports";
    /// See `complaints`.
    complaints_refill_s: u64 = 3600, "seconds";
    /// Reports sent from one address.
    complaints_address: u64 = 40, "reports";
    /// See `complaints_address`.
    complaints_address_refill_s: u64 = 3600, "seconds";

    /// Requests of one member of the staff to the desk.
    staff: u64 = 600, "requests";
    /// See `staff`.
    staff_refill_s: u64 = 3600, "seconds";
    /// The same of all staff at one address.
    staff_address: u64 = 2400, "requests";
    /// See `staff_address`.
    staff_address_refill_s: u64 = 3600, "seconds";

    /// Notices that one person is sent; further ones come later.
    notices: u64 = 60, "notices";
    /// See `notices`.
    notices_refill_s: u64 = 3600, "seconds";

    /// Letters that one person asks for: links to confirm an address or to set a password.
    letters: u64 = 10, "letters";
    /// See `letters`.
    letters_refill_s: u64 = 86_400, "seconds";
    /// Letters asked for from one address.
    letters_address: u64 = 20, "letters";
    /// See `letters_address`.
    letters_address_refill_s: u64 = 3600, "seconds";
    /// Letters asked for to one mailbox, by all people together.
    letters_mailbox: u64 = 5, "letters";
    /// See `letters_mailbox`.
    letters_mailbox_refill_s: u64 = 3600, "seconds";
    /// Letters asked for by everybody.
    letters_all: u64 = 500, "letters";
    /// See `letters_all`.
    letters_all_refill_s: u64 = 3600, "seconds";

    /// One message of a WebSocket; a longer one closes the connection with 1009.
    message_bytes: usize = 4096, "bytes";
    /// Messages of one WebSocket, pings and pongs included; beyond: closed with 1008.
    messages: u64 = 100, "messages";
    /// See `messages`.
    messages_refill_s: u64 = 20, "seconds";
    /// HTTP requests of those at one address whom the hall does not know yet; beyond: 429. Neither places nor files of the
    /// page count.
    requests: u64 = 240, "requests";
    /// See `requests`.
    requests_refill_s: u64 = 30, "seconds";
    /// HTTP requests of one person whom the hall knows; beyond: 429.
    requests_person: u64 = 240, "requests";
    /// See `requests_person`.
    requests_person_refill_s: u64 = 30, "seconds";
    /// HTTP requests of all the people at one address whom the hall knows; the last third is left to those of them who have
    /// used less than half of their own.
    requests_people: u64 = 2400, "requests";
    /// See `requests_people`.
    requests_people_refill_s: u64 = 30, "seconds";
    /// Places of the page, and pictures, that one address opens; beyond: 429, as a page that tries again.
    pages: u64 = 960, "pages";
    /// See `pages`.
    pages_refill_s: u64 = 30, "seconds";
    /// Files of the page that one address fetches: script, styles, sentences, icons. A whole class that fetches all of them
    /// at once does not reach it.
    files: u64 = 24_000, "files";
    /// See `files`.
    files_refill_s: u64 = 30, "seconds";
    /// TLS handshakes of one address, where the hall itself speaks https; beyond: the connection is closed.
    handshakes: u64 = 960, "handshakes";
    /// See `handshakes`.
    handshakes_refill_s: u64 = 30, "seconds";
    /// New guests from one address; beyond: 429.
    guests: u64 = 200, "people";
    /// See `guests`.
    guests_refill_s: u64 = 1000, "seconds";
    /// Passwords tried with one name; where there are too many, sessions go on, and passkeys and recovery codes still sign in.
    sign_ins: u64 = 10, "tries";
    /// See `sign_ins`.
    sign_ins_refill_s: u64 = 600, "seconds";
    /// Passwords, recovery codes and codes of devices tried from one address.
    sign_ins_address: u64 = 40, "tries";
    /// See `sign_ins_address`.
    sign_ins_address_refill_s: u64 = 600, "seconds";
    /// New accounts from one address; beyond: 429.
    accounts: u64 = 50, "accounts";
    /// See `accounts`.
    accounts_refill_s: u64 = 86_400, "seconds";
    /// A request's body, where it is not a file.
    body_bytes: usize = 16_384, "bytes";
    /// A request's body that carries a record, a map or a draft, as JSON.
    file_bytes: usize = 7_340_032, "bytes";

    /// Collections of games that one person makes in a day; beyond: 429.
    collections: u64 = 30, "collections";
    /// See `collections`.
    collections_refill_s: u64 = 86_400, "seconds";
    /// Collections of games that are made from one address in a day; beyond: 429.
    collections_address: u64 = 80, "collections";
    /// See `collections_address`.
    collections_address_refill_s: u64 = 86_400, "seconds";
    /// Collections of others in one answer of `GET /api/library`.
    library_lines: usize = 100, "collections";
    /// Collections of games of one person.
    library_collections: usize = 20, "collections";
    /// Games in all collections of one person; an import that began may go over it.
    library_games: u64 = 200_000, "games";
    /// Moves of opening books in all collections of one person; an import that began may go over it.
    library_book_moves: u64 = 400_000, "moves";

    /// Studies of one person.
    studies: u32 = 100, "studies";
    /// Changes of studies by one person; beyond: 429.
    study_changes: u64 = 300, "changes";
    /// See `study_changes`.
    study_changes_refill_s: u64 = 60, "seconds";
    /// Changes of studies from one address; beyond: 429.
    study_changes_address: u64 = 1500, "changes";
    /// See `study_changes_address`.
    study_changes_address_refill_s: u64 = 60, "seconds";

    /// Versions of extensions that one person shares.
    extensions: u32 = 200, "versions";
    /// Versions of extensions that people share, all together.
    extensions_all: u32 = 5000, "versions";

    /// Puzzles that one person sets on maps.
    set_puzzles: u32 = 50, "puzzles";
    /// Puzzles that are set on one version of a map.
    set_puzzles_map: u32 = 200, "puzzles";
    /// Puzzles that people set on maps, all together.
    set_puzzles_all: u32 = 20_000, "puzzles";
    /// Finished games an hour that are looked at for puzzles; 0: none.
    puzzle_games_hour: u64 = 60, "games";
    /// Answers to puzzles of one person; beyond: 429.
    puzzle_answers: u64 = 120, "answers";
    /// See `puzzle_answers`.
    puzzle_answers_refill_s: u64 = 600, "seconds";
    /// Answers to puzzles from one address; beyond: 429.
    puzzle_answers_address: u64 = 2400, "answers";
    /// See `puzzle_answers_address`.
    puzzle_answers_address_refill_s: u64 = 600, "seconds";

    /// Pictures of boards that are drawn for one address; what was drawn lately is not drawn again and not counted.
    pictures: u64 = 120, "pictures";
    /// See `pictures`.
    pictures_refill_s: u64 = 60, "seconds";
    /// Films of games that are made for one address.
    films: u64 = 12, "films";
    /// See `films`.
    films_refill_s: u64 = 120, "seconds";
    /// Pictures and films that are kept in memory, of all together.
    pictures_bytes: usize = 33_554_432, "bytes";

    /// Tables in memory.
    tables: usize = 20_000, "tables";
    /// Tables opened by one person.
    tables_opened: u64 = 30, "tables";
    /// See `tables_opened`.
    tables_opened_refill_s: u64 = 600, "seconds";
    /// Tables opened from one address.
    tables_opened_address: u64 = 600, "tables";
    /// See `tables_opened_address`.
    tables_opened_address_refill_s: u64 = 600, "seconds";
    /// Lines of each kind in one answer of the lobby.
    lobby_lines: usize = 100, "tables";

    /// Plies of one imported record.
    record_plies: u64 = 4000, "plies";
    /// Plies of records imported by one person.
    import_plies: u64 = 40_000, "plies";
    /// See `import_plies`.
    import_plies_refill_s: u64 = 3600, "seconds";
    /// Plies of records imported from one address.
    import_plies_address: u64 = 80_000, "plies";
    /// See `import_plies_address`.
    import_plies_address_refill_s: u64 = 3600, "seconds";
    /// Bytes of files brought by one person: records, maps and drafts.
    upload_bytes: u64 = 67_108_864, "bytes";
    /// See `upload_bytes`.
    upload_bytes_refill_s: u64 = 3600, "seconds";
    /// Bytes of files brought from one address.
    upload_bytes_address: u64 = 134_217_728, "bytes";
    /// See `upload_bytes_address`.
    upload_bytes_address_refill_s: u64 = 3600, "seconds";
    /// Bytes of files brought by one person in a day.
    upload_bytes_day: u64 = 268_435_456, "bytes";
    /// See `upload_bytes_day`.
    upload_bytes_day_refill_s: u64 = 86_400, "seconds";
    /// Bytes of files brought from one address in a day.
    upload_bytes_address_day: u64 = 536_870_912, "bytes";
    /// See `upload_bytes_address_day`.
    upload_bytes_address_day_refill_s: u64 = 86_400, "seconds";
    /// Maps brought, checked or read by one person.
    map_jobs: u64 = 20, "maps";
    /// See `map_jobs`.
    map_jobs_refill_s: u64 = 200, "seconds";
    /// Maps brought, checked or read from one address.
    map_jobs_address: u64 = 60, "maps";
    /// See `map_jobs_address`.
    map_jobs_address_refill_s: u64 = 120, "seconds";

    /// Maps of one person that are kept in a day; beyond: 429. What is only checked or read, or is there already, does not
    /// count.
    maps_kept: u64 = 100, "maps";
    /// See `maps_kept`.
    maps_kept_refill_s: u64 = 86_400, "seconds";
    /// Maps from one address that are kept in a day; beyond: 429.
    maps_kept_address: u64 = 400, "maps";
    /// See `maps_kept_address`.
    maps_kept_address_refill_s: u64 = 86_400, "seconds";

    /// Bytes of acts at tables of one person in a day, 200 for each beside its text; beyond, acts are refused with
    /// `too-many-requests`.
    event_bytes: u64 = 67_108_864, "bytes";
    /// See `event_bytes`.
    event_bytes_refill_s: u64 = 86_400, "seconds";
    /// Bytes of acts at tables from one address in a day.
    event_bytes_address: u64 = 536_870_912, "bytes";
    /// See `event_bytes_address`.
    event_bytes_address_refill_s: u64 = 86_400, "seconds";

    /// Plies in one answer of `/replay`.
    replay_plies: usize = 200, "plies";
    /// Bytes of one answer of `/replay`, as JSON: it ends with the ply that reaches them.
    replay_bytes: usize = 1_048_576, "bytes";

    /// Threads for work that takes long: records, replays, positions, maps. 0: as many as there are cores, at least two.
    workers: usize = 0, "threads";
    /// Such work that one address may have waiting; beyond: 429.
    workers_waiting: usize = 16, "requests";
    /// Such work is given up after this long, where it can be interrupted.
    work_seconds: u64 = 10, "seconds";
    /// Time that the work of one person takes; measured when it is done, so that it may leave a debt.
    work_ms: u64 = 60_000, "milliseconds";
    /// See `work_ms`.
    work_ms_refill_s: u64 = 600, "seconds";
    /// Time that the work of one address takes.
    work_ms_address: u64 = 120_000, "milliseconds";
    /// See `work_ms_address`.
    work_ms_address_refill_s: u64 = 600, "seconds";

    /// Hints, analyses and reports that think at the same time. 0: half as many as there are cores, at least one.
    searches: usize = 0, "threads";
    /// Searches of programs that play, which one address may have waiting; beyond, its tables ask again later.
    games_waiting: usize = 64, "searches";
    /// Searches for hints, analyses and reports that one address may have waiting; beyond: `hall-busy`.
    searches_waiting: usize = 16, "searches";
    /// Hints of one person.
    hints: u64 = 10, "hints";
    /// See `hints`.
    hints_refill_s: u64 = 40, "seconds";
    /// Hints of one address.
    hints_address: u64 = 80, "hints";
    /// See `hints_address`.
    hints_address_refill_s: u64 = 40, "seconds";
    /// Games of one address that are being judged at the same time.
    reports_address: usize = 4, "reports";
    /// Games that are being judged at the same time.
    reports: usize = 32, "reports";
    /// Games that a balance report plays at each of three levels.
    balance_games: u32 = 40, "games";
    /// Balance reports of maps that are being made at the same time; one game is played at a time.
    balances: usize = 16, "reports";
    /// The same, asked for from one address.
    balances_address: usize = 2, "reports";
    /// Plies of a game that is judged.
    report_plies: usize = 1000, "plies";
    /// Positions of a running game between people are not analysed for anybody once this many plies were played.
    no_help_from_ply: usize = 6, "plies";
}

impl Limits {
    /// Returns a number of the table; without a limit where clients are not limited at all.
    #[must_use]
    pub const fn most(&self, number: u32) -> u32 {
        if self.on { number } else { u32::MAX }
    }
}

/// Returns the page `docs/limits.md`.
#[must_use]
pub fn page() -> String {
    let mut page = String::from(
        "# Limits

Written from `crates/edge/src/limits.rs` by `QIGUAN_BLESS=1 cargo test -p edge limits`. Do not edit.

Each row is a key of the section `[limits]` in the file that `qiguan serve --config FILE` reads; what the file does not name keeps its
default. A key that is not in this table is refused, with its line. `qiguan serve --limits off` is `on = false`.

```toml
[limits]
connections = 500
requests = 1000
requests_refill_s = 30
```

An address is one of IPv4, or a /64 of IPv6. Some limits are buckets: what a bucket holds may be asked at once; empty, it is full again
after its `_refill_s`. Whoever asks for more is told `429` with `Retry-After`, on their own account and never because of others.

| key | default | unit | what it limits |
|---|---|---|---|
",
    );
    for Row { name, usual, unit, meaning } in rows() {
        let _ = writeln!(page, "| `{name}` | {usual} | {unit} | {meaning} |");
    }
    page.push_str(
        "
Beside these, some numbers are fixed: events of one table 20 000; maps kept 400 and 64 MiB of one person, 20 000 and 4 GiB of all; a search for a
hint 1.5 s, for an analysis 12 s, for each turn of a report 0.4 s; moves of a line beside a game 40; an API request 15 s; open challenges of
one person 10 sent, 2 to the same person, and received 50 of accounts, 20 of guests and any of those they follow: of accounts the oldest
of the address with the most gives way to one more, of guests where the new one's address has fewer; people one follows, blocks or has a note about 1000; words at a table 200 letters, of
which the last 1000 lines are kept; tables that the lobby lists although nobody is there 30 of one person, 300 of one address and 10 000 of
all; loaded maps that are kept at hand 16 beside the built-in ones, 4 of them for one address; a game with extensions that is played
through again 20 s; open reports of one person 20; bans of addresses 1000, each of at most 366 days; announcements 5, of 300 letters; invitations that count 200; lines of
the staff's log 200 000; browsers in which one person is told 10; accounts of one mailbox 5;
nodes of one study 12 000, chapters 64, text 1 MiB, contributors 32; a study as a file 16 MiB; an archive of games 128 MiB,
unpacked;
links in letters that are open 5 of a kind for one person; letters that wait 512; games that one digest names 20; open questions for
passkeys and codes of devices 10 000 of each kind, 100 from one address.
",
    );
    page
}

/// A bucket for each person, and one for each address.
struct Both {
    person: Budget<String>,
    address: Budget<Network>,
}

impl Both {
    fn new(person: Quota, address: Quota) -> Both {
        Both { person: Budget::new(person), address: Budget::new(address) }
    }

    /// Takes `cost` from both buckets or from none.
    fn take(&self, asker: &Asker, cost: u64, now: Instant) -> Result<(), Wait> {
        self.address.take(&asker.network, cost, now)?;
        self.person
            .take(&asker.person, cost, now)
            .inspect_err(|_| self.address.give_back(&asker.network, cost))
    }

    fn charge(&self, asker: &Asker, cost: u64, now: Instant) {
        self.address.charge(&asker.network, cost, now);
        self.person.charge(&asker.person, cost, now);
    }
}

/// Kinds of HTTP requests, which have budgets of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// A file of the page, the same for everybody.
    File,
    /// A place of the page, or a picture.
    Page,
    /// Any other request: an act of a person in the hall.
    Hall,
}

/// Share of an address' requests that is left to people who have asked little.
const KEPT_FOR_THE_MODEST: f64 = 1.0 / 3.0;

/// Counts what addresses and people ask.
pub struct RateLimits {
    on: AtomicBool,
    requests: Budget<Network>,
    requests_people: Both,
    pages: Budget<Network>,
    files: Budget<Network>,
    handshakes: Budget<Network>,
    guests: Budget<Network>,
    sign_ins: Budget<String>,
    sign_ins_address: Budget<Network>,
    accounts: Budget<Network>,
    pictures: Budget<Network>,
    films: Budget<Network>,
    notices: Budget<String>,
    mailboxes: Budget<[u8; 20]>,
    all_letters: Budget<()>,
    tables: Both,
    maps: Both,
    plies: Both,
    bytes: Both,
    bytes_day: Both,
    work: Both,
    hints: Both,
    challenges: Both,
    said: Both,
    complaints: Both,
    staff: Both,
    letters: Both,
    puzzles: Both,
    study_changes: Both,
    collections: Both,
    maps_kept: Both,
    events: Both,
}

impl RateLimits {
    /// Creates the budgets of these limits; all buckets are full.
    #[must_use]
    pub fn new(limits: &Limits) -> RateLimits {
        let quota = |most, refill_s| Quota::new(most, Duration::from_secs(refill_s));
        let l = limits;
        RateLimits {
            on: AtomicBool::new(l.on),
            requests: Budget::new(quota(l.requests, l.requests_refill_s)),
            requests_people: Both::new(
                quota(l.requests_person, l.requests_person_refill_s),
                quota(l.requests_people, l.requests_people_refill_s),
            ),
            pages: Budget::new(quota(l.pages, l.pages_refill_s)),
            files: Budget::new(quota(l.files, l.files_refill_s)),
            handshakes: Budget::new(quota(l.handshakes, l.handshakes_refill_s)),
            guests: Budget::new(quota(l.guests, l.guests_refill_s)),
            sign_ins: Budget::new(quota(l.sign_ins, l.sign_ins_refill_s)),
            sign_ins_address: Budget::new(quota(l.sign_ins_address, l.sign_ins_address_refill_s)),
            accounts: Budget::new(quota(l.accounts, l.accounts_refill_s)),
            pictures: Budget::new(quota(l.pictures, l.pictures_refill_s)),
            films: Budget::new(quota(l.films, l.films_refill_s)),
            notices: Budget::new(quota(l.notices, l.notices_refill_s)),
            mailboxes: Budget::new(quota(l.letters_mailbox, l.letters_mailbox_refill_s)),
            all_letters: Budget::new(quota(l.letters_all, l.letters_all_refill_s)),
            tables: Both::new(
                quota(l.tables_opened, l.tables_opened_refill_s),
                quota(l.tables_opened_address, l.tables_opened_address_refill_s),
            ),
            maps: Both::new(
                quota(l.map_jobs, l.map_jobs_refill_s),
                quota(l.map_jobs_address, l.map_jobs_address_refill_s),
            ),
            plies: Both::new(
                quota(l.import_plies, l.import_plies_refill_s),
                quota(l.import_plies_address, l.import_plies_address_refill_s),
            ),
            bytes: Both::new(
                quota(l.upload_bytes, l.upload_bytes_refill_s),
                quota(l.upload_bytes_address, l.upload_bytes_address_refill_s),
            ),
            bytes_day: Both::new(
                quota(l.upload_bytes_day, l.upload_bytes_day_refill_s),
                quota(l.upload_bytes_address_day, l.upload_bytes_address_day_refill_s),
            ),
            work: Both::new(
                quota(l.work_ms, l.work_ms_refill_s),
                quota(l.work_ms_address, l.work_ms_address_refill_s),
            ),
            hints: Both::new(
                quota(l.hints, l.hints_refill_s),
                quota(l.hints_address, l.hints_address_refill_s),
            ),
            challenges: Both::new(
                quota(l.challenges, l.challenges_refill_s),
                quota(l.challenges_address, l.challenges_address_refill_s),
            ),
            said: Both::new(quota(l.said, l.said_refill_s), quota(l.said_address, l.said_address_refill_s)),
            puzzles: Both::new(
                quota(l.puzzle_answers, l.puzzle_answers_refill_s),
                quota(l.puzzle_answers_address, l.puzzle_answers_address_refill_s),
            ),
            collections: Both::new(
                quota(l.collections, l.collections_refill_s),
                quota(l.collections_address, l.collections_address_refill_s),
            ),
            maps_kept: Both::new(
                quota(l.maps_kept, l.maps_kept_refill_s),
                quota(l.maps_kept_address, l.maps_kept_address_refill_s),
            ),
            events: Both::new(
                quota(l.event_bytes, l.event_bytes_refill_s),
                quota(l.event_bytes_address, l.event_bytes_address_refill_s),
            ),
            study_changes: Both::new(
                quota(l.study_changes, l.study_changes_refill_s),
                quota(l.study_changes_address, l.study_changes_address_refill_s),
            ),
            letters: Both::new(
                quota(l.letters, l.letters_refill_s),
                quota(l.letters_address, l.letters_address_refill_s),
            ),
            staff: Both::new(
                quota(l.staff, l.staff_refill_s),
                quota(l.staff_address, l.staff_address_refill_s),
            ),
            complaints: Both::new(
                quota(l.complaints, l.complaints_refill_s),
                quota(l.complaints_address, l.complaints_address_refill_s),
            ),
        }
    }

    fn check(&self, take: impl FnOnce(Instant) -> Result<(), Wait>) -> Result<(), Wait> {
        if self.on.load(Ordering::Relaxed) { take(Instant::now()) } else { Ok(()) }
    }

    /// Counts one HTTP request of that kind. `person` is the public id of the person, where the hall knows them: each
    /// has a budget of their own, and people who have asked little are still answered when others at their address
    /// have asked much.
    ///
    /// # Errors
    /// Fails when that person, or everybody at that address, asked too much.
    pub fn request(&self, kind: RequestKind, address: Network, person: Option<&str>) -> Result<(), Wait> {
        self.check(|now| match (kind, person) {
            (RequestKind::File, _) => self.files.take(&address, 1, now),
            (RequestKind::Page, _) => self.pages.take(&address, 1, now),
            (RequestKind::Hall, None) => self.requests.take(&address, 1, now),
            (RequestKind::Hall, Some(person)) => {
                let (both, person) = (&self.requests_people, person.to_owned());
                let left = both.person.take_above(&person, 1, 0.0, now)?;
                let kept = if left >= 0.5 { 0.0 } else { KEPT_FOR_THE_MODEST };
                let taken = both.address.take_above(&address, 1, kept, now);
                taken.map(drop).inspect_err(|_| both.person.give_back(&person, 1))
            }
        })
    }

    /// Counts one TLS handshake.
    ///
    /// # Errors
    /// Fails when that address began too many.
    pub fn handshake(&self, address: Network) -> Result<(), Wait> {
        self.check(|now| self.handshakes.take(&address, 1, now))
    }

    /// Counts one new guest.
    ///
    /// # Errors
    /// Fails when that address brought too many.
    pub fn guest(&self, address: Network) -> Result<(), Wait> {
        self.check(|now| self.guests.take(&address, 1, now))
    }

    /// Counts one try to sign in: from that address, with that name or session.
    ///
    /// # Errors
    /// Fails when there were too many.
    pub fn sign_in(&self, address: Network, with: &str) -> Result<(), Wait> {
        self.check(|now| {
            self.sign_ins_address.take(&address, 1, now)?;
            let taken = self.sign_ins.take(&with.to_owned(), 1, now);
            taken.inspect_err(|_| self.sign_ins_address.give_back(&address, 1))
        })
    }

    /// Counts an attempt with a recovery code, by the address alone: 80 bits are not guessed, and a limit by name
    /// would let others lock the owner out with wrong codes.
    ///
    /// # Errors
    /// Fails when there were too many.
    pub fn recovery(&self, address: Network) -> Result<(), Wait> {
        self.check(|now| self.sign_ins_address.take(&address, 1, now))
    }

    /// Gives back a counted attempt after a right recovery code.
    pub fn recovered(&self, address: Network) {
        self.sign_ins_address.give_back(&address, 1);
    }

    /// Gives back a counted attempt after a successful sign-in.
    pub fn signed_in(&self, address: Network, with: &str) {
        self.sign_ins_address.give_back(&address, 1);
        self.sign_ins.give_back(&with.to_owned(), 1);
    }

    /// Counts one new account.
    ///
    /// # Errors
    /// Fails when that address made too many.
    pub fn account(&self, address: Network) -> Result<(), Wait> {
        self.check(|now| self.accounts.take(&address, 1, now))
    }

    /// Counts one notice to a person.
    ///
    /// # Errors
    /// Fails when they were sent too many.
    pub fn notice(&self, person: &str) -> Result<(), Wait> {
        self.check(|now| self.notices.take(&person.to_owned(), 1, now))
    }

    /// Counts one letter to that mailbox, whether or not it is one of an account. What is refused at a later count was taken
    /// from the earlier ones: who asks for too much pays.
    ///
    /// # Errors
    /// Fails when that person, everybody at that address, or everybody, asked for too many, or too many were to go to
    /// that mailbox.
    pub fn letter(&self, asker: &Asker, mailbox: [u8; 20]) -> Result<(), Wait> {
        self.check(|now| {
            self.letters.take(asker, 1, now)?;
            self.mailboxes.take(&mailbox, 1, now)?;
            self.all_letters.take(&(), 1, now)
        })
    }

    /// Counts one hint.
    ///
    /// # Errors
    /// Fails when that person, or everybody at that address, asked for too many.
    pub fn hint(&self, asker: &Asker) -> Result<(), Wait> {
        self.check(|now| self.hints.take(asker, 1, now))
    }

    /// Counts one picture, or one film, that is to be drawn.
    ///
    /// # Errors
    /// Fails when that address had too many drawn.
    pub fn picture(&self, address: Network, film: bool) -> Result<(), Wait> {
        let budget = if film { &self.films } else { &self.pictures };
        self.check(|now| budget.take(&address, 1, now))
    }

    /// Counts one table opened.
    ///
    /// # Errors
    /// Fails when that person, or everybody at that address, opened too many.
    pub fn table(&self, asker: &Asker) -> Result<(), Wait> {
        self.check(|now| self.tables.take(asker, 1, now))
    }

    /// Counts one challenge.
    ///
    /// # Errors
    /// Fails when that person, or everybody at that address, sent too many.
    pub fn challenge(&self, asker: &Asker) -> Result<(), Wait> {
        self.check(|now| self.challenges.take(asker, 1, now))
    }

    /// Counts something said.
    ///
    /// # Errors
    /// Fails when that person, or everybody at that address, said too much.
    pub fn said(&self, asker: &Asker) -> Result<(), Wait> {
        self.check(|now| self.said.take(asker, 1, now))
    }

    /// Counts one answer to a puzzle.
    ///
    /// # Errors
    /// Fails when that person, or everybody at that address, gave too many.
    pub fn puzzle(&self, asker: &Asker) -> Result<(), Wait> {
        self.check(|now| self.puzzles.take(asker, 1, now))
    }

    /// Counts one change of a study.
    ///
    /// # Errors
    /// Fails when that person, or everybody at that address, changed too much.
    pub fn study_change(&self, asker: &Asker) -> Result<(), Wait> {
        self.check(|now| self.study_changes.take(asker, 1, now))
    }

    /// Counts one new collection of games.
    ///
    /// # Errors
    /// Fails when that person, or everybody at that address, made too many.
    pub fn collection(&self, asker: &Asker) -> Result<(), Wait> {
        self.check(|now| self.collections.take(asker, 1, now))
    }

    /// Counts one map that is to be kept.
    ///
    /// # Errors
    /// Fails when too many of that person, or from that address, were kept.
    pub fn kept_map(&self, asker: &Asker) -> Result<(), Wait> {
        self.check(|now| self.maps_kept.take(asker, 1, now))
    }

    /// Counts one act at a table, of a text of `bytes` bytes: its event is stored for good.
    ///
    /// # Errors
    /// Fails when that person, or everybody at that address, acted too much today.
    pub fn event(&self, asker: &Asker, bytes: usize) -> Result<(), Wait> {
        self.check(|now| self.events.take(asker, EVENT_BYTES + bytes as u64, now))
    }

    /// Counts one report.
    ///
    /// # Errors
    /// Fails when that person, or everybody at that address, sent too many.
    pub fn complaint(&self, asker: &Asker) -> Result<(), Wait> {
        self.check(|now| self.complaints.take(asker, 1, now))
    }

    /// Counts one request to the desk of the staff.
    ///
    /// # Errors
    /// Fails when that member of the staff, or the staff at that address, asked too often.
    pub fn staff(&self, asker: &Asker) -> Result<(), Wait> {
        self.check(|now| self.staff.take(asker, 1, now))
    }

    /// Counts one map brought, checked or read.
    ///
    /// # Errors
    /// Fails when that person, or everybody at that address, brought too many.
    pub fn map(&self, asker: &Asker) -> Result<(), Wait> {
        self.check(|now| self.maps.take(asker, 1, now))
    }

    /// Counts plies of a record that is imported.
    ///
    /// # Errors
    /// Fails when that person, or everybody at that address, imported too many.
    pub fn plies(&self, asker: &Asker, plies: u64) -> Result<(), Wait> {
        self.check(|now| self.plies.take(asker, plies, now))
    }

    /// Counts bytes of a file that is brought.
    ///
    /// # Errors
    /// Fails when that person, or everybody at that address, brought too many, lately or today.
    pub fn bytes(&self, asker: &Asker, bytes: u64) -> Result<(), Wait> {
        self.check(|now| {
            self.bytes.take(asker, bytes, now)?;
            self.bytes_day.take(asker, bytes, now)
        })
    }

    /// Checks that the person and the address have time left for long work.
    ///
    /// # Errors
    /// Fails when they have used up theirs.
    pub fn work(&self, asker: &Asker) -> Result<(), Wait> {
        self.check(|now| {
            self.work.take(asker, 1, now)?;
            self.work.address.give_back(&asker.network, 1);
            self.work.person.give_back(&asker.person, 1);
            Ok(())
        })
    }

    /// Charges long work for the time it took.
    pub fn worked(&self, asker: &Asker, took: Duration) {
        if self.on.load(Ordering::Relaxed) {
            let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
            self.work.charge(asker, ms, Instant::now());
        }
    }

    /// Returns all budgets, in an order that is always the same.
    fn each(&self) -> [&dyn Counts; 31] {
        [
            &self.requests,
            &self.requests_people,
            &self.pages,
            &self.files,
            &self.handshakes,
            &self.guests,
            &self.sign_ins,
            &self.sign_ins_address,
            &self.accounts,
            &self.pictures,
            &self.films,
            &self.notices,
            &self.mailboxes,
            &self.all_letters,
            &self.tables,
            &self.maps,
            &self.plies,
            &self.bytes,
            &self.bytes_day,
            &self.work,
            &self.hints,
            &self.challenges,
            &self.said,
            &self.complaints,
            &self.staff,
            &self.letters,
            &self.puzzles,
            &self.study_changes,
            &self.collections,
            &self.maps_kept,
            &self.events,
        ]
    }

    /// Replaces the limits; what has been counted so far stays counted.
    pub fn replace(&self, limits: &Limits) {
        self.on.store(limits.on, Ordering::Relaxed);
        let wanted = RateLimits::new(limits);
        for (mine, wanted) in self.each().into_iter().zip(wanted.each()) {
            mine.set_quotas(&wanted.quotas());
        }
    }

    /// Forgets full buckets, so that memory stays bounded.
    pub fn forget_quiet(&self) {
        let now = Instant::now();
        self.each().into_iter().for_each(|one| one.forget_full(now));
    }
}

/// A budget with keys of any type.
trait Counts {
    fn forget_full(&self, now: Instant);
    fn quotas(&self) -> Vec<Quota>;
    fn set_quotas(&self, quotas: &[Quota]);
}

impl<K: std::hash::Hash + Eq + Clone> Counts for Budget<K> {
    fn forget_full(&self, now: Instant) {
        Budget::forget_full(self, now);
    }

    fn quotas(&self) -> Vec<Quota> {
        vec![self.quota()]
    }

    fn set_quotas(&self, quotas: &[Quota]) {
        quotas.iter().for_each(|quota| self.set_quota(*quota));
    }
}

impl Counts for Both {
    fn forget_full(&self, now: Instant) {
        self.person.forget_full(now);
        self.address.forget_full(now);
    }

    fn quotas(&self) -> Vec<Quota> {
        vec![self.person.quota(), self.address.quota()]
    }

    fn set_quotas(&self, quotas: &[Quota]) {
        if let [person, address] = quotas {
            self.person.set_quota(*person);
            self.address.set_quota(*address);
        }
    }
}

/// Counts the messages of one connection.
pub struct Meter(Option<(Quota, Bucket)>);

impl Meter {
    /// Creates the meter of a new connection.
    #[must_use]
    pub fn new(limits: &Limits) -> Meter {
        let quota = Quota::new(limits.messages, Duration::from_secs(limits.messages_refill_s));
        Meter(limits.on.then(|| (quota, Bucket::full(quota, Instant::now()))))
    }

    /// Counts one message; returns false if it is one too many.
    pub fn admits(&mut self) -> bool {
        self.0.as_mut().is_none_or(|(quota, bucket)| bucket.take(*quota, 1.0, Instant::now()).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_stand_on_their_page() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/limits.md");
        if std::env::var_os("QIGUAN_BLESS").is_some() {
            std::fs::write(path, page()).expect("writes");
        }
        let written = std::fs::read_to_string(path).expect("docs/limits.md");
        assert!(written == page(), "docs/limits.md is stale: QIGUAN_BLESS=1 cargo test -p edge limits");
    }

    #[test]
    fn limits_of_the_start_are_limits() {
        let names: Vec<&str> = rows().iter().map(|row| row.name).collect();
        assert!(AT_START.iter().all(|name| names.contains(name)), "{AT_START:?}");
    }

    #[test]
    fn limits_are_replaced_while_they_are_counted() {
        let limits = Limits { guests: 3, tables_opened: 2, tables_opened_address: 9, ..Limits::default() };
        let (rates, live) = (RateLimits::new(&limits), Live::new(limits));
        let here = Network::of([192, 0, 2, 1].into());
        let asker = Asker { network: here, person: "a".to_owned() };
        let most = || (0..50).take_while(|_| rates.table(&asker).is_ok()).count();
        assert_eq!(most(), 2);
        assert!((0..3).all(|_| rates.guest(here).is_ok()));
        let more = Limits { guests: 5, tables_opened: 20, tables_opened_address: 30, ..limits };
        rates.replace(&more);
        live.replace(more);
        assert_eq!((live.guests, live.tables_opened), (5, 20));
        assert!(rates.guest(here).is_err(), "what was asked stays counted");
        let new = Asker { person: "b".to_owned(), ..asker.clone() };
        assert_eq!((0..50).take_while(|_| rates.table(&new).is_ok()).count(), 7, "what the address has left");
        rates.replace(&Limits { on: false, ..more });
        assert!((0..50).all(|_| rates.guest(here).is_ok()));
        live.replace(limits);
        assert_eq!(*live, limits);
    }

    #[test]
    fn an_address_pays_for_all_its_people() {
        let limits = Limits { import_plies: 100, import_plies_address: 250, ..Limits::default() };
        let rates = RateLimits::new(&limits);
        let asker = |address: u8, person: &str| Asker {
            network: Network::of([192, 0, 2, address].into()),
            person: person.to_owned(),
        };
        for (name, address, person, plies, given) in [
            ("one person's plies", 1, "a", 100, true),
            ("and no more", 1, "a", 1, false),
            ("another one's", 1, "b", 100, true),
            ("what is left of the address", 1, "c", 60, false),
            ("a refusal costs nothing", 1, "c", 50, true),
            ("the address has none left", 1, "d", 1, false),
            ("somebody elsewhere", 2, "e", 100, true),
        ] {
            assert_eq!(rates.plies(&asker(address, person), plies).is_ok(), given, "{name}");
        }
        let off = RateLimits::new(&Limits { on: false, ..limits });
        assert!(off.plies(&asker(1, "a"), 1_000_000).is_ok());
    }

    /// A greedy neighbour does not use up the requests of the others at an address (M1).
    #[test]
    fn a_greedy_neighbour_leaves_the_others_theirs() {
        let limits = Limits { requests: 3, requests_person: 100, requests_people: 300, ..Limits::default() };
        let limits = Limits { files: 5, pages: 4, ..limits };
        let rates = RateLimits::new(&limits);
        let here = Network::of([192, 0, 2, 1].into());
        let ask = |kind, person: Option<&str>| rates.request(kind, here, person).is_ok();
        let most = |kind, person: Option<&str>| (0..1000).take_while(|_| ask(kind, person)).count();
        assert_eq!(most(RequestKind::Hall, Some("greedy")), 100, "their own");
        for guest in ["second", "third"] {
            assert!(most(RequestKind::Hall, Some(guest)) <= 100);
        }
        assert!(!ask(RequestKind::Hall, Some("greedy")));
        for n in 0..40 {
            assert!(ask(RequestKind::Hall, Some(&format!("pupil {n}"))), "pupil {n} has asked nothing yet");
        }
        assert_eq!(most(RequestKind::Hall, None), 3, "strangers have a budget of their own");
        assert_eq!(most(RequestKind::File, None), 5, "and so have files");
        assert_eq!(most(RequestKind::Page, Some("greedy")), 4, "and places");
        let there = Network::of([192, 0, 2, 2].into());
        assert!(rates.request(RequestKind::Hall, there, None).is_ok(), "other addresses are others");
    }

    /// Forty newcomers behind one address are not refused (M1).
    #[test]
    fn a_class_of_forty_is_refused_nothing() {
        let rates = RateLimits::new(&Limits::default());
        let here = Network::of([192, 0, 2, 1].into());
        let ask = |kind, person: Option<&str>| rates.request(kind, here, person).is_ok();
        for n in 0..40 {
            let pupil = format!("pupil {n}");
            // As many files as the page had when this was written, a reload, what is asked before one is known, and a game.
            assert!((0..206).all(|_| ask(RequestKind::File, None)), "{pupil}: files");
            assert!((0..2).all(|_| ask(RequestKind::Page, None)), "{pupil}: the page");
            assert!((0..4).all(|_| ask(RequestKind::Hall, None)), "{pupil}: before the hall knows them");
            assert!((0..50).all(|_| ask(RequestKind::Hall, Some(&pupil))), "{pupil}: playing");
            assert!(rates.guest(here).is_ok() && rates.handshake(here).is_ok(), "{pupil} comes");
            let asker = Asker { network: here, person: pupil.clone() };
            assert!((0..10).all(|_| rates.table(&asker).is_ok()), "{pupil}: games");
            assert!((0..2).all(|_| rates.hint(&asker).is_ok()), "{pupil}: hints");
            assert!((0..5).all(|_| rates.said(&asker).is_ok()), "{pupil}: greetings");
        }
    }

    #[test]
    fn work_is_paid_for_afterwards() {
        let limits = Limits { work_ms: 1000, ..Limits::default() };
        let rates = RateLimits::new(&limits);
        let asker = Asker { network: Network::of([192, 0, 2, 1].into()), person: "a".to_owned() };
        for _ in 0..100 {
            assert!(rates.work(&asker).is_ok(), "asking costs nothing");
        }
        rates.worked(&asker, Duration::from_secs(5));
        let wait = rates.work(&asker).expect_err("a debt");
        // 4 s of debt, at 1 s in 600 s.
        assert!((2390..=2420).contains(&wait.seconds()), "{wait:?}");
        let other = Asker { person: "b".to_owned(), ..asker };
        assert!(rates.work(&other).is_ok());
    }
}
