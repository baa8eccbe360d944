//! Games of our engine against itself on a user's map before it is published on a shelf. They find faults that only
//! good play reaches.

use std::time::{Duration, Instant};

use catalog::maps::{self, Rehearsal, Rules};
use kernel::Problem;
use kernel::laws::Random;

use crate::native::think;
use engine_core::Limits;
use search::TranspositionTable;

/// The extent of a trial.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The number of games.
    pub games: u32,
    /// The number of positions searched for each move (nodes).
    pub nodes: u64,
    /// The greatest length of a game, in plies.
    pub longest: u32,
    /// The time limit: after it no game is started, and a running game ends with its current ply.
    pub time: Duration,
}

impl Default for Trial {
    fn default() -> Trial {
        Trial { games: 20, nodes: 40, longest: 60, time: Duration::from_secs(4) }
    }
}

/// The results of the trial games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tried {
    /// The length in plies of each game that was started.
    pub lengths: Vec<u32>,
    /// The number of games that ended by the rules.
    pub ended: u32,
    /// The faults found, each once: `extension-failed` with the file, the hook, the line and the reason.
    pub faults: Vec<Problem>,
}

impl Trial {
    /// Plays the trial games.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use catalog::maps::{Rules, SAMPLES};
    /// use engine::trial::Trial;
    ///
    /// let rules = Rules::load(&SAMPLES[0].package(), &catalog::Options::new(), None).unwrap();
    /// let trial = Trial { games: 2, nodes: 20, longest: 8, time: Duration::from_secs(60) };
    /// let tried = trial.play(&rules)?;
    /// assert_eq!((tried.lengths.len(), tried.faults), (2, vec![]));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    ///
    /// # Errors
    /// The problem of the start position, or `no-engine`.
    pub fn play(&self, rules: &Rules) -> Result<Tried, Problem> {
        let (begun, memory) = (Instant::now(), TranspositionTable::mebibytes(4));
        let mut tried = Tried::default();
        for seed in 0..self.games {
            if begun.elapsed() > self.time {
                break;
            }
            // Where something is left to chance, it decides otherwise in each game.
            let other = rules.has_chance().then(|| rules.seeded(u128::from(seed) + 1));
            let mut game = other.as_ref().unwrap_or(rules).open(None)?;
            let (mut plies, mut random) = (0, Random(u64::from(seed) + 1));
            while plies < self.longest && game.outcome().is_none() && begun.elapsed() <= self.time {
                let left = self.time.saturating_sub(begun.elapsed());
                // The first moves are those of a low level, so that no two games are the same.
                let level = (plies < 6).then(|| engine_core::Level::new(2)).flatten();
                let limits = Limits {
                    nodes: Some(self.nodes),
                    time: Some(left.max(Duration::from_millis(10))),
                    level,
                    seed: seed.into(),
                    ..Limits::default()
                };
                let text = think(game.as_ref(), &memory, &limits, &mut |_| {})?;
                let text = kernel::by_lot(game.as_ref(), &text, |sum| random.bits() % sum);
                game.play(&text).map_err(kernel::PlayError::problem)?;
                plies += 1;
            }
            tried.lengths.push(plies);
            tried.ended += u32::from(game.outcome().is_some());
            if let Some(fault) = game.caption().filter(|caption| caption.key == "extension-failed")
                && !tried.faults.contains(&fault)
            {
                tried.faults.push(fault);
            }
        }
        Ok(tried)
    }
}

/// The results of the test games on a map before it is published on a shelf.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Played {
    /// The games with random moves.
    pub random: Rehearsal,
    /// The games of the engine; not played if random games failed.
    pub engine: Tried,
}

impl Played {
    /// Plays [`maps::PLAN`] and the default [`Trial`]. It takes some seconds at most, whatever the extensions do:
    /// random games end after four seconds of processor time and the engine's after four seconds, each with the ply
    /// that is being played.
    ///
    /// # Errors
    /// The problem of the start position.
    pub fn of(rules: &Rules) -> Result<Played, Problem> {
        let random = rules.rehearse(maps::PLAN);
        let engine = if random.faults.is_empty() { Trial::default().play(rules)? } else { Tried::default() };
        Ok(Played { random, engine })
    }

    /// Returns the reasons to refuse the map: each fault once, as `map-extension-failed`.
    ///
    /// ```
    /// use engine::trial::{Played, Tried};
    /// use kernel::Problem;
    ///
    /// let fault = Problem::new("extension-failed").with("file", "leap.py");
    /// let engine = Tried { faults: vec![fault], ..Tried::default() };
    /// let played = Played { engine, ..Played::default() };
    /// assert_eq!(played.refusals()[0].to_string(), r#"map-extension-failed file="leap.py""#);
    /// ```
    #[must_use]
    pub fn refusals(&self) -> Vec<Problem> {
        let mut refusals = maps::refused(&self.random);
        for fault in &self.engine.faults {
            let fault = Problem { key: "map-extension-failed", ..fault.clone() };
            if !refusals.contains(&fault) {
                refusals.push(fault);
            }
        }
        refusals
    }
}
