//! What is on the board, and what may be done; and how one view becomes the next.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// One of the two players, in order of moving.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Moves first in the usual start.
    First,
    /// Moves second in the usual start.
    Second,
}

impl From<kernel::Side> for Side {
    fn from(side: kernel::Side) -> Self {
        match side {
            kernel::Side::First => Side::First,
            kernel::Side::Second => Side::Second,
        }
    }
}

impl From<Side> for kernel::Side {
    fn from(side: Side) -> Self {
        match side {
            Side::First => kernel::Side::First,
            Side::Second => kernel::Side::Second,
        }
    }
}

/// Squares or crossings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Lines {
    /// Pieces stand in squares.
    Cells,
    /// Pieces stand on crossings.
    Points,
}

/// How places are called: a letter for the file and a number for the rank, or just a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Names {
    /// `letters-up`: ranks count from the bottom; `letters-down`: from the top; `numbers`: the places that are no
    /// gaps are numbered row by row from the top left.
    pub kind: NamesKind,
    /// The number of the rank, or of the place, where counting begins.
    pub first: u8,
}

/// Which way ranks count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NamesKind {
    /// From the bottom.
    LettersUp,
    /// From the top.
    LettersDown,
    /// Places are numbered.
    Numbers,
    /// Row and column from the top left, from 1: `3,4`.
    Pairs,
}

/// Something drawn on a board that has no say in the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Decor {
    /// The lines of the inner files stop between this row from the top, from 0, and the next.
    River {
        /// The row above it.
        after_row: u8,
    },
    /// A straight line between two places.
    Line {
        /// The cell where the line begins.
        from: u16,
        /// The cell where the line ends.
        to: u16,
    },
    /// Corner marks around a place.
    Station {
        /// The cell to be marked.
        at: u16,
    },
}

impl From<kernel::Decor> for Decor {
    fn from(decor: kernel::Decor) -> Self {
        match decor {
            kernel::Decor::River { after_row } => Decor::River { after_row },
            kernel::Decor::Line { from, to } => Decor::Line { from, to },
            kernel::Decor::Station(at) => Decor::Station { at },
        }
    }
}

/// The part of the picture that never changes during a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Board {
    /// Squares or crossings.
    pub lines: Lines,
    /// Number of columns.
    pub files: u8,
    /// Number of rows.
    pub ranks: u8,
    /// How places are called.
    pub names: Names,
    /// Cells to be dotted.
    pub stars: Vec<u16>,
    /// Cells that are no places of the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<u16>>")]
    pub gaps: Vec<u16>,
    /// What else is drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Decor>>")]
    pub decor: Vec<Decor>,
}

impl From<kernel::Board> for Board {
    fn from(b: kernel::Board) -> Self {
        let names = match b.names {
            kernel::Names::LettersUp { first } => Names { kind: NamesKind::LettersUp, first },
            kernel::Names::LettersDown { first } => Names { kind: NamesKind::LettersDown, first },
            kernel::Names::Numbers => Names { kind: NamesKind::Numbers, first: 1 },
            kernel::Names::Pairs => Names { kind: NamesKind::Pairs, first: 1 },
        };
        let lines = match b.lines {
            kernel::Lines::Cells => Lines::Cells,
            kernel::Lines::Points => Lines::Points,
        };
        let decor = b.decor.into_iter().map(Decor::from).collect();
        Board { lines, files: b.files, ranks: b.ranks, names, stars: b.stars, gaps: b.gaps, decor }
    }
}

/// Cell, owner (`null`: nobody) and face: `[112,"first","stone"]`. A cell is a number: row by row from the
/// top left as the first player sees the board, from 0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Piece(pub u16, pub Option<Side>, pub Cow<'static, str>);

/// Where a piece may turn to: its cell, one step, any distance, and only where there are any, the directions that the
/// game gives a meaning of its own: `[24,90,0]`, `[24,90,0,[0,66]]`. In Jingbanqi these are shield, prohibition, jump
/// over a prohibition and pass through prohibitions. Directions are bits, the lowest first: up left, up, up right, left,
/// right, down left, down, down right, as the first player sees the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[ts(type = "[number, number, number, number[]?]")]
pub struct Dirs(
    pub u16,
    pub u8,
    pub u8,
    #[serde(default, skip_serializing_if = "Vec::is_empty")] pub Vec<u8>,
);

/// Cells marked for a reason, such as `winning-line` or `chosen`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Mark {
    /// What the mark means: the message `mark-<kind>`.
    pub kind: Cow<'static, str>,
    /// The marked cells.
    pub cells: Vec<u16>,
}

