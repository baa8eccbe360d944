//! Classes of speed: ratings and queues keep fast and slow games apart.

/// The classes of speed, the fastest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Speed {
    /// Less than 3 minutes for each side.
    Bullet,
    /// Less than 8 minutes for each side.
    Blitz,
    /// Less than 25 minutes for each side.
    Rapid,
    /// 25 minutes or more for each side.
    Classical,
    /// A day or more for each turn.
    Correspondence,
}

/// The number of turns that a game is assumed to have for each side.
const TURNS: u64 = 40;
const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = 24 * 60 * MINUTE_MS;

impl Speed {
    /// All classes, the fastest first.
    pub const ALL: [Speed; 5] =
        [Speed::Bullet, Speed::Blitz, Speed::Rapid, Speed::Classical, Speed::Correspondence];

    /// Returns the class of a clock that gives each side `base_ms` for the game and `turn_ms` more for each turn: the
    /// increment, a period of byo-yomi, or the whole time for a turn. A game is assumed to last 40 turns.
    #[must_use]
    pub fn of(base_ms: u64, turn_ms: u64) -> Speed {
        if turn_ms >= DAY_MS {
            return Speed::Correspondence;
        }
        match base_ms.saturating_add(turn_ms.saturating_mul(TURNS)) / MINUTE_MS {
            0..3 => Speed::Bullet,
            3..8 => Speed::Blitz,
            8..25 => Speed::Rapid,
            _ => Speed::Classical,
        }
    }

    /// Returns the stable key: the message `speed-<key>`.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
            Speed::Correspondence => "correspondence",
        }
    }

    /// Returns the class with that key.
    #[must_use]
    pub fn read(key: &str) -> Option<Speed> {
        Speed::ALL.into_iter().find(|speed| speed.key() == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_fall_into_classes() {
        for (base_s, turn_s, speed) in [
            (60, 0, Speed::Bullet),
            (120, 1, Speed::Bullet),
            (179, 0, Speed::Bullet),
            (180, 0, Speed::Blitz),
            (0, 5, Speed::Blitz),
            (300, 4, Speed::Blitz),
            (480, 0, Speed::Rapid),
            (600, 15, Speed::Rapid),
            (1500, 0, Speed::Classical),
            (0, 60, Speed::Classical),
            (0, 86_399, Speed::Classical),
            (0, 86_400, Speed::Correspondence),
            (0, u64::MAX / 1000, Speed::Correspondence),
        ] {
            assert_eq!(Speed::of(base_s * 1000, turn_s * 1000), speed, "{base_s}+{turn_s}");
        }
        assert_eq!(Speed::of(u64::MAX, 0), Speed::Classical);
        assert!(Speed::ALL.into_iter().all(|speed| Speed::read(speed.key()) == Some(speed)));
        assert_eq!(Speed::read("hyper"), None);
    }
}
