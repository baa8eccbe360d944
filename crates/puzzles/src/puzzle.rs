//! The puzzle as a value: a position, the one line that keeps the result, and the way in which that was verified.

use std::collections::BTreeMap;

use catalog::maps::{Rules, sample};
use kernel::{AnyGame, PlayError, Problem};
use serde::{Deserialize, Serialize};

use crate::set::{self, Aim};

/// The longest line of JSON that is read as a puzzle, in bytes.
pub const MOST_BYTES: usize = 32 << 10;
/// The most turns of a line.
pub const MOST_TURNS: usize = 15;

/// The result that the solver's one turn keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// The win; every other turn lets it go.
    Win,
    /// The game; every other turn loses it.
    Hold,
    /// A piece has to be taken, and no result is kept. Only in puzzles that people [set](mod@crate::set).
    Take,
}

impl Goal {
    /// Returns the name of the goal: `win`, `hold` or `take`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Goal::Win => "win",
            Goal::Hold => "hold",
            Goal::Take => "take",
        }
    }
}

/// A position in which exactly one turn keeps the result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Puzzle {
    /// The id: sixteen letters that follow from the rules and the position.
    pub id: String,
    /// The key of the game in the catalogue.
    pub game: String,
    /// Options that differ from the usual ones.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, i64>,
    /// The map, for games on maps: the key of a built-in map, or the id of a map of the hall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<String>,
    /// The position, in FEN.
    pub fen: String,
    /// The cells on which the move before ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last: Vec<u16>,
    /// The result that the solver keeps.
    pub goal: Goal,
    /// The turns of the line, the solver's first and last; a turn has several moves in some games.
    pub line: Vec<Vec<String>>,
    /// The themes of the puzzle: the messages `puzzle-theme-<theme>`.
    pub themes: Vec<String>,
    /// The estimated difficulty, on the scale of Elo; people's answers change the rating from then on.
    pub rating: u16,
    /// The number of positions that were searched to verify each turn of the solver.
    pub nodes: u64,
    /// The plies of the proved win; 0 if the puzzle was found by search.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub proved: u32,
    /// The origin of the game: `selfplay <seed>/<number>`, a file with its number, or the id of a table.
    pub source: String,
    /// The aim and the number of moves for it, where a person set the puzzle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<Aim>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// Opens a puzzle's game at a FEN, or at its usual start.
pub type Opener<'a> = dyn Fn(&Puzzle, Option<&str>) -> Result<Box<dyn AnyGame>, Problem> + Send + Sync + 'a;

/// Opens games of the catalogue, and those on built-in maps that need no extension.
///
/// # Errors
/// An unknown game, option or map; the fault in the FEN.
pub fn open(puzzle: &Puzzle, fen: Option<&str>) -> Result<Box<dyn AnyGame>, Problem> {
    let entry = catalog::find(&puzzle.game)?;
    let options = entry.settle(&puzzle.options, catalog::Setting::Faithful)?;
    match &puzzle.map {
        None => entry.open(None, &options, fen),
        Some(key) => {
            let sample = sample(key).ok_or_else(|| Problem::new("unknown-map").with("map", key))?;
            let rules = Rules::load(&sample.package(), &options, None);
            rules.map_err(|mut problems| problems.swap_remove(0))?.open(fen)
        }
    }
}

impl Puzzle {
    /// Returns the part of the key that games of one kind share.
    #[must_use]
    pub fn family(&self) -> &str {
        self.game.split('/').next().unwrap_or_default()
    }

    /// Tells whether it is on none of these maps.
    #[must_use]
    pub fn is_on_none_of(&self, maps: &[String]) -> bool {
        self.map.as_ref().is_none_or(|map| !maps.contains(map))
    }

    /// Returns the number of turns that the solver has to find.
    #[must_use]
    pub fn turns(&self) -> usize {
        self.set.map_or(self.line.len().div_ceil(2), |aim| usize::from(aim.within))
    }

    /// Returns the id of that position under these rules.
    #[must_use]
    pub fn id_of(game: &str, options: &BTreeMap<String, i64>, map: Option<&str>, fen: &str) -> String {
        let text = format!("{game} {options:?} {} {fen}", map.unwrap_or_default());
        // FNV-1a, 64 bits (Fowler, Noll and Vo): short, and the same on every machine.
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        format!("{hash:016x}")
    }

    /// Parses a line of JSON, and checks the puzzle's line by the rules.
    ///
    /// # Errors
    /// `puzzle-format`, or why the game cannot be opened or a move cannot be played.
    pub fn read(text: &str, open: &Opener) -> Result<Puzzle, Problem> {
        let wrong = |detail: String| Problem::new("puzzle-format").with("detail", detail);
        if text.len() > MOST_BYTES {
            return Err(wrong(format!("{} bytes, at most {MOST_BYTES}", text.len())));
        }
        let puzzle: Puzzle = serde_json::from_str(text).map_err(|why| wrong(why.to_string()))?;
        puzzle.check(open)?;
        Ok(puzzle)
    }

    /// Checks that the line can be played, turn by turn, and ends with a turn of the solver.
    ///
    /// # Errors
    /// The errors of [`read`](Puzzle::read).
    pub fn check(&self, open: &Opener) -> Result<(), Problem> {
        let wrong = |detail: &str| Problem::new("puzzle-format").with("detail", detail);
        if self.line.len().is_multiple_of(2) || self.line.len() > MOST_TURNS {
            return Err(wrong("the line does not end with a turn of the solver, or is too long"));
        }
        let id = match self.set {
            Some(aim) => set::id_of(self, aim),
            None => Puzzle::id_of(&self.game, &self.options, self.map.as_deref(), &self.fen),
        };
        if self.id != id {
            return Err(wrong("the id is not that of the position"));
        }
        if self.themes.len() > 20
            || self.themes.iter().any(|theme| theme.len() > 40)
            || self.source.len() > 300
        {
            return Err(wrong("too many themes, or too long a text"));
        }
        let mut game = open(self, Some(&self.fen))?;
        let solver = game.turn();
        for (at, turn) in self.line.iter().enumerate() {
            let mover = if at % 2 == 0 { solver } else { solver.other() };
            if turn.is_empty() {
                return Err(wrong("a turn without a move"));
            }
            for text in turn {
                if game.turn() != mover {
                    return Err(wrong("a move of the wrong side"));
                }
                game.play(text).map_err(PlayError::problem)?;
            }
            if game.outcome().is_none() && game.turn() == mover {
                return Err(wrong("a turn is not whole"));
            }
        }
        Ok(())
    }
}