/// What may be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(untagged)]
pub enum Offered {
    /// `"empty"`: every empty cell, named as the cell is.
    Every(Every),
    /// Just these; none once the game is over.
    Listed(Vec<MoveView>),
}

/// See [`Offered::Every`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Every {
    /// Every empty cell.
    Empty,
}

/// One legal move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MoveView {
    /// What to send to play it.
    pub text: String,
    /// Cells to touch, in order; empty for a button.
    pub path: Vec<u16>,
    /// Pieces that would move: from and to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<(u16, u16)>>")]
    pub shifts: Vec<(u16, u16)>,
    /// Set when the move loses at once by the mover's own doing: a reason key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub warning: Option<Cow<'static, str>>,
}

/// A move that is pressed. It is legal exactly when `moves` has its text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Button {
    /// The move text.
    pub text: Cow<'static, str>,
    /// Its name: the message `button-<name>`.
    pub name: Cow<'static, str>,
    /// Keyboard key, such as `ArrowUp`.
    pub key: Cow<'static, str>,
    /// What is in the way, when it is not legal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<u16>>")]
    pub blockers: Vec<u16>,
    /// Where pieces would go: from and to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<(u16, u16)>>")]
    pub shifts: Vec<(u16, u16)>,
}

/// What is asked of the side to move: the message `prompt-<key>`, step `step` of `of`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Prompt {
    /// The message `prompt-<key>`.
    pub key: Cow<'static, str>,
    /// Number of this step, from 1.
    pub step: u8,
    /// Steps in a turn.
    pub of: u8,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Outcome {
    /// `null`: a draw, or void.
    pub winner: Option<Side>,
    /// Stable key: the message `reason-<reason>`.
    pub reason: Cow<'static, str>,
    /// True when the game counts for nobody.
    #[serde(default, skip_serializing_if = "is_false")]
    #[ts(optional, as = "Option<bool>")]
    pub void: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_false(b: &bool) -> bool {
    !*b
}

impl From<kernel::Outcome> for Outcome {
    fn from(o: kernel::Outcome) -> Self {
        let void = matches!(o, kernel::Outcome::Void(_));
        Outcome { winner: o.winner().map(Side::from), reason: o.reason().into(), void }
    }
}

/// A count towards a draw or a limit: the message `counter-<key>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Counter {
    /// A stable kebab-case key.
    pub key: Cow<'static, str>,
    /// Whose; `null`: everybody's.
    pub side: Option<Side>,
    /// How far it has come.
    pub now: u32,
    /// Where it ends the game.
    pub limit: u32,
}

impl From<kernel::Counter> for Counter {
    fn from(c: kernel::Counter) -> Self {
        Counter { key: c.key.into(), side: c.side.map(Side::from), now: c.now, limit: c.limit }
    }
}

/// Why a repetition was judged as it was.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Ruling {
    /// The reasons in order: the messages `ruling-<key>`.
    pub notes: Vec<Problem>,
    /// The pieces it is about, where they stand now.
    pub marks: Vec<Mark>,
    /// Plies of the record, from 0, and their kind: the message `ply-<kind>`.
    pub plies: Vec<(u32, Cow<'static, str>)>,
}

impl From<kernel::Ruling> for Ruling {
    fn from(r: kernel::Ruling) -> Self {
        let ply = |(ply, kind): (usize, &'static str)| (u32::try_from(ply).unwrap_or(u32::MAX), kind.into());
        Ruling {
            notes: r.notes.into_iter().map(Problem::from).collect(),
            marks: r.marks.into_iter().map(Mark::from).collect(),
            plies: r.plies.into_iter().map(ply).collect(),
        }
    }
}

/// A complaint about what a client sent: the message `problem-<key>` with `args`. Where the rules speak, the
/// message is `note-<key>`, `caption-<key>` or `ruling-<key>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Problem {
    /// A stable kebab-case key.
    pub key: Cow<'static, str>,
    /// The facts, by argument name.
    #[serde(default)]
    pub args: std::collections::BTreeMap<String, String>,
}

impl From<kernel::Problem> for Problem {
    fn from(p: kernel::Problem) -> Self {
        let args = p.args.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Problem { key: p.key.into(), args }
    }
}

