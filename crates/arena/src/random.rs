//! Random numbers that are the same on every machine and in every version: SplitMix64 (Steele, Lea and Flood 2014).

/// A random sequence that is determined by its seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns the sequence of a seed.
    #[must_use]
    pub const fn seeded(seed: u64) -> Random {
        Random(seed)
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`, which is not 0 and much below 2^64.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Returns a number from 0 to 1, 1 excluded.
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}
