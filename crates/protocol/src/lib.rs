//! What game programs say to each other: text goes in, values come out, and back. No I/O.
//!
//! Each protocol is one room that turns a line or a message into a value and a value into text. Nothing here knows
//! rules: a [`Move`] is what the other program said, and the game decides whether there is such a move.
//!
//! Reading order: [`uci`] (any game whose moves are words), [`ucci`] (its cousin for xiangqi), [`gomocup`] (gomoku and
//! renju), [`place`] (positions and moves as draughts programs write them), [`hub`] and [`hub1`] (engines for draughts),
//! [`dxp`] (two draughts programs over a network). `docs/protocols.md` says what of them our engine and our hall speak.

pub mod dxp;
pub mod fault;
pub mod gomocup;
pub mod hub;
pub mod hub1;
pub mod place;
pub mod ucci;
pub mod uci;
mod words;

pub use fault::Fault;
pub use place::{Colour, Move, Place, Square};
