//! Where our engines learn: they play against themselves, and what their evaluations weigh is fitted to how these
//! games ended.
//!
//! Nothing is learned from anybody else: no other program's games, scores or tables come in here. Each step is decided
//! by its seed; each file of weights names the command and the hash of the games it was made from.
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
