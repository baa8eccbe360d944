//! Challenges by name: how many may be open, how long they stand, and the reasons for declining one.

use kernel::Problem;

use crate::Speed;

/// Open challenges that one person may have sent.
pub const MOST_SENT: u32 = 10;
/// Open challenges that one person may have received; beyond, nobody can challenge them.
pub const MOST_RECEIVED: u32 = 50;
/// Open challenges from one person to another.
pub const MOST_PAIR: u32 = 2;

const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = 24 * 60 * MINUTE_MS;

/// How long a challenge stands, in milliseconds: a game with a clock needs both at once, so a quarter of an hour; a slow
/// game, or one without a clock, a week.
#[must_use]
pub fn stands_ms(speed: Option<Speed>) -> u64 {
    match speed {
        None | Some(Speed::Correspondence) => 7 * DAY_MS,
        Some(_) => 15 * MINUTE_MS,
    }
}

/// Why somebody declines: the messages `decline-<key>`. They are those of Lichess' API that mean something here.
pub const REASONS: [&str; 9] =
    ["generic", "later", "too-fast", "too-slow", "time-control", "rated", "casual", "game", "no-bots"];

/// The reason of that key; `generic` where none is given.
///
/// # Errors
/// `decline-reason`, with those that are `known`.
pub fn reason(key: Option<&str>) -> Result<&'static str, Problem> {
    let key = key.unwrap_or(REASONS[0]);
    let found = REASONS.into_iter().find(|reason| *reason == key);
    found.ok_or_else(|| Problem::new("decline-reason").with("known", REASONS.join(", ")))
}

/// Which ratings somebody wants to play against. `None`: any.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RatingRange {
    /// The lowest.
    pub min: Option<i32>,
    /// The highest.
    pub max: Option<i32>,
}

/// Ratings that a range may name.
const RATINGS: std::ops::RangeInclusive<i32> = 0..=4000;

impl RatingRange {
    /// A range with these ends.
    ///
    /// # Errors
    /// `rating-range` where an end is none of 0 to 4000, or the ends are exchanged.
    pub fn new(min: Option<i32>, max: Option<i32>) -> Result<RatingRange, Problem> {
        let range = RatingRange { min, max };
        let ends = [min, max].into_iter().flatten().all(|end| RATINGS.contains(&end));
        let order = min.zip(max).is_none_or(|(min, max)| min <= max);
        if ends && order { Ok(range) } else { Err(Problem::new("rating-range")) }
    }

    /// Whether somebody of that rating is wanted.
    ///
    /// # Errors
    /// `rating-too-low` and `rating-too-high`, with the `rating` and the `limit`.
    pub fn admits(self, rating: f64) -> Result<(), Problem> {
        let rating = rating.round() as i32;
        if let Some(min) = self.min.filter(|min| rating < *min) {
            return Err(Problem::new("rating-too-low").with("rating", rating).with("limit", min));
        }
        if let Some(max) = self.max.filter(|max| rating > *max) {
            return Err(Problem::new("rating-too-high").with("rating", rating).with("limit", max));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        for (name, min, max, rating, told) in [
            ("any", None, None, 10.0, None),
            ("just in, rounded", Some(1500), None, 1499.6, None),
            ("below", Some(1500), Some(1600), 1499.4, Some("rating-too-low")),
            ("above", None, Some(1600), 1600.5, Some("rating-too-high")),
            ("at the end", None, Some(1600), 1600.4, None),
        ] {
            let range = RatingRange::new(min, max).expect("a range");
            assert_eq!(range.admits(rating).err().map(|why| why.key), told, "{name}");
        }
        for (name, min, max) in
            [("exchanged", Some(2), Some(1)), ("negative", Some(-1), None), ("huge", None, Some(4001))]
        {
            assert_eq!(RatingRange::new(min, max).err().map(|why| why.key), Some("rating-range"), "{name}");
        }
    }

    #[test]
    fn reasons() {
        assert_eq!(reason(None), Ok("generic"));
        assert_eq!(reason(Some("rated")), Ok("rated"));
        assert_eq!(reason(Some("because")).map_err(|why| why.key), Err("decline-reason"));
    }
}
