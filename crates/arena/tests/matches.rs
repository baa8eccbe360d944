//! Matches between engines that are scripts: what is counted, what is kept, and what is not believed.

use std::io::Write;
use std::time::Duration;

use arena::opening::{Openings, USUAL_NODES};
use arena::random::Random;
use arena::{Contest, Control, Journal, Played, Player, Scale, Settings, Spec, Sprt, Tally, Terms};
use catalog::Ruleset;
use engine::{Engine, Info, Limits, Native, Task, Worth};
use external::Fence;
use kernel::Problem;

/// The styles in which a script plays.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    /// Any legal move, the same for the same line and seed.
    Random,
    /// Random, until it plays what there is not.
    Cheats,
    /// Random, but slow.
    Sleeps,
    /// Resigns at once.
    Resigns,
    /// Fails before it can play at all.
    Broken,
}

struct Script(Ruleset, Style);

impl Engine for Script {
    fn think(&mut self, task: &Task, _: &mut dyn FnMut(&Info)) -> Result<String, Problem> {
        let game = self.0.play(task.fen.as_deref(), &task.moves)?;
        match self.1 {
            Style::Cheats if task.moves.len() > 3 => return Ok("nonsense".into()),
            Style::Sleeps => std::thread::sleep(Duration::from_millis(60)),
            Style::Resigns => return Err(Problem::new("engine-resigns")),
            Style::Broken => return Err(Problem::new("no-engine")),
            _ => {}
        }
        let moves = game.moves();
        let mut random = Random::seeded(task.limits.seed ^ task.moves.len() as u64);
        Ok(moves[random.below(moves.len())].clone())
    }
}

fn rules(key: &str) -> Ruleset {
    Ruleset::new(key, &catalog::Options::new()).unwrap()
}

fn contest(rules: &Ruleset, pairs: usize) -> Contest<'_> {
    Contest {
        rules,
        pairs,
        openings: Openings { turns: 3, seed: 7, balance: 0, nodes: USUAL_NODES },
        suite: None,
        terms: Terms {
            control: Control::Depth(1),
            margin: Duration::from_millis(20),
            adjudicate: None,
            most_plies: 60,
        },
        concurrency: 2,
        sprt: None,
        date: String::new(),
        stop: engine::Stop::default(),
    }
}

fn settings(contest: &Contest) -> Settings {
    Settings {
        game: contest.rules.key.clone(),
        options: contest.rules.options.clone(),
        map: None,
        engines: ["one".into(), "other".into()],
        control: "depth 1".into(),
        margin_ms: 20,
        hash: 1,
        opening_turns: 3,
        openings: None,
        balance: 0,
        seed: contest.openings.seed,
        adjudicate: None,
        most_plies: 60,
        version: "0".into(),
    }
}

/// Plays, and returns the games in order.
fn played(contest: &Contest, styles: [Style; 2]) -> Result<(Tally, Vec<Played>), Problem> {
    let make =
        |i: usize| Ok(Player::of(["one", "other"][i], Box::new(Script(contest.rules.clone(), styles[i]))));
    let mut games = Vec::new();
    let progress = contest.run(&make, &[], None, &mut |_, played| {
        games.push(played.clone());
        true
    })?;
    games.sort_by_key(|played| played.number);
    Ok((progress.tally, games))
}

#[test]
fn games_come_in_pairs() {
    let rules = rules("gomoku/standard");
    let (tally, games) = played(&contest(&rules, 4), [Style::Random; 2]).unwrap();
    assert_eq!((tally.count(), tally.games.iter().sum::<u64>(), games.len()), (4, 8, 8));
    for pair in games.chunks(2) {
        let [one, other] = pair else { panic!() };
        assert_eq!((one.first, other.first), (0, 1));
        assert_eq!(one.opening, other.opening);
        assert_eq!(one.opening.len(), 3);
        assert_eq!(one.moves.len(), one.spent_ms.len());
    }
    assert_ne!(games[0].opening, games[2].opening);
    // Stones of an opening lie around the middle.
    let board = rules.open(None).unwrap().board();
    for name in games.iter().flat_map(|played| &played.opening) {
        let cell = board.cell_named(name).unwrap();
        assert!((cell % 15).abs_diff(7) <= 3 && (cell / 15).abs_diff(7) <= 3, "{name}");
    }
    // A journal's game is a record in the formats of other programs.
    let names = ["one".to_owned(), "other".to_owned()];
    let record = arena::contest::record(&rules, &names, &games[1]).unwrap();
    assert_eq!(record.players, ["other", "one"]);
    let sgf = String::from_utf8(records::write(records::Format::Sgf, &record).unwrap()).unwrap();
    assert!(sgf.contains("PB[other]") && sgf.contains("PW[one]"), "{sgf}");
}

