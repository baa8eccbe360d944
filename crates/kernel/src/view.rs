//! All a client needs in order to draw a position and to offer its moves. Plain data; the rules fill it in, clients read
//! it, and nobody keeps a copy of these types.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use crate::Side;
use crate::notation::{Button, Cell, Counter, Dirs, Mark, Piece, Prompt, Ruling};

/// All a client needs in order to draw a position and to offer its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct View {
    /// The side to move.
    pub turn: Side,
    /// By rising cell.
    pub pieces: Vec<Piece>,
    /// What the rules mark.
    pub marks: Vec<Mark>,
    /// Where pieces may turn to, by rising cell, in games whose pieces show it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<Dirs>>"))]
    pub dirs: Vec<Dirs>,
    /// What may be played.
    pub moves: Offered,
    /// Moves that are pressed, legal or not.
    pub buttons: Vec<Button>,
    /// What is asked.
    pub prompt: Option<Prompt>,
    /// Cells the last move ended on.
    pub last: Vec<Cell>,
    /// Cells of the last move in the order they were touched, when there were several.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<Cell>>"))]
    pub trail: Vec<Cell>,
    /// Counts towards a draw or a limit.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<Counter>>"))]
    pub counters: Vec<Counter>,
    /// What binds the side to move, for someone who tries something else: the messages `note-<key>`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<Problem>>"))]
    pub notes: Vec<Problem>,
    /// What the position is known as: the message `caption-<key>`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub caption: Option<Problem>,
    /// True when the first player has what the second usually has, colour included.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<bool>"))]
    pub swapped: bool,
    /// Whose a piece is that is put now, where that is not the side to move.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub puts: Option<Side>,
    /// Whether the last ply may be taken back by its own side without asking.
    pub withdraws: bool,
    /// How the rules ended the game.
    pub outcome: Option<Outcome>,
    /// Why a repetition ended it so.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub ruling: Option<Ruling>,
}

/// What may be played.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "serde", serde(untagged))]
pub enum Offered {
    /// `"empty"`: every empty cell, named as the cell is.
    Every(Every),
    /// Just these; none once the game is over.
    Listed(Vec<MoveView>),
}

/// See [`Offered::Every`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Every {
    /// Every empty cell.
    Empty,
}

/// One legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct MoveView {
    /// What to send to play it.
    pub text: String,
    /// Cells to touch, in order; empty for a button.
    pub path: Vec<Cell>,
    /// Pieces that would move: from and to.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<(Cell, Cell)>>"))]
    pub shifts: Vec<(Cell, Cell)>,
    /// Set when the move loses at once by the mover's own doing: a reason key.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub warning: Option<Cow<'static, str>>,
}

/// How a game ended, as clients are told. Tables have ends that no rules know, so the reason may be any text;
/// [`crate::Outcome`] is what rules say.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Outcome {
    /// `null`: a draw, or void.
    pub winner: Option<Side>,
    /// Stable key: the message `reason-<reason>`.
    pub reason: Cow<'static, str>,
    /// True when the game counts for nobody.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<bool>"))]
    pub void: bool,
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_false(b: &bool) -> bool {
    !*b
}

impl From<crate::Outcome> for Outcome {
    fn from(o: crate::Outcome) -> Self {
        let void = matches!(o, crate::Outcome::Void(_));
        Outcome { winner: o.winner(), reason: o.reason().into(), void }
    }
}

/// A [`crate::Problem`] as clients are told, with a key of any origin: the message `problem-<key>` with
/// `args`. Where the rules speak, the message is `note-<key>`, `caption-<key>` or `ruling-<key>`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Problem {
    /// A stable kebab-case key.
    pub key: Cow<'static, str>,
    /// The facts, by argument name.
    #[cfg_attr(feature = "serde", serde(default))]
    pub args: BTreeMap<String, String>,
}

/// For logs and developers; people get the sentence.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)?;
        self.args.iter().try_for_each(|(name, value)| write!(f, " {name}={value:?}"))
    }
}

impl From<crate::Problem> for Problem {
    fn from(p: crate::Problem) -> Self {
        let args = p.args.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Problem { key: p.key.into(), args }
    }
}
