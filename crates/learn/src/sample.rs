//! Positions to learn from: which weights count in each, and what it came to.

use catalog::Ruleset;
use engine::learned::Linear;
use kernel::{PlayError, Problem, Side};
use sha2::{Digest, Sha256};

use crate::games::Selfplay;

/// Which positions are taken.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// Positions that the engine judged by more are won anyway, in hundredths.
    pub most: i32,
    /// One game in so many is kept aside, to see what was learned and not remembered.
    pub aside: usize,
}

impl Default for Choice {
    fn default() -> Choice {
        Choice { most: 1500, aside: 50 }
    }
}

/// Positions, each as a row of weights that count in it.
#[derive(Clone, Default, Debug)]
pub struct Samples {
    /// Where each row begins; one more than there are rows.
    starts: Vec<usize>,
    entries: Vec<(u32, f32)>,
    /// What the search said, in hundredths for the side to move.
    worth: Vec<f32>,
    /// What the side to move got: 1, ½ or 0.
    result: Vec<f32>,
}

impl Samples {
    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.worth.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.worth.is_empty()
    }

    /// Which weights count in a position, and how often each.
    #[must_use]
    pub fn row(&self, i: usize) -> &[(u32, f32)] {
        &self.entries[self.starts[i]..self.starts[i + 1]]
    }

    /// What the search said of it, in hundredths for the side to move.
    #[must_use]
    pub fn worth(&self, i: usize) -> f32 {
        self.worth[i]
    }

    /// What the side to move got: 1, ½ or 0.
    #[must_use]
    pub fn result(&self, i: usize) -> f32 {
        self.result[i]
    }

    /// Adds a position.
    pub fn push(&mut self, row: &[(u32, f32)], worth: f32, result: f32) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.entries.extend_from_slice(row);
        self.starts.push(self.entries.len());
        self.worth.push(worth);
        self.result.push(result);
    }
}

/// The positions of games: those to learn from, those kept aside, and the hash of the games.
///
/// # Errors
/// A move that the rules refuse: games of other rules, or of a damaged file.
pub fn take(
    model: &dyn Linear,
    rules: &Ruleset,
    games: &[Selfplay],
    choice: Choice,
    watch: &mut dyn FnMut(usize),
) -> Result<(Samples, Samples, String), Problem> {
    let (mut learned, mut aside) = (Samples::default(), Samples::default());
    let mut hash = Sha256::new();
    let mut row = Vec::new();
    for (i, played) in games.iter().enumerate() {
        let into = if i % choice.aside.max(2) == 0 { &mut aside } else { &mut learned };
        let mut game = rules.play(None, &played.opening)?;
        played.opening.iter().for_each(|text| hash.update(text));
        for (text, &worth) in played.moves.iter().zip(&played.worth) {
            row.clear();
            if worth.abs() < choice.most && model.features(game.as_ref(), &mut row) {
                let first = 0.5 + 0.5 * f32::from(played.result);
                let result = if game.turn() == Side::First { first } else { 1.0 - first };
                into.push(&row, worth as f32, result);
            }
            hash.update(text);
            hash.update(worth.to_le_bytes());
            game.play(text).map_err(PlayError::problem)?;
        }
        hash.update([played.result as u8]);
        watch(i + 1);
    }
    let hash = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((learned, aside, hash))
}
