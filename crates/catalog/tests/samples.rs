//! The built-in maps: their games end, and either side may win them.

use catalog::Options;
use catalog::maps::{EXAMPLES, Package, Plan, Rules, SAMPLES, built_in, sample};
use kernel::laws::Random;
use kernel::{AnyGame, Outcome, Side};

/// The number of plies after which a random game counts as endless.
const ENDLESS: usize = 3000;
const GAMES: u64 = 60;

fn random_game(rules: &Rules, seed: u64) -> Box<dyn AnyGame> {
    let mut random = Random(seed);
    let mut game = rules.open(None).expect("the start");
    while game.outcome().is_none() && game.plies() < ENDLESS {
        let moves = game.moves();
        game.play(&moves[random.below(moves.len())]).expect("is listed");
    }
    game
}

#[test]
fn a_sample_without_extensions_ends_and_is_fair() {
    for sample in SAMPLES.iter().filter(|sample| sample.package().extensions.is_empty()) {
        let rules = Rules::load(&sample.package(), &Options::new(), None).expect("a good map");
        assert!(rules.warnings().is_empty(), "{}: {:?}", sample.key, rules.warnings());
        let mut wins = [0; 2];
        for seed in 0..GAMES {
            let game = random_game(&rules, seed);
            let outcome =
                game.outcome().unwrap_or_else(|| panic!("{} seed {seed} goes on for ever", sample.key));
            if let Outcome::Win(side, _) = outcome {
                wins[side.index()] += 1;
            }
        }
        let fair = |wins: &i32| *wins * 4 >= GAMES as i32;
        assert!(wins.iter().all(fair), "{}: red and blue won {wins:?} of {GAMES}", sample.key);
    }
}

/// Blue's pieces stand as red's do, seen from the other side, so that neither has an advantage.
#[test]
fn the_sides_of_a_sample_have_the_same() {
    for sample in SAMPLES {
        let reading = jingbanqi::read(&sample.package().map);
        let map = reading.map.unwrap_or_else(|| panic!("{}: {:?}", sample.key, reading.errors));
        let owner = |at: usize| match map.start[at] {
            0 => None,
            id => Some(map.kinds[usize::from(id) - 1].owner),
        };
        let last = map.squares() - 1;
        let cols = usize::from(map.cols);
        // Turned by half a turn, or mirrored top to bottom.
        let turned = |at: usize| last - at;
        let mirrored = |at: usize| last / cols * cols - at / cols * cols + at % cols;
        let same = |to: &dyn Fn(usize) -> usize| {
            (0..=last).all(|at| owner(to(at)) == owner(at).map(|owner| owner.map(Side::other)))
        };
        assert!(same(&turned) || same(&mirrored), "{}", sample.key);
        assert!((6..=9).contains(&map.rows) && (6..=9).contains(&map.cols), "{}", sample.key);
    }
}

#[test]
fn the_starter_is_a_good_map() {
    let map = catalog::maps::starter();
    assert!(map.warnings(&[]).is_empty());
    assert!(map.promotion && map.undo, "it shows what there is");
}

#[test]
fn nobody_wins_with_the_first_move() {
    let starter =
        || jingbanqi::Jingbanqi::new(jingbanqi::Rulebook::new(catalog::maps::starter(), false).into());
    let plain = SAMPLES.iter().filter(|sample| sample.package().extensions.is_empty()).map(|sample| {
        let map = jingbanqi::read(&sample.package().map).map.expect("a good map");
        jingbanqi::Jingbanqi::new(jingbanqi::Rulebook::new(map, false).into())
    });
    for start in plain.chain([starter()]) {
        use kernel::Position;
        let mut moves = Vec::new();
        start.moves(&mut moves);
        for m in moves {
            let mut next = start.clone();
            next.play(m);
            assert_eq!(next.outcome(), None, "{m:?}");
        }
    }
}

/// A key names one map, in puzzles and on the command line; a name has both languages, so that the page shows one of them.
#[test]
fn built_in_maps_have_keys_and_names_of_their_own() {
    let mut keys: Vec<&str> = built_in().map(|map| map.key).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), SAMPLES.len() + EXAMPLES.len());
    for map in built_in() {
        assert_eq!(sample(map.key).map(|found| found.name), Some(map.name));
        let names: Vec<&str> = map.name.split(" / ").collect();
        assert!(names.len() == 2 && !names[0].is_ascii() && names[1].is_ascii(), "{}", map.name);
        assert!(map.extension_names().iter().all(|name| !name.is_empty()), "{}", map.key);
        let tag = |tag: &&str| tag.chars().count() <= 24 && !tag.contains(char::is_whitespace);
        assert!(map.tags.iter().all(tag), "{}", map.key);
    }
}

/// An example is found by its title in both languages, by its key and by its tags.
#[test]
fn an_example_is_found_by_its_words() {
    let hex = sample("hex").expect("is built in");
    assert_eq!(hex.extension_names(), ["六贯棋 / Hex"]);
    for (search, found) in [("六贯", true), ("HEX", true), ("连通", true), ("", true), ("chess", false)] {
        assert_eq!(hex.is_found_by(search), found, "{search}");
    }
}

/// Maps of level 2 are played by the map alone: random games end.
#[test]
fn maps_of_level_2_are_played() {
    for map in ["breakthrough", "hex", "losing"] {
        let path = format!("{}/../../maps/{map}.xlsx", env!("CARGO_MANIFEST_DIR"));
        let package = Package::of_files(path.as_ref(), [""; 0]).expect("the map is there");
        let rules = Rules::load(&package, &Options::new(), None).expect("a good map");
        let rehearsed = rules.rehearse(Plan { games: 20, longest: 400, seed: 7 });
        assert_eq!(rehearsed.ended, 20, "{map}");
        assert_eq!(rules.warnings(), [], "{map}");
        let view = rules.open(None).expect("a start").view();
        assert_eq!(view.outcome, None);
    }
}
