//! Catches a hole in the protocol of claims, in a simulated network with simulated time: three nodes fight for tables of
//! one database while messages are late or lost, and nodes and the database crash.
//!
//! The database may also be away for all nodes at once, and no node may be buried for that.
//!
//! What is simulated is the protocol, not the SQL: the database here is a model that decides as `postgres::claimed` and
//! `postgres::writer` do, with the same limits of time, and `tests/postgres.rs` holds the SQL to the same laws. What
//! this adds is every order of messages that a network may produce: a write that arrives after its node was buried, an
//! answer that never comes, a table that went away and came back meanwhile.
//!
//! A run follows from its seed, which is printed where it fails. `QIGUAN_SEEDS=500` tries 500 seeds, beginning with
//! `QIGUAN_SEED`.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};
use store::claims::{BREAK_MS, EXPIRES_MS, RENEW_MS, STOPS_MS};
use tokio::time::{Instant, sleep, timeout};
use turmoil::net::UdpSocket;

const PORT: u16 = 5432;
const NODES: usize = 3;
const TABLES: usize = 4;
/// The time in which faults come, and the calm time after it.
const FAULTS: Duration = Duration::from_secs(60);
const CALM: Duration = Duration::from_secs(15);
/// An answer that does not come within this time is taken for lost.
const ANSWER: Duration = Duration::from_millis(700);

/// A part of the protocol that is left out, so that the tests see what it is there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Without {
    Nothing,
    /// An append does not look for the node's row.
    Row,
    /// An append does not look at owner and epoch.
    Owner,
    /// An append does not look at the version.
    Version,
    /// A claim does not look whether the owner lives.
    Burial,
    /// A node takes silence for consent.
    Answer,
    /// A node buries others right after it was cut off itself.
    Break,
}

/// The faults that happen in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Faults {
    /// All faults, to one node at a time and to all.
    All,
    /// Outages of the database for all nodes, again and again, and no other fault: then no node may be buried.
    Outages,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
enum Ask {
    Enter,
    Renew,
    Claim { table: usize },
    Read { table: usize, ver: usize },
    Append { table: usize, epoch: u64, ver: usize, cmd: u64 },
    Release { table: usize },
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
enum Answer {
    Done,
    /// This node was buried.
    Fenced,
    /// The request changed nothing: another node has the table, or the log ends elsewhere.
    Nothing,
    /// A table's epoch, whether its owner is who asks, where its log ends, and the command of the version asked for.
    Table {
        epoch: u64,
        mine: bool,
        end: usize,
        cmd: Option<u64>,
    },
}

#[derive(Clone, Copy, Debug)]
struct Row {
    epoch: u64,
    cmd: u64,
}

#[derive(Default)]
struct Table {
    owner: Option<String>,
    epoch: u64,
    /// The owners of the table, by epoch.
    owners: Vec<String>,
    log: Vec<Row>,
}

/// The content of the database's disk, with the laws that it must never break.
struct Database {
    without: Without,
    faults: Faults,
    /// The last beat of nodes that live, and since when they have had no break, in milliseconds.
    nodes: BTreeMap<String, (u64, u64)>,
    buried: BTreeSet<String>,
    tables: Vec<Table>,
    adopted: u64,
    fenced: u64,
    /// Laws that were broken.
    broken: Vec<String>,
}

impl Database {
    fn new(without: Without, faults: Faults) -> Database {
        let tables = (0..TABLES).map(|_| Table::default()).collect();
        let (nodes, buried) = (BTreeMap::new(), BTreeSet::new());
        Database { without, faults, nodes, buried, tables, adopted: 0, fenced: 0, broken: Vec::new() }
    }

    /// Buries who is silent, in the name of a node.
    fn bury(&mut self, me: &str, now_ms: u64) {
        let Some((beat, since)) = self.nodes.get(me).copied() else { return };
        let may = since + EXPIRES_MS <= now_ms && beat + BREAK_MS >= now_ms;
        if !may && self.without != Without::Break {
            return;
        }
        let silent = |beat: u64| beat + EXPIRES_MS < now_ms;
        let gone = self.nodes.iter().filter(|(_, (beat, _))| silent(*beat)).map(|(node, _)| node.clone());
        for node in gone.collect::<Vec<_>>() {
            if self.faults == Faults::Outages {
                self.broken.push(format!("{me} buried {node} for an outage that all had"));
            }
            self.buried.insert(node);
        }
        self.nodes.retain(|_, (beat, _)| !silent(*beat));
    }

