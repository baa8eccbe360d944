//! The types and functions that all engines and evaluations share, for every game.
//!
//! An [`Engine`] takes a start position and moves, and returns its move. An evaluation crate (`eval-xiangqi` and its
//! neighbours) fills a [`Family`]: the search of its games, and what can be learned about them.
//!
//! Reading order: [`task`] (requests and reports), [`level`] (playing more weakly), [`chances`] (win rates by worth),
//! [`think`] (a search with a family's evaluation), [`learned`] (weights and their files), [`network`] (small
//! networks).

pub mod chances;
pub mod learned;
pub mod level;
pub mod network;
pub mod task;
pub mod think;

pub use chances::Chances;
pub use level::{Ladder, Level, Strength};
pub use task::{Bound, Clock, Engine, Evaluation, Info, Limits, Method, Stop, Task, Worth};
pub use think::{Family, Request};
