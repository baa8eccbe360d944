//! All a client needs in order to draw a position and to offer its moves. Plain data; the rules fill it in, clients
//! read it, and no client keeps a copy of these types.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use crate::Side;
use crate::notation::{Button, Cell, Counter, Dirs, HandPiece, Mark, Piece, Prompt, Ruling};

/// All a client needs in order to draw a position and to offer its moves.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// let view = kernel::any_at(Noughts::default(), Some("xxxoo...."))?.view();
/// assert_eq!(view.pieces.len(), 5);
/// assert_eq!(view.outcome.map(|outcome| outcome.reason), Some("three-in-a-row".into()));
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct View {
    /// The side to move.
    pub turn: Side,
    /// The pieces, by rising cell.
    pub pieces: Vec<Piece>,
    /// The cells the rules mark, such as a check or the winning line.
    pub marks: Vec<Mark>,
    /// The directions pieces may turn to, by rising cell, in games whose pieces show it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<Dirs>>"))]
    pub dirs: Vec<Dirs>,
    /// The pieces in the hands of both players, in a stable order, in games with hands.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<HandPiece>>"))]
    pub hands: Vec<HandPiece>,
    /// The moves that may be played now.
    pub moves: Offered,
    /// Moves that are pressed as buttons, legal or not.
    pub buttons: Vec<Button>,
    /// The task of the side to move, where it is not plain.
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
    /// The rules that bind the side to move, for a player who tries another move: the messages `note-<key>`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<Problem>>"))]
    pub notes: Vec<Problem>,
    /// The name the position is known by: the message `caption-<key>`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub caption: Option<Problem>,
    /// True if the players have exchanged roles: the first has what the second usually has, colour included.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<bool>"))]
    pub swapped: bool,
    /// The side that a piece put now belongs to, where that is not the side to move.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub puts: Option<Side>,
    /// True if the side that played the last ply may take it back without asking.
    pub withdraws: bool,
    /// The outcome, once the rules have ended the game.
    pub outcome: Option<Outcome>,
    /// The reasons for the verdict, where a repetition ended the game.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub ruling: Option<Ruling>,
}

/// The moves that may be played now.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// use kernel::{Offered, view::Every};
///
/// let open = kernel::any(Noughts::default());
/// assert_eq!(open.view().moves, Offered::Every(Every::Empty));
/// let over = kernel::any_at(Noughts::default(), Some("xxxoo...."))?;
/// assert_eq!(over.view().moves, Offered::Listed(Vec::new()));
/// # Ok::<(), kernel::Problem>(())
/// ```
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
    /// The move text to send to play it.
    pub text: String,
    /// Cells to touch, in order; empty for a button.
    pub path: Vec<Cell>,
    /// Pieces that would move: from and to.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<Vec<(Cell, Cell)>>"))]
    pub shifts: Vec<(Cell, Cell)>,
    /// The piece to be picked, where moves share their path: of those in the hand if the path has one cell, else of
    /// those that the moved piece may become.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub pick: Option<String>,
    /// The face of the picked piece, as in [`Piece`]; absent if the choice is a word.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub face: Option<Cow<'static, str>>,
    /// Set when the move loses at once by the mover's own doing: a reason key.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub warning: Option<Cow<'static, str>>,
}

/// The end of a game, as clients are told. Tables have ends that no rules know, so the reason may be any text;
/// [`crate::Outcome`] is what rules say.
///
/// ```
/// use kernel::{Outcome, Side, view};
///
/// let told = view::Outcome::from(Outcome::Win(Side::Second, "five"));
/// assert_eq!((told.winner, told.reason.as_ref(), told.void), (Some(Side::Second), "five", false));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Outcome {
    /// `null`: a draw, or void.
    pub winner: Option<Side>,
    /// Stable key: the message `reason-<reason>`.
    pub reason: Cow<'static, str>,
    /// True if the game counts for neither player.
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

/// A [`crate::Problem`] as clients receive it, with a key of any origin: the message `problem-<key>` with `args`.
/// Where the rules speak, the message is `note-<key>`, `caption-<key>` or `ruling-<key>`.
///
/// ```
/// use kernel::{Problem, view};
///
/// let problem = view::Problem::from(Problem::new("cell-filled").with("move", "b2"));
/// assert_eq!(problem.args["move"], "b2");
/// ```
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

/// The text for logs and developers; people get the sentence.
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
