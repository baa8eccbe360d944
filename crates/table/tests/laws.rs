//! Laws of tables, tried with random wishes on random games of every kind: a table is what its log adds up to, clients
//! that store what they are told know what the table knows, and no wish makes a table run without progress.

use kernel::Side;
use kernel::laws::Random;
use table::{
    ActRequest, Applied, Command, Decision, Ended, Entry, Event, Setup, Stage, State, decide, program,
};
use wire::{Act, ClientTable, ClockSpec, How, Offer, Opponent, Patch, Player, ServerMessage};

const GAMES: u64 = 12;
const WISHES: usize = 240;
const PLIES: usize = 120;

fn options(entry: &catalog::Entry, random: &mut Random) -> catalog::Options {
    let setting = [catalog::Setting::Online, catalog::Setting::Faithful][random.below(2)];
    let small = |o: &&catalog::OptionSpec| o.key == "size";
    let chosen = entry.options.iter().filter(small).map(|o| (o.key.to_owned(), 5 + random.below(6) as i64));
    let mut chosen: catalog::Options = chosen.collect();
    // Openings of every kind fit this board.
    if let Some(opening) = entry.options.iter().find(|o| o.key == "opening").filter(|_| random.below(2) == 0)
    {
        chosen.insert("size".to_owned(), 15);
        chosen.insert(opening.key.to_owned(), random.below(opening.names.len()) as i64);
    }
    entry.settle(&chosen, setting).expect("in range")
}

/// A table, everything that was written down about it, and a client that was told everything.
struct Room {
    state: State,
    log: Vec<Entry>,
    client: ClientTable,
    /// The end that was told last.
    ended: Option<Ended>,
    now_ms: u64,
}

impl Room {
    fn open(setup: Setup) -> Room {
        let state = Room::at_start(&setup);
        let mut client = ClientTable::default();
        client.learn(&state.full("eve", [false; 2], 0, 1_000)).expect("everything");
        Room { state, log: Vec::new(), client, ended: None, now_ms: setup.created_ms }
    }

    fn at_start(setup: &Setup) -> State {
        let entry = catalog::find(&setup.game).expect("is there");
        let game = entry.open(entry.usual_map(), &setup.options, None).expect("the start");
        State::new("table".to_owned(), setup.clone(), true, game)
    }

    /// Applies and tells, as a table's task does; `slow_ms`: what the disk needs.
    fn add(&mut self, event: Event, spent_ms: Option<u64>, cmd: Option<Command>, slow_ms: u64) -> bool {
        let ver = self.state.ver + 1;
        let fen = self.state.game.fen();
        let entry = Entry { ver, at_ms: self.now_ms, cmd, spent_ms, event };
        let was_over = self.state.stage() == Stage::Over;
        let Ok(Applied { entry, change, standing, ended }) = self.state.apply(entry) else {
            assert_eq!((self.state.ver + 1, self.state.game.fen()), (ver, fen), "nothing changed");
            return false;
        };
        if let Some(standing) = standing {
            assert_eq!(standing, self.state.standing());
        }
        assert!(ended.is_none() || !was_over, "a game ends once");
        if let Some(ended) = ended {
            self.ended = Some(*ended);
        } else if self.state.stage() != Stage::Over {
            let taken_back = self.ended.take();
            assert!(taken_back.is_none_or(|ended| !ended.setup.rated), "the end of a rated game is final");
        }
        self.log.push(entry);
        self.now_ms += slow_ms;
        let told = self.state.told(change, self.now_ms);
        let text = serde_json::to_string(&told).expect("plain data");
        let told: ServerMessage = serde_json::from_str(&text).expect("its own text");
        assert!(self.client.learn(&told).expect("the next one"), "{text}");
        true
    }

