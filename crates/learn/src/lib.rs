//! Where our engines learn: they play against themselves, and what their evaluations weigh is fitted to how these
//! games ended.
//!
//! Nothing is learned from anybody else: no other program's games, scores or tables come in here. Each step is decided
//! by its seed; each file of weights names the command and the hash of the games it was made from.
//!
//! Reading order: [`games`] (playing), [`sample`] (which positions count, and how), [`fit`] (the weights).

pub mod fit;
pub mod games;
pub mod sample;

pub use fit::{Fit, Fitted};
pub use games::{Plan, Selfplay};
pub use sample::{Choice, Samples};