    /// One statement, which is carried out whole.
    fn carry_out(&mut self, me: &str, ask: &Ask, now_ms: u64) -> Answer {
        let lives = self.nodes.contains_key(me);
        match *ask {
            Ask::Enter => {
                // A second message of the same is late: an incarnation is never used again.
                if !self.buried.contains(me) {
                    self.nodes.insert(me.to_owned(), (now_ms, now_ms));
                }
                Answer::Done
            }
            Ask::Renew => {
                let Some((beat, since)) = self.nodes.get_mut(me) else { return Answer::Fenced };
                if *beat + BREAK_MS < now_ms {
                    *since = now_ms;
                }
                *beat = now_ms;
                self.bury(me, now_ms);
                Answer::Done
            }
            Ask::Claim { .. } if !lives => Answer::Fenced,
            Ask::Claim { table } => {
                self.bury(me, now_ms);
                let table = &mut self.tables[table];
                let owner = table.owner.clone();
                if owner.as_deref() == Some(me) {
                    return read(table, me, 0);
                }
                let held = owner.as_ref().is_some_and(|owner| self.nodes.contains_key(owner));
                if held && self.without != Without::Burial {
                    return Answer::Nothing;
                }
                if held {
                    self.broken.push(format!("{me} took a table from {owner:?}, which lives"));
                }
                self.adopted += u64::from(owner.is_some());
                table.owner = Some(me.to_owned());
                table.owners.push(me.to_owned());
                table.epoch += 1;
                read(table, me, 0)
            }
            Ask::Read { table, ver } => read(&self.tables[table], me, ver),
            Ask::Append { table: at, epoch, ver, cmd } => {
                let table = &mut self.tables[at];
                let owns = table.owner.as_deref() == Some(me) && table.epoch == epoch;
                let fits = ver == table.log.len() + 1;
                if !lives && self.without != Without::Row {
                    self.fenced += 1;
                    return Answer::Fenced;
                }
                if !owns && self.without != Without::Owner || !fits && self.without != Without::Version {
                    self.fenced += u64::from(!owns);
                    return Answer::Nothing;
                }
                if self.buried.contains(me) {
                    self.broken.push(format!("{me}, which is buried, wrote version {ver} of table {at}"));
                }
                if !owns {
                    self.broken
                        .push(format!("{me} wrote version {ver} of table {at}, which it does not own"));
                }
                if table.log.iter().any(|row| row.cmd == cmd) {
                    self.broken.push(format!("command {cmd} is twice in table {at}"));
                }
                table.log.push(Row { epoch, cmd });
                Answer::Done
            }
            Ask::Release { table } => {
                let table = &mut self.tables[table];
                if table.owner.as_deref() == Some(me) {
                    table.owner = None;
                }
                Answer::Done
            }
        }
    }
}

fn read(table: &Table, me: &str, ver: usize) -> Answer {
    let mine = table.owner.as_deref() == Some(me);
    let cmd = ver.checked_sub(1).and_then(|at| table.log.get(at)).map(|row| row.cmd);
    Answer::Table { epoch: table.epoch, mine, end: table.log.len(), cmd }
}

/// A command that a node said is stored.
#[derive(Clone, Copy, Debug)]
struct StoredCommand {
    table: usize,
    ver: usize,
    cmd: u64,
}

type Disk = Rc<RefCell<Database>>;

/// The database as a process: it answers each message, and forgets nothing when it crashes.
async fn serve(disk: Disk) -> turmoil::Result {
    let socket = UdpSocket::bind(("0.0.0.0", PORT)).await?;
    let mut bytes = [0; 65_000];
    loop {
        let (count, from) = socket.recv_from(&mut bytes).await?;
        let (number, me, ask): (u64, String, Ask) = serde_json::from_slice(&bytes[..count])?;
        let now_ms = turmoil::sim_elapsed().unwrap_or_default().as_millis() as u64;
        let answer = disk.borrow_mut().carry_out(&me, &ask, now_ms);
        // Who cannot be reached is not told.
        let _ = socket.send_to(&serde_json::to_vec(&(number, answer))?, from).await;
    }
}

/// A connection to the database.
struct DatabaseConnection {
    me: String,
    socket: UdpSocket,
    number: Cell<u64>,
}

impl DatabaseConnection {
    async fn open(me: &str) -> turmoil::Result<DatabaseConnection> {
        let socket = UdpSocket::bind(("0.0.0.0", 0)).await?;
        Ok(DatabaseConnection { me: me.to_owned(), socket, number: Cell::new(0) })
    }