    /// Wishes something; true when something happened.
    fn wish(&mut self, who: &Player, ver: u64, act: &Act, cmd: Option<Command>, slow_ms: u64) -> bool {
        let wish = ActRequest { who, ver, arrived_ms: self.now_ms, lag_ms: 60, act };
        let (event, spent) = match decide(&self.state, wish) {
            Ok(Decision::Event(event, spent)) => (event, spent),
            Ok(Decision::TooLate(by)) => (Event::Flag { by }, None),
            Ok(Decision::Rematch) => (Event::Rematch { table: "next".to_owned() }, None),
            Ok(Decision::Premove(..)) | Err(_) => return false,
        };
        self.add(event, spent, cmd, slow_ms)
    }

    /// The program at the table answers until it has nothing to say.
    fn programs(&mut self) {
        let mut last = None;
        while let Some((side, act)) = program::answer(&self.state, self.now_ms) {
            assert_ne!(last, Some(self.state.ver), "asked twice about one version: {act:?}");
            last = Some(self.state.ver);
            let (who, _) = program::at(&self.state, side).expect("sits there");
            let who = who.clone();
            assert!(self.wish(&who, self.state.ver, &act, None, 0), "{act:?} leads to nothing");
        }
    }

    fn check(&self, at: &str) {
        let read = Room::at_start(&self.state.setup).replay(self.log.clone()).expect("fits");
        let seen = |state: &State, now_ms| state.full("ann", [true; 2], 0, now_ms);
        let (ServerMessage::Full { clk: a, .. }, ServerMessage::Full { clk: b, .. }) =
            (seen(&self.state, 0), seen(&read, 0))
        else {
            panic!("everything")
        };
        assert_eq!(a, b, "{at}: the clocks");
        assert_eq!(seen(&self.state, 0), seen(&read, 0), "{at}");
        assert_eq!(self.state.standing(), read.standing(), "{at}");
        let next = |ended: Ended| (ended.players, ended.outcome, ended.begun_ms, ended.ended_ms, ended.plies);
        let (told, now, read_now) =
            (self.ended.clone().map(next), self.state.ended().map(next), read.ended().map(next));
        assert_eq!((&told, &now), (&now, &read_now), "{at}: what is remembered");
        assert_eq!((self.state.settled, self.state.game.fen()), (read.settled, read.game.fen()), "{at}");
        for entry in &self.log {
            let Some(cmd) = &entry.cmd else { continue };
            assert_eq!(
                (self.state.done(cmd), read.done(cmd)),
                (Some(entry.ver), Some(entry.ver)),
                "{at}: {cmd:?}"
            );
        }
        let ServerMessage::Full { v, table, view, record, clk, offers, end, .. } =
            seen(&self.state, self.now_ms)
        else {
            panic!("everything")
        };
        let told = &self.client;
        assert_eq!(
            (told.ver, told.info.as_ref(), told.view.as_ref()),
            (v, Some(&table), Some(&view)),
            "{at}"
        );
        assert_eq!((&told.record, &told.offers, &told.end), (&record, &offers, &end), "{at}");
        // What a clock shows moves on by itself; whose it is does not.
        assert_eq!(told.clock.map(|c| c.run), clk.map(|c| c.run), "{at}");
        assert_eq!(told.first_ms.is_some(), self.state.first.is_some(), "{at}: the time for a first move");
    }
}

#[test]
fn a_patch_is_the_way_from_one_view_to_another() {
    for entry in catalog::ENTRIES.iter() {
        for seed in 0..GAMES {
            let mut random = Random(seed);
            let mut game =
                entry.open(entry.usual_map(), &options(entry, &mut random), None).expect("the start");
            let mut views = vec![game.view()];
            for _ in 0..PLIES {
                let moves = game.moves();
                if moves.is_empty() {
                    break;
                }
                game.play(&moves[random.below(moves.len())]).expect("legal");
                views.push(game.view());
            }
            // Each ply, there and back, and some longer ways, as takebacks of several plies are.
            let far = (0..40).map(|_| (random.below(views.len()), random.below(views.len())));
            let steps = (1..views.len()).flat_map(|i| [(i - 1, i), (i, i - 1)]);
            for (from, to) in steps.chain(far.collect::<Vec<_>>()) {
                let patch = Patch::between(&views[from], &views[to]);
                let text = serde_json::to_string(&patch).expect("plain data");
                let mut view = views[from].clone();
                serde_json::from_str::<Patch>(&text).expect("its own text").apply(&mut view);
                assert_eq!(view, views[to], "{} from {from} to {to}, seed {seed}: {text}", entry.key);
                assert_eq!(patch.is_empty(), views[from] == views[to], "{}, seed {seed}", entry.key);
            }
        }
    }
}

