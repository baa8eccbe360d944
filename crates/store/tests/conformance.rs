//! Conformance of each store: random operations are done to it and to a model in memory, and the answers compared.
//!
//! The test `postgres` runs this file, and the other tests of what a store answers, once more in PostgreSQL.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use common::{hash, pair, person, setup};
use kernel::Side;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use store::{Adoption, Asleep, Claim, NewPerson, Store, StoreError, Stored};
use table::{Command, Entry, Event, Setup, Stage, Standing};

/// The same as a store, in maps.
#[derive(Default)]
struct Model {
    tables: BTreeMap<String, Table>,
    /// Name and folded name by id.
    people: BTreeMap<String, (Option<String>, Option<String>)>,
    sessions: BTreeMap<[u8; 32], String>,
    former: BTreeSet<String>,
    beat: Option<u64>,
}

struct Table {
    setup: Setup,
    log: Vec<Entry>,
    standing: Standing,
    asleep: Option<Asleep>,
    strikes: u32,
    /// The people who ever sat there.
    sat: BTreeSet<String>,
}

impl Table {
    fn seats(&self, person: &str) -> bool {
        self.sat.contains(person)
    }

    fn note_sat(&mut self, standing: Option<&Standing>, log: &[Entry]) {
        self.sat.extend(standing.into_iter().flat_map(|standing| standing.seats.iter().flatten().cloned()));
        self.sat.extend(log.iter().filter_map(|entry| match &entry.event {
            Event::Sit { who, .. } => Some(who.id.clone()),
            _ => None,
        }));
    }
}

impl Model {
    fn room(&self, name: &str, but: &str) -> Option<&String> {
        let open = |(id, table): &(&String, &Table)| {
            table.setup.room.as_deref() == Some(name)
                && table.standing.stage != Stage::Over
                && id.as_str() != but
        };
        self.tables.iter().find(open).map(|(id, _)| id)
    }

    fn create(
        &mut self,
        id: &str,
        setup: &Setup,
        log: Vec<Entry>,
        standing: Standing,
    ) -> Result<(), StoreError> {
        let clash = setup.room.as_deref().filter(|_| standing.stage != Stage::Over);
        if self.tables.contains_key(id) || clash.is_some_and(|room| self.room(room, "").is_some()) {
            return Err(StoreError::Taken);
        }
        let (seated, first) = (standing.clone(), log.clone());
        let setup = setup.clone();
        let mut table = Table { setup, log, standing, asleep: None, strikes: 0, sat: BTreeSet::new() };
        table.note_sat(Some(&seated), &first);
        self.tables.insert(id.to_owned(), table);
        Ok(())
    }

    fn append(&mut self, id: &str, entry: Entry, standing: Option<Standing>) -> Result<(), StoreError> {
        let table = self.tables.get(id).ok_or(StoreError::Missing)?;
        if entry.ver != table.log.len() as u64 + 1 {
            return Err(StoreError::Conflict);
        }
        let opens = standing.as_ref().is_some_and(|standing| standing.stage != Stage::Over);
        if opens && table.setup.room.as_deref().is_some_and(|room| self.room(room, id).is_some()) {
            return Err(StoreError::Taken);
        }
        let table = self.tables.get_mut(id).ok_or(StoreError::Missing)?;
        table.note_sat(standing.as_ref(), std::slice::from_ref(&entry));
        table.log.push(entry);
        table.asleep = None;
        table.standing = standing.unwrap_or(table.standing.clone());
        Ok(())
    }

    fn enroll(&mut self, new: &NewPerson) -> Result<(), StoreError> {
        let name_taken =
            new.folded.is_some() && self.people.values().any(|(_, folded)| *folded == new.folded);
        let id_taken = self.people.contains_key(&new.id)
            || self.former.contains(&new.id)
            || self.tables.values().any(|table| table.seats(&new.id));
        if name_taken || id_taken || self.sessions.contains_key(&new.hash) {
            return Err(StoreError::Taken);
        }
        self.people.insert(new.id.clone(), (new.name.clone(), new.folded.clone()));
        self.sessions.insert(new.hash, new.id.clone());
        Ok(())
    }

