//! Our own engine, for every game of the catalogue: text in, text out.
//!
//! Each family of games has its evaluation in a crate of its own, `eval-xiangqi` and its neighbours; [`FAMILIES`]
//! lists them. The parts that all engines share are in `engine_core`, foreign engines are in `external`, and `served`
//! offers an engine to other programs.
//!
//! Reading order: [`native`], then [`trial`] (test games of the engine on a user's map) and [`choosing`] (the match that
//! chooses its search).

pub mod choosing;
pub mod learned;
pub mod native;
pub mod trial;

pub use engine_core::{
    Bound, Chances, Clock, Engine, Evaluation, Family, Info, Level, Limits, Method, Stop, Task, Worth, level,
    task,
};
pub use native::Native;
pub use search::TranspositionTable;

/// The families of games that our engine plays.
///
/// ```
/// let keys = engine::FAMILIES.map(|family| family.key);
/// assert!(keys.contains(&"draughts") && keys.contains(&"jingbanqi"));
/// ```
pub const FAMILIES: [Family; 5] = [
    eval_locked::FAMILY,
    eval_gomoku::FAMILY,
    eval_xiangqi::FAMILY,
    eval_jingbanqi::FAMILY,
    eval_draughts::FAMILY,
];

/// Returns the family with that key; `None` for a family that our engine does not play.
///
/// ```
/// assert_eq!(engine::family("xiangqi").map(|family| family.key), Some("xiangqi"));
/// assert!(engine::family("chess").is_none());
/// ```
#[must_use]
pub fn family(key: &str) -> Option<Family> {
    FAMILIES.into_iter().find(|family| family.key == key)
}
