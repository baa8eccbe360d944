//! Engine against engine: pairs of games, our rules as the referee, and what the results mean.

pub mod random;
pub mod sprt;
pub mod tally;

pub use sprt::{Decision, Scale, Sprt};
pub use tally::{Points, Tally};
