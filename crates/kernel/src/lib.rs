//! The types and traits all games share; it has no game of its own and does no I/O.
//!
//! A game is a [`Position`] that lists its moves and plays one; everything else is built on that.
//! Inside, moves are small copyable values; at every border, moves are text.
//!
//! Reading order: [`position`] (one trait), [`game`] (a position with its past), [`notation`] (text and
//! picture), [`mod@any`] (games chosen at run time), [`view`] (what clients draw), [`numbers`] (what
//! learners see), then [`perft`] and [`laws`], the
//! instruments, and [`threads`] (work shared out).
//!
//! Most examples play noughts and crosses: `Noughts`, from `tests/doc/noughts.rs`, is a position of it, and
//! `"....x...."` the FEN of a cross in the middle, which is cell 4 and called `b2`.
//!
//! The feature `serde` gives what clients draw its JSON, the feature `schema` its TypeScript and OpenAPI types.

pub mod any;
pub mod game;
pub mod laws;
pub mod notation;
pub mod numbers;
pub mod perft;
pub mod position;
pub mod problem;
pub mod threads;
pub mod view;

pub use any::{AnyGame, PlayError, any, any_at, by_lot};
pub use game::Game;
pub use notation::{
    Board, Button, Cell, Counter, Decor, Diagram, Dirs, Fact, HandPiece, Lines, Mark, Names, NamesKind,
    Notation, Piece, Prompt, Ruling, Terrain,
};
pub use position::{ByChance, Eyes, MOST_OUTCOMES, Outcome, Position, Reason, Side};
pub use problem::Problem;
pub use view::{MoveView, Offered, View};
