//! Laws of tables, tried on random games of every kind: a table is what its log adds up to, and a patch is the way
//! from one view to the next.

use std::sync::Arc;

use hall::maps::Loaded;
use hall::store::{Entry, Setup};
use hall::table::{Decision, State, Wish, decide};
use kernel::laws::Random;
use wire::{Act, ClockSpec, Event, How, MapLine, Offer, Patch, Player, Side, View};

const GAMES: u64 = 12;
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

/// The map of a game that comes with one.
fn loaded(entry: &catalog::Entry) -> Option<Arc<Loaded>> {
    let rules = entry.usual_map()?.clone();
    let line = MapLine {
        id: "usual".to_owned(),
        name: "the usual map".to_owned(),
        rows: rules.map().rows,
        cols: rules.map().cols,
        kinds: 0,
        extensions: Vec::new(),
        created_ms: 0,
        ours: true,
    };
    Some(Arc::new(Loaded::new(line, rules, false)))
}

#[test]
fn a_patch_is_the_way_from_one_view_to_another() {
    for entry in catalog::ENTRIES {
        for seed in 0..GAMES {
            let mut random = Random(seed);
            let mut game =
                entry.open(entry.usual_map(), &options(entry, &mut random), None).expect("the start");
            let mut views = vec![View::from(game.view())];
            for _ in 0..PLIES {
                let moves = game.moves();
                if moves.is_empty() {
                    break;
                }
                game.play(&moves[random.below(moves.len())]).expect("legal");
                views.push(View::from(game.view()));
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
fn a_table_is_what_its_log_adds_up_to() {
    let clocks = [
        ClockSpec::None,
        ClockSpec::Fischer { base_ms: 60_000, increment_ms: 500 },
        ClockSpec::ByoYomi { base_ms: 10_000, period_ms: 3_000, periods: 3 },
        ClockSpec::PerMove { turn_ms: 20_000 },
    ];
    let mut acts_done = std::collections::BTreeMap::new();
    for entry in catalog::ENTRIES {
        for seed in 0..GAMES {
            let mut random = Random(seed * 31 + 7);
            let how = [How::Invite, How::Screen][usize::from(seed % 4 == 3)];
            let setup = Setup {
                game: entry.key.to_owned(),
                options: options(entry, &mut random),
                map: loaded(entry).map(|map| map.name()),
                fen: None,
                how,
                room: None,
                clock: clocks[random.below(clocks.len())],
                created_ms: 1_000,
            };
            live_a_life(setup, &mut random, seed, &mut acts_done);
        }
    }
    for wanted in ["Move", "Offer", "Takeback", "Decline", "Swap", "Resign", "Pause", "Withdraw", "Flag"] {
        assert!(acts_done.contains_key(wanted), "no {wanted} was tried: {acts_done:?}");
    }
}

/// A table at which people wish at random; after each wish its log is read back.
fn live_a_life(
    setup: Setup,
    random: &mut Random,
    seed: u64,
    acts_done: &mut std::collections::BTreeMap<String, usize>,
) {
    let people = ["ann", "bob", "eve"].map(|id| Player { id: id.to_owned(), name: None, engine: None });
    let id = || "table".to_owned();
    let map = || loaded(catalog::find(&setup.game).expect("is there"));
    let mut state = State::new(id(), setup.clone(), map()).expect("opens");
    let mut now_ms = 1_000;
    let mut told = Vec::new();
    if setup.how == How::Screen {
        for side in [Side::First, Side::Second] {
            let event = Event::Sit { side, who: people[0].clone() };
            told.push(add(&mut state, event, None, now_ms));
        }
    }
    for _ in 0..PLIES * 2 {
        now_ms += if random.below(150) == 0 { 25_000 } else { random.below(900) as u64 };
        let who = &people[if random.below(20) == 0 { 2 } else { random.below(2) }];
        let act = some_act(&state, random);
        let ver = state.ver() - (random.below(30) == 0) as u64 * state.ver().min(1);
        let wish = Wish { who, ver, rtt_ms: random.below(200) as u64, now_ms };
        let before = state.ver();
        let (event, spent) = match decide(&state, &wish, &act) {
            Ok(Decision::Event(event, spent)) => (event, spent),
            Ok(Decision::TooLate(side)) => (Event::Flag { by: side.into() }, None),
            Ok(Decision::Rematch) => (Event::Rematch { table: "next".to_owned() }, None),
            Err(_) => {
                assert_eq!(state.ver(), before);
                continue;
            }
        };
        // What is written may be written a little later than it was wished.
        told.push(add(&mut state, event, spent, now_ms + random.below(5) as u64));
        if random.below(40) == 0 && state.clock.running().is_some() {
            told.push(add(&mut state, Event::Pause, None, now_ms + 5_000));
        }
        let again = State::replayed(id(), setup.clone(), map(), state.log.clone()).expect("fits");
        same(&state, &again, now_ms, seed);
    }
    for entry in &state.log {
        let name = format!("{:?}", entry.event);
        *acts_done.entry(name.split([' ', '{']).next().expect("a name").to_owned()).or_default() += 1;
    }
    let retold = state.retold(0).expect("fits");
    assert_eq!(retold, told, "retold as it was told, {} seed {seed}", setup.game);
    // Whoever applies what was told sees what the table shows.
    let mut view = View::from(State::new(id(), setup.clone(), map()).expect("opens").game.view());
    for message in &told {
        if let wire::ServerMessage::Ev { p, .. } = message {
            p.apply(&mut view);
        }
    }
    assert_eq!(view, state.view, "{} seed {seed}", setup.game);
}

fn add(state: &mut State, event: Event, spent_ms: Option<u64>, at_ms: u64) -> wire::ServerMessage {
    let ver = state.ver() + 1;
    let change = state.apply(Entry { ver, at_ms, cmd: Some(format!("wish-{ver}")), spent_ms, event });
    let change = change.unwrap_or_else(|why| panic!("a decision does not fit: {why}"));
    state.told(change)
}

fn same(a: &State, b: &State, now_ms: u64, seed: u64) {
    let at = format!("{} seed {seed} version {}", a.setup.game, a.ver());
    assert_eq!(a.full("ann", [true; 2], 0, now_ms), b.full("ann", [true; 2], 0, now_ms), "{at}");
    assert_eq!((&a.clock, &a.end, a.settled), (&b.clock, &b.end, b.settled), "{at}");
    assert_eq!((a.standing(), a.game.fen()), (b.standing(), b.game.fen()), "{at}");
    assert_eq!(a.done("wish-1"), b.done("wish-1"), "{at}");
}

fn some_act(state: &State, random: &mut Random) -> Act {
    let what = [Offer::Takeback, Offer::Draw, Offer::Rematch, Offer::Swap][random.below(4)];
    match random.below(100) {
        0..4 => Act::Offer { what, plies: None },
        4 => Act::Offer { what: Offer::Takeback, plies: Some(random.below(9) as u32) },
        5..12 => Act::Accept { what },
        12..14 => Act::Decline { what },
        14..24 => Act::Sit { side: None },
        24..32 => Act::Withdraw,
        32 => Act::Leave,
        33 => Act::Abort,
        34..38 => Act::Flag,
        38 if state.ver() > 60 => Act::Resign { side: None },
        _ => {
            let moves = state.game.moves();
            let text =
                if moves.is_empty() { "a1".to_owned() } else { moves[random.below(moves.len())].clone() };
            Act::Move { text }
        }
    }
}
