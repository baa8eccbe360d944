//! Our own engine, for every game of the catalogue: text in, text out.
//!
//! How a family of games is judged stands in a crate of its own, `eval-xiangqi` and its neighbours; [`FAMILIES`] is the
//! list of them. What engines share is in `engine_core`, programs of others are in `external`, and `served` offers an
//! engine to other programs.
//!
//! Reading order: [`native`], then [`trial`] (games of the engine on somebody's map).

pub mod learned;
pub mod native;
pub mod trial;

pub use engine_core::{
    Bound, Chances, Clock, Engine, Evaluation, Family, Info, Level, Limits, Stop, Task, Worth, level, task,
};
pub use native::Native;
pub use search::TranspositionTable;

/// The families of games that our engine plays.
pub const FAMILIES: [Family; 5] = [
    eval_locked::FAMILY,
    eval_gomoku::FAMILY,
    eval_xiangqi::FAMILY,
    eval_jingbanqi::FAMILY,
    eval_draughts::FAMILY,
];

/// The parts that the family of that key hands to the engine; `None` for a family that our engine does not play.
#[must_use]
pub fn family(key: &str) -> Option<Family> {
    FAMILIES.into_iter().find(|family| family.key == key)
}
