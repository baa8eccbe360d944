//! What game programs say to each other: text goes in, values come out, and back. No I/O.
//!
//! Each protocol is one room that turns a line or a message into a value and a value into text. Nothing here knows
//! rules: a [`Move`] is what the other program said, and the game decides whether there is such a move.
//!
//! Reading order: [`place`] (positions and moves as draughts programs write them), [`hub`] and [`hub1`] (engines on
//! standard input and output), [`dxp`] (two programs over a network).

pub mod dxp;
pub mod fault;
pub mod hub;
pub mod hub1;
pub mod place;

pub use fault::Fault;
pub use place::{Colour, Move, Place, Square};
