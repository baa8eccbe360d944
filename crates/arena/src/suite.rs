//! Opening suites: openings in a file, so that a match does not depend on the engine that chose them.
//!
//! The file is text: one opening a line, its moves separated by spaces, after a FEN in quotes where it does not begin
//! at the usual start; empty lines and comments after a `#` are ignored. A line `game: KEY` names the game. Such
//! files are made once, by [`make`], or hold the tables that federations draw openings from; they are in the
//! repository (`openings/`).
//!
//! ```text
//! game: draughts/english
//! 9-13 21-17 5-9  # 1
//! "B:W21-27,29-32:B1-11" 8-12 24-19
//! ```

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use catalog::Ruleset;
use kernel::Problem;

use crate::opening::Openings;

/// The longest file, in bytes.
pub const MOST_BYTES: u64 = 8 << 20;
/// The longest opening, in moves.
const MOST_MOVES: usize = 400;
/// The number of nodes of a first check, before an opening is judged with all nodes.
const GLANCE: u64 = 3_000;

pub use catalog::draws::Opening;

/// The openings of one game, at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suite {
    lines: Vec<Opening>,
}

impl Suite {
    /// Reads a file.
    ///
    /// # Errors
    /// `openings-file` when it cannot be read or is too long, and what [`parse`](Suite::parse) says.
    pub fn read(path: &Path, rules: &Ruleset) -> Result<Suite, Problem> {
        let wrong =
            |text: String| Problem::new("openings-file").with("file", path.display()).with("text", text);
        let size = std::fs::metadata(path).map_err(|why| wrong(why.to_string()))?.len();
        if size > MOST_BYTES {
            return Err(wrong(format!("{size} > {MOST_BYTES}")));
        }
        let text = std::fs::read_to_string(path).map_err(|why| wrong(why.to_string()))?;
        Suite::parse(&text, rules).map_err(|problem| problem.with("file", path.display()))
    }

    /// Reads the text of a file and plays each opening.
    ///
    /// # Errors
    /// `openings-game` for another game's file; `openings-line` with the line's number for a position that is none, a move
    /// that is not legal, a game that is over, or more than 400 moves; `openings-none` when there is none.
    pub fn parse(text: &str, rules: &Ruleset) -> Result<Suite, Problem> {
        let mut lines = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if let Some(game) = line.trim().strip_prefix("game:") {
                let game = game.split('#').next().unwrap_or_default().trim();
                if game != rules.key {
                    let problem = Problem::new("openings-game").with("found", game);
                    return Err(problem.with("game", &rules.key));
                }
                continue;
            }
            let wrong =
                |text: &str| Problem::new("openings-line").with("line", number + 1).with("text", text);
            let Some(opening) = Opening::read(line).map_err(wrong)? else { continue };
            let Opening { start, moves, .. } = &opening;
            if moves.len() > MOST_MOVES {
                return Err(wrong(&moves[MOST_MOVES]));
            }
            let last = moves.last().or(start.as_ref()).map_or(line, String::as_str);
            let mut game = rules.open(start.as_deref()).map_err(|_| wrong(last))?;
            for text in moves {
                game.play(text).map_err(|_| wrong(text))?;
            }
            if game.outcome().is_some() {
                return Err(wrong(last));
            }
            lines.push(opening);
        }
        if lines.is_empty() { Err(Problem::new("openings-none")) } else { Ok(Suite { lines }) }
    }

    /// Returns the opening of a pair; after the last one the first comes again.
    #[must_use]
    pub fn opening(&self, pair: usize) -> &Opening {
        &self.lines[pair % self.lines.len()]
    }

    /// Returns the number of openings.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lines.len()
    }

    /// Returns the text of a file. `heads` are comments at its start.
    #[must_use]
    pub fn text(&self, game: &str, heads: &[String]) -> String {
        let mut text = String::new();
        for head in heads {
            let _ = writeln!(text, "# {head}");
        }
        let _ = writeln!(text, "game: {game}");
        for Opening { start, moves, .. } in &self.lines {
            let start = start.as_ref().map(|fen| format!("\"{fen}\" ")).unwrap_or_default();
            let _ = writeln!(text, "{}", format!("{start}{}", moves.join(" ")).trim_end());
        }
        text
    }
}

