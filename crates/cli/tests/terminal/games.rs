//! Whole games to be typed: the shortest of some random ones, the same at every run.

use kernel::laws::Random;
use kernel::{AnyGame, Offered};

/// The number of random games that are tried.
const TRIES: u64 = 300;
/// The longest game that is typed.
const LONGEST: usize = 400;

/// Returns the moves of a short game from the usual start to an end by the rules.
pub fn shortest(key: &str) -> Vec<String> {
    let entry = catalog::find(key).expect("on the shelf");
    let options =
        entry.settle(&catalog::Options::new(), catalog::Setting::Faithful).expect("the usual options");
    shortest_from(|| entry.open(None, &options, None).expect("the usual start"))
}

/// Returns the same for a user's map.
pub fn shortest_of_map(path: &str) -> Vec<String> {
    let nothing: [&str; 0] = [];
    let package = catalog::maps::Package::of_files(path.as_ref(), nothing).expect("a file");
    let rules = catalog::maps::Rules::load(&package, &catalog::Options::new(), None).expect("a good map");
    shortest_from(|| rules.open(None).expect("its start"))
}

fn shortest_from(open: impl Fn() -> Box<dyn AnyGame>) -> Vec<String> {
    let mut best: Option<Vec<String>> = None;
    for seed in 1..=TRIES {
        let random = &mut Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut game = open();
        let most = best.as_ref().map_or(LONGEST, |best| best.len() - 1);
        while game.outcome().is_none() && game.plies() < most {
            let moves = game.moves();
            game.play(&moves[random.below(moves.len())]).expect("a legal move");
        }
        if game.outcome().is_some() {
            best = Some(game.record());
        }
    }
    let best = best.expect("some random game ends");
    let mut game = open();
    let mut typed = Vec::new();
    for text in best {
        let view = game.view();
        let warned = |offered: &Offered| match offered {
            Offered::Listed(moves) => moves.iter().any(|m| m.text == text && m.warning.is_some()),
            Offered::Every(_) => false,
        };
        // A move that loses at once is asked about, and typed again.
        let times = if warned(&view.moves) { 2 } else { 1 };
        typed.extend(std::iter::repeat_n(text.clone(), times));
        game.play(&text).expect("was played before");
    }
    typed
}