    /// Sends a request and returns the answer; `None` where none comes, and the outcome is unknown.
    async fn ask(&self, ask: Ask) -> Option<Answer> {
        self.number.set(self.number.get() + 1);
        let asked = serde_json::to_vec(&(self.number.get(), &self.me, ask)).ok()?;
        self.socket.send_to(&asked, ("db", PORT)).await.ok()?;
        let answered = async {
            let mut bytes = [0; 65_000];
            loop {
                let (count, _) = self.socket.recv_from(&mut bytes).await.ok()?;
                let (number, answer): (u64, Answer) = serde_json::from_slice(&bytes[..count]).ok()?;
                // Answers to what was given up are late.
                if number == self.number.get() {
                    return Some(answer);
                }
            }
        };
        timeout(ANSWER, answered).await.ok().flatten()
    }
}

/// The records that the nodes of a run share with the checks.
#[derive(Default)]
struct Notes {
    told: RefCell<Vec<StoredCommand>>,
    runs: Cell<u64>,
    commands: Cell<u64>,
}

/// A node: it enters, beats, and plays at the tables it can get, until it is buried.
async fn node(name: String, without: Without, seed: u64, notes: Rc<Notes>) -> turmoil::Result {
    loop {
        notes.runs.set(notes.runs.get() + 1);
        let me = format!("{name}.{}", notes.runs.get());
        let random = StdRng::seed_from_u64(seed ^ notes.runs.get());
        let beats = DatabaseConnection::open(&me).await?;
        while beats.ask(Ask::Enter).await != Some(Answer::Done) {
            sleep(Duration::from_millis(200)).await;
        }
        let until = Rc::new(Cell::new(Instant::now() + Duration::from_millis(STOPS_MS)));
        let alive = Rc::clone(&until);
        let beating = async {
            loop {
                let begun = Instant::now();
                match beats.ask(Ask::Renew).await {
                    Some(Answer::Done) => alive.set(begun + Duration::from_millis(STOPS_MS)),
                    Some(_) => return,
                    None => continue,
                }
                sleep(Duration::from_millis(RENEW_MS)).await;
            }
        };
        tokio::select! {
            biased;
            () = beating => {}
            played = play(&me, without, random, until, &notes) => played?,
        }
    }
}

/// Plays at one table after the other, until the database says that this node was buried.
async fn play(
    me: &str,
    without: Without,
    mut random: StdRng,
    until: Rc<Cell<Instant>>,
    notes: &Notes,
) -> turmoil::Result {
    let line = DatabaseConnection::open(me).await?;
    loop {
        sleep(Duration::from_millis(random.random_range(5..60))).await;
        if Instant::now() >= until.get() {
            // By its own clock it may be dead for the others, so it serves no requests.
            continue;
        }
        let table = random.random_range(0..TABLES);
        let (epoch, mut end) = match line.ask(Ask::Claim { table }).await {
            Some(Answer::Table { epoch, mine: true, end, .. }) => (epoch, end),
            Some(Answer::Fenced) => return Ok(()),
            _ => continue,
        };
        let moves = random.random_range(1..12);
        for _ in 0..moves {
            if Instant::now() >= until.get() {
                break;
            }
            // A player thinks.
            sleep(Duration::from_millis(random.random_range(10..150))).await;
            let cmd = notes.commands.get() + 1;
            notes.commands.set(cmd);
            let (told, tries) = (StoredCommand { table, ver: end + 1, cmd }, random.random_range(1..4));
            match append(&line, without, tries, told, epoch).await {
                Some(Answer::Done) => {
                    end += 1;
                    notes.told.borrow_mut().push(told);
                }
                Some(Answer::Fenced) => return Ok(()),
                _ => break,
            }
        }
        // Not always: then others adopt it from a node that dies.
        if random.random_range(0..3) > 0 {
            let _ = line.ask(Ask::Release { table }).await;
        }
    }
}

/// Appends one command. Where no answer comes, the log says whether it was written; if it was not, it is sent again.
///
/// `None`: it was given up after `tries`, and a message may still be under way.
async fn append(
    line: &DatabaseConnection,
    without: Without,
    tries: u32,
    told: StoredCommand,
    epoch: u64,
) -> Option<Answer> {
    let StoredCommand { table, ver, cmd } = told;
    for _ in 0..tries {
        match line.ask(Ask::Append { table, epoch, ver, cmd }).await {
            None if without == Without::Answer => return Some(Answer::Done),
            None | Some(Answer::Nothing) => {}
            Some(answer) => return Some(answer),
        }
        match line.ask(Ask::Read { table, ver }).await {
            Some(Answer::Table { cmd: there, .. }) if there == Some(cmd) => return Some(Answer::Done),
            Some(Answer::Table { epoch: now, mine, end, .. }) if !mine || now != epoch || end >= ver => {
                return Some(Answer::Nothing);
            }
            _ => {}
        }
    }
    None
}

/// The result of a run.
#[derive(Default, Debug)]
struct Run {
    told: usize,
    adopted: u64,
    fenced: u64,
    broken: Vec<String>,
}

/// One run with all faults, which follows from the seed.
fn run(seed: u64, without: Without) -> Run {
    run_with(seed, without, Faults::All)
}

/// One run, which follows from the seed.
fn run_with(seed: u64, without: Without, faults: Faults) -> Run {
    let mut random = StdRng::seed_from_u64(seed);
    let mut sim = turmoil::Builder::new()
        .simulation_duration(FAULTS + CALM + Duration::from_secs(1))
        .tick_duration(Duration::from_millis(10))
        .min_message_latency(Duration::from_millis(1))
        .max_message_latency(Duration::from_millis(30))
        .udp_capacity(4096)
        .enable_random_order()
        .rng_seed(seed)
        .build();
    let disk: Disk = Rc::new(RefCell::new(Database::new(without, faults)));
    let notes = Rc::new(Notes::default());
    let own = Rc::clone(&disk);
    sim.host("db", move || serve(Rc::clone(&own)));
    let names: Vec<String> = (0..NODES).map(|n| format!("node{n}")).collect();
    for name in &names {
        let (own, notes) = (name.clone(), Rc::clone(&notes));
        sim.host(name.as_str(), move || node(own.clone(), without, seed, Rc::clone(&notes)));
    }
    // Faults that are mended after a while: when, and how.
    let mut mends: Vec<(Duration, Mend)> = Vec::new();
    let mut next = Duration::from_secs(2);
    while sim.elapsed() < FAULTS + CALM {
        sim.step().expect("nothing in a node or the database fails");
        let now = sim.elapsed();
        if now >= next && now < FAULTS {
            next = now + Duration::from_millis(random.random_range(300..5_000));
            let long = Duration::from_millis(random.random_range(100..14_000));
            if faults == Faults::Outages || random.random_range(0..30) == 0 {
                // Each finds the way back within two seconds of the others.
                for name in &names {
                    sim.partition(name.as_str(), "db");
                    let later = Duration::from_millis(random.random_range(0..2_000));
                    mends.push((now + long + later, Mend::Repair(name.clone())));
                }
                next += long + Duration::from_secs(2);
            } else {
                let mend = harm(&mut sim, &names, &mut random);
                mends.push((now + long, mend));
            }
        }
        for (_, mend) in mends.extract_if(.., |(due, _)| *due <= now || now >= FAULTS) {
            mend.apply(&mut sim);
        }
    }
    let mut database = disk.borrow_mut();
    let told = notes.told.borrow();
    judge(&mut database, &told);
    Run {
        told: told.len(),
        adopted: database.adopted,
        fenced: database.fenced,
        broken: std::mem::take(&mut database.broken),
    }
}

/// The action that ends a fault.
enum Mend {
    Bounce(String),
    Repair(String),
    Release(String),
    Faster(String),
    Lossless,
}

/// The latency of a slow way, and of others, in milliseconds.
const SLOW_MS: u64 = 3_000;
const QUICK_MS: u64 = 30;

fn harm(sim: &mut turmoil::Sim<'_>, names: &[String], random: &mut StdRng) -> Mend {
    let name = names[random.random_range(0..names.len())].clone();
    match random.random_range(0..14) {
        0..3 => {
            sim.crash(name.as_str());
            Mend::Bounce(name)
        }
        3 => {
            sim.crash("db");
            Mend::Bounce("db".to_owned())
        }
        4 | 5 => {
            sim.partition(name.as_str(), "db");
            Mend::Repair(name)
        }
        // Its messages arrive, the answers do not; or the other way round.
        6 => {
            sim.partition_oneway("db", name.as_str());
            Mend::Repair(name)
        }
        7 => {
            sim.partition_oneway(name.as_str(), "db");
            Mend::Repair(name)
        }
        // Everything that is under way arrives later, all at once: as from a process that was stopped.
        8 | 9 => {
            sim.hold(name.as_str(), "db");
            Mend::Release(name)
        }
        10..13 => {
            sim.set_link_max_message_latency(name.as_str(), "db", Duration::from_millis(SLOW_MS));
            Mend::Faster(name)
        }
        _ => {
            sim.set_fail_rate(0.1);
            Mend::Lossless
        }
    }
}

impl Mend {
    fn apply(self, sim: &mut turmoil::Sim<'_>) {
        match self {
            Mend::Bounce(name) => sim.bounce(name.as_str()),
            Mend::Repair(name) => sim.repair(name.as_str(), "db"),
            Mend::Release(name) => sim.release(name.as_str(), "db"),
            Mend::Faster(name) => {
                sim.set_link_max_message_latency(name.as_str(), "db", Duration::from_millis(QUICK_MS));
            }
            Mend::Lossless => sim.set_fail_rate(0.0),
        }
    }
}

/// Holds the logs against what was told, and epochs against their owners.
fn judge(database: &mut Database, told: &[StoredCommand]) {
    let mut broken = Vec::new();
    for StoredCommand { table, ver, cmd } in told {
        if database.tables[*table].log.get(ver - 1).map(|row| row.cmd) != Some(*cmd) {
            broken.push(format!("command {cmd} was told to be version {ver} of table {table} and is not"));
        }
    }
    for (at, table) in database.tables.iter().enumerate() {
        if table.owners.len() as u64 != table.epoch {
            broken.push(format!("table {at} has epoch {} and {} owners", table.epoch, table.owners.len()));
        }
        if !table.log.is_sorted_by_key(|row| row.epoch) {
            broken.push(format!("in the log of table {at} an owner writes after the next one"));
        }
    }
    database.broken.extend(broken);
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}

#[test]
fn whatever_the_network_does_one_node_owns_a_table_and_nothing_is_lost() {
    let (first, count) = (number("QIGUAN_SEED", 1), number("QIGUAN_SEEDS", 20));
    let mut all = Run::default();
    for seed in first..first + count {
        let run = run(seed, Without::Nothing);
        let (broken, told) = (&run.broken, run.told);
        assert!(broken.is_empty(), "QIGUAN_SEED={seed} QIGUAN_SEEDS=1: {broken:#?}");
        assert!(told > 100, "QIGUAN_SEED={seed}: only {told} commands were answered, so little was tried");
        all.told += told;
        all.adopted += run.adopted;
        all.fenced += run.fenced;
    }
    eprintln!("{count} seeds: {} told, {} adopted, {} fenced", all.told, all.adopted, all.fenced);
    assert!(all.adopted > count && all.fenced > 0, "{all:?}");
}

/// Each part of the protocol is needed: without it some of these runs break a law.
#[test]
fn each_part_left_out_is_found() {
    for without in [Without::Row, Without::Owner, Without::Version, Without::Burial, Without::Answer] {
        let found = (1..=100).map(|seed| run(seed, without)).find(|run| !run.broken.is_empty());
        assert!(found.is_some(), "a hundred seeds do not show what {without:?} is for");
    }
    let mut outages = (1..=20).map(|seed| run_with(seed, Without::Break, Faults::Outages));
    assert!(outages.any(|run| !run.broken.is_empty()), "twenty seeds do not show what breaks are for");
}

/// The first node that is back after an outage of the database does not bury the others.
#[test]
fn nobody_is_buried_for_an_outage_that_all_had() {
    for seed in 1..=number("QIGUAN_SEEDS", 20) {
        let run = run_with(seed, Without::Nothing, Faults::Outages);
        assert!(run.broken.is_empty(), "seed {seed}: {:#?}", run.broken);
        assert!(run.told > 100 && run.fenced == 0, "seed {seed}: {run:?}");
    }
}

#[test]
fn a_seed_gives_the_same_run_again() {
    let both = [run(7, Without::Nothing), run(7, Without::Nothing)].map(|run| format!("{run:?}"));
    assert_eq!(both[0], both[1]);
}
