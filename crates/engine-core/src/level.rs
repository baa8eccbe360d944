//! Ten levels for play against people, with consistent errors of judgement throughout a game instead of single
//! blunders.
//!
//! A level searches fewer positions, adds an error to each evaluation that depends on the position and the seed
//! alone, and chooses among the moves that score nearly as well as the best. The speed of the machine has no
//! influence.

use search::{Noise, PvLine, score};

/// A playing strength from 1, which a child can beat, to 10, the full strength of the engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// The limits that make a search play more weakly.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// The place on the scale, from 0 to [`Strength::MOST`].
    pub scale: f32,
    /// The most positions searched (nodes).
    pub nodes: u64,
    /// The greatest depth, in plies; `None`: no limit.
    pub depth: Option<u32>,
    /// The scale of the evaluation noise, in hundredths.
    pub noise: f32,
    /// The temperature of the choice among the best lines, in hundredths; 0: the best line is always chosen.
    pub temperature: f32,
    /// The margin below the best score beyond which a move is never chosen, in hundredths.
    pub cut: i32,
}

/// The number of lines searched (MultiPV) at a level that chooses among lines.
const LINES: usize = 4;

/// The rows of the scale at 0, 1, 2 and so on: nodes, depth in plies, noise, temperature, cut.
const SCALE: [(u64, u32, f32, f32, i32); 9] = [
    (60, 1, 120.0, 150.0, 600),
    (120, 2, 90.0, 110.0, 400),
    (250, 3, 65.0, 80.0, 250),
    (600, 4, 45.0, 55.0, 180),
    (1_500, 5, 30.0, 38.0, 120),
    (5_000, 7, 18.0, 22.0, 80),
    (20_000, 10, 8.0, 10.0, 40),
    (100_000, 14, 3.0, 4.0, 20),
    (1_000_000, 100, 0.0, 0.0, 0),
];

impl Strength {
    /// The end of the scale.
    pub const MOST: f32 = 8.0;

    /// Returns the strength at a place of the scale. Between two rows the number of positions is interpolated
    /// geometrically and the rest linearly. A place beyond an end of the scale counts as that end.
    #[must_use]
    pub fn at(scale: f32) -> Strength {
        let scale = if scale.is_nan() { 0.0 } else { scale.clamp(0.0, Strength::MOST) };
        let row = (scale as usize).min(SCALE.len() - 2);
        let part = scale - row as f32;
        let (low, high) = (SCALE[row], SCALE[row + 1]);
        let between = |low: f32, high: f32| low + (high - low) * part;
        let nodes = between((low.0 as f32).ln(), (high.0 as f32).ln()).exp();
        let depth = between(low.1 as f32, high.1 as f32).round() as u32;
        Strength {
            scale,
            nodes: nodes.round() as u64,
            depth: (scale <= 7.0).then_some(depth),
            noise: between(low.2, high.2),
            temperature: between(low.3, high.3),
            cut: between(low.4 as f32, high.4 as f32) as i32,
        }
    }
}

/// The places of a game's levels on the scale. Each game has its own, because a mistake does not cost the same in
/// every game. Level 10 is not limited.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ladder {
    /// The places of levels 1 to 9 on the scale.
    pub places: [f32; 9],
    /// The measured Elo difference of each level from the second on to the one below it: docs/strength.md, "Levels".
    pub steps: [i32; 9],
}

/// The Elo of level 1: a chosen number, not measured against any opponent.
const FIRST_ELO: i32 = 1_000;

impl Ladder {
    /// Returns the limits of a level; `None` for level 10, which has none.
    #[must_use]
    pub fn strength(&self, level: Level) -> Option<Strength> {
        self.places.get(usize::from(level.0) - 1).copied().map(Strength::at)
    }

    /// Returns the Elo of a level; level 1 has 1000.
    #[must_use]
    pub fn elo(&self, level: Level) -> i32 {
        FIRST_ELO + self.steps[..usize::from(level.0) - 1].iter().sum::<i32>()
    }