#[test]
fn log_memory_and_clients_agree() {
    let clocks = [
        ClockSpec::None,
        ClockSpec::Fischer { base_ms: 60_000, increment_ms: 500 },
        ClockSpec::ByoYomi { base_ms: 10_000, period_ms: 3_000, periods: 3 },
        ClockSpec::per_move(20_000),
        ClockSpec::per_move(3 * 86_400_000),
    ];
    let mut kinds = std::collections::BTreeMap::new();
    for entry in catalog::ENTRIES.iter() {
        for seed in 0..GAMES {
            let mut random = Random(seed * 31 + 7);
            let how = [How::Invite, How::Screen][usize::from(seed % 4 == 3)];
            let setup = Setup {
                game: entry.key.to_owned(),
                options: options(entry, &mut random),
                map: None,
                fen: None,
                how,
                room: None,
                clock: clocks[random.below(clocks.len())],
                rated: random.below(4) == 0,
                created_ms: 1_000,
                heading: None,
            };
            let program = (seed % 4 == 1).then_some(Opponent::Level(3));
            for entry in live_a_life(setup, program, &mut random, seed) {
                let name = format!("{:?}", entry.event);
                let name = name.split([' ', '{']).next().expect("a name").to_owned();
                *kinds.entry(name).or_insert(0) += 1;
            }
        }
    }
    for wanted in [
        "Move", "Offer", "Takeback", "Decline", "Swap", "Resign", "Pause", "Withdraw", "Flag", "Rematch",
        "Leave", "Offers",
    ] {
        assert!(kinds.contains_key(wanted), "no {wanted} was tried: {kinds:?}");
    }
}

/// A table at which people wish at random. Returns its log.
fn live_a_life(setup: Setup, program: Option<Opponent>, random: &mut Random, seed: u64) -> Vec<Entry> {
    let people = ["ann", "bob", "eve"].map(|id| Player {
        id: id.to_owned(),
        name: None,
        engine: None,
        program: false,
    });
    let alone = setup.how == How::Screen;
    let mut room = Room::open(setup);
    if alone {
        for side in Side::BOTH {
            room.add(Event::Sit { side, who: people[0].clone(), secret: None }, None, None, 0);
        }
    } else if program.is_some() {
        let who = Player { id: "program".to_owned(), name: None, engine: program, program: false };
        room.add(Event::Sit { side: Side::Second, who, secret: None }, None, None, 0);
    }
    for n in 0..WISHES {
        room.now_ms += if random.below(150) == 0 { 25_000 } else { random.below(900) as u64 };
        let who = &people[if random.below(20) == 0 { 2 } else { random.below(2) }];
        let act = some_act(&room.state, random);
        let ver = room.state.ver - (random.below(30) == 0) as u64 * room.state.ver.min(1);
        // A program's moves, too, so that its games go on.
        let turn = room.state.turn();
        let mover = program::at(&room.state, turn).map(|(who, _)| who.clone());
        let who = mover.as_ref().filter(|_| matches!(act, Act::Move { .. })).unwrap_or(who);
        let cmd =
            who.engine.is_none().then(|| Command { person: who.id.clone(), id: format!("wish-{n:04}") });
        room.wish(who, ver, &act, cmd, random.below(5) as u64 * 100);
        room.programs();
        if random.below(40) == 0 && room.state.clock.running().is_some() {
            room.add(Event::Pause, Some(700), None, 0);
        }
        // Reading a log back takes long; a mistake stays visible.
        if n % 8 == 0 || n + 1 == WISHES {
            room.check(&format!("{} seed {seed} wish {n}: {act:?}", room.state.setup.game));
        }
    }
    room.log
}

