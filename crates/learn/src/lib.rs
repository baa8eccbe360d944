//! Where our engines learn: they play against themselves, and what their evaluations weigh is fitted to how these
//! games ended.
//!
//! Nothing is learned from anybody else: no other program's games, scores or tables come in here. Each step is decided
//! by its seed; each file of weights names the command and the hash of the games it was made from.
//!
//! Reading order: [`games`] (playing); [`sample`] (which positions count, and how) and [`fit`] (the weights) for sums of
//! weights; [`positions`] (compact files) and [`train`] (the weights) for networks.

pub mod fit;
pub mod games;
pub mod positions;
pub mod sample;
pub mod train;

pub use fit::{Fit, Fitted};
pub use games::{Plan, Selfplay};
pub use positions::{Pack, Positions};
pub use sample::{Choice, Samples};
pub use train::{Trained, Training};