/// All a client needs in order to draw a position and to offer its moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct View {
    /// The side to move.
    pub turn: Side,
    /// By rising cell.
    pub pieces: Vec<Piece>,
    /// What the rules mark.
    pub marks: Vec<Mark>,
    /// Where pieces may turn to, by rising cell, in games whose pieces show it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Dirs>>")]
    pub dirs: Vec<Dirs>,
    /// What may be played.
    pub moves: Offered,
    /// Moves that are pressed, legal or not.
    pub buttons: Vec<Button>,
    /// What is asked.
    pub prompt: Option<Prompt>,
    /// Cells the last move ended on.
    pub last: Vec<u16>,
    /// Cells of the last move in the order they were touched, when there were several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<u16>>")]
    pub trail: Vec<u16>,
    /// Counts towards a draw or a limit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Counter>>")]
    pub counters: Vec<Counter>,
    /// What binds the side to move, for someone who tries something else: the messages `note-<key>`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Problem>>")]
    pub notes: Vec<Problem>,
    /// What the position is known as: the message `caption-<key>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub caption: Option<Problem>,
    /// True when the first player has what the second usually has, colour included.
    #[serde(default, skip_serializing_if = "is_false")]
    #[ts(optional, as = "Option<bool>")]
    pub swapped: bool,
    /// Whose a piece is that is put now, where that is not the side to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub puts: Option<Side>,
    /// Whether the last ply may be taken back by its own side without asking.
    pub withdraws: bool,
    /// How the rules ended the game.
    pub outcome: Option<Outcome>,
    /// Why a repetition ended it so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ruling: Option<Ruling>,
}

impl From<kernel::Dirs> for Dirs {
    fn from(d: kernel::Dirs) -> Self {
        Dirs(d.at, d.near, d.far, d.more)
    }
}

impl From<kernel::Mark> for Mark {
    fn from(m: kernel::Mark) -> Self {
        Mark { kind: m.kind.into(), cells: m.cells }
    }
}

impl From<kernel::View> for View {
    fn from(v: kernel::View) -> Self {
        let piece = |p: kernel::Piece| Piece(p.at, p.owner.map(Side::from), p.face);
        let button = |b: kernel::Button| Button {
            text: b.text,
            name: b.name.into(),
            key: b.key.into(),
            blockers: b.blockers,
            shifts: b.shifts,
        };
        let moves = match v.moves {
            kernel::Offered::EmptyCells => Offered::Every(Every::Empty),
            kernel::Offered::Listed(list) => Offered::Listed(list.into_iter().map(MoveView::from).collect()),
        };
        View {
            turn: v.turn.into(),
            pieces: v.diagram.pieces.into_iter().map(piece).collect(),
            marks: v.diagram.marks.into_iter().map(Mark::from).collect(),
            dirs: v.dirs.into_iter().map(Dirs::from).collect(),
            moves,
            buttons: v.buttons.into_iter().map(button).collect(),
            prompt: v.prompt.map(|p| Prompt { key: p.key.into(), step: p.step, of: p.of }),
            last: v.last,
            trail: v.trail,
            counters: v.counters.into_iter().map(Counter::from).collect(),
            notes: v.notes.into_iter().map(Problem::from).collect(),
            caption: v.caption.map(Problem::from),
            swapped: v.swapped,
            puts: (v.puts != v.turn).then(|| v.puts.into()),
            withdraws: v.withdraws,
            outcome: v.outcome.map(Outcome::from),
            ruling: v.ruling.map(Ruling::from),
        }
    }
}

impl From<kernel::MoveView> for MoveView {
    fn from(m: kernel::MoveView) -> Self {
        MoveView { text: m.text, path: m.path, shifts: m.shifts, warning: m.warning.map(Cow::from) }
    }
}

/// What changed from one view to the next. Fields that did not change are absent.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(default)]
#[ts(optional_fields)]
pub struct Patch {
    /// The side to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<Side>,
    /// Cells that are now empty. Applied before `put`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<u16>>")]
    pub gone: Vec<u16>,
    /// Pieces that now stand where they did not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Piece>>")]
    pub put: Vec<Piece>,
    /// All marks, replacing those before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marks: Option<Vec<Mark>>,
    /// Where all pieces may turn to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dirs: Option<Vec<Dirs>>,
    /// All legal moves, replacing those before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Offered>,
    /// All buttons, replacing those before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buttons: Option<Vec<Button>>,
    /// The prompt; `null`: no longer any.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schema(value_type = Option<Prompt>)]
    #[ts(as = "Option<Option<Prompt>>", optional)]
    pub prompt: Option<Option<Prompt>>,
    /// Cells the last move ended on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Vec<u16>>,
    /// Cells of the last move in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trail: Option<Vec<u16>>,
    /// All counters, replacing those before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counters: Option<Vec<Counter>>,
    /// All notes, replacing those before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<Vec<Problem>>,
    /// What the position is known as; `null`: nothing.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schema(value_type = Option<Problem>)]
    #[ts(as = "Option<Option<Problem>>", optional)]
    pub caption: Option<Option<Problem>>,
    /// Whether the players have each other's colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swapped: Option<bool>,
    /// Whose a piece is that is put now; `null`: the side to move's.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schema(value_type = Option<Side>)]
    #[ts(as = "Option<Option<Side>>", optional)]
    pub puts: Option<Option<Side>>,
    /// Whether the last ply may be withdrawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdraws: Option<bool>,
    /// Why a repetition ended the game; `null`: none did.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schema(value_type = Option<Ruling>)]
    #[ts(as = "Option<Option<Ruling>>", optional)]
    pub ruling: Option<Option<Ruling>>,
    /// How the rules ended the game; `null`: it goes on again.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schema(value_type = Option<Outcome>)]
    #[ts(as = "Option<Option<Outcome>>", optional)]
    pub outcome: Option<Option<Outcome>>,
}

