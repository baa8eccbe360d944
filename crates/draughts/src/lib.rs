//! Draughts: every variant people play, by one generator.

#[macro_use]
mod variants;

pub mod bits;
pub mod direction;
mod draws;
mod fen;
mod jumps;
mod moves;
mod notation;
mod open;
mod pdn;
mod position;
mod route;
pub mod rules;
mod square;
mod walk;

pub use bits::Bits;
pub use moves::Move;
pub use open::open;
pub use pdn::Named;
pub use position::Draughts;
pub use rules::{Colour, Rules};
pub use square::{Square, most_pieces, squares};
pub use variants::*;
