//! What every engine and every evaluation shares, whatever the game.
//!
//! An [`Engine`] is given a position as a start and moves, and says its move. An evaluation crate (`eval-xiangqi` and its
//! neighbours) fills a [`Family`]: how its games are searched, and what can be learned about them.
//!
//! Reading order: [`task`] (what is asked and told), [`level`] (how to play more weakly), [`chances`] (how games end from a
//! worth), [`think`] (a search for a family's evaluation), [`learned`] (weights and their files), [`network`] (small networks).

pub mod chances;
pub mod learned;
pub mod level;
pub mod network;
pub mod task;
pub mod think;

pub use chances::Chances;
pub use level::{Ladder, Level, Strength};
pub use task::{Bound, Clock, Engine, Evaluation, Info, Limits, Stop, Task, Worth};
pub use think::{Family, Request};
