//! The rules of Jingbanqi (精班棋): games that their players write as .xlsx maps.
//!
//! A map has three sheets: the pieces and how they move, the board, and three switches. [`sheet::read`] turns a
//! stranger's bytes into a [`Map`] or says everything that is wrong with them; [`Rulebook`] works out where each
//! rule leads from each square; [`Jingbanqi`] plays. The rules are told in `docs/rules/jingbanqi.md`.
//!
//! Reading order: [`rule`] (the little language of rules), [`rulebook`] (what a map is), [`sheet`] (reading one),
//! [`draft`] (checking one that is being written), `place` and `compiled` (making it fast), [`position`] (playing),
//! [`api`], [`extension`] and [`limits`] (what users' code may ask, change and take), [`terms`] and [`live`] (playing where users' code has a say),
//! [`walk`] (random games that they play out), [`level2`] (the larger language beside it), [`notation`] (text and picture), [`words`] (pieces explained to players), [`show`] (a map in a terminal).

pub mod api;
mod compiled;
pub mod draft;
pub mod extension;
mod known;
pub mod level2;
pub mod limits;
pub mod live;
pub mod notation;
mod place;
pub mod position;
mod reason;
pub mod rule;
pub mod rulebook;
pub mod sheet;
pub mod show;
pub mod terms;
pub mod walk;
pub mod words;

pub use compiled::Rulebook;
pub use draft::{Draft, DraftKind};
pub use position::{Jingbanqi, Move, Standing};
pub use rulebook::{Map, PieceKind, Value};
pub use sheet::{Reading, read, read_with_secrets};