/// Tells `null` from absent: a present `null` is `Some(None)`.
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    d: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(d).map(Some)
}

impl Patch {
    /// What changed between two views of one game; `after` = `before` with the patch [applied](Patch::apply).
    #[must_use]
    pub fn between(before: &View, after: &View) -> Patch {
        fn changed<T: PartialEq + Clone>(a: &T, b: &T) -> Option<T> {
            (a != b).then(|| b.clone())
        }
        let (gone, put) = moved(&before.pieces, &after.pieces);
        Patch {
            turn: changed(&before.turn, &after.turn),
            gone,
            put,
            marks: changed(&before.marks, &after.marks),
            dirs: changed(&before.dirs, &after.dirs),
            moves: changed(&before.moves, &after.moves),
            buttons: changed(&before.buttons, &after.buttons),
            prompt: changed(&before.prompt, &after.prompt),
            last: changed(&before.last, &after.last),
            trail: changed(&before.trail, &after.trail),
            counters: changed(&before.counters, &after.counters),
            notes: changed(&before.notes, &after.notes),
            caption: changed(&before.caption, &after.caption),
            swapped: changed(&before.swapped, &after.swapped),
            puts: changed(&before.puts, &after.puts),
            ruling: changed(&before.ruling, &after.ruling),
            withdraws: changed(&before.withdraws, &after.withdraws),
            outcome: changed(&before.outcome, &after.outcome),
        }
    }

    /// Makes `view` the next one.
    pub fn apply(&self, view: &mut View) {
        fn set<T: Clone>(slot: &mut T, new: &Option<T>) {
            if let Some(new) = new {
                slot.clone_from(new);
            }
        }
        let leaves = |p: &Piece| self.gone.contains(&p.0) || self.put.iter().any(|q| q.0 == p.0);
        view.pieces.retain(|p| !leaves(p));
        view.pieces.extend(self.put.iter().cloned());
        view.pieces.sort_by_key(|p| p.0);
        set(&mut view.turn, &self.turn);
        set(&mut view.marks, &self.marks);
        set(&mut view.dirs, &self.dirs);
        set(&mut view.moves, &self.moves);
        set(&mut view.buttons, &self.buttons);
        set(&mut view.prompt, &self.prompt);
        set(&mut view.last, &self.last);
        set(&mut view.trail, &self.trail);
        set(&mut view.counters, &self.counters);
        set(&mut view.notes, &self.notes);
        set(&mut view.caption, &self.caption);
        set(&mut view.swapped, &self.swapped);
        set(&mut view.puts, &self.puts);
        set(&mut view.ruling, &self.ruling);
        set(&mut view.withdraws, &self.withdraws);
        set(&mut view.outcome, &self.outcome);
    }

    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Patch::default()
    }
}

/// Cells that became empty and pieces that are new, by merging two lists that rise by cell.
fn moved(before: &[Piece], after: &[Piece]) -> (Vec<u16>, Vec<Piece>) {
    let (mut gone, mut put) = (Vec::new(), Vec::new());
    let (mut old, mut new) = (before.iter().peekable(), after.iter().peekable());
    loop {
        match (old.peek(), new.peek()) {
            (None, None) => return (gone, put),
            (Some(o), n) if n.is_none_or(|n| o.0 < n.0) => {
                gone.push(o.0);
                old.next();
            }
            (Some(o), Some(n)) if o.0 == n.0 => {
                if o != n {
                    put.push((*n).clone());
                }
                old.next();
                new.next();
            }
            (_, Some(n)) => {
                put.push((*n).clone());
                new.next();
            }
            (Some(_), None) => unreachable!("an old piece without a new one was taken above"),
        }
    }
}
