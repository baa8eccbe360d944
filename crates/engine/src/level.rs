//! Ten levels for people: the same misjudgements all through a game instead of dropped pieces.
//!
//! A level looks at fewer positions, misjudges each by an amount that depends on the position and the seed alone, and
//! chooses among the moves that look nearly as good as the best. Nothing of it depends on how fast the machine is.

use search::{Noise, Ranked, score};

/// How well an engine plays, from 1, whom a child can beat, to 10, everything it has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// What makes a level.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// Positions at most; `None`: as many as the limits allow.
    pub nodes: Option<u64>,
    /// Plies at most.
    pub depth: Option<u32>,
    /// The scale of the error of judgement, in hundredths.
    pub noise: f32,
    /// How freely it chooses among the best lines, in hundredths; 0: it takes the best.
    pub temperature: f32,
    /// A move worse than the best by more is never chosen, in hundredths.
    pub cut: i32,
}

/// How many lines a level that chooses looks at.
const LINES: usize = 4;

impl Level {
    /// The strongest: no handicap.
    pub const MOST: Level = Level(10);

    /// That level; `None` unless it is 1 to 10.
    #[must_use]
    pub const fn new(level: u8) -> Option<Level> {
        if level >= 1 && level <= 10 { Some(Level(level)) } else { None }
    }

    /// All ten, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=10).map(Level)
    }

    /// 1 to 10.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// What makes it.
    #[must_use]
    pub const fn strength(self) -> Strength {
        const fn row(nodes: u64, depth: u32, noise: f32, temperature: f32, cut: i32) -> Strength {
            Strength { nodes: Some(nodes), depth: Some(depth), noise, temperature, cut }
        }
        match self.0 {
            1 => row(60, 1, 120.0, 150.0, 600),
            2 => row(120, 2, 90.0, 110.0, 400),
            3 => row(250, 3, 65.0, 80.0, 250),
            4 => row(600, 4, 45.0, 55.0, 180),
            5 => row(1_500, 5, 30.0, 38.0, 120),
            6 => row(5_000, 7, 18.0, 22.0, 80),
            7 => row(20_000, 10, 8.0, 10.0, 40),
            8 => row(100_000, 14, 3.0, 4.0, 20),
            9 => Strength { nodes: Some(1_000_000), depth: None, noise: 0.0, temperature: 0.0, cut: 0 },
            _ => Strength { nodes: None, depth: None, noise: 0.0, temperature: 0.0, cut: 0 },
        }
    }

    /// Sets what the search must know of it.
    pub(crate) fn weaken(self, limits: &mut search::Limits, seed: u64) {
        let strength = self.strength();
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        limits.nodes = least(limits.nodes, strength.nodes);
        limits.depth = limits.depth.into_iter().chain(strength.depth).min();
        if strength.noise > 0.0 {
            limits.noise = Some(Noise { scale: strength.noise, seed });
        }
        if strength.temperature > 0.0 {
            limits.lines = limits.lines.max(LINES);
        }
        if strength.nodes.is_some() {
            limits.threads = 1;
        }
    }

    /// Which of the lines is played; `key` is of the position.
    pub(crate) fn choose<M>(self, lines: &[Ranked<M>], seed: u64, key: u64) -> usize {
        let strength = self.strength();
        let best = lines[0].score;
        if strength.temperature == 0.0 {
            return 0;
        }
        // A win at hand is not missed, except by the youngest.
        if self.0 > 2 && score::distance(best) == Some(1) {
            return 0;
        }
        let loses_at_once = |s: i32| score::distance(s).is_some_and(|plies| (-2..0).contains(&plies));
        let weight = |ranked: &Ranked<M>| {
            let behind = best - ranked.score;
            let out = behind > strength.cut || (loses_at_once(ranked.score) && !loses_at_once(best));
            if out { 0.0 } else { (-f64::from(behind) / f64::from(strength.temperature)).exp() }
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

/// A number from 0 to 1, 1 left out, from two words (the finaliser of SplitMix64: Steele, Lea and Flood 2014).
fn fraction(seed: u64, key: u64) -> f64 {
    let z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ key;
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}
