//! Openings: the agreed ways to make the first moves fair.
//!
//! Black would win a game that opens freely (docs/rules/gomoku.md §9.1), so serious games begin by a protocol: one
//! player sets stones, the other chooses a colour, fifth moves are offered and picked. Here a protocol is part of
//! the position: [`Opened`] is a gomoku whose moves are also choices, whose turn is the *player* that decides, and
//! that plays on as plain [`Gomoku`](crate::Gomoku) once the opening is over
//! (docs/adr/0009-openings-are-moves.md).
//!
//! Reading order: [`Opening`] (which ones there are), `steps` (what each one asks, in order), `script` (where an
//! opening stands), [`opened`] (the position), `notation` (FEN, move text, picture), [`pattern`] (the names of
//! renju's 26 openings), `shape` (which fifth moves are the same).

mod notation;
pub mod opened;
pub mod pattern;
mod script;
mod shape;
mod steps;

use kernel::Problem;

pub use opened::{Act, Opened};
pub use steps::Choice;

/// The ways a game can begin.
///
/// ```
/// use gomoku::Opening;
///
/// let renju: Vec<&str> = Opening::ALL.into_iter().filter(|o| o.is_of_renju()).map(Opening::key).collect();
/// assert_eq!(renju, ["rif", "yamaguchi", "soosorv-8", "taraguchi-10"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opening {
    /// The third stone must leave the middle 5x5 (§9.3).
    Pro,
    /// The third stone must leave the middle 7x7 (§9.4).
    LongPro,
    /// One stone, then the other player takes a colour (§9.5).
    Swap1,
    /// Three stones, then the other player takes a colour (§9.6).
    Swap,
    /// Three stones, then the other player takes a colour or adds two stones and hands the choice back (§9.7).
    Swap2,
    /// One of 26 openings, a swap, two fifth moves (§9.9; world championships 1996 to 2008).
    Rif,
    /// One of 26 openings and the number of fifth moves, a swap (§9.10; 2009 to 2015).
    Yamaguchi,
    /// One of 26 openings, a swap, the fourth move with the number of fifth moves, a swap (§9.11; since 2017).
    Soosorv8,
    /// A swap after every stone, or ten fifth moves (§9.12).
    Taraguchi10,
}

impl Opening {
    /// All of them: those of gomoku, then those of renju.
    pub const ALL: [Opening; 9] = [
        Opening::Pro,
        Opening::LongPro,
        Opening::Swap1,
        Opening::Swap,
        Opening::Swap2,
        Opening::Rif,
        Opening::Yamaguchi,
        Opening::Soosorv8,
        Opening::Taraguchi10,
    ];

    /// The stable key, as in the message `option-opening-swap2`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Opening::Pro => "pro",
            Opening::LongPro => "long-pro",
            Opening::Swap1 => "swap1",
            Opening::Swap => "swap",
            Opening::Swap2 => "swap2",
            Opening::Rif => "rif",
            Opening::Yamaguchi => "yamaguchi",
            Opening::Soosorv8 => "soosorv-8",
            Opening::Taraguchi10 => "taraguchi-10",
        }
    }

    /// Returns true if it was made for renju: on 15x15, from one of the 26 openings (§9.8).
    #[must_use]
    pub const fn is_of_renju(self) -> bool {
        matches!(self, Opening::Rif | Opening::Yamaguchi | Opening::Soosorv8 | Opening::Taraguchi10)
    }

    /// Checks that it can be played on a board of that size.
    ///
    /// ```
    /// use gomoku::Opening;
    ///
    /// assert_eq!(Opening::Swap2.fits(19, 19), Ok(()));
    /// assert_eq!(Opening::Rif.fits(19, 19).unwrap_err().key, "opening-needs-15");
    /// assert_eq!(Opening::Pro.fits(5, 15).unwrap_err().arg("least"), Some("7"));
    /// ```
    ///
    /// # Errors
    /// `opening-needs-15` for the openings of renju, `opening-needs-room` where the third stone would have no
    /// place outside the middle.
    pub fn fits(self, files: u8, ranks: u8) -> Result<(), Problem> {
        let least = match self {
            Opening::Pro => 7,
            Opening::LongPro => 9,
            _ => 0,
        };
        let problem = |key| Problem::new(key).with("opening", self.key());
        if self.is_of_renju() && (files, ranks) != (15, 15) {
            return Err(problem("opening-needs-15").with("files", files).with("ranks", ranks));
        }
        if files.min(ranks) < least {
            return Err(problem("opening-needs-room").with("least", least));
        }
        Ok(())
    }
}