    /// Returns the place on the scale that plays at the given Elo, interpolated linearly between neighbouring levels,
    /// and between level 9 and level 10 towards the end of the scale. `None` from the Elo of level 10 on: there the
    /// engine is not limited.
    #[must_use]
    pub fn place(&self, elo: i32) -> Option<f32> {
        let mut above = (elo - FIRST_ELO).max(0);
        for (level, &step) in self.steps.iter().enumerate() {
            if above < step {
                let low = self.places[level];
                let high = self.places.get(level + 1).copied().unwrap_or(Strength::MOST);
                return Some(low + (high - low) * above as f32 / step as f32);
            }
            above -= step;
        }
        None
    }
}

impl Level {
    /// The strongest: no handicap.
    pub const MOST: Level = Level(10);

    /// Returns the level with that number; `None` unless it is 1 to 10.
    #[must_use]
    pub const fn new(level: u8) -> Option<Level> {
        if level >= 1 && level <= 10 { Some(Level(level)) } else { None }
    }

    /// Returns all ten levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=10).map(Level)
    }

    /// Returns the number of the level, 1 to 10.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl Strength {
    /// Restricts the limits of a search to this strength; `seed` fixes the evaluation noise.
    pub fn weaken(&self, limits: &mut search::SearchLimits, seed: u64) {
        limits.nodes = limits.nodes.into_iter().chain([self.nodes]).min();
        limits.depth = limits.depth.into_iter().chain(self.depth).min();
        if self.noise > 0.0 {
            limits.noise = Some(Noise { scale: self.noise, seed });
        }
        if self.temperature > 0.0 {
            limits.lines = limits.lines.max(LINES);
        }
        limits.threads = 1;
    }

    /// Returns the index of the line to play. `lines` are of one depth, best first; `key` is the key of the position.
    pub fn choose<M>(&self, lines: &[PvLine<M>], seed: u64, key: u64) -> usize {
        let best = lines[0].score;
        if self.temperature == 0.0 {
            return 0;
        }
        // A win at hand is not missed, except by the youngest.
        if self.scale > 1.0 && score::distance(best) == Some(1) {
            return 0;
        }
        let loses_at_once = |s: i32| score::distance(s).is_some_and(|plies| (-2..0).contains(&plies));
        let weight = |line: &PvLine<M>| {
            let behind = best - line.score;
            let out = behind > self.cut || (loses_at_once(line.score) && !loses_at_once(best));
            if out { 0.0 } else { (-f64::from(behind) / f64::from(self.temperature)).exp() }
        };
        let weights: Vec<f64> = lines.iter().map(weight).collect();
        let mut point = fraction(seed, key) * weights.iter().sum::<f64>();
        for (i, weight) in weights.iter().enumerate() {
            point -= weight;
            if point < 0.0 {
                return i;
            }
        }
        0
    }
}

/// Hashes two words to a number from 0 to 1, 1 excluded (the finaliser of SplitMix64: Steele, Lea and Flood 2014).
fn fraction(seed: u64, key: u64) -> f64 {
    let z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ key;
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_leads_to_places_between_levels() {
        let ladder = Ladder {
            places: [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 7.5],
            steps: [100, 200, 100, 100, 100, 100, 100, 100, 300],
        };
        for level in Level::all() {
            let place = ladder.place(ladder.elo(level));
            assert_eq!(place.map(Strength::at), ladder.strength(level), "{level:?}");
        }
        assert_eq!((ladder.elo(Level(1)), ladder.elo(Level::MOST)), (1000, 2200));
        for (elo, place) in [
            (0, Some(0.0)),
            (1050, Some(0.5)),
            (1200, Some(1.5)),
            (2050, Some(7.75)),
            (2200, None),
            (9999, None),
        ] {
            assert_eq!(ladder.place(elo), place, "{elo}");
        }
    }

    #[test]
    fn the_scale_rises_without_a_step_back() {
        let mut last = Strength::at(-1.0);
        assert_eq!(last, Strength::at(0.0));
        for step in 1..=800 {
            let now = Strength::at(step as f32 / 100.0);
            assert!(now.nodes >= last.nodes && now.noise <= last.noise && now.cut <= last.cut, "{now:?}");
            assert!(now.depth.unwrap_or(u32::MAX) >= last.depth.unwrap_or(u32::MAX), "{now:?}");
            last = now;
        }
        assert_eq!(last, Strength::at(99.0));
        assert_eq!((Strength::at(3.0).nodes, Strength::at(3.0).depth), (600, Some(4)));
        assert_eq!(Strength::at(f32::NAN), Strength::at(0.0));
    }
}