    fn rename(&mut self, person: &str, name: &str, folded: Option<&str>) -> Result<(), StoreError> {
        let folded = folded.map(str::to_owned);
        let others = |(id, (_, other)): (&String, &(_, Option<String>))| id != person && *other == folded;
        if folded.is_some() && self.people.iter().any(others) {
            return Err(StoreError::Taken);
        }
        self.people.insert(person.to_owned(), (Some(name.to_owned()), folded));
        Ok(())
    }

    fn adopt(&mut self, old: &str, new: &str, hash: [u8; 32]) -> Result<Adoption, StoreError> {
        if self.former.contains(old) || self.sessions.values().any(|id| id == old) {
            return Ok(Adoption::Before);
        }
        let sits = |id: &str| self.tables.values().any(|table| table.seats(id));
        if !self.people.contains_key(old) && !sits(old) {
            return Ok(Adoption::Unknown);
        }
        if self.people.contains_key(new)
            || self.former.contains(new)
            || sits(new)
            || self.sessions.contains_key(&hash)
        {
            return Err(StoreError::Taken);
        }
        let names = self.people.remove(old).unwrap_or_default();
        self.people.insert(new.to_owned(), names);
        self.former.insert(old.to_owned());
        self.sessions.insert(hash, new.to_owned());
        let mut reload = Vec::new();
        for (id, table) in self.tables.iter_mut().filter(|(_, table)| table.seats(old)) {
            if table.standing.stage != Stage::Over {
                reload.push(id.clone());
            }
            table.sat.remove(old);
            table.sat.insert(new.to_owned());
            let named = table.log.iter_mut().flat_map(|entry| {
                let who =
                    if let Event::Sit { who, .. } = &mut entry.event { Some(&mut who.id) } else { None };
                who.into_iter().chain(entry.cmd.as_mut().map(|cmd| &mut cmd.person))
            });
            for id in named.chain(table.standing.seats.iter_mut().flatten()).filter(|id| *id == old) {
                new.clone_into(id);
            }
        }
        Ok(Adoption::Done { reload })
    }
}

/// A time so late that no guest is forgotten, in Unix milliseconds.
const LONG_FROM_NOW: u64 = 4_000_000_000_000;

type Opening = Pin<Box<dyn Future<Output = Arc<Store>>>>;

