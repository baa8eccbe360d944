//! Rating pools: results are compared within a pool, which is the rules of a game at a speed.

use std::fmt;

use crate::speed::Speed;

/// The games that have pools: a key of the catalogue, or the family of keys `<family>/<variant>`.
const RATED: [&str; 4] = ["xiangqi", "draughts", "gomoku", "locked"];
/// The options that may be chosen freely in a rated game: family, option and the allowed values; any value if none
/// are listed. An opening of gomoku makes the game fair, it does not make another one; nor does a board of one of the
/// sizes it is played on.
const FREE_OPTIONS: [(&str, &str, &[i64]); 2] =
    [("gomoku", "opening", &[]), ("gomoku", "size", &[15, 19, 20])];

/// The number of accounts that must have played each other on a map before its games are rated.
pub const MAP_PLAYERS: u32 = 8;
/// The number of finished games that a map needs before its games are rated.
pub const MAP_GAMES: u32 = 20;

/// The fewest plies of a rated game, with any result: fewer say nothing about the players.
pub const LEAST_PLIES: usize = 6;
/// The most rated games that two people may begin with each other in a day.
pub const PAIR_A_DAY: usize = 20;
/// The most rated games in a day of two people at one address.
pub const NEIGHBOURS_A_DAY: usize = 5;
/// The number of rated games in a day with people at one's own address from which on no further one may begin.
pub const NEIGHBOUR_GAMES_A_DAY: usize = 20;
/// A day in milliseconds.
pub const DAY_MS: u64 = 86_400_000;

/// The rules of a game at a speed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pool {
    /// The key of the game in the catalogue; on a map `<key>@<id of the map's files>`.
    pub game: String,
    /// The class of its clock.
    pub speed: Speed,
}

impl Pool {
    /// Returns the pool of a game of `game` at `speed`, where `changed` are the options that differ from what the
    /// game has online, with their values. `None`: such games are never rated. Maps, start positions and opponents
    /// are for the caller to check.
    #[must_use]
    pub fn of<'a>(
        game: &str,
        speed: Speed,
        mut changed: impl Iterator<Item = (&'a str, i64)>,
    ) -> Option<Pool> {
        let family = family(game);
        let free = |(option, value): (&str, i64)| {
            FREE_OPTIONS.iter().any(|&(of, free, values)| {
                (of, free) == (family, option) && (values.is_empty() || values.contains(&value))
            })
        };
        let rated = RATED.contains(&family) && changed.all(free);
        rated.then(|| Pool { game: game.to_owned(), speed })
    }

    /// Returns the pool of a version of a map. The caller checks that enough people play it: see [`is_played`].
    #[must_use]
    pub fn of_map(game: &str, map: &str, speed: Speed) -> Pool {
        Pool { game: format!("{game}@{map}"), speed }
    }

    /// Returns the map of the pool, if it has one.
    #[must_use]
    pub fn map(&self) -> Option<&str> {
        self.game.split_once('@').map(|(_, map)| map)
    }

    /// Parses the text that `Display` writes.
    #[must_use]
    pub fn read(text: &str) -> Option<Pool> {
        let (game, speed) = text.split_once(':')?;
        let pool = Pool { game: game.to_owned(), speed: Speed::read(speed)? };
        (!game.is_empty()).then_some(pool)
    }

    /// Returns true if a strength in one pool says something about that in the other: the same game at another speed,
    /// or another game of the family at any speed.
    #[must_use]
    pub fn is_related(&self, other: &Pool) -> bool {
        self != other && family(&self.game) == family(&other.game)
    }
}

/// Writes `<game>:<speed>`, such as `gomoku/renju:blitz`.
impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.game, self.speed.key())
    }
}

/// Returns true if these numbers of accounts and games are enough for a map to have a pool.
#[must_use]
pub const fn is_played(players: u64, games: u64) -> bool {
    players >= MAP_PLAYERS as u64 && games >= MAP_GAMES as u64
}

fn family(game: &str) -> &str {
    game.split_once('/').map_or(game, |(family, _)| family)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_games_as_they_are_played_online_have_pools() {
        for (game, changed, rated) in [
            ("xiangqi", &[][..], true),
            ("xiangqi", &[("move-limit", 40)], false),
            ("gomoku/renju", &[("opening", 2)], true),
            ("gomoku/renju", &[("opening", 2), ("size", 15)], true),
            ("gomoku/freestyle", &[("size", 15)], true),
            ("gomoku/freestyle", &[("size", 5)], false),
            ("gomoku/standard", &[("ranks", 15)], false),
            ("draughts/frisian", &[], true),
            ("draughts/frisian", &[("size", 15)], false),
            ("locked", &[("turn-limit", 100)], false),
            ("locked", &[("opening", 1)], false),
            ("jingbanqi", &[], false),
            ("chess", &[], false),
            ("xiangqier", &[], false),
        ] {
            let pool = Pool::of(game, Speed::Blitz, changed.iter().copied());
            assert_eq!(pool.is_some(), rated, "{game} {changed:?}");
            assert_eq!(pool.as_ref().and_then(|pool| Pool::read(&pool.to_string())), pool);
        }
        assert_eq!(
            [":blitz", "xiangqi", "xiangqi:", "xiangqi:hyper", ""].map(Pool::read),
            [const { None }; 5]
        );
    }

    #[test]
    fn a_map_has_a_pool_of_its_own_once_it_is_played() {
        let pool = Pool::of_map("jingbanqi", "0a1b", Speed::Rapid);
        assert_eq!((pool.to_string().as_str(), pool.map()), ("jingbanqi@0a1b:rapid", Some("0a1b")));
        assert_eq!(Pool::read("jingbanqi@0a1b:rapid"), Some(pool));
        assert_eq!(Pool::read("xiangqi:rapid").expect("a pool").map(), None);
        for (players, games, open) in [(8, 20, true), (7, 200, false), (80, 19, false)] {
            assert_eq!(is_played(players, games), open, "{players} {games}");
        }
    }

    #[test]
    fn pools_of_a_family_are_related() {
        let pool = |text: &str| Pool::read(text).expect("a pool");
        for (one, other, related) in [
            ("xiangqi:blitz", "xiangqi:rapid", true),
            ("xiangqi:blitz", "xiangqi/free:blitz", true),
            ("gomoku/renju:blitz", "gomoku/caro:bullet", true),
            ("gomoku/renju:blitz", "gomoku/renju:blitz", false),
            ("gomoku/renju:blitz", "xiangqi:blitz", false),
            ("jingbanqi@a1:blitz", "jingbanqi@a1:rapid", true),
            ("jingbanqi@a1:blitz", "jingbanqi@b2:blitz", false),
        ] {
            assert_eq!(pool(one).is_related(&pool(other)), related, "{one} {other}");
            assert_eq!(pool(other).is_related(&pool(one)), related, "{other} {one}");
        }
    }
}