fn some_act(state: &State, random: &mut Random) -> Act {
    let what = [Offer::Takeback, Offer::Draw, Offer::Rematch, Offer::Swap][random.below(4)];
    match random.below(100) {
        0..4 => Act::Offer { what, plies: None },
        4 => Act::Offer { what: Offer::Takeback, plies: Some(random.below(9) as u32) },
        5..12 => Act::Accept { what },
        12..14 => Act::Decline { what },
        14 => Act::Offers { taken: random.below(2) == 0 },
        15..24 => Act::Sit { side: None },
        24..32 => Act::Withdraw,
        32 => Act::Leave,
        33 => Act::Abort,
        34..38 => Act::Flag,
        38..40 if state.ver > 40 => Act::Resign { side: None },
        _ => {
            let moves = state.game.moves();
            let text =
                if moves.is_empty() { "a1".to_owned() } else { moves[random.below(moves.len())].clone() };
            Act::Move { text, away: false }
        }
    }
}

/// A full log, a takeback offered to a program: it used to answer for ever.
#[test]
fn a_program_declines_at_a_full_log() {
    let setup = Setup {
        game: "gomoku/freestyle".to_owned(),
        options: catalog::find("gomoku/freestyle")
            .expect("is there")
            .settle(&catalog::Options::new(), catalog::Setting::Faithful)
            .expect("usual"),
        map: None,
        fen: None,
        how: How::Invite,
        room: None,
        clock: ClockSpec::None,
        rated: false,
        created_ms: 1_000,
        heading: None,
    };
    let mut room = Room::open(setup);
    let ann = Player { id: "ann".to_owned(), name: None, engine: None, program: false };
    let program = Player { id: "p".to_owned(), name: None, engine: Some(Opponent::Level(1)), program: false };
    room.add(Event::Sit { side: Side::First, who: ann.clone(), secret: None }, None, None, 0);
    room.add(Event::Sit { side: Side::Second, who: program.clone(), secret: None }, None, None, 0);
    room.add(Event::Move { by: Side::First, text: "h8".to_owned(), away: false }, None, None, 0);
    let offer = Act::Offer { what: Offer::Swap, plies: None };
    while room.state.ver < table::MOST_EVENTS - 1 {
        room.state.ver += 1;
    }
    room.client.ver = room.state.ver;
    assert!(room.wish(&ann, room.state.ver, &offer, None, 0), "the last event but one");
    room.programs();
    assert!(room.state.offers.is_empty(), "the offer is answered");
    assert!(!room.wish(&ann, room.state.ver, &offer, None, 0), "and no other is taken");
    assert!(room.wish(&ann, room.state.ver, &Act::Resign { side: None }, None, 0), "the game can be ended");
}

/// The same command id from two people names two wishes.
#[test]
fn commands_belong_to_people() {
    let setup = Setup {
        game: "locked".to_owned(),
        options: catalog::Options::new(),
        map: None,
        fen: None,
        how: How::Invite,
        room: None,
        clock: ClockSpec::None,
        rated: false,
        created_ms: 1_000,
        heading: None,
    };
    let entry = catalog::find(&setup.game).expect("is there");
    let options = entry.settle(&catalog::Options::new(), catalog::Setting::Faithful).expect("usual");
    let mut room = Room::open(Setup { options, ..setup });
    for (side, name) in Side::BOTH.into_iter().zip(["ann", "bob"]) {
        let who = Player { id: name.to_owned(), name: None, engine: None, program: false };
        let cmd = Command { person: name.to_owned(), id: "same-name".to_owned() };
        room.add(Event::Sit { side, who, secret: None }, None, Some(cmd), 0);
    }
    let done =
        |person: &str| room.state.done(&Command { person: person.to_owned(), id: "same-name".to_owned() });
    assert_eq!((done("ann"), done("bob"), done("eve")), (Some(1), Some(2), None));
    // As it was written down before persons were.
    let old = Command { person: String::new(), id: "old-name".to_owned() };
    room.add(Event::Offer { by: Side::First, what: wire::Offer::Draw }, None, Some(old), 0);
    let anybodys = Command { person: "eve".to_owned(), id: "old-name".to_owned() };
    assert_eq!(room.state.done(&anybodys), Some(3));
}

