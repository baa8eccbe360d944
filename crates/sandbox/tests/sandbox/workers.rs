//! Tests of workers that sleep, wake, die and are replaced without an effect on the game.

use std::sync::Arc;

use jingbanqi::extension::Loader;
use jingbanqi::{Jingbanqi, Rulebook};
use kernel::{Notation, Position};

use crate::support::{moves, play, put_worker, small, source};

/// Counts plies in its own memory.
const COUNTS: &str = "class C:\n    def __init__(self): self.n = 0\n    def after_move(self, a, b):\n        self.n += 1\n        JBQ.get_chess_by_arr((3, 3)).name = str(self.n)\nk = C()\nafter_move = k.after_move\n";

/// A server without an interpreter starts all the same, and reports what is missing until the worker is there.
#[test]
fn a_worker_may_come_later() {
    let folder = std::env::temp_dir().join(format!("qiguan-worker-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let program = folder.join("sandbox-worker");
    let sandbox = sandbox::Sandbox::new(program.clone());
    let book = Arc::new(Rulebook::new(small(), false));
    let files = [source(COUNTS)];
    let missing = sandbox.load(&book, &files).expect_err("there is no worker");
    assert_eq!((missing.len(), missing[0].key), (1, "map-extensions-not-yet"));
    put_worker(&program);
    assert!(sandbox.load(&book, &files).is_ok(), "it is there now");
    std::fs::remove_dir_all(folder).expect("nothing is left behind");
}

#[test]
fn more_games_than_workers() {
    let program = env!("CARGO_BIN_EXE_sandbox-worker").into();
    let sandbox = sandbox::Sandbox::with_most(program, 2);
    let book = Arc::new(Rulebook::new(small(), false));
    let start = || {
        let extensions = sandbox.load(&book, &[source(COUNTS)]).expect("it loads");
        Jingbanqi::with_extensions(Arc::clone(&book), extensions)
    };
    let mut games: Vec<Jingbanqi> = (0..5).map(|_| start()).collect();
    for (ply, text) in ["4,3-3,3", "1,1-2,1", "3,3-2,3"].into_iter().enumerate() {
        for pos in &mut games {
            play(pos, text);
            assert_eq!(pos.fault(), None);
            let called = pos.present(15).and_then(|piece| piece.name);
            assert_eq!(called.as_deref(), Some((ply + 1).to_string().as_str()));
        }
        assert!(sandbox.awake() <= 2, "{}", sandbox.awake());
    }
    // Many ask at once, and all are answered.
    std::thread::scope(|scope| {
        for pos in &mut games {
            scope.spawn(|| {
                play(pos, "1,2-1,3");
                assert_eq!(pos.fault(), None);
                assert!(pos.details().pieces.len() == 4);
            });
        }
    });
    drop(games);
    assert_eq!(sandbox.awake(), 0, "who has no game has no worker");
}

#[test]
fn one_load_serves_many_games() {
    let sandbox = crate::support::sandbox();
    let book = Arc::new(Rulebook::new(small(), false));
    let extensions = sandbox.load(&book, &[source(COUNTS)]).expect("it loads");
    assert_eq!(extensions.about()[0].name, "x");
    let start = Jingbanqi::with_extensions(Arc::clone(&book), extensions);
    let mut one = start.clone();
    let mut other = start.read_fen("2,4,.2/.4/.4/.2,3,1 r 0,0 -").expect("a FEN");
    for text in ["4,3-3,3", "1,1-2,1"] {
        play(&mut one, text);
        play(&mut other, text);
        assert_eq!(moves(&one), moves(&other));
        assert_eq!(one.present(15), other.present(15));
    }
    assert_eq!(one.outcome(), None);
}

/// Writes a random number on red's king.
const RANDOM: &str = "def after_move(a, b):\n    import random\n    JBQ.get_chess_by_arr((3, 3)).name = str(random.randrange(10**9))\n";

#[test]
fn a_seed_decides_the_random_numbers_of_a_game() {
    let book = Arc::new(Rulebook::new(small(), false));
    let extensions = crate::support::sandbox().load(&book, &[source(RANDOM)]).expect("it loads");
    let named = |seed: u128| {
        let book = Arc::new(Rulebook::clone(&book).with_seed(seed));
        let extensions = extensions.by_book(&book).expect("they can be random");
        let mut pos = Jingbanqi::with_extensions(book, extensions);
        play(&mut pos, "4,3-3,3");
        assert_eq!(pos.fault(), None);
        pos.present(15).and_then(|piece| piece.name)
    };
    assert_eq!(named(5), named(5), "the same game");
    assert_ne!(named(5), named(6), "another one");
    assert_ne!(named(5), named(5 | 1 << 127), "all 128 bits count");
}

/// Names of red's king after a move, in the game and in worlds that look the same so far.
fn named_in_worlds(text: &str, before: &[&str]) -> (Option<String>, Vec<Option<String>>) {
    let book = Arc::new(Rulebook::new(small(), false).with_seed(5));
    let extensions = crate::support::sandbox().load(&book, &[source(text)]).expect("it loads");
    let mut game = kernel::Game::new(Jingbanqi::with_extensions(book, extensions));
    for text in before {
        let m = game.position().read_move(text).expect("is legal");
        game.play(m);
    }
    let mut seed = 100;
    let worlds = Jingbanqi::worlds(&game, 8, || {
        seed += 1;
        seed
    });
    let name = |pos: &Jingbanqi| {
        let mut pos = pos.clone();
        play(&mut pos, "4,4-3,4");
        assert_eq!(pos.fault(), None);
        pos.present(11).and_then(|piece| piece.name).map(|name| name.to_string())
    };
    for world in &worlds {
        assert_eq!(moves(world), moves(game.position()));
        assert_eq!(world.present(15), game.position().present(15), "what was seen stays");
    }
    // Asked again and in another order, every world answers the same.
    let names: Vec<_> = worlds.iter().map(name).collect();
    let again: Vec<_> = worlds.iter().rev().map(name).collect();
    assert_eq!(names, again.into_iter().rev().collect::<Vec<_>>());
    (name(game.position()), names)
}

/// A search in other worlds learns nothing of the game's own random numbers.
#[test]
fn in_other_worlds_chance_decides_otherwise() {
    let at_once = "def after_move(a, b):\n    import random\n    JBQ.get_chess_by_arr(b).name = str(random.randrange(10**9))\n";
    // Drawn when the file is run, and shown later.
    let before = "class C:\n    def __init__(self):\n        import random\n        self.n = random.randrange(10**9)\n    def after_move(self, a, b):\n        if a == (3, 3):\n            JBQ.get_chess_by_arr(b).name = str(self.n)\nk = C()\nafter_move = k.after_move\n";
    for text in [at_once, before] {
        for played in [&[][..], &["4,3-3,3", "1,1-2,1"][..]] {
            let (own, others) = named_in_worlds(text, played);
            assert_eq!(others.len(), 8);
            assert!(own.is_some() && !others.contains(&own), "{text} {played:?}: {own:?} {others:?}");
            let mut different = others.clone();
            different.sort();
            different.dedup();
            assert_eq!(different.len(), 8, "{others:?}");
        }
    }
    // What an extension decides by itself is the same in every world.
    let fixed = "def after_move(a, b):\n    import random\n    random.seed(3)\n    JBQ.get_chess_by_arr(b).name = str(random.randrange(10**9))\n";
    let (own, others) = named_in_worlds(fixed, &[]);
    assert!(others.iter().all(|other| *other == own), "{own:?} {others:?}");
}

#[test]
fn there_is_no_worker_without_a_program() {
    let sandbox = sandbox::Sandbox::new("/nowhere/at/all".into());
    let book = Arc::new(Rulebook::new(small(), false));
    let problems = sandbox.load(&book, &[source("")]).expect_err("nothing can run it");
    assert_eq!(problems[0].key, "map-extensions-not-yet");
    // A program that is no worker is no worker either.
    let sandbox = sandbox::Sandbox::new("/bin/true".into());
    assert!(sandbox.load(&book, &[source("")]).is_err());
    assert_eq!(sandbox.awake(), 0);
}
