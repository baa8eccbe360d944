//! Parsers and writers of the protocols that game programs use with each other: text in, values out, and back. No
//! I/O.
//!
//! Each protocol is one module that turns a line or a message into a value and a value into text. Nothing here knows
//! the rules of a game: a [`Move`] is what the other program sent, and the game decides whether it is legal.
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
