//! Views of a position (the kernel's own types), and patches that turn one view into the next.

pub use kernel::view::{Every, MoveView, Offered, Outcome, Problem, View};
pub use kernel::{
    Board, Button, Counter, Decor, Dirs, HandPiece, Lines, Mark, Names, NamesKind, Piece, Prompt, Ruling,
    Side, Terrain,
};
use serde::{Deserialize, Deserializer, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// Generates a patch struct, the function that makes it and the function that applies it, from a list of the view's
/// fields that are set as a whole. A field that can be `null` needs [`present`], and a declaration for OpenAPI and
/// TypeScript.
macro_rules! patch {
    (
        { $($(#[$first_meta:meta])* $first:ident: [$($first_type:tt)+],)+ }
        pieces
        { $($(#[$meta:meta])* $field:ident: [$($type:tt)+],)+ }
    ) => {
        /// The changes from one view to the next. Fields that did not change are absent.
        #[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
        #[serde(default)]
        #[ts(optional_fields)]
        pub struct Patch {
            $($(#[$first_meta])*
            #[serde(skip_serializing_if = "Option::is_none")]
            pub $first: Option<$($first_type)+>,)+
            /// Cells that are now empty. Applied before `put`.
            #[serde(skip_serializing_if = "Vec::is_empty")]
            #[ts(as = "Option<Vec<u16>>")]
            pub gone: Vec<u16>,
            /// Pieces that now stand where they did not.
            #[serde(skip_serializing_if = "Vec::is_empty")]
            #[ts(as = "Option<Vec<Piece>>")]
            pub put: Vec<Piece>,
            $($(#[$meta])*
            #[serde(skip_serializing_if = "Option::is_none")]
            pub $field: Option<$($type)+>,)+
        }

        impl Patch {
            /// Returns the changes between two views of one game; `after` = `before` with the patch
            /// [applied](Patch::apply).
            #[must_use]
            pub fn between(before: &View, after: &View) -> Patch {
                fn changed<T: PartialEq + Clone>(a: &T, b: &T) -> Option<T> {
                    (a != b).then(|| b.clone())
                }
                let (gone, put) = moved(&before.pieces, &after.pieces);
                Patch {
                    gone,
                    put,
                    $($first: changed(&before.$first, &after.$first),)+
                    $($field: changed(&before.$field, &after.$field),)+
                }
            }

            /// Sets the fields of the view that are replaced as a whole.
            fn set(&self, view: &mut View) {
                fn set<T: Clone>(slot: &mut T, new: &Option<T>) {
                    if let Some(new) = new {
                        slot.clone_from(new);
                    }
                }
                // A field of the view that is missing in the list does not compile.
                let View { pieces: _, $($first,)+ $($field,)+ } = view;
                $(set($first, &self.$first);)+
                $(set($field, &self.$field);)+
            }
        }
    };
}

patch! {
    {
    /// The side to move.
    turn: [Side],
    }
    pieces
    {
    /// All marks, replacing those before.
    marks: [Vec<Mark>],
    /// The legal destinations of all pieces, replacing those before.
    dirs: [Vec<Dirs>],
    /// All pieces in hands, replacing those before.
    hands: [Vec<HandPiece>],
    /// All legal moves, replacing those before.
    moves: [Offered],
    /// All buttons, replacing those before.
    buttons: [Vec<Button>],
    /// The prompt; `null`: there is none any more.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<Prompt>)]
    #[ts(as = "Option<Option<Prompt>>", optional)]
    prompt: [Option<Prompt>],
    /// The cells on which the last move ended.
    last: [Vec<u16>],
    /// The cells of the last move in order.
    trail: [Vec<u16>],
    /// All counters, replacing those before.
    counters: [Vec<Counter>],
    /// All notes, replacing those before.
    notes: [Vec<Problem>],
    /// The name of the position; `null`: none.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<Problem>)]
    #[ts(as = "Option<Option<Problem>>", optional)]
    caption: [Option<Problem>],
    /// True if the players have exchanged colours.
    swapped: [bool],
    /// The side whose piece is placed now; `null`: that of the side to move.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<Side>)]
    #[ts(as = "Option<Option<Side>>", optional)]
    puts: [Option<Side>],
    /// True if the last ply may be withdrawn.
    withdraws: [bool],
    /// The ruling on the repetition that ended the game; `null`: there is none.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<Ruling>)]
    #[ts(as = "Option<Option<Ruling>>", optional)]
    ruling: [Option<Ruling>],
    /// The outcome by the rules; `null`: the game continues.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<Outcome>)]
    #[ts(as = "Option<Option<Outcome>>", optional)]
    outcome: [Option<Outcome>],
    }
}

/// Deserializes a field so that `null` differs from an absent field: a present `null` is `Some(None)`.
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    d: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(d).map(Some)
}

impl Patch {
    /// Applies the patch to `view`, which becomes the next view.
    pub fn apply(&self, view: &mut View) {
        let leaves = |p: &Piece| self.gone.contains(&p.at) || self.put.iter().any(|q| q.at == p.at);
        view.pieces.retain(|p| !leaves(p));
        view.pieces.extend(self.put.iter().cloned());
        view.pieces.sort_by_key(|p| p.at);
        self.set(view);
    }

    /// Returns true if nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Patch::default()
    }
}

/// Returns the cells that became empty and the pieces that are new, by merging two lists sorted by cell.
fn moved(before: &[Piece], after: &[Piece]) -> (Vec<u16>, Vec<Piece>) {
    let (mut gone, mut put) = (Vec::new(), Vec::new());
    let (mut old, mut new) = (before.iter().peekable(), after.iter().peekable());
    loop {
        match (old.peek(), new.peek()) {
            (None, None) => return (gone, put),
            (Some(o), n) if n.is_none_or(|n| o.at < n.at) => {
                gone.push(o.at);
                old.next();
            }
            (Some(o), Some(n)) if o.at == n.at => {
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
