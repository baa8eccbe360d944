//! Which rows win: the one thing in which the variants differ.

/// Which rows of stones win.
///
/// A plain field and not a type parameter, because only the ending asks for it: no inner loop changes
/// (docs/rules/gomoku.md §3; the numbers are those of the Piskvork protocol's `INFO rule`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Five or more in a row win (§3.1; `INFO rule 0`).
    Freestyle,
    /// Exactly five in a row win; six or more are nothing and play goes on (§3.2; `INFO rule 1`).
    Standard,
}

impl Rule {
    /// Both rules, the looser one first.
    pub const ALL: [Rule; 2] = [Rule::Freestyle, Rule::Standard];

    /// The stable key, as in `gomoku/freestyle`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
        }
    }

    /// Files and ranks of the usual board: 20 in the classic console and Gomocup's freestyle league, 15 where
    /// exactly five must be made.
    #[must_use]
    pub const fn usual_side(self) -> u8 {
        match self {
            Rule::Freestyle => 20,
            Rule::Standard => 15,
        }
    }

    /// Whether an unbroken row of `stones` stones of one side wins.
    #[must_use]
    pub const fn wins(self, stones: u32) -> bool {
        match self {
            Rule::Freestyle => stones >= 5,
            Rule::Standard => stones == 5,
        }
    }
}
