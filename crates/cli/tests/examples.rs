//! The examples that people are invited to copy: would catch one whose extension fails, one that teaches a habit of which the
//! teacher warns, one that plays otherwise than its cases say, and one whose games never end.
#![cfg(feature = "extensions")]

use std::path::Path;

use catalog::Options;
use catalog::maps::{EXAMPLES, Rules, Sample};
use engine::native::think;
use engine::{Limits, Method, TranspositionTable};
use kernel::laws::Random;
use kernel::{AnyGame, Outcome, Side};
use sandbox::Sandbox;
use workshop::cases;

/// Random games of each example.
const GAMES: u64 = 20;
/// The most of them that one side may win: of 100, none won more than 62.
const MOST_WON: u64 = 16;
/// The number of plies after which a random game counts as endless.
const ENDLESS: usize = 1000;

fn rules(sample: &Sample) -> Rules {
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_qiguan").into());
    let loaded = Rules::load(&sample.package(), &Options::new(), Some(&sandbox));
    loaded.unwrap_or_else(|problems| panic!("{}: {problems:?}", sample.key))
}

/// Calls `look` for each example, half of them on a second thread.
fn each(look: impl Fn(&Sample) + Sync) {
    std::thread::scope(|scope| {
        for half in 0..2 {
            let look = &look;
            scope.spawn(move || EXAMPLES.iter().skip(half).step_by(2).for_each(look));
        }
    });
}

#[test]
fn examples_have_no_warnings_and_tell_their_rules_in_both_languages() {
    each(|sample| {
        let rules = rules(sample);
        assert!(rules.warnings().is_empty(), "{}: {:?}", sample.key, rules.warnings());
        let names: Vec<String> = rules.extensions().iter().map(|about| about.name.clone()).collect();
        assert_eq!(
            names,
            sample.extension_names(),
            "{}: what the gallery says without running it",
            sample.key
        );
        for about in rules.extensions() {
            assert_eq!(about.name, sample.name, "the extension has the name of the game");
            let help = about.help.clone().unwrap_or_default();
            let paragraphs: Vec<&str> = help.trim().split("\n\n").collect();
            let [chinese, english] = paragraphs[..] else { panic!("{}: {help}", sample.key) };
            assert!(chinese.chars().filter(|c| !c.is_ascii()).count() * 2 > chinese.chars().count());
            assert!(english.chars().filter(char::is_ascii).count() * 20 > english.chars().count() * 19);
        }
    });
}

#[test]
fn examples_play_as_their_cases_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps/examples");
    each(|sample| {
        let file = folder.join(sample.key).with_extension("cases.toml");
        let text = std::fs::read_to_string(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        let cases = cases::read(&text).unwrap_or_else(|why| panic!("{}: {why:?}", sample.key));
        assert!(cases.len() >= 3, "{}", sample.key);
        let rules = rules(sample);
        for case in &cases {
            assert_eq!(cases::run(&rules, case), [], "{}: {}", sample.key, case.name);
        }
    });
}

fn random_game(rules: &Rules, seed: u64) -> Box<dyn AnyGame> {
    let mut random = Random(seed);
    let mut game = rules.seeded(u128::from(seed)).open(None).expect("the start");
    while game.outcome().is_none() && game.plies() < ENDLESS {
        let moves = game.moves();
        game.play(&moves[random.below(moves.len())]).expect("is listed");
    }
    game
}

#[test]
fn random_games_of_the_examples_end_and_neither_side_wins_nearly_all() {
    each(|sample| {
        let rules = rules(sample);
        let mut wins = [0_u64; 2];
        for seed in 0..GAMES {
            let game = random_game(&rules, seed);
            match game.outcome() {
                Some(Outcome::Win(side, _)) => wins[side.index()] += 1,
                Some(Outcome::Draw(_)) => {}
                Some(Outcome::Void(why)) => panic!("{} seed {seed}: {why}", sample.key),
                None => panic!("{} seed {seed} goes on for ever", sample.key),
            }
        }
        assert!(wins.iter().all(|&won| won <= MOST_WON), "{}: {wins:?} of {GAMES}", sample.key);
    });
}

/// The half points of playouts in a few games against random moves.
fn half_points(rules: &Rules, games: u64) -> u64 {
    let memory = TranspositionTable::mebibytes(1);
    let mut points = 0;
    for number in 0..games {
        let mut random = Random(number + 1);
        let mut game = rules.seeded(u128::from(number)).open(None).expect("the start");
        let side = Side::BOTH[number as usize % 2];
        while game.outcome().is_none() && game.plies() < ENDLESS {
            let moves = game.moves();
            let text = if game.turn() == side {
                let limits = Limits {
                    nodes: Some(1_500),
                    method: Method::Playouts,
                    seed: number,
                    ..Limits::default()
                };
                think(game.as_ref(), &memory, &limits, &mut |_| {}).expect("it goes on")
            } else {
                moves[random.below(moves.len())].clone()
            };
            game.play(&text).unwrap_or_else(|why| panic!("{text}: {why:?}"));
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner());
        points += winner.map_or(1, |winner| if winner == side { 2 } else { 0 });
    }
    points
}

#[test]
fn playouts_win_where_the_aim_stands_in_python() {
    const PLAYED: u64 = 4;
    each(|sample| {
        if ["four", "hex"].contains(&sample.key) {
            let points = half_points(&rules(sample), PLAYED);
            assert!(points >= 2 * PLAYED - 1, "{}: {points} half points of {}", sample.key, 2 * PLAYED);
        }
    });
}
