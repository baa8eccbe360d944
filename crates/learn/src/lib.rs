//! Training of our engines: they play against themselves, and the weights of their evaluations are fitted to the
//! results of these games.
//!
//! Only our own games are used: no other program's games, scores or tables come in here. Each step is determined by
//! its seed; each file of weights names the command and the hash of the games it was made from.
//!
//! Reading order: [`games`] (playing); [`positions`] (compact files of their positions); [`stream`] (training on such
//! files) with `sums` (sums of weights) and `network` (small networks); [`map`] (weights for one map of Jingbanqi).

pub mod games;
pub mod map;
mod network;
pub mod positions;
pub mod stream;
mod sums;

pub use games::{Plan, Selfplay};
pub use positions::{Pack, Positions};
pub use stream::{Trained, Training};