/// The eleven-man ballot begins with a position: the engines, the journal and the records get it.
#[test]
fn openings_may_begin_with_a_position() {
    let rules = rules("draughts/english");
    let file =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openings/draughts-english-11-man.txt");
    let suite = arena::Suite::read(&file, &rules).unwrap();
    let mut contest = contest(&rules, 2);
    let start = suite.opening(1).start.clone().unwrap();
    contest.suite = Some(suite);
    let (_, games) = played(&contest, [Style::Random; 2]).unwrap();
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|played| played.fault.is_empty()), "{games:?}");
    assert_eq!((games[2].start.as_deref(), games[2].opening.len()), (Some(start.as_str()), 2));
    let line = serde_json::to_string(&games[2]).unwrap();
    assert_eq!(serde_json::from_str::<Played>(&line).unwrap(), games[2]);
    let names = ["one".to_owned(), "other".to_owned()];
    for game in &games {
        let record = arena::contest::record(&rules, &names, game).unwrap();
        let pdn = records::write(records::Format::Pdn, &record).unwrap();
        let back = records::read(records::Format::Pdn, &pdn).unwrap();
        assert_eq!((&back.tree.plies(), &back.start), (&(game.moves.len() + 2), &record.start));
        assert!(record.start.is_some());
    }
}

/// An engine that plays an illegal move, too late, or resigns, has lost.
#[test]
fn faults_lose() {
    let rules = rules("xiangqi");
    for (style, reason) in
        [(Style::Cheats, "illegal-move"), (Style::Sleeps, "late"), (Style::Resigns, "resigned")]
    {
        let mut contest = contest(&rules, 1);
        contest.terms.control = Control::MoveTime(Duration::from_millis(20));
        contest.concurrency = 1;
        let (tally, games) = played(&contest, [Style::Random, style]).unwrap();
        assert_eq!(tally.pairs, [0, 0, 0, 0, 1], "{reason}: {games:?}");
        assert!(games.iter().all(|played| played.reason == reason), "{games:?}");
        assert!(games.iter().all(|played| played.fault.starts_with("other: ")), "{games:?}");
    }
    // A clock runs down over several moves.
    let mut contest = contest(&rules, 1);
    contest.terms.control = Control::Clock(Duration::from_millis(200), Duration::ZERO);
    let (_, games) = played(&contest, [Style::Random, Style::Sleeps]).unwrap();
    assert!(games.iter().all(|played| played.reason == "late" && played.moves.len() >= 4), "{games:?}");
    // A game without a culprit says nothing about strength.
    assert_eq!(played(&contest, [Style::Random, Style::Broken]).unwrap_err().key, "no-engine");
}

#[test]
fn long_games_are_drawn() {
    let rules = rules("locked");
    let mut contest = contest(&rules, 1);
    contest.terms.most_plies = 4;
    let (tally, games) = played(&contest, [Style::Random; 2]).unwrap();
    assert_eq!(tally.games, [0, 2, 0]);
    assert!(games.iter().all(|played| played.reason == "most-plies" && played.moves.len() == 4));
    // Three turns of five steps.
    assert_eq!(games[0].opening.len(), 15);
}

#[test]
fn a_test_that_has_decided_ends_the_match() {
    let rules = rules("xiangqi");
    let mut contest = contest(&rules, 500);
    contest.sprt = Sprt::new(0.0, 200.0, Scale::Logistic);
    let (tally, _) = played(&contest, [Style::Random, Style::Resigns]).unwrap();
    assert!(tally.count() < 100, "{tally:?}");
    assert_eq!(contest.sprt.unwrap().decided(&tally), Some(arena::Decision::High));
}

/// A match that was cut off in the middle of a line goes on, and ends like one that was not.
#[test]
fn a_match_goes_on() {
    let rules = rules("draughts/russian");
    let contest = contest(&rules, 5);
    let settings = settings(&contest);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    let make = |i: usize| Ok(Player::of(["one", "other"][i], Box::new(Script(rules.clone(), Style::Random))));
    let (mut journal, before) = Journal::open::<Settings, Played>(&path, &settings).unwrap();
    assert!(before.is_empty());
    contest.run(&make, &[], Some(&mut journal), &mut |progress, _| progress.games < 3).unwrap();
    drop(journal);
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"{\"number\":9,\"first\":1,\"op").unwrap();
    let (mut journal, before) = Journal::open::<Settings, Played>(&path, &settings).unwrap();
    assert_eq!(before.len(), 3);
    let progress = contest.run(&make, &before, Some(&mut journal), &mut |_, _| true).unwrap();
    let (_, mut games) = arena::journal::look::<Settings, Played>(&path).unwrap();
    games.sort_by_key(|played| played.number);
    let (tally, whole) = played(&contest, [Style::Random; 2]).unwrap();
    assert_eq!(progress.tally, tally);
    let moves = |games: &[Played]| games.iter().map(|g| (g.number, g.moves.clone())).collect::<Vec<_>>();
    assert_eq!(moves(&games), moves(&whole));
    // Another match does not go into the same file, nor does a file that holds something else.
    let other = Settings { seed: 8, ..settings.clone() };
    assert_eq!(Journal::open::<Settings, Played>(&path, &other).err().unwrap().key, "match-other-settings");
    for text in ["hello\n", "hello", "{}\n"] {
        std::fs::write(&path, text).unwrap();
        assert_eq!(
            Journal::open::<Settings, Played>(&path, &settings).err().unwrap().key,
            "match-file",
            "{text:?}"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "it was left as it was");
    }
    // Half a first line is taken for an interrupted journal, not for another program's file.
    std::fs::write(&path, "{\"game\":\"dra").unwrap();
    assert!(Journal::open::<Settings, Played>(&path, &settings).unwrap().1.is_empty());
    arena::journal::look::<Settings, Played>(&path).unwrap();
}

