//! Names of openings, from a table of facts in `data/openings.txt` and from the rules themselves.

use std::collections::HashMap;
use std::sync::OnceLock;

use catalog::{Options, Setting};
use kernel::AnyGame;

use crate::walk::{position_key, salt};

const TABLE: &str = include_str!("../data/openings.txt");
/// The number of plies after which openings get no new name.
const DEEPEST: usize = 20;

/// Returns the message key of the name of a game's opening: that of the deepest position of its first plies that has
/// one. `key` is the game's in the catalogue.
#[must_use]
pub fn named(key: &str, game: &dyn AnyGame) -> Option<String> {
    let mut game = game.boxed_clone();
    let salt = salt(key, "");
    while game.plies() > DEEPEST {
        if !game.undo() {
            return None;
        }
    }
    loop {
        if let Some(name) = names().get(&position_key(salt, &*game)) {
            return Some(format!("opening-name-{name}"));
        }
        if let Some(caption) = game.caption().filter(|caption| caption.args.is_empty()) {
            return Some(format!("caption-{}", caption.key));
        }
        if game.plies() == 0 || !game.undo() {
            return None;
        }
    }
}

/// Returns the positions that have a name, by their keys in the index.
fn names() -> &'static HashMap<u64, &'static str> {
    static NAMES: OnceLock<HashMap<u64, &'static str>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let mut names = HashMap::new();
        for line in lines() {
            for mirrored in if line.mirror { &[false, true][..] } else { &[false] } {
                // The table is ours and tested: a line that cannot be played names nothing.
                if let Some(game) = line.play(*mirrored) {
                    names.insert(position_key(salt(line.game, ""), &*game), line.key);
                }
            }
        }
        names
    })
}

/// A row of the table of openings.
struct NamedOpening {
    game: &'static str,
    mirror: bool,
    key: &'static str,
    moves: &'static str,
}

fn lines() -> impl Iterator<Item = NamedOpening> {
    let mut of = ("", false);
    TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).filter_map(move |line| {
        let (key, rest) = line.split_once(' ')?;
        if key == "game" {
            of = match rest.strip_suffix(" mirror") {
                Some(game) => (game, true),
                None => (rest, false),
            };
            return None;
        }
        Some(NamedOpening { game: of.0, mirror: of.1, key, moves: rest })
    })
}

fn usual(entry: &catalog::Entry) -> Option<Options> {
    entry.settle(&Options::default(), Setting::Faithful).ok()
}

impl NamedOpening {
    /// Plays the line to its position, or to the mirror image of that.
    fn play(&self, mirrored: bool) -> Option<Box<dyn AnyGame>> {
        let entry = catalog::find(self.game).ok()?;
        let mut game = entry.open(None, &usual(entry)?, None).ok()?;
        let last = game.board().files.checked_sub(1)? as u8 + b'a';
        for text in self.moves.split(' ') {
            let file = |c: char| if c.is_ascii_lowercase() { char::from(last + b'a' - c as u8) } else { c };
            let text = if mirrored { text.chars().map(file).collect() } else { text.to_owned() };
            game.play(&text).ok()?;
        }
        Some(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(key: &str, moves: &str) -> Box<dyn AnyGame> {
        let entry = catalog::find(key).expect("a game");
        let mut game = entry.open(None, &usual(entry).expect("options"), None).expect("opens");
        for text in moves.split_whitespace() {
            game.play(text).expect("legal");
        }
        game
    }

    #[test]
    fn every_line_is_legal_and_has_its_name_in_both_languages() {
        let mut places = HashMap::new();
        for line in lines() {
            for mirrored in if line.mirror { vec![false, true] } else { vec![false] } {
                let game = line.play(mirrored).unwrap_or_else(|| panic!("{} {}", line.key, line.moves));
                assert_eq!(
                    named(line.game, &*game),
                    Some(format!("opening-name-{}", line.key)),
                    "{}",
                    line.moves
                );
                let there = places.insert((line.game, game.fen()), line.key);
                assert!(there.is_none_or(|key| key == line.key), "{} and {there:?}", line.key);
            }
        }
        assert!(places.len() > 100);
    }

    #[test]
    fn the_deepest_name_names_a_game_by_whatever_moves() {
        let name = |key, moves: &str| named(key, &*open(key, moves)).unwrap_or_default();
        let screen = "opening-name-central-cannon-screen-horses";
        assert_eq!(name("xiangqi", "h2e2 h9g7 h0g2 b9c7 a3a4 a6a5"), screen);
        assert_eq!(name("xiangqi", "h2e2 b9c7 h0g2 h9g7"), screen, "transposed");
        assert_eq!(name("xiangqi", "b2e2 h9g7 b0c2 b9c7"), screen, "mirrored");
        assert_eq!(name("xiangqi", ""), "");
        assert_eq!(
            name("draughts/english", "11-15 23-19 8-11 22-17 4-8 17-13"),
            "opening-name-old-fourteenth"
        );
        assert_eq!(name("gomoku/renju", "h8 h9 h10 a1 a2"), "caption-renju-1d");
        assert_eq!(name("gomoku/freestyle", "h8 h9 h10"), "");
        let mut long = open("xiangqi", "h2e2 h7e7");
        long.play_past_draws(true);
        for text in ["a0a1", "a9a8", "a1a0", "a8a9"].iter().cycle().take(30) {
            long.play(text).expect("legal");
        }
        assert!(named("xiangqi", &*long).is_some(), "after many plies");
    }
}
