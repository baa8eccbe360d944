//! Comparison of the two levels of a map that has both sheets, `rules` and a marked `rules2`.

use std::sync::Arc;

use kernel::laws::Random;
use kernel::{Notation as _, Position as _, Problem};

use crate::{Jingbanqi, Map, Move, Rulebook};

/// The random games that each level plays.
const GAMES: u64 = 200;
/// The longest of them, in plies.
const LONGEST: usize = 200;
/// The most plies of all of them together: it bounds the work for a large map.
const MOST_PLIES: usize = 20_000;

/// Compares a map that has both sheets of rules with itself: random games of each level have to be games of the other.
/// A map of one level passes.
///
/// # Errors
/// `map-levels-differ` with the first move that differs.
pub fn alike(map: &Map) -> Result<(), Problem> {
    let Some(first) = map.level2.as_ref().and_then(|level2| level2.first.as_deref()) else { return Ok(()) };
    let starts = [first, map].map(|map| Jingbanqi::new(Arc::new(Rulebook::new(map.clone(), false))));
    let mut left = MOST_PLIES;
    for seed in 1..=GAMES {
        let mut random = Random(seed);
        let mut both = starts.clone();
        for ply in 1..=LONGEST.min(left) {
            let ends = both.each_ref().map(|pos| pos.outcome());
            let moves = both.each_ref().map(listed);
            let differs = moves[0].iter().find(|m| !moves[1].contains(m));
            let differs = differs.or_else(|| moves[1].iter().find(|m| !moves[0].contains(m)));
            if let Some(&m) = differs {
                let text = if m.pick == 0 { both[0].move_text(m) } else { both[1].move_text(m) };
                return Err(differ(seed, ply, &text));
            }
            if ends[0].map(|end| end.winner()) != ends[1].map(|end| end.winner()) {
                return Err(differ(seed, ply, "-"));
            }
            left -= 1;
            if moves[0].is_empty() {
                break;
            }
            let m = moves[0][random.below(moves[0].len())];
            both.iter_mut().for_each(|pos| pos.play(m));
            if both[0].fen().split(' ').take(2).ne(both[1].fen().split(' ').take(2)) {
                return Err(differ(seed, ply, &starts[0].move_text(m)));
            }
        }
    }
    Ok(())
}

fn listed(pos: &Jingbanqi) -> Vec<Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves.sort_by_key(|m| (m.from, m.to, m.pick));
    moves
}

fn differ(game: u64, ply: usize, text: &str) -> Problem {
    Problem::new("map-levels-differ")
        .with("place", "rules2")
        .with("text", text)
        .with("game", game)
        .with("ply", ply)
}