#[test]
fn openings_are_balanced_and_decided_by_the_seed() {
    let rules = rules("xiangqi");
    let openings = Openings { turns: 6, seed: 3, balance: 60, nodes: USUAL_NODES };
    let one = openings.moves(&rules, 0).unwrap();
    assert_eq!(one, openings.moves(&rules, 0).unwrap());
    assert_ne!(one, openings.moves(&rules, 1).unwrap());
    assert_ne!(one, Openings { seed: 4, ..openings }.moves(&rules, 0).unwrap());
    let mut worth = None;
    let limits = Limits { nodes: Some(3000), ..Limits::default() };
    let task = Task { fen: None, moves: one, limits };
    Native::of(&rules, 1).think(&task, &mut |info| worth = Some(info.worth)).unwrap();
    assert!(matches!(worth, Some(Worth::Hundredths(n)) if n.abs() < 60), "{worth:?}");
}

#[test]
fn engines_are_named() {
    for (text, key) in [
        ("nobody", "engine-unknown"),
        ("uci:", "engine-unknown"),
        ("our:level=11", "engine-level"),
        ("our:strong", "engine-level"),
        ("our:depth=0", "engine-level"),
        ("our:nodes=many", "engine-level"),
        ("our:endings=5", "engine-level"),
        ("our:level=3,scale=2", "engine-level"),
        ("random:7", "engine-unknown"),
    ] {
        assert_eq!(Spec::read(text, &[]).unwrap_err().key, key, "{text}");
    }
    let ours = Spec::read("our:level=1", &[]).unwrap();
    let mut player = ours.player(&rules("locked"), &Fence::default(), 1).unwrap();
    player.new_game();
    player.think(Task::default(), &mut |_| {}).unwrap();
    assert!(player.processor().is_some() || !cfg!(target_os = "linux"));
}

/// Three kings catch one, far beyond a glance: only a table of four pieces knows.
#[test]
fn endings_are_known_to_who_asks() {
    let rules = rules("draughts/english");
    let worth = |words| {
        let mut player = Spec::read(words, &[]).unwrap().player(&rules, &Fence::default(), 1).unwrap();
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let task = Task { fen: Some("W:WK30,K31,K32:BK1".to_owned()), limits, ..Task::default() };
        let mut worth = Vec::new();
        player.think(task, &mut |info| worth.push(info.worth)).unwrap();
        worth.pop().unwrap()
    };
    assert!(matches!(worth("our"), Worth::Hundredths(_)), "three pieces are what is usual");
    assert!(matches!(worth("our:endings=4"), Worth::Wins(_)), "{:?}", worth("our:endings=4"));
}

/// The weakest players: chance, and one that looks a ply ahead. Each is above the one before.
#[test]
fn chance_loses_to_greed_and_greed_to_a_look_ahead() {
    let rules = rules("draughts/russian");
    let spec = |text| Spec::read(text, &[]).unwrap();
    for (a, b) in [("greedy", "random"), ("our:depth=4", "greedy")] {
        let specs = [spec(a), spec(b)];
        let make = |engine: usize| specs[engine].player(&rules, &Fence::default(), 1);
        let contest = Contest {
            rules: &rules,
            pairs: 6,
            openings: Openings { turns: 4, seed: 1, balance: 0, nodes: USUAL_NODES },
            suite: None,
            terms: Terms {
                control: Control::Depth(6),
                margin: Duration::ZERO,
                adjudicate: None,
                most_plies: 160,
            },
            concurrency: 2,
            sprt: None,
            date: String::new(),
            stop: engine::Stop::default(),
        };
        let progress = contest.run(&make, &[], None, &mut |_, _| true).unwrap();
        assert!(progress.tally.score() > 0.75, "{a} against {b}: {:?}", progress.tally);
        assert_eq!(progress.faults, [0, 0], "{a} against {b}");
    }
}