async fn conforms(seed: u64, steps: u32, open: &dyn Fn() -> Opening) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut model = Model::default();
    let mut store = open().await;
    let (tables, people, rooms) = (6, 5, 2);
    for step in 0..steps {
        let at = format!("seed {seed}, step {step}");
        let id = format!("table-{}", random.random_range(0..tables));
        let who = format!("guest{}", random.random_range(0..people));
        let session = hash(random.random_range(0..8));
        let standing = Standing {
            stage: [Stage::Waiting, Stage::Playing, Stage::Over][random.random_range(0..3)],
            seats: [Some(who.clone()), None],
        };
        match random.random_range(0..100) {
            0..10 => {
                let room = random.random_bool(0.5).then(|| format!("room {}", random.random_range(0..rooms)));
                let setup = setup(room.as_deref());
                let log: Vec<Entry> =
                    (1..=random.random_range(0..4)).map(|ver| pair(ver, &who, "name")).collect();
                let wanted = model.create(&id, &setup, log.clone(), standing.clone());
                assert_eq!(store.logs.create(&id, &setup, log, standing).await, wanted, "{at}");
            }
            10..60 => {
                let next = model.tables.get(&id).map_or(1, |table| table.log.len() as u64 + 1);
                let ver = if random.random_bool(0.9) { next } else { random.random_range(0..next + 3) };
                let cmd = random
                    .random_bool(0.7)
                    .then(|| Command { person: who.clone(), id: random.random_range(0..40).to_string() });
                let event = match random.random_range(0..3) {
                    0 => pair(ver, &who, "name").event,
                    1 => Event::Takeback { by: Side::Second, plies: random.random() },
                    _ => Event::Move {
                        by: Side::First,
                        text: format!("\"{}\\é", random.random::<u8>()),
                        away: false,
                    },
                };
                let spent_ms = random.random_bool(0.5).then(|| random.random_range(0..1 << 40));
                let at_ms = random.random_range(0..1 << 50);
                let entry = Entry { ver, at_ms, cmd, spent_ms, event };
                // A writer has claimed the table; if it is another run's, the claim makes it this one's.
                let claimed = store.claims.claim(&id).await;
                let is_mine =
                    matches!(claimed, Ok(Claim::Kept | Claim::Taken { .. } | Claim::Adopted { .. }));
                assert!(is_mine || !model.tables.contains_key(&id), "{at}: {claimed:?}");
                let standing = random.random_bool(0.3).then_some(standing);
                let wanted = model.append(&id, entry.clone(), standing.clone());
                assert_eq!(store.logs.append(&id, entry, standing).await, wanted, "{at}");
            }
            60..66 => {
                let asleep = Asleep::until(1, random.random_range(0..100));
                let table = model.tables.get_mut(&id).ok_or(StoreError::Missing);
                let wanted = table.map(|table| table.asleep = Some(asleep));
                assert_eq!(store.tables.sleep(&id, asleep).await, wanted, "{at}");
            }
            66..69 => {
                let table = model.tables.get_mut(&id).ok_or(StoreError::Missing);
                let wanted = table.map(|table| table.asleep = None);
                assert_eq!(store.tables.wake(&id).await, wanted, "{at}");
            }
            69..73 => {
                let wanted = model.tables.get_mut(&id).ok_or(StoreError::Missing).map(|table| {
                    table.strikes += 1;
                    table.strikes
                });
                assert_eq!(store.tables.strike(&id).await, wanted, "{at}");
            }
            73..75 => {
                if let Some(table) = model.tables.get_mut(&id) {
                    table.strikes = 0;
                }
                assert_eq!(store.tables.pardon(&id).await, Ok(()), "{at}");
            }
            75..80 => {
                let folded = random.random_bool(0.5).then(|| format!("name{}", random.random_range(0..4)));
                let name = format!("guest{}", random.random_range(0..people * 2));
                let new = person(&name, random.random_range(0..8), folded.as_deref());
                let new = NewPerson { made_ms: LONG_FROM_NOW, ..new };
                let wanted = model.enroll(&new);
                assert_eq!(store.people.enroll(new).await, wanted, "{at}");
            }
            80..86 => {
                let folded = random.random_bool(0.5).then(|| format!("name{}", random.random_range(0..4)));
                let wanted = model.rename(&who, "a name", folded.as_deref());
                assert_eq!(
                    store.people.rename(&who, Some("a name"), folded.as_deref()).await,
                    wanted,
                    "{at}"
                );
            }
            86..92 => {
                let new = format!("guest{}", random.random_range(0..people * 2));
                let wanted = model.adopt(&who, &new, session);
                assert_eq!(
                    store.people.adopt(&who, &new, &session, LONG_FROM_NOW).await,
                    wanted,
                    "{at}: {who} to {new}"
                );
            }
            92..94 => {
                model.beat = Some(u64::from(step));
                assert_eq!(store.pulse.beat(u64::from(step)).await, Ok(()), "{at}");
            }
            94..96 => {
                store.condition.close().await;
                store = open().await;
                assert_eq!(store.pulse.last_beat(), model.beat, "{at}");
            }
            _ => {
                let since = random.random_range(0..9);
                let log: &[Entry] = model.tables.get(&id).map_or(&[], |table| &table.log);
                let wanted: Vec<Entry> = log.iter().skip(since).take(3).cloned().collect();
                assert_eq!(store.logs.log(&id, since as u64, 3).await, Ok(wanted), "{at}");
            }
        }
        if step % 16 == 0 || step + 1 == steps {
            compare(store.as_ref(), &model, &at).await;
        }
    }
    store.condition.close().await;
}