/// Makes `count` openings that lead to different positions. Each consists of random turns, from `turns.0` to
/// `turns.1` of them, and is balanced by our engine with the number of nodes in `openings`. `watch` gets the number
/// of openings so far, and ends the work by returning false.
///
/// # Errors
/// The fault in the game; `openings-none` when hardly any are balanced.
pub fn make(
    rules: &Ruleset,
    openings: Openings,
    turns: (usize, usize),
    count: usize,
    watch: &mut dyn FnMut(usize) -> bool,
) -> Result<Suite, Problem> {
    let mut lines: Vec<Opening> = Vec::with_capacity(count);
    let mut seen = BTreeSet::new();
    for number in 0.. {
        if lines.len() == count || number > 1000 + 200 * count {
            break;
        }
        let turns = turns.0 + number % (turns.1.max(turns.0) - turns.0 + 1);
        let glance = Openings { turns, balance: 2 * openings.balance, nodes: GLANCE, ..openings };
        let moves = glance.moves(rules, number)?;
        let game = rules.play(None, &moves)?;
        if !seen.insert(game.key()) || !openings.is_balanced(rules, &moves) {
            continue;
        }
        lines.push(Opening { moves, ..Opening::default() });
        if !watch(lines.len()) {
            break;
        }
    }
    if lines.is_empty() { Err(Problem::new("openings-none")) } else { Ok(Suite { lines }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gomoku() -> Ruleset {
        Ruleset::new("gomoku/freestyle", &catalog::Options::new()).expect("a game")
    }

    #[test]
    fn what_was_made_is_read_and_every_line_is_balanced() {
        let rules = gomoku();
        let openings = Openings { turns: 0, seed: 3, balance: 150, nodes: 2_000 };
        let suite = make(&rules, openings, (3, 5), 4, &mut |_| true).expect("openings");
        assert_eq!(suite.count(), 4);
        for pair in 0..4 {
            let Opening { start, moves, .. } = suite.opening(pair);
            assert!(start.is_none() && (3..=5).contains(&moves.len()), "{moves:?}");
            assert!(openings.is_balanced(&rules, moves));
        }
        assert_eq!(suite.opening(4), suite.opening(0), "after the last comes the first");
        let text = suite.text(&rules.key, &["made by a test".to_owned()]);
        assert_eq!(Suite::parse(&text, &rules), Ok(suite));
    }

    #[test]
    fn the_openings_of_this_repository_can_be_played() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openings");
        for (file, game, size) in [
            ("xiangqi.txt", "xiangqi", None),
            ("draughts-international.txt", "draughts/international", None),
            ("gomoku-freestyle-15.txt", "gomoku/freestyle", Some(15)),
        ] {
            let options = size.map(|size| ("size".to_owned(), size)).into_iter().collect();
            let rules = Ruleset::new(game, &options).expect("a game");
            let suite = Suite::read(&folder.join(file), &rules).expect(file);
            assert!(suite.count() >= 50, "{file}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let rules = gomoku();
        let key = |text: &str| Suite::parse(text, &rules).map(|_| ()).map_err(|problem| problem.key);
        assert_eq!(key("# nothing\n\n"), Err("openings-none"));
        assert_eq!(key("game: xiangqi\nh8"), Err("openings-game"));
        for bad in ["h8 h8", "z9", "h8 a1 h9 a2 h10 a3 h11 a4 h12"] {
            let problem = Suite::parse(&format!("h8 h9 # fine\n{bad}\n"), &rules).expect_err(bad);
            assert_eq!(problem.key, "openings-line", "{bad}");
            assert_eq!(problem.arg("line"), Some("2"), "{bad}: {problem:?}");
        }
        let long = format!("{}\n", "h8 ".repeat(MOST_MOVES + 1));
        assert_eq!(key(&long), Err("openings-line"));
    }
}
