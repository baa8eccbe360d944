//! Challenges by name: their limits, their lifetimes, and the reasons for declining one.

use kernel::Problem;

use crate::Speed;

/// The most open challenges that one person may have sent.
pub const MOST_SENT: u32 = 10;
/// The most open challenges that one person may have received, including those from people they follow.
pub const MOST_RECEIVED: u32 = 500;
/// The most open challenges from accounts and programs that one person may have received; with one more, an older one
/// is dropped.
pub const MOST_FROM_ACCOUNTS: usize = 50;
/// The most open challenges from guests that one person may have received. They are counted apart from the others.
pub const MOST_FROM_GUESTS: usize = 20;
/// The most open challenges from one person to another.
pub const MOST_PAIR: u32 = 2;

/// The kind of sender of a challenge, which decides about the limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sender {
    /// A person whom the recipient follows: there is always room.
    Known,
    /// A person with an account, or a program.
    Account,
    /// A guest, of whom one address can create any number.
    Guest,
}

/// An open challenge that a person has received, without the settings of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waiting<S> {
    /// The kind of its sender.
    pub sender: Sender,
    /// The address it came from: challenges of one share count as one sender's.
    pub share: S,
}

/// The answer whether there is room for one more challenge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Room {
    /// The new challenge has room.
    Free,
    /// The new challenge replaces that one of the waiting: the oldest of the share that has the most.
    InsteadOf(usize),
    /// The new challenge has no room: it is of the share that has the most.
    None,
}

/// Decides whether there is room for a challenge from `sender` of that share beside those that wait, the oldest
/// first.
#[must_use]
pub fn room<S: PartialEq>(waiting: &[Waiting<S>], sender: Sender, share: &S) -> Room {
    let most = match sender {
        Sender::Known => return Room::Free,
        Sender::Account => MOST_FROM_ACCOUNTS,
        Sender::Guest => MOST_FROM_GUESTS,
    };
    let alike: Vec<usize> = (0..waiting.len()).filter(|&at| waiting[at].sender == sender).collect();
    if alike.len() < most {
        return Room::Free;
    }
    let of = |share: &S| alike.iter().filter(|&&at| waiting[at].share == *share).count();
    // The first of the largest is its oldest, and the oldest of all where all are as large.
    let Some(oldest) = alike.iter().copied().rev().max_by_key(|&at| of(&waiting[at].share)) else {
        return Room::None;
    };
    let is_greedy = of(share) >= of(&waiting[oldest].share);
    if sender == Sender::Guest && is_greedy { Room::None } else { Room::InsteadOf(oldest) }
}

const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = 24 * 60 * MINUTE_MS;

/// Returns the lifetime of a challenge, in milliseconds: a quarter of an hour for a game with a clock, which needs
/// both people at once; a week for a slow game, or one without a clock.
#[must_use]
pub fn stands_ms(speed: Option<Speed>) -> u64 {
    match speed {
        None | Some(Speed::Correspondence) => 7 * DAY_MS,
        Some(_) => 15 * MINUTE_MS,
    }
}

/// The reasons for declining a challenge: the messages `decline-<key>`. They are those of Lichess' API that apply
/// here.
pub const REASONS: [&str; 9] =
    ["generic", "later", "too-fast", "too-slow", "time-control", "rated", "casual", "game", "no-bots"];

/// Returns the reason with that key; `generic` where none is given.
///
/// # Errors
/// `decline-reason`, with those that are `known`.
pub fn reason(key: Option<&str>) -> Result<&'static str, Problem> {
    let key = key.unwrap_or(REASONS[0]);
    let found = REASONS.into_iter().find(|reason| *reason == key);
    found.ok_or_else(|| Problem::new("decline-reason").with("known", REASONS.join(", ")))
}

/// The range of opponents' ratings that a person accepts. `None`: no limit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RatingRange {
    /// The lowest accepted rating.
    pub min: Option<i32>,
    /// The highest accepted rating.
    pub max: Option<i32>,
}

/// The ratings that a range may name.
const RATINGS: std::ops::RangeInclusive<i32> = 0..=4000;

impl RatingRange {
    /// Makes a range with these ends.
    ///
    /// # Errors
    /// `rating-range` where an end is none of 0 to 4000, or the ends are exchanged.
    pub fn new(min: Option<i32>, max: Option<i32>) -> Result<RatingRange, Problem> {
        let range = RatingRange { min, max };
        let ends = [min, max].into_iter().flatten().all(|end| RATINGS.contains(&end));
        let order = min.zip(max).is_none_or(|(min, max)| min <= max);
        if ends && order { Ok(range) } else { Err(Problem::new("rating-range")) }
    }

    /// Checks that a rating is in the range.
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

    /// A4: challenges of guests cannot fill a mailbox; fifty of them once closed one for a week.
    #[test]
    fn guests_take_no_room_of_others_and_greedy_ones_give_way() {
        let guests = |shares: &[(u32, usize)]| -> Vec<Waiting<u32>> {
            let some = |&(share, count): &(u32, usize)| vec![Waiting { sender: Sender::Guest, share }; count];
            shares.iter().flat_map(some).collect()
        };
        let flooded = guests(&[(1, MOST_FROM_GUESTS)]);
        assert_eq!(room(&flooded, Sender::Guest, &1), Room::None);
        assert_eq!(room(&flooded, Sender::Guest, &2), Room::InsteadOf(0), "the greedy one gives way");
        assert_eq!(room(&flooded, Sender::Account, &1), Room::Free);
        assert_eq!(room(&flooded, Sender::Known, &1), Room::Free);
        let mixed = guests(&[(3, 4), (1, MOST_FROM_GUESTS - 4)]);
        assert_eq!(room(&mixed, Sender::Guest, &3), Room::InsteadOf(4), "the oldest of the largest share");
        let fair: Vec<Waiting<u32>> =
            guests(&(0..MOST_FROM_GUESTS as u32).map(|n| (n, 1)).collect::<Vec<_>>());
        assert_eq!(room(&fair, Sender::Guest, &0), Room::None);
        assert_eq!(
            room(&fair, Sender::Guest, &99),
            Room::InsteadOf(0),
            "somebody new comes before the oldest"
        );
        let accounts = vec![Waiting { sender: Sender::Account, share: 5 }; MOST_FROM_ACCOUNTS];
        assert_eq!(room(&accounts, Sender::Account, &5), Room::InsteadOf(0), "an account always fits");
        assert_eq!(room(&accounts, Sender::Account, &6), Room::InsteadOf(0));
    }

    #[test]
    fn reasons() {
        assert_eq!(reason(None), Ok("generic"));
        assert_eq!(reason(Some("rated")), Ok("rated"));
        assert_eq!(reason(Some("because")).map_err(|why| why.key), Err("decline-reason"));
    }
}
