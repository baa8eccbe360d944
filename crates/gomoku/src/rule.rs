//! The rules of winning rows: the one thing in which the variants differ, with renju's forbidden points.

/// The rules that say which rows of stones win.
///
/// A plain field and not a type parameter, because only the ending asks for it: no inner loop changes
/// (docs/rules/gomoku.md §3 and §6; the numbers are those of the Piskvork protocol's `INFO rule`).
///
/// ```
/// use gomoku::{Gomoku, Rule};
/// use kernel::{Notation, Position, Side};
///
/// // Black fills the gap between two and three stones and makes six.
/// let winner = |rule| {
///     let mut pos = Gomoku::usual(rule).read_fen("9/9/9/9/bb1bbb3/9/9/w7w/w3w3w b").ok()?;
///     pos.play(pos.read_move("c5")?);
///     pos.outcome()?.winner()
/// };
/// assert_eq!(winner(Rule::Freestyle), Some(Side::First));
/// assert_eq!(winner(Rule::Standard), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Five or more in a row win (§3.1; `INFO rule 0`).
    Freestyle,
    /// Exactly five in a row win; six or more are nothing and play goes on (§3.2; `INFO rule 1`).
    Standard,
    /// Black wins with exactly five and loses by an overline, a double four or a double three; White wins with
    /// five or more (§6; `INFO rule 4`).
    Renju,
    /// Five win unless the opponent's stones stand at both ends; six or more win (§3.7; `INFO rule 8`).
    Caro,
    /// Exactly five win unless the opponent's stones stand at both ends (§3.8; `INFO rule 9`).
    CaroExact,
}

impl Rule {
    /// Every rule, the loosest first.
    pub const ALL: [Rule; 5] = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroExact];

    /// The stable key, as in `gomoku/freestyle`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
            Rule::Caro => "caro",
            Rule::CaroExact => "caro-exact",
        }
    }

    /// The rule of that key.
    ///
    /// ```
    /// use gomoku::Rule;
    ///
    /// assert_eq!(Rule::keyed("caro-exact"), Some(Rule::CaroExact));
    /// assert_eq!(Rule::keyed("go"), None);
    /// ```
    #[must_use]
    pub fn keyed(key: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.key() == key)
    }

    /// The rule's number in the Piskvork protocol, a sum of bits: 1 exactly five, 4 renju, 8 caro.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 4,
            Rule::Caro => 8,
            Rule::CaroExact => 9,
        }
    }

    /// The rule of that number.
    ///
    /// ```
    /// use gomoku::Rule;
    ///
    /// assert_eq!(Rule::numbered(4), Some(Rule::Renju));
    /// assert!(Rule::ALL.into_iter().all(|rule| Rule::numbered(rule.number()) == Some(rule)));
    /// ```
    #[must_use]
    pub fn numbered(number: u8) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.number() == number)
    }

    /// Files and ranks of the usual board: 20 in the classic console and Gomocup's freestyle league, 15 where
    /// the length of a row matters.
    ///
    /// ```
    /// use gomoku::Rule;
    ///
    /// assert_eq!((Rule::Freestyle.usual_side(), Rule::Renju.usual_side()), (20, 15));
    /// ```
    #[must_use]
    pub const fn usual_side(self) -> u8 {
        match self {
            Rule::Freestyle => 20,
            Rule::Standard | Rule::Renju | Rule::Caro | Rule::CaroExact => 15,
        }
    }
}
