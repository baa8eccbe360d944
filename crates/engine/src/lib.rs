//! Players that are programs: text in, text out.
//!
//! An [`Engine`] is given a position as a start and moves, and says its move. [`native`] is our own search behind that
//! trait; what a good position looks like is told by one room a game: [`xiangqi`], [`draughts`], [`gomoku`],
//! [`locked`], [`jingbanqi`].
//!
//! Reading order: [`task`] (what is asked and told), [`level`] (how to play more weakly), [`native`], then a game.

pub mod draughts;
pub mod gomoku;
pub mod external;
pub mod jingbanqi;
pub mod learned;
pub mod level;
pub mod locked;
pub mod native;
pub mod ruleset;
pub mod served;
pub mod task;
pub mod tongue;
pub mod trial;
pub mod xiangqi;

pub use external::External;
pub use level::Level;
pub use native::Native;
pub use ruleset::Ruleset;
pub use search::Memory;
pub use task::{Bound, Clock, Engine, Evaluation, Info, Limits, Stop, Task, Worth};