/// The messages of a hall to a client, and the state of the client after each, are written to a file. The page's own
/// store must come to the same: `web/tests/told.test.ts` reads this file.
#[test]
fn the_page_is_given_what_clients_store() {
    const GAMES: [(&str, u64, usize); 6] = [
        ("xiangqi", 3, 14),
        ("draughts/russian", 5, 40),
        ("gomoku/standard", 7, 40),
        ("gomoku/renju", 11, 40),
        ("locked", 13, 40),
        ("jingbanqi", 17, 14),
    ];
    let games: Vec<_> = GAMES.iter().map(|&(key, seed, events)| told(key, seed, events)).collect();
    let lines: Vec<_> = games.iter().map(|game| serde_json::to_string(game).expect("plain data")).collect();
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/tests/told.json");
    if std::env::var_os("QIGUAN_BLESS").is_some() {
        std::fs::write(path, &text).expect("can be written");
    }
    let kept = std::fs::read_to_string(path).expect("the file is there: QIGUAN_BLESS=1 cargo test -p table");
    assert!(kept == text, "web/tests/told.json is stale: QIGUAN_BLESS=1 cargo test -p table");
}

/// A random game of `key` with all kinds of events until `events` were told.
fn told(key: &str, seed: u64, events: usize) -> serde_json::Value {
    let entry = catalog::find(key).expect("is there");
    let mut random = Random(seed);
    let setup = Setup {
        game: key.to_owned(),
        options: options(entry, &mut random),
        map: None,
        fen: None,
        how: How::Invite,
        room: None,
        clock: ClockSpec::Fischer { base_ms: 60_000, increment_ms: 500 },
        rated: false,
        created_ms: 1_000,
        heading: None,
    };
    let mut room = Room::open(setup);
    let mut all = vec![room.state.full("ann", [true, false], 0, 1_000)];
    let people = ["ann", "bob"].map(|id| Player {
        id: id.to_owned(),
        name: Some(id.to_uppercase()),
        engine: None,
        program: false,
    });
    while all.len() <= events {
        let before = room.state.ver;
        room.now_ms += random.below(900) as u64;
        let side = if random.below(8) == 0 { room.state.turn().other() } else { room.state.turn() };
        let who = room.state.seats[side.index()].clone().unwrap_or_else(|| people[random.below(2)].clone());
        let act = match random.below(12) {
            0 => Act::Offer { what: Offer::Takeback, plies: None },
            1 => Act::Accept { what: Offer::Takeback },
            _ => some_act(&room.state, &mut random),
        };
        let ends = matches!(
            act,
            Act::Resign { .. } | Act::Flag | Act::Abort | Act::Leave | Act::Accept { what: Offer::Draw }
        );
        if ends && all.len() < events {
            continue;
        }
        let wish = ActRequest { who: &who, ver: before, arrived_ms: room.now_ms, lag_ms: 0, act: &act };
        let Ok(Decision::Event(event, spent)) = decide(&room.state, wish) else { continue };
        let written = Entry { ver: before + 1, at_ms: room.now_ms, cmd: None, spent_ms: spent, event };
        let Ok(Applied { change, .. }) = room.state.apply(written) else { continue };
        all.push(room.state.told(change, room.now_ms));
        if room.state.end.is_some() {
            break;
        }
    }
    let mut known = ClientTable::default();
    for message in &all {
        known.learn(message).expect("the next one");
    }
    let ClientTable {
        ver,
        info,
        view,
        record,
        offers,
        end,
        you,
        clock,
        first_ms,
        here,
        watchers,
        claim_ms,
        trouble: _,
        announced: _,
    } = known;
    serde_json::json!({
        "game": key,
        "told": all,
        "known": {
            "ver": ver, "info": info, "view": view, "record": record, "offers": offers, "end": end, "you": you,
            "clk": clock, "first": first_ms, "here": here, "watchers": watchers, "claim": claim_ms,
        },
    })
}