/// Compares the answers to all queries.
async fn compare(store: &Store, model: &Model, at: &str) {
    for (id, table) in &model.tables {
        let wanted = Stored {
            setup: table.setup.clone(),
            log: table.log.clone(),
            asleep: table.asleep,
            strikes: table.strikes,
        };
        assert_eq!(store.logs.load(id).await, Ok(Some(wanted)), "{at}: {id}");
    }
    let mut due: Vec<_> =
        model.tables.iter().filter_map(|(id, t)| Some((t.asleep?.deadline_ms, id.clone()))).collect();
    due.sort();
    due.retain(|(deadline, _)| *deadline <= 50);
    let due: Vec<String> = due.into_iter().map(|(_, id)| id).collect();
    assert_eq!(store.tables.due(50, 99).await, Ok(due), "{at}");
    for room in ["room 0", "room 1"] {
        assert_eq!(store.tables.room(room).await, Ok(model.room(room, "").cloned()), "{at}: {room}");
    }
    let waiting =
        model.tables.iter().filter(|(_, t)| t.setup.room.is_some() && t.standing.stage == Stage::Waiting);
    let waiting: BTreeSet<String> = waiting.map(|(id, _)| id.clone()).collect();
    let found = store.tables.waiting_tables(0, 99).await.expect("reads");
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), waiting, "{at}");
    for n in 0..10 {
        let who = format!("guest{n}");
        let playing = model.tables.iter().filter(|(_, t)| {
            t.standing.stage != Stage::Over && t.standing.seats.iter().flatten().any(|id| *id == who)
        });
        let playing: BTreeSet<String> = playing.map(|(id, _)| id.clone()).collect();
        let found = store.tables.playing(&who, 99).await.expect("reads");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), playing, "{at}: {who}");
        let name = model.people.get(&who).and_then(|(name, _)| name.clone());
        assert_eq!(store.people.name(&who).await, Ok(name), "{at}: {who}");
    }
    for n in 0..8 {
        let found = store.people.person_by(&hash(n)).await.expect("reads").map(|person| person.id);
        assert_eq!(found, model.sessions.get(&hash(n)).cloned(), "{at}: session {n}");
    }
}

/// The rows of the test: each store that there is, and how it is opened in a folder.
async fn conforms_in(folder: &Arc<tempfile::TempDir>, seed: u64) {
    let again = Arc::clone(folder);
    let open = move || -> Opening {
        let folder = Arc::clone(&again);
        Box::pin(async move { common::store_in(&folder).await })
    };
    conforms(seed, 300, &open).await;
}

#[tokio::test]
async fn the_store_conforms() {
    let is_deep = std::env::var_os("QIGUAN_DEEP").is_some();
    for seed in 0..if is_deep { 200 } else { 4 } {
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        conforms_in(&folder, seed).await;
        if !common::is_postgres() {
            let report = store::check(folder.path(), None).await.expect("reads");
            assert!(report.is_whole(), "seed {seed}: {report:?}");
        }
    }
}

/// Each entry that was acknowledged is found, once and in order, whatever else is written at the same time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_writers_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = common::store_in(&folder).await;
    let mut writers = tokio::task::JoinSet::new();
    for n in 0..20 {
        store.logs.create(&format!("t{n}"), &setup(None), vec![], common::WAITING).await.expect("stored");
    }
    // Two for each table, as when a table was opened twice by mistake.
    for n in 0..40 {
        let store = Arc::clone(&store);
        writers.spawn(async move {
            let (id, mut told) = (format!("t{}", n / 2), Vec::new());
            for ver in 1..=40 {
                let cmd = Some(Command { person: format!("p{n}"), id: ver.to_string() });
                let entry = Entry { cmd, ..common::entry(ver, None) };
                match store.logs.append(&id, entry.clone(), None).await {
                    Ok(()) => told.push(entry),
                    Err(StoreError::Conflict) => {}
                    Err(why) => panic!("{why}"),
                }
            }
            (id, told)
        });
    }
    let mut logs: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    while let Some(done) = writers.join_next().await {
        let (id, told) = done.expect("no panic");
        logs.entry(id).or_default().extend(told);
    }
    for (id, mut told) in logs {
        told.sort_by_key(|entry| entry.ver);
        assert_eq!(store.logs.load(&id).await.expect("reads").expect("is there").log, told, "{id}");
    }
}
